//! The values that conditions compare.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::net::IpAddr;

use tracewell_decode::{EventFormat, KeywordNames, Value};
use tracewell_schema::{Field, FieldType, Hint, codes};
use tracewell_types::Guid;

use super::super::columns::{Column, item_text};
use super::super::event::{Cellful, Event};
use super::super::extended;
use super::super::property::{Head, Item, Property};
use super::super::write::utc;
use super::names::Names;
use super::token::{Token, number};
use crate::filter::names;
use crate::when::date;

/// A text of a condition, with all that it may be meant as.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    text: String,
    /// The same GUID or address as it is shown.
    canonical: Option<String>,
    number: Option<Key>,
    /// Nanoseconds since 1970 began.
    date: Option<i64>,
}

impl Literal {
    pub(super) fn new(text: &str) -> Literal {
        let bare = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        let guid = Guid::try_parse(bare.as_bytes()).map(|guid| guid.to_string());
        let address = || text.parse::<IpAddr>().ok().map(|address| address.to_string());
        let canonical = guid.or_else(address).filter(|canonical| canonical != text);
        Literal { text: text.to_owned(), canonical, number: key_of(text), date: date(text) }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_number(&self) -> bool {
        self.number.is_some()
    }
}

/// The number that a text is.
fn key_of(text: &str) -> Option<Key> {
    match number(text.trim())? {
        Token::Int(n) => Some(Key::Int(n)),
        Token::Float(n) => Some(Key::Float(n)),
        _ => None,
    }
}

/// What values are ordered by.
#[derive(Clone, Copy, Debug)]
enum Key {
    Int(i128),
    Float(f64),
    /// Nanoseconds since 1970 began.
    Date(i64),
    /// The text that is shown.
    Text,
}

/// How a value is shown; put into words only when that is asked for.
enum Shown<'a> {
    /// By its key.
    Key,
    Text(Cow<'a, str>),
    /// A number by its name.
    Named(&'a str),
    Value(Value<'a>, &'a Field),
    Keywords(KeywordNames<'a>),
    /// The provider of events of a format.
    Provider(&'a EventFormat),
    /// The name of events of a format.
    Event(&'a EventFormat),
    Literal(&'a Literal),
}

/// A value in a comparison.
pub(super) struct Found<'a> {
    key: Key,
    shown: Shown<'a>,
    /// The names that numbers of this kind can have.
    names: Names<'a>,
}

impl<'a> Found<'a> {
    fn new(key: Key, shown: Shown<'a>) -> Found<'a> {
        Found { key, shown, names: Names::None }
    }

    pub(super) fn int(n: i128) -> Found<'a> {
        Found::new(Key::Int(n), Shown::Key)
    }

    pub(super) fn float(n: f64) -> Found<'a> {
        Found::new(Key::Float(n), Shown::Key)
    }

    pub(super) fn date(ns: i64) -> Found<'a> {
        Found::new(Key::Date(ns), Shown::Key)
    }

    pub(super) fn literal(literal: &'a Literal) -> Found<'a> {
        Found::new(Key::Text, Shown::Literal(literal))
    }

    fn text(text: impl Into<Cow<'a, str>>) -> Found<'a> {
        Found::new(Key::Text, Shown::Text(text.into()))
    }

    /// The bits that two whole numbers share; a text is the number that it is the name of among the other's values.
    pub(super) fn bits(&self, other: &Found<'a>) -> Option<Found<'a>> {
        let number = |a: &Found<'_>, beside: &Found<'_>| match a.key {
            Key::Int(n) => Some(n),
            Key::Text => match beside.named(&a.shown()).or(a.meant().0)? {
                Key::Int(n) => Some(n),
                _ => None,
            },
            _ => None,
        };
        let names = if matches!(self.names, Names::None) { other.names } else { self.names };
        Some(Found { names, ..Found::int(number(self, other)? & number(other, self)?) })
    }

    /// Returns `true` if it is neither zero nor empty.
    pub(super) fn is_something(&self) -> bool {
        match self.key {
            Key::Int(n) => n != 0,
            Key::Float(n) => n != 0.0,
            Key::Date(_) => true,
            Key::Text => !self.shown().is_empty(),
        }
    }

    /// The text that it is shown as.
    fn shown(&self) -> Cow<'_, str> {
        match (&self.shown, self.key) {
            (Shown::Text(text), _) => Cow::Borrowed(text),
            (Shown::Named(name), _) => Cow::Borrowed(name),
            (Shown::Literal(literal), _) => Cow::Borrowed(&literal.text),
            (Shown::Value(Value::Ansi(text), _), _) => super::super::write::ansi(text),
            (Shown::Value(value, field), _) => Cow::Owned(value.display(field).to_string()),
            (Shown::Keywords(names), _) => Cow::Owned(names.to_string()),
            (Shown::Provider(format), _) => Cow::Borrowed(&format.provider),
            (Shown::Event(format), _) => Cow::Borrowed(&format.name),
            (Shown::Key, Key::Int(n)) => Cow::Owned(n.to_string()),
            (Shown::Key, Key::Float(n)) => Cow::Owned(n.to_string()),
            (Shown::Key, Key::Date(ns)) => {
                let mut text = Vec::new();
                utc(&mut text, ns);
                Cow::Owned(String::from_utf8_lossy(&text).into_owned())
            }
            (Shown::Key, Key::Text) => Cow::Borrowed(""),
        }
    }

    /// Returns `true` if `wanted` takes any of the texts that it can be called by: the one that is shown, a code's names
    /// without its number, each name of a set of bits, a number in decimal, a date, what commands call a provider or
    /// event.
    pub(super) fn is_called(&self, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let shown = self.shown();
        if wanted(&shown) {
            return true;
        }
        match &self.shown {
            Shown::Value(value, field) => {
                value.as_u64().is_some_and(|n| codes::names(field.hint, n as u32).any(&mut *wanted))
                    || (field.map.is_some() && shown.contains('|') && shown.split('|').any(&mut *wanted))
                    || matches!(self.key, Key::Int(_) | Key::Date(_))
                        && wanted(&Found::new(self.key, Shown::Key).shown())
            }
            Shown::Keywords(names) => {
                names.iter().any(&mut *wanted) || wanted(&Found::new(self.key, Shown::Key).shown())
            }
            Shown::Named(_) => wanted(&Found::new(self.key, Shown::Key).shown()),
            Shown::Provider(format) => names::provider_is_shown(format, wanted),
            Shown::Event(format) => names::event_is_shown(format, wanted),
            Shown::Literal(literal) => literal.canonical.as_deref().is_some_and(wanted),
            Shown::Text(_) | Shown::Key => false,
        }
    }

    /// Returns `true` if it is the same as another value.
    pub(super) fn equals(&self, other: &Found<'_>) -> bool {
        match (self.key, other.key) {
            (Key::Text, Key::Text) => self.is_alike(other),
            (Key::Text, _) => other.equals_text(self),
            (_, Key::Text) => self.equals_text(other),
            _ => {
                self.order(other).is_some_and(Ordering::is_eq)
                    || self.has_bits_of(other)
                    || other.has_bits_of(self)
            }
        }
    }

    /// Returns `true` if it is the negative value of a field whose bits a number is when it is read without a sign:
    /// `0xC000013A`.
    fn has_bits_of(&self, other: &Found<'_>) -> bool {
        let (Key::Int(own @ ..0), Key::Int(number @ 0..)) = (self.key, other.key) else { return false };
        let (Shown::Value(_, field), Shown::Key) = (&self.shown, &other.shown) else { return false };
        let width = match field.ty {
            FieldType::I8 => 8,
            FieldType::I16 => 16,
            FieldType::I32 => 32,
            FieldType::I64 => 64,
            _ => return false,
        };
        own + (1 << width) == number
    }

    /// Returns `true` if a number or date equals the text, or if the text is one of its names.
    fn equals_text(&self, text: &Found<'_>) -> bool {
        let (number, day) = text.meant();
        let is = |key: Key| self.equals(&Found::new(key, Shown::Key));
        match (self.key, day) {
            (Key::Date(_), Some(day)) => is(day),
            (Key::Date(_), None) => self.is_alike(text),
            _ => self.is_alike(text) || number.is_some_and(is) || self.named(&text.shown()).is_some_and(is),
        }
    }

    /// Compares with another value; `None` if the two have no order.
    pub(super) fn order(&self, other: &Found<'_>) -> Option<Ordering> {
        match (self.key, other.key) {
            (Key::Int(a), Key::Int(b)) => Some(a.cmp(&b)),
            (Key::Date(a), Key::Date(b)) => Some(a.cmp(&b)),
            (Key::Int(_) | Key::Float(_), Key::Int(_) | Key::Float(_)) => {
                self.float_value()?.partial_cmp(&other.float_value()?)
            }
            (Key::Text, Key::Text) => Some(self.alphabetical(other)),
            (_, Key::Text) => self.order_with_text(other),
            (Key::Text, _) => other.order_with_text(self).map(Ordering::reverse),
            // A number is no date.
            (Key::Date(_), _) | (_, Key::Date(_)) => None,
        }
    }

    /// Compares a number or date with a text. A number is compared with the number that the text names, never
    /// alphabetically.
    fn order_with_text(&self, text: &Found<'_>) -> Option<Ordering> {
        let (number, day) = text.meant();
        let to = |key: Key| self.order(&Found::new(key, Shown::Key));
        match (self.key, day) {
            (Key::Date(_), Some(day)) => to(day),
            (Key::Date(_), None) => Some(self.alphabetical(text)),
            _ => match self.named(&text.shown()).or(number) {
                Some(key) => to(key),
                None => self.is_alike(text).then_some(Ordering::Equal),
            },
        }
    }

    /// The number that is called so among the values of its kind.
    fn named(&self, name: &str) -> Option<Key> {
        self.names.number(name).map(Key::Int)
    }

    /// The number and the date that a text says.
    fn meant(&self) -> (Option<Key>, Option<Key>) {
        match &self.shown {
            Shown::Literal(literal) => (literal.number, literal.date.map(Key::Date)),
            _ => (key_of(&self.shown()), None),
        }
    }

    fn is_alike(&self, other: &Found<'_>) -> bool {
        self.is_called(&mut |name| other.is_called(&mut |text| name.eq_ignore_ascii_case(text)))
    }

    /// By the letters of the texts, the case of ASCII ones aside.
    fn alphabetical(&self, other: &Found<'_>) -> Ordering {
        if self.is_alike(other) {
            return Ordering::Equal;
        }
        let (a, b) = (self.shown(), other.shown());
        let small = |byte: u8| byte.to_ascii_lowercase();
        a.bytes().map(small).cmp(b.bytes().map(small))
    }

    fn float_value(&self) -> Option<f64> {
        match self.key {
            Key::Int(n) => Some(n as f64),
            Key::Float(n) => Some(n),
            Key::Date(_) | Key::Text => None,
        }
    }
}

/// Returns `true` if any of the values that an event has of a column is one that `wanted` takes.
pub(super) fn any_of(
    column: &Column,
    event: &Event<'_>,
    content: Cellful<'_>,
    wanted: &mut dyn FnMut(Found<'_>) -> bool,
) -> bool {
    match content {
        Cellful::Head(item) => {
            // A name with capitals may be that of a property, too.
            let head = column.head.or_else(|| Property::by_name(&column.name).map(|known| known.head));
            let names = Names::of_head(head, event);
            match (head, &item) {
                (Some(Head::Provider), Item::Text(_)) => {
                    wanted(Found::new(Key::Text, Shown::Provider(event.format)))
                }
                (Some(Head::Event), Item::Text(_)) => {
                    wanted(Found::new(Key::Text, Shown::Event(event.format)))
                }
                _ => any_of_item(item, &mut |found| wanted(Found { names, ..found })),
            }
        }
        Cellful::Field(named) => any_of_value(named.value, named.field, wanted),
        Cellful::Fields(all) => all.into_iter().any(|named| any_of_value(named.value, named.field, wanted)),
    }
}

fn any_of_item(item: Item<'_>, wanted: &mut dyn FnMut(Found<'_>) -> bool) -> bool {
    match item {
        Item::Int(n) => wanted(Found::int(n)),
        Item::Named(n, name) => wanted(Found::new(Key::Int(n), Shown::Named(name))),
        Item::Mask(mask) => wanted(Found::int(mask.into())),
        Item::Keywords { mask, names } => wanted(Found::new(Key::Int(mask.into()), Shown::Keywords(names))),
        Item::Texts(texts) => texts.into_iter().any(|text| wanted(Found::text(text))),
        Item::Date(ns) => wanted(Found::date(ns)),
        Item::Seconds(ns) => wanted(Found::float(ns as f64 / 1e9)),
        Item::Text(text) => wanted(Found::text(text)),
        Item::Numbers(numbers) => numbers.into_iter().any(|n| wanted(Found::int(n.into()))),
        Item::Addresses(addresses) => addresses.iter().any(|address| wanted(Found::int((*address).into()))),
        Item::Frames(frames) => frames.into_iter().any(|frame| wanted(Found::text(frame))),
        // One text, `name=value`, for each.
        Item::Extended(record) => {
            let mut any = false;
            extended::each(&record, &[], &mut |name, item| {
                let mut text = Vec::new();
                super::super::columns::pair(&mut text, name, item);
                any = any || wanted(Found::text(String::from_utf8_lossy(&text)));
            });
            any
        }
        Item::Lack(_) | Item::Guid(_) | Item::Sid(_) | Item::Utf16(_) | Item::Ansi(_) | Item::Bytes(_) => {
            let mut text = Vec::new();
            item_text(&mut text, item);
            wanted(Found::text(String::from_utf8_lossy(&text)))
        }
    }
}

fn any_of_value<'a>(value: Value<'a>, field: &'a Field, wanted: &mut dyn FnMut(Found<'_>) -> bool) -> bool {
    if field.hint == Hint::Leftover {
        return false;
    }
    let key = match value {
        Value::Array(mut array) => return array.any(|element| any_of_value(element, field, wanted)),
        // As they are shown: some descriptions have them with a sign.
        Value::Unsigned(_) | Value::Signed(_) if matches!(field.hint, Hint::NtStatus | Hint::HResult) => {
            Key::Int((value.as_u64().unwrap_or(0) as u32).into())
        }
        Value::Unsigned(n) => Key::Int(n.into()),
        Value::Signed(n) => Key::Int(n.into()),
        Value::Bool(b) => Key::Int(b.into()),
        Value::F32(n) => Key::Float(n.into()),
        Value::F64(n) => Key::Float(n),
        Value::FileTime(time) => Key::Date(time.unix_ns()),
        Value::SystemTime([year, month, _, day, hour, minute, second, milli]) if year != 0 => {
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
            date(&text).map_or(Key::Text, Key::Date)
        }
        _ => Key::Text,
    };
    wanted(Found { key, shown: Shown::Value(value, field), names: Names::Field(field) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue 3: a status in a field with a sign is written in hexadecimal without one.
    #[test]
    fn fields_with_a_sign_equal_their_bits() {
        let field = |ty| Field::new("f", ty);
        for (ty, value, number, wanted) in [
            (FieldType::I32, -1_073_741_510, 0xC000_013A, true),
            (FieldType::I32, -1_073_741_510, 0xC000_013B, false),
            (FieldType::I32, -1, u64::MAX, false),
            (FieldType::I32, 5, 1 << 32 | 5, false),
            (FieldType::I64, -1, u64::MAX, true),
            (FieldType::I16, -1, 0xFFFF, true),
            (FieldType::U32, 0xFFFF, 0xFFFF, true),
        ] {
            let field = field(ty);
            let equals = |found: Found<'_>| {
                let number = Found::int(number.into());
                (found.equals(&number), number.equals(&found), found.order(&number))
            };
            any_of_value(Value::Signed(value), &field, &mut |found| {
                let order = i128::from(value).cmp(&i128::from(number));
                assert_eq!(equals(found), (wanted, wanted, Some(order)), "{value} {number:#x}");
                true
            });
        }
    }
}
