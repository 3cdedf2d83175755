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
    /// What is counted, when it is neither bytes nor records.
    unit: &'static str,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// So much work takes no noticeable time: no line is drawn for smaller files.
    const SMALL: u64 = 64 << 20;

    /// Progress through a file of that many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Progress {
        let wanted = bytes > Self::SMALL && std::io::stderr().is_terminal();
        Progress(
            wanted.then(|| RefCell::new(Inner { begun: Instant::now(), total: bytes, unit: "", bar: None })),
        )
    }

    /// Progress through so many things, each of which may take a while.
    #[must_use]
    pub fn counted(total: u64, unit: &'static str) -> Progress {
        let wanted = std::io::stderr().is_terminal();
        Progress(wanted.then(|| RefCell::new(Inner { begun: Instant::now(), total, unit, bar: None })))
    }

    /// That many of the things are done.
    pub fn step(&self, done: u64) {
        let Some(inner) = &self.0 else { return };
        let inner = &mut *inner.borrow_mut();
        if inner.bar.is_none() && inner.begun.elapsed() > Duration::from_millis(500) {
            let template = format!("{{bar:30}} {{pos}} of {{len}} {}, {{eta}} left", inner.unit);
            let bar = ProgressBar::new(inner.total);
            inner.bar = Some(match ProgressStyle::with_template(&template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &inner.bar {
            bar.set_position(done.min(inner.total));
        }
    }

    /// That many records are done.
    pub fn records(&self, done: u64) {
        let Some(inner) = &self.0 else { return };
        if done & 0xf_ffff != 0 {
            return;
        }
        let inner = &mut *inner.borrow_mut();
        if inner.bar.is_none() && inner.begun.elapsed() > Duration::from_millis(500) {
            let style = ProgressStyle::with_template("{spinner} {human_pos} records, {per_sec}");
            inner.bar = Some(style.map_or_else(
                |_| ProgressBar::new_spinner(),
                |style| ProgressBar::new_spinner().with_style(style),
            ));
        }
        if let Some(bar) = &inner.bar {
            bar.set_position(done);
        }
    }

    /// That many bytes of the file are done.
    pub fn bytes(&self, done: u64) {
        let Some(inner) = &self.0 else { return };
        let inner = &mut *inner.borrow_mut();
        if inner.bar.is_none() && inner.begun.elapsed() > Duration::from_millis(500) {
            let template = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
            let bar = ProgressBar::new(inner.total);
            inner.bar = Some(match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            });
        }
        if let Some(bar) = &inner.bar {
            bar.set_position(done.min(inner.total));
        }
    }
}

impl Progress {
    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = self.0.as_ref().and_then(|i| i.borrow_mut().bar.take()) {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
