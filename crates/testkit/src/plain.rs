//! What the small traces of one purpose have in common: a session of the kernel, processes and threads without details.

use tracewell_etl::write::TraceConfig;
use tracewell_types::FileTime;

use crate::emit::Payload;
use crate::file::START_TIME;
use crate::machine::RAW_START;

/// A session of the kernel logger.
pub(crate) fn kernel_session(processors: u32) -> TraceConfig {
    TraceConfig {
        session_name: "NT Kernel Logger".to_owned(),
        raw_start: RAW_START,
        start_time: START_TIME,
        boot_time: FileTime(START_TIME.0 - RAW_START),
        processors,
        ..TraceConfig::default()
    }
}

/// The payload of a process event of version 4.
pub(crate) fn process(key: u64, pid: u32, name: &str, command: &str) -> Payload {
    Payload::new()
        .u64(key)
        .u32(pid)
        .u32(4)
        .u32(1)
        .i32(259)
        .u64(0x1_2345_6000)
        .u32(0)
        // No user: the token's structure, empty.
        .u32(0)
        .ansi(name)
        .utf16(command)
        .utf16("")
        .utf16("")
}

/// The payload of a thread event of version 4.
pub(crate) fn thread(pid: u32, tid: u32) -> Payload {
    Payload::new().u32(pid).u32(tid).zeros(7 * 8).u32(0).i8(8).u8(5).u8(2).u8(0).utf16("")
}
