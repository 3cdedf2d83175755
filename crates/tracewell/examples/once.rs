//! Reads a trace once, as a session delivers it: names from later records are unknown.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: once TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Reads a trace once, as a session delivers it: names from later records are unknown.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let traces = Traces::open(path)?;
    let script = Script::new("sched:::off-cpu { @[execname] = count(); }");
    let (mut all, mut known) = (String::new(), String::new());
    script.run(&traces, &mut all)?;
    script.run_once(&traces.read()?[0], &mut known)?;
    let late = all.lines().filter(|line| !known.contains(line)).count();
    Ok(format!("{late} of {} programs differ\n", all.lines().filter(|line| !line.is_empty()).count()))
}
