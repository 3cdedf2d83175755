//! Properties that make a trace usable as evidence: levels as they were logged, one account of missing events by every
//! command, and outputs that are complete or reported as incomplete.

mod common;

use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use tracewell_corpus::Scratch;
use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::{Event, TraceConfig, TraceWriter};
use tracewell_types::{FileTime, Guid};

struct Folder(Scratch);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(Scratch::new(name))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

const START: i64 = 1_000_000;

fn event(id: u16, level: u8, opcode: u8, keyword: u64) -> Event {
    Event {
        time: START + 1 + i64::from(level),
        provider: Guid::parse("aa18ebb0-1111-2222-3333-444455556666"),
        id,
        level,
        opcode,
        keyword,
        pid: 7,
        tid: 8,
        ..Event::default()
    }
}

fn trace(events: &[(Event, &[ExtendedItem<'_>])]) -> Vec<u8> {
    let config = TraceConfig {
        raw_start: START,
        start_time: FileTime(132_257_925_005_000_000),
        processors: 1,
        ..TraceConfig::default()
    };
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    for (event, items) in events {
        writer.event(0, event, items, &[]).unwrap();
    }
    writer.finish(FileTime(132_257_925_015_000_000)).unwrap().into_inner()
}

fn lines(arguments: &[&str]) -> Vec<Value> {
    let ran = common::run(common::command("etw").args(arguments));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Events of one kind differ in level, opcode and keyword, which JSON once took from the first of them.
#[test]
fn json_has_each_events_own_level() {
    let folder = Folder::new("levels");
    // The description of a TraceLogging event without fields: its size, no tags, its name.
    let item = [ExtendedItem { kind: ExtendedKind::SCHEMA, data: b"\x0c\0\0Activity\0" }];
    let events: Vec<(Event, &[ExtendedItem<'_>])> = vec![
        (event(5, 1, 0, 0), &[]),
        (event(5, 2, 0, 0x10), &[]),
        (event(5, 3, 0, 0x20), &[]),
        (event(0, 4, 1, 0), &item),
        (event(0, 5, 2, 0), &item),
    ];
    let path = folder.write("levels.etl", &trace(&events));
    let chosen = ["dump", "-q", "--json", "--where", "pid == 7", &path];
    let shown = lines(&chosen);
    let each = |name: &str| shown.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!(each("level"), [1, 2, 3, 4, 5]);
    assert_eq!(each("opcode"), [0, 0, 0, 1, 2]);
    let none = Value::Null;
    assert_eq!(each("keyword"), [none.clone(), "0x10".into(), "0x20".into(), none.clone(), none]);
    assert_eq!(each("event")[3..], ["Activity/Start", "Activity/Stop"]);
    let columns = lines(&["dump", "-q", "--json", "--fields", "level,opcode", "--where", "pid == 7", &path]);
    assert_eq!(columns.iter().map(|line| &line["level"]).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

/// Every command finds the same damage and says it in the same words.
#[test]
fn every_command_reports_the_same_losses() {
    let folder = Folder::new("account");
    let sample = std::fs::read(common::sample()).unwrap();
    // Cut inside a buffer, and at the end of one.
    let mut files =
        vec![folder.write("cut.etl", &sample[..100_000]), folder.write("half.etl", &sample[..1 << 17])];
    if let Some(corpus) = tracewell_corpus::folder() {
        for name in
            ["ext-item-zero-size", "bad-record-sizes", "bad-compressed-payload", "truncated-midbuffer"]
        {
            files.push(corpus.join(format!("derived/{name}.etl")).display().to_string());
        }
    }
    let out = folder.0.join("out").display().to_string();
    for file in &files {
        let verified: Value = {
            let ran = common::run(common::command("etw").args(["verify", "--json", file]));
            assert_eq!(ran.status, Some(1), "{file} is not sound");
            serde_json::from_str(&ran.stdout).unwrap()
        };
        let said = |program: &str, arguments: &[&str]| {
            let ran = common::run(common::command(program).args(arguments).arg(file));
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            let about = format!("{program}: {file}: ");
            let lines = ran.stderr.lines().filter_map(|line| line.strip_prefix(&about));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let told = said("etw", &["stats"]);
        assert!(!told.is_empty(), "{file}");
        assert_eq!(said("etw", &["dump", "--force", "-o", &out]), told, "dump {file}");
        assert_eq!(said("etw", &["export", "--perfetto", "--force", "-o", &out]), told, "export {file}");
        assert_eq!(said("dtrace", &["-qn", "sched:::on-cpu { @ = count(); }", "-E"]), told, "dtrace {file}");
        let info = &lines(&["info", "--json", file])[0];
        for fact in ["damaged_places", "buffers_missing", "events_lost", "buffers_lost"] {
            assert_eq!(info[fact], verified[fact], "{fact} of {file}");
        }
        let places = verified["damaged_places"].as_u64().unwrap();
        let damage = told.iter().find(|line| line.contains("damaged place"));
        let count = damage.map_or(0, |line| line.split(' ').next().unwrap().parse().unwrap());
        assert_eq!(count, places, "{file}");
    }
    assert_eq!(
        lines(&["info", "--json", &files[1]])[0]["buffers_missing"],
        59,
        "a file that ends with a buffer is not complete"
    );
}

/// Every command notices that its output cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_every_command() {
    let sample = common::sample().display().to_string();
    let program = "profile:::sample-997 { @[execname] = count(); }";
    for (command, arguments) in [
        ("etw", &["stats", &sample][..]),
        ("etw", &["stats", "--json", &sample]),
        ("etw", &["info", &sample]),
        ("etw", &["verify", &sample]),
        ("etw", &["symbols", &sample]),
        ("etw", &["dump", &sample]),
        ("etw", &["export", "--speedscope", "-o", "-", &sample]),
        // So little that it is written at the end.
        ("etw", &["export", "--speedscope", "--start", "0", "--end", "0.0001", "-o", "-", &sample]),
        ("etw", &["dump", "--limit", "1", "-q", &sample]),
        ("etw", &["info", &sample]),
        ("etw", &["completions", "bash"]),
        ("etw", &["--help"]),
        ("dtrace", &["-s", "scripts/whorun.d", "-E", &sample]),
        ("dtrace", &["-l", "-P", "sched"]),
        ("dtrace", &["-V"]),
        ("dtrace", &["-n", "profile:::sample-997 { @[ustack()] = count(); }", "--folded", "-E", &sample]),
        ("dtrace", &["-qn", "BEGIN { printf(\"one\\n\"); exit(0); }"]),
        ("dtrace", &["-n", program, "-E", &sample, "-o", "/dev/full"]),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let out = common::command(command).args(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{command} {arguments:?}: {said}");
        let line = format!("{command}: cannot write the output: No space left on device");
        assert!(said.lines().any(|said| said == line), "{command} {arguments:?}: {said}");
    }
}

/// A reader that goes away is nobody's failure.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_silent() {
    let sample = common::sample();
    for (command, first) in [("etw", "dump"), ("etw", "stats"), ("dtrace", "-qn")] {
        let mut run = common::command(command);
        run.arg(first);
        if command == "dtrace" {
            run.args(["sched:::on-cpu { printf(\"%s %d\\n\", execname, timestamp); }", "-E"]);
        }
        let mut child = run.arg(&sample).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!((out.status.code(), &*said), (Some(0), ""), "{command}");
    }
}

/// A trace that comes through a pipe is a trace.
#[cfg(unix)]
#[test]
fn a_trace_can_come_through_a_pipe() {
    let sample = std::fs::read(common::sample()).unwrap();
    for name in ["-", "/dev/stdin"] {
        let mut command = common::command("etw");
        let mut child = command
            .args(["stats", "--json", name])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&sample).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success());
        let piped: Value = serde_json::from_slice(&out.stdout).unwrap();
        let whole = &lines(&["stats", "--json", &common::sample().display().to_string()])[0];
        assert_eq!((&piped["records"], &piped["events"]), (&whole["records"], &whole["events"]));
    }
}

/// What a command writes takes the place of a file only when asked, of a device never.
#[cfg(target_os = "linux")]
#[test]
fn devices_stay_devices() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new("devices");
    let sample = common::sample().display().to_string();
    let fifo = folder.0.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reader = {
        let fifo = fifo.clone();
        std::thread::spawn(move || std::fs::read(fifo).unwrap())
    };
    let ran = common::run(common::command("etw").args(["slice", "--force", "-o"]).arg(&fifo).arg(&sample));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let through = folder.write("through.etl", &reader.join().unwrap());
    let ran = common::run(common::command("etw").arg("verify").arg(&through));
    assert!(ran.status == Some(0) && ran.stdout.contains(": sound, "), "{}", ran.stdout);
    assert!(fifo.metadata().unwrap().file_type().is_fifo());
    // Of a link what it points at is replaced.
    let file = folder.write("file", b"old");
    let link = folder.0.join("link");
    symlink(&file, &link).unwrap();
    let dump = |more: &[&str]| {
        common::run(
            common::command("etw").args(["dump", "--limit", "1", "-o"]).arg(&link).args(more).arg(&sample),
        )
    };
    assert_eq!(dump(&[]).status, Some(1));
    assert_eq!(std::fs::read(&file).unwrap(), b"old");
    assert_eq!(dump(&["--force"]).status, Some(0));
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 1);
}

/// A slice states the time range of its events.
#[test]
fn a_slice_knows_its_time() {
    let folder = Folder::new("slice");
    let part = folder.0.join("part.etl").display().to_string();
    let sample = common::sample().display().to_string();
    let dates = ["--start", "2020-02-10T07:15:02.5Z", "--end", "3"];
    let ran = common::run(common::command("etw").args(["slice", "-o", &part, &sample]).args(dates));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let info = &lines(&["info", "--json", &part])[0];
    let (first, last) = (info["first_event"].as_f64().unwrap(), info["last_event"].as_f64().unwrap());
    assert!((2.0..2.1).contains(&first) && (2.9..3.0).contains(&last), "{first} {last}");
    let count = |file: &str, more: &[&str]| {
        lines(&[&["dump", "-q", "--json", "--event", "PerfInfo/SampleProfile", file], more].concat()).len()
    };
    assert_eq!(count(&part, &[]), count(&sample, &dates));
    assert!(count(&part, &[]) > 1000);
}
