//! The properties of a new trace, and the fields of its header that are known at the end.

use crate::def::buffer::CompressionFormat;
use crate::def::logfile::{ClockType, LogFileMode};
use crate::def::record::HeaderKind;
use crate::read::{LogFileHeader, TimeZone};
use crate::write::records::PointerSize;
use tracewell_types::FileTime;

/// The fields of a new trace's log file header, and the properties of its buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceConfig {
    /// Name of the session.
    pub session_name: String,
    /// Name of the file as the session knows it.
    pub file_name: String,
    /// The unit of raw times.
    pub clock_type: ClockType,
    /// Ticks of the performance counter per second.
    pub perf_freq: i64,
    /// Raw time of the header record, which belongs to `start_time`.
    pub raw_start: i64,
    /// Wall-clock time of `raw_start`.
    pub start_time: FileTime,
    /// When the machine was started.
    pub boot_time: FileTime,
    /// Number of processors.
    pub processors: u32,
    /// Bytes of a buffer, header included; a multiple of 8.
    pub buffer_size: u32,
    /// Logging mode. The bit for compression follows `compression`.
    pub mode: LogFileMode,
    /// Pointer size of the machine.
    pub pointer_size: PointerSize,
    /// Version of Windows and of the format: major, minor, sub, subminor.
    pub version: [u8; 4],
    /// Build of Windows.
    pub build: u32,
    /// The system in words, as the build's own name for itself: a BuildLab record behind the header, as Windows leaves one.
    /// Empty for none.
    pub build_lab: String,
    /// Speed of the processors in MHz.
    pub cpu_speed_mhz: u32,
    /// Resolution of the timer, in 100 ns.
    pub timer_resolution: u32,
    /// Largest size of the file in MiB; 0 for no limit.
    pub maximum_file_size: u32,
    /// Time zone of the machine.
    pub time_zone: TimeZone,
    /// The compression of buffers: `NONE` or `XPRESS`.
    pub compression: CompressionFormat,
}

/// The usual resolution of the timer, in 100 ns: 64 ticks a second.
pub const TIMER_RESOLUTION: u32 = 156_250;

impl Default for TraceConfig {
    /// A 64-bit Windows 10 machine with one processor, a 10 MHz counter and buffers of 64 KiB.
    fn default() -> TraceConfig {
        TraceConfig {
            session_name: String::new(),
            file_name: String::new(),
            clock_type: ClockType::PERFORMANCE_COUNTER,
            perf_freq: 10_000_000,
            raw_start: 0,
            start_time: FileTime::UNIX_EPOCH,
            boot_time: FileTime::UNIX_EPOCH,
            processors: 1,
            buffer_size: 64 << 10,
            mode: LogFileMode::SEQUENTIAL,
            pointer_size: PointerSize::P64,
            version: [10, 0, 1, 5],
            build: 19045,
            build_lab: String::new(),
            cpu_speed_mhz: 2_000,
            timer_resolution: TIMER_RESOLUTION,
            maximum_file_size: 0,
            time_zone: TimeZone::default(),
            compression: CompressionFormat::NONE,
        }
    }
}

impl TraceConfig {
    /// The configuration that makes a log file header like this one, without compression.
    #[must_use]
    pub fn like(header: &LogFileHeader) -> TraceConfig {
        TraceConfig {
            session_name: header.logger_name.clone(),
            file_name: header.log_file_name.clone(),
            clock_type: header.clock_type,
            perf_freq: header.perf_freq,
            raw_start: header.raw_time,
            start_time: header.start_time,
            boot_time: header.boot_time,
            processors: header.processors,
            buffer_size: header.buffer_size,
            mode: header.mode.without(LogFileMode::COMPRESSED),
            pointer_size: match header.kind {
                HeaderKind::SYSTEM32 => PointerSize::P32,
                _ => PointerSize::P64,
            },
            version: header.version,
            build: header.build,
            build_lab: String::new(),
            cpu_speed_mhz: header.cpu_speed_mhz,
            timer_resolution: header.timer_resolution,
            maximum_file_size: header.maximum_file_size,
            time_zone: header.time_zone.clone(),
            compression: CompressionFormat::NONE,
        }
    }

    pub(crate) fn effective_mode(&self) -> LogFileMode {
        match self.compression {
            CompressionFormat::NONE => self.mode.without(LogFileMode::COMPRESSED),
            _ => self.mode.with(LogFileMode::COMPRESSED),
        }
    }
}

/// The fields that are known only at the end of the session.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) buffers: u32,
    pub(crate) events_lost: u32,
    pub(crate) buffers_lost: u32,
    pub(crate) end_time: FileTime,
}
