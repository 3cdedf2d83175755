//! A run of a program over records: what it keeps, and the firing of one probe in it.

use rustc_hash::FxHashMap;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::builtins::BuiltinVar;
use tracewell_dlang::program::{Clause, ProbeId, Program};
use tracewell_etl::Record;
use tracewell_state::{Machine, Stacks, Timeline, Who};
use tracewell_types::Guid;

use super::call_functions::CallFunctions;
use super::clock::LastSamples;
use super::counters::Counters;
use super::feed::{Now, Setting};
use super::io_waits::IoWaits;
use super::layouts::Layouts;
use super::outcome::Outcome;
use super::strays::Strays;
use super::transfers::Transfers;
use super::waits::Waits;
use crate::calls;
use crate::catalog::ProbeCatalog;
use crate::cpu_times::CpuTimes;
use crate::current::Described;
use crate::host::{Args, HostState, TraceHost};
use crate::moment::{Instant, Moment};
use crate::names::{NameTable, TraceNames};
use crate::regions;

/// Where and when the last firing was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) at: Now,
    pub(super) cpu: u32,
}

/// What a run keeps between stretches.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) state: HostState,
    pub(super) layouts: Layouts,
    pub(super) outcome: Outcome,
    pub(super) counters: Counters,
    /// Hardware counters of the record being looked at, when a probe shows them.
    pub(super) carried: Vec<u64>,
    pub(super) samples: LastSamples,
    /// The transfers that requests ask for, where a probe shows them and later records are known.
    pub(super) transfers: Option<Transfers>,
    /// The waits of threads for transfers, when a probe is on them.
    pub(super) io_waits: Option<IoWaits>,
    /// The waits of threads, when a probe is on their ends.
    pub(super) waits: Option<Waits>,
    /// Stacks without an event, when a probe is on them.
    pub(super) strays: Option<Strays>,
    /// Names of providers and classes as texts of the run: as scripts in the field have them, and short.
    pub(super) provider_names: FxHashMap<Guid, (u64, u64)>,
    /// The functions of system calls without names.
    pub(super) functions: CallFunctions,
    pub(super) place: Place,
    /// Raw time of the last record.
    pub(super) last: i64,
    /// When timed probes that samples fire are due, of each processor.
    due: FxHashMap<(ProbeId, u32), i64>,
}

impl Kept {
    /// The state of a run before its first firing.
    pub(super) fn new(
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
        (counters, strays): (Counters, Option<Strays>),
        setting: &Setting,
    ) -> Kept {
        let described = Described::asked_for(engine.program(), catalog.schemas());
        let mut state = HostState::new(described, setting.myself.as_ref());
        state.cpu_times =
            engine.program().clauses.iter().any(reads_cpu_times).then(|| CpuTimes::new(setting.start.time));
        Kept {
            state,
            layouts: Layouts::new(catalog, |id| engine.is_enabled(id)),
            outcome: Outcome { fired: vec![false; catalog.iter().count()], ..Outcome::default() },
            counters,
            functions: CallFunctions::new(catalog.call_functions()),
            strays,
            io_waits: IoWaits::of(engine, catalog),
            ..Kept::default()
        }
    }

    /// Returns `true` if a timed probe is to fire for a sample at a moment. Firings are an interval apart on average: one that
    /// is late does not delay the next.
    pub(super) fn is_due(&mut self, probe: ProbeId, interval: i64, at: Moment<'_>) -> bool {
        let now = at.instant.time();
        let due = self.due.entry((probe, at.cpu)).or_insert(now);
        // Samples are not taken at equal distances.
        if now.saturating_add(interval / 8) < *due {
            return false;
        }
        *due = due.saturating_add(interval);
        if *due <= now {
            *due = now.saturating_add(interval);
        }
        true
    }
}

/// Returns `true` if a clause asks how long threads have run.
fn reads_cpu_times(clause: &Clause) -> bool {
    clause.uses.builtins.contains(&(BuiltinVar::Vtimestamp as u16))
}

/// Returns `true` if a program asks at events how long threads have run, not only when it begins or ends.
pub(super) fn cpu_times_at_events(program: &Program) -> bool {
    const OF_RUN: [ProbeId; 3] = [ProbeId::BEGIN, ProbeId::END, ProbeId::ERROR];
    let at_events = |clause: &Clause| clause.probes.iter().any(|probe| !OF_RUN.contains(probe));
    program.clauses.iter().any(|clause| reads_cpu_times(clause) && at_events(clause))
}

/// One run of a program over a stretch of records.
pub(super) struct Replay<'r> {
    pub(super) engine: &'r mut Engine,
    pub(super) names: &'r NameTable,
    pub(super) shown: &'r TraceNames<'r>,
    pub(super) out: &'r mut dyn Output,
    pub(super) machine: &'r Machine,
    pub(super) stacks: Option<&'r Stacks>,
    pub(super) kept: Kept,
}

/// A record that fires probes: when and where it was logged, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Event<'e> {
    /// Who runs where.
    pub(super) timeline: &'e Timeline<'e>,
    pub(super) at: Moment<'e>,
    pub(super) record: &'e Record<'e>,
    pub(super) who: Who,
}

impl Replay<'_> {
    /// Fires one probe and shows what it recorded.
    pub(super) fn fire(
        &mut self,
        timeline: &Timeline<'_>,
        probe: ProbeId,
        at: Moment<'_>,
        actor: Who,
        payload: &[u8],
        prepare: impl FnOnce(&mut TraceHost<'_>),
    ) {
        let times = at.event.map_or(1, calls::times);
        self.fire_times(timeline, (probe, times), at, actor, payload, prepare);
    }

    /// As [`Replay::fire`], for so many equal firings.
    #[inline]
    pub(super) fn fire_times(
        &mut self,
        timeline: &Timeline<'_>,
        (probe, times): (ProbeId, u64),
        at: Moment<'_>,
        actor: Who,
        payload: &[u8],
        prepare: impl FnOnce(&mut TraceHost<'_>),
    ) {
        // A probe that shows hardware counters fires for events that carry them.
        let counter = match self.kept.counters.probes.is_empty() {
            true => None,
            false if !self.kept.counters.probes.contains_key(&probe) => None,
            false => {
                match self.kept.counters.argument(probe, &self.kept.carried, regions::COUNTERS.address(0)) {
                    Some(value) => Some(value),
                    None => return,
                }
            }
        };
        let mut host = TraceHost {
            state: &mut self.kept.state,
            machine: self.machine,
            timeline,
            names: self.names,
            at,
            actor,
            args: Args::default(),
            has_fields: false,
            payload,
            hit: false,
            is_idle: false,
            errno: 0,
        };
        prepare(&mut host);
        if let Some(counter) = counter {
            host.args[4] = counter;
        }
        self.engine.fire_times(probe, at.cpu, times, &mut host);
        self.kept.outcome.firings = self.kept.outcome.firings.saturating_add(times);
        self.kept.outcome.note_recorded(probe);
        if self.kept.state.instances.are_many() {
            self.forget_threads(at);
        }
        if self.engine.drains_now() {
            self.shown.set_time(at.raw);
            self.engine.drain(self.shown, self.out);
        }
    }

    /// Frees the variables of threads that ended some time before a moment: events of a thread may follow its end.
    #[cold]
    fn forget_threads(&mut self, at: Moment<'_>) {
        const AFTER: i64 = 1_000_000_000;
        let Instant::Event(clock, raw, _) = at.instant else { return };
        let instances = &mut self.kept.state.instances;
        instances.forget(self.machine, raw.saturating_sub(clock.raw_units(AFTER)), raw);
        self.engine.keep_threads(|thread| instances.has(thread));
    }

    /// Who runs on a processor at a raw time.
    pub(super) fn running(&self, timeline: &Timeline<'_>, cpu: u32, raw: i64) -> Who {
        timeline.current(cpu as u16).map_or_else(Who::default, |thread| Who::of(self.machine, thread, raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: i64, cpu: u32) -> Moment<'static> {
        Moment { instant: Instant::Fixed(time, 0), raw: 0, cpu, pointer_bits: 64, stack: None, event: None }
    }

    #[test]
    fn issue_23_timed_probes_of_samples_are_an_interval_apart() {
        let mut kept = Kept::default();
        let (one, other) = (ProbeId(7), ProbeId(8));
        for (probe, cpu, time, expected) in [
            // The first sample fires, whenever it comes.
            (one, 0, 5_000, true),
            (one, 0, 5_001, false),
            (one, 0, 5_874, false),
            // An eighth of the interval early is early enough, and one that is early does not hasten the next.
            (one, 0, 5_875, true),
            (one, 0, 6_874, false),
            (one, 0, 6_900, true),
            // One that is late does not delay the next.
            (one, 0, 8_700, true),
            (one, 0, 8_874, false),
            (one, 0, 8_875, true),
            // What was missed for long is not made up for.
            (one, 0, 20_000, true),
            (one, 0, 20_001, false),
            (one, 0, 20_874, false),
            (one, 0, 20_875, true),
            // As late as an interval: the next is an interval later.
            (one, 0, 23_000, true),
            (one, 0, 23_874, false),
            (one, 0, 23_875, true),
            // Each probe and processor has a separate time.
            (other, 0, 23_876, true),
            (one, 1, 23_876, true),
            (one, 0, 23_876, false),
            (one, 1, 24_751, true),
            (other, 0, 24_750, false),
        ] {
            assert_eq!(kept.is_due(probe, 1_000, at(time, cpu)), expected, "{probe:?} {cpu} at {time}");
        }
    }

    /// Firings are as many as intervals, however samples are spread.
    #[test]
    fn issue_23_timed_probes_of_samples_keep_their_rate() {
        let mut kept = Kept::default();
        let (mut random, mut time, mut fired, mut last) = (0x9E37_79B9_u64, 0, 0, i64::MIN);
        for _ in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            time += 50 + (random >> 33) as i64 % 300;
            if kept.is_due(ProbeId(1), 1_000, at(time, 0)) {
                assert!(last.saturating_add(400) < time, "{last} {time}");
                (fired, last) = (fired + 1, time);
            }
        }
        let intervals = time / 1_000;
        assert!((intervals - 2..=intervals + 2).contains(&fired), "{fired} in {intervals}");
    }
}
