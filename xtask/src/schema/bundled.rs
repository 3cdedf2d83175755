//! The parser of `bundled.providers`; the file itself explains its form.

use std::collections::BTreeMap;

use super::classes::{Field, Type, parse_field};

/// A provider with its events by id and version.
#[derive(Debug)]
pub(crate) struct Provider {
    pub(crate) name: String,
    pub(crate) guid: String,
    pub(crate) maps: BTreeMap<String, Map>,
    pub(crate) keywords: Vec<(u64, String)>,
    pub(crate) events: BTreeMap<(u16, u8), Event>,
}

/// Names for values or bits.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) bits: bool,
    pub(crate) entries: Vec<(u32, String)>,
}

/// One version of one event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) task: String,
    pub(crate) opcode: String,
    pub(crate) fields: Vec<Field>,
}

/// Parses the whole table. The error names the line.
pub(crate) fn parse(text: &str) -> Result<Vec<Provider>, String> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        reader.line(line).map_err(|error| format!("line {}: {error}", index + 1))?;
    }
    reader.end_of_version().map_err(|error| format!("at the end: {error}"))?;
    Ok(reader.providers)
}

#[derive(Default)]
struct Reader {
    providers: Vec<Provider>,
    /// The ids and names that the next layouts belong to.
    events: Vec<(u16, String)>,
    versions: Vec<u8>,
    fields: Vec<Field>,
    /// The struct field being read, and its fields so far.
    inner: Option<(Field, Vec<Field>)>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["provider", name, guid] => {
                self.end_of_version()?;
                self.events.clear();
                if guid.len() != 36 {
                    return Err(format!("`{guid}` is no GUID"));
                }
                self.providers.push(Provider {
                    name: (*name).to_owned(),
                    guid: (*guid).to_owned(),
                    maps: BTreeMap::new(),
                    keywords: Vec::new(),
                    events: BTreeMap::new(),
                });
            }
            [kind @ ("values" | "bits"), name, "=", ..] => {
                let (_, list) = line.split_once('=').ok_or("expected `=`")?;
                let entries = list.split(',').map(entry).collect::<Result<_, _>>()?;
                let map = Map { bits: *kind == "bits", entries };
                if self.provider()?.maps.insert((*name).to_owned(), map).is_some() {
                    return Err(format!("the map `{name}` is there twice"));
                }
            }
            ["keywords", ..] => {
                for item in line.trim_start_matches("keywords").split(',') {
                    let Some((mask, name)) = item.trim().split_once(' ') else {
                        return Err(format!("`{}` is not `MASK NAME`", item.trim()));
                    };
                    let mask =
                        mask.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
                    let mask = mask.ok_or_else(|| format!("`{}` begins with no mask", item.trim()))?;
                    self.provider()?.keywords.push((mask, name.trim().to_owned()));
                }
            }
            ["events", ..] => {
                self.end_of_version()?;
                self.events.clear();
                for item in line.trim_start_matches("events").split(',') {
                    let Some((id, name)) = item.trim().split_once(' ') else {
                        return Err(format!("`{}` is not `ID NAME`", item.trim()));
                    };
                    let id = id.parse().map_err(|_| format!("`{id}` is no event id"))?;
                    self.events.push((id, name.trim().to_owned()));
                }
            }
            ["version", numbers @ ..] if !numbers.is_empty() => {
                self.end_of_version()?;
                let number = |text: &&str| text.parse().map_err(|_| format!("`{text}` is no version"));
                self.versions = numbers.iter().map(number).collect::<Result<_, _>>()?;
            }
            ["}"] => {
                let (mut field, fields) = self.inner.take().ok_or("a `}` without a struct")?;
                field.ty = Type::Struct(fields);
                self.fields.push(field);
            }
            [name, ty, rest @ ..] => {
                if self.versions.is_empty() {
                    return Err(format!("the field `{name}` is outside a layout"));
                }
                let siblings = self.inner.as_ref().map_or(&self.fields, |(_, fields)| fields);
                let (field, opens) = parse_field(name, ty, rest, siblings)?;
                if let Some(map) = &field.map
                    && !self.provider()?.maps.contains_key(map)
                {
                    return Err(format!("there is no map `{map}`"));
                }
                match &mut self.inner {
                    Some(_) if opens => return Err("structs do not nest in this table".to_owned()),
                    Some((_, fields)) => fields.push(field),
                    None if opens => self.inner = Some((field, Vec::new())),
                    None => self.fields.push(field),
                }
            }
            _ => return Err(format!("cannot be read: `{line}`")),
        }
        Ok(())
    }

    fn provider(&mut self) -> Result<&mut Provider, String> {
        self.providers.last_mut().ok_or_else(|| "no provider has begun".to_owned())
    }

    /// Files the layout just read under every event and version it belongs to.
    fn end_of_version(&mut self) -> Result<(), String> {
        if self.inner.is_some() {
            return Err("a struct is not closed".to_owned());
        }
        let fields = std::mem::take(&mut self.fields);
        for number in std::mem::take(&mut self.versions) {
            for (id, name) in self.events.clone() {
                let (task, opcode) = name.split_once('/').unwrap_or((&name, ""));
                let event =
                    Event { task: task.to_owned(), opcode: opcode.to_owned(), fields: fields.clone() };
                if self.provider()?.events.insert((id, number), event).is_some() {
                    return Err(format!("event {id} has version {number} twice"));
                }
            }
        }
        Ok(())
    }
}

/// `NUMBER TEXT`, the number decimal or hexadecimal.
fn entry(item: &str) -> Result<(u32, String), String> {
    let item = item.trim();
    let (number, text) = item.split_once(' ').ok_or_else(|| format!("`{item}` is not `NUMBER TEXT`"))?;
    let value = match number.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    Ok((value.map_err(|_| format!("`{number}` is no number"))?, text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn mistakes_are_reported_with_their_line() {
        let head = "provider P 68fdd900-4a3e-11d1-84f4-0000f80464e3\nvalues M = 1 One, 0x2 Two\n";
        for (text, wanted) in [
            ("events 1 A/B\nversion 0\n  F u32 map N\n", "line 5: there is no map `N`"),
            ("events x A\n", "line 3: `x` is no event id"),
            ("events 1 A\nversion 0\nversion 0\n", "at the end: event 1 has version 0 twice"),
            ("values M = 1 One\n", "line 3: the map `M` is there twice"),
        ] {
            let error = super::parse(&format!("{head}{text}")).unwrap_err();
            assert_eq!(error, wanted);
        }
        let parsed = super::parse(&format!("{head}events 1 A/B, 2 C\nversion 0 3\n  F u32 map M\n")).unwrap();
        assert_eq!(parsed[0].events.len(), 4);
        assert_eq!(parsed[0].events[&(1, 3)].opcode, "B");
        assert_eq!(parsed[0].maps["M"].entries[1], (2, "Two".to_owned()));
    }
}
