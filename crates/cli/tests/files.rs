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
fn verify_distinguishes_sound_damaged_and_unreadable() {
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
    // The output replaces the input.
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
fn of_several_traces_as_many_are_made_in_a_folder() {
    let folder = Folder::new("several");
    let (other, out) = (folder.file("other.etl"), folder.file("out"));
    std::fs::create_dir_all(&out).unwrap();
    expect(0, &[&"slice", &sample(), &"-o", &other, &"--end", &"1"]);
    let (said, _) = expect(0, &[&"compress", &sample(), &other, &"-o", &out]);
    assert_eq!(said.lines().count(), 2, "{said}");
    for (made, of) in [(out.join("sample.etl"), sample()), (out.join("other.etl"), other.clone())] {
        assert_eq!(verify(&made)["by_header_type"], verify(&of)["by_header_type"]);
    }
    // A trace that is there is not replaced; what can be made is made, and the status is the worst.
    std::fs::remove_file(out.join("other.etl")).unwrap();
    let (said, reported) = expect(2, &[&"repair", &sample(), &other, &"-o", &out]);
    assert!(said.contains("other.etl") && reported.contains("sample.etl exists"), "{said}{reported}");
    // A folder for each would be needed.
    let (_, reported) = expect(2, &[&"repair", &sample(), &out.join("sample.etl"), &"-o", &out, &"--force"]);
    assert!(reported.contains("have the same output name"), "{reported}");
    let (_, reported) =
        expect(2, &[&"redact", &"--user", &"alice", &sample(), &other, &"-o", &folder.file("no")]);
    assert!(reported.contains("not a directory"), "{reported}");
}

#[test]
fn a_slice_of_several_traces_is_that_of_their_merge() {
    let folder = Folder::new("merged-slice");
    let (first, second) = (folder.file("first.etl"), folder.file("second.etl"));
    let (merged, slice) = (folder.file("merged.etl"), folder.file("slice.etl"));
    let pids = |out: &PathBuf, from: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> =
            vec![&"slice", &"--start", &"0.5", &"--end", &"2.5", &"-o", out];
        arguments.extend(from);
        expect(0, &arguments).0
    };
    expect(0, &[&"slice", &sample(), &"-o", &first, &"--end", &"1"]);
    expect(0, &[&"slice", &sample(), &"-o", &second, &"--start", &"2", &"--exact"]);
    let said = pids(&slice, &[&second, &first]);
    assert!(said.contains("left out of 2 traces, raw times kept"), "{said}");
    expect(0, &[&"merge", &first, &second, &"-o", &merged]);
    let again = folder.file("again.etl");
    pids(&again, &[&merged]);
    assert_eq!(verify(&slice)["record_digest"], verify(&again)["record_digest"]);
    assert_eq!(folder.names(), ["again.etl", "first.etl", "merged.etl", "second.etl", "slice.etl"]);
}

#[test]
fn a_slice_has_the_events_that_are_named() {
    let folder = Folder::new("named");
    let count = |path: &Path, event: &str| {
        let (lines, _) = expect(0, &[&"dump", &"--quiet", &"--json", &"--event", &event, &path]);
        lines.lines().count()
    };
    for (names, wanted) in [
        (&["Process/Start"][..], &["Process/Start"][..]),
        (&["diskio/*", "1"], &["DiskIo/Read", "DiskIo/WriteInit", "Process/Start"]),
        (&["GC/Start"], &["GC/Start"]),
    ] {
        let out = folder.file("out.etl");
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"slice", &"-f", &"--exact", &"-o", &out];
        let of_sample = sample();
        arguments.push(&of_sample);
        for name in names {
            arguments.extend([&"--event" as &dyn AsRef<std::ffi::OsStr>, name]);
        }
        let (said, _) = expect(0, &arguments);
        for event in wanted {
            assert!(count(&out, event) > 0, "{event}: {said}");
            assert_eq!(count(&out, event), count(&sample(), event), "{event}");
        }
        assert!(verify(&out)["records"].as_u64() < verify(&sample())["records"].as_u64());
    }
    let absent = folder.file("absent.etl");
    let (_, reported) = expect(2, &[&"slice", &sample(), &"-o", &absent, &"--event", &"Proces/Start"]);
    assert!(reported.contains("did you mean Process/Start?"), "{reported}");
    let (_, reported) = expect(2, &[&"slice", &sample(), &"-o", &absent, &"--event", &"Registry/Virtualize"]);
    assert!(reported.contains("no event here is named 'Registry/Virtualize'"), "{reported}");
    // Issue 3: providers are called as `dump` shows them; what nothing has is refused.
    for (provider, wanted) in [("Microsoft-Windows-DotNET*", "GC/Start"), ("windows kernel", "Process/Start")]
    {
        let out = folder.file("out.etl");
        let (said, _) =
            expect(0, &[&"slice", &"-f", &"--exact", &sample(), &"-o", &out, &"--provider", &provider]);
        assert!(count(&out, wanted) > 0, "{provider}: {said}");
        assert_eq!(count(&out, wanted), count(&sample(), wanted), "{provider}");
    }
    let (lines, _) = expect(0, &[&"dump", &"--quiet", &"--json", &"--event", &"GC/Start", &sample()]);
    let (by_probe, _) = expect(0, &[&"dump", &"--quiet", &"--json", &"--event", &"gc_start", &sample()]);
    assert_eq!(lines, by_probe);
    expect(
        0,
        &[&"slice", &"-f", &"--exact", &sample(), &"-o", &folder.file("out.etl"), &"--event", &"gc_start"],
    );
    assert_eq!(count(&folder.file("out.etl"), "GC/Start"), lines.lines().count(), "by the name of its probe");
    let (_, reported) =
        expect(2, &[&"slice", &sample(), &"-o", &absent, &"--provider", &"Microsoft-Windows-DotNETRuntim"]);
    assert!(reported.contains("did you mean Microsoft-Windows-DotNETRuntime?"), "{reported}");
    for nothing in [["--pid", "4000000000"], ["--event", "65000"]] {
        let (_, reported) = expect(2, &[&"slice", &sample(), &"-o", &absent, &nothing[0], &nothing[1]]);
        assert!(reported.contains("no event in the trace matches"), "{reported}");
    }
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
    // Merging a slice with itself doubles everything except the header.
    expect(0, &[&"merge", &seconds, &dates, &"-o", &all]);
    assert_eq!(verify(&all)["records"].as_u64().unwrap() + 1, 2 * a["records"].as_u64().unwrap());
}
