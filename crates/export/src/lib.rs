//! What traces tell, in forms that people look at: folded stacks, flame graphs, heat maps, captures of packets, and timelines for
//! well-known viewers.
//!
//! Nothing here knows traces: callers bring names, times and weights, and get text or bytes.
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
