//! Little-endian fields of byte slices, for code that is not on the hot path.
//!
//! Every function answers `None` (or the given part) rather than panic when the slice is too short.

/// The `u16` at `at`.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

/// The `u32` at `at`.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// The `u64` at `at`.
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b))
}

/// The `i64` at `at`.
pub(crate) fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    bytes.get(at..)?.first_chunk().map(|b| i64::from_le_bytes(*b))
}

/// The GUID at `at`.
pub(crate) fn guid_at(bytes: &[u8], at: usize) -> Option<tracewell_types::Guid> {
    bytes.get(at..)?.first_chunk().map(|b| tracewell_types::Guid::from_bytes(*b))
}
