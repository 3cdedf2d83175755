//! Events as comma-separated values and as Tcl lists.

use super::columns::{Column, item_text};
use super::event::Event;
use super::extended;
use super::property::Head;
use super::write::{hex_bytes, quoted, value_text};

/// The columns of CSV and lists when none are chosen. They stay: what is new goes behind them, before [`FIELDS`].
pub(super) const USUAL: [&str; 16] = [
    "time", "cpu", "pid", "tid", "process", "provider", "event", "version", "id", "level", "task", "opcode",
    "keyword", "activity", "related", "extended",
];

/// The last column when none are chosen: all fields of the payload.
pub(super) const FIELDS: &str = "fields";

/// The heading of comma-separated values.
pub(super) fn csv_head(out: &mut Vec<u8>, columns: &[Column], all_fields: bool) {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        csv_cell(out, column.name.as_bytes());
    }
    if all_fields {
        out.push(b',');
        out.extend_from_slice(FIELDS.as_bytes());
    }
    out.extend_from_slice(b"\r\n");
}

/// One record after RFC 4180. With `all_fields` the last cell has every field as `name=value; name=value`; a value with
/// `;`, `"`, spaces around it or control characters in it stands in quotes, with escapes as in the text form. Answers whether
/// the whole payload is understood, shown or not.
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
        // Related activities have a column of their own.
        match event.head(Head::Extended).filter(|_| all_fields && column.head == Some(Head::Extended)) {
            Some(_) => extended::each(&event.record, &[Head::Related], &mut |name, item| {
                named(cell, name, |value| item_text(value, item));
            }),
            None => column.text(cell, event),
        }
        csv_cell(out, cell);
    }
    if !all_fields {
        out.extend_from_slice(b"\r\n");
        return event.is_understood();
    }
    cell.clear();
    let mut fields = event.fields();
    for field in &mut fields {
        named(cell, &field.field.name, |value| value_text(value, &field));
    }
    if !fields.rest().is_empty() {
        named(cell, "rest", |value| hex_bytes(value, fields.rest()));
    }
    out.push(b',');
    csv_cell(out, cell);
    out.extend_from_slice(b"\r\n");
    fields.rest().is_empty() && fields.error().is_none()
}

/// One more `name=value` in a cell.
fn named(cell: &mut Vec<u8>, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
    if !cell.is_empty() {
        cell.extend_from_slice(b"; ");
    }
    cell.extend_from_slice(name.as_bytes());
    cell.push(b'=');
    let start = cell.len();
    value(cell);
    let text = cell.split_off(start);
    let spaced = text.starts_with(b" ") || text.ends_with(b" ");
    quoted(cell, &text, if spaced { b"; " } else { b";" });
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

/// One line: a Tcl list of the columns. With `all_fields` the last two elements, what the record carries beside header and
/// payload and its fields, are lists of names and values, which are dictionaries too.
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
        match event.head(Head::Extended).filter(|_| all_fields && column.head == Some(Head::Extended)) {
            Some(_) => {
                let mut inner = Vec::new();
                extended::each(&event.record, &[Head::Related], &mut |name, item| {
                    list_pair(&mut inner, cell, name, |value| item_text(value, item));
                });
                list_element(out, &inner);
            }
            None => {
                column.text(cell, event);
                list_element(out, cell);
            }
        }
    }
    if !all_fields {
        out.push(b'\n');
        return event.is_understood();
    }
    let mut inner = Vec::new();
    let mut fields = event.fields();
    for field in &mut fields {
        list_pair(&mut inner, cell, &field.field.name, |value| value_text(value, &field));
    }
    if !fields.rest().is_empty() {
        list_pair(&mut inner, cell, "rest", |value| hex_bytes(value, fields.rest()));
    }
    out.push(b' ');
    list_element(out, &inner);
    out.push(b'\n');
    fields.rest().is_empty() && fields.error().is_none()
}

/// A name and a value at the end of a list.
fn list_pair(list: &mut Vec<u8>, cell: &mut Vec<u8>, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
    if !list.is_empty() {
        list.push(b' ');
    }
    list_element(list, name.as_bytes());
    list.push(b' ');
    cell.clear();
    value(cell);
    list_element(list, cell);
}

/// An element of a Tcl list, which never breaks the line: as it is, in braces, or with every special character escaped
/// where braces would not do.
fn list_element(out: &mut Vec<u8>, text: &[u8]) {
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
            byte if *byte < 0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            byte if special(*byte) => out.extend_from_slice(&[b'\\', *byte]),
            byte => out.push(*byte),
        }
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
        assert_eq!(element("a\r\nb\0"), "a\\r\\nb\\u0000");
    }

    #[test]
    fn csv_cells_are_quoted_when_they_must() {
        let mut out = Vec::new();
        csv_cell(&mut out, b"a,\"b\"\n");
        csv_cell(&mut out, b"plain");
        assert_eq!(out, b"\"a,\"\"b\"\"\n\"plain");
    }

    #[test]
    fn values_do_not_look_like_further_fields() {
        let mut cell = Vec::new();
        for value in ["1; c=2", "plain text", " spaced", "a\"b", "x\ny", ""] {
            named(&mut cell, "a", |out| out.extend_from_slice(value.as_bytes()));
        }
        let text = String::from_utf8(cell).unwrap();
        assert_eq!(text, r#"a="1; c=2"; a=plain text; a=" spaced"; a="a\"b"; a="x\ny"; a="""#);
    }
}
