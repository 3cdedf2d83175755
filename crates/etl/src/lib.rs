//! The `.etl` trace file format: definitions, reader, writer, compression, time order. Knows no schemas.
//!
//! An `.etl` file is a list of buffers, each written by one processor, each holding event records. This crate
//! turns the bytes into [`Record`]s, in file order or merged by time, and writes such files.
//!
//! * [`def`] says what lies where; it has no behaviour.
//! * [`read`] opens a trace that is in memory (or mapped, see [`map`]) and walks its records without copying;
//!   [`read::StreamReader`] does the same for input that cannot seek.
//! * [`mod@write`] makes traces, with the same definitions.
//! * [`compress`] holds the compression formats the buffers of a trace may use.
//!
//! ```
//! use std::io::Cursor;
//! use tracewell_etl::write::{System, TraceConfig, TraceWriter};
//! use tracewell_etl::{Identity, Trace};
//! use tracewell_types::FileTime;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut writer = TraceWriter::new(Cursor::new(Vec::new()), TraceConfig::default())?;
//! for (cpu, time) in [(0, 20), (1, 10)] {
//!     let header = System { time, group: 5, opcode: 36, ..System::default() };
//!     writer.system(cpu, &header, b"payload")?;
//! }
//! let file = writer.finish(FileTime::ZERO)?.into_inner();
//!
//! let trace = Trace::open(&file)?;
//! let mut records = trace.by_time();
//! let mut seen = Vec::new();
//! while let Some(record) = records.next() {
//!     if let Identity::Kernel { group: 5, opcode: 36 } = record.identity() {
//!         seen.push((record.cpu(), trace.clock().unix_ns(record.time())));
//!     }
//! }
//! assert_eq!(seen, [(1, 1_000), (0, 2_000)]);
//! assert!(trace.ledger().is_clean() && records.ledger().is_clean());
//! # Ok(())
//! # }
//! ```
//!
//! Input is taken to be hostile: nothing here panics on it or allocates by what it claims, and whatever was
//! not understood is counted in a [`read::Ledger`]. The invariant that a schema, a field name or a
//! meaning of an event never enters this crate keeps it small.

#![deny(unsafe_code)]

mod bytes;
mod clock;
pub mod compress;
pub mod def;
pub mod map;
mod memory;
pub mod read;
mod record;
pub mod write;

pub use clock::Clock;
pub use def::record::HeaderKind;
pub use read::{ByTime, FileOrder, LogFileHeader, Merge, OpenError, Trace};
pub use record::{ExtendedItem, ExtendedItems, Identity, Record, RecordFault};
