//! The sizes of the rings that the kernel fills, one for each processor.

use std::ops::RangeInclusive;

/// Minimum bytes of the ring of a processor.
const LEAST: u32 = 1 << 20;
/// Maximum bytes of the ring of a processor.
pub(crate) const MOST: u32 = 64 << 20;
/// Maximum bytes of the rings of all processors.
const ALL_RINGS: u64 = 4 << 30;
/// Maximum bytes of the ring of a session with the events of one user's processes.
const OWNED_RING: u32 = 4 << 20;

/// The bytes that the ring of a processor can have, on a machine with so many processors. `is_owned` is a session with the events
/// of one user's processes: the memory is the daemon's, not the user's.
#[must_use]
pub fn ring_sizes(processors: u32, is_owned: bool) -> RangeInclusive<u32> {
    let share = 1 << (ALL_RINGS / u64::from(processors.max(1))).max(1).ilog2();
    let most = u64::from(if is_owned { OWNED_RING } else { MOST }).min(share) as u32;
    LEAST..=most.max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_16_rings_have_sizes_within_limits() {
        for (processors, owned, most) in [
            (0, false, 64),
            (2, false, 64),
            (64, false, 64),
            (65, false, 32),
            (1024, false, 4),
            (1025, true, 2),
            (u32::MAX, false, 1),
            (2, true, 4),
        ] {
            let sizes = ring_sizes(processors, owned);
            assert_eq!(sizes, 1 << 20..=most << 20, "{processors} {owned}");
        }
    }
}
