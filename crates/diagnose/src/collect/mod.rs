//! The pass over a trace in time order that collects what the answers need.

pub mod cpu;
pub mod delays;
pub mod disks;
pub mod dotnet;
pub mod events;
pub mod frames;
pub mod interrupts;
pub mod net;
pub(crate) mod pass;
mod role;
mod runtime;
pub mod samples;

use rustc_hash::FxHashMap;

use crate::durations::Durations;
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::people::People;
use crate::recorder::Presence;
use cpu::Cpu;
use delays::Hang;
use disks::{Disks, Fault};
use dotnet::{Clr, Runtime};
use events::EventTypes;
use frames::Frames;
use interrupts::Interrupts;
use net::Flow;
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

/// Most letters of a script.
pub(crate) const MOST_LETTERS: usize = 4000;

/// How many things of a kind were not kept, as there were too many before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Marks.
    pub marks: u64,
    /// Spans of kinds that are not distinguished.
    pub spans: u64,
    /// Stacks that records carry themselves.
    pub carried: u64,
    /// Events with a stack whose place is not noted.
    pub writers: u64,
    /// Delays of user interfaces.
    pub delays: u64,
}

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
    /// Page faults.
    pub faults: Ledger<Fault>,
    /// Network traffic.
    pub network: Ledger<Flow>,
    /// Frames and refreshes.
    pub frames: Frames,
    /// Runtimes of .NET by process.
    pub runtimes: FxHashMap<u32, Runtime>,
    /// What they did, by time.
    pub clr: Clr,
    /// Spans by kind and process.
    pub spans: FxHashMap<(usize, u32), SpanSums>,
    /// Hangs of user interfaces, by start.
    pub hangs: Vec<Hang>,
    /// Marks, by time.
    pub marks: Vec<Mark>,
    /// Scripts, by time.
    pub scripted: Vec<Scripted>,
    /// Logons, by time.
    pub logons: Vec<Scripted>,
    /// Scripts and logons beyond the limit.
    pub scripted_dropped: u64,
    /// Other things beyond the limits of the pass.
    pub left_out: LeftOut,
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
    /// How many of each may be held.
    pub limits: Limits,
}

impl Collected {
    /// Nothing yet, and room for so much.
    pub(crate) fn within(limits: Limits) -> Collected {
        let mut all = Collected { limits, ..Collected::default() };
        all.cpu.limits = limits;
        all.cpu.aways.limits = limits;
        all.samples.stacks.limits = limits;
        all.interrupts.limits = limits;
        all.disks.limits = limits;
        all.frames.intervals.limits = limits;
        all.frames.refreshes.limits = limits;
        all.clr.limits = limits;
        all.clr.pauses.limits = limits;
        all.events.limits = limits;
        all
    }

    /// The traces are over.
    pub(crate) fn finish(&mut self) {
        self.cpu.finish();
        self.disks.finish();
        self.events.finish();
        self.hangs.sort_by_key(|hang| (hang.from, hang.to, hang.thread));
    }
}
