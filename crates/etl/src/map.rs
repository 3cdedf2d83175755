//! Memory maps of trace files: the one place with `unsafe`.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// A file mapped read-only into memory; dereferences to its bytes, ready for [`Trace::open`](crate::Trace::open).
///
/// Only map files that nobody is writing to. If another process changes the file in place the bytes may change under
/// the reader, and if it shortens the file the operating system ends this process when a lost page is touched. For files
/// that are still being written use [`StreamReader`](crate::read::StreamReader).
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
        // SAFETY: the one condition of a map is that the file does not change while it lives, which no program can enforce
        // on every system; the documentation of the type passes it on. We do our part: the map is read-only and
        // private (nothing is ever written through it), lives as long as every slice of it, and its bytes are treated
        // as hostile anyway, so a change that does happen is read as damage.
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::MmapOptions::new().map_copy_read_only(&file)? };
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
