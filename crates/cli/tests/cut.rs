//! Trace files that another process shortens while a command reads them (issue 14): the command ended by `SIGBUS` and left its
//! partial output behind.

#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tracewell_corpus::Scratch;

/// Exit status of a command whose input became shorter.
const CUT: i32 = 3;

/// The sample with its buffers again and again, of at least so many bytes.
fn large(path: &Path, least: usize) {
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    let buffer = u32::from_le_bytes(sample[..4].try_into().expect("four bytes")) as usize;
    let mut bytes = sample.clone();
    while bytes.len() < least {
        bytes.extend_from_slice(&sample[buffer..]);
    }
    std::fs::write(path, bytes).expect("it can be written");
}

fn shorten(path: &Path, to: u64) {
    let file = std::fs::File::options().write(true).open(path).expect("it can be opened");
    file.set_len(to).expect("it can be shortened");
}

/// Waits until a process has a file mapped.
fn mapped(pid: u32, path: &Path) {
    let path = path.display().to_string();
    for _ in 0..20_000 {
        let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
        if maps.contains(&path) {
            return;
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    panic!("{path} is never mapped");
}

/// What a command said in the end, and that only its result is left.
fn check(words: &[&str], folder: &Path, out: &Output) {
    let errors = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(CUT), "{words:?}: {:?} {errors}", out.status);
    let lines = errors.lines().filter(|line| line.contains("large.etl became shorter while it was read"));
    assert_eq!(lines.count(), 1, "{words:?}: {errors}");
    let names = std::fs::read_dir(folder).expect("it is there").flatten();
    let names: Vec<String> = names.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert!(
        names.iter().all(|name| !name.contains("partial") && !name.starts_with(".tmp")),
        "{words:?}: {names:?}"
    );
}

/// Runs a command on `large.etl` and a pipe: it maps the first, and then waits until the second is written to.
fn shortened_before_reading(name: &str, program: &str, words: &[&str], each: &[&str]) -> Scratch {
    let folder = Scratch::new(name);
    let (trace, pipe) = (folder.join("large.etl"), folder.join("pipe.etl"));
    large(&trace, 4 << 20);
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    let mut command = common::command(program);
    command.args(words).current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    for path in [&trace, &pipe] {
        command.args(each).arg(path);
    }
    let child = command.spawn().expect("it starts");
    mapped(child.id(), &trace);
    let mut writer = std::fs::File::options().write(true).open(&pipe).expect("the command reads");
    shorten(&trace, (2 << 20) + 100);
    writer.write_all(&std::fs::read(common::sample()).expect("it can be read")).expect("the command reads");
    drop(writer);
    let out = child.wait_with_output().expect("it ends");
    check(words, &folder, &out);
    folder
}

#[test]
fn issue_14_tools_write_what_was_read() {
    let sound = |path: &Path| {
        let ran = common::run(common::command("etw").args(["stats", "--json"]).arg(path));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let facts: serde_json::Value = serde_json::from_str(ran.stdout.trim()).expect("JSON");
        assert!(facts["records"].as_u64().is_some_and(|records| records > 1000), "{facts}");
    };
    let made = shortened_before_reading("merge", "etw", &["merge", "-o", "made.etl"], &[]);
    sound(&made.join("made.etl"));
    let made = shortened_before_reading("slice", "etw", &["slice", "-o", "made.etl", "--start", "0"], &[]);
    sound(&made.join("made.etl"));
}

#[test]
fn issue_14_questions_are_answered_of_what_was_read() {
    shortened_before_reading("export", "etw", &["export", "--perfetto", "-o", "made"], &[]);
    shortened_before_reading("dump", "etw", &["dump", "--csv"], &[]);
    shortened_before_reading("watch", "etw", &["watch"], &[]);
    shortened_before_reading("dtrace", "dtrace", &["-qn", "profile:::sample-997 { @ = count(); }"], &["-E"]);
}

/// Commands that read one file after the other, cut somewhere.
#[test]
fn issue_14_a_file_cut_anywhere_ends_no_command() {
    let folder = Scratch::new("cut");
    let trace = folder.join("large.etl");
    let path = trace.display().to_string();
    for words in [
        &["verify"][..],
        &["stats"],
        &["compress", "-f", "-o", "made.etl"],
        &["decompress", "-f", "-o", "made.etl"],
        &["redact", "-f", "-o", "made.etl", "--user", "no-such-user"],
    ] {
        large(&trace, 96 << 20);
        let mut command = common::command("etw");
        command.args(words).arg(&path).current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("it starts");
        mapped(child.id(), &trace);
        shorten(&trace, (1 << 20) + 1);
        check(words, &folder, &child.wait_with_output().expect("it ends"));
    }
}
