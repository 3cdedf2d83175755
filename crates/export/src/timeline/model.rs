//! The model of timelines, and the interface of each format's writer.

use std::io;

use super::stacks::{CallStacks, StackId};

/// A process that was announced to a [`Timeline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessId(pub(super) u32);

/// A thread that was announced to a [`Timeline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub(super) u32);

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process<'a> {
    /// Its number on the traced machine.
    pub pid: u32,
    /// The number of the process that started it.
    pub parent: Option<u32>,
    /// Its name.
    pub name: &'a str,
    /// Its command line; empty when that is not known.
    pub command_line: &'a str,
    /// When it began, when that lies in the trace.
    pub start: Option<i64>,
    /// When it ended, when that lies in the trace.
    pub end: Option<i64>,
}

/// A thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread<'a> {
    /// The process it belongs to.
    pub process: ProcessId,
    /// Its number on the traced machine.
    pub tid: u32,
    /// Its name; empty when it has none.
    pub name: &'a str,
    /// When it began, when that lies in the trace.
    pub start: Option<i64>,
    /// When it ended, when that lies in the trace.
    pub end: Option<i64>,
}

/// Facts of a timeline as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// The title, such as the name of the trace file.
    pub title: String,
    /// Nanoseconds from the Unix epoch to the time 0 of this timeline.
    pub unix_ns: i64,
    /// Nanoseconds between two samples of a processor, if the trace contains the interval.
    pub interval: Option<u64>,
    /// The traced system.
    pub system: String,
}

/// A thread leaves a processor and another one takes it. Numbers have the meanings of the CSwitch event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The thread that is switched out.
    pub old: ThreadId,
    /// Its number.
    pub old_tid: u32,
    /// The thread that is switched in.
    pub new: ThreadId,
    /// Its number.
    pub new_tid: u32,
    /// Priority of the one who leaves.
    pub old_priority: i8,
    /// Priority of the one who comes.
    pub new_priority: i8,
    /// State in which the old thread is left.
    pub old_state: i8,
    /// The wait reason of the old thread.
    pub wait_reason: i8,
    /// Whether it waits in kernel (0) or user (1) mode.
    pub wait_mode: i8,
}

/// The place where a span of time is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Transfers of a disk, by its number. Several may be under way at once.
    Disk(u32),
    /// Interrupts and deferred calls of a processor.
    Interrupts(u16),
    /// Spans between two events of one kind, by the kind's number. Several may be under way at once.
    Spans(u32),
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment<'a> {
    /// When; of a span, its end.
    pub time: i64,
    /// On which processor.
    pub cpu: u16,
    /// To which thread, when that is known.
    pub thread: Option<ThreadId>,
    /// The event.
    pub what: What<'a>,
}

/// An event on the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'a> {
    /// Another thread runs.
    Switch(Switch),
    /// The thread of the moment makes this one ready to run.
    Ready {
        /// The thread that was waiting.
        thread: ThreadId,
        /// Its number.
        tid: u32,
    },
    /// The processor was found in this stack.
    Sample(StackId),
    /// Something that took time.
    Span {
        /// The lane.
        lane: Lane,
        /// When it began.
        start: i64,
        /// The kind of span.
        category: &'a str,
        /// The name.
        name: &'a str,
        /// Further facts, as names and values.
        notes: &'a [(&'a str, &'a str)],
    },
    /// Any other event.
    Mark {
        /// The provider.
        category: &'a str,
        /// The name.
        name: &'a str,
        /// Further facts, as names and values.
        notes: &'a [(&'a str, &'a str)],
        /// The stack of the event, when there is one.
        stack: Option<StackId>,
    },
}

/// Writes a timeline in one format. Announce processes before their threads and threads before their moments; moments
/// come in order of time.
pub trait Timeline {
    /// Announces a process.
    fn process(&mut self, process: &Process<'_>, out: &mut Vec<u8>) -> ProcessId;

    /// Announces a thread.
    fn thread(&mut self, thread: &Thread<'_>, out: &mut Vec<u8>) -> ThreadId;

    /// Adds a moment, and appends complete output to `out`. Returns `false` if this format has no place for it.
    fn moment(&mut self, moment: &Moment<'_>, stacks: &CallStacks, out: &mut Vec<u8>) -> bool;

    /// Writes what is left.
    ///
    /// # Errors
    /// Those of `out`.
    fn finish(self: Box<Self>, stacks: &CallStacks, out: &mut dyn io::Write) -> io::Result<()>;
}

/// A time of the trace as the formats have it: from 0 on.
pub(super) fn since_start(time: i64) -> u64 {
    u64::try_from(time).unwrap_or(0)
}

/// A format of timelines. What one is, its file declares beside its writer.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name; also that of the option of `etw export`.
    pub name: &'static str,
    /// What it is for and what it has a place for, as help.
    pub about: &'static str,
    /// The address of its viewer.
    pub viewer: &'static str,
    /// How names of its files end.
    pub ending: &'static str,
    /// Whether its bytes can be shown on a terminal.
    pub is_text: bool,
    /// Whether its viewer keeps processors and processes of several machines apart.
    pub keeps_machines_apart: bool,
    /// Starts a timeline.
    pub start: fn(Heading) -> Box<dyn Timeline>,
}
