//! Why a trace could not be written.

use crate::def::buffer::CompressionFormat;
use crate::head::RecordFault;
use std::fmt;
use std::io;

/// Why a trace could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The sink failed.
    Io(io::Error),
    /// A record is longer than its size field or a buffer can hold.
    RecordTooLong {
        /// Bytes of the record.
        size: usize,
        /// Most bytes a record can have here.
        limit: usize,
    },
    /// Bytes given as a record are none.
    Record(RecordFault),
    /// The buffer size is no multiple of 8 or does not hold the log file header.
    BufferSize(u32),
    /// Buffers cannot be written in that compression format.
    Compression(CompressionFormat),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Io(error) => write!(f, "cannot write the trace: {error}"),
            WriteError::RecordTooLong { size, limit } => {
                write!(f, "a record of {size} bytes is longer than the {limit} bytes a buffer can hold")
            }
            WriteError::Record(fault) => write!(f, "these bytes are no record: {fault}"),
            WriteError::BufferSize(size) => write!(f, "buffers cannot have {size} bytes"),
            WriteError::Compression(format) => write!(f, "cannot write buffers in format {format}"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            WriteError::Io(error) => Some(error),
            WriteError::Record(fault) => Some(fault),
            _ => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError::Io(error)
    }
}
