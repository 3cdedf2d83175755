//! Operations on files.

use tracewell_decode::{EventFormat, Value};
use tracewell_etl::Record;
use tracewell_state::{ThreadRef, Who};

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};
use crate::derived::spans::Pairs;

/// An operation that is done.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    who: Who,
    cpu: u16,
    started: i64,
    operation: &'r str,
    path: String,
    offset: Option<u64>,
    size: Option<u64>,
}

columns! { Row;
    "time" Time always Header "ns" "When it was done." = |row| Cell::Number(row.now.time.into());
    "started" Time always State "ns" "When it began." = |row| Cell::Number(row.started.into());
    "duration" I64 always State "ns" "From start to end." = |row| Cell::Number(row.now.time.saturating_sub(row.started).into());
    "cpu" U16 always State "" "The processor on which it began." = |row| Cell::Number(row.cpu.into());
    "pid" U32 null State "" "The id of the process that began it." = |row| number(row.who.pid);
    "tid" U32 null State "" "The id of the thread that began it." = |row| number(row.who.tid);
    "process" Name null State "" "The name of the process." = |row| text(row.now.process_of(row.who));
    "operation" Name always Names "" "The operation, as its event is called: `Create`, `Read` and others." = |row| Cell::Text(row.operation);
    "path" Name null State "" "The file." = |row| text(&row.path);
    "offset" U64 null Payload "bytes" "The place in the file, of reads and writes." = |row| number(row.offset);
    "size" U32 null Payload "bytes" "The bytes that were asked for, of reads and writes." = |row| number(row.size);
    "status" U32 null Payload "" "The status: 0 for success." = |row| number(row.now.number("NtStatus"));
    "result" U64 null Payload "" "What the operation returned, of reads and writes the bytes that were moved." = |row| number(row.now.number("ExtraInfo"));
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// A field of the event that began it.
fn field<'a>(format: &'a EventFormat, record: &Record<'a>, name: &str) -> Option<Value<'a>> {
    format.fields(record).find(|field| *field.field.name == *name).map(|field| field.value)
}

/// Makes the rows.
pub(crate) struct Files(pub(crate) Pairs);

impl Follow for Files {
    fn takes(&self, format: &EventFormat) -> bool {
        kernel_event(format).starts_with("FileIo/")
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let machine = now.machine();
        self.0.observe(now, |span, _, start, format| {
            let unsigned = |name| field(format, start, name).and_then(|value| value.as_u64());
            let thread = span.tid.map(|tid| ThreadRef { tid, thread: machine.thread_at(tid, span.time) });
            let who = match thread {
                Some(thread) if thread.thread.is_some() => Who::of(machine, thread, span.time),
                _ => Who { pid: span.pid, tid: span.tid, ..Who::default() },
            };
            let path = match field(format, start, "OpenPath") {
                Some(Value::Utf16(path)) => now.dos(&path.to_string()),
                _ => {
                    let path = now.path(unsigned("FileObject"));
                    if path.is_empty() { now.path(unsigned("FileKey")) } else { path }
                }
            };
            let row = Row {
                now,
                who,
                cpu: span.cpu,
                started: now.clock.unix_ns(span.time),
                operation: &format.opcode,
                path,
                offset: unsigned("Offset"),
                size: unsigned("IoSize"),
            };
            out.row(&row, each);
        });
    }
}
