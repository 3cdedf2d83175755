//! Small traces of a profiled process, for tests of symbols: images that the caller describes, and samples with
//! stacks that the caller lists.

use std::io::Cursor;

use tracewell_etl::write::{Full, PerfInfo, TraceWriter, WriteError};
use tracewell_types::{FileTime, Guid};

use crate::config::IMAGE_ID;
use crate::emit::{Payload, group};
use crate::file::START_TIME;
use crate::machine::RAW_START;
use crate::plain::{self, kernel_session};
use crate::sched::{IMAGE_VERSION, PROCESS_VERSION, THREAD_VERSION};

/// The profiled process.
pub const PROFILED_PID: u32 = 4_242;
/// Its thread.
pub const PROFILED_TID: u32 = 4_244;

/// An image of the profiled process, or of the kernel.
#[derive(Clone, Debug, Default)]
pub struct ProfiledImage {
    /// The process: [`PROFILED_PID`], or 0 for a driver.
    pub pid: u32,
    /// The address at which it is mapped.
    pub base: u64,
    /// Size in memory.
    pub size: u64,
    /// Link time stamp.
    pub time_stamp: u32,
    /// Its NT path.
    pub path: String,
    /// Signature, age and path of its database, as in a merged trace.
    pub database: Option<(Guid, u32, String)>,
}

/// A trace of a process with these images, sampled once for each stack, a millisecond apart. Stacks are
/// innermost first; the address of a sample is that of its stack's first frame.
///
/// # Errors
///
/// When a record does not fit the format: a path or stack that is too long.
pub fn profiled(images: &[ProfiledImage], stacks: &[Vec<u64>]) -> Result<Vec<u8>, WriteError> {
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), kernel_session(1))?;
    let mut time = RAW_START;
    let mut log = |time: i64, group: u8, opcode: u8, version: u16, payload: Payload| {
        let header = PerfInfo { time, group, opcode, version: version as u8, ..PerfInfo::default() };
        writer.perfinfo(0, &header, &payload.0)
    };
    let process = plain::process(0xFFFF_C00D_1234_0080, PROFILED_PID, "demo.exe", "demo.exe --run");
    log(time, group::PROCESS, 3, PROCESS_VERSION, process)?;
    log(time, group::THREAD, 3, THREAD_VERSION, plain::thread(PROFILED_PID, PROFILED_TID))?;
    for image in images {
        let payload = Payload::new()
            .u64(image.base)
            .u64(image.size)
            .u32(image.pid)
            .u32(0)
            .u32(image.time_stamp)
            .u32(0)
            .u64(image.base)
            .zeros(16)
            .utf16(&image.path);
        log(time, group::IMAGE, 3, IMAGE_VERSION, payload)?;
    }
    for stack in stacks {
        time += 10_000;
        let address = stack.first().copied().unwrap_or_default();
        let sample = Payload::new().u64(address).u32(PROFILED_TID).u16(1).u16(0);
        log(time, group::PERF_INFO, 46, 2, sample)?;
        if !stack.is_empty() {
            let mut payload = Payload::new().i64(time).u32(PROFILED_PID).u32(PROFILED_TID);
            for &frame in stack {
                payload = payload.u64(frame);
            }
            log(time + 1, group::STACK_WALK, 32, 2, payload)?;
        }
    }
    time += 10_000;
    for image in images {
        let header = |opcode| Full { time, guid: IMAGE_ID, opcode, version: 2, ..Full::default() };
        let name = image.path.rsplit('\\').next().unwrap_or_default();
        let payload =
            Payload::new().u64(image.base).u64(image.size).u32(image.pid).u32(image.time_stamp).utf16(name);
        writer.full(0, &header(0), &payload.0)?;
        if let Some((guid, age, path)) = &image.database {
            let payload = Payload::new().u64(image.base).u32(image.pid).guid(*guid).u32(*age).ansi(path);
            writer.full(0, &header(36), &payload.0)?;
        }
    }
    Ok(writer.finish(FileTime(START_TIME.0 + time - RAW_START))?.into_inner())
}
