//! Text in bytes that no description explains.
//!
//! A guess, which callers mark as one: a run of characters that looks like text may be something else.

use std::iter;

use tracewell_types::Utf16Str;

/// Text that bytes seem to contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundText {
    /// Where it begins.
    pub offset: usize,
    /// Whether it is UTF-16, else UTF-8.
    pub wide: bool,
    /// The text, without its terminator.
    pub text: String,
}

/// Fewest characters of a text.
const LEAST: usize = 4;
/// Fewest characters of UTF-8 that neither a NUL nor the end of the bytes follows: other data looks like short ones.
const LEAST_OPEN: usize = 8;
/// Most characters of a text that are kept.
const MOST: usize = 1024;

/// The texts in bytes, in order: UTF-16 at any offset, and UTF-8.
pub fn texts(bytes: &[u8]) -> impl Iterator<Item = FoundText> {
    let mut at = 0;
    iter::from_fn(move || {
        while at < bytes.len() {
            let rest = bytes.get(at..)?;
            let offset = at;
            if let Some((text, used)) = wide(rest) {
                at += used;
                return Some(FoundText { offset, wide: true, text });
            }
            if let Some((text, used)) = narrow(rest) {
                at += used;
                return Some(FoundText { offset, wide: false, text });
            }
            at += 1;
        }
        None
    })
}

fn is_of_text(character: char) -> bool {
    character.is_alphanumeric() || character.is_ascii_graphic() || character == ' '
}

/// UTF-16 at the beginning of bytes, and how many bytes it takes. Units beyond ASCII must be of one block of 256
/// characters: numbers in a row seldom are.
fn wide(bytes: &[u8]) -> Option<(String, usize)> {
    let (units, _) = bytes.as_chunks::<2>();
    let mut block = None;
    let is_part = |unit: &&[u8; 2]| {
        let [low, high] = **unit;
        let character = char::from_u32(u32::from(u16::from_le_bytes([low, high])));
        character.is_some_and(is_of_text) && (high == 0 && low < 0x80 || *block.get_or_insert(high) == high)
    };
    let count = units.iter().take_while(is_part).count();
    if count < LEAST {
        return None;
    }
    let text = Utf16Str::from_bytes(bytes.get(..2 * count)?);
    let terminator = if units.get(count) == Some(&[0, 0]) { 2 } else { 0 };
    Some((text.chars_lossy().take(MOST).collect(), 2 * count + terminator))
}

/// UTF-8 at the beginning of bytes, and how many bytes it takes.
fn narrow(bytes: &[u8]) -> Option<(String, usize)> {
    let valid = bytes.utf8_chunks().next()?.valid();
    let end = valid.find(|character| !is_of_text(character)).unwrap_or(valid.len());
    let text = valid.get(..end)?;
    let is_closed = matches!(bytes.get(end), None | Some(0));
    let count = text.chars().count();
    if count < if is_closed { LEAST } else { LEAST_OPEN } {
        return None;
    }
    Some((text.chars().take(MOST).collect(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Vec<(usize, bool, String)> {
        texts(bytes).map(|found| (found.offset, found.wide, found.text)).collect()
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn text_is_found_among_numbers() {
        let mut bytes = vec![7, 0, 0, 0, 0xff, 0xff];
        bytes.extend(utf16("DESKTOP-7\0"));
        bytes.extend([1, 0, 2, 0, 3]);
        bytes.extend(b"kerberos\0\x01\x02");
        bytes.extend(utf16("Мария\0"));
        assert_eq!(
            found(&bytes),
            [
                (6, true, "DESKTOP-7".to_owned()),
                (31, false, "kerberos".to_owned()),
                (42, true, "Мария".to_owned())
            ]
        );
    }

    /// ASCII goes with characters of one other block, and any number of them; the shortest text has [`LEAST`] characters.
    #[test]
    fn issue_23_all_of_ascii_and_one_block_are_one_text() {
        let ascii: String = (' '..='~').filter(|c| is_of_text(*c)).collect();
        for text in [&format!("{ascii}ж"), &format!("ж{ascii}"), "жabж", "1234"] {
            assert_eq!(found(&utf16(&format!("{text}\0"))), [(0, true, text.to_string())]);
        }
        assert_eq!(found(&utf16("жabcαγδ")), [(0, true, "жabc".to_owned())]);
        assert_eq!(found(&utf16("жabαγδ")), [(2, true, "abαγδ".to_owned())]);
    }

    #[test]
    fn numbers_are_no_text() {
        assert_eq!(found(&[]), []);
        assert_eq!(found(&[0x41, 0, 0, 0, 0x42, 0, 0, 0]), []);
        assert_eq!(found(&0xffff_f800_1234_5678_u64.to_le_bytes()), []);
        assert_eq!(found(b"abc\0"), []);
        assert_eq!(found(b"abcde\x01"), [], "a short run that nothing ends");
        let bytes: Vec<u8> = (0..512u32).flat_map(|n| (n * 977).to_le_bytes()).collect();
        assert_eq!(found(&bytes), []);
    }
}
