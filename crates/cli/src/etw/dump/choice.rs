//! The events that are asked for by provider, name or id, and process.

use std::cell::Cell;

use tracewell_decode::EventFormat;
use tracewell_etl::Record;
use tracewell_types::Guid;

use super::property::number;
use crate::etw::names::{Name, Sort};

/// What is asked for: of each sort any will do, and of a sort of which nothing is asked for all.
pub(super) struct Choice {
    providers: Vec<Wish>,
    events: Vec<Wish>,
    processes: Vec<(u32, Cell<bool>)>,
}

/// One thing that was asked for.
struct Wish {
    text: String,
    what: What,
    /// Whether there was one.
    met: Cell<bool>,
}

enum What {
    Guid(Guid),
    Number(u32),
    /// A name, or a pattern of names.
    Name,
}

impl Choice {
    /// Providers by name or GUID, events by name or number, processes by id.
    pub(super) fn new(providers: &[String], events: &[String], processes: &[u32]) -> Choice {
        let wish = |text: &String, what: Option<What>| Wish {
            text: text.clone(),
            what: what.unwrap_or(What::Name),
            met: Cell::new(false),
        };
        let guid = |text: &String| {
            let bare = text.trim_start_matches('{').trim_end_matches('}');
            Guid::try_parse(bare.as_bytes()).map(What::Guid)
        };
        Choice {
            providers: providers.iter().map(|text| wish(text, guid(text))).collect(),
            events: events.iter().map(|text| wish(text, text.parse().ok().map(What::Number))).collect(),
            processes: processes.iter().map(|pid| (*pid, Cell::new(false))).collect(),
        }
    }

    /// Whether the provider and the event are asked for.
    pub(super) fn has(&self, record: &Record<'_>, format: &EventFormat) -> bool {
        if self.providers.is_empty() && self.events.is_empty() {
            return true;
        }
        let number = number(record);
        let one_of = |wishes: &[Wish], sort: Sort, name: &str| {
            // All that are met are noted.
            let met = wishes.iter().filter(|wish| {
                let met = match &wish.what {
                    What::Guid(guid) => record.guid() == *guid,
                    What::Number(wanted) => *wanted == number,
                    What::Name => Name { sort, text: &wish.text }.is(name),
                };
                if met {
                    wish.met.set(true);
                }
                met
            });
            wishes.is_empty() || met.count() > 0
        };
        one_of(&self.providers, Sort::Provider, &format.provider)
            && one_of(&self.events, Sort::Event, &format.name)
    }

    /// Whether the process is asked for.
    pub(super) fn has_process(&self, pid: Option<u32>) -> bool {
        let found = self.processes.iter().find(|(wanted, _)| pid == Some(*wanted));
        if let Some((_, met)) = found {
            met.set(true);
        }
        self.processes.is_empty() || found.is_some()
    }

    /// The names that providers and events are asked for by.
    pub(super) fn names(&self) -> Vec<Name<'_>> {
        let sorts = [(Sort::Provider, &self.providers), (Sort::Event, &self.events)];
        let wishes = sorts.into_iter().flat_map(|(sort, wishes)| wishes.iter().map(move |wish| (sort, wish)));
        let named = wishes.filter(|(_, wish)| matches!(wish.what, What::Name));
        named.map(|(sort, wish)| Name { sort, text: &wish.text }).collect()
    }

    /// A line for each thing asked for of which there was none.
    pub(super) fn unmet(&self) -> Vec<String> {
        let unmet = |wishes: &[Wish], what: &str| -> Vec<String> {
            let unmet = wishes.iter().filter(|wish| !wish.met.get());
            unmet.map(|wish| format!("no event here is {what} '{}'", wish.text)).collect()
        };
        let mut lines = unmet(&self.providers, "of provider");
        // Of nothing there is nothing further to miss.
        if lines.len() == self.providers.len() && !lines.is_empty() {
            return lines;
        }
        lines.extend(unmet(&self.events, "named or numbered"));
        let processes = self.processes.iter().filter(|(_, met)| !met.get());
        lines.extend(processes.map(|(pid, _)| format!("no event here is of process {pid}")));
        lines
    }
}
