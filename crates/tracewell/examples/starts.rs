//! Counts the processes that each program started, as the script prints it.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: starts TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Counts the processes that each program started, as the script prints it.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new("proc:::start { @[execname] = count(); }");
    let mut text = String::new();
    script.run(&Traces::open(path)?, &mut text)?;
    Ok(text)
}
