//! The programs in our pages are run, and print what the pages say.
//!
//! A block of D (three back quotes and `d`) in a page of `docs/` is a program, which runs over the sample if the block is headed
//! `d trace`; a block that is headed `sh trace` has commands, for which `trace.etl` is the sample. The block of text after it is what
//! the program or the commands print. With `TRACEWELL_BLESS=1` the test writes these.

#![allow(missing_docs)]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tracewell_dlang::builtins::{BuiltinVar, Subr};
use tracewell_dlang::{ACTION_NAMES, AGGREGATING_NAMES};

/// A page with programs: its name, the options with which they run, and how many there are at least.
const PAGES: &[(&str, &[&str], usize)] =
    &[("dx.md", &[], 5), ("d-reference.md", &["-q"], 21), ("tutorials.md", &[], 16), ("limits.md", &[], 3)];

/// Names that no program can have: what they mean has other names.
const UNNAMED: &[&str] = &["(string)", "curcpu_native"];
/// Actions that are refused.
const REFUSED: &[&str] = &["panic", "breakpoint"];

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page)
}

/// What a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A program that needs no trace.
    Program,
    /// A program that runs over the sample.
    OverSample,
    /// Commands that read the sample.
    Commands,
}

impl Kind {
    fn of(heading: &str) -> Option<Kind> {
        match heading {
            "d" => Some(Kind::Program),
            "d trace" => Some(Kind::OverSample),
            "sh trace" => Some(Kind::Commands),
            _ => None,
        }
    }
}

/// A program of a page, or commands.
#[derive(Debug)]
struct Example {
    /// The line of the page where it begins, from 1.
    line: usize,
    kind: Kind,
    program: String,
    /// The lines of the page, from 0, that have what it prints.
    printed: std::ops::Range<usize>,
}

fn examples(page: &str) -> Vec<Example> {
    let mut list: Vec<Example> = Vec::new();
    let mut inside: Option<&str> = None;
    for (number, line) in page.lines().enumerate() {
        match (inside, line.strip_prefix("```")) {
            (None, Some(heading)) => {
                inside = Some(heading);
                if let Some(kind) = Kind::of(heading) {
                    inside = Some("d");
                    list.push(Example { line: number + 1, kind, program: String::new(), printed: 0..0 });
                } else if let (Some(example), "text") = (list.last_mut(), heading) {
                    example.printed = number + 1..number + 1;
                }
            }
            (Some(_), Some(_)) => inside = None,
            (Some("d"), None) => {
                let program = &mut list.last_mut().unwrap().program;
                program.push_str(line);
                program.push('\n');
            }
            (Some("text"), None) => {
                if let Some(example) = list.last_mut() {
                    example.printed.end = number + 1;
                }
            }
            _ => {}
        }
    }
    list
}

/// What a program prints, and its errors; commands run in the folder. The empty lines at the ends of a block cannot be seen in a page.
fn run(example: &Example, options: &[&str], folder: &Path) -> (String, String) {
    let mut command;
    if example.kind == Kind::Commands {
        command = Command::new("sh");
        let programs = Path::new(env!("CARGO_BIN_EXE_dtrace")).parent().unwrap();
        let others = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{others}", programs.display())).env("COLUMNS", "100");
        command.current_dir(folder).args(["-c", &example.program]);
    } else {
        command = Command::new(env!("CARGO_BIN_EXE_dtrace"));
        command.args(options).args(["-s", "-"]);
    }
    if example.kind == Kind::OverSample {
        command.arg("-E").arg(path("../testdata/sample.etl"));
    }
    command.env("TZ", "UTC");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = if example.kind == Kind::Commands { "" } else { &example.program };
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    (lines.join("\n").trim_matches('\n').to_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn programs_of_the_pages_print_what_they_say() {
    let bless = std::env::var_os("TRACEWELL_BLESS").is_some_and(|value| value == "1");
    let folder = tracewell_corpus::Scratch::new("pages");
    std::fs::copy(path("../testdata/sample.etl"), folder.join("trace.etl")).unwrap();
    copy(&path("../testdata/sample.symbols"), &folder.join("trace.symbols"));
    for (name, options, least) in PAGES {
        let page = std::fs::read_to_string(path(name)).unwrap();
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        let examples = examples(&page);
        assert!(examples.len() >= *least, "{name} has {} programs", examples.len());
        // A page is a walk: later commands use what earlier ones wrote.
        let outputs: Vec<(String, String)> =
            examples.iter().map(|example| run(example, options, &folder)).collect();
        for (example, (got, errors)) in examples.iter().zip(&outputs).rev() {
            let said = lines[example.printed.clone()].join("\n");
            if bless {
                lines.splice(example.printed.clone(), got.lines().map(str::to_owned));
            } else {
                assert_eq!(got, said.trim_matches('\n'), "{name}, line {}: {errors}", example.line);
            }
        }
        if bless {
            std::fs::write(path(name), lines.join("\n") + "\n").unwrap();
        }
    }
}

/// Each name that D gives is used by a program of these pages.
#[test]
fn issue_21_every_word_of_d_has_an_example() {
    let pages: Vec<String> =
        PAGES.iter().map(|(name, ..)| std::fs::read_to_string(path(name)).unwrap()).collect();
    let examples: Vec<Example> = pages.iter().flat_map(|page| examples(page)).collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let used: BTreeSet<&str> =
        examples.iter().flat_map(|example| example.program.split(|c| !is_part(c))).collect();
    let known = (BuiltinVar::ALL.iter().map(|variable| variable.name()))
        .chain(Subr::ALL.iter().map(|function| function.name()))
        .chain(ACTION_NAMES.iter().copied())
        .chain(AGGREGATING_NAMES.iter().copied());
    let known: Vec<&str> = known.filter(|name| !UNNAMED.contains(name)).collect();
    assert!(known.len() > 130, "{}", known.len());
    let missing: Vec<&&str> =
        known.iter().filter(|name| !used.contains(**name) && !REFUSED.contains(name)).collect();
    assert!(missing.is_empty(), "no example: {missing:?}");
}

/// The targets of the links of a page, without its code.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // Every other piece between grave accents is code.
            let text: String = line.split('`').step_by(2).collect();
            found
                .extend(text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    found
}

/// The heading that a link may name, as viewers make it of the text: small letters, no punctuation, hyphens for blanks.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

/// Each link of the pages leads to a file that is there, and to a heading in it; each page of `docs/` is reached from the README.
#[test]
fn issue_21_links_lead_somewhere_and_to_each_page() {
    let root = path("..").canonicalize().unwrap();
    let read = |page: &Path| std::fs::read_to_string(page).unwrap();
    let (mut reached, mut todo) = (BTreeSet::new(), vec![root.join("README.md")]);
    while let Some(page) = todo.pop() {
        if !reached.insert(page.clone()) {
            continue;
        }
        for link in links(&read(&page)).iter().filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let target =
                target.canonicalize().unwrap_or_else(|error| panic!("{}: {link}: {error}", page.display()));
            if target.extension().is_some_and(|kind| kind == "md") {
                let text = read(&target);
                let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
                let is_there =
                    |heading: &str| headings.clone().any(|h| anchor(h.trim_start_matches('#')) == heading);
                assert!(heading.is_empty() || is_there(heading), "{}: {link}", page.display());
                todo.push(target);
            }
        }
    }
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let missing: Vec<PathBuf> = pages
        .filter(|page| page.extension().is_some_and(|kind| kind == "md") && !reached.contains(page))
        .collect();
    assert!(missing.is_empty(), "not linked: {missing:?}");
    assert!(reached.len() > 25, "{reached:?}");
}
