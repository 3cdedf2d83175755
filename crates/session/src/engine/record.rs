//! The part of a record before the values of its event.

use tracewell_etl::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags, ExtendedKind};
use tracewell_etl::def::guid::STACK_WALK;
use tracewell_etl::def::record::{
    HeaderKind, MARKER_EVENT_TRACE, MARKER_MESSAGE, MARKER_TRACE_HEADER, MessageOptions,
};
use tracewell_etl::write::TIMER_RESOLUTION;
use tracewell_types::Guid;

use super::sys::{Event, Staging};
use super::{host, sys};
use crate::provider::activity;
use crate::provider::event::{
    Activity, ClassicDescriptor, ClassicInstance, EventDescriptor, MessageDescriptor, MessageSource,
};

/// Offset of the time in the headers of events and class events.
pub(crate) const TIME_AT: usize = 16;

const MARKERS: u8 = MARKER_TRACE_HEADER | MARKER_EVENT_TRACE;
/// Position of the flags of an `EVENT_HEADER` in its first 8 bytes.
const FLAGS_SHIFT: u32 = 32;

/// The second word of both headers: thread and process.
#[inline(always)]
fn who() -> u64 {
    let (who, first) = sys::who();
    if first {
        note_thread();
    }
    who
}

#[cold]
#[inline(never)]
fn note_thread() {
    if sys::forks() > 0 {
        host::forked();
    }
}

/// The header type of a program with pointers as wide as ours.
const fn kind(narrow: HeaderKind, wide: HeaderKind) -> u64 {
    let kind = if size_of::<usize>() == 8 { wide.0 } else { narrow.0 };
    (kind as u64) << 16 | (MARKERS as u64) << 24
}

/// The header of a manifest or TraceLogging event, except for its size.
#[inline(always)]
pub(crate) fn event<'a>(
    provider: &'a Guid,
    descriptor: &'a EventDescriptor,
    activity: &Activity,
    flags: EventFlags,
) -> Event<'a> {
    let width = if size_of::<usize>() == 8 { EventFlags::HEADER_64_BIT } else { EventFlags::HEADER_32_BIT };
    let flags = flags.with(EventFlags::NO_CPUTIME).with(width);
    let first = kind(HeaderKind::EVENT32, HeaderKind::EVENT64) | u64::from(flags.0) << FLAGS_SHIFT;
    let id = activity.id.unwrap_or_else(activity::current);
    Event { first, who: who(), provider, descriptor, activity: u128::from_ne_bytes(id.to_bytes()) }
}

/// Starts a class event, with its 48-byte header and the processor times of the thread; that of an instance has 72 bytes. Returns
/// its first 8 bytes except for the size.
pub(crate) fn classic(
    record: &mut Staging<'_>,
    event: &ClassicDescriptor,
    instance: Option<&ClassicInstance>,
) -> u64 {
    record.push(&[0; 8]);
    record.push(&who().to_le_bytes());
    record.push(&[0; 8]);
    record.push(event.class.as_bytes());
    let (kernel, user) = sys::thread_times();
    for time in [kernel, user] {
        record.push(&u32::try_from(time / TICK_NS).unwrap_or(u32::MAX).to_le_bytes());
    }
    let kind = match instance {
        None => kind(HeaderKind::FULL32, HeaderKind::FULL64),
        Some(instance) => {
            record.push(&instance.id.to_le_bytes());
            record.push(&instance.parent.to_le_bytes());
            record.push(instance.parent_class.as_bytes());
            kind(HeaderKind::INSTANCE32, HeaderKind::INSTANCE64)
        }
    };
    kind | u64::from(event.opcode) << 32 | u64::from(event.level) << 40 | u64::from(event.version) << 48
}

/// Nanoseconds of a tick of the timer: the unit of the processor times in headers, which the header of a trace states.
const TICK_NS: u64 = TIMER_RESOLUTION as u64 * 100;

/// The type of the records of [`STACK_WALK`] that hold the stack of the record before them (`StackWalk_Event`), and the
/// version of their layout.
pub(crate) const STACK_TYPE: u8 = 32;
const STACK_VERSION: u64 = 2;
/// Offset of the time of the described record in such a record.
pub(crate) const STACK_OF_AT: usize = 48;

/// Appends the record of a stack, which follows that of its event: class events have no room for one. Times stay 0; the
/// session fills them in, see [`super::check`]. Returns `true` if the stack is too long for a record.
pub(crate) fn stack(record: &mut Staging<'_>, frames: &[u64]) -> bool {
    let size = STACK_OF_AT + 16 + size_of_val(frames);
    let first = kind(HeaderKind::FULL32, HeaderKind::FULL64)
        | size as u64
        | u64::from(STACK_TYPE) << 32
        | STACK_VERSION << 48;
    record.push(&first.to_le_bytes());
    record.push(&who().to_le_bytes());
    record.push(&[0; 8]);
    record.push(STACK_WALK.as_bytes());
    record.push(&[0; 16]);
    // Process, then thread: the other way round than in headers.
    record.push(&who().rotate_left(32).to_le_bytes());
    for frame in frames {
        // Of pointers as wide as the header says.
        record.push(&(*frame as usize).to_le_bytes());
    }
    size <= usize::from(u16::MAX)
}

/// Most bytes of a message's header, with all its parts.
pub(crate) const LONGEST_MESSAGE_HEADER: usize = 8 + 4 + 16 + 8 + 8;

/// Starts a trace message; returns its first 8 bytes except for the size, and the offset of its
/// time.
///
/// The parts are those of `TraceMessage`, in the order that its documentation gives: sequence number, GUID or component,
/// time, thread and process. The time is always present, because the message could not be ordered without
/// it.
pub(crate) fn message(
    record: &mut Staging<'_>,
    message: &MessageDescriptor,
    sequence: Option<u32>,
) -> (u64, usize) {
    let mut options = MessageOptions::PERFORMANCE_TIMESTAMP
        .with(MessageOptions::SYSTEM_INFO)
        .with(if size_of::<usize>() == 8 { MessageOptions::POINTER64 } else { MessageOptions::POINTER32 });
    record.push(&[0; 8]);
    if let Some(sequence) = sequence {
        options = options.with(MessageOptions::SEQUENCE);
        record.push(&sequence.to_le_bytes());
    }
    match message.source {
        MessageSource::Guid(guid) => {
            options = options.with(MessageOptions::GUID);
            record.push(guid.as_bytes());
        }
        MessageSource::Component(component) => {
            options = options.with(MessageOptions::COMPONENT_ID);
            record.push(&component.to_le_bytes());
        }
    }
    let time_at = record.len();
    record.push(&[0; 8]);
    record.push(&who().to_le_bytes());
    let first = u64::from(HeaderKind::MESSAGE.0) << 16
        | u64::from(MARKER_TRACE_HEADER | MARKER_MESSAGE) << 24
        | u64::from(message.number) << 32
        | u64::from(options.0) << 48;
    (first, time_at)
}

/// Appends an extended item; `more` when another follows.
#[inline(always)]
pub(crate) fn item(record: &mut Staging<'_>, kind: ExtendedKind, data: &[u8], more: bool) {
    let whole = (EXTENDED_ITEM_HEADER_SIZE + data.len()).next_multiple_of(8);
    let header = u64::from(whole as u16)
        | u64::from(kind.0) << 16
        | u64::from(if more { EXTENDED_LINKAGE } else { 0 }) << 32
        | u64::from(data.len() as u16) << 48;
    record.push(&header.to_le_bytes());
    record.push(data);
    match whole - EXTENDED_ITEM_HEADER_SIZE - data.len() {
        0 => {}
        rest => record.push(&[0; 8][..rest]),
    }
}

/// Says in the header of an event that it has extended items; and whether it said so before.
pub(crate) fn with_items(head: Event<'_>) -> (Event<'_>, bool) {
    let flag = u64::from(EventFlags::EXTENDED_INFO.0) << FLAGS_SHIFT;
    (Event { first: head.first | flag, ..head }, head.first & flag != 0)
}

/// Appends the description of a TraceLogging event and the traits of its provider.
#[inline(always)]
pub(crate) fn described(record: &mut Staging<'_>, metadata: &[u8], traits: &[u8]) {
    item(record, ExtendedKind::SCHEMA, metadata, !traits.is_empty());
    if !traits.is_empty() {
        item(record, ExtendedKind::PROVIDER_TRAITS, traits, false);
    }
}
