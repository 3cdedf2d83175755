//! Opening traces: files, archives of files, appended sessions, and what lies beside a file.

mod cabinet;
mod file;
mod packed;

use std::path::{Path, PathBuf};

pub use file::{InputError, TraceFile, guess, reason, without_numbers};
pub use packed::{Limit, Meter, received};

/// The traces of a file: the file itself, or all traces in an archive; of each all sessions that have separate clocks.
pub fn traces(path: &Path, meter: &dyn Meter) -> Vec<Result<TraceFile, InputError>> {
    let sessions = |file: Result<TraceFile, InputError>| match file {
        Ok(file) => file.sessions().into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    packed::traces(path, meter).into_iter().flat_map(sessions).collect()
}

/// The trace of a file with all its sessions: itself, or the only one in an archive.
///
/// # Errors
/// It cannot be opened, or there are several.
pub fn only_trace(path: &Path, meter: &dyn Meter) -> Result<TraceFile, InputError> {
    let mut found = packed::traces(path, meter);
    match found.pop() {
        Some(file) if found.is_empty() => file,
        _ => Err(InputError::Several(path.to_owned(), found.len() + 1)),
    }
}

/// The traces that belong to those given: PerfView records `X.etl` with
/// `X.kernel.etl` and `X.clrRundown.etl` beside it until it merges them. Only those that are there, and not given already.
#[must_use]
pub fn side_files(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in given {
        let is_etl = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("etl"));
        for side in ["kernel.etl", "clrRundown.etl"].iter().filter(|_| is_etl) {
            let beside = path.with_extension(side);
            if beside.is_file() && !given.contains(&beside) && !found.contains(&beside) {
                found.push(beside);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_perfview_records_beside_a_trace_belongs_to_it() {
        let folder = std::env::temp_dir().join(format!("tracewell-side-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = |name: &str| folder.join(name);
        for name in ["a.etl", "a.kernel.etl", "a.clrRundown.etl", "b.etl", "c.txt", "c.kernel.etl"] {
            std::fs::write(file(name), b"").expect("a file can be made");
        }
        let side = |names: &[&str]| side_files(&names.iter().map(|name| file(name)).collect::<Vec<_>>());
        assert_eq!(side(&["a.etl", "b.etl", "c.txt"]), [file("a.kernel.etl"), file("a.clrRundown.etl")]);
        assert_eq!(side(&["a.etl", "a.kernel.etl"]), [file("a.clrRundown.etl")]);
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
}
