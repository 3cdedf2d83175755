//! Finds structs that the collections misread.
//!
//! Such collections are made with the Windows functions that describe events (TDH). For a struct these return the number of its
//! first member in the place of the type; members are numbered after the fields of the event. So the first struct of an event
//! with five fields has the number 5, which is also that of `Int16`, and the collections report that type. `rcBounds` of
//! Win32k's event 53 is an example, as a real trace with its own descriptions shows.

use std::collections::HashMap;

use tracewell_schema::{FieldType, Length};

use super::events::bare;

/// The numbers of types that few fields have (`Int8`, `Int16`, `Int64`, `Float`, `Double`, `SYSTEMTIME`, and texts with
/// a length): a struct is more likely.
const UNUSUAL: [usize; 8] = [3, 5, 9, 11, 12, 18, 22, 23];

/// The types that a provider's fields have, by name: number of the type, and how many fields there are in the event.
#[derive(Default)]
pub(super) struct Structs(HashMap<String, Vec<(usize, usize)>>);

impl Structs {
    /// Notes the fields of an event with their types, in the words of either collection.
    pub(super) fn add<'f>(&mut self, fields: impl ExactSizeIterator<Item = (&'f str, &'f str)>) {
        let count = fields.len();
        for (name, ty) in fields {
            if let Some(number) = number(ty) {
                self.0.entry(bare(name)).or_default().push((number, count));
            }
        }
    }

    /// Returns `true` if a field of an event with `count` fields is probably a struct: its type is the number of fields,
    /// and either changes with that number, or is an unusual type that the field has only in this event.
    pub(super) fn is_one(&self, name: &str, ty: &str, count: usize) -> bool {
        if number(ty) != Some(count) {
            return false;
        }
        let elsewhere =
            || self.0.get(&bare(name)).into_iter().flatten().filter(|(_, fields)| *fields != count);
        if elsewhere().any(|(number, _)| *number == count) {
            return false;
        }
        UNUSUAL.contains(&count) || elsewhere().any(|(number, fields)| number == fields)
    }
}

/// The number that TDH has for how a field is stored.
pub(super) fn number_of(ty: &FieldType) -> Option<usize> {
    Some(match ty {
        FieldType::Utf16(Length::Prefixed) => 22,
        FieldType::Ansi(Length::Prefixed) => 23,
        FieldType::Utf16(_) => 1,
        FieldType::Ansi(_) => 2,
        FieldType::I8 => 3,
        FieldType::U8 | FieldType::Bool8 => 4,
        FieldType::I16 => 5,
        FieldType::U16 | FieldType::Port => 6,
        FieldType::I32 => 7,
        FieldType::U32 | FieldType::Ipv4 => 8,
        FieldType::I64 => 9,
        FieldType::U64 => 10,
        FieldType::F32 => 11,
        FieldType::F64 => 12,
        FieldType::Bool32 => 13,
        FieldType::Binary(_) | FieldType::Ipv6 => 14,
        FieldType::Guid => 15,
        FieldType::Pointer => 16,
        FieldType::FileTime => 17,
        FieldType::SystemTime => 18,
        FieldType::Sid => 19,
        _ => return None,
    })
}

/// The number that TDH has for a type, of a type or a form that only one has.
fn number(ty: &str) -> Option<usize> {
    const NUMBERS: [(&str, usize); 30] = [
        ("UnicodeString", 1),
        ("AnsiString", 2),
        ("Int8", 3),
        ("Int8sl", 3),
        ("UInt8", 4),
        ("Int16", 5),
        ("Int16sl", 5),
        ("UInt16", 6),
        ("Int16ul", 6),
        ("Int32", 7),
        ("Int32sl", 7),
        ("UInt32", 8),
        ("Int64", 9),
        ("Int64sl", 9),
        ("UInt64", 10),
        ("Float", 11),
        ("Float32l", 11),
        ("Double", 12),
        ("Boolean", 13),
        ("Binary", 14),
        ("GUID", 15),
        ("Guid", 15),
        ("Pointer", 16),
        ("FILETIME", 17),
        ("SYSTEMTIME", 18),
        ("SystemTime", 18),
        ("SID", 19),
        ("HexInt32", 20),
        ("HexInt64", 21),
        ("CountedUtf16String", 22),
    ];
    NUMBERS.iter().find(|(known, _)| *known == ty).map(|(_, number)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_recognized_by_the_number_of_fields() {
        let mut structs = Structs::default();
        let three = [("Controller", "Int8"), ("Port", "UInt16"), ("Status", "UInt32")];
        let six = [
            ("Controller", "UInt16"),
            ("Port", "UInt16"),
            ("A", "Int8"),
            ("B", "GUID"),
            ("C", "SID"),
            ("D", "SID"),
        ];
        structs.add(three.into_iter());
        structs.add(six.into_iter());
        assert!(structs.is_one("Controller", "Int8", 3), "an unusual type");
        assert!(structs.is_one("Controller", "UInt16", 6), "its type changes with the number of fields");
        assert!(!structs.is_one("Port", "UInt16", 6), "it has this type elsewhere");
        assert!(!structs.is_one("A", "Int8", 6));
        structs.add([("Controller", "Int8"), ("x", "SID")].into_iter());
        assert!(!structs.is_one("Controller", "Int8", 3), "it is one byte where there are two fields");
    }
}
