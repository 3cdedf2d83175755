//! What the tools write is read by an independent reader (dissect.etl, from PyPI) as what went in.
//!
//! Runs where the interpreter that `TRACEWELL_DISSECT` names, or `python3`, has that package.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_relog::{Pattern, Redaction, Selection, merge, pack, redact, repair, slice};

/// One line for each file: number of records and digest.
fn read_by_other(paths: &[&Path]) -> Option<Vec<String>> {
    let python = std::env::var_os("TRACEWELL_DISSECT").unwrap_or_else(|| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records.py");
    let present = Command::new(&python).args(["-c", "import dissect.etl"]).output();
    if !present.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: no Python with dissect.etl here (set TRACEWELL_DISSECT to one)");
        return None;
    }
    let output = Command::new(&python).arg(script).args(paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn another_reader_reads_the_same() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let room = std::env::temp_dir().join(format!("tracewell-dissect-{}", std::process::id()));
    std::fs::create_dir_all(&room).unwrap();
    let make = |name: &str| -> (PathBuf, File) {
        let path = room.join(name);
        let file = File::create(&path).unwrap();
        (path, file)
    };
    let mut compared = 0;
    // Compressed and plain, from Windows 7 to 11, with 32-bit and 64-bit headers.
    for name in [
        "tx/HTTP_Server.etl",
        "msbuild/PerfViewData.etl",
        "airbus/ShutdownPerfDiagLogger.etl",
        "dotnet-performance/DynamicEvents.etl",
        "sawbuck/image_data_32_v0.etl",
        "krabsetw/powershell.etl",
    ] {
        let original = folder.join(name);
        let bytes = std::fs::read(&original).unwrap();
        let trace = [Trace::open(&bytes).unwrap()];
        let quiet = &mut |_| ();
        let all = Selection { exact: true, ..Selection::default() };
        let none = Redaction::new(vec![Pattern::Text("no such text, anywhere".into())]).unwrap();
        let mut paths = vec![original];
        let mut add = |name: &str, write: &mut dyn FnMut(File)| {
            let (path, file) = make(name);
            write(file);
            paths.push(path);
        };
        add("packed", &mut |file| drop(pack::compress(&trace[0], file, quiet).unwrap()));
        add("plain", &mut |file| drop(pack::decompress(&trace[0], file, quiet).unwrap()));
        add("repaired", &mut |file| drop(repair(&trace[0], file, quiet).unwrap()));
        add("redacted", &mut |file| drop(redact(&trace[0], &none, file, quiet).unwrap()));
        add("sliced", &mut |file| drop(slice(&trace[0], &all, file, quiet).unwrap()));
        add("merged", &mut |file| drop(merge(&trace, file, CompressionFormat::XPRESS, quiet).unwrap()));
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let Some(read) = read_by_other(&paths) else { break };
        for (path, line) in paths.iter().zip(&read).skip(1) {
            assert_eq!(*line, read[0], "{name}: {}", path.display());
            compared += 1;
        }
    }
    std::fs::remove_dir_all(&room).unwrap();
    assert!(compared == 36 || compared == 0, "{compared}");
}
