//! `tracewell-fleet sql`: a query over traces, with its rows as text, JSON, CSV, or a file of Parquet or Arrow.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, FieldRef, SchemaRef};
use clap::{Args, ValueEnum};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::{csv, json};
use futures::StreamExt;
use tracewell::open::{Limit, traces};
use tracewell_arrow::Source;
use tracewell_sql::functions::LINES;
use tracewell_types::visible::{Keep, escape};

use crate::files::{Format, TableFile};
use crate::{Descriptions, SymbolOptions, say};

/// Rows of a text that are laid out together: the width of a column is that of the widest of them.
const LAID_OUT: usize = 20_000;

/// The options of the command.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The query
    query: String,
    /// Trace files, and folders: all traces in them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How rows are written [default: by the extension of the output, else as text]
    #[arg(long, value_enum)]
    format: Option<Form>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of parts that are read at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    #[command(flatten)]
    descriptions: Descriptions,
    #[command(flatten)]
    symbols: SymbolOptions,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// As text in columns
    Table,
    /// As JSON, an object for each row
    Json,
    /// As comma-separated values
    Csv,
    /// As a Parquet file
    Parquet,
    /// As an Arrow file
    Arrow,
}

impl Options {
    fn form(&self) -> Form {
        let extension = || self.output.as_deref().and_then(Path::extension).and_then(|name| name.to_str());
        self.format.unwrap_or_else(|| match extension() {
            Some("json" | "jsonl") => Form::Json,
            Some("csv") => Form::Csv,
            Some("parquet") => Form::Parquet,
            Some("arrow") => Form::Arrow,
            _ => Form::Table,
        })
    }
}

/// Exit status: 0 done, 1 the query failed, 6 some of the traces could not be read.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let form = options.form();
    let schemas = options.descriptions.read()?;
    let path_of_symbols = options.symbols.path();
    let (mut sources, mut failed) = (Vec::new(), false);
    for path in listed(&options.files)? {
        for file in traces(&path, &Limit::default()) {
            match file.and_then(|file| Source::of(file, schemas.clone())) {
                Ok(source) => sources.push(Arc::new(source.with_symbols(path_of_symbols.clone()))),
                Err(error) => {
                    failed = true;
                    say(error.to_string());
                }
            }
        }
    }
    if sources.is_empty() {
        return Err("there is no trace to read".to_owned());
    }
    if let Some(path) = options.output.as_deref().filter(|path| !options.force && path.exists()) {
        return Err(format!("{} exists (-f replaces it)", path.display()));
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let partitions = options.partitions.unwrap_or(processors);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(partitions.clamp(1, processors)).build();
    let runtime = runtime.map_err(|error| tracewell::open::reason(&error))?;
    let context = tracewell_sql::context(sources.clone(), partitions).map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let frame = context.sql(&options.query).await.map_err(|error| error.to_string())?;
        let mut batches = frame.execute_stream().await.map_err(|error| error.to_string())?;
        let mut rows = Rows::new(form, options.output.as_deref(), options.force, batches.schema())?;
        while let Some(batch) = batches.next().await {
            let batch = batch.map_err(|error| error.to_string())?;
            if !rows.write(&batch)? {
                return Ok(());
            }
        }
        rows.finish()
    })?;
    // The answer does not wait for what it lacks.
    let remarks: BTreeSet<String> = sources.iter().flat_map(|source| source.remarks()).collect();
    remarks.into_iter().for_each(say);
    for source in &sources {
        let (account, _) = source.account().map_err(|error| error.to_string())?;
        account.lines().into_iter().for_each(|line| say(format!("{}: {line}", source.name())));
    }
    Ok(if failed { ExitCode::from(6) } else { ExitCode::SUCCESS })
}

/// The files, and those in folders: their traces and archives in order.
fn listed(files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for path in files {
        if path.is_dir() { add_folder(path, 0, &mut all)? } else { all.push(path.clone()) }
    }
    Ok(all)
}

/// Folders in folders are followed so deep.
const DEEPEST: u32 = 32;

fn add_folder(folder: &Path, deep: u32, all: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| {
        format!("cannot read {}: {}", folder.display(), tracewell::open::reason(&error))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // A link to a folder may lead back.
        entries.push((entry.path(), entry.file_type().map_err(failed)?.is_dir()));
    }
    entries.sort();
    for (path, is_folder) in entries {
        let is_trace = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("etl"));
        if is_folder && deep < DEEPEST {
            add_folder(&path, deep + 1, all)?;
        } else if is_trace && path.is_file() {
            all.push(path);
        }
    }
    Ok(())
}

type Out = Box<dyn Write>;

/// Where rows go.
enum Rows {
    Table(Out, SchemaRef, Vec<Vec<String>>),
    Json(json::LineDelimitedWriter<Out>),
    Csv(Box<csv::Writer<Out>>),
    File(Box<TableFile>),
}

impl Rows {
    fn new(form: Form, path: Option<&Path>, force: bool, schema: SchemaRef) -> Result<Rows, String> {
        let file = |format| {
            let path = path.ok_or("this format is not text: name a file with -o")?;
            Ok::<_, String>(Rows::File(Box::new(TableFile::create(path, &schema, format)?)))
        };
        let out = || -> Result<Out, String> {
            let Some(path) = path else { return Ok(Box::new(BufWriter::new(std::io::stdout()))) };
            let mut how = std::fs::OpenOptions::new();
            // What appears meanwhile is not replaced, either.
            how.write(true).truncate(force).create(force).create_new(!force);
            let file = how.open(path).map_err(|error| {
                format!("cannot write {}: {}", path.display(), tracewell::open::reason(&error))
            })?;
            Ok(Box::new(BufWriter::new(file)))
        };
        Ok(match form {
            Form::Table => Rows::Table(out()?, Arc::clone(&schema), Vec::new()),
            Form::Json => Rows::Json(json::LineDelimitedWriter::new(out()?)),
            Form::Csv => Rows::Csv(Box::new(csv::Writer::new(out()?))),
            Form::Parquet => file(Format::Parquet)?,
            Form::Arrow => file(Format::Arrow)?,
        })
    }

    /// Adds rows. Returns `false` if no reader wants more.
    fn write(&mut self, batch: &RecordBatch) -> Result<bool, String> {
        match self {
            Rows::Table(_, schema, rows) => {
                let options = FormatOptions::new();
                let columns = batch.columns().iter();
                let columns = columns.map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
                let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
                for row in 0..batch.num_rows() {
                    let cell = |(column, field): (&ArrayFormatter<'_>, &FieldRef)| {
                        let text = column.value(row).to_string();
                        let escaped = |line| escape(line, Keep::Nothing).into_owned();
                        // Only a function may begin a line; a text of a trace could make up rows.
                        match field.metadata().contains_key(LINES) {
                            true => text.split('\n').map(escaped).collect::<Vec<_>>().join("\n"),
                            false => escaped(&text),
                        }
                    };
                    rows.push(columns.iter().zip(schema.fields()).map(cell).collect());
                }
                if rows.len() >= LAID_OUT { self.lay_out() } else { Ok(true) }
            }
            Rows::Json(writer) => written(writer.write(batch).map_err(failure)),
            Rows::Csv(writer) => written(writer.write(batch).map_err(failure)),
            Rows::File(file) => file.write(batch).map(|()| true),
        }
    }

    /// Writes the rows so far as text, with a heading.
    fn lay_out(&mut self) -> Result<bool, String> {
        let Rows::Table(out, schema, rows) = self else { return Ok(true) };
        let heading = schema.fields().iter().map(|field| escape(field.name(), Keep::Nothing).into_owned());
        let heading: Vec<String> = heading.collect();
        let width = |(place, name): (usize, &String)| {
            let cells = rows.iter().filter_map(|row| row.get(place)).chain([name]);
            let lines = cells.flat_map(|cell| cell.split('\n'));
            lines.map(|line| line.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = heading.iter().enumerate().map(width).collect();
        let is_number = |ty: &DataType| ty.is_numeric();
        let mut text = String::new();
        for row in [&heading].into_iter().chain(rows.iter()) {
            let lines = row.iter().map(|cell| cell.split('\n').count()).max().unwrap_or(1);
            for place in 0..lines {
                let mut line = String::new();
                for ((cell, width), field) in row.iter().zip(&widths).zip(schema.fields()) {
                    let cell = cell.split('\n').nth(place).unwrap_or_default();
                    let fill = " ".repeat(width.saturating_sub(cell.chars().count()));
                    let is_right = is_number(field.data_type());
                    let (before, after) = if is_right { (&*fill, "") } else { ("", &*fill) };
                    line.extend([before, cell, after, "  "]);
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
        rows.clear();
        written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }

    fn finish(mut self) -> Result<(), String> {
        self.lay_out()?;
        match self {
            Rows::Table(mut out, ..) => written(out.flush())?,
            Rows::Json(mut writer) => {
                let finished = writer.finish().map_err(failure);
                written(finished.and_then(|()| writer.into_inner().flush()))?
            }
            Rows::Csv(writer) => written(writer.into_inner().flush())?,
            Rows::File(file) => return file.finish(),
        };
        Ok(())
    }
}

/// The system's error in that of a writer. Those for comma-separated values keep only its text.
fn failure(error: ArrowError) -> std::io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        ArrowError::CsvError(text) if text.contains("Broken pipe") => std::io::ErrorKind::BrokenPipe.into(),
        other => std::io::Error::other(other),
    }
}

/// Returns `false` if the reader went away.
fn written(result: std::io::Result<()>) -> Result<bool, String> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("cannot write the output: {}", tracewell::open::reason(&error))),
    }
}
