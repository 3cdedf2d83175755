#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]
mod common;
use std::collections::BTreeMap;
use tracewell_decode::*;
use tracewell_etl::Trace;
#[test]
fn probe() {
    let Some(folder) = common::corpus() else { return };
    let mut un: BTreeMap<(String, String,u16,u8,Source,bool), (u64, String,String)> = BTreeMap::new();
    let mut total = 0u64;
    let mut bad = 0u64;
    for (name, bytes) in common::traces(&folder) {
        let trace = Trace::open(&bytes).unwrap();
        let mut s = Schemas::new();
        let mut r = trace.file_order();
        while let Some(record) = r.next() { s.observe(&record); }
        if s.unread() > 0 { println!("{name} {} {:?}", s.unread(), s.manifests().problems()); }
        let mut d = Decoder::new(s);
        let mut r = trace.file_order();
        while let Some(record) = r.next() {
            total += 1;
            let f = d.format(&record);
            let fin = f.fields(&record).finish();
            if f.layout.is_some() && fin == Ok(&[][..]) { continue }
            bad += 1;
            let e = un.entry((f.provider.to_string(), f.name.to_string(), record.id(), record.version(),f.source,f.exact)).or_insert((0, String::new(),format!("{:?} of {}", fin.map(|r|r.len()),record.payload().len())));
            e.0 += 1; if !e.1.contains(&name) { e.1.push_str(&name); e.1.push(' '); }
        }
    }
    for (k, v) in &un { println!("{k:?} {v:?}"); }
    println!("{bad} of {total}");
}
