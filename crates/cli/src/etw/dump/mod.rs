//! `etw dump`: every event with its names and fields.

#[cfg(any(target_os = "linux", windows))]
mod live;
mod spans;
mod summary;
mod text;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tracewell_decode::{Decoder, Schemas};
use tracewell_etl::read::Merge;
use tracewell_etl::{Clock, Record, Trace};
use tracewell_relog::known::is_log_file_header;
use tracewell_state::{Machine, MachineBuilder, StackBuilder, Stacks, Timeline};
use tracewell_symbols::{FileStore, Symbols};

use super::output::{Output, is_stdout};
use super::schema_store::{StoreChoice, add_databases, add_manifest, add_store};
use super::stop;
use crate::input::{InputError, TraceFile, reason, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::symbols::SymbolOption;
use crate::term::Style;
use crate::when::Window;
use summary::Summary;
use text::{TextWriter, Widths};
use tracewell::account::Account;
use tracewell::events::choice::Choice;
use tracewell::events::columns::Column;
use tracewell::events::condition::{self, Condition, ConditionError};
use tracewell::events::event::{Event, Places};
use tracewell::events::json::JsonWriter;
use tracewell::events::{list, property, table};
use tracewell::filter::names::{self, Name, Sort};
use tracewell::progress::is_due;
use tracewell::text::{counted, grouped};
use tracewell::views::stack;

#[cfg(any(target_os = "linux", windows))]
pub(super) use live::Lines;

/// The options of `etw dump`.
#[derive(Debug, Args)]
#[command(after_long_help = manual())]
pub(super) struct Options {
    /// Trace files; several are merged by time
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    forms: Forms,
    /// Show spans instead of events: starts and ends of the same thing, paired by opcode, activity, task or a table of known
    /// pairs, with their duration and the fields of both ends, in order of their ends
    #[arg(long, conflicts_with_all = ["list", "fields", "condition", "utc", "stacks", "messages", "order"])]
    spans: bool,
    /// Show only these columns: properties of the event (time, cpu, pid, tid, process, provider, event, id, ...)
    /// and fields of the payload; `.name` is always a field
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    fields: Vec<String>,
    /// Show only events that meet a condition, such as 'process == "notepad.exe" && TransferSize > 4096' or
    /// 'FileName =~ "*.dll"'
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    window: Window,
    /// Show the date and time of day (UTC) of each event: instead of the seconds since the start, or in addition
    /// to them in JSON, CSV and lists
    #[arg(long)]
    utc: bool,
    /// Stop after this number of events
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,
    /// Show the stacks of events, from the events themselves and from separate stack records
    #[arg(long)]
    stacks: bool,
    #[command(flatten)]
    symbols: SymbolOption,
    /// Show the messages of events
    #[arg(long)]
    messages: bool,
    /// Sort events by time, or keep the order of the file
    #[arg(long, value_enum, default_value_t = Order::Time)]
    order: Order,
    #[command(flatten)]
    descriptions: Descriptions,
    /// Write to this file; `-` for standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
    /// Do not report undecoded and missing events
    #[arg(short, long)]
    quiet: bool,
}

/// How events are written; as text without any.
#[derive(Debug, Args)]
struct Forms {
    /// Print one JSON object per event, one per line
    #[arg(long, group = "form")]
    json: bool,
    /// Print comma-separated values with a heading, as in RFC 4180
    #[arg(long, group = "form")]
    csv: bool,
    /// Write the cells of CSV exactly, without escapes and without the guard against formulas
    #[arg(long, requires = "csv")]
    raw: bool,
    /// Print one Tcl list per event, one per line
    #[arg(long, group = "form")]
    list: bool,
}

/// The events that are shown.
#[derive(Debug, Args)]
struct Selection {
    /// Select events of this provider: name (with * and ?), GUID, or class of kernel events (DiskIo); repeatable
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// Select these events: name (with * and ?) or id (kernel and class events: opcode); repeatable
    #[arg(long, value_name = "NAME|ID")]
    event: Vec<String>,
    /// Select events of this process id; repeatable
    #[arg(long, value_name = "PID")]
    pid: Vec<u32>,
}

/// Descriptions of events that are not in the traces.
#[derive(Debug, Args)]
struct Descriptions {
    /// Read event descriptions from this file: an instrumentation manifest, a program, library or driver with a
    /// compiled manifest, MOF text, a TMF file of WPP, or a folder of such files; repeatable
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreChoice,
    /// Do not use stored descriptions; see `etw schema`
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
}

/// The text after the options in `--help` and the manual.
fn manual() -> String {
    let (columns, fields) = (table::USUAL.join(", "), table::FIELDS);
    let conditions = condition::manual();
    format!(
        "{conditions}\nAn object of --json has time, cpu, process, provider and event; as numbers, if present, id (opcode for kernel \
         and class events), version, level, opcode, channel, task_id and keyword; as names level_name, channel_name and \
         keywords; layout_version if the description is of another version; fields, and rest with the bytes after them; \
         rest_texts with what looks like text in these bytes; partial with the reason if the event was not decoded in full by the \
         description of its version, or by an inferred layout; activity and related; extended with everything else in the record, under the names of the properties \
         or the numbers of unknown types. Whole numbers are printed as numbers, masks and addresses as hexadecimal texts, \
         bytes as hexadecimal digits.\n\nWithout --fields, comma-separated values and lists have the columns {columns}, {fields}. \
         --utc adds utc before these, --stacks adds stack and frames before {fields}. {fields} end with rest and partial where \
         an object of --json has them. In CSV, {fields} and extended contain \
         name=value, separated by '; '; a value with a semicolon, a quote, a control character or surrounding spaces is quoted. \
         In lists, they and structs are dictionaries; arrays and stacks are lists. New columns may be added before {fields}; \
         existing columns keep their order.\n\nIn text output, control characters of values are shown as \\r, \\n, \\t and \\x1b, and \
         a quote inside quotes as \\\"; only the first 64 bytes or elements of long values are shown; reserved fields and padding \
         are omitted if they are zero. The other forms contain everything."
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    Time,
    File,
}

/// Why nothing, or not everything, was shown.
enum Failure {
    /// The command line asks for what cannot be.
    Usage(String),
    /// A file could not be read or written.
    Files(String),
    /// The output could not be written.
    Output(std::io::Error),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Files(message)
    }
}

/// How much was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    All,
    /// Not all files could be read.
    Some,
    /// An interrupt ended the output.
    Stopped,
}

/// Runs the command.
pub(super) fn run(options: &Options) -> ExitCode {
    match show(options) {
        Ok(Shown::All) => ExitCode::SUCCESS,
        Ok(Shown::Some) => ExitCode::FAILURE,
        Ok(Shown::Stopped) => ExitCode::from(crate::status::STOPPED),
        Err(Failure::Usage(error)) => {
            say!("etw: {error}");
            ExitCode::from(2)
        }
        Err(Failure::Files(error)) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
        Err(Failure::Output(error)) => {
            // The end of the command says so, unless the reader just went away.
            crate::out::note(&error);
            ExitCode::SUCCESS
        }
    }
}

impl Options {
    /// The file to write; [`None`] for standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }
}

/// Shows what is asked for; answers how much that is.
fn show(options: &Options) -> Result<Shown, Failure> {
    let condition = options.condition.as_deref().map(Condition::parse).transpose();
    let terminal = std::io::stderr().is_terminal();
    let text_of = |error: ConditionError| if terminal { error.to_string() } else { error.line() };
    let condition = condition.map_err(|error| Failure::Usage(text_of(error)))?;
    let mut all = true;
    let mut refuse = |error: InputError| {
        say!("etw: {error}");
        all = false;
    };
    // Files that are not traces are reported; the others are shown.
    let opened = traces(&options.files).filter_map(|file| file.map_err(&mut refuse).ok());
    let files: Vec<TraceFile> = opened.collect();
    // From here on. Before, an interrupt ends the command: a pipe may have no writer.
    stop::heed();
    let read = files.iter().filter_map(|file| Some((file, file.trace().map_err(&mut refuse).ok()?)));
    let (files, traces): (Vec<&TraceFile>, Vec<Trace<'_>>) = read.unzip();
    if traces.is_empty() {
        return Ok(Shown::Some);
    }
    let mut schemas = Schemas::new();
    if !options.descriptions.no_store {
        add_store(&mut schemas, &options.descriptions.store)?;
    }
    for path in &options.descriptions.manifest {
        add_manifest(&mut schemas, path)?;
    }
    add_databases(&mut schemas, &traces, options.symbols.path());
    let style = if options.file().is_some() { Style::plain() } else { Style::stdout() };
    let mut dump = Dump::new(options, condition, style, &files, &traces).map_err(Failure::Usage)?;
    let mut decoder = dump.survey(&traces, schemas);
    if stop::is_asked() {
        dump.progress.clear();
        say!("etw: interrupted before the first event");
        return Ok(Shown::Stopped);
    }
    if let Some(unknown) = dump.unknown(&traces, &mut decoder) {
        return Err(Failure::Usage(unknown));
    }
    match options.file() {
        Some(path) => {
            let (output, mut sink) = Output::stream(path, options.force)?;
            let written = dump.written(&traces, decoder, &mut sink);
            written.map_err(|error| format!("cannot write {}: {}", path.display(), reason(&error)))?;
            if stop::is_asked() {
                dump.progress.clear();
                say!("etw: interrupted: {} was not written", path.display());
                return Ok(Shown::Stopped);
            }
            output.keep(sink, options.force)?;
        }
        None => dump.written(&traces, decoder, &mut std::io::stdout()).map_err(Failure::Output)?,
    }
    if !options.quiet {
        dump.say(all);
        for line in &dump.remarks {
            say!("etw: {line}");
        }
        for (file, account) in files.iter().zip(&dump.accounts) {
            crate::account::say_file(account, "etw", &file.path);
        }
    }
    if let Some(done) = dump.ended_at.filter(|_| stop::is_asked()) {
        let line = format!("etw: interrupted: {}", stop::line(traces.len(), done, dump.size));
        say!("{}", Style::stderr().yellow(&line));
        return Ok(Shown::Stopped);
    }
    Ok(if all { Shown::All } else { Shown::Some })
}

/// The writer that the options ask for.
enum Form {
    Text(TextWriter),
    Json(JsonWriter),
    Csv,
    List,
}

/// Times of a dump, in nanoseconds.
struct Times {
    /// When the first trace started, since 1970 began. The others are counted from there.
    origin: i64,
    /// What is shown.
    start: i64,
    end: i64,
    /// The first event and the last.
    first: i64,
    last: i64,
}

/// Numbers of events.
#[derive(Default)]
struct Counts {
    /// Those of the traces.
    total: u64,
    /// Those in the time that is asked for.
    timely: u64,
    shown: u64,
    /// Those that were read so far.
    seen: u64,
}

struct Dump<'o> {
    options: &'o Options,
    condition: Option<Condition>,
    choice: Choice<'o>,
    form: Form,
    columns: Vec<Column>,
    /// The files by the numbers of their traces.
    files: Vec<String>,
    /// The clock of each trace.
    clocks: Vec<Clock>,
    times: Times,
    counts: Counts,
    /// Bytes that were done when the output ended before the traces did, because of `--limit` or an interrupt.
    ended_at: Option<u64>,
    cell: Vec<u8>,
    /// One for all traces of one machine and boot, which share its processes; else one for each.
    machines: Vec<Machine>,
    together: bool,
    /// The trace's stacks, if they are requested.
    stacks: Option<Stacks>,
    /// The stack of one event.
    frames: Vec<u64>,
    summary: Summary,
    /// What spans lack, as text.
    orphans: String,
    accounts: Vec<Account>,
    progress: Progress,
    /// Bytes of all files.
    size: u64,
    /// Messages about the search for symbols.
    remarks: Vec<String>,
}

/// Estimated ratio of the time to show events to the time of the first pass, for the progress.
const SHOWING: u64 = 4;

/// Bytes of output put together before they are written.
const CHUNK: usize = 1 << 18;

impl<'o> Dump<'o> {
    /// A dump that was not begun. The error is one of usage.
    fn new(
        options: &'o Options,
        condition: Option<Condition>,
        style: Style,
        files: &[&TraceFile],
        traces: &[Trace<'_>],
    ) -> Result<Dump<'o>, String> {
        let form = if options.forms.json {
            let files = files.len() > 1;
            let mut writer = JsonWriter::new(options.stacks, options.messages);
            (writer.dates, writer.files) = (options.utc, files);
            Form::Json(writer)
        } else if options.forms.csv {
            Form::Csv
        } else if options.forms.list {
            Form::List
        } else {
            let mut writer = TextWriter::new(style, options.stacks, options.messages);
            writer.dates = options.utc;
            Form::Text(writer)
        };
        let size = files.iter().map(|file| file.size()).sum::<u64>();
        let origin = traces.iter().map(|trace| trace.clock().start().unix_ns()).min().unwrap_or(0);
        let (start, end) = options.window.between().since(origin)?;
        let selection = &options.selection;
        Ok(Dump {
            options,
            condition,
            choice: Choice::new(&selection.provider, &selection.event, &selection.pid),
            form,
            columns: options.fields.iter().map(|name| Column::parse(name.trim())).collect(),
            files: files.iter().map(|file| file.path.display().to_string()).collect(),
            clocks: traces.iter().map(|trace| *trace.clock()).collect(),
            times: Times { origin, start, end, first: i64::MAX, last: i64::MIN },
            counts: Counts::default(),
            ended_at: None,
            cell: Vec::new(),
            machines: Vec::new(),
            together: Merge::new(traces).is_by_raw_time(),
            stacks: None,
            frames: Vec::new(),
            summary: Summary::default(),
            orphans: String::new(),
            accounts: traces.iter().map(Account::new).collect(),
            progress: Progress::new(size * (1 + SHOWING)),
            size,
            remarks: Vec::new(),
        })
    }

    /// Returns `true` if stacks are asked for.
    fn with_stacks(&self) -> bool {
        let asked = self.condition.iter().flat_map(Condition::columns);
        self.options.stacks || self.columns.iter().chain(asked).any(Column::is_of_stacks)
    }

    /// The first pass: what describes events, who ran, and what is missing.
    fn survey(&mut self, traces: &[Trace<'_>], mut schemas: Schemas) -> Decoder {
        let mut builders = vec![MachineBuilder::new()];
        let with_stacks = self.with_stacks();
        let mut before = 0;
        let mut stacks = with_stacks.then(StackBuilder::new);
        for (at, (trace, account)) in traces.iter().zip(&mut self.accounts).enumerate() {
            if let Some(stacks) = &mut stacks {
                stacks.next_trace();
            }
            if at > 0 && !self.together {
                builders.push(MachineBuilder::new());
            }
            let mut records = trace.file_order();
            let mut times: Option<(i64, i64)> = None;
            while let Some(record) = records.next() {
                let time = record.time();
                // The headers of sessions describe the file; they are not events.
                if !is_log_file_header(&record) {
                    let (first, last) = times.get_or_insert((time, time));
                    (*first, *last) = ((*first).min(time), (*last).max(time));
                }
                schemas.observe(&record);
                account.observe(&record);
                if let Some(builder) = builders.last_mut() {
                    builder.observe(&record);
                }
                if let Some(stacks) = &mut stacks {
                    stacks.observe(&record);
                }
                self.counts.seen += 1;
                if is_due(self.counts.seen) {
                    self.progress.done(before + records.bytes_done());
                    if stop::is_asked() {
                        return Decoder::new(schemas);
                    }
                }
            }
            before += files_end(trace);
            account.read(trace, records.ledger());
            if let Some((first, last)) = times {
                let since = |raw| trace.clock().unix_ns(raw).saturating_sub(self.times.origin);
                (self.times.first, self.times.last) =
                    (self.times.first.min(since(first)), self.times.last.max(since(last)));
            }
        }
        self.counts.total = self.counts.seen;
        self.summary.unread_descriptions = schemas.unread();
        self.stacks = stacks.map(StackBuilder::finish);
        if let Some(stacks) = &self.stacks {
            let counts = (0..traces.len()).map(|trace| stacks.counts(trace));
            self.summary.missing_stacks = counts.map(|count| count.undefined_keys + count.unread).sum();
        }
        self.machines = builders.into_iter().map(MachineBuilder::finish).collect();
        Decoder::new(schemas)
    }

    /// Returns the error for the first unknown name on the command line.
    fn unknown(&self, traces: &[Trace<'_>], decoder: &mut Decoder) -> Option<String> {
        let mut names = self.choice.names();
        let columns = self.columns.iter().filter_map(Column::field);
        names.extend(columns.map(|text| Name { sort: Sort::Field, text }));
        names.extend(self.condition.iter().flat_map(Condition::names));
        let properties: Vec<&str> = property::PROPERTIES.iter().map(|property| property.name).collect();
        let wrong = names::unknown(&names, &properties, traces, decoder)?;
        // An unknown name may be a text without quotes.
        let condition = self.condition.as_ref().map(Condition::names).unwrap_or_default();
        let bare = condition
            .iter()
            .any(|name| name.sort == Sort::Field && wrong.starts_with(&names::absent("field", name.text)));
        Some(if bare { format!("{wrong} (texts need quotes)") } else { wrong })
    }

    /// The second pass: shows the events, or the spans.
    fn written(
        &mut self,
        traces: &[Trace<'_>],
        decoder: Decoder,
        sink: &mut dyn Write,
    ) -> std::io::Result<()> {
        match self.options.spans {
            true => self.spans(traces, decoder, sink),
            false => self.traces(traces, decoder, sink),
        }
    }

    /// The second pass: shows the events.
    fn traces(
        &mut self,
        traces: &[Trace<'_>],
        mut decoder: Decoder,
        sink: &mut dyn Write,
    ) -> std::io::Result<()> {
        let machines = std::mem::take(&mut self.machines);
        let mut timelines: Vec<Timeline<'_>> = machines.iter().map(Timeline::new).collect();
        let path = crate::symbols::search_path(self.options.symbols.path(), &self.files);
        let local = || machines.iter().any(tracewell_symbols::has_elf_images);
        let searched = self.with_stacks() && (!path.is_empty() || local());
        let server = crate::symbols::server();
        let store = FileStore::new(path, server.as_deref());
        let named = |machine| match Symbols::new(machine) {
            names if searched => names.with_store(&store),
            names => names,
        };
        let symbols: Vec<Symbols<'_>> = machines.iter().map(named).collect();
        let mut out = Vec::with_capacity(CHUNK + 4096);
        if let Form::Csv = self.form {
            let columns = self.table_columns();
            table::csv_head(&mut out, &columns, self.options.fields.is_empty());
        }
        if matches!(self.form, Form::Csv | Form::List) && self.columns.is_empty() {
            self.columns = self.table_columns();
        }
        self.text_columns(&machines, &mut out);
        if self.options.limit == Some(0) {
            return sink.write_all(&out).and_then(|()| sink.flush());
        }
        if self.options.file().is_none() && std::io::stdout().is_terminal() {
            // The events come on the same terminal.
            self.progress.stop();
        }
        let (together, origin) = (self.together, self.times.origin);
        let order = self.options.order;
        let mut each = |dump: &mut Self, at: usize, record: Record<'_>, in_order: bool, out: &mut Vec<u8>| {
            dump.counts.seen += 1;
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
            if time < dump.times.start || time >= dump.times.end {
                // In order of time nothing that is wanted follows.
                return !(in_order && time >= dump.times.end);
            }
            let id = decoder.id(&record);
            dump.event(at, record, time, timeline, symbols, decoder.get(id), id, out);
            dump.options.limit.is_none_or(|limit| dump.counts.shown < limit)
        };
        match order {
            Order::Time => {
                let mut merge = Merge::new(traces);
                while let Some((at, record)) = merge.next() {
                    let more = each(self, at, record, true, &mut out);
                    if !more || stop::is_asked() {
                        self.ended_at = Some(merge.bytes_done());
                        break;
                    }
                    if is_due(self.counts.seen) {
                        self.progress.done(self.size + SHOWING * merge.bytes_done());
                    }
                    if out.len() >= CHUNK {
                        sink.write_all(&out)?;
                        out.clear();
                    }
                }
                for (at, (trace, account)) in traces.iter().zip(&mut self.accounts).enumerate() {
                    if let Some(ledger) = merge.ledger(at) {
                        account.read(trace, ledger);
                    }
                }
            }
            Order::File => {
                let mut before = 0;
                'all: for (at, trace) in traces.iter().enumerate() {
                    let mut records = trace.file_order();
                    while let Some(record) = records.next() {
                        let more = each(self, at, record, false, &mut out);
                        if !more || stop::is_asked() {
                            self.ended_at = Some(before + records.bytes_done());
                            break 'all;
                        }
                        if is_due(self.counts.seen) {
                            self.progress.done(self.size + SHOWING * (before + records.bytes_done()));
                        }
                        if out.len() >= CHUNK {
                            sink.write_all(&out)?;
                            out.clear();
                        }
                    }
                    before += files_end(trace);
                }
            }
        }
        sink.write_all(&out)?;
        sink.flush()?;
        if searched {
            self.remarks = crate::symbols::remarks(&store, Style::stderr());
        }
        Ok(())
    }

    /// Determines the widths of text columns, and on a terminal prints the heading.
    fn text_columns(&mut self, machines: &[Machine], out: &mut Vec<u8>) {
        let Form::Text(writer) = &mut self.form else { return };
        let names = machines.iter().flat_map(|machine| {
            machine.processes().map(|process| base_name(machine.name(process.value.image)))
        });
        writer.widths = Widths::of(self.times.last.max(0), names);
        if self.options.fields.is_empty() && self.options.output.is_none() && std::io::stdout().is_terminal()
        {
            writer.heading(out);
        }
    }

    /// Reports what could not be decoded, requested names that no event has, and, if all files could be read, which part of them
    /// is shown.
    fn say(&self, all: bool) {
        self.progress.clear();
        crate::out::write_stderr(&self.summary.text(Style::stderr()));
        crate::out::write_stderr(&self.orphans);
        let style = Style::stderr();
        let note = |line: &str| say!("{}", style.dim(&format!("etw: {line}")));
        if stop::is_asked() {
            return;
        }
        if self.options.limit.is_some_and(|limit| self.counts.shown >= limit) {
            if !all {
                return;
            }
            let done = self.ended_at.unwrap_or(0);
            let (one, many) = if self.options.spans { ("span", "spans") } else { ("event", "events") };
            let shown = counted(self.counts.shown, one, many);
            return note(&format!("{shown} (--limit): {}", stop::line(self.clocks.len(), done, self.size)));
        }
        if self.counts.timely == 0 && !self.options.window.between().is_whole() {
            return note(&tracewell::when::no_event_between(self.times.first, self.times.last));
        }
        let mut reported = false;
        for line in self.choice.unmet() {
            note(&line);
            reported = true;
        }
        let absent = self.columns.iter().filter(|column| column.is_absent());
        for column in absent.chain(self.condition.iter().flat_map(Condition::absent)) {
            note(&format!("no examined event has a field '{}'", column.name));
            reported = true;
        }
        if self.counts.shown == 0 && !reported {
            let events = counted(self.counts.timely, "event", "events");
            note(&format!("none of {events} matches"));
        } else if self.counts.shown < self.counts.total && !reported && all && !self.options.spans {
            let (shown, total) = (grouped(self.counts.shown), counted(self.counts.total, "event", "events"));
            match self.counts.shown < self.counts.timely && !self.options.window.between().is_whole() {
                true => {
                    let timely = grouped(self.counts.timely);
                    note(&format!("{shown} of {total} shown; {timely} are in the time asked for"));
                }
                false => note(&format!("{shown} of {total} shown")),
            }
        }
    }

    fn table_columns(&self) -> Vec<Column> {
        if self.columns.is_empty() {
            let stack = if self.options.stacks { &["stack", "frames"][..] } else { &[] };
            let utc = self.options.utc.then_some("utc");
            utc.into_iter().chain(table::USUAL).chain(stack.iter().copied()).map(Column::parse).collect()
        } else {
            self.columns.clone()
        }
    }

    /// Shows one event, when it is wanted.
    #[expect(clippy::too_many_arguments, reason = "everything known about the event")]
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
        self.counts.timely += 1;
        if !self.choice.has(&record, format, id) {
            return;
        }
        let who = timeline.who(&record);
        if !self.choice.has_process(who.pid) {
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
            origin: self.times.origin,
            file: self.files.get(trace).map_or("", String::as_str),
            pid: who.pid,
            tid: who.tid,
            process,
            stack: &self.frames,
            places: self.stacks.is_some().then_some(Places { machine, symbols }),
            clock: self.clocks.get(trace).copied(),
        };
        if self.condition.as_ref().is_some_and(|condition| !condition.holds(&event)) {
            return;
        }
        self.counts.shown += 1;
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
            Form::Csv => {
                table::csv(out, &mut self.cell, &event, &self.columns, all_fields, self.options.forms.raw)
            }
            Form::List => list::line(out, &event, &self.columns, all_fields),
        };
        self.summary.observe(&event, understood);
    }
}

/// Returns the end of a trace's last buffer in its file.
fn files_end(trace: &Trace<'_>) -> u64 {
    trace.extent().end - trace.extent().start
}

/// The last part of a path.
fn base_name(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}
