//! The events that are asked for by provider, name or id, and process.

use std::cell::Cell;

use rustc_hash::FxHashMap;
use tracewell_decode::{EventFormat, FormatId};
use tracewell_etl::Record;

use crate::filter::names::{Name, Wish};

/// The selection of events: any item of each sort matches; a sort without items matches all.
#[derive(Debug)]
pub struct Choice<'o> {
    providers: Wishes<'o>,
    events: Wishes<'o>,
    processes: Vec<(u32, Cell<bool>)>,
}

/// Things of one sort that are asked for.
#[derive(Debug)]
struct Wishes<'o> {
    all: Vec<(&'o str, Wish<'o>)>,
    /// Which of them there were.
    met: Vec<bool>,
    /// Whether events of a format have one of the names.
    named: FxHashMap<FormatId, bool>,
}

impl<'o> Wishes<'o> {
    fn new(texts: &'o [String], wish: fn(&'o str) -> Wish<'o>) -> Wishes<'o> {
        let all: Vec<_> = texts.iter().map(|text| (&**text, wish(text))).collect();
        Wishes { met: vec![false; all.len()], all, named: FxHashMap::default() }
    }

    /// Returns `true` if a record is one of those that are asked for.
    fn has(&mut self, record: &Record<'_>, format: &EventFormat, id: FormatId) -> bool {
        if self.all.is_empty() {
            return true;
        }
        if self.named.len() >= Wish::MOST_FORMATS {
            self.named.clear();
        }
        let Wishes { all, met, named } = self;
        // All that are met are noted.
        let mut one_of = |by_name: bool| {
            let some =
                all.iter().zip(met.iter_mut()).filter(|((_, wish), _)| wish.name().is_some() == by_name);
            let found = some.filter(|((_, wish), _)| wish.is_met(record, format));
            found.map(|(_, met)| *met = true).count() > 0
        };
        let by_name = *named.entry(id).or_insert_with(|| one_of(true));
        one_of(false) || by_name
    }

    fn unmet(&self) -> impl Iterator<Item = &str> {
        self.all.iter().zip(&self.met).filter(|(_, met)| !**met).map(|((text, _), _)| *text)
    }
}

impl<'o> Choice<'o> {
    /// Providers by name or GUID, events by name or number, processes by id.
    pub fn new(providers: &'o [String], events: &'o [String], processes: &[u32]) -> Choice<'o> {
        Choice {
            providers: Wishes::new(providers, Wish::provider),
            events: Wishes::new(events, Wish::event),
            processes: processes.iter().map(|pid| (*pid, Cell::new(false))).collect(),
        }
    }

    /// Returns `true` if the provider and the event are asked for.
    pub fn has(&mut self, record: &Record<'_>, format: &EventFormat, id: FormatId) -> bool {
        self.providers.has(record, format, id) && self.events.has(record, format, id)
    }

    /// Returns `true` if the process is asked for.
    pub fn has_process(&self, pid: Option<u32>) -> bool {
        let found = self.processes.iter().find(|(wanted, _)| pid == Some(*wanted));
        if let Some((_, met)) = found {
            met.set(true);
        }
        self.processes.is_empty() || found.is_some()
    }

    /// The names that providers and events are asked for by.
    #[must_use]
    pub fn names(&self) -> Vec<Name<'o>> {
        let wishes = self.providers.all.iter().chain(&self.events.all);
        wishes.filter_map(|(_, wish)| wish.name()).collect()
    }

    /// A line for each thing asked for of which there was none.
    #[must_use]
    pub fn unmet(&self) -> Vec<String> {
        let described = |wishes: &Wishes<'_>, what: &str| -> Vec<String> {
            wishes.unmet().map(|text| format!("no event here is {what} '{text}'")).collect()
        };
        let mut lines = described(&self.providers, "of provider");
        // Of nothing there is nothing further to miss.
        if lines.len() == self.providers.all.len() && !lines.is_empty() {
            return lines;
        }
        lines.extend(described(&self.events, "named or numbered"));
        let processes = self.processes.iter().filter(|(_, met)| !met.get());
        lines.extend(processes.map(|(pid, _)| format!("no event here belongs to process {pid}")));
        lines
    }
}
