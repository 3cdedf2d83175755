//! The event record: the one currency of everything above this crate.

use crate::bytes::{guid_at, u16_at, u32_at};
use crate::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags, ExtendedKind};
use crate::def::record::{
    HeaderKind, KernelGroup, MessageOptions, NO_ID, PERFINFO_COUNTERS_MASK, PERFINFO_COUNTERS_SHIFT,
    PERFINFO_PEBS_INDEX,
};
use crate::head::{Head, RecordFault, message_part, message_time, shape_of};
use std::fmt;
use tracewell_types::Guid;

/// One event record, borrowed from a buffer. Copying it copies four words.
///
/// Creating a record reads only the size, the header type and the time; every other field is read on
/// access. A record always contains at least the header that its type requires, so accessors never fail
/// because of its size. Fields that a header type does not have are `None` or zero, as each accessor
/// says.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    bytes: &'a [u8],
    time: i64,
    cpu: u16,
    kind: HeaderKind,
    /// Inferred bytes of a pointer; 0 if the payload is laid out as the header says.
    inferred_pointer: u8,
    /// The version of the layout, if the pointer size was inferred.
    inferred_version: u8,
}

/// The version and the pointer size by which a payload is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reading {
    /// The version of the layout.
    pub version: u8,
    /// Bytes of a pointer: 4 or 8.
    pub pointer_size: u8,
    /// Whether they were inferred from payloads. Otherwise they are those of the record's header.
    pub inferred: bool,
}

/// The identity of a record's event, before any schema is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identity {
    /// A kernel record (SYSTEM, COMPACT, PERFINFO headers).
    Kernel {
        /// Event group, see [`KernelGroup`].
        group: u8,
        /// Event type within the group.
        opcode: u8,
    },
    /// A class event (FULL and INSTANCE headers): the GUID is that of the event class, not of the provider.
    Class {
        /// Event class.
        guid: Guid,
        /// Event type within the class.
        opcode: u8,
    },
    /// A manifest or TraceLogging event (EVENT headers).
    Provider {
        /// Provider.
        guid: Guid,
        /// Event id.
        id: u16,
        /// Opcode of the event descriptor.
        opcode: u8,
    },
    /// A trace message (WPP).
    Message {
        /// Message GUID; zero when the record has none.
        guid: Guid,
        /// Message number.
        number: u16,
    },
    /// Any other header type.
    Other(u8),
}

/// An extended data item of an EVENT record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtendedItem<'a> {
    /// The type of the data.
    pub kind: ExtendedKind,
    /// The data, without the item's header.
    pub data: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record that `bytes` begin with, on processor `cpu`. Bytes after its size are not part of it.
    ///
    /// # Errors
    ///
    /// When the bytes are no record, or are cut.
    pub fn parse(bytes: &'a [u8], cpu: u16) -> Result<Record<'a>, RecordFault> {
        Head::read(bytes, 0).map(|head| Record::of(&head, bytes, cpu))
    }

    /// The record that `bytes` begin with, whose head has been read.
    #[inline]
    pub(crate) fn of(head: &Head, bytes: &'a [u8], cpu: u16) -> Record<'a> {
        let bytes = bytes.get(..usize::from(head.size)).unwrap_or_default();
        Record { bytes, time: head.time, cpu, kind: head.kind, inferred_pointer: 0, inferred_version: 0 }
    }

    /// How the payload is laid out: as the header says, unless the trace is [read otherwise](crate::Trace::read_as).
    #[inline]
    #[must_use]
    pub fn reading(&self) -> Reading {
        let inferred = self.inferred_pointer != 0;
        Reading { version: self.layout_version(), pointer_size: self.pointer_size(), inferred }
    }

    /// The same record with another [`Record::reading`]. A reading that was not inferred is that of the header.
    #[must_use]
    pub fn read_as(self, reading: Reading) -> Record<'a> {
        let (inferred_pointer, inferred_version) = match reading {
            Reading { inferred: true, pointer_size, version } => (pointer_size, version),
            Reading { inferred: false, .. } => (0, 0),
        };
        Record { inferred_pointer, inferred_version, ..self }
    }

    /// The version of the payload's layout: that of the header unless another one was inferred.
    #[inline]
    #[must_use]
    pub fn layout_version(&self) -> u8 {
        if self.inferred_pointer == 0 { self.version() } else { self.inferred_version }
    }

    /// The header type.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> HeaderKind {
        self.kind
    }

    /// The whole record: as many bytes as its size field says, without the padding after it.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The processor whose buffer held the record.
    #[inline]
    #[must_use]
    pub fn cpu(&self) -> u16 {
        self.cpu
    }

    /// The raw time, in units of the trace's clock; see [`Clock`](crate::Clock).
    ///
    /// A record whose header has no time takes that of the record before it in its buffer.
    #[inline]
    #[must_use]
    pub fn time(&self) -> i64 {
        self.time
    }

    /// The offset of the `i64` raw time in [`Record::bytes`]; `None` if the record has no time.
    #[must_use]
    pub fn time_offset(&self) -> Option<usize> {
        let at = match shape_of(self.kind.0).time_at {
            _ if self.kind == HeaderKind::MESSAGE => {
                message_time(self.bytes)?;
                message_part(self.message_options(), MessageOptions::TIMESTAMP)
            }
            0 => return None,
            at => usize::from(at),
        };
        (at + 8 <= self.bytes.len()).then_some(at)
    }

    /// `group << 8 | opcode` of a kernel record, `None` for all others. The fast way to distinguish kernel
    /// events.
    #[inline]
    #[must_use]
    pub fn hook(&self) -> Option<u16> {
        // The six kernel header types all have opcode and group at bytes 6 and 7.
        const KERNEL: u32 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 16 | 1 << 17;
        if KERNEL >> (self.kind.0 & 31) & 1 == 0 {
            return None;
        }
        let head: &[u8; 8] = self.bytes.first_chunk()?;
        Some(u16::from(head[7]) << 8 | u16::from(head[6]))
    }

    /// Returns `true` if the header is one of the EVENT types (manifest and TraceLogging events).
    #[inline]
    #[must_use]
    pub fn is_event(&self) -> bool {
        matches!(self.kind, HeaderKind::EVENT32 | HeaderKind::EVENT64)
    }

    /// Returns `true` if the header is one of the FULL or INSTANCE types (class events).
    #[inline]
    #[must_use]
    pub fn is_class(&self) -> bool {
        matches!(
            self.kind,
            HeaderKind::FULL32 | HeaderKind::FULL64 | HeaderKind::INSTANCE32 | HeaderKind::INSTANCE64
        )
    }

    /// The identity of the record's event.
    #[must_use]
    pub fn identity(&self) -> Identity {
        if let Some(hook) = self.hook() {
            return Identity::Kernel { group: (hook >> 8) as u8, opcode: hook as u8 };
        }
        if self.is_event() {
            return Identity::Provider { guid: self.guid(), id: self.id(), opcode: self.opcode() };
        }
        if self.is_class() {
            return Identity::Class { guid: self.guid(), opcode: self.opcode() };
        }
        match self.kind {
            HeaderKind::MESSAGE => Identity::Message { guid: self.guid(), number: self.id() },
            kind => Identity::Other(kind.0),
        }
    }

    /// Event class or provider or message GUID; zero where the header has none.
    #[inline]
    #[must_use]
    pub fn guid(&self) -> Guid {
        if self.is_event() || self.is_class() || self.kind == HeaderKind::WNODE {
            guid_at(self.bytes, 24).unwrap_or(Guid::ZERO)
        } else if self.kind == HeaderKind::MESSAGE && self.message_options().has(MessageOptions::GUID) {
            guid_at(self.bytes, message_part(self.message_options(), MessageOptions::GUID))
                .unwrap_or(Guid::ZERO)
        } else {
            Guid::ZERO
        }
    }

    /// Event id of an EVENT record, message number of a MESSAGE record; zero for others.
    #[inline]
    #[must_use]
    pub fn id(&self) -> u16 {
        match self.kind {
            HeaderKind::EVENT32 | HeaderKind::EVENT64 => u16_at(self.bytes, 40).unwrap_or(0),
            HeaderKind::MESSAGE => u16_at(self.bytes, 4).unwrap_or(0),
            _ => 0,
        }
    }

    /// The version that selects the layout of the payload: the low byte of the header's version.
    ///
    /// (The high byte of a PERFINFO version says which counters follow; see [`Record::counters`].)
    #[inline]
    #[must_use]
    pub fn version(&self) -> u8 {
        self.version_word() as u8
    }

    /// The version as the header holds it: 8 bits in EVENT records, 16 in all others, 0 where there is none.
    #[inline]
    #[must_use]
    pub fn version_word(&self) -> u16 {
        if self.hook().is_some() {
            u16_at(self.bytes, 0).unwrap_or(0)
        } else if self.is_class() {
            u16_at(self.bytes, 6).unwrap_or(0)
        } else if self.is_event() {
            self.byte(42).into()
        } else {
            0
        }
    }

    /// The opcode (event type); zero where the header has none.
    #[inline]
    #[must_use]
    pub fn opcode(&self) -> u8 {
        if let Some(hook) = self.hook() {
            hook as u8
        } else if self.is_event() {
            self.byte(45)
        } else if self.is_class() {
            self.byte(4)
        } else {
            0
        }
    }

    /// The level of a class event or EVENT record (1 critical to 5 verbose); zero for others.
    #[inline]
    #[must_use]
    pub fn level(&self) -> u8 {
        if self.is_event() {
            self.byte(44)
        } else if self.is_class() {
            self.byte(5)
        } else {
            0
        }
    }

    /// The channel of an EVENT record (11 marks TraceLogging); zero for others.
    #[inline]
    #[must_use]
    pub fn channel(&self) -> u8 {
        if self.is_event() { self.byte(43) } else { 0 }
    }

    /// The task of an EVENT record; zero for others.
    #[inline]
    #[must_use]
    pub fn task(&self) -> u16 {
        if self.is_event() { u16_at(self.bytes, 46).unwrap_or(0) } else { 0 }
    }

    /// The keyword mask of an EVENT record; zero for others.
    #[inline]
    #[must_use]
    pub fn keyword(&self) -> u64 {
        if self.is_event() { crate::bytes::u64_at(self.bytes, 48).unwrap_or(0) } else { 0 }
    }

    /// The flags of an EVENT record; none for others.
    #[inline]
    #[must_use]
    pub fn flags(&self) -> EventFlags {
        if self.is_event() { EventFlags(u16_at(self.bytes, 4).unwrap_or(0)) } else { EventFlags(0) }
    }

    /// The event property word of an EVENT record (1 XML, 2 forwarded XML, 4 legacy event log); zero for others.
    #[inline]
    #[must_use]
    pub fn event_property(&self) -> u16 {
        if self.is_event() { u16_at(self.bytes, 6).unwrap_or(0) } else { 0 }
    }

    /// The activity id of an EVENT record; zero for others and for events outside any activity.
    #[inline]
    #[must_use]
    pub fn activity_id(&self) -> Guid {
        if self.is_event() { guid_at(self.bytes, 64).unwrap_or(Guid::ZERO) } else { Guid::ZERO }
    }

    /// The related activity id, from the extended items of an EVENT record.
    #[must_use]
    pub fn related_activity_id(&self) -> Option<Guid> {
        self.extended()
            .find(|item| item.kind == ExtendedKind::RELATED_ACTIVITY)
            .and_then(|item| guid_at(item.data, 0))
    }

    /// The process the header names. `None` where the header has no such field (PERFINFO) or says "none".
    #[inline]
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.thread_ids().map(|(_, pid)| pid).filter(|&pid| pid != NO_ID)
    }

    /// The thread the header names. `None` where the header has no such field (PERFINFO) or says "none".
    #[inline]
    #[must_use]
    pub fn tid(&self) -> Option<u32> {
        self.thread_ids().map(|(tid, _)| tid).filter(|&tid| tid != NO_ID)
    }

    /// Thread id and process id in the header.
    #[inline]
    fn thread_ids(&self) -> Option<(u32, u32)> {
        let at = self.ids_offset()?;
        Some((u32_at(self.bytes, at)?, u32_at(self.bytes, at + 4)?))
    }

    /// Offset of the thread id in the record; the process id follows it. `None` where the header has neither.
    #[inline]
    #[must_use]
    pub fn ids_offset(&self) -> Option<usize> {
        let at = match self.kind {
            HeaderKind::MESSAGE => {
                let options = self.message_options();
                if !options.has(MessageOptions::SYSTEM_INFO) {
                    return None;
                }
                message_part(options, MessageOptions::SYSTEM_INFO)
            }
            HeaderKind::PERFINFO32
            | HeaderKind::PERFINFO64
            | HeaderKind::TIMED
            | HeaderKind::ERROR
            | HeaderKind::WNODE => return None,
            // SYSTEM, COMPACT, FULL, INSTANCE and EVENT headers agree on the place.
            _ => 8,
        };
        (at + 8 <= self.bytes.len()).then_some(at)
    }

    /// Pointer size of the program that logged the record, in bytes: 4 or 8. Defaults to 8 if the header
    /// does not contain it. Payloads may show that the header is wrong: see [`Record::reading`].
    #[inline]
    #[must_use]
    pub fn pointer_size(&self) -> u8 {
        if self.inferred_pointer != 0 {
            return self.inferred_pointer;
        }
        match shape_of(self.kind.0).pointer_size {
            0 if self.kind == HeaderKind::MESSAGE
                && self.message_options().has(MessageOptions::POINTER32) =>
            {
                4
            }
            0 => 8,
            size => size,
        }
    }

    /// Processor time of the logging thread: kernel and user, in timer ticks. `None` where the header has none.
    ///
    /// User-mode sessions keep one 64-bit cycle count here: `kernel | user << 32`.
    #[must_use]
    pub fn cpu_times(&self) -> Option<(u32, u32)> {
        let at = match self.kind {
            HeaderKind::SYSTEM32 | HeaderKind::SYSTEM64 => 24,
            _ if self.is_class() => 40,
            HeaderKind::EVENT32 | HeaderKind::EVENT64 if !self.flags().has(EventFlags::NO_CPUTIME) => 56,
            _ => return None,
        };
        Some((u32_at(self.bytes, at)?, u32_at(self.bytes, at + 4)?))
    }

    /// Instance id and parent instance id of an INSTANCE record.
    #[must_use]
    pub fn instance_ids(&self) -> Option<(u32, u32)> {
        match self.kind {
            HeaderKind::INSTANCE32 | HeaderKind::INSTANCE64 => {
                Some((u32_at(self.bytes, 48)?, u32_at(self.bytes, 52)?))
            }
            _ => None,
        }
    }

    /// Class GUID of the parent instance of an INSTANCE record.
    #[must_use]
    pub fn parent_class(&self) -> Option<Guid> {
        match self.kind {
            HeaderKind::INSTANCE32 | HeaderKind::INSTANCE64 => guid_at(self.bytes, 56),
            _ => None,
        }
    }

    /// The sequence number of a MESSAGE record that has one.
    #[must_use]
    pub fn message_sequence(&self) -> Option<u32> {
        let options = self.message_options();
        if !options.has(MessageOptions::SEQUENCE) {
            return None;
        }
        u32_at(self.bytes, message_part(options, MessageOptions::SEQUENCE))
    }

    /// The component id of a MESSAGE record that has one in the place of a GUID.
    #[must_use]
    pub fn message_component(&self) -> Option<u32> {
        let options = self.message_options();
        if options.has(MessageOptions::GUID) || !options.has(MessageOptions::COMPONENT_ID) {
            return None;
        }
        u32_at(self.bytes, message_part(options, MessageOptions::COMPONENT_ID))
    }

    /// The event id of a TIMED record, which has nothing else but a time.
    #[must_use]
    pub fn timed_id(&self) -> Option<u32> {
        if self.kind == HeaderKind::TIMED { u32_at(self.bytes, 4) } else { None }
    }

    /// Which parts a MESSAGE record has; none for others.
    #[must_use]
    pub fn message_options(&self) -> MessageOptions {
        match self.kind {
            HeaderKind::MESSAGE => MessageOptions(u16_at(self.bytes, 6).unwrap_or(0)),
            _ => MessageOptions(0),
        }
    }

    /// The performance counter values after a PERFINFO header, in the order in which the session was
    /// configured to record them; empty for others.
    pub fn counters(&self) -> impl ExactSizeIterator<Item = u64> + use<'a> {
        let (pebs, count) = self.perfinfo_extra();
        let start = 16 + 8 * pebs;
        let values = self.bytes.get(start..start + 8 * count).unwrap_or_default();
        values.chunks_exact(8).map(|b| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
    }

    /// The PEBS index after a PERFINFO header.
    #[must_use]
    pub fn pebs_index(&self) -> Option<u64> {
        if self.perfinfo_extra().0 == 0 { None } else { crate::bytes::u64_at(self.bytes, 16) }
    }

    /// The number of 8-byte values of each type between a PERFINFO header and its payload: PEBS index, counters.
    #[inline]
    fn perfinfo_extra(&self) -> (usize, usize) {
        if !matches!(self.kind, HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64) {
            return (0, 0);
        }
        let word = u16_at(self.bytes, 0).unwrap_or(0);
        let count = (word & PERFINFO_COUNTERS_MASK) >> PERFINFO_COUNTERS_SHIFT;
        (usize::from(word & PERFINFO_PEBS_INDEX != 0), usize::from(count))
    }

    /// The extended data items of an EVENT record, in order; nothing for others.
    ///
    /// Ends at the first item with an invalid size; [`Record::fault`] reports that.
    #[inline]
    #[must_use]
    pub fn extended(&self) -> ExtendedItems<'a> {
        let present = self.flags().has(EventFlags::EXTENDED_INFO);
        ExtendedItems { bytes: self.bytes, at: 80, more: present, sound: true }
    }

    /// The payload: everything after the header and its extended data.
    ///
    /// Empty if the extended items before it are damaged, because its start is then unknown.
    #[inline]
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.bytes.get(self.payload_offset()..).unwrap_or_default()
    }

    /// The offset of the payload in [`Record::bytes`]; the size of the record if it has none.
    #[inline]
    #[must_use]
    pub fn payload_offset(&self) -> usize {
        let at = match self.kind {
            HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 => {
                let (pebs, count) = self.perfinfo_extra();
                16 + 8 * (pebs + count)
            }
            HeaderKind::EVENT32 | HeaderKind::EVENT64 | HeaderKind::MESSAGE => self.end_of_parts(),
            kind => usize::from(shape_of(kind.0).size),
        };
        at.min(self.bytes.len())
    }

    /// The offset behind the optional parts of an event or a message. Not inline, so that [`Record::payload`] of kernel records is.
    #[inline(never)]
    fn end_of_parts(&self) -> usize {
        if self.kind == HeaderKind::MESSAGE {
            return message_part(self.message_options(), MessageOptions(u16::MAX));
        }
        let mut items = self.extended();
        if items.more {
            items.by_ref().for_each(drop);
        }
        if items.sound { items.at } else { self.bytes.len() }
    }

    /// The error inside the record, if any: extended items or counters that do not fit.
    #[must_use]
    #[inline]
    pub fn fault(&self) -> Option<RecordFault> {
        match self.kind {
            HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 => {
                let (pebs, count) = self.perfinfo_extra();
                let need = 16 + 8 * (pebs + count);
                (need > self.bytes.len() && pebs + count > 0).then(|| self.short())
            }
            HeaderKind::EVENT32 | HeaderKind::EVENT64 => {
                let mut items = self.extended();
                if items.more {
                    items.by_ref().for_each(drop);
                }
                (!items.sound).then_some(RecordFault::Extended)
            }
            HeaderKind::MESSAGE => {
                let need = message_part(self.message_options(), MessageOptions(u16::MAX));
                (need > self.bytes.len()).then(|| self.short())
            }
            _ => None,
        }
    }

    /// Returns `false` if the first bytes of a record show that [`Record::fault`] finds nothing.
    #[inline]
    pub(crate) fn may_have_fault(kind: HeaderKind, bytes: &[u8]) -> bool {
        match kind {
            HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 => {
                u16_at(bytes, 0).is_none_or(|word| word & (PERFINFO_COUNTERS_MASK | PERFINFO_PEBS_INDEX) != 0)
            }
            HeaderKind::EVENT32 | HeaderKind::EVENT64 => {
                u16_at(bytes, 4).is_none_or(|flags| EventFlags(flags).has(EventFlags::EXTENDED_INFO))
            }
            kind => kind == HeaderKind::MESSAGE,
        }
    }

    #[cold]
    fn short(&self) -> RecordFault {
        RecordFault::Short { kind: self.kind, size: self.bytes.len() as u16 }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind)?;
        match self.identity() {
            Identity::Kernel { group, opcode } => write!(f, "{}/{opcode}", KernelGroup(group))?,
            Identity::Class { guid, opcode } => write!(f, "{guid}/{opcode}")?,
            Identity::Provider { guid, id, .. } => write!(f, "{guid}/{id}")?,
            Identity::Message { guid, number } => write!(f, "{guid}#{number}")?,
            Identity::Other(_) => f.write_str("?")?,
        }
        write!(f, " v{} cpu {} time {} size {}", self.version(), self.cpu, self.time, self.bytes.len())
    }
}

/// Walks the extended data items of an EVENT record. Made by [`Record::extended`].
#[derive(Clone, Debug)]
pub struct ExtendedItems<'a> {
    bytes: &'a [u8],
    at: usize,
    more: bool,
    sound: bool,
}

impl<'a> Iterator for ExtendedItems<'a> {
    type Item = ExtendedItem<'a>;

    #[inline]
    fn next(&mut self) -> Option<ExtendedItem<'a>> {
        if !self.more {
            return None;
        }
        self.more = false;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let header = rest.first_chunk::<EXTENDED_ITEM_HEADER_SIZE>();
        let item = header.and_then(|&[a, b, c, d, e, f, g, h]| {
            let total = usize::from(u16::from_le_bytes([a, b]));
            let kind = ExtendedKind(u16::from_le_bytes([c, d]));
            self.more = u16::from_le_bytes([e, f]) & EXTENDED_LINKAGE != 0;
            let data_size = usize::from(u16::from_le_bytes([g, h]));
            let data = rest.get(..total)?.get(EXTENDED_ITEM_HEADER_SIZE..)?.get(..data_size)?;
            self.at += total;
            Some(ExtendedItem { kind, data })
        });
        if item.is_none() {
            self.more = false;
            self.sound = false;
        }
        item
    }
}
