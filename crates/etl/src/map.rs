//! Trace files in memory: mapped, or read when they are small.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// A file in memory, read-only; dereferences to its bytes, ready for [`Trace::open`](crate::Trace::open).
///
/// Files above [`Mapping::READ`] bytes are mapped. Only map files that nobody is writing to. If another process changes the
/// file in place the bytes may change under the reader, and if it shortens the file the operating system ends this process when
/// a lost page is touched. For files that are still being written use [`StreamReader`](crate::read::StreamReader).
#[derive(Debug)]
pub struct Mapping {
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl Mapping {
    /// Files up to this size, in bytes, are read: copying so few costs less than the faults of a map and its end.
    pub const READ: u64 = 512 << 10;

    /// Maps a file, or reads a small one.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, mapped (a pipe, for one) or read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Mapping> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() && metadata.len() <= Mapping::READ {
            let mut bytes = Vec::with_capacity(metadata.len() as usize);
            file.read_to_end(&mut bytes)?;
            return Ok(Mapping { bytes: Bytes::Read(bytes) });
        }
        let mut options = memmap2::MmapOptions::new();
        if metadata.is_file()
            && let Ok(len) = usize::try_from(metadata.len())
        {
            // So that the system need not be asked again.
            options.len(len);
        }
        // SAFETY: the one condition of a map is that the file does not change while it lives, which no program can enforce
        // on every system; the documentation of the type passes it on. We do our part: the map is read-only and
        // private (nothing is ever written through it), lives as long as every slice of it, and its bytes are treated
        // as hostile anyway, so a change that does happen is read as damage.
        #[allow(unsafe_code)]
        let map = unsafe { options.map_copy_read_only(&file)? };
        Ok(Mapping { bytes: Bytes::Mapped(map) })
    }

    /// Gives the memory of the pages read so far back to the system; what is touched again is read again.
    ///
    /// Without this, the pages of a large file that was read once count as this process's memory for as long as
    /// the system has no better use for them. A no-op where the system offers no such advice, and for files that are not
    /// mapped.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Bytes::Mapped(map) = &self.bytes {
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
        match &self.bytes {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_memory_and_absent_ones_are_an_error() {
        let path = std::env::temp_dir().join(format!("tracewell-map-{}", std::process::id()));
        for size in [0, 10, Mapping::READ as usize, Mapping::READ as usize + 1] {
            let bytes: Vec<u8> = (0..size).map(|at| (at % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            let map = Mapping::open(&path).unwrap();
            assert!(*map == *bytes, "{size} bytes");
            map.release();
            assert!(*map == *bytes, "{size} bytes after they were released");
            assert_eq!(matches!(map.bytes, Bytes::Mapped(_)), size > Mapping::READ as usize);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Mapping::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
