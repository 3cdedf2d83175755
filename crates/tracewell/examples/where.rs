//! Prints columns of the events that meet a condition, as `etw dump --where` does.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::events::{columns::Column, condition::Condition, each};
use tracewell::{Schemas, Traces};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: where TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// The large transfers of the linker.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let traces = Traces::open(path)?;
    let condition = Condition::parse("TransferSize > 60000 && process =~ 'LINK*'")?;
    let columns = ["time", "process", "event", "TransferSize"].map(Column::parse);
    let mut text = Vec::new();
    each(&traces.read()?, Schemas::new(), &mut |event| {
        if condition.holds(event) {
            for column in &columns {
                column.text(&mut text, event);
                text.push(b' ');
            }
            text.push(b'\n');
        }
        true
    });
    Ok(String::from_utf8_lossy(&text).into_owned())
}
