//! What has to be logged for a program that runs live.

use tracewell_dengine::Engine;
use tracewell_dlang::program::{ProbeId, Program};
use tracewell_schema::kernel::{self, flag};
use tracewell_types::Guid;
use tracewell_types::call::{Distinguished, NeededEvent, NeededTrace};

use super::super::dispatch::{COUNTER_SAMPLE, SAMPLE};
use super::super::firing::cpu_times_at_events;
use super::super::survey;
use super::super::transfers::Transfers;
use super::super::typed::ANY;
use super::calls::{NeededCalls, NeededMemory};
use crate::calls;
use crate::catalog::{Diag, Kind, ProbeCatalog};

/// The class of events about the hardware, which every kernel session contains.
const HARDWARE: &str = "SystemConfig";
/// The event types of system calls that begin and return.
const CALL_TYPES: [&[u8]; 2] = [&[calls::ENDS[0].1], &[calls::ENDS[1].1]];
/// The class of samples and system calls.
const SAMPLES: &str = "PerfInfo";

/// What a program needs of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// Providers of events.
    pub providers: Vec<NeededProvider>,
    /// Events of the kernel, when there are probes on any.
    pub system: Option<NeededSystem>,
}

/// A provider that a program has probes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededProvider {
    /// The provider.
    pub guid: Guid,
    /// Keywords of which an event must have one; 0 for all events.
    pub any: u64,
    /// Whether its events are to carry the stack they come from.
    pub stacks: bool,
    /// Whether it is to log its state when the run begins.
    pub state: bool,
    /// Ids of the only events that are needed; [`None`] for all. Programs may log an event under an id that is not known, so this
    /// is found out only for [providers of the system](ProbeCatalog::add_system_provider).
    pub ids: Option<Vec<u16>>,
}

/// What a program needs of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededSystem {
    /// Groups of events: bits of [`kernel::FLAGS`].
    pub flags: u32,
    /// Events that a stack is to follow: class and event type.
    pub stacks: Vec<(Guid, u8)>,
    /// Nanoseconds between samples, when there is a probe on them.
    pub sample_interval: Option<i64>,
    /// Hardware counters that are to be counted.
    pub counters: NeededCounters,
    /// The system calls that are needed of those that the flags log.
    pub calls: NeededCalls,
    /// What the program distinguishes them by when they begin and when they return; [`None`] if each is an event to it.
    pub distinguished: [Option<Distinguished>; 2],
    /// The memory that it reads when they begin and when they return.
    pub memory: [NeededMemory; 2],
    /// The only other events that are needed of those that the flags log, besides those from which processes, threads and
    /// images are known; [`None`] for all.
    pub events: Option<Vec<NeededEvent>>,
    /// The only events that are needed of some providers of the system; of others all that the session enables.
    pub traces: Vec<NeededTrace>,
    /// The texts with which tests compare names of processes, by the number that such a test has.
    pub names: Vec<(i32, String)>,
    /// The names of fields that tests compare, by the position that such a test has.
    pub fields: Vec<String>,
}

impl NeededSystem {
    /// Asks for each event, whatever the program does with it.
    pub fn log_all(&mut self) {
        (self.calls, self.distinguished, self.events) = ([None, None], [None; 2], None);
        self.traces.clear();
    }
}

/// The hardware counters that a program needs, by the names that [`counter_name`](crate::counter_name) gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededCounters {
    /// Counters that are to be sampled.
    pub sampled: Vec<String>,
    /// Counters that events are to carry. If no probe names one, events may carry any.
    pub carried: Vec<String>,
    /// Events that are to carry counters: class and event type.
    pub events: Vec<(Guid, u8)>,
}

impl NeededCounters {
    /// Returns `true` if the program needs none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sampled.is_empty() && self.events.is_empty()
    }
}

/// Where the events of a probe come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'c> {
    /// From nowhere: time fires it, or the run itself.
    Run,
    /// From a provider that a session can enable.
    Provider(Guid),
    /// From the kernel, with these bits of [`kernel::FLAGS`].
    System(u32),
    /// Hardware counters of the kernel: the flags, and the counter, if the probe names one.
    Counter(u32, Option<&'c str>),
    /// From the session of the run, whatever it logs.
    Session,
    /// From a mechanism that watches functions of processes.
    Functions,
    /// From traces only.
    Trace,
}

impl<'c> Source<'c> {
    /// The source of events that have a hardware counter with them. Sessions count for the kernel's events only; those of
    /// providers may come with counters all the same.
    fn with_counter(self, counter: Option<&'c str>) -> Source<'c> {
        match self {
            Source::System(flags) => Source::Counter(flags, counter),
            Source::Provider(guid) => Source::Provider(guid),
            _ => Source::Trace,
        }
    }
}

/// Where the events of a probe come from in a live run.
#[must_use]
pub fn source_of<'c>(catalog: &'c ProbeCatalog<'_>, id: ProbeId) -> Source<'c> {
    // Of several sufficient flags, the first that a session can have is the most informative.
    let bit = |class: &str, opcode: u8| {
        kernel::flags(kernel::class(class)?, opcode).iter().find_map(|flag| flag.bit())
    };
    let system = |bits: Option<u32>| bits.map_or(Source::Trace, Source::System);
    let all =
        |bits: &mut dyn Iterator<Item = Option<u32>>| system(bits.flatten().reduce(|all, bit| all | bit));
    match catalog.kind(id) {
        Some(Kind::Begin | Kind::End | Kind::Error) => Source::Run,
        Some(Kind::Timer(timer)) if catalog.is_sampled(timer) => system(flag::PROFILE.bit()),
        Some(Kind::Timer(_)) => Source::Run,
        Some(Kind::Events(guid) | Kind::Keyword(guid, _) | Kind::CaptureState(guid)) => {
            Source::Provider(guid)
        }
        Some(Kind::Event(_)) => {
            catalog.event_of(id).map_or(Source::Trace, |event| Source::Provider(event.guid))
        }
        Some(Kind::Span(index)) => catalog.span(index).map_or(Source::Trace, |span| {
            let Some(def) = span.def.filter(|def| !def.class.is_empty()) else {
                return Source::Provider(span.guid);
            };
            let ends = [def.starts, def.ends].into_iter().filter_map(|types| types.first());
            all(&mut ends.map(|opcode| bit(def.class, *opcode as u8)))
        }),
        Some(Kind::Alias(index)) => {
            catalog.alias(index).map_or(Source::Trace, |alias| Source::Provider(alias.guid))
        }
        Some(Kind::Fixed(def)) if def.class == HARDWARE => Source::System(0),
        Some(Kind::Class(class, _)) if class == HARDWARE => Source::System(0),
        Some(Kind::Fixed(def)) if kernel::class(def.class).is_none() => {
            tracewell_schema::providers::guid(def.class).map_or(Source::Trace, Source::Provider)
        }
        // Each of its events is wanted, whatever flag it hangs on.
        Some(Kind::Fixed(def)) => {
            let own = def.opcodes.iter().map(|opcode| (def.class, *opcode));
            let types = own.chain(def.fire.depends_on().iter().copied());
            all(&mut types.map(|(class, opcode)| bit(class, opcode)))
        }
        Some(Kind::Class(class, opcode)) => system(bit(class, opcode)),
        Some(Kind::Call(..)) => system(flag::SYSTEMCALL.bit()),
        // What is sampled says so: no flag does.
        Some(Kind::PmcSample(counter)) => Source::Counter(0, catalog.counter(counter)),
        Some(Kind::PmcOf(base, counter)) => {
            source_of(catalog, base).with_counter(counter.and_then(|counter| catalog.counter(counter)))
        }
        Some(Kind::Function(_)) => Source::Functions,
        // No session logs calls of hooked functions.
        Some(Kind::Diag(Diag::Fpid)) | None => Source::Trace,
        Some(Kind::Diag(_)) => Source::Session,
    }
}

/// Classes and types of the kernel's events of which each fires a probe; nothing if none does.
#[must_use]
pub fn kernel_events(catalog: &ProbeCatalog<'_>, id: ProbeId) -> Vec<(Guid, u8)> {
    let kind = catalog.base_kind(id).or_else(|| catalog.kind(id));
    let span;
    let (class, types): (&str, &[u8]) = match kind {
        Some(Kind::Fixed(def)) => (def.class, def.opcodes),
        Some(Kind::Class(class, ref opcode)) => (class, std::slice::from_ref(opcode)),
        Some(Kind::Call(_, end)) => (SAMPLES, CALL_TYPES[usize::from(end.returns())]),
        Some(Kind::PmcSample(_)) => (SAMPLES, &[COUNTER_SAMPLE]),
        Some(Kind::Timer(_)) => (SAMPLES, &[SAMPLE]),
        Some(Kind::Span(index)) => {
            let Some(def) = catalog.span(index).and_then(|span| span.def) else { return Vec::new() };
            span = def.ends.iter().map(|opcode| *opcode as u8).collect::<Vec<_>>();
            (def.class, &span)
        }
        _ => return Vec::new(),
    };
    let class = kernel::class(class).map(|class| class.guid);
    class.iter().flat_map(|guid| types.iter().map(|opcode| (*guid, *opcode))).collect()
}

/// What the enabled probes of a program need.
#[must_use]
pub fn needed(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Needed {
    let mut needed = Needed::default();
    let mut any_of_session = false;
    for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let stacks = takes_stacks(engine.program(), info.id);
        match source_of(catalog, info.id) {
            Source::Run | Source::Functions | Source::Trace => {}
            Source::Session => any_of_session = true,
            Source::Provider(guid) => {
                let base = catalog.base_kind(info.id).unwrap_or(kind);
                let any = if let Kind::Keyword(_, mask) = base { mask } else { ANY };
                let state = matches!(kind, Kind::CaptureState(_));
                let ids = catalog.only_ids(info.id);
                if catalog.is_of_system(&guid) {
                    // Who logged such an event is known by the kernel's events.
                    needed.system.get_or_insert_default();
                }
                match needed.providers.iter_mut().find(|known| known.guid == guid) {
                    Some(known) => {
                        match (&mut known.ids, ids) {
                            (Some(ids), Some(more)) => add_each(ids, more),
                            (ids, _) => *ids = None,
                        }
                        known.any = if any == ANY || known.any == ANY { ANY } else { known.any | any };
                        known.stacks |= stacks;
                        known.state |= state;
                    }
                    None => needed.providers.push(NeededProvider { guid, any, stacks, state, ids }),
                }
            }
            source @ (Source::System(flags) | Source::Counter(flags, _)) => {
                let system = needed.system.get_or_insert_default();
                system.flags |= flags;
                let kind = catalog.base_kind(info.id).unwrap_or(kind);
                let events = kernel_events(catalog, info.id);
                if stacks {
                    add_each(&mut system.stacks, events.iter().copied());
                }
                if let Source::Counter(_, counter) = source {
                    let counter = counter.map(str::to_owned);
                    if matches!(kind, Kind::PmcSample(_)) {
                        add_each(&mut system.counters.sampled, counter);
                    } else {
                        add_each(&mut system.counters.carried, counter);
                        add_each(&mut system.counters.events, events);
                    }
                }
                if let Kind::Timer(timer) = kind {
                    // Of several rates the highest: `sample-N` of others then fires as often, `profile-N` at its rate.
                    let shortest =
                        system.sample_interval.map_or(timer.interval, |known| known.min(timer.interval));
                    system.sample_interval = Some(shortest);
                }
            }
        }
    }
    // Where nothing else is asked for, these see the processes and threads of the machine.
    if any_of_session && needed.providers.is_empty() {
        needed.system.get_or_insert_default();
    }
    if let Some(system) = &mut needed.system {
        // Without these, processes have no names.
        let mut always = vec![flag::PROCESS, flag::THREAD];
        let needs = survey::needs(engine.program());
        if needs.files {
            always.push(flag::DISK_FILE_IO);
        }
        if needs.images {
            always.push(flag::IMAGE_LOAD);
        }
        if cpu_times_at_events(engine.program()) {
            always.push(flag::CSWITCH);
        }
        (system.calls, system.distinguished) = super::calls::needed(engine, catalog);
        system.memory = super::calls::memory(engine, catalog);
        system.events = super::limits::needed(engine, catalog);
        system.names = super::calls::names(engine.program());
        let provider_of = |id| match source_of(catalog, id) {
            Source::Provider(guid) => Some(guid),
            _ => None,
        };
        (system.traces, system.fields) = super::traces::needed(engine, catalog, provider_of);
        if any_of_session {
            system.log_all();
        }
        system.flags |= always.iter().fold(0, |all, flag| all | flag.bits());
    }
    needed
}

impl Needed {
    /// The same for a recording that the program reads later: it then looks ahead for what a live run cannot know yet.
    #[must_use]
    pub fn to_be_read_later(mut self, engine: &Engine, catalog: &ProbeCatalog<'_>) -> Needed {
        if let Some(system) = &mut self.system
            && Transfers::wanted(catalog, &engine.program().clauses).is_some()
        {
            system.flags |= flag::DISK_IO.bits();
        }
        self
    }
}

/// Adds what a list does not have yet.
fn add_each<T: PartialEq>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// Returns `true` if a clause of a probe takes a stack.
fn takes_stacks(program: &Program, probe: ProbeId) -> bool {
    program.clauses.iter().any(|clause| clause.probes.contains(&probe) && survey::takes_stacks(&clause.uses))
}

/// Whether any clause of a program takes a stack.
pub(super) fn takes_any_stacks(program: &Program) -> bool {
    program.clauses.iter().any(|clause| survey::takes_stacks(&clause.uses))
}
