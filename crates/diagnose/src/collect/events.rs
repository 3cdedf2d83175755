//! Events by type: how many, and the densest second of each.

use tracewell_decode::{EventFormat, FormatId};

/// A second in nanoseconds.
const SECOND: i64 = 1_000_000_000;

/// The events of a type.
#[derive(Clone, Debug, Default)]
pub struct EventType {
    /// Provider.
    pub provider: String,
    /// Name, or number, of the event.
    pub name: String,
    /// Events.
    pub count: u64,
    /// Most events in a second, and when that second began.
    pub densest: (u64, i64),
    /// The second that is counted, and its events so far.
    pub current: (i64, u64),
}

/// Events by type.
#[derive(Debug, Default)]
pub struct EventTypes {
    /// By number of the format.
    pub types: Vec<EventType>,
}

impl EventTypes {
    pub(crate) fn add(&mut self, id: FormatId, format: &EventFormat, number: u32, time: i64) {
        let at = id.0 as usize;
        if at >= self.types.len() {
            self.types.resize_with(at + 1, EventType::default);
        }
        let Some(one) = self.types.get_mut(at) else { return };
        if one.count == 0 {
            one.provider = format.provider.to_string();
            one.name = match format.name.is_empty() {
                true => number.to_string(),
                false => format.name.to_string(),
            };
            one.current.0 = time.div_euclid(SECOND);
        }
        one.count += 1;
        let second = time.div_euclid(SECOND);
        if second != one.current.0 {
            one.current = (second, 0);
        }
        one.current.1 += 1;
        if one.current.1 > one.densest.0 {
            one.densest = (one.current.1, second * SECOND);
        }
    }

    /// The number of events with that provider and name, of all versions.
    #[must_use]
    pub fn count(&self, provider: &str, name: &str) -> u64 {
        let is = |one: &&EventType| one.provider == provider && one.name == name;
        self.types.iter().filter(is).map(|one| one.count).sum()
    }
}
