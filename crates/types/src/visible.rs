//! Text from strangers, made safe to show.
//!
//! Names and strings of a trace, a script or a symbol file may hold characters that act on a terminal or reorder the text
//! around them. Every part of the project that shows such text goes through this module. [`is_active`] alone decides which
//! characters those are.

use std::borrow::Cow;

/// Returns `true` if a character acts on what shows it rather than being shown: control characters of C0 and C1, marks that
/// change the direction of text, separators of lines and paragraphs, and invisible tags.
#[must_use]
pub const fn is_active(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
    )
}

/// Which active characters stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// None: the text stays on its line.
    Nothing,
    /// Tabs and line breaks: `\t`, `\n`, and `\r` before `\n`.
    Layout,
}

/// Returns text with its active characters as `\r`, `\n`, `\t`, `\x1b` or `\u202e`. A backslash stays as it is.
#[must_use]
pub fn escape(text: &str, keep: Keep) -> Cow<'_, str> {
    match escape_bytes(text.as_bytes(), keep) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        // What is made of UTF-8 is UTF-8.
        Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
    }
}

/// The same for text that may not be UTF-8: a byte that is not becomes `\x9b`.
#[must_use]
pub fn escape_bytes(text: &[u8], keep: Keep) -> Cow<'_, [u8]> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    push(&mut out, text, keep);
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Appends what [`escape_bytes`] returns.
pub fn push(out: &mut Vec<u8>, text: &[u8], keep: Keep) {
    if is_plain(text) {
        return out.extend_from_slice(text);
    }
    for chunk in text.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(c) = characters.next() {
            let stays = match c {
                '\t' | '\n' => keep == Keep::Layout,
                '\r' => keep == Keep::Layout && characters.peek() == Some(&'\n'),
                c => !is_active(c),
            };
            if stays {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                push_escaped(out, c);
            }
        }
        for byte in chunk.invalid() {
            out.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
        }
    }
}

/// Returns `true` if all bytes are visible characters of ASCII.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    plain_length(text, []) == text.len()
}

/// Returns the number of bytes at the start of a text that are visible characters of ASCII and not `except`.
///
/// ```
/// use tracewell_types::visible::plain_length;
///
/// assert_eq!(plain_length(b"a \"quoted\" word", [b'"']), 2);
/// assert_eq!(plain_length("na\u{ef}ve".as_bytes(), []), 2);
/// ```
#[inline]
#[must_use]
pub fn plain_length<const N: usize>(text: &[u8], except: [u8; N]) -> usize {
    let first = |marks: u64| marks.trailing_zeros() as usize / 8;
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let marks = marks(u64::from_le_bytes(*word), except);
        if marks != 0 {
            return at * 8 + first(marks);
        }
    }
    if let (Some(low), Some(high)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        // The two halves overlap, unless there are eight bytes.
        let (low, high) = (u32::from_le_bytes(*low), u32::from_le_bytes(*high));
        let marks = marks(u64::from(low) | u64::from(high) << 32, except);
        return match first(marks) {
            8 => text.len(),
            at @ 0..4 => words.len() * 8 + at,
            at => text.len() + at - 8,
        };
    }
    let is_special = |byte: &u8| !(0x20..0x7f).contains(byte) || except.contains(byte);
    words.len() * 8 + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Sets the highest bit of the first byte of a word that is not visible ASCII or is one of `except`. Bits of bytes above it
/// may be set without reason, because the subtractions borrow from them.
#[inline]
fn marks<const N: usize>(word: u64, except: [u8; N]) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    let mut marks = word | word.wrapping_sub(ONES * 0x20) | word.wrapping_add(ONES);
    for byte in except {
        let differs = word ^ (ONES * u64::from(byte));
        marks |= differs.wrapping_sub(ONES) & !differs;
    }
    marks & (ONES * 0x80)
}

fn push_escaped(out: &mut Vec<u8>, c: char) {
    match (c, u32::from(c)) {
        ('\r', _) => out.extend_from_slice(b"\\r"),
        ('\n', _) => out.extend_from_slice(b"\\n"),
        ('\t', _) => out.extend_from_slice(b"\\t"),
        (_, code @ 0..=0xff) => out.extend_from_slice(format!("\\x{code:02x}").as_bytes()),
        (_, code @ 0x100..=0xffff) => out.extend_from_slice(format!("\\u{code:04x}").as_bytes()),
        (_, code) => out.extend_from_slice(format!("\\u{{{code:x}}}").as_bytes()),
    }
}

/// Appends text as the inside of a JSON string. Active characters become `\u001b`, so that a reader of JSON gets the text
/// exactly and a terminal gets none of them.
pub fn push_json(out: &mut Vec<u8>, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            c if is_active(c) => push_units(out, c),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Returns a JSON document without active characters in its strings. Line breaks between values stay.
#[must_use]
pub fn json_document(document: String) -> String {
    if !document.chars().any(|c| is_active(c) && c != '\n') {
        return document;
    }
    let mut out = Vec::with_capacity(document.len() + 16);
    for c in document.chars() {
        match c {
            '\n' => out.push(b'\n'),
            c if is_active(c) => push_units(&mut out, c),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The UTF-16 units of a character as JSON and Tcl write them.
pub fn push_units(out: &mut Vec<u8>, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_at_every_place() {
        let naive = |text: &[u8], except: &[u8]| {
            let special = |byte: &u8| !(0x20..0x7f).contains(byte) || except.contains(byte);
            text.iter().position(special).unwrap_or(text.len())
        };
        for length in 0..28 {
            for (at, second) in (0..length).flat_map(|at| (at..length).map(move |second| (at, second))) {
                for byte in 0..=u8::MAX {
                    // Bytes that differ in one bit from those that are looked for.
                    let around = [b'#', b'"', b']', 0x7e, b' ', b'!'][(at + second + usize::from(byte)) % 6];
                    let mut text = vec![around; length];
                    (text[at], text[second]) = (byte, byte ^ 1);
                    assert_eq!(plain_length(&text, []), naive(&text, b""), "{text:?}");
                    assert_eq!(plain_length(&text, *b"\"\\"), naive(&text, b"\"\\"), "{text:?}");
                    assert_eq!(plain_length(&text, *b"; \""), naive(&text, b"; \""), "{text:?}");
                }
            }
        }
    }

    /// A text with a character of every kind that acts.
    const ACTIVE: &str = "\0\x07\x08\x1b[2J\x7f\u{85}\u{9b}31m\u{61c}\u{200e}\u{200f}\u{2028}\u{202e}\u{2066}\u{2069}\u{feff}\u{e0041}";

    #[test]
    fn issue_14_active_characters_are_escaped() {
        let shown = escape(ACTIVE, Keep::Layout);
        assert_eq!(
            shown,
            r"\x00\x07\x08\x1b[2J\x7f\x85\x9b31m\u061c\u200e\u200f\u2028\u202e\u2066\u2069\ufeff\u{e0041}"
        );
        assert!(!shown.chars().any(is_active));
        assert_eq!(escape("a\tb\r\nc\rd", Keep::Layout), "a\tb\r\nc\\rd");
        assert_eq!(escape("a\tb\r\nc\rd", Keep::Nothing), r"a\tb\r\nc\rd");
        // What can be seen stays, and is not copied.
        for plain in ["", "C:\\Windows\\x1b", "Grüße 世界 😀 \u{200d}", "it's 100 %"] {
            assert!(matches!(escape(plain, Keep::Nothing), Cow::Borrowed(same) if same == plain), "{plain}");
        }
    }

    #[test]
    fn issue_14_bytes_that_are_not_text_are_escaped() {
        assert_eq!(&*escape_bytes(b"a\x9b2J\xc2", Keep::Nothing), br"a\x9b2J\xc2");
        // Neither of two texts can leave a part that the other completes.
        let (first, second) = ("\u{9b}".as_bytes().split_at(1).0, "\u{9b}".as_bytes().split_at(1).1);
        assert_eq!(
            [&*escape_bytes(first, Keep::Layout), &*escape_bytes(second, Keep::Layout)].concat(),
            br"\xc2\x9b"
        );
        // All texts of three bytes of which each may be part of a mark.
        let bytes = [b'a', 0x1b, 0x9b, 0xc2, 0xe2, 0x80, 0x81, 0xae, 0xa6, 0xf3, 0xa0];
        for one in bytes {
            for two in bytes {
                for three in bytes {
                    let shown = escape_bytes(&[one, two, three], Keep::Nothing).into_owned();
                    let text = String::from_utf8(shown).expect("UTF-8");
                    assert!(!text.chars().any(is_active), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn issue_14_json_says_the_same_without_active_characters() {
        let mut out = Vec::new();
        push_json(&mut out, "\u{9b}\"\\\n\u{202e}\u{e0041}é");
        assert_eq!(String::from_utf8_lossy(&out), r#"\u009b\"\\\n\u202e\udb40\udc41é"#);
        assert_eq!(json_document("{\"a\":\"\u{9b}\"}\n".to_owned()), "{\"a\":\"\\u009b\"}\n");
    }
}
