//! Writes the Rust text of the generated tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use tracewell_schema::{Count, Field, FieldType, Hint, ValueMap};

use super::classes::{Class, Opcodes};

/// The statics of the kernel's classes.
pub(crate) fn kernel(classes: &[Class]) -> String {
    let mut lists = FieldLists::default();
    let mut body = String::new();
    for (number, class) in classes.iter().enumerate() {
        line(&mut body, format_args!("pub(crate) static CLASS_{number}: EventClass = EventClass {{"));
        line(&mut body, format_args!("    name: {:?},", class.name));
        line(&mut body, format_args!("    guid: guid::{},", screaming(&class.name)));
        line(&mut body, format_args!("    group: {:?},", class.group));
        line(&mut body, format_args!("    events: &["));
        for (opcode, event) in &class.events {
            line(
                &mut body,
                format_args!("        Event {{ opcode: {opcode}, name: {:?}, versions: &[", event.name),
            );
            for (version, fields) in &event.versions {
                let name = format!("{}_{}_V{version}", screaming(&class.name), screaming(&event.name));
                let list = lists.add(&name, fields);
                line(
                    &mut body,
                    format_args!(
                        "            Version {{ number: {version}, fields: Cow::Borrowed(&FIELDS_{list}) }},"
                    ),
                );
            }
            line(&mut body, format_args!("        ] }},"));
        }
        line(&mut body, format_args!("    ],\n}};\n"));
    }

    let mut text = header("kernel.classes");
    text.push_str("use std::borrow::Cow;\n\nuse crate::flag::{self, Flag};\n");
    text.push_str(
        "use crate::map::ValueMap;\nuse crate::model::{Count, Event, EventClass, Field, FieldType, Hint, Length, Version};\n\n",
    );
    text.push_str("/// Every class, in the order of the table.\n");
    line(&mut text, format_args!("pub(crate) static CLASSES: [&EventClass; {}] = [", classes.len()));
    for number in 0..classes.len() {
        line(&mut text, format_args!("    &CLASS_{number},"));
    }
    text.push_str("];\n\n/// The class whose hooks have this group byte.\n");
    text.push_str(
        "pub(crate) fn class_of_group(group: u8) -> Option<&'static EventClass> {\n    match group {\n",
    );
    for (number, class) in classes.iter().enumerate() {
        if let Some(group) = class.group {
            line(&mut text, format_args!("        {group} => Some(&CLASS_{number}),"));
        }
    }
    text.push_str(
        "        _ => None,\n    }\n}\n\n/// The class of a hook outside the group of its class.\n",
    );
    text.push_str("pub(crate) fn class_of_stray_hook(group: u8, opcode: u8) -> Option<&'static EventClass> {\n    match (group, opcode) {\n");
    for (number, class) in classes.iter().enumerate() {
        for (group, opcode) in &class.also {
            line(&mut text, format_args!("        ({group}, {opcode}) => Some(&CLASS_{number}),"));
        }
    }
    text.push_str("        _ => None,\n    }\n}\n\n");
    text.push_str("/// GUIDs of the classes.\npub mod guid {\n    use tracewell_types::Guid;\n\n");
    for class in classes {
        line(&mut text, format_args!("    /// {}.", class.name));
        line(
            &mut text,
            format_args!("    pub const {}: Guid = Guid::parse({:?});", screaming(&class.name), class.guid),
        );
    }
    text.push_str("}\n\n");
    text.push_str(&hooks(classes));
    text.push_str(&roles(classes));
    text.push_str(&flags(classes));
    text.push_str(&body);
    text.push_str(&lists.text);
    text
}

/// A constant for each event of the classes that have a group: `group << 8 | opcode`.
fn hooks(classes: &[Class]) -> String {
    let mut text = String::from("/// Hooks of kernel records: `group << 8 | opcode`.\npub mod hook {\n");
    for class in classes {
        for (opcode, event) in &class.events {
            let also = class.also.iter().find(|(_, also)| also == opcode).map(|(group, _)| *group);
            let Some(group) = also.or(class.group) else { continue };
            let name = format!("{}_{}", screaming(&class.name), screaming(&event.name));
            line(&mut text, format_args!("    /// {} {}.", class.name, event.name));
            line(
                &mut text,
                format_args!(
                    "    pub const {name}: u16 = {:#06x};",
                    u16::from(group) << 8 | u16::from(*opcode)
                ),
            );
        }
    }
    text.push_str("}\n\n");
    text
}

/// Two functions of a hook, which answer for the lines `defines` and `lists`.
fn roles(classes: &[Class]) -> String {
    let mut text = String::new();
    let roles = [
        ("defines", "Whether other records cannot be understood without those of a hook."),
        ("lists", "Whether those of a hook list what was there before the trace or after it."),
    ];
    for (name, about) in roles {
        line(&mut text, format_args!("/// {about}"));
        line(&mut text, format_args!("pub(crate) const fn {name}(hook: u16) -> bool {{\n    match hook {{"));
        for class in classes {
            let Some(own) = class.group else { continue };
            let hook = |group: u8, opcode: u8| u16::from(group) << 8 | u16::from(opcode);
            let stray =
                |opcode: u8| class.also.iter().find(|(_, also)| *also == opcode).map(|(group, _)| *group);
            let opcodes = if name == "defines" { &class.defines } else { &class.lists };
            let patterns: Vec<String> = match opcodes {
                Opcodes::None => continue,
                Opcodes::All => {
                    let own = format!("{:#06x}..={:#06x}", hook(own, 0), hook(own, 0xff));
                    let also =
                        class.also.iter().map(|&(group, opcode)| format!("{:#06x}", hook(group, opcode)));
                    std::iter::once(own).chain(also).collect()
                }
                Opcodes::These(opcodes) => opcodes
                    .iter()
                    .map(|&opcode| format!("{:#06x}", hook(stray(opcode).unwrap_or(own), opcode)))
                    .collect(),
            };
            for pattern in patterns {
                line(&mut text, format_args!("        {pattern} => true, // {}", class.name));
            }
        }
        text.push_str("        _ => false,\n    }\n}\n\n");
    }
    text
}

/// A function of a class's group and an opcode, which answers for the lines `flag`.
fn flags(classes: &[Class]) -> String {
    let mut text =
        String::from("/// The flags with which a session gets the records of a class, by its group.\n");
    text.push_str("pub(crate) const fn flags(group: u8, opcode: u8) -> &'static [Flag] {\n    match (group, opcode) {\n");
    for class in classes {
        let Some(group) = class.group else { continue };
        // Those of each opcode, in the order of the lines.
        let mut of_opcode: BTreeMap<u8, Vec<&str>> = BTreeMap::new();
        let mut of_others = Vec::new();
        for (name, opcodes) in &class.flags {
            match opcodes {
                Opcodes::None => {}
                Opcodes::All => of_others.push(&**name),
                Opcodes::These(opcodes) => {
                    opcodes.iter().for_each(|opcode| of_opcode.entry(*opcode).or_default().push(name));
                }
            }
        }
        // Opcodes with the same flags share an arm.
        let mut arms: BTreeMap<Vec<&str>, Vec<u8>> = BTreeMap::new();
        of_opcode.into_iter().for_each(|(opcode, flags)| arms.entry(flags).or_default().push(opcode));
        let list =
            |flags: &[&str]| flags.iter().map(|name| format!("flag::{name}")).collect::<Vec<_>>().join(", ");
        for (flags, opcodes) in arms {
            let opcodes = opcodes.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
                [first, .., last] => format!("{first}..={last}"),
                run => run.iter().map(u8::to_string).collect(),
            });
            let opcodes = opcodes.collect::<Vec<_>>().join(" | ");
            line(
                &mut text,
                format_args!("        ({group}, {opcodes}) => &[{}], // {}", list(&flags), class.name),
            );
        }
        if !of_others.is_empty() {
            line(
                &mut text,
                format_args!("        ({group}, _) => &[{}], // {}", list(&of_others), class.name),
            );
        }
    }
    text.push_str("        _ => &[],\n    }\n}\n\n");
    text
}

/// A name as a constant's: `PerfInfo` is `PERF_INFO`.
fn screaming(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
        before = c;
    }
    out
}

/// The statics of the provider names, by GUID and by name.
pub(crate) fn providers(providers: &BTreeMap<String, String>) -> String {
    let mut by_guid: Vec<(&String, &String)> = providers.iter().collect();
    by_guid.sort_by_key(|(guid, _)| stored_bytes(guid));
    let mut by_name: Vec<(String, usize)> =
        by_guid.iter().enumerate().map(|(index, (_, name))| (name.to_ascii_lowercase(), index)).collect();
    by_name.sort();

    let mut text = header("providers.names");
    text.push_str(
        "use tracewell_types::Guid;\n\n/// Name and GUID of each provider, by ascending bytes of the GUID.\n",
    );
    line(&mut text, format_args!("pub(crate) static BY_GUID: [(Guid, &str); {}] = [", by_guid.len()));
    for (guid, name) in by_guid {
        line(&mut text, format_args!("    (Guid::parse({guid:?}), {name:?}),"));
    }
    text.push_str("];\n\n/// Positions in [`BY_GUID`], by ascending name in lower case.\n");
    line(&mut text, format_args!("pub(crate) static BY_NAME: [u16; {}] = [", by_name.len()));
    for chunk in by_name.chunks(16) {
        let row: Vec<String> = chunk.iter().map(|(_, index)| index.to_string()).collect();
        line(&mut text, format_args!("    {},", row.join(", ")));
    }
    text.push_str("];\n");
    text
}

pub(super) fn header(table: &str) -> String {
    format!("//! Made from `tables/{table}` by `cargo run -p xtask -- schema`. Do not edit.\n\n")
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

/// The sixteen bytes of a GUID in stored order, whose first three groups are little-endian.
fn stored_bytes(guid: &str) -> Vec<u8> {
    let digits: Vec<u8> = guid.bytes().filter_map(|b| char::from(b).to_digit(16)).map(|d| d as u8).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, d| sum << 4 | d)).collect();
    [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
        .iter()
        .filter_map(|&at: &usize| bytes.get(at).copied())
        .collect()
}

/// The lists of fields written so far; equal lists are written once, named after the first that has them, so that a new one
/// changes no other.
#[derive(Default)]
struct FieldLists {
    known: Vec<(String, Vec<Field>)>,
    maps: Vec<ValueMap>,
    text: String,
}

impl FieldLists {
    fn add(&mut self, name: &str, fields: &[Field]) -> String {
        if let Some((known, _)) = self.known.iter().find(|(_, k)| k == fields) {
            return known.clone();
        }
        let mut rows = String::new();
        for field in fields {
            // The variants of the model are written by their own names.
            let ty = match &field.ty {
                FieldType::Struct(inner) => {
                    let inner = self.add(&format!("{name}_{}", screaming(&field.name)), inner);
                    format!("FieldType::Struct(Cow::Borrowed(&FIELDS_{inner}))")
                }
                FieldType::Utf16(length) => format!("FieldType::Utf16(Length::{length:?})"),
                FieldType::Ansi(length) => format!("FieldType::Ansi(Length::{length:?})"),
                FieldType::Binary(length) => format!("FieldType::Binary(Length::{length:?})"),
                plain => format!("FieldType::{plain:?}"),
            };
            let mut row = format!("    Field::new({:?}, {ty})", field.name);
            if field.count != Count::One {
                let _ = write!(row, ".count(Count::{:?})", field.count);
            }
            if field.hint != Hint::None {
                let _ = write!(row, ".hint(Hint::{:?})", field.hint);
            }
            if let Some(map) = &field.map {
                let _ = write!(row, ".values(&MAP_{})", self.map(map.get()));
            }
            if field.optional {
                row.push_str(".optional()");
            }
            line(&mut rows, format_args!("{row},"));
        }
        self.known.push((name.to_owned(), fields.to_vec()));
        line(&mut self.text, format_args!("static FIELDS_{name}: [Field; {}] = [", fields.len()));
        self.text.push_str(&rows);
        self.text.push_str("];\n\n");
        name.to_owned()
    }

    /// The name of the static of a map, which is written once. The table has one map of a name.
    fn map(&mut self, map: &ValueMap) -> String {
        let static_name = screaming(&map.name);
        if self.maps.contains(map) {
            return static_name;
        }
        self.maps.push(map.clone());
        line(&mut self.text, format_args!("static MAP_{static_name}: ValueMap = ValueMap {{"));
        line(&mut self.text, format_args!("    name: Cow::Borrowed({:?}),", map.name));
        line(&mut self.text, format_args!("    bits: {},", map.bits));
        line(&mut self.text, format_args!("    entries: Cow::Borrowed(&["));
        for (value, name) in map.entries.iter() {
            let value = if map.bits { format!("{value:#x}") } else { value.to_string() };
            line(&mut self.text, format_args!("        ({value}, Cow::Borrowed({name:?})),"));
        }
        self.text.push_str("    ]),\n};\n\n");
        static_name
    }
}
