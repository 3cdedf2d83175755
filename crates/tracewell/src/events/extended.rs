//! Properties that records have in addition to header and payload: the extended data items of events, and optional parts
//! of headers.
//!
//! The layouts of the items are those of evntcons.h (`EVENT_EXTENDED_ITEM_*`). For a few types the SDK only has the
//! name; the table describes their known contents.

use tracewell_decode::tracelogging::ProviderTraits;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::{ExtendedItem, Record};
use tracewell_types::{Guid, Sid, Utf16Str};

use super::property::{Head, Item};

/// The storage type of an item's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Guid,
    Sid,
    U32,
    U64,
    /// An integer with no symbolic name, printed in hexadecimal.
    Key32,
    Key64,
    I64,
    /// As many 64-bit numbers as fit.
    U64s,
    /// UTF-16 text; what is none is shown as bytes.
    Utf16,
    Bytes,
    /// Of a provider's traits its name, and the GUID of its group.
    TraitsName,
    TraitsGroup,
}

/// A part of an item: the property that it is, where it begins, how it is stored.
type Part = (Head, usize, Shape);

/// Every kind of item with its parts.
const KINDS: [(ExtendedKind, &[Part]); 18] = [
    (ExtendedKind::RELATED_ACTIVITY, &[(Head::Related, 0, Shape::Guid)]),
    (ExtendedKind::SID, &[(Head::Sid, 0, Shape::Sid)]),
    (ExtendedKind::TERMINAL_SESSION, &[(Head::Session, 0, Shape::U32)]),
    (
        ExtendedKind::INSTANCE_INFO,
        &[
            (Head::Instance, 0, Shape::U32),
            (Head::ParentInstance, 4, Shape::U32),
            (Head::ParentClass, 8, Shape::Guid),
        ],
    ),
    (ExtendedKind::STACK_TRACE32, &[(Head::StackMatch, 0, Shape::Key64)]),
    (ExtendedKind::STACK_TRACE64, &[(Head::StackMatch, 0, Shape::Key64)]),
    (ExtendedKind::PEBS_INDEX, &[(Head::PebsIndex, 0, Shape::U64)]),
    (ExtendedKind::PMC_COUNTERS, &[(Head::Counters, 0, Shape::U64s)]),
    (ExtendedKind::PSM_KEY, &[(Head::PsmKey, 0, Shape::Utf16)]),
    (ExtendedKind::EVENT_KEY, &[(Head::EventKey, 0, Shape::Key64)]),
    (ExtendedKind::SCHEMA, &[(Head::Schema, 0, Shape::Bytes)]),
    (
        ExtendedKind::PROVIDER_TRAITS,
        &[(Head::Traits, 0, Shape::TraitsName), (Head::ProviderGroup, 0, Shape::TraitsGroup)],
    ),
    (ExtendedKind::PROCESS_START_KEY, &[(Head::ProcessStartKey, 0, Shape::Key64)]),
    (ExtendedKind::CONTROL_GUID, &[(Head::Control, 0, Shape::Guid)]),
    (ExtendedKind::QPC_DELTA, &[(Head::QpcDelta, 0, Shape::I64)]),
    (ExtendedKind::CONTAINER_ID, &[(Head::Container, 0, Shape::Guid)]),
    (ExtendedKind::STACK_KEY32, &[(Head::StackMatch, 0, Shape::Key64), (Head::StackKey, 8, Shape::Key32)]),
    (ExtendedKind::STACK_KEY64, &[(Head::StackMatch, 0, Shape::Key64), (Head::StackKey, 8, Shape::Key64)]),
];

/// The kinds that are shown as something else already: as the names of an event and its fields, or as a stack where stacks
/// are asked for.
const SHOWN_ELSEWHERE: [ExtendedKind; 4] = [
    ExtendedKind::SCHEMA,
    ExtendedKind::PROVIDER_TRAITS,
    ExtendedKind::STACK_TRACE32,
    ExtendedKind::STACK_TRACE64,
];

/// The parts of an item; empty for unknown types.
fn parts(kind: ExtendedKind) -> &'static [Part] {
    KINDS.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, parts)| parts)
}

fn array<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at..)?.first_chunk().copied()
}

/// A part of an item; `None` when the data is too short for it, or holds no such part.
fn read<'a>(data: &'a [u8], (_, at, shape): Part) -> Option<Item<'a>> {
    let u64_at = |at| array(data, at).map(u64::from_le_bytes);
    Some(match shape {
        Shape::Guid => Item::Guid(Guid::from_bytes(array(data, at)?)),
        Shape::Sid => Item::Sid(Sid::parse(data.get(at..)?)?),
        Shape::U32 => Item::Int(u32::from_le_bytes(array(data, at)?).into()),
        Shape::U64 => Item::Int(u64_at(at)?.into()),
        Shape::Key32 => Item::Mask(u32::from_le_bytes(array(data, at)?).into()),
        Shape::Key64 => Item::Mask(u64_at(at)?),
        Shape::I64 => Item::Int(i64::from_le_bytes(array(data, at)?).into()),
        Shape::U64s => {
            let words = data.get(at..)?.chunks_exact(8);
            Item::Numbers(words.filter_map(|word| array(word, 0).map(u64::from_le_bytes)).collect())
        }
        Shape::Utf16 => {
            let (text, used) = Utf16Str::until_nul(data.get(at..)?);
            let rest = data.get(at + used..).unwrap_or_default();
            let is_text = rest.iter().all(|byte| *byte == 0) && text.chars_lossy().all(is_of_text);
            if is_text { Item::Utf16(text) } else { Item::Bytes(data) }
        }
        Shape::Bytes => Item::Bytes(data.get(at..)?),
        Shape::TraitsName => Item::Ansi(ProviderTraits::parse(data)?.name),
        Shape::TraitsGroup => Item::Guid(ProviderTraits::parse(data)?.group?),
    })
}

fn is_of_text(character: char) -> bool {
    !character.is_control() && character != char::REPLACEMENT_CHARACTER
}

/// The property that a record has by one of its items, if any: that of the first item that has it.
pub fn of_items<'a>(record: &Record<'a>, head: Head) -> Option<Item<'a>> {
    record.extended().find_map(|item| {
        let part = parts(item.kind).iter().find(|(known, ..)| *known == head)?;
        read(item.data, *part)
    })
}

/// The properties that a header has only now and then.
const OF_HEADERS: [Head; 7] = [
    Head::Instance,
    Head::ParentInstance,
    Head::ParentClass,
    Head::PebsIndex,
    Head::Counters,
    Head::Sequence,
    Head::Component,
];

/// The property that a record has by its header, if any, of those that only some headers have.
pub fn of_header<'a>(record: &Record<'a>, head: Head) -> Option<Item<'a>> {
    Some(match head {
        Head::Instance => Item::Int(record.instance_ids()?.0.into()),
        Head::ParentInstance => Item::Int(record.instance_ids()?.1.into()),
        Head::ParentClass => Item::Guid(record.parent_class().filter(|class| !class.is_zero())?),
        Head::PebsIndex => Item::Int(record.pebs_index()?.into()),
        Head::Counters => {
            let counters: Vec<u64> = record.counters().collect();
            (!counters.is_empty()).then_some(Item::Numbers(counters))?
        }
        Head::Sequence => Item::Int(record.message_sequence()?.into()),
        Head::Component => Item::Int(record.message_component()?.into()),
        Head::PropertyFlags => Item::Mask(Some(record.event_property()).filter(|word| *word != 0)?.into()),
        _ => return None,
    })
}

/// Calls `each` with everything that a record has in addition to the usual header and the payload, under the names of
/// the properties: first the optional parts of the header, then the items in order. An item is named by its type
/// number and shown as bytes if its type is unknown, if an item of the type came before, or if its data is too short.
///
/// Skips properties that are shown elsewhere, and those in `except`.
pub fn each<'a>(record: &Record<'a>, except: &[Head], each: &mut dyn FnMut(&str, Item<'a>)) {
    for head in OF_HEADERS {
        if let Some(item) = of_header(record, head) {
            each(head.name(), item);
        }
    }
    // The kinds that came, a bit each.
    let mut seen = 0u64;
    for item in record.extended() {
        if SHOWN_ELSEWHERE.contains(&item.kind) && parts(item.kind).iter().any(|part| is_read(&item, *part)) {
            continue;
        }
        let bit = 1u64.checked_shl(item.kind.0.into()).unwrap_or(0);
        let is_second = seen & bit != 0;
        seen |= bit;
        let parts = parts(item.kind);
        if is_second || parts.is_empty() || !parts.iter().all(|part| is_read(&item, *part)) {
            each(&item.kind.0.to_string(), Item::Bytes(item.data));
            continue;
        }
        for part in parts.iter().filter(|(head, ..)| !except.contains(head)) {
            if let Some(found) = read(item.data, *part) {
                each(part.0.name(), found);
            }
        }
    }
}

fn is_read(item: &ExtendedItem<'_>, part: Part) -> bool {
    read(item.data, part).is_some()
}

/// Returns `true` if [`each`] may call back. Most records have no such properties.
pub fn any(record: &Record<'_>) -> bool {
    if record.is_event() {
        return record.extended().next().is_some();
    }
    match record.hook() {
        Some(_) => record.pebs_index().is_some() || record.counters().len() > 0,
        None => !record.is_class() || record.instance_ids().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::property::Property;
    use super::*;

    /// The table has every item type of the format, and each part has its own property.
    #[test]
    fn every_kind_has_its_parts() {
        for number in 1..=18 {
            assert!(!parts(ExtendedKind(number)).is_empty(), "kind {number}");
        }
        assert!(parts(ExtendedKind(19)).is_empty());
        for (kind, parts) in KINDS {
            for (head, ..) in parts {
                let named = Property::by_name(head.name()).map(|property| property.head);
                assert_eq!(named, Some(*head), "{kind:?}");
            }
        }
    }

    #[test]
    fn a_key_that_is_not_text_is_bytes() {
        let psm = |data: &[u8]| format!("{:?}", read(data, (Head::PsmKey, 0, Shape::Utf16)));
        assert!(psm(b"a\0b\0\0\0").starts_with("Some(Utf16"));
        assert!(psm(b"\x01\0b\0\0\0").starts_with("Some(Bytes"));
        assert!(psm(b"a\0\0\0b\0").starts_with("Some(Bytes"), "text behind a terminator");
    }
}
