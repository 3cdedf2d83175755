//! Independent readers read the output of the tools as the input.
//!
//! One is dissect.etl from PyPI, where the interpreter that `TRACEWELL_DISSECT` names, or `python3`, has that package. The
//! other is any program that `TRACEWELL_COUNTER` names: it is given a trace and the number 1, and its output begins with
//! the number of records; ours was made of the reader of snail-server, in C++.

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
        tracewell_corpus::skip("dissect", "set TRACEWELL_DISSECT to a Python that has dissect.etl");
        return None;
    }
    let output = Command::new(&python).arg(script).args(paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// The number of records that the other program counts; `None` where it gives up.
fn counted_by_other(program: &std::ffi::OsStr, path: &Path) -> Option<u64> {
    let output = Command::new(program).arg(path).arg("1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.split_whitespace().next()?.parse().ok()).flatten()
}

/// A folder for the files of one test, which goes with it.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Room {
        let room = std::env::temp_dir().join(format!("tracewell-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&room).unwrap();
        Room(room)
    }

    /// Runs a tool over a trace.
    fn made(&self, name: &str, write: &mut dyn FnMut(File)) -> PathBuf {
        let path = self.0.join(name);
        write(File::create(&path).unwrap());
        path
    }

    /// The output of each tool when it should keep everything.
    fn rewritten(&self, trace: &[Trace<'_>; 1]) -> Vec<PathBuf> {
        let quiet = &mut |_| ();
        let all = Selection { exact: true, ..Selection::default() };
        let none = Redaction::new(vec![Pattern::Text("no such text, anywhere".into())]).unwrap();
        vec![
            self.made("packed", &mut |file| drop(pack::compress(&trace[0], file, quiet).unwrap())),
            self.made("plain", &mut |file| drop(pack::decompress(&trace[0], file, quiet).unwrap())),
            self.made("repaired", &mut |file| drop(repair(&trace[0], file, quiet).unwrap())),
            self.made("redacted", &mut |file| drop(redact(&trace[0], &none, file, quiet).unwrap())),
            self.made("sliced", &mut |file| drop(slice(&trace[0], &all, file, quiet).unwrap())),
            self.made("merged", &mut |file| {
                drop(merge(trace, file, CompressionFormat::XPRESS, quiet).unwrap());
            }),
        ]
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn count(trace: &Trace<'_>) -> u64 {
    let mut records = trace.file_order();
    let mut count = 0;
    while records.next().is_some() {
        count += 1;
    }
    count
}

/// Compressed and plain, from Windows 7 to 11, with 32-bit and 64-bit headers.
const FILES: [&str; 7] = [
    "tx/HTTP_Server.etl",
    "msbuild/PerfViewData.etl",
    "airbus/ShutdownPerfDiagLogger.etl",
    "dotnet-performance/DynamicEvents.etl",
    "sawbuck/image_data_32_v0.etl",
    "krabsetw/powershell.etl",
    "demikernel/PktMon.etl",
];

#[test]
fn another_reader_reads_the_same() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let room = Room::new("dissect");
    let mut compared = 0;
    for name in FILES {
        let original = folder.join(name);
        let bytes = std::fs::read(&original).unwrap();
        let mut paths = vec![original];
        paths.extend(room.rewritten(&[Trace::open(&bytes).unwrap()]));
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let Some(read) = read_by_other(&paths) else { return };
        for (path, line) in paths.iter().zip(&read).skip(1) {
            assert_eq!(*line, read[0], "{name}: {}", path.display());
            compared += 1;
        }
    }
    assert_eq!(compared, 6 * FILES.len());
}

/// Parts and damaged files: the other reader finds in the output exactly the records that we find there.
#[test]
fn another_reader_reads_what_was_cut_out_blanked_or_mended() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let room = Room::new("dissect-parts");
    let quiet = &mut |_| ();
    let mut made = Vec::new();
    for name in FILES {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let mut times = Vec::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            times.push(record.time());
        }
        times.sort_unstable();
        let selection = Selection { end: Some(times[times.len() / 2]), ..Selection::default() };
        let short = name.replace('/', "-");
        made.push(room.made(&format!("sliced-{short}"), &mut |file| {
            drop(slice(&trace, &selection, file, quiet).unwrap());
        }));
        let windows = Redaction::new(vec![Pattern::Text("Windows".into())]).unwrap();
        made.push(room.made(&format!("redacted-{short}"), &mut |file| {
            drop(redact(&trace, &windows, file, quiet).unwrap());
        }));
    }
    for entry in std::fs::read_dir(folder.join("derived")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        if let Ok(trace) = Trace::open(&bytes) {
            let name = format!("repaired-{}", path.file_name().unwrap().to_string_lossy());
            made.push(room.made(&name, &mut |file| drop(repair(&trace, file, quiet).unwrap())));
        }
    }
    assert!(made.len() >= 2 * FILES.len() + 8);
    let paths: Vec<&Path> = made.iter().map(PathBuf::as_path).collect();
    let Some(read) = read_by_other(&paths) else { return };
    for (path, line) in paths.iter().zip(&read) {
        let bytes = std::fs::read(path).unwrap();
        let own = count(&Trace::open(&bytes).unwrap());
        assert_eq!(line.split(' ').next(), Some(own.to_string().as_str()), "{}", path.display());
    }
}

/// A reader in another language, where there is one. It leaves out a record of some files that were not rewritten, and
/// gives up at others, where the tools put things right; what it reads of an output is then everything.
#[test]
fn a_reader_in_another_language_counts_the_same() {
    let Some(program) = std::env::var_os("TRACEWELL_COUNTER") else {
        tracewell_corpus::skip("counter", "set TRACEWELL_COUNTER to a reader that counts records");
        return;
    };
    let Some(folder) = tracewell_corpus::folder() else { return };
    let room = Room::new("counter");
    let mut compared = 0;
    for name in FILES {
        let original = folder.join(name);
        let bytes = std::fs::read(&original).unwrap();
        let trace = [Trace::open(&bytes).unwrap()];
        let (all, before) = (count(&trace[0]), counted_by_other(&program, &original));
        for path in room.rewritten(&trace) {
            let after = counted_by_other(&program, &path);
            assert!(after == before || after == Some(all), "{name} {}: {after:?} of {all}", path.display());
            compared += u32::from(after.is_some());
        }
    }
    assert!(compared >= 24, "{compared}");
}
