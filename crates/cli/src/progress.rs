//! A progress line for long work: on a terminal's error output only, and only when it takes long.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that may take long.
#[derive(Debug)]
pub struct Progress(Option<RefCell<Inner>>);

#[derive(Debug)]
struct Inner {
    begun: Instant,
    total: u64,
    template: String,
    bar: Option<ProgressBar>,
    /// No line is to be drawn any more.
    stopped: bool,
}

/// What takes no longer needs no line.
const NOTICEABLE: Duration = Duration::from_millis(500);

impl Progress {
    /// Progress through so many bytes of files; of a file that is read twice, twice its bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Progress {
        Progress::with(bytes, "{bar:30} {percent} %, {bytes_per_sec}, {eta} left".to_owned())
    }

    /// Progress through so many things, each of which may take a while.
    #[must_use]
    pub fn counted(total: u64, unit: &'static str) -> Progress {
        Progress::with(total, format!("{{bar:30}} {{pos}} of {{len}} {unit}, {{eta}} left"))
    }

    fn with(total: u64, template: String) -> Progress {
        let wanted = std::io::stderr().is_terminal();
        let inner = || RefCell::new(Inner { begun: Instant::now(), total, template, bar: None, stopped: false });
        Progress(wanted.then(inner))
    }

    /// That much is done.
    pub fn done(&self, done: u64) {
        let Some(inner) = &self.0 else { return };
        let inner = &mut *inner.borrow_mut();
        if inner.bar.is_none() && !inner.stopped && inner.begun.elapsed() > NOTICEABLE {
            let bar = ProgressBar::new(inner.total);
            inner.bar = Some(match ProgressStyle::with_template(&inner.template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &inner.bar {
            bar.set_position(done.min(inner.total));
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = self.0.as_ref().and_then(|i| i.borrow_mut().bar.take()) {
            bar.finish_and_clear();
        }
    }

    /// Takes the line away for good: other lines come where it would be.
    pub fn stop(&self) {
        self.clear();
        if let Some(inner) = &self.0 {
            inner.borrow_mut().stopped = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Whether it is time to tell how far work is that takes records one by one.
#[must_use]
pub fn is_due(records: u64) -> bool {
    records & 0x3fff == 0
}
