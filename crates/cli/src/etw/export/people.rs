//! Processes and threads, announced to a timeline when something first happens to them.

use rustc_hash::FxHashMap;
use tracewell_export::timeline::{Process, ProcessId, Thread, ThreadId, Timeline};
use tracewell_state::{FOREVER, Machine, ONCE, ProcessIndex, Span, ThreadIndex, ThreadRef, Who};

/// Which processes and threads the timeline knows by which numbers.
pub(super) struct People<'m> {
    machine: &'m Machine,
    processes: FxHashMap<ProcessKey, ProcessId>,
    threads: FxHashMap<ThreadKey, ThreadId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ProcessKey {
    Known(ProcessIndex),
    /// One that nothing in the trace tells of.
    Number(Option<u32>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ThreadKey {
    Known(ThreadIndex),
    Number(Option<u32>, u32),
    /// Stands for a process as a whole: of its event no thread is known.
    Process(ProcessKey),
}

/// The times of a span that lie in the trace, in nanoseconds of the timeline.
fn bounds<T>(span: &Span<T>, ns: &impl Fn(i64) -> i64) -> (Option<i64>, Option<i64>) {
    let inside = |raw, never| (raw != never).then(|| ns(raw));
    (inside(span.start, FOREVER), inside(span.end, ONCE))
}

impl<'m> People<'m> {
    pub(super) fn new(machine: &'m Machine) -> People<'m> {
        People { machine, processes: FxHashMap::default(), threads: FxHashMap::default() }
    }

    /// The thread that an event belongs to; for an event of a process as a whole a thread that stands for it.
    pub(super) fn who(
        &mut self,
        who: Who,
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> Option<ThreadId> {
        let process = who.process.map_or(ProcessKey::Number(who.pid), ProcessKey::Known);
        let key = match (who.thread, who.tid, who.pid) {
            (Some(thread), ..) => ThreadKey::Known(thread),
            (None, Some(tid), pid) => ThreadKey::Number(pid, tid),
            (None, None, Some(_)) => ThreadKey::Process(process),
            (None, None, None) => return None,
        };
        if let Some(&known) = self.threads.get(&key) {
            return Some(known);
        }
        let process = self.process(process, ns, writer, out);
        let known = who.thread.and_then(|index| self.machine.thread(index));
        let (start, end) = known.map_or((None, None), |span| bounds(span, ns));
        let thread = Thread {
            process,
            // Windows takes both kinds of numbers from one table: no thread has that of a living process.
            tid: who.tid.or(who.pid).unwrap_or(0),
            name: match key {
                ThreadKey::Process(_) => "the process as a whole",
                _ => known.map_or("", |span| self.machine.name(span.value.name)),
            },
            start,
            end,
        };
        let id = writer.thread(&thread, out);
        self.threads.insert(key, id);
        Some(id)
    }

    /// A thread as a context switch names it.
    pub(super) fn thread(
        &mut self,
        thread: ThreadRef,
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> Option<ThreadId> {
        let who = owner(self.machine, thread);
        self.who(who, ns, writer, out)
    }

    fn process(
        &mut self,
        key: ProcessKey,
        ns: &impl Fn(i64) -> i64,
        writer: &mut dyn Timeline,
        out: &mut Vec<u8>,
    ) -> ProcessId {
        if let Some(&known) = self.processes.get(&key) {
            return known;
        }
        let known = match key {
            ProcessKey::Known(index) => self.machine.process(index),
            ProcessKey::Number(_) => None,
        };
        let process = match (known, key) {
            (Some(span), _) => {
                let (start, end) = bounds(span, ns);
                let value = &span.value;
                Process {
                    pid: value.pid,
                    parent: value.parent,
                    name: self.machine.name(value.image),
                    command_line: self.machine.name(value.command_line),
                    start,
                    end,
                }
            }
            (None, ProcessKey::Number(pid)) => Process { pid: pid.unwrap_or(0), ..unknown() },
            (None, ProcessKey::Known(_)) => unknown(),
        };
        let id = writer.process(&process, out);
        self.processes.insert(key, id);
        id
    }
}

/// A process of which the trace tells nothing.
fn unknown() -> Process<'static> {
    Process { pid: 0, parent: None, name: "unknown", command_line: "", start: None, end: None }
}

/// Whose a thread is.
pub(super) fn owner(machine: &Machine, thread: ThreadRef) -> Who {
    let known = thread.thread.and_then(|index| machine.thread(index));
    Who {
        pid: known.map(|span| span.value.pid),
        tid: Some(thread.tid),
        process: known.and_then(|span| span.value.process),
        thread: thread.thread,
    }
}
