//! Every kernel and class record of the sample has a documented layout, and its payload is exactly that long.

use crate::emit::Header;
use crate::manifest::{BINARY, EVENTS, KNOWN, ManifestEvent, event_info};
use crate::simulate;
use std::collections::BTreeSet;
use tracewell_schema::kernel;
use tracewell_schema::{Count, EventMatch, Field, FieldType, Length};

/// Bytes that the fields take at the start of `payload`; `None` when it ends too early.
fn extent(fields: &[Field], payload: &[u8]) -> Option<usize> {
    let mut at = 0;
    for field in fields {
        let rest = payload.get(at..)?;
        if rest.is_empty() && field.optional {
            break;
        }
        if let Some(size) = field.fixed_size(8) {
            at += size;
            continue;
        }
        let nul = |width: usize| {
            rest.chunks_exact(width)
                .position(|unit| unit.iter().all(|&byte| byte == 0))
                .map(|units| (units + 1) * width)
        };
        at += match (&field.ty, field.count) {
            (FieldType::Utf16(Length::Nul), Count::One) => nul(2)?,
            (FieldType::Ansi(Length::Nul), Count::One) => nul(1)?,
            (FieldType::TokenUser, Count::One) => 16 + 8 + 4 * usize::from(*rest.get(17)?),
            (FieldType::Binary(Length::Fixed(size)), Count::One) => usize::from(*size),
            (_, Count::Rest) | (FieldType::Binary(Length::Rest), _) => rest.len(),
            (ty, count) => panic!("{}: {ty:?} {count:?} is not known here", field.name),
        };
    }
    (at <= payload.len()).then_some(at)
}

#[test]
fn every_payload_is_exactly_as_long_as_its_layout() {
    let machine = simulate();
    let mut kinds = BTreeSet::new();
    for record in &machine.log {
        let (class, opcode, version) = match record.header {
            Header::System { group, opcode, version, .. } | Header::PerfInfo { group, opcode, version } => {
                (kernel::by_hook(group, opcode), opcode, version)
            }
            Header::Full { class, opcode, version, .. } => (kernel::by_guid(&class), opcode, version),
            Header::Event { .. } => continue,
        };
        let Some(class) = class else { panic!("no class for opcode {opcode} of {}", record.header.kind()) };
        let Some(EventMatch { event, version: layout, exact }) = class.event(opcode, version as u8) else {
            panic!("{} has no opcode {opcode}", class.name)
        };
        assert!(exact, "{} {} has no version {version}", class.name, event.name);
        assert_eq!(
            extent(&layout.fields, &record.payload),
            Some(record.payload.len()),
            "{} {} version {version}",
            class.name,
            event.name
        );
        kinds.insert((class.name, event.name));
    }
    assert!(kinds.len() > 50, "only {} kinds of records", kinds.len());
}

#[test]
fn every_manifest_payload_is_exactly_as_long_as_its_layout() {
    let machine = simulate();
    let mut seen = BTreeSet::new();
    for record in &machine.log {
        let Header::Event { provider, descriptor, .. } = &record.header else { continue };
        let same =
            |event: &&&ManifestEvent| event.provider == *provider && event.descriptor.id == descriptor.id;
        let Some(event) = EVENTS.iter().chain(&KNOWN).find(same) else {
            assert_eq!(
                descriptor.channel, 11,
                "{provider} {} has no layout and is not TraceLogging",
                descriptor.id
            );
            continue;
        };
        let mut rest = record.payload.as_slice();
        let mut before: &[u8] = &[];
        for (name, kind) in event.fields {
            let nul = || rest.chunks_exact(2).position(|unit| unit == [0, 0]).map(|units| 2 * units + 2);
            let counted = || before.try_into().ok().map(|bytes| u32::from_le_bytes(bytes) as usize);
            let size = if kind.input == BINARY { counted() } else { kind.size.or_else(nul) };
            (before, rest) = size
                .and_then(|size| rest.split_at_checked(size))
                .unwrap_or_else(|| panic!("{} ends in {name}", descriptor.id));
        }
        assert!(rest.is_empty(), "{}: {} bytes left", descriptor.id, rest.len());
        seen.insert((*provider, descriptor.id));
    }
    assert_eq!(seen.len(), EVENTS.len() + KNOWN.len(), "{seen:?}");
}

#[test]
fn event_infos_have_their_names_where_they_say() {
    for event in EVENTS {
        let info = event_info(event);
        let u32_at =
            |at: usize| u32::from_le_bytes([info[at], info[at + 1], info[at + 2], info[at + 3]]) as usize;
        let text_at = |at: usize| {
            let units = info[at..].chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
            String::from_utf16_lossy(&units.take_while(|&unit| unit != 0).collect::<Vec<_>>())
        };
        assert_eq!(u32_at(100), event.fields.len());
        assert!(text_at(u32_at(52)).starts_with("Microsoft-Windows-"));
        for (index, (name, _)) in event.fields.iter().enumerate() {
            assert_eq!(text_at(u32_at(112 + 24 * index + 4)), *name);
        }
    }
}
