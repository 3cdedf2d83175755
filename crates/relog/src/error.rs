//! Common parts of the tools: errors and progress.

use std::fmt;
use std::io;

use tracewell_etl::OpenError;
use tracewell_etl::read::Ledger;
use tracewell_etl::write::WriteError;

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
    /// The input is not a trace.
    Open(OpenError),
    /// The trace whose clock is to be taken counts by another kind of clock than the records.
    OtherClock,
}

impl fmt::Display for RelogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelogError::Io(error) => write!(f, "cannot write the trace: {error}"),
            RelogError::Write(error) => write!(f, "{error}"),
            RelogError::NoInput => f.write_str("no trace given"),
            RelogError::Header => f.write_str("the header buffer of the trace cannot be used"),
            RelogError::Open(error) => write!(f, "{error}"),
            RelogError::OtherClock => f.write_str(
                "the trace whose clock is to be taken has one of another kind: one counts system time, the other does not",
            ),
        }
    }
}

impl std::error::Error for RelogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RelogError::Io(error) => Some(error),
            RelogError::Write(error) => Some(error),
            RelogError::Open(error) => Some(error),
            RelogError::NoInput | RelogError::Header | RelogError::OtherClock => None,
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
pub(crate) fn both(index: &Ledger, records: &Ledger) -> Ledger {
    let mut ledger = index.clone();
    ledger.absorb(records);
    ledger
}
