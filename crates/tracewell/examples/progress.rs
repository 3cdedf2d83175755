//! Ends a run early: the callback sees how much is done.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: progress TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Ends a run early: the callback sees how much is done.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new("tick-1s { @[\"seconds\"] = count(); }");
    let (mut text, mut calls) = (String::new(), 0);
    let report = script.run_watched(&Traces::open(path)?, &mut text, &mut |_bytes| {
        calls += 1;
        calls < 2
    })?;
    Ok(format!("{} records{text}", report.outcome.records))
}
