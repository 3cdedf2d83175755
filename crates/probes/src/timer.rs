//! Timed probes by name: `profile-N[unit]`, `tick-N[unit]`, `sample-N[unit]`.

use std::fmt;

/// The families of timed probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Fires on every processor.
    Profile,
    /// Fires once.
    Tick,
    /// Fires for every sample event of a trace.
    Sample,
}

/// A timed probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timer {
    /// Which family.
    pub family: Family,
    /// Nanoseconds between firings, at least [`Timer::SHORTEST`].
    pub interval: i64,
}

const UNITS: &[(&str, i64)] = &[
    ("ns", 1),
    ("nsec", 1),
    ("us", 1_000),
    ("usec", 1_000),
    ("ms", 1_000_000),
    ("msec", 1_000_000),
    ("s", 1_000_000_000),
    ("sec", 1_000_000_000),
    ("m", 60_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("hour", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
    ("day", 86_400_000_000_000),
];

impl Timer {
    /// The shortest interval, 200 µs; shorter ones are no probes.
    pub const SHORTEST: i64 = 200_000;

    /// Reads a probe name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Timer> {
        let (family, rest) = name.split_once('-')?;
        let family = match family {
            "profile" => Family::Profile,
            "tick" => Family::Tick,
            "sample" => Family::Sample,
            _ => return None,
        };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: i64 = rest[..digits].parse().ok().filter(|&n| n > 0)?;
        let unit = rest[digits..].to_ascii_lowercase();
        let interval = match unit.as_str() {
            "" | "hz" => 1_000_000_000 / number,
            unit => number.checked_mul(UNITS.iter().find(|(u, _)| *u == unit)?.1)?,
        };
        (interval >= Self::SHORTEST).then_some(Timer { family, interval })
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Profile => "profile",
            Self::Tick => "tick",
            Self::Sample => "sample",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let timer = |family, interval| Some(Timer { family, interval });
        for (name, want) in [
            ("tick-1s", timer(Family::Tick, 1_000_000_000)),
            ("tick-10", timer(Family::Tick, 100_000_000)),
            ("profile-997", timer(Family::Profile, 1_003_009)),
            ("profile-1000hz", timer(Family::Profile, 1_000_000)),
            ("sample-997", timer(Family::Sample, 1_003_009)),
            ("tick-5msec", timer(Family::Tick, 5_000_000)),
            ("tick-1day", timer(Family::Tick, 86_400_000_000_000)),
            ("tick-199us", None),
            ("tick-5001", None),
            ("tick-0", None),
            ("tick", None),
            ("tick-1parsec", None),
            ("tick-99999999999999d", None),
            ("tock-1s", None),
        ] {
            assert_eq!(Timer::parse(name), want, "{name}");
        }
    }
}
