//! Events of several kinds as one record: `args[0]` of a clause that is on several of them, be it by several
//! descriptions or patterns, or by a probe on all events or one keyword of a provider.
//!
//! The record has the fields of all these events. Of an event that lacks one the field is 0 or empty, as a field that
//! a version of an event lacks is in the record of a single event ([`crate::shape`]).

use tracewell_dlang::catalog::{Common, ProbeArg};
use tracewell_dlang::program::ProbeId;
use tracewell_schema::{Version, kernel};
use tracewell_types::Guid;

use super::{Kind, ProbeCatalog};
use crate::events::Join;
use crate::opened::SLOT;
use crate::shape::{Part, Shape};
use crate::table::RECORD_ARGUMENT;

/// Slots that the record of each join has, and that of the single event before them.
const ROOM: u32 = 1 << 13;
/// Most joins of a program: all their slots have addresses.
const MOST_JOINS: usize = 100;

impl ProbeCatalog<'_> {
    /// What `args[0]` is for a clause on these probes. [`None`] when it is what each of them says, or when one is not on
    /// events of providers or the kernel.
    pub(crate) fn join(&mut self, probes: &[ProbeId]) -> Option<Common> {
        let own = |&id: &ProbeId| self.event_of(id).map(|event| event.struct_name.as_str());
        let first = own(probes.first()?);
        if first.is_some() && probes.iter().all(|id| own(id) == first) {
            return None;
        }
        let at = match self.joins.iter().position(|join| join.probes == probes) {
            Some(at) => at,
            None => {
                let at = self.joins.len();
                let mut layouts: Vec<&Version> = Vec::new();
                for &id in probes {
                    self.layouts_of(id, &mut layouts)?;
                }
                let shape = Shape::new(layouts.into_iter().rev());
                if shape.is_empty() || shape.slots() > ROOM as usize || at >= MOST_JOINS {
                    return None;
                }
                let provider = self.slot(*probes.first()?)?.0.provider.clone();
                let struct_name = self.structs.of(&provider, "events", &shape);
                let part = Part { base: (at as u32 + 1) * ROOM, shape };
                self.joins.push(Join { probes: probes.to_vec(), part, struct_name });
                at
            }
        };
        let join = self.joins.get(at)?;
        Some(Common {
            text: join.part.shape.d_text(&join.struct_name),
            argument: ProbeArg {
                native: format!("{}_t *", join.struct_name),
                translated: None,
                from: RECORD_ARGUMENT,
                offset: u64::from(join.part.base) * SLOT as u64,
                payload: None,
            },
            name: join.struct_name.clone(),
        })
    }

    /// The records of several kinds of events that a probe's events are read as.
    pub(crate) fn joined(&self, id: ProbeId) -> Vec<Part> {
        self.joins.iter().filter(|join| join.probes.contains(&id)).map(|join| join.part.clone()).collect()
    }

    /// The kind of a probe, or of that which it shows counters of.
    pub(crate) fn base_kind(&self, id: ProbeId) -> Option<Kind> {
        match self.kind(id)? {
            Kind::PmcOf(base, _) => self.kind(base),
            kind => Some(kind),
        }
    }

    /// The layouts of a probe's events, the ones that matter most first; [`None`] when it is not on events.
    fn layouts_of<'c>(&'c self, id: ProbeId, out: &mut Vec<&'c Version>) -> Option<()> {
        let of_provider = |guid: Guid, mask: u64, out: &mut Vec<&'c Version>| {
            let with_keyword = |mask: u64| {
                self.kinds().iter().filter(move |kind| {
                    kind.guid == guid
                        && (mask == 0 || kind.enabling.is_none_or(|enabling| enabling.keyword & mask != 0))
                })
            };
            // Keywords may be described otherwise than they are logged: then any event may have one.
            let mask = if with_keyword(mask).next().is_some() { mask } else { 0 };
            out.extend(with_keyword(mask).filter_map(|kind| kind.layout.as_ref()));
        };
        match self.base_kind(id)? {
            Kind::Class(class, opcode) => {
                let versions = kernel::class(class)?.event_by_opcode(opcode)?.versions;
                out.extend(versions.iter().rev());
            }
            Kind::Event(_) => {
                let event = self.event_of(id)?;
                let kinds = self.kinds().iter().filter(|kind| event.is_on(kind));
                out.extend(kinds.filter_map(|kind| kind.layout.as_ref()));
            }
            Kind::Events(guid) => of_provider(guid, 0, out),
            Kind::Keyword(guid, mask) => of_provider(guid, mask, out),
            Kind::Alias(index) => {
                let alias = self.alias(index)?;
                let kinds = self.kinds().iter();
                let kinds =
                    kinds.filter(|kind| kind.guid == alias.guid && alias.id.is_none_or(|id| id == kind.id));
                out.extend(kinds.filter_map(|kind| kind.layout.as_ref()));
            }
            _ => return None,
        }
        Some(())
    }
}
