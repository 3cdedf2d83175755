//! From the records of a trace to the moments of a timeline.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rustc_hash::FxHashMap;
use tracewell_decode::{Accessor, Decoder, EventFormat, FormatId, Schemas};
use tracewell_etl::def::guid::{CLR, CLR_RUNDOWN, KERNEL_EVENT_TRACING};
use tracewell_etl::read::Wanted;
use tracewell_etl::{Clock, Merge, Record, Trace};
use tracewell_export::timeline::{
    CallStacks, FrameId, Lane, Moment, StackId, Switch, ThreadId, Timeline, What,
};
use tracewell_schema::kernel::{self, hook};
use tracewell_state::pairs::Pairing;
use tracewell_state::{Machine, Stacks, ThreadRef, Who};
use tracewell_symbols::Symbols;
use tracewell_types::Guid;

use super::ended::Ended;
use super::people::People;
use super::stack;

/// What a timeline is made from.
#[derive(Debug)]
pub struct Sources<'s, 't> {
    /// The traces.
    pub traces: &'s [Trace<'t>],
    /// One for all traces when they share a clock, else one for each.
    pub machines: &'s [Machine],
    /// Names for addresses of each machine.
    pub symbols: &'s [Symbols<'s>],
    /// The stacks of all traces.
    pub stacks: &'s Stacks,
    /// Whether all traces are of one machine and boot: equal numbers then mean the same processes.
    pub one_boot: bool,
    /// Whether inlined functions are separate frames.
    pub inlines: bool,
}

/// The part of the traces that a timeline shows.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'c> {
    /// First time, in nanoseconds since the start of the first trace.
    pub start: i64,
    /// Time of the end, which is not part of it.
    pub end: i64,
    /// Only these processes; empty: all.
    pub pids: &'c [u32],
    /// Whether events without a specific form are written as marks.
    pub marks: bool,
}

/// What a timeline contains.
#[derive(Debug)]
pub struct Written {
    /// The call stacks of its moments.
    pub call_stacks: CallStacks,
    /// Moments that the format took.
    pub shown: u64,
    /// Records that are not shown, by reason.
    pub left_out: BTreeMap<&'static str, u64>,
}

/// Why a record has no place in a timeline, or none in this one.
mod reason {
    pub(super) const STACK: &str = "stack records: their stacks are shown with samples and events";
    pub(super) const RUNDOWN: &str =
        "records of what was there before or after: processes, threads, images, files, keys, methods";
    pub(super) const DESCRIPTION: &str = "descriptions of the machine, of the session and of events";
    pub(super) const IDLE: &str = "samples of idle processors";
    pub(super) const BARE_SAMPLE: &str = "samples that could not be read";
    pub(super) const UNREAD: &str = "records that are shorter than their layout";
    pub(super) const OUTSIDE: &str = "records outside the time asked for";
    pub(super) const OTHERS: &str = "records of other processes";
    pub(super) const MARK: &str = "other events (this format or run has no place for them)";
    pub(super) const SWITCH: &str = "context switches (this format shows them as processor time at most)";
    pub(super) const READY: &str = "readied threads (this format has no place for them)";
    pub(super) const SPAN: &str = "disk transfers and interrupts (this format has no place for them)";
}

/// The form that a kind of record has in a timeline.
#[derive(Clone, Debug)]
enum Role {
    Switch,
    Ready(Accessor),
    Sample(Accessor),
    Disk(Disk),
    Interrupt { name: &'static str, began: Accessor, routine: Accessor },
    Mark,
    LeftOut(&'static str),
}

/// Name and fields of a transfer.
#[derive(Clone, Debug)]
struct Disk {
    name: &'static str,
    disk: Accessor,
    bytes: Accessor,
    file: Accessor,
    took: Accessor,
    offset: Accessor,
}

/// Providers whose events describe what existed before the trace.
const RUNDOWN_PROVIDERS: [Guid; 2] = [CLR_RUNDOWN, KERNEL_EVENT_TRACING];
/// The runtime's stack of the event before it.
const CLR_STACK: u16 = 82;
/// The id of an event that holds a manifest.
const MANIFEST: u16 = 0xfffe;
/// Classes whose records describe the machine or the session.
const DESCRIPTIONS: [&str; 5] =
    ["SystemConfig", "SystemConfigEx", "EventTrace", "KernelTraceControl", "EventTraceConfig"];

/// Group of stack records.
const STACK_WALK: u16 = hook::STACK_WALK_STACK >> 8;

impl Role {
    fn of(record: &Record<'_>, format: &EventFormat) -> Role {
        let size = record.pointer_size();
        let field = |name| Accessor::new(format.layout.as_ref()?, name, size);
        if let Some(number) = record.hook() {
            let own = match number {
                hook::THREAD_CSWITCH => Some(Role::Switch),
                hook::THREAD_READY_THREAD => field("TThreadId").map(Role::Ready),
                hook::PERF_INFO_SAMPLE_PROFILE => field("InstructionPointer").map(Role::Sample),
                hook::DISK_IO_READ => disk("Read", field),
                hook::DISK_IO_WRITE => disk("Write", field),
                hook::DISK_IO_FLUSH_BUFFERS => disk("Flush", field),
                hook::PERF_INFO_THREAD_DPC => interrupt("Threaded DPC", field),
                hook::PERF_INFO_DPC => interrupt("DPC", field),
                hook::PERF_INFO_TIMER_DPC => interrupt("Timer DPC", field),
                hook::PERF_INFO_ISR | hook::PERF_INFO_ISR_MSI => interrupt("ISR", field),
                _ => None,
            };
            if let Some(role) = own {
                return role;
            }
            if number >> 8 == STACK_WALK {
                return Role::LeftOut(reason::STACK);
            }
            if kernel::lists(number) {
                return Role::LeftOut(reason::RUNDOWN);
            }
            if DESCRIPTIONS.contains(&&*format.task) || number >> 8 == 0 {
                return Role::LeftOut(reason::DESCRIPTION);
            }
            return Role::Mark;
        }
        if record.is_event() {
            return match (record.guid(), record.id()) {
                (CLR, CLR_STACK) => Role::LeftOut(reason::STACK),
                (guid, _) if RUNDOWN_PROVIDERS.contains(&guid) => Role::LeftOut(reason::RUNDOWN),
                (_, MANIFEST) => Role::LeftOut(reason::DESCRIPTION),
                _ => Role::Mark,
            };
        }
        if DESCRIPTIONS.contains(&&*format.task) {
            return Role::LeftOut(reason::DESCRIPTION);
        }
        if record.is_class() && matches!(&*format.opcode, "DCStart" | "DCEnd" | "Rundown") {
            return Role::LeftOut(reason::RUNDOWN);
        }
        Role::Mark
    }

    /// How its records are counted when the format does not take them.
    fn unshown(&self) -> &'static str {
        match self {
            Role::Switch => reason::SWITCH,
            Role::Ready(_) => reason::READY,
            Role::Sample(_) => reason::BARE_SAMPLE,
            Role::Disk(_) | Role::Interrupt { .. } => reason::SPAN,
            Role::Mark => reason::MARK,
            Role::LeftOut(why) => why,
        }
    }
}

fn disk(name: &'static str, field: impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    Some(Role::Disk(Disk {
        name,
        disk: field("DiskNumber")?,
        bytes: field("TransferSize").or_else(|| field("DiskNumber"))?,
        file: field("FileObject").or_else(|| field("DiskNumber"))?,
        took: field("HighResResponseTime")?,
        offset: field("ByteOffset").or_else(|| field("DiskNumber"))?,
    }))
}

fn interrupt(name: &'static str, field: impl Fn(&'static str) -> Option<Accessor>) -> Option<Role> {
    Some(Role::Interrupt { name, began: field("InitialTime")?, routine: field("Routine")? })
}

/// Nanoseconds between two samples of a processor, from the first trace that contains the interval.
#[must_use]
pub fn interval(traces: &[Trace<'_>]) -> Option<u64> {
    let mut wanted = Wanted::nothing();
    for hook in
        [hook::PERF_INFO_COLLECTION_START, hook::PERF_INFO_SET_INTERVAL, hook::PERF_INFO_COLLECTION_END]
    {
        wanted.add_hook(hook);
    }
    for trace in traces {
        let mut cursor = trace.file_order().only(wanted.clone());
        while let Some(record) = cursor.next() {
            let Some(event) = tracewell_decode::kernel_event(&record) else { continue };
            let read =
                |name| Accessor::new(event.version, name, record.pointer_size())?.int(record.payload());
            // Source 0 is the timer; its unit is 100 ns.
            if let (Some(0), Some(ticks @ 1..)) = (read("Source"), read("NewInterval")) {
                return Some(ticks.saturating_mul(100));
            }
        }
    }
    None
}

/// When the first of the traces starts: the time 0 of their timeline, in nanoseconds of the Unix epoch.
#[must_use]
pub fn origin(traces: &[Trace<'_>]) -> i64 {
    traces.iter().map(|trace| trace.clock().start().unix_ns()).min().unwrap_or(0)
}

/// Bytes put together before they are written.
const CHUNK: usize = 1 << 18;
/// Fields of an event that are shown, and letters of each.
const MOST_FIELDS: usize = 32;
const MOST_LETTERS: usize = 256;

/// Writes everything in the traces to a timeline, in time order. `progress` is called with the number of records that are done.
///
/// # Errors
/// The sink cannot be written.
pub fn write_to(
    sources: &Sources<'_, '_>,
    schemas: Schemas,
    choice: &Choice<'_>,
    writer: &mut dyn Timeline,
    sink: &mut dyn Write,
    mut progress: impl FnMut(u64),
) -> io::Result<Written> {
    let mut teller = Teller {
        sources,
        choice,
        origin: origin(sources.traces),
        decoder: Decoder::new(schemas),
        roles: FxHashMap::default(),
        people: People::new(sources.machines, sources.one_boot),
        frames: sources.symbols.iter().map(KnownFrames::new).collect(),
        addresses: Vec::new(),
        stack: Vec::new(),
        pairing: Pairing::new(),
        ended: Vec::new(),
        written: Written { call_stacks: CallStacks::new(), shown: 0, left_out: BTreeMap::new() },
        out: Vec::with_capacity(CHUNK * 2),
    };
    let mut timelines: Vec<tracewell_state::Timeline<'_>> =
        sources.machines.iter().map(tracewell_state::Timeline::new).collect();
    let mut records = Merge::new(sources.traces);
    let mut seen = 0u64;
    while let Some((at, record)) = records.next() {
        seen += 1;
        if seen & 0xffff == 0 {
            progress(seen);
        }
        // Traces that share a clock share a machine.
        let side = if sources.machines.len() == 1 { 0 } else { at };
        let Some(timeline) = timelines.get_mut(side) else { continue };
        let switch = timeline.apply(&record);
        let who = timeline.who(&record);
        let place = Place { trace: at, side, timeline };
        teller.record(&record, &place, who, switch.map(|s| (s.old, s.new)), writer);
        if teller.out.len() >= CHUNK {
            sink.write_all(&teller.out)?;
            teller.out.clear();
        }
    }
    sink.write_all(&teller.out)?;
    Ok(teller.written)
}

/// Where a record comes from.
struct Place<'p, 's> {
    trace: usize,
    /// Its machine, among those of the sources.
    side: usize,
    /// The state of that machine now.
    timeline: &'p tracewell_state::Timeline<'s>,
}

/// From times of records to those of the timeline.
#[derive(Clone, Copy)]
struct Times<'c> {
    clock: &'c Clock,
    origin: i64,
}

impl Times<'_> {
    fn ns(&self, raw: i64) -> i64 {
        self.clock.unix_ns(raw).saturating_sub(self.origin)
    }
}

/// The record at hand, whose it is, and when it was logged.
struct Seen<'r, 's> {
    record: &'r Record<'r>,
    place: &'r Place<'r, 's>,
    who: Who,
    times: Times<'r>,
    time: i64,
}

impl Seen<'_, '_> {
    fn int(&self, field: &Accessor) -> Result<u64, &'static str> {
        field.int(self.record.payload()).ok_or(reason::UNREAD)
    }
}

/// Frames of a machine's addresses, kept for as long as their meaning stays the same: records come in order of time.
struct KnownFrames<'s> {
    symbols: &'s Symbols<'s>,
    /// By process (0: kernel), address, and whether a call returns to it: until when they are those of the address,
    /// and first and number of the frames below.
    places: FxHashMap<(u32, u64, bool), (i64, u32, u32)>,
    /// Outermost first.
    frames: Vec<FrameId>,
}

impl<'s> KnownFrames<'s> {
    fn new(symbols: &'s Symbols<'s>) -> KnownFrames<'s> {
        KnownFrames { symbols, places: FxHashMap::default(), frames: Vec::new() }
    }
}

struct Teller<'s, 't> {
    sources: &'s Sources<'s, 't>,
    choice: &'s Choice<'s>,
    /// The time 0, in nanoseconds of the Unix epoch.
    origin: i64,
    decoder: Decoder,
    roles: FxHashMap<(u32, u8), Role>,
    people: People<'s>,
    /// By machine.
    frames: Vec<KnownFrames<'s>>,
    /// Addresses of the stack at hand, innermost first.
    addresses: Vec<u64>,
    /// Its frames, outermost first.
    stack: Vec<FrameId>,
    pairing: Pairing,
    /// The spans that the record at hand ended.
    ended: Vec<Ended>,
    written: Written,
    out: Vec<u8>,
}

/// Most frames that are remembered by address.
const MOST_FRAMES: usize = 1 << 20;

impl<'s> Teller<'s, '_> {
    fn leave_out(&mut self, why: &'static str) {
        *self.written.left_out.entry(why).or_default() += 1;
    }

    fn record(
        &mut self,
        record: &Record<'_>,
        place: &Place<'_, 's>,
        who: Who,
        switch: Option<(ThreadRef, ThreadRef)>,
        writer: &mut dyn Timeline,
    ) {
        let Some(trace) = self.sources.traces.get(place.trace) else { return };
        let times = Times { clock: trace.clock(), origin: self.origin };
        let seen = Seen { record, place, who, times, time: times.ns(record.time()) };
        let id = self.decoder.id(record);
        if self.choice.marks {
            let (side, ended) = (place.side as u32, &mut self.ended);
            let format = (id, self.decoder.get(id));
            self.pairing.observe(side, record, format, who, |span| ended.push(Ended::of(&span)));
            if !self.ended.is_empty() {
                self.spans(&seen, writer);
            }
        }
        let id = self.decoder.id(record);
        let role = {
            let format = self.decoder.get(id);
            self.roles
                .entry((id.0, record.pointer_size()))
                .or_insert_with(|| Role::of(record, format))
                .clone()
        };
        let unshown = role.unshown();
        match self.moment(role, id, &seen, switch, writer) {
            Ok(true) => self.written.shown += 1,
            Ok(false) => self.leave_out(unshown),
            Err(why) => self.leave_out(why),
        }
    }

    /// Writes the moment of a record. Returns whether the format took it, or else why it has none.
    fn moment(
        &mut self,
        role: Role,
        id: FormatId,
        seen: &Seen<'_, 's>,
        switch: Option<(ThreadRef, ThreadRef)>,
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        if let Role::LeftOut(why) = role {
            return Err(why);
        }
        if seen.time < self.choice.start || seen.time >= self.choice.end {
            return Err(reason::OUTSIDE);
        }
        match role {
            Role::Switch => self.switch(seen, switch.ok_or(reason::UNREAD)?, writer),
            Role::Ready(tid) => self.ready(seen, &tid, writer),
            _ if !self.is_chosen(seen.who) => Err(reason::OTHERS),
            Role::Sample(address) => self.sample(seen, &address, writer),
            Role::Disk(disk) => self.disk(seen, &disk, writer),
            Role::Interrupt { name, began, routine } => {
                self.interrupt(seen, name, (&began, &routine), writer)
            }
            Role::Mark if !self.choice.marks => Err(reason::MARK),
            Role::Mark => Ok(self.mark(seen, id, writer)),
            Role::LeftOut(why) => Err(why),
        }
    }

    fn is_chosen(&self, who: Who) -> bool {
        let pids = self.choice.pids;
        pids.is_empty() || who.pid.is_some_and(|pid| pids.contains(&pid))
    }

    /// Writes what happened on the processor of a record.
    fn write(
        &mut self,
        seen: &Seen<'_, 's>,
        thread: Option<ThreadId>,
        what: What<'_>,
        writer: &mut dyn Timeline,
    ) -> bool {
        let moment = Moment { time: seen.time, cpu: seen.record.cpu(), thread, what };
        writer.moment(&moment, &self.written.call_stacks, &mut self.out)
    }

    /// The thread that a record is about.
    fn thread_of(&mut self, seen: &Seen<'_, 's>, who: Who, writer: &mut dyn Timeline) -> Option<ThreadId> {
        self.people.who(seen.place.side, who, &|raw| seen.times.ns(raw), writer, &mut self.out)
    }

    fn thread(
        &mut self,
        seen: &Seen<'_, 's>,
        thread: ThreadRef,
        writer: &mut dyn Timeline,
    ) -> Option<ThreadId> {
        self.people.thread(
            seen.place.side,
            (thread, seen.record.time()),
            &|raw| seen.times.ns(raw),
            writer,
            &mut self.out,
        )
    }

    fn switch(
        &mut self,
        seen: &Seen<'_, 's>,
        (old, new): (ThreadRef, ThreadRef),
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        let timeline = seen.place.timeline;
        let machine = timeline.machine();
        let time = seen.record.time();
        if ![old, new].into_iter().any(|thread| self.is_chosen(Who::of(machine, thread, time))) {
            return Err(reason::OTHERS);
        }
        let of = |thread: ThreadRef| {
            thread.thread.and_then(|t| timeline.scheduling(t)).copied().unwrap_or_default()
        };
        let (left, comes) = (of(old), of(new));
        let (old_tid, new_tid) = (old.tid, new.tid);
        let old = self.thread(seen, old, writer);
        let new = self.thread(seen, new, writer);
        let (old, new) = (old.ok_or(reason::UNREAD)?, new.ok_or(reason::UNREAD)?);
        let what = What::Switch(Switch {
            old,
            old_tid,
            new,
            new_tid,
            old_priority: left.priority.unwrap_or(0),
            new_priority: comes.priority.unwrap_or(0),
            old_state: left.state.unwrap_or(0),
            wait_reason: left.wait_reason.unwrap_or(0),
            wait_mode: left.wait_mode.unwrap_or(0),
        });
        Ok(self.write(seen, Some(new), what, writer))
    }

    fn ready(
        &mut self,
        seen: &Seen<'_, 's>,
        tid: &Accessor,
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        let machine = seen.place.timeline.machine();
        let tid = seen.int(tid)? as u32;
        let woken = ThreadRef { tid, thread: machine.thread_at(tid, seen.record.time()) };
        if !self.is_chosen(seen.who) && !self.is_chosen(Who::of(machine, woken, seen.record.time())) {
            return Err(reason::OTHERS);
        }
        let thread = self.thread_of(seen, seen.who, writer);
        let woken = self.thread(seen, woken, writer).ok_or(reason::UNREAD)?;
        Ok(self.write(seen, thread, What::Ready { thread: woken, tid }, writer))
    }

    fn sample(
        &mut self,
        seen: &Seen<'_, 's>,
        address: &Accessor,
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        let &Seen { record, place, who, .. } = seen;
        if who.pid == Some(0) {
            return Err(reason::IDLE);
        }
        let address = seen.int(address)?;
        let stack = self.stack(record, place, who).or_else(|| {
            self.frame(record, place, who, address, false);
            self.written.call_stacks.stack(self.stack.iter().copied())
        });
        let thread = self.thread_of(seen, who, writer);
        let stack = stack.ok_or(reason::BARE_SAMPLE)?;
        Ok(self.write(seen, thread, What::Sample(stack), writer))
    }

    fn disk(
        &mut self,
        seen: &Seen<'_, 's>,
        fields: &Disk,
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        let Disk { name, disk, bytes, file, took, offset } = fields;
        let (disk, took) = (seen.int(disk)?, i64::try_from(seen.int(took)?).unwrap_or(0));
        let machine = seen.place.timeline.machine();
        let thread = self.thread_of(seen, seen.who, writer);
        let number = |field: &Accessor| seen.int(field).unwrap_or(0);
        let path = machine
            .transferred_file_at(number(file), seen.record.time())
            .map(|path| machine.name(path))
            .map(|path| match machine.volumes().to_dos(path) {
                Some((volume, rest)) => format!("{volume}{rest}"),
                None => path.to_owned(),
            });
        let (size, offset) = (number(bytes).to_string(), number(offset).to_string());
        let mut notes = Vec::with_capacity(3);
        if *name != "Flush" {
            notes.extend([("bytes", size.as_str()), ("offset", offset.as_str())]);
        }
        if let Some(path) = &path {
            notes.push(("file", path));
        }
        let start = seen.times.ns(seen.record.time().saturating_sub(took));
        let lane = Lane::Disk(disk as u32);
        let what = What::Span { lane, start, category: "disk", name, notes: &notes };
        Ok(self.write(seen, thread, what, writer))
    }

    fn interrupt(
        &mut self,
        seen: &Seen<'_, 's>,
        name: &str,
        (began, routine): (&Accessor, &Accessor),
        writer: &mut dyn Timeline,
    ) -> Result<bool, &'static str> {
        let (began, routine) = (seen.int(began)?, seen.int(routine)?);
        let symbols = self.frames.get(seen.place.side).map(|known| known.symbols);
        let place = symbols.and_then(|symbols| symbols.locate(0, routine, seen.record.time()));
        let place = place.map_or_else(
            || format!("0x{routine:x}"),
            |place| {
                let (module, name) = shown(&place);
                format!("{module}!{name}")
            },
        );
        let start = seen.times.ns(i64::try_from(began).unwrap_or(i64::MAX)).min(seen.time);
        let notes = [("routine", place.as_str())];
        let lane = Lane::Interrupts(seen.record.cpu());
        let what = What::Span { lane, start, category: "interrupts", name, notes: &notes };
        Ok(self.write(seen, None, what, writer))
    }

    fn mark(&mut self, seen: &Seen<'_, 's>, id: FormatId, writer: &mut dyn Timeline) -> bool {
        let &Seen { record, place, who, time, .. } = seen;
        let stack = self.stack(record, place, who);
        let thread = self.thread_of(seen, who, writer);
        let format = self.decoder.get(id);
        let mut fields = format.fields(record);
        let mut values: Vec<(&str, String)> = fields
            .by_ref()
            .take(MOST_FIELDS)
            .map(|named| {
                let text: String =
                    named.value.display(named.field).to_string().chars().take(MOST_LETTERS).collect();
                (&*named.field.name, text)
            })
            .collect();
        if let Some(lack) = fields.lack(format) {
            values.push(("not decoded in full", lack.to_string()));
        }
        let notes: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let what = What::Mark { category: &format.provider, name: &format.name, notes: &notes, stack };
        let moment = Moment { time, cpu: record.cpu(), thread, what };
        writer.moment(&moment, &self.written.call_stacks, &mut self.out)
    }

    /// Writes the spans that a record ended.
    fn spans(&mut self, seen: &Seen<'_, 's>, writer: &mut dyn Timeline) {
        let time = seen.time;
        let machine = seen.place.timeline.machine();
        let mut ended = std::mem::take(&mut self.ended);
        for span in ended.drain(..) {
            let Some(pair) = self.pairing.pairs().get(span.pair) else { continue };
            let is_chosen = self.is_chosen(Who { pid: span.pid, ..Who::default() });
            let is_timely = (self.choice.start..self.choice.end).contains(&time);
            if !is_chosen || !is_timely || pair.def.is_some_and(|def| !def.drawn) {
                continue;
            }
            let category = format!("{}/{}", pair.provider, pair.name);
            let Ok(start) = Record::parse(&span.start, span.cpu) else { continue };
            let start = start.read_as(span.reading);
            let mut values = values_of(&mut self.decoder, &start);
            for (name, value) in values_of(&mut self.decoder, seen.record) {
                if values.iter().all(|(known, same)| (known, same) != (&name, &value)) {
                    values.push((name, value));
                }
            }
            let notes: Vec<(&str, &str)> =
                values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let thread = span.tid.map(|tid| ThreadRef { tid, thread: machine.thread_at(tid, span.time) });
            let who = thread.map_or_else(Who::default, |thread| Who::of(machine, thread, span.time));
            let who = Who { pid: span.pid, tid: span.tid, ..who };
            let thread = self.thread_of(seen, who, writer);
            let what = What::Span {
                lane: Lane::Spans(span.pair as u32),
                start: seen.times.ns(span.time).min(time),
                category: &category,
                name: &span.name,
                notes: &notes,
            };
            if self.write(seen, thread, what, writer) {
                self.written.shown += 1;
            }
        }
        self.ended = ended;
    }

    /// The stack of a record: the one it carries, and the one logged for it.
    fn stack(&mut self, record: &Record<'_>, place: &Place<'_, 's>, who: Who) -> Option<StackId> {
        let mut addresses = std::mem::take(&mut self.addresses);
        addresses.clear();
        stack::collect(&mut addresses, self.sources.stacks, place.trace, record, who.tid);
        self.stack.clear();
        for (at, &address) in addresses.iter().enumerate().rev() {
            // All but the innermost address are those that calls return to.
            self.frame(record, place, who, address, at > 0);
        }
        self.addresses = addresses;
        self.written.call_stacks.stack(self.stack.iter().copied())
    }

    /// Adds the frames at an address, outermost first: the function's, and those of what was inlined there.
    fn frame(&mut self, record: &Record<'_>, place: &Place<'_, 's>, who: Who, address: u64, call: bool) {
        let Some(known) = self.frames.get_mut(place.side) else { return };
        let symbols = known.symbols;
        let kernel = address > if record.pointer_size() == 4 { 0x7fff_ffff } else { 0x7fff_fffe_ffff };
        let pid = if kernel { 0 } else { who.pid.unwrap_or(0) };
        if let Some(&(until, first, count)) = known.places.get(&(pid, address, call))
            && record.time() < until
        {
            let frames = known.frames.get(first as usize..(first + count) as usize);
            self.stack.extend(frames.unwrap_or_default());
            return;
        }
        let begin = self.stack.len();
        let time = record.time();
        let located = match call {
            true => symbols.locate_return(pid, address, time),
            false => symbols.locate(pid, address, time),
        };
        let (module, name) = match &located {
            Some(location) => shown(location),
            None => (String::new(), format!("0x{address:x}")),
        };
        let stacks = &mut self.written.call_stacks;
        self.stack.push(stacks.frame(&module, &name, kernel));
        if self.sources.inlines && located.is_some_and(|location| location.symbol.is_some()) {
            let frames = symbols.frames(pid, address, time, call);
            for inlined in frames.iter().rev().filter(|frame| frame.inlined) {
                self.stack.push(stacks.frame(&module, &inlined.function, kernel));
            }
        }
        if let Some(until) = symbols.holds_until(pid, address, time) {
            if known.frames.len() >= MOST_FRAMES {
                *known = KnownFrames::new(symbols);
            }
            let new = &self.stack[begin..];
            let first = known.frames.len() as u32;
            known.places.insert((pid, address, call), (until, first, new.len() as u32));
            known.frames.extend_from_slice(new);
        }
    }
}

/// The fields of an event as texts.
fn values_of(decoder: &mut Decoder, record: &Record<'_>) -> Vec<(String, String)> {
    let format = decoder.format(record);
    let text = |named: tracewell_decode::NamedValue<'_>| {
        let value = named.value.display(named.field).to_string().chars().take(MOST_LETTERS).collect();
        (named.field.name.to_string(), value)
    };
    format.fields(record).take(MOST_FIELDS).map(text).collect()
}

/// Module and name of a place. The distance from a function would tear its samples apart; without a function
/// it is all there is.
fn shown(place: &tracewell_symbols::Location) -> (String, String) {
    let name = match &place.symbol {
        Some(symbol) => symbol.to_string(),
        None => format!("0x{:x}", place.offset),
    };
    (place.module.to_string(), name)
}
