//! A folder of the user, opened so that no link of another user is followed. Files are named relative to the open folder.

use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::error::Error;

/// Most bytes of a file in a prefix that is read.
const MOST: u64 = 64 << 20;

/// An open folder of the user.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    folder: OwnedFd,
}

fn cause(errno: Errno) -> String {
    std::io::Error::from(errno).to_string()
}

impl Folder {
    /// Opens a folder of the caller, from the current one. The last part of its path may be a link of the caller or of root.
    ///
    /// # Errors
    /// It is no folder, or another user could change it.
    pub(crate) fn open(path: &Path) -> Result<Folder, Error> {
        Folder::at(CWD.as_fd(), path, path)
    }

    fn at(parent: BorrowedFd<'_>, name: &Path, path: &Path) -> Result<Folder, Error> {
        let error = |cause: String| Error::new(path, cause);
        let own = rustix::process::geteuid().as_raw();
        let look = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let end = fs::openat(parent, name, look, Mode::empty()).map_err(|errno| error(cause(errno)))?;
        let facts = fs::fstat(&end).map_err(|errno| error(cause(errno)))?;
        if FileType::from_raw_mode(facts.st_mode) == FileType::Symlink && ![0, own].contains(&facts.st_uid) {
            return Err(error(format!("it is a link of user {}, which is not followed", facts.st_uid)));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = fs::openat(parent, name, flags, Mode::empty()).map_err(|errno| error(cause(errno)))?;
        let facts = fs::fstat(&folder).map_err(|errno| error(cause(errno)))?;
        if facts.st_uid != own {
            let user = facts.st_uid;
            return Err(error(format!(
                "it belongs to user {user}: only the owner of a prefix can change it"
            )));
        }
        if facts.st_mode & 0o002 != 0 {
            return Err(error("every user can change this folder: remove that right (chmod o-w)".into()));
        }
        Ok(Folder { path: path.to_owned(), folder })
    }

    /// Device and number of the folder, which identify it.
    ///
    /// # Errors
    /// The system does not give them.
    pub(crate) fn identity(&self) -> Result<(u64, u64), Error> {
        let facts = fs::fstat(&self.folder).map_err(|errno| Error::new(&self.path, cause(errno)))?;
        Ok((facts.st_dev, facts.st_ino))
    }

    /// Opens a folder in this one.
    pub(crate) fn folder(&self, name: &str) -> Result<Folder, Error> {
        Folder::at(self.folder.as_fd(), Path::new(name), &self.path.join(name))
    }

    fn error(&self, name: &str, errno: Errno) -> Error {
        Error::new(&self.path.join(name), cause(errno))
    }

    /// Returns `true` if the folder has a file, a link or a folder of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// The bytes of a file; also through a link of the caller or of root, as Proton makes them.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        let own = rustix::process::geteuid().as_raw();
        let link =
            fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| self.error(name, e))?;
        if ![0, own].contains(&link.st_uid) {
            return Err(Error::new(&self.path.join(name), format!("it belongs to user {}", link.st_uid)));
        }
        // A pipe would be waited for.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = fs::openat(&self.folder, name, flags, Mode::empty()).map_err(|e| self.error(name, e))?;
        let facts = fs::fstat(&file).map_err(|e| self.error(name, e))?;
        if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile || facts.st_size as u64 > MOST {
            return Err(Error::new(&self.path.join(name), "it is not an ordinary file, or too long"));
        }
        let mut bytes = Vec::new();
        let read = File::from(file).take(MOST).read_to_end(&mut bytes);
        read.map_err(|error| Error::new(&self.path.join(name), error))?;
        Ok(bytes)
    }

    /// Writes a file in place of the one that is there, which stays whole until the new one is.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let new = format!(".{name}.tracewell-new");
        let _ = fs::unlinkat(&self.folder, &new, AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW)
            .ok()
            .filter(|facts| FileType::from_raw_mode(facts.st_mode) == FileType::RegularFile);
        let mode =
            mode.map_or(Mode::from_raw_mode(0o644), |facts| Mode::from_raw_mode(facts.st_mode & 0o777));
        let file = fs::openat(&self.folder, &new, flags, mode).map_err(|errno| self.error(name, errno))?;
        let mut file = File::from(file);
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        let moved = written.map_err(|error| Error::new(&self.path.join(name), error)).and_then(|()| {
            fs::renameat(&self.folder, &new, &self.folder, name).map_err(|errno| self.error(name, errno))
        });
        if moved.is_err() {
            let _ = fs::unlinkat(&self.folder, &new, AtFlags::empty());
        }
        moved
    }

    /// Moves a file, or a link, to another folder. What was there is replaced.
    pub(crate) fn move_to(&self, name: &str, other: &Folder) -> Result<(), Error> {
        fs::renameat(&self.folder, name, &other.folder, name).map_err(|errno| self.error(name, errno))
    }

    /// Removes a file; one that is not there is none.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Error> {
        match fs::unlinkat(&self.folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(self.error(name, errno)),
        }
    }

    /// Makes a folder, unless it is there, and opens it.
    pub(crate) fn make(&self, name: &str) -> Result<Folder, Error> {
        match fs::mkdirat(&self.folder, name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => self.folder(name),
            Err(errno) => Err(self.error(name, errno)),
        }
    }

    /// Removes an empty folder.
    pub(crate) fn remove_folder(&self, name: &str) -> Result<(), Error> {
        let name = CString::new(name).unwrap_or_default();
        fs::unlinkat(&self.folder, &name, AtFlags::REMOVEDIR)
            .map_err(|errno| self.error(&name.to_string_lossy(), errno))
    }
}
