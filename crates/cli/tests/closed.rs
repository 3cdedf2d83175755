//! Commands whose readers have closed standard output or standard error. They end as they would otherwise. Issue 5.
#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A pipe without a reader.
fn unread() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// The sample, cut in the midst of a buffer.
fn cut() -> PathBuf {
    let mut bytes = std::fs::read(common::sample()).expect("the sample can be read");
    bytes.truncate(bytes.len() * 2 / 3 + 7);
    tracewell_corpus::shared(Path::new(env!("CARGO_TARGET_TMPDIR")), "closed_cut.etl", &bytes)
}

/// Command lines each of which says something on standard error.
fn rows() -> Vec<(&'static str, Vec<String>)> {
    let (sample, cut) = (common::sample().display().to_string(), cut().display().to_string());
    let dtrace: &[&[&str]] = &[
        &["-n", "reg:::open { trace(1); }", "-E", &sample],
        &["-n", "profile:::sample-997 { @ = count(); }", "-E", &sample],
        &["-n", "profile:::sample-997 { @ = count(); }", "-E", &cut],
        &["-qn", "BEGIN { trace(*(int *)8); } BEGIN { exit(3); }"],
        &["-qn", "BEGIN { freopen(\"/no/such/folder\"); exit(0); }", "-w"],
        &["-q", "-x", "nspec=1", "-n", "BEGIN { speculation(); speculation(); exit(0); }"],
        &["-qn", "profile:::sample-997 { @[stack()] = count(); }", "-E", &sample, "--watch"],
        &["-Se", "-n", "BEGIN { exit(0); }"],
        &["-n", "BEGIN { x = ; }"],
        &["-n", "nosuch:::probe"],
        &["-n", "BEGIN", "-E", "/no/such/file.etl"],
        &["-lP", "nosuch"],
        &["-l", "-E", &sample],
        &["-x", "nosuch=1", "-n", "BEGIN"],
        &["--nosuch"],
        &[],
    ];
    let etw: &[&[&str]] = &[
        &["info", "/no/such/file.etl"],
        &["stats", "/no/such/file.etl"],
        &["stats", &cut],
        &["dump", "/no/such/file.etl"],
        &["dump", &sample, "--provider", "nosuch"],
        &["dump", &sample, "--where", "nonsense ="],
        &["dump", &cut, "--limit", "5"],
        &["symbols", "/no/such/file.etl"],
        &["verify", "/no/such/file.etl"],
        &["export", "--perfetto", "-", "/no/such/file.etl"],
        &["export", "--firefox", "/dev/null", &sample],
        &["merge", "/no/such/file.etl", "-o", "/no/such/folder/out.etl"],
        &["man", "nosuch"],
        &["nosuch"],
        &["dump"],
    ];
    let owned = |words: &&[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let dtrace = dtrace.iter().map(|words| ("dtrace", owned(words)));
    dtrace.chain(etw.iter().map(|words| ("etw", owned(words)))).collect()
}

fn command(name: &str, words: &[String]) -> Command {
    let mut command = common::command(name);
    command.args(words);
    command
}

#[test]
fn closed_standard_error_changes_nothing() {
    for (name, words) in rows() {
        let usual = common::run(&mut command(name, &words));
        assert_ne!(usual.stderr, "", "{name} {words:?} says nothing");
        assert!(matches!(usual.status, Some(0..=3)), "{name} {words:?}: {usual:?}");
        let out = command(name, &words).stderr(unread()).output().expect("the command can be started");
        assert_eq!(out.status.code(), usual.status, "{name} {words:?}");
        assert_eq!(String::from_utf8_lossy(&out.stdout), usual.stdout, "{name} {words:?}");
    }
}

#[test]
fn both_closed_is_no_failure_of_the_command() {
    for (name, words) in rows() {
        let usual = common::run(&mut command(name, &words));
        let status = command(name, &words).stderr(unread()).stdout(unread()).status();
        let status = status.expect("the command can be started");
        // A command that stops because its reader is gone has done nothing wrong.
        assert!(
            status.code() == usual.status || status.code() == Some(0),
            "{name} {words:?}: {status}, not {:?}",
            usual.status
        );
    }
}
