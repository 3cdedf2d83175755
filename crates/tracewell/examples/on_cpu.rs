//! Sums the milliseconds that each program ran, as values.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Key, Script, Traces, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: on_cpu TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Sums the milliseconds that each program ran, as values.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new(
        "sched:::on-cpu { self->on = timestamp; }
         sched:::off-cpu /self->on/ { @[execname] = sum((timestamp - self->on) / 1000000); self->on = 0; }",
    );
    let mut text = String::new();
    for row in script.run(&Traces::open(path)?, &mut ())?.rows {
        if let ([Key::Text(program)], Value::Number(ms)) = (&*row.keys, &row.value) {
            text += &format!("{program}: {ms} ms\n");
        }
    }
    Ok(text)
}
