//! The newest events of a session in bounded memory (issue 20): what a table shows of a session without a file.

#![allow(missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use tracewell::open::TraceFile;
use tracewell_corpus::{skip, trace};
use tracewell_diagnose::Activity;
use tracewell_diagnose::pivot::{By, Pivot, Question, Weight};
use tracewell_etl::write::PointerSize;
use tracewell_etl::{Clock, LogFileHeader, Trace};
use tracewell_live::newest::Newest;
use tracewell_live::window::{Bounds, Held, Window};
use tracewell_relog::known::{Role, is_log_file_header, role};
use tracewell_session::{Batch, Code, Error, LiveLosses, LiveSource};
use tracewell_symbols::Symbols;
use tracewell_testkit::described::{self, Described};

/// The records of a trace in the order of their times, so many together.
fn batches(trace: &Trace<'_>, most: usize) -> Vec<Batch> {
    let mut batches = vec![Batch::default()];
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        if batches.last().is_some_and(|last| last.len() >= most) {
            batches.push(Batch::default());
        }
        batches.last_mut().expect("a batch").push(&record);
    }
    batches
}

/// The bytes of all records but headers, in the order of their times.
fn records(trace: &Trace<'_>) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut records = trace.by_time();
    while let Some(record) = records.next() {
        if !is_log_file_header(&record) {
            all.push(record.bytes().to_vec());
        }
    }
    all
}

/// Samples by program, process and thread, from a time on.
fn samples(trace: &Trace<'_>, from_unix_ns: i64) -> BTreeMap<String, u64> {
    let traces = std::slice::from_ref(trace);
    let activity = Activity::of(traces, tracewell::Schemas::new(), |_| ());
    let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
    let start = from_unix_ns - activity.origin;
    let question = Question { start, ..Question::new(&[By::Process, By::Thread], Weight::Count) };
    let rows = Pivot::of(&activity, &symbols, &question).rows;
    let row = |process: &str, thread: &str| format!("{process}/{thread}");
    rows.iter().flat_map(|p| p.below.iter().map(move |t| (row(&p.name, &t.name), t.weight))).collect()
}

/// What a window holds is the newest part of what it took, without gaps, within its bounds, and everything else is counted.
fn check(held: &Held, taken: &[Vec<u8>], bounds: Bounds) -> Vec<u8> {
    let (events, descriptions) = held.memory();
    assert!(
        events <= bounds.events && descriptions <= bounds.descriptions,
        "{events} {descriptions} {bounds:?}"
    );
    let bytes = held.trace().expect("it is written");
    let trace = Trace::open(&bytes).expect("it is a trace");
    let mut kept = records(&trace);
    let mut newest = taken[taken.len() - held.events()..].to_vec();
    kept.drain(..kept.len() - newest.len());
    // Records of equal time on several processors may change their order.
    kept.sort();
    newest.sort();
    assert!(kept == newest, "{} records", kept.len());
    let gone = &taken[..taken.len() - held.events()];
    let is_event = |bytes: &&Vec<u8>| {
        let record = tracewell_etl::Record::parse(bytes, 0).expect("a record");
        matches!(role(&record), Role::Plain | Role::StackOf(_))
    };
    assert_eq!(held.dropped, gone.iter().filter(is_event).count() as u64);
    bytes
}

/// Feeds a trace to a window, and compares what is held with the whole trace.
fn check_trace(path: &Path, bounds: Bounds, batch: usize) -> u64 {
    let file = TraceFile::open(path).expect("the trace opens");
    let whole = file.trace().expect("it is a trace");
    let mut window = Window::new(whole.header().clone(), *whole.clock(), bounds);
    let all = records(&whole);
    let (mut taken, mut looked) = (0, 0);
    for batch in batches(&whole, batch) {
        window.take(&batch, LiveLosses::default());
        taken += batch.records().filter(|record| !is_log_file_header(record)).count();
        looked += 1;
        if looked % 64 == 1 {
            check(&window.held(), &all[..taken], bounds);
        }
    }
    assert_eq!(taken, all.len());
    let held = window.held();
    assert_eq!(held.descriptions_dropped, 0);
    let bytes = check(&held, &all, bounds);
    let part = Trace::open(&bytes).expect("it is a trace");
    let first = part.clock().start().unix_ns();
    // The same programs and threads have the same samples as in the whole trace.
    assert_eq!(samples(&part, first), samples(&whole, first));
    held.dropped
}

#[test]
fn issue_20_the_newest_events_of_the_sample_are_held() {
    for (events, batch) in [(64 << 10, 7), (256 << 10, 1000), (1 << 20, 100_000), (64 << 20, 5000)] {
        let dropped = check_trace(&common::sample(), Bounds { events, descriptions: 4 << 20 }, batch);
        assert_eq!(dropped == 0, events == 64 << 20, "{events}");
    }
}

#[test]
fn issue_20_the_newest_events_of_a_real_trace_are_held() {
    let Some(path) = trace("randomascii/slow-ppt.etl") else {
        return skip("real-traces", "slow-ppt");
    };
    let dropped = check_trace(&path, Bounds { events: 8 << 20, descriptions: 8 << 20 }, 3000);
    assert!(dropped > 100_000, "{dropped}");
}

/// Programs that start and end, beside one that goes on.
fn generations(count: u32) -> Vec<u8> {
    let process = |opcode: u8, pid: u32, name: &str| {
        format!(
            "Process {opcode} 4 after 1000 | ptr 0x77 u32 {pid} u32 1 u32 0 i32 259 ptr 0 u32 0 u32 0 ptr 0 u32 0 a {name} w c w p w a"
        )
    };
    let mut lines = vec![process(3, 40, "stays.exe")];
    for number in 0..count {
        let pid = 1000 + 4 * number;
        lines.push(process(1, pid, "passes.exe"));
        lines.push(format!("PerfInfo 34 0 after 1000 | a mark{number}"));
        lines.push(process(2, pid, "passes.exe"));
    }
    let records: Vec<Described> =
        lines.iter().map(|line| Described::parse(line).expect("a record")).collect();
    described::trace(PointerSize::P64, &records).expect("a trace")
}

/// Descriptions of what has ended are forgotten; names of what goes on stay, until there are too many of them, which is said.
#[test]
fn issue_20_descriptions_have_a_limit_too() {
    let made = generations(20_000);
    let whole = Trace::open(&made).expect("it is a trace");
    let has = |bytes: &[u8]| {
        let name: Vec<u8> = b"stays.exe".to_vec();
        bytes.windows(name.len()).filter(|found| *found == name).count()
    };
    let bounds = Bounds { events: 64 << 10, descriptions: 64 << 10 };
    let mut window = Window::new(whole.header().clone(), *whole.clock(), bounds);
    let all = records(&whole);
    for batch in batches(&whole, 1000) {
        window.take(&batch, LiveLosses::default());
    }
    let held = window.held();
    let bytes = check(&held, &all, bounds);
    assert_eq!((held.descriptions_dropped, has(&bytes)), (0, 1));
    assert!(held.memory().1 < 2000, "those that ended are forgotten: {:?}", held.memory());
    // None ends.
    let mut window = Window::new(whole.header().clone(), *whole.clock(), bounds);
    let mut taken = 0;
    for batch in batches(&whole, 1000) {
        let mut going = Batch::default();
        let goes_on = |hook: Option<u16>| hook != Some(0x0302);
        batch.records().filter(|record| goes_on(record.hook())).for_each(|record| going.push(&record));
        taken += going.records().filter(|record| !is_log_file_header(record)).count() as u64;
        window.take(&going, LiveLosses::default());
        let (events, descriptions) = window.held().memory();
        assert!(events <= bounds.events && descriptions <= bounds.descriptions, "{events} {descriptions}");
    }
    let held = window.held();
    let bytes = held.trace().expect("it is written");
    let kept = records(&Trace::open(&bytes).expect("it is a trace")).len() as u64;
    assert!(held.descriptions_dropped > 1000);
    assert_eq!(held.dropped + held.descriptions_dropped + kept, taken);
}

/// A session that hands out a trace.
struct Source {
    header: LogFileHeader,
    clock: Clock,
    batches: std::vec::IntoIter<Batch>,
    fails: bool,
}

impl LiveSource for Source {
    fn header(&self) -> &LogFileHeader {
        &self.header
    }

    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn losses(&self) -> LiveLosses {
        LiveLosses { session_events: 7, ..LiveLosses::default() }
    }

    fn next(&mut self, _: Duration) -> Result<Option<Batch>, Error> {
        match self.batches.next() {
            None if self.fails => Err(Error::new(Code::SERVICE_NOT_ACTIVE, "gone")),
            batch => Ok(batch),
        }
    }
}

#[test]
fn issue_20_a_session_is_followed_to_its_end() {
    let file = TraceFile::open(&common::sample()).expect("the sample opens");
    let whole = file.trace().expect("it is a trace");
    let bounds = Bounds { events: 64 << 20, descriptions: 1 << 20 };
    for fails in [false, true] {
        let batches = batches(&whole, 1000);
        let count: usize = batches.iter().map(Batch::len).sum();
        let (header, clock) = (whole.header().clone(), *whole.clock());
        let newest =
            Newest::of(Box::new(Source { header, clock, batches: batches.into_iter(), fails }), bounds);
        let newest = newest.expect("it starts");
        let end = loop {
            match newest.end() {
                Some(end) => break end,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        assert_eq!(end.is_err(), fails);
        assert_eq!((newest.counts().0, newest.counts().1.session_events), (count as u64, 7));
        let bytes = newest.held().trace().expect("it is written");
        let trace = Trace::open(&bytes).expect("it is a trace");
        assert_eq!((records(&trace).len(), trace.losses().events), (records(&whole).len(), 7));
    }
}
