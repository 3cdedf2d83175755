//! Counts the records of traces by who logged them, and says what is missing.
//!
//! `cargo run -p tracewell-etl --example providers -- TRACE...`

#![allow(clippy::print_stdout, reason = "a program")]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::{Identity, Mapping, Trace};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for path in std::env::args_os().skip(1) {
        count(Path::new(&path), &mut out)?;
    }
    Ok(())
}

/// One line for each provider, event class or group of the kernel, the most frequent first.
pub(crate) fn count(path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let file = Mapping::open(path)?;
    let trace = Trace::open_mapped(&file)?;
    let mut counts = BTreeMap::<String, u64>::new();
    let mut losses = trace.losses();
    // The order does not matter for counting, and that of the file is the cheapest.
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        losses.observe(&record);
        let who = match record.identity() {
            Identity::Kernel { group, .. } => format!("kernel {}", KernelGroup(group)),
            Identity::Class { guid, .. } => format!("class {guid}"),
            Identity::Provider { guid, .. } => format!("provider {guid}"),
            Identity::Message { guid, .. } => format!("messages {guid}"),
            Identity::Other(kind) => format!("header type {kind}"),
        };
        *counts.entry(who).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (who, count) in counts {
        writeln!(out, "{count:10}  {who}")?;
    }
    // What opening found damaged, then what the cursor did; each with its place and reason.
    for damage in trace.ledger().damage().iter().chain(records.ledger().damage()) {
        writeln!(out, "damaged {damage}")?;
    }
    if losses.any() {
        writeln!(out, "the session lost {} events and {} buffers", losses.events, losses.buffers)?;
    }
    Ok(())
}
