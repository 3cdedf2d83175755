//! Probes at the ends of spans.

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_decode::{Decoder, FormatId};
use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Reading, Record};
use tracewell_state::pairs::Pairing;
use tracewell_types::Guid;

use super::firing::{Event, Replay};
use crate::catalog::{Kind, ProbeCatalog};
use crate::moment::Instant;
use crate::opened::Read;
use crate::regions;
use crate::shape::{Fields, Knowledge, Shape};

/// Maximum number of cached plans, so that a trace with only new formats cannot exhaust memory.
const MOST_PLANS: usize = 1 << 14;

/// An enabled probe.
#[derive(Debug)]
struct Enabled {
    probe: ProbeId,
    guid: Guid,
    name: String,
    is_known: bool,
    start: Shape,
    end: Shape,
}

/// A span that ended with the record at hand.
#[derive(Debug)]
struct Ended {
    pair: usize,
    depth: u32,
    number: u64,
    time: i64,
    cpu: u16,
    reading: Reading,
    start: Vec<u8>,
}

/// The enabled probes at the ends of spans.
#[derive(Debug)]
pub(super) struct Spans {
    enabled: Vec<Enabled>,
    guids: FxHashSet<Guid>,
    decoder: Decoder,
    pairing: Pairing,
    /// The enabled probe of each pair.
    of_pairs: Vec<Option<usize>>,
    /// The fields of an event in a record: by probe, whether it is the end, format, and pointer size.
    plans: FxHashMap<(usize, bool, FormatId, u8), Fields>,
    ended: Vec<Ended>,
    /// Memory of spans that are done.
    spare: Vec<Vec<u8>>,
}

impl Spans {
    /// Those of a catalog that `is_enabled`.
    pub(super) fn new(catalog: &ProbeCatalog<'_>, mut is_enabled: impl FnMut(ProbeId) -> bool) -> Spans {
        let mut enabled = Vec::new();
        for (info, kind) in catalog.iter() {
            let Kind::Span(index) = kind else { continue };
            let Some(span) = catalog.span(index).filter(|_| is_enabled(info.id)) else { continue };
            enabled.push(Enabled {
                probe: info.id,
                guid: span.guid,
                name: span.name.clone(),
                is_known: span.def.is_some(),
                start: span.start.clone(),
                end: span.end.clone(),
            });
        }
        let schemas = if enabled.is_empty() { Default::default() } else { catalog.schemas().clone() };
        Spans {
            guids: enabled.iter().map(|span| span.guid).collect(),
            enabled,
            decoder: Decoder::new(schemas),
            pairing: Pairing::new(),
            of_pairs: Vec::new(),
            plans: FxHashMap::default(),
            ended: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Returns `true` if a probe is on spans of a provider or class.
    #[inline]
    pub(super) fn has(&self, guid: &Guid) -> bool {
        !self.guids.is_empty() && self.guids.contains(guid)
    }

    /// The providers and classes of the spans.
    pub(super) fn guids(&self) -> impl Iterator<Item = &Guid> {
        self.guids.iter()
    }

    /// Takes in a record.
    fn observe(&mut self, event: &Event<'_>) {
        let Spans { decoder, pairing, ended, spare, .. } = self;
        let id = decoder.id(event.record);
        pairing.observe(0, event.record, (id, decoder.get(id)), event.who, |span| {
            let mut start = spare.pop().unwrap_or_default();
            start.clear();
            start.extend_from_slice(span.start);
            ended.push(Ended {
                pair: span.pair_number,
                depth: span.depth,
                number: span.number,
                time: span.time,
                cpu: span.cpu,
                reading: span.reading,
                start,
            });
        });
    }

    /// The enabled probe of a pair.
    fn of_pair(&mut self, pair: usize) -> Option<usize> {
        while self.of_pairs.len() <= pair {
            let found = self.pairing.pairs().get(self.of_pairs.len()).and_then(|pair| {
                self.enabled.iter().position(|span| {
                    (span.guid, &*span.name, span.is_known) == (pair.guid, &*pair.name, pair.def.is_some())
                })
            });
            self.of_pairs.push(found);
        }
        self.of_pairs.get(pair).copied().flatten()
    }

    /// The fields of a record as a probe's start or end.
    fn plan(&mut self, at: usize, is_end: bool, record: &Record<'_>) -> Fields {
        let id = self.decoder.id(record);
        let key = (at, is_end, id, record.pointer_size());
        if let Some(fields) = self.plans.get(&key) {
            return fields.clone();
        }
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        let shape = self.enabled.get(at).map(|span| if is_end { &span.end } else { &span.start });
        let known = Knowledge::of(self.decoder.get(id), shape);
        let fields = Fields::resolve(shape, &[], &known, record.pointer_size());
        self.plans.insert(key, fields.clone());
        fields
    }
}

impl Replay<'_> {
    /// Fires the probes on the spans that a record ends.
    pub(super) fn spans(&mut self, spans: &mut Spans, event: &Event<'_>) {
        spans.observe(event);
        while let Some(done) = spans.ended.pop() {
            self.span(spans, &done, event);
            spans.spare.push(done.start);
        }
    }

    fn span(&mut self, spans: &mut Spans, done: &Ended, event: &Event<'_>) {
        let &Event { timeline, at, record, who } = event;
        let Some(found) = spans.of_pair(done.pair) else { return };
        let Some(probe) = spans.enabled.get(found).map(|span| span.probe) else { return };
        let Ok(start) = Record::parse(&done.start, done.cpu) else { return };
        let start = start.read_as(done.reading);
        let fields = [spans.plan(found, false, &start), spans.plan(found, true, record)];
        let [of_start, of_end] = &fields;
        let began = match at.instant {
            Instant::Event(clock, ..) => at.instant.at(clock, done.time),
            Instant::Fixed(time, _) => time,
        };
        let state = &mut self.kept.state;
        state.opened_start.begin(of_start);
        state.start_payload.clear();
        state.start_payload.extend_from_slice(start.payload());
        state.opened.begin(of_end);
        let duration = at.instant.time().saturating_sub(began).max(0) as u64;
        self.fire(timeline, probe, at, who, record.payload(), |host| {
            host.set_prefix(record.id(), record.version(), record.pointer_size());
            host.args = [
                duration,
                began as u64,
                done.depth.into(),
                done.number,
                regions::START.address(0),
                regions::RECORD.address(0),
            ];
        });
        let read = [(&start, self.kept.state.opened_start.read()), (record, self.kept.state.opened.read())];
        for (record, read) in read.into_iter().filter(|(_, read)| *read != Read::Nothing) {
            let kind = (crate::events::event_number(record), record.version());
            self.kept.outcome.undecoded.observe(spans.decoder.format(record), kind, read);
            self.refuse_if_strict();
        }
    }
}
