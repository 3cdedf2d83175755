//! Aggregations as text.

use super::order::{self, Row};
use super::{AggTable, Buckets, compact, symbolic};
use crate::consume::printf::{self, Source, Spec};
use crate::consume::{Scene, value};
use crate::options::Encoding;
use crate::pack::{Reader, Value};
use std::io::Write as _;
use tracewell_dlang::format::Format;

/// Columns of a bar.
const BAR: usize = 40;
/// How much of the bar the tallest bucket fills when bars are scaled to it.
pub(super) const ZOOM: f64 = 0.95;
pub(super) const TITLE: &str = "------------- Distribution -------------";

/// Aggregations joined by key in the default layout, one row a key.
pub(crate) fn default(text: &mut Vec<u8>, aggs: &[usize], tables: &[AggTable], scene: &Scene<'_>) {
    let condensed = symbolic::condensed(aggs, tables, scene);
    let numbers: Vec<usize> = (0..aggs.len()).collect();
    let (aggs, tables) = condensed.as_ref().map_or((aggs, tables), |tables| (&numbers[..], &tables[..]));
    let rows = order::rows(aggs, tables, scene.options);
    let shown: Vec<Option<&AggTable>> = aggs.iter().map(|&a| tables.get(a)).collect();
    if let &[Some(table)] = shown.as_slice()
        && !rows.is_empty()
    {
        match &table.buckets {
            Some(buckets) if scene.options.aggpack => {
                return compact::packed(text, table, buckets, &rows, scene);
            }
            None if scene.options.agghist && !table.key_reprs.is_empty() => {
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
                Some(buckets) => histogram(text, buckets, counts, table.normal, scene),
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
    let condensed = symbolic::condensed(aggs, tables, scene);
    let numbers: Vec<usize> = (0..aggs.len()).collect();
    let (aggs, tables) = condensed.as_ref().map_or((aggs, tables), |tables| (&numbers[..], &tables[..]));
    let rows = order::rows(aggs, tables, scene.options);
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
            Some(buckets) => histogram(text, buckets, counts, table.normal, scene),
        }
    }
}

/// A histogram with its header.
fn histogram(text: &mut Vec<u8>, buckets: &Buckets, counts: &[i64], normal: u64, scene: &Scene<'_>) {
    let bars = Bars::new(counts.iter(), scene);
    let _ = writeln!(text, "\n{:>16} {TITLE:>41} {:<9}", "value", "count");
    let (first, last) = buckets.shown(counts);
    for bucket in first..=last {
        let count = counts.get(bucket).copied().unwrap_or(0);
        let _ = write!(text, "{:>16} ", buckets.label(bucket));
        bars.bar(text, count);
        let _ = writeln!(text, " {:<9}", i128::from(count) / i128::from(normal.max(1)));
    }
}

/// The scale of a histogram's bars.
pub(crate) struct Bars {
    total: f64,
    /// Part of the bar that `total` fills.
    zoom: f64,
    positive: bool,
    negative: bool,
    encoding: Encoding,
}

impl Bars {
    pub(crate) fn new<'c>(counts: impl Iterator<Item = &'c i64> + Clone, scene: &Scene<'_>) -> Bars {
        let sizes = counts.clone().map(|n| n.unsigned_abs() as f64);
        let (total, zoom) =
            if scene.options.aggzoom { (sizes.fold(0.0, f64::max), ZOOM) } else { (sizes.sum::<f64>(), 1.0) };
        Bars {
            total,
            zoom,
            positive: counts.clone().any(|n| *n > 0),
            negative: counts.clone().any(|n| *n < 0),
            encoding: scene.options.encoding,
        }
    }

    /// As for plain values: those that are all positive fill the bar when zoomed.
    pub(super) fn full(mut self) -> Bars {
        if !self.negative {
            self.zoom = 1.0;
        }
        self
    }

    /// Bar and axis, 41 columns.
    pub(crate) fn bar(&self, text: &mut Vec<u8>, count: i64) {
        let size = count.unsigned_abs() as f64;
        let length = |columns: usize| {
            let length = if self.total > 0.0 {
                (size * columns as f64 * self.zoom / self.total + 0.5) as usize
            } else {
                0
            };
            length.min(columns)
        };
        let ats = |text: &mut Vec<u8>, n: usize| text.resize(text.len() + n, b'@');
        match (self.negative, self.positive) {
            (false, _) if self.encoding == Encoding::Utf8 => {
                text.push(b'|');
                let eighths = if self.total > 0.0 {
                    (size * (BAR * 8) as f64 * self.zoom / self.total) as usize
                } else {
                    0
                };
                blocks(text, eighths.min(BAR * 8));
            }
            (false, _) => {
                text.push(b'|');
                ats(text, length(BAR));
                value::blanks(text, BAR - length(BAR));
            }
            (true, false) => {
                value::blanks(text, BAR - length(BAR));
                ats(text, length(BAR));
                text.push(b'|');
            }
            (true, true) => {
                let half = BAR / 2;
                let n = length(half);
                if count < 0 {
                    value::blanks(text, half - n);
                    ats(text, n);
                    text.push(b'|');
                    value::blanks(text, half);
                } else {
                    value::blanks(text, half);
                    text.push(b'|');
                    ats(text, n);
                    value::blanks(text, half - n);
                }
            }
        }
    }
}

/// A bar of whole and eighth blocks.
fn blocks(text: &mut Vec<u8>, eighths: usize) {
    const PARTS: [&str; 8] =
        ["", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}"];
    for _ in 0..eighths / 8 {
        text.extend_from_slice("\u{2588}".as_bytes());
    }
    text.extend_from_slice(PARTS[eighths % 8].as_bytes());
    value::blanks(text, BAR - eighths.div_ceil(8));
}
