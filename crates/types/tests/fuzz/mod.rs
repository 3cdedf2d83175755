//! The body of the fuzz target for text from strangers: whatever the bytes are, nothing that acts on a terminal is left.
#![allow(dead_code, reason = "each user takes a part")]

use tracewell_types::visible::{Keep, escape, escape_bytes, is_active, json_document, push, push_json};

/// A target's name and body.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[("escape", text)];

/// Returns the text of a JSON string, of which `inside` is what is between the quotes.
fn of_json(inside: &str) -> Option<String> {
    let mut units = Vec::new();
    let mut rest = inside.chars();
    while let Some(c) = rest.next() {
        let unit = match c {
            '"' => return None,
            '\\' => match rest.next()? {
                'n' => u16::from(b'\n'),
                'r' => u16::from(b'\r'),
                't' => u16::from(b'\t'),
                c @ ('"' | '\\') => c as u16,
                'u' => {
                    let digits: String = rest.by_ref().take(4).collect();
                    u16::from_str_radix(&digits, 16).ok()?
                }
                _ => return None,
            },
            c => {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                continue;
            }
        };
        units.push(unit);
    }
    String::from_utf16(&units).ok()
}

/// Text, or bytes that are not text, in every form.
pub(crate) fn text(bytes: &[u8]) {
    for keep in [Keep::Nothing, Keep::Layout] {
        let shown = escape_bytes(bytes, keep).into_owned();
        let Ok(text) = std::str::from_utf8(&shown) else { panic!("escaped text is not UTF-8: {shown:?}") };
        let left = text.char_indices().filter(|(_, c)| is_active(*c));
        for (at, c) in left {
            let stays = matches!(c, '\t' | '\n') || c == '\r' && text[at..].starts_with("\r\n");
            assert!(keep == Keep::Layout && stays, "{c:?} is left in {text:?}");
        }
        let mut appended = b"before ".to_vec();
        push(&mut appended, bytes, keep);
        assert_eq!(appended[7..], shown, "both functions write the same");
        assert_eq!(*escape_bytes(&shown, keep), *shown, "escaped text stays as it is");
        // Two halves that were escaped apart do not join to something that acts.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let both = [&*escape_bytes(first, keep), &*escape_bytes(second, keep)].concat();
        let Ok(both) = String::from_utf8(both) else { panic!("escaped parts are not UTF-8") };
        assert!(
            both.chars().all(|c| !is_active(c) || keep == Keep::Layout && matches!(c, '\t' | '\n' | '\r'))
        );
    }
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(escape(&text, Keep::Nothing).as_bytes(), &*escape_bytes(text.as_bytes(), Keep::Nothing));
    let mut json = Vec::new();
    push_json(&mut json, &text);
    let Ok(json) = String::from_utf8(json) else { panic!("JSON is not UTF-8") };
    assert!(!json.chars().any(is_active), "{json:?}");
    assert_eq!(of_json(&json).as_deref(), Some(&*text), "a reader of JSON gets the exact text");
    assert!(json_document(text.into_owned()).chars().all(|c| c == '\n' || !is_active(c)));
}
