//! MOF: the classes in which providers of classic events declare them, as text or compiled.
//!
//! The meaning is the one of Microsoft's public documentation of event tracing MOF qualifiers: a class with a
//! `Guid` is a kind of event, classes below it with `EventType` give the layouts, whose fields are the
//! properties with a `WmiDataId`, in that order. What this reader does not need it steps over.
//!
//! [`parse`] reads text; [`parse_binary`] what the MOF compiler makes of it, as it lies in `.bmf` files and in the
//! `MOFDATA` resource of drivers.

mod binary;
mod doublespace;
mod text;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use tracewell_schema::{
    Count, Field, FieldType, Hint, Length, MapRef, Provider, ProviderEvent, ValueMap, Version,
};
use tracewell_types::Guid;

use crate::manifest::ManifestProblem;

pub(crate) use binary::MARK as BINARY_MARK;
pub use binary::{BinaryMofError, parse_binary};

/// What a MOF text or its compiled form declares.
#[derive(Clone, Debug, Default)]
pub struct Mof {
    /// One provider for each class with a GUID; the ids of its events are the opcodes ("event types").
    pub classes: Vec<Provider>,
    /// The parts that could not be used, each with its line, or for compiled MOF with its offset in
    /// the expanded block. The rest of the text is valid.
    pub problems: Vec<ManifestProblem>,
}

/// Why a text is no MOF with events.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MofError {
    /// No class has both a GUID and event types.
    NoEvents,
}

impl fmt::Display for MofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MofError::NoEvents => f.write_str("the MOF text declares no events"),
        }
    }
}

impl std::error::Error for MofError {}

/// Most fields of all events together; a class may have many event types, each with all of its fields.
const MAX_FIELDS: usize = 2 << 20;

/// Most steps from a class up to `EventTrace`.
const MAX_ANCESTORS: usize = 16;

/// Most problems that are kept.
const MAX_PROBLEMS: usize = 1000;

/// Reads a MOF text.
///
/// # Errors
///
/// When it declares no events. Single classes that cannot be used are [problems](Mof::problems) instead.
pub fn parse(text: &str) -> Result<Mof, MofError> {
    let (classes, mut problems) = text::classes(text);
    let providers = providers(&classes, &mut problems);
    if providers.is_empty() {
        return Err(MofError::NoEvents);
    }
    Ok(Mof { classes: providers, problems })
}

/// Qualifiers by name in lower case, each with its values as text.
type Qualifiers = HashMap<String, Vec<String>>;

/// A class as declared.
struct Class {
    name: String,
    base: String,
    qualifiers: Qualifiers,
    properties: Vec<Property>,
    line: u32,
}

struct Property {
    ty: String,
    name: String,
    /// `[n]`, or `[]` as `Some(None)`.
    array: Option<Option<u16>>,
    qualifiers: Qualifiers,
    line: u32,
}

fn problem(problems: &mut Vec<ManifestProblem>, line: u32, what: String) {
    if problems.len() < MAX_PROBLEMS {
        problems.push(ManifestProblem { line, what });
    }
}

fn first<'q>(qualifiers: &'q Qualifiers, name: &str) -> Option<&'q str> {
    qualifiers.get(name)?.first().map(String::as_str)
}

fn number<T: TryFrom<u64>>(text: &str) -> Option<T> {
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    T::try_from(value).ok()
}

fn providers(classes: &[Class], problems: &mut Vec<ManifestProblem>) -> Vec<Provider> {
    let mut by_name = HashMap::new();
    for class in classes {
        by_name.entry(class.name.to_ascii_lowercase()).or_insert(class);
    }
    let mut found: Vec<(Guid, String, Vec<ProviderEvent>)> = Vec::new();
    let mut known: HashMap<Guid, usize> = HashMap::new();
    let mut left = MAX_FIELDS;
    for class in classes.iter().filter(|class| class.qualifiers.contains_key("eventtype")) {
        // The class itself first, `EventTrace` last.
        let mut line = vec![class];
        while let Some(base) = line.last().and_then(|class| by_name.get(&class.base.to_ascii_lowercase())) {
            if line.len() >= MAX_ANCESTORS {
                break;
            }
            line.push(base);
        }
        let kind = line.iter().find_map(|class| Some((class, first(&class.qualifiers, "guid")?)));
        let Some((kind, guid)) = kind else {
            problem(problems, class.line, format!("no class above `{}` has a GUID", class.name));
            continue;
        };
        let bare = guid.trim().trim_start_matches('{').trim_end_matches('}');
        let Some(guid) = Guid::try_parse(bare.as_bytes()) else {
            problem(problems, kind.line, format!("`{guid}` is no GUID"));
            continue;
        };
        let version = line.iter().find_map(|class| first(&class.qualifiers, "eventversion"));
        let version = version.and_then(number::<u8>).unwrap_or(0);
        let fields = fields(&line, problems);
        let types = class.qualifiers.get("eventtype").map(Vec::as_slice).unwrap_or_default();
        let names = class.qualifiers.get("eventtypename").map(Vec::as_slice).unwrap_or_default();
        let task = first(&kind.qualifiers, "displayname").unwrap_or(&kind.name);
        let root = line.iter().rev().find(|class| !class.name.eq_ignore_ascii_case("EventTrace"));
        let at = *known.entry(guid).or_insert_with(|| {
            let root = root.map_or(&kind.name, |root| &root.name);
            found.push((guid, root.to_owned(), Vec::new()));
            found.len() - 1
        });
        // Charged for classes without event types as well: each has gathered the fields above it.
        let Some(rest) = left.checked_sub((1 + fields.len()).saturating_mul(types.len().max(1))) else {
            problem(problems, class.line, "too many fields; the events from here on are left out".into());
            return finish(found);
        };
        left = rest;
        for (index, text) in types.iter().enumerate() {
            let Some(opcode) = number::<u8>(text) else {
                problem(problems, class.line, format!("`{text}` is no event type"));
                continue;
            };
            let event = ProviderEvent {
                id: opcode.into(),
                task: task.to_owned().into(),
                opcode: names.get(index).cloned().unwrap_or_default().into(),
                message: "".into(),
                enabling: None,
                layout: Version::from_fields(version, fields.clone()),
            };
            if let Some((_, _, events)) = found.get_mut(at) {
                events.push(event);
            }
        }
    }
    finish(found)
}

fn finish(found: Vec<(Guid, String, Vec<ProviderEvent>)>) -> Vec<Provider> {
    let with_events = found.into_iter().filter(|(_, _, events)| !events.is_empty());
    with_events.map(|(guid, name, events)| Provider::new(name, guid, events)).collect()
}

/// The fields of a class with those of the classes above it, by `WmiDataId`. They end before the first one that
/// cannot be read: nothing behind it has a known place.
fn fields(line: &[&Class], problems: &mut Vec<ManifestProblem>) -> Vec<Field> {
    let properties = line.iter().rev().flat_map(|class| &class.properties);
    let mut ordered: Vec<(u32, &Property)> =
        properties.filter_map(|p| Some((first(&p.qualifiers, "wmidataid").and_then(number)?, p))).collect();
    ordered.sort_by_key(|(id, _)| *id);
    let mut fields: Vec<Field> = Vec::with_capacity(ordered.len());
    for (_, property) in ordered {
        match field(property, &fields) {
            Some(field) => fields.push(field),
            None => {
                let what = format!("`{} {}` cannot be read, nor what follows it", property.ty, property.name);
                problem(problems, property.line, what);
                break;
            }
        }
    }
    fields
}

fn field(property: &Property, before: &[Field]) -> Option<Field> {
    let qualifier = |name: &str| first(&property.qualifiers, name);
    let is = |name: &str, wanted: &str| qualifier(name).is_some_and(|v| v.eq_ignore_ascii_case(wanted));
    let format = qualifier("format").unwrap_or_default();
    let size_field = qualifier("wmisizeis").and_then(|name| {
        before.iter().position(|field| field.name.eq_ignore_ascii_case(name)).map(|at| at as u16)
    });
    let size = property.array.flatten().or_else(|| qualifier("max").and_then(number::<u16>));
    let length = |plain: Length| match (property.array, size_field, size) {
        (None, ..) => plain,
        (_, Some(at), _) => Length::Field(at),
        (_, None, Some(n)) => Length::Fixed(n),
        (_, None, None) => Length::Rest,
    };
    let termination = match qualifier("stringtermination").map(str::to_ascii_lowercase).as_deref() {
        None | Some("nullterminated") => Some(Length::Nul),
        Some("counted") => Some(Length::Prefixed),
        Some("notcounted") => Some(Length::Rest),
        // The size in front is big-endian, as Microsoft's sample for reading events by their MOF class has it.
        Some("reversecounted") => Some(Length::PrefixedBig),
        Some(_) => None,
    };
    let ty = property.ty.to_ascii_lowercase();
    let mut hint = if format.eq_ignore_ascii_case("x") { Hint::Hex } else { Hint::None };
    let pointer = property.qualifiers.contains_key("pointer") || is("extension", "SizeT");
    let characters = format.eq_ignore_ascii_case("c") || format.eq_ignore_ascii_case("s");
    let mut is_run = false;
    let mut run = |ty: FieldType| {
        is_run = true;
        ty
    };
    let ty = match (ty.as_str(), qualifier("extension").map(str::to_ascii_lowercase).as_deref()) {
        (_, Some("port")) => FieldType::Port,
        (_, Some("ipaddr" | "ipaddrv4")) => FieldType::Ipv4,
        (_, Some("ipaddrv6")) => FieldType::Ipv6,
        (_, Some("guid")) => FieldType::Guid,
        (_, Some("sid")) => FieldType::TokenUser,
        (_, Some("wmitime")) => {
            hint = Hint::TraceTime;
            FieldType::U64
        }
        (_, Some("rstring")) => FieldType::Ansi(Length::Nul),
        (_, Some("rwstring")) => FieldType::Utf16(Length::Nul),
        ("string", _) if format.eq_ignore_ascii_case("w") => FieldType::Utf16(termination?),
        ("string", _) => FieldType::Ansi(termination?),
        ("uint32" | "sint32" | "uint64" | "sint64" | "object", _) if pointer => {
            hint = if is("extension", "SizeT") { Hint::None } else { Hint::Address };
            FieldType::Pointer
        }
        ("char16", _) if property.array.is_some() => run(FieldType::Utf16(length(Length::Rest))),
        ("uint8" | "sint8" | "char8", _) if property.array.is_some() && characters => {
            run(FieldType::Ansi(length(Length::Rest)))
        }
        ("uint8", _) if property.array.is_some() => run(FieldType::Binary(length(Length::Rest))),
        ("char16", _) => {
            hint = Hint::Character;
            FieldType::U16
        }
        ("uint8" | "sint8" | "char8", _) if characters => {
            hint = Hint::Character;
            FieldType::U8
        }
        ("uint8", _) => FieldType::U8,
        ("sint8", _) => FieldType::I8,
        ("uint16", _) => FieldType::U16,
        ("sint16", _) => FieldType::I16,
        ("uint32", _) => FieldType::U32,
        ("sint32", _) => FieldType::I32,
        ("uint64", _) => FieldType::U64,
        ("sint64", _) => FieldType::I64,
        ("real32", _) => FieldType::F32,
        ("real64", _) => FieldType::F64,
        ("boolean", _) => FieldType::Bool32,
        _ => return None,
    };
    let count = match (property.array, size_field, size) {
        (None, ..) => Count::One,
        _ if is_run => Count::One,
        (_, Some(at), _) => Count::Field(at),
        (_, None, Some(n)) => Count::Fixed(n),
        (_, None, None) => Count::Rest,
    };
    let mut field = Field::named(property.name.clone(), ty).count(count).hint(hint);
    if field.ty.is_integer() {
        field.map = value_map(property).map(|map| MapRef::Shared(Arc::new(map)));
    }
    Some(field)
}

/// Names of values: `Values` or `BitValues`, whose numbers are in `ValueMap` or `BitMap`, or else count from 0.
fn value_map(property: &Property) -> Option<ValueMap> {
    let list = |name: &str| property.qualifiers.get(name).map(Vec::as_slice);
    let flag = first(&property.qualifiers, "valuetype").is_some_and(|v| v.eq_ignore_ascii_case("flag"));
    let (names, numbers, by_bit) = match list("bitvalues") {
        Some(names) => (names, list("bitmap"), true),
        None => (list("values").or_else(|| list("definevalues"))?, list("valuemap"), false),
    };
    let value = |index: usize| match numbers {
        // The numbers of `BitMap` are positions of bits.
        Some(numbers) if by_bit => 1u32.checked_shl(number(numbers.get(index)?)?),
        Some(numbers) => number(numbers.get(index)?),
        None if by_bit || flag => 1u32.checked_shl(u32::try_from(index).ok()?),
        None => u32::try_from(index).ok(),
    };
    let entries = names.iter().enumerate();
    let entries = entries.filter_map(|(index, name)| Some((value(index)?, name.clone().into()))).collect();
    Some(ValueMap::new(property.name.clone(), by_bit || flag, entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    /// Classes inherit over a bounded number of steps.
    #[test]
    fn issue_23_a_class_inherits_over_so_many_steps() {
        let guid = "{0ad614c4-0ef4-4225-8000-0123456789ab}";
        for (steps, is_known) in [(1, true), (MAX_ANCESTORS - 1, true), (MAX_ANCESTORS, false)] {
            let mut text = format!("[Guid(\"{guid}\")] class C0 : EventTrace {{ }};\n");
            for step in 1..=steps {
                let types = if step == steps { "[EventType(1)] " } else { "" };
                text.push_str(&format!("{types}class C{step} : C{} {{ }};\n", step - 1));
            }
            assert_eq!(parse(&text).is_ok_and(|mof| mof.classes.len() == 1), is_known, "{steps}");
        }
    }

    const TEXT: &str = r#"
#pragma classflags("forceupdate")
/* Two kinds of events. */
[Dynamic, Description("Shop" " floor") : amended, Guid("{0ad614c4-0ef4-4225-8000-0123456789ab}"), locale("MS\\0x409")]
class Shop : EventTrace { [Values{"a"}, ValueMap{"0x1"}] uint32 Flags; };
[Guid("{0ad614c4-0ef4-4225-8000-0123456789ac}"), EventVersion(2), DisplayName("Till") : amended]
class TillKind : Shop { };
[Dynamic, EventType{1, 2}, EventTypeName{"Open", "Close"} : amended]
class Till_V2 : TillKind
{
    [WmiDataId(2), format("w"), StringTermination("NullTerminated"), read] string Who; // sorted by id
    [WmiDataId(1), pointer] uint32 Where;
    [WmiDataId(3), Values{"Cash", "Card"}] uint8 How;
    [WmiDataId(4), ValueType("flag"), Values{"Red", "Blue"}, ValueMap{"1", "0x4"}] uint32 Bits;
    [WmiDataId(5), extension("Port")] object P;
    [WmiDataId(6), format("x")] uint16 Codes[2];
    [WmiDataId(7), format("c")] uint8 Tag[4];
    sint32 Unlogged = 5;
    [WmiDataId(1), Description("a ; b")] void Ring([in, id(0)] sint32 Times);
};
[EventType(10), EventTypeName("Odd")]
class Odd : TillKind { [WmiDataId(1)] uint8 A; [WmiDataId(2), extension("Variant")] object B; [WmiDataId(3)] uint8 C; };
[EventType(300)] class Far : TillKind {};
[EventType(1)] class Stray : Nowhere {};
"#;

    #[test]
    fn classes_become_layouts() {
        let mof = parse(TEXT).unwrap();
        assert_eq!(mof.classes.len(), 1);
        let till = &mof.classes[0];
        assert_eq!((&*till.name, till.events.len()), ("Shop", 3));
        let close = till.event(2, 2).unwrap();
        assert_eq!((&*close.task, &*close.opcode), ("Till", "Close"));
        let mut payload = vec![0, 0x10, 0, 0, 0, 0, 0, 0];
        payload.extend([b'J', 0, b'o', 0, 0, 0, 1, 5, 0, 0, 0, 0, 80, 1, 0, 0xff, 0, b't', b'a', b'g', 0]);
        let fields = Fields::new(&close.layout, &payload, 8);
        let shown: Vec<String> =
            fields.clone().map(|f| format!("{}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!(
            shown,
            ["Where=0x1000", "Who=Jo", "How=Card", "Bits=Red|Blue", "P=80", "Codes=[0x1, 0xff]", "Tag=tag"]
        );
        assert_eq!(fields.finish(), Ok(&[][..]));
    }

    #[test]
    fn issue_23_every_number_of_mof_has_its_type() {
        let types = [
            ("uint8", FieldType::U8),
            ("sint8", FieldType::I8),
            ("uint16", FieldType::U16),
            ("sint16", FieldType::I16),
            ("uint32", FieldType::U32),
            ("sint32", FieldType::I32),
            ("uint64", FieldType::U64),
            ("sint64", FieldType::I64),
            ("char16", FieldType::U16),
            ("real32", FieldType::F32),
            ("real64", FieldType::F64),
            ("boolean", FieldType::Bool32),
        ];
        let mut text =
            "[Guid(\"{0ad614c4-0ef4-4225-8000-0123456789ac}\")] class Kind : EventTrace {};\n".to_owned();
        text.push_str("[EventType(1)] class Numbers : Kind {\n");
        for (at, (word, _)) in (1..).zip(&types) {
            text.push_str(&format!("[WmiDataId({at})] {word} F{at};\n"));
        }
        text.push_str("};");
        let mof = parse(&text).unwrap();
        let layout = &mof.classes[0].event(1, 0).unwrap().layout;
        let found: Vec<_> = layout.fields.iter().map(|field| field.ty.clone()).collect();
        assert_eq!((found, mof.problems), (types.map(|(_, ty)| ty).to_vec(), vec![]));
    }

    /// Each qualifier that decides how a value is stored and shown. Directives and comments may be anywhere.
    #[test]
    fn issue_23_qualifiers_of_mof_decide_types_and_forms() {
        for (written, ty, hint) in [
            ("[WmiDataId(1), pointer] uint32", FieldType::Pointer, Hint::Address),
            ("[WmiDataId(1), pointer] uint64", FieldType::Pointer, Hint::Address),
            ("[WmiDataId(1), pointer, format(\"x\")] object", FieldType::Pointer, Hint::Address),
            ("[WmiDataId(1), extension(\"SizeT\")] uint32", FieldType::Pointer, Hint::None),
            ("[WmiDataId(1), extension(\"sizet\")] object", FieldType::Pointer, Hint::None),
            ("[WmiDataId(1), pointer] uint16", FieldType::U16, Hint::None),
            ("[WmiDataId(1), format(\"X\")] sint64", FieldType::I64, Hint::Hex),
            ("[WmiDataId(1), format(\"c\")] uint8", FieldType::U8, Hint::Character),
            ("[WmiDataId(1), format(\"s\")] char8", FieldType::U8, Hint::Character),
            ("[WmiDataId(1)] char16", FieldType::U16, Hint::Character),
            ("[WmiDataId(1), extension(\"Port\")] object", FieldType::Port, Hint::None),
            ("[WmiDataId(1), extension(\"IPAddr\")] object", FieldType::Ipv4, Hint::None),
            ("[WmiDataId(1), extension(\"IPAddrV4\")] uint32", FieldType::Ipv4, Hint::None),
            ("[WmiDataId(1), extension(\"IPAddrV6\")] object", FieldType::Ipv6, Hint::None),
            ("[WmiDataId(1), extension(\"Guid\")] object", FieldType::Guid, Hint::None),
            ("[WmiDataId(1), extension(\"Sid\")] object", FieldType::TokenUser, Hint::None),
            ("[WmiDataId(1), extension(\"WmiTime\")] object", FieldType::U64, Hint::TraceTime),
            ("[WmiDataId(1), extension(\"RString\")] object", FieldType::Ansi(Length::Nul), Hint::None),
            ("[WmiDataId(1), extension(\"RWString\")] object", FieldType::Utf16(Length::Nul), Hint::None),
            ("[WmiDataId(1)] string", FieldType::Ansi(Length::Nul), Hint::None),
            (
                "[WmiDataId(1), StringTermination(\"NotCounted\")] string",
                FieldType::Ansi(Length::Rest),
                Hint::None,
            ),
        ] {
            let text = format!(
                "#pragma autorecover\n[Guid(\"{{0ad614c4-0ef4-4225-8000-0123456789ac}}\")] class Kind : EventTrace {{}};\n\
                 #pragma namespace(\"a\")\n[EventType(1)] class One : Kind {{\n  # one more\n{written} F; // last\n}};\n#end"
            );
            let mof = parse(&text).unwrap();
            let layout = &mof.classes[0].event(1, 0).unwrap().layout;
            let found: Vec<_> = layout.fields.iter().map(|field| (field.ty.clone(), field.hint)).collect();
            assert_eq!((found, mof.problems), (vec![(ty, hint)], vec![]), "{written}");
        }
        // The line of a problem counts those of directives.
        let text = "[EventType(1)] class Stray : Nowhere {};";
        let mof = parse(&format!("#pragma one #\n/* a\n */ #two\n{TEXT}{text}")).unwrap();
        assert_eq!(mof.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [25, 26, 27, 28]);
    }

    /// Names without numbers count from 0; those of flags are bits.
    #[test]
    fn issue_23_names_without_numbers_are_counted() {
        let text = r#"
[Guid("{0ad614c4-0ef4-4225-8000-0123456789ac}")] class Kind : EventTrace {};
[EventType(1)] class Names : Kind {
    [WmiDataId(1), ValueType("flag"), Values{"One", "Two", "Four"}] uint32 Flags;
    [WmiDataId(2), Values{"None", "Some", "All"}] uint32 Count;
    [WmiDataId(3), BitValues{"A", "B", "C"}] uint32 Bits;
    [WmiDataId(4), BitValues{"D", "E"}, BitMap{"3", "1"}] uint32 Map;
};"#;
        let mof = parse(text).unwrap();
        let layout = &mof.classes[0].event(1, 0).unwrap().layout;
        let payload = [6_u32, 2, 5, 8].map(u32::to_le_bytes).concat();
        let fields = Fields::new(layout, &payload, 8);
        let shown: Vec<String> = fields.map(|f| f.value.display(f.field).to_string()).collect();
        assert_eq!(shown, ["Two|Four", "All", "A|C", "D"]);
    }

    /// Issue 3: of reversed counts only the first byte counts most.
    #[test]
    fn texts_have_their_size_in_front() {
        let text = r#"
[Guid("{0ad614c4-0ef4-4225-8000-0123456789ac}")] class Kind : EventTrace {};
[EventType(1)] class Texts : Kind {
    [WmiDataId(1), format("w"), StringTermination("Counted")] string A;
    [WmiDataId(2), format("w"), StringTermination("ReverseCounted")] string B;
    [WmiDataId(3), StringTermination("ReverseCounted")] string C;
    [WmiDataId(4)] uint8 D;
};"#;
        let mof = parse(text).unwrap();
        let layout = &mof.classes[0].event(1, 0).unwrap().layout;
        let payload = [2, 0, b'a', 0, 0, 4, b'b', 0, b'c', 0, 0, 1, b'd', 5];
        let fields = Fields::new(layout, &payload, 8);
        let shown: Vec<String> = fields.map(|f| f.value.display(f.field).to_string()).collect();
        assert_eq!((shown, mof.problems), (["a", "bc", "d", "5"].map(str::to_owned).to_vec(), vec![]));
    }

    #[test]
    fn what_cannot_be_used_is_reported_and_fields_stop_there() {
        let mof = parse(TEXT).unwrap();
        let odd = mof.classes[0].event(10, 2).unwrap();
        assert_eq!(odd.layout.fields.len(), 1);
        let told: Vec<String> = mof.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 22: `object B` cannot be read, nor what follows it",
                "line 23: `300` is no event type",
                "line 24: no class above `Stray` has a GUID"
            ]
        );
        assert_eq!(parse("class A : B {").unwrap_err(), MofError::NoEvents);
    }

    #[test]
    fn no_part_of_a_text_makes_it_panic() {
        let mut read = 0;
        for at in (0..TEXT.len()).filter(|at| TEXT.is_char_boundary(*at)) {
            read += usize::from(parse(&TEXT[..at]).is_ok());
            let without = format!("{}{}", &TEXT[..at], TEXT.get(at + 7..).unwrap_or_default());
            read += usize::from(parse(&without).is_ok());
        }
        assert!(read > TEXT.len() / 2);
        let circle = r#"[EventType(1)] class A : B {}; class B : A {};"#;
        assert!(parse(circle).is_err());
    }

    /// Only the word `class`, in any case, begins a class. Other declarations are passed over, and a class that cannot be read is
    /// reported with its line.
    #[test]
    fn issue_23_declarations_other_than_classes_are_passed_over() {
        const HEAD: &str = "[Guid(\"{0ad614c4-0ef4-4225-8000-0123456789ac}\")] class Kind : EventTrace {};\n";
        const TILL: &str = "[EventType(1)] CLASS Till : Kind { [WmiDataId(1)] uint8 A; };\n";
        // (text after the first line, classes with events, lines with problems)
        let table: [(&str, usize, &[u32]); 9] = [
            ("", 0, &[]),
            (TILL, 1, &[]),
            ("instance of Till { A = 1; };\n", 0, &[]),
            ("instance of Till as $x { A = 1; Name = \"class\"; };\n", 0, &[]),
            ("Qualifier WmiDataId : sint32 = 0, Scope(property);\n", 0, &[]),
            ("Classes Odd : Kind { };\n", 0, &[]),
            ("class Odd Kind { };\n", 0, &[2]),
            ("\n\nclass 'Odd' : Kind { };\n", 0, &[4]),
            ("\nclass", 0, &[3]),
        ];
        for (text, classes, lines) in table {
            for more in ["", TILL] {
                if text.ends_with("class") && !more.is_empty() {
                    continue;
                }
                let mof = parse(&format!("{HEAD}{text}{more}"));
                match mof {
                    Ok(mof) => {
                        let found: Vec<u32> = mof.problems.iter().map(|problem| problem.line).collect();
                        assert_eq!(found, lines, "{text} {more}");
                        assert_eq!(
                            mof.classes.len(),
                            (classes + usize::from(!more.is_empty())).min(1),
                            "{text} {more}"
                        );
                    }
                    Err(_) => assert!(classes == 0 && more.is_empty(), "{text} {more}"),
                }
            }
        }
    }
}
