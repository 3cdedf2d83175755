//! Opens files with symbols. A trace says where they were, and other users may have put something else there since.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens an ordinary file. What else may be there is not opened: a pipe would wait for its writer, and a device may act.
#[cfg(target_os = "linux")]
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;

    // Names the file without opening it, so that what is looked at is what is opened.
    let flags = rustix::fs::OFlags::PATH.bits().cast_signed();
    let place = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if !place.metadata()?.is_file() {
        return Ok(None);
    }
    File::open(format!("/proc/self/fd/{}", place.as_raw_fd())).map(Some)
}

/// Opens an ordinary file. A pipe is not waited for.
#[cfg(not(target_os = "linux"))]
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    Ok(file.metadata()?.is_file().then_some(file))
}

/// All of an ordinary file of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)?.filter(|file| file.metadata().is_ok_and(|facts| facts.len() <= most)) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::{DatabaseError, ElfCode, ElfImage, PeImage, ProgramDatabase};

    /// A pipe in the place of a file with symbols.
    #[test]
    fn issue_14_a_pipe_is_not_waited_for() {
        let folder = tracewell_corpus::Scratch::new("symbols-pipe");
        let pipe = folder.join("pipe.dll");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let kind = |error: Option<DatabaseError>| matches!(error, Some(DatabaseError::Kind(_)));
        assert!(kind(PeImage::open(&pipe).err()));
        assert!(kind(ElfImage::open(&pipe).err()));
        assert!(kind(ProgramDatabase::open(&pipe).err()));
        assert!(kind(ElfCode::open(&pipe, Path::new("/")).err()));
        let long = folder.write("long", &[0; 9]);
        assert_eq!(read(&long, 9).unwrap(), Some(vec![0; 9]));
        assert_eq!(read(&long, 8).unwrap(), None);
    }
}
