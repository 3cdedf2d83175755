//! `etw stats`: events by provider, class and id.

use std::collections::BTreeMap;

use serde_json::json;
use tracewell_etl::{Identity, Trace};
use tracewell_schema::{kernel, providers};
use tracewell_types::Guid;

use super::Shown;
use crate::account::Account;
use crate::input::{InputError, TraceFile};
use crate::term::{Style, Table, counted, grouped};

/// One kind of event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    /// Kernel records with short headers: group and event type.
    Kernel(u8, u8),
    /// Classic records: class and event type.
    Class(Guid, u8),
    /// Provider events: provider and id; TraceLogging events have no id but a name.
    Provider(Guid, u16, String),
    /// Messages: their class, when they have one, and number.
    Message(Guid, u16),
    /// Records that tell nothing of themselves.
    Other(u8),
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    events: u64,
    bytes: u64,
}

/// The text or JSON of one file.
pub(super) fn show(file: &TraceFile, as_json: bool) -> Result<Shown, InputError> {
    let trace = file.trace()?;
    let mut account = Account::new(&trace);
    let mut tallies: rustc_hash::FxHashMap<Key, Tally> = rustc_hash::FxHashMap::default();
    let mut traits: BTreeMap<Guid, String> = BTreeMap::new();
    let mut kinds: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut records = 0u64;
    let progress = crate::progress::Progress::new(file.size());
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        records += 1;
        account.observe(&record);
        progress.records(records);
        *kinds.entry(record.kind().name().unwrap_or("UNKNOWN")).or_default() += 1;
        let key = match record.identity() {
            Identity::Kernel { group, opcode } => Key::Kernel(group, opcode),
            Identity::Class { guid, opcode } => Key::Class(guid, opcode),
            Identity::Provider { guid, id, .. } => {
                let (name, provider) = crate::selfdescribed::names(&record);
                if let Some(provider) = provider {
                    traits.entry(guid).or_insert_with(|| provider.to_owned());
                }
                Key::Provider(guid, id, name.unwrap_or_default().to_owned())
            }
            Identity::Message { guid, number } => Key::Message(guid, number),
            Identity::Other(kind) => Key::Other(kind),
        };
        let tally = tallies.entry(key).or_default();
        tally.events += 1;
        tally.bytes += record.bytes().len() as u64;
    }
    let mut rows: Vec<(Key, Tally)> = tallies.into_iter().collect();
    rows.sort_by(|a, b| b.1.events.cmp(&a.1.events).then_with(|| a.0.cmp(&b.0)));
    account.read(&trace, cursor.ledger());
    let text = if as_json {
        format!("{}\n", to_json(file, &trace, records, &account, &kinds, &rows, &traits))
    } else {
        to_text(records, &rows, &traits)
    };
    Ok(Shown { text, is_named: false, account: Some(account) })
}

/// Provider and event as people name them.
fn names(key: &Key, traits: &BTreeMap<Guid, String>) -> (String, String, String) {
    let event_of = |class: &tracewell_schema::EventClass, opcode: u8| {
        class.event_by_opcode(opcode).map_or(String::new(), |e| e.name.to_owned())
    };
    match key {
        Key::Kernel(group, opcode) => match kernel::by_hook(*group, *opcode) {
            Some(class) => (class.name.to_owned(), opcode.to_string(), event_of(class, *opcode)),
            None => (format!("kernel group {group:#04x}"), opcode.to_string(), String::new()),
        },
        Key::Class(guid, opcode) => match kernel::by_guid(guid) {
            Some(class) => (class.name.to_owned(), opcode.to_string(), event_of(class, *opcode)),
            None => (
                providers::name(guid).map_or_else(|| guid.to_string(), str::to_owned),
                opcode.to_string(),
                String::new(),
            ),
        },
        Key::Provider(guid, id, name) => (
            traits
                .get(guid)
                .cloned()
                .or_else(|| providers::name(guid).map(str::to_owned))
                .unwrap_or_else(|| guid.to_string()),
            id.to_string(),
            if *id == 0xFFFE && name.is_empty() { "(manifest)".to_owned() } else { name.clone() },
        ),
        Key::Message(guid, number) => (format!("messages {guid}"), number.to_string(), String::new()),
        Key::Other(kind) => (format!("records of type {kind}"), String::new(), String::new()),
    }
}

fn to_text(records: u64, rows: &[(Key, Tally)], traits: &BTreeMap<Guid, String>) -> String {
    let mut table = Table::new(&["provider or class", ">id", "event", ">events", ">%", ">bytes"]);
    for (key, tally) in rows {
        let (provider, id, event) = names(key, traits);
        let share = tally.events as f64 * 100.0 / records.max(1) as f64;
        table.row([provider, id, event, grouped(tally.events), format!("{share:.1}"), grouped(tally.bytes)]);
    }
    let mut text = table.render(Style::stdout());
    let (records, kinds) =
        (counted(records, "record", "records"), counted(rows.len() as u64, "kind", "kinds"));
    text.push_str(&format!("{records} of {kinds}\n"));
    text
}

fn to_json(
    file: &TraceFile,
    trace: &Trace<'_>,
    records: u64,
    account: &Account,
    kinds: &BTreeMap<&'static str, u64>,
    rows: &[(Key, Tally)],
    traits: &BTreeMap<Guid, String>,
) -> serde_json::Value {
    let events: Vec<_> = rows
        .iter()
        .map(|(key, tally)| {
            let (provider, _, event) = names(key, traits);
            let mut row = json!({ "provider": provider, "events": tally.events, "bytes": tally.bytes });
            let (kind, guid, id) = match key {
                Key::Kernel(group, opcode) => {
                    row["group"] = json!(group);
                    ("kernel", None, Some(u16::from(*opcode)))
                }
                Key::Class(guid, opcode) => ("class", Some(guid), Some(u16::from(*opcode))),
                Key::Provider(guid, id, _) => ("provider", Some(guid), Some(*id)),
                Key::Message(guid, number) => ("message", Some(guid), Some(*number)),
                Key::Other(kind) => ("other", None, Some(u16::from(*kind))),
            };
            row["kind"] = json!(kind);
            row["id"] = json!(id);
            if let Some(guid) = guid {
                row["guid"] = json!(guid.to_string());
            }
            if !event.is_empty() {
                row["event"] = json!(event);
            }
            row
        })
        .collect();
    json!({
        "file": file.path.display().to_string(),
        "records": records,
        "by_header_type": kinds,
        "buffers": trace.buffers().len(),
        "events_lost": account.losses().events,
        "buffers_lost": account.losses().buffers,
        "buffers_missing": account.missing_buffers(),
        "damaged_places": account.damaged(),
        "events": events,
    })
}
