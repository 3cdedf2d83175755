//! Timelines: what happened when, on which processor and thread, in the formats of well-known viewers.
//!
//! A caller announces processes and threads, then tells one [`Moment`] after the other. A [`Timeline`] turns
//! them into bytes at once where its format allows ([`Perfetto`]), else keeps what the format needs until
//! the end ([`Firefox`], [`Speedscope`]). Times are nanoseconds since the start of the trace. Names that stand
//! again and again are kept once, in [`CallStacks`].
//!
//! No format holds everything; [`Timeline::moment`] answers whether a moment found its place, so that the caller
//! can say what is missing.

mod firefox;
mod model;
mod perfetto;
mod speedscope;
mod stacks;
mod wire;

pub use firefox::Firefox;
pub use model::{Heading, Lane, Moment, Process, ProcessId, Switch, Thread, ThreadId, Timeline, What};
pub use perfetto::Perfetto;
pub use speedscope::Speedscope;
pub use stacks::{CallStacks, FrameId, StackId};
