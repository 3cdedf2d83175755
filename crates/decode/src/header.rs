//! By what an event is known, whichever form its header has.

use tracewell_etl::{HeaderKind, Record};
use tracewell_schema::kernel;
use tracewell_types::Guid;

/// The GUID of the provider, the event class or the trace message; of short-header records of the kernel that of the class.
#[must_use]
pub fn guid_of(record: &Record<'_>) -> Option<Guid> {
    let class = |hook: u16| kernel::by_hook((hook >> 8) as u8, hook as u8).map(|class| class.guid);
    match record.hook() {
        Some(hook) => class(hook),
        None => Some(record.guid()).filter(|guid| !guid.is_zero()),
    }
}

/// The number by which an event is asked for: the id of an event, the number of a trace message, else the opcode.
#[must_use]
pub fn event_number(record: &Record<'_>) -> u32 {
    match record.timed_id() {
        Some(id) => id,
        None if record.is_event() || record.kind() == HeaderKind::MESSAGE => record.id().into(),
        None => record.opcode().into(),
    }
}
