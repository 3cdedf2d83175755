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
    // Text of other scripts than Latin's first is rare: the rest goes character by character. All bytes before it are ASCII, so a
    // character begins there.
    let rest = text.get(json_ascii(out, text.as_bytes())..).unwrap_or_default();
    if !rest.is_empty() {
        visible::push_json(out, rest);
    }
}

/// Appends the ASCII that a text begins with, and returns its length.
fn json_ascii(out: &mut Vec<u8>, text: &[u8]) -> usize {
    let mut rest = text;
    loop {
        let (plain, special) = rest.split_at(visible::plain_length(rest, *b"\"\\"));
        out.extend_from_slice(plain);
        match special {
            [byte @ 0..=0x7F, after @ ..] => {
                json_escape(out, *byte);
                rest = after;
            }
            _ => return text.len() - special.len(),
        }
    }
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
    let (mut units, _) = text.as_bytes().as_chunks::<2>();
    let mut block = [0; 64];
    loop {
        let ascii = ascii_of(units, &mut block);
        json_ascii(out, ascii);
        units = units.get(ascii.len()..).unwrap_or_default();
        if ascii.len() < block.len() {
            break;
        }
    }
    if units.is_empty() {
        return;
    }
    let mut buffer = [0; 4];
    for character in Utf16Str::from_bytes(units.as_flattened()).chars_lossy() {
        json_text(out, character.encode_utf8(&mut buffer));
    }
}

/// Returns the ASCII that UTF-16 begins with, as much as `block` has room for.
fn ascii_of<'b>(units: &[[u8; 2]], block: &'b mut [u8; 64]) -> &'b [u8] {
    let mut count = 0;
    for (four, narrow) in units.as_chunks::<4>().0.iter().zip(block.as_chunks_mut::<4>().0) {
        let [[a, a2], [b, b2], [c, c2], [d, d2]] = *four;
        if (a | b | c | d) & 0x80 != 0 || a2 | b2 | c2 | d2 != 0 {
            break;
        }
        *narrow = [a, b, c, d];
        count += 4;
    }
    for (unit, narrow) in units.iter().zip(&mut *block).skip(count) {
        if unit[1] != 0 || unit[0] >= 0x80 {
            break;
        }
        *narrow = unit[0];
        count += 1;
    }
    &block[..count]
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

/// A value after `name=`: as it is, or in quotes when it is empty or has a control character or one of `special` in it; a quote
/// is one of them. Inside quotes a quote is `\"`, and control characters are as in [`escaped`].
pub fn quoted<const N: usize>(out: &mut Vec<u8>, text: &[u8], special: [u8; N]) {
    if is_unquoted(text, special) {
        return out.extend_from_slice(text);
    }
    let is_special = |byte: &u8| *byte < 0x20 || special.contains(byte);
    if !text.is_empty() && !text.iter().any(is_special) {
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

/// Returns `true` if [`quoted`] adds a text as it is because it has only visible ASCII that is not special.
#[inline]
pub fn is_unquoted<const N: usize>(text: &[u8], special: [u8; N]) -> bool {
    !text.is_empty() && visible::plain_length(text, special) == text.len()
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
        let shown = |text: &str| with(|o| quoted(o, text.as_bytes(), *b"\" "));
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
    fn every_character_is_found_at_every_place_of_a_json_text() {
        // A block of UTF-16 has 64 units.
        for length in (0..20).chain(60..70).chain([128, 130]) {
            for at in (0..length).filter(|at| length < 20 || at % 64 < 2 || at % 64 > 61) {
                for number in (0..0x180).chain([0x202e, 0x2200, 0x2222, 0x5c00, 0xfeff, 0x1f600]) {
                    let Some(character) = char::from_u32(number) else { continue };
                    for around in ['a', '#', '"', '~', ']', ' '] {
                        let mut text = vec![around; length];
                        text[at] = character;
                        let text: String = text.into_iter().collect();
                        let expected = with(|out| visible::push_json(out, &text));
                        assert_eq!(with(|out| json_text(out, &text)), expected, "{text:?}");
                        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                        assert_eq!(
                            with(|out| json_utf16(out, Utf16Str::from_bytes(&units))),
                            expected,
                            "{text:?}"
                        );
                    }
                }
            }
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
