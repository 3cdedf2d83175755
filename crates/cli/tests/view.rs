//! `etw view` of sessions without a file (issue 20), on a terminal that script(1) makes.
#![cfg(target_os = "linux")]
#![allow(missing_docs)]

mod common;
#[path = "common/place.rs"]
mod place;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use place::{Place, Ran, lacks_kernel};

const ETW: &str = env!("CARGO_BIN_EXE_etw");
const ROWS: usize = 30;
const COLUMNS: usize = 110;

/// The lines that a terminal of [`ROWS`] and [`COLUMNS`] shows after these bytes.
fn shown(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut cells = vec![vec![' '; COLUMNS]; ROWS];
    let (mut row, mut column) = (0, 0);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => {
                if letters.next_if_eq(&'[').is_none() {
                    letters.next();
                    continue;
                }
                let mut numbers = String::new();
                let end = loop {
                    match letters.next() {
                        Some(letter) if letter.is_ascii_digit() || ";?>".contains(letter) => {
                            numbers.push(letter)
                        }
                        end => break end,
                    }
                };
                let mut numbers =
                    numbers.split(';').map(|number| number.parse::<usize>().unwrap_or(1).max(1));
                match end {
                    Some('H') => {
                        row = numbers.next().map_or(0, |row| row - 1);
                        column = numbers.next().map_or(0, |column| column - 1);
                    }
                    Some('J') => cells = vec![vec![' '; COLUMNS]; ROWS],
                    _ => {}
                }
            }
            '\r' => column = 0,
            '\n' => row += 1,
            letter => {
                if let Some(cell) = cells.get_mut(row).and_then(|cells| cells.get_mut(column)) {
                    *cell = letter;
                }
                column += 1;
            }
        }
    }
    cells.into_iter().map(|cells| cells.into_iter().collect::<String>().trim_end().to_owned()).collect()
}

/// A table on a terminal.
struct View {
    child: Child,
    keys: ChildStdin,
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl View {
    fn of(place: &Place, arguments: &str) -> View {
        let line = format!("stty rows {ROWS} cols {COLUMNS}; exec '{ETW}' view {arguments}");
        let mut command: Command = place.command("script");
        command.args(["-qec", &line, "/dev/null"]).env("SHELL", "/bin/sh").env("TERM", "xterm");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("script(1) starts");
        let (keys, mut output) = (child.stdin.take().expect("keys"), child.stdout.take().expect("a screen"));
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut room) {
                seen.lock().expect("the bytes").extend(&room[..count]);
            }
        });
        View { child, keys, bytes }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it takes keys");
    }

    /// Waits until the screen has what is looked for.
    fn wait_for(&mut self, what: &str, has: impl Fn(&[String]) -> bool) -> Vec<String> {
        let began = Instant::now();
        loop {
            let lines = shown(&self.bytes.lock().expect("the bytes"));
            if has(&lines) {
                return lines;
            }
            let ended = self.child.try_wait().expect("its state");
            let is_late = began.elapsed() > Duration::from_secs(300);
            assert!(!is_late && ended.is_none(), "{what}: {ended:?}\n{}", lines.join("\n"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn ends(mut self) {
        // The first one closes a list.
        self.press("qq");
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn has_terminal() -> bool {
    let has = common::has_terminal();
    if !has {
        tracewell_corpus::skip("script", "install script(1), which makes a terminal");
    }
    has
}

fn etw(place: &Place, arguments: &[&str]) -> String {
    let ran = Ran::of(place.command(ETW).args(arguments).output().expect("it runs"));
    assert_eq!(ran.status, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

fn line(text: &str) -> impl Fn(&[String]) -> bool {
    move |lines| lines.iter().any(|line| line.contains(text))
}

/// Events come while the table is open; the table says what it holds and what was lost, and stays when the session ends.
#[test]
fn issue_20_a_session_without_a_file_is_viewed() {
    if !has_terminal() {
        return;
    }
    let place = Place::new("view");
    etw(&place, &["start", "demo", "--live", "-p", "Contoso-View", "--flush-timer", "50"]);
    let mut view = View::of(&place, "demo --follow 1");
    let lines = view.wait_for("an empty table", line("nothing lost"));
    assert!(lines[0].starts_with("session demo  events by process, thread, function"), "{}", lines[0]);
    assert_eq!(lines[1], "the newest 0 events (at most 64 MiB), nothing lost");
    etw(&place, &["log", "first", "-p", "Contoso-View"]);
    view.wait_for("the first event", line("etw "));
    view.press("gg");
    view.wait_for("another grouping", line("events by program"));
    // Only the programs of that name are shown.
    view.press("/etw\r");
    view.wait_for("a filter", line("rows with 'etw'"));
    etw(&place, &["log", "second", "-p", "Contoso-View"]);
    // The list of events is that of what has come.
    for _ in 0..600 {
        view.press("e");
        let lines = view.wait_for("the events", line("events of etw"));
        if line("first")(&lines) && line("second")(&lines) {
            break;
        }
        view.press("\x1b[D");
        view.wait_for("the table", line("events by program"));
        std::thread::sleep(Duration::from_millis(100));
    }
    view.wait_for("both events", |lines| line("first")(lines) && line("second")(lines));
    etw(&place, &["stop", "demo"]);
    let lines = view.wait_for("the end", line("the session has ended: the newest "));
    assert!(lines[1].contains("nothing lost"), "{}", lines[1]);
    view.ends();
}

/// Old events go when there are too many, and the table says so.
#[test]
fn issue_20_a_table_of_a_session_has_a_limit() {
    if !has_terminal() {
        return;
    }
    let place = Place::new("view-limit");
    etw(&place, &["start", "demo", "--live", "-p", "Contoso-Many", "--flush-timer", "50"]);
    let mut view = View::of(&place, "demo --follow 1 --keep 1");
    view.wait_for("an empty table", line("(at most 1 MiB), nothing lost"));
    let text = "x".repeat(30_000);
    for _ in 0..40 {
        etw(&place, &["log", &text, "-p", "Contoso-Many"]);
    }
    let lines = view.wait_for("what was dropped", line("older ones dropped"));
    let held: usize = lines[1].split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a number");
    assert!(held > 15 && held < 80, "{}", lines[1]);
    view.ends();
}

/// A session that delivers nothing is refused with what to do.
#[test]
fn issue_20_a_session_that_only_buffers_is_not_viewed() {
    if !has_terminal() {
        return;
    }
    let place = Place::new("view-none");
    etw(&place, &["start", "ring", "--mode", "buffering", "-p", "Contoso-View"]);
    let view = View::of(&place, "ring");
    let mut child = { view };
    let status = child.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1));
    let said = String::from_utf8_lossy(&child.bytes.lock().expect("the bytes")).into_owned();
    assert!(said.contains("etw flush ring -o FILE"), "{said}");
}

/// Programs that ran before the table was opened have their names: the kernel describes them again.
#[test]
fn issue_20_a_session_of_the_kernel_is_viewed() {
    if !has_terminal() || lacks_kernel() {
        return;
    }
    let place = Place::new("view-kernel");
    let busy = place.copy("/bin/sh", "busybee");
    let mut child = place.command(&busy.display().to_string());
    let mut child = child.args(["-c", "while :; do :; done"]).spawn().expect("it starts");
    let groups = ["start", "kernel", "--live", "--kernel", "PROCESS,THREAD,CSWITCH,PROFILE"];
    etw(&place, &[&groups[..], &["--buffer-size", "256", "--buffers", "128"]].concat());
    let mut view = View::of(&place, "kernel --follow 1");
    // Samples by process: the program that computes is among them, though it started before the session.
    let busy = format!("busybee {}", child.id());
    let lines = view.wait_for("the program", |lines| {
        line(&busy)(lines) && lines[0].contains("count by process, thread, function")
    });
    assert!(lines[1].starts_with("the newest "), "{}", lines[1]);
    child.kill().expect("it is ended");
    let _ = child.wait();
    view.ends();
}
