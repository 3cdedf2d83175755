//! Prints what is missing from traces. All commands do so in the same lines.

use std::path::Path;

use tracewell::account::Account;

use crate::input::TraceFile;
use crate::out::say;
use crate::term::{Style, printable};

/// Reports for each file what is missing from it.
pub fn say(command: &str, files: &[TraceFile], accounts: &[Account]) {
    for (file, account) in files.iter().zip(accounts) {
        say_file(account, command, &file.path);
    }
}

/// Reports what is missing from a file.
pub fn say_file(account: &Account, command: &str, file: &Path) {
    let style = Style::stderr();
    for line in account.lines() {
        let line = format!("{command}: {}: {line}", printable(&file.display().to_string()));
        say!("{}", style.yellow(&line));
    }
}
