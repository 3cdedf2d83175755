//! Every script has an answer over the sample trace (issue 21). `sample_answers.table` lists arguments and exceptions.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_types::FileTime;

/// A trace without events: the answer of a script to it is only headings.
fn empty_trace(folder: &Path) -> std::path::PathBuf {
    let start = FileTime(132_257_925_005_000_000);
    let config = TraceConfig { raw_start: 1_000, start_time: start, ..TraceConfig::default() };
    let writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).expect("a writer");
    let bytes = writer.finish(FileTime(start.0 + 50_000_000)).expect("a trace").into_inner();
    let path = folder.join("empty.etl");
    std::fs::write(&path, bytes).expect("the trace is written");
    path
}

/// The lines of a script's answer that have contents.
fn lines(name: &str, trace: &Path, arguments: &[&str]) -> Vec<String> {
    let ran = common::run(common::command("dtrace").arg(name).arg(trace).args(arguments));
    assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
    // Lines that head a histogram are no table's.
    let counts = |line: &&str| !line.trim().is_empty() && !line.contains(" ---");
    ran.stdout.lines().filter(counts).map(str::to_owned).collect()
}

/// Returns `true` for a line with a number that is not in the answer to an empty trace, which has only headings.
fn is_row(line: &String, empty: &[String]) -> bool {
    !empty.contains(line) && line.contains(|letter: char| letter.is_ascii_digit())
}

/// Returns `true` if something follows each heading of an answer.
fn has_rows(answer: &[String], empty: &[String]) -> bool {
    let next = answer.iter().skip(1).map(Some).chain([None]);
    answer
        .iter()
        .zip(next)
        .all(|(line, next)| !empty.contains(line) || next.is_some_and(|next| !empty.contains(next)))
}

#[test]
fn issue_21_every_script_has_an_answer_over_the_sample() {
    let table = include_str!("sample_answers.table");
    let rows = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut listed: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for row in rows {
        let (name, rest) = row.split_once(char::is_whitespace).expect("a name");
        let (kind, rest) = rest.trim_start().split_once(char::is_whitespace).expect("args, part or none");
        assert!(listed.insert(name, (kind, rest.trim())).is_none(), "{name} is listed twice");
    }
    let scratch = tracewell_corpus::Scratch::new("sample-answers");
    let empty = empty_trace(&scratch);
    let mut wrong = Vec::new();
    let mut names = Vec::new();
    for file in std::fs::read_dir(common::root().join("crates/tracewell/scripts")).expect("scripts").flatten()
    {
        let name = file.file_name().to_string_lossy().trim_end_matches(".d").to_owned();
        let (kind, rest) = listed.remove(name.as_str()).unwrap_or(("args", ""));
        let arguments: Vec<&str> =
            if kind == "args" { rest.split_whitespace().collect() } else { Vec::new() };
        let (answer, empty) = (lines(&name, &common::sample(), &arguments), lines(&name, &empty, &arguments));
        let found = match (answer.iter().any(|line| is_row(line, &empty)), has_rows(&answer, &empty)) {
            (false, _) => "none",
            (true, false) => "part",
            (true, true) => "args",
        };
        if found != kind {
            wrong.push(format!("{name}: {found}, the table has {kind}"));
        }
        names.push(name);
    }
    assert!(names.len() > 40, "{names:?}");
    assert!(listed.is_empty(), "not scripts: {listed:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Samples have stacks, those of idle processors, too, and all their frames have names of functions.
#[test]
fn issue_21_every_sample_has_a_stack_of_functions() {
    let script = "profile:::sample-997 { @samples = count(); } \
        profile:::sample-997 /stackdepth + ustackdepth == 0/ { @bare = count(); } \
        profile:::sample-997 { @stacks[ustack(), stack()] = count(); } \
        END { printa(\"samples %@d\\n\", @samples); printa(\"bare %@d\\n\", @bare); printa(@stacks); }";
    let mut command = common::command("dtrace");
    let ran = common::run(command.args(["-qn", script, "-E"]).arg(common::sample()));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("samples 26000\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("bare"), "{}", ran.stdout);
    let frames: Vec<&str> = ran
        .stdout
        .lines()
        .map(str::trim)
        .filter(|line| line.contains('`') || line.starts_with("0x"))
        .collect();
    assert!(frames.len() > 500, "{}", ran.stdout);
    let nameless: Vec<&&str> = frames
        .iter()
        .filter(|frame| frame.split_once('`').is_none_or(|(_, name)| name.starts_with("0x")))
        .collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}
