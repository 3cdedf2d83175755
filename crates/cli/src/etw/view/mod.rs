//! `etw view`: an interactive table of a trace in the terminal. What keys do is in the library; this draws and waits for keys.

mod draw;
mod live;
mod readings;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use tracewell_diagnose::view::{Model, OfActivity};

use draw::Title;
use readings::{Readings, Screen};

use super::report::with_activity;
use super::session;
use crate::input::only_trace;
use crate::out::say;
use crate::symbols::SymbolOption;

const EXAMPLES: &str = "\
Keys:
  arrows            move, show and hide rows below      /   rows with a text
  g G               next and previous grouping          t   a part of the time
  w                 next weight                         a   all of the time
  i                 code anywhere on the stack          e   events of a row
  s                 sort by weight or name              k   stacks of a row
  ?                 all keys                            q   quit

Examples:
  etw view trace.etl
  etw view trace.etl --follow           while it is recorded
  etw view build                        a session that runs";

/// Arguments of `etw view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ViewArgs {
    /// Trace file, or the name of a running session
    #[arg(value_name = "FILE|NAME")]
    file: PathBuf,
    /// Read the file again while it grows, after this number of seconds [default for a session: 2]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u32).range(1..=3600))]
    follow: Option<u32>,
    /// Most MiB of events that are held of a session that writes no file; older events are dropped
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    keep: u32,
    #[command(flatten)]
    symbols: SymbolOption,
}

/// Exit status: 0 done, 1 the file could not be read, 2 there is no terminal.
pub(super) fn run(args: &ViewArgs) -> ExitCode {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        say!("etw: view needs a terminal (etw top prints the same tables)");
        return ExitCode::from(2);
    }
    let shown = shown(args).and_then(|shown| match shown {
        Shown::Once => only_trace(&args.file).map_err(|error| error.to_string()).and_then(|file| {
            with_activity(&file, args.symbols.path(), |activity, symbols| {
                let title = Title { name: file.path.display().to_string(), note: String::new() };
                Screen::new()?.show(&mut Model::new(OfActivity::new(activity, symbols)), &title, None)
            })
        }),
        Shown::File(followed) => follow(args, &followed),
        Shown::Session(name) => live::follow(&name, args.keep, readings(args)),
    });
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What is shown.
enum Shown {
    /// A file that is read once.
    Once,
    /// A file that is read again.
    File(Followed),
    /// A session that writes no file.
    Session(String),
}

/// A file that is read again.
struct Followed {
    file: PathBuf,
    /// The session that writes it, which is asked to deliver its events before.
    session: Option<String>,
}

/// Finds out what is shown.
fn shown(args: &ViewArgs) -> Result<Shown, String> {
    let name = args.file.to_string_lossy();
    if args.file.exists() || name.contains(['/', '\\', '.']) {
        let file = args.file.clone();
        return Ok(args.follow.map_or(Shown::Once, |_| Shown::File(Followed { file, session: None })));
    }
    Ok(match session::log_file(&name)? {
        Some(file) => Shown::File(Followed { file, session: Some(name.into_owned()) }),
        None => Shown::Session(name.into_owned()),
    })
}

fn readings(args: &ViewArgs) -> Readings<'_> {
    Readings::new(args.symbols.path(), Duration::from_secs(args.follow.unwrap_or(2).into()))
}

/// Shows a file, and reads it again now and then.
fn follow(args: &ViewArgs, followed: &Followed) -> Result<(), String> {
    let file: &Path = &followed.file;
    let name = match &followed.session {
        Some(session) => format!("session {session}, {}", file.display()),
        None => format!("{}, as it grows", file.display()),
    };
    let title = Title { name, note: String::new() };
    let mut readings = readings(args);
    while !readings.is_over() {
        let begun = Instant::now();
        if let Some(session) = &followed.session {
            // A session that has ended has delivered all.
            let _ = session::flush(session);
        }
        let file = only_trace(file).map_err(|error| error.to_string())?;
        let trace = file.trace().map_err(|error| error.to_string())?;
        readings.show(std::slice::from_ref(&trace), &title, begun, || true)?;
    }
    Ok(())
}
