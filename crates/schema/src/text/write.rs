//! Writing a text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::quoted::quote;
use super::{Described, HINTS, KEYWORDS, KINDS, PLAIN, PREFIXED, PREFIXED_BIG, PREFIXED_WIDE, word_of};
use crate::{Count, Enabling, Field, FieldType, Length, ProviderEvent, ValueMap};

/// The descriptions as a text that [`super::parse`] reads back. Of maps with one name that are not the same all but
/// the first get a number behind it.
#[must_use]
pub fn write(described: &[Described]) -> String {
    let mut out = String::new();
    for (index, Described { kind, provider }) in described.iter().enumerate() {
        let kind = word_of(&KINDS, kind).unwrap_or("provider");
        let gap = if index == 0 { "" } else { "\n" };
        line(&mut out, format_args!("{gap}{kind} {} {}", quote(&provider.name, is_word), provider.guid));
        for (mask, name) in provider.keywords.iter() {
            line(&mut out, format_args!("keywords {mask:#x} {}", quote(name, is_item)));
        }
        for (number, name) in provider.levels.iter() {
            line(&mut out, format_args!("levels {number} {}", quote(name, is_item)));
        }
        for (number, name) in provider.channels.iter() {
            line(&mut out, format_args!("channels {number} {}", quote(name, is_item)));
        }
        write_enabling(&mut out, &provider.events);
        let mut maps = Vec::new();
        for event in provider.events.iter() {
            collect_maps(&event.layout.fields, &mut maps);
        }
        for (name, map) in &maps {
            write_map(&mut out, name, map);
        }
        let mut before: Option<&ProviderEvent> = None;
        for event in provider.events.iter() {
            let names = |event: &ProviderEvent| (event.id, event.task.clone(), event.opcode.clone());
            if before.is_none_or(|before| names(before) != names(event)) {
                let _ = write!(out, "\nevents {} {}", event.id, task(&event.task));
                if !event.opcode.is_empty() {
                    let _ = write!(out, "/{}", quote(&event.opcode, is_item));
                }
                out.push('\n');
            }
            before = Some(event);
            line(&mut out, format_args!("version {}", event.layout.number));
            if !event.message.is_empty() {
                line(&mut out, format_args!("message {}", quote(&event.message, |_| false)));
            }
            write_fields(&mut out, &event.layout.fields, &maps, 1);
        }
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

/// Writes what enables events: a line for each level and keyword. The format has one for all versions of an event.
fn write_enabling(out: &mut String, events: &[ProviderEvent]) {
    let mut of_ids: BTreeMap<u16, Enabling> = BTreeMap::new();
    for event in events {
        let Some(enabling) = event.enabling else { continue };
        of_ids.entry(event.id).and_modify(|known| *known = known.and(enabling)).or_insert(enabling);
    }
    let mut lines: BTreeMap<Enabling, Vec<String>> = BTreeMap::new();
    for (id, enabling) in of_ids {
        lines.entry(enabling).or_default().push(id.to_string());
    }
    for (Enabling { level, keyword }, ids) in lines {
        line(out, format_args!("level {level} keywords {keyword:#x} = {}", ids.join(", ")));
    }
}

/// Returns `true` if a text can be written as a word without quotes.
fn is_word(text: &str) -> bool {
    !text.contains(char::is_whitespace)
}

/// Returns `true` if a text can be written in a list without quotes.
fn is_item(text: &str) -> bool {
    !text.contains([',', '"'])
}

fn task(text: &str) -> Cow<'_, str> {
    quote(text, |text| is_item(text) && !text.contains('/'))
}

fn collect_maps<'f>(fields: &'f [Field], maps: &mut Vec<(String, &'f ValueMap)>) {
    for field in fields {
        if let Some(map) = field.map.as_ref().map(|map| map.get())
            && maps.iter().all(|(_, known)| *known != map)
        {
            let taken = |name: &str| maps.iter().any(|(known, _)| known == name);
            let mut name = map.name.to_string();
            for number in 2.. {
                if !taken(&name) {
                    break;
                }
                name = format!("{}#{number}", map.name);
            }
            maps.push((name, map));
        }
        if let FieldType::Struct(members) = &field.ty {
            collect_maps(members, maps);
        }
    }
}

fn write_map(out: &mut String, name: &str, map: &ValueMap) {
    let word = if map.bits { "bits" } else { "values" };
    let _ = write!(out, "{word} {} =", quote(name, |name| !name.contains('=')));
    for (index, (value, text)) in map.entries.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let text = quote(text, is_item);
        let _ = if map.bits {
            write!(out, "{comma} {value:#x} {text}")
        } else {
            write!(out, "{comma} {value} {text}")
        };
    }
    out.push('\n');
}

fn write_fields(out: &mut String, fields: &[Field], maps: &[(String, &ValueMap)], depth: usize) {
    for (at, field) in fields.iter().enumerate() {
        let plain =
            |name: &str| is_word(name) && !name.ends_with('?') && name != "}" && !KEYWORDS.contains(&name);
        let _ = write!(out, "{:1$}{2}", "", depth * 2, quote(&field.name, plain));
        if field.optional {
            out.push('?');
        }
        out.push(' ');
        let before = fields.get(..at).unwrap_or_default();
        let length = |length: &Length| match *length {
            Length::Nul => String::new(),
            Length::Fixed(n) => format!("[{n}]"),
            Length::Prefixed => format!("[{PREFIXED}]"),
            Length::PrefixedBig => format!("[{PREFIXED_BIG}]"),
            Length::PrefixedWide => format!("[{PREFIXED_WIDE}]"),
            Length::Field(index) => format!("[{}]", reference(index, before)),
            Length::Rest => "[*]".to_owned(),
        };
        match &field.ty {
            FieldType::Utf16(of) => out.push_str(&format!("utf16{}", length(of))),
            FieldType::Ansi(of) => out.push_str(&format!("ansi{}", length(of))),
            // Bytes have no NUL at their end; what says so has none.
            FieldType::Binary(Length::Nul) => out.push_str("bytes[0]"),
            FieldType::Binary(of) => out.push_str(&format!("bytes{}", length(of))),
            FieldType::Struct(_) => out.push_str("struct"),
            plain => out.push_str(word_of(&PLAIN, plain).unwrap_or("bytes[0]")),
        }
        let _ = match field.count {
            Count::One => Ok(()),
            Count::Fixed(n) => write!(out, " x {n}"),
            Count::Prefixed => write!(out, " x {PREFIXED}"),
            Count::Field(index) => write!(out, " x {}", reference(index, before)),
            Count::Rest => write!(out, " x *"),
        };
        if let FieldType::Struct(members) = &field.ty {
            out.push_str(" {\n");
            write_fields(out, members, maps, depth + 1);
            line(out, format_args!("{:1$}}}", "", depth * 2));
            continue;
        }
        if let Some(hint) = word_of(&HINTS, &field.hint) {
            let _ = write!(out, " {hint}");
        }
        let map = field.map.as_ref().and_then(|map| maps.iter().find(|(_, known)| *known == map.get()));
        if let Some((name, _)) = map {
            let _ = write!(out, " map {}", quote(name, is_word));
        }
        out.push('\n');
    }
}

/// A field before, by its name where that is plain and its own, else by index.
fn reference(index: u16, before: &[Field]) -> String {
    let at = usize::from(index);
    let plain = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && ![PREFIXED, PREFIXED_BIG, PREFIXED_WIDE].contains(&name)
            && before.iter().position(|field| field.name == name) == Some(at)
    };
    before
        .get(at)
        .map(|field| &*field.name)
        .filter(|name| plain(name))
        .map_or_else(|| format!("#{index}"), str::to_owned)
}
