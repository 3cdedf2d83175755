//! From the raw times of records to wall-clock time.

use crate::def::logfile::ClockType;
use tracewell_types::FileTime;

/// The clock of one trace: what its raw times count, how fast, and when they started.
///
/// All conversions are exact integer arithmetic that rounds down (towards the past) and saturates at the
/// ends of `i64`, so they keep the order of raw times. They cost a few multiplications and no division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    kind: ClockType,
    frequency: u64,
    start: FileTime,
    raw_start: i64,
    to_ticks: Ratio,
    to_ns: Ratio,
}

impl Clock {
    /// A clock that counted `raw_start` at the wall-clock time `start`.
    ///
    /// `frequency` is in raw units per second and counts for the performance counter and for processor cycles;
    /// for system time it is ignored. A frequency of zero is taken to be 10 MHz, so that a damaged header
    /// still gives an order.
    #[must_use]
    pub const fn new(kind: ClockType, frequency: u64, start: FileTime, raw_start: i64) -> Clock {
        const TICKS: u64 = FileTime::TICKS_PER_SECOND as u64;
        let frequency = if kind.0 == ClockType::SYSTEM_TIME.0 || frequency == 0 { TICKS } else { frequency };
        Clock {
            kind,
            frequency,
            start,
            raw_start,
            to_ticks: Ratio::new(TICKS, frequency),
            to_ns: Ratio::new(1_000_000_000, frequency),
        }
    }

    /// The unit of the raw times.
    #[must_use]
    pub const fn kind(&self) -> ClockType {
        self.kind
    }

    /// Raw units in a second.
    #[must_use]
    pub const fn frequency(&self) -> u64 {
        self.frequency
    }

    /// Wall-clock time that belongs to [`Clock::raw_start`].
    #[must_use]
    pub const fn start(&self) -> FileTime {
        self.start
    }

    /// Raw time of the first record of the trace, which belongs to [`Clock::start`].
    #[must_use]
    pub const fn raw_start(&self) -> i64 {
        self.raw_start
    }

    /// Wall-clock time of a raw time, in 100-ns ticks since 1601.
    #[inline]
    #[must_use]
    pub fn file_time(&self, raw: i64) -> i64 {
        if self.kind == ClockType::SYSTEM_TIME {
            return raw;
        }
        let delta = i128::from(raw) - i128::from(self.raw_start);
        saturate(i128::from(self.start.0) + self.to_ticks.apply(delta))
    }

    /// Wall-clock time of a raw time, in nanoseconds since 1970-01-01 UTC.
    ///
    /// As fine as the clock is: a counter faster than 10 MHz gives nanoseconds that [`Clock::file_time`] cannot.
    #[inline]
    #[must_use]
    pub fn unix_ns(&self, raw: i64) -> i64 {
        const EPOCH: i128 = FileTime::UNIX_EPOCH.0 as i128;
        if self.kind == ClockType::SYSTEM_TIME {
            return FileTime(raw).unix_ns();
        }
        let delta = i128::from(raw) - i128::from(self.raw_start);
        saturate((i128::from(self.start.0) - EPOCH) * 100 + self.to_ns.apply(delta))
    }

    /// The first raw time at or after a wall-clock time in nanoseconds since 1970-01-01 UTC.
    ///
    /// Undoes [`Clock::unix_ns`] exactly for counters up to 1 GHz.
    #[must_use]
    pub fn raw_at(&self, unix_ns: i64) -> i64 {
        let start = (i128::from(self.start.0) - i128::from(FileTime::UNIX_EPOCH.0)) * 100;
        let (delta, base) = match self.kind {
            ClockType::SYSTEM_TIME => (unix_ns.into(), i128::from(FileTime::UNIX_EPOCH.0)),
            _ => (i128::from(unix_ns) - start, i128::from(self.raw_start)),
        };
        // The factors are below 2^71 and 2^64, so only a start and a frequency that no machine has could overflow.
        let scaled = delta.saturating_mul(self.frequency.into());
        saturate(base - scaled.saturating_neg().div_euclid(1_000_000_000))
    }

    /// A raw time as nanoseconds of the clock itself: since boot, mostly, for a performance counter or processor cycles;
    /// since 1970-01-01 UTC for system time, whose own origin is too far back for nanoseconds in an `i64`.
    #[inline]
    #[must_use]
    pub fn ns(&self, raw: i64) -> i64 {
        if self.kind == ClockType::SYSTEM_TIME {
            return FileTime(raw).unix_ns();
        }
        self.to_ns.apply_to(raw)
    }

    /// Returns the duration of a number of raw units in nanoseconds.
    #[inline]
    #[must_use]
    pub fn duration_ns(&self, units: i64) -> i64 {
        self.to_ns.apply_to(units)
    }

    /// The least number of raw units that takes so many nanoseconds: undoes [`Clock::duration_ns`] for clocks up to 1 GHz.
    #[must_use]
    pub fn raw_units(&self, ns: i64) -> i64 {
        // Two divisions of 128 bits take longer than all else that is done for a firing.
        if let Some(product) = u64::try_from(ns).ok().and_then(|ns| ns.checked_mul(self.frequency)) {
            return product.div_ceil(1_000_000_000).cast_signed();
        }
        saturate(-(-i128::from(ns)).saturating_mul(self.frequency.into()).div_euclid(1_000_000_000))
    }
}

#[inline]
fn saturate(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}

/// Multiplication by `mul / div` in exact integers, with the division done by a precomputed reciprocal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ratio {
    mul: u64,
    div: u64,
    /// `floor(2^64 / div)`, or `u64::MAX` when `div` is 1.
    reciprocal: u64,
    /// Whether `mul` is a whole multiple of `div`, which saves all division (10 MHz counters).
    whole: Option<u64>,
}

impl Ratio {
    const fn new(mul: u64, div: u64) -> Ratio {
        let reciprocal = if div == 1 { u64::MAX } else { ((1u128 << 64) / div as u128) as u64 };
        let whole = if mul.is_multiple_of(div) { Some(mul / div) } else { None };
        Ratio { mul, div, reciprocal, whole }
    }

    /// As [`Ratio::apply`], or the nearest number of 64 bits.
    #[inline]
    fn apply_to(&self, value: i64) -> i64 {
        match self.whole.map(i64::try_from) {
            Some(Ok(factor)) => value.saturating_mul(factor),
            _ => saturate(self.apply(value.into())),
        }
    }

    /// `floor(value * mul / div)`.
    #[inline]
    fn apply(&self, value: i128) -> i128 {
        if let Some(factor) = self.whole {
            return value * i128::from(factor);
        }
        let magnitude = u64::try_from(value.unsigned_abs());
        match magnitude {
            Ok(magnitude) if self.div < u64::MAX / self.mul => {
                let (quotient, remainder) = self.divide(magnitude);
                // remainder < div, so this product fits by the guard above.
                let (fine, rest) = self.divide(remainder * self.mul);
                let result = i128::from(quotient) * i128::from(self.mul) + i128::from(fine);
                if value < 0 { -result - i128::from(rest != 0) } else { result }
            }
            // |value| <= 2^64 and mul < 2^30, so the product fits.
            _ => (value * i128::from(self.mul)).div_euclid(self.div.into()),
        }
    }

    /// Quotient and remainder by `div`.
    #[inline]
    fn divide(&self, value: u64) -> (u64, u64) {
        // The estimate is short by at most one: value * (2^64 / div - reciprocal) / 2^64 < 1.
        let mut quotient = ((u128::from(value) * u128::from(self.reciprocal)) >> 64) as u64;
        let mut remainder = value - quotient * self.div;
        if remainder >= self.div {
            quotient += 1;
            remainder -= self.div;
        }
        (quotient, remainder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frequencies of real machines, round ones, primes and absurd ones.
    const FREQUENCIES: [u64; 14] = [
        1,
        2,
        3,
        1_000,
        1_818_300,
        2_143_632,
        2_337_949,
        3_117_777,
        10_000_000,
        24_000_000,
        3_579_545_001,
        18_446_744_073,
        1 << 62,
        u64::MAX,
    ];

    fn values() -> Vec<i64> {
        let mut values = vec![0, 1, -1, i64::MAX, i64::MIN, i64::MIN + 1, 2_745_533_591_102];
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..2_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            values.push((state as i64) >> (state % 60));
        }
        values
    }

    fn floor(value: i128, mul: i128, div: u64) -> i128 {
        (value * mul).div_euclid(div.into())
    }

    #[test]
    fn conversions_are_exact() {
        let start = FileTime(132_264_173_104_203_138);
        for frequency in FREQUENCIES {
            for raw_start in [0, 2_745_533_591_102, -5, i64::MIN, i64::MAX] {
                let clock = Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, start, raw_start);
                for raw in values() {
                    let delta = i128::from(raw) - i128::from(raw_start);
                    let ticks = i128::from(start.0) + floor(delta, 10_000_000, frequency);
                    assert_eq!(clock.file_time(raw), saturate(ticks), "{raw} at {frequency}");
                    let unix = i128::from(start.unix_ns()) + floor(delta, 1_000_000_000, frequency);
                    assert_eq!(clock.unix_ns(raw), saturate(unix), "{raw} at {frequency}");
                    let ns = floor(raw.into(), 1_000_000_000, frequency);
                    assert_eq!(clock.ns(raw), saturate(ns), "{raw} at {frequency}");
                    assert_eq!(clock.duration_ns(raw), saturate(ns), "{raw} at {frequency}");
                }
            }
        }
    }

    #[test]
    fn system_time_is_the_wall_clock() {
        let clock = Clock::new(ClockType::SYSTEM_TIME, 3_000_000, FileTime(5), 7);
        assert_eq!(clock.file_time(132_264_173_104_203_138), 132_264_173_104_203_138);
        assert_eq!(clock.unix_ns(132_264_173_104_203_138), 1_581_943_710_420_313_800);
        // Issue 3: nanoseconds since 1601 do not fit, and all times were the greatest there is.
        assert_eq!(clock.ns(132_264_173_104_203_138), 1_581_943_710_420_313_800);
        assert_eq!(clock.ns(132_264_173_104_203_139) - clock.ns(132_264_173_104_203_138), 100);
        assert_eq!((clock.duration_ns(3), clock.raw_units(300), clock.raw_units(201)), (300, 3, 3));
    }

    #[test]
    fn durations_come_back() {
        for frequency in FREQUENCIES.into_iter().filter(|&frequency| frequency <= 1_000_000_000) {
            let clock = Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, FileTime(5), 7);
            for units in [-12_345, -1, 0, 1, 2, 99, 123_456_789] {
                assert_eq!(clock.raw_units(clock.duration_ns(units)), units, "{units} at {frequency}");
            }
        }
    }

    #[test]
    fn issue_13_units_for_a_duration_are_the_least() {
        for frequency in FREQUENCIES {
            let clock = Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, FileTime(5), 7);
            for ns in values() {
                let least = -floor(-i128::from(ns), frequency.into(), 1_000_000_000);
                assert_eq!(clock.raw_units(ns), saturate(least), "{ns} at {frequency}");
            }
        }
    }

    #[test]
    fn raw_times_are_found_again() {
        let start = FileTime(132_264_173_104_203_138);
        for frequency in FREQUENCIES.into_iter().filter(|&frequency| frequency <= 1_000_000_000) {
            let clock = Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, start, 77);
            for raw in [-9_999_999, -1, 0, 76, 77, 78, 123_456_789] {
                let ns = clock.unix_ns(raw);
                assert_eq!(clock.raw_at(ns), raw, "{raw} at {frequency}");
                assert_eq!(clock.raw_at(ns + 1), raw + 1, "{raw} at {frequency}");
            }
        }
        let system = Clock::new(ClockType::SYSTEM_TIME, 0, FileTime(5), 7);
        assert_eq!(system.raw_at(system.unix_ns(start.0)), start.0);
    }

    /// Issue 3: a fuzzer found a start so far away that its negative was none.
    #[test]
    fn extreme_clocks_find_raw_times() {
        for frequency in FREQUENCIES {
            for start in [i64::MIN, 0, i64::MAX] {
                for raw_start in [i64::MIN, 0, i64::MAX] {
                    let clock =
                        Clock::new(ClockType::PERFORMANCE_COUNTER, frequency, FileTime(start), raw_start);
                    let raw = [i64::MIN, -1, 0, 1, i64::MAX].map(|ns| clock.raw_at(ns));
                    assert!(raw.is_sorted(), "{raw:?} at {frequency} from {start} and {raw_start}");
                }
            }
        }
    }

    #[test]
    fn a_zero_frequency_still_gives_an_order() {
        let clock = Clock::new(ClockType::UNSET, 0, FileTime(100), 50);
        assert_eq!((clock.file_time(49), clock.file_time(51)), (99, 101));
    }
}
