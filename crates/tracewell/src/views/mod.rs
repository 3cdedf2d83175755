//! Traces as other programs show them: timelines, and captures of packets.
//!
//! The formats are those of the crate `tracewell-export`. Nothing here knows files: output goes to any [`Write`](std::io::Write).

pub mod ended;
pub mod packets;
mod people;
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
