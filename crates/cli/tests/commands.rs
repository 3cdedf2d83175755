//! Commands that `dtrace -c` starts, and actions on processes (issue 19).

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
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

/// Only a script that runs records a trace that is not there; lists, headers and checks need one that is.
#[test]
fn issue_23_only_a_run_makes_a_trace_that_is_absent() {
    let folder = tracewell_corpus::Scratch::new("absent");
    let path = folder.join("absent.etl");
    let name = path.display().to_string();
    for words in [
        &["-l", "-E", &name][..],
        &["-ln", "BEGIN", "-E", &name],
        &["-en", "BEGIN{}", "-E", &name],
        &["-hn", "BEGIN", "-E", &name],
        &["-E", &name],
    ] {
        let ran = dtrace(words);
        assert!(ran.status != Some(0) && !path.exists(), "{words:?}: {ran:?}");
        assert!(!ran.stderr.contains("recording a new trace"), "{words:?}: {ran:?}");
    }
}

/// A trace or folder that is not there has the same status and words for every command.
#[test]
fn issue_23_what_is_absent_is_named_by_every_command() {
    let folder = tracewell_corpus::Scratch::new("named");
    let (absent, sample) = (folder.join("absent.etl").display().to_string(), "testdata/sample.etl");
    let out = folder.join("out").display().to_string();
    for (status, words) in [
        (1, &["info", &absent][..]),
        (1, &["stats", &absent]),
        (1, &["dump", &absent]),
        (2, &["verify", &absent]),
        (1, &["export", "--perfetto", "-o", &out, &absent]),
        (2, &["slice", "--start", "1", "-o", &out, &absent]),
        (2, &["merge", "-o", &out, &absent]),
        (2, &["redact", "--user", "Contoso", "-o", &out, &absent]),
        (2, &["repair", "-o", &out, &absent]),
        (2, &["repair", "--like", &absent, "-o", &out, sample]),
    ] {
        let ran = common::run(common::command("etw").args(words));
        let said = format!("etw: cannot open trace {absent}: No such file or directory");
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(status), ""), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(&said), "{words:?}: {ran:?}");
        assert!(!Path::new(&out).exists(), "{words:?}");
    }
}

/// A probe that no event fires is in the process of `dtrace`, which a signal ends as it ends any other.
/// A pipe can be read only once, and `dtrace` looks at a script more often.
#[test]
#[cfg(target_os = "linux")]
fn issue_17_a_script_may_come_from_a_pipe() {
    for script in ["/dev/stdin", "-", "<(cat)"] {
        let text = "BEGIN { printf(\"%d\\n\", $1); exit(4); }";
        let line = format!("exec 3<&0; \"$0\" -qs {} 12", script.replace("(cat)", "(cat <&3)"));
        let mut bash = Command::new("bash");
        bash.args(["-c", &line]).arg(env!("CARGO_BIN_EXE_dtrace"));
        let mut child =
            bash.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let ran = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            (ran.status.code(), String::from_utf8_lossy(&ran.stdout).trim()),
            (Some(4), "12"),
            "{script}: {errors}"
        );
    }
}

/// What never ends is no script.
#[test]
#[cfg(unix)]
fn issue_17_a_script_has_a_largest_size() {
    let mut dtrace = Command::new(env!("CARGO_BIN_EXE_dtrace"));
    let ran = dtrace.args(["-s", "/dev/zero"]).output().unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && errors.contains("more than 64 MiB"), "{errors}");
}

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
