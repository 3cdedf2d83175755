//! Tools on whole trace files: each reads traces and writes one, or says what is in them.
//!
//! * [`verify()`] checks the structure and sums the records up.
//! * [`merge()`] makes one trace of several, [`slice()`] one of a part.
//! * [`compress`](pack::compress) and [`decompress`](pack::decompress) change how buffers are stored.
//! * [`repair()`] drops what is damaged and closes a trace that was never closed.
//! * [`redact()`] blanks chosen text and keeps everything else where it is.
//!
//! All stream: memory does not grow with the trace. What could not be carried over is in the [`Ledger`]
//! of the answer. The crate knows kinds of records by their numbers, and a few payload fields by their place, where a tool cannot
//! do without (see [`known`]); schemas it does not know.

#![forbid(unsafe_code)]

mod buffers;
pub mod known;
mod merge;
pub mod pack;
mod redact;
mod repair;
mod slice;
pub mod verify;

use std::fmt;
use std::io;

use tracewell_etl::read::Ledger;
use tracewell_etl::write::WriteError;

pub use merge::{MergeReport, merge};
pub use redact::{Pattern, RedactReport, Redaction, RedactionError, redact};
pub use repair::{RepairReport, repair};
pub use slice::{Selection, SliceReport, slice};
pub use verify::{Report, verify};

/// Called now and then with how much of the input was read, in bytes.
pub type Progress<'p> = &'p mut dyn FnMut(u64);

/// Why a trace could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum RelogError {
    /// The output failed.
    Io(io::Error),
    /// A record or header could not be written.
    Write(WriteError),
    /// There is no input.
    NoInput,
    /// The header buffer cannot be used.
    Header,
}

impl fmt::Display for RelogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelogError::Io(error) => write!(f, "cannot write the trace: {error}"),
            RelogError::Write(error) => write!(f, "{error}"),
            RelogError::NoInput => f.write_str("there is no trace to read"),
            RelogError::Header => f.write_str("the header buffer of the trace cannot be used"),
        }
    }
}

impl std::error::Error for RelogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RelogError::Io(error) => Some(error),
            RelogError::Write(error) => Some(error),
            RelogError::NoInput | RelogError::Header => None,
        }
    }
}

impl From<io::Error> for RelogError {
    fn from(error: io::Error) -> RelogError {
        RelogError::Io(error)
    }
}

impl From<WriteError> for RelogError {
    fn from(error: WriteError) -> RelogError {
        RelogError::Write(error)
    }
}

/// The ledger of the index and that of the records, as one.
fn both(index: &Ledger, records: &Ledger) -> Ledger {
    let mut ledger = index.clone();
    ledger.absorb(records);
    ledger
}
