//! The `etw` command.

mod answers;
mod diff;
mod dump;
mod export;
mod files;
mod fleet;
mod info;
mod missing;
mod output;
mod reference;
mod repair;
mod report;
mod schema;
mod schema_show;
mod schema_store;
mod schema_trace;
#[cfg(any(target_os = "linux", windows))]
mod session;
mod shown;
mod slice;
mod sql;
mod stats;
mod stop;
mod symbols;
mod top;
mod verify;
mod view;
#[cfg(target_os = "linux")]
mod wine;

pub(crate) use schema_store::{add_databases, add_stored};

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::out::say;
use shown::Shown;
use tracewell::when::Between;

/// Inspects Windows event traces on any system.
#[derive(Debug, Parser)]
#[command(name = "etw", version, about = "Inspect Windows event traces and run trace sessions, on any system", after_help = after_help(), propagate_version = true)]
struct Cli {
    /// Maximum size that archives may expand to in all, and files of symbol servers; with k, m, g or t [default: 16g, or half of
    /// the space for temporary files]
    #[arg(long, global = true, value_name = "SIZE", value_parser = crate::expansion::parse_size)]
    expand_limit: Option<u64>,
    /// Maximum time that expanding archives may take in all, and symbol servers; with ms, s, min or h [default: 15min]
    #[arg(long, global = true, value_name = "TIME", value_parser = crate::expansion::parse_time)]
    expand_time: Option<std::time::Duration>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  etw report trace.etl               what is wrong, who did it, what next
  etw info trace.etl                 what the trace is: system, clock, losses
  etw dump --json trace.etl          every event, one JSON object per line
  etw stats trace.etl                events by provider, class and id
  etw export --perfetto trace.etl    a timeline for a viewer
  etw verify trace.etl               whether it is valid, and where it is not
  etw merge -o all.etl *.etl         merge traces, in time order
  etw slice -o part.etl trace.etl --start 10 --end 12.5 --pid 4711
  etw symbols -y /my/symbols trace.etl    which images have symbols
  etw redact -o public.etl trace.etl --user alice --machine ALICE-PC
  etw record -o t.etl -p Shop -- ./shop   record what a program logs
  etw start s --live -p Shop && etw watch s   show events live";

/// The text below the list of commands.
fn after_help() -> String {
    #[cfg(target_os = "linux")]
    return format!("{EXAMPLES}\n\n{}", session::WHERE);
    #[cfg(not(target_os = "linux"))]
    EXAMPLES.to_owned()
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Report what is wrong in a trace, who did it, and what to ask next
    Report(report::ReportArgs),
    /// Sum samples, processor time, bytes or durations by process, thread, module and function
    Top(top::TopArgs),
    /// Look through a trace in the terminal: group, expand, sort, filter, choose a part of the time, list events and stacks
    View(view::ViewArgs),
    /// Compare two traces: what changed, and how sure that is
    Diff(diff::DiffArgs),
    /// Describe a trace: system, build, CPUs, clock, duration, session, losses
    Info {
        /// Trace files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object per file, one per line
        #[arg(long)]
        json: bool,
    },
    /// Show every event with its names and fields, as text, JSON, CSV or Tcl lists
    Dump(dump::Options),
    /// Count events by provider and id
    Stats {
        /// Trace files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object per file, one per line
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        window: crate::when::Window,
    },
    /// Export a timeline for a viewer (Perfetto, the Firefox Profiler, Speedscope or Wireshark), or tables as Parquet or Arrow files
    Export(export::ExportArgs),
    /// Answer a query in SQL: `events` is a table, and each type of event
    Sql(sql::SqlArgs),
    /// Check the structure: records, digest, damage. Exit status: 0 valid, 1 damaged but readable, 2 unreadable
    Verify(verify::Verify),
    /// List which images have function names, and which symbol files are missing
    Symbols(symbols::SymbolsArgs),
    /// Merge several traces into one, in time order
    Merge(files::MergeArgs),
    /// Write a part of a trace: a time range, providers, processes, events
    Slice(files::SliceArgs),
    /// Compress the buffers (XPRESS)
    Compress(files::Each),
    /// Expand compressed buffers
    Decompress(files::Each),
    /// Drop damaged parts, correct or replace the header, complete an unfinished trace
    Repair(repair::RepairArgs),
    /// Blank names and paths, keeping sizes and structure
    Redact(files::RedactArgs),
    /// Manage the event descriptions that dump uses: list, show, import, export, remove
    Schema(schema::SchemaArgs),
    #[cfg(any(target_os = "linux", windows))]
    #[command(flatten)]
    Session(session::Command),
    /// Have Windows programs under Wine log their events to sessions
    #[cfg(target_os = "linux")]
    Wine(wine::WineArgs),
    /// Print the completions of this command for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of this command, or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
}

/// Shortens an error about the command line to one line: the first paragraph of the parser's message, its suggestion, and
/// where to find help.
fn usage_error(message: &str) -> String {
    let lines = || message.lines().map(str::trim);
    let what: Vec<&str> = lines().take_while(|line| !line.is_empty()).collect();
    let what = what.join(" ");
    let word = std::env::args().nth(1);
    let commands = Cli::command();
    let names = || commands.get_subcommands().map(clap::Command::get_name);
    // The parser's measure prefers long names: it takes `dmp` for `decompress`.
    let command = word.as_deref().filter(|word| !word.starts_with('-') && names().all(|name| name != *word));
    let command = command.and_then(|word| tracewell_dlang::nearest(word, names()));
    let option =
        || lines().find_map(|line| line.strip_prefix("tip: ")?.split_once(" similar ")?.1.split('\'').nth(1));
    let meant = command.or_else(option).map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    let help = match word.as_deref().filter(|word| commands.find_subcommand(word).is_some()) {
        Some(command) => format!("etw {command} --help lists the options"),
        None => "etw --help lists the commands".to_owned(),
    };
    format!("{}{meant} ({help})", what.trim_start_matches("error: "))
}

/// A subcommand's output for a file, as text or as JSON.
type Show = Box<dyn Fn(&crate::input::TraceFile, bool) -> Result<Shown, String>>;

/// Runs the command with the process's arguments. The exit statuses are in `status.rs`.
#[must_use]
pub fn main() -> ExitCode {
    tracewell_etl::map::survive_truncation();
    crate::out::ended("etw", run())
}

fn run() -> ExitCode {
    crate::symbols::hush_symbol_readers();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            crate::write_stdout(&error.to_string());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                crate::write_stdout(&error.to_string());
                say!("etw: no command given; choose one of those above");
            } else {
                say!("etw: {}", usage_error(&error.to_string()));
            }
            return ExitCode::from(2);
        }
    };
    crate::expansion::limit(cli.expand_limit, cli.expand_time);
    let mut failed = false;
    let (files, json, show) = match cli.command {
        Command::Info { files, json } => {
            let show: Show = Box::new(|file, json| info::show(file, json).map_err(|error| error.to_string()));
            (files, json, show)
        }
        Command::Stats { files, json, window } => {
            let between = window.between();
            let show: Show = Box::new(move |file, json| stats::show(file, json, between));
            (files, json, show)
        }
        Command::Completions { shell } => {
            crate::write_stdout(&reference::completions(Cli::command(), shell));
            return ExitCode::SUCCESS;
        }
        Command::Man { command } => {
            return match reference::man(Cli::command(), command.as_deref()) {
                Some(page) => {
                    crate::write_stdout(&page);
                    ExitCode::SUCCESS
                }
                None => {
                    say!("etw: there is no such command (etw --help lists the commands)");
                    ExitCode::from(2)
                }
            };
        }
        Command::Dump(options) => {
            return dump::run(&options);
        }
        Command::Report(args) => return report::run(&args),
        Command::Top(args) => return top::run(&args),
        Command::View(args) => return view::run(&args),
        Command::Diff(args) => return diff::run(&args),
        #[cfg(any(target_os = "linux", windows))]
        Command::Session(command) => return session::run(command),
        #[cfg(target_os = "linux")]
        Command::Wine(args) => return wine::run(&args),
        Command::Export(args) => return export::run(&args),
        Command::Sql(args) => return sql::run(&args),
        Command::Verify(args) => return verify::run(&args),
        Command::Merge(args) => return files::run_merge(&args),
        Command::Slice(args) => return files::run_slice(&args),
        Command::Compress(each) => return files::run_pack(&each, true),
        Command::Decompress(each) => return files::run_pack(&each, false),
        Command::Repair(args) => return repair::run(&args),
        Command::Redact(args) => return files::run_redact(&args),
        Command::Schema(args) => return schema::run(&args),
        Command::Symbols(args) => return symbols::run(&args),
    };
    let several = files.len() > 1;
    let mut first = true;
    for file in crate::input::traces(&files) {
        let shown = file.map_err(|error| error.to_string());
        let shown = shown.and_then(|file| Ok((show(&file, json)?, file.path)));
        match shown {
            Ok((shown, path)) => {
                if several && !json {
                    let name = if shown.is_named { String::new() } else { format!("{}\n", path.display()) };
                    crate::write_stdout(&format!("{}{name}", if first { "" } else { "\n" }));
                }
                crate::write_stdout(&shown.text);
                if let Some(account) = &shown.account {
                    crate::account::say_file(account, "etw", &path);
                }
                first = false;
            }
            Err(error) => {
                say!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The output of `etw info` and `etw stats` for a file, as text and as JSON. Tests use the same code path as the
/// commands.
///
/// # Errors
/// The file is not a trace.
#[doc(hidden)]
pub fn describe(file: &crate::input::TraceFile) -> Result<String, String> {
    let info = |json| info::show(file, json).map_err(|error| error.to_string());
    Ok([
        info(false)?,
        info(true)?,
        stats::show(file, false, Between::default())?,
        stats::show(file, true, Between::default())?,
    ]
    .map(|shown| shown.text)
    .concat())
}
