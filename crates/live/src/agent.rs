//! The library that runs in processes for the provider `fpid`.

use std::path::PathBuf;

/// The file's name.
const LIBRARY: &str = "libtracewell_fpid.so";

/// Finds the library: beside this program, or where packages put it.
///
/// # Errors
/// The line for the user.
pub(crate) fn library() -> Result<PathBuf, String> {
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let beside = program.ok().and_then(|program| program.parent().map(PathBuf::from)).unwrap_or_default();
    let places = [beside.clone(), beside.join("../lib/tracewell")];
    let found = places.iter().map(|folder| folder.join(LIBRARY)).find(|path| path.is_file());
    let path = found.ok_or_else(|| {
        format!(
            "fpid needs {LIBRARY} beside dtrace, or in {}: cargo build -p tracewell-fpid-agent builds it",
            places[1].display()
        )
    })?;
    let path = std::fs::canonicalize(&path).unwrap_or(path);
    // The loader separates libraries by these.
    if path.to_string_lossy().contains([':', ' ']) {
        return Err(format!(
            "{}: the loader takes no library whose path contains a colon or a blank: use pid",
            path.display()
        ));
    }
    Ok(path)
}
