//! Views of traces: timelines, captures of packets, images and their symbols, events by type, facts.
//!
//! The formats are those of the crate `tracewell-export`. Nothing here knows files: output goes to any [`Write`](std::io::Write).

pub mod carried;
pub mod counts;
pub mod ended;
pub mod facts;
pub mod images;
pub mod packets;
mod people;
pub mod pictures;
pub mod stack;
pub mod survey;
pub mod timeline;

use tracewell_etl::Trace;

/// The system that a trace was made on.
#[must_use]
pub fn system(trace: &Trace<'_>) -> String {
    let header = trace.header();
    format!("Windows {}.{} build {}", header.version[0], header.version[1], header.build)
}
