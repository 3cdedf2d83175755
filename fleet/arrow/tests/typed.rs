//! The tables of types of events beside the fields that `etw dump --json` shows.

mod common;

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use common::{cell, open, traces};
use serde_json::Value;
use tracewell::events::json::JsonWriter;
use tracewell_arrow::typed::{HEAD, Kind};
use tracewell_arrow::{Order, Scan, Type};
use tracewell_decode::Schemas;

/// Whether a cell is what JSON has.
fn is_same(cell: Option<&str>, wanted: &Value, ty: Type) -> bool {
    match (cell, wanted) {
        (None, Value::Null) => true,
        (Some(cell), Value::Bool(is)) => cell == is.to_string(),
        (Some(cell), Value::Number(number)) => {
            cell == number.to_string()
                || number.as_f64() == cell.parse().ok() && matches!(ty, Type::F32 | Type::F64)
        }
        (Some(cell), Value::String(text)) => {
            let is_number = !matches!(ty, Type::Text | Type::Name | Type::Bytes);
            let hex = text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
            cell == text || is_number && hex.is_some_and(|number| cell == number.to_string())
        }
        (Some(cell), list) => serde_json::from_str::<Value>(cell).is_ok_and(|found| found == *list),
        (None, _) => false,
    }
}

/// The rows of all tables of a trace, and every cell of the fields.
#[test]
fn issue_22_typed_tables_have_the_fields_that_dump_shows() {
    let mut cells = 0_u64;
    for path in traces() {
        for source in open(&path) {
            let kinds = source.kinds().expect("it is a trace");
            let tables: Vec<(&str, &Kind)> = kinds.iter().collect();
            let mut found: Vec<Vec<RecordBatch>> = vec![Vec::new(); tables.len()];
            let scan = Scan { columns: vec![0], order: Order::Time, ..Scan::default() };
            source
                .typed_all(&tables, &scan, &mut |table, batch| {
                    found[table].push(batch);
                    true
                })
                .expect("it is a trace");
            let numbers: BTreeMap<&str, usize> =
                tables.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
            let mut places: Vec<_> = found
                .iter()
                .map(|batches| {
                    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
                })
                .collect();
            let mut json = JsonWriter::new(false, false);
            let trace = source.trace().expect("it is a trace");
            let mut line = Vec::new();
            tracewell::events::each(std::slice::from_ref(&trace), Schemas::new(), &mut |event| {
                let name = format!("{}/{}", event.format.provider, event.format.name);
                let table = numbers[&*name];
                let (batch, row) = places[table].next().expect("there is a row for each event");
                assert_eq!(cell(batch, 0, row), Some((event.origin + event.time).to_string()));
                line.clear();
                json.fields(&mut line, event);
                let fields: serde_json::Map<String, Value> =
                    serde_json::from_slice(&line).expect("it is JSON");
                for (at, (name, ty)) in tables[table].1.fields.iter().enumerate() {
                    let cell = cell(batch, at + 1, row);
                    // A field that is called as a column has a number in its name here.
                    let bare = name.strip_suffix("#2").unwrap_or(name);
                    let is_it = |known: &&String| known.eq_ignore_ascii_case(name);
                    let key = fields.keys().find(is_it).map_or(bare, String::as_str);
                    let key = fields.keys().find(|known| known.eq_ignore_ascii_case(key));
                    let wanted = key.and_then(|key| fields.get(key)).unwrap_or(&Value::Null);
                    let what =
                        format!("{name} of {} in {}: {cell:?}, {wanted}", tables[table].0, source.name());
                    assert!(is_same(cell.as_deref(), wanted, *ty), "{what}");
                    cells += 1;
                }
                true
            });
            for ((name, kind), (mut rest, batches)) in tables.iter().zip(places.into_iter().zip(&found)) {
                assert!(rest.next().is_none(), "{name}");
                let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
                assert_eq!(rows as u64, kind.events, "{name} in {}", source.name());
            }
            assert_eq!(kinds.left_out(), 0);
        }
    }
    assert!(cells > 1000);
}

/// One table alone is the same as it is among all.
#[test]
fn issue_22_a_typed_table_alone_has_the_same_rows() {
    for source in open(&common::sample()) {
        let kinds = source.kinds().expect("it is a trace");
        let tables: Vec<(&str, &Kind)> = kinds.iter().collect();
        let scan = Scan { columns: (0..HEAD.len()).collect(), ..Scan::default() };
        let mut all: Vec<Vec<RecordBatch>> = vec![Vec::new(); tables.len()];
        source
            .typed_all(&tables, &scan, &mut |table, batch| {
                all[table].push(batch);
                true
            })
            .expect("a trace");
        assert!(tables.len() > 10);
        for ((name, kind), together) in tables.iter().zip(&all) {
            let columns = (0..HEAD.len() + kind.fields.len()).collect();
            let mut alone = Vec::new();
            let scan = Scan { columns, ..Scan::default() };
            source
                .typed(name, kind, &scan, &mut |batch| {
                    alone.push(batch);
                    true
                })
                .expect("a trace");
            let schema = kind.schema();
            for batch in &alone {
                assert_eq!(batch.schema(), schema, "{name}");
            }
            let text = |batches: &[RecordBatch]| -> Vec<Vec<Option<String>>> {
                let row = |(batch, row): (&RecordBatch, usize)| {
                    (0..batch.num_columns()).map(|at| cell(batch, at, row)).collect()
                };
                batches
                    .iter()
                    .flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
                    .map(row)
                    .collect()
            };
            assert_eq!(text(&alone), text(together), "{name}");
        }
    }
}
