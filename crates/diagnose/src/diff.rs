//! Two traces compared: what changed, and how sure that is.
//!
//! Each trace is cut into equal slices of time. Drawing slices again and again (bootstrap) shows by how much a sum varies from slice
//! to slice. A change counts only if it is larger than such variation explains, for all sums that are compared together.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_symbols::Symbols;

use crate::activity::Activity;
use crate::places::Places;

/// Slices of a trace.
const SLICES: usize = 40;
/// Draws.
const DRAWS: usize = 500;
/// Least samples of a function in either trace.
const LEAST: f64 = 30.0;
/// How often any of the comparisons may report a change where there is none.
const FALSE_ALARMS: f64 = 0.05;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Processor time of a program, in milliseconds per second.
    Cpu,
    /// Samples of a function, per second.
    Function,
    /// Mean duration of a span, in milliseconds.
    Span,
    /// Bytes of disk transfers of a program, per second.
    Bytes,
}

/// Names of measures, and their units.
pub const MEASURES: &[(&str, Measure, &str)] = &[
    ("cpu", Measure::Cpu, "ms/s"),
    ("function", Measure::Function, "samples/s"),
    ("span", Measure::Span, "ms"),
    ("bytes", Measure::Bytes, "bytes/s"),
];

/// A sum in both traces.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is.
    pub measure: Measure,
    /// The program, function or span.
    pub name: String,
    /// In the first trace.
    pub before: f64,
    /// In the second.
    pub after: f64,
    /// The bounds between which the difference lies with 95 %; [`None`] if nothing shows how it varies.
    pub bounds: Option<(f64, f64)>,
    /// Whether the difference is more than variation.
    pub is_sure: bool,
}

impl Change {
    /// The change in percent of the first trace.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.before {
            before if before > 0.0 => 100.0 * (self.after - before) / before,
            _ if self.after > 0.0 => f64::INFINITY,
            _ => 0.0,
        }
    }
}

/// Two traces compared.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// Every comparison, sure changes first, the largest first.
    pub changes: Vec<Change>,
}

/// Values by slice.
type Series = [f64; SLICES];

/// What is measured in one trace.
#[derive(Default)]
struct Measured {
    series: FxHashMap<(Measure, String), Series>,
    spans: FxHashMap<String, Vec<i64>>,
    bytes: FxHashMap<String, f64>,
    seconds: f64,
}

fn measured(activity: &Activity<'_>, symbols: &[Symbols<'_>]) -> Measured {
    let collected = &activity.collected;
    let (people, (first, last)) = (&collected.people, collected.extent.unwrap_or_default());
    let length = (last - first).max(1);
    let slice = |slot: u32, of: i64| {
        let middle = i64::from(slot) * of + of / 2 - first;
        usize::try_from(middle.max(0) / (length / SLICES as i64).max(1)).unwrap_or(0).min(SLICES - 1)
    };
    let mut found = Measured { seconds: length as f64 / 1e9, ..Measured::default() };
    let program =
        |thread: u32| people.process_of(thread).map_or(String::new(), |process| process.name.clone());
    let per_slice = found.seconds / SLICES as f64;
    for ((slot, thread), ns) in &collected.cpu.slots.cells {
        if !people.is_idle(*thread) {
            let key = (Measure::Cpu, program(*thread));
            let series = found.series.entry(key).or_insert([0.0; SLICES]);
            series[slice(*slot, collected.cpu.slots.length)] += *ns as f64 / 1e6 / per_slice;
        }
    }
    let mut places = Places::new(activity, symbols);
    let mut stack = Vec::new();
    for ((slot, (thread, number)), count) in &collected.samples.slots.cells {
        if people.is_idle(*thread) {
            continue;
        }
        let at = slice(*slot, collected.samples.slots.length);
        let rate = *count as f64 / per_slice;
        if collected.cpu.switches == 0 {
            let ms = activity.interval.unwrap_or(1_000_000) as f64 / 1e6;
            let series = found.series.entry((Measure::Cpu, program(*thread))).or_insert([0.0; SLICES]);
            series[at] += rate * ms;
        }
        let Some(known) = collected.samples.stacks.get(*number) else { continue };
        places.stack(known, &mut stack);
        if let Some(&inner) = stack.first() {
            let key = (Measure::Function, places.get(inner).full_name());
            found.series.entry(key).or_insert([0.0; SLICES])[at] += rate;
        }
    }
    for sums in collected.spans.values() {
        found.spans.entry(sums.name.clone()).or_default().extend(sums.durations.kept());
    }
    for (owner, transfers) in collected.disks.transfers.rows() {
        let process = owner.and_then(|owner| people.processes.get(owner.process as usize));
        let name = process.map_or("", |process| process.name.as_str());
        *found.bytes.entry(name.to_owned()).or_default() += transfers.amount as f64 / found.seconds;
    }
    found
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

/// So many standard errors lie between a change and chance, if `comparisons` are made at once.
fn limit(comparisons: usize) -> f64 {
    (2.0 * (2.0 * comparisons.max(1) as f64 / FALSE_ALARMS).ln()).sqrt()
}

impl Diff {
    /// Compares two traces, with the symbols of the machines of each.
    #[must_use]
    pub fn of(before: (&Activity<'_>, &[Symbols<'_>]), after: (&Activity<'_>, &[Symbols<'_>])) -> Diff {
        let (a, b) = (measured(before.0, before.1), measured(after.0, after.1));
        // Slices of runs that took the same time may be compared one by one.
        let paired = (a.seconds - b.seconds).abs() <= 0.01 * a.seconds.max(b.seconds);
        let mut changes = Vec::new();
        let zero = [0.0; SLICES];
        let keys: FxHashSet<&(Measure, String)> = a.series.keys().chain(b.series.keys()).collect();
        for key in keys {
            let (x, y) = (a.series.get(key).unwrap_or(&zero), b.series.get(key).unwrap_or(&zero));
            let (before, after) = (mean(x), mean(y));
            if key.0 == Measure::Function && before * a.seconds < LEAST && after * b.seconds < LEAST {
                continue;
            }
            changes.push(compared(key.0, &key.1, (x, before), (y, after), paired));
        }
        for (name, x) in &a.spans {
            let Some(y) = b.spans.get(name).filter(|y| y.len() >= 10 && x.len() >= 10) else { continue };
            let ms = |all: &[i64]| all.iter().take(2000).map(|ns| *ns as f64 / 1e6).collect::<Vec<f64>>();
            let (x, y) = (ms(x), ms(y));
            changes.push(compared(Measure::Span, name, (&x, mean(&x)), (&y, mean(&y)), x == y));
        }
        let names: FxHashSet<&String> = a.bytes.keys().chain(b.bytes.keys()).collect();
        for name in names {
            let of = |bytes: &FxHashMap<String, f64>| bytes.get(name).copied().unwrap_or(0.0);
            let (before, after) = (of(&a.bytes), of(&b.bytes));
            let change = Change {
                measure: Measure::Bytes,
                name: name.clone(),
                before,
                after,
                bounds: None,
                is_sure: false,
            };
            changes.push((change, 0.0));
        }
        let limit = limit(changes.len());
        let judged = changes.into_iter().map(|(change, errors)| Change { is_sure: errors > limit, ..change });
        let mut changes: Vec<Change> = judged.collect();
        let size = |change: &Change| (change.after - change.before).abs();
        changes.sort_by(|x, y| {
            let key = |change: &Change| (!change.is_sure, change.measure);
            key(x).cmp(&key(y)).then(size(y).total_cmp(&size(x))).then_with(|| x.name.cmp(&y.name))
        });
        Diff { changes }
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

/// A comparison, and its number of standard errors.
fn compared(
    measure: Measure,
    name: &str,
    (x, before): (&[f64], f64),
    (y, after): (&[f64], f64),
    paired: bool,
) -> (Change, f64) {
    let (error, bounds) = vary(x, y, paired && x.len() == y.len());
    let difference = (after - before).abs();
    let errors = match difference {
        // Sums of the same numbers in another order.
        tiny if tiny <= 1e-9 * before.max(after) => 0.0,
        difference if error > 0.0 => difference / error,
        _ => f64::INFINITY,
    };
    let name = name.to_owned();
    (Change { measure, name, before, after, bounds: Some(bounds), is_sure: false }, errors)
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = MEASURES.iter().find(|(_, measure, _)| *measure == self.measure);
        let (word, unit) = unit.map_or(("", ""), |(word, _, unit)| (word, unit));
        let percent = self.percent();
        let percent = if percent.is_finite() { format!("{percent:+.1} %") } else { "new".to_owned() };
        write!(f, "{word}({}) {percent}, {:.1} -> {:.1} {unit}", self.name, self.before, self.after)
    }
}

/// A condition such as `cpu(app.exe) > +5%`, on which a comparison fails.
#[derive(Clone, Debug, PartialEq)]
pub struct FailOn {
    measure: Measure,
    name: String,
    is_more: bool,
    percent: f64,
}

impl std::str::FromStr for FailOn {
    type Err = String;

    fn from_str(text: &str) -> Result<FailOn, String> {
        let wrong = || {
            let names = MEASURES.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
            format!("'{text}' is not a condition: write one like 'cpu(app.exe) > +5%', with one of {names}")
        };
        let (word, rest) = text.trim().split_once('(').ok_or_else(wrong)?;
        let (name, rest) = rest.rsplit_once(')').ok_or_else(wrong)?;
        let measure = MEASURES.iter().find(|(known, ..)| *known == word.trim()).ok_or_else(wrong)?.1;
        let rest = rest.trim();
        let (is_more, number) = match (rest.strip_prefix('>'), rest.strip_prefix('<')) {
            (Some(number), _) => (true, number),
            (_, Some(number)) => (false, number),
            _ => return Err(wrong()),
        };
        let number = number.trim().strip_suffix('%').ok_or_else(wrong)?.trim();
        let percent = number.parse::<f64>().ok().filter(|percent| percent.is_finite()).ok_or_else(wrong)?;
        Ok(FailOn { measure, name: name.trim().to_owned(), is_more, percent })
    }
}

impl FailOn {
    /// The change that meets the condition, if one does: a sure one, or one of bytes, whose certainty is unknown.
    #[must_use]
    pub fn met<'d>(&self, diff: &'d Diff) -> Option<&'d Change> {
        let is_it = |change: &&Change| {
            change.measure == self.measure
                && change.name == self.name
                && (change.is_sure || change.bounds.is_none())
                && if self.is_more {
                    change.percent() > self.percent
                } else {
                    change.percent() < self.percent
                }
        };
        diff.changes.iter().find(is_it)
    }

    /// Returns `true` if either trace has what the condition is about.
    #[must_use]
    pub fn is_known(&self, diff: &Diff) -> bool {
        diff.changes.iter().any(|change| change.measure == self.measure && change.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let read: FailOn = "cpu(app.exe) > +5%".parse().unwrap();
        assert_eq!(
            read,
            FailOn { measure: Measure::Cpu, name: "app.exe".into(), is_more: true, percent: 5.0 }
        );
        let read: FailOn = "function(a!b(int)) < -10 %".parse().unwrap();
        assert_eq!((read.name.as_str(), read.is_more, read.percent), ("a!b(int)", false, -10.0));
        for text in ["", "cpu(a)", "cpu(a) > 5", "speed(a) > 5%", "cpu(a) = 5%", "cpu a > 5%"] {
            assert!(text.parse::<FailOn>().is_err(), "{text}");
        }
    }

    #[test]
    fn few_of_many_comparisons_of_equal_things_differ() {
        // Samples of one process, split at random into two halves: a thousand times, of twenty functions.
        let mut draw = Draw(99);
        let mut alarms = 0;
        for _ in 0..100 {
            let limit = limit(20);
            let alarm = (0..20).any(|_| {
                let (mut x, mut y) = ([0.0; SLICES], [0.0; SLICES]);
                for _ in 0..2000 {
                    let at = draw.below(SLICES);
                    let half = if draw.below(2) == 0 { &mut x } else { &mut y };
                    half[at] += 1.0;
                }
                compared(Measure::Function, "f", (&x, mean(&x)), (&y, mean(&y)), true).1 > limit
            });
            alarms += u32::from(alarm);
        }
        assert!(alarms <= 5, "{alarms} of 100");
    }

    #[test]
    fn a_tenth_more_of_many_samples_is_a_change() {
        let x = [250.0; SLICES];
        let mut draw = Draw(7);
        let y = x.map(|x| x * 1.1 + draw.below(30) as f64 - 15.0);
        let (_, errors) = compared(Measure::Function, "f", (&x, mean(&x)), (&y, mean(&y)), true);
        assert!(errors > limit(1000), "{errors}");
        assert_eq!(compared(Measure::Function, "f", (&x, 250.0), (&x, 250.0), true).1, 0.0);
    }
}
