//! Events as D records: every field of an event in all its versions, each decoded when it is read.
//!
//! A record has one slot of eight bytes for each field: a number extended to 64 bits, or the address of a
//! text. Texts are 8-bit strings; what is neither number nor text is shown as text. A field that the
//! event's version lacks is 0 or empty.

use std::cell::OnceCell;
use std::fmt::Write as _;
use std::rc::Rc;

use tracewell_decode::Accessor;
use tracewell_schema::{Count, FieldType, Version, bundled, kernel, providers};

use crate::regions;

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slot {
    /// Its name in the schema.
    name: String,
    kind: SlotKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotKind {
    Unsigned,
    Signed,
    Text,
}

/// The fields of an event over all its versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    slots: Vec<Slot>,
}

/// Bytes of a slot.
const SLOT: usize = 8;
/// Distance of the texts of a record in their region: no text is longer.
const TEXT_ROOM: u64 = 1 << 20;

impl Shape {
    /// Puts the fields of all versions together, in order of first appearance from the newest on.
    #[must_use]
    pub fn new<'v>(versions: impl DoubleEndedIterator<Item = &'v Version>) -> Shape {
        let mut slots: Vec<Slot> = Vec::new();
        for field in versions.rev().flat_map(|v| v.fields.iter()) {
            if slots.iter().any(|slot| slot.name == field.name) {
                continue;
            }
            let single = matches!(field.count, Count::One);
            let kind = match &field.ty {
                FieldType::F32 | FieldType::F64 => SlotKind::Text,
                ty if single && ty.is_signed() => SlotKind::Signed,
                ty if single && (ty.is_integer() || matches!(ty, FieldType::Pointer)) => SlotKind::Unsigned,
                _ => SlotKind::Text,
            };
            slots.push(Slot { name: field.name.to_string(), kind });
        }
        Shape { slots }
    }

    /// The shape of the events of a kernel class, or of a provider that comes with the schema tables.
    #[must_use]
    pub fn of(class: &str, number: u16) -> Option<Shape> {
        if let Some(class) = kernel::class(class) {
            let event = class.event_by_opcode(u8::try_from(number).ok()?)?;
            return Some(Shape::new(event.versions.iter()));
        }
        let provider = bundled::provider(&providers::guid(class)?)?;
        let versions: Vec<&Version> =
            provider.events.iter().filter(|e| e.id == number).map(|e| &e.layout).collect();
        (!versions.is_empty()).then(|| Shape::new(versions.into_iter()))
    }

    /// The D declaration.
    #[must_use]
    pub fn d_text(&self, name: &str) -> String {
        let mut text = format!("typedef struct {name} {{\n");
        for slot in &self.slots {
            let ty = match slot.kind {
                SlotKind::Unsigned => "uint64_t ",
                SlotKind::Signed => "int64_t ",
                SlotKind::Text => "char *",
            };
            let _ = writeln!(text, "\t{ty}{};", d_name(&slot.name));
        }
        if self.slots.is_empty() {
            text.push_str("\tuint64_t none;\n");
        }
        let _ = writeln!(text, "}} {name}_t;");
        text
    }

    /// Finds the fields in one version.
    #[must_use]
    pub fn resolve(&self, layout: &Version, pointer_size: u8) -> Resolved {
        let accessor = |slot: &Slot| Accessor::new(layout, &slot.name, pointer_size);
        Resolved(Rc::new(self.slots.iter().map(|slot| (slot.kind, accessor(slot))).collect()))
    }
}

/// A field's name as D can write it.
#[must_use]
pub fn d_name(name: &str) -> String {
    let mut out: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    const TAKEN: &[&str] = &[
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "counter",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "import",
        "inline",
        "int",
        "long",
        "offsetof",
        "probe",
        "provider",
        "register",
        "restrict",
        "return",
        "self",
        "short",
        "signed",
        "sizeof",
        "static",
        "string",
        "stringof",
        "struct",
        "switch",
        "this",
        "translator",
        "typedef",
        "union",
        "unsigned",
        "userland",
        "void",
        "volatile",
        "while",
        "xlate",
    ];
    if TAKEN.contains(&out.as_str()) || out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    out
}

/// The fields of a shape in one version of the event, for one pointer size.
#[derive(Clone, Debug)]
pub struct Resolved(Rc<Vec<(SlotKind, Option<Accessor>)>>);

/// One event as a record.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    fields: Option<Resolved>,
    slots: Vec<OnceCell<[u8; SLOT]>>,
    texts: Vec<OnceCell<Vec<u8>>>,
}

impl Opened {
    /// Begins a new event; nothing is decoded yet.
    pub(crate) fn begin(&mut self, fields: &Resolved) {
        self.slots.clear();
        self.texts.clear();
        self.slots.resize_with(fields.0.len(), OnceCell::new);
        self.texts.resize_with(fields.0.len(), OnceCell::new);
        self.fields = Some(fields.clone());
    }

    /// The bytes of a record from an offset to the end of the slot it lies in.
    pub(crate) fn slot(&self, payload: &[u8], at: usize) -> Option<&[u8]> {
        let index = at / SLOT;
        let (kind, accessor) = self.fields.as_ref()?.0.get(index)?;
        let bytes = self.slots.get(index)?.get_or_init(|| {
            let number = accessor.as_ref().and_then(|a| a.int(payload)).unwrap_or(0);
            let value = match kind {
                SlotKind::Text => regions::RECORD_TEXTS.address(index as u64 * TEXT_ROOM),
                SlotKind::Unsigned | SlotKind::Signed => number,
            };
            value.to_le_bytes()
        });
        bytes.get(at % SLOT..)
    }

    /// The bytes of a field's text from an offset on.
    pub(crate) fn text(&self, payload: &[u8], at: u64) -> Option<&[u8]> {
        let index = usize::try_from(at / TEXT_ROOM).ok()?;
        let (_, accessor) = self.fields.as_ref()?.0.get(index)?;
        let text = self.texts.get(index)?.get_or_init(|| {
            let mut text = accessor.as_ref().map_or_else(String::new, |a| shown(a, payload)).into_bytes();
            text.retain(|&b| b != 0);
            text.truncate(TEXT_ROOM as usize - 1);
            text.push(0);
            text
        });
        text.get((at % TEXT_ROOM) as usize..)
    }
}

/// A field as text.
fn shown(accessor: &Accessor, payload: &[u8]) -> String {
    if let Some(text) = accessor.str16(payload) {
        return text.to_string();
    }
    if let Some(text) = accessor.ansi(payload) {
        return String::from_utf8_lossy(text).into_owned();
    }
    match (accessor.value(payload), accessor.field()) {
        (Some(value), Some(field)) => value.display(field).to_string(),
        _ => String::new(),
    }
}

/// The D declarations of all records of the fixed probes: the text of `lib/records.d`.
#[must_use]
pub fn d_text() -> String {
    let mut text = String::from(
        "\
/*
 * Events as records: what args[0] of the hwconfig and dnet probes points at. A number takes eight bytes
 * whatever its size in the event; what is no number is text.
 * Printed from the event tables by a test of crates/probes (TRACEWELL_BLESS=1).
 */

#pragma D depends_on library types.d
",
    );
    let mut done: Vec<&str> = Vec::new();
    for def in crate::table::PROBES.iter().filter(|def| def.fire == crate::table::Fire::Record) {
        let Some(native) = def.args.first().map(|arg| arg.native) else { continue };
        if done.contains(&native) {
            continue;
        }
        done.push(native);
        let name = native.trim_end_matches(" *").trim_end_matches("_t");
        let shape = Shape::of(def.class, u16::from(def.opcodes[0])).unwrap_or_default();
        let _ = write!(text, "\n/* {}:::{} */\n{}", def.provider, def.name, shape.d_text(name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `lib/records.d` says what the tables say. `TRACEWELL_BLESS=1` rewrites it.
    #[test]
    fn the_library_file_agrees_with_the_tables() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/records.d");
        let text = d_text();
        if std::env::var_os("TRACEWELL_BLESS").is_some() {
            std::fs::write(&path, &text).expect("lib/records.d can be written");
        }
        let have = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(have == text, "lib/records.d differs from the tables: run with TRACEWELL_BLESS=1");
    }

    #[test]
    fn every_record_has_fields() {
        for def in crate::table::PROBES.iter().filter(|def| def.fire == crate::table::Fire::Record) {
            let shape = Shape::of(def.class, u16::from(def.opcodes[0]));
            assert!(shape.is_some(), "{}:::{} has no schema", def.provider, def.name);
        }
    }

    #[test]
    fn names_that_d_takes_are_changed() {
        assert_eq!(d_name("string"), "_string");
        assert_eq!(d_name("a-b c"), "a_b_c");
        assert_eq!(d_name("1st"), "_1st");
    }
}
