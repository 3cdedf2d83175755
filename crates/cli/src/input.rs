//! The traces that a command line names. `tracewell::open` opens them; here are standard input, the limits of this run, and
//! what is noted for the end of the command.

use std::path::{Path, PathBuf};

pub use tracewell::open::{InputError, TraceFile, reason, side_files, without_numbers};
use tracewell::open::{only_trace as only, received, traces as all};

use crate::expansion::Expanding;

/// The trace that comes as standard input (`-`).
fn stdin(path: &Path) -> Option<Result<TraceFile, InputError>> {
    (path == Path::new("-")).then(|| received(path, std::io::stdin().lock(), &Expanding::begin()))
}

/// The traces in files, one after the other: a trace file, all traces in an archive, and each appended session that has a
/// different clock.
pub fn traces<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> impl Iterator<Item = Result<TraceFile, InputError>> {
    let of = |path: &'a PathBuf| match stdin(path) {
        Some(Ok(file)) => file.sessions().into_iter().map(Ok).collect(),
        Some(error) => vec![error],
        None => all(path, &Expanding::begin()),
    };
    paths.into_iter().flat_map(of).map(noted)
}

/// The trace of a file with all its sessions: itself, or the only one in an archive.
///
/// # Errors
/// It cannot be opened, or there are several.
pub fn only_trace(path: &Path) -> Result<TraceFile, InputError> {
    noted(stdin(path).unwrap_or_else(|| only(path, &Expanding::begin())))
}

/// A file that becomes shorter while it is read is noted for the end of the command.
fn noted(file: Result<TraceFile, InputError>) -> Result<TraceFile, InputError> {
    file.map(|file| file.when_cut(crate::out::note_cut))
}
