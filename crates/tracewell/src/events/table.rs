//! Events as comma-separated values.

use super::columns::{Column, item_text};
use super::event::Event;
use super::extended;
use super::property::Head;
use super::write::{hex_bytes, is_unquoted, quoted, value_text};
use tracewell_types::visible::{self, Keep};

/// The columns of CSV and of Tcl lists when none are chosen. They stay: what is new goes behind them, before [`FIELDS`].
pub const USUAL: [&str; 16] = [
    "time", "cpu", "pid", "tid", "process", "provider", "event", "version", "id", "level", "task", "opcode",
    "keyword", "activity", "related", "extended",
];

/// The last column when none are chosen: all fields of the payload.
pub const FIELDS: &str = "fields";

/// The heading of comma-separated values.
pub fn csv_head(out: &mut Vec<u8>, columns: &[Column], all_fields: bool) {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        csv_cell(out, column.name.as_bytes(), false);
    }
    if all_fields {
        out.push(b',');
        out.extend_from_slice(FIELDS.as_bytes());
    }
    out.extend_from_slice(b"\r\n");
}

/// Writes one record as RFC 4180 describes. With `all_fields` the last cell has every field as `name=value; name=value`.
/// Values that contain `;`, `"`, surrounding spaces or control characters are quoted and escaped as in the text form. Returns
/// `true` if the whole payload could be decoded, shown or not.
pub fn csv(
    out: &mut Vec<u8>,
    cell: &mut Vec<u8>,
    event: &Event<'_>,
    columns: &[Column],
    all_fields: bool,
    exact: bool,
) -> bool {
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        cell.clear();
        // Related activities have a separate column.
        match event.head(Head::Extended).filter(|_| all_fields && column.head == Some(Head::Extended)) {
            Some(_) => extended::each(&event.record, &[Head::Related], &mut |name, item| {
                named(cell, name, |value| item_text(value, item));
            }),
            None => column.text(cell, event),
        }
        csv_cell(out, cell, exact);
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
    let understood = fields.rest().is_empty() && fields.error().is_none();
    if let Some(lack) = event.lack() {
        named(cell, "partial", |value| value.extend_from_slice(lack.to_string().as_bytes()));
    }
    out.push(b',');
    csv_cell(out, cell, exact);
    out.extend_from_slice(b"\r\n");
    understood
}

/// Adds a `name=value` to a cell.
pub fn named(cell: &mut Vec<u8>, name: &str, value: impl FnOnce(&mut Vec<u8>)) {
    if !cell.is_empty() {
        cell.extend_from_slice(b"; ");
    }
    cell.extend_from_slice(name.as_bytes());
    cell.push(b'=');
    let start = cell.len();
    value(cell);
    let text = &cell[start..];
    let spaced = text.starts_with(b" ") || text.ends_with(b" ");
    // Most values stay as they are.
    if spaced || !is_unquoted(text, *b"\";") {
        let text = cell.split_off(start);
        if spaced { quoted(cell, &text, *b"\"; ") } else { quoted(cell, &text, *b"\";") }
    }
}

/// One cell. What acts on a terminal is escaped, except tabs and line breaks. A spreadsheet evaluates a cell that begins with `=`,
/// `+`, `-`, `@` or a tab as a formula, so it gets an apostrophe before it, unless it is a number. With `exact` the text stays as
/// it is.
pub fn csv_cell(out: &mut Vec<u8>, text: &[u8], exact: bool) {
    if visible::plain_length(text, *b",\"") == text.len() && !is_formula(text) {
        return out.extend_from_slice(text);
    }
    let shown = if exact { text.into() } else { visible::escape_bytes(text, Keep::Layout) };
    let guard = !exact && is_formula(&shown);
    if !guard && !shown.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.extend_from_slice(&shown);
    }
    out.push(b'"');
    if guard {
        out.push(b'\'');
    }
    for byte in &*shown {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// Whether a spreadsheet would take a text for a formula. The full-width forms of the signs count too.
fn is_formula(text: &[u8]) -> bool {
    let wide = ["\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"];
    match text {
        [b'=' | b'@' | b'\t', ..] => true,
        [b'+' | b'-', rest @ ..] => {
            let number =
                std::str::from_utf8(rest).ok().filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            number.is_none_or(|number| number.parse::<f64>().is_err())
        }
        [0..=0x7f, ..] => false,
        text => wide.iter().any(|sign| text.starts_with(sign.as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_cells_are_quoted_when_they_must() {
        let mut out = Vec::new();
        csv_cell(&mut out, b"a,\"b\"\n", false);
        csv_cell(&mut out, b"plain", false);
        assert_eq!(out, b"\"a,\"\"b\"\"\n\"plain");
    }

    #[test]
    fn issue_14_cells_are_no_formulas_and_hold_nothing_that_acts() {
        let cell = |text: &str, exact| {
            let mut out = Vec::new();
            csv_cell(&mut out, text.as_bytes(), exact);
            String::from_utf8(out).unwrap()
        };
        for number in ["-1", "+2.5", "-0.000000005", "-1e9", "7"] {
            assert_eq!(cell(number, false), number);
        }
        for (text, want) in [
            ("=1+1", "\"'=1+1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\""),
            ("-2+3", "\"'-2+3\""),
            ("-", "\"'-\""),
            ("\tx", "\"'\tx\""),
            ("\rx", "\\rx"),
            ("\u{ff1d}1", "\"'\u{ff1d}1\""),
            ("a\u{9b}\x1b\u{202e}\n", "\"a\\x9b\\x1b\\u202e\n\""),
        ] {
            assert_eq!(cell(text, false), want, "{text:?}");
        }
        assert_eq!(cell("=1\u{9b}", true), "=1\u{9b}");
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
