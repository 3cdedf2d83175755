//! Every real trace reads exactly as the census says.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a skipped test says so")]

mod corpus;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::{Identity, Record, Trace};

fn class_of(record: &Record<'_>) -> (String, u32) {
    match record.identity() {
        Identity::Kernel { group, opcode } => {
            let name = match KernelGroup(group) {
                KernelGroup::EVENT_TRACE => "EventTrace(hdr)".to_string(),
                KernelGroup::MEMORY => "PageFault/Memory".to_string(),
                other => other.to_string(),
            };
            (format!("K {name}"), opcode.into())
        }
        Identity::Class { guid, opcode } => (format!("C {guid}"), opcode.into()),
        Identity::Provider { guid, id, .. } => (format!("M {guid}"), id.into()),
        other => (format!("{other:?}"), 0),
    }
}

/// The 15 bytes of a record that the digest of the census is made of.
fn digest_entry(record: &Record<'_>) -> [u8; 15] {
    let mut entry = [0; 15];
    entry[0] = record.kind().0;
    entry[1..9].copy_from_slice(&record.time().to_le_bytes());
    entry[9..11].copy_from_slice(&(record.bytes().len() as u16).to_le_bytes());
    entry[11..].copy_from_slice(&crc32fast::hash(record.bytes()).to_le_bytes());
    entry
}

/// What the census says of a trace, from our own reading of it.
fn facts(trace: &Trace<'_>) -> BTreeMap<&'static str, Value> {
    let mut kinds = BTreeMap::<String, u64>::new();
    let mut classes = BTreeMap::<String, BTreeMap<u32, u64>>::new();
    let mut items = BTreeMap::<u16, u64>::new();
    let mut digest = Sha256::new();
    let mut records = 0_u64;
    let mut times = Vec::new();
    let mut in_header = 0;
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        records += 1;
        *kinds.entry(record.kind().to_string()).or_default() += 1;
        let (class, event) = class_of(&record);
        *classes.entry(class).or_default().entry(event).or_default() += 1;
        for item in record.extended() {
            *items.entry(item.kind.0).or_default() += 1;
        }
        assert_eq!(record.fault(), None, "{record:?}");
        digest.update(digest_entry(&record));
        let time = record.time();
        times.push(time);
        in_header += usize::from(cursor.buffer() == 0);
    }
    assert!(cursor.ledger().is_clean(), "{:?}", cursor.ledger());
    assert!(trace.ledger().is_clean(), "{:?}", trace.ledger());
    // The census takes the span of the data buffers, without the records of the header buffer.
    let span = if times.len() > in_header { &times[in_header..] } else { &times[..] };
    let header = trace.header();
    let mut cpus: Vec<u16> = trace.buffers().iter().skip(1).map(|b| b.cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let version = header.version.map(|part| part.to_string()).join(".");
    BTreeMap::from([
        ("records", json!(records)),
        ("by_header_type", json!(kinds)),
        ("counts", json!(classes)),
        ("ext_items", json!(items)),
        ("record_digest", json!(digest)),
        ("first_raw_time", json!(span.iter().min())),
        ("last_raw_time", json!(span.iter().max())),
        ("boot_time", json!(header.boot_time.0)),
        ("start_time", json!(header.start_time.0)),
        ("end_time", json!(header.end_time.0)),
        ("perf_freq", json!(header.perf_freq)),
        ("clock_type", json!(header.clock_type.0)),
        ("buffer_size", json!(header.buffer_size)),
        ("buffers", json!(trace.buffers().len())),
        ("buffers_written", json!(header.buffers_written)),
        ("build", json!(header.build)),
        ("cpus_declared", json!(header.processors)),
        ("cpus_seen", json!(cpus.len())),
        ("compressed_buffers", json!(trace.buffers().iter().filter(|b| b.compressed()).count())),
        ("events_lost", json!(header.events_lost)),
        ("header_type", json!(header.kind.to_string())),
        ("log_file_mode", json!(header.mode.0)),
        ("logger", json!(header.logger_name)),
        ("version", json!(version)),
    ])
}

#[test]
fn every_file_reads_as_the_census_says() {
    let Some(folder) = corpus::folder() else { return };
    let census = corpus::census(&folder);
    assert!(census.len() >= 30);
    for (name, expected) in &census {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (fact, ours) in facts(&trace) {
            assert_eq!(ours, expected[fact], "{name}: {fact}");
        }
    }
}

#[test]
fn time_order_is_sorted_and_loses_nothing() {
    let Some(folder) = corpus::folder() else { return };
    for (name, expected) in &corpus::census(&folder) {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let mut in_file = Vec::new();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            in_file.push(digest_entry(&record));
        }
        let mut by_time = Vec::new();
        let mut cursor = trace.by_time();
        let mut last = (i64::MIN, 0);
        while let Some(record) = cursor.next() {
            by_time.push(digest_entry(&record));
            let now = (record.time(), record.cpu());
            assert!(last <= now, "{name}: {last:?} before {now:?}");
            last = now;
        }
        assert!(cursor.ledger().is_clean(), "{name}: {:?}", cursor.ledger());
        assert_eq!(by_time.len() as u64, expected["records"], "{name}");
        in_file.sort_unstable();
        by_time.sort_unstable();
        assert!(in_file == by_time, "{name}: other records than in file order");
    }
}
