//! From the records of a running session to firings.
//!
//! What a trace tells of its machine before the first event, a live run learns as it goes: of each process whose first event
//! comes it asks who that is; where the session has the kernel's events, these tell it.

mod held;
mod needs;
mod short;

use std::path::Path;

use rustc_hash::FxHashSet;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_etl::{Clock, Identity, Record};
use tracewell_state::{Machine, MachineBuilder, Stacks, Suspended, Timeline, Who};
use tracewell_symbols::{FileStore, LocalImages, Symbols};

pub use needs::{Needed, NeededProvider, NeededSystem, Source, needed, source_of};

use super::attached::{by_stack, of_record};
use super::dispatch::{CSWITCH, Dispatch};
use super::layouts::Layouts;
use super::run::{Event, Kept, Outcome, Replay};
use super::survey;
use crate::catalog::ProbeCatalog;
use crate::moment::{CallStack, Instant, Moment};
use crate::names::{NameTable, TraceNames};
use held::Held;
use short::ShortForms;

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
    /// The programs and libraries that it has mapped: base, size in memory and path. Only needed where stacks are taken.
    pub images: Vec<(u64, u64, String)>,
}

/// Fires the probes of a program for the records of a session, batch by batch.
#[derive(Debug)]
pub struct Live<'s> {
    dispatch: Dispatch,
    kept: Kept,
    people: People,
    machine: Machine,
    /// Who runs on which processor, between batches.
    timeline: Suspended,
    /// Raw time of the last record.
    last: i64,
    /// What waits for stacks of the kernel's, when the program takes any.
    held: Option<Held>,
    /// Where symbols are looked for.
    store: Option<&'s FileStore<'s>>,
    /// Addresses stay addresses.
    plain: bool,
    clock: Clock,
    /// What brings times of the session's clock to those of the run.
    offset: i64,
}

/// How the machine becomes known.
#[derive(Debug)]
enum People {
    /// Who a process is is asked when its first event comes.
    Asked { processes: Vec<LiveProcess>, known: FxHashSet<u32>, local: LocalImages },
    /// The kernel's events tell.
    Told(Box<Told>),
}

/// What the kernel's events have told.
#[derive(Debug)]
struct Told {
    builder: MachineBuilder,
    /// How much of it the tables at hand have.
    seen: usize,
    /// How much there may be until what is over is forgotten.
    most: usize,
    short: ShortForms,
}

impl Told {
    /// Definitions that are never too many.
    const FEW: usize = 1 << 16;
    /// What ended before this time is forgotten, in nanoseconds.
    const KEPT: i64 = 60_000_000_000;

    /// Takes in records; yields new tables when there is something new.
    fn learn(&mut self, records: &[Record<'_>], clock: &Clock) -> Option<Machine> {
        records.iter().for_each(|record| self.builder.observe(record));
        let mut now = self.builder.definitions();
        if now == self.seen {
            return None;
        }
        if let Some(last) = records.last().filter(|_| now > self.most) {
            self.builder.forget(clock.raw_at(clock.unix_ns(last.time()).saturating_sub(Self::KEPT)));
            now = self.builder.definitions();
            self.most = 2 * now.max(Self::FEW);
        }
        self.seen = now;
        Some(self.builder.snapshot())
    }
}

impl<'s> Live<'s> {
    /// Most processes that are asked about.
    const MOST_PROCESSES: usize = 1 << 16;

    /// Ready for the records of a session on this clock, which has the events that a program needs. `epoch` is the wall-clock
    /// time, in nanoseconds since 1970, at which the clock of the run (`timestamp`) is 0.
    #[must_use]
    pub fn new(
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
        clock: Clock,
        epoch: i64,
        needed: &Needed,
    ) -> Live<'s> {
        let start = clock.raw_start();
        let base = clock.unix_ns(start).saturating_sub(clock.ns(start));
        let mut builder = MachineBuilder::new().only(survey::needs(engine.program()));
        let machine = builder.snapshot();
        let people = match needed.system {
            None => People::Asked {
                processes: Vec::new(),
                known: FxHashSet::default(),
                local: LocalImages::default(),
            },
            Some(_) => {
                let seen = builder.definitions();
                People::Told(Box::new(Told { builder, seen, most: 2 * Told::FEW, short: ShortForms::new() }))
            }
        };
        Live {
            dispatch: Dispatch::new(engine, catalog),
            kept: Kept::new(engine, catalog, Layouts::default()),
            people,
            machine,
            timeline: Suspended::default(),
            last: start,
            held: needed.system.as_ref().filter(|system| !system.stacks.is_empty()).map(|_| Held::default()),
            store: None,
            plain: false,
            clock,
            offset: base.saturating_sub(epoch),
        }
    }

    /// Looks into symbol files for the names of addresses.
    #[must_use]
    pub fn with_store(self, store: &'s FileStore<'s>) -> Live<'s> {
        Live { store: Some(store), ..self }
    }

    /// Leaves addresses as they are.
    #[must_use]
    pub fn with_plain_addresses(self) -> Live<'s> {
        Live { plain: true, ..self }
    }

    /// Fires for records, which are in order of time. Of processes that are new `ask` tells what there is to know.
    ///
    /// Where stacks of the kernel's events are taken, an event waits for its own until later records have come, or until this
    /// is called without any.
    pub fn fire(
        &mut self,
        engine: &mut Engine,
        names: &NameTable,
        records: &[Record<'_>],
        ask: impl FnMut(u32) -> Option<LiveProcess>,
        out: &mut dyn Output,
    ) {
        match &self.people {
            People::Told(told) if records.iter().any(|record| told.short.has(record)) => {
                let mut bytes = Vec::new();
                // Where each begins that has a form of its own.
                let begins = records.iter().map(|record| {
                    let start = bytes.len();
                    told.short.append(record, &mut bytes).then_some(start)
                });
                let begins: Vec<Option<usize>> = begins.collect();
                let shortened = begins.iter().zip(records).map(|(start, record)| {
                    let own = start.and_then(|start| Record::parse(bytes.get(start..)?, record.cpu()).ok());
                    own.unwrap_or(*record)
                });
                let shortened: Vec<Record<'_>> = shortened.collect();
                self.take(engine, names, &shortened, ask, out);
            }
            _ => self.take(engine, names, records, ask, out),
        }
    }

    /// Takes records in their short forms.
    fn take(
        &mut self,
        engine: &mut Engine,
        names: &NameTable,
        records: &[Record<'_>],
        mut ask: impl FnMut(u32) -> Option<LiveProcess>,
        out: &mut dyn Output,
    ) {
        let learnt = match &mut self.people {
            People::Asked { processes, known, local } => meet(processes, known, local, records, &mut ask),
            People::Told(told) => told.learn(records, &self.clock),
        };
        if let Some(machine) = learnt {
            self.machine = machine;
        }
        match self.held.take() {
            None => self.fire_all(engine, names, records, &Stacks::default(), out),
            Some(mut held) => {
                let clock = self.clock;
                held.exchange(records, &clock, |ripe, stacks| {
                    self.fire_all(engine, names, ripe, stacks, out)
                });
                self.held = Some(held);
            }
        }
    }

    fn fire_all(
        &mut self,
        engine: &mut Engine,
        names: &NameTable,
        records: &[Record<'_>],
        stacks: &Stacks,
        out: &mut dyn Output,
    ) {
        let Live { dispatch, kept, people, machine, timeline, last, store, plain, clock, offset, .. } = self;
        let mut now = Timeline::resume(machine, std::mem::take(timeline), *last);
        let symbols = symbols(machine, people, *store, *plain);
        let shown = TraceNames::new(names, &symbols);
        let mut replay = Replay::new(engine, (names, &shown), out, machine, std::mem::take(kept));
        for record in records {
            if replay.engine.stopped() {
                break;
            }
            replay.outcome.records += 1;
            replay.live(&mut now, dispatch, record, clock, *offset, stacks);
            *last = record.time();
        }
        *kept = replay.keep();
        *timeline = now.suspend();
    }

    /// Has something shown with the names of what is known of the machine by now.
    pub fn named<R>(&self, names: &NameTable, show: impl FnOnce(&TraceNames<'_>) -> R) -> R {
        self.with_symbols(|symbols| {
            let shown = TraceNames::new(names, symbols);
            shown.set_time(i64::MAX);
            show(&shown)
        })
    }

    /// Hands out the names of addresses, by what is known of the machine by now.
    pub fn with_symbols<R>(&self, show: impl FnOnce(&Symbols<'_>) -> R) -> R {
        show(&symbols(&self.machine, &self.people, self.store, self.plain))
    }

    /// What the run did and did not understand so far.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.kept.outcome
    }
}

fn symbols<'m>(
    machine: &'m Machine,
    people: &'m People,
    store: Option<&'m FileStore<'m>>,
    plain: bool,
) -> Symbols<'m> {
    match (store, people) {
        _ if plain => Symbols::plain(machine),
        (_, People::Asked { local, .. }) => Symbols::new(machine).with_store(local),
        (Some(store), _) => Symbols::new(machine).with_store(store),
        (None, _) => Symbols::new(machine),
    }
}

/// Learns of the processes that are new; yields tables that have them.
fn meet(
    processes: &mut Vec<LiveProcess>,
    known: &mut FxHashSet<u32>,
    local: &mut LocalImages,
    records: &[Record<'_>],
    ask: &mut dyn FnMut(u32) -> Option<LiveProcess>,
) -> Option<Machine> {
    let before = processes.len();
    for pid in records.iter().filter_map(Record::pid) {
        if known.len() < Live::MOST_PROCESSES && known.insert(pid) {
            processes.extend(ask(pid));
        }
    }
    if processes.len() == before {
        return None;
    }
    let mut builder = MachineBuilder::new();
    // The process that is there before all others keeps its place among the names.
    let _ = builder.snapshot();
    for process in processes {
        builder.add_process(process.pid, process.parent, &process.name, &process.command_line);
        for (base, size, path) in &process.images {
            builder.add_image(process.pid, *base, *size, path);
            local.add(Path::new(path), *size);
        }
    }
    Some(builder.finish())
}

impl Replay<'_> {
    /// Fires the probes on a record of a session.
    fn live(
        &mut self,
        timeline: &mut Timeline<'_>,
        dispatch: &mut Dispatch,
        record: &Record<'_>,
        clock: &Clock,
        offset: i64,
        stacks: &Stacks,
    ) {
        let at = Moment {
            instant: Instant::Event(clock, record.time(), offset),
            raw: record.time(),
            cpu: u32::from(record.cpu()),
            pointer_bits: u32::from(record.pointer_size()) * 8,
            stack: None,
            event: Some(record),
        };
        let own = record.is_event().then_some(*record);
        let found = |who| of_record(stacks, 0, record, who);
        let stack = |found| CallStack { stacks, trace: 0, found, own };
        let slot = match record.hook() {
            Some(hook) => {
                let slot = dispatch.hooks[usize::from(hook)];
                if slot == 0 && hook == CSWITCH {
                    timeline.apply(record);
                }
                slot
            }
            None => {
                let who = timeline.who(record);
                let stack = stack(found(who));
                let at = Moment { stack: Some(&stack), ..at };
                self.of_provider(dispatch, &Event { timeline, at, record, who });
                let slot = match record.identity() {
                    Identity::Provider { guid, id, .. } => dispatch.events.get(&(guid, id)),
                    Identity::Class { guid, opcode } => dispatch.classes.get(&(guid, opcode)),
                    _ => None,
                };
                slot.copied().unwrap_or(0)
            }
        };
        if slot == 0 {
            return;
        }
        let switch = timeline.apply(record);
        let who = match &switch {
            Some(switch) => Who::of(self.machine, switch.new),
            None => timeline.who(record),
        };
        let found = found(who);
        let who = by_stack(stacks, found, self.machine, who);
        let stack = stack(found);
        let at = Moment { stack: Some(&stack), ..at };
        self.of_slot(dispatch, slot, &Event { timeline, at, record, who }, switch, clock);
    }
}
