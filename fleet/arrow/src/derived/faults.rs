//! Page faults.

use std::cell::OnceCell;

use tracewell_decode::EventFormat;
use tracewell_symbols::Location;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};

/// A page fault.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    started: Option<i64>,
    path: String,
    location: OnceCell<Option<Location>>,
}

impl Row<'_> {
    fn location(&self) -> Option<&Location> {
        let now = self.now;
        let find =
            || now.symbols.locate(now.who.pid.unwrap_or(0), now.number("ProgramCounter")?, now.record.time());
        self.location.get_or_init(find).as_ref()
    }
}

columns! { Row;
    "time" Time always Header "ns" "When it was logged; of a hard fault, when the page was there." = |row| Cell::Number(row.now.time.into());
    "cpu" U16 always Header "" "The processor." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The process id." = |row| number(row.now.who.pid);
    "tid" U32 null State "" "The thread id." = |row| number(row.now.who.tid);
    "process" Name null State "" "The name of the process." = |row| text(row.now.process());
    "kind" Name always Names "" "The kind, as the event is called: `HardFault` if the page was read from a file." = |row| Cell::Text(&row.now.format.opcode);
    "address" U64 null Payload "" "The address that was used." = |row| number(row.now.number("VirtualAddress"));
    "program_counter" U64 null Payload "" "The address of the code; NULL for hard faults." = |row| number(row.now.number("ProgramCounter"));
    "module" Name null State "" "The module of the code, without its extension." = |row| {
        row.location().map_or(Cell::Null, |location| text(&location.module))
    };
    "function" Name null State "" "The function, if the trace or symbols name it." = |row| {
        row.location().and_then(|location| location.symbol.as_deref()).map_or(Cell::Null, text)
    };
    "duration" I64 null Payload "ns" "How long the thread waited for the page, of hard faults." = |row| {
        number(row.started.map(|started| row.now.time.saturating_sub(started)))
    };
    "size" U32 null Payload "bytes" "The bytes that were read, of hard faults." = |row| number(row.now.number("ByteCount"));
    "offset" U64 null Payload "bytes" "Their place in the file." = |row| number(row.now.number("ReadOffset"));
    "path" Name null State "" "The file, of hard faults." = |row| text(&row.path);
    "stack" U32 null Stacks "" "The stack, of events that have one: `id` of `stacks` in the same file." = |row| number(row.now.stack());
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// Makes the rows.
#[derive(Debug)]
pub(crate) struct Faults;

impl Follow for Faults {
    fn takes(&self, format: &EventFormat) -> bool {
        let kind = kernel_event(format).strip_prefix("PageFault/");
        kind.is_some_and(|kind| {
            matches!(
                kind,
                "TransitionFault"
                    | "DemandZeroFault"
                    | "CopyOnWrite"
                    | "GuardPageFault"
                    | "HardPageFault"
                    | "AccessViolation"
                    | "HardFault"
            )
        })
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let started = now.before(now.number("InitialTime"));
        let path = now.path(now.number("FileObject"));
        out.row(&Row { now, started, path, location: OnceCell::new() }, each);
    }
}
