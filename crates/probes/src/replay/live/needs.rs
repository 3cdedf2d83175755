//! What has to be logged for a program that runs live.

use tracewell_dengine::Engine;
use tracewell_dlang::program::{ProbeId, Program};
use tracewell_schema::kernel;
use tracewell_types::Guid;

use super::super::dispatch::SAMPLE;
use super::super::survey;
use super::super::typed::ANY;
use crate::catalog::{Kind, ProbeCatalog};
use crate::timer::{Family, Timer};

/// The class of events about the hardware, which every kernel session contains.
const HARDWARE: &str = "SystemConfig";
/// The class of samples.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededProvider {
    /// The provider.
    pub guid: Guid,
    /// Keywords of which an event must have one; 0 for all events.
    pub any: u64,
    /// Whether its events are to carry the stack they come from.
    pub stacks: bool,
    /// Whether it is to log its state when the run begins.
    pub state: bool,
}

/// What a program needs of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeededSystem {
    /// Groups of events: bits of [`kernel::SESSION_FLAGS`].
    pub flags: u32,
    /// Events that a stack is to follow: class and event type.
    pub stacks: Vec<(Guid, u8)>,
    /// Nanoseconds between samples, when there is a probe on them.
    pub sample_interval: Option<i64>,
}

/// Where the events of a probe come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// From nowhere: time fires it, or the run itself.
    Run,
    /// From a provider that a session can enable.
    Provider(Guid),
    /// From the kernel, with these flags of [`kernel::SESSION_FLAGS`].
    System(u32),
    /// From traces only.
    Trace,
}

/// Where the events of a probe come from in a live run.
#[must_use]
pub fn source_of(catalog: &ProbeCatalog<'_>, id: ProbeId) -> Source {
    // Of several sufficient flags, the first is the most informative.
    let flag = |what: &str| what.split(" or ").find_map(kernel::session_flag);
    let system = |flags: Option<u32>| flags.map_or(Source::Trace, Source::System);
    let flagged = || system(catalog.needs(id).and_then(|need| flag(&need.what)));
    match catalog.kind(id) {
        Some(Kind::Begin | Kind::End | Kind::Error) => Source::Run,
        Some(Kind::Timer(Timer { family: Family::Profile | Family::Tick, .. })) => Source::Run,
        Some(Kind::Timer(_)) => flagged(),
        Some(Kind::Events(guid) | Kind::Keyword(guid, _) | Kind::CaptureState(guid)) => {
            Source::Provider(guid)
        }
        Some(Kind::Event(_)) => {
            catalog.event_of(id).map_or(Source::Trace, |event| Source::Provider(event.guid))
        }
        Some(Kind::Alias(index)) => {
            catalog.alias(index).map_or(Source::Trace, |alias| Source::Provider(alias.guid))
        }
        Some(Kind::Fixed(def)) if def.class == HARDWARE => Source::System(0),
        Some(Kind::Class(class, _)) if class == HARDWARE => Source::System(0),
        Some(Kind::Fixed(def)) if kernel::class(def.class).is_none() => {
            tracewell_schema::providers::guid(def.class).map_or(Source::Trace, Source::Provider)
        }
        // Each of its events is wanted, whatever flag it hangs on.
        Some(Kind::Fixed(def)) => system(def.flags().filter_map(flag).reduce(|all, flag| all | flag)),
        Some(Kind::Class(..)) => flagged(),
        Some(Kind::PmcSample(_) | Kind::PmcOf(..) | Kind::Diag(_)) | None => Source::Trace,
    }
}

/// What the enabled probes of a program need.
#[must_use]
pub fn needed(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Needed {
    let mut needed = Needed::default();
    for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let stacks = takes_stacks(engine.program(), info.id);
        match source_of(catalog, info.id) {
            Source::Run | Source::Trace => {}
            Source::Provider(guid) => {
                let any = if let Kind::Keyword(_, mask) = kind { mask } else { ANY };
                let state = matches!(kind, Kind::CaptureState(_));
                match needed.providers.iter_mut().find(|known| known.guid == guid) {
                    Some(known) => {
                        known.any = if any == ANY || known.any == ANY { ANY } else { known.any | any };
                        known.stacks |= stacks;
                        known.state |= state;
                    }
                    None => needed.providers.push(NeededProvider { guid, any, stacks, state }),
                }
            }
            Source::System(flags) => {
                let system = needed.system.get_or_insert_default();
                system.flags |= flags;
                let (class, types): (&str, &[u8]) = match kind {
                    Kind::Fixed(def) => (def.class, def.opcodes),
                    Kind::Class(class, opcode) => (class, &[opcode]),
                    _ => (SAMPLES, &[SAMPLE]),
                };
                if let (true, Some(class)) = (stacks, kernel::class(class)) {
                    let events = types.iter().map(|opcode| (class.guid, *opcode));
                    system
                        .stacks
                        .extend(events.filter(|event| !system.stacks.contains(event)).collect::<Vec<_>>());
                }
                if let Kind::Timer(timer) = kind {
                    // Of several rates the highest: the others then fire as often.
                    let shortest =
                        system.sample_interval.map_or(timer.interval, |known| known.min(timer.interval));
                    system.sample_interval = Some(shortest);
                }
            }
        }
    }
    if let Some(system) = &mut needed.system {
        // Without these, processes have no names.
        let mut always = vec!["PROCESS", "THREAD"];
        let needs = survey::needs(engine.program());
        if needs.files {
            always.push("DISK_FILE_IO");
        }
        if needs.images {
            always.push("IMAGE_LOAD");
        }
        system.flags |=
            always.iter().filter_map(|name| kernel::session_flag(name)).fold(0, |all, bit| all | bit);
    }
    needed
}

/// Returns `true` if a clause of a probe takes a stack.
fn takes_stacks(program: &Program, probe: ProbeId) -> bool {
    program.clauses.iter().any(|clause| clause.probes.contains(&probe) && survey::takes_stacks(&clause.uses))
}

/// Whether any clause of a program takes a stack.
pub(super) fn takes_any_stacks(program: &Program) -> bool {
    program.clauses.iter().any(|clause| survey::takes_stacks(&clause.uses))
}
