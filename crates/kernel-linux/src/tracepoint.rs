//! Tracepoints as events that describe themselves: what the kernel says about their fields, and how their records become
//! payloads.
//!
//! The text is that of `format` in tracefs (Documentation/trace/events.rst of the kernel). The events are those of the provider
//! `linux` and contain a TraceLogging description, so that a recording can be read without this machine.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::write::Event;

use crate::event_info::{self, Count, Named, Property};
use crate::payload::Payload;
use crate::provider::{PROVIDER, PROVIDER_NAME};
use crate::tracefs::Tracefs;

/// The traits of the provider, as each of its events has them: a size, and the name with its NUL.
const TRAITS: &[u8] = b"\x08\0linux\0";
/// The level of the events: information.
const LEVEL: u8 = 4;
/// The channel of events that describe themselves.
const CHANNEL: u8 = 11;
/// Fields that each tracepoint has, which an event has in its header.
const COMMON: &str = "common_";
/// Maximum number of fields and of array elements that a description has.
const MOST_FIELDS: usize = 512;
const MOST_ELEMENTS: usize = u16::MAX as usize;

/// Types of TraceLogging.
mod tlg {
    pub(super) const TEXT: u8 = 2;
    pub(super) const I8: u8 = 3;
    pub(super) const U8: u8 = 4;
    pub(super) const I16: u8 = 5;
    pub(super) const U16: u8 = 6;
    pub(super) const I32: u8 = 7;
    pub(super) const U32: u8 = 8;
    pub(super) const I64: u8 = 9;
    pub(super) const U64: u8 = 10;
    pub(super) const HEX64: u8 = 21;
    /// An array with this number of elements, which follows.
    pub(super) const FIXED: u8 = 0x20;
    /// An array that begins with the number of its elements.
    pub(super) const COUNTED: u8 = 0x40;
    /// How values are shown follows.
    pub(super) const SHOWN: u8 = 0x80;
    pub(super) const UTF8: u8 = 35;
}

/// A number, or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    bytes: usize,
    kind: u8,
}

impl Number {
    fn of(bytes: usize, signed: bool) -> Option<Number> {
        let kind = match (bytes, signed) {
            (1, true) => tlg::I8,
            (1, false) => tlg::U8,
            (2, true) => tlg::I16,
            (2, false) => tlg::U16,
            (4, true) => tlg::I32,
            (4, false) => tlg::U32,
            (8, true) => tlg::I64,
            (8, false) => tlg::U64,
            _ => return None,
        };
        Some(Number { bytes, kind })
    }

    /// The number that a type of C is, where its name says so.
    fn named(name: &str) -> Option<Number> {
        let (bytes, signed) = match name {
            "u8" | "__u8" | "uint8_t" | "unsigned char" | "bool" => (1, false),
            "s8" | "__s8" | "int8_t" | "signed char" => (1, true),
            "u16" | "__u16" | "uint16_t" | "unsigned short" | "umode_t" | "__be16" | "__le16" => (2, false),
            "s16" | "__s16" | "int16_t" | "short" => (2, true),
            "u32" | "__u32" | "uint32_t" | "unsigned int" | "unsigned" | "uint" | "uid_t" | "gid_t"
            | "old_uid_t" | "old_gid_t" | "qid_t" | "__be32" | "__le32" => (4, false),
            "s32" | "__s32" | "int32_t" | "int" | "pid_t" | "clockid_t" | "timer_t" | "mqd_t"
            | "key_serial_t" | "rwf_t" => (4, true),
            "u64" | "__u64" | "uint64_t" | "unsigned long" | "unsigned long long" | "size_t" => (8, false),
            "s64" | "__s64" | "int64_t" | "long" | "long long" | "loff_t" | "ssize_t" => (8, true),
            _ => return None,
        };
        Number::of(bytes, signed)
    }

    /// The number in a field of this size: the registers of system calls have 8 bytes for values of fewer.
    fn in_field(ty: &str, size: usize, signed: bool) -> Option<Number> {
        if ty.contains('*') && size == 8 {
            return Some(Number { bytes: 8, kind: tlg::HEX64 });
        }
        Number::named(ty)
            .filter(|number| number.bytes < size && size == 8)
            .or_else(|| Number::of(size, signed))
    }
}

/// How a field is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Number(Number),
    /// Text with a NUL if it is shorter than the field.
    Text,
    Array(Number, u16),
    /// A word that says where data is stored: its offset from the start of the record, or from behind the field.
    Elsewhere {
        relative: bool,
        elements: Option<Number>,
    },
}

/// A field of a tracepoint.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: Box<str>,
    offset: usize,
    size: usize,
    /// Whether the kernel reads it as a number with a sign.
    signed: bool,
    shape: Shape,
}

impl Field {
    /// Parses a line of a description; `None` if it has no field.
    fn parse(line: &str) -> Option<Field> {
        let mut parts = line.trim().split(';').map(str::trim);
        let declaration = parts.next()?.strip_prefix("field:")?.trim();
        let (mut offset, mut size, mut signed) = (None, None, false);
        for part in parts {
            match part.split_once(':') {
                Some(("offset", number)) => offset = number.parse().ok(),
                Some(("size", number)) => size = number.parse().ok(),
                Some(("signed", number)) => signed = number == "1",
                _ => {}
            }
        }
        let (offset, size): (usize, usize) = (offset?, size?);
        let elsewhere = ["__data_loc ", "__rel_loc "].iter().position(|word| declaration.starts_with(word));
        let (ty, name, shape) = match (elsewhere, declaration.split_once('[')) {
            (Some(which), _) => {
                let (_, rest) = declaration.split_once(' ')?;
                let (ty, name) = rest.rsplit_once(' ')?;
                let ty = plain(ty.split('[').next()?);
                let elements = (ty != "char").then(|| Number::named(ty).or(Number::of(1, false))).flatten();
                (ty, name, Shape::Elsewhere { relative: which == 1, elements })
            }
            (None, Some((before, after))) => {
                let (ty, name) = before.trim_end().rsplit_once(' ')?;
                (plain(ty), name, array(plain(ty), after.split(']').next()?, size, signed)?)
            }
            (None, None) => {
                let (ty, name) = declaration.rsplit_once(' ')?;
                let pointer = if name.starts_with('*') { "*" } else { plain(ty) };
                let shape = match Number::in_field(pointer, size, signed) {
                    Some(number) => Shape::Number(number),
                    None => Shape::Array(Number::of(1, false)?, u16::try_from(size).ok()?),
                };
                (ty, name.trim_start_matches('*'), shape)
            }
        };
        let usable = size > 0 && !ty.is_empty() && !name.is_empty() && !name.starts_with(COMMON);
        usable.then(|| Field { name: name.into(), offset, size, signed, shape })
    }

    /// Appends its description.
    fn describe(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.name.as_bytes());
        out.push(0);
        match self.shape {
            Shape::Number(number) => out.push(number.kind),
            Shape::Text | Shape::Elsewhere { elements: None, .. } => {
                out.extend([tlg::TEXT | tlg::SHOWN, tlg::UTF8]);
            }
            Shape::Array(number, count) => {
                out.push(number.kind | tlg::FIXED);
                out.extend(count.to_le_bytes());
            }
            Shape::Elsewhere { elements: Some(number), .. } => out.push(number.kind | tlg::COUNTED),
        }
    }

    /// Appends it as one property, or a count and the values.
    fn properties(&self, all: &mut Vec<Property>) {
        let name = String::from(&*self.name);
        let number = |name, number: Number, count| Property {
            name,
            types: (number.kind, 0),
            count,
            length: number.bytes as u16,
        };
        let property = match self.shape {
            Shape::Number(kind) => number(name, kind, Count::One),
            Shape::Array(kind, count) => number(name, kind, Count::Fixed(count)),
            Shape::Text | Shape::Elsewhere { elements: None, .. } => {
                Property { name, types: (tlg::TEXT, tlg::UTF8), count: Count::One, length: 0 }
            }
            Shape::Elsewhere { elements: Some(kind), .. } => {
                let counter = all.len() as u16;
                let counts = Number { bytes: 2, kind: tlg::U16 };
                all.push(number(format!("{name}.Count"), counts, Count::One));
                number(name, kind, Count::As(counter))
            }
        };
        all.push(property);
    }

    /// Appends its value. What a record is too short for is 0 or empty.
    fn value(&self, record: &[u8], out: &mut Payload) {
        let bytes = record.get(self.offset..).unwrap_or_default();
        let bytes = bytes.get(..self.size).unwrap_or(bytes);
        let fixed = |size: usize, out: &mut Payload| {
            let there = bytes.get(..size).unwrap_or(bytes);
            out.bytes(there).zeros(size - there.len());
        };
        match self.shape {
            Shape::Number(number) => fixed(number.bytes, out),
            Shape::Array(number, count) => fixed(number.bytes * usize::from(count), out),
            Shape::Text => {
                out.bytes(until_nul(bytes)).u8(0);
            }
            Shape::Elsewhere { relative, elements } => {
                let word = bytes.first_chunk().map_or(0, |word| u32::from_ne_bytes(*word));
                let base = if relative { self.offset + self.size } else { 0 };
                let (at, size) = (base + (word & 0xFFFF) as usize, (word >> 16) as usize);
                let data = record.get(at..at + size).unwrap_or_default();
                match elements {
                    None => {
                        out.bytes(until_nul(data)).u8(0);
                    }
                    Some(number) => {
                        let count = (data.len() / number.bytes).min(MOST_ELEMENTS);
                        out.u16(count as u16).bytes(data.get(..count * number.bytes).unwrap_or_default());
                    }
                }
            }
        }
    }
}

/// A type without what does not change its values.
fn plain(ty: &str) -> &str {
    ty.trim().trim_start_matches("const ").trim_start_matches("volatile ").trim()
}

/// An array in a record. The count may be an expression: then the type's name has to say how long an element is.
fn array(ty: &str, count: &str, size: usize, signed: bool) -> Option<Shape> {
    if ty == "char" {
        return Some(Shape::Text);
    }
    let counted = count.trim().parse().ok().filter(|count| *count > 0 && size.is_multiple_of(*count));
    let number = Number::named(ty).filter(|number| size.is_multiple_of(number.bytes));
    let number = number.or_else(|| Number::of(size / counted?, signed)).or(Number::of(1, false))?;
    Some(Shape::Array(number, u16::try_from(size / number.bytes).ok()?))
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A tracepoint of the kernel.
#[derive(Clone, PartialEq, Eq)]
pub struct Tracepoint {
    id: u16,
    group: Box<str>,
    name: Box<str>,
    fields: Vec<Field>,
    description: Box<[u8]>,
}

impl fmt::Debug for Tracepoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracepoint").field("id", &self.id).field("name", &self.name).finish_non_exhaustive()
    }
}

impl Tracepoint {
    /// Parses a description; `None` if it has no number.
    pub(crate) fn parse(group: &str, name: &str, format: &str) -> Option<Tracepoint> {
        let id = format.lines().find_map(|line| line.strip_prefix("ID:")?.trim().parse().ok())?;
        let fields: Vec<Field> = format.lines().filter_map(Field::parse).take(MOST_FIELDS).collect();
        // Size, no tags, the name, and the fields.
        let mut description = vec![0, 0, 0];
        description.extend_from_slice(name.as_bytes());
        description.push(0);
        for field in &fields {
            field.describe(&mut description);
        }
        let size = u16::try_from(description.len()).ok()?;
        description[..2].copy_from_slice(&size.to_le_bytes());
        let (group, name, description) = (group.into(), name.into(), description.into());
        Some(Tracepoint { id, group, name, fields, description })
    }

    /// The number of the tracepoint on this machine until it restarts: the id of its events.
    #[must_use]
    pub fn id(&self) -> u16 {
        self.id
    }

    /// The group of the tracepoint.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The name, which the event has, too.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Smallest and greatest value of a field that a reader finds to be the same number as the kernel does; `None` for others.
    pub(crate) fn range(&self, name: &str) -> Option<(i128, i128)> {
        let mut found = self.fields.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
        let (field, another) = (found.next()?, found.next());
        let Shape::Number(number) = field.shape else { return None };
        let signed = matches!(number.kind, tlg::I8 | tlg::I16 | tlg::I32 | tlg::I64);
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let is_same = &*field.name == name && number.bytes == field.size && signed == field.signed;
        let bits = 8 * number.bytes as u32;
        let range = if signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        (is_same && is_plain && another.is_none()).then_some(range)
    }

    /// A record of the event with a description and no values.
    #[must_use]
    pub fn example(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.append(0, (0, 0), &[], &[], &mut out);
        out
    }

    /// Appends a description of the event for readers of traces that do not contain one.
    pub(crate) fn describe(&self, out: &mut Payload) {
        let mut properties = Vec::new();
        self.fields.iter().for_each(|field| field.properties(&mut properties));
        let named = Named {
            provider: PROVIDER,
            provider_name: PROVIDER_NAME,
            id: self.id,
            channel: CHANNEL,
            level: LEVEL,
            name: &self.name,
        };
        event_info::append(named, &properties, out);
    }

    /// Appends the values of a record to a payload.
    pub(crate) fn values(&self, record: &[u8], out: &mut Payload) {
        for field in &self.fields {
            field.value(record, out);
        }
    }

    /// Appends an event; `stack` has its frames. Returns `false` if it is too long for a record.
    pub(crate) fn append(
        &self,
        time: u64,
        (pid, tid): (u32, u32),
        stack: &[u8],
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> bool {
        let header = Event {
            time: time.cast_signed(),
            provider: PROVIDER,
            id: self.id,
            channel: CHANNEL,
            level: LEVEL,
            pid,
            tid,
            ..Event::default()
        };
        // A stack begins with a number that joins it with another part, which these do not have.
        let frames = [&[0; 8], stack].concat();
        let items = [
            ExtendedItem { kind: ExtendedKind::SCHEMA, data: &self.description },
            ExtendedItem { kind: ExtendedKind::PROVIDER_TRAITS, data: TRAITS },
            ExtendedItem { kind: ExtendedKind::STACK_TRACE64, data: &frames },
        ];
        header.append(&items[..if stack.is_empty() { 2 } else { 3 }], payload, out)
    }
}

/// Group and name of tracepoints by number, as they were found last: a description is found by its name only.
static FOUND: Mutex<BTreeMap<u16, Place>> = Mutex::new(BTreeMap::new());
/// Group and name.
type Place = (Box<str>, Box<str>);

/// The tracepoints whose names are wanted, in the order of groups and names.
///
/// # Errors
///
/// If the process may not read their descriptions, or the kernel has none.
pub fn tracepoints(wanted: impl FnMut(&str) -> bool) -> io::Result<Vec<Tracepoint>> {
    named(&Tracefs::open()?, wanted)
}

fn named(files: &Tracefs, mut wanted: impl FnMut(&str) -> bool) -> io::Result<Vec<Tracepoint>> {
    let names = files.names()?.into_iter().filter(|(_, name)| wanted(name));
    Ok(names.filter_map(|(group, name)| read(files, &group, &name)).collect())
}

/// The tracepoints with these numbers, as far as there are such; or all.
pub(crate) fn of(ids: Option<&[u16]>) -> io::Result<Vec<Tracepoint>> {
    let files = Tracefs::open()?;
    match ids {
        Some(ids) => numbered(&files, ids),
        None => named(&files, |_| true),
    }
}

fn numbered(files: &Tracefs, ids: &[u16]) -> io::Result<Vec<Tracepoint>> {
    let mut all = Vec::new();
    for id in ids {
        let known = FOUND.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        // A number may have been given to another tracepoint since.
        all.extend(
            known.and_then(|(group, name)| read(files, &group, &name)).filter(|point| point.id == *id),
        );
    }
    if all.len() < ids.len() {
        for (group, name) in files.names()? {
            let id = files.id(&group, &name);
            if id.is_some_and(|id| ids.contains(&id) && all.iter().all(|point: &Tracepoint| point.id != id)) {
                all.extend(read(files, &group, &name));
            }
        }
    }
    Ok(all)
}

fn read(files: &Tracefs, group: &str, name: &str) -> Option<Tracepoint> {
    // A module that is unloaded meanwhile takes its tracepoints with it.
    let point = Tracepoint::parse(group, name, &files.format(group, name).ok()?)?;
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.insert(point.id, (point.group.clone(), point.name.clone()));
    Some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of the kernel with fields of every kind, and its description.
    const FORMAT: &str = "name: made\nID: 372\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
        \tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\
        \tfield:__u8 address[4];\toffset:28;\tsize:4;\tsigned:0;\n\
        \tfield:const char * path;\toffset:32;\tsize:8;\tsigned:0;\n\
        \tfield:int dfd;\toffset:40;\tsize:8;\tsigned:0;\n\
        \tfield:__data_loc char[] name;\toffset:48;\tsize:4;\tsigned:0;\n\
        \tfield:__rel_loc u16[] ports;\toffset:52;\tsize:4;\tsigned:0;\n\
        \tfield:unsigned long args[2];\toffset:56;\tsize:16;\tsigned:0;\n\
        \tfield:struct odd odd;\toffset:72;\tsize:3;\tsigned:0;\n\
        \tfield:char last[];\toffset:75;\tsize:0;\tsigned:0;\n\nprint fmt: \"%s\", REC->comm\n";

    fn record() -> Vec<u8> {
        let mut record = vec![0; 8];
        record.extend(*b"kworker/0:1\0\0\0\0\0");
        record.extend((-7_i32).to_le_bytes());
        record.extend([127, 0, 0, 1]);
        record.extend(0xFFFF_8000_u64.to_le_bytes());
        // The register of a system call may hold anything beside a number of 32 bits.
        record.extend(0x1234_FFFF_FF9C_u64.to_le_bytes());
        record.extend((80_u32 | 5 << 16).to_le_bytes());
        record.extend((32_u32 | 4 << 16).to_le_bytes());
        record.extend([1_u64, 2].iter().flat_map(|word| word.to_le_bytes()));
        record.extend([9, 8, 7, 0, 0, 0, 0, 0]);
        record.extend(*b"eth0\0\0\0\0");
        record.extend([80, 0, 0xBB, 1]);
        record
    }

    #[test]
    fn fields_have_names_types_and_values() {
        let point = Tracepoint::parse("net", "made", FORMAT).unwrap();
        assert_eq!((point.id(), point.group(), point.name()), (372, "net", "made"));
        let mut expected =
            b"\0\0\0made\0comm\0\x82\x23pid\0\x07address\0\x24\x04\0path\0\x15dfd\0\x07".to_vec();
        expected.extend(b"name\0\x82\x23ports\0\x46args\0\x2a\x02\0odd\0\x24\x03\0");
        expected[0] = expected.len() as u8;
        assert_eq!(&*point.description, expected);
        let mut payload = Payload::default();
        let record = record();
        point.values(&record, &mut payload);
        let mut expected = b"kworker/0:1\0\xF9\xFF\xFF\xFF\x7F\0\0\x01".to_vec();
        expected.extend(0xFFFF_8000_u64.to_le_bytes());
        expected.extend((-100_i32).to_le_bytes());
        expected.extend(b"eth0\0\x02\0\x50\0\xBB\x01");
        expected.extend([1_u64, 2].iter().flat_map(|word| word.to_le_bytes()));
        expected.extend([9, 8, 7]);
        assert_eq!(payload.as_slice(), expected);
    }

    #[test]
    fn issue_23_fields_are_what_their_declarations_say() {
        let number = |bytes, signed| Number::of(bytes, signed).unwrap();
        let pointer = Number { bytes: 8, kind: tlg::HEX64 };
        let elsewhere = |relative, elements| Shape::Elsewhere { relative, elements };
        let text = elsewhere(false, None);
        for (line, name, offset, size, shape) in [
            ("\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;", "a", 8, 4, Shape::Number(number(4, true))),
            ("field: u32 a ; size:4 ;offset:12; signed:0;", "a", 12, 4, Shape::Number(number(4, false))),
            ("field:int a; offset:8; size:4;", "a", 8, 4, Shape::Number(number(4, false))),
            // A part that has no such name, or none, changes nothing.
            (
                "field:int a; offset:8; size:4; signed:1; wide:7; offset",
                "a",
                8,
                4,
                Shape::Number(number(4, true)),
            ),
            ("field:const char * a; offset:8; size:8; signed:0;", "a", 8, 8, Shape::Number(pointer)),
            ("field:struct page *a; offset:8; size:8; signed:0;", "a", 8, 8, Shape::Number(pointer)),
            ("field:char a[16]; offset:8; size:16; signed:0;", "a", 8, 16, Shape::Text),
            ("field:const char a [8]; offset:8; size:8; signed:0;", "a", 8, 8, Shape::Text),
            ("field:u16 a[2]; offset:8; size:4; signed:0;", "a", 8, 4, Shape::Array(number(2, false), 2)),
            ("field:struct odd a; offset:8; size:3; signed:0;", "a", 8, 3, Shape::Array(number(1, false), 3)),
            ("field:__data_loc char[] a; offset:8; size:4; signed:0;", "a", 8, 4, text),
            ("field:__data_loc const char[] a; offset:8; size:4; signed:0;", "a", 8, 4, text),
            ("field:__rel_loc char[] a; offset:8; size:4; signed:0;", "a", 8, 4, elsewhere(true, None)),
            (
                "field:__data_loc u16[] a; offset:8; size:4; signed:0;",
                "a",
                8,
                4,
                elsewhere(false, Some(number(2, false))),
            ),
            (
                "field:__rel_loc unsigned long[] a; offset:8; size:4; signed:0;",
                "a",
                8,
                4,
                elsewhere(true, Some(number(8, false))),
            ),
            (
                "field:__rel_loc struct odd[] a; offset:8; size:4; signed:0;",
                "a",
                8,
                4,
                elsewhere(true, Some(number(1, false))),
            ),
        ] {
            let found = Field::parse(line).unwrap_or_else(|| panic!("{line}"));
            let kind = |shape: Shape| match shape {
                // Whether it is shown in hexadecimal is another test's.
                Shape::Array(number, count) => (format!("array of {} times {count}", number.bytes), None),
                Shape::Elsewhere { relative, elements } => {
                    (format!("elsewhere {relative} {:?}", elements.map(|number| number.bytes)), None)
                }
                shape => (String::new(), Some(shape)),
            };
            assert_eq!((&*found.name, found.offset, found.size), (name, offset, size), "{line}");
            assert_eq!(kind(found.shape), kind(shape), "{line}");
        }
        for line in [
            "",
            "name: made",
            "int a; offset:8; size:4; signed:1;",
            "field:a; offset:8; size:4; signed:1;",
            "field:int a; size:4; signed:1;",
            "field:int a; offset:8; signed:1;",
            "field:int a; offset:x; size:4; signed:1;",
            "field:int a; offset:8; size:-4; signed:1;",
            "field:int a; offset:8; size:0; signed:1;",
            "field:__data_loc char[]; offset:8; size:4; signed:0;",
            "field:int common_pid; offset:4; size:4; signed:1;",
            "field:int *; offset:8; size:8; signed:1;",
        ] {
            assert_eq!(Field::parse(line), None, "{line}");
        }
    }

    #[test]
    fn short_records_have_no_other_layout() {
        let point = Tracepoint::parse("net", "made", FORMAT).unwrap();
        let record = record();
        for cut in 0..record.len() {
            let mut payload = Payload::default();
            point.values(&record[..cut], &mut payload);
            // Text, numbers and arrays without values: each is there.
            assert!(payload.as_slice().len() >= 1 + 4 + 4 + 8 + 4 + 1 + 2 + 16 + 3, "{cut}");
        }
    }

    #[test]
    fn issue_23_fields_have_the_numbers_that_their_types_name() {
        for (ty, size, signed, expected) in [
            ("char", 1, true, Some((1, tlg::I8))),
            ("char", 1, false, Some((1, tlg::U8))),
            ("s16x", 2, true, Some((2, tlg::I16))),
            ("s16x", 2, false, Some((2, tlg::U16))),
            ("enum x", 4, true, Some((4, tlg::I32))),
            ("enum x", 4, false, Some((4, tlg::U32))),
            ("enum x", 8, true, Some((8, tlg::I64))),
            ("enum x", 8, false, Some((8, tlg::U64))),
            ("enum x", 3, false, None),
            ("void *", 8, false, Some((8, tlg::HEX64))),
            ("void *", 4, false, Some((4, tlg::U32))),
            // A register has 8 bytes for a value of fewer.
            ("umode_t", 8, false, Some((2, tlg::U16))),
            ("short", 8, false, Some((2, tlg::I16))),
            ("bool", 8, true, Some((1, tlg::U8))),
            ("signed char", 8, false, Some((1, tlg::I8))),
            ("unsigned int", 8, true, Some((4, tlg::U32))),
            ("pid_t", 8, false, Some((4, tlg::I32))),
            ("size_t", 8, true, Some((8, tlg::I64))),
            // Its own size counts otherwise.
            ("pid_t", 2, false, Some((2, tlg::U16))),
        ] {
            let found = Number::in_field(ty, size, signed).map(|number| (number.bytes, number.kind));
            assert_eq!(found, expected, "{ty} {size} {signed}");
        }
        let all =
            ["u64", "long", "unsigned long long", "ssize_t"].map(|name| Number::named(name).unwrap().kind);
        assert_eq!(all, [tlg::U64, tlg::I64, tlg::U64, tlg::I64]);
        assert_eq!(Number::named("struct x"), None);
    }

    #[test]
    fn issue_23_tracepoints_are_found_by_name_and_number() {
        let folder = tracewell_corpus::Scratch::new("tracepoints");
        let make = |group: &str, name: &str, id: u16| {
            std::fs::create_dir_all(folder.join(format!("events/{group}/{name}"))).unwrap();
            let format = format!("name: {name}\nID: {id}\nformat:\n");
            folder.write(&format!("events/{group}/{name}/id"), format!("{id}\n").as_bytes());
            folder.write(&format!("events/{group}/{name}/format"), format.as_bytes());
        };
        // No kernel has so many that these numbers are given to others.
        make("sched", "switch", 65_001);
        make("net", "send", 65_003);
        make("net", "receive", 65_002);
        make("ftrace", "function", 65_004);
        make("sched", "waking", 65_005);
        let files = Tracefs::at(&folder);
        let names = |found: io::Result<Vec<Tracepoint>>| -> Vec<String> {
            let point = |point: Tracepoint| format!("{}:{} {}", point.group, point.name, point.id);
            found.unwrap().into_iter().map(point).collect()
        };
        assert_eq!(
            names(numbered(&files, &[65_005, 65_003, 65_009])),
            ["net:send 65003", "sched:waking 65005"]
        );
        // Those that are known are found by their names, in the order of the numbers.
        assert_eq!(names(numbered(&files, &[65_005, 65_003])), ["sched:waking 65005", "net:send 65003"]);
        let all = ["net:receive 65002", "net:send 65003", "sched:switch 65001", "sched:waking 65005"];
        assert_eq!(names(named(&files, |_| true)), all);
        assert_eq!(
            names(named(&files, |name| name.starts_with('s'))),
            ["net:send 65003", "sched:switch 65001"]
        );
        // Another tracepoint has the number by now.
        make("net", "send", 65_006);
        make("net", "receive", 65_003);
        assert_eq!(names(numbered(&files, &[65_003, 65_001])), ["sched:switch 65001", "net:receive 65003"]);
        assert!(names(numbered(&files, &[65_002])).is_empty());
    }

    #[test]
    fn what_is_no_field_is_left_out() {
        for line in ["", "field:", "field:int x", "field:int x; offset:1;", "field:x; offset:0; size:4;"] {
            assert_eq!(Field::parse(line), None, "{line}");
        }
        assert_eq!(Tracepoint::parse("a", "b", "name: b\nformat:\n"), None, "it has no number");
        // An expression for a count is not computed: the type says how long an element is.
        let line = "field:u32 x[sizeof(struct y) / 4]; offset:8; size:12; signed:0;";
        let number = Number { bytes: 4, kind: tlg::U32 };
        assert_eq!(Field::parse(line).unwrap().shape, Shape::Array(number, 3));
    }

    #[test]
    fn the_traits_are_those_of_the_provider() {
        let size = u16::from_le_bytes([TRAITS[0], TRAITS[1]]);
        assert_eq!(
            (usize::from(size), &TRAITS[2..TRAITS.len() - 1]),
            (TRAITS.len(), PROVIDER_NAME.as_bytes())
        );
    }
}
