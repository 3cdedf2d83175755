//! Time order over buffers that overlap, go back, tie or lie in any order; several traces in one order.

mod made;

use made::{Random, config, damage, read_all, sample, sample_with};
use std::io::Cursor;
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferFlags, CompressionFormat, at};
use tracewell_etl::read::{DamageReason, Limits, Wanted};
use tracewell_etl::write::{BufferHeader, System, TraceConfig, TraceWriter};
use tracewell_etl::{HeaderKind, Merge, Record, Trace};
use tracewell_types::FileTime;

/// A trace whose buffers are given one by one: processor and the times of the records. Each record carries its
/// number in the order given as its thread id.
fn trace_of(buffers: &[(u16, &[i64])], compression: CompressionFormat) -> Vec<u8> {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config(compression)).unwrap();
    let mut number = 0;
    for &(cpu, times) in buffers {
        for &time in times {
            let header = System { time, tid: number, group: 5, opcode: 36, ..System::default() };
            writer.system(cpu, &header, b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").unwrap();
            number += 1;
        }
        writer.flush_cpu(cpu).unwrap();
    }
    writer.finish(FileTime::ZERO).unwrap().into_inner()
}

/// Processor, time and number of the records in time order, without the log file header.
fn in_time_order(file: &[u8]) -> Vec<(u16, i64, u32)> {
    let trace = Trace::open(file).unwrap();
    let mut cursor = trace.by_time();
    let mut out = Vec::new();
    while let Some(record) = cursor.next() {
        if record.hook() != Some(0) {
            out.push((record.cpu(), record.time(), record.tid().unwrap()));
        }
    }
    assert!(cursor.ledger().is_clean());
    assert!(cursor.next().is_none(), "the end stays the end");
    out
}

const FORMATS: [CompressionFormat; 2] = [CompressionFormat::NONE, CompressionFormat::XPRESS];

#[test]
fn equal_times_are_ordered_by_processor_then_position() {
    for format in FORMATS {
        let file = trace_of(&[(2, &[5, 5]), (0, &[5]), (1, &[4, 5, 6]), (0, &[5, 7])], format);
        let expected =
            [(1, 4, 3), (0, 5, 2), (0, 5, 6), (1, 5, 4), (2, 5, 0), (2, 5, 1), (1, 6, 5), (0, 7, 7)];
        assert_eq!(in_time_order(&file), expected);
    }
}

#[test]
fn buffers_of_one_processor_may_overlap_and_lie_in_any_order() {
    for format in FORMATS {
        // The third starts before the second does and ends after it; the last lies wholly before all.
        let buffers: [(u16, &[i64]); 5] = [
            (0, &[100, 200, 300]),
            (0, &[150, 250, 260, 400]),
            (0, &[120, 390, 500]),
            (1, &[130, 395]),
            (0, &[10, 20]),
        ];
        let times: Vec<i64> = in_time_order(&trace_of(&buffers, format)).iter().map(|r| r.1).collect();
        let mut expected: Vec<i64> = buffers.iter().flat_map(|b| b.1).copied().collect();
        expected.sort_unstable();
        assert_eq!(times, expected);
    }
}

#[test]
fn times_that_go_back_inside_a_buffer_lose_nothing() {
    for format in FORMATS {
        let file = trace_of(&[(0, &[10, 30, 5, 20, 40]), (1, &[15, 35])], format);
        let got = in_time_order(&file);
        let expected = [(0, 10, 0), (1, 15, 5), (0, 30, 1), (0, 5, 2), (0, 20, 3), (1, 35, 6), (0, 40, 4)];
        assert_eq!(got, expected, "late records follow the record before them");
    }
}

#[test]
fn any_shape_gives_every_record_once_and_in_order() {
    any_shape(Random::new(3), 9, 20);
}

/// One processor delivers so many records in a row that the cursor stops comparing the others, until one of them, or a later
/// buffer of the same processor, is due; issue 3.
#[test]
fn long_runs_end_where_another_record_is_due() {
    any_shape(Random::new(4), 120, 3);
}

/// Checks traces of random buffers of less than `most` records, with less than `step` between their times.
fn any_shape(mut random: Random, most: usize, step: usize) {
    for round in 0..200 {
        let mut buffers = Vec::new();
        for _ in 0..random.below(12) {
            let mut time = random.below(100) as i64 - 50;
            let times: Vec<i64> = (0..random.below(most))
                .map(|_| {
                    time += random.below(step) as i64;
                    time
                })
                .collect();
            buffers.push((random.below(5) as u16, times));
        }
        let borrowed: Vec<(u16, &[i64])> = buffers.iter().map(|(cpu, times)| (*cpu, &times[..])).collect();
        let mut got = in_time_order(&trace_of(&borrowed, FORMATS[round % 2]));
        let keys: Vec<_> = got.iter().map(|&(cpu, time, _)| (time, cpu)).collect();
        assert!(keys.is_sorted(), "{keys:?}");
        let count = buffers.iter().map(|b| b.1.len()).sum::<usize>();
        got.sort_unstable_by_key(|record| record.2);
        assert!(got.iter().map(|record| record.2 as usize).eq(0..count));
    }
}

#[test]
fn extreme_times_are_ordered() {
    let file = trace_of(&[(0, &[i64::MIN, 0, i64::MAX]), (1, &[i64::MAX, i64::MAX]), (2, &[-1])], FORMATS[0]);
    let times: Vec<i64> = in_time_order(&file).iter().map(|r| r.1).collect();
    assert_eq!(times, [i64::MIN, -1, 0, i64::MAX, i64::MAX, i64::MAX]);
}

#[test]
fn expanded_buffers_stay_below_the_limit() {
    let file = sample(&mut Random::new(9), config(CompressionFormat::XPRESS), 2_000);
    let limits = Limits { expanded: 2 * 4096, ..Limits::default() };
    let trace = Trace::open_with(&file, limits).unwrap();
    let mut cursor = trace.by_time();
    let mut count = 0_u64;
    while cursor.next().is_some() {
        count += 1;
    }
    // Two of four processors fit; the buffers of the others are reported, not read.
    assert!(count > 500 && count < 2_001, "{count}");
    assert!(cursor.ledger().damage().iter().all(|d| d.reason == DamageReason::ExpandedTotal));
    assert!(cursor.ledger().count() > 0 && cursor.ledger().bytes() > 0);
    // Reading in the order of the file also reports what other orders leave out.
    assert_eq!(trace.left_out_by_time().damage(), cursor.ledger().damage());
    assert!(Trace::open(&file).unwrap().left_out_by_time().is_clean());
}

/// The memory of a buffer that has been read is free for the next one: a trace of any length can be read with the room of the
/// few buffers that are open at a time.
#[test]
fn issue_23_room_of_finished_buffers_is_used_again() {
    // On each processor, pairs of buffers of which the second lies within the first.
    let times: Vec<[i64; 2]> = (0..60)
        .flat_map(|pair| [[pair * 100 + 1, pair * 100 + 90], [pair * 100 + 40, pair * 100 + 50]])
        .collect();
    let buffers: Vec<(u16, &[i64])> =
        times.iter().flat_map(|times| [(0, &times[..]), (1, &times[..])]).collect();
    let file = trace_of(&buffers, CompressionFormat::XPRESS);
    let largest = Trace::open(&file).unwrap().buffers().iter().map(|info| info.records_size()).max().unwrap();
    // Of each processor two are open at a time, and one may be about to be.
    let limits = Limits { expanded: 6 * largest, ..Limits::default() };
    let trace = Trace::open_with(&file, limits).unwrap();
    let mut cursor = trace.by_time();
    let (mut count, mut last) = (0, i64::MIN);
    while let Some(record) = cursor.next() {
        assert!(record.time() >= last);
        (count, last) = (count + 1, record.time());
    }
    assert_eq!((count, cursor.ledger().count()), (1 + 2 * 2 * times.len(), 0));
    assert!(trace.left_out_by_time().is_clean());
}

/// Issue 3: 9 KiB of a file took a gigabyte.
#[test]
fn a_small_file_cannot_take_much_memory() {
    let limits = Limits::default();
    assert_eq!(limits.expanded_of(8_784), (64 << 20) + 64 * 8_784);
    assert_eq!([limits.expanded_of(1 << 30), limits.expanded_of(usize::MAX)], [limits.expanded; 2]);
    // 16 processors with a buffer each that would be 16 MiB: a run of one byte in a handful.
    let size = 16_u32 << 20;
    let config = TraceConfig { buffer_size: size, ..config(FORMATS[1]) };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    let mut file = writer.finish(FileTime::ZERO).unwrap().into_inner();
    let header = System { group: 5, opcode: 36, ..System::default() };
    let mut records = Vec::new();
    assert!(header.append(&[7; 8], &mut records));
    records.resize(size as usize - BUFFER_HEADER_SIZE, 0xFF);
    let mut packed = Vec::new();
    tracewell_etl::compress::xpress::Matcher::default().compress(&records, &mut packed);
    for cpu in 0..16 {
        let header = BufferHeader {
            size: (BUFFER_HEADER_SIZE + packed.len()) as u32,
            used: size,
            cpu,
            sequence: i64::from(cpu) + 1,
            flags: BufferFlags::COMPRESSED.with(BufferFlags::PROCESSOR_INDEX),
            ..BufferHeader::default()
        };
        file.extend(header.encode());
        file.extend(&packed);
    }
    assert!(file.len() < 10_000, "{}", file.len());
    let trace = Trace::open(&file).unwrap();
    let mut cursor = trace.by_time();
    let mut count = 0;
    while cursor.next().is_some() {
        count += 1;
    }
    // The log file header, and a record of each of the four buffers that there is room for.
    assert_eq!((count, cursor.ledger().count()), (5, 12));
    assert_eq!(trace.left_out_by_time().damage(), cursor.ledger().damage());
    assert_eq!(read_all(&trace).len(), 17, "one at a time there is room for all");
}

#[test]
fn before_windows_8_the_processor_is_one_byte() {
    let mut file = trace_of(&[(3, &[1, 2])], CompressionFormat::NONE);
    let second = 4096;
    assert_eq!(file[second + at::PROCESSOR..][..2], [3, 0]);
    file[second + at::PROCESSOR + 1] = 8;
    assert_eq!(Trace::open(&file).unwrap().buffers()[1].cpu, 0x803);
    file[second + at::FLAGS] &= !0x20;
    assert_eq!(Trace::open(&file).unwrap().buffers()[1].cpu, 3);
}

#[test]
fn traces_of_one_boot_merge_by_raw_time_and_others_by_wall_clock() {
    let write = |start_time: i64, boot: i64, raw_start: i64, times: &[i64]| {
        let config = TraceConfig {
            start_time: FileTime(132_264_173_000_000_000 + start_time),
            boot_time: FileTime(boot),
            raw_start,
            ..TraceConfig::default()
        };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for &time in times {
            writer.system(0, &System { time, group: 5, ..System::default() }, &[]).unwrap();
        }
        writer.finish(FileTime::ZERO).unwrap().into_inner()
    };
    let order = |files: &[Vec<u8>]| -> (bool, Vec<(usize, i64)>) {
        let traces: Vec<Trace<'_>> = files.iter().map(|file| Trace::open(file).unwrap()).collect();
        let mut merge = Merge::new(&traces);
        let mut out = Vec::new();
        while let Some((trace, record)) = merge.next() {
            if record.hook() != Some(0) {
                out.push((trace, record.time()));
            }
        }
        assert!(merge.ledger(0).is_none_or(tracewell_etl::read::Ledger::is_clean));
        (merge.is_by_raw_time(), out)
    };
    // The start times disagree by 50 ticks, as those of two sessions of one boot may: raw times decide.
    let one_boot = [write(1_000, 7, 100, &[110, 130]), write(1_050, 7, 100, &[105, 120, 130])];
    assert_eq!(order(&one_boot), (true, vec![(1, 105), (0, 110), (1, 120), (0, 130), (1, 130)]));
    // Two machines: wall-clock times are 1010, 1030 and 1005, 1020, 1035.
    let two_boots = [write(1_000, 7, 100, &[110, 130]), write(1_000, 8, 5_000, &[5_005, 5_020, 5_035])];
    assert_eq!(order(&two_boots), (false, vec![(1, 5_005), (0, 110), (1, 5_020), (0, 130), (1, 5_035)]));
    assert_eq!(order(&[]).1, []);
}

#[test]
fn buffer_headers_have_their_size() {
    let file = trace_of(&[(0, &[1])], CompressionFormat::NONE);
    let trace = Trace::open(&file).unwrap();
    let used = trace.buffers()[1].used as usize;
    assert_eq!(used, BUFFER_HEADER_SIZE + (32 + 43_usize).next_multiple_of(8));
    assert!(file[4096 + used..].iter().all(|&byte| byte == 0xFF));
}

#[test]
fn parts_of_a_trace_make_the_whole() {
    for format in FORMATS {
        let file = sample(&mut Random::new(21), config(format), 1_000);
        let trace = Trace::open(&file).unwrap();
        let whole = read_all(&trace);
        let mut parts = Vec::new();
        for start in (0..trace.buffers().len()).step_by(3) {
            let mut cursor = trace.records_of(start..start + 3);
            while let Some(record) = cursor.next() {
                parts.push((record.cpu(), record.time(), record.bytes().to_vec()));
            }
        }
        assert!(whole == parts && whole.len() == 1_001);
        let past = trace.buffers().len();
        assert!(trace.records_of(past..past + 9).next().is_none());
        assert!(trace.records_of(past + 5..usize::MAX).next().is_none());
    }
}

/// Cursors step over what is not wanted by the first bytes of records. They deliver what a choice among all records gives,
/// with the same times, over sound and damaged files.
#[test]
fn only_wanted_records_are_a_choice_among_all() {
    let (mut chosen, mut left) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let format = FORMATS[random.below(2)];
        let mut file = sample_with(&mut random, config(format), 400, true);
        let is_damaged = seed % 2 == 1;
        if is_damaged {
            damage(&mut random, &mut file);
        }
        let Ok(trace) = Trace::open(&file) else { continue };
        let mut wanted = Wanted::nothing();
        let mut hooks = Vec::new();
        for _ in 0..random.below(400) {
            let hook = ((1 + random.below(20)) << 8 | random.below(40)) as u16;
            hooks.push(hook);
            wanted.add_hook(hook);
        }
        wanted.named = random.below(2) == 0;
        wanted.classes = random.below(2) == 0;
        wanted.events = random.below(2) == 0;
        wanted.others = random.below(2) == 0;
        let is_wanted = |record: &Record<'_>| match (record.hook(), record.kind()) {
            (Some(hook), HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64) => hooks.contains(&hook),
            (Some(hook), _) => wanted.named || hooks.contains(&hook),
            _ if record.is_event() => wanted.events,
            _ if record.is_class() => wanted.classes,
            _ => wanted.others,
        };
        let of = |record: Record<'_>| (record.cpu(), record.time(), record.bytes().to_vec());
        let (mut all, mut only) = (trace.file_order(), trace.file_order().only(wanted.clone()));
        while let Some(record) = all.next() {
            if is_wanted(&record) {
                assert_eq!(only.next().map(of), Some(of(record)), "seed {seed}");
                chosen += 1;
            } else {
                left += 1;
            }
        }
        assert_eq!(only.next().map(of), None, "seed {seed}");
        if !is_damaged {
            assert!(only.ledger().is_clean() && all.ledger().is_clean(), "seed {seed}");
        }
        // In the order of times, a record whose time goes back follows the one before it, wanted or not: only the contents are
        // the same.
        let (mut all, mut only) = (trace.by_time(), trace.by_time().only(wanted.clone()));
        let (mut every, mut some) = (Vec::new(), Vec::new());
        while let Some(record) = all.next() {
            if is_wanted(&record) {
                every.push(of(record));
            }
        }
        while let Some(record) = only.next() {
            some.push(of(record));
        }
        every.sort();
        some.sort();
        assert_eq!(some, every, "seed {seed}, by time");
    }
    assert!(chosen > 10_000 && left > 10_000, "{chosen} and {left}");
}

/// Known records behind the first one of a buffer are stepped over until their sizes add up to so much. The others are delivered
/// with the same times, over sound and damaged files.
#[test]
fn issue_13_known_records_are_stepped_over() {
    let (mut delivered, mut left) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let format = FORMATS[random.below(2)];
        let mut file = sample_with(&mut random, config(format), 400, true);
        if seed % 2 == 1 {
            damage(&mut random, &mut file);
        }
        let Ok(trace) = Trace::open(&file) else { continue };
        let hooks: Vec<u16> =
            (0..random.below(400)).map(|_| ((1 + random.below(20)) << 8 | random.below(40)) as u16).collect();
        let kernel = |kind: u8| matches!(kind, 1..=4 | 16 | 17);
        let is_known = |word: u64| kernel((word >> 16) as u8) && hooks.contains(&((word >> 48) as u16));
        let most = [0, 500, u64::MAX][random.below(3)];
        let of = |record: Record<'_>| (record.cpu(), record.time(), record.bytes().to_vec());
        let (mut all, mut some) = (trace.file_order(), trace.file_order());
        let (mut passed, mut expected, mut buffer) = (0, 0, None);
        while let Some(record) = all.next().map(of) {
            let word = u64::from_le_bytes(*record.2.first_chunk().unwrap());
            if buffer == Some(all.buffer()) && expected < most && is_known(word) {
                expected += record.2.len() as u64;
                left += 1;
                continue;
            }
            buffer = Some(all.buffer());
            let next = some.next_past((&mut passed, most), is_known).map(of);
            assert_eq!((next, passed), (Some(record), expected), "seed {seed}");
            delivered += 1;
        }
        assert_eq!(some.next_past((&mut passed, most), is_known).map(of), None, "seed {seed}");
        assert_eq!(passed, expected, "seed {seed}");
    }
    assert!(delivered > 10_000 && left > 2_000, "{delivered} and {left}");
}
