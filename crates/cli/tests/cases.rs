//! What the commands print, case by case. `TRACEWELL_BLESS=1` rewrites the expectations.
//!
//! A file of `tests/cli/*.case` is a case:
//!
//! ```text
//! # what is shown
//! $ dtrace -qn 'BEGIN { exit(3); }'
//! status 3
//! --- stdout
//! --- stderr
//! ```
//!
//! The line with `$` is split as a shell splits it: quotes `'`, no expansions. `{tmp}` in it is a folder of this case
//! with the files of [`FIXTURES`]; output that names the folder contains `{tmp}`, too. After the command there can be
//! lines `tty` (run on a terminal), `lines N` (keep only the first N lines of standard output) and `stdin TEXT`. The
//! section `--- file NAME` is a file of that folder after the run.

mod common;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::Ran;
use tracewell_corpus::Scratch;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{self, Described};

/// Files for bad input, made from bytes.
const FIXTURES: &[(&str, &[u8])] = &[
    ("empty.etl", b""),
    ("archive.etl", b"PK\x03\x04\x14\x00\x00\x00\x08\x00nothing else of a zip archive is needed to know one"),
    ("words.etl", b"This is a file of words, which has the name of a trace.\nIt has several lines, so that it is longer than headers.\n"),
    ("zeros.etl", &[0; 4096]),
    ("bad.d", b"BEGIN\n{\n\tx = 1 +;\n}\n"),
    ("unclosed.d", b"BEGIN\n{\n\ttrace(\"never ends);\n}\n"),
    ("twice.h", b"#define TWICE(x) ((x) * 2)\n"),
    ("uses.d", b"#include \"twice.h\"\nBEGIN\n{\n\tprintf(\"%d\\n\", TWICE(NUMBER));\n\texit(0);\n}\n"),
    ("angled.d", b"#include <twice.h>\nBEGIN\n{\n\tprintf(\"%d\\n\", TWICE(4));\n\texit(0);\n}\n"),
    ("shop.d", b"provider shop {\n\tprobe sale(int id, string what);\n\tprobe order__begin();\n};\n"),
    ("standard.d", b"#ifdef __STDC__\n#define SAID __STDC__\n#else\n#define SAID -1\n#endif\nBEGIN\n{\n\tprintf(\"%d\\n\", SAID);\n\texit(0);\n}\n"),
    ("binary.d", b"\x7fELF\x02\x01\x01\x00\x00\x00"),
];

#[derive(Debug, Default)]
struct Case {
    comment: String,
    line: String,
    tty: bool,
    lines: Option<usize>,
    stdin: String,
    status: i32,
    stdout: String,
    stderr: String,
    files: Vec<(String, String)>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let mut case = Case::default();
        let mut section: Option<String> = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("--- ") {
                if let Some(file) = name.strip_prefix("file ") {
                    case.files.push((file.to_owned(), String::new()));
                }
                section = Some(name.to_owned());
                continue;
            }
            match &section {
                None => {
                    if line.starts_with('#') {
                        case.comment.push_str(line);
                        case.comment.push('\n');
                    } else if let Some(command) = line.strip_prefix("$ ") {
                        command.clone_into(&mut case.line);
                    } else if let Some(status) = line.strip_prefix("status ") {
                        case.status = status.parse().expect("a status is a number");
                    } else if let Some(count) = line.strip_prefix("lines ") {
                        case.lines = Some(count.parse().expect("a count of lines is a number"));
                    } else if let Some(input) = line.strip_prefix("stdin ") {
                        input.clone_into(&mut case.stdin);
                    } else if line == "tty" {
                        case.tty = true;
                    } else {
                        assert!(line.is_empty(), "not understood: {line}");
                    }
                }
                Some(name) => {
                    let text = match name.as_str() {
                        "stdout" => &mut case.stdout,
                        "stderr" => &mut case.stderr,
                        _ => &mut case.files.last_mut().expect("a section of a file was begun").1,
                    };
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        case
    }

    fn print(&self) -> String {
        let mut text = format!("{}$ {}\n", self.comment, self.line);
        if self.tty {
            text.push_str("tty\n");
        }
        if let Some(count) = self.lines {
            let _ = writeln!(text, "lines {count}");
        }
        if !self.stdin.is_empty() {
            let _ = writeln!(text, "stdin {}", self.stdin);
        }
        let _ =
            write!(text, "status {}\n--- stdout\n{}--- stderr\n{}", self.status, self.stdout, self.stderr);
        for (name, content) in &self.files {
            let _ = write!(text, "--- file {name}\n{content}");
        }
        text
    }
}

/// Splits a command line: blanks part words, single quotes keep them together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "a quote is open in: {line}");
    words.extend(word);
    words
}

/// Text as a case shows it: every line ended, escapes as `\e`, our folder as `{tmp}`.
fn shown(text: &str, tmp: &Path) -> String {
    let text = text.replace(&tmp.display().to_string(), "{tmp}").replace('\x1b', "\\e").replace('\r', "");
    if text.is_empty() || text.ends_with('\n') { text } else { format!("{text}\n(no newline at the end)\n") }
}

fn run(case: &Case, tmp: &Path) -> Ran {
    let line = case.line.replace("{tmp}", &tmp.display().to_string());
    let words = words(&line);
    let mut command = common::command(&words[0]);
    // No session daemon of this machine may answer: what can fire live would depend on it.
    command.env("TRACEWELL_RUNTIME", tmp.join("run"));
    if case.tty {
        return common::run(&mut common::on_terminal(&words));
    }
    command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command can be started");
    let mut stdin = child.stdin.take().expect("its input was piped");
    // A command that does not read its input may be gone by now.
    let _ = stdin.write_all(case.stdin.as_bytes());
    drop(stdin);
    let out = child.wait_with_output().expect("the command ends");
    Ran {
        status: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
    }
}

/// A folder for a case, with the fixtures in it.
fn folder(name: &str) -> Scratch {
    let tmp = Scratch::new(name);
    for (file, bytes) in FIXTURES {
        std::fs::write(tmp.join(file), bytes).expect("a fixture can be written");
    }
    let sample = std::fs::read(common::sample()).expect("the sample can be read");
    // Cut inside a buffer, and inside the log file header.
    std::fs::write(tmp.join("cut.etl"), &sample[..100_000]).expect("a fixture can be written");
    std::fs::write(tmp.join("stub.etl"), &sample[..100]).expect("a fixture can be written");
    tmp
}

#[test]
fn cases() {
    let dir = common::root().join("tests/cli");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("the cases can be listed")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "case"))
        .collect();
    paths.sort();
    let terminal = common::has_terminal();
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path.file_stem().expect("a case has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a case can be read");
        let case = Case::parse(&text);
        if case.tty && !terminal {
            tracewell_corpus::skip(
                "script",
                &format!("case {name}: install script(1), which makes a terminal"),
            );
            continue;
        }
        let tmp = folder(&name);
        let ran = run(&case, &tmp);
        let mut stdout = shown(&ran.stdout, &tmp);
        if let Some(count) = case.lines {
            stdout = stdout.split_inclusive('\n').take(count).collect();
        }
        let stderr = shown(&ran.stderr, &tmp);
        // Some promises hold whatever a case says.
        if [&stdout, &stderr].iter().any(|t| t.contains("panicked at")) {
            wrong.push(format!("{name}: it panics: {stderr}"));
            continue;
        }
        let quiet = case.line.starts_with("dtrace -q") || case.line.starts_with("etw");
        if !case.tty && matches!(ran.status, Some(1 | 2)) && quiet && stderr.lines().count() != 1 {
            wrong.push(format!("{name}: a failure says one line, not:\n{stderr}"));
        }
        let files = case
            .files
            .iter()
            .map(|(file, _)| {
                let content = std::fs::read_to_string(tmp.join(file)).unwrap_or_else(|e| format!("({e})\n"));
                (file.clone(), shown(&content, &tmp))
            })
            .collect();
        let now = Case {
            status: ran.status.unwrap_or(-1),
            stdout,
            stderr,
            files,
            comment: case.comment,
            line: case.line,
            stdin: case.stdin,
            ..case
        }
        .print();
        if now != text {
            if common::bless() {
                std::fs::write(path, &now).expect("a case can be written");
            } else {
                wrong.push(format!("{name}: {}", common::difference(&text, &now)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
    assert!(paths.len() >= 60, "there are many cases: {}", paths.len());
}

/// The letters of the command line that have a case.
#[test]
fn every_option_has_a_case() {
    let dir = common::root().join("tests/cli");
    let mut seen = String::new();
    for entry in std::fs::read_dir(&dir).expect("the cases can be listed").flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let case =
            if text.contains("\n$ ") || text.starts_with("$ ") { Case::parse(&text) } else { continue };
        for word in words(&case.line).iter().filter(|w| w.starts_with('-') && !w.starts_with("--")) {
            let mut letters = word[1..].chars();
            for letter in letters.by_ref() {
                seen.push(letter);
                let flag = tracewell_cli::dtrace::options::FLAGS.iter().find(|f| f.name == letter);
                if flag.is_none_or(|f| f.arg.is_some()) {
                    break;
                }
            }
        }
    }
    let missing: String = "snPmfilEqvVeSoxDICZFwb".chars().filter(|c| !seen.contains(*c)).collect();
    assert!(missing.is_empty(), "no case for the options {missing}");
}

/// A trace of the records that a file of `tests/scripts/` lists, a line each.
fn described(records: &Path, trace: &Path) {
    let text = std::fs::read_to_string(records).expect("the records can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let records: Vec<Described> =
        lines.map(|line| Described::parse(line).unwrap_or_else(|why| panic!("{why}"))).collect();
    let bytes = described::trace(PointerSize::P64, &records).expect("the trace is written");
    std::fs::write(trace, bytes).expect("the trace can be kept");
}

/// `docs/scripts.md` has the table of the scripts, and answers others' scripts with some of them.
#[test]
fn scripts_are_documented() {
    let path = common::root().join("docs/scripts.md");
    let text = std::fs::read_to_string(&path).expect("the list is there");
    let (before, rest) = text.split_once("| question |").expect("the table begins");
    let (_, theirs) = rest.split_once("## For users").expect("the second part is there");
    let mut page = format!("{before}| question | script | needs |\n|---|---|---|\n");
    for (section, listed) in tracewell::scripts::SECTIONS {
        page.push_str(&format!("| **{section}** | | |\n"));
        for script in *listed {
            let call = [script.name, script.arguments].join(" ");
            page.push_str(&format!("| {} | `{}` | {} |\n", script.question, call.trim_end(), script.needs));
        }
    }
    page.push_str(&format!("\n## For users{theirs}"));
    tracewell_corpus::golden(&path, &page).unwrap_or_else(|why| panic!("{why}"));
    // Its column of theirs is not quoted.
    let quoted = theirs.split('`').skip(1).step_by(2).filter_map(|word| word.strip_suffix(".d"));
    let unknown: Vec<&str> = quoted.filter(|name| tracewell::scripts::named(name).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let originals = theirs.lines().filter(|line| line.starts_with("| ") && line.contains(".d")).count();
    assert!(originals > 25, "{originals} rows");
}

/// Every script, by its name, prints the stored output, over the sample trace or over its own records.
#[test]
fn scripts() {
    let root = common::root();
    let arguments =
        std::fs::read_to_string(root.join("tests/scripts/arguments.table")).expect("the table is there");
    let mut names: Vec<String> = std::fs::read_dir(root.join("scripts"))
        .expect("the scripts can be listed")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".d"))
        .collect();
    names.sort();
    assert!(names.len() >= 8, "there are scripts: {names:?}");
    let mut wrong = Vec::new();
    // A line of the table is a run; a script without a line is run over the sample.
    let lines = arguments.lines().filter(|line| !line.starts_with('#'));
    let mut runs: Vec<(&str, Vec<&str>)> = lines
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(name, words)| (name, words.split_whitespace().collect()))
        .collect();
    for (name, _) in &runs {
        assert!(names.iter().any(|script| script == name), "the table names {name}");
    }
    for name in &names {
        if !runs.iter().any(|(listed, _)| listed == name) {
            runs.push((name, Vec::new()));
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    let traces = Scratch::new("records");
    for (name, words) in runs {
        let (records, words): (Vec<&str>, Vec<&str>) =
            words.into_iter().partition(|word| word.starts_with('@'));
        let records = records.first().map(|word| &word[1..]);
        let trace = match records {
            Some(records) => {
                let trace = traces.join(format!("{records}.etl"));
                described(&root.join("tests/scripts").join(records).with_extension("records"), &trace);
                trace
            }
            None => PathBuf::from("testdata/sample.etl"),
        };
        let mut command = common::command("dtrace");
        command.arg(name.trim_end_matches(".d")).arg(&trace).args(words);
        let ran = common::run(&mut command);
        // What a trace has no events for is said, and that nothing names functions; both belong to the golden.
        let expected = [" cannot fire here", "  ", "dtrace: symbols: "];
        let silent = ran.stderr.lines().all(|line| {
            line.contains(expected[0]) || expected[1..].iter().any(|start| line.starts_with(start))
        });
        if ran.status != Some(0) || !silent {
            wrong.push(format!("{name}: status {:?}: {}", ran.status, ran.stderr));
            continue;
        }
        let extension =
            if seen.insert(name) { "out".to_owned() } else { format!("{}.out", records.unwrap_or("sample")) };
        let path = root.join("tests/scripts").join(name).with_extension(extension);
        let want = std::fs::read_to_string(&path).unwrap_or_default();
        let have = format!("{}{}", ran.stdout, ran.stderr);
        if want != have {
            if common::bless() {
                std::fs::write(&path, &have).expect("a golden can be written");
            } else {
                wrong.push(format!("{name}: {}", common::difference(&want, &have)));
            }
        }
        assert!(!ran.stderr.is_empty() || ran.stdout.lines().count() > 2, "{name} prints something");
    }
    assert!(wrong.is_empty(), "{} scripts differ:\n{}", wrong.len(), wrong.join("\n"));
}
