//! Events as D records: every field of an event in all its versions.
//!
//! A record has one slot of eight bytes for each field: a number extended to 64 bits, or the address of a text or of
//! an array. Texts are 8-bit strings; values that are neither numbers nor texts are shown as text. A field that the
//! event's version lacks is 0 or empty. A field that the event has, or may have, and that cannot be decoded has no value:
//! reading it is a fault. Members of nested structs are inlined.
//!
//! A field has these companions, unless the event itself has a field of that name:
//! - `NAME_str`, the text of a number that has one: the name of its value, a status, a point in time; and an array's;
//! - `NAME_count`, the number of elements of an array;
//! - `NAME_raw` and `NAME_size`, the payload bytes of a value that is shown as text but is not one.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::table::{Fire, PROBES, ProbeDef};
use tracewell_decode::{Accessor, EventFormat};
use tracewell_schema::{Count, EventClass, Field, FieldType, Hint, Version, bundled, kernel, providers};

/// How a slot shows its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    /// A number without a sign.
    Unsigned,
    /// A number with a sign.
    Signed,
    /// Text, or what is shown as text.
    Text,
    /// The number of elements of an array.
    Count,
    /// The address of the field's bytes in the payload.
    Raw,
    /// How many bytes these are.
    Size,
    /// The address of an array's elements, so many slots each.
    Elements(u16),
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Member {
    /// Its name in D.
    name: String,
    /// The field it shows, by that field's name in D.
    source: String,
    kind: Kind,
    /// What else of the field is shown beside it.
    beside: &'static [(&'static str, View)],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// One slot.
    Leaf(View),
    /// The members of a nested struct.
    Record(Vec<Member>),
    /// The address of elements: one member without a name, or those of a struct.
    Array(Vec<Member>),
}

/// The fields of an event over all its versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    members: Vec<Member>,
}

/// Structs nested deeper are shown as text.
const DEEPEST: usize = 8;

impl Shape {
    /// Puts the fields of all versions together, in order of first appearance from the newest on.
    #[must_use]
    pub fn new<'v>(versions: impl DoubleEndedIterator<Item = &'v Version>) -> Shape {
        let mut members = Vec::new();
        for version in versions.rev() {
            merge(&mut members, &version.fields, 0);
        }
        companions(&mut members);
        Shape { members }
    }

    /// The shape of the events of a kernel class, or of a provider that comes with the schema tables.
    #[must_use]
    pub fn of(class: &str, number: u16) -> Option<Shape> {
        let versions = versions(class, number);
        (!versions.is_empty()).then(|| Shape::new(versions.into_iter()))
    }

    /// The shape of what `args[0]` of fixed probes points at, by its native type: that of all their events together.
    #[must_use]
    pub fn of_record(native: &str) -> Option<Shape> {
        let versions: Vec<&Version> =
            record_probes(native).flat_map(|def| versions(def.class, def.opcodes[0].into())).collect();
        (!versions.is_empty()).then(|| Shape::new(versions.into_iter()))
    }

    /// The shape of an event of a kernel class.
    #[must_use]
    pub fn of_class(class: &EventClass, opcode: u8) -> Option<Shape> {
        Some(Shape::new(class.event_by_opcode(opcode)?.versions.iter()))
    }

    /// The D declaration.
    #[must_use]
    pub fn d_text(&self, name: &str) -> String {
        let mut text = format!("typedef struct {name} {{\n");
        declare(&mut text, &self.members, 1);
        let _ = writeln!(text, "}} {name}_t;");
        text
    }

    /// The names of all fields with their D types, as listings show them.
    pub fn fields(&self) -> Vec<(String, String)> {
        fn walk(members: &[Member], before: &str, out: &mut Vec<(String, String)>) {
            for member in members {
                let name = format!("{before}{}", member.name);
                match &member.kind {
                    Kind::Leaf(view) => out.push((name, leaf_type(*view).trim_end().to_owned())),
                    Kind::Record(inner) => walk(inner, &format!("{name}."), out),
                    Kind::Array(inner) => match inner.as_slice() {
                        [Member { name: none, kind: Kind::Leaf(view), .. }] if none.is_empty() => {
                            out.push((format!("{name}[]"), leaf_type(*view).trim_end().to_owned()));
                        }
                        inner => walk(inner, &format!("{name}[]."), out),
                    },
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.members, "", &mut out);
        out
    }

    /// Returns `true` if it has no fields.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// How many slots its record has.
    #[must_use]
    pub(crate) fn slots(&self) -> usize {
        let nothing = Knowledge { layout: None, exact: false, doubtful: false, described: None };
        self.resolve(&nothing, 8).0.len()
    }

    /// The name of the field of the event itself that is a number in a slot.
    pub(crate) fn number_at(&self, slot: usize) -> Option<&str> {
        let mut before = 0;
        for member in &self.members {
            if before == slot {
                let is_number = matches!(member.kind, Kind::Leaf(View::Unsigned | View::Signed));
                return is_number.then_some(&*member.source);
            }
            before += member.slots();
        }
        None
    }

    /// Finds the fields in an event of which this is known.
    fn resolve(&self, known: &Knowledge<'_>, pointer_size: u8) -> Resolved {
        let mut slots = Vec::new();
        let fields = known.layout.map_or(&[][..], |layout| &layout.fields);
        let names = field_names(fields);
        for member in &self.members {
            let at = position(&names, &member.source);
            let place = known.layout.zip(at).and_then(|(layout, at)| {
                Some((Accessor::at(layout, at, pointer_size)?, layout.fields.get(at)?))
            });
            let found = match &place {
                Some((accessor, field)) => Found::Field(accessor, field, !known.exact),
                None if known.may_have(&member.source) => Found::Undecoded,
                None => Found::Absent,
            };
            slots_of(member, found, &[], &mut slots);
        }
        Resolved(slots.into())
    }

    /// Returns `true` if it has a field of that name.
    fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.source.eq_ignore_ascii_case(name))
    }
}

/// The known fields of one version of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knowledge<'k> {
    /// The layout that its payloads are read by.
    pub(crate) layout: Option<&'k Version>,
    /// Whether the layout is the whole layout of that version: the event has no other fields.
    pub(crate) exact: bool,
    /// Whether payloads may not follow the layout although it is that of their version.
    pub(crate) doubtful: bool,
    /// The fields of all described versions of the event; [`None`] if none is described.
    pub(crate) described: Option<&'k Shape>,
}

impl<'k> Knowledge<'k> {
    /// The knowledge in a format.
    pub(crate) fn of(format: &'k EventFormat, described: Option<&'k Shape>) -> Knowledge<'k> {
        let layout = format.layout.as_ref();
        Knowledge {
            layout,
            exact: layout.is_some() && format.exact && !format.partial,
            doubtful: format.source == tracewell_decode::Source::Collected,
            described,
        }
    }

    /// Returns `true` if payloads may hold a field of that name that the layout lacks.
    pub(crate) fn may_have(&self, name: &str) -> bool {
        !self.exact && self.described.is_none_or(|shape| shape.has(name))
    }
}

/// Enters the fields of a version that are not there yet.
fn merge(members: &mut Vec<Member>, fields: &[Field], depth: usize) {
    for (name, field) in field_names(fields).into_iter().zip(fields) {
        let kind = kind_of(field, depth);
        match members.iter_mut().find(|m| m.name.eq_ignore_ascii_case(&name)) {
            None => {
                let beside = beside(field, &kind);
                members.push(Member { source: name.clone(), name, kind, beside });
            }
            Some(known) => {
                let told = beside(field, &kind);
                if !unite(&mut known.kind, kind) {
                    known.beside = NUMBER_OR_TEXT;
                } else if known.beside.is_empty() && !matches!(known.kind, Kind::Leaf(View::Text)) {
                    known.beside = told;
                }
            }
        }
    }
}

/// The companions of a number that is a text in another version.
const NUMBER_OR_TEXT: &[(&str, View)] = &[("_str", View::Text)];

/// What two versions have in common; text when they differ, for anything can be shown as text. `false`: the newer
/// one has a number and keeps it.
fn unite(known: &mut Kind, other: Kind) -> bool {
    match (&mut *known, other) {
        (Kind::Record(members), Kind::Record(more)) => {
            for member in more {
                match members.iter_mut().find(|m| m.name.eq_ignore_ascii_case(&member.name)) {
                    None => members.push(member),
                    Some(same) => {
                        unite(&mut same.kind, member.kind);
                    }
                }
            }
        }
        (Kind::Leaf(View::Unsigned | View::Signed), Kind::Leaf(View::Text)) => return false,
        (Kind::Leaf(View::Unsigned), Kind::Leaf(View::Signed)) => *known = Kind::Leaf(View::Signed),
        (Kind::Leaf(View::Signed), Kind::Leaf(View::Unsigned)) => {}
        (known, other) if *known == other => {}
        (known, _) => *known = Kind::Leaf(View::Text),
    }
    true
}

/// How a field is shown.
fn kind_of(field: &Field, depth: usize) -> Kind {
    let single = matches!(field.count, Count::One);
    match &field.ty {
        FieldType::Struct(inner) if single && depth < DEEPEST => {
            let mut members = Vec::new();
            merge(&mut members, inner, depth + 1);
            companions(&mut members);
            Kind::Record(members)
        }
        // An element has at least one member, so that it takes room.
        FieldType::Struct(inner) if depth == 0 && !inner.is_empty() => Kind::Array(element_members(inner)),
        FieldType::Struct(_) => Kind::Leaf(View::Text),
        ty if single => Kind::Leaf(element_view(ty)),
        ty if depth == 0 => Kind::Array(vec![Member::plain(String::new(), element_view(ty))]),
        _ => Kind::Leaf(View::Text),
    }
}

/// What of a field is shown beside it.
fn beside(field: &Field, kind: &Kind) -> &'static [(&'static str, View)] {
    match kind {
        Kind::Array(_) => &[("_count", View::Count), ("_str", View::Text)],
        Kind::Leaf(View::Unsigned | View::Signed) => {
            let told =
                matches!(field.hint, Hint::NtStatus | Hint::HResult | Hint::Win32Error | Hint::Character);
            let told = told || matches!(field.ty, FieldType::FileTime) || field.map.is_some();
            if told { &[("_str", View::Text)] } else { &[] }
        }
        Kind::Leaf(View::Text) if matches!(field.ty, FieldType::Binary(_)) => {
            &[("_raw", View::Raw), ("_size", View::Size)]
        }
        _ => &[],
    }
}

impl Member {
    /// How many slots it has.
    fn slots(&self) -> usize {
        match &self.kind {
            Kind::Leaf(_) | Kind::Array(_) => 1,
            Kind::Record(inner) => inner.iter().map(Member::slots).sum::<usize>().max(1),
        }
    }

    fn plain(name: String, view: View) -> Member {
        Member { source: name.clone(), name, kind: Kind::Leaf(view), beside: &[] }
    }
}

/// The members of an array's element: arrays and structs inside are text.
fn element_members(fields: &[Field]) -> Vec<Member> {
    let view = |field: &Field| {
        if field.count == Count::One { element_view(&field.ty) } else { View::Text }
    };
    field_names(fields).into_iter().zip(fields).map(|(name, f)| Member::plain(name, view(f))).collect()
}

/// How one element of a type is shown.
fn element_view(ty: &FieldType) -> View {
    if ty.is_signed() {
        View::Signed
    } else if ty.is_integer() || matches!(ty, FieldType::Pointer) {
        View::Unsigned
    } else {
        View::Text
    }
}

/// Adds the companions of fields; a field of the event with the same name has precedence.
fn companions(members: &mut Vec<Member>) {
    let more: Vec<Member> = members
        .iter()
        .flat_map(|member| {
            member.beside.iter().map(|(suffix, view)| Member {
                name: format!("{}{suffix}", member.name),
                source: member.source.clone(),
                kind: Kind::Leaf(*view),
                beside: &[],
            })
        })
        .collect();
    for member in more {
        if !members.iter().any(|m| m.name.eq_ignore_ascii_case(&member.name)) {
            members.push(member);
        }
    }
}

/// The names of fields in D; duplicates are numbered.
fn field_names(fields: &[Field]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(fields.len());
    for field in fields {
        let plain = d_name(&field.name);
        let mut name = plain.clone();
        let mut number = 2;
        while names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// The D type of a slot.
fn leaf_type(view: View) -> &'static str {
    match view {
        View::Unsigned => "uint64_t ",
        View::Signed => "int64_t ",
        View::Text => "trace_text_t ",
        View::Count | View::Size => "uint64_t ",
        View::Raw => "void *",
        View::Elements(_) => "uint64_t *",
    }
}

fn declare(text: &mut String, members: &[Member], depth: usize) {
    let indent = "\t".repeat(depth);
    if members.is_empty() {
        let _ = writeln!(text, "{indent}uint64_t none;");
    }
    for Member { name, kind, .. } in members {
        match kind {
            Kind::Leaf(view) => {
                let _ = writeln!(text, "{indent}{}{name};", leaf_type(*view));
            }
            Kind::Array(inner) => match inner.as_slice() {
                [Member { name: none, kind: Kind::Leaf(view), .. }] if none.is_empty() => {
                    let _ = writeln!(text, "{indent}{}*{name};", leaf_type(*view));
                }
                inner => {
                    let _ = writeln!(text, "{indent}struct {{");
                    declare(text, inner, depth + 1);
                    let _ = writeln!(text, "{indent}}} *{name};");
                }
            },
            Kind::Record(inner) => {
                let _ = writeln!(text, "{indent}struct {{");
                declare(text, inner, depth + 1);
                let _ = writeln!(text, "{indent}}} {name};");
            }
        }
    }
}

/// A slot in one version of the event.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) view: View,
    pub(crate) place: Place,
    /// Of an array, how each slot of an element is shown, and which member it is; [`None`] for the element itself.
    pub(crate) element: Vec<(View, Option<usize>)>,
}

/// Whether an event has the field of a slot.
#[derive(Debug)]
pub(crate) enum Place {
    /// It has.
    Field(Source),
    /// It has not: the slot is 0 or empty.
    Absent,
    /// It may have, but no description of its version says where: reading the slot is a fault.
    Undecoded,
}

/// Where a slot's value is.
#[derive(Debug)]
pub(crate) struct Source {
    /// The field of the event.
    pub(crate) accessor: Accessor,
    /// Members to go down to, by position.
    pub(crate) path: Vec<usize>,
    /// Whether the payload may end before the field, as the layout is that of another version.
    pub(crate) may_end: bool,
}

/// What a version of an event has of a member.
#[derive(Clone, Copy)]
enum Found<'f> {
    /// A field, what reads it or the struct that it is in, and whether payloads may end before that.
    Field(&'f Accessor, &'f Field, bool),
    Absent,
    Undecoded,
}

/// The fields of a shape in one version of the event, for one pointer size.
#[derive(Clone, Debug)]
pub struct Resolved(pub(crate) Rc<[Slot]>);

impl Default for Resolved {
    fn default() -> Resolved {
        Resolved(Rc::new([]))
    }
}

/// A record of an event, and the number of its first slot: an event may be read as several records.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) base: u32,
    pub(crate) shape: Shape,
}

/// The fields of all records that an event is read as.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Each with the number of its first slot.
    records: Rc<[(usize, Resolved)]>,
    /// The layout and pointer size, if a payload has to be compared with them before anything is read from it.
    doubtful: Option<Rc<(Version, u8)>>,
}

impl Default for Fields {
    fn default() -> Fields {
        Fields { records: Rc::new([]), doubtful: None }
    }
}

impl Fields {
    /// Finds the fields of an event's own record, if it has one, and of those that it shares with others.
    pub(crate) fn resolve(
        own: Option<&Shape>,
        joined: &[Part],
        known: &Knowledge<'_>,
        pointer_size: u8,
    ) -> Fields {
        let own = own.map(|shape| (0, shape.resolve(known, pointer_size)));
        let joined = joined.iter().map(|part| (part.base as usize, part.shape.resolve(known, pointer_size)));
        let layout = known.layout.filter(|_| known.doubtful);
        Fields {
            records: own.into_iter().chain(joined).collect(),
            doubtful: layout.map(|layout| Rc::new((layout.clone(), pointer_size))),
        }
    }

    /// Returns `true` if the payload can be one of the layout.
    pub(crate) fn fit(&self, payload: &[u8]) -> bool {
        self.doubtful.as_ref().is_none_or(|doubtful| {
            let (layout, pointer_size) = &**doubtful;
            tracewell_decode::Fields::new(layout, payload, *pointer_size).are_plausible()
        })
    }

    /// The number of slots of all records.
    pub(crate) fn count(&self) -> usize {
        self.records.iter().map(|(_, fields)| fields.0.len()).sum()
    }

    /// The number of records.
    pub(crate) fn records(&self) -> usize {
        self.records.len()
    }

    /// The slot of that number, and its place among the slots of all records.
    #[inline]
    pub(crate) fn slot(&self, number: usize) -> Option<(usize, &Slot)> {
        let mut before = 0;
        for (base, fields) in &*self.records {
            if let Some(slot) = number.checked_sub(*base).and_then(|at| fields.0.get(at)) {
                return Some((before + number - base, slot));
            }
            before += fields.0.len();
        }
        None
    }

    /// The record in which a slot of that number is: its own number, that of its first slot, and how many it has.
    pub(crate) fn record(&self, number: usize) -> Option<(usize, usize, usize)> {
        let mut records = self.records.iter().enumerate();
        let (at, (base, fields)) =
            records.find(|(_, (base, fields))| (*base..*base + fields.0.len()).contains(&number))?;
        Some((at, *base, fields.0.len()))
    }
}

/// Appends the slots of one member. `found` is its field in this version, reached by `path` from the accessor's.
fn slots_of(member: &Member, found: Found<'_>, path: &[usize], out: &mut Vec<Slot>) {
    let place = || match found {
        Found::Field(accessor, _, may_end) => {
            Place::Field(Source { accessor: accessor.clone(), path: path.to_vec(), may_end })
        }
        Found::Absent => Place::Absent,
        Found::Undecoded => Place::Undecoded,
    };
    let inner_fields = match found {
        Found::Field(_, Field { ty: FieldType::Struct(inner), .. }, _) => &inner[..],
        _ => &[],
    };
    match &member.kind {
        Kind::Leaf(view) => out.push(Slot { view: *view, place: place(), element: Vec::new() }),
        Kind::Array(inner) => {
            let names = field_names(inner_fields);
            let element: Vec<(View, Option<usize>)> = inner
                .iter()
                .map(|m| match m.kind {
                    Kind::Leaf(view) if m.name.is_empty() => (view, None),
                    Kind::Leaf(view) => (view, Some(position(&names, &m.source).unwrap_or(usize::MAX))),
                    _ => (View::Text, Some(usize::MAX)),
                })
                .collect();
            let stride = u16::try_from(element.len()).unwrap_or(u16::MAX);
            out.push(Slot { view: View::Elements(stride), place: place(), element });
        }
        Kind::Record(inner) => {
            // A shape holds at least one slot for a struct, as its declaration does.
            if inner.is_empty() {
                out.push(Slot { view: View::Unsigned, place: Place::Absent, element: Vec::new() });
            }
            let names = field_names(inner_fields);
            for member in inner {
                let at = position(&names, &member.source);
                let found = match (found, at.and_then(|at| inner_fields.get(at))) {
                    (Found::Field(accessor, _, may_end), Some(field)) => {
                        Found::Field(accessor, field, may_end)
                    }
                    (Found::Field(..), None) => Found::Absent,
                    (found, _) => found,
                };
                let mut path = path.to_vec();
                path.push(at.unwrap_or(usize::MAX));
                slots_of(member, found, &path, out);
            }
        }
    }
}

/// The position of a name, ignoring case: names in MOF are not case-sensitive.
fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known.eq_ignore_ascii_case(name))
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

/// The layouts of the events of a kernel class, or of a provider that comes with the schema tables.
fn versions(class: &str, number: u16) -> Vec<&'static Version> {
    if let Some(class) = kernel::class(class) {
        let event = u8::try_from(number).ok().and_then(|opcode| class.event_by_opcode(opcode));
        return event.into_iter().flat_map(|event| event.versions).collect();
    }
    let provider = providers::guid(class).and_then(|guid| bundled::provider(&guid));
    let events = provider.into_iter().flat_map(|provider| provider.events.iter());
    events.filter(|event| event.id == number).map(|event| &event.layout).collect()
}

/// The fixed probes whose `args[0]` is a record of this type.
fn record_probes(native: &str) -> impl Iterator<Item = &'static ProbeDef> {
    let points_at = move |def: &&ProbeDef| def.args.first().is_some_and(|arg| arg.native == native);
    PROBES.iter().filter(|def| def.fire == Fire::Record).filter(points_at)
}

/// The D declarations of all records of the fixed probes: the text of `lib/records.d`.
#[must_use]
pub fn d_text() -> String {
    let mut text = String::from(
        "\
/*
 * Events as records: what args[0] of the hwconfig and dnet probes points at. A number takes eight bytes
 * whatever its size in the event; a field that is not a number is text.
 * Printed from the event tables by a test of crates/probes (TRACEWELL_BLESS=1).
 */

#pragma D depends_on library types.d
",
    );
    let mut done: Vec<&str> = Vec::new();
    for def in PROBES.iter().filter(|def| def.fire == Fire::Record) {
        let Some(native) = def.args.first().map(|arg| arg.native) else { continue };
        if done.contains(&native) {
            continue;
        }
        done.push(native);
        let name = native.trim_end_matches(" *").trim_end_matches("_t");
        let shape = Shape::of_record(native).unwrap_or_default();
        let probes: Vec<String> =
            record_probes(native).map(|def| format!("{}:::{}", def.provider, def.name)).collect();
        let _ = write!(text, "\n/* {} */\n{}", probes.join(", "), shape.d_text(name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `lib/records.d` says what the tables say. `TRACEWELL_BLESS=1` rewrites it.
    #[test]
    fn the_library_file_agrees_with_the_tables() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("lib/records.d");
        let text = d_text();
        if tracewell_corpus::bless() {
            std::fs::write(&path, &text).expect("lib/records.d can be written");
        }
        let have = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(have == text, "lib/records.d differs from the tables: run with TRACEWELL_BLESS=1");
    }

    #[test]
    fn every_record_has_fields() {
        for def in PROBES.iter().filter(|def| def.fire == Fire::Record) {
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
