//! The lexer: converts bytes to tokens on demand, because the meaning of a byte depends on the
//! state of the parser.
//!
//! Three things depend on it: at the top level a word may be a probe description
//! ([`Lexer::probe_description`]); inside a predicate a `/` may close it (`Lexer::in_predicate`);
//! and `#` lines are processed in order, so that a pragma takes effect at its position.

mod constant;
mod control;
mod integer;
mod token;

use std::sync::Arc;

pub use token::{Keyword, Punct, Token};

use crate::ast::{IntLit, Pragma};
use crate::diag::{Diagnostic, Result};
use crate::macros::{MacroEnv, MacroValue};
use crate::source::{LineMark, Span};
use crate::tags::Tag;

pub(crate) use integer::parse_int_text;

/// Reads tokens from one text.
pub struct Lexer<'a> {
    text: Arc<[u8]>,
    source: u32,
    pos: usize,
    macros: &'a mut MacroEnv,
    /// A `/` before `{`, `;`, `/` or the end closes the predicate.
    pub(crate) in_predicate: bool,
    /// At the top level every word is a probe description (`-x pspec`).
    pub(crate) probes_only: bool,
    /// Line markers met so far, in order.
    pub(crate) marks: Vec<LineMark>,
    /// Pragmas met so far and not yet taken by the parser, in order.
    pub(crate) pragmas: Vec<Pragma>,
    /// Everything before this byte had its `#` lines handled; looking ahead handles none twice.
    handled: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of a text that has the number `source`.
    pub fn new(text: Arc<[u8]>, source: u32, macros: &'a mut MacroEnv) -> Lexer<'a> {
        Lexer {
            text,
            source,
            pos: 0,
            macros,
            in_predicate: false,
            probes_only: false,
            marks: Vec::new(),
            pragmas: Vec::new(),
            handled: 0,
        }
    }

    /// The position of the next token.
    #[must_use]
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Goes back to an earlier [`Lexer::position`].
    pub fn rewind(&mut self, pos: usize) {
        self.pos = pos.min(self.pos);
    }

    /// The stretch from `start` to the present position.
    fn span_from(&self, start: usize) -> Span {
        Span { source: self.source, start: start as u32, end: self.pos as u32 }
    }

    /// Number of lines between the starts of two ranges of this text.
    #[must_use]
    pub fn lines_between(&self, from: Span, to: Span) -> usize {
        let between = self.text.get(from.start as usize..to.start as usize).unwrap_or(&[]);
        between.iter().filter(|&&b| b == b'\n').count()
    }

    /// The text at this position.
    #[must_use]
    pub fn slice(&self, span: Span) -> String {
        let bytes = self.text.get(span.start as usize..span.end as usize).unwrap_or(&[]);
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.pos + ahead).copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.pos..).unwrap_or(&[])
    }

    fn error<T>(&self, tag: Tag, start: usize, message: impl Into<String>) -> Result<T> {
        Err(Diagnostic::new(tag, self.span_from(start), message))
    }

    /// Skips white space, comments, continued lines and `#` lines, which are handled on the way.
    ///
    /// # Errors
    /// What a `#` line or an unfinished comment gives.
    pub fn skip_space(&mut self) -> Result<()> {
        while let Some(b) = self.peek(0) {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'\\' if self.peek(1) == Some(b'\n') => self.pos += 2,
                b'\\' if self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n') => self.pos += 3,
                b'/' if self.peek(1) == Some(b'*') => self.comment()?,
                b'#' if self.at_line_start() => self.control_line()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn at_line_start(&self) -> bool {
        let before = self.text.get(..self.pos).unwrap_or(&[]);
        before.iter().rev().find(|b| !matches!(b, b' ' | b'\t')).is_none_or(|&b| b == b'\n')
    }

    fn comment(&mut self) -> Result<()> {
        let start = self.pos;
        self.pos += 2;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'*'), Some(b'/')) => {
                    self.pos += 2;
                    return Ok(());
                }
                (Some(b'/'), Some(b'*')) => {
                    let at = self.pos;
                    self.pos += 2;
                    return self.error(Tag::Syntax, at, "/* encountered inside a comment");
                }
                (Some(_), _) => self.pos += 1,
                (None, _) => return self.error(Tag::Syntax, start, "end of input before the comment's */"),
            }
        }
    }

    /// Reads the next token.
    ///
    /// # Errors
    /// A malformed constant, an undefined macro variable, a byte that begins no token, or what a `#`
    /// line on the way gives.
    pub fn token(&mut self) -> Result<(Token, Span)> {
        self.skip_space()?;
        let start = self.pos;
        let token = self.token_here()?;
        Ok((token, self.span_from(start)))
    }

    fn token_here(&mut self) -> Result<Token> {
        let start = self.pos;
        let Some(b) = self.peek(0) else { return Ok(Token::End) };
        match b {
            b'0'..=b'9' => self.integer().map(Token::Int),
            b'.' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) => {
                self.pos += 1;
                self.floating(start)
            }
            b'"' => self.string().map(Token::Str),
            b'\'' => self.character().map(Token::Int),
            b'$' => self.macro_variable(),
            b'@' => {
                self.pos += 1;
                let name = self.word();
                Ok(Token::Agg(if name.is_empty() { "_".into() } else { name }))
            }
            _ if is_ident_start(b) => {
                let word = self.word();
                Ok(Keyword::from_text(&word).map_or(Token::Ident(word), Token::Keyword))
            }
            b'/' if self.in_predicate && self.closes_predicate() => {
                self.pos += 1;
                Ok(Token::ClosePredicate)
            }
            _ => match Punct::at_start_of(self.rest()) {
                Some(p) => {
                    self.pos += p.text().len();
                    Ok(Token::Punct(p))
                }
                None => {
                    self.pos += self.char_len();
                    let shown = String::from_utf8_lossy(self.text.get(start..self.pos).unwrap_or(&[]));
                    let message = format!("syntax error near \"{}\"", shown.escape_debug());
                    self.error(Tag::Syntax, start, message)
                }
            },
        }
    }

    /// Length of the UTF-8 character (or the stray byte) at the present position.
    fn char_len(&self) -> usize {
        let rest = self.rest();
        (1..=4.min(rest.len()))
            .find(|&n| std::str::from_utf8(rest.get(..n).unwrap_or(&[])).is_ok())
            .unwrap_or(1)
    }

    /// Takes the run of identifier characters at the present position.
    fn word(&mut self) -> String {
        let len = self.rest().iter().take_while(|&&b| is_ident(b)).count();
        let word = String::from_utf8_lossy(self.rest().get(..len).unwrap_or(&[])).into_owned();
        self.pos += len;
        word
    }

    /// Returns `true` if the `/` here is followed by what can only follow a whole predicate.
    fn closes_predicate(&self) -> bool {
        let mut rest = self.rest().get(1..).unwrap_or(&[]);
        loop {
            let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
            rest = rest.get(blanks..).unwrap_or(&[]);
            if !rest.starts_with(b"/*") {
                break;
            }
            let end = rest.windows(2).skip(2).position(|w| w == b"*/");
            rest = end.and_then(|n| rest.get(n + 4..)).unwrap_or(&[]);
        }
        // A control line may occur between a predicate and its braces.
        matches!(rest.first(), None | Some(b'{' | b';' | b'/' | b'#'))
    }

    /// Reads the name of a macro variable at a `$`: whether it was `$$`, and the name.
    fn macro_name(&mut self) -> Result<(bool, String)> {
        let start = self.pos;
        self.pos += 1;
        let as_string = self.peek(0) == Some(b'$');
        if as_string {
            self.pos += 1;
        }
        let digits = self.peek(0).is_some_and(|b| b.is_ascii_digit());
        let len = self
            .rest()
            .iter()
            .take_while(|b| if digits { b.is_ascii_digit() } else { is_ident(**b) && **b != b'`' })
            .count();
        if len == 0 {
            return self.error(Tag::Syntax, start, "syntax error near \"$\"");
        }
        let name = String::from_utf8_lossy(self.rest().get(..len).unwrap_or(&[])).into_owned();
        self.pos += len;
        Ok((as_string, name))
    }

    fn macro_value(&mut self, start: usize, name: &str) -> Result<MacroValue> {
        match self.macros.look_up(name) {
            Some(value) => Ok(value),
            None => {
                let message = format!("macro argument ${name} is not defined");
                let hint = if name.bytes().all(|b| b.is_ascii_digit()) {
                    "give the argument, or set the option defaultargs"
                } else if crate::macros::NAMES.contains(&name) {
                    "this variable has no value in this run"
                } else {
                    "there is no macro variable of this name"
                };
                Err(Diagnostic::new(Tag::MacroUndef, self.span_from(start), message).with_hint(hint))
            }
        }
    }

    fn macro_variable(&mut self) -> Result<Token> {
        let start = self.pos;
        let (as_string, name) = self.macro_name()?;
        let value = self.macro_value(start, &name)?;
        if as_string {
            return Ok(Token::Str(match value {
                MacroValue::Text(text) => text.into_bytes(),
                MacroValue::Number(n) => n.to_string().into_bytes(),
                MacroValue::Missing => Vec::new(),
            }));
        }
        let plain = |value: u64| IntLit { value, is_char: false, decimal: true, unsigned: false, longs: 0 };
        match value {
            MacroValue::Missing => Ok(Token::Int(plain(0))),
            MacroValue::Number(n) if n < 0 => Ok(Token::NegativeInt(plain(n.unsigned_abs()))),
            MacroValue::Number(n) => Ok(Token::Int(plain(n as u64))),
            MacroValue::Text(text) => self.argument(start, &name, &text),
        }
    }

    /// The token of a macro argument in an expression: an integer, an identifier, or otherwise a
    /// string.
    fn argument(&self, start: usize, name: &str, text: &str) -> Result<Token> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if integer::looks_like_int(unsigned.as_bytes()) {
            return match parse_int_text(unsigned.as_bytes()) {
                Ok(lit) if text.starts_with('-') => Ok(Token::NegativeInt(lit)),
                Ok(lit) => Ok(Token::Int(lit)),
                Err((Tag::IntOflow, _)) => self.error(
                    Tag::MacroOflow,
                    start,
                    format!("macro argument ${name} is too large for an integer: {text}"),
                ),
                Err((tag, message)) => {
                    self.error(tag, start, format!("in macro argument ${name}: {message}"))
                }
            };
        }
        let bytes = text.as_bytes();
        if bytes.first().copied().is_some_and(is_ident_start) && bytes.iter().copied().all(is_ident) {
            return Ok(Token::Ident(text.to_string()));
        }
        let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
        Ok(Token::Str(inner.as_bytes().to_vec()))
    }

    /// At the top level: the run of identifier characters that begins here, without consuming it.
    #[must_use]
    pub fn upcoming_word(&self) -> &[u8] {
        let rest = self.rest();
        rest.get(..rest.iter().take_while(|&&b| is_ident(b)).count()).unwrap_or(&[])
    }

    /// Returns `true` if the text has ended.
    #[must_use]
    pub fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// At the top level: whether what follows the upcoming word shows that the word is part of a
    /// probe description although it is a type's name, as in `int*` before `{` or `string:::`.
    #[must_use]
    pub fn word_continues_as_probe(&self) -> bool {
        let rest = self.rest().get(self.upcoming_word().len()..).unwrap_or(&[]);
        match rest.first() {
            Some(b':' | b'-' | b'.' | b'?' | b'[' | b'!' | b'$') => true,
            Some(b'*') => {
                let run = rest.iter().take_while(|&&b| is_probe_char(b)).count();
                if rest.get(..run).is_some_and(|r| r.contains(&b':')) {
                    return true;
                }
                let after = rest.iter().find(|b| **b != b'*' && !b.is_ascii_whitespace());
                !after.is_some_and(|&b| is_ident_start(b) || b == b'(')
            }
            _ => false,
        }
    }

    /// Reads a probe description at the top level, macro variables replaced; `None` when none
    /// begins here.
    ///
    /// # Errors
    /// An undefined macro variable.
    pub fn probe_description(&mut self) -> Result<Option<(String, Span)>> {
        self.skip_space()?;
        let start = self.pos;
        let mut text = Vec::new();
        while let Some(b) = self.peek(0) {
            if b == b'$' {
                let at = self.pos;
                let (_, name) = self.macro_name()?;
                match self.macro_value(at, &name)? {
                    MacroValue::Text(value) => text.extend_from_slice(value.as_bytes()),
                    MacroValue::Number(n) => text.extend_from_slice(n.to_string().as_bytes()),
                    MacroValue::Missing => {}
                }
            } else if b == b'\\' && matches!(self.peek(1), None | Some(b'\n' | b'\r')) {
                break;
            } else if is_probe_char(b) {
                text.push(b);
                self.pos += 1;
            } else {
                break;
            }
        }
        if self.pos == start {
            return Ok(None);
        }
        Ok(Some((String::from_utf8_lossy(&text).into_owned(), self.span_from(start))))
    }
}

/// A byte that an identifier can start with.
fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'`'
}

/// A byte that an identifier can go on with.
fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

/// A byte of a probe description. Bytes outside ASCII are allowed: names may hold any text.
fn is_probe_char(b: u8) -> bool {
    is_ident(b) || b >= 0x80 || b"-:.?*\\[]!$+<>~@%#".contains(&b)
}
