//! Compares the bundled tables with the descriptions that real traces contain for their own events.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::BTreeMap;

use tracewell_decode::{Fields, Formatted, NamedValue, Schemas, Value};
use tracewell_etl::{Record, Trace};
use tracewell_schema::{Hint, Version, bundled};

/// Where the tables are more accurate: the runtime's manifest says that stacks have two frames, but the field before contains
/// their number.
const BETTER: [(&str, u16, u8); 1] = [("Microsoft-Windows-DotNETRuntime", 82, 0)];

/// An event that a trace describes itself is read alike by the tables, where they have its version.
#[test]
fn tables_and_traces_agree() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut compared: BTreeMap<(String, u16, u8), u64> = BTreeMap::new();
    let mut differ: BTreeMap<(String, u16, u8), String> = BTreeMap::new();
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        let mut schemas = Schemas::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
        }
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let (guid, id, version) = (record.guid(), record.id(), record.version());
            let Some(provider) = bundled::provider(&guid).filter(|_| record.is_event()) else { continue };
            let Some(known) = provider.event(id, version) else { continue };
            let logged =
                schemas.manifests().of_record(&record).find_map(|manifest| manifest.event(id, version));
            let merged = || Some(schemas.merged().layout_with_maps(schemas.merged().of_record(&record)?));
            let Some(told) = logged.map(|event| event.layout.clone()).or_else(merged) else { continue };
            let event = (provider.name.to_string(), id, version);
            *compared.entry(event.clone()).or_default() += 1;
            let (here, there) = (values(&known.layout, &record), values(&told, &record));
            // Where the tables stop earlier they do not know; what they know is the same.
            if !there.starts_with(&here) {
                differ.entry(event).or_insert_with(|| format!("{name}: {here:?}, the trace says {there:?}"));
            }
        }
    }
    println!("{} events of {} kinds compared", compared.values().sum::<u64>(), compared.len());
    assert!(compared.len() >= 100, "{compared:?}");
    differ.retain(|(provider, id, version), _| !BETTER.contains(&(provider, *id, *version)));
    assert!(differ.is_empty(), "{differ:#?}");
}

/// The names of the fields with their values. Sources differ in the capitals of names, and only some of them name numbers, so
/// values are compared as bytes.
fn values(layout: &Version, record: &Record<'_>) -> Vec<(String, String)> {
    let named = |field: NamedValue<'_>| (field.field.name.to_ascii_lowercase(), shown(field.value));
    Fields::new(layout, record.payload(), record.pointer_size()).map(named).collect()
}

fn shown(value: Value<'_>) -> String {
    match value {
        Value::Struct(members) => {
            members.fields().map(|member| format!("{} ", shown(member.value))).collect()
        }
        Value::Array(array) => array.map(|element| format!("{}, ", shown(element))).collect(),
        value => match value.as_u64() {
            Some(number) => number.to_string(),
            None => Formatted::new(value, Hint::None).to_string(),
        },
    }
}
