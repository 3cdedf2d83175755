//! Reading several sources together: trace files and live sessions, in one order by time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tracewell_etl::def::guid::{IMAGE, IMAGE_ID, PROCESS};
use tracewell_etl::{ByTime, Clock, LogFileHeader, Record, Trace};

use crate::error::Error;
use crate::live::{Batch, LiveLosses, LiveSource};
use crate::process::ProcessStatus;

/// Bytes of a live source that may wait for their turn among the records of others. Beyond, records are given although
/// an earlier one might still come.
const MOST_HELD: usize = 64 << 20;
/// How long to wait for one of several live sources before looking at the next.
const SLICE: Duration = Duration::from_millis(2);
/// Records between two looks at the live sources while there is enough to give.
const LOOK: u32 = 1024;

/// Reads trace files and live sessions together, their records in the order of their times (`ProcessTrace` on several
/// handles).
///
/// Sources are known by number: the files in their order, then the live ones in theirs. Sources on the same clock
/// (machine, boot and kind) are compared by raw time, which is exact; otherwise the wall-clock time decides. Records of
/// equal time come in the order of the sources.
///
/// A record is given as soon as no live source can still come with an earlier one. A live source that is silent, or
/// behind, holds the others up by the `delay` at most: what it brings after later records were given is given at once,
/// marked as late and counted. With a delay longer than the flush timers of the sessions, nothing is late.
pub struct Consumer<'t> {
    sources: Vec<Source<'t>>,
    delay: Duration,
    by_raw_time: bool,
    /// The source of the record given last, which is behind it.
    current: Option<usize>,
    /// The latest time given, in the common time.
    given: i64,
    /// Records until the next look at live sources.
    until_look: u32,
    /// The live source to wait for next.
    turn: usize,
}

/// What [`Consumer::next`] finds.
#[derive(Clone, Copy, Debug)]
pub enum Next<'a> {
    /// A record.
    Event(Arrival<'a>),
    /// The time is over, and nothing is to be given yet.
    Nothing,
    /// All sources are at their ends.
    End,
}

/// The start of the security identifier of a user of Unix, as Samba has it: S-1-22-1, and the user's number.
pub(crate) const UNIX_USER: [u8; 12] = [1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0];

/// Offset of the user in a `Process/DCStart` of version 4 with 64-bit pointers.
pub(crate) const USER_AT: usize = 52;

/// Hook of `Process/DCStart`: event group and type.
const PROCESS_DCSTART: u16 = 0x0303;
/// Hook of `Image/DCStart`.
pub(crate) const IMAGE_DCSTART: u16 = 0x1403;
/// Offset of the file name in an image event of version 3 with 64-bit pointers.
const FILE_AT: usize = 56;
/// The type of the records of [`IMAGE_ID`] that name the database of an image (`DbgID_RSDS`).
pub(crate) const IMAGE_BUILD: u8 = 36;
/// How the names of files with the symbols of an ELF image end, which those records name.
const ELF_SYMBOLS: &[u8] = b".debug\0";

/// Group and type of an event of the kernel. A program that reads a session of Windows gets it as an event of its class.
fn hook(record: &Record<'_>) -> Option<u16> {
    let class = || {
        let hooks = [(PROCESS, PROCESS_DCSTART), (IMAGE, IMAGE_DCSTART)];
        let of_class = hooks.into_iter().find(|(class, _)| record.is_class() && record.guid() == *class);
        of_class.map(|(_, hook)| hook).filter(|hook| record.opcode() == *hook as u8)
    };
    record.hook().or_else(class)
}

/// Returns `true` for records with which a file of our engine describes the processes that could log to it, and their images:
/// a `Process/DCStart` of a Unix user, an `Image/DCStart` of a Unix file, the build of such a file. They are not logged
/// events, so listings of events omit them. The corresponding records of the Windows kernel have users and files of Windows.
#[must_use]
pub fn describes_a_writer(record: &Record<'_>) -> bool {
    match hook(record) {
        Some(PROCESS_DCSTART) => {
            record.payload().get(USER_AT..).is_some_and(|user| user.starts_with(&UNIX_USER))
        }
        Some(IMAGE_DCSTART) => {
            record.payload().get(FILE_AT..).is_some_and(|path| path.starts_with(&[b'/', 0]))
        }
        Some(_) => false,
        None => {
            record.is_class()
                && record.guid() == IMAGE_ID
                && record.opcode() == IMAGE_BUILD
                && record.payload().ends_with(ELF_SYMBOLS)
        }
    }
}

/// The process that a record describes, if it is one of those for which [`describes_a_writer`] returns `true`. An id is used
/// again: the latest record holds.
#[must_use]
pub fn writer(record: &Record<'_>) -> Option<ProcessStatus> {
    if hook(record) != Some(PROCESS_DCSTART) || !describes_a_writer(record) {
        return None;
    }
    let payload = record.payload();
    let word = |at: usize| payload.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    // After the user: the file name, then the command line.
    let names = payload.get(USER_AT + UNIX_USER.len() + 4..)?;
    let end = names.iter().position(|byte| *byte == 0)?;
    let (name, rest) = names.split_at(end);
    let units = rest.get(1..)?.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
    let units: Vec<u16> = units.take_while(|unit| *unit != 0).collect();
    Some(ProcessStatus {
        pid: word(8)?,
        parent: word(12),
        name: String::from_utf8_lossy(name).into_owned(),
        command_line: String::from_utf16_lossy(&units),
        uid: word(USER_AT + UNIX_USER.len()),
    })
}

/// A record of one of the sources.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Number of its source.
    pub source: usize,
    /// The record, with the raw time of its source.
    pub record: Record<'a>,
    /// When it was, in nanoseconds since 1970-01-01 UTC, by the clock of its source.
    pub time: i64,
    /// Whether a record of a later time was given before.
    pub late: bool,
    /// The last record of what a live source gave at once has here how many bytes all of that had.
    pub batch: Option<usize>,
}

struct Source<'t> {
    origin: Origin<'t>,
    /// When the next record is, in the common time; `None` when there is none at hand.
    head: Option<i64>,
    late: u64,
}

enum Origin<'t> {
    File { trace: &'t Trace<'t>, cursor: Box<ByTime<'t>>, opened: Instant },
    Live(Live<'t>),
}

struct Live<'t> {
    source: Box<dyn LiveSource + 't>,
    held: VecDeque<Held>,
    /// Bytes of all those held.
    bytes: usize,
    /// Common time before which nothing is still to come.
    complete: i64,
    over: bool,
}

/// A batch that came, and how far it was given.
struct Held {
    batch: Batch,
    next: usize,
    came: Instant,
}

/// What can be done now.
enum Choice {
    Give(usize),
    /// The first record at hand, for which a live source must be waited.
    Wait(usize),
    Idle,
    End,
}

impl<'t> Consumer<'t> {
    /// Starts on files and live sources, any number of both. `delay` is how long a record may wait for one that was
    /// before it.
    #[must_use]
    pub fn new(files: &'t [Trace<'t>], live: Vec<Box<dyn LiveSource + 't>>, delay: Duration) -> Consumer<'t> {
        let headers: Vec<&LogFileHeader> =
            files.iter().map(Trace::header).chain(live.iter().map(|live| live.header())).collect();
        let by_raw_time = headers.windows(2).all(|pair| pair[0].shares_clock_with(pair[1]));
        let opened = Instant::now();
        let files =
            files.iter().map(|trace| Origin::File { trace, cursor: Box::new(trace.by_time()), opened });
        let live = live.into_iter().map(|source| {
            // Nothing of a session is older than the session.
            let complete = common_time(by_raw_time, source.clock(), source.clock().raw_start());
            Origin::Live(Live { source, held: VecDeque::new(), bytes: 0, complete, over: false })
        });
        let sources = files.chain(live).map(|origin| Source { origin, head: None, late: 0 }).collect();
        let mut consumer =
            Consumer { sources, delay, by_raw_time, current: None, given: i64::MIN, until_look: 0, turn: 0 };
        for source in &mut consumer.sources {
            source.advance(by_raw_time);
        }
        consumer
    }

    /// The next record in order, waiting for one so long at most.
    ///
    /// # Errors
    ///
    /// When a live session is gone without an end. That source is at its end then, and the others can be read on.
    pub fn next(&mut self, wait: Duration) -> Result<Next<'_>, Error> {
        if let Some(current) = self.current.take() {
            self.sources[current].advance(self.by_raw_time);
        }
        if self.until_look == 0 {
            self.until_look = LOOK;
            self.look()?;
        }
        let mut end = None;
        let index = loop {
            let (patience, held) = match self.choose() {
                Choice::Give(index) => break index,
                Choice::End => return Ok(Next::End),
                Choice::Wait(index) => {
                    let left = self.delay.saturating_sub(self.sources[index].waited());
                    if left.is_zero() || self.sources[index].is_full() {
                        break index;
                    }
                    (left, true)
                }
                Choice::Idle => (Duration::MAX, false),
            };
            let end = *end.get_or_insert_with(|| Instant::now().checked_add(wait));
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                self.until_look = 0;
                return Ok(Next::Nothing);
            }
            self.wait(patience.min(left), held)?;
        };
        self.until_look -= 1;
        self.current = Some(index);
        let given = self.given;
        let source = &mut self.sources[index];
        let head = source.head.unwrap_or(given);
        let late = head < given;
        source.late += u64::from(late);
        self.given = given.max(head);
        let clock = *source.clock();
        Ok(source.record().map_or(Next::Nothing, |record| {
            let (time, batch) = (clock.unix_ns(record.time()), source.batch_that_ends());
            Next::Event(Arrival { source: index, record, time, late, batch })
        }))
    }

    fn choose(&self) -> Choice {
        let mut first: Option<(i64, usize)> = None;
        let (mut complete, mut over) = (i64::MAX, true);
        for (index, source) in self.sources.iter().enumerate() {
            match (source.head, &source.origin) {
                (Some(time), _) => {
                    if first.is_none_or(|(least, _)| time < least) {
                        first = Some((time, index));
                    }
                }
                (None, Origin::Live(live)) if !live.over => {
                    complete = complete.min(live.complete);
                    over = false;
                }
                (None, _) => {}
            }
        }
        match first {
            None if over => Choice::End,
            None => Choice::Idle,
            Some((time, index)) if time <= complete => Choice::Give(index),
            Some((_, index)) => Choice::Wait(index),
        }
    }

    /// Takes what the live sources have, without waiting.
    fn look(&mut self) -> Result<(), Error> {
        let by_raw_time = self.by_raw_time;
        self.sources.iter_mut().try_for_each(|source| source.take(Duration::ZERO, by_raw_time))
    }

    /// Waits for live sources that have nothing at hand; `all` says that the others are to be looked at too.
    fn wait(&mut self, time: Duration, all: bool) -> Result<(), Error> {
        let live = self.sources.iter().filter(|source| source.is_live()).count();
        let time = if live > 1 || all { time.min(SLICE) } else { time };
        if live > 1 {
            self.look()?;
        }
        let count = self.sources.len();
        for index in (0..count).map(|i| (self.turn + i) % count) {
            let source = &mut self.sources[index];
            if source.is_live() && source.head.is_none() {
                self.turn = index + 1;
                return source.take(time, self.by_raw_time);
            }
        }
        Ok(())
    }

    /// Number of sources.
    #[must_use]
    pub fn sources(&self) -> usize {
        self.sources.len()
    }

    /// The header of a source.
    #[must_use]
    pub fn header(&self, source: usize) -> Option<&LogFileHeader> {
        self.sources.get(source).map(|source| match &source.origin {
            Origin::File { trace, .. } => trace.header(),
            Origin::Live(live) => live.source.header(),
        })
    }

    /// The clock of a source.
    #[must_use]
    pub fn clock(&self, source: usize) -> Option<&Clock> {
        self.sources.get(source).map(Source::clock)
    }

    /// What a live source has lost so far; none for files, whose headers say it.
    #[must_use]
    pub fn losses(&self, source: usize) -> LiveLosses {
        match self.sources.get(source).map(|source| &source.origin) {
            Some(Origin::Live(live)) => live.source.losses(),
            _ => LiveLosses::default(),
        }
    }

    /// Records of a source that came after later ones of others had been given.
    #[must_use]
    pub fn late(&self, source: usize) -> u64 {
        self.sources.get(source).map_or(0, |source| source.late)
    }

    /// What was not understood so far in a file; `None` for live sources, see [`Consumer::losses`].
    #[must_use]
    pub fn ledger(&self, source: usize) -> Option<&tracewell_etl::read::Ledger> {
        match &self.sources.get(source)?.origin {
            Origin::File { cursor, .. } => Some(cursor.ledger()),
            Origin::Live(_) => None,
        }
    }

    /// Returns `true` if records are compared by raw time rather than wall-clock time.
    #[must_use]
    pub fn is_by_raw_time(&self) -> bool {
        self.by_raw_time
    }
}

impl std::fmt::Debug for Consumer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Consumer { delay, by_raw_time, given, .. } = self;
        f.debug_struct("Consumer")
            .field("sources", &self.sources.len())
            .field("delay", delay)
            .field("by_raw_time", by_raw_time)
            .field("given", given)
            .finish_non_exhaustive()
    }
}

/// A raw time in the time that is common to all sources.
fn common_time(by_raw_time: bool, clock: &Clock, raw: i64) -> i64 {
    if by_raw_time { raw } else { clock.unix_ns(raw) }
}

impl Source<'_> {
    /// Returns `true` if it is a live source that has not ended.
    fn is_live(&self) -> bool {
        matches!(&self.origin, Origin::Live(live) if !live.over)
    }

    fn clock(&self) -> &Clock {
        match &self.origin {
            Origin::File { trace, .. } => trace.clock(),
            Origin::Live(live) => live.source.clock(),
        }
    }

    /// How long the next record has been at hand.
    fn waited(&self) -> Duration {
        match &self.origin {
            Origin::File { opened, .. } => opened.elapsed(),
            Origin::Live(live) => live.held.front().map_or(Duration::ZERO, |held| held.came.elapsed()),
        }
    }

    fn is_full(&self) -> bool {
        matches!(&self.origin, Origin::Live(live) if live.bytes >= MOST_HELD)
    }

    /// The record at hand.
    fn record(&self) -> Option<Record<'_>> {
        self.head?;
        match &self.origin {
            Origin::File { cursor, .. } => Some(cursor.record()),
            Origin::Live(live) => live.held.front().and_then(|held| held.batch.get(held.next)),
        }
    }

    /// Bytes of the batch whose last record is the one at hand.
    fn batch_that_ends(&self) -> Option<usize> {
        let Origin::Live(live) = &self.origin else { return None };
        let held = live.held.front()?;
        (held.next + 1 == held.batch.len()).then(|| held.batch.size())
    }

    /// Goes on behind the record at hand.
    fn advance(&mut self, by_raw_time: bool) {
        let raw = match &mut self.origin {
            Origin::File { cursor, .. } => cursor.advance(),
            Origin::Live(live) => {
                if let Some(held) = live.held.front_mut() {
                    held.next += 1;
                    if held.next >= held.batch.len() {
                        live.bytes = live.bytes.saturating_sub(held.batch.size());
                        live.held.pop_front();
                    }
                }
                live.held.front().and_then(|held| held.batch.time(held.next))
            }
        };
        self.head = raw.map(|raw| common_time(by_raw_time, self.clock(), raw));
    }

    /// Takes what a live source has, waiting so long at most when nothing of it is at hand.
    fn take(&mut self, wait: Duration, by_raw_time: bool) -> Result<(), Error> {
        let Origin::Live(live) = &mut self.origin else { return Ok(()) };
        let mut wait = wait;
        while !live.over && live.bytes < MOST_HELD {
            let batch = live.source.next(wait).inspect_err(|_| live.over = true)?;
            let clock = live.source.clock();
            live.complete = live.complete.max(common_time(by_raw_time, clock, live.source.complete_to()));
            let Some(batch) = batch else {
                live.over = true;
                break;
            };
            let Some(last) = batch.len().checked_sub(1).and_then(|last| batch.time(last)) else { break };
            live.complete = live.complete.max(common_time(by_raw_time, clock, last));
            live.bytes += batch.size();
            let next = 0;
            if live.held.is_empty() {
                self.head = batch.time(next).map(|raw| common_time(by_raw_time, clock, raw));
            }
            live.held.push_back(Held { batch, next, came: Instant::now() });
            wait = Duration::ZERO;
        }
        Ok(())
    }
}
