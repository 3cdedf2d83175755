//! Disk transfers that are done, by their request packet: an event of a request says neither what is transferred nor where.

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

/// Transfers that are kept: 400 MB. What is beyond is not known.
const MOST: usize = 1 << 23;

/// Returns `true` if a record is a request for a transfer.
pub(super) fn is_request(record: &Record<'_>) -> bool {
    record.hook().is_some_and(|hook| REQUESTS.contains(&hook))
}

/// What a done transfer adds to its request.
#[derive(Clone, Copy, Debug)]
struct Done {
    irp: u64,
    time: i64,
    file_object: u64,
    offset: u64,
    size: u32,
    disk: u32,
    irp_flags: u32,
    flags: u32,
}

/// The done transfers, by request packet and time.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    done: Vec<Done>,
    /// There were more.
    cut: bool,
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

    /// Takes a record that may be a done transfer.
    pub(super) fn observe(&mut self, record: &Record<'_>, layouts: &mut Layouts) {
        if !record.hook().is_some_and(|hook| DONE.contains(&hook)) {
            return;
        }
        if self.done.len() == MOST {
            self.cut = true;
            return;
        }
        // A slot of no probe: layouts are kept by slot, version and use.
        let slot = u16::MAX - u16::from(record.opcode());
        let Some(Layout::Disk(layout)) = layouts.get(slot, record, Fire::Disk).map(|known| &known.layout)
        else {
            return;
        };
        let (disk, holes) = layout.request(record.opcode(), record.payload());
        if holes == Holes::NONE {
            self.done.push(Done {
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
    }

    /// All are there.
    pub(super) fn complete(&mut self) {
        self.done.sort_unstable_by_key(|done| (done.irp, done.time));
    }

    /// Adds to a request what its transfer says, and returns the time when that is done. A packet is used again for the next
    /// request: the first transfer after a request is its own.
    pub(super) fn add(&self, disk: &mut native::Disk, time: i64, holes: &mut Holes) -> Option<i64> {
        let at = self.done.partition_point(|done| (done.irp, done.time) < (disk.irp, time));
        let done = self.done.get(at).filter(|done| done.irp == disk.irp && done.flags == disk.flags);
        let Some(done) = done else {
            if self.cut {
                disk.mark_unknown(holes);
            }
            return None;
        };
        disk.size = done.size;
        disk.disk = done.disk;
        disk.offset = done.offset;
        disk.irp_flags = done.irp_flags;
        disk.file_object = done.file_object;
        Some(done.time)
    }
}
