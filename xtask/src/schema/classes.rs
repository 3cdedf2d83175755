//! The parser of `kernel.classes`; the file itself explains its form.

use std::collections::BTreeMap;

/// A class with its events.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) guid: String,
    pub(crate) group: Option<u8>,
    /// Hooks (group, opcode) outside the class's group that belong to it.
    pub(crate) also: Vec<(u8, u8)>,
    pub(crate) events: BTreeMap<u8, Event>,
}

/// One opcode of a class: its name and, by version number, its layout.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) versions: BTreeMap<u8, Vec<Field>>,
}

/// One field. Types, counts and hints are already the words of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) optional: bool,
    pub(crate) ty: Type,
    pub(crate) count: Extent,
    /// A variant of `Hint`.
    pub(crate) hint: Option<&'static str>,
    /// The map with names for the values.
    pub(crate) map: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A variant of `FieldType` without data.
    Plain(&'static str),
    /// A variant of `FieldType` with a length.
    Run(&'static str, Extent),
    Struct(Vec<Field>),
}

/// A length or a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One element, or text up to its NUL.
    Natural,
    Fixed(u16),
    Prefixed,
    Field(u16),
    Rest,
}

const PLAIN: [(&str, &str); 22] = [
    ("i8", "I8"),
    ("u8", "U8"),
    ("i16", "I16"),
    ("u16", "U16"),
    ("i32", "I32"),
    ("u32", "U32"),
    ("i64", "I64"),
    ("u64", "U64"),
    ("pointer", "Pointer"),
    ("f32", "F32"),
    ("f64", "F64"),
    ("bool8", "Bool8"),
    ("bool32", "Bool32"),
    ("guid", "Guid"),
    ("filetime", "FileTime"),
    ("systemtime", "SystemTime"),
    ("ipv4", "Ipv4"),
    ("ipv6", "Ipv6"),
    ("port", "Port"),
    ("sid", "Sid"),
    ("tokenuser", "TokenUser"),
    ("struct", ""),
];

const RUNS: [(&str, &str); 3] = [("utf16", "Utf16"), ("ansi", "Ansi"), ("bytes", "Binary")];

const HINTS: [(&str, &str); 14] = [
    ("hex", "Hex"),
    ("pid", "Pid"),
    ("tid", "Tid"),
    ("address", "Address"),
    ("ntstatus", "NtStatus"),
    ("hresult", "HResult"),
    ("win32", "Win32Error"),
    ("time", "TraceTime"),
    ("bytes", "Bytes"),
    ("bool", "Boolean"),
    ("sockaddr", "SocketAddress"),
    ("xml", "Xml"),
    ("json", "Json"),
    ("utf8", "Utf8"),
];

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
    fields: Vec<Field>,
    /// The struct field being read, and its fields so far.
    inner: Option<(Field, Vec<Field>)>,
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
                    events: BTreeMap::new(),
                });
            }
            ["also", "group", group, "opcode", opcode] => {
                let hook = (parse_number(group)?, parse_number(opcode)?);
                self.class()?.also.push(hook);
            }
            ["events", ..] => {
                self.end_of_version()?;
                self.events.clear();
                let list = line.trim_start().trim_start_matches("events");
                for item in list.split(',') {
                    let Some((opcode, name)) = item.trim().split_once(' ') else {
                        return Err(format!("`{}` is not `OPCODE NAME`", item.trim()));
                    };
                    self.events.push((parse_number(opcode)?, name.trim().to_owned()));
                }
            }
            ["version", numbers @ ..] if !numbers.is_empty() => {
                self.end_of_version()?;
                if self.events.is_empty() {
                    return Err("a layout without `events` before it".to_owned());
                }
                self.versions = numbers.iter().map(|n| parse_number(n)).collect::<Result<_, _>>()?;
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
                if self.inner.is_some() {
                    let siblings = self.inner.take();
                    let (outer, mut fields) = siblings.ok_or("no struct")?;
                    let (field, opens) = parse_field(name, ty, rest, &fields)?;
                    if opens {
                        return Err("structs do not nest in this table".to_owned());
                    }
                    fields.push(field);
                    self.inner = Some((outer, fields));
                } else {
                    let (field, opens) = parse_field(name, ty, rest, &self.fields)?;
                    if opens {
                        self.inner = Some((field, Vec::new()));
                    } else {
                        self.fields.push(field);
                    }
                }
            }
            _ => return Err(format!("cannot be read: `{}`", line.trim())),
        }
        Ok(())
    }

    fn class(&mut self) -> Result<&mut Class, String> {
        self.classes.last_mut().ok_or_else(|| "no class has begun".to_owned())
    }

    /// Files the layout just read under every event and version number it belongs to.
    fn end_of_version(&mut self) -> Result<(), String> {
        if self.inner.is_some() {
            return Err("a struct is not closed".to_owned());
        }
        let fields = std::mem::take(&mut self.fields);
        let versions = std::mem::take(&mut self.versions);
        let events = self.events.clone();
        for number in versions {
            for (opcode, name) in &events {
                let class = self.class()?;
                let event = class
                    .events
                    .entry(*opcode)
                    .or_insert_with(|| Event { name: name.clone(), versions: BTreeMap::new() });
                if event.name != *name {
                    return Err(format!("opcode {opcode} is `{}` and `{name}`", event.name));
                }
                if event.versions.insert(number, fields.clone()).is_some() {
                    return Err(format!("`{name}` has version {number} twice"));
                }
            }
        }
        Ok(())
    }
}

/// One field line. The flag says that a struct has been opened.
pub(crate) fn parse_field(
    name: &str,
    ty: &str,
    mut rest: &[&str],
    before: &[Field],
) -> Result<(Field, bool), String> {
    let (name, optional) = match name.strip_suffix('?') {
        Some(bare) => (bare, true),
        None => (name, false),
    };
    if before.iter().any(|f| f.name.eq_ignore_ascii_case(name)) {
        return Err(format!("the field `{name}` appears twice"));
    }
    let ty = parse_type(ty, before)?;
    let mut count = Extent::Natural;
    if let ["x", number, more @ ..] = rest {
        count = parse_extent(number, before)?;
        rest = more;
    }
    let opens = ty == Type::Plain("");
    let mut map = None;
    if let [more @ .., "map", name] = rest {
        map = Some((*name).to_owned());
        rest = more;
    }
    let hint = match rest {
        [] if !opens => None,
        ["{"] if opens => None,
        [word] if !opens => Some(lookup(&HINTS, word).ok_or(format!("no hint `{word}`"))?),
        _ => return Err(format!("cannot read `{}`", rest.join(" "))),
    };
    Ok((Field { name: name.to_owned(), optional, ty, count, hint, map }, opens))
}

fn parse_type(text: &str, before: &[Field]) -> Result<Type, String> {
    if let Some(variant) = lookup(&PLAIN, text) {
        return Ok(Type::Plain(variant));
    }
    let (base, length) = match text.split_once('[') {
        Some((base, length)) => {
            let length = length.strip_suffix(']').ok_or("a `[` without `]`")?;
            (base, parse_extent(length, before)?)
        }
        None => (text, Extent::Natural),
    };
    let variant = lookup(&RUNS, base).ok_or(format!("no type `{text}`"))?;
    if variant == "Binary" && length == Extent::Natural {
        return Err("bytes need a length".to_owned());
    }
    Ok(Type::Run(variant, length))
}

fn parse_extent(text: &str, before: &[Field]) -> Result<Extent, String> {
    if text == "*" {
        return Ok(Extent::Rest);
    }
    if text == "u16" {
        return Ok(Extent::Prefixed);
    }
    if let Ok(number) = text.parse() {
        return Ok(Extent::Fixed(number));
    }
    let at = before.iter().position(|f| f.name == text);
    let at = at.ok_or(format!("no earlier field `{text}`"))?;
    Ok(Extent::Field(u16::try_from(at).map_err(|_| "too many fields")?))
}

fn lookup(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(text, _)| *text == word).map(|(_, variant)| *variant)
}

fn parse_number(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| format!("`{text}` is no number from 0 to 255"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("  F utf16[N]\n", "line 4: no earlier field `N`"),
            ("  F u8\n  F u8\n", "line 5: the field `F` appears twice"),
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
                    also group 3 opcode 9\nevents 1 B, 2 C\nversion 0 2\n\
                    N u16\nS struct x N {\nM u64 hex\n}\nT? utf16\n";
        let classes = parse(text).unwrap();
        let class = &classes[0];
        assert_eq!((class.group, class.also.as_slice()), (Some(7), &[(3, 9)][..]));
        let fields = &class.events[&2].versions[&2];
        assert_eq!(fields.len(), 3);
        assert_eq!(fields[1].count, Extent::Field(0));
        assert!(matches!(&fields[1].ty, Type::Struct(inner) if inner[0].hint == Some("Hex")));
        assert!(fields[2].optional);
    }
}
