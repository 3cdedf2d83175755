#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod flame;
mod folded;
mod heat;
pub mod pcapng;
pub mod timeline;
mod xml;

pub use flame::{FlameOptions, flame, flame_difference};
pub use folded::{Folded, Frame, Kind};
pub use heat::{HeatMap, HeatOptions, TimeScale};
