//! Events as Tcl lists, one a line. What has parts is a list, too: an array of its elements, a struct of its members' names and
//! values in turn, which is a dictionary as well.

use std::io::Write;

use rustc_hash::FxHashMap;
use tracewell_decode::{NamedValue, Value};
use tracewell_schema::Field;

use super::columns::{Column, item_text};
use super::event::{Cellful, Event};
use super::extended;
use super::property::{Head, Item};
use super::write::{decimal, hex, hex_bytes, value_text};

/// One line: a list of the columns. With `all_fields` the last two elements, what the record carries beside header and payload
/// and its fields, are dictionaries. Answers whether the whole payload is understood, shown or not.
pub(super) fn line(out: &mut Vec<u8>, event: &Event<'_>, columns: &[Column], all_fields: bool) -> bool {
    let mut cell = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        cell.clear();
        match column.of(event) {
            // Related activities have a column of their own.
            Some(Cellful::Head(Item::Extended(record))) if all_fields => {
                extended_items(&mut cell, &record, &[Head::Related]);
            }
            Some(Cellful::Head(found)) => item(&mut cell, found),
            Some(Cellful::Field(named)) => value(&mut cell, &named.value, named.field),
            Some(Cellful::Fields(all)) => {
                each(&mut cell, all.iter(), |cell, named| value(cell, &named.value, named.field));
            }
            None => {}
        }
        element(out, &cell);
    }
    if !all_fields {
        out.push(b'\n');
        return event.is_understood();
    }
    let mut fields = event.fields();
    cell.clear();
    named_values(&mut cell, &mut fields);
    if !fields.rest().is_empty() {
        pair(&mut cell, "rest", |cell| hex_bytes(cell, fields.rest()));
    }
    out.push(b' ');
    element(out, &cell);
    out.push(b'\n');
    fields.rest().is_empty() && fields.error().is_none()
}

/// A value before it is made an element of what holds it: of an array or struct a list, else its text.
fn value(out: &mut Vec<u8>, value_of: &Value<'_>, field: &Field) {
    match value_of {
        Value::Array(array) => each(out, *array, |cell, one| value(cell, &one, field)),
        Value::Struct(members) => named_values(out, members.fields()),
        value => value_text(out, &NamedValue { field, value: *value }),
    }
}

/// Names and values in turn. A name that comes again has a number, so that a dictionary keeps both.
fn named_values<'a>(out: &mut Vec<u8>, fields: impl Iterator<Item = NamedValue<'a>>) {
    let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
    for named in fields {
        let count = seen.entry(&named.field.name).or_default();
        *count += 1;
        match *count {
            1 => pair(out, &named.field.name, |cell| value(cell, &named.value, named.field)),
            count => {
                let name = format!("{}#{count}", named.field.name);
                pair(out, &name, |cell| value(cell, &named.value, named.field));
            }
        }
    }
}

/// A property before it is made an element.
fn item(out: &mut Vec<u8>, item: Item<'_>) {
    match item {
        Item::Texts(texts) => each(out, texts, |cell, text| cell.extend_from_slice(text.as_bytes())),
        Item::Frames(frames) => each(out, frames, |cell, frame| cell.extend_from_slice(frame.as_bytes())),
        Item::Numbers(numbers) => each(out, numbers, decimal),
        Item::Addresses(addresses) => each(out, addresses, |cell, address| hex(cell, *address)),
        Item::Extended(record) => extended_items(out, &record, &[]),
        item => item_text(out, item),
    }
}

/// What a record carries beside header and payload, but of `except`; see [`extended::each`].
fn extended_items(out: &mut Vec<u8>, record: &tracewell_etl::Record<'_>, except: &[Head]) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    extended::each(record, except, &mut |name, found| {
        let count = seen.entry(name.to_owned()).or_default();
        *count += 1;
        let numbered = format!("{name}#{count}");
        pair(out, if *count > 1 { &numbered } else { name }, |cell| item(cell, found));
    });
}

/// The elements of a list.
fn each<T>(out: &mut Vec<u8>, all: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut Vec<u8>, T)) {
    let mut cell = Vec::new();
    for (at, next) in all.into_iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        cell.clear();
        one(&mut cell, next);
        element(out, &cell);
    }
}

/// A name and a value at the end of a list.
fn pair(list: &mut Vec<u8>, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
    if !list.is_empty() {
        list.push(b' ');
    }
    element(list, name.as_bytes());
    list.push(b' ');
    let mut cell = Vec::new();
    value(&mut cell);
    element(list, &cell);
}

/// An element of a Tcl list, which never breaks the line: as it is, in braces, or with every special character escaped
/// where braces would not do.
fn element(out: &mut Vec<u8>, text: &[u8]) {
    if text.is_empty() {
        return out.extend_from_slice(b"{}");
    }
    let special = |byte: u8| {
        byte < 0x20 || matches!(byte, b' ' | b';' | b'"' | b'$' | b'[' | b']' | b'\\' | b'{' | b'}')
    };
    if !text.iter().any(|byte| special(*byte)) && text.first() != Some(&b'#') {
        return out.extend_from_slice(text);
    }
    let mut depth = 0i64;
    // Inside braces a backslash stands for itself but before a brace or another backslash.
    let mut bracable = !text.ends_with(b"\\")
        && !text.windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'{' | b'}' | b'\\'));
    for byte in text {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        // Nothing is escaped inside braces, and a control character may end the line.
        bracable &= depth >= 0 && *byte >= 0x20;
    }
    if bracable && depth == 0 {
        out.push(b'{');
        out.extend_from_slice(text);
        return out.push(b'}');
    }
    if text.first() == Some(&b'#') {
        out.push(b'\\');
    }
    for byte in text {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            // Four digits are the most that Tcl takes.
            byte if *byte < 0x20 => {
                let _ = write!(out, "\\u{byte:04x}");
            }
            byte if special(*byte) => out.extend_from_slice(&[b'\\', *byte]),
            byte => out.push(*byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = Vec::new();
        element(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tcl_elements_are_quoted_when_they_must() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted(""), "{}");
        assert_eq!(quoted("two words"), "{two words}");
        assert_eq!(quoted("$x [y]"), "{$x [y]}");
        assert_eq!(quoted("C:\\a b"), "{C:\\a b}");
        assert_eq!(quoted("C:\\a\\"), "C:\\\\a\\\\");
        assert_eq!(quoted("}{"), "\\}\\{");
        assert_eq!(quoted("{a b"), "\\{a\\ b");
        assert_eq!(quoted("#x"), "{#x}");
        assert_eq!(quoted("a\r\nb\0"), "a\\r\\nb\\u0000");
    }
}
