//! Ids that nothing else on this machine has had since its start.

use std::sync::atomic::{AtomicU64, Ordering};

use tracewell_types::Guid;

use super::{clock, sys};

/// A new activity id.
pub(crate) fn new_activity() -> Guid {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..12].copy_from_slice(&sys::process_id().to_le_bytes());
    bytes[12..].copy_from_slice(&((clock::monotonic() >> 16) as u32).to_le_bytes());
    Guid::from_bytes(bytes)
}
