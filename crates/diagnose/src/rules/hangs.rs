//! Hangs of user interfaces, and long waits.

use tracewell::text::counted;
use tracewell_state::waits::{Cause, Evidence, repeated, waited_for};

use super::rule::{Case, Finding, Rule};
use crate::activity::Activity;
use crate::collect::cpu::{LongWait, reason_name};
use crate::collect::delays::Hang;
use crate::windows::{Meanwhile, Stretch};
use crate::words::{duration, ms, percent, seconds};

const MS: f64 = 1e6;
/// Most long waits that are reported.
const MOST_WAITS: usize = 8;

/// The hangs that are long enough.
pub(super) fn long_hangs<'a>(activity: &'a Activity<'_>, rule: &Rule) -> impl Iterator<Item = &'a Hang> {
    let least = (rule.threshold * MS) as i64;
    activity.collected.hangs.iter().filter(move |hang| hang.to - hang.from >= least)
}

/// The waits that are long enough, but not those of hangs.
pub(super) fn waits_to_report<'a>(
    activity: &'a Activity<'_>,
    rule: &Rule,
) -> impl Iterator<Item = &'a LongWait> {
    let least = (rule.threshold * MS) as i64;
    let is_in_hang = |wait: &LongWait| {
        let hangs = &activity.collected.hangs;
        hangs.iter().any(|hang| hang.thread == wait.thread && hang.from < wait.to && wait.from < hang.to)
    };
    // Threads of the system itself wait in the kernel when they have nothing to do.
    let is_system =
        |wait: &LongWait| activity.collected.people.process_of(wait.thread).is_none_or(|p| p.pid <= 4);
    let waits = activity.collected.cpu.long_waits.iter();
    waits
        .filter(move |wait| wait.to - wait.from >= least && !is_in_hang(wait) && !is_system(wait))
        .take(MOST_WAITS)
}

/// Why the thread of a stretch waited.
pub(crate) fn cause(case: &Case<'_, '_>, stretch: &Stretch, seen: &Meanwhile) -> Option<Cause> {
    let threads = &case.activity.collected.people.threads;
    let process = |thread: u32| threads.get(thread as usize).map(|thread| thread.process);
    let of_waiter = process(stretch.thread);
    let mut others = seen.others.clone();
    others.retain(|thread, _| !case.activity.collected.people.is_idle(*thread));
    waited_for(&seen.longest?, &seen.wakers, &others, |thread| process(thread) == of_waiter)
}

/// Hangs with what the thread did and for whom it waited.
pub(super) fn hangs(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let people = &case.activity.collected.people;
    let causes: Vec<Option<Cause>> =
        case.stretches.iter().map(|(stretch, seen)| cause(case, stretch, seen)).collect();
    let mut found = Vec::new();
    for hang in long_hangs(case.activity, rule) {
        let took = hang.to - hang.from;
        let mut headline = format!(
            "{}-{} s  {} ms  {}",
            seconds(hang.from),
            seconds(hang.to),
            took / 1_000_000,
            people.full_name(hang.thread)
        );
        if let Some(input) = hang.input_ms {
            headline.push_str(&format!("; input waited {input} ms"));
        }
        let mut finding = Finding::new(rule, headline, took as f64)
            .during(hang.from, hang.to)
            .with("tid", people.tid(hang.thread))
            .with("pid", people.process_of(hang.thread).map_or(0, |process| process.pid))
            .with("ms", took / 1_000_000)
            .with("input_ms", hang.input_ms)
            .then(format!(
                "dtrace hang FILE {} {} {}",
                people.tid(hang.thread),
                hang.from / 1_000_000,
                hang.to / 1_000_000
            ));
        let is_of = |stretch: &Stretch| {
            (stretch.thread, stretch.from, stretch.to) == (hang.thread, hang.from, hang.to)
        };
        if let Some(at) = case.stretches.iter().position(|(stretch, _)| is_of(stretch)) {
            let same =
                |cause: &Cause| causes.iter().flatten().filter(|other| other.thread == cause.thread).count();
            let times = causes[at].as_ref().map_or(0, same);
            let (stretch, seen) = &case.stretches[at];
            finding = state(case, finding, stretch, seen);
            finding = explain(case, finding, stretch, causes[at].as_ref(), times);
        }
        found.push(finding);
    }
    found
}

/// Long waits for the kernel's resources.
pub(super) fn long_waits(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let people = &case.activity.collected.people;
    let mut found = Vec::new();
    for wait in waits_to_report(case.activity, rule) {
        let took = wait.to - wait.from;
        let headline = format!(
            "{}-{} s  {} ms  {}; for {}",
            seconds(wait.from),
            seconds(wait.to),
            ms(took),
            people.full_name(wait.thread),
            reason_name(wait.reason)
        );
        let mut finding = Finding::new(rule, headline, took as f64)
            .during(wait.from, wait.to)
            .with("tid", people.tid(wait.thread))
            .with("reason", reason_name(wait.reason))
            .with("us", took / 1000)
            .then(format!(
                "dtrace hang FILE {} {} {}",
                people.tid(wait.thread),
                wait.from / 1_000_000,
                wait.to / 1_000_000 + 1
            ));
        let is_of = |stretch: &Stretch| {
            (stretch.thread, stretch.from, stretch.to) == (wait.thread, wait.from, wait.to)
        };
        if let Some((stretch, seen)) = case.stretches.iter().find(|(stretch, _)| is_of(stretch)) {
            let cause = cause(case, stretch, seen);
            finding = explain(case, finding, stretch, cause.as_ref(), 1);
        }
        found.push(finding);
    }
    found
}

/// Ran, waited and ready.
fn state(case: &Case<'_, '_>, mut finding: Finding, stretch: &Stretch, seen: &Meanwhile) -> Finding {
    if case.activity.collected.cpu.switches == 0 {
        finding.note("what it did is not recorded: context switches (CSWITCH) are missing");
        return finding;
    }
    let took = (stretch.to - stretch.from) as f64;
    let reason =
        seen.reasons.iter().max_by_key(|(reason, ns)| (**ns, **reason)).map_or("", |(r, _)| reason_name(*r));
    let ready = match seen.ready {
        0 => "was never ready without a processor".to_owned(),
        ready => format!("was ready without a processor for {} ms", ms(ready)),
    };
    finding.note(format!(
        "it waited ({reason}) {} %, ran {}, {ready}",
        percent(seen.waited as f64, took),
        duration(seen.ran),
    ));
    let longest = seen.longest.map(|wait| (wait.to - wait.from) / 1000);
    finding
        .with("ran_us", seen.ran / 1000)
        .with("waited_us", seen.waited / 1000)
        .with("ready_us", seen.ready / 1000)
        .with("longest_us", longest)
        .with("reason", reason)
}

/// Who ran meanwhile, and for whom it waited.
fn explain(
    case: &Case<'_, '_>,
    mut finding: Finding,
    stretch: &Stretch,
    cause: Option<&Cause>,
    times: usize,
) -> Finding {
    let people = &case.activity.collected.people;
    let seen = case.stretches.iter().find(|(other, _)| other == stretch).map(|(_, seen)| seen);
    if let Some(seen) = seen {
        let mut samples: Vec<(&str, u32, u64)> = Vec::new();
        for (process, count) in &seen.samples {
            let Some(process) = people.processes.get(*process as usize) else { continue };
            if process.pid == 0 {
                continue;
            }
            match samples.iter_mut().find(|(name, ..)| *name == process.name) {
                Some(known) => known.2 += count,
                None => samples.push((&process.name, process.pid, *count)),
            }
        }
        samples.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(b.0)));
        if !samples.is_empty() {
            let list = samples.iter().take(4).map(|(name, _, count)| format!("{name} {count}"));
            finding.note(format!("samples meanwhile: {}", list.collect::<Vec<_>>().join(", ")));
            let all: serde_json::Map<_, _> =
                samples.iter().map(|(name, _, count)| ((*name).to_owned(), (*count).into())).collect();
            finding = finding.with("samples", all);
        }
    }
    let Some(cause) = cause else {
        if case.activity.collected.cpu.switches > 0 {
            finding.note("for whom it waited is not in the trace: no wake-ups (DISPATCHER), and no thread ran all through it");
        }
        return finding;
    };
    let (tid, waiter) = (people.tid(cause.thread), people.tid(stretch.thread));
    let process = |thread: u32| people.threads.get(thread as usize).map(|thread| thread.process);
    let whose = match process(cause.thread) == process(stretch.thread) {
        true => format!("thread {tid} of the same process"),
        false => people.full_name(cause.thread),
    };
    let took = (stretch.to - stretch.from) as f64;
    let left = cause.gap.map_or(String::new(), |gap| match gap {
        0.. => format!(" and fell idle {} after it resumed", duration(gap)),
        _ => format!(" and fell idle {} before it resumed", duration(-gap)),
    });
    let share = percent(cause.ran as f64, took);
    finding.note(format!("meanwhile {whose} ran {} ms ({share} %){left}", ms(cause.ran)));
    let confidence = match cause.evidence {
        Evidence::Wakeup => {
            finding.note(format!("-> {waiter} waited for {tid}, which woke it"));
            1.0
        }
        Evidence::Coincidence => {
            let confidence = repeated(cause.confidence, times);
            let often = match times {
                0 | 1 => "inferred".to_owned(),
                2 => "inferred twice".to_owned(),
                more => format!("inferred {}", counted(more as u64, "time", "times")),
            };
            finding.infer(format!(
                "-> {waiter} waited for {tid} ({often}, confidence {:.0} %; no wake-ups recorded)",
                100.0 * confidence
            ));
            confidence
        }
    };
    finding
        .with("cause_tid", tid)
        .with("cause_ran_us", cause.ran / 1000)
        .with("cause_gap_ns", cause.gap)
        .with("confidence", (confidence * 1000.0).round() / 1000.0)
        .with("inferred", cause.evidence == Evidence::Coincidence)
        .with("times", times)
}
