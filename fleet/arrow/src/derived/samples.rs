//! Samples of processors.

use std::cell::OnceCell;

use tracewell_decode::EventFormat;
use tracewell_symbols::Location;

use crate::cells::Cell;
use crate::derived::follow::{Follow, Now, kernel_event};
use crate::derived::out::{Each, Out, columns, number, text};

/// A sample.
pub(crate) struct Row<'r> {
    now: &'r Now<'r>,
    address: Option<u64>,
    weight: Option<u64>,
    location: OnceCell<Option<Location>>,
}

impl Row<'_> {
    fn location(&self) -> Option<&Location> {
        let find =
            || self.now.symbols.locate(self.now.who.pid.unwrap_or(0), self.address?, self.now.record.time());
        self.location.get_or_init(find).as_ref()
    }
}

columns! { Row;
    "time" Time always Header "ns" "When the sample was taken." = |row| Cell::Number(row.now.time.into());
    "cpu" U16 always Header "" "The processor." = |row| Cell::Number(row.now.record.cpu().into());
    "pid" U32 null State "" "The process id." = |row| number(row.now.who.pid);
    "tid" U32 null State "" "The thread id." = |row| number(row.now.who.tid);
    "process" Name null State "" "The name of the process." = |row| text(row.now.process());
    "module" Name null State "" "The module of the code that ran, without its extension." = |row| {
        row.location().map_or(Cell::Null, |location| text(&location.module))
    };
    "function" Name null State "" "The function, if the trace or symbols name it." = |row| {
        row.location().and_then(|location| location.symbol.as_deref()).map_or(Cell::Null, text)
    };
    "address" U64 null Payload "" "The address of the code." = |row| number(row.address);
    "weight" U64 null Payload "ns" "The time between two samples of a processor, if the trace has it." = |row| number(row.weight);
    "stack" U32 null Stacks "" "The stack: `id` of `stacks` in the same file." = |row| number(row.now.stack());
    "file" Name always File "" "The trace." = |row| Cell::Text(row.now.file);
}

/// Makes the rows.
#[derive(Debug)]
pub(crate) struct Samples {
    /// Nanoseconds between two samples of a processor.
    pub(crate) interval: Option<u64>,
}

impl Follow for Samples {
    fn takes(&self, format: &EventFormat) -> bool {
        kernel_event(format) == "PerfInfo/SampleProfile"
    }

    fn observe(&mut self, now: &Now<'_>, out: &mut Out<'_>, each: &mut Each<'_>) {
        let address = now.number("InstructionPointer");
        out.row(&Row { now, address, weight: self.interval, location: OnceCell::new() }, each);
    }
}
