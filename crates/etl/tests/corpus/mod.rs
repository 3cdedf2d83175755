//! Finds the folder of real traces, which is not part of the repository.

use std::path::{Path, PathBuf};

/// The folder that holds `CENSUS.json`: `TRACEWELL_ETL`, else `shared/etl` beside or above the workspace.
///
/// `None`, with a loud note, when there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("TRACEWELL_ETL").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|dir| dir.join("shared/etl"));
    let found = given.into_iter().chain(above).find(|dir| dir.join("CENSUS.json").is_file());
    if found.is_none() {
        eprintln!("SKIPPED: no real traces here (set TRACEWELL_ETL to the folder with CENSUS.json)");
    }
    found
}

/// The files of the census with what is known of each.
pub(crate) fn census(folder: &Path) -> serde_json::Map<String, serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("CENSUS.json")).expect("census is readable");
    serde_json::from_str(&text).expect("census is an object")
}
