//! The first bytes of a record: enough to determine its type, its time and the start of the next
//! record.

use crate::bytes::{i64_at, u16_at};
use crate::def::buffer::RECORD_ALIGNMENT;
use crate::def::event::EventFlags;
use crate::def::record::{
    HeaderKind, HeaderShape, MARKER_MESSAGE, MARKER_TRACE_HEADER, MessageOptions, SHAPES,
};
use crate::wanted::Wanted;
use std::fmt;

/// Why bytes are not a record. Ends the buffer that contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordFault {
    /// Too few bytes to hold the start of any record.
    Cut {
        /// Bytes there are.
        left: usize,
    },
    /// Byte 3 does not carry the trace header mark.
    Marker(u8),
    /// Unknown header type.
    Kind(u8),
    /// The size is below that of the header.
    Short {
        /// Header type.
        kind: HeaderKind,
        /// Size the record claims, in bytes.
        size: u16,
    },
    /// The size goes past the used bytes of the buffer.
    Long {
        /// Header type.
        kind: HeaderKind,
        /// Size the record claims, in bytes.
        size: u16,
        /// Bytes left in the buffer.
        left: usize,
    },
    /// An extended item is cut or has an impossible size.
    Extended,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFault::Cut { left } => write!(f, "{left} bytes cannot hold a record"),
            RecordFault::Marker(byte) => write!(f, "no record starts here (marker byte {byte:#04x})"),
            RecordFault::Kind(kind) => write!(f, "unknown record header type {kind}"),
            RecordFault::Short { kind, size } => {
                write!(f, "{kind} record of {size} bytes is shorter than its header")
            }
            RecordFault::Long { kind, size, left } => {
                write!(f, "{kind} record of {size} bytes goes past the {left} bytes left in its buffer")
            }
            RecordFault::Extended => f.write_str("an extended data item has an impossible size"),
        }
    }
}

impl std::error::Error for RecordFault {}

/// The fields that a cursor needs before it creates a record: enough to order it and to step over
/// it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    pub(crate) time: i64,
    pub(crate) size: u16,
    pub(crate) kind: HeaderKind,
    /// `group << 8 | opcode`; means something for kernel records only.
    pub(crate) hook: u16,
}

impl Head {
    /// Reads the head of the record at the start of `bytes`, which extend to the end of the buffer's used
    /// part.
    ///
    /// A record without a time gets `previous`, the time of the record before it.
    #[inline]
    pub(crate) fn read(bytes: &[u8], previous: i64) -> Result<Head, RecordFault> {
        match bytes.first_chunk() {
            Some(word) => Head::read_from(u64::from_le_bytes(*word), bytes, previous),
            None => Err(RecordFault::Cut { left: bytes.len() }),
        }
    }

    /// As [`Head::read`], when the first 8 of `bytes` have been read as `word` before.
    #[inline]
    pub(crate) fn read_from(word: u64, bytes: &[u8], previous: i64) -> Result<Head, RecordFault> {
        let marker = (word >> 24) as u8;
        if marker & MARKER_TRACE_HEADER == 0 {
            return Err(RecordFault::Marker(marker));
        }
        let kind = if marker & MARKER_MESSAGE == 0 { (word >> 16) as u8 } else { HeaderKind::MESSAGE.0 };
        let shape = shape_of(kind);
        let kind = HeaderKind(kind);
        let size = if shape.size_at == 0 { word as u16 } else { (word >> 32) as u16 };
        if usize::from(size) > bytes.len() || size < u16::from(shape.size) || shape.size == 0 {
            return Err(Head::fault(kind, size, bytes.len()));
        }
        let time = match bytes.get(usize::from(shape.time_at)..).and_then(<[u8]>::first_chunk) {
            Some(b) if shape.time_at != 0 => i64::from_le_bytes(*b),
            _ if kind == HeaderKind::MESSAGE => message_time(&bytes[..usize::from(size)]).unwrap_or(previous),
            _ => previous,
        };
        Ok(Head { time, size, kind, hook: (word >> 48) as u16 })
    }

    /// Returns `true` if the event whose first bytes are `word` has extended items. (Of other records the answer means
    /// nothing.)
    #[inline]
    pub(crate) fn is_extended(word: u64) -> bool {
        matches!(HeaderKind((word >> 16) as u8), HeaderKind::EVENT32 | HeaderKind::EVENT64)
            && EventFlags((word >> 32) as u16).has(EventFlags::EXTENDED_INFO)
    }

    /// Returns the number of bytes to step over for the record whose first bytes are `word`, if it is valid (as
    /// [`Head::read_from`] judges it, with `left` bytes to the end of the used part) and not wanted.
    #[inline]
    pub(crate) fn step_over(word: u64, wanted: &Wanted, left: usize) -> Option<usize> {
        let marker = (word >> 24) as u8;
        if marker & (MARKER_TRACE_HEADER | MARKER_MESSAGE) != MARKER_TRACE_HEADER {
            return None;
        }
        let kind = (word >> 16) as u8;
        let shape = shape_of(kind);
        let size = if shape.size_at == 0 { word as u16 } else { (word >> 32) as u16 };
        let sound = usize::from(size) <= left && size >= u16::from(shape.size) && shape.size != 0;
        (sound && !wanted.has(HeaderKind(kind), (word >> 48) as u16))
            .then_some((usize::from(size) + RECORD_ALIGNMENT - 1) & !(RECORD_ALIGNMENT - 1))
    }

    /// The time of the record that starts in `bytes`, of which only the beginning may be there.
    pub(crate) fn first_time(bytes: &[u8]) -> Option<i64> {
        let &[_, _, kind, marker, ..] = bytes.first_chunk::<8>()?;
        if marker & MARKER_TRACE_HEADER == 0 {
            return None;
        }
        match shape_of(kind).time_at {
            _ if marker & MARKER_MESSAGE != 0 => message_time(bytes),
            0 => None,
            at => i64_at(bytes, at.into()),
        }
    }

    #[cold]
    fn fault(kind: HeaderKind, size: u16, left: usize) -> RecordFault {
        let shape = shape_of(kind.0);
        if shape.size == 0 {
            RecordFault::Kind(kind.0)
        } else if size < u16::from(shape.size) {
            RecordFault::Short { kind, size }
        } else {
            RecordFault::Long { kind, size, left }
        }
    }

    /// Bytes from this record to the next one: the size, rounded up to the alignment.
    #[inline]
    pub(crate) fn step(&self) -> usize {
        (usize::from(self.size) + 7) & !7
    }
}

#[inline]
pub(crate) fn shape_of(kind: u8) -> HeaderShape {
    SHAPES[usize::from(kind)]
}

pub(crate) fn message_time(bytes: &[u8]) -> Option<i64> {
    let options = MessageOptions(u16_at(bytes, 6)?);
    let timed = options.has(MessageOptions::TIMESTAMP) || options.has(MessageOptions::PERFORMANCE_TIMESTAMP);
    if timed { i64_at(bytes, message_part(options, MessageOptions::TIMESTAMP)) } else { None }
}

/// Returns the offset of an optional part of a message record. The bit of the part must be set.
pub(crate) fn message_part(options: MessageOptions, part: MessageOptions) -> usize {
    let mut at = 8;
    let mut step = |before: bool, present: bool, bytes: usize| {
        if before && present {
            at += bytes;
        }
    };
    let guid = options.has(MessageOptions::GUID);
    let timed = options.has(MessageOptions::TIMESTAMP) || options.has(MessageOptions::PERFORMANCE_TIMESTAMP);
    step(part.0 > 0x01, options.has(MessageOptions::SEQUENCE), 4);
    step(part.0 > 0x04, guid, 16);
    step(part.0 > 0x04, !guid && options.has(MessageOptions::COMPONENT_ID), 4);
    step(part.0 > 0x10, timed, 8);
    step(part.0 > 0x20, options.has(MessageOptions::SYSTEM_INFO), 8);
    at
}
