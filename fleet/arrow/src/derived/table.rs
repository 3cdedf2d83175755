//! The derived tables by name.

use tracewell::account::Account;
use tracewell::open::InputError;
use tracewell::views::timeline::interval;
use tracewell_decode::Decoder;

use crate::column::{Column, From};
use crate::derived::collections::{self, Collections};
use crate::derived::disks::{self, Disks};
use crate::derived::exceptions::{self, Exceptions};
use crate::derived::faults::{self, Faults};
use crate::derived::files::{self, Files};
use crate::derived::follow::{self, Follow};
use crate::derived::machine::{self, Life};
use crate::derived::network::{self, Network};
use crate::derived::out::{Each, Out, Row};
use crate::derived::samples::{self, Samples};
use crate::derived::spans::{self, Pairs, Spans};
use crate::derived::switches::{self, Switches};
use crate::derived::{losses, stacks};
use crate::source::{Scan, Source};

/// A table that is made from several events, or from what the trace is found to lack.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// The columns.
    pub columns: &'static [Column],
    how: How,
}

/// How the rows are made.
#[derive(Clone, Copy, Debug)]
enum How {
    Processes,
    Threads,
    Images,
    Losses,
    Samples,
    Switches,
    Disks,
    Faults,
    Network,
    Stacks,
    Files,
    Spans,
    Collections,
    Exceptions,
}

/// All derived tables.
pub static TABLES: &[Table] = &[
    Table {
        name: "processes",
        about: "A process. Process 0, Idle, is always there.",
        columns: machine::processes::COLUMNS,
        how: How::Processes,
    },
    Table {
        name: "threads",
        about: "A thread, also one that only the headers of events show.",
        columns: machine::threads::COLUMNS,
        how: How::Threads,
    },
    Table {
        name: "images",
        about: "An executable, a library or a driver for the time for which a process has it mapped.",
        columns: machine::images::COLUMNS,
        how: How::Images,
    },
    Table {
        name: "losses",
        about: "A way in which a trace is incomplete. A complete one has no row.",
        columns: losses::COLUMNS,
        how: How::Losses,
    },
    Table {
        name: "cpu_samples",
        about: "What a processor did when the profiler sampled it, idle ones too.",
        columns: samples::COLUMNS,
        how: How::Samples,
    },
    Table {
        name: "context_switches",
        about: "A processor goes on to another thread.",
        columns: switches::COLUMNS,
        how: How::Switches,
    },
    Table {
        name: "disk_io",
        about: "A transfer of a disk that is done, or a flush of its cache.",
        columns: disks::COLUMNS,
        how: How::Disks,
    },
    Table { name: "page_faults", about: "A page fault.", columns: faults::COLUMNS, how: How::Faults },
    Table {
        name: "network",
        about: "Bytes that were sent or received, or a change of a connection.",
        columns: network::COLUMNS,
        how: How::Network,
    },
    Table {
        name: "file_io",
        about: "An operation on a file whose end the trace has.",
        columns: files::COLUMNS,
        how: How::Files,
    },
    Table {
        name: "spans",
        about: "The time between two events that begin and end something, as `etw dump --spans` has it.",
        columns: spans::COLUMNS,
        how: How::Spans,
    },
    Table {
        name: "gcs",
        about: "A garbage collection of a .NET program.",
        columns: collections::COLUMNS,
        how: How::Collections,
    },
    Table {
        name: "exceptions",
        about: "An exception that a .NET program threw.",
        columns: exceptions::COLUMNS,
        how: How::Exceptions,
    },
    Table {
        name: "stacks",
        about: "A frame of a stack. Events of one process with the same frames have the same stack.",
        columns: stacks::COLUMNS,
        how: How::Stacks,
    },
];

/// The derived table with a name.
#[must_use]
pub fn table(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

impl Source {
    /// Reads a derived table, and calls `each` with its batches until it returns `false`. Of the conditions of the scan, those on
    /// time and process apply; a row without a time is taken if what it is about was there at some of the time.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn derived(
        &self,
        table: &Table,
        scan: &Scan,
        each: &mut dyn FnMut(arrow_array::RecordBatch) -> bool,
    ) -> Result<(), InputError> {
        let mut out = Out::new(0, table.columns, scan);
        let each: &mut Each<'_> = &mut |_, batch| each(batch);
        let (file, clock) = (self.name(), *self.plain()?.clock());
        match table.how {
            How::Processes => {
                let known = self.machine()?;
                let row = |span| machine::processes::Row::new(span, known, clock, file);
                all(known.processes().map(row), &mut out, each);
            }
            How::Threads => {
                let known = self.machine()?;
                let row = |span| machine::threads::Row::new(span, known, clock, file);
                all(known.threads().map(row), &mut out, each);
            }
            How::Images => {
                let known = self.machine()?;
                let row = |span| machine::images::Row::new(Life::new(span, known, clock, file));
                all(known.images().map(row), &mut out, each);
            }
            How::Samples => {
                let interval = interval(std::slice::from_ref(&self.trace()?));
                self.follow(&mut Samples { interval }, table, scan, &mut out, each)?;
            }
            How::Switches => self.follow(&mut Switches::default(), table, scan, &mut out, each)?,
            How::Disks => self.follow(&mut Disks, table, scan, &mut out, each)?,
            How::Faults => self.follow(&mut Faults, table, scan, &mut out, each)?,
            How::Files => self.follow(&mut Files(self.pairs()?), table, scan, &mut out, each)?,
            How::Spans => self.follow(&mut Spans(self.pairs()?), table, scan, &mut out, each)?,
            How::Collections => self.follow(&mut Collections(self.pairs()?), table, scan, &mut out, each)?,
            How::Exceptions => self.follow(&mut Exceptions, table, scan, &mut out, each)?,
            How::Network => self.follow(&mut Network, table, scan, &mut out, each)?,
            How::Stacks => {
                let pointer_bits = self.plain()?.header().pointer_size.saturating_mul(8);
                let store = self.store()?;
                let symbols = self.symbols(store.as_ref())?;
                stacks::frames(self.walks()?, &symbols, pointer_bits, file, &mut out, each);
                self.note(store.as_ref());
            }
            How::Losses => all(losses::rows(&self.account()?.0, file).into_iter(), &mut out, each),
        }
        out.batch(each);
        Ok(())
    }

    /// Pairs nothing yet.
    fn pairs(&self) -> Result<Pairs, InputError> {
        Ok(Pairs::new(Decoder::new(self.schemas()?.clone())))
    }

    /// Reads a trace in order of time for a table.
    fn follow(
        &self,
        follow: &mut dyn Follow,
        table: &Table,
        scan: &Scan,
        out: &mut Out<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), InputError> {
        let is_of_stacks =
            |place: &usize| table.columns.get(*place).is_some_and(|column| column.from == From::Stacks);
        let walks = if scan.columns.iter().any(is_of_stacks) { Some(self.walks()?) } else { None };
        follow::pass(self, follow, walks, out, each)
    }

    /// Reads the trace for what it lacks. Returns the number of its records, too.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn account(&self) -> Result<(Account, u64), InputError> {
        let trace = self.plain()?;
        let mut account = Account::new(&trace);
        let mut records = trace.file_order();
        let mut count = 0;
        while let Some(record) = records.next() {
            account.observe(&record);
            count += 1;
        }
        account.read(&trace, records.ledger());
        Ok((account, count))
    }
}

fn all(rows: impl Iterator<Item = impl Row>, out: &mut Out<'_>, each: &mut Each<'_>) {
    for row in rows {
        if out.is_over {
            return;
        }
        out.row(&row, each);
    }
}
