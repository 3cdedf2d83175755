//! Traces without a header get a new one: all their records are there, and the reported clock is
//! correct.

#[path = "../../etl/tests/made/mod.rs"]
mod made;

use std::io::Cursor;

use made::{Random, config, damage, sample};
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, BufferType, CompressionFormat};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::write::TraceConfig;
use tracewell_etl::{FileTime, LogFileHeader, OpenError, Trace};
use tracewell_relog::{ClockOrigin, Dates, RelogError, RestoreReport, restore, verify};

fn restored(file: &[u8], like: Option<&LogFileHeader>) -> Result<(Vec<u8>, RestoreReport), RelogError> {
    let (sink, report) = restore(file, like, Cursor::new(Vec::new()), &mut |_| ())?;
    Ok((sink.into_inner(), report))
}

/// Processor, raw time and bytes of the records after the header buffer, sorted.
fn records(file: &[u8]) -> Vec<(u16, i64, Vec<u8>)> {
    let trace = Trace::open(file).expect("a trace");
    let mut all = Vec::new();
    let data = trace.buffers().iter().position(|info| info.kind != BufferType::HEADER);
    let mut cursor = trace.records_of(data.unwrap_or(1)..trace.buffers().len());
    while let Some(record) = cursor.next() {
        if record.fault().is_none() {
            all.push((record.cpu(), record.time(), record.bytes().to_vec()));
        }
    }
    all.sort_unstable();
    all
}

/// The file with its header buffer overwritten, cut off, and with its first record damaged.
fn beheaded(file: &[u8]) -> [Vec<u8>; 3] {
    let end = Trace::open(file).expect("a trace").buffers()[1].offset as usize;
    let (mut zeroed, mut damaged) = (file.to_vec(), file.to_vec());
    zeroed[..end].fill(0);
    damaged[BUFFER_HEADER_SIZE..BUFFER_HEADER_SIZE + 8].fill(0xEE);
    [zeroed, file[end..].to_vec(), damaged]
}

/// The difference in ticks between the clocks of two traces at the first record of one.
fn apart(first: i64, a: &Trace<'_>, b: &Trace<'_>) -> u64 {
    a.clock().file_time(first).abs_diff(b.clock().file_time(first))
}

#[test]
fn real_traces_are_whole_without_their_headers() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let (mut dated, mut guessed, mut reported) = (0, 0, 0);
    for name in tracewell_corpus::census(&folder).keys() {
        let file = std::fs::read(folder.join(name)).expect("readable");
        let trace = Trace::open(&file).unwrap();
        let Some(first) = trace.buffers().iter().skip(1).filter_map(|info| info.first_time).min() else {
            continue;
        };
        let wanted = records(&file);
        let [zeroed, cut, damaged] = beheaded(&file);
        for (how, file) in [("zeroed", &zeroed), ("cut", &cut), ("damaged", &damaged)] {
            assert!(Trace::open(file).is_err(), "{name} {how}");
            let (made, report) = restored(file, None).unwrap_or_else(|error| panic!("{name} {how}: {error}"));
            let after = Trace::open(&made).unwrap();
            let said = verify(&after, &mut |_| ());
            assert!(said.is_sound(), "{name} {how}: {:?}", said.ledger.damage());
            assert!(records(&made) == wanted, "{name} {how}: {report:?}");
            let (rate, right) = (after.clock().frequency(), trace.clock().frequency());
            match report.clock {
                ClockOrigin::Damaged => {
                    reported += 1;
                    assert_eq!((how, rate, apart(first, &after, &trace)), ("damaged", right, 0), "{name}");
                }
                ClockOrigin::Guess => {
                    guessed += 1;
                    assert_eq!(rate, 10_000_000, "{name} {how}");
                    let late = after.clock().file_time(first) - trace.clock().file_time(first);
                    match report.dates {
                        // The quickest flush of these traces took 67 seconds; that of one whose counter is slower is guessed worse.
                        Dates::Late => {
                            dated += 1;
                            // Where another tool wrote the file, its buffers are of that time.
                            let relogged = trace.header().mode.has(LogFileMode::RELOG);
                            assert!(late >= 0 && (late < 700_000_000 || relogged), "{name} {how}: {late}");
                        }
                        Dates::Unknown => assert_eq!(after.header().start_time, FileTime::UNIX_EPOCH),
                        _ => panic!("{name} {how}: {report:?}"),
                    }
                }
                other => panic!("{name} {how}: {other:?}"),
            }
        }
        // Another trace of the same boot supplies everything.
        let (made, report) = restored(&zeroed, Some(trace.header())).unwrap();
        let after = Trace::open(&made).unwrap();
        assert_eq!((report.clock, apart(first, &after, &trace)), (ClockOrigin::Given, 0), "{name}");
        assert!(report.dates == Dates::Exact && records(&made) == wanted, "{name}");
    }
    assert!(reported > 20 && dated > 20 && guessed > dated, "{reported} {dated} {guessed}");
}

#[test]
fn system_time_needs_no_header() {
    let start = 134_116_992_000_000_000;
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let config = TraceConfig { clock_type: ClockType::SYSTEM_TIME, raw_start: start, ..config(format) };
        let mut writer = tracewell_etl::write::TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for time in 1..=500 {
            let header = tracewell_etl::write::System { time: start + time, group: 5, ..Default::default() };
            writer.system(0, &header, b"again and again and again and again").unwrap();
        }
        let file = writer.finish(FileTime(start + 1_000)).unwrap().into_inner();
        let [zeroed, cut, _] = beheaded(&file);
        for file_without in [zeroed, cut] {
            let (made, report) = restored(&file_without, None).unwrap();
            let after = Trace::open(&made).unwrap();
            assert_eq!(
                (report.clock, report.dates, after.clock().kind()),
                (ClockOrigin::SystemTime, Dates::Exact, ClockType::SYSTEM_TIME)
            );
            assert_eq!(after.header().start_time, FileTime(start + 1));
            assert_eq!(records(&made), records(&file));
            assert_eq!(after.compression(), format);
        }
    }
}

/// The pointer size of a header that is made anew is that of most records, because every later reader decodes by it.
#[test]
fn issue_23_pointer_size_without_a_header() {
    use tracewell_etl::write::{PointerSize, System, TraceWriter};
    let start = 134_116_992_000_000_000;
    for (narrow, wide, want) in [
        (0, 9, PointerSize::P64),
        (9, 0, PointerSize::P32),
        (4, 5, PointerSize::P64),
        (5, 4, PointerSize::P32),
        (5, 5, PointerSize::P64),
    ] {
        let config = TraceConfig {
            clock_type: ClockType::SYSTEM_TIME,
            raw_start: start,
            pointer_size: want,
            ..config(CompressionFormat::NONE)
        };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        let sizes = [(narrow, PointerSize::P32), (wide, PointerSize::P64)];
        for (pointer_size, time) in sizes.iter().flat_map(|&(count, size)| vec![size; count]).zip(1..) {
            let header = System { time: start + time, group: 5, pointer_size, ..System::default() };
            writer.system(0, &header, &[7; 16]).unwrap();
        }
        let file = writer.finish(FileTime(start + 1_000)).unwrap().into_inner();
        let [zeroed, cut, _] = beheaded(&file);
        for without in [zeroed, cut] {
            let (made, _) = restored(&without, None).unwrap();
            let trace = Trace::open(&made).unwrap();
            assert_eq!(trace.header().pointer_size, u32::from(want.bytes()), "{narrow} narrow, {wide} wide");
        }
    }
}

/// What of the new header comes from where: a damaged header of the session itself gives everything, that of another session only
/// what both have in common.
#[test]
fn a_header_of_another_session_gives_no_names() {
    let mode = LogFileMode::SEQUENTIAL.with(LogFileMode::APPEND);
    let own = TraceConfig {
        file_name: "made.etl".into(),
        raw_start: 900,
        start_time: FileTime(134_116_992_000_000_000),
        perf_freq: 5_000_000,
        build: 19_045,
        mode,
        buffer_size: 16 << 10,
        ..config(CompressionFormat::NONE)
    };
    let mut writer = tracewell_etl::write::TraceWriter::new(Cursor::new(Vec::new()), own).unwrap();
    for time in 1_000..1_010 {
        let header = tracewell_etl::write::System { time, group: 5, opcode: 36, ..Default::default() };
        writer.system(0, &header, &[7; 600]).unwrap();
    }
    let file = writer.finish(FileTime(134_116_992_010_000_000)).unwrap().into_inner();
    let before = Trace::open(&file).unwrap();
    let [zeroed, _, damaged] = beheaded(&file);
    let names = |header: &LogFileHeader| (header.logger_name.clone(), header.log_file_name.clone());
    let whole = restored(&damaged, None).unwrap();
    let like = restored(&zeroed, Some(before.header())).unwrap();
    for ((made, report), origin) in [(whole, ClockOrigin::Damaged), (like, ClockOrigin::Given)] {
        let after = Trace::open(&made).unwrap();
        let (a, b) = (after.header(), before.header());
        assert_eq!(report.clock, origin);
        assert_eq!((a.perf_freq, a.build, a.clock_type), (b.perf_freq, b.build, b.clock_type));
        assert_eq!(apart(1_005, &after, &before), 0, "one clock");
        if origin == ClockOrigin::Damaged {
            assert_eq!(names(a), names(b));
            assert_eq!(
                (a.mode, a.buffer_size, a.raw_time, a.start_time),
                (mode, 16 << 10, 900, b.start_time)
            );
        } else {
            assert_eq!(names(a), (String::new(), String::new()));
            // It starts with its first record, and its buffers are as long as the longest.
            assert_eq!((a.mode, a.raw_time), (LogFileMode::SEQUENTIAL, 1_000));
            assert_eq!(a.start_time.0, before.clock().file_time(1_000));
            assert_eq!(a.buffer_size as usize, made.len() / after.buffers().len());
        }
    }
}

#[test]
fn a_session_behind_it_lends_its_clock_and_another_kind_is_refused() {
    let counter = |start: i64| TraceConfig {
        perf_freq: 3_000_000,
        raw_start: start,
        ..config(CompressionFormat::NONE)
    };
    let first = sample(&mut Random::new(1), counter(0), 300);
    let second = sample(&mut Random::new(2), counter(0), 300);
    let mut file = [&first[..], &second[..]].concat();
    file[..4096].fill(0);
    let (made, report) = restored(&file, None).unwrap();
    assert_eq!((report.clock, report.frequency), (ClockOrigin::Further(first.len() as u64), 3_000_000));
    assert!(verify(&Trace::open(&made).unwrap(), &mut |_| ()).is_sound());
    // A header of a later boot cannot supply the dates: the buffers were flushed before.
    let flushed = FileTime::from_unix_ns(1_500_000_000_000_000_000);
    for buffer in 1..file.len() / 4096 {
        let stamp = buffer * 4096 + tracewell_etl::def::buffer::at::TIME_STAMP;
        file[stamp..stamp + 8].copy_from_slice(&flushed.0.to_le_bytes());
    }
    let later = TraceConfig { start_time: FileTime(flushed.0 + 36_000_000_000), ..counter(0) };
    let later = sample(&mut Random::new(3), later, 1);
    let (made, report) = restored(&file, Some(Trace::open(&later).unwrap().header())).unwrap();
    assert_eq!((report.clock, report.dates, report.frequency), (ClockOrigin::Given, Dates::Late, 3_000_000));
    let end = Trace::open(&made).unwrap().clock().file_time(0);
    assert!((0..10_000_000).contains(&(flushed.0 - end)), "{end}");
    let other = TraceConfig { clock_type: ClockType::SYSTEM_TIME, ..config(CompressionFormat::NONE) };
    let other = sample(&mut Random::new(3), other, 1);
    let refused = restored(&file, Some(Trace::open(&other).unwrap().header()));
    assert!(matches!(refused, Err(RelogError::OtherClock)), "{refused:?}");
}

#[test]
fn what_is_not_a_trace_remains_invalid() {
    let noise: Vec<u8> = {
        let mut random = Random::new(9);
        (0..200_000).map(|_| random.next() as u8).collect()
    };
    for bytes in [&b""[..], b"MZ", &[0; 100_000], &[0xFF; 4096], &noise, include_bytes!("restored.rs")] {
        let refused = restored(bytes, None);
        assert!(matches!(refused, Err(RelogError::Open(OpenError::NoBuffer))), "{refused:?}");
    }
}

#[test]
fn damage_of_all_kinds_is_got_over() {
    let mut random = Random::new(44);
    let mut made = 0;
    for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
        let sound = sample(&mut random, config(format), 400);
        for round in 0..300 {
            let mut file = beheaded(&sound)[round % 3].clone();
            damage(&mut random, &mut file);
            let Ok((bytes, report)) = restored(&file, None) else { continue };
            let said = verify(&Trace::open(&bytes).unwrap(), &mut |_| ());
            let left = said.ledger.damage().iter();
            let left = left.filter(|one| one.reason != tracewell_etl::read::DamageReason::AnotherTrace);
            assert_eq!(left.count(), 0, "{format} {round}: {:?}", said.ledger.damage());
            assert_eq!(said.records, report.repair.records, "{format} {round}");
            made += 1;
        }
    }
    assert!(made > 500, "{made}");
}
