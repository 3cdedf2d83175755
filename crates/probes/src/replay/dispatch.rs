//! Which probes a record fires.

use rustc_hash::FxHashMap;
use tracewell_dengine::Engine;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::Record;
use tracewell_etl::read::Wanted;
use tracewell_schema::kernel::{self, hook};
use tracewell_types::Guid;

use super::clock::{Clocks, Timed};
use super::counters::Counters;
use super::spans::Spans;
use super::typed::{ANY, TypedEvents};
use crate::calls::{self, CallEnd};
use crate::catalog::{Diag, Kind, ProbeCatalog};
use crate::events::Form;
use crate::table::Fire;
use crate::timer::Family;

/// The enabled probes of one kind of record.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    pub(super) fixed: Vec<(ProbeId, Fire)>,
    pub(super) samples: Vec<ProbeId>,
    /// Timed probes that samples fire at most so often: nanoseconds between two firings on a processor.
    pub(super) paced: Vec<(ProbeId, i64)>,
    /// Samples of hardware counters, by the counter's name.
    pub(super) counted: Vec<(ProbeId, String)>,
    /// Whether its records begin or end spans that a probe is on.
    pub(super) spans: bool,
    /// Probes on system calls, by the name of the call.
    pub(super) calls: FxHashMap<Box<[u8]>, Vec<(ProbeId, CallEnd)>>,
}

/// Probes to fire, found by what a record is.
#[derive(Debug)]
pub(super) struct Dispatch {
    /// By `group << 8 | opcode`: 0 nothing, else a slot number plus one.
    pub(super) hooks: Box<[u16; 1 << 16]>,
    pub(super) classes: FxHashMap<(Guid, u8), u16>,
    /// Probes on what arrives.
    pub(super) diag: Vec<(ProbeId, Diag)>,
    /// Events of providers by id.
    pub(super) events: FxHashMap<(Guid, u16), u16>,
    pub(super) slots: Vec<Slot>,
    /// Probes on any event of a provider, or on those whose keyword has one of some bits.
    pub(super) providers: FxHashMap<Guid, Vec<(ProbeId, u64)>>,
    /// Probes on single events of providers.
    pub(super) typed: TypedEvents,
    /// Probes at the ends of spans.
    pub(super) spans: Spans,
    pub(super) clocks: Clocks,
    /// Functions of processes are probed.
    pub(super) functions: bool,
}

/// A context switch: these always move the timeline.
pub(super) const CSWITCH: u16 = hook::THREAD_CSWITCH;
/// A thread is made ready.
pub(super) const READY: u16 = hook::THREAD_READY_THREAD;
/// A sample of what runs.
pub(super) const SAMPLED: u16 = hook::PERF_INFO_SAMPLE_PROFILE;
/// PerfInfo's event type of a sample.
pub(super) const SAMPLE: u8 = hook::PERF_INFO_SAMPLE_PROFILE as u8;
/// PerfInfo's event type of a hardware counter's sample.
pub(super) const COUNTER_SAMPLE: u8 = hook::PERF_INFO_PMC_COUNTER_PROF as u8;

impl Dispatch {
    pub(super) fn new(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Dispatch {
        let mut d = Dispatch {
            hooks: Box::new([0; 1 << 16]),
            classes: FxHashMap::default(),
            diag: Vec::new(),
            events: FxHashMap::default(),
            slots: Vec::new(),
            providers: FxHashMap::default(),
            typed: TypedEvents::new(catalog, |id| engine.is_enabled(id), &engine.program().clauses),
            spans: Spans::new(catalog, |id| engine.is_enabled(id)),
            clocks: Clocks::NONE,
            functions: false,
        };
        for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
            d.enable(info.id, kind, catalog);
        }
        for slot in &mut d.slots {
            // Samples are taken at the highest rate, whose probes fire for each of them.
            let shortest = slot.paced.iter().map(|(_, interval)| *interval).min();
            let shortest = if slot.samples.is_empty() { shortest } else { None };
            let every = slot.paced.extract_if(.., |(_, interval)| Some(*interval) == shortest);
            slot.samples.extend(every.map(|(probe, _)| probe));
        }
        // One switch takes a thread off before it puts another on, whatever the order of the probes.
        for slot in &mut d.slots {
            let rank = |fire: &Fire| match fire {
                Fire::Goes(_) | Fire::IoWait { done: false } => 0,
                Fire::Enqueue => 1,
                Fire::OffCpu => 2,
                Fire::Dequeue => 3,
                _ => 4,
            };
            slot.fixed.sort_by_key(|(id, fire)| (rank(fire), *id));
        }
        d
    }

    /// Notes where an enabled probe fires.
    fn enable(&mut self, probe: ProbeId, kind: Kind, catalog: &ProbeCatalog<'_>) {
        // A probe that shows counters fires where the one it is made from does.
        let kind = catalog.base_kind(probe).unwrap_or(kind);
        match kind {
            Kind::Event(_) | Kind::Alias(_) | Kind::PmcOf(..) => {}
            Kind::Span(index) => {
                let def = catalog.span(index).and_then(|span| span.def).filter(|def| !def.class.is_empty());
                let types = def.iter().flat_map(|def| def.starts.iter().chain(def.ends));
                for &opcode in types {
                    let class = def.map_or("", |def| def.class);
                    if let Some(slot) = self.slot(class, opcode as u8) {
                        self.slots[slot].spans = true;
                    }
                }
            }
            // Those whose fields a clause reads are among the typed ones.
            Kind::Events(_) | Kind::Keyword(..) if !catalog.joined(probe).is_empty() => {}
            Kind::Class(class, opcode) => {
                if let Some(slot) = self.slot(class, opcode) {
                    self.slots[slot].fixed.push((probe, Fire::Event));
                }
            }
            Kind::Call(index, end) => {
                let name = catalog.call(index).unwrap_or_default();
                if let Some(slot) = self.slot("PerfInfo", calls::ENDS[usize::from(end.returns())].1) {
                    let probes = self.slots[slot].calls.entry(name.as_bytes().into()).or_default();
                    probes.push((probe, end));
                }
                // A return is that of the function with which the call of its thread began.
                if end.returns()
                    && !catalog.call_functions().is_empty()
                    && let Some(slot) = self.slot("PerfInfo", calls::ENDS[0].1)
                {
                    self.slots[slot].calls.entry(name.as_bytes().into()).or_default();
                }
            }
            Kind::Keyword(guid, mask) => self.providers.entry(guid).or_default().push((probe, mask)),
            Kind::PmcSample(counter) => {
                let name = catalog.counter(counter).unwrap_or_default().to_owned();
                if let Some(slot) = self.slot("PerfInfo", COUNTER_SAMPLE) {
                    self.slots[slot].counted.push((probe, name));
                }
            }
            Kind::Begin | Kind::End | Kind::Error | Kind::CaptureState(_) => {}
            Kind::Function(_) => self.functions = true,
            Kind::Diag(diag) => self.diag.push((probe, diag)),
            Kind::Timer(t) if t.family == Family::Sample => {
                let slot = self.slot("PerfInfo", SAMPLE);
                if let Some(slot) = slot {
                    self.slots[slot].samples.push(probe);
                }
            }
            Kind::Timer(t) if catalog.is_sampled(t) => {
                if let Some(slot) = self.slot("PerfInfo", SAMPLE) {
                    self.slots[slot].paced.push((probe, t.interval));
                }
            }
            Kind::Timer(t) => self.clocks.timed.push(Timed {
                probe,
                interval: t.interval,
                next: 0,
                every_cpu: t.family == Family::Profile,
            }),
            Kind::Fixed(def) => {
                for &opcode in def.opcodes {
                    if let Some(slot) = self.slot(def.class, opcode) {
                        self.slots[slot].fixed.push((probe, def.fire));
                    }
                }
                // A slot without a probe: its records are delivered.
                for &(class, opcode) in def.fire.depends_on() {
                    self.slot(class, opcode);
                }
            }
            Kind::Events(guid) => self.providers.entry(guid).or_default().push((probe, ANY)),
        }
    }

    /// What must be delivered for these probes, and to know who runs where.
    pub(super) fn wanted(&self, catalog: &ProbeCatalog<'_>, counters: &Counters) -> Wanted {
        let mut wanted = counters.described_by().unwrap_or_else(Wanted::nothing);
        wanted.add_hook(CSWITCH);
        for hook in 0..=u16::MAX {
            if self.hooks[usize::from(hook)] != 0 {
                wanted.add_hook(hook);
            }
        }
        let typed = !self.typed.is_empty() || self.spans.guids().next().is_some();
        // A provider's `events` are most often all of one form: the others are stepped over faster unasked.
        let takes_any = |guid: &Guid| {
            self.providers.get(guid).is_some_and(|probes| probes.iter().any(|(_, mask)| *mask == ANY))
        };
        let hold = |form| !self.providers.is_empty() && catalog.may_hold(form, takes_any);
        wanted.classes = !self.classes.is_empty() || typed || hold(Form::Class);
        wanted.events = !self.providers.is_empty() || !self.events.is_empty() || typed;
        wanted.others = typed || hold(Form::Message);
        wanted
    }

    /// The slot of a record that has a GUID, which is this one.
    #[inline]
    pub(super) fn slot_of(&self, guid: &Guid, record: &Record<'_>) -> Option<u16> {
        if record.is_event() {
            self.events.get(&(*guid, record.id())).copied()
        } else if record.is_class() {
            self.classes.get(&(*guid, record.opcode())).copied()
        } else {
            None
        }
    }

    /// Whether a probe is on any event with a GUID, or on single ones.
    #[inline]
    pub(super) fn takes_of(&self, guid: &Guid) -> bool {
        self.typed.has(guid)
            || self.providers.contains_key(guid)
            || self.spans.has(guid)
            || self.functions && *guid == tracewell_types::hit::PROVIDER
    }

    /// The slot of a class's event type, made and entered under its hooks and its GUID.
    pub(super) fn slot(&mut self, class: &str, opcode: u8) -> Option<usize> {
        let Some(class) = kernel::class(class) else { return self.event_slot(class, opcode) };
        let number = match self.classes.get(&(class.guid, opcode)) {
            Some(&number) => number,
            None => {
                self.slots.push(Slot::default());
                let number = u16::try_from(self.slots.len()).ok()?;
                self.classes.insert((class.guid, opcode), number);
                // A class's records may also be in the group of another class, so all groups are
                // checked.
                for group in 0..=u8::MAX {
                    if kernel::by_hook(group, opcode).is_some_and(|c| c.guid == class.guid) {
                        self.hooks[usize::from(group) << 8 | usize::from(opcode)] = number;
                    }
                }
                number
            }
        };
        Some(usize::from(number) - 1)
    }

    /// The slot of an event of a provider, by id.
    fn event_slot(&mut self, provider: &str, id: u8) -> Option<usize> {
        let key = (tracewell_schema::providers::guid(provider)?, u16::from(id));
        if let Some(&number) = self.events.get(&key) {
            return Some(usize::from(number) - 1);
        }
        self.slots.push(Slot::default());
        let number = u16::try_from(self.slots.len()).ok()?;
        self.events.insert(key, number);
        Some(usize::from(number) - 1)
    }
}
