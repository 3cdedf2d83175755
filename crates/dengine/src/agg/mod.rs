//! Aggregations: their tables, updated in place as probes fire, and what the consumer does to them.

mod bucket;
mod memo;
pub(crate) mod rates;
mod rekey;

pub(crate) use bucket::Buckets;

use crate::table::{KeyTable, hash};
use tracewell_dlang::program::{AggFunc, Aggregation, Repr};

/// No aggregation grows beyond this many bytes of values whatever `aggsize` says between two drains.
const HARD_LIMIT: usize = 1 << 30;

/// Bytes of an entry in the table of keys.
const ENTRY: usize = KeyTable::ENTRY;

/// The state of an aggregation.
#[derive(Clone, Debug)]
pub(crate) struct AggTable {
    pub(crate) func: AggFunc,
    pub(crate) key_reprs: Vec<Repr>,
    pub(crate) buckets: Option<Buckets>,
    keys: KeyTable,
    /// `stride` words an entry.
    values: Vec<i64>,
    /// The same without what idle processors added, where it is kept.
    busy: Option<Vec<i64>>,
    stride: usize,
    /// A short cut to entries by key registers, where it helps.
    pub(crate) memo: Option<memo::Memo>,
    /// Classic bytes of an entry, as counted against `aggsize`; without it what an entry takes counts.
    entry_cost: Option<u64>,
    /// The divisor of displayed values.
    pub(crate) normal: u64,
    /// `printa` or `trunc` has dealt with it.
    pub(crate) printed: bool,
    /// How often it was cleared.
    cleared: u32,
}

impl AggTable {
    /// The table of an aggregation, whose entries count for their classic size or for what they take; [`None`] when it
    /// would have too many buckets.
    pub(crate) fn new(aggregation: &Aggregation, strsize: u64, classic: bool) -> Option<AggTable> {
        let buckets = match aggregation.func {
            AggFunc::Quantize => Some(Buckets::power_of_two()),
            AggFunc::Lquantize { base, limit, step } => Some(Buckets::linear(base, limit, step)?),
            AggFunc::Llquantize { factor, low, high, steps } => {
                Some(Buckets::log_linear(factor, low, high, steps)?)
            }
            _ => None,
        };
        let stride = match aggregation.func {
            AggFunc::Count | AggFunc::Sum => 1,
            AggFunc::Min | AggFunc::Max | AggFunc::Avg => 2,
            AggFunc::Stddev => 4,
            _ => buckets.as_ref().map_or(1, Buckets::len),
        };
        let keys: u64 = aggregation.keys.iter().map(|r| classic_size(r, strsize)).sum();
        Some(AggTable {
            func: aggregation.func,
            key_reprs: aggregation.keys.clone(),
            buckets,
            keys: KeyTable::default(),
            values: Vec::new(),
            busy: None,
            memo: memo::Memo::new(&aggregation.keys),
            stride,
            entry_cost: classic.then_some(keys + 8 + stride as u64 * 8),
            normal: 1,
            printed: false,
            cleared: 0,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn key(&self, entry: usize) -> &[u8] {
        self.keys.key(entry)
    }

    /// The value words of an entry; empty for none.
    pub(crate) fn value(&self, entry: usize) -> &[i64] {
        self.values.get(entry * self.stride..(entry + 1) * self.stride).unwrap_or_default()
    }

    /// The value words of a packed key, if it has an entry.
    fn find(&self, key: &[u8]) -> Option<&[i64]> {
        let entry = if key.is_empty() { 0 } else { self.keys.find(hash(key), key)? };
        (entry < self.len()).then(|| self.value(entry))
    }

    /// The value words of an entry; empty for none.
    fn value_mut(&mut self, entry: usize) -> &mut [i64] {
        self.values.get_mut(entry * self.stride..(entry + 1) * self.stride).unwrap_or_default()
    }

    /// Begins to keep what processors that are not idle add.
    pub(crate) fn keep_busy(&mut self) {
        self.busy = Some(vec![0; self.values.len()]);
    }

    pub(crate) fn keeps_busy(&self) -> bool {
        self.busy.is_some()
    }

    /// The value words of an entry without what idle processors added; [`None`] where that is not kept.
    pub(crate) fn busy(&self, entry: usize) -> Option<&[i64]> {
        self.busy.as_ref()?.get(entry * self.stride..(entry + 1) * self.stride)
    }

    /// The entry of a packed key, created if necessary. `room` is the rest of `aggsize`; [`None`] is a
    /// drop.
    #[inline]
    pub(crate) fn entry(&mut self, key: &[u8], room: &mut u64) -> Option<usize> {
        if key.is_empty() && self.keys.len() == 1 {
            return Some(0);
        }
        let hash = hash(key);
        match self.keys.find(hash, key) {
            Some(entry) => Some(entry),
            None => self.add(hash, key, room),
        }
    }

    #[cold]
    fn add(&mut self, hash: u64, key: &[u8], room: &mut u64) -> Option<usize> {
        let cost = match self.entry_cost {
            Some(_) if (self.values.len() + self.stride) * 8 > HARD_LIMIT => return None,
            Some(cost) => cost,
            None => (key.len() + ENTRY + self.stride * 8) as u64,
        };
        let left = room.checked_sub(cost)?;
        let entry = self.keys.insert(hash, key)?;
        *room = left;
        self.values.resize(self.values.len() + self.stride, 0);
        if let Some(busy) = &mut self.busy {
            busy.resize(self.values.len(), 0);
        }
        Some(entry)
    }

    /// Feeds an entry so many times.
    #[inline]
    pub(crate) fn update(&mut self, entry: usize, value: i64, increment: i64, times: u64) {
        let start = entry * self.stride;
        if let Some(slots) = self.values.get_mut(start..start + self.stride) {
            feed(self.func, self.buckets.as_ref(), slots, value, increment, times);
        }
    }

    /// Feeds the value without idle processors so many times.
    pub(crate) fn update_busy(&mut self, entry: usize, value: i64, increment: i64, times: u64) {
        let start = entry * self.stride;
        let slots = self.busy.as_mut().and_then(|busy| busy.get_mut(start..start + self.stride));
        if let Some(slots) = slots {
            feed(self.func, self.buckets.as_ref(), slots, value, increment, times);
        }
    }

    /// Bytes that its entries take.
    pub(crate) fn bytes(&self) -> u64 {
        let busy = self.busy.as_ref().map_or(0, Vec::len);
        (self.keys.bytes() + (self.values.len() + busy) * 8) as u64
    }

    /// `clear()`: keys stay, values become zero.
    pub(crate) fn clear(&mut self) {
        self.cleared = self.cleared.wrapping_add(1);
        self.values.fill(0);
        if let Some(busy) = &mut self.busy {
            busy.fill(0);
        }
    }

    /// Keeps only the entries in `keep`, in their order of first use.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut keys = KeyTable::default();
        let mut values = Vec::new();
        let mut busy = self.busy.as_ref().map(|_| Vec::new());
        for entry in (0..self.len()).filter(|&e| keep.get(e) == Some(&true)) {
            let key = self.key(entry);
            if keys.insert(hash(key), key).is_some() {
                values.extend_from_slice(self.value(entry));
                if let Some(busy) = &mut busy {
                    busy.extend_from_slice(self.busy(entry).unwrap_or_default());
                }
            }
        }
        self.keys = keys;
        self.values = values;
        self.busy = busy;
        if let Some(memo) = &mut self.memo {
            memo.clear();
        }
    }

    /// The single number that a plain function shows, before normalization where that commutes.
    pub(crate) fn scalar(&self, value: &[i64], normal: u64) -> i64 {
        let normal = normal.max(1);
        match (self.func, value) {
            (AggFunc::Avg, [total, count]) => match *count {
                0 => 0,
                count => (i128::from(*total) / (i128::from(count) * i128::from(normal))) as i64,
            },
            (AggFunc::Stddev, [total, count, low, high]) => {
                if *count == 0 {
                    return 0;
                }
                let count = u128::from(*count as u64);
                let normal = u128::from(normal);
                let squares = join(*low, *high) / count / normal / normal;
                let mean = u128::from(total.unsigned_abs()) / count / normal;
                squares.saturating_sub(mean.saturating_mul(mean)).isqrt() as i64
            }
            (_, [n, ..]) => (i128::from(*n) / i128::from(normal)) as i64,
            (_, []) => 0,
        }
    }
}

/// Feeds the words of one value so many times.
#[inline]
fn feed(func: AggFunc, buckets: Option<&Buckets>, slots: &mut [i64], value: i64, increment: i64, times: u64) {
    let number = times.cast_signed();
    match (func, slots) {
        (AggFunc::Count, [n]) => *n = n.wrapping_add(number),
        (AggFunc::Sum, [n]) => *n = n.wrapping_add(value.wrapping_mul(number)),
        (AggFunc::Min, [n, count]) => {
            *n = if *count == 0 { value } else { value.min(*n) };
            *count = 1;
        }
        (AggFunc::Max, [n, count]) => {
            *n = if *count == 0 { value } else { value.max(*n) };
            *count = 1;
        }
        (AggFunc::Avg, [total, count]) => {
            *total = total.wrapping_add(value.wrapping_mul(number));
            *count = count.wrapping_add(number);
        }
        (AggFunc::Stddev, [total, count, low, high]) => {
            *total = total.wrapping_add(value.wrapping_mul(number));
            *count = count.wrapping_add(number);
            let square = (i128::from(value) * i128::from(value)) as u128;
            let sum = join(*low, *high).wrapping_add(square.wrapping_mul(u128::from(times)));
            (*low, *high) = (sum as u64 as i64, (sum >> 64) as u64 as i64);
        }
        (_, slots) => {
            let at = buckets.map_or(0, |b| b.place(value));
            if let Some(n) = slots.get_mut(at) {
                *n = n.wrapping_add(increment.wrapping_mul(number));
            }
        }
    }
}

fn join(low: i64, high: i64) -> u128 {
    u128::from(low as u64) | u128::from(high as u64) << 64
}

/// The bytes that a value takes in the original's buffers; drops follow from these, so that sizes in
/// options mean what they meant.
pub(crate) fn classic_size(repr: &Repr, strsize: u64) -> u64 {
    match repr {
        Repr::Int { bytes, .. } => u64::from(*bytes),
        Repr::Str => strsize,
        Repr::Bytes(n) => u64::from(*n),
        Repr::Stack { part, frames, strsize } => {
            (u64::from(*frames) + u64::from(part.has_user())) * 8 + u64::from(*strsize)
        }
        Repr::Symbol(_) => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(func: AggFunc) -> AggTable {
        let aggregation = Aggregation { name: "a".into(), func, keys: vec![], signed: true, time: None };
        AggTable::new(&aggregation, 256, true).unwrap()
    }

    #[test]
    fn plain_functions() {
        for (func, want, normalized) in [
            (AggFunc::Count, 3, 1),
            (AggFunc::Sum, 5, 2),
            (AggFunc::Min, -10, -5),
            (AggFunc::Max, 12, 6),
            (AggFunc::Avg, 1, 0),
            (AggFunc::Stddev, 9, 4),
        ] {
            let mut t = table(func);
            let mut room = 1000;
            let entry = t.entry(&[], &mut room).unwrap();
            for v in [3, -10, 12] {
                t.update(entry, v, 1, 1);
            }
            assert_eq!(t.scalar(t.value(0), 1), want, "{func:?}");
            assert_eq!(t.scalar(t.value(0), 2), normalized, "{func:?} halved");
            t.clear();
            assert_eq!(t.scalar(t.value(0), 1), 0);
            t.update(entry, 7, 1, 1);
            if func != AggFunc::Count && func != AggFunc::Stddev {
                assert_eq!(t.scalar(t.value(0), 1), 7, "{func:?} starts anew after clear");
            }
        }
    }

    /// What processors that are not idle add is kept for each entry, also when entries go, and begins anew after `clear()`.
    #[test]
    fn issue_21_values_without_idle_processors_are_those_of_their_entries() {
        for (func, whole, busy) in [(AggFunc::Count, 3, 2), (AggFunc::Sum, 25, 5), (AggFunc::Max, 20, 3)] {
            let mut t = table(func);
            assert!(!t.keeps_busy() && t.busy(0).is_none());
            t.keep_busy();
            let mut room = 1000;
            let keys = [[1_u8; 8], [2; 8], [3; 8]];
            let [_, second, third] = keys.map(|key| t.entry(&key, &mut room).unwrap());
            for (entry, value, idle) in
                [(second, 20, true), (second, 2, false), (second, 3, false), (third, 9, true)]
            {
                t.update(entry, value, 1, 1);
                if !idle {
                    t.update_busy(entry, value, 1, 1);
                }
            }
            t.retain(&[false, true, true]);
            assert_eq!((t.len(), t.key(0), t.key(1)), (2, &keys[1][..], &keys[2][..]));
            let both = |t: &AggTable, at: usize| (t.scalar(t.value(at), 1), t.scalar(t.busy(at).unwrap(), 1));
            assert_eq!(both(&t, 0), (whole, busy), "{func:?}");
            assert_eq!(both(&t, 1).1, 0, "{func:?}");
            t.clear();
            assert_eq!(both(&t, 0), (0, 0), "{func:?} starts anew");
            assert!(t.bytes() >= 2 * 8 * 2);
        }
    }

    #[test]
    fn issue_16_many_firings_at_once_are_as_many_single_ones() {
        for func in [
            AggFunc::Count,
            AggFunc::Sum,
            AggFunc::Min,
            AggFunc::Max,
            AggFunc::Avg,
            AggFunc::Stddev,
            AggFunc::Quantize,
            AggFunc::Lquantize { base: -5, limit: 50, step: 5 },
            AggFunc::Llquantize { factor: 2, low: 0, high: 6, steps: 2 },
        ] {
            let (mut apart, mut at_once, mut room) = (table(func), table(func), 100_000);
            let entries = [&mut apart, &mut at_once].map(|t| t.entry(&[], &mut room).unwrap());
            for (value, increment, times) in [(3, 1, 7), (-9, 2, 1), (40, 3, 12), (i64::MAX, 1, 3)] {
                (0..times).for_each(|_| apart.update(entries[0], value, increment, 1));
                at_once.update(entries[1], value, increment, times);
            }
            assert_eq!(apart.value(0), at_once.value(0), "{func:?}");
        }
    }

    #[test]
    fn stddev_of_large_numbers_does_not_overflow() {
        let mut t = table(AggFunc::Stddev);
        let mut room = 1000;
        let e = t.entry(&[], &mut room).unwrap();
        for i in 0..10 {
            t.update(e, -(7_000_000_000_000 + i * 100), 1, 1);
        }
        assert_eq!(t.scalar(t.value(0), 1), 287);
    }

    #[test]
    fn a_full_aggregation_drops() {
        let mut t = table(AggFunc::Count);
        let mut room = 40;
        assert_eq!(t.entry(b"a", &mut room), Some(0));
        assert_eq!(t.entry(b"b", &mut room), Some(1));
        assert_eq!(t.entry(b"c", &mut room), None);
        assert_eq!(t.entry(b"a", &mut room), Some(0));
    }
}
