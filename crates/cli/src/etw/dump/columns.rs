//! Chosen columns, as comma-separated values or as Tcl lists.

use std::io::Write;

use super::event::{Event, Head, Item};
use super::write::{decimal, hex, hex_bytes, seconds, value_text};

/// A property of the event, or a field of its payload.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// The property; `None` for a field.
    pub(super) head: Option<Head>,
}

impl Column {
    /// `pid` is the property, `.pid` the field.
    pub(super) fn parse(name: &str) -> Column {
        match name.strip_prefix('.') {
            Some(field) => Column { name: field.to_owned(), head: None },
            None => Column { name: name.to_owned(), head: Head::by_name(name) },
        }
    }

    /// The text of the column; nothing when the event does not have it.
    pub(super) fn text(&self, out: &mut Vec<u8>, event: &Event<'_>) {
        match self.head {
            Some(head) => {
                if let Some(item) = event.head(head) {
                    item_text(out, item);
                }
            }
            None => {
                if let Some(field) = event.field(&self.name) {
                    value_text(out, &field);
                }
            }
        }
    }
}

fn item_text(out: &mut Vec<u8>, item: Item<'_>) {
    match item {
        Item::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Item::Seconds(ns) => seconds(out, ns),
        Item::Text(text) => out.extend_from_slice(text.as_bytes()),
        Item::Guid(guid) => {
            let _ = write!(out, "{guid}");
        }
        Item::Mask(mask) => hex(out, mask),
        Item::Addresses(addresses) => {
            for (at, address) in addresses.iter().enumerate() {
                if at > 0 {
                    out.push(b' ');
                }
                hex(out, *address);
            }
        }
        Item::Frames(frames) => {
            for (at, frame) in frames.iter().enumerate() {
                if at > 0 {
                    out.push(b';');
                }
                out.extend_from_slice(frame.as_bytes());
            }
        }
    }
}

/// The columns of CSV and lists when none are chosen; the fields of the payload follow in one more.
pub(super) const USUAL: [&str; 8] = ["time", "cpu", "pid", "tid", "process", "provider", "event", "version"];

/// Comma-separated values after RFC 4180.
pub(super) fn csv_head(out: &mut Vec<u8>, columns: &[Column], all_fields: bool) {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        csv_cell(out, column.name.as_bytes());
    }
    out.extend_from_slice(if all_fields { b",fields\r\n" } else { b"\r\n" });
}

/// One line. With `all_fields` the last cell has every field as `name=value; name=value`. Answers whether the whole
/// payload is understood, shown or not.
pub(super) fn csv(
    out: &mut Vec<u8>,
    cell: &mut Vec<u8>,
    event: &Event<'_>,
    columns: &[Column],
    all_fields: bool,
) -> bool {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        cell.clear();
        column.text(cell, event);
        csv_cell(out, cell);
    }
    if !all_fields {
        out.extend_from_slice(b"\r\n");
        return event.is_understood();
    }
    cell.clear();
    let mut fields = event.fields();
    for (at, field) in (&mut fields).enumerate() {
        if at > 0 {
            cell.extend_from_slice(b"; ");
        }
        cell.extend_from_slice(field.field.name.as_bytes());
        cell.push(b'=');
        value_text(cell, &field);
    }
    if !fields.rest().is_empty() {
        cell.extend_from_slice(if cell.is_empty() { b"rest=" } else { b"; rest=" });
        hex_bytes(cell, fields.rest());
    }
    out.push(b',');
    csv_cell(out, cell);
    out.extend_from_slice(b"\r\n");
    fields.rest().is_empty() && fields.error().is_none()
}

fn csv_cell(out: &mut Vec<u8>, text: &[u8]) {
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// One line: a Tcl list of the columns. With `all_fields` the last element is a list of names and values, which
/// is a dictionary too.
pub(super) fn list(
    out: &mut Vec<u8>,
    cell: &mut Vec<u8>,
    event: &Event<'_>,
    columns: &[Column],
    all_fields: bool,
) -> bool {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        cell.clear();
        column.text(cell, event);
        list_element(out, cell);
    }
    if !all_fields {
        out.push(b'\n');
        return event.is_understood();
    }
    let mut inner = Vec::new();
    let mut fields = event.fields();
    for field in &mut fields {
        if !inner.is_empty() {
            inner.push(b' ');
        }
        list_element(&mut inner, field.field.name.as_bytes());
        inner.push(b' ');
        cell.clear();
        value_text(cell, &field);
        list_element(&mut inner, cell);
    }
    if !fields.rest().is_empty() {
        inner.extend_from_slice(if inner.is_empty() { b"rest " } else { b" rest " });
        hex_bytes(&mut inner, fields.rest());
    }
    out.push(b' ');
    list_element(out, &inner);
    out.push(b'\n');
    fields.rest().is_empty() && fields.error().is_none()
}

/// An element of a Tcl list: as it is, in braces, or with every special character escaped where braces would
/// not balance.
pub(super) fn list_element(out: &mut Vec<u8>, text: &[u8]) {
    if text.is_empty() {
        return out.extend_from_slice(b"{}");
    }
    let special = |byte: u8| {
        matches!(
            byte,
            b' ' | b'\t'
                | b'\n'
                | b'\r'
                | 0x0B
                | 0x0C
                | b';'
                | b'"'
                | b'$'
                | b'['
                | b']'
                | b'\\'
                | b'{'
                | b'}'
        )
    };
    if !text.iter().any(|byte| special(*byte)) && text.first() != Some(&b'#') {
        return out.extend_from_slice(text);
    }
    let mut depth = 0i64;
    // Inside braces a backslash stands for itself but before a brace, another backslash or the end of the line.
    let mut bracable = !text.ends_with(b"\\")
        && !text.windows(2).any(|pair| pair[0] == b'\\' && matches!(pair[1], b'{' | b'}' | b'\\' | b'\n'));
    for byte in text {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        bracable &= depth >= 0;
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
            0x0B => out.extend_from_slice(b"\\v"),
            0x0C => out.extend_from_slice(b"\\f"),
            byte if special(*byte) => out.extend_from_slice(&[b'\\', *byte]),
            byte => out.push(*byte),
        }
    }
}

/// A line of plain text for people.
pub(super) struct TextWriter {
    pub(super) style: crate::term::Style,
    pub(super) stacks: bool,
    pub(super) messages: bool,
    cell: Vec<u8>,
}

/// Most bytes of undecoded payload shown on a line.
const RAW_SHOWN: usize = 64;

impl TextWriter {
    pub(super) fn new(style: crate::term::Style, stacks: bool, messages: bool) -> TextWriter {
        TextWriter { style, stacks, messages, cell: Vec::new() }
    }

    /// Time, processor, process and thread, program, event, fields. Answers whether everything was understood.
    pub(super) fn event(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        let on = self.style.is_on();
        let colour = |out: &mut Vec<u8>, code: &[u8]| {
            if on {
                out.extend_from_slice(b"\x1b[");
                out.extend_from_slice(code);
                out.push(b'm');
            }
        };
        colour(out, b"2");
        self.cell.clear();
        seconds(&mut self.cell, event.time);
        pad(out, &self.cell, 14, true);
        self.cell.clear();
        decimal(&mut self.cell, event.record.cpu().into());
        pad(out, &self.cell, 4, true);
        colour(out, b"0");
        for id in [event.pid, event.tid] {
            self.cell.clear();
            match id {
                Some(id) => decimal(&mut self.cell, id.into()),
                None => self.cell.push(b'-'),
            }
            pad(out, &self.cell, 7, true);
        }
        out.push(b' ');
        pad(out, if event.process.is_empty() { b"-" } else { event.process.as_bytes() }, 16, false);
        out.push(b' ');
        printable(out, event.format.provider.as_bytes());
        out.push(b'/');
        colour(out, b"36");
        printable(out, event.format.name.as_bytes());
        colour(out, b"0");
        let mut fields = event.fields();
        for field in &mut fields {
            out.push(b' ');
            colour(out, b"2");
            printable(out, field.field.name.as_bytes());
            out.push(b'=');
            colour(out, b"0");
            self.cell.clear();
            value_text(&mut self.cell, &field);
            let quoted = self.cell.is_empty() || self.cell.contains(&b' ');
            if quoted {
                out.push(b'"');
            }
            printable(out, &self.cell);
            if quoted {
                out.push(b'"');
            }
        }
        let rest = fields.rest();
        let understood = rest.is_empty() && fields.error().is_none();
        if !rest.is_empty() {
            colour(out, b"33");
            out.extend_from_slice(b" rest=");
            hex_bytes(out, rest.get(..RAW_SHOWN).unwrap_or(rest));
            if rest.len() > RAW_SHOWN {
                let _ = write!(out, "...({} bytes)", rest.len());
            }
            colour(out, b"0");
        }
        if let Some(error) = fields.error() {
            let _ = write!(out, " ({error})");
        }
        out.push(b'\n');
        if self.messages && !event.format.message.is_empty() {
            out.extend_from_slice(b"    ");
            printable(out, super::message::resolve(&event.format.message, event).as_bytes());
            out.push(b'\n');
        }
        if self.stacks {
            for (at, address) in event.stack.iter().enumerate() {
                out.extend_from_slice(b"        ");
                hex(out, *address);
                if let Some(place) = event.place(at) {
                    out.push(b' ');
                    printable(out, place.as_bytes());
                }
                out.push(b'\n');
            }
        }
        understood
    }

    /// Only some columns, with tabs between them.
    pub(super) fn columns(&mut self, out: &mut Vec<u8>, event: &Event<'_>, columns: &[Column]) {
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                out.push(b'\t');
            }
            self.cell.clear();
            column.text(&mut self.cell, event);
            printable(out, &self.cell);
        }
        out.push(b'\n');
    }
}

fn pad(out: &mut Vec<u8>, text: &[u8], width: usize, right: bool) {
    let shown = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let fill = width.saturating_sub(shown);
    if right {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    printable(out, text);
    if !right {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

/// Text from a trace, safe to show on a terminal: control characters become `?`. The C1 controls, two bytes in
/// UTF-8, too.
fn printable(out: &mut Vec<u8>, text: &[u8]) {
    let mut last = 0;
    for byte in text {
        let control = *byte < 0x20 || *byte == 0x7F || (last == 0xC2 && (0x80..0xA0).contains(byte));
        if control && last == 0xC2 {
            out.pop();
        }
        out.push(if control { b'?' } else { *byte });
        last = *byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(text: &str) -> String {
        let mut out = Vec::new();
        list_element(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tcl_elements_are_quoted_when_they_must() {
        assert_eq!(element("plain"), "plain");
        assert_eq!(element(""), "{}");
        assert_eq!(element("two words"), "{two words}");
        assert_eq!(element("$x [y]"), "{$x [y]}");
        assert_eq!(element("C:\\a b"), "{C:\\a b}");
        assert_eq!(element("C:\\a\\"), "C:\\\\a\\\\");
        assert_eq!(element("}{"), "\\}\\{");
        assert_eq!(element("{a b"), "\\{a\\ b");
        assert_eq!(element("#x"), "{#x}");
    }

    #[test]
    fn csv_cells_are_quoted_when_they_must() {
        let mut out = Vec::new();
        csv_cell(&mut out, b"a,\"b\"\n");
        csv_cell(&mut out, b"plain");
        assert_eq!(out, b"\"a,\"\"b\"\"\n\"plain");
    }

    #[test]
    fn control_characters_are_not_shown() {
        let mut out = Vec::new();
        printable(&mut out, "a\x1b[2J\u{9b}é".as_bytes());
        assert_eq!(String::from_utf8(out).unwrap(), "a?[2J?é");
    }
}
