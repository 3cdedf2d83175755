//! Commands that `dtrace -c` starts, and actions on processes (issue 19).

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

fn dtrace(words: &[&str]) -> common::Ran {
    common::run(common::command("dtrace").args(words))
}

#[test]
fn issue_19_how_a_command_failed_is_reported() {
    let program = "BEGIN { begun = 1; }";
    for (command, expected) in
        [("sh -c 'exit 3'", "exited with status 3"), ("sh -c 'kill -9 $$'", "was ended by signal 9")]
    {
        let ran = dtrace(&["-qc", command, "-n", program]);
        let line = ran.stderr.lines().find(|line| line.starts_with("dtrace: pid ")).unwrap_or_default();
        assert!(line.ends_with(expected), "{command}: {ran:?}");
    }
    let ran = dtrace(&["-qc", "true", "-n", program]);
    assert!(!ran.stderr.contains("dtrace: pid "), "{ran:?}");
}

#[test]
fn issue_19_a_command_ends_with_its_script() {
    let ran =
        dtrace(&["-qc", "sleep 1000", "-n", "BEGIN { printf(\"%d\", $target); } tick-20ms { exit(0); }"]);
    let pid: u32 = ran.stdout.trim().parse().unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert!(!Path::new(&format!("/proc/{pid}")).exists(), "process {pid} is still there");
}

/// A probe that no event fires is in the process of `dtrace`, which a signal ends as it ends any other.
#[test]
fn issue_19_raise_sends_a_signal() {
    let begun = Instant::now();
    let ran = dtrace(&["-qwn", "BEGIN { raise(15); } tick-60s { exit(7); } END { printf(\"end\"); }"]);
    assert!(begun.elapsed() < Duration::from_secs(50), "{ran:?}");
    assert_eq!((ran.status, ran.stdout.trim()), (Some(0), "end"), "{ran:?}");
}

#[test]
fn issue_19_actions_without_effect_are_reported() {
    let ran = dtrace(&["-qwn", "BEGIN { panic(); breakpoint(); } tick-20ms { exit(0); }"]);
    let expected = "dtrace: breakpoint(), panic() had no effect";
    assert!(ran.stderr.lines().any(|line| line.starts_with(expected)), "{ran:?}");
}
