//! Reports what is missing from a trace, and what a run could not read.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces, lacks};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: losses TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Reports what is missing from a trace, and what a run could not read.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let traces = Traces::open(path)?;
    let report = Script::new("pf:::valloc { @ = count(); }").run(&traces, &mut ())?;
    let mut text = String::new();
    for account in &report.accounts {
        let (losses, damaged) = (account.losses(), account.damaged());
        text += &format!("{} events and {} buffers lost, ", losses.events, losses.buffers);
        text += &format!("{damaged} damaged places, {} unread events\n", report.outcome.unread);
    }
    text += &lacks::sentence(&report.lacks, "the trace").unwrap_or_default();
    Ok(text + "\n")
}
