//! Questions in D about traces of Event Tracing for Windows, answered on any system.
//!
//! ```no_run
//! use tracewell::{Script, Traces};
//!
//! let traces = Traces::open("trace.etl")?;
//! let mut text = String::new();
//! let report = Script::new("sched:::on-cpu { @[execname] = count(); }").run(&traces, &mut text)?;
//! for row in report.rows {
//!     println!("{:?} {:?}", row.keys, row.value);
//! }
//! # Ok::<(), tracewell::Error>(())
//! ```
//!
//! [`Traces`] opens files, archives of files, and sessions that were appended to a file. A [`Script`] is compiled for what it
//! runs over: the probes on single events come from the events that the traces hold. A run prints nothing: text goes to a
//! [`Sink`], the aggregations are rows of a [`Report`], and failures are an [`Error`].
//!
//! Records that do not come from files run through [`Script::run_stream`]: implement [`Stream`] for them.
#![forbid(unsafe_code)]

pub mod account;
pub mod answers;
pub mod calls;
pub mod compile;
pub mod descriptions;
pub mod events;
pub mod filter;
pub mod lacks;
pub mod libraries;
pub mod many;
pub mod open;
pub mod personal;
pub mod progress;
mod report;
pub mod restrict;
pub mod run;
mod script;
pub mod scripts;
mod seeds;
pub mod selfdescribed;
mod sink;
pub mod text;
mod traces;
pub mod undecoded;
pub mod views;
pub mod when;

pub use report::{Key, Report, Row, Value};
pub use script::{Error, Script};
#[doc(hidden)]
pub use seeds::Seed;
pub use sink::Sink;
pub use traces::{ProbeName, Traces};
pub use tracewell_dengine::host::Logged;
pub use tracewell_dlang::logged;
pub use tracewell_probes::replay::{
    Arrival, Driver, Learns, LiveProcess, Now, Recording, Setting, Stream, Window,
};

pub use tracewell_decode::Schemas;
pub use tracewell_etl as etl;
