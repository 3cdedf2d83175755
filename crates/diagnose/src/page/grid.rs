//! The slots of the page: those of every table are parts of them.

use rustc_hash::FxHashMap;

use crate::activity::Activity;
use crate::slots::{FINEST, Slots, Sum};

/// Most slots of the ruler.
const MOST_SLOTS: i64 = 400;

/// Equal parts of the time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Length of a slot in nanoseconds.
    pub(super) length: i64,
    /// Number of slots.
    pub(super) slots: i64,
}

impl Grid {
    /// The finest grid that has few enough slots and covers the slots of everything that was collected.
    pub(super) fn of(activity: &Activity<'_>) -> Grid {
        let collected = &activity.collected;
        let (_, last) = collected.extent.unwrap_or_default();
        let lengths = [
            collected.cpu.slots.length,
            collected.cpu.aways.short.length,
            collected.samples.slots.length,
            collected.disks.transfers.cells.length,
            collected.faults.cells.length,
            collected.network.cells.length,
            collected.clr.allocated.cells.length,
            collected.clr.compiled.cells.length,
            collected.clr.thrown.cells.length,
            collected.events.slots.length,
        ];
        let mut length = lengths.into_iter().max().unwrap_or(FINEST);
        while last / length >= MOST_SLOTS {
            length = length.saturating_mul(2);
        }
        Grid { length, slots: last.max(0) / length + 1 }
    }

    /// The slot of a time.
    pub(super) fn slot(&self, time: i64) -> i64 {
        (time / self.length).clamp(0, self.slots - 1)
    }

    /// Sums of finer slots by slot of the page and another key, in order.
    pub(super) fn cells<K, T, V>(&self, finer: &Slots<K, V>, key: impl Fn(K) -> T) -> Vec<((i64, T), V)>
    where
        K: Copy + Eq + std::hash::Hash,
        T: Copy + Eq + Ord + std::hash::Hash,
        V: Sum,
    {
        let mut sums: FxHashMap<(i64, T), V> = FxHashMap::default();
        for ((slot, of), number) in &finer.cells {
            let at = self.slot(i64::from(*slot).saturating_mul(finer.length));
            sums.entry((at, key(*of))).or_default().absorb(*number);
        }
        let mut rows: Vec<_> = sums.into_iter().collect();
        rows.sort_unstable_by_key(|(at, _)| *at);
        rows
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use tracewell::open::TraceFile;
    use tracewell_corpus::Random;

    use super::*;

    #[test]
    fn issue_23_slots_are_parts_of_the_time() {
        let grid = Grid { length: 10, slots: 4 };
        for (time, slot) in [(-1, 0), (0, 0), (9, 0), (10, 1), (39, 3), (40, 3), (i64::MAX, 3), (i64::MIN, 0)]
        {
            assert_eq!(grid.slot(time), slot, "{time}");
        }
    }

    #[test]
    fn issue_23_sums_of_finer_slots_are_those_of_a_plain_model() {
        let mut random = Random(23);
        let mut finer: Slots<u32> = Slots::default();
        let grid = Grid { length: 4 * finer.length, slots: 5 };
        let mut model: BTreeMap<(i64, u32), u64> = BTreeMap::new();
        for _ in 0..500 {
            // Some are beyond the last slot.
            let (slot, key, number) = (random.below(24) as u32, random.below(6) as u32, random.below(9));
            *finer.cells.entry((slot, key)).or_default() += number;
            *model.entry((i64::from(slot / 4).min(4), key % 3)).or_default() += number;
        }
        assert_eq!(grid.cells(&finer, |key| key % 3), model.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn issue_23_a_grid_has_few_slots_that_cover_the_trace() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl");
        let file = TraceFile::open(&sample).expect("the trace opens");
        let trace = file.trace().expect("it is a trace");
        let mut activity = Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
        for (last, longest, expected) in [
            (0, FINEST, (FINEST, 1)),
            (400 * FINEST - 1, FINEST, (FINEST, 400)),
            (400 * FINEST, FINEST, (2 * FINEST, 201)),
            (3200 * FINEST - 1, FINEST, (8 * FINEST, 400)),
            (9 * FINEST, 8 * FINEST, (8 * FINEST, 2)),
            (-1, FINEST, (FINEST, 1)),
        ] {
            activity.collected.extent = Some((0, last));
            // Each of these may have the longest slots.
            for which in 0..10 {
                let collected = &mut activity.collected;
                let lengths = [
                    &mut collected.cpu.slots.length,
                    &mut collected.cpu.aways.short.length,
                    &mut collected.samples.slots.length,
                    &mut collected.disks.transfers.cells.length,
                    &mut collected.faults.cells.length,
                    &mut collected.network.cells.length,
                    &mut collected.clr.allocated.cells.length,
                    &mut collected.clr.compiled.cells.length,
                    &mut collected.clr.thrown.cells.length,
                    &mut collected.events.slots.length,
                ];
                for (at, length) in lengths.into_iter().enumerate() {
                    *length = if at == which { longest } else { FINEST };
                }
                let grid = Grid::of(&activity);
                assert_eq!((grid.length, grid.slots), expected, "{last} {longest} {which}");
            }
        }
    }
}
