//! Borrowed UTF-16 text as traces hold it.

use std::fmt::{self, Write};

/// Little-endian UTF-16 bytes, borrowed in place: unaligned, unchecked and lossless.
///
/// Windows allows any 16-bit units in names, so the bytes are kept, and only `Display` replaces
/// unpaired surrogates (by U+FFFD). An odd last byte is ignored. Two values are equal if their bytes
/// are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Utf16Str<'a>(&'a [u8]);

impl<'a> Utf16Str<'a> {
    /// All bytes given, without looking for a terminator.
    #[must_use]
    pub const fn from_bytes(bytes: &'a [u8]) -> Utf16Str<'a> {
        Utf16Str(bytes)
    }

    /// The text up to the first zero unit and the number of bytes it takes with its terminator.
    ///
    /// Without a terminator the text runs to the end of the bytes and so does the length.
    #[must_use]
    pub fn until_nul(bytes: &'a [u8]) -> (Utf16Str<'a>, usize) {
        match first_nul(bytes) {
            Some(units) => (Utf16Str(&bytes[..units * 2]), units * 2 + 2),
            None => (Utf16Str(bytes), bytes.len()),
        }
    }

    /// The bytes, as they are in the file.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Number of 16-bit units.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len() / 2
    }

    /// Returns `true` if there is no unit at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.len() < 2
    }

    /// The 16-bit units in order.
    pub fn units(&self) -> impl Iterator<Item = u16> + use<'a> {
        self.0.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
    }

    /// The characters in order, with unpaired surrogates replaced by U+FFFD.
    pub fn chars_lossy(&self) -> impl Iterator<Item = char> + use<'a> {
        char::decode_utf16(self.units()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Returns `true` if the text is exactly `other`, without making a `String`.
    #[must_use]
    pub fn eq_str(&self, other: &str) -> bool {
        self.units().eq(other.encode_utf16())
    }

    /// Returns `true` if the text is `other` when ASCII letters are compared without case.
    #[must_use]
    pub fn eq_str_ignore_ascii_case(&self, other: &str) -> bool {
        let lower = |unit: u16| match u8::try_from(unit) {
            Ok(byte) => u16::from(byte.to_ascii_lowercase()),
            Err(_) => unit,
        };
        self.units().map(lower).eq(other.encode_utf16().map(lower))
    }
}

/// The index of the first zero unit.
#[inline]
fn first_nul(bytes: &[u8]) -> Option<usize> {
    // Four units at a time: subtracting one from each borrows into the high bit of a unit that was zero. A borrow can
    // also reach the units above it, so the words only show where to look.
    const ONES: u64 = 0x0001_0001_0001_0001;
    const HIGHS: u64 = 0x8000_8000_8000_8000;
    let (words, _) = bytes.as_chunks::<8>();
    let has_zero = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        word.wrapping_sub(ONES) & !word & HIGHS != 0
    };
    let skipped = words.iter().position(has_zero).unwrap_or(words.len()) * 4;
    let rest = bytes.get(skipped * 2..)?;
    rest.chunks_exact(2).position(|unit| unit == [0, 0]).map(|at| skipped + at)
}

impl fmt::Display for Utf16Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars_lossy().try_for_each(|c| f.write_char(c))
    }
}

impl fmt::Debug for Utf16Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.chars_lossy().flat_map(char::escape_debug).try_for_each(|c| f.write_char(c))?;
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(units: &[u16]) -> Vec<u8> {
        units.iter().flat_map(|u| u.to_le_bytes()).collect()
    }

    #[test]
    fn terminator_ends_the_text_and_is_counted() {
        let data = bytes(&[b'a'.into(), 0x20AC, 0, b'x'.into()]);
        let (text, used) = Utf16Str::until_nul(&data);
        assert_eq!((text.to_string().as_str(), used, text.len()), ("a€", 6, 2));
        let (text, used) = Utf16Str::until_nul(&data[..5]);
        assert_eq!((text.len(), used), (2, 5), "an odd byte is no unit but is used up");
    }

    #[test]
    fn a_terminator_is_found_at_every_position() {
        for length in 0..40usize {
            for filler in [1u16, 0x0100, 0x8000, 0xFFFF] {
                let mut units = vec![filler; length];
                units.extend([0, filler, 0]);
                let data = bytes(&units);
                let (text, used) = Utf16Str::until_nul(&data);
                assert_eq!((text.len(), used), (length, length * 2 + 2));
                let (text, used) = Utf16Str::until_nul(&data[..length * 2]);
                assert_eq!((text.len(), used), (length, length * 2));
            }
        }
    }

    #[test]
    fn a_zero_byte_inside_a_unit_is_no_terminator() {
        let data = bytes(&[0x0100, 0x0061, 0]);
        assert_eq!(Utf16Str::until_nul(&data).0.to_string(), "\u{100}a");
    }

    #[test]
    fn bad_surrogates_show_as_replacement_and_good_pairs_join() {
        let data = bytes(&[0xD83D, 0xDE00, 0xD83D, b'!'.into(), 0xDE00]);
        let text = Utf16Str::from_bytes(&data);
        assert_eq!(text.to_string(), "😀\u{FFFD}!\u{FFFD}");
        assert_eq!(text.as_bytes(), data, "nothing is lost");
        assert_eq!(format!("{:?}", Utf16Str::from_bytes(&bytes(&[10, b'"'.into()]))), "\"\\n\\\"\"");
    }

    #[test]
    fn compares_with_str() {
        let data: Vec<u8> = "Notepad.EXE€".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let text = Utf16Str::from_bytes(&data);
        assert!(text.eq_str("Notepad.EXE€") && !text.eq_str("notepad.exe€") && !text.eq_str("Notepad"));
        assert!(
            text.eq_str_ignore_ascii_case("notepad.exe€") && !text.eq_str_ignore_ascii_case("notepad.exe")
        );
    }
}
