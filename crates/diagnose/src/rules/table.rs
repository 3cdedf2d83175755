//! The table of the rules. The help, the documentation and the tests derive from it.

use super::rule::Rule;
use super::{dotnet, frames, hangs, load, quality};
use crate::activity::Activity;
use crate::windows::Stretch;

macro_rules! rules {
    ($( $name:literal $title:literal $threshold:literal $unit:literal $can:path, $find:path, $question:literal, $needs:literal; )+) => {
        /// All rules, the most urgent first.
        pub static RULES: &[Rule] = &[$(
            Rule {
                name: $name, title: $title, question: $question, threshold: $threshold, unit: $unit, needs: $needs,
                can: $can, find: $find,
            },
        )+];
    };
}

// Name, title, threshold, unit, whether a trace can answer it, what finds it, the question, and what it needs.
rules! {
    "losses" "lost events" 1.0 "event or buffer" always, quality::losses,
        "Did the session lose events, so that numbers are too small?", "nothing";
    "ui-hang" "UI hang" 200.0 "ms" can_hang, hangs::hangs,
        "When did a user interface not react, what did its thread do, and for whom did it wait?",
        "Microsoft-Windows-Win32k, and CSWITCH for the cause";
    "long-wait" "long wait" 100.0 "ms" can_switch, hangs::long_waits,
        "Which thread waited long for memory, pages or a lock of the kernel, and who had it?",
        "CSWITCH; DISPATCHER (wake-ups) for who had it";
    "missed-frames" "missed frames" 5.0 "% of a program's frames" can_frame, frames::missed,
        "Did a program or the compositor miss frames, how many, and when was it worst?",
        "Microsoft-Windows-DXGI, Microsoft-Windows-D3D9 or Microsoft-Windows-DxgKrnl";
    "long-dpc" "long DPC" 1000.0 "us" can_interrupt, load::long_dpcs,
        "Did a deferred procedure call keep a processor from all threads?", "DPC and INTERRUPT";
    "long-isr" "long ISR" 500.0 "us" can_interrupt, load::long_isrs,
        "Did an interrupt routine keep a processor from everything else?", "DPC and INTERRUPT";
    "interrupt-load" "interrupts" 5.0 "% of the machine" can_interrupt, load::interrupt_load,
        "Do interrupts and deferred calls take much of the processors?", "DPC and INTERRUPT";
    "cpu-saturated" "processors busy" 90.0 "% for 1 s" can_switch, load::processors,
        "When were all processors busy, and who used them?", "CSWITCH";
    "disk-saturated" "disk busy" 90.0 "% for 1 s" can_disk, load::disks,
        "When was a disk busy all the time, and for whom?", "DISK_IO";
    "gc-pause" "GC pause" 10.0 "ms" can_collect, dotnet::pauses,
        "Did collections stop a .NET program long enough to notice?",
        "Microsoft-Windows-DotNETRuntime (keyword GCKeyword)";
    "gc-time" "time in GC" 10.0 "% of its life" can_collect, dotnet::share,
        "Does a .NET program spend much of its life stopped for collections?",
        "Microsoft-Windows-DotNETRuntime (keyword GCKeyword)";
    "gc-induced" "induced GCs" 10.0 "collections" can_collect, dotnet::induced,
        "Does a .NET program call for collections itself?",
        "Microsoft-Windows-DotNETRuntime (keyword GCKeyword)";
    "allocation-rate" "allocation rate" 500.0 "MB/s" can_collect, dotnet::allocations,
        "Does a .NET program allocate so fast that collections follow each other?",
        "Microsoft-Windows-DotNETRuntime (keyword GCKeyword, level 5)";
    "exceptions" "exceptions" 100.0 "exceptions" can_collect, dotnet::exceptions,
        "Does a .NET program throw many exceptions?",
        "Microsoft-Windows-DotNETRuntime (keyword ExceptionKeyword)";
    "failed-operations" "failed operations" 20.0 "operations" can_file, quality::failures,
        "Which operations on files failed, and how?", "FILE_IO and FILE_IO_INIT";
    "hidden-script" "hidden script" 1.0 "script" can_script, quality::hidden_scripts,
        "Did a script start a hidden or encoded PowerShell?",
        "Microsoft-Antimalware-Scan-Interface or Microsoft-Windows-PowerShell";
    "event-storm" "event storm" 10000.0 "events/s" always, quality::storms,
        "Did a provider write so many events that they changed what was measured?", "nothing";
    "tracing-cost" "cost of tracing" 10.0 "% of a program's samples" can_sample, quality::tracing_cost,
        "How much of a program's time went into writing events?", "PROFILE with stacks, and stacks of the events";
}

fn always(_: &Activity<'_>) -> bool {
    true
}

fn can_hang(activity: &Activity<'_>) -> bool {
    !activity.collected.hangs.is_empty()
        || activity.collected.events.types.iter().any(|one| one.provider == "Microsoft-Windows-Win32k")
}

fn can_switch(activity: &Activity<'_>) -> bool {
    activity.collected.cpu.switches > 0
}

fn can_sample(activity: &Activity<'_>) -> bool {
    activity.collected.samples.with_stack > 0
}

fn can_interrupt(activity: &Activity<'_>) -> bool {
    !activity.collected.interrupts.routines.is_empty()
}

fn can_frame(activity: &Activity<'_>) -> bool {
    !activity.collected.frames.intervals.items.is_empty()
}

fn can_disk(activity: &Activity<'_>) -> bool {
    !activity.collected.disks.transfers.is_empty()
}

fn can_file(activity: &Activity<'_>) -> bool {
    activity.collected.disks.operations > 0
}

fn can_collect(activity: &Activity<'_>) -> bool {
    !activity.collected.runtimes.is_empty()
}

fn can_script(activity: &Activity<'_>) -> bool {
    !activity.collected.scripted.is_empty()
}

impl Rule {
    /// The rule of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Rule> {
        RULES.iter().find(|rule| rule.name == name)
    }
}

/// The rules as a table for the documentation.
#[must_use]
pub fn table() -> String {
    let mut out = String::from("| rule | finds | from | question | needs |\n|---|---|---|---|---|\n");
    for rule in RULES {
        let Rule { name, title, question, needs, .. } = rule;
        out.push_str(&format!("| `{name}` | {title} | {} | {question} | {needs} |\n", rule.threshold_text()));
    }
    out
}

/// What the rules of hangs and waits want to look at, without those that are switched off.
#[must_use]
pub(crate) fn stretches(activity: &Activity<'_>, without: &[String]) -> Vec<Stretch> {
    const MOST: usize = 40;
    let on = |name: &str| Rule::named(name).filter(|_| without.iter().all(|off| off != name));
    let mut found = Vec::new();
    if let Some(rule) = on("ui-hang") {
        let long = hangs::long_hangs(activity, rule);
        found.extend(long.map(|hang| Stretch { thread: hang.thread, from: hang.from, to: hang.to }));
    }
    if let Some(rule) = on("long-wait") {
        let long = hangs::waits_to_report(activity, rule);
        found.extend(long.map(|wait| Stretch { thread: wait.thread, from: wait.from, to: wait.to }));
    }
    found.truncate(MOST);
    found
}
