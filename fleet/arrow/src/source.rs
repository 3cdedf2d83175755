//! A trace with what is learned from it, and scans over it.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use tracewell::events::machines;
use tracewell::open::{InputError, Limit, TraceFile, traces};
use tracewell_decode::Schemas;
use tracewell_etl::{ByTime, FileOrder, Record, Trace};
use tracewell_state::Machine;

use crate::column::Column;
use crate::derived::Walks;
use crate::filter::Filter;
use crate::typed::Kinds;

/// A trace in a file: a session of the file, if it has several with separate clocks.
#[derive(Debug)]
pub struct Source {
    file: TraceFile,
    name: String,
    given: Schemas,
    learned: OnceLock<Schemas>,
    machine: OnceLock<Machine>,
    kinds: OnceLock<Kinds>,
    walks: OnceLock<Walks>,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the file, which is the fastest.
    #[default]
    File,
    /// By time.
    Time,
}

/// What to read.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The columns, by their place in the table.
    pub columns: Vec<usize>,
    /// The rows.
    pub filter: Filter,
    /// The buffers, by their place in the file; [`None`] for all. Scans by time, and those of columns from the state, have all.
    pub buffers: Option<Range<usize>>,
    /// The order.
    pub order: Order,
}

impl Scan {
    /// A scan of some columns, by name. Names that the table does not have are left out.
    #[must_use]
    pub fn of(names: &[&str], table: &[Column]) -> Scan {
        let place = |name: &&str| table.iter().position(|column| column.name == *name);
        Scan { columns: names.iter().filter_map(place).collect(), ..Scan::default() }
    }
}

/// Records one after the other.
pub trait Cursor {
    /// The next record.
    fn next(&mut self) -> Option<Record<'_>>;
}

impl Cursor for FileOrder<'_> {
    #[inline]
    fn next(&mut self) -> Option<Record<'_>> {
        FileOrder::next(self)
    }
}

impl Cursor for ByTime<'_> {
    #[inline]
    fn next(&mut self) -> Option<Record<'_>> {
        ByTime::next(self)
    }
}

impl Source {
    /// Opens the traces of a file or an archive.
    #[must_use]
    pub fn open(path: &Path) -> Vec<Result<Source, InputError>> {
        traces(path, &Limit::default()).into_iter().map(|file| Source::of(file?, Schemas::new())).collect()
    }

    /// A trace that is open, with descriptions of events besides those in it.
    ///
    /// # Errors
    /// The file is not a trace.
    pub fn of(file: TraceFile, given: Schemas) -> Result<Source, InputError> {
        file.plain()?;
        let name = file.path.display().to_string();
        Ok(Source {
            file,
            name,
            given,
            learned: OnceLock::new(),
            machine: OnceLock::new(),
            kinds: OnceLock::new(),
            walks: OnceLock::new(),
        })
    }

    /// The path as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &TraceFile {
        &self.file
    }

    /// The trace, for what decodes no payload.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn plain(&self) -> Result<Trace<'_>, InputError> {
        self.file.plain()
    }

    /// The trace, for what decodes payloads.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn trace(&self) -> Result<Trace<'_>, InputError> {
        self.file.trace()
    }

    /// The descriptions of events: those given, and those in the trace.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn schemas(&self) -> Result<&Schemas, InputError> {
        if let Some(known) = self.learned.get() {
            return Ok(known);
        }
        let trace = self.trace()?;
        Ok(self.learned.get_or_init(|| {
            let mut schemas = self.given.clone();
            let mut records = trace.file_order();
            while let Some(record) = records.next() {
                schemas.observe(&record);
            }
            schemas
        }))
    }

    /// The processes, threads and images of the trace.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn machine(&self) -> Result<&Machine, InputError> {
        if let Some(known) = self.machine.get() {
            return Ok(known);
        }
        let trace = self.trace()?;
        Ok(self.machine.get_or_init(|| {
            let mut schemas = self.given.clone();
            let mut machines = machines(std::slice::from_ref(&trace), false, &mut schemas);
            // The pass has learned the descriptions, too.
            let _ = self.learned.set(schemas);
            machines.pop().unwrap_or_default()
        }))
    }

    /// The stacks of the trace.
    pub(crate) fn walks(&self) -> Result<&Walks, InputError> {
        if let Some(known) = self.walks.get() {
            return Ok(known);
        }
        let walks = Walks::of_source(self, self.machine()?)?;
        Ok(self.walks.get_or_init(|| walks))
    }

    /// The types of events in the trace.
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn kinds(&self) -> Result<&Kinds, InputError> {
        if let Some(known) = self.kinds.get() {
            return Ok(known);
        }
        let schemas = self.schemas()?;
        let trace = self.trace()?;
        Ok(self.kinds.get_or_init(|| Kinds::of(&trace, schemas.clone())))
    }

    /// The number of buffers: see [`Scan::buffers`].
    ///
    /// # Errors
    /// The file is not a trace any more.
    pub fn buffers(&self) -> Result<usize, InputError> {
        Ok(self.plain()?.buffers().len())
    }
}

/// Calls `$run` with the cursor of a scan.
macro_rules! with_cursor {
    ($scan:expr, $trace:expr, $by_time:expr, $run:expr) => {
        match $by_time {
            true => $run(&mut $trace.by_time()),
            false => match &$scan.buffers {
                Some(part) => $run(&mut $trace.records_of(part.clone())),
                None => $run(&mut $trace.file_order()),
            },
        }
    };
}
pub(crate) use with_cursor;
