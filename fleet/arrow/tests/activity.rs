//! The derived tables of what processors, threads and disks did, beside the truth of the sample and other counts.

mod common;

use std::collections::BTreeMap;

use common::{Row, Rows, counted, list, number, one, open, rows, text, traces, truth};
use serde_json::Value;
use tracewell_arrow::Source;
use tracewell_decode::Schemas;

fn name(one: &Value, key: &str) -> String {
    one[key].as_str().expect("a text").to_owned()
}

fn count(one: &Value, key: &str) -> u64 {
    one[key].as_u64().expect("a count")
}

/// The program of a row, as the truth names it.
fn program(row: &Row, column: &str) -> String {
    text(row, column).to_lowercase()
}

/// The sums of a column by key.
fn sums<K: Ord>(rows: &[Row], column: &str, key: impl Fn(&Row) -> K) -> BTreeMap<K, i64> {
    let mut sums = BTreeMap::new();
    rows.iter().for_each(|row| *sums.entry(key(row)).or_default() += number(row, column));
    sums
}

#[test]
fn issue_22_samples_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let rows = rows(&source, "cpu_samples");
    assert_eq!(rows.len() as u64, count(&truth["counts"], "sample"));
    let by = |list_of: &str, key: &dyn Fn(&Value) -> String| -> BTreeMap<String, u64> {
        list(&truth, list_of).iter().map(|one| (key(one), count(one, "count"))).collect()
    };
    let found = |key: &dyn Fn(&Row) -> String| counted(rows.iter().map(key));
    assert_eq!(found(&|row| program(row, "process")), by("samples_by_program", &|one| name(one, "program")));
    assert_eq!(
        found(&|row| text(row, "cpu").to_owned()),
        by("samples_by_cpu", &|one| one["cpu"].to_string())
    );
    // Two programs may have one id, one after the other.
    let process = |one: &Value| format!("{} {}", one["pid"], name(one, "program"));
    assert_eq!(
        found(&|row| format!("{} {}", row["pid"], program(row, "process"))),
        by("samples_by_process", &process)
    );
    let address = |row: &Row| {
        let number: u64 = row["address"].parse().expect("an address");
        format!("{number:#x} {}", program(row, "process"))
    };
    let wanted =
        by("samples_by_address", &|one| format!("{} {}", name(one, "address"), name(one, "program")));
    assert_eq!(found(&address), wanted);

    // The interval is that of the event about it, in units of 100 ns.
    let kind = source.kinds().expect("it is a trace");
    assert!(kind.get("Windows Kernel/PerfInfo/CollectionStart").is_some());
    let mut interval = None;
    each(&source, &mut |event, fields| {
        if event == "PerfInfo/CollectionStart" {
            interval = fields["NewInterval"].as_i64();
        }
    });
    let weights = counted(rows.iter().map(|row| number(row, "weight")));
    assert_eq!(weights.into_keys().collect::<Vec<_>>(), [interval.expect("an interval") * 100]);
    // The sample names functions of .NET itself, and modules by their images.
    assert!(rows.iter().any(|row| row.contains_key("function")));
    let in_modules = rows.iter().filter(|row| text(row, "module") == "c2").count();
    assert!(in_modules > 0);
}

/// Calls `each` with the name and the fields of each kernel event in order of time.
fn each(source: &Source, each: &mut dyn FnMut(&str, &Value)) {
    let trace = source.trace().expect("it is a trace");
    let mut json = tracewell::events::json::JsonWriter::new(false, false);
    let mut line = Vec::new();
    tracewell::events::each(std::slice::from_ref(&trace), Schemas::new(), &mut |event| {
        line.clear();
        json.fields(&mut line, event);
        let mut fields: Value = serde_json::from_slice(&line).expect("it is JSON");
        fields["cpu"] = event.record.cpu().into();
        fields["time"] = (event.origin + event.time).into();
        each(&event.format.name, &fields);
        true
    });
}

#[test]
fn issue_22_switches_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let rows = rows(&source, "context_switches");
    assert_eq!(rows.len() as u64, count(&truth["counts"], "cswitch"));
    let wanted = |column: &str| -> BTreeMap<String, u64> {
        list(&truth, "switches").iter().map(|one| (name(one, "program"), count(one, column))).collect()
    };
    assert_eq!(counted(rows.iter().map(|row| program(row, "process"))), wanted("in"));
    assert_eq!(counted(rows.iter().map(|row| program(row, "old_process"))), wanted("out"));
    let ran = sums(&rows, "ran", |row| program(row, "old_process"));
    let time = |one: &Value| one["ns"].as_i64().expect("nanoseconds");
    let wanted: BTreeMap<String, i64> =
        list(&truth["cpu_time"], "by_program").iter().map(|one| (name(one, "program"), time(one))).collect();
    assert_eq!(ran, wanted);
    let by_cpu = sums(&rows, "ran", |row| (program(row, "old_process"), number(row, "cpu")));
    let wanted: BTreeMap<(String, i64), i64> = list(&truth["cpu_time"], "by_program_and_cpu")
        .iter()
        .map(|one| ((name(one, "program"), one["cpu"].as_i64().expect("a number")), time(one)))
        .collect();
    assert_eq!(by_cpu.into_iter().filter(|(_, ns)| *ns > 0).collect::<BTreeMap<_, _>>(), wanted);
}

/// What a thread did off its processors: when it left and when it was woken, by which thread.
#[derive(Clone, Default)]
struct Off {
    left: i64,
    is_waiting: bool,
    woken: Option<(i64, i64)>,
}

/// Waits and wake-ups, counted from the fields of events alone.
#[test]
fn issue_22_waits_are_those_of_the_events() {
    let source = one();
    let mut off: BTreeMap<i64, Off> = BTreeMap::new();
    let mut on: BTreeMap<i64, i64> = BTreeMap::new();
    let mut wanted: Vec<[Option<i64>; 3]> = Vec::new();
    each(&source, &mut |event, fields| {
        let of = |name: &str| fields[name].as_i64().expect("a number");
        let time = || of("time");
        match event {
            "Thread/ReadyThread" => {
                let waker = on.get(&of("cpu")).copied().unwrap_or(0);
                let woken = off.get_mut(&of("TThreadId")).filter(|off| off.is_waiting && off.woken.is_none());
                if let Some(woken) = woken {
                    woken.woken = Some((time(), waker));
                }
            }
            "Thread/CSwitch" => {
                let (old, new) = (of("OldThreadId"), of("NewThreadId"));
                on.insert(of("cpu"), new);
                // The id of a thread that has ended may be that of another one.
                off.remove(&old);
                if old != 0 && fields["OldThreadState"] != "Terminated" {
                    let is_waiting = fields["OldThreadState"] == "Waiting";
                    off.insert(old, Off { left: time(), is_waiting, woken: None });
                }
                let was = off.remove(&new).filter(|_| new != 0);
                wanted.push(match was {
                    None => [None; 3],
                    Some(Off { left, is_waiting: false, .. }) => [None, Some(time() - left), None],
                    Some(Off { left, woken: None, .. }) => [Some(time() - left), None, None],
                    Some(Off { left, woken: Some((at, by)), .. }) => {
                        [Some(at - left), Some(time() - at), Some(by).filter(|by| *by != 0)]
                    }
                });
            }
            _ => {}
        }
    });
    let number = |row: &Row, name: &str| row.get(name).map(|text| text.parse::<i64>().expect("a number"));
    let rows = rows(&source, "context_switches");
    let found: Vec<[Option<i64>; 3]> =
        rows.iter().map(|row| ["waited", "ready", "woken_by_tid"].map(|name| number(row, name))).collect();
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        assert_eq!(found, wanted, "{at}: {:?}", rows[at]);
    }
    assert_eq!(found.len(), wanted.len());
    // All sorts are there, and wakers have a process.
    assert!(found.iter().any(|[waited, ready, _]| waited.is_none() && ready.is_some()));
    assert!(found.iter().filter(|[.., woken]| woken.is_some()).count() > 1000);
    assert!(rows.iter().all(|row| row.contains_key("woken_by") == row.contains_key("woken_by_tid")));
    let reasons = counted(rows.iter().map(|row| text(row, "reason")));
    assert!(
        reasons.keys().all(|reason| reason.starts_with(|letter: char| letter.is_ascii_uppercase())),
        "{reasons:?}"
    );
}

#[test]
fn issue_22_disk_transfers_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let rows = rows(&source, "disk_io");
    assert_eq!(rows.len() as u64, count(&truth["counts"], "disk-done"));
    type Sums = (u64, i64, i64, i64);
    let found = |key: &dyn Fn(&Row) -> String| -> BTreeMap<(String, String), Sums> {
        let mut found: BTreeMap<_, Sums> = BTreeMap::new();
        for row in &rows {
            let sum = found.entry((key(row), text(row, "operation").to_owned())).or_default();
            let took = number(row, "duration");
            *sum = (sum.0 + 1, sum.1 + number(row, "size"), sum.2 + took, sum.3.max(took));
        }
        found
    };
    let wanted = |list_of: &str, key: &dyn Fn(&Value) -> String| -> BTreeMap<(String, String), Sums> {
        let number = |one: &Value, name: &str| one[name].as_i64().expect("a number");
        let sums = |one: &Value| {
            (count(one, "count"), number(one, "bytes"), number(one, "response_ns"), number(one, "slowest_ns"))
        };
        list(&truth["disk"], list_of).iter().map(|one| ((key(one), name(one, "op")), sums(one))).collect()
    };
    assert_eq!(found(&|row| text(row, "disk").to_owned()), wanted("by_disk", &|one| one["disk"].to_string()));
    assert_eq!(found(&|row| program(row, "process")), wanted("by_program", &|one| name(one, "program")));
    let volumes: Vec<(String, String)> =
        list(&truth, "volumes").iter().map(|one| (name(one, "nt"), name(one, "dos"))).collect();
    let dos = |one: &Value| {
        let path = name(one, "path");
        let volume = volumes.iter().find_map(|(nt, dos)| Some(format!("{dos}{}", path.strip_prefix(nt)?)));
        volume.unwrap_or(path)
    };
    assert_eq!(found(&|row| text(row, "path").to_owned()), wanted("by_file", &dos));
    assert!(rows.iter().all(|row| number(row, "time") - number(row, "started") == number(row, "duration")));
    // A flush moves no bytes.
    assert!(rows.iter().all(|row| row.contains_key("size") == (row["operation"] != "flush")));
}

#[test]
fn issue_22_faults_and_traffic_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let faults = rows(&source, "page_faults");
    let hard: Rows = faults.iter().filter(|row| row["kind"] == "HardFault").cloned().collect();
    assert_eq!(hard.len() as u64, count(&truth["counts"], "hard-fault"));
    assert_eq!((faults.len() - hard.len()) as u64, count(&truth["counts"], "page-fault"));
    assert!(hard.iter().all(|row| number(row, "duration") > 0 && number(row, "size") > 0));
    assert!(hard.iter().any(|row| row.contains_key("path")));
    let soft = faults.iter().filter(|row| row["kind"] != "HardFault");
    assert!(soft.clone().all(|row| row.contains_key("program_counter") && !row.contains_key("duration")));
    assert!(soft.clone().any(|row| row.contains_key("module")));

    let rows = rows(&source, "network");
    let key = |row: &Row| ["protocol", "family", "operation"].map(|name| text(row, name).to_owned());
    let wanted = |one: &Value| [name(one, "protocol"), one["family"].to_string(), name(one, "event")];
    let wanted: BTreeMap<[String; 3], (u64, i64)> = list(&truth["network"], "by_event")
        .iter()
        .map(|one| (wanted(one), (count(one, "count"), one["bytes"].as_i64().expect("bytes"))))
        .collect();
    let bytes = sums(&rows, "size", key);
    let found: BTreeMap<[String; 3], (u64, i64)> = counted(rows.iter().map(key))
        .into_iter()
        .map(|(key, count)| (key.clone(), (count, bytes[&key])))
        .collect();
    assert_eq!(found, wanted);
    let key = |row: &Row| {
        let [protocol, family, operation] = key(row);
        [
            protocol,
            family,
            operation,
            program(row, "process"),
            text(row, "remote_address").to_owned(),
            text(row, "remote_port").to_owned(),
        ]
    };
    let wanted: BTreeMap<[String; 6], i64> = list(&truth["network"], "by_peer")
        .iter()
        .map(|one| {
            let key = [
                name(one, "protocol"),
                one["family"].to_string(),
                name(one, "event"),
                name(one, "program"),
                name(one, "peer"),
                one["port"].to_string(),
            ];
            (key, one["bytes"].as_i64().expect("bytes"))
        })
        .collect();
    assert_eq!(sums(&rows, "size", key), wanted);
}

/// The frames of the stacks of samples and switches, by program.
#[test]
fn issue_22_stacks_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let mut stacks: BTreeMap<i64, Vec<Row>> = BTreeMap::new();
    for row in rows(&source, "stacks") {
        stacks.entry(number(&row, "id")).or_default().push(row);
    }
    // Positions are in order, and the number of a stack has no gaps.
    assert!(
        stacks
            .values()
            .all(|frames| frames.iter().enumerate().all(|(at, row)| number(row, "position") == at as i64))
    );
    assert_eq!(stacks.keys().max().map(|last| last + 1), Some(stacks.len() as i64));
    let mut found: BTreeMap<(String, String, String, Vec<String>), u64> = BTreeMap::new();
    for (event, table) in [("sample", "cpu_samples"), ("cswitch", "context_switches")] {
        let mut users = 0;
        for row in rows(&source, table).iter().filter(|row| row.contains_key("stack")) {
            let frames = &stacks[&number(row, "stack")];
            assert!(frames.iter().all(|frame| frame.get("pid") == row.get("pid")));
            for mode in ["kernel", "user"] {
                let frames: Vec<String> = frames
                    .iter()
                    .filter(|frame| frame["kind"] == mode)
                    .map(|frame| format!("{:#x}", frame["address"].parse::<u64>().expect("a number")))
                    .collect();
                if !frames.is_empty() {
                    users += u64::from(mode == "user");
                    *found
                        .entry((event.to_owned(), program(row, "process"), mode.to_owned(), frames))
                        .or_default() += 1;
                }
            }
        }
        assert!(users > 0, "{table}");
    }
    let wanted: BTreeMap<(String, String, String, Vec<String>), u64> = list(&truth, "stacks")
        .iter()
        .filter(|one| one["event"] != "event")
        .map(|one| {
            let frames =
                list(one, "frames").iter().map(|frame| frame.as_str().expect("an address").to_owned());
            (
                (name(one, "event"), name(one, "program"), name(one, "mode"), frames.collect()),
                count(one, "count"),
            )
        })
        .collect();
    assert_eq!(found.len(), wanted.len());
    for (stack, count) in &wanted {
        assert_eq!(found.get(stack), Some(count), "{stack:?}");
    }
    // Frames have modules, and those of .NET functions.
    let all: Vec<&Row> = stacks.values().flatten().collect();
    assert!(all.iter().filter(|row| row.contains_key("module")).count() * 2 > all.len());
    assert!(all.iter().any(|row| row.contains_key("function")));
}

/// Each table has the number of rows that `etw stats` counts of its events, in all traces.
#[test]
fn issue_22_activity_has_the_count_of_stats_in_all_traces() {
    let tables: &[(&str, &[&str])] = &[
        ("cpu_samples", &["PerfInfo/SampleProfile"]),
        ("context_switches", &["Thread/CSwitch"]),
        ("disk_io", &["DiskIo/Read", "DiskIo/Write", "DiskIo/FlushBuffers"]),
        (
            "page_faults",
            &[
                "PageFault/TransitionFault",
                "PageFault/DemandZeroFault",
                "PageFault/CopyOnWrite",
                "PageFault/GuardPageFault",
                "PageFault/HardPageFault",
                "PageFault/AccessViolation",
                "PageFault/HardFault",
            ],
        ),
    ];
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for path in traces() {
        for source in open(&path) {
            let kinds = source.kinds().expect("it is a trace");
            let events =
                |name: &str| kinds.get(&format!("Windows Kernel/{name}")).map_or(0, |kind| kind.events);
            for (table, names) in tables {
                let wanted: u64 = names.iter().map(|name| events(name)).sum();
                let found = count_of(&source, table);
                assert_eq!(found, wanted, "{table} of {}", source.name());
                *all.entry(table).or_default() += found;
            }
            let is_traffic = |name: &str| {
                let event =
                    name.strip_prefix("Windows Kernel/TcpIp/").or(name.strip_prefix("Windows Kernel/UdpIp/"));
                event.is_some_and(|event| event.contains("IPV"))
            };
            let wanted: u64 =
                kinds.iter().filter(|(name, _)| is_traffic(name)).map(|(_, kind)| kind.events).sum();
            assert_eq!(count_of(&source, "network"), wanted, "network of {}", source.name());
        }
    }
    assert!(all.values().all(|rows| *rows > 0), "{all:?}");
}

/// The rows of a table, without the cells.
fn count_of(source: &Source, name: &str) -> u64 {
    let table = tracewell_arrow::derived::table(name).expect("there is such a table");
    let mut rows = 0;
    let count = &mut |batch: arrow_array::RecordBatch| {
        rows += batch.num_rows() as u64;
        true
    };
    source.derived(table, &tracewell_arrow::Scan::default(), count).expect("it is a trace");
    rows
}
