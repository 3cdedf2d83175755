//! Rewrites a trace with plain buffers, record by record, so that any reader can read it.
//!
//! `cargo run -p tracewell-etl --example decompress -- TRACE OUTPUT`

#![allow(clippy::print_stdout, reason = "a program")]

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{LogFileHeader, Mapping, Trace};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(input), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("which trace, and where to?".into());
    };
    let records = decompress(Path::new(&input), Path::new(&output))?;
    println!("{records} records");
    Ok(())
}

/// Returns how many records were written, the new log file header among them.
pub(crate) fn decompress(input: &Path, output: &Path) -> Result<u64, Failure> {
    let file = Mapping::open(input)?;
    let trace = Trace::open_mapped(&file)?;
    let header = trace.header();
    // The new header has the contents of the old one, except the compression.
    let mut writer = TraceWriter::new(BufWriter::new(File::create(output)?), TraceConfig::like(header))?;
    let lost = trace.losses();
    writer.add_losses(lost.events, lost.buffers);
    let mut written = 1;
    // By time, as the buffers of one processor need not lie in order in a circular file.
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        if LogFileHeader::parse(&record).is_none() {
            writer.write_record(record.cpu(), record.bytes())?;
            written += 1;
        }
    }
    if !(trace.ledger().is_clean() && records.ledger().is_clean()) {
        return Err("the trace is damaged: what was sound of it was written".into());
    }
    writer.finish(header.end_time)?;
    Ok(written)
}
