//! Compilation errors as values: what is wrong, where, and what would help.

use std::fmt;

use crate::ast::VarScope;
use crate::source::{Sources, Span};
use crate::tags::Tag;

/// A compilation error. One stops the compilation, as in the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub tag: Tag,
    /// The error, in classic form: one line, no full stop, no position.
    pub message: String,
    /// The text it is about.
    pub span: Span,
    /// A correction, if there is one.
    pub hint: Option<String>,
    /// Another text that explains the error: how it is related, and where it is.
    pub related: Option<(&'static str, Span)>,
    /// The variable, if the error is that no statement has assigned it yet: its scope (`None`: global) and name.
    pub(crate) unassigned: Option<(Option<VarScope>, String)>,
    /// Parts of the texts of other dialects that the message lacks, by name.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// Whether the classic form for people names the column.
    pub(crate) columns: bool,
}

/// The result of any step of a compilation. The error is boxed to keep the good path small.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// An error without a hint.
    #[must_use]
    pub fn new(tag: Tag, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic {
            tag,
            message: message.into(),
            span,
            hint: None,
            related: None,
            unassigned: None,
            facts: Vec::new(),
            columns: true,
        })
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Diagnostic> {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with a part of the texts of other dialects.
    #[must_use]
    pub(crate) fn with_fact(
        mut self: Box<Self>,
        name: &'static str,
        value: impl ToString,
    ) -> Box<Diagnostic> {
        self.facts.insert(0, (name, value.to_string()));
        self
    }

    /// A part of the texts of other dialects.
    pub(crate) fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The same error with another text that explains it.
    #[must_use]
    pub(crate) fn with_related(mut self: Box<Self>, how: &'static str, span: Span) -> Box<Diagnostic> {
        self.related = Some((how, span));
        self
    }

    /// The same error, which is that this variable has not been assigned yet.
    #[must_use]
    pub(crate) fn of_variable(mut self: Box<Self>, scope: Option<VarScope>, name: &str) -> Box<Diagnostic> {
        self.unassigned = Some((scope, name.to_owned()));
        self
    }

    /// The classic form of the text after `failed to compile …: `, with its position and, when
    /// `tagged`, its tag: `[D_TAG] line N: message`, or `[D_TAG] "file", line N: message` when a
    /// line marker named a file other than the text itself. Without the tag, which is for programs that compare the line,
    /// the column follows the line: `line N, column N: message`.
    #[must_use]
    pub fn classic(&self, sources: &Sources, tagged: bool) -> String {
        let at = if tagged || !self.columns { place(self.span, sources) } else { spot(self.span, sources) };
        let related =
            self.related.map_or(String::new(), |(how, span)| format!(" ({how} in {})", place(span, sources)));
        if tagged {
            format!("[{}] {at}: {}{related}", self.tag, self.message)
        } else {
            format!("{at}: {}{related}", self.message)
        }
    }
}

/// Something that compiles and is hardly meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The problem and a correction: one line, no full stop, no position.
    pub message: String,
    /// The text it is about.
    pub span: Span,
}

impl Warning {
    /// As [`Diagnostic::classic`] has it: `line N: message`.
    #[must_use]
    pub fn classic(&self, sources: &Sources) -> String {
        format!("{}: {}", place(self.span, sources), self.message)
    }
}

/// The line of a text, with the file when a line marker named another one.
fn place(span: Span, sources: &Sources) -> String {
    let at = sources.locate(span);
    let own = sources.get(span.source).map(|s| s.name.as_str());
    match &at.file {
        Some(file) if Some(file.as_str()) != own => format!("\"{file}\", line {}", at.line),
        _ => format!("line {}", at.line),
    }
}

/// As [`place`], with the column in characters, from 1, unless a preprocessor has made the text.
fn spot(span: Span, sources: &Sources) -> String {
    let at = sources.locate(span);
    let place = place(span, sources);
    let Some(source) = sources.get(span.source).filter(|_| at.file.is_none()) else { return place };
    let start = (span.start as usize).min(source.text.len());
    let line = (start + 1).saturating_sub(at.column as usize);
    let before = String::from_utf8_lossy(source.text.get(line..start).unwrap_or_default());
    format!("{place}, column {}", before.chars().count() + 1)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.tag, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// An error, ready to be returned.
pub(crate) fn fail<T>(tag: Tag, span: Span, message: impl Into<String>) -> Result<T> {
    Err(Diagnostic::new(tag, span, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineMark, Origin, Source};

    #[test]
    fn the_classic_form_names_the_file_only_when_it_is_another() {
        let mut sources = Sources::default();
        let id = sources.add(Source {
            name: "a.d".into(),
            origin: Origin::Script,
            text: b"one\ntwo\nthree\n".to_vec().into(),
            marks: vec![
                LineMark { at: 0, line: 1, name: Some("a.d".into()) },
                LineMark { at: 8, line: 7, name: Some("b.h".into()) },
            ],
        });
        let at = |start| Diagnostic::new(Tag::Syntax, Span { source: id, start, end: start }, "no");
        assert_eq!(at(5).classic(&sources, true), "[D_SYNTAX] line 2: no");
        assert_eq!(at(9).classic(&sources, true), "[D_SYNTAX] \"b.h\", line 7: no");
        assert_eq!(at(9).classic(&sources, false), "\"b.h\", line 7: no");
    }

    #[test]
    fn issue_19_people_get_the_column_in_characters() {
        let mut sources = Sources::default();
        let text = "one\ntw\u{f6} x\n".as_bytes().to_vec();
        let source =
            Source { name: "a.d".into(), origin: Origin::Script, text: text.into(), marks: Vec::new() };
        let id = sources.add(source);
        for (start, untagged) in [
            (0, "line 1, column 1"),
            (3, "line 1, column 4"),
            (4, "line 2, column 1"),
            (9, "line 2, column 5"),
        ] {
            let error = Diagnostic::new(Tag::Syntax, Span { source: id, start, end: start }, "no");
            assert_eq!(error.classic(&sources, false), format!("{untagged}: no"));
            assert!(
                error
                    .classic(&sources, true)
                    .ends_with(&format!("{}: no", untagged.split(',').next().unwrap()))
            );
        }
    }
}
