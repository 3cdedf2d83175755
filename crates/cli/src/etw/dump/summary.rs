//! Counts what was not decoded, for the end of the run.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use tracewell_decode::Lack;

use crate::term::{Style, Table};
use tracewell::events::event::Event;
use tracewell::text::{counted, grouped};

/// Counts of events by how far they were decoded.
#[derive(Debug, Default)]
pub(super) struct Summary {
    shown: u64,
    /// By number of the format: events without a description, and described ones with something left over or wrong.
    kinds: FxHashMap<u32, Kind>,
    pub(super) unread_descriptions: u64,
    /// Stacks whose addresses the trace does not hold.
    pub(super) missing_stacks: u64,
}

#[derive(Debug)]
struct Kind {
    provider: String,
    event: String,
    why: Lack,
    count: u64,
}

/// Provider, event and reason, with the number of events.
type Row<'a> = ((&'a str, &'a str, Lack), u64);

/// Most rows shown.
const ROWS: usize = 20;

impl Summary {
    /// Processes an event that was shown, and whether its writer decoded all of it.
    pub(super) fn observe(&mut self, event: &Event<'_>, understood: bool) {
        self.shown += 1;
        // An event without a payload needs no description.
        if understood
            && event.format.inferred.is_none()
            && (event.format.layout.is_some() || event.record.payload().is_empty())
        {
            return;
        }
        let why = match event.format.lack() {
            Some(Lack::ByVersion(_)) => Lack::Version,
            lack => lack.unwrap_or(Lack::Payload),
        };
        let kind = self.kinds.entry(event.id.0).or_insert_with(|| Kind {
            provider: event.format.provider.to_string(),
            event: event.format.name.to_string(),
            why,
            count: 0,
        });
        kind.count += 1;
    }

    /// The text; empty when everything was decoded.
    pub(super) fn text(&self, style: Style) -> String {
        let mut out = String::new();
        if self.unread_descriptions > 0 {
            let what = counted(self.unread_descriptions, "description", "descriptions");
            let _ = writeln!(out, "etw: {what} in the trace could not be used completely");
        }
        if self.missing_stacks > 0 {
            let what = counted(self.missing_stacks, "stack", "stacks");
            let _ = writeln!(out, "etw: the addresses of {what} are not in the trace");
        }
        let mut rows: BTreeMap<(&str, &str, Lack), u64> = BTreeMap::new();
        for kind in self.kinds.values() {
            *rows.entry((&kind.provider, &kind.event, kind.why)).or_default() += kind.count;
        }
        let (inferred, lacking): (Vec<Row<'_>>, Vec<Row<'_>>) =
            rows.into_iter().partition(|((.., why), _)| matches!(why, Lack::Inferred(_)));
        self.table(&mut out, style, "not or only partly decoded", lacking);
        self.table(&mut out, style, "decoded by layouts that were inferred from many payloads", inferred);
        out
    }

    fn table(&self, out: &mut String, style: Style, how: &str, mut rows: Vec<Row<'_>>) {
        if rows.is_empty() {
            return;
        }
        let total: u64 = rows.iter().map(|(_, count)| count).sum();
        let were = if self.shown == 1 { "event was" } else { "events were" };
        let _ = writeln!(out, "etw: {} of {} {were} {how}:", grouped(total), grouped(self.shown));
        rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut table = Table::new(&["provider", "event", ">events", "why"]);
        for ((provider, event, why), count) in rows.iter().take(ROWS) {
            table.row([(*provider).to_owned(), (*event).to_owned(), grouped(*count), why.to_string()]);
        }
        out.push_str(&table.render(style));
        if rows.len() > ROWS {
            let _ = writeln!(out, "and {}", counted((rows.len() - ROWS) as u64, "other kind", "other kinds"));
        }
    }
}
