//! What the `dtrace` and `etw` commands share. The only crate that prints.
#![forbid(unsafe_code)]
// Printing ends a program whose reader went away: `out` writes.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod account;
pub mod dtrace;
pub mod etw;
pub mod expansion;
pub mod input;
pub mod links;
pub mod out;
pub mod pipe;
pub mod progress;
mod status;
pub mod symbols;
pub mod term;
mod when;

pub use out::write_stdout;
