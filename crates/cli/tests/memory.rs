//! However broken a trace is, reading it takes no more than 64 MiB of memory beside the mapped file.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::{Command, Output};

/// Runs `etw` with a limit on its private memory: allocations and the stacks of threads count, mapped files do not.
fn etw(kib: u32, arguments: &[&str], file: &Path) -> Output {
    Command::new("sh")
        .args(["-c", r#"ulimit -d "$0" && exec "$@""#, &kib.to_string(), env!("CARGO_BIN_EXE_etw")])
        .args(arguments)
        .arg(file)
        .output()
        .unwrap()
}

const LIMIT: u32 = 64 << 10;

#[test]
fn broken_traces_take_no_more_than_the_limit() {
    let Some(derived) = tracewell_corpus::derived() else { return };
    for path in tracewell_corpus::traces(&derived) {
        for arguments in [
            &["verify"][..],
            &["info"],
            &["stats"],
            &["dump", "--json"],
            &["dump", "--stacks", "--messages"],
            &["schema", "list"],
        ] {
            let out = etw(LIMIT, arguments, &path);
            let reported = String::from_utf8_lossy(&out.stderr);
            // A process that runs out of memory is ended by a signal and has no code.
            assert!(
                out.status.code().is_some(),
                "{} {arguments:?}: {} {reported}",
                path.display(),
                out.status
            );
            assert!(!reported.contains("memory allocation"), "{} {arguments:?}: {reported}", path.display());
        }
    }
}

/// The limit does bite: a quarter of a megabyte is not enough for anyone.
#[test]
fn the_limit_is_one() {
    let out = etw(1 << 8, &["dump", "--json"], &common::sample());
    assert!(!out.status.success());
}
