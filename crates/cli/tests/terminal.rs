//! What a terminal gets: the lines that a pipe gets, and marks of colour that are complete and end.
#![cfg(target_os = "linux")]

mod common;

use std::fmt::Write as _;

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
