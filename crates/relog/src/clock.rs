//! Whether the clock that a header describes can be the one of its records.

use tracewell_etl::Trace;
use tracewell_etl::def::logfile::ClockType;

/// Why the clock of a trace is not to be believed: its times have an order, but no sure distance or date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClockDoubt {
    /// The header has no frequency of the counter, or a negative one; 10 MHz is assumed.
    NoFrequency,
    /// The header has a frequency that no counter of a machine has. It is taken as it is.
    OddFrequency {
        /// Units in a second.
        frequency: u64,
    },
    /// Records have the system's time, the header says, but the first one is nowhere near the start of the session.
    NotSystemTime,
}

impl std::fmt::Display for ClockDoubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClockDoubt::NoFrequency => {
                f.write_str("the header has no frequency of the clock: 10 MHz is assumed")?;
            }
            ClockDoubt::OddFrequency { frequency } => {
                write!(f, "no clock has the frequency of the header, {frequency} Hz, which is taken as it is")?;
            }
            ClockDoubt::NotSystemTime => f.write_str(
                "the times are not the system's, which the header says they are: a unit of 100 ns (10 MHz) is assumed",
            )?,
        }
        f.write_str("; dates and durations are not to be believed")
    }
}

/// Returns why the clock of a trace is doubtful.
#[must_use]
pub fn doubt_of_clock(trace: &Trace<'_>) -> Option<ClockDoubt> {
    /// From the slowest timer that ever was read as a counter to beyond the fastest processor.
    const PLAUSIBLE: std::ops::RangeInclusive<u64> = 1_000..=100_000_000_000;
    /// In units of 100 ns: a day. Both times are taken when the session starts.
    const FAR: u64 = 24 * 3_600 * 10_000_000;
    let header = trace.header();
    let frequency = match header.clock_type {
        ClockType::SYSTEM_TIME => {
            let is_far = header.raw_time.abs_diff(header.start_time.0) > FAR;
            return is_far.then_some(ClockDoubt::NotSystemTime);
        }
        ClockType::CPU_CYCLES => u64::from(header.cpu_speed_mhz) * 1_000_000,
        _ => u64::try_from(header.perf_freq).unwrap_or(0),
    };
    match frequency {
        0 => Some(ClockDoubt::NoFrequency),
        frequency if PLAUSIBLE.contains(&frequency) => None,
        frequency => Some(ClockDoubt::OddFrequency { frequency }),
    }
}
