//! The names of field values: in maps, and of error codes.

use tracewell_schema::{Field, FieldType, Hint, ValueMap, codes};

/// Returns the number with this name among the values of a field, ignoring ASCII case. For sets of bits the text may be
/// several names separated by `|`.
#[must_use]
pub fn number(field: &Field, text: &str) -> Option<u64> {
    let mapped = field.map.as_ref().and_then(|map| of_map(map.get(), text));
    mapped.or_else(|| codes::code(field.hint, text).map(u64::from))
}

/// Returns `true` if the values of a field are codes of errors, whose names `codes` has.
#[must_use]
pub fn is_code(hint: Hint) -> bool {
    matches!(hint, Hint::NtStatus | Hint::HResult | Hint::Win32Error)
}

/// All names of such codes.
pub fn names_of(hint: Hint) -> impl Iterator<Item = &'static str> {
    codes::all_names(hint)
}

/// Calls `each` with the names that the map of a field has.
pub fn each_of_map(field: &Field, each: &mut dyn FnMut(&str)) {
    for (_, name) in field.map.iter().flat_map(|map| map.get().entries.iter()) {
        each(name);
    }
}

/// Returns `true` if a text that is not a number can be the displayed form of a value of the field.
#[must_use]
pub fn may_be(field: &Field, text: &str) -> bool {
    let is_integer = matches!(
        field.ty,
        FieldType::I8
            | FieldType::U8
            | FieldType::I16
            | FieldType::U16
            | FieldType::I32
            | FieldType::U32
            | FieldType::I64
            | FieldType::U64
            | FieldType::Pointer
            | FieldType::Port
    );
    if !is_integer || matches!(field.hint, Hint::Boolean | Hint::Character) {
        return true;
    }
    // A code is shown behind its number.
    let last = text.rsplit(' ').next().unwrap_or(text);
    number(field, text).is_some() || (is_code(field.hint) && codes::code(field.hint, last).is_some())
}

fn of_map(map: &ValueMap, text: &str) -> Option<u64> {
    let entry = |name: &str| {
        let found = map.entries.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|(value, _)| u64::from(*value))
    };
    entry(text).or_else(|| joined(text, entry).filter(|_| map.bits))
}

/// Combines the bits of several names: `Paid|Sent|0x8`.
#[must_use]
pub fn joined(text: &str, bits_of: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let bits = |name: &str| {
        let hexadecimal = || u64::from_str_radix(name.strip_prefix("0x")?, 16).ok();
        bits_of(name).or_else(hexadecimal)
    };
    text.split('|').try_fold(0, |all, name| Some(all | bits(name.trim())?))
}

#[cfg(test)]
mod tests {
    use tracewell_schema::MapRef;

    use super::*;

    #[test]
    fn values_are_found_by_their_names() {
        let map = |bits| {
            let entries = vec![(1, "Paid".into()), (2, "Sent".into())];
            MapRef::Shared(ValueMap::new("M".into(), bits, entries).into())
        };
        let field = |bits| Field { map: Some(map(bits)), ..Field::new("f", FieldType::U32) };
        assert_eq!(number(&field(true), "paid|SENT|0x8"), Some(11));
        assert_eq!((number(&field(false), "Paid|Sent"), number(&field(false), "sent")), (None, Some(2)));
        let status = Field::new("s", FieldType::U32).hint(Hint::NtStatus);
        assert_eq!(number(&status, "status_object_name_not_found"), Some(0xC000_0034));
        assert!(may_be(&status, "0xc0000034 STATUS_OBJECT_NAME_NOT_FOUND"));
        assert!(!may_be(&status, "STATUS_OBJECT_NAME_NOTFOUND"));
        assert!(
            may_be(&Field::new("t", FieldType::F64), "x") && !may_be(&Field::new("n", FieldType::U16), "x")
        );
    }
}
