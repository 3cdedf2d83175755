//! Disk transfers and operations on files.

use rustc_hash::FxHashMap;
use tracewell_schema::kernel::hook;

use crate::ledger::{Ledger, Names, Sums};
use crate::limits::Limits;
use crate::slots::Slots;

/// The direction of a disk transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// From the disk.
    Read,
    /// To the disk.
    Write,
    /// Emptying the disk's cache.
    Flush,
}

/// What a transfer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    /// The process by number.
    pub process: u32,
    /// The disk.
    pub disk: u32,
    /// The direction.
    pub direction: Direction,
    /// The file, a number of [`Disks::files`].
    pub file: u32,
}

/// A page fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fault {
    /// The process by number.
    pub process: u32,
    /// The kind: an event type of `PageFault`.
    pub kind: u8,
    /// The file of a hard fault, a number of [`Disks::files`].
    pub file: u32,
}

impl Fault {
    /// Returns `true` if the page was read from a disk.
    #[must_use]
    pub fn is_hard(&self) -> bool {
        self.kind == hook::PAGE_FAULT_HARD_FAULT as u8
    }
}

/// An operation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure {
    /// The process by number.
    pub process: u32,
    /// The operation: an event type of `FileIo`.
    pub operation: u16,
    /// The status.
    pub status: u32,
}

/// Disk transfers and file operations.
#[derive(Debug, Default)]
pub struct Disks {
    /// Transfers by owner: the amount is bytes, the time from request to answer.
    pub transfers: Ledger<Owner>,
    /// Names of files.
    pub files: Names,
    /// Nanoseconds that a disk was busy, by slot and disk.
    pub busy: Slots<u32>,
    /// Operations on files that ended with an error, by process, operation and status; and when the first did.
    pub failures: FxHashMap<Failure, (u64, i64)>,
    /// Those beyond the limit.
    pub beyond: u64,
    pub(crate) limits: Limits,
    /// Operations on files, and those of them whose end was logged.
    pub operations: u64,
    /// The stretches in which each disk was busy last, not overlapping.
    open: FxHashMap<u32, Vec<(i64, i64)>>,
}

/// Stretches of a disk that may still grow.
const MOST_OPEN: usize = 64;

impl Disks {
    pub(crate) fn transfer(&mut self, owner: Owner, end: i64, bytes: u64, took: i64) {
        self.transfers.add(end, &owner, Sums::one(bytes, took));
        let open = self.open.entry(owner.disk).or_default();
        let mut stretch = (end.saturating_sub(took), end);
        // Ends come in order, so only the last stretches can overlap.
        while let Some(&(from, to)) = open.last().filter(|(_, to)| *to >= stretch.0) {
            stretch = (from.min(stretch.0), to.max(stretch.1));
            open.pop();
        }
        open.push(stretch);
        if open.len() >= MOST_OPEN {
            for (from, to) in open.drain(..MOST_OPEN / 2) {
                self.busy.add_stretch(from, to, owner.disk);
            }
        }
    }

    pub(crate) fn failure(&mut self, failure: Failure, time: i64) {
        if self.failures.len() < self.limits.failures || self.failures.contains_key(&failure) {
            self.failures.entry(failure).or_insert((0, time)).0 += 1;
        } else {
            self.beyond += 1;
        }
    }

    pub(crate) fn finish(&mut self) {
        let mut open: Vec<_> = std::mem::take(&mut self.open).into_iter().collect();
        open.sort_unstable_by_key(|(disk, _)| *disk);
        for (disk, stretches) in open {
            for (from, to) in stretches {
                self.busy.add_stretch(from, to, disk);
            }
        }
    }

    /// Nanoseconds that a disk was busy.
    #[must_use]
    pub fn busy_of(&self, disk: u32) -> u64 {
        self.busy.total_by(|_| true, |disk| disk).get(&disk).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_busy_once_at_a_time() {
        let mut disks = Disks::default();
        let owner = Owner { process: 0, disk: 3, direction: Direction::Read, file: 0 };
        for (end, took) in [(10, 5), (12, 4), (20, 3), (21, 14)] {
            disks.transfer(owner, end, 512, took);
        }
        disks.finish();
        // From 5 to 21: the last one covers all gaps.
        assert_eq!(disks.busy_of(3), 16);
        assert_eq!(disks.transfers.total(|_| true), Sums { count: 4, amount: 2048, took: 26, longest: 14 });
    }
}
