//! The probes of a run: the fixed ones, the timed ones, those on the kernel's own events, and for each provider that
//! the traces hold or that is known an `events` probe, one for each keyword and one for each event.

mod calls;
mod joins;
mod matching;
mod spans;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_decode::Schemas;
use tracewell_dlang::catalog::{Declaration, ProbeArg, ProbeDesc, ProbeInfo};
use tracewell_dlang::program::ProbeId;
use tracewell_schema::{kernel, providers};
use tracewell_types::Guid;

use crate::calls::{CallEnd, FindCalls};
use crate::demand::{self, Alias};
use crate::events::{
    EventDef, EventKind, Form, Join, KERNEL, Pick, Sightings, SpanDef, StructNames, keyword_name, number_of,
    provider_name, short_keyword,
};
use crate::function_types::DeclaredTypes;
use crate::functions::{FunctionProbe, Functions, Refusal, is_of_process};
use crate::shape::Shape;
use crate::table::{Fire, LISTED_RATES, PROBES, ProbeDef, RECORD_ARGUMENT};
use crate::timer::{Family, Timer};

/// What fires a probe.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `dtrace:::BEGIN`
    Begin,
    /// `dtrace:::END`
    End,
    /// `dtrace:::ERROR`
    Error,
    /// Time.
    Timer(Timer),
    /// Kernel events of a class.
    Fixed(&'static ProbeDef),
    /// Any event of a provider, also an event of a class or a trace message that bears its GUID.
    Events(Guid),
    /// Events of a provider whose keyword has one of these bits.
    Keyword(Guid, u64),
    /// Events of a provider that share a name or an id; the catalog lists them.
    Event(u32),
    /// Events of a kernel class: the class's name in the schema, and the event type.
    Class(&'static str, u8),
    /// The end of a span.
    Span(u32),
    /// Events of a provider in Microsoft's notation: [`ProbeCatalog::alias`] resolves it.
    Alias(u32),
    /// Samples of a hardware counter: [`ProbeCatalog::counter`] is its name.
    PmcSample(u32),
    /// The firings of another probe that carry hardware counters; with a counter's name, of that one.
    PmcOf(ProbeId, Option<u32>),
    /// Asks a provider to log its state when a live run begins; has no effect on a recorded trace. It does not
    /// fire.
    CaptureState(Guid),
    /// What arrives, whatever it is.
    Diag(Diag),
    /// A system call by name, and whether it returns: `ProbeCatalog::call` is its name.
    Call(u32, CallEnd),
    /// A function of a process: the number of the place, by which the source of functions knows it.
    Function(u32),
}

/// The probes on what arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diag {
    /// Every event.
    Events,
    /// Events that no other probe matched.
    Ignored,
    /// A walked stack whose event is not in the trace.
    MissedStack,
    /// A stack of the .NET runtime whose event is not in the trace.
    MissedDnetStack,
    /// The late half of a carried stack whose event is not in the trace.
    MissedUstack,
    /// The session lost events.
    LostEvent,
    /// An event of the agent that hooks functions: recorded traces have none.
    Fpid,
}

/// The names of the probes on what arrives.
const DIAG: &[(&str, Diag)] = &[
    ("events", Diag::Events),
    ("ignored", Diag::Ignored),
    ("missed-ustack", Diag::MissedUstack),
    ("missed-stack", Diag::MissedStack),
    ("missed-dnet-stack", Diag::MissedDnetStack),
    ("lostevent", Diag::LostEvent),
    ("fpid", Diag::Fpid),
];

/// Finds the providers and events that there are.
type Survey<'s> = Box<dyn FnMut() -> Sightings + 's>;

/// The catalog that D programs are compiled against.
pub struct ProbeCatalog<'s> {
    probes: Vec<(ProbeInfo, Kind)>,
    /// Called once, when a description first names a provider that is not among the fixed ones.
    survey: Option<Survey<'s>>,
    /// Finds the events of single providers, by their names.
    own_surveys: Vec<(String, Survey<'s>)>,
    /// Its result.
    schemas: Schemas,
    /// Derives the GUID of an unknown provider.
    naming: Option<fn(&str) -> Guid>,
    /// Whether the kernel's own events have their probes.
    has_kernel: bool,
    /// Whether samples of the processors fire `profile-N`, rather than time.
    samples_profiles: bool,
    events: Vec<EventDef>,
    /// The events behind the probes whose fields are typed.
    typed: FxHashMap<ProbeId, u32>,
    /// All kinds of events that are known.
    kinds: Vec<EventKind>,
    /// Whether these are all that the traces hold.
    knows_all: bool,
    structs: StructNames,
    spans: Vec<SpanDef>,
    aliases: Vec<Alias>,
    /// Names of hardware counters.
    counters: Vec<String>,
    /// What keywords may be called beside their names.
    shorts: FxHashMap<ProbeId, String>,
    /// The records that clauses read the events of several kinds as.
    joins: Vec<Join>,
    /// Finds functions of processes.
    functions: Option<Box<dyn Functions + 's>>,
    /// The probes on functions, by the numbers of their places.
    sites: FxHashMap<(String, u32), ProbeId>,
    /// The declarations of the types of functions' arguments, or why there are none.
    described: FxHashMap<ProbeId, Result<Vec<Declaration>, String>>,
    declared: DeclaredTypes,
    /// Why descriptions of functions match nothing.
    refusals: Vec<(ProbeDesc, Refusal)>,
    /// Providers whose events the system logs, by their ids.
    of_system: Vec<Guid>,
    /// The names of system calls, and what finds them.
    calls: Vec<String>,
    find_calls: Option<FindCalls<'s>>,
    /// The functions that carry out calls, with their names.
    call_functions: Vec<(u64, String)>,
}

impl std::fmt::Debug for ProbeCatalog<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProbeCatalog").field("probes", &self.probes).finish_non_exhaustive()
    }
}

impl Default for ProbeCatalog<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'s> ProbeCatalog<'s> {
    /// The fixed and the listed timed probes.
    #[must_use]
    pub fn new() -> ProbeCatalog<'s> {
        let mut catalog = ProbeCatalog {
            probes: Vec::new(),
            survey: None,
            own_surveys: Vec::new(),
            naming: None,
            schemas: Schemas::default(),
            has_kernel: false,
            samples_profiles: false,
            events: Vec::new(),
            typed: FxHashMap::default(),
            kinds: Vec::new(),
            knows_all: false,
            structs: StructNames::default(),
            spans: Vec::new(),
            aliases: Vec::new(),
            counters: Vec::new(),
            shorts: FxHashMap::default(),
            joins: Vec::new(),
            functions: None,
            sites: FxHashMap::default(),
            described: FxHashMap::default(),
            declared: DeclaredTypes::default(),
            refusals: Vec::new(),
            of_system: Vec::new(),
            calls: Vec::new(),
            find_calls: None,
            call_functions: Vec::new(),
        };
        for (name, kind) in [("BEGIN", Kind::Begin), ("END", Kind::End), ("ERROR", Kind::Error)] {
            catalog.add(("dtrace", "", "", name), Vec::new(), kind);
        }
        for def in PROBES {
            let args = def
                .args
                .iter()
                .map(|a| ProbeArg {
                    native: a.native.to_owned(),
                    translated: (!a.shown.is_empty()).then(|| a.shown.to_owned()),
                    from: if def.fire == Fire::Record { RECORD_ARGUMENT } else { a.from },
                    offset: 0,
                    payload: (def.fire == Fire::Record).then_some(0),
                })
                .collect();
            catalog.add((def.provider, "", def.function, def.name), args, Kind::Fixed(def));
        }
        for (name, diag) in DIAG {
            catalog.add(("diag", "", "", name), Vec::new(), Kind::Diag(*diag));
        }
        for (family, rates) in LISTED_RATES {
            for rate in *rates {
                catalog.timer(&format!("{family}-{rate}"));
            }
        }
        catalog
    }

    /// Has samples of the processors fire `profile-N`, at its rate, rather than a timer of the run.
    pub fn sample_profiles(&mut self) {
        self.samples_profiles = true;
    }

    /// Returns `true` if samples of the processors fire a timed probe.
    #[must_use]
    pub fn is_sampled(&self, timer: Timer) -> bool {
        timer.family == Family::Sample || timer.family == Family::Profile && self.samples_profiles
    }

    /// Sets the function that finds providers when they are first named.
    pub fn survey_by(&mut self, survey: impl FnMut() -> Sightings + 's) {
        self.survey = Some(Box::new(survey));
    }

    /// Finds out the events of one provider, whose name is in lower case, without the [others](ProbeCatalog::survey_by), which
    /// take longer.
    pub fn survey_provider_by(&mut self, provider: &str, survey: impl FnMut() -> Sightings + 's) {
        self.own_surveys.push((provider.to_owned(), Box::new(survey)));
    }

    /// Adds the events of a provider that has its own survey, if that has not been done.
    fn add_surveyed(&mut self, provider: &str) {
        if let Some(at) = self.own_surveys.iter().position(|(name, _)| name == provider) {
            let (_, mut survey) = self.own_surveys.swap_remove(at);
            self.add_sightings(survey());
        }
    }

    /// Lets a description name an unknown provider, whose GUID is derived from its name, for its `events`, the events of
    /// an id or those of a keyword's bits: its program may be started later.
    pub fn name_providers_by(&mut self, guid_of_name: fn(&str) -> Guid) {
        self.naming = Some(guid_of_name);
    }

    /// Names a provider whose events the system itself logs: each has the id by which it is described.
    pub fn add_system_provider(&mut self, guid: Guid) {
        self.of_system.push(guid);
    }

    /// Returns `true` if the system itself logs the events of a provider.
    #[must_use]
    pub fn is_of_system(&self, guid: &Guid) -> bool {
        self.of_system.contains(guid)
    }

    /// The ids of the only events that a probe is on; [`None`] if these are not known.
    pub(crate) fn only_ids(&self, id: ProbeId) -> Option<Vec<u16>> {
        let event = self.event_of(id).filter(|event| self.is_of_system(&event.guid))?;
        let mut ids: Vec<u16> =
            self.kinds.iter().filter(|kind| event.is_on(kind)).map(|kind| kind.id).collect();
        // An event has a kind for each of its versions.
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then_some(ids)
    }

    /// Sets the source of probes on functions of processes.
    pub fn find_functions_by(&mut self, functions: impl Functions + 's) {
        self.functions = Some(Box::new(functions));
    }

    /// The probes on functions that a description matches; [`None`] if its provider is not one of processes.
    fn functions(&mut self, desc: &ProbeDesc) -> Option<Vec<ProbeId>> {
        let found = match &mut self.functions {
            Some(functions) => functions.find(desc)?,
            None if is_of_process(&desc.provider) => {
                Err("functions of processes are probed in live runs on Linux, not in traces"
                    .to_owned()
                    .into())
            }
            None => return None,
        };
        let found = match found {
            Ok(found) => found,
            Err(refusal) => {
                self.refusals.push((desc.clone(), refusal));
                return Some(Vec::new());
            }
        };
        let mut ids: Vec<ProbeId> = Vec::with_capacity(found.len());
        for FunctionProbe { provider, module, function, name, site, args } in found {
            let key = (provider, site);
            ids.push(match self.sites.get(&key) {
                Some(&id) => id,
                None => {
                    let parts = (key.0.as_str(), module.as_str(), function.as_str(), name.as_str());
                    let id = self.add(parts, args, Kind::Function(site));
                    self.sites.insert(key, id);
                    id
                }
            });
        }
        ids.sort_unstable();
        ids.dedup();
        Some(ids)
    }

    /// Finds out the types of the arguments of functions.
    fn describe_functions(&mut self, probes: &[ProbeId]) {
        let mut sites: FxHashMap<String, Vec<(u32, ProbeId)>> = FxHashMap::default();
        for id in probes.iter().filter(|id| !self.described.contains_key(id)) {
            if let Some((info, Kind::Function(site))) = self.slot(*id)
                && info.args.is_empty()
            {
                sites.entry(info.provider.clone()).or_default().push((*site, *id));
            }
        }
        for (provider, sites) in sites {
            let numbers: Vec<u32> = sites.iter().map(|(site, _)| *site).collect();
            let Some(functions) = &mut self.functions else { continue };
            let found = functions.described(&provider, &numbers);
            for (site, described) in found {
                let Some((_, id)) = sites.iter().find(|(known, _)| *known == site) else { continue };
                let Some((info, _)) = self.probes.iter_mut().find(|(info, _)| info.id == *id) else {
                    continue;
                };
                let types = described.and_then(|described| {
                    let signature = described.known.functions.get(&described.address);
                    let signature = signature.ok_or_else(|| {
                        format!("the debug information does not describe {}", info.function)
                    })?;
                    let module = &info.module;
                    Ok(self.declared.of_function(&described.known, signature, module, described.returns))
                });
                self.described.insert(
                    *id,
                    types.map(|types| {
                        info.args = types.args;
                        types.declarations
                    }),
                );
            }
        }
    }

    /// Why a description of functions matches nothing.
    fn refusal(&self, desc: &ProbeDesc) -> Option<&Refusal> {
        let found = self.refusals.iter().rev().find(|(refused, _)| refused == desc);
        found.map(|(_, refusal)| refusal)
    }

    /// Adds the probes on providers and events that there are, if that has not been done.
    pub fn complete(&mut self) {
        self.add_kernel();
        self.add_calls();
        for (_, mut survey) in std::mem::take(&mut self.own_surveys) {
            self.add_sightings(survey());
        }
        let Some(mut survey) = self.survey.take() else { return };
        let sightings = survey();
        self.schemas = sightings.schemas.clone();
        self.knows_all = sightings.left_out == 0;
        self.add_sightings(sightings);
    }

    /// Adds the probes on the providers and events of a survey.
    fn add_sightings(&mut self, sightings: Sightings) {
        let mut known: Vec<(Guid, String)> = Vec::new();
        for (guid, name) in &sightings.providers {
            self.add_provider(*guid, name);
            known.push((*guid, name.clone()));
        }
        // Events by provider and name, in order of first sight.
        type Group<'k> = (Guid, &'k str, Vec<&'k EventKind>);
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut places: FxHashMap<(Guid, &str), usize> = FxHashMap::default();
        let rivals = rivals(&sightings.kinds);
        let is_meant = |kind: &&EventKind| kind.seen.is_some() || !rivals.contains(&kind.guid);
        for kind in sightings.kinds.iter().filter(is_meant) {
            let at = *places.entry((kind.guid, &kind.name)).or_insert_with(|| {
                groups.push((kind.guid, &kind.name, Vec::new()));
                groups.len() - 1
            });
            if let Some((_, _, kinds)) = groups.get_mut(at) {
                kinds.push(kind);
            }
        }
        for (guid, name, kinds) in groups {
            let Some(first) = kinds.first() else { continue };
            let provider = match known.iter().find(|(known, _)| *known == guid) {
                Some((_, provider)) => provider.clone(),
                None => {
                    self.add_provider(guid, &first.provider);
                    known.push((guid, first.provider.clone()));
                    first.provider.clone()
                }
            };
            let pick = match number_of(name) {
                // A trace may call an event otherwise than a description does: its number holds for both.
                None if kinds.iter().any(|kind| kind.seen.is_some()) => Pick::Named(name.to_owned()),
                _ => Pick::Ids(kinds.iter().map(|kind| kind.id).collect()),
            };
            // Those that are only described come last and are asked first: what a trace holds goes before.
            let shape = Shape::new(kinds.iter().rev().filter_map(|kind| kind.layout.as_ref()));
            self.add_event(guid, (&provider, &first.task, name), pick, shape);
        }
        for (guid, provider) in &known {
            self.add_provider_spans(provider, *guid, &sightings.kinds);
        }
        for (guid, provider) in &known {
            let keywords = sightings.keywords(guid).into_iter();
            let keywords: Vec<(u64, String)> =
                keywords.filter_map(|(mask, name)| Some((mask, keyword_name(&name)?))).collect();
            for (mask, name) in &keywords {
                let id = self.add((provider, "", "", name), Vec::new(), Kind::Keyword(*guid, *mask));
                if let Some(short) = short_keyword(name)
                    && keywords.iter().all(|(_, other)| other != short)
                {
                    self.shorts.insert(id, short.to_owned());
                }
            }
        }
        self.kinds.extend(sightings.kinds);
    }

    /// Adds the probes on the kernel's own events, if that has not been done.
    fn add_kernel(&mut self) {
        if std::mem::replace(&mut self.has_kernel, true) {
            return;
        }
        for class in kernel::classes() {
            for event in class.events {
                let name = format!("{}_{}", class.name, event.name);
                let pick = Pick::Ids(vec![event.opcode.into()]);
                let event_def =
                    self.define((KERNEL, &name), class.guid, pick, Shape::new(event.versions.iter()));
                let args = self.record_argument(event_def);
                let id =
                    self.add((KERNEL, "", class.name, &name), args, Kind::Class(class.name, event.opcode));
                self.typed.insert(id, event_def);
            }
        }
        self.add_kernel_spans();
    }

    /// Keeps the facts of an event's probe.
    fn define(&mut self, (provider, name): (&str, &str), guid: Guid, pick: Pick, shape: Shape) -> u32 {
        let struct_name = self.structs.of(provider, name, &shape);
        self.events.push(EventDef { guid, pick, shape, struct_name });
        self.events.len() as u32 - 1
    }

    /// `args[0]` of a probe on an event: its fields.
    fn record_argument(&self, event: u32) -> Vec<ProbeArg> {
        let name = self.event(event).map(|event| format!("{}_t *", event.struct_name));
        let argument =
            |native| ProbeArg { native, translated: None, from: RECORD_ARGUMENT, offset: 0, payload: None };
        name.into_iter().map(argument).collect()
    }

    /// Adds the probe on a provider's events of one name.
    fn add_event(&mut self, guid: Guid, names: (&str, &str, &str), pick: Pick, shape: Shape) -> ProbeId {
        let (provider, task, name) = names;
        let event = self.define((provider, name), guid, pick, shape);
        let args = self.record_argument(event);
        let id = self.add((provider, "", task, name), args, Kind::Event(event));
        self.typed.insert(id, event);
        id
    }

    /// The events of [`Kind::Event`].
    pub(crate) fn event(&self, index: u32) -> Option<&EventDef> {
        self.events.get(index as usize)
    }

    /// The events of a probe whose fields are typed.
    #[must_use]
    pub(crate) fn event_of(&self, id: ProbeId) -> Option<&EventDef> {
        self.event(*self.typed.get(&id)?)
    }

    /// The fields that `args[0]` of an event's probe has, with their D types.
    #[must_use]
    pub fn fields(&self, id: ProbeId) -> Option<Vec<(String, String)>> {
        self.event_of(id).map(|event| event.shape.fields())
    }

    /// The events of [`Kind::Alias`].
    #[must_use]
    pub fn alias(&self, index: u32) -> Option<&Alias> {
        self.aliases.get(index as usize)
    }

    /// The name of a hardware counter.
    #[must_use]
    pub fn counter(&self, index: u32) -> Option<&str> {
        self.counters.get(index as usize).map(String::as_str)
    }

    /// All kinds of events that are known: first those that traces hold.
    pub(crate) fn kinds(&self) -> &[EventKind] {
        &self.kinds
    }

    /// Returns `true` if the traces may hold events that are logged like that and have one of these
    /// GUIDs.
    pub(crate) fn may_hold(&self, form: Form, has: impl Fn(&Guid) -> bool) -> bool {
        // Of the kernel's classes no note is taken when traces are looked through.
        let of_kernel = || form == Form::Class && kernel::classes().iter().any(|class| has(&class.guid));
        !self.knows_all
            || self.kinds.iter().any(|kind| kind.seen == Some(form) && has(&kind.guid))
            || of_kernel()
    }

    fn counter_index(&mut self, name: String) -> u32 {
        let at = self.counters.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.counters.push(name);
            self.counters.len() - 1
        });
        at as u32
    }

    /// The descriptions of events.
    #[must_use]
    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// The provider of that name, when a probe or the table of registered ones has it.
    pub(crate) fn guid_of(&self, provider: &str) -> Option<Guid> {
        self.probes.iter().find_map(|(info, kind)| match kind {
            Kind::Events(guid) if info.provider == provider => Some(*guid),
            _ => None,
        })
    }

    /// Makes the probe that a description asks for by a number, a source or a GUID.
    fn demand(&mut self, provider: &str, desc: &ProbeDesc) {
        let name = desc.name.as_str();
        if provider == demand::ETW {
            self.demand_alias(desc);
        } else if desc.function == PMC && is_plain(provider) && is_plain(name) {
            if self.survey.is_none() {
                // The probe on events without counters may not be there yet.
                let shorter = name.match_indices('-').filter_map(|(at, _)| name.get(..at));
                shorter.chain([name]).for_each(|base| self.demand_of_provider(provider, base));
            }
            self.demand_counters(provider, name);
        } else if provider == PMC && desc.function.is_empty() && is_plain(name) {
            let fixed = self.probes.iter().any(|(info, _)| info.provider == PMC && info.name == name);
            if !fixed && let Some(counter) = demand::counter_of(name) {
                let counter = self.counter_index(counter);
                let native = "uintptr_t".to_owned();
                let args = vec![ProbeArg { native, translated: None, from: 0, offset: 0, payload: None }];
                self.add((PMC, "", EVENT, name), args, Kind::PmcSample(counter));
            }
        } else if is_plain(provider) && self.survey.is_none() {
            self.demand_of_provider(provider, name);
        }
    }

    fn demand_of_provider(&mut self, provider: &str, name: &str) {
        let guid = match self.guid_of(provider) {
            Some(guid) => guid,
            None => {
                let mut registered = providers::all().filter(|(_, known)| provider_name(known) == provider);
                let by_number =
                    || name == EVENTS || demand::mask(name).or(number_of(name).map(u64::from)).is_some();
                let taken = || self.probes.iter().any(|(info, _)| info.provider == provider);
                let (guid, known) = match (registered.next(), self.naming) {
                    (Some(found), _) => found,
                    (None, Some(naming)) if by_number() && !taken() => (naming(provider), provider),
                    (None, _) => return,
                };
                self.add_provider(guid, known);
                guid
            }
        };
        if self.probes.iter().any(|(info, _)| info.provider == provider && info.name == name) {
            return;
        }
        if let Some(mask) = demand::mask(name) {
            self.add((provider, "", "", name), Vec::new(), Kind::Keyword(guid, mask));
        } else if let Some(id) = number_of(name) {
            let shape = self.shape_of(guid, id);
            self.add_event(guid, (provider, "", name), Pick::Ids(vec![id]), shape);
        }
    }

    /// The fields of the events of an id, as far as they are known.
    fn shape_of(&self, guid: Guid, id: u16) -> Shape {
        let kinds = self.kinds.iter().filter(|kind| kind.guid == guid && kind.id == id);
        let layouts: Vec<_> = kinds.filter_map(|kind| kind.layout.as_ref()).collect();
        Shape::new(layouts.into_iter().rev())
    }

    fn demand_alias(&mut self, desc: &ProbeDesc) {
        let Some(alias) = Alias::parse(desc) else { return };
        let name = if desc.name.is_empty() { "*" } else { &desc.name };
        let known = self.probes.iter().any(|(info, _)| {
            info.provider == demand::ETW
                && (&info.module, &info.function, info.name.as_str()) == (&desc.module, &desc.function, name)
        });
        if known {
            return;
        }
        self.aliases.push(alias);
        let index = self.aliases.len() as u32 - 1;
        let parts = (demand::ETW, desc.module.as_str(), desc.function.as_str(), name);
        let Some(number) = alias.id else {
            self.add(parts, Vec::new(), Kind::Alias(index));
            return;
        };
        let shape = self.shape_of(alias.guid, number);
        let event = self.define(
            (demand::ETW, &format!("event_{number}")),
            alias.guid,
            Pick::Ids(vec![number]),
            shape,
        );
        let args = self.record_argument(event);
        let id = self.add(parts, args, Kind::Alias(index));
        self.typed.insert(id, event);
    }

    /// `provider::pmc:probe` and `provider::pmc:probe-source`.
    fn demand_counters(&mut self, provider: &str, name: &str) {
        let base_of = |name: &str| {
            let mut found = self.probes.iter().filter(|(info, kind)| {
                info.provider == provider
                    && info.function != PMC
                    && info.name == name
                    && matches!(
                        kind,
                        Kind::Fixed(_)
                            | Kind::Events(_)
                            | Kind::Keyword(..)
                            | Kind::Event(_)
                            | Kind::Class(..)
                    )
            });
            found.next().map(|(info, _)| (info.id, info.args.clone()))
        };
        if self.probes.iter().any(|(i, _)| i.provider == provider && i.function == PMC && i.name == name) {
            return;
        }
        let (base, args, source) = match base_of(name) {
            Some((base, args)) => (base, args, None),
            None => {
                let splits = name.match_indices('-').rev();
                let mut found =
                    splits.filter_map(|(at, _)| Some((base_of(name.get(..at)?)?, name.get(at + 1..)?)));
                let Some(((base, args), source)) = found.next() else { return };
                (base, args, Some(demand::counter_name(source)))
            }
        };
        let source = source.map(|source| self.counter_index(source));
        let id = self.add((provider, "", PMC, name), args, Kind::PmcOf(base, source));
        if let Some(event) = self.typed.get(&base).copied() {
            self.typed.insert(id, event);
        }
    }

    /// Returns `true` if the fixed and timed probes settle a description, so that no provider need be
    /// looked for.
    fn settles(&self, desc: &ProbeDesc) -> bool {
        let provider = desc.provider.to_ascii_lowercase();
        if is_plain(&provider) {
            return self.probes.iter().any(|(info, _)| info.provider == provider);
        }
        provider.is_empty()
            && is_plain(&desc.name)
            && desc.name != EVENTS
            && (Timer::parse(&desc.name).is_some()
                || self.probes.iter().any(|(info, _)| info.name == desc.name))
    }

    /// Adds a provider's `events` probe; names are lower case, with `-` for what would end a description.
    pub fn add_provider(&mut self, guid: Guid, name: &str) -> ProbeId {
        let name = provider_name(name);
        self.add((&name, "", "", "capturestate"), Vec::new(), Kind::CaptureState(guid));
        self.add((&name, "", "event", EVENTS), Vec::new(), Kind::Events(guid))
    }

    /// All probes in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&ProbeInfo, Kind)> {
        self.probes.iter().map(|(info, kind)| (info, *kind))
    }

    /// What fires a probe.
    #[must_use]
    pub fn kind(&self, id: ProbeId) -> Option<Kind> {
        self.slot(id).map(|(_, kind)| *kind)
    }

    pub(crate) fn slot(&self, id: ProbeId) -> Option<&(ProbeInfo, Kind)> {
        self.probes.get((id.0 as usize).checked_sub(1)?)
    }

    fn add(&mut self, name: (&str, &str, &str, &str), args: Vec<ProbeArg>, kind: Kind) -> ProbeId {
        let id = ProbeId(self.probes.len() as u32 + 1);
        let (provider, module, function, name) = name;
        self.probes.push((
            ProbeInfo {
                id,
                provider: provider.to_owned(),
                module: module.to_owned(),
                function: function.to_owned(),
                name: name.to_owned(),
                args,
            },
            kind,
        ));
        id
    }

    /// The timed probe of that name, made if it is not there yet.
    fn timer(&mut self, name: &str) -> Option<ProbeId> {
        let timer = Timer::parse(name)?;
        // Two spellings of one rate are two probes: a script sees the name it asked for.
        if let Some((info, _)) =
            self.probes.iter().find(|(i, k)| i.name == name && matches!(k, Kind::Timer(_)))
        {
            return Some(info.id);
        }
        Some(self.add(("profile", "", "", name), Vec::new(), Kind::Timer(timer)))
    }
}

/// The name of the probe that any event of a provider fires.
const EVENTS: &str = "events";

/// The function of all probes on single events.
const EVENT: &str = "event";
/// The provider of hardware counters, and the function of probes that show them.
const PMC: &str = "pmc";

/// Providers whose name another one has: Windows gave some names to a new provider. A name is to mean the one whose
/// events the traces hold, or else the one that is known first.
fn rivals(kinds: &[EventKind]) -> FxHashSet<Guid> {
    let mut chosen: FxHashMap<&str, Guid> = FxHashMap::default();
    // Those that traces hold come first.
    for kind in kinds {
        chosen.entry(&kind.provider).or_insert(kind.guid);
    }
    let other = |kind: &&EventKind| chosen.get(kind.provider.as_str()).is_some_and(|guid| *guid != kind.guid);
    kinds.iter().filter(other).map(|kind| kind.guid).collect()
}

/// A part of a description that names one thing.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(['*', '?', '[', '\\'])
}
