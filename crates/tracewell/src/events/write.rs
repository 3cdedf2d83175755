//! Bytes of numbers and text, without going through the formatting machinery where it counts.

use std::io::Write;

use tracewell_decode::{NamedValue, Value};
use tracewell_types::Utf16Str;
use tracewell_types::visible::{self, Keep};

/// A decimal number.
pub fn decimal(out: &mut Vec<u8>, mut n: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// A decimal number with a sign where it needs one.
pub fn signed(out: &mut Vec<u8>, n: i64) {
    if n < 0 {
        out.push(b'-');
    }
    decimal(out, n.unsigned_abs());
}

/// `0x` and hexadecimal digits.
pub fn hex(out: &mut Vec<u8>, n: u64) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"0x");
    let digits = (67 - n.leading_zeros().min(60)) / 4;
    for digit in (0..digits).rev() {
        out.push(DIGITS[(n >> (4 * digit) & 15) as usize]);
    }
}

/// Bytes as hexadecimal digits.
pub fn hex_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// Nanoseconds as seconds with nine decimals.
pub fn seconds(out: &mut Vec<u8>, ns: i64) {
    if ns < 0 {
        out.push(b'-');
    }
    let ns = ns.unsigned_abs();
    decimal(out, ns / 1_000_000_000);
    out.push(b'.');
    let mut fraction = ns % 1_000_000_000;
    let start = out.len();
    out.extend_from_slice(b"000000000");
    for at in (start..start + 9).rev() {
        if let Some(digit) = out.get_mut(at) {
            *digit = b'0' + (fraction % 10) as u8;
        }
        fraction /= 10;
    }
}

/// Nanoseconds since 1970 began as date and time of day in UTC, after ISO 8601: `2020-02-10T07:15:00.5000000Z`. The
/// seven decimals are those that Windows' clocks have.
pub fn utc(out: &mut Vec<u8>, unix_ns: i64) {
    // Days are counted from the first of March of the year 0, so that the day of a leap year comes last; every 400 years
    // have the same number of days.
    let (days, time) = (unix_ns.div_euclid(86_400_000_000_000), unix_ns.rem_euclid(86_400_000_000_000));
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let seconds = time / 1_000_000_000;
    for (number, digits, after) in [
        (year, 4, b'-'),
        (month, 2, b'-'),
        (day, 2, b'T'),
        (seconds / 3600, 2, b':'),
        (seconds / 60 % 60, 2, b':'),
        (seconds % 60, 2, b'.'),
        (time / 100 % 10_000_000, 7, b'Z'),
    ] {
        let mut power = 10_i64.pow(digits - 1);
        while power > 0 {
            out.push(b'0' + (number / power % 10) as u8);
            power /= 10;
        }
        out.push(after);
    }
}

/// Text inside a JSON string, without its quotes.
pub fn json_text(out: &mut Vec<u8>, text: &str) {
    let mut done = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match *byte {
            // Text of other scripts than Latin's first is rare: the rest goes character by character.
            0x80.. => {
                out.extend_from_slice(&bytes[done..at]);
                // All bytes before it are ASCII, so a character begins here.
                return visible::push_json(out, text.get(at..).unwrap_or_default());
            }
            byte if byte >= 0x20 && byte != b'"' && byte != b'\\' && byte != 0x7F => continue,
            _ => {}
        }
        out.extend_from_slice(&bytes[done..at]);
        json_escape(out, *byte);
        done = at + 1;
    }
    out.extend_from_slice(&bytes[done..]);
}

fn json_escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        _ => {
            let _ = write!(out, "\\u{byte:04x}");
        }
    }
}

/// UTF-16 text inside a JSON string, without its quotes.
pub fn json_utf16(out: &mut Vec<u8>, text: Utf16Str<'_>) {
    let bytes = text.as_bytes();
    let mut plain = 0;
    for unit in bytes.chunks_exact(2) {
        let byte = unit[0];
        if unit[1] != 0 || !(0x20..0x7F).contains(&byte) || byte == b'"' || byte == b'\\' {
            break;
        }
        out.push(byte);
        plain += 2;
    }
    let rest = bytes.get(plain..).unwrap_or_default();
    if rest.len() < 2 {
        return;
    }
    let mut buffer = [0; 4];
    for character in Utf16Str::from_bytes(rest).chars_lossy() {
        json_text(out, character.encode_utf8(&mut buffer));
    }
}

/// 8-bit text: as UTF-8 where it is that, else each byte as the character of the same number.
pub fn ansi(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    }
}

/// UTF-16 text.
pub fn utf16(out: &mut Vec<u8>, text: Utf16Str<'_>) {
    let mut buffer = [0; 4];
    for character in text.chars_lossy() {
        out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
    }
}

/// Text from a trace, safe to show on a terminal and all on one line; see [`visible`].
pub fn escaped(out: &mut Vec<u8>, text: &[u8]) {
    visible::push(out, text, Keep::Nothing);
}

/// A value after `name=`: as it is, or in quotes when it is empty or has a quote, a control character or one of `also` in
/// it. Inside quotes a quote is `\"`, and control characters are as in [`escaped`].
pub fn quoted(out: &mut Vec<u8>, text: &[u8], also: &[u8]) {
    let needs = |byte: &u8| *byte < 0x20 || *byte == b'"' || also.contains(byte);
    if !text.is_empty() && !text.iter().any(needs) {
        return escaped(out, text);
    }
    out.push(b'"');
    for (at, part) in text.split(|byte| *byte == b'"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\\\"");
        }
        escaped(out, part);
    }
    out.push(b'"');
}

/// A value as plain text, as [`Value::display`] shows it.
pub fn value_text(out: &mut Vec<u8>, named: &NamedValue<'_>) {
    match (&named.value, &named.field.map, named.field.hint) {
        (Value::Utf16(text), _, _) => utf16(out, *text),
        (
            Value::Unsigned(n),
            None,
            tracewell_schema::Hint::None | tracewell_schema::Hint::Tid | tracewell_schema::Hint::Pid,
        ) => {
            decimal(out, *n);
        }
        (Value::Unsigned(n), None, tracewell_schema::Hint::Hex | tracewell_schema::Hint::Address) => {
            hex(out, *n)
        }
        _ => {
            // Writing to memory cannot fail.
            let _ = write!(out, "{}", named.value.display(named.field));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(f: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        f(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers() {
        for n in [0, 9, 10, 15, 16, 255, 256, 1 << 40, u64::MAX] {
            assert_eq!(with(|o| decimal(o, n)), n.to_string());
            assert_eq!(with(|o| hex(o, n)), format!("{n:#x}"));
        }
        assert_eq!(with(|o| signed(o, i64::MIN)), i64::MIN.to_string());
        assert_eq!(with(|o| seconds(o, 1_000_000_001)), "1.000000001");
        assert_eq!(with(|o| seconds(o, -5)), "-0.000000005");
        assert_eq!(with(|o| hex_bytes(o, &[0, 255])), "00ff");
    }

    #[test]
    fn control_characters_are_escaped() {
        let shown = |text: &str| with(|o| escaped(o, text.as_bytes()));
        assert_eq!(shown("a\x1b[2J\u{9b}é\u{202e}\r\n\tC:\\new"), r"a\x1b[2J\x9bé\u202e\r\n\tC:\new");
        let shown = |text: &str| with(|o| quoted(o, text.as_bytes(), b" "));
        assert_eq!(shown("plain"), "plain");
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("say \"no\"\n"), r#""say \"no\"\n""#);
        assert_eq!(shown("\"\""), r#""\"\"""#);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let mut ns = i64::MIN;
        while ns < i64::MAX - 7_654_321_987_654_321 {
            let time = jiff::Timestamp::from_nanosecond(ns.into()).unwrap();
            // It shows time toward the past, as a clock with fewer digits would.
            let floor = jiff::Timestamp::from_nanosecond(i128::from(ns.div_euclid(100)) * 100).unwrap();
            assert_eq!(with(|o| utc(o, ns)), format!("{floor:.7}"), "{time}");
            ns += 7_654_321_987_654_321;
        }
    }

    #[test]
    fn json_texts_are_what_a_json_reader_expects() {
        for text in ["", "plain", "a\"b\\c\n\r\t\u{1}\u{7f}é€😀", "\"", "é"] {
            let quoted = format!("\"{}\"", with(|o| json_text(o, text)));
            assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let quoted = format!("\"{}\"", with(|o| json_utf16(o, Utf16Str::from_bytes(&units))));
            assert_eq!(serde_json::from_str::<String>(&quoted).unwrap(), text);
        }
    }
}
