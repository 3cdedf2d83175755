//! Rewriting of expectations: the data-driven tests run with the one switch that makes them write
//! what they got in place of comparing it.

use crate::workspace;
use std::process::Command;

/// The switch. A data-driven test that sees it set to `1` writes its expectation file.
const SWITCH: &str = "TRACEWELL_BLESS";

/// Runs `cargo test` with the switch on; `arguments` narrow it down (`-p tracewell-dlang`).
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let root = workspace::root();
    let mut test = workspace::cargo();
    test.arg("test").current_dir(&root).env(SWITCH, "1");
    if !arguments.iter().any(|argument| argument == "-p" || argument.starts_with("--package")) {
        test.arg("--workspace");
    }
    let outcome =
        test.args(arguments).status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    // Changes are listed even if a test failed, because rewritten files remain.
    let changed = workspace::output(Command::new("git").args(["status", "--short"]).current_dir(&root))?;
    if changed.is_empty() {
        println!("goldens: no file differs from the last commit");
    } else {
        print!("goldens: read the diff of what differs from the last commit\n{changed}");
    }
    if outcome.success() { Ok(()) } else { Err(format!("cargo test failed: {outcome}")) }
}
