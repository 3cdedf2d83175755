//! Files that are written through links: only through those of the caller and the superuser. In a folder that several users can
//! write, a link leads where its owner wants.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The owner of a link, if that is neither the caller nor the superuser.
#[cfg(unix)]
pub fn stranger(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let owner = path.symlink_metadata().ok().filter(std::fs::Metadata::is_symlink)?.uid();
    (owner != 0 && owner != rustix::process::geteuid().as_raw()).then_some(owner)
}

/// The owner of a link; other systems have no links of other users in shared folders.
#[cfg(not(unix))]
pub fn stranger(_: &Path) -> Option<u32> {
    None
}

/// Why a link of another user is not followed.
#[must_use]
pub fn refusal(user: u32) -> String {
    format!("it is a link of user {user}, which is not followed: remove it")
}

/// Opens a file for writing, but not through a link of another user.
///
/// # Errors
/// As opening a file; also if the path is such a link.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flag = |flags: rustix::fs::OFlags| flags.bits().cast_signed();
        // The link is looked at only after this found one, so that none can appear in between.
        match options.custom_flags(flag(rustix::fs::OFlags::NOFOLLOW)).open(path) {
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                if let Some(user) = stranger(path) {
                    return Err(io::Error::other(refusal(user)));
                }
                options.custom_flags(0);
            }
            opened => return opened,
        }
    }
    options.open(path)
}

/// Writes a file, in place of what is there. A new file that cannot be completed is removed.
///
/// # Errors
/// As [`open`], or the file cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    write_with(path, OpenOptions::new().create(true).truncate(true), bytes)
}

/// The same with options that say what may be there.
///
/// # Errors
/// As [`write()`].
pub fn write_with(path: &Path, options: &mut OpenOptions, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let is_new = path.symlink_metadata().is_err();
    let written = open(path, options.write(true))?.write_all(bytes.as_ref());
    if written.is_err() && is_new {
        // A part of an answer would look like the answer.
        let _ = std::fs::remove_file(path);
    }
    written
}
