//! Timelines for Perfetto: its own protocol buffers, packet by packet.
//!
//! Source: the published `perfetto_trace.proto`; the modules below contain its field numbers. Context switches and
//! readied threads are the viewer's own ETW events, so that it draws processors, thread states and wake-ups. Samples
//! are profile samples with interned stacks; everything else is a track event. The stack of a track event is an
//! interned text among its annotations, because older viewers count the format's field for stacks of events as an error
//! in each event. Memory grows only with the number of different names and stacks. Packets need not be in time order:
//! the viewer sorts them.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{
    Format, Heading, Lane, Moment, Process, ProcessId, Switch, Thread, ThreadId, Timeline, What, since_start,
};
use super::stacks::{CallStacks, FrameId, StackId, label};
use super::wire::Wire;

/// Fields of `TracePacket`.
mod packet {
    pub(super) const FTRACE_EVENTS: u32 = 1;
    pub(super) const PROCESS_TREE: u32 = 2;
    pub(super) const CLOCK_SNAPSHOT: u32 = 6;
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const TRACK_EVENT: u32 = 11;
    pub(super) const INTERNED_DATA: u32 = 12;
    pub(super) const SEQUENCE_FLAGS: u32 = 13;
    pub(super) const CLOCK: u32 = 58;
    pub(super) const DEFAULTS: u32 = 59;
    pub(super) const TRACK_DESCRIPTOR: u32 = 60;
    pub(super) const PERF_SAMPLE: u32 = 66;
    pub(super) const ETW_EVENTS: u32 = 95;
}

/// `BUILTIN_CLOCK_BOOTTIME`: the clock of all packets; 0 is the start of the trace.
const BOOT: u64 = 6;
/// `BUILTIN_CLOCK_REALTIME`.
const REAL: u64 = 1;
/// `SEQ_INCREMENTAL_STATE_CLEARED`, `SEQ_NEEDS_INCREMENTAL_STATE`.
const CLEARED: u64 = 1;
const NEEDED: u64 = 2;
/// Bytes of a processor's scheduling events that are put into one packet.
const BUNDLE: usize = 1 << 14;
/// Names that are kept to be referred to; further ones are written out each time.
const MOST_NAMES: usize = 1 << 16;
/// Most spans of one lane that may overlap.
const MOST_ROWS: usize = 256;
/// Added to the priorities of Windows (0 to 31): the viewer reads priorities as those of Linux and labels each thread
/// below 100 `RT`.
const PRIORITY: i64 = 100;
/// The note of an event that holds its stack, innermost frame first, one frame a line.
const STACK: &str = "stack";

/// Identities of tracks: what they show in the upper half, its number in the lower one.
mod track {
    pub(super) const THREAD: u64 = 1 << 32;
    pub(super) const LANE: u64 = 2 << 32;
    pub(super) const CPU: u64 = 3 << 32;
}

/// A Perfetto trace.
#[derive(Debug)]
pub struct Perfetto {
    heading: Heading,
    begun: bool,
    processes: Vec<u32>,
    /// The announced process and thread ids; Windows takes both from one table.
    numbers: FxHashSet<u32>,
    /// Process and thread number, and whether its track is described.
    threads: Vec<OfThread>,
    cpus: FxHashSet<u16>,
    bundles: FxHashMap<u16, Vec<u8>>,
    lanes: FxHashMap<Lane, Vec<Row>>,
    rows: u64,
    names: Names,
    notes: Names,
    modules: FxHashMap<Box<str>, u64>,
    frames: FxHashSet<FrameId>,
    stacks: FxHashSet<StackId>,
    /// Stacks whose text is interned.
    texts: FxHashSet<StackId>,
}

#[derive(Debug)]
struct OfThread {
    pid: u32,
    tid: u32,
    name: String,
    described: bool,
}

/// One line of a lane.
#[derive(Debug)]
struct Row {
    uuid: u64,
    end: i64,
}

/// Texts with the numbers they are known by.
#[derive(Debug, Default)]
struct Names(FxHashMap<Box<str>, u64>);

impl Names {
    /// The number of a text and whether it is new; [`None`] when no more are kept.
    fn intern(&mut self, text: &str) -> Option<(u64, bool)> {
        if let Some(&known) = self.0.get(text) {
            return Some((known, false));
        }
        let next = self.0.len() as u64 + 1;
        (self.0.len() < MOST_NAMES).then(|| {
            self.0.insert(text.into(), next);
            (next, true)
        })
    }
}

impl Perfetto {
    /// Nothing yet.
    #[must_use]
    pub fn new(heading: Heading) -> Perfetto {
        Perfetto {
            heading,
            begun: false,
            processes: Vec::new(),
            numbers: FxHashSet::default(),
            threads: Vec::new(),
            cpus: FxHashSet::default(),
            bundles: FxHashMap::default(),
            lanes: FxHashMap::default(),
            rows: 0,
            names: Names::default(),
            notes: Names::default(),
            modules: FxHashMap::default(),
            frames: FxHashSet::default(),
            stacks: FxHashSet::default(),
            texts: FxHashSet::default(),
        }
    }

    /// The packet that everything interned builds on, and the relation of the clocks.
    fn begin(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let interval = self.heading.interval;
        write_packet(out, |packet| {
            packet.number(packet::SEQUENCE_FLAGS, CLEARED);
            packet.message(packet::DEFAULTS, |defaults| {
                defaults.number(packet::CLOCK, BOOT);
                // perf_sample_defaults { timebase { period, counter: SW_CPU_CLOCK } }
                defaults.message(12, |samples| {
                    samples.message(1, |timebase| {
                        timebase.number(4, 1);
                        if let Some(interval) = interval {
                            timebase.number(1, interval);
                        }
                        timebase.text(10, "samples");
                    });
                });
            });
        });
        let unix = u64::try_from(self.heading.unix_ns).unwrap_or(0);
        write_packet(out, |packet| {
            packet.message(packet::CLOCK_SNAPSHOT, |snapshot| {
                for (clock, time) in [(BOOT, 0), (REAL, unix)] {
                    snapshot.message(1, |of| {
                        of.number(1, clock);
                        of.number(2, time);
                    });
                }
                snapshot.number(2, BOOT);
            });
        });
    }

    fn switch(&mut self, time: u64, cpu: u16, switch: &Switch, out: &mut Vec<u8>) {
        self.scheduling(cpu, out, |event| {
            event.number(1, time);
            event.number(4, cpu.into());
            event.message(2, |fields| {
                fields.number(1, switch.new_tid.into());
                fields.number(2, switch.old_tid.into());
                fields.signed(3, PRIORITY + i64::from(switch.new_priority.max(0)));
                fields.signed(4, PRIORITY + i64::from(switch.old_priority.max(0)));
                // There is an enumeration for this too (field 6), which the viewer does not read.
                fields.number(11, i64::from(switch.wait_reason).cast_unsigned());
                fields.number(7, u64::from(switch.wait_mode != 0));
                match u64::try_from(switch.old_state) {
                    Ok(state @ 0..=7) => fields.number(8, state),
                    _ => fields.signed(13, switch.old_state.into()),
                }
            });
        });
    }

    /// Announces that the previous owner of this id has ended. The viewer's own events for that are those of Linux;
    /// without them it treats all owners of an id as one. They are written when the id is reused, not when its owner
    /// ends, because a thread is switched out after its end.
    fn free(&mut self, number: u32, again: Option<u64>, out: &mut Vec<u8>) {
        if self.numbers.insert(number) {
            return;
        }
        let Some(time) = again else { return };
        write_packet(out, |packet| {
            packet.message(packet::FTRACE_EVENTS, |bundle| {
                bundle.number(1, 0);
                bundle.message(2, |event| {
                    event.number(1, time.saturating_sub(1));
                    event.number(2, number.into());
                    // sched_process_free
                    event.message(240, |freed| freed.number(2, number.into()));
                });
            });
        });
    }

    /// Adds an event to those of a processor.
    fn scheduling(&mut self, cpu: u16, out: &mut Vec<u8>, fill: impl FnOnce(&mut Wire<'_>)) {
        let bundle = self.bundles.entry(cpu).or_default();
        Wire(bundle).message(2, fill);
        if bundle.len() >= BUNDLE {
            write_bundle(cpu, bundle, out);
            bundle.clear();
        }
    }

    /// The interned parts of a stack that no packet had yet.
    fn describe_stack(&mut self, stack: StackId, stacks: &CallStacks, data: &mut Wire<'_>) {
        if !self.stacks.insert(stack) {
            return;
        }
        let mut outermost_first: Vec<FrameId> = stacks.frames(stack).collect();
        outermost_first.reverse();
        for &frame in &outermost_first {
            if !self.frames.insert(frame) {
                continue;
            }
            let (module, name) = stacks.name(frame);
            let known = self.modules.len() as u64 + 1;
            let mapping = match self.modules.get(module) {
                Some(&mapping) => mapping,
                None => {
                    self.modules.insert(module.into(), known);
                    interned(data, 17, known, module);
                    data.message(19, |mapping| {
                        mapping.number(1, known);
                        mapping.number(7, known);
                    });
                    known
                }
            };
            // The viewer shows modules beside a frame that is chosen only, and joins frames of the same name.
            interned(data, 5, frame_iid(frame), &label(module, name));
            data.message(6, |of| {
                of.number(1, frame_iid(frame));
                of.number(2, frame_iid(frame));
                of.number(3, mapping);
            });
        }
        data.message(7, |callstack| {
            callstack.number(1, stack_iid(stack));
            for frame in outermost_first {
                callstack.number(2, frame_iid(frame));
            }
        });
    }

    fn sample(&mut self, moment: &Moment<'_>, stack: StackId, stacks: &CallStacks, out: &mut Vec<u8>) {
        let thread = moment.thread.and_then(|thread| self.threads.get(thread.0 as usize));
        let (pid, tid) = thread.map_or((0, 0), |thread| (thread.pid, thread.tid));
        let kernel = stacks.split(stack).is_some_and(|(_, frame)| stacks.is_kernel(frame));
        write_packet(out, |packet| {
            packet.number(packet::TIMESTAMP, since_start(moment.time));
            packet.number(packet::SEQUENCE_FLAGS, NEEDED);
            if !self.stacks.contains(&stack) {
                packet.message(packet::INTERNED_DATA, |data| self.describe_stack(stack, stacks, data));
            }
            packet.message(packet::PERF_SAMPLE, |sample| {
                sample.number(1, moment.cpu.into());
                sample.number(2, pid.into());
                sample.number(3, tid.into());
                sample.number(4, stack_iid(stack));
                // MODE_KERNEL, MODE_USER
                sample.number(5, if kernel { 1 } else { 2 });
            });
        });
    }

    /// The line of a lane on which a span has room; it then ends where the span ends.
    fn row(
        &mut self,
        (lane, category): (Lane, &str),
        start: i64,
        end: i64,
        out: &mut Vec<u8>,
    ) -> Option<u64> {
        let rows = self.lanes.entry(lane).or_default();
        if let Some(row) = rows.iter_mut().find(|row| row.end <= start) {
            row.end = end;
            return Some(row.uuid);
        }
        if rows.len() >= MOST_ROWS {
            return None;
        }
        let uuid = track::LANE | self.rows;
        self.rows += 1;
        rows.push(Row { uuid, end });
        let name = match lane {
            Lane::Disk(disk) => format!("Disk {disk}"),
            Lane::Interrupts(cpu) => format!("CPU {cpu} interrupts"),
            Lane::Spans(_) => category.to_owned(),
        };
        describe_track(out, uuid, |track| track.text(2, &name));
        Some(uuid)
    }

    /// The track of the thread of a moment, or of its processor.
    fn track(&mut self, moment: &Moment<'_>, out: &mut Vec<u8>) -> u64 {
        let found = moment.thread.and_then(|id| Some((id, self.threads.get_mut(id.0 as usize)?)));
        if let Some((id, thread)) = found {
            let uuid = track::THREAD | u64::from(id.0);
            if !std::mem::replace(&mut thread.described, true) {
                describe_track(out, uuid, |track| {
                    track.message(4, |of| {
                        of.number(1, thread.pid.into());
                        of.number(2, thread.tid.into());
                        if !thread.name.is_empty() {
                            of.text(5, &thread.name);
                        }
                    });
                });
            }
            return uuid;
        }
        let uuid = track::CPU | u64::from(moment.cpu);
        if self.cpus.insert(moment.cpu) {
            describe_track(out, uuid, |track| track.text(2, &format!("CPU {} events", moment.cpu)));
        }
        uuid
    }

    /// A track event: `kind` 1 begins a slice, 3 is an instant.
    fn event(&mut self, event: &Event<'_>, stacks: &CallStacks, out: &mut Vec<u8>) {
        let name = self.names.intern(event.name);
        let keys: Vec<Option<(u64, bool)>> =
            event.notes.iter().map(|(key, _)| self.notes.intern(key)).collect();
        let of_stack = event.stack.and_then(|stack| Some((stack, self.notes.intern(STACK)?)));
        let new = |known: &Option<(u64, bool)>| known.is_some_and(|(_, new)| new);
        let new_text = event.stack.filter(|stack| self.texts.insert(*stack));
        write_packet(out, |packet| {
            packet.number(packet::TIMESTAMP, since_start(event.time));
            packet.number(packet::SEQUENCE_FLAGS, NEEDED);
            if new(&name) || keys.iter().any(new) || new_text.is_some() {
                packet.message(packet::INTERNED_DATA, |data| {
                    if let Some((iid, true)) = name {
                        interned(data, 2, iid, event.name);
                    }
                    for (known, (key, _)) in keys.iter().zip(event.notes) {
                        if let Some((iid, true)) = known {
                            interned(data, 3, *iid, key);
                        }
                    }
                    if let Some((_, (iid, true))) = of_stack {
                        interned(data, 3, iid, STACK);
                    }
                    if let Some(stack) = new_text {
                        interned(data, 29, stack_iid(stack), &text(stack, stacks));
                    }
                });
            }
            packet.message(packet::TRACK_EVENT, |of| {
                of.number(9, event.kind);
                of.number(11, event.track);
                match name {
                    Some((iid, _)) => of.number(10, iid),
                    None => of.text(23, event.name),
                }
                of.text(22, event.category);
                for (known, (key, value)) in keys.iter().zip(event.notes) {
                    of.message(4, |note| {
                        match known {
                            Some((iid, _)) => note.number(1, *iid),
                            None => note.text(10, key),
                        }
                        note.text(6, value);
                    });
                }
                if let Some((stack, (iid, _))) = of_stack {
                    of.message(4, |note| {
                        note.number(1, iid);
                        note.number(17, stack_iid(stack));
                    });
                }
            });
        });
    }
}

/// A stack as text: innermost frame first, one frame a line.
fn text(stack: StackId, stacks: &CallStacks) -> String {
    let mut text = String::new();
    for frame in stacks.frames(stack) {
        let (module, name) = stacks.name(frame);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&label(module, name));
    }
    text
}

/// A track event to be written.
struct Event<'e> {
    time: i64,
    kind: u64,
    track: u64,
    category: &'e str,
    name: &'e str,
    notes: &'e [(&'e str, &'e str)],
    stack: Option<StackId>,
}

/// `TYPE_SLICE_BEGIN`, `TYPE_SLICE_END`, `TYPE_INSTANT`.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;

fn frame_iid(frame: FrameId) -> u64 {
    frame.index() as u64 + 1
}

fn stack_iid(stack: StackId) -> u64 {
    stack.index() as u64 + 1
}

/// A text that later packets refer to by number.
fn interned(data: &mut Wire<'_>, field: u32, iid: u64, text: &str) {
    data.message(field, |entry| {
        entry.number(1, iid);
        entry.text(2, text);
    });
}

/// Every packet belongs to one sequence.
fn write_packet(out: &mut Vec<u8>, fill: impl FnOnce(&mut Wire<'_>)) {
    Wire(out).message(1, |packet| {
        packet.number(packet::SEQUENCE, 1);
        fill(packet);
    });
}

fn write_bundle(cpu: u16, events: &[u8], out: &mut Vec<u8>) {
    write_packet(out, |packet| {
        packet.message(packet::ETW_EVENTS, |bundle| {
            bundle.number(1, cpu.into());
            bundle.0.extend_from_slice(events);
        });
    });
}

fn describe_track(out: &mut Vec<u8>, uuid: u64, fill: impl FnOnce(&mut Wire<'_>)) {
    write_packet(out, |packet| {
        packet.message(packet::TRACK_DESCRIPTOR, |track| {
            track.number(1, uuid);
            fill(track);
        });
    });
}

/// The part of a command line after the program.
fn arguments(command_line: &str) -> &str {
    let rest = match command_line.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(_, rest)| rest),
        None => command_line.split_once(' ').map(|(_, rest)| rest),
    };
    rest.unwrap_or_default().trim()
}

/// The format of [`Perfetto`].
pub(super) const FORMAT: Format = Format {
    name: "perfetto",
    about: "Write for Perfetto: processors, threads with their states and wake-ups, samples with stacks, disk transfers, interrupts, \
            and all other events",
    viewer: "https://ui.perfetto.dev",
    ending: "perfetto-trace",
    is_text: false,
    keeps_machines_apart: false,
    start: |heading| Box::new(Perfetto::new(heading)),
};

impl Timeline for Perfetto {
    fn process(&mut self, process: &Process<'_>, out: &mut Vec<u8>) -> ProcessId {
        self.begin(out);
        // The viewer creates the idle process itself.
        if process.pid != 0 {
            let start = process.start.map(since_start);
            self.free(process.pid, start, out);
            write_packet(out, |packet| {
                packet.number(packet::TIMESTAMP, start.unwrap_or(0));
                packet.message(packet::PROCESS_TREE, |tree| {
                    tree.message(1, |of| {
                        of.number(1, process.pid.into());
                        if let Some(parent) = process.parent {
                            of.number(2, parent.into());
                        }
                        of.text(3, process.name);
                        let arguments = arguments(process.command_line);
                        if !arguments.is_empty() {
                            of.text(3, arguments);
                        }
                        if let Some(start) = start {
                            of.number(7, start);
                        }
                    });
                });
            });
        }
        self.processes.push(process.pid);
        ProcessId((self.processes.len() - 1) as u32)
    }

    fn thread(&mut self, thread: &Thread<'_>, out: &mut Vec<u8>) -> ThreadId {
        self.begin(out);
        let pid = self.processes.get(thread.process.0 as usize).copied().unwrap_or(0);
        if thread.tid != 0 {
            let start = thread.start.map(since_start);
            // The thread that represents a process as a whole has the process id.
            if thread.tid != pid {
                self.free(thread.tid, start, out);
            }
            write_packet(out, |packet| {
                packet.number(packet::TIMESTAMP, start.unwrap_or(0));
                packet.message(packet::PROCESS_TREE, |tree| {
                    tree.message(2, |of| {
                        of.number(1, thread.tid.into());
                        if !thread.name.is_empty() {
                            of.text(2, thread.name);
                        }
                        of.number(3, pid.into());
                    });
                });
            });
        }
        self.threads.push(OfThread { pid, tid: thread.tid, name: thread.name.to_owned(), described: false });
        ThreadId((self.threads.len() - 1) as u32)
    }

    fn moment(&mut self, moment: &Moment<'_>, stacks: &CallStacks, out: &mut Vec<u8>) -> bool {
        self.begin(out);
        let time = since_start(moment.time);
        match moment.what {
            What::Switch(switch) => self.switch(time, moment.cpu, &switch, out),
            What::Ready { tid, .. } => {
                let waker = moment.thread.and_then(|t| self.threads.get(t.0 as usize)).map(|t| t.tid);
                self.scheduling(moment.cpu, out, |event| {
                    event.number(1, time);
                    event.number(4, moment.cpu.into());
                    if let Some(waker) = waker {
                        event.number(5, waker.into());
                    }
                    event.message(3, |fields| fields.number(1, tid.into()));
                });
            }
            What::Sample(stack) => self.sample(moment, stack, stacks, out),
            What::Span { lane, start, category, name, notes } => {
                let Some(track) = self.row((lane, category), start, moment.time, out) else { return false };
                let begin = Event { time: start, kind: BEGIN, track, category, name, notes, stack: None };
                self.event(&begin, stacks, out);
                write_packet(out, |packet| {
                    packet.number(packet::TIMESTAMP, time);
                    packet.message(packet::TRACK_EVENT, |of| {
                        of.number(9, END);
                        of.number(11, track);
                    });
                });
            }
            What::Mark { category, name, notes, stack } => {
                let track = self.track(moment, out);
                let mark = Event { time: moment.time, kind: INSTANT, track, category, name, notes, stack };
                self.event(&mark, stacks, out);
            }
        }
        true
    }

    fn finish(mut self: Box<Self>, _: &CallStacks, out: &mut dyn io::Write) -> io::Result<()> {
        let mut last = Vec::new();
        self.begin(&mut last);
        let mut cpus: Vec<_> = std::mem::take(&mut self.bundles).into_iter().collect();
        cpus.sort();
        for (cpu, bundle) in cpus.iter().filter(|(_, bundle)| !bundle.is_empty()) {
            write_bundle(*cpu, bundle, &mut last);
        }
        out.write_all(&last)
    }
}
