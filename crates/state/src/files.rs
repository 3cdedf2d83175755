//! Names of files, by the key that other events use for them.

use crate::names::NameId;
use crate::spans::Sighted;

/// The name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    /// The key: what FileIo name events call `FileObject`, and disk and file events `FileObject` or
    /// `FileKey`.
    pub key: u64,
    /// The NT path.
    pub path: NameId,
}

impl Sighted for FileName {
    fn is_same(&self, other: &FileName) -> bool {
        self.path == other.path
    }

    fn absorb(&mut self, _: FileName) {}
}
