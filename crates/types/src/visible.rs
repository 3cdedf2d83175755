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
    text.iter().all(|byte| (0x20..0x7f).contains(byte))
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
