//! What a trace lacks.

use tracewell::account::Account;

use crate::cells::Cell;
use crate::derived::out::{columns, number};

/// A way in which something is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'r> {
    kind: &'static str,
    count: Option<u64>,
    about: &'static str,
    file: &'r str,
}

columns! { Row;
    "kind" Name always Header "" "What is missing or damaged." = |row| Cell::Text(row.kind);
    "count" U64 null Header "" "How many; NULL if the trace only says that there are some." = |row| number(row.count);
    "meaning" Name always Header "" "What follows for answers." = |row| Cell::Text(row.about);
    "file" Name always File "" "The trace." = |row| Cell::Text(row.file);
}

/// The rows of a trace: one for each kind that it has.
pub(crate) fn rows<'r>(account: &Account, file: &'r str) -> Vec<Row<'r>> {
    let losses = account.losses();
    let known = [
        ("events", losses.events.into(), "The session lost events while recording: counts are low."),
        ("buffers", losses.buffers.into(), "The session lost buffers with all their events while recording."),
        ("messages", losses.messages(), "The session lost trace messages: their numbers have gaps."),
        ("missing buffers", account.missing_buffers(), "Buffers that the header counts are not in the file."),
        ("damaged places", account.damaged(), "Damaged parts of the file were skipped."),
        (
            "buffers left out",
            account.buffers_left_out(),
            "Buffers were not read, because sorting them would take too much memory.",
        ),
    ];
    let row = |(kind, count, about)| Row { kind, count: Some(count), about, file };
    let mut rows: Vec<Row<'r>> = known.map(row).into_iter().filter(|row| row.count != Some(0)).collect();
    let has_number = losses.events > 0 || losses.buffers > 0 || losses.messages() > 0;
    if losses.any() && !has_number {
        let about = "Marks in the trace say that the session lost events, but not how many.";
        rows.insert(0, Row { kind: "events", count: None, about, file });
    }
    rows
}
