//! Made from `tables/bundled.providers` by `cargo run -p xtask -- schema`. Do not edit.

use std::borrow::Cow;

use tracewell_types::Guid;

use crate::model::{Count, Field, FieldType, Hint, Length, Version};
use crate::{Provider, ProviderEvent, ValueMap};

/// Every provider, by ascending bytes of the GUID.
pub(crate) static PROVIDERS: [Provider; 16] = [
    Provider { name: Cow::Borrowed("Microsoft-Windows-HttpService"), guid: Guid::parse("dd5ef90a-6398-47a4-ad34-4dcecdef795f"), events: Cow::Borrowed(&EVENTS_9), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-DotNETRuntimeRundown"), guid: Guid::parse("a669021c-c450-4609-a035-5af59af4df18"), events: Cow::Borrowed(&EVENTS_1), keywords: Cow::Borrowed(&[(0x1, Cow::Borrowed("GC")), (0x8, Cow::Borrowed("Loader")), (0x10, Cow::Borrowed("Jit")), (0x20, Cow::Borrowed("NGen")), (0x40, Cow::Borrowed("Start")), (0x80, Cow::Borrowed("End")), (0x800, Cow::Borrowed("AppDomainResourceManagement")), (0x10000, Cow::Borrowed("Threading")), (0x20000, Cow::Borrowed("JittedMethodILToNativeMap")), (0x40000, Cow::Borrowed("OverrideAndSuppressNGenEvents")), (0x20000000, Cow::Borrowed("PerfTrack")), (0x40000000, Cow::Borrowed("Stack"))]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-DotNETRuntime"), guid: Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), events: Cow::Borrowed(&EVENTS_0), keywords: Cow::Borrowed(&[(0x1, Cow::Borrowed("GC")), (0x2, Cow::Borrowed("GCHandle")), (0x4, Cow::Borrowed("Fusion")), (0x8, Cow::Borrowed("Loader")), (0x10, Cow::Borrowed("Jit")), (0x20, Cow::Borrowed("NGen")), (0x40, Cow::Borrowed("StartEnumeration")), (0x80, Cow::Borrowed("EndEnumeration")), (0x400, Cow::Borrowed("Security")), (0x800, Cow::Borrowed("AppDomainResourceManagement")), (0x1000, Cow::Borrowed("JitTracing")), (0x2000, Cow::Borrowed("Interop")), (0x4000, Cow::Borrowed("Contention")), (0x8000, Cow::Borrowed("Exception")), (0x10000, Cow::Borrowed("Threading")), (0x20000, Cow::Borrowed("JittedMethodILToNativeMap")), (0x40000, Cow::Borrowed("OverrideAndSuppressNGenEvents")), (0x80000, Cow::Borrowed("Type")), (0x100000, Cow::Borrowed("GCHeapDump")), (0x200000, Cow::Borrowed("GCSampledObjectAllocationHigh")), (0x400000, Cow::Borrowed("GCHeapSurvivalAndMovement")), (0x800000, Cow::Borrowed("GCHeapCollect")), (0x1000000, Cow::Borrowed("GCHeapAndTypeNames")), (0x2000000, Cow::Borrowed("GCSampledObjectAllocationLow")), (0x20000000, Cow::Borrowed("PerfTrack")), (0x40000000, Cow::Borrowed("Stack")), (0x80000000, Cow::Borrowed("ThreadTransfer"))]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Kernel-File"), guid: Guid::parse("edd08927-9cc4-4e65-b970-c2560fb5c289"), events: Cow::Borrowed(&EVENTS_4), keywords: Cow::Borrowed(&[(0x10, Cow::Borrowed("KERNEL_FILE_KEYWORD_FILENAME")), (0x20, Cow::Borrowed("KERNEL_FILE_KEYWORD_FILEIO")), (0x40, Cow::Borrowed("KERNEL_FILE_KEYWORD_OP_END")), (0x80, Cow::Borrowed("KERNEL_FILE_KEYWORD_CREATE")), (0x100, Cow::Borrowed("KERNEL_FILE_KEYWORD_READ")), (0x200, Cow::Borrowed("KERNEL_FILE_KEYWORD_WRITE")), (0x400, Cow::Borrowed("KERNEL_FILE_KEYWORD_DELETE_PATH")), (0x800, Cow::Borrowed("KERNEL_FILE_KEYWORD_RENAME_SETLINK_PATH")), (0x1000, Cow::Borrowed("KERNEL_FILE_KEYWORD_CREATE_NEW_FILE"))]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Kernel-EventTracing"), guid: Guid::parse("b675ec37-bdb6-4648-bc92-f3fdc74d3ca2"), events: Cow::Borrowed(&EVENTS_6), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-PowerShell"), guid: Guid::parse("a0c1853b-5c40-4b15-8766-3cf1c58f985a"), events: Cow::Borrowed(&EVENTS_8), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("System.Threading.Tasks.TplEventSource"), guid: Guid::parse("2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5"), events: Cow::Borrowed(&EVENTS_13), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Kernel-Network"), guid: Guid::parse("7dd42a49-5329-4832-8dfd-43d979153a88"), events: Cow::Borrowed(&EVENTS_5), keywords: Cow::Borrowed(&[(0x10, Cow::Borrowed("KERNEL_NETWORK_KEYWORD_IPV4")), (0x20, Cow::Borrowed("KERNEL_NETWORK_KEYWORD_IPV6"))]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-DotNETRuntimePrivate"), guid: Guid::parse("763fd754-7086-4dfe-95eb-c01a46faf4ca"), events: Cow::Borrowed(&EVENTS_2), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-DxgKrnl"), guid: Guid::parse("802ec45a-1e99-4b83-9920-87c98277ba9d"), events: Cow::Borrowed(&EVENTS_15), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-DNS-Client"), guid: Guid::parse("1c95126e-7eea-49a9-a3fe-a378b03ddb4d"), events: Cow::Borrowed(&EVENTS_7), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Win32k"), guid: Guid::parse("8c416c79-d49b-4f01-a467-e56d3aa8234c"), events: Cow::Borrowed(&EVENTS_11), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("System.Diagnostics.Eventing.FrameworkEventSource"), guid: Guid::parse("8e9f5090-2d75-4d03-8a81-e5afbf85daf1"), events: Cow::Borrowed(&EVENTS_14), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Win32k"), guid: Guid::parse("e7ef96be-969f-414f-97d7-3ddb7b558ccc"), events: Cow::Borrowed(&EVENTS_12), keywords: Cow::Borrowed(&[]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-Kernel-Process"), guid: Guid::parse("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"), events: Cow::Borrowed(&EVENTS_3), keywords: Cow::Borrowed(&[(0x10, Cow::Borrowed("WINEVENT_KEYWORD_PROCESS")), (0x20, Cow::Borrowed("WINEVENT_KEYWORD_THREAD")), (0x40, Cow::Borrowed("WINEVENT_KEYWORD_IMAGE")), (0x80, Cow::Borrowed("WINEVENT_KEYWORD_CPU_PRIORITY")), (0x100, Cow::Borrowed("WINEVENT_KEYWORD_OTHER_PRIORITY")), (0x200, Cow::Borrowed("WINEVENT_KEYWORD_PROCESS_FREEZE")), (0x400, Cow::Borrowed("WINEVENT_KEYWORD_JOB"))]) },
    Provider { name: Cow::Borrowed("Microsoft-Windows-TCPIP"), guid: Guid::parse("2f07e2ee-15db-40f1-90ef-9d7ba282188a"), events: Cow::Borrowed(&EVENTS_10), keywords: Cow::Borrowed(&[]) },
];

static MAP_0_APPDOMAINFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("AppDomainFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Default")),
        (2, Cow::Borrowed("Executable")),
        (4, Cow::Borrowed("Shared")),
    ]),
};

static MAP_0_ASSEMBLYFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("AssemblyFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DomainNeutral")),
        (2, Cow::Borrowed("Dynamic")),
        (4, Cow::Borrowed("Native")),
        (8, Cow::Borrowed("Collectible")),
    ]),
};

static MAP_0_BUCKETKINDMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("BucketKindMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("FreeListInGen2")),
        (1, Cow::Borrowed("PlugsInCondemned")),
    ]),
};

static MAP_0_CONTENTIONFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ContentionFlagsMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Managed")),
        (1, Cow::Borrowed("Native")),
    ]),
};

static MAP_0_EXCEPTIONTHROWNFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ExceptionThrownFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("HasInnerException")),
        (2, Cow::Borrowed("Nested")),
        (4, Cow::Borrowed("ReThrown")),
        (8, Cow::Borrowed("CorruptedState")),
        (16, Cow::Borrowed("CLSCompliant")),
    ]),
};

static MAP_0_GCALLOCATIONKINDMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCAllocationKindMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Small")),
        (1, Cow::Borrowed("Large")),
    ]),
};

static MAP_0_GCHANDLEKINDMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCHandleKindMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("WeakShort")),
        (1, Cow::Borrowed("WeakLong")),
        (2, Cow::Borrowed("Strong")),
        (3, Cow::Borrowed("Pinned")),
        (4, Cow::Borrowed("Variable")),
        (5, Cow::Borrowed("RefCounted")),
        (6, Cow::Borrowed("Dependent")),
        (7, Cow::Borrowed("AsyncPinned")),
        (8, Cow::Borrowed("SizedRef")),
    ]),
};

static MAP_0_GCREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("AllocSmall")),
        (1, Cow::Borrowed("Induced")),
        (2, Cow::Borrowed("LowMemory")),
        (3, Cow::Borrowed("Empty")),
        (4, Cow::Borrowed("AllocLarge")),
        (5, Cow::Borrowed("OutOfSpaceSmallObjectHeap")),
        (6, Cow::Borrowed("OutOfSpaceLargeObjectHeap")),
        (7, Cow::Borrowed("InducedNoForce")),
        (8, Cow::Borrowed("Stress")),
        (9, Cow::Borrowed("InducedLowMemory")),
    ]),
};

static MAP_0_GCROOTCCWFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCRootCCWFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Strong")),
        (2, Cow::Borrowed("Pegged")),
    ]),
};

static MAP_0_GCROOTFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCRootFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Pinning")),
        (2, Cow::Borrowed("WeakRef")),
        (4, Cow::Borrowed("Interior")),
        (8, Cow::Borrowed("RefCounted")),
    ]),
};

static MAP_0_GCROOTKINDMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCRootKindMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Stack")),
        (1, Cow::Borrowed("Finalizer")),
        (2, Cow::Borrowed("Handle")),
        (3, Cow::Borrowed("Other")),
    ]),
};

static MAP_0_GCROOTSTATICVARFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCRootStaticVarFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ThreadLocal")),
    ]),
};

static MAP_0_GCROOTTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCRootTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Stack")),
        (1, Cow::Borrowed("FinalizeQueue")),
        (2, Cow::Borrowed("Handles")),
        (3, Cow::Borrowed("Older")),
        (4, Cow::Borrowed("SizedRef")),
        (5, Cow::Borrowed("Overflow")),
        (6, Cow::Borrowed("DependentHandles")),
        (7, Cow::Borrowed("NewFQ")),
        (8, Cow::Borrowed("Steal")),
        (9, Cow::Borrowed("BGC")),
    ]),
};

static MAP_0_GCSEGMENTTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCSegmentTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("SmallObjectHeap")),
        (1, Cow::Borrowed("LargeObjectHeap")),
        (2, Cow::Borrowed("ReadOnlyHeap")),
        (3, Cow::Borrowed("PinnedObjectHeap")),
    ]),
};

static MAP_0_GCSUSPENDEEREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCSuspendEEReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("SuspendOther")),
        (1, Cow::Borrowed("SuspendForGC")),
        (2, Cow::Borrowed("SuspendForAppDomainShutdown")),
        (3, Cow::Borrowed("SuspendForCodePitching")),
        (4, Cow::Borrowed("SuspendForShutdown")),
        (5, Cow::Borrowed("SuspendForDebugger")),
        (6, Cow::Borrowed("SuspendForGCPrep")),
        (7, Cow::Borrowed("SuspendForDebuggerSweep")),
    ]),
};

static MAP_0_GCTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("NonConcurrentGC")),
        (1, Cow::Borrowed("BackgroundGC")),
        (2, Cow::Borrowed("ForegroundGC")),
    ]),
};

static MAP_0_GLOBALMECHANISMSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GlobalMechanismsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Concurrent")),
        (2, Cow::Borrowed("Compaction")),
        (4, Cow::Borrowed("Promotion")),
        (8, Cow::Borrowed("Demotion")),
        (16, Cow::Borrowed("CardBundles")),
    ]),
};

static MAP_0_ILSTUBGENERATEDFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ILStubGeneratedFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ReverseInterop")),
        (2, Cow::Borrowed("ComInterop")),
        (4, Cow::Borrowed("NGenedStub")),
        (8, Cow::Borrowed("Delegate")),
        (16, Cow::Borrowed("VarArg")),
        (32, Cow::Borrowed("UnmanagedCallee")),
    ]),
};

static MAP_0_METHODFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("MethodFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Dynamic")),
        (2, Cow::Borrowed("Generic")),
        (4, Cow::Borrowed("HasSharedGenericCode")),
        (8, Cow::Borrowed("Jitted")),
    ]),
};

static MAP_0_MODULEFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DomainNeutral")),
        (2, Cow::Borrowed("Native")),
        (4, Cow::Borrowed("Dynamic")),
        (8, Cow::Borrowed("Manifest")),
    ]),
};

static MAP_0_MODULERANGETYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleRangeTypeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (4, Cow::Borrowed("ColdRange")),
    ]),
};

static MAP_0_PAUSEMODEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("PauseModeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Batch")),
        (1, Cow::Borrowed("Interactive")),
        (2, Cow::Borrowed("LowLatency")),
        (3, Cow::Borrowed("SustainedLowLatency")),
        (4, Cow::Borrowed("NoGC")),
    ]),
};

static MAP_0_RUNTIMESKUMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("RuntimeSkuMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DesktopClr")),
        (2, Cow::Borrowed("CoreClr")),
    ]),
};

static MAP_0_STARTUPFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("StartupFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("CONCURRENT_GC")),
        (2, Cow::Borrowed("LOADER_OPTIMIZATION_SINGLE_DOMAIN")),
        (4, Cow::Borrowed("LOADER_OPTIMIZATION_MULTI_DOMAIN")),
        (16, Cow::Borrowed("LOADER_SAFEMODE")),
        (256, Cow::Borrowed("LOADER_SETPREFERENCE")),
        (4096, Cow::Borrowed("SERVER_GC")),
        (8192, Cow::Borrowed("HOARD_GC_VM")),
        (16384, Cow::Borrowed("SINGLE_VERSION_HOSTING_INTERFACE")),
        (65536, Cow::Borrowed("LEGACY_IMPERSONATION")),
        (131072, Cow::Borrowed("DISABLE_COMMITTHREADSTACK")),
        (262144, Cow::Borrowed("ALWAYSFLOW_IMPERSONATION")),
        (524288, Cow::Borrowed("TRIM_GC_COMMIT")),
        (1048576, Cow::Borrowed("ETW")),
        (2097152, Cow::Borrowed("SERVER_BUILD")),
        (4194304, Cow::Borrowed("ARM")),
    ]),
};

static MAP_0_STARTUPMODEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("StartupModeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ManagedExe")),
        (2, Cow::Borrowed("HostedClr")),
        (4, Cow::Borrowed("IjwDll")),
        (8, Cow::Borrowed("ComActivated")),
        (16, Cow::Borrowed("Other")),
    ]),
};

static MAP_0_TAILCALLTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TailCallTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("OptimizedTailCall")),
        (1, Cow::Borrowed("RecursiveLoop")),
        (2, Cow::Borrowed("HelperAssistedTailCall")),
    ]),
};

static MAP_0_THREADADJUSTMENTREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadAdjustmentReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Warmup")),
        (1, Cow::Borrowed("Initializing")),
        (2, Cow::Borrowed("RandomMove")),
        (3, Cow::Borrowed("ClimbingMove")),
        (4, Cow::Borrowed("ChangePoint")),
        (5, Cow::Borrowed("Stabilizing")),
        (6, Cow::Borrowed("Starvation")),
        (7, Cow::Borrowed("ThreadTimedOut")),
    ]),
};

static MAP_0_THREADFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("GCSpecial")),
        (2, Cow::Borrowed("Finalizer")),
        (4, Cow::Borrowed("ThreadPoolWorker")),
    ]),
};

static MAP_0_TYPEFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TypeFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Delegate")),
        (2, Cow::Borrowed("Finalizable")),
        (4, Cow::Borrowed("ExternallyImplementedCOMObject")),
        (8, Cow::Borrowed("Array")),
    ]),
};

static EVENTS_0: [ProviderEvent; 164] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_0) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_1) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_2) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_3) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_4) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("RestartEEStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("RestartEEStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("HeapStats"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_7) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("HeapStats"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_8) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("HeapStats"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_9) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("CreateSegment"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_10) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("CreateSegment"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_11) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FreeSegment"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_12) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FreeSegment"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_13) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("RestartEEStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("RestartEEStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SuspendEEStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SuspendEEStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SuspendEEStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_14) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SuspendEEStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_15) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("AllocationTick"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_16) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("AllocationTick"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_17) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("AllocationTick"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_18) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("AllocationTick"), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_19) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("AllocationTick"), message: Cow::Borrowed(""), layout: Version { number: 4, fields: Cow::Borrowed(&FIELDS_20) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("CreateConcurrentThread"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("CreateConcurrentThread"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("TerminateConcurrentThread"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("TerminateConcurrentThread"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizersStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_21) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizersStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_22) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizersStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizersStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("Type"), opcode: Cow::Borrowed("BulkType"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_24) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkRootEdge"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_26) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkRootConditionalWeakTableElementEdge"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_28) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkNode"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_30) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkEdge"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_32) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCSampledObjectAllocation"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_33) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkSurvivingObjectRanges"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_35) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkMovedObjectRanges"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_37) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCGenerationRange"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_38) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkStackRoots"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkFinalizeQueueRoots"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkHandles"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkCards"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizeObject"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_40) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SetGCHandle"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_41) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("DestoryGCHandle"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_42) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCSampledObjectAllocation"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_33) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("PinObjectAtGCTime"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_43) } },
    ProviderEvent { id: 35, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Triggered"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_44) } },
    ProviderEvent { id: 36, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkRootCCW"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_46) } },
    ProviderEvent { id: 37, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkRCW"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_48) } },
    ProviderEvent { id: 38, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GCBulkRootStaticVar"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_50) } },
    ProviderEvent { id: 40, task: Cow::Borrowed("WorkerThreadCreationV2"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_51) } },
    ProviderEvent { id: 41, task: Cow::Borrowed("WorkerThreadCreationV2"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_51) } },
    ProviderEvent { id: 42, task: Cow::Borrowed("WorkerThreadRetirementV2"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_51) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("WorkerThreadRetirementV2"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_51) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("IOThreadCreation"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_52) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("IOThreadCreation"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_53) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("IOThreadCreation"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_52) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("IOThreadCreation"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_53) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("IOThreadRetirement"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_52) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("IOThreadRetirement"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_53) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("IOThreadRetirement"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_52) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("IOThreadRetirement"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_53) } },
    ProviderEvent { id: 48, task: Cow::Borrowed("ThreadpoolSuspensionV2"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_54) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("ThreadpoolSuspensionV2"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_54) } },
    ProviderEvent { id: 50, task: Cow::Borrowed("ThreadPoolWorkerThread"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_55) } },
    ProviderEvent { id: 51, task: Cow::Borrowed("ThreadPoolWorkerThread"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_55) } },
    ProviderEvent { id: 52, task: Cow::Borrowed("ThreadPoolWorkerThreadRetirement"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_55) } },
    ProviderEvent { id: 53, task: Cow::Borrowed("ThreadPoolWorkerThreadRetirement"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_55) } },
    ProviderEvent { id: 54, task: Cow::Borrowed("ThreadPoolWorkerThreadAdjustment"), opcode: Cow::Borrowed("Sample"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_56) } },
    ProviderEvent { id: 55, task: Cow::Borrowed("ThreadPoolWorkerThreadAdjustment"), opcode: Cow::Borrowed("Adjustment"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_57) } },
    ProviderEvent { id: 56, task: Cow::Borrowed("ThreadPoolWorkerThreadAdjustment"), opcode: Cow::Borrowed("Stats"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_58) } },
    ProviderEvent { id: 57, task: Cow::Borrowed("ThreadPoolWorkerThread"), opcode: Cow::Borrowed("Wait"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_55) } },
    ProviderEvent { id: 60, task: Cow::Borrowed("ThreadPoolWorkingThreadCount"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_22) } },
    ProviderEvent { id: 61, task: Cow::Borrowed("ThreadPool"), opcode: Cow::Borrowed("Enqueue"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_59) } },
    ProviderEvent { id: 62, task: Cow::Borrowed("ThreadPool"), opcode: Cow::Borrowed("Dequeue"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_59) } },
    ProviderEvent { id: 63, task: Cow::Borrowed("ThreadPool"), opcode: Cow::Borrowed("IOEnqueue"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_60) } },
    ProviderEvent { id: 64, task: Cow::Borrowed("ThreadPool"), opcode: Cow::Borrowed("IODequeue"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_61) } },
    ProviderEvent { id: 65, task: Cow::Borrowed("ThreadPool"), opcode: Cow::Borrowed("IOPack"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_61) } },
    ProviderEvent { id: 70, task: Cow::Borrowed("Thread"), opcode: Cow::Borrowed("Creating"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_62) } },
    ProviderEvent { id: 71, task: Cow::Borrowed("Thread"), opcode: Cow::Borrowed("Running"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_62) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("Exception"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("Exception"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_63) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("Contention"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("Contention"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_64) } },
    ProviderEvent { id: 82, task: Cow::Borrowed("ClrStack"), opcode: Cow::Borrowed("Walk"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_65) } },
    ProviderEvent { id: 83, task: Cow::Borrowed("AppDomainResourceManagement"), opcode: Cow::Borrowed("MemAllocated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_66) } },
    ProviderEvent { id: 84, task: Cow::Borrowed("AppDomainResourceManagement"), opcode: Cow::Borrowed("MemSurvived"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_67) } },
    ProviderEvent { id: 85, task: Cow::Borrowed("AppDomainResourceManagement"), opcode: Cow::Borrowed("ThreadCreated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_68) } },
    ProviderEvent { id: 86, task: Cow::Borrowed("AppDomainResourceManagement"), opcode: Cow::Borrowed("ThreadTerminated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_69) } },
    ProviderEvent { id: 87, task: Cow::Borrowed("AppDomainResourceManagement"), opcode: Cow::Borrowed("DomainEnter"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_69) } },
    ProviderEvent { id: 88, task: Cow::Borrowed("ILStub"), opcode: Cow::Borrowed("StubGenerated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_70) } },
    ProviderEvent { id: 89, task: Cow::Borrowed("ILStub"), opcode: Cow::Borrowed("StubCacheHit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_71) } },
    ProviderEvent { id: 91, task: Cow::Borrowed("Contention"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_64) } },
    ProviderEvent { id: 135, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartCompleteV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 136, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCEndCompleteV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 137, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_72) } },
    ProviderEvent { id: 138, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_72) } },
    ProviderEvent { id: 139, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartVerboseV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_73) } },
    ProviderEvent { id: 140, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopVerboseV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_73) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Load"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_72) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Load"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_74) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Load"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_75) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Unload"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_72) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Unload"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_74) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("Unload"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_75) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("LoadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_73) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("LoadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_76) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("LoadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_77) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("UnloadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_73) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("UnloadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_76) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("UnloadVerbose"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_77) } },
    ProviderEvent { id: 145, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("JittingStarted"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_78) } },
    ProviderEvent { id: 145, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("JittingStarted"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_79) } },
    ProviderEvent { id: 149, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStartV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_80) } },
    ProviderEvent { id: 150, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStopV2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_80) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_81) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleLoad"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_82) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_80) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleLoad"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_83) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleLoad"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_84) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleUnload"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_80) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleUnload"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_83) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleUnload"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_84) } },
    ProviderEvent { id: 154, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_85) } },
    ProviderEvent { id: 154, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyLoad"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_86) } },
    ProviderEvent { id: 155, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyUnload"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_85) } },
    ProviderEvent { id: 155, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyUnload"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_86) } },
    ProviderEvent { id: 156, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_87) } },
    ProviderEvent { id: 156, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainLoad"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_88) } },
    ProviderEvent { id: 157, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainUnload"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_87) } },
    ProviderEvent { id: 157, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainUnload"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_88) } },
    ProviderEvent { id: 158, task: Cow::Borrowed("ClrPerfTrack"), opcode: Cow::Borrowed("ModuleRangeLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_89) } },
    ProviderEvent { id: 181, task: Cow::Borrowed("StrongNameVerification"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_90) } },
    ProviderEvent { id: 181, task: Cow::Borrowed("StrongNameVerification"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_91) } },
    ProviderEvent { id: 182, task: Cow::Borrowed("StrongNameVerification"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_90) } },
    ProviderEvent { id: 182, task: Cow::Borrowed("StrongNameVerification"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_91) } },
    ProviderEvent { id: 183, task: Cow::Borrowed("AuthenticodeVerification"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_92) } },
    ProviderEvent { id: 183, task: Cow::Borrowed("AuthenticodeVerification"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_93) } },
    ProviderEvent { id: 184, task: Cow::Borrowed("AuthenticodeVerification"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_92) } },
    ProviderEvent { id: 184, task: Cow::Borrowed("AuthenticodeVerification"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_93) } },
    ProviderEvent { id: 185, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("InliningSucceeded"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_94) } },
    ProviderEvent { id: 186, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("InliningFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_95) } },
    ProviderEvent { id: 187, task: Cow::Borrowed("Runtime"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_96) } },
    ProviderEvent { id: 188, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("TailCallSucceeded"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_97) } },
    ProviderEvent { id: 189, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("TailCallFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_98) } },
    ProviderEvent { id: 190, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("MethodILToNativeMap"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_99) } },
    ProviderEvent { id: 200, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("IncreaseMemoryPressure"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_100) } },
    ProviderEvent { id: 201, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("DecreaseMemoryPressure"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_101) } },
    ProviderEvent { id: 202, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkWithType"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_102) } },
    ProviderEvent { id: 204, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("PerHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_104) } },
    ProviderEvent { id: 205, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GlobalHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_105) } },
    ProviderEvent { id: 205, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GlobalHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_106) } },
    ProviderEvent { id: 205, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GlobalHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 4, fields: Cow::Borrowed(&FIELDS_107) } },
    ProviderEvent { id: 208, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("LOHCompact"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_109) } },
    ProviderEvent { id: 209, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FitBucketInfo"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_111) } },
    ProviderEvent { id: 240, task: Cow::Borrowed("DebugIPCEvent"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 241, task: Cow::Borrowed("DebugIPCEvent"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 242, task: Cow::Borrowed("DebugExceptionProcessing"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 243, task: Cow::Borrowed("DebugExceptionProcessing"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
];

static MAP_1_APPDOMAINFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("AppDomainFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Default")),
        (2, Cow::Borrowed("Executable")),
        (4, Cow::Borrowed("Shared")),
    ]),
};

static MAP_1_ASSEMBLYFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("AssemblyFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DomainNeutral")),
        (2, Cow::Borrowed("Dynamic")),
        (4, Cow::Borrowed("Native")),
        (8, Cow::Borrowed("Collectible")),
    ]),
};

static MAP_1_METHODFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("MethodFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Dynamic")),
        (2, Cow::Borrowed("Generic")),
        (4, Cow::Borrowed("HasSharedGenericCode")),
        (8, Cow::Borrowed("Jitted")),
    ]),
};

static MAP_1_MODULEFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DomainNeutral")),
        (2, Cow::Borrowed("Native")),
        (4, Cow::Borrowed("Dynamic")),
        (8, Cow::Borrowed("Manifest")),
    ]),
};

static MAP_1_MODULERANGETYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleRangeTypeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (4, Cow::Borrowed("ColdRange")),
    ]),
};

static MAP_1_RUNTIMESKUMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("RuntimeSkuMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("DesktopClr")),
        (2, Cow::Borrowed("CoreClr")),
    ]),
};

static MAP_1_STARTUPFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("StartupFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("CONCURRENT_GC")),
        (2, Cow::Borrowed("LOADER_OPTIMIZATION_SINGLE_DOMAIN")),
        (4, Cow::Borrowed("LOADER_OPTIMIZATION_MULTI_DOMAIN")),
        (16, Cow::Borrowed("LOADER_SAFEMODE")),
        (256, Cow::Borrowed("LOADER_SETPREFERENCE")),
        (4096, Cow::Borrowed("SERVER_GC")),
        (8192, Cow::Borrowed("HOARD_GC_VM")),
        (16384, Cow::Borrowed("SINGLE_VERSION_HOSTING_INTERFACE")),
        (65536, Cow::Borrowed("LEGACY_IMPERSONATION")),
        (131072, Cow::Borrowed("DISABLE_COMMITTHREADSTACK")),
        (262144, Cow::Borrowed("ALWAYSFLOW_IMPERSONATION")),
        (524288, Cow::Borrowed("TRIM_GC_COMMIT")),
        (1048576, Cow::Borrowed("ETW")),
        (2097152, Cow::Borrowed("SERVER_BUILD")),
        (4194304, Cow::Borrowed("ARM")),
    ]),
};

static MAP_1_STARTUPMODEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("StartupModeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ManagedExe")),
        (2, Cow::Borrowed("HostedClr")),
        (4, Cow::Borrowed("IjwDll")),
        (8, Cow::Borrowed("ComActivated")),
        (16, Cow::Borrowed("Other")),
    ]),
};

static MAP_1_THREADFLAGSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadFlagsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("GCSpecial")),
        (2, Cow::Borrowed("Finalizer")),
        (4, Cow::Borrowed("ThreadPoolWorker")),
    ]),
};

static EVENTS_1: [ProviderEvent; 47] = [
    ProviderEvent { id: 0, task: Cow::Borrowed("ClrStack"), opcode: Cow::Borrowed("Walk"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_65) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Settings"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_112) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_113) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_114) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStart"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_115) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_113) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_114) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStop"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_115) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartVerbose"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_116) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartVerbose"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_117) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartVerbose"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_118) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopVerbose"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_116) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopVerbose"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_117) } },
    ProviderEvent { id: 144, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopVerbose"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_118) } },
    ProviderEvent { id: 145, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartComplete"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 145, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartComplete"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 146, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopComplete"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 146, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopComplete"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 147, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartInit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 147, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStartInit"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 148, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopInit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 148, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("DCStopInit"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 149, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("MethodDCStartILToNativeMap"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_99) } },
    ProviderEvent { id: 150, task: Cow::Borrowed("Method"), opcode: Cow::Borrowed("MethodDCEndILToNativeMap"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_99) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_119) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleDCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_120) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleDCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_119) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("DomainModuleDCStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_120) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_121) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_122) } },
    ProviderEvent { id: 153, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStart"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_123) } },
    ProviderEvent { id: 154, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_121) } },
    ProviderEvent { id: 154, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_122) } },
    ProviderEvent { id: 154, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ModuleDCStop"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_123) } },
    ProviderEvent { id: 155, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_124) } },
    ProviderEvent { id: 155, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyDCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_125) } },
    ProviderEvent { id: 156, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyDCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_124) } },
    ProviderEvent { id: 156, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AssemblyDCStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_125) } },
    ProviderEvent { id: 157, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_126) } },
    ProviderEvent { id: 157, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainDCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_127) } },
    ProviderEvent { id: 158, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainDCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_126) } },
    ProviderEvent { id: 158, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("AppDomainDCStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_127) } },
    ProviderEvent { id: 159, task: Cow::Borrowed("Loader"), opcode: Cow::Borrowed("ThreadDCStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_128) } },
    ProviderEvent { id: 160, task: Cow::Borrowed("ClrPerfTrack"), opcode: Cow::Borrowed("ModuleRangeDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_129) } },
    ProviderEvent { id: 161, task: Cow::Borrowed("ClrPerfTrack"), opcode: Cow::Borrowed("ModuleRangeDCEnd"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_129) } },
    ProviderEvent { id: 187, task: Cow::Borrowed("Runtime"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_130) } },
    ProviderEvent { id: 280, task: Cow::Borrowed("TieredCompilation"), opcode: Cow::Borrowed("SettingsDCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_131) } },
];

static MAP_2_GCHANDLEKINDMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCHandleKindMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("WeakShort")),
        (1, Cow::Borrowed("WeakLong")),
        (2, Cow::Borrowed("Strong")),
        (3, Cow::Borrowed("Pinned")),
        (4, Cow::Borrowed("Variable")),
        (5, Cow::Borrowed("RefCounted")),
        (6, Cow::Borrowed("Dependent")),
        (7, Cow::Borrowed("AsyncPinned")),
        (8, Cow::Borrowed("SizedRef")),
    ]),
};

static MAP_2_GCREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GCReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("AllocSmall")),
        (1, Cow::Borrowed("Induced")),
        (2, Cow::Borrowed("LowMemory")),
        (3, Cow::Borrowed("Empty")),
        (4, Cow::Borrowed("AllocLarge")),
        (5, Cow::Borrowed("OutOfSpaceSmallObjectHeap")),
        (6, Cow::Borrowed("OutOfSpaceLargeObjectHeap")),
        (7, Cow::Borrowed("InducedNoForce")),
        (8, Cow::Borrowed("Stress")),
        (9, Cow::Borrowed("InducedLowMemory")),
    ]),
};

static MAP_2_GLOBALMECHANISMSMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("GlobalMechanismsMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Concurrent")),
        (2, Cow::Borrowed("Compaction")),
        (4, Cow::Borrowed("Promotion")),
        (8, Cow::Borrowed("Demotion")),
        (16, Cow::Borrowed("CardBundles")),
    ]),
};

static MAP_2_MODULERANGEIBCTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleRangeIBCTypeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("IBCUnprofiledSection")),
        (2, Cow::Borrowed("IBCProfiledSection")),
    ]),
};

static MAP_2_MODULERANGESECTIONTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleRangeSectionTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ModuleSection")),
        (2, Cow::Borrowed("EETableSection")),
        (3, Cow::Borrowed("WriteDataSection")),
        (4, Cow::Borrowed("WriteableDataSection")),
        (5, Cow::Borrowed("DataSection")),
        (6, Cow::Borrowed("RVAStaticsSection")),
        (7, Cow::Borrowed("EEDataSection")),
        (8, Cow::Borrowed("DelayLoadInfoTableEagerSection")),
        (9, Cow::Borrowed("DelayLoadInfoTableSection")),
        (10, Cow::Borrowed("EEReadonlyData")),
        (11, Cow::Borrowed("ReadonlyData")),
        (12, Cow::Borrowed("ClassSection")),
        (13, Cow::Borrowed("CrossDomainInfoSection")),
        (14, Cow::Borrowed("MethodDescSection")),
        (15, Cow::Borrowed("MethodDescWriteableSection")),
        (16, Cow::Borrowed("ExceptionSection")),
        (17, Cow::Borrowed("InstrumentSection")),
        (18, Cow::Borrowed("VirtualImportThunkSection")),
        (19, Cow::Borrowed("ExternalMethodThunkSection")),
        (20, Cow::Borrowed("HelperTableSection")),
        (21, Cow::Borrowed("MethodPrecodeWriteableSection")),
        (22, Cow::Borrowed("MethodPrecodeWriteSection")),
        (23, Cow::Borrowed("MethodPrecodeSection")),
        (24, Cow::Borrowed("Win32ResourcesSection")),
        (25, Cow::Borrowed("HeaderSection")),
        (26, Cow::Borrowed("MetadataSection")),
        (27, Cow::Borrowed("DelayLoadInfoSection")),
        (28, Cow::Borrowed("ImportTableSection")),
        (29, Cow::Borrowed("CodeSection")),
        (30, Cow::Borrowed("CodeHeaderSection")),
        (31, Cow::Borrowed("CodeManagerSection")),
        (32, Cow::Borrowed("UnwindDataSection")),
        (33, Cow::Borrowed("RuntimeFunctionSection")),
        (34, Cow::Borrowed("StubsSection")),
        (35, Cow::Borrowed("StubDispatchDataSection")),
        (36, Cow::Borrowed("ExternalMethodDataSection")),
        (37, Cow::Borrowed("DelayLoadInfoDelayListSection")),
        (38, Cow::Borrowed("ReadonlySharedSection")),
        (39, Cow::Borrowed("ReadonlySection")),
        (40, Cow::Borrowed("ILSection")),
        (41, Cow::Borrowed("GCInfoSection")),
        (42, Cow::Borrowed("ILMetadataSection")),
        (43, Cow::Borrowed("ResourcesSection")),
        (44, Cow::Borrowed("CompressedMapsSection")),
        (45, Cow::Borrowed("DebugSection")),
        (46, Cow::Borrowed("BaseRelocsSection")),
    ]),
};

static MAP_2_MODULERANGETYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("ModuleRangeTypeMap"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("HotRange")),
        (2, Cow::Borrowed("WarmRange")),
        (4, Cow::Borrowed("ColdRange")),
        (8, Cow::Borrowed("HotColdSortedRange")),
    ]),
};

static MAP_2_NGENBINDREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("NgenBindReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("START_BIND")),
        (9, Cow::Borrowed("REJECT_IL_SIG")),
        (22, Cow::Borrowed("LOADFROM_NOT_ALLOWED")),
    ]),
};

static EVENTS_2: [ProviderEvent; 181] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Decision"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_132) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Decision"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_133) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Settings"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_134) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Settings"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_135) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Optimized"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_136) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Optimized"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_137) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("PerHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("PerHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GlobalHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_138) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("GlobalHeapHistory"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_139) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Join"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_140) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("Join"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_141) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkStackRoots"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_142) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkStackRoots"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkFinalizeQueueRoots"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_142) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkFinalizeQueueRoots"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkHandles"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_142) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkHandles"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkCards"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_142) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("MarkCards"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_39) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC1stNonCondStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC1stConStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC2ndNonConStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC2ndNonConStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC2ndConStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGC2ndConStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCPlanStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCSweepStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCDrainMark"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_143) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCRevisit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_144) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCOverflow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_145) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCAllocWaitStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_146) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("BGCAllocWaitStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_146) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FullNotify"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_147) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FullNotify"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_148) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEStartupStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEStartupStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEStartupStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEStartupStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 82, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSetupStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 82, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSetupStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 83, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSetupStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 83, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSetupStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 84, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoadSystemBasesStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 84, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoadSystemBasesStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 85, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoadSystemBasesStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 85, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoadSystemBasesStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 86, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExecExeStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 86, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExecExeStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 87, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExecExeStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 87, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExecExeStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 88, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("MainStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 88, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("MainStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 89, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("MainStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 89, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("MainStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 90, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ApplyPolicyStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 90, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ApplyPolicyStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 91, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ApplyPolicyStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 91, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ApplyPolicyStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 92, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LdLibShFolderStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 92, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LdLibShFolderStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 93, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LdLibShFolderStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 93, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LdLibShFolderStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 94, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("PrestubWorkerStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 94, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("PrestubWorkerStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 95, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("PrestubWorkerStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 95, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("PrestubWorkerStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 96, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("GetInstallationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 96, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("GetInstallationStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 97, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("GetInstallationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 97, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("GetInstallationStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 98, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("OpenHModuleStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 98, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("OpenHModuleStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 99, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("OpenHModuleStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 99, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("OpenHModuleStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 100, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExplicitBindStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 100, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExplicitBindStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 101, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExplicitBindStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 101, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ExplicitBindStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 102, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ParseXmlStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 102, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ParseXmlStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 103, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ParseXmlStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 103, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("ParseXmlStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 104, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitDefaultDomainStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 104, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitDefaultDomainStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 105, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitDefaultDomainStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 105, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitDefaultDomainStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 106, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitSecurityStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 106, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitSecurityStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 107, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitSecurityStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 107, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("InitSecurityStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 108, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("AllowBindingRedirsStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 108, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("AllowBindingRedirsStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 109, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("AllowBindingRedirsStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 109, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("AllowBindingRedirsStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 110, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSyncStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 110, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSyncStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 111, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSyncStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 111, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("EEConfigSyncStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 112, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("BindingStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 112, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("BindingStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 113, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("BindingStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 113, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("BindingStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 114, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoaderCatchCallStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 114, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoaderCatchCallStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 115, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoaderCatchCallStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 115, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("LoaderCatchCallStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 116, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionInitStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 116, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionInitStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 117, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionInitStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 117, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionInitStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 118, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionAppCtxStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 118, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionAppCtxStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 119, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionAppCtxStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 119, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("FusionAppCtxStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 120, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("Fusion2EEStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 120, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("Fusion2EEStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 121, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("Fusion2EEStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 121, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("Fusion2EEStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 122, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("SecurityCatchCallStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 122, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("SecurityCatchCallStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 123, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("SecurityCatchCallStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 123, task: Cow::Borrowed("Startup"), opcode: Cow::Borrowed("SecurityCatchCallStop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("ClrStack"), opcode: Cow::Borrowed("Walk"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_65) } },
    ProviderEvent { id: 158, task: Cow::Borrowed("ClrPerfTrack"), opcode: Cow::Borrowed("ModuleRangeLoad"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_149) } },
    ProviderEvent { id: 159, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("PolicyPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 160, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("PolicyPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 161, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("NgenPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 162, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("NgenPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 163, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoopupAndProbingPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 164, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LookupAndProbingPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 165, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 166, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 167, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("PhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 168, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("PhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 169, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("DownloadPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 170, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("DownloadPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 171, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderAssemblyInitPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 172, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderAssemblyInitPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 173, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderMappingPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 174, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderMappingPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 175, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderDeliverEventPhaseStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 176, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("LoaderDeliverEventsPhaseStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_150) } },
    ProviderEvent { id: 177, task: Cow::Borrowed("EvidenceGeneration"), opcode: Cow::Borrowed("EvidenceGenerated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_151) } },
    ProviderEvent { id: 178, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("ModuleTransparencyComputationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_152) } },
    ProviderEvent { id: 179, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("ModuleTransparencyComputationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_153) } },
    ProviderEvent { id: 180, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("TypeTransparencyComputationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_154) } },
    ProviderEvent { id: 181, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("TypeTransparencyComputationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_155) } },
    ProviderEvent { id: 182, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("MethodTransparencyComputationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_156) } },
    ProviderEvent { id: 183, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("MethodTransparencyComputationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_157) } },
    ProviderEvent { id: 184, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("FieldTransparencyComputationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_158) } },
    ProviderEvent { id: 185, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("FieldTransparencyComputationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_159) } },
    ProviderEvent { id: 186, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("TokenTransparencyComputationStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_160) } },
    ProviderEvent { id: 187, task: Cow::Borrowed("Transparency"), opcode: Cow::Borrowed("TokenTransparencyComputationStop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_161) } },
    ProviderEvent { id: 188, task: Cow::Borrowed("NgenBinder"), opcode: Cow::Borrowed("NgenBind"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_162) } },
    ProviderEvent { id: 191, task: Cow::Borrowed("FailFast"), opcode: Cow::Borrowed("FailFast"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_163) } },
    ProviderEvent { id: 192, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("FinalizeObject"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_164) } },
    ProviderEvent { id: 193, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("CCWRefCountChange"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_165) } },
    ProviderEvent { id: 194, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("SetGCHandle"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_166) } },
    ProviderEvent { id: 195, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("DestoryGCHandle"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_42) } },
    ProviderEvent { id: 196, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("FusionMessage"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_167) } },
    ProviderEvent { id: 197, task: Cow::Borrowed("Binding"), opcode: Cow::Borrowed("FusionErrorCode"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_168) } },
    ProviderEvent { id: 199, task: Cow::Borrowed("GC"), opcode: Cow::Borrowed("PinPlugAtGCTime"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_169) } },
    ProviderEvent { id: 201, task: Cow::Borrowed("ClrMulticoreJit"), opcode: Cow::Borrowed("Common"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_170) } },
    ProviderEvent { id: 202, task: Cow::Borrowed("ClrMulticoreJit"), opcode: Cow::Borrowed("MethodCodeReturned"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_171) } },
    ProviderEvent { id: 310, task: Cow::Borrowed("LoaderHeap"), opcode: Cow::Borrowed("LoaderHeapAllocRequest"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_172) } },
    ProviderEvent { id: 400, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("IInspectableRuntimeClassName"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_173) } },
    ProviderEvent { id: 401, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("WinRTUnbox"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_174) } },
    ProviderEvent { id: 402, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("CreateRCW"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_173) } },
    ProviderEvent { id: 403, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("RCWVariance"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_175) } },
    ProviderEvent { id: 404, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("RCWIEnumerableCasting"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_174) } },
    ProviderEvent { id: 405, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("CreateCCW"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_173) } },
    ProviderEvent { id: 406, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("CCWVariance"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_175) } },
    ProviderEvent { id: 407, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("ObjectVariantMarshallingToNative"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_176) } },
    ProviderEvent { id: 408, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("GetTypeFromGUID"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_174) } },
    ProviderEvent { id: 409, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("GetTypeFromProgID"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_174) } },
    ProviderEvent { id: 410, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("ConvertToCallbackEtw"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_174) } },
    ProviderEvent { id: 411, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("BeginCreateManagedReference"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 412, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("EndCreateManagedReference"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_6) } },
    ProviderEvent { id: 413, task: Cow::Borrowed("ClrDynamicTypeUsage"), opcode: Cow::Borrowed("ObjectVariantMarshallingToManaged"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_176) } },
];

static MAP_3_PROCESSFLAGS: ValueMap = ValueMap {
    name: Cow::Borrowed("ProcessFlags"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("PackageId")),
    ]),
};

static EVENTS_3: [ProviderEvent; 40] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("ProcessStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_177) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("ProcessStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_178) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("ProcessStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_179) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("ProcessStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_180) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("ProcessStop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_181) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("ProcessStop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_182) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("ProcessStop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_183) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("ThreadStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_184) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("ThreadStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_185) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("ThreadStop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_184) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("ThreadStop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_186) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("ImageLoad"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_187) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("ImageUnload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_187) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("CpuBasePriorityChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_188) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("CpuPriorityChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_188) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("PagePriorityChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_188) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("IoPriorityChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_188) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("ProcessFreeze"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_189) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("ProcessFreeze"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_190) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("ProcessFreeze"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_189) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("ProcessFreeze"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_190) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("JobStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_191) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("JobTerminate"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_191) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("ProcessRundown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_192) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("ProcessRundown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_180) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("PsDiskIoAttribution"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_193) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("PsDiskIoAttribution"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_193) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_194) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_195) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_196) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_194) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_195) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("PsIoRateControl"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_196) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("ThreadWorkOnBehalfUpdate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_197) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("JobServerSiloStart"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_198) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("JobServerSiloStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_199) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("JobServerSiloStart"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_200) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("JobServerSiloStart"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_199) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("JobServerSiloStart"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_199) } },
];

static EVENTS_4: [ProviderEvent; 43] = [
    ProviderEvent { id: 10, task: Cow::Borrowed("NameCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_201) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("NameDelete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_201) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("Create"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_202) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("Create"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_203) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("Cleanup"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_204) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("Cleanup"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_205) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("Close"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_204) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("Close"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_205) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("Read"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_206) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("Read"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_207) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("Write"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_206) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("Write"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_207) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("SetInformation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("SetInformation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("SetDelete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("SetDelete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("Rename"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("Rename"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("DirEnum"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_210) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("DirEnum"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_211) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("Flush"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_204) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("Flush"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_205) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("QueryInformation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("QueryInformation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("FSCTL"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("FSCTL"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("OperationEnd"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_212) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("DirNotify"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_210) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("DirNotify"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_211) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("DeletePath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_213) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("DeletePath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_214) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("RenamePath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_213) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("RenamePath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_214) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("SetLinkPath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_213) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("SetLinkPath"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_214) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("Rename"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_208) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("Rename"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("CreateNewFile"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_202) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("CreateNewFile"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_203) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("SetSecurity"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("QuerySecurity"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("SetEA"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
    ProviderEvent { id: 34, task: Cow::Borrowed("QueryEA"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_209) } },
];

static EVENTS_5: [ProviderEvent; 22] = [
    ProviderEvent { id: 10, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Datasent."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_215) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Datareceived."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Connectionattempted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_217) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Disconnectissued."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Dataretransmitted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Connectionaccepted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_217) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Reconnectattempted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("TCPconnectionattemptfailed."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_218) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Protocolcopieddataonbehalfofuser."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Datasent."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_219) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Datareceived."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Connectionattempted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_221) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Disconnectissued."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Dataretransmitted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Connectionaccepted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_221) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Reconnectattempted."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 34, task: Cow::Borrowed("KERNEL_NETWORK_TASK_TCPIP"), opcode: Cow::Borrowed("Protocolcopieddataonbehalfofuser."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 42, task: Cow::Borrowed("KERNEL_NETWORK_TASK_UDPIP"), opcode: Cow::Borrowed("DatasentoverUDPprotocol."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("KERNEL_NETWORK_TASK_UDPIP"), opcode: Cow::Borrowed("DatareceivedoverUDPprotocol."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_216) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("KERNEL_NETWORK_TASK_UDPIP"), opcode: Cow::Borrowed("UDPconnectionattemptfailed."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_218) } },
    ProviderEvent { id: 58, task: Cow::Borrowed("KERNEL_NETWORK_TASK_UDPIP"), opcode: Cow::Borrowed("DatasentoverUDPprotocol."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
    ProviderEvent { id: 59, task: Cow::Borrowed("KERNEL_NETWORK_TASK_UDPIP"), opcode: Cow::Borrowed("DatareceivedoverUDPprotocol."), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_220) } },
];

static MAP_6_STOPREASONMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("StopReasonMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Logger mode incompatible with Append mode")),
        (2, Cow::Borrowed("OS version mismatch")),
        (3, Cow::Borrowed("Pointer size mismatch")),
        (4, Cow::Borrowed("Unsupported BufferSize")),
        (5, Cow::Borrowed("BufferSize mismatch")),
        (6, Cow::Borrowed("Preallocate mode is incompatible with Append mode")),
        (7, Cow::Borrowed("File size query failed")),
        (8, Cow::Borrowed("Maximum file size reached")),
        (9, Cow::Borrowed("Number of buffers written is zero")),
        (10, Cow::Borrowed("Numberf of processors mismatch")),
    ]),
};

static EVENTS_6: [ProviderEvent; 35] = [
    ProviderEvent { id: 0, task: Cow::Borrowed("Logging"), opcode: Cow::Borrowed("WriteBuffer"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_222) } },
    ProviderEvent { id: 1, task: Cow::Borrowed("Logging"), opcode: Cow::Borrowed("WriteBuffer"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_223) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_222) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_222) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_224) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("Logging"), opcode: Cow::Borrowed("WriteBuffer"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_225) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("Logging"), opcode: Cow::Borrowed("FileSwitch"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_222) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("Register"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_226) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("Unregister"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_226) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_227) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_228) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_227) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_228) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_229) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Configure"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_227) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Flush"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_227) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("Enable"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_230) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("Enable"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_231) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("Disable"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_230) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed("Configure"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_227) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("StackTrace"), opcode: Cow::Borrowed("UserModeStackTrace"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("LostEvent"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_232) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_228) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("Session"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_229) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("SavePersistedLogger"), opcode: Cow::Borrowed("Start_8_1"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("SavePersistedLogger"), opcode: Cow::Borrowed("Stop_8_2"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_233) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("SavePersistedLogger"), opcode: Cow::Borrowed("Stop_8_2"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_234) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("SavePersistedLogger"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_233) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("SavePersistedLogger"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_234) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("GUIDEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_235) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("ProviderGroupEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_235) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("EnableInfo"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_236) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_237) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("SetProviderTraits"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_238) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("Provider"), opcode: Cow::Borrowed("JoinProviderGroup"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_239) } },
];

static MAP_7_DNSIPTYPEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("DnsIpTypeMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("static")),
        (1, Cow::Borrowed("dynamic")),
    ]),
};

static EVENTS_7: [ProviderEvent; 95] = [
    ProviderEvent { id: 1000, task: Cow::Borrowed("DnsNoServerConfigV4"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_240) } },
    ProviderEvent { id: 1001, task: Cow::Borrowed("DnsServerForInterface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_241) } },
    ProviderEvent { id: 1002, task: Cow::Borrowed("DnsServerQueryChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_242) } },
    ProviderEvent { id: 1003, task: Cow::Borrowed("DnsServerValidationSuccess"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_243) } },
    ProviderEvent { id: 1004, task: Cow::Borrowed("DnsServerValidationSuccessSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_243) } },
    ProviderEvent { id: 1005, task: Cow::Borrowed("DnsServerValidationFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_243) } },
    ProviderEvent { id: 1006, task: Cow::Borrowed("DnsServerValidationFailureSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_243) } },
    ProviderEvent { id: 1007, task: Cow::Borrowed("DnsMissingPrimarySuffix"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_244) } },
    ProviderEvent { id: 1008, task: Cow::Borrowed("DnsMissingPrimarySuffixSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_244) } },
    ProviderEvent { id: 1009, task: Cow::Borrowed("DnsNonMatchingSuffix"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_245) } },
    ProviderEvent { id: 1010, task: Cow::Borrowed("DnsNonMatchingSuffixSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_245) } },
    ProviderEvent { id: 1011, task: Cow::Borrowed("DnsHostFileError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_244) } },
    ProviderEvent { id: 1012, task: Cow::Borrowed("DnsHostFileErrorSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_244) } },
    ProviderEvent { id: 1013, task: Cow::Borrowed("DnsAllServersTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1014, task: Cow::Borrowed("DnsAllServersTimeoutSystem"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1015, task: Cow::Borrowed("DnsServerTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1016, task: Cow::Borrowed("DnsNameError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1017, task: Cow::Borrowed("DnsAuthoritativeResponse"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1018, task: Cow::Borrowed("DnsLinkLocal"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_247) } },
    ProviderEvent { id: 1019, task: Cow::Borrowed("DnsNoServerConfigV6"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_240) } },
    ProviderEvent { id: 1020, task: Cow::Borrowed("DnsReadPolicyTable"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_248) } },
    ProviderEvent { id: 1021, task: Cow::Borrowed("DnsMatchPolicyInfo"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_249) } },
    ProviderEvent { id: 1022, task: Cow::Borrowed("DnsSecureNoFallback"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_250) } },
    ProviderEvent { id: 1023, task: Cow::Borrowed("DnsPolicySystemReadError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_251) } },
    ProviderEvent { id: 1024, task: Cow::Borrowed("DnsQueryBadXid"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1025, task: Cow::Borrowed("DnsQueryInvalidServerIp"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_246) } },
    ProviderEvent { id: 1026, task: Cow::Borrowed("DnsQueryInvalidQuestion"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_252) } },
    ProviderEvent { id: 1027, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_250) } },
    ProviderEvent { id: 1028, task: Cow::Borrowed("DnsMatchPolicyInfo"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_253) } },
    ProviderEvent { id: 3000, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_254) } },
    ProviderEvent { id: 3001, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_255) } },
    ProviderEvent { id: 3002, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_254) } },
    ProviderEvent { id: 3003, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_256) } },
    ProviderEvent { id: 3004, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_254) } },
    ProviderEvent { id: 3005, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_256) } },
    ProviderEvent { id: 3006, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_257) } },
    ProviderEvent { id: 3007, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_250) } },
    ProviderEvent { id: 3008, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_258) } },
    ProviderEvent { id: 3009, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_259) } },
    ProviderEvent { id: 3010, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_260) } },
    ProviderEvent { id: 3011, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_261) } },
    ProviderEvent { id: 3012, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_262) } },
    ProviderEvent { id: 3013, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_263) } },
    ProviderEvent { id: 3014, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_250) } },
    ProviderEvent { id: 3015, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_250) } },
    ProviderEvent { id: 3016, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_264) } },
    ProviderEvent { id: 3018, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_265) } },
    ProviderEvent { id: 3019, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_266) } },
    ProviderEvent { id: 3020, task: Cow::Borrowed("task_0"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_267) } },
    ProviderEvent { id: 8001, task: Cow::Borrowed("DnsGenericError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_268) } },
    ProviderEvent { id: 8002, task: Cow::Borrowed("DnsGenericError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_268) } },
    ProviderEvent { id: 8003, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8004, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8005, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8006, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8007, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8008, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8009, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8010, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8011, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8012, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8013, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8014, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8015, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8016, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8017, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8018, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8019, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8020, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8021, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8022, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8023, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8024, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8025, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8026, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8027, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8028, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8029, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8030, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8031, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8032, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8033, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8034, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8035, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8036, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8037, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 8038, task: Cow::Borrowed("DnsRegistration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_269) } },
    ProviderEvent { id: 60004, task: Cow::Borrowed("DnsNetError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_244) } },
    ProviderEvent { id: 60005, task: Cow::Borrowed("DnsNetWarning"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_270) } },
    ProviderEvent { id: 60006, task: Cow::Borrowed("DnsStateTransition"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_271) } },
    ProviderEvent { id: 60007, task: Cow::Borrowed("DnsContextUpdate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_272) } },
    ProviderEvent { id: 60008, task: Cow::Borrowed("DnsPolicyReadError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_251) } },
    ProviderEvent { id: 60101, task: Cow::Borrowed("DnsV4Tuple"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_273) } },
    ProviderEvent { id: 60102, task: Cow::Borrowed("DnsV6Tuple"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_274) } },
    ProviderEvent { id: 60103, task: Cow::Borrowed("DnsInterfaceInfo"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_275) } },
];

static MAP_8_REMOTINGDESTINATION: ValueMap = ValueMap {
    name: Cow::Borrowed("RemotingDestination"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Client")),
        (2, Cow::Borrowed("Server")),
        (4, Cow::Borrowed("Listener")),
    ]),
};

static MAP_8_REMOTINGTARGETINTERFACE: ValueMap = ValueMap {
    name: Cow::Borrowed("RemotingTargetInterface"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("InvalidTargetInterface")),
        (1, Cow::Borrowed("Session")),
        (2, Cow::Borrowed("RunspacePool")),
        (3, Cow::Borrowed("PowerShell")),
    ]),
};

static MAP_8_SERIALIZATIONMETHOD: ValueMap = ValueMap {
    name: Cow::Borrowed("SerializationMethod"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("AllPublicProperties")),
        (1, Cow::Borrowed("String")),
        (2, Cow::Borrowed("SpecificProperties")),
    ]),
};

static MAP_8_WSMANAUTHENTICATIONMECHANISM: ValueMap = ValueMap {
    name: Cow::Borrowed("WSManAuthenticationMechanism"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("WSMAN_FLAG_NO_AUTHENTICATION")),
        (2, Cow::Borrowed("WSMAN_FLAG_AUTH_DIGEST")),
        (4, Cow::Borrowed("WSMAN_FLAG_AUTH_NEGOTIATE")),
        (8, Cow::Borrowed("WSMAN_FLAG_AUTH_BASIC")),
        (16, Cow::Borrowed("WSMAN_FLAG_AUTH_KERBEROS")),
        (32, Cow::Borrowed("WSMAN_FLAG_AUTH_CLIENT_CERTIFICATE")),
        (128, Cow::Borrowed("WSMAN_FLAG_AUTH_CREDSSP")),
    ]),
};

static EVENTS_8: [ProviderEvent; 188] = [
    ProviderEvent { id: 4097, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 4098, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 4099, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 4100, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 4101, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 4102, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 4103, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 4104, task: Cow::Borrowed("StartingCommand"), opcode: Cow::Borrowed("Oncreatecalls"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_277) } },
    ProviderEvent { id: 4105, task: Cow::Borrowed("StartingCommand"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_278) } },
    ProviderEvent { id: 4106, task: Cow::Borrowed("StoppingCommand"), opcode: Cow::Borrowed("Close(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_278) } },
    ProviderEvent { id: 7937, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 7938, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 7939, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 7940, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_276) } },
    ProviderEvent { id: 7941, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_279) } },
    ProviderEvent { id: 7942, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_280) } },
    ProviderEvent { id: 8193, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("tobeusedwhenanobjectisconstructed"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 8194, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("tobeusedwhenanobjectisconstructed"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_282) } },
    ProviderEvent { id: 8195, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 8196, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 8197, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 8198, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 12033, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 12034, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 12035, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 12036, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 12037, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 12038, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_284) } },
    ProviderEvent { id: 12039, task: Cow::Borrowed("Connect"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24577, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_285) } },
    ProviderEvent { id: 24578, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_285) } },
    ProviderEvent { id: 24579, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24580, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24581, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24582, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24583, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24584, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24592, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24593, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24594, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 24595, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_286) } },
    ProviderEvent { id: 24596, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_286) } },
    ProviderEvent { id: 24597, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_286) } },
    ProviderEvent { id: 24598, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_286) } },
    ProviderEvent { id: 24599, task: Cow::Borrowed("PowerShellISEOperation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_286) } },
    ProviderEvent { id: 28673, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed("Rehydration"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_287) } },
    ProviderEvent { id: 28674, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed("Rehydration"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_288) } },
    ProviderEvent { id: 28675, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed("Serializationsettings"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_289) } },
    ProviderEvent { id: 28676, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed("Serializationsettings"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_290) } },
    ProviderEvent { id: 28677, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_291) } },
    ProviderEvent { id: 28678, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_292) } },
    ProviderEvent { id: 28679, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_293) } },
    ProviderEvent { id: 28680, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_294) } },
    ProviderEvent { id: 28682, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_295) } },
    ProviderEvent { id: 28683, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_296) } },
    ProviderEvent { id: 28684, task: Cow::Borrowed("Serializeordeserializeremotingpayload"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_297) } },
    ProviderEvent { id: 32769, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Receive(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_298) } },
    ProviderEvent { id: 32775, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32776, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_299) } },
    ProviderEvent { id: 32777, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32784, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_299) } },
    ProviderEvent { id: 32785, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 32786, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 32787, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 32788, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 32789, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Send(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_300) } },
    ProviderEvent { id: 32790, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Send(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32791, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Receive(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32792, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Receive(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_300) } },
    ProviderEvent { id: 32793, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32800, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32801, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32802, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32803, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_302) } },
    ProviderEvent { id: 32804, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_301) } },
    ProviderEvent { id: 32805, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_303) } },
    ProviderEvent { id: 32849, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Send(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_304) } },
    ProviderEvent { id: 32850, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32851, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 32852, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_306) } },
    ProviderEvent { id: 32853, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 32854, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32855, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32856, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32857, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Disconnect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 32865, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 32866, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 32867, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Receive(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_307) } },
    ProviderEvent { id: 32868, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Send(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_307) } },
    ProviderEvent { id: 32869, task: Cow::Borrowed("Event"), opcode: Cow::Borrowed("Shuttingdown"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 40961, task: Cow::Borrowed("PowerShellConsoleStartup"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 40962, task: Cow::Borrowed("PowerShellConsoleStartup"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 45057, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_308) } },
    ProviderEvent { id: 45058, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 45059, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 45060, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_309) } },
    ProviderEvent { id: 45061, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_281) } },
    ProviderEvent { id: 45062, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_310) } },
    ProviderEvent { id: 45063, task: Cow::Borrowed("WorkflowHosting"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_311) } },
    ProviderEvent { id: 45064, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_312) } },
    ProviderEvent { id: 45065, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_313) } },
    ProviderEvent { id: 45072, task: Cow::Borrowed("WorkflowHosting"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_314) } },
    ProviderEvent { id: 45073, task: Cow::Borrowed("WorkflowHosting"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_314) } },
    ProviderEvent { id: 45074, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45075, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_316) } },
    ProviderEvent { id: 45076, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45078, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_317) } },
    ProviderEvent { id: 45079, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_318) } },
    ProviderEvent { id: 45080, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_319) } },
    ProviderEvent { id: 45081, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_320) } },
    ProviderEvent { id: 45082, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_320) } },
    ProviderEvent { id: 45083, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_321) } },
    ProviderEvent { id: 45084, task: Cow::Borrowed("WorkflowValidation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45085, task: Cow::Borrowed("WorkflowValidation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45086, task: Cow::Borrowed("WorkflowValidation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45087, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_322) } },
    ProviderEvent { id: 45088, task: Cow::Borrowed("WorkflowValidation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_322) } },
    ProviderEvent { id: 45089, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_323) } },
    ProviderEvent { id: 45090, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_324) } },
    ProviderEvent { id: 45091, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_325) } },
    ProviderEvent { id: 45092, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45093, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45094, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45095, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45096, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45097, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_326) } },
    ProviderEvent { id: 45098, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_326) } },
    ProviderEvent { id: 45100, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_327) } },
    ProviderEvent { id: 45101, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_328) } },
    ProviderEvent { id: 45102, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_329) } },
    ProviderEvent { id: 45104, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_330) } },
    ProviderEvent { id: 45105, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_327) } },
    ProviderEvent { id: 45106, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_331) } },
    ProviderEvent { id: 45107, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_332) } },
    ProviderEvent { id: 45108, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_333) } },
    ProviderEvent { id: 45109, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45110, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45111, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45112, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_334) } },
    ProviderEvent { id: 45113, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45114, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45115, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45116, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_321) } },
    ProviderEvent { id: 45117, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_335) } },
    ProviderEvent { id: 45118, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_315) } },
    ProviderEvent { id: 45119, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_336) } },
    ProviderEvent { id: 45120, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_321) } },
    ProviderEvent { id: 45121, task: Cow::Borrowed("Configuration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_337) } },
    ProviderEvent { id: 45122, task: Cow::Borrowed("Configuration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_338) } },
    ProviderEvent { id: 45123, task: Cow::Borrowed("Configuration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_339) } },
    ProviderEvent { id: 45124, task: Cow::Borrowed("Configuration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_340) } },
    ProviderEvent { id: 45125, task: Cow::Borrowed("Configuration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_341) } },
    ProviderEvent { id: 45126, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_342) } },
    ProviderEvent { id: 45127, task: Cow::Borrowed("WorkflowExecution"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_343) } },
    ProviderEvent { id: 45128, task: Cow::Borrowed("WorkflowHosting"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_314) } },
    ProviderEvent { id: 45129, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_344) } },
    ProviderEvent { id: 46337, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_345) } },
    ProviderEvent { id: 46338, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_345) } },
    ProviderEvent { id: 46339, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_345) } },
    ProviderEvent { id: 46340, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_345) } },
    ProviderEvent { id: 46341, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_346) } },
    ProviderEvent { id: 46342, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_347) } },
    ProviderEvent { id: 46343, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_347) } },
    ProviderEvent { id: 46344, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_347) } },
    ProviderEvent { id: 46345, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_347) } },
    ProviderEvent { id: 46346, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_348) } },
    ProviderEvent { id: 46347, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_349) } },
    ProviderEvent { id: 46348, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_350) } },
    ProviderEvent { id: 46349, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_350) } },
    ProviderEvent { id: 46350, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_351) } },
    ProviderEvent { id: 46351, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_351) } },
    ProviderEvent { id: 46352, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_351) } },
    ProviderEvent { id: 46353, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_351) } },
    ProviderEvent { id: 46354, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_352) } },
    ProviderEvent { id: 46355, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_352) } },
    ProviderEvent { id: 46356, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 46357, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 46358, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 49152, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_353) } },
    ProviderEvent { id: 49153, task: Cow::Borrowed("None"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 53249, task: Cow::Borrowed("PowerShellScheduledJobs"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_354) } },
    ProviderEvent { id: 53250, task: Cow::Borrowed("PowerShellScheduledJobs"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_355) } },
    ProviderEvent { id: 53251, task: Cow::Borrowed("PowerShellScheduledJobs"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_356) } },
    ProviderEvent { id: 53504, task: Cow::Borrowed("PowerShellNamedPipeIPC"), opcode: Cow::Borrowed("Open(async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 53505, task: Cow::Borrowed("PowerShellNamedPipeIPC"), opcode: Cow::Borrowed("Close(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_305) } },
    ProviderEvent { id: 53506, task: Cow::Borrowed("PowerShellNamedPipeIPC"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 53507, task: Cow::Borrowed("PowerShellNamedPipeIPC"), opcode: Cow::Borrowed("connect"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
    ProviderEvent { id: 53508, task: Cow::Borrowed("PowerShellNamedPipeIPC"), opcode: Cow::Borrowed("Close(Async)"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_283) } },
];

static MAP_9_HTTP_TEMPLATE_LOGGING_LOGFORMAT_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("HTTP_TEMPLATE_LOGGING_LogFormat_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("W3C")),
        (1, Cow::Borrowed("IIS")),
        (2, Cow::Borrowed("NCSA")),
        (3, Cow::Borrowed("Binary")),
    ]),
};

static MAP_9_HTTP_TEMPLATE_LOGGING_LOGGROUP_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("HTTP_TEMPLATE_LOGGING_LogGroup_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Site")),
        (1, Cow::Borrowed("Centralized")),
    ]),
};

static MAP_9_HTTP_TEMPLATE_LOGGING_LOGTYPE_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("HTTP_TEMPLATE_LOGGING_LogType_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("ResponseLogging")),
        (1, Cow::Borrowed("ErrorLogging")),
    ]),
};

static EVENTS_9: [ProviderEvent; 107] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RecvReq"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_357) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("Parse"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_358) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("Deliver"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_359) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RecvResp"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_360) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RecvRespLast"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_361) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RecvBody"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_362) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RecvBodyLast"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_361) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("FastResp"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_360) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("FastRespLast"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_361) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("SendComplete"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_363) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("CachedAndSend"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_363) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("FastSend"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_363) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("ZeroSend"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_363) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("LastSndError"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_363) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("SndError"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_364) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("SrvdFrmCache"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_365) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("SrvdFrmCache"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_366) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("CachedNotModified"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_365) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("CachedNotModified"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_366) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("HTTPSetupTraceTask"), opcode: Cow::Borrowed("ResvUrl"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_367) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("HTTPSetupTraceTask"), opcode: Cow::Borrowed("ReadIpListEntry"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_368) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("HTTPSetupTraceTask"), opcode: Cow::Borrowed("CreatedSslCred"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_369) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("HTTPSetupTraceTask"), opcode: Cow::Borrowed("CreatedSslCred"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_370) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("ConnConnect"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_371) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("ConnIdAssgn"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_372) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("ConnClose"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_373) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("ConnCleanup"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_374) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("AddedCacheEntry"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_375) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("AddedCacheEntry"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_376) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("AddCacheEntryFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_377) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("AddCacheEntryFailed"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_378) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("FlushedCache"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_375) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("ChgUrlGrpProp"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_379) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("ChgSrvSesProp"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_379) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("ChgReqQueueProp"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_379) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("AddUrl"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_380) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("RemUrl"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_381) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("HTTPConfigurationPropertyTraceTask"), opcode: Cow::Borrowed("RemAllUrls"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_382) } },
    ProviderEvent { id: 34, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslConnEvent"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_374) } },
    ProviderEvent { id: 35, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslInitiateHandshake"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_374) } },
    ProviderEvent { id: 36, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslHandshakeComplete"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_383) } },
    ProviderEvent { id: 37, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslInititateSslRcvClientCert"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_374) } },
    ProviderEvent { id: 38, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslRcvClientCertFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_383) } },
    ProviderEvent { id: 39, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslRcvdRawData"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_384) } },
    ProviderEvent { id: 40, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslDlvrdStreamData"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_384) } },
    ProviderEvent { id: 41, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslAcceptStreamData"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_384) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("SspiCall"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_385) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("SspiCall"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_386) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("AuthCacheEntryAdded"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_387) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("AuthCacheEntryFreed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_388) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("QosFlowSetReset"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_389) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("HTTPLoggingTraceTask"), opcode: Cow::Borrowed("LoggingConfigFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_390) } },
    ProviderEvent { id: 48, task: Cow::Borrowed("HTTPLoggingTraceTask"), opcode: Cow::Borrowed("LoggingConfig"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_391) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("HTTPLoggingTraceTask"), opcode: Cow::Borrowed("LogFileCreateFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_392) } },
    ProviderEvent { id: 50, task: Cow::Borrowed("HTTPLoggingTraceTask"), opcode: Cow::Borrowed("LogFileCreate"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_393) } },
    ProviderEvent { id: 51, task: Cow::Borrowed("HTTPLoggingTraceTask"), opcode: Cow::Borrowed("LogFileWrite"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_394) } },
    ProviderEvent { id: 52, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("ParseRequestFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_395) } },
    ProviderEvent { id: 53, task: Cow::Borrowed("HTTPTimeoutTraceTask"), opcode: Cow::Borrowed("ConnTimedOut"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_396) } },
    ProviderEvent { id: 56, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslEndpointCreationFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_397) } },
    ProviderEvent { id: 57, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslDisconnEvent"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_374) } },
    ProviderEvent { id: 58, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslDisconnReq"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_398) } },
    ProviderEvent { id: 59, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslUnsealMsg"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_399) } },
    ProviderEvent { id: 60, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslQueryConnInfoFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_400) } },
    ProviderEvent { id: 61, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslEndpointConfigNotFound"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_401) } },
    ProviderEvent { id: 62, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslAsc"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_399) } },
    ProviderEvent { id: 63, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslSealMsg"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_399) } },
    ProviderEvent { id: 64, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RequestRejected"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_402) } },
    ProviderEvent { id: 65, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("RequestCancelled"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_402) } },
    ProviderEvent { id: 66, task: Cow::Borrowed("HTTPDriverGlobalSettingsTask"), opcode: Cow::Borrowed("HotAddProcFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_403) } },
    ProviderEvent { id: 67, task: Cow::Borrowed("HTTPDriverGlobalSettingsTask"), opcode: Cow::Borrowed("HotAddProcSucceeded"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_404) } },
    ProviderEvent { id: 68, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("UserResponseFlowInit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_405) } },
    ProviderEvent { id: 69, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("CachedResponseFlowInit"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_405) } },
    ProviderEvent { id: 70, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("FlowInitFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_406) } },
    ProviderEvent { id: 71, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("SetConnectionFlow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_407) } },
    ProviderEvent { id: 72, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("RequestAssociatedToConfigurationFlow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_408) } },
    ProviderEvent { id: 73, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("ConnectionFlowFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_409) } },
    ProviderEvent { id: 74, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("ResponseRangeProcessingOK"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_410) } },
    ProviderEvent { id: 75, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("BeginBuildingSlices"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_411) } },
    ProviderEvent { id: 76, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("SendSliceCacheContent"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_412) } },
    ProviderEvent { id: 77, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("CachedSlicesMatchContent"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_412) } },
    ProviderEvent { id: 78, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("MergeSlicesToCache"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_413) } },
    ProviderEvent { id: 79, task: Cow::Borrowed("HTTPCacheTraceTask"), opcode: Cow::Borrowed("FlatCacheRangeSend"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_414) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("ChannelBindAscParams"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_415) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("ServiceBindCheckComplete"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_416) } },
    ProviderEvent { id: 82, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("ChannelBindConfigCapture"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_417) } },
    ProviderEvent { id: 83, task: Cow::Borrowed("HTTPAuthenticationTraceTask"), opcode: Cow::Borrowed("ChannelBindPerResponseConfig"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_418) } },
    ProviderEvent { id: 84, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("UsePolicyBasedQoSFlow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_407) } },
    ProviderEvent { id: 85, task: Cow::Borrowed("HTTPThreadPool"), opcode: Cow::Borrowed("ThreadPoolExtension"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_419) } },
    ProviderEvent { id: 86, task: Cow::Borrowed("HTTPThreadPool"), opcode: Cow::Borrowed("ThreadReady"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_420) } },
    ProviderEvent { id: 87, task: Cow::Borrowed("HTTPThreadPool"), opcode: Cow::Borrowed("ThreadPoolTrim"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_419) } },
    ProviderEvent { id: 88, task: Cow::Borrowed("HTTPThreadPool"), opcode: Cow::Borrowed("ThreadGone"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_420) } },
    ProviderEvent { id: 89, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SniParsed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_421) } },
    ProviderEvent { id: 90, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("InitiateOpaqueMode"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_361) } },
    ProviderEvent { id: 91, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("EndpointAutoGenerated"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_422) } },
    ProviderEvent { id: 92, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("AutoGeneratedEndpointDeleted"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_422) } },
    ProviderEvent { id: 93, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslEndpointConfigFound"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_423) } },
    ProviderEvent { id: 94, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslEndpointConfigRejected"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_424) } },
    ProviderEvent { id: 95, task: Cow::Borrowed("HTTPResponseTraceTask"), opcode: Cow::Borrowed("ParseRequestFailed"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_425) } },
    ProviderEvent { id: 96, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslHandshakeFailure"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_426) } },
    ProviderEvent { id: 97, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("HttpErrorResponseSent"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_427) } },
    ProviderEvent { id: 98, task: Cow::Borrowed("HTTPSSLTraceTask"), opcode: Cow::Borrowed("SslRenegotiateTimedOut"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_428) } },
    ProviderEvent { id: 99, task: Cow::Borrowed("HTTPRequestTraceTask"), opcode: Cow::Borrowed("Http11Required"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_429) } },
    ProviderEvent { id: 105, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("QuicConnection"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_430) } },
    ProviderEvent { id: 106, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("QuicConnectionCallback"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_431) } },
    ProviderEvent { id: 107, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("QuicStream"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_432) } },
    ProviderEvent { id: 108, task: Cow::Borrowed("HTTPConnectionTraceTask"), opcode: Cow::Borrowed("QuicStreamCallback"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_433) } },
    ProviderEvent { id: 109, task: Cow::Borrowed("HTTPDriverGlobalSettingsTask"), opcode: Cow::Borrowed("QuicRegistration"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_255) } },
];

static MAP_10_TCPIP_ADDRESS_FAMILY_TYPE_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TCPIP_ADDRESS_FAMILY_TYPE_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (2, Cow::Borrowed("IPV4")),
        (23, Cow::Borrowed("IPV6")),
    ]),
};

static MAP_10_TCPIP_BOOLEAN_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TCPIP_BOOLEAN_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("FALSE")),
        (1, Cow::Borrowed("TRUE")),
    ]),
};

static MAP_10_TCP_CONNECTION_STATE_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TCP_CONNECTION_STATE_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("ClosedState")),
        (1, Cow::Borrowed("ListenState")),
        (2, Cow::Borrowed("SynSentState")),
        (3, Cow::Borrowed("SynRcvdState")),
        (4, Cow::Borrowed("EstablishedState")),
        (5, Cow::Borrowed("FinWait1State")),
        (6, Cow::Borrowed("FinWait2State")),
        (7, Cow::Borrowed("CloseWaitState")),
        (8, Cow::Borrowed("ClosingState")),
        (9, Cow::Borrowed("LastAckState")),
        (10, Cow::Borrowed("TimeWaitState")),
    ]),
};

static MAP_10_TCP_TIMER_TYPE_VALUEMAP: ValueMap = ValueMap {
    name: Cow::Borrowed("TCP_TIMER_TYPE_ValueMap"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("RetransmitTimer")),
        (1, Cow::Borrowed("ConnectTimer")),
        (2, Cow::Borrowed("DelAckTimer")),
        (3, Cow::Borrowed("PushTimer")),
        (4, Cow::Borrowed("KeepAliveTimer")),
        (5, Cow::Borrowed("PacingTimer")),
        (6, Cow::Borrowed("DisconnectTimer")),
        (7, Cow::Borrowed("SwsTimer")),
        (8, Cow::Borrowed("ReassemblyRateTimer")),
        (9, Cow::Borrowed("SynOrRstValidationTimer")),
    ]),
};

static EVENTS_10: [ProviderEvent; 134] = [
    ProviderEvent { id: 1001, task: Cow::Borrowed("TcpEndpointCreation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_434) } },
    ProviderEvent { id: 1002, task: Cow::Borrowed("TcpRequestConnect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_435) } },
    ProviderEvent { id: 1003, task: Cow::Borrowed("TcpInspectConnectComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_436) } },
    ProviderEvent { id: 1004, task: Cow::Borrowed("TcpTcbSynSend"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_437) } },
    ProviderEvent { id: 1005, task: Cow::Borrowed("TcpBindEndpointResolutionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_438) } },
    ProviderEvent { id: 1006, task: Cow::Borrowed("TcpBindEndpointPortFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_438) } },
    ProviderEvent { id: 1007, task: Cow::Borrowed("TcpBindEndpointInspectionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_438) } },
    ProviderEvent { id: 1008, task: Cow::Borrowed("TcpBindEndpointComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_438) } },
    ProviderEvent { id: 1009, task: Cow::Borrowed("TcpCloseEndpoint"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_438) } },
    ProviderEvent { id: 1010, task: Cow::Borrowed("TcpCreateEndpointAfFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_439) } },
    ProviderEvent { id: 1010, task: Cow::Borrowed("TcpCreateEndpointAfFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_440) } },
    ProviderEvent { id: 1011, task: Cow::Borrowed("TcpCreateEndpointCompartmentFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_439) } },
    ProviderEvent { id: 1011, task: Cow::Borrowed("TcpCreateEndpointCompartmentFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_440) } },
    ProviderEvent { id: 1012, task: Cow::Borrowed("TcpCreateEndpointInspectionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_439) } },
    ProviderEvent { id: 1012, task: Cow::Borrowed("TcpCreateEndpointInspectionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_440) } },
    ProviderEvent { id: 1013, task: Cow::Borrowed("TcpCreateEndpointComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_439) } },
    ProviderEvent { id: 1013, task: Cow::Borrowed("TcpCreateEndpointComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_440) } },
    ProviderEvent { id: 1014, task: Cow::Borrowed("TcpAccpetListenerRouteLookupFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1014, task: Cow::Borrowed("TcpAccpetListenerRouteLookupFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1015, task: Cow::Borrowed("TcpAcceptListenerInsertionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_443) } },
    ProviderEvent { id: 1016, task: Cow::Borrowed("TcpAcceptListenerRejected"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1016, task: Cow::Borrowed("TcpAcceptListenerRejected"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1017, task: Cow::Borrowed("TcpAcceptListenerComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1017, task: Cow::Borrowed("TcpAcceptListenerComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1018, task: Cow::Borrowed("TcpConnectTcbFailedAf"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1018, task: Cow::Borrowed("TcpConnectTcbFailedAf"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1019, task: Cow::Borrowed("TcpConnectTcbFailedCompartment"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1019, task: Cow::Borrowed("TcpConnectTcbFailedCompartment"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1020, task: Cow::Borrowed("TcpConnectTcbFailedInspect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1020, task: Cow::Borrowed("TcpConnectTcbFailedInspect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1021, task: Cow::Borrowed("TcpConnectTcbFailedRoute"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1021, task: Cow::Borrowed("TcpConnectTcbFailedRoute"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1022, task: Cow::Borrowed("TcpConnectTcbSkipRateLimit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_444) } },
    ProviderEvent { id: 1023, task: Cow::Borrowed("TcpConnectTcbPassRateLimit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_444) } },
    ProviderEvent { id: 1024, task: Cow::Borrowed("TcpConnectTcbCheckRateLimit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1024, task: Cow::Borrowed("TcpConnectTcbCheckRateLimit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1025, task: Cow::Borrowed("TcpSecurityRateLimit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1026, task: Cow::Borrowed("TcpRateLimitPathRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_444) } },
    ProviderEvent { id: 1027, task: Cow::Borrowed("TcpConnectTcbRateLimitRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1027, task: Cow::Borrowed("TcpConnectTcbRateLimitRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1028, task: Cow::Borrowed("TcpRateLimitPathCancel"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_444) } },
    ProviderEvent { id: 1029, task: Cow::Borrowed("TcpConnectTcbCancel"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1029, task: Cow::Borrowed("TcpConnectTcbCancel"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1030, task: Cow::Borrowed("TcpConnectTcbFailInsertion"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_435) } },
    ProviderEvent { id: 1031, task: Cow::Borrowed("TcpConnectTcbProceeding"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1031, task: Cow::Borrowed("TcpConnectTcbProceeding"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1032, task: Cow::Borrowed("TcpConnectTcbRateLimitCancel"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1032, task: Cow::Borrowed("TcpConnectTcbRateLimitCancel"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1033, task: Cow::Borrowed("TcpConnectTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1033, task: Cow::Borrowed("TcpConnectTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1034, task: Cow::Borrowed("TcpConnectTcbFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1034, task: Cow::Borrowed("TcpConnectTcbFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1035, task: Cow::Borrowed("TcpConnectTcbFailInspectConnectComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1035, task: Cow::Borrowed("TcpConnectTcbFailInspectConnectComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1036, task: Cow::Borrowed("TcpConnectTcbFailSessionState"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1036, task: Cow::Borrowed("TcpConnectTcbFailSessionState"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1037, task: Cow::Borrowed("TcpConnectTcbFailDontFragment"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1037, task: Cow::Borrowed("TcpConnectTcbFailDontFragment"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1038, task: Cow::Borrowed("TcpCloseTcbRequest"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1038, task: Cow::Borrowed("TcpCloseTcbRequest"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1039, task: Cow::Borrowed("TcpAbortTcbRequest"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1039, task: Cow::Borrowed("TcpAbortTcbRequest"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1040, task: Cow::Borrowed("TcpAbortTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1040, task: Cow::Borrowed("TcpAbortTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1041, task: Cow::Borrowed("TcpDisconnectTcbInjectFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_446) } },
    ProviderEvent { id: 1042, task: Cow::Borrowed("TcpDisconnectTcbRequest"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_447) } },
    ProviderEvent { id: 1043, task: Cow::Borrowed("TcpDisconnectTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1043, task: Cow::Borrowed("TcpDisconnectTcbComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1044, task: Cow::Borrowed("TcpShutdownTcb"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1044, task: Cow::Borrowed("TcpShutdownTcb"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1045, task: Cow::Borrowed("TcpConnectTcbTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1045, task: Cow::Borrowed("TcpConnectTcbTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1046, task: Cow::Borrowed("TcpDisconnectTcbRtoTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1046, task: Cow::Borrowed("TcpDisconnectTcbRtoTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1047, task: Cow::Borrowed("TcpDisconnectTcbKeepaliveTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1047, task: Cow::Borrowed("TcpDisconnectTcbKeepaliveTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1048, task: Cow::Borrowed("TcpDisconnectTcbTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1048, task: Cow::Borrowed("TcpDisconnectTcbTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1049, task: Cow::Borrowed("TcpConnectTcbEstatsFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1049, task: Cow::Borrowed("TcpConnectTcbEstatsFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1050, task: Cow::Borrowed("TcpConnectFailedPortAcquire"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_441) } },
    ProviderEvent { id: 1050, task: Cow::Borrowed("TcpConnectFailedPortAcquire"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_442) } },
    ProviderEvent { id: 1051, task: Cow::Borrowed("TcpTcbStateChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_448) } },
    ProviderEvent { id: 1052, task: Cow::Borrowed("TcpEndpointAcquirePortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_449) } },
    ProviderEvent { id: 1052, task: Cow::Borrowed("TcpEndpointAcquirePortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_450) } },
    ProviderEvent { id: 1053, task: Cow::Borrowed("TcpEndpointFailedPortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_449) } },
    ProviderEvent { id: 1053, task: Cow::Borrowed("TcpEndpointFailedPortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_450) } },
    ProviderEvent { id: 1054, task: Cow::Borrowed("TcpGlobalPortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_449) } },
    ProviderEvent { id: 1054, task: Cow::Borrowed("TcpGlobalPortReservation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_450) } },
    ProviderEvent { id: 1055, task: Cow::Borrowed("TcpGlobalSynAttackEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1056, task: Cow::Borrowed("TcpGlobalReassemblyLimitViolation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1057, task: Cow::Borrowed("TcpGlobalConnectionRateLimitViolation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1058, task: Cow::Borrowed("TcpGlobalLandAttackSegmentDrop"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1059, task: Cow::Borrowed("TcpGlobalIsbBeginThrottle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_451) } },
    ProviderEvent { id: 1060, task: Cow::Borrowed("TcpGlobalIsbEndThrottle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_451) } },
    ProviderEvent { id: 1061, task: Cow::Borrowed("TcpGlobalAddInterface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_452) } },
    ProviderEvent { id: 1062, task: Cow::Borrowed("TcpGlobalDeleteInterface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_452) } },
    ProviderEvent { id: 1063, task: Cow::Borrowed("TcpGlobalSynAttackExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_445) } },
    ProviderEvent { id: 1064, task: Cow::Borrowed("TcpTcbStartTimer"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_453) } },
    ProviderEvent { id: 1064, task: Cow::Borrowed("TcpTcbStartTimer"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_454) } },
    ProviderEvent { id: 1065, task: Cow::Borrowed("TcpTcbStopTimer"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_455) } },
    ProviderEvent { id: 1066, task: Cow::Borrowed("TcpTcbExpireTimer"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_455) } },
    ProviderEvent { id: 1067, task: Cow::Borrowed("TcpTcbChangeIsb"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_456) } },
    ProviderEvent { id: 1068, task: Cow::Borrowed("TcpRssTableChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_457) } },
    ProviderEvent { id: 1069, task: Cow::Borrowed("TcpDataTransferTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1070, task: Cow::Borrowed("TcpDataTransferRttSample"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1071, task: Cow::Borrowed("TcpDataTransferCumAck"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1072, task: Cow::Borrowed("TcpDataTransferDupAck"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1073, task: Cow::Borrowed("TcpDataTransferSend"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1074, task: Cow::Borrowed("TcpDataTransferReceive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_459) } },
    ProviderEvent { id: 1075, task: Cow::Borrowed("TcpDataTransferEcn"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_460) } },
    ProviderEvent { id: 1076, task: Cow::Borrowed("TcpDataTransferSpuriousTimeout"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1077, task: Cow::Borrowed("TcpDataTransferRetransmitRound"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1078, task: Cow::Borrowed("TcpLossRecoveryEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_461) } },
    ProviderEvent { id: 1079, task: Cow::Borrowed("TcpLossRecoveryExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_461) } },
    ProviderEvent { id: 1080, task: Cow::Borrowed("TcpLossRecoverySackEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_462) } },
    ProviderEvent { id: 1081, task: Cow::Borrowed("TcpLossRecoverySackExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_463) } },
    ProviderEvent { id: 1082, task: Cow::Borrowed("TcpSlowStartToCongestionAvoidance"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1084, task: Cow::Borrowed("TcpBlackHoleDetectionEntry"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_464) } },
    ProviderEvent { id: 1085, task: Cow::Borrowed("TcpBlackHoleDetectionExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_464) } },
    ProviderEvent { id: 1086, task: Cow::Borrowed("TcpBlackHoleDetectionFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_464) } },
    ProviderEvent { id: 1087, task: Cow::Borrowed("TcpSpuriousRtoDetectionBegin"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1088, task: Cow::Borrowed("TcpSpuriousRtoDetectionEnd"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1089, task: Cow::Borrowed("TcpConnectTcbFailedActiveConnect"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_436) } },
    ProviderEvent { id: 1090, task: Cow::Borrowed("TcpReleaseIndication"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_465) } },
    ProviderEvent { id: 1091, task: Cow::Borrowed("TcpAppSendBufferSize"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1092, task: Cow::Borrowed("TcpAutoTuningBegin"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1093, task: Cow::Borrowed("TcpAutoTuningEnd"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1094, task: Cow::Borrowed("TcpAutoTuningFailedRttEstimation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1095, task: Cow::Borrowed("TcpAutoTuningFailedBandwidthEstimation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1096, task: Cow::Borrowed("TcpAutoTuningFailedAllocationFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1097, task: Cow::Borrowed("TcpAutoTuningChangeRcvBufferSize"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_466) } },
    ProviderEvent { id: 1098, task: Cow::Borrowed("TcpRttResiliencyDetection"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_458) } },
    ProviderEvent { id: 1099, task: Cow::Borrowed("TcpConnectionOffloadStateChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_467) } },
];

static MAP_11_SCREENSAVERPROCESSACTIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("ScreenSaverProcessActionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ScreenSaver Process Start")),
        (2, Cow::Borrowed("ScreenSaver Process End")),
    ]),
};

static MAP_11_SURFACETYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("SurfaceType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("System Memory")),
        (1, Cow::Borrowed("Device Bitmap")),
    ]),
};

static MAP_11_THREADINFOFLAGS: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadInfoFlags"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Thread had input messages")),
        (2, Cow::Borrowed("Thread had visible windows")),
        (4, Cow::Borrowed("Thread has new input")),
        (8, Cow::Borrowed("Thread has visible windows")),
        (16, Cow::Borrowed("Thread has windows")),
        (32, Cow::Borrowed("Thread has ghosted windows")),
        (64, Cow::Borrowed("Thread is being destroyed")),
        (128, Cow::Borrowed("Thread pumped per-window messages")),
        (256, Cow::Borrowed("Thread has input messages")),
        (512, Cow::Borrowed("Thread is spinning making windowing API calls")),
        (1024, Cow::Borrowed("Thread has window focus")),
        (2048, Cow::Borrowed("Thread is foreground")),
    ]),
};

static MAP_11_UIPIINPUTTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("UIPIInputType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("SendInput")),
        (2, Cow::Borrowed("Input Queue")),
        (3, Cow::Borrowed("Key State")),
        (4, Cow::Borrowed("Mouse State")),
        (5, Cow::Borrowed("Raw Input")),
        (6, Cow::Borrowed("Low Level Hooks")),
        (7, Cow::Borrowed("HotKey")),
        (8, Cow::Borrowed("Message Post-Processing")),
    ]),
};

static MAP_11_UIPISYSERRTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("UIPISysErrType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("SPI Set")),
        (2, Cow::Borrowed("BlockInput")),
        (3, Cow::Borrowed("Change Window Message Filter")),
        (4, Cow::Borrowed("Journal Hook")),
        (5, Cow::Borrowed("Gesture Engine")),
    ]),
};

static MAP_11_WINLOGONNOTIFICATIONACTIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("WinlogonNotificationActionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Winlogon Notification End")),
        (1, Cow::Borrowed("Winlogon Notification Start")),
    ]),
};

static EVENTS_11: [ProviderEvent; 58] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("WindowUpdate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_468) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("FocusChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_469) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("UIPIMsgError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_470) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("UIPIHookError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_471) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("UIPIEventHookError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_472) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("UIPIHandleValError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_473) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("UIPIInputError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_474) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("UIPIClipboardError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_475) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("UIPISystemError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_476) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("PowerDisplayChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_477) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("IdleActionExpiration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_478) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("DisplayReqChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_479) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("DisplayTimeoutReset"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_480) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("LockAcquireExclusive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_481) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("LockAcquireShared"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("LockAcquireSharedStarveExclusive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("LockRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("SwapChainBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_483) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("SwapChainUnBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_483) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("IdleStatusTracing"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_484) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("SwapChainSetStats"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_485) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("ScreenSaverProcess"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_486) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("WinlogonSleepStart"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_487) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("WinlogonSleepEnd"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_488) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("UserActive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_489) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("FocusedProcessChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_490) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("DwmSpriteCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_491) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("DwmSpriteDestroy"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_491) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("LogicalSurfCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_492) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("LogicalSurfDestroy"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_492) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("LogicalSurfPhysSurfBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_493) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("LogicalSurfPhysSurfUnbind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_493) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("GdiSysMemToken"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_494) } },
    ProviderEvent { id: 35, task: Cow::Borrowed("WaitCursor"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_495) } },
    ProviderEvent { id: 36, task: Cow::Borrowed("ThreadInfoRundown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_496) } },
    ProviderEvent { id: 37, task: Cow::Borrowed("InputProcessDelay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_497) } },
    ProviderEvent { id: 38, task: Cow::Borrowed("MessageCheckDelay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_498) } },
    ProviderEvent { id: 39, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("NewRendering"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_499) } },
    ProviderEvent { id: 40, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("OldToNewRendering"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_499) } },
    ProviderEvent { id: 41, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("AppRenderingUpdate"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_500) } },
    ProviderEvent { id: 42, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("AppRenderingTightUpdate"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_500) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("ValidateWindow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_501) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("InvalidateWindow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_501) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("ThreadExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_496) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("BindLogicalSurface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_502) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("UnBindLogicalSurface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_502) } },
    ProviderEvent { id: 48, task: Cow::Borrowed("BindLogicalSurfaceRH"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_503) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("DwmSpriteLogicalSurfBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_504) } },
    ProviderEvent { id: 50, task: Cow::Borrowed("DwmSpriteLogicalSurfUnBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_504) } },
    ProviderEvent { id: 51, task: Cow::Borrowed("LogicalSurfEnableDirtyNotification"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_505) } },
    ProviderEvent { id: 52, task: Cow::Borrowed("PhysicalSurfCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_506) } },
    ProviderEvent { id: 53, task: Cow::Borrowed("ModifyRgn"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_507) } },
    ProviderEvent { id: 54, task: Cow::Borrowed("SwapChainGetStats"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_485) } },
    ProviderEvent { id: 55, task: Cow::Borrowed("SwapChainBindingOpen"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_508) } },
    ProviderEvent { id: 56, task: Cow::Borrowed("SwapChainBindingRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_509) } },
    ProviderEvent { id: 57, task: Cow::Borrowed("SwapChainBindingStatus"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_510) } },
    ProviderEvent { id: 58, task: Cow::Borrowed("DesktopResolutionFailure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_511) } },
    ProviderEvent { id: 59, task: Cow::Borrowed("QueuePostMessage"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_512) } },
];

static MAP_12_IDLEACTIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("IdleActionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Screen Saver timeout")),
        (2, Cow::Borrowed("Display Blanking timeout")),
        (3, Cow::Borrowed("Console Lock timeout")),
        (4, Cow::Borrowed("Display Dim timeout")),
    ]),
};

static MAP_12_LOGICALSURFACEREGIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("LogicalSurfaceRegionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Accumulated dirty region since last time it was cleared")),
        (1, Cow::Borrowed("Accumulated dirty region since the surface weas created")),
        (2, Cow::Borrowed("Clip region derived from the Window region")),
    ]),
};

static MAP_12_SCREENSAVERPROCESSACTIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("ScreenSaverProcessActionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ScreenSaver Process Start")),
        (2, Cow::Borrowed("ScreenSaver Process End")),
    ]),
};

static MAP_12_SURFACETYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("SurfaceType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("System Memory")),
        (1, Cow::Borrowed("Device Bitmap")),
    ]),
};

static MAP_12_THREADINFOFLAGS: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadInfoFlags"),
    bits: true,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Thread had input messages")),
        (2, Cow::Borrowed("Thread had visible windows")),
        (4, Cow::Borrowed("Thread has new input")),
        (8, Cow::Borrowed("Thread has visible windows")),
        (16, Cow::Borrowed("Thread has windows")),
        (32, Cow::Borrowed("Thread has ghosted windows")),
        (64, Cow::Borrowed("Thread is being destroyed")),
        (128, Cow::Borrowed("Thread pumped per-window messages")),
        (256, Cow::Borrowed("Thread has input messages")),
        (512, Cow::Borrowed("Thread is spinning making windowing API calls")),
        (1024, Cow::Borrowed("Thread has window focus")),
    ]),
};

static MAP_12_UIPIINPUTTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("UIPIInputType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("SendInput")),
        (2, Cow::Borrowed("Input Queue")),
        (3, Cow::Borrowed("Key State")),
        (4, Cow::Borrowed("Mouse State")),
        (5, Cow::Borrowed("Raw Input")),
        (6, Cow::Borrowed("Low Level Hooks")),
        (7, Cow::Borrowed("HotKey")),
        (8, Cow::Borrowed("Message Post-Processing")),
    ]),
};

static MAP_12_UIPISYSERRTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("UIPISysErrType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("SPI Set")),
        (2, Cow::Borrowed("BlockInput")),
        (3, Cow::Borrowed("Change Window Message Filter")),
        (4, Cow::Borrowed("Journal Hook")),
        (5, Cow::Borrowed("Gesture Engine")),
    ]),
};

static MAP_12_WINLOGONNOTIFICATIONACTIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("WinlogonNotificationActionType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Winlogon Notification End")),
        (1, Cow::Borrowed("Winlogon Notification Start")),
    ]),
};

static EVENTS_12: [ProviderEvent; 53] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("WindowUpdate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_468) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("FocusChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_469) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("UIPIMsgError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_470) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("UIPIHookError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_471) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("UIPIEventHookError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_472) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("UIPIHandleValError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_473) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("UIPIInputError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_513) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("UIPIClipboardError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_514) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("UIPISystemError"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_515) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("PowerDisplayChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_477) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("IdleActionExpiration"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_516) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("DisplayReqChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_479) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("DisplayTimeoutReset"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_480) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("LockAcquireExclusive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_481) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("LockAcquireShared"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("LockAcquireSharedStarveExclusive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("LockRelease"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_482) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("SwapChainBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_483) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("SwapChainUnBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_483) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("IdleStatusTracing"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_484) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("SwapChainSetStats"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_485) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("ScreenSaverProcess"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_517) } },
    ProviderEvent { id: 23, task: Cow::Borrowed("WinlogonShowUI"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_518) } },
    ProviderEvent { id: 24, task: Cow::Borrowed("WinlogonHideUI"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_487) } },
    ProviderEvent { id: 25, task: Cow::Borrowed("UserActive"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_519) } },
    ProviderEvent { id: 26, task: Cow::Borrowed("FocusedProcessChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_490) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("DwmSpriteCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_491) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("DwmSpriteDestroy"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_491) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("LogicalSurfCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_492) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("LogicalSurfDestroy"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_492) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("LogicalSurfPhysSurfBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_493) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("LogicalSurfPhysSurfUnbind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_493) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("GdiSysMemToken"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_494) } },
    ProviderEvent { id: 34, task: Cow::Borrowed("WatermarkChange"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_520) } },
    ProviderEvent { id: 35, task: Cow::Borrowed("WaitCursor"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_495) } },
    ProviderEvent { id: 36, task: Cow::Borrowed("ThreadInfoRundown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_521) } },
    ProviderEvent { id: 37, task: Cow::Borrowed("InputProcessDelay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_522) } },
    ProviderEvent { id: 38, task: Cow::Borrowed("MessageCheckDelay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_523) } },
    ProviderEvent { id: 39, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("NewRendering"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_499) } },
    ProviderEvent { id: 40, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("OldToNewRendering"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_499) } },
    ProviderEvent { id: 41, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("AppRenderingUpdate"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_500) } },
    ProviderEvent { id: 42, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("AppRenderingTightUpdate"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_500) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("ValidateWindow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_501) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("Rendering"), opcode: Cow::Borrowed("InvalidateWindow"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_501) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("ThreadExit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_496) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("BindLogicalSurface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_502) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("UnBindLogicalSurface"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_502) } },
    ProviderEvent { id: 48, task: Cow::Borrowed("BindLogicalSurfaceRH"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_503) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("DwmSpriteLogicalSurfBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_504) } },
    ProviderEvent { id: 50, task: Cow::Borrowed("DwmSpriteLogicalSurfUnBind"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_504) } },
    ProviderEvent { id: 51, task: Cow::Borrowed("LogicalSurfEnableDirtyNotification"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_505) } },
    ProviderEvent { id: 52, task: Cow::Borrowed("PhysicalSurfCreate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_524) } },
    ProviderEvent { id: 53, task: Cow::Borrowed("ModifyRgn"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_525) } },
];

static MAP_13_ASYNCCAUSALITYSTATUS: ValueMap = ValueMap {
    name: Cow::Borrowed("AsyncCausalityStatus"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Started")),
        (1, Cow::Borrowed("Completed")),
        (2, Cow::Borrowed("Canceled")),
        (3, Cow::Borrowed("Error")),
    ]),
};

static MAP_13_CAUSALITYRELATION: ValueMap = ValueMap {
    name: Cow::Borrowed("CausalityRelation"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("AssignDelegate")),
        (1, Cow::Borrowed("Join")),
        (2, Cow::Borrowed("Choice")),
        (3, Cow::Borrowed("Cancel")),
        (4, Cow::Borrowed("Error")),
    ]),
};

static MAP_13_CAUSALITYSYNCHRONOUSWORK: ValueMap = ValueMap {
    name: Cow::Borrowed("CausalitySynchronousWork"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("CompletionNotification")),
        (1, Cow::Borrowed("ProgressNotification")),
        (2, Cow::Borrowed("Execution")),
    ]),
};

static MAP_13_FORKJOINOPERATIONTYPE: ValueMap = ValueMap {
    name: Cow::Borrowed("ForkJoinOperationType"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("ParallelInvoke")),
        (2, Cow::Borrowed("ParallelFor")),
        (3, Cow::Borrowed("ParallelForEach")),
    ]),
};

static MAP_13_TASKWAITBEHAVIOR: ValueMap = ValueMap {
    name: Cow::Borrowed("TaskWaitBehavior"),
    bits: false,
    entries: Cow::Borrowed(&[
        (1, Cow::Borrowed("Synchronous")),
        (2, Cow::Borrowed("Asynchronous")),
    ]),
};

static EVENTS_13: [ProviderEvent; 19] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("Loop"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_526) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("Loop"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_527) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("Invoke"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_528) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("Invoke"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_529) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("ForkJoin"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_529) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("ForkJoin"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_529) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("TaskScheduled"), opcode: Cow::Borrowed("Send"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_530) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("TaskExecute"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_531) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("TaskExecute"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_532) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("TaskWait"), opcode: Cow::Borrowed("Send"), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_533) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("TaskWait"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_531) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("AwaitTaskContinuationScheduled"), opcode: Cow::Borrowed("Send"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_534) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("TaskWaitContinuationComplete"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_535) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("TraceOperation"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_536) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("TraceOperation"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_537) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("TraceOperationRelation"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_538) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("TraceSynchronousWork"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_539) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("TraceSynchronousWork"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_540) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("IncompleteAsyncMethod"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_541) } },
];

static MAP_14_THREADTRANSFERKIND: ValueMap = ValueMap {
    name: Cow::Borrowed("ThreadTransferKind"),
    bits: false,
    entries: Cow::Borrowed(&[
        (0, Cow::Borrowed("Unknown")),
        (1, Cow::Borrowed("ManagedTimers")),
        (2, Cow::Borrowed("ManagedAsync")),
        (3, Cow::Borrowed("WinRT")),
    ]),
};

static EVENTS_14: [ProviderEvent; 128] = [
    ProviderEvent { id: 1, task: Cow::Borrowed("ResourceManagerLookupStarted"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 2, task: Cow::Borrowed("ResourceManagerLookingForResourceSet"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 3, task: Cow::Borrowed("ResourceManagerFoundResourceSetInCache"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 4, task: Cow::Borrowed("ResourceManagerFoundResourceSetInCacheUnexpected"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 5, task: Cow::Borrowed("ResourceManagerStreamFound"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_543) } },
    ProviderEvent { id: 6, task: Cow::Borrowed("ResourceManagerStreamNotFound"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_543) } },
    ProviderEvent { id: 7, task: Cow::Borrowed("ResourceManagerGetSatelliteAssemblySucceeded"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_544) } },
    ProviderEvent { id: 8, task: Cow::Borrowed("ResourceManagerGetSatelliteAssemblyFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_544) } },
    ProviderEvent { id: 9, task: Cow::Borrowed("ResourceManagerCaseInsensitiveResourceStreamLookupSucceeded"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_545) } },
    ProviderEvent { id: 10, task: Cow::Borrowed("ResourceManagerCaseInsensitiveResourceStreamLookupFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_545) } },
    ProviderEvent { id: 11, task: Cow::Borrowed("ResourceManagerManifestResourceAccessDenied"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_546) } },
    ProviderEvent { id: 12, task: Cow::Borrowed("ResourceManagerNeutralResourcesSufficient"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 13, task: Cow::Borrowed("ResourceManagerNeutralResourceAttributeMissing"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_547) } },
    ProviderEvent { id: 14, task: Cow::Borrowed("ResourceManagerCreatingResourceSet"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_548) } },
    ProviderEvent { id: 15, task: Cow::Borrowed("ResourceManagerNotCreatingResourceSet"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 16, task: Cow::Borrowed("ResourceManagerLookupFailed"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 17, task: Cow::Borrowed("ResourceManagerReleasingResources"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_549) } },
    ProviderEvent { id: 18, task: Cow::Borrowed("ResourceManagerNeutralResourcesNotFound"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_550) } },
    ProviderEvent { id: 19, task: Cow::Borrowed("ResourceManagerNeutralResourcesFound"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_550) } },
    ProviderEvent { id: 20, task: Cow::Borrowed("ResourceManagerAddingCultureFromConfigFile"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 21, task: Cow::Borrowed("ResourceManagerCultureNotFoundInConfigFile"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 22, task: Cow::Borrowed("ResourceManagerCultureFoundInConfigFile"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_542) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("ThreadPoolEnqueueWork"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_551) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("ThreadPoolDequeueWork"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_551) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("ActivatorCreateInstance"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 33, task: Cow::Borrowed("ActivatorCreateInstanceT"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 34, task: Cow::Borrowed("ArrayCreateInstance"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 35, task: Cow::Borrowed("TypeGetType"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 36, task: Cow::Borrowed("AssemblyGetType"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 37, task: Cow::Borrowed("BeginGetMethodFromHandle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 38, task: Cow::Borrowed("EndGetMethodFromHandle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_553) } },
    ProviderEvent { id: 39, task: Cow::Borrowed("BeginGetFieldFromHandle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 40, task: Cow::Borrowed("EndGetFieldFromHandle"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_554) } },
    ProviderEvent { id: 41, task: Cow::Borrowed("EnumTryParseEnum"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_555) } },
    ProviderEvent { id: 42, task: Cow::Borrowed("EnumGetUnderlyingType"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 43, task: Cow::Borrowed("EnumGetValues"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 44, task: Cow::Borrowed("EnumGetName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 45, task: Cow::Borrowed("EnumGetNames"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 46, task: Cow::Borrowed("EnumIsDefined"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 47, task: Cow::Borrowed("BeginEnumFormat"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 48, task: Cow::Borrowed("EndEnumFormat"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 49, task: Cow::Borrowed("EnumToObject"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 50, task: Cow::Borrowed("TypeFullName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 51, task: Cow::Borrowed("BeginTypeAssemblyQualifiedName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 52, task: Cow::Borrowed("EndTypeAssemblyQualifiedName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 53, task: Cow::Borrowed("TypeNamespace"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 54, task: Cow::Borrowed("MethodName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 55, task: Cow::Borrowed("FieldName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_557) } },
    ProviderEvent { id: 56, task: Cow::Borrowed("TypeName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 57, task: Cow::Borrowed("IntrospectionExtensionsGetTypeInfo"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 58, task: Cow::Borrowed("BeginGetRuntimeProperties"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 59, task: Cow::Borrowed("EndGetRuntimeProperties"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 60, task: Cow::Borrowed("BeginGetRuntimeEvents"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 61, task: Cow::Borrowed("EndGetRuntimeEvents"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 62, task: Cow::Borrowed("BeginGetRuntimeMethods"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 63, task: Cow::Borrowed("EndGetRuntimeMethods"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 64, task: Cow::Borrowed("BeginGetRuntimeFields"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 65, task: Cow::Borrowed("EndGetRuntimeFields"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 66, task: Cow::Borrowed("BeginGetRuntimeProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_558) } },
    ProviderEvent { id: 67, task: Cow::Borrowed("EndGetRuntimeProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_558) } },
    ProviderEvent { id: 68, task: Cow::Borrowed("BeginGetRuntimeEvent"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_559) } },
    ProviderEvent { id: 69, task: Cow::Borrowed("EndGetRuntimeEvent"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_559) } },
    ProviderEvent { id: 70, task: Cow::Borrowed("BeginGetRuntimeMethod"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 71, task: Cow::Borrowed("EndGetRuntimeMethod"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 72, task: Cow::Borrowed("BeginGetRuntimeField"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_557) } },
    ProviderEvent { id: 73, task: Cow::Borrowed("EndGetRuntimeField"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_557) } },
    ProviderEvent { id: 79, task: Cow::Borrowed("MethodInfoInvoke"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 80, task: Cow::Borrowed("BeginMethodInfoCreateDelegate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_560) } },
    ProviderEvent { id: 81, task: Cow::Borrowed("EndMethodInfoCreateDelegate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_560) } },
    ProviderEvent { id: 82, task: Cow::Borrowed("BeginCreateIReference"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 83, task: Cow::Borrowed("EndCreateIReference"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 84, task: Cow::Borrowed("ConstructorInfoInvoke"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 85, task: Cow::Borrowed("MarshalAsAnyConvertToNative"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 86, task: Cow::Borrowed("MarshalAsAnyConvertToManaged"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 87, task: Cow::Borrowed("ManagedActivationFactoryConstructor"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 88, task: Cow::Borrowed("WindowsRuntimeMarshalGetActivationFactory"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 89, task: Cow::Borrowed("MarshalCreateAggregatedObject"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 90, task: Cow::Borrowed("MarshalCreateWrapperOfType"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_561) } },
    ProviderEvent { id: 91, task: Cow::Borrowed("MarshalDestroyStructure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 92, task: Cow::Borrowed("MarshalGetComInterfaceForObject"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_562) } },
    ProviderEvent { id: 93, task: Cow::Borrowed("MarshalGetDelegateForFunctionPointer"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 94, task: Cow::Borrowed("MarshalGetExceptionCode"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 95, task: Cow::Borrowed("MarshalGetExceptionForHR"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 96, task: Cow::Borrowed("MarshalGetExceptionForHR2"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 97, task: Cow::Borrowed("MarshalGetFunctionPointerForDelegate"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_556) } },
    ProviderEvent { id: 98, task: Cow::Borrowed("MarshalGetIUnknownForObject"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 99, task: Cow::Borrowed("MarshalGetNativeVariantForObject"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 100, task: Cow::Borrowed("MarshalGetObjectForIUnknown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 101, task: Cow::Borrowed("MarshalGetObjectForNativeVariant"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 102, task: Cow::Borrowed("MarshalGetObjectsForNativeVariants"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_563) } },
    ProviderEvent { id: 103, task: Cow::Borrowed("MarshalGetStartComSlot"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 104, task: Cow::Borrowed("MarshalGetTypeFromCLSID"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_564) } },
    ProviderEvent { id: 105, task: Cow::Borrowed("MarshalGetTypeInfoName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 106, task: Cow::Borrowed("MarshalGetUniqueObjectForIUnknown"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 107, task: Cow::Borrowed("BeginMarshalOffsetOf"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_557) } },
    ProviderEvent { id: 108, task: Cow::Borrowed("EndMarshalOffsetOf"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_557) } },
    ProviderEvent { id: 109, task: Cow::Borrowed("BeginMarshalPtrToStructure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 110, task: Cow::Borrowed("EndMarshalPtrToStructure"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 111, task: Cow::Borrowed("MarshalSizeOf"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 112, task: Cow::Borrowed("MarshalStructureToPtr"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_565) } },
    ProviderEvent { id: 113, task: Cow::Borrowed("MarshalThrowExceptionForHR"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 114, task: Cow::Borrowed("MarshalUnsafeAddrOfPinnedArrayElement"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 115, task: Cow::Borrowed("BeginICustomPropertyProviderCreateProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_558) } },
    ProviderEvent { id: 116, task: Cow::Borrowed("EndICustomPropertyProviderCreateProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_558) } },
    ProviderEvent { id: 117, task: Cow::Borrowed("BeginICustomPropertyProviderCreateIndexedProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_566) } },
    ProviderEvent { id: 118, task: Cow::Borrowed("EndICustomPropertyProviderCreateIndexedProperty"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_566) } },
    ProviderEvent { id: 119, task: Cow::Borrowed("BeginCustomPropertyImplGetValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_567) } },
    ProviderEvent { id: 120, task: Cow::Borrowed("EndCustomPropertyImplGetValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_567) } },
    ProviderEvent { id: 121, task: Cow::Borrowed("BeginCustomPropertyImplGetValueIndexValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_567) } },
    ProviderEvent { id: 122, task: Cow::Borrowed("EndCustomPropertyImplGetValueIndexValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_567) } },
    ProviderEvent { id: 123, task: Cow::Borrowed("BeginCustomPropertyImplSetValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_568) } },
    ProviderEvent { id: 124, task: Cow::Borrowed("EndCustomPropertyImplSetValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_568) } },
    ProviderEvent { id: 125, task: Cow::Borrowed("BeginCustomPropertyImplSetValueIndexValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_569) } },
    ProviderEvent { id: 126, task: Cow::Borrowed("EndCustomPropertyImplSetValueIndexValue"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_569) } },
    ProviderEvent { id: 127, task: Cow::Borrowed("MarshalThrowExceptionForHR2"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_5) } },
    ProviderEvent { id: 128, task: Cow::Borrowed("BeginGetRuntimeConstructors"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 129, task: Cow::Borrowed("EndGetRuntimeConstructors"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 130, task: Cow::Borrowed("BeginGetRuntimeMembers"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 131, task: Cow::Borrowed("EndGetRuntimeMembers"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 132, task: Cow::Borrowed("EventName"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_559) } },
    ProviderEvent { id: 133, task: Cow::Borrowed("QueryAttributeIsDefined"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_552) } },
    ProviderEvent { id: 140, task: Cow::Borrowed("GetResponse"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_570) } },
    ProviderEvent { id: 141, task: Cow::Borrowed("GetResponse"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_571) } },
    ProviderEvent { id: 142, task: Cow::Borrowed("GetRequestStream"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_570) } },
    ProviderEvent { id: 143, task: Cow::Borrowed("GetRequestStream"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_571) } },
    ProviderEvent { id: 150, task: Cow::Borrowed("ThreadTransfer"), opcode: Cow::Borrowed("Send"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_572) } },
    ProviderEvent { id: 151, task: Cow::Borrowed("ThreadTransfer"), opcode: Cow::Borrowed("Receive"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_573) } },
    ProviderEvent { id: 152, task: Cow::Borrowed("ThreadTransfer"), opcode: Cow::Borrowed("ReceiveHandled"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_573) } },
];

static EVENTS_15: [ProviderEvent; 26] = [
    ProviderEvent { id: 17, task: Cow::Borrowed("VSyncDPC"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_574) } },
    ProviderEvent { id: 27, task: Cow::Borrowed("Device"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_575) } },
    ProviderEvent { id: 28, task: Cow::Borrowed("Device"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_575) } },
    ProviderEvent { id: 29, task: Cow::Borrowed("Device"), opcode: Cow::Borrowed("DCStart"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_575) } },
    ProviderEvent { id: 30, task: Cow::Borrowed("Context"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_576) } },
    ProviderEvent { id: 31, task: Cow::Borrowed("Context"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_576) } },
    ProviderEvent { id: 32, task: Cow::Borrowed("Context"), opcode: Cow::Borrowed("DCStart"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_576) } },
    ProviderEvent { id: 116, task: Cow::Borrowed("MMIOFlip"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_577) } },
    ProviderEvent { id: 166, task: Cow::Borrowed("Blit"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_578) } },
    ProviderEvent { id: 168, task: Cow::Borrowed("Flip"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_579) } },
    ProviderEvent { id: 171, task: Cow::Borrowed("PresentHistory"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_580) } },
    ProviderEvent { id: 172, task: Cow::Borrowed("PresentHistory"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_580) } },
    ProviderEvent { id: 175, task: Cow::Borrowed("DmaPacket"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_581) } },
    ProviderEvent { id: 177, task: Cow::Borrowed("DmaPacket"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_582) } },
    ProviderEvent { id: 178, task: Cow::Borrowed("QueuePacket"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_583) } },
    ProviderEvent { id: 180, task: Cow::Borrowed("QueuePacket"), opcode: Cow::Borrowed("Stop"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_584) } },
    ProviderEvent { id: 184, task: Cow::Borrowed("Present"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_585) } },
    ProviderEvent { id: 215, task: Cow::Borrowed("PresentHistoryDetailed"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_586) } },
    ProviderEvent { id: 244, task: Cow::Borrowed("QueuePacket"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 1, fields: Cow::Borrowed(&FIELDS_587) } },
    ProviderEvent { id: 245, task: Cow::Borrowed("QueuePacket"), opcode: Cow::Borrowed("Start"), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_588) } },
    ProviderEvent { id: 252, task: Cow::Borrowed("FlipMultiPlaneOverlay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_589) } },
    ProviderEvent { id: 259, task: Cow::Borrowed("MMIOFlipMultiPlaneOverlay"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 3, fields: Cow::Borrowed(&FIELDS_590) } },
    ProviderEvent { id: 273, task: Cow::Borrowed("VSyncDPCMultiPlane"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 2, fields: Cow::Borrowed(&FIELDS_591) } },
    ProviderEvent { id: 382, task: Cow::Borrowed("HSyncDPCMultiPlane"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_592) } },
    ProviderEvent { id: 450, task: Cow::Borrowed("DmaPacket"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_593) } },
    ProviderEvent { id: 451, task: Cow::Borrowed("DmaPacket"), opcode: Cow::Borrowed(""), message: Cow::Borrowed(""), layout: Version { number: 0, fields: Cow::Borrowed(&FIELDS_594) } },
];

static FIELDS_0: [Field; 2] = [
    Field::new("Count", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
];

static FIELDS_1: [Field; 5] = [
    Field::new("Count", FieldType::U32),
    Field::new("Depth", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("Type", FieldType::U32).values(&MAP_0_GCTYPEMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_2: [Field; 6] = [
    Field::new("Count", FieldType::U32),
    Field::new("Depth", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("Type", FieldType::U32).values(&MAP_0_GCTYPEMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ClientSequenceNumber", FieldType::U64),
];

static FIELDS_3: [Field; 2] = [
    Field::new("Count", FieldType::U32),
    Field::new("Depth", FieldType::U16),
];

static FIELDS_4: [Field; 3] = [
    Field::new("Count", FieldType::U32),
    Field::new("Depth", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_5: [Field; 0] = [
];

static FIELDS_6: [Field; 1] = [
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_7: [Field; 13] = [
    Field::new("GenerationSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedSize", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedCount", FieldType::U64),
    Field::new("PinnedObjectCount", FieldType::U32),
    Field::new("SinkBlockCount", FieldType::U32),
    Field::new("GCHandleCount", FieldType::U32),
];

static FIELDS_8: [Field; 14] = [
    Field::new("GenerationSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedSize", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedCount", FieldType::U64),
    Field::new("PinnedObjectCount", FieldType::U32),
    Field::new("SinkBlockCount", FieldType::U32),
    Field::new("GCHandleCount", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_9: [Field; 16] = [
    Field::new("GenerationSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize0", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize1", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize2", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("TotalPromotedSize3", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedSize", FieldType::U64).hint(Hint::Hex),
    Field::new("FinalizationPromotedCount", FieldType::U64),
    Field::new("PinnedObjectCount", FieldType::U32),
    Field::new("SinkBlockCount", FieldType::U32),
    Field::new("GCHandleCount", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("GenerationSize4", FieldType::U64),
    Field::new("TotalPromotedSize4", FieldType::U64),
];

static FIELDS_10: [Field; 3] = [
    Field::new("Address", FieldType::U64).hint(Hint::Hex),
    Field::new("Size", FieldType::U64).hint(Hint::Hex),
    Field::new("Type", FieldType::U32).values(&MAP_0_GCSEGMENTTYPEMAP),
];

static FIELDS_11: [Field; 4] = [
    Field::new("Address", FieldType::U64).hint(Hint::Hex),
    Field::new("Size", FieldType::U64).hint(Hint::Hex),
    Field::new("Type", FieldType::U32).values(&MAP_0_GCSEGMENTTYPEMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_12: [Field; 1] = [
    Field::new("Address", FieldType::U64).hint(Hint::Hex),
];

static FIELDS_13: [Field; 2] = [
    Field::new("Address", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_14: [Field; 1] = [
    Field::new("Reason", FieldType::U16).values(&MAP_0_GCSUSPENDEEREASONMAP),
];

static FIELDS_15: [Field; 3] = [
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCSUSPENDEEREASONMAP),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_16: [Field; 2] = [
    Field::new("AllocationAmount", FieldType::U32).hint(Hint::Hex),
    Field::new("AllocationKind", FieldType::U32).values(&MAP_0_GCALLOCATIONKINDMAP),
];

static FIELDS_17: [Field; 3] = [
    Field::new("AllocationAmount", FieldType::U32).hint(Hint::Hex),
    Field::new("AllocationKind", FieldType::U32).values(&MAP_0_GCALLOCATIONKINDMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_18: [Field; 7] = [
    Field::new("AllocationAmount", FieldType::U32).hint(Hint::Hex),
    Field::new("AllocationKind", FieldType::U32).values(&MAP_0_GCALLOCATIONKINDMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("AllocationAmount64", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("HeapIndex", FieldType::U32),
];

static FIELDS_19: [Field; 8] = [
    Field::new("AllocationAmount", FieldType::U32).hint(Hint::Hex),
    Field::new("AllocationKind", FieldType::U32).values(&MAP_0_GCALLOCATIONKINDMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("AllocationAmount64", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("HeapIndex", FieldType::U32),
    Field::new("Address", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_20: [Field; 9] = [
    Field::new("AllocationAmount", FieldType::U32).hint(Hint::Hex),
    Field::new("AllocationKind", FieldType::U32).values(&MAP_0_GCALLOCATIONKINDMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("AllocationAmount64", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("HeapIndex", FieldType::U32),
    Field::new("Address", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectSize", FieldType::U64),
];

static FIELDS_21: [Field; 1] = [
    Field::new("Count", FieldType::U32),
];

static FIELDS_22: [Field; 2] = [
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_23: [Field; 8] = [
    Field::new("TypeID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeNameID", FieldType::U32),
    Field::new("Flags", FieldType::U32).values(&MAP_0_TYPEFLAGSMAP),
    Field::new("CorElementType", FieldType::U8),
    Field::new("Name", FieldType::Utf16(Length::Nul)),
    Field::new("TypeParameterCount", FieldType::U32),
    Field::new("TypeParameters", FieldType::U64).count(Count::Field(6)).hint(Hint::Hex),
];

static FIELDS_24: [Field; 3] = [
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_23))).count(Count::Field(0)),
];

static FIELDS_25: [Field; 4] = [
    Field::new("RootedNodeAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("GCRootKind", FieldType::U8).values(&MAP_0_GCROOTKINDMAP),
    Field::new("GCRootFlag", FieldType::U32).values(&MAP_0_GCROOTFLAGSMAP),
    Field::new("GCRootID", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_26: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_25))).count(Count::Field(1)),
];

static FIELDS_27: [Field; 3] = [
    Field::new("GCKeyNodeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("GCValueNodeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("GCRootID", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_28: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_27))).count(Count::Field(1)),
];

static FIELDS_29: [Field; 4] = [
    Field::new("Address", FieldType::Pointer).hint(Hint::Address),
    Field::new("Size", FieldType::U64),
    Field::new("TypeID", FieldType::U64),
    Field::new("EdgeCount", FieldType::U64),
];

static FIELDS_30: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_29))).count(Count::Field(1)),
];

static FIELDS_31: [Field; 2] = [
    Field::new("Value", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ReferencingFieldID", FieldType::U32),
];

static FIELDS_32: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_31))).count(Count::Field(1)),
];

static FIELDS_33: [Field; 5] = [
    Field::new("Address", FieldType::Pointer).hint(Hint::Address),
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectCountForTypeSample", FieldType::U32),
    Field::new("TotalSizeForTypeSample", FieldType::U64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_34: [Field; 2] = [
    Field::new("RangeBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RangeLength", FieldType::U64),
];

static FIELDS_35: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_34))).count(Count::Field(1)),
];

static FIELDS_36: [Field; 3] = [
    Field::new("OldRangeBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NewRangeBase", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RangeLength", FieldType::U64),
];

static FIELDS_37: [Field; 4] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_36))).count(Count::Field(1)),
];

static FIELDS_38: [Field; 5] = [
    Field::new("Generation", FieldType::U8),
    Field::new("RangeStart", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RangeUsedLength", FieldType::U64),
    Field::new("RangeReservedLength", FieldType::U64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_39: [Field; 2] = [
    Field::new("HeapNum", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_40: [Field; 3] = [
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_41: [Field; 6] = [
    Field::new("HandleID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("Kind", FieldType::U32).values(&MAP_0_GCHANDLEKINDMAP),
    Field::new("Generation", FieldType::U32),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_42: [Field; 2] = [
    Field::new("HandleID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_43: [Field; 5] = [
    Field::new("HandleID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectSize", FieldType::U64),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_44: [Field; 2] = [
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_45: [Field; 7] = [
    Field::new("GCRootID", FieldType::U64).hint(Hint::Hex),
    Field::new("ObjectID", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::U64).hint(Hint::Hex),
    Field::new("IUnknown", FieldType::U64).hint(Hint::Hex),
    Field::new("RefCount", FieldType::U32),
    Field::new("PeggedRefCount", FieldType::U32),
    Field::new("Flags", FieldType::U32).values(&MAP_0_GCROOTCCWFLAGSMAP),
];

static FIELDS_46: [Field; 3] = [
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_45))).count(Count::Field(0)),
];

static FIELDS_47: [Field; 6] = [
    Field::new("ObjectID", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::U64).hint(Hint::Hex),
    Field::new("IUnknown", FieldType::U64).hint(Hint::Hex),
    Field::new("VTable", FieldType::U64).hint(Hint::Hex),
    Field::new("RefCount", FieldType::U32),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_48: [Field; 3] = [
    Field::new("Count", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_47))).count(Count::Field(0)),
];

static FIELDS_49: [Field; 5] = [
    Field::new("GCRootID", FieldType::U64).hint(Hint::Hex),
    Field::new("ObjectID", FieldType::U64).hint(Hint::Hex),
    Field::new("TypeID", FieldType::U64).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).values(&MAP_0_GCROOTSTATICVARFLAGSMAP),
    Field::new("FieldName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_50: [Field; 4] = [
    Field::new("Count", FieldType::U32),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_49))).count(Count::Field(0)),
];

static FIELDS_51: [Field; 2] = [
    Field::new("WorkerThreadCount", FieldType::U32),
    Field::new("RetiredWorkerThreads", FieldType::U32),
];

static FIELDS_52: [Field; 2] = [
    Field::new("IOThreadCount", FieldType::U32),
    Field::new("RetiredIOThreads", FieldType::U32),
];

static FIELDS_53: [Field; 3] = [
    Field::new("IOThreadCount", FieldType::U32),
    Field::new("RetiredIOThreads", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_54: [Field; 2] = [
    Field::new("ClrThreadID", FieldType::U32),
    Field::new("CpuUtilization", FieldType::U32),
];

static FIELDS_55: [Field; 3] = [
    Field::new("ActiveWorkerThreadCount", FieldType::U32),
    Field::new("RetiredWorkerThreadCount", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_56: [Field; 2] = [
    Field::new("Throughput", FieldType::F64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_57: [Field; 4] = [
    Field::new("AverageThroughput", FieldType::F64),
    Field::new("NewWorkerThreadCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_THREADADJUSTMENTREASONMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_58: [Field; 11] = [
    Field::new("Duration", FieldType::F64),
    Field::new("Throughput", FieldType::F64),
    Field::new("ThreadWave", FieldType::F64),
    Field::new("ThroughputWave", FieldType::F64),
    Field::new("ThroughputErrorEstimate", FieldType::F64),
    Field::new("AverageThroughputErrorEstimate", FieldType::F64),
    Field::new("ThroughputRatio", FieldType::F64),
    Field::new("Confidence", FieldType::F64),
    Field::new("NewControlSetting", FieldType::F64),
    Field::new("NewThreadWaveMagnitude", FieldType::U16),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_59: [Field; 2] = [
    Field::new("WorkID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_60: [Field; 4] = [
    Field::new("NativeOverlapped", FieldType::Pointer).hint(Hint::Address),
    Field::new("Overlapped", FieldType::Pointer).hint(Hint::Address),
    Field::new("MultiDequeues", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_61: [Field; 3] = [
    Field::new("NativeOverlapped", FieldType::Pointer).hint(Hint::Address),
    Field::new("Overlapped", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_62: [Field; 2] = [
    Field::new("ID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_63: [Field; 6] = [
    Field::new("ExceptionType", FieldType::Utf16(Length::Nul)),
    Field::new("ExceptionMessage", FieldType::Utf16(Length::Nul)),
    Field::new("ExceptionEIP", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExceptionHRESULT", FieldType::U32).hint(Hint::Hex),
    Field::new("ExceptionFlags", FieldType::U16).values(&MAP_0_EXCEPTIONTHROWNFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_64: [Field; 2] = [
    Field::new("ContentionFlags", FieldType::U8).values(&MAP_0_CONTENTIONFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_65: [Field; 5] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Reserved1", FieldType::U8),
    Field::new("Reserved2", FieldType::U8),
    Field::new("FrameCount", FieldType::U32),
    Field::new("Stack", FieldType::Pointer).count(Count::Field(3)).hint(Hint::Address),
];

static FIELDS_66: [Field; 3] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("Allocated", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_67: [Field; 4] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("Survived", FieldType::U64).hint(Hint::Hex),
    Field::new("ProcessSurvived", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_68: [Field; 6] = [
    Field::new("ManagedThreadID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).values(&MAP_0_THREADFLAGSMAP),
    Field::new("ManagedThreadIndex", FieldType::U32),
    Field::new("OSThreadID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_69: [Field; 3] = [
    Field::new("ManagedThreadID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_70: [Field; 11] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("StubMethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("StubFlags", FieldType::U32).values(&MAP_0_ILSTUBGENERATEDFLAGSMAP),
    Field::new("ManagedInteropMethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("ManagedInteropMethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("ManagedInteropMethodName", FieldType::Utf16(Length::Nul)),
    Field::new("ManagedInteropMethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("NativeMethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("StubMethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("StubMethodILCode", FieldType::Utf16(Length::Nul)),
];

static FIELDS_71: [Field; 7] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("StubMethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ManagedInteropMethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("ManagedInteropMethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("ManagedInteropMethodName", FieldType::Utf16(Length::Nul)),
    Field::new("ManagedInteropMethodSignature", FieldType::Utf16(Length::Nul)),
];

static FIELDS_72: [Field; 6] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
];

static FIELDS_73: [Field; 9] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
];

static FIELDS_74: [Field; 7] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_75: [Field; 8] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ReJITID", FieldType::U64).hint(Hint::Hex),
];

static FIELDS_76: [Field; 10] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_77: [Field; 11] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_0_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ReJITID", FieldType::U64).hint(Hint::Hex),
];

static FIELDS_78: [Field; 7] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodILSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
];

static FIELDS_79: [Field; 8] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodILSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_80: [Field; 6] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_0_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_81: [Field; 7] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_0_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_82: [Field; 8] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_0_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_83: [Field; 7] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_0_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_84: [Field; 13] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_0_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ManagedPdbSignature", FieldType::Guid),
    Field::new("ManagedPdbAge", FieldType::U32),
    Field::new("ManagedPdbBuildPath", FieldType::Utf16(Length::Nul)),
    Field::new("NativePdbSignature", FieldType::Guid),
    Field::new("NativePdbAge", FieldType::U32),
    Field::new("NativePdbBuildPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_85: [Field; 4] = [
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyFlags", FieldType::U32).values(&MAP_0_ASSEMBLYFLAGSMAP),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_86: [Field; 6] = [
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("BindingID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyFlags", FieldType::U32).values(&MAP_0_ASSEMBLYFLAGSMAP),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_87: [Field; 3] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainFlags", FieldType::U32).values(&MAP_0_APPDOMAINFLAGSMAP),
    Field::new("AppDomainName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_88: [Field; 5] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainFlags", FieldType::U32).values(&MAP_0_APPDOMAINFLAGSMAP),
    Field::new("AppDomainName", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainIndex", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_89: [Field; 5] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("RangeBegin", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeSize", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeType", FieldType::U8).values(&MAP_0_MODULERANGETYPEMAP),
];

static FIELDS_90: [Field; 3] = [
    Field::new("VerificationFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ErrorCode", FieldType::U32).hint(Hint::Hex),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_91: [Field; 4] = [
    Field::new("VerificationFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ErrorCode", FieldType::U32).hint(Hint::Hex),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_92: [Field; 3] = [
    Field::new("VerificationFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ErrorCode", FieldType::U32).hint(Hint::Hex),
    Field::new("ModulePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_93: [Field; 4] = [
    Field::new("VerificationFlags", FieldType::U32).hint(Hint::Hex),
    Field::new("ErrorCode", FieldType::U32).hint(Hint::Hex),
    Field::new("ModulePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_94: [Field; 10] = [
    Field::new("MethodBeingCompiledNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerName", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeName", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_95: [Field; 12] = [
    Field::new("MethodBeingCompiledNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerName", FieldType::Utf16(Length::Nul)),
    Field::new("InlinerNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeName", FieldType::Utf16(Length::Nul)),
    Field::new("InlineeNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("FailAlways", FieldType::Bool32),
    Field::new("FailReason", FieldType::Ansi(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_96: [Field; 15] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Sku", FieldType::U16).values(&MAP_0_RUNTIMESKUMAP),
    Field::new("BclMajorVersion", FieldType::U16),
    Field::new("BclMinorVersion", FieldType::U16),
    Field::new("BclBuildNumber", FieldType::U16),
    Field::new("BclQfeNumber", FieldType::U16),
    Field::new("VMMajorVersion", FieldType::U16),
    Field::new("VMMinorVersion", FieldType::U16),
    Field::new("VMBuildNumber", FieldType::U16),
    Field::new("VMQfeNumber", FieldType::U16),
    Field::new("StartupFlags", FieldType::U32).values(&MAP_0_STARTUPFLAGSMAP),
    Field::new("StartupMode", FieldType::U8).values(&MAP_0_STARTUPMODEMAP),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("ComObjectGuid", FieldType::Guid),
    Field::new("RuntimeDllPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_97: [Field; 12] = [
    Field::new("MethodBeingCompiledNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("CallerNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("CallerName", FieldType::Utf16(Length::Nul)),
    Field::new("CallerNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeName", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("TailPrefix", FieldType::Bool32),
    Field::new("TailCallType", FieldType::U32).values(&MAP_0_TAILCALLTYPEMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_98: [Field; 12] = [
    Field::new("MethodBeingCompiledNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodBeingCompiledNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("CallerNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("CallerName", FieldType::Utf16(Length::Nul)),
    Field::new("CallerNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeName", FieldType::Utf16(Length::Nul)),
    Field::new("CalleeNameSignature", FieldType::Utf16(Length::Nul)),
    Field::new("TailPrefix", FieldType::Bool32),
    Field::new("FailReason", FieldType::Ansi(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_99: [Field; 7] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ReJITID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodExtent", FieldType::U8),
    Field::new("CountOfMapEntries", FieldType::U16),
    Field::new("ILOffsets", FieldType::U32).count(Count::Field(3)),
    Field::new("NativeOffsets", FieldType::U32).count(Count::Field(3)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_100: [Field; 2] = [
    Field::new("BytesAllocated", FieldType::U64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_101: [Field; 2] = [
    Field::new("BytesFreed", FieldType::U64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_102: [Field; 4] = [
    Field::new("HeapNum", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Type", FieldType::U32).values(&MAP_0_GCROOTTYPEMAP),
    Field::new("Bytes", FieldType::U64),
];

static FIELDS_103: [Field; 10] = [
    Field::new("SizeBefore", FieldType::Pointer),
    Field::new("FreeListBefore", FieldType::Pointer),
    Field::new("FreeObjBefore", FieldType::Pointer),
    Field::new("SizeAfter", FieldType::Pointer),
    Field::new("FreeListAfter", FieldType::Pointer),
    Field::new("FreeObjAfter", FieldType::Pointer),
    Field::new("In", FieldType::Pointer),
    Field::new("PinnedSurv", FieldType::Pointer),
    Field::new("NonePinnedSurv", FieldType::Pointer),
    Field::new("NewAllocation", FieldType::Pointer),
];

static FIELDS_104: [Field; 16] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("FreeListAllocated", FieldType::Pointer),
    Field::new("FreeListRejected", FieldType::Pointer),
    Field::new("EndOfSegAllocated", FieldType::Pointer),
    Field::new("CondemnedAllocated", FieldType::Pointer),
    Field::new("PinnedAllocated", FieldType::Pointer),
    Field::new("PinnedAllocatedAdvance", FieldType::Pointer),
    Field::new("RunningFreeListEfficiency", FieldType::U32),
    Field::new("CondemnReasons0", FieldType::U32),
    Field::new("CondemnReasons1", FieldType::U32),
    Field::new("CompactMechanisms", FieldType::U32),
    Field::new("ExpandMechanisms", FieldType::U32),
    Field::new("HeapIndex", FieldType::U32),
    Field::new("ExtraGen0Commit", FieldType::Pointer),
    Field::new("Count", FieldType::U32),
    Field::new("Values", FieldType::Struct(Cow::Borrowed(&FIELDS_103))).count(Count::Field(14)),
];

static FIELDS_105: [Field; 9] = [
    Field::new("FinalYoungestDesired", FieldType::U64),
    Field::new("NumHeaps", FieldType::I32),
    Field::new("CondemnedGeneration", FieldType::U32),
    Field::new("Gen0ReductionCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("GlobalMechanisms", FieldType::U32).hint(Hint::Hex).values(&MAP_0_GLOBALMECHANISMSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("PauseMode", FieldType::U32).values(&MAP_0_PAUSEMODEMAP),
    Field::new("MemoryPressure", FieldType::U32),
];

static FIELDS_106: [Field; 11] = [
    Field::new("FinalYoungestDesired", FieldType::U64),
    Field::new("NumHeaps", FieldType::I32),
    Field::new("CondemnedGeneration", FieldType::U32),
    Field::new("Gen0ReductionCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("GlobalMechanisms", FieldType::U32).hint(Hint::Hex).values(&MAP_0_GLOBALMECHANISMSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("PauseMode", FieldType::U32).values(&MAP_0_PAUSEMODEMAP),
    Field::new("MemoryPressure", FieldType::U32),
    Field::new("CondemnReasons0", FieldType::U32),
    Field::new("CondemnReasons1", FieldType::U32),
];

static FIELDS_107: [Field; 13] = [
    Field::new("FinalYoungestDesired", FieldType::U64),
    Field::new("NumHeaps", FieldType::I32),
    Field::new("CondemnedGeneration", FieldType::U32),
    Field::new("Gen0ReductionCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_0_GCREASONMAP),
    Field::new("GlobalMechanisms", FieldType::U32).hint(Hint::Hex).values(&MAP_0_GLOBALMECHANISMSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("PauseMode", FieldType::U32).values(&MAP_0_PAUSEMODEMAP),
    Field::new("MemoryPressure", FieldType::U32),
    Field::new("CondemnReasons0", FieldType::U32),
    Field::new("CondemnReasons1", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("Times", FieldType::U32).count(Count::Field(11)),
];

static FIELDS_108: [Field; 5] = [
    Field::new("TimePlan", FieldType::U32),
    Field::new("TimeCompact", FieldType::U32),
    Field::new("TimeRelocate", FieldType::Pointer),
    Field::new("TotalRefs", FieldType::Pointer),
    Field::new("ZeroRefs", FieldType::Pointer),
];

static FIELDS_109: [Field; 3] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Count", FieldType::U16),
    Field::new("Heaps", FieldType::Struct(Cow::Borrowed(&FIELDS_108))).count(Count::Field(1)),
];

static FIELDS_110: [Field; 3] = [
    Field::new("Index", FieldType::U32),
    Field::new("Count", FieldType::U32),
    Field::new("Size", FieldType::Pointer),
];

static FIELDS_111: [Field; 5] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("BucketKind", FieldType::U16).values(&MAP_0_BUCKETKINDMAP),
    Field::new("TotalSize", FieldType::U64),
    Field::new("Count", FieldType::U16),
    Field::new("Buckets", FieldType::Struct(Cow::Borrowed(&FIELDS_110))).count(Count::Field(3)),
];

static FIELDS_112: [Field; 8] = [
    Field::new("HardLimit", FieldType::U64),
    Field::new("LOHThreshold", FieldType::U64),
    Field::new("PhysicalMemoryConfig", FieldType::U64),
    Field::new("Gen0MinBudgetConfig", FieldType::U64),
    Field::new("Gen0MaxBudgetConfig", FieldType::U64),
    Field::new("HighMemPercentConfig", FieldType::U32),
    Field::new("BitSettings", FieldType::U32).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_113: [Field; 6] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32),
    Field::new("MethodToken", FieldType::U32),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
];

static FIELDS_114: [Field; 7] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_115: [Field; 8] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ReJITID", FieldType::U64).hint(Hint::Hex),
];

static FIELDS_116: [Field; 9] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
];

static FIELDS_117: [Field; 10] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_118: [Field; 11] = [
    Field::new("MethodID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodStartAddress", FieldType::U64).hint(Hint::Hex),
    Field::new("MethodSize", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodToken", FieldType::U32).hint(Hint::Hex),
    Field::new("MethodFlags", FieldType::U32).values(&MAP_1_METHODFLAGSMAP),
    Field::new("MethodNamespace", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodSignature", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ReJITID", FieldType::U64).hint(Hint::Hex),
];

static FIELDS_119: [Field; 7] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_1_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_120: [Field; 8] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_1_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_121: [Field; 6] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_1_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_122: [Field; 7] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_1_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_123: [Field; 13] = [
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("ModuleFlags", FieldType::U32).values(&MAP_1_MODULEFLAGSMAP),
    Field::new("Reserved1", FieldType::U32),
    Field::new("ModuleILPath", FieldType::Utf16(Length::Nul)),
    Field::new("ModuleNativePath", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ManagedPdbSignature", FieldType::Guid),
    Field::new("ManagedPdbAge", FieldType::U32),
    Field::new("ManagedPdbBuildPath", FieldType::Utf16(Length::Nul)),
    Field::new("NativePdbSignature", FieldType::Guid),
    Field::new("NativePdbAge", FieldType::U32),
    Field::new("NativePdbBuildPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_124: [Field; 4] = [
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyFlags", FieldType::U32).values(&MAP_1_ASSEMBLYFLAGSMAP),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_125: [Field; 6] = [
    Field::new("AssemblyID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("BindingID", FieldType::U64).hint(Hint::Hex),
    Field::new("AssemblyFlags", FieldType::U32).values(&MAP_1_ASSEMBLYFLAGSMAP),
    Field::new("FullyQualifiedAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_126: [Field; 3] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainFlags", FieldType::U32).values(&MAP_1_APPDOMAINFLAGSMAP),
    Field::new("AppDomainName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_127: [Field; 5] = [
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainFlags", FieldType::U32).values(&MAP_1_APPDOMAINFLAGSMAP),
    Field::new("AppDomainName", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainIndex", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_128: [Field; 6] = [
    Field::new("ManagedThreadID", FieldType::U64).hint(Hint::Hex),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32).values(&MAP_1_THREADFLAGSMAP),
    Field::new("ManagedThreadIndex", FieldType::U32),
    Field::new("OSThreadID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_129: [Field; 5] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("RangeBegin", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeSize", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeType", FieldType::U8).values(&MAP_1_MODULERANGETYPEMAP),
];

static FIELDS_130: [Field; 15] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Sku", FieldType::U16).values(&MAP_1_RUNTIMESKUMAP),
    Field::new("BclMajorVersion", FieldType::U16),
    Field::new("BclMinorVersion", FieldType::U16),
    Field::new("BclBuildNumber", FieldType::U16),
    Field::new("BclQfeNumber", FieldType::U16),
    Field::new("VMMajorVersion", FieldType::U16),
    Field::new("VMMinorVersion", FieldType::U16),
    Field::new("VMBuildNumber", FieldType::U16),
    Field::new("VMQfeNumber", FieldType::U16),
    Field::new("StartupFlags", FieldType::U32).values(&MAP_1_STARTUPFLAGSMAP),
    Field::new("StartupMode", FieldType::U8).values(&MAP_1_STARTUPMODEMAP),
    Field::new("CommandLine", FieldType::Utf16(Length::Nul)),
    Field::new("ComObjectGuid", FieldType::Guid),
    Field::new("RuntimeDllPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_131: [Field; 2] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Flags", FieldType::U32).hint(Hint::Hex),
];

static FIELDS_132: [Field; 1] = [
    Field::new("DoCompact", FieldType::Bool32),
];

static FIELDS_133: [Field; 2] = [
    Field::new("DoCompact", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_134: [Field; 3] = [
    Field::new("SegmentSize", FieldType::U64),
    Field::new("LargeObjectSegmentSize", FieldType::U64),
    Field::new("ServerGC", FieldType::Bool32),
];

static FIELDS_135: [Field; 4] = [
    Field::new("SegmentSize", FieldType::U64),
    Field::new("LargeObjectSegmentSize", FieldType::U64),
    Field::new("ServerGC", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_136: [Field; 3] = [
    Field::new("DesiredAllocation", FieldType::U64).hint(Hint::Hex),
    Field::new("NewAllocation", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationNumber", FieldType::U32),
];

static FIELDS_137: [Field; 4] = [
    Field::new("DesiredAllocation", FieldType::U64).hint(Hint::Hex),
    Field::new("NewAllocation", FieldType::U64).hint(Hint::Hex),
    Field::new("GenerationNumber", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_138: [Field; 6] = [
    Field::new("FinalYoungestDesired", FieldType::U64).hint(Hint::Hex),
    Field::new("NumHeaps", FieldType::I32),
    Field::new("CondemnedGeneration", FieldType::U32),
    Field::new("Gen0ReductionCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_2_GCREASONMAP),
    Field::new("GlobalMechanisms", FieldType::U32).values(&MAP_2_GLOBALMECHANISMSMAP),
];

static FIELDS_139: [Field; 7] = [
    Field::new("FinalYoungestDesired", FieldType::U64).hint(Hint::Hex),
    Field::new("NumHeaps", FieldType::I32),
    Field::new("CondemnedGeneration", FieldType::U32),
    Field::new("Gen0ReductionCount", FieldType::U32),
    Field::new("Reason", FieldType::U32).values(&MAP_2_GCREASONMAP),
    Field::new("GlobalMechanisms", FieldType::U32).values(&MAP_2_GLOBALMECHANISMSMAP),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_140: [Field; 3] = [
    Field::new("Heap", FieldType::U32),
    Field::new("JoinTime", FieldType::U32),
    Field::new("JoinType", FieldType::U32),
];

static FIELDS_141: [Field; 4] = [
    Field::new("Heap", FieldType::U32),
    Field::new("JoinTime", FieldType::U32),
    Field::new("JoinType", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_142: [Field; 1] = [
    Field::new("HeapNum", FieldType::U32),
];

static FIELDS_143: [Field; 2] = [
    Field::new("Objects", FieldType::U64),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_144: [Field; 4] = [
    Field::new("Pages", FieldType::U64),
    Field::new("Objects", FieldType::U64),
    Field::new("IsLarge", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_145: [Field; 5] = [
    Field::new("Min", FieldType::U64),
    Field::new("Max", FieldType::U64),
    Field::new("Objects", FieldType::U64),
    Field::new("IsLarge", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_146: [Field; 2] = [
    Field::new("Reason", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_147: [Field; 2] = [
    Field::new("GenNumber", FieldType::U32),
    Field::new("IsAlloc", FieldType::U32),
];

static FIELDS_148: [Field; 3] = [
    Field::new("GenNumber", FieldType::U32),
    Field::new("IsAlloc", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_149: [Field; 7] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64).hint(Hint::Hex),
    Field::new("RangeBegin", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeSize", FieldType::U32).hint(Hint::Hex),
    Field::new("RangeType", FieldType::U8).values(&MAP_2_MODULERANGETYPEMAP),
    Field::new("IBCType", FieldType::U8).values(&MAP_2_MODULERANGEIBCTYPEMAP),
    Field::new("SectionType", FieldType::U16).values(&MAP_2_MODULERANGESECTIONTYPEMAP),
];

static FIELDS_150: [Field; 7] = [
    Field::new("AppDomainID", FieldType::U32),
    Field::new("LoadContextID", FieldType::U32),
    Field::new("FromLoaderCache", FieldType::U32),
    Field::new("DynamicLoad", FieldType::U32),
    Field::new("AssemblyCodebase", FieldType::Utf16(Length::Nul)),
    Field::new("AssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_151: [Field; 4] = [
    Field::new("Type", FieldType::U32),
    Field::new("AppDomain", FieldType::U32),
    Field::new("ILImage", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_152: [Field; 3] = [
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_153: [Field; 8] = [
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("IsAllCritical", FieldType::Bool32),
    Field::new("IsAllTransparent", FieldType::Bool32),
    Field::new("IsTreatAsSafe", FieldType::Bool32),
    Field::new("IsOpportunisticallyCritical", FieldType::Bool32),
    Field::new("SecurityRuleSet", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_154: [Field; 4] = [
    Field::new("Type", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_155: [Field; 8] = [
    Field::new("Type", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("IsAllCritical", FieldType::Bool32),
    Field::new("IsAllTransparent", FieldType::Bool32),
    Field::new("IsCritical", FieldType::Bool32),
    Field::new("IsTreatAsSafe", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_156: [Field; 4] = [
    Field::new("Method", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_157: [Field; 6] = [
    Field::new("Method", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("IsCritical", FieldType::Bool32),
    Field::new("IsTreatAsSafe", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_158: [Field; 4] = [
    Field::new("Field", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_159: [Field; 6] = [
    Field::new("Field", FieldType::Utf16(Length::Nul)),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("IsCritical", FieldType::Bool32),
    Field::new("IsTreatAsSafe", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_160: [Field; 4] = [
    Field::new("Token", FieldType::U32),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_161: [Field; 6] = [
    Field::new("Token", FieldType::U32),
    Field::new("Module", FieldType::Utf16(Length::Nul)),
    Field::new("AppDomainID", FieldType::U32),
    Field::new("IsCritical", FieldType::Bool32),
    Field::new("IsTreatAsSafe", FieldType::Bool32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_162: [Field; 4] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("BindingID", FieldType::U64),
    Field::new("ReasonCode", FieldType::U32).values(&MAP_2_NGENBINDREASONMAP),
    Field::new("AssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_163: [Field; 5] = [
    Field::new("FailFastUserMessage", FieldType::Utf16(Length::Nul)),
    Field::new("FailedEIP", FieldType::Pointer).hint(Hint::Address),
    Field::new("OSExitCode", FieldType::U32),
    Field::new("ClrExitCode", FieldType::U32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_164: [Field; 4] = [
    Field::new("TypeID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_165: [Field; 9] = [
    Field::new("HandleID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("COMInterfacePointer", FieldType::Pointer).hint(Hint::Address),
    Field::new("NewRefCount", FieldType::U32),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ClassName", FieldType::Ansi(Length::Nul)),
    Field::new("NameSpace", FieldType::Ansi(Length::Nul)),
    Field::new("Operation", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_166: [Field; 6] = [
    Field::new("HandleID", FieldType::Pointer).hint(Hint::Address),
    Field::new("ObjectID", FieldType::Pointer).hint(Hint::Address),
    Field::new("Kind", FieldType::U32).values(&MAP_2_GCHANDLEKINDMAP),
    Field::new("Generation", FieldType::U32),
    Field::new("AppDomainID", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_167: [Field; 3] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Prepend", FieldType::Bool32),
    Field::new("Message", FieldType::Utf16(Length::Nul)),
];

static FIELDS_168: [Field; 3] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("Category", FieldType::U32),
    Field::new("ErrorCode", FieldType::U32),
];

static FIELDS_169: [Field; 4] = [
    Field::new("PlugStart", FieldType::Pointer).hint(Hint::Address),
    Field::new("PlugEnd", FieldType::Pointer).hint(Hint::Address),
    Field::new("GapBeforeSize", FieldType::Pointer).hint(Hint::Address),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_170: [Field; 6] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("String1", FieldType::Utf16(Length::Nul)),
    Field::new("String2", FieldType::Utf16(Length::Nul)),
    Field::new("Int1", FieldType::I32),
    Field::new("Int2", FieldType::I32),
    Field::new("Int3", FieldType::I32),
];

static FIELDS_171: [Field; 3] = [
    Field::new("ClrInstanceID", FieldType::U16),
    Field::new("ModuleID", FieldType::U64),
    Field::new("MethodID", FieldType::U64),
];

static FIELDS_172: [Field; 6] = [
    Field::new("LoaderHeapPtr", FieldType::Pointer).hint(Hint::Address),
    Field::new("MemoryAddress", FieldType::Pointer).hint(Hint::Address),
    Field::new("RequestSize", FieldType::U32),
    Field::new("Unused1", FieldType::U32),
    Field::new("Unused2", FieldType::U64).hint(Hint::Hex),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_173: [Field; 2] = [
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_174: [Field; 3] = [
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("SecondTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_175: [Field; 4] = [
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("InterfaceTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("VariantInterfaceTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_176: [Field; 3] = [
    Field::new("TypeName", FieldType::Utf16(Length::Nul)),
    Field::new("Int1", FieldType::I32),
    Field::new("ClrInstanceID", FieldType::U16),
];

static FIELDS_177: [Field; 5] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ParentProcessID", FieldType::U32),
    Field::new("SessionID", FieldType::U32),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_178: [Field; 6] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ParentProcessID", FieldType::U32),
    Field::new("SessionID", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_179: [Field; 10] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ParentProcessID", FieldType::U32),
    Field::new("SessionID", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
    Field::new("ImageChecksum", FieldType::U32),
    Field::new("TimeDateStamp", FieldType::U32),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("PackageRelativeAppId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_180: [Field; 15] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ProcessSequenceNumber", FieldType::U64),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ParentProcessID", FieldType::U32),
    Field::new("ParentProcessSequenceNumber", FieldType::U64),
    Field::new("SessionID", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("ProcessTokenElevationType", FieldType::U32),
    Field::new("ProcessTokenIsElevated", FieldType::U32),
    Field::new("MandatoryLabel", FieldType::Sid),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
    Field::new("ImageChecksum", FieldType::U32),
    Field::new("TimeDateStamp", FieldType::U32),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("PackageRelativeAppId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_181: [Field; 9] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ExitTime", FieldType::FileTime),
    Field::new("ExitCode", FieldType::U32),
    Field::new("TokenElevationType", FieldType::U32),
    Field::new("HandleCount", FieldType::U32),
    Field::new("CommitCharge", FieldType::U64),
    Field::new("CommitPeak", FieldType::U64),
    Field::new("ImageName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_182: [Field; 15] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ExitTime", FieldType::FileTime),
    Field::new("ExitCode", FieldType::U32),
    Field::new("TokenElevationType", FieldType::U32),
    Field::new("HandleCount", FieldType::U32),
    Field::new("CommitCharge", FieldType::U64),
    Field::new("CommitPeak", FieldType::U64),
    Field::new("CPUCycleCount", FieldType::U64),
    Field::new("ReadOperationCount", FieldType::U32),
    Field::new("WriteOperationCount", FieldType::U32),
    Field::new("ReadTransferKiloBytes", FieldType::U32),
    Field::new("WriteTransferKiloBytes", FieldType::U32),
    Field::new("HardFaultCount", FieldType::U32),
    Field::new("ImageName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_183: [Field; 16] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ProcessSequenceNumber", FieldType::U64),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ExitTime", FieldType::FileTime),
    Field::new("ExitCode", FieldType::U32),
    Field::new("TokenElevationType", FieldType::U32),
    Field::new("HandleCount", FieldType::U32),
    Field::new("CommitCharge", FieldType::U64),
    Field::new("CommitPeak", FieldType::U64),
    Field::new("CPUCycleCount", FieldType::U64),
    Field::new("ReadOperationCount", FieldType::U32),
    Field::new("WriteOperationCount", FieldType::U32),
    Field::new("ReadTransferKiloBytes", FieldType::U32),
    Field::new("WriteTransferKiloBytes", FieldType::U32),
    Field::new("HardFaultCount", FieldType::U32),
    Field::new("ImageName", FieldType::Ansi(Length::Nul)),
];

static FIELDS_184: [Field; 9] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ThreadID", FieldType::U32),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_185: [Field; 10] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ThreadID", FieldType::U32),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("SubProcessTag", FieldType::U32),
];

static FIELDS_186: [Field; 11] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ThreadID", FieldType::U32),
    Field::new("StackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("StackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("UserStackLimit", FieldType::Pointer).hint(Hint::Address),
    Field::new("StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Win32StartAddr", FieldType::Pointer).hint(Hint::Address),
    Field::new("TebBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("SubProcessTag", FieldType::U32),
    Field::new("CycleTime", FieldType::U64),
];

static FIELDS_187: [Field; 7] = [
    Field::new("ImageBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageSize", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessID", FieldType::U32),
    Field::new("ImageCheckSum", FieldType::U32),
    Field::new("TimeDateStamp", FieldType::U32),
    Field::new("DefaultBase", FieldType::Pointer).hint(Hint::Address),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_188: [Field; 4] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("ThreadID", FieldType::U32),
    Field::new("OldPriority", FieldType::U8),
    Field::new("NewPriority", FieldType::U8),
];

static FIELDS_189: [Field; 1] = [
    Field::new("FrozenProcessID", FieldType::U32),
];

static FIELDS_190: [Field; 2] = [
    Field::new("FrozenProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
];

static FIELDS_191: [Field; 3] = [
    Field::new("ContainerID", FieldType::Guid),
    Field::new("JobID", FieldType::U32),
    Field::new("StatusCode", FieldType::U32),
];

static FIELDS_192: [Field; 10] = [
    Field::new("ProcessID", FieldType::U32),
    Field::new("CreateTime", FieldType::FileTime),
    Field::new("ParentProcessID", FieldType::U32),
    Field::new("SessionID", FieldType::U32),
    Field::new("Flags", FieldType::U32).values(&MAP_3_PROCESSFLAGS),
    Field::new("ImageName", FieldType::Utf16(Length::Nul)),
    Field::new("ImageChecksum", FieldType::U32),
    Field::new("TimeDateStamp", FieldType::U32),
    Field::new("PackageFullName", FieldType::Utf16(Length::Nul)),
    Field::new("PackageRelativeAppId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_193: [Field; 3] = [
    Field::new("JobID", FieldType::U32),
    Field::new("DiskIoAttribution", FieldType::Pointer).hint(Hint::Address),
    Field::new("StatusCode", FieldType::U32),
];

static FIELDS_194: [Field; 6] = [
    Field::new("JobID", FieldType::U32),
    Field::new("IoRateControl", FieldType::Pointer).hint(Hint::Address),
    Field::new("ControlType", FieldType::U32),
    Field::new("RateType", FieldType::U32),
    Field::new("RateAmount", FieldType::U32),
    Field::new("StatusCode", FieldType::U32),
];

static FIELDS_195: [Field; 14] = [
    Field::new("JobID", FieldType::U32),
    Field::new("IoRateControl", FieldType::Pointer).hint(Hint::Address),
    Field::new("MaxIops", FieldType::U64),
    Field::new("MaxBandwidth", FieldType::U64),
    Field::new("MaxTimePercent", FieldType::U64),
    Field::new("ReservationIops", FieldType::U64),
    Field::new("ReservationBandwidth", FieldType::U64),
    Field::new("ReservationTimePercent", FieldType::U64),
    Field::new("CriticalReservationIops", FieldType::U64),
    Field::new("CriticalReservationBandwidth", FieldType::U64),
    Field::new("CriticalReservationTimePercent", FieldType::U64),
    Field::new("ControlFlags", FieldType::U32),
    Field::new("VolumeName", FieldType::Utf16(Length::Nul)),
    Field::new("StatusCode", FieldType::U32),
];

static FIELDS_196: [Field; 17] = [
    Field::new("JobID", FieldType::U32),
    Field::new("IoRateControl", FieldType::Pointer).hint(Hint::Address),
    Field::new("MaxIops", FieldType::U64),
    Field::new("MaxBandwidth", FieldType::U64),
    Field::new("MaxTimePercent", FieldType::U64),
    Field::new("ReservationIops", FieldType::U64),
    Field::new("ReservationBandwidth", FieldType::U64),
    Field::new("ReservationTimePercent", FieldType::U64),
    Field::new("CriticalReservationIops", FieldType::U64),
    Field::new("CriticalReservationBandwidth", FieldType::U64),
    Field::new("CriticalReservationTimePercent", FieldType::U64),
    Field::new("SoftMaxIops", FieldType::U64),
    Field::new("SoftMaxBandwidth", FieldType::U64),
    Field::new("SoftMaxTimePercent", FieldType::U64),
    Field::new("ControlFlags", FieldType::U32),
    Field::new("VolumeName", FieldType::Utf16(Length::Nul)),
    Field::new("StatusCode", FieldType::U32),
];

static FIELDS_197: [Field; 2] = [
    Field::new("OldWorkOnBehalfThreadID", FieldType::U32),
    Field::new("NewWorkOnBehalfThreadID", FieldType::U32),
];

static FIELDS_198: [Field; 3] = [
    Field::new("ContainerID", FieldType::Guid),
    Field::new("JobID", FieldType::U32),
    Field::new("State", FieldType::U16),
];

static FIELDS_199: [Field; 3] = [
    Field::new("ContainerID", FieldType::Guid),
    Field::new("JobID", FieldType::U32),
    Field::new("MonitorName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_200: [Field; 4] = [
    Field::new("ContainerID", FieldType::Guid),
    Field::new("JobID", FieldType::U32),
    Field::new("Status", FieldType::U32),
    Field::new("MonitorName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_201: [Field; 2] = [
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_202: [Field; 7] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("CreateOptions", FieldType::U32),
    Field::new("CreateAttributes", FieldType::U32),
    Field::new("ShareAccess", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_203: [Field; 7] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
    Field::new("CreateOptions", FieldType::U32),
    Field::new("CreateAttributes", FieldType::U32),
    Field::new("ShareAccess", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_204: [Field; 4] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_205: [Field; 4] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
];

static FIELDS_206: [Field; 7] = [
    Field::new("ByteOffset", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("IOSize", FieldType::U32),
    Field::new("IOFlags", FieldType::U32),
];

static FIELDS_207: [Field; 8] = [
    Field::new("ByteOffset", FieldType::U64),
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
    Field::new("IOSize", FieldType::U32),
    Field::new("IOFlags", FieldType::U32),
    Field::new("ExtraFlags", FieldType::U32),
];

static FIELDS_208: [Field; 6] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExtraInformation", FieldType::Pointer).hint(Hint::Address),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_209: [Field; 6] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExtraInformation", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
    Field::new("InfoClass", FieldType::U32),
];

static FIELDS_210: [Field; 8] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("Length", FieldType::U32),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_211: [Field; 8] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
    Field::new("Length", FieldType::U32),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FileIndex", FieldType::U32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_212: [Field; 3] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExtraInformation", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_213: [Field; 7] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("ThreadId", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExtraInformation", FieldType::Pointer).hint(Hint::Address),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FilePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_214: [Field; 7] = [
    Field::new("Irp", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileObject", FieldType::Pointer).hint(Hint::Address),
    Field::new("FileKey", FieldType::Pointer).hint(Hint::Address),
    Field::new("ExtraInformation", FieldType::Pointer).hint(Hint::Address),
    Field::new("IssuingThreadId", FieldType::U32),
    Field::new("InfoClass", FieldType::U32),
    Field::new("FilePath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_215: [Field; 10] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::U32),
    Field::new("saddr", FieldType::U32),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("startime", FieldType::U32),
    Field::new("endtime", FieldType::U32),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_216: [Field; 8] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::U32),
    Field::new("saddr", FieldType::U32),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_217: [Field; 15] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::U32),
    Field::new("saddr", FieldType::U32),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("mss", FieldType::U16),
    Field::new("sackopt", FieldType::U16),
    Field::new("tsopt", FieldType::U16),
    Field::new("wsopt", FieldType::U16),
    Field::new("rcvwin", FieldType::U32),
    Field::new("rcvwinscale", FieldType::U16),
    Field::new("sndwinscale", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_218: [Field; 2] = [
    Field::new("Proto", FieldType::U16),
    Field::new("FailureCode", FieldType::U16),
];

static FIELDS_219: [Field; 10] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::Binary(Length::Rest)),
    Field::new("saddr", FieldType::Binary(Length::Rest)),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("startime", FieldType::U32),
    Field::new("endtime", FieldType::U32),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_220: [Field; 8] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::Binary(Length::Rest)),
    Field::new("saddr", FieldType::Binary(Length::Rest)),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_221: [Field; 15] = [
    Field::new("PID", FieldType::U32),
    Field::new("size", FieldType::U32),
    Field::new("daddr", FieldType::Binary(Length::Rest)),
    Field::new("saddr", FieldType::Binary(Length::Rest)),
    Field::new("dport", FieldType::U16),
    Field::new("sport", FieldType::U16),
    Field::new("mss", FieldType::U16),
    Field::new("sackopt", FieldType::U16),
    Field::new("tsopt", FieldType::U16),
    Field::new("wsopt", FieldType::U16),
    Field::new("rcvwin", FieldType::U32),
    Field::new("rcvwinscale", FieldType::U16),
    Field::new("sndwinscale", FieldType::U16),
    Field::new("seqnum", FieldType::U32),
    Field::new("connid", FieldType::U32),
];

static FIELDS_222: [Field; 4] = [
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("LoggingMode", FieldType::U32),
];

static FIELDS_223: [Field; 3] = [
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("LoggingMode", FieldType::U32),
];

static FIELDS_224: [Field; 5] = [
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("LoggingMode", FieldType::U32),
    Field::new("FailureReason", FieldType::U32).values(&MAP_6_STOPREASONMAP),
];

static FIELDS_225: [Field; 5] = [
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("LoggingMode", FieldType::U32),
    Field::new("MaxFileSize", FieldType::U64),
];

static FIELDS_226: [Field; 1] = [
    Field::new("ProviderName", FieldType::Guid),
];

static FIELDS_227: [Field; 4] = [
    Field::new("SessionGuid", FieldType::Guid),
    Field::new("LoggerMode", FieldType::U32),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("LogFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_228: [Field; 10] = [
    Field::new("SessionGuid", FieldType::Guid),
    Field::new("LoggerMode", FieldType::U32),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("LogFileName", FieldType::Utf16(Length::Nul)),
    Field::new("MinimumBuffers", FieldType::U32),
    Field::new("MaximumBuffers", FieldType::U32),
    Field::new("BufferSize", FieldType::U32),
    Field::new("PeakBuffersCount", FieldType::U32),
    Field::new("CurrentBuffersCount", FieldType::U32),
    Field::new("FlushThreshold", FieldType::U32),
];

static FIELDS_229: [Field; 14] = [
    Field::new("SessionGuid", FieldType::Guid),
    Field::new("LoggerMode", FieldType::U32),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("LogFileName", FieldType::Utf16(Length::Nul)),
    Field::new("MinimumBuffers", FieldType::U32),
    Field::new("MaximumBuffers", FieldType::U32),
    Field::new("BufferSize", FieldType::U32),
    Field::new("PeakBuffersCount", FieldType::U32),
    Field::new("CurrentBuffersCount", FieldType::U32),
    Field::new("FlushThreshold", FieldType::U32),
    Field::new("EventsLost", FieldType::U32),
    Field::new("BuffersLost", FieldType::U32),
    Field::new("RealTimeBuffersLost", FieldType::U32),
    Field::new("LoggerId", FieldType::U32),
];

static FIELDS_230: [Field; 2] = [
    Field::new("ProviderName", FieldType::Guid),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_231: [Field; 6] = [
    Field::new("ProviderName", FieldType::Guid),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
    Field::new("MatchAnyKeyword", FieldType::U64),
    Field::new("MatchAllKeyword", FieldType::U64),
    Field::new("EnableProperty", FieldType::U32),
    Field::new("Level", FieldType::U8),
];

static FIELDS_232: [Field; 4] = [
    Field::new("ProviderId", FieldType::Guid),
    Field::new("StatusCode", FieldType::U32),
    Field::new("EventId", FieldType::U16),
    Field::new("SessionName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_233: [Field; 5] = [
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
    Field::new("BufferSize", FieldType::U32),
    Field::new("BuffersPersisted", FieldType::U32),
    Field::new("BuffersWritten", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_234: [Field; 6] = [
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
    Field::new("BufferSize", FieldType::U32),
    Field::new("BuffersPersisted", FieldType::U32),
    Field::new("BuffersWritten", FieldType::U32),
    Field::new("Status", FieldType::U32),
    Field::new("BuffersLost", FieldType::U32),
];

static FIELDS_235: [Field; 3] = [
    Field::new("GUID", FieldType::Guid),
    Field::new("FilterFlags", FieldType::U32),
    Field::new("LastEnableLoggerId", FieldType::U16),
];

static FIELDS_236: [Field; 7] = [
    Field::new("GUID", FieldType::Guid),
    Field::new("Index", FieldType::U8),
    Field::new("LoggerId", FieldType::U16),
    Field::new("MatchAnyKeyword", FieldType::U64),
    Field::new("MatchAllKeyword", FieldType::U64),
    Field::new("Level", FieldType::U8),
    Field::new("EnableProperty", FieldType::U32),
];

static FIELDS_237: [Field; 6] = [
    Field::new("ProviderGUID", FieldType::Guid),
    Field::new("GroupGUID", FieldType::Guid),
    Field::new("Flags", FieldType::U16),
    Field::new("EnableMask", FieldType::U8),
    Field::new("GroupEnableMask", FieldType::U8),
    Field::new("ProcessId", FieldType::U32),
];

static FIELDS_238: [Field; 2] = [
    Field::new("ProviderGuid", FieldType::Guid),
    Field::new("ErrorCode", FieldType::U32),
];

static FIELDS_239: [Field; 2] = [
    Field::new("ProviderGuid", FieldType::Guid),
    Field::new("ProviderGroupGuid", FieldType::Guid),
];

static FIELDS_240: [Field; 2] = [
    Field::new("Location", FieldType::U32),
    Field::new("Context", FieldType::U32),
];

static FIELDS_241: [Field; 6] = [
    Field::new("Interface", FieldType::Utf16(Length::Nul)),
    Field::new("TotalServerCount", FieldType::U32),
    Field::new("Index", FieldType::U32),
    Field::new("DynamicAddress", FieldType::U8).values(&MAP_7_DNSIPTYPEMAP),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(4))).hint(Hint::SocketAddress),
];

static FIELDS_242: [Field; 3] = [
    Field::new("Interface", FieldType::Utf16(Length::Nul)),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(1))).hint(Hint::SocketAddress),
];

static FIELDS_243: [Field; 2] = [
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(0))).hint(Hint::SocketAddress),
];

static FIELDS_244: [Field; 3] = [
    Field::new("ErrorCode", FieldType::U32),
    Field::new("Location", FieldType::U32),
    Field::new("Context", FieldType::U32),
];

static FIELDS_245: [Field; 2] = [
    Field::new("DnsSuffix", FieldType::Utf16(Length::Nul)),
    Field::new("AdSuffix", FieldType::Utf16(Length::Nul)),
];

static FIELDS_246: [Field; 3] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(1))).hint(Hint::SocketAddress),
];

static FIELDS_247: [Field; 5] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(1))).hint(Hint::SocketAddress),
    Field::new("DnsAddressLength", FieldType::U32),
    Field::new("DnsAddress", FieldType::Binary(Length::Field(3))),
];

static FIELDS_248: [Field; 9] = [
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
    Field::new("DnsSecValidationRequired", FieldType::U32),
    Field::new("DnsQueryOverIPSec", FieldType::U32),
    Field::new("DnsEncryption", FieldType::U32),
    Field::new("DirectAccessServerList", FieldType::Utf16(Length::Nul)),
    Field::new("RemoteIPSEC", FieldType::U32),
    Field::new("RemoteEncryption", FieldType::U32),
    Field::new("ProxyType", FieldType::U32),
    Field::new("ProxyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_249: [Field; 8] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
    Field::new("DnsSecValidationRequired", FieldType::U32),
    Field::new("DnsQueryOverIPSec", FieldType::U32),
    Field::new("DnsEncryption", FieldType::U32),
    Field::new("DirectAccessServerList", FieldType::Utf16(Length::Nul)),
    Field::new("ProxyType", FieldType::U32),
    Field::new("ProxyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_250: [Field; 1] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_251: [Field; 2] = [
    Field::new("RuleName", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
];

static FIELDS_252: [Field; 4] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("ResponseQuestion", FieldType::Utf16(Length::Nul)),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(2))).hint(Hint::SocketAddress),
];

static FIELDS_253: [Field; 10] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("KeyName", FieldType::Utf16(Length::Nul)),
    Field::new("DnsSecValidationRequired", FieldType::U32),
    Field::new("DnsQueryOverIPSec", FieldType::U32),
    Field::new("DnsEncryption", FieldType::U32),
    Field::new("DirectAccessServerList", FieldType::Utf16(Length::Nul)),
    Field::new("ProxyType", FieldType::U32),
    Field::new("ProxyName", FieldType::Utf16(Length::Nul)),
    Field::new("GenericServerList", FieldType::Utf16(Length::Nul)),
    Field::new("IdnConfig", FieldType::U32),
];

static FIELDS_254: [Field; 3] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("QueryOptions", FieldType::U64),
];

static FIELDS_255: [Field; 1] = [
    Field::new("Status", FieldType::U32),
];

static FIELDS_256: [Field; 3] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_257: [Field; 8] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("QueryOptions", FieldType::U64),
    Field::new("ServerList", FieldType::Utf16(Length::Nul)),
    Field::new("IsNetworkQuery", FieldType::U32),
    Field::new("NetworkQueryIndex", FieldType::U32),
    Field::new("InterfaceIndex", FieldType::U32),
    Field::new("IsAsyncQuery", FieldType::U32),
];

static FIELDS_258: [Field; 5] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("QueryOptions", FieldType::U64),
    Field::new("QueryStatus", FieldType::U32),
    Field::new("QueryResults", FieldType::Utf16(Length::Nul)),
];

static FIELDS_259: [Field; 7] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("IsParallelNetworkQuery", FieldType::U32),
    Field::new("NetworkIndex", FieldType::U32),
    Field::new("InterfaceCount", FieldType::U32),
    Field::new("AdapterName", FieldType::Utf16(Length::Nul)),
    Field::new("LocalAddress", FieldType::Utf16(Length::Nul)),
    Field::new("DNSServerAddress", FieldType::Utf16(Length::Nul)),
];

static FIELDS_260: [Field; 3] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("DnsServerIpAddress", FieldType::Utf16(Length::Nul)),
];

static FIELDS_261: [Field; 4] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("DnsServerIpAddress", FieldType::Utf16(Length::Nul)),
    Field::new("ResponseStatus", FieldType::U32),
];

static FIELDS_262: [Field; 5] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("NetworkIndex", FieldType::U32),
    Field::new("InterfaceCount", FieldType::U32),
    Field::new("AdapterName", FieldType::Utf16(Length::Nul)),
    Field::new("LocalAddress", FieldType::Utf16(Length::Nul)),
];

static FIELDS_263: [Field; 3] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("Status", FieldType::U32),
    Field::new("QueryResults", FieldType::Utf16(Length::Nul)),
];

static FIELDS_264: [Field; 4] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("QueryOptions", FieldType::U64),
    Field::new("InterfaceIndex", FieldType::U32),
];

static FIELDS_265: [Field; 5] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("QueryOptions", FieldType::U64),
    Field::new("Status", FieldType::U32),
    Field::new("QueryResults", FieldType::Utf16(Length::Nul)),
];

static FIELDS_266: [Field; 4] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("InterfaceIndex", FieldType::U32),
    Field::new("NetworkIndex", FieldType::U32),
];

static FIELDS_267: [Field; 6] = [
    Field::new("QueryName", FieldType::Utf16(Length::Nul)),
    Field::new("QueryType", FieldType::U32),
    Field::new("NetworkIndex", FieldType::U32),
    Field::new("InterfaceIndex", FieldType::U32),
    Field::new("Status", FieldType::U32),
    Field::new("QueryResults", FieldType::Utf16(Length::Nul)),
];

static FIELDS_268: [Field; 1] = [
    Field::new("ErrorCode", FieldType::U32),
];

static FIELDS_269: [Field; 7] = [
    Field::new("AdapterName", FieldType::Utf16(Length::Nul)),
    Field::new("HostName", FieldType::Utf16(Length::Nul)),
    Field::new("AdapterSuffixName", FieldType::Utf16(Length::Nul)),
    Field::new("DnsServerList", FieldType::Utf16(Length::Nul)),
    Field::new("SentUpdateServer", FieldType::Utf16(Length::Nul)),
    Field::new("Ipaddress", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
];

static FIELDS_270: [Field; 3] = [
    Field::new("WarningCode", FieldType::U32),
    Field::new("Location", FieldType::U32),
    Field::new("Context", FieldType::U32),
];

static FIELDS_271: [Field; 2] = [
    Field::new("NextState", FieldType::U8),
    Field::new("Context", FieldType::U32),
];

static FIELDS_272: [Field; 2] = [
    Field::new("Context", FieldType::U32),
    Field::new("UpdateReasonCode", FieldType::U32),
];

static FIELDS_273: [Field; 6] = [
    Field::new("SourceAddress", FieldType::U32),
    Field::new("SourcePort", FieldType::U32),
    Field::new("DestinationAddress", FieldType::U32),
    Field::new("DestinationPort", FieldType::U32),
    Field::new("Protocol", FieldType::U32),
    Field::new("ReferenceContext", FieldType::U32),
];

static FIELDS_274: [Field; 6] = [
    Field::new("SourceAddress", FieldType::Binary(Length::Rest)),
    Field::new("SourcePort", FieldType::U32),
    Field::new("DestinationAddress", FieldType::Binary(Length::Rest)),
    Field::new("DestinationPort", FieldType::U32),
    Field::new("Protocol", FieldType::U32),
    Field::new("ReferenceContext", FieldType::U32),
];

static FIELDS_275: [Field; 4] = [
    Field::new("IfGuid", FieldType::Guid),
    Field::new("IfIndex", FieldType::U32),
    Field::new("IfLuid", FieldType::U64),
    Field::new("ReferenceContext", FieldType::U32),
];

static FIELDS_276: [Field; 3] = [
    Field::new("ContextInfo", FieldType::Utf16(Length::Nul)),
    Field::new("UserData", FieldType::Utf16(Length::Nul)),
    Field::new("Payload", FieldType::Utf16(Length::Nul)),
];

static FIELDS_277: [Field; 5] = [
    Field::new("MessageNumber", FieldType::I32),
    Field::new("MessageTotal", FieldType::I32),
    Field::new("ScriptBlockText", FieldType::Utf16(Length::Nul)),
    Field::new("ScriptBlockId", FieldType::Utf16(Length::Nul)),
    Field::new("Path", FieldType::Utf16(Length::Nul)),
];

static FIELDS_278: [Field; 2] = [
    Field::new("ScriptBlockId", FieldType::Utf16(Length::Nul)),
    Field::new("RunspaceId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_279: [Field; 2] = [
    Field::new("currentActivityId", FieldType::Guid),
    Field::new("parentActivityId", FieldType::Guid),
];

static FIELDS_280: [Field; 8] = [
    Field::new("ClassName", FieldType::Utf16(Length::Nul)),
    Field::new("MethodName", FieldType::Utf16(Length::Nul)),
    Field::new("WorkflowGuid", FieldType::Utf16(Length::Nul)),
    Field::new("Message", FieldType::Utf16(Length::Nul)),
    Field::new("JobData", FieldType::Utf16(Length::Nul)),
    Field::new("ActivityName", FieldType::Utf16(Length::Nul)),
    Field::new("ActivityGuid", FieldType::Utf16(Length::Nul)),
    Field::new("Parameters", FieldType::Utf16(Length::Nul)),
];

static FIELDS_281: [Field; 1] = [
    Field::new("param1", FieldType::Utf16(Length::Nul)),
];

static FIELDS_282: [Field; 3] = [
    Field::new("InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("MaxRunspaces", FieldType::Utf16(Length::Nul)),
    Field::new("MinRunspaces", FieldType::Utf16(Length::Nul)),
];

static FIELDS_283: [Field; 3] = [
    Field::new("param1", FieldType::Utf16(Length::Nul)),
    Field::new("param2", FieldType::Utf16(Length::Nul)),
    Field::new("param3", FieldType::Utf16(Length::Nul)),
];

static FIELDS_284: [Field; 11] = [
    Field::new("uri", FieldType::Utf16(Length::Nul)),
    Field::new("shell", FieldType::Utf16(Length::Nul)),
    Field::new("userName", FieldType::Utf16(Length::Nul)),
    Field::new("opentimeout", FieldType::Utf16(Length::Nul)),
    Field::new("idletimeout", FieldType::Utf16(Length::Nul)),
    Field::new("canceltimeout", FieldType::Utf16(Length::Nul)),
    Field::new("auth", FieldType::U32).values(&MAP_8_WSMANAUTHENTICATIONMECHANISM),
    Field::new("thumbPrint", FieldType::Utf16(Length::Nul)),
    Field::new("redircount", FieldType::Utf16(Length::Nul)),
    Field::new("recvdDataSize", FieldType::Utf16(Length::Nul)),
    Field::new("recvdObjSize", FieldType::Utf16(Length::Nul)),
];

static FIELDS_285: [Field; 1] = [
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_286: [Field; 2] = [
    Field::new("CurrentLine", FieldType::I32),
    Field::new("FileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_287: [Field; 3] = [
    Field::new("DeserializedType", FieldType::Utf16(Length::Nul)),
    Field::new("CastedToType", FieldType::Utf16(Length::Nul)),
    Field::new("RehydratedType", FieldType::Utf16(Length::Nul)),
];

static FIELDS_288: [Field; 4] = [
    Field::new("DeserializedType", FieldType::Utf16(Length::Nul)),
    Field::new("CastedToType", FieldType::Utf16(Length::Nul)),
    Field::new("TypeCastException", FieldType::Utf16(Length::Nul)),
    Field::new("TypeCastInnerException", FieldType::Utf16(Length::Nul)),
];

static FIELDS_289: [Field; 4] = [
    Field::new("SerializedType", FieldType::Utf16(Length::Nul)),
    Field::new("OriginalDepth", FieldType::I32),
    Field::new("OverridenDepth", FieldType::I32),
    Field::new("CurrentDepthBelowTopLevel", FieldType::I32),
];

static FIELDS_290: [Field; 2] = [
    Field::new("SerializedType", FieldType::Utf16(Length::Nul)),
    Field::new("OverridenMode", FieldType::U32).values(&MAP_8_SERIALIZATIONMETHOD),
];

static FIELDS_291: [Field; 3] = [
    Field::new("PropertyName", FieldType::Utf16(Length::Nul)),
    Field::new("PropertyOwnerType", FieldType::Utf16(Length::Nul)),
    Field::new("GetterScript", FieldType::Utf16(Length::Nul)),
];

static FIELDS_292: [Field; 4] = [
    Field::new("PropertyName", FieldType::Utf16(Length::Nul)),
    Field::new("PropertyOwnerType", FieldType::Utf16(Length::Nul)),
    Field::new("Exception", FieldType::Utf16(Length::Nul)),
    Field::new("InnerException", FieldType::Utf16(Length::Nul)),
];

static FIELDS_293: [Field; 2] = [
    Field::new("TypeBeingEnumerated", FieldType::Utf16(Length::Nul)),
    Field::new("Exception", FieldType::Utf16(Length::Nul)),
];

static FIELDS_294: [Field; 2] = [
    Field::new("Type", FieldType::Utf16(Length::Nul)),
    Field::new("Exception", FieldType::Utf16(Length::Nul)),
];

static FIELDS_295: [Field; 3] = [
    Field::new("TypeOfObjectAtMaxDepth", FieldType::Utf16(Length::Nul)),
    Field::new("PropertyNameAtMaxDepth", FieldType::Utf16(Length::Nul)),
    Field::new("Depth", FieldType::I32),
];

static FIELDS_296: [Field; 3] = [
    Field::new("LineNumber", FieldType::I32),
    Field::new("LinePosition", FieldType::I32),
    Field::new("Exception", FieldType::Utf16(Length::Nul)),
];

static FIELDS_297: [Field; 2] = [
    Field::new("TypeOfObjectWithMissingProperty", FieldType::Utf16(Length::Nul)),
    Field::new("PropertyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_298: [Field; 5] = [
    Field::new("Runspace_InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("PowerShell_InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("Destination", FieldType::U32).values(&MAP_8_REMOTINGDESTINATION),
    Field::new("DataType", FieldType::U32),
    Field::new("TargetInterface", FieldType::U32).values(&MAP_8_REMOTINGTARGETINTERFACE),
];

static FIELDS_299: [Field; 5] = [
    Field::new("SessionId", FieldType::Utf16(Length::Nul)),
    Field::new("PipelineId", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorCode", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorMessage", FieldType::Utf16(Length::Nul)),
    Field::new("StackTrace", FieldType::Utf16(Length::Nul)),
];

static FIELDS_300: [Field; 3] = [
    Field::new("SessionId", FieldType::Utf16(Length::Nul)),
    Field::new("PipelineId", FieldType::Utf16(Length::Nul)),
    Field::new("DataSize", FieldType::Utf16(Length::Nul)),
];

static FIELDS_301: [Field; 2] = [
    Field::new("SessionId", FieldType::Utf16(Length::Nul)),
    Field::new("PipelineId", FieldType::Utf16(Length::Nul)),
];

static FIELDS_302: [Field; 3] = [
    Field::new("SessionId", FieldType::Utf16(Length::Nul)),
    Field::new("PipelineId", FieldType::Utf16(Length::Nul)),
    Field::new("SignalCode", FieldType::Utf16(Length::Nul)),
];

static FIELDS_303: [Field; 2] = [
    Field::new("SessionId", FieldType::Utf16(Length::Nul)),
    Field::new("Uri", FieldType::Utf16(Length::Nul)),
];

static FIELDS_304: [Field; 5] = [
    Field::new("Runspace_InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("PowerShell_InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("DataSize", FieldType::Utf16(Length::Nul)),
    Field::new("DataType", FieldType::U32),
    Field::new("TargetInterface", FieldType::U32),
];

static FIELDS_305: [Field; 2] = [
    Field::new("param1", FieldType::Utf16(Length::Nul)),
    Field::new("param2", FieldType::Utf16(Length::Nul)),
];

static FIELDS_306: [Field; 4] = [
    Field::new("param1", FieldType::Utf16(Length::Nul)),
    Field::new("param2", FieldType::Utf16(Length::Nul)),
    Field::new("param3", FieldType::Utf16(Length::Nul)),
    Field::new("param4", FieldType::Utf16(Length::Nul)),
];

static FIELDS_307: [Field; 6] = [
    Field::new("ObjectId", FieldType::I64),
    Field::new("FragmentId", FieldType::I64),
    Field::new("sFlag", FieldType::I32),
    Field::new("eFlag", FieldType::I32),
    Field::new("FragmentLength", FieldType::U32),
    Field::new("FragmentPayload", FieldType::Utf16(Length::Nul)),
];

static FIELDS_308: [Field; 8] = [
    Field::new("Message", FieldType::Utf16(Length::Nul)),
    Field::new("Category", FieldType::Utf16(Length::Nul)),
    Field::new("Reason", FieldType::Utf16(Length::Nul)),
    Field::new("TargetName", FieldType::Utf16(Length::Nul)),
    Field::new("FullyQualifiedErrorId", FieldType::Utf16(Length::Nul)),
    Field::new("ExceptionMessage", FieldType::Utf16(Length::Nul)),
    Field::new("ExceptionStackTrace", FieldType::Utf16(Length::Nul)),
    Field::new("ExceptionInnerException", FieldType::Utf16(Length::Nul)),
];

static FIELDS_309: [Field; 6] = [
    Field::new("Id", FieldType::Utf16(Length::Nul)),
    Field::new("InstanceId", FieldType::Utf16(Length::Nul)),
    Field::new("Name", FieldType::Utf16(Length::Nul)),
    Field::new("Location", FieldType::Utf16(Length::Nul)),
    Field::new("State", FieldType::Utf16(Length::Nul)),
    Field::new("Command", FieldType::Utf16(Length::Nul)),
];

static FIELDS_310: [Field; 11] = [
    Field::new("uri", FieldType::Utf16(Length::Nul)),
    Field::new("shell", FieldType::Utf16(Length::Nul)),
    Field::new("userName", FieldType::Utf16(Length::Nul)),
    Field::new("opentimeout", FieldType::Utf16(Length::Nul)),
    Field::new("idletimeout", FieldType::Utf16(Length::Nul)),
    Field::new("canceltimeout", FieldType::Utf16(Length::Nul)),
    Field::new("auth", FieldType::U32),
    Field::new("thumbPrint", FieldType::Utf16(Length::Nul)),
    Field::new("redircount", FieldType::Utf16(Length::Nul)),
    Field::new("recvdDataSize", FieldType::Utf16(Length::Nul)),
    Field::new("recvdObjSize", FieldType::Utf16(Length::Nul)),
];

static FIELDS_311: [Field; 5] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("user", FieldType::Utf16(Length::Nul)),
    Field::new("hostingMode", FieldType::Utf16(Length::Nul)),
    Field::new("protocol", FieldType::Utf16(Length::Nul)),
    Field::new("configuration", FieldType::Utf16(Length::Nul)),
];

static FIELDS_312: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("managedNodes", FieldType::Utf16(Length::Nul)),
];

static FIELDS_313: [Field; 3] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("newState", FieldType::Utf16(Length::Nul)),
    Field::new("oldState", FieldType::Utf16(Length::Nul)),
];

static FIELDS_314: [Field; 1] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_315: [Field; 1] = [
    Field::new("workflowId", FieldType::Guid),
];

static FIELDS_316: [Field; 4] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("configName", FieldType::Utf16(Length::Nul)),
    Field::new("allowedValue", FieldType::Utf16(Length::Nul)),
    Field::new("valueInQuestion", FieldType::Utf16(Length::Nul)),
];

static FIELDS_317: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("managedNode", FieldType::Utf16(Length::Nul)),
];

static FIELDS_318: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("activityName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_319: [Field; 2] = [
    Field::new("activityName", FieldType::Utf16(Length::Nul)),
    Field::new("activityTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_320: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("xamlFile", FieldType::Utf16(Length::Nul)),
];

static FIELDS_321: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("errorDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_322: [Field; 3] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("activityDisplayName", FieldType::Utf16(Length::Nul)),
    Field::new("activityType", FieldType::Utf16(Length::Nul)),
];

static FIELDS_323: [Field; 3] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("activityName", FieldType::Utf16(Length::Nul)),
    Field::new("failureDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_324: [Field; 2] = [
    Field::new("runspaceId", FieldType::Utf16(Length::Nul)),
    Field::new("availability", FieldType::Utf16(Length::Nul)),
];

static FIELDS_325: [Field; 3] = [
    Field::new("runspaceId", FieldType::Utf16(Length::Nul)),
    Field::new("newState", FieldType::Utf16(Length::Nul)),
    Field::new("oldState", FieldType::Utf16(Length::Nul)),
];

static FIELDS_326: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("path", FieldType::Utf16(Length::Nul)),
];

static FIELDS_327: [Field; 1] = [
    Field::new("jobId", FieldType::Guid),
];

static FIELDS_328: [Field; 4] = [
    Field::new("jobId", FieldType::I32),
    Field::new("workflowId", FieldType::Guid),
    Field::new("newState", FieldType::Utf16(Length::Nul)),
    Field::new("oldState", FieldType::Utf16(Length::Nul)),
];

static FIELDS_329: [Field; 3] = [
    Field::new("jobId", FieldType::I32),
    Field::new("workflowId", FieldType::Guid),
    Field::new("errorDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_330: [Field; 3] = [
    Field::new("parentJobId", FieldType::Guid),
    Field::new("childJobId", FieldType::Guid),
    Field::new("childWorkflowId", FieldType::Guid),
];

static FIELDS_331: [Field; 2] = [
    Field::new("jobId", FieldType::Guid),
    Field::new("workflowId", FieldType::Guid),
];

static FIELDS_332: [Field; 3] = [
    Field::new("parentJobId", FieldType::Guid),
    Field::new("childJobId", FieldType::Guid),
    Field::new("workflowId", FieldType::Guid),
];

static FIELDS_333: [Field; 4] = [
    Field::new("parentJobId", FieldType::Guid),
    Field::new("childJobId", FieldType::Guid),
    Field::new("workflowId", FieldType::Guid),
    Field::new("error", FieldType::Utf16(Length::Nul)),
];

static FIELDS_334: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("reason", FieldType::Utf16(Length::Nul)),
];

static FIELDS_335: [Field; 2] = [
    Field::new("workflowId", FieldType::Guid),
    Field::new("persistPath", FieldType::Utf16(Length::Nul)),
];

static FIELDS_336: [Field; 1] = [
    Field::new("activityName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_337: [Field; 3] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("endpointType", FieldType::Utf16(Length::Nul)),
    Field::new("registeredBy", FieldType::Utf16(Length::Nul)),
];

static FIELDS_338: [Field; 2] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("modifiedBy", FieldType::Utf16(Length::Nul)),
];

static FIELDS_339: [Field; 2] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("unregisteredBy", FieldType::Utf16(Length::Nul)),
];

static FIELDS_340: [Field; 2] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("disabledBy", FieldType::Utf16(Length::Nul)),
];

static FIELDS_341: [Field; 2] = [
    Field::new("endpointName", FieldType::Utf16(Length::Nul)),
    Field::new("enabledBy", FieldType::Utf16(Length::Nul)),
];

static FIELDS_342: [Field; 1] = [
    Field::new("command", FieldType::Utf16(Length::Nul)),
];

static FIELDS_343: [Field; 2] = [
    Field::new("parameters", FieldType::Utf16(Length::Nul)),
    Field::new("computers", FieldType::Utf16(Length::Nul)),
];

static FIELDS_344: [Field; 4] = [
    Field::new("checkpointPath", FieldType::Utf16(Length::Nul)),
    Field::new("configProviderId", FieldType::Utf16(Length::Nul)),
    Field::new("userName", FieldType::Utf16(Length::Nul)),
    Field::new("path", FieldType::Utf16(Length::Nul)),
];

static FIELDS_345: [Field; 1] = [
    Field::new("TrackingId", FieldType::Guid),
];

static FIELDS_346: [Field; 2] = [
    Field::new("TrackingId", FieldType::Guid),
    Field::new("ContainerParentJobInstanceId", FieldType::Guid),
];

static FIELDS_347: [Field; 1] = [
    Field::new("WorkflowJobJobInstanceId", FieldType::Guid),
];

static FIELDS_348: [Field; 2] = [
    Field::new("WorkflowJobInstanceId", FieldType::Guid),
    Field::new("ContainerParentJobInstanceId", FieldType::Guid),
];

static FIELDS_349: [Field; 2] = [
    Field::new("ProxyJobInstanceId", FieldType::Guid),
    Field::new("ContainerParentJobInstanceId", FieldType::Guid),
];

static FIELDS_350: [Field; 1] = [
    Field::new("ContainerParentJobInstanceId", FieldType::Guid),
];

static FIELDS_351: [Field; 1] = [
    Field::new("ProxyJobInstanceId", FieldType::Guid),
];

static FIELDS_352: [Field; 1] = [
    Field::new("ProxyChildJobInstanceId", FieldType::Guid),
];

static FIELDS_353: [Field; 1] = [
    Field::new("message", FieldType::Utf16(Length::Nul)),
];

static FIELDS_354: [Field; 2] = [
    Field::new("ScheduledJobDefName", FieldType::Utf16(Length::Nul)),
    Field::new("StartTime", FieldType::Utf16(Length::Nul)),
];

static FIELDS_355: [Field; 3] = [
    Field::new("ScheduledJobDefName", FieldType::Utf16(Length::Nul)),
    Field::new("StopTime", FieldType::Utf16(Length::Nul)),
    Field::new("State", FieldType::Utf16(Length::Nul)),
];

static FIELDS_356: [Field; 4] = [
    Field::new("Name", FieldType::Utf16(Length::Nul)),
    Field::new("Message", FieldType::Utf16(Length::Nul)),
    Field::new("StackTrace", FieldType::Utf16(Length::Nul)),
    Field::new("InnerException", FieldType::Utf16(Length::Nul)),
];

static FIELDS_357: [Field; 4] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("ConnectionId", FieldType::U64),
    Field::new("RemoteAddrLength", FieldType::U32),
    Field::new("RemoteAddr", FieldType::Binary(Length::Field(2))),
];

static FIELDS_358: [Field; 3] = [
    Field::new("RequestObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("HttpVerb", FieldType::U32),
    Field::new("Url", FieldType::Utf16(Length::Nul)),
];

static FIELDS_359: [Field; 6] = [
    Field::new("RequestObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("RequestId", FieldType::U64),
    Field::new("SiteId", FieldType::U32),
    Field::new("RequestQueueName", FieldType::Utf16(Length::Nul)),
    Field::new("Url", FieldType::Utf16(Length::Nul)),
    Field::new("Status", FieldType::U32),
];

static FIELDS_360: [Field; 7] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("ConnectionId", FieldType::U64),
    Field::new("StatusCode", FieldType::U16),
    Field::new("Verb", FieldType::Ansi(Length::Nul)),
    Field::new("HeaderLength", FieldType::U32),
    Field::new("EntityChunkCount", FieldType::U16),
    Field::new("CachePolicy", FieldType::U32),
];

static FIELDS_361: [Field; 1] = [
    Field::new("RequestId", FieldType::U64),
];

static FIELDS_362: [Field; 2] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("ConnectionId", FieldType::U64),
];

static FIELDS_363: [Field; 2] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("HttpStatus", FieldType::U16),
];

static FIELDS_364: [Field; 3] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("Reason", FieldType::Ansi(Length::Nul)),
    Field::new("Status", FieldType::U32),
];

static FIELDS_365: [Field; 3] = [
    Field::new("RequestObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("SiteId", FieldType::U32),
    Field::new("BytesSent", FieldType::U32),
];

static FIELDS_366: [Field; 5] = [
    Field::new("RequestObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("SiteId", FieldType::U32),
    Field::new("BytesSent", FieldType::U32),
    Field::new("RequestId", FieldType::U64),
    Field::new("Encoding", FieldType::Ansi(Length::Nul)),
];

static FIELDS_367: [Field; 2] = [
    Field::new("Url", FieldType::Utf16(Length::Nul)),
    Field::new("ReserveStatus", FieldType::U32),
];

static FIELDS_368: [Field; 2] = [
    Field::new("IpAddrLength", FieldType::U32),
    Field::new("IpAddress", FieldType::Binary(Length::Field(0))),
];

static FIELDS_369: [Field; 12] = [
    Field::new("EndpointConfigObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(1))),
    Field::new("CertHashLength", FieldType::U32),
    Field::new("CertHash", FieldType::Binary(Length::Field(3))),
    Field::new("CertStoreName", FieldType::Utf16(Length::Nul)),
    Field::new("CertCheckMode", FieldType::U32),
    Field::new("RevokeFreshnessTime", FieldType::U32),
    Field::new("RevokeRetrievalTime", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("CtlId", FieldType::Utf16(Length::Nul)),
    Field::new("CtlStoreName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_370: [Field; 12] = [
    Field::new("EndpointConfigObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("Endpoint", FieldType::Utf16(Length::Nul)),
    Field::new("CertHashLength", FieldType::U32),
    Field::new("CertHash", FieldType::Binary(Length::Field(2))),
    Field::new("CertStoreName", FieldType::Utf16(Length::Nul)),
    Field::new("CertCheckMode", FieldType::U32),
    Field::new("RevokeFreshnessTime", FieldType::U32),
    Field::new("RevokeRetrievalTime", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("CtlId", FieldType::Utf16(Length::Nul)),
    Field::new("CtlStoreName", FieldType::Utf16(Length::Nul)),
    Field::new("CertificateLoadTimems", FieldType::U32),
];

static FIELDS_371: [Field; 5] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("LocalAddrLength", FieldType::U32),
    Field::new("LocalAddr", FieldType::Binary(Length::Field(1))),
    Field::new("RemoteAddrLength", FieldType::U32),
    Field::new("RemoteAddr", FieldType::Binary(Length::Field(3))),
];

static FIELDS_372: [Field; 3] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("ConnectionId", FieldType::U64),
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_373: [Field; 2] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("Abortive", FieldType::U32),
];

static FIELDS_374: [Field; 1] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_375: [Field; 6] = [
    Field::new("Uri", FieldType::Utf16(Length::Nul)),
    Field::new("StatusCode", FieldType::U16),
    Field::new("Verb", FieldType::Ansi(Length::Nul)),
    Field::new("HeaderLength", FieldType::U32),
    Field::new("ContentLength", FieldType::U32),
    Field::new("ExpirationTime", FieldType::U64),
];

static FIELDS_376: [Field; 7] = [
    Field::new("Uri", FieldType::Utf16(Length::Nul)),
    Field::new("StatusCode", FieldType::U16),
    Field::new("Verb", FieldType::Ansi(Length::Nul)),
    Field::new("HeaderLength", FieldType::U32),
    Field::new("ContentLength", FieldType::U32),
    Field::new("ExpirationTime", FieldType::U64),
    Field::new("Encoding", FieldType::Ansi(Length::Nul)),
];

static FIELDS_377: [Field; 2] = [
    Field::new("UrlBuffer", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorStatus", FieldType::U32),
];

static FIELDS_378: [Field; 3] = [
    Field::new("UrlBuffer", FieldType::Utf16(Length::Nul)),
    Field::new("ErrorStatus", FieldType::U32),
    Field::new("Encoding", FieldType::Ansi(Length::Nul)),
];

static FIELDS_379: [Field; 2] = [
    Field::new("Property", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_380: [Field; 3] = [
    Field::new("UrlGroupId", FieldType::U64),
    Field::new("Url", FieldType::Utf16(Length::Nul)),
    Field::new("Status", FieldType::U32),
];

static FIELDS_381: [Field; 2] = [
    Field::new("UrlGroupId", FieldType::U64),
    Field::new("Url", FieldType::Utf16(Length::Nul)),
];

static FIELDS_382: [Field; 1] = [
    Field::new("UrlGroupId", FieldType::U64),
];

static FIELDS_383: [Field; 2] = [
    Field::new("Status", FieldType::U32),
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_384: [Field; 2] = [
    Field::new("DataLength", FieldType::U32),
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_385: [Field; 4] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("AuthType", FieldType::Ansi(Length::Nul)),
    Field::new("SecStatus", FieldType::U32),
    Field::new("AuthStatus", FieldType::U32),
];

static FIELDS_386: [Field; 5] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("AuthType", FieldType::Ansi(Length::Nul)),
    Field::new("SecStatus", FieldType::U32),
    Field::new("AuthStatus", FieldType::U32),
    Field::new("ContextAttributes", FieldType::U32),
];

static FIELDS_387: [Field; 4] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("AuthCacheType", FieldType::Ansi(Length::Nul)),
    Field::new("AccessTokenOrHandle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_388: [Field; 2] = [
    Field::new("AccessTokenOrHandle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_389: [Field; 3] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("Bandwidth", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_390: [Field; 6] = [
    Field::new("Status", FieldType::U32),
    Field::new("Type", FieldType::U32).values(&MAP_9_HTTP_TEMPLATE_LOGGING_LOGTYPE_VALUEMAP),
    Field::new("Group", FieldType::U32).values(&MAP_9_HTTP_TEMPLATE_LOGGING_LOGGROUP_VALUEMAP),
    Field::new("Directory", FieldType::Utf16(Length::Nul)),
    Field::new("Software", FieldType::Utf16(Length::Nul)),
    Field::new("SiteId", FieldType::U32),
];

static FIELDS_391: [Field; 7] = [
    Field::new("Present", FieldType::U32),
    Field::new("Type", FieldType::U32),
    Field::new("Group", FieldType::U32),
    Field::new("Format", FieldType::U32),
    Field::new("Directory", FieldType::Utf16(Length::Nul)),
    Field::new("Software", FieldType::Utf16(Length::Nul)),
    Field::new("SiteId", FieldType::U32),
];

static FIELDS_392: [Field; 6] = [
    Field::new("Status", FieldType::U32),
    Field::new("Type", FieldType::U32),
    Field::new("Group", FieldType::U32),
    Field::new("Format", FieldType::U32).values(&MAP_9_HTTP_TEMPLATE_LOGGING_LOGFORMAT_VALUEMAP),
    Field::new("Filename", FieldType::Utf16(Length::Nul)),
    Field::new("SiteId", FieldType::U32),
];

static FIELDS_393: [Field; 6] = [
    Field::new("Handle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Type", FieldType::U32),
    Field::new("Group", FieldType::U32),
    Field::new("Format", FieldType::U32),
    Field::new("Filename", FieldType::Utf16(Length::Nul)),
    Field::new("SiteId", FieldType::U32),
];

static FIELDS_394: [Field; 7] = [
    Field::new("Status", FieldType::U32),
    Field::new("Handle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Type", FieldType::U32),
    Field::new("Group", FieldType::U32),
    Field::new("Format", FieldType::U32),
    Field::new("ResType", FieldType::Ansi(Length::Nul)),
    Field::new("SiteId", FieldType::U32),
];

static FIELDS_395: [Field; 6] = [
    Field::new("Status", FieldType::U32),
    Field::new("RequestId", FieldType::U64),
    Field::new("Reason", FieldType::Ansi(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("HintLength", FieldType::U32),
    Field::new("HintData", FieldType::Binary(Length::Field(4))),
];

static FIELDS_396: [Field; 3] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("Timer", FieldType::Ansi(Length::Nul)),
];

static FIELDS_397: [Field; 3] = [
    Field::new("EndpointConfigObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("SecStatus", FieldType::U32),
    Field::new("Detail", FieldType::Ansi(Length::Nul)),
];

static FIELDS_398: [Field; 2] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_399: [Field; 2] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("SecStatus", FieldType::U32),
];

static FIELDS_400: [Field; 3] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("SecStatus", FieldType::U32),
    Field::new("Detail", FieldType::Ansi(Length::Nul)),
];

static FIELDS_401: [Field; 3] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(1))),
];

static FIELDS_402: [Field; 3] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("Reason", FieldType::Ansi(Length::Nul)),
    Field::new("RequestQueueName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_403: [Field; 3] = [
    Field::new("NewProcNumber", FieldType::U8),
    Field::new("ReasonString", FieldType::Ansi(Length::Nul)),
    Field::new("Status", FieldType::U32),
];

static FIELDS_404: [Field; 2] = [
    Field::new("NewProcNumber", FieldType::U8),
    Field::new("Comment", FieldType::Ansi(Length::Nul)),
];

static FIELDS_405: [Field; 4] = [
    Field::new("FlowHandle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Bandwidth", FieldType::U32),
    Field::new("PeakBandwidth", FieldType::U32),
    Field::new("BurstSize", FieldType::U32),
];

static FIELDS_406: [Field; 4] = [
    Field::new("Bandwidth", FieldType::U32),
    Field::new("PeakBandwidth", FieldType::U32),
    Field::new("BurstSize", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_407: [Field; 2] = [
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("FlowHandle", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_408: [Field; 1] = [
    Field::new("FlowHandle", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_409: [Field; 3] = [
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("FlowHandle", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_410: [Field; 7] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("ContentBytes", FieldType::U64),
    Field::new("NumberOfRanges", FieldType::U32),
    Field::new("Range1Start", FieldType::U64),
    Field::new("Range1End", FieldType::U64),
    Field::new("Range2Start", FieldType::U64),
    Field::new("Range2End", FieldType::U64),
];

static FIELDS_411: [Field; 9] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("NumberOfSlices", FieldType::U32),
    Field::new("SliceIndex1", FieldType::U32),
    Field::new("SliceIndex2", FieldType::U32),
    Field::new("NumberOfRanges", FieldType::U32),
    Field::new("Range1Start", FieldType::U64),
    Field::new("Range1End", FieldType::U64),
    Field::new("Range2Start", FieldType::U64),
    Field::new("Range2End", FieldType::U64),
];

static FIELDS_412: [Field; 10] = [
    Field::new("RequestId", FieldType::U64),
    Field::new("CacheEntryPtr", FieldType::Pointer).hint(Hint::Address),
    Field::new("NumberOfSlices", FieldType::U32),
    Field::new("SliceIndex1", FieldType::U32),
    Field::new("SliceIndex2", FieldType::U32),
    Field::new("NumberOfRanges", FieldType::U32),
    Field::new("Range1Start", FieldType::U64),
    Field::new("Range1End", FieldType::U64),
    Field::new("Range2Start", FieldType::U64),
    Field::new("Range2End", FieldType::U64),
];

static FIELDS_413: [Field; 3] = [
    Field::new("CacheEntryPtr", FieldType::Pointer).hint(Hint::Address),
    Field::new("NofSlicesToMerge", FieldType::U32),
    Field::new("NofSlicesInCache", FieldType::U32),
];

static FIELDS_414: [Field; 3] = [
    Field::new("CacheEntryPtr", FieldType::Pointer).hint(Hint::Address),
    Field::new("Range1Start", FieldType::U64),
    Field::new("Range1End", FieldType::U64),
];

static FIELDS_415: [Field; 3] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("NoBindBuffers", FieldType::U32),
    Field::new("SecFlags", FieldType::U32),
];

static FIELDS_416: [Field; 5] = [
    Field::new("ConnectionId", FieldType::U64),
    Field::new("SecContextL", FieldType::Pointer).hint(Hint::Address),
    Field::new("SecContextH", FieldType::Pointer).hint(Hint::Address),
    Field::new("SecStatus", FieldType::U32),
    Field::new("Target", FieldType::Utf16(Length::Nul)),
];

static FIELDS_417: [Field; 3] = [
    Field::new("Hardening", FieldType::U8),
    Field::new("Flags", FieldType::U32),
    Field::new("ServiceNameCount", FieldType::U32),
];

static FIELDS_418: [Field; 1] = [
    Field::new("ReplaceConfigOf", FieldType::Ansi(Length::Nul)),
];

static FIELDS_419: [Field; 2] = [
    Field::new("PoolType", FieldType::Ansi(Length::Nul)),
    Field::new("ActivePools", FieldType::U16),
];

static FIELDS_420: [Field; 3] = [
    Field::new("PoolType", FieldType::Ansi(Length::Nul)),
    Field::new("ActivePools", FieldType::U16),
    Field::new("ThreadCount", FieldType::U8),
];

static FIELDS_421: [Field; 5] = [
    Field::new("ConnectionObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
    Field::new("SniLength", FieldType::U32),
    Field::new("SniHost", FieldType::Binary(Length::Field(2))),
    Field::new("NormalizedHost", FieldType::Utf16(Length::Nul)),
];

static FIELDS_422: [Field; 2] = [
    Field::new("EndpointConfigObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("EndpointName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_423: [Field; 6] = [
    Field::new("EndpointConfigObj", FieldType::Pointer).hint(Hint::Address),
    Field::new("IpAddrLength", FieldType::U32),
    Field::new("IpAddress", FieldType::Binary(Length::Field(1))),
    Field::new("SniHostname", FieldType::Utf16(Length::Nul)),
    Field::new("MatchingEndpointName", FieldType::Utf16(Length::Nul)),
    Field::new("AutoGeneratedEndpoint", FieldType::Bool32),
];

static FIELDS_424: [Field; 2] = [
    Field::new("AddressLength", FieldType::U32),
    Field::new("Address", FieldType::Binary(Length::Field(0))),
];

static FIELDS_425: [Field; 6] = [
    Field::new("Status", FieldType::U32),
    Field::new("ResponseId", FieldType::U64),
    Field::new("Reason", FieldType::Ansi(Length::Nul)),
    Field::new("ErrorCode", FieldType::U32),
    Field::new("HintLength", FieldType::U32),
    Field::new("HintData", FieldType::Binary(Length::Field(4))),
];

static FIELDS_426: [Field; 10] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("SniHostname", FieldType::Utf16(Length::Nul)),
    Field::new("ThumbprintLength", FieldType::U16),
    Field::new("Thumbprint", FieldType::Binary(Length::Field(5))),
    Field::new("ClientDisconnect", FieldType::Bool32),
    Field::new("AbortiveDisconnect", FieldType::Bool32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_427: [Field; 14] = [
    Field::new("Url", FieldType::Utf16(Length::Nul)),
    Field::new("Verb", FieldType::U32),
    Field::new("StatusCode", FieldType::U16),
    Field::new("CacheSend", FieldType::Bool32),
    Field::new("RequestQueue", FieldType::Utf16(Length::Nul)),
    Field::new("ProcessId", FieldType::U32),
    Field::new("ThreadId", FieldType::U32),
    Field::new("ImageFileName", FieldType::Ansi(Length::Nul)),
    Field::new("WorkingSetSize", FieldType::U64),
    Field::new("SendStatus", FieldType::U32),
    Field::new("ThreadCount", FieldType::U32),
    Field::new("ReasonPhrase", FieldType::Ansi(Length::Nul)),
    Field::new("ErrorCause", FieldType::Ansi(Length::Nul)),
    Field::new("Verbosity", FieldType::U32),
];

static FIELDS_428: [Field; 8] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("SniHostname", FieldType::Utf16(Length::Nul)),
    Field::new("ThumbprintLength", FieldType::U16),
    Field::new("Thumbprint", FieldType::Binary(Length::Field(5))),
    Field::new("ConnectionBufferFull", FieldType::Bool32),
];

static FIELDS_429: [Field; 2] = [
    Field::new("Verb", FieldType::U32),
    Field::new("FaultCode", FieldType::U32),
];

static FIELDS_430: [Field; 10] = [
    Field::new("QuicConnectionId", FieldType::U64),
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(2))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(4))),
    Field::new("SniLength", FieldType::U32),
    Field::new("SniHost", FieldType::Binary(Length::Field(6))),
    Field::new("ErrorLogCode", FieldType::U32),
    Field::new("Status", FieldType::U32),
];

static FIELDS_431: [Field; 3] = [
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("Event", FieldType::U8),
    Field::new("EventParam", FieldType::U64),
];

static FIELDS_432: [Field; 3] = [
    Field::new("QuicStreamId", FieldType::U64),
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("Stream", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_433: [Field; 5] = [
    Field::new("Stream", FieldType::Pointer).hint(Hint::Address),
    Field::new("Connection", FieldType::Pointer).hint(Hint::Address),
    Field::new("StreamType", FieldType::Ansi(Length::Nul)),
    Field::new("Event", FieldType::U8),
    Field::new("EventParam", FieldType::U64),
];

static FIELDS_434: [Field; 4] = [
    Field::new("Status", FieldType::U32),
    Field::new("Endpoint", FieldType::Pointer).hint(Hint::Address),
    Field::new("AddressFamily", FieldType::U32).values(&MAP_10_TCPIP_ADDRESS_FAMILY_TYPE_VALUEMAP),
    Field::new("Pid", FieldType::U32),
];

static FIELDS_435: [Field; 7] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(1))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(3))),
    Field::new("NewState", FieldType::U32),
    Field::new("RexmitCount", FieldType::U32),
];

static FIELDS_436: [Field; 3] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
    Field::new("AddressFamily", FieldType::U32),
];

static FIELDS_437: [Field; 4] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("ISN", FieldType::U32),
    Field::new("RcvWnd", FieldType::U32),
    Field::new("RcvWndScale", FieldType::U8),
];

static FIELDS_438: [Field; 3] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("Status", FieldType::U32),
];

static FIELDS_439: [Field; 6] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("Status", FieldType::U32),
    Field::new("ProcessId", FieldType::U32),
    Field::new("CompartmentId", FieldType::U32),
    Field::new("AddressFamily", FieldType::U32),
];

static FIELDS_440: [Field; 7] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("Status", FieldType::U32),
    Field::new("ProcessId", FieldType::U32),
    Field::new("CompartmentId", FieldType::U32),
    Field::new("AddressFamily", FieldType::U32),
    Field::new("ProcessSequenceNumber", FieldType::U64),
];

static FIELDS_441: [Field; 8] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("Status", FieldType::U32),
    Field::new("ProcessId", FieldType::U32),
    Field::new("Compartment", FieldType::U32),
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_442: [Field; 9] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("Status", FieldType::U32),
    Field::new("ProcessId", FieldType::U32),
    Field::new("Compartment", FieldType::U32),
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("ProcessSequenceNumber", FieldType::U64),
];

static FIELDS_443: [Field; 7] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(1))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(3))),
    Field::new("NewState", FieldType::U32).values(&MAP_10_TCP_CONNECTION_STATE_VALUEMAP),
    Field::new("RexmitCount", FieldType::U32),
];

static FIELDS_444: [Field; 5] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("Path", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_445: [Field; 6] = [
    Field::new("SynAttacksDetected", FieldType::U32),
    Field::new("ReassemblyLimitViolations", FieldType::U32),
    Field::new("ConnectionRateLimitBacklog", FieldType::U32),
    Field::new("ConnectionRateLimitViolations", FieldType::U32),
    Field::new("LandAttackSegmentsDropped", FieldType::U32),
    Field::new("ConnectionRateLimitDepth", FieldType::U32),
];

static FIELDS_446: [Field; 10] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("Delivery", FieldType::Pointer).hint(Hint::Address),
    Field::new("Request", FieldType::Pointer).hint(Hint::Address),
    Field::new("NumBytes", FieldType::Pointer).hint(Hint::Address),
    Field::new("RequestFlags", FieldType::U32),
    Field::new("Length", FieldType::Pointer).hint(Hint::Address),
    Field::new("RequestStatus", FieldType::U32),
    Field::new("IsUrgentDelivery", FieldType::U32),
    Field::new("FullySatisfiedORDelayedPush", FieldType::U32),
    Field::new("RcvNxt", FieldType::U32),
];

static FIELDS_447: [Field; 3] = [
    Field::new("Length", FieldType::Pointer).hint(Hint::Address),
    Field::new("Timeout", FieldType::U64),
    Field::new("Injected", FieldType::Utf16(Length::Nul)),
];

static FIELDS_448: [Field; 4] = [
    Field::new("OldState", FieldType::U32),
    Field::new("NewState", FieldType::U32),
    Field::new("SndNxt", FieldType::U32),
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_449: [Field; 4] = [
    Field::new("ProcessId", FieldType::U32),
    Field::new("Status", FieldType::U32),
    Field::new("StartPort", FieldType::U16),
    Field::new("NumberOfPorts", FieldType::U16),
];

static FIELDS_450: [Field; 5] = [
    Field::new("ProcessId", FieldType::U32),
    Field::new("Status", FieldType::U32),
    Field::new("StartPort", FieldType::U16),
    Field::new("NumberOfPorts", FieldType::U16),
    Field::new("ProcessSequenceNumber", FieldType::U64),
];

static FIELDS_451: [Field; 4] = [
    Field::new("HighMemoryEvent", FieldType::U32),
    Field::new("HighPagedPoolEvent", FieldType::U32),
    Field::new("LowMemoryEvent", FieldType::U32),
    Field::new("LowPagedPoolEvent", FieldType::U32),
];

static FIELDS_452: [Field; 2] = [
    Field::new("InterfaceIndex", FieldType::U32),
    Field::new("AddressFamily", FieldType::U32),
];

static FIELDS_453: [Field; 3] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("TimerType", FieldType::U32).values(&MAP_10_TCP_TIMER_TYPE_VALUEMAP),
    Field::new("WaitTimeMilliseconds", FieldType::U32),
];

static FIELDS_454: [Field; 8] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("TimerType", FieldType::U32),
    Field::new("WaitTimeMilliseconds", FieldType::U32),
    Field::new("Processor", FieldType::U32),
    Field::new("LastInterruptTime", FieldType::U64),
    Field::new("LastMicroseconds", FieldType::U64),
    Field::new("CachedKQPCValues", FieldType::I64),
    Field::new("CachedFrequencyValues", FieldType::I64),
];

static FIELDS_455: [Field; 3] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("TimerType", FieldType::U32),
    Field::new("WaitTimeMilliseconds", FieldType::U32),
];

static FIELDS_456: [Field; 5] = [
    Field::new("IsbSize", FieldType::U32),
    Field::new("Cwnd", FieldType::U32),
    Field::new("SndWnd", FieldType::U32),
    Field::new("SendAvailable", FieldType::U32),
    Field::new("SSThresh", FieldType::U32),
];

static FIELDS_457: [Field; 6] = [
    Field::new("SourceProcessor", FieldType::U32),
    Field::new("SourceActivity", FieldType::U32),
    Field::new("DestinationProcessor", FieldType::U32),
    Field::new("DestinationActivity", FieldType::U32),
    Field::new("PartitionMovesRemaining", FieldType::U32),
    Field::new("TableEntry", FieldType::U8),
];

static FIELDS_458: [Field; 13] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("Cwnd", FieldType::U32),
    Field::new("SSThresh", FieldType::U32),
    Field::new("RttSample", FieldType::U32),
    Field::new("NumBytes", FieldType::U32),
    Field::new("SeqNo", FieldType::U32),
    Field::new("SndUna", FieldType::U32),
    Field::new("Round", FieldType::U32),
    Field::new("SRTT", FieldType::U32),
    Field::new("RTO", FieldType::U32),
    Field::new("DWnd", FieldType::U32),
    Field::new("BaseRtt", FieldType::U32),
    Field::new("DupAckCount", FieldType::U32),
];

static FIELDS_459: [Field; 3] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("NumBytes", FieldType::U32),
    Field::new("SeqNo", FieldType::U32),
];

static FIELDS_460: [Field; 8] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("Cwnd", FieldType::U32),
    Field::new("SSThresh", FieldType::U32),
    Field::new("SndUna", FieldType::U32),
    Field::new("Mss", FieldType::U32),
    Field::new("ThAck", FieldType::U32),
    Field::new("DWnd", FieldType::U32),
    Field::new("BaseRtt", FieldType::U32),
];

static FIELDS_461: [Field; 3] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("SndUna", FieldType::U32),
    Field::new("SndMax", FieldType::U32),
];

static FIELDS_462: [Field; 5] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("SndUna", FieldType::U32),
    Field::new("SndMax", FieldType::U32),
    Field::new("Reason", FieldType::Utf16(Length::Nul)),
    Field::new("IsSack", FieldType::U32).values(&MAP_10_TCPIP_BOOLEAN_VALUEMAP),
];

static FIELDS_463: [Field; 5] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("SndUna", FieldType::U32),
    Field::new("SndMax", FieldType::U32),
    Field::new("Reason", FieldType::Utf16(Length::Nul)),
    Field::new("IsSack", FieldType::U32),
];

static FIELDS_464: [Field; 4] = [
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("BHMSS", FieldType::U32),
    Field::new("OriginalMSS", FieldType::U32),
    Field::new("TraceString", FieldType::Utf16(Length::Nul)),
];

static FIELDS_465: [Field; 1] = [
    Field::new("NBL", FieldType::Pointer).hint(Hint::Address),
];

static FIELDS_466: [Field; 5] = [
    Field::new("LocalAddressLength", FieldType::U32),
    Field::new("LocalAddress", FieldType::Binary(Length::Field(0))),
    Field::new("RemoteAddressLength", FieldType::U32),
    Field::new("RemoteAddress", FieldType::Binary(Length::Field(2))),
    Field::new("BufferSize", FieldType::U32),
];

static FIELDS_467: [Field; 6] = [
    Field::new("TcbState", FieldType::U32),
    Field::new("OcbState", FieldType::U32),
    Field::new("SndNxt", FieldType::U32),
    Field::new("RcvNxt", FieldType::U32),
    Field::new("Tcb", FieldType::Pointer).hint(Hint::Address),
    Field::new("Status", FieldType::U32),
];

static FIELDS_468: [Field; 2] = [
    Field::new("Hwnd", FieldType::Pointer).hint(Hint::Address),
    Field::new("Type", FieldType::U32),
];

static FIELDS_469: [Field; 2] = [
    Field::new("OldThreadId", FieldType::U32),
    Field::new("NewThreadId", FieldType::U32),
];

static FIELDS_470: [Field; 4] = [
    Field::new("UIPI_Trace_Header", FieldType::U8),
    Field::new("Message", FieldType::U32),
    Field::new("wParam", FieldType::U64),
    Field::new("lParam", FieldType::U64),
];

static FIELDS_471: [Field; 6] = [
    Field::new("UIPI_Trace_Header", FieldType::U16),
    Field::new("HookID", FieldType::I32),
    Field::new("Flags", FieldType::I8),
    Field::new("nCode", FieldType::I32),
    Field::new("wParam", FieldType::U64),
    Field::new("lParam", FieldType::U64),
];

static FIELDS_472: [Field; 8] = [
    Field::new("UIPI_Trace_Header", FieldType::U32),
    Field::new("WinEvent", FieldType::U32),
    Field::new("WndHandle", FieldType::U64),
    Field::new("ObjectID", FieldType::U32),
    Field::new("ChildID", FieldType::U32),
    Field::new("SenderTID", FieldType::I32),
    Field::new("Time", FieldType::I32),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_473: [Field; 4] = [
    Field::new("UIPI_Trace_Header", FieldType::U8),
    Field::new("Handle", FieldType::U64),
    Field::new("HandleType", FieldType::U32),
    Field::new("Reserved", FieldType::U32),
];

static FIELDS_474: [Field; 4] = [
    Field::new("UIPI_Trace_Header", FieldType::U8),
    Field::new("InputType", FieldType::U32).values(&MAP_11_UIPIINPUTTYPE),
    Field::new("QIL", FieldType::U32),
    Field::new("QLBN", FieldType::U32),
];

static FIELDS_475: [Field; 4] = [
    Field::new("UIPI_Trace_Header", FieldType::U8),
    Field::new("ClipFormat", FieldType::U32),
    Field::new("ClipIL", FieldType::U32),
    Field::new("ClipLBN", FieldType::U32),
];

static FIELDS_476: [Field; 2] = [
    Field::new("UIPI_Trace_Header", FieldType::Ansi(Length::Nul)),
    Field::new("SysErrorType", FieldType::U32).values(&MAP_11_UIPISYSERRTYPE),
];

static FIELDS_477: [Field; 5] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("PreviousStateTime", FieldType::U32),
    Field::new("PreviousState", FieldType::U16),
    Field::new("NewState", FieldType::U16),
    Field::new("IsConsoleSession", FieldType::U16),
];

static FIELDS_478: [Field; 5] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("IdleAction", FieldType::U32),
    Field::new("TimeoutValueMs", FieldType::U32),
    Field::new("IdleStartTime", FieldType::U32),
    Field::new("IsConsoleSession", FieldType::U16),
];

static FIELDS_479: [Field; 3] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("IsConsoleSession", FieldType::U16),
    Field::new("NewCount", FieldType::U32),
];

static FIELDS_480: [Field; 3] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("IsConsoleSession", FieldType::U16),
    Field::new("DisplayTimeoutValueMs", FieldType::U32),
];

static FIELDS_481: [Field; 3] = [
    Field::new("LockId", FieldType::Pointer).hint(Hint::Address),
    Field::new("LockLevel", FieldType::U32),
    Field::new("LockName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_482: [Field; 2] = [
    Field::new("LockId", FieldType::Pointer).hint(Hint::Address),
    Field::new("LockName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_483: [Field; 2] = [
    Field::new("hWnd", FieldType::U64),
    Field::new("hLogicalSurfSwapChainBind", FieldType::U64),
];

static FIELDS_484: [Field; 7] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("AccruedIdleTime", FieldType::U32),
    Field::new("DisplayTimeoutValueMs", FieldType::U32),
    Field::new("ScreenSaverTimeoutValueMs", FieldType::U32),
    Field::new("DimTimeoutValueMs", FieldType::U32),
    Field::new("DimBrightnessValue", FieldType::U32),
    Field::new("NormalBrightnessValue", FieldType::U32),
];

static FIELDS_485: [Field; 6] = [
    Field::new("hLogicalSurfSwapChainBind", FieldType::U64),
    Field::new("ConfirmReason", FieldType::U32),
    Field::new("LastPresentId", FieldType::U32),
    Field::new("LastFrameCount", FieldType::U32),
    Field::new("SyncFrameCount", FieldType::U32),
    Field::new("LastFrameTime", FieldType::U64),
];

static FIELDS_486: [Field; 1] = [
    Field::new("Action", FieldType::U32).values(&MAP_11_SCREENSAVERPROCESSACTIONTYPE),
];

static FIELDS_487: [Field; 1] = [
    Field::new("Action", FieldType::U32),
];

static FIELDS_488: [Field; 1] = [
    Field::new("Action", FieldType::U32).values(&MAP_11_WINLOGONNOTIFICATIONACTIONTYPE),
];

static FIELDS_489: [Field; 3] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("ProcessIdOwningFocus", FieldType::U32),
    Field::new("ProcessCreateTimeOwningFocus", FieldType::FileTime),
];

static FIELDS_490: [Field; 3] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("OldProcessId", FieldType::U32),
    Field::new("NewProcessId", FieldType::U32),
];

static FIELDS_491: [Field; 2] = [
    Field::new("hWnd", FieldType::U64),
    Field::new("hSprite", FieldType::U64),
];

static FIELDS_492: [Field; 2] = [
    Field::new("hLogicalSurf", FieldType::U64),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_493: [Field; 2] = [
    Field::new("hLogicalSurf", FieldType::U64),
    Field::new("hPhysicalSurf", FieldType::U64),
];

static FIELDS_494: [Field; 4] = [
    Field::new("Pending", FieldType::U32),
    Field::new("dwDirtyFlags", FieldType::U32),
    Field::new("hLogicalSurf", FieldType::U64),
    Field::new("uiCookie", FieldType::U64),
];

static FIELDS_495: [Field; 5] = [
    Field::new("CursorThreadId", FieldType::U32),
    Field::new("CursorProcessId", FieldType::U32),
    Field::new("SessionId", FieldType::U32),
    Field::new("CursorType", FieldType::U32),
    Field::new("DisplayTimeMs", FieldType::U32),
];

static FIELDS_496: [Field; 5] = [
    Field::new("ThreadId", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("TimeSinceInputCheckMs", FieldType::U32),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
];

static FIELDS_497: [Field; 8] = [
    Field::new("Flags", FieldType::U32).values(&MAP_11_THREADINFOFLAGS),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
    Field::new("ClassName", FieldType::Utf16(Length::Nul)),
    Field::new("TopLevelClassName", FieldType::Utf16(Length::Nul)),
    Field::new("ImagePath", FieldType::Utf16(Length::Nul)),
    Field::new("MessageId", FieldType::U32),
    Field::new("WParam", FieldType::U64),
];

static FIELDS_498: [Field; 9] = [
    Field::new("Flags", FieldType::U32),
    Field::new("DelayTimeMs", FieldType::U32),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
    Field::new("ClassName", FieldType::Utf16(Length::Nul)),
    Field::new("TopLevelClassName", FieldType::Utf16(Length::Nul)),
    Field::new("ImagePath", FieldType::Utf16(Length::Nul)),
    Field::new("MessageId", FieldType::U32),
    Field::new("WParam", FieldType::U64),
];

static FIELDS_499: [Field; 14] = [
    Field::new("hwndDst", FieldType::Pointer).hint(Hint::Address),
    Field::new("hwndDstSprite", FieldType::Pointer).hint(Hint::Address),
    Field::new("hbmDst", FieldType::Pointer).hint(Hint::Address),
    Field::new("DstLeft", FieldType::U32),
    Field::new("DstTop", FieldType::U32),
    Field::new("DstRight", FieldType::U32),
    Field::new("DstBottom", FieldType::U32),
    Field::new("hwndSrc", FieldType::Pointer).hint(Hint::Address),
    Field::new("hwndSrcSprite", FieldType::Pointer).hint(Hint::Address),
    Field::new("hbmSrc", FieldType::Pointer).hint(Hint::Address),
    Field::new("SrcLeft", FieldType::U32),
    Field::new("SrcTop", FieldType::U32),
    Field::new("SrcRight", FieldType::U32),
    Field::new("SrcBottom", FieldType::U32),
];

static FIELDS_500: [Field; 7] = [
    Field::new("hwnd", FieldType::Pointer).hint(Hint::Address),
    Field::new("bitmapCX", FieldType::U32),
    Field::new("bitmapCY", FieldType::U32),
    Field::new("DirtyLeft", FieldType::U32),
    Field::new("DirtyTop", FieldType::U32),
    Field::new("DirtyRight", FieldType::U32),
    Field::new("DirtyBottom", FieldType::U32),
];

static FIELDS_501: [Field; 6] = [
    Field::new("hwnd", FieldType::Pointer).hint(Hint::Address),
    Field::new("FULL", FieldType::U32),
    Field::new("Left", FieldType::U32),
    Field::new("Top", FieldType::U32),
    Field::new("Right", FieldType::U32),
    Field::new("Bottom", FieldType::U32),
];

static FIELDS_502: [Field; 2] = [
    Field::new("hWnd", FieldType::U64),
    Field::new("hLogicalSurf", FieldType::U64),
];

static FIELDS_503: [Field; 2] = [
    Field::new("hLogicalSurf", FieldType::U64),
    Field::new("bCreated", FieldType::U64),
];

static FIELDS_504: [Field; 2] = [
    Field::new("hDwmSprite", FieldType::U64),
    Field::new("hLogicalSurf", FieldType::U64),
];

static FIELDS_505: [Field; 2] = [
    Field::new("hLogicalSurf", FieldType::U64),
    Field::new("hPhysSurf", FieldType::U64),
];

static FIELDS_506: [Field; 4] = [
    Field::new("hPhysicalSurf", FieldType::U64),
    Field::new("Type", FieldType::U32).values(&MAP_11_SURFACETYPE),
    Field::new("hDxSharedSurface", FieldType::U64),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_507: [Field; 5] = [
    Field::new("hLogicalSurface", FieldType::U64),
    Field::new("RgnType", FieldType::U32),
    Field::new("rcBounds", FieldType::I16),
    Field::new("NumRects", FieldType::U32),
    Field::new("rcData", FieldType::I64).count(Count::Field(3)),
];

static FIELDS_508: [Field; 9] = [
    Field::new("hLogicalSurfSwapChainBinding", FieldType::U64),
    Field::new("luidAdapter", FieldType::U64),
    Field::new("nWidth", FieldType::U32),
    Field::new("nHeight", FieldType::U32),
    Field::new("DxgiColorFormat", FieldType::U32),
    Field::new("hmonAssociation", FieldType::U64),
    Field::new("uiPresentLimitSemaphoreId", FieldType::U64),
    Field::new("cBuffers", FieldType::U32),
    Field::new("BindingInfoHandle", FieldType::I64).count(Count::Field(7)),
];

static FIELDS_509: [Field; 6] = [
    Field::new("hLogicalSurfSwapChainBinding", FieldType::U64),
    Field::new("DesktopCompositorProcess", FieldType::U8),
    Field::new("DesktopCompositorError", FieldType::U8),
    Field::new("DesktopCompositorRef", FieldType::U8),
    Field::new("DesktopCompositorStatus", FieldType::U8),
    Field::new("pEventConfirmed", FieldType::U64),
];

static FIELDS_510: [Field; 2] = [
    Field::new("hLogicalSurfSwapChainBinding", FieldType::U64),
    Field::new("DesktopCompositorStatus", FieldType::U8),
];

static FIELDS_511: [Field; 2] = [
    Field::new("ProcessId", FieldType::U32),
    Field::new("FailureStatus", FieldType::U32),
];

static FIELDS_512: [Field; 7] = [
    Field::new("CallbackCount", FieldType::I8),
    Field::new("pqmsg", FieldType::Pointer).hint(Hint::Address),
    Field::new("hwnd", FieldType::Pointer).hint(Hint::Address),
    Field::new("WParam", FieldType::Pointer).hint(Hint::Address),
    Field::new("LParam", FieldType::Pointer).hint(Hint::Address),
    Field::new("message", FieldType::U32),
    Field::new("inputReadyTimeMs", FieldType::U32),
];

static FIELDS_513: [Field; 3] = [
    Field::new("UIPI_Trace_Header", FieldType::I8),
    Field::new("InputType", FieldType::U32).values(&MAP_12_UIPIINPUTTYPE),
    Field::new("QIL", FieldType::U32),
];

static FIELDS_514: [Field; 3] = [
    Field::new("UIPI_Trace_Header", FieldType::I8),
    Field::new("ClipFormat", FieldType::U32),
    Field::new("ClipIL", FieldType::U32),
];

static FIELDS_515: [Field; 2] = [
    Field::new("UIPI_Trace_Header", FieldType::Ansi(Length::Nul)),
    Field::new("SysErrorType", FieldType::U32).values(&MAP_12_UIPISYSERRTYPE),
];

static FIELDS_516: [Field; 5] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("IdleAction", FieldType::U32).values(&MAP_12_IDLEACTIONTYPE),
    Field::new("TimeoutValueMs", FieldType::U32),
    Field::new("IdleStartTime", FieldType::U32),
    Field::new("IsConsoleSession", FieldType::U16),
];

static FIELDS_517: [Field; 1] = [
    Field::new("Action", FieldType::U32).values(&MAP_12_SCREENSAVERPROCESSACTIONTYPE),
];

static FIELDS_518: [Field; 1] = [
    Field::new("Action", FieldType::U32).values(&MAP_12_WINLOGONNOTIFICATIONACTIONTYPE),
];

static FIELDS_519: [Field; 2] = [
    Field::new("SessionId", FieldType::U32),
    Field::new("ProcessIdOwningFocus", FieldType::U32),
];

static FIELDS_520: [Field; 4] = [
    Field::new("EvalSKUString", FieldType::Utf16(Length::Nul)),
    Field::new("NonGenuineString", FieldType::Utf16(Length::Nul)),
    Field::new("BuildString", FieldType::Utf16(Length::Nul)),
    Field::new("ActivationBrandString", FieldType::Utf16(Length::Nul)),
];

static FIELDS_521: [Field; 5] = [
    Field::new("ThreadId", FieldType::U32),
    Field::new("Flags", FieldType::U32).values(&MAP_12_THREADINFOFLAGS),
    Field::new("TimeSinceInputCheckMs", FieldType::U32),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
];

static FIELDS_522: [Field; 3] = [
    Field::new("Flags", FieldType::U32),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
];

static FIELDS_523: [Field; 4] = [
    Field::new("Flags", FieldType::U32),
    Field::new("DelayTimeMs", FieldType::U32),
    Field::new("TimeSinceInputRemoveMs", FieldType::U32),
    Field::new("TimeSinceOldestInputMs", FieldType::U32),
];

static FIELDS_524: [Field; 4] = [
    Field::new("hPhysicalSurf", FieldType::U64),
    Field::new("Type", FieldType::U32).values(&MAP_12_SURFACETYPE),
    Field::new("hDxSharedSurface", FieldType::U64),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_525: [Field; 5] = [
    Field::new("hLogicalSurface", FieldType::U64),
    Field::new("RgnType", FieldType::U32).values(&MAP_12_LOGICALSURFACEREGIONTYPE),
    Field::new("rcBounds", FieldType::I16),
    Field::new("NumRects", FieldType::U32),
    Field::new("rcData", FieldType::I64).count(Count::Field(3)),
];

static FIELDS_526: [Field; 6] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("ForkJoinContextID", FieldType::I32),
    Field::new("OperationType", FieldType::I32).values(&MAP_13_FORKJOINOPERATIONTYPE),
    Field::new("InclusiveFrom", FieldType::I64),
    Field::new("ExclusiveTo", FieldType::I64),
];

static FIELDS_527: [Field; 4] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("ForkJoinContextID", FieldType::I32),
    Field::new("TotalIterations", FieldType::I64),
];

static FIELDS_528: [Field; 5] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("ForkJoinContextID", FieldType::I32),
    Field::new("OperationType", FieldType::I32).values(&MAP_13_FORKJOINOPERATIONTYPE),
    Field::new("ActionCount", FieldType::I32),
];

static FIELDS_529: [Field; 3] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("ForkJoinContextID", FieldType::I32),
];

static FIELDS_530: [Field; 5] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("TaskID", FieldType::I32),
    Field::new("CreatingTaskID", FieldType::I32),
    Field::new("TaskCreationOptions", FieldType::I32),
];

static FIELDS_531: [Field; 3] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("TaskID", FieldType::I32),
];

static FIELDS_532: [Field; 4] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("TaskID", FieldType::I32),
    Field::new("IsExceptional", FieldType::Bool32),
];

static FIELDS_533: [Field; 5] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("TaskID", FieldType::I32),
    Field::new("Behavior", FieldType::I32).values(&MAP_13_TASKWAITBEHAVIOR),
    Field::new("ContinueWithTaskID", FieldType::I32),
];

static FIELDS_534: [Field; 3] = [
    Field::new("OriginatingTaskSchedulerID", FieldType::I32),
    Field::new("OriginatingTaskID", FieldType::I32),
    Field::new("ContinuationId", FieldType::I32),
];

static FIELDS_535: [Field; 1] = [
    Field::new("TaskID", FieldType::I32),
];

static FIELDS_536: [Field; 3] = [
    Field::new("TaskID", FieldType::I32),
    Field::new("OperationName", FieldType::Utf16(Length::Nul)),
    Field::new("RelatedContext", FieldType::I64),
];

static FIELDS_537: [Field; 2] = [
    Field::new("TaskID", FieldType::I32),
    Field::new("Status", FieldType::I32).values(&MAP_13_ASYNCCAUSALITYSTATUS),
];

static FIELDS_538: [Field; 2] = [
    Field::new("TaskID", FieldType::I32),
    Field::new("Relation", FieldType::I32).values(&MAP_13_CAUSALITYRELATION),
];

static FIELDS_539: [Field; 2] = [
    Field::new("TaskID", FieldType::I32),
    Field::new("Work", FieldType::I32).values(&MAP_13_CAUSALITYSYNCHRONOUSWORK),
];

static FIELDS_540: [Field; 1] = [
    Field::new("Work", FieldType::I32).values(&MAP_13_CAUSALITYSYNCHRONOUSWORK),
];

static FIELDS_541: [Field; 1] = [
    Field::new("stateMachineDescription", FieldType::Utf16(Length::Nul)),
];

static FIELDS_542: [Field; 3] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("cultureName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_543: [Field; 5] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("cultureName", FieldType::Utf16(Length::Nul)),
    Field::new("loadedAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("resourceFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_544: [Field; 4] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("cultureName", FieldType::Utf16(Length::Nul)),
    Field::new("assemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_545: [Field; 4] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("assemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("resourceFileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_546: [Field; 4] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("assemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("canonicalName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_547: [Field; 1] = [
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_548: [Field; 4] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("cultureName", FieldType::Utf16(Length::Nul)),
    Field::new("fileName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_549: [Field; 2] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_550: [Field; 3] = [
    Field::new("baseName", FieldType::Utf16(Length::Nul)),
    Field::new("mainAssemblyName", FieldType::Utf16(Length::Nul)),
    Field::new("resName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_551: [Field; 1] = [
    Field::new("WorkID", FieldType::I64),
];

static FIELDS_552: [Field; 1] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_553: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("method", FieldType::Utf16(Length::Nul)),
];

static FIELDS_554: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("field", FieldType::Utf16(Length::Nul)),
];

static FIELDS_555: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("value", FieldType::Utf16(Length::Nul)),
];

static FIELDS_556: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("methodName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_557: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("fieldName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_558: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("propertyName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_559: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("eventName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_560: [Field; 3] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("methodName", FieldType::Utf16(Length::Nul)),
    Field::new("delegateTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_561: [Field; 2] = [
    Field::new("comObjectTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("wrapperTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_562: [Field; 3] = [
    Field::new("objectTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("implementsAndMode", FieldType::Utf16(Length::Nul)),
];

static FIELDS_563: [Field; 1] = [
    Field::new("typeNames", FieldType::Utf16(Length::Nul)),
];

static FIELDS_564: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("guid", FieldType::Utf16(Length::Nul)),
];

static FIELDS_565: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("deleteOld", FieldType::Utf16(Length::Nul)),
];

static FIELDS_566: [Field; 3] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("propertyName", FieldType::Utf16(Length::Nul)),
    Field::new("indexedParamTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_567: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("propertyTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_568: [Field; 2] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("valueTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_569: [Field; 3] = [
    Field::new("typeName", FieldType::Utf16(Length::Nul)),
    Field::new("propertyTypeName", FieldType::Utf16(Length::Nul)),
    Field::new("indexValueTypeName", FieldType::Utf16(Length::Nul)),
];

static FIELDS_570: [Field; 2] = [
    Field::new("id", FieldType::I64),
    Field::new("uri", FieldType::Utf16(Length::Nul)),
];

static FIELDS_571: [Field; 1] = [
    Field::new("id", FieldType::I64),
];

static FIELDS_572: [Field; 4] = [
    Field::new("id", FieldType::I64),
    Field::new("kind", FieldType::I32).values(&MAP_14_THREADTRANSFERKIND),
    Field::new("info", FieldType::Utf16(Length::Nul)),
    Field::new("multiDequeues", FieldType::Bool32),
];

static FIELDS_573: [Field; 3] = [
    Field::new("id", FieldType::I64),
    Field::new("kind", FieldType::I32).values(&MAP_14_THREADTRANSFERKIND),
    Field::new("info", FieldType::Utf16(Length::Nul)),
];

static FIELDS_574: [Field; 9] = [
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("VidPnTargetId", FieldType::U32),
    Field::new("ScannedPhysicalAddress", FieldType::U64),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FrameNumber", FieldType::U32),
    Field::new("FrameQPCTime", FieldType::I64),
    Field::new("hFlipDevice", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FlipType", FieldType::U32),
    Field::new("FlipFenceId", FieldType::U64),
];

static FIELDS_575: [Field; 7] = [
    Field::new("hProcessId", FieldType::Pointer).hint(Hint::Hex),
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ClientType", FieldType::U32),
    Field::new("hDevice", FieldType::Pointer).hint(Hint::Hex),
    Field::new("RequestVSync", FieldType::U32),
    Field::new("DisableGpuTimeout", FieldType::U32),
    Field::new("hThunkHandle", FieldType::U32),
];

static FIELDS_576: [Field; 12] = [
    Field::new("hDevice", FieldType::Pointer).hint(Hint::Hex),
    Field::new("NodeOrdinal", FieldType::U32),
    Field::new("EngineAffinity", FieldType::U32),
    Field::new("DmaBufferSize", FieldType::U32),
    Field::new("DmaBufferSegmentSet", FieldType::U32),
    Field::new("DmaBufferPrivateDataSize", FieldType::U32),
    Field::new("AllocationListSize", FieldType::U32),
    Field::new("PatchLocationListSize", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ContextHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ParentDxgContext", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_577: [Field; 9] = [
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FlipSubmitSequence", FieldType::U32),
    Field::new("FlipToDriverAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FlipToPhysicalAddress", FieldType::U64),
    Field::new("FlipToSegmentId", FieldType::U32),
    Field::new("FlipPresentId", FieldType::U32),
    Field::new("FlipPhysicalAdapterMask", FieldType::U32),
    Field::new("Flags", FieldType::U32),
];

static FIELDS_578: [Field; 17] = [
    Field::new("hwnd", FieldType::Pointer).hint(Hint::Hex),
    Field::new("pDmaBuffer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PresentHistoryToken", FieldType::U64),
    Field::new("hSourceAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("hDestAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("bSubmit", FieldType::U32),
    Field::new("bRedirectedPresent", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("Source_Left", FieldType::I32),
    Field::new("Source_Right", FieldType::I32),
    Field::new("Source_Top", FieldType::I32),
    Field::new("Source_Bottom", FieldType::I32),
    Field::new("Dest_Left", FieldType::I32),
    Field::new("Dest_Right", FieldType::I32),
    Field::new("Dest_Top", FieldType::I32),
    Field::new("Dest_Bottom", FieldType::I32),
    Field::new("SubRectCount", FieldType::U32),
];

static FIELDS_579: [Field; 6] = [
    Field::new("pDmaBuffer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FlipToAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FlipInterval", FieldType::U32),
    Field::new("FlipWithNoWait", FieldType::U32),
    Field::new("MMIOFlip", FieldType::U32),
];

static FIELDS_580: [Field; 5] = [
    Field::new("hAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Token", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Model", FieldType::U32),
    Field::new("TokenSize", FieldType::U32),
    Field::new("TokenData", FieldType::U64),
];

static FIELDS_581: [Field; 7] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("hQueuePacketContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PacketType", FieldType::U32),
    Field::new("uliSubmissionId", FieldType::U64),
    Field::new("ulQueueSubmitSequence", FieldType::U32),
    Field::new("pDmaBuffer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("QuantumStatus", FieldType::U32),
];

static FIELDS_582: [Field; 9] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PacketType", FieldType::U32),
    Field::new("uliCompletionId", FieldType::U64),
    Field::new("ulQueueSubmitSequence", FieldType::U32),
    Field::new("InterruptType", FieldType::U32),
    Field::new("QuantumStatus", FieldType::U32),
    Field::new("FaultedVirtualAddress", FieldType::U64),
    Field::new("PageFaultFlags", FieldType::U32),
    Field::new("FaultedProcessHandle", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_583: [Field; 10] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PacketType", FieldType::U32),
    Field::new("SubmitSequence", FieldType::U32),
    Field::new("DmaBufferSize", FieldType::U64),
    Field::new("AllocationListSize", FieldType::U32),
    Field::new("PatchLocationListSize", FieldType::U32),
    Field::new("bPresent", FieldType::U32),
    Field::new("hDmaBuffer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("pQueuePacket", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProgressFenceValue", FieldType::U64),
];

static FIELDS_584: [Field; 6] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PacketType", FieldType::U32),
    Field::new("SubmitSequence", FieldType::U32),
    Field::new("bPreempted", FieldType::U32),
    Field::new("bTimeouted", FieldType::U32),
    Field::new("pQueuePacket", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_585: [Field; 8] = [
    Field::new("hContext", FieldType::U32),
    Field::new("hWindow", FieldType::Pointer).hint(Hint::Hex),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FlipInterval", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("ReturnStatus", FieldType::U32),
    Field::new("hSrcAllocHandle", FieldType::Pointer).hint(Hint::Hex),
    Field::new("hDstAllocHandle", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_586: [Field; 26] = [
    Field::new("hAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Token", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Model", FieldType::U32),
    Field::new("TokenSize", FieldType::U32),
    Field::new("TokenData", FieldType::U64),
    Field::new("ScrollRect_left", FieldType::U32),
    Field::new("ScrollRect_right", FieldType::U32),
    Field::new("ScrollRect_top", FieldType::U32),
    Field::new("ScrollRect_bottom", FieldType::U32),
    Field::new("ScrollOffset_X", FieldType::U32),
    Field::new("ScrollOffset_Y", FieldType::U32),
    Field::new("DirtyRectCount", FieldType::U32),
    Field::new("Left", FieldType::I32).count(Count::Field(11)),
    Field::new("Right", FieldType::I32).count(Count::Field(11)),
    Field::new("Top", FieldType::I32).count(Count::Field(11)),
    Field::new("Bottom", FieldType::I32).count(Count::Field(11)),
    Field::new("SourceRect_left", FieldType::U32),
    Field::new("SourceRect_right", FieldType::U32),
    Field::new("SourceRect_top", FieldType::U32),
    Field::new("SourceRect_bottom", FieldType::U32),
    Field::new("DestWidth", FieldType::U32),
    Field::new("DestHeight", FieldType::U32),
    Field::new("TargetRect_left", FieldType::U32),
    Field::new("TargetRect_right", FieldType::U32),
    Field::new("TargetRect_top", FieldType::U32),
    Field::new("TargetRect_bottom", FieldType::U32),
];

static FIELDS_587: [Field; 6] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubmitSequence", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("hSyncObject", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FenceValue", FieldType::U64),
    Field::new("pQueuePacket", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_588: [Field; 7] = [
    Field::new("hContext", FieldType::Pointer).hint(Hint::Hex),
    Field::new("SubmitSequence", FieldType::U32),
    Field::new("Flags", FieldType::U32),
    Field::new("ObjectCount", FieldType::U32),
    Field::new("ObjectArray", FieldType::Pointer).count(Count::Field(3)).hint(Hint::Hex),
    Field::new("FenceValue", FieldType::U64).count(Count::Field(3)),
    Field::new("pQueuePacket", FieldType::Pointer).hint(Hint::Hex),
];

static FIELDS_589: [Field; 23] = [
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("LayerIndex", FieldType::U32),
    Field::new("Enabled", FieldType::U32),
    Field::new("hAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("Flags", FieldType::U32),
    Field::new("SrcRect_left", FieldType::I32),
    Field::new("SrcRect_right", FieldType::I32),
    Field::new("SrcRect_top", FieldType::I32),
    Field::new("SrcRect_bottom", FieldType::I32),
    Field::new("DstRect_left", FieldType::I32),
    Field::new("DstRect_right", FieldType::I32),
    Field::new("DstRect_top", FieldType::I32),
    Field::new("DstRect_bottom", FieldType::I32),
    Field::new("ClipRect_left", FieldType::I32),
    Field::new("ClipRect_right", FieldType::I32),
    Field::new("ClipRect_top", FieldType::I32),
    Field::new("ClipRect_bottom", FieldType::I32),
    Field::new("Rotation", FieldType::U32),
    Field::new("Blend", FieldType::U32),
    Field::new("NumFilters", FieldType::U32),
    Field::new("ColorSpace", FieldType::U32),
    Field::new("HDRMetaDataType", FieldType::U32),
    Field::new("SDRWhiteLevel", FieldType::U32),
];

static FIELDS_590: [Field; 26] = [
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("LayerIndex", FieldType::U32),
    Field::new("FlipSubmitSequence", FieldType::U64),
    Field::new("FlipToDriverAllocation", FieldType::Pointer).hint(Hint::Hex),
    Field::new("FlipToPhysicalAddress", FieldType::U64),
    Field::new("FlipToSegmentId", FieldType::U32),
    Field::new("FlipPresentId", FieldType::U32),
    Field::new("FlipPhysicalAdapterMask", FieldType::U32),
    Field::new("SrcRect_left", FieldType::I32),
    Field::new("SrcRect_right", FieldType::I32),
    Field::new("SrcRect_top", FieldType::I32),
    Field::new("SrcRect_bottom", FieldType::I32),
    Field::new("DstRect_left", FieldType::I32),
    Field::new("DstRect_right", FieldType::I32),
    Field::new("DstRect_top", FieldType::I32),
    Field::new("DstRect_bottom", FieldType::I32),
    Field::new("ClipRect_left", FieldType::I32),
    Field::new("ClipRect_right", FieldType::I32),
    Field::new("ClipRect_top", FieldType::I32),
    Field::new("ClipRect_bottom", FieldType::I32),
    Field::new("ColorSpace", FieldType::U32),
    Field::new("FlipEntryStatusAfterFlip", FieldType::U32),
    Field::new("Enabled", FieldType::U32),
    Field::new("SDRWhiteLevel", FieldType::U32),
    Field::new("DirtyRectCount", FieldType::U32),
];

static FIELDS_591: [Field; 9] = [
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PlaneCount", FieldType::U32),
    Field::new("PresentIdOrPhysicalAddress", FieldType::U64).count(Count::Field(1)),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FrameNumber", FieldType::U32),
    Field::new("FlipEntryCount", FieldType::U32),
    Field::new("FlipSubmitSequence", FieldType::U64).count(Count::Field(5)),
    Field::new("FlipQueues", FieldType::U32),
    Field::new("FlipQueueIntervalTarget", FieldType::U32).count(Count::Field(7)),
];

static FIELDS_592: [Field; 7] = [
    Field::new("pDxgAdapter", FieldType::Pointer).hint(Hint::Hex),
    Field::new("PlaneCount", FieldType::U32),
    Field::new("ScannedPhysicalAddress", FieldType::U64).count(Count::Field(1)),
    Field::new("VidPnSourceId", FieldType::U32),
    Field::new("FrameNumber", FieldType::U32),
    Field::new("FlipEntryCount", FieldType::U32),
    Field::new("FlipSubmitSequence", FieldType::U64).count(Count::Field(5)),
];

static FIELDS_593: [Field; 5] = [
    Field::new("hHwQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProgressFenceValue", FieldType::U64),
    Field::new("pDmaBuffer", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ntStatus", FieldType::U32).hint(Hint::NtStatus),
    Field::new("NumberOfQueuedPendingFlip", FieldType::U32),
];

static FIELDS_594: [Field; 2] = [
    Field::new("hHwQueue", FieldType::Pointer).hint(Hint::Hex),
    Field::new("ProgressFenceValue", FieldType::U64),
];

