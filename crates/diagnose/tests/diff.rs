//! Comparisons find a change that was made, and none where there is none.

use std::path::PathBuf;

use tracewell::open::TraceFile;
use tracewell_corpus::{Random, Scratch};
use tracewell_diagnose::Activity;
use tracewell_diagnose::diff::{Change, Diff, MEASURES, Measure, Run};
use tracewell_diagnose::places::Places;
use tracewell_etl::write::PointerSize;
use tracewell_symbols::Symbols;
use tracewell_testkit::described::{self, Described};

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

/// How often a trace is cut into halves.
const HALVES: usize = 100;

/// Fewer than one false alarm in 20.
#[test]
fn issue_20_random_halves_of_a_trace_rarely_differ() {
    twice(None, |mut a, mut b| {
        let whole = a.collected.samples.slots.cells.clone();
        // Processor time by switches is not split.
        let mut random = Random(7);
        let alarms = (0..HALVES).filter(|_| {
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
        assert!(20 * alarms < HALVES, "{alarms} of {HALVES}");
    });
}

/// A program with one measure that can be larger.
struct Case {
    measure: Measure,
    /// How the name of what changes ends.
    name: &'static str,
    /// The lines of a repetition by its number; the last argument is what changes, of a usual 100.
    lines: fn(u64, u64) -> Vec<String>,
}

/// A switch from the thread 40 or back to it, after so many microseconds; the thread that leaves is in that state.
fn switch(is_back: bool, us: u64, state: u8) -> String {
    let (new, old) = if is_back { (40, 50) } else { (50, 40) };
    format!(
        "Thread 36 2 after {us} | u32 {new} u32 {old} i8 8 i8 8 u8 0 i8 0 i8 6 i8 0 i8 {state} i8 0 u32 3 u32 0"
    )
}

/// An event of the .NET runtime, after so many microseconds.
fn runtime(id: u16, version: u8, us: u64, payload: &str) -> String {
    format!("Microsoft-Windows-DotNETRuntime {id} {version} after {us} | {payload}")
}

const CASES: &[Case] = &[
    Case {
        measure: Measure::Cpu,
        name: "svc.exe",
        lines: |_, much| vec![switch(false, 15_000 - 50 * much, 1), switch(true, 50 * much, 1)],
    },
    Case {
        measure: Measure::Ready,
        name: "app.exe",
        lines: |_, much| vec![switch(false, 60_000 - 250 * much, 1), switch(true, 250 * much, 1)],
    },
    Case {
        measure: Measure::Wait,
        name: "app.exe: UserRequest",
        lines: |_, much| vec![switch(false, 60_000 - 250 * much, 5), switch(true, 250 * much, 1)],
    },
    Case {
        measure: Measure::Gc,
        name: "app.exe: generation 2",
        lines: |at, much| {
            let collection = format!("u32 {} u32 2 u32 1 u32 1 u16 9", at + 1);
            vec![runtime(9, 0, 5000, "u16 1"), runtime(1, 1, 10, &collection), runtime(3, 0, 20 * much, "")]
        },
    },
    Case {
        measure: Measure::Span,
        name: "gc-suspend",
        lines: |_, much| vec![runtime(9, 0, 5000, "u16 1"), runtime(8, 0, 20 * much, "")],
    },
    Case {
        measure: Measure::Start,
        name: "tool.exe: Microsoft-Windows-DotNETRuntime GC/AllocationTick",
        lines: |at, much| {
            let (pid, tid) = (1000 + 8 * at, 1004 + 8 * at);
            let rest = "u32 4 u32 1 i32 259 ptr 0 nosid a tool.exe w tool";
            let tick = format!("Microsoft-Windows-DotNETRuntime 10 0 after {} by {pid}/{tid}", 50 * much);
            vec![
                format!("Process 1 3 after 5000 | ptr 0xff00 u32 {pid} {rest}"),
                format!("{tick} | u32 100000 u32 1"),
            ]
        },
    },
    Case {
        measure: Measure::Bytes,
        name: "app.exe",
        lines: |_, much| {
            let rest = "u32 0 i64 8192 ptr 0xaa00 ptr 0xfe00 u64 1000 u32 40";
            vec![format!("DiskIo 10 3 after 10000 | u32 0 u32 0 u32 {} {rest}", 40 * much)]
        },
    },
    Case {
        measure: Measure::Events,
        name: "PerfInfo/Mark",
        lines: |_, much| vec![format!("PerfInfo 34 0 after {} | a mark", 1_000_000 / much)],
    },
];

/// A trace in which one measure is so much, of a usual 100.
fn made(folder: &Scratch, case: &Case, much: u64) -> PathBuf {
    // Not quite the same each time.
    let lines = (0..120).flat_map(|at| (case.lines)(at, much + at % 5));
    let records: Vec<Described> = lines.map(|line| Described::parse(&line).expect("a record")).collect();
    folder.write(&format!("{much}.etl"), &described::trace(PointerSize::P64, &records).expect("a trace"))
}

/// Each measure by itself: a change is found where it is, and none between equal traces.
#[test]
fn issue_20_a_change_of_each_measure_is_named() {
    let mut wrong = Vec::new();
    for case in CASES {
        let folder = Scratch::new("diff-measures");
        let with = |before: &PathBuf, after: &PathBuf| -> Diff {
            let open = |path| TraceFile::open(path).expect("it opens");
            let (a, b) = (open(before), open(after));
            let (a, b) = (a.trace().expect("a trace"), b.trace().expect("a trace"));
            let of = |trace| Activity::of(std::slice::from_ref(trace), tracewell::Schemas::new(), |_| ());
            compare(&of(&a), &of(&b))
        };
        let (usual, more) = (made(&folder, case, 100), made(&folder, case, 130));
        let diff = with(&usual, &more);
        let is_it = |change: &&Change| change.measure == case.measure && change.name.ends_with(case.name);
        match diff.sure().find(is_it) {
            Some(found) if (10.0..50.0).contains(&found.percent()) => {}
            found => wrong.push(format!("{:?}: {found:?} in {}", case.measure, diff.verdict())),
        }
        if with(&usual, &usual).sure().count() > 0 {
            wrong.push(format!("{:?} differs from itself", case.measure));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Functions and stacks are found in real samples.
    let tested = CASES.len() + 2;
    assert_eq!(MEASURES.len(), tested, "a measure has no test");
}
