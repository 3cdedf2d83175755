//! What an interactive table asks a trace for is what pivots and scripts answer over the same trace.

mod common;

use std::collections::BTreeMap;

use common::{ask, sample};
use tracewell_diagnose::Activity;
use tracewell_diagnose::pivot::{By, Pivot, Question, Weight};
use tracewell_diagnose::view::{Asked, Facts, OfActivity};
use tracewell_symbols::Symbols;

fn with<T>(look: impl FnOnce(&Activity<'_>, &[Symbols<'_>], OfActivity<'_, '_>) -> T) -> T {
    common::with(&sample(), |activity| {
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        look(activity, &symbols, OfActivity::new(activity, &symbols))
    })
}

/// The rows of a pivot by one grouping over a part of the time.
fn pivot(
    activity: &Activity<'_>,
    symbols: &[Symbols<'_>],
    (by, weight): (By, Weight),
    (start, end): (i64, i64),
) -> BTreeMap<String, u64> {
    let by = [by];
    let question = Question { start, end, ..Question::new(&by, weight) };
    Pivot::of(activity, symbols, &question).rows.into_iter().map(|row| (row.name, row.weight)).collect()
}

const ALL: (i64, i64) = (i64::MIN, i64::MAX);

/// Each strip adds up to the time of its thread on processors, in the part of the trace in which it had it.
#[test]
fn issue_23_strips_are_the_busiest_threads_when_they_were_busy() {
    let scripted = ask(
        &sample(),
        "sched:::on-cpu { on[cpu] = timestamp; } \
         sched:::off-cpu /on[cpu] && tid != 0/ { @[tid] = sum(timestamp - on[cpu]); }",
    );
    with(|activity, symbols, facts| {
        const PARTS: usize = 64;
        let strips = facts.strips(4, PARTS);
        assert_eq!(strips.len(), 4);
        let part = facts.length() / PARTS as i64;
        let thread = |name: &str| name.rsplit_once(' ').unwrap().1.to_owned();
        let sum = |busy: &[f64]| busy.iter().sum::<f64>() * part as f64;
        let near = |value: f64, expected: f64, slack: f64| (value - expected).abs() <= slack;
        let mut last = f64::MAX;
        for strip in &strips {
            assert_eq!(strip.busy.len(), PARTS);
            assert!(strip.busy.iter().all(|busy| (0.0..=1.01).contains(busy)), "{strip:?}");
            let tid = thread(&strip.name);
            let expected = scripted[&tid] as f64;
            // What is after the last whole part is in none.
            assert!(near(sum(&strip.busy), expected, 0.02 * expected), "{strip:?} {expected}");
            assert!(sum(&strip.busy) <= last * 1.02, "the busiest come first");
            last = sum(&strip.busy);
            // A slot lies in both halves, and so does one part.
            let half = part * (PARTS / 2) as i64;
            let first = pivot(activity, symbols, (By::Thread, Weight::Cpu), (0, half));
            let expected = first.get(&tid).copied().unwrap_or(0) as f64;
            let slack = (activity.collected.cpu.slots.length + part) as f64;
            assert!(near(sum(&strip.busy[..PARTS / 2]), expected, slack), "{strip:?} {expected}");
        }
        let mut most: Vec<i64> = scripted.values().copied().collect();
        most.sort_unstable_by_key(|ns| std::cmp::Reverse(*ns));
        let shown: Vec<i64> = strips.iter().map(|strip| scripted[&thread(&strip.name)]).collect();
        assert_eq!(shown, most[..4]);
        // A thread that ran to the end was not taken off its processor.
        assert!((scripted.len()..=scripted.len() + 4).contains(&facts.strips(1000, PARTS).len()));
    });
}

/// As many events are listed as are counted, by each grouping and in each part of the time.
#[test]
fn issue_23_events_of_a_row_are_those_that_it_counts() {
    const BY: &[(By, &[By])] = &[
        (By::Program, &[By::Program]),
        (By::Process, &[By::Process]),
        (By::Thread, &[By::Thread]),
        (By::Event, &[By::Event]),
    ];
    with(|activity, symbols, mut facts| {
        let (length, most) = (facts.length(), 400_000);
        let mut listed = 0;
        for (by, groupings) in BY {
            for (start, end) in [ALL, (length / 4, length / 2)] {
                let rows = pivot(activity, symbols, (*by, Weight::Events), (start, end));
                assert!(!rows.is_empty());
                let mut sorted: Vec<(&String, &u64)> = rows.iter().collect();
                sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
                for (name, count) in sorted.into_iter().take(1) {
                    let asked = Asked { by: groupings, weight: Weight::Events, inclusive: false, start, end };
                    let lines = facts.events(&asked, std::slice::from_ref(name), most);
                    assert_eq!(lines.len() as u64, *count, "{by:?} {name} {start}");
                    listed += lines.len();
                    let words = |line: &str| {
                        let (time, rest) = line.trim_start().split_once(" s  ").unwrap();
                        let (who, _) = rest.split_once("  ").unwrap();
                        (time.parse::<f64>().unwrap(), who.to_owned())
                    };
                    for (time, who) in lines.iter().map(|line| words(line)) {
                        assert!(time >= start.max(0) as f64 / 1e9 - 0.001 && time <= end as f64 / 1e9);
                        let (process, tid) = who.rsplit_once('/').unwrap();
                        let is_of = match by {
                            By::Program => process.rsplit_once(' ').unwrap().0 == name,
                            By::Process => process == name,
                            By::Thread => tid == name,
                            _ => true,
                        };
                        assert!(is_of, "{who} is not of {name}");
                    }
                    assert_eq!(
                        facts.events(&asked, std::slice::from_ref(name), 3),
                        lines[..3.min(lines.len())]
                    );
                    assert!(facts.events(&asked, &["none".to_owned()], 3).is_empty());
                }
            }
        }
        assert!(listed > 1000, "{listed}");
    });
}

/// The stacks of a row add up to the row, the heaviest first.
#[test]
fn issue_23_stacks_of_a_row_add_up_to_it() {
    with(|activity, symbols, mut facts| {
        let rows = pivot(activity, symbols, (By::Program, Weight::Count), ALL);
        let (name, count) = rows.iter().max_by_key(|(_, count)| **count).unwrap();
        let asked =
            Asked { by: &[By::Program], weight: Weight::Count, inclusive: false, start: ALL.0, end: ALL.1 };
        let stacks = facts.stacks(&asked, std::slice::from_ref(name), usize::MAX);
        assert_eq!(stacks.iter().map(|(weight, _)| weight).sum::<u64>(), *count);
        assert!(stacks.len() > 1 && stacks.is_sorted_by(|a, b| a.0 >= b.0));
        assert_eq!(facts.stacks(&asked, std::slice::from_ref(name), 1), stacks[..1]);
        let same = facts.pivot(&asked);
        assert_eq!(same.rows.into_iter().map(|row| (row.name, row.weight)).collect::<BTreeMap<_, _>>(), rows);
        assert_eq!(facts.origin(), activity.origin);
    });
}
