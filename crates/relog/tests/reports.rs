//! What `verify` and `repair` report, compared with a count by hand.

use std::collections::BTreeMap;
use std::io::Cursor;

use sha2::{Digest, Sha256};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::BUFFER_HEADER_SIZE;
use tracewell_etl::def::logfile::{self, LogFileMode};
use tracewell_etl::def::record::HeaderKind;
use tracewell_etl::write::{Event, Full, PerfInfo, System, TraceConfig, TraceWriter};
use tracewell_relog::{repair, verify};
use tracewell_types::{FileTime, Guid};

const GUID: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");

/// A trace of one processor with records of four kinds; `last` is the last byte of the payload of one of them.
fn made(last: u8, time: i64) -> Vec<u8> {
    let config = TraceConfig { buffer_size: 4096, ..TraceConfig::default() };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    for n in 0..90 {
        writer.system(0, &System { time: n, group: 5, opcode: 36, ..System::default() }, &[1, 2, 3]).unwrap();
        if n % 2 == 0 {
            writer
                .perfinfo(0, &PerfInfo { time: n, group: 15, opcode: 46, ..PerfInfo::default() }, &[4; 16])
                .unwrap();
        }
        if n % 3 == 0 {
            writer.full(0, &Full { time: n, guid: GUID, ..Full::default() }, &[5, last]).unwrap();
        }
        if n % 5 == 0 {
            writer
                .event(0, &Event { time: n + time, provider: GUID, ..Event::default() }, &[], &[6])
                .unwrap();
        }
    }
    writer.finish(FileTime(1)).unwrap().into_inner()
}

#[test]
fn verify_counts_and_digests_every_record() {
    let digest_of = |file: &[u8]| {
        let trace = Trace::open(file).unwrap();
        let mut cursor = trace.file_order();
        let (mut bytes, mut kinds) = (Vec::new(), BTreeMap::<HeaderKind, u64>::new());
        while let Some(record) = cursor.next() {
            *kinds.entry(record.kind()).or_default() += 1;
            bytes.push(record.kind().0);
            bytes.extend(record.time().to_le_bytes());
            bytes.extend(u16::try_from(record.bytes().len()).unwrap().to_le_bytes());
            bytes.extend(crc32fast::hash(record.bytes()).to_le_bytes());
        }
        let report = verify(&trace, &mut |_| ());
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        assert_eq!(report.record_digest, digest);
        assert_eq!(report.digest_text(), digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        assert_eq!((report.records, &report.by_header_type), (kinds.values().sum(), &kinds));
        assert!(report.is_sound() && report.remarks.is_empty(), "{:?}", report.remarks);
        digest
    };
    let same = digest_of(&made(0, 0));
    assert_eq!(same, digest_of(&made(0, 0)));
    assert_ne!(same, digest_of(&made(1, 0)), "another byte of a payload");
}

/// Records of every buffer, that of the header included, are reported when they are damaged, and the others stay.
#[test]
fn repair_reports_damage_in_every_buffer() {
    let file = made(0, 0);
    let trace = Trace::open(&file).unwrap();
    let whole = verify(&trace, &mut |_| ()).records;
    let (fixed, report) = repair(&trace, Cursor::new(Vec::new()), &mut |_| ()).unwrap();
    assert_eq!((report.ledger.count(), report.buffers), (0, trace.buffers().len() as u64));
    assert_eq!(verify(&Trace::open(fixed.get_ref()).unwrap(), &mut |_| ()).records, whole);
    let mut tried = 0;
    for buffer in 0..trace.buffers().len() {
        let mut cursor = trace.records_of(buffer..buffer + 1);
        let mut last = None;
        while let Some(record) = cursor.next() {
            last = Some(record.bytes().to_vec());
        }
        // The header's own record cannot be missing.
        let Some(last) = last.filter(|record| record.len() < 200) else { continue };
        let start = buffer * 4096;
        let at = start
            + file[start..start + 4096].windows(last.len()).rposition(|bytes| *bytes == last[..]).unwrap();
        let mut damaged = file.clone();
        damaged[at + 2..at + 4].fill(0);
        let trace = Trace::open(&damaged).unwrap();
        let said = verify(&trace, &mut |_| ());
        assert_eq!((said.ledger.count(), said.records), (1, whole - 1), "{buffer}");
        let (fixed, report) = repair(&trace, Cursor::new(Vec::new()), &mut |_| ()).unwrap();
        assert_eq!((report.ledger.count(), report.dropped, report.closed), (1, 0, false), "{buffer}");
        let after = verify(&Trace::open(fixed.get_ref()).unwrap(), &mut |_| ());
        assert_eq!((after.is_sound(), after.records), (true, whole - 1), "{buffer}");
        tried += 1;
    }
    assert!(tried >= 2, "{tried}");
}

/// Buffers that cannot be read count as lost, except where the bytes need not have been a buffer.
#[test]
fn issue_23_repair_counts_the_buffers_that_are_missing() {
    const SIZE: usize = 4096;
    let file = made(0, 0);
    let last = file.len() - SIZE;
    assert!(file.len() >= 4 * SIZE);
    let put = |file: &mut Vec<u8>, at: usize, value: u32| {
        file[BUFFER_HEADER_SIZE + 32 + at..][..4].copy_from_slice(&value.to_le_bytes());
    };
    let open = |mut file: Vec<u8>| {
        put(&mut file, logfile::at::END_TIME, 0);
        put(&mut file, logfile::at::END_TIME + 4, 0);
        put(&mut file, logfile::at::BUFFERS_WRITTEN, 1);
        file
    };
    let circular = |mut file: Vec<u8>| {
        put(&mut file, logfile::at::LOG_FILE_MODE, LogFileMode::CIRCULAR.0);
        file
    };
    let broken = |at: usize| {
        let mut file = file.clone();
        file[at..at + BUFFER_HEADER_SIZE].fill(0xEE);
        file
    };
    let between = |at: usize| [&file[..at], &[0xEE; SIZE], &file[at..]].concat();
    let (middle, end) = (2 * SIZE, file.len());
    // (file, buffers that cannot be read, buffers lost, was not closed)
    let table = [
        ("nothing is broken", file.clone(), 0, false),
        ("the same, not closed", open(file.clone()), 0, true),
        ("a buffer between others", broken(middle), 1, false),
        ("the same, not closed", open(broken(middle)), 1, true),
        ("the last buffer", broken(last), 1, false),
        ("the same, not closed", open(broken(last)), 1, true),
        ("bytes between buffers", between(middle), 0, false),
        ("the same, not closed", open(between(middle)), 0, true),
        ("bytes after the last buffer", between(end), 0, false),
        ("the same, not closed", open(between(end)), 1, true),
        ("bytes between buffers of a circular file", circular(between(middle)), 1, false),
    ];
    for (what, file, dropped, closed) in table {
        let trace = Trace::open(&file).unwrap();
        let lost = trace.header().buffers_lost;
        let (fixed, report) = repair(&trace, Cursor::new(Vec::new()), &mut |_| ()).unwrap();
        assert_eq!((report.dropped, report.closed), (dropped, closed), "{what}");
        let after = Trace::open(fixed.get_ref()).unwrap();
        assert_eq!(u64::from(after.header().buffers_lost - lost), dropped, "{what}");
        assert!(verify(&after, &mut |_| ()).is_sound(), "{what}");
    }
}

#[test]
fn issue_23_verify_counts_the_times_that_go_back_inside_a_buffer() {
    for (times, back) in
        [(&[1, 2, 3][..], 0), (&[1, 1, 1], 0), (&[5, 4], 1), (&[1, 5, 3, 2, 6, 6, 5], 3), (&[9, 1, 2, 3], 1)]
    {
        let config = TraceConfig { buffer_size: 4096, processors: 2, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for &time in times {
            writer.full(1, &Full { time, guid: GUID, ..Full::default() }, &[]).unwrap();
        }
        // In another buffer earlier times are in order.
        writer.full(0, &Full { time: 0, guid: GUID, ..Full::default() }, &[]).unwrap();
        writer.flush_cpu(1).unwrap();
        writer.full(1, &Full { time: 0, guid: GUID, ..Full::default() }, &[]).unwrap();
        let file = writer.finish(FileTime(1)).unwrap().into_inner();
        let remarks = verify(&Trace::open(&file).unwrap(), &mut |_| ()).remarks;
        let said: Vec<String> = remarks.iter().map(ToString::to_string).collect();
        let expected = (back > 0).then(|| format!("times go back inside a buffer, {back} times"));
        assert_eq!(said, Vec::from_iter(expected), "{times:?}");
    }
}
