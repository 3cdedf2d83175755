//! Disk transfers that are done, by their request packet: an event of a request says neither what is transferred nor where.

use std::mem::offset_of;

use tracewell_dlang::program::Clause;
use tracewell_etl::Record;
use tracewell_etl::read::Wanted;
use tracewell_schema::kernel::hook;

use super::layouts::{Layout, Layouts};
use crate::catalog::{Kind, ProbeCatalog};
use crate::holes::Holes;
use crate::native;
use crate::table::Fire;

/// The records of done transfers.
const DONE: [u16; 3] = [hook::DISK_IO_READ, hook::DISK_IO_WRITE, hook::DISK_IO_FLUSH_BUFFERS];

/// The records of requests.
const REQUESTS: [u16; 3] = [hook::DISK_IO_READ_INIT, hook::DISK_IO_WRITE_INIT, hook::DISK_IO_FLUSH_INIT];

/// Transfers that are kept: 400 MB. Of traces with more, none is known: what is left out could be the one of a request.
const MOST: usize = 1 << 23;

/// Returns `true` if a record is a request for a transfer.
pub(super) fn is_request(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| REQUESTS.contains(&hook))
}

/// Returns `true` if a record is a transfer that is done.
pub(super) fn is_done(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| DONE.contains(&hook))
}

/// What a done transfer adds to its request.
#[derive(Clone, Copy, Debug)]
struct Done {
    source: usize,
    irp: u64,
    time: i64,
    file_object: u64,
    offset: u64,
    size: u32,
    disk: u32,
    irp_flags: u32,
    flags: u32,
}

/// The done transfers, by trace, request packet and time.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    done: Vec<Done>,
    /// There were too many.
    cut: bool,
    /// The trace of the record that is being looked at. Packets of two machines may have one address.
    pub(super) source: usize,
}

impl Transfers {
    /// The records to look ahead for, if a clause on requests reads their arguments.
    pub(super) fn wanted(catalog: &ProbeCatalog<'_>, clauses: &[Clause]) -> Option<Wanted> {
        let on_requests =
            |kind: Kind| matches!(kind, Kind::Fixed(def) if def.fire == Fire::Disk && def.name == "start");
        let asks = |clause: &Clause| {
            clause.uses.args
                && clause.probes.iter().any(|probe| catalog.base_kind(*probe).is_some_and(on_requests))
        };
        clauses.iter().any(asks).then(|| {
            let mut wanted = Wanted::nothing();
            DONE.into_iter().for_each(|hook| wanted.add_hook(hook));
            wanted
        })
    }

    /// Takes a record of a trace that may be a done transfer.
    pub(super) fn observe(&mut self, source: usize, record: &Record<'_>, layouts: &mut Layouts) {
        if self.cut || !record.hook().is_some_and(|hook| DONE.contains(&hook)) {
            return;
        }
        if self.done.len() == MOST {
            self.cut = true;
            self.done = Vec::new();
            return;
        }
        // A slot of no probe: layouts are kept by slot, version and use.
        let slot = u16::MAX - u16::from(record.opcode());
        let Some(Layout::Disk(layout)) = layouts.get(slot, record, Fire::Disk).map(|known| &known.layout)
        else {
            return;
        };
        let (disk, holes) = layout.request(record.opcode(), record.payload());
        // What it adds is before the packet: a record that ends behind that has all of it.
        if holes.has(offset_of!(native::Disk, irp)) {
            return;
        }
        self.done.push(Done {
            source,
            irp: disk.irp,
            time: record.time(),
            file_object: disk.file_object,
            offset: disk.offset,
            size: disk.size,
            disk: disk.disk,
            irp_flags: disk.irp_flags,
            flags: disk.flags,
        });
    }

    /// All are there.
    pub(super) fn complete(&mut self) {
        self.done.sort_unstable_by_key(|done| (done.source, done.irp, done.time));
    }

    /// Adds to a request what its transfer says, and returns the time when that is done. A packet is used again for the next
    /// request: the first transfer after a request is its own. If that is not in the trace, what it would say stays 0.
    pub(super) fn add(&self, disk: &mut native::Disk, time: i64, holes: &mut Holes) -> Option<i64> {
        let own = (self.source, disk.irp);
        if self.cut {
            disk.mark_unknown(holes);
            return None;
        }
        let at = self.done.partition_point(|done| (done.source, done.irp, done.time) < (own.0, own.1, time));
        let done = self.done.get(at);
        let done = done.filter(|done| (done.source, done.irp) == own && done.flags == disk.flags)?;
        disk.size = done.size;
        disk.disk = done.disk;
        disk.offset = done.offset;
        disk.irp_flags = done.irp_flags;
        disk.file_object = done.file_object;
        Some(done.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(source: usize, irp: u64, time: i64, size: u32) -> Done {
        Done { source, irp, time, file_object: 9, offset: 100, size, disk: 1, irp_flags: 2, flags: 1 }
    }

    /// The size of the transfer that a read asks for, and whether that is known.
    fn asked(transfers: &Transfers, irp: u64, time: i64) -> (u32, Option<i64>, bool) {
        let mut disk = native::Disk { irp, flags: 1, ..native::Disk::default() };
        let mut holes = Holes::NONE;
        let at = transfers.add(&mut disk, time, &mut holes);
        (disk.size, at, !holes.has(offset_of!(native::Disk, size)))
    }

    #[test]
    fn issue_19_a_request_has_the_next_transfer_in_its_trace() {
        let mut transfers = Transfers {
            done: vec![done(1, 7, 30, 3), done(0, 7, 50, 5), done(0, 7, 20, 2), done(0, 8, 10, 1)],
            ..Transfers::default()
        };
        transfers.complete();
        assert_eq!(asked(&transfers, 7, 0), (2, Some(20), true));
        assert_eq!(asked(&transfers, 7, 20), (2, Some(20), true), "done at once");
        assert_eq!(asked(&transfers, 7, 21), (5, Some(50), true));
        assert_eq!(asked(&transfers, 7, 51), (0, None, true), "not in the trace");
        transfers.source = 1;
        assert_eq!(asked(&transfers, 7, 0), (3, Some(30), true));
        assert_eq!(asked(&transfers, 8, 0), (0, None, true), "a packet of the other machine");
        transfers.cut = true;
        assert_eq!(asked(&transfers, 7, 0), (0, None, false), "left out: unknown, not 0");
    }
}
