//! Record headers as values, and their bytes.

use crate::def::event::{EXTENDED_ITEM_HEADER_SIZE, EXTENDED_LINKAGE, EventFlags};
use crate::def::record::{
    HeaderKind, MARKER_EVENT_TRACE, MARKER_MESSAGE, MARKER_TRACE_HEADER, MessageOptions,
    PERFINFO_COUNTERS_SHIFT, PERFINFO_PEBS_INDEX,
};
use crate::record::ExtendedItem;
use tracewell_types::Guid;

/// Pointer size of whatever logs a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointerSize {
    /// 4 bytes.
    P32,
    /// 8 bytes.
    #[default]
    P64,
}

impl PointerSize {
    /// The size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u8 {
        match self {
            PointerSize::P32 => 4,
            PointerSize::P64 => 8,
        }
    }

    /// The header type for this pointer size.
    pub(crate) const fn pick(self, narrow: HeaderKind, wide: HeaderKind) -> HeaderKind {
        match self {
            PointerSize::P32 => narrow,
            PointerSize::P64 => wide,
        }
    }
}

/// A kernel record with thread and process: SYSTEM and COMPACT headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Raw time.
    pub time: i64,
    /// Event group.
    pub group: u8,
    /// Event type.
    pub opcode: u8,
    /// Version of the payload's layout.
    pub version: u16,
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
    /// Kernel time of the thread in timer ticks; not in COMPACT headers.
    pub kernel_time: u32,
    /// User time of the thread in timer ticks; not in COMPACT headers.
    pub user_time: u32,
    /// Pointer size of the kernel.
    pub pointer_size: PointerSize,
}

/// A short kernel record: PERFINFO header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerfInfo<'a> {
    /// Raw time.
    pub time: i64,
    /// Event group.
    pub group: u8,
    /// Event type.
    pub opcode: u8,
    /// Version of the payload's layout.
    pub version: u8,
    /// PEBS index, when recorded.
    pub pebs_index: Option<u64>,
    /// Performance counter values, at most seven.
    pub counters: &'a [u64],
    /// Pointer size of the kernel.
    pub pointer_size: PointerSize,
}

/// A class event: FULL header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Full {
    /// Raw time.
    pub time: i64,
    /// Event class.
    pub guid: Guid,
    /// Event type.
    pub opcode: u8,
    /// Level.
    pub level: u8,
    /// Version of the payload's layout.
    pub version: u16,
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
    /// Kernel time of the thread in timer ticks.
    pub kernel_time: u32,
    /// User time of the thread in timer ticks.
    pub user_time: u32,
    /// Pointer size of the process.
    pub pointer_size: PointerSize,
}

/// The part of an INSTANCE header after a FULL header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Instance.
    pub id: u32,
    /// Parent instance.
    pub parent_id: u32,
    /// Class of the parent instance.
    pub parent_class: Guid,
}

/// A manifest or TraceLogging event: EVENT header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// Raw time.
    pub time: i64,
    /// Provider.
    pub provider: Guid,
    /// Event id.
    pub id: u16,
    /// Version of the payload's layout.
    pub version: u8,
    /// Channel.
    pub channel: u8,
    /// Level.
    pub level: u8,
    /// Opcode.
    pub opcode: u8,
    /// Task.
    pub task: u16,
    /// Keyword mask.
    pub keyword: u64,
    /// Flags; the one for extended items is set as needed.
    pub flags: EventFlags,
    /// Event property.
    pub property: u16,
    /// Process.
    pub pid: u32,
    /// Thread.
    pub tid: u32,
    /// Processor time, as 64 bits or as kernel and user ticks.
    pub processor_time: u64,
    /// Activity.
    pub activity_id: Guid,
    /// Pointer size of the process.
    pub pointer_size: PointerSize,
}

/// A trace message (WPP): MESSAGE header. Parts that are `None` are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Message number.
    pub number: u16,
    /// Sequence number.
    pub sequence: Option<u32>,
    /// Message GUID.
    pub guid: Option<Guid>,
    /// Component, in place of the GUID.
    pub component: Option<u32>,
    /// Raw time.
    pub time: Option<i64>,
    /// Thread and process.
    pub ids: Option<(u32, u32)>,
    /// Pointer size of the process.
    pub pointer_size: PointerSize,
}

const EVENT_TRACE: u8 = MARKER_TRACE_HEADER | MARKER_EVENT_TRACE;

// Every header here leaves the size field zero: [`set_size`] fills it in when the record is complete.
impl System {
    /// Appends the record with a SYSTEM header, as in a buffer. Returns `false`, and appends nothing, if the record does not
    /// fit the size field.
    pub fn append(&self, payload: &[u8], out: &mut Vec<u8>) -> bool {
        append(out, |out| self.encode(false, out), payload)
    }

    pub(crate) fn encode(&self, compact: bool, out: &mut Vec<u8>) {
        let kind = if compact {
            self.pointer_size.pick(HeaderKind::COMPACT32, HeaderKind::COMPACT64)
        } else {
            self.pointer_size.pick(HeaderKind::SYSTEM32, HeaderKind::SYSTEM64)
        };
        kernel_start(out, self.version, kind, self.group, self.opcode);
        out.extend(self.tid.to_le_bytes());
        out.extend(self.pid.to_le_bytes());
        out.extend(self.time.to_le_bytes());
        if !compact {
            out.extend(self.kernel_time.to_le_bytes());
            out.extend(self.user_time.to_le_bytes());
        }
    }
}

impl PerfInfo<'_> {
    /// Appends the record as in a buffer. Returns `false`, and appends nothing, if the record does not fit the size
    /// field.
    pub fn append(&self, payload: &[u8], out: &mut Vec<u8>) -> bool {
        append(out, |out| self.encode(out), payload)
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let counters = &self.counters[..self.counters.len().min(7)];
        let mut version = u16::from(self.version) | (counters.len() as u16) << PERFINFO_COUNTERS_SHIFT;
        if self.pebs_index.is_some() {
            version |= PERFINFO_PEBS_INDEX;
        }
        let kind = self.pointer_size.pick(HeaderKind::PERFINFO32, HeaderKind::PERFINFO64);
        kernel_start(out, version, kind, self.group, self.opcode);
        out.extend(self.time.to_le_bytes());
        for value in self.pebs_index.iter().chain(counters) {
            out.extend(value.to_le_bytes());
        }
    }
}

impl Full {
    /// Appends the record with a FULL header, as in a buffer. Returns `false`, and appends nothing, if the record does not
    /// fit the size field.
    pub fn append(&self, payload: &[u8], out: &mut Vec<u8>) -> bool {
        append(out, |out| self.encode(None, out), payload)
    }

    pub(crate) fn encode(&self, instance: Option<&Instance>, out: &mut Vec<u8>) {
        let kind = match instance {
            None => self.pointer_size.pick(HeaderKind::FULL32, HeaderKind::FULL64),
            Some(_) => self.pointer_size.pick(HeaderKind::INSTANCE32, HeaderKind::INSTANCE64),
        };
        out.extend([0, 0, kind.0, EVENT_TRACE, self.opcode, self.level]);
        out.extend(self.version.to_le_bytes());
        out.extend(self.tid.to_le_bytes());
        out.extend(self.pid.to_le_bytes());
        out.extend(self.time.to_le_bytes());
        out.extend(self.guid.to_bytes());
        out.extend(self.kernel_time.to_le_bytes());
        out.extend(self.user_time.to_le_bytes());
        if let Some(instance) = instance {
            out.extend(instance.id.to_le_bytes());
            out.extend(instance.parent_id.to_le_bytes());
            out.extend(instance.parent_class.to_bytes());
        }
    }
}

impl Event {
    /// Appends the record as in a buffer. Returns `false`, and appends nothing, if the record does not fit the size field.
    pub fn append(&self, items: &[ExtendedItem<'_>], payload: &[u8], out: &mut Vec<u8>) -> bool {
        append(out, |out| self.encode(items, out), payload)
    }

    pub(crate) fn encode(&self, items: &[ExtendedItem<'_>], out: &mut Vec<u8>) {
        let kind = self.pointer_size.pick(HeaderKind::EVENT32, HeaderKind::EVENT64);
        let flags = if items.is_empty() {
            self.flags.without(EventFlags::EXTENDED_INFO)
        } else {
            self.flags.with(EventFlags::EXTENDED_INFO)
        };
        out.extend([0, 0, kind.0, EVENT_TRACE]);
        out.extend(flags.0.to_le_bytes());
        out.extend(self.property.to_le_bytes());
        out.extend(self.tid.to_le_bytes());
        out.extend(self.pid.to_le_bytes());
        out.extend(self.time.to_le_bytes());
        out.extend(self.provider.to_bytes());
        out.extend(self.id.to_le_bytes());
        out.extend([self.version, self.channel, self.level, self.opcode]);
        out.extend(self.task.to_le_bytes());
        out.extend(self.keyword.to_le_bytes());
        out.extend(self.processor_time.to_le_bytes());
        out.extend(self.activity_id.to_bytes());
        for (i, item) in items.iter().enumerate() {
            let total = (EXTENDED_ITEM_HEADER_SIZE + item.data.len()).next_multiple_of(8);
            let linkage = if i + 1 < items.len() { EXTENDED_LINKAGE } else { 0 };
            let end = out.len() + total;
            // Sizes that do not fit 16 bits make the record too long for its own size field, which is refused there.
            out.extend((total as u16).to_le_bytes());
            out.extend(item.kind.0.to_le_bytes());
            out.extend(linkage.to_le_bytes());
            out.extend((item.data.len() as u16).to_le_bytes());
            out.extend(item.data);
            out.resize(end, 0);
        }
    }
}

impl Message {
    /// Appends the record with a MESSAGE header, as in a buffer. Returns `false`, and appends nothing, if the record does not fit the
    /// size field.
    pub fn append(&self, payload: &[u8], out: &mut Vec<u8>) -> bool {
        append(out, |out| self.encode(out), payload)
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let mut options = self.pointer_size.pick_option();
        let mut parts = Vec::new();
        if let Some(sequence) = self.sequence {
            options = options.with(MessageOptions::SEQUENCE);
            parts.extend(sequence.to_le_bytes());
        }
        if let Some(guid) = self.guid {
            options = options.with(MessageOptions::GUID);
            parts.extend(guid.to_bytes());
        } else if let Some(component) = self.component {
            options = options.with(MessageOptions::COMPONENT_ID);
            parts.extend(component.to_le_bytes());
        }
        if let Some(time) = self.time {
            options = options.with(MessageOptions::PERFORMANCE_TIMESTAMP);
            parts.extend(time.to_le_bytes());
        }
        if let Some((tid, pid)) = self.ids {
            options = options.with(MessageOptions::SYSTEM_INFO);
            parts.extend(tid.to_le_bytes());
            parts.extend(pid.to_le_bytes());
        }
        out.extend([0, 0, HeaderKind::MESSAGE.0, MARKER_TRACE_HEADER | MARKER_MESSAGE]);
        out.extend(self.number.to_le_bytes());
        out.extend(options.0.to_le_bytes());
        out.extend(parts);
    }
}

impl PointerSize {
    const fn pick_option(self) -> MessageOptions {
        match self {
            PointerSize::P32 => MessageOptions::POINTER32,
            PointerSize::P64 => MessageOptions::POINTER64,
        }
    }
}

fn kernel_start(out: &mut Vec<u8>, version: u16, kind: HeaderKind, group: u8, opcode: u8) {
    out.extend(version.to_le_bytes());
    out.extend([kind.0, EVENT_TRACE, 0, 0, opcode, group]);
}

fn append(out: &mut Vec<u8>, header: impl FnOnce(&mut Vec<u8>), payload: &[u8]) -> bool {
    let start = out.len();
    header(out);
    out.extend_from_slice(payload);
    let fits = set_size(&mut out[start..]);
    if !fits {
        out.truncate(start);
    }
    fits
}

/// Fills in the size of a complete record that starts at the beginning of `record`; `false` when it is too long.
pub(crate) fn set_size(record: &mut [u8]) -> bool {
    let Ok(size) = u16::try_from(record.len()) else { return false };
    let kind = usize::from(record[2]) % crate::def::record::SHAPE_COUNT;
    let at = usize::from(crate::def::record::SHAPES[kind].size_at);
    record[at..at + 2].copy_from_slice(&size.to_le_bytes());
    true
}
