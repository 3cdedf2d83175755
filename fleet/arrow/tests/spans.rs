//! The derived tables of spans, operations on files and the .NET runtime, beside the truth of the sample.

mod common;

use std::collections::BTreeMap;

use common::{counted, list, number, one, open, rows, text, traces, truth};

#[test]
fn issue_22_operations_on_files_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let found = rows(&source, "file_io");
    let count = |name: &str| truth["counts"][name].as_u64().expect("a count");
    assert_eq!(found.len() as u64, count("file-operation-end"));
    let by_operation = counted(found.iter().map(|row| text(row, "operation")));
    let kinds = source.kinds().expect("it is a trace");
    let mut begun = 0;
    for (operation, ended) in &by_operation {
        let events = kinds.get(&format!("Windows Kernel/FileIo/{operation}")).map_or(0, |kind| kind.events);
        assert!(*ended <= events, "{operation}");
        begun += events;
    }
    assert_eq!(begun, count("file-operation"));
    assert!(found.iter().all(|row| number(row, "time") - number(row, "started") == number(row, "duration")));
    let moves = |row: &&common::Row| matches!(text(row, "operation"), "Read" | "Write");
    assert!(found.iter().filter(moves).all(|row| row.contains_key("size") && row.contains_key("offset")));
    assert!(found.iter().all(|row| row.contains_key("process") && row.contains_key("status")));
    assert!(found.iter().filter(|row| row.contains_key("path")).count() * 10 > found.len() * 9);
}

#[test]
fn issue_22_spans_collections_and_exceptions_are_those_of_the_truth() {
    let (source, truth) = (one(), truth());
    let count = |name: &str| truth["counts"][name].as_u64().expect("a count");
    let spans = rows(&source, "spans");
    let by_name = counted(spans.iter().map(|row| text(row, "name")));
    assert_eq!(by_name["disk"], count("disk-done"));
    assert_eq!(by_name["file"], count("file-operation-end"));
    assert!(spans.iter().all(|row| number(row, "ended") - number(row, "started") == number(row, "duration")));
    let of = |key: &str, column: &str| -> BTreeMap<String, u64> {
        let all = list(&truth["dotnet"], key).iter();
        let name =
            |one: &serde_json::Value| one[column].as_str().map_or(one[column].to_string(), str::to_owned);
        all.map(|one| (name(one), one["count"].as_u64().expect("a count"))).collect()
    };
    let gcs = rows(&source, "gcs");
    assert_eq!(by_name["gc"], gcs.len() as u64);
    assert_eq!(counted(gcs.iter().map(|row| row["generation"].clone())), of("collections", "generation"));
    assert!(gcs.iter().all(|row| row.contains_key("reason") && row.contains_key("process")));
    let exceptions = rows(&source, "exceptions");
    assert_eq!(counted(exceptions.iter().map(|row| row["type"].clone())), of("exceptions", "type"));
    // Their stacks are in the table of stacks.
    let ids = counted(rows(&source, "stacks").iter().map(|row| number(row, "id")));
    assert!(
        exceptions.iter().all(|row| row.contains_key("stack") && ids.contains_key(&number(row, "stack")))
    );
}

/// Each span has its own number, and those of files and collections are in their tables, in all traces.
#[test]
fn issue_22_spans_have_numbers_and_their_own_tables_in_all_traces() {
    let mut all = 0;
    for path in traces() {
        for source in open(&path) {
            let spans = rows(&source, "spans");
            let numbers = counted(spans.iter().map(|row| number(row, "number")));
            assert!(numbers.values().all(|count| *count == 1), "{}", source.name());
            let of = |name: &str| spans.iter().filter(|row| text(row, "name") == name).count();
            let files = rows(&source, "file_io").len();
            assert_eq!(of("file"), files, "{}", source.name());
            let is_gc = |row: &&common::Row| {
                text(row, "name") == "gc" && text(row, "provider") == "Microsoft-Windows-DotNETRuntime"
            };
            let gcs = spans.iter().filter(is_gc).count();
            assert_eq!(rows(&source, "gcs").len(), gcs, "{}", source.name());
            all += spans.len();
        }
    }
    assert!(all > 1000);
}
