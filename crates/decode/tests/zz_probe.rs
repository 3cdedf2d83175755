#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]
mod common;
use std::collections::BTreeMap;
use tracewell_decode::event_info::EventCatalog;
use tracewell_decode::tracelogging::SchemaCache;
use tracewell_decode::{Fields, kernel_event};
use tracewell_etl::{Identity, Trace};
#[test]
fn probe() {
    let Some(folder) = common::corpus() else { return };
    let mut un: BTreeMap<(String, u16, u8), (u64, String)> = BTreeMap::new();
    let mut total = 0u64;
    let mut bad = 0u64;
    for (name, bytes) in common::traces(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        let mut catalog = EventCatalog::new();
        let mut cache = SchemaCache::new();
        let mut r = trace.file_order();
        while let Some(record) = r.next() {
            catalog.observe(&record);
        }
        let mut r = trace.file_order();
        while let Some(record) = r.next() {
            total += 1;
            if kernel_event(&record).is_some() {
                continue;
            }
            if cache.of_record(&record).is_some() {
                continue;
            }
            if let Some(d) = catalog.of_record(&record) {
                match Fields::new(&d.layout, record.payload(), record.pointer_size()).finish() {
                    Ok([]) => continue,
                    _ => {}
                }
            }
            bad += 1;
            let g = match record.identity() {
                Identity::Provider { guid, id, .. } => {
                    (tracewell_schema::providers::name(&guid).map_or(guid.to_string(), str::to_owned), id)
                }
                Identity::Class { guid, opcode } => (format!("C {guid}"), opcode.into()),
                Identity::Kernel { group, opcode } => (format!("K{group}"), opcode.into()),
                o => (format!("{o:?}"), 0),
            };
            let e = un.entry((g.0, g.1, record.version())).or_insert((0, String::new()));
            e.0 += 1;
            if !e.1.contains(&name) {
                e.1.push_str(&name);
                e.1.push(' ');
            }
        }
    }
    for (k, v) in &un {
        println!("{k:?} {v:?}");
    }
    println!("{bad} of {total}");
}
