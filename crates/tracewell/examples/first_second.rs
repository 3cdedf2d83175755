//! Runs over the first second of a trace only.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: first_second TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Runs over the first second of a trace only.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let traces = Traces::open(path)?;
    let start = traces.read()?[0].header().start_time.unix_ns();
    let script = Script::new("sched:::on-cpu { @ = count(); }").between(start, start + 1_000_000_000);
    let mut text = String::new();
    script.run(&traces, &mut text)?;
    Ok(text)
}
