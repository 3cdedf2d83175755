//! The table `events` beside what `etw dump` shows of the same events, and what `etw stats` counts.

mod common;

use std::collections::BTreeMap;

use arrow_array::RecordBatch;
use common::{cell, open, sample, traces};
use tracewell::events::event::Event;
use tracewell::events::json::JsonWriter;
use tracewell::events::property::{Head, Item};
use tracewell::views::counts::Counts;
use tracewell_arrow::events::{COLUMNS, at};
use tracewell_arrow::{Filter, Order, Scan, Source};
use tracewell_decode::Schemas;

/// A property as the column has it.
fn shown(event: &Event<'_>, head: Head) -> Option<String> {
    Some(match event.head(head)? {
        Item::Int(number) | Item::Named(number, _) => number.to_string(),
        Item::Text(text) => text.to_owned(),
        Item::Guid(guid) => guid.to_string(),
        Item::Seconds(ns) | Item::Date(ns) => ns.to_string(),
        Item::Lack(lack) => lack.to_string(),
        Item::Keywords { mask, .. } => mask.to_string(),
        other => panic!("no column has {other:?}"),
    })
}

/// The cells of a row by what `etw dump` shows.
fn expected(event: &Event<'_>, file: &str, json: &mut JsonWriter) -> Vec<Option<String>> {
    let record = &event.record;
    let is_event = |value: Option<String>| value.filter(|_| record.is_event());
    let mut line = Vec::new();
    json.event(&mut line, event);
    let line: serde_json::Value = serde_json::from_slice(&line).expect("it is JSON");
    let has_fields = event.format.layout.is_some() || record.payload().is_empty();
    COLUMNS
        .iter()
        .enumerate()
        .map(|(place, column)| match place {
            at::TIME => shown(event, Head::Utc),
            at::SINCE_START => shown(event, Head::Time),
            at::HEADER_PID => record.pid().map(|pid| pid.to_string()),
            at::HEADER_TID => record.tid().map(|tid| tid.to_string()),
            at::LEVEL => shown(event, Head::Level).filter(|_| record.is_event() || record.is_class()),
            at::CHANNEL => is_event(shown(event, Head::Channel)),
            at::KEYWORD => is_event(shown(event, Head::Keyword)),
            at::KERNEL_GROUP => record.hook().map(|hook| (hook >> 8).to_string()),
            at::KERNEL_TYPE => record.hook().map(|hook| (hook & 0xff).to_string()),
            at::PAYLOAD_SIZE => Some(record.payload().len().to_string()),
            at::PAYLOAD => has_fields.then(|| line["fields"].to_string()),
            at::FILE => Some(file.to_owned()),
            at::OPCODE => Some(record.opcode().to_string()),
            _ => {
                let property = tracewell::events::property::Property::by_name(column.name);
                shown(event, property.unwrap_or_else(|| panic!("{}", column.name)).head)
            }
        })
        .collect()
}

fn batches(source: &Source, scan: &Scan) -> Vec<RecordBatch> {
    let mut all = Vec::new();
    source
        .events(scan, &mut |batch| {
            all.push(batch);
            true
        })
        .expect("it is a trace");
    all
}

fn rows(batches: &[RecordBatch]) -> u64 {
    batches.iter().map(|batch| batch.num_rows() as u64).sum()
}

/// Every cell of every row of the sample, in order of time.
#[test]
fn issue_22_events_have_the_properties_that_dump_shows() {
    let mut compared = 0;
    for path in traces() {
        for source in open(&path) {
            let trace = source.trace().expect("it is a trace");
            let all = Scan { columns: (0..COLUMNS.len()).collect(), order: Order::Time, ..Scan::default() };
            let found = batches(&source, &all);
            let mut place = found.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)));
            let mut json = JsonWriter::new(false, false);
            tracewell::events::each(std::slice::from_ref(&trace), Schemas::new(), &mut |event| {
                let (batch, row) = place.next().expect("there is a row for each event");
                let wanted = expected(event, source.name(), &mut json);
                for (column, wanted) in wanted.into_iter().enumerate() {
                    let mut cell = cell(batch, column, row);
                    if column == at::PAYLOAD {
                        let value = |text: String| serde_json::from_str::<serde_json::Value>(&text);
                        cell = cell.map(|text| value(text).expect("it is JSON").to_string());
                    }
                    assert_eq!(
                        cell,
                        wanted,
                        "{} of row {compared} of {}",
                        COLUMNS[column].name,
                        source.name()
                    );
                }
                compared += 1;
                true
            });
            assert_eq!(place.count(), 0, "{}", source.name());
        }
    }
    assert!(compared > 1000);
}

/// Counts and bytes by GUID and number, over parts of a trace.
#[test]
fn issue_22_events_in_parts_add_up_to_what_stats_counts() {
    for path in traces() {
        for source in open(&path) {
            let trace = source.plain().expect("it is a trace");
            let counts = Counts::of(&trace, Schemas::new(), |_| ());
            let mut wanted: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
            for row in &counts.rows {
                let key = (row.called.provider.clone(), row.key.number().unwrap_or(0).to_string());
                let sum = wanted.entry(key).or_default();
                *sum = (sum.0 + row.tally.events, sum.1 + row.tally.bytes);
            }
            for parts in [1, 2, 3, 7] {
                let count = source.buffers().expect("it is a trace");
                let mut found: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
                let mut records = 0;
                for part in 0..parts {
                    let buffers = Some(part * count / parts..(part + 1) * count / parts);
                    let scan = Scan { buffers, ..Scan::of(&["provider", "id", "size"], &COLUMNS) };
                    for batch in batches(&source, &scan) {
                        records += batch.num_rows() as u64;
                        for row in 0..batch.num_rows() {
                            let text = |column| cell(&batch, column, row).unwrap_or_default();
                            let sum = found.entry((text(0), text(1))).or_default();
                            let bytes: u64 = text(2).parse().expect("a number");
                            *sum = (sum.0 + 1, sum.1 + bytes);
                        }
                    }
                }
                assert_eq!(records, counts.records, "{} in {parts}", source.name());
                let sum = |all: &BTreeMap<(String, String), (u64, u64)>| {
                    all.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
                };
                assert_eq!(sum(&found), sum(&wanted), "{} in {parts}", source.name());
            }
        }
    }
}

/// Each filter takes the rows whose columns say so, and no others.
#[test]
fn issue_22_filters_take_the_rows_whose_columns_meet_them() {
    let [source] = &open(&sample())[..] else { panic!("the sample is one trace") };
    let names = ["time", "guid", "id", "provider", "event", "header_pid", "pid"];
    let all = batches(source, &Scan { order: Order::Time, ..Scan::of(&names, &COLUMNS) });
    let table: Vec<Vec<Option<String>>> = all
        .iter()
        .flat_map(|batch| {
            (0..batch.num_rows())
                .map(move |row| (0..names.len()).map(|column| cell(batch, column, row)).collect())
        })
        .collect();
    // A value of each column that some rows have and others do not.
    for (column, name) in names.iter().enumerate().skip(1) {
        let values: Vec<String> = table.iter().filter_map(|row| row[column].clone()).collect();
        let value =
            values.iter().find(|value| values.iter().any(|other| other != *value)).expect("values differ");
        let number = || vec![value.parse::<u32>().expect("a number")];
        let mut filter = Filter::default();
        match *name {
            "guid" => filter.guids = Some(vec![value.parse().expect("a GUID")]),
            "id" => filter.ids = Some(number()),
            "provider" => filter.providers = Some(vec![value.clone()]),
            "event" => filter.events = Some(vec![value.clone()]),
            "header_pid" => filter.header_pids = Some(number()),
            _ => filter.pids = Some(number()),
        }
        let scan = Scan { filter, order: Order::Time, ..Scan::of(&["time"], &COLUMNS) };
        let found: Vec<Option<String>> = batches(source, &scan)
            .iter()
            .flat_map(|batch| (0..batch.num_rows()).map(|row| cell(batch, 0, row)).collect::<Vec<_>>())
            .collect();
        let wanted: Vec<Option<String>> = table
            .iter()
            .filter(|row| row[column].as_ref() == Some(value))
            .map(|row| row[0].clone())
            .collect();
        assert_eq!(found, wanted, "{name} is {value}");
        assert!(!found.is_empty() && found.len() < table.len());
    }
    // Bounds of time at each tenth: the first is in, the last is not.
    let times: Vec<i64> =
        table.iter().map(|row| row[0].as_ref().expect("a time").parse().expect("ns")).collect();
    for order in [Order::File, Order::Time] {
        for tenth in 0..10 {
            let at = |tenth: usize| times[tenth * (times.len() - 1) / 10];
            let (from, until) = (at(tenth), at(tenth + 1));
            let filter = Filter { from: Some(from), until: Some(until), ..Filter::default() };
            let scan = Scan { filter, order, ..Scan::of(&["time", "process"], &COLUMNS) };
            let wanted = times.iter().filter(|time| (from..until).contains(*time)).count() as u64;
            assert_eq!(rows(&batches(source, &scan)), wanted, "{tenth}");
        }
    }
}

/// Columns come as they are asked for; none of them is a table of rows without columns.
#[test]
fn issue_22_a_scan_has_the_columns_that_it_asks_for() {
    let [source] = &open(&sample())[..] else { panic!("the sample is one trace") };
    let all = batches(source, &Scan { columns: (0..COLUMNS.len()).collect(), ..Scan::default() });
    for names in
        [&["size"][..], &["event", "time"], &["file", "keyword", "task_id"], &["payload", "cpu"], &[]]
    {
        let some = batches(source, &Scan { order: Order::Time, ..Scan::of(names, &COLUMNS) });
        assert_eq!(rows(&some), rows(&all), "{names:?}");
        for (one, whole) in some.iter().zip(&all) {
            let schema = one.schema();
            let found: Vec<&str> = schema.fields().iter().map(|field| &**field.name()).collect();
            assert_eq!(found, names);
            for (column, name) in names.iter().enumerate() {
                let place = COLUMNS.iter().position(|known| known.name == *name).expect("a column");
                for row in 0..one.num_rows() {
                    assert_eq!(cell(one, column, row), cell(whole, place, row), "{name}");
                }
            }
        }
    }
    // The reader may stop.
    let mut seen = 0;
    source
        .events(&Scan::default(), &mut |_| {
            seen += 1;
            false
        })
        .expect("it is a trace");
    assert_eq!(seen, 1);
}
