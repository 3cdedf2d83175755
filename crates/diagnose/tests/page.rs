//! Every number of the page is that of a D script over the same trace.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;

use common::{Sums, ask, close, data, durations, rows, same, sample, sums};
use serde_json::Value;
use tracewell_corpus::{Scratch, skip, trace};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

/// A real trace of programs of .NET.
const METHODS: &str = "perfview/net.4.5.2.x64.etl";

/// The sample, and real traces with other kinds of events.
fn traces() -> Vec<PathBuf> {
    let mut all = vec![sample()];
    for name in ["randomascii/slow-ppt.etl", METHODS] {
        match trace(name) {
            Some(path) => all.push(path),
            None => skip("real-traces", name),
        }
    }
    all
}

/// Without sums that are zero, and without idle threads.
fn busy(mut sums: Sums) -> Sums {
    sums.retain(|name, sum| *sum != 0 && !name.starts_with("idle"));
    sums
}

/// Cells of threads, summed by program and thread.
fn by_thread(data: &Value, cells: &Value, thread: usize, sum: impl Fn(&Value) -> i64) -> Sums {
    let mut found = Sums::new();
    for cell in cells.as_array().expect("cells") {
        let of = &data["threads"][cell[thread].as_u64().expect("a number") as usize];
        let name = format!("{} {} {}", of[0].as_str().expect("a name"), of[1], of[2]);
        *found.entry(name).or_default() += sum(cell);
    }
    busy(found)
}

/// Times away from the processors, of threads that waited (state 5) or of those that were ready.
fn away(is_waiting: bool) -> String {
    let of = if is_waiting { "==" } else { "!=" };
    format!(
        "sched:::off-cpu {{ was[pid, tid] = curlwpsinfo->pr_state {of} 5 ? timestamp : 0; }} \
         sched:::on-cpu /tid && was[pid, tid]/ {{ @[execname, pid, tid] = sum(timestamp - was[pid, tid]); was[pid, tid] = 0; }}"
    )
}

#[test]
fn issue_20_samples_and_switches_of_the_page_are_those_of_scripts() {
    for path in traces() {
        let (data, name) = (data(&path), path.display());
        let samples = ask(&path, "profile:::sample-997 { @[execname, pid, tid] = count(); }");
        let number = |cell: &Value, at: usize| cell[at].as_i64().expect("a number");
        let of_page = by_thread(&data, &data["samples"]["cells"], 1, |cell| number(cell, 3));
        same(&of_page, &busy(samples), &format!("samples of {name}"));
        let switches = busy(ask(&path, "sched:::on-cpu { @[execname, pid, tid] = count(); }"));
        let of_page = by_thread(&data, &data["aways"]["short"], 1, |cell| number(cell, 2));
        same(&of_page, &switches, &format!("switches of {name}"));
        let ran = "sched:::on-cpu { on[cpu] = timestamp; } \
                   sched:::off-cpu /on[cpu]/ { @[execname, pid, tid] = sum(timestamp - on[cpu]); }";
        let of_page = by_thread(&data, &data["ran"], 1, |cell| number(cell, 2));
        close(&of_page, &busy(ask(&path, ran)), &switches, &format!("processor time of {name}"));
        for (is_waiting, place) in [(true, 3), (false, 4)] {
            let mut of_page = by_thread(&data, &data["aways"]["short"], 1, |cell| number(cell, place));
            let long = |cell: &Value| match (number(cell, 3) == 1) == is_waiting {
                true => number(cell, 2) - number(cell, 1),
                false => 0,
            };
            for (thread, sum) in by_thread(&data, &data["aways"]["long"], 0, long) {
                *of_page.entry(thread).or_default() += sum;
            }
            let of_script = busy(ask(&path, &away(is_waiting)));
            close(&of_page, &of_script, &switches, &format!("waits ({is_waiting}) or ready times of {name}"));
        }
    }
}

/// A table of the page, the columns that it is summed by, the place of the sum, and a script with the same sums.
type Row = (&'static str, &'static [usize], usize, &'static str);

const SUMS: &[Row] = &[
    (
        "Disk transfers by file",
        &[0, 3],
        2,
        "io:::done { @[execname, args[0]->b_flags & B_READ ? \"read\" : args[0]->b_flags & B_FLUSH ? \"flush\" : \"write\"] = count(); }",
    ),
    (
        "Disk transfers by file",
        &[0, 1, 4],
        3,
        "io:::done { @[execname, pid, args[2]->fi_pathname == \"<none>\" || args[2]->fi_pathname == \"<unknown>\" ? \"\" : args[2]->fi_pathname] = sum(args[0]->b_bcount); }",
    ),
    ("Traffic by process and peer", &[0, 2, 3], 2, NETWORK_TIMES),
    ("Traffic by process and peer", &[0, 4, 5], 3, NETWORK_BYTES),
    (
        "Page faults",
        &[0, 2],
        2,
        "pf:::hardflt { @[execname, \"HardFault\"] = count(); } pf:::trans_flt { @[execname, \"TransitionFault\"] = count(); } \
         pf:::dzero_flt { @[execname, \"DemandZeroFault\"] = count(); } pf:::cow_flt { @[execname, \"CopyOnWrite\"] = count(); } \
         pf:::gp_flt { @[execname, \"GuardPageFault\"] = count(); }",
    ),
    (
        "Allocations by type and place",
        &[0, 1],
        3,
        "microsoft-windows-dotnetruntime:::event-10 { @[execname, pid] = sum(args->AllocationAmount64); }",
    ),
    (
        "Compiled methods",
        &[0, 1],
        4,
        "microsoft-windows-dotnetruntime:::event-145 { on[pid, args->MethodID] = timestamp; } \
         microsoft-windows-dotnetruntime:::event-143 /on[pid, args->MethodID]/ \
         { @[execname, pid] = sum(timestamp - on[pid, args->MethodID]); on[pid, args->MethodID] = 0; }",
    ),
    ("Exceptions", &[0, 2], 2, "dnet:::excp { @[execname, args[0]->clr_excep] = count(); }"),
];

const NETWORK_TIMES: &str = "\
    tcpip:::send { @[execname, \"TCP\", \"sent\"] = count(); } \
    tcpip:::receive { @[execname, \"TCP\", \"received\"] = count(); } \
    tcpip:::connect { @[execname, \"TCP\", \"connected to\"] = count(); } \
    tcpip:::accept { @[execname, \"TCP\", \"accepted\"] = count(); } \
    tcpip:::disconnect { @[execname, \"TCP\", \"disconnected\"] = count(); } \
    tcpip:::retransmit { @[execname, \"TCP\", \"sent again\"] = count(); } \
    udpip:::send { @[execname, \"UDP\", \"sent\"] = count(); } \
    udpip:::receive { @[execname, \"UDP\", \"received\"] = count(); }";

const NETWORK_BYTES: &str = "\
    tcpip:::send, tcpip:::receive, tcpip:::retransmit \
    { @[execname, args[0]->ip_daddr, args[1]->tcp_dport] = sum(args[0]->ip_plength); } \
    udpip:::send { @[execname, args[0]->udp_daddr, args[0]->udp_dport] = sum(args[0]->udp_plength); } \
    udpip:::receive { @[execname, args[0]->udp_saddr, args[0]->udp_sport] = sum(args[0]->udp_plength); }";

#[test]
fn issue_20_sums_of_the_page_are_those_of_scripts() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let folder = Scratch::new("page-faults");
    let faults = ["PageFault 10 2 | ptr 0x1000 ptr 0x2000", "PageFault 11 2 | ptr 0x1000 ptr 0x2000"];
    let hard = "PageFault 32 2 | u64 1000000000 u64 0 ptr 0x1000 ptr 0xaa00 u32 40 u32 4096";
    let records: Vec<Described> =
        faults.iter().chain([&hard]).map(|line| Described::parse(line).unwrap()).collect();
    let made = folder.write("faults.etl", &described::trace(PointerSize::P64, &records).unwrap());
    for path in traces().into_iter().chain([made]) {
        let data = data(&path);
        for (title, keys, place, script) in SUMS {
            let (page, script) = (sums(&data, title, keys, *place), ask(&path, script));
            let full = |mut sums: Sums| {
                sums.retain(|_, sum| *sum != 0);
                sums
            };
            let (page, script) = (full(page), full(script));
            same(&page, &script, &format!("{title} by {keys:?}, of {}", path.display()));
            *seen.entry(title).or_default() += page.len();
        }
    }
    let mut empty: Vec<&str> = seen.iter().filter(|(_, rows)| **rows == 0).map(|(title, _)| *title).collect();
    // Only a real trace, which may be absent, has methods that were compiled.
    if trace(METHODS).is_none() {
        empty.retain(|title| *title != "Compiled methods");
    }
    assert_eq!(empty, Vec::<&str>::new(), "no trace has a row of these");
}

#[test]
fn issue_20_collections_and_processes_of_the_page_are_those_of_scripts() {
    for path in traces() {
        let (data, name) = (data(&path), path.display());
        let mut listed: Sums = Sums::new();
        for row in rows(&data, "Collections") {
            *listed.entry(format!("{} {} {}", row[1].as_str().unwrap(), row[2], row[4])).or_default() += 1;
        }
        let script = "dnet:::gc-start /last[pid] != args[0]->gc_count + 1/ \
                      { last[pid] = args[0]->gc_count + 1; @[execname, pid, args[0]->gc_depth] = count(); }";
        same(&listed, &ask(&path, script), &format!("collections of {name}"));
        let pauses: Sums = durations(&data, "Pauses by generation", &[0, 1])
            .into_iter()
            .map(|(process, all)| (process, all.iter().sum()))
            .collect();
        let script = "microsoft-windows-dotnetruntime:::event-9 { stopped[pid] = timestamp; } \
                      microsoft-windows-dotnetruntime:::event-3 /stopped[pid]/ \
                      { @[execname, pid] = sum(timestamp - stopped[pid]); stopped[pid] = 0; }";
        same(&pauses, &ask(&path, script), &format!("pauses of {name}"));
        let began = rows(&data, "Processes").iter().filter(|row| row[0].as_i64().is_some_and(|at| at > 0));
        let script = "proc:::start { @[1] = count(); }";
        assert_eq!(
            began.count() as i64,
            ask(&path, script).get("1").copied().unwrap_or(0),
            "starts of {name}"
        );
        let events: i64 = sums(&data, "Events by type", &[0, 1], 2).values().sum();
        let records = common::with(&path, |activity| activity.survey.records);
        assert_eq!(events as u64, records, "events of {name}");
    }
}

/// Frames: no available trace has them.
#[test]
fn issue_20_frames_of_the_page_are_those_of_scripts() {
    let mut records = Vec::new();
    let mut add = |line: String| records.push(Described::parse(&line).expect("a record"));
    for at in 0..200 {
        let late = if at % 15 == 14 { 34_000 } else { 16_000 };
        add(format!(
            "Microsoft-Windows-DXGI 42 0 after {late} by 100/44 | ptr 0xab00 u32 0 u32 1 u32 0 u32 0"
        ));
        add("Microsoft-Windows-DxgKrnl 17 0 after 667 by 100/44 | ptr 0xd0 u32 7 u64 0 u32 0 u32 1 i64 0 ptr 0 u32 1 u64 0".into());
    }
    let folder = Scratch::new("page-frames");
    let path = folder.write("frames.etl", &described::trace(PointerSize::P64, &records).unwrap());
    let data = data(&path);
    let frames = durations(&data, "Times between frames", &[0, 1, 2, 3]);
    assert_eq!(frames.keys().collect::<Vec<_>>(), ["app.exe 100 DXGI 0xab00"]);
    let sum: Sums = frames.values().map(|all| ("app.exe".to_owned(), all.iter().sum())).collect();
    let script = "uint64_t last; microsoft-windows-dxgi:::event-42 /last/ { @[execname] = sum(timestamp - last); } \
                  microsoft-windows-dxgi:::event-42 { last = timestamp; }";
    assert_eq!(sum, ask(&path, script));
    let refreshes = durations(&data, "Refreshes of displays", &[0]);
    assert_eq!((refreshes.len(), refreshes["7"].len()), (1, 199));
    // The rule names the program: every fifteenth frame came after twice the usual time.
    let report = common::with(&path, |activity| tracewell_diagnose::Report::of(activity, &[]).to_json());
    let found = report["findings"].as_array().unwrap().iter().find(|found| found["rule"] == "missed-frames");
    let numbers = &found.unwrap_or_else(|| panic!("{report}"))["numbers"];
    let number = |name: &str| numbers[name].as_i64();
    assert_eq!((number("pid"), number("frames"), number("missed")), (Some(100), Some(199), Some(13)));
    assert_eq!((number("usual_us"), number("longest_us")), (Some(16_667), Some(34_667)));
}

/// Logons: no available trace has them.
#[test]
fn issue_20_logons_of_the_page_are_those_of_scripts() {
    let mut records = Vec::new();
    for (user, kind, by) in [("alice", 3, "100/44"), ("bob", 10, "200/50"), ("alice", 3, "100/44")] {
        let line = format!(
            "Microsoft-Windows-NTLM 4003 0 by {by} | w {user} w HOST w WS u32 300 w a.exe u32 {kind} u32 1 w oid"
        );
        records.push(Described::parse(&line).expect("a record"));
    }
    let folder = Scratch::new("page-logons");
    let path = folder.write("logons.etl", &described::trace(PointerSize::P64, &records).unwrap());
    let data = data(&path);
    let mut of_page = Sums::new();
    for row in rows(&data, "Logons") {
        let text = row[4].as_str().expect("a text");
        let field = |name: &str| {
            let value = text.split(", ").find_map(|part| part.strip_prefix(&format!("{name} ")));
            value.unwrap_or_else(|| panic!("no {name}: {text}")).to_owned()
        };
        let key =
            [row[1].as_str().unwrap().to_owned(), row[2].to_string(), field("UserName"), field("LogonType")];
        *of_page.entry(key.join(" ")).or_default() += 1;
    }
    let script = "microsoft-windows-ntlm:::event-4003 { @[execname, pid, args->UserName, args->LogonType] = count(); }";
    assert_eq!(of_page, ask(&path, script));
    assert_eq!((of_page.len(), of_page["app.exe 100 alice 3"]), (2, 2));
}
