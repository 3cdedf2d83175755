//! The derived tables beside the truth of the sample, and beside the counts of events in all traces.

mod common;

use std::collections::BTreeMap;

use common::{
    Row, Rows, cell, counted, list, number, one, open, rows, rows_of, sample, start, text, traces, truth,
};
use serde_json::Value;
use tracewell_arrow::derived::TABLES;
use tracewell_arrow::{Filter, Scan};

#[test]
fn issue_22_processes_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let start = start(&source);
    let found = rows(&source, "processes");
    let row = |row: &Row| {
        let part = |name| text(row, name).to_owned();
        (
            number(row, "pid"),
            number(row, "parent"),
            part("name"),
            part("command_line"),
            row.contains_key("ended"),
        )
    };
    let mut rows: Vec<_> = found.iter().map(row).collect();
    let part = |one: &Value, name: &str| one[name].as_str().expect("a text").to_owned();
    let id = |one: &Value, name: &str| one[name].as_i64().expect("a number");
    let wanted = list(&truth, "processes").iter();
    let mut wanted: Vec<_> = wanted
        .map(|one| {
            let is_over = one["ended"].as_bool().expect("a truth value");
            (id(one, "pid"), id(one, "parent"), part(one, "image"), part(one, "command"), is_over)
        })
        .collect();
    rows.sort();
    wanted.sort();
    assert_eq!(rows, wanted);

    let times = |column: &str| -> BTreeMap<i64, i64> {
        let has = found.iter().filter(|row| row.contains_key(column));
        has.map(|row| (number(row, "pid"), number(row, column) - start)).collect()
    };
    let wanted = |name: &str| -> BTreeMap<i64, i64> {
        list(&truth, name).iter().map(|one| (id(one, "pid"), id(one, "at_ns"))).collect()
    };
    assert_eq!(times("started"), wanted("process_starts"));
    assert_eq!(times("ended"), wanted("process_exits"));
    let statuses: BTreeMap<i64, i64> = found
        .iter()
        .filter(|row| row.contains_key("ended"))
        .map(|row| (number(row, "pid"), row["exit_status"].parse().expect("a number")))
        .collect();
    let wanted =
        list(&truth, "process_exits").iter().map(|one| (id(one, "pid"), id(one, "status"))).collect();
    assert_eq!(statuses, wanted);
    assert!(found.iter().all(|row| text(row, "file").ends_with("sample.etl")));
}

#[test]
fn issue_22_threads_and_images_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let programs = |what: &str| -> BTreeMap<String, u64> {
        let all = list(&truth, "counts_by_program").iter().filter(|one| one["what"] == what);
        all.map(|one| {
            (one["program"].as_str().expect("a text").to_owned(), one["count"].as_u64().expect("a count"))
        })
        .collect()
    };
    let found = |table: &str, column: &str| {
        let rows = rows(&source, table);
        let has = rows.iter().filter(|row| row.contains_key(column));
        counted(has.map(|row| text(row, "process").to_lowercase()))
    };
    assert_eq!(found("threads", "started"), programs("lwp-start"));
    assert_eq!(found("threads", "ended"), programs("lwp-exit"));
    assert_eq!(found("images", "loaded"), programs("module-load"));
    assert_eq!(found("images", "unloaded"), programs("module-unload"));
    let loads = rows(&source, "images");
    let name = |path: &str| path.rsplit('\\').next().unwrap_or(path).to_lowercase();
    let loads = loads.iter().filter(|row| row.contains_key("loaded"));
    let loads = counted(loads.map(|row| text(row, "module").to_owned()));
    let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
    for one in list(&truth, "module_loads") {
        *wanted.entry(name(one["path"].as_str().expect("a path"))).or_default() +=
            one["count"].as_u64().expect("a count");
    }
    assert_eq!(loads, wanted);
    // An image has a build id where the trace contains one.
    assert!(
        rows(&source, "images").iter().any(|row| row.contains_key("pdb_guid") && row.contains_key("pdb_age"))
    );
}

/// What begins in a trace has one row for each event about it, whatever trace it is.
#[test]
fn issue_22_what_began_has_the_count_of_stats_in_all_traces() {
    let mut begun = 0;
    for path in traces() {
        for source in open(&path) {
            let kinds = source.kinds().expect("it is a trace");
            for (name, column, kind) in [
                ("processes", "started", "Windows Kernel/Process/Start"),
                ("threads", "started", "Windows Kernel/Thread/Start"),
                ("images", "loaded", "Windows Kernel/Image/Load"),
            ] {
                let events = kinds.get(kind).map_or(0, |kind| kind.events);
                let rows = rows(&source, name).iter().filter(|row| row.contains_key(column)).count() as u64;
                assert_eq!(rows, events, "{name} in {}", source.name());
                begun += rows;
            }
        }
    }
    assert!(begun > 100);
}

/// The rows about losses are the figures of the header and of the buffers.
#[test]
fn issue_22_losses_are_those_of_the_header_and_the_buffers() {
    assert!(rows(&one(), "losses").is_empty(), "the sample lacks nothing");
    // The first half of the sample, with a damaged buffer in it.
    let scratch = tracewell_corpus::Scratch::new("derived-losses");
    let mut bytes = std::fs::read(sample()).expect("the sample is there");
    bytes.truncate(bytes.len() / 2);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xEE);
    let half = scratch.write("half.etl", &bytes);
    let mut damaged = Vec::new();
    for path in traces().into_iter().chain([half]) {
        for source in open(&path) {
            let trace = source.plain().expect("it is a trace");
            let (account, records) = source.account().expect("it is a trace");
            let rows = rows(&source, "losses");
            let count = |kind: &str| {
                let row = rows.iter().find(|row| row["kind"] == kind);
                row.map_or(0, |row| row.get("count").map_or(0, |text| text.parse().expect("a number")))
            };
            assert_eq!(count("events"), u64::from(trace.losses().events), "{}", source.name());
            assert_eq!(count("buffers"), u64::from(trace.losses().buffers), "{}", source.name());
            let missing =
                trace.buffers_expected().map_or(0, |all| all.saturating_sub(trace.buffers().len() as u64));
            assert_eq!(count("missing buffers"), missing, "{}", source.name());
            assert_eq!(count("damaged places"), account.damaged(), "{}", source.name());
            damaged.push((missing, account.damaged()));
            assert_eq!(rows.is_empty(), account.lines().is_empty(), "{}", source.name());
            assert!(rows.iter().all(|row| row["meaning"].ends_with('.')));
            let events =
                source.kinds().expect("it is a trace").iter().map(|(_, kind)| kind.events).sum::<u64>();
            assert_eq!(records, events);
        }
    }
    assert!(
        damaged.last().is_some_and(|(missing, damaged)| *missing > 0 && *damaged > 0 && missing != damaged)
    );
}

/// A part of the time has what was there at some of it, and a process its own rows.
#[test]
fn issue_22_derived_rows_of_a_part_of_the_time_and_of_a_process() {
    let source = one();
    let start = start(&source);
    let all = rows(&source, "processes");
    let begun: Vec<i64> =
        all.iter().filter(|row| row.contains_key("started")).map(|row| number(row, "started")).collect();
    let (from, until) = (start + 2_000_000_000, start + 3_000_000_000);
    let filter = Filter { from: Some(from), until: Some(until), ..Filter::default() };
    let there = |row: &&Row| {
        row.get("started").is_none_or(|_| number(row, "started") < until)
            && row.get("ended").is_none_or(|_| number(row, "ended") >= from)
    };
    let wanted: Rows = all.iter().filter(there).cloned().collect();
    assert!(wanted.len() < all.len() && begun.len() > 1);
    assert_eq!(rows_of(&source, "processes", filter), wanted);

    let pid =
        all.iter().find(|row| row.contains_key("started")).map(|row| number(row, "pid")).expect("a process");
    for table in TABLES.iter().filter(|table| table.columns.iter().any(|column| column.name == "pid")) {
        let filter = Filter { pids: Some(vec![pid as u32]), ..Filter::default() };
        let all = rows(&source, table.name);
        let wanted: Rows = all.iter().filter(|row| number(row, "pid") == pid).cloned().collect();
        assert_eq!(rows_of(&source, table.name, filter), wanted, "{}", table.name);
    }
}

/// Each column alone is what it is among all, and a reader may stop.
#[test]
fn issue_22_a_column_of_a_derived_table_alone_is_the_same() {
    let source = one();
    for table in TABLES {
        let all = rows(&source, table.name);
        for (place, column) in table.columns.iter().enumerate() {
            let mut alone = Vec::new();
            let scan = Scan { columns: vec![place], ..Scan::default() };
            source
                .derived(table, &scan, &mut |batch| {
                    assert_eq!(batch.schema().field(0), &column.field());
                    alone.extend((0..batch.num_rows()).map(|row| cell(&batch, 0, row)));
                    true
                })
                .expect("it is a trace");
            let wanted: Vec<Option<String>> = all.iter().map(|row| row.get(column.name).cloned()).collect();
            assert!(alone == wanted, "{} of {}", column.name, table.name);
        }
        let mut count = 0;
        let scan = Scan::default();
        let stop = &mut |batch: arrow_array::RecordBatch| {
            count += batch.num_rows();
            false
        };
        source.derived(table, &scan, stop).expect("it is a trace");
        assert!(count <= all.len().min(tracewell_arrow::ROWS));
    }
}
