//! What several tests do: open a trace, ask a script, and read the data of a page.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tracewell::open::TraceFile;
use tracewell::{Key, Script, Traces};
use tracewell_diagnose::{Activity, Report};
use tracewell_symbols::Symbols;

/// Sums by the text of keys.
pub(crate) type Sums = BTreeMap<String, i64>;

pub(crate) fn sample() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sample.etl")
}

/// Calls a function with what happened in a trace.
pub(crate) fn with<T>(path: &Path, look: impl FnOnce(&Activity<'_>) -> T) -> T {
    let file = TraceFile::open(path).expect("the trace opens");
    let trace = file.trace().expect("it is a trace");
    let activity = Activity::of(std::slice::from_ref(&trace), tracewell::Schemas::new(), |_| ());
    look(&activity)
}

/// The sums of an aggregation by the text of its keys.
pub(crate) fn ask(path: &Path, script: &str) -> Sums {
    let traces = Traces::open(path).expect("the trace opens");
    let report = Script::new(script).run(&traces, &mut ()).expect("the script runs");
    let text = |key: &Key| match key {
        Key::Unsigned(number) => number.to_string(),
        Key::Signed(number) => number.to_string(),
        Key::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    let number = |value: &tracewell::Value| match value {
        tracewell::Value::Number(number) => *number,
        other => panic!("{other:?}"),
    };
    let rows = report.rows.iter();
    rows.map(|row| (row.keys.iter().map(text).collect::<Vec<_>>().join(" "), number(&row.value))).collect()
}

/// The data of the page of a trace.
pub(crate) fn data(path: &Path) -> Value {
    with(path, |activity| {
        let symbols: Vec<Symbols<'_>> = activity.survey.machines.iter().map(Symbols::new).collect();
        let report = Report::with(activity, &symbols, &[]);
        tracewell_diagnose::page::data(activity, &symbols, &report, "t.etl")
    })
}

/// The text of a value of the page.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A column of a table of the page, summed by other columns. The places of sums in a cell: 2 count, 3 amount, 4 time.
pub(crate) fn sums(data: &Value, title: &str, keys: &[usize], place: usize) -> Sums {
    let table = table(data, title);
    let mut found = Sums::new();
    for cell in table["cells"].as_array().expect("cells") {
        let key = &table["keys"][cell[1].as_u64().expect("a number") as usize];
        let name: Vec<String> = keys.iter().map(|at| text(&key[*at])).collect();
        *found.entry(name.join(" ")).or_default() += cell[place].as_i64().expect("a sum");
    }
    found
}

/// The durations of a table of the page, by columns.
pub(crate) fn durations(data: &Value, title: &str, keys: &[usize]) -> BTreeMap<String, Vec<i64>> {
    let table = table(data, title);
    let mut found: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for item in table["items"].as_array().expect("items") {
        let key = &table["keys"][item[1].as_u64().expect("a number") as usize];
        let name: Vec<String> = keys.iter().map(|at| text(&key[*at])).collect();
        found.entry(name.join(" ")).or_default().push(item[2].as_i64().expect("a duration"));
    }
    found
}

/// The rows of a table of the page.
pub(crate) fn rows<'d>(data: &'d Value, title: &str) -> &'d Vec<Value> {
    table(data, title)["rows"].as_array().expect("rows")
}

fn table<'d>(data: &'d Value, title: &str) -> &'d Value {
    let tables = data["tables"].as_array().expect("tables");
    let found = tables.iter().find(|table| table["title"] == title);
    &found.unwrap_or_else(|| panic!("no table {title}"))["data"]
}

/// Fails with the sums that differ.
pub(crate) fn same(left: &Sums, right: &Sums, what: &str) {
    close(left, right, &Sums::new(), what);
}

/// Fails with the sums that differ by more than a nanosecond for each of so many times: times of a clock are rounded.
pub(crate) fn close(left: &Sums, right: &Sums, times: &Sums, what: &str) {
    let mut wrong: Vec<String> = Vec::new();
    for name in left.keys().chain(right.keys()).collect::<std::collections::BTreeSet<_>>() {
        let (a, b) = (left.get(name), right.get(name));
        let most = times.get(name).copied().unwrap_or(0);
        if a.zip(b).is_none_or(|(a, b)| (a - b).abs() > most) {
            wrong.push(format!("{name}: {a:?} and {b:?}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{what}");
}
