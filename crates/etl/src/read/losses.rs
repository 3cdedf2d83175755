//! Where, when and on which processor a session lost something: every place of a trace that reports losses.

use crate::def::buffer::{BufferFlags, BufferType};
use crate::def::guid::LOST_EVENT;
use crate::def::logfile::LogFileMode;
use crate::read::buffers::BufferInfo;
use crate::read::header::LogFileHeader;
use crate::read::trace::Trace;
use crate::record::Record;
use std::collections::BTreeMap;
use std::fmt;

impl Trace<'_> {
    /// The losses of the session and those appended to it, according to the log file headers and the flags
    /// of the buffers.
    #[must_use]
    pub fn losses(&self) -> Losses {
        Losses::new(self)
    }

    /// Buffers that are not in the file by the numbers of the others; none in circular files.
    #[must_use]
    pub fn buffers_left_out(&self) -> u64 {
        let missing =
            |mut data: Vec<_>| gaps(&mut data).fold(0_u64, |sum, (_, count)| sum.saturating_add(count));
        numbered_buffers(self).into_values().map(missing).fold(0, u64::saturating_add)
    }

    /// As [`Trace::buffers_left_out`], without those that the header of their session counts as lost.
    #[must_use]
    pub fn buffers_left_out_untold(&self) -> u64 {
        let losses = losses_in_headers(self);
        let untold = |(session, mut data): (usize, Vec<_>)| {
            let missing = gaps(&mut data).fold(0_u64, |sum, (_, count)| sum.saturating_add(count));
            missing.saturating_sub(losses.get(session).map_or(0, |losses| losses.buffers.into()))
        };
        numbered_buffers(self).into_iter().map(untold).fold(0, u64::saturating_add)
    }

    /// The losses of the session according to the log file header, and the flags and numbers of the buffers. Records may
    /// report more: see [`LossLedger::observe`].
    #[must_use]
    pub fn loss_ledger(&self) -> LossLedger {
        LossLedger::new(self)
    }
}

/// A loss that a trace reports.
///
/// Several places may report the same loss (the header counts what the flags of buffers mark), so losses of
/// different sources must not be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The place that reports it.
    pub source: LossSource,
    /// The processor, where it is known.
    pub cpu: Option<u16>,
    /// Raw time after which it happened; `None` for any time since the start.
    pub after: Option<i64>,
    /// Raw time before which it happened; `None` for any time up to the end.
    pub before: Option<i64>,
    /// Number of events or buffers, by the source; `None` if unknown.
    pub count: Option<u64>,
}

/// The places of a trace that report losses.
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
    /// A record about lost events.
    EventsRecord,
    /// A record about a lost buffer.
    BufferRecord,
    /// A record about a lost file.
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

/// The losses of one session according to the headers in a file.
struct HeaderLosses {
    /// Raw time of the start; `None` for the first session.
    start: Option<i64>,
    events: u32,
    buffers: u32,
}

/// The losses in the headers, by session: each file of a session counts the losses up to its end.
fn losses_in_headers(trace: &Trace<'_>) -> Vec<HeaderLosses> {
    let header = trace.header();
    let mut sessions =
        vec![HeaderLosses { start: None, events: header.events_lost, buffers: header.buffers_lost }];
    for other in trace.appended() {
        // Sessions are numbered as they come.
        match sessions.get_mut(other.session) {
            Some(losses) => {
                losses.events = losses.events.max(other.events_lost);
                losses.buffers = losses.buffers.max(other.buffers_lost);
            }
            None => sessions.push(HeaderLosses {
                start: Some(trace.clock().raw_at(other.start_time.unix_ns())),
                events: other.events_lost,
                buffers: other.buffers_lost,
            }),
        }
    }
    sessions
}

/// The buffers of each session in the file, by the number of the session: each numbers its buffers by itself. None of circular files:
/// buffers that were overwritten are not lost, that is what such files are for.
fn numbered_buffers<'t>(trace: &'t Trace<'_>) -> BTreeMap<usize, Vec<&'t BufferInfo>> {
    let mut sessions: BTreeMap<usize, Vec<&BufferInfo>> = BTreeMap::new();
    if trace.header().mode.has(LogFileMode::CIRCULAR) {
        return sessions;
    }
    let mut begins = trace.appended().iter().peekable();
    let mut session = 0;
    // In the order of the file.
    for buffer in trace.buffers() {
        while let Some(begun) = begins.next_if(|other| other.offset <= buffer.offset) {
            session = begun.session;
        }
        if buffer.kind != BufferType::HEADER {
            sessions.entry(session).or_default().push(buffer);
        }
    }
    sessions
}

/// The numbers that the buffers of one session leave out: the buffers around them, and how many.
fn gaps<'b, 't>(data: &'b mut [&'t BufferInfo]) -> impl Iterator<Item = (&'b [&'t BufferInfo], u64)> {
    data.sort_by_key(|buffer| buffer.sequence);
    data.windows(2).filter_map(|pair| {
        let missing = i128::from(pair[1].sequence) - i128::from(pair[0].sequence) - 1;
        u64::try_from(missing).ok().filter(|count| *count > 0).map(|count| (pair, count))
    })
}

/// The losses of a trace. Made by [`Trace::loss_ledger`]; give it the records that are read, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossLedger {
    losses: Vec<Loss>,
    count: u64,
}

impl LossLedger {
    /// Maximum number of losses that are listed; all are counted.
    pub const LISTED: usize = 4096;

    fn new(trace: &Trace<'_>) -> LossLedger {
        let mut ledger = LossLedger::default();
        for losses in losses_in_headers(trace) {
            let mut whole = |source, count: u32| {
                if count > 0 {
                    let count = Some(count.into());
                    ledger.enter(Loss { source, cpu: None, after: losses.start, before: None, count });
                }
            };
            whole(LossSource::HeaderEvents, losses.events);
            whole(LossSource::HeaderBuffers, losses.buffers);
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
        for (_, mut data) in numbered_buffers(trace) {
            ledger.find_gaps(&mut data);
        }
        ledger
    }

    fn find_gaps(&mut self, data: &mut [&BufferInfo]) {
        for (pair, count) in gaps(data) {
            // The processor of the missing buffers is unknown.
            self.enter(Loss {
                source: LossSource::SequenceGap,
                cpu: None,
                after: pair[0].first_time,
                before: pair[1].first_time,
                count: Some(count),
            });
        }
    }

    /// Enters a record if it reports a loss. Call it with every record as it is read; it is cheap for all
    /// others.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        if let Some(losses) = loss_record(record) {
            let source = match losses {
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

    /// Losses reported by one source.
    pub fn of(&self, source: LossSource) -> impl Iterator<Item = &Loss> {
        self.losses.iter().filter(move |loss| loss.source == source)
    }
}

/// The loss in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LossRecord {
    Events,
    Buffer,
    File,
}

/// Returns the loss in a record, if it is one of the records that a session logs about its own
/// losses (evntrace.h).
#[inline]
fn loss_record(record: &Record<'_>) -> Option<LossRecord> {
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

/// The losses that the session counted while it ran; [`LossLedger`] has places and times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Events lost, by the log file headers.
    pub events: u32,
    /// Buffers lost, by the log file headers.
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
    fn new(trace: &Trace<'_>) -> Losses {
        let header = trace.header();
        let flagged = |flag| trace.buffers().iter().filter(|b| b.flags.has(flag)).count() as u64;
        let losses = losses_in_headers(trace);
        let all = |of: fn(&HeaderLosses) -> u32| losses.iter().map(of).fold(0, u32::saturating_add);
        Losses {
            events: all(|losses| losses.events),
            buffers: all(|losses| losses.buffers),
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

    /// Returns `true` if anything at all is known to be missing.
    #[must_use]
    pub fn any(&self) -> bool {
        Losses { numbers: None, ..*self } != Losses::default() || self.messages() > 0
    }
}
