//! Functions of processes as probes: `pid123:libc.so.6:malloc:entry`.
//!
//! A [`Finder`] reads the programs and libraries of a process and finds the functions that a description matches. A
//! [`Mechanism`] watches them and hands out hits as event records ([`Hits`]), with the payload of [`tracewell_types::hit`].
//! On Linux the mechanisms are `Uprobes` (the kernel) and `Hooks` (the process itself, `fpid`).
//!
//! # Where things are
//!
//! * `modules.rs` lists the programs and libraries of a process; `find.rs` matches descriptions with their functions.
//! * `statics.rs` finds the probes that programs contain (USDT), `operands.rs` reads where their arguments are.
//! * `code.rs` decodes instructions: where they begin, which return, and which the kernel steps through.
//! * `moved.rs` moves the first instructions of functions to make room for hooks.
//! * `mechanism.rs` has the interface of mechanisms and the records; `uprobes.rs` and `hooks` are those of Linux.
#![forbid(unsafe_code)]

mod code;
mod find;
#[cfg(test)]
mod find_tests;
#[cfg(target_os = "linux")]
mod hooks;
#[cfg(test)]
mod made;
mod mechanism;
mod modules;
mod moved;
mod operands;
mod statics;
#[cfg(target_os = "linux")]
mod uprobes;

pub use find::{Fault, Finder, Found, Refusal, Site, Way, provider_pid};
#[cfg(target_os = "linux")]
pub use hooks::{Hooks, Injection, Running};
pub use mechanism::{Caller, Capture, Hits, HookWatch, Loader, Mapped, Mechanism, Watch};
pub use modules::{Module, mapped, of_command};
pub use statics::owners;
#[cfg(target_os = "linux")]
pub use uprobes::Uprobes;
