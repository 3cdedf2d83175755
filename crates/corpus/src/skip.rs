//! Early returns of tests, reported by name.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs::OpenOptions;
use std::io::Write;

/// The environment variable that names the file to which every skip appends a line.
pub const SKIPS: &str = "TRACEWELL_SKIPS";

/// Reports that the running test, or a part of it, returns early because this machine lacks something.
///
/// `need` is what is missing, as `.ci/run` names it (`real-traces`, `chromium`, `root`, ...); `why` says what to do
/// about it. The report goes to the error output and, where [`SKIPS`] names a file, to that file as one line of
/// `TEST`, `NEED` and `WHY`, separated by tabs. `.ci/run` fails on each skip whose need the machine can satisfy.
///
/// # Panics
///
/// If the file cannot be written: an unseen skip is worse than a failed test.
pub fn skip(need: &str, why: &str) {
    let test = running_test();
    eprintln!("SKIPPED {test}: needs {need}: {why}");
    if let Some(path) = std::env::var_os(SKIPS) {
        let line = format!("{test}\t{need}\t{}\n", why.replace(['\t', '\n'], " "));
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Reports with [`skip`], and returns `true`, if this process has other ids than those that the kernel logs: it is in a PID namespace.
#[must_use]
pub fn has_other_ids() -> bool {
    // The kernel gives this number to the first namespace.
    const FIRST: &str = "pid:[4026531836]";
    let others = std::fs::read_link("/proc/self/ns/pid").is_ok_and(|space| space.as_os_str() != FIRST);
    if others {
        skip("the first PID namespace", "the kernel logs the ids of the first PID namespace");
    }
    others
}

/// The name of the running test: program and function.
fn running_test() -> String {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy());
    // Without the hash that cargo appends.
    let program = program.as_deref().map(|stem| stem.rsplit_once('-').map_or(stem, |(name, _)| name));
    // The thread of a test has its name, unless the runner has one process for each test.
    let test = std::env::var("NEXTEST_TEST_NAME").ok();
    let test = test.or_else(|| std::thread::current().name().map(str::to_owned));
    format!("{}::{}", program.unwrap_or("?"), test.as_deref().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Issue 23: early returns were printed where the test runner swallowed them.
    #[test]
    fn issue_23_a_skip_is_written_with_its_test_and_need() {
        let folder = crate::Scratch::new("skips");
        let list = folder.join("list");
        // The variable is for this process alone, so a child skips.
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "skip::tests::a_child_that_skips", "--ignored"])
            .env(SKIPS, &list)
            .env_remove("NEXTEST_TEST_NAME")
            .output()
            .unwrap();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        let lines = std::fs::read_to_string(list).unwrap();
        let fields: Vec<&str> = lines.trim_end().split('\t').collect();
        assert_eq!(fields[1..], ["a-need", "a reason on two lines"], "{lines:?}");
        assert!(fields[0].starts_with("tracewell_corpus::"), "{lines:?}");
        assert_eq!(lines.lines().count(), 1);
    }

    #[test]
    #[ignore = "run by the test above, in a separate process"]
    fn a_child_that_skips() {
        skip("a-need", "a reason\non two lines");
    }
}
