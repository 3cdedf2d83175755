//! From the records of a running session to firings.
//!
//! What a trace tells of its machine before the first event, a live run learns as it goes: of each process whose first event
//! comes it asks who that is.

use rustc_hash::FxHashSet;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Clock, Record};
use tracewell_state::{Machine, MachineBuilder, Stacks, Timeline};
use tracewell_symbols::Symbols;
use tracewell_types::Guid;

use super::clock::{Instant, LastSamples, Moment};
use super::counters::Counters;
use super::dispatch::{ANY, Dispatch};
use super::layouts::Layouts;
use super::{Outcome, Replay, event_names};
use crate::catalog::{Kind, ProbeCatalog};
use crate::host::{CallStack, HostState};
use crate::names::{NameTable, TraceNames};
use crate::timer::Family;

/// A process of the machine at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveProcess {
    /// Process id.
    pub pid: u32,
    /// Id of the process that created it.
    pub parent: Option<u32>,
    /// The name of its program.
    pub name: String,
    /// Command line.
    pub command_line: String,
}

/// Whether a probe can fire in a live run: time fires it, or events of a provider that the session can enable. The kernel's
/// events are in traces only.
#[must_use]
pub fn fires_live(kind: Kind) -> bool {
    match kind {
        Kind::Begin | Kind::End | Kind::Error | Kind::Events(_) | Kind::Keyword(..) => true,
        Kind::Event(_) | Kind::Alias(_) => true,
        Kind::Timer(timer) => timer.family != Family::Sample,
        Kind::Fixed(_) | Kind::Class(..) | Kind::PmcSample(_) | Kind::PmcOf(..) => false,
        Kind::CaptureState | Kind::Diag(_) => false,
    }
}

/// The provider whose events fire a probe; [`None`] when that is another matter.
#[must_use]
pub fn provider_of(catalog: &ProbeCatalog<'_>, id: ProbeId) -> Option<Guid> {
    match catalog.kind(id)? {
        Kind::Events(guid) | Kind::Keyword(guid, _) => Some(guid),
        Kind::Event(_) => catalog.event_of(id).map(|event| event.guid),
        Kind::Alias(index) => catalog.alias(index).map(|alias| alias.guid),
        _ => None,
    }
}

/// The providers that the enabled probes of a program need, and for each the keywords of which an event must have one; 0 for
/// all events.
#[must_use]
pub fn providers_needed(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Vec<(Guid, u64)> {
    let mut needed: Vec<(Guid, u64)> = Vec::new();
    for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let Some(guid) = provider_of(catalog, info.id) else { continue };
        let mask = if let Kind::Keyword(_, mask) = kind { mask } else { ANY };
        match needed.iter_mut().find(|(known, _)| *known == guid) {
            Some((_, all)) if mask == ANY => *all = ANY,
            Some((_, ANY)) => {}
            Some((_, masks)) => *masks |= mask,
            None => needed.push((guid, mask)),
        }
    }
    needed
}

/// Fires the probes of a program for the records of a session, batch by batch.
#[derive(Debug)]
pub struct Live {
    dispatch: Dispatch,
    state: HostState,
    machine: Machine,
    stacks: Stacks,
    processes: Vec<LiveProcess>,
    known: FxHashSet<u32>,
    clock: Clock,
    /// What brings times of the session's clock to those of the run.
    offset: i64,
    outcome: Outcome,
}

impl Live {
    /// Most processes that are asked about.
    const MOST_PROCESSES: usize = 1 << 16;

    /// Ready for the records of a session on this clock. `epoch` is the wall-clock time, in nanoseconds since 1970, at which
    /// the clock of the run (`timestamp`) is 0.
    #[must_use]
    pub fn new(engine: &Engine, catalog: &ProbeCatalog<'_>, clock: Clock, epoch: i64) -> Live {
        let start = clock.raw_start();
        let base = clock.unix_ns(start).saturating_sub(clock.ns(start));
        Live {
            dispatch: Dispatch::new(engine, catalog),
            state: HostState::new(event_names(engine, catalog)),
            machine: MachineBuilder::new().finish(),
            stacks: Stacks::default(),
            processes: Vec::new(),
            known: FxHashSet::default(),
            clock,
            offset: base.saturating_sub(epoch),
            outcome: Outcome { fired: vec![false; catalog.iter().count()], ..Outcome::default() },
        }
    }

    /// Fires for records, which are in order of time. Of processes that are new `ask` tells what there is to know.
    pub fn fire(
        &mut self,
        engine: &mut Engine,
        names: &NameTable,
        records: &[Record<'_>],
        mut ask: impl FnMut(u32) -> Option<LiveProcess>,
        out: &mut dyn Output,
    ) {
        self.meet(records, &mut ask);
        let Live { dispatch, state, machine, stacks, clock, offset, outcome, .. } = self;
        let timeline = Timeline::new(machine);
        let symbols = Symbols::plain(machine);
        let shown = TraceNames::new(names, &symbols);
        let mut replay = Replay {
            engine,
            names,
            shown: &shown,
            out,
            machine,
            state: std::mem::replace(state, HostState::new(None)),
            layouts: Layouts::default(),
            counters: Counters::default(),
            samples: LastSamples::default(),
            carried: Vec::new(),
            outcome: std::mem::take(outcome),
        };
        for record in records {
            if replay.engine.stopped() {
                break;
            }
            replay.outcome.records += 1;
            let who = timeline.who(record);
            let own = record.is_event().then_some(*record);
            let stack = CallStack { stacks, trace: 0, found: None, own };
            let at = Moment {
                instant: Instant::Event(clock, record.time(), *offset),
                raw: record.time(),
                cpu: u32::from(record.cpu()),
                pointer_bits: u32::from(record.pointer_size()) * 8,
                stack: Some(&stack),
                event: Some(record),
            };
            replay.of_provider(&timeline, dispatch, at, record, who);
        }
        *state = replay.state;
        *outcome = replay.outcome;
    }

    /// What the run did and did not understand so far.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Learns of the processes that are new.
    fn meet(&mut self, records: &[Record<'_>], ask: &mut dyn FnMut(u32) -> Option<LiveProcess>) {
        let before = self.processes.len();
        for pid in records.iter().filter_map(Record::pid) {
            if self.known.len() < Self::MOST_PROCESSES && self.known.insert(pid) {
                self.processes.extend(ask(pid));
            }
        }
        if self.processes.len() > before {
            let mut builder = MachineBuilder::new();
            for process in &self.processes {
                builder.add_process(process.pid, process.parent, &process.name, &process.command_line);
            }
            self.machine = builder.finish();
        }
    }
}
