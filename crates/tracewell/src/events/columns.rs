//! Chosen columns: properties of events and fields of their payloads.

use std::cell::Cell;
use std::io::Write;

use super::event::{Cellful, Event};
use super::extended;
use super::property::{Head, Item, Kind, Property};
use super::write::{ansi, hex, hex_bytes, quoted, seconds, utc, utf16, value_text};
use crate::filter::header::Header;

/// A property of the event, or a field of its payload.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name, without the dot of a field.
    pub name: String,
    /// The property; `None` for a field.
    pub head: Option<Head>,
    /// The property that is meant when the event has no such field.
    fallback: Option<Head>,
    /// Whether an event was asked for it, and whether one had it.
    asked: Cell<bool>,
    found: Cell<bool>,
}

impl Column {
    /// `pid` is the property, `.pid` the field; `PID` is the field of an event that has one, else the property. So are
    /// properties that yield.
    #[must_use]
    pub fn parse(name: &str) -> Column {
        let (name, known) = match name.strip_prefix('.') {
            Some(field) => (field, None),
            None => (name, Property::by_name(name)),
        };
        let small = !name.bytes().any(|byte| byte.is_ascii_uppercase());
        let (firm, loose) = match known {
            Some(known) if small && !known.yields => (Some(known.head), None),
            known => (None, known.map(|known| known.head)),
        };
        Column {
            name: name.to_owned(),
            head: firm,
            fallback: loose,
            asked: Cell::new(false),
            found: Cell::new(false),
        }
    }

    /// The value of the column for an event.
    pub fn of<'a>(&self, event: &Event<'a>) -> Option<Cellful<'a>> {
        if let Some(head) = self.head {
            return event.head(head).map(Cellful::Head);
        }
        let field = event.field(&self.name);
        let found = field.or_else(|| event.head(self.fallback?).map(Cellful::Head));
        self.asked.set(true);
        if found.is_some() {
            self.found.set(true);
        }
        found
    }

    /// Returns `true` if the column shows stacks, of some events at least.
    pub fn is_of_stacks(&self) -> bool {
        self.head.or(self.fallback).is_some_and(Head::is_of_stacks)
    }

    /// The name that must be that of a field, with the members of structs after it; `None` for a property.
    pub fn field(&self) -> Option<&str> {
        let is_field = self.head.is_none() && self.fallback.is_none();
        is_field.then_some(&*self.name)
    }

    /// The name of the field that it is where events have one, unless it may be a property that is a text.
    pub fn numbered_field(&self) -> Option<&str> {
        let is_text = self.fallback.is_some_and(|head| head.kind() != Kind::Number);
        (self.head.is_none() && !is_text).then_some(&*self.name)
    }

    /// The header number whose names this column's values have. `None` for events that have a field of
    /// that name.
    pub fn header(&self) -> Option<Header> {
        self.head.or(self.fallback).and_then(Head::named)
    }

    /// Returns `true` if events were asked for it and none had it.
    pub fn is_absent(&self) -> bool {
        self.asked.get() && !self.found.get()
    }

    /// The text of the column; nothing when the event does not have it.
    pub fn text(&self, out: &mut Vec<u8>, event: &Event<'_>) {
        match self.of(event) {
            Some(Cellful::Head(item)) => item_text(out, item),
            Some(Cellful::Field(field)) => value_text(out, &field),
            Some(Cellful::Fields(fields)) => {
                out.push(b'[');
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        out.extend_from_slice(b", ");
                    }
                    value_text(out, field);
                }
                out.push(b']');
            }
            None => {}
        }
    }
}

/// A property as plain text.
pub fn item_text(out: &mut Vec<u8>, item: Item<'_>) {
    match item {
        Item::Int(n) | Item::Named(n, _) => {
            let _ = write!(out, "{n}");
        }
        Item::Seconds(ns) => seconds(out, ns),
        Item::Date(ns) => utc(out, ns),
        Item::Text(text) => out.extend_from_slice(text.as_bytes()),
        Item::Lack(lack) => {
            let _ = write!(out, "{lack}");
        }
        Item::Guid(guid) => {
            let _ = write!(out, "{guid}");
        }
        Item::Sid(sid) => {
            let _ = write!(out, "{sid}");
        }
        Item::Utf16(text) => utf16(out, text),
        Item::Ansi(text) => out.extend_from_slice(ansi(text).as_bytes()),
        Item::Bytes(bytes) => hex_bytes(out, bytes),
        Item::Mask(mask) | Item::Keywords { mask, .. } => hex(out, mask),
        Item::Texts(texts) => {
            separated(out, b"|", &texts, |out, text| out.extend_from_slice(text.as_bytes()))
        }
        Item::Numbers(numbers) => separated(out, b" ", &numbers, |out, n| {
            let _ = write!(out, "{n}");
        }),
        Item::Addresses(addresses) => separated(out, b" ", addresses, |out, address| hex(out, *address)),
        Item::Frames(frames) => {
            separated(out, b";", &frames, |out, frame| out.extend_from_slice(frame.as_bytes()));
        }
        Item::Extended(record) => {
            extended::each(&record, &[], &mut |name, item| {
                if !out.is_empty() {
                    out.push(b' ');
                }
                pair(out, name, item);
            });
        }
    }
}

/// `name=value`, the value in quotes where it must.
pub fn pair(out: &mut Vec<u8>, name: &str, item: Item<'_>) {
    out.extend_from_slice(name.as_bytes());
    out.push(b'=');
    let mut value = Vec::new();
    item_text(&mut value, item);
    quoted(out, &value, *b"\" ");
}

fn separated<T>(out: &mut Vec<u8>, with: &[u8], all: &[T], mut each: impl FnMut(&mut Vec<u8>, &T)) {
    for (at, one) in all.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(with);
        }
        each(out, one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_every_kind_of_value_has_its_text() {
        use tracewell_types::Guid;
        let guid = Guid::parse("8c416c79-d49b-4f01-a467-e56d3aa8234c");
        for (item, expected) in [
            (Item::Int(-5), "-5"),
            (Item::Named(7, "seven"), "7"),
            (Item::Text("a b"), "a b"),
            (Item::Guid(guid), "8c416c79-d49b-4f01-a467-e56d3aa8234c"),
            (Item::Ansi(b"abc"), "abc"),
            (Item::Bytes(&[0, 0xAB]), "00ab"),
            (Item::Seconds(1_500_000_001), "1.500000001"),
            (Item::Date(0), "1970-01-01T00:00:00.0000000Z"),
            (Item::Mask(0x1F), "0x1f"),
            (Item::Texts(vec!["a", "b", "c"]), "a|b|c"),
            (Item::Texts(vec![]), ""),
            (Item::Numbers(vec![1, 22]), "1 22"),
            (Item::Numbers(vec![3]), "3"),
            (Item::Addresses(&[0x10, 0xFF]), "0x10 0xff"),
            (Item::Frames(vec!["f".to_owned(), "g".to_owned()]), "f;g"),
        ] {
            let mut out = b"=".to_vec();
            item_text(&mut out, item);
            assert_eq!(String::from_utf8(out).unwrap(), format!("={expected}"));
        }
        for (item, expected) in [
            (Item::Text("plain"), "n=plain"),
            (Item::Text("two words"), "n=\"two words\""),
            (Item::Text("\""), "n=\"\\\"\""),
            (Item::Int(1), "n=1"),
        ] {
            let mut out = Vec::new();
            pair(&mut out, "n", item);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    /// Names in small letters are properties, others fields that events may have, and a dot means a field in any case.
    #[test]
    fn issue_23_a_name_means_a_property_or_a_field() {
        for (text, head, field, numbered) in [
            ("pid", Some(Head::Pid), None, None),
            (".pid", None, Some("pid"), Some("pid")),
            ("PID", None, None, Some("PID")),
            ("Process", None, None, None),
            ("Size.Of", None, Some("Size.Of"), Some("Size.Of")),
            ("nothing", None, Some("nothing"), Some("nothing")),
        ] {
            let column = Column::parse(text);
            assert_eq!(
                column.head.map(|head| format!("{head:?}")),
                head.map(|head| format!("{head:?}")),
                "{text}"
            );
            assert_eq!((column.field(), column.numbered_field()), (field, numbered), "{text}");
            assert!(!column.is_absent());
        }
        assert_eq!(Column::parse(".pid").name, "pid");
        assert!(Column::parse("stack").is_of_stacks() && !Column::parse("pid").is_of_stacks());
    }
}
