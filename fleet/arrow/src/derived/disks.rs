//! Transfers from and to disks.

use tracewell_decode::EventFormat;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};

/// A transfer that is done.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    operation: &'static str,
    started: Option<i64>,
    path: String,
}

columns! { Row;
    "time" Time always Header "ns" "When it was done." = |row| Cell::Number(row.now.time.into());
    "started" Time null Payload "ns" "When it was requested." = |row| number(row.started);
    "duration" I64 null Payload "ns" "From the request until it was done." = |row| {
        number(row.started.map(|started| row.now.time.saturating_sub(started)))
    };
    "cpu" U16 always Header "" "The processor that logged the event." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The id of the process that requested it; in old traces, of that which ran on the processor." = |row| number(row.now.who.pid);
    "tid" U32 null State "" "The id of the thread, likewise." = |row| number(row.now.who.tid);
    "process" Name null State "" "The name of the process, likewise." = |row| text(row.now.process());
    "operation" Name always Header "" "`read`, `write` or `flush`." = |row| Cell::Text(row.operation);
    "disk" U32 null Payload "" "The number of the disk." = |row| number(row.now.number("DiskNumber"));
    "offset" U64 null Payload "bytes" "The place on the disk; NULL for a flush." = |row| number(row.now.number("ByteOffset"));
    "size" U32 null Payload "bytes" "The bytes that were transferred; NULL for a flush." = |row| number(row.now.number("TransferSize"));
    "path" Name null State "" "The file." = |row| text(&row.path);
    "irp" U64 null Payload "" "The address of the request." = |row| number(row.now.number("Irp"));
    "stack" U32 null Stacks "" "The stack, of events that have one: `id` of `stacks` in the same file." = |row| number(row.now.stack());
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// The name of an operation that is done, by the name of its event.
fn operation(event: &str) -> Option<&'static str> {
    Some(match event {
        "DiskIo/Read" => "read",
        "DiskIo/Write" => "write",
        "DiskIo/FlushBuffers" => "flush",
        _ => return None,
    })
}

/// Makes the rows.
#[derive(Debug)]
pub(crate) struct Disks;

impl Follow for Disks {
    fn takes(&self, format: &EventFormat) -> bool {
        operation(kernel_event(format)).is_some()
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let Some(operation) = operation(kernel_event(now.format)) else { return };
        let took = now.number("HighResResponseTime").and_then(|took| i64::try_from(took).ok());
        let began = took.and_then(|took| u64::try_from(now.record.time().checked_sub(took)?).ok());
        let path = now.path(now.number("FileObject"));
        out.row(&Row { now, operation, started: now.before(began), path }, each);
    }
}
