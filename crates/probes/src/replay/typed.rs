//! Probes on single events of providers: which of them a record fires, and where its fields are.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_decode::{Decoder, FormatId};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Identity, Record};
use tracewell_types::Guid;

use super::Replay;
use super::clock::Moment;
use super::fire::number_of;
use crate::catalog::{Kind, ProbeCatalog};
use crate::demand::Alias;
use crate::events::{EventDef, Pick, event_name};
use crate::regions;
use crate::shape::Resolved;
use tracewell_state::{Timeline, Who};

/// A probe on chosen events of a provider.
#[derive(Clone, Debug)]
struct Chosen {
    probe: ProbeId,
    event: Option<EventDef>,
    /// By Microsoft's notation: then the first argument is the header.
    alias: Option<Alias>,
}

/// What a record of one format fires.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) probe: ProbeId,
    fields: Resolved,
    alias: Option<Alias>,
}

/// Plans are forgotten when there are more, so that a trace of nothing but new formats cannot take up all memory.
const MOST_PLANS: usize = 1 << 14;

/// The enabled probes on single events of providers.
#[derive(Debug)]
pub(super) struct TypedEvents {
    by_guid: FxHashMap<Guid, Vec<Chosen>>,
    decoder: Decoder,
    /// By format and pointer size.
    plans: FxHashMap<(FormatId, u8), Rc<[Planned]>>,
}

impl TypedEvents {
    /// Those of a catalog that `is_enabled`; probes in `also` stand for others.
    pub(super) fn new(
        catalog: &ProbeCatalog<'_>,
        mut is_enabled: impl FnMut(ProbeId) -> bool,
    ) -> TypedEvents {
        let mut by_guid: FxHashMap<Guid, Vec<Chosen>> = FxHashMap::default();
        for (info, kind) in catalog.iter().filter(|(info, _)| is_enabled(info.id)) {
            let kind = match kind {
                Kind::PmcOf(base, _) => catalog.kind(base).unwrap_or(kind),
                kind => kind,
            };
            let chosen = match kind {
                Kind::Event(_) => catalog
                    .event_of(info.id)
                    .map(|e| (e.guid, Chosen { probe: info.id, event: Some(e.clone()), alias: None })),
                Kind::Alias(index) => catalog.alias(index).map(|alias| {
                    let event = catalog.event_of(info.id).cloned();
                    (alias.guid, Chosen { probe: info.id, event, alias: Some(*alias) })
                }),
                _ => None,
            };
            if let Some((guid, chosen)) = chosen {
                by_guid.entry(guid).or_default().push(chosen);
            }
        }
        let schemas = if by_guid.is_empty() { Default::default() } else { catalog.schemas().clone() };
        TypedEvents { by_guid, decoder: Decoder::new(schemas), plans: FxHashMap::default() }
    }

    /// Whether no probe is enabled.
    pub(super) fn is_empty(&self) -> bool {
        self.by_guid.is_empty()
    }

    /// Whether a probe is on events of a provider or class.
    #[inline]
    pub(super) fn has(&self, guid: &Guid) -> bool {
        self.by_guid.contains_key(guid)
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
            (None, None) => false,
        };
        let plan: Rc<[Planned]> = chosen
            .iter()
            .filter(takes)
            .map(|chosen| {
                let fields = match (&chosen.event, &format.layout) {
                    (Some(event), Some(layout)) => event.shape.resolve(layout, pointer_size),
                    (Some(event), None) => event.shape.unknown(),
                    (None, _) => Resolved::default(),
                };
                Planned { probe: chosen.probe, fields, alias: chosen.alias }
            })
            .collect();
        self.plans.insert(key, plan.clone());
        plan
    }
}

impl Replay<'_> {
    /// Fires the probes on a single event.
    pub(super) fn typed(
        &mut self,
        timeline: &Timeline<'_>,
        plan: &[Planned],
        at: Moment<'_>,
        record: &Record<'_>,
        who: Who,
    ) {
        let payload = record.payload();
        for Planned { probe, fields, alias } in plan {
            if alias.is_some_and(|alias| !alias.takes(record)) {
                continue;
            }
            self.state.opened.begin(fields);
            // As `events` and the keywords have them, but that Microsoft's notation begins with the header.
            let first = if alias.is_some() {
                self.state.write_header(record);
                regions::HEADER.address(0)
            } else {
                u64::from(number_of(record))
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
        }
    }
}
