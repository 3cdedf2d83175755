//! Texts of integer constants.

use crate::ast::IntLit;
use crate::tags::Tag;

/// Returns `true` if a whole text has the form of an integer constant (its digits may still be
/// wrong).
pub(super) fn looks_like_int(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit) && int_len(text) == text.len()
}

/// Length of the integer constant that `text` starts with: digits and suffix.
pub(super) fn int_len(text: &[u8]) -> usize {
    let hex = matches!(text, [b'0', b'x' | b'X', d, ..] if d.is_ascii_hexdigit());
    let mut len = if hex { 2 } else { 0 };
    let digit = |b: &u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    while text.get(len).is_some_and(digit) {
        len += 1;
    }
    if matches!(text.get(len), Some(b'u' | b'U')) {
        len += 1;
    }
    for _ in 0..2 {
        if matches!(text.get(len), Some(b'l' | b'L')) {
            len += 1;
        }
    }
    len
}

/// Parses an integer constant of the form that [`looks_like_int`] accepts.
pub(crate) fn parse_int_text(text: &[u8]) -> Result<IntLit, (Tag, String)> {
    let shown = || String::from_utf8_lossy(text).into_owned();
    let (base, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => (8, rest),
        _ => (10, text),
    };
    let (mut value, mut unsigned, mut longs) = (0u64, false, 0u8);
    let mut too_large = false;
    for &b in digits {
        match b {
            b'u' | b'U' => unsigned = true,
            b'l' | b'L' => longs += 1,
            _ => {
                let Some(digit) = char::from(b).to_digit(base) else {
                    let message =
                        format!("integer constant {} has the invalid digit '{}'", shown(), char::from(b));
                    return Err((Tag::IntDigit, message));
                };
                match value.checked_mul(u64::from(base)).and_then(|v| v.checked_add(u64::from(digit))) {
                    Some(v) => value = v,
                    None => too_large = true,
                }
            }
        }
    }
    let decimal = base == 10;
    if too_large || (decimal && !unsigned && value > i64::MAX as u64) {
        return Err((
            Tag::IntOflow,
            format!("integer constant {} is too large for any integer type", shown()),
        ));
    }
    Ok(IntLit { value, is_char: false, decimal, unsigned, longs })
}
