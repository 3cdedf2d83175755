//! The writers of timelines on small made-up ones, where every number is known.

mod wire;

use serde_json::{Value, json};
use tracewell_export::timeline::{
    CallStacks, Firefox, Heading, Lane, Moment, Perfetto, Process, Speedscope, StackId, Switch, Thread,
    ThreadId, Timeline, What,
};
use wire::at;

fn heading() -> Heading {
    Heading {
        title: "made up".to_owned(),
        unix_ns: 1_600_000_000_000_000_000,
        interval: Some(1_000_000),
        system: "Windows".to_owned(),
    }
}

struct Made {
    writer: Box<dyn Timeline>,
    stacks: CallStacks,
    stack: StackId,
    threads: [ThreadId; 2],
    out: Vec<u8>,
}

impl Made {
    /// A process with two threads, and a stack of two frames.
    fn new(mut writer: Box<dyn Timeline>) -> Made {
        let mut out = Vec::new();
        let mut stacks = CallStacks::new();
        let frames = [stacks.frame("app", "main", false), stacks.frame("ntoskrnl", "NtRead", true)];
        let stack = stacks.stack(frames).expect("a stack");
        let process = Process {
            pid: 8,
            parent: Some(4),
            name: "app.exe",
            command_line: "\"C:\\a b\\app.exe\" -x",
            start: None,
            end: None,
        };
        let process = writer.process(&process, &mut out);
        let threads = [12, 16].map(|tid| {
            let thread = Thread { process, tid, name: "worker", start: None, end: Some(9_000_000) };
            writer.thread(&thread, &mut out)
        });
        Made { writer, stacks, stack, threads, out }
    }

    fn moment(&mut self, time: i64, thread: usize, what: What<'_>) -> bool {
        let moment = Moment { time, cpu: 0, thread: self.threads.get(thread).copied(), what };
        self.writer.moment(&moment, &self.stacks, &mut self.out)
    }

    fn switch(&mut self, time: i64, from: usize, to: usize) -> bool {
        let switch = Switch {
            old: self.threads[from],
            old_tid: 12,
            new: self.threads[to],
            new_tid: 16,
            old_priority: 8,
            new_priority: -1,
            old_state: 5,
            wait_reason: 40,
            wait_mode: 1,
        };
        self.moment(time, to, What::Switch(switch))
    }

    fn finish(mut self) -> Vec<u8> {
        self.writer.finish(&self.stacks, &mut self.out).expect("memory takes everything");
        self.out
    }

    fn json(self) -> Value {
        serde_json::from_slice(&self.finish()).expect("it is JSON")
    }
}

fn span(lane: Lane, start: i64) -> What<'static> {
    What::Span { lane, start, category: "disk", name: "Read", notes: &[("bytes", "4096")] }
}

#[test]
fn speedscope_keeps_samples_and_says_no_to_the_rest() {
    let mut made = Made::new(Box::new(Speedscope::new(heading())));
    let stack = made.stack;
    assert!(made.moment(1_000_000, 0, What::Sample(stack)));
    assert!(made.moment(2_000_000, 0, What::Sample(stack)));
    assert!(!made.moment(2_000_000, 7, What::Sample(stack)), "a sample of an unknown thread");
    assert!(!made.moment(3_000_000, 0, span(Lane::Disk(0), 1_000_000)));
    assert!(!made.switch(3_000_000, 0, 1));
    let file = made.json();
    assert_eq!(
        file["shared"]["frames"],
        json!([{ "name": "app!main", "file": "app" }, { "name": "ntoskrnl!NtRead", "file": "ntoskrnl" }])
    );
    let profiles = file["profiles"].as_array().expect("profiles");
    assert_eq!(profiles.len(), 1, "threads without samples have none");
    assert_eq!(profiles[0]["samples"], json!([[], [0, 1], [0, 1]]));
    assert_eq!(profiles[0]["weights"], json!([1_000_000, 1_000_000, 1_000_000]));
    assert_eq!(profiles[0]["name"], "app.exe (8) thread 12 worker");
    assert_eq!((&profiles[0]["startValue"], &file["activeProfileIndex"]), (&json!(0), &json!(0)));
    let mut made = Made::new(Box::new(Speedscope::new(heading())));
    let process = Process { pid: 9, parent: None, name: "b", command_line: "", start: None, end: None };
    let process = made.writer.process(&process, &mut made.out);
    let nameless = Thread { process, tid: 13, name: "", start: None, end: None };
    made.threads[0] = made.writer.thread(&nameless, &mut made.out);
    assert!(made.moment(1_000_000, 0, What::Sample(made.stack)));
    assert_eq!(made.json()["profiles"][0]["name"], "b (9) thread 13");
}

/// A sample lies where it was taken: time without samples is an empty stack, and samples that come early do not move
/// those behind them.
#[test]
fn issue_15_the_axis_of_speedscope_is_time() {
    let mut made = Made::new(Box::new(Speedscope::new(heading())));
    let stack = made.stack;
    let mut times = vec![500_000, 1_500_000, 2_400_000, 17_000_000, 17_000_000, 17_000_000];
    times.extend((1..=50).map(|n| 20_000_000 + n * 100_000));
    for &time in &times {
        assert!(made.moment(time, 0, What::Sample(stack)));
    }
    let file = made.json();
    let profile = &file["profiles"][0];
    let list = |name: &str| profile[name].as_array().expect("a list").clone();
    let (samples, weights) = (list("samples"), list("weights"));
    assert_eq!(samples.len(), weights.len());
    let (mut at, mut starts) = (0, Vec::new());
    for (sample, weight) in samples.iter().zip(&weights) {
        if sample != &json!([]) {
            starts.push(at);
        }
        at += weight.as_i64().expect("a number");
    }
    assert_eq!(profile["endValue"], at);
    assert_eq!(profile["unit"], "nanoseconds");
    assert_eq!(starts.len(), times.len(), "every sample is there");
    for (start, time) in starts.iter().zip(&times) {
        assert!((0..=2_000_000).contains(&(start - time)), "{time} is shown at {start}");
    }
    assert_eq!(starts[..4], [500_000, 1_500_000, 2_500_000, 17_000_000]);
}

#[test]
fn firefox_counts_processor_time_between_samples() {
    let mut made = Made::new(Box::new(Firefox::new(&heading())));
    let stack = made.stack;
    assert!(!made.switch(1_000_000, 1, 0), "a switch is not shown, but counts");
    assert!(made.moment(3_000_000, 0, What::Sample(stack)));
    made.switch(4_000_000, 0, 1);
    made.switch(7_000_000, 1, 0);
    assert!(made.moment(9_000_000, 0, What::Sample(stack)));
    assert!(made.moment(9_500_000, 0, span(Lane::Disk(1), 9_100_000)));
    assert!(made.moment(9_600_000, 9, span(Lane::Interrupts(0), 9_500_000)));
    let file = made.json();
    assert_eq!(file["meta"]["startTime"], json!(1_600_000_000_000.0), "milliseconds since 1970");
    let threads = file["threads"].as_array().expect("threads");
    let first = threads.iter().find(|t| t["tid"] == "12" || t["tid"] == 12).expect("the thread");
    assert_eq!(first["name"], "app.exe", "the first thread has the name of the process");
    let second = threads.iter().find(|t| t["tid"] == "16" || t["tid"] == 16).expect("the other thread");
    assert_eq!(second["name"], "worker", "issue 23");
    // In microseconds: 2 ms up to the first sample; then 1 ms, and 2 ms after it was away.
    assert_eq!(first["samples"]["threadCPUDelta"], json!([2000, 3000]));
    assert_eq!(first["markers"]["startTime"], json!([9.1]));
    assert_eq!(first["markers"]["endTime"], json!([9.5]));
    // The text of a field is there itself, or is a number in the thread's table of texts.
    let text = |field: &str| {
        let value = &first["markers"]["data"][0][field];
        let known = value.as_u64().map_or(value, |number| &first["stringArray"][number as usize]);
        known.as_str().expect("a text").to_owned()
    };
    assert_eq!((text("source"), text("details")), ("disk".to_owned(), "bytes=4096".to_owned()));
    let machine = threads.iter().find(|t| t["processName"] == "Machine").expect("a line for the processor");
    assert_eq!(machine["markers"]["length"], 1);
}

#[test]
fn perfetto_streams_and_puts_overlapping_spans_on_separate_lines() {
    let mut made = Made::new(Box::new(Perfetto::new(heading())));
    let stack = made.stack;
    assert!(made.moment(1_000_000, 0, What::Sample(stack)));
    let first = made.out.len();
    assert!(made.moment(2_000_000, 0, What::Sample(stack)));
    let second = made.out.len() - first;
    assert!(second < first / 4, "what is interned is written once: {first}, then {second}");
    let tracks = |out: &[u8]| out.windows(6).filter(|w| *w == b"Disk 3").count();
    made.moment(5_000_000, 0, span(Lane::Disk(3), 1_000_000));
    made.moment(6_000_000, 0, span(Lane::Disk(3), 5_000_000));
    assert_eq!(tracks(&made.out), 1, "one after the other share a line");
    made.moment(7_000_000, 0, span(Lane::Disk(3), 5_500_000));
    assert_eq!(tracks(&made.out), 2, "two at once do not");
    let gc =
        |start| What::Span { lane: Lane::Spans(7), start, category: "runtime/gc", name: "gc", notes: &[] };
    made.moment(7_100_000, 0, gc(7_050_000));
    made.moment(7_200_000, 0, gc(7_150_000));
    let texts = |path: &[u64]| at(&made.out, path).iter().filter(|(_, text)| text == b"runtime/gc").count();
    assert_eq!(texts(&[1, 60, 2]), 1, "issue 15: spans of a kind have a line with its name");
    assert_eq!(texts(&[1, 11, 22]), 2, "which is also their category");
    let before = made.out.len();
    assert!(made.switch(8_000_000, 0, 1));
    assert_eq!(made.out.len(), before, "switches are gathered");
    let all = made.finish();
    assert!(all.len() > before, "and written in the end");
    assert!(all.windows(2).any(|w| w == b"-x") && !all.windows(4).any(|w| w == b"C:\\a"));
}

/// The stack of an event is a note that refers to an interned text: published viewers count the format's own field for it
/// (56) as an error in each event.
#[test]
fn issue_15_perfetto_knows_every_field_of_an_event_with_a_stack() {
    let mut made = Made::new(Box::new(Perfetto::new(heading())));
    let stack = made.stack;
    for time in [1_000_000, 2_000_000] {
        let what =
            What::Mark { category: "Provider", name: "Event", notes: &[("a", "b")], stack: Some(stack) };
        assert!(made.moment(time, 0, what));
    }
    let out = made.finish();
    assert_eq!(at(&out, &[1, 11, 56]), [], "no callstack_iid");
    let texts = at(&out, &[1, 12, 29, 2]);
    assert_eq!(texts.len(), 1, "the text of a stack is written once");
    assert_eq!(texts[0].1, b"ntoskrnl!NtRead\napp!main", "innermost frame first");
    let number = at(&out, &[1, 12, 29, 1])[0].0;
    let notes: Vec<u64> = at(&out, &[1, 11, 4, 17]).into_iter().map(|(value, _)| value).collect();
    assert_eq!(notes, [number, number], "each event refers to it");
    let names: Vec<Vec<u8>> = at(&out, &[1, 12, 3, 2]).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, [b"a".to_vec(), b"stack".to_vec()]);
}

/// The viewer labels threads with a priority below 100 as real-time ones of Linux.
#[test]
fn issue_15_no_thread_is_labelled_rt() {
    let mut made = Made::new(Box::new(Perfetto::new(heading())));
    assert!(made.switch(1_000_000, 0, 1));
    let out = made.finish();
    let signed = |(value, _): &(u64, Vec<u8>)| (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
    let of = |field| at(&out, &[1, 95, 2, 2, field]).iter().map(signed).collect::<Vec<i64>>();
    assert_eq!(
        (of(3), of(4)),
        (vec![100], vec![108]),
        "100 and the priorities of Windows: one unknown, and 8"
    );
}

/// The settings that all packets refer to are the first one, whatever comes first.
#[test]
fn a_perfetto_file_begins_with_its_settings() {
    let process =
        |pid| Process { pid, parent: None, name: "app.exe", command_line: "", start: None, end: None };
    let mut with_process = Vec::new();
    let mut writer = Perfetto::new(heading());
    writer.process(&process(8), &mut with_process);
    // Only the settings: the viewer knows the idle process.
    let mut settings = Vec::new();
    let mut writer = Perfetto::new(heading());
    writer.process(&process(0), &mut settings);
    assert!(settings.len() > 10 && with_process.len() > settings.len());
    assert!(with_process.starts_with(&settings));
    let before = settings.len();
    writer.process(&process(0), &mut settings);
    assert_eq!(settings.len(), before, "once");
}
