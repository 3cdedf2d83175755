//! Dynamic variables: thread-local and associative ones, in a bounded store.
//!
//! Each variable takes a block in the store ([`DynStore`]) that holds its value, if that is kept by value in memory,
//! and its key. Blocks are reused by size class. What counts against `dynvarsize` is the classic cost
//! of a variable, in which a string key takes `strsize` bytes, or, where room grows, what it takes here.

use crate::memory::{DynStore, Place};
use crate::table::hash;

/// The overhead of a variable in the original, in addition to its keys and value.
const OVERHEAD: u64 = 96;
/// The overhead here in addition to its block: its entry, its share of the index, and the position of
/// its storage.
const ENTRY: u64 = size_of::<Entry>() as u64 + 16;
/// Smallest block; classes are powers of two from here.
const MIN_BLOCK: usize = 16;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    hash: u64,
    /// The value of a scalar.
    value: u64,
    /// Start of the block in the store.
    block: u32,
    key_len: u32,
    /// Bytes of by-reference storage before the key.
    storage: u32,
    /// By what addresses name that storage, where there is any.
    place: Option<Place>,
    /// Its share of the limit.
    cost: u32,
}

/// The store's index; the bytes themselves are a [`DynStore`].
#[derive(Debug, Default)]
pub(crate) struct DynVars {
    index: Vec<u32>,
    entries: Vec<Entry>,
    free_entries: Vec<u32>,
    free_blocks: Vec<Vec<u32>>,
    used: u64,
    limit: u64,
}

/// A variable that is in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(u32);

impl DynVars {
    pub(crate) fn new(limit: u64) -> DynVars {
        DynVars { limit, ..DynVars::default() }
    }

    #[inline]
    pub(crate) fn find(&self, store: &DynStore, key: &[u8]) -> Option<Handle> {
        self.slot(store, hash(key), key).map(|(_, number)| Handle(number))
    }

    #[inline]
    fn slot(&self, store: &DynStore, hash: u64, key: &[u8]) -> Option<(usize, u32)> {
        let mask = self.index.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        loop {
            let number = self.index.get(slot)?.checked_sub(1)?;
            let entry = self.entries.get(number as usize)?;
            if entry.hash == hash && self.key(store, entry) == key {
                return Some((slot, number));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn key<'s>(&self, store: &'s DynStore, entry: &Entry) -> &'s [u8] {
        let start = entry.block as usize + entry.storage as usize;
        store.bytes.get(start..start + entry.key_len as usize).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn value(&self, handle: Handle) -> u64 {
        self.entries.get(handle.0 as usize).map_or(0, |e| e.value)
    }

    #[inline]
    pub(crate) fn set(&mut self, handle: Handle, value: u64) {
        if let Some(entry) = self.entries.get_mut(handle.0 as usize) {
            entry.value = value;
        }
    }

    /// The number of variables whose keys begin with `head`. Scans all variables.
    pub(crate) fn count(&self, store: &DynStore, head: &[u8]) -> u64 {
        let live = self.index.iter().filter_map(|number| number.checked_sub(1));
        let entries = live.filter_map(|number| self.entries.get(number as usize));
        entries.filter(|entry| self.key(store, entry).starts_with(head)).count() as u64
    }

    /// Bytes of by-reference storage.
    pub(crate) fn room(&self, handle: Handle) -> u32 {
        self.entries.get(handle.0 as usize).map_or(0, |entry| entry.storage)
    }

    /// Offset of by-reference storage in its region.
    #[inline]
    pub(crate) fn storage(&self, handle: Handle) -> u64 {
        self.entries.get(handle.0 as usize).and_then(|e| e.place).map_or(0, Place::offset)
    }

    /// Adds a variable with `storage` bytes of zeroed by-reference storage, which counts for its classic size or for
    /// what it takes; [`None`] when the store is full.
    pub(crate) fn create(
        &mut self,
        store: &mut DynStore,
        key: &[u8],
        storage: u32,
        classic_size: Option<u64>,
    ) -> Option<Handle> {
        let shown = storage;
        let storage = storage.checked_next_multiple_of(8)?;
        let class = class_of((storage as usize).checked_add(key.len())?);
        let size = MIN_BLOCK << class;
        let cost = classic_size.map_or(ENTRY + size as u64, |n| OVERHEAD + n);
        let cost = u32::try_from(cost).ok()?;
        if self.used + u64::from(cost) > self.limit {
            return None;
        }
        let block = match self.free_blocks.get_mut(class).and_then(Vec::pop) {
            Some(block) => block,
            None => {
                let block = u32::try_from(store.bytes.len()).ok()?;
                u32::try_from(store.bytes.len() + size).ok()?;
                store.bytes.resize(store.bytes.len() + size, 0);
                block
            }
        };
        let place = match shown {
            0 => None,
            _ => match store.name(block, shown) {
                None => {
                    self.give_back(class, block);
                    return None;
                }
                place => place,
            },
        };
        let start = block as usize;
        let bytes = store.bytes.get_mut(start..start + size)?;
        bytes[..storage as usize].fill(0);
        bytes[storage as usize..storage as usize + key.len()].copy_from_slice(key);
        let hash = hash(key);
        let entry = Entry { hash, value: 0, block, key_len: key.len() as u32, storage, place, cost };
        let number = match self.free_entries.pop() {
            Some(number) => {
                self.entries[number as usize] = entry;
                number
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.used += u64::from(cost);
        let live = self.entries.len() - self.free_entries.len();
        if live * 4 > self.index.len() * 3 {
            self.grow(number);
        }
        self.place(hash, number);
        Some(Handle(number))
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
        while self.index[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.index[slot] = number + 1;
    }

    /// Doubles the index, leaving out the entry that is about to be placed.
    fn grow(&mut self, except: u32) {
        let size = (self.index.len() * 2).max(64);
        let old = std::mem::replace(&mut self.index, vec![0; size]);
        for number in old.into_iter().filter_map(|n| n.checked_sub(1)).filter(|&n| n != except) {
            self.place(self.entries[number as usize].hash, number);
        }
    }

    /// Removes a variable, if it is there.
    pub(crate) fn remove(&mut self, store: &mut DynStore, key: &[u8]) {
        let Some((mut hole, number)) = self.slot(store, hash(key), key) else { return };
        let mask = self.index.len() - 1;
        // Backward shift: move up what would not be found past the hole.
        let mut next = (hole + 1) & mask;
        while self.index[next] != 0 {
            let home = self.entries[self.index[next] as usize - 1].hash as usize & mask;
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.index[hole] = self.index[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.index[hole] = 0;
        let entry = self.entries[number as usize];
        self.give_back(class_of(entry.storage as usize + entry.key_len as usize), entry.block);
        if let Some(place) = entry.place {
            store.forget(place);
        }
        self.free_entries.push(number);
        self.used -= u64::from(entry.cost);
    }

    /// Removes the variables whose keys `keep` refuses.
    pub(crate) fn retain(&mut self, store: &mut DynStore, keep: impl Fn(&[u8]) -> bool) {
        let live = self.index.iter().filter_map(|number| number.checked_sub(1));
        let keys =
            live.filter_map(|number| self.entries.get(number as usize)).map(|entry| self.key(store, entry));
        let removed: Vec<Vec<u8>> = keys.filter(|key| !keep(key)).map(<[u8]>::to_vec).collect();
        removed.iter().for_each(|key| self.remove(store, key));
    }

    /// A block that another variable may take.
    fn give_back(&mut self, class: usize, block: u32) {
        if self.free_blocks.len() <= class {
            self.free_blocks.resize(class + 1, Vec::new());
        }
        self.free_blocks[class].push(block);
    }
}

fn class_of(size: usize) -> usize {
    (size.max(MIN_BLOCK).next_power_of_two() / MIN_BLOCK).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_and_go() {
        let mut store = DynStore::default();
        let mut vars = DynVars::new(1 << 20);
        let key = |i: u32| i.to_le_bytes();
        for round in 0..3 {
            for i in 0..1000u32 {
                let h = vars.create(&mut store, &key(i), 0, Some(16)).unwrap();
                vars.set(h, u64::from(i) + round);
            }
            for i in (0..1000).step_by(2) {
                vars.remove(&mut store, &key(i));
            }
            for i in 0..1000u32 {
                let got = vars.find(&store, &key(i)).map(|h| vars.value(h));
                assert_eq!(got, (i % 2 == 1).then_some(u64::from(i) + round), "{i}");
            }
            for i in 0..1000 {
                vars.remove(&mut store, &key(i));
            }
            assert_eq!(vars.used, 0);
        }
        assert_eq!(store.bytes.len(), 1000 * 16, "blocks are reused");
    }

    #[test]
    fn a_full_store_takes_no_more() {
        let mut store = DynStore::default();
        let mut vars = DynVars::new(250);
        assert!(vars.create(&mut store, b"a", 0, Some(16)).is_some());
        assert!(vars.create(&mut store, b"b", 0, Some(16)).is_some());
        assert!(vars.create(&mut store, b"c", 0, Some(16)).is_none());
        vars.remove(&mut store, b"a");
        assert!(vars.create(&mut store, b"c", 0, Some(16)).is_some());
    }
}
