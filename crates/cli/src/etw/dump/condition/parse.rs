//! Reads conditions: the operators, the parts of a text, the grammar.

use regex_lite::Regex;

use super::super::columns::Column;
use super::super::property::{self, Head, Kind};
use super::names::mistaken_level;
use super::value::Literal;
use super::{Called, Comparison, Node, Operand, Pattern};
use tracewell::when::date;

/// An operator: its symbol, the word that can replace it, and its meaning.
struct Operator {
    sign: &'static str,
    word: Option<&'static str>,
    compares: Option<Comparison>,
    about: &'static str,
}

const fn operator(
    sign: &'static str,
    word: Option<&'static str>,
    compares: Option<Comparison>,
    about: &'static str,
) -> Operator {
    Operator { sign, word, compares, about }
}

/// The operators in order of precedence, highest first.
const OPERATORS: [Operator; 13] = [
    operator("&", None, None, "the bits that both numbers have: 'keyword & 0x10', \"IrpFlags & 'PagingIo'\""),
    operator("==", None, Some(Comparison::Equal), "equal; texts are compared ignoring ASCII case"),
    operator(
        "!=",
        None,
        Some(Comparison::Unequal),
        "the opposite of ==; holds if an event does not have the name",
    ),
    operator("<", None, Some(Comparison::Less), "less, earlier, or alphabetically before"),
    operator("<=", None, Some(Comparison::LessEqual), "less or equal"),
    operator(">", None, Some(Comparison::Greater), "greater"),
    operator(">=", None, Some(Comparison::GreaterEqual), "greater or equal"),
    operator(
        "=~",
        None,
        None,
        "matches a text with * and ?, or a regular expression: 'FileName =~ /\\.dll$/'",
    ),
    operator("!~", None, None, "the opposite of =~"),
    operator("in", None, None, "equal to one of a list: 'pid in (4, 8)'"),
    operator("!", Some("not"), None, "not"),
    operator("&&", Some("and"), None, "both"),
    operator("||", Some("or"), None, "either"),
];

/// Symbols that are not operators.
const PUNCTUATION: [&str; 3] = ["(", ")", ","];

/// The manual's section about conditions. Each paragraph is one line; the caller wraps it.
pub(in super::super) fn manual() -> String {
    let mut text = String::from(
        "Conditions (--where) compare names and values; the operators are, in order of precedence:\n\n",
    );
    for operator in &OPERATORS {
        let signs = match operator.word {
            Some(word) => format!("{}, {word}", operator.sign),
            None => operator.sign.to_owned(),
        };
        text.push_str(&format!("  {signs:7}  {}\n", operator.about));
    }
    let paragraphs = [
        "Parentheses group conditions. A name is a property (below) or a field of the payload; with a leading dot \
         it is always a field. Members of structs follow a dot: 'Peer.Port == 443'. A name without an operator holds \
         if the event has it and it is neither zero nor empty.",
        "If a name has several values (an array, a member of an array of structs, a stack or a list), a comparison holds if \
         it holds for any of them.",
        "A value is a number (decimal, hexadecimal with 0x, with the suffix k, M or G for powers of 1024, or with \
         decimals) or a quoted text. A number with names (maps, statuses, opcodes, bits) can be compared with \
         a name: 'Status == \"STATUS_PENDING\"'. Names are ordered by their numbers: \
         'level <= \"Warning\"' is 'level <= 3'; a value without that name is neither less nor greater. \
         A text that is not a name of any value is an error. \
         Providers and events match every name that a command prints: 'event == \"GC_Start\"' is \
         'event == \"GC/Start\"', and 'provider == \"DiskIo\"' selects the kernel's events of that class. GUIDs, SIDs and \
         network addresses are compared \
         as texts, times with dates such as \"2024-05-01T12:00:00.5Z\".",
    ];
    for paragraph in paragraphs {
        text.push('\n');
        text.push_str(paragraph);
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&property::manual());
    text
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(i128),
    Float(f64),
    Text(String),
    Regex(String),
    Sign(&'static str),
}

/// The sign that a text begins with: of several the longest.
fn sign_at(text: &str) -> Option<&'static str> {
    let signs = OPERATORS.iter().map(|operator| operator.sign).filter(|sign| !is_word(sign));
    signs.chain(PUNCTUATION).filter(|sign| text.starts_with(sign)).max_by_key(|sign| sign.len())
}

fn is_word(sign: &str) -> bool {
    sign.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns the symbol that a word replaces.
fn sign_of(word: &str) -> Option<&'static str> {
    let found = OPERATORS.iter().find(|operator| operator.word == Some(word) || operator.sign == word);
    found.map(|operator| operator.sign)
}

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
        if let Some(sign) = sign_at(rest) {
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
            tokens.push((start, number(word).ok_or((start, format!("`{word}` is not a number")))?));
        } else if first.is_alphabetic() || matches!(first, '_' | '.' | '$' | '@') {
            let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$' | '@' | '-'));
            let word = &rest[..end.unwrap_or(rest.len())];
            at += word.len();
            let token = sign_of(word).map_or_else(|| Token::Name(word.to_owned()), Token::Sign);
            tokens.push((start, token));
        } else {
            return Err((start, format!("`{first}` means nothing here")));
        }
    }
    Ok(tokens)
}

/// Returns the text up to the closing mark, and its length in bytes. A backslash escapes the mark or a backslash.
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

pub(super) fn number(word: &str) -> Option<Token> {
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
    for (unit, bits) in [("k", 10), ("K", 10), ("M", 20), ("G", 30)] {
        if let Some(n) = digits.strip_suffix(unit).and_then(|digits| digits.parse::<u64>().ok()) {
            return Some(sign(i128::from(n) << bits));
        }
    }
    word.parse::<f64>().ok().map(Token::Float)
}

/// Reads a whole condition; the error has its place in the text.
pub(super) fn condition(text: &str) -> Parsed<Node> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, end: text.len(), depth: 0 };
    let node = parser.or()?;
    match tokens.get(parser.at) {
        Some((at, _)) => Err((*at, "the condition should end here".to_owned())),
        None => Ok(node),
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
        let first = self.and()?;
        self.further("||", first, Parser::and, Node::Or)
    }

    fn and(&mut self) -> Parsed<Node> {
        let first = self.not()?;
        self.further("&&", first, Parser::not, Node::And)
    }

    /// What is joined to the first part by a sign.
    fn further(
        &mut self,
        sign: &str,
        first: Node,
        part: impl Fn(&mut Self) -> Parsed<Node>,
        join: impl Fn(Vec<Node>) -> Node,
    ) -> Parsed<Node> {
        if !self.take(sign) {
            return Ok(first);
        }
        let mut parts = vec![first, part(self)?];
        while self.take(sign) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
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
        let left = self.bits()?;
        if self.take("in") {
            return self.list(left);
        }
        for operator in &OPERATORS {
            if let Some(comparison) = operator.compares
                && self.take(operator.sign)
            {
                let position = self.position();
                let right = self.bits()?;
                let (left, right) = comparable(left, comparison, right).map_err(|what| (position, what))?;
                return Ok(node(left, comparison, right));
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

    /// What follows `in`: any of the values will do.
    fn list(&mut self, left: Operand) -> Parsed<Node> {
        if !self.take("(") {
            return Err((self.position(), "a list in brackets is missing here".to_owned()));
        }
        let mut any = Vec::new();
        loop {
            let position = self.position();
            let right = self.bits()?;
            let (left, right) =
                comparable(left.clone(), Comparison::Equal, right).map_err(|what| (position, what))?;
            any.push(node(left, Comparison::Equal, right));
            if self.take(")") {
                return Ok(Node::Or(any));
            }
            if !self.take(",") {
                return Err((self.position(), "a `,` or `)` is missing here".to_owned()));
            }
        }
    }

    fn bits(&mut self) -> Parsed<Operand> {
        let left = self.operand()?;
        if self.take("&") {
            let position = self.position();
            let right = self.operand()?;
            let two = comparable(left, Comparison::Equal, right).map_err(|what| (position, what))?;
            return Ok(Operand::Bits(Box::new(two)));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed<Operand> {
        let position = self.position();
        let operand = match self.tokens.get(self.at).map(|(_, token)| token) {
            Some(Token::Name(name)) => Operand::Column(Column::parse(name)),
            Some(Token::Int(n)) => Operand::Int(*n),
            Some(Token::Float(n)) => Operand::Float(*n),
            Some(Token::Text(text)) => Operand::Text(Literal::new(text)),
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

/// Converts a text that is compared with a time to a date. Fails if the operator needs a number, or an
/// ordered name, and the text is neither.
fn comparable(left: Operand, comparison: Comparison, right: Operand) -> Result<(Operand, Operand), String> {
    match (&left, &right) {
        (Operand::Column(column), Operand::Text(literal)) => {
            Ok(match against(column, comparison, literal)? {
                Some((left, right)) => (left, right),
                None => (left, right),
            })
        }
        (Operand::Text(literal), Operand::Column(column)) => {
            Ok(match against(column, comparison, literal)? {
                Some((column, date)) => (date, column),
                None => (left, right),
            })
        }
        _ => Ok((left, right)),
    }
}

/// A comparison; a provider or event that is to be, or not to be, of some name is looked for by all that it is called.
fn node(left: Operand, comparison: Comparison, right: Operand) -> Node {
    let named = match (&left, &right) {
        (Operand::Column(column), Operand::Text(literal))
        | (Operand::Text(literal), Operand::Column(column)) => Called::new(column.head, literal.text()),
        _ => None,
    };
    match (named, comparison) {
        (Some(named), Comparison::Equal) => Node::Called(named),
        (Some(named), Comparison::Unequal) => Node::Not(Box::new(Node::Called(named))),
        _ => Node::Compare(left, comparison, right),
    }
}

/// What is compared in the place of a property and a text, when it is not these.
fn against(
    column: &Column,
    comparison: Comparison,
    literal: &Literal,
) -> Result<Option<(Operand, Operand)>, String> {
    let text = literal.text();
    match column.head.map(Head::kind) {
        Some(Kind::Date) => {
            let read = date(text)
                .ok_or_else(|| format!("'{text}' is not a date; write it as \"2024-05-01T12:00:00.5Z\""))?;
            Ok(Some((Operand::Column(Column::parse("utc")), Operand::Date(read))))
        }
        Some(Kind::Number) if !literal.is_number() => {
            Err(format!("{} is a number, which '{text}' is not", column.name))
        }
        Some(Kind::Named) if column.head == Some(Head::Level) && comparison.is_of_order() => {
            mistaken_level(text).map_or(Ok(None), Err)
        }
        _ => Ok(None),
    }
}
