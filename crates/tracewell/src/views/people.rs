//! Processes and threads, announced to a timeline when something first happens to them.

use rustc_hash::FxHashMap;
use tracewell_export::timeline::{Process, ProcessId, Thread, ThreadId, Timeline};
use tracewell_state::{FOREVER, Machine, ONCE, ProcessIndex, Span, ThreadIndex, ThreadRef, Who};

/// Which processes and threads the timeline knows by which numbers.
pub(super) struct People<'m> {
    machines: &'m [Machine],
    /// Equal process numbers of two machines mean the same process: they are views of one, by different clocks.
    one_boot: bool,
    processes: FxHashMap<ProcessKey, ProcessId>,
    threads: FxHashMap<ThreadKey, ThreadId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ProcessKey {
    /// One of a machine.
    Known(usize, ProcessIndex),
    /// A process that no record in the traces describes.
    Number(usize, Option<u32>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ThreadKey {
    /// With the program that it runs at the time: on Linux a process runs several in turn.
    Known(usize, ThreadIndex, Option<ProcessIndex>),
    Number(ProcessKey, u32),
    /// Represents a process as a whole, for events whose thread is unknown.
    Process(ProcessKey),
}

/// The times of a span that lie in the trace, in nanoseconds of the timeline.
fn bounds<T>(span: &Span<T>, ns: &impl Fn(i64) -> i64) -> (Option<i64>, Option<i64>) {
    let inside = |raw, never| (raw != never).then(|| ns(raw));
    (inside(span.start, FOREVER), inside(span.end, ONCE))
}

impl<'m> People<'m> {
    pub(super) fn new(machines: &'m [Machine], one_boot: bool) -> People<'m> {
        People { machines, one_boot, processes: FxHashMap::default(), threads: FxHashMap::default() }
    }

    /// The thread that an event belongs to. Events of a process as a whole get a thread that represents it.
    pub(super) fn who(
        &mut self,
        side: usize,
        who: Who,
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> Option<ThreadId> {
        let process = match who.process {
            Some(process) => ProcessKey::Known(side, process),
            None => self.elsewhere(side, who.pid).unwrap_or(ProcessKey::Number(side, who.pid)),
        };
        let key = match (who.thread, who.tid, who.pid) {
            (Some(thread), ..) => ThreadKey::Known(side, thread, who.process),
            (None, Some(tid), _) => ThreadKey::Number(process, tid),
            (None, None, Some(_)) => ThreadKey::Process(process),
            (None, None, None) => return None,
        };
        if let Some(&known) = self.threads.get(&key) {
            return Some(known);
        }
        let process = self.process(side, process, ns, writer, out);
        let machine = self.machines.get(side);
        let known = who.thread.and_then(|index| machine?.thread(index));
        let (start, end) = known.map_or((None, None), |span| bounds(span, ns));
        let thread = Thread {
            process,
            // Windows takes both kinds of numbers from one table: no thread has that of a living process.
            tid: who.tid.or(who.pid).unwrap_or(0),
            name: match key {
                ThreadKey::Process(_) => "the process as a whole",
                _ => known.zip(machine).map_or("", |(span, machine)| machine.name(span.value.name)),
            },
            start,
            end,
        };
        let id = writer.thread(&thread, out);
        self.threads.insert(key, id);
        Some(id)
    }

    /// The process of a number that this machine does not know, as another view of the machine knows it.
    fn elsewhere(&self, side: usize, pid: Option<u32>) -> Option<ProcessKey> {
        if !self.one_boot {
            return None;
        }
        let pid = pid?;
        let mut found = None;
        for (at, machine) in self.machines.iter().enumerate().filter(|(at, _)| *at != side) {
            for span in machine.processes_of(pid) {
                let inside = if span.start == FOREVER { span.end.saturating_sub(1) } else { span.start };
                let index = machine.process_at(pid, inside)?;
                if found.replace(ProcessKey::Known(at, index)).is_some() {
                    // The number was reused, and with different clocks the right user cannot be
                    // determined.
                    return None;
                }
            }
        }
        found
    }

    /// A thread as a context switch at a raw time names it.
    pub(super) fn thread(
        &mut self,
        side: usize,
        (thread, time): (ThreadRef, i64),
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> Option<ThreadId> {
        let who = Who::of(self.machines.get(side)?, thread, time);
        self.who(side, who, ns, writer, out)
    }

    fn process(
        &mut self,
        side: usize,
        key: ProcessKey,
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> ProcessId {
        if let Some(&known) = self.processes.get(&key) {
            return known;
        }
        let known = match key {
            ProcessKey::Known(at, index) => {
                self.machines.get(at).and_then(|machine| Some((machine, machine.process(index)?, at == side)))
            }
            ProcessKey::Number(..) => None,
        };
        let process = match (known, key) {
            (Some((machine, span, own)), _) => {
                // Times of another view are by another clock.
                let (start, end) = if own { bounds(span, ns) } else { (None, None) };
                let value = &span.value;
                Process {
                    pid: value.pid,
                    parent: value.parent,
                    name: machine.name(value.image),
                    command_line: machine.name(value.command_line),
                    start,
                    end,
                }
            }
            (None, ProcessKey::Number(_, pid)) => Process { pid: pid.unwrap_or(0), ..unknown() },
            (None, ProcessKey::Known(..)) => unknown(),
        };
        let id = writer.process(&process, out);
        self.processes.insert(key, id);
        id
    }
}

/// A process that the trace does not describe.
fn unknown() -> Process<'static> {
    Process { pid: 0, parent: None, name: "unknown", command_line: "", start: None, end: None }
}
