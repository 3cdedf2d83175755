//! Events of the kernel as a session of Windows hands them over: as events of their classes. In buffers they have short
//! headers, and by those everything here knows them.

use rustc_hash::FxHashMap;
use tracewell_etl::Record;
use tracewell_etl::write::{PerfInfo, PointerSize, System};
use tracewell_schema::kernel;
use tracewell_types::Guid;

/// The short headers of the kernel's classes.
#[derive(Debug)]
pub(super) struct ShortForms {
    /// By class and event type: group and type of the short header.
    hooks: FxHashMap<(Guid, u8), u16>,
}

impl ShortForms {
    pub(super) fn new() -> ShortForms {
        let mut hooks = FxHashMap::default();
        for hook in 0..=u16::MAX {
            let (group, opcode) = ((hook >> 8) as u8, hook as u8);
            if let Some(class) = kernel::by_hook(group, opcode) {
                // A record type in the group of another class occurs only there.
                let own = kernel::by_group(group).is_some_and(|of_group| of_group.guid == class.guid);
                if !own || !hooks.contains_key(&(class.guid, opcode)) {
                    hooks.insert((class.guid, opcode), hook);
                }
            }
        }
        ShortForms { hooks }
    }

    /// Appends the record with the short header that it has in a buffer, if it is one of the kernel's. What names neither a
    /// process nor a thread gets a header without them.
    pub(super) fn append(&self, record: &Record<'_>, out: &mut Vec<u8>) -> bool {
        if !record.is_class() {
            return false;
        }
        let Some(&hook) = self.hooks.get(&(record.guid(), record.opcode())) else { return false };
        let (group, opcode) = ((hook >> 8) as u8, hook as u8);
        let pointer_size = if record.pointer_size() == 4 { PointerSize::P32 } else { PointerSize::P64 };
        let (time, version) = (record.time(), record.version());
        if record.pid().is_none() && record.tid().is_none() {
            let header =
                PerfInfo { time, group, opcode, version, pebs_index: None, counters: &[], pointer_size };
            return header.append(record.payload(), out);
        }
        let none = u32::MAX;
        let (kernel_time, user_time) = record.cpu_times().unwrap_or_default();
        let header = System {
            time,
            group,
            opcode,
            version: version.into(),
            pid: record.pid().unwrap_or(none),
            tid: record.tid().unwrap_or(none),
            kernel_time,
            user_time,
            pointer_size,
        };
        header.append(record.payload(), out)
    }
}
