//! Events as Tcl lists, one a line. What has parts is a list, too: an array of its elements, a struct of its members' names and
//! values in turn, which is a dictionary as well.

use rustc_hash::FxHashMap;
use tracewell_decode::{NamedValue, Value};
use tracewell_schema::Field;
use tracewell_types::visible::{is_active, push_units};

use super::columns::{Column, item_text};
use super::event::{Cellful, Event};
use super::extended;
use super::property::{Head, Item};
use super::write::{decimal, hex, hex_bytes, value_text};

/// Writes one line: a list of the columns. With `all_fields` the last two elements, extended properties and fields, are
/// dictionaries. Returns `true` if the whole payload was decoded, shown or not.
pub fn line(out: &mut Vec<u8>, event: &Event<'_>, columns: &[Column], all_fields: bool) -> bool {
    let mut list = List::new(out);
    for column in columns {
        list.add(|out| match column.of(event) {
            // Related activities have a separate column.
            Some(Cellful::Head(Item::Extended(record))) if all_fields => {
                extended_items(out, &record, &[Head::Related]);
            }
            Some(Cellful::Head(found)) => item(out, found),
            Some(Cellful::Field(named)) => value(out, &named.value, named.field),
            Some(Cellful::Fields(all)) => {
                each(out, all.iter(), |out, named| value(out, &named.value, named.field));
            }
            None => {}
        });
    }
    if !all_fields {
        out.push(b'\n');
        return event.is_understood();
    }
    let mut fields = event.fields();
    list.add(|out| {
        let mut inner = List::new(out);
        named_values(&mut inner, &mut fields);
        if !fields.rest().is_empty() {
            inner.pair("rest", |out| hex_bytes(out, fields.rest()));
        }
        if let Some(lack) = event.lack() {
            inner.pair("partial", |out| out.extend_from_slice(lack.to_string().as_bytes()));
        }
    });
    out.push(b'\n');
    fields.rest().is_empty() && fields.error().is_none()
}

/// A list at the end of what is written.
struct List<'o> {
    out: &'o mut Vec<u8>,
    is_begun: bool,
}

impl<'o> List<'o> {
    fn new(out: &'o mut Vec<u8>) -> List<'o> {
        List { out, is_begun: false }
    }

    /// Adds an element, which `content` writes. It is written in place, because most elements need
    /// no quotes.
    fn add(&mut self, content: impl FnOnce(&mut Vec<u8>)) {
        if self.is_begun {
            self.out.push(b' ');
        }
        self.is_begun = true;
        let start = self.out.len();
        content(self.out);
        if !is_plain(self.out.get(start..).unwrap_or_default()) {
            let text = self.out.split_off(start);
            element(self.out, &text);
        }
    }

    /// A name and a value.
    fn pair(&mut self, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
        self.add(|out| out.extend_from_slice(name.as_bytes()));
        self.add(value);
    }
}

/// A value before it is made an element of what holds it: of an array or struct a list, else its text.
fn value(out: &mut Vec<u8>, value_of: &Value<'_>, field: &Field) {
    match value_of {
        Value::Array(array) => each(out, *array, |cell, one| value(cell, &one, field)),
        Value::Struct(members) => named_values(&mut List::new(out), members.fields()),
        value => value_text(out, &NamedValue { field, value: *value }),
    }
}

/// Names and values in turn. A name that comes again has a number, so that a dictionary keeps both.
fn named_values<'a>(list: &mut List<'_>, fields: impl Iterator<Item = NamedValue<'a>>) {
    let mut seen: FxHashMap<&str, u32> = FxHashMap::with_capacity_and_hasher(16, Default::default());
    for named in fields {
        let count = seen.entry(&named.field.name).or_default();
        *count += 1;
        match *count {
            1 => list.pair(&named.field.name, |out| value(out, &named.value, named.field)),
            count => {
                let name = format!("{}#{count}", named.field.name);
                list.pair(&name, |out| value(out, &named.value, named.field));
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

/// The extended properties of a record, except `except`; see [`extended::each`].
fn extended_items(out: &mut Vec<u8>, record: &tracewell_etl::Record<'_>, except: &[Head]) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let mut list = List::new(out);
    extended::each(record, except, &mut |name, found| {
        let count = seen.entry(name.to_owned()).or_default();
        *count += 1;
        let numbered = format!("{name}#{count}");
        list.pair(if *count > 1 { &numbered } else { name }, |out| item(out, found));
    });
}

/// The elements of an array.
fn each<T>(out: &mut Vec<u8>, all: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut Vec<u8>, T)) {
    let mut list = List::new(out);
    for next in all {
        list.add(|out| one(out, next));
    }
}

/// Returns `true` if Tcl takes a text for one element as it is.
fn is_plain(text: &[u8]) -> bool {
    !text.is_empty()
        && text.first() != Some(&b'#')
        && !text.iter().any(|byte| is_special(*byte))
        && !acts(text)
}

/// Whether a character of the text acts on a terminal, beside those of ASCII.
fn acts(text: &[u8]) -> bool {
    text.iter().any(|byte| *byte >= 0x7F)
        && text.utf8_chunks().any(|chunk| !chunk.invalid().is_empty() || chunk.valid().chars().any(is_active))
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b' ' | b';' | b'"' | b'$' | b'[' | b']' | b'\\' | b'{' | b'}')
}

/// An element of a Tcl list, which never breaks the line: as it is, in braces, or with every special character escaped
/// where braces would not do.
fn element(out: &mut Vec<u8>, text: &[u8]) {
    if text.is_empty() {
        return out.extend_from_slice(b"{}");
    }
    if is_plain(text) {
        return out.extend_from_slice(text);
    }
    let mut depth = 0i64;
    // Inside braces a backslash is literal, except before a brace or another backslash.
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
    if bracable && depth == 0 && !acts(text) {
        out.push(b'{');
        out.extend_from_slice(text);
        return out.push(b'}');
    }
    if text.first() == Some(&b'#') {
        out.push(b'\\');
    }
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            // Four digits are the most that Tcl takes.
            c if is_active(c) => push_units(out, c),
            c => {
                if u8::try_from(c).is_ok_and(is_special) {
                    out.push(b'\\');
                }
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
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
        assert_eq!(quoted("\u{9b}é\u{202e} x"), "\\u009bé\\u202e\\ x");
    }
}
