//! Makes trace files.
//!
//! [`TraceWriter`] fills one buffer per processor with records and writes each when it is full, as a session does.
//! The same records given in the same order always make the same bytes.

mod buffer;
mod config;
mod error;
mod header;
mod records;
mod writer;

pub use buffer::BufferHeader;
pub use config::{TIMER_RESOLUTION, TraceConfig};
pub use error::WriteError;
pub use records::{Event, Full, Instance, Message, PerfInfo, PointerSize, System};
pub use writer::TraceWriter;
