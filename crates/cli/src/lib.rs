//! What the `dtrace` and `etw` commands share. The only crate that prints.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the crate that prints")]

pub mod dtrace;
pub mod etw;
pub mod input;
pub mod pipe;
pub mod progress;
pub mod selfdescribed;
pub mod symbols;
pub mod term;

/// Writes to standard output; a reader that went away is no error.
pub fn write_stdout(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
