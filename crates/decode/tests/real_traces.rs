//! The tables against real traces: each layout takes up each payload exactly.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::BTreeMap;

use tracewell_decode::tracelogging::{ProviderTraits, SchemaCache};
use tracewell_decode::{Fields, kernel_event};
use tracewell_etl::{Identity, Record, Trace};

/// Calls `each` for every record of every trace in file order.
fn every_record(mut each: impl FnMut(&str, &Record<'_>)) -> bool {
    let Some(folder) = tracewell_corpus::folder() else { return false };
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            each(&name, &record);
        }
    }
    true
}

/// The pointer size of the payload. The two files named here hold 64-bit payloads that a 32-bit test
/// program logged under its own header.
fn pointer_size(file: &str, record: &Record<'_>) -> u8 {
    let made_up = ["sawbuck/image_data_64_v1.etl", "sawbuck/process_data_64_v2.etl"];
    if made_up.contains(&file) && record.is_class() { 8 } else { record.pointer_size() }
}

/// What became of the payloads of one (class, opcode, version, pointer size).
#[derive(Default)]
struct Tally {
    exact: u64,
    /// Payloads that the layout understood, with bytes left over; and one example.
    longer: u64,
    /// Payloads that do not follow the layout.
    wrong: u64,
    guessed: bool,
    example: String,
}

#[test]
fn every_kernel_payload_is_taken_up_exactly() {
    let mut tallies: BTreeMap<(String, u8, u8, u8), Tally> = BTreeMap::new();
    let mut unknown: BTreeMap<String, u64> = BTreeMap::new();
    let ran = every_record(|file, record| {
        let kernel = matches!(record.identity(), Identity::Kernel { .. } | Identity::Class { .. });
        if !kernel {
            return;
        }
        let Some(found) = kernel_event(record) else {
            *unknown.entry(format!("{:?}", record.identity())).or_default() += 1;
            return;
        };
        let class = match record.identity() {
            Identity::Kernel { group, opcode } => tracewell_schema::kernel::by_hook(group, opcode),
            _ => tracewell_schema::kernel::by_guid(&record.guid()),
        };
        let name = format!("{}.{}", class.unwrap().name, found.event.name);
        let pointer_size = pointer_size(file, record);
        let key = (name, record.opcode(), record.version(), pointer_size);
        let tally = tallies.entry(key).or_default();
        tally.guessed |= !found.exact;
        let fields = Fields::new(found.version, record.payload(), pointer_size);
        let outcome = match fields.finish() {
            Ok([]) => {
                tally.exact += 1;
                return;
            }
            Ok(rest) => {
                tally.longer += 1;
                format!("{} bytes left of {}", rest.len(), record.payload().len())
            }
            Err(error) => {
                tally.wrong += 1;
                format!("{error} of {}", record.payload().len())
            }
        };
        if tally.example.is_empty() {
            tally.example = format!("{file}: {outcome}");
        }
    });
    if !ran {
        return;
    }
    let mut exact = 0;
    let mut bad = Vec::new();
    for ((name, opcode, version, pointer), tally) in &tallies {
        let Tally { exact: n, longer, wrong, .. } = tally;
        println!("{name:34} {opcode:3} v{version} {pointer} exact {n} longer {longer} wrong {wrong}");
        exact += n;
        if *longer + *wrong > 0 || tally.guessed {
            bad.push(format!("{name} {opcode} v{version} p{pointer}: {longer}+{wrong} {}", tally.example));
        }
    }
    println!("{exact} payloads taken up exactly; unknown: {unknown:#?}");
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(exact > 900_000, "{exact}");
    // What has no description, in full: a new entry here is a gap in the tables.
    let known_gaps = ["Kernel { group: 0, opcode: 82 }"];
    for identity in unknown.keys() {
        assert!(known_gaps.iter().any(|gap| identity.contains(gap)), "no description of {identity}");
    }
}

#[test]
fn every_tracelogging_payload_is_taken_up_exactly() {
    let mut cache = SchemaCache::new();
    let (mut exact, mut names) = (0, BTreeMap::<String, u64>::new());
    let mut bad = Vec::new();
    let ran = every_record(|file, record| {
        let Some(schema) = cache.of_record(record) else { return };
        let traits = ProviderTraits::of_record(record).unwrap();
        let provider = std::str::from_utf8(traits.name).unwrap();
        let schema = match schema {
            Ok(schema) => schema,
            Err(error) => return bad.push(format!("{file} {provider}: {error}")),
        };
        *names.entry(format!("{provider}/{}", schema.name)).or_default() += 1;
        match Fields::new(&schema.layout, record.payload(), record.pointer_size()).finish() {
            Ok([]) => exact += 1,
            other => bad.push(format!("{file} {provider}/{}: {other:?} {schema:?}", schema.name)),
        }
    });
    if !ran {
        return;
    }
    println!("{exact} events exact, {} descriptions, {names:#?}", cache.len());
    assert!(bad.is_empty(), "{} bad, such as {:#?}", bad.len(), &bad[..bad.len().min(5)]);
    assert!(exact > 14_000, "{exact}");
    assert_eq!(names.get("AmsiTrace/AmsiScript"), Some(&19));
}

/// Events of manifest providers in merged traces, with the descriptions those traces bring along.
#[test]
fn every_described_payload_is_taken_up_exactly() {
    use tracewell_decode::event_info::EventCatalog;
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut tallies: BTreeMap<String, (u64, u64, String)> = BTreeMap::new();
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        let mut catalog = EventCatalog::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            catalog.observe(&record);
        }
        assert_eq!(catalog.unread(), 0, "{name}");
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let Some(description) = catalog.of_record(&record) else { continue };
            let event = format!("{}/{}", description.provider_name, description.task_name);
            let tally = tallies.entry(event).or_default();
            let outcome = Fields::new(&description.layout, record.payload(), record.pointer_size()).finish();
            if outcome == Ok(&[][..]) {
                tally.0 += 1;
            } else {
                tally.1 += 1;
                tally.2 = format!("{name} id {} {} {outcome:?}", record.id(), record.payload().len());
            }
        }
    }
    // Providers whose own description is wrong. The runtime's stack event declares two frames, but has as
    // many as its count says; PerfView logs four bytes more than it declares.
    let mistaken = ["Microsoft-Windows-DotNETRuntime/CLRStack", "PerfView/ClrEnableParameters"];
    for (event, (_, other, example)) in &tallies {
        assert!(*other == 0 || mistaken.contains(&event.as_str()), "{event}: {other}, such as {example}");
    }
    let (exact, other) = tallies.values().fold((0, 0), |sum, t| (sum.0 + t.0, sum.1 + t.1));
    println!("{exact} exact, {other} longer than described");
    assert!(exact > 128_000, "{exact}");
}
