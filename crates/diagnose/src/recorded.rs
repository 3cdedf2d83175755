//! What was recorded, and what was not: a table of what answers need.

use serde_json::{Map, Value, json};
use tracewell::text::{counted, grouped};

use crate::activity::Activity;
use crate::collect::disks::Fault;
use crate::collect::dotnet::Runtime;
use crate::words::duration;

/// What a trace contains and what it lacks.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What it has, in words.
    pub has: Vec<String>,
    /// What it lacks, and what records that.
    pub lacks: Vec<(&'static str, &'static str)>,
    /// What it has more of than an answer can hold: how many, and of what.
    pub left_out: Vec<(u64, &'static str)>,
    /// The counts by name.
    pub counts: Map<String, Value>,
}

/// How many things of a kind are not in the answers.
type Beyond = fn(&Activity<'_>) -> u64;

/// What can be too many for an answer.
const BEYOND: &[(&str, Beyond)] = &[
    ("stacks and switches whose places are held", |all| all.stacks_left_out()),
    ("different stacks of samples", |all| all.collected.samples.stacks.beyond),
    ("different stacks that records carry", |all| all.collected.left_out.carried),
    ("long times away from the processors", |all| all.collected.cpu.aways.beyond),
    ("bursts of a thread", |all| all.collected.cpu.bursts_beyond),
    ("interrupt routines", |all| all.collected.interrupts.beyond[0]),
    ("long interrupts", |all| all.collected.interrupts.beyond[1]),
    ("kinds of failed operations", |all| all.collected.disks.beyond),
    ("UI delays", |all| all.collected.left_out.delays),
    ("kinds of spans", |all| all.collected.left_out.spans),
    ("marks", |all| all.collected.left_out.marks),
    ("first events of processes", |all| all.collected.events.beyond),
    ("places that write events", |all| all.collected.left_out.writers),
    (".NET collections in the list", |all| all.collected.clr.dropped),
    (".NET pauses in the list", |all| all.collected.clr.pauses.dropped),
    ("times between frames", |all| all.collected.frames.intervals.dropped),
    ("refreshes of displays", |all| all.collected.frames.refreshes.dropped),
    ("scripts and logons", |all| all.collected.scripted_dropped),
];

/// What can be too many for an answer, as reports say it.
pub fn kinds_of_limits() -> impl Iterator<Item = &'static str> {
    BEYOND.iter().map(|(what, _)| *what)
}

/// Something that a session can record.
struct Kind {
    /// The name of its count.
    key: &'static str,
    /// What is missing without it; empty if that is not worth a word.
    lack: &'static str,
    /// How to record it.
    how: &'static str,
    count: fn(&Activity<'_>) -> u64,
    words: Words,
}

/// How a kind is mentioned where it was recorded.
enum Words {
    /// Another kind mentions it.
    Elsewhere,
    /// Its number with one of these words: of one, and of several.
    Counted(&'static str, &'static str),
    /// In separate words.
    Own(fn(&Activity<'_>, u64) -> String),
}

use Words::{Counted, Elsewhere, Own};

macro_rules! kinds {
    ($( $key:literal $lack:literal $how:literal $words:expr, $count:expr; )+) => {
        /// Every kind, in the order of the first line.
        const KINDS: &[Kind] = &[$( Kind { key: $key, lack: $lack, how: $how, count: $count, words: $words }, )+];
    };
}

// Name of the count, what is missing without it, how to record it, how it is mentioned, and its number.
kinds! {
    "samples" "what processors executed" "PROFILE" Own(samples), |all| all.collected.samples.count;
    "samples_with_stack" "which code led to samples" "stacks of SampledProfile" Elsewhere,
        |all| all.collected.samples.with_stack;
    "switches" "who ran and who waited" "CSWITCH" Own(switches), |all| all.collected.cpu.switches;
    "wakeups" "who wakes whom" "DISPATCHER" Elsewhere, |all| all.collected.cpu.wakeups;
    "switches_with_stack" "where threads wait" "stacks of CSwitch" Elsewhere,
        |all| all.collected.switches_with_stack;
    "disk" "disk transfers" "DISK_IO" Counted("disk transfer", "disk transfers"),
        |all| all.collected.disks.transfers.total(|_| true).count;
    "interrupts" "interrupts" "DPC, INTERRUPT" Counted("DPC and ISR", "DPC and ISR"),
        |all| all.collected.interrupts.routines.values().map(|tally| tally.count).sum();
    "file_operations" "file operations" "FILE_IO, FILE_IO_INIT" Counted("file operation", "file operations"),
        |all| all.collected.disks.operations;
    "hard_faults" "page faults" "MEMORY_HARD_FAULTS" Counted("hard fault", "hard faults"),
        |all| all.collected.faults.total(Fault::is_hard).count;
    "ui_delays" "UI delays" "Microsoft-Windows-Win32k" Counted("UI delay", "UI delays"),
        |all| all.collected.hangs.len() as u64;
    "collections" ".NET" "Microsoft-Windows-DotNETRuntime" Counted(".NET collection", ".NET collections"),
        |all| all.collected.runtimes.values().map(Runtime::collections).sum();
    "network" "network traffic" "NETWORK_TCPIP, or Microsoft-Windows-Kernel-Network"
        Counted("event of the network", "events of the network"),
        |all| all.collected.network.total(|_| true).count;
    "faults" "" "MEMORY_HARD_FAULTS; MEMORY_PAGE_FAULTS for faults that no disk is read for" Elsewhere,
        |all| all.collected.faults.total(|_| true).count;
    "allocations" "" "Microsoft-Windows-DotNETRuntime (keyword GCKeyword, level 5)" Elsewhere,
        |all| all.collected.clr.allocated.total(|_| true).count;
    "compilations" "" "Microsoft-Windows-DotNETRuntime (keyword JitKeyword, level 5)" Elsewhere,
        |all| all.collected.clr.compiled.total(|_| true).count;
    "exceptions" "" "Microsoft-Windows-DotNETRuntime (keyword ExceptionKeyword)" Elsewhere,
        |all| all.collected.clr.thrown.total(|_| true).count;
    "frames" "frames" "Microsoft-Windows-DXGI, Microsoft-Windows-D3D9 or Microsoft-Windows-DxgKrnl"
        Counted("frame", "frames"), |all| all.collected.frames.count();
    "refreshes" "" "Microsoft-Windows-DxgKrnl (keyword Base)" Elsewhere,
        |all| all.collected.frames.refreshes.items.len() as u64;
    "processes" "" "PROC_THREAD, or Microsoft-Windows-Kernel-Process" Elsewhere,
        |all| all.collected.people.processes.len() as u64;
    "logons" "" "Microsoft-Windows-Security-Auditing" Counted("event about logons", "events about logons"),
        |all| all.collected.logons.len() as u64;
    "events" "" "any provider" Elsewhere,
        |all| all.collected.events.types.iter().map(|of| of.count).sum();
    "scripts" "" "Microsoft-Windows-PowerShell, Microsoft-Antimalware-Scan-Interface"
        Counted("event about scripts", "events about scripts"), |all| all.collected.scripted.len() as u64;
    "marks" "" "events called Mark" Counted("mark", "marks"), |all| all.collected.marks.len() as u64;
}

fn samples(activity: &Activity<'_>, count: u64) -> String {
    let interval = activity.interval.map(|ns| duration(ns as i64)).map(|text| text.replace(".0 ", " "));
    let stacks = if activity.collected.samples.with_stack > 0 { "stacks" } else { "no stacks" };
    let details: Vec<String> = interval.into_iter().chain([stacks.to_owned()]).collect();
    format!("{} ({})", counted(count, "sample", "samples"), details.join(", "))
}

fn switches(activity: &Activity<'_>, count: u64) -> String {
    let stacks = if activity.collected.switches_with_stack > 0 { "stacks" } else { "no stacks" };
    let wakeups = match activity.collected.cpu.wakeups {
        0 => "no wake-ups".to_owned(),
        wakeups => format!("{} wake-ups", grouped(wakeups)),
    };
    format!("{} ({stacks}, {wakeups})", counted(count, "switch", "switches"))
}

/// How to record the events of a kind, by its key.
///
/// # Panics
/// There is no such kind.
#[must_use]
pub(crate) fn how_to_record(key: &str) -> &'static str {
    KINDS.iter().find(|kind| kind.key == key).map_or_else(|| panic!("no kind {key}"), |kind| kind.how)
}

/// What a trace has and lacks.
#[must_use]
pub fn recorded(activity: &Activity<'_>) -> Recorded {
    let mut found = Recorded::default();
    for kind in KINDS {
        let count = (kind.count)(activity);
        found.counts.insert(kind.key.to_owned(), count.into());
        if count > 0 {
            match kind.words {
                Elsewhere => {}
                Counted(one, many) => found.has.push(counted(count, one, many)),
                Own(words) => found.has.push(words(activity, count)),
            }
        } else if !kind.lack.is_empty() {
            found.lacks.push((kind.lack, kind.how));
        }
    }
    let beyond = BEYOND.iter().map(|(what, count)| (count(activity), *what));
    found.left_out = beyond.filter(|(count, _)| *count > 0).collect();
    found
}

impl Recorded {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let lacks = self.lacks.iter().map(|(what, how)| json!({ "what": what, "record": how }));
        let left_out = self.left_out.iter().map(|(count, what)| json!({ "what": what, "count": count }));
        json!({
            "has": self.counts,
            "lacks": lacks.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
        })
    }
}
