//! When a payload fits a layout, and how many have to.

use tracewell_schema::Version;

use crate::Fields;

/// Least events of a kind that must show a layout. Fewer payloads may fit a wrong one by chance.
pub(super) const LEAST_EVENTS: u32 = 8;
/// Most payloads of a kind that are compared with layouts, and most bytes of one.
pub(super) const MOST_SAMPLES: usize = 64;
pub(super) const MOST_BYTES: usize = 4096;

/// The pointer size that this one is not.
pub(super) fn other(pointer_size: u8) -> u8 {
    if pointer_size == 4 { 8 } else { 4 }
}

/// Returns `true` if a payload follows a layout to its last byte.
pub(super) fn fits(layout: &Version, payload: &[u8], pointer_size: u8) -> bool {
    Fields::new(layout, payload, pointer_size).fill_the_payload()
}

/// Returns `true` if a payload begins with a layout.
pub(super) fn begins(layout: &Version, payload: &[u8], pointer_size: u8) -> bool {
    Fields::new(layout, payload, pointer_size).are_plausible()
}
