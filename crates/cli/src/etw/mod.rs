//! The `etw` command.

mod dump;
mod export;
mod files;
mod glob;
mod header;
mod info;
mod names;
mod output;
mod reference;
mod repair;
mod schema;
mod schema_show;
mod schema_store;
mod schema_trace;
#[cfg(any(target_os = "linux", windows))]
mod session;
mod shown;
mod slice;
mod stack;
mod stats;
mod symbols;
mod told;
mod values;
mod verify;

pub(crate) use dump::add_stored;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::out::say;
use shown::Shown;

/// Look into Windows event traces on any system.
#[derive(Debug, Parser)]
#[command(name = "etw", version, about = "Look into Windows event traces, and run trace sessions, on any system", after_help = after_help(), propagate_version = true)]
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
  etw info trace.etl                 what the trace is: system, clock, losses
  etw dump --json trace.etl          every event, one JSON object a line
  etw stats trace.etl                events by provider, class and id
  etw export --perfetto trace.etl    a timeline for a viewer
  etw verify trace.etl               whether it is sound, and where not
  etw merge -o all.etl *.etl         one trace of several, in time order
  etw slice -o part.etl trace.etl --start 10 --end 12.5 --pid 4711
  etw symbols -y /my/symbols trace.etl    which images have their symbols
  etw redact -o public.etl trace.etl --user alice --machine ALICE-PC
  etw record -o t.etl -p Shop -- ./shop   what a program logs
  etw start s --live -p Shop && etw watch s   events as they come";

/// What stands below the list of commands.
fn after_help() -> String {
    #[cfg(target_os = "linux")]
    return format!("{EXAMPLES}\n\n{}", session::WHERE);
    #[cfg(not(target_os = "linux"))]
    EXAMPLES.to_owned()
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a trace is: system, build, CPUs, clock, duration, session, losses
    Info {
        /// Trace files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One JSON object a file, one a line
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
        /// One JSON object a file, one a line
        #[arg(long)]
        json: bool,
    },
    /// Make a timeline for a viewer: Perfetto, the Firefox Profiler or Speedscope
    Export(export::ExportArgs),
    /// Check the structure: records, digest, damage. Status 0 sound, 1 damaged but read, 2 unreadable
    Verify(verify::Verify),
    /// Say which images have names for their functions, and which symbol files are missing
    Symbols(symbols::SymbolsArgs),
    /// Make one trace of several, in time order
    Merge(files::MergeArgs),
    /// Make a trace of a part: a time, providers, processes, events
    Slice(files::SliceArgs),
    /// Compress the buffers (XPRESS)
    Compress(files::Each),
    /// Expand compressed buffers
    Decompress(files::Each),
    /// Drop what is damaged, correct the header or give a new one, close an unfinished trace
    Repair(repair::RepairArgs),
    /// Blank names and paths, keeping sizes and structure
    Redact(files::RedactArgs),
    /// Look after the descriptions of events that dump uses: list, show, import, export
    Schema(schema::SchemaArgs),
    #[cfg(any(target_os = "linux", windows))]
    #[command(flatten)]
    Session(session::Command),
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

/// What is wrong with a command line, in one line: the first paragraph of the parser's message, what it thinks was meant,
/// and where help is.
fn usage_error(message: &str) -> String {
    let lines = || message.lines().map(str::trim);
    let what: Vec<&str> = lines().take_while(|line| !line.is_empty()).collect();
    let what = what.join(" ");
    let meant =
        lines().find_map(|line| line.strip_prefix("tip: ")?.split_once(" similar ")?.1.split('\'').nth(1));
    let meant = meant.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    let word = std::env::args().nth(1);
    let help = match word.filter(|word| Cli::command().find_subcommand(word).is_some()) {
        Some(command) => format!("etw {command} --help lists the options"),
        None => "etw --help lists the commands".to_owned(),
    };
    format!("{}{meant} ({help})", what.trim_start_matches("error: "))
}

/// What a subcommand shows of a file, as text or as JSON.
type Show = fn(&crate::input::TraceFile, bool) -> Result<Shown, crate::input::InputError>;

/// Runs the command with the process's arguments. Exit status: 0 done, 1 a file could not be read or the output not
/// written, 2 usage, 3 an input became shorter while it was read.
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
                say!("etw: a command is missing: those above");
            } else {
                say!("etw: {}", usage_error(&error.to_string()));
            }
            return ExitCode::from(2);
        }
    };
    crate::expansion::limit(cli.expand_limit, cli.expand_time);
    let mut failed = false;
    let (files, json, show) = match cli.command {
        Command::Info { files, json } => (files, json, info::show as Show),
        Command::Stats { files, json } => (files, json, stats::show as Show),
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
        #[cfg(any(target_os = "linux", windows))]
        Command::Session(command) => return session::run(command),
        Command::Export(args) => return export::run(&args),
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
        let shown = file.and_then(|file| Ok((show(&file, json)?, file.path)));
        match shown {
            Ok((shown, path)) => {
                if several && !json {
                    let name = if shown.is_named { String::new() } else { format!("{}\n", path.display()) };
                    crate::write_stdout(&format!("{}{name}", if first { "" } else { "\n" }));
                }
                crate::write_stdout(&shown.text);
                if let Some(account) = &shown.account {
                    account.say("etw", &path);
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

/// All that `etw info` and `etw stats` say of a file, as text and as JSON: the same path as the command's, for tests.
///
/// # Errors
/// The file is no trace.
#[doc(hidden)]
pub fn describe(file: &crate::input::TraceFile) -> Result<String, crate::input::InputError> {
    Ok([
        info::show(file, false)?,
        info::show(file, true)?,
        stats::show(file, false)?,
        stats::show(file, true)?,
    ]
    .map(|shown| shown.text)
    .concat())
}
