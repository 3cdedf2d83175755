//! Numbers by slots of time: few enough to hold, however long the trace is.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Length of a slot at first, in nanoseconds. Slots only double, so that slots of one kind lie inside those of another.
pub(crate) const FINEST: i64 = 20_000_000;
/// Most slots and most cells; beyond either, two slots become one.
const MOST_SLOTS: u32 = 2048;
const MOST_CELLS: usize = 1 << 19;

/// Something that can be summed.
pub trait Sum: Copy + Default {
    /// Adds another one.
    fn absorb(&mut self, other: Self);
}

impl Sum for u64 {
    fn absorb(&mut self, other: u64) {
        *self = self.saturating_add(other);
    }
}

/// Sums by slot of time and key.
#[derive(Clone, Debug)]
pub struct Slots<K, V = u64> {
    /// Length of a slot in nanoseconds: a power of two times 20 ms.
    pub length: i64,
    /// The sums.
    pub cells: FxHashMap<(u32, K), V>,
}

impl<K, V> Default for Slots<K, V> {
    fn default() -> Slots<K, V> {
        Slots { length: FINEST, cells: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> Slots<K> {
    /// Adds a stretch of time, to each slot the part of it inside.
    pub(crate) fn add_stretch(&mut self, from: i64, to: i64, key: K) {
        let mut at = from.max(0);
        while at < to {
            let end = (at / self.length).saturating_add(1).saturating_mul(self.length).min(to);
            let length = self.length;
            self.add(at, key, (end - at) as u64);
            // Coarser slots end later: the rest of the stretch is then longer than needed, and still right.
            debug_assert!(length <= self.length);
            at = end;
        }
    }
}

impl<K: Copy + Eq + Hash, V: Sum> Slots<K, V> {
    /// The slot of a time.
    #[must_use]
    pub fn slot(&self, time: i64) -> u32 {
        u32::try_from(time.max(0) / self.length).unwrap_or(u32::MAX)
    }

    /// Adds a number at a time.
    pub(crate) fn add(&mut self, time: i64, key: K, number: V) {
        let mut slot = self.slot(time);
        while slot >= MOST_SLOTS {
            self.coarsen();
            slot = self.slot(time);
        }
        self.cells.entry((slot, key)).or_default().absorb(number);
        if self.cells.len() > MOST_CELLS && self.length < i64::MAX / 4 {
            self.coarsen();
        }
    }

    fn coarsen(&mut self) {
        self.length = self.length.saturating_mul(2);
        let cells = std::mem::take(&mut self.cells);
        for ((slot, key), number) in cells {
            self.cells.entry((slot / 2, key)).or_default().absorb(number);
        }
    }

    /// The sums by another key, of the slots in a range.
    pub fn total_by<T: Eq + Hash>(
        &self,
        within: impl Fn(u32) -> bool,
        by: impl Fn(K) -> T,
    ) -> FxHashMap<T, V> {
        let mut sums: FxHashMap<T, V> = FxHashMap::default();
        for ((slot, key), number) in &self.cells {
            if within(*slot) {
                sums.entry(by(*key)).or_default().absorb(*number);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_whole_however_coarse_the_slots_become() {
        let mut slots: Slots<u32> = Slots::default();
        let hour = 3_600_000_000_000;
        slots.add_stretch(0, hour, 1);
        slots.add_stretch(hour / 3, hour / 2, 2);
        slots.add(hour, 3, 7);
        let sums = slots.total_by(|_| true, |key| key);
        assert_eq!(sums[&1], hour as u64);
        assert_eq!(sums[&2], (hour / 2 - hour / 3) as u64);
        assert_eq!(sums[&3], 7);
        assert!(slots.slot(hour) < MOST_SLOTS && slots.length > FINEST);
    }

    /// However stretches lie to each other, each slot has what it would have had if its length had been known.
    #[test]
    fn issue_23_each_slot_has_the_part_of_a_stretch_inside() {
        let mut seed = 3u64;
        let mut next = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) as i64) % below
        };
        for end in
            [FINEST, 7 * FINEST, i64::from(MOST_SLOTS) * FINEST, 3 * i64::from(MOST_SLOTS) * FINEST + 1]
        {
            let mut slots: Slots<u8> = Slots::default();
            let mut all = Vec::new();
            for _ in 0..12 {
                let from = next(end) - FINEST / 2;
                let to = from + next(end / 4 + 2 * FINEST);
                let key = next(3) as u8;
                slots.add_stretch(from, to, key);
                all.push((from.max(0), to, key));
            }
            let mut expected: FxHashMap<(u32, u8), u64> = FxHashMap::default();
            for (from, to, key) in all {
                for slot in 0..MOST_SLOTS {
                    let begin = i64::from(slot) * slots.length;
                    let inside = to.min(begin + slots.length) - from.max(begin);
                    if inside > 0 {
                        *expected.entry((slot, key)).or_default() += inside as u64;
                    }
                }
            }
            assert_eq!(slots.cells, expected, "{end}");
            assert!(slots.length % FINEST == 0 && (slots.length / FINEST).count_ones() == 1);
            let of = |slot: u32| slot.is_multiple_of(2);
            let by_hand: u64 = expected.iter().filter(|((slot, _), _)| of(*slot)).map(|(_, sum)| *sum).sum();
            assert_eq!(slots.total_by(of, |_| ()).get(&()).copied().unwrap_or(0), by_hand);
        }
        let slots: Slots<u8> = Slots::default();
        assert_eq!([-5, 0, FINEST - 1, FINEST].map(|time| slots.slot(time)), [0, 0, 0, 1]);
        let mut full: Slots<u8> = Slots::default();
        full.add(i64::from(MOST_SLOTS) * FINEST - 1, 0, 1);
        assert_eq!(full.length, FINEST);
        full.add(i64::from(MOST_SLOTS) * FINEST, 0, 1);
        assert_eq!((full.length, full.cells.len()), (2 * FINEST, 2));
    }

    #[test]
    fn issue_23_more_cells_than_are_held_become_coarser() {
        let mut slots: Slots<u32> = Slots::default();
        let keys = MOST_CELLS as u32 / 2;
        for key in 0..keys {
            slots.add(0, key, 1);
            slots.add(FINEST, key, 1);
        }
        assert_eq!((slots.cells.len(), slots.length), (MOST_CELLS, FINEST));
        slots.add(0, keys, 1);
        assert_eq!((slots.cells.len(), slots.length), (keys as usize + 1, 2 * FINEST));
        assert!(
            slots.cells.iter().all(|((slot, key), sum)| (*slot, *sum) == (0, 1 + u64::from(*key < keys)))
        );
    }
}
