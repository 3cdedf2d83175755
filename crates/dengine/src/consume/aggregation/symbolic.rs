//! Keys that are shown as symbols: entries whose addresses have one name are one row.

use std::collections::HashMap;

use tracewell_dlang::program::{Repr, SymbolKind};

use crate::agg::AggTable;
use crate::consume::scene::Scene;
use crate::consume::value;
use crate::pack::{Reader, Value};

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
                table.rekeyed(|key| {
                    keys.entry(shown_key(table, key, scene)).or_insert_with(|| key.to_vec()).clone()
                })
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
