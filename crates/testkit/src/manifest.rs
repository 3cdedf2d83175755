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
    pub(crate) input: u16,
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
/// `TDH_INTYPE_BINARY`: as many bytes as the number before it says.
pub(crate) const BINARY: u16 = 14;
const COUNTED: FieldKind = FieldKind { input: BINARY, output: 0, size: None };

/// Names and types of fields.
type Fields = &'static [(&'static str, FieldKind)];

/// A type of manifest event.
pub(crate) struct ManifestEvent {
    pub(crate) provider: Guid,
    provider_name: &'static str,
    task_name: &'static str,
    opcode_name: &'static str,
    pub(crate) descriptor: Descriptor,
    pub(crate) fields: Fields,
}

const fn clr(
    descriptor: Descriptor,
    task_name: &'static str,
    opcode_name: &'static str,
    fields: Fields,
) -> ManifestEvent {
    let provider_name = "Microsoft-Windows-DotNETRuntime";
    ManifestEvent { provider: CLR, provider_name, task_name, opcode_name, descriptor, fields }
}

const fn dns(descriptor: Descriptor, fields: Fields) -> ManifestEvent {
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

/// Of the adapter's filter, and of PowerShell; descriptions of these are built in.
const fn plain(
    provider: Guid,
    provider_name: &'static str,
    descriptor: Descriptor,
    fields: Fields,
) -> ManifestEvent {
    ManifestEvent { provider, provider_name, task_name: "", opcode_name: "", descriptor, fields }
}

pub(crate) const CAPTURE: Guid = Guid::parse("2ed6006e-4729-4609-b423-3ee7bcd678ef");
pub(crate) const POWERSHELL: Guid = Guid::parse("a0c1853b-5c40-4b15-8766-3cf1c58f985a");
/// One packet of Ethernet, in one part.
const WHOLE: u64 = 0x4000_0000_C000_0001;

const fn packet(keyword: u64) -> ManifestEvent {
    let descriptor = Descriptor {
        id: 1001,
        version: 0,
        channel: 16,
        level: 4,
        opcode: 0,
        task: 0,
        keyword: WHOLE | keyword,
    };
    plain(
        CAPTURE,
        "Microsoft-Windows-NDIS-PacketCapture",
        descriptor,
        &[("MiniportIfIndex", U32), ("LowerIfIndex", U32), ("FragmentSize", U32), ("Fragment", COUNTED)],
    )
}

pub(crate) static PACKET_SENT: ManifestEvent = packet(0x1_0000_0000);
pub(crate) static PACKET_CAME: ManifestEvent = packet(0x2_0000_0000);

pub(crate) static SCRIPT_BLOCK: ManifestEvent = plain(
    POWERSHELL,
    "Microsoft-Windows-PowerShell",
    Descriptor { id: 4104, version: 1, channel: 16, level: 5, opcode: 15, task: 2, keyword: 0x1 },
    &[
        ("MessageNumber", U32),
        ("MessageTotal", U32),
        ("ScriptBlockText", TEXT),
        ("ScriptBlockId", TEXT),
        ("Path", TEXT),
    ],
);

pub(crate) static COMMAND: ManifestEvent = plain(
    POWERSHELL,
    "Microsoft-Windows-PowerShell",
    Descriptor { id: 7937, version: 1, channel: 17, level: 4, opcode: 0, task: 0, keyword: 0x20 },
    &[("ContextInfo", TEXT), ("UserData", TEXT), ("Payload", TEXT)],
);

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

/// An event whose layout is not in the trace: it is one that readers know.
const fn known(
    provider: Guid,
    (id, version, level): (u16, u8, u8),
    (opcode, task): (u8, u16),
    keyword: u64,
    fields: Fields,
) -> ManifestEvent {
    let descriptor = Descriptor { id, version, channel: 0, level, opcode, task, keyword };
    ManifestEvent { provider, provider_name: "", task_name: "", opcode_name: "", descriptor, fields }
}

/// Microsoft-Windows-Win32k.
pub(crate) const WIN32K: Guid = Guid::parse("8c416c79-d49b-4f01-a467-e56d3aa8234c");
/// Microsoft-Windows-DxgKrnl.
pub(crate) const DXGKRNL: Guid = Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d");

pub(crate) static SUSPEND_BEGIN: ManifestEvent =
    known(CLR, (9, 1, 4), (137, 1), 1, &[("Reason", U32), ("Count", U32), ("ClrInstanceID", U16)]);
pub(crate) static SUSPEND_END: ManifestEvent = known(CLR, (8, 1, 4), (136, 1), 1, &[("ClrInstanceID", U16)]);
pub(crate) static RESTART_BEGIN: ManifestEvent =
    known(CLR, (7, 1, 4), (135, 1), 1, &[("ClrInstanceID", U16)]);
pub(crate) static RESTART_END: ManifestEvent = known(CLR, (3, 1, 4), (132, 1), 1, &[("ClrInstanceID", U16)]);

pub(crate) static FOCUS: ManifestEvent = known(
    WIN32K,
    (26, 0, 4),
    (0, 0),
    0x2_0000,
    &[("SessionId", U32), ("OldProcessId", U32), ("NewProcessId", U32)],
);
pub(crate) static INPUT_DELAY: ManifestEvent = known(
    WIN32K,
    (37, 0, 4),
    (0, 0),
    0x4_0000,
    &[
        ("Flags", U32),
        ("TimeSinceInputRemoveMs", U32),
        ("TimeSinceOldestInputMs", U32),
        ("ClassName", TEXT),
        ("TopLevelClassName", TEXT),
        ("ImagePath", TEXT),
        ("MessageId", U32),
        ("WParam", U64),
    ],
);

pub(crate) static PRESENT: ManifestEvent = known(
    DXGKRNL,
    (184, 1, 0),
    (0, 0),
    0x800_0001,
    &[
        ("hContext", U32),
        ("hWindow", POINTER),
        ("VidPnSourceId", U32),
        ("FlipInterval", U32),
        ("Flags", U32),
        ("ReturnStatus", U32),
        ("hSrcAllocHandle", POINTER),
        ("hDstAllocHandle", POINTER),
    ],
);
pub(crate) static QUEUE_START: ManifestEvent = known(
    DXGKRNL,
    (178, 1, 0),
    (1, 0),
    1,
    &[
        ("hContext", POINTER),
        ("PacketType", U32),
        ("SubmitSequence", U32),
        ("DmaBufferSize", U64),
        ("AllocationListSize", U32),
        ("PatchLocationListSize", U32),
        ("bPresent", U32),
        ("hDmaBuffer", POINTER),
        ("pQueuePacket", POINTER),
        ("ProgressFenceValue", U64),
    ],
);
pub(crate) static QUEUE_STOP: ManifestEvent = known(
    DXGKRNL,
    (180, 1, 0),
    (2, 0),
    1,
    &[
        ("hContext", POINTER),
        ("PacketType", U32),
        ("SubmitSequence", U32),
        ("bPreempted", U32),
        ("bTimeouted", U32),
        ("pQueuePacket", POINTER),
    ],
);
pub(crate) static DMA_START: ManifestEvent = known(
    DXGKRNL,
    (175, 1, 0),
    (1, 0),
    1,
    &[
        ("hContext", POINTER),
        ("hQueuePacketContext", POINTER),
        ("PacketType", U32),
        ("uliSubmissionId", U64),
        ("ulQueueSubmitSequence", U32),
        ("pDmaBuffer", POINTER),
        ("QuantumStatus", U32),
    ],
);
pub(crate) static DMA_STOP: ManifestEvent = known(
    DXGKRNL,
    (176, 0, 0),
    (2, 0),
    1,
    &[
        ("hContext", POINTER),
        ("PacketType", U32),
        ("uliCompletionId", U64),
        ("ulQueueSubmitSequence", U32),
        ("bPreempted", U32),
    ],
);
pub(crate) static DMA_DONE: ManifestEvent = known(
    DXGKRNL,
    (177, 1, 0),
    (0, 0),
    1,
    &[
        ("hContext", POINTER),
        ("PacketType", U32),
        ("uliCompletionId", U64),
        ("ulQueueSubmitSequence", U32),
        ("InterruptType", U32),
        ("QuantumStatus", U32),
        ("FaultedVirtualAddress", U64),
        ("PageFaultFlags", U32),
        ("FaultedProcessHandle", POINTER),
    ],
);

/// Every kind of event of the sample whose layout is not in the trace.
#[cfg(test)]
pub(crate) static KNOWN: [&ManifestEvent; 15] = [
    &PACKET_SENT,
    &SCRIPT_BLOCK,
    &COMMAND,
    &SUSPEND_BEGIN,
    &SUSPEND_END,
    &RESTART_BEGIN,
    &RESTART_END,
    &FOCUS,
    &INPUT_DELAY,
    &PRESENT,
    &QUEUE_START,
    &QUEUE_STOP,
    &DMA_START,
    &DMA_STOP,
    &DMA_DONE,
];

/// Every kind of manifest event in the sample whose layout merging adds.
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
