//! Counts the records of traces in the order of their time: the smallest program on this crate.
//!
//! `cargo run --release -p tracewell-etl --example count -- [--rounds N] TRACE...` prints a line for each trace: records, seconds
//! of the best round. Each round maps and opens the file anew, as a first look at it does. `benches/peers.py` sets it beside other
//! readers.

#![allow(clippy::print_stdout, reason = "a program")]

use std::path::Path;
use std::time::Instant;
use tracewell_etl::Trace;
use tracewell_etl::map::Mapping;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rounds = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--rounds" {
            rounds = arguments.next().ok_or("--rounds wants a number")?.parse()?;
            continue;
        }
        let (mut records, mut best) = (0_u64, f64::MAX);
        for _ in 0..rounds {
            let begun = Instant::now();
            records = count(Path::new(&argument))?;
            best = best.min(begun.elapsed().as_secs_f64());
        }
        println!("{records} {best:.6} {argument}");
    }
    Ok(())
}

/// The records of a trace, by time.
fn count(path: &Path) -> Result<u64, Box<dyn std::error::Error>> {
    let map = Mapping::open(path)?;
    let trace = Trace::open_mapped(&map)?;
    let mut cursor = trace.by_time();
    let mut records = 0;
    while cursor.next().is_some() {
        records += 1;
    }
    Ok(records)
}
