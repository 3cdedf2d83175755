//! Aggregations as text. Before they are shown, [`settle`] puts together what is shown alike.

mod bars;
mod compact;
pub(super) mod order;
mod settle;

pub(super) use settle::settle;

use super::printf::{self, Source, Spec};
use super::scene::Scene;
use super::value;
use crate::agg::{AggTable, Buckets};
use crate::options::RunOptions;
use crate::pack::{Reader, Value};
use bars::{Bars, TITLE};
use order::Row;
use std::io::Write as _;
use tracewell_dlang::format::Format;

/// Aggregations joined by key in the default layout, one row a key.
pub(crate) fn default(text: &mut Vec<u8>, aggs: &[usize], tables: &[AggTable], scene: &Scene<'_>) {
    let rows = order::rows(aggs, tables, scene);
    let shown: Vec<Option<&AggTable>> = aggs.iter().map(|&a| tables.get(a)).collect();
    if let &[Some(table)] = shown.as_slice()
        && !rows.is_empty()
    {
        match &table.buckets {
            Some(buckets) if scene.options.aggs.pack => {
                return compact::packed(text, table, buckets, &rows, scene);
            }
            None if scene.options.aggs.hist && !table.key_reprs.is_empty() => {
                return compact::with_bars(text, table, &rows, scene);
            }
            _ => {}
        }
    }
    for row in &rows {
        let (key, table) = order::key(row, &shown);
        let mut reader = Reader::key(key);
        for repr in table.map_or(&[][..], |t| &t.key_reprs) {
            if let Some(v) = reader.value(repr) {
                value::key(text, &v, scene);
            }
        }
        for (entry, table) in row.entries.iter().zip(&shown) {
            let Some(table) = table else { continue };
            let counts = entry.map_or(&[][..], |e| table.value(e));
            match &table.buckets {
                None => {
                    let _ = write!(text, " {:>16}", table.scalar(counts, table.normal));
                }
                Some(buckets) => histogram(text, buckets, counts, table.normal, scene.options),
            }
        }
        text.push(b'\n');
    }
}

/// Aggregations joined by key, each row by a format.
pub(crate) fn formatted(
    text: &mut Vec<u8>,
    format: &Format,
    aggs: &[usize],
    tables: &[AggTable],
    scene: &Scene<'_>,
) {
    let rows = order::rows(aggs, tables, scene);
    let shown: Vec<Option<&AggTable>> = aggs.iter().map(|&a| tables.get(a)).collect();
    for row in &rows {
        let (key, table) = order::key(row, &shown);
        let mut source = RowSource {
            reader: Reader::key(key),
            reprs: table.map_or(&[][..], |t| &t.key_reprs).iter(),
            row,
            tables: &shown,
            column: 0,
        };
        printf::apply(text, format, &mut source, scene);
    }
}

/// Conversions that take a row's keys and values.
struct RowSource<'r> {
    reader: Reader<'r>,
    reprs: std::slice::Iter<'r, tracewell_dlang::program::Repr>,
    row: &'r Row,
    tables: &'r [Option<&'r AggTable>],
    column: usize,
}

impl<'r> Source<'r> for RowSource<'r> {
    fn next(&mut self) -> Option<Value<'r>> {
        self.reader.value(self.reprs.next()?)
    }

    fn aggregation(&mut self, text: &mut Vec<u8>, spec: &Spec<'_>, scene: &Scene<'_>) {
        // Past the last aggregation the last one is shown again.
        let column = self.column.min(self.tables.len().saturating_sub(1));
        self.column += 1;
        let (Some(Some(table)), Some(entry)) = (self.tables.get(column), self.row.entries.get(column)) else {
            return;
        };
        let counts = entry.map_or(&[][..], |e| table.value(e));
        match &table.buckets {
            None => {
                let value = table.scalar(counts, table.normal) as u64;
                printf::convert(text, spec, &Value::Int { value, bytes: 8, signed: true }, scene);
            }
            Some(buckets) => histogram(text, buckets, counts, table.normal, scene.options),
        }
    }
}

/// A histogram with its header.
pub(crate) fn histogram(
    text: &mut Vec<u8>,
    buckets: &Buckets,
    counts: &[i64],
    normal: u64,
    options: &RunOptions,
) {
    let bars = Bars::new(counts.iter(), options);
    let _ = writeln!(text, "\n{:>16} {TITLE:>41} {:<9}", "value", "count");
    let (first, last) = buckets.shown(counts);
    for bucket in first..=last {
        let count = counts.get(bucket).copied().unwrap_or(0);
        let _ = write!(text, "{:>16} ", buckets.label(bucket));
        bars.bar(text, count);
        let _ = writeln!(text, " {:<9}", i128::from(count) / i128::from(normal.max(1)));
    }
}
