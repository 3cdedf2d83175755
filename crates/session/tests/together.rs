//! Files and live sources read together: order, bounded delay, and counts of what came late.

mod common;

use std::collections::VecDeque;
use std::io::Cursor;
use std::time::Duration;

use common::{Place, to_file, wait_until_known};
use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::write::{System, TraceConfig, TraceWriter};
use tracewell_etl::{Clock, LogFileHeader, Record, Trace};
use tracewell_session::{
    Backlog, Batch, Code, Consumer, Controller, Enable, Error, EventDescriptor, LiveLosses, LiveSource,
    LogFileMode, Next, Properties, describes_a_writer, provider,
};
use tracewell_types::FileTime;

/// A day in 2019, in file time.
const EPOCH: i64 = 132_000_000_000_000_000;

/// A trace of events at raw times; the clock counts `frequency` a second from 1000, which was `start` after
/// [`EPOCH`].
fn trace(frequency: u64, start: i64, times: &[i64]) -> Vec<u8> {
    let config = TraceConfig {
        clock_type: ClockType::PERFORMANCE_COUNTER,
        perf_freq: frequency as i64,
        raw_start: 1000,
        start_time: FileTime(EPOCH + start),
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    for &time in times {
        let header = System { time, group: 5, opcode: 36, ..System::default() };
        writer.system(0, &header, &time.to_le_bytes()).unwrap();
    }
    writer.finish(FileTime(EPOCH + start)).unwrap().into_inner()
}

/// What a scripted source does when it is asked.
enum Step {
    /// Gives events of these raw times.
    Events(&'static [i64]),
    /// Has nothing.
    Silence,
    /// Says that nothing before this raw time is to come.
    Complete(i64),
    Fails,
}

/// A live source that follows a script, and ends, or is silent for ever.
struct Scripted {
    header: LogFileHeader,
    clock: Clock,
    steps: VecDeque<Step>,
    ends: bool,
    complete: i64,
}

impl Scripted {
    fn boxed(frequency: u64, start: i64, steps: Vec<Step>, ends: bool) -> Box<dyn LiveSource> {
        let bytes = trace(frequency, start, &[]);
        let trace = Trace::open(&bytes).unwrap();
        let (header, clock) = (trace.header().clone(), *trace.clock());
        Box::new(Scripted { header, clock, steps: steps.into(), ends, complete: i64::MIN })
    }
}

impl LiveSource for Scripted {
    fn header(&self) -> &LogFileHeader {
        &self.header
    }

    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn losses(&self) -> LiveLosses {
        LiveLosses::default()
    }

    fn complete_to(&self) -> i64 {
        self.complete
    }

    fn next(&mut self, _: Duration) -> Result<Option<Batch>, Error> {
        let mut batch = Batch::default();
        match self.steps.pop_front() {
            Some(Step::Events(times)) => {
                let bytes = trace(10_000_000, 0, times);
                let trace = Trace::open(&bytes).unwrap();
                let mut records = trace.file_order();
                while let Some(record) = records.next() {
                    if record.payload().len() == 8 {
                        batch.push(&record);
                    }
                }
            }
            Some(Step::Silence) => {}
            Some(Step::Complete(time)) => self.complete = time,
            Some(Step::Fails) => return Err(Error::new(Code::SERVICE_NOT_ACTIVE, "gone")),
            None if self.ends => return Ok(None),
            None => {}
        }
        Ok(Some(batch))
    }
}

/// Number of the source, raw time, and whether it came late, of every event to the end, or until nothing comes.
fn all(consumer: &mut Consumer<'_>) -> Vec<(usize, i64, bool)> {
    let mut events = Vec::new();
    loop {
        match consumer.next(Duration::from_millis(20)).unwrap() {
            Next::Event(arrival) if is_header(&arrival.record) => {}
            Next::Event(arrival) => events.push((arrival.source, arrival.record.time(), arrival.late)),
            Next::Nothing | Next::End => return events,
        }
    }
}

fn is_header(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| hook >> 8 == 0)
}

const FOREVER: Duration = Duration::from_secs(3600);
const SECOND: i64 = 10_000_000;

#[test]
fn files_and_live_sources_come_in_one_order() {
    let files = [trace(10_000_000, SECOND, &[1010, 1040, 1070]), trace(10_000_000, SECOND, &[1020, 1080])];
    let traces: Vec<Trace<'_>> = files.iter().map(|file| Trace::open(file).unwrap()).collect();
    let steps = vec![Step::Events(&[1030, 1040]), Step::Silence, Step::Events(&[1050, 1090])];
    let live = vec![Scripted::boxed(10_000_000, SECOND, steps, true)];
    let mut consumer = Consumer::new(&traces, live, FOREVER);
    assert!(consumer.is_by_raw_time());
    let expected =
        [(0, 1010), (1, 1020), (2, 1030), (0, 1040), (2, 1040), (2, 1050), (0, 1070), (1, 1080), (2, 1090)];
    assert_eq!(all(&mut consumer), expected.map(|(source, time)| (source, time, false)));
    assert!(matches!(consumer.next(FOREVER), Ok(Next::End)));
    assert_eq!([0, 1, 2].map(|source| consumer.late(source)), [0; 3]);
}

#[test]
fn clocks_that_differ_are_compared_by_wall_clock_time() {
    // Counts once a millisecond, from a second later: its 1500 is the other's 15 000 000 + 1000.
    let file = trace(1000, 2 * SECOND, &[1500, 2500]);
    let traces = [Trace::open(&file).unwrap()];
    let steps = vec![Step::Events(&[14_000_000, 16_000_000]), Step::Events(&[24_000_000, 26_000_000])];
    let live = vec![Scripted::boxed(10_000_000, SECOND, steps, true)];
    let mut consumer = Consumer::new(&traces, live, FOREVER);
    assert!(!consumer.is_by_raw_time());
    let expected = [(1, 14_000_000), (0, 1500), (1, 16_000_000), (1, 24_000_000), (0, 2500), (1, 26_000_000)];
    assert_eq!(all(&mut consumer), expected.map(|(source, time)| (source, time, false)));
}

#[test]
fn a_silent_source_holds_others_up_for_the_delay_only() {
    // With no delay, events that arrive after later ones were delivered are late; none is left out.
    let steps = vec![Step::Silence, Step::Silence, Step::Silence, Step::Silence, Step::Events(&[1015, 1060])];
    let live = vec![
        Scripted::boxed(10_000_000, SECOND, vec![Step::Events(&[1010, 1020, 1030])], false),
        Scripted::boxed(10_000_000, SECOND, steps, false),
    ];
    let mut consumer = Consumer::new(&[], live, Duration::ZERO);
    let mut events = all(&mut consumer);
    assert!(matches!(consumer.next(Duration::ZERO), Ok(Next::Nothing)), "silent, and not at its end");
    let expected = [(0, 1010, false), (0, 1020, false), (0, 1030, false), (1, 1015, true), (1, 1060, false)];
    assert_eq!(events, expected);
    assert_eq!((consumer.late(0), consumer.late(1)), (0, 1));

    // With a sufficient delay none is late, and a source that reports its progress delays no other
    // source.
    let steps = vec![Step::Silence, Step::Events(&[1015]), Step::Complete(1025), Step::Silence];
    let live = vec![
        Scripted::boxed(10_000_000, SECOND, vec![Step::Events(&[1010, 1020, 1030])], false),
        Scripted::boxed(10_000_000, SECOND, steps, false),
    ];
    let mut consumer = Consumer::new(&[], live, FOREVER);
    events = all(&mut consumer);
    assert_eq!(
        events,
        [(0, 1010, false), (1, 1015, false), (0, 1020, false)],
        "1030 waits for the silent one"
    );
    assert_eq!((consumer.late(0), consumer.late(1)), (0, 0));
}

#[test]
fn what_is_older_than_a_session_does_not_wait_for_it() {
    let file = trace(10_000_000, SECOND, &[1010, 1020]);
    let traces = [Trace::open(&file).unwrap()];
    let live = vec![Scripted::boxed(5_000_000, 3 * SECOND, vec![], false)];
    let mut consumer = Consumer::new(&traces, live, FOREVER);
    assert_eq!(all(&mut consumer), [(0, 1010, false), (0, 1020, false)]);
}

#[test]
fn a_source_that_fails_is_reported_and_others_go_on() {
    let file = trace(10_000_000, SECOND, &[1010, 1020]);
    let traces = [Trace::open(&file).unwrap()];
    let live = vec![Scripted::boxed(10_000_000, SECOND, vec![Step::Fails], false)];
    let mut consumer = Consumer::new(&traces, live, FOREVER);
    assert_eq!(consumer.next(FOREVER).unwrap_err().code, Code::SERVICE_NOT_ACTIVE);
    assert_eq!(all(&mut consumer), [(0, 1010, false), (0, 1020, false)]);
    assert!(matches!(consumer.next(FOREVER), Ok(Next::End)));
}

provider!(static LEFT = "Tracewell-Test-Left");
provider!(static RIGHT = "Tracewell-Test-Right");

#[test]
fn two_sessions_and_a_file_of_the_engine() {
    const PLAIN: EventDescriptor =
        EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 1 };
    const EVENTS: u32 = 500;
    let place = Place::new("together");
    assert!(place.runtime().use_for_providers());
    let engine = place.engine();
    let live = |name: &str| Properties {
        mode: LogFileMode::REAL_TIME.with(LogFileMode::BLOCKING),
        flush_timer: 10,
        ..to_file(name, String::new())
    };
    engine.start(&to_file("before", place.text("before.etl"))).unwrap();
    engine.start(&live("left")).unwrap();
    engine.start(&live("right")).unwrap();
    engine.start(&live("silent")).unwrap();
    LEFT.register();
    RIGHT.register();
    for provider in [&LEFT, &RIGHT] {
        wait_until_known(&engine, provider.guid());
    }
    engine.enable("before", &Enable::all_of(LEFT.guid())).unwrap();
    assert_eq!(LEFT.write(&PLAIN, &(u32::MAX,)).written, 1);
    engine.stop("before").unwrap();
    engine.enable("left", &Enable::all_of(LEFT.guid())).unwrap();
    engine.enable("right", &Enable::all_of(RIGHT.guid())).unwrap();
    let sources: Vec<_> =
        ["left", "right", "silent"].map(|name| engine.attach(name, Backlog::Hold).unwrap()).into();
    for number in 0..EVENTS {
        let provider = if number % 3 == 0 { &LEFT } else { &RIGHT };
        assert_eq!(provider.write(&PLAIN, &(number,)).written, 1);
    }
    let bytes = std::fs::read(place.path("before.etl")).unwrap();
    let traces = [Trace::open(&bytes).unwrap()];
    let mut consumer = Consumer::new(&traces, sources, FOREVER);
    assert!(consumer.is_by_raw_time(), "all of one daemon");
    let mut numbers = Vec::new();
    // The silent session says all the time that nothing is to come.
    while numbers.len() <= EVENTS as usize {
        match consumer.next(Duration::from_secs(60)).unwrap() {
            Next::Event(arrival) if is_header(&arrival.record) || describes_a_writer(&arrival.record) => {}
            Next::Event(arrival) => {
                let number = u32::from_le_bytes(*arrival.record.payload().first_chunk().unwrap());
                let source = if number == u32::MAX { 0 } else { 1 + usize::from(number % 3 != 0) };
                assert_eq!((arrival.source, arrival.late), (source, false));
                numbers.push(number);
            }
            end => panic!("{end:?} after {} events", numbers.len()),
        }
    }
    assert!(numbers.iter().copied().eq([u32::MAX].into_iter().chain(0..EVENTS)), "{numbers:?}");
    for name in ["left", "right", "silent"] {
        engine.stop(name).unwrap();
    }
    assert_eq!(all(&mut consumer), []);
    assert!(matches!(consumer.next(Duration::from_secs(60)), Ok(Next::End)));
    assert!((0..4).all(|source| consumer.losses(source) == LiveLosses::default()));
}
