//! Events by type: how many, and the densest second of each.

use rustc_hash::FxHashMap;
use tracewell_decode::{EventFormat, FormatId};

use crate::slots::{FINEST, Slots};

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
    /// A time in the slot that is counted, and its events so far.
    pub slot: (i64, u64),
}

/// Events by type.
#[derive(Debug, Default)]
pub struct EventTypes {
    /// By number of the format.
    pub types: Vec<EventType>,
    /// Events by slot and number of the format.
    pub slots: Slots<u32>,
    /// When each process wrote the first event of a type: by process, and number of the format.
    pub firsts: FxHashMap<(u32, u32), i64>,
    /// Events whose first one is not known, because there were too many.
    pub beyond: u64,
}

/// Most first events that are kept.
const MOST_FIRSTS: usize = 1 << 14;

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
        if time.div_euclid(FINEST) != one.slot.0.div_euclid(FINEST) {
            if one.slot.1 > 0 {
                self.slots.add(one.slot.0, id.0, one.slot.1);
            }
            one.slot = (time, 0);
        }
        one.slot.1 += 1;
        let second = time.div_euclid(SECOND);
        if second != one.current.0 {
            one.current = (second, 0);
        }
        one.current.1 += 1;
        if one.current.1 > one.densest.0 {
            one.densest = (one.current.1, second * SECOND);
        }
    }

    /// Notes that a process wrote an event.
    pub(crate) fn written(&mut self, process: u32, id: FormatId, time: i64) {
        if self.firsts.len() < MOST_FIRSTS {
            self.firsts.entry((process, id.0)).or_insert(time);
        } else if !self.firsts.contains_key(&(process, id.0)) {
            self.beyond += 1;
        }
    }

    pub(crate) fn finish(&mut self) {
        for (number, one) in (0..).zip(&mut self.types) {
            let (time, count) = std::mem::take(&mut one.slot);
            if count > 0 {
                self.slots.add(time, number, count);
            }
        }
    }

    /// The number of events with that provider and name, of all versions.
    #[must_use]
    pub fn count(&self, provider: &str, name: &str) -> u64 {
        let is = |one: &&EventType| one.provider == provider && one.name == name;
        self.types.iter().filter(is).map(|one| one.count).sum()
    }
}
