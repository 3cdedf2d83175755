//! `etw watch`: events as they come.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tracewell_etl::{Record, Trace};
use tracewell_session::{
    Arrival, Backlog, Code, Consumer, Controller, Error, LiveLosses, Next, describes_a_writer,
};
use tracewell_types::Guid;

use crate::etw::dump::Lines;
use crate::input::{InputError, only_trace};
use crate::out::say;
use crate::term::Style;
use tracewell::text::{counted, grouped};

/// The options of `etw watch`.
#[derive(Debug, Args)]
pub(in crate::etw) struct Options {
    /// Names of sessions, and trace files (FILE.etl, or any path); all are merged by time
    #[arg(required = true, value_name = "NAME|FILE")]
    sources: Vec<String>,
    /// Print one JSON object per event, one per line
    #[arg(long)]
    json: bool,
    /// Stop after this number of events
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,
    /// Make sessions wait instead of losing events if this command is too slow
    #[arg(long)]
    hold: bool,
    /// Print only the number of received and lost events, each second
    #[arg(long)]
    rates: bool,
}

impl Options {
    /// Returns `true` if events are shown as JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }
}

/// How long an event waits for those of other sources that were before it: longer than flush timers mostly are.
const DELAY: Duration = Duration::from_millis(1500);

/// Runs until all sources end, the limit is reached, or Ctrl-C.
pub(super) fn run(system: &dyn Controller, options: &Options) -> Result<(), Error> {
    let backlog = if options.hold { Backlog::Hold } else { Backlog::Lose };
    let (mut files, mut sessions) = (Vec::new(), Vec::new());
    let unreadable = |error: InputError| match &error {
        InputError::Io(path, reason) => Error::io(reason, &format!("cannot open {}", path.display())),
        _ => Error::new(Code(FILE_CORRUPT), error.to_string()),
    };
    for name in &options.sources {
        if is_file(name) {
            files.push(only_trace(Path::new(name)).map_err(unreadable)?);
        } else {
            sessions.push(system.attach(name, backlog)?);
        }
    }
    let traces = files.iter().map(|file| file.trace().map_err(unreadable).map(Trace::into_sessions));
    // Appended sessions with a different clock are separate sources.
    let traces: Vec<Trace<'_>> = traces.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect();
    let mut watch = Watch {
        lines: Lines::new(options.json, Style::stdout(), traces.iter()),
        processes: Processes::default(),
        live: traces.len()..traces.len() + sessions.len(),
        seen: HashSet::new(),
        reported: vec![LiveLosses::default(); traces.len() + sessions.len()],
    };
    let mut consumer = Consumer::new(&traces, sessions, DELAY);
    let starts = (0..consumer.sources()).filter_map(|source| consumer.clock(source));
    let start = starts.map(|clock| clock.start().unix_ns()).min().unwrap_or(0);
    let stopped = stop_flag();
    let mut shown = 0_u64;
    let began = Instant::now();
    let (mut second, mut before) = (began, 0_u64);
    let mut out = Vec::new();
    let mut stdout = std::io::stdout().lock();
    let mut over = false;
    while !over && !stopped.load(Ordering::SeqCst) {
        // What is at hand is written at once, and together.
        let wait = if out.is_empty() { Duration::from_millis(200) } else { Duration::ZERO };
        let mut pause = out.len() >= 1 << 16;
        match consumer.next(wait)? {
            Next::Event(Arrival { source, record, time, .. }) => {
                // Records about the file or session itself are not events.
                if is_of_the_log(&record) {
                    if watch.live.contains(&source) {
                        watch.processes.learn(&record);
                    }
                    continue;
                }
                shown += 1;
                if !options.rates {
                    watch.learn_name(system, &record);
                    let name =
                        if watch.live.contains(&source) { watch.processes.name(record.pid()) } else { "" };
                    watch.lines.event(&mut out, record, time.saturating_sub(start), name);
                }
                over = options.limit.is_some_and(|limit| shown >= limit);
            }
            Next::Nothing => pause = true,
            Next::End => over = true,
        }
        if options.rates
            && (pause || shown.is_multiple_of(1024))
            && second.elapsed() >= Duration::from_secs(1)
        {
            let rate = ((shown - before) as f64 / second.elapsed().as_secs_f64()) as u64;
            let lost = watch.lost(&consumer);
            let text = if options.json {
                format!("{}\n", json!({ "events_per_second": rate, "events": shown, "lost": lost }))
            } else {
                format!("{} events/s, {} in all, {} lost\n", grouped(rate), grouped(shown), grouped(lost))
            };
            out.extend(text.as_bytes());
            (second, before) = (Instant::now(), shown);
        }
        if pause || over {
            // A reader that went away ends the watch.
            if let Err(error) = stdout.write_all(&out).and_then(|()| stdout.flush()) {
                crate::out::note(&error);
                return Ok(());
            }
            out.clear();
            over |= crate::pipe::reader_is_gone();
            watch.report_losses(&consumer);
        }
    }
    drop(stdout);
    watch.report_losses(&consumer);
    if !options.json {
        let seconds = began.elapsed().as_secs_f64();
        let late: u64 = (0..consumer.sources()).map(|source| consumer.late(source)).sum();
        let late = if late > 0 { format!(", {} out of order", grouped(late)) } else { String::new() };
        say!(
            "{} in {seconds:.1} s, {} lost{late}",
            counted(shown, "event", "events"),
            grouped(watch.lost(&consumer))
        );
    }
    Ok(())
}

/// Returns `true` if a record is about the log: the header and related records, and the processes that our engine
/// records.
fn is_of_the_log(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| hook >> 8 == 0) || describes_a_writer(record)
}

/// So many names of providers are asked for.
const MOST_NAMES: usize = 4096;

/// `ERROR_FILE_CORRUPT`.
const FILE_CORRUPT: u32 = 1392;

/// Returns `true` if a word names a file rather than a session: by its ending, or as a path.
fn is_file(name: &str) -> bool {
    name.contains('/') || name.to_ascii_lowercase().ends_with(".etl")
}

/// What a watch knows beside its events.
struct Watch {
    lines: Lines,
    processes: Processes,
    /// Numbers of the sources that are live.
    live: Range<usize>,
    reported: Vec<LiveLosses>,
    /// Providers whose names were asked for.
    seen: HashSet<Guid>,
}

impl Watch {
    /// Has a provider that is seen for the first time shown by the name it registered with.
    fn learn_name(&mut self, system: &dyn Controller, record: &Record<'_>) {
        let guid = record.guid();
        if record.hook().is_some() || self.seen.contains(&guid) || self.seen.len() >= MOST_NAMES {
            return;
        }
        self.seen.insert(guid);
        // If the list of providers is not available, the provider is shown by its GUID.
        let all = system.providers().unwrap_or_default();
        if let Some(found) = all.iter().find(|provider| provider.guid == guid && !provider.name.is_empty()) {
            self.lines.name_provider(guid, &found.name);
        }
    }

    fn lost(&self, consumer: &Consumer<'_>) -> u64 {
        total(self.live.clone().map(|source| consumer.losses(source)))
    }

    fn report_losses(&mut self, consumer: &Consumer<'_>) {
        for source in self.live.clone() {
            self.reported[source] = report_losses(self.reported[source], consumer.losses(source));
        }
    }
}

/// Returns the number of events that were lost, by sessions and by this command.
fn total(losses: impl Iterator<Item = LiveLosses>) -> u64 {
    losses.map(|lost| lost.session_events + lost.consumer_events).sum()
}

/// Reports losses that are new.
fn report_losses(reported: LiveLosses, now: LiveLosses) -> LiveLosses {
    if now.session_events > reported.session_events {
        let count = now.session_events - reported.session_events;
        say!("etw: {} were lost: the session had no free buffer", counted(count, "event", "events"));
    }
    if now.consumer_events > reported.consumer_events {
        let count = now.consumer_events - reported.consumer_events;
        say!("etw: {} were lost: this command was too slow", counted(count, "event", "events"));
    }
    if now.damaged > reported.damaged {
        say!("etw: {} could not be parsed", counted(now.damaged - reported.damaged, "buffer", "buffers"));
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
    /// Takes note of a process that a session names, which may have ended before its events are shown.
    fn learn(&mut self, record: &Record<'_>) {
        if let Some(process) = tracewell_session::writer(record) {
            self.make_room();
            self.0.insert(process.pid, process.name);
        }
    }

    fn make_room(&mut self) {
        if self.0.len() > 4096 {
            self.0.clear();
        }
    }

    fn name(&mut self, pid: Option<u32>) -> &str {
        let Some(pid) = pid else { return "" };
        self.make_room();
        self.0.entry(pid).or_insert_with(|| {
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            name.trim_end().to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_losses_of_all_sources_and_of_both_kinds_add_up() {
        let lost = |session_events, consumer_events| LiveLosses {
            session_events,
            consumer_events,
            consumer_buffers: 1_000,
            damaged: 10_000,
        };
        for (losses, want) in [
            (vec![], 0),
            (vec![lost(5, 0)], 5),
            (vec![lost(0, 7)], 7),
            (vec![lost(5, 7)], 12),
            (vec![lost(5, 7), lost(0, 0), lost(100, 1)], 113),
        ] {
            assert_eq!(total(losses.into_iter()), want);
        }
    }
}
