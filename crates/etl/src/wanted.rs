//! Selects the records that a cursor delivers; the others are stepped over before merging.

use crate::def::record::HeaderKind;

/// A selection of records by their first bytes: kernel records by hook, the others by type of
/// header. It contains only numbers; schemas give them meaning.
#[derive(Clone, PartialEq, Eq)]
pub struct Wanted {
    /// A bit for each `group << 8 | opcode`.
    hooks: Box<[u64; 1 << 10]>,
    /// Any kernel record whose header names a thread (SYSTEM and COMPACT headers), whatever its hook.
    pub named: bool,
    /// Class events (FULL and INSTANCE headers).
    pub classes: bool,
    /// Provider events (EVENT headers).
    pub events: bool,
    /// Trace messages and whatever else there is.
    pub others: bool,
}

impl Wanted {
    /// No record at all.
    #[must_use]
    pub fn nothing() -> Wanted {
        Wanted { hooks: Box::new([0; 1 << 10]), named: false, classes: false, events: false, others: false }
    }

    /// Adds the kernel records of a hook (`group << 8 | opcode`).
    pub fn add_hook(&mut self, hook: u16) {
        self.hooks[usize::from(hook >> 6)] |= 1 << (hook & 63);
    }

    /// Returns `true` if a record with this header and, for kernel records, hook is wanted.
    #[inline]
    pub(crate) fn has(&self, kind: HeaderKind, hook: u16) -> bool {
        let hooked = || self.hooks[usize::from(hook >> 6)] >> (hook & 63) & 1 != 0;
        match kind {
            HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 => hooked(),
            HeaderKind::SYSTEM32 | HeaderKind::SYSTEM64 | HeaderKind::COMPACT32 | HeaderKind::COMPACT64 => {
                self.named || hooked()
            }
            HeaderKind::EVENT32 | HeaderKind::EVENT64 => self.events,
            HeaderKind::FULL32 | HeaderKind::FULL64 | HeaderKind::INSTANCE32 | HeaderKind::INSTANCE64 => {
                self.classes
            }
            _ => self.others,
        }
    }
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hooks: u32 = self.hooks.iter().map(|w| w.count_ones()).sum();
        f.debug_struct("Wanted")
            .field("hooks", &hooks)
            .field("named", &self.named)
            .field("classes", &self.classes)
            .field("events", &self.events)
            .field("others", &self.others)
            .finish()
    }
}
