//! Spans: `etw dump --spans` and the exports, over made-up events and over real traces against a second count.

mod common;

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use tracewell_corpus::Scratch;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, Kind, trace};
use tracewell_types::Guid;

/// What a command prints for a trace.
fn etw(options: &[&str], trace: &Path) -> common::Ran {
    let ran = common::run(common::command("etw").args(options).arg(trace));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran
}

/// The lines of JSON that a command prints.
fn lines(options: &[&str], trace: &Path) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).expect("a line is JSON");
    etw(options, trace).stdout.lines().map(parse).collect()
}

/// Seconds as nanoseconds.
fn ns(value: &Value) -> i64 {
    (value.as_f64().expect("a time") * 1e9).round() as i64
}

/// The count and the whole duration of the spans of each kind.
type Sums = HashMap<String, (u64, i64)>;

fn add(sums: &mut Sums, name: &str, duration: i64) {
    let sum = sums.entry(name.to_owned()).or_default();
    *sum = (sum.0 + 1, sum.1 + duration);
}

fn spans_of(trace: &Path, provider: &str) -> Sums {
    let mut sums = Sums::new();
    for span in lines(&["dump", "--spans", "--json", "-q", "-p", provider], trace) {
        add(&mut sums, span["span"].as_str().expect("a name"), ns(&span["duration"]));
    }
    sums
}

const DXGKRNL: Guid = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");
const HTTP: Guid = Guid::parse("dd5ef90a-6398-47a4-ad34-4dcecdef795f");

/// Packets of several contexts overlap, one end comes from another thread, and what has no partner is counted.
#[test]
fn issue_15_spans_pair_by_their_key_and_orphans_are_counted() {
    let start = |context: u64, number: u32| {
        let payload = format!("u64 {context} u32 0 u32 {number} u64 0 u32 0 u32 0 u32 0 u64 0 u64 7 u64 0");
        Described::new(Kind::Event(DXGKRNL, 178, 0, 4), 1, &payload)
    };
    let end = |context: u64, number: u32| {
        let payload = format!("u64 {context} u32 0 u32 {number} u32 0 u32 0 u64 7");
        let end = Described::new(Kind::Event(DXGKRNL, 180, 0, 4), 1, &payload);
        Described { actor: (4, 8), ..end }
    };
    let request = |id: u16, payload: &str| Described::new(Kind::Event(HTTP, id, 0, 4), 0, payload);
    let records = [
        start(1, 1),
        start(1, 2),
        start(2, 1),
        end(1, 2),
        end(2, 1),
        end(9, 9),
        request(1, "u64 5 u64 0 u32 0"),
        request(12, "u64 5 u16 200"),
    ];
    let mut at = 0;
    let times: Vec<i64> = records.iter().map(|record| (at += record.after, at).1 * 100).collect();
    let folder = Scratch::new("spans");
    let path = folder.write("spans.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    let found: Vec<(String, i64, u64, u64)> = lines(&["dump", "--spans", "--json", "-q"], &path)
        .iter()
        .map(|span| {
            let key = &span["end_fields"]["SubmitSequence"];
            let name = span["span"].as_str().expect("a name").to_owned();
            (
                name,
                ns(&span["duration"]),
                span["number"].as_u64().expect("a number"),
                key.as_u64().unwrap_or(0),
            )
        })
        .collect();
    let packet = "queue-packet".to_owned();
    assert_eq!(
        found,
        [
            (packet.clone(), times[3] - times[1], 2, 2),
            (packet, times[4] - times[2], 3, 1),
            ("request".to_owned(), times[7] - times[6], 4, 0),
        ]
    );
    let orphans = etw(&["dump", "--spans"], &path).stderr;
    assert!(orphans.contains("1 start without an end and 1 end without a start"), "{orphans}");
    let row: Vec<&str> =
        orphans.lines().find(|l| l.contains("DxgKrnl")).expect("a row").split_whitespace().collect();
    assert_eq!(row, ["Microsoft-Windows-DxgKrnl", "queue-packet", "2", "1", "1"]);
    let csv = etw(&["dump", "--spans", "--csv", "-q"], &path).stdout;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.starts_with("start,end,duration,number,parent,depth,"), "{csv}");
    assert_eq!(etw(&["dump", "--spans", "-q"], &path).stdout.lines().count(), 3);
}

/// The spans of the kernel's own events in the sample: processes and disk transfers.
#[test]
fn issue_15_spans_of_the_sample() {
    let sample = common::sample();
    let spans = lines(&["dump", "--spans", "--json", "-q"], &sample);
    let mut open: HashMap<u64, i64> = HashMap::new();
    let mut want = Sums::new();
    for event in lines(&["dump", "--json", "-q", "-p", "Process"], &sample) {
        let pid = event["fields"]["ProcessId"].as_u64().expect("a process");
        match event["opcode"].as_u64().or(event["id"].as_u64()) {
            Some(1) => _ = open.insert(pid, ns(&event["time"])),
            Some(2) => {
                if let Some(start) = open.remove(&pid) {
                    add(&mut want, "process", ns(&event["time"]) - start);
                }
            }
            _ => {}
        }
    }
    let mut have = Sums::new();
    for span in spans.iter().filter(|span| span["span"] == "process") {
        add(&mut have, "process", ns(&span["duration"]));
    }
    assert!(!have.is_empty());
    assert_eq!(have, want);
}

/// A limit, a part of the time and a process choose among all spans, which are filtered here by hand.
#[test]
fn chosen_spans_are_those_of_all_that_fit() {
    let sample = common::sample();
    let of = |options: &[&str]| lines(&[&["dump", "--spans", "--json", "-q"], options].concat(), &sample);
    let all = of(&[]);
    let (count, middle) = (all.len(), ns(&all[all.len() / 2]["end"]));
    assert!(count > 6, "{count}");
    for limit in [1, 2, count - 1, count, count + 1] {
        assert_eq!(of(&["--limit", &limit.to_string()]), all[..limit.min(count)], "{limit}");
    }
    let seconds = |time: i64| format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
    let last = ns(&all[count - 1]["end"]);
    for (from, to) in
        [(0, middle), (middle, last), (middle, last + 1), (middle + 1, middle + 2), (0, last + 1)]
    {
        let within: Vec<Value> =
            all.iter().filter(|span| (from..to).contains(&ns(&span["end"]))).cloned().collect();
        assert_eq!(of(&["--start", &seconds(from), "--end", &seconds(to)]), within, "{from} {to}");
    }
    let pids: std::collections::BTreeSet<u64> = all.iter().filter_map(|span| span["pid"].as_u64()).collect();
    assert!(pids.len() > 1, "{pids:?}");
    for pid in pids {
        let theirs: Vec<Value> = all.iter().filter(|span| span["pid"] == pid).cloned().collect();
        assert_eq!(of(&["--pid", &pid.to_string()]), theirs, "{pid}");
    }
    // The other forms have as many, and orphans are counted only by who sees the end.
    for limit in [1, count] {
        let limited = ["dump", "--spans", "-q", "--limit", &limit.to_string()];
        assert_eq!(etw(&limited, &sample).stdout.lines().count(), limit);
        let csv = etw(&[&limited[..], &["--csv"]].concat(), &sample).stdout;
        assert_eq!(csv.lines().count(), limit + 1);
        let mut rows = csv.lines().map(|line| line.splitn(9, ',').collect::<Vec<_>>());
        let names = rows.next().expect("a heading");
        assert_eq!(names[..6], ["start", "end", "duration", "number", "parent", "depth"]);
        for (row, span) in rows.zip(&all) {
            for (name, cell) in names[..3].iter().zip(&row) {
                let time: f64 = cell.parse().expect("a time");
                assert_eq!((time * 1e9).round() as i64, ns(&span[name]), "{name}");
            }
            for (name, cell) in names[3..8].iter().zip(&row[3..]) {
                let of = &span[name];
                let text = of.as_str().map_or_else(|| of.to_string(), str::to_owned);
                assert_eq!(*cell, if of.is_null() { "" } else { &text }, "{name}");
            }
        }
    }
}

/// The collections, suspensions and compilations of the runtime, by a second count over the events.
#[test]
fn issue_15_spans_of_the_runtime_in_real_traces() {
    for (name, collections) in [("perfview/net.4.5.2.x64.etl", 264), ("perfview/net45-x86-win7.etl", 1050)] {
        let Some(path) = tracewell_corpus::trace(name) else { return };
        let provider = "Microsoft-Windows-DotNETRuntime";
        let mut open: HashMap<(&str, u64, String), i64> = HashMap::new();
        let mut want = Sums::new();
        for event in lines(&["dump", "--json", "-q", "-p", provider], &path) {
            let (pid, time) = (event["pid"].as_u64().unwrap_or(0), ns(&event["time"]));
            let of = |field: &str| event["fields"][field].to_string();
            let mut begin = |name, key| _ = open.entry((name, pid, key)).or_insert(time);
            match event["id"].as_u64() {
                Some(1) => begin("gc", of("Count")),
                Some(9) => {
                    begin("gc-suspend", String::new());
                    begin("gc-pause", String::new());
                }
                Some(7) => begin("gc-restart", String::new()),
                Some(14) => begin("gc-finalizers", String::new()),
                Some(145) => begin("jit", of("MethodID")),
                _ => {}
            }
            let ends: &[(&str, String)] = match event["id"].as_u64() {
                Some(2) => &[("gc", of("Count"))],
                Some(8) => &[("gc-suspend", String::new())],
                Some(3) => &[("gc-restart", String::new()), ("gc-pause", String::new())],
                Some(13) => &[("gc-finalizers", String::new())],
                Some(141 | 143) => &[("jit", of("MethodID"))],
                _ => &[],
            };
            for (name, key) in ends {
                if let Some(start) = open.remove(&(*name, pid, key.clone())) {
                    add(&mut want, name, time - start);
                }
            }
        }
        let have = spans_of(&path, provider);
        assert_eq!(have["gc"].0, collections, "{name}");
        assert_eq!(have, want, "{name}");
    }
}

/// Starts and stops by task and thread, and requests by their id, by a second count over the events.
#[test]
fn issue_15_spans_by_opcode_and_thread_in_real_traces() {
    let Some(path) = tracewell_corpus::trace("msbuild/PerfViewData.etl") else { return };
    let mut open: HashMap<(String, u64), Vec<i64>> = HashMap::new();
    let mut want = Sums::new();
    for event in lines(&["dump", "--json", "-q", "-p", "Microsoft-Build"], &path) {
        let (name, time) = (event["event"].as_str().expect("a name"), ns(&event["time"]));
        let Some((task, opcode)) = name.split_once('/') else { continue };
        let task = task.strip_suffix(opcode).unwrap_or(task);
        let of_task = open.entry((task.to_owned(), event["tid"].as_u64().unwrap_or(0))).or_default();
        match opcode {
            "Start" => of_task.push(time),
            _ => {
                if let Some(start) = of_task.pop() {
                    add(&mut want, task, time - start);
                }
            }
        }
    }
    assert!(want["Target"].0 > 300);
    assert_eq!(spans_of(&path, "Microsoft-Build"), want);

    let Some(path) = tracewell_corpus::trace("tx/HTTP_Server.etl") else { return };
    assert_eq!(spans_of(&path, "Microsoft-Windows-HttpService")["request"].0, 291);
    let Some(path) = tracewell_corpus::trace("ebpf-for-windows/ebpforwindows.etl") else { return };
    let functions = spans_of(&path, "EbpfForWindowsProvider");
    assert_eq!(functions.values().map(|(count, _)| count).sum::<u64>(), 986);
    assert_eq!(functions["_ebpf_map_delete"].0, 240);
}

/// A collection is an interval in the timelines, not two points.
#[test]
fn issue_15_timelines_show_spans() {
    let Some(path) = tracewell_corpus::trace("perfview/net.4.5.2.x64.etl") else { return };
    let text = etw(&["export", "--firefox", "-q", "-o", "-"], &path).stdout;
    let profile: Value = serde_json::from_str(&text).expect("the profile is JSON");
    let threads = profile["threads"].as_array().expect("threads");
    let shared = &profile["shared"]["stringArray"];
    let mut collections = 0;
    for thread in threads {
        let texts = thread["stringArray"].as_array().or(shared.as_array()).expect("texts");
        let markers = &thread["markers"];
        for (at, name) in markers["name"].as_array().expect("names").iter().enumerate() {
            let name = &texts[name.as_u64().expect("a number") as usize];
            let times = (markers["startTime"][at].as_f64(), markers["endTime"][at].as_f64());
            if name == "gc" && matches!(times, (Some(start), Some(end)) if end > start) {
                collections += 1;
            }
        }
    }
    assert_eq!(collections, 264);
}

/// What a script prints over a trace.
fn dtrace(program: &str, trace: &Path) -> String {
    let mut command = common::command("dtrace");
    let ran = common::run(command.args(["-q", "-n", program, "-E"]).arg(trace));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// A probe at the end of a span has its duration and the fields of both events.
#[test]
fn issue_15_probes_at_the_end_of_spans() {
    let request = |id: u16, payload: &str| Described::new(Kind::Event(HTTP, id, 0, 4), 0, payload);
    let records = [
        request(1, "u64 5 u64 77 u32 0"),
        request(1, "u64 6 u64 78 u32 0"),
        request(12, "u64 6 u16 404"),
        request(12, "u64 5 u16 200"),
        request(12, "u64 9 u16 500"),
    ];
    let mut at = 0;
    let times: Vec<i64> = records.iter().map(|record| (at += record.after, at).1 * 100).collect();
    let folder = Scratch::new("spans");
    let path = folder.write("http.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    let program = "microsoft-windows-httpservice::span:request {
        printf(\"%d %d %d %d;\", arg0, timestamp - args[1], args[2]->ConnectionId, args[3]->HttpStatus); }";
    let took = [times[2] - times[1], times[3] - times[0]];
    assert_eq!(
        dtrace(program, &path).trim(),
        format!("{} {} 78 404;{} {} 77 200;", took[0], took[0], took[1], took[1])
    );
    let listed = common::run(
        common::command("dtrace").args(["-l", "-P", "microsoft-windows-httpservice", "-E"]).arg(&path),
    );
    let line: Vec<&str> = listed
        .stdout
        .lines()
        .find(|line| line.contains(" span "))
        .expect("it is listed")
        .split_whitespace()
        .collect();
    assert_eq!((line[0], line[2], line[4]), ("2", "microsoft-windows-httpservice", "request"), "{line:?}");
    let pattern = "microsoft-windows-httpservice:::* { @ = count(); } END { printa(\"%@d\", @); }";
    assert_eq!(dtrace(pattern, &path).trim(), "5", "a pattern fires once for an event");
}

/// Spans of the kernel's and of providers' events in D are those of `etw dump --spans`.
#[test]
fn issue_15_probes_and_dump_show_the_same_spans() {
    let answer = |provider: &str, name: &str, path: &Path| {
        let program = format!(
            "{provider}::span:{name} {{ @n = count(); @s = sum(arg0); }} END {{ printa(\"%@d \", @n); printa(\"%@d\", @s); }}"
        );
        let text = dtrace(&program, path);
        let numbers: Vec<i64> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        (numbers[0] as u64, numbers[1])
    };
    let sample = common::sample();
    let kernel = spans_of(&sample, "Process");
    assert_eq!(answer("kernel", "process", &sample), kernel["process"]);
    let Some(path) = tracewell_corpus::trace("perfview/net.4.5.2.x64.etl") else { return };
    let runtime = spans_of(&path, "Microsoft-Windows-DotNETRuntime");
    for name in ["gc", "jit", "gc-pause"] {
        assert_eq!(answer("microsoft-windows-dotnetruntime", name, &path), runtime[name], "{name}");
    }
    let disks = spans_of(&path, "DiskIo");
    assert_eq!(answer("kernel", "disk", &path), disks["disk"]);
}

/// Requests to ASP.NET pair by the connection at the start of payloads that nothing describes, each end with its own start.
#[test]
fn issue_15_spans_of_asp_net() {
    const ASP_NET: Guid = Guid::parse("06a01367-79d3-4594-8eb3-c721603c4679");
    let event = |number: u8, connection: u64| {
        Described::new(Kind::Class(ASP_NET, number), 0, &format!("u64 {connection} u32 9"))
    };
    let records = [event(1, 5), event(1, 6), event(2, 5), event(2, 6), event(2, 7)];
    let mut at = 0;
    let times: Vec<i64> = records.iter().map(|record| (at += record.after, at).1 * 100).collect();
    let folder = Scratch::new("asp-net-spans");
    let path = folder.write("asp.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    let spans = lines(&["dump", "--spans", "--json", "--no-store", "-q"], &path);
    let found: Vec<(&str, i64)> =
        spans.iter().map(|span| (span["span"].as_str().expect("a name"), ns(&span["duration"]))).collect();
    assert_eq!(found, [("request", times[2] - times[0]), ("request", times[3] - times[1])]);
    let orphans = etw(&["dump", "--spans", "--no-store"], &path).stderr;
    assert!(orphans.contains("1 end without a start"), "{orphans}");
}

/// The messages of two functions, one of which calls the other, and one that never ends.
const FUNCTIONS: &str = "\
    0ad614c4-0ef4-4225-8000-0123456789ab till // SRC=till.c MJ= MN=\n\
    #typev till_c1 10 \"%0[%!FUNC!] Entry\" //   LEVEL=TRACE_LEVEL_VERBOSE FUNC=OpenTill\n{\n}\n\
    #typev till_c2 11 \"%0[%!FUNC!] Exit %10!x!\" //   LEVEL=TRACE_LEVEL_VERBOSE FUNC=OpenTill\n{\nstatus, ItemLong -- 10\n}\n\
    #typev till_c3 12 \"%0%!FUNC!: --> entered\" //   LEVEL=TRACE_LEVEL_VERBOSE FUNC=Count\n{\n}\n\
    #typev till_c4 13 \"%0%!FUNC!: <-- left\" //   LEVEL=TRACE_LEVEL_VERBOSE FUNC=Count\n{\n}\n";

/// Functions whose begin and end trace messages (WPP) report nest by thread.
#[test]
fn issue_15_spans_of_wpp_functions() {
    const TILL: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
    let message = |number: u16, tid: u32, payload: &str| Described {
        actor: (100, tid),
        ..Described::new(Kind::Message(TILL, number), 0, payload)
    };
    let records = [
        message(10, 40, ""),
        message(12, 40, ""),
        message(10, 44, ""),
        message(13, 40, ""),
        message(11, 40, "u32 0"),
    ];
    let mut at = 0;
    let times: Vec<i64> = records.iter().map(|record| (at += record.after, at).1 * 100).collect();
    let folder = Scratch::new("wpp-spans");
    let tmf = folder.write("till.tmf", FUNCTIONS.as_bytes());
    let path = folder.write("wpp.etl", &trace(PointerSize::P64, &records).expect("the trace is written"));
    let manifest = tmf.to_str().expect("the path is text");
    let spans = lines(&["dump", "--spans", "--json", "--no-store", "-q", "--manifest", manifest], &path);
    let found: Vec<(&str, i64, u64)> = spans
        .iter()
        .map(|span| {
            let name = span["span"].as_str().expect("a name");
            (name, ns(&span["duration"]), span["depth"].as_u64().unwrap_or(0))
        })
        .collect();
    assert_eq!(found, [("Count", times[3] - times[1], 1), ("OpenTill", times[4] - times[0], 0)]);
    let orphans = etw(&["dump", "--spans", "--no-store", "--manifest", manifest], &path).stderr;
    assert!(orphans.contains("1 start without an end"), "{orphans}");
}

/// Spans of Rust's `tracing` pair by their activity, also where another thread ends them.
#[test]
fn issue_15_spans_of_tracing() {
    let (bytes, expected) = common::trace_of_spans();
    let folder = Scratch::new("tracing-spans");
    let path = folder.write("spans.etl", &bytes);
    let mut found = std::collections::BTreeMap::new();
    for span in lines(&["dump", "--spans", "--json", "--no-store", "-q"], &path) {
        let sum: &mut (u64, i64) =
            found.entry(span["span"].as_str().expect("a name").to_owned()).or_default();
        *sum = (sum.0 + 1, sum.1 + ns(&span["duration"]));
    }
    let expected: std::collections::BTreeMap<String, (u64, i64)> =
        expected.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
    assert_eq!(found, expected);
}
