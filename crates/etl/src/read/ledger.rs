//! What was not understood, and what the session itself lost.

use crate::compress::ExpandError;
use crate::def::buffer::BufferFlags;
use crate::def::logfile::LogFileMode;
use crate::read::buffers::BufferInfo;
use crate::read::header::LogFileHeader;
use crate::record::{Record, RecordFault};
use std::fmt;
use tracewell_types::Guid;

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
pub enum DamageReason {
    /// No buffer header that makes sense.
    BufferHeader,
    /// The buffer claims more bytes than any has by the log file header. Where another buffer begins inside, what stands
    /// before that one was read.
    BufferSize {
        /// Bytes the buffer claims.
        size: u32,
    },
    /// Another trace begins here: files were put together. Its records were read, but their times are told by the first
    /// one's clock, which may be wrong.
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
    /// The used bytes end before the buffer header does or after the buffer.
    UsedBytes {
        /// End of the used bytes, as the buffer claims.
        end: u32,
    },
    /// The expanded size is above [`Limits`](super::Limits).
    ExpandedSize {
        /// Size after expansion, as the buffer claims.
        size: u32,
    },
    /// Expanding the buffer would take the cursor above [`Limits::expanded`](super::Limits::expanded).
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
            DamageReason::UsedBytes { end } => {
                write!(f, "the buffer claims {end} used bytes, which it cannot have")
            }
            DamageReason::ExpandedSize { size } => {
                write!(f, "the buffer would expand to {size} bytes, above the limit")
            }
            DamageReason::ExpandedTotal => {
                f.write_str("expanded buffers would take more memory than the limit allows")
            }
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
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    /// Adds an entry.
    pub fn push(&mut self, damage: Damage) {
        self.count += 1;
        self.bytes = self.bytes.saturating_add(damage.length);
        if self.damage.len() < Ledger::LISTED {
            self.damage.push(damage);
        }
    }

    #[cold]
    pub(crate) fn enter(&mut self, offset: u64, length: u64, reason: DamageReason) {
        self.push(Damage { offset, length, reason });
    }
}

/// What a record tells a session lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossRecord {
    Events,
    Buffer,
    File,
}

/// What a record tells of losses, if it is one of those a session logs about its own (evntrace.h).
#[inline]
pub(crate) fn loss_record(record: &Record<'_>) -> Option<LossRecord> {
    const LOST_EVENT: Guid = Guid::parse("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
    if record.hook().is_some() || record.guid() != LOST_EVENT {
        return None;
    }
    match record.opcode() {
        32 => Some(LossRecord::Events),
        33 => Some(LossRecord::Buffer),
        34 => Some(LossRecord::File),
        _ => None,
    }
}

/// What the session says it lost while it ran, in numbers; [`LossLedger`](super::LossLedger) says where and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Events lost, by the log file header.
    pub events: u32,
    /// Buffers lost, by the log file header.
    pub buffers: u32,
    /// Buffers in the file whose flags say that events are missing from them.
    pub buffers_with_lost_events: u64,
    /// Buffers in the file whose flags say that a buffer before them is missing.
    pub buffers_after_lost_buffer: u64,
    /// Records that report lost events ("RT lost"): see [`Losses::observe`].
    pub lost_event_records: u64,
    /// Records that report a lost buffer.
    pub lost_buffer_records: u64,
    /// Records that report a lost file.
    pub lost_file_records: u64,
    /// The numbers of messages, in files whose numbers have no gaps unless messages were lost.
    numbers: Option<MessageNumbers>,
}

/// The numbers of the messages of a session that numbers them by itself, from 1 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MessageNumbers {
    seen: u64,
    highest: u32,
}

impl MessageNumbers {
    /// Numbers, for a file in which one that is missing was lost: not where buffers are overwritten, where the numbers go on
    /// in another file or begin anew, nor where a tool has chosen among the records.
    fn of(header: &LogFileHeader) -> Option<MessageNumbers> {
        let others = [LogFileMode::CIRCULAR, LogFileMode::NEW_FILE, LogFileMode::APPEND, LogFileMode::RELOG];
        let mode = header.mode;
        (mode.has(LogFileMode::LOCAL_SEQUENCE) && !others.into_iter().any(|other| mode.has(other)))
            .then(MessageNumbers::default)
    }

    fn missing(self) -> u64 {
        u64::from(self.highest).saturating_sub(self.seen)
    }
}

impl Losses {
    pub(crate) fn new(header: &LogFileHeader, buffers: &[BufferInfo]) -> Losses {
        let flagged = |flag| buffers.iter().filter(|b| b.flags.has(flag)).count() as u64;
        Losses {
            events: header.events_lost,
            buffers: header.buffers_lost,
            buffers_with_lost_events: flagged(BufferFlags::EVENTS_LOST),
            buffers_after_lost_buffer: flagged(BufferFlags::BUFFER_LOST),
            numbers: MessageNumbers::of(header),
            ..Losses::default()
        }
    }

    /// Counts a record if it reports a loss. Give it the records as they are read; cheap for all others.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        match loss_record(record) {
            Some(LossRecord::Events) => self.lost_event_records += 1,
            Some(LossRecord::Buffer) => self.lost_buffer_records += 1,
            Some(LossRecord::File) => self.lost_file_records += 1,
            None => {}
        }
        if let Some(numbers) = &mut self.numbers
            && let Some(number) = record.message_sequence()
        {
            numbers.seen += 1;
            numbers.highest = numbers.highest.max(number);
        }
    }

    /// Messages that are missing, by the numbers of those that were observed; after the last one none can be missed.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.numbers.map_or(0, MessageNumbers::missing)
    }

    /// Whether anything at all is known to be missing.
    #[must_use]
    pub fn any(&self) -> bool {
        Losses { numbers: None, ..*self } != Losses::default() || self.messages() > 0
    }
}
