//! One run of a program over records, and the firing of one probe in it.

use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Record;
use tracewell_state::{Machine, Timeline, Who};

use super::clock::LastSamples;
use super::counters::Counters;
use super::layouts::Layouts;
use crate::catalog::ProbeCatalog;
use crate::host::{Args, EventNames, HostState, TraceHost};
use crate::moment::Moment;
use crate::names::{NameTable, TraceNames};
use crate::regions;

/// What a run over traces did and did not understand.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Records delivered in time order.
    pub records: u64,
    /// Firings.
    pub firings: u64,
    /// Events of enabled probes that could not be read: layouts unknown or payloads too short.
    pub unread: u64,
    /// Probes that fired, by number less one.
    pub fired: Vec<bool>,
    /// Places of each trace that were found damaged; [`survey_all`](super::survey_all) also finds those in what no probe asks for.
    pub damaged: Vec<u64>,
    /// Buffers of each trace that were left out because they would take too much memory.
    pub left_out: Vec<u64>,
    /// Firings of timed probes that were left out because time jumped too far between two events.
    pub ticks_left_out: u64,
    /// When the traces begin: by the clock of `timestamp`, and in nanoseconds since 1970.
    pub began: (i64, i64),
    /// Context switches that took off another thread than the one thought to run.
    pub inconsistent_switches: u64,
}

/// What a run keeps between batches of records.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) state: HostState,
    pub(super) layouts: Layouts,
    pub(super) outcome: Outcome,
}

impl Kept {
    /// That of a run of which nothing has been seen.
    pub(super) fn new(engine: &Engine, catalog: &ProbeCatalog<'_>, layouts: Layouts) -> Kept {
        Kept {
            state: HostState::new(EventNames::asked_for(engine.program(), catalog.schemas())),
            layouts,
            outcome: Outcome { fired: vec![false; catalog.iter().count()], ..Outcome::default() },
        }
    }
}

/// One run of a program over records.
pub(super) struct Replay<'r> {
    pub(super) engine: &'r mut Engine,
    pub(super) names: &'r NameTable,
    pub(super) shown: &'r TraceNames<'r>,
    pub(super) out: &'r mut dyn Output,
    pub(super) machine: &'r Machine,
    pub(super) state: HostState,
    pub(super) layouts: Layouts,
    pub(super) counters: Counters,
    pub(super) samples: LastSamples,
    /// Hardware counters of the record being looked at, when a probe shows them.
    pub(super) carried: Vec<u64>,
    pub(super) outcome: Outcome,
}

/// An event that fires probes: when and where it was logged, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Event<'e> {
    /// Who runs where.
    pub(super) timeline: &'e Timeline<'e>,
    pub(super) at: Moment<'e>,
    pub(super) record: &'e Record<'e>,
    pub(super) who: Who,
}

impl<'r> Replay<'r> {
    /// A run that goes on from what was kept.
    pub(super) fn new(
        engine: &'r mut Engine,
        (names, shown): (&'r NameTable, &'r TraceNames<'r>),
        out: &'r mut dyn Output,
        machine: &'r Machine,
        Kept { state, layouts, outcome }: Kept,
    ) -> Replay<'r> {
        Replay {
            engine,
            names,
            shown,
            out,
            machine,
            state,
            layouts,
            counters: Counters::default(),
            samples: LastSamples::default(),
            carried: Vec::new(),
            outcome,
        }
    }

    /// What is to be kept for the next batch.
    pub(super) fn keep(self) -> Kept {
        Kept { state: self.state, layouts: self.layouts, outcome: self.outcome }
    }
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
        // A probe that shows hardware counters fires for events that carry them.
        let counter = match self.counters.probes.is_empty() {
            true => None,
            false if !self.counters.probes.contains_key(&probe) => None,
            false => match self.counters.argument(probe, &self.carried, regions::COUNTERS.address(0)) {
                Some(value) => Some(value),
                None => return,
            },
        };
        let mut host = TraceHost {
            state: &mut self.state,
            machine: self.machine,
            timeline,
            names: self.names,
            at,
            actor,
            args: Args::default(),
            payload,
        };
        prepare(&mut host);
        if let Some(counter) = counter {
            host.args[4] = counter;
        }
        self.engine.fire(probe, at.cpu, &mut host);
        self.outcome.firings += 1;
        if let Some(fired) = (probe.0 as usize).checked_sub(1).and_then(|at| self.outcome.fired.get_mut(at)) {
            *fired = true;
        }
        if self.engine.pending() {
            self.shown.set_time(at.raw);
            self.engine.drain(self.shown, self.out);
        }
    }

    /// Who runs on a processor.
    pub(super) fn running(&self, timeline: &Timeline<'_>, cpu: u32) -> Who {
        timeline.current(cpu as u16).map_or_else(Who::default, |thread| Who::of(self.machine, thread))
    }
}
