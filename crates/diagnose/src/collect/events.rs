//! Events by type: how many, and the densest second of each.

use rustc_hash::FxHashMap;
use tracewell_decode::{EventFormat, FormatId};

use crate::limits::Limits;
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
    pub(crate) limits: Limits,
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
        if self.firsts.len() < self.limits.firsts {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The densest second, the slots and the first events, counted by hand.
    #[test]
    fn issue_23_events_are_counted_by_second_slot_and_process() {
        let mut events = EventTypes::default();
        // A format of nothing, with other names.
        let mut decoder = tracewell_decode::Decoder::new(tracewell_decode::Schemas::new());
        let of = |decoder: &mut tracewell_decode::Decoder, provider: &str, name: &str| {
            let mut format = decoder.get(FormatId(u32::MAX)).clone();
            (format.provider, format.name) = (provider.to_owned().into(), name.to_owned().into());
            format
        };
        let (named, plain) = (of(&mut decoder, "P", "Sale"), of(&mut decoder, "Q", ""));
        let mut seed = 1u64;
        let mut all = Vec::new();
        let mut time = 0;
        for _ in 0..3000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            time += ((seed >> 33) % 9_000_000) as i64;
            let id = (seed >> 60) as u32 % 2 * 2;
            events.add(FormatId(id), if id == 0 { &named } else { &plain }, 77, time);
            events.written((seed >> 50) as u32 % 3, FormatId(id), time);
            all.push((id, (seed >> 50) as u32 % 3, time));
        }
        events.finish();
        for (id, provider, name) in [(0, "P", "Sale"), (2, "Q", "77")] {
            let one = &events.types[id as usize];
            assert_eq!((&*one.provider, &*one.name), (provider, name));
            let times: Vec<i64> = all.iter().filter(|(of, ..)| *of == id).map(|(.., time)| *time).collect();
            assert_eq!((one.count, events.count(provider, name)), (times.len() as u64, times.len() as u64));
            let in_second =
                |second: i64| times.iter().filter(|time| **time / SECOND == second).count() as u64;
            let most = (0..=time / SECOND).map(in_second).max().unwrap();
            let first = (0..=time / SECOND).find(|second| in_second(*second) == most).unwrap();
            assert_eq!(one.densest, (most, first * SECOND));
            for slot in 0..(time / events.slots.length + 1) as u32 {
                let inside = times.iter().filter(|time| events.slots.slot(**time) == slot).count() as u64;
                assert_eq!(events.slots.cells.get(&(slot, id)).copied().unwrap_or(0), inside, "{slot}");
            }
            for process in 0..3 {
                let first =
                    all.iter().find(|(of, by, _)| (*of, *by) == (id, process)).map(|(.., time)| *time);
                assert_eq!(events.firsts.get(&(process, id)).copied(), first);
            }
        }
        assert_eq!((events.count("P", "77"), events.types[1].count, events.beyond), (0, 0, 0));
        let most = events.limits.firsts;
        for process in 3..most as u32 + 5 {
            events.written(process, FormatId(0), 1);
        }
        assert_eq!((events.firsts.len(), events.beyond), (most, 8));
        events.written(3, FormatId(0), 9);
        assert_eq!((events.firsts[&(3, 0)], events.beyond), (1, 8));
    }
}
