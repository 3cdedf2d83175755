//! Sums by slot of time, of things that are numbered as they are met.

use std::borrow::Borrow;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::limits::Limits;
use crate::slots::{Slots, Sum};

/// How often something happened, how much it moved, and how long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many.
    pub count: u64,
    /// Bytes, or another amount.
    pub amount: u64,
    /// Nanoseconds.
    pub took: i64,
    /// The longest.
    pub longest: i64,
}

impl Sums {
    /// The sums of one.
    #[must_use]
    pub fn one(amount: u64, took: i64) -> Sums {
        Sums { count: 1, amount, took, longest: took }
    }
}

impl Sum for Sums {
    fn absorb(&mut self, other: Sums) {
        self.count += other.count;
        self.amount = self.amount.saturating_add(other.amount);
        self.took = self.took.saturating_add(other.took);
        self.longest = self.longest.max(other.longest);
    }
}

/// The number of everything beyond the limit.
pub const OTHERS: u32 = u32::MAX;
/// Most things that are distinguished.
const MOST: usize = 1 << 16;

/// Things by number, in the order in which they were met.
#[derive(Clone, Debug)]
pub struct Numbers<K> {
    keys: Vec<K>,
    numbers: FxHashMap<K, u32>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers { keys: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<K: Clone + Eq + Hash> Numbers<K> {
    /// The number of a thing: a new one if it is met for the first time, [`OTHERS`] if too many were.
    pub fn number(&mut self, key: &K) -> u32 {
        self.number_of(key, K::clone)
    }

    fn number_of<Q: Eq + Hash + ?Sized>(&mut self, key: &Q, own: impl Fn(&Q) -> K) -> u32
    where
        K: Borrow<Q>,
    {
        if let Some(&known) = self.numbers.get(key) {
            return known;
        }
        if self.keys.len() >= MOST {
            return OTHERS;
        }
        let number = self.keys.len() as u32;
        self.keys.push(own(key));
        self.numbers.insert(own(key), number);
        number
    }

    /// The thing with a number; [`None`] for those beyond the limit.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&K> {
        self.keys.get(number as usize)
    }
}

/// Names by number.
pub type Names = Numbers<Box<str>>;

impl Names {
    /// The number of a name.
    pub fn of(&mut self, name: &str) -> u32 {
        self.number_of(name, |name| name.into())
    }

    /// The name with a number.
    #[must_use]
    pub fn name(&self, number: u32) -> &str {
        self.get(number).map_or("(others)", |name| name)
    }
}

/// Durations with their starts, of things that are numbered as they are met.
#[derive(Clone, Debug)]
pub struct Timed<K> {
    /// The things.
    pub keys: Numbers<K>,
    /// Start, number and length of each duration, by end.
    pub items: Vec<(i64, u32, i64)>,
    /// Durations beyond the limit.
    pub dropped: u64,
    pub(crate) limits: Limits,
}

impl<K> Default for Timed<K> {
    fn default() -> Timed<K> {
        Timed { keys: Numbers::default(), items: Vec::new(), dropped: 0, limits: Limits::default() }
    }
}

impl<K: Clone + Eq + Hash> Timed<K> {
    /// Adds a duration.
    pub fn add(&mut self, start: i64, key: &K, length: i64) {
        if self.items.len() >= self.limits.durations {
            self.dropped += 1;
            return;
        }
        let number = self.keys.number(key);
        self.items.push((start, number, length));
    }

    /// The durations by thing, in the order of the numbers of things.
    #[must_use]
    pub fn by_key(&self) -> Vec<(&K, Vec<i64>)> {
        let mut all: Vec<(&K, Vec<i64>)> = self.keys.keys.iter().map(|key| (key, Vec::new())).collect();
        for (_, number, length) in &self.items {
            if let Some((_, lengths)) = all.get_mut(*number as usize) {
                lengths.push(*length);
            }
        }
        all
    }
}

/// Sums by slot of time and thing.
#[derive(Clone, Debug)]
pub struct Ledger<K> {
    /// The things.
    pub keys: Numbers<K>,
    /// Their sums by slot and number.
    pub cells: Slots<u32, Sums>,
}

impl<K> Default for Ledger<K> {
    fn default() -> Ledger<K> {
        Ledger { keys: Numbers::default(), cells: Slots::default() }
    }
}

impl<K: Clone + Eq + Hash> Ledger<K> {
    /// Adds to a thing at a time.
    pub fn add(&mut self, time: i64, key: &K, sums: Sums) {
        let number = self.keys.number(key);
        self.cells.add(time, number, sums);
    }

    /// Returns `true` if nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.cells.is_empty()
    }

    /// The sums of each thing over all of the time, in the order of their numbers; [`None`] are those beyond the limit.
    #[must_use]
    pub fn rows(&self) -> Vec<(Option<&K>, Sums)> {
        let mut rows: Vec<(u32, Sums)> = self.cells.total_by(|_| true, |number| number).into_iter().collect();
        rows.sort_unstable_by_key(|(number, _)| *number);
        rows.into_iter().map(|(number, sums)| (self.keys.get(number), sums)).collect()
    }

    /// The sums of all things that match.
    #[must_use]
    pub fn total(&self, matches: impl Fn(&K) -> bool) -> Sums {
        let mut total = Sums::default();
        for ((_, number), sums) in &self.cells.cells {
            if self.keys.get(*number).is_some_and(&matches) {
                total.absorb(*sums);
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_limit_is_summed_as_others() {
        let mut ledger: Ledger<usize> = Ledger::default();
        for key in 0..MOST + 7 {
            ledger.add(0, &key, Sums::one(key as u64, 2));
        }
        ledger.add(1_000_000_000, &3, Sums::one(5, 9));
        let rows = ledger.rows();
        assert_eq!(rows.len(), MOST + 1);
        assert_eq!(rows[3], (Some(&3), Sums { count: 2, amount: 8, took: 11, longest: 9 }));
        assert_eq!(rows.last().map(|(key, sums)| (*key, sums.count)), Some((None, 7)));
        assert_eq!(ledger.total(|key| *key < 2), Sums { count: 2, amount: 1, took: 4, longest: 2 });
        let mut names = Names::default();
        assert_eq!((names.of("a"), names.of("b"), names.of("a")), (0, 1, 0));
        assert_eq!((names.name(1), names.name(OTHERS)), ("b", "(others)"));
    }

    #[test]
    fn issue_23_durations_are_kept_by_thing_up_to_a_limit() {
        let mut timed: Timed<&str> = Timed::default();
        for (start, key, length) in [(1, "a", 10), (2, "b", 20), (3, "a", 30)] {
            timed.add(start, &key, length);
        }
        assert_eq!(timed.by_key(), [(&"a", vec![10, 30]), (&"b", vec![20])]);
        assert_eq!(timed.items, [(1, 0, 10), (2, 1, 20), (3, 0, 30)]);
        (3..MOST as i64 + 2).for_each(|start| timed.add(start, &"a", 1));
        assert_eq!((timed.items.len(), timed.dropped), (MOST, 2));
        let ledger: Ledger<u8> = Ledger::default();
        assert!(ledger.is_empty() && ledger.rows().is_empty());
    }
}
