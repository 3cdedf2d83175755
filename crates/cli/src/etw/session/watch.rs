//! `etw watch`: events as they come.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use tracewell_session::engine::Engine;
use tracewell_session::{Backlog, Controller, Error, LiveLosses};

use crate::etw::dump::Lines;
use crate::term::{Style, counted, grouped};

/// The options of `etw watch`.
#[derive(Debug, Args)]
pub(in crate::etw) struct Options {
    /// Name of the session
    name: String,
    /// One JSON object an event, one a line
    #[arg(long)]
    json: bool,
    /// Stop after so many events
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,
    /// Hold the session up rather than lose events when this command is too slow
    #[arg(long)]
    hold: bool,
    /// Only count: say each second how many events came and how many were lost
    #[arg(long)]
    rates: bool,
}

/// Runs until the session ends, the limit is reached, or Ctrl-C.
pub(super) fn run(engine: &Engine, options: &Options) -> Result<(), Error> {
    let backlog = if options.hold { Backlog::Hold } else { Backlog::Lose };
    let mut live = engine.attach(&options.name, backlog)?;
    let stopped = stop_flag();
    let mut lines = Lines::new(options.json, Style::stdout());
    let mut processes = Processes::default();
    let start = live.clock().start().unix_ns();
    let (mut shown, mut told) = (0_u64, LiveLosses::default());
    let began = Instant::now();
    let (mut second, mut before) = (began, 0_u64);
    let mut out = Vec::new();
    let mut stdout = std::io::stdout().lock();
    'all: while !stopped.load(Ordering::SeqCst) {
        let Some(batch) = live.next(Duration::from_millis(200))? else { break };
        for record in batch.records() {
            shown += 1;
            if !options.rates {
                let time = live.clock().unix_ns(record.time()).saturating_sub(start);
                lines.event(&mut out, record, time, processes.name(record.pid()));
            }
            if options.limit.is_some_and(|limit| shown >= limit) {
                let _ = stdout.write_all(&out);
                break 'all;
            }
        }
        if options.rates && second.elapsed() >= Duration::from_secs(1) {
            let rate = ((shown - before) as f64 / second.elapsed().as_secs_f64()) as u64;
            let lost = live.losses();
            let text = format!(
                "{} events/s, {} in all, {} lost\n",
                grouped(rate),
                grouped(shown),
                grouped(lost.session_events + lost.consumer_events)
            );
            out.extend(text.as_bytes());
            (second, before) = (Instant::now(), shown);
        }
        if !out.is_empty() {
            // A reader that went away ends the watch.
            if stdout.write_all(&out).and_then(|()| stdout.flush()).is_err() {
                return Ok(());
            }
            out.clear();
        }
        told = tell_losses(told, live.losses());
    }
    drop(stdout);
    tell_losses(told, live.losses());
    if !options.json {
        let lost = live.losses();
        let seconds = began.elapsed().as_secs_f64();
        eprintln!(
            "{} in {seconds:.1} s, {} lost",
            counted(shown, "event", "events"),
            grouped(lost.session_events + lost.consumer_events)
        );
    }
    Ok(())
}

/// Tells of losses that are new.
fn tell_losses(told: LiveLosses, now: LiveLosses) -> LiveLosses {
    if now.session_events > told.session_events {
        let count = now.session_events - told.session_events;
        eprintln!("etw: {} were lost: the session had no free buffer", counted(count, "event", "events"));
    }
    if now.consumer_events > told.consumer_events {
        let count = now.consumer_events - told.consumer_events;
        eprintln!("etw: {} were lost: this command was too slow", counted(count, "event", "events"));
    }
    if now.damaged > told.damaged {
        eprintln!("etw: {} made no sense", counted(now.damaged - told.damaged, "buffer", "buffers"));
    }
    now
}

/// Set by Ctrl-C.
pub(super) fn stop_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // A second handler cannot be set; the first one stays then.
    let _ = ctrlc::set_handler(move || set.store(true, Ordering::SeqCst));
    flag
}

/// Names of running processes.
#[derive(Default)]
struct Processes(HashMap<u32, String>);

impl Processes {
    fn name(&mut self, pid: Option<u32>) -> &str {
        let Some(pid) = pid else { return "" };
        if self.0.len() > 4096 {
            self.0.clear();
        }
        self.0.entry(pid).or_insert_with(|| {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            name.trim_end().to_owned()
        })
    }
}
