//! Errors.

use std::fmt;
use std::path::{Path, PathBuf};

/// A file or folder, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    path: PathBuf,
    cause: String,
}

impl Error {
    pub(crate) fn new(path: &Path, cause: impl fmt::Display) -> Error {
        Error { path: path.to_owned(), cause: cause.to_string() }
    }

    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for Error {}
