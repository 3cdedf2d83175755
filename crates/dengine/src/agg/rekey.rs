//! Entries under other keys, and those that come to have one key put together.

use super::{AggTable, join};
use crate::table::hash;
use tracewell_dlang::program::AggFunc;

impl AggTable {
    /// Replaces the key of each entry by the result of `key`. Entries with the same new key are merged, at the
    /// position of the first.
    pub(crate) fn rekey(&mut self, mut key: impl FnMut(&[u8]) -> Vec<u8>) {
        let (keys, values) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.values));
        if let Some(memo) = &mut self.memo {
            memo.clear();
        }
        for (entry, value) in values.chunks_exact(self.stride).enumerate() {
            let key = key(keys.key(entry));
            let hash = hash(&key);
            match self.keys.find(hash, &key) {
                Some(at) => self.take_in(at, value),
                None if self.keys.insert(hash, &key).is_some() => self.values.extend_from_slice(value),
                None => {}
            }
        }
    }

    /// Adds the value of another entry to that of one.
    pub(crate) fn take_in(&mut self, entry: usize, other: &[i64]) {
        let start = entry * self.stride;
        let Some(slots) = self.values.get_mut(start..start + self.stride) else { return };
        match (self.func, slots, other) {
            (AggFunc::Min | AggFunc::Max, [n, count], [value, others]) => {
                let better = match self.func {
                    AggFunc::Min => *value < *n,
                    _ => *value > *n,
                };
                if *others != 0 && (*count == 0 || better) {
                    (*n, *count) = (*value, *others);
                }
            }
            (AggFunc::Stddev, [total, count, low, high], [more, number, other_low, other_high]) => {
                *total = total.wrapping_add(*more);
                *count = count.wrapping_add(*number);
                let sum = join(*low, *high).wrapping_add(join(*other_low, *other_high));
                (*low, *high) = (sum as u64 as i64, (sum >> 64) as u64 as i64);
            }
            (_, slots, other) => {
                for (slot, value) in slots.iter_mut().zip(other) {
                    *slot = slot.wrapping_add(*value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracewell_dlang::program::Aggregation;

    #[test]
    fn values_are_put_together() {
        for (func, want) in [
            (AggFunc::Count, 5),
            (AggFunc::Sum, 40),
            (AggFunc::Min, -10),
            (AggFunc::Max, 30),
            (AggFunc::Avg, 8),
            (AggFunc::Stddev, 13),
        ] {
            let aggregation = Aggregation { name: "a".into(), func, keys: vec![], signed: true, time: None };
            let mut apart = AggTable::new(&aggregation, 256, true).unwrap();
            let mut room = 1000;
            let (one, two) = (apart.entry(b"a", &mut room).unwrap(), apart.entry(b"b", &mut room).unwrap());
            [30, 2, 3].iter().for_each(|&v| apart.update(one, v, 1, 1));
            [-10, 15].iter().for_each(|&v| apart.update(two, v, 1, 1));
            let second = apart.value(two).to_vec();
            apart.take_in(one, &second);
            assert_eq!(apart.scalar(apart.value(one), 1), want, "{func:?}");
        }
    }
}
