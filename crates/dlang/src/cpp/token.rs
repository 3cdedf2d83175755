//! Preprocessing tokens, and how they are written out again.

use std::rc::Rc;

use crate::lex::Punct;

/// The type of a preprocessing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name.
    Ident,
    /// Digits and what may follow them in a number.
    Number,
    /// A string or character constant.
    Quoted,
    /// An operator or any other byte.
    Other,
    /// The end of a physical line of the text.
    Newline,
    /// Nothing: what an empty argument leaves for `##`.
    Empty,
}

/// A preprocessing token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PpToken {
    pub(crate) kind: Kind,
    pub(crate) text: Rc<[u8]>,
    /// Whether white space preceded it.
    pub(crate) space: bool,
    /// Its line.
    pub(crate) line: u32,
    /// Numbers of the macros that must not expand it, sorted.
    pub(crate) hidden: Rc<[u32]>,
}

impl PpToken {
    pub(super) fn new(kind: Kind, text: &[u8], line: u32) -> PpToken {
        PpToken { kind, text: text.into(), space: false, line, hidden: Rc::new([]) }
    }

    pub(super) fn is(&self, text: &[u8]) -> bool {
        self.kind != Kind::Quoted && *self.text == *text
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// Splits a logical line into tokens.
pub(super) fn tokens(text: &[u8], line: u32) -> Vec<PpToken> {
    let mut list = Vec::new();
    let mut rest = text;
    let mut space = false;
    while let Some(&b) = rest.first() {
        if b.is_ascii_whitespace() || b == 0x0b {
            space = true;
            rest = rest.get(1..).unwrap_or(&[]);
            continue;
        }
        let (kind, len) = if b.is_ascii_digit() {
            (Kind::Number, rest.iter().take_while(|&&b| is_word(b)).count())
        } else if matches!(b, b'L' | b'u' | b'U') && rest.get(1) == Some(&b'\'') {
            // A wide character constant.
            (Kind::Quoted, 1 + quoted_len(rest.get(1..).unwrap_or_default()))
        } else if is_word(b) {
            (Kind::Ident, rest.iter().take_while(|&&b| is_word(b)).count())
        } else if b == b'"' || b == b'\'' {
            (Kind::Quoted, quoted_len(rest))
        } else if rest.starts_with(b"##") {
            (Kind::Other, 2)
        } else {
            (Kind::Other, Punct::at_start_of(rest).map_or(1, |p| p.text().len()))
        };
        let (text, after) = rest.split_at(len.max(1).min(rest.len()));
        let mut token = PpToken::new(kind, text, line);
        token.space = space;
        space = false;
        list.push(token);
        rest = after;
    }
    list
}

/// Length of the quoted text at the start; up to the end when the quote is not closed.
fn quoted_len(text: &[u8]) -> usize {
    let quote = text.first().copied();
    let mut at = 1;
    while let Some(&b) = text.get(at) {
        at += 1;
        if b == b'\\' {
            at += 1;
        } else if Some(b) == quote {
            break;
        }
    }
    at.min(text.len())
}

/// Appends tokens to a text, with white space where the source had it, and where two tokens would
/// otherwise merge.
pub(super) fn write(list: &[PpToken], out: &mut Vec<u8>) {
    for token in list {
        match token.kind {
            Kind::Newline => out.push(b'\n'),
            Kind::Empty => {}
            _ => {
                let joins = match (out.last(), token.text.first()) {
                    (Some(&a), Some(&b)) => is_word(a) && is_word(b) || would_join(a, b),
                    _ => false,
                };
                if token.space || joins {
                    out.push(b' ');
                }
                out.extend_from_slice(&token.text);
            }
        }
    }
}

fn would_join(a: u8, b: u8) -> bool {
    if a == b'/' && (b == b'/' || b == b'*') {
        return true;
    }
    Punct::at_start_of(&[a, b]).is_some_and(|p| p.text().len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        let mut out = Vec::new();
        write(&tokens(text.as_bytes(), 1), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tokens_are_written_as_in_the_source() {
        for text in ["a->b  + 0x1f[\"x \\\" y\"]", "fbt:a*:$1:entry", "x ## y", "'\\''", "\"open"] {
            assert_eq!(round(text), text.replace("  ", " "));
        }
    }

    #[test]
    fn tokens_never_run_together() {
        let list = [PpToken::new(Kind::Other, b"-", 1), PpToken::new(Kind::Other, b"-", 1)];
        let mut out = Vec::new();
        write(&list, &mut out);
        assert_eq!(out, b"- -");
    }
}
