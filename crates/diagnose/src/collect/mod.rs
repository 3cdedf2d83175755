//! The pass over a trace in time order that collects what the answers need.

pub mod cpu;
pub mod delays;
pub mod disks;
pub mod dotnet;
pub mod events;
pub mod interrupts;
mod role;
pub mod samples;

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Decoder, Value};
use tracewell_etl::{Record, Trace};
use tracewell_state::pairs::{PairDef, Pairing};
use tracewell_state::{StackRef, Stacks, Switch, ThreadRef, Timeline, Who};

use crate::durations::Durations;
use crate::people::People;
use crate::recorder::{Presence, is_recorder};
use cpu::Cpu;
use delays::Hang;
use disks::{Disks, Failure, Owner};
use dotnet::Runtime;
use events::EventTypes;
use interrupts::{Interrupts, Routine};
use role::Role;
use samples::Samples;

/// What the traced machine is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hardware {
    /// Speed of a processor in MHz; 0 if unknown.
    pub mhz: u64,
    /// Memory in megabytes; 0 if unknown.
    pub memory: u64,
    /// Maker and model; empty if unknown.
    pub model: String,
}

/// A mark that a program set into the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Nanoseconds since the start of the trace.
    pub time: i64,
    /// Its text.
    pub text: String,
}

/// A piece of a script, or of what a script did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripted {
    /// Nanoseconds since the start of the trace.
    pub time: i64,
    /// The thread by number.
    pub thread: u32,
    /// The event.
    pub event: String,
    /// The text, cut after some thousand letters.
    pub text: String,
}

/// Spans of one kind in one process.
#[derive(Clone, Debug, Default)]
pub struct SpanSums {
    /// Provider and name.
    pub name: String,
    /// The process by number.
    pub process: u32,
    /// Their durations.
    pub durations: Durations,
}

/// Most marks, pieces of scripts, and kinds of spans.
const MOST_MARKS: usize = 1 << 14;
const MOST_SCRIPTED: usize = 2000;
const MOST_LETTERS: usize = 4000;
const MOST_SPANS: usize = 1 << 14;

/// Everything that the pass collects.
#[derive(Debug, Default)]
pub struct Collected {
    /// Processes and threads.
    pub people: People,
    /// Processor time by context switches.
    pub cpu: Cpu,
    /// Switches that have a stack.
    pub switches_with_stack: u64,
    /// Samples.
    pub samples: Samples,
    /// Interrupts.
    pub interrupts: Interrupts,
    /// Disks and files.
    pub disks: Disks,
    /// Runtimes of .NET by process.
    pub runtimes: FxHashMap<u32, Runtime>,
    /// Spans by kind and process.
    pub spans: FxHashMap<(usize, u32), SpanSums>,
    /// Hangs of user interfaces, by start.
    pub hangs: Vec<Hang>,
    /// Marks, by time.
    pub marks: Vec<Mark>,
    /// Scripts, by time.
    pub scripted: Vec<Scripted>,
    /// Events by type.
    pub events: EventTypes,
    /// The machine.
    pub hardware: Hardware,
    /// Times of the first and last record, in nanoseconds since the start of the trace.
    pub extent: Option<(i64, i64)>,
    /// When the programs that record ran.
    pub recorders: Presence,
    /// Where stacks of events lead that are written often: the innermost return address by event type and process.
    pub writers: FxHashMap<(u32, u32, u64), u64>,
}

impl Collected {
    /// The traces are over.
    pub(crate) fn finish(&mut self) {
        self.cpu.finish();
        self.disks.finish();
        self.hangs.sort_by_key(|hang| (hang.from, hang.to, hang.thread));
    }
}

/// The tools that the pass uses beside what it collects.
pub(crate) struct Pass<'p> {
    pub(crate) traces: &'p [Trace<'p>],
    pub(crate) stacks: &'p Stacks,
    pub(crate) origin: i64,
    pub(crate) decoder: Decoder,
    pub(crate) roles: FxHashMap<(u32, u8), Role>,
    pub(crate) pairing: Pairing,
    ended: Vec<Ended>,
    /// Stacks that records carry themselves: their numbers have the highest bit.
    pub(crate) carried: Vec<Vec<u64>>,
    carried_numbers: FxHashMap<Vec<u64>, u32>,
}

/// What is needed of a span that ended.
struct Ended {
    pair: usize,
    def: Option<&'static PairDef>,
    time: i64,
    tid: Option<u32>,
    operation: u16,
}

/// A record with its place and owner.
pub(crate) struct Now<'n, 't, 'm> {
    pub(crate) record: &'n Record<'t>,
    pub(crate) trace: usize,
    pub(crate) side: usize,
    pub(crate) time: i64,
    pub(crate) who: Who,
    pub(crate) switch: Option<Switch>,
    pub(crate) timeline: &'n Timeline<'m>,
}

/// Marks numbers of stacks that records carry.
pub(crate) const CARRIED: u32 = 1 << 31;
/// Most carried stacks that are distinguished.
const MOST_CARRIED: usize = 1 << 18;
/// Most writers that are distinguished.
const MOST_WRITERS: usize = 1 << 12;

impl<'p> Pass<'p> {
    pub(crate) fn new(
        traces: &'p [Trace<'p>],
        stacks: &'p Stacks,
        origin: i64,
        decoder: Decoder,
    ) -> Pass<'p> {
        Pass {
            traces,
            stacks,
            origin,
            decoder,
            roles: FxHashMap::default(),
            pairing: Pairing::new(),
            ended: Vec::new(),
            carried: Vec::new(),
            carried_numbers: FxHashMap::default(),
        }
    }

    /// A raw time in nanoseconds since the start of the traces.
    pub(crate) fn ns(&self, trace: usize, raw: i64) -> i64 {
        self.traces.get(trace).map_or(0, |trace| trace.clock().unix_ns(raw).saturating_sub(self.origin))
    }

    pub(crate) fn record(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) {
        let record = now.record;
        let (first, last) = out.extent.unwrap_or((now.time, now.time));
        out.extent = Some((first.min(now.time), last.max(now.time)));
        let id = self.decoder.id(record);
        let format = self.decoder.get(id);
        out.events.add(id, format, tracewell_decode::event_number(record), now.time);
        self.spans(now, out);
        let id = self.decoder.id(record);
        let key = (id.0, record.pointer_size());
        let format = self.decoder.get(id);
        let role = self.roles.entry(key).or_insert_with(|| Role::of(record, format)).clone();
        // An event that cannot be read counts as an event and no more.
        let _ = self.act(&role, now, out);
        if let Role::Sample(_) = role {
            return;
        }
        self.writer(id.0, now, out);
    }

    fn act(&mut self, role: &Role, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let (payload, machine) = (now.record.payload(), now.timeline.machine());
        let int = |field: &Accessor| field.int(payload);
        match role {
            Role::None => {}
            Role::Switch => self.switch(now, out)?,
            Role::Ready(field) => {
                let tid = int(field)? as u32;
                let woken = ThreadRef { tid, thread: machine.thread_at(tid, now.record.time()) };
                let woken = out.people.thread(now.side, machine, woken, |raw| self.ns(now.trace, raw));
                let waker = self.who(now, out);
                out.cpu.ready(now.time, woken, waker);
            }
            Role::Sample(address) => self.sample(now, int(address)?, out),
            Role::Interrupt { kind, began, routine, vector } => {
                let began = self.ns(now.trace, i64::try_from(int(began)?).ok()?);
                let vector = vector.as_ref().and_then(int).unwrap_or(0) as u16;
                let victim = now.timeline.current(now.record.cpu()).map(|thread| Who::of(machine, thread));
                let victim = victim
                    .map(|who| out.people.process(now.side, machine, who, |raw| self.ns(now.trace, raw)));
                let routine = Routine { kind: *kind, vector, address: int(routine)? };
                out.interrupts.add(routine, began, now.time.saturating_sub(began).max(0), victim);
            }
            Role::Disk { direction, disk, bytes, file, took } => {
                let raw = i64::try_from(int(took)?).ok()?;
                let end = now.record.time();
                let began = self.ns(now.trace, end.saturating_sub(raw));
                let path = file.as_ref().and_then(int).and_then(|key| machine.transferred_file_at(key, end));
                let path = path.map(|path| machine.name(path));
                let path = path.map_or(String::new(), |path| match machine.volumes().to_dos(path) {
                    Some((volume, rest)) => format!("{volume}{rest}"),
                    None => path.to_owned(),
                });
                let process = out.people.process(now.side, machine, now.who, |raw| self.ns(now.trace, raw));
                let file = out.disks.file(&path);
                let owner = Owner { process, disk: int(disk)? as u32, direction: *direction, file };
                let bytes = bytes.as_ref().and_then(int).unwrap_or(0);
                out.disks.transfer(owner, now.time, bytes, now.time.saturating_sub(began).max(0));
            }
            Role::FileOperation => out.disks.operations += 1,
            Role::HardFault => {
                let process = out.people.process(now.side, machine, now.who, |raw| self.ns(now.trace, raw));
                *out.disks.hard_faults.entry(process).or_default() += 1;
            }
            Role::Delay { is_input, ms } => {
                let thread = self.who(now, out);
                delays::add(&mut out.hangs, thread, now.time, *is_input, int(ms)?);
            }
            Role::Mark(text) => {
                let text = text.value(payload)?.display(text.field()?).to_string().trim().to_owned();
                if out.marks.len() < MOST_MARKS {
                    out.marks.push(Mark { time: now.time, text });
                }
            }
            Role::Hardware => self.hardware(now, out),
            Role::Script => self.script(now, out),
            other => self.runtime(other, now, out)?,
        }
        Some(())
    }

    /// The thread that acts, by number.
    fn who(&self, now: &Now<'_, '_, '_>, out: &mut Collected) -> u32 {
        out.people.who(now.side, now.timeline.machine(), now.who, |raw| self.ns(now.trace, raw))
    }

    fn switch(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let (machine, switch) = (now.timeline.machine(), now.switch?);
        let scheduling =
            |thread: ThreadRef| thread.thread.and_then(|at| now.timeline.scheduling(at)).copied();
        let left = scheduling(switch.old).unwrap_or_default();
        let old = out.people.thread(now.side, machine, switch.old, |raw| self.ns(now.trace, raw));
        let new = out.people.thread(now.side, machine, switch.new, |raw| self.ns(now.trace, raw));
        let (state, reason) = (left.state.unwrap_or(0), left.wait_reason.unwrap_or(0));
        out.cpu.switch(now.time, now.record.cpu(), old, new, state, reason);
        let stack = self.stacks.of_record(now.trace, now.record, Some(switch.new.tid));
        out.switches_with_stack += u64::from(stack.is_some());
        Some(())
    }

    fn sample(&mut self, now: &Now<'_, '_, '_>, address: u64, out: &mut Collected) {
        let thread = self.who(now, out);
        let halves = self.halves(now);
        out.samples.count += 1;
        out.samples.with_stack += u64::from(halves.is_some());
        let process = out.people.threads.get(thread as usize).map_or(0, |thread| thread.process);
        let stack = match out.people.is_idle(thread) {
            true => samples::Stack { process, address: 0, halves: None },
            false => samples::Stack { process, address, halves },
        };
        if out.people.processes.get(process as usize).is_some_and(|process| is_recorder(&process.name)) {
            out.recorders.add(now.time);
        }
        out.samples.add(now.time, now.record.time(), now.trace, thread, stack);
    }

    /// The halves of a record's stack: those it carries, or those that were logged for it.
    pub(crate) fn halves(&mut self, now: &Now<'_, '_, '_>) -> Option<[u32; 2]> {
        if now.record.is_event() {
            let mut frames: Vec<u64> = Vec::new();
            for (id, own) in tracewell::views::stack::carried(now.record) {
                frames.extend(own);
                frames.extend(self.stacks.late_half(now.trace, id).filter(|_| id != 0).unwrap_or_default());
            }
            if !frames.is_empty() {
                return Some([self.intern(frames), samples::NONE]);
            }
        }
        let stack = self.stacks.of_record(now.trace, now.record, now.who.tid)?;
        Some(self.numbers(stack))
    }

    fn numbers(&mut self, stack: StackRef) -> [u32; 2] {
        let halves = self.stacks.halves(stack);
        match halves {
            [one] => [one.number(), samples::NONE],
            [kernel, user] => [kernel.number(), user.number()],
            more => {
                let frames = more.iter().flat_map(|half| self.stacks.frames(half)).copied().collect();
                [self.intern(frames), samples::NONE]
            }
        }
    }

    fn intern(&mut self, frames: Vec<u64>) -> u32 {
        if let Some(&known) = self.carried_numbers.get(&frames) {
            return known;
        }
        if self.carried.len() >= MOST_CARRIED {
            return samples::NONE;
        }
        let number = self.carried.len() as u32 | CARRIED;
        self.carried.push(frames.clone());
        self.carried_numbers.insert(frames, number);
        number
    }

    /// Notes from where an event was written, if the trace has its stack.
    fn writer(&mut self, id: u32, now: &Now<'_, '_, '_>, out: &mut Collected) {
        if !now.record.is_event() {
            return;
        }
        let Some(halves) = self.halves(now) else { return };
        let first = halves.iter().filter(|half| **half != samples::NONE);
        let frame = first.flat_map(|half| frames_of(self.stacks, &self.carried, *half)).next();
        let Some(&frame) = frame else { return };
        let process =
            out.people.process(now.side, now.timeline.machine(), now.who, |raw| self.ns(now.trace, raw));
        let key = (id, process, frame);
        if out.writers.len() < MOST_WRITERS || out.writers.contains_key(&key) {
            *out.writers.entry(key).or_default() += 1;
        }
    }

    /// Pairs starts and ends.
    fn spans(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) {
        let record = now.record;
        let id = self.decoder.id(record);
        let format = (id, self.decoder.get(id));
        let ended = &mut self.ended;
        self.pairing.observe(now.side as u32, record, format, now.who, |span| {
            let operation = Record::parse(span.start, span.cpu).ok();
            let operation = operation.map_or(0, |record| tracewell_decode::event_number(&record) as u16);
            let (pair, def) = (span.pair_number, span.pair.def);
            ended.push(Ended { pair, def, time: span.time, tid: span.tid, operation });
        });
        if self.ended.is_empty() {
            return;
        }
        let machine = now.timeline.machine();
        for span in std::mem::take(&mut self.ended) {
            let started = self.ns(now.trace, span.time);
            let took = now.time.saturating_sub(started).max(0);
            let thread = span.tid.map(|tid| ThreadRef { tid, thread: machine.thread_at(tid, span.time) });
            let who = match thread {
                Some(thread) if thread.thread.is_some() => Who::of(machine, thread),
                _ => now.who,
            };
            let process = out.people.process(now.side, machine, who, |raw| self.ns(now.trace, raw));
            if span.def.is_some_and(|def| def.class == "FileIo") {
                self.file_end(now, process, span.operation, out);
            }
            if let Some(def) = span.def.filter(|def| def.class.is_empty()) {
                runtime_span(def.name, started, took, out.runtimes.entry(process));
            }
            if out.spans.len() < MOST_SPANS || out.spans.contains_key(&(span.pair, process)) {
                let sums = out.spans.entry((span.pair, process)).or_default();
                if sums.durations.count == 0 {
                    let pair = self.pairing.pairs().get(span.pair);
                    sums.name = pair.map_or(String::new(), |pair| format!("{} {}", pair.provider, pair.name));
                    sums.process = process;
                }
                sums.durations.add(started, took);
            }
        }
    }

    fn file_end(&mut self, now: &Now<'_, '_, '_>, process: u32, operation: u16, out: &mut Collected) {
        let id = self.decoder.id(now.record);
        let layout = self.decoder.get(id).layout.as_ref();
        let status = layout.and_then(|layout| Accessor::new(layout, "NtStatus", now.record.pointer_size()));
        let status = status.and_then(|field| field.int(now.record.payload())).unwrap_or(0) as u32;
        if status >> 30 == 3 {
            out.disks.failure(Failure { process, operation, status }, now.time);
        }
    }

    fn hardware(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) {
        let format = self.decoder.format(now.record);
        for named in format.fields(now.record) {
            let number = || named.value.as_u64().unwrap_or(0);
            let text = || named.value.display(named.field).to_string().trim().to_owned();
            match &*named.field.name {
                "MHz" => out.hardware.mhz = number(),
                "MemSize" => out.hardware.memory = number(),
                "SystemManufacturer" => out.hardware.model = text(),
                "SystemProductName" => {
                    let maker = std::mem::take(&mut out.hardware.model);
                    out.hardware.model = format!("{maker} {}", text()).trim().to_owned();
                }
                _ => {}
            }
        }
    }

    fn script(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) {
        if out.scripted.len() >= MOST_SCRIPTED {
            return;
        }
        let thread = self.who(now, out);
        let format = self.decoder.format(now.record);
        let fields: Vec<String> = format
            .fields(now.record)
            .map(|named| match named.value {
                // What is scanned is a script, in UTF-16.
                Value::Binary(bytes) => {
                    tracewell_decode::texts(bytes).map(|found| found.text).collect::<Vec<_>>().join("\n")
                }
                // A second form of the same text.
                Value::Array(_) => String::new(),
                value => value.display(named.field).to_string(),
            })
            .filter(|text| text.len() > 1)
            .collect();
        let text = fields.join("\n").chars().take(MOST_LETTERS).collect();
        out.scripted.push(Scripted { time: now.time, thread, event: format.name.to_string(), text });
    }

    /// What the .NET runtime says about memory and exceptions.
    fn runtime(&mut self, role: &Role, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let payload = now.record.payload();
        let machine = now.timeline.machine();
        let process = out.people.process(now.side, machine, now.who, |raw| self.ns(now.trace, raw));
        let runtime = out.runtimes.entry(process).or_default();
        let text = |field: &Accessor| Some(field.value(payload)?.display(field.field()?).to_string());
        match role {
            Role::Collection { count, depth, reason } => {
                let number = count.int(payload)?;
                let depth = depth.as_ref().and_then(|field| field.int(payload)).unwrap_or(0) as u32;
                // Runtimes may log several versions of one event.
                if runtime.last.replace((depth, number)) != Some((depth, number)) {
                    let reason = reason.as_ref().and_then(text).unwrap_or_default();
                    *runtime.generations.entry(depth).or_default().reasons.entry(reason).or_default() += 1;
                }
            }
            Role::Allocation { bytes, kind } => {
                let kind = kind.as_ref().and_then(text).unwrap_or_default();
                let sums = runtime.allocations.entry(kind).or_default();
                *sums = (sums.0 + 1, sums.1 + bytes.int(payload)?);
            }
            Role::Heap(sizes) => {
                let size: u64 = sizes.iter().filter_map(|field| field.int(payload)).sum();
                let (least, most) = runtime.heap.unwrap_or((size, size));
                runtime.heap = Some((least.min(size), most.max(size)));
            }
            Role::Exception(kind) => *runtime.exceptions.entry(text(kind)?).or_default() += 1,
            _ => {}
        }
        Some(())
    }
}

/// A span of the .NET runtime.
fn runtime_span(
    name: &str,
    started: i64,
    took: i64,
    entry: std::collections::hash_map::Entry<'_, u32, Runtime>,
) {
    match name {
        "gc-pause" => {
            let runtime = entry.or_default();
            let (depth, number) = runtime.last.unwrap_or_default();
            let generation = runtime.generations.entry(depth).or_default();
            if generation.pauses.longest.is_none_or(|(longest, _)| took > longest) {
                generation.longest = Some(number);
            }
            generation.pauses.add(started, took);
        }
        "jit" => entry.or_default().compilations.add(started, took),
        _ => {}
    }
}

/// The frames with a number, innermost first.
pub(crate) fn frames_of<'s>(stacks: &'s Stacks, carried: &'s [Vec<u64>], number: u32) -> &'s [u64] {
    match number {
        samples::NONE => &[],
        own if own & CARRIED != 0 => carried.get((own & !CARRIED) as usize).map_or(&[], Vec::as_slice),
        number => stacks.frames_of(number),
    }
}
