//! `etw export` over the sample trace: every format holds what the truth of the sample says, no number in it refers to
//! nothing, and what a format has no place for is said. `viewers.rs` shows the same files to the viewers themselves.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A folder of one test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tracewell-export-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn export(to: &Path, options: &[&str]) -> common::Ran {
    let mut command = common::command("etw");
    command.args(["export", "testdata/sample.etl", "-o"]).arg(to).args(options).env_remove("_NT_SYMBOL_PATH");
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("the file is there")).expect("the file is JSON")
}

/// What the sample was made from.
struct Truth(Value);

impl Truth {
    fn read() -> Truth {
        Truth(json(&common::root().join("testdata/sample.truth.json")))
    }

    fn count(&self, what: &str) -> u64 {
        self.0["counts"][what].as_u64().expect("the truth has this count")
    }

    /// Samples that found a program running.
    fn busy_samples(&self) -> u64 {
        let by_program = self.0["samples_by_program"].as_array().expect("samples by program");
        let rows = by_program.iter().filter(|row| row["program"] != "idle");
        rows.map(|row| row["count"].as_u64().expect("a count")).sum()
    }
}

fn numbers(list: &Value) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|n| n.as_u64().expect("a number")).collect()
}

#[test]
fn speedscope_has_every_sample_with_its_frames() {
    let folder = Folder::new("speedscope");
    let path = folder.0.join("s.json");
    let ran = export(&path, &["--speedscope"]);
    let (file, truth) = (json(&path), Truth::read());
    assert_eq!(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = file["shared"]["frames"].as_array().expect("frames").len() as u64;
    let mut samples = 0;
    for profile in file["profiles"].as_array().expect("profiles") {
        let (stacks, weights) =
            (profile["samples"].as_array().expect("stacks"), numbers(&profile["weights"]));
        assert_eq!(stacks.len(), weights.len());
        assert_eq!(profile["endValue"].as_u64(), Some(weights.iter().sum()));
        for stack in stacks {
            let stack = numbers(stack);
            assert!(stack.iter().all(|frame| *frame < frames), "{stack:?}");
            // Time without a sample is an empty stack.
            samples += u64::from(!stack.is_empty());
        }
    }
    assert_eq!(samples, truth.busy_samples());
    let said = |count: u64, what: &str| {
        let line = ran.stderr.lines().find(|line| line.contains(what)).unwrap_or_default().replace(',', "");
        assert!(line.contains(&format!(" {count} ")), "{what}: {}", ran.stderr);
    };
    said(truth.count("sample") - samples, "samples of idle processors");
    said(truth.count("cswitch"), "context switches");
    said(truth.count("wakeup"), "readied threads");
}

#[test]
fn firefox_has_samples_and_markers_by_thread() {
    let folder = Folder::new("firefox");
    let path = folder.0.join("f.json");
    export(&path, &["--firefox"]);
    let (file, truth) = (json(&path), Truth::read());
    assert!(file["meta"]["preprocessedProfileVersion"].as_u64().is_some_and(|version| version >= 40));
    let (mut samples, mut cpu) = (0u64, 0f64);
    let mut markers: BTreeMap<String, u64> = BTreeMap::new();
    for thread in file["threads"].as_array().expect("threads") {
        let of = &thread["samples"];
        let length = of["length"].as_u64().expect("a length");
        assert!(thread["name"].is_string() && thread["processName"].is_string());
        let stacks = thread["stackTable"]["length"].as_u64().expect("a length");
        for stack in of["stack"].as_array().expect("stacks") {
            assert!(stack.as_u64().is_some_and(|stack| stack < stacks));
        }
        samples += length;
        if let Some(deltas) = of["threadCPUDelta"].as_array() {
            cpu += deltas.iter().filter_map(Value::as_f64).sum::<f64>();
        }
        let strings = thread["stringArray"].as_array().or(file["shared"]["stringArray"].as_array());
        for name in numbers(&thread["markers"]["name"]) {
            let name = strings.and_then(|s| s.get(name as usize)).and_then(Value::as_str).expect("a name");
            *markers.entry(name.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(samples, truth.busy_samples());
    let transfers: u64 = ["Read", "Write", "Flush"].iter().filter_map(|name| markers.get(*name)).sum();
    assert_eq!(transfers, truth.count("disk-done"));
    // Context switches give the processor time (microseconds) of the threads with samples: at most the total.
    let by_program = truth.0["cpu_time"]["by_program"].as_array().expect("processor time");
    let busy = by_program.iter().filter(|row| row["program"] != "idle");
    let busy: f64 = busy.filter_map(|row| row["ns"].as_f64()).sum::<f64>() / 1000.0;
    assert!(cpu > 0.9 * busy && cpu < 1.1 * busy, "{cpu} of {busy}");
}

/// Fields of a message: number, and a number or bytes.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().expect("a number is whole");
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                return value;
            }
        }
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        found.push(match key & 7 {
            0 => (key >> 3, Field::Number(varint(&mut bytes))),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                (key >> 3, Field::Bytes(value))
            }
            kind => panic!("wire type {kind}"),
        });
    }
    found
}

#[derive(Clone, Copy, Debug)]
enum Field<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

impl<'b> Field<'b> {
    fn number(self) -> u64 {
        match self {
            Field::Number(value) => value,
            Field::Bytes(_) => panic!("bytes instead of a number"),
        }
    }

    fn fields(self) -> Vec<(u64, Field<'b>)> {
        match self {
            Field::Bytes(bytes) => fields(bytes),
            Field::Number(_) => panic!("a number instead of a message"),
        }
    }

    /// The first field of that number.
    fn get(self, number: u64) -> Option<Field<'b>> {
        self.fields().into_iter().find(|(field, _)| *field == number).map(|(_, value)| value)
    }
}

#[test]
fn perfetto_has_the_whole_timeline() {
    let folder = Folder::new("perfetto");
    let path = folder.0.join("p.perfetto-trace");
    export(&path, &["--perfetto"]);
    let bytes = std::fs::read(&path).expect("the file is there");
    let truth = Truth::read();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut count = |what| *counts.entry(what).or_default() += 1;
    let (mut stacks, mut frames, mut names, mut tracks) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut open: BTreeMap<u64, i64> = BTreeMap::new();
    for (number, packet) in fields(&bytes) {
        assert_eq!(number, 1, "a trace is a list of packets");
        let packet = packet.fields();
        let field = |number| packet.iter().find(|(n, _)| *n == number).map(|(_, value)| *value);
        for (kind, entry) in field(12).map(Field::fields).unwrap_or_default() {
            let iid = entry.get(1).expect("an interned entry has a number").number();
            match kind {
                2 => assert!(names.insert(iid)),
                6 => assert!(frames.insert(iid)),
                7 => {
                    let known = entry.fields().into_iter().filter(|(n, _)| *n == 2);
                    assert!(known.map(|(_, frame)| frame.number()).all(|frame| frames.contains(&frame)));
                    assert!(stacks.insert(iid));
                }
                _ => {}
            }
        }
        if let Some(track) = field(60) {
            assert!(tracks.insert(track.get(1).expect("a track has an identity").number()));
        }
        if let Some(sample) = field(66) {
            assert!(stacks.contains(&sample.get(4).expect("a sample has a stack").number()));
            count("samples");
        }
        for (_, event) in field(95).map(Field::fields).unwrap_or_default().iter().filter(|(n, _)| *n == 2) {
            assert!(event.get(1).is_some(), "an event has a time");
            count(if event.get(2).is_some() { "switches" } else { "ready" });
        }
        if let Some(event) = field(11) {
            let track = event.get(11).expect("an event has a track").number();
            assert!(tracks.contains(&track));
            if let Some(name) = event.get(10) {
                assert!(names.contains(&name.number()));
            }
            match event.get(9).expect("an event has a type").number() {
                1 => *open.entry(track).or_default() += 1,
                2 => {
                    *open.entry(track).or_default() -= 1;
                    count("spans");
                }
                3 => count("marks"),
                other => panic!("type {other}"),
            }
        }
    }
    assert_eq!(counts["samples"], truth.busy_samples());
    assert_eq!(counts["switches"], truth.count("cswitch"));
    assert_eq!(counts["ready"], truth.count("wakeup"));
    // Each garbage collection of the sample begins and ends, and is a span besides the disk's operations.
    let mut dump = common::command("etw");
    dump.args(["dump", "testdata/sample.etl", "--json"]);
    let events = common::run(&mut dump).stdout;
    let collections = events.lines().filter(|line| line.contains(r#""event":"GC/Stop""#)).count() as u64;
    assert!(collections > 0);
    let packets = events.lines().filter(|line| line.contains(r#""event":"DmaPacket/Stop""#)).count() as u64;
    assert!(packets > 0);
    // A collection, the suspension and the resumption of threads, and the pause of all; a packet waits and runs.
    let operations = ["disk-done", "file-operation-end", "isr", "dpc", "call"].map(|what| truth.count(what));
    assert_eq!(counts["spans"], operations.iter().sum::<u64>() + 4 * collections + 2 * packets);
    assert!(counts["marks"] >= truth.count("event") + truth.count("start") + truth.count("lwp-exit"));
    assert!(open.values().all(|depth| *depth == 0), "what begins ends");
}

/// Samples in a profile for Speedscope: stacks that are not empty.
fn sampled(profile: &Value) -> usize {
    let stacks = profile["samples"].as_array().expect("stacks");
    stacks.iter().filter(|stack| stack.as_array().is_some_and(|stack| !stack.is_empty())).count()
}

#[test]
fn a_part_can_be_chosen_and_nothing_is_replaced() {
    let folder = Folder::new("part");
    let (whole, part) = (folder.0.join("whole.json"), folder.0.join("part.json"));
    export(&whole, &["--speedscope"]);
    let ran = export(&part, &["--speedscope", "--start", "1", "--end", "2"]);
    let samples = |path: &Path| -> usize {
        let file = json(path);
        let profiles = file["profiles"].as_array().expect("profiles").clone();
        profiles.iter().map(sampled).sum()
    };
    assert!(samples(&part) > 0 && samples(&part) < samples(&whole));
    assert!(ran.stderr.contains("records outside the time asked for"), "{}", ran.stderr);
    let mut again = common::command("etw");
    again.args(["export", "testdata/sample.etl", "--speedscope", "-o"]).arg(&part);
    let ran = common::run(&mut again);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("exists"), "{}", ran.stderr);
    let mut none = common::command("etw");
    none.args(["export", "testdata/sample.etl"]);
    assert_eq!(common::run(&mut none).status, Some(2), "a format must be named");
}

/// The sample in two files, the first and the last part of it.
fn halves(folder: &Folder) -> [PathBuf; 2] {
    let parts = [("first.etl", ["--end", "3.5"]), ("last.etl", ["--start", "3.5"])];
    parts.map(|(name, words)| {
        let path = folder.0.join(name);
        let mut command = common::command("etw");
        command.args(["slice", "testdata/sample.etl", "-o"]).arg(&path).args(words);
        let ran = common::run(&mut command);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        path
    })
}

/// Two files become one timeline, whatever their order: processes that only the first names have their names in the second
/// too.
#[test]
fn several_files_are_one_timeline() {
    let folder = Folder::new("several");
    let whole = folder.0.join("whole.json");
    export(&whole, &["--speedscope"]);
    let samples = |path: &Path| -> BTreeMap<String, usize> {
        let mut samples = BTreeMap::new();
        for profile in json(path)["profiles"].as_array().expect("profiles") {
            let name = profile["name"].as_str().expect("a name").to_owned();
            *samples.entry(name).or_default() += sampled(profile);
        }
        samples
    };
    let [first, last] = halves(&folder);
    for (name, files) in [("both.json", [&first, &last]), ("turned.json", [&last, &first])] {
        let both = folder.0.join(name);
        let mut command = common::command("etw");
        command.arg("export").args(files).args(["--speedscope", "-o"]).arg(&both);
        let ran = common::run(&mut command);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(samples(&both), samples(&whole), "{name}");
    }
    // Perfetto's timeline of both parts is in one order of time, from the start of the first.
    let mut perfetto = common::command("etw");
    perfetto.arg("export").args([&last, &first]).args(["--perfetto", "-q", "-o", "-"]);
    let out = perfetto.output().expect("the command can be started");
    assert_eq!(out.status.code(), Some(0));
    let mut switches = 0;
    for (_, packet) in fields(&out.stdout) {
        let events = packet.get(95).map(Field::fields).unwrap_or_default();
        switches += events.iter().filter(|(n, event)| *n == 2 && event.get(2).is_some()).count() as u64;
    }
    assert_eq!(switches, Truth::read().count("cswitch"));
}

/// Damaged traces export what can be read, whatever the damage: they never crash.
#[test]
fn damaged_traces_export_what_is_left() {
    let folder = Folder::new("damaged");
    let sample = std::fs::read(common::sample()).expect("the sample is there");
    let mut seed = 0x9e37_79b9_u64;
    for round in 0..6 {
        let mut bytes = sample.clone();
        for _ in 0..400 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // The file's first buffer says what the file is; it stays.
            let at = 65_536 + (seed >> 20) as usize % (bytes.len() - 65_536);
            bytes[at] = (seed >> 12) as u8;
        }
        let path = folder.0.join("damaged.etl");
        std::fs::write(&path, &bytes).expect("a file can be written");
        for format in ["--perfetto", "--firefox", "--speedscope"] {
            let mut command = common::command("etw");
            command.arg("export").arg(&path).args([format, "-q", "-o", "-"]);
            let out = command.output().expect("the command can be started");
            let said = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(0), "round {round} {format}: {said}");
            assert!(out.stdout.len() > 10_000, "round {round} {format}");
        }
    }
}
