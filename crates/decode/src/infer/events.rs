//! The same for events of providers, by the tables of providers.
//!
//! A description that the trace itself has for the event is better than any inference, and is looked for before one is used.

use rustc_hash::FxHashMap;
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::{Readable, Readings, Record, Trace};
use tracewell_schema::{Provider, Version, bundled};
use tracewell_types::Guid;

use super::fit::{LEAST_EVENTS, MOST_BYTES, MOST_SAMPLES, begins, fits, other};
use crate::Schemas;
use crate::event_source::is_manifest_chunk;

/// Provider and id, and the version and pointer size in the header.
type Kind = (Guid, u16, u8, u8);

/// A kind, and payloads of it.
type Seen<'s> = (Kind, &'s [Box<[u8]>]);

/// Payloads of the events that were looked at. The tables are read only after all are collected.
#[derive(Debug, Default)]
pub(super) struct Samples(FxHashMap<Kind, Vec<Box<[u8]>>>);

impl Samples {
    pub(super) fn observe(&mut self, record: &Record<'_>) {
        let payload = record.payload();
        if payload.is_empty() || payload.len() > MOST_BYTES || is_described_by_itself(record) {
            return;
        }
        let kind = (record.guid(), record.id(), record.version(), record.pointer_size());
        let payloads = self.0.entry(kind).or_default();
        if payloads.len() < MOST_SAMPLES {
            payloads.push(payload.into());
        }
    }

    /// Adds the inferred readings.
    pub(super) fn infer(&self, trace: &Trace<'_>, readings: &mut Readings) {
        let mut of_providers: FxHashMap<Guid, Vec<Seen<'_>>> = FxHashMap::default();
        for (&kind, payloads) in &self.0 {
            if payloads.len() >= LEAST_EVENTS as usize {
                of_providers.entry(kind.0).or_default().push((kind, payloads));
            }
        }
        let mut found: Vec<(Kind, (u8, u8))> = Vec::new();
        for (guid, kinds) in of_providers {
            let ids: Vec<u16> = kinds.iter().map(|((_, id, ..), _)| *id).collect();
            // Most questions are about other events, so the whole table may never be needed.
            let Some(provider) = bundled::events(&guid, &ids) else { continue };
            let reading = |(kind, payloads): Seen<'_>| Some((kind, inferred(&provider, kind, payloads)?));
            found.extend(kinds.into_iter().filter_map(reading));
        }
        if found.is_empty() {
            return;
        }
        let schemas = descriptions(trace);
        for ((guid, id, version, size), reading) in found {
            if !describes(&schemas, &guid, id, version) {
                readings.insert(Readable::Event(guid, id), (version, size), reading);
            }
        }
    }
}

/// Returns `true` if no table is needed for the record.
fn is_described_by_itself(record: &Record<'_>) -> bool {
    is_manifest_chunk(record)
        || record.flags().has(EventFlags::STRING_ONLY)
        || record.extended().any(|item| item.kind == ExtendedKind::SCHEMA)
}

/// The descriptions in the whole trace. Only traces with a candidate are read for them.
#[cold]
fn descriptions(trace: &Trace<'_>) -> Schemas {
    let mut schemas = Schemas::new();
    let mut records = trace.file_order();
    while let Some(record) = records.next() {
        schemas.observe(&record);
    }
    schemas
}

fn describes(schemas: &Schemas, guid: &Guid, id: u16, version: u8) -> bool {
    schemas.manifests().of_provider(guid).any(|provider| provider.event(id, version).is_some())
        || schemas.merged().events().any(|(known, number, _)| known == *guid && number == id)
}

/// The version and pointer size that fit every payload, if those in the headers fit none and no others fit all.
fn inferred(provider: &Provider, kind: Kind, payloads: &[Box<[u8]>]) -> Option<(u8, u8)> {
    let (guid, id, version, size) = kind;
    let all_fit = |layout: &Version, size| payloads.iter().all(|payload| fits(layout, payload, size));
    // Layouts from the collections may end early. What follows would then look like pointers that are wider.
    let sizes = if bundled::is_collected(&guid) { &[size][..] } else { &[size, other(size)] };
    let own = provider.event(id, version).map(|event| &event.layout);
    if let Some(own) = own {
        if payloads.iter().any(|payload| fits(own, payload, size)) {
            return None;
        }
        if sizes.len() > 1 && all_fit(own, other(size)) {
            return Some((version, other(size)));
        }
    }
    // Payloads that begin with the usual layout have more fields. Of an event that is not described in its version, that layout
    // is used; of one that is, only a version with the same first fields can be another name for what these events are.
    let usual = &provider.nearest(id, version)?.layout;
    let begin = payloads.iter().any(|payload| begins(usual, payload, size));
    if begin && own.is_none() {
        return None;
    }
    let is_possible =
        |layout: &Version| !layout.fields.is_empty() && (!begin || layout.fields.starts_with(&usual.fields));
    let layouts =
        provider.versions(id).iter().map(|event| &event.layout).filter(|layout| is_possible(layout));
    // Without pointers, every size fits: then it is that of the header.
    let sizes = if begin { &[size][..] } else { sizes };
    let with_size = |layout| Some((layout, *sizes.iter().find(|size| all_fit(layout, **size))?));
    let mut fitting: Vec<(&Version, u8)> = layouts.filter_map(with_size).collect();
    // Several versions may have the same fields.
    fitting.dedup_by(|a, b| a.1 == b.1 && a.0.fields == b.0.fields);
    match fitting.as_slice() {
        [(layout, size)] => Some((layout.number, *size)),
        _ => None,
    }
}
