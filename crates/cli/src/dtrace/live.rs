//! A run without a trace: BEGIN, END, and timed probes on real timers.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tracewell_dengine::Engine;
use tracewell_dengine::host::{Host, Names};
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::ir::Region;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Record;
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::names::NameTable;
use tracewell_probes::native;
use tracewell_probes::regions;
use tracewell_probes::replay::{Live, Needed};
use tracewell_probes::timer::Family;
use tracewell_session::{Batch, Error};
use tracewell_state::Machine;
use tracewell_symbols::{FileStore, Symbols};
use zerocopy::IntoBytes;

use super::fatal::Fatal;
use super::interrupt::Interrupt;
use super::output::RunOutput;
use super::process;
use super::session::{self, Session};
use super::watch::Watch;

/// The machine that we run on, at a firing.
#[derive(Debug)]
pub(super) struct LiveHost<'n> {
    names: &'n NameTable,
    start: Instant,
    me: process::Myself,
    /// Strings: program name, current directory, root, zone.
    strings: Vec<u8>,
    offsets: [u64; 4],
    thread: native::Thread,
    process: native::Process,
    cpu: native::Cpu,
    now: i64,
    wall: i64,
    args: [u64; 3],
}

impl<'n> LiveHost<'n> {
    /// A host whose clock starts now.
    #[must_use]
    pub(super) fn new(names: &'n NameTable) -> LiveHost<'n> {
        let me = process::Myself::new();
        let mut strings = Vec::new();
        let mut offsets = [0; 4];
        for (offset, text) in offsets.iter_mut().zip([me.name.as_str(), me.cwd.as_str(), "/", "global"]) {
            *offset = strings.len() as u64;
            strings.extend(text.bytes().filter(|&b| b != 0));
            strings.push(0);
        }
        let name = regions::NAMES.address(0);
        let process = native::Process {
            pid: me.pid,
            ppid: me.ppid,
            model: usize::BITS,
            name,
            command_line: name,
            ..native::Process::default()
        };
        let thread = native::Thread {
            tid: me.pid,
            pid: me.pid,
            ppid: me.ppid,
            process: regions::PROCESSES.address(0),
            name,
            state: 2,
            ..native::Thread::default()
        };
        let mut host = LiveHost {
            names,
            start: Instant::now(),
            me,
            strings,
            offsets,
            thread,
            process,
            cpu: native::Cpu::default(),
            now: 0,
            wall: 0,
            args: [0; 3],
        };
        host.tick();
        host
    }

    /// Reads the clocks for a firing.
    fn tick(&mut self) {
        self.now = self.me.clock_base.wrapping_add(self.start.elapsed().as_nanos() as i64);
        self.wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i64);
    }

    fn string(&self, which: usize) -> u64 {
        regions::NAMES.address(self.offsets[which])
    }
}

impl Host for LiveHost<'_> {
    fn builtin(&mut self, probe: ProbeId, var: BuiltinVar) -> u64 {
        match var {
            BuiltinVar::Timestamp | BuiltinVar::EtwTimestamp | BuiltinVar::Vtimestamp => self.now as u64,
            BuiltinVar::Walltimestamp | BuiltinVar::EtwWalltimestamp => self.wall as u64,
            BuiltinVar::Pid | BuiltinVar::Tid => u64::from(self.me.pid),
            BuiltinVar::Ppid => u64::from(self.me.ppid),
            BuiltinVar::Uid => u64::from(self.me.uid),
            BuiltinVar::Gid => u64::from(self.me.gid),
            BuiltinVar::Execname | BuiltinVar::Threadname => self.string(0),
            BuiltinVar::Cwd => self.string(1),
            BuiltinVar::Root => self.string(2),
            BuiltinVar::Zonename => self.string(3),
            // No event fires the probes of this host: the end of the last text.
            BuiltinVar::Eventname => regions::NAMES.address(self.strings.len().saturating_sub(1) as u64),
            BuiltinVar::Curthread => regions::THREADS.address(0),
            BuiltinVar::CurcpuNative => regions::CPU.address(0),
            _ => self.names.address(probe, var),
        }
    }

    fn arg(&mut self, n: u32) -> u64 {
        self.args.get(n as usize).copied().unwrap_or(0)
    }

    fn memory(&self, address: u64) -> Option<&[u8]> {
        let (region, offset) = Region::split(address)?;
        let at = usize::try_from(offset).ok()?;
        match region {
            regions::NAMES => self.strings.get(at..),
            regions::PROBES => self.names.memory(offset),
            regions::THREADS => self.thread.as_bytes().get(at..),
            regions::PROCESSES => self.process.as_bytes().get(at..),
            regions::CPU => self.cpu.as_bytes().get(at..),
            _ => None,
        }
    }

    fn progeny_of(&mut self, pid: u64) -> bool {
        pid == u64::from(self.me.pid) || pid == u64::from(self.me.ppid)
    }
}

/// The program counter that a timed probe finds when it interrupts us.
fn code_address() -> u64 {
    code_address as *const () as u64
}

struct Clock {
    probe: ProbeId,
    all_cpus: bool,
    interval: Duration,
    next: Instant,
}

/// What a live run looks at beside its probes.
pub(super) struct Watched<'a> {
    /// What the user presses.
    pub(super) interrupt: &'a Interrupt,
    /// The command or process of `-c` and `-p`: the run ends with it.
    pub(super) target: Option<process::Target>,
    /// The rate of `statusrate`, in nanoseconds: that the program has exited is seen at it, else at once.
    pub(super) status: Option<u64>,
    /// The terminal that shows the aggregations while they grow.
    pub(super) watch: Option<Watch>,
    /// The session that events come from and what it was asked for, when the program has probes on any.
    pub(super) session: Option<(Session, Needed)>,
    /// When the run began, where that was before it is entered: its events are those from then on.
    pub(super) began: Option<Instant>,
    /// Where symbols are looked for.
    pub(super) store: Option<&'a FileStore<'a>>,
    /// Whether addresses stay addresses.
    pub(super) plain: bool,
}

/// The events of a session on their way to a program.
struct Events<'s> {
    session: Session,
    live: Live<'s>,
    /// Whether call stacks are taken, and so images are asked for.
    stacks: bool,
    /// When events came last, until what waits for others was fired.
    came: Option<Instant>,
}

impl Events<'_> {
    /// When nothing has come for so long, nothing that was logged before is still on its way.
    const QUIET: Duration = Duration::from_millis(500);
    /// Most batches that are fired before timers and signals are looked at.
    const AT_ONCE: usize = 8;

    fn fire(&mut self, engine: &mut Engine, names: &NameTable, batch: &Batch, out: &mut RunOutput) {
        let records: Vec<Record<'_>> = batch.records().collect();
        self.live.fire(engine, names, &records, |pid| session::process(pid, self.stacks), out);
    }

    /// Fires what has come.
    fn take(
        &mut self,
        engine: &mut Engine,
        names: &NameTable,
        out: &mut RunOutput,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        for _ in 0..Self::AT_ONCE {
            let Some(batch) = self.session.next()? else {
                if self.came.is_some_and(|came| came.elapsed() > Self::QUIET) {
                    self.came = None;
                    self.live.fire(engine, names, &[], |pid| session::process(pid, self.stacks), out);
                }
                return Ok(());
            };
            self.came = Some(Instant::now());
            self.fire(engine, names, &batch, out);
        }
        // There may be more.
        interrupt.nudge();
        Ok(())
    }

    /// Ends the session, fires what was logged before, and tells what was not got.
    fn end(&mut self, engine: &mut Engine, names: &NameTable, out: &mut RunOutput) -> Result<(), Error> {
        self.session.end();
        while !engine.stopped()
            && let Some(batch) = self.session.last()?
        {
            self.fire(engine, names, &batch, out);
        }
        self.live.fire(engine, names, &[], |pid| session::process(pid, self.stacks), out);
        Ok(())
    }
}

/// Has something shown with the names of what is known.
fn named<R>(events: Option<&Events<'_>>, names: &NameTable, show: impl FnOnce(&dyn Names) -> R) -> R {
    match events {
        Some(events) => events.live.named(names, |names| show(names)),
        None => show(names),
    }
}

/// Runs a program until it exits, is interrupted, or its command ends; then `draw` makes pictures of its results, told when
/// the run began: by the clock of `timestamp`, and in nanoseconds since 1970.
pub(super) fn run(
    engine: &mut Engine,
    catalog: &ProbeCatalog<'_>,
    names: &NameTable,
    out: &mut RunOutput,
    watched: Watched<'_>,
    draw: impl FnOnce(&Engine, &Symbols<'_>, (i64, i64)) -> Result<(), Fatal>,
) -> Outcome {
    let Watched { interrupt, mut target, status, mut watch, session, began, store, plain } = watched;
    let mut host = LiveHost::new(names);
    host.tick();
    let epoch = host.wall.wrapping_sub(host.now);
    if let Some(began) = began {
        let ago = began.elapsed().as_nanos() as i64;
        (host.now, host.wall) = (host.now.saturating_sub(ago), host.wall.saturating_sub(ago));
    }
    let run_began = (host.now, host.wall);
    let mut events = session.map(|(session, needed)| {
        let live = Live::new(engine, catalog, session.clock(), epoch, &needed);
        let live = match store {
            Some(store) => live.with_store(store),
            None => live,
        };
        let live = if plain { live.with_plain_addresses() } else { live };
        let stacks = needed.providers.iter().any(|provider| provider.stacks);
        Events { session, live, stacks, came: None }
    });
    let mut gone = None;
    engine.fire(ProbeId::BEGIN, 0, &mut host);
    if let Some(target) = &mut target {
        target.go();
    }
    let start = Instant::now();
    let mut clocks: Vec<Clock> = catalog
        .iter()
        .filter(|(info, _)| engine.is_enabled(info.id))
        .filter_map(|(info, kind)| match kind {
            Kind::Timer(t) if t.family != Family::Sample => {
                let interval = Duration::from_nanos(t.interval as u64);
                Some(Clock {
                    probe: info.id,
                    all_cpus: t.family == Family::Profile,
                    interval,
                    next: start + interval,
                })
            }
            _ => None,
        })
        .collect();
    let here = code_address();
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let mut drain_at = start;
    let mut draw_at = start;
    let rate = Duration::from_nanos(status.unwrap_or(0));
    let mut look_at = start + rate;
    loop {
        if interrupt.raised() || out.closed() || gone.is_some() {
            break;
        }
        if let Some(events) = &mut events {
            gone = events.take(engine, names, out, interrupt).err();
            if events.session.is_over() {
                break;
            }
        }
        if engine.stopped() {
            if status.is_none() || look_at <= Instant::now() {
                break;
            }
            interrupt.wait_until(look_at);
            continue;
        }
        if status.is_some() && look_at <= Instant::now() {
            look_at += rate.max(Duration::from_millis(1));
            continue;
        }
        if target.as_mut().is_some_and(process::Target::ended) {
            break;
        }
        let switch = Duration::from_nanos(engine.options().switchrate.max(1_000_000));
        let now = Instant::now();
        if now >= drain_at {
            if engine.pending()
                && let Some(watch) = &mut watch
            {
                watch.erase(out);
            }
            named(events.as_ref(), names, |names| engine.drain(names, out));
            out.flush();
            drain_at = now + switch;
            continue;
        }
        let mut until = drain_at;
        if let Some(watch) = &mut watch {
            if now >= draw_at {
                let picture = named(events.as_ref(), names, |names| engine.picture(names));
                watch.draw(&picture, out);
                draw_at = now + Duration::from_nanos(engine.options().aggrate.max(20_000_000));
                continue;
            }
            until = until.min(draw_at);
        }
        if target.is_some() {
            until = until.min(now + Duration::from_millis(20));
        }
        if let Some(next) = clocks.iter().map(|c| c.next).min() {
            until = until.min(next);
        }
        interrupt.wait_until(until);
        let now = Instant::now();
        // Due firings in order of their moments; a late one fires as often as its moment has passed.
        while let Some(clock) = clocks.iter_mut().filter(|c| c.next <= now).min_by_key(|c| c.next) {
            host.tick();
            let late = now.saturating_duration_since(clock.next).as_nanos() as u64;
            clock.next += clock.interval;
            let (probe, all) = (clock.probe, clock.all_cpus);
            for cpu in 0..if all { cpus } else { 1 } {
                host.cpu.id = cpu;
                // Where we are, in the user's half of the address space, and for profile how late.
                host.args = [0, here, if all { late } else { 0 }];
                engine.fire(probe, cpu, &mut host);
            }
            host.args = [0; 3];
            if engine.stopped() {
                break;
            }
        }
    }
    if let Some(watch) = &mut watch {
        watch.erase(out);
    }
    let mut lost = 0;
    if let Some(events) = &mut events {
        gone = gone.or(events.end(engine, names, out).err());
        lost = events.session.lost();
    }
    host.cpu.id = 0;
    host.tick();
    engine.fire(ProbeId::END, 0, &mut host);
    named(events.as_ref(), names, |names| engine.finish(names, out));
    out.flush();
    let unread = events.as_ref().map_or(0, |events| events.live.outcome().unread);
    let drawn = match &events {
        Some(events) => events.live.with_symbols(|symbols| draw(engine, symbols, run_began)),
        None => draw(engine, &Symbols::plain(&Machine::default()), run_began),
    };
    Outcome { lost, unread, gone, drawn }
}

/// What a live run did not get.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Events that the session lost, or that this command was too slow for.
    pub(super) lost: u64,
    /// Events of enabled probes that could not be read.
    pub(super) unread: u64,
    /// Why the session ended before the run.
    pub(super) gone: Option<Error>,
    /// Whether the pictures that were asked for are there.
    pub(super) drawn: Result<(), Fatal>,
}
