//! What can be wrong with a payload.

use std::fmt;

/// A payload that does not follow its layout: where decoding stopped, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The index of the field in the layout.
    pub field: usize,
    /// The offset in the payload at which that field starts.
    pub offset: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// Why a field cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The payload ends before the field does.
    Truncated,
    /// The bytes are no security identifier.
    BadSid,
    /// An array has elements that take up no bytes, or structs nest too deep.
    Degenerate,
    /// The layout refers to a field that does not hold a length.
    BadReference,
    /// The payload cannot be what the layout says, which is from public collections: another build of Windows has other
    /// fields. None of them is read.
    Unfit,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            Problem::Truncated => "the payload ends inside",
            Problem::BadSid => "there is no security identifier in",
            Problem::Degenerate => "nothing can be counted in",
            Problem::BadReference => "the length is unknown of",
            Problem::Unfit => {
                return f.write_str(
                    "the payload does not fit the layout that public collections have for this version of the event",
                );
            }
        };
        write!(f, "{problem} field {} at byte {}", self.field, self.offset)
    }
}

impl std::error::Error for DecodeError {}
