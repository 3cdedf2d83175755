//! Shows each record of a trace in order of time: when, on which processor, what, who, and its bytes.
//!
//! `cargo run -p tracewell-etl --example records -- TRACE`, or with `-` for standard input, which cannot seek and comes in the order
//! of its buffers.

#![allow(clippy::print_stdout, reason = "a program")]

use std::io::{self, Read, Write};
use std::path::Path;

use tracewell_etl::{Clock, Mapping, Merge, Record, StreamReader, Trace};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let path = std::env::args_os().nth(1).ok_or("which trace?")?;
    let mut out = io::stdout().lock();
    if path == "-" {
        show_stream(io::stdin().lock(), &mut out)
    } else {
        show_file(Path::new(&path), &mut out)
    }
}

pub(crate) fn show_file(path: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let file = Mapping::open(path)?;
    // One trace, unless sessions that count by other clocks were appended to the file.
    let traces = Trace::open_mapped(&file)?.into_sessions();
    let mut records = Merge::new(&traces);
    while let Some((trace, record)) = records.next() {
        show(&record, traces[trace].clock(), out)?;
    }
    Ok(())
}

pub(crate) fn show_stream(input: impl Read, out: &mut impl Write) -> Result<(), Failure> {
    let mut records = StreamReader::open(input)?;
    while let Some((record, clock)) = records.next_with_clock()? {
        show(&record, clock, out)?;
    }
    Ok(())
}

fn show(record: &Record<'_>, clock: &Clock, out: &mut impl Write) -> io::Result<()> {
    let of = |id: Option<u32>| id.map_or("-".to_owned(), |id| id.to_string());
    let since_start = clock.unix_ns(record.time()) - clock.start().unix_ns();
    write!(out, "{:14.6} ms  cpu {}  ", since_start as f64 / 1e6, record.cpu())?;
    write!(out, "process {} thread {}  ", of(record.pid()), of(record.tid()))?;
    write!(out, "{} {:?}", record.kind(), record.identity())?;
    for item in record.extended() {
        write!(out, "  {} of {} bytes", item.kind, item.data.len())?;
    }
    write!(out, "  ")?;
    for byte in record.payload() {
        write!(out, "{byte:02x}")?;
    }
    writeln!(out)
}
