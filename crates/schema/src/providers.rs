//! Names of well-known providers.
//!
//! A trace often names its providers itself (TraceLogging traits, manifests, merged event metadata);
//! such a name goes before this table.

use std::cmp::Ordering;

use tracewell_types::Guid;

use crate::generated::providers::{BY_GUID, BY_NAME};

/// The registered name of a provider.
#[must_use]
pub fn name(guid: &Guid) -> Option<&'static str> {
    let at = BY_GUID.binary_search_by(|(g, _)| g.as_bytes().cmp(guid.as_bytes())).ok()?;
    BY_GUID.get(at).map(|(_, name)| *name)
}

/// Returns `true` for a provider that only Windows has: programs of other systems do not register it.
#[must_use]
pub fn is_of_windows(guid: &Guid) -> bool {
    *guid != crate::classes::TWAPI_PROVIDER && name(guid).is_some()
}

/// The providers registered under a name, ignoring ASCII case.
///
/// There can be several: `Microsoft-Windows-Win32k` has one GUID on Windows 7 and another one later.
pub fn guids(name: &str) -> impl Iterator<Item = Guid> {
    let order = |index: u16| match BY_GUID.get(usize::from(index)) {
        Some((_, known)) => lower(known).cmp(lower(name)),
        None => Ordering::Greater,
    };
    let first = BY_NAME.partition_point(|&index| order(index) == Ordering::Less);
    let rest = BY_NAME.get(first..).unwrap_or_default();
    let count = rest.partition_point(|&index| order(index) == Ordering::Equal);
    let found = rest.get(..count).unwrap_or_default();
    found.iter().filter_map(|&index| BY_GUID.get(usize::from(index))).map(|(guid, _)| *guid)
}

/// The first of [`guids`].
#[must_use]
pub fn guid(name: &str) -> Option<Guid> {
    guids(name).next()
}

/// The name of a provider or of a class of the kernel's events, by these tables and the bundled descriptions.
#[must_use]
pub fn known_name(guid: &Guid) -> Option<&'static str> {
    let bundled = || crate::bundled::names().find(|(_, known)| known == guid).map(|(name, _)| name);
    let class = || crate::kernel::by_guid(guid).map(|class| class.name);
    name(guid).or_else(bundled).or_else(class)
}

/// The GUID of a provider by its name, ignoring ASCII case, by these tables and the bundled descriptions.
#[must_use]
pub fn known_guid(name: &str) -> Option<Guid> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    guid(name).or_else(|| crate::bundled::names().find(|(known, _)| is_it(known)).map(|(_, guid)| guid))
}

/// The GUID that enables a provider by its name, for all commands and libraries: that of a `registered` provider, else that of
/// these tables and of the bundled descriptions, else the one that TraceLogging would make of the name. So a provider can be
/// enabled before the first program registers it. [`None`] if the name has letters that are not ASCII and is unknown.
pub fn resolve<'r>(
    name: &str,
    registered: impl IntoIterator<Item = (&'r str, Guid)>,
    derive: impl FnOnce(&str) -> Guid,
) -> Option<Guid> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    let registered = registered.into_iter().find(|(known, _)| is_it(known)).map(|(_, guid)| guid);
    let derived = || name.is_ascii().then(|| derive(name));
    registered.or_else(|| known_guid(name)).or_else(derived)
}

fn lower(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|b| b.to_ascii_lowercase())
}

/// Every known provider, by ascending bytes of the GUID.
pub fn all() -> impl ExactSizeIterator<Item = (Guid, &'static str)> {
    BY_GUID.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one provider of Tcl programs has a name before the first of them registers it.
    #[test]
    fn issue_15_the_provider_of_tcl_is_in_the_table() {
        use crate::classes::TWAPI_PROVIDER;
        assert_eq!(guid("twapietwprovider"), Some(TWAPI_PROVIDER));
        assert!(!is_of_windows(&TWAPI_PROVIDER));
        assert!(guid("Microsoft-Windows-DNS-Client").is_some_and(|guid| is_of_windows(&guid)));
    }

    /// A registered provider goes before the tables, and the tables before a GUID that is made of the name.
    #[test]
    fn issue_15_names_are_resolved_in_one_order() {
        let (mine, made) = (Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab"), Guid::ZERO);
        let found = |name: &str, registered: &[(&'static str, Guid)]| {
            resolve(name, registered.iter().copied(), |_| made)
        };
        assert_eq!(found("shop", &[("Other", made), ("Shop", mine)]), Some(mine));
        assert_eq!(found("Shop", &[]), Some(made));
        assert_eq!(found("twapietwprovider", &[]), Some(crate::classes::TWAPI_PROVIDER));
        assert_eq!(found("TwapiETWProvider", &[("TwapiETWProvider", mine)]), Some(mine));
        assert_eq!(found("Microsoft-Windows-DNS-Client", &[]), guid("Microsoft-Windows-DNS-Client"));
        assert_eq!(found("B\u{f6}ttcher", &[]), None);
        assert_eq!(found("B\u{f6}ttcher", &[("B\u{f6}ttcher", mine)]), Some(mine));
    }

    #[test]
    fn every_provider_is_found_both_ways() {
        assert!(all().len() > 500);
        for (known, text) in all() {
            assert_eq!(name(&known), Some(text));
            assert!(guids(text).any(|g| g == known), "{text}");
            assert!(guids(&text.to_ascii_uppercase()).any(|g| g == known), "{text}");
        }
    }

    #[test]
    fn unknown_providers_are_not_found() {
        assert_eq!(name(&Guid::ZERO), None);
        assert_eq!(guid("No-Such-Provider"), None);
        assert_eq!(guid(""), None);
    }

    /// Issue 3: programs of the test corpus had names here, which should come from their traces.
    #[test]
    fn programs_of_the_test_corpus_are_not_in_the_table() {
        for name in
            ["AmsiTrace", "solar_system", "EbpfForWindowsProvider", "Tx-BinaryEventSource", "MySource"]
        {
            assert_eq!(guid(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_can_have_two_guids() {
        assert_eq!(guids("microsoft-windows-win32k").count(), 2);
    }

    #[test]
    fn the_runtime_has_its_name() {
        let runtime = Guid::parse("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
        assert_eq!(name(&runtime), Some("Microsoft-Windows-DotNETRuntime"));
    }
}
