//! Call stacks of records, and what these say about who logged a record.

use tracewell_etl::Record;
use tracewell_state::{Machine, StackRef, Stacks, ThreadRef, Who};

/// The stack that was logged for a record.
pub(super) fn of_record(stacks: &Stacks, trace: usize, record: &Record<'_>, who: Who) -> Option<StackRef> {
    stacks.of_record(trace, record, who.tid)
}

/// Determines the owner of an event by its stack, if no other record does.
pub(super) fn by_stack(stacks: &Stacks, found: Option<StackRef>, machine: &Machine, who: Who) -> Who {
    if who.tid.is_some() {
        return who;
    }
    let Some(half) = found.and_then(|found| stacks.halves(found).first()) else { return who };
    Who::of(machine, ThreadRef { tid: half.tid, thread: machine.thread_at(half.tid, half.time) }, half.time)
}
