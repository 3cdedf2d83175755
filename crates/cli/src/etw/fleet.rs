//! Starts `tracewell-fleet`, the program for tables. It is built separately, because its libraries take long to build.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The name of the program.
const NAME: &str = "tracewell-fleet";

/// Runs the program with some words, and returns its exit status.
pub(super) fn run(words: &[OsString]) -> Result<ExitCode, String> {
    let program = find().ok_or_else(|| {
        format!(
            "the program {NAME} is missing: build it with `cargo build --release` in the folder fleet of the source, and \
             put it beside etw or into a folder of PATH"
        )
    })?;
    let failed = |error: std::io::Error| {
        format!("cannot start {}: {}", program.display(), crate::input::reason(&error))
    };
    let status = Command::new(&program).args(words).status().map_err(failed)?;
    match status.code() {
        Some(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(1))),
        None => Err(format!("{NAME} was ended by a signal")),
    }
}

/// The program beside this one, else in a folder of PATH.
fn find() -> Option<PathBuf> {
    let name = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(|program| program.parent()).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    // An empty entry of PATH is the working folder, from which nothing is started.
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    beside.into_iter().chain(folders).map(|folder| folder.join(&name)).find(|place| place.is_file())
}
