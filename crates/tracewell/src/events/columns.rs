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
