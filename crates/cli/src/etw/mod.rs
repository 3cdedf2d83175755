//! The `etw` command.

mod dump;
mod info;
mod stats;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Look into Windows event traces on any system.
#[derive(Debug, Parser)]
#[command(name = "etw", version, about, after_help = EXAMPLES, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  etw info trace.etl            what the trace is: system, clock, duration, losses
  etw dump --json trace.etl     every event, one JSON object a line
  etw stats trace.etl           events by provider, class and id
  etw stats --json trace.etl    the same for programs";

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
    /// Count events by provider, class and id
    Stats {
        /// Trace files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One JSON object a file, one a line
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command with the process's arguments. Exit status: 0 done, 1 a file could not be read, 2 usage.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut failed = false;
    let (files, json, show): (
        _,
        _,
        fn(&crate::input::TraceFile, bool) -> Result<String, crate::input::InputError>,
    ) = match cli.command {
        Command::Info { files, json } => (files, json, info::show),
        Command::Stats { files, json } => (files, json, stats::show),
        Command::Dump(options) => {
            return match dump::run(&options) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("etw: {error}");
                    ExitCode::FAILURE
                }
            };
        }
    };
    let several = files.len() > 1;
    let mut first = true;
    for path in files {
        match crate::input::TraceFile::open(&path).and_then(|file| show(&file, json)) {
            Ok(text) => {
                if several && !json {
                    crate::write_stdout(&format!("{}{}\n", if first { "" } else { "\n" }, path.display()));
                }
                crate::write_stdout(&text);
                first = false;
            }
            Err(error) => {
                eprintln!("etw: {error}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
