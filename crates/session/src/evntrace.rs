//! Numbers and offsets of evntrace.h and evntprov.h that controllers and the functions for sessions exchange on 64-bit Windows.

/// What `ControlTrace` does (`EVENT_TRACE_CONTROL_*`).
pub mod control {
    /// Reads what a session is and has done.
    pub const QUERY: u32 = 0;
    /// Ends it.
    pub const STOP: u32 = 1;
    /// Changes it.
    pub const UPDATE: u32 = 2;
    /// Delivers what its buffers hold.
    pub const FLUSH: u32 = 3;
}

/// What `EnableTraceEx2` requests of a provider (`EVENT_CONTROL_CODE_*`).
pub mod request {
    /// It is to log no more.
    pub const DISABLE: u32 = 0;
    /// It is to log.
    pub const ENABLE: u32 = 1;
    /// It is to log its state.
    pub const CAPTURE_STATE: u32 = 2;
}

/// Flag of a provider that sessions have enabled and no process has registered (`TRACE_PROVIDER_FLAG_PRE_ENABLE`).
pub const ENABLED_ONLY: u32 = 2;

/// Kinds of filters (`EVENT_FILTER_TYPE_*`).
pub mod filter {
    /// Numbers of processes, as `u32`.
    pub const PID: u32 = 0x8000_0004;
    /// `EVENT_FILTER_EVENT_ID`: whether the ids are those wanted, a byte, their number as `u16`, and the ids as `u16`.
    pub const EVENT_ID: u32 = 0x8000_0200;
}

/// Bit of the mode: the flush timer counts milliseconds, not seconds (`EVENT_TRACE_USE_MS_FLUSH_TIMER`).
pub const MS_FLUSH_TIMER: crate::LogFileMode = crate::LogFileMode(0x10);

/// Offsets in `EVENT_TRACE_PROPERTIES`, of `u32` if nothing else is said.
pub mod properties {
    /// Bytes of the structure; the texts follow.
    pub const BYTES: usize = 120;
    /// Bytes with the texts.
    pub const SIZE: usize = 0;
    /// `u64`: the handle of the session.
    pub const HANDLE: usize = 8;
    /// 16 bytes: the GUID of the session.
    pub const GUID: usize = 24;
    /// See [`ClockType`](crate::ClockType).
    pub const CLOCK: usize = 40;
    /// KiB of a buffer.
    pub const BUFFER_SIZE: usize = 48;
    /// Least number of buffers.
    pub const MINIMUM_BUFFERS: usize = 52;
    /// Maximum number of buffers.
    pub const MAXIMUM_BUFFERS: usize = 56;
    /// MiB of the log file, or KiB by its mode.
    pub const MAXIMUM_FILE_SIZE: usize = 60;
    /// See [`LogFileMode`](crate::LogFileMode).
    pub const MODE: usize = 64;
    /// Seconds, or milliseconds by the mode.
    pub const FLUSH_TIMER: usize = 68;
    /// Kernel groups.
    pub const ENABLE_FLAGS: usize = 72;
    /// Buffers that exist.
    pub const BUFFERS: usize = 80;
    /// Buffers that are free.
    pub const FREE_BUFFERS: usize = 84;
    /// Events that were lost.
    pub const EVENTS_LOST: usize = 88;
    /// Buffers that were delivered.
    pub const BUFFERS_WRITTEN: usize = 92;
    /// Buffers that could not be written.
    pub const LOG_BUFFERS_LOST: usize = 96;
    /// Buffers that no consumer took in time.
    pub const REALTIME_BUFFERS_LOST: usize = 100;
    /// `u64`: the thread of the logger.
    pub const LOGGER_THREAD: usize = 104;
    /// Offset of the log file's name; 0 for none.
    pub const LOG_FILE_NAME: usize = 112;
    /// Offset of the session's name; 0 for none.
    pub const NAME: usize = 116;
}
