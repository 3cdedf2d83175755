//! Answers of the scripts that were wrong or incomplete (issue 15), with the known numbers.

mod common;

use std::path::Path;

use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, Kind, trace};

/// What a script prints over a trace.
fn script(name: &str, trace: &Path, words: &[&str]) -> String {
    let mut command = common::command("dtrace");
    command.arg("-s").arg(common::root().join("scripts").join(name)).arg("-E").arg(trace).args(words);
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// A trace of events of a provider.
fn written(name: &str, records: &[Described]) -> (tracewell_corpus::Scratch, std::path::PathBuf) {
    let folder = tracewell_corpus::Scratch::new(name);
    let path = folder.write("made.etl", &trace(PointerSize::P64, records).expect("the trace is written"));
    (folder, path)
}

/// The row of a program in a table.
fn row<'t>(text: &'t str, program: &str) -> Vec<&'t str> {
    let line = text.lines().find(|line| line.starts_with(program));
    line.unwrap_or_else(|| panic!("no {program} in {text}")).split_whitespace().collect()
}

/// Times are added in nanoseconds and divided once: ten packets of 1.6 us are 16 us, not 10.
#[test]
fn issue_15_gpu_adds_times_before_it_rounds() {
    let graphics = tracewell_schema::providers::guid("Microsoft-Windows-DxgKrnl").expect("it is known");
    let mut records = Vec::new();
    for number in 1..=10 {
        let start = format!("ptr 7 u32 0 u32 {number} u64 0 u32 0 u32 0 u32 0 ptr 0 ptr 0 u64 0");
        let stop = format!("ptr 7 u32 0 u32 {number} u32 0 u32 0 ptr 0");
        records.push(Described::new(Kind::Event(graphics, 178, 1, 0), 1, &start));
        let stop = Described::new(Kind::Event(graphics, 180, 1, 0), 1, &stop);
        records.push(Described { after: 16, ..stop });
    }
    let (_folder, path) = written("gpu", &records);
    assert_eq!(row(&script("gpu.d", &path, &[]), "app.exe"), ["app.exe", "0", "10", "16", "0"]);
}

/// A runtime that logs the start of a collection in two versions has one collection.
#[test]
fn issue_15_dotnet_counts_a_collection_once() {
    let runtime = tracewell_schema::providers::guid("Microsoft-Windows-DotNETRuntime").expect("it is known");
    let mut records = Vec::new();
    for number in 1..=3 {
        let event = |version, rest: &str| {
            let payload = format!("u32 {number} u32 0 u32 1 u32 0 u16 9{rest}");
            Described::new(Kind::Event(runtime, 1, 1, 4), version, &payload)
        };
        records.extend([event(1, ""), event(2, " u64 0")]);
    }
    let (_folder, path) = written("dotnet", &records);
    let text = script("dotnet.d", &path, &[]);
    for number in 1..=3 {
        let listed = text.lines().filter(|line| line.contains(&format!("number {number}, ")));
        assert_eq!(listed.count(), 1, "{text}");
    }
}

/// A table is not printed without results, and a script without results says what the trace lacks.
#[test]
fn issue_15_scripts_print_no_results_that_do_not_exist() {
    if let Some(path) = tracewell_corpus::trace("randomascii/slow-ppt.etl") {
        let text = script("hang.d", &path, &["5984", "3500", "4610"]);
        assert!(text.contains("Thread 5984 of powerpnt.exe"), "{text}");
        assert!(!text.contains("Where it waited"), "{text}");
    }
    if let Some(path) = tracewell_corpus::trace("perfview/net.4.5.2.x64.etl") {
        let text = script("fileops.d", &path, &[]);
        assert!(
            text.contains("none of them with the name of its file: record it with DISK_FILE_IO"),
            "{text}"
        );
    }
}

/// `disktop.d` answers which file was slow: the slowest is first.
#[test]
fn issue_15_disktop_sorts_by_the_slowest() {
    let Some(path) = tracewell_corpus::trace("randomascii/slow-ppt.etl") else { return };
    let text = script("disktop.d", &path, &[]);
    let slowest: Vec<u64> =
        text.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse().ok()).collect();
    assert_eq!((slowest.len(), slowest[0]), (48, 74_304), "{text}");
    assert!(slowest.is_sorted_by(|a, b| a >= b), "{slowest:?}");
}
