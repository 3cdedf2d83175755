//! `etw export --parquet` and `--arrow` start the program for tables, or say how to get it.

#![cfg(unix)]

mod common;

use std::path::Path;

use common::{Ran, command, run, sample};
use tracewell_corpus::Scratch;

/// Runs `etw export` in a folder.
fn export(folder: &Path, path: &str, words: &[&str]) -> Ran {
    let cache = ("XDG_CACHE_HOME", "/my/cache");
    run(command("etw").env("PATH", path).env(cache.0, cache.1).current_dir(folder).arg("export").args(words))
}

/// In place of the program, a shell that reads the file `export` of the working folder, as that is the first word: it prints the others
/// and ends with a status. No file is started that was just written, which may fail while other tests start programs.
fn program(folder: &Path, status: u8) {
    let script = format!("for word; do echo \"[$word]\"; done\nexit {status}\n");
    std::fs::write(folder.join("export"), script).expect("the folder can be written");
    let place = folder.join("tracewell-fleet");
    if !place.exists() {
        std::os::unix::fs::symlink("/bin/sh", place).expect("the folder can be written");
    }
}

#[test]
fn issue_22_etw_says_how_to_get_the_program_for_tables() {
    let scratch = Scratch::new("tables-none");
    let folder = scratch.join("out");
    let sample = sample();
    // A program in the working folder is not started: an empty entry of PATH, or a relative one.
    program(&scratch, 0);
    for path in ["/nowhere", ":/nowhere:.", ""] {
        let ran = export(&scratch, path, &["--parquet", "out", sample.to_str().expect("a path")]);
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        for part in ["tracewell-fleet is missing", "cargo build --release", "fleet", "PATH"] {
            assert!(ran.stderr.contains(part), "{}", ran.stderr);
        }
        assert!(!folder.exists());
    }
}

#[test]
fn issue_22_etw_passes_on_what_tables_are_of() {
    let scratch = Scratch::new("tables-some");
    let path = format!("/nowhere:{}", scratch.display());
    for status in [0, 1, 6] {
        program(&scratch, status);
        let words = [
            "--arrow",
            "out",
            "-f",
            "-q",
            "a.etl",
            "--start",
            "1.5",
            "--end",
            "2024-05-01T12:00:00.5Z",
            "--pid",
            "4",
            "--manifest",
            "m.man",
            "-y",
            "srv*",
            "--",
            "-b.etl",
        ];
        let ran = export(&scratch, &path, &words);
        assert_eq!(ran.status, Some(status.into()), "{}", ran.stderr);
        let found: Vec<&str> = ran.stdout.lines().collect();
        let wanted = [
            "[--arrow]",
            "[out]",
            "[--start]",
            "[1.5]",
            "[--end]",
            "[2024-05-01T12:00:00.5Z]",
            "[--pid]",
            "[4]",
            "[--manifest]",
            "[m.man]",
            "[--symbols]",
            "[srv*]",
            "[--symbol-store]",
            "[/my/cache/tracewell/symbols]",
            "[--force]",
            "[--quiet]",
            "[--]",
            "[a.etl]",
            "[-b.etl]",
        ];
        assert_eq!(found, wanted);
    }
    // Options of timelines are refused.
    for word in ["--no-marks", "--no-inlines", "-o=x", "--perfetto"] {
        let ran = export(&scratch, &path, &["--parquet", "out", word, "a.etl"]);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{word}: {}", ran.stderr);
    }
}

#[test]
fn issue_22_etw_passes_on_a_query() {
    let scratch = Scratch::new("tables-sql");
    program(&scratch, 6);
    std::fs::rename(scratch.join("export"), scratch.join("sql")).expect("the folder can be written");
    let words = [
        "sql",
        "SELECT 1",
        "a.etl",
        "--format",
        "csv",
        "-o",
        "x",
        "--partitions",
        "3",
        "-f",
        "--manifest",
        "m.man",
        "b",
    ];
    let mut started = command("etw");
    started
        .env("PATH", &*scratch)
        .env("_NT_SYMBOL_PATH", "/of/all")
        .env_remove("HOME")
        .env_remove("XDG_CACHE_HOME");
    let ran = run(started.current_dir(&*scratch).args(words));
    let found: Vec<&str> = ran.stdout.lines().collect();
    let wanted = [
        "[--format]",
        "[csv]",
        "[--output]",
        "[x]",
        "[--partitions]",
        "[3]",
        "[--manifest]",
        "[m.man]",
        "[--symbols]",
        "[/of/all]",
        "[--force]",
        "[--]",
        "[SELECT 1]",
        "[a.etl]",
        "[b]",
    ];
    assert_eq!((ran.status, found), (Some(6), wanted.to_vec()), "{}", ran.stderr);
    let ran = run(command("etw").env("PATH", "/nowhere").args(["sql", "SELECT 1", "a.etl"]));
    assert!(ran.status == Some(1) && ran.stderr.contains("tracewell-fleet is missing"), "{}", ran.stderr);
}
