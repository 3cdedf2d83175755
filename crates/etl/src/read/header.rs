//! The log file header, read into a value.

use crate::bytes::{i64_at, u16_at, u32_at};
use crate::clock::Clock;
use crate::def::logfile::{self, ClockType, LogFileMode, at};
use crate::def::record::{HeaderKind, KernelGroup};
use crate::record::Record;
use tracewell_types::{FileTime, Utf16Str};

/// All fields of the log file header (`TRACE_LOGFILE_HEADER`), the first record of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogFileHeader {
    /// Bytes of a buffer in memory, before compression.
    pub buffer_size: u32,
    /// Version of Windows and of the format: major, minor, sub, subminor.
    pub version: [u8; 4],
    /// Build of Windows.
    pub build: u32,
    /// Number of processors of the machine.
    pub processors: u32,
    /// When the session stopped; zero when it did not.
    pub end_time: FileTime,
    /// Resolution of the timer, in 100 ns.
    pub timer_resolution: u32,
    /// Largest size of the file, in MiB, or KiB by mode; 0 for no limit.
    pub maximum_file_size: u32,
    /// Logging mode.
    pub mode: LogFileMode,
    /// Buffers in the file, as the session counted them.
    pub buffers_written: u32,
    /// Reserved; 1 in most files.
    pub start_buffers: u32,
    /// Pointer size of the machine, in bytes. Take that of a record from the record.
    pub pointer_size: u32,
    /// Events lost.
    pub events_lost: u32,
    /// Speed of the processors in MHz.
    pub cpu_speed_mhz: u32,
    /// Time zone of the machine. Times in the file are UTC.
    pub time_zone: TimeZone,
    /// When the machine was started.
    pub boot_time: FileTime,
    /// Ticks of the performance counter per second.
    pub perf_freq: i64,
    /// Wall-clock time that belongs to the raw time of the header record.
    pub start_time: FileTime,
    /// The unit of raw times.
    pub clock_type: ClockType,
    /// Buffers lost.
    pub buffers_lost: u32,
    /// Name of the session ("Relogger" after a merge).
    pub logger_name: String,
    /// Name of the file as the session was given it ("\[multiple files\]" after a merge).
    pub log_file_name: String,
    /// Raw time of the header record itself.
    pub raw_time: i64,
    /// Header type of the header record: gives the pointer size of its writer.
    pub kind: HeaderKind,
}

/// Time zone of the machine a trace was made on (`TIME_ZONE_INFORMATION`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeZone {
    /// UTC minus local time, in minutes.
    pub bias: i32,
    /// Name of standard time.
    pub standard_name: String,
    /// When standard time begins: a `SYSTEMTIME` in its eight words (year 0: a rule for every year; month 0: never).
    pub standard_date: [u16; 8],
    /// To be added to `bias` in standard time, in minutes.
    pub standard_bias: i32,
    /// Name of daylight saving time.
    pub daylight_name: String,
    /// When daylight saving time begins, as `standard_date`.
    pub daylight_date: [u16; 8],
    /// To be added to `bias` in daylight saving time, in minutes.
    pub daylight_bias: i32,
}

impl LogFileHeader {
    /// Reads the header from the record that should hold it; `None` when the record does not.
    #[must_use]
    pub fn parse(record: &Record<'_>) -> Option<LogFileHeader> {
        let pointers = match record.kind() {
            HeaderKind::SYSTEM32 => logfile::POINTER32,
            HeaderKind::SYSTEM64 => logfile::POINTER64,
            _ => return None,
        };
        if record.hook() != Some(u16::from(KernelGroup::EVENT_TRACE.0) << 8) {
            return None;
        }
        let bytes = record.payload();
        let (fixed, names) = bytes.split_at_checked(pointers.size)?;
        let u32_of = |at| u32_at(fixed, at).unwrap_or(0);
        let i64_of = |at| i64_at(fixed, at).unwrap_or(0);
        let (logger_name, used) = Utf16Str::until_nul(names);
        let (log_file_name, _) = Utf16Str::until_nul(&names[used..]);
        let zone = &fixed[pointers.time_zone..pointers.time_zone + logfile::TIME_ZONE_SIZE];
        Some(LogFileHeader {
            buffer_size: u32_of(at::BUFFER_SIZE),
            version: u32_of(at::VERSION).to_le_bytes(),
            build: u32_of(at::BUILD),
            processors: u32_of(at::PROCESSORS),
            end_time: FileTime(i64_of(at::END_TIME)),
            timer_resolution: u32_of(at::TIMER_RESOLUTION),
            maximum_file_size: u32_of(at::MAXIMUM_FILE_SIZE),
            mode: LogFileMode(u32_of(at::LOG_FILE_MODE)),
            buffers_written: u32_of(at::BUFFERS_WRITTEN),
            start_buffers: u32_of(at::START_BUFFERS),
            pointer_size: u32_of(at::POINTER_SIZE),
            events_lost: u32_of(at::EVENTS_LOST),
            cpu_speed_mhz: u32_of(at::CPU_SPEED_MHZ),
            time_zone: TimeZone::parse(zone),
            boot_time: FileTime(i64_of(pointers.boot_time)),
            perf_freq: i64_of(pointers.perf_freq),
            start_time: FileTime(i64_of(pointers.start_time)),
            clock_type: ClockType(u32_of(pointers.clock_type)),
            buffers_lost: u32_of(pointers.buffers_lost),
            logger_name: logger_name.to_string(),
            log_file_name: log_file_name.to_string(),
            raw_time: record.time(),
            kind: record.kind(),
        })
    }

    /// Returns `true` if raw times of this trace and another can be compared: same machine and boot, same kind of
    /// clock. System time is not such a clock: it is set and drifts. A frequency that is measured differs a little
    /// between sessions, so one part in a thousand does not count.
    #[must_use]
    pub fn shares_clock_with(&self, other: &LogFileHeader) -> bool {
        self.clock_type != ClockType::SYSTEM_TIME
            && self.clock_type == other.clock_type
            && self.boot_time == other.boot_time
            && close(self.perf_freq.unsigned_abs(), other.perf_freq.unsigned_abs())
            && close(u64::from(self.cpu_speed_mhz), u64::from(other.cpu_speed_mhz))
    }

    /// Returns `true` if the clock of this trace also gives the times of the other: both count system time, or one clock,
    /// from consistent starts.
    pub(crate) fn gives_times_of(&self, other: &LogFileHeader) -> bool {
        let system = ClockType::SYSTEM_TIME;
        if self.clock_type == system && other.clock_type == system {
            return true;
        }
        let apart = self.clock().file_time(other.raw_time).abs_diff(other.start_time.0);
        self.shares_clock_with(other) && apart <= AGREES
    }

    /// The clock of the trace.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let frequency = match self.clock_type {
            ClockType::CPU_CYCLES => u64::from(self.cpu_speed_mhz) * 1_000_000,
            _ => u64::try_from(self.perf_freq).unwrap_or(0),
        };
        Clock::new(self.clock_type, frequency, self.start_time, self.raw_time)
    }
}

/// Starts of sessions are read from the wall clock, which ticks each 15.6 ms at worst: in units of 100 ns.
const AGREES: u64 = 2 * 156_250;

/// Returns `true` if two measurements may be of the same frequency: equal within rounding and a part in a thousand.
fn close(a: u64, b: u64) -> bool {
    a.abs_diff(b) <= 1 + a.max(b) / 1000
}

impl TimeZone {
    /// Layout (winbase): bias `i32`, 32 UTF-16 units, `SYSTEMTIME` (16 bytes), bias `i32`, and the last three again.
    fn parse(bytes: &[u8]) -> TimeZone {
        let bias = |at| u32_at(bytes, at).unwrap_or(0) as i32;
        let name = |at: usize| {
            let name = bytes.get(at..at + logfile::TIME_ZONE_NAME_SIZE).unwrap_or_default();
            Utf16Str::until_nul(name).0.to_string()
        };
        let date = |at: usize| std::array::from_fn(|word| u16_at(bytes, at + 2 * word).unwrap_or(0));
        TimeZone {
            bias: bias(0),
            standard_name: name(logfile::STANDARD_NAME_AT),
            standard_date: date(68),
            standard_bias: bias(84),
            daylight_name: name(logfile::DAYLIGHT_NAME_AT),
            daylight_date: date(152),
            daylight_bias: bias(168),
        }
    }
}
