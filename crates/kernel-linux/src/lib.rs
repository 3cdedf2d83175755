//! The Linux kernel as a source of kernel events, in the layouts of Windows' kernel.
//!
//! A [`Session`] attaches to what its flags ask for ([`flags`]), and hands out complete records in the form of a
//! trace's buffers, so that every reader of Windows' kernel traces reads them. Programs for the kernel are put together here at run time (eBPF),
//! with the offsets that the kernel's own type description has; performance events add samples and mappings.
//!
//! # Where things are
//!
//! * `table.rs` is the list of sources: flag, tracepoint, program, and the events they become.
//! * `btf.rs`, `asm.rs`, `program.rs`: types, instructions, programs. `maps.rs`, `ring.rs`, `perf.rs`: what the kernel shares.
//! * Tests run these programs without a kernel: `interpreter.rs` executes them, `made_kernel.rs` has types and objects for them.
//! * `limits.rs` says which system calls are logged, and which are counted; `merged.rs` has the counts.
//! * `sample.rs` is what programs write; `translate.rs` makes records of it, without I/O; `out.rs` collects them, their
//!   fields in `payload.rs`.
//! * `tracefs.rs` finds the descriptions of tracepoints; `tracepoint.rs` makes events of their records, and `event_info.rs`
//!   describes these events.
//! * `provider.rs` names the provider of tracepoints. `flags.rs` has the flags, `enabled.rs` the events that they enable, `clock.rs` the time of records.
//! * `twins.rs` makes events of Windows' providers of kernel records; `recast.rs` makes their payloads.
//! * `objects.rs` says whether the kernel still holds a program, map or attachment.
//! * `unwind.rs` goes through copied stacks of programs, by the information in their files, which `whole.rs` finds.
//! * `uprobe.rs` runs a program at places in the code of a process, for other crates.
//! * `deed.rs` has programs send signals to a process.
//! * `threads.rs` stops the threads of another process and sets their registers, for other crates.
//! * `machine.rs` reads files of the system; `addresses.rs` finds the kernel's functions; `session.rs` drives all; `source.rs` offers it to the session daemon; `sys.rs` has the system calls.
//!
//! On other systems the crate has only the names of the flags and of the provider.

#![cfg_attr(not(target_os = "linux"), allow(unused_crate_dependencies))]

#[cfg(target_os = "linux")]
mod addresses;
#[cfg(target_os = "linux")]
mod asm;
#[cfg(target_os = "linux")]
mod btf;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod deed;
#[cfg(target_os = "linux")]
mod enabled;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod event_info;
#[cfg(target_os = "linux")]
mod filter;
pub mod flags;
#[cfg(target_os = "linux")]
mod follow;
#[cfg(all(test, target_os = "linux"))]
mod interpreter;
#[cfg(target_os = "linux")]
mod judged;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(all(test, target_os = "linux"))]
mod made_kernel;
#[cfg(target_os = "linux")]
mod maps;
#[cfg(target_os = "linux")]
mod merged;
#[cfg(target_os = "linux")]
mod needed;
#[cfg(target_os = "linux")]
mod objects;
#[cfg(target_os = "linux")]
mod out;
#[cfg(target_os = "linux")]
mod owner;
#[cfg(target_os = "linux")]
mod page;
#[cfg(target_os = "linux")]
mod payload;
#[cfg(target_os = "linux")]
mod perf;
#[cfg(target_os = "linux")]
mod program;
mod provider;
#[cfg(target_os = "linux")]
mod recast;
#[cfg(target_os = "linux")]
mod ring;
mod rings;
#[cfg(target_os = "linux")]
mod sample;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod source;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod table;
#[cfg(target_os = "linux")]
mod tasks;
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "it states its conditions")]
pub mod threads;
#[cfg(target_os = "linux")]
mod tracefs;
#[cfg(target_os = "linux")]
mod tracepoint;
#[cfg(target_os = "linux")]
mod translate;
#[cfg(target_os = "linux")]
mod twins;
#[cfg(target_os = "linux")]
mod unwind;
#[cfg(target_os = "linux")]
pub mod uprobe;
#[cfg(target_os = "linux")]
mod waiting;
#[cfg(target_os = "linux")]
mod whole;

#[cfg(target_os = "linux")]
pub use calls::{call_names, call_number};
#[cfg(target_os = "linux")]
pub use clock::{Monotonic, RawTime};
#[cfg(target_os = "linux")]
pub use deed::Gate;
#[cfg(target_os = "linux")]
pub use enabled::{events, logs, logs_owned, stack_events};
#[cfg(target_os = "linux")]
pub use error::Error;
#[cfg(target_os = "linux")]
pub use limits::{CallLimit, CallLimits, CallMemory, Limits};
#[cfg(target_os = "linux")]
pub use machine::possible_processors;
#[cfg(target_os = "linux")]
pub use objects::exists;
#[cfg(target_os = "linux")]
pub use page::page;
pub use provider::{PROVIDER, PROVIDER_NAME, providers};
pub use rings::ring_sizes;
#[cfg(target_os = "linux")]
pub use session::{Clock, Loss, Missing, Options, Session, Sink, Totals, Tracing, owned_flags};
#[cfg(target_os = "linux")]
pub use source::KernelSource;
#[cfg(target_os = "linux")]
pub use sys::Object;
#[cfg(target_os = "linux")]
pub use tracepoint::{Tracepoint, tracepoints};
