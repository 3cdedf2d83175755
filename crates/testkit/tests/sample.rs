//! The sample is the same whenever it is made, is the one in `testdata/`, and its truth agrees with itself.
//!
//! `TRACEWELL_BLESS=1 cargo test -p tracewell-testkit` writes its files anew.

use serde_json::Value;
use std::path::PathBuf;
use std::sync::OnceLock;
use tracewell_testkit::{Sample, sample};

fn made() -> &'static Sample {
    static MADE: OnceLock<Sample> = OnceLock::new();
    MADE.get_or_init(|| sample().expect("the sample can be made"))
}

fn truth() -> Value {
    serde_json::from_str(&made().truth).expect("the truth is JSON")
}

fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Sum of a number over the rows of a list that pass.
fn sum(rows: &Value, key: &str, pass: impl Fn(&Value) -> bool) -> u64 {
    rows.as_array()
        .expect("a list")
        .iter()
        .filter(|row| pass(row))
        .map(|row| row[key].as_u64().expect("a number"))
        .sum()
}

fn all(_: &Value) -> bool {
    true
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn made_twice_is_the_same() {
    assert!(*made() == sample().expect("the sample can be made"), "two runs made different samples");
}

#[test]
fn the_checked_in_files_are_what_is_made() {
    let bless = tracewell_corpus::bless();
    for (name, bytes) in
        [("sample.etl", made().trace.as_slice()), ("sample.truth.json", made().truth.as_bytes())]
    {
        let path = testdata(name);
        if bless {
            std::fs::write(&path, bytes).expect("testdata can be written");
        }
        let old = std::fs::read(&path).unwrap_or_default();
        let first = old.iter().zip(bytes).position(|(a, b)| a != b);
        assert!(
            old == bytes,
            "testdata/{name} ({} bytes) is not what is made ({} bytes); first difference at {first:?}; TRACEWELL_BLESS=1 rewrites it",
            old.len(),
            bytes.len()
        );
    }
}

#[test]
fn issue_21_the_checked_in_databases_are_what_is_made() {
    let folder = testdata("sample.symbols");
    if tracewell_corpus::bless() {
        let _ = std::fs::remove_dir_all(&folder);
        for (path, bytes) in &made().databases {
            let file = folder.join(path);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("testdata can be written");
            std::fs::write(file, bytes).expect("testdata can be written");
        }
    }
    for (path, bytes) in &made().databases {
        let there = std::fs::read(folder.join(path)).unwrap_or_default();
        assert!(there == *bytes, "{path} is not what is made; TRACEWELL_BLESS=1 rewrites it");
    }
    let there = std::fs::read_dir(folder).expect("the folder exists").count();
    let names: std::collections::BTreeSet<&str> =
        made().databases.iter().filter_map(|(path, _)| path.split('/').next()).collect();
    assert_eq!(there, names.len(), "a database that is not made");
    let bytes: usize = made().databases.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(bytes < 500_000, "{bytes} bytes");
}

#[test]
fn issue_21_the_sample_has_every_kind_of_event_that_recipes_need() {
    let truth = truth();
    for what in ["isr", "dpc", "file-operation", "file-operation-end", "page-fault", "hard-fault", "registry"]
    {
        assert!(number(&truth["counts"][what]) > 0, "no {what}");
    }
    let of = |provider: &str, id: u64| {
        sum(&truth["events"]["by_id"], "count", |row| row["provider"] == provider && row["id"] == id)
    };
    let collections = of("Microsoft-Windows-DotNETRuntime", 1);
    for pause in [3, 7, 8, 9] {
        assert_eq!(of("Microsoft-Windows-DotNETRuntime", pause), collections, "{pause}");
    }
    for (provider, id) in [
        ("Microsoft-Windows-Win32k", 26),
        ("Microsoft-Windows-Win32k", 37),
        ("Microsoft-Windows-DxgKrnl", 184),
        ("Microsoft-Windows-DxgKrnl", 178),
    ] {
        assert!(of(provider, id) > 0, "{provider} {id}");
    }
}

#[test]
fn the_trace_is_small_and_made_of_whole_buffers() {
    let size = made().trace.len();
    assert!((1_000_000..4_000_000).contains(&size), "{size} bytes");
    assert_eq!(size % 65_536, 0, "{size} bytes");
}

#[test]
fn records_by_header_add_up() {
    let truth = truth();
    let by_header: u64 =
        truth["trace"]["records_by_header"].as_object().expect("a map").values().map(number).sum();
    assert_eq!(by_header, number(&truth["trace"]["records"]));
    for kind in ["SYSTEM64", "PERFINFO64", "EVENT64", "EVENT32", "FULL64"] {
        assert!(number(&truth["trace"]["records_by_header"][kind]) > 0, "no {kind} record");
    }
}

#[test]
fn processor_time_adds_up_to_processors_times_duration() {
    let truth = truth();
    let time = &truth["cpu_time"];
    let duration = number(&truth["trace"]["duration_ns"]);
    let processors = number(&truth["trace"]["processors"]);
    let outside = time["outside_switches_by_cpu"].as_array().expect("a list");
    assert_eq!(outside.len() as u64, processors);
    for (cpu, outside) in outside.iter().enumerate() {
        let inside = sum(&time["by_program_and_cpu"], "ns", |row| row["cpu"] == cpu);
        let edges = number(&outside["before_first_switch_ns"]) + number(&outside["after_last_switch_ns"]);
        assert_eq!(inside + edges, duration, "processor {cpu}");
        assert!(edges < duration / 100, "processor {cpu} hardly switches");
    }
    assert_eq!(sum(&time["by_program"], "ns", all), sum(&time["by_program_and_cpu"], "ns", all));
}

#[test]
fn samples_add_up_and_follow_processor_time() {
    let truth = truth();
    let samples = number(&truth["counts"]["sample"]);
    for list in ["samples_by_program", "samples_by_process", "samples_by_cpu", "samples_by_address"] {
        assert_eq!(sum(&truth[list], "count", all), samples, "{list}");
    }
    // At one sample a millisecond, samples estimate the time on processor.
    for row in truth["samples_by_program"].as_array().expect("a list") {
        let exact = sum(&truth["cpu_time"]["by_program"], "ns", |other| other["program"] == row["program"])
            / 1_000_000;
        let estimate = number(&row["count"]);
        assert!(estimate.abs_diff(exact) <= 30 + exact / 10, "{row}: {exact} ms on processor");
    }
}

#[test]
fn switches_and_wakeups_add_up() {
    let truth = truth();
    let switches = number(&truth["counts"]["cswitch"]);
    assert_eq!(sum(&truth["switches"], "in", all), switches);
    assert_eq!(sum(&truth["switches"], "out", all), switches);
    assert_eq!(sum(&truth["wakeups"], "count", all), number(&truth["counts"]["wakeup"]));
}

#[test]
fn counts_by_program_add_up() {
    let truth = truth();
    for what in ["start", "exit", "lwp-start", "lwp-exit", "module-load", "module-unload"] {
        let by_program = sum(&truth["counts_by_program"], "count", |row| row["what"] == what);
        assert_eq!(by_program, number(&truth["counts"][what]), "{what}");
    }
    let length = |list: &str| truth[list].as_array().map(Vec::len).unwrap_or_default() as u64;
    assert_eq!(length("process_starts"), number(&truth["counts"]["start"]));
    assert_eq!(length("process_exits"), number(&truth["counts"]["exit"]));
    assert_eq!(sum(&truth["module_loads"], "count", all), number(&truth["counts"]["module-load"]));
}

#[test]
fn disk_transfers_add_up_every_way_they_are_listed() {
    let truth = truth();
    let disk = &truth["disk"];
    assert_eq!(sum(&disk["starts_by_program"], "count", all), number(&truth["counts"]["disk-start"]));
    for key in ["count", "bytes", "response_ns"] {
        let total = sum(&disk["by_program"], key, all);
        for list in ["by_running_program", "by_file", "by_disk"] {
            assert_eq!(sum(&disk[list], key, all), total, "{key} in {list}");
        }
    }
    let done = number(&truth["counts"]["disk-done"]);
    assert_eq!(sum(&disk["by_program"], "count", all), done);
    assert_eq!(sum(&disk["histogram_us"], "count", all), done);
    for op in ["read", "write", "flush"] {
        assert!(sum(&disk["by_program"], "count", |row| row["op"] == op) > 0, "no {op}");
    }
}

#[test]
fn network_adds_up() {
    let truth = truth();
    let network = &truth["network"];
    for key in ["count", "bytes"] {
        for protocol in ["tcp", "udp"] {
            for family in [4, 6] {
                let pass = |row: &Value| row["protocol"] == protocol && row["family"] == family;
                let total = sum(&network["by_event"], key, pass);
                assert!(total > 0, "{protocol} {family}");
                assert_eq!(sum(&network["by_peer"], key, pass), total, "{protocol} {family} {key}");
            }
        }
    }
}

#[test]
fn provider_events_add_up() {
    let truth = truth();
    let events = number(&truth["counts"]["event"]);
    assert_eq!(sum(&truth["events"]["by_id"], "count", all), events);
    assert_eq!(sum(&truth["events"]["by_program"], "count", all), events);
    let headers = &truth["trace"]["records_by_header"];
    assert_eq!(number(&headers["EVENT64"]) + number(&headers["EVENT32"]), events);
    let thrown = sum(&truth["events"]["by_id"], "count", |row| {
        row["provider"] == "Microsoft-Windows-DotNETRuntime" && row["id"] == 80
    });
    assert_eq!(sum(&truth["dotnet"]["exceptions"], "count", all), thrown);
}

#[test]
fn the_awkward_cases_are_there() {
    let truth = truth();
    let starts = truth["process_starts"].as_array().expect("a list");
    let with_pid = |pid: u64| starts.iter().filter(|row| row["pid"] == pid).collect::<Vec<_>>();
    let reused: Vec<_> = with_pid(7044).iter().map(|row| row["image"].clone()).collect();
    assert_eq!(reused, ["CL.exe", "LINK.exe"], "one process id, two programs");
    let processes = truth["processes"].as_array().expect("a list");
    for known in ["start rundown", "end rundown", "start event"] {
        assert!(processes.iter().any(|row| row["known_from"] == known), "no process known from {known}");
    }
    assert!(processes.iter().any(|row| row["bits"] == 32), "no 32-bit program");
    let failed =
        truth["process_exits"].as_array().expect("a list").iter().filter(|row| row["status"] == 2).count();
    assert_eq!(failed, 1, "one compiler fails");
    let nameless = sum(&truth["disk"]["by_file"], "count", |row| row["path"] == "" && row["op"] == "read");
    assert_eq!(nameless, 1, "one read of a file that nothing names");
}
