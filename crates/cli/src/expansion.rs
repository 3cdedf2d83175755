//! Limits of what strangers' files may expand to: archives, and the answers of symbol servers.

use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use tracewell::open::Meter;

/// Most bytes and time that expanding may take in a run. They hold for all archives together, and once more for all files of
/// symbol servers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Expanded bytes.
    pub bytes: u64,
    /// Time.
    pub time: Duration,
}

/// Most bytes by default, where there is room for twice as many.
const BYTES: u64 = 16 << 30;
/// Most time by default.
const TIME: Duration = Duration::from_secs(15 * 60);

static LIMITS: OnceLock<Limits> = OnceLock::new();

/// Sets the limits of this run. Values that are not given keep their defaults. Call it before the first file is opened.
pub fn limit(bytes: Option<u64>, time: Option<Duration>) {
    let limits = Limits { bytes: bytes.unwrap_or_else(default_bytes), time: time.unwrap_or(TIME) };
    // Only a test can be second.
    let _ = LIMITS.set(limits);
}

/// Returns the limits of this run.
#[must_use]
pub fn limits() -> Limits {
    *LIMITS.get_or_init(|| Limits { bytes: default_bytes(), time: TIME })
}

/// Half of what is free for temporary files, but not more than [`BYTES`].
fn default_bytes() -> u64 {
    #[cfg(unix)]
    if let Ok(system) = rustix::fs::statvfs(std::env::temp_dir()) {
        return BYTES.min(system.f_bavail.saturating_mul(system.f_frsize) / 2);
    }
    BYTES
}

/// What archives have taken of the limits in this run.
#[derive(Debug, Default)]
struct Spent {
    bytes: u64,
    time: Duration,
}

static SPENT: Mutex<Spent> = Mutex::new(Spent { bytes: 0, time: Duration::ZERO });

/// The expanding of one archive. Only this counts towards the time, not what the command does between two archives.
#[derive(Debug)]
pub(crate) struct Expanding {
    since: Instant,
}

impl Expanding {
    pub(crate) fn begin() -> Expanding {
        Expanding { since: Instant::now() }
    }
}

impl Drop for Expanding {
    fn drop(&mut self) {
        if let Ok(mut spent) = SPENT.lock() {
            spent.time = spent.time.saturating_add(self.since.elapsed());
        }
    }
}

impl Meter for Expanding {
    fn spend(&self, bytes: u64, to_come: u64) -> Result<(), String> {
        let Ok(mut spent) = SPENT.lock() else { return Ok(()) };
        spend(&mut spent, limits(), self.since.elapsed(), bytes, to_come)
    }

    fn receive(&self, bytes: u64) -> Result<(), String> {
        let Ok(mut spent) = SPENT.lock() else { return Ok(()) };
        // Who writes to a pipe may take any time.
        spend(&mut spent, Limits { time: Duration::MAX, ..limits() }, Duration::ZERO, bytes, 0)
    }
}

/// Counts expanded bytes, of which `to_come` more are announced, for an archive that has taken some time so far.
fn spend(spent: &mut Spent, limits: Limits, took: Duration, bytes: u64, to_come: u64) -> Result<(), String> {
    spent.bytes = spent.bytes.saturating_add(bytes);
    if spent.bytes.saturating_add(to_come) > limits.bytes {
        let most = tracewell::text::size(limits.bytes);
        return Err(format!(
            "its contents exceed the limit of {most} for expanded archives and pipes (raise it with etw --expand-limit SIZE or dtrace -x expandlimit=SIZE)"
        ));
    }
    if spent.time.saturating_add(took) > limits.time {
        return Err(format!(
            "expanding it exceeds the limit of {} s (raise it with etw --expand-time TIME or dtrace -x expandtime=TIME)",
            limits.time.as_secs_f64()
        ));
    }
    Ok(())
}

/// Reads a size: bytes, or with `k`, `m`, `g` or `t` behind the number.
///
/// # Errors
/// It is not a size.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a size: write 500m or 16g");
    let unit = text.char_indices().next_back().map(|(at, unit)| (at, unit.to_ascii_lowercase()));
    let (digits, shift) = match unit {
        Some((at, 'k')) => (&text[..at], 10),
        Some((at, 'm')) => (&text[..at], 20),
        Some((at, 'g')) => (&text[..at], 30),
        Some((at, 't')) => (&text[..at], 40),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift)).ok_or_else(wrong)
}

/// Reads a time: seconds, or with `ms`, `s`, `min` or `h` behind the number.
///
/// # Errors
/// It is not a time.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("min", 60_000), ("h", 3_600_000), ("s", 1000), ("", 1000)];
    let found = units.iter().find_map(|(unit, ms)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*ms)
    });
    found.map(Duration::from_millis).ok_or_else(|| format!("{text:?} is not a time: write 90s or 15min"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_only_expanding_counts_towards_the_time() {
        let limits = Limits { bytes: 100, time: Duration::from_secs(60) };
        let mut spent = Spent { bytes: 0, time: Duration::from_secs(59) };
        assert_eq!(spend(&mut spent, limits, Duration::from_millis(900), 40, 60), Ok(()));
        let late = spend(&mut spent, limits, Duration::from_millis(1100), 0, 0).unwrap_err();
        assert!(late.contains("60 s") && late.contains("expandtime"), "{late}");
        let large = spend(&mut spent, limits, Duration::ZERO, 61, 0).unwrap_err();
        assert!(large.contains("--expand-limit"), "{large}");
        // The limits themselves are allowed, and what was spent counts for the next archive.
        let mut spent = Spent::default();
        assert_eq!(spend(&mut spent, limits, limits.time, 60, 0), Ok(()));
        assert_eq!(spend(&mut spent, limits, limits.time, 30, 10), Ok(()));
        assert_eq!((spent.bytes, spent.time), (90, Duration::ZERO));
        assert!(spend(&mut spent, limits, Duration::ZERO, 10, 1).is_err());
        assert!(spend(&mut Spent::default(), limits, Duration::ZERO, 0, u64::MAX).is_err());
        // However long ago an archive was expanded, its time is what it took.
        drop(Expanding { since: Instant::now() });
        assert!(SPENT.lock().unwrap().time < Duration::from_secs(30));
    }

    #[test]
    fn issue_14_limits_are_read_with_their_units() {
        assert_eq!(parse_size("7"), Ok(7));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("3G"), Ok(3 << 30));
        for wrong in ["", "k", "-1", "1x", "99999999t", "1.5g", "é"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(parse_time("15min"), Ok(Duration::from_secs(900)));
        for wrong in ["", "s", "1 day", "-3s"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
