//! Reading parts of a database file: no more than the file holds, whatever its directory says.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

use pdb2::{Source, SourceSlice, SourceView};

/// Anything that can be read at places.
pub(super) trait ReadAt: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadAt for T {}

/// A database file, read a stream at a time.
pub(super) struct Bounded {
    reader: Box<dyn ReadAt>,
    length: u64,
}

impl Bounded {
    pub(super) fn new(mut reader: Box<dyn ReadAt>) -> io::Result<Bounded> {
        let length = reader.seek(SeekFrom::End(0))?;
        Ok(Bounded { reader, length })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

impl fmt::Debug for Bounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounded").field("length", &self.length).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Stream(Vec<u8>);

impl SourceView<'_> for Stream {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<'s> Source<'s> for Bounded {
    fn view(&mut self, slices: &[SourceSlice]) -> io::Result<Box<dyn SourceView<'s> + Send + Sync>> {
        let total: u64 = slices.iter().map(|s| s.size as u64).sum();
        if total > self.length {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a stream is longer than the file"));
        }
        let mut bytes = vec![0; total as usize];
        let mut rest = bytes.as_mut_slice();
        for slice in slices {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(slice.size);
            self.reader.seek(SeekFrom::Start(slice.offset))?;
            self.reader.read_exact(part)?;
            rest = after;
        }
        Ok(Box::new(Stream(bytes)))
    }
}
