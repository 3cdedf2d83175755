//! Files that are written through links: only through those of the caller and the superuser. In a folder that several users can
//! write, a link leads where its owner wants.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Links that lead to links: no more than the system follows.
#[cfg(target_os = "linux")]
const MOST_LINKS: u32 = 40;

/// The path that the links at the end of a path lead to. The owner of each and where it leads are read from the same link, so
/// that none can take its place in between.
///
/// # Errors
/// A link is one of another user, or there are too many.
#[cfg(target_os = "linux")]
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    Ok(end(path)?.0)
}

/// The end of these links, and whether it is itself a link: one of the kernel's to an open file (`/proc/self/fd/1`), whose text
/// need not be a path.
#[cfg(target_os = "linux")]
fn end(path: &Path) -> io::Result<(PathBuf, bool)> {
    use std::os::unix::ffi::OsStringExt;

    use rustix::fs::{CWD, FileType, Mode, OFlags, PROC_SUPER_MAGIC, fstat, fstatfs, openat, readlinkat};

    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let end = match openat(CWD, &path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
            // What is not there yet, or cannot be reached, is no link.
            Err(_) => return Ok((path, false)),
            Ok(end) => end,
        };
        let facts = fstat(&end)?;
        if FileType::from_raw_mode(facts.st_mode) != FileType::Symlink {
            return Ok((path, false));
        }
        let user = facts.st_uid;
        if user != 0 && user != rustix::process::geteuid().as_raw() {
            let refusal = format!("it is a link of user {user}, which is not followed: remove it");
            return Err(io::Error::other(refusal));
        }
        if fstatfs(&end)?.f_type == PROC_SUPER_MAGIC {
            return Ok((path, true));
        }
        let target = std::ffi::OsString::from_vec(readlinkat(&end, "", Vec::new())?.into_bytes());
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(rustix::io::Errno::LOOP.into())
}

/// The path that the links at the end of a path lead to. Other systems' links are not looked at.
///
/// # Errors
/// None here.
#[cfg(not(target_os = "linux"))]
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    Ok(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

/// Opens a file for writing, but not through a link of another user.
///
/// # Errors
/// As opening a file; also if the path ends in such a link, or in one that appears meanwhile.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        let (path, link) = end(path)?;
        let flags = if link { rustix::fs::OFlags::empty() } else { rustix::fs::OFlags::NOFOLLOW };
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
        options.open(path)
    }
    #[cfg(not(target_os = "linux"))]
    options.open(followed(path)?)
}

/// Writes a file, in place of what is there. A new file that cannot be completed is removed.
///
/// # Errors
/// As [`open`], or the file cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    write_with(path, OpenOptions::new().create(true).truncate(true), bytes)
}

/// Writes a file that is not there yet, or in place of what is there with `force`, or to a pipe or device.
///
/// # Errors
/// As [`write()`]; also if there is a file and it is not to be replaced.
pub fn write_new(path: &Path, force: bool, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    match force || !holds_a_file(path) && path.exists() {
        true => write(path, bytes),
        false => write_with(path, OpenOptions::new().create_new(true), bytes),
    }
}

/// The line that refuses to replace a file.
#[must_use]
pub fn taken(path: &Path) -> String {
    format!("{} exists: give another name, or --force to replace it", path.display())
}

/// Returns `true` if there is a file, a folder or a link at this place, but no pipe and no device.
#[must_use]
pub fn holds_a_file(path: &Path) -> bool {
    let special = path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file());
    !special && path.symlink_metadata().is_ok()
}

/// Writes a file, with options that say what may be there.
///
/// # Errors
/// As [`write()`].
fn write_with(path: &Path, options: &mut OpenOptions, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let is_new = path.symlink_metadata().is_err();
    let written = open(path, options.write(true))?.write_all(bytes.as_ref());
    if written.is_err() && is_new {
        // A part of an answer would look like the answer.
        let _ = std::fs::remove_file(path);
    }
    written
}
