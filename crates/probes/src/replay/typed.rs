//! Probes on single events of providers: which of them a record fires, and where its fields are.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_decode::{Decoder, EventFormat, FormatId};
use tracewell_dlang::program::{Clause, ProbeId};
use tracewell_etl::{Identity, Record};
use tracewell_schema::Version;
use tracewell_types::Guid;

use super::firing::{Event, Replay};
use crate::catalog::{Kind, ProbeCatalog};
use crate::demand::Alias;
use crate::events::{EventDef, Pick, event_name, event_number};
use crate::opened::Read;
use crate::regions;
use crate::shape::{Fields, Knowledge, Part, Shape};

/// A keyword mask that takes every event, also those without a keyword.
pub(super) const ANY: u64 = 0;

/// A probe on chosen events of a provider.
#[derive(Clone, Debug)]
struct Chosen {
    probe: ProbeId,
    event: Option<EventDef>,
    /// By Microsoft's notation: then the first argument is the header.
    alias: Option<Alias>,
    /// Any event that has one of these bits in its keyword; [`ANY`] takes all.
    mask: Option<u64>,
    /// The records that its events share with those of other probes.
    joined: Vec<Part>,
    /// The clauses on it, by number.
    clauses: Vec<usize>,
}

impl Chosen {
    /// Returns `true` if all clauses on this probe are also on another, both on single events: what a pattern matches under two
    /// names fires once.
    fn is_part_of(&self, other: &Chosen) -> bool {
        let single = |chosen: &Chosen| chosen.mask.is_none() && chosen.alias.is_none();
        let has_all = || self.clauses.iter().all(|clause| other.clauses.contains(clause));
        single(self) && single(other) && !self.clauses.is_empty() && has_all()
    }
}

/// What a record of one format fires.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) probe: ProbeId,
    fields: Fields,
    alias: Option<Alias>,
    mask: Option<u64>,
}

impl Planned {
    /// Returns `true` if the probe fires for this record, which may have another level and other keywords than
    /// others of its format.
    fn takes(&self, record: &Record<'_>) -> bool {
        self.alias.is_none_or(|alias| alias.takes(record))
            && self.mask.is_none_or(|mask| mask == ANY || record.keyword() & mask != 0)
    }
}

/// Maximum number of cached plans, so that a trace with only new formats cannot exhaust memory.
const MOST_PLANS: usize = 1 << 14;

/// The enabled probes on single events of providers.
#[derive(Debug)]
pub(super) struct TypedEvents {
    by_guid: FxHashMap<Guid, Vec<Chosen>>,
    /// The fields of all described versions of an event, by provider and number.
    described: FxHashMap<(Guid, u16), Shape>,
    decoder: Decoder,
    /// By format and pointer size.
    plans: FxHashMap<(FormatId, u8), Rc<[Planned]>>,
}

impl TypedEvents {
    /// Those of a catalog that `is_enabled`, and the probes on any event of a provider whose fields a clause reads.
    pub(super) fn new(
        catalog: &ProbeCatalog<'_>,
        mut is_enabled: impl FnMut(ProbeId) -> bool,
        clauses: &[Clause],
    ) -> TypedEvents {
        let mut by_guid: FxHashMap<Guid, Vec<Chosen>> = FxHashMap::default();
        for (info, _) in catalog.iter().filter(|(info, _)| is_enabled(info.id)) {
            let Some(kind) = catalog.base_kind(info.id) else { continue };
            if matches!(kind, Kind::Function(_)) {
                continue;
            }
            let joined = catalog.joined(info.id);
            let event = catalog.event_of(info.id).cloned();
            let is_read = !joined.is_empty();
            let on_it = clauses.iter().enumerate().filter(|(_, clause)| clause.probes.contains(&info.id));
            let clauses: Vec<usize> = on_it.map(|(number, _)| number).collect();
            let chosen =
                |alias, mask| Chosen { probe: info.id, event: event.clone(), alias, mask, joined, clauses };
            let chosen = match kind {
                Kind::Event(_) => event.as_ref().map(|e| e.guid).map(|guid| (guid, chosen(None, None))),
                Kind::Alias(index) => {
                    catalog.alias(index).map(|alias| (alias.guid, chosen(Some(*alias), None)))
                }
                Kind::Events(guid) if is_read => Some((guid, chosen(None, Some(ANY)))),
                Kind::Keyword(guid, mask) if is_read => Some((guid, chosen(None, Some(mask)))),
                _ => None,
            };
            if let Some((guid, chosen)) = chosen {
                by_guid.entry(guid).or_default().push(chosen);
            }
        }
        let schemas = if by_guid.is_empty() { Default::default() } else { catalog.schemas().clone() };
        let mut versions: FxHashMap<(Guid, u16), Vec<&Version>> = FxHashMap::default();
        for kind in catalog.kinds().iter().filter(|kind| by_guid.contains_key(&kind.guid)) {
            if let Some(layout) = &kind.layout {
                versions.entry((kind.guid, kind.id)).or_default().push(layout);
            }
        }
        let described = versions.into_iter().map(|(event, layouts)| (event, Shape::new(layouts.into_iter())));
        let described = described.collect();
        TypedEvents { by_guid, described, decoder: Decoder::new(schemas), plans: FxHashMap::default() }
    }

    /// Returns `true` if no probe is enabled.
    pub(super) fn is_empty(&self) -> bool {
        self.by_guid.is_empty()
    }

    /// Returns `true` if a probe is on events of a provider or class.
    #[inline]
    pub(super) fn has(&self, guid: &Guid) -> bool {
        self.by_guid.contains_key(guid)
    }

    /// Returns `true` if a record fires a probe.
    pub(super) fn takes(&mut self, record: &Record<'_>) -> bool {
        self.plan(record).iter().any(|planned| planned.takes(record))
    }

    /// What a record fires.
    pub(super) fn plan(&mut self, record: &Record<'_>) -> Rc<[Planned]> {
        let Some(chosen) = self.by_guid.get(&record.guid()) else { return Rc::new([]) };
        let pointer_size = record.pointer_size();
        let key = (self.decoder.id(record), pointer_size);
        if let Some(plan) = self.plans.get(&key) {
            return plan.clone();
        }
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        let format = self.decoder.get(key.0);
        let number = match record.identity() {
            Identity::Class { opcode, .. } => u16::from(opcode),
            _ => record.id(),
        };
        let name = event_name(format, number);
        let takes = |chosen: &&Chosen| match (&chosen.alias, &chosen.event) {
            // Level and keyword are the single event's.
            (Some(alias), _) => alias.id.is_none_or(|id| id == number),
            (None, Some(event)) => match &event.pick {
                Pick::Named(wanted) => *wanted == name,
                Pick::Ids(ids) => ids.contains(&number),
            },
            (None, None) => chosen.mask.is_some(),
        };
        let described = self.described.get(&(record.guid(), number));
        let known = Knowledge::of(format, described);
        let taken: Vec<&Chosen> = chosen.iter().filter(takes).collect();
        let is_double = |at: usize, chosen: &Chosen| {
            taken.iter().enumerate().any(|(before, other)| {
                before != at && chosen.is_part_of(other) && (before < at || !other.is_part_of(chosen))
            })
        };
        let plan: Rc<[Planned]> = taken
            .iter()
            .enumerate()
            .filter(|(at, chosen)| !is_double(*at, chosen))
            .map(|(_, chosen)| {
                let own = chosen.event.as_ref().map(|event| &event.shape);
                let fields = Fields::resolve(own, &chosen.joined, &known, pointer_size);
                Planned { probe: chosen.probe, fields, alias: chosen.alias, mask: chosen.mask }
            })
            .collect();
        self.plans.insert(key, plan.clone());
        plan
    }

    /// The format of a record.
    #[inline]
    pub(super) fn format(&mut self, record: &Record<'_>) -> &EventFormat {
        self.decoder.format(record)
    }
}

impl Replay<'_> {
    /// Fires the probes on a single event.
    pub(super) fn typed(&mut self, events: &mut TypedEvents, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let plan = events.plan(record);
        let payload = record.payload();
        let mut read = Read::Nothing;
        for planned @ Planned { probe, fields, alias, .. } in &*plan {
            if !planned.takes(record) {
                continue;
            }
            self.kept.state.opened.begin(fields);
            // As `events` and the keywords have them, but that Microsoft's notation begins with the header.
            let first = if alias.is_some() {
                self.kept.state.write_header(record);
                regions::HEADER.address(0)
            } else {
                u64::from(event_number(record))
            };
            self.fire(timeline, *probe, at, who, payload, |host| {
                host.set_prefix(record.id(), record.version(), record.pointer_size());
                host.args = [
                    first,
                    u64::from(record.opcode()),
                    host.payload_address(),
                    payload.len() as u64,
                    u64::from(record.version()),
                    regions::RECORD.address(0),
                ];
            });
            read = read.max(self.kept.state.opened.read());
        }
        if read != Read::Nothing {
            let kind = (event_number(record), record.version());
            self.kept.outcome.undecoded.observe(events.format(record), kind, read);
            self.refuse_if_strict();
        }
    }

    /// Ends the run if an event was not decoded by its own description and the program refuses such answers.
    #[inline]
    pub(super) fn refuse_if_strict(&mut self) {
        let outcome = &mut self.kept.outcome;
        outcome.refused |= self.engine.options().strict && !outcome.undecoded.is_empty();
    }
}
