//! Providers of Windows beyond the common ones: `tables/collected.events`, packed.
//!
//! The text of each provider is compressed separately, and parsed when that provider is first requested. A static table lists
//! GUID, name and the position of the bytes, so that hundreds of unused providers cost nothing.

use std::borrow::Cow;
use std::sync::OnceLock;

use tracewell_types::Guid;

use crate::Provider;
use crate::generated::collected::{ENTRIES, PACK};

/// The providers that were asked for, at the places of [`ENTRIES`].
static READ: [OnceLock<Option<Box<Provider>>>; ENTRIES.len()] = [const { OnceLock::new() }; ENTRIES.len()];

fn at(index: usize) -> Option<&'static Provider> {
    READ.get(index)?.get_or_init(|| ENTRIES.get(index)?.read(PACK)).as_deref()
}

/// The provider with this GUID.
pub(crate) fn provider(guid: &Guid) -> Option<&'static Provider> {
    at(index(guid)?)
}

fn index(guid: &Guid) -> Option<usize> {
    ENTRIES.binary_search_by(|entry| entry.guid.as_bytes().cmp(guid.as_bytes())).ok()
}

/// The provider with this GUID, with the descriptions of the events with these ids and possibly others.
pub(crate) fn events(guid: &Guid, ids: &[u16]) -> Option<Cow<'static, Provider>> {
    let at = index(guid)?;
    match READ.get(at)?.get() {
        Some(known) => known.as_deref().map(Cow::Borrowed),
        None => ENTRIES.get(at)?.read_some(PACK, ids).map(Cow::Owned),
    }
}

/// Every provider, by ascending bytes of the GUID.
pub(crate) fn all() -> impl Iterator<Item = &'static Provider> {
    (0..ENTRIES.len()).filter_map(at)
}

/// The name and GUID of each, without reading its text.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, Guid)> {
    ENTRIES.iter().map(|entry| (entry.name, entry.guid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::check;
    use crate::packed::Entry;

    #[test]
    fn every_provider_is_read_and_well_formed() {
        let sorted = |pair: &[Entry]| pair[0].guid.as_bytes() < pair[1].guid.as_bytes();
        assert!(ENTRIES.windows(2).all(sorted));
        let mut events = 0;
        for entry in &ENTRIES {
            let known = provider(&entry.guid).unwrap();
            assert_eq!((&*known.name, known.guid), (entry.name, entry.guid));
            assert!(!known.events.is_empty(), "{}", entry.name);
            for event in known.events.iter() {
                check(&event.layout.fields, &format!("{} {}", entry.name, event.id));
            }
            events += known.events.len();
        }
        assert!(ENTRIES.len() > 700 && events > 30_000, "{} {events}", ENTRIES.len());
    }

    #[test]
    fn issue_13_events_are_read_alone_as_they_are_with_their_provider() {
        for entry in &ENTRIES {
            let whole = entry.read(PACK).unwrap();
            // All would take minutes.
            for event in whole.events.iter().step_by(37) {
                let part = entry.read_some(PACK, &[event.id]).unwrap();
                let layouts = |of: &Provider| {
                    of.versions(event.id).iter().map(|event| event.layout.clone()).collect::<Vec<_>>()
                };
                assert_eq!(layouts(&part), layouts(&whole), "{} {}", entry.name, event.id);
            }
        }
    }

    /// A layout each of providers that analysts meet most, as documentation and other tools have them.
    #[test]
    fn layouts_are_those_that_are_known() {
        let text = |provider: &str, id, version| {
            let guid = names().find(|(name, _)| *name == provider).map(|(_, guid)| guid).unwrap();
            let event = super::provider(&guid).unwrap().event(id, version).unwrap();
            let fields = event.layout.fields.iter().map(|field| format!("{} {:?}", field.name, field.ty));
            fields.collect::<Vec<_>>().join(", ")
        };
        for (provider, id, version, wanted) in [
            (
                "Microsoft-Windows-Kernel-Registry",
                1,
                0,
                "BaseObject Pointer, KeyObject Pointer, Status U32, Disposition U32, BaseName Utf16(Nul), \
                 RelativeName Utf16(Nul)",
            ),
            (
                "Microsoft-Windows-Winsock-AFD",
                1,
                0,
                "Process Pointer, Endpoint Pointer, AddressFamily U32, SocketType U32, Protocol U32, \
                 UserModePid Pointer",
            ),
            // The length is that of the text, and it has no NUL.
            (
                "Microsoft-Windows-CodeIntegrity",
                3001,
                0,
                "FileNameLength U16, FileNameBuffer Utf16(Field(0))",
            ),
            // The first field is a struct, whose members are unknown.
            ("Microsoft-Windows-USB-USBHUB", 1, 0, ""),
            // Two builds of Windows 10 disagree on the last field.
            (
                "Microsoft-Windows-Kernel-Acpi",
                23,
                0,
                "AmlMethodNameLength U16, AmlMethodName Utf16(Field(0))",
            ),
        ] {
            assert_eq!(text(provider, id, version), wanted, "{provider} {id}");
        }
    }
}
