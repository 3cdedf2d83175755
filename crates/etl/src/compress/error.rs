//! Errors in compressed data.

use crate::def::buffer::CompressionFormat;
use std::fmt;

/// Why compressed data could not be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The input ends inside a token; `produced` bytes were written before it.
    Truncated {
        /// Bytes of sound output.
        produced: usize,
    },
    /// A match reaches back before the start of the output.
    BadOffset {
        /// The offset of the match in the output.
        produced: usize,
    },
    /// A length or code that the format forbids.
    BadCode {
        /// The offset of the code in the output.
        produced: usize,
    },
    /// The data expands to more than the output has room for; the output is full of sound bytes.
    TooLong,
    /// The data expands to less than was promised.
    TooShort {
        /// Bytes of sound output.
        produced: usize,
    },
    /// Unknown compression format.
    Format(CompressionFormat),
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpandError::Truncated { produced } => {
                write!(f, "compressed data ends inside a token after {produced} bytes of output")
            }
            ExpandError::BadOffset { produced } => {
                write!(f, "a match reaches before the start of the output at byte {produced}")
            }
            ExpandError::BadCode { produced } => {
                write!(f, "a forbidden length or code at byte {produced} of the output")
            }
            ExpandError::TooLong => f.write_str("compressed data expands to more than its header promises"),
            ExpandError::TooShort { produced } => {
                write!(f, "compressed data expands to {produced} bytes only")
            }
            ExpandError::Format(format) => write!(f, "compression format {format} is not known"),
        }
    }
}

impl std::error::Error for ExpandError {}
