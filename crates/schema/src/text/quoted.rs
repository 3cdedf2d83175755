//! Words and texts, between quotation marks where they would be misread otherwise.

use std::borrow::Cow;
use std::fmt::Write;

use tracewell_types::visible::is_active;

/// A word of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// The text.
    pub(super) text: Cow<'t, str>,
    /// Whether it is in quotation marks, and therefore a name regardless of its contents.
    pub(super) quoted: bool,
    /// Whether a `?` follows the quotation marks.
    pub(super) asked: bool,
}

impl Word<'_> {
    /// Returns `true` if it is this word of the form, not a name.
    pub(super) fn is(&self, word: &str) -> bool {
        !self.quoted && self.text == word
    }
}

/// The words of a line.
pub(super) fn words(line: &str) -> Result<Vec<Word<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        if rest.starts_with('"') {
            let (text, after) = quoted(rest)?;
            let (asked, after) = after.strip_prefix('?').map_or((false, after), |after| (true, after));
            if after.starts_with(|next: char| !next.is_whitespace()) {
                return Err("something sticks to a closing `\"`".to_owned());
            }
            found.push(Word { text: text.into(), quoted: true, asked });
            rest = after.trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            found.push(Word { text: word.into(), quoted: false, asked: false });
            rest = after.trim_start();
        }
    }
    Ok(found)
}

/// The text of a quotation that the rest of the line begins with, and what follows it.
pub(super) fn quoted(rest: &str) -> Result<(String, &str), String> {
    let mut text = String::new();
    let mut escaped = false;
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match (escaped, character) {
            (false, '"') => return Ok((text, rest.get(at + 1..).unwrap_or_default())),
            (false, '\\') => {}
            (true, 'n') => text.push('\n'),
            (true, 'r') => text.push('\r'),
            (true, 't') => text.push('\t'),
            (true, '"' | '\\') | (false, _) => text.push(character),
            (true, 'u') => {
                let number: String = characters.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
                let number = number.strip_prefix('{').and_then(|n| u32::from_str_radix(n, 16).ok());
                let Some(named) = number.and_then(char::from_u32) else {
                    return Err("`\\u` needs the number of a character, such as `\\u{9b}`".to_owned());
                };
                text.push(named);
            }
            (true, other) => return Err(format!("`\\{other}` is not an escape sequence")),
        }
        escaped = !escaped && character == '\\';
    }
    Err("a `\"` without an end".to_owned())
}

/// The parts between separators that are not in quotation marks.
pub(super) fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut inside, mut escaped) = (0, false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' if !escaped => inside = !inside,
            _ if character == separator && !inside => {
                parts.extend(text.get(begin..at));
                begin = at + character.len_utf8();
            }
            _ => {}
        }
        escaped = inside && !escaped && character == '\\';
    }
    parts.extend(text.get(begin..));
    parts
}

/// A name or text that may be in quotation marks; nothing may follow it.
pub(super) fn whole(part: &str) -> Result<Cow<'_, str>, String> {
    let part = part.trim();
    if !part.starts_with('"') {
        return Ok(part.into());
    }
    let (text, after) = quoted(part)?;
    if after.is_empty() { Ok(text.into()) } else { Err(format!("`{after}` follows a closing `\"`")) }
}

/// A text that is read back as it is: in quotation marks if `plain` does not say that it needs none.
pub(super) fn quote(text: &str, plain: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let shown = text.trim() == text && !text.starts_with(['"', '#']) && !text.contains(is_active);
    if shown && !text.is_empty() && plain(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', character]),
            // It would act on the terminal that shows the table.
            other if is_active(other) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_14_a_quotation_has_nothing_that_acts_on_a_terminal() {
        let text = "\u{9b}2J \u{202e}\x1b]0;\0 \\u{41} \"\n\u{feff}\u{e0001}é";
        let quotation = quote(text, |_| true);
        assert_eq!(quotation, r#""\u{9b}2J \u{202e}\u{1b}]0;\u{0} \\u{41} \"\n\u{feff}\u{e0001}é""#);
        let line = format!("{quotation}? next");
        assert_eq!(quoted(&line), Ok((text.to_owned(), "? next")));
        assert_eq!(quote("mark\u{202e}", |_| true), r#""mark\u{202e}""#);
        for broken in [r#""\u41""#, r#""\u{d800}""#, r#""\u{}""#, r#""\u{41"#, r#""\u{41""#] {
            assert!(quoted(broken).is_err(), "{broken}");
        }
    }
}
