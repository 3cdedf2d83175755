//! D programs of the project, run by the command: `tests/d/GROUP/` at the workspace root.
//!
//! - `tst.NAME.d` exits with 0 and writes `tst.NAME.out`, and on standard error `tst.NAME.err`, or nothing without that file;
//! - `err.D_TAG.NAME.d` is rejected with that tag; `err.NAME.d` is rejected with the line in `err.NAME.err`;
//! - `drp.TAG.NAME.d` exits with 0 and reports drops of that tag.
//!
//! `TRACEWELL_BLESS=1` rewrites the expected output.

#![allow(missing_docs)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tracewell_dlang::builtins::Subr;
use tracewell_dlang::format::{CONVERSIONS, Format};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/d")
}

/// All programs of a kind, in order.
fn programs(kind: &str) -> Vec<PathBuf> {
    let mut list = Vec::new();
    for group in std::fs::read_dir(root()).unwrap() {
        for file in std::fs::read_dir(group.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with(&format!("{kind}.")) && name.ends_with(".d") {
                list.push(path);
            }
        }
    }
    list.sort();
    assert!(list.len() > 1, "no {kind} programs");
    list
}

/// Runs the command on a program in its own folder, as the published suites do.
fn run(path: &Path, tags: Option<&str>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dtrace"))
        .args(tags)
        .args(["-C", "-s"])
        .arg(path.file_name().unwrap())
        .current_dir(path.parent().unwrap())
        .env("TZ", "UTC")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Runs a check over programs on a few threads; fails with all that it finds.
fn check(programs: &[PathBuf], one: impl Fn(&Path) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let misses = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = one(path) {
                        misses.lock().unwrap().push(format!("{}: {why}", path.display()));
                    }
                }
            });
        }
    });
    let misses = misses.into_inner().unwrap();
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// Compares with the file beside the program, or writes it.
fn compare(path: &Path, extension: &str, got: &[u8]) -> Result<(), String> {
    let beside = path.with_extension(extension);
    let got = String::from_utf8_lossy(got).replace("\r\n", "\n");
    // A program that prints nothing on standard error has no file that says so.
    if extension == "err" && got.is_empty() && !beside.exists() {
        return Ok(());
    }
    tracewell_corpus::golden(&beside, &got)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Programs that need what only a Unix system has: a shell, `/dev/null`.
fn runs_here(path: &Path) -> bool {
    cfg!(unix) || !path.to_string_lossy().contains("tst.destructive.")
}

#[test]
fn programs_print_what_is_expected() {
    check(&programs("tst"), |path| {
        if !runs_here(path) {
            return Ok(());
        }
        let output = run(path, None);
        if output.status.code() != Some(0) {
            return Err(format!("{}: {}", output.status, stderr(&output)));
        }
        compare(path, "out", &output.stdout)?;
        compare(path, "err", &output.stderr)
    });
}

#[test]
fn faulty_programs_are_refused() {
    check(&programs("err"), |path| {
        let output = run(path, Some("-xerrtags"));
        let text = stderr(&output);
        if output.status.code() != Some(1) {
            return Err(format!("{}, not 1: {text}", output.status));
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match name.split('.').nth(1).filter(|tag| tag.starts_with("D_")) {
            Some(tag) => {
                let first = text.lines().next().unwrap_or_default();
                if first.contains(&format!(": [{tag}] line ")) { Ok(()) } else { Err(text) }
            }
            None => compare(path, "err", &output.stderr),
        }
    });
}

#[test]
fn losses_are_reported() {
    check(&programs("drp"), |path| {
        let output = run(path, Some("-xdroptags"));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let tag = name.split('.').nth(1).unwrap_or_default().to_owned();
        if output.status.code() == Some(0) && stderr(&output).contains(&format!("[{tag}] ")) {
            Ok(())
        } else {
            Err(format!("{}: {}", output.status, stderr(&output)))
        }
    });
}

/// Subroutines that no program of ours calls, with the reason.
const NOT_CALLED: &[(&str, &str)] = &[
    ("copyout", "writes into another process"),
    ("copyoutstr", "writes into another process"),
    ("ddi_pathname", "refers to the kernel of the original"),
    ("getf", "refers to the kernel of the original"),
    ("getmajor", "refers to the kernel of the original"),
    ("getminor", "refers to the kernel of the original"),
    ("msgdsize", "refers to the kernel of the original"),
    ("msgsize", "refers to the kernel of the original"),
    ("mutex_owned", "refers to the kernel of the original"),
    ("mutex_owner", "refers to the kernel of the original"),
    ("mutex_type_adaptive", "refers to the kernel of the original"),
    ("mutex_type_spin", "refers to the kernel of the original"),
    ("rw_iswriter", "refers to the kernel of the original"),
    ("rw_read_held", "refers to the kernel of the original"),
    ("rw_write_held", "refers to the kernel of the original"),
    ("wstringof", "its text comes from events: the tests over traces have it"),
    ("wstrlen", "its text comes from events: the tests over traces have it"),
    ("(string)", "has no name in D"),
    ("breakpoint", "stops the machine"),
    ("panic", "stops the machine"),
    ("raise", "sends a signal to a process"),
    ("stop", "stops a process"),
];

/// The conversions of all strings in program texts.
fn conversions(texts: &str) -> BTreeSet<char> {
    let mut found = BTreeSet::new();
    for literal in texts.split('"').skip(1).step_by(2) {
        if let Ok(format) = Format::parse(literal.as_bytes()) {
            found.extend(format.conversions().map(|c| char::from(c.conv)));
        }
    }
    found
}

#[test]
fn programs_cover_the_language() {
    let mut words = BTreeSet::new();
    let mut shown = BTreeSet::new();
    for path in programs("tst") {
        let text = std::fs::read_to_string(path).unwrap();
        words.extend(text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned));
        // A file at a time: a quote inside one string misleads the search to the end of its file only.
        shown.extend(conversions(&text));
    }
    let options = "agghist aggpack aggzoom aggsortkey aggsortkeypos aggsortrev bufpolicy bufsize encoding flowindent \
                   nspec quiet dx loopmax";
    let missing: Vec<&str> = Subr::ALL
        .iter()
        .map(|s| s.name())
        .chain(tracewell_dlang::ACTION_NAMES.iter().copied())
        .chain(tracewell_dlang::AGGREGATING_NAMES.iter().copied())
        .chain(tracewell_dlang::EXTENSION_NAMES.iter().copied())
        .filter(|name| !NOT_CALLED.iter().any(|(known, _)| known == name))
        .chain(options.split_whitespace())
        .filter(|name| !words.contains(*name))
        .collect();
    assert!(missing.is_empty(), "no program uses {missing:?}");
    let missing: Vec<char> =
        CONVERSIONS.iter().map(|row| char::from(row.conv)).filter(|c| !shown.contains(c)).collect();
    assert!(missing.is_empty(), "no program prints by {missing:?}");
    let dropped: BTreeSet<String> = programs("drp")
        .iter()
        .filter_map(|p| p.file_name()?.to_str()?.split('.').nth(1).map(str::to_owned))
        .collect();
    for tag in tracewell_dengine::DROP_TAGS {
        assert!(dropped.contains(&format!("DTRACEDROP_{tag}")), "no program drops {tag}");
    }
}

#[test]
fn a_program_has_a_largest_size() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("large.d");
    for (count, status) in [(32_768, 3), (32_769, 1)] {
        let descriptions = vec!["dtrace:::BEGIN"; count].join(",\n");
        std::fs::write(&script, format!("{descriptions} {{ exit(3); }}")).unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_dtrace")).arg("-qs").arg(&script).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(status), "{said}");
        assert_eq!(said.contains("DIF program exceeds maximum program size"), status == 1, "{said}");
    }
}
