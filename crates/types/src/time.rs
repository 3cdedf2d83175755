//! Wall-clock time as Windows counts it.

use std::fmt;

/// A count of 100-nanosecond ticks since 1601-01-01 00:00:00 UTC (a Windows `FILETIME`).
///
/// It is signed, because a damaged file can contain times before 1601, which must not wrap into the
/// far future. Arithmetic saturates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileTime(pub i64);

impl FileTime {
    /// 1601-01-01, which means "not set" in most headers.
    pub const ZERO: FileTime = FileTime(0);

    /// Ticks between the Windows epoch (1601) and the Unix epoch (1970).
    pub const UNIX_EPOCH: FileTime = FileTime(116_444_736_000_000_000);

    /// Ticks in one second.
    pub const TICKS_PER_SECOND: i64 = 10_000_000;

    /// Ticks of 100 ns since 1601.
    #[must_use]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Nanoseconds since 1970-01-01 UTC, saturating outside the years 1677 to 2262.
    #[must_use]
    pub const fn unix_ns(self) -> i64 {
        self.0.saturating_sub(FileTime::UNIX_EPOCH.0).saturating_mul(100)
    }

    /// The tick that holds the given nanosecond since 1970-01-01 UTC (rounds down).
    #[must_use]
    pub const fn from_unix_ns(ns: i64) -> FileTime {
        FileTime(ns.div_euclid(100) + FileTime::UNIX_EPOCH.0)
    }

    /// Returns `true` if the value is zero ("not set").
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Calendar date and time of day in UTC: (year, month, day, hour, minute, second, tick of the second).
    fn civil(self) -> (i64, u32, u32, u32, u32, u32, u32) {
        let seconds = self.0.div_euclid(FileTime::TICKS_PER_SECOND);
        let tick = self.0.rem_euclid(FileTime::TICKS_PER_SECOND);
        let day_second = seconds.rem_euclid(86_400);
        // Days since 1600-03-01, so that a leap day ends its year; 1601-01-01 is 306 days later.
        let days = seconds.div_euclid(86_400) + 306;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = 1600 + era * 400 + year_of_era + i64::from(month <= 2);
        (
            year,
            month as u32,
            day as u32,
            (day_second / 3_600) as u32,
            (day_second / 60 % 60) as u32,
            (day_second % 60) as u32,
            tick as u32,
        )
    }
}

impl fmt::Display for FileTime {
    /// ISO 8601 in UTC with all seven decimals: `2020-02-14T09:21:50.4203138Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, hour, minute, second, tick) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{tick:07}Z")
    }
}

impl fmt::Debug for FileTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileTime({} = {self})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_instants_display() {
        let cases = [
            (0, "1601-01-01T00:00:00.0000000Z"),
            (-1, "1600-12-31T23:59:59.9999999Z"),
            (116_444_736_000_000_000, "1970-01-01T00:00:00.0000000Z"),
            (FileTime::from_unix_ns(951_782_400_000_000_000).0, "2000-02-29T00:00:00.0000000Z"),
            (FileTime::from_unix_ns(4_107_542_399_999_999_900).0, "2100-02-28T23:59:59.9999999Z"),
            (132_264_173_104_203_138, "2020-02-17T12:48:30.4203138Z"),
        ];
        for (ticks, text) in cases {
            assert_eq!(FileTime(ticks).to_string(), text);
        }
    }

    #[test]
    fn unix_conversion_round_trips_and_saturates() {
        for ns in [0, 100, -100, 1_581_849_710_420_313_800, i64::MIN / 100 * 100] {
            assert_eq!(FileTime::from_unix_ns(ns).unix_ns(), ns);
        }
        assert_eq!(FileTime::from_unix_ns(-1).unix_ns(), -100);
        assert_eq!(FileTime(i64::MAX).unix_ns(), i64::MAX);
        assert_eq!(FileTime(i64::MIN).unix_ns(), i64::MIN);
        assert!(!FileTime(i64::MIN).to_string().is_empty() && !FileTime(i64::MAX).to_string().is_empty());
    }
}
