//! Combines the descriptions of one layout from two collections and from manifests.

use tracewell_schema::{Count, Field, FieldType, Hint, Length};

use super::etl_parser::{self, Form};
use super::events::bare;
use super::structs::{self, Structs};

/// A layout before anyone was asked about it.
#[derive(Default)]
pub(super) struct Drafts {
    pub(super) fields: Vec<Draft>,
    /// Whether these are all the fields that a collection has.
    pub(super) whole: bool,
}

/// A field, with all readings that the collections allow.
pub(super) struct Draft {
    name: String,
    /// The ways to read it, the likeliest first.
    readings: Vec<(FieldType, Hint)>,
    /// Whether the first reading is certain without a manifest to confirm it.
    sure: bool,
}

/// The fields up to the first one that the collections describe incompletely or differently.
pub(super) fn drafts(
    named: Option<&[(String, String)]>,
    sized: Option<&[etl_parser::Field]>,
    structs: &Structs,
) -> Drafts {
    let mut drafts = Drafts { fields: Vec::new(), whole: true };
    let count = named.map_or(0, <[_]>::len).max(sized.map_or(0, <[_]>::len));
    for at in 0..count {
        let draft = match (named, sized) {
            (Some(named), Some(sized)) => match (named.get(at), sized.get(at)) {
                (Some((name, ty)), Some(field)) if bare(name) == bare(&field.name) => {
                    both(name, ty, &field.form, &drafts.fields)
                }
                _ => None,
            },
            (Some(named), None) => named.get(at).and_then(|(name, ty)| typed(name, ty)),
            (None, Some(sized)) => sized.get(at).and_then(|field| by_form(field, &drafts.fields)),
            (None, None) => None,
        };
        let one =
            named.and_then(|named| named.get(at)).is_some_and(|(name, ty)| structs.is_one(name, ty, count))
                || sized
                    .and_then(|sized| sized.get(at))
                    .is_some_and(|field| structs.is_one(&field.name, field.form.word(), count));
        let Some(draft) = draft.filter(|_| !one) else {
            drafts.whole = false;
            break;
        };
        drafts.fields.push(draft);
    }
    drafts
}

/// The certain part of the layout. The `registered` layouts of this version contribute no fields. They select among the readings
/// of a field, say which field counts an array, end the layout before a field that they describe differently, and show which
/// fields were added later.
pub(super) fn settle(drafts: &Drafts, registered: &[Vec<Field>]) -> Vec<Field> {
    let mut fields = Vec::new();
    for (at, draft) in drafts.fields.iter().enumerate() {
        let others: Vec<(&Field, usize)> =
            registered.iter().filter_map(|layout| Some((layout.get(at)?, layout.len()))).collect();
        let (reading, count) = match others.first() {
            None => (draft.readings.first().filter(|_| draft.sure), Count::One),
            Some((first, _)) => {
                let is_told = |(ty, _): &&(FieldType, Hint)| {
                    others.iter().all(|(other, _)| is_stored_as(other, ty) && other.count == first.count)
                };
                // Neither collection contains counts. An array whose type equals the number of fields is an array of
                // structs.
                let known = first.count == Count::One
                    || others.iter().all(|(other, fields)| structs::number_of(&other.ty) != Some(*fields));
                (draft.readings.iter().find(is_told).filter(|_| known), first.count)
            }
        };
        let Some((ty, hint)) = reading else { break };
        let mut field = Field::named(draft.name.clone(), ty.clone()).hint(*hint).count(count);
        field.optional = registered.iter().any(|layout| layout.len() <= at);
        fields.push(field);
    }
    fields
}

/// Returns `true` if a field of a manifest has its value in the same bytes and means the same by
/// them.
fn is_stored_as(other: &Field, ty: &FieldType) -> bool {
    const WHOLE: [FieldType; 8] = [
        FieldType::I8,
        FieldType::U8,
        FieldType::I16,
        FieldType::U16,
        FieldType::I32,
        FieldType::U32,
        FieldType::I64,
        FieldType::U64,
    ];
    let same_size = || other.ty.fixed_size(8) == ty.fixed_size(8);
    other.ty == *ty || (WHOLE.contains(ty) && WHOLE.contains(&other.ty) && same_size())
}

/// A field that both collections have.
fn both(name: &str, ty: &str, form: &Form, before: &[Draft]) -> Option<Draft> {
    let mut draft = typed(name, ty);
    let length = match form {
        Form::Plain(_) => {
            // Its format already implies the final NUL.
            if let Some(draft) = &mut draft {
                draft.sure = true;
            }
            return draft;
        }
        Form::Bytes(size) => Length::Fixed(*size),
        Form::BytesOf(field) => length_in(field, before)?,
        Form::Other => return None,
    };
    let (reading, hint) = match ty {
        "UnicodeString" => (FieldType::Utf16(length), Hint::None),
        "AnsiString" => (FieldType::Ansi(length), Hint::None),
        "Binary" => (FieldType::Binary(length), Hint::None),
        // A SID contains its length.
        "SID" => (FieldType::Sid, Hint::None),
        _ => return None,
    };
    let mut readings = vec![(reading, hint)];
    if ty == "Binary" && length == Length::Fixed(16) {
        readings.push((FieldType::Ipv6, Hint::None));
    }
    Some(Draft { name: name.to_owned(), readings, sure: true })
}

/// A field of which only the type is known. Whether texts have a length is not.
fn typed(name: &str, ty: &str) -> Option<Draft> {
    let sure = !matches!(ty, "UnicodeString" | "AnsiString");
    let plain = |ty| vec![(ty, Hint::None)];
    let readings = match ty {
        "Int8" => plain(FieldType::I8),
        "UInt8" => vec![(FieldType::U8, Hint::None), (FieldType::Bool8, Hint::None)],
        "Int16" => plain(FieldType::I16),
        "UInt16" => vec![(FieldType::U16, Hint::None), (FieldType::Port, Hint::None)],
        "Int32" => plain(FieldType::I32),
        "UInt32" => vec![(FieldType::U32, Hint::None), (FieldType::Ipv4, Hint::None)],
        "HexInt32" => vec![(FieldType::U32, Hint::Hex)],
        "Int64" => plain(FieldType::I64),
        "UInt64" => plain(FieldType::U64),
        "HexInt64" => vec![(FieldType::U64, Hint::Hex)],
        "Pointer" => vec![(FieldType::Pointer, Hint::Hex)],
        "Boolean" => plain(FieldType::Bool32),
        "Float" => plain(FieldType::F32),
        "Double" => plain(FieldType::F64),
        "GUID" => plain(FieldType::Guid),
        "FILETIME" => plain(FieldType::FileTime),
        "SYSTEMTIME" => plain(FieldType::SystemTime),
        "SID" => plain(FieldType::Sid),
        "UnicodeString" => plain(FieldType::Utf16(Length::Nul)),
        "AnsiString" => plain(FieldType::Ansi(Length::Nul)),
        "CountedUtf16String" => plain(FieldType::Utf16(Length::Prefixed)),
        "CountedMbcsString" => plain(FieldType::Ansi(Length::Prefixed)),
        _ => return None,
    };
    Some(Draft { name: name.to_owned(), readings, sure })
}

/// A field of which only the form is known.
fn by_form(field: &etl_parser::Field, before: &[Draft]) -> Option<Draft> {
    let (readings, sure): (Vec<(FieldType, Hint)>, bool) = match &field.form {
        Form::Plain(form) => match form.as_str() {
            "Int8sl" => (vec![(FieldType::I8, Hint::None)], true),
            "Int8ul" => (
                vec![
                    (FieldType::U8, Hint::None),
                    (FieldType::Bool8, Hint::None),
                    (FieldType::Bool32, Hint::None),
                ],
                false,
            ),
            "Int16sl" => (vec![(FieldType::I16, Hint::None)], true),
            "Int16ul" => (vec![(FieldType::U16, Hint::None), (FieldType::Port, Hint::None)], true),
            "Int32sl" => (vec![(FieldType::I32, Hint::None)], true),
            "Int32ul" => (vec![(FieldType::U32, Hint::None), (FieldType::Ipv4, Hint::None)], true),
            "Int64sl" => (vec![(FieldType::I64, Hint::None)], true),
            "Int64ul" => (
                vec![
                    (FieldType::U64, Hint::None),
                    (FieldType::Pointer, Hint::Hex),
                    (FieldType::FileTime, Hint::None),
                ],
                false,
            ),
            "Float32l" => (vec![(FieldType::F32, Hint::None)], true),
            "Double" => (vec![(FieldType::F64, Hint::None)], true),
            "Guid" => (vec![(FieldType::Guid, Hint::None)], true),
            "SystemTime" => (vec![(FieldType::SystemTime, Hint::None)], true),
            "Sid" => (vec![(FieldType::Sid, Hint::None)], true),
            "WString" => (vec![(FieldType::Utf16(Length::Nul), Hint::None)], true),
            "CString" => (vec![(FieldType::Ansi(Length::Nul), Hint::None)], true),
            _ => return None,
        },
        Form::Bytes(size) => (vec![(FieldType::Binary(Length::Fixed(*size)), Hint::None)], false),
        Form::BytesOf(name) => {
            let length = length_in(name, before)?;
            let readings = [
                FieldType::Binary(length),
                FieldType::Utf16(length),
                FieldType::Ansi(length),
                FieldType::Sid,
            ];
            (readings.into_iter().map(|ty| (ty, Hint::None)).collect(), false)
        }
        Form::Other => return None,
    };
    Some(Draft { name: field.name.clone(), readings, sure })
}

/// The length that an earlier field holds.
fn length_in(field: &str, before: &[Draft]) -> Option<Length> {
    let at = before.iter().position(|draft| bare(&draft.name) == bare(field))?;
    let whole = before.get(at)?.readings.first()?.0.is_integer();
    u16::try_from(at).ok().filter(|_| whole).map(Length::Field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, ty)| ((*name).to_owned(), (*ty).to_owned())).collect()
    }

    fn sized(fields: &[(&str, Form)]) -> Vec<etl_parser::Field> {
        fields
            .iter()
            .map(|(name, form)| etl_parser::Field { name: (*name).to_owned(), form: form.clone() })
            .collect()
    }

    fn types(fields: &[Field]) -> Vec<&FieldType> {
        fields.iter().map(|field| &field.ty).collect()
    }

    fn plain(form: &str) -> Form {
        Form::Plain(form.to_owned())
    }

    #[test]
    fn types_come_from_one_and_lengths_from_the_other() {
        let named =
            named(&[("Size", "UInt32"), ("Text", "UnicodeString"), ("At", "Pointer"), ("Rest", "Binary")]);
        let sized = sized(&[
            ("Size", plain("Int32ul")),
            ("Text", Form::BytesOf("Size".to_owned())),
            ("At", plain("Int64ul")),
        ]);
        let both = drafts(Some(&named), Some(&sized), &Structs::default());
        assert!(!both.whole, "one of them has no length for the last");
        let fields = settle(&both, &[]);
        assert_eq!(
            types(&fields),
            [&FieldType::U32, &FieldType::Utf16(Length::Field(0)), &FieldType::Pointer]
        );
    }

    #[test]
    fn manifests_choose_and_end_a_layout() {
        let sized = sized(&[("A", plain("Int64ul")), ("B", plain("Int8ul")), ("C", plain("Int32ul"))]);
        let bare = drafts(None, Some(&sized), &Structs::default());
        assert!(settle(&bare, &[]).is_empty(), "no source says whether it is a pointer");
        let manifest =
            |types: &[FieldType]| types.iter().map(|ty| Field::new("x", ty.clone())).collect::<Vec<_>>();
        let one = manifest(&[FieldType::Pointer, FieldType::Bool32, FieldType::I32]);
        let fields = settle(&bare, std::slice::from_ref(&one));
        assert_eq!(types(&fields), [&FieldType::Pointer, &FieldType::Bool32, &FieldType::U32]);
        // Another build ends earlier, so the field may be missing. A third describes a field
        // differently.
        let fields = settle(&bare, &[one.clone(), manifest(&[FieldType::Pointer, FieldType::Bool32])]);
        assert_eq!(fields.iter().map(|field| field.optional).collect::<Vec<_>>(), [false, false, true]);
        let fields = settle(&bare, &[one.clone(), manifest(&[FieldType::Pointer, FieldType::U32])]);
        assert_eq!(types(&fields), [&FieldType::Pointer]);
        let mut array = one;
        array[2].count = Count::Fixed(4);
        assert_eq!(settle(&bare, &[array.clone()])[2].count, Count::Fixed(4));
        assert_eq!(settle(&bare, &[array.clone(), manifest(&[FieldType::Pointer])]).len(), 3);
        // With as many fields as the number of its type it is one of structs.
        array.resize(8, Field::new("x", FieldType::U8));
        array[2].ty = FieldType::U32;
        assert_eq!(settle(&bare, &[array]).len(), 2);
    }

    #[test]
    fn a_text_is_certain_if_its_length_is_known() {
        let named = named(&[("A", "UInt32"), ("B", "UnicodeString")]);
        assert_eq!(settle(&drafts(Some(&named), None, &Structs::default()), &[]).len(), 1);
        let sized = sized(&[("A", plain("Int32ul")), ("B", plain("WString"))]);
        assert_eq!(settle(&drafts(Some(&named), Some(&sized), &Structs::default()), &[]).len(), 2);
    }
}
