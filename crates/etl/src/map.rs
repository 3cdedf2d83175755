//! Memory maps of trace files.

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

    /// Gives the memory of the pages read so far back to the system; what is touched again is read again.
    ///
    /// Without this, the pages of a large file that was read once count as this process's memory for as long as
    /// the system has no better use for them. A no-op where the system offers no such advice.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.map {
            // SAFETY: the advice drops the pages of the map. The map is private and was never written through, so a page
            // that is touched again comes from the file, with the bytes it had: borrowed slices stay what they were,
            // under the condition that the file does not change, which opening the map already has.
            #[allow(unsafe_code)]
            let dropped =
                unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, 0, map.len()) };
            // Advice the system declines leaves everything as it was.
            drop(dropped);
        }
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
        let map = Mapping::open(&path).unwrap();
        assert_eq!(&*map, b"some bytes");
        map.release();
        assert_eq!(&*map, b"some bytes");
        drop(map);
        std::fs::write(&path, b"").unwrap();
        assert_eq!(&*Mapping::open(&path).unwrap(), b"");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Mapping::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
