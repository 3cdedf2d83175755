//! Where, when and on which processor a session lost something: every place of a trace that tells of losses.

use crate::def::buffer::{BufferFlags, BufferType};
use crate::def::logfile::LogFileMode;
use crate::read::buffers::BufferInfo;
use crate::read::ledger::{LossRecord, loss_record};
use crate::read::trace::Trace;
use crate::record::Record;
use std::fmt;

/// A loss that a trace tells of.
///
/// The same loss may be told of in several places (the header counts what the flags of buffers mark), so losses of
/// different sources are not to be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Who tells.
    pub source: LossSource,
    /// The processor, where it is known.
    pub cpu: Option<u16>,
    /// Raw time after which it happened; `None` for any time since the start.
    pub after: Option<i64>,
    /// Raw time before which it happened; `None` for any time up to the end.
    pub before: Option<i64>,
    /// How many events or buffers, by the source; `None` for an unknown number.
    pub count: Option<u64>,
}

/// The places of a trace that tell of losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LossSource {
    /// The log file header counts lost events.
    HeaderEvents,
    /// The log file header counts lost buffers.
    HeaderBuffers,
    /// A buffer's flags say that events are missing from it.
    EventsFlag,
    /// A buffer's flags say that a buffer before it is missing.
    BufferFlag,
    /// The numbers of the buffers leave some out.
    SequenceGap,
    /// A record tells of lost events.
    EventsRecord,
    /// A record tells of a lost buffer.
    BufferRecord,
    /// A record tells of a lost file.
    FileRecord,
}

impl fmt::Display for LossSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LossSource::HeaderEvents => "events, by the log file header",
            LossSource::HeaderBuffers => "buffers, by the log file header",
            LossSource::EventsFlag => "events, by the flags of a buffer",
            LossSource::BufferFlag => "a buffer, by the flags of the next one",
            LossSource::SequenceGap => "buffers, by the numbers of the others",
            LossSource::EventsRecord => "events, by a record",
            LossSource::BufferRecord => "a buffer, by a record",
            LossSource::FileRecord => "a file, by a record",
        })
    }
}

/// The losses of a trace. Made by [`Trace::loss_ledger`]; give it the records that are read, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossLedger {
    losses: Vec<Loss>,
    count: u64,
}

impl LossLedger {
    /// So many losses are listed; all are counted.
    pub const LISTED: usize = 4096;

    pub(crate) fn new(trace: &Trace<'_>) -> LossLedger {
        let mut ledger = LossLedger::default();
        let header = trace.header();
        let whole = |source, count: u32| Loss {
            source,
            cpu: None,
            after: None,
            before: None,
            count: Some(count.into()),
        };
        if header.events_lost > 0 {
            ledger.enter(whole(LossSource::HeaderEvents, header.events_lost));
        }
        if header.buffers_lost > 0 {
            ledger.enter(whole(LossSource::HeaderBuffers, header.buffers_lost));
        }
        let mut data: Vec<&BufferInfo> =
            trace.buffers().iter().filter(|buffer| buffer.kind != BufferType::HEADER).collect();
        data.sort_by_key(|buffer| (buffer.cpu, buffer.first_time, buffer.sequence));
        for (place, buffer) in data.iter().enumerate() {
            let same = |other: &&&BufferInfo| other.cpu == buffer.cpu;
            let previous = place.checked_sub(1).and_then(|place| data.get(place)).filter(same);
            let next = data.get(place + 1).filter(same);
            let mut mark = |flag, source, before| {
                if buffer.flags.has(flag) {
                    let after = previous.and_then(|previous| previous.first_time);
                    ledger.enter(Loss { source, cpu: Some(buffer.cpu), after, before, count: None });
                }
            };
            // Events go missing while a buffer fills, up to the start of the next.
            mark(BufferFlags::EVENTS_LOST, LossSource::EventsFlag, next.and_then(|next| next.first_time));
            mark(BufferFlags::BUFFER_LOST, LossSource::BufferFlag, buffer.first_time);
        }
        // Buffers that were overwritten are not lost: that is what circular files are for.
        if !header.mode.has(LogFileMode::CIRCULAR) {
            ledger.find_gaps(data);
        }
        ledger
    }

    fn find_gaps(&mut self, mut data: Vec<&BufferInfo>) {
        data.sort_by_key(|buffer| buffer.sequence);
        for pair in data.windows(2) {
            let missing = i128::from(pair[1].sequence) - i128::from(pair[0].sequence) - 1;
            if let Ok(count @ 1..) = u64::try_from(missing) {
                // Which processor the missing ones were of, nobody knows.
                self.enter(Loss {
                    source: LossSource::SequenceGap,
                    cpu: None,
                    after: pair[0].first_time,
                    before: pair[1].first_time,
                    count: Some(count),
                });
            }
        }
    }

    /// Enters a record if it tells of a loss. Give it the records as they are read; cheap for all others.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        if let Some(told) = loss_record(record) {
            let source = match told {
                LossRecord::Events => LossSource::EventsRecord,
                LossRecord::Buffer => LossSource::BufferRecord,
                LossRecord::File => LossSource::FileRecord,
            };
            let before = Some(record.time());
            self.enter(Loss { source, cpu: Some(record.cpu()), after: None, before, count: None });
        }
    }

    fn enter(&mut self, loss: Loss) {
        self.count += 1;
        if self.losses.len() < LossLedger::LISTED {
            self.losses.push(loss);
        }
    }

    /// The first [`LossLedger::LISTED`] losses.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Number of all losses entered.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Losses told of by one source.
    pub fn of(&self, source: LossSource) -> impl Iterator<Item = &Loss> {
        self.losses.iter().filter(move |loss| loss.source == source)
    }
}
