//! Garbage collections of .NET programs.

use tracewell::events::write;
use tracewell::views::ended::Ended;
use tracewell_decode::{EventFormat, Value};
use tracewell_etl::Record;
use tracewell_etl::def::guid::CLR;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now};
use crate::derived::out::{Each, Out, columns, number, text};
use crate::derived::spans::{Pairs, process};

/// A collection that ended.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    span: &'r Ended,
    started: i64,
    number: Option<u64>,
    generation: Option<u64>,
    reason: String,
    kind: String,
}

columns! { Row;
    "started" Time always State "ns" "When it began." = |row| Cell::Number(row.started.into());
    "ended" Time always State "ns" "When it ended." = |row| Cell::Number(row.now.time.into());
    "duration" I64 always State "ns" "From start to end." = |row| Cell::Number(row.now.time.saturating_sub(row.started).into());
    "pid" U32 null State "" "The process id." = |row| number(row.span.pid);
    "process" Name null State "" "The name of the process." = |row| text(process(row.now, row.span));
    "number" U32 null Payload "" "The number that the runtime gives it." = |row| number(row.number);
    "generation" U32 null Payload "" "The oldest generation that it collects." = |row| number(row.generation);
    "reason" Name null Payload "" "Why it began." = |row| text(&row.reason);
    "type" Name null Payload "" "Whether it stops the program." = |row| text(&row.kind);
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// A field of the event that began it, as a number and as `etw dump` shows it.
fn field(format: &EventFormat, start: &Record<'_>, name: &str) -> (Option<u64>, String) {
    let Some(field) = format.fields(start).find(|field| *field.field.name == *name) else {
        return (None, String::new());
    };
    let number = if let Value::Unsigned(number) = field.value { Some(number) } else { None };
    let mut text = Vec::new();
    write::value_text(&mut text, &field);
    (number, String::from_utf8(text).unwrap_or_default())
}

/// Makes the rows.
pub(crate) struct Collections(pub(crate) Pairs);

impl Follow for Collections {
    fn takes(&self, format: &EventFormat) -> bool {
        // The record says for certain that it is the runtime's.
        matches!(&*format.task, "GC" | "GarbageCollection")
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        if !now.record.is_event() || now.record.guid() != CLR {
            return;
        }
        self.0.observe(now, |span, _, start, format| {
            if span.name == "gc" {
                let row = Row {
                    now,
                    span,
                    started: now.clock.unix_ns(span.time),
                    number: field(format, start, "Count").0,
                    generation: field(format, start, "Depth").0,
                    reason: field(format, start, "Reason").1,
                    kind: field(format, start, "Type").1,
                };
                out.row(&row, each);
            }
        });
    }
}
