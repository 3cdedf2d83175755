//! The order that entries are shown in.

use super::AggTable;
use crate::options::RunOptions;
use crate::pack::{Reader, Value};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A line of output: a key with one entry of each aggregation shown, where it has one.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) entries: Vec<Option<usize>>,
}

/// The rows of some aggregations joined by key, in the order that the options ask for.
pub(crate) fn rows(aggs: &[usize], tables: &[AggTable], options: &RunOptions) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut by_key: HashMap<&[u8], usize> = HashMap::new();
    for (column, &agg) in aggs.iter().enumerate() {
        let Some(table) = tables.get(agg) else { continue };
        for entry in 0..table.len() {
            let row = *by_key.entry(table.key(entry)).or_insert_with(|| {
                rows.push(Row { entries: vec![None; aggs.len()] });
                rows.len() - 1
            });
            rows[row].entries[column] = Some(entry);
        }
    }
    let tables: Vec<Option<&AggTable>> = aggs.iter().map(|&a| tables.get(a)).collect();
    rows.sort_by(|x, y| compare(x, y, &tables, options));
    rows
}

/// A row's key.
pub(crate) fn key<'t>(row: &Row, tables: &[Option<&'t AggTable>]) -> (&'t [u8], Option<&'t AggTable>) {
    for (entry, table) in row.entries.iter().zip(tables) {
        if let (Some(entry), Some(table)) = (entry, table) {
            return (table.key(*entry), Some(table));
        }
    }
    (&[], None)
}

fn compare(x: &Row, y: &Row, tables: &[Option<&AggTable>], options: &RunOptions) -> Ordering {
    let by_key = || {
        let (kx, table) = key(x, tables);
        let (ky, _) = key(y, tables);
        table.map_or(Ordering::Equal, |t| compare_keys(kx, ky, t, options.aggsortkeypos))
    };
    let by_value = || {
        let n = tables.len();
        let first = usize::try_from(options.aggsortpos).ok().filter(|&p| p < n).unwrap_or(0);
        (0..n)
            .map(|i| (first + i) % n)
            .map(|column| match tables[column] {
                Some(table) => compare_values(table, x.entries[column], y.entries[column]),
                None => Ordering::Equal,
            })
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    let order = if options.aggsortkey { by_key().then_with(by_value) } else { by_value().then_with(by_key) };
    if options.aggsortrev { order.reverse() } else { order }
}

fn compare_keys(x: &[u8], y: &[u8], table: &AggTable, first: u64) -> Ordering {
    let values = |bytes| {
        let mut reader = Reader::key(bytes);
        table.key_reprs.iter().map_while(|r| reader.value(r)).collect::<Vec<_>>()
    };
    let (x, y) = (values(x), values(y));
    let n = x.len().min(y.len());
    let first = usize::try_from(first).ok().filter(|&p| p < n).unwrap_or(0);
    (0..n)
        .map(|i| (first + i) % n)
        .map(|i| compare_key(&x[i], &y[i]))
        .find(|o| o.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Integers compare as unsigned numbers of their size, whatever their type.
fn compare_key(x: &Value<'_>, y: &Value<'_>) -> Ordering {
    match (x, y) {
        (Value::Int { value: a, bytes, .. }, Value::Int { value: b, .. }) => {
            crate::pack::extend(*a, *bytes, false).cmp(&crate::pack::extend(*b, *bytes, false))
        }
        (Value::Str(a), Value::Str(b)) | (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        (Value::Stack { .. }, Value::Stack { .. }) => x.frames().cmp(y.frames()),
        (Value::Symbol { address: a, .. }, Value::Symbol { address: b, .. }) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

fn compare_values(table: &AggTable, x: Option<usize>, y: Option<usize>) -> Ordering {
    let value = |e: Option<usize>| e.map_or(&[][..], |e| table.value(e));
    let (x, y) = (value(x), value(y));
    match &table.buckets {
        None => table.scalar(x, 1).cmp(&table.scalar(y, 1)),
        Some(buckets) => {
            let zero = |counts: &[i64]| counts.get(buckets.zero()).copied().unwrap_or(0);
            buckets.weight(x).cmp(&buckets.weight(y)).then_with(|| zero(x).cmp(&zero(y)))
        }
    }
}

/// `trunc()`: keeps the highest `count` entries, or the lowest for a negative count; none for 0.
pub(crate) fn truncate(table: &mut AggTable, count: i64, options: &RunOptions) {
    let plain = RunOptions { aggsortkey: false, aggsortrev: false, ..options.clone() };
    let rows = rows(&[0], std::slice::from_ref(table), &plain);
    let n = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX).min(rows.len());
    let kept = if count > 0 { &rows[rows.len() - n..] } else { &rows[..n] };
    let mut keep = vec![false; table.len()];
    for entry in kept.iter().filter_map(|r| r.entries[0]) {
        keep[entry] = true;
    }
    table.retain(&keep);
}
