//! Compiled MOF: what `mofcomp -B` writes, and the `MOFDATA` resource of a driver.
//!
//! A file is `FOMB`, the kind of compression (1), the compressed and the expanded size, and a `DS` stream
//! (`doublespace`). What it expands to begins with `FOMB` again, its size, two ones and the number of objects.
//! All numbers are of 32 bits, all text is UTF-16 with a terminator, and everything begins with its own size:
//!
//! * an object: size, the places of its qualifiers, properties and methods, 0 for a class;
//! * a list of qualifiers or properties: size, count, elements;
//! * a qualifier: size, type, the places of name and value;
//! * a property: size, type, the places of name, value and qualifiers.
//!
//! Offsets count from the end of these numbers; all bits set means that a part is missing. Types are those of OLE,
//! with 0x2000 added for arrays, whose value is its size, 1, the count, the size of the elements and the elements.
//! A class has its name and that of its base as values of the properties `__CLASS` and `__SUPERCLASS`, and a
//! property the name of its type in its qualifier `CIMTYPE`. A table of flavours follows the objects; it is not
//! needed here.
//!
//! The format was derived from the compiler's output for small texts.

use std::collections::HashMap;
use std::fmt;

use tracewell_types::Utf16Str;

use super::doublespace::{self, ExpandError};
use super::{Class, Mof, Property, Qualifiers, problem};
use crate::manifest::ManifestProblem;

/// The first bytes of compiled MOF, compressed and expanded.
pub(crate) const MARK: &[u8; 4] = b"FOMB";

/// Why compiled MOF gives no classes with events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinaryMofError {
    /// It is not compiled MOF, or of an unknown version.
    NoMof,
    /// The compressed part is damaged after this many expanded bytes.
    Compressed(usize),
    /// The object at this offset of the expanded block is cut off or refers outside itself.
    Damaged(usize),
    /// No class has both a GUID and event types.
    NoEvents,
}

impl fmt::Display for BinaryMofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryMofError::NoMof => f.write_str("this is no compiled MOF"),
            BinaryMofError::Compressed(at) => {
                write!(f, "the compiled MOF is damaged after {at} expanded bytes")
            }
            BinaryMofError::Damaged(at) => {
                write!(f, "the compiled MOF is damaged in the object at byte {at}")
            }
            BinaryMofError::NoEvents => f.write_str("the compiled MOF declares no events"),
        }
    }
}

impl std::error::Error for BinaryMofError {}

/// Largest expanded block.
const MAX_SIZE: usize = 16 << 20;

/// Reads compiled MOF.
///
/// # Errors
///
/// When it is damaged or declares no events. Single classes that cannot be used are [problems](Mof::problems)
/// instead, whose line is the offset of the class in the expanded block.
pub fn parse_binary(bytes: &[u8]) -> Result<Mof, BinaryMofError> {
    let mut problems = Vec::new();
    let classes = classes(&expand(bytes)?, &mut problems)?;
    let found = super::providers(&classes, &mut problems);
    if found.is_empty() { Err(BinaryMofError::NoEvents) } else { Ok(Mof { classes: found, problems }) }
}

fn expand(bytes: &[u8]) -> Result<Vec<u8>, BinaryMofError> {
    const COMPRESSED: u32 = 1;
    let no = BinaryMofError::NoMof;
    let mut head = Numbers(bytes.strip_prefix(MARK).ok_or(no)?);
    let [kind, packed, size] = head.take().ok_or(no)?;
    let (packed, size) = (packed as usize, size as usize);
    if kind != COMPRESSED || size > MAX_SIZE {
        return Err(no);
    }
    let stream = head.0.get(..packed).unwrap_or(head.0);
    doublespace::expand(stream, size).map_err(|error| match error {
        ExpandError::NoStream => no,
        ExpandError::Damaged(at) => BinaryMofError::Compressed(at),
    })
}

/// The numbers and elements at the beginning of some bytes.
struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            let (bytes, rest) = self.0.split_first_chunk()?;
            *number = u32::from_le_bytes(*bytes);
            self.0 = rest;
        }
        Some(numbers)
    }

    /// The next element: it begins with its size, which counts itself.
    fn element(&mut self) -> Option<Numbers<'a>> {
        let size = u32::from_le_bytes(*self.0.first_chunk()?) as usize;
        if size < 4 {
            return None;
        }
        let (element, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(Numbers(element.get(4..)?))
    }

    /// What lies at a place of an element whose numbers are taken.
    fn at(&self, place: u32) -> Option<Numbers<'a>> {
        self.0.get(place as usize..).map(Numbers)
    }

    /// The same for a list, which may be nowhere: its elements.
    fn list(&self, place: u32) -> Option<Vec<Numbers<'a>>> {
        const NOWHERE: u32 = u32::MAX;
        if place == NOWHERE {
            return Some(Vec::new());
        }
        let mut list = self.at(place)?;
        let [_, count] = list.take()?;
        (0..count).map(|_| list.element()).collect()
    }

    fn text(&self, place: u32) -> Option<String> {
        Some(Utf16Str::until_nul(self.at(place)?.0).0.to_string())
    }
}

const ARRAY: u32 = 0x2000;
const BOOLEAN: u32 = 11;

fn classes(block: &[u8], problems: &mut Vec<ManifestProblem>) -> Result<Vec<Class>, BinaryMofError> {
    let no = BinaryMofError::NoMof;
    let mut objects = Numbers(block.strip_prefix(MARK).ok_or(no)?);
    let [_, _, _, count] = objects.take().ok_or(no)?;
    let mut classes: Vec<Class> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for _ in 0..count {
        let at = block.len() - objects.0.len();
        let object = objects.element().ok_or(BinaryMofError::Damaged(at))?;
        match class(object, at) {
            Some(Some(class)) => {
                let place = *by_name.entry(class.name.to_ascii_lowercase()).or_insert(classes.len());
                match classes.get_mut(place) {
                    // The texts of a language come as a second class of the same name.
                    Some(known) => known.amend(class),
                    None => classes.push(class),
                }
            }
            Some(None) => {}
            None => problem(problems, at as u32, "a class that cannot be read".to_owned()),
        }
    }
    Ok(classes)
}

/// The class in an object; `None` in it when the object is none.
fn class(mut object: Numbers<'_>, at: usize) -> Option<Option<Class>> {
    const CLASS: u32 = 0;
    let [qualifiers_at, properties_at, _, kind] = object.take()?;
    if kind != CLASS {
        return Some(None);
    }
    let line = at as u32;
    let qualifiers = read_qualifiers(object.list(qualifiers_at)?)?;
    let mut class =
        Class { name: String::new(), base: String::new(), qualifiers, properties: Vec::new(), line };
    for mut property in object.list(properties_at)? {
        let [ty, name, value, qualifiers_at] = property.take()?;
        let name = property.text(name)?;
        match name.as_str() {
            "__CLASS" => class.name = property.text(value)?,
            "__SUPERCLASS" => class.base = property.text(value)?,
            system if system.starts_with("__") => {}
            _ => {
                let qualifiers = read_qualifiers(property.list(qualifiers_at)?)?;
                let named = super::first(&qualifiers, "cimtype").map(str::to_owned);
                // The name of a class follows `object` and `ref`.
                let bare = named.as_deref().and_then(|name| name.split(':').next());
                let array = (ty & ARRAY != 0).then_some(None);
                let ty = bare.unwrap_or_else(|| type_name(ty)).to_owned();
                class.properties.push(Property { ty, name, array, qualifiers, line });
            }
        }
    }
    Some(Some(class))
}

impl Class {
    /// Adds the qualifiers that this class does not have.
    fn amend(&mut self, other: Class) {
        let add = |to: &mut Qualifiers, from: Qualifiers| {
            for (name, values) in from {
                to.entry(name).or_insert(values);
            }
        };
        add(&mut self.qualifiers, other.qualifiers);
        let mut places: HashMap<String, usize> = HashMap::new();
        for (place, property) in self.properties.iter().enumerate() {
            places.entry(property.name.to_ascii_lowercase()).or_insert(place);
        }
        for property in other.properties {
            let place = places.get(&property.name.to_ascii_lowercase());
            if let Some(known) = place.and_then(|place| self.properties.get_mut(*place)) {
                add(&mut known.qualifiers, property.qualifiers);
            }
        }
    }
}

fn read_qualifiers(list: Vec<Numbers<'_>>) -> Option<Qualifiers> {
    let mut qualifiers = Qualifiers::new();
    for mut qualifier in list {
        let [ty, name, value] = qualifier.take()?;
        let name = qualifier.text(name)?.to_ascii_lowercase();
        let values = values(ty, qualifier.at(value)?)?;
        // One that is false is as good as none.
        if ty != BOOLEAN || values.first().is_some_and(|value| value != "0") {
            qualifiers.insert(name, values);
        }
    }
    Some(qualifiers)
}

/// The values of a qualifier as text.
fn values(ty: u32, mut value: Numbers<'_>) -> Option<Vec<String>> {
    let one = ty & !ARRAY;
    let mut count = 1;
    if ty & ARRAY != 0 {
        [_, _, count, _] = value.take()?;
    }
    let mut values = Vec::new();
    for _ in 0..count {
        // Arrays of what has no size here would go on for as long as they claim.
        let size = match one {
            2 | BOOLEAN | 18 => 2,
            3 | 4 | 19 => 4,
            5 | 20 | 21 => 8,
            16 | 17 => 1,
            8 => {
                let (text, used) = Utf16Str::until_nul(value.0);
                if used == 0 {
                    return None;
                }
                values.push(text.to_string());
                value = value.at(u32::try_from(used).ok()?)?;
                continue;
            }
            _ => return Some(values),
        };
        let (bytes, rest) = value.0.split_at_checked(size)?;
        value = Numbers(rest);
        let number = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        values.push(number.to_string());
    }
    Some(values)
}

/// The name of a type in MOF text.
fn type_name(ty: u32) -> &'static str {
    match ty & !ARRAY {
        2 => "sint16",
        3 => "sint32",
        4 => "real32",
        5 => "real64",
        8 => "string",
        BOOLEAN => "boolean",
        16 => "sint8",
        17 => "uint8",
        18 => "uint16",
        19 => "uint32",
        20 => "sint64",
        21 => "uint64",
        101 => "datetime",
        103 => "char16",
        _ => "object",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Fields;

    /// Builds compiled MOF.
    #[derive(Clone, Debug)]
    pub(crate) enum Data<'t> {
        True,
        Number(u32),
        Text(&'t str),
        Numbers(&'t [u32]),
        Texts(&'t [&'t str]),
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect()
    }

    fn numbers(numbers: &[usize]) -> Vec<u8> {
        numbers.iter().flat_map(|n| (*n as u32).to_le_bytes()).collect()
    }

    fn element(head: &[usize], parts: &[&[u8]]) -> Vec<u8> {
        let body = [numbers(head), parts.concat()].concat();
        [numbers(&[body.len() + 4]), body].concat()
    }

    fn list(elements: &[Vec<u8>]) -> Vec<u8> {
        let body = [numbers(&[elements.len()]), elements.concat()].concat();
        [numbers(&[body.len() + 4]), body].concat()
    }

    fn array(count: usize, elements: &[u8]) -> Vec<u8> {
        [numbers(&[elements.len() + 16, 1, count, elements.len() + 4]), elements.to_vec()].concat()
    }

    fn qualifier(name: &str, data: &Data<'_>) -> Vec<u8> {
        let (ty, value) = match data {
            Data::True => (11, vec![0xFF, 0xFF]),
            Data::Number(number) => (3, number.to_le_bytes().to_vec()),
            Data::Text(text) => (8, utf16(text)),
            Data::Numbers(list) => {
                let bytes: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
                (0x2003, array(list.len(), &bytes))
            }
            Data::Texts(list) => {
                let bytes: Vec<u8> = list.iter().flat_map(|t| utf16(t)).collect();
                (0x2008, array(list.len(), &bytes))
            }
        };
        let name = utf16(name);
        element(&[ty, 0, name.len()], &[&name, &value])
    }

    fn property(name: &str, ty: usize, value: Option<&str>, qualifiers: &[Vec<u8>]) -> Vec<u8> {
        let (name, value) = (utf16(name), value.map(utf16));
        let end = name.len() + value.as_ref().map_or(0, Vec::len);
        let value_at = if value.is_some() { name.len() } else { u32::MAX as usize };
        element(&[ty, 0, value_at, end], &[&name, value.as_deref().unwrap_or_default(), &list(qualifiers)])
    }

    type Named<'t> = (&'t str, Data<'t>);

    fn object(
        name: &str,
        base: &str,
        qualifiers: &[Named<'_>],
        properties: &[(&str, usize, &[Named<'_>])],
    ) -> Vec<u8> {
        let all = |named: &[Named<'_>]| -> Vec<Vec<u8>> {
            named.iter().map(|(name, data)| qualifier(name, data)).collect()
        };
        let mut members: Vec<Vec<u8>> =
            properties.iter().map(|(name, ty, named)| property(name, *ty, None, &all(named))).collect();
        members.push(property("__CLASS", 8, Some(name), &[]));
        if !base.is_empty() {
            members.push(property("__SUPERCLASS", 8, Some(base), &[]));
        }
        let (first, second) = (list(&all(qualifiers)), list(&members));
        let end = first.len() + second.len();
        element(&[0, first.len(), end, 0], &[&first, &second, &list(&[])])
    }

    /// The shop of the text's tests, as the compiler would have it.
    pub(crate) fn shop() -> Vec<u8> {
        use Data::{Number, Numbers, Text, Texts, True};
        let objects = [
            object(
                "Till",
                "EventTrace",
                &[("Guid", Text("{0ad614c4-0ef4-4225-8000-0123456789ac}")), ("EventVersion", Number(2))],
                &[("Flags", 0x13, &[("CIMTYPE", Text("uint32"))])],
            ),
            object(
                "Till_V2",
                "Till",
                &[("Dynamic", True), ("EventType", Numbers(&[1, 2]))],
                &[
                    (
                        "Who",
                        8,
                        &[("WmiDataId", Number(2)), ("format", Text("w")), ("CIMTYPE", Text("string"))],
                    ),
                    ("Where", 3, &[("WmiDataId", Number(1)), ("pointer", True), ("CIMTYPE", Text("uint32"))]),
                    ("How", 17, &[("WmiDataId", Number(3)), ("Values", Texts(&["Cash", "Card"]))]),
                    (
                        "Codes",
                        0x2003,
                        &[("WmiDataId", Number(4)), ("MAX", Number(2)), ("CIMTYPE", Text("uint16"))],
                    ),
                    ("P", 13, &[("WmiDataId", Number(5)), ("extension", Text("Port"))]),
                ],
            ),
            // The same class with texts of a language.
            object("Till_V2", "", &[("EventTypeName", Texts(&["Open", "Close"]))], &[]),
            element(&[0, 0, 0, 1], &[b"an instance"]),
        ];
        let body = [numbers(&[1, 1, objects.len()]), objects.concat()].concat();
        [&MARK[..], &numbers(&[body.len() + 8]), &body, b"BMOFQUALFLAVOR11\0\0\0\0"].concat()
    }

    pub(crate) fn compiled(block: &[u8]) -> Vec<u8> {
        let stream = doublespace::compress(block);
        [&MARK[..], &numbers(&[1, stream.len(), block.len()]), &stream].concat()
    }

    #[test]
    fn compiled_classes_become_layouts() {
        let mof = parse_binary(&compiled(&shop())).unwrap();
        assert_eq!((mof.classes.len(), mof.problems.len()), (1, 0));
        let till = &mof.classes[0];
        assert_eq!((&*till.name, till.events.len()), ("Till", 2));
        let close = till.event(2, 2).unwrap();
        assert_eq!((&*close.task, &*close.opcode), ("Till", "Close"));
        let mut payload = vec![0, 0x10, 0, 0, 0, 0, 0, 0];
        payload.extend([b'J', 0, b'o', 0, 0, 0, 1, 7, 0, 9, 0, 0, 80]);
        let fields = Fields::new(&close.layout, &payload, 8);
        let shown: Vec<String> =
            fields.clone().map(|f| format!("{}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!(shown, ["Where=0x1000", "Who=Jo", "How=Card", "Codes=[7, 9]", "P=80"]);
        assert_eq!(fields.finish(), Ok(&[][..]));
    }

    #[test]
    fn damage_is_reported_and_never_a_panic() {
        let (block, whole) = (shop(), compiled(&shop()));
        for cut in 0..whole.len() {
            let _ = parse_binary(&whole[..cut]);
        }
        assert_eq!(parse_binary(b"FOMA").unwrap_err(), BinaryMofError::NoMof);
        assert!(matches!(parse_binary(&whole[..200]), Err(BinaryMofError::Compressed(_))));
        let (mut read, mut reported) = (0, 0);
        for at in 20..block.len() {
            let mut bad = block.clone();
            bad[at] ^= 0xFF;
            let mut problems = Vec::new();
            match classes(&bad, &mut problems) {
                Ok(classes) => {
                    let _ = super::super::providers(&classes, &mut problems);
                    reported += problems.len();
                    read += 1;
                }
                Err(error) => assert!(matches!(error, BinaryMofError::Damaged(_)), "{at}"),
            }
        }
        assert!(read > block.len() / 2 && reported > 0, "{read} {reported}");
    }

    /// A qualifier that is false is as good as none.
    #[test]
    fn issue_23_false_qualifiers_do_not_count() {
        let block = shop();
        let pointer = [utf16("pointer"), vec![0xFF, 0xFF]].concat();
        let at = block.windows(pointer.len()).position(|part| part == pointer).unwrap() + pointer.len() - 2;
        let mut without = block.clone();
        without[at..at + 2].fill(0);
        let types = |block: &[u8]| -> Vec<_> {
            let mof = parse_binary(&compiled(block)).unwrap();
            let layout = &mof.classes[0].event(1, 2).unwrap().layout;
            layout.fields.iter().map(|field| field.ty.clone()).collect()
        };
        let (with, without) = (types(&block), types(&without));
        assert_ne!(with[0], without[0]);
        assert_eq!(with[1..], without[1..]);
        // Any other number than 0 is true.
        let mut one = block;
        one[at..at + 2].copy_from_slice(&[0, 1]);
        assert_eq!(types(&one), with);
    }
}
