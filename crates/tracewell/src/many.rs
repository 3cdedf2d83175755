//! A script over many files, each of which is run by itself, and their aggregations combined.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tracewell_decode::Schemas;
use tracewell_dengine::combine::aggregations::Aggregations;
use tracewell_dengine::host::{Destructive, Output};
use tracewell_dengine::{RunOptions, StartError};
use tracewell_dlang::options::{Opt, Options};
use tracewell_dlang::program::Program;
use tracewell_etl::Trace;
use tracewell_probes::Calls;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay::Question as Asked;
use tracewell_symbols::FileStore;

use crate::compile::{CompileError, Sourced};
use crate::lacks;
use crate::open::{InputError, TraceFile};
use crate::restrict::Limits;
use crate::run::{self, Finished, REFUSED, Survey};
use crate::text::coverage;
use crate::when::Between;

/// The question that each file answers.
pub struct Question<'q> {
    /// The script.
    pub sourced: Sourced<'q>,
    /// The part of the time.
    pub between: Between,
    /// Changes the options of the run.
    pub adjust: &'q dyn Fn(&mut RunOptions),
    /// Descriptions of events.
    pub schemas: &'q dyn Fn(&[Trace<'_>]) -> Schemas,
    /// The system calls of traces.
    pub calls: &'q dyn Fn(&[Trace<'_>]) -> Calls,
    /// Symbol files, where the options, with those of the script, search for them.
    pub store: &'q dyn Fn(&Options) -> FileStore<'q>,
    /// What to report about these.
    pub remarks: &'q dyn Fn(&FileStore<'_>) -> Vec<String>,
    /// The names of destructive actions.
    pub deed: fn(Destructive) -> &'static str,
    /// The aggregations are kept.
    pub keeps: bool,
}

/// The run of a script over a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The aggregations, if they were to be kept.
    pub aggregations: Option<Aggregations>,
    /// The program.
    pub program: Program,
    /// The options of the run.
    pub run_options: RunOptions,
    /// The options, with those of the script.
    pub options: Options,
    /// The status given to `exit()`.
    pub exit_status: Option<i32>,
    /// What the answer lacks, with the file that lacks it.
    pub lines: Vec<(PathBuf, String)>,
    /// Warnings of the compiler.
    pub warnings: Vec<String>,
    /// The run was ended early.
    pub is_interrupted: bool,
}

/// Why a file has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// It cannot be opened.
    Input(InputError),
    /// The script does not compile for it.
    Compile(CompileError),
    /// The program cannot start.
    Start(StartError),
    /// The part of the time is empty.
    Time(String),
    /// An event was not decoded by its own description, and the script demands that.
    Refused,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(error) => error.fmt(f),
            Failure::Compile(error) => error.fmt(f),
            Failure::Start(error) => error.fmt(f),
            Failure::Time(why) => f.write_str(why),
            Failure::Refused => f.write_str(REFUSED),
        }
    }
}

impl std::error::Error for Failure {}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Input(error)
    }
}

/// Runs the script over a trace, whose parts may be several files. `proceed` is called now and then with the bytes that are done;
/// `false` ends the run.
///
/// # Errors
/// See [`Failure`].
pub fn answer(
    question: &Question<'_>,
    files: &[TraceFile],
    out: &mut dyn Output,
    proceed: &mut dyn FnMut(u64) -> bool,
) -> Result<Answer, Failure> {
    let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>()?;
    let window = question.between.window(&traces).map_err(Failure::Time)?;
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| Sightings::of(&traces, (question.schemas)(&traces)));
    catalog.name_calls_by(|| (question.calls)(&traces));
    let compiled = question.sourced.compile(&mut catalog).map_err(Failure::Compile)?;
    let mut run_options = compiled.run_options(question.sourced.pointer_bytes);
    (question.adjust)(&mut run_options);
    run::grow(&mut run_options, &compiled.options);
    let limits = Limits::of(&compiled.options);
    let mut engine =
        run::engine(compiled.program.clone(), run_options.clone(), &limits).map_err(Failure::Start)?;
    if question.keeps {
        engine.keep_aggregations();
    }
    let survey = Survey::new(&traces, engine.program(), |_| {});
    let is_plain = compiled.options.flag(Opt::Noresolve);
    let store = (question.store)(&compiled.options);
    let symbols = if is_plain { survey.plain_addresses() } else { survey.symbols(Some(&store)) };
    let names = NameTable::new(&catalog);
    let mut cut = None;
    let asked = Asked { engine: &mut engine, catalog: &catalog, names: &names, out: &mut *out };
    let finished = survey.run(asked, &symbols, window, &mut |done| {
        if !proceed(done) {
            cut.get_or_insert(done);
        }
        cut.is_none()
    });
    out.flush();
    if finished.outcome.refused {
        return Err(Failure::Refused);
    }
    let path = files.first().map(|file| file.path.clone()).unwrap_or_default();
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push((path.clone(), line));
    if !is_plain {
        (question.remarks)(&store).into_iter().for_each(&mut say);
    }
    let deeds: BTreeSet<&str> = engine.take_deeds().iter().map(|deed| (question.deed)(deed.action)).collect();
    if !deeds.is_empty() {
        say(format!("{}: no effect over a trace", Vec::from_iter(deeds).join(", ")));
    }
    let is_whole_run = !engine.stopped() && cut.is_none();
    let silent =
        is_whole_run.then(|| silent(&question.between, &traces, &finished, engine.program(), &catalog));
    match silent.flatten() {
        Some(line) => say(line),
        None => question.between.part("the answer", &traces).into_iter().for_each(&mut say),
    }
    if let Some(done) = cut {
        let size = files.iter().map(TraceFile::size).sum();
        say(format!("interrupted: the answer covers {}", coverage(traces.len(), done, size)));
    }
    finished.remarks().into_iter().for_each(&mut say);
    for (file, account) in files.iter().zip(&finished.accounts) {
        lines.extend(account.lines().into_iter().map(|line| (file.path.clone(), line)));
    }
    Ok(Answer {
        aggregations: engine.take_kept(),
        program: compiled.program,
        run_options,
        options: compiled.options,
        exit_status: engine.exit_status(),
        lines,
        warnings: compiled.warnings,
        is_interrupted: cut.is_some(),
    })
}

/// A sentence on descriptions that could not fire, or that no event is in the time asked for.
fn silent(
    between: &Between,
    traces: &[Trace<'_>],
    finished: &Finished,
    program: &Program,
    catalog: &ProbeCatalog<'_>,
) -> Option<String> {
    let place = if between.is_whole() { "the trace" } else { "the time asked for" };
    let line = lacks::sentence(&finished.silent(program, catalog), place)?;
    Some(between.without_events(traces).unwrap_or(line))
}

/// Does a piece of work for each number below `count` on several threads, and hands over the results in order. At most two
/// results for each thread wait to be handed over, so that the memory of all does not grow with their number. `take` returns
/// `false` to begin no further piece; those that run already are still handed over.
pub fn in_order<T: Send>(
    count: usize,
    threads: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> bool,
) {
    let ahead = threads.get().saturating_mul(2);
    let shared =
        Mutex::new(Shared { next: 0, taken: 0, end: count, done: BTreeMap::new(), is_broken: false });
    let changed = Condvar::new();
    let worker = || {
        // Wakes the others if the work panics; the panic then ends the scope.
        let broken = Broken { shared: &shared, changed: &changed };
        loop {
            let mut state = lock(&shared);
            while state.next < state.end && state.next >= state.taken + ahead && !state.is_broken {
                state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.next >= state.end || state.is_broken {
                break;
            }
            let number = state.next;
            state.next += 1;
            drop(state);
            let result = work(number);
            lock(&shared).done.insert(number, result);
            changed.notify_all();
        }
        std::mem::forget(broken);
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            scope.spawn(worker);
        }
        let broken = Broken { shared: &shared, changed: &changed };
        for number in 0..count {
            let mut state = lock(&shared);
            let result = loop {
                if let Some(result) = state.done.remove(&number) {
                    break result;
                }
                if state.is_broken || number >= state.next && number >= state.end {
                    return;
                }
                state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            state.taken = number + 1;
            drop(state);
            changed.notify_all();
            if !take(number, result) {
                let mut state = lock(&shared);
                state.end = state.next;
                drop(state);
                changed.notify_all();
            }
        }
        std::mem::forget(broken);
    });
}

struct Shared<T> {
    /// The next piece that no thread has begun.
    next: usize,
    /// Pieces that were handed over.
    taken: usize,
    /// No piece from this one on is begun.
    end: usize,
    done: BTreeMap<usize, T>,
    is_broken: bool,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all threads when it is dropped.
struct Broken<'s, T> {
    shared: &'s Mutex<Shared<T>>,
    changed: &'s Condvar,
}

impl<T> Drop for Broken<'_, T> {
    fn drop(&mut self) {
        lock(self.shared).is_broken = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn threads(number: usize) -> NonZeroUsize {
        NonZeroUsize::new(number).unwrap()
    }

    #[test]
    fn issue_22_results_come_in_order_from_any_number_of_threads() {
        for (count, number) in [(0, 1), (1, 8), (100, 1), (100, 3), (257, 16)] {
            let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut taken = Vec::new();
            in_order(
                count,
                threads(number),
                |at| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                    at * at
                },
                |at, result| {
                    taken.push((at, result));
                    true
                },
            );
            assert_eq!(taken, (0..count).map(|at| (at, at * at)).collect::<Vec<_>>());
            assert!(most.into_inner() <= number);
        }
    }

    #[test]
    fn issue_22_no_thread_runs_far_ahead() {
        let begun = AtomicUsize::new(0);
        in_order(
            200,
            threads(3),
            |_| begun.fetch_add(1, Ordering::SeqCst),
            |at, _| {
                // This one is taken already.
                assert!(begun.load(Ordering::SeqCst) <= at + 1 + 6);
                true
            },
        );
        assert_eq!(begun.into_inner(), 200);
    }

    #[test]
    fn issue_22_nothing_new_begins_after_a_stop() {
        let begun = AtomicUsize::new(0);
        let mut taken = Vec::new();
        in_order(
            1000,
            threads(2),
            |at| {
                begun.fetch_add(1, Ordering::SeqCst);
                at
            },
            |_, result| {
                taken.push(result);
                result < 10
            },
        );
        let begun = begun.into_inner();
        assert!((11..=11 + 4 + 1).contains(&begun), "{begun}");
        assert_eq!(taken, (0..begun).collect::<Vec<_>>(), "what ran is handed over");
    }

    #[test]
    fn issue_22_a_panic_ends_all_threads() {
        let ended = std::panic::catch_unwind(|| {
            in_order(100, threads(4), |at| assert!(at != 7), |_, ()| true);
        });
        assert!(ended.is_err());
        let ended = std::panic::catch_unwind(|| {
            in_order(
                100,
                threads(4),
                |at| at,
                |at, _| {
                    assert!(at != 7);
                    true
                },
            );
        });
        assert!(ended.is_err());
    }
}
