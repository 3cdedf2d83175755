//! Comparisons find a change that was made, and none where there is none.

use std::path::PathBuf;

use tracewell::open::TraceFile;
use tracewell_corpus::Random;
use tracewell_diagnose::Activity;
use tracewell_diagnose::diff::{Diff, Measure, Run};
use tracewell_diagnose::places::Places;
use tracewell_symbols::Symbols;

/// Calls a function with two equal activities: of the trace of that name, else of the sample.
fn twice<T>(trace: Option<PathBuf>, look: impl FnOnce(Activity<'_>, Activity<'_>) -> T) -> T {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let file = TraceFile::open(&trace.unwrap_or(sample)).expect("the trace opens");
    let trace = file.trace().expect("it is a trace");
    let activity = || Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
    look(activity(), activity())
}

fn compare(a: &Activity<'_>, b: &Activity<'_>) -> Diff {
    let symbols = |activity: &Activity<'_>| -> usize { activity.survey.machines.len() };
    assert_eq!((symbols(a), symbols(b)), (1, 1));
    let of_a: Vec<Symbols<'_>> = a.survey.machines.iter().map(Symbols::new).collect();
    let of_b: Vec<Symbols<'_>> = b.survey.machines.iter().map(Symbols::new).collect();
    Diff::of(&[Run::of(a, &of_a)], &[Run::of(b, &of_b)])
}

/// Samples by the function that they interrupted.
fn functions(activity: &Activity<'_>) -> Vec<(String, u32, u64)> {
    let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
    let mut places = Places::new(activity, &symbols);
    let mut stack = Vec::new();
    let samples = &activity.collected.samples;
    let mut found = Vec::new();
    for ((_, (thread, number)), count) in &samples.slots.cells {
        if !activity.collected.people.is_idle(*thread) {
            places.stack(samples.stacks.get(*number).unwrap(), &mut stack);
            found.push((places.get(stack[0]).full_name(), *number, *count));
        }
    }
    found
}

#[test]
fn issue_20_a_trace_against_itself_has_no_change() {
    for trace in [None, tracewell_corpus::trace("randomascii/slow-ppt.etl")] {
        twice(trace, |a, b| {
            let diff = compare(&a, &b);
            assert_eq!(diff.sure().count(), 0, "{}", diff.verdict());
            assert!(diff.verdict().starts_with("no change") && diff.changes.len() > 20, "{}", diff.verdict());
        });
    }
}

#[test]
fn issue_20_a_function_with_a_tenth_more_samples_is_named() {
    let Some(trace) = tracewell_corpus::trace("randomascii/slow-ppt.etl") else {
        tracewell_corpus::skip("real-traces", "slow-ppt");
        return;
    };
    twice(Some(trace), |a, mut b| {
        let function = "windowscodecs!0x1c379";
        let stacks: Vec<u32> = functions(&b)
            .into_iter()
            .filter(|(name, ..)| name == function)
            .map(|(_, stack, _)| stack)
            .collect();
        assert!(!stacks.is_empty());
        let mut random = Random(20);
        for ((_, (_, stack)), count) in &mut b.collected.samples.slots.cells {
            if stacks.contains(stack) {
                *count += (0..*count).filter(|_| random.below(10) == 0).count() as u64;
            }
        }
        let diff = compare(&a, &b);
        let is_of = |measure| diff.sure().filter(move |change| change.measure == measure);
        let named: Vec<&str> = is_of(Measure::Function).map(|change| change.name.as_str()).collect();
        assert_eq!(named, [function], "{}", diff.verdict());
        // Its stacks have it innermost.
        let others = diff.sure().filter(|change| !change.name.starts_with(function)).count();
        assert_eq!((others, is_of(Measure::Cpu).count()), (0, 0), "{}", diff.verdict());
        assert!(
            diff.verdict().starts_with("changed: function(windowscodecs!0x1c379) +"),
            "{}",
            diff.verdict()
        );
    });
}

#[test]
fn issue_20_random_halves_of_a_trace_rarely_differ() {
    twice(None, |mut a, mut b| {
        let whole = a.collected.samples.slots.cells.clone();
        // Processor time by switches is not split.
        let mut random = Random(7);
        let alarms = (0..40).filter(|_| {
            let (left, right) = (&mut a.collected.samples.slots.cells, &mut b.collected.samples.slots.cells);
            left.clear();
            right.clear();
            for (key, count) in &whole {
                for _ in 0..*count {
                    let half = if random.below(2) == 0 { &mut *left } else { &mut *right };
                    *half.entry(*key).or_default() += 1;
                }
            }
            compare(&a, &b).sure().count() > 0
        });
        let alarms = alarms.count();
        assert!(alarms <= 2, "{alarms} of 40");
    });
}
