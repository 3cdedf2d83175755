//! `etw redact --suggest` and `--personal` (issue 14): what is personal is listed, blanked, and searched again.

#![allow(missing_docs)]

mod common;

use std::path::Path;

use tracewell_corpus::Scratch;

fn etw(words: &[&str]) -> common::Ran {
    common::run(common::command("etw").args(words))
}

/// The rows that `--suggest` lists: kind, value, count.
fn suggested(path: &str) -> Vec<(String, String, u64)> {
    let ran = etw(&["redact", "--suggest", path]);
    assert_eq!(ran.status, Some(0), "{path}: {}", ran.stderr);
    let kinds = [
        "computer name",
        "user name",
        "security identifier",
        "network address",
        "DNS name",
        "window title",
        "volume id",
    ];
    let row = |line: &str| {
        let kind = kinds.iter().find(|kind| line.starts_with(**kind))?;
        let (value, count) = line[kind.len()..].trim().rsplit_once("  ")?;
        Some(((*kind).to_owned(), value.trim().to_owned(), count.trim().replace(',', "").parse().ok()?))
    };
    ran.stdout.lines().filter_map(row).collect()
}

/// Whether bytes hold a text in UTF-16 or in 8-bit units, in any case.
fn has(bytes: &[u8], text: &str) -> bool {
    let narrow = text.to_ascii_lowercase().into_bytes();
    let wide: Vec<u8> = narrow.iter().flat_map(|byte| [*byte, 0]).collect();
    let low = bytes.to_ascii_lowercase();
    [narrow, wide].iter().any(|text| low.windows(text.len()).any(|found| found == text))
}

/// Blanks what is personal in a trace, and checks that nothing of what was listed is left.
fn check(path: &str, folder: &Scratch) -> Vec<(String, String, u64)> {
    let found = suggested(path);
    let made = folder.join("made.etl").display().to_string();
    let ran = etw(&["redact", "--personal", "-f", "-o", &made, path]);
    assert_eq!(ran.status, Some(0), "{path}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("nothing personal remains"), "{path}: {}", ran.stdout);
    assert_eq!(suggested(&made), [], "{path}");
    let dump = |path: &str| etw(&["dump", "--json", path]).stdout;
    let (before, after) = (dump(path), dump(&made));
    assert_eq!(before.lines().count(), after.lines().count(), "{path}: no event is lost");
    for (kind, value, count) in &found {
        assert!(*count > 0, "{path}: {kind} {value} is listed and occurs nowhere");
        // Addresses of machines may be parts of numbers.
        if kind == "security identifier" {
            assert!(before.contains(value) && !after.contains(value), "{path}: {kind} {value}");
        }
    }
    found
}

#[test]
fn issue_14_what_is_personal_in_the_sample_is_found_and_blanked() {
    let folder = Scratch::new("personal");
    let mut bytes = std::fs::read(common::sample()).expect("the sample can be read");
    // A user's folder, as long as the one of the sample.
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (from, to) in [
        (r"\Program Files\Heron\heron_core", r"\Users\Grace\Heron\xheron\_core"),
        (r"\Tools\bin\c2", r"\Users\Ada\c2"),
    ] {
        let (from, to) = (wide(from), wide(to));
        assert_eq!(from.len(), to.len());
        let places: Vec<usize> =
            (0..bytes.len() - from.len()).filter(|at| bytes[*at..*at + from.len()] == from[..]).collect();
        assert!(!places.is_empty());
        places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(&to));
    }
    let path = folder.write("trace.etl", &bytes).display().to_string();
    let found = check(&path, &folder);
    let values =
        |kind: &str| found.iter().filter(|row| row.0 == kind).map(|row| row.1.as_str()).collect::<Vec<_>>();
    assert_eq!(values("user name"), ["Ada", "Grace"]);
    assert!(values("DNS name").contains(&"www.example.com"), "{found:?}");
    assert!(values("network address").len() > 1, "{found:?}");
    let made = std::fs::read(folder.join("made.etl")).expect("it was made");
    for text in ["www.example.com", r"\Users\Ada", "Grace"] {
        assert!(has(&bytes, text) && !has(&made, text), "{text}");
    }
    // What a program does is still there.
    assert!(has(&made, "ShopApi.Orders") && has(&made, "kernel32.dll"));
    // The shape of the trace is as it was.
    assert_eq!(etw(&["verify", &folder.join("made.etl").display().to_string()]).status, Some(0));
    // With a text of the command line, which is counted by itself.
    let made = folder.join("more.etl").display().to_string();
    let ran = etw(&["redact", "--personal", "--string", "ShopApi", "-o", &made, &path]);
    assert!(ran.status == Some(0) && ran.stdout.contains("'ShopApi' "), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(etw(&["redact", "--suggest", "-o", &made, &path]).status, Some(2));
    assert_eq!(etw(&["redact", "--personal", &path]).status, Some(2));
}

#[test]
fn issue_14_what_is_personal_in_real_traces_is_found_and_blanked() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let folder = Scratch::new("personal-real");
    for name in
        ["krabsetw/powershell.etl", "airbus/AMSITrace.etl", "tx/HTTP_Server.etl", "msbuild/PerfViewData.etl"]
    {
        let path = corpus.join(name);
        if Path::new(&path).is_file() {
            check(&path.display().to_string(), &folder);
        }
    }
}
