#![doc = include_str!("../README.md")]
//!
//! # Where things are
//!
//! * [`def`] says what lies where in a file; it has no behaviour.
//! * [`read`] opens a trace that is in memory (or mapped, see [`map`]) and walks its records; [`StreamReader`] does the same for
//!   input that cannot seek.
//! * [`mod@write`] makes traces, with the same definitions.
//! * [`compress`] holds the compression formats the buffers of a trace may use.
//!
//! The reader and the writer are siblings over [`def`]. That a schema, a field name or a meaning of an event never enters this
//! crate keeps it small.

#![deny(unsafe_code)]

mod bytes;
mod clock;
pub mod compress;
pub mod def;
mod head;
pub mod map;
mod memory;
pub mod read;
mod readings;
mod record;
mod wanted;
pub mod write;

pub use clock::Clock;
pub use def::record::HeaderKind;
pub use head::RecordFault;
pub use map::Mapping;
pub use read::{ByTime, FileOrder, LogFileHeader, Merge, OpenError, StreamReader, Trace};
pub use readings::{Readable, Readings};
pub use record::{ExtendedItem, ExtendedItems, Identity, Reading, Record};
// The types of values in records and headers, re-exported so that users need only this crate.
pub use tracewell_types::{FileTime, Guid};
