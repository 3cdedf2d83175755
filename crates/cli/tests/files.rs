//! The file tools as commands: exit statuses, outputs that are never overwritten, times and names given as text.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl")
}

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tracewell-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn etw(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_etw"));
    command.args(arguments).output().unwrap()
}

#[track_caller]
fn expect(status: i32, arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> (String, String) {
    let output = etw(arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{out}{err}");
    (out, err)
}

fn verify(path: &Path) -> Value {
    let (out, _) = expect(0, &[&"verify", &"--json", &path]);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn verify_tells_sound_damaged_and_unreadable_apart() {
    let folder = Folder::new("verify");
    let mut bytes = std::fs::read(sample()).unwrap();
    let sound = verify(&sample());
    assert_eq!(
        (sound["status"].as_str(), sound["damaged"].as_array().map(Vec::len)),
        (Some("sound"), Some(0))
    );
    let second = u32::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    bytes[second..second + 4].fill(0xFF);
    let (damaged, not) = (folder.file("damaged.etl"), folder.file("not.etl"));
    std::fs::write(&damaged, &bytes).unwrap();
    std::fs::write(&not, "text").unwrap();
    let (out, _) = expect(1, &[&"verify", &"--json", &sample(), &damaged]);
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(last["damaged"][0]["offset"], second);
    let (out, _) = expect(2, &[&"verify", &"--json", &not, &damaged]);
    assert_eq!(out.lines().count(), 2);
    // What is repaired is sound.
    let repaired = folder.file("repaired.etl");
    expect(0, &[&"repair", &damaged, &"-o", &repaired]);
    assert_eq!(verify(&repaired)["records"], last["records"]);
}

#[test]
fn an_output_is_complete_or_absent_and_never_overwritten() {
    let folder = Folder::new("output");
    let out = folder.file("out.etl");
    std::fs::write(&out, "precious").unwrap();
    let (_, err) = expect(2, &[&"compress", &sample(), &"-o", &out]);
    assert!(err.contains("exists"), "{err}");
    assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    expect(0, &[&"compress", &sample(), &"--force", &"-o", &out]);
    let (before, after) = (verify(&sample()), verify(&out));
    assert_eq!(before["records"], after["records"]);
    // In place of its own input.
    expect(0, &[&"decompress", &out, &"--force", &"-o", &out]);
    assert_eq!(verify(&out)["by_header_type"], before["by_header_type"]);
    // A wrong choice leaves nothing behind.
    let absent = folder.file("absent.etl");
    expect(2, &[&"slice", &sample(), &"-o", &absent, &"--provider", &"no such thing"]);
    expect(2, &[&"slice", &sample(), &"-o", &absent, &"--start", &"noon"]);
    expect(2, &[&"redact", &sample(), &"-o", &absent, &"--user", &"ab"]);
    expect(2, &[&"redact", &sample(), &"-o", &absent]);
    assert_eq!(folder.names(), ["out.etl"]);
}

#[test]
fn slices_are_cut_by_seconds_and_dates_alike() {
    let folder = Folder::new("slice");
    let info: Value = serde_json::from_str(&expect(0, &[&"info", &"--json", &sample()]).0).unwrap();
    let start: jiff::Timestamp = info["start_time"].as_str().unwrap().parse().unwrap();
    let at = |ms: i64| (start + jiff::SignedDuration::from_millis(ms)).to_string();
    let (seconds, dates, all) =
        (folder.file("seconds.etl"), folder.file("dates.etl"), folder.file("all.etl"));
    expect(0, &[&"slice", &sample(), &"-o", &seconds, &"--start", &"0.25", &"--end", &"0.5"]);
    expect(0, &[&"slice", &sample(), &"-o", &dates, &"--start", &at(250), &"--end", &at(500)]);
    let (a, b) = (verify(&seconds), verify(&dates));
    assert_eq!(a["record_digest"], b["record_digest"]);
    assert!(a["records"].as_u64() < verify(&sample())["records"].as_u64());
    // The same slice twice is merged to twice as much, but for the one header.
    expect(0, &[&"merge", &seconds, &dates, &"-o", &all]);
    assert_eq!(verify(&all)["records"].as_u64().unwrap() + 1, 2 * a["records"].as_u64().unwrap());
}
