//! Several sessions in one file: sessions with the same clock are one trace, those with other clocks are separate
//! traces.

mod made;

use std::io::Cursor;

use made::{Random, config, sample};
use tracewell_etl::def::buffer::{CompressionFormat, at};
use tracewell_etl::def::logfile;
use tracewell_etl::read::{Damage, DamageReason, LossSource};
use tracewell_etl::write::{System, TraceConfig, TraceWriter};
use tracewell_etl::{FileTime, Merge, StreamReader, Trace};

const HOUR: i64 = 3_600 * FileTime::TICKS_PER_SECOND;

/// A session of a boot, which was so many hours after the first, counted from the start of that boot.
fn session(seed: u64, boot: i64, hours: i64, compression: CompressionFormat) -> Vec<u8> {
    let boot_time = FileTime::UNIX_EPOCH.0 + boot * HOUR;
    let config = TraceConfig {
        boot_time: FileTime(boot_time),
        start_time: FileTime(boot_time + hours * HOUR),
        raw_start: hours * HOUR,
        ..config(compression)
    };
    sample(&mut Random::new(seed), config, 300)
}

fn records(trace: &Trace<'_>) -> usize {
    let mut cursor = trace.file_order();
    std::iter::from_fn(|| cursor.next().map(drop)).count()
}

#[test]
fn sessions_of_other_clocks_are_separate_traces() {
    let plain = CompressionFormat::NONE;
    let parts = [
        session(1, 0, 1, plain),
        session(2, 50, 1, CompressionFormat::XPRESS),
        // The same boot as the one before it,
        session(3, 50, 2, CompressionFormat::XPRESS),
        // and as the first.
        session(4, 0, 3, plain),
    ];
    let lengths = parts.each_ref().map(|part| part.len() as u64);
    let counts = parts.each_ref().map(|part| records(&Trace::open(part).unwrap()));
    let file = parts.concat();
    let whole = Trace::open(&file).unwrap();
    assert_eq!(whole.extent(), 0..file.len() as u64);
    assert_eq!(
        whole.appended().iter().map(|other| other.has_own_clock).collect::<Vec<_>>(),
        [true, false, true]
    );
    let sessions = whole.into_sessions();
    let [first, second, third] = sessions.as_slice() else { panic!("{} sessions", sessions.len()) };
    assert_eq!(first.extent(), 0..lengths[0]);
    assert_eq!(second.extent(), lengths[0]..lengths[0] + lengths[1] + lengths[2]);
    assert_eq!(third.extent(), second.extent().end..file.len() as u64);
    assert_eq!([first, second, third].map(records), [counts[0], counts[1] + counts[2], counts[3]]);
    assert_eq!([first, second, third].map(|one| one.appended().len()), [0, 1, 0]);
    for session in &sessions {
        assert!(session.ledger().is_clean(), "{:?}", session.ledger());
        assert_eq!(session.buffers()[0].offset, session.extent().start, "places are those of the file");
    }
    let starts = [first, second, third].map(|one| one.clock().start().0 - FileTime::UNIX_EPOCH.0);
    assert_eq!(starts, [HOUR, 51 * HOUR, 3 * HOUR]);
    // All of them in one order: that of the wall clock.
    let mut merge = Merge::new(&sessions);
    let (mut last, mut count) = (i64::MIN, 0);
    while let Some((session, record)) = merge.next() {
        let time = sessions[session].clock().unix_ns(record.time());
        assert!(time >= last || record.hook() == Some(0));
        (last, count) = (time.max(last), count + 1);
    }
    assert_eq!(count, counts.iter().sum::<usize>());
    // One that is a trace of one clock stays as it is.
    assert_eq!(first.clone().into_sessions().len(), 1);
}

#[test]
fn damage_of_a_session_is_reported_with_its_position_in_the_file() {
    let plain = CompressionFormat::NONE;
    let (first, mut second) = (session(1, 0, 1, plain), session(2, 50, 1, plain));
    second[2 * 4096..2 * 4096 + 72].fill(0);
    let place = (first.len() + 2 * 4096) as u64;
    let file = [first, second].concat();
    let sessions = Trace::open(&file).unwrap().into_sessions();
    assert_eq!(sessions.len(), 2);
    assert!(sessions[0].ledger().is_clean());
    let found: Vec<_> = sessions[1].ledger().damage().iter().map(|one| (one.offset, one.reason)).collect();
    assert_eq!(found, [(place, DamageReason::BufferHeader)]);
}

#[test]
fn a_stream_goes_on_with_the_clock_of_the_next_session() {
    let parts = [session(1, 0, 1, CompressionFormat::NONE), session(2, 50, 1, CompressionFormat::XPRESS)];
    let counts = parts.each_ref().map(|part| records(&Trace::open(part).unwrap()));
    let file = parts.concat();
    let mut stream = StreamReader::open(&file[..]).unwrap();
    let mut found = [0, 0];
    while let Some((record, clock)) = stream.next_with_clock().unwrap() {
        let later = clock.file_time(record.time()) >= FileTime::UNIX_EPOCH.0 + 50 * HOUR;
        found[usize::from(later)] += 1;
    }
    assert_eq!(found, counts);
    assert!(stream.ledger().is_clean());
}

#[test]
fn the_number_of_separate_sessions_is_limited() {
    let config = |hour: i64| TraceConfig {
        boot_time: FileTime(hour * HOUR),
        start_time: FileTime(hour * HOUR),
        ..config(CompressionFormat::NONE)
    };
    let count = Trace::MOST_SESSIONS as i64 + 5;
    let file: Vec<u8> = (1..=count).flat_map(|hour| sample(&mut Random::new(1), config(hour), 0)).collect();
    let sessions = Trace::open(&file).unwrap().into_sessions();
    assert_eq!(sessions.len(), Trace::MOST_SESSIONS);
    let last = sessions.last().unwrap();
    assert_eq!(
        (last.buffers().len(), last.ledger().count()),
        (6, 5),
        "times with another clock are reported"
    );
}

/// Issue 3: the last buffer of a file that was cut swallowed the header of the session that was put behind it, which was then read with
/// the first one's clock, or not at all.
#[test]
fn a_session_behind_a_cut_one_is_found() {
    let plain = CompressionFormat::NONE;
    for (compression, cut) in [(plain, 1000), (plain, 3003), (plain, 4001), (CompressionFormat::XPRESS, 301)]
    {
        let first = session(1, 0, 1, compression);
        for second in [session(2, 50, 1, plain), session(2, 0, 2, plain)] {
            let place = first.len() - cut;
            let file = [&first[..place], &second[..]].concat();
            let whole = Trace::open(&file).unwrap();
            assert_eq!(whole.appended().len(), 1, "{compression} {cut}");
            assert_eq!(whole.appended()[0].offset, place as u64);
            let last = whole.buffers().iter().rfind(|info| info.offset < place as u64).unwrap();
            assert_eq!((last.truncated, last.offset + u64::from(last.size)), (true, place as u64));
            let reported = whole.ledger().damage().iter().find(|one| one.offset == last.offset).unwrap();
            assert!(matches!(reported.reason, DamageReason::CutBuffer { .. }), "{reported}");
            let apart = usize::from(whole.appended()[0].has_own_clock);
            let behind = |trace: &Trace<'_>| {
                let first = trace.buffers().iter().position(|info| info.offset == place as u64).unwrap();
                let mut cursor = trace.records_of(first..trace.buffers().len());
                std::iter::from_fn(|| cursor.next().map(drop)).count()
            };
            let sessions = whole.into_sessions();
            assert_eq!(sessions.len(), 1 + apart);
            let cut = |one: &Damage| matches!(one.reason, DamageReason::CutBuffer { .. });
            assert!(sessions[0].ledger().damage().iter().any(cut), "{:?}", sessions[0].ledger());
            assert_eq!(behind(sessions.last().unwrap()), records(&Trace::open(&second).unwrap()));
        }
    }
}

/// Issue 3: the losses in the headers of one session's files were added up, and the buffer numbers in each file alone left gaps.
#[test]
fn files_of_one_session_are_one_session() {
    let mut files = [4, 10].map(|lost| {
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config(CompressionFormat::NONE)).unwrap();
        for time in 0..4 {
            writer.system(0, &System { time, group: 5, opcode: 36, ..System::default() }, &[]).unwrap();
            writer.flush_cpu(0).unwrap();
        }
        writer.add_losses(lost, lost / 2);
        writer.finish(FileTime(1)).unwrap().into_inner()
    });
    // The buffers of each file: 1, 3, 5, 7 and 2, 4, 6, 8.
    for (index, file) in files.iter_mut().enumerate() {
        for buffer in 1..5 {
            let number = (2 * buffer - 1 + index) as i64;
            let place = buffer * 4096 + at::SEQUENCE_NUMBER;
            file[place..place + 8].copy_from_slice(&number.to_le_bytes());
        }
    }
    let alone = Trace::open(&files[0]).unwrap();
    assert_eq!((alone.buffers_left_out(), alone.buffers_left_out_untold()), (3, 1), "2 of 3 are counted");
    let file = files.concat();
    let trace = Trace::open(&file).unwrap();
    assert_eq!(trace.appended()[0].session, 0);
    assert_eq!((trace.losses().events, trace.losses().buffers), (10, 5));
    let reported: Vec<_> =
        trace.loss_ledger().losses().iter().map(|loss| (loss.source, loss.count)).collect();
    assert_eq!(reported, [(LossSource::HeaderEvents, Some(10)), (LossSource::HeaderBuffers, Some(5))]);
    assert_eq!(trace.buffers_expected(), None);
}

/// Issue 3: a buffer that occurred twice in a file was silently read twice.
#[test]
fn a_repeated_buffer_is_reported() {
    let file = session(1, 0, 1, CompressionFormat::NONE);
    assert!(Trace::open(&file).unwrap().repeated_buffers().is_clean());
    let twice = [&file[..3 * 4096], &file[4096..2 * 4096], &file[3 * 4096..]].concat();
    let found = Trace::open(&twice).unwrap().repeated_buffers();
    let found: Vec<_> = found.damage().iter().map(|one| (one.offset, one.length, one.reason)).collect();
    assert_eq!(found, [(3 * 4096, 0, DamageReason::RepeatedBuffer { first: 4096 })]);
    // One byte is another: another buffer.
    let mut other = twice;
    other[4 * 4096 - 1] ^= 1;
    assert!(Trace::open(&other).unwrap().repeated_buffers().is_clean());
}

/// Where a file was cut before another was put behind it, at any byte, the part before reads as the cut file alone does: the same
/// buffers, with the same used bytes and times, and the same records.
#[test]
fn the_part_before_a_session_reads_as_the_cut_file_alone() {
    let (plain, packed) = (CompressionFormat::NONE, CompressionFormat::XPRESS);
    let mut checked = 0;
    for (compression, second) in [
        (plain, session(2, 50, 1, plain)),
        (plain, session(2, 0, 2, packed)),
        (packed, session(2, 50, 1, plain)),
        (packed, session(2, 50, 1, packed)),
    ] {
        let first = session(1, 0, 1, compression);
        let whole = Trace::open(&first).unwrap();
        let last = whole.buffers().last().unwrap();
        // All cuts inside the last buffer that leave a header, and some inside the one before.
        let before = whole.buffers()[whole.buffers().len() - 2];
        let ends = (last.offset as usize + 72..first.len()).step_by(61);
        for place in ends.chain([before.offset as usize + 72, before.offset as usize + 333]) {
            let alone = Trace::open(&first[..place]).unwrap();
            let file = [&first[..place], &second[..]].concat();
            let both = Trace::open(&file).unwrap();
            let count = alone.buffers().len();
            assert_eq!(both.buffers()[..count], *alone.buffers(), "{compression} {place}");
            let claimed = whole.buffers()[count - 1].size;
            let damage = both.ledger().damage().first().copied().unwrap();
            let cut = DamageReason::CutBuffer { size: claimed };
            assert_eq!(
                (damage.offset, damage.length, damage.reason),
                (alone.buffers()[count - 1].offset, 0, cut)
            );
            let of = |trace: &Trace<'_>| {
                let mut cursor = trace.records_of(0..count);
                std::iter::from_fn(|| cursor.next().map(|record| (record.time(), record.bytes().to_vec())))
                    .collect::<Vec<_>>()
            };
            assert_eq!(of(&both), of(&alone), "{compression} {place}");
            assert_eq!(both.appended()[0].offset, place as u64);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// The number of buffers a trace lacks, for each mode and count in its header, against the numbers of its buffers.
#[test]
fn buffers_expected_are_those_written_and_not_there() {
    let file = session(1, 0, 1, CompressionFormat::NONE);
    let found = Trace::open(&file).unwrap().buffers().len() as u32;
    let field = |place: usize| 72 + 32 + place;
    let sequential = 1u32;
    let (circular, new_file) = (2u32, 8u32);
    for mode in [sequential, circular, new_file] {
        for written in [0, 1, found - 1, found, found + 1, found + 2, found + 9] {
            for last in [i64::from(found) - 1, i64::from(found), i64::from(found) + 8, i64::MAX] {
                let mut file = file.clone();
                for (place, value) in
                    [(logfile::at::LOG_FILE_MODE, mode), (logfile::at::BUFFERS_WRITTEN, written)]
                {
                    file[field(place)..][..4].copy_from_slice(&value.to_le_bytes());
                }
                // Not the last one in the file: files of several sessions are not in the order of the numbers.
                let place = 2 * 4096 + at::SEQUENCE_NUMBER;
                file[place..place + 8].copy_from_slice(&last.to_le_bytes());
                let is_short = written > found && mode != circular;
                // A session that went on in other files: short only if the last buffer it counts is not here.
                let is_cut =
                    mode != new_file || last.checked_add(1).is_some_and(|next| next < i64::from(written));
                let want = (is_short && is_cut).then_some(u64::from(written));
                assert_eq!(Trace::open(&file).unwrap().buffers_expected(), want, "{mode} {written} {last}");
            }
        }
    }
}
