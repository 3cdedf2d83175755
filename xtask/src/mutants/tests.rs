//! A small crate whose mutants have known outcomes.

use std::path::Path;
use std::time::{Duration, Instant};

use super::sample::Size;
use super::{Options, measure, trials};

const MANIFEST: &str =
    "[package]\nname = \"fixture\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

const LIBRARY: &str = r#"//! Functions that are tested in different ways.
#![forbid(unsafe_code)]
mod inner;
#[cfg(windows)]
mod elsewhere;

/// Tested at both sides of the boundary.
pub fn tested(a: u8) -> bool {
    a < 5
}

/// Run, but no value is compared.
pub fn run_only(a: u8) -> bool {
    a < 6
}

/// No test calls it.
pub fn unreached(a: u8) -> bool {
    a < 7
}

/// Only the command calls it, which a test runs.
pub fn in_the_command(a: u8) -> bool {
    a < 8
}

/// The result is the same at the boundary.
pub fn equivalent(a: u8) -> u8 {
    if a < 9 { a } else { inner::larger(a, 9) }
}

/// Fails in one test the first time, with or without cause.
pub fn unsteady(a: u8) -> bool {
    a < 10
}

/// Ends only while the condition holds.
pub fn endless(a: u8) -> u8 {
    let mut turns = 0;
    while turns < a {
        turns += 1;
    }
    turns
}

/// A value without a default: this mutant does not compile.
pub struct Odd(pub u8);
/// Returns a value.
pub fn odd() -> Odd {
    Odd(inner::larger(1, 2))
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_the_library() {
        assert!(super::tested(4) && !super::tested(5) && !super::tested(6));
        super::run_only(6);
        assert_eq!([8, 9, 10].map(super::equivalent), [8, 9, 10]);
        assert_eq!(super::odd().0, 2);
    }
}
"#;

const INNER: &str = "pub fn larger(a: u8, b: u8) -> u8 {\n    a.max(b)\n}\n";

const COMMAND: &str = "fn main() {\n    println!(\"{}\", fixture::in_the_command(8));\n}\n";

const TESTS: &str = r#"
use std::process::Command;

#[test]
fn of_the_command() {
    let done = Command::new(env!("CARGO_BIN_EXE_fixture")).output().unwrap();
    assert_eq!(done.stdout, b"false\n");
}

#[test]
fn of_a_loop() {
    assert_eq!(fixture::endless(3), 3);
}

#[test]
fn fails_once_with_each_mutant() {
    fixture::unsteady(10);
    if let Ok(mutant) = std::env::var("TRACEWELL_MUTANT") {
        let marker = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(mutant);
        let is_second = marker.exists();
        std::fs::write(marker, "").unwrap();
        assert!(is_second);
    }
}

#[test]
fn always_fails() {
    assert!(!fixture::tested(1));
}
"#;

const JUDGED: &str = "# file | function | change | reason\n\
    src/lib.rs | equivalent | a < 9 => a <= 9 | both branches return 9\n";

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn fixture(root: &Path) {
    for (name, text) in [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("src/inner.rs", INNER),
        ("src/elsewhere.rs", "pub fn never(a: u8) -> bool {\n    a < 1\n}\n"),
        ("src/main.rs", COMMAND),
        ("tests/it.rs", TESTS),
        ("tests/mutants.table", JUDGED),
    ] {
        write(root, name, text);
    }
}

fn options(root: &Path) -> Options {
    Options {
        crates: Vec::new(),
        sample: None,
        seed: Some(1),
        changed_since: None,
        tests_of: Vec::new(),
        folder: root.join("target/mutants"),
        resume: false,
        rules: trials::Rules {
            jobs: 2,
            skip: Vec::new(),
            longest: Duration::from_secs(600),
            grace: Duration::from_secs(5),
            multiple: 10,
            budget: Duration::from_secs(600),
            end: None,
        },
    }
}

#[test]
fn mutants_of_a_small_crate_have_the_known_outcomes() {
    let scratch = tracewell_corpus::Scratch::new("mutants");
    let root: &Path = &scratch;
    fixture(root);
    let report = measure(root, &options(root)).unwrap();
    let line = |text: &str| report.lines().find(|line| line.contains(text)).map(str::to_owned);

    // Noticed: by a test of the library, through the command, and by the time limit.
    for change in ["a < 5 => a <= 5", "a < 5 => a >= 5", "a < 8 => a <= 8", "deleted: turns += 1", "a.max(b)"]
    {
        assert_eq!(line(change), None, "{report}");
    }
    assert!(line("a < 6 => a <= 6").unwrap().contains("run_only: "), "{report}");
    assert!(line("a < 6 => a >= 6").unwrap().ends_with("(passes 1 of 1 tests that reach it)"), "{report}");
    assert!(line("a < 7 => a <= 7").unwrap().ends_with("(no test reaches it)"), "{report}");
    // The table says that it is equivalent. The other change of this place is noticed.
    assert_eq!(line("equivalent: a < 9"), None, "{report}");
    // A failure that does not come again is not counted, and is reported.
    assert!(line("a < 10 => a <= 10").is_some(), "{report}");
    assert!(line("fixture it fails_once_with_each_mutant: ").is_some(), "{report}");
    assert!(report.contains("were not used:\nfixture it always_fails\n"), "{report}");
    // Code of other systems has no mutants.
    assert!(!report.contains("elsewhere"), "{report}");
    let plan = super::model::Plan::load(&root.join("target/mutants/plan.json")).unwrap();
    let odd = plan.mutants.iter().find(|mutant| mutant.function == "odd" && mutant.kind == "body").unwrap();
    assert_eq!(plan.dropped.iter().collect::<Vec<_>>(), [&odd.id]);

    // A second run continues where the first one was interrupted.
    let outcomes = root.join("target/mutants/outcomes.jsonl");
    let lines = std::fs::read_to_string(&outcomes).unwrap();
    let (first, rest) = lines.split_at(lines.match_indices('\n').nth(3).unwrap().0 + 1);
    let marked = first.replace("\"by\":null", "\"by\":\"the first run\"");
    std::fs::write(&outcomes, [marked.as_str(), &rest[..rest.len().min(9)]].concat()).unwrap();
    let resumed = measure(root, &Options { resume: true, ..options(root) }).unwrap();
    let after = std::fs::read_to_string(&outcomes).unwrap();
    assert!(after.starts_with(&marked), "{after}");
    let ids = |text: &str| text.lines().filter(|line| line.starts_with('{') && line.ends_with('}')).count();
    assert_eq!(ids(&after), ids(&lines), "{resumed}");

    // A run does not depend on the workspace any more once it has begun.
    write(root, "src/inner.rs", "pub fn smaller() {}\n");
    for _ in 0..2 {
        let again = measure(root, &Options { resume: true, ..options(root) }).unwrap();
        assert_eq!(again.lines().next(), resumed.lines().next());
        let _ = std::fs::remove_file(root.join("target/mutants/programs.json"));
    }
    // A new run takes the workspace as it is now.
    measure(root, &options(root)).unwrap_err();
}

/// Tests that are left out do not notice anything, and are named.
#[test]
fn slow_and_named_tests_are_left_out() {
    let scratch = tracewell_corpus::Scratch::new("mutants-left-out");
    let root: &Path = &scratch;
    fixture(root);
    write(root, "tests/slow.rs", "#[test]\nfn compares() {\n    assert!(!fixture::unreached(7));\n}\n");
    let mut options = options(root);
    options.rules.skip = vec!["of_a_loop".to_owned(), "it always".to_owned()];
    // The time is over before the first mutant.
    options.rules.end = Some(Instant::now());
    let report = measure(root, &options).unwrap();
    assert!(report.lines().next().unwrap().ends_with(" 0 ran"), "{report}");
    options.rules.end = None;

    let reached = root.join("target/mutants/reached.jsonl");
    let lines = std::fs::read_to_string(&reached).unwrap();
    assert!(!lines.contains("of_a_loop") && !lines.contains("always_fails"), "{lines}");
    // A test took longer than the limit, another one was ended there.
    let longer = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["timed out"], false, "{line}");
        if line["test"] == "fixture slow compares" {
            line["milliseconds"] = 600_001.into();
        } else if line["test"] == "fixture it of_the_command" {
            line["timed out"] = true.into();
        }
        format!("{line}\n")
    };
    std::fs::write(&reached, lines.lines().map(longer).collect::<String>()).unwrap();
    let report = measure(root, &Options { resume: true, ..options }).unwrap();
    let (head, names) = report.split_once("\nTests that were left out").unwrap();
    let mut names: Vec<&str> = names.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    names.sort_unstable();
    let of_it = ["always_fails", "of_a_loop", "of_the_command"].map(|name| format!("fixture it {name}"));
    assert_eq!(names[..3], of_it, "{report}");
    assert_eq!(names[3..], ["fixture slow compares"], "{report}");
    assert!(!head.contains("were not used"), "{report}");
    for change in ["deleted: turns += 1", "a < 7 => a <= 7", "a < 8 => a <= 8"] {
        let line = head.lines().find(|line| line.contains(change)).unwrap();
        assert!(line.ends_with("(no test reaches it)"), "{line}");
    }
    assert!(!head.contains("a < 5 => a <= 5"), "{report}");
}

#[test]
fn arguments_are_checked() {
    let root = Path::new("/w");
    let parse = |text: &str| {
        let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Options::parse(root, &arguments)
    };
    let options = parse("--crate etl --crate cli --sample 9 --seed 7 --jobs 3 --budget 5 --resume").unwrap();
    assert_eq!(options.crates, ["etl", "cli"]);
    assert_eq!((options.sample, options.seed, options.resume), (Some(Size::Total(9)), Some(7), true));
    assert_eq!((options.rules.jobs, options.rules.budget), (3, Duration::from_secs(5)));
    assert_eq!(parse("--each 4").unwrap().sample, Some(Size::Each(4)));
    let options = parse("--skip systemd --skip a_name --slowest 9 --minutes 2").unwrap();
    assert_eq!(options.rules.skip, ["systemd", "a_name"]);
    assert_eq!(options.rules.longest, Duration::from_secs(9));
    let left = options.rules.end.unwrap().saturating_duration_since(Instant::now());
    assert!(left <= Duration::from_secs(120) && parse("").unwrap().rules.end.is_none());
    for wrong in
        ["--sample", "--each x", "--slowest x", "--minutes", "--skip", "--sample x", "--what 1", "etl"]
    {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
