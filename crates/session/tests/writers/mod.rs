//! Programs that log numbered events: the test program again, running its ignored test `writer`.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracewell_session::engine::RuntimeDir;
use tracewell_session::{EventDescriptor, provider};

use crate::common::{Place, wait_for};

provider!(pub static LOAD = "Tracewell-Test-Load");

pub const EVENT: EventDescriptor =
    EventDescriptor { id: 1, version: 0, channel: 0, level: 4, opcode: 0, task: 0, keyword: 0 };

pub const RUNTIME: &str = "TRACEWELL_TEST_RUNTIME";

/// Whether the parent has said that it is enough.
static ENOUGH: AtomicBool = AtomicBool::new(false);

/// Writes numbered events from some threads, until it is killed or asked to stop, or has written the given number.
#[test]
#[ignore = "run by the other tests, as a separate process"]
#[allow(clippy::print_stdout, reason = "reports to its parent that it is ready")]
fn writer() {
    let Some(runtime) = std::env::var_os(RUNTIME) else { return };
    // A test that is killed leaves no writer behind.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).unwrap();
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let threads = number("THREADS").unwrap_or(1);
    let count = number("COUNT").unwrap_or(u64::MAX);
    let pause = number("PAUSE_US").unwrap_or(0);
    assert!(RuntimeDir::new(runtime).use_for_providers());
    LOAD.register();
    wait_for(|| LOAD.is_enabled(4, 0));
    println!("ready");
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ENOUGH.store(true, Ordering::SeqCst);
    });
    let (mut written, mut lost) = (0, 0);
    let threads: Vec<_> = (0..threads).map(|_| std::thread::spawn(move || write(count, pause))).collect();
    for thread in threads {
        let (w, l) = thread.join().unwrap();
        written += w;
        lost += l;
    }
    println!("done {written} {lost}");
}

/// Each event contains its number in its thread, and how many before it were lost.
pub fn write(count: u64, pause: u64) -> (u64, u64) {
    let (mut written, mut lost) = (0_u64, 0_u64);
    for n in 0..count {
        let delivery = LOAD.write(&EVENT, &(n, lost));
        written += u64::from(delivery.written);
        lost += u64::from(delivery.lost);
        if n % 100 == 0 {
            if ENOUGH.load(Ordering::Relaxed) {
                break;
            }
            if pause > 0 {
                std::thread::sleep(Duration::from_micros(pause));
            }
        }
    }
    (written, lost)
}

/// A writer in a separate process.
pub struct Writer {
    pub child: Child,
    output: BufReader<ChildStdout>,
}

impl Writer {
    /// Asks the writer to stop.
    pub fn finish(&mut self) {
        drop(self.child.stdin.take());
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn spawn(place: &Place, settings: &[(&str, u64)]) -> Writer {
    spawn_by(Command::new(std::env::current_exe().unwrap()), place, settings)
}

pub fn spawn_by(mut command: Command, place: &Place, settings: &[(&str, u64)]) -> Writer {
    command.args(["--exact", "writers::writer", "--ignored", "--nocapture"]);
    command.env(RUNTIME, place.runtime().path());
    for (name, value) in settings {
        command.env(name, value.to_string());
    }
    run(command)
}

/// Starts a process whose output is read.
pub fn run(mut command: Command) -> Writer {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    Writer { child, output }
}

/// Sends a byte to a process whose output is read.
pub fn ask(writer: &mut Writer) {
    writer.child.stdin.as_mut().unwrap().write_all(&[1]).unwrap();
}

/// The next line of a writer from a word on.
pub fn line(writer: &mut Writer, word: &str) -> String {
    let mut text = String::new();
    loop {
        text.clear();
        assert!(writer.output.read_line(&mut text).unwrap() > 0, "the writer ended without {word:?}");
        if let Some(at) = text.find(word) {
            return text[at..].trim_end().to_owned();
        }
    }
}
