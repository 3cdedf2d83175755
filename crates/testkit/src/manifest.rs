//! Layouts of the manifest events of the sample, as merging tools put them into a trace: one EventInfo record for
//! each kind of event, holding the `TRACE_EVENT_INFO` (tdh.h) that Windows had for it.

use crate::dotnet::{CLR, DNS_CLIENT};
use crate::emit::{Descriptor, Payload};
use tracewell_types::Guid;

/// Bytes of a `TRACE_EVENT_INFO` before its properties, and of each property.
const INFO_SIZE: usize = 112;
const PROPERTY_SIZE: usize = 24;

/// A field's type: `TDH_INTYPE_*` and `TDH_OUTTYPE_*` numbers, and its bytes if they are always the same.
#[derive(Clone, Copy)]
pub(crate) struct FieldKind {
    input: u16,
    output: u16,
    pub(crate) size: Option<usize>,
}

pub(crate) const TEXT: FieldKind = FieldKind { input: 1, output: 1, size: None };
const U16: FieldKind = FieldKind { input: 6, output: 6, size: Some(2) };
const U32: FieldKind = FieldKind { input: 8, output: 8, size: Some(4) };
const U64: FieldKind = FieldKind { input: 10, output: 10, size: Some(8) };
const HEX16: FieldKind = FieldKind { input: 6, output: 17, size: Some(2) };
const HEX32: FieldKind = FieldKind { input: 8, output: 18, size: Some(4) };
const HEX64: FieldKind = FieldKind { input: 10, output: 19, size: Some(8) };
const POINTER: FieldKind = FieldKind { input: 16, output: 0, size: Some(8) };

/// A type of manifest event.
pub(crate) struct ManifestEvent {
    pub(crate) provider: Guid,
    provider_name: &'static str,
    task_name: &'static str,
    opcode_name: &'static str,
    pub(crate) descriptor: Descriptor,
    pub(crate) fields: &'static [(&'static str, FieldKind)],
}

const fn clr(
    descriptor: Descriptor,
    task_name: &'static str,
    opcode_name: &'static str,
    fields: &'static [(&'static str, FieldKind)],
) -> ManifestEvent {
    let provider_name = "Microsoft-Windows-DotNETRuntime";
    ManifestEvent { provider: CLR, provider_name, task_name, opcode_name, descriptor, fields }
}

const fn dns(descriptor: Descriptor, fields: &'static [(&'static str, FieldKind)]) -> ManifestEvent {
    let provider_name = "Microsoft-Windows-DNS-Client";
    let (task_name, opcode_name) = ("", "");
    ManifestEvent { provider: DNS_CLIENT, provider_name, task_name, opcode_name, descriptor, fields }
}

const fn clr_event(id: u16, version: u8, level: u8, opcode: u8, task: u16, keyword: u64) -> Descriptor {
    Descriptor { id, version, channel: 0, level, opcode, task, keyword }
}

const fn dns_event(id: u16) -> Descriptor {
    Descriptor { id, version: 0, channel: 16, level: 4, opcode: 0, task: 0, keyword: 0x8000_0000_0000_0000 }
}

pub(crate) static GC_START: ManifestEvent = clr(
    clr_event(1, 2, 4, 1, 1, 0x1),
    "GarbageCollection",
    "Start",
    &[
        ("Count", U32),
        ("Depth", U32),
        ("Reason", U32),
        ("Type", U32),
        ("ClrInstanceID", U16),
        ("ClientSequenceNumber", U64),
    ],
);

pub(crate) static GC_END: ManifestEvent = clr(
    clr_event(2, 1, 4, 2, 1, 0x1),
    "GarbageCollection",
    "Stop",
    &[("Count", U32), ("Depth", U32), ("ClrInstanceID", U16)],
);

pub(crate) static HEAP_STATS: ManifestEvent = clr(
    clr_event(4, 1, 4, 133, 1, 0x1),
    "GarbageCollection",
    "HeapStats",
    &[
        ("GenerationSize0", HEX64),
        ("TotalPromotedSize0", HEX64),
        ("GenerationSize1", HEX64),
        ("TotalPromotedSize1", HEX64),
        ("GenerationSize2", HEX64),
        ("TotalPromotedSize2", HEX64),
        ("GenerationSize3", HEX64),
        ("TotalPromotedSize3", HEX64),
        ("FinalizationPromotedSize", HEX64),
        ("FinalizationPromotedCount", U64),
        ("PinnedObjectCount", U32),
        ("SinkBlockCount", U32),
        ("GCHandleCount", U32),
        ("ClrInstanceID", U16),
    ],
);

pub(crate) static ALLOCATION_TICK: ManifestEvent = clr(
    clr_event(10, 3, 5, 11, 1, 0x1),
    "GarbageCollection",
    "AllocationTick",
    &[
        ("AllocationAmount", HEX32),
        ("AllocationKind", U32),
        ("ClrInstanceID", U16),
        ("AllocationAmount64", HEX64),
        ("TypeID", POINTER),
        ("TypeName", TEXT),
        ("HeapIndex", U32),
        ("Address", POINTER),
    ],
);

pub(crate) static EXCEPTION: ManifestEvent = clr(
    clr_event(80, 1, 2, 1, 7, 0x8000),
    "Exception",
    "Start",
    &[
        ("ExceptionType", TEXT),
        ("ExceptionMessage", TEXT),
        ("ExceptionEIP", POINTER),
        ("ExceptionHRESULT", HEX32),
        ("ExceptionFlags", HEX16),
        ("ClrInstanceID", U16),
    ],
);

pub(crate) static METHOD_LOAD: ManifestEvent = clr(
    clr_event(143, 1, 4, 37, 9, 0x30),
    "Method",
    "LoadVerbose",
    &[
        ("MethodID", HEX64),
        ("ModuleID", HEX64),
        ("MethodStartAddress", HEX64),
        ("MethodSize", HEX32),
        ("MethodToken", HEX32),
        ("MethodFlags", HEX32),
        ("MethodNamespace", TEXT),
        ("MethodName", TEXT),
        ("MethodSignature", TEXT),
        ("ClrInstanceID", U16),
    ],
);

pub(crate) static DNS_QUERY: ManifestEvent = dns(
    dns_event(3006),
    &[
        ("QueryName", TEXT),
        ("QueryType", U32),
        ("QueryOptions", U64),
        ("ServerList", TEXT),
        ("IsNetworkQuery", U32),
        ("NetworkQueryIndex", U32),
        ("InterfaceIndex", U32),
        ("IsAsyncQuery", U32),
    ],
);

pub(crate) static DNS_ANSWER: ManifestEvent = dns(
    dns_event(3008),
    &[
        ("QueryName", TEXT),
        ("QueryType", U32),
        ("QueryOptions", U64),
        ("QueryStatus", U32),
        ("QueryResults", TEXT),
    ],
);

/// Every kind of manifest event in the sample.
pub(crate) static EVENTS: [&ManifestEvent; 8] =
    [&GC_START, &GC_END, &HEAP_STATS, &ALLOCATION_TICK, &EXCEPTION, &METHOD_LOAD, &DNS_QUERY, &DNS_ANSWER];

/// The `TRACE_EVENT_INFO` of an event, names behind the properties.
pub(crate) fn event_info(event: &ManifestEvent) -> Vec<u8> {
    let mut names = Vec::new();
    let mut name = |text: &str| {
        if text.is_empty() {
            return 0;
        }
        let offset = INFO_SIZE + PROPERTY_SIZE * event.fields.len() + names.len();
        names.extend(Payload::new().utf16(text).0);
        offset as u32
    };
    let descriptor = &event.descriptor;
    let count = event.fields.len() as u32;
    let mut properties = Payload::new();
    for (field, kind) in event.fields {
        // Flags, name, types, no map, count, length (0 for text, which ends itself), reserved.
        properties = properties
            .u32(0)
            .u32(name(field))
            .u16(kind.input)
            .u16(kind.output)
            .u32(0)
            .u16(1)
            .u16(kind.size.unwrap_or(0) as u16)
            .u32(0);
    }
    let info = Payload::new()
        .guid(event.provider)
        // No id for class consumers.
        .guid(Guid::ZERO)
        .u16(descriptor.id)
        .u8(descriptor.version)
        .u8(descriptor.channel)
        .u8(descriptor.level)
        .u8(descriptor.opcode)
        .u16(descriptor.task)
        .u64(descriptor.keyword)
        // Decoding source: an XML manifest.
        .u32(0)
        .u32(name(event.provider_name))
        // No names of level, channel and keywords.
        .zeros(12)
        .u32(name(event.task_name))
        .u32(name(event.opcode_name))
        // No messages, no binary XML, no names of activities.
        .zeros(24)
        .u32(count)
        .u32(count)
        .u32(0);
    info.bytes(&properties.0).bytes(&names).0
}
