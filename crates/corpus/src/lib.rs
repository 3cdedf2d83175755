//! What the tests and benches of every crate share: the real traces, made-up programs, folders for one test, tests that are
//! skipped, and the switch that rewrites expectations.
//!
//! Traces that Windows itself wrote are not part of the repository. Tests look for them here, and return early where they
//! are missing. Every early return is reported by [`skip`], so that a run can list and refuse them.
#![forbid(unsafe_code)]

pub mod elf;
mod files;
mod random;
mod scratch;
mod skip;

use std::path::{Path, PathBuf};

pub use files::{BLESS, bless, golden, shared};
pub use random::Random;
pub use scratch::Scratch;
pub use skip::{SKIPS, has_other_ids, skip};

/// The file whose presence makes a folder that of the real traces: what independent readers found in each.
const CENSUS: &str = "CENSUS.json";

/// The folder in it that holds damaged traces.
const DERIVED: &str = "derived";

/// The folder of real traces: the one that `TRACEWELL_ETL` names, else `shared/etl` beside the workspace or beside a
/// folder above it.
///
/// `None` when there is none, which is reported as a skip.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("TRACEWELL_ETL").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/etl"));
    let found = named.into_iter().chain(above).find(|folder| folder.join(CENSUS).is_file());
    if found.is_none() {
        skip("real-traces", &format!("set TRACEWELL_ETL to the folder that contains {CENSUS}"));
    }
    found
}

/// One real trace by its path inside the folder, such as `perfview/net45-x86-win7.etl`.
///
/// `None` when there is no such file, which is reported as a skip.
#[must_use]
pub fn trace(name: &str) -> Option<PathBuf> {
    let path = folder()?.join(name);
    let found = path.is_file();
    if !found {
        skip("real-traces", &format!("{name} is not among the real traces"));
    }
    found.then_some(path)
}

/// The folder of damaged traces, made of real ones, among the real traces.
///
/// `None` when there is none, which is reported as a skip.
#[must_use]
pub fn derived() -> Option<PathBuf> {
    let derived = folder()?.join(DERIVED);
    let found = derived.is_dir();
    if !found {
        skip("real-traces", "the real traces have no folder of damaged ones");
    }
    found.then_some(derived)
}

/// The census: the known facts about each trace, by its name.
///
/// # Panics
///
/// If it cannot be read, or is not an object.
#[must_use]
pub fn census(folder: &Path) -> serde_json::Map<String, serde_json::Value> {
    let text = std::fs::read(folder.join(CENSUS)).expect("the census can be read");
    serde_json::from_slice(&text).expect("the census is an object")
}

/// All traces at and below a folder, by path; those below a `derived` inside it, which are damaged by intent, are left out.
///
/// # Panics
///
/// If a folder cannot be read.
#[must_use]
pub fn traces(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                if entry.file_name() != DERIVED {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "etl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The name of a trace: its path inside the folder, with forward slashes.
///
/// # Panics
///
/// If the trace is not below the folder.
#[must_use]
pub fn name(folder: &Path, trace: &Path) -> String {
    let inside = trace.strip_prefix(folder).expect("the trace is below the folder");
    inside.to_string_lossy().replace('\\', "/")
}

/// All traces at and below a folder as [`traces`] finds them, each with its name and its bytes, read when it is its turn.
///
/// # Panics
///
/// If a folder or a file cannot be read.
pub fn contents(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> {
    traces(folder).into_iter().map(move |path| {
        let bytes = std::fs::read(&path).expect("the trace can be read");
        (name(folder, &path), bytes)
    })
}
