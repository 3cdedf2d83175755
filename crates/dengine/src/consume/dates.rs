//! Dates of `%Y` and `%T`.

use jiff::Timestamp;
use jiff::tz::TimeZone;

fn civil(nanoseconds: u64, zone: &TimeZone) -> Option<jiff::Zoned> {
    let seconds = nanoseconds as i64 / 1_000_000_000;
    Some(Timestamp::from_second(seconds).ok()?.to_zoned(zone.clone()))
}

/// `1969 Dec 31 16:00:00`
pub(crate) fn plain(nanoseconds: u64, zone: &TimeZone) -> String {
    match civil(nanoseconds, zone) {
        Some(at) => at.strftime("%Y %b %e %H:%M:%S").to_string(),
        None => nanoseconds.to_string(),
    }
}

/// `Wed, 31 Dec 1970 16:00:00 PST`: the year is the ISO week's, as in the original.
pub(crate) fn rfc822(nanoseconds: u64, zone: &TimeZone) -> String {
    match civil(nanoseconds, zone) {
        Some(at) => at.strftime("%a, %d %b %G %T %Z").to_string(),
        None => nanoseconds.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts() {
        let zone = TimeZone::fixed(jiff::tz::offset(-8));
        assert_eq!(plain(0, &zone), "1969 Dec 31 16:00:00");
        assert_eq!(plain(1_062_609_821_000_000_000, &TimeZone::UTC), "2003 Sep  3 17:23:41");
        assert!(rfc822(0, &zone).starts_with("Wed, 31 Dec 1970 16:00:00 "));
        assert_eq!(rfc822(0, &TimeZone::UTC), "Thu, 01 Jan 1970 00:00:00 UTC");
    }
}
