//! Timelines: what happened when, on which processor and thread, in the formats of well-known viewers.
//!
//! A caller announces processes and threads, then passes one [`Moment`] after another. A [`Timeline`] converts
//! them to bytes at once if its format allows ([`Perfetto`]), or else keeps what the format needs until the end
//! ([`Firefox`], [`Speedscope`]). Times are nanoseconds since the start of the trace. Repeated names are stored
//! once, in [`CallStacks`].
//!
//! No format can hold everything. [`Timeline::moment`] returns whether the format has a place for a moment, so
//! that the caller can report what is missing.

mod firefox;
mod model;
mod perfetto;
mod speedscope;
mod stacks;
mod wire;

/// All formats.
///
/// ```
/// use tracewell_export::timeline::FORMATS;
///
/// assert!(FORMATS.iter().any(|format| format.name == "perfetto"));
/// ```
pub const FORMATS: &[Format] = &[perfetto::FORMAT, firefox::FORMAT, speedscope::FORMAT];

pub use firefox::Firefox;
pub use model::{
    Format, Heading, Lane, Moment, Process, ProcessId, Switch, Thread, ThreadId, Timeline, What,
};
pub use perfetto::Perfetto;
pub use speedscope::Speedscope;
pub use stacks::{CallStacks, FrameId, StackId};
