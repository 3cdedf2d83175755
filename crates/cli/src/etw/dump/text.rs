//! Events as lines of text for people.

use std::io::Write;

use tracewell_decode::{Lack, NamedValue, Value};
use tracewell_schema::{Field, Hint};

use tracewell::events::columns::{Column, pair};
use tracewell::events::event::Event;
use tracewell::events::extended;
use tracewell::events::property::Item;
use tracewell::events::write::{decimal, escaped, hex, hex_bytes, quoted, seconds, utc, value_text};

/// A line of plain text for people.
pub(super) struct TextWriter {
    style: crate::term::Style,
    stacks: bool,
    messages: bool,
    /// Date and time of day in place of seconds.
    pub(super) dates: bool,
    /// The widths of the leading columns.
    pub(super) widths: Widths,
    cell: Vec<u8>,
}

/// The minimum widths of the leading columns in characters; longer values shift the rest of their line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    time: usize,
    process: usize,
}

impl Default for Widths {
    fn default() -> Widths {
        Widths { time: 14, process: 16 }
    }
}

impl Widths {
    /// The names of few processes are longer.
    const LONGEST_PROCESS: usize = 24;

    /// For events up to a time, in nanoseconds since the start, of processes of these names.
    pub(super) fn of<'a>(last: i64, processes: impl Iterator<Item = &'a str>) -> Widths {
        let usual = Widths::default();
        let mut time = Vec::new();
        seconds(&mut time, last);
        let longest = processes.map(|name| name.chars().count()).max().unwrap_or(0);
        Widths {
            time: usual.time.max(time.len() + 1),
            process: longest.clamp(usual.process, Widths::LONGEST_PROCESS),
        }
    }
}

/// Most texts shown of an undecoded payload.
const MOST_TEXTS: usize = 16;
/// Most bytes of a value or of undecoded payload shown on a line, and most elements of an array.
const MOST_SHOWN: usize = 64;

impl TextWriter {
    pub(super) fn new(style: crate::term::Style, stacks: bool, messages: bool) -> TextWriter {
        TextWriter { style, stacks, messages, dates: false, widths: Widths::default(), cell: Vec::new() }
    }

    /// Writes the heading.
    pub(super) fn heading(&mut self, out: &mut Vec<u8>) {
        let time = if self.dates { "time (UTC)" } else { "seconds" };
        let width = if self.dates { 28 } else { self.widths.time };
        let process = self.widths.process;
        let line = format!("{time:>width$} cpu    pid    tid {:process$} event and fields", "process");
        out.extend_from_slice(self.style.dim(&line).as_bytes());
        out.push(b'\n');
    }

    /// Time, processor, process and thread, program, event, fields, and in brackets what the record carries beside these.
    /// Returns `true` if everything was understood.
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
        if self.dates {
            utc(&mut self.cell, event.origin.saturating_add(event.time));
        } else {
            seconds(&mut self.cell, event.time);
        }
        pad(out, &self.cell, self.widths.time, true);
        self.cell.clear();
        decimal(&mut self.cell, event.record.cpu().into());
        out.push(b' ');
        pad(out, &self.cell, 3, true);
        colour(out, b"0");
        for id in [event.pid, event.tid] {
            self.cell.clear();
            match id {
                Some(id) => decimal(&mut self.cell, id.into()),
                None => self.cell.push(b'-'),
            }
            out.push(b' ');
            pad(out, &self.cell, 6, true);
        }
        out.push(b' ');
        let process = if event.process.is_empty() { "-" } else { event.process };
        pad(out, process.as_bytes(), self.widths.process, false);
        out.push(b' ');
        escaped(out, event.format.provider.as_bytes());
        out.push(b'/');
        colour(out, colour_of(event.record.level()));
        escaped(out, event.format.name.as_bytes());
        colour(out, b"0");
        let mut fields = event.fields();
        for field in &mut fields {
            if field.field.hint == Hint::Leftover || is_empty_reserve(&field) {
                continue;
            }
            out.push(b' ');
            colour(out, b"2");
            escaped(out, field.field.name.as_bytes());
            out.push(b'=');
            colour(out, b"0");
            self.cell.clear();
            match event.trace_time(&field) {
                Some(time) if self.dates => utc(&mut self.cell, event.origin.saturating_add(time)),
                Some(time) => seconds(&mut self.cell, time),
                None => brief(&mut self.cell, &field.value, field.field),
            }
            match field.value {
                // What says how long it is has a space.
                Value::Binary(bytes) if !bytes.is_empty() => out.extend_from_slice(&self.cell),
                _ => quoted(out, &self.cell, *b"\" "),
            }
        }
        let rest = fields.rest();
        let understood = rest.is_empty() && fields.error().is_none();
        if !rest.is_empty() {
            colour(out, b"33");
            out.extend_from_slice(b" rest=");
            bytes(out, rest);
            texts(out, rest);
            colour(out, b"0");
        }
        if let Some(error) = fields.error() {
            let _ = write!(out, " ({error})");
        }
        if let Some(layout) = event.format.layout.as_ref().filter(|_| !event.format.exact) {
            colour(out, b"33");
            let _ = write!(out, " (version {} read as {})", event.record.version(), layout.number);
            colour(out, b"0");
        }
        if let Some(reading) = event.format.inferred {
            colour(out, b"33");
            let _ = write!(out, " ({})", Lack::Inferred(reading));
            colour(out, b"0");
        }
        if extended::any(&event.record) {
            self.extended(out, event);
        }
        out.push(b'\n');
        let message = if self.messages { event.format.message_of(&event.record) } else { None };
        if let Some(message) = message {
            for line in message.trim_end().lines() {
                out.extend_from_slice(b"    ");
                // A tab is layout here.
                for (at, part) in line.split('\t').enumerate() {
                    if at > 0 {
                        out.push(b'\t');
                    }
                    escaped(out, part.as_bytes());
                }
                out.push(b'\n');
            }
        }
        if self.stacks {
            for (at, address) in event.stack.iter().enumerate() {
                out.extend_from_slice(b"        ");
                hex(out, *address);
                if let Some(place) = event.place(at) {
                    out.push(b' ');
                    escaped(out, place.as_bytes());
                }
                out.push(b'\n');
            }
        }
        understood
    }

    /// Writes the extended properties of the record in brackets.
    fn extended(&mut self, out: &mut Vec<u8>, event: &Event<'_>) {
        let start = out.len();
        extended::each(&event.record, &[], &mut |name, item| {
            out.extend_from_slice(if out.len() == start { b" [" } else { b" " });
            match item {
                Item::Bytes(content) => {
                    out.extend_from_slice(name.as_bytes());
                    out.push(b'=');
                    bytes(out, content);
                }
                item => pair(out, name, item),
            }
        });
        if out.len() > start {
            out.push(b']');
        }
    }

    /// Only some columns, with tabs between them.
    pub(super) fn columns(&mut self, out: &mut Vec<u8>, event: &Event<'_>, columns: &[Column]) {
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                out.push(b'\t');
            }
            self.cell.clear();
            column.text(&mut self.cell, event);
            escaped(out, &self.cell);
        }
        out.push(b'\n');
    }
}

/// Returns `true` if a field is only there for what may come, and nothing has.
fn is_empty_reserve(field: &NamedValue<'_>) -> bool {
    let name = field.field.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_reserve =
        ["Reserved", "Padding", "Pad", "SpareByte"].iter().any(|known| name.eq_ignore_ascii_case(known));
    is_reserve
        && match field.value {
            Value::Unsigned(n) => n == 0,
            Value::Signed(n) => n == 0,
            Value::Binary(bytes) => bytes.iter().all(|byte| *byte == 0),
            _ => false,
        }
}

/// The colour of an event's name: errors and warnings are to be seen.
fn colour_of(level: u8) -> &'static [u8] {
    match level {
        1 | 2 => b"31",
        3 => b"33",
        _ => b"36",
    }
}

/// A value as [`value_text`] has it, but of many bytes or elements the first, and how many there are.
fn brief(out: &mut Vec<u8>, value: &Value<'_>, field: &Field) {
    match value {
        Value::Binary(content) if !matches!(field.hint, Hint::SocketAddress | Hint::IpAddress) => {
            bytes(out, content)
        }
        Value::Struct(members) => {
            out.push(b'{');
            let members = members.fields().filter(|member| member.field.hint != Hint::Leftover);
            for (at, member) in members.enumerate() {
                if at > 0 {
                    out.extend_from_slice(b", ");
                }
                out.extend_from_slice(member.field.name.as_bytes());
                out.push(b'=');
                brief(out, &member.value, member.field);
            }
            out.push(b'}');
        }
        Value::Array(array) => {
            out.push(b'[');
            let mut elements = array.enumerate();
            for (at, element) in elements.by_ref().take(MOST_SHOWN) {
                if at > 0 {
                    out.extend_from_slice(b", ");
                }
                brief(out, &element, field);
            }
            let more = elements.count();
            if more > 0 {
                let _ = write!(out, ", ...({} elements)", more + MOST_SHOWN);
            }
            out.push(b']');
        }
        value => value_text(out, &NamedValue { field, value: *value }),
    }
}

/// The text that bytes without a description seem to contain.
fn texts(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    for found in tracewell_decode::texts(bytes).take(MOST_TEXTS) {
        out.extend_from_slice(if out.len() == start { b" (text in it: \"" } else { b", \"" });
        escaped(out, found.text.as_bytes());
        out.push(b'"');
    }
    if out.len() > start {
        out.push(b')');
    }
}

/// Bytes as hexadecimal digits; of many the first, and how many there are.
fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    hex_bytes(out, bytes.get(..MOST_SHOWN).unwrap_or(bytes));
    if bytes.len() > MOST_SHOWN {
        let _ = write!(out, "...({} bytes)", bytes.len());
    }
}

fn pad(out: &mut Vec<u8>, text: &[u8], width: usize, right: bool) {
    let shown = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let fill = width.saturating_sub(shown);
    if right {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    escaped(out, text);
    if !right {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns have their usual widths, or more if that is what the longest time and name need, within a limit.
    #[test]
    fn columns_are_as_wide_as_the_longest_value() {
        let of = |last: i64, names: &[&str]| {
            let widths = Widths::of(last, names.iter().copied());
            (widths.time, widths.process)
        };
        let second = 1_000_000_000;
        for (last, time) in
            [(0, 14), (5 * second, 14), (999 * second, 14), (9_999 * second, 15), (123_456 * second, 17)]
        {
            assert_eq!(of(last, &[]), (time, 16), "{last}");
            let mut shown = Vec::new();
            seconds(&mut shown, last);
            assert!(shown.len() < time, "a blank is before each");
        }
        for (name, process) in
            [("a", 16), ("sixteen_letters_", 16), ("seventeen_letters", 17), ("äöüäöüäöüäöüäöüäöü", 18)]
        {
            assert_eq!(of(0, &["x", name, "y"]).1, process, "{name}");
        }
        assert_eq!(of(0, &["n".repeat(23).as_str()]).1, 23);
        assert_eq!(of(0, &["n".repeat(99).as_str()]).1, Widths::LONGEST_PROCESS);
    }
}
