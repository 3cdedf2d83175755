//! The enable table: what providers look at before they log. The daemon writes it, everyone else maps it read-only.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::sys::Mapping;

/// Slots: providers that can be known to a daemon at a time. Slot 0 stays disabled.
pub(crate) const SLOTS: u32 = 16384;

/// Slots that programs of one user may have made known in a daemon of another.
pub(crate) const SLOTS_OF_STRANGER: u32 = 4096;

/// Bytes of the table.
pub(crate) const SIZE: usize = SLOTS as usize * size_of::<Slot>();

/// Sessions that can have a provider enabled at a time, as on Windows.
pub(crate) const LISTENERS: usize = 8;

/// What is enabled of one provider.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Slot {
    /// An event is wanted when its level is below this: 0 for none, 256 for all levels.
    pub(crate) threshold: AtomicU32,
    /// Bits of the listeners in use.
    pub(crate) listeners: AtomicU32,
    /// Keywords that some session wants.
    pub(crate) any: AtomicU64,
    pub(crate) listener: [Listener; LISTENERS],
}

/// What one session wants.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Listener {
    /// Number of the session in the lower half, its generation in the upper.
    pub(crate) session: AtomicU64,
    /// Level threshold in the lower 16 bits; above them bits: see [`FILTERED`].
    pub(crate) level: AtomicU64,
    pub(crate) any: AtomicU64,
    pub(crate) all: AtomicU64,
}

/// Bits of [`Listener::level`]: there is a filter; events carry call stacks.
pub(crate) const FILTERED: u64 = 1 << 16;
pub(crate) const STACKS: u64 = 1 << 17;

impl Listener {
    const fn new() -> Listener {
        Listener {
            session: AtomicU64::new(0),
            level: AtomicU64::new(0),
            any: AtomicU64::new(0),
            all: AtomicU64::new(0),
        }
    }
}

impl Slot {
    /// A slot in which nothing is enabled.
    pub(crate) const fn disabled() -> Slot {
        Slot {
            threshold: AtomicU32::new(0),
            listeners: AtomicU32::new(0),
            any: AtomicU64::new(0),
            listener: [const { Listener::new() }; LISTENERS],
        }
    }
}

/// What a session wants, as the daemon writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) session: u32,
    pub(crate) generation: u32,
    pub(crate) level: u8,
    pub(crate) any: u64,
    pub(crate) all: u64,
    pub(crate) filtered: bool,
    pub(crate) stacks: bool,
}

/// The level below which events pass.
fn threshold(level: u8) -> u32 {
    if level == 0 { 256 } else { u32::from(level) + 1 }
}

/// Writes what all sessions want of a provider into its slot. A session keeps its place as long as it listens, so
/// that a change for one never hides an event from another.
pub(crate) fn publish(table: &Mapping, slot: u32, wanted: &[Option<Wanted>; LISTENERS]) {
    let base = slot as usize * size_of::<Slot>();
    let word = |offset: usize, value: u64| table.atomic64(base + offset).store(value, Ordering::Relaxed);
    let (mut used, mut any, mut most) = (0, 0, 0);
    for (i, listener) in wanted.iter().enumerate() {
        let Some(listener) = listener else { continue };
        let at = 16 + i * size_of::<Listener>();
        let filtered = if listener.filtered { FILTERED } else { 0 };
        let stacks = if listener.stacks { STACKS } else { 0 };
        let keywords = if listener.any == 0 { u64::MAX } else { listener.any };
        word(at, u64::from(listener.session) | u64::from(listener.generation) << 32);
        word(at + 8, u64::from(threshold(listener.level)) | filtered | stacks);
        word(at + 16, keywords);
        word(at + 24, listener.all);
        used |= 1 << i;
        any |= keywords;
        most = most.max(threshold(listener.level));
    }
    word(8, any);
    table.atomic32(base + 4).store(used, Ordering::Release);
    table.atomic32(base).store(most, Ordering::Release);
}
