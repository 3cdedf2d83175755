//! A prefix of Wine: the folder that is drive C: and registry of Windows programs.
//!
//! Each folder is opened by the one before it, and no link of another user is followed; files are named relative to the open folder.

use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

/// Most bytes of a file in a prefix that is read.
const MOST: u64 = 64 << 20;

/// A prefix.
#[derive(Debug)]
pub(super) struct Prefix {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Whether Proton keeps it.
    pub(super) is_proton: bool,
    root: Folder,
    /// `drive_c/windows`.
    pub(super) windows: Folder,
    /// `drive_c/windows/system32`.
    pub(super) system: Folder,
}

/// An open folder of the user.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    folder: OwnedFd,
}

/// An error about a file: its path and the cause.
fn about(path: &Path, cause: impl std::fmt::Display) -> String {
    format!("{}: {cause}", path.display())
}

fn cause(errno: Errno) -> String {
    std::io::Error::from(errno).to_string()
}

impl Prefix {
    /// Opens a prefix.
    ///
    /// # Errors
    /// It is not one, or another user could change it.
    pub(super) fn open(path: &Path) -> Result<Prefix, String> {
        let mut root = Folder::open(CWD.as_fd(), path, path)?;
        let mut path = path.to_owned();
        // Steam's folder for a game has the prefix in it.
        let is_proton = root.has("pfx");
        if is_proton {
            path.push("pfx");
            root = root.folder("pfx")?;
        }
        if !root.has("system.reg") {
            let hint = "no prefix of Wine: it has no system.reg; `wineboot` makes one";
            return Err(about(&path, hint));
        }
        let windows = root.folder("drive_c")?.folder("windows")?;
        let system = windows.folder("system32")?;
        Ok(Prefix { path, is_proton, root, windows, system })
    }

    /// The registry of the user.
    pub(super) fn registry(&self) -> Result<String, String> {
        let bytes = self.root.read(REGISTRY)?;
        String::from_utf8(bytes).map_err(|_| about(&self.path.join(REGISTRY), "it is not text in UTF-8"))
    }

    /// Replaces the registry of the user.
    pub(super) fn set_registry(&self, text: &str) -> Result<(), String> {
        self.root.replace(REGISTRY, text.as_bytes())
    }

    /// Fails if programs of Wine run in the prefix: at its end Wine writes the registry as it knows it.
    pub(super) fn expect_idle(&self) -> Result<(), String> {
        let facts = fs::fstat(&self.root.folder).map_err(|error| about(&self.path, cause(error)))?;
        // Wine's server works in a folder that is called after the prefix; where that is differs between distributions.
        let name = format!("server-{:x}-{:x}", facts.st_dev, facts.st_ino);
        let processes = std::fs::read_dir("/proc").map_err(|error| about(Path::new("/proc"), error))?;
        let works_there = |entry: std::fs::DirEntry| {
            let folder = std::fs::read_link(entry.path().join("cwd"));
            folder.is_ok_and(|folder| folder.file_name().is_some_and(|folder| folder == &*name))
        };
        if processes.filter_map(Result::ok).any(works_there) {
            let prefix = self.path.display();
            let hint = format!(
                "programs of Wine run in this prefix: end them first (WINEPREFIX={prefix} wineserver -k)"
            );
            return Err(about(&self.path, hint));
        }
        Ok(())
    }
}

const REGISTRY: &str = "user.reg";

impl Folder {
    /// Opens a folder of the caller. The last part of `name` may be a link of the caller or of root.
    fn open(parent: rustix::fd::BorrowedFd<'_>, name: &Path, path: &Path) -> Result<Folder, String> {
        let error = |cause: String| about(path, cause);
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

    pub(super) fn folder(&self, name: &str) -> Result<Folder, String> {
        Folder::open(self.folder.as_fd(), Path::new(name), &self.path.join(name))
    }

    fn error(&self, name: &str, errno: Errno) -> String {
        about(&self.path.join(name), cause(errno))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// The bytes of a file; also through a link of the caller or of root, as Proton makes them.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let own = rustix::process::geteuid().as_raw();
        let link =
            fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|e| self.error(name, e))?;
        if ![0, own].contains(&link.st_uid) {
            return Err(about(&self.path.join(name), format!("it belongs to user {}", link.st_uid)));
        }
        // A pipe would be waited for.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = fs::openat(&self.folder, name, flags, Mode::empty()).map_err(|e| self.error(name, e))?;
        let facts = fs::fstat(&file).map_err(|e| self.error(name, e))?;
        if FileType::from_raw_mode(facts.st_mode) != FileType::RegularFile || facts.st_size as u64 > MOST {
            return Err(about(&self.path.join(name), "it is not an ordinary file, or too long"));
        }
        let mut bytes = Vec::new();
        let read = File::from(file).take(MOST).read_to_end(&mut bytes);
        read.map_err(|error| about(&self.path.join(name), error))?;
        Ok(bytes)
    }

    /// Writes a file in place of the one that is there, which stays whole until the new one is.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
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
        let moved = written.map_err(|error| about(&self.path.join(name), error)).and_then(|()| {
            fs::renameat(&self.folder, &new, &self.folder, name).map_err(|errno| self.error(name, errno))
        });
        if moved.is_err() {
            let _ = fs::unlinkat(&self.folder, &new, AtFlags::empty());
        }
        moved
    }

    /// Moves a file, or a link, to another folder. What was there is replaced.
    pub(super) fn move_to(&self, name: &str, other: &Folder) -> Result<(), String> {
        fs::renameat(&self.folder, name, &other.folder, name).map_err(|errno| self.error(name, errno))
    }

    /// Removes a file; one that is not there is none.
    pub(super) fn remove(&self, name: &str) -> Result<(), String> {
        match fs::unlinkat(&self.folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(self.error(name, errno)),
        }
    }

    /// Makes a folder, unless it is there, and opens it.
    pub(super) fn make(&self, name: &str) -> Result<Folder, String> {
        match fs::mkdirat(&self.folder, name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => self.folder(name),
            Err(errno) => Err(self.error(name, errno)),
        }
    }

    /// Removes an empty folder.
    pub(super) fn remove_folder(&self, name: &str) -> Result<(), String> {
        let name = CString::new(name).unwrap_or_default();
        fs::unlinkat(&self.folder, &name, AtFlags::REMOVEDIR)
            .map_err(|errno| self.error(&name.to_string_lossy(), errno))
    }
}
