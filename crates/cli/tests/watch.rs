//! `--watch` draws the aggregations on a terminal, again and again, and leaves what the run would have printed.

#![allow(missing_docs)]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

mod common;

use std::process::{Command, Stdio};

/// Runs a command line of the shell on a terminal of its own; [`None`] where there is none to be had.
fn on_terminal(line: &str) -> Option<String> {
    if !Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success()) {
        eprintln!("SKIPPED: there is no script(1) to make a terminal");
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", line, "/dev/null"]).current_dir(common::root()).stdin(Stdio::null());
    command.env("TERM", "xterm").env("TZ", "UTC").env("NO_COLOR", "1");
    let ran = common::run(&mut command);
    assert_eq!(ran.status, Some(0), "{}", ran.stdout);
    Some(ran.stdout.replace('\r', ""))
}

/// What a terminal shows after all of a text, line by line: only going up and clearing below are understood.
fn screen(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\n' => lines.push(String::new()),
            '\x1b' => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).expect("a sequence ends");
                let (count, letter) = (&rest[1..end], &rest[end..=end]);
                rest = &rest[end + 1..];
                match letter {
                    "A" => {
                        let count: usize = count.parse().expect("a count");
                        lines.truncate(lines.len() - count);
                    }
                    "J" => *lines.last_mut().expect("there is a line") = String::new(),
                    other => panic!("{other:?} was not expected"),
                }
            }
            c => lines.last_mut().expect("there is a line").push(c),
        }
    }
    lines
}

#[test]
fn the_picture_is_drawn_anew_and_taken_away() {
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let program = "tick-1ms { @ticks[\"seen\"] = count(); n++; } \
                   tick-1ms /n == 100 || n == 200/ { printf(\"at %d\\n\", n); } \
                   tick-1ms /n >= 300/ { exit(0); }";
    let line = format!("{dtrace} -q --watch -x aggrate=20ms -x switchrate=10ms -n '{program}'");
    let Some(text) = on_terminal(&line) else { return };
    assert!(text.matches("\x1b[1A\x1b[J").count() >= 3, "the picture was drawn anew: {text:?}");
    let shown = screen(&text);
    // What the script printed stands above, and the aggregation once, at the end.
    let words: Vec<Vec<&str>> =
        shown.iter().map(|l| l.split_whitespace().collect()).filter(|l: &Vec<&str>| !l.is_empty()).collect();
    assert_eq!(words.len(), 3, "{shown:?}");
    assert_eq!((words[0].as_slice(), words[1].as_slice()), (&["at", "100"][..], &["at", "200"][..]));
    assert_eq!(words[2].first(), Some(&"seen"));
}

#[test]
fn a_picture_that_is_too_high_is_cut() {
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let program = "tick-1ms { @[n++] = count(); } tick-1ms /n == 200/ { exit(0); }";
    let line = format!("stty rows 6 cols 40; {dtrace} -q --watch -x aggrate=20ms -n '{program}'");
    let Some(text) = on_terminal(&line) else { return };
    assert!(text.contains("more lines above"), "{text:?}");
    assert!(text.contains("\x1b[5A\x1b[J"), "{text:?}");
}
