//! The way from key registers straight to an entry, for keys that were looked up before.
//!
//! A string key is mostly a name that the host keeps for the whole run (a program, a probe): the same
//! address then always means the same bytes, and they need not be read, copied and hashed again. A
//! memo remembers the entry of a few such register tuples; the table of entries stays the truth.

use tracewell_dlang::program::Repr;

/// Tuples of more registers are not remembered.
const MOST_KEYS: usize = 2;
const SLOTS: usize = 64;

/// Entries by key registers.
#[derive(Clone, Debug)]
pub(crate) struct Memo {
    /// Which of the registers are addresses of strings; all others are integers.
    strings: [bool; MOST_KEYS],
    count: usize,
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    keys: [u64; MOST_KEYS],
    /// Number of the entry plus one; 0 is free.
    entry: u32,
}

const FREE: Slot = Slot { keys: [0; MOST_KEYS], entry: 0 };

impl Memo {
    /// A memo for these keys; [`None`] when it would not help: without a string there is nothing to save.
    pub(crate) fn new(keys: &[Repr]) -> Option<Memo> {
        let plain = keys.iter().all(|r| matches!(r, Repr::Int { .. } | Repr::Str));
        if !plain || keys.len() > MOST_KEYS || !keys.contains(&Repr::Str) {
            return None;
        }
        let mut strings = [false; MOST_KEYS];
        for (flag, repr) in strings.iter_mut().zip(keys) {
            *flag = *repr == Repr::Str;
        }
        Some(Memo { strings, count: keys.len(), slots: vec![FREE; SLOTS] })
    }

    /// The key registers, when each string among them stays as it is for the run.
    #[inline]
    pub(crate) fn keys(&self, values: &[u64], lasting: impl Fn(u64) -> bool) -> Option<[u64; MOST_KEYS]> {
        let mut keys = [0; MOST_KEYS];
        for (at, key) in keys.iter_mut().enumerate().take(self.count) {
            *key = *values.get(at)?;
            if self.strings[at] && !lasting(*key) {
                return None;
            }
        }
        Some(keys)
    }

    #[inline]
    fn place(keys: &[u64; MOST_KEYS]) -> usize {
        let mixed = (keys[0] ^ keys[1].rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }

    /// The entry that these registers had last time.
    #[inline]
    pub(crate) fn find(&self, keys: &[u64; MOST_KEYS]) -> Option<usize> {
        let slot = self.slots.get(Memo::place(keys))?;
        (slot.entry != 0 && slot.keys == *keys).then(|| slot.entry as usize - 1)
    }

    /// Remembers an entry.
    #[inline]
    pub(crate) fn note(&mut self, keys: [u64; MOST_KEYS], entry: usize) {
        if let (Some(slot), Ok(entry)) = (self.slots.get_mut(Memo::place(&keys)), u32::try_from(entry + 1)) {
            *slot = Slot { keys, entry };
        }
    }

    /// Forgets all: entries have been renumbered.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(FREE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lasting_strings_are_remembered() {
        let int = Repr::Int { bytes: 4, signed: true };
        assert!(Memo::new(std::slice::from_ref(&int)).is_none());
        assert!(Memo::new(&[Repr::Str, int.clone(), Repr::Str]).is_none());
        let mut memo = Memo::new(&[Repr::Str, int]).unwrap();
        assert_eq!(memo.keys(&[7, 8], |_| false), None);
        let keys = memo.keys(&[7, 8, 99], |address| address == 7).unwrap();
        assert_eq!(memo.find(&keys), None);
        memo.note(keys, 0);
        assert_eq!(memo.find(&keys), Some(0));
        assert_eq!(memo.find(&[7, 9]), None);
        memo.clear();
        assert_eq!(memo.find(&keys), None);
    }
}
