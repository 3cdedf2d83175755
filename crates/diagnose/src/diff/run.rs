//! What is measured in one trace of a comparison.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tracewell_symbols::Symbols;

use super::change::Measure;
use crate::activity::Activity;
use crate::collect::cpu::reason_name;
use crate::people::Process;
use crate::places::Places;

/// Slices of a trace.
pub(super) const SLICES: usize = 40;
/// Callers of a function that distinguish its stacks.
const CALLERS: usize = 4;

/// Values by slice.
pub(super) type Series = [f64; SLICES];

/// What is measured in one trace.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Rates by slice.
    pub(super) series: FxHashMap<(Measure, String), Series>,
    /// Milliseconds of things that happen now and then.
    pub(super) durations: FxHashMap<(Measure, String), Vec<f64>>,
    /// Samples by stack, the outermost function first.
    pub(super) stacks: BTreeMap<Vec<String>, u64>,
    /// Samples of idle processors.
    pub(super) idle: u64,
    /// Length of the trace.
    pub(super) seconds: f64,
}

/// Slices the time of a trace, and adds to series.
struct Slicer {
    first: i64,
    slice: i64,
    per_slice: f64,
}

impl Slicer {
    fn at(&self, time: i64) -> usize {
        usize::try_from((time - self.first).max(0) / self.slice).unwrap_or(0).min(SLICES - 1)
    }

    /// The slice of a slot of so many nanoseconds.
    fn of_slot(&self, slot: u32, length: i64) -> usize {
        self.at(i64::from(slot).saturating_mul(length).saturating_add(length / 2))
    }

    /// The parts of a stretch in each slice, in nanoseconds.
    fn parts(&self, from: i64, to: i64) -> impl Iterator<Item = (usize, i64)> {
        (self.at(from)..=self.at(to)).map(move |at| {
            let begin = self.first + at as i64 * self.slice;
            let end = if at == SLICES - 1 { i64::MAX } else { begin + self.slice };
            (at, (to.min(end) - from.max(begin)).max(0))
        })
    }
}

impl Run {
    /// Measures a trace, with the symbols of its machines.
    #[must_use]
    pub fn of(activity: &Activity<'_>, symbols: &[Symbols<'_>]) -> Run {
        let (first, last) = activity.collected.extent.unwrap_or_default();
        let length = (last - first).max(1);
        let seconds = length as f64 / 1e9;
        let slicer =
            Slicer { first, slice: (length / SLICES as i64).max(1), per_slice: seconds / SLICES as f64 };
        let mut run = Run { seconds, ..Run::default() };
        run.processors(activity, &slicer);
        run.samples(activity, symbols, &slicer);
        run.pauses_and_spans(activity);
        run.starts(activity);
        run.transfers_and_events(activity, &slicer);
        run
    }

    fn transfers_and_events(&mut self, activity: &Activity<'_>, slicer: &Slicer) {
        let collected = &activity.collected;
        let transfers = &collected.disks.transfers;
        for ((slot, number), sums) in &transfers.cells.cells {
            let owner = transfers.keys.get(*number);
            let process = owner.and_then(|owner| collected.people.processes.get(owner.process as usize));
            let name = process.map_or("", |process| process.name.as_str());
            let at = slicer.of_slot(*slot, transfers.cells.length);
            self.add(Measure::Bytes, name, at, sums.amount as f64 / slicer.per_slice);
        }
        let events = &collected.events;
        for ((slot, number), count) in &events.slots.cells {
            let Some(kind) = events.types.get(*number as usize) else { continue };
            let name = format!("{} {}", kind.provider, kind.name);
            let at = slicer.of_slot(*slot, events.slots.length);
            self.add(Measure::Events, &name, at, *count as f64 / slicer.per_slice);
        }
    }

    fn add(&mut self, measure: Measure, name: &str, at: usize, rate: f64) {
        self.series.entry((measure, name.to_owned())).or_insert([0.0; SLICES])[at] += rate;
    }

    /// Processor time, and time away from the processors.
    fn processors(&mut self, activity: &Activity<'_>, slicer: &Slicer) {
        let (cpu, people) = (&activity.collected.cpu, &activity.collected.people);
        let name = |thread: u32| people.process_of(thread).map_or("", |process| process.name.as_str());
        let rate = |ns: i64| ns as f64 / 1e6 / slicer.per_slice;
        for ((slot, thread), ns) in cpu.slots.cells.iter().filter(|((_, thread), _)| !people.is_idle(*thread))
        {
            let at = slicer.of_slot(*slot, cpu.slots.length);
            self.add(Measure::Cpu, name(*thread), at, rate(*ns as i64));
        }
        let short = &cpu.aways.short;
        for ((slot, thread), sums) in short.cells.iter().filter(|((_, thread), _)| !people.is_idle(*thread)) {
            self.add(Measure::Ready, name(*thread), slicer.of_slot(*slot, short.length), rate(sums.ready));
        }
        for away in cpu.aways.long.iter().filter(|away| !people.is_idle(away.thread)) {
            let program = name(away.thread);
            let (measure, name) = match away.is_waiting {
                true => (Measure::Wait, format!("{program}: {}", reason_name(away.reason))),
                false => (Measure::Ready, program.to_owned()),
            };
            for (at, ns) in slicer.parts(away.from, away.to) {
                self.add(measure, &name, at, rate(ns));
            }
        }
    }

    fn samples(&mut self, activity: &Activity<'_>, symbols: &[Symbols<'_>], slicer: &Slicer) {
        let (samples, people) = (&activity.collected.samples, &activity.collected.people);
        let mut places = Places::new(activity, symbols);
        let mut stack = Vec::new();
        let mut names: FxHashMap<u32, (String, String, Vec<String>)> = FxHashMap::default();
        let ms = activity.interval.unwrap_or(1_000_000) as f64 / 1e6;
        for ((slot, (thread, number)), count) in &samples.slots.cells {
            if people.is_idle(*thread) {
                self.idle += count;
                continue;
            }
            let at = slicer.of_slot(*slot, samples.slots.length);
            let rate = *count as f64 / slicer.per_slice;
            let program = people.process_of(*thread).map_or("", |process| process.name.as_str());
            if activity.collected.cpu.switches == 0 {
                self.add(Measure::Cpu, program, at, rate * ms);
            }
            let (function, with_callers, whole) = names.entry(*number).or_insert_with(|| {
                stack.clear();
                if let Some(known) = samples.stacks.get(*number) {
                    places.stack(known, &mut stack);
                }
                let all: Vec<String> = stack.iter().map(|number| places.get(*number).full_name()).collect();
                let inner = all.iter().take(CALLERS + 1).cloned().collect::<Vec<_>>().join(" < ");
                (all.first().cloned().unwrap_or_default(), inner, all.into_iter().rev().collect())
            });
            if function.is_empty() {
                continue;
            }
            let mut path = vec![program.to_owned()];
            path.extend(whole.iter().cloned());
            *self.stacks.entry(path).or_default() += count;
            let (function, with_callers) = (function.clone(), with_callers.clone());
            self.add(Measure::Function, &function, at, rate);
            self.add(Measure::Stack, &with_callers, at, rate);
        }
    }

    fn pauses_and_spans(&mut self, activity: &Activity<'_>) {
        let collected = &activity.collected;
        for sums in collected.spans.values() {
            let all = sums.durations.kept().iter().map(|ns| *ns as f64 / 1e6);
            self.durations.entry((Measure::Span, sums.name.clone())).or_default().extend(all);
        }
        for (pause, lengths) in collected.clr.pauses.by_key() {
            let process = collected.people.processes.get(pause.process as usize);
            let program = process.map_or("", |process| process.name.as_str());
            let name = format!("{program}: generation {}", pause.depth);
            let all = lengths.iter().map(|ns| *ns as f64 / 1e6);
            self.durations.entry((Measure::Gc, name)).or_default().extend(all);
        }
    }

    /// Milestones of programs that began during the trace.
    fn starts(&mut self, activity: &Activity<'_>) {
        let collected = &activity.collected;
        let began = |process: &Process| {
            let (first, _) = collected.extent.unwrap_or_default();
            process.start.filter(|start| *start > first)
        };
        for process in &collected.people.processes {
            if let (Some(start), Some(end)) = (began(process), process.end) {
                let ms = end.saturating_sub(start) as f64 / 1e6;
                self.durations
                    .entry((Measure::Start, format!("{}: end", process.name)))
                    .or_default()
                    .push(ms);
            }
        }
        for ((process, kind), time) in &collected.events.firsts {
            let Some(process) = collected.people.processes.get(*process as usize) else { continue };
            let (Some(start), Some(kind)) = (began(process), collected.events.types.get(*kind as usize))
            else {
                continue;
            };
            let name = format!("{}: {} {}", process.name, kind.provider, kind.name);
            let ms = time.saturating_sub(start).max(0) as f64 / 1e6;
            self.durations.entry((Measure::Start, name)).or_default().push(ms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slices cover all of the time, and each has its part of a stretch.
    #[test]
    fn issue_23_slices_share_a_stretch_without_a_rest() {
        for (first, slice) in [(0, 1), (5, 10), (1000, 7)] {
            let slicer = Slicer { first, slice, per_slice: 1.0 };
            let end = first + SLICES as i64 * slice;
            for time in first - 3..end + 20 {
                let expected = (0..SLICES as i64).rfind(|at| first + at * slice <= time).unwrap_or(0);
                assert_eq!(slicer.at(time), expected as usize, "{time}");
            }
            for (from, to) in [
                (first, end),
                (first, first),
                (first + 3, first + 4),
                (first + slice / 2, end - 1),
                (end - 1, end + 9),
            ] {
                let parts: Vec<(usize, i64)> = slicer.parts(from, to).collect();
                assert_eq!(parts.iter().map(|(_, ns)| ns).sum::<i64>(), to - from);
                for (at, ns) in parts {
                    let inside = (from..to).filter(|time| slicer.at(*time) == at).count();
                    assert_eq!(inside as i64, ns, "{from}-{to} {at}");
                }
            }
        }
        let slicer = Slicer { first: 100, slice: 10, per_slice: 1.0 };
        // The middle of a slot counts.
        assert_eq!([0, 4, 5, 6].map(|slot| slicer.of_slot(slot, 20)), [0, 0, 1, 3]);
        assert_eq!(slicer.of_slot(u32::MAX, i64::MAX / 4), SLICES - 1);
    }

    #[test]
    fn issue_23_rates_of_a_slice_add_up() {
        let mut run = Run::default();
        for (name, at, rate) in [("a", 0, 1.0), ("a", 0, 2.0), ("a", 39, 4.0), ("b", 0, 8.0)] {
            run.add(Measure::Cpu, name, at, rate);
        }
        let of = |name: &str| run.series[&(Measure::Cpu, name.to_owned())];
        assert_eq!((of("a")[0], of("a")[39], of("a").iter().sum::<f64>(), of("b")[0]), (3.0, 4.0, 7.0, 8.0));
    }
}
