//! Gives a script an argument, and an option.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: argument TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Gives a script an argument, and an option.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new("proc:::exit /execname == $$1/ { @[$$1, arg0] = count(); }");
    let script = script.argument("cl.exe").option("aggsortrev", None)?;
    let mut text = String::new();
    script.run(&Traces::open(path)?, &mut text)?;
    Ok(text)
}
