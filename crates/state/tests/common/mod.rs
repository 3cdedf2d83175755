//! Where the real traces are.

use std::path::{Path, PathBuf};

/// The folder of real traces: `TRACEWELL_ETL`, else `shared/etl` beside an ancestor of the workspace.
/// Says so loudly when there is none.
pub(crate) fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("TRACEWELL_ETL").map(PathBuf::from);
    let found = named
        .into_iter()
        .chain(Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/etl")));
    let folder = found.into_iter().find(|folder| folder.join("CENSUS.json").is_file());
    if folder.is_none() {
        eprintln!("SKIPPED: no real traces; set TRACEWELL_ETL to their folder");
    }
    folder
}

/// Every `.etl` file of the corpus that Windows wrote, by path inside the folder.
#[allow(dead_code, reason = "not every test walks the whole corpus")]
pub(crate) fn traces(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("derived") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "etl") {
                files.push(path);
            }
        }
    }
    files.sort();
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}
