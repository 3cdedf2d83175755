//! The order that entries are shown in.

use crate::agg::AggTable;
use crate::consume::scene::Scene;
use crate::consume::value;
use crate::options::RunOptions;
use crate::pack::{Reader, Value};
use std::cmp::Ordering;
use std::collections::HashMap;
use tracewell_dlang::program::Repr;

/// A line of output: a key with one entry of each aggregation shown, where it has one.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) entries: Vec<Option<usize>>,
    /// The displayed names of its symbol keys, in order.
    names: Vec<String>,
}

/// The rows of some aggregations joined by key, in the order that the options ask for. Keys that are shown alike have
/// been put together.
pub(crate) fn rows(aggs: &[usize], tables: &[AggTable], scene: &Scene<'_>) -> Vec<Row> {
    sorted(aggs, tables, scene, scene.options)
}

fn sorted(aggs: &[usize], tables: &[AggTable], scene: &Scene<'_>, options: &RunOptions) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut by_key: HashMap<&[u8], usize> = HashMap::new();
    for (column, &agg) in aggs.iter().enumerate() {
        let Some(table) = tables.get(agg) else { continue };
        for entry in 0..table.len() {
            let row = *by_key.entry(table.key(entry)).or_insert_with(|| {
                let names = names(table.key(entry), table, scene);
                rows.push(Row { entries: vec![None; aggs.len()], names });
                rows.len() - 1
            });
            rows[row].entries[column] = Some(entry);
        }
    }
    let tables: Vec<Option<&AggTable>> = aggs.iter().map(|&a| tables.get(a)).collect();
    rows.sort_by(|x, y| compare(x, y, &tables, options));
    rows
}

/// The displayed names of a key's symbols.
fn names(key: &[u8], table: &AggTable, scene: &Scene<'_>) -> Vec<String> {
    if !table.key_reprs.iter().any(|repr| matches!(repr, Repr::Symbol(_))) {
        return Vec::new();
    }
    let mut reader = Reader::key(key);
    let values = table.key_reprs.iter().map_while(|repr| reader.value(repr));
    values
        .filter_map(|value| match value {
            Value::Symbol { kind, pid, address } => Some(value::symbol(kind, pid, address, scene)),
            _ => None,
        })
        .collect()
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
        table.map_or(Ordering::Equal, |t| {
            compare_keys((kx, &x.names), (ky, &y.names), t, options.aggs.key_position)
        })
    };
    let by_value = || {
        let n = tables.len();
        let first = usize::try_from(options.aggs.position).ok().filter(|&p| p < n).unwrap_or(0);
        (0..n)
            .map(|i| (first + i) % n)
            .map(|column| match tables[column] {
                Some(table) => compare_values(table, x.entries[column], y.entries[column]),
                None => Ordering::Equal,
            })
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    let order =
        if options.aggs.sort_by_key { by_key().then_with(by_value) } else { by_value().then_with(by_key) };
    if options.aggs.falling { order.reverse() } else { order }
}

/// Two keys, each with what its symbols are shown as.
fn compare_keys(x: (&[u8], &[String]), y: (&[u8], &[String]), table: &AggTable, first: u64) -> Ordering {
    let values = |bytes| {
        let mut reader = Reader::key(bytes);
        table.key_reprs.iter().map_while(|r| reader.value(r)).collect::<Vec<_>>()
    };
    let ((x, x_names), (y, y_names)) = ((values(x.0), x.1), (values(y.0), y.1));
    let n = x.len().min(y.len());
    let first = usize::try_from(first).ok().filter(|&p| p < n).unwrap_or(0);
    (0..n)
        .map(|i| (first + i) % n)
        .map(|i| match &x[i] {
            // Symbols are sorted by name, because readers do not know their addresses.
            Value::Symbol { .. } => {
                let symbols = table.key_reprs.iter().take(i);
                let at = symbols.filter(|repr| matches!(repr, Repr::Symbol(_))).count();
                x_names.get(at).cmp(&y_names.get(at))
            }
            value => compare_key(value, &y[i]),
        })
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

/// `trunc()`: keeps the highest `count` entries, or the lowest for a negative count; none for 0. Keys that are shown
/// alike have been put together.
pub(crate) fn truncate(table: &mut AggTable, count: i64, scene: &Scene<'_>) {
    let mut plain = scene.options.clone();
    (plain.aggs.sort_by_key, plain.aggs.falling) = (false, false);
    let rows = sorted(&[0], std::slice::from_ref(table), scene, &plain);
    let n = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX).min(rows.len());
    let kept = if count > 0 { &rows[rows.len() - n..] } else { &rows[..n] };
    let mut keep = vec![false; table.len()];
    for entry in kept.iter().filter_map(|r| r.entries[0]) {
        keep[entry] = true;
    }
    table.retain(&keep);
}
