//! Damage in a trace, and losses of the session.

use crate::compress::ExpandError;
use crate::head::RecordFault;
use std::fmt;

/// A stretch of the file that was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file. In an expanded buffer: the offset of the buffer.
    pub offset: u64,
    /// Bytes that were skipped; of an expanded buffer: bytes of the expanded records that were skipped.
    pub length: u64,
    /// Why.
    pub reason: DamageReason,
}

/// Why a stretch of the file was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageReason {
    /// No buffer header that makes sense.
    BufferHeader,
    /// The buffer claims more bytes than the log file header allows. If another buffer begins inside, the part before
    /// that was read.
    BufferSize {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// Another trace with another clock begins here: files were concatenated. Its records were read, but their times were
    /// converted with the first clock and may be wrong; [`Trace::into_sessions`](super::Trace::into_sessions) gives each trace
    /// its own clock. (A trace with the same clock is not damage: see [`Trace::appended`](super::Trace::appended).)
    AnotherTrace,
    /// Bytes that mark the end of the records come before this position; the rest of the buffer was
    /// skipped.
    Filler {
        /// Their offset from the end of the buffer header.
        position: u32,
    },
    /// The buffer goes past the end of the file; what is there of it was read.
    TruncatedBuffer {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// The buffer was cut: another session begins inside it. The part before that was read.
    CutBuffer {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// The same buffer occurs earlier in the file, so all its records are read twice. See
    /// [`Trace::repeated_buffers`](super::Trace::repeated_buffers).
    RepeatedBuffer {
        /// Offset of the other buffer.
        first: u64,
    },
    /// The used bytes end before the buffer header does or after the buffer.
    UsedBytes {
        /// End of the used bytes, as the buffer claims.
        end: u32,
    },
    /// The expanded size is above what any buffer has by the log file header, or above [`Limits`](super::Limits).
    ExpandedSize {
        /// Size after expansion, as the buffer claims.
        size: u32,
    },
    /// Expanding the buffer would take the cursor above [`Limits::expanded_of`](super::Limits::expanded_of). It may be sound.
    ExpandedTotal,
    /// The compressed bytes could not be expanded.
    Compression(ExpandError),
    /// A record is damaged; the rest of its buffer was skipped.
    Record {
        /// Its offset from the end of the buffer header.
        position: u32,
        /// The error in the record.
        fault: RecordFault,
    },
}

impl DamageReason {
    /// Returns `true` if the reader refuses what may be sound, for it would take more memory than its
    /// [`Limits`](super::Limits) allow.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, DamageReason::ExpandedTotal)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: ", self.offset)?;
        match self.length {
            0 => {}
            1 => f.write_str("skipped 1 byte: ")?,
            length => write!(f, "skipped {length} bytes: ")?,
        }
        write!(f, "{}", self.reason)
    }
}

impl fmt::Display for DamageReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DamageReason::BufferHeader => f.write_str("no sound buffer header"),
            DamageReason::BufferSize { size } => {
                write!(f, "the buffer claims {size} bytes, more than any has by the file's header")
            }
            DamageReason::AnotherTrace => f.write_str(
                "another trace begins here, whose times may be wrong: the first one's clock is taken",
            ),
            DamageReason::Filler { position } => {
                write!(f, "the records end at {position} of the buffer, before its used bytes do")
            }
            DamageReason::TruncatedBuffer { size } => {
                write!(f, "the file ends inside a buffer of {size} bytes")
            }
            DamageReason::CutBuffer { size } => {
                write!(f, "another session begins inside a buffer of {size} bytes, which was cut")
            }
            DamageReason::RepeatedBuffer { first } => {
                write!(f, "the buffer at byte {first} is repeated here, with all its records")
            }
            DamageReason::UsedBytes { end } => {
                write!(f, "the buffer claims {end} used bytes, which it cannot have")
            }
            DamageReason::ExpandedSize { size } => {
                write!(f, "the buffer would expand to {size} bytes, more than any has by the file's header")
            }
            DamageReason::ExpandedTotal => f.write_str(
                "left out: in order of time, expanded buffers would take more memory than the limit allows",
            ),
            DamageReason::Compression(error) => write!(f, "{error}"),
            DamageReason::Record { position, fault } => {
                write!(f, "record at {position} of the buffer: {fault}")
            }
        }
    }
}

/// The damage that a reader found. Every skipped byte range is counted; the first ones are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    damage: Vec<Damage>,
    count: u64,
    limited: u64,
    bytes: u64,
}

impl Ledger {
    /// Maximum number of entries that are listed; all are counted.
    pub const LISTED: usize = 1024;

    /// The first [`Ledger::LISTED`] entries.
    #[must_use]
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// Number of all entries.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of entries that are not damage, but a limit of the reader: see
    /// [`DamageReason::is_limit`].
    #[must_use]
    pub fn limited(&self) -> u64 {
        self.limited
    }

    /// Bytes skipped in all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns `true` if everything was understood.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.count == 0
    }

    /// Adds the entries of another ledger.
    pub fn absorb(&mut self, other: &Ledger) {
        let room = Ledger::LISTED - self.damage.len();
        self.damage.extend(other.damage.iter().take(room));
        self.count += other.count;
        self.limited += other.limited;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    /// Adds an entry.
    pub fn push(&mut self, damage: Damage) {
        self.count += 1;
        self.limited += u64::from(damage.reason.is_limit());
        self.bytes = self.bytes.saturating_add(damage.length);
        if self.damage.len() < Ledger::LISTED {
            self.damage.push(damage);
        }
    }

    /// Records that the file continues with another session: the data does not end inside a buffer; another session begins
    /// there.
    pub(crate) fn goes_on(&mut self) {
        for damage in &mut self.damage {
            if let DamageReason::TruncatedBuffer { size } = damage.reason {
                damage.reason = DamageReason::CutBuffer { size };
            }
        }
    }

    #[cold]
    pub(crate) fn enter(&mut self, offset: u64, length: u64, reason: DamageReason) {
        self.push(Damage { offset, length, reason });
    }
}
