//! The parts of a condition, and whether an event meets them.

use std::cell::RefCell;

use regex_lite::Regex;
use rustc_hash::FxHashMap;
use tracewell_decode::FormatId;

use super::super::columns::Column;
use super::super::event::Event;
use super::super::property::Head;
use super::comparison::Comparison;
use super::value::{self, Found, Literal};
use crate::filter::glob::matches_glob;
use crate::filter::names::{Name, Sort, Wish};

/// A condition or a part of one.
#[derive(Debug)]
pub(super) enum Node {
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
pub(super) struct Called {
    is_provider: bool,
    text: String,
    /// The formats that were asked so far.
    known: RefCell<FxHashMap<FormatId, bool>>,
}

impl Called {
    /// Of a property, where it is one of these.
    pub(super) fn new(head: Option<Head>, text: &str) -> Option<Called> {
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
pub(super) enum Operand {
    Column(Column),
    Int(i128),
    Float(f64),
    Text(Literal),
    /// Nanoseconds since 1970 began.
    Date(i64),
    /// The bits that two numbers share.
    Bits(Box<(Operand, Operand)>),
}

#[derive(Debug)]
pub(super) enum Pattern {
    Regex(Regex),
    Glob(Vec<char>),
}

impl Node {
    pub(super) fn holds(&self, event: &Event<'_>) -> bool {
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

    pub(super) fn each_operand<'n>(&'n self, each: &mut dyn FnMut(&'n Operand)) {
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
    pub(super) fn called<'n>(&'n self, names: &mut Vec<Name<'n>>) {
        match self {
            Node::Or(parts) | Node::And(parts) => parts.iter().for_each(|part| part.called(names)),
            Node::Called(called) => names.extend(called.wish().name()),
            // What is to be unequal may well be unknown.
            Node::Not(_) | Node::Holds(_) | Node::Match(..) | Node::Compare(..) => {}
        }
    }

    /// The texts that fields and header numbers are compared with, except numeric texts.
    pub(super) fn values<'n>(&'n self, names: &mut Vec<Name<'n>>) {
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

    pub(super) fn columns<'o>(&'o self, columns: &mut Vec<&'o Column>) {
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
