//! What a terminal gets: the lines that a pipe gets, and marks of colour that are complete and end.
#![cfg(target_os = "linux")]

mod common;

use std::fmt::Write as _;

use tracewell_corpus::Scratch;
use tracewell_etl::write::PointerSize;
use tracewell_testkit::described::{Described, Kind, trace};
use tracewell_types::Guid;

/// A text without its marks of colour. Each of them must be complete, and each one that begins a colour be followed by one that ends it.
fn plain(text: &str) -> Result<String, String> {
    let mut parts = text.split('\x1b');
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut is_on = false;
    for part in parts {
        let wrong = || format!("a mark that is wrong here: {part:?} behind {out:?}");
        let (mark, rest) = part.strip_prefix('[').and_then(|part| part.split_once('m')).ok_or_else(wrong)?;
        let begins = match mark {
            "1" | "2" | "31" | "32" | "33" | "36" => true,
            "0" | "39" | "22" => false,
            _ => return Err(wrong()),
        };
        if begins == is_on {
            return Err(wrong());
        }
        is_on = begins;
        let _ = write!(out, "{rest}");
    }
    if is_on { Err(format!("a colour does not end: {text:?}")) } else { Ok(out) }
}

#[test]
fn issue_23_a_terminal_gets_the_same_lines_with_whole_marks_of_colour() {
    if !common::has_terminal() {
        return tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    const SAMPLE: &str = "testdata/sample.etl";
    for (line, colours) in [
        (&["etw", "dump", "--limit", "300", "-q", SAMPLE][..], 900),
        (&["etw", "dump", "--limit", "40", "-q", "--stacks", "--utc", SAMPLE], 100),
        (&["etw", "dump", "--limit", "5", SAMPLE], 20),
        (&["etw", "info", SAMPLE], 5),
        (&["etw", "stats", SAMPLE], 1),
        (&["etw", "verify", SAMPLE], 0),
        (&["etw", "dump", "--spans", "--limit", "20", "-q", SAMPLE], 0),
        (&["dtrace", "-l", "-E", SAMPLE], 0),
        (&["dtrace", "-qn", "BEGIN { @ = quantize(3); exit(0); }", "-E", SAMPLE], 1),
        (&["etw", "dump", "nowhere.etl"], 0),
    ] {
        let piped = common::run(common::command(line[0]).args(&line[1..]));
        let coloured = common::run(&mut common::on_terminal(line)).stdout.replace("\r\n", "\n");
        let shown = plain(&coloured).unwrap_or_else(|wrong| panic!("{line:?}: {wrong}"));
        assert!(coloured.matches('\x1b').count() >= 2 * colours, "{line:?}: {coloured:?}");
        let mut lines = shown.lines();
        for wanted in piped.stdout.lines().chain(piped.stderr.lines()) {
            assert!(lines.any(|line| line == wanted), "{line:?}: {wanted:?} is not in\n{shown}");
        }
    }
}

/// Errors and warnings have colours, and all other events another one.
#[test]
fn issue_23_events_are_coloured_by_level() {
    if !common::has_terminal() {
        return tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    let events: Vec<Described> = (0..=6_u8)
        .map(|level| Described::new(Kind::Event(Guid::new(7, 0, 0, [0; 8]), 9, 0, level), 0, ""))
        .collect();
    let folder = Scratch::new("levels");
    let path = folder.write("levels.etl", &trace(PointerSize::P64, &events).expect("the trace is written"));
    let words = ["etw", "dump", "-q", "--limit", "40", &path.display().to_string()];
    let shown = common::run(&mut common::on_terminal(&words)).stdout;
    let marks: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split_once("/\u{1b}[")?.1.split_once("mEventID(9)"))
        .map(|(mark, _)| mark)
        .collect();
    assert_eq!(marks, ["36", "31", "31", "33", "36", "36", "36"], "{shown}");
}

#[test]
fn issue_20_the_table_is_drawn_on_a_terminal_and_ends_with_a_key() {
    use std::io::Write as _;
    let ran = common::run(common::command("etw").args(["view", "testdata/sample.etl"]));
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("view needs a terminal"), "{}", ran.stderr);
    if !common::has_terminal() {
        return tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    let mut command = common::on_terminal(&["etw", "view", "testdata/sample.etl"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).env("TERM", "xterm");
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("its input").write_all(b"gq").expect("it takes keys");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    // The other screen of the terminal was entered and left.
    assert!(text.contains("\x1b[?1049h") && text.contains("\x1b[?1049l"), "{text:?}");
}

/// On a terminal of 80 columns no line of these is longer. A pipe gets the tables as they are.
#[test]
fn issue_21_tables_fit_a_terminal_of_80_columns() {
    if !common::has_terminal() {
        return tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    let program = |name: &str| common::command(name).get_program().to_string_lossy().into_owned();
    for (name, arguments, least) in [
        ("dtrace", "-l -E testdata/sample.etl", 150),
        ("dtrace", "-l -P microsoft-windows-dotnetruntime -E testdata/sample.etl", 15),
        ("dtrace", "scripts", 60),
        ("etw", "stats testdata/sample.etl", 70),
        ("etw", "top testdata/sample.etl", 20),
        ("etw", "info testdata/sample.etl", 10),
        ("etw", "report testdata/sample.etl", 30),
    ] {
        let line = format!("stty cols 80 rows 24; '{}' {arguments} 2>&-", program(name));
        let mut script = std::process::Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(common::root());
        script
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(std::process::Stdio::null());
        let shown = common::run(&mut script).stdout.replace("\r\n", "\n");
        let long: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{name} {arguments}: {long:#?}");
        assert!(shown.lines().count() >= least, "{name} {arguments}: {shown}");
    }
    let piped = common::run(common::command("dtrace").args(["-l", "-E", "testdata/sample.etl"]));
    assert!(piped.stdout.lines().all(|line| line.len() > 80), "{}", piped.stdout);
}
