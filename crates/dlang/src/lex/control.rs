//! `#` lines: pragmas, line markers, and what else a D text may carry.

use super::Lexer;
use crate::ast::{Ident, Pragma};
use crate::diag::{Diagnostic, Result};
use crate::pragma::{self, PragmaKind};
use crate::source::{LineMark, Span};
use crate::tags::Tag;

impl Lexer<'_> {
    /// Handles the `#` line at the present position and goes to its end.
    pub(super) fn control_line(&mut self) -> Result<()> {
        let start = self.pos;
        let first_time = start >= self.handled;
        let words = self.line_words()?;
        let span = self.span_from(start);
        if !first_time {
            return Ok(());
        }
        self.handled = self.pos;
        let Some(first) = words.first() else { return Ok(()) };
        match first.name.as_str() {
            word if word.starts_with('!') => Ok(()),
            "pragma" => self.pragma(words, span),
            "line" => self.line_marker(words.get(1..).unwrap_or(&[]), span),
            word if word.bytes().all(|b| b.is_ascii_digit()) => self.line_marker(&words, span),
            "ident" => Ok(()),
            "error" => Err(Diagnostic::new(Tag::Pragerr, span, format!("#error: {}", joined(&words, 1)))),
            word => {
                let message = format!("invalid control directive: #{word}");
                let hint = if CPP_WORDS.contains(&word) {
                    "preprocessor directives need the option -C and the # in the first column"
                } else {
                    "D knows #pragma and #line"
                };
                Err(Diagnostic::new(Tag::PragctlInval, span, message).with_hint(hint))
            }
        }
    }

    /// Splits the line after its `#` into words; a string is one word without its quotes.
    fn line_words(&mut self) -> Result<Vec<Ident>> {
        self.pos += 1;
        let mut words = Vec::new();
        loop {
            let start = self.pos;
            match self.peek(0) {
                None | Some(b'\n') => return Ok(words),
                Some(b'\\') if self.peek(1) == Some(b'\n') => self.pos += 2,
                Some(b'/') if self.peek(1) == Some(b'*') => self.comment()?,
                Some(b) if b.is_ascii_whitespace() || b == 0x0b => self.pos += 1,
                // A "#!" line is for the shell and may hold anything.
                Some(b'!') if words.is_empty() => {
                    self.pos += self.rest().iter().take_while(|&&b| b != b'\n').count();
                    words.push(Ident { name: "!".into(), span: self.span_from(start) });
                }
                Some(b'"') => {
                    let text = self.string()?;
                    let name = String::from_utf8_lossy(&text).into_owned();
                    words.push(Ident { name, span: self.span_from(start) });
                }
                Some(_) => {
                    let ends = |b: u8| b.is_ascii_whitespace() || b == 0x0b;
                    let rest = self.rest();
                    let len = rest.iter().take_while(|&&b| !ends(b)).count();
                    let len = rest.windows(2).take(len).position(|w| w == b"/*").unwrap_or(len);
                    let name = String::from_utf8_lossy(rest.get(..len).unwrap_or(&[])).into_owned();
                    self.pos += len;
                    words.push(Ident { name, span: self.span_from(start) });
                }
            }
        }
    }

    fn pragma(&mut self, mut words: Vec<Ident>, span: Span) -> Result<()> {
        words.remove(0);
        let is_d = words.first().is_some_and(|w| w.name == "D");
        if is_d {
            words.remove(0);
        }
        if words.first().is_some_and(|w| w.name == "line") {
            return self.line_marker(words.get(1..).unwrap_or(&[]), span);
        }
        let pragma = Pragma { is_d, words, span };
        // Malformed pragmas are errors at their place, and two options change how the text reads on.
        if let PragmaKind::Option { name, value } = pragma::interpret(&pragma)? {
            let on = || value.as_deref().is_none_or(crate::options::is_true);
            match name.as_str() {
                "pspec" => self.probes_only = on(),
                "defaultargs" => self.macros.default_args = on(),
                _ => {}
            }
        }
        self.pragmas.push(pragma);
        Ok(())
    }

    /// `N "file"`: the next line is line N of that file.
    fn line_marker(&mut self, words: &[Ident], span: Span) -> Result<()> {
        let number = words.first().and_then(|w| w.name.parse::<u32>().ok());
        let Some(line) = number else {
            let message = "line marker needs a line number and may have a file name";
            return Err(Diagnostic::new(Tag::PragmaMalform, span, message));
        };
        let name = words.get(1).map(|w| w.name.clone());
        let at = self.pos + usize::from(self.peek(0) == Some(b'\n'));
        self.marks.push(LineMark { at: at as u32, line, name });
        Ok(())
    }
}

/// Directives of the C preprocessor, for a better hint.
const CPP_WORDS: &[&str] =
    &["define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "warning"];

fn joined(words: &[Ident], from: usize) -> String {
    let list: Vec<&str> = words.iter().skip(from).map(|w| w.name.as_str()).collect();
    list.join(" ")
}
