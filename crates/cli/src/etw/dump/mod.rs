//! `etw dump`: every event with its names and fields.

mod columns;
mod condition;
mod event;
mod json;
#[cfg(any(target_os = "linux", windows))]
mod live;
mod message;
mod summary;
mod write;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::read::Merge;
use tracewell_etl::{Record, Trace};
use tracewell_state::{Machine, MachineBuilder, StackBuilder, Stacks, Timeline};
use tracewell_symbols::{FileStore, Symbols};
use tracewell_types::Guid;

use super::schema_store::{self, StoreChoice};
use super::stack;
use crate::input::TraceFile;
use crate::term::Style;
use columns::{Column, TextWriter};
use condition::Condition;
use event::{Event, Head, Places};
use json::JsonWriter;
use summary::Summary;

#[cfg(any(target_os = "linux", windows))]
pub(super) use live::Lines;

/// The options of `etw dump`.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Trace files; several are merged by time
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// One JSON object an event, one a line
    #[arg(long, group = "form")]
    json: bool,
    /// Comma-separated values with a heading
    #[arg(long, group = "form")]
    csv: bool,
    /// One Tcl list an event, one a line
    #[arg(long, group = "form")]
    list: bool,
    /// Only these columns: properties of the event (time, cpu, pid, tid, process, provider, event, id and so
    /// on) and fields of the payload; `.name` is always a field
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    fields: Vec<String>,
    /// Only events that meet a condition, such as 'process == "notepad.exe" && TransferSize > 4096' or
    /// 'FileName =~ "*.dll"'
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only events of this provider: name (with * and ?) or GUID; can be given more than once
    #[arg(long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// Only events of this process id; can be given more than once
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
    /// Only events from this second on
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Only events before this second
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    end: Option<f64>,
    /// Stop after so many events
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,
    /// Show the stacks of events: those they carry and those that were logged for them
    #[arg(long)]
    stacks: bool,
    /// Where symbols for stacks are searched, in place of _NT_SYMBOL_PATH: folders, stores and servers between
    /// semicolons
    #[arg(short = 'y', long, value_name = "PATH")]
    symbols: Option<String>,
    /// Show the messages of events that have one
    #[arg(long)]
    messages: bool,
    /// By time, or as the file has them
    #[arg(long, value_enum, default_value_t = Order::Time)]
    order: Order,
    /// Descriptions of events that are not in the trace: an instrumentation manifest, a program, library or driver
    /// that has one compiled in, MOF text, a TMF file of WPP, or a folder of such files; can be given more than once
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreChoice,
    /// Leave stored descriptions alone; see `etw schema`
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say nothing about events that could not be decoded
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    Time,
    File,
}

/// Runs the command.
///
/// # Errors
///
/// A whole message when an option or file cannot be used, or writing fails.
pub(super) fn run(options: &Options) -> Result<(), String> {
    let condition =
        options.condition.as_deref().map(Condition::parse).transpose().map_err(|e| e.to_string())?;
    let files = options.files.iter().map(|path| TraceFile::open(path)).collect::<Result<Vec<_>, _>>();
    let files = files.map_err(|error| error.to_string())?;
    let traces =
        files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let mut schemas = Schemas::new();
    if !options.no_store {
        add_store(&mut schemas, &options.store)?;
    }
    for path in &options.manifest {
        add_manifest(&mut schemas, path)?;
    }
    let to_file = options.output.is_some();
    let mut sink: Box<dyn Write> = match &options.output {
        Some(path) => Box::new(
            std::fs::File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?,
        ),
        None => Box::new(std::io::stdout()),
    };
    let mut dump = Dump::new(options, condition, if to_file { Style::plain() } else { Style::stdout() });
    let result = dump.traces(&traces, schemas, files.iter().map(TraceFile::size).sum(), &mut *sink);
    match result {
        // A reader that went away is no error.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(format!("cannot write: {error}")),
        Ok(()) => {}
    }
    if !options.quiet {
        eprint!("{}", dump.summary.text(Style::stderr()));
        for line in &dump.remarks {
            eprintln!("etw: {line}");
        }
    }
    Ok(())
}

/// Adds what is in the user's store, if there is one.
pub(crate) fn add_stored(schemas: &mut Schemas) -> Result<(), String> {
    add_store(schemas, &StoreChoice::default())
}

/// Adds the stored descriptions. The user's store may be missing or broken; one that is named may not be missing.
fn add_store(schemas: &mut Schemas, choice: &StoreChoice) -> Result<(), String> {
    let store = match choice.store() {
        Ok(store) if store.exists() || choice.is_named() => store,
        _ => return Ok(()),
    };
    for entry in store.entries()? {
        match entry.content {
            Ok(description) => schemas.add_description(description),
            Err(error) => eprintln!("etw: {error}"),
        }
    }
    Ok(())
}

/// Adds a description, or all that are in a folder.
pub(super) fn add_manifest(schemas: &mut Schemas, path: &Path) -> Result<(), String> {
    if !path.is_dir() {
        return add_file(schemas, path);
    }
    let mut usable = false;
    for file in schema_store::files(path)? {
        match add_file(schemas, &file) {
            Ok(()) => usable = true,
            Err(error) => eprintln!("etw: {error}"),
        }
    }
    if usable { Ok(()) } else { Err(format!("{}: no file here describes events", path.display())) }
}

fn add_file(schemas: &mut Schemas, path: &Path) -> Result<(), String> {
    let (_, description) = schema_store::read(path)?;
    for problem in &description.problems {
        eprintln!("etw: {}: {problem}", path.display());
    }
    schemas.add_description(description);
    Ok(())
}

/// The writer that the options ask for.
enum Form {
    Text(TextWriter),
    Json(JsonWriter),
    Csv,
    List,
}

struct Dump<'o> {
    options: &'o Options,
    condition: Option<Condition>,
    providers: Vec<ProviderChoice>,
    form: Form,
    columns: Vec<Column>,
    /// Bounds in nanoseconds.
    start: i64,
    end: i64,
    shown: u64,
    cell: Vec<u8>,
    /// What the trace tells of stacks, when they are asked for.
    stacks: Option<Stacks>,
    /// The stack of one event.
    frames: Vec<u64>,
    summary: Summary,
    /// What is to be said of the symbols that were searched.
    remarks: Vec<String>,
}

enum ProviderChoice {
    Guid(Guid),
    Name(Vec<char>),
}

/// Bytes of output put together before they are written.
const CHUNK: usize = 1 << 18;

impl<'o> Dump<'o> {
    fn new(options: &'o Options, condition: Option<Condition>, style: Style) -> Dump<'o> {
        let form = if options.json {
            Form::Json(JsonWriter::new(options.stacks, options.messages))
        } else if options.csv {
            Form::Csv
        } else if options.list {
            Form::List
        } else {
            Form::Text(TextWriter::new(style, options.stacks, options.messages))
        };
        let choice = |text: &String| {
            let bare = text.trim_start_matches('{').trim_end_matches('}');
            match Guid::try_parse(bare.as_bytes()) {
                Some(guid) => ProviderChoice::Guid(guid),
                None => ProviderChoice::Name(text.chars().collect()),
            }
        };
        let ns = |seconds: f64| (seconds * 1e9) as i64;
        Dump {
            options,
            condition,
            providers: options.provider.iter().map(choice).collect(),
            form,
            columns: options.fields.iter().map(|name| Column::parse(name.trim())).collect(),
            start: options.start.map_or(i64::MIN, ns),
            end: options.end.map_or(i64::MAX, ns),
            shown: 0,
            cell: Vec::new(),
            stacks: None,
            frames: Vec::new(),
            summary: Summary::default(),
            remarks: Vec::new(),
        }
    }

    fn traces(
        &mut self,
        traces: &[Trace<'_>],
        mut schemas: Schemas,
        bytes: u64,
        sink: &mut dyn Write,
    ) -> std::io::Result<()> {
        let progress = crate::progress::Progress::new(bytes * 2);
        // Files of one machine and boot share its processes; other files do not.
        let together = Merge::new(traces).is_by_raw_time();
        let mut builders = vec![MachineBuilder::new()];
        let mut seen = 0u64;
        let with_stacks =
            self.options.stacks || self.columns.iter().any(|c| c.head.is_some_and(Head::is_of_stacks));
        let mut stacks = with_stacks.then(StackBuilder::new);
        for (at, trace) in traces.iter().enumerate() {
            if let Some(stacks) = &mut stacks {
                stacks.next_trace();
            }
            if at > 0 && !together {
                builders.push(MachineBuilder::new());
            }
            let mut records = trace.file_order();
            while let Some(record) = records.next() {
                schemas.observe(&record);
                if let Some(builder) = builders.last_mut() {
                    builder.observe(&record);
                }
                if let Some(stacks) = &mut stacks {
                    stacks.observe(&record);
                }
                seen += 1;
                progress.records(seen);
            }
        }
        self.summary.unread_descriptions = schemas.unread();
        self.stacks = stacks.map(StackBuilder::finish);
        if let Some(stacks) = &self.stacks {
            let counts = (0..traces.len()).map(|trace| stacks.counts(trace));
            self.summary.missing_stacks = counts.map(|count| count.undefined_keys + count.unread).sum();
        }
        let machines: Vec<Machine> = builders.into_iter().map(MachineBuilder::finish).collect();
        let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
        let path = crate::symbols::search_path(self.options.symbols.as_deref());
        let searched = with_stacks && !path.is_empty();
        let server = crate::symbols::server();
        let store = FileStore::new(path, server.as_deref());
        let named = |machine| match Symbols::new(machine) {
            names if searched => names.with_store(&store),
            names => names,
        };
        let symbols: Vec<Symbols<'_>> = machines.iter().map(named).collect();
        let mut decoder = Decoder::new(schemas);
        let origin = traces.iter().map(|trace| trace.clock().start().unix_ns()).min().unwrap_or(0);

        let mut out = Vec::with_capacity(CHUNK + 4096);
        if let Form::Csv = self.form {
            let columns = self.table_columns();
            columns::csv_head(&mut out, &columns, self.options.fields.is_empty());
        }
        if matches!(self.form, Form::Csv | Form::List) && self.columns.is_empty() {
            self.columns = self.table_columns();
        }
        let order = self.options.order;
        let mut each = |at: usize, record: Record<'_>, in_order: bool, out: &mut Vec<u8>| {
            seen += 1;
            progress.records(seen);
            let machine = if together { 0 } else { at };
            let (Some(trace), Some(timeline), Some(symbols)) =
                (traces.get(at), timelines.get_mut(machine), symbols.get(machine))
            else {
                return true;
            };
            if in_order {
                timeline.apply(&record);
            }
            let time = trace.clock().unix_ns(record.time()).saturating_sub(origin);
            if time < self.start || time >= self.end {
                // In order of time nothing that is wanted follows.
                return !(in_order && time >= self.end);
            }
            let id = decoder.id(&record);
            self.event(at, record, time, timeline, symbols, decoder.get(id), id, out);
            self.options.limit.is_none_or(|limit| self.shown < limit)
        };
        match order {
            Order::Time => {
                let mut merge = Merge::new(traces);
                while let Some((at, record)) = merge.next() {
                    if !each(at, record, true, &mut out) {
                        break;
                    }
                    if out.len() >= CHUNK {
                        sink.write_all(&out)?;
                        out.clear();
                    }
                }
            }
            Order::File => {
                'all: for (at, trace) in traces.iter().enumerate() {
                    let mut records = trace.file_order();
                    while let Some(record) = records.next() {
                        if !each(at, record, false, &mut out) {
                            break 'all;
                        }
                        if out.len() >= CHUNK {
                            sink.write_all(&out)?;
                            out.clear();
                        }
                    }
                }
            }
        }
        sink.write_all(&out)?;
        sink.flush()?;
        for trace in traces {
            self.summary.damaged += trace.ledger().count();
        }
        if searched {
            self.remarks = crate::symbols::remarks(&store, Style::stderr());
        }
        Ok(())
    }

    fn table_columns(&self) -> Vec<Column> {
        if self.columns.is_empty() {
            let stack = if self.options.stacks { &["stack", "frames"][..] } else { &[] };
            columns::USUAL.iter().chain(stack).copied().map(Column::parse).collect()
        } else {
            self.columns.clone()
        }
    }

    /// Shows one event, when it is wanted.
    #[expect(clippy::too_many_arguments, reason = "all that is known of the event")]
    fn event(
        &mut self,
        trace: usize,
        record: Record<'_>,
        time: i64,
        timeline: &Timeline<'_>,
        symbols: &Symbols<'_>,
        format: &tracewell_decode::EventFormat,
        id: tracewell_decode::FormatId,
        out: &mut Vec<u8>,
    ) {
        if !self.providers.is_empty() && !self.is_chosen(&record, &format.provider) {
            return;
        }
        let who = timeline.who(&record);
        if !self.options.pid.is_empty() && !who.pid.is_some_and(|pid| self.options.pid.contains(&pid)) {
            return;
        }
        let machine = timeline.machine();
        let process = who.process.and_then(|index| machine.process(index));
        let process = process.map_or("", |process| base_name(machine.name(process.value.image)));
        self.frames.clear();
        if let Some(stacks) = &self.stacks {
            stack::collect(&mut self.frames, stacks, trace, &record, who.tid);
        }
        let event = Event {
            record,
            format,
            id,
            time,
            pid: who.pid,
            tid: who.tid,
            process,
            stack: &self.frames,
            places: self.stacks.is_some().then_some(Places { machine, symbols }),
        };
        if self.condition.as_ref().is_some_and(|condition| !condition.holds(&event)) {
            return;
        }
        self.shown += 1;
        let all_fields = self.options.fields.is_empty();
        let understood = match &mut self.form {
            Form::Text(writer) if all_fields => writer.event(out, &event),
            Form::Text(writer) => {
                writer.columns(out, &event, &self.columns);
                event.is_understood()
            }
            Form::Json(writer) if all_fields => writer.event(out, &event),
            Form::Json(writer) => {
                writer.columns(out, &event, &self.columns);
                event.is_understood()
            }
            Form::Csv => columns::csv(out, &mut self.cell, &event, &self.columns, all_fields),
            Form::List => columns::list(out, &mut self.cell, &event, &self.columns, all_fields),
        };
        self.summary.observe(&event, understood);
    }

    fn is_chosen(&self, record: &Record<'_>, provider: &str) -> bool {
        self.providers.iter().any(|choice| match choice {
            ProviderChoice::Guid(guid) => record.guid() == *guid,
            ProviderChoice::Name(name) => {
                condition::matches_glob(name, &provider.chars().collect::<Vec<_>>())
            }
        })
    }
}

/// The last part of a path.
fn base_name(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}
