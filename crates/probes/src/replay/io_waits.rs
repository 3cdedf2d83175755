//! Waits of threads for transfers that they asked for: `io:::wait-start` and `io:::wait-done`.

use rustc_hash::FxHashMap;
use tracewell_dengine::Engine;

use crate::catalog::{Kind, ProbeCatalog};
use crate::native;
use crate::table::Fire;

/// Maximum number of transfers under way, and of threads, so that memory stays bounded.
const MOST: usize = 1 << 16;

/// The transfers that are under way, and who waits for one: a thread that goes to wait, while the last transfer that it asked for is
/// not done.
#[derive(Debug, Default)]
pub(super) struct IoWaits {
    /// By request packet.
    pending: FxHashMap<u64, native::Disk>,
    /// The last request of each thread.
    last: FxHashMap<u32, u64>,
    /// What threads wait for.
    waiting: FxHashMap<u32, native::Disk>,
    /// At the switch that is being looked at: what the thread that goes waits for, and what the one that comes waited for.
    pub(super) goes: Option<native::Disk>,
    pub(super) comes: Option<native::Disk>,
}

impl IoWaits {
    /// Those that a program asks for.
    pub(super) fn of(engine: &Engine, catalog: &ProbeCatalog<'_>) -> Option<IoWaits> {
        let asks = |kind| matches!(kind, Kind::Fixed(def) if matches!(def.fire, Fire::IoWait { .. }));
        let mut enabled = catalog.iter().filter(|(info, _)| engine.is_enabled(info.id));
        enabled.any(|(_, kind)| asks(kind)).then(IoWaits::default)
    }

    /// A transfer is asked for.
    pub(super) fn begins(&mut self, disk: native::Disk) {
        if self.pending.len() >= MOST || self.last.len() >= MOST {
            self.pending.clear();
            self.last.clear();
        }
        self.last.insert(disk.tid, disk.irp);
        self.pending.insert(disk.irp, disk);
    }

    /// It is done.
    pub(super) fn ends(&mut self, disk: native::Disk) {
        let Some(begun) = self.pending.remove(&disk.irp) else { return };
        if let Some(waiting) = self.waiting.get_mut(&begun.tid).filter(|waiting| waiting.irp == disk.irp) {
            *waiting = native::Disk { tid: begun.tid, ..disk };
        }
    }

    /// A processor goes from one thread, which may wait, to another.
    pub(super) fn switches(&mut self, old: u32, waits: bool, new: u32) {
        self.comes = self.waiting.remove(&new);
        let last = self.last.get(&old).and_then(|irp| self.pending.get(irp)).copied();
        self.goes = last.filter(|disk| waits && disk.tid == old);
        if let Some(disk) = self.goes {
            // Threads that ended while they waited are among them.
            if self.waiting.len() >= MOST {
                self.waiting.clear();
            }
            self.waiting.insert(old, disk);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_19_a_thread_waits_for_its_last_transfer_while_that_is_not_done() {
        let disk = |irp, tid, size| native::Disk { irp, tid, size, ..native::Disk::default() };
        let of = |disk: Option<native::Disk>| disk.map(|disk| (disk.irp, disk.size));
        let mut waits = IoWaits::default();
        waits.begins(disk(1, 7, 0));
        waits.begins(disk(2, 7, 0));
        waits.begins(disk(3, 8, 0));
        // It is preempted, then it waits, and comes back when the transfer is done.
        waits.switches(7, false, 9);
        assert_eq!((of(waits.goes), of(waits.comes)), (None, None));
        waits.switches(7, true, 9);
        assert_eq!((of(waits.goes), of(waits.comes)), (Some((2, 0)), None));
        waits.ends(disk(3, 0, 5));
        waits.ends(disk(2, 0, 4096));
        waits.switches(9, true, 7);
        assert_eq!((of(waits.goes), of(waits.comes)), (None, Some((2, 4096))));
        // Nothing of it is under way any more.
        waits.switches(7, true, 8);
        assert_eq!((of(waits.goes), of(waits.comes)), (None, None));
        waits.switches(8, true, 7);
        assert_eq!((of(waits.goes), of(waits.comes)), (None, None));
        for irp in 0..2 * MOST as u64 {
            waits.begins(disk(irp, irp as u32, 0));
        }
        assert!(waits.pending.len() <= MOST && waits.last.len() <= MOST);
        // Threads that never come back make room for those that do.
        let mut waits = IoWaits::default();
        for tid in 1..2 * MOST as u32 {
            waits.begins(disk(tid.into(), tid, 0));
            waits.switches(tid, true, 0);
            assert!(waits.waiting.len() <= MOST);
        }
        waits.switches(0, true, 2 * MOST as u32 - 1);
        assert_eq!(of(waits.comes), Some((2 * MOST as u64 - 1, 0)));
    }
}
