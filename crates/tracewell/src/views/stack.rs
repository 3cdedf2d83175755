//! Collects the stack of one event from all records that contain parts of it.

use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_schema::kernel::hook;
use tracewell_state::{Stacks, extended_frames};

/// The stacks that a record carries itself: the number of the late half, 0 for none, and the addresses.
pub fn carried<'t>(record: &Record<'t>) -> impl Iterator<Item = (u64, impl Iterator<Item = u64> + 't)> {
    record.extended().filter_map(|item| {
        let pointer_size = match item.kind {
            ExtendedKind::STACK_TRACE64 => 8,
            ExtendedKind::STACK_TRACE32 => 4,
            _ => return None,
        };
        extended_frames(item.data, pointer_size)
    })
}

/// Adds the addresses of an event's stack, innermost first: those in the record itself with their deferred part, then
/// those from separate stack records.
pub fn collect(frames: &mut Vec<u64>, stacks: &Stacks, trace: usize, record: &Record<'_>, tid: Option<u32>) {
    for (match_id, own) in carried(record) {
        frames.extend(own);
        if match_id != 0 {
            frames.extend(stacks.late_half(trace, match_id).unwrap_or_default());
        }
    }
    // The stack of a switch belongs to the thread that is switched in, which is the first field of the
    // switch.
    let tid = match record.hook() {
        Some(hook::THREAD_CSWITCH) => record.payload().first_chunk().map(|new| u32::from_le_bytes(*new)),
        _ => tid,
    };
    if let Some(stack) = stacks.of_record(trace, record, tid) {
        for half in stacks.halves(stack) {
            frames.extend(stacks.frames(half));
        }
    }
}
