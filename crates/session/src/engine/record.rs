//! A record under construction in a writer.

use std::sync::atomic::{AtomicU64, Ordering};

use tracewell_etl::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags, ExtendedKind};
use tracewell_etl::def::record::{HeaderKind, MARKER_EVENT_TRACE, MARKER_TRACE_HEADER};
use tracewell_types::Guid;

use super::{clock, host, sys};
use crate::provider::{Activity, ClassicDescriptor, EventDescriptor};

/// The bytes of a record: on the stack while they are few.
pub(crate) struct RecordBytes {
    short: sys::Staging,
    /// All bytes, when they are many.
    long: Vec<u8>,
}

const MARKERS: u8 = MARKER_TRACE_HEADER | MARKER_EVENT_TRACE;
const FLAGS_AT: usize = 4;

/// The header type of a program with pointers as wide as ours.
const fn kind(narrow: HeaderKind, wide: HeaderKind) -> u8 {
    if size_of::<usize>() == 8 { wide.0 } else { narrow.0 }
}

impl RecordBytes {
    /// Starts a manifest or TraceLogging event: an 80-byte header.
    #[inline(always)]
    pub(crate) fn event(
        provider: Guid,
        event: &EventDescriptor,
        activity: &Activity,
        flags: EventFlags,
    ) -> RecordBytes {
        let (process, thread) = ids();
        let id = activity.id.unwrap_or_else(crate::provider::activity::current);
        let mut header = [0; 80];
        header[2] = kind(HeaderKind::EVENT32, HeaderKind::EVENT64);
        header[3] = MARKERS;
        let width =
            if size_of::<usize>() == 8 { EventFlags::HEADER_64_BIT } else { EventFlags::HEADER_32_BIT };
        let flags = flags.with(EventFlags::NO_CPUTIME).with(width);
        header[FLAGS_AT..6].copy_from_slice(&flags.0.to_le_bytes());
        header[8..12].copy_from_slice(&thread.to_le_bytes());
        header[12..16].copy_from_slice(&process.to_le_bytes());
        header[24..40].copy_from_slice(provider.as_bytes());
        header[40..42].copy_from_slice(&event.id.to_le_bytes());
        header[42] = event.version;
        header[43] = event.channel;
        header[44] = event.level;
        header[45] = event.opcode;
        header[46..48].copy_from_slice(&event.task.to_le_bytes());
        header[48..56].copy_from_slice(&event.keyword.to_le_bytes());
        header[64..80].copy_from_slice(id.as_bytes());
        RecordBytes::start(&header)
    }

    /// Starts a class event: a 48-byte header.
    pub(crate) fn classic(event: &ClassicDescriptor) -> RecordBytes {
        let (process, thread) = ids();
        let mut header = [0; 48];
        header[2] = kind(HeaderKind::FULL32, HeaderKind::FULL64);
        header[3] = MARKERS;
        header[4] = event.opcode;
        header[5] = event.level;
        header[6..8].copy_from_slice(&event.version.to_le_bytes());
        header[8..12].copy_from_slice(&thread.to_le_bytes());
        header[12..16].copy_from_slice(&process.to_le_bytes());
        header[24..40].copy_from_slice(event.class.as_bytes());
        RecordBytes::start(&header)
    }

    #[inline(always)]
    fn start(header: &[u8]) -> RecordBytes {
        let mut record = RecordBytes { short: sys::Staging::new(), long: Vec::new() };
        record.push(header);
        record
    }

    /// Appends bytes.
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if !self.long.is_empty() || !self.short.push(bytes) {
            self.push_long(bytes);
        }
    }

    #[cold]
    fn push_long(&mut self, bytes: &[u8]) {
        if self.long.is_empty() {
            self.long.extend_from_slice(self.short.bytes());
        }
        // What is far too long anyway need not be gathered.
        if self.long.len() <= usize::from(u16::MAX) {
            self.long.extend_from_slice(bytes);
        }
    }

    /// Appends an extended item; `more` when another follows.
    #[inline(always)]
    fn item(&mut self, kind: ExtendedKind, data: &[u8], more: bool) {
        let whole = (EXTENDED_ITEM_HEADER_SIZE + data.len()).next_multiple_of(8);
        let mut header = [0; EXTENDED_ITEM_HEADER_SIZE];
        header[..2].copy_from_slice(&(whole as u16).to_le_bytes());
        header[2..4].copy_from_slice(&kind.0.to_le_bytes());
        header[4..6].copy_from_slice(&(if more { EXTENDED_LINKAGE } else { 0 }).to_le_bytes());
        header[6..].copy_from_slice(&(data.len() as u16).to_le_bytes());
        self.push(&header);
        self.push(data);
        self.push(&[0; 8][..whole - EXTENDED_ITEM_HEADER_SIZE - data.len()]);
        if let Some(flags) = self.bytes_mut().get_mut(FLAGS_AT) {
            *flags |= EventFlags::EXTENDED_INFO.0 as u8;
        }
    }

    pub(crate) fn related(&mut self, id: &Guid, more: bool) {
        self.item(ExtendedKind::RELATED_ACTIVITY, id.as_bytes(), more);
    }

    /// Appends the description of a TraceLogging event and the traits of its provider.
    #[inline(always)]
    pub(crate) fn described(&mut self, metadata: &[u8], traits: &[u8]) {
        self.item(ExtendedKind::SCHEMA, metadata, !traits.is_empty());
        if !traits.is_empty() {
            self.item(ExtendedKind::PROVIDER_TRAITS, traits, false);
        }
    }

    #[inline(always)]
    fn bytes_mut(&mut self) -> &mut [u8] {
        if self.long.is_empty() { self.short.bytes_mut() } else { &mut self.long }
    }

    /// The record with its size, filled up to a multiple of 8; `None` when it is too long for its size field.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> Option<&[u8]> {
        let length = self.bytes_mut().len();
        let size = u16::try_from(length).ok()?;
        self.push(&[0; 8][..length.next_multiple_of(8) - length]);
        let bytes = self.bytes_mut();
        bytes.get_mut(..2)?.copy_from_slice(&size.to_le_bytes());
        Some(bytes)
    }
}

/// Process and thread, known anew in the child of a fork.
#[inline(always)]
fn ids() -> (u32, u32) {
    let (process, thread, first) = sys::ids();
    if first {
        note_thread();
    }
    (process, thread)
}

#[cold]
fn note_thread() {
    if sys::forks() > 0 {
        host::forked();
    }
}

/// A new activity id.
pub(crate) fn new_activity() -> Guid {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..12].copy_from_slice(&sys::ids().0.to_le_bytes());
    bytes[12..].copy_from_slice(&((clock::monotonic() >> 16) as u32).to_le_bytes());
    Guid::from_bytes(bytes)
}
