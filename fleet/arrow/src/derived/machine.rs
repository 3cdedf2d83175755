//! Processes, threads and images.

use tracewell_etl::Clock;
use tracewell_state::{FOREVER, Image, Machine, ONCE, Process, Span, Thread};

use crate::cells::Cell;
use crate::derived::out::number;

/// A thing of the machine with what its row is made of.
pub(crate) struct Life<'r, T> {
    span: &'r Span<T>,
    machine: &'r Machine,
    clock: Clock,
    file: &'r str,
}

impl<'r, T> Life<'r, T> {
    pub(crate) fn new(span: &'r Span<T>, machine: &'r Machine, clock: Clock, file: &'r str) -> Life<'r, T> {
        Life { span, machine, clock, file }
    }

    fn start(&self) -> Cell<'static> {
        number(Some(self.span.start).filter(|raw| *raw != FOREVER).map(|raw| self.clock.unix_ns(raw)))
    }

    fn end(&self) -> Cell<'static> {
        number(Some(self.span.end).filter(|raw| *raw != ONCE).map(|raw| self.clock.unix_ns(raw)))
    }
}

/// The name of a process: the last component of its image.
pub(crate) fn name<'m>(machine: &'m Machine, process: &Process) -> &'m str {
    let image = machine.name(process.image);
    image.rsplit(['\\', '/']).next().unwrap_or(image)
}

/// The table `processes`.
pub(crate) mod processes {
    use super::{Life, Process, name};
    use crate::cells::Cell;
    use crate::derived::out::{columns, number, text};

    pub(crate) type Row<'r> = Life<'r, Process>;

    columns! { Row;
        "pid" U32 always State "" "The process id." = |row| Cell::Number(row.span.value.pid.into());
        "parent" U32 null State "" "The id of the process that created it." = |row| number(row.span.value.parent);
        "name" Name null State "" "The name of the program, as `process` in `events`." = |row| text(name(row.machine, &row.span.value));
        "command_line" Text null State "" "The command line." = |row| text(row.machine.name(row.span.value.command_line));
        "session" U32 null State "" "The terminal session." = |row| number(row.span.value.session);
        "user" Name null State "" "The security identifier of the user." = |row| text(row.machine.name(row.span.value.user));
        "started" Time null State "ns" "When it began; NULL if it was there before the trace began." = |row| row.start();
        "ended" Time null State "ns" "When it ended; NULL if the trace does not have the end." = |row| row.end();
        "exit_status" I32 null State "" "The exit status." = |row| number(row.span.value.exit_status);
        "package" Name null State "" "The full name of the application package." = |row| text(row.machine.name(row.span.value.package));
        "file" Name always File "" "The trace." = |row| Cell::Text(row.file);
    }
}

/// The table `threads`.
pub(crate) mod threads {
    use super::{Life, Thread, name};
    use crate::cells::Cell;
    use crate::derived::out::{columns, number, text};

    pub(crate) type Row<'r> = Life<'r, Thread>;

    columns! { Row;
        "tid" U32 always State "" "The thread id. Thread 0 is the idle threads of all processors." = |row| Cell::Number(row.span.value.tid.into());
        "pid" U32 always State "" "The id of its process." = |row| Cell::Number(row.span.value.pid.into());
        "process" Name null State "" "The name of its process." = |row| {
            let process = row.span.value.process.and_then(|index| row.machine.process(index));
            process.map_or(Cell::Null, |process| text(name(row.machine, &process.value)))
        };
        "name" Text null State "" "The name that the program gave it." = |row| text(row.machine.name(row.span.value.name));
        "base_priority" U8 null State "" "The base priority when the thread first appears." = |row| number(row.span.value.base_priority);
        "start_address" U64 null State "" "The address at which the program began it." = |row| number(row.span.value.win32_start);
        "started" Time null State "ns" "When it began; NULL if it was there before the trace began." = |row| row.start();
        "ended" Time null State "ns" "When it ended; NULL if the trace does not have the end." = |row| row.end();
        "file" Name always File "" "The trace." = |row| Cell::Text(row.file);
    }
}

/// The table `images`.
pub(crate) mod images {
    use super::{Image, Life, name};
    use crate::cells::Cell;
    use crate::derived::out::{columns, number, text};

    /// An image with the texts of its row.
    pub(crate) struct Row<'r> {
        life: Life<'r, Image>,
        process: &'r str,
        guid: String,
    }

    impl<'r> Row<'r> {
        pub(crate) fn new(life: Life<'r, Image>) -> Row<'r> {
            let Life { span, machine, .. } = life;
            let pid = span.value.pid;
            // What was there before the trace began belongs to the first process with that id.
            let owner = machine.process_at(pid, span.start).and_then(|index| machine.process(index));
            let owner = owner.or_else(|| machine.processes_of(pid).next());
            let process = owner.map_or("", |process| name(machine, &process.value));
            let guid = span.value.identity.map(|identity| identity.guid.to_string()).unwrap_or_default();
            Row { life, process, guid }
        }

        fn image(&self) -> &'r Image {
            &self.life.span.value
        }
    }

    columns! { Row;
        "pid" U32 always State "" "The id of the process that has it mapped; 0 for drivers." = |row| Cell::Number(row.image().pid.into());
        "process" Name null State "" "The name of that process." = |row| text(row.process);
        "base" U64 always State "" "The address at which it is mapped." = |row| Cell::Number(row.image().base.into());
        "size" U64 always State "bytes" "The size in memory." = |row| Cell::Number(row.image().size.into());
        "path" Name null State "" "The file, as the trace has it." = |row| text(row.life.machine.name(row.image().file));
        "module" Name null State "" "The name of the file in lower case." = |row| text(row.life.machine.name(row.image().module));
        "time_stamp" U32 null State "s" "The link time stamp of its header." = |row| number(row.image().time_stamp);
        "checksum" U32 null State "" "The checksum of its header." = |row| number(row.image().checksum);
        "pdb" Name null State "" "The name of its program database." = |row| {
            row.image().identity.map_or(Cell::Null, |identity| text(row.life.machine.name(identity.pdb)))
        };
        "pdb_guid" Text null State "" "The signature of the database." = |row| text(&row.guid);
        "pdb_age" U32 null State "" "The age of the database." = |row| number(row.image().identity.map(|identity| identity.age));
        "loaded" Time null State "ns" "When it was mapped; NULL if it was there before the trace began." = |row| row.life.start();
        "unloaded" Time null State "ns" "When it was unmapped; NULL if the trace does not have that." = |row| row.life.end();
        "file" Name always File "" "The trace." = |row| Cell::Text(row.life.file);
    }
}
