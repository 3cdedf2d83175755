//! Every kernel and class record of the sample has a documented layout, and its payload is exactly that long.

use crate::emit::Header;
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
