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
}

/// What is [`Wanted`], in the form in which it is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    wanted: Wanted,
    /// A bit for each type of header of which all records are wanted.
    whole: u32,
}

impl Choice {
    /// The types of headers whose records have hooks, as bits.
    const KERNEL: u32 = Choice::NAMED | Choice::bits(&[HeaderKind::PERFINFO32, HeaderKind::PERFINFO64]);
    const NAMED: u32 = Choice::bits(&[
        HeaderKind::SYSTEM32,
        HeaderKind::SYSTEM64,
        HeaderKind::COMPACT32,
        HeaderKind::COMPACT64,
    ]);
    const EVENTS: u32 = Choice::bits(&[HeaderKind::EVENT32, HeaderKind::EVENT64]);
    const CLASSES: u32 = Choice::bits(&[
        HeaderKind::FULL32,
        HeaderKind::FULL64,
        HeaderKind::INSTANCE32,
        HeaderKind::INSTANCE64,
    ]);

    /// All known types have numbers below 32.
    const fn bits(kinds: &[HeaderKind]) -> u32 {
        let (mut bits, mut at) = (0, 0);
        while at < kinds.len() {
            bits |= 1 << kinds[at].0;
            at += 1;
        }
        bits
    }

    pub(crate) fn of(wanted: Wanted) -> Choice {
        let part = |is_wanted: bool, kinds: u32| if is_wanted { kinds } else { 0 };
        let others = !(Choice::KERNEL | Choice::EVENTS | Choice::CLASSES);
        let whole = part(wanted.named, Choice::NAMED)
            | part(wanted.events, Choice::EVENTS)
            | part(wanted.classes, Choice::CLASSES)
            | part(wanted.others, others);
        Choice { wanted, whole }
    }

    /// Returns `true` if a record with this header, which must be a known one, and, for kernel records, hook is wanted.
    #[inline]
    pub(crate) fn has(&self, kind: HeaderKind, hook: u16) -> bool {
        let hooked = self.wanted.hooks[usize::from(hook >> 6)] >> (hook & 63) & 1 != 0;
        let bits = if hooked { self.whole | Choice::KERNEL } else { self.whole };
        bits >> (kind.0 & 31) & 1 != 0
    }

    /// Returns `true` if records that may have no time are wanted.
    #[inline]
    pub(crate) fn has_untimed(&self) -> bool {
        self.wanted.others
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
