//! Functions of processes as probes: `pid123:libc.so.6:malloc:entry`.
//!
//! A [`Finder`] reads the programs and libraries of a process and finds the functions that a description matches. A
//! [`Mechanism`] watches them and hands out hits as event records ([`Hits`]), with the payload of [`tracewell_types::hit`].
//! On Linux the mechanism is [`Uprobes`].
//!
//! # Where things are
//!
//! * `modules.rs` lists the programs and libraries of a process; `find.rs` matches descriptions with their functions.
//! * `statics.rs` finds the probes that programs contain (USDT), `operands.rs` reads where their arguments are.
//! * `code.rs` decodes instructions: where they begin, which return, and which the kernel steps through.
//! * `mechanism.rs` has the interface of mechanisms and the records; `uprobes.rs` is that of Linux.

mod code;
mod find;
mod mechanism;
mod modules;
mod operands;
mod statics;
#[cfg(target_os = "linux")]
mod uprobes;

pub use find::{Finder, Found, Site, provider_pid};
pub use mechanism::{Caller, Capture, Hits, Mechanism, Watch};
pub use modules::{Module, mapped, of_command};
pub use statics::owners;
#[cfg(target_os = "linux")]
pub use uprobes::Uprobes;
