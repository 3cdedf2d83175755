//! The text form of MOF.

use super::{Class, Property, Qualifiers, problem};
use crate::manifest::ManifestProblem;

/// The classes of a text, and what of it is no class that can be read.
pub(super) fn classes(text: &str) -> (Vec<Class>, Vec<ManifestProblem>) {
    let mut parser = Parser { tokens: Tokens::new(text), problems: Vec::new() };
    (parser.classes(), parser.problems)
}

#[derive(Clone, Debug, PartialEq)]
enum Token<'t> {
    /// A name or a number.
    Word(&'t str),
    Text(String),
    Sign(char),
}

#[derive(Clone)]
struct Tokens<'t> {
    rest: &'t str,
    line: u32,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Tokens<'t> {
        Tokens { rest: text, line: 1 }
    }

    fn skip(&mut self, bytes: usize) -> &'t str {
        let (skipped, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.line = self.line.saturating_add(skipped.bytes().filter(|b| *b == b'\n').count() as u32);
        self.rest = rest;
        skipped
    }

    fn blank(&mut self) {
        loop {
            let space = self.rest.len() - self.rest.trim_start().len();
            self.skip(space);
            // A line that begins with `#` is for the compiler; the sign means nothing anywhere else.
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.skip(self.rest.find("*/").map_or(self.rest.len(), |at| at + 2));
            } else {
                return;
            }
        }
    }

    fn text(&mut self) -> String {
        self.skip(1);
        let mut text = String::new();
        let mut escaped = false;
        let mut used = self.rest.len();
        for (at, character) in self.rest.char_indices() {
            match (escaped, character) {
                (true, 'n') => text.push('\n'),
                (true, 't') => text.push('\t'),
                (true, other) => text.push(other),
                (false, '\\') => {}
                (false, '"') => {
                    used = at + 1;
                    break;
                }
                (false, other) => text.push(other),
            }
            escaped = !escaped && character == '\\';
        }
        self.skip(used);
        text
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.blank();
        let first = self.rest.chars().next()?;
        if first == '"' {
            let mut text = self.text();
            // Texts in a row are one.
            loop {
                self.blank();
                if !self.rest.starts_with('"') {
                    return Some(Token::Text(text));
                }
                text.push_str(&self.text());
            }
        }
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '-' | '+');
        if is_word(first) {
            let length = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
            return Some(Token::Word(self.skip(length)));
        }
        self.skip(first.len_utf8());
        Some(Token::Sign(first))
    }
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    problems: Vec<ManifestProblem>,
}

impl<'t> Parser<'t> {
    fn classes(&mut self) -> Vec<Class> {
        let mut classes = Vec::new();
        let mut qualifiers = Qualifiers::new();
        while let Some(token) = self.tokens.next() {
            match token {
                Token::Sign('[') => qualifiers = self.qualifiers(),
                Token::Word(word) if word.eq_ignore_ascii_case("class") => {
                    let line = self.tokens.line;
                    match self.class(std::mem::take(&mut qualifiers), line) {
                        Some(class) => classes.push(class),
                        None => problem(&mut self.problems, line, "a class that cannot be read".to_owned()),
                    }
                }
                _ => {}
            }
        }
        classes
    }

    /// Up to and including the closing bracket.
    fn qualifiers(&mut self) -> Qualifiers {
        let mut qualifiers = Qualifiers::new();
        let mut current: Option<(String, Vec<String>)> = None;
        let mut inside = false;
        let mut flavour = false;
        let mut keep = |current: &mut Option<(String, Vec<String>)>| {
            if let Some((name, values)) = current.take() {
                qualifiers.insert(name, values);
            }
        };
        for token in self.tokens.by_ref() {
            match token {
                Token::Sign(']') if !inside => break,
                Token::Sign('{' | '(') => inside = true,
                Token::Sign('}' | ')') => inside = false,
                Token::Sign(',') if !inside => {
                    keep(&mut current);
                    flavour = false;
                }
                Token::Sign(':') if !inside => flavour = true,
                Token::Word(word) if !inside && !flavour && current.is_none() => {
                    current = Some((word.to_ascii_lowercase(), Vec::new()));
                }
                Token::Word(word) if inside => {
                    if let Some((_, values)) = &mut current {
                        values.push(word.to_owned());
                    }
                }
                Token::Text(text) if inside => {
                    if let Some((_, values)) = &mut current {
                        values.push(text);
                    }
                }
                _ => {}
            }
        }
        keep(&mut current);
        qualifiers
    }

    fn word(&mut self) -> Option<&'t str> {
        match self.tokens.next()? {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    /// A class after the word `class`.
    fn class(&mut self, qualifiers: Qualifiers, line: u32) -> Option<Class> {
        let name = self.word()?.to_owned();
        let mut class = Class { name, base: String::new(), qualifiers, properties: Vec::new(), line };
        loop {
            match self.tokens.next()? {
                Token::Sign(':') => class.base = self.word()?.to_owned(),
                Token::Sign('{') => break,
                Token::Sign(';') => return Some(class),
                _ => return None,
            }
        }
        let mut qualifiers = Qualifiers::new();
        loop {
            match self.tokens.next()? {
                Token::Sign('[') => qualifiers = self.qualifiers(),
                Token::Sign('}') => return Some(class),
                Token::Word(ty) => {
                    let line = self.tokens.line;
                    let property = self.property(ty, std::mem::take(&mut qualifiers), line)?;
                    class.properties.push(property);
                }
                _ => {}
            }
        }
    }

    /// A property after its type, up to and including the semicolon.
    fn property(&mut self, ty: &'t str, qualifiers: Qualifiers, line: u32) -> Option<Property> {
        let mut property = Property { ty: ty.to_owned(), name: String::new(), array: None, qualifiers, line };
        loop {
            match self.tokens.next()? {
                Token::Sign(';') => return Some(property),
                // The word before the bracket or semicolon is the name: `object ref X` has one in between.
                Token::Word(word) if property.array.is_none() => property.name = word.to_owned(),
                Token::Sign('[') => {
                    let mut size = None;
                    loop {
                        match self.tokens.next()? {
                            Token::Sign(']') => break,
                            Token::Word(word) => size = word.parse().ok(),
                            _ => return None,
                        }
                    }
                    property.array = Some(size);
                }
                // Neither a default value nor a method is of interest here.
                Token::Sign(sign @ ('=' | '(')) => {
                    while self.tokens.next()? != Token::Sign(';') {}
                    if sign == '(' {
                        property.qualifiers.clear();
                    }
                    return Some(property);
                }
                _ => return None,
            }
        }
    }
}
