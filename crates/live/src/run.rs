//! A run without a trace: the events of a session, if the program needs any, and timed probes on real timers.
//!
//! The loop is that of all runs ([`replay::run`]); here is what it takes from this machine: the session's batches (`Events`),
//! and the clock, waiting, signals and the terminal (`Surroundings`).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tracewell_dengine::host::{Names, Output};
use tracewell_dengine::{Engine, Shown};
use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::{Clock, Record};
use tracewell_pid::Hits;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay::{
    self, Arrival, Driver, Feed, Learning, Learns, LiveProcess, Needed, Now, Question, Setting, Stream,
};
use tracewell_probes::undecoded::Undecoded;
use tracewell_session::{Batch, Error};
use tracewell_symbols::{FileStore, Symbols};
use tracewell_types::FileTime;

use crate::functions::Attached;
use crate::interrupt::Interrupt;
use crate::later::{Arrivals, Arrived, monotonic};
use crate::process;
use crate::session::{self, Session};

/// The clocks of a live run.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    start: Instant,
    /// The time at `start`, of the clock of `timestamp`.
    base: i64,
}

impl Clocks {
    fn read(&self) -> Now {
        let time = self.base.wrapping_add(self.start.elapsed().as_nanos() as i64);
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
        Now { time, wall, raw: 0 }
    }

    /// The moment at which the clock of `timestamp` shows a time.
    fn moment(&self, time: i64) -> Instant {
        let after = u64::try_from(time.saturating_sub(self.base)).unwrap_or(0);
        let far = Duration::from_secs(3600);
        self.start.checked_add(Duration::from_nanos(after)).unwrap_or_else(|| Instant::now() + far)
    }
}

/// The program counter that a timed probe finds when it interrupts us.
fn code_address() -> u64 {
    code_address as *const () as u64
}

/// Where the aggregations are drawn while they grow.
pub trait Picture {
    /// How they are to be shown.
    fn shown(&self) -> Shown {
        Shown::default()
    }

    /// Returns `true` if they are to be drawn now, though it is not time, because the user asked for something else.
    fn is_stale(&self) -> bool {
        false
    }

    /// Draws them in place of those that were drawn before.
    fn draw(&mut self, picture: &[u8], out: &mut dyn Output);

    /// Takes the picture away.
    fn erase(&mut self, out: &mut dyn Output);
}

/// What a live run looks at beside its probes.
pub struct Watched<'a> {
    /// What the user presses.
    pub interrupt: &'a Interrupt,
    /// The command or process of `-c` and `-p`: the run ends with it.
    pub target: Option<process::Target>,
    /// The rate of `statusrate`, in nanoseconds: that the program has exited is seen at it, else at once.
    pub status: Option<u64>,
    /// The terminal that shows the aggregations while they grow.
    pub watch: Option<Box<dyn Picture>>,
    /// The session that events come from and what it was asked for, when the program has probes on any.
    pub session: Option<(Session, Needed)>,
    /// What watches functions of processes, when the program has probes on any.
    pub functions: Option<Attached>,
    /// When the run began, where that was before it is entered: its events are those from then on.
    pub began: Option<Instant>,
    /// Where symbols are looked for.
    pub store: Option<&'a FileStore<'a>>,
    /// Whether addresses stay addresses.
    pub plain: bool,
}

/// The batches of a session.
struct Events {
    session: Option<Session>,
    batch: Batch,
    functions: Option<Attached>,
    hits: Hits,
    /// Converts nanoseconds of the monotonic clock to the raw times of the session.
    raw: Box<dyn FnMut(i64) -> i64>,
    /// The batch that came last is that of the functions.
    of_functions: bool,
    /// The functions are asked first.
    functions_first: bool,
    clock: Clock,
    setting: Setting,
    /// Whether call stacks are taken, and so images are asked for.
    stacks: bool,
    /// When events came last, until it is said that nothing more is on its way.
    came: Option<Instant>,
    closed: bool,
    /// Why the session ended before the run.
    gone: Option<Error>,
    /// Who a process is is asked ([`Stream::process`]), as no records of the kernel say it.
    asks: bool,
    writers: Writers,
}

/// The processes that a session names: also those that have ended since.
#[derive(Default)]
struct Writers {
    /// By id.
    named: HashMap<u32, LiveProcess>,
    /// Those that were asked for.
    asked: HashSet<u32>,
    /// Those of them that were named anew since.
    changed: Vec<LiveProcess>,
}

impl Writers {
    /// Most that are remembered: more than a session names at once.
    const MOST: usize = 1 << 16;

    /// Takes note of what the records of a batch name.
    fn learn(&mut self, batch: &Batch) {
        for found in batch.records().filter_map(|record| tracewell_session::writer(&record)) {
            let process = session::live_process(found, Vec::new());
            if self.asked.contains(&process.pid) {
                self.changed.push(process.clone());
            }
            if self.named.len() < Self::MOST {
                self.named.insert(process.pid, process);
            }
        }
    }

    /// What was named under an id.
    fn get(&mut self, pid: u32) -> Option<&LiveProcess> {
        if self.asked.len() < Self::MOST {
            self.asked.insert(pid);
        }
        self.named.get(&pid)
    }
}

impl Events {
    /// When nothing has come for so long, nothing that was logged before is still on its way.
    const QUIET: Duration = Duration::from_millis(500);
}

impl Stream for Events {
    fn setting(&self) -> Setting {
        self.setting.clone()
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn next(&mut self) -> Arrival {
        // Neither source may keep the other one waiting.
        self.functions_first = !self.functions_first;
        if self.functions_first && self.take_hits() {
            return Arrival::Records;
        }
        let arrival = self.next_of_session();
        self.of_functions = false;
        let hits = arrival != Arrival::Records && !self.functions_first && self.take_hits();
        if hits { Arrival::Records } else { arrival }
    }

    fn records(&self) -> Vec<Record<'_>> {
        if self.of_functions { self.hits.records().collect() } else { self.batch.records().collect() }
    }

    fn close(&mut self) {
        self.closed = true;
        if let Some(functions) = &mut self.functions {
            functions.end();
        }
        if let Some(session) = &mut self.session {
            session.end();
        }
    }

    fn process(&mut self, pid: u32) -> Option<LiveProcess> {
        let watched = self.functions.as_ref().and_then(|functions| functions.process(pid));
        watched.or_else(|| {
            let running = session::process(pid, self.stacks);
            // The same names as in a file of the session.
            let Some(named) = self.writers.get(pid) else { return running };
            let images = running.map(|running| running.images).unwrap_or_default();
            Some(LiveProcess { images, ..named.clone() })
        })
    }

    fn is_over(&self, tid: u32) -> bool {
        process::is_over(tid)
    }

    fn changed(&mut self) -> Vec<LiveProcess> {
        let mut changed = self.functions.as_mut().map_or_else(Vec::new, Attached::changed);
        changed.append(&mut self.writers.changed);
        changed
    }
}

impl Events {
    fn take_hits(&mut self) -> bool {
        let Some(functions) = &mut self.functions else { return false };
        let raw = &mut self.raw;
        functions.take(&mut self.hits, &mut |time| raw(time));
        self.of_functions = !self.hits.is_empty();
        self.of_functions
    }

    fn next_of_session(&mut self) -> Arrival {
        let end = if self.closed { Arrival::End } else { Arrival::Nothing };
        let Some(session) = &mut self.session else { return end };
        let next = if self.closed { session.last() } else { session.next_batch() };
        match next {
            Ok(Some(batch)) => {
                self.came = Some(Instant::now());
                if self.asks {
                    self.writers.learn(&batch);
                }
                self.batch = batch;
                Arrival::Records
            }
            Ok(None) if session.is_over() => Arrival::End,
            Ok(None) if self.came.is_some_and(|came| came.elapsed() > Self::QUIET) => {
                self.came = None;
                Arrival::Quiet
            }
            Ok(None) => end,
            Err(error) => {
                self.gone.get_or_insert(error);
                Arrival::End
            }
        }
    }
}

/// Converts nanoseconds of the monotonic clock to the raw times of sessions.
fn raw_clock() -> Box<dyn FnMut(i64) -> i64> {
    #[cfg(target_os = "linux")]
    {
        let mut clock = tracewell_session::engine::source::RawClock::start();
        Box::new(move |time| clock.of_monotonic(time))
    }
    #[cfg(not(target_os = "linux"))]
    Box::new(|time| time)
}

/// What surrounds a live run.
struct Surroundings<'a> {
    clocks: Clocks,
    interrupt: &'a Interrupt,
    target: Option<process::Target>,
    status: Option<Duration>,
    watch: Option<Box<dyn Picture>>,
    began: Instant,
    drain_at: Instant,
    draw_at: Instant,
    /// Hits of functions wait in a ring that is read by the clock.
    polls: bool,
    /// Destructive actions that had no effect, by name.
    without_effect: BTreeSet<&'static str>,
    /// What lets the kernel do what clauses do to processes.
    openings: Vec<Box<dyn Fn()>>,
    /// The probes that were placed since the run began, and the table of their names.
    arrivals: (Arrivals, &'a NameTable),
}

impl Surroundings<'_> {
    /// How often to read the ring of hits.
    const POLL: Duration = Duration::from_millis(5);

    /// How often to look whether the command has ended.
    const TARGET: Duration = Duration::from_millis(20);
}

impl Driver for Surroundings<'_> {
    fn ends(&mut self) -> bool {
        self.interrupt.raised() || self.target.as_mut().is_some_and(process::Target::ended)
    }

    fn now(&mut self) -> Option<Now> {
        Some(self.clocks.read())
    }

    fn began(&mut self) {
        self.openings.iter().for_each(|open| open());
        if let Some(target) = &mut self.target {
            target.go();
        }
        let now = Instant::now();
        (self.began, self.drain_at, self.draw_at) = (now, now, now);
    }

    fn show(&mut self, engine: &mut Engine, names: &dyn Names, out: &mut dyn Output) {
        let (arrivals, table) = &self.arrivals;
        for Arrived { id, names, clauses } in arrivals.borrow_mut().drain(..) {
            if table.add_later(id, names.each_ref().map(String::as_str)) {
                engine.enable(id, &clauses);
            }
        }
        self.without_effect.append(&mut process::carry_out(&engine.take_deeds()));
        let now = Instant::now();
        if now >= self.drain_at {
            engine.drain(names, out);
            out.flush();
            self.drain_at = now + Duration::from_nanos(engine.options().switchrate.max(1_000_000));
        }
        if let Some(watch) = &mut self.watch
            && (now >= self.draw_at || watch.is_stale())
            && !engine.stopped()
        {
            let at = i64::try_from((now - self.clocks.start).as_nanos()).unwrap_or(i64::MAX);
            watch.draw(&engine.picture(names, &watch.shown(), at), out);
            self.draw_at = now + Duration::from_nanos(engine.options().aggrate.max(20_000_000));
        }
    }

    fn wait(&mut self, until: i64) {
        let mut moment = self.clocks.moment(until).min(self.drain_at);
        if self.watch.is_some() {
            moment = moment.min(self.draw_at);
        }
        if self.polls {
            moment = moment.min(Instant::now() + Self::POLL);
        }
        if self.target.is_some() {
            moment = moment.min(Instant::now() + Self::TARGET);
        }
        self.interrupt.wait_until(moment);
    }

    fn stopped(&mut self) {
        let Some(rate) = self.status else { return };
        let mut look_at = self.began + rate;
        while look_at <= Instant::now() {
            look_at += rate.max(Duration::from_millis(1));
        }
        while !self.interrupt.raised() && Instant::now() < look_at {
            self.interrupt.wait_until(look_at);
        }
    }
}

/// Runs a program until it exits, is interrupted, or its command ends. Then calls `draw` for pictures of its results, with
/// the start of the run: by the clock of `timestamp`, and in nanoseconds since 1970.
pub fn run<E>(
    engine: &mut Engine,
    catalog: &ProbeCatalog<'_>,
    names: &NameTable,
    out: &mut dyn Output,
    watched: Watched<'_>,
    draw: impl FnOnce(&Engine, &Symbols<'_>, (i64, i64)) -> Result<(), E>,
) -> Outcome<E> {
    let Watched { interrupt, target, status, watch, session, functions, began, store, plain } = watched;
    let (me, base) = (process::myself(code_address()), process::clock_base());
    let now = Instant::now();
    let clocks = Clocks { start: now, base };
    let mut start = clocks.read();
    if let Some(began) = began {
        let ago = began.elapsed().as_nanos() as i64;
        (start.time, start.wall) = (start.time.saturating_sub(ago), start.wall.saturating_sub(ago));
    }
    let (session, needed) = session.unzip();
    let needed = needed.unwrap_or_default();
    // Without a session only functions bring raw times: nanoseconds of the monotonic clock.
    let none = || {
        let (wall, raw) = (clocks.read().wall, monotonic());
        Clock::new(ClockType::PERFORMANCE_COUNTER, 1_000_000_000, FileTime::from_unix_ns(wall), raw)
    };
    let setting = Setting {
        pointer_bits: session.as_ref().map_or(usize::BITS, Session::pointer_bits),
        cpus: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        myself: Some(me),
        ..Setting::new(start)
    };
    let raw = if functions.is_some() && session.is_some() { raw_clock() } else { Box::new(|time| time) };
    let events = Events {
        clock: session.as_ref().map_or_else(none, Session::clock),
        session,
        batch: Batch::default(),
        setting,
        stacks: needed.providers.iter().any(|provider| provider.stacks)
            || functions.as_ref().is_some_and(|functions| functions.capture.stacks),
        hits: Hits::default(),
        raw,
        of_functions: false,
        functions_first: false,
        functions,
        came: None,
        closed: false,
        gone: None,
        asks: needed.system.is_none(),
        writers: Writers::default(),
    };
    let feed = Learning::new(events, engine.program(), Learns::live(&needed));
    let feed = match store {
        Some(store) => feed.with_store(store),
        None => feed,
    };
    let mut feed = if plain { feed.with_plain_addresses() } else { feed };
    let status = status.map(Duration::from_nanos);
    let polls = feed.stream().functions.is_some();
    let mut driver = Surroundings {
        clocks,
        interrupt,
        target,
        status,
        watch,
        began: now,
        drain_at: now,
        draw_at: now,
        polls,
        without_effect: BTreeSet::new(),
        openings: feed.stream().functions.as_ref().map_or_else(Vec::new, Attached::openings),
        arrivals: (feed.stream().functions.as_ref().map(Attached::arrivals).unwrap_or_default(), names),
    };
    let question = Question { engine, catalog, names, out };
    let outcome = replay::run(question, &mut feed, &mut driver);
    if let Some(watch) = &mut driver.watch {
        watch.erase(out);
    }
    out.flush();
    let mut remarks: Vec<String> = tracewell::run::cut_strings(engine.cut_strings())
        .into_iter()
        .filter(|_| !engine.options().bare)
        .collect();
    driver.without_effect.append(&mut process::carry_out(&engine.take_deeds()));
    if !driver.without_effect.is_empty() {
        let names = Vec::from_iter(driver.without_effect).join(", ");
        remarks.push(format!(
            "{names} had no effect: only raise() and stop() act, on processes that are still there"
        ));
    }
    if engine.deeds_left_out() > 0 {
        let count = tracewell::text::counted(engine.deeds_left_out(), "action", "actions");
        remarks.push(format!("{count} on processes left out: they came faster than they were done"));
    }
    remarks.extend(outcome.cpu_times_unknown.then(|| tracewell::run::CPU_TIMES_UNKNOWN.to_owned()));
    remarks.extend(feed.stream().functions.iter().flat_map(Attached::closing));
    remarks.extend(driver.target.as_mut().and_then(process::Target::failure));
    let lost = feed.stream().session.as_ref().map_or(0, Session::lost)
        + feed.stream().functions.as_ref().map_or(0, Attached::lost);
    let drawn = draw(engine, &feed.world().symbols, outcome.began);
    let gone = feed.into_stream().gone;
    Outcome { lost, unread: outcome.unread, undecoded: outcome.undecoded, gone, drawn, remarks }
}

/// What a live run did not get.
#[derive(Debug)]
pub struct Outcome<E> {
    /// Events that the session lost, or that this command was too slow for.
    pub lost: u64,
    /// Events of enabled probes that could not be read.
    pub unread: u64,
    /// Events that were read although they were not, or not by their own description, decoded.
    pub undecoded: Undecoded,
    /// Why the session ended before the run.
    pub gone: Option<Error>,
    /// Further remarks about the run.
    pub remarks: Vec<String>,
    /// Whether the pictures that were asked for are there.
    pub drawn: Result<(), E>,
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
