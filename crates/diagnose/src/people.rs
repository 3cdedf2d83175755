//! The processes and threads that something happened to, numbered in the order of their first appearance.

use rustc_hash::FxHashMap;
use tracewell_state::{FOREVER, Machine, ONCE, ProcessIndex, ThreadIndex, ThreadRef, Who};

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Program: the file name of its image in lower case, as `execname`.
    pub name: String,
    /// Command line, if the trace has it.
    pub command: String,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// When it began, in nanoseconds since the trace did; [`None`] if it ran before.
    pub start: Option<i64>,
    /// When it ended; [`None`] if it ran on.
    pub end: Option<i64>,
    /// Exit status, if its end was seen.
    pub exit: Option<i32>,
    /// Security identifier of its user, if the trace has it.
    pub user: String,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Thread id.
    pub tid: u32,
    /// The number of its process in [`People::processes`].
    pub process: u32,
    /// The name that its program gave it.
    pub name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ProcessKey {
    Known(usize, ProcessIndex),
    Number(usize, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ThreadKey {
    /// With the program that it runs at the time: on Linux a process runs several in turn.
    Known(usize, ThreadIndex, Option<ProcessIndex>),
    Number(u32, u32),
}

/// Processes and threads by number.
#[derive(Debug, Default)]
pub struct People {
    /// Every process that something happened to.
    pub processes: Vec<Process>,
    /// Every thread that something happened to.
    pub threads: Vec<Thread>,
    by_process: FxHashMap<ProcessKey, u32>,
    by_thread: FxHashMap<ThreadKey, u32>,
}

/// The number of a process that no record describes.
const UNKNOWN: u32 = u32::MAX;

impl People {
    /// The number of the thread that an event belongs to. An event whose thread is unknown belongs to a thread 0 of its
    /// process.
    pub(crate) fn who(&mut self, side: usize, machine: &Machine, who: Who, ns: impl Fn(i64) -> i64) -> u32 {
        if let Some(index) = who.thread
            && let Some(&known) = self.by_thread.get(&ThreadKey::Known(side, index, who.process))
        {
            return known;
        }
        let process = self.process(side, machine, who, ns);
        let tid = who.tid.unwrap_or(0);
        let key = match who.thread {
            Some(index) => ThreadKey::Known(side, index, who.process),
            None => ThreadKey::Number(process, tid),
        };
        if let Some(&known) = self.by_thread.get(&key) {
            return known;
        }
        let name = who.thread.and_then(|index| machine.thread(index));
        let name = name.map_or("", |span| machine.name(span.value.name)).to_owned();
        self.threads.push(Thread { tid, process, name });
        let number = self.threads.len() as u32 - 1;
        self.by_thread.insert(key, number);
        number
    }

    /// The number of a thread that a context switch at a raw time names.
    pub(crate) fn thread(
        &mut self,
        side: usize,
        machine: &Machine,
        (thread, time): (ThreadRef, i64),
        ns: impl Fn(i64) -> i64,
    ) -> u32 {
        self.who(side, machine, Who::of(machine, thread, time), ns)
    }

    /// The number of the process that an event belongs to.
    pub(crate) fn process(
        &mut self,
        side: usize,
        machine: &Machine,
        who: Who,
        ns: impl Fn(i64) -> i64,
    ) -> u32 {
        let key = match who.process {
            Some(index) => ProcessKey::Known(side, index),
            None => ProcessKey::Number(side, who.pid.unwrap_or(UNKNOWN)),
        };
        if let Some(&known) = self.by_process.get(&key) {
            return known;
        }
        let process = match who.process.and_then(|index| machine.process(index)) {
            Some(span) => {
                let inside = |raw, never| (raw != never).then(|| ns(raw));
                Process {
                    pid: span.value.pid,
                    name: machine.name(span.value.image_lower).to_owned(),
                    command: machine.name(span.value.command_line).to_owned(),
                    parent: span.value.parent,
                    start: inside(span.start, FOREVER),
                    end: inside(span.end, ONCE),
                    exit: span.value.exit_status,
                    user: machine.name(span.value.user).to_owned(),
                }
            }
            None => Process { pid: who.pid.unwrap_or(0), name: "<unknown>".to_owned(), ..Process::default() },
        };
        self.processes.push(process);
        let number = self.processes.len() as u32 - 1;
        self.by_process.insert(key, number);
        number
    }

    /// Numbers every process of a machine, so that those are known to which nothing happened.
    pub(crate) fn add_all(&mut self, side: usize, machine: &Machine, ns: impl Fn(i64) -> i64) {
        for (index, span) in (0..).zip(machine.processes()) {
            let who = Who { pid: Some(span.value.pid), process: Some(ProcessIndex(index)), ..Who::default() };
            self.process(side, machine, who, &ns);
        }
    }

    /// The number of a thread that was met.
    pub(crate) fn known(&self, side: usize, machine: &Machine, thread: ThreadRef, time: i64) -> Option<u32> {
        self.known_who(side, Who::of(machine, thread, time))
    }

    /// The number of the thread that an event belongs to, if it was met.
    pub(crate) fn known_who(&self, side: usize, who: Who) -> Option<u32> {
        let key = match who.thread {
            Some(index) => ThreadKey::Known(side, index, who.process),
            None => {
                let process = match who.process {
                    Some(index) => ProcessKey::Known(side, index),
                    None => ProcessKey::Number(side, who.pid.unwrap_or(UNKNOWN)),
                };
                ThreadKey::Number(*self.by_process.get(&process)?, who.tid.unwrap_or(0))
            }
        };
        self.by_thread.get(&key).copied()
    }

    /// The process of a thread.
    #[must_use]
    pub fn process_of(&self, thread: u32) -> Option<&Process> {
        self.processes.get(self.threads.get(thread as usize)?.process as usize)
    }

    /// Returns `true` if the thread is one that runs when a processor has nothing to do.
    #[must_use]
    pub fn is_idle(&self, thread: u32) -> bool {
        self.threads.get(thread as usize).is_some_and(|known| known.tid == 0)
            && self.process_of(thread).is_some_and(|process| process.pid == 0 && process.name == "idle")
    }

    /// Program, process and thread, as in `powerpnt.exe 5100, thread 5984`.
    #[must_use]
    pub fn full_name(&self, thread: u32) -> String {
        let tid = self.threads.get(thread as usize).map_or(0, |thread| thread.tid);
        match self.process_of(thread) {
            Some(process) => format!("{} {}, thread {tid}", process.name, process.pid),
            None => format!("thread {tid}"),
        }
    }

    /// Thread id.
    #[must_use]
    pub fn tid(&self, thread: u32) -> u32 {
        self.threads.get(thread as usize).map_or(0, |thread| thread.tid)
    }
}
