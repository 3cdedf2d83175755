//! The first bytes of a record: enough to determine its type, its time and the start of the next
//! record.

use crate::bytes::{i64_at, u16_at};
use crate::def::buffer::RECORD_ALIGNMENT;
use crate::def::event::EventFlags;
use crate::def::record::{
    HeaderKind, HeaderShape, MARKER_MESSAGE, MARKER_TRACE_HEADER, MessageOptions, SHAPES,
};
use crate::wanted::Choice;
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
        let size = size_in(word, shape);
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
    #[inline(always)]
    pub(crate) fn step_over(word: u64, wanted: &Choice, left: usize) -> Option<usize> {
        let (size, sound) = Head::size_of(word, left)?;
        // One jump for both, because this is asked for every record of a trace.
        (sound && !wanted.has(HeaderKind((word >> 16) as u8), (word >> 48) as u16)).then_some(step(size))
    }

    /// The size of the record whose first bytes are `word`, with `left` bytes to the end of the used part. [`None`] if
    /// it is invalid or a trace message.
    #[inline]
    pub(crate) fn sound_size(word: u64, left: usize) -> Option<u16> {
        Head::size_of(word, left).and_then(|(size, sound)| sound.then_some(size))
    }

    /// The size, and whether it is valid; [`None`] for a trace message and where no record is.
    #[inline(always)]
    fn size_of(word: u64, left: usize) -> Option<(u16, bool)> {
        let marker = (word >> 24) as u8;
        if marker & (MARKER_TRACE_HEADER | MARKER_MESSAGE) != MARKER_TRACE_HEADER {
            return None;
        }
        let shape = shape_of((word >> 16) as u8);
        let size = size_in(word, shape);
        let sound = usize::from(size) <= left && size >= u16::from(shape.size) && shape.size != 0;
        Some((size, sound))
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
        step(self.size)
    }
}

/// Bytes from a record of this size to the next one.
#[inline(always)]
pub(crate) fn step(size: u16) -> usize {
    (usize::from(size) + RECORD_ALIGNMENT - 1) & !(RECORD_ALIGNMENT - 1)
}

/// The size that the first bytes of a record say. The address of the next record depends on it, so it is chosen by a jump, which
/// the processor foresees, and not by a value, for which it would wait.
#[inline(always)]
fn size_in(word: u64, shape: HeaderShape) -> u16 {
    if shape.size_at == 0 {
        std::hint::cold_path();
        return word as u16;
    }
    (word >> 32) as u16
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wanted::Wanted;

    #[test]
    fn a_record_is_stepped_over_as_it_is_read() {
        let mut wanted = Wanted::nothing();
        let mut others = Wanted::nothing();
        (others.others, others.events, others.classes, others.named) = (true, true, true, true);
        others.add_hook(0x0506);
        wanted.add_hook(0x0507);
        let (wanted, others) = (Choice::of(wanted), Choice::of(others));
        let known = (0..=u8::MAX).filter(|kind| shape_of(*kind).size != 0);
        let mut read = 0;
        for kind in known.chain([0, 200]) {
            let shape = shape_of(kind);
            let own = u16::from(shape.size);
            for size in [0, own.saturating_sub(1), own, own + 1, own + 8, 150, 200, 201] {
                // The size is in one of two places; the other has one that would also be valid.
                let mut bytes = [0; 200];
                bytes[..2].copy_from_slice(&(own + 16).to_le_bytes());
                bytes[2..4].copy_from_slice(&[kind, MARKER_TRACE_HEADER]);
                bytes[4..6].copy_from_slice(&(own + 32).to_le_bytes());
                let at = usize::from(shape.size_at);
                bytes[at..at + 2].copy_from_slice(&size.to_le_bytes());
                bytes[6..8].copy_from_slice(&0x0506_u16.to_le_bytes());
                let word = u64::from_le_bytes(*bytes.first_chunk().unwrap());
                let head = Head::read(&bytes, 7);
                assert_eq!(
                    Head::step_over(word, &wanted, 200),
                    head.ok().map(|head| head.step()),
                    "{kind} {size}"
                );
                assert_eq!(Head::step_over(word, &others, 200), None, "{kind} {size}");
                let sound = (own..=200).contains(&size) && own != 0;
                assert_eq!(head.map(|head| (head.size, head.hook)).ok(), sound.then_some((size, 0x0506)));
                read += usize::from(sound);
            }
            let message = u64::from(MARKER_TRACE_HEADER | MARKER_MESSAGE) << 24 | 80 << 32 | 80;
            assert_eq!(Head::step_over(message, &wanted, 200), None);
            assert_eq!(Head::step_over(message & !(0xFF << 24), &wanted, 200), None);
        }
        assert!(read > 60, "{read}");
    }

    #[test]
    fn faults_have_reasons() {
        let of = |size: u16, kind: HeaderKind, marker: u8, bytes: usize| {
            let mut record = [0; 100];
            record[..2].copy_from_slice(&size.to_le_bytes());
            record[2..4].copy_from_slice(&[kind.0, marker]);
            Head::read(&record[..bytes], 0).map(|head| head.size).map_err(|fault| fault.to_string())
        };
        let err = |text: &str| Err(text.to_owned());
        let plain = MARKER_TRACE_HEADER;
        assert_eq!(of(80, HeaderKind::EVENT64, plain, 80), Ok(80));
        assert_eq!(of(80, HeaderKind::EVENT64, plain, 7), err("7 bytes cannot hold a record"));
        assert_eq!(of(80, HeaderKind::EVENT64, 0x40, 80), err("no record starts here (marker byte 0x40)"));
        assert_eq!(of(80, HeaderKind(99), plain, 80), err("unknown record header type 99"));
        let [short, long] = [of(79, HeaderKind::EVENT64, plain, 80), of(81, HeaderKind::EVENT64, plain, 80)]
            .map(Result::unwrap_err);
        assert!(short.ends_with(" record of 79 bytes is shorter than its header"), "{short}");
        assert!(long.ends_with(" record of 81 bytes goes past the 80 bytes left in its buffer"), "{long}");
    }

    #[test]
    fn parts_of_messages_are_where_the_parts_before_them_end() {
        type Options = MessageOptions;
        let parts = [
            (Options::SEQUENCE, 4),
            (Options::GUID, 16),
            (Options::COMPONENT_ID, 4),
            (Options::TIMESTAMP, 8),
            (Options::SYSTEM_INFO, 8),
        ];
        for bits in 0..1 << parts.len() {
            let there = |at: usize| bits >> at & 1 != 0;
            let options = MessageOptions((0..5).filter(|at| there(*at)).map(|at| parts[at].0.0).sum());
            let mut end = 8;
            for (at, (part, size)) in parts.into_iter().enumerate() {
                // The GUID takes the place of the component id.
                if there(at) && !(part == Options::COMPONENT_ID && there(1)) {
                    assert_eq!(message_part(options, part), end, "{options:?} {part:?}");
                    end += size;
                }
            }
            let mut bytes = [0; 64];
            bytes[6..8].copy_from_slice(&options.0.to_le_bytes());
            for (at, byte) in bytes.iter_mut().enumerate().skip(8) {
                *byte = at as u8;
            }
            let time = there(3).then(|| i64_at(&bytes, message_part(options, Options::TIMESTAMP)).unwrap());
            assert_eq!(message_time(&bytes), time);
        }
    }
}
