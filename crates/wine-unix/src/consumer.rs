//! Files and live sessions that a Windows program reads (`OpenTrace`, `ProcessTrace`, `CloseTrace`).
//!
//! A thread of Linux reads records in the order of their times, and prepares calls of callbacks; the program's thread takes them
//! batch by batch and makes them.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::{Clock, Mapping, Trace};
use tracewell_session::{Arrival, Consumer, Error, LiveSource, Next};
use tracewell_wine_pe::codes;

use crate::controller;
use crate::delivery::Delivery;
use crate::describe;
use crate::logfile::LogFile;

/// Most files and sessions that one call of `ProcessTrace` reads.
pub(crate) const MOST_TRACES: usize = 64;
/// Batches that may wait for the program.
const WAITING: usize = 4;
/// How often the thread looks whether the trace was closed, and how long records of several sources may wait for each other.
const LOOK: Duration = Duration::from_millis(50);
const DELAY: Duration = Duration::from_millis(500);
/// How long a closed session still delivers what is there.
const REST: Duration = Duration::from_secs(2);
/// Bytes of a buffer's header.
const BUFFER_HEADER: u32 = 72;

/// Windows' performance counter, and the system time that belongs to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) now: i64,
    pub(crate) frequency: i64,
    pub(crate) time: i64,
}

enum Origin {
    File(Mapping),
    Live(Box<dyn LiveSource>),
}

struct Opened {
    file: LogFile,
    origin: Origin,
    counter: Counter,
}

enum State {
    Opened(Box<Opened>),
    /// `ProcessTrace` reads it, or has read it.
    Read(Arc<Flags>),
}

/// What a call of `ProcessTrace` and its traces say to each other.
#[derive(Debug, Default)]
struct Flags {
    /// A trace was closed: the call is to end.
    close: AtomicBool,
    /// The call has ended.
    done: AtomicBool,
    /// Why a source could not be read to its end.
    failure: AtomicU32,
}

struct Run {
    batches: Receiver<Delivery>,
    /// The batch whose callbacks the program calls.
    current: Delivery,
    flags: Arc<Flags>,
}

#[derive(Default)]
struct World {
    traces: HashMap<u64, State>,
    runs: HashMap<u64, Run>,
    last: u64,
}

static WORLD: LazyLock<Mutex<World>> = LazyLock::new(Mutex::default);

fn locked() -> MutexGuard<'static, World> {
    WORLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is opened: a file by its path, or a session by its name.
#[derive(Debug)]
pub(crate) enum Source {
    File(String),
    Session(String),
}

/// Opens a file or a session, and describes it. Returns its handle.
pub(crate) fn open(file: &mut LogFile, source: &Source, counter: Counter) -> Result<u64, u32> {
    let (origin, header) = match source {
        Source::File(path) => {
            let map = Mapping::open(path).map_err(|error| match error.kind() {
                // Its folder is there: Wine found the path.
                ErrorKind::NotFound => codes::FILE_NOT_FOUND,
                _ => Error::io(&error, path).code.0,
            })?;
            let header = Trace::open_mapped(&map).map_err(|_| codes::FILE_CORRUPT)?.header().clone();
            describe::opened(path);
            (Origin::File(map), header)
        }
        Source::Session(name) => {
            let live = controller::attach(name)?;
            let header = live.header().clone();
            (Origin::Live(live), header)
        }
    };
    file.describe(&header);
    if matches!(origin, Origin::Live(_)) && is_counter(header.clock_type) {
        file.set_frequency(counter.frequency);
    }
    let mut world = locked();
    world.last += 1;
    let handle = world.last;
    world.traces.insert(handle, State::Opened(Box::new(Opened { file: file.clone(), origin, counter })));
    Ok(handle)
}

/// Closes a trace. One that is being read ends soon.
pub(crate) fn close(handle: u64) -> u32 {
    match locked().traces.remove(&handle) {
        None => codes::INVALID_HANDLE,
        Some(State::Opened(_)) => codes::SUCCESS,
        Some(State::Read(flags)) => {
            flags.close.store(true, Ordering::Release);
            if flags.done.load(Ordering::Acquire) { codes::SUCCESS } else { codes::CLOSE_PENDING }
        }
    }
}

/// Begins to read traces, from and to times of Windows. Returns a number for [`next`].
pub(crate) fn begin(handles: &[u64], from: i64, to: i64) -> Result<u64, u32> {
    if handles.is_empty() || handles.len() > MOST_TRACES {
        return Err(codes::BAD_LENGTH);
    }
    if to < from {
        return Err(codes::INVALID_TIME);
    }
    let mut world = locked();
    let mut sessions = 0;
    for (at, handle) in handles.iter().enumerate() {
        match world.traces.get(handle) {
            Some(State::Opened(opened)) if !handles.iter().take(at).any(|other| other == handle) => {
                sessions += u32::from(matches!(opened.origin, Origin::Live(_)));
            }
            _ => return Err(codes::INVALID_HANDLE),
        }
    }
    if sessions > 1 {
        return Err(codes::ALREADY_ENABLED);
    }
    let flags = Arc::new(Flags::default());
    let mut opened = Vec::new();
    for handle in handles {
        if let Some(State::Opened(one)) = world.traces.insert(*handle, State::Read(Arc::clone(&flags))) {
            opened.push(*one);
        }
    }
    let (send, batches) = sync_channel(WAITING);
    let reader = Reader { send, flags: Arc::clone(&flags), from, to, batch: Delivery::default() };
    let thread = std::thread::Builder::new().name("tracewell-read".into());
    thread.spawn(move || reader.read(opened)).map_err(|_| codes::NOT_ENOUGH_MEMORY)?;
    world.last += 1;
    let run = world.last;
    world.runs.insert(run, Run { batches, current: Delivery::default(), flags });
    Ok(run)
}

/// Waits for the next calls of callbacks, and has `with` use them: they hold until the next call of this function.
///
/// # Errors
/// Everything was read, or `stop` says that the program wants no more: [`codes::SUCCESS`]. A source could not be read to its end: its
/// error.
pub(crate) fn next<T>(number: u64, stop: bool, with: impl FnOnce(&mut Delivery) -> T) -> Result<T, u32> {
    let mut run = locked().runs.remove(&number).ok_or(codes::INVALID_HANDLE)?;
    let batch = if stop { None } else { run.batches.recv().ok() };
    let Some(batch) = batch else {
        run.flags.close.store(true, Ordering::Release);
        run.flags.done.store(true, Ordering::Release);
        // The thread may wait for room: it ends when the run is dropped.
        return Err(run.flags.failure.load(Ordering::Acquire));
    };
    run.current = batch;
    let used = with(&mut run.current);
    locked().runs.insert(number, run);
    Ok(used)
}

fn is_counter(clock: ClockType) -> bool {
    [ClockType::PERFORMANCE_COUNTER, ClockType::UNSET].contains(&clock)
}

/// Turns raw times of a source into those that a program receives.
#[derive(Clone, Copy, Debug)]
enum Times {
    /// Those of the source.
    Raw,
    /// System time.
    System,
    /// Windows' performance counter.
    Counter(Counter),
}

impl Times {
    fn of(&self, raw: i64, system: i64) -> i64 {
        match self {
            Times::Raw => raw,
            Times::System => system,
            Times::Counter(counter) => {
                let since = i128::from(system) - i128::from(counter.time);
                let ticks = since * i128::from(counter.frequency) / 10_000_000;
                counter.now.saturating_add(i64::try_from(ticks).unwrap_or(i64::MAX))
            }
        }
    }
}

/// A source while it is read.
struct Reading {
    file: LogFile,
    times: Times,
    clock: Clock,
    /// Bytes of records in each buffer of a file, which come in this order; none of a session.
    buffers: std::vec::IntoIter<u32>,
    /// Bytes of records that were delivered of the present buffer.
    filled: u32,
    /// Bytes of records in it; 0 if there is none.
    size: u32,
    is_live: bool,
}

impl Reading {
    fn new(file: LogFile, counter: Counter, clock: Clock, buffers: Vec<u32>, is_live: bool) -> Reading {
        let times = match file.wants_raw_times() {
            false => Times::System,
            true if is_live && is_counter(clock.kind()) => Times::Counter(counter),
            true => Times::Raw,
        };
        let mut buffers = buffers.into_iter();
        let size = buffers.next().unwrap_or(0);
        Reading { file, times, clock, buffers, filled: 0, size, is_live }
    }

    /// Notes that so many bytes of records were read. Returns `true` if they were the last of a buffer.
    fn take(&mut self, bytes: usize) -> bool {
        self.filled =
            self.filled.saturating_add(u32::try_from(bytes.next_multiple_of(8)).unwrap_or(u32::MAX));
        self.size > 0 && self.filled >= self.size
    }

    fn end_buffer(&mut self, size: u32, lost: u32, batch: &mut Delivery) {
        self.file.count_buffer(size, lost);
        self.filled = self.filled.saturating_sub(self.size);
        self.size = self.buffers.next().unwrap_or(0);
        batch.buffer(&self.file);
    }
}

/// The thread that reads.
struct Reader {
    send: SyncSender<Delivery>,
    flags: Arc<Flags>,
    from: i64,
    to: i64,
    batch: Delivery,
}

impl Reader {
    fn read(mut self, opened: Vec<Opened>) {
        let (mut maps, mut files, mut live) = (Vec::new(), Vec::new(), Vec::new());
        for Opened { file, origin, counter } in opened {
            match origin {
                Origin::File(map) => {
                    maps.push(map);
                    files.push((file, counter));
                }
                Origin::Live(source) => live.push((file, counter, source)),
            }
        }
        let (mut traces, mut readings) = (Vec::new(), Vec::new());
        for (map, (file, counter)) in maps.iter().zip(files) {
            let Ok(trace) = Trace::open_mapped(map) else {
                self.flags.failure.store(codes::FILE_CORRUPT, Ordering::Release);
                continue;
            };
            for trace in trace.into_sessions() {
                let used =
                    trace.buffers().iter().map(|buffer| buffer.used.saturating_sub(BUFFER_HEADER).max(1));
                readings.push(Reading::new(file.clone(), counter, *trace.clock(), used.collect(), false));
                traces.push(trace);
            }
        }
        let mut sources = Vec::new();
        for (file, counter, source) in live {
            readings.push(Reading::new(file, counter, *source.clock(), Vec::new(), true));
            sources.push(source);
        }
        let mut consumer = Consumer::new(&traces, sources, DELAY);
        let mut end = None;
        while self.step(&mut consumer, &mut readings, &mut end) {}
        if !self.flags.close.load(Ordering::Acquire) {
            for reading in readings.iter_mut().filter(|reading| !reading.is_live) {
                while reading.size > 0 {
                    let (size, lost) = (reading.size, 0);
                    reading.end_buffer(size, lost, &mut self.batch);
                }
            }
        }
        self.flush();
    }

    /// Reads a record, or waits for one. Returns `false` at the end.
    fn step(
        &mut self,
        consumer: &mut Consumer<'_>,
        readings: &mut [Reading],
        end: &mut Option<Instant>,
    ) -> bool {
        let is_live = readings.iter().any(|reading| reading.is_live);
        if self.flags.close.load(Ordering::Acquire) {
            let end =
                *end.get_or_insert_with(|| Instant::now() + if is_live { REST } else { Duration::ZERO });
            if Instant::now() >= end {
                return false;
            }
        }
        // What is there is passed on before waiting.
        let wait = if self.batch.is_empty() && end.is_none() { LOOK } else { Duration::ZERO };
        let (source, bytes) = match consumer.next(wait) {
            Ok(Next::Event(arrival)) => {
                let Some(reading) = readings.get_mut(arrival.source) else { return false };
                let system = reading.clock.file_time(arrival.record.time());
                if system > self.to && !arrival.late {
                    return false;
                }
                if system >= self.from && system <= self.to {
                    self.deliver(reading, &arrival, system);
                }
                let ended = match arrival.batch {
                    Some(bytes) => Some(u32::try_from(bytes).unwrap_or(u32::MAX)),
                    None => reading.take(arrival.record.bytes().len()).then_some(reading.size),
                };
                (arrival.source, ended)
            }
            Ok(Next::Nothing) if end.is_some() => return false,
            Ok(Next::Nothing) => return self.flush(),
            Ok(Next::End) => return false,
            Err(error) => {
                self.flags.failure.store(error.code.0, Ordering::Release);
                return false;
            }
        };
        if let Some(bytes) = bytes {
            let lost = u32::try_from(consumer.losses(source).session_events).unwrap_or(u32::MAX);
            if let Some(reading) = readings.get_mut(source) {
                reading.end_buffer(bytes, lost, &mut self.batch);
            }
        }
        !self.batch.is_full() || self.flush()
    }

    fn deliver(&mut self, reading: &mut Reading, arrival: &Arrival<'_>, system: i64) {
        let time = reading.times.of(arrival.record.time(), system);
        reading.file.set_current_time(system);
        // The descriptions in a file are looked for in all of it.
        if reading.is_live {
            describe::observe(&arrival.record);
        }
        self.batch.event(&reading.file, &arrival.record, time);
    }

    /// Passes on the batch. Returns `false` if the program wants no more.
    fn flush(&mut self) -> bool {
        let batch = std::mem::take(&mut self.batch);
        batch.is_empty() || self.send.send(batch).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_etl::LogFileHeader;
    use tracewell_session::{Batch, Code, LiveLosses};
    use tracewell_wine_pe::call::LOG_FILE;

    const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl");

    /// Opens the sample with callbacks for events and buffers.
    fn opened() -> u64 {
        let mut bytes = [0; LOG_FILE];
        bytes[28..32].copy_from_slice(&0x1000_0000_u32.to_le_bytes());
        (bytes[400], bytes[424]) = (8, 7);
        let counter = Counter { now: 0, frequency: 1, time: 0 };
        open(&mut LogFile::new(&bytes), &Source::File(SAMPLE.to_owned()), counter).unwrap()
    }

    /// The events and the buffers of all batches.
    fn read(run: u64) -> (usize, usize) {
        let (mut events, mut buffers) = (0, 0);
        while next(run, false, |batch| {
            let steps = batch.steps();
            let of_buffers = steps.iter().filter(|step| step.is_buffer == 1).count();
            assert!(steps.iter().all(|step| step.argument != 0 && step.callback == 7 + step.is_buffer));
            (events, buffers) = (events + steps.len() - of_buffers, buffers + of_buffers);
        })
        .is_ok()
        {}
        (events, buffers)
    }

    #[test]
    fn issue_18_files_are_read_whole_in_a_window_and_together() {
        let bytes = std::fs::read(SAMPLE).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let (mut times, mut records) = (Vec::new(), trace.by_time());
        while let Some(record) = records.next() {
            times.push(trace.clock().file_time(record.time()));
        }
        let buffers = trace.buffers().len();
        let one = opened();
        assert_eq!(read(begin(&[one], i64::MIN, i64::MAX).unwrap()), (times.len(), buffers));
        assert_eq!(begin(&[one], i64::MIN, i64::MAX), Err(codes::INVALID_HANDLE), "it was read");
        assert_eq!((close(one), close(one)), (codes::SUCCESS, codes::INVALID_HANDLE));
        let (from, to) = (times[times.len() / 3], times[times.len() / 2]);
        let wanted = times.iter().filter(|time| (from..=to).contains(*time)).count();
        assert!(wanted > 100 && wanted < times.len() / 2);
        let one = opened();
        // The rest of the buffers is counted, too.
        assert_eq!(read(begin(&[one], from, to).unwrap()), (wanted, buffers));
        let both = [opened(), opened()];
        assert_eq!(read(begin(&both, i64::MIN, i64::MAX).unwrap()), (2 * times.len(), 2 * buffers));
        for handle in [one, both[0], both[1]] {
            assert_eq!(close(handle), codes::SUCCESS);
        }
    }

    #[test]
    fn issue_18_reading_ends_when_the_program_wants_no_more() {
        let one = opened();
        let run = begin(&[one], i64::MIN, i64::MAX).unwrap();
        // The first buffer ends with its last event, not with the file.
        let first = next(run, false, |batch| {
            let steps = batch.steps();
            (steps.len(), steps.iter().take(100).any(|step| step.is_buffer == 1))
        });
        assert_eq!(first, Ok((512, true)));
        assert_eq!(close(one), codes::CLOSE_PENDING);
        let rest = read(run).0;
        assert!(rest <= (WAITING + 2) * 512, "{rest} events after the end");
        let one = opened();
        let run = begin(&[one], i64::MIN, i64::MAX).unwrap();
        assert_eq!(next(run, true, |_| ()), Err(codes::SUCCESS));
        assert_eq!((close(one), next(run, false, |_| ())), (codes::SUCCESS, Err(codes::INVALID_HANDLE)));
    }

    #[test]
    fn issue_18_handles_and_times_are_checked() {
        let one = opened();
        let wrong = |handles: &[u64], from, to| begin(handles, from, to).unwrap_err();
        assert_eq!(wrong(&[], 0, 1), codes::BAD_LENGTH);
        assert_eq!(wrong(&[one; 65], 0, 1), codes::BAD_LENGTH);
        assert_eq!(wrong(&[one], 1, 0), codes::INVALID_TIME);
        assert_eq!(wrong(&[one, 0], 0, 1), codes::INVALID_HANDLE);
        assert_eq!(wrong(&[one, one], 0, 1), codes::INVALID_HANDLE);
        assert_eq!(close(one), codes::SUCCESS);
    }

    /// A session that is gone before its end.
    struct Gone(LogFileHeader, Clock);

    impl LiveSource for Gone {
        fn header(&self) -> &LogFileHeader {
            &self.0
        }
        fn clock(&self) -> &Clock {
            &self.1
        }
        fn losses(&self) -> LiveLosses {
            LiveLosses::default()
        }
        fn next(&mut self, _: Duration) -> Result<Option<Batch>, Error> {
            Err(Error::new(Code::WMI_INSTANCE_NOT_FOUND, "the daemon has ended"))
        }
    }

    #[test]
    fn issue_18_a_session_that_is_gone_is_an_error_of_the_call() {
        let bytes = std::fs::read(SAMPLE).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let origin = Origin::Live(Box::new(Gone(trace.header().clone(), *trace.clock())));
        let counter = Counter { now: 0, frequency: 1, time: 0 };
        let opened = Opened { file: LogFile::new(&[0; LOG_FILE]), origin, counter };
        let handle = u64::MAX - 1;
        locked().traces.insert(handle, State::Opened(Box::new(opened)));
        let run = begin(&[handle], i64::MIN, i64::MAX).unwrap();
        assert_eq!(next(run, false, |_| ()), Err(Code::WMI_INSTANCE_NOT_FOUND.0));
        assert_eq!(close(handle), codes::SUCCESS, "the call has ended");
    }

    #[test]
    fn issue_18_times_are_those_of_windows() {
        let counter = Counter { now: 5000, frequency: 20_000_000, time: 1000 };
        assert_eq!(Times::Counter(counter).of(7, 1010), 5020);
        assert_eq!(Times::Counter(counter).of(7, 990), 4980);
        assert_eq!((Times::Raw.of(7, 990), Times::System.of(7, 990)), (7, 990));
    }
}
