//! A folder for the files of one test.

use std::ffi::OsStr;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A new, empty folder for one test, removed when it is dropped.
///
/// No two of them are the same, even if the same test runs twice at once.
///
/// ```
/// let folder = tracewell_corpus::Scratch::new("example");
/// let path = folder.write("trace.etl", b"bytes");
/// assert!(path.starts_with(&folder));
/// ```
#[derive(Debug)]
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// Creates a folder whose name begins with `tracewell-NAME-`, where temporary files go.
    ///
    /// # Panics
    ///
    /// If it cannot be created.
    #[must_use]
    pub fn new(name: &str) -> Scratch {
        let folder = tempfile::Builder::new().prefix(&format!("tracewell-{name}-")).tempdir();
        Scratch(folder.unwrap_or_else(|error| panic!("a folder for {name}: {error}")))
    }

    /// Writes a file into the folder and returns its path.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.join(name);
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }
}

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<Path> for Scratch {
    fn as_ref(&self) -> &Path {
        self.0.path()
    }
}

impl AsRef<OsStr> for Scratch {
    fn as_ref(&self) -> &OsStr {
        self.0.path().as_os_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_23_two_folders_of_one_name_differ_and_go() {
        let (one, two) = (Scratch::new("same"), Scratch::new("same"));
        assert_ne!(one.to_owned(), two.to_owned());
        let kept = one.write("file", b"1");
        assert!(kept.is_file() && !two.join("file").exists());
        drop(one);
        assert!(!kept.exists());
    }
}
