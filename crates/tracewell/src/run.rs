//! A run of a program over traces: the passes before it, the run, and what is to be said about it.

use tracewell_dengine::{Engine, RunOptions, StartError};
use tracewell_dlang::options::{Opt, Options};
use tracewell_dlang::program::Program;
use tracewell_etl::Trace;
use tracewell_etl::read::Ledger;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::replay::{self, Driver, Feed, Files, Outcome, Question, Surveyed, Window};
use tracewell_state::{Machine, Stacks};
use tracewell_symbols::{SymbolStore, Symbols};

use crate::account::Account;
use crate::lacks::{self, Lack};
use crate::restrict::Limits;
use crate::undecoded;

/// Bytes that each kind of data of a script may grow to over a trace: aggregations, variables, speculations, buffers. A trace
/// waits, so that nothing need be lost; but memory is limited.
const GROWTH: u64 = 1 << 30;

/// Bytes that a string may have over a trace, unless the script sets `strsize`: more than a text in an event can have.
const LONGEST_STRING: u64 = 1 << 16;

/// Lets the data of a script grow instead of being lost, for runs over traces. Strings are as long as their data, unless
/// `set` has a size for them.
pub fn grow(options: &mut RunOptions, set: &Options) {
    options.sizes.growth = Some(GROWTH);
    options.sizes.longest = (!set.is_set(Opt::Strsize)).then_some(LONGEST_STRING);
}

/// Makes the engine of a run.
///
/// # Errors
/// The program cannot start, for example because of a size.
pub fn engine(program: Program, mut options: RunOptions, limits: &Limits) -> Result<Engine, StartError> {
    limits.apply(&mut options);
    Engine::new(program, options)
}

/// What passes over traces found that a program needs to know before it runs.
#[derive(Debug)]
pub struct Survey<'t> {
    traces: &'t [Trace<'t>],
    machine: Machine,
    stacks: Option<Stacks>,
    unread: u64,
    ledgers: Vec<Ledger>,
}

impl<'t> Survey<'t> {
    /// Passes over the traces. Calls `progress` occasionally with the number of bytes read.
    #[must_use]
    pub fn new(traces: &'t [Trace<'t>], program: &Program, progress: impl FnMut(u64)) -> Survey<'t> {
        Survey::described_by(traces, traces, program, progress)
    }

    /// As [`Survey::new`], with processes and files from other traces.
    pub(crate) fn described_by(
        described: &[Trace<'_>],
        traces: &'t [Trace<'t>],
        program: &Program,
        progress: impl FnMut(u64),
    ) -> Survey<'t> {
        let (machine, unread, ledgers) = replay::survey_all(described, replay::needs(program), progress);
        let stacks = replay::stacks(traces, program);
        Survey { traces, machine, stacks, unread, ledgers }
    }

    /// The names of addresses, also from a store of symbol files if there is one.
    #[must_use]
    pub fn symbols<'s>(&'s self, store: Option<&'s dyn SymbolStore>) -> Symbols<'s> {
        let symbols = Symbols::new(&self.machine);
        match store {
            Some(store) => symbols.with_store(store),
            None => symbols,
        }
    }

    /// Addresses without names.
    #[must_use]
    pub fn plain_addresses(&self) -> Symbols<'_> {
        Symbols::plain(&self.machine)
    }

    /// Runs a program over a part of the time.
    pub fn run(
        &self,
        question: Question<'_, '_>,
        symbols: &Symbols<'_>,
        window: Window,
        driver: &mut impl Driver,
    ) -> Finished {
        self.run_over(question, &mut self.feed(symbols, window), driver)
    }

    pub(crate) fn feed<'s>(&'s self, symbols: &'s Symbols<'s>, window: Window) -> Files<'s> {
        let stacks = self.stacks.as_ref();
        Files::new(self.traces, Surveyed { machine: &self.machine, stacks, symbols, window })
    }

    pub(crate) fn run_over(
        &self,
        question: Question<'_, '_>,
        feed: &mut impl Feed,
        driver: &mut impl Driver,
    ) -> Finished {
        let Question { engine, catalog, names, out } = question;
        let question = Question { engine: &mut *engine, catalog, names, out };
        let outcome = replay::run(question, feed, driver);
        let cut_strings = engine.cut_strings();
        let found = self.ledgers.iter().zip(outcome.damaged.iter().zip(&outcome.left_out));
        let accounts = self.traces.iter().zip(found).map(|(trace, (ledger, (damaged, left_out)))| {
            let mut account = Account::new(trace);
            account.found(ledger.count() - ledger.limited());
            account.found(*damaged);
            account.left_out(*left_out);
            account
        });
        let (accounts, unread) = (accounts.collect(), self.unread + outcome.unread);
        Finished { outcome, accounts, unread, cut_strings }
    }
}

/// A run over traces that is over.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// What the run did, and what it could not read.
    pub outcome: Outcome,
    /// What is missing from each trace.
    pub accounts: Vec<Account>,
    /// Events that could not be read, also those that only describe the machine.
    pub unread: u64,
    /// How often a string was cut because it was longer than `strsize`.
    pub cut_strings: u64,
}

/// The remark about strings that were cut, if any were.
#[must_use]
pub fn cut_strings(times: u64) -> Option<String> {
    let counted = crate::text::counted(times, "string was", "strings were");
    (times > 0)
        .then(|| format!("{counted} cut, because longer than the option strsize allows (-x strsize=SIZE)"))
}

/// The remark about `vtimestamp` where it was not what its name says.
pub const CPU_TIMES_UNKNOWN: &str = "vtimestamp had the time that passed, not the time on processors: there were no context switches \
     (flag CSWITCH; live, add a probe such as sched:::on-cpu)";

/// What to say when an event refused the answer of a run.
pub const REFUSED: &str =
    "no answer: an event that the program reads was not decoded by its own description (-x strict)";

impl Finished {
    /// The descriptions of the program that could not fire; see [`lacks::silent`].
    #[must_use]
    pub fn silent(&self, program: &Program, catalog: &ProbeCatalog<'_>) -> Vec<Lack> {
        lacks::silent(program, catalog, &self.outcome.fired)
    }

    /// What was left out or decoded in part, a line each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.outcome.ticks_left_out > 0 {
            lines.push(format!(
                "{} firings of timed probes were left out: the trace jumps far ahead in time",
                self.outcome.ticks_left_out
            ));
        }
        lines.extend(cut_strings(self.cut_strings));
        if self.outcome.cpu_times_unknown {
            lines.push(CPU_TIMES_UNKNOWN.to_owned());
        }
        lines.extend(undecoded::lines(&self.outcome.undecoded));
        if self.unread > 0 && !self.outcome.refused {
            lines.push(format!(
                "{} events could not be read: their layout is not known or they are cut short",
                self.unread
            ));
        }
        lines
    }
}
