//! Shows the sizes of disk transfers as a histogram, bucket by bucket.
#![allow(clippy::print_stdout, reason = "a program prints its answer")]
use tracewell::{Script, Traces, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: histogram TRACE")?;
    print!("{}", answer(&path)?);
    Ok(())
}

/// Shows the sizes of disk transfers as a histogram, bucket by bucket.
pub(crate) fn answer(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let script = Script::new("io:::done { @sizes = quantize(args[0]->b_bcount); }");
    let report = script.run(&Traces::open(path)?, &mut ())?;
    let mut text = String::new();
    for row in &report.rows {
        let Value::Buckets(buckets) = &row.value else { continue };
        for (label, count) in buckets {
            text += &format!("{} {label}: {count}\n", row.aggregation);
        }
    }
    Ok(text)
}
