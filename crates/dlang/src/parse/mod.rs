//! The parser: recursive descent over the tokens of [`crate::lex`].
//!
//! It decides what grammar alone can decide and yields the tree of [`crate::ast`]. Nesting and the
//! height of expressions are bounded, so that no text can exhaust the stack here or in any later walk
//! over the tree.

mod clause;
mod declaration;
mod expression;
mod extension;
mod program;
mod words;

use rustc_hash::FxHashSet;

use crate::ast::{Ident, Item, Script};
use crate::diag::{Diagnostic, Result};
use crate::lex::{Keyword, Lexer, Punct, Token};
use crate::macros::MacroEnv;
use crate::source::{Sources, Span};
use crate::tags::Tag;

/// The deepest nesting of brackets, statements, types and declarators.
const MAX_NESTING: u32 = 200;

/// The greatest height of an expression's tree.
const MAX_HEIGHT: u32 = 500;

/// The names of types: initially the caller's, then also those of the text's typedefs.
#[derive(Clone, Debug, Default)]
pub struct TypeNames {
    names: FxHashSet<String>,
}

impl TypeNames {
    /// Adds a name.
    pub fn insert(&mut self, name: impl Into<String>) {
        self.names.insert(name.into());
    }

    /// Returns `true` if the name is a type. With a back-quoted scope, the part after the last
    /// back-quote decides, which may then be a basic type's word: ``D`int``.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        match name.rsplit_once('`') {
            Some((_, last)) => {
                self.names.contains(name)
                    || self.names.contains(last)
                    || Keyword::from_text(last).and_then(words::basic_word).is_some()
            }
            None => self.names.contains(name),
        }
    }
}

impl<S: Into<String>> FromIterator<S> for TypeNames {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> TypeNames {
        TypeNames { names: names.into_iter().map(Into::into).collect() }
    }
}

/// Which part of a description the words of a text name: what `-n`, `-f`, `-m`, `-P` and `-i` differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Naming {
    /// The last part is a name (scripts and `-n`).
    #[default]
    Name,
    /// The last part is a function (`-f`).
    Function,
    /// The last part is a module (`-m`).
    Module,
    /// The word is a provider (`-P`).
    Provider,
    /// The word is a probe's number (`-i`).
    Id,
}

/// Options of the parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Every word at the top level is a probe description (`-x pspec`).
    pub probes_only: bool,
    /// A description needs neither predicate nor braces (texts on the command line).
    pub bare_descriptions: bool,
    /// The parts that descriptions name.
    pub naming: Naming,
    /// Loops, functions and local variables are allowed (`-x dx`); a pragma of the text allows them too.
    pub dx: bool,
}

/// Parses the text numbered `id`. Line markers are entered into `sources`, also when parsing fails, and
/// typedef names into `types`. Arguments that the text uses count as used in `macros`.
///
/// # Errors
/// The first lexical, syntactic or pragma error.
pub fn parse(
    sources: &mut Sources,
    id: u32,
    types: &mut TypeNames,
    macros: &mut MacroEnv,
    options: ParseOptions,
) -> Result<Script> {
    let mut script = Script::default();
    parse_each(sources, id, types, macros, options, &mut |item, _| {
        script.items.push(item);
        Ok(())
    })?;
    Ok(script)
}

/// Like [`parse`], but hands each item over as soon as it is complete, so that an error in a
/// declaration comes before a syntax error further down. The receiver may add type names.
///
/// # Errors
/// The first lexical, syntactic or pragma error, or what the receiver returns.
pub fn parse_each(
    sources: &mut Sources,
    id: u32,
    types: &mut TypeNames,
    macros: &mut MacroEnv,
    options: ParseOptions,
    receive: &mut dyn FnMut(Item, &mut TypeNames) -> Result<()>,
) -> Result<()> {
    let Some(source) = sources.get(id) else { return Ok(()) };
    if u32::try_from(source.text.len()).is_err() {
        let at = Span { source: id, start: 0, end: 0 };
        return Err(Diagnostic::new(Tag::Syntax, at, "the text is too long"));
    }
    let mut lexer = Lexer::new(source.text.clone(), id, macros);
    lexer.probes_only = options.probes_only;
    let at = Span { source: id, start: 0, end: 0 };
    let mut parser = Parser {
        lexer,
        types,
        options,
        token: Token::End,
        span: at,
        last: at,
        nesting: 0,
        height: 0,
        tags: FxHashSet::default(),
    };
    let result = parser.program(receive);
    for mark in parser.lexer.marks {
        sources.mark(id, mark);
    }
    result
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    types: &'a mut TypeNames,
    options: ParseOptions,
    /// The token looked at, not consumed.
    token: Token,
    /// Its position in the source.
    span: Span,
    /// The position of the previous token.
    last: Span,
    /// The current depth of nested constructs.
    nesting: u32,
    /// Height of the expression parsed last.
    height: u32,
    /// Tags of the structs, unions and enums that this text has defined at its top level.
    tags: FxHashSet<(Keyword, String)>,
}

impl Parser<'_> {
    /// Goes to the next token.
    fn advance(&mut self) -> Result<()> {
        self.last = self.span;
        let (token, span) = self.lexer.token()?;
        self.token = token;
        self.span = span;
        Ok(())
    }

    /// The token after the present one.
    fn peek(&mut self) -> Result<Token> {
        let at = self.lexer.position();
        let (token, _) = self.lexer.token()?;
        self.lexer.rewind(at);
        Ok(token)
    }

    /// The position of the token after the current one.
    fn peek_span(&mut self) -> Result<Span> {
        let at = self.lexer.position();
        let (_, span) = self.lexer.token()?;
        self.lexer.rewind(at);
        Ok(span)
    }

    fn is(&self, punct: Punct) -> bool {
        self.token == Token::Punct(punct)
    }

    fn is_word(&self, keyword: Keyword) -> bool {
        self.token == Token::Keyword(keyword)
    }

    /// Consumes the mark if it is the present token.
    fn eat(&mut self, punct: Punct) -> Result<bool> {
        let found = self.is(punct);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn eat_word(&mut self, keyword: Keyword) -> Result<bool> {
        let found = self.is_word(keyword);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes the mark or fails, saying what it belongs to.
    fn expect(&mut self, punct: Punct, context: &str) -> Result<()> {
        if self.eat(punct)? {
            Ok(())
        } else {
            self.unexpected(&format!("expected \"{}\" {context}", punct.text()))
        }
    }

    /// Like [`Parser::expect`] for a closing bracket; at the end of the text the message says which
    /// bracket was left open.
    fn expect_close(&mut self, punct: Punct, open: Span) -> Result<()> {
        if self.token == Token::End {
            return self.unclosed(punct, open);
        }
        self.expect(punct, "to close the bracket")
    }

    fn unclosed<T>(&self, punct: Punct, open: Span) -> Result<T> {
        let message = format!("syntax error near end of input: expected \"{}\"", punct.text());
        let line = self.lexer.lines_between(open, self.span);
        let hint = match line {
            0 => "the opening bracket is on the same line".to_string(),
            1 => "the opening bracket is on the line before".to_string(),
            n => format!("the opening bracket is {n} lines above"),
        };
        Err(Diagnostic::new(Tag::Syntax, self.span, message).with_hint(hint))
    }

    /// The error that the current token is not allowed here.
    fn unexpected<T>(&self, expected: &str) -> Result<T> {
        Err(self.unexpected_error(expected))
    }

    fn unexpected_error(&self, expected: &str) -> Box<Diagnostic> {
        // Words and numbers are shown as they were written.
        let found = match self.token {
            Token::Ident(_) | Token::Int(_) | Token::NegativeInt(_) => {
                format!("\"{}\"", self.lexer.slice(self.span).escape_debug())
            }
            _ => self.token.describe(),
        };
        let mut message = format!("syntax error near {found}");
        if !expected.is_empty() {
            message.push_str(": ");
            message.push_str(expected);
        }
        let error = Diagnostic::new(Tag::Syntax, self.span, message);
        match &self.token {
            // The text before ends with the quote of another string.
            Token::Str(_) if self.lexer.slice(self.last).ends_with('"') => {
                error.with_hint("adjacent strings are not joined: write one string")
            }
            Token::Keyword(k) if words::is_loop_word(*k) => {
                error.with_hint(words::loop_hint(*k, self.options.dx))
            }
            Token::Keyword(k) if k.is_reserved() => {
                error.with_hint(format!("\"{}\" is a reserved word that D has no use for", k.text()))
            }
            _ => error,
        }
    }

    /// An identifier; with `any_word` also a keyword, as after `.` and `->`.
    fn ident(&mut self, any_word: bool, what: &str) -> Result<Ident> {
        let name = match &self.token {
            Token::Ident(name) => name.clone(),
            Token::Keyword(k) if any_word => k.text().to_string(),
            _ => return self.unexpected(&format!("expected {what}")),
        };
        let span = self.span;
        self.advance()?;
        Ok(Ident { name, span })
    }

    /// Parses something one level deeper, within [`MAX_NESTING`].
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nesting >= MAX_NESTING {
            return Err(Diagnostic::new(Tag::Syntax, self.span, "too many levels of nesting"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Returns `true` if the present token begins a type name.
    fn begins_type(&self) -> bool {
        self.token_begins_type(&self.token)
    }

    fn token_begins_type(&self, token: &Token) -> bool {
        match token {
            Token::Keyword(k) => k.begins_type(),
            Token::Ident(name) => self.types.contains(name),
            _ => false,
        }
    }
}
