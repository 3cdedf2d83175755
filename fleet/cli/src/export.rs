//! `tracewell-fleet export`: the tables of traces as files, each sorted by time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use arrow_array::RecordBatch;
use clap::{ArgGroup, Args};
use tracewell::open::{InputError, Limit, traces};
use tracewell::when::Moment;
use tracewell_arrow::typed::{HEAD, Kind};
use tracewell_arrow::{Filter, Order, Scan, Source, derived, events};
use tracewell_decode::Schemas;

use crate::files::{Format, TableFile};
use crate::manifest::{self, Contents, Trace};
use crate::{Descriptions, SymbolOptions, Window, say};

/// The name of the table of all events.
const EVENTS: &str = "events";
/// Tables whose files are open at a time, of one trace.
const OPEN: usize = 200;
/// Bytes of a folder's name, at most: file systems allow 255.
const LONGEST: usize = 150;

/// The options of the command.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("format").required(true))]
pub(crate) struct Options {
    /// Trace files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write Parquet files into this folder
    #[arg(long, value_name = "FOLDER", group = "format")]
    parquet: Option<PathBuf>,
    /// Write Arrow files into this folder
    #[arg(long, value_name = "FOLDER", group = "format")]
    arrow: Option<PathBuf>,
    /// Write into a folder that is not empty; files of the same name are replaced
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    window: Window,
    /// Select the events of this process id; repeatable
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Write the column payload of the table events, too: the fields of each event as JSON
    #[arg(long)]
    payload: bool,
    #[command(flatten)]
    descriptions: Descriptions,
    #[command(flatten)]
    symbols: SymbolOptions,
    /// Number of traces that are read at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Do not report what was written and what the traces lack
    #[arg(short, long)]
    quiet: bool,
}

/// Exit status: 0 done, 1 nothing was written, 6 some of the traces could not be read.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let (folder, format) = match (&options.parquet, &options.arrow) {
        (Some(folder), _) => (folder, Format::Parquet),
        (None, Some(folder)) => (folder, Format::Arrow),
        (None, None) => return Err("no folder given".to_owned()),
    };
    prepare(folder, options.force)?;
    let schemas = options.descriptions.read()?;
    let sources = open(options, &schemas);
    // The types of events of all traces: their tables have the same columns in each.
    let kinds = each(options.jobs, &sources, &|_, source| {
        let source = source.as_ref().map_err(ToString::to_string)?;
        source.kinds().map_err(|error| error.to_string()).cloned()
    });
    let mut all: BTreeMap<String, Kind> = BTreeMap::new();
    for (name, kind) in kinds.iter().flatten().flat_map(|kinds| kinds.iter()) {
        match all.get_mut(name) {
            Some(known) => known.merge(kind),
            None => drop(all.insert(name.to_owned(), kind.clone())),
        }
    }
    let folders = folders(all.keys().map(String::as_str));
    let export = Export { options, folder, format, kinds: &all, folders: &folders };
    let written = each(options.jobs, &sources, &|number, source| {
        let source = source.as_ref().map_err(ToString::to_string)?;
        export.trace(number, source)
    });
    let file = |source: &Result<Source, InputError>| match source {
        Ok(source) => source.name().to_owned(),
        Err(error) => error.path().display().to_string(),
    };
    let traces: Vec<Trace> =
        sources.iter().zip(written).map(|(source, result)| Trace { file: file(source), result }).collect();
    let place = folder.join(manifest::NAME);
    std::fs::write(&place, manifest::text(&traces, &all, format.extension()))
        .map_err(|error| format!("cannot write {}: {}", place.display(), tracewell::open::reason(&error)))?;
    let status = report(options, folder, &traces);
    if !options.quiet {
        let remarks: BTreeSet<String> = sources.iter().flatten().flat_map(Source::remarks).collect();
        remarks.into_iter().for_each(say);
    }
    Ok(status)
}

/// Says what was written, and what could not be.
fn report(options: &Options, folder: &Path, traces: &[Trace]) -> ExitCode {
    let (mut rows, mut parts, mut failed) = (0, 0, 0);
    for trace in traces {
        match &trace.result {
            Err(error) => {
                failed += 1;
                say(error.clone());
            }
            Ok(contents) => {
                let of_events = contents.parts.iter().filter(|(table, ..)| table == EVENTS);
                rows += of_events.map(|(.., rows)| rows).sum::<u64>();
                parts += contents.parts.len();
                for line in contents.account.lines().iter().filter(|_| !options.quiet) {
                    say(format!("{}: {line}", trace.file));
                }
            }
        }
    }
    if !options.quiet && failed < traces.len() {
        let counted = tracewell::text::counted;
        say(format!(
            "{} written: {} in {}",
            folder.display(),
            counted(rows, "event", "events"),
            counted(parts as u64, "file", "files")
        ));
    }
    match failed {
        0 => ExitCode::SUCCESS,
        _ if failed == traces.len() => ExitCode::FAILURE,
        _ => ExitCode::from(6),
    }
}

/// Creates the folder of an export.
fn prepare(folder: &Path, force: bool) -> Result<(), String> {
    let failed = |error: &std::io::Error| {
        format!("cannot write {}: {}", folder.display(), tracewell::open::reason(error))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    let mut entries = std::fs::read_dir(folder).map_err(|error| failed(&error))?;
    if !force && entries.next().is_some() {
        return Err(format!("{} is not empty (-f writes into it all the same)", folder.display()));
    }
    Ok(())
}

fn open(options: &Options, schemas: &Schemas) -> Vec<Result<Source, InputError>> {
    let (limit, symbols) = (Limit::default(), options.symbols.path());
    let files = options.files.iter().flat_map(|path| traces(path, &limit));
    files.map(|file| Ok(Source::of(file?, schemas.clone())?.with_symbols(symbols.clone()))).collect()
}

/// Calls `of` with each of `all`, several at a time. The results are in their order.
fn each<T: Sync, R: Send>(
    jobs: Option<usize>,
    all: &[T],
    of: &(dyn Fn(usize, &T) -> Result<R, String> + Sync),
) -> Vec<Result<R, String>> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = jobs.unwrap_or(processors).clamp(1, all.len().max(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Result<R, String>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = all.get(number) else { return };
                    let result = of(number, one);
                    results.lock().unwrap_or_else(PoisonError::into_inner).insert(number, result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// The folder of each table: its name, with what not every file system takes replaced. Letters of both cases are alike for some.
fn folders<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<String, String> {
    let reserved = derived::TABLES.iter().map(|table| table.name).chain([EVENTS, manifest::NAME]);
    let mut used: BTreeSet<String> = reserved.map(str::to_owned).collect();
    let folder = |name: &str| {
        let letter = |letter: char| match letter {
            '/' => '.',
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' | ' ' => letter,
            _ => '_',
        };
        let plain: String = name.chars().map(letter).take(LONGEST).collect();
        let plain = plain.trim_matches([' ', '.']);
        let plain = if plain.is_empty() { "_" } else { plain };
        let mut folder = plain.to_owned();
        let mut number = 2;
        while !used.insert(folder.to_ascii_lowercase()) {
            folder = format!("{plain}-{number}");
            number += 1;
        }
        (name.to_owned(), folder)
    };
    names.map(folder).collect()
}

struct Export<'e> {
    options: &'e Options,
    folder: &'e Path,
    format: Format,
    kinds: &'e BTreeMap<String, Kind>,
    folders: &'e BTreeMap<String, String>,
}

impl Export<'_> {
    /// Writes the tables of a trace.
    fn trace(&self, number: usize, source: &Source) -> Result<Contents, String> {
        let failed = |error: InputError| error.to_string();
        let (account, records) = source.account().map_err(failed)?;
        let trace = source.plain().map_err(failed)?;
        let start = trace.clock().start().unix_ns();
        let moment = |moment: Moment| match moment {
            Moment::SinceStart(ns) => start.saturating_add(ns),
            Moment::Date(ns) => ns,
        };
        let pids = &self.options.pid;
        let filter = Filter {
            from: self.options.window.start.map(moment),
            until: self.options.window.end.map(moment),
            pids: (!pids.is_empty()).then(|| pids.clone()),
            ..Filter::default()
        };
        let scan = Scan { filter, order: Order::Time, ..Scan::default() };
        let stem = Path::new(source.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let names = folders([&*stem].into_iter());
        let stem = names.into_values().next().unwrap_or_default();
        let part = format!("{number:05}-{stem}.{}", self.format.extension());

        let of_events = |place: &usize| *place != events::at::PAYLOAD || self.options.payload;
        let columns: Vec<usize> = (0..events::COLUMNS.len()).filter(of_events).collect();
        let mut parts = Vec::new();
        let events = Scan { columns, ..scan.clone() };
        let mut files = Files::new(self, &part);
        source.events(&events, &mut |batch| files.write(EVENTS, EVENTS, &batch)).map_err(failed)?;
        files.finish(&mut parts)?;

        let mut files = Files::new(self, &part);
        for table in derived::TABLES {
            let scan = Scan { columns: (0..table.columns.len()).collect(), ..scan.clone() };
            let write = &mut |batch: RecordBatch| files.write(table.name, table.name, &batch);
            source.derived(table, &scan, write).map_err(failed)?;
        }
        files.finish(&mut parts)?;

        let kinds = source.kinds().map_err(failed)?;
        let tables: Vec<(&str, &Kind)> =
            kinds.iter().filter_map(|(name, _)| Some((name, self.kinds.get(name)?))).collect();
        let scan = Scan { columns: (0..HEAD.len()).collect(), ..scan };
        for some in tables.chunks(OPEN) {
            let mut files = Files::new(self, &part);
            let write = &mut |table: usize, batch: RecordBatch| {
                let Some((name, _)) = some.get(table) else { return false };
                let Some(folder) = self.folders.get(*name) else { return false };
                files.write(name, folder, &batch)
            };
            source.typed_all(some, &scan, write).map_err(failed)?;
            files.finish(&mut parts)?;
        }
        Ok(Contents { account, records, start, parts, left_out: kinds.left_out() })
    }
}

/// The files of one trace that are being written.
struct Files<'e> {
    export: &'e Export<'e>,
    part: &'e str,
    open: BTreeMap<String, (String, TableFile)>,
    error: Option<String>,
}

impl<'e> Files<'e> {
    fn new(export: &'e Export<'e>, part: &'e str) -> Files<'e> {
        Files { export, part, open: BTreeMap::new(), error: None }
    }

    /// Adds rows to a table; returns `false` if that fails.
    fn write(&mut self, table: &str, folder: &str, batch: &RecordBatch) -> bool {
        self.try_write(table, folder, batch).map_err(|error| self.error = Some(error)).is_ok()
    }

    fn try_write(&mut self, table: &str, folder: &str, batch: &RecordBatch) -> Result<(), String> {
        if let Some((_, file)) = self.open.get_mut(table) {
            return file.write(batch);
        }
        let place = self.export.folder.join(folder);
        std::fs::create_dir_all(&place).map_err(|error| {
            format!("cannot write {}: {}", place.display(), tracewell::open::reason(&error))
        })?;
        let mut file = TableFile::create(&place.join(self.part), &batch.schema(), self.export.format)?;
        file.write(batch)?;
        self.open.insert(table.to_owned(), (format!("{folder}/{}", self.part), file));
        Ok(())
    }

    /// Completes the files, and adds them to `parts`.
    fn finish(self, parts: &mut Vec<(String, String, u64)>) -> Result<(), String> {
        if let Some(error) = self.error {
            return Err(error);
        }
        for (table, (path, file)) in self.open {
            let rows = file.rows;
            file.finish()?;
            parts.push((table, path, rows));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_22_folders_of_tables_are_safe_and_different() {
        let names =
            ["A/b", "a/B", "../x", "a.b", "", "x\u{0}y/é", "manifest.json", "events", &"z".repeat(400)];
        let folders = folders(names.into_iter());
        assert_eq!(folders.len(), names.len());
        let mut seen = BTreeSet::new();
        for (name, folder) in &folders {
            assert!(!folder.contains(['/', '\\', '\0']) && !folder.starts_with('.'), "{name}: {folder}");
            assert!(folder.len() <= LONGEST + 10 && !folder.is_empty());
            assert!(seen.insert(folder.to_lowercase()), "{name}: {folder}");
            assert!(folder != EVENTS && folder != manifest::NAME);
        }
        assert_eq!(folders["A/b"], "A.b");
    }

    #[test]
    fn issue_22_results_are_in_the_order_of_the_inputs() {
        let all: Vec<usize> = (0..100).collect();
        for jobs in [None, Some(0), Some(1), Some(7)] {
            let found =
                each(jobs, &all, &|number, one| if one % 3 == 0 { Err(one.to_string()) } else { Ok(number) });
            let wanted: Vec<Result<usize, String>> =
                all.iter().map(|one| if one % 3 == 0 { Err(one.to_string()) } else { Ok(*one) }).collect();
            assert_eq!(found, wanted);
        }
    }
}
