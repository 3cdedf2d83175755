//! When long work reports its progress.

/// Returns `true` if progress is due, for work that processes records one by one.
#[must_use]
pub fn is_due(records: u64) -> bool {
    records & 0x3fff == 0
}
