//! Whole commands over a large real trace with stacks: samples by program and stack, and wait analysis.
//!
//! `cargo bench -p tracewell-cli --bench stacks [-- TRACE]`; without a trace `randomascii/slow-ppt.etl` of the corpus is
//! read (33.6 MB, 136,370 samples, 138,000 stacks). The least of the runs is the command's own time; the median says what
//! the machine made of it. Wanted: under one second, and under one and a half. The wait analysis runs too over a made trace
//! of 100,000 context switches, each of which has a stack and a thread made ready before it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 15;

fn trace() -> Option<PathBuf> {
    let given = std::env::args().skip(1).find(|word| !word.starts_with('-')).map(PathBuf::from);
    given.or_else(|| tracewell_corpus::trace("randomascii/slow-ppt.etl"))
}

fn main() {
    let Some(trace) = trace() else {
        eprintln!("SKIPPED: no trace given, and no corpus found");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let waits = root.join("scripts/waits.d");
    let waits = waits.to_str().expect("the path is text");
    let samples = "profile:::sample-997 { @[execname, ustack()] = count(); }";
    // Waits of which each has a stack are not in any trace at hand.
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("switching.etl");
    let bytes = tracewell_testkit::switching(100_000).expect("the trace is made").trace;
    std::fs::write(&made, &bytes).expect("the trace is kept");
    println!("{:<64} {:>8} {:>8}", "milliseconds", "least", "median");
    for (name, words, trace) in [
        (samples, ["-qn", samples], &trace),
        ("scripts/waits.d", ["-s", waits], &trace),
        ("scripts/waits.d, 100,000 switches with stacks", ["-s", waits], &made),
    ] {
        let mut times: Vec<f64> = (0..RUNS)
            .map(|_| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_dtrace"));
                command.args(words).arg("-E").arg(trace).stdout(Stdio::null()).stderr(Stdio::null());
                let begun = Instant::now();
                let status = command.status().expect("the command can be started");
                assert!(status.success(), "{name}: {status}");
                begun.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{name:<64} {:8.1} {:8.1}", times[0], times[RUNS / 2]);
    }
}
