//! Providers that come with this crate: the .NET runtime and what Windows itself logs most.
//!
//! A description in the trace or given by the user tells more of one machine; these tables make the events
//! readable where there is none.

use tracewell_types::Guid;

use crate::Provider;
use crate::generated::bundled::PROVIDERS;

/// The provider with this GUID.
#[must_use]
pub fn provider(guid: &Guid) -> Option<&'static Provider> {
    let at = PROVIDERS.binary_search_by(|known| known.guid.as_bytes().cmp(guid.as_bytes())).ok()?;
    PROVIDERS.get(at)
}

/// Every bundled provider.
#[must_use]
pub fn all() -> &'static [Provider] {
    &PROVIDERS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_and_events_are_in_order() {
        assert!(all().is_sorted_by(|a, b| a.guid.as_bytes() < b.guid.as_bytes()));
        for known in all() {
            let keys = |i: usize| (known.events[i].id, known.events[i].layout.number);
            assert!((1..known.events.len()).all(|i| keys(i - 1) < keys(i)), "{}", known.name);
            assert_eq!(provider(&known.guid).map(|p| &p.name), Some(&known.name));
        }
    }

    #[test]
    fn a_collection_start_has_its_reason_by_name() {
        let runtime = crate::providers::guid("Microsoft-Windows-DotNETRuntime").unwrap();
        let start = provider(&runtime).unwrap().event(1, 2).unwrap();
        assert_eq!((&*start.task, &*start.opcode), ("GC", "Start"));
        let reason = start.layout.field("Reason").unwrap();
        assert_eq!(reason.map.as_ref().unwrap().get().name_of(1), Some("Induced"));
    }
}
