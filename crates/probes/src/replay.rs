//! From the records of traces, in time order, to firings.
//!
//! A record is first looked up by what it is (one load for kernel records, one hash for the rest); only
//! records that an enabled probe wants, or that move the timeline, are looked into.

use rustc_hash::FxHashMap;
use tracewell_decode::tracelogging::ProviderTraits;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::read::Wanted;
use tracewell_etl::{Clock, Identity, Merge, Record, Trace};
use tracewell_schema::kernel;
use tracewell_state::{Machine, MachineBuilder, Switch, ThreadRef, Timeline, Who};
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

/// What a first pass over traces found: the machine over time, and the providers that logged events.
#[derive(Debug)]
pub struct Survey {
    /// Processes, threads, images, files.
    pub machine: Machine,
    /// Providers with the names that their events carry, in order of first sight.
    pub providers: Vec<(Guid, Option<String>)>,
    /// Raw time and processor of each trace's latest record.
    pub ends: Vec<Option<(i64, u16)>>,
    /// Records read.
    pub records: u64,
    /// Defining events whose fields could not be read.
    pub unread: u64,
}

/// Reads traces once, in file order. `progress` is told the number of records now and then.
pub fn survey(traces: &[Trace<'_>], mut progress: impl FnMut(u64)) -> Survey {
    let mut builder = MachineBuilder::new();
    let mut providers: Vec<(Guid, Option<String>)> = Vec::new();
    let mut seen: FxHashMap<Guid, usize> = FxHashMap::default();
    let mut last = Guid::default();
    let mut records = 0u64;
    let mut ends = Vec::with_capacity(traces.len());
    for trace in traces {
        let mut cursor = trace.file_order();
        let mut end: Option<(i64, u16)> = None;
        while let Some(record) = cursor.next() {
            records += 1;
            if end.is_none_or(|(time, _)| time <= record.time()) {
                end = Some((record.time(), record.cpu()));
            }
            if records & 0xffff == 0 {
                progress(records);
            }
            builder.observe(&record);
            if !record.is_event() {
                continue;
            }
            let guid = record.guid();
            if guid == last && !providers.is_empty() {
                continue;
            }
            last = guid;
            let index = *seen.entry(guid).or_insert_with(|| {
                providers.push((guid, None));
                providers.len() - 1
            });
            if providers[index].1.is_none() {
                providers[index].1 = ProviderTraits::of_record(&record).map(|t| String::from_utf8_lossy(t.name).into_owned());
            }
        }
        ends.push(end);
    }
    let unread = builder.unread();
    Survey { machine: builder.finish(), providers, ends, records, unread }
}

impl Survey {
    /// Adds an `events` probe for each provider: by the name its events carry, else by its registered
    /// name, else by its GUID.
    pub fn name_providers(&self, catalog: &mut ProbeCatalog) {
        for (guid, carried) in &self.providers {
            match carried.as_deref().or_else(|| tracewell_schema::providers::name(guid)) {
                Some(name) => catalog.add_provider(*guid, name),
                None => catalog.add_provider(*guid, &guid.to_string()),
            };
        }
    }
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
    /// Firings of timed probes left out, because the traces jump far ahead in time.
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

/// `group << 8 | opcode` of a context switch: these always move the timeline.
const CSWITCH: u16 = 0x0524;
/// How often a timed probe fires between two records at most. A longer stretch is damage, or nobody would wait for it.
const MOST_TICKS: i64 = 1 << 23;
/// PerfInfo's event type of a sample.
const SAMPLE: u8 = 46;

impl Dispatch {
    fn new(engine: &Engine, catalog: &ProbeCatalog) -> Dispatch {
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
                    next: i64::MAX,
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
    samples: FxHashMap<(u8, u8), Option<SampleLayout>>,
}

#[derive(Debug)]
enum Layout {
    Disk(DiskLayout),
    Net(NetLayout),
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
                    Fire::Disk => Layout::Disk(DiskLayout::new(layout, pointer)),
                    Fire::Net => Layout::Net(NetLayout::new(layout, pointer)),
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

    fn sample(&mut self, record: &Record<'_>) -> Option<&SampleLayout> {
        self.samples
            .entry((record.version(), record.pointer_size()))
            .or_insert_with(|| {
                let layout = tracewell_decode::kernel_event(record)?.version;
                Some(SampleLayout::new(layout, record.pointer_size()))
            })
            .as_ref()
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
struct Moment {
    time: i64,
    wall: i64,
    raw: i64,
    cpu: u32,
    pointer_bits: u32,
}

impl Replay<'_> {
    /// Fires one probe and shows what it recorded.
    fn fire(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment,
        actor: Who,
        payload: &[u8],
        prepare: impl FnOnce(&mut TraceHost<'_>),
    ) {
        let mut host = TraceHost {
            state: &mut self.state,
            machine: self.machine,
            timeline,
            names: self.names,
            time: at.time,
            wall: at.wall,
            raw: at.raw,
            cpu: at.cpu,
            pointer_bits: at.pointer_bits,
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

    /// Fires the timed probes that are due until a moment, in order of time. `epoch` is the wall time at 0 of
    /// the clock. Answers when the last one fired.
    fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut [Timed],
        cpus: u32,
        until: Moment,
        epoch: i64,
    ) -> Option<Moment> {
        for timed in clocks.iter_mut() {
            let due = until.time.saturating_sub(timed.next) / timed.interval.max(1);
            if due > MOST_TICKS {
                let left_out = due - MOST_TICKS;
                timed.next = timed.next.saturating_add(left_out.saturating_mul(timed.interval));
                self.outcome.ticks_left_out += left_out as u64;
            }
        }
        let mut last = None;
        while let Some(due) = clocks.iter().map(|c| c.next).min().filter(|due| *due <= until.time) {
            for timed in clocks.iter_mut().filter(|c| c.next == due) {
                timed.next = timed.next.saturating_add(timed.interval);
                for cpu in 0..if timed.every_cpu { cpus } else { 1 } {
                    let at = Moment { time: due, wall: epoch.saturating_add(due), cpu, ..until };
                    let who = self.running(timeline, cpu);
                    self.fire(timeline, timed.probe, at, who, &[], |_| {});
                    last = Some(at);
                }
            }
            if self.engine.stopped() || due == i64::MAX {
                break;
            }
        }
        last
    }

    fn event(&mut self, timeline: &Timeline<'_>, probe: ProbeId, at: Moment, record: &Record<'_>, actor: Who) {
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

    fn sample(&mut self, timeline: &Timeline<'_>, probe: ProbeId, at: Moment, record: &Record<'_>, actor: Who) {
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
        at: Moment,
        record: &Record<'_>,
        who: Who,
        switch: Option<Switch>,
        clock: &tracewell_etl::Clock,
    ) {
        let payload = record.payload();
        let machine = self.machine;
        let by_tid = |tid: u32| owner(machine, ThreadRef { tid, thread: machine.thread_at(tid, at.raw) });
        let by_pid = |pid: u32| Who { pid: Some(pid), process: machine.process_at(pid, at.raw), ..Who::default() };
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
                    self.fire(timeline, probe, at, old, payload, |host| host.args[0] = host.fill_thread(1, new));
                }
            }
            Layout::Ready(layout) => {
                let Some(tid) = layout.read(payload) else {
                    self.outcome.unread += 1;
                    return;
                };
                let ready = by_tid(tid);
                self.fire(timeline, probe, at, who, payload, |host| host.args[0] = host.fill_thread(1, ready));
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
    catalog: &ProbeCatalog,
    names: &NameTable,
    traces: &[Trace<'_>],
    survey: &Survey,
    out: &mut dyn Output,
    mut proceed: impl FnMut(u64) -> bool,
) -> Outcome {
    let machine = &survey.machine;
    // Every trace's counter is brought to the first one's, so that `timestamp` is one clock.
    let base = |t: &Trace<'_>| t.clock().unix_ns(t.clock().raw_start()) - t.clock().ns(t.clock().raw_start());
    let first = traces.first().map_or(0, base);
    let mut dispatch = Dispatch::new(engine, catalog);
    let mut merge = Merge::only(traces, &dispatch.wanted());
    let offsets: Vec<i64> =
        traces.iter().map(|t| if merge.is_by_raw_time() { 0 } else { base(t) - first }).collect();
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
    let pointer_bits = traces.first().map_or(64, |t| t.header().pointer_size * 8);
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
        time: start,
        wall: first.saturating_add(start),
        raw: traces.first().map_or(0, |t| t.clock().raw_start()),
        cpu: 0,
        pointer_bits,
    };
    let end = survey
        .ends
        .iter()
        .zip(traces)
        .zip(&offsets)
        .filter_map(|((end, trace), offset)| {
            let (raw, cpu) = (*end)?;
            let (time, wall) = (trace.clock().ns(raw).saturating_add(*offset), trace.clock().unix_ns(raw));
            Some(Moment { time, wall, raw, cpu: u32::from(cpu), pointer_bits })
        })
        .max_by_key(|moment| moment.time);
    let who = replay.running(&timeline, 0);
    replay.fire(&timeline, ProbeId::BEGIN, at, who, &[], |_| {});
    let mut due = dispatch.clocks.iter().map(|c| c.next).min().unwrap_or(i64::MAX);
    while !replay.engine.stopped() {
        let Some((index, record)) = merge.next() else {
            // END is at the last record, whether or not a probe wanted that one; time passes until then.
            if let Some(end) = end {
                replay.tick(&timeline, &mut dispatch.clocks, cpus, end, first);
                if !replay.engine.stopped() {
                    at = end;
                }
            }
            break;
        };
        replay.outcome.records += 1;
        if replay.outcome.records & 0xffff == 0 && !proceed(replay.outcome.records) {
            break;
        }
        let clock = traces[index].clock();
        if due != i64::MAX {
            let now = clock.ns(record.time()).saturating_add(offsets[index]);
            if due <= now {
                let until = Moment { time: now, raw: record.time(), ..at };
                at = replay.tick(&timeline, &mut dispatch.clocks, cpus, until, first).unwrap_or(at);
                due = dispatch.clocks.iter().map(|c| c.next).min().unwrap_or(i64::MAX);
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
                let (raw, time) = (record.time(), clock.ns(record.time()).saturating_add(offsets[index]));
                at = Moment { time, wall: clock.unix_ns(raw), raw, cpu: u32::from(record.cpu()), pointer_bits };
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
        let (raw, time) = (record.time(), clock.ns(record.time()).saturating_add(offsets[index]));
        at = Moment { time, wall: clock.unix_ns(raw), raw, cpu: u32::from(record.cpu()), pointer_bits };
        let who = timeline.who(&record);
        let enabled = &dispatch.slots[usize::from(slot) - 1];
        for &(probe, fire) in &enabled.fixed {
            replay.fixed(&timeline, slot, probe, fire, at, &record, who, switch, clock);
        }
        for &probe in &enabled.samples {
            replay.sample(&timeline, probe, at, &record, who);
        }
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
