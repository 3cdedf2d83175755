//! Messages of events: text with `%1`, `%2` and so on for the fields.

use std::fmt::Write;

use tracewell_etl::Record;

use crate::decoder::EventFormat;

impl EventFormat {
    /// The message with the fields of a record filled in; `None` for events without a message. `%n` ends a line, `%t` is a
    /// tab, `%%` a per cent sign. A `printf` format between exclamation marks after an insert is ignored; the fields' own
    /// formats replace it.
    #[must_use]
    pub fn message_of(&self, record: &Record<'_>) -> Option<String> {
        let message = &*self.message;
        if message.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(message.len() + 32);
        let mut rest = message;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
            match rest.get(..digits).and_then(|number| number.parse::<usize>().ok()) {
                Some(0) => return Some(out),
                Some(number) => {
                    match self.fields(record).nth(number - 1) {
                        Some(field) => {
                            let _ = write!(out, "{}", field.value.display(field.field));
                        }
                        None => {
                            let _ = write!(out, "%{number}");
                        }
                    }
                    rest = &rest[digits..];
                    if let Some(format) = rest.strip_prefix('!')
                        && let Some(end) = format.find('!')
                    {
                        rest = &format[end + 1..];
                    }
                }
                None => {
                    let mut characters = rest.chars();
                    match characters.next() {
                        Some('n') => out.push('\n'),
                        Some('r') => out.push('\r'),
                        Some('t') => out.push('\t'),
                        Some('b') => out.push(' '),
                        Some(other) => out.push(other),
                        None => out.push('%'),
                    }
                    rest = characters.as_str();
                }
            }
        }
        out.push_str(rest);
        Some(out)
    }
}
