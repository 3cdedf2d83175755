//! The conditions of `--where`: a small language over the properties and fields of an event.
//!
//! ```text
//! or         = and { "||" and }
//! and        = not { "&&" not }
//! not        = "!" not | "(" or ")" | comparison
//! comparison = bits [ COMPARE bits | MATCH pattern | "in" "(" bits { "," bits } ")" ]
//! bits       = operand [ "&" operand ]
//! operand    = NAME | NUMBER | "TEXT" | 'TEXT'
//! pattern    = "TEXT" | 'TEXT' | /REGEX/
//! ```
//!
//! The operators and their meanings are one table in `parse`; [`manual`] prints it for users.
//!
//! A name may have several values: an array, the members of an array of structs, a stack. A comparison holds if it
//! holds for any of them; `!=` and `!~` are the opposites of `==` and `=~`.

mod names;
mod parse;
mod value;

use std::cell::RefCell;
use std::fmt;

use regex_lite::Regex;
use rustc_hash::FxHashMap;
use tracewell_decode::FormatId;

use super::columns::Column;
use super::event::Event;
use super::property::Head;
use tracewell::filter::glob::matches_glob;
use tracewell::filter::names::{Name, Sort, Wish};
use value::{Found, Literal};

pub(super) use parse::manual;

/// A compiled condition, evaluated for one event after another.
#[derive(Debug)]
pub(super) struct Condition(Node);

#[derive(Debug)]
enum Node {
    Or(Vec<Node>),
    And(Vec<Node>),
    Not(Box<Node>),
    Holds(Operand),
    Called(Called),
    Compare(Operand, Comparison, Operand),
    Match(Operand, Pattern),
}

/// A provider or event by a name, a GUID or a number.
#[derive(Debug)]
struct Called {
    is_provider: bool,
    text: String,
    /// The formats that were asked so far.
    known: RefCell<FxHashMap<FormatId, bool>>,
}

impl Called {
    /// Of a property, where it is one of these.
    fn new(head: Option<Head>, text: &str) -> Option<Called> {
        let is_provider = match head? {
            Head::Provider => true,
            Head::Event => false,
            _ => return None,
        };
        Some(Called { is_provider, text: text.to_owned(), known: RefCell::default() })
    }

    fn wish(&self) -> Wish<'_> {
        if self.is_provider { Wish::provider(&self.text) } else { Wish::event(&self.text) }
    }

    fn holds(&self, event: &Event<'_>) -> bool {
        match self.wish() {
            Wish::Name(name) => {
                let mut known = self.known.borrow_mut();
                if known.len() >= Wish::MOST_FORMATS {
                    known.clear();
                }
                *known.entry(event.id).or_insert_with(|| name.is_of(event.format))
            }
            wish => wish.is_met(&event.record, event.format),
        }
    }
}

#[derive(Clone, Debug)]
enum Operand {
    Column(Column),
    Int(i128),
    Float(f64),
    Text(Literal),
    /// Nanoseconds since 1970 began.
    Date(i64),
    /// The bits that two numbers share.
    Bits(Box<(Operand, Operand)>),
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

impl ConditionError {
    /// All of it in one line, for error output that is not a terminal's.
    pub(super) fn line(&self) -> String {
        match self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            Some(rest) => format!("--where: {}, at: {rest}", self.what),
            None => format!("--where: {}, at the end of: {}", self.what, self.text),
        }
    }
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// When it does not follow the grammar, or compares what can never be alike; the message shows the place.
    pub(super) fn parse(text: &str) -> Result<Condition, ConditionError> {
        parse::condition(text).map(Condition).map_err(|(at, what)| ConditionError {
            text: text.to_owned(),
            at,
            what,
        })
    }

    /// The names in it that must be those of fields, of the provider or event, and of values.
    pub(super) fn names(&self) -> Vec<Name<'_>> {
        let fields = self.columns().into_iter().filter_map(Column::field);
        let mut names: Vec<Name<'_>> = fields.map(|text| Name { sort: Sort::Field, text }).collect();
        self.0.called(&mut names);
        self.0.values(&mut names);
        names
    }

    /// All columns in it.
    pub(super) fn columns(&self) -> Vec<&Column> {
        let mut columns = Vec::new();
        self.0.each_operand(&mut |operand| operand.columns(&mut columns));
        columns
    }

    /// The columns that events were asked for and none had.
    pub(super) fn absent(&self) -> Vec<&Column> {
        let mut columns = self.columns();
        columns.retain(|column| column.is_absent());
        columns
    }

    /// Returns `true` if the event meets the condition. A missing value meets only `!=` and `!~`.
    pub(super) fn holds(&self, event: &Event<'_>) -> bool {
        self.0.holds(event)
    }
}

impl Node {
    fn holds(&self, event: &Event<'_>) -> bool {
        match self {
            Node::Or(parts) => parts.iter().any(|part| part.holds(event)),
            Node::And(parts) => parts.iter().all(|part| part.holds(event)),
            Node::Not(a) => !a.holds(event),
            Node::Called(called) => called.holds(event),
            Node::Holds(operand) => operand.any(event, &mut |found| found.is_something()),
            Node::Compare(a, Comparison::Unequal, b) => !compare(a, Comparison::Equal, b, event),
            Node::Compare(a, comparison, b) => compare(a, *comparison, b, event),
            Node::Match(operand, pattern) => {
                operand.any(event, &mut |found| found.is_called(&mut |name| pattern.is(name)))
            }
        }
    }

    fn each_operand<'n>(&'n self, each: &mut dyn FnMut(&'n Operand)) {
        match self {
            Node::Or(parts) | Node::And(parts) => parts.iter().for_each(|part| part.each_operand(each)),
            Node::Not(a) => a.each_operand(each),
            Node::Called(_) => {}
            Node::Holds(operand) | Node::Match(operand, _) => each(operand),
            Node::Compare(a, _, b) => {
                each(a);
                each(b);
            }
        }
    }

    /// The names that the provider or event is to have.
    fn called<'n>(&'n self, names: &mut Vec<Name<'n>>) {
        match self {
            Node::Or(parts) | Node::And(parts) => parts.iter().for_each(|part| part.called(names)),
            Node::Called(called) => names.extend(called.wish().name()),
            // What is to be unequal may well be unknown.
            Node::Not(_) | Node::Holds(_) | Node::Match(..) | Node::Compare(..) => {}
        }
    }

    /// The texts that fields and header numbers are compared with, except numeric texts.
    fn values<'n>(&'n self, names: &mut Vec<Name<'n>>) {
        match self {
            Node::Or(parts) | Node::And(parts) => parts.iter().for_each(|part| part.values(names)),
            Node::Not(part) => part.values(names),
            Node::Compare(a, _, b) => {
                a.values(b, names);
                b.values(a, names);
            }
            Node::Holds(_) | Node::Match(..) | Node::Called(_) => {}
        }
        self.each_operand(&mut |operand| {
            if let Operand::Bits(two) = operand {
                two.0.values(&two.1, names);
                two.1.values(&two.0, names);
            }
        });
    }
}

/// Returns `true` if any value of one operand compares so with any of the other.
fn compare(a: &Operand, comparison: Comparison, b: &Operand, event: &Event<'_>) -> bool {
    let holds = |a: &Found<'_>, b: &Found<'_>| match comparison {
        Comparison::Equal => a.equals(b),
        _ => a.order(b).is_some_and(|order| comparison.is(order)),
    };
    a.any(event, &mut |a| b.any(event, &mut |b| holds(&a, &b)))
}

impl Comparison {
    /// Returns `true` if it asks for what comes first.
    fn is_of_order(self) -> bool {
        !matches!(self, Comparison::Equal | Comparison::Unequal)
    }

    fn is(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::Unequal => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterEqual => order.is_ge(),
        }
    }
}

impl Pattern {
    fn is(&self, text: &str) -> bool {
        match self {
            Pattern::Regex(regex) => regex.is_match(text),
            Pattern::Glob(glob) => matches_glob(glob, &text.chars().collect::<Vec<_>>()),
        }
    }
}

impl Operand {
    /// The text that this one is, as that of a value of the columns of another.
    fn values<'n>(&'n self, other: &'n Operand, names: &mut Vec<Name<'n>>) {
        let Operand::Text(literal) = self else { return };
        if literal.is_number() {
            return;
        }
        let mut columns = Vec::new();
        other.columns(&mut columns);
        names.extend(columns.into_iter().filter_map(|column| {
            let sort = match column.header() {
                Some(header) => Sort::Header(header, &column.name),
                None => Sort::Value(column.numbered_field()?),
            };
            Some(Name { sort, text: literal.text() })
        }));
    }

    fn columns<'o>(&'o self, columns: &mut Vec<&'o Column>) {
        match self {
            Operand::Column(column) => columns.push(column),
            Operand::Bits(two) => {
                two.0.columns(columns);
                two.1.columns(columns);
            }
            Operand::Int(_) | Operand::Float(_) | Operand::Text(_) | Operand::Date(_) => {}
        }
    }

    /// Returns `true` if any of its values is one that `wanted` takes.
    fn any(&self, event: &Event<'_>, wanted: &mut dyn FnMut(Found<'_>) -> bool) -> bool {
        match self {
            Operand::Int(n) => wanted(Found::int(*n)),
            Operand::Float(n) => wanted(Found::float(*n)),
            Operand::Text(literal) => wanted(Found::literal(literal)),
            Operand::Date(ns) => wanted(Found::date(*ns)),
            Operand::Bits(two) => {
                two.0.any(event, &mut |a| two.1.any(event, &mut |b| a.bits(&b).is_some_and(&mut *wanted)))
            }
            Operand::Column(column) => {
                column.of(event).is_some_and(|content| value::any_of(column, event, content, wanted))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_show_their_place() {
        for (text, wanted) in [
            ("pid ==", "a name or value is missing here\n  pid ==\n        ^"),
            ("pid = 3", "`=` means nothing here\n  pid = 3\n      ^"),
            ("(pid", "a `)` is missing here\n  (pid\n      ^"),
            ("a b", "the condition should end here\n  a b\n    ^"),
            ("a == \"b", "\" without its end\n  a == \"b\n       ^"),
            ("a == 12q", "`12q` is not a number\n  a == 12q\n       ^"),
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
