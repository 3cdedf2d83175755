//! Five people with a question each, and at most three commands to its answer (issue 20).

#![allow(missing_docs)]
#![cfg(unix)]

mod common;

use std::path::Path;

use serde_json::Value;
use tracewell_corpus::{Scratch, skip, trace};
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

/// The commands of one person, counted.
struct Person {
    commands: usize,
}

impl Person {
    fn asks(&mut self, arguments: &[&str]) -> String {
        self.runs("etw", arguments)
    }

    fn runs(&mut self, program: &str, arguments: &[&str]) -> String {
        self.commands += 1;
        assert!(self.commands <= 3, "too many commands");
        let ran = common::run(common::command(program).args(arguments));
        assert_eq!(ran.status, Some(0), "{arguments:?}: {}", ran.stderr);
        ran.stdout
    }
}

const NEW: Person = Person { commands: 0 };

/// The text on one line, each word after one blank.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn path(name: &str) -> Option<String> {
    let found = trace(name);
    if found.is_none() {
        skip("real-traces", name);
    }
    found.map(|path| path.display().to_string())
}

/// The next command of a report that begins so, in words; the file is the trace.
fn next(report: &str, begins: &str) -> Vec<String> {
    let (_, after) = report.split_once("\nNEXT\n").expect("the next commands");
    let line = flat(after);
    let (_, rest) = line.split_once(begins).unwrap_or_else(|| panic!("{begins} is not in {line}"));
    let words = format!("{begins}{rest}");
    let end =
        words[4..].find(" etw ").or_else(|| words[4..].find(" dtrace ")).map_or(words.len(), |at| at + 4);
    words[..end].replace('\'', "").split(' ').map(str::to_owned).collect()
}

/// Why does my window not react?
#[test]
fn issue_20_a_slow_window() {
    let Some(file) = path("randomascii/slow-ppt.etl") else { return };
    let mut person = NEW;
    let report = flat(&person.asks(&["report", &file]));
    for fact in [
        "UI hang 3.502-4.610 s 1108 ms powerpnt.exe 5100, thread 5984",
        "5984 waited for 3308 (inferred twice",
        "gdiplus 98.2 > windowscodecs 63.3 %",
    ] {
        assert!(report.contains(fact), "{fact}: {report}");
    }
    let modules = person.asks(&["top", &file, "--by", "module", "--where", "tid == 3308", "--csv"]);
    assert_eq!(modules.lines().nth(1), Some("windowscodecs,3790"), "{modules}");
    // D draws the same inference as the library, each wait by itself.
    let waits = person.runs("dtrace", &["waitedfor", &file, "5984", "1000"]);
    let inferred: Vec<&str> =
        waits.lines().filter(|line| line.contains("5984 waited for powerpnt.exe 3308 (inferred")).collect();
    assert_eq!(inferred.len(), 2, "{waits}");
    assert!(inferred[0].contains("3.502 -    4.609 s") && inferred[0].contains("confidence 90 %"), "{waits}");
    assert!(inferred[1].contains("4.850 -    6.154 s") && inferred[1].contains("confidence 89 %"), "{waits}");
}

/// Why does my .NET program stop, and what allocates?
#[test]
fn issue_20_pauses_of_a_program() {
    let Some(file) = path("perfview/net45-x86-win7.etl") else { return };
    let mut person = NEW;
    let report = flat(&person.asks(&["report", &file]));
    for fact in ["test.exe 1980", "longest 8.7 ms at 0.569 s (GC 44)", "100 of 1,050 collections"] {
        assert!(report.contains(fact), "{fact}: {report}");
    }
    let field = ["--event", "GC/AllocationTick", "--field", "AllocationAmount64", "--csv"];
    let bytes = person.asks(&[&["top", &file, "--by", "process"], &field[..]].concat());
    assert!(bytes.contains("test.exe 1980,5515113796\n"), "{bytes}");
    let places = person.asks(&[&["top", &file, "--by", "function", "--inclusive"], &field[..]].concat());
    assert!(places.contains("!Test.Main,5515113796\n"), "{places}");
}

/// A program that presents every 16 ms; another one takes its processor before every fifteenth frame.
fn dropped_frames(folder: &Scratch) -> String {
    let switch = |new: u32, old: u32| {
        let rest = "i8 8 i8 8 u8 0 i8 0 i8 0 i8 0 i8 2 i8 0 u32 3 u32 0";
        format!("Thread 36 2 after 8000 | u32 {new} u32 {old} {rest}")
    };
    let mut lines = Vec::new();
    for frame in 0..150 {
        if frame % 15 == 14 {
            lines.extend([switch(50, 40), switch(40, 50)]);
        }
        lines.push(
            "Microsoft-Windows-DXGI 42 0 after 16000 by 100/44 | ptr 0xab00 u32 0 u32 1 u32 0 u32 0"
                .to_owned(),
        );
    }
    let records: Vec<Described> =
        lines.iter().map(|line| Described::parse(line).expect("a record")).collect();
    let bytes = described::trace(PointerSize::P64, &records).expect("a trace");
    folder.write("frames.etl", &bytes).display().to_string()
}

/// Why does my game stutter?
#[test]
fn issue_20_dropped_frames() {
    let folder = Scratch::new("people-frames");
    let file = dropped_frames(&folder);
    let mut person = NEW;
    let report = person.asks(&["report", &file]);
    assert!(flat(&report).contains("missed frames app.exe 100: 10 of 159 frames (6.3 %)"), "{report}");
    // The report names the command that shows who ran in the longest frame.
    let next = next(&report, "etw top");
    let words: Vec<&str> = next.iter().skip(1).map(String::as_str).chain(["--csv"]).collect();
    let ran = person.asks(&words);
    assert!(ran.contains("svc.exe 200,50,8000000\n"), "{words:?}: {ran}");
}

/// What did the intruder run?
#[test]
fn issue_20_an_intrusion() {
    let Some(file) = path("airbus/AMSITrace.etl") else { return };
    let mut person = NEW;
    let report = person.asks(&["report", &file]);
    for fact in ["hidden script 27.03", "decoded: Get-Alias"] {
        assert!(flat(&report).contains(fact), "{fact}: {report}");
    }
    let next = next(&report, "etw dump");
    let words: Vec<&str> = next.iter().skip(1).map(String::as_str).collect();
    assert!(person.asks(&words).to_lowercase().contains("powershell"), "{words:?}");
}

/// Why is my service slow, here and now on Linux?
#[test]
fn issue_20_a_slow_service() {
    let folder = Scratch::new("people-service");
    let file = folder.join("service.etl").display().to_string();
    // The service answers with what a worker computes.
    let service =
        "for i in 1 2 3; do awk 'BEGIN { for (n = 0; n < 2000000; n++) x += n; print x }' | cat; done";
    let groups = "CSWITCH,DISPATCHER,PROFILE";
    let record = ["record", "-q", "-o", &file, "--kernel", groups, "--", "sh", "-c", service];
    let mut command = common::command("etw");
    let ran = common::run(command.args(record).env("TRACEWELL_RUNTIME", folder.join("run")));
    if ran.status != Some(0) || !Path::new(&file).exists() {
        skip("kernel-tracing", &format!("etw record --kernel: {}", ran.stderr.trim()));
        return;
    }
    let mut person = Person { commands: 1 };
    let report: Value = serde_json::from_str(&person.asks(&["report", "--json", &file])).expect("JSON");
    let worker = ["awk", "mawk", "gawk", "busybox"];
    let ms = report["sections"]["who ran"]["switches_ms"].as_object().expect("who ran");
    let of = |names: &[&str]| -> u64 { names.iter().filter_map(|name| ms.get(*name)?.as_u64()).sum() };
    assert!(of(&worker) > 50 && of(&worker) > 4 * of(&["cat", "sh", "dash"]), "{ms:?}");
    // Who woke the reader of the pipe: the worker, as a fact.
    let woken = person.asks(&[
        "top",
        &file,
        "--by",
        "process",
        "--weight",
        "events",
        "--event",
        "Thread/ReadyThread",
        "--csv",
    ]);
    assert!(woken.lines().skip(1).any(|line| worker.iter().any(|name| line.starts_with(name))), "{woken}");
}
