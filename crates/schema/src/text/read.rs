//! Reading a text.

use std::collections::HashMap;
use std::sync::Arc;

use tracewell_types::Guid;

use super::fields::FieldList;
use super::quoted::{Word, quoted, split, whole, words};
use super::{Described, KINDS, Kind, TextError, by_word};
use crate::{
    Enabling, Field, FieldType, Keyword, MapRef, NamedNumber, Provider, ProviderEvent, ValueMap, Version,
};

/// Most fields of all events together. Events share layouts, so a small text could ask for any number.
const MAX_FIELDS: usize = 2 << 20;

/// Reads a text.
///
/// # Errors
///
/// At the first line that cannot be read; a text without a provider is one too.
pub fn parse(text: &str) -> Result<Vec<Described>, TextError> {
    parse_lines(text.lines())
}

/// Reads the lines of a text.
pub(super) fn parse_lines<'t>(lines: impl Iterator<Item = &'t str>) -> Result<Vec<Described>, TextError> {
    let mut reader = Reader { left: MAX_FIELDS, ..Reader::default() };
    let mut last = 0;
    for (line, number) in lines.zip(1..) {
        let line = line.trim();
        last = number;
        if !line.is_empty() && !line.starts_with('#') {
            reader.line(line).map_err(|what| TextError { line: number, what })?;
        }
    }
    reader.end_of_provider().map_err(|what| TextError { line: last, what })?;
    if reader.found.is_empty() {
        return Err(TextError { line: last, what: "nothing is described".to_owned() });
    }
    Ok(reader.found)
}

/// Returns `true` if a text looks like one of this form: one of its lines begins a provider.
#[must_use]
pub fn is_described(text: &str) -> bool {
    text.lines().any(|line| {
        KINDS.iter().any(|(kind, _)| line.trim_start().starts_with(kind))
            && words(line).is_ok_and(|words| {
                matches!(words.as_slice(), [kind, _, guid] if KINDS.iter().any(|(word, _)| kind.is(word))
                    && Guid::try_parse(guid.text.as_bytes()).is_some())
            })
    })
}

/// The items of a list `NUMBER TEXT, NUMBER TEXT` as (number, text), with the text as written.
///
/// # Errors
///
/// When an item has no text.
pub fn split_list(list: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut items = Vec::new();
    for part in split(list, ',') {
        let part = part.trim();
        let (number, text) =
            part.split_once(char::is_whitespace).ok_or_else(|| format!("`{part}` is not `NUMBER TEXT`"))?;
        items.push((number, text.trim_start()));
    }
    Ok(items)
}

#[derive(Default)]
struct Reader {
    found: Vec<Described>,
    head: Option<(Kind, String, Guid)>,
    keywords: Vec<Keyword>,
    levels: Vec<NamedNumber>,
    channels: Vec<NamedNumber>,
    maps: HashMap<String, MapRef>,
    described: Vec<ProviderEvent>,
    /// The ids, tasks and opcodes that the next layouts belong to.
    events: Vec<(u16, String, String)>,
    versions: Vec<u8>,
    message: String,
    /// What enables events, by their ids.
    enabling: HashMap<u16, Enabling>,
    fields: FieldList,
    left: usize,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let rest = |keyword: &str| line.get(keyword.len()..).unwrap_or_default().trim_start();
        // Lists of names are split at commas, so they are no words.
        let first = line.split_whitespace().next().unwrap_or_default();
        match first {
            "events" => return self.event_list(rest("events")),
            "keywords" => return self.keyword_list(rest("keywords")),
            // Fields of these names have a type, not a number.
            "levels" if rest("levels").starts_with(|c: char| c.is_ascii_digit()) => {
                self.has_begun()?;
                return numbered(rest("levels"), &mut self.levels);
            }
            "channels" if rest("channels").starts_with(|c: char| c.is_ascii_digit()) => {
                self.has_begun()?;
                return numbered(rest("channels"), &mut self.channels);
            }
            // A field of that name has a type, not a number.
            "level" if rest("level").starts_with(|c: char| c.is_ascii_digit()) => {
                return self.enabling_list(rest("level"));
            }
            "values" => return self.map(rest("values"), false),
            "bits" => return self.map(rest("bits"), true),
            // Without quotation marks it is a field of that name.
            "message" if rest("message").starts_with('"') => {
                self.inside()?;
                self.message = whole(rest("message"))?.into_owned();
                return Ok(());
            }
            _ => {}
        }
        let words = words(line)?;
        match words.as_slice() {
            [kind, name, guid] if KINDS.iter().any(|(word, _)| kind.is(word)) => {
                self.end_of_provider()?;
                let kind = by_word(&KINDS, &kind.text).unwrap_or(Kind::Events);
                let guid = Guid::try_parse(guid.text.as_bytes())
                    .ok_or_else(|| format!("`{}` is no GUID", guid.text))?;
                self.head = Some((kind, name.text.to_string(), guid));
                Ok(())
            }
            [version, numbers @ ..] if version.is("version") && !numbers.is_empty() => {
                self.end_of_version()?;
                if self.events.is_empty() {
                    return Err("a layout without `events` before it".to_owned());
                }
                let number =
                    |word: &Word<'_>| word.text.parse().map_err(|_| format!("`{}` is no version", word.text));
                self.versions = numbers.iter().map(number).collect::<Result<_, _>>()?;
                Ok(())
            }
            words => {
                self.inside()?;
                self.fields.words(words, &|name| self.maps.get(name).cloned())
            }
        }
    }

    /// Whether a layout has begun.
    fn inside(&self) -> Result<(), String> {
        if self.versions.is_empty() { Err("this is outside of a layout".to_owned()) } else { Ok(()) }
    }

    fn has_begun(&self) -> Result<(), String> {
        if self.head.is_some() { Ok(()) } else { Err("no provider has begun".to_owned()) }
    }

    fn event_list(&mut self, list: &str) -> Result<(), String> {
        self.has_begun()?;
        self.end_of_version()?;
        self.events.clear();
        for (id, name) in split_list(list)? {
            let id = id.parse().map_err(|_| format!("`{id}` is no event id"))?;
            let (task, opcode) = if name.starts_with('"') {
                let (task, after) = quoted(name)?;
                let opcode = match after.trim().strip_prefix('/') {
                    Some(opcode) => whole(opcode)?.into_owned(),
                    None if after.trim().is_empty() => String::new(),
                    None => return Err(format!("`{after}` follows a closing `\"`")),
                };
                (task, opcode)
            } else {
                let (task, opcode) = name.split_once('/').unwrap_or((name, ""));
                (task.trim().to_owned(), whole(opcode)?.into_owned())
            };
            self.events.push((id, task, opcode));
        }
        Ok(())
    }

    /// `LEVEL keywords MASK = ID, ID`
    fn enabling_list(&mut self, list: &str) -> Result<(), String> {
        self.has_begun()?;
        let (wanted, ids) = list.split_once('=').ok_or("a `level` has a `=` before its events")?;
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let [level, "keywords", mask] = words.as_slice() else {
            return Err(format!("`{wanted}` is not `LEVEL keywords MASK`"));
        };
        let level = level.parse().map_err(|_| format!("`{level}` is no level"))?;
        let keyword = number(mask).ok_or_else(|| format!("`{mask}` is no mask"))?;
        for id in ids.split(',').map(str::trim) {
            let id = id.parse().map_err(|_| format!("`{id}` is no event id"))?;
            self.enabling.insert(id, Enabling { level, keyword });
        }
        Ok(())
    }

    fn keyword_list(&mut self, list: &str) -> Result<(), String> {
        self.has_begun()?;
        for (mask, name) in split_list(list)? {
            let mask = number(mask).ok_or_else(|| format!("`{mask}` is no mask"))?;
            self.keywords.push((mask, whole(name)?.into_owned().into()));
        }
        Ok(())
    }

    fn map(&mut self, rest: &str, bits: bool) -> Result<(), String> {
        self.has_begun()?;
        let (name, list) = map_name(rest)?;
        let list = list.ok_or("a map has a `=` behind its name")?;
        let mut entries = Vec::new();
        for (value, text) in if list.trim().is_empty() { Vec::new() } else { split_list(list)? } {
            let value = number(value).and_then(|value| u32::try_from(value).ok());
            let value = value.ok_or_else(|| format!("`{text}` has no value of 32 bits"))?;
            entries.push((value, whole(text)?.into_owned().into()));
        }
        let map = MapRef::Shared(Arc::new(ValueMap::new(name.clone(), bits, entries)));
        if self.maps.insert(name.clone(), map).is_some() {
            return Err(format!("the map `{name}` is there twice"));
        }
        Ok(())
    }

    /// Files the layout just read under every event and version it belongs to.
    fn end_of_version(&mut self) -> Result<(), String> {
        let fields = self.fields.take()?;
        let message = std::mem::take(&mut self.message);
        for number in std::mem::take(&mut self.versions) {
            for (id, task, opcode) in &self.events {
                self.left = self.left.checked_sub(1 + total(&fields)).ok_or("too many fields")?;
                self.described.push(ProviderEvent {
                    id: *id,
                    task: task.clone().into(),
                    opcode: opcode.clone().into(),
                    message: message.clone().into(),
                    enabling: self.enabling.get(id).copied(),
                    layout: Version::from_fields(number, fields.clone()),
                });
            }
        }
        Ok(())
    }

    fn end_of_provider(&mut self) -> Result<(), String> {
        self.end_of_version()?;
        self.events.clear();
        self.maps.clear();
        self.enabling.clear();
        let (events, keywords) = (std::mem::take(&mut self.described), std::mem::take(&mut self.keywords));
        let (levels, channels) = (std::mem::take(&mut self.levels), std::mem::take(&mut self.channels));
        if let Some((kind, name, guid)) = self.head.take() {
            let count = events.len();
            let provider = Provider::new(name, guid, events)
                .with_keywords(keywords)
                .with_levels(levels)
                .with_channels(channels);
            if provider.events.len() < count {
                return Err(format!("{} has a version of an event twice", provider.name));
            }
            self.found.push(Described { kind, provider });
        }
        Ok(())
    }
}

/// The name of a map, and its entries: what follows the first word of its line.
pub(super) fn map_name(rest: &str) -> Result<(String, Option<&str>), String> {
    if rest.starts_with('"') {
        let (name, after) = quoted(rest)?;
        Ok((name, after.trim_start().strip_prefix('=')))
    } else {
        let (name, list) = rest.split_once('=').unwrap_or((rest, ""));
        Ok((name.trim().to_owned(), Some(list)))
    }
}

/// `NUMBER NAME, NUMBER NAME` with numbers of one byte.
fn numbered(list: &str, into: &mut Vec<NamedNumber>) -> Result<(), String> {
    for (value, name) in split_list(list)? {
        let value = number(value).and_then(|value| u8::try_from(value).ok());
        let value = value.ok_or_else(|| format!("`{name}` has no number below 256"))?;
        into.push((value, whole(name)?.into_owned().into()));
    }
    Ok(())
}

/// The number of fields, members of structs included.
fn total(fields: &[Field]) -> usize {
    let members = |field: &Field| match &field.ty {
        FieldType::Struct(members) => total(members),
        _ => 0,
    };
    fields.iter().map(|field| 1 + members(field)).sum()
}

/// A number, decimal or hexadecimal with `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::write;
    use crate::{Count, Hint, Length};

    const HEAD: &str =
        "# a comment\nprovider P 68fdd900-4a3e-11d1-84f4-0000f80464e3\nvalues M = 1 One, 0x2 Two\n";

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, wanted) in [
            ("events 1 A/B\nversion 0\n  F u32 map N\n", "line 6: there is no map `N`"),
            ("events x A\n", "line 4: `x` is no event id"),
            ("events 1 A\nversion 0\nversion 0\n", "line 6: P has a version of an event twice"),
            ("values M = 1 One\n", "line 4: the map `M` is there twice"),
            ("version 0\n", "line 4: a layout without `events` before it"),
            ("F u32\n", "line 4: this is outside of a layout"),
            ("events 1 A\nversion 0\nF u33\n", "line 6: no type `u33`"),
            ("events 1 A\nversion 0\nF u32 blue\n", "line 6: no hint `blue`"),
            ("events 1 A\nversion 0\nF utf16[N]\n", "line 6: no earlier field `N`"),
            ("events 1 A\nversion 0\nF utf16[#0]\n", "line 6: no earlier field `#0`"),
            ("events 1 A\nversion 0\nF bytes\n", "line 6: bytes need a length"),
            ("events 1 A\nversion 0\nF struct {\n", "line 6: a struct is not closed"),
            ("events 1 A\nversion 0\n}\n", "line 6: a `}` without a struct"),
            ("events 1 A\nversion 0\n\"F u32\n", "line 6: a `\"` without an end"),
            ("provider P x\n", "line 4: `x` is no GUID"),
        ] {
            assert_eq!(parse(&format!("{HEAD}{text}")).unwrap_err().to_string(), wanted);
        }
        assert_eq!(parse("").unwrap_err().to_string(), "line 0: nothing is described");
        assert_eq!(parse("events 1 A").unwrap_err().to_string(), "line 1: no provider has begun");
        let many = format!("{HEAD}events {}1 A\nversion 0\n{}", "2 B, ".repeat(5000), "f u8\n".repeat(5000));
        assert!(parse(&many).unwrap_err().what.contains("too many fields"));
    }

    #[test]
    fn events_share_layouts_and_structs_nest() {
        let text = format!(
            "{HEAD}events 1 A/B, 2 \"C/D, E\"\nversion 0 3\nN u16\nS struct x N {{\nM u64 hex\nT struct x 2 {{\n\
             K u8 map M\n}}\n}}\nU? utf16[N]\n\"a ?\"? u8 x #0\n"
        );
        let found = parse(&text).unwrap();
        let provider = &found[0].provider;
        assert_eq!(provider.events.len(), 4);
        let event = provider.event(2, 3).unwrap();
        assert_eq!((&*event.task, &*event.opcode), ("C/D, E", ""));
        let [_, s, u, a] = &*event.layout.fields else { panic!("{event:?}") };
        assert_eq!((s.count, u.optional, &*a.name, a.optional), (Count::Field(0), true, "a ?", true));
        let FieldType::Struct(members) = &s.ty else { panic!("{s:?}") };
        assert_eq!((members[0].hint, members[1].count), (Hint::Hex, Count::Fixed(2)));
        assert_eq!(parse(&write(&found)), Ok(found));
    }

    #[test]
    fn levels_channels_and_rarer_lengths_are_read_and_written() {
        let text = format!(
            "{HEAD}levels 20 Chatty, 21 \"Very, very\"\nchannels 16 P/Operational\nevents 1 A\nversion 0\n\
             A utf16[u16be]\nB bytes[u32] ip\nlevels u8\n"
        );
        let found = parse(&text).unwrap();
        let provider = &found[0].provider;
        assert_eq!(*provider.levels, [(20, "Chatty".into()), (21, "Very, very".into())]);
        assert_eq!(*provider.channels, [(16, "P/Operational".into())]);
        let types: Vec<&FieldType> = provider.events[0].layout.fields.iter().map(|field| &field.ty).collect();
        assert_eq!(
            types,
            [
                &FieldType::Utf16(Length::PrefixedBig),
                &FieldType::Binary(Length::PrefixedWide),
                &FieldType::U8
            ]
        );
        assert_eq!(parse(&write(&found)), Ok(found));
        assert!(parse(&format!("{HEAD}levels 256 A\n")).is_err());
    }

    #[test]
    fn no_part_of_a_text_makes_it_panic() {
        let text =
            format!("{HEAD}events 1 \"A\\n\"/B\nversion 0\nmessage \"%1 \\\"x\\\"\"\nF u8 x 3 hex map M\n");
        let mut read = 0;
        for at in 0..=text.len() {
            read += usize::from(parse(&text[..at]).is_ok());
            let without = format!("{}{}", &text[..at], text.get(at + 4..).unwrap_or_default());
            read += usize::from(parse(&without).is_ok());
        }
        assert!(read > 20, "{read}");
    }
}
