//! A progress line for long work: on a terminal's error output only, and only when it takes long.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Work that may take long.
#[derive(Debug)]
pub struct Progress(Option<RefCell<Inner>>);

#[derive(Debug)]
struct Inner {
    begun: Instant,
    /// What takes no longer needs no line.
    patience: Duration,
    total: u64,
    template: String,
    bar: Option<ProgressBar>,
    /// No line is to be drawn any more.
    stopped: bool,
}

impl Inner {
    fn new(total: u64, template: String, patience: Duration) -> Inner {
        Inner { begun: Instant::now(), patience, total, template, bar: None, stopped: false }
    }

    fn line(&self) -> ProgressBar {
        let bar = ProgressBar::new(self.total);
        match ProgressStyle::with_template(&self.template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        }
    }
}

/// The share that is done, and how long the rest may take.
const OF_BYTES: &str = "{bar:30} {percent:>3} %{msg}";

/// When the work may end, by how long it took so far. Passes over files differ in speed, and a line is drawn only when
/// work has gone on for a while, so what was done in the last moments says less than all of it.
fn remaining(elapsed: Duration, done: u64, total: u64) -> Option<Duration> {
    let left = total.checked_sub(done)? as f64 / done as f64;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * left).ok()
}

impl Progress {
    /// Progress through so many bytes of files; of a file that is read twice, twice its bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Progress {
        Progress::with(bytes, OF_BYTES.to_owned())
    }

    /// Progress through so many things, each of which may take a while.
    #[must_use]
    pub fn counted(total: u64, unit: &'static str) -> Progress {
        Progress::with(total, format!("{{bar:30}} {{pos}} of {{len}} {unit}{{msg}}"))
    }

    fn with(total: u64, template: String) -> Progress {
        let wanted = std::io::stderr().is_terminal();
        let patience = Duration::from_millis(500);
        Progress(wanted.then(|| RefCell::new(Inner::new(total, template, patience))))
    }

    /// That much is done.
    pub fn done(&self, done: u64) {
        let Some(inner) = &self.0 else { return };
        let inner = &mut *inner.borrow_mut();
        if inner.bar.is_none() && !inner.stopped && inner.begun.elapsed() >= inner.patience {
            inner.bar = Some(inner.line());
        }
        if let Some(bar) = &inner.bar {
            if let Some(left) = remaining(inner.begun.elapsed(), done, inner.total) {
                bar.set_message(format!(", {} left", HumanDuration(left)));
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(progress: &Progress) -> Option<u64> {
        progress.0.as_ref().and_then(|inner| inner.borrow().bar.as_ref().map(ProgressBar::position))
    }

    /// The test has no terminal, so nothing is drawn.
    fn after(patience: Duration) -> Progress {
        Progress(Some(RefCell::new(Inner::new(200, OF_BYTES.to_owned(), patience))))
    }

    #[test]
    fn a_line_shows_how_much_is_done() {
        assert!(ProgressStyle::with_template(OF_BYTES).is_ok());
        let progress = after(Duration::ZERO);
        progress.done(50);
        assert_eq!(shown(&progress), Some(50));
        progress.done(500);
        assert_eq!(shown(&progress), Some(200), "no more than all");
        progress.stop();
        progress.done(60);
        assert_eq!(shown(&progress), None, "other lines come");
    }

    #[test]
    fn the_rest_takes_as_long_as_what_is_done() {
        let minute = Duration::from_secs(60);
        assert_eq!(remaining(minute, 50, 200), Some(3 * minute));
        assert_eq!(remaining(minute, 200, 200), Some(Duration::ZERO));
        assert_eq!(remaining(minute, 0, 200), None, "not known yet");
        assert_eq!(remaining(minute, 300, 200), None);
    }

    #[test]
    fn short_work_has_no_line() {
        let progress = after(Duration::MAX);
        progress.done(50);
        assert_eq!(shown(&progress), None);
    }
}
