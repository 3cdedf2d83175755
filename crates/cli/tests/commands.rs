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

/// The preprocessor that the user names runs in place of the built-in one, with the same names and folders.
#[test]
fn issue_19_another_preprocessor_runs() {
    let folder = tracewell_corpus::Scratch::new("preprocessor");
    folder.write("twice.h", b"#define TWICE(x) ((x) * 2)\n");
    let text = "#!/usr/sbin/dtrace -s\n#include \"twice.h\"\nBEGIN\n{\n\tprintf(\"%d %d\\n\", TWICE(ANSWER), TWO);\n\texit(0);\n}\n";
    let script = folder.write("external.d", text.as_bytes());
    let path = script.display().to_string();
    let words = |program: &'static str, last: &'static str| {
        let option = format!("cpppath={program}");
        dtrace(&["-x", &option, "-x", last, "-C", "-D", "TWO=2", "-qs", &path, "-E", "testdata/sample.etl"])
    };
    let ran = words("cpp", "cppargs=-DANSWER=42");
    assert_eq!((ran.status, ran.stdout.trim()), (Some(0), "84 2"), "{ran:?}");
    // Messages have the lines of the script.
    let ran = words("cpp", "cppargs=-DANSWER=unknown");
    assert!(ran.stderr.contains("line 5: failed to resolve unknown"), "{ran:?}");
    for (program, reason) in [("/nowhere/cpp", "No such file"), ("false", "false failed")] {
        let ran = words(program, "quiet");
        assert!(ran.status == Some(1) && ran.stderr.contains(reason), "{ran:?}");
    }
}
