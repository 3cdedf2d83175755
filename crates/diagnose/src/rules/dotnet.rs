//! .NET: pauses, time in collections, induced collections, allocation, exceptions.

use tracewell::text::{counted, grouped, size};

use super::rule::{Case, Finding, Rule};
use crate::collect::dotnet::Runtime;
use crate::people::Process;
use crate::words::{duration, percent, seconds};

/// Each process with a runtime, with its life in nanoseconds.
fn runtimes<'c>(case: &'c Case<'_, '_>) -> impl Iterator<Item = (&'c Process, &'c Runtime, i64)> {
    let collected = &case.activity.collected;
    let (first, last) = collected.extent.unwrap_or_default();
    let mut all: Vec<_> = collected.runtimes.iter().collect();
    all.sort_by_key(|(process, _)| **process);
    all.into_iter().filter_map(move |(process, runtime)| {
        let process = collected.people.processes.get(*process as usize)?;
        let life = process.end.unwrap_or(last) - process.start.unwrap_or(first);
        Some((process, runtime, life.max(1)))
    })
}

fn name(process: &Process) -> String {
    format!("{} {}", process.name, process.pid)
}

/// Long pauses.
pub(super) fn pauses(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let least = (rule.threshold * 1e6) as i64;
    let mut found = Vec::new();
    for (process, runtime, _) in runtimes(case) {
        for (depth, generation) in &runtime.generations {
            let Some((longest, at)) = generation.pauses.longest.filter(|(longest, _)| *longest >= least)
            else {
                continue;
            };
            let times = generation.pauses.kept().iter().filter(|pause| **pause >= least).count();
            let headline = format!(
                "{}: generation {depth}, {} of {} or more; the longest {} at {} s",
                name(process),
                counted(times as u64, "pause", "pauses"),
                rule.threshold_text(),
                duration(longest),
                seconds(at)
            );
            let finding = Finding::new(rule, headline, longest as f64)
                .during(at, at + longest)
                .with("pid", process.pid)
                .with("generation", *depth)
                .with("longest_us", longest / 1000)
                .with("times", times)
                .then("dtrace gc FILE");
            found.push(finding);
        }
    }
    found
}

/// Share of the life that is spent in pauses.
pub(super) fn share(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let is_much = |(_, runtime, life): &(&Process, &Runtime, i64)| {
        100.0 * runtime.paused() as f64 / *life as f64 >= rule.threshold
    };
    let finding = |(process, runtime, life): (&Process, &Runtime, i64)| {
        let share = percent(runtime.paused() as f64, life as f64);
        let headline =
            format!("{}: stopped for {}, {share} % of its life", name(process), duration(runtime.paused()));
        Finding::new(rule, headline, runtime.paused() as f64).with("pid", process.pid).then("dtrace gc FILE")
    };
    runtimes(case).filter(is_much).map(finding).collect()
}

/// Collections that the program called for.
pub(super) fn induced(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (process, runtime, _) in runtimes(case) {
        let reasons = runtime.generations.values().flat_map(|generation| &generation.reasons);
        let count: u64 =
            reasons.filter(|(reason, _)| reason.starts_with("Induced")).map(|(_, count)| count).sum();
        if count as f64 >= rule.threshold {
            let headline = format!(
                "{}: {} of {} collections",
                name(process),
                grouped(count),
                grouped(runtime.collections())
            );
            let finding =
                Finding::new(rule, headline, count as f64).with("pid", process.pid).with("times", count);
            found.push(finding.then("dtrace gc FILE"));
        }
    }
    found
}

/// Allocation per second of life.
pub(super) fn allocations(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (process, runtime, life) in runtimes(case) {
        let rate = runtime.allocated() as f64 / (life as f64 / 1e9);
        if rate < rule.threshold * 1e6 {
            continue;
        }
        let mut types: Vec<_> = runtime.allocations.iter().collect();
        types.sort_by(|a, b| b.1.1.cmp(&a.1.1).then_with(|| a.0.cmp(b.0)));
        let headline = format!(
            "{}: {} in {}, {}/s",
            name(process),
            size(runtime.allocated()),
            duration(life),
            size(rate as u64)
        );
        let mut finding = Finding::new(rule, headline, rate).with("pid", process.pid);
        if let Some((kind, (ticks, bytes))) = types.first() {
            let share = percent(*bytes as f64, runtime.allocated() as f64);
            let samples = counted(*ticks, "sample", "samples");
            finding.note(format!("{share} % of it is {kind} ({samples}, {} bytes)", grouped(*bytes)));
            finding = finding.with("type", (*kind).clone()).with("ticks", *ticks).with("bytes", *bytes);
        }
        if let Some((least, most)) = runtime.heap {
            finding.note(format!(
                "the heap after a collection had {} to {} bytes",
                grouped(least),
                grouped(most)
            ));
            finding = finding.with("heap_least", least).with("heap_most", most);
        }
        found.push(finding.then("dtrace dotnet FILE"));
    }
    found
}

/// Exceptions by program.
pub(super) fn exceptions(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (process, runtime, _) in runtimes(case) {
        let count: u64 = runtime.exceptions.values().sum();
        if (count as f64) < rule.threshold {
            continue;
        }
        let most =
            runtime.exceptions.iter().max_by_key(|(_, count)| **count).map_or("", |(kind, _)| kind.as_str());
        let headline =
            format!("{}: {}, most of them {most}", name(process), counted(count, "exception", "exceptions"));
        let finding =
            Finding::new(rule, headline, count as f64).with("pid", process.pid).with("times", count);
        found.push(finding.then("dtrace exceptions FILE"));
    }
    found
}
