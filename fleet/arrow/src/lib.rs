//! Event traces of Windows as tables: Arrow record batches, with projection and filters.
//!
//! A [`Source`] is a trace in a file. Its tables are [`events`] with a row for each record, one for each type of event, with
//! typed columns ([`typed`]), and those about processes, threads and others ([`derived`]). A [`Scan`] selects columns, rows and buffers; only what it asks for is decoded.
//!
//! ```no_run
//! use tracewell_arrow::{Scan, Source, events};
//!
//! for source in Source::open("trace.etl".as_ref()) {
//!     let source = source?;
//!     let scan = Scan::of(&["time", "provider", "id"], &events::COLUMNS);
//!     source.events(&scan, &mut |batch| {
//!         assert_eq!(batch.num_columns(), 3);
//!         true
//!     })?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod cells;
pub mod column;
pub mod derived;
mod dictionary;
pub mod events;
pub mod filter;
mod namer;
pub mod page;
mod source;
pub mod typed;

pub use column::{Column, Type};
pub use filter::Filter;
pub use namer::{Namer, Question};
pub use source::{Cursor, Order, Scan, Source};

/// Maximum number of rows in a batch: more would leave the processor's cache, and mean memory from the system for each.
pub const ROWS: usize = 8192;
/// A batch ends early when its texts have this many bytes.
pub const TEXT: usize = 8 << 20;
