//! `etw sql`: a query over traces. `tracewell-fleet` answers it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::fleet;
use crate::out::say;
use crate::symbols::SymbolOption;

const EXAMPLES: &str = "\
Examples:
  etw sql 'SELECT provider, event, count(*) FROM events GROUP BY ALL ORDER BY 3 DESC LIMIT 10' trace.etl
  etw sql 'SELECT process, sum(\"TransferSize\") FROM \"Windows Kernel/DiskIo/Read\" GROUP BY process' trace.etl
  etw sql 'SELECT * FROM events WHERE pid = 4711' traces/ -o part.parquet
  etw sql 'SELECT function, count(*) FROM cpu_samples GROUP BY function' trace.etl -y 'srv*/my/store'
  etw sql 'SELECT table_name FROM information_schema.tables' trace.etl

The query is that of DataFusion. Names with capital letters, spaces or slashes are in double quotes.";

/// Arguments of `etw sql`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SqlArgs {
    /// The query
    query: String,
    /// Trace files, and folders: all traces in them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How rows are written: table, json, csv, parquet or arrow [default: by the extension of the output, else table]
    #[arg(long, value_name = "FORMAT", value_parser = ["table", "json", "csv", "parquet", "arrow"])]
    format: Option<String>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of parts of the traces that are read at once [default: 1 per processor]
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    /// Read event descriptions from this file, as for `etw dump`; repeatable
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    #[command(flatten)]
    symbols: SymbolOption,
}

/// Exit status: that of the program for tables.
pub(super) fn run(args: &SqlArgs) -> ExitCode {
    let mut words: Vec<OsString> = vec!["sql".into()];
    let mut option = |name: &str, value: OsString| words.extend([OsString::from(name), value]);
    if let Some(format) = &args.format {
        option("--format", format.into());
    }
    if let Some(output) = &args.output {
        option("--output", output.into());
    }
    if let Some(partitions) = args.partitions {
        option("--partitions", partitions.to_string().into());
    }
    for path in &args.manifest {
        option("--manifest", path.into());
    }
    if let Some(folder) = super::schema_store::folder() {
        option("--schemas", folder.into());
    }
    words.extend(args.symbols.words());
    words.extend(args.force.then(|| "--force".into()));
    words.extend(["--".into(), OsString::from(&args.query)]);
    words.extend(args.files.iter().map(|path| path.into()));
    fleet::run(&words).unwrap_or_else(|error| {
        say!("etw: {error}");
        ExitCode::FAILURE
    })
}
