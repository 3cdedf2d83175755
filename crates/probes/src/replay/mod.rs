//! From the records of a feed, in time order, to firings.
//!
//! [`run`] is the only loop. A record is first looked up by what it is (one load for kernel records, one hash for the rest); only
//! records that an enabled probe wants, or that move the timeline, are looked into. What a run takes its records from is a
//! [`Feed`]: [`Files`] merges traces about which passes have collected everything before, [`Learning`] takes any [`Stream`] of
//! batches and learns as it goes, and [`Recording`] is such a stream of a trace file.

mod attached;
mod call_functions;
mod clock;
mod counters;
mod counts;
mod diag;
mod dispatch;
mod feed;
mod files;
mod fire;
mod firing;
mod io_waits;
mod layouts;
mod live;
mod outcome;
mod recording;
mod run;
mod spans;
mod strays;
mod survey;
mod ticks;
mod transfers;
mod typed;
mod waits;

pub use crate::myself::{Myself, StartMemory};
pub use counts::EventCounts;
pub use feed::{Driver, Feed, Next, Now, Records, Setting, SourceClock, Stretch, SymbolsOf, Window, World};
pub use files::{Files, Surveyed};
pub use live::{
    Arrival, Learning, Learns, Listed, LiveProcess, Needed, NeededCall, NeededCalls, NeededCounters,
    NeededMemory, NeededProvider, NeededSystem, ShortForms, Source, Stream, kernel_events, needed,
    only_counts, source_of,
};
pub use outcome::Outcome;
pub use recording::Recording;
pub use run::{Question, run};
pub use survey::takes_stacks;
pub use survey::{needs, stacks, survey, survey_all};
