//! Reading sources to their end: files merged by time, and live sessions merged with them and each other as their events
//! come.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tracewell::open::TraceFile;
use tracewell_decode::Schemas;
use tracewell_etl::{Clock, LogFileHeader, Trace};
use tracewell_session::{Arrival, Consumer, LiveLosses, LiveSource, Next, describes_a_writer};

use crate::describe;
use crate::event::Event;
use crate::failure::{win32, win32_code};
use crate::rows::Origin;
use crate::sys::{Failure, Obj};

/// Whether to continue after an event or a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// More is wanted.
    On,
    /// Enough.
    Stop,
}

/// A source of events.
pub(crate) enum Source {
    /// The traces of a file, by the path it was opened with.
    Files(String, Arc<Vec<TraceFile>>),
    /// A running session, by its name.
    Live(String, Box<dyn LiveSource>),
}

/// Takes events and the ends of buffers.
pub(crate) trait Sink {
    /// Takes a source, before its first event: what describes its events, its header and its clock.
    fn source(&mut self, _: &Schemas, _: &LogFileHeader, _: &Clock) {}
    /// Takes an event of a source.
    fn event(&mut self, event: &Event<'_>, origin: &Rc<Origin>) -> Result<Flow, Failure>;
    /// Returns `true` if no more events fit into a batch, which then ends before its buffer does.
    fn is_full(&self) -> bool {
        false
    }
    /// Takes the end of a buffer, or of a batch of its events.
    fn buffer(&mut self, descriptor: &Descriptor<'_>) -> Result<Flow, Failure>;
}

/// Most events that a callback gets at a time: looked at, they take up to 9 KB each, and a buffer may hold 100,000.
pub(crate) const MOST_EVENTS: usize = 1000;

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

/// Interval at which a waiting read checks whether it should stop.
const WAIT: Duration = Duration::from_millis(50);
/// How long an event waits for earlier events of other sessions: longer than usual flush timers.
const DELAY: Duration = Duration::from_millis(1500);

/// Events that consumers of this process did not get: of those that found no free buffer in a session, and of those in
/// buffers that the consumer did not take in time.
pub(crate) static SESSION_LOST: AtomicU64 = AtomicU64::new(0);
pub(crate) static CONSUMER_LOST: AtomicU64 = AtomicU64::new(0);

/// Delivers all events of the sources to the sink, in time order (see [`Consumer`]). `wanted` is called occasionally, and
/// ends reading by returning `false`.
pub(crate) fn run(
    sources: &mut [Source],
    span: Span,
    sink: &mut dyn Sink,
    wanted: &mut dyn FnMut() -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut files = Vec::new();
    let mut sessions = Vec::new();
    for source in sources {
        match source {
            Source::Files(path, traces) => files.push((path.as_str(), Arc::clone(traces))),
            Source::Live(name, source) => sessions.push((name.as_str(), source)),
        }
    }
    let (mut places, mut traces) = (Vec::new(), Vec::new());
    for (path, files) in &files {
        for (at, file) in files.iter().enumerate() {
            places.push((*path, files, at));
            traces.push(file.trace().map_err(|error| damaged(path, &error.to_string()))?);
        }
    }
    let mut readers: Vec<Reader<'_>> = Vec::new();
    for ((path, files, at), trace) in places.into_iter().zip(&traces) {
        readers.push(Reader::of_file(readers.len(), path, (files, at), trace, sink));
    }
    let mut live: Vec<Box<dyn LiveSource + '_>> = Vec::new();
    for (name, source) in sessions {
        readers.push(Reader::of_session(readers.len(), name, &**source, sink));
        live.push(Box::new(&mut **source));
    }
    let mut consumer = Consumer::new(&traces, live, DELAY);
    loop {
        match consumer.next(WAIT).map_err(|e| win32(&e))? {
            Next::Event(Arrival { source, record, batch, .. }) => {
                let Some(reader) = readers.get_mut(source) else { continue };
                let time = reader.origin.clock.file_time(record.time());
                let end = reader.buffer_that_ends(traces.get(source), record.cpu(), batch);
                if span.has(time) && !describes_a_writer(&record) {
                    let origin = &reader.origin;
                    let mut names = origin.names.borrow_mut();
                    let event = Event::new(record, &mut names, &origin.header, time);
                    if sink.event(&event, origin)? == Flow::Stop {
                        return Ok(());
                    }
                }
                let filled = match end {
                    Some(filled) => filled,
                    // The buffer is not at its end, and counts when it is.
                    None if sink.is_full() => 0,
                    None => continue,
                };
                reader.note_losses(consumer.losses(source));
                if sink.buffer(&reader.descriptor(time, filled))? == Flow::Stop {
                    return Ok(());
                }
            }
            other => {
                let is_end = matches!(other, Next::End);
                for (source, reader) in readers.iter_mut().enumerate() {
                    reader.note_losses(consumer.losses(source));
                }
                if is_end {
                    let cut = files.iter().find(|(_, files)| files.iter().any(TraceFile::is_cut));
                    return cut.map_or(Ok(()), |(path, _)| {
                        let why =
                            "became shorter while it was read: the events behind its new end are missing";
                        Err(damaged(path, why))
                    });
                }
            }
        }
        if !wanted()? {
            return Ok(());
        }
    }
}

/// The state of one source while it is read.
struct Reader<'s> {
    /// Path of the file, or empty.
    file: &'s str,
    /// Name of the session, or empty.
    session: &'s str,
    origin: Rc<Origin>,
    /// The ends of a file's buffers.
    ends: Ends,
    /// Buffers read so far.
    buffers: u64,
    /// The losses so far.
    lost: LiveLosses,
}

impl<'s> Reader<'s> {
    fn of_file(
        number: usize,
        path: &'s str,
        (files, at): (&Arc<Vec<TraceFile>>, usize),
        trace: &Trace<'_>,
        sink: &mut dyn Sink,
    ) -> Reader<'s> {
        let (schemas, ends) = survey(trace);
        let (header, clock) = (trace.header(), trace.clock());
        sink.source(&schemas, header, clock);
        let origin = Origin::new(number, header, *clock, schemas).in_file(Arc::clone(files), at);
        Reader { file: path, ends, ..Reader::new(Rc::new(origin)) }
    }

    fn of_session(number: usize, name: &'s str, source: &dyn LiveSource, sink: &mut dyn Sink) -> Reader<'s> {
        let (schemas, header, clock) = (describe::given(), source.header(), source.clock());
        sink.source(&schemas, header, clock);
        Reader { session: name, ..Reader::new(Rc::new(Origin::new(number, header, *clock, schemas))) }
    }

    fn new(origin: Rc<Origin>) -> Reader<'s> {
        let (ends, lost) = (Ends::default(), LiveLosses::default());
        Reader { file: "", session: "", origin, ends, buffers: 0, lost }
    }

    /// Bytes of the buffer whose last record this is, when it is.
    fn buffer_that_ends(
        &mut self,
        trace: Option<&Trace<'_>>,
        cpu: u16,
        batch: Option<usize>,
    ) -> Option<usize> {
        let filled = match trace {
            Some(trace) => {
                let buffer = self.ends.take(cpu)?;
                trace.buffers().get(buffer).map_or(0, |info| info.used as usize)
            }
            None => batch?,
        };
        self.buffers += 1;
        Some(filled)
    }

    fn descriptor(&self, time: i64, filled: usize) -> Descriptor<'_> {
        let (file, logger, buffers) = (self.file, self.session, self.buffers);
        Descriptor { file, logger, time, buffers, filled, header: &self.origin.header }
    }

    fn note_losses(&mut self, lost: LiveLosses) {
        let more = |now: u64, before: u64| now.saturating_sub(before);
        SESSION_LOST.fetch_add(more(lost.session_events, self.lost.session_events), Ordering::Relaxed);
        CONSUMER_LOST.fetch_add(more(lost.consumer_events, self.lost.consumer_events), Ordering::Relaxed);
        self.lost = lost;
    }
}

/// The ends of a file's buffers, among the records of its processors.
#[derive(Default)]
struct Ends {
    /// By processor: the buffers in order of time, each with the records it still has.
    left: HashMap<u16, VecDeque<(usize, u64)>>,
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
        Some(buffer)
    }
}

/// The first pass over a file: what describes events, and how many records each buffer has.
fn survey(trace: &Trace<'_>) -> (Schemas, Ends) {
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
    (schemas, Ends { left })
}

/// `ERROR_FILE_CORRUPT`, for what is not an event trace.
pub(crate) fn damaged(path: &str, why: &str) -> Failure {
    win32_code(tracewell_session::Code(1392), format!("{path}: {why}"))
}

/// The properties of a buffer.
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
