//! The options that govern a run.

use std::fmt;

/// What happens when a principal buffer is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BufPolicy {
    /// New records are dropped until the consumer has drained.
    #[default]
    Switch,
    /// Tracing stops.
    Fill,
    /// The oldest records give way; the consumer reads once, at the end.
    Ring,
}

/// How histograms are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// `@` bars.
    #[default]
    Ascii,
    /// Bars of eighth blocks.
    Utf8,
}

/// The zone that `%Y` and `%T` show dates in.
#[derive(Clone, Debug, Default)]
pub struct Zone(pub(crate) Option<jiff::tz::TimeZone>);

impl Zone {
    /// Coordinated universal time, the default.
    pub const UTC: Zone = Zone(None);

    /// A zone.
    #[must_use]
    pub fn new(zone: jiff::tz::TimeZone) -> Zone {
        Zone(Some(zone))
    }

    pub(crate) fn get(&self) -> jiff::tz::TimeZone {
        self.0.clone().unwrap_or(jiff::tz::TimeZone::UTC)
    }
}

/// Options of a run, with the classic defaults. Sizes are in bytes, times in nanoseconds.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Bytes of a string with its NUL.
    pub strsize: u64,
    /// Bytes of a CPU's principal buffer.
    pub bufsize: u64,
    /// What happens when it is full.
    pub bufpolicy: BufPolicy,
    /// Sizes that cannot be had are an error (`bufresize=manual`) rather than reduced.
    pub bufresize_manual: bool,
    /// Bytes for aggregations between two drains.
    pub aggsize: u64,
    /// Bytes for dynamic variables.
    pub dynvarsize: u64,
    /// Number of speculations.
    pub nspec: u64,
    /// Bytes of a speculation.
    pub specsize: u64,
    /// Frames of `stack()`.
    pub stackframes: u32,
    /// Frames of `ustack()`.
    pub ustackframes: u32,
    /// Columns that frames are indented by.
    pub stackindent: u32,
    /// Only what the script itself writes is shown.
    pub quiet: bool,
    /// Entry and return are shown indented.
    pub flowindent: bool,
    /// `trace()` of bytes always dumps them.
    pub rawbytes: bool,
    /// Destructive actions are allowed.
    pub destructive: bool,
    /// Records of all CPUs are shown in order of time.
    pub temporal: bool,
    /// Drop messages carry their tags.
    pub droptags: bool,
    /// A bar beside plain values.
    pub agghist: bool,
    /// Histograms on one line.
    pub aggpack: bool,
    /// Bars scaled to the tallest bucket.
    pub aggzoom: bool,
    /// How bars are drawn.
    pub encoding: Encoding,
    /// Aggregations sorted by key.
    pub aggsortkey: bool,
    /// The key that is compared first.
    pub aggsortkeypos: u64,
    /// The value that is compared first when several aggregations are shown together.
    pub aggsortpos: u64,
    /// Sorted falling.
    pub aggsortrev: bool,
    /// Time between two drains.
    pub switchrate: u64,
    /// Time between two snapshots of the aggregations.
    pub aggrate: u64,
    /// Time between two looks at the run's state.
    pub statusrate: u64,
    /// Seed of `rand()`, so that a run can be repeated.
    pub seed: u64,
    /// The zone of dates.
    pub zone: Zone,
    /// The width of `%?`: 16 for 64-bit programs, 8 for 32-bit ones.
    pub pointer_width: u32,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            strsize: 256,
            bufsize: 4 << 20,
            bufpolicy: BufPolicy::Switch,
            bufresize_manual: false,
            aggsize: 4 << 20,
            dynvarsize: 1 << 20,
            nspec: 1,
            specsize: 32 << 10,
            stackframes: 20,
            ustackframes: 20,
            stackindent: 14,
            quiet: false,
            flowindent: false,
            rawbytes: false,
            destructive: false,
            temporal: true,
            droptags: false,
            agghist: false,
            aggpack: false,
            aggzoom: false,
            encoding: Encoding::Ascii,
            aggsortkey: false,
            aggsortkeypos: 0,
            aggsortpos: 0,
            aggsortrev: false,
            switchrate: 1_000_000_000,
            aggrate: 1_000_000_000,
            statusrate: 1_000_000_000,
            seed: 0x9e37_79b9_7f4a_7c15,
            zone: Zone::UTC,
            pointer_width: 16,
        }
    }
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option of a run has this name.
    Unknown(String),
    /// The value is not one that the option takes.
    Value {
        /// The option.
        name: String,
        /// The value as given.
        value: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "no run-time option is named {name}"),
            OptionError::Value { name, value } => write!(f, "invalid value for {name}: {value}"),
        }
    }
}

impl std::error::Error for OptionError {}

/// A field of [`RunOptions`] by the kind of value it takes.
enum Field<'o> {
    Flag(&'o mut bool),
    Size(&'o mut u64),
    Number(&'o mut u64),
    Frames(&'o mut u32),
    Rate(&'o mut u64),
    Policy(&'o mut BufPolicy),
    Manual(&'o mut bool),
    Encoding(&'o mut Encoding),
}

impl RunOptions {
    /// The field that an option's name stands for, and whether `setopt()` may change it in a run.
    fn field(&mut self, name: &str) -> Option<(Field<'_>, bool)> {
        Some(match name {
            "strsize" => (Field::Size(&mut self.strsize), false),
            "bufsize" => (Field::Size(&mut self.bufsize), false),
            "bufpolicy" => (Field::Policy(&mut self.bufpolicy), false),
            "bufresize" => (Field::Manual(&mut self.bufresize_manual), false),
            "aggsize" => (Field::Size(&mut self.aggsize), false),
            "dynvarsize" => (Field::Size(&mut self.dynvarsize), false),
            "nspec" => (Field::Number(&mut self.nspec), false),
            "specsize" => (Field::Size(&mut self.specsize), false),
            "stackframes" => (Field::Frames(&mut self.stackframes), false),
            "ustackframes" => (Field::Frames(&mut self.ustackframes), false),
            "temporal" => (Field::Flag(&mut self.temporal), false),
            "destructive" => (Field::Flag(&mut self.destructive), false),
            "droptags" => (Field::Flag(&mut self.droptags), false),
            "statusrate" => (Field::Rate(&mut self.statusrate), false),
            "encoding" => (Field::Encoding(&mut self.encoding), false),
            "stackindent" => (Field::Frames(&mut self.stackindent), true),
            "quiet" => (Field::Flag(&mut self.quiet), true),
            "flowindent" => (Field::Flag(&mut self.flowindent), true),
            "rawbytes" => (Field::Flag(&mut self.rawbytes), true),
            "agghist" => (Field::Flag(&mut self.agghist), true),
            "aggpack" => (Field::Flag(&mut self.aggpack), true),
            "aggzoom" => (Field::Flag(&mut self.aggzoom), true),
            "aggsortkey" => (Field::Flag(&mut self.aggsortkey), true),
            "aggsortrev" => (Field::Flag(&mut self.aggsortrev), true),
            "aggsortkeypos" => (Field::Number(&mut self.aggsortkeypos), true),
            "aggsortpos" => (Field::Number(&mut self.aggsortpos), true),
            "aggrate" => (Field::Rate(&mut self.aggrate), true),
            "switchrate" => (Field::Rate(&mut self.switchrate), true),
            _ => return None,
        })
    }

    /// Sets an option by name, before the run.
    ///
    /// # Errors
    /// The name is not a run-time option's, or the value does not suit it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        self.assign(name, value, false)
    }

    /// Sets an option by name in the midst of a run (`setopt()`).
    ///
    /// # Errors
    /// As [`RunOptions::set`]; options that only the start of a run reads are unknown here.
    pub fn set_live(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        self.assign(name, value, true)
    }

    fn assign(&mut self, name: &str, value: Option<&str>, live: bool) -> Result<(), OptionError> {
        let Some((field, anytime)) = self.field(name) else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        if live && !anytime {
            return Err(OptionError::Unknown(name.to_owned()));
        }
        let bad =
            || OptionError::Value { name: name.to_owned(), value: value.unwrap_or_default().to_owned() };
        match field {
            Field::Flag(f) => *f = parse_flag(value).ok_or_else(bad)?,
            Field::Size(f) => *f = value.and_then(parse_size).ok_or_else(bad)?,
            Field::Number(f) => *f = value.and_then(|v| v.parse().ok()).ok_or_else(bad)?,
            Field::Frames(f) => *f = value.and_then(|v| v.parse().ok()).ok_or_else(bad)?,
            Field::Rate(f) => *f = value.and_then(parse_rate).ok_or_else(bad)?,
            Field::Policy(f) => {
                *f = match value {
                    Some("switch") => BufPolicy::Switch,
                    Some("fill") => BufPolicy::Fill,
                    Some("ring") => BufPolicy::Ring,
                    _ => return Err(bad()),
                }
            }
            Field::Manual(f) => {
                *f = match value {
                    Some("manual") => true,
                    Some("auto") => false,
                    _ => return Err(bad()),
                }
            }
            Field::Encoding(f) => {
                *f = match value {
                    Some("ascii") => Encoding::Ascii,
                    Some("utf8") => Encoding::Utf8,
                    _ => return Err(bad()),
                }
            }
        }
        Ok(())
    }
}

/// A boolean option's value: present without one is true.
fn parse_flag(value: Option<&str>) -> Option<bool> {
    let Some(value) = value else { return Some(true) };
    let is = |words: &[&str]| words.iter().any(|w| value.eq_ignore_ascii_case(w));
    if is(&["", "1", "yes", "on", "true", "enable", "enabled", "set"]) {
        Some(true)
    } else if is(&["0", "no", "off", "false", "disable", "disabled", "unset"]) {
        Some(false)
    } else {
        None
    }
}

/// A size: digits and one of `k m g t`, in either case.
fn parse_size(value: &str) -> Option<u64> {
    let (digits, shift) = match value.as_bytes().last()?.to_ascii_lowercase() {
        b'k' => (&value[..value.len() - 1], 10),
        b'm' => (&value[..value.len() - 1], 20),
        b'g' => (&value[..value.len() - 1], 30),
        b't' => (&value[..value.len() - 1], 40),
        _ => (value, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A rate or interval as nanoseconds; a bare number is a frequency in hertz. 0 means "at once".
fn parse_rate(value: &str) -> Option<u64> {
    let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let (digits, unit) = value.split_at(end);
    let n: u64 = digits.parse().ok()?;
    let scale: u64 = match unit {
        "" | "hz" => return Some(1_000_000_000u64.checked_div(n).unwrap_or(0)),
        "ns" | "nsec" => 1,
        "us" | "usec" => 1_000,
        "ms" | "msec" => 1_000_000,
        "s" | "sec" => 1_000_000_000,
        "m" | "min" => 60_000_000_000,
        "h" | "hour" => 3_600_000_000_000,
        "d" | "day" => 86_400_000_000_000,
        _ => return None,
    };
    n.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_kinds() {
        let mut o = RunOptions::default();
        for (name, value) in [
            ("bufsize", Some("64k")),
            ("bufpolicy", Some("ring")),
            ("quiet", None),
            ("temporal", Some("Off")),
            ("switchrate", Some("10hz")),
            ("aggrate", Some("5ms")),
        ] {
            o.set(name, value).unwrap();
        }
        assert_eq!((o.bufsize, o.bufpolicy, o.quiet, o.temporal), (65536, BufPolicy::Ring, true, false));
        assert_eq!((o.switchrate, o.aggrate), (100_000_000, 5_000_000));
        assert!(matches!(o.set("bufsize", Some("-1")), Err(OptionError::Value { .. })));
        assert!(matches!(o.set("bufsize", Some("99999999999t")), Err(OptionError::Value { .. })));
        assert!(matches!(o.set("nosuch", None), Err(OptionError::Unknown(_))));
        assert!(matches!(o.set_live("bufsize", Some("1k")), Err(OptionError::Unknown(_))));
        o.set_live("quiet", Some("no")).unwrap();
        assert!(!o.quiet);
    }
}
