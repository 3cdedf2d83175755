//! Losses, storms of events, the cost of tracing, failed operations, and scripts that hide.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell::text::{counted, grouped};
use tracewell_decode::KERNEL_PROVIDER;
use tracewell_schema::{Hint, codes};

use super::rule::{Case, Finding, Rule};
use crate::collect::disks::Failure;
use crate::scripts;
use crate::words::{percent, seconds};

/// Lost events and buffers.
pub(super) fn losses(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for losses in case.activity.losses().filter(|losses| losses.any()) {
        let (events, buffers) = (u64::from(losses.events), u64::from(losses.buffers));
        let mut parts = Vec::new();
        if events > 0 {
            parts.push(counted(events, "event", "events"));
        }
        if buffers > 0 {
            parts.push(counted(buffers, "buffer", "buffers"));
        }
        let what = if parts.is_empty() { "records report losses".to_owned() } else { parts.join(" and ") };
        let mut finding = Finding::new(rule, what, (events + buffers) as f64)
            .with("events", events)
            .with("buffers", buffers)
            .then("etw info FILE");
        finding.note("every number below may be too small; larger or more buffers lose less");
        found.push(finding);
    }
    found
}

/// Events that come too fast.
pub(super) fn storms(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for one in &case.activity.collected.events.types {
        let (most, at) = one.densest;
        // What the kernel logs for a profile or for switches is as many as asked for.
        if one.provider == KERNEL_PROVIDER || (most as f64) < rule.threshold {
            continue;
        }
        let headline = format!(
            "{} {}: {}, {} in the second from {} s",
            one.provider,
            one.name,
            counted(one.count, "event", "events"),
            grouped(most),
            seconds(at)
        );
        let finding = Finding::new(rule, headline, most as f64)
            .during(at, at + 1_000_000_000)
            .with("provider", one.provider.clone())
            .with("event", one.name.clone())
            .with("events", one.count)
            .with("most_in_a_second", most)
            .then("etw stats FILE");
        found.push(finding);
    }
    found
}

/// Samples of a program that lie below a frame which writes events.
pub(super) fn tracing_cost(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let collected = &case.activity.collected;
    // Rare events do not cost much, and their stacks may be any.
    const LEAST_EVENTS: u64 = 100;
    let mut frames: FxHashMap<u32, FxHashSet<u64>> = FxHashMap::default();
    for ((_, process, frame), count) in &collected.writers {
        if *count >= LEAST_EVENTS {
            frames.entry(*process).or_default().insert(*frame);
        }
    }
    let mut all: FxHashMap<u32, (u64, u64)> = FxHashMap::default();
    for ((_, (thread, stack)), count) in &collected.samples.slots.cells {
        let process = collected.people.threads.get(*thread as usize).map_or(0, |thread| thread.process);
        let Some(writers) = frames.get(&process) else { continue };
        let sums = all.entry(process).or_default();
        sums.0 += count;
        let Some((stack, ..)) = collected.samples.stacks.get(*stack) else { continue };
        let halves = stack.halves.unwrap_or([crate::collect::samples::NONE; 2]);
        let mut below = halves.iter().flat_map(|half| case.activity.frames(*half)).skip(1);
        if below.any(|frame| writers.contains(frame)) {
            sums.1 += count;
        }
    }
    let mut found = Vec::new();
    for (process, (samples, writing)) in all {
        let share = 100.0 * writing as f64 / samples.max(1) as f64;
        let Some(process) =
            collected.people.processes.get(process as usize).filter(|_| share >= rule.threshold)
        else {
            continue;
        };
        let headline = format!(
            "{} {}: {} of {} samples ({} %) lie below the frame that writes events",
            process.name,
            process.pid,
            grouped(writing),
            grouped(samples),
            percent(writing as f64, samples as f64)
        );
        found.push(
            Finding::new(rule, headline, share)
                .with("pid", process.pid)
                .with("samples", samples)
                .with("writing", writing)
                .then("etw stats FILE"),
        );
    }
    found
}

/// Statuses of ordinary questions: whether a file is there, and what is left to read.
const ORDINARY: [u32; 12] = [
    0xc000_0034,
    0xc000_003a,
    0xc000_000f,
    0xc000_0011,
    0xc000_0010,
    0xc000_00bb,
    0xc000_0225,
    0xc000_0103,
    0xc000_0055,
    0xc000_0120,
    0xc000_000d,
    0xc000_0275,
];

/// Operations on files that failed.
pub(super) fn failures(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let collected = &case.activity.collected;
    let mut found = Vec::new();
    for (Failure { process, operation, status }, (count, first)) in &collected.disks.failures {
        if (*count as f64) < rule.threshold || ORDINARY.contains(status) {
            continue;
        }
        let Some(process) = collected.people.processes.get(*process as usize) else { continue };
        let status_name =
            codes::name(Hint::NtStatus, *status).map_or_else(|| format!("{status:#x}"), str::to_owned);
        let operation = tracewell_schema::kernel::event_of_hook(4, *operation as u8, 2)
            .map_or_else(|| operation.to_string(), |found| found.event.name.to_owned());
        let headline = format!(
            "{} {}: {} {operation}, {status_name}, first at {} s",
            process.name,
            process.pid,
            grouped(*count),
            seconds(*first)
        );
        let finding = Finding::new(rule, headline, *count as f64)
            .with("pid", process.pid)
            .with("times", *count)
            .with("status", *status)
            .then("dtrace opens FILE");
        found.push(finding);
    }
    found
}

/// Scripts that start a hidden or encoded shell.
pub(super) fn hidden_scripts(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let people = &case.activity.collected.people;
    let mut found = Vec::new();
    let mut seen: FxHashSet<(u32, String)> = FxHashSet::default();
    for one in &case.activity.collected.scripted {
        let Some(hidden) = scripts::hidden(&one.text) else { continue };
        // A script is scanned several times as it runs.
        if !seen.insert((one.thread, hidden.line.clone())) {
            continue;
        }
        let process = people.process_of(one.thread);
        let (name, pid) = process.map_or(("?", 0), |process| (process.name.as_str(), process.pid));
        let headline = format!("{} s  {name} {pid} runs {}", seconds(one.time), hidden.line);
        let mut finding = Finding::new(rule, headline, -(one.time as f64))
            .during(one.time, one.time)
            .with("pid", pid)
            .with("seconds", one.time as f64 / 1e9);
        if let Some(decoded) = hidden.decoded {
            finding.note(format!("decoded: {decoded}"));
            finding = finding.with("decoded", decoded);
        }
        found.push(finding.then(format!("etw dump --pid {pid} FILE")));
    }
    found
}
