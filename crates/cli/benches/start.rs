//! A whole command, from its start to its end: what compiling and starting a short script takes; and how long after the start
//! of a live run its first event of the kernel comes (as root, on Linux).
//!
//! `cargo bench -p tracewell-cli --bench start`. The minimum of many runs is the command's own time; the
//! median includes the load of the machine. A command that does nothing shows the cost of any process.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const RUNS: usize = 100;

/// Least and median milliseconds of a command.
fn time(program: &str, args: &[&str]) -> Option<(f64, f64)> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let begun = Instant::now();
        let status =
            Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        assert!(status.success(), "{program} {args:?}: {status}");
    }
    times.sort_by(f64::total_cmp);
    Some((times[0], times[RUNS / 2]))
}

/// Least and median milliseconds from the start of a live run to the first event of a probe.
fn first_event(dtrace: &str, probe: &str) -> Option<(f64, f64)> {
    let program = format!("{probe} {{ printf(\"%d\", walltimestamp); exit(0); }}");
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let begun = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let said = Command::new(dtrace).args(["-qn", &program]).output().ok()?;
        let came: u128 = String::from_utf8_lossy(&said.stdout).trim().parse().ok()?;
        times.push(came.saturating_sub(begun) as f64 / 1e6);
    }
    times.sort_by(f64::total_cmp);
    Some((times[0], times[RUNS / 2]))
}

fn main() {
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl");
    println!("{:<88} {:>8} {:>8}", "milliseconds", "least", "median");
    for (program, args) in [
        ("true", &[][..]),
        (dtrace, &["-n", "BEGIN { exit(0); }"][..]),
        (dtrace, &["-n", "BEGIN { printf(\"%Y %s\", walltimestamp, curpsinfo->pr_fname); exit(0); }"]),
        (dtrace, &["-n", "BEGIN { exit(0); } io:::start { trace(args[0]->b_bcount); }", "-E", sample]),
    ] {
        let name = if program == dtrace { "dtrace" } else { program };
        if let Some((least, median)) = time(program, args) {
            let line = format!("{name} {}", args.join(" ")).replace(sample, "sample.etl");
            println!("{line:<88} {least:8.2} {median:8.2}");
        }
    }
    for probe in ["linux:::sched_switch", "sched:::on-cpu", "syscall::read:entry", "profile-997"] {
        match first_event(dtrace, probe) {
            Some((least, median)) => {
                println!("{:<88} {least:8.2} {median:8.2}", format!("first event of {probe}"))
            }
            None => println!("first event of {probe}: it cannot fire live here, or not for this user"),
        }
    }
}
