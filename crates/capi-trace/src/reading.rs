//! Events of files and sessions in the order of time, one at a time, with what is known about them.

use std::collections::HashMap;
use std::time::Duration;

use tracewell::Traces;
use tracewell::events::columns::{Column, item_text};
use tracewell::events::event::{Cellful, Event};
use tracewell::events::json::JsonWriter;
use tracewell::events::property::Item;
use tracewell::events::write::value_text;
use tracewell::events::{machines, who};
use tracewell_decode::{Decoder, FormatId, Schemas, Value};
use tracewell_etl::{Clock, Record, Trace};
use tracewell_session::{Arrival, Consumer, Error, LiveSource, Next, describes_a_writer, writer};
use tracewell_state::{Machine, Timeline};

/// How long an event waits for those of other sources that were before it: longer than flush timers mostly are.
const DELAY: Duration = Duration::from_millis(1500);

/// How long a wait for events lasts at once.
const TURN: Duration = Duration::from_millis(200);

/// So many names of processes are kept.
const MOST_NAMES: usize = 4096;

/// What was collected from files before they are read in order: [`Reading`] refers to it.
pub(crate) struct Known<'f> {
    traces: Vec<Trace<'f>>,
    /// The machine of each trace; of traces that share a clock, one.
    machines: Vec<Machine>,
    schemas: Schemas,
    lost: u64,
}

impl<'f> Known<'f> {
    /// Reads files once, for the names that their events need.
    pub(crate) fn new(files: &'f Traces) -> Result<Known<'f>, Error> {
        let traces: Vec<Trace<'f>> = files.read().map_err(|error| corrupt(error.to_string()))?;
        let is_shared = Consumer::new(&traces, Vec::new(), DELAY).is_by_raw_time();
        let mut schemas = Schemas::new();
        let machines = machines(&traces, is_shared, &mut schemas);
        let lost = traces.iter().map(|trace| u64::from(trace.losses().events)).sum();
        Ok(Known { traces, machines, schemas, lost })
    }
}

/// `ERROR_FILE_CORRUPT`, or what the text says.
pub(crate) fn corrupt(text: String) -> Error {
    Error::new(tracewell_session::Code(1392), text)
}

/// What a step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Event,
    Nothing,
    End,
}

/// The event that a reader is at.
struct Current {
    /// The record.
    bytes: Vec<u8>,
    cpu: u16,
    reading: tracewell_etl::Reading,
    /// Nanoseconds since 1970 began.
    time: i64,
    pid: Option<u32>,
    tid: Option<u32>,
    process: String,
    id: FormatId,
    clock: Option<Clock>,
}

/// Reads files and sessions.
pub(crate) struct Reading<'t> {
    consumer: Consumer<'t>,
    /// How many of the sources are files; the others are sessions.
    files: usize,
    timelines: Vec<Timeline<'t>>,
    decoder: Decoder,
    /// The processes that sessions name.
    names: HashMap<u32, String>,
    /// When the first source began, in nanoseconds since 1970 began.
    origin: i64,
    /// Events that the files lack, as they report it.
    lost: u64,
    current: Option<Current>,
    json: JsonWriter,
}

impl<'t> Reading<'t> {
    /// Begins.
    pub(crate) fn new(known: &'t Known<'_>, sessions: Vec<Box<dyn LiveSource + 't>>) -> Reading<'t> {
        let consumer = Consumer::new(&known.traces, sessions, DELAY);
        let clocks = (0..consumer.sources()).filter_map(|source| consumer.clock(source));
        Reading {
            origin: clocks.map(|clock| clock.start().unix_ns()).min().unwrap_or(0),
            files: known.traces.len(),
            timelines: known.machines.iter().map(Timeline::new).collect(),
            consumer,
            decoder: Decoder::new(known.schemas.clone()),
            names: HashMap::new(),
            lost: known.lost,
            current: None,
            json: JsonWriter::new(false, true),
        }
    }

    /// Goes to the next event; waits so long for one of a session, or without end.
    pub(crate) fn step(&mut self, wait: Option<Duration>) -> Result<Step, Error> {
        let mut left = wait;
        let bytes = self.current.take().map(|current| current.bytes).unwrap_or_default();
        loop {
            let turn = left.map_or(TURN, |left| left.min(TURN));
            match self.consumer.next(turn)? {
                Next::Event(arrival) if arrival.source >= self.files && is_of_the_log(&arrival.record) => {
                    if let Some(process) = writer(&arrival.record) {
                        if self.names.len() >= MOST_NAMES {
                            self.names.clear();
                        }
                        self.names.insert(process.pid, process.name);
                    }
                }
                Next::Event(arrival) => {
                    let Arrival { source, record, time, .. } = arrival;
                    let (pid, tid, process) = match self.timelines.len() {
                        _ if source >= self.files => {
                            let name = record.pid().and_then(|pid| self.names.get(&pid));
                            (record.pid(), record.tid(), name.cloned().unwrap_or_default())
                        }
                        // Files with one clock share a machine.
                        1 => file_process(self.timelines.first_mut(), &record),
                        _ => file_process(self.timelines.get_mut(source), &record),
                    };
                    let id = self.decoder.id(&record);
                    let mut bytes = bytes;
                    bytes.clear();
                    bytes.extend_from_slice(record.bytes());
                    let (cpu, reading) = (record.cpu(), record.reading());
                    let clock = self.consumer.clock(source).copied();
                    self.current = Some(Current { bytes, cpu, reading, time, pid, tid, process, id, clock });
                    return Ok(Step::Event);
                }
                Next::End => return Ok(Step::End),
                // The time of the turn has passed.
                Next::Nothing => match &mut left {
                    Some(left) if *left <= turn => return Ok(Step::Nothing),
                    Some(left) => *left -= turn,
                    None => {}
                },
            }
        }
    }

    /// Events that were lost, as files and sessions report it up to now.
    pub(crate) fn lost(&self) -> u64 {
        let sessions = (self.files..self.consumer.sources()).map(|source| self.consumer.losses(source));
        self.lost + sessions.map(|lost| lost.session_events + lost.consumer_events).sum::<u64>()
    }

    /// The event that was read last.
    pub(crate) fn event(&self) -> Option<Event<'_>> {
        let current = self.current.as_ref()?;
        let record = Record::parse(&current.bytes, current.cpu).ok()?.read_as(current.reading);
        Some(Event {
            record,
            format: self.decoder.get(current.id),
            id: current.id,
            time: current.time.saturating_sub(self.origin),
            origin: self.origin,
            file: "",
            pid: current.pid,
            tid: current.tid,
            process: &current.process,
            stack: &[],
            places: None,
            clock: current.clock,
        })
    }

    /// The event as a JSON object.
    pub(crate) fn json(&mut self) -> Option<Vec<u8>> {
        // The writer keeps the formats it has seen, so it is not borrowed with the event.
        let mut writer = std::mem::replace(&mut self.json, JsonWriter::new(false, true));
        let mut out = Vec::new();
        let is_there = self.event().map(|event| _ = writer.event(&mut out, &event)).is_some();
        self.json = writer;
        while out.last() == Some(&b'\n') {
            out.pop();
        }
        is_there.then_some(out)
    }
}

/// The process and thread of a record of a file, and the name of the process.
fn file_process(
    timeline: Option<&mut Timeline<'_>>,
    record: &Record<'_>,
) -> (Option<u32>, Option<u32>, String) {
    let Some(timeline) = timeline else { return (record.pid(), record.tid(), String::new()) };
    let (who, process) = who(timeline, record);
    (who.pid, who.tid, process.to_owned())
}

/// Returns `true` for records that a session writes about itself and its programs.
fn is_of_the_log(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| hook >> 8 == 0) || describes_a_writer(record)
}

/// A value as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    Real(f64),
}

/// The text of a column; `None` if the event has no such field.
pub(crate) fn text(event: &Event<'_>, name: &str) -> Option<Vec<u8>> {
    let column = Column::parse(name);
    let mut out = Vec::new();
    match column.of(event)? {
        Cellful::Head(item) => item_text(&mut out, item),
        Cellful::Field(field) => value_text(&mut out, &field),
        Cellful::Fields(_) => column.text(&mut out, event),
    }
    Some(out)
}

/// The number of a column; `None` if the event has no such field, an inner `None` if it is not a number.
pub(crate) fn number(event: &Event<'_>, name: &str) -> Option<Option<Number>> {
    let whole = |number: i128| {
        let unsigned = u64::try_from(number).map(u64::cast_signed);
        i64::try_from(number).or(unsigned).ok().map(Number::Integer)
    };
    Some(match Column::parse(name).of(event)? {
        Cellful::Head(Item::Int(number) | Item::Named(number, _)) => whole(number),
        Cellful::Head(Item::Seconds(ns) | Item::Date(ns)) => Some(Number::Integer(ns)),
        Cellful::Head(Item::Mask(mask) | Item::Keywords { mask, .. }) => whole(mask.into()),
        Cellful::Field(field) => match field.value {
            Value::F32(real) => Some(Number::Real(real.into())),
            Value::F64(real) => Some(Number::Real(real)),
            value => value.as_u64().map(|number| Number::Integer(number.cast_signed())),
        },
        Cellful::Head(_) | Cellful::Fields(_) => None,
    })
}
