//! Which events of providers of the system a program needs: those of its probes, where the tests of fields and of whom they concern hold
//! at the head of their predicates. A source that knows them need not log the others, which fire nothing.

use tracewell_dengine::Engine;
use tracewell_dlang::ir::Op;
use tracewell_dlang::program::ProbeId;
use tracewell_types::Guid;
use tracewell_types::call::{NeededTrace, Subject};

use super::calls::{self, InRecord};
use crate::catalog::{Kind, ProbeCatalog};
use crate::opened::SLOT;
use crate::table::RECORD_ARGUMENT;

/// Names of fields by the numbers that tests have for them.
#[derive(Debug, Default)]
struct Fields(Vec<String>);

impl Fields {
    /// The field of a name.
    fn named(&mut self, name: &str) -> Option<Subject> {
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        u16::try_from(at).ok().map(Subject::Field)
    }
}

/// The name of the field that is a number of the records that a probe's events are read as.
fn field_of(catalog: &ProbeCatalog<'_>, id: ProbeId, number: InRecord) -> Option<String> {
    let slot = usize::try_from(number.offset).ok().filter(|offset| offset.is_multiple_of(SLOT))? / SLOT;
    if number.argument != i32::from(RECORD_ARGUMENT) || number.op != Op::Ld64 {
        return None;
    }
    let own = catalog.event_of(id).and_then(|event| event.shape.number_at(slot));
    if let Some(name) = own {
        return Some(name.to_owned());
    }
    catalog.joined(id).iter().find_map(|part| {
        let slot = slot.checked_sub(part.base as usize)?;
        part.shape.number_at(slot).map(str::to_owned)
    })
}

/// The events of providers of the system that the enabled probes of a program need, and the names of the fields that their tests
/// compare. Of a provider that is not among them all events are needed that the session enables.
pub(super) fn needed(
    engine: &Engine,
    catalog: &ProbeCatalog<'_>,
    provider_of: impl Fn(ProbeId) -> Option<Guid>,
) -> (Vec<NeededTrace>, Vec<String>) {
    let mut fields = Fields::default();
    let program = engine.program();
    let mut all: Vec<NeededTrace> = Vec::new();
    let mut whole: Vec<Guid> = Vec::new();
    for (info, kind) in catalog.iter().filter(|(info, _)| engine.is_enabled(info.id)) {
        let Some(provider) = provider_of(info.id) else { continue };
        let ids = catalog.only_ids(info.id).filter(|_| matches!(kind, Kind::Event(_)));
        let Some(ids) = ids else {
            whole.push(provider);
            continue;
        };
        for clause in program.clauses.iter().filter(|clause| clause.probes.contains(&info.id)) {
            let mut find = |number| fields.named(&field_of(catalog, info.id, number)?);
            let tests = calls::tests(program, clause, None, &mut find);
            for id in &ids {
                let event = NeededTrace { provider, id: *id, tests: tests.clone() };
                if !all.contains(&event) {
                    all.push(event);
                }
            }
        }
    }
    all.retain(|event| !whole.contains(&event.provider));
    (all, fields.0)
}
