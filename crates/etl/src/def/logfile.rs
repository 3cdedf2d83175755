//! `TRACE_LOGFILE_HEADER` (evntrace.h): the payload of the first record of a file.

use super::{bit_set, open_enum};

/// Offsets in the payload that do not depend on the pointer size of the header's writer.
pub mod at {
    /// `u32`: bytes of a buffer before compression.
    pub const BUFFER_SIZE: usize = 0;
    /// Four bytes: major, minor, sub, subminor version.
    pub const VERSION: usize = 4;
    /// `u32`: build of Windows.
    pub const BUILD: usize = 8;
    /// `u32`: number of processors.
    pub const PROCESSORS: usize = 12;
    /// `i64`: file time of the end; 0 when the session never stopped.
    pub const END_TIME: usize = 16;
    /// `u32`: timer resolution in 100 ns.
    pub const TIMER_RESOLUTION: usize = 24;
    /// `u32`: largest size of the file, in MiB (or KiB by mode).
    pub const MAXIMUM_FILE_SIZE: usize = 28;
    /// `u32`: [`super::LogFileMode`].
    pub const LOG_FILE_MODE: usize = 32;
    /// `u32`: buffers in the file.
    pub const BUFFERS_WRITTEN: usize = 36;
    /// `u32`: number of the first buffer (reserved).
    pub const START_BUFFERS: usize = 40;
    /// `u32`: pointer size of the header's writer.
    pub const POINTER_SIZE: usize = 44;
    /// `u32`: events lost by the session.
    pub const EVENTS_LOST: usize = 48;
    /// `u32`: processor speed in MHz.
    pub const CPU_SPEED_MHZ: usize = 52;
    /// Two pointers without meaning in a file: logger name, file name.
    pub const NAME_POINTERS: usize = 56;
}

/// Bytes of the `TIME_ZONE_INFORMATION` that follows the two pointers.
pub const TIME_ZONE_SIZE: usize = 172;
/// Offset of the name of standard time,
pub const STANDARD_NAME_AT: usize = 4;
/// that of daylight saving time,
pub const DAYLIGHT_NAME_AT: usize = 88;
/// and bytes of each: 32 units of UTF-16.
pub const TIME_ZONE_NAME_SIZE: usize = 64;

/// Offsets that depend on the pointer size of the header's writer (the type of the record's header).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerDependent {
    /// `TIME_ZONE_INFORMATION`.
    pub time_zone: usize,
    /// `i64`: file time of the last boot.
    pub boot_time: usize,
    /// `i64`: ticks of the performance counter in a second.
    pub perf_freq: usize,
    /// `i64`: file time of the start.
    pub start_time: usize,
    /// `u32`: [`ClockType`].
    pub clock_type: usize,
    /// `u32`: buffers lost by the session.
    pub buffers_lost: usize,
    /// Bytes of the structure; the names follow.
    pub size: usize,
}

/// Offsets when the header's writer had pointers of 4 bytes.
pub const POINTER32: PointerDependent = PointerDependent {
    time_zone: 64,
    boot_time: 240,
    perf_freq: 248,
    start_time: 256,
    clock_type: 264,
    buffers_lost: 268,
    size: 272,
};

/// Offsets when the header's writer had pointers of 8 bytes.
pub const POINTER64: PointerDependent = PointerDependent {
    time_zone: 72,
    boot_time: 248,
    perf_freq: 256,
    start_time: 264,
    clock_type: 272,
    buffers_lost: 276,
    size: 280,
};

open_enum! {
    /// The unit of the raw times of the records (`ReservedFlags`).
    ClockType: u32 {
        /// Not set: the performance counter when a frequency is given.
        UNSET = 0, "unset";
        /// The performance counter (QPC).
        PERFORMANCE_COUNTER = 1, "performance-counter";
        /// System time in 100 ns.
        SYSTEM_TIME = 2, "system-time";
        /// Cycles of the processor.
        CPU_CYCLES = 3, "cpu-cycles";
    }
}

bit_set! {
    /// Logging mode of the session (`EVENT_TRACE_*_MODE`).
    LogFileMode: u32 {
        /// Written once from start to end.
        SEQUENTIAL = 0x0000_0001, "sequential";
        /// The oldest buffers are overwritten.
        CIRCULAR = 0x0000_0002, "circular";
        /// Appended to a file.
        APPEND = 0x0000_0004, "append";
        /// A new file when the last is full.
        NEW_FILE = 0x0000_0008, "new-file";
        /// Disk space reserved at start.
        PREALLOCATE = 0x0000_0020, "preallocate";
        /// The session cannot be stopped but by its owner.
        NON_STOPPABLE = 0x0000_0040, "non-stoppable";
        /// Only those allowed can log.
        SECURE = 0x0000_0080, "secure";
        /// Delivered in real time.
        REAL_TIME = 0x0000_0100, "real-time";
        /// The file is made at the first event.
        DELAY_OPEN = 0x0000_0200, "delay-open";
        /// Kept in memory only.
        BUFFERING = 0x0000_0400, "buffering";
        /// Private to a process.
        PRIVATE = 0x0000_0800, "private";
        /// A header is added.
        ADD_HEADER = 0x0000_1000, "add-header";
        /// The largest size is in KiB.
        SIZE_IN_KIBIBYTES = 0x0000_2000, "size-in-kib";
        /// Sequence numbers over all sessions.
        GLOBAL_SEQUENCE = 0x0000_4000, "global-sequence";
        /// Sequence numbers of this session.
        LOCAL_SEQUENCE = 0x0000_8000, "local-sequence";
        /// Made from other traces by a merge.
        RELOG = 0x0001_0000, "relog";
        /// Private and written in the process.
        PRIVATE_IN_PROC = 0x0002_0000, "private-in-proc";
        /// Stopped when the machine shuts down to hibernate.
        STOP_ON_HYBRID_SHUTDOWN = 0x0040_0000, "stop-on-hybrid-shutdown";
        /// Kept when the machine shuts down to hibernate.
        PERSIST_ON_HYBRID_SHUTDOWN = 0x0080_0000, "persist-on-hybrid-shutdown";
        /// Buffers in paged memory.
        PAGED_MEMORY = 0x0100_0000, "paged-memory";
        /// A system logger.
        SYSTEM_LOGGER = 0x0200_0000, "system-logger";
        /// Data buffers are compressed.
        COMPRESSED = 0x0400_0000, "compressed";
        /// One slow session does not hinder others.
        INDEPENDENT_SESSION = 0x0800_0000, "independent-session";
        /// One chain of buffers for all processors.
        NO_PER_PROCESSOR_BUFFERING = 0x1000_0000, "no-per-processor-buffering";
        /// Loggers wait for a free buffer rather than lose an event.
        BLOCKING = 0x2000_0000, "blocking";
        /// Buffers go into small crash dumps.
        ADD_TO_TRIAGE_DUMP = 0x8000_0000, "add-to-triage-dump";
    }
}
