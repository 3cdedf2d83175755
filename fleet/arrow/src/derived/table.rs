//! The derived tables by name.

use tracewell::account::Account;
use tracewell::open::InputError;

use crate::column::Column;
use crate::derived::losses;
use crate::derived::machine::{self, Life};
use crate::derived::out::{Each, Out, Row};
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
            How::Losses => all(losses::rows(&self.account()?.0, file).into_iter(), &mut out, each),
        }
        out.batch(each);
        Ok(())
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
