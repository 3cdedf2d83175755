//! The frames of stacks.

use std::cell::OnceCell;

use tracewell_state::is_kernel;
use tracewell_symbols::{Location, SourceFrame, Symbols};

use crate::cells::Cell;
use crate::derived::out::{Each, Out, columns, number, text};
use crate::derived::walks::{Walk, Walks};

/// A frame.
pub(crate) struct Row<'r> {
    id: usize,
    position: usize,
    walk: &'r Walk,
    address: u64,
    is_kernel: bool,
    symbols: &'r Symbols<'r>,
    location: OnceCell<Option<Location>>,
    line: OnceCell<Option<SourceFrame>>,
    file: &'r str,
}

impl Row<'_> {
    /// All but the innermost are return addresses.
    fn location(&self) -> Option<&Location> {
        let (pid, time) = (self.walk.pid.unwrap_or(0), self.walk.time);
        let find = || match self.position {
            0 => self.symbols.locate(pid, self.address, time),
            _ => self.symbols.locate_return(pid, self.address, time),
        };
        self.location.get_or_init(find).as_ref()
    }

    fn line(&self) -> Option<&(std::rc::Rc<str>, u32)> {
        let (pid, time) = (self.walk.pid.unwrap_or(0), self.walk.time);
        let find = || self.symbols.frames(pid, self.address, time, self.position > 0).into_iter().next();
        self.line.get_or_init(find).as_ref()?.line.as_ref()
    }
}

columns! { Row;
    "id" U32 always Stacks "" "The number of the stack, in order of time in its file." = |row| Cell::Number(row.id as i128);
    "position" U32 always Stacks "" "The position of the frame, 0 for the innermost." = |row| Cell::Number(row.position as i128);
    "kind" Name always Stacks "" "`kernel` or `user`." = |row| Cell::Text(if row.is_kernel { "kernel" } else { "user" });
    "pid" U32 null Stacks "" "The process id." = |row| number(row.walk.pid);
    "address" U64 always Stacks "" "The address; of all frames but the innermost, that to which the call returns." = |row| Cell::Number(row.address.into());
    "module" Name null Stacks "" "The module, without its extension." = |row| {
        row.location().map_or(Cell::Null, |location| text(&location.module))
    };
    "function" Name null Stacks "" "The function, if the trace or symbols name it." = |row| {
        row.location().and_then(|location| location.symbol.as_deref()).map_or(Cell::Null, text)
    };
    "offset" U64 null Stacks "bytes" "The distance from the start of the function, else from that of the module." = |row| {
        number(row.location().map(|location| location.offset))
    };
    "source_file" Name null Stacks "" "The source file, if symbols name it." = |row| {
        row.line().map_or(Cell::Null, |(file, _)| text(file))
    };
    "line" U32 null Stacks "" "The line in it." = |row| number(row.line().map(|(_, line)| *line));
    "file" Name always File "" "The trace." = |row| Cell::Text(row.file);
}

/// Makes the rows of all stacks, with pointers of so many bits.
pub(crate) fn frames(
    walks: &Walks,
    symbols: &Symbols<'_>,
    pointer_bits: u32,
    file: &str,
    out: &mut Out<'_>,
    each: &mut Each<'_>,
) {
    for (id, walk) in walks.all().iter().enumerate() {
        for (position, address) in walks.frames(walk).iter().enumerate() {
            let row = Row {
                id,
                position,
                walk,
                address: *address,
                is_kernel: is_kernel(*address, pointer_bits),
                symbols,
                location: OnceCell::new(),
                line: OnceCell::new(),
                file,
            };
            out.row(&row, each);
            if out.is_over {
                return;
            }
        }
    }
}
