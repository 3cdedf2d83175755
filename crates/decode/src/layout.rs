//! Which layout a record's payload has.
//!
//! Manifests that EventSource providers log in chunks (event id 0xFFFE) will be reassembled into the
//! schema model here as well; TraceLogging has its own module.

use tracewell_etl::{Identity, Record};
use tracewell_schema::{EventMatch, kernel};

/// The event and layout of a kernel record or of a classic record of one of the kernel's classes.
///
/// `None` for provider events and for classes and opcodes that are not in the tables.
#[must_use]
pub fn kernel_event(record: &Record<'_>) -> Option<EventMatch> {
    match record.identity() {
        Identity::Kernel { group, opcode } => kernel::event_of_hook(group, opcode, record.layout_version()),
        Identity::Class { guid, opcode } => kernel::by_guid(&guid)?.event(opcode, record.layout_version()),
        _ => None,
    }
}
