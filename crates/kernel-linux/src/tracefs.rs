//! The file system in which the kernel describes its tracepoints.

use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::sys;

/// Where it is mounted by convention.
const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
/// Maximum number of bytes that are read of a format.
const LONGEST: u64 = 1 << 20;
/// Events of this group are records of the kernel's tracers, to which nothing can be attached.
const TRACERS: &str = "ftrace";

/// The file system with the descriptions.
#[derive(Debug)]
pub(crate) struct Tracefs {
    root: PathBuf,
    /// A mount that no path leads to; it ends with the descriptor.
    _mount: Option<OwnedFd>,
}

impl Tracefs {
    /// Finds it where it is mounted, or mounts it for this process alone.
    pub(crate) fn open() -> io::Result<Tracefs> {
        if let Some(place) = PLACES.iter().find(|place| Path::new(place).join("events").is_dir()) {
            return Ok(Tracefs { root: place.into(), _mount: None });
        }
        let mount = sys::mount_unseen(c"tracefs")?;
        let root = format!("/proc/self/fd/{}", mount.as_raw_fd()).into();
        Ok(Tracefs { root, _mount: Some(mount) })
    }

    /// Descriptions in a folder that a test has made.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Tracefs {
        Tracefs { root: root.to_owned(), _mount: None }
    }

    /// Group and name of each tracepoint, in the order of groups and names.
    pub(crate) fn names(&self) -> io::Result<Vec<(String, String)>> {
        let mut all = Vec::new();
        let events = self.root.join("events");
        for group in folders(&events)?.into_iter().filter(|group| group != TRACERS) {
            let names = folders(&events.join(&group)).unwrap_or_default();
            all.extend(names.into_iter().map(|name| (group.clone(), name)));
        }
        all.sort_unstable();
        Ok(all)
    }

    /// The description of a tracepoint.
    pub(crate) fn format(&self, group: &str, name: &str) -> io::Result<String> {
        self.text(group, name, "format")
    }

    /// The number of a tracepoint.
    pub(crate) fn id(&self, group: &str, name: &str) -> Option<u16> {
        self.text(group, name, "id").ok()?.trim().parse().ok()
    }

    fn text(&self, group: &str, name: &str, file: &str) -> io::Result<String> {
        let path = self.root.join("events").join(group).join(name).join(file);
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(LONGEST).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The names of the folders in a folder.
fn folders(path: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(path)?.flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    Ok(folders.filter_map(|entry| entry.file_name().into_string().ok()).collect())
}
