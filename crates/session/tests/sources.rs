//! A second source of records, next to the programs: it is opened, read, changed, resumed and ended through the trait of
//! sources alone. The source logs numbered records in the layout of Windows' kernel.
//!
//! The daemon with the made source is this program itself, run as `sources serve FOLDER KIND`: a daemon with a keeper must be
//! a process of one thread, which the usual harness of tests is not.

mod common;

use std::collections::{BTreeMap, VecDeque};
use std::io::Write as _;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use common::{PATIENCE, Place, wait_for};
use tracewell_etl::write::{Full, System};
use tracewell_etl::{Record, Trace};
use tracewell_session::engine::source::{
    Feed, Offers, Opened, Opening, RawClock, Resumed, Source, Switch, Waiting, Waker, Wants,
};
use tracewell_session::engine::{Engine, RuntimeDir, Service};
use tracewell_session::{
    Backlog, Code, Controller, Enable, Error, EventDescriptor, LogFileMode, Properties, SystemTracing,
    Update, provider,
};
use tracewell_types::Guid;

/// The groups of kernel events that the source offers.
const PROCESS: u32 = 0x1;
const SWITCHES: u32 = 0x10;
/// A group that floods each lane once.
const FLOOD: u32 = 0x100;
/// Records of a flood, of each lane.
const FLOODED: u64 = 20_000;
/// A provider that the source offers.
const MADE: Guid = Guid::new(0x7ACE_0001, 1, 2, [3; 8]);
const LANES: usize = 2;
/// Hook ids: group and type.
const DCSTART: u16 = 0x0303;
const DCEND: u16 = 0x0304;
const SWITCH: u16 = 0x0524;

// ------------------------------------------------------------------------------------- the source

/// Logs records that are numbered in each lane from 1 on.
#[derive(Debug)]
struct Made {
    /// Whether it goes on after a restart of the daemon.
    resumes: bool,
}

/// A lane: batches that wait, and one that is being filled.
#[derive(Debug, Default)]
struct Lane {
    /// With whether they are complete, and the number of their last record.
    batches: VecDeque<(Vec<u8>, bool, u64)>,
    filling: Vec<u8>,
    /// Number of the next record.
    next: u64,
    lost: u64,
    /// Number of the last record that the session has.
    released: u64,
}

#[derive(Debug)]
struct Shared {
    lanes: [Mutex<Lane>; LANES],
    room: usize,
    most: usize,
    ending: AtomicBool,
    /// Where a successor finds how far each lane is.
    marks: Option<OwnedFd>,
    waker: Waker,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Logs one record in a lane, or counts it as lost. Records of rundowns always find room.
    fn log(&self, lane: usize, hook: u16, provider: bool) {
        self.log_to(&mut locked(&self.lanes[lane]), hook, provider);
    }

    /// Logs more records in a lane than it has room for. It is locked meanwhile: a session that reads as fast as records come
    /// would lose none.
    fn flood(&self, lane: usize) {
        let mut place = locked(&self.lanes[lane]);
        (0..FLOODED).for_each(|_| self.log_to(&mut place, SWITCH, false));
    }

    fn log_to(&self, place: &mut Lane, hook: u16, provider: bool) {
        let number = place.next;
        place.next += 1;
        let payload = number.to_le_bytes();
        let mut record = Vec::new();
        let time = RawClock::now();
        let fits = if provider {
            let event = Full { time, guid: MADE, opcode: 9, level: 4, pid: 4, tid: 8, ..Full::default() };
            event.append(&payload, &mut record)
        } else {
            let [group, opcode] = hook.to_be_bytes();
            let header = System { time, group, opcode, version: 4, pid: 4, tid: 8, ..System::default() };
            header.append(&payload, &mut record)
        };
        assert!(fits);
        record.resize(record.len().next_multiple_of(8), 0);
        if place.filling.len() + record.len() > self.room {
            if place.batches.len() >= self.most && hook == SWITCH {
                place.lost += 1;
                return;
            }
            let full = std::mem::take(&mut place.filling);
            place.batches.push_back((full, true, number - 1));
            self.waker.wake();
        }
        place.filling.extend(record);
    }
}

impl Source for Made {
    fn name(&self) -> &str {
        "made source"
    }

    fn offers(&self) -> Offers {
        Offers { kernel_flags: PROCESS | SWITCHES | FLOOD, providers: vec![MADE] }
    }

    fn open(&self, opening: Opening) -> Result<Opened, Error> {
        let Opening { room, buffers, waker, keep, resumed, .. } = opening;
        let gap = resumed.is_some() && !self.resumes;
        let mut lanes: [Lane; LANES] = std::array::from_fn(|_| Lane { next: 1, ..Lane::default() });
        let mut marks = None;
        if self.resumes {
            let Resumed { kept, released } = resumed.unwrap_or_default();
            let file = kept.into_iter().find_map(|(number, value, file)| {
                assert_eq!((number, &*value), (7, &b"marks"[..]));
                file
            });
            let file = match file {
                Some(file) => file,
                None => {
                    let file = rustix::fs::memfd_create("made", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
                    rustix::fs::ftruncate(&file, 4096).unwrap();
                    keep.keep(7, b"marks", Some(file.as_fd()));
                    file
                }
            };
            for (lane, state) in lanes.iter_mut().enumerate() {
                let mut word = [0; 8];
                rustix::io::pread(&file, &mut word, 8 * lane as u64).unwrap();
                let mut released_here = u64::from_le_bytes(word);
                if let Some((0, pending, mark)) = released
                    && pending == lane
                {
                    released_here = released_here.max(mark);
                }
                (state.released, state.next) = (released_here, released_here + 1);
            }
            marks = Some(file);
        }
        let shared = Arc::new(Shared {
            lanes: lanes.map(Mutex::new),
            room,
            most: buffers as usize,
            ending: AtomicBool::new(false),
            marks,
            waker,
        });
        let switch =
            Box::new(MadeSwitch { shared: Arc::clone(&shared), wants: Arc::default(), thread: None });
        Ok(Opened { switch, feeds: vec![Box::new(MadeFeed(shared))], gap })
    }
}

#[derive(Debug)]
struct MadeSwitch {
    shared: Arc<Shared>,
    wants: Arc<Mutex<Wants>>,
    thread: Option<JoinHandle<()>>,
}

impl Switch for MadeSwitch {
    fn want(&mut self, wants: &Wants) -> Result<Vec<String>, Error> {
        if wants.tracing.sample_interval == Some(1) {
            return Err(Error::new(Code::INVALID_PARAMETER, "samples cannot be so close"));
        }
        let former = std::mem::replace(&mut *locked(&self.wants), wants.clone());
        let new = wants.kernel_flags & !former.kernel_flags;
        if new & PROCESS != 0 {
            self.shared.log(0, DCSTART, false);
        }
        if new & FLOOD != 0 {
            for lane in 0..LANES {
                self.shared.flood(lane);
            }
        }
        if self.thread.is_none() {
            let (shared, wants) = (Arc::clone(&self.shared), Arc::clone(&self.wants));
            self.thread = Some(std::thread::spawn(move || {
                while !shared.ending.load(Ordering::SeqCst) {
                    let now = locked(&wants).clone();
                    for lane in 0..LANES {
                        if now.kernel_flags & SWITCHES != 0 {
                            (0..20).for_each(|_| shared.log(lane, SWITCH, false));
                        }
                        if now.providers.iter().any(|enable| enable.provider == MADE && enable.level >= 4) {
                            shared.log(lane, 0, true);
                        }
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }));
        }
        let stacks = !wants.tracing.stacks.is_empty();
        Ok(stacks.then(|| "stacks are not made".to_owned()).into_iter().collect())
    }

    fn capture_state(&mut self, _: Option<Guid>) {
        self.shared.log(0, DCSTART, false);
    }

    fn stop(&mut self) {
        self.shared.ending.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
        (0..LANES).for_each(|lane| self.shared.log(lane, DCEND, false));
    }
}

#[derive(Debug)]
struct MadeFeed(Arc<Shared>);

impl Feed for MadeFeed {
    fn lanes(&self) -> usize {
        LANES
    }

    fn waiting(&mut self, lane: usize, partial: bool) -> Result<Option<Waiting>, &'static str> {
        let place = &mut *locked(&self.0.lanes[lane]);
        // What is handed out does not change any more, though more is logged meanwhile.
        if partial && place.batches.is_empty() && !place.filling.is_empty() {
            let filled = std::mem::take(&mut place.filling);
            place.batches.push_back((filled, false, place.next - 1));
        }
        let front = place.batches.front();
        Ok(front.map(|(batch, whole, mark)| Waiting { bytes: batch.len(), whole: *whole, mark: *mark }))
    }

    fn copy(&self, lane: usize, _: &Waiting, from: usize, out: &mut [u8]) {
        let place = locked(&self.0.lanes[lane]);
        out.copy_from_slice(&place.batches.front().unwrap().0[from..from + out.len()]);
    }

    fn release(&mut self, lane: usize, waiting: &Waiting) {
        let place = &mut *locked(&self.0.lanes[lane]);
        place.batches.pop_front();
        place.released = waiting.mark;
        if let Some(marks) = &self.0.marks {
            rustix::io::pwrite(marks, &waiting.mark.to_le_bytes(), 8 * lane as u64).unwrap();
        }
    }

    fn lost(&mut self, lane: usize) -> u64 {
        locked(&self.0.lanes[lane]).lost
    }
}

// -------------------------------------------------------------------------------------- the tests

/// An engine whose daemon is this program, with the made source.
fn engine(place: &Place, kind: &str) -> Engine {
    let owner = format!("TRACEWELL_OWNER={}", std::process::id());
    let program = std::env::current_exe().unwrap();
    let words =
        ["/usr/bin/env".into(), owner.into(), program.into(), "serve".into(), place.text("run").into()];
    Engine::new(place.runtime(), words.into_iter().chain([kind.into()]).collect())
}

fn asked(name: &str, file: String, flags: u32) -> Properties {
    Properties {
        name: name.into(),
        log_file: file,
        buffer_size: 4,
        maximum_buffers: 8,
        flush_timer: 20,
        enable_flags: flags,
        mode: LogFileMode::SEQUENTIAL.with(LogFileMode::REAL_TIME),
        ..Properties::default()
    }
}

/// What the records of the made source say.
#[derive(Debug, Default)]
struct Seen {
    /// Numbers of each lane, in order of time.
    numbers: BTreeMap<u16, Vec<u64>>,
    hooks: BTreeMap<u16, u64>,
    of_provider: u64,
}

impl Seen {
    fn take(&mut self, record: &Record<'_>) {
        let hook = record.hook().filter(|hook| [DCSTART, DCEND, SWITCH].contains(hook));
        // The daemon's own rundown of programs is longer.
        let made = record.payload().len() == 8 && (hook.is_some() || record.guid() == MADE);
        let Some(number) = record.payload().first_chunk().filter(|_| made) else { return };
        self.numbers.entry(record.cpu()).or_default().push(u64::from_le_bytes(*number));
        match hook {
            Some(hook) => *self.hooks.entry(hook).or_default() += 1,
            None => self.of_provider += 1,
        }
    }

    fn of(path: &std::path::Path) -> Seen {
        let bytes = std::fs::read(path).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let mut seen = Seen::default();
        let mut records = trace.by_time();
        while let Some(record) = records.next() {
            seen.take(&record);
        }
        assert!(records.ledger().is_clean() && trace.ledger().is_clean(), "{:?}", trace.ledger());
        seen
    }

    fn count(&self) -> u64 {
        self.numbers.values().map(|numbers| numbers.len() as u64).sum()
    }

    /// Checks that no number comes twice or out of order; how many are missing.
    fn missing(&self) -> u64 {
        let of_lane = |numbers: &Vec<u64>| {
            assert!(numbers.is_sorted_by(|a, b| a < b), "numbers ascend");
            numbers.last().unwrap() - numbers.len() as u64
        };
        self.numbers.values().map(of_lane).sum()
    }
}

provider!(static SHOP = "Tracewell-Test-Sources");

fn issue_13_a_session_combines_a_second_source_with_programs() {
    let place = Place::new("sources");
    let engine = engine(&place, "plain");
    assert!(place.runtime().use_for_providers());
    SHOP.register();
    engine.start(&asked("both", place.text("both.etl"), PROCESS | SWITCHES)).unwrap();
    assert!(engine.has_system_events());
    let mut consumer = engine.attach("both", Backlog::Lose).unwrap();
    let reader = std::thread::spawn(move || {
        let mut seen = Seen::default();
        while let Some(batch) = consumer.next(PATIENCE).unwrap() {
            batch.records().for_each(|record| seen.take(&record));
        }
        (seen, consumer.losses())
    });
    common::wait_until_known(&engine, SHOP.guid());
    engine.enable("both", &Enable::all_of(SHOP.guid())).unwrap();
    engine.enable("both", &Enable { level: 4, ..Enable::all_of(MADE) }).unwrap();
    let event = EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 0 };
    let written: u64 = (0..100_u32).map(|i| u64::from(SHOP.write(&event, &(i,)).written)).sum();
    wait_for(|| engine.query("both").unwrap().events > 1000);
    engine.capture_state("both", MADE).unwrap();
    let status = engine.stop("both").unwrap();
    assert_eq!((status.rings_closed, &*status.fault, &*status.warnings), (0, "", &[][..]), "{status:?}");
    let file = Seen::of(&place.path("both.etl"));
    let (live, losses) = reader.join().unwrap();
    assert_eq!(written, 100);
    assert_eq!(status.events, file.count() + written, "all events are those of both sources");
    assert_eq!(status.events_lost, file.missing(), "events lost and events read add up");
    assert_eq!((file.hooks[&DCSTART], file.hooks[&DCEND]), (2, LANES as u64), "rundowns of start and end");
    assert!(file.of_provider > 0 && file.numbers.len() == LANES);
    let unseen = losses.consumer_events;
    // What was logged before the consumer was attached is not for it.
    let before: u64 = live.numbers.values().map(|numbers| numbers[0] - 1).sum();
    let all = live.count() + unseen + before;
    assert!(all >= file.count(), "{} {unseen} {before} {}", live.count(), file.count());
    for (lane, numbers) in &live.numbers {
        let missing = numbers.last().unwrap() + 1 - numbers[0] - numbers.len() as u64;
        assert!(
            missing <= unseen + status.events_lost,
            "lane {lane}: what a live consumer misses is counted"
        );
        assert_eq!(numbers.last(), file.numbers[lane].last(), "it sees the end");
    }
}

fn issue_13_losses_of_a_source_are_attributed_and_balance() {
    let place = Place::new("sources-lost");
    let engine = engine(&place, "plain");
    engine.start(&asked("flood", place.text("flood.etl"), FLOOD)).unwrap();
    let status = engine.stop("flood").unwrap();
    let file = Seen::of(&place.path("flood.etl"));
    assert!(status.events_lost > 0, "a flood that fits into the buffers shows nothing");
    assert_eq!(status.events, file.count());
    assert_eq!(
        (file.missing(), file.count() + status.events_lost),
        (status.events_lost, LANES as u64 * (FLOODED + 1))
    );
    assert_eq!(u64::from(common::lost(&place.path("flood.etl")).0), status.events_lost);
}

fn issue_13_what_cannot_be_delivered_is_refused_or_warned_of() {
    let place = Place::new("sources-wants");
    let engine = engine(&place, "plain");
    let refused = |result: Result<_, Error>, code: Code, word: &str| {
        let error: Error = result.map(|_: ()| ()).unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.detail.contains(word), "{error}");
    };
    let start = |name: &str, flags| engine.start(&asked(name, place.text("x.etl"), flags));
    refused(start("none", 0x8000).map(drop), Code::NOT_SUPPORTED, "0x8000");
    assert_eq!(engine.list().unwrap().len(), 0, "a refused session does not run");
    let some = start("some", SWITCHES | 0x8000).unwrap();
    assert!(some.warnings.iter().any(|warning| warning.contains("0x8000")), "{some:?}");
    // `Windows Kernel Trace`: its keywords are the flags.
    let kernel = Guid::parse("9e814aad-3204-11d2-9a82-006008a86939");
    refused(engine.enable("some", &Enable::all_of(kernel)), Code::INVALID_PARAMETER, "keywords");
    let flags = |any| Enable { any, ..Enable::all_of(kernel) };
    refused(engine.enable("some", &flags(0x4000)), Code::NOT_SUPPORTED, "0x4000");
    engine.enable("some", &flags(PROCESS.into())).unwrap();
    assert_eq!(engine.query("some").unwrap().properties.enable_flags, SWITCHES | 0x8000 | PROCESS);
    let update = |flags| engine.update("some", &Update { enable_flags: Some(flags), ..Update::default() });
    refused(update(0x4000).map(drop), Code::NOT_SUPPORTED, "0x4000");
    assert_eq!(update(SWITCHES).unwrap().warnings, [""; 0]);
    // What the source itself refuses, or warns of.
    let tracing = |stacks, sample_interval| SystemTracing { stacks, sample_interval };
    refused(engine.trace_system("some", &tracing(vec![], Some(1))), Code::INVALID_PARAMETER, "made source");
    engine.trace_system("some", &tracing(vec![(MADE, 1)], None)).unwrap();
    assert_eq!(engine.query("some").unwrap().warnings, ["made source: stacks are not made"]);
    // A source that keeps nothing cannot serve a session that only buffers.
    let memory = Properties { mode: LogFileMode::BUFFERING, ..asked("memory", String::new(), SWITCHES) };
    refused(engine.start(&memory).map(drop), Code::NOT_SUPPORTED, "only buffers");
    engine.disable("some", kernel).unwrap();
    let status = engine.query("some").unwrap();
    assert_eq!((status.properties.enable_flags, engine.stop("some").unwrap().events_lost), (0, 0));
    let file = Seen::of(&place.path("x.etl"));
    assert_eq!((file.missing(), file.hooks[&DCEND]), (0, LANES as u64), "disabled feeds are emptied");
    // A daemon without such a source.
    let other = Place::new("sources-none");
    let plain = other.engine();
    assert!(!plain.has_system_events());
    refused(plain.start(&asked("k", other.text("k.etl"), 1)).map(drop), Code::NOT_SUPPORTED, "no source");
    plain.start(&asked("k", other.text("k.etl"), 0)).unwrap();
    refused(plain.enable("k", &flags(1)), Code::NOT_SUPPORTED, "no source");
    refused(plain.enable("k", &flags(0)), Code::NOT_SUPPORTED, "no source");
    refused(plain.trace_system("k", &SystemTracing::default()), Code::NOT_SUPPORTED, "no source");
}

/// Kills the daemon of a session ten times while its source logs.
fn kill_often(engine: &Engine, name: &str) {
    for _ in 0..10 {
        let events = engine.query(name).unwrap().events;
        wait_for(|| engine.query(name).unwrap().events > events);
        let daemon = engine.daemon_status().unwrap().unwrap();
        assert!(daemon.kept);
        let pid = rustix::process::Pid::from_raw(daemon.pid.cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        wait_for(|| engine.daemon_status().unwrap().is_some_and(|now| now.pid != daemon.pid));
        // Longer than the life of a daemon that its keeper considers unable to run.
        std::thread::sleep(Duration::from_millis(60));
    }
}

fn issue_13_a_source_that_keeps_its_place_loses_nothing_with_a_daemon() {
    let place = Place::new("sources-resume");
    let engine = engine(&place, "resuming");
    engine.start(&asked("on", place.text("on.etl"), SWITCHES)).unwrap();
    kill_often(&engine, "on");
    let status = engine.stop("on").unwrap();
    let file = Seen::of(&place.path("on.etl"));
    assert_eq!((file.missing(), status.events_lost, &*status.warnings), (0, 0, &[][..]), "{status:?}");
    assert_eq!(status.events, file.count());
}

fn issue_13_a_source_that_starts_anew_says_that_events_are_missing() {
    let place = Place::new("sources-gap");
    let engine = engine(&place, "plain");
    engine.start(&asked("gap", place.text("gap.etl"), SWITCHES)).unwrap();
    kill_often(&engine, "gap");
    let status = engine.stop("gap").unwrap();
    assert!(status.events_lost >= 10, "each gap counts: {status:?}");
    assert!(status.warnings.iter().any(|warning| warning.contains("made source: the daemon was killed")));
    assert_eq!(u64::from(common::lost(&place.path("gap.etl")).0), status.events_lost);
}

const TESTS: [(&str, fn()); 5] = [
    (
        "issue_13_a_session_combines_a_second_source_with_programs",
        issue_13_a_session_combines_a_second_source_with_programs,
    ),
    (
        "issue_13_losses_of_a_source_are_attributed_and_balance",
        issue_13_losses_of_a_source_are_attributed_and_balance,
    ),
    (
        "issue_13_what_cannot_be_delivered_is_refused_or_warned_of",
        issue_13_what_cannot_be_delivered_is_refused_or_warned_of,
    ),
    (
        "issue_13_a_source_that_keeps_its_place_loses_nothing_with_a_daemon",
        issue_13_a_source_that_keeps_its_place_loses_nothing_with_a_daemon,
    ),
    (
        "issue_13_a_source_that_starts_anew_says_that_events_are_missing",
        issue_13_a_source_that_starts_anew_says_that_events_are_missing,
    ),
];

/// Speaks as the harness does that runners of tests expect, as far as they need it.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["serve", folder, kind] = words[..] {
        let source = Arc::new(Made { resumes: kind == "resuming" });
        Service::new(RuntimeDir::new(folder)).with_source(source).run().unwrap();
        return;
    }
    let has = |word| words.contains(&word);
    let mut out = std::io::stdout();
    let filters: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let is_meant = |name: &str| match has("--exact") {
        true => filters.contains(&name),
        false => filters.iter().all(|filter| *filter == "terse" || name.contains(filter)),
    };
    for (name, test) in TESTS {
        if has("--ignored") || !is_meant(name) {
            continue;
        }
        if has("--list") {
            writeln!(out, "{name}: test").unwrap();
        } else {
            test();
            writeln!(out, "test {name} ... ok").unwrap();
        }
    }
}
