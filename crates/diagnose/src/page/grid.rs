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
