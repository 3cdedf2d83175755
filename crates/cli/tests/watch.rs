//! `--watch` draws the aggregations on a terminal, again and again, and leaves what the run would have printed.

#![allow(missing_docs)]

mod common;

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Keys, and whether a text shows that it is time to press them.
type Step<'a> = (&'a dyn Fn(&str) -> bool, &'a [u8]);

/// Runs a command line on a pseudo-terminal, after a shell command that prepares it, until it has printed enough; then
/// presses Ctrl-C. [`None`] if no terminal is available.
fn on_terminal(setting: &str, line: &str, enough: impl Fn(&str) -> bool) -> Option<String> {
    with_keys(setting, line, &[(&enough, b"\x03")])
}

/// The same with keys. Each step sees what was printed since the one before it.
fn with_keys(setting: &str, line: &str, steps: &[Step<'_>]) -> Option<String> {
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
    let (mut text, mut part, mut steps, mut since) = (String::new(), [0; 4096], steps, 0);
    loop {
        let size = output.read(&mut part).expect("the terminal can be read");
        if size == 0 {
            break;
        }
        text.push_str(&String::from_utf8_lossy(&part[..size]).replace('\r', ""));
        if let Some(((enough, bytes), rest)) = steps.split_first()
            && enough(&text[since..])
        {
            keys.write_all(bytes).expect("a key can be pressed");
            (steps, since) = (rest, text.len());
        }
    }
    assert!(steps.is_empty(), "{} keys were not pressed: {text:?}", steps.len());
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}: {text:?}");
    Some(text)
}

/// How often a picture of one line and that of the keys was drawn anew.
fn redrawn(text: &str) -> usize {
    text.matches("\x1b[2A\x1b[J").count()
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

/// The lines of the last picture that a text has whole.
fn last_picture(text: &str) -> Vec<&str> {
    let mut pictures = text.rsplit("\x1b[J").skip(1);
    pictures.next().and_then(|picture| picture.split('\x1b').next()).unwrap_or_default().lines().collect()
}

#[test]
fn issue_21_keys_scroll_sort_and_show_rates() {
    let dtrace = env!("CARGO_BIN_EXE_dtrace");
    // Each key gets a count of its number once, and one key of text 5 in each millisecond.
    let program = "BEGIN { n = 0; } tick-1ms /n < 20/ { @[\"key\", n] = sum(1000000 + n); n++; } \
                   tick-1ms { @[\"key\", 99] = sum(5); } tick-30s { exit(1); }";
    let line = format!("{dtrace} -q --watch -x aggrate=20ms -n '{program}'");
    let is = |text: &str, head: &str, first: &str, last: &str| {
        let lines = last_picture(text);
        let words = |line: Option<&&str>| {
            line.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
        };
        lines.len() == 8
            && lines.last().is_some_and(|line| line.starts_with(head))
            && words(lines.first()).starts_with(first)
            && words(lines.get(6)).starts_with(last)
    };
    let steps: [Step<'_>; 8] = [
        (&|text| is(text, "[as at the end]", "… 15 more lines above", "key 19 1000019"), b"\x1b[A"),
        (&|text| is(text, "[as at the end]", "… 14 more lines above", "… 2 more lines below"), b"\x1b[H"),
        (&|text| is(text, "[as at the end]", "", "… 15 more lines below"), b"s"),
        (&|text| is(text, "[largest first]", "key 19 1000019", "… 15 more lines below"), b"\x1b[6~"),
        (&|text| is(text, "[largest first]", "… 8 more lines above", "… 8 more lines below"), b"s"),
        (&|text| is(text, "[by key]", "key 0 1000000", "… 15 more lines below"), b"sr"),
        // After two seconds only the last key has a rate, about 5,000 a second.
        (
            &|text| {
                let lines = last_picture(text);
                let rate = |line: &&str| line.split_whitespace().nth(2)?.parse::<u64>().ok();
                is(text, "[as at the end, per second]", "… 15 more lines above", "key 99")
                    && lines.get(5).and_then(rate) == Some(0)
                    && lines.get(6).and_then(rate).is_some_and(|rate| (500..20_000).contains(&rate))
            },
            b"r",
        ),
        (&|text| is(text, "[as at the end]", "… 15 more lines above", "key 19 1000019"), b"q"),
    ];
    let Some(text) = with_keys("stty rows 9 cols 100; ", &line, &steps) else { return };
    // The terminal is as it was: the answer follows, with all keys.
    assert_eq!(
        screen(&text).iter().filter(|line| line.trim_start().starts_with("key")).count(),
        21,
        "{text:?}"
    );
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
