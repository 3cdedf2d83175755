//! Messages with inserts: `%1` and so on where properties go.

use crate::failure::words;
use crate::sys::{Interp, Obj, Outcome};

/// `etw_format_event_message FORMAT PROPERTIES`
pub(crate) fn format_event_message(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 3, 3, "FORMATSTRING EVENTPROPERTIES")?;
    // A value that is not a list of properties leaves the format unchanged.
    let sound = args[2].items().is_some_and(|items| items.len().is_multiple_of(2));
    if !sound {
        return Ok(args[1].clone());
    }
    Ok(Obj::new(&format(&args[1].text(), &args[2])))
}

/// Replaces the inserts of a format by the values in a dictionary, by their order in it.
pub(crate) fn format(format: &str, properties: &Obj) -> String {
    let values = properties.items().unwrap_or_default();
    let insert = |number: usize| -> String {
        let Some(value) = number.checked_sub(1).and_then(|index| values.get(2 * index + 1)) else {
            return String::new();
        };
        match value.items() {
            Some(items) => items.iter().map(Obj::text).collect::<Vec<_>>().join(", "),
            None => value.text(),
        }
    };
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(first) = rest.chars().next() else {
            out.push('%');
            break;
        };
        rest = &rest[first.len_utf8()..];
        match first {
            '0' => {}
            '1'..='9' => {
                let mut number = first as usize - '0' as usize;
                if let Some(second @ b'0'..=b'9') = rest.bytes().next() {
                    number = number * 10 + usize::from(second - b'0');
                    rest = &rest[1..];
                }
                // A way to print, between exclamation marks, is not heeded.
                if let Some(tail) = rest.strip_prefix('!')
                    && let Some(end) = tail.find('!')
                {
                    rest = &tail[end + 1..];
                }
                out.push_str(&insert(number));
            }
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            other => out.push(other),
        }
    }
    out.push_str(rest);
    out
}
