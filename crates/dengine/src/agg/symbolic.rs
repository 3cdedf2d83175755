//! Keys that are shown as symbols: entries whose addresses have one name are one row.

use std::collections::HashMap;

use tracewell_dlang::program::{AggFunc, Repr, SymbolKind};

use super::{AggTable, join};
use crate::consume::{Scene, value};
use crate::pack::{Reader, Value};
use crate::table::{KeyTable, hash};

/// Aggregations to show, when any of them has keys that are shown by module or function: those entries put together,
/// in the order given. [`None`]: they can be shown as they are.
pub(crate) fn condensed(aggs: &[usize], tables: &[AggTable], scene: &Scene<'_>) -> Option<Vec<AggTable>> {
    let named = |repr: &Repr| matches!(repr, Repr::Symbol(kind) if *kind != SymbolKind::UAddr);
    let shown = || aggs.iter().filter_map(|&agg| tables.get(agg));
    if !shown().any(|table| table.key_reprs.iter().any(named)) {
        return None;
    }
    // Tables that are joined by key must agree on which address stands for a name.
    let mut keys: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    Some(
        shown()
            .map(|table| {
                let mut out = AggTable {
                    keys: KeyTable::default(),
                    values: Vec::new(),
                    memo: None,
                    func: table.func,
                    key_reprs: table.key_reprs.clone(),
                    buckets: table.buckets.clone(),
                    ..*table
                };
                for entry in 0..table.len() {
                    let key = table.key(entry);
                    let first = keys.entry(shown_key(table, key, scene)).or_insert_with(|| key.to_vec());
                    let hash = hash(first);
                    match out.keys.find(hash, first) {
                        Some(at) => out.take_in(at, table.value(entry)),
                        None if out.keys.insert(hash, first).is_some() => {
                            out.values.extend_from_slice(table.value(entry));
                        }
                        None => {}
                    }
                }
                out
            })
            .collect(),
    )
}

/// A key with the names of its symbols in place of their addresses.
fn shown_key(table: &AggTable, key: &[u8], scene: &Scene<'_>) -> Vec<u8> {
    let mut reader = Reader::key(key);
    let mut out = Vec::new();
    for repr in &table.key_reprs {
        match reader.value(repr) {
            Some(Value::Symbol { kind, pid, address }) if kind != SymbolKind::UAddr => {
                out.extend_from_slice(value::symbol(kind, pid, address, scene).as_bytes());
            }
            Some(value) => out.extend_from_slice(format!("{value:?}").as_bytes()),
            None => {}
        }
        out.push(0);
    }
    out
}

impl AggTable {
    /// Adds the value of another entry to that of one.
    fn take_in(&mut self, entry: usize, other: &[i64]) {
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
            let aggregation = Aggregation { name: "a".into(), func, keys: vec![], signed: true };
            let mut apart = AggTable::new(&aggregation, 256).unwrap();
            let mut room = 1000;
            let (one, two) = (apart.entry(b"a", &mut room).unwrap(), apart.entry(b"b", &mut room).unwrap());
            [30, 2, 3].iter().for_each(|&v| apart.update(one, v, 1));
            [-10, 15].iter().for_each(|&v| apart.update(two, v, 1));
            let second = apart.value(two).to_vec();
            apart.take_in(one, &second);
            assert_eq!(apart.scalar(apart.value(one), 1), want, "{func:?}");
        }
    }
}
