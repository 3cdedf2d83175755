//! What is added to aggregations in a second, for pictures that are drawn while a run goes on.

use std::mem;

use tracewell_dlang::program::AggFunc;

use super::AggTable;

/// A second, the shortest time over which rates are taken once a run is that old.
const SECOND: i64 = 1_000_000_000;

/// The shortest time over which rates are taken at the beginning of a run.
const LEAST: i64 = SECOND / 10;

/// Copies of the tables from which rates are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    /// The newest copy that is at least a second old, or the first.
    base: Option<Copy>,
    /// The newest copy.
    next: Option<Copy>,
}

/// The tables at a time in nanoseconds.
#[derive(Clone, Debug)]
struct Copy {
    at: i64,
    tables: Vec<AggTable>,
}

impl Rates {
    /// Copies the tables at a time in nanoseconds, if the newest copy is a second old.
    pub(crate) fn note(&mut self, at: i64, tables: &[AggTable]) {
        let copy = || Some(Copy { at, tables: tables.to_vec() });
        match &self.next {
            None => (self.base, self.next) = (copy(), copy()),
            Some(next) if at.saturating_sub(next.at) < SECOND => {}
            Some(_) => self.base = mem::replace(&mut self.next, copy()),
        }
    }

    /// The table of an aggregation with what was added to each entry in a second, rounded. Values of functions that do not
    /// add stay as they are.
    pub(crate) fn of(&self, number: usize, table: &AggTable, now: i64) -> AggTable {
        let mut rates = table.clone();
        if !matches!(table.func, AggFunc::Count | AggFunc::Sum) && table.buckets.is_none() {
            return rates;
        }
        let elapsed = self.base.as_ref().map_or(0, |base| now.saturating_sub(base.at));
        let before = self.base.as_ref().and_then(|base| base.tables.get(number));
        // What was cleared begins again.
        let before = before.filter(|before| before.cleared == table.cleared);
        for entry in 0..table.len() {
            let old = before.and_then(|before| before.find(table.key(entry))).unwrap_or_default();
            for (word, value) in rates.value_mut(entry).iter_mut().enumerate() {
                let added = value.wrapping_sub(old.get(word).copied().unwrap_or(0));
                *value = if elapsed < LEAST { 0 } else { per_second(added, elapsed) };
            }
        }
        rates
    }
}

fn per_second(added: i64, elapsed: i64) -> i64 {
    let (added, elapsed) = (i128::from(added) * i128::from(SECOND), i128::from(elapsed));
    let half = elapsed / 2 * added.signum();
    i64::try_from((added + half) / elapsed).unwrap_or(if added < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use tracewell_dlang::program::Aggregation;

    use super::*;

    fn table(func: AggFunc) -> AggTable {
        let aggregation = Aggregation { name: "a".into(), func, keys: Vec::new(), signed: true, time: None };
        AggTable::new(&aggregation, 256, false).unwrap()
    }

    fn add(table: &mut AggTable, key: &[u8], value: i64, times: u64) {
        let entry = table.entry(key, &mut 1_000_000).unwrap();
        table.update(entry, value, 1, times);
    }

    fn values(table: &AggTable) -> Vec<(Vec<u8>, i64)> {
        (0..table.len()).map(|entry| (table.key(entry).to_vec(), table.value(entry)[0])).collect()
    }

    #[test]
    fn issue_21_rates_are_taken_over_one_to_two_seconds() {
        let mut counts = [table(AggFunc::Count)];
        let mut rates = Rates::default();
        let of = |rates: &Rates, counts: &[AggTable], now| values(&rates.of(0, &counts[0], now));
        add(&mut counts[0], b"old", 0, 100);
        rates.note(5 * SECOND, &counts);
        add(&mut counts[0], b"old", 0, 50);
        // Too early for a rate, then over half a second.
        assert_eq!(of(&rates, &counts, 5 * SECOND + LEAST - 1), [(b"old".to_vec(), 0)]);
        rates.note(5 * SECOND + SECOND / 2, &counts);
        assert_eq!(of(&rates, &counts, 5 * SECOND + SECOND / 2), [(b"old".to_vec(), 100)]);
        add(&mut counts[0], b"new", 0, 30);
        rates.note(6 * SECOND, &counts);
        // A second after the first copy: 50 and 30 were added since then.
        assert_eq!(of(&rates, &counts, 6 * SECOND), [(b"old".to_vec(), 50), (b"new".to_vec(), 30)]);
        rates.note(7 * SECOND, &counts);
        // Nothing was added since the copy of a second ago.
        assert_eq!(of(&rates, &counts, 7 * SECOND), [(b"old".to_vec(), 0), (b"new".to_vec(), 0)]);
        add(&mut counts[0], b"old", 0, 3);
        // Over a second and a half: 2.
        assert_eq!(of(&rates, &counts, 7 * SECOND + SECOND / 2)[0], (b"old".to_vec(), 2));
        // Entries may go and come again in another order.
        counts[0].retain(&[false, true]);
        add(&mut counts[0], b"old", 0, 8);
        let now = 7 * SECOND;
        assert_eq!(of(&rates, &counts, now), [(b"new".to_vec(), 0), (b"old".to_vec(), 8 - 150)]);
    }

    #[test]
    fn issue_21_only_what_adds_has_a_rate() {
        for (func, value) in
            [(AggFunc::Sum, -20), (AggFunc::Min, -7), (AggFunc::Max, -3), (AggFunc::Avg, -30)]
        {
            let mut tables = [table(func)];
            let mut rates = Rates::default();
            add(&mut tables[0], b"k", -7, 1);
            rates.note(0, &tables);
            add(&mut tables[0], b"k", -3, 1);
            add(&mut tables[0], b"k", -20, 1);
            let now = SECOND * 23 / 20;
            let shown = rates.of(0, &tables[0], now);
            let whole = tables[0].value(0)[0];
            let want = if func == AggFunc::Sum { value } else { whole };
            assert_eq!(shown.value(0)[0], want, "{func:?}");
        }
    }

    #[test]
    fn issue_21_what_was_cleared_begins_again() {
        let mut tables = [table(AggFunc::Sum)];
        let mut rates = Rates::default();
        add(&mut tables[0], b"k", 100, 1);
        rates.note(0, &tables);
        tables[0].clear();
        add(&mut tables[0], b"k", 5, 1);
        assert_eq!(rates.of(0, &tables[0], SECOND).value(0), [5]);
        assert_eq!((per_second(i64::MAX, 1), per_second(i64::MIN, 1)), (i64::MAX, i64::MIN));
        assert_eq!((per_second(3, 2 * SECOND), per_second(-3, 2 * SECOND)), (2, -2));
    }
}
