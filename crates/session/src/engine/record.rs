//! A record under construction in a writer.

use std::sync::atomic::{AtomicU64, Ordering};

use tracewell_etl::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags, ExtendedKind};
use tracewell_etl::def::record::{HeaderKind, MARKER_EVENT_TRACE, MARKER_TRACE_HEADER};
use tracewell_types::Guid;

use super::{clock, host, sys};
use crate::provider::{Activity, ClassicDescriptor, EventDescriptor};

/// The bytes of a record: on the stack while they are few.
pub(crate) struct RecordBytes {
    /// The first 8 bytes, but for the size.
    first: u64,
    short: sys::Staging,
    /// All bytes, when they are many.
    long: Vec<u8>,
}

const MARKERS: u8 = MARKER_TRACE_HEADER | MARKER_EVENT_TRACE;
/// Where the flags of an `EVENT_HEADER` stand in its first 8 bytes.
const FLAGS_SHIFT: u32 = 32;

/// The second word of both headers: thread and process.
#[inline(always)]
fn who() -> u64 {
    let (process, thread) = ids();
    (u64::from(thread) | u64::from(process) << 32).to_le()
}

#[inline(always)]
fn guid_words(guid: &Guid) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = guid.to_bytes();
    [u64::from_ne_bytes([a, b, c, d, e, f, g, h]), u64::from_ne_bytes([i, j, k, l, m, n, o, p])]
}

/// The header type of a program with pointers as wide as ours.
const fn kind(narrow: HeaderKind, wide: HeaderKind) -> u64 {
    let kind = if size_of::<usize>() == 8 { wide.0 } else { narrow.0 };
    (kind as u64) << 16 | (MARKERS as u64) << 24
}

impl RecordBytes {
    /// Starts a manifest or TraceLogging event: an 80-byte header.
    #[inline(always)]
    pub(crate) fn event(
        provider: &Guid,
        event: &EventDescriptor,
        activity: &Activity,
        flags: EventFlags,
    ) -> RecordBytes {
        let width =
            if size_of::<usize>() == 8 { EventFlags::HEADER_64_BIT } else { EventFlags::HEADER_32_BIT };
        let flags = flags.with(EventFlags::NO_CPUTIME).with(width);
        let first = kind(HeaderKind::EVENT32, HeaderKind::EVENT64) | u64::from(flags.0) << FLAGS_SHIFT;
        let descriptor = u64::from(event.id)
            | u64::from(event.version) << 16
            | u64::from(event.channel) << 24
            | u64::from(event.level) << 32
            | u64::from(event.opcode) << 40
            | u64::from(event.task) << 48;
        let [p0, p1] = guid_words(provider);
        let [a0, a1] = guid_words(&activity.id.unwrap_or_else(crate::provider::activity::current));
        let header = [0, who(), 0, p0, p1, descriptor.to_le(), event.keyword.to_le(), 0, a0, a1];
        RecordBytes { first, short: sys::Staging::with(header), long: Vec::new() }
    }

    /// Starts a class event: a 48-byte header.
    pub(crate) fn classic(event: &ClassicDescriptor) -> RecordBytes {
        let first = kind(HeaderKind::FULL32, HeaderKind::FULL64)
            | u64::from(event.opcode) << 32
            | u64::from(event.level) << 40
            | u64::from(event.version) << 48;
        let [c0, c1] = guid_words(&event.class);
        RecordBytes { first, short: sys::Staging::with([0, who(), 0, c0, c1, 0]), long: Vec::new() }
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
        match whole - EXTENDED_ITEM_HEADER_SIZE - data.len() {
            0 => {}
            rest => self.push(&[0; 8][..rest]),
        }
        self.first |= u64::from(EventFlags::EXTENDED_INFO.0) << FLAGS_SHIFT;
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

    /// The record with its size, filled up to a multiple of 8; `None` when it is too long for its size field.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> Option<&[u8]> {
        if !self.long.is_empty() {
            return self.finish_long();
        }
        self.short.set_first((self.first | self.short.len() as u64).to_le());
        self.short.pad();
        Some(self.short.bytes())
    }

    #[cold]
    fn finish_long(&mut self) -> Option<&[u8]> {
        let size = u16::try_from(self.long.len()).ok()?;
        self.long.resize(self.long.len().next_multiple_of(8), 0);
        let first = self.first | u64::from(size);
        self.long.get_mut(..8)?.copy_from_slice(&first.to_le_bytes());
        Some(&self.long)
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
