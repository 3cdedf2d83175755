//! Reading sources to their end: files merged by time, and live sessions merged with them and each other as their events
//! come.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tracewell_decode::Schemas;
use tracewell_etl::map::Mapping;
use tracewell_etl::{LogFileHeader, Merge, Record, Trace};
use tracewell_session::{Batch, LiveLosses, LiveSource};

use crate::describe;
use crate::event::{Event, Names};
use crate::failure::{win32, win32_code};
use crate::sys::{Failure, Obj};

/// What goes on after an event or a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// More is wanted.
    On,
    /// Enough.
    Stop,
}

/// Where events come from.
pub(crate) enum Source {
    /// A file, by the path it was opened with.
    File(String, Arc<Mapping>),
    /// A running session, by its name.
    Live(String, Box<dyn LiveSource>),
}

/// Takes events and the ends of buffers.
pub(crate) trait Sink {
    /// Takes what describes the events of a file, before the first of them.
    fn schemas(&mut self, _: &Schemas) {}
    /// Takes an event.
    fn event(&mut self, event: &Event<'_>) -> Result<Flow, Failure>;
    /// Takes the end of a buffer.
    fn buffer(&mut self, descriptor: &Descriptor<'_>) -> Result<Flow, Failure>;
}

/// The time wanted, in file times, both ends included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
}

impl Span {
    fn has(&self, time: i64) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }
}

/// How long a blocking read waits before it looks whether it is still wanted.
const WAIT: Duration = Duration::from_millis(50);

/// Gives everything that the sources have to the sink. `wanted` is asked now and then, and ends reading when it says no.
pub(crate) fn run(
    sources: &mut [Source],
    span: Span,
    sink: &mut dyn Sink,
    wanted: &mut dyn FnMut() -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    let mut live = Vec::new();
    for source in sources {
        match source {
            Source::File(path, map) => files.push((path.as_str(), Arc::clone(map))),
            Source::Live(name, source) => live.push(LiveState {
                name: name.clone(),
                source: &mut **source,
                names: Names::new(describe::given()),
                buffers: 0,
                lost: LiveLosses::default(),
                held: Held::default(),
                over: false,
            }),
        }
    }
    if !files.is_empty() && read_files(&files, &mut live, span, sink, wanted)? == Flow::Stop {
        return Ok(());
    }
    match &mut live[..] {
        [one] => {
            // What was kept while there were files.
            while !one.held.places.is_empty() {
                if one.give(span, sink)? == Flow::Stop {
                    return Ok(());
                }
            }
            while !one.over {
                if one.step(span, sink)? == Flow::Stop || !wanted()? {
                    break;
                }
            }
            Ok(())
        }
        several => merge_live(several, span, sink, wanted),
    }
}

/// How long sessions wait for one of them that has nothing, while others have something.
const GRACE: Duration = Duration::from_millis(5);

/// Reads several sessions, the events at hand in order of time. What a session gives so late that others are past it comes
/// late.
fn merge_live(
    live: &mut [LiveState<'_>],
    span: Span,
    sink: &mut dyn Sink,
    wanted: &mut dyn FnMut() -> Result<bool, Failure>,
) -> Result<(), Failure> {
    while live.iter().any(|live| !live.over) {
        let idle = live.iter().all(|live| live.held.places.is_empty());
        let wait = if idle { WAIT / live.len() as u32 } else { GRACE };
        fill(live, wait)?;
        if !wanted()? {
            return Ok(());
        }
        // Until one has nothing left that may still get more.
        while let Some((_, index)) = earliest(live) {
            let next = &mut live[index];
            if next.give(span, sink)? == Flow::Stop {
                return Ok(());
            }
            if next.held.places.is_empty() && !next.over {
                break;
            }
        }
    }
    Ok(())
}

/// Time of the earliest event that the sessions have at hand, and which of them has it.
fn earliest(live: &[LiveState<'_>]) -> Option<(i64, usize)> {
    live.iter().enumerate().filter_map(|(index, live)| Some((live.held.places.front()?.time, index))).min()
}

/// Events of files between two looks at sessions that had nothing.
const LOOK: u32 = 1024;

/// Takes a batch of every session that has nothing at hand.
fn fill(live: &mut [LiveState<'_>], wait: Duration) -> Result<(), Failure> {
    for live in live.iter_mut().filter(|live| !live.over && live.held.places.is_empty()) {
        live.hold(wait)?;
    }
    Ok(())
}

/// Gives the events of sessions that come before an event of a file. A session that has run dry is waited for once, and
/// briefly: a file does not wait for what may never come.
fn give_before(
    live: &mut [LiveState<'_>],
    time: i64,
    span: Span,
    sink: &mut dyn Sink,
) -> Result<Flow, Failure> {
    while let Some((head, index)) = earliest(live)
        && head < time
    {
        let next = &mut live[index];
        if next.give(span, sink)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        if next.held.places.is_empty() && !next.over {
            next.hold(GRACE)?;
        }
    }
    Ok(Flow::On)
}

/// Records of a session that wait for their turn among those of others.
#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    places: VecDeque<Place>,
    filled: usize,
}

/// Where a record is among the bytes, and its file time.
struct Place {
    time: i64,
    start: usize,
    cpu: u16,
}

/// Events that consumers of this process did not get: of those that found no free buffer in a session, and of those in
/// buffers that the consumer did not take in time.
pub(crate) static SESSION_LOST: AtomicU64 = AtomicU64::new(0);
pub(crate) static CONSUMER_LOST: AtomicU64 = AtomicU64::new(0);

struct LiveState<'s> {
    name: String,
    source: &'s mut dyn LiveSource,
    names: Names,
    buffers: u64,
    /// What was lost up to now.
    lost: LiveLosses,
    held: Held,
    over: bool,
}

impl LiveState<'_> {
    /// The next batch with something in it.
    fn next(&mut self, wait: Duration) -> Result<Option<Batch>, Failure> {
        let batch = self.source.next(wait).map_err(|e| win32(&e))?;
        self.note_losses();
        self.over = batch.is_none();
        let batch = batch.filter(|batch| !batch.is_empty());
        self.buffers += u64::from(batch.is_some());
        Ok(batch)
    }

    /// Takes one batch and keeps it.
    fn hold(&mut self, wait: Duration) -> Result<(), Failure> {
        let Some(batch) = self.next(wait)? else { return Ok(()) };
        let clock = self.source.clock();
        self.held.bytes.clear();
        for record in batch.records() {
            let time = clock.file_time(record.time());
            self.held.places.push_back(Place { time, start: self.held.bytes.len(), cpu: record.cpu() });
            self.held.bytes.extend_from_slice(record.bytes());
        }
        self.held.filled = self.held.bytes.len();
        Ok(())
    }

    /// Gives the first of the records kept; after the last, the end of the buffer.
    fn give(&mut self, span: Span, sink: &mut dyn Sink) -> Result<Flow, Failure> {
        let Some(Place { time, start, cpu }) = self.held.places.pop_front() else { return Ok(Flow::On) };
        let header = self.source.header();
        let bytes = self.held.bytes.get(start..).unwrap_or_default();
        if let Ok(record) = Record::parse(bytes, cpu)
            && span.has(time)
            && sink.event(&Event::new(record, &mut self.names, header, time))? == Flow::Stop
        {
            return Ok(Flow::Stop);
        }
        if !self.held.places.is_empty() {
            return Ok(Flow::On);
        }
        let (logger, buffers, filled) = (&*self.name, self.buffers, self.held.filled);
        sink.buffer(&Descriptor { file: "", logger, time, buffers, filled, header })
    }

    /// Takes one batch and gives it.
    fn step(&mut self, span: Span, sink: &mut dyn Sink) -> Result<Flow, Failure> {
        let Some(batch) = self.next(WAIT)? else { return Ok(Flow::On) };
        let (header, clock) = (self.source.header(), self.source.clock());
        let mut last = 0;
        let mut filled = 0;
        for record in batch.records() {
            last = clock.file_time(record.time());
            filled += record.bytes().len();
            if span.has(last) && sink.event(&Event::new(record, &mut self.names, header, last))? == Flow::Stop
            {
                return Ok(Flow::Stop);
            }
        }
        let (logger, buffers) = (&*self.name, self.buffers);
        sink.buffer(&Descriptor { file: "", logger, time: last, buffers, filled, header })
    }

    fn note_losses(&mut self) {
        let lost = self.source.losses();
        let more = |now: u64, before: u64| now.saturating_sub(before);
        SESSION_LOST.fetch_add(more(lost.session_events, self.lost.session_events), Ordering::Relaxed);
        CONSUMER_LOST.fetch_add(more(lost.consumer_events, self.lost.consumer_events), Ordering::Relaxed);
        self.lost = lost;
    }
}

/// Where a file's buffers end, among the records of its processors.
struct Ends {
    /// By processor: the buffers in order of time, each with the records it still has.
    left: HashMap<u16, VecDeque<(usize, u64)>>,
    done: u64,
}

impl Ends {
    /// Takes one record of a processor off; gives the buffer it was the last one of.
    fn take(&mut self, cpu: u16) -> Option<usize> {
        let queue = self.left.get_mut(&cpu)?;
        let (buffer, records) = queue.front_mut()?;
        *records -= 1;
        let buffer = *buffer;
        if *records > 0 {
            return None;
        }
        queue.pop_front();
        self.done += 1;
        Some(buffer)
    }
}

/// The first pass over a file: what describes events, and how many records each buffer has.
fn survey(trace: &Trace<'_>, sink: &mut dyn Sink) -> (Names, Ends) {
    let mut schemas = describe::given();
    let mut counts: HashMap<usize, (u16, u64, i64)> = HashMap::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
        let (cpu, time) = (record.cpu(), record.time());
        let count = counts.entry(records.buffer()).or_insert((cpu, 0, time));
        count.1 += 1;
    }
    let mut buffers: Vec<_> = counts.into_iter().collect();
    buffers.sort_by_key(|(buffer, (_, _, time))| (*time, *buffer));
    let mut left: HashMap<u16, VecDeque<(usize, u64)>> = HashMap::new();
    for (buffer, (cpu, count, _)) in buffers {
        left.entry(cpu).or_default().push_back((buffer, count));
    }
    sink.schemas(&schemas);
    (Names::new(schemas), Ends { left, done: 0 })
}

/// Reads files, and with each event what sessions have that is older.
fn read_files(
    files: &[(&str, Arc<Mapping>)],
    live: &mut [LiveState<'_>],
    span: Span,
    sink: &mut dyn Sink,
    wanted: &mut dyn FnMut() -> Result<bool, Failure>,
) -> Result<Flow, Failure> {
    let mut traces = Vec::new();
    for (path, map) in files {
        let trace = Trace::open_mapped(map).map_err(|e| damaged(path, &e.to_string()))?;
        traces.push(trace);
    }
    let (mut namess, mut ends): (Vec<_>, Vec<_>) = traces.iter().map(|trace| survey(trace, sink)).unzip();
    fill(live, WAIT / live.len().max(1) as u32)?;
    let mut unlooked = 0;
    let mut records = Merge::new(&traces);
    while let Some((index, record)) = records.next() {
        let trace = &traces[index];
        let time = trace.clock().file_time(record.time());
        unlooked += 1;
        if unlooked == LOOK {
            unlooked = 0;
            fill(live, Duration::ZERO)?;
        }
        if give_before(live, time, span, sink)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        let cpu = record.cpu();
        if span.has(time) {
            let event = Event::new(record, &mut namess[index], trace.header(), time);
            if sink.event(&event)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        if let Some(buffer) = ends[index].take(cpu) {
            let filled = trace.buffers().get(buffer).map_or(0, |info| info.used as usize);
            let (file, buffers, header) = (files[index].0, ends[index].done, trace.header());
            let descriptor = Descriptor { file, logger: "", time, buffers, filled, header };
            if sink.buffer(&descriptor)? == Flow::Stop || !wanted()? {
                return Ok(Flow::Stop);
            }
        }
    }
    Ok(Flow::On)
}

/// `ERROR_FILE_CORRUPT`, for what is not an event trace.
pub(crate) fn damaged(path: &str, why: &str) -> Failure {
    win32_code(tracewell_session::Code(1392), format!("{path}: {why}"))
}

/// What is told of a buffer.
pub(crate) struct Descriptor<'a> {
    /// Path of the file, or empty.
    pub(crate) file: &'a str,
    /// Name of the session, or empty.
    pub(crate) logger: &'a str,
    /// File time of its last event.
    pub(crate) time: i64,
    /// Buffers read so far, this one among them.
    pub(crate) buffers: u64,
    /// Bytes used in it.
    pub(crate) filled: usize,
    pub(crate) header: &'a LogFileHeader,
}

impl Descriptor<'_> {
    /// As Tcl has it.
    pub(crate) fn to_obj(&self) -> Obj {
        let header = self.header;
        let kernel = header.logger_name.eq_ignore_ascii_case("NT Kernel Logger");
        Obj::list(&[
            Obj::new(self.file),
            Obj::new(self.logger),
            Obj::int(self.time),
            Obj::unsigned(self.buffers),
            header_obj(header),
            Obj::int(header.buffer_size),
            Obj::unsigned(self.filled as u64),
            Obj::int(kernel),
        ])
    }
}

/// A `SYSTEMTIME` as a list of year, month, day, hour, minute, second, millisecond and day of the week.
fn date(words: &[u16; 8]) -> Obj {
    let [year, month, weekday, day, hour, minute, second, milli] = *words;
    Obj::list(&[year, month, day, hour, minute, second, milli, weekday].map(Obj::int))
}

fn header_obj(header: &LogFileHeader) -> Obj {
    let [major, minor, submajor, subminor] = header.version;
    let zone = &header.time_zone;
    let zone = Obj::list(&[
        Obj::int(zone.bias),
        Obj::new(&zone.standard_name),
        date(&zone.standard_date),
        Obj::int(zone.standard_bias),
        Obj::new(&zone.daylight_name),
        date(&zone.daylight_date),
        Obj::int(zone.daylight_bias),
    ]);
    Obj::list(&[
        Obj::int(header.buffer_size),
        Obj::int(major),
        Obj::int(minor),
        Obj::int(submajor),
        Obj::int(subminor),
        Obj::int(header.build),
        Obj::int(header.processors),
        Obj::int(header.end_time.ticks()),
        Obj::int(header.timer_resolution),
        Obj::int(header.maximum_file_size),
        Obj::int(header.mode.0),
        Obj::int(header.buffers_written),
        Obj::int(header.pointer_size),
        Obj::int(header.events_lost),
        Obj::int(header.cpu_speed_mhz),
        zone,
        Obj::int(header.boot_time.ticks()),
        Obj::int(header.perf_freq),
        Obj::int(header.start_time.ticks()),
        Obj::int(header.clock_type.0),
        Obj::int(header.buffers_lost),
    ])
}
