//! Opens the files that a session writes, so that other users cannot redirect them.
//!
//! A daemon of root writes to folders of users, and any daemon to folders that several users share. A user who can write
//! there can replace a folder or a file by a link, or by another file. So folders are opened component by component,
//! links of other users are not followed, files are opened relative to the handle of their folder, never through a link,
//! and an existing file must be an ordinary file of the session's user.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use tracewell_types::FileTime;

use crate::error::{Code, Error};

/// Links that are followed on the way to a folder, as many as the kernel follows.
const MOST_LINKS: u32 = 40;

/// The folder of a session's files.
#[derive(Debug)]
pub(crate) struct Folder {
    handle: OwnedFd,
    path: PathBuf,
    /// The user of the session.
    user: u32,
}

fn daemon() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn failed(path: &Path, error: Errno) -> Error {
    Error::io(&error.into(), &format!("cannot open the log file {}", path.display()))
}

fn denied(detail: String) -> Error {
    Error::new(Code::ACCESS_DENIED, detail)
}

/// Whether a user other than the daemon's has some rights to what they do not own through a group: these bits, for the owner
/// or for everybody.
fn permits(facts: &Stat, user: u32, bits: u32) -> bool {
    let granted = if facts.st_uid == user { facts.st_mode >> 6 } else { facts.st_mode };
    user == daemon() || user == 0 || granted & bits == bits
}

/// A path with a text at the end of its name, before the extension.
pub(crate) fn with_suffix(path: &str, suffix: &str) -> String {
    let extension =
        Path::new(path).extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    let stem = path.strip_suffix(&extension).unwrap_or(path);
    format!("{stem}{suffix}{extension}")
}

/// The path of a new file, which does not replace one that was written since a time: of that name, or with a number.
pub(crate) fn unused(path: &str, since: FileTime) -> String {
    let is_new = |path: &str| {
        let facts = std::fs::symlink_metadata(path.replacen("%d", "1", 1));
        let modified = facts.and_then(|facts| facts.modified()).ok();
        let modified = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        modified.is_some_and(|time| time.as_nanos() as i64 >= since.unix_ns())
    };
    let numbered = (2..=1000).map(|number| with_suffix(path, &format!("_{number}")));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !is_new(path))
        .unwrap_or_else(|| path.to_owned())
}

impl Folder {
    /// Opens a folder for the files of a user's session.
    ///
    /// # Errors
    ///
    /// 3 when there is none; 5 when a link of another user leads there, or the user may not go there.
    pub(crate) fn open(path: &Path, user: u32) -> Result<Folder, Error> {
        let io = |error: Errno| failed(path, error);
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let root = || rustix::fs::open("/", flags | OFlags::DIRECTORY, Mode::empty()).map_err(io);
        let words = |path: &Path| -> Vec<OsString> {
            let word = |component: Component<'_>| match component {
                Component::Normal(_) | Component::ParentDir => Some(component.as_os_str().to_owned()),
                _ => None,
            };
            path.components().filter_map(word).collect()
        };
        let mut rest: VecDeque<OsString> = words(path).into();
        let mut handle = root()?;
        let mut links = 0;
        while let Some(word) = rest.pop_front() {
            let next = rustix::fs::openat(&handle, &word, flags, Mode::empty()).map_err(io)?;
            let facts = rustix::fs::fstat(&next).map_err(io)?;
            match FileType::from_raw_mode(facts.st_mode) {
                FileType::Symlink => {
                    links += 1;
                    if ![0, daemon(), user].contains(&facts.st_uid) {
                        return Err(denied(format!(
                            "{}: {} on the way there is a link of user {}, which a session of user {user} does not follow",
                            path.display(),
                            word.display(),
                            facts.st_uid
                        )));
                    }
                    if links > MOST_LINKS {
                        return Err(io(Errno::LOOP));
                    }
                    let target = rustix::fs::readlinkat(&next, "", Vec::new()).map_err(io)?;
                    let target = Path::new(OsStr::from_bytes(target.as_bytes()));
                    if target.is_absolute() {
                        handle = root()?;
                    }
                    words(target).into_iter().rev().for_each(|word| rest.push_front(word));
                }
                FileType::Directory if permits(&facts, user, 0o1) => handle = next,
                FileType::Directory => {
                    return Err(denied(format!("user {user} may not look into {}", path.display())));
                }
                _ => return Err(io(Errno::NOTDIR)),
            }
        }
        Ok(Folder { handle, path: path.to_owned(), user })
    }

    /// The folder that was opened.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the folder was not removed.
    pub(crate) fn is_there(&self) -> bool {
        rustix::fs::fstat(&self.handle).is_ok_and(|facts| facts.st_nlink > 0)
    }

    /// Makes a file, which belongs to the user of the session; `None` if there is something of that name.
    pub(crate) fn create(&self, name: &OsStr) -> Result<Option<File>, Error> {
        let path = self.path.join(name);
        let io = |error: Errno| failed(&path, error);
        if self.user != daemon() {
            let facts = rustix::fs::fstat(&self.handle).map_err(io)?;
            if !permits(&facts, self.user, 0o3) {
                return Err(denied(format!(
                    "user {} may not make files in {}",
                    self.user,
                    self.path.display()
                )));
            }
        }
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(&self.handle, name, flags, Mode::from_raw_mode(0o640)) {
            Ok(file) => file,
            Err(Errno::EXIST) => return Ok(None),
            Err(error) => return Err(io(error)),
        };
        if self.user != daemon() {
            let user = rustix::process::Uid::from_raw(self.user);
            rustix::fs::fchown(&file, Some(user), None).map_err(|error| {
                self.remove(name);
                io(error)
            })?;
        }
        Ok(Some(file.into()))
    }

    /// Opens a file that is there: an ordinary one, of the user of the session or of the daemon, by its only name.
    pub(crate) fn existing(&self, name: &OsStr) -> Result<File, Error> {
        let path = self.path.join(name);
        let shown = path.display();
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // A device or pipe may do something when it is opened: this looks first. What is opened is looked at again.
        let plain = |facts: &Stat| FileType::from_raw_mode(facts.st_mode) == FileType::RegularFile;
        let named = rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|error| failed(&path, error))?;
        if FileType::from_raw_mode(named.st_mode) == FileType::Symlink {
            let detail = format!("{shown} is a symbolic link: sessions follow none; remove it");
            return Err(Error::new(Code::BAD_PATHNAME, detail));
        }
        let ordinary = || Error::new(Code::BAD_PATHNAME, format!("{shown} is no ordinary file"));
        if !plain(&named) {
            return Err(ordinary());
        }
        let file = rustix::fs::openat(&self.handle, name, flags, Mode::empty())
            .map_err(|error| failed(&path, error))?;
        let facts = rustix::fs::fstat(&file).map_err(|error| failed(&path, error))?;
        if !plain(&facts) {
            return Err(ordinary());
        }
        if facts.st_uid != self.user && (facts.st_uid != daemon() || self.user != 0) {
            return Err(denied(format!(
                "{shown} belongs to user {} and not to user {}, whose session it is: remove it",
                facts.st_uid, self.user
            )));
        }
        if facts.st_nlink > 1 {
            return Err(denied(format!("{shown} has {} names (hard links): remove it", facts.st_nlink)));
        }
        Ok(file.into())
    }

    /// Removes a file that was made here.
    pub(crate) fn remove(&self, name: &OsStr) {
        let _ = rustix::fs::unlinkat(&self.handle, name, AtFlags::empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{chown, symlink};

    #[test]
    fn issue_14_files_are_opened_without_following_links() {
        let place = std::env::temp_dir().join(format!("tracewell-files-{}", std::process::id()));
        let inner = place.join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        let place = place.canonicalize().unwrap();
        let me = daemon();
        // Links of one's own on the way are followed, also relative ones, and `..`.
        symlink("../a", place.join("a/self")).unwrap();
        symlink(place.join("a"), place.join("whole")).unwrap();
        for way in ["a/b", "a/self/b", "whole/self/self/b", "a/b/../b"] {
            let folder = Folder::open(&place.join(way), me).unwrap();
            assert!(folder.create(OsStr::new("x.etl")).unwrap().is_some(), "{way}");
            assert!(folder.create(OsStr::new("x.etl")).unwrap().is_none(), "{way}");
            assert!(inner.join("x.etl").exists());
            folder.remove(OsStr::new("x.etl"));
        }
        symlink("loop", place.join("loop")).unwrap();
        assert!(Folder::open(&place.join("loop/x"), me).is_err());
        assert_eq!(Folder::open(&place.join("none"), me).unwrap_err().code, Code::PATH_NOT_FOUND);
        let folder = Folder::open(&inner, me).unwrap();
        std::fs::write(inner.join("target"), "precious").unwrap();
        symlink("target", inner.join("link")).unwrap();
        std::fs::hard_link(inner.join("target"), inner.join("hard")).unwrap();
        for (name, word) in [("link", "symbolic link"), ("hard", "hard links"), ("target", "hard links")] {
            let error = folder.existing(OsStr::new(name)).unwrap_err();
            assert!(error.detail.contains(word), "{error}");
            assert!(folder.create(OsStr::new(name)).unwrap().is_none());
        }
        assert!(folder.is_there());
        std::fs::create_dir(inner.join("folder")).unwrap();
        let gone = Folder::open(&inner.join("folder"), me).unwrap();
        std::fs::remove_dir(inner.join("folder")).unwrap();
        assert!(!gone.is_there() && folder.is_there());
        std::fs::create_dir(inner.join("folder")).unwrap();
        let error = folder.existing(OsStr::new("folder")).unwrap_err();
        assert_eq!(error.code, Code::BAD_PATHNAME);
        if me == 0 {
            let theirs = inner.join("theirs");
            std::fs::write(&theirs, "").unwrap();
            chown(&theirs, Some(54321), None).unwrap();
            assert_eq!(folder.existing(OsStr::new("theirs")).unwrap_err().code, Code::ACCESS_DENIED);
            std::os::unix::fs::lchown(place.join("whole"), Some(54321), None).unwrap();
            let error = Folder::open(&place.join("whole/b"), me).unwrap_err();
            assert!(error.detail.contains("link of user 54321"), "{error}");
            // A session of another user has that user's rights.
            let of_other = Folder::open(&inner, 54321);
            let refused = of_other.and_then(|folder| folder.create(OsStr::new("y.etl"))).unwrap_err();
            assert_eq!(refused.code, Code::ACCESS_DENIED, "{refused}");
        }
        assert_eq!(std::fs::read(inner.join("target")).unwrap(), b"precious");
        std::fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn only_old_files_are_replaced() {
        let folder = tracewell_corpus::Scratch::new("unused-files");
        let (late, plain) = (FileTime(i64::MAX), folder.write("t_7.etl", b"").display().to_string());
        assert_eq!(unused(&plain, FileTime(0)), with_suffix(&plain, "_2"), "a newer one stays");
        assert_eq!(unused(&plain, late), plain, "an old one goes");
        let of_series = with_suffix(&plain, "%d");
        folder.write("t_71.etl", b"");
        assert_eq!(unused(&of_series, FileTime(0)), with_suffix(&plain, "%d_2"), "the first of a series");
    }
}
