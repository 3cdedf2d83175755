//! What was not understood, and what the session itself lost.

use crate::compress::ExpandError;
use crate::head::RecordFault;
use std::fmt;

/// A stretch of the file that was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where it starts in the file. In an expanded buffer: where the buffer starts.
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
    /// The buffer claims more bytes than any has by the log file header. Where another buffer begins inside, what stands
    /// before that one was read.
    BufferSize {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// Another trace begins here, of another clock: files were put together. Its records were read, but their times are told by
    /// the first one's clock, which may be wrong: [`Trace::into_sessions`](super::Trace::into_sessions) gives each its own. (One that
    /// counts by the same clock is no damage: see [`Trace::appended`](super::Trace::appended).)
    AnotherTrace,
    /// Bytes that mark the end of the records stand before it; what follows them in the buffer was skipped.
    Filler {
        /// Where they stand, counted from the end of the buffer header.
        position: u32,
    },
    /// The buffer goes past the end of the file; what is there of it was read.
    TruncatedBuffer {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// The buffer was cut: another session begins inside it. What stands before that one was read.
    CutBuffer {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// The same buffer stands in the file before: all its records are read twice. See
    /// [`Trace::repeated_buffers`](super::Trace::repeated_buffers).
    RepeatedBuffer {
        /// Where the other one starts.
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
        /// Where it stands, counted from the end of the buffer header.
        position: u32,
        /// What is wrong with it.
        fault: RecordFault,
    },
}

impl DamageReason {
    /// Whether the reader refuses what may be sound, for it would take more memory than its [`Limits`](super::Limits) allow.
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
                write!(f, "the buffer that stands at byte {first} is here again, with all its records")
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

/// What a reader did not understand. Every skipped byte range is counted; the first ones are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    damage: Vec<Damage>,
    count: u64,
    limited: u64,
    bytes: u64,
}

impl Ledger {
    /// So many entries are listed one by one; the counters go on.
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

    /// How many of the entries are no damage, but a limit of the reader's: see [`DamageReason::is_limit`].
    #[must_use]
    pub fn limited(&self) -> u64 {
        self.limited
    }

    /// Bytes skipped in all.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether everything was understood.
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

    /// What was read goes on in the file, with another session: it does not end inside a buffer, but that one begins there.
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
