//! `etw wine`: events of Windows programs under Wine.
//!
//! `tracewell-wine-prefix` changes the prefix; here are the options and the messages.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use tracewell_wine_prefix::{HALVES, Prefix, Status};

use crate::out::say;

/// Arguments of `etw wine`.
#[derive(Debug, Args)]
pub(super) struct WineArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Have the Windows programs of a prefix log their events to sessions
    Install {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
        /// Folder with the libraries tracewell_wine_pe.dll and libtracewell_wine_unix.so [default: that of etw, or
        /// ../lib/tracewell from there]
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Folder of Wine's own libraries, with x86_64-windows in it [default: the usual ones, if Wine was updated]
        #[arg(long, value_name = "DIR")]
        wine: Option<PathBuf>,
    },
    /// Restore a prefix as it was before
    Remove {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
    },
    /// Say whether the programs of a prefix log events. Exit status: 0 they do, 1 they do not
    Status {
        /// Folder of the prefix, or of a game that Proton runs [default: $WINEPREFIX, or ~/.wine]
        prefix: Option<PathBuf>,
    },
}

pub(super) fn run(args: &WineArgs) -> ExitCode {
    match answer(&args.command) {
        Ok((text, is_yes)) => {
            crate::write_stdout(&text);
            if is_yes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            say!("etw: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the command prints, and whether its answer is yes.
fn answer(command: &Command) -> Result<(String, bool), String> {
    let (Command::Install { prefix, .. } | Command::Remove { prefix } | Command::Status { prefix }) = command;
    let prefix = Prefix::open(&place(prefix.as_deref())?).map_err(|error| error.to_string())?;
    let path = prefix.path().display();
    let kind = if prefix.is_proton() { " (Proton)" } else { "" };
    let failed = |error: tracewell_wine_prefix::Error| error.to_string();
    match command {
        Command::Install { from, wine, .. } => {
            let halves = halves(from.as_deref())?;
            tracewell_wine_prefix::install(&prefix, &halves, wine.as_deref()).map_err(failed)?;
            Ok((format!("{path}{kind}: Windows programs log their events to sessions\n"), true))
        }
        Command::Remove { .. } => {
            tracewell_wine_prefix::remove(&prefix).map_err(failed)?;
            Ok((format!("{path}: restored\n"), true))
        }
        Command::Status { .. } => Ok(match tracewell_wine_prefix::status(&prefix).map_err(failed)? {
            Status::Absent => (format!("{path}{kind}: not installed; etw wine install {path}\n"), false),
            Status::Works => {
                let text =
                    "programs that load advapi32.dll or sechost.dll (64-bit) log their events to sessions";
                (format!("{path}{kind}: installed; {text}\n"), true)
            }
            Status::Faulty(faults) => {
                let faults = faults.join(", ");
                (format!("{path}{kind}: does not work: {faults}; etw wine install {path}\n"), false)
            }
        }),
    }
}

/// The folder of the prefix that a command line means.
fn place(given: Option<&Path>) -> Result<PathBuf, String> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given
        .map(Path::to_owned)
        .or_else(|| variable("WINEPREFIX"))
        .or_else(|| variable("HOME").map(|home| home.join(".wine")))
        .ok_or_else(|| "no prefix given, and neither WINEPREFIX nor HOME is set".into())
}

/// Both halves of the library, which are built beside `etw`.
fn halves(from: Option<&Path>) -> Result<[Vec<u8>; 2], String> {
    let program = std::env::current_exe().map_err(|error| format!("etw cannot find itself: {error}"))?;
    let own = program.parent().unwrap_or(Path::new("/"));
    let folders = match from {
        Some(folder) => vec![folder.to_owned()],
        None => vec![own.to_owned(), own.join("../lib/tracewell")],
    };
    let mut found = Vec::new();
    for (name, _) in HALVES {
        let path = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
        let Some(path) = path else {
            let folder = folders.first().map(|folder| folder.display().to_string()).unwrap_or_default();
            return Err(format!(
                "{folder}: there is no {name}; --from names the folder of the libraries for Wine"
            ));
        };
        found.push(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    found.try_into().map_err(|_| "a library is missing".into())
}
