//! Lists the probes on the events that a provider logged.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Schemas, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: probes TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Lists the probes on the events that a provider logged.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    for probe in Traces::open(path)?.probes(&Schemas::new())? {
        if probe.provider == "contoso.shopapi.checkout" {
            text += &format!("{}:::{}\n", probe.provider, probe.name);
        }
    }
    Ok(text)
}
