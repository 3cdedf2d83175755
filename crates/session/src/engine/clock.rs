//! The raw clock of records, and what it means in wall-clock time.
//!
//! Writers stamp the time stamp counter where it runs at one rate, else nanoseconds of the monotonic clock. A session
//! with the performance counter or with cycles keeps those; one with system time has them converted when its
//! buffers are taken, so that writers are equally quick with every clock.

use super::sys::{self, Clock};
use std::time::Duration;
use tracewell_types::FileTime;

/// Raw clock, monotonic clock and wall clock read together.
#[derive(Clone, Copy, Debug)]
struct Reading {
    raw: i64,
    monotonic: i64,
    time: FileTime,
}

/// How raw times become others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calibration {
    /// A raw time.
    pub(crate) raw: i64,
    /// The wall-clock time that belongs to it.
    pub(crate) time: FileTime,
    /// Ticks of the raw clock in a second.
    pub(crate) frequency: i64,
}

/// Measures the raw clock from when it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calibrator(Reading);

impl Calibrator {
    pub(crate) fn start() -> Calibrator {
        Calibrator(read())
    }

    /// What is known by now; waits until that is good to some parts in a million.
    pub(crate) fn calibrate(&self) -> Calibration {
        const LEAST: i64 = 10_000_000;
        let mut now = read();
        if now.monotonic - self.0.monotonic < LEAST {
            let rest = LEAST - (now.monotonic - self.0.monotonic);
            std::thread::sleep(Duration::from_nanos(rest.unsigned_abs()));
            now = read();
        }
        let ticks = i128::from(now.raw - self.0.raw);
        let elapsed = i128::from(now.monotonic - self.0.monotonic).max(1);
        let frequency = if sys::counts_cycles() { ticks * 1_000_000_000 / elapsed } else { 1_000_000_000 };
        Calibration {
            raw: now.raw,
            time: now.time,
            frequency: i64::try_from(frequency).unwrap_or(i64::MAX).max(1),
        }
    }
}

impl Calibration {
    /// The wall-clock time of a raw one.
    #[inline]
    pub(crate) fn file_time(&self, raw: i64) -> FileTime {
        let ticks = i128::from(raw.wrapping_sub(self.raw)) * 10_000_000 / i128::from(self.frequency);
        FileTime(self.time.0.saturating_add(ticks as i64))
    }

    /// Raw ticks of a time span.
    pub(crate) fn ticks(&self, span: Duration) -> i64 {
        (span.as_nanos() as i128 * i128::from(self.frequency) / 1_000_000_000) as i64
    }
}

/// The closest of some tries.
fn read() -> Reading {
    let mut best: Option<(i64, Reading)> = None;
    for _ in 0..5 {
        let before = raw();
        let (monotonic, time) = (sys::nanoseconds_of(Clock::Monotonic), now());
        let after = raw();
        let reading = Reading { raw: before / 2 + after / 2, monotonic, time };
        if best.is_none_or(|(width, _)| after - before < width) {
            best = Some((after - before, reading));
        }
    }
    best.map_or_else(|| Reading { raw: raw(), monotonic: 0, time: now() }, |(_, reading)| reading)
}

/// The raw clock of this machine, as the daemon reads it.
pub(crate) fn raw() -> i64 {
    sys::timestamp(sys::counts_cycles())
}

/// The wall-clock time.
pub(crate) fn now() -> FileTime {
    FileTime::from_unix_ns(sys::nanoseconds_of(Clock::Real))
}

/// Nanoseconds of the monotonic clock.
pub(crate) fn monotonic() -> i64 {
    sys::nanoseconds_of(Clock::Monotonic)
}

/// When the machine was started: by the kernel's own word, in seconds, which is the same each time it is asked, so
/// that sessions of one boot are known by it.
pub(crate) fn boot_time() -> FileTime {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let told = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse::<i64>().ok());
    if let Some(seconds) = told {
        return FileTime::from_unix_ns(seconds.saturating_mul(1_000_000_000));
    }
    FileTime::from_unix_ns(sys::nanoseconds_of(Clock::Real).saturating_sub(sys::nanoseconds_of(Clock::Boot)))
}
