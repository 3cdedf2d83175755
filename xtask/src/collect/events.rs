//! The common form of all collections.

use std::collections::BTreeMap;

/// The events of a provider, by id and version.
pub(crate) type Events<T> = BTreeMap<(u16, u8), T>;

/// A name without what the collections write in different ways.
pub(super) fn bare(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
