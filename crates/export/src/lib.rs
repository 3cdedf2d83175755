//! Output for viewers: folded stacks, flame graphs, heat maps, packet captures, and timelines for well-known viewers.
//!
//! Nothing here depends on traces: callers supply names, times and weights, and get text or bytes.
#![forbid(unsafe_code)]

mod flame;
mod folded;
mod heat;
pub mod pcapng;
pub mod timeline;
mod xml;

pub use flame::{FlameOptions, flame};
pub use folded::Folded;
pub use heat::{HeatMap, HeatOptions, TimeScale};
