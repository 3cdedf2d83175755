//! The probes at the ends of spans: one for each known pair of events, and one for each pair that descriptions name.

use tracewell_dlang::catalog::ProbeArg;
use tracewell_dlang::program::ProbeId;
use tracewell_schema::{Version, kernel};
use tracewell_state::pairs::{PAIRS, PairDef, Side};
use tracewell_types::Guid;

use super::{Kind, ProbeCatalog};
use crate::events::{EventKind, KERNEL, SpanDef, event_part};
use crate::shape::Shape;

/// The function of the probes at the ends of spans.
pub(super) const SPAN: &str = "span";

/// The arguments that hold the records of the start and of the end.
const START_ARGUMENT: u8 = 4;
const END_ARGUMENT: u8 = 5;

impl ProbeCatalog<'_> {
    /// The span of [`Kind::Span`].
    pub(crate) fn span(&self, index: u32) -> Option<&SpanDef> {
        self.spans.get(index as usize)
    }

    /// The declaration of the records that a probe at the end of a span shows.
    pub(super) fn span_declaration(&self, id: ProbeId) -> Option<(String, String)> {
        let Kind::Span(index) = self.kind(id)? else { return None };
        let span = self.span(index)?;
        let [start, end] = &span.names;
        let text = format!("{}{}", span.start.d_text(start), span.end.d_text(end));
        Some((start.clone(), text))
    }

    /// Adds the probes on the spans of the kernel's own events.
    pub(super) fn add_kernel_spans(&mut self) {
        for def in PAIRS {
            let Some(class) = kernel::class(def.class) else { continue };
            let shape = |types: &[u16]| {
                let events = types.iter().filter_map(|&opcode| class.event_by_opcode(opcode as u8));
                let versions: Vec<&Version> = events.flat_map(|event| event.versions).collect();
                Shape::new(versions.into_iter())
            };
            self.add_span(KERNEL, def.guid, def.name, Some(def), [shape(def.starts), shape(def.ends)]);
        }
    }

    /// Adds the probes on the spans of a provider's events.
    pub(super) fn add_provider_spans(&mut self, provider: &str, guid: Guid, kinds: &[EventKind]) {
        let shape_of = |of: &dyn Fn(&EventKind) -> bool| {
            let kinds: Vec<&EventKind> = kinds.iter().filter(|kind| kind.guid == guid && of(kind)).collect();
            let layouts: Vec<&Version> = kinds.iter().rev().filter_map(|kind| kind.layout.as_ref()).collect();
            (!kinds.is_empty(), Shape::new(layouts.into_iter()))
        };
        for def in PAIRS.iter().filter(|def| def.guid == guid && def.class.is_empty()) {
            let (_, start) = shape_of(&|kind| def.starts.contains(&kind.id));
            let (_, end) = shape_of(&|kind| def.ends.contains(&kind.id));
            self.add_span(provider, guid, def.name, Some(def), [start, end]);
        }
        let mut names: Vec<&str> = Vec::new();
        let of_provider = kinds.iter().filter(|kind| kind.guid == guid);
        for (side, name) in of_provider.filter_map(|kind| kind.span.as_ref()) {
            if *side == Side::Start && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        for name in names {
            let is = |kind: &EventKind, side| {
                kind.span.as_ref().is_some_and(|span| span.0 == side && span.1 == name)
            };
            let (_, start) = shape_of(&|kind| is(kind, Side::Start));
            let (ends, end) = shape_of(&|kind| is(kind, Side::End));
            if ends {
                self.add_span(provider, guid, name, None, [start, end]);
            }
        }
    }

    fn add_span(
        &mut self,
        provider: &str,
        guid: Guid,
        name: &str,
        def: Option<&'static PairDef>,
        shapes: [Shape; 2],
    ) {
        let part = event_part(name);
        let [start, end] = shapes;
        // A name for each, even if both have the same fields: a program declares them together.
        let own = |end| self.structs.own(provider, &format!("{SPAN}_{part}_{end}"));
        let names = ["start", "end"].map(own);
        let plain = |from| ProbeArg {
            native: "uint64_t".to_owned(),
            translated: None,
            from,
            offset: 0,
            payload: None,
        };
        let record = |name: &str, from| ProbeArg { native: format!("{name}_t *"), ..plain(from) };
        let args =
            vec![plain(0), plain(1), record(&names[0], START_ARGUMENT), record(&names[1], END_ARGUMENT)];
        let index = self.spans.len() as u32;
        self.spans.push(SpanDef { guid, name: name.to_owned(), def, start, end, names });
        self.add((provider, "", SPAN, &part), args, Kind::Span(index));
    }
}
