//! Tcl's own encoding of text, which is not UTF-8: NUL is two bytes, and in Tcl 8.6 a character beyond the Basic Multilingual
//! Plane is two surrogates of three bytes each. Surrogates that are not paired occur in both majors.

/// Encodes UTF-16 units for Tcl; `nine` says whether pairs become one character of four bytes.
pub(crate) fn from_utf16(units: impl Iterator<Item = u16>, nine: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(units.size_hint().0);
    let mut units = units.peekable();
    while let Some(unit) = units.next() {
        let low = units.peek().copied().filter(|low| matches!(low, 0xDC00..=0xDFFF));
        if let (true, 0xD800..=0xDBFF, Some(low)) = (nine, unit, low) {
            units.next();
            let scalar = 0x1_0000 + ((u32::from(unit) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
            out.extend([
                0xF0 | (scalar >> 18) as u8,
                0x80 | (scalar >> 12 & 63) as u8,
                0x80 | (scalar >> 6 & 63) as u8,
                0x80 | (scalar & 63) as u8,
            ]);
            continue;
        }
        match unit {
            1..=0x7F => out.push(unit as u8),
            0 | 0x80..=0x7FF => out.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 63) as u8]),
            _ => out.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 63) as u8,
                0x80 | (unit & 63) as u8,
            ]),
        }
    }
    out
}

/// The next character in Tcl's encoding: its number and its length in bytes. A byte that does not begin a character
/// represents itself, as in Tcl.
#[inline]
fn next(bytes: &[u8]) -> Option<(u32, usize)> {
    let tail = |at: usize| bytes.get(at).filter(|b| **b & 0xC0 == 0x80).map(|b| u32::from(*b & 63));
    let first = *bytes.first()?;
    let lead = u32::from(first);
    Some(match first {
        0xC0..=0xDF => tail(1).map_or((lead, 1), |a| ((lead & 31) << 6 | a, 2)),
        0xE0..=0xEF => match (tail(1), tail(2)) {
            (Some(a), Some(b)) => ((lead & 15) << 12 | a << 6 | b, 3),
            _ => (lead, 1),
        },
        0xF0..=0xF4 => match (tail(1), tail(2), tail(3)) {
            (Some(a), Some(b), Some(c)) => ((lead & 7) << 18 | a << 12 | b << 6 | c, 4),
            _ => (lead, 1),
        },
        _ => (lead, 1),
    })
}

/// Appends the ASCII that text begins with as little-endian UTF-16; gives its length.
#[inline]
fn push_ascii(bytes: &[u8], out: &mut Vec<u8>) -> usize {
    // Long runs by the piece, which the compiler turns into a few vector instructions.
    let mut done = 0;
    for piece in bytes.chunks_exact(16) {
        if !piece.is_ascii() {
            break;
        }
        let mut wide = [0; 32];
        for (unit, byte) in wide.chunks_exact_mut(2).zip(piece) {
            unit[0] = *byte;
        }
        out.extend_from_slice(&wide);
        done += 16;
    }
    for byte in &bytes[done..] {
        if *byte >= 0x80 {
            break;
        }
        out.extend_from_slice(&[*byte, 0]);
        done += 1;
    }
    done
}

/// Appends text as little-endian UTF-16.
#[inline]
pub(crate) fn push_utf16(bytes: &[u8], out: &mut Vec<u8>) {
    push(bytes, out, false);
}

/// Appends text as little-endian UTF-16 up to the first zero; whether there was none.
#[inline]
pub(crate) fn push_utf16_to_zero(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    push(bytes, out, true)
}

#[inline]
fn push(bytes: &[u8], out: &mut Vec<u8>, stop_at_zero: bool) -> bool {
    out.reserve(bytes.len() * 2);
    let mut rest = bytes;
    loop {
        rest = &rest[push_ascii(rest, out)..];
        let Some((scalar, size)) = next(rest) else { return true };
        rest = &rest[size..];
        match u16::try_from(scalar) {
            // Tcl writes it as two bytes, so it is not among the ASCII.
            Ok(0) if stop_at_zero => return false,
            Ok(unit) => out.extend_from_slice(&unit.to_le_bytes()),
            Err(_) => {
                let above = scalar.saturating_sub(0x1_0000) & 0xF_FFFF;
                out.extend_from_slice(&(0xD800 + (above >> 10) as u16).to_le_bytes());
                out.extend_from_slice(&(0xDC00 + (above & 0x3FF) as u16).to_le_bytes());
            }
        }
    }
}

/// The text as a `String`; unpaired surrogates become U+FFFD.
pub(crate) fn to_string(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut wide = Vec::new();
    push_utf16(bytes, &mut wide);
    tracewell_types::Utf16Str::from_bytes(&wide).to_string()
}

/// Longest text of a limited field, in characters; a longer one is cut, see [`limited`].
const LIMIT: usize = 80;

/// The length to keep of a limited field: all of it up to 80 characters, otherwise the bytes of the first 78, which three
/// dots follow. (That makes 81; TWAPI's tests have such text.)
#[inline]
pub(crate) fn limited(bytes: &[u8]) -> (&[u8], bool) {
    if bytes.len() <= LIMIT {
        return (bytes, false);
    }
    if bytes[..=LIMIT].is_ascii() {
        return (&bytes[..LIMIT - 2], true);
    }
    let mut starts = bytes.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80).map(|(at, _)| at);
    match (starts.nth(LIMIT - 2), starts.nth(1)) {
        (Some(cut), Some(_)) => (&bytes[..cut], true),
        _ => (bytes, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_come_back_as_the_same_units() {
        let units = [0x61, 0, 0xE9, 0x20AC, 0xD83D, 0xDE00, 0xDC00, 0xD800, 0x62];
        let wide: Vec<u8> = units.iter().flat_map(|unit: &u16| unit.to_le_bytes()).collect();
        for nine in [false, true] {
            let tcl = from_utf16(units.into_iter(), nine);
            assert!(tcl.starts_with(&[0x61, 0xC0, 0x80, 0xC3, 0xA9, 0xE2, 0x82, 0xAC]));
            let mut back = Vec::new();
            push_utf16(&tcl, &mut back);
            assert_eq!(back, wide);
        }
        let pair = [0xD83D, 0xDE00];
        assert_eq!(from_utf16(pair.into_iter(), false), [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]);
        assert_eq!(from_utf16(pair.into_iter(), true), "\u{1F600}".as_bytes());
        assert_eq!(to_string(&from_utf16(pair.into_iter(), false)), "\u{1F600}");
    }

    #[test]
    fn broken_text_is_taken_byte_for_byte() {
        for bytes in [&b"\xC3"[..], b"\xE2\x82", b"\xF0\x9F", b"\x80\xFF"] {
            let mut wide = Vec::new();
            push_utf16(bytes, &mut wide);
            assert_eq!(wide.len() % 2, 0);
            assert!(!wide.is_empty());
        }
    }

    #[test]
    fn eighty_characters_stay_and_one_more_is_cut_to_seventy_eight() {
        for character in ["a", "\u{E9}", "\u{20AC}"] {
            let (whole, cut) = (character.repeat(80), character.repeat(81));
            assert_eq!(limited(whole.as_bytes()), (whole.as_bytes(), false));
            let (kept, dots) = limited(cut.as_bytes());
            assert!(dots);
            assert_eq!(kept, character.repeat(78).as_bytes());
        }
    }
}
