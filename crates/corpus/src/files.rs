//! Files that tests write: expectations, and traces that several tests share.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The environment variable that makes tests rewrite their expectations.
pub const BLESS: &str = "TRACEWELL_BLESS";

/// Returns `true` if tests must rewrite their expectations from what the product does: only where [`BLESS`] is `1`.
#[must_use]
pub fn bless() -> bool {
    std::env::var_os(BLESS).is_some_and(|value| value == "1")
}

/// Compares what a test found with an expectation file, or rewrites the file where [`bless`] says so.
///
/// # Errors
///
/// Both texts, if they differ; or why the file cannot be read: a missing expectation is a failure, not an empty text.
///
/// ```
/// let folder = tracewell_corpus::Scratch::new("golden");
/// let path = folder.write("answer.out", b"42\n");
/// assert_eq!(tracewell_corpus::golden(&path, "42\n"), Ok(()));
/// assert!(tracewell_corpus::golden(&folder.join("missing.out"), "").is_err());
/// ```
pub fn golden(path: &Path, found: &str) -> Result<(), String> {
    if bless() {
        return std::fs::write(path, found).map_err(|error| format!("{}: {error}", path.display()));
    }
    match std::fs::read_to_string(path) {
        Ok(expected) if expected == found => Ok(()),
        Ok(expected) => Err(format!("{}:\n--- expected\n{expected}--- found\n{found}", path.display())),
        Err(error) => Err(format!("{}: {error} ({BLESS}=1 writes it)", path.display())),
    }
}

/// Writes a file of a folder that tests share, and returns its path.
///
/// The file appears whole: a test in another process that writes the same bytes at the same time disturbs none of its
/// readers. The bytes must follow from the name.
///
/// # Panics
///
/// If it cannot be written.
pub fn shared(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    });
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    fn issue_23_a_missing_expectation_is_not_an_empty_text() {
        let folder = Scratch::new("golden");
        assert!(golden(&folder.join("none"), "").is_err());
        let path = folder.write("some", b"one\n");
        let error = golden(&path, "two\n").unwrap_err();
        assert!(error.contains("--- expected\none\n--- found\ntwo\n"), "{error}");
    }

    #[test]
    fn issue_23_a_shared_file_is_whole_while_it_is_written_again() {
        let folder = Scratch::new("shared");
        let bytes = vec![7; 1 << 20];
        let path = shared(&folder, "file", &bytes);
        let writers: Vec<_> = (0..4)
            .map(|_| {
                let (folder, bytes) = (folder.to_owned(), bytes.clone());
                std::thread::spawn(move || (0..8).for_each(|_| drop(shared(&folder, "file", &bytes))))
            })
            .collect();
        while writers.iter().any(|writer| !writer.is_finished()) {
            assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len());
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 1);
    }
}
