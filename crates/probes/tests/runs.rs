//! How a run over records begins, goes on and ends.

mod described;

use std::collections::BTreeMap;

use described::{Way, ran, ran_by, ran_while};
use tracewell_decode::Schemas;
use tracewell_dlang::catalog::ProbeInfo;
use tracewell_etl::Trace;
use tracewell_etl::write::PointerSize;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::replay::{EventCounts, Window};
use tracewell_testkit::described::{Described, START, STEP, trace};

fn sample(tid: u32) -> Described {
    let payload = format!("ptr 0x401000 u32 {tid} u16 1 u16 0");
    Described::kernel("PerfInfo", 46, 2, &payload).expect("a class")
}

fn parse(lines: &[&str]) -> Vec<Described> {
    lines.iter().map(|line| Described::parse(line).expect("a record")).collect()
}

/// A moment of a trace on the clock of `timestamp`: so many steps after its start.
fn after(steps: i64) -> i64 {
    (START + steps * STEP) * 100
}

/// A wait that began before the window has its whole duration.
#[test]
fn issue_23_waits_that_begin_before_a_window_are_whole() {
    let records = parse(&[
        // Thread 40 goes to wait, and 44 wakes it.
        "Thread 36 2 | u32 44 u32 40 i8 8 i8 8 u8 0 i8 0 i8 6 i8 1 i8 5 i8 0 u32 0 u32 0",
        "Thread 50 2 by 100/44 | u32 40 i8 0 i8 0 u16 0",
        "Thread 36 2 | u32 40 u32 44 i8 8 i8 8 u8 0 i8 0 i8 6 i8 1 i8 5 i8 0 u32 0 u32 0",
        "Thread 36 2 | u32 44 u32 40 i8 8 i8 8 u8 0 i8 0 i8 6 i8 1 i8 5 i8 0 u32 0 u32 0",
    ]);
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program =
        "sched:::waited { printf(\"%d woke %d after %d;\", args[0]->pr_lwpid, tid, args[2]->wt_time); }";
    let whole = ran(program, &bytes).expect("it compiles").text;
    assert_eq!(whole, "44 woke 40 after 20000000;-1 woke 44 after 10000000;");
    for from in [0, 1, 2, 3] {
        let window = Window { from: after(from), until: i64::MAX };
        let text = ran_by(program, &bytes, Way::Within(window)).expect("it compiles").text;
        assert_eq!(text, whole, "{from}");
    }
    let window = Window { from: after(4), until: i64::MAX };
    let text = ran_by(program, &bytes, Way::Within(window)).expect("it compiles").text;
    assert_eq!(text, "-1 woke 44 after 10000000;");
}

/// Who runs where is followed from the start, and nothing fires outside of the window.
#[test]
fn issue_23_a_window_begins_and_ends_where_it_says() {
    let records: Vec<_> = (0..10).map(|at| sample(50 + 4 * at)).collect();
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "profile:::sample-997 { printf(\"%d;\", tid); } END { printf(\"%d\", timestamp); }";
    for (from, until) in [(1, 4), (3, 4), (3, 3), (0, 11), (10, 20), (11, 20)] {
        let window = Window { from: after(from), until: after(until) };
        let text = ran_by(program, &bytes, Way::Within(window)).expect("it compiles").text;
        let tids = (from.max(1)..until.min(11)).map(|step| format!("{};", 46 + 4 * step));
        let (have, _) = text.rsplit_once(';').map_or(("", ""), |(tids, end)| (tids, end));
        assert_eq!(have, tids.collect::<String>().trim_end_matches(';'), "{from} to {until}");
    }
}

/// A run that is asked to stop reads nothing more, in this batch or a later one.
#[test]
fn issue_23_a_run_that_is_to_stop_reads_nothing_more() {
    let mut records: Vec<_> = (0..70_000).map(|_| sample(50)).collect();
    records.iter_mut().for_each(|record| record.after = 1);
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "profile:::sample-997 { n++; } END { printf(\"%d\", n); }";
    for way in [Way::Surveyed, Way::Learning(1), Way::Learning(1000), Way::Learning(100_000)] {
        let run = |stops: bool| {
            let mut asked = 0;
            let ran = ran_while(program, &bytes, way, (|_: &mut Sightings| (), false), |_| {
                asked += 1;
                !stops
            });
            (ran.expect("it compiles").text, asked)
        };
        let (all, asked) = run(false);
        assert!(all == "70000" && asked > 0, "{way:?} {all} {asked}");
        let (some, asked) = run(true);
        let count: u32 = some.parse().expect("a number");
        assert!((60_000..66_000).contains(&count) && asked == 1, "{way:?} {some} {asked}");
    }
}

/// Ticks of a long silence are left out when the run is to stop.
#[test]
fn issue_23_a_run_stops_between_ticks() {
    let mut records = vec![sample(50), sample(50), sample(50)];
    records[1].after = 600 * 10_000_000;
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program =
        "tick-1ms { n++; } profile:::sample-997 { samples++; } END { printf(\"%d %d\", n / 1000, samples); }";
    for way in [Way::Surveyed, Way::Learning(1), Way::Learning(100)] {
        let run = |stops: bool| {
            let ran = ran_while(program, &bytes, way, (|_: &mut Sightings| (), false), |_| !stops);
            ran.expect("it compiles").text
        };
        assert_eq!((run(false).as_str(), run(true).as_str()), ("600 3", "1 1"), "{way:?}");
    }
}

/// The ways in which the same records come.
const WAYS: [Way; 3] = [Way::Surveyed, Way::Learning(1), Way::Learning(1000)];

/// A stack of the event so many steps after the start, of a thread: its frames, or the key of them.
fn stack(opcode: u8, step: i64, tid: u32, frames: &str) -> Described {
    let time = START + step * STEP;
    Described::kernel("StackWalk", opcode, 2, &format!("u64 {time} u32 200 u32 {tid} {frames}"))
        .expect("a class")
}

/// A stack is reported when a later record comes, with its frames only; that of an event that was logged is not.
#[test]
fn issue_13_stacks_without_an_event_are_reported_as_they_come() {
    let mut same_time = stack(32, 9, 50, "ptr 0x401000");
    same_time.after = STEP;
    let mut event = sample(50);
    event.after = 0;
    let records = [
        sample(50),
        stack(32, 1, 50, "ptr 0x401000"),
        sample(50),
        // The thread that ran then logged nothing, nor did one at that time.
        stack(32, 3, 44, "ptr 0x401000 ptr 0x402000"),
        stack(38, 2, 44, "ptr 0x77"),
        stack(37, 4, 50, "ptr 0x88"),
        // The key's frames come, and those of one that no stack has.
        Described::kernel("StackWalk", 36, 2, "ptr 0x77 ptr 0x403000 ptr 0x404000 ptr 0x405000")
            .expect("a class"),
        Described::kernel("StackWalk", 36, 2, "ptr 0x99 ptr 0x403000").expect("a class"),
        // A stack may come before another record of its time, which is its event.
        same_time,
        event,
        sample(50),
        // It is the last record.
        stack(32, 5, 40, "ptr 0x401000"),
    ];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let step = "(timestamp / 100 - 1000000000) / 100000";
    let program = format!(
        "diag:::missed-stack {{ printf(\"%d %d %d %d %s at %d;\", (arg0 - 1000000000) / 100000, pid, tid, ustackdepth, execname, {step}); }} \
         profile:::sample-997 {{ printf(\"%d;\", {step}); }} END {{ printf(\"end\"); }}"
    );
    let want = "1;3;3 100 44 2 app.exe at 4;2 100 44 3 app.exe at 5;9;10;5 100 40 1 app.exe at 11;end";
    for way in WAYS {
        assert_eq!(ran_by(&program, &bytes, way).expect("it compiles").text, want, "{way:?}");
    }
    // An event before the window is an event.
    for from in 1..4 {
        let window = Window { from: after(from), until: i64::MAX };
        let text =
            ran_by("diag:::missed-stack { n++; } END { printf(\"%d\", n); }", &bytes, Way::Within(window));
        assert_eq!(text.expect("it compiles").text, "3", "{from}");
    }
}

/// Late halves and stacks of the .NET runtime are reported if no event before them is theirs.
#[test]
fn issue_13_late_halves_and_stacks_of_a_runtime_without_an_event_are_reported() {
    let parsed = |line: &str| Described::parse(line).expect("a record");
    let late = |id: u64| {
        parsed(&format!("Microsoft-Windows-Kernel-EventTracing 18 0 | u64 {id} u64 0x402000 u64 0x403000"))
    };
    let clr = |tid: u32| {
        parsed(&format!(
            "Microsoft-Windows-DotNETRuntime 82 0 by 100/{tid} | u16 {tid} u16 0 u32 1 u64 0x404000"
        ))
    };
    let mut carries = parsed("Microsoft-Windows-DotNETRuntime 2 1 by 100/44 | u32 3 u32 2 u16 9");
    carries.stack = Some((0x1234, vec![0x40_1000]));
    let records = [late(0x1234), clr(44), carries, late(0x1234), late(0x9999), clr(44), clr(40), sample(50)];
    let bytes = trace(PointerSize::P64, &records).expect("the trace is written");
    let program = "diag:::missed-ustack { printf(\"%x %d %d;\", arg0, tid, ustackdepth); } \
                   diag:::missed-dnet-stack { printf(\"runtime %d %d %d;\", arg0, tid, ustackdepth); }";
    for way in WAYS {
        let text = ran_by(program, &bytes, way).expect("it compiles").text;
        assert_eq!(text, "1234 44 2;runtime 44 44 1;9999 44 2;runtime 40 40 1;", "{way:?}");
    }
}

/// Probes on some of the events that are counted for them.
const AT_MOST: [&str; 10] = [
    "io::event:wait-done",
    "io::event:wait-start",
    "sched::event:dequeue",
    "sched::event:enqueue",
    "sched::event:preempt",
    "sched::event:remain-cpu",
    "sched::event:sleep",
    "sched::event:tick",
    "sched::event:waited",
    "sched::event:waited-inferred",
];

/// How often a probe fires according to the list is how often it fires.
#[test]
fn issue_23_all_probes_of_the_sample_fire_as_often_as_they_are_counted() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
    let bytes = std::fs::read(path).expect("the sample can be read");
    let traces = [Trace::open(&bytes).expect("the sample opens")];
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| Sightings::of(&traces, Schemas::new()));
    let counts = EventCounts::of(&traces, &catalog);
    let name =
        |info: &ProbeInfo| format!("{}:{}:{}:{}", info.provider, info.module, info.function, info.name);
    let counted: BTreeMap<String, u64> =
        catalog.iter().filter_map(|(info, _)| Some((name(info), counts.probe(&catalog, info.id)?))).collect();
    let all = counted.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let keys = "probeprov, probemod, probefunc, probename";
    let program = format!("{all} {{ @[{keys}] = count(); }} END {{ printa(\"%s:%s:%s:%s %@d\\n\", @); }}");
    let text = ran(&program, &bytes).expect("it compiles").text;
    let fired: BTreeMap<String, u64> = text
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .map(|(name, count)| (name.to_owned(), count.parse().expect("a count")))
        .collect();
    let differ: Vec<String> = counted
        .iter()
        .map(|(name, count)| (name, *count, fired.get(name).copied().unwrap_or(0)))
        .filter(|(name, count, fired)| match AT_MOST.contains(&name.as_str()) {
            true => fired > count,
            false => fired != count,
        })
        .map(|(name, count, fired)| format!("{name}: counted {count}, fired {fired}"))
        .collect();
    assert!(differ.is_empty(), "{} of {} differ:\n{}", differ.len(), counted.len(), differ.join("\n"));
    assert!(counted.len() > 190 && fired.len() > 60, "{} of {}", fired.len(), counted.len());
}
