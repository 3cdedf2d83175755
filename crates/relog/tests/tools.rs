//! Every tool on every trace there is: what comes out verifies, and holds the records it should.

#[path = "../../etl/tests/made/mod.rs"]
mod made;

use std::collections::BTreeSet;
use std::io::Cursor;

use made::{Random, config, damage, read_all, sample};
use serde_json::json;
use tracewell_etl::def::buffer::{BufferFlags, CompressionFormat, at};
use tracewell_etl::def::logfile::{ClockType, LogFileMode};
use tracewell_etl::map::Mapping;
use tracewell_etl::read::Limits;
use tracewell_etl::write::{System, TraceConfig, TraceWriter};
use tracewell_etl::{Identity, Trace};
use tracewell_relog::verify::{Remark, digest_entry};
use tracewell_relog::{
    Pattern, Redaction, Report, Selection, known, merge, pack, redact, repair, slice, verify,
};
use tracewell_types::{FileTime, Guid};

fn sink() -> Cursor<Vec<u8>> {
    Cursor::new(Vec::new())
}

fn quiet() -> impl FnMut(u64) {
    |_| ()
}

fn report(file: &[u8]) -> Report {
    verify(&Trace::open(file).expect("a trace"), &mut quiet())
}

/// Processor and digest entry of every record but the log file header, sorted.
fn records(file: &[u8]) -> Vec<(u16, [u8; 15])> {
    let trace = Trace::open(file).expect("a trace");
    let mut cursor = trace.file_order();
    let mut all = Vec::new();
    while let Some(record) = cursor.next() {
        all.push((record.cpu(), digest_entry(&record)));
    }
    all.remove(0);
    all.sort_unstable();
    all
}

#[track_caller]
fn assert_sound(file: &[u8], name: &str) {
    let report = report(file);
    assert!(report.is_sound(), "{name}: {:?}", report.ledger.damage());
    let odd: Vec<_> = report.remarks.iter().filter(|r| !matches!(r, Remark::TimesGoBack { .. })).collect();
    assert!(odd.is_empty(), "{name}: {odd:?}");
}

/// The real traces and some made ones.
fn traces() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (seed, format) in [(1, CompressionFormat::NONE), (2, CompressionFormat::XPRESS)] {
        all.push((format!("made {format}"), sample(&mut Random::new(seed), config(format), 5_000)));
    }
    if let Some(folder) = tracewell_corpus::folder() {
        for name in tracewell_corpus::census(&folder).keys() {
            all.push((name.clone(), std::fs::read(folder.join(name)).expect("readable")));
        }
    }
    all
}

#[test]
fn real_traces_verify_as_the_census_says() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (name, expected) in &tracewell_corpus::census(&folder) {
        let file = Mapping::open(folder.join(name)).unwrap();
        let report = verify(&Trace::open_mapped(&file).unwrap(), &mut quiet());
        assert!(report.is_sound() && report.remarks.is_empty(), "{name}: {report:?}");
        let kinds: serde_json::Map<_, _> =
            report.by_header_type.iter().map(|(kind, count)| (kind.to_string(), json!(count))).collect();
        assert_eq!(json!(report.records), expected["records"], "{name}");
        assert_eq!(json!(kinds), expected["by_header_type"], "{name}");
        assert_eq!(json!(report.digest_text()), expected["record_digest"], "{name}");
        assert_eq!(json!(report.losses.events), expected["events_lost"], "{name}");
    }
}

/// `derived.table`: file, outcome, records, and each damage as `offset+length` with a part of its reason.
#[test]
fn derived_traces_verify_as_stated() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let table = include_str!("derived.table");
    let mut seen = BTreeSet::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.split(" | ").map(str::trim);
        let (name, outcome) = (parts.next().unwrap(), parts.next().unwrap());
        seen.insert(name.to_owned());
        let file = std::fs::read(folder.join("derived").join(name)).unwrap();
        match Trace::open(&file) {
            Err(error) => assert_eq!(outcome, format!("unreadable: {error}"), "{name}"),
            Ok(trace) => {
                let report = verify(&trace, &mut quiet());
                let damage: Vec<String> = report
                    .ledger
                    .damage()
                    .iter()
                    .map(|damage| format!("{}+{} {}", damage.offset, damage.length, damage.reason))
                    .collect();
                let ours = format!("{} records", report.records);
                assert_eq!(outcome, ours, "{name}");
                assert_eq!(parts.collect::<Vec<_>>(), damage, "{name}");
                // What is repaired verifies, and has all records but those of damaged items.
                let (fixed, repaired) = repair(&trace, sink(), &mut quiet()).unwrap();
                let fixed = fixed.into_inner();
                assert_sound(&fixed, name);
                assert_eq!(repaired.records, self::report(&fixed).records, "{name}");
                let faulty = u64::from(name == "ext-item-zero-size.etl");
                assert_eq!(repaired.records + faulty, report.records, "{name}");
                assert_eq!(repaired.ledger.count(), report.ledger.count(), "{name}");
            }
        }
    }
    let files = std::fs::read_dir(folder.join("derived")).unwrap();
    let there: BTreeSet<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(seen, there, "every derived file has a line");
}

/// Issue 3: a walk by time left buffers out that `verify` knew nothing of.
#[test]
fn what_exceeds_memory_by_time_is_reported() {
    let config =
        TraceConfig { buffer_size: 4096, compression: CompressionFormat::XPRESS, ..TraceConfig::default() };
    let mut writer = TraceWriter::new(sink(), config).unwrap();
    for cpu in 0..8 {
        writer.system(cpu, &System { group: 5, opcode: 36, ..System::default() }, &[0; 400]).unwrap();
    }
    let file = writer.finish(FileTime(1)).unwrap().into_inner();
    let limits = Limits { expanded: 1_000, ..Limits::default() };
    let report = verify(&Trace::open_with(&file, limits).unwrap(), &mut quiet());
    assert_eq!((report.records, report.ledger.count(), report.is_sound()), (9, 0, false));
    assert_eq!((report.left_out.count(), report.left_out.limited()), (6, 6));
    assert!(verify(&Trace::open(&file).unwrap(), &mut quiet()).is_sound());
}

/// Issue 3: a second session in a file was nowhere seen.
#[test]
fn appended_sessions_stay_what_they_are() {
    let session = |start: i64, lost| {
        let config = TraceConfig {
            processors: 4 * lost,
            clock_type: ClockType::SYSTEM_TIME,
            start_time: FileTime(start),
            raw_start: start,
            mode: LogFileMode::SEQUENTIAL.with(LogFileMode::APPEND),
            buffer_size: 4096,
            ..TraceConfig::default()
        };
        let mut writer = TraceWriter::new(sink(), config).unwrap();
        for time in start..start + 100 {
            let header = System { time, group: 5, opcode: 36, ..System::default() };
            writer.system(0, &header, b"the same again and again, again and again").unwrap();
        }
        writer.add_losses(lost, lost);
        writer.finish(FileTime(start + 100)).unwrap().into_inner()
    };
    let file = [session(1_000_000, 1), session(2_000_000, 2)].concat();
    let trace = Trace::open(&file).unwrap();
    let quiet = &mut quiet();
    let packed = pack::compress(&trace, sink(), quiet).unwrap().0.into_inner();
    let plain = pack::decompress(&Trace::open(&packed).unwrap(), sink(), quiet).unwrap().0.into_inner();
    let repaired = repair(&trace, sink(), quiet).unwrap().0.into_inner();
    assert!(packed.len() < file.len() / 2);
    for made in [&file, &packed, &plain, &repaired] {
        let trace = Trace::open(made).unwrap();
        let [other] = trace.appended() else { panic!("{:?}", trace.appended()) };
        assert_eq!((other.start_time, other.events_lost), (FileTime(2_000_000), 2));
        assert_eq!((trace.losses().events, trace.losses().buffers), (3, 3));
        let report = report(made);
        assert!(report.is_sound(), "{report:?}");
        assert_eq!((report.records, report.remarks), (202, vec![Remark::Appended { sessions: 1 }]));
    }
    // One session is made of both where records are written anew.
    let (merged, told) = merge(std::slice::from_ref(&trace), sink(), CompressionFormat::NONE, quiet).unwrap();
    assert_eq!(told.sessions, 2);
    let (sliced, told) = slice(&trace, &Selection::default(), sink(), quiet).unwrap();
    assert_eq!(told.appended, 1);
    for made in [merged.into_inner(), sliced.into_inner()] {
        let trace = Trace::open(&made).unwrap();
        assert_eq!((trace.appended().len(), trace.losses().events, report(&made).records), (0, 3, 201));
        let header = trace.header();
        assert_eq!((header.processors, header.end_time), (8, FileTime(2_000_100)), "those of both");
    }
}

/// Issue 3: the headers of files that one session went through were added up, though each counts what it lost up to then.
#[test]
fn losses_of_a_series_count_once() {
    let part = |name: &str, lost| {
        let config =
            TraceConfig { session_name: name.into(), mode: LogFileMode::NEW_FILE, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(sink(), config).unwrap();
        writer.add_losses(lost, lost / 2);
        writer.finish(FileTime(1)).unwrap().into_inner()
    };
    let files = [part("a", 4), part("a", 10), part("b", 100), part("a", 10)];
    let traces = files.each_ref().map(|file| Trace::open(file).unwrap());
    let merged = merge(&traces, sink(), CompressionFormat::NONE, &mut quiet()).unwrap().0.into_inner();
    let lost = Trace::open(&merged).unwrap().losses();
    assert_eq!((lost.events, lost.buffers), (110, 55));
}

/// A trace of one processor, a record a buffer, whose second buffer says by its flags that events were lost.
fn flagged() -> Vec<u8> {
    let config = TraceConfig { buffer_size: 4096, ..TraceConfig::default() };
    let mut writer = TraceWriter::new(sink(), config).unwrap();
    for time in 0..6 {
        if time == 1 {
            writer.mark_lost(0, BufferFlags::EVENTS_LOST);
        }
        writer.system(0, &System { time, group: 5, opcode: 36, ..System::default() }, &[]).unwrap();
        writer.flush_cpu(0).unwrap();
    }
    writer.finish(FileTime(1)).unwrap().into_inner()
}

/// Issue 3: losses in the numbers and flags of buffers were dropped when buffers were rewritten.
#[test]
fn losses_in_buffer_headers_are_kept() {
    let mut file = flagged();
    // The fourth of the six is missing.
    file.drain(4 * 4096..5 * 4096);
    let trace = Trace::open(&file).unwrap();
    let quiet = &mut quiet();
    let one = std::slice::from_ref(&trace);
    let merged = merge(one, sink(), CompressionFormat::NONE, quiet).unwrap().0.into_inner();
    let part = |start, end| {
        let selection = Selection { start, end, ..Selection::default() };
        slice(&trace, &selection, sink(), &mut |_| {}).unwrap().0.into_inner()
    };
    for (made, flags) in
        [(merged, 1), (part(None, None), 1), (part(None, Some(1)), 0), (part(Some(3), None), 0)]
    {
        let lost = Trace::open(&made).unwrap().losses();
        assert_eq!((lost.events, lost.buffers, lost.buffers_with_lost_events), (0, 1, flags));
        // Once, however often.
        let again = Trace::open(&made).unwrap();
        let again = slice(&again, &Selection::default(), sink(), quiet).unwrap().0.into_inner();
        assert_eq!(Trace::open(&again).unwrap().losses(), lost);
    }
    // What the header counts already is not counted again.
    let repaired = repair(&trace, sink(), quiet).unwrap().0.into_inner();
    assert_eq!(Trace::open(&repaired).unwrap().losses().buffers, 0, "its numbers still show it");
}

/// Issue 23: a buffer without records, which has no time, does not hide the losses that others say.
#[test]
fn issue_23_losses_behind_an_empty_buffer_are_kept() {
    let mut file = flagged();
    let mut empty = file[file.len() - 4096..].to_vec();
    // The three places of the end of the records, and the number of the buffer.
    for at in [4, 8, 48] {
        empty[at..at + 4].copy_from_slice(&72_u32.to_le_bytes());
    }
    let number = i64::from_le_bytes(empty[24..32].try_into().unwrap()) + 1;
    empty[24..32].copy_from_slice(&number.to_le_bytes());
    empty[72..].fill(0xff);
    file.extend(empty);
    let trace = Trace::open(&file).unwrap();
    assert!(
        trace.buffers().iter().any(|buffer| buffer.first_time.is_none()),
        "there is one without a record"
    );
    let made = slice(&trace, &Selection::default(), sink(), &mut |_| {}).unwrap().0.into_inner();
    assert_eq!(Trace::open(&made).unwrap().losses().buffers_with_lost_events, 1);
}

/// Issue 3: bytes between two buffers were counted as a buffer lost, though all were there.
#[test]
fn bytes_between_buffers_are_not_a_loss() {
    let file = flagged();
    let junk = [&file[..3 * 4096], &b"JUNK".repeat(777)[..], &file[3 * 4096..]].concat();
    let damaged = {
        let mut file = file.clone();
        file[3 * 4096..3 * 4096 + 72].fill(0);
        file
    };
    for (file, dropped) in [(junk, 0), (damaged, 1)] {
        let (made, told) = repair(&Trace::open(&file).unwrap(), sink(), &mut quiet()).unwrap();
        let lost = Trace::open(made.get_ref()).unwrap().losses().buffers;
        assert_eq!((told.dropped, u64::from(lost), told.ledger.count()), (dropped, dropped, 1));
    }
}

/// Issue 3: a file with a repeated buffer was reported as sound.
#[test]
fn a_file_with_a_buffer_twice_is_not_sound() {
    let file = flagged();
    let twice = [&file[..], &file[2 * 4096..3 * 4096]].concat();
    assert!(report(&file).is_sound());
    let report = report(&twice);
    assert_eq!((report.ledger.count(), report.is_sound(), report.records), (1, false, 8));
}

#[test]
fn what_is_packed_and_unpacked_keeps_every_record() {
    for (name, file) in traces() {
        let trace = Trace::open(&file).unwrap();
        let before = records(&file);
        let (packed, report) = pack::compress(&trace, sink(), &mut quiet()).unwrap();
        let packed = packed.into_inner();
        assert!(report.ledger.is_clean());
        assert_sound(&packed, &name);
        assert!(records(&packed) == before, "{name}");
        assert!(
            packed.len() <= file.len().next_multiple_of(512),
            "{name}: {} of {}",
            packed.len(),
            file.len()
        );
        let again = Trace::open(&packed).unwrap();
        assert!(again.header().mode.has(LogFileMode::COMPRESSED));
        let (plain, _) = pack::decompress(&again, sink(), &mut quiet()).unwrap();
        let mut plain = plain.into_inner();
        assert_sound(&plain, &name);
        assert!(records(&plain) == before, "{name}");
        if trace.compression() == CompressionFormat::NONE {
            // The state of the header buffer is the one thing the format of a compressed file overwrites.
            plain[at::STATE..at::STATE + 4].copy_from_slice(&file[at::STATE..at::STATE + 4]);
            assert!(same_but_unused(&trace, &file, &plain), "{name}: byte for byte");
        } else {
            assert!(!Trace::open(&plain).unwrap().buffers().iter().any(|buffer| buffer.compressed()));
        }
    }
}

/// Returns `true` if two files are the same up to the used end of every buffer.
fn same_but_unused(trace: &Trace<'_>, a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len()
        && trace.buffers().iter().all(|buffer| {
            let start = buffer.offset as usize;
            // The two used ends need not agree in a header buffer, and not with the writer's own pointer.
            let length = if buffer.compressed() { buffer.size } else { buffer.used };
            let (head, end) = (start + 8, start + length as usize);
            a[start..start + 4] == b[start..start + 4] && a[head..end] == b[head..end]
        })
}

#[test]
fn a_sound_trace_is_repaired_to_itself() {
    for (name, file) in traces() {
        let trace = Trace::open(&file).unwrap();
        let (fixed, report) = repair(&trace, sink(), &mut quiet()).unwrap();
        assert!(same_but_unused(&trace, &file, &fixed.into_inner()), "{name}");
        assert_eq!((report.trimmed, report.dropped, report.closed), (0, 0, false), "{name}");
    }
}

#[test]
fn an_unfinished_trace_is_closed() {
    let mut writer = TraceWriter::new(sink(), config(CompressionFormat::NONE)).unwrap();
    for time in 0..200 {
        writer.system(0, &System { time, ..System::default() }, &[7; 30]).unwrap();
    }
    let mut file = writer.finish(FileTime::ZERO).unwrap().into_inner();
    let count = 72 + 32 + tracewell_etl::def::logfile::at::BUFFERS_WRITTEN;
    file[count..count + 4].fill(0);
    file.truncate(file.len() - 1_000);
    let trace = Trace::open(&file).unwrap();
    assert!(report(&file).remarks.contains(&Remark::NotClosed));
    let (fixed, repaired) = repair(&trace, sink(), &mut quiet()).unwrap();
    let fixed = fixed.into_inner();
    assert_sound(&fixed, "closed");
    assert!(repaired.closed && repaired.buffer_count_was == Some(0));
    let last = trace.clock().file_time(repaired.records as i64 - 2);
    assert_eq!(Trace::open(&fixed).unwrap().header().end_time.0, last);
}

/// Puts the first record of another buffer behind the log file header, `count` times: the first buffer may hold more records. Returns their places.
fn fill_header_buffer(file: &mut [u8], count: usize) -> Vec<usize> {
    let record = {
        let trace = Trace::open(file).unwrap();
        let mut cursor = trace.records_of(1..2);
        let mut bytes = cursor.next().unwrap().bytes().to_vec();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    let word = |file: &[u8], place: usize| u32::from_le_bytes(*file[place..].first_chunk().unwrap());
    let mut used = word(file, at::SAVED_OFFSET) as usize;
    let mut places = Vec::new();
    for _ in 0..count {
        used = used.next_multiple_of(8);
        places.push(used);
        file[used..used + record.len()].copy_from_slice(&record);
        used += record.len();
    }
    for place in [at::SAVED_OFFSET, at::OFFSET] {
        file[place..place + 4].copy_from_slice(&(used as u32).to_le_bytes());
    }
    places
}

/// Damage at random: what is repaired verifies, has the sound records of the input and no others, in their order, and the report
/// has the damage that every reader of the input meets. Its numbers are those of the output.
#[test]
fn a_repair_keeps_what_is_sound_and_reports_the_rest() {
    let mut random = Random::new(35);
    let (mut made, mut in_header, mut dropped, mut trimmed) = (0, 0, 0, 0);
    for round in 0..400 {
        let format = [CompressionFormat::NONE, CompressionFormat::XPRESS][round % 2];
        let mut file = sample(&mut random, config(format), 120);
        if format == CompressionFormat::NONE {
            let places = fill_header_buffer(&mut file, 1 + random.below(3));
            if random.below(2) == 0 {
                // The mark that each record has.
                file[places[random.below(places.len())] + 3] = 0;
            }
        }
        damage(&mut random, &mut file);
        let limits = Limits { buffer_size: 1 << 20, ..Limits::default() };
        let Ok(trace) = Trace::open_with(&file, limits) else { continue };
        let Ok((fixed, told)) = repair(&trace, sink(), &mut quiet()) else { continue };
        let mut cursor = trace.file_order();
        let mut sound = Vec::new();
        while let Some(record) = cursor.next() {
            if record.fault().is_none() {
                sound.push((record.cpu(), record.time(), record.bytes().to_vec()));
            }
        }
        let mut ledger = trace.ledger().clone();
        ledger.absorb(cursor.ledger());
        let places = |ledger: &tracewell_etl::read::Ledger| {
            let mut all: Vec<_> =
                ledger.damage().iter().map(|one| (one.offset, one.length, one.reason.to_string())).collect();
            all.sort();
            all
        };
        assert_eq!(places(&told.ledger), places(&ledger), "{round}");
        assert_eq!(told.ledger.count(), ledger.count(), "{round}");
        let fixed = fixed.into_inner();
        let again = Trace::open(&fixed).unwrap();
        assert!(report(&fixed).ledger.is_clean(), "{round}");
        let kept = read_all(&again);
        // The log file header has new numbers.
        assert_eq!(kept[1..], sound[1..], "{round}");
        assert_eq!(told.records as usize, sound.len(), "{round}");
        let (before, after) = (trace.header(), again.header());
        assert_eq!(told.buffers as usize, again.buffers().len(), "{round}");
        assert_eq!(u64::from(after.buffers_written), told.buffers, "{round}");
        let was = (u64::from(before.buffers_written) != told.buffers).then_some(before.buffers_written);
        assert_eq!(told.buffer_count_was, was, "{round}");
        let lost = u64::from(before.buffers_lost) + told.dropped;
        assert_eq!(u64::from(after.buffers_lost), lost.min(u32::MAX.into()), "{round}");
        assert!(told.buffers + told.dropped >= trace.buffers().len() as u64, "{round}");
        assert_eq!(told.closed, before.end_time.0 == 0, "{round}");
        if told.closed {
            let last = sound.iter().map(|one| one.1).max().unwrap_or(before.raw_time);
            let end = trace.clock().file_time(last).max(before.start_time.0);
            assert_eq!(after.end_time.0, end, "{round}");
        } else {
            assert_eq!(after.end_time, before.end_time, "{round}");
        }
        made += 1;
        let first = trace.buffers()[0].size as usize;
        in_header += usize::from(ledger.damage().iter().any(|one| (one.offset as usize) < first));
        dropped += told.dropped;
        trimmed += told.trimmed;
    }
    assert!(
        made > 200 && in_header > 20 && dropped > 20 && trimmed > 20,
        "{made} {in_header} {dropped} {trimmed}"
    );
}

#[test]
fn a_merge_of_one_is_the_trace_in_time_order() {
    for (name, file) in traces() {
        let trace = [Trace::open(&file).unwrap()];
        for format in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
            let (merged, report) = merge(&trace, sink(), format, &mut quiet()).unwrap();
            let merged = merged.into_inner();
            assert!(report.raw_times_kept);
            assert_sound(&merged, &name);
            assert!(records(&merged) == records(&file), "{name}");
            let header = Trace::open(&merged).unwrap().header().clone();
            assert!(header.mode.has(LogFileMode::RELOG));
            assert_eq!(header.events_lost, trace[0].header().events_lost);
            assert_eq!(header.time_zone, trace[0].header().time_zone);
        }
    }
}

#[test]
fn traces_of_one_session_merge_with_their_raw_times() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let census = tracewell_corpus::census(&folder);
    let names = census.keys().filter(|name| name.contains("/diaghub/"));
    let files: Vec<Vec<u8>> = names.map(|name| std::fs::read(folder.join(name)).unwrap()).collect();
    let traces: Vec<Trace<'_>> = files.iter().map(|file| Trace::open(file).unwrap()).collect();
    let (merged, report) = merge(&traces, sink(), CompressionFormat::XPRESS, &mut quiet()).unwrap();
    let merged = merged.into_inner();
    assert!(report.raw_times_kept);
    assert_sound(&merged, "diaghub");
    let mut all: Vec<_> = files.iter().flat_map(|file| records(file)).collect();
    all.sort_unstable();
    assert!(records(&merged) == all);
}

#[test]
fn traces_of_two_boots_are_converted_to_one_clock() {
    let make = |start: i64, raw: i64, frequency: i64, time: i64| {
        let config = TraceConfig {
            raw_start: raw,
            perf_freq: frequency,
            start_time: FileTime(start),
            boot_time: FileTime(start - 1_000_000),
            ..TraceConfig::default()
        };
        let mut writer = TraceWriter::new(sink(), config).unwrap();
        writer
            .system(1, &System { time: raw + time, group: 5, opcode: 36, ..System::default() }, &[])
            .unwrap();
        // A stack: the raw time of its record, then process and thread.
        let stack = [&(raw + time).to_le_bytes()[..], &[0; 8]].concat();
        let header = System { time: raw + time + 1, group: 0x18, opcode: 32, ..System::default() };
        writer.system(1, &header, &stack).unwrap();
        // Issue 3: a disk transfer with how long it took, an interrupt with when it began.
        let took = [&[0; 40][..], &frequency.to_le_bytes()].concat();
        let header = System { time: raw + time + 1, group: 1, opcode: 10, version: 3, ..System::default() };
        writer.system(1, &header, &took).unwrap();
        let began = [&(raw + time).to_le_bytes()[..], &[0; 20]].concat();
        let header = System { time: raw + time + 1, group: 15, opcode: 50, version: 2, ..System::default() };
        writer.system(1, &header, &began).unwrap();
        writer.events_lost(0, 2);
        writer.finish(FileTime(start + 50_000_000)).unwrap().into_inner()
    };
    // The second starts a second after the first, with another frequency.
    let files = [
        make(132_000_000_010_000_000, 7, 1_000, 500),
        make(132_000_000_000_000_000, 900, 10_000_000, 20_000_000),
    ];
    let traces: Vec<Trace<'_>> = files.iter().map(|file| Trace::open(file).unwrap()).collect();
    let (merged, report) = merge(&traces, sink(), CompressionFormat::NONE, &mut quiet()).unwrap();
    let merged = merged.into_inner();
    assert!(!report.raw_times_kept);
    assert_sound(&merged, "two boots");
    let trace = Trace::open(&merged).unwrap();
    assert_eq!(trace.header().events_lost, 4);
    let mut cursor = trace.by_time();
    let mut seen = Vec::new();
    while let Some(record) = cursor.next() {
        let at = |place: usize| i64::from_le_bytes(*record.payload()[place..].first_chunk().unwrap());
        let told = match record.hook() {
            Some(0x1820 | 0x0F32) => Some(at(0) - 900),
            Some(0x010A) => Some(at(40)),
            _ => None,
        };
        seen.push((record.time() - 900, told));
    }
    let expected = [
        (0, None),
        // 1 s and 500 ms after the start; the transfer took a second.
        (15_000_000, None),
        (15_010_000, Some(15_000_000)),
        (15_010_000, Some(10_000_000)),
        (15_010_000, Some(15_000_000)),
        (20_000_000, None),
        (20_000_001, Some(20_000_000)),
        (20_000_001, Some(10_000_000)),
        (20_000_001, Some(20_000_000)),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_slice_holds_what_fits_and_what_it_needs() {
    for (name, file) in traces() {
        let trace = Trace::open(&file).unwrap();
        let all = records(&file);
        let whole = slice(&trace, &Selection { exact: true, ..Selection::default() }, sink(), &mut quiet());
        let (whole, report) = whole.unwrap();
        assert_eq!((report.selected, report.left_out), (all.len() as u64, 0), "{name}");
        assert!(records(&whole.into_inner()) == all, "{name}");
        // The middle third.
        let mut times: Vec<i64> = all.iter().map(|(_, entry)| time_of(entry)).collect();
        times.sort_unstable();
        let Some((&start, &end)) = times.get(times.len() / 3).zip(times.get(times.len() * 2 / 3)) else {
            continue;
        };
        let selection = Selection { start: Some(start), end: Some(end), exact: true, ..Selection::default() };
        let (part, _) = slice(&trace, &selection, sink(), &mut quiet()).unwrap();
        let part = part.into_inner();
        assert_sound(&part, &name);
        let mut fit = all.clone();
        fit.retain(|(_, entry)| (start..end).contains(&time_of(entry)));
        assert!(records(&part) == fit, "{name}");
        // Not exact: the same and context, nothing else.
        let (part, report) =
            slice(&trace, &Selection { exact: false, ..selection }, sink(), &mut quiet()).unwrap();
        let part = part.into_inner();
        assert_sound(&part, &name);
        assert_eq!(report.selected, fit.len() as u64, "{name}");
        let part = Trace::open(&part).unwrap();
        let mut cursor = part.by_time();
        cursor.next();
        while let Some(record) = cursor.next() {
            let fits = (start..end).contains(&record.time());
            assert!(fits || known::role(&record) != known::Role::Plain, "{name}: {record:?}");
        }
    }
}

fn time_of(entry: &[u8; 15]) -> i64 {
    i64::from_le_bytes(*entry[1..].first_chunk().unwrap())
}

/// Threads move between processes, as their ids are used again: a slice by process has what a naive model of owners and
/// processors selects.
#[test]
fn issue_23_a_slice_follows_thread_ids_that_are_used_again() {
    use tracewell_etl::write::PerfInfo;
    let mut random = Random::new(23);
    for _ in 0..20 {
        let mut writer = TraceWriter::new(sink(), config(CompressionFormat::NONE)).unwrap();
        let mut owner = std::collections::BTreeMap::new();
        let mut running = std::collections::BTreeMap::new();
        let mut wanted: [Vec<i64>; 3] = Default::default();
        let pids = [4_u32, 8, 12];
        for time in 1..300_i64 {
            let (cpu, tid, pid) =
                (random.below(2) as u16, 40 + 4 * random.below(3) as u32, pids[random.below(3)]);
            // Each thread is listed at first; records before that go to its first owner.
            let kind = if time < 4 { 0 } else { random.below(6) };
            let tid = if time < 4 { 36 + 4 * time as u32 } else { tid };
            let (group, opcode, payload, of): (u8, u8, Vec<u8>, Vec<u32>) = match kind {
                0 => {
                    owner.insert(tid, pid);
                    let opcode = if time < 4 { 3 } else { 1 };
                    (5, opcode, [pid.to_le_bytes(), tid.to_le_bytes(), [0; 4], [0; 4]].concat(), vec![pid])
                }
                1 => {
                    let old = 40 + 4 * random.below(3) as u32;
                    running.insert(cpu, tid);
                    let payload =
                        [tid.to_le_bytes(), old.to_le_bytes(), [0; 4], [0; 4], [0; 4], [0; 4]].concat();
                    (5, 36, payload, vec![owner[&tid], owner[&old]])
                }
                2 | 3 => {
                    let payload = [[0; 4], [1; 4], tid.to_le_bytes(), [1, 0, 0, 0]].concat();
                    (15, 46, payload, vec![owner[&tid]])
                }
                // No thread in the record: the one that runs on its processor.
                _ => (15, 68, vec![0; 16], running.get(&cpu).map(|tid| owner[tid]).into_iter().collect()),
            };
            let header = PerfInfo { time, group, opcode, version: 2, ..PerfInfo::default() };
            writer.perfinfo(cpu, &header, &payload).unwrap();
            for (pid, wanted) in pids.iter().zip(&mut wanted) {
                if of.contains(pid) {
                    wanted.push(time);
                }
            }
        }
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let trace = Trace::open(&file).unwrap();
        for (pid, wanted) in pids.into_iter().zip(wanted) {
            let selection = Selection { processes: [pid].into(), exact: true, ..Selection::default() };
            let (part, report) = slice(&trace, &selection, sink(), &mut quiet()).unwrap();
            let have: Vec<i64> = {
                let mut times: Vec<i64> =
                    records(&part.into_inner()).iter().map(|(_, entry)| time_of(entry)).collect();
                times.sort_unstable();
                times
            };
            assert_eq!(have, wanted, "{pid}: {report:?}");
        }
    }
}

/// Samples of one process, chosen by its threads, with their stacks.
#[test]
fn a_slice_of_one_process_has_its_samples_and_their_stacks() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let file = Mapping::open(folder.join("randomascii/slow-ppt.etl")).unwrap();
    let trace = Trace::open(&file).unwrap();
    // The process with the most stacks.
    let mut stacks = std::collections::BTreeMap::<u32, u64>::new();
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        if record.hook() == Some(0x1820) {
            let pid = u32::from_le_bytes(*record.payload()[8..].first_chunk().unwrap());
            *stacks.entry(pid).or_default() += 1;
        }
    }
    let (&pid, &expected) = stacks.iter().filter(|(pid, _)| **pid != 0).max_by_key(|(_, n)| **n).unwrap();
    let selection = Selection { processes: [pid].into(), ..Selection::default() };
    let (part, report) = slice(&trace, &selection, sink(), &mut quiet()).unwrap();
    let part = part.into_inner();
    assert_sound(&part, "slow-ppt");
    let part = Trace::open(&part).unwrap();
    let (mut own, mut samples, mut orphans) = (0, BTreeSet::new(), 0);
    let mut cursor = part.by_time();
    while let Some(record) = cursor.next() {
        match record.hook() {
            Some(0x1820) => {
                let payload = record.payload();
                own += u64::from(u32::from_le_bytes(*payload[8..].first_chunk().unwrap()) == pid);
                let of = i64::from_le_bytes(*payload.first_chunk().unwrap());
                orphans += u64::from(!samples.contains(&of));
            }
            _ => drop(samples.insert(record.time())),
        }
    }
    assert_eq!(own, expected, "every stack of the process is there");
    assert!(report.left_out > report.selected, "{report:?}");
    assert!(orphans * 50 < own, "{orphans} of {own} stacks have lost their record");
}

#[test]
fn a_slice_of_a_provider_and_an_event() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let file = std::fs::read(folder.join("tx/Process.etl")).unwrap();
    let trace = Trace::open(&file).unwrap();
    let provider = Guid::parse("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716");
    let selection =
        Selection { providers: [provider].into(), kinds: [(provider, 5)].into(), ..Selection::default() };
    let (part, report) = slice(&trace, &selection, sink(), &mut quiet()).unwrap();
    let census = tracewell_corpus::census(&folder);
    let expected = &census["tx/Process.etl"]["counts"][format!("M {provider}")]["5"];
    assert_eq!(json!(report.selected), *expected);
    let part = part.into_inner();
    let part = Trace::open(&part).unwrap();
    let mut cursor = part.file_order();
    cursor.next();
    while let Some(record) = cursor.next() {
        assert!(matches!(record.identity(), Identity::Provider { guid, id: 5, .. } if guid == provider));
    }
}

/// Blanks a word that occurs in a trace in UTF-16: all else stays, to the byte, and the word is gone.
#[test]
fn redacted_traces_differ_in_the_text_alone() {
    for (name, file) in traces() {
        let trace = Trace::open(&file).unwrap();
        for text in ["windows", "words that", "system32", "c:\\windows"] {
            let redaction = Redaction::new(vec![Pattern::Path(text.into())]).unwrap();
            let (done, report) = redact(&trace, &redaction, sink(), &mut quiet()).unwrap();
            let done = done.into_inner();
            assert_sound(&done, &name);
            let after = Trace::open(&done).unwrap();
            let (mut changed, mut count) = (0, 0);
            let (mut a, mut b) = (trace.file_order(), after.file_order());
            while let (Some(old), Some(new)) = (a.next(), b.next()) {
                count += 1;
                assert_eq!((old.time(), old.cpu(), old.identity()), (new.time(), new.cpu(), new.identity()));
                assert_eq!(old.bytes().len(), new.bytes().len());
                assert_eq!(old.fault(), new.fault());
                assert!(!redaction.occurs_in(new.payload()), "{name} {text}: {new:?}");
                for item in new.extended() {
                    assert!(!redaction.occurs_in(item.data), "{name} {text}: {new:?}");
                }
                let skip = old.bytes() == new.bytes() || count == 1;
                changed += u64::from(!skip);
            }
            assert_eq!(count, self::report(&file).records, "{name}");
            // The header record may also count.
            assert!((changed..=changed + 1).contains(&report.records), "{name} {text}: {changed} {report:?}");
            assert_eq!(report.blanked[0] > 0 || report.documents > 0, report.records > 0, "{name} {text}");
        }
    }
}

#[test]
fn redaction_reports_what_it_did_not_search() {
    use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
    use tracewell_types::{FileTime, Guid};
    let guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let mut writer = TraceWriter::new(sink(), TraceConfig::default()).unwrap();
    let wide: Vec<u8> = "C:\\Users\\alice".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gzip = [&b"log:"[..], &[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 75, 204]].concat();
    for (id, payload) in [(1, &b"\x07raw ALICE bytes"[..]), (2, &wide), (3, &gzip), (0xFFFE, b"<manifest")] {
        let header = Event { time: 5, provider: guid, id, ..Event::default() };
        writer.event(0, &header, &[], payload).unwrap();
    }
    let file = writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner();
    let redaction = Redaction::new(vec![Pattern::Text("alice".into())]).unwrap();
    let (done, report) = redact(&Trace::open(&file).unwrap(), &redaction, sink(), &mut quiet()).unwrap();
    assert_eq!((report.blanked[0], report.records, report.packed, report.pieces), (2, 2, 1, 1));
    assert_eq!(done.into_inner().len(), file.len(), "sizes are kept");
}
