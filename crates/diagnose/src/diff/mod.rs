//! Two traces, or several runs a side, compared: what changed, and how sure that is.
//!
//! Each trace is cut into equal slices of time. Drawing slices again and again (bootstrap) shows by how much a sum varies from slice
//! to slice. With three runs or more a side, the runs themselves are drawn. A change counts only if it is larger than such variation
//! explains, for all sums that are compared together.

mod change;
mod condition;
mod run;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

pub use change::{Change, MEASURES, Measure};
pub use condition::FailOn;
pub use run::Run;
use run::SLICES;

/// Draws.
const DRAWS: usize = 500;
/// Least samples of a function, or events of a type, in either side.
const LEAST: f64 = 30.0;
/// Least durations of a kind in either side, and most that are drawn from.
const LEAST_DURATIONS: usize = 10;
const MOST_DURATIONS: usize = 2000;
/// From so many runs a side on, the runs are drawn and not their slices.
const RUNS: usize = 3;
/// How often any of the comparisons may report a change where there is none: less than one time in twenty, as bounds are approximate.
/// Counts of events have a separate share, so that many types of events do not hide changes of anything else.
const FALSE_ALARMS: f64 = 0.03;
const FALSE_ALARMS_OF_EVENTS: f64 = 0.01;

/// Two sides compared.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// Every comparison, sure changes first, the largest first.
    pub changes: Vec<Change>,
    /// Samples of both sides by stack, the outermost function first, per so many seconds that both sides took the same time.
    pub stacks: BTreeMap<Vec<String>, (u64, u64)>,
    /// Samples of idle processors of both sides, likewise.
    pub idle: (u64, u64),
}

/// Numbers without a pattern, always the same ones.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of the difference, and the bounds between which it lies with 95 %.
fn vary(before: &[f64], after: &[f64], paired: bool) -> (f64, (f64, f64)) {
    let mut draw = Draw(0x5eed);
    let mut differences: Vec<f64> = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let difference = if paired {
            let sum: f64 = (0..before.len())
                .map(|_| {
                    let at = draw.below(before.len());
                    after[at] - before[at]
                })
                .sum();
            sum / before.len().max(1) as f64
        } else {
            let a: f64 = (0..before.len()).map(|_| before[draw.below(before.len())]).sum();
            let b: f64 = (0..after.len()).map(|_| after[draw.below(after.len())]).sum();
            b / after.len().max(1) as f64 - a / before.len().max(1) as f64
        };
        differences.push(difference);
    }
    differences.sort_by(f64::total_cmp);
    let middle = mean(&differences);
    let variance = differences.iter().map(|d| (d - middle) * (d - middle)).sum::<f64>() / DRAWS as f64;
    (variance.sqrt(), (differences[DRAWS / 40], differences[DRAWS - 1 - DRAWS / 40]))
}

/// The number of standard errors that chance exceeds in one of `1 / share` cases, up or down: the normal distribution, by the rational
/// approximation 26.2.23 of Abramowitz and Stegun.
fn normal(share: f64) -> f64 {
    let t = (-2.0 * (share / 2.0).ln()).sqrt();
    let above = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t;
    t - above / (1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t)
}

/// So many standard errors lie between a change and chance, if chance exceeds them in a share of the cases, for so many values a side.
/// The mean of few values has longer tails (Student's distribution, by its expansion), and draws of them vary less than they do.
fn limit(share: f64, (before, after): (usize, usize)) -> f64 {
    let z = normal(share);
    let n = (before.min(after)).saturating_sub(1).max(1) as f64;
    let tails =
        z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
    tails * ((n + 1.0) / n).sqrt()
}

/// A side: its runs.
struct Side<'r>(&'r [Run]);

impl Side<'_> {
    fn seconds(&self) -> f64 {
        self.0.iter().map(|run| run.seconds).sum()
    }

    /// The values of a rate: by run if there are enough, else by slice.
    fn values(&self, key: &(Measure, String), by_run: bool) -> Vec<f64> {
        let zero = [0.0; SLICES];
        let series = self.0.iter().map(|run| run.series.get(key).unwrap_or(&zero));
        match by_run {
            true => series.map(|values| mean(values)).collect(),
            false => series.flatten().copied().collect(),
        }
    }

    fn durations(&self, key: &(Measure, String)) -> Vec<f64> {
        let all = self.0.iter().filter_map(|run| run.durations.get(key)).flatten();
        all.take(MOST_DURATIONS).copied().collect()
    }
}

/// The keys of both sides.
fn keys<'r, V: 'r>(
    sides: [&Side<'r>; 2],
    of: impl Fn(&'r Run) -> &'r rustc_hash::FxHashMap<(Measure, String), V>,
) -> FxHashSet<&'r (Measure, String)> {
    sides.into_iter().flat_map(|side| side.0.iter()).flat_map(|run| of(run).keys()).collect()
}

impl Diff {
    /// Compares the runs of two sides.
    #[must_use]
    pub fn of(before: &[Run], after: &[Run]) -> Diff {
        let (a, b) = (Side(before), Side(after));
        let by_run = before.len() >= RUNS && after.len() >= RUNS;
        // Slices of runs that took the same time may be compared one by one.
        let is_near = (a.seconds() - b.seconds()).abs() <= 0.01 * a.seconds().max(b.seconds());
        let paired = is_near && before.len() == 1 && after.len() == 1;
        let mut all: Vec<Compared> = Vec::new();
        for key in keys([&a, &b], |run| &run.series) {
            let (x, y) = (a.values(key, by_run), b.values(key, by_run));
            let is_counted = matches!(key.0, Measure::Function | Measure::Stack | Measure::Events);
            if is_counted && mean(&x) * a.seconds() < LEAST && mean(&y) * b.seconds() < LEAST {
                continue;
            }
            all.push(compared(key, &x, &y, paired));
        }
        for key in keys([&a, &b], |run| &run.durations) {
            let (x, y) = (a.durations(key), b.durations(key));
            match x.len().min(y.len()) {
                0 => {}
                1..LEAST_DURATIONS if key.0 != Measure::Start => {}
                1..RUNS => all.push(unknown(key, &x, &y)),
                _ => all.push(compared(key, &x, &y, x == y)),
            }
        }
        let scaled = |side: &Side<'_>, count: f64| {
            (count * a.seconds().min(b.seconds()) / side.seconds().max(1e-9)).round() as u64
        };
        let idle = |side: &Side<'_>| scaled(side, side.0.iter().map(|run| run.idle as f64).sum());
        Diff { changes: judged(all), stacks: stacks(&a, &b), idle: (idle(&a), idle(&b)) }
    }

    /// The changes that are more than variation.
    pub fn sure(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.is_sure)
    }

    /// What changed, in words.
    #[must_use]
    pub fn verdict(&self) -> String {
        let list: Vec<String> = self.sure().take(3).map(ToString::to_string).collect();
        match list.as_slice() {
            [] => format!("no change: {} comparisons differ by no more than chance", self.changes.len()),
            list => format!("changed: {}", list.join("; ")),
        }
    }
}

/// The comparisons, with those that are sure. A stack is only asked about if its innermost function changed: so stacks need no larger
/// changes of everything else.
fn judged(all: Vec<Compared>) -> Vec<Change> {
    let (stacks, all): (Vec<Compared>, Vec<Compared>) =
        all.into_iter().partition(|(change, ..)| change.measure == Measure::Stack);
    let of_events = all.iter().filter(|(change, ..)| change.measure == Measure::Events).count();
    let share = |alarms: f64, comparisons: usize| alarms / comparisons.max(1) as f64;
    let others = share(FALSE_ALARMS, all.len() - of_events);
    let of_events = share(FALSE_ALARMS_OF_EVENTS, of_events);
    let judge = |(change, errors, counts): Compared| {
        let share = if change.measure == Measure::Events { of_events } else { others };
        Change { is_sure: errors > limit(share, counts), ..change }
    };
    let mut changes: Vec<Change> = all.into_iter().map(judge).collect();
    let is_function = |change: &&Change| change.is_sure && change.measure == Measure::Function;
    let functions: FxHashSet<String> = changes.iter().filter(is_function).map(|c| c.name.clone()).collect();
    for stack in stacks {
        let function = stack.0.name.split(" < ").next().unwrap_or_default();
        let is_asked = functions.contains(function);
        let change = judge(stack);
        changes.push(Change { is_sure: change.is_sure && is_asked, ..change });
    }
    let size = |change: &Change| (change.after - change.before).abs();
    changes.sort_by(|x, y| {
        let key = |change: &Change| (!change.is_sure, change.measure);
        key(x).cmp(&key(y)).then(size(y).total_cmp(&size(x))).then_with(|| x.name.cmp(&y.name))
    });
    changes
}

/// The samples of both sides by stack, the longer side scaled to the time of the other.
fn stacks(a: &Side<'_>, b: &Side<'_>) -> BTreeMap<Vec<String>, (u64, u64)> {
    let seconds = a.seconds().min(b.seconds());
    let mut all: BTreeMap<Vec<String>, (f64, f64)> = BTreeMap::new();
    for (is_after, side) in [(false, a), (true, b)] {
        let scale = seconds / side.seconds().max(1e-9);
        for (stack, count) in side.0.iter().flat_map(|run| &run.stacks) {
            let sums = all.entry(stack.clone()).or_default();
            *if is_after { &mut sums.1 } else { &mut sums.0 } += *count as f64 * scale;
        }
    }
    all.into_iter().map(|(stack, (a, b))| (stack, (a.round() as u64, b.round() as u64))).collect()
}

/// A comparison of values of which nothing shows how they vary.
fn unknown(key: &(Measure, String), x: &[f64], y: &[f64]) -> Compared {
    let (measure, name) = (key.0, key.1.clone());
    let change = Change { measure, name, before: mean(x), after: mean(y), bounds: None, is_sure: false };
    (change, 0.0, (x.len(), y.len()))
}

/// A comparison, its number of standard errors, and the number of values of both sides.
type Compared = (Change, f64, (usize, usize));

fn compared(key: &(Measure, String), x: &[f64], y: &[f64], paired: bool) -> Compared {
    let (before, after) = (mean(x), mean(y));
    let (error, bounds) = vary(x, y, paired && x.len() == y.len());
    let difference = (after - before).abs();
    let errors = match difference {
        // Sums of the same numbers in another order.
        tiny if tiny <= 1e-9 * before.max(after) => 0.0,
        difference if error > 0.0 => difference / error,
        _ => f64::INFINITY,
    };
    let (measure, name) = (key.0, key.1.clone());
    (
        Change { measure, name, before, after, bounds: Some(bounds), is_sure: false },
        errors,
        (x.len(), y.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> (Measure, String) {
        (Measure::Function, "f".to_owned())
    }

    #[test]
    fn few_of_many_comparisons_of_equal_things_differ() {
        // Samples of one process, split at random into two halves: three hundred times, of twenty functions.
        let mut draw = Draw(99);
        let mut alarms = 0;
        for _ in 0..300 {
            let limit = limit(FALSE_ALARMS / 20.0, (SLICES, SLICES));
            let alarm = (0..20).any(|_| {
                let (mut x, mut y) = ([0.0; SLICES], [0.0; SLICES]);
                for _ in 0..2000 {
                    let at = draw.below(SLICES);
                    let half = if draw.below(2) == 0 { &mut x } else { &mut y };
                    half[at] += 1.0;
                }
                compared(&key(), &x, &y, true).1 > limit
            });
            alarms += u32::from(alarm);
        }
        assert!(alarms < 15, "{alarms} of 300");
    }

    #[test]
    fn a_tenth_more_of_many_samples_is_a_change() {
        let x = [250.0; SLICES];
        let mut draw = Draw(7);
        let y = x.map(|x| x * 1.1 + draw.below(30) as f64 - 15.0);
        let (_, errors, _) = compared(&key(), &x, &y, true);
        assert!(errors > limit(FALSE_ALARMS / 1000.0, (SLICES, SLICES)), "{errors}");
        assert_eq!(compared(&key(), &x, &x, true).1, 0.0);
    }

    /// Runs with these rates of a function, in samples per second.
    fn runs(rates: &[f64]) -> Vec<Run> {
        let run = |rate: &f64| {
            let series = rustc_hash::FxHashMap::from_iter([(key(), [*rate; SLICES])]);
            Run { series, seconds: 10.0, ..Run::default() }
        };
        rates.iter().map(run).collect()
    }

    #[test]
    fn runs_that_differ_among_themselves_hide_what_slices_would_show() {
        // Each run is steady, but no two are alike.
        let (before, after) = (runs(&[100.0, 140.0, 90.0, 120.0]), runs(&[150.0, 95.0, 130.0, 110.0]));
        assert_eq!(Diff::of(&before, &after).sure().count(), 0);
        assert_eq!(Diff::of(&before[..1], &after[..1]).sure().count(), 1);
        let after = runs(&[300.0, 310.0, 290.0, 305.0]);
        let diff = Diff::of(&runs(&[100.0, 104.0, 99.0, 101.0]), &after);
        assert_eq!(diff.sure().map(|change| change.before.round()).collect::<Vec<_>>(), [101.0]);
    }

    #[test]
    fn few_values_and_many_comparisons_need_larger_changes() {
        // Two-sided shares of the normal distribution.
        for (share, errors) in [(0.05, 1.960), (0.01, 2.576), (0.001, 3.291), (0.000_1, 3.891)] {
            assert!((normal(share) - errors).abs() < 0.001, "{share}: {}", normal(share));
        }
        let limits = [(10_000, 1), (40, 1), (40, 100), (10, 100), (3, 100)]
            .map(|(n, m)| limit(FALSE_ALARMS / f64::from(m), (n, n)));
        assert!((limits[0] - 2.170).abs() < 0.001 && limits.is_sorted() && limits[4] > 10.0, "{limits:?}");
    }

    /// Two-sided values of Student's distribution, by degrees of freedom, as tables list them.
    #[test]
    fn issue_23_means_of_few_values_have_longer_tails() {
        for (share, freedom, value, tolerance) in [
            (0.05, 4, 2.776, 0.05),
            (0.05, 9, 2.262, 0.004),
            (0.1, 9, 1.833, 0.001),
            (0.01, 9, 3.250, 0.02),
            (0.05, 29, 2.045, 0.001),
            (0.01, 29, 2.756, 0.001),
            (0.001, 29, 3.659, 0.002),
            (0.05, 99, 1.984, 0.001),
        ] {
            let of = |before, after| {
                let root = ((freedom as f64 + 1.0) / freedom as f64).sqrt();
                limit(share, (before, after)) / root - value
            };
            // The side with fewer values counts.
            for difference in [of(freedom + 1, 1000), of(1000, freedom + 1)] {
                assert!(difference.abs() < tolerance, "{share} {freedom}: {difference}");
            }
        }
    }

    #[test]
    fn stacks_are_scaled_to_the_same_time() {
        let stack = |count| BTreeMap::from([(vec!["main".to_owned()], count)]);
        let run = |count, seconds| Run { stacks: stack(count), idle: count + 1, seconds, ..Run::default() };
        let diff = Diff::of(&[run(100, 10.0)], &[run(300, 15.0), run(300, 5.0)]);
        assert_eq!(diff.stacks.values().collect::<Vec<_>>(), [&(100, 300)]);
        assert_eq!(diff.idle, (101, 301));
    }

    /// The error and the bounds are those of the theory: the deviation, by the root of the number of values.
    #[test]
    fn issue_23_drawing_shows_the_standard_error() {
        let mut draw = Draw(11);
        let x: Vec<f64> = (0..200).map(|_| draw.below(1000) as f64).collect();
        let y: Vec<f64> = x.iter().map(|x| 3.0 * x + draw.below(100) as f64).collect();
        let deviation = |values: &[f64]| {
            let middle = values.iter().sum::<f64>() / values.len() as f64;
            let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
            (squares / values.len() as f64 / values.len() as f64).sqrt()
        };
        let apart: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y - x).collect();
        let difference = mean(&y) - mean(&x);
        for (paired, expected) in [(true, deviation(&apart)), (false, deviation(&x).hypot(deviation(&y)))] {
            let (error, (low, high)) = vary(&x, &y, paired);
            assert!((error / expected - 1.0).abs() < 0.1, "{error} {expected}");
            for (bound, errors) in [(low, -1.96), (high, 1.96)] {
                assert!((bound - (difference + errors * expected)).abs() < 0.35 * expected, "{bound}");
            }
        }
        // Sides of different lengths are drawn by themselves.
        let (error, (low, high)) = vary(&[5.0; 3], &[7.0; 90], false);
        assert_eq!((error, low, high), (0.0, 2.0, 2.0));
        assert_eq!(compared(&key(), &[5.0; 3], &[7.0; 90], true).1, f64::INFINITY);
        assert_eq!((mean(&[]), mean(&[1.0, 2.0, 6.0])), (0.0, 3.0));
    }

    #[test]
    fn issue_23_few_samples_and_few_durations_are_not_compared() {
        let of = |name: &str| (Measure::Function, name.to_owned());
        let run = |rates: &[(&str, f64)], seconds| Run {
            series: rates.iter().map(|(name, rate)| (of(name), [*rate; SLICES])).collect(),
            seconds,
            ..Run::default()
        };
        // 30 samples on one side are enough.
        let before = run(&[("few", 2.9), ("enough", 3.0), ("new", 0.0)], 10.0);
        let after = run(&[("few", 2.9), ("enough", 0.1), ("new", 3.1)], 10.0);
        let diff = Diff::of(&[before], &[after]);
        let names: Vec<(&str, bool)> =
            diff.changes.iter().map(|change| (&*change.name, change.is_sure)).collect();
        assert_eq!(names, [("new", true), ("enough", true)]);
        assert_eq!(
            diff.verdict(),
            "changed: function(new) new, 0.0 -> 3.1 samples/s; function(enough) -96.7 %, 3.0 -> 0.1 samples/s"
        );
        let none = Diff::of(&[run(&[("a", 9.0)], 10.0)], &[run(&[("a", 9.0)], 10.0)]);
        assert_eq!(none.verdict(), "no change: 1 comparisons differ by no more than chance");

        for (measure, counts, expected) in [
            (Measure::Gc, (9, 20), None),
            (Measure::Gc, (20, 9), None),
            (Measure::Gc, (10, 10), Some(true)),
            (Measure::Gc, (0, 10), None),
            (Measure::Start, (1, 1), Some(false)),
            (Measure::Start, (2, 9), Some(false)),
            (Measure::Start, (3, 3), Some(true)),
            (Measure::Start, (0, 3), None),
        ] {
            let run = |count: usize, ms: f64| Run {
                durations: rustc_hash::FxHashMap::from_iter([(
                    (measure, "p".to_owned()),
                    (0..count).map(|at| ms + at as f64).collect(),
                )]),
                seconds: 1.0,
                ..Run::default()
            };
            let diff = Diff::of(&[run(counts.0, 5.0)], &[run(counts.1, 50.0)]);
            assert_eq!(
                diff.changes.first().map(|change| change.bounds.is_some()),
                expected,
                "{measure:?} {counts:?}"
            );
        }
    }

    /// A stack is sure only with its innermost function, and the order is: sure, measure, size, name.
    #[test]
    fn issue_23_changes_are_judged_and_put_in_order() {
        let one = |measure, name: &str, after, errors| {
            let change =
                Change { measure, name: name.to_owned(), before: 10.0, after, bounds: None, is_sure: false };
            (change, errors, (40, 40))
        };
        let changes = judged(vec![
            one(Measure::Stack, "f < main", 12.0, 50.0),
            one(Measure::Stack, "g < main", 90.0, 50.0),
            one(Measure::Stack, "f < other", 12.0, 0.5),
            one(Measure::Function, "g", 11.0, 0.5),
            one(Measure::Function, "f", 14.0, 50.0),
            one(Measure::Cpu, "b", 5.0, 50.0),
            one(Measure::Cpu, "a", 15.0, 50.0),
            one(Measure::Cpu, "c", 30.0, 50.0),
        ]);
        let order: Vec<(&str, bool)> = changes.iter().map(|change| (&*change.name, change.is_sure)).collect();
        let sure = ["c", "a", "b", "f", "f < main"].map(|name| (name, true));
        let rest = ["g", "g < main", "f < other"].map(|name| (name, false));
        assert_eq!(order, [&sure[..], &rest[..]].concat());
    }
}
