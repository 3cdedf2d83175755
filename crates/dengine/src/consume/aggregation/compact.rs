//! The compact layouts: `agghist`, a bar beside each plain value, and `aggpack`, a histogram a line.

use super::bars::{Bars, TITLE, ZOOM};
use super::order::{self, Row};
use crate::agg::{AggTable, Buckets};
use crate::consume::scene::Scene;
use crate::consume::value;
use crate::options::Encoding;
use crate::pack::{Reader, Value};
use std::io::Write as _;

/// Minimum width of the column of a key that is not an integer.
const TEXT_KEY: usize = 16;

/// The keys of all rows as text, columns aligned, and the width of them together.
fn keys(rows: &[Row], table: &AggTable, scene: &Scene<'_>) -> (Vec<Vec<u8>>, usize) {
    let parts: Vec<Vec<Vec<u8>>> = rows
        .iter()
        .map(|row| {
            let (key, _) = order::key(row, &[Some(table)]);
            let mut reader = Reader::key(key);
            table.key_reprs.iter().map_while(|r| reader.value(r)).map(|v| part(&v, scene)).collect()
        })
        .collect();
    let integer = |column: usize| {
        matches!(table.key_reprs.get(column), Some(tracewell_dlang::program::Repr::Int { .. }))
    };
    let widths: Vec<usize> = (0..table.key_reprs.len())
        .map(|column| {
            let widest = parts.iter().filter_map(|p| p.get(column)).map(Vec::len).max().unwrap_or(0);
            if integer(column) { widest } else { widest.max(TEXT_KEY) + 1 }
        })
        .collect();
    let lines = parts
        .into_iter()
        .map(|parts| {
            let mut line = Vec::new();
            for (part, width) in parts.iter().zip(&widths) {
                value::blanks(&mut line, width.saturating_sub(part.len()));
                line.extend_from_slice(part);
            }
            line
        })
        .collect();
    (lines, widths.iter().sum())
}

fn part(key: &Value<'_>, scene: &Scene<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match key {
        Value::Int { value, bytes, .. } => value::sized(&mut out, *value, *bytes),
        Value::Str(s) => out.extend_from_slice(&scene.text(s)),
        Value::Bytes(b) => {
            out.extend_from_slice(&scene.text(b.split(|b| *b == 0).next().unwrap_or_default()))
        }
        Value::Symbol { kind, pid, address } => {
            out.extend_from_slice(value::symbol(*kind, *pid, *address, scene).as_bytes());
        }
        Value::Stack { pid, .. } => {
            // A line has room for only one frame.
            if let Some(frame) = key.frames().next() {
                value::address(&mut out, *pid, frame, scene);
            }
        }
    }
    out
}

/// `agghist`: plain values with bars.
pub(crate) fn with_bars(text: &mut Vec<u8>, table: &AggTable, rows: &[Row], scene: &Scene<'_>) {
    let values: Vec<i64> = rows
        .iter()
        .map(|row| row.entries.first().copied().flatten().map_or(0, |e| table.scalar(table.value(e), 1)))
        .collect();
    let (keys, width) = keys(rows, table, scene);
    let bars = Bars::new(values.iter(), scene.options).full();
    let _ = writeln!(text, "\n{:>width$} {TITLE:>41} {:<9}", "key", "count");
    for ((row, key), value) in rows.iter().zip(&keys).zip(&values) {
        text.extend_from_slice(key);
        text.push(b' ');
        bars.bar(text, *value);
        let shown =
            row.entries.first().copied().flatten().map_or(0, |e| table.scalar(table.value(e), table.normal));
        let _ = writeln!(text, " {shown:<9}");
    }
}

/// `aggpack`: a histogram a line, all over the same range.
pub(crate) fn packed(
    text: &mut Vec<u8>,
    table: &AggTable,
    buckets: &Buckets,
    rows: &[Row],
    scene: &Scene<'_>,
) {
    let counts: Vec<&[i64]> = rows
        .iter()
        .map(|row| row.entries.first().copied().flatten().map_or(&[][..], |e| table.value(e)))
        .collect();
    let (first, last) = if buckets.is_bounded() {
        (0, buckets.len() - 1)
    } else {
        // Zero needs no empty bucket below it.
        let zero = buckets.zero();
        let ranges = counts.iter().map(|c| {
            let (first, last) = buckets.shown(c);
            (if first + 1 == zero { zero } else { first }, last)
        });
        ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_else(|| buckets.shown(&[]))
    };
    let (low, high) = (buckets.label(first), buckets.label(last));
    // Labels with a sign of comparison have room for it over that of a number.
    let digits = |bucket: usize| buckets.bound(bucket).to_string().len().max(4);
    let (mut low_width, mut high_width) = (digits(first), digits(last));
    if buckets.is_bounded() {
        low_width += 3;
        high_width += 4;
    }
    let (keys, width) = keys(rows, table, scene);
    text.push(b'\n');
    if width > 0 {
        let _ = write!(text, "{:>width$}", "key");
    }
    let dashes = "-".repeat(last - first + 1);
    let _ = writeln!(text, " {:>low_width$} .{dashes}. {:<high_width$} | count", "min", "max");
    for (key, counts) in keys.iter().zip(&counts) {
        text.extend_from_slice(key);
        let _ = write!(text, " {low:>low_width$} :");
        levels(text, counts, first, last, scene);
        let total: i128 = counts.iter().map(|n| i128::from(*n)).sum();
        let _ = writeln!(text, ": {high:<high_width$} | {}", total / i128::from(table.normal.max(1)));
    }
}

/// Appends one character per bucket, by its share of the whole (or of the tallest).
fn levels(text: &mut Vec<u8>, counts: &[i64], first: usize, last: usize, scene: &Scene<'_>) {
    const BLOCKS: [&str; 8] =
        ["\u{2581}", "\u{2582}", "\u{2583}", "\u{2584}", "\u{2585}", "\u{2586}", "\u{2587}", "\u{2588}"];
    const POSITIVE: &[u8; 8] = b"__xxxxXX";
    const NEGATIVE: &[u8; 8] = b"--vvvvVV";
    let sizes = counts.iter().map(|n| n.unsigned_abs() as f64);
    let total = if scene.options.aggs.zoom { sizes.fold(0.0, f64::max) / ZOOM } else { sizes.sum::<f64>() };
    let blocks = scene.options.aggs.encoding == Encoding::Utf8 && counts.iter().all(|n| *n >= 0);
    for bucket in first..=last {
        let count = counts.get(bucket).copied().unwrap_or(0);
        if count == 0 {
            text.push(b' ');
            continue;
        }
        let level = ((count.unsigned_abs() as f64 / total * 7.0 + 0.5) as usize).min(7);
        if blocks {
            text.extend_from_slice(BLOCKS[level].as_bytes());
        } else {
            text.push(if count < 0 { NEGATIVE[level] } else { POSITIVE[level] });
        }
    }
}
