//! Integer, character and string constants.

use super::integer::{int_len, parse_int_text};
use super::{Lexer, is_ident};
use crate::ast::IntLit;
use crate::diag::Result;
use crate::tags::Tag;

impl Lexer<'_> {
    pub(super) fn integer(&mut self) -> Result<IntLit> {
        let start = self.pos;
        let len = int_len(self.rest());
        let parsed = parse_int_text(self.rest().get(..len).unwrap_or(&[]));
        self.pos += len;
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (Some(b'.'), next, _)
                if !next.is_some_and(|b| is_ident(b) && !b.is_ascii_digit() || b == b'.') =>
            {
                return self.floating(start);
            }
            (Some(b'e' | b'E'), Some(b'0'..=b'9'), _)
            | (Some(b'e' | b'E'), Some(b'+' | b'-'), Some(b'0'..=b'9')) => {
                return self.floating(start);
            }
            _ => {}
        }
        match parsed {
            Ok(lit) => Ok(lit),
            Err((tag, message)) => self.error(tag, start, message),
        }
    }

    /// D has no floating constants; says so.
    pub(super) fn floating<T>(&mut self, start: usize) -> Result<T> {
        let len = self.rest().iter().take_while(|&&b| is_ident(b) || b == b'.').count();
        self.pos += len;
        let error: Result<T> = self.error(Tag::Syntax, start, "floating-point constants are not permitted");
        error.map_err(|e| e.with_hint("D calculates with whole numbers: scale them, as in n * 3 / 2"))
    }

    /// Reads a string constant at its opening quote.
    pub(super) fn string(&mut self) -> Result<Vec<u8>> {
        let start = self.pos;
        self.pos += 1;
        let mut out = Vec::new();
        loop {
            match self.peek(0) {
                None => return self.error(Tag::Syntax, start, "end of input within a string constant"),
                Some(b'\n') => return self.error(Tag::StrNl, start, "newline in a string constant"),
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out),
                Some(b) => {
                    out.push(b);
                    self.pos += 1;
                }
            }
        }
    }

    /// Reads a character constant at its opening quote.
    pub(super) fn character(&mut self) -> Result<IntLit> {
        let start = self.pos;
        self.pos += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek(0) {
                None => return self.error(Tag::Syntax, start, "end of input within a character constant"),
                Some(b'\n') => return self.error(Tag::ChrNl, start, "newline in a character constant"),
                Some(b'\'') => {
                    self.pos += 1;
                    break;
                }
                Some(b'\\') => self.escape(&mut bytes),
                Some(b) => {
                    bytes.push(b);
                    self.pos += 1;
                }
            }
        }
        match bytes.len() {
            0 => self.error(Tag::ChrNull, start, "empty character constant"),
            1..=8 => {
                // The constant has type int: one character is sign-extended as char is.
                let value = match bytes.as_slice() {
                    [one] => i64::from(*one as i8) as u64,
                    many => many.iter().fold(0u64, |v, b| v << 8 | u64::from(*b)),
                };
                Ok(IntLit { value, is_char: true, decimal: true, unsigned: false, longs: 0 })
            }
            n => self
                .error(Tag::ChrOflow, start, format!("character constant has {n} characters, at most 8 fit"))
                .map_err(|e: Box<crate::diag::Diagnostic>| e.with_hint("strings need double quotes")),
        }
    }

    /// Undoes the escape at a backslash.
    fn escape(&mut self, out: &mut Vec<u8>) {
        self.pos += 1;
        let Some(b) = self.peek(0) else { return };
        self.pos += 1;
        let plain = match b {
            b'a' => 0x07,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'\n' => return,
            b'\r' if self.peek(0) == Some(b'\n') => {
                self.pos += 1;
                return;
            }
            b'0'..=b'7' => {
                let mut value = u32::from(b - b'0');
                for _ in 0..2 {
                    let Some(d @ b'0'..=b'7') = self.peek(0) else { break };
                    value = value * 8 + u32::from(d - b'0');
                    self.pos += 1;
                }
                value as u8
            }
            b'x' if self.peek(0).is_some_and(|b| b.is_ascii_hexdigit()) => {
                let mut value = 0u32;
                for _ in 0..2 {
                    let Some(d) = self.peek(0).and_then(|b| char::from(b).to_digit(16)) else { break };
                    value = value * 16 + d;
                    self.pos += 1;
                }
                value as u8
            }
            other => other,
        };
        out.push(plain);
    }
}
