//! Each rule reports what it is for, can be switched off, and has a row in the documentation.

mod common;

use std::path::PathBuf;

use tracewell::open::TraceFile;
use tracewell_corpus::Scratch;
use tracewell_diagnose::collect::cpu::LongWait;
use tracewell_diagnose::collect::delays::Hang;
use tracewell_diagnose::collect::disks::{Direction, Failure, Owner};
use tracewell_diagnose::collect::events::EventType;
use tracewell_diagnose::collect::frames::{Api, Chain};
use tracewell_diagnose::collect::interrupts::{Kind, Long, Routine};
use tracewell_diagnose::collect::{Collected, Scripted};
use tracewell_diagnose::ledger::Sums;
use tracewell_diagnose::rules::{RULES, table};
use tracewell_diagnose::{Activity, Report, text};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

const MS: i64 = 1_000_000;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A thread of a program, and its process.
fn any_thread(collected: &Collected) -> (u32, u32) {
    let threads = (0..).zip(&collected.people.threads);
    let is_program = |process: u32| collected.people.processes[process as usize].pid > 4;
    let (thread, known) = threads.into_iter().find(|(_, t)| is_program(t.process)).expect("a program ran");
    (thread, known.process)
}

/// Makes what a rule looks for.
type Seed = fn(&mut Collected);

const ROUTINE: Routine = Routine { kind: Kind::Dpc, vector: 0, address: 0xffff_8000_0000_1000 };

/// What each rule finds. The rules about losses, tracing and the load of processors look at the trace itself, and are
/// tested below and with real traces.
const SEEDS: &[(&str, Seed)] = &[
    ("ui-hang", |all| {
        let (thread, _) = any_thread(all);
        all.hangs.push(Hang {
            thread,
            from: 100 * MS,
            to: 400 * MS,
            rest: 0,
            input_ms: Some(250),
            messages_ms: None,
        });
    }),
    ("long-wait", |all| {
        let (thread, _) = any_thread(all);
        all.cpu.long_waits.push(LongWait { thread, from: 100 * MS, to: 900 * MS, reason: 27 });
    }),
    ("missed-frames", |all| {
        let (_, process) = any_thread(all);
        let chain = Chain { process, api: Api::Dxgi, chain: 1 };
        (0..100).for_each(|at| all.frames.intervals.add(at * 16 * MS, &chain, 16 * MS));
        (0..10).for_each(|at| all.frames.intervals.add((1600 + at * 32) * MS, &chain, 32 * MS));
    }),
    ("long-dpc", |all| long(all, ROUTINE, 2 * MS)),
    ("long-isr", |all| long(all, Routine { kind: Kind::Isr, ..ROUTINE }, MS)),
    ("interrupt-load", |all| {
        let length = all.extent.map_or(0, |(first, last)| last - first);
        all.interrupts.routines.entry(ROUTINE).or_default().sum = length * 64;
    }),
    ("cpu-saturated", |all| {
        let (thread, _) = any_thread(all);
        let slots = u32::try_from(2000 * MS / all.cpu.slots.length).unwrap();
        let length = all.cpu.slots.length as u64;
        (0..slots).for_each(|slot| {
            all.cpu.slots.cells.insert((slot, thread), length * 64);
        });
    }),
    ("disk-saturated", |all| {
        let slots = u32::try_from(2000 * MS / all.disks.busy.length).unwrap();
        let length = all.disks.busy.length as u64;
        (0..slots).for_each(|slot| {
            all.disks.busy.cells.insert((slot, 7), length);
        });
        let owner = Owner { process: 0, disk: 7, direction: Direction::Read, file: 0 };
        all.disks.transfers.add(0, &owner, Sums::one(512, 9));
    }),
    ("gc-pause", |all| pause(all, 60 * MS)),
    ("gc-time", |all| pause(all, 1000 * MS)),
    ("gc-induced", |all| {
        let (_, process) = any_thread(all);
        let generation = all.runtimes.entry(process).or_default().generations.entry(2).or_default();
        generation.reasons.insert("Induced".to_owned(), 20);
    }),
    ("allocation-rate", |all| {
        let (_, process) = any_thread(all);
        all.runtimes.entry(process).or_default().allocations.insert("X[]".to_owned(), (9, 1 << 50));
    }),
    ("exceptions", |all| {
        let (_, process) = any_thread(all);
        all.runtimes.entry(process).or_default().exceptions.insert("X".to_owned(), 200);
    }),
    ("failed-operations", |all| {
        let (_, process) = any_thread(all);
        all.disks.operations += 1;
        all.disks.failures.insert(Failure { process, operation: 64, status: 0xc000_0022 }, (40, MS));
    }),
    ("hidden-script", |all| {
        let (thread, _) = any_thread(all);
        let text = "powershell.exe -w hidden -enc RwBlAHQALQBBAGwAaQBhAHMA".to_owned();
        all.scripted.push(Scripted { time: MS, thread, event: String::new(), text });
    }),
    ("event-storm", |all| {
        let densest = (50_000, 0);
        let (provider, name) = ("Shop".to_owned(), "Sold".to_owned());
        all.events.types.push(EventType { provider, name, count: 60_000, densest, ..EventType::default() });
    }),
];

fn long(all: &mut Collected, routine: Routine, took: i64) {
    all.interrupts.routines.entry(routine).or_default();
    all.interrupts.long.push(Long { routine, from: 0, took });
}

fn pause(all: &mut Collected, took: i64) {
    let (_, process) = any_thread(all);
    let generation = all.runtimes.entry(process).or_default().generations.entry(2).or_default();
    generation.pauses.add(5 * MS, took);
}

fn with<T>(seed: Seed, look: impl FnOnce(&Activity<'_>) -> T) -> T {
    let file = TraceFile::open(&root().join("testdata/sample.etl")).expect("the sample opens");
    let trace = file.trace().expect("it is a trace");
    let mut activity = Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
    // The sample has long pauses of its collections.
    activity.collected.runtimes.values_mut().for_each(|runtime| runtime.generations.clear());
    seed(&mut activity.collected);
    look(&activity)
}

fn names(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|finding| finding.rule.name).collect()
}

#[test]
fn issue_20_each_rule_finds_what_it_is_for_and_can_be_switched_off() {
    let before = with(|_| (), |activity| names(&Report::of(activity, &[])));
    for (rule, seed) in SEEDS {
        assert!(!before.contains(rule), "{rule} already reports on the sample: {before:?}");
        with(*seed, |activity| {
            let found = names(&Report::of(activity, &[]));
            assert!(found.contains(rule), "{rule}: {found:?}");
            let without = names(&Report::of(activity, &[(*rule).to_owned()]));
            assert!(!without.contains(rule), "--without {rule}: {without:?}");
        });
    }
    let tested: Vec<&str> = SEEDS.iter().map(|(rule, _)| *rule).chain(["losses", "tracing-cost"]).collect();
    assert!(RULES.iter().all(|rule| tested.contains(&rule.name)), "a rule has no test");
}

/// Only pauses as long as the rule wants count, the shortest of them included.
#[test]
fn issue_23_long_pauses_are_counted() {
    let seed = |all: &mut Collected| [1, 60, 10, 9, 70, 2].into_iter().for_each(|ms| pause(all, ms * MS));
    with(seed, |activity| {
        let report = Report::of(activity, &[]);
        let found: Vec<_> =
            report.findings.iter().filter(|finding| finding.rule.name == "gc-pause").collect();
        let [one] = &found[..] else { panic!("{found:?}") };
        assert!(one.headline.contains("generation 2, 3 pauses of "), "{}", one.headline);
        assert!(one.headline.contains("the longest 70"), "{}", one.headline);
    });
}

#[test]
fn issue_20_a_healthy_trace_says_what_was_checked() {
    let without: Vec<String> = RULES.iter().map(|rule| rule.name.to_owned()).skip(1).collect();
    with(
        |_| (),
        |activity| {
            let report = Report::of(activity, &without);
            assert!(report.findings.is_empty() && report.clear.len() == 1 && report.unanswered.is_empty());
            let text: Vec<String> = text::lines(&report, "t", 80).into_iter().map(|line| line.text).collect();
            assert!(text.contains(&"NOTHING FOUND".to_owned()), "{text:?}");
            assert!(text.contains(&"   checked, nothing found: lost events".to_owned()), "{text:?}");
        },
    );
}

#[test]
fn issue_20_the_page_has_the_table_of_the_rules() {
    let path = root().join("docs/report.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = ("<!-- rules -->\n", "<!-- /rules -->");
    let (before, rest) = page.split_once(begin).expect("the mark of the table");
    let (_, after) = rest.split_once(end).expect("its end");
    let made = format!("{before}{begin}{}{end}{after}", table());
    assert_eq!(tracewell_corpus::golden(&path, &made), Ok(()));
}

/// A report says what it has too many of: a limit that is reached is not silent.
#[test]
fn issue_20_what_is_beyond_a_limit_is_said() {
    let marks = |count: usize| -> (String, serde_json::Value) {
        let mark = Described::parse("PerfInfo 34 0 after 1 | a mark").expect("a record");
        let folder = Scratch::new("report-limits");
        let bytes = described::trace(PointerSize::P64, &vec![mark; count]).expect("a trace");
        common::with(&folder.write("marks.etl", &bytes), |activity| {
            let report = Report::of(activity, &[]);
            let lines = text::lines(&report, "t.etl", 200);
            let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            (lines.join("\n"), report.to_json())
        })
    };
    let (text, json) = marks(1 << 14);
    assert!(!text.contains("too many for this report"), "{text}");
    assert_eq!(json["recorded"]["left_out"], serde_json::json!([]));
    let (text, json) = marks((1 << 14) + 7);
    assert!(text.contains("too many for this report: marks (7 more)"), "{text}");
    assert_eq!(json["recorded"]["left_out"], serde_json::json!([{ "what": "marks", "count": 7 }]));
    assert_eq!(json["recorded"]["has"]["marks"], 1 << 14);
}
