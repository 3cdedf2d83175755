//! Reads fields of events that describe themselves.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: orders TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Reads fields of events that describe themselves.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new(
        "contoso.shopapi.checkout:::OrderPlaced { @[args->shipping.carrier] = sum(args->amountCents); }",
    );
    let mut text = String::new();
    script.run(&Traces::open(path)?, &mut text)?;
    Ok(text)
}
