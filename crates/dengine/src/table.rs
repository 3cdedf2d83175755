//! An open-addressing table from packed key bytes to entry numbers, and its hash.
//!
//! Keys live one after another in one array; entries are numbered in order of first use, which is
//! also the order that ties are broken by. Nothing is removed one by one: a consumer that drops
//! entries rebuilds the table.

/// A fast hash of a key's bytes. Not keyed: the tables are bounded by the run's options, and keys come
/// from a trace, not from a network peer who waits for an answer.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const A: u64 = 0x9e37_79b9_7f4a_7c15;
    const B: u64 = 0xd1b5_4a32_d192_ed03;
    #[inline]
    fn fold(a: u64, b: u64) -> u64 {
        let wide = u128::from(a) * u128::from(b);
        (wide as u64) ^ (wide >> 64) as u64
    }
    let mut state = A;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        state = fold(state ^ u64::from_le_bytes(*word), B);
    }
    if !rest.is_empty() {
        let mut last = [0u8; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        state = fold(state ^ u64::from_le_bytes(last), B);
    }
    fold(state ^ B, A.wrapping_add(bytes.len() as u64))
}

/// Returns `true` if two keys are equal. Keys are short and mostly whole words: cheaper here than a
/// call.
#[inline]
fn same(x: &[u8], y: &[u8]) -> bool {
    let ((xs, x_rest), (ys, y_rest)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    xs.len() == ys.len()
        && xs.iter().zip(ys).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && x_rest.len() == y_rest.len()
        && (x_rest.is_empty() || x_rest == y_rest)
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    start: u32,
    len: u32,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyTable {
    /// Entry number plus one; 0 is free. A power of two long.
    index: Vec<u32>,
    entries: Vec<Entry>,
    keys: Vec<u8>,
}

impl KeyTable {
    /// Bytes of an entry besides its key: its place among the entries and its share of the index.
    pub(crate) const ENTRY: usize = size_of::<Entry>() + 8;

    /// Bytes that keys and entries take.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.len() + self.entries.len() * Self::ENTRY
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The key of an entry.
    pub(crate) fn key(&self, entry: usize) -> &[u8] {
        self.entries
            .get(entry)
            .and_then(|e| self.keys.get(e.start as usize..e.start as usize + e.len as usize))
            .unwrap_or_default()
    }

    /// The entry of a key.
    #[inline]
    pub(crate) fn find(&self, hash: u64, key: &[u8]) -> Option<usize> {
        let mask = self.index.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        loop {
            let number = *self.index.get(slot)?;
            if number == 0 {
                return None;
            }
            let entry = self.entries.get(number as usize - 1)?;
            let start = entry.start as usize;
            if entry.hash == hash
                && self.keys.get(start..start + entry.len as usize).is_some_and(|k| same(k, key))
            {
                return Some(number as usize - 1);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a key that is not there. [`None`] when the key store is beyond 4 GiB.
    #[cold]
    pub(crate) fn insert(&mut self, hash: u64, key: &[u8]) -> Option<usize> {
        let start = u32::try_from(self.keys.len()).ok()?;
        let len = u32::try_from(key.len()).ok()?;
        let number = u32::try_from(self.entries.len() + 1).ok()?;
        start.checked_add(len)?;
        self.keys.extend_from_slice(key);
        self.entries.push(Entry { hash, start, len });
        if self.entries.len() * 4 > self.index.len() * 3 {
            self.grow();
        } else {
            self.place(hash, number);
        }
        Some(number as usize - 1)
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
        while self.index[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.index[slot] = number;
    }

    fn grow(&mut self) {
        let size = (self.index.len() * 2).max(16);
        self.index.clear();
        self.index.resize(size, 0);
        for i in 0..self.entries.len() {
            self.place(self.entries[i].hash, i as u32 + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_again_and_keep_their_order() {
        let mut table = KeyTable::default();
        assert_eq!(table.find(hash(b"x"), b"x"), None);
        for i in 0..10_000u32 {
            let key = format!("key {i}");
            let h = hash(key.as_bytes());
            assert_eq!(table.find(h, key.as_bytes()), None);
            assert_eq!(table.insert(h, key.as_bytes()), Some(i as usize));
        }
        for i in 0..10_000u32 {
            let key = format!("key {i}");
            assert_eq!(table.find(hash(key.as_bytes()), key.as_bytes()), Some(i as usize));
            assert_eq!(table.key(i as usize), key.as_bytes());
        }
        assert_eq!(table.len(), 10_000);
    }

    #[test]
    fn the_hash_sees_every_byte_and_the_length() {
        let mut seen = std::collections::HashSet::new();
        for len in 0..20usize {
            let base = vec![0u8; len];
            assert!(seen.insert(hash(&base)));
            for at in 0..len {
                let mut other = base.clone();
                other[at] = 1;
                assert!(seen.insert(hash(&other)), "{len} {at}");
            }
        }
    }
}
