//! Interrupts, processors and disks.

use rustc_hash::FxHashMap;
use tracewell::text::counted;

use super::rule::{Case, Finding, Rule};
use crate::activity::Activity;
use crate::collect::interrupts::{Kind, Long, Routine};
use crate::words::{duration, percent, seconds};

/// A second in nanoseconds.
const SECOND: i64 = 1_000_000_000;
/// Stretches of a second or longer that are reported.
const MOST_STRETCHES: usize = 5;

/// The interrupt of the profiler: as many as there are samples.
#[must_use]
pub(crate) fn profiler(activity: &Activity<'_>) -> Option<Routine> {
    let samples = activity.collected.samples.count;
    let routines = &activity.collected.interrupts.routines;
    let is_profiler = |(routine, count): &(Routine, u64)| {
        // The first and last of them may be cut off.
        routine.kind == Kind::Isr && count.abs_diff(samples) <= 2 + samples / 1000 && samples > 100
    };
    let counts = routines.iter().map(|(routine, tally)| (*routine, tally.count));
    counts
        .filter(is_profiler)
        .min_by_key(|(routine, count)| (count.abs_diff(samples), *routine))
        .map(|(r, _)| r)
}

fn long(rule: &'static Rule, case: &Case<'_, '_>, kind: Kind) -> Vec<Finding> {
    let least = (rule.threshold * 1e3) as i64;
    let profiler = profiler(case.activity);
    let mut by_module: FxHashMap<String, Vec<&Long>> = FxHashMap::default();
    for one in &case.activity.collected.interrupts.long {
        if one.routine.kind == kind && one.took >= least && Some(one.routine) != profiler {
            by_module.entry(case.places.borrow().routine(one.routine.address)).or_default().push(one);
        }
    }
    let mut found = Vec::new();
    for (module, mut all) in by_module {
        all.sort_by_key(|one| (-one.took, one.from));
        let Some(longest) = all.first() else { continue };
        let sum: i64 = all.iter().map(|one| one.took).sum();
        let headline = format!(
            "{module}: {}, the longest {} at {} s",
            counted(all.len() as u64, "time", "times"),
            duration(longest.took),
            seconds(longest.from)
        );
        let finding = Finding::new(rule, headline, sum as f64)
            .during(longest.from, longest.from + longest.took)
            .with("module", module)
            .with("times", all.len())
            .with("longest_us", longest.took / 1000)
            .with("sum_us", sum / 1000)
            .then("dtrace interrupts FILE");
        found.push(finding);
    }
    found
}

/// Long deferred procedure calls, by module.
pub(super) fn long_dpcs(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    long(rule, case, Kind::Dpc)
}

/// Long interrupt routines, by module.
pub(super) fn long_isrs(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    long(rule, case, Kind::Isr)
}

/// Processor time of interrupts, without those of the profiler.
pub(super) fn interrupt_load(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let profiler = profiler(case.activity);
    let routines = case.activity.collected.interrupts.routines.iter();
    let sum: i64 =
        routines.filter(|(routine, _)| Some(**routine) != profiler).map(|(_, tally)| tally.sum).sum();
    let machine = case.activity.length() as f64 * f64::from(case.activity.processors());
    if machine <= 0.0 || 100.0 * sum as f64 / machine < rule.threshold {
        return Vec::new();
    }
    let headline =
        format!("{} in interrupts: {} % of the machine", duration(sum), percent(sum as f64, machine));
    vec![Finding::new(rule, headline, sum as f64).with("us", sum / 1000).then("dtrace interrupts FILE")]
}

/// Stretches of at least a second in which the part of each slot is at least so much.
fn stretches(parts: &FxHashMap<u32, f64>, length: i64, least: f64) -> Vec<(i64, i64)> {
    let mut slots: Vec<u32> =
        parts.iter().filter(|(_, part)| **part >= least).map(|(slot, _)| *slot).collect();
    slots.sort_unstable();
    let mut found = Vec::new();
    for run in slots.chunk_by(|a, b| a + 1 == *b) {
        if let [first, .., last] | [first @ last] = run {
            let (from, to) = (i64::from(*first) * length, (i64::from(*last) + 1) * length);
            if to - from >= SECOND {
                found.push((from, to));
            }
        }
    }
    found.sort_by_key(|(from, to)| (from - to, *from));
    found.truncate(MOST_STRETCHES);
    found
}

/// Stretches in which all processors were busy.
pub(super) fn processors(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let (people, slots) = (&case.activity.collected.people, &case.activity.collected.cpu.slots);
    let machine = slots.length as f64 * f64::from(case.activity.processors());
    let mut busy: FxHashMap<u32, f64> = FxHashMap::default();
    for ((slot, thread), ns) in &slots.cells {
        if !people.is_idle(*thread) {
            *busy.entry(*slot).or_default() += *ns as f64 / machine;
        }
    }
    let mut found = Vec::new();
    for (from, to) in stretches(&busy, slots.length, rule.threshold / 100.0) {
        let (first, last) = (slots.slot(from), slots.slot(to - 1));
        let by_process = slots.total_by(
            |slot| (first..=last).contains(&slot),
            |thread| people.threads.get(thread as usize).map_or(0, |thread| thread.process),
        );
        let mut users: Vec<(u64, String)> = by_process
            .into_iter()
            .filter_map(|(process, ns)| Some((ns, people.processes.get(process as usize)?)))
            .filter(|(_, process)| process.pid != 0)
            .map(|(ns, process)| (ns, format!("{} {}", process.name, process.pid)))
            .collect();
        users.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let all = (to - from) as f64 * f64::from(case.activity.processors());
        let list: Vec<String> =
            users.iter().take(3).map(|(ns, name)| format!("{name} {} %", percent(*ns as f64, all))).collect();
        let headline = format!("{}-{} s  {}", seconds(from), seconds(to), list.join(", "));
        let window = format!("--start {} --end {}", seconds(from), seconds(to));
        found.push(
            Finding::new(rule, headline, (to - from) as f64)
                .during(from, to)
                .with("ms", (to - from) / 1_000_000)
                .then(format!("etw top FILE --by process,module {window}")),
        );
    }
    found
}

/// Stretches in which a disk was busy all the time.
pub(super) fn disks(rule: &'static Rule, case: &Case<'_, '_>) -> Vec<Finding> {
    let disks = &case.activity.collected.disks;
    let mut by_disk: FxHashMap<u32, FxHashMap<u32, f64>> = FxHashMap::default();
    for ((slot, disk), ns) in &disks.busy.cells {
        let part = *ns as f64 / disks.busy.length as f64;
        *by_disk.entry(*disk).or_default().entry(*slot).or_default() += part;
    }
    let mut found = Vec::new();
    for (disk, parts) in by_disk {
        for (from, to) in stretches(&parts, disks.busy.length, rule.threshold / 100.0) {
            let headline = format!("{}-{} s  disk {disk}", seconds(from), seconds(to));
            let window = format!("--start {} --end {}", seconds(from), seconds(to));
            let finding = Finding::new(rule, headline, (to - from) as f64)
                .during(from, to)
                .with("disk", disk)
                .with("ms", (to - from) / 1_000_000)
                .then(format!("dtrace disktop FILE {window}"));
            found.push(finding);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_lasts_a_second_without_a_break() {
        let length = SECOND / 4;
        let parts = [0, 1, 2, 3, 5, 6, 7, 20, 21, 22, 23, 24].map(|slot| (slot, 0.95));
        let mut parts = FxHashMap::from_iter(parts);
        parts.insert(4, 0.1);
        assert_eq!(stretches(&parts, length, 0.9), [(20 * length, 25 * length), (0, 4 * length)]);
        assert_eq!(stretches(&parts, length, 0.99), []);
    }
}
