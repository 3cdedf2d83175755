//! Exceptions of .NET programs.

use tracewell_decode::EventFormat;
use tracewell_etl::def::guid::CLR;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now};
use crate::derived::out::{Each, Out, columns, number, text};

/// An exception that was thrown.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    kind: String,
    message: String,
}

columns! { Row;
    "time" Time always Header "ns" "When it was thrown." = |row| Cell::Number(row.now.time.into());
    "cpu" U16 always Header "" "The processor." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The process id." = |row| number(row.now.who.pid);
    "tid" U32 null State "" "The thread id." = |row| number(row.now.who.tid);
    "process" Name null State "" "The name of the process." = |row| text(row.now.process());
    "type" Name null Payload "" "The type." = |row| text(&row.kind);
    "message" Text null Payload "" "The message." = |row| text(&row.message);
    "stack" U32 null Stacks "" "The stack: `id` of `stacks` in the same file." = |row| number(row.now.stack());
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// The runtime's event about an exception.
const THROWN: u16 = 80;

/// Makes the rows.
#[derive(Debug)]
pub(crate) struct Exceptions;

impl Follow for Exceptions {
    fn takes(&self, format: &EventFormat) -> bool {
        // Tasks with this name are those of the runtime; the record says so for certain.
        &*format.task == "Exception"
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let is_it = now.record.is_event() && now.record.guid() == CLR;
        if is_it && tracewell_decode::event_number(now.record) == u32::from(THROWN) {
            let (kind, message) = (now.text("ExceptionType"), now.text("ExceptionMessage"));
            out.row(&Row { now, kind, message }, each);
        }
    }
}
