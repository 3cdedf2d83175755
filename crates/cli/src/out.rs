//! Writes to standard output and standard error. A failed write to standard output ends the command with that error. A
//! failed write to standard error is ignored, because there is nowhere else to report it.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use crate::status;
use crate::term::{Style, for_terminal, printable};

/// Why output was lost: the first error. One for the process, as standard output is.
static FAILED: Mutex<Option<String>> = Mutex::new(None);

/// Trace files that became shorter while they were read.
static CUT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Writes to standard output. That it fails is kept for [`ended`]; a reader that went away is no failure.
///
/// What acts on a terminal is escaped, wherever the text goes: see [`for_terminal`].
pub fn write_stdout(text: &str) {
    write_bytes(for_terminal(text, Style::stdout().is_on()).as_bytes());
}

/// The same for what is exactly as it should be: bytes, or text that is escaped already.
pub fn write_bytes(bytes: &[u8]) {
    if let Err(error) = io::stdout().write_all(bytes) {
        note(&error);
    }
}

/// Writes a file to standard output: byte by byte, except to a terminal, which shows it as escaped text. UTF-16 begins with its
/// mark.
pub fn write_file(bytes: &[u8]) {
    if !io::stdout().is_terminal() {
        return write_bytes(bytes);
    }
    match bytes.strip_prefix(b"\xFF\xFE") {
        Some(wide) => {
            let units = wide.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
            write_stdout(&char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect::<String>());
        }
        None => write_stdout(&String::from_utf8_lossy(bytes)),
    }
}

/// Writes to standard error in one piece, escaped as by [`write_stdout`]. If its reader is gone, the command continues.
pub fn write_stderr(text: &str) {
    // What went wrong with it would have to be said there.
    let _ = io::stderr().write_all(for_terminal(text, Style::stderr().is_on()).as_bytes());
}

/// Writes a line to standard error; see [`say!`].
pub(crate) fn say_line(line: fmt::Arguments<'_>) {
    write_stderr(&format!("{line}\n"));
}

/// Says a line on standard error, with the arguments of `format!`. Unlike `eprintln!` it outlives who reads it.
macro_rules! say {
    ($($argument:tt)*) => {
        $crate::out::say_line(format_args!($($argument)*))
    };
}
pub(crate) use say;

/// Notes that output could not be written, wherever it went. A reader that went away is no failure.
pub fn note(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        return;
    }
    if let Ok(mut failed) = FAILED.lock() {
        failed.get_or_insert_with(|| tracewell::open::reason(error));
    }
}

/// Notes a trace file that became shorter while it was read, for [`ended`].
pub(crate) fn note_cut(path: &Path) {
    if let Ok(mut cut) = CUT.lock()
        && !cut.iter().any(|known| known == path)
    {
        cut.push(path.to_owned());
    }
}

/// Ends a command: hands on what is buffered, and if any output was lost says so and answers status 1 in place of `status`.
/// If an input became shorter while it was read, says so and answers status 3.
#[must_use]
pub fn ended(command: &str, status: ExitCode) -> ExitCode {
    if let Err(error) = io::stdout().flush() {
        note(&error);
    }
    match FAILED.lock().ok().and_then(|mut failed| failed.take()) {
        Some(reason) => {
            say!("{command}: cannot write the output: {reason}");
            ExitCode::FAILURE
        }
        None => match CUT.lock().map(|mut cut| std::mem::take(&mut *cut)) {
            Ok(cut) if !cut.is_empty() => {
                for path in cut {
                    let path = printable(&path.display().to_string());
                    say!(
                        "{command}: {path} became shorter while it was read: what lay behind its new end is missing"
                    );
                }
                ExitCode::from(status::CUT)
            }
            _ => status,
        },
    }
}
