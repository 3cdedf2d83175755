//! How much of the real traces decodes: every event of the corpus goes through the decoder.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::BTreeMap;

use tracewell_decode::infer::infer;
use tracewell_decode::{Decoder, Schemas, Source};
use tracewell_etl::Trace;

/// The events that are not decoded to the last byte, by provider and event, with why. A new one fails the test,
/// and so does one that has come to decode.
const GAPS: [(&str, &str, u64, &str); 6] = [
    (
        "6f669bfa-816a-4204-a824-47c8e6a00474",
        "EventID(2)",
        2,
        "the diagnostics hub's own; no public description",
    ),
    ("Microsoft-Windows-EtwCollector", "EventID(1)", 1, "the diagnostics hub's own; no public description"),
    ("Microsoft-Windows-EtwCollector", "EventID(2)", 1, "the diagnostics hub's own; no public description"),
    ("Microsoft-Windows-EtwCollector", "EventID(5)", 1, "the diagnostics hub's own; no public description"),
    ("PerfView", "ClrEnableParameters", 6, "logs four bytes more than its manifest declares"),
    ("Windows Kernel", "EventTrace/Opcode(82)", 4, "no public description"),
];

#[test]
fn nearly_every_event_decodes_to_named_fields() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut gaps: BTreeMap<(String, String), (u64, String)> = BTreeMap::new();
    let mut sources: BTreeMap<Source, u64> = BTreeMap::new();
    let mut total = 0u64;
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let mut trace = Trace::open(&bytes).unwrap();
        trace.read_as(infer(&trace));
        let mut schemas = Schemas::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
        }
        assert_eq!(schemas.unread(), 0, "{name}: descriptions that cannot be used");
        assert!(schemas.manifests().problems().is_empty(), "{name}: {:?}", schemas.manifests().problems());
        let mut decoder = Decoder::new(schemas);
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            total += 1;
            let format = decoder.format(&record);
            *sources.entry(format.source).or_default() += 1;
            let rest = format.fields(&record).finish();
            if format.layout.is_some() && rest == Ok(&[][..]) {
                continue;
            }
            let gap = gaps.entry((format.provider.to_string(), format.name.to_string())).or_default();
            gap.0 += 1;
            gap.1 = format!("{name}: {rest:?}");
        }
    }
    let missed: u64 = gaps.values().map(|(n, _)| n).sum();
    println!("{total} events, {missed} not in full; {sources:?}");
    for ((provider, event), (n, example)) in &gaps {
        let listed = GAPS.iter().find(|gap| gap.0 == provider && gap.1 == event);
        assert_eq!(listed.map(|gap| gap.2), Some(*n), "{provider} {event}, such as {example:.300}");
    }
    assert_eq!(gaps.len(), GAPS.len(), "a gap of the list is none any more: {gaps:?}");
    assert!(missed * 100 <= total, "{missed} of {total}");
}
