//! Standard output: written in one place, so that what could not be written is noticed and ends the command so.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Mutex;

/// Why output was lost: the first error. One for the process, as standard output is.
static FAILED: Mutex<Option<String>> = Mutex::new(None);

/// Writes to standard output. That it fails is kept for [`ended`]; a reader that went away is no failure.
pub fn write_stdout(text: &str) {
    if let Err(error) = io::stdout().write_all(text.as_bytes()) {
        note(&error);
    }
}

/// Notes that output could not be written, wherever it went. A reader that went away is no failure.
pub fn note(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        return;
    }
    if let Ok(mut failed) = FAILED.lock() {
        failed.get_or_insert_with(|| crate::input::reason(error));
    }
}

/// Ends a command: hands on what is buffered, and if any output was lost says so and answers status 1 in place of `status`.
#[must_use]
pub fn ended(command: &str, status: ExitCode) -> ExitCode {
    if let Err(error) = io::stdout().flush() {
        note(&error);
    }
    match FAILED.lock().ok().and_then(|mut failed| failed.take()) {
        Some(reason) => {
            eprintln!("{command}: cannot write the output: {reason}");
            ExitCode::FAILURE
        }
        None => status,
    }
}
