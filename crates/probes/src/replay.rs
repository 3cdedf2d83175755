//! From the records of traces, in time order, to firings.
//!
//! A record is first looked up by what it is (one load for kernel records, one hash for the rest); only
//! records that an enabled probe wants, or that move the timeline, are looked into.

use rustc_hash::FxHashMap;
use tracewell_decode::tracelogging::ProviderTraits;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Clock, Identity, Merge, Record, Trace};
use tracewell_schema::kernel;
use tracewell_state::{Machine, MachineBuilder, Needs, Switch, ThreadRef, Timeline, Who};
use tracewell_types::Guid;

use crate::catalog::{Kind, ProbeCatalog};
use crate::host::{HostState, Native, TraceHost};
use crate::layouts::{
    DiskLayout, FailLayout, ImageLayout, NetLayout, ProcessLayout, ReadyLayout, SampleLayout, ThreadLayout,
};
use crate::names::NameTable;
use crate::regions::{self, EVENT_PREFIX};
use crate::table::{Fire, PROBES};
use crate::timer::Family;

/// The providers whose events traces hold, in order of first sight, each by the name that its events
/// carry, else by its registered name, else by its GUID.
#[must_use]
pub fn providers(traces: &[Trace<'_>]) -> Vec<(Guid, String)> {
    let mut found: Vec<(Guid, Option<String>)> = Vec::new();
    let mut seen: FxHashMap<Guid, usize> = FxHashMap::default();
    let mut last = None;
    let mut wanted = Wanted::nothing();
    wanted.events = true;
    for trace in traces {
        let mut cursor = trace.file_order().only(wanted.clone());
        while let Some(record) = cursor.next() {
            let guid = record.guid();
            if last == Some(guid) {
                continue;
            }
            let index = *seen.entry(guid).or_insert_with(|| {
                found.push((guid, None));
                found.len() - 1
            });
            if found[index].1.is_none() {
                found[index].1 =
                    ProviderTraits::of_record(&record).map(|t| String::from_utf8_lossy(t.name).into_owned());
            }
            last = Some(guid);
        }
    }
    found
        .into_iter()
        .map(|(guid, carried)| {
            let registered = || tracewell_schema::providers::name(&guid).map(str::to_owned);
            let name = carried.or_else(registered).unwrap_or_else(|| guid.to_string());
            (guid, name)
        })
        .collect()
}

/// What of the machine a program asks for.
#[must_use]
pub fn needs(program: &Program) -> Needs {
    // File names reach a script only through the arguments of probes that speak of files; images not yet.
    Needs { files: program.clauses.iter().any(|c| c.uses.args), images: false, stacks: false }
}

/// The first pass, in file order: the machine over time. `progress` is told the number of records now
/// and then. Yields also the number of defining events that could not be read.
pub fn survey(traces: &[Trace<'_>], needs: Needs, mut progress: impl FnMut(u64)) -> (Machine, u64) {
    let mut builder = MachineBuilder::new().only(needs);
    let wanted = needs.records();
    let mut records = 0u64;
    for trace in traces {
        let mut cursor = trace.file_order().only(wanted.clone());
        while let Some(record) = cursor.next() {
            records += 1;
            if records & 0xffff == 0 {
                progress(records);
            }
            builder.observe(&record);
        }
    }
    if !needs.stacks && !builder.has_thread_rundown() {
        // No list of threads: what stacks say of whose they are is worth a second look at the trace.
        for trace in traces {
            let mut cursor = trace.file_order().only(Needs::stack_records());
            while let Some(record) = cursor.next() {
                builder.observe(&record);
            }
        }
    }
    let unread = builder.unread();
    (builder.finish(), unread)
}

/// What a run over traces did and did not understand.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Records delivered in time order.
    pub records: u64,
    /// Firings.
    pub firings: u64,
    /// Events of enabled probes that could not be read: layouts unknown or payloads too short.
    pub unread: u64,
    /// Places in the traces that were damaged.
    pub damaged: u64,
    /// Firings of timed probes that were left out because time jumped too far between two events.
    pub ticks_left_out: u64,
    /// Context switches that took off another thread than the one thought to run.
    pub inconsistent_switches: u64,
}

/// The enabled probes of one kind of record.
#[derive(Clone, Debug, Default)]
struct Slot {
    fixed: Vec<(ProbeId, Fire)>,
    samples: Vec<ProbeId>,
}

/// Probes to fire, found by what a record is.
#[derive(Debug)]
struct Dispatch {
    /// By `group << 8 | opcode`: 0 nothing, else a slot number plus one.
    hooks: Box<[u16; 1 << 16]>,
    classes: FxHashMap<(Guid, u8), u16>,
    slots: Vec<Slot>,
    providers: FxHashMap<Guid, Vec<ProbeId>>,
    clocks: Vec<Timed>,
}

/// A timed probe.
#[derive(Clone, Copy, Debug)]
struct Timed {
    probe: ProbeId,
    interval: i64,
    next: i64,
    every_cpu: bool,
}

/// Most firings of a timed probe between two events: a damaged time stamp must not fire for ever.
const MOST_TICKS: i64 = 10_000_000;

/// `group << 8 | opcode` of a context switch: these always move the timeline.
const CSWITCH: u16 = 0x0524;
/// PerfInfo's event type of a sample.
const SAMPLE: u8 = 46;

impl Dispatch {
    fn new(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Dispatch {
        let mut d = Dispatch {
            hooks: Box::new([0; 1 << 16]),
            classes: FxHashMap::default(),
            slots: Vec::new(),
            providers: FxHashMap::default(),
            clocks: Vec::new(),
        };
        for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
            match kind {
                Kind::Begin | Kind::End | Kind::Error => {}
                Kind::Timer(t) if t.family == Family::Sample => {
                    let slot = d.slot("PerfInfo", SAMPLE);
                    if let Some(slot) = slot {
                        d.slots[slot].samples.push(info.id);
                    }
                }
                Kind::Timer(t) => d.clocks.push(Timed {
                    probe: info.id,
                    interval: t.interval,
                    next: 0,
                    every_cpu: t.family == Family::Profile,
                }),
                Kind::Fixed(def) => {
                    for &opcode in def.opcodes {
                        if let Some(slot) = d.slot(def.class, opcode) {
                            d.slots[slot].fixed.push((info.id, def.fire));
                        }
                    }
                }
                Kind::Events(guid) => d.providers.entry(guid).or_default().push(info.id),
            }
        }
        // One switch takes a thread off before it puts another on, whatever the order of the probes.
        for slot in &mut d.slots {
            slot.fixed.sort_by_key(|(id, fire)| (*fire != Fire::OffCpu, *id));
        }
        d
    }

    /// What must be delivered for these probes, and to know who runs where.
    fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::nothing();
        wanted.add_hook(CSWITCH);
        for hook in 0..=u16::MAX {
            if self.hooks[usize::from(hook)] != 0 {
                wanted.add_hook(hook);
            }
        }
        wanted.classes = !self.classes.is_empty();
        wanted.events = !self.providers.is_empty();
        wanted
    }

    /// The slot of a class's event type, made and entered under its hooks and its GUID.
    fn slot(&mut self, class: &str, opcode: u8) -> Option<usize> {
        let class = kernel::class(class)?;
        let number = match self.classes.get(&(class.guid, opcode)) {
            Some(&number) => number,
            None => {
                self.slots.push(Slot::default());
                let number = u16::try_from(self.slots.len()).ok()?;
                self.classes.insert((class.guid, opcode), number);
                // A class's records may stand in the group of another one too: ask for each group.
                for group in 0..=u8::MAX {
                    if kernel::by_hook(group, opcode).is_some_and(|c| c.guid == class.guid) {
                        self.hooks[usize::from(group) << 8 | usize::from(opcode)] = number;
                    }
                }
                number
            }
        };
        Some(usize::from(number) - 1)
    }
}

/// Layouts met so far, by class event, version and pointer size.
#[derive(Debug, Default)]
struct Layouts {
    /// The layout used last, which is mostly the one wanted next.
    known: FxHashMap<(u16, u8, u8, Fire), Option<Layout>>,
    /// Samples are many and mostly of one layout: the last one, by version and pointer size.
    sample: Option<(u8, u8, Option<SampleLayout>)>,
}

#[derive(Debug)]
enum Layout {
    Disk(Box<DiskLayout>),
    Net(Box<NetLayout>),
    Fail(FailLayout),
    Image(ImageLayout),
    Process(ProcessLayout),
    Thread(ThreadLayout),
    Ready(ReadyLayout),
    /// Nothing of the payload is needed beyond what the timeline read.
    Switch,
}

impl Layouts {
    fn get(&mut self, slot: u16, record: &Record<'_>, fire: Fire) -> Option<&Layout> {
        let key = (slot, record.version(), record.pointer_size(), fire);
        self.known
            .entry(key)
            .or_insert_with(|| {
                let layout = tracewell_decode::kernel_event(record)?.version;
                let pointer = record.pointer_size();
                Some(match fire {
                    Fire::Disk => Layout::Disk(Box::new(DiskLayout::new(layout, pointer))),
                    Fire::Net => Layout::Net(Box::new(NetLayout::new(layout, pointer))),
                    Fire::NetFail => Layout::Fail(FailLayout::new(layout, pointer)),
                    Fire::Image => Layout::Image(ImageLayout::new(layout, pointer)),
                    Fire::Process | Fire::ProcessExit => Layout::Process(ProcessLayout::new(layout, pointer)),
                    Fire::Thread | Fire::ThreadExit => Layout::Thread(ThreadLayout::new(layout, pointer)),
                    Fire::Wakeup => Layout::Ready(ReadyLayout::new(layout, pointer)),
                    Fire::OnCpu | Fire::OffCpu => Layout::Switch,
                })
            })
            .as_ref()
    }

    #[inline]
    fn sample(&mut self, record: &Record<'_>) -> Option<&SampleLayout> {
        let (version, pointer) = (record.version(), record.pointer_size());
        if self.sample.as_ref().is_none_or(|(v, p, _)| (*v, *p) != (version, pointer)) {
            let layout =
                tracewell_decode::kernel_event(record).map(|e| SampleLayout::new(e.version, pointer));
            self.sample = Some((version, pointer, layout));
        }
        self.sample.as_ref()?.2.as_ref()
    }
}

/// One run of a program over traces.
struct Replay<'r> {
    engine: &'r mut Engine,
    names: &'r NameTable,
    out: &'r mut dyn Output,
    machine: &'r Machine,
    state: HostState,
    layouts: Layouts,
    outcome: Outcome,
}

/// When and where a firing happens.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'c> {
    pub(crate) instant: Instant<'c>,
    /// Raw time of the event, by which the machine's tables go.
    pub(crate) raw: i64,
    pub(crate) cpu: u32,
    /// Pointer size of the traced system.
    pub(crate) pointer_bits: u32,
}

/// A point in time. Most firings are never asked for theirs, so an event's is converted on demand.
#[derive(Clone, Copy)]
pub(crate) enum Instant<'c> {
    /// An event's raw time, on its trace's clock, which is so many nanoseconds off the first trace's.
    Event(&'c Clock, i64, i64),
    /// Nanoseconds of the first trace's counter, and since 1970.
    Fixed(i64, i64),
}

impl Instant<'_> {
    /// Nanoseconds of the (first) trace's counter.
    #[inline]
    pub(crate) fn time(self) -> i64 {
        match self {
            Instant::Event(clock, raw, offset) => clock.ns(raw).saturating_add(offset),
            Instant::Fixed(time, _) => time,
        }
    }

    /// Nanoseconds since 1970.
    #[inline]
    pub(crate) fn wall(self) -> i64 {
        match self {
            Instant::Event(clock, raw, _) => clock.unix_ns(raw),
            Instant::Fixed(_, wall) => wall,
        }
    }
}

impl Replay<'_> {
    /// Fires one probe and shows what it recorded.
    fn fire(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        actor: Who,
        payload: &[u8],
        prepare: impl FnOnce(&mut TraceHost<'_>),
    ) {
        let mut host = TraceHost {
            state: &mut self.state,
            machine: self.machine,
            timeline,
            names: self.names,
            at,
            actor,
            args: [0; 5],
            payload,
        };
        prepare(&mut host);
        self.engine.fire(probe, at.cpu, &mut host);
        self.outcome.firings += 1;
        if self.engine.pending() {
            self.engine.drain(self.names, self.out);
        }
    }

    /// Who runs on a processor.
    fn running(&self, timeline: &Timeline<'_>, cpu: u32) -> Who {
        timeline.current(cpu as u16).map_or_else(Who::default, |thread| owner(self.machine, thread))
    }

    /// Fires the timed probes that are due when an event comes at this moment, in order of time. `epoch` is
    /// the wall time at 0 of the clock. Yields when the next one is due.
    fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut [Timed],
        cpus: u32,
        event: Moment<'_>,
        epoch: i64,
    ) -> i64 {
        let now = event.instant.time();
        for timed in clocks.iter_mut() {
            let due = now.saturating_sub(timed.next) / timed.interval.max(1);
            if due > MOST_TICKS {
                let left_out = due - MOST_TICKS;
                timed.next = timed.next.saturating_add(left_out.saturating_mul(timed.interval));
                self.outcome.ticks_left_out += left_out as u64;
            }
        }
        loop {
            let due = clocks.iter().map(|c| c.next).min().unwrap_or(i64::MAX);
            if due > now || due == i64::MAX || self.engine.stopped() {
                return due;
            }
            let instant = Instant::Fixed(due, epoch.saturating_add(due));
            for timed in clocks.iter_mut().filter(|c| c.next == due) {
                timed.next = timed.next.saturating_add(timed.interval);
                for cpu in 0..if timed.every_cpu { cpus } else { 1 } {
                    let who = self.running(timeline, cpu);
                    let at = Moment { instant, cpu, ..event };
                    self.fire(timeline, timed.probe, at, who, &[], |_| {});
                }
            }
        }
    }

    fn event(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        record: &Record<'_>,
        actor: Who,
    ) {
        let payload = record.payload();
        self.fire(timeline, probe, at, actor, payload, |host| {
            host.set_prefix(record.id(), record.version(), record.pointer_size());
            host.args = [
                u64::from(record.id()),
                u64::from(record.opcode()),
                host.payload_address(),
                payload.len() as u64,
                u64::from(record.version()),
            ];
        });
    }

    fn sample(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        record: &Record<'_>,
        actor: Who,
    ) {
        let Some(layout) = self.layouts.sample(record) else {
            self.outcome.unread += 1;
            return;
        };
        let ip = layout.read(record.payload());
        // Addresses above the split are the kernel's.
        let kernel = if record.pointer_size() == 8 { ip > 0x7fff_fffe_ffff } else { ip > 0x7fff_ffff };
        let args = if kernel { [ip, 0, 0, 0, 0] } else { [0, ip, 0, 0, 0] };
        self.fire(timeline, probe, at, actor, record.payload(), |host| host.args = args);
    }

    #[allow(clippy::too_many_arguments, reason = "one firing's facts; they have no common life")]
    fn fixed(
        &mut self,
        timeline: &Timeline<'_>,
        slot: u16,
        probe: ProbeId,
        fire: Fire,
        at: Moment<'_>,
        record: &Record<'_>,
        who: Who,
        switch: Option<Switch>,
        clock: &Clock,
    ) {
        let payload = record.payload();
        let machine = self.machine;
        let by_tid = |tid: u32| owner(machine, ThreadRef { tid, thread: machine.thread_at(tid, at.raw) });
        let by_pid =
            |pid: u32| Who { pid: Some(pid), process: machine.process_at(pid, at.raw), ..Who::default() };
        let Some(layout) = self.layouts.get(slot, record, fire) else {
            self.outcome.unread += 1;
            return;
        };
        match layout {
            Layout::Switch => {
                let Some(switch) = switch else {
                    self.outcome.unread += 1;
                    return;
                };
                let (old, new) = (owner(machine, switch.old), owner(machine, switch.new));
                if fire == Fire::OnCpu {
                    self.fire(timeline, probe, at, new, payload, |_| {});
                } else {
                    self.fire(timeline, probe, at, old, payload, |host| {
                        host.args[0] = host.fill_thread(1, new)
                    });
                }
            }
            Layout::Ready(layout) => {
                let Some(tid) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let ready = by_tid(tid);
                self.fire(timeline, probe, at, who, payload, |host| {
                    host.args[0] = host.fill_thread(1, ready)
                });
            }
            Layout::Thread(layout) => {
                let (Some(tid), pid) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let mut subject = by_tid(tid);
                if subject.pid.is_none()
                    && let Some(pid) = pid
                {
                    subject = Who { tid: Some(tid), ..by_pid(pid) };
                }
                if fire == Fire::ThreadExit {
                    self.fire(timeline, probe, at, subject, payload, |_| {});
                } else {
                    self.fire(timeline, probe, at, who, payload, |host| {
                        host.args[0] = host.fill_thread(1, subject);
                    });
                }
            }
            Layout::Process(layout) => {
                let (Some(pid), status) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let subject = by_pid(pid);
                if fire == Fire::ProcessExit {
                    // The exiting process is the current one, whichever thread reported its end.
                    let actor = Who {
                        tid: who.tid.filter(|_| who.pid == Some(pid)),
                        thread: who.thread.filter(|_| who.pid == Some(pid)),
                        ..subject
                    };
                    self.fire(timeline, probe, at, actor, payload, |host| host.args[0] = status);
                } else {
                    self.fire(timeline, probe, at, who, payload, |host| {
                        host.args[0] = host.fill_process(1, Some(pid), subject.process);
                    });
                }
            }
            Layout::Image(layout) => {
                let (name, base, pid) = layout.read(payload);
                let name = name.map_or(0, |at| regions::EVENT.address(EVENT_PREFIX + at as u64));
                let actor = match who.pid {
                    Some(_) => who,
                    None => by_pid(pid as u32),
                };
                self.fire(timeline, probe, at, actor, payload, |host| host.args = [name, base, pid, 0, 0]);
            }
            Layout::Disk(layout) => {
                let mut disk = layout.read(record.opcode(), payload, clock);
                let path = match machine.file_at(disk.file_object, at.raw) {
                    Some(id) => self.state.texts.path(machine, id),
                    None => self.state.texts.none(),
                };
                disk.path = path;
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Disk(disk)));
            }
            Layout::Net(layout) => {
                let net = layout.read(payload);
                self.fire(timeline, probe, at, who, payload, |host| host.set_native(Native::Net(net)));
            }
            Layout::Fail(layout) => {
                let (protocol, code) = layout.read(payload);
                self.fire(timeline, probe, at, who, payload, |host| host.args = [protocol, code, 0, 0, 0]);
            }
        }
    }
}

/// A thread with the process it belongs to.
fn owner(machine: &Machine, thread: ThreadRef) -> Who {
    let known = thread.thread.and_then(|t| machine.thread(t)).map(|span| &span.value);
    Who {
        pid: known.map(|t| t.pid),
        tid: Some(thread.tid),
        process: known.and_then(|t| t.process),
        thread: thread.thread,
    }
}

/// Runs a program over traces: BEGIN, every event in time order with timed probes between, END, and
/// what is left to show.
///
/// The clock is the trace's: BEGIN is at its start, timed probes fire when an event's time has passed
/// theirs, END is at the last event. `proceed` is asked now and then, with the number of records, whether
/// to go on.
pub fn run(
    engine: &mut Engine,
    catalog: &ProbeCatalog<'_>,
    names: &NameTable,
    traces: &[Trace<'_>],
    machine: &Machine,
    out: &mut dyn Output,
    mut proceed: impl FnMut(u64) -> bool,
) -> Outcome {
    // Every trace's counter is brought to the first one's, so that `timestamp` is one clock.
    let base = |t: &Trace<'_>| {
        let start = t.clock().raw_start();
        t.clock().unix_ns(start).saturating_sub(t.clock().ns(start))
    };
    let first = traces.first().map_or(0, base);
    let mut dispatch = Dispatch::new(engine, catalog);
    // Timed probes fire when any event's time has passed theirs, and END's clock is the last event's:
    // then every record counts. Else only those that an enabled probe wants are merged.
    let clocked = |clause: &Clause| {
        clause.probes.contains(&ProbeId::END)
            && [
                BuiltinVar::Timestamp,
                BuiltinVar::Walltimestamp,
                BuiltinVar::EtwTimestamp,
                BuiltinVar::EtwWalltimestamp,
            ]
            .iter()
            .any(|var| clause.uses.builtins.contains(&(*var as u16)))
    };
    let whole = !dispatch.clocks.is_empty() || engine.program().clauses.iter().any(clocked);
    let mut merge = if whole { Merge::new(traces) } else { Merge::only(traces, &dispatch.wanted()) };
    let offsets: Vec<i64> = traces
        .iter()
        .map(|t| if merge.is_by_raw_time() { 0 } else { base(t).saturating_sub(first) })
        .collect();
    // The run begins where the earliest trace does.
    let start = traces
        .iter()
        .zip(&offsets)
        .map(|(t, offset)| t.clock().ns(t.clock().raw_start()).saturating_add(*offset))
        .min()
        .unwrap_or(0);
    for timed in &mut dispatch.clocks {
        timed.next = start.saturating_add(timed.interval);
    }
    let pointer_bits = if traces.first().is_some_and(|t| t.header().pointer_size == 4) { 32 } else { 64 };
    let cpus = traces.iter().map(|t| t.header().processors).max().unwrap_or(1).clamp(1, 4096);
    let mut timeline = Timeline::new(machine);
    let mut replay = Replay {
        engine,
        names,
        out,
        machine,
        state: HostState::new(),
        layouts: Layouts::default(),
        outcome: Outcome::default(),
    };
    let mut at = Moment {
        instant: Instant::Fixed(start, first.saturating_add(start)),
        raw: traces.first().map_or(0, |t| t.clock().raw_start()),
        cpu: 0,
        pointer_bits,
    };
    let who = replay.running(&timeline, 0);
    replay.fire(&timeline, ProbeId::BEGIN, at, who, &[], |_| {});
    let mut last = None;
    let mut due = dispatch.clocks.iter().map(|c| c.next).min().unwrap_or(i64::MAX);
    while !replay.engine.stopped() {
        let Some((index, record)) = merge.next() else { break };
        replay.outcome.records += 1;
        last = Some((index, record.time()));
        if replay.outcome.records & 0xffff == 0 && !proceed(replay.outcome.records) {
            break;
        }
        let clock = traces[index].clock();
        let moment = |record: &Record<'_>| Moment {
            instant: Instant::Event(clock, record.time(), offsets[index]),
            raw: record.time(),
            cpu: u32::from(record.cpu()),
            pointer_bits,
        };
        if due != i64::MAX {
            let now = clock.ns(record.time()).saturating_add(offsets[index]);
            if due <= now {
                due = replay.tick(&timeline, &mut dispatch.clocks, cpus, moment(&record), first);
                if replay.engine.stopped() {
                    break;
                }
            }
        }
        let slot = match record.hook() {
            Some(hook) => {
                let slot = dispatch.hooks[usize::from(hook)];
                if slot == 0 {
                    if hook == CSWITCH {
                        timeline.apply(&record);
                    }
                    continue;
                }
                slot
            }
            None if record.is_event() => {
                if dispatch.providers.is_empty() {
                    continue;
                }
                let Some(probes) = dispatch.providers.get(&record.guid()) else { continue };
                at = moment(&record);
                let who = timeline.who(&record);
                for &probe in probes {
                    replay.event(&timeline, probe, at, &record, who);
                }
                continue;
            }
            None => match record.identity() {
                Identity::Class { guid, opcode } => match dispatch.classes.get(&(guid, opcode)) {
                    Some(&slot) => slot,
                    None => continue,
                },
                _ => continue,
            },
        };
        let switch = timeline.apply(&record);
        at = moment(&record);
        let who = timeline.who(&record);
        let enabled = &dispatch.slots[usize::from(slot) - 1];
        for &(probe, fire) in &enabled.fixed {
            replay.fixed(&timeline, slot, probe, fire, at, &record, who, switch, clock);
        }
        for &probe in &enabled.samples {
            replay.sample(&timeline, probe, at, &record, who);
        }
    }
    if whole && let Some((index, raw)) = last {
        // A record that no probe wanted may have been the last.
        at.instant = Instant::Event(traces[index].clock(), raw, offsets[index]);
        at.raw = raw;
    }
    let who = replay.running(&timeline, at.cpu);
    replay.fire(&timeline, ProbeId::END, at, who, &[], |_| {});
    replay.engine.finish(names, replay.out);
    let mut outcome = replay.outcome;
    outcome.damaged = traces
        .iter()
        .enumerate()
        .map(|(i, t)| t.ledger().count() + merge.ledger(i).map_or(0, |l| l.count()))
        .sum();
    outcome.inconsistent_switches = timeline.inconsistent_switches();
    outcome
}

/// Which recording flag a fixed probe needs, for messages.
#[must_use]
pub fn flag_of(provider: &str, name: &str) -> Option<&'static str> {
    PROBES.iter().find(|p| p.provider == provider && p.name == name).map(|p| p.flag)
}
