//! A trace with what is learned from it, and scans over it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use tracewell::events::machines;
use tracewell::open::{InputError, Limit, TraceFile, traces};
use tracewell_decode::Schemas;
use tracewell_etl::{ByTime, FileOrder, Record, Trace};
use tracewell_state::Machine;
use tracewell_symbols::{FileStore, SymbolPath, Symbols, has_elf_images};

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
    symbol_path: Option<SymbolPath>,
    remarks: Mutex<BTreeSet<String>>,
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
            symbol_path: None,
            remarks: Mutex::default(),
        })
    }

    /// Names functions, source files and lines by symbol files, too: those in the folder beside the trace, and along a path. No server
    /// is asked.
    #[must_use]
    pub fn with_symbols(mut self, mut path: SymbolPath) -> Source {
        path.add_beside(&self.file.path);
        self.symbol_path = Some(path);
        self
    }

    /// The symbol files, if there may be some.
    pub(crate) fn store(&self) -> Result<Option<FileStore<'static>>, InputError> {
        let Some(path) = &self.symbol_path else { return Ok(None) };
        let is_used = !path.is_empty() || has_elf_images(self.machine()?);
        Ok(is_used.then(|| FileStore::new(path.clone(), None)))
    }

    /// The names of addresses: those in the trace, and those in symbol files.
    pub(crate) fn symbols<'s>(
        &'s self,
        store: Option<&'s FileStore<'static>>,
    ) -> Result<Symbols<'s>, InputError> {
        let symbols = Symbols::new(self.machine()?);
        Ok(match store {
            Some(store) => symbols.with_store(store),
            None => symbols,
        })
    }

    /// Keeps what was wrong with symbol files.
    pub(crate) fn note(&self, store: Option<&FileStore<'static>>) {
        let Some(store) = store else { return };
        let problems = store.problems().into_iter().filter(|problem| !problem.other_build);
        let problems = problems.map(|problem| format!("symbols: {} {}", problem.place, problem.what));
        let silent = store.silent_servers().into_iter();
        let silent = silent
            .map(|server| format!("symbols: {server} is not asked for tables (etw symbols --fetch asks it)"));
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).extend(problems.chain(silent));
    }

    /// What was wrong with symbol files so far, one line each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
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
