//! Which rows a scan has.

use std::fmt;

use tracewell_etl::{Clock, Record};
use tracewell_types::Guid;

/// A selection of rows: all of the conditions hold. A condition that lists values holds for rows with one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The first time, in nanoseconds since 1970.
    pub from: Option<i64>,
    /// The time after the last.
    pub until: Option<i64>,
    /// GUIDs of providers, event classes and messages.
    pub guids: Option<Vec<Guid>>,
    /// Numbers of events: see the column `id`.
    pub ids: Option<Vec<u32>>,
    /// Names of providers.
    pub providers: Option<Vec<String>>,
    /// Names of events.
    pub events: Option<Vec<String>>,
    /// Process ids in headers.
    pub header_pids: Option<Vec<u32>>,
    /// Process ids.
    pub pids: Option<Vec<u32>>,
}

/// The conditions, as they are shown in a plan.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: fmt::Display>(name: &str, values: &Option<Vec<T>>) -> Option<String> {
            let values: Vec<String> = values.as_ref()?.iter().map(ToString::to_string).collect();
            Some(format!("{name} in ({})", values.join(", ")))
        }
        let conditions = [
            self.from.map(|ns| format!("time >= {ns}")),
            self.until.map(|ns| format!("time < {ns}")),
            list("provider", &self.providers),
            list("guid", &self.guids),
            list("event", &self.events),
            list("id", &self.ids),
            list("header_pid", &self.header_pids),
            list("pid", &self.pids),
        ];
        f.write_str(&conditions.into_iter().flatten().collect::<Vec<_>>().join(" and "))
    }
}

impl Filter {
    /// Returns `true` if it selects by names, for which the descriptions of events are needed.
    #[must_use]
    pub fn has_names(&self) -> bool {
        self.providers.is_some() || self.events.is_some()
    }

    /// Returns `true` if it selects by the process that ran.
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.pids.is_some()
    }

    /// The raw times of a clock that it selects: from the first to before the second. [`None`] if it selects all.
    pub(crate) fn raw(&self, clock: &Clock) -> Option<(i64, i64)> {
        if self.from.is_none() && self.until.is_none() {
            return None;
        }
        let raw = |time: Option<i64>, all: i64| time.map_or(all, |time| clock.raw_at(time));
        Some((raw(self.from, i64::MIN), raw(self.until, i64::MAX)))
    }

    /// Returns `true` if it selects by GUID, id or the process in the header.
    pub(crate) fn has_header(&self) -> bool {
        self.guids.is_some() || self.ids.is_some() || self.header_pids.is_some()
    }

    /// Returns `true` for a record whose header meets the conditions, except that of the time.
    pub(crate) fn takes_header(&self, record: &Record<'_>) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&tracewell::filter::names::event_number(record)))
            && self
                .header_pids
                .as_ref()
                .is_none_or(|pids| record.pid().is_some_and(|pid| pids.contains(&pid)))
            && self.guids.as_ref().is_none_or(|guids| {
                tracewell::filter::names::guid_of(record).is_some_and(|guid| guids.contains(&guid))
            })
    }

    /// Returns `true` if names of a provider and an event are selected.
    pub(crate) fn takes_names(&self, provider: &str, event: &str) -> bool {
        let has = |names: &Option<Vec<String>>, name: &str| {
            names.as_ref().is_none_or(|names| names.iter().any(|one| one == name))
        };
        has(&self.providers, provider) && has(&self.events, event)
    }

    /// Returns `true` if a process is selected.
    pub(crate) fn takes_process(&self, pid: Option<u32>) -> bool {
        self.pids.as_ref().is_none_or(|pids| pid.is_some_and(|pid| pids.contains(&pid)))
    }
}
