//! The conditions of `--where`: a small language over the properties and fields of an event.
//!
//! ```text
//! or        = and { "||" and }
//! and       = not { "&&" not }
//! not       = "!" not | "(" or ")" | comparison
//! comparison = operand [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "=~" | "!~") operand ]
//! operand   = NAME | NUMBER | "TEXT" | 'TEXT' | /REGEX/
//! ```
//!
//! A NAME is a property of the event or else a field of its payload; with a dot in front it is always a field. On
//! its own it holds when the event has it and it is neither zero nor empty. Texts are compared without regard to the case
//! of ASCII letters; `=~` takes a text with `*` and `?`, or a regular expression between slashes.

use std::fmt;

use regex_lite::Regex;
use tracewell_decode::Value;

use super::columns::Column;
use super::event::{Event, Item};

/// A condition, ready to be asked of one event after another.
#[derive(Debug)]
pub(super) struct Condition(Node);

#[derive(Debug)]
enum Node {
    Or(Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Not(Box<Node>),
    Holds(Operand),
    Compare(Operand, Comparison, Operand),
    Match(Operand, Pattern),
}

#[derive(Debug)]
enum Operand {
    Column(Column),
    Int(i128),
    Float(f64),
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Debug)]
enum Pattern {
    Regex(Regex),
    Glob(Vec<char>),
}

/// Why a condition cannot be read.
#[derive(Debug)]
pub(super) struct ConditionError {
    text: String,
    at: usize,
    what: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.text.get(..self.at).unwrap_or_default().chars().count();
        writeln!(f, "--where: {}", self.what)?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {:column$}^", "")
    }
}

impl std::error::Error for ConditionError {}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Int(i128),
    Float(f64),
    Text(String),
    Regex(String),
    Sign(&'static str),
}

const SIGNS: [&str; 13] = ["||", "&&", "==", "!=", "<=", ">=", "=~", "!~", "<", ">", "!", "(", ")"];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, (usize, String)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            at += sign.len();
            tokens.push((start, Token::Sign(sign)));
        } else if matches!(first, '"' | '\'' | '/') {
            let (content, used) =
                quoted(&rest[1..], first).ok_or((start, format!("{first} without its end")))?;
            at += 1 + used;
            tokens.push((start, if first == '/' { Token::Regex(content) } else { Token::Text(content) }));
        } else if first.is_ascii_digit()
            || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let end = rest[1..]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
                .map_or(rest.len(), |n| n + 1);
            let word = &rest[..end];
            at += end;
            tokens.push((start, number(word).ok_or((start, format!("`{word}` is no number")))?));
        } else if first.is_alphabetic() || matches!(first, '_' | '.' | '$' | '@') {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$' | '@' | '-'));
            let word = &rest[..end.unwrap_or(rest.len())];
            at += word.len();
            tokens.push((start, Token::Name(word.to_owned())));
        } else {
            return Err((start, format!("`{first}` means nothing here")));
        }
    }
    Ok(tokens)
}

/// What stands up to the closing mark, and the bytes with it. A backslash takes the mark or a backslash as it is.
fn quoted(text: &str, mark: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        if c == mark {
            return Some((content, at + c.len_utf8()));
        }
        if c == '\\' {
            let (_, next) = characters.next()?;
            if next != mark && (mark == '/' || next != '\\') {
                content.push('\\');
            }
            content.push(next);
        } else {
            content.push(c);
        }
    }
    None
}

fn number(word: &str) -> Option<Token> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let sign = |n: i128| Token::Int(if negative { -n } else { n });
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|n| sign(n.into()));
    }
    if let Ok(n) = digits.parse::<u64>() {
        return Some(sign(n.into()));
    }
    word.parse::<f64>().ok().map(Token::Float)
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// When it does not follow the grammar; the message shows the place.
    pub(super) fn parse(text: &str) -> Result<Condition, ConditionError> {
        let error = |(at, what)| ConditionError { text: text.to_owned(), at, what };
        let tokens = tokens(text).map_err(error)?;
        let mut parser = Parser { tokens: &tokens, at: 0, end: text.len(), depth: 0 };
        let node = parser.or().map_err(error)?;
        if let Some((at, _)) = tokens.get(parser.at) {
            return Err(error((*at, "the condition should end here".to_owned())));
        }
        Ok(Condition(node))
    }

    /// Whether the event meets it. What an event does not have meets nothing but `!=` and `!~`.
    pub(super) fn holds(&self, event: &Event<'_>) -> bool {
        self.0.holds(event)
    }
}

/// Deepest nesting of brackets and negations.
const MAX_DEPTH: u32 = 200;

struct Parser<'t> {
    tokens: &'t [(usize, Token)],
    at: usize,
    end: usize,
    depth: u32,
}

type Parsed<T> = Result<T, (usize, String)>;

impl Parser<'_> {
    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((_, Token::Sign(s))) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Parsed<Node> {
        let mut left = self.and()?;
        while self.take("||") {
            left = Node::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Node> {
        let mut left = self.not()?;
        while self.take("&&") {
            left = Node::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err((self.position(), "this nests too deep".to_owned()));
        }
        let node = if self.take("!") {
            Node::Not(Box::new(self.not()?))
        } else if self.take("(") {
            let inner = self.or()?;
            if !self.take(")") {
                return Err((self.position(), "a `)` is missing here".to_owned()));
            }
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(at, _)| *at)
    }

    fn comparison(&mut self) -> Parsed<Node> {
        let left = self.operand()?;
        let signs = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::LessEqual),
            (">=", Comparison::GreaterEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        for (sign, comparison) in signs {
            if self.take(sign) {
                return Ok(Node::Compare(left, comparison, self.operand()?));
            }
        }
        if self.take("=~") {
            return Ok(Node::Match(left, self.pattern()?));
        }
        if self.take("!~") {
            return Ok(Node::Not(Box::new(Node::Match(left, self.pattern()?))));
        }
        Ok(Node::Holds(left))
    }

    fn operand(&mut self) -> Parsed<Operand> {
        let position = self.position();
        let operand = match self.tokens.get(self.at).map(|(_, token)| token) {
            Some(Token::Name(name)) => Operand::Column(Column::parse(name)),
            Some(Token::Int(n)) => Operand::Int(*n),
            Some(Token::Float(n)) => Operand::Float(*n),
            Some(Token::Text(text)) => Operand::Text(text.clone()),
            Some(Token::Regex(_)) => {
                return Err((position, "an expression between slashes goes after =~".into()));
            }
            Some(Token::Sign(_)) | None => return Err((position, "a name or value is missing here".into())),
        };
        self.at += 1;
        Ok(operand)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let position = self.position();
        let pattern = match self.tokens.get(self.at).map(|(_, token)| token) {
            Some(Token::Regex(text)) => {
                Pattern::Regex(Regex::new(&format!("(?i){text}")).map_err(|e| (position, e.to_string()))?)
            }
            Some(Token::Text(text)) => Pattern::Glob(text.chars().collect()),
            _ => return Err((position, "a \"text\" or /expression/ is missing here".to_owned())),
        };
        self.at += 1;
        Ok(pattern)
    }
}

/// A value in a comparison.
enum Found {
    Int(i128),
    Float(f64),
    Text(String),
    /// A number that also has a name.
    Named(i128, String),
}

impl Node {
    fn holds(&self, event: &Event<'_>) -> bool {
        match self {
            Node::Or(a, b) => a.holds(event) || b.holds(event),
            Node::And(a, b) => a.holds(event) && b.holds(event),
            Node::Not(a) => !a.holds(event),
            Node::Holds(operand) => match operand.value(event) {
                Some(Found::Int(n) | Found::Named(n, _)) => n != 0,
                Some(Found::Float(n)) => n != 0.0,
                Some(Found::Text(text)) => !text.is_empty(),
                None => false,
            },
            Node::Compare(a, comparison, b) => match (a.value(event), b.value(event)) {
                (Some(a), Some(b)) => compare(&a, *comparison, &b),
                _ => *comparison == Comparison::Unequal,
            },
            Node::Match(operand, pattern) => operand.value(event).is_some_and(|found| {
                let text = found.text();
                match pattern {
                    Pattern::Regex(regex) => regex.is_match(&text),
                    Pattern::Glob(glob) => matches_glob(glob, &text.chars().collect::<Vec<_>>()),
                }
            }),
        }
    }
}

impl Operand {
    fn value(&self, event: &Event<'_>) -> Option<Found> {
        match self {
            Operand::Int(n) => Some(Found::Int(*n)),
            Operand::Float(n) => Some(Found::Float(*n)),
            Operand::Text(text) => Some(Found::Text(text.clone())),
            Operand::Column(column) => match column.head {
                Some(head) => Some(match event.head(head)? {
                    Item::Int(n) => Found::Int(n),
                    Item::Seconds(ns) => Found::Float(ns as f64 / 1e9),
                    Item::Text(text) => Found::Text(text.to_owned()),
                    Item::Guid(guid) => Found::Text(guid.to_string()),
                    Item::Mask(mask) => Found::Int(mask.into()),
                    // No single value to compare with.
                    Item::Addresses(_) | Item::Frames(_) => return None,
                }),
                None => {
                    let named = event.field(&column.name)?;
                    Some(match named.value {
                        Value::Unsigned(n) if named.field.map.is_some() => {
                            Found::Named(n.into(), named.value.display(named.field).to_string())
                        }
                        Value::Signed(n) if named.field.map.is_some() => {
                            Found::Named(n.into(), named.value.display(named.field).to_string())
                        }
                        Value::Unsigned(n) => Found::Int(n.into()),
                        Value::Signed(n) => Found::Int(n.into()),
                        Value::Bool(b) => Found::Named(b.into(), b.to_string()),
                        Value::F32(n) => Found::Float(n.into()),
                        Value::F64(n) => Found::Float(n),
                        _ => Found::Text(named.value.display(named.field).to_string()),
                    })
                }
            },
        }
    }
}

impl Found {
    fn text(&self) -> String {
        match self {
            Found::Int(n) => n.to_string(),
            Found::Float(n) => n.to_string(),
            Found::Text(text) | Found::Named(_, text) => text.clone(),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Found::Int(n) | Found::Named(n, _) => Some(*n as f64),
            Found::Float(n) => Some(*n),
            Found::Text(text) => match number(text.trim())? {
                Token::Int(n) => Some(n as f64),
                Token::Float(n) => Some(n),
                _ => None,
            },
        }
    }
}

fn compare(a: &Found, comparison: Comparison, b: &Found) -> bool {
    use std::cmp::Ordering;
    let order = match (a, b) {
        (Found::Int(a) | Found::Named(a, _), Found::Int(b) | Found::Named(b, _)) => Some(a.cmp(b)),
        (Found::Text(_) | Found::Named(..), Found::Text(_) | Found::Named(..)) => {
            Some(a.text().to_ascii_lowercase().cmp(&b.text().to_ascii_lowercase()))
        }
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => None,
        },
    };
    match (order, comparison) {
        (Some(order), Comparison::Equal) => order == Ordering::Equal,
        (order, Comparison::Unequal) => order != Some(Ordering::Equal),
        (Some(order), Comparison::Less) => order == Ordering::Less,
        (Some(order), Comparison::LessEqual) => order != Ordering::Greater,
        (Some(order), Comparison::Greater) => order == Ordering::Greater,
        (Some(order), Comparison::GreaterEqual) => order != Ordering::Less,
        (None, _) => false,
    }
}

/// Whether a whole text is one with `*` (anything) and `?` (any one character) in it; ASCII letters without case.
pub(super) fn matches_glob(glob: &[char], text: &[char]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut retry = None;
    while t < text.len() {
        match glob.get(g) {
            Some('*') => {
                retry = Some((g, t));
                g += 1;
            }
            Some(c) if *c == '?' || c.eq_ignore_ascii_case(&text[t]) => {
                g += 1;
                t += 1;
            }
            _ => match retry {
                Some((star, from)) => {
                    g = star + 1;
                    t = from + 1;
                    retry = Some((star, t));
                }
                None => return false,
            },
        }
    }
    glob.get(g..).is_none_or(|rest| rest.iter().all(|c| *c == '*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let is = |glob: &str, text: &str| {
            matches_glob(&glob.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
        };
        assert!(is("*.exe", "Notepad.EXE") && is("", "") && is("a?c*", "abcdef") && is("*a*b*", "xxaxxbxx"));
        assert!(!is("*.exe", "notepad.dll") && !is("", "a") && !is("a", "") && !is("?", ""));
        let many = "a".repeat(200);
        assert!(!is(&"*a".repeat(50), &format!("{many}b")), "no explosion");
    }

    #[test]
    fn mistakes_show_their_place() {
        for (text, wanted) in [
            ("pid ==", "a name or value is missing here\n  pid ==\n        ^"),
            ("pid = 3", "`=` means nothing here\n  pid = 3\n      ^"),
            ("(pid", "a `)` is missing here\n  (pid\n      ^"),
            ("a b", "the condition should end here\n  a b\n    ^"),
            ("a == \"b", "\" without its end\n  a == \"b\n       ^"),
            ("a == 12q", "`12q` is no number\n  a == 12q\n       ^"),
        ] {
            assert_eq!(Condition::parse(text).unwrap_err().to_string(), format!("--where: {wanted}"));
        }
        assert!(Condition::parse(&"!".repeat(100_000)).is_err());
        assert!(Condition::parse("a =~ /(/").is_err());
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        let parts = [
            "a", "==", "\"", "'", "/", "\\", "(", ")", "!", "&&", "||", "=~", "0x", "-1", "é", ".", " ",
            "1e9",
        ];
        let mut state = 1u32;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(parts[(state >> 16) as usize % parts.len()]);
            }
            let _ = Condition::parse(&text).map_err(|e| e.to_string());
        }
    }
}
