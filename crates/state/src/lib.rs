//! The machine over time, as a trace describes it: processes, threads, images, files.
//!
//! A trace contains many facts late: the names of processes and files are often at its end. So there are two
//! passes. The first, in file order, passes every record to a [`MachineBuilder`], which only processes the rare
//! events that define something, and returns a [`Machine`]: tables whose entries each apply to a span of time. The
//! second, in time order, drives a [`Timeline`], which tracks the thread on each processor and determines
//! [who](Timeline::who) an event belongs to.
//!
//! ```no_run
//! use tracewell_etl::Trace;
//! use tracewell_state::{MachineBuilder, Timeline};
//!
//! # fn samples_by_process(trace: &Trace<'_>) {
//! let mut builder = MachineBuilder::new();
//! let mut records = trace.file_order();
//! while let Some(record) = records.next() {
//!     builder.observe(&record);
//! }
//! let machine = builder.finish();
//!
//! let mut timeline = Timeline::new(&machine);
//! let mut records = trace.by_time();
//! while let Some(record) = records.next() {
//!     timeline.apply(&record);
//!     if let Some(process) = timeline.who(&record).process.and_then(|at| machine.process(at)) {
//!         let name = machine.name(process.value.image_lower);
//!         // ... count by name ...
//!         # let _ = name;
//!     }
//! }
//! # }
//! ```
//!
//! Nothing is made up: what the trace does not contain is `None`, never a placeholder. Memory is bounded
//! by the events that define something, and the second pass does not allocate per event.
#![forbid(unsafe_code)]

mod actor;
mod builder;
mod files;
mod images;
mod machine;
mod methods;
mod names;
pub mod pairs;
mod processes;
mod reader;
mod spans;
mod stacks;
mod threads;
mod timeline;
mod volumes;

pub use builder::{MachineBuilder, Needs};
pub use files::FileName;
pub use images::{Image, ImageIdentity};
pub use machine::Machine;
pub use methods::{Method, Methods};
pub use names::{NameId, Names};
pub use processes::{Process, ProcessIndex};
pub use spans::{FOREVER, ONCE, Span};
pub use stacks::{Half, Late, StackBuilder, StackCounts, StackRef, StackSource, Stacks, extended_frames};
pub use threads::{Thread, ThreadIndex};
pub use timeline::{Scheduling, Suspended, Switch, ThreadRef, Timeline, Who};
pub use volumes::Volumes;
