//! What `verify` and `repair` report, compared with a count by hand.

use std::collections::BTreeMap;
use std::io::Cursor;

use sha2::{Digest, Sha256};
use tracewell_etl::Trace;
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
