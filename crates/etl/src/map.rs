//! Memory maps of trace files: the one place with `unsafe`.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A file mapped read-only into memory; dereferences to its bytes, ready for [`Trace::open`](crate::Trace::open).
///
/// The pages are private to this process. If another process shortens the file while it is mapped, the operating
/// system ends this process when a lost page is touched; use [`StreamReader`](crate::read::StreamReader) for files
/// that are still being written.
#[derive(Debug)]
pub struct Mapping {
    /// `None` for an empty file, which cannot be mapped.
    map: Option<memmap2::Mmap>,
}

impl Mapping {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or mapped (a pipe, for one).
    pub fn open(path: impl AsRef<Path>) -> io::Result<Mapping> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapping { map: None });
        }
        // SAFETY: the map is read-only and private, and is handed out as `&[u8]` for no longer than it lives. What the
        // compiler takes from a shared slice, that nobody changes the bytes, holds as long as nobody writes to the file
        // in place; the reader copies every value out before it checks and uses it, so a change shows as
        // damage and never as a broken invariant of this crate.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Mapping { map: Some(map) })
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.map.as_deref().unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_mapped_and_absent_ones_are_an_error() {
        let path = std::env::temp_dir().join(format!("tracewell-map-{}", std::process::id()));
        std::fs::write(&path, b"some bytes").unwrap();
        assert_eq!(&*Mapping::open(&path).unwrap(), b"some bytes");
        std::fs::write(&path, b"").unwrap();
        assert_eq!(&*Mapping::open(&path).unwrap(), b"");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Mapping::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
