//! `--watch` draws the aggregations on a terminal, again and again, and leaves what the run would have printed.

#![allow(missing_docs)]

mod common;

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Runs a command line on a pseudo-terminal, after a shell command that prepares it, until it has printed enough; then
/// presses Ctrl-C. [`None`] if no terminal is available.
fn on_terminal(setting: &str, line: &str, enough: impl Fn(&str) -> bool) -> Option<String> {
    if !Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success()) {
        tracewell_corpus::skip("script", "install script(1), which makes a terminal");
        return None;
    }
    let mut command = Command::new("script");
    // The terminal does not show what is typed. The command takes the shell's place, so that Ctrl-C ends none but the
    // command and the status is the command's: a shell that waited would itself be ended by it, or not, as shells differ.
    command
        .args(["-qec", &format!("stty -echo; {setting}exec {line}"), "/dev/null"])
        .current_dir(common::root());
    command.env("SHELL", "/bin/sh");
    command.env("TERM", "xterm").env("TZ", "UTC").env("NO_COLOR", "1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
    let mut keys = child.stdin.take().expect("it is a pipe");
    let mut output = child.stdout.take().expect("it is a pipe");
    let (mut text, mut part, mut pressed) = (String::new(), [0; 4096], false);
    loop {
        let size = output.read(&mut part).expect("the terminal can be read");
        if size == 0 {
            break;
        }
        text.push_str(&String::from_utf8_lossy(&part[..size]).replace('\r', ""));
        if !pressed && enough(&text) {
            keys.write_all(b"\x03").expect("a key can be pressed");
            pressed = true;
        }
    }
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}: {text:?}");
    Some(text)
}

/// How often a picture of one line was drawn anew.
fn redrawn(text: &str) -> usize {
    text.matches("\x1b[1A\x1b[J").count()
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
                   tick-120s { exit(1); }";
    let line = format!("{dtrace} -q --watch -x aggrate=20ms -x switchrate=10ms -n '{program}'");
    let drawn = |text: &str| redrawn(text) >= 3 && text.contains("at 200\n");
    let Some(text) = on_terminal("", &line, drawn) else { return };
    assert!(drawn(&text), "the picture was drawn anew: {text:?}");
    let shown = screen(&text);
    // The script's output is above, and the aggregation is printed once, at the end.
    let words: Vec<Vec<&str>> =
        shown.iter().map(|l| l.split_whitespace().collect()).filter(|l: &Vec<&str>| !l.is_empty()).collect();
    assert_eq!(words.len(), 3, "{shown:?}");
    assert_eq!((words[0].as_slice(), words[1].as_slice()), (&["at", "100"][..], &["at", "200"][..]));
    assert_eq!(words[2].first(), Some(&"seen"));
}

#[test]
fn a_picture_that_is_too_high_is_cut() {
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    let program = "tick-1ms /n < 200/ { @[n++] = count(); } tick-120s { exit(1); }";
    let line = format!("{dtrace} -q --watch -x aggrate=20ms -n '{program}'");
    let cut = |text: &str| text.contains("more lines above") && text.contains("\x1b[5A\x1b[J");
    let Some(text) = on_terminal("stty rows 6 cols 40; ", &line, cut) else { return };
    assert!(cut(&text), "{text:?}");
}
