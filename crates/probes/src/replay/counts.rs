//! How often each probe can fire over traces: counted without running anything.

use rustc_hash::FxHashMap;
use tracewell_decode::Decoder;
use tracewell_dlang::program::ProbeId;
use tracewell_etl::read::Wanted;
use tracewell_etl::{Identity, Trace};
use tracewell_schema::{kernel, providers};
use tracewell_state::Who;
use tracewell_state::pairs::Pairing;
use tracewell_types::Guid;

use super::dispatch::SAMPLED;
use super::typed::TypedEvents;
use crate::calls::{CallEnd, call_of};
use crate::catalog::{Diag, Kind, ProbeCatalog};
use crate::timer::Family;

/// Events of traces by what they are.
#[derive(Debug)]
pub struct EventCounts {
    hooks: Box<[u64; 1 << 16]>,
    classes: FxHashMap<(Guid, u8), u64>,
    events: FxHashMap<(Guid, u16), u64>,
    /// Trace messages, and what else bears a GUID.
    messages: FxHashMap<Guid, u64>,
    keywords: FxHashMap<(Guid, u64), u64>,
    /// Firings of the probes on single events.
    named: FxHashMap<ProbeId, u64>,
    /// Spans of providers' events, by the name of their pair.
    spans: FxHashMap<(Guid, String), u64>,
    /// System calls by name, and whether they return.
    calls: FxHashMap<(String, bool), u64>,
    total: u64,
}

impl EventCounts {
    /// Counts every record.
    #[must_use]
    pub fn of(traces: &[Trace<'_>], catalog: &ProbeCatalog<'_>) -> EventCounts {
        let mut typed = TypedEvents::new(catalog, |_| true, &[]);
        let mut counts = EventCounts {
            hooks: Box::new([0; 1 << 16]),
            classes: FxHashMap::default(),
            events: FxHashMap::default(),
            messages: FxHashMap::default(),
            keywords: FxHashMap::default(),
            named: FxHashMap::default(),
            spans: spans_of(traces, catalog),
            calls: FxHashMap::default(),
            total: 0,
        };
        let named = catalog.iter().any(|(_, kind)| matches!(kind, Kind::Call(..)));
        for trace in traces {
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                counts.total += 1;
                if record.hook().is_none() && typed.has(&record.guid()) {
                    for planned in &*typed.plan(&record) {
                        *counts.named.entry(planned.probe).or_default() += 1;
                    }
                }
                match record.identity() {
                    Identity::Kernel { group, opcode } => {
                        if named && let Some(call) = call_of(&record) {
                            *counts.calls.entry(call).or_default() += 1;
                        }
                        counts.hooks[usize::from(group) << 8 | usize::from(opcode)] += 1;
                    }
                    Identity::Class { guid, opcode } => {
                        *counts.classes.entry((guid, opcode)).or_default() += 1
                    }
                    Identity::Provider { guid, id, .. } => {
                        *counts.events.entry((guid, id)).or_default() += 1;
                        *counts.keywords.entry((guid, record.keyword())).or_default() += 1;
                    }
                    Identity::Message { .. } | Identity::Other(_) => {
                        *counts.messages.entry(record.guid()).or_default() += 1;
                    }
                }
            }
        }
        counts
    }

    fn class(&self, name: &str, opcode: u8) -> u64 {
        let Some(class) = kernel::class(name) else {
            let guid = providers::guid(name);
            return guid.and_then(|guid| self.events.get(&(guid, opcode.into()))).copied().unwrap_or(0);
        };
        let hooks: u64 = (0..=u8::MAX)
            .filter(|&group| kernel::by_hook(group, opcode).is_some_and(|c| c.guid == class.guid))
            .map(|group| self.hooks[usize::from(group) << 8 | usize::from(opcode)])
            .sum();
        hooks + self.classes.get(&(class.guid, opcode)).copied().unwrap_or(0)
    }

    /// How often a probe fires; [`None`] if that does not depend on events.
    #[must_use]
    pub fn probe(&self, catalog: &ProbeCatalog<'_>, id: ProbeId) -> Option<u64> {
        match catalog.kind(id)? {
            Kind::Begin | Kind::End | Kind::Error => None,
            Kind::Timer(timer) => {
                (timer.family == Family::Sample).then(|| self.class("PerfInfo", SAMPLED as u8))
            }
            Kind::Fixed(def) => Some(def.opcodes.iter().map(|&opcode| self.class(def.class, opcode)).sum()),
            Kind::Events(guid) => {
                let events = self.events.iter().filter(|((g, _), _)| *g == guid).map(|(_, n)| n);
                let classes = self.classes.iter().filter(|((g, _), _)| *g == guid).map(|(_, n)| n);
                Some(events.chain(classes).chain(self.messages.get(&guid)).sum())
            }
            Kind::Class(class, opcode) => Some(self.class(class, opcode)),
            Kind::Keyword(guid, mask) => {
                let of = self.keywords.iter().filter(|((g, keyword), _)| *g == guid && keyword & mask != 0);
                Some(of.map(|(_, n)| n).sum())
            }
            Kind::Event(_) => Some(self.named.get(&id).copied().unwrap_or(0)),
            Kind::Span(index) => {
                let span = catalog.span(index)?;
                match span.def.filter(|def| !def.class.is_empty()) {
                    // Who ran on a processor is not known here.
                    Some(def) => {
                        let count =
                            |types: &[u16]| types.iter().map(|t| self.class(def.class, *t as u8)).sum();
                        let (starts, ends): (u64, u64) = (count(def.starts), count(def.ends));
                        (starts == 0 || ends == 0).then_some(0)
                    }
                    None => Some(self.spans.get(&(span.guid, span.name.clone())).copied().unwrap_or(0)),
                }
            }
            // How calls ended is not known here.
            Kind::Call(_, CallEnd::Succeeds | CallEnd::Fails) => None,
            Kind::Call(..) if !catalog.call_functions().is_empty() => None,
            Kind::Call(index, end) => Some(
                catalog
                    .call(index)
                    .and_then(|name| self.calls.get(&(name.to_owned(), end.returns())))
                    .copied()
                    .unwrap_or(0),
            ),
            Kind::Alias(_) | Kind::PmcSample(_) | Kind::PmcOf(..) => None,
            Kind::CaptureState(_) => Some(0),
            Kind::Diag(Diag::Events) => Some(self.total),
            Kind::Diag(Diag::LostEvent) => Some(self.class("Lost_Event", 32)),
            Kind::Function(_) | Kind::Diag(_) => None,
        }
    }
}

/// The number of spans of providers' events: their headers name process and thread.
fn spans_of(traces: &[Trace<'_>], catalog: &ProbeCatalog<'_>) -> FxHashMap<(Guid, String), u64> {
    let mut counts = FxHashMap::default();
    if !catalog.iter().any(|(_, kind)| matches!(kind, Kind::Span(_))) {
        return counts;
    }
    let mut wanted = Wanted::nothing();
    (wanted.events, wanted.classes, wanted.others) = (true, true, true);
    for trace in traces {
        let mut decoder = Decoder::new(catalog.schemas().clone());
        let mut pairing = Pairing::new();
        let mut records = trace.by_time().only(wanted.clone());
        while let Some(record) = records.next() {
            if record.hook().is_some() {
                continue;
            }
            let who = Who { pid: record.pid(), tid: record.tid(), ..Who::default() };
            let id = decoder.id(&record);
            pairing.observe(0, &record, (id, decoder.get(id)), who, |_| ());
        }
        for pair in pairing.pairs() {
            *counts.entry((pair.guid, pair.name.to_string())).or_default() += pair.counts.spans;
        }
    }
    counts
}
