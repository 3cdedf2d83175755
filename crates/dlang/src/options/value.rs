//! Values of options: parsing of flags, sizes, rates and the rest.

use super::kind::Kind;

/// An option's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a flag.
    Flag(bool),
    /// A whole number.
    Int(u64),
    /// Bytes.
    Size(u64),
    /// An interval in nanoseconds.
    Rate(u64),
    /// A text or one of a choice of words.
    Text(String),
    /// Texts in the order they were given.
    List(Vec<String>),
}

impl Value {
    /// Parses a value of that kind; `None` when the text is not one.
    #[must_use]
    pub fn parse(kind: Kind, text: &str) -> Option<Value> {
        match kind {
            Kind::Flag if is_true(text) => Some(Value::Flag(true)),
            Kind::Flag => FALSE.iter().any(|w| text.eq_ignore_ascii_case(w)).then_some(Value::Flag(false)),
            Kind::Int => parse_int(text).map(Value::Int),
            Kind::Size => parse_size(text).map(Value::Size),
            Kind::Rate => parse_rate(text).map(Value::Rate),
            Kind::Version => parse_version(text).map(|_| Value::Text(text.to_string())),
            Kind::Text => Some(Value::Text(text.to_string())),
            Kind::List => Some(Value::List(vec![text.to_string()])),
            Kind::Choice(words) => words.contains(&text).then(|| Value::Text(text.to_string())),
        }
    }
}

const TRUE: &[&str] = &["yes", "on", "true", "enable", "enabled", "set", "1"];
const FALSE: &[&str] = &["no", "off", "false", "disable", "disabled", "unset", "0"];

/// Returns `true` if a text is one of the words that turn a flag on, in any case.
#[must_use]
pub fn is_true(text: &str) -> bool {
    TRUE.iter().any(|w| text.eq_ignore_ascii_case(w))
}

/// A whole number: decimal, octal after `0`, or hexadecimal after `0x`.
fn parse_int(text: &str) -> Option<u64> {
    let (base, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, text.get(2..)?),
        [b'0', _, ..] => (8, text.get(1..)?),
        _ => (10, text),
    };
    // from_str_radix would take a sign.
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, base).ok()
}

/// Splits a text after its leading digits.
fn split_digits(text: &str) -> Option<(u64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = text.split_at(len);
    Some((digits.parse().ok()?, unit))
}

/// A number of bytes: `512`, `0x200`, `4k`, `16m`, `1g`, `2t`, in any case.
#[must_use]
pub fn parse_size(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
    }
    let (number, unit) = split_digits(text)?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return None,
    };
    number.checked_mul(1 << shift)
}

/// The newest version of each line of D: of illumos, and of Oracle's port.
const NEWEST: &[(u16, u16)] = &[(1, 14), (2, 0)];

/// A version of D that there is: its major and minor number; a micro number may follow.
#[must_use]
pub fn parse_version(text: &str) -> Option<(u16, u16)> {
    let mut parts = text.split('.').map(|part| part.parse::<u16>().ok());
    let (major, minor) = (parts.next()??, parts.next()??);
    if let Some(micro) = parts.next() {
        micro?;
    }
    let known = NEWEST.iter().any(|&(line, newest)| line == major && minor <= newest);
    (known && parts.next().is_none()).then_some((major, minor))
}

/// An interval in nanoseconds, from a rate (`10hz`, or a bare number) or an interval with its unit.
#[must_use]
pub fn parse_rate(text: &str) -> Option<u64> {
    let (number, unit) = split_digits(text)?;
    let scale: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "hz" => return Some(1_000_000_000u64.checked_div(number).unwrap_or(0)),
        "ns" | "nsec" => 1,
        "us" | "usec" => 1_000,
        "ms" | "msec" => 1_000_000,
        "s" | "sec" => 1_000_000_000,
        "m" | "min" => 60 * 1_000_000_000,
        "h" | "hour" => 3_600 * 1_000_000_000,
        "d" | "day" => 86_400 * 1_000_000_000,
        _ => return None,
    };
    number.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_and_no_sign() {
        assert_eq!(parse_size("100t"), Some(100 << 40));
        assert_eq!(parse_size("4K"), Some(4096));
        assert_eq!(parse_size("0x1f"), Some(31));
        assert_eq!(parse_size("0"), Some(0));
        for bad in ["-40", "+1", "1b", "", "k", "1kk", "99999999999t", "245566729809009887663"] {
            assert_eq!(parse_size(bad), None, "{bad}");
        }
    }

    #[test]
    fn versions_are_those_that_exist() {
        assert_eq!(parse_version("1.6"), Some((1, 6)));
        assert_eq!(parse_version("1.6.3"), Some((1, 6)));
        for bad in ["1", "99.1", "1.15", "a.b", "1.2.3.4", "1.-1", ""] {
            assert_eq!(parse_version(bad), None, "{bad}");
        }
    }

    #[test]
    fn rates_become_intervals() {
        assert_eq!(parse_rate("1000"), Some(1_000_000));
        assert_eq!(parse_rate("3000hz"), Some(333_333));
        assert_eq!(parse_rate("500msec"), Some(500_000_000));
        assert_eq!(parse_rate("1nsec"), Some(1));
        assert_eq!(parse_rate("2m"), Some(120_000_000_000));
        assert_eq!(parse_rate("0"), Some(0));
        for bad in ["0.5hz", "hz", "", "-1", "1fortnight", "999999999999999d"] {
            assert_eq!(parse_rate(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_are_as_in_c() {
        assert_eq!(parse_int("010"), Some(8));
        assert_eq!(parse_int("0x1f"), Some(31));
        assert_eq!(parse_int("0"), Some(0));
        for bad in ["-72", "+1", "", "0x", "0x-1", "08", "1 "] {
            assert_eq!(parse_int(bad), None, "{bad}");
        }
    }
}
