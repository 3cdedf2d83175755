//! Record headers: what every record begins with, by header type.
//!
//! The structures are `SYSTEM_TRACE_HEADER`, `PERFINFO_TRACE_HEADER` (kernel), `EVENT_TRACE_HEADER`,
//! `EVENT_INSTANCE_HEADER` (evntrace.h), `TIMED_TRACE_HEADER`, `WNODE_HEADER` (wmistr.h), the message
//! header of `TraceMessage` and the on-disk form of `EVENT_HEADER` (evntcons.h).

use super::{bit_set, open_enum};

/// Byte 3 of a record: always set in a record.
pub const MARKER_TRACE_HEADER: u8 = 0x80;
/// Byte 3 of a record: an event trace header (together with [`MARKER_TRACE_HEADER`]: 0xC0).
pub const MARKER_EVENT_TRACE: u8 = 0x40;
/// Byte 3 of a record: a trace message (together with [`MARKER_TRACE_HEADER`]: 0x90).
pub const MARKER_MESSAGE: u8 = 0x10;

/// A thread or process id that says "none".
pub const NO_ID: u32 = 0xFFFF_FFFF;

open_enum! {
    /// The header type of a record (byte 2): which structure it begins with. The 32 or 64 in a name is the pointer
    /// size of whatever logged the record.
    HeaderKind: u8 {
        /// 32 bytes; 32-bit kernel record with processor times.
        SYSTEM32 = 1, "SYSTEM32";
        /// 32 bytes; 64-bit kernel record with processor times.
        SYSTEM64 = 2, "SYSTEM64";
        /// 24 bytes; as SYSTEM32 without processor times.
        COMPACT32 = 3, "COMPACT32";
        /// 24 bytes; as SYSTEM64 without processor times.
        COMPACT64 = 4, "COMPACT64";
        /// 48 bytes; class event (`EVENT_TRACE_HEADER`) of a 32-bit process.
        FULL32 = 10, "FULL32";
        /// 72 bytes; class event with instance ids of a 32-bit process.
        INSTANCE32 = 11, "INSTANCE32";
        /// 16 bytes; a bare timed event.
        TIMED = 12, "TIMED";
        /// An error report.
        ERROR = 13, "ERROR";
        /// A `WNODE_HEADER`.
        WNODE = 14, "WNODE";
        /// 8 bytes and options; a trace message (WPP). Recognised by its marker.
        MESSAGE = 15, "MESSAGE";
        /// 16 bytes and counters; short kernel record of a 32-bit kernel.
        PERFINFO32 = 16, "PERFINFO32";
        /// 16 bytes and counters; short kernel record of a 64-bit kernel.
        PERFINFO64 = 17, "PERFINFO64";
        /// 80 bytes and extended items; manifest or TraceLogging event of a 32-bit process.
        EVENT32 = 18, "EVENT32";
        /// 80 bytes and extended items; manifest or TraceLogging event of a 64-bit process.
        EVENT64 = 19, "EVENT64";
        /// 48 bytes; class event (`EVENT_TRACE_HEADER`) of a 64-bit process.
        FULL64 = 20, "FULL64";
        /// 72 bytes; class event with instance ids of a 64-bit process.
        INSTANCE64 = 21, "INSTANCE64";
    }
}

/// Shape of a header type: all a reader must know to step over a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderShape {
    /// Minimum size of the header in bytes; 0 for unknown types.
    pub size: u8,
    /// Offset of the record's `u16` size: 0 or 4.
    pub size_at: u8,
    /// Offset of the `i64` raw time; 0 if the header has none at a fixed offset.
    pub time_at: u8,
    /// Pointer size in bytes; 0 if the header does not contain it.
    pub pointer_size: u8,
}

/// Number of entries of [`SHAPES`]: one for each value of the header type byte, so an index needs no check.
pub const SHAPE_COUNT: usize = 256;

/// Shapes by header type; all zeros for unknown types.
pub static SHAPES: [HeaderShape; SHAPE_COUNT] = {
    const fn shape(size: u8, size_at: u8, time_at: u8, pointer_size: u8) -> HeaderShape {
        HeaderShape { size, size_at, time_at, pointer_size }
    }
    let mut table = [shape(0, 0, 0, 0); SHAPE_COUNT];
    table[HeaderKind::SYSTEM32.0 as usize] = shape(32, 4, 16, 4);
    table[HeaderKind::SYSTEM64.0 as usize] = shape(32, 4, 16, 8);
    table[HeaderKind::COMPACT32.0 as usize] = shape(24, 4, 16, 4);
    table[HeaderKind::COMPACT64.0 as usize] = shape(24, 4, 16, 8);
    table[HeaderKind::FULL32.0 as usize] = shape(48, 0, 16, 4);
    table[HeaderKind::FULL64.0 as usize] = shape(48, 0, 16, 8);
    table[HeaderKind::INSTANCE32.0 as usize] = shape(72, 0, 16, 4);
    table[HeaderKind::INSTANCE64.0 as usize] = shape(72, 0, 16, 8);
    table[HeaderKind::TIMED.0 as usize] = shape(16, 0, 8, 0);
    table[HeaderKind::ERROR.0 as usize] = shape(8, 0, 0, 0);
    table[HeaderKind::WNODE.0 as usize] = shape(48, 0, 16, 0);
    table[HeaderKind::MESSAGE.0 as usize] = shape(8, 0, 0, 0);
    table[HeaderKind::PERFINFO32.0 as usize] = shape(16, 4, 8, 4);
    table[HeaderKind::PERFINFO64.0 as usize] = shape(16, 4, 8, 8);
    table[HeaderKind::EVENT32.0 as usize] = shape(80, 0, 16, 4);
    table[HeaderKind::EVENT64.0 as usize] = shape(80, 0, 16, 8);
    table
};

/// The version word of a PERFINFO header: bits 8 to 10 count the performance counter values after the header.
pub const PERFINFO_COUNTERS_SHIFT: u16 = 8;
/// See [`PERFINFO_COUNTERS_SHIFT`].
pub const PERFINFO_COUNTERS_MASK: u16 = 0x0700;
/// A flag in the version word of a PERFINFO header: a PEBS index precedes the counter values.
pub const PERFINFO_PEBS_INDEX: u16 = 0x8000;

bit_set! {
    /// Parts of a message record after its first 8 bytes, in the order of the bits.
    MessageOptions: u16 {
        /// `u32` sequence number.
        SEQUENCE = 0x0001, "sequence";
        /// 16-byte message GUID.
        GUID = 0x0002, "guid";
        /// `u32` component id, in place of the GUID.
        COMPONENT_ID = 0x0004, "component-id";
        /// `i64` time stamp, system time.
        TIMESTAMP = 0x0008, "timestamp";
        /// `i64` time stamp, performance counter.
        PERFORMANCE_TIMESTAMP = 0x0010, "performance-timestamp";
        /// `u32` thread id and `u32` process id.
        SYSTEM_INFO = 0x0020, "system-info";
        /// The writer's pointers have 4 bytes.
        POINTER32 = 0x0040, "pointer32";
        /// The writer's pointers have 8 bytes.
        POINTER64 = 0x0080, "pointer64";
    }
}

open_enum! {
    /// Event group of a kernel record (the byte after the opcode). With the opcode it forms the hook id.
    KernelGroup: u8 {
        /// The trace itself.
        EVENT_TRACE = 0x00, "EventTrace";
        /// Disk input and output.
        DISK_IO = 0x01, "DiskIo";
        /// Memory and page faults.
        MEMORY = 0x02, "PageFault";
        /// Processes, and image loads.
        PROCESS = 0x03, "Process";
        /// File input and output.
        FILE_IO = 0x04, "FileIo";
        /// Threads and the scheduler.
        THREAD = 0x05, "Thread";
        /// TCP.
        TCP_IP = 0x06, "TcpIp";
        /// Jobs.
        JOB = 0x07, "Job";
        /// UDP.
        UDP_IP = 0x08, "UdpIp";
        /// Registry.
        REGISTRY = 0x09, "Registry";
        /// Debugger prints.
        DEBUG_PRINT = 0x0A, "DbgPrint";
        /// System configuration.
        CONFIG = 0x0B, "Config";
        /// Windows notification facility.
        WNF = 0x0D, "Wnf";
        /// Kernel pools.
        POOL = 0x0E, "Pool";
        /// Profiling, interrupts, system calls.
        PERF_INFO = 0x0F, "PerfInfo";
        /// Heaps.
        HEAP = 0x10, "Heap";
        /// Kernel objects and handles.
        OBJECT = 0x11, "Object";
        /// Power.
        POWER = 0x12, "Power";
        /// Module bounds.
        MODULE_BOUND = 0x13, "ModBound";
        /// Image unloads and rundown.
        IMAGE = 0x14, "Image";
        /// Deferred procedure calls.
        DPC = 0x15, "Dpc";
        /// Cache manager.
        CACHE = 0x16, "CacheManager";
        /// Critical sections.
        CRITICAL_SECTION = 0x17, "CritSec";
        /// Stacks.
        STACK_WALK = 0x18, "StackWalk";
        /// User-mode scheduling.
        UMS = 0x19, "Ums";
        /// Local procedure calls.
        ALPC = 0x1A, "Alpc";
        /// Split input and output.
        SPLIT_IO = 0x1B, "SplitIo";
        /// Thread pools.
        THREAD_POOL = 0x1C, "ThreadPool";
        /// Hypervisor.
        HYPERVISOR = 0x1D, "Hypervisor";
        /// Hypervisor, second group.
        HYPERVISOR_X = 0x1E, "HypervisorX";
    }
}
