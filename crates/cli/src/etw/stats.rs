//! `etw stats`: events by provider and id.

use serde_json::json;
use tracewell_decode::Schemas;
use tracewell_etl::Trace;

use super::shown::Shown;
use crate::input::TraceFile;
use crate::out::say;
use crate::term::{Style, Table};
use tracewell::text::{counted, grouped};
use tracewell::views::counts::{Called, Counts, Key, Row};
use tracewell::when::Between;

/// The text or JSON of one file.
pub(super) fn show(file: &TraceFile, as_json: bool, between: Between) -> Result<Shown, String> {
    let trace = file.plain().map_err(|error| error.to_string())?;
    let part = between.raw(&trace)?;
    let mut schemas = Schemas::new();
    if let Err(error) = super::schema_store::add_stored(&mut schemas) {
        say!("etw: {error}");
    }
    let progress = crate::progress::Progress::new(file.size());
    let counts = match between.is_whole() {
        true => Counts::of(&trace, schemas, |done| progress.done(done)),
        false => Counts::within(&trace, schemas, part, |done| progress.done(done)),
    };
    let stretch = between.stretch(std::slice::from_ref(&trace));
    let text = match as_json {
        true => format!("{}\n", to_json(file, &trace, &counts, stretch)),
        false => to_text(&counts, stretch),
    };
    Ok(Shown { text, is_named: false, account: Some(counts.account) })
}

fn to_text(counts: &Counts, stretch: Option<String>) -> String {
    let mut table = Table::new(&["provider", ">id", "event", ">events", ">%", ">bytes"]);
    for Row { key, tally, called, .. } in &counts.rows {
        let (provider, event) = (called.provider.clone(), called.event.clone());
        let id = key.number().map(|number| number.to_string()).unwrap_or_default();
        let share = tally.events as f64 * 100.0 / counts.records.max(1) as f64;
        table.row([provider, id, event, grouped(tally.events), format!("{share:.1}"), grouped(tally.bytes)]);
    }
    let mut text = table.render(Style::stdout());
    let (records, kinds) =
        (counted(counts.records, "record", "records"), counted(counts.rows.len() as u64, "kind", "kinds"));
    text.push_str(&format!("{records} of {kinds}"));
    if let Some(stretch) = stretch {
        let others = counted(counts.outside, "other record", "other records");
        text.push_str(&format!(" {stretch}; the trace has {others}"));
    }
    text.push('\n');
    text
}

fn to_json(
    file: &TraceFile,
    trace: &Trace<'_>,
    counts: &Counts,
    stretch: Option<String>,
) -> serde_json::Value {
    let Counts { records, by_header, rows, account, .. } = counts;
    let events: Vec<_> = rows
        .iter()
        .map(|Row { key, tally, called: Called { provider, event, task }, .. }| {
            let mut row = json!({ "provider": provider, "events": tally.events, "bytes": tally.bytes });
            let (kind, guid, id) = match key {
                Key::Kernel(group, opcode) => {
                    row["group"] = json!(group);
                    ("kernel", None, Some(u16::from(*opcode)))
                }
                Key::Class(guid, opcode) => ("class", Some(guid), Some(u16::from(*opcode))),
                Key::Provider(guid, id, ..) => ("provider", Some(guid), Some(*id)),
                Key::Message(guid, number) => ("message", Some(guid), Some(*number)),
                Key::Other(kind) => ("other", None, Some(u16::from(*kind))),
            };
            row["kind"] = json!(kind);
            row["id"] = json!(id);
            if let Some(guid) = guid {
                row["guid"] = json!(guid.to_string());
            }
            for (key, name) in [("event", event), ("task", task)] {
                if !name.is_empty() {
                    row[key] = json!(name);
                }
            }
            row
        })
        .collect();
    let mut all = json!({
        "file": file.path.display().to_string(),
        "records": records,
        "by_header_type": by_header,
        "buffers": trace.buffers().len(),
        "events_lost": account.losses().events,
        "buffers_lost": account.losses().buffers,
        "buffers_missing": account.missing_buffers(),
        "damaged_places": account.damaged(),
        "events": events,
    });
    if let Some(stretch) = stretch {
        all["part"] = json!(stretch);
        all["records_outside"] = json!(counts.outside);
    }
    all
}
