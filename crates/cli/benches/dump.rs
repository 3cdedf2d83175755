//! The whole command `etw dump --json`: both passes over the trace, every field, into nothing.
//!
//! `cargo bench -p tracewell-cli --bench dump [-- TRACE...]`: without arguments it reads the sample and, if
//! available, the real traces on which other readers are measured. It reports the best of seven runs in processor
//! time, which a busy machine affects little.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Traces that are measured when none are named, below the folder of real traces.
const USUAL: [&str; 2] = ["etwanalyzer/TraceLoggingTester.etl", "perfview/net.4.5.2.x64.etl"];

fn dump(trace: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_etw"));
    command.args(["dump", "--json", "--quiet", "--no-store"]).arg(trace);
    command
}

/// Processor seconds of all processes that were waited for, in ticks of a hundredth: the fields `cutime` and `cstime`.
fn spent() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = fields.get(13)?.parse::<f64>().ok()? + fields.get(14)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

fn main() {
    let named: Vec<PathBuf> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).map(PathBuf::from).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let traces = if named.is_empty() {
        let corpus = tracewell_corpus::folder().into_iter();
        let usual = corpus.flat_map(|folder| USUAL.map(|name| folder.join(name)));
        std::iter::once(root.join("../../testdata/sample.etl")).chain(usual).collect()
    } else {
        named
    };
    for trace in traces {
        let Ok(out) = dump(&trace).output() else { continue };
        let events = out.stdout.iter().filter(|byte| **byte == b'\n').count();
        let (mut wall, mut cpu) = (f64::MAX, f64::MAX);
        for _ in 0..7 {
            let (begun, before) = (Instant::now(), spent());
            let status = dump(&trace).stdout(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "{}", trace.display());
            wall = wall.min(begun.elapsed().as_secs_f64());
            if let (Some(before), Some(after)) = (before, spent()) {
                cpu = cpu.min(after - before);
            }
        }
        println!(
            "{}: {events} events, {:.2} M events/s by the clock, {:.2} M by processor time",
            trace.file_name().unwrap_or_default().to_string_lossy(),
            events as f64 / wall / 1e6,
            events as f64 / cpu.max(0.01) / 1e6,
        );
    }
}
