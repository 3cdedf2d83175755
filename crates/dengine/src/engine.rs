//! The engine: a program, its state, and the two sides of it — firing and consuming.

use crate::agg::AggTable;
use crate::combine::aggregations::Aggregations;
use crate::consume::{Consumer, drops};
use crate::enabling::{Armed, Enabling, ReadyClause, index};
use crate::host::{Deed, Names, Output};
use crate::interp::Registers;
use crate::options::{BufPolicy, RunOptions, Shown};
use crate::pack::{Reader, Value};
use crate::state::{Drops, State};
use std::fmt;
use std::sync::Arc;
use tracewell_dlang::ir::Op;
use tracewell_dlang::program::{Action, ActionKind, Aggregation, ProbeId, Program, Repr};

/// A program being run.
///
/// The driver fires probes in order of time, BEGIN first and END last, drains from time to time, and
/// finishes. Firing never writes output and draining never runs clauses.
#[derive(Debug)]
pub struct Engine {
    pub(crate) program: Program,
    options: RunOptions,
    /// Enablings in order of their numbers, starting with enabling 1.
    pub(crate) enablings: Vec<Enabling>,
    /// The range of each probe's enablings in `by_probe`: (first, past the last).
    pub(crate) probes: Vec<(u32, u32)>,
    /// The enablings made ready, probe by probe.
    pub(crate) by_probe: Vec<Armed>,
    /// The clauses made ready.
    ready: Vec<Arc<ReadyClause>>,
    pub(crate) state: State,
    pub(crate) regs: Box<Registers>,
    consumer: Consumer,
    /// `printa()` shows aggregations as they are when its record is shown, which is at `switchrate`.
    shows_late: bool,
    /// The aggregations are to be kept.
    keeps: bool,
    /// The aggregations as they were before the records of END were shown.
    kept: Option<Aggregations>,
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The program's code is faulty.
    Program(String),
    /// It has destructive actions, and they are not allowed.
    Destructive,
    /// A size in the options cannot be had.
    Size(String),
    /// The records of END do not fit a buffer of policy `fill`.
    EndTooLarge,
    /// It enables too many probes.
    TooManyProbes,
    /// It has so many probe descriptions, more than there can be.
    TooLarge(usize),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Program(what) => write!(f, "invalid program: {what}"),
            StartError::Destructive => f.write_str("destructive actions not allowed"),
            StartError::Size(what) => f.write_str(what),
            StartError::EndTooLarge => f.write_str("END enablings exceed size of principal buffer"),
            StartError::TooManyProbes => f.write_str("too many probes"),
            StartError::TooLarge(count) => write!(
                f,
                "DIF program exceeds maximum program size: it has {count} probe descriptions, {MOST_DESCRIPTIONS} can be"
            ),
        }
    }
}

impl std::error::Error for StartError {}

/// Most probe descriptions of a program; the original has a limit on its bytes.
const MOST_DESCRIPTIONS: usize = 1 << 15;
/// Sizes above this are refused, or reduced to it.
const MOST_SIZE: u64 = 1 << 32;
/// Probe numbers above this are refused: the table of them is dense.
const MOST_PROBE: u32 = 1 << 26;

impl Engine {
    /// Verifies a program and makes it ready to run.
    ///
    /// # Errors
    /// Faulty code, destructive actions that are not allowed, or sizes that cannot be had.
    pub fn new(program: Program, mut options: RunOptions) -> Result<Engine, StartError> {
        let descriptions = program.clauses.iter().map(|clause| clause.described.len()).sum();
        if descriptions > MOST_DESCRIPTIONS {
            return Err(StartError::TooLarge(descriptions));
        }
        tracewell_dlang::ir::verify::verify(&program).map_err(|e| StartError::Program(e.to_string()))?;
        let destructive = |c: &tracewell_dlang::program::Clause| {
            c.actions.iter().any(|a| a.kind.is_destructive())
                || c.code.iter().any(|i| {
                    i.op == Op::Call
                        && matches!(
                            u16::try_from(i.imm).ok().and_then(tracewell_dlang::builtins::Subr::from_number),
                            Some(
                                tracewell_dlang::builtins::Subr::Copyout
                                    | tracewell_dlang::builtins::Subr::Copyoutstr
                            )
                        )
                })
        };
        if !options.destructive && program.clauses.iter().any(destructive) {
            return Err(StartError::Destructive);
        }
        fit_sizes(&mut options)?;
        grow_sizes(&mut options);
        let state = State::new(&program, &options).map_err(StartError::Size)?;
        let ready: Vec<Arc<ReadyClause>> = program
            .clauses
            .iter()
            .map(|clause| Arc::new(ReadyClause::new(clause, options.sizes.strsize)))
            .collect();
        let mut enablings = Vec::new();
        for (number, clause) in program.clauses.iter().enumerate() {
            for &probe in &clause.probes {
                if probe.0 > MOST_PROBE {
                    return Err(StartError::TooManyProbes);
                }
                enablings.push(Enabling { probe, clause: number as u32 });
            }
        }
        if options.sizes.bufpolicy == BufPolicy::Fill {
            let end: u64 = enablings
                .iter()
                .filter(|e| e.probe == ProbeId::END)
                .map(|e| ready[e.clause as usize].cost)
                .sum();
            if end > options.sizes.bufsize {
                return Err(StartError::EndTooLarge);
            }
        }
        let (probes, by_probe) = index(&enablings, &ready);
        let consumer = Consumer::new(&program, &options);
        let prints = |action: &Action| matches!(action.kind, ActionKind::Printa { .. });
        let shows_late = options.sizes.growth.is_none()
            && program.clauses.iter().any(|clause| clause.actions.iter().any(prints));
        Ok(Engine {
            program,
            options,
            enablings,
            probes,
            by_probe,
            ready,
            state,
            regs: Box::new([0; 256]),
            consumer,
            shows_late,
            keeps: false,
            kept: None,
        })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The options as they are now.
    #[must_use]
    pub fn options(&self) -> &RunOptions {
        &self.options
    }

    /// Returns `true` if any clause is enabled on a probe.
    #[must_use]
    #[inline]
    pub fn is_enabled(&self, probe: ProbeId) -> bool {
        self.probes.get(probe.0 as usize).is_some_and(|(first, end)| first < end)
    }

    /// Enables clauses, by their places in the program, on a probe that no clause is enabled on.
    pub fn enable(&mut self, probe: ProbeId, clauses: &[u32]) {
        if self.is_enabled(probe) || probe.0 > MOST_PROBE {
            return;
        }
        let first = self.by_probe.len() as u32;
        for &clause in clauses {
            let Some(ready) = self.ready.get(clause as usize).map(Arc::clone) else { continue };
            self.enablings.push(Enabling { probe, clause });
            self.by_probe.push(Armed { epid: self.enablings.len() as u32, clause, ready });
        }
        let at = probe.0 as usize;
        if self.probes.len() <= at {
            self.probes.resize(at + 1, (0, 0));
        }
        if let Some(range) = self.probes.get_mut(at) {
            *range = (first, self.by_probe.len() as u32);
        }
    }

    /// The status that `exit()` gave last; [`None`] while the run goes on.
    #[must_use]
    pub fn exit_status(&self) -> Option<i32> {
        self.state.exit
    }

    /// Tracing has stopped: by `exit()`, or because a buffer of policy `fill` is full.
    #[must_use]
    #[inline]
    pub fn stopped(&self) -> bool {
        self.state.stopped()
    }

    /// There is something to drain. Cheap. (Policy `ring` waits for the end, and so do drops where room grows.)
    #[must_use]
    #[inline]
    pub fn pending(&self) -> bool {
        self.options.sizes.bufpolicy != BufPolicy::Ring
            && (self.state.principal.count() > 0
                || (self.options.sizes.growth.is_none() && self.state.drops != Drops::default()))
    }

    /// How often a string was cut, because it was longer than [`strsize`](crate::Sizes::strsize) or
    /// [`longest`](crate::Sizes::longest) allows.
    #[must_use]
    pub fn cut_strings(&self) -> u64 {
        self.state.memory.cuts.get()
    }

    /// Takes the destructive actions since the last call, at most 4,096. The driver of a live run does them; over a trace they
    /// have no effect.
    pub fn take_deeds(&mut self) -> Vec<Deed> {
        std::mem::take(&mut self.state.deeds)
    }

    /// Removes the thread-local variables of threads that are gone: of those whose key ([`Host::thread_key`]) `keep` refuses.
    ///
    /// [`Host::thread_key`]: crate::host::Host::thread_key
    pub fn keep_threads(&mut self, keep: impl Fn(u64) -> bool) {
        let State { dynvars, memory, dyn_kinds, .. } = &mut self.state;
        dynvars.retain(&mut memory.dynamic, |key| {
            let word = |at: usize| key.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
            let kind = word(0).and_then(|var| dyn_kinds.get(usize::try_from(var).ok()?)?.as_ref());
            !kind.is_some_and(|kind| kind.thread) || word(8).is_none_or(&keep)
        });
    }

    /// How many destructive actions there were beyond those that [`Engine::take_deeds`] returned.
    #[must_use]
    pub fn deeds_left_out(&self) -> u64 {
        self.state.deeds_left_out
    }

    /// The driver should drain after this firing. If room grows, or nothing that is shown depends on when, records need not
    /// wait: names of addresses are then those of their time. Otherwise they wait for `switchrate`, unless a buffer is half
    /// full.
    #[must_use]
    pub fn drains_now(&self) -> bool {
        let is_crowded =
            || self.state.principal.cpus.iter().any(|buffer| buffer.used > self.options.sizes.bufsize / 2);
        // What END does to aggregations when its records are shown is not part of what is kept.
        let waits = || self.keeps && self.state.firing.ending;
        self.pending() && !waits() && (!self.shows_late || is_crowded())
    }

    /// Keeps the aggregations of the run for [`Engine::take_kept`]: as the clauses have fed them, before END prints, sorts or cuts
    /// them. Call it before anything fires.
    pub fn keep_aggregations(&mut self) {
        self.keeps = true;
    }

    /// Returns `true` if the aggregations are kept. The driver then drains before it fires END.
    #[must_use]
    pub fn keeps_aggregations(&self) -> bool {
        self.keeps
    }

    /// The aggregations that were kept; [`None`] before [`Engine::finish`].
    pub fn take_kept(&mut self) -> Option<Aggregations> {
        self.kept.take()
    }

    /// Losses since the last drain, except those of the principal buffers.
    #[must_use]
    pub fn drops(&self) -> Drops {
        let mut drops = self.state.drops;
        drops.principal = self.state.principal.cpus.iter().map(|b| b.drops).sum();
        drops
    }

    /// Shows what was recorded since the last call, in order, and reports drops. If buffers grow, the driver may drain
    /// after every firing, and drops are reported at the end. With the policy `ring`, nothing is shown before
    /// [`Engine::finish`].
    pub fn drain(&mut self, names: &dyn Names, out: &mut dyn Output) {
        if self.options.sizes.bufpolicy != BufPolicy::Ring {
            self.consume(names, out);
            if self.options.sizes.growth.is_none() {
                drops::report(&mut self.state, &self.options, out);
            }
        }
    }

    /// Drains the rest, reports drops and shows the aggregations that `printa` did not show. Fire END before.
    pub fn finish(&mut self, names: &dyn Names, out: &mut dyn Output) {
        if self.keeps {
            let stacks = &self.options.stacks;
            let with_source = stacks.lines || stacks.inlines;
            self.kept = Some(Aggregations::of(&self.program.aggs, &self.state.aggs, names, with_source));
        }
        self.consume(names, out);
        drops::report(&mut self.state, &self.options, out);
        self.consumer.finish(&self.program, &mut self.state, &self.options, names, out);
    }

    /// The aggregations that `printa()` has not shown, at a time in nanoseconds: as they would be shown if the run ended now, or
    /// as `shown` says. Changes nothing of what will be shown. Rates are taken
    /// since the first picture that shows them, and later since one that is one to two seconds older.
    #[must_use]
    pub fn picture(&mut self, names: &dyn Names, shown: &Shown, now: i64) -> Vec<u8> {
        self.consumer.picture(&self.program, &mut self.state, &self.options, names, (shown, now))
    }

    fn consume(&mut self, names: &dyn Names, out: &mut dyn Output) {
        self.consumer.drain(&self.program, &self.enablings, &mut self.state, &mut self.options, names, out);
        self.state.renew_agg_room(&self.options);
    }

    /// The current aggregations in order of their creation, each entry in order of first use: for
    /// machine-readable output and tests.
    pub fn results(&self) -> impl Iterator<Item = AggEntry<'_>> {
        self.program.aggs.iter().zip(&self.state.aggs).flat_map(|(aggregation, table)| {
            (0..table.len()).map(move |entry| AggEntry { aggregation, table, entry })
        })
    }
}

impl Engine {
    /// Excludes aggregations keyed by stacks from the output of [`Engine::finish`]: the driver shows them
    /// in a different form, using [`Engine::results`].
    pub fn withhold_stacks(&mut self) {
        for table in &mut self.state.aggs {
            if table.key_reprs.iter().any(|repr| matches!(repr, Repr::Stack { .. })) {
                table.printed = true;
            }
        }
    }

    /// The same for histograms that are keyed by a number.
    pub fn withhold_numbered_histograms(&mut self) {
        for table in &mut self.state.aggs {
            let numbered = table.key_reprs.iter().any(|repr| matches!(repr, Repr::Int { .. }));
            if table.buckets.is_some() && numbered {
                table.printed = true;
            }
        }
    }

    /// Keeps for aggregations keyed by stacks, apart from their values, what processors that are not idle add to them:
    /// [`AggEntry::busy`]. Call it before the first firing.
    pub fn keep_busy(&mut self) {
        for table in &mut self.state.aggs {
            if table.key_reprs.iter().any(|repr| matches!(repr, Repr::Stack { .. })) {
                table.keep_busy();
            }
        }
    }
}

/// A key of an aggregation with its value.
#[derive(Clone, Copy, Debug)]
pub struct AggEntry<'e> {
    /// The aggregation.
    pub aggregation: &'e Aggregation,
    table: &'e AggTable,
    entry: usize,
}

/// An aggregation's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AggValue {
    /// A plain function's number, not normalized.
    Number(i64),
    /// A histogram's buckets in use: label and count.
    Buckets(Vec<(String, i64)>),
}

impl AggEntry<'_> {
    /// The keys as typed values.
    #[must_use]
    pub fn keys(&self) -> Vec<Value<'_>> {
        let mut reader = Reader::key(self.table.key(self.entry));
        self.table.key_reprs.iter().map_while(|repr| reader.value(repr)).collect()
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> AggValue {
        self.shown(self.table.value(self.entry))
    }

    /// The value without what idle processors added; [`None`] unless [`Engine::keep_busy`] was called.
    #[must_use]
    pub fn busy(&self) -> Option<AggValue> {
        self.table.busy(self.entry).map(|value| self.shown(value))
    }

    fn shown(&self, value: &[i64]) -> AggValue {
        match &self.table.buckets {
            None => AggValue::Number(self.table.scalar(value, 1)),
            Some(buckets) => AggValue::Buckets(
                value
                    .iter()
                    .enumerate()
                    .filter(|(_, n)| **n != 0)
                    .map(|(bucket, n)| (buckets.label(bucket), *n))
                    .collect(),
            ),
        }
    }
}

/// Refuses or reduces sizes that cannot be had.
fn fit_sizes(options: &mut RunOptions) -> Result<(), StartError> {
    let manual = options.sizes.bufresize_manual;
    for (name, size) in [
        ("bufsize", &mut options.sizes.bufsize),
        ("aggsize", &mut options.sizes.aggsize),
        ("specsize", &mut options.sizes.specsize),
        ("dynvarsize", &mut options.sizes.dynvarsize),
    ] {
        if *size > MOST_SIZE {
            if manual {
                return Err(StartError::Size(format!("{name} {size} is more than there is memory")));
            }
            *size = MOST_SIZE;
        }
    }
    if options.sizes.bufsize < crate::buffer::CLASSIC_HEADER {
        return Err(StartError::Size(format!(
            "principal buffer of {} bytes is too small",
            options.sizes.bufsize
        )));
    }
    Ok(())
}

/// Makes sizes what they may grow to. Memory is only taken as it is needed, so that is all that growing is.
fn grow_sizes(options: &mut RunOptions) {
    let Some(most) = options.sizes.growth else { return };
    for size in [
        &mut options.sizes.aggsize,
        &mut options.sizes.specsize,
        &mut options.sizes.dynvarsize,
        &mut options.sizes.nspec,
    ] {
        *size = most.max(*size);
    }
    // The other policies are about what happens when a buffer is full.
    if options.sizes.bufpolicy == BufPolicy::Switch {
        options.sizes.bufsize = most.max(options.sizes.bufsize);
    }
}
