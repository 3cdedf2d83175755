//! What an export contains, and what the traces lack.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tracewell::account::Account;
use tracewell_arrow::typed::Kind;
use tracewell_arrow::{derived, events, typed};

/// The name of the file.
pub(crate) const NAME: &str = "manifest.json";

/// A trace of an export.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) file: String,
    pub(crate) result: Result<Contents, String>,
}

/// What was written of a trace.
#[derive(Debug)]
pub(crate) struct Contents {
    /// What the trace lacks.
    pub(crate) account: Account,
    pub(crate) records: u64,
    /// The time of the start, in nanoseconds since 1970.
    pub(crate) start: i64,
    /// The rows of each file, by its place in the folder of the export.
    pub(crate) parts: Vec<(String, String, u64)>,
    /// Events of too many types.
    pub(crate) left_out: u64,
}

/// The manifest.
pub(crate) fn text(traces: &[Trace], kinds: &BTreeMap<String, Kind>, format: &str) -> String {
    let trace = |trace: &Trace| match &trace.result {
        Err(error) => json!({ "file": trace.file, "error": error }),
        Ok(contents) => {
            let losses = contents.account.losses();
            let parts = contents.parts.iter();
            let parts: Vec<Value> = parts
                .map(|(table, path, rows)| json!({ "table": table, "path": path, "rows": rows }))
                .collect();
            json!({
                "file": trace.file,
                "records": contents.records,
                "start_ns": contents.start,
                "events_lost": losses.events,
                "buffers_lost": losses.buffers,
                "messages_lost": losses.messages(),
                "buffers_missing": contents.account.missing_buffers(),
                "damaged_places": contents.account.damaged(),
                "events_in_no_table": contents.left_out,
                "parts": parts,
            })
        }
    };
    let columns = |kind: &Kind| -> Vec<Value> {
        let fields = kind.fields.iter();
        fields.map(|(name, ty)| json!({ "name": name, "type": ty.sql() })).collect()
    };
    let about = |column: &tracewell_arrow::Column| json!({ "name": column.name, "type": column.ty.sql(), "unit": column.unit, "about": column.about });
    let tables: serde_json::Map<String, Value> = kinds
        .iter()
        .map(|(name, kind)| (name.clone(), json!({ "rows": kind.events, "fields": columns(kind) })))
        .collect();
    let head: Vec<&str> = typed::HEAD
        .iter()
        .filter_map(|place| events::COLUMNS.get(*place))
        .map(|column| column.name)
        .collect();
    let derived: serde_json::Map<String, Value> = derived::TABLES
        .iter()
        .map(|table| (table.name.to_owned(), table.columns.iter().map(about).collect()))
        .collect();
    let manifest = json!({
        "format": format,
        "version": env!("CARGO_PKG_VERSION"),
        "traces": traces.iter().map(trace).collect::<Vec<_>>(),
        "events": events::COLUMNS.iter().map(about).collect::<Vec<_>>(),
        "columns_of_every_type": head,
        "types": tables,
        "derived": derived,
    });
    format!("{manifest:#}\n")
}
