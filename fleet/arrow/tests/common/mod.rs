//! Traces to read, and cells as text.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampNanosecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use serde_json::Value;
use tracewell_arrow::derived::table;
use tracewell_arrow::{Filter, Scan, Source};

/// The sample trace.
pub(crate) fn sample() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.etl"].iter().collect()
}

/// The sample, and the real traces if they are there.
pub(crate) fn traces() -> Vec<PathBuf> {
    let mut all = vec![sample()];
    match tracewell_corpus::folder() {
        Some(folder) => all.extend(tracewell_corpus::traces(&folder)),
        None => tracewell_corpus::skip("real-traces", "there is no folder of real traces"),
    }
    all
}

/// The traces of a file.
pub(crate) fn open(path: &std::path::Path) -> Vec<Source> {
    Source::open(path).into_iter().map(|source| source.expect("it is a trace")).collect()
}

/// A cell as text; [`None`] for NULL.
pub(crate) fn cell(batch: &RecordBatch, column: usize, row: usize) -> Option<String> {
    let array = batch.column(column);
    if array.is_null(row) {
        return None;
    }
    macro_rules! number {
        ($ty:ty) => {
            array.as_primitive::<$ty>().value(row).to_string()
        };
    }
    Some(match array.data_type() {
        DataType::Timestamp(..) => number!(TimestampNanosecondType),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Binary => {
            array.as_binary::<i32>().value(row).iter().map(|byte| format!("{byte:02x}")).collect()
        }
        DataType::Dictionary(..) => {
            let array = array.as_dictionary::<Int32Type>();
            let key = array.keys().value(row) as usize;
            array.values().as_string::<i32>().value(key).to_owned()
        }
        other => panic!("no column has the type {other}"),
    })
}

/// A row of a table, by the names of columns. NULL has no entry.
pub(crate) type Row = BTreeMap<String, String>;
/// Rows of a table.
pub(crate) type Rows = Vec<Row>;

pub(crate) fn rows_of(source: &Source, name: &str, filter: Filter) -> Rows {
    let table = table(name).expect("there is such a table");
    let scan = Scan { columns: (0..table.columns.len()).collect(), filter, ..Scan::default() };
    let mut rows = Vec::new();
    source
        .derived(table, &scan, &mut |batch| {
            for row in 0..batch.num_rows() {
                let cells = table.columns.iter().enumerate();
                let cells =
                    cells.filter_map(|(at, column)| Some((column.name.to_owned(), cell(&batch, at, row)?)));
                rows.push(cells.collect());
            }
            true
        })
        .expect("it is a trace");
    rows
}

pub(crate) fn rows(source: &Source, name: &str) -> Rows {
    rows_of(source, name, Filter::default())
}

pub(crate) fn one() -> Source {
    open(&sample()).pop().expect("the sample is one trace")
}

pub(crate) fn truth() -> Value {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../testdata/sample.truth.json"].iter().collect();
    serde_json::from_slice(&std::fs::read(path).expect("the truth is there")).expect("it is JSON")
}

pub(crate) fn list<'t>(truth: &'t Value, name: &str) -> &'t Vec<Value> {
    truth[name].as_array().expect("a list")
}

pub(crate) fn start(source: &Source) -> i64 {
    source.plain().expect("it is a trace").clock().start().unix_ns()
}

/// A number of a row.
pub(crate) fn number(row: &Row, name: &str) -> i64 {
    row.get(name).map_or(0, |text| text.parse().expect("a number"))
}

pub(crate) fn text<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).map_or("", String::as_str)
}

/// How many rows there are of each key.
pub(crate) fn counted<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, u64> {
    let mut counts = BTreeMap::new();
    keys.for_each(|key| *counts.entry(key).or_default() += 1);
    counts
}
