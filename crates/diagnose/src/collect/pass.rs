//! The pass over a trace in time order: what each record contributes.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Decoder, NamedValue, Value};
use tracewell_etl::{Record, Trace};
use tracewell_state::pairs::{PairDef, Pairing};
use tracewell_state::{StackRef, Stacks, Switch, ThreadRef, Timeline, Who};

use super::delays;
use super::disks::{Failure, Fault, Owner};
use super::frames::{Chain, Shown};
use super::interrupts::Routine;
use super::net::{Flow, Packet};
use super::role::Role;
use super::samples::{NONE, Stack};
use super::{Collected, MOST_LETTERS, Mark, Scripted};
use crate::ledger::Sums;
use crate::limits::Limits;
use crate::recorder::is_recorder;

/// The tools that the pass uses beside what it collects.
pub(crate) struct Pass<'p> {
    pub(crate) traces: &'p [Trace<'p>],
    pub(crate) stacks: &'p Stacks,
    pub(crate) origin: i64,
    pub(crate) decoder: Decoder,
    pub(crate) roles: FxHashMap<(u32, u8), Rc<Role>>,
    pub(crate) pairing: Pairing,
    ended: Vec<Ended>,
    /// The stack of the event of a provider that is looked at.
    pub(super) event_halves: Option<[u32; 2]>,
    /// Stacks that records carry themselves: their numbers have the highest bit.
    pub(crate) carried: Vec<Vec<u64>>,
    carried_numbers: FxHashMap<Vec<u64>, u32>,
    /// Those beyond the limit.
    pub(crate) carried_beyond: u64,
    most_carried: usize,
}

/// What is needed of a span that ended.
struct Ended {
    pair: usize,
    def: Option<&'static PairDef>,
    time: i64,
    tid: Option<u32>,
    operation: u16,
    /// The record that begins the compilation of a method.
    start: Option<(Vec<u8>, u16)>,
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
const CARRIED: u32 = 1 << 31;

impl<'p> Pass<'p> {
    pub(crate) fn new(
        traces: &'p [Trace<'p>],
        stacks: &'p Stacks,
        origin: i64,
        decoder: Decoder,
        limits: Limits,
    ) -> Pass<'p> {
        Pass {
            traces,
            stacks,
            origin,
            decoder,
            roles: FxHashMap::default(),
            pairing: Pairing::new(),
            ended: Vec::new(),
            event_halves: None,
            carried: Vec::new(),
            carried_numbers: FxHashMap::default(),
            carried_beyond: 0,
            most_carried: limits.carried,
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
        let role = self.roles.entry(key).or_insert_with(|| Rc::new(Role::of(record, format))).clone();
        self.event_halves = None;
        if record.is_event() {
            self.event_halves = self.halves(now);
            let process = self.process(now, out);
            out.events.written(process, id, now.time);
        }
        // An event that cannot be read counts as an event and no more.
        let _ = self.act(&role, now, out);
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
                let woken = out
                    .people
                    .thread(now.side, machine, (woken, now.record.time()), |raw| self.ns(now.trace, raw));
                let waker = self.who(now, out);
                out.cpu.ready(now.time, woken, waker);
            }
            Role::Sample(address) => self.sample(now, int(address)?, out),
            Role::Interrupt { kind, began, routine, vector } => {
                let began = self.ns(now.trace, i64::try_from(int(began)?).ok()?);
                let vector = vector.as_ref().and_then(int).unwrap_or(0) as u16;
                let victim = now
                    .timeline
                    .current(now.record.cpu())
                    .map(|thread| Who::of(machine, thread, now.record.time()));
                let victim = victim
                    .map(|who| out.people.process(now.side, machine, who, |raw| self.ns(now.trace, raw)));
                let routine = Routine { kind: *kind, vector, address: int(routine)? };
                out.interrupts.add(routine, began, now.time.saturating_sub(began).max(0), victim);
            }
            Role::Disk { direction, disk, bytes, file, took } => {
                let raw = i64::try_from(int(took)?).ok()?;
                let end = now.record.time();
                let began = self.ns(now.trace, end.saturating_sub(raw));
                let process = self.process(now, out);
                let file = file.as_ref().and_then(int).unwrap_or(0);
                let file = out.disks.files.of(&path(now, file));
                let owner = Owner { process, disk: int(disk)? as u32, direction: *direction, file };
                let bytes = bytes.as_ref().and_then(int).unwrap_or(0);
                out.disks.transfer(owner, now.time, bytes, now.time.saturating_sub(began).max(0));
            }
            Role::FileOperation => out.disks.operations += 1,
            Role::Fault { kind, began, bytes, file } => {
                let began = began.as_ref().and_then(int).and_then(|raw| i64::try_from(raw).ok());
                let took = began.map_or(0, |raw| now.time.saturating_sub(self.ns(now.trace, raw)).max(0));
                let process = self.process(now, out);
                let file = file.as_ref().and_then(int).map_or(String::new(), |file| path(now, file));
                let fault = Fault { process, kind: *kind, file: out.disks.files.of(&file) };
                out.faults.add(now.time, &fault, Sums::one(bytes.as_ref().and_then(int).unwrap_or(0), took));
            }
            Role::Packet(packet) => self.packet(packet, now, out)?,
            Role::Shown(shown) => self.shown(shown, now, out)?,
            Role::Delay { is_input, ms } => {
                let thread = self.who(now, out);
                let is_kept =
                    delays::add(&mut out.hangs, out.limits.delays, (thread, now.time), (*is_input, int(ms)?));
                out.left_out.delays += u64::from(!is_kept);
            }
            Role::Mark(text) => {
                let text = text.value(payload)?.display(text.field()?).to_string().trim().to_owned();
                if out.marks.len() < out.limits.marks {
                    out.marks.push(Mark { time: now.time, text });
                } else {
                    out.left_out.marks += 1;
                }
            }
            Role::Hardware => self.hardware(now, out),
            Role::Script => self.script(now, out),
            Role::Logon => self.logon(now, out),
            other => self.runtime(other, now, out)?,
        }
        Some(())
    }

    /// The process that acts, by number.
    pub(super) fn process(&self, now: &Now<'_, '_, '_>, out: &mut Collected) -> u32 {
        out.people.process(now.side, now.timeline.machine(), now.who, |raw| self.ns(now.trace, raw))
    }

    fn packet(&self, packet: &Packet, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let (peer, bytes) = packet.read(now.record.payload())?;
        let process = self.process(now, out);
        let flow = Flow { process, protocol: packet.protocol, act: packet.act, peer };
        out.network.add(now.time, &flow, Sums::one(bytes, 0));
        Some(())
    }

    fn shown(&self, shown: &Shown, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let payload = now.record.payload();
        match shown {
            Shown::Present(api, chain) => {
                let chain = chain.as_ref().and_then(|field| field.int(payload)).unwrap_or(0);
                let process = self.process(now, out);
                out.frames.present(Chain { process, api: *api, chain }, now.time);
            }
            Shown::Refresh(display) => out.frames.refresh(display.int(payload)?, now.time),
            Shown::Glitch => out.frames.glitches += 1,
        }
        Some(())
    }

    /// The thread that acts, by number.
    pub(super) fn who(&self, now: &Now<'_, '_, '_>, out: &mut Collected) -> u32 {
        out.people.who(now.side, now.timeline.machine(), now.who, |raw| self.ns(now.trace, raw))
    }

    fn switch(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) -> Option<()> {
        let (machine, switch) = (now.timeline.machine(), now.switch?);
        let scheduling =
            |thread: ThreadRef| thread.thread.and_then(|at| now.timeline.scheduling(at)).copied();
        let left = scheduling(switch.old).unwrap_or_default();
        let time = now.record.time();
        let old = out.people.thread(now.side, machine, (switch.old, time), |raw| self.ns(now.trace, raw));
        let new = out.people.thread(now.side, machine, (switch.new, time), |raw| self.ns(now.trace, raw));
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
            true => Stack { process, address: 0, halves: None },
            false => Stack { process, address, halves },
        };
        if out.people.processes.get(process as usize).is_some_and(|process| is_recorder(&process.name)) {
            out.recorders.add(now.time);
        }
        let stack = out.samples.stacks.number(stack, now.record.time(), now.trace);
        out.samples.add(now.time, thread, stack);
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
                return Some([self.intern(frames), NONE]);
            }
        }
        let stack = self.stacks.of_record(now.trace, now.record, now.who.tid)?;
        Some(self.numbers(stack))
    }

    fn numbers(&mut self, stack: StackRef) -> [u32; 2] {
        let halves = self.stacks.halves(stack);
        match halves {
            [one] => [one.number(), NONE],
            [kernel, user] => [kernel.number(), user.number()],
            more => {
                let frames = more.iter().flat_map(|half| self.stacks.frames(half)).copied().collect();
                [self.intern(frames), NONE]
            }
        }
    }

    fn intern(&mut self, frames: Vec<u64>) -> u32 {
        if let Some(&known) = self.carried_numbers.get(&frames) {
            return known;
        }
        if self.carried.len() >= self.most_carried {
            self.carried_beyond += 1;
            return NONE;
        }
        let number = self.carried.len() as u32 | CARRIED;
        self.carried.push(frames.clone());
        self.carried_numbers.insert(frames, number);
        number
    }

    /// Notes from where an event was written, if the trace has its stack.
    fn writer(&mut self, id: u32, now: &Now<'_, '_, '_>, out: &mut Collected) {
        let Some(halves) = self.event_halves else { return };
        let first = halves.iter().filter(|half| **half != NONE);
        let frame = first.flat_map(|half| frames_of(self.stacks, &self.carried, *half)).next();
        let Some(&frame) = frame else { return };
        let process = self.process(now, out);
        let key = (id, process, frame);
        if out.writers.len() < out.limits.writers || out.writers.contains_key(&key) {
            *out.writers.entry(key).or_default() += 1;
        } else {
            out.left_out.writers += 1;
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
            let is_compilation = def.is_some_and(|def| def.class.is_empty() && def.name == "jit");
            let start = is_compilation.then(|| (span.start.to_vec(), span.cpu));
            ended.push(Ended { pair, def, time: span.time, tid: span.tid, operation, start });
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
                Some(thread) if thread.thread.is_some() => Who::of(machine, thread, span.time),
                _ => now.who,
            };
            let process = out.people.process(now.side, machine, who, |raw| self.ns(now.trace, raw));
            if span.def.is_some_and(|def| def.class == "FileIo") {
                self.file_end(now, process, span.operation, out);
            }
            if let Some(def) = span.def.filter(|def| def.class.is_empty()) {
                self.runtime_span(def.name, (started, took), process, span.start, out);
            }
            if out.spans.len() < out.limits.spans || out.spans.contains_key(&(span.pair, process)) {
                let sums = out.spans.entry((span.pair, process)).or_default();
                if sums.durations.count == 0 {
                    let pair = self.pairing.pairs().get(span.pair);
                    sums.name = pair.map_or(String::new(), |pair| format!("{} {}", pair.provider, pair.name));
                    sums.process = process;
                }
                sums.durations.add(started, took);
            } else {
                out.left_out.spans += 1;
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
        let text = |named: NamedValue<'_>| match named.value {
            // What is scanned is a script, in UTF-16.
            Value::Binary(bytes) => {
                tracewell_decode::texts(bytes).map(|found| found.text).collect::<Vec<_>>().join("\n")
            }
            // A second form of the same text.
            Value::Array(_) => String::new(),
            value => value.display(named.field).to_string(),
        };
        if let Some(act) = self.act_of(now, out.scripted.len(), out, "\n", text) {
            out.scripted.push(act);
        }
    }

    fn logon(&mut self, now: &Now<'_, '_, '_>, out: &mut Collected) {
        let text =
            |named: NamedValue<'_>| format!("{} {}", named.field.name, named.value.display(named.field));
        if let Some(act) = self.act_of(now, out.logons.len(), out, ", ", text) {
            out.logons.push(act);
        }
    }

    /// What an event says that a process did, if there is room for it.
    fn act_of(
        &mut self,
        now: &Now<'_, '_, '_>,
        known: usize,
        out: &mut Collected,
        between: &str,
        text: impl Fn(NamedValue<'_>) -> String,
    ) -> Option<Scripted> {
        if known >= out.limits.acts {
            out.scripted_dropped += 1;
            return None;
        }
        let thread = self.who(now, out);
        let format = self.decoder.format(now.record);
        let fields: Vec<String> = format.fields(now.record).map(text).filter(|text| text.len() > 1).collect();
        let text = fields.join(between).chars().take(MOST_LETTERS).collect();
        Some(Scripted { time: now.time, thread, event: format.name.to_string(), text })
    }
}

/// The path of a file that a transfer names by its key.
fn path(now: &Now<'_, '_, '_>, key: u64) -> String {
    let machine = now.timeline.machine();
    let path = machine.transferred_file_at(key, now.record.time()).map(|path| machine.name(path));
    path.map_or(String::new(), |path| match machine.volumes().to_dos(path) {
        Some((volume, rest)) => format!("{volume}{rest}"),
        None => path.to_owned(),
    })
}

/// The frames with a number, innermost first.
pub(crate) fn frames_of<'s>(stacks: &'s Stacks, carried: &'s [Vec<u64>], number: u32) -> &'s [u64] {
    match number {
        NONE => &[],
        own if own & CARRIED != 0 => carried.get((own & !CARRIED) as usize).map_or(&[], Vec::as_slice),
        number => stacks.frames_of(number),
    }
}
