//! Measures scans: `speed FILE TIMES COLUMN...`.
#![allow(clippy::print_stdout, reason = "it is a program")]

use tracewell_arrow::{Scan, Source, events};

fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let times: u32 = args[1].parse()?;
    let names: Vec<&str> = args[2..].iter().map(String::as_str).collect();
    for source in Source::open(args[0].as_ref()) {
        let source = source?;
        let scan = Scan::of(&names, &events::COLUMNS);
        // Once before, for descriptions and pages.
        let mut rows = 0;
        source.events(&scan, &mut |batch| {
            rows += batch.num_rows();
            true
        })?;
        let (before, mut sum) = (cpu(), 0);
        for _ in 0..times {
            source.events(&scan, &mut |batch| {
                sum += batch.num_rows();
                true
            })?;
        }
        let used = cpu() - before;
        println!(
            "{rows} rows, {} columns: {:.1} M rows per CPU second ({used:.2} s)",
            scan.columns.len(),
            sum as f64 / used / 1e6
        );
    }
    Ok(())
}
