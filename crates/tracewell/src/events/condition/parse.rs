//! Reads conditions: the grammar.

use regex_lite::Regex;

use super::super::columns::Column;
use super::super::property::{Head, Kind};
use super::comparison::Comparison;
use super::names::mistaken_level;
use super::node::{Called, Node, Operand, Pattern};
use super::token::{OPERATORS, Token, tokens};
use super::value::Literal;
use crate::when::date;

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
