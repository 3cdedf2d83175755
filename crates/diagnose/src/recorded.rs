//! What was recorded, and what was not: a table of what answers need.

use serde_json::{Map, Value, json};
use tracewell::text::{counted, grouped};

use crate::activity::Activity;
use crate::collect::disks::Fault;
use crate::words::duration;

/// What a trace contains and what it lacks.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What it has, in words.
    pub has: Vec<String>,
    /// What it lacks, and what records that.
    pub lacks: Vec<(&'static str, &'static str)>,
    /// The counts by name.
    pub counts: Map<String, Value>,
}

/// Something that a session can record.
struct Kind {
    /// The name of its count.
    key: &'static str,
    /// What is missing without it.
    lack: &'static str,
    /// How to record it.
    how: &'static str,
    count: fn(&Activity<'_>) -> u64,
    /// The words for it. [`None`] if another kind mentions it.
    words: fn(&Activity<'_>, u64) -> Option<String>,
}

const KINDS: &[Kind] = &[
    Kind {
        key: "samples",
        lack: "what processors executed",
        how: "PROFILE",
        count: |activity| activity.collected.samples.count,
        words: |activity, count| {
            let interval =
                activity.interval.map(|ns| duration(ns as i64)).map(|text| text.replace(".0 ", " "));
            let stacks = if activity.collected.samples.with_stack > 0 { "stacks" } else { "no stacks" };
            let details: Vec<String> = interval.into_iter().chain([stacks.to_owned()]).collect();
            Some(format!("{} ({})", counted(count, "sample", "samples"), details.join(", ")))
        },
    },
    Kind {
        key: "samples_with_stack",
        lack: "which code led to samples",
        how: "stacks of SampledProfile",
        count: |activity| activity.collected.samples.with_stack,
        words: |_, _| None,
    },
    Kind {
        key: "switches",
        lack: "who ran and who waited",
        how: "CSWITCH",
        count: |activity| activity.collected.cpu.switches,
        words: |activity, count| {
            let stacks = if activity.collected.switches_with_stack > 0 { "stacks" } else { "no stacks" };
            let wakeups = activity.collected.cpu.wakeups;
            let wakeups =
                if wakeups > 0 { format!("{} wake-ups", grouped(wakeups)) } else { "no wake-ups".into() };
            Some(format!("{} ({stacks}, {wakeups})", counted(count, "switch", "switches")))
        },
    },
    Kind {
        key: "wakeups",
        lack: "who wakes whom",
        how: "DISPATCHER",
        count: |activity| activity.collected.cpu.wakeups,
        words: |_, _| None,
    },
    Kind {
        key: "switches_with_stack",
        lack: "where threads wait",
        how: "stacks of CSwitch",
        count: |activity| activity.collected.switches_with_stack,
        words: |_, _| None,
    },
    Kind {
        key: "disk",
        lack: "disk transfers",
        how: "DISK_IO",
        count: |activity| activity.collected.disks.transfers.total(|_| true).count,
        words: |_, count| Some(counted(count, "disk transfer", "disk transfers")),
    },
    Kind {
        key: "interrupts",
        lack: "interrupts",
        how: "DPC, INTERRUPT",
        count: |activity| activity.collected.interrupts.routines.values().map(|tally| tally.count).sum(),
        words: |_, count| Some(format!("{} DPC and ISR", grouped(count))),
    },
    Kind {
        key: "file_operations",
        lack: "file operations",
        how: "FILE_IO, FILE_IO_INIT",
        count: |activity| activity.collected.disks.operations,
        words: |_, count| Some(counted(count, "file operation", "file operations")),
    },
    Kind {
        key: "hard_faults",
        lack: "page faults",
        how: "MEMORY_HARD_FAULTS",
        count: |activity| activity.collected.faults.total(Fault::is_hard).count,
        words: |_, count| Some(counted(count, "hard fault", "hard faults")),
    },
    Kind {
        key: "ui_delays",
        lack: "UI delays",
        how: "Microsoft-Windows-Win32k",
        count: |activity| activity.collected.hangs.len() as u64,
        words: |_, count| Some(counted(count, "UI delay", "UI delays")),
    },
    Kind {
        key: "collections",
        lack: ".NET",
        how: "Microsoft-Windows-DotNETRuntime",
        count: |activity| {
            activity.collected.runtimes.values().map(crate::collect::dotnet::Runtime::collections).sum()
        },
        words: |_, count| Some(counted(count, ".NET collection", ".NET collections")),
    },
    Kind {
        key: "network",
        lack: "network traffic",
        how: "NETWORK_TCPIP, or Microsoft-Windows-Kernel-Network",
        count: |activity| activity.collected.network.total(|_| true).count,
        words: |_, count| Some(counted(count, "event of the network", "events of the network")),
    },
    Kind {
        key: "faults",
        lack: "",
        how: "MEMORY_HARD_FAULTS; MEMORY_PAGE_FAULTS for faults that no disk is read for",
        count: |activity| activity.collected.faults.total(|_| true).count,
        words: |_, _| None,
    },
    Kind {
        key: "allocations",
        lack: "",
        how: "Microsoft-Windows-DotNETRuntime (keyword GCKeyword, level 5)",
        count: |activity| activity.collected.clr.allocated.total(|_| true).count,
        words: |_, _| None,
    },
    Kind {
        key: "compilations",
        lack: "",
        how: "Microsoft-Windows-DotNETRuntime (keyword JitKeyword, level 5)",
        count: |activity| activity.collected.clr.compiled.total(|_| true).count,
        words: |_, _| None,
    },
    Kind {
        key: "exceptions",
        lack: "",
        how: "Microsoft-Windows-DotNETRuntime (keyword ExceptionKeyword)",
        count: |activity| activity.collected.clr.thrown.total(|_| true).count,
        words: |_, _| None,
    },
    Kind {
        key: "frames",
        lack: "frames",
        how: "Microsoft-Windows-DXGI, Microsoft-Windows-D3D9 or Microsoft-Windows-DxgKrnl",
        count: |activity| activity.collected.frames.count(),
        words: |_, count| Some(counted(count, "frame", "frames")),
    },
    Kind {
        key: "refreshes",
        lack: "",
        how: "Microsoft-Windows-DxgKrnl (keyword Base)",
        count: |activity| activity.collected.frames.refreshes.items.len() as u64,
        words: |_, _| None,
    },
    Kind {
        key: "processes",
        lack: "",
        how: "PROC_THREAD, or Microsoft-Windows-Kernel-Process",
        count: |activity| activity.collected.people.processes.len() as u64,
        words: |_, _| None,
    },
    Kind {
        key: "logons",
        lack: "",
        how: "Microsoft-Windows-Security-Auditing",
        count: |activity| activity.collected.logons.len() as u64,
        words: |_, count| Some(counted(count, "event about logons", "events about logons")),
    },
    Kind {
        key: "events",
        lack: "",
        how: "any provider",
        count: |activity| activity.collected.events.types.iter().map(|of| of.count).sum(),
        words: |_, _| None,
    },
    Kind {
        key: "scripts",
        lack: "",
        how: "Microsoft-Windows-PowerShell, Microsoft-Antimalware-Scan-Interface",
        count: |activity| activity.collected.scripted.len() as u64,
        words: |_, count| Some(counted(count, "event about scripts", "events about scripts")),
    },
    Kind {
        key: "marks",
        lack: "",
        how: "",
        count: |activity| activity.collected.marks.len() as u64,
        words: |_, count| Some(counted(count, "mark", "marks")),
    },
];

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
            found.has.extend((kind.words)(activity, count));
        } else if !kind.lack.is_empty() {
            found.lacks.push((kind.lack, kind.how));
        }
    }
    found
}

impl Recorded {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let lacks = self.lacks.iter().map(|(what, how)| json!({ "what": what, "record": how }));
        json!({ "has": self.counts, "lacks": lacks.collect::<Vec<_>>() })
    }
}
