//! `tracewell-fleet`: traces as tables, for other engines. `etw` starts it.
#![forbid(unsafe_code)]

mod export;
mod files;
mod manifest;
mod sql;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use tracewell::descriptions::{Store, add};
use tracewell::when::Moment;
use tracewell_decode::Schemas;
use tracewell_symbols::SymbolPath;

/// Event traces as tables.
#[derive(Debug, Parser)]
#[command(name = "tracewell-fleet", version, about = "Event traces as tables, for other engines")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the tables of traces as files
    Export(export::Options),
    /// Answer a query in SQL over traces
    Sql(sql::Options),
}

/// What describes events, besides the traces.
#[derive(Debug, Args)]
struct Descriptions {
    /// Read event descriptions from this file; repeatable
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    /// Read the event descriptions of this store
    #[arg(long, value_name = "FOLDER")]
    schemas: Option<PathBuf>,
}

impl Descriptions {
    fn read(&self) -> Result<Schemas, String> {
        let mut schemas = Schemas::new();
        if let Some(folder) = &self.schemas {
            Store::new(folder.clone()).add_to(&mut schemas, &mut say)?;
        }
        for path in &self.manifest {
            add(&mut schemas, path, &mut say)?;
        }
        Ok(schemas)
    }
}

/// Where symbols are.
#[derive(Debug, Args)]
struct SymbolOptions {
    /// Search path for symbols: folders and stores, separated by semicolons
    #[arg(short = 'y', long, value_name = "PATH")]
    symbols: Option<String>,
    /// Store for the elements of the path that name none
    #[arg(long, value_name = "FOLDER")]
    symbol_store: Option<String>,
}

impl SymbolOptions {
    fn path(&self) -> SymbolPath {
        SymbolPath::parse(self.symbols.as_deref().unwrap_or_default(), self.symbol_store.as_deref())
    }
}

/// A part of the time.
#[derive(Clone, Copy, Debug, Args)]
struct Window {
    /// Select events from this time on: seconds since the start of each trace, or a date
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    start: Option<Moment>,
    /// Select events before this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    end: Option<Moment>,
}

/// Prints a line on standard error. If that is closed, no reader wants it.
fn say(line: String) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "etw: {line}");
}

/// Keeps the panics that damaged symbol files cause in their readers from being reported: they are caught.
fn hush_symbol_readers() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tracewell_symbols::is_reading_symbols() {
            report(panic);
        }
    }));
}

fn main() -> ExitCode {
    tracewell_etl::map::survive_truncation();
    hush_symbol_readers();
    let Cli { command } = Cli::parse();
    let result = match command {
        Command::Export(options) => export::run(&options),
        Command::Sql(options) => sql::run(&options),
    };
    match result {
        Ok(status) => status,
        Err(error) => {
            say(error);
            ExitCode::FAILURE
        }
    }
}
