//! The parser of `kernel.classes`; the file itself explains its form.

use std::collections::BTreeMap;

use tracewell_schema::text::{FieldList, split_list};
use tracewell_schema::{Field, MapRef, ValueMap, kernel};

/// A class with its events.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) guid: String,
    pub(crate) group: Option<u8>,
    /// Hooks (group, opcode) outside the class's group that belong to it.
    pub(crate) also: Vec<(u8, u8)>,
    /// Opcodes of the records that define something for others.
    pub(crate) defines: Opcodes,
    /// Opcodes of the records that list what was there before the trace or after it.
    pub(crate) lists: Opcodes,
    /// The flags with which a session gets some of its records.
    pub(crate) flags: Vec<(String, Opcodes)>,
    pub(crate) events: BTreeMap<u8, Event>,
}

/// Some opcodes of a class.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Opcodes {
    #[default]
    None,
    All,
    These(Vec<u8>),
}

/// An opcode of a class: its name and, by version number, its layout.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) versions: BTreeMap<u8, Vec<Field>>,
}

/// The opcodes of a line: numbers, or `*`.
fn opcodes(numbers: &[&str]) -> Result<Opcodes, String> {
    match numbers {
        ["*"] => Ok(Opcodes::All),
        numbers => Ok(Opcodes::These(numbers.iter().map(|n| parse_number(n)).collect::<Result<_, _>>()?)),
    }
}

/// Parses the whole table. The error names the line.
pub(crate) fn parse(text: &str) -> Result<Vec<Class>, String> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        reader.line(&words, line).map_err(|error| format!("line {}: {error}", index + 1))?;
    }
    reader.end_of_version().map_err(|error| format!("at the end: {error}"))?;
    Ok(reader.classes)
}

#[derive(Default)]
struct Reader {
    classes: Vec<Class>,
    /// The opcodes and names that the next layouts belong to.
    events: Vec<(u8, String)>,
    /// The version numbers of the layout being read; empty outside a layout.
    versions: Vec<u8>,
    fields: FieldList,
    /// Names for values, by their own.
    maps: BTreeMap<String, MapRef>,
}

impl Reader {
    fn line(&mut self, words: &[&str], line: &str) -> Result<(), String> {
        match words {
            ["class", name, guid, rest @ ..] => {
                self.end_of_version()?;
                self.events.clear();
                let group = match rest {
                    [] => None,
                    ["group", number] => Some(parse_number(number)?),
                    _ => return Err("expected `group N` after the GUID".to_owned()),
                };
                if guid.len() != 36 {
                    return Err(format!("`{guid}` is no GUID"));
                }
                self.classes.push(Class {
                    name: (*name).to_owned(),
                    guid: (*guid).to_owned(),
                    group,
                    also: Vec::new(),
                    defines: Opcodes::None,
                    lists: Opcodes::None,
                    flags: Vec::new(),
                    events: BTreeMap::new(),
                });
            }
            [kind @ ("values" | "bits"), name, "=", ..] => {
                self.end_of_version()?;
                let list = line.split_once('=').map_or("", |(_, list)| list);
                let map = map(name, *kind == "bits", list)?;
                if self.maps.insert((*name).to_owned(), MapRef::Shared(map.into())).is_some() {
                    return Err(format!("the map `{name}` is there twice"));
                }
            }
            [role @ ("defines" | "lists"), numbers @ ..] if self.versions.is_empty() => {
                let opcodes = opcodes(numbers)?;
                let class = self.class()?;
                *if *role == "defines" { &mut class.defines } else { &mut class.lists } = opcodes;
            }
            ["flag", name, numbers @ ..] if self.versions.is_empty() => {
                if kernel::flag_named(name).is_none() {
                    return Err(format!("no flag is named `{name}`"));
                }
                let opcodes = opcodes(numbers)?;
                self.class()?.flags.push(((*name).to_owned(), opcodes));
            }
            ["also", "group", group, "opcode", opcode] => {
                let hook = (parse_number(group)?, parse_number(opcode)?);
                self.class()?.also.push(hook);
            }
            ["events", ..] => {
                self.end_of_version()?;
                self.events.clear();
                let list = line.trim_start().trim_start_matches("events");
                for (opcode, name) in split_list(list)? {
                    let opcode = parse_number(opcode)?;
                    self.events.push((opcode, name.to_owned()));
                    let event = self
                        .class()?
                        .events
                        .entry(opcode)
                        .or_insert_with(|| Event { name: name.to_owned(), versions: BTreeMap::new() });
                    if event.name != name {
                        return Err(format!("opcode {opcode} is `{}` and `{name}`", event.name));
                    }
                }
            }
            ["version", numbers @ ..] if !numbers.is_empty() => {
                self.end_of_version()?;
                if self.events.is_empty() {
                    return Err("a layout without `events` before it".to_owned());
                }
                self.versions = numbers.iter().map(|n| parse_number(n)).collect::<Result<_, _>>()?;
            }
            [name, ..] if self.versions.is_empty() => {
                return Err(format!("the field `{name}` is outside a layout"));
            }
            _ => self.fields.line(line, &|name| self.maps.get(name).cloned())?,
        }
        Ok(())
    }

    fn class(&mut self) -> Result<&mut Class, String> {
        self.classes.last_mut().ok_or_else(|| "no class has begun".to_owned())
    }

    /// Files the layout just read under every event and version number it belongs to.
    fn end_of_version(&mut self) -> Result<(), String> {
        let fields = self.fields.take()?;
        let versions = std::mem::take(&mut self.versions);
        let events = self.events.clone();
        for number in versions {
            for (opcode, name) in &events {
                let class = self.class()?;
                let event = class.events.get_mut(opcode).ok_or_else(|| format!("no event {opcode}"))?;
                if event.versions.insert(number, fields.clone()).is_some() {
                    return Err(format!("`{name}` has version {number} twice"));
                }
            }
        }
        Ok(())
    }
}

/// A map with entries such as `1 Ready, 0x20 Urgent`. For sets of bits the order matters: of names that share bits, the
/// first match applies.
fn map(name: &str, bits: bool, list: &str) -> Result<ValueMap, String> {
    let mut entries = Vec::new();
    for (value, text) in split_list(list)? {
        let number = match value.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => value.parse(),
        };
        let number = number.map_err(|_| format!("`{value}` is no value of 32 bits"))?;
        if entries.iter().any(|(known, _)| *known == number) {
            return Err(format!("`{value}` is there twice"));
        }
        entries.push((number, text.to_owned().into()));
    }
    Ok(ValueMap::new(name.to_owned(), bits, entries))
}

fn parse_number(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number from 0 to 255"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_schema::{Count, FieldType, Hint};

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let cases = [
            ("class A 68fdd900-4a3e-11d1-84f4-0000f80464e3\nversion 0\n", "line 2: a layout without"),
            ("class A x\n", "line 1: `x` is no GUID"),
            ("  F u32\n", "line 1: the field `F` is outside"),
        ];
        for (text, wanted) in cases {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
        let head = "class A 68fdd900-4a3e-11d1-84f4-0000f80464e3 group 1\nevents 1 B\nversion 0\n";
        for (line, wanted) in [
            ("  F u33\n", "line 4: no type `u33`"),
            ("  F u32 blue\n", "line 4: no hint `blue`"),
            ("  F u32 map M\n", "line 4: there is no map `M`"),
            ("values M = x A\n", "line 4: `x` is no value of 32 bits"),
            ("values M = 1 A\nbits M = 1 A\n", "line 5: the map `M` is there twice"),
            ("bits M = 0x1 A, 1 B\n", "line 4: `1` is there twice"),
            ("  F utf16[N]\n", "line 4: no earlier field `N`"),
            ("  F u8\nversion 0\n", "at the end: `B` has version 0 twice"),
            ("  F struct {\n", "at the end: a struct is not closed"),
        ] {
            let error = parse(&format!("{head}{line}")).unwrap_err();
            assert_eq!(error, wanted.to_owned() + &error[wanted.len().min(error.len())..]);
        }
    }

    #[test]
    fn a_field_list_is_read_in_order() {
        let text = "class A 68fdd900-4a3e-11d1-84f4-0000f80464e3 group 7\n\
                    also group 3 opcode 9\ndefines *\nlists 1 2\nflag JOB *\nflag ALPC 2\nevents 1 B, 2 C\nversion 0 2\n\
                    N u16\nS struct x N {\nM u64 hex\n}\nT? utf16\n";
        let classes = parse(text).unwrap();
        let class = &classes[0];
        assert_eq!((class.group, class.also.as_slice()), (Some(7), &[(3, 9)][..]));
        assert_eq!((&class.defines, &class.lists), (&Opcodes::All, &Opcodes::These(vec![1, 2])));
        let flags = [("JOB".to_owned(), Opcodes::All), ("ALPC".to_owned(), Opcodes::These(vec![2]))];
        assert_eq!(class.flags, flags);
        let fields = &class.events[&2].versions[&2];
        assert_eq!(fields.len(), 3);
        assert_eq!(fields[1].count, Count::Field(0));
        assert!(matches!(&fields[1].ty, FieldType::Struct(inner) if inner[0].hint == Hint::Hex));
        assert!(fields[2].optional);
    }
}
