//! A prefix of Wine: the folder that is drive C: and registry of Windows programs.
//!
//! Each folder is opened by the one before it, and no link of another user is followed.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder::Folder;

/// The file of the user's registry.
pub(crate) const REGISTRY: &str = "user.reg";

/// A prefix of the calling user.
#[derive(Debug)]
pub struct Prefix {
    path: PathBuf,
    is_proton: bool,
    root: Folder,
    /// `drive_c/windows`.
    pub(crate) windows: Folder,
    /// `drive_c/windows/system32`.
    pub(crate) system: Folder,
}

impl Prefix {
    /// Opens a prefix.
    ///
    /// # Errors
    /// It is not one, or another user could change it.
    pub fn open(path: &Path) -> Result<Prefix, Error> {
        let mut root = Folder::open(path)?;
        let mut path = path.to_owned();
        // Steam's folder for a game has the prefix in it.
        let is_proton = root.has("pfx");
        if is_proton {
            path.push("pfx");
            root = root.folder("pfx")?;
        }
        if !root.has("system.reg") {
            let hint = "no prefix of Wine: it has no system.reg; `wineboot` makes one";
            return Err(Error::new(&path, hint));
        }
        let windows = root.folder("drive_c")?.folder("windows")?;
        let system = windows.folder("system32")?;
        Ok(Prefix { path, is_proton, root, windows, system })
    }

    /// Where it is; in a folder of Proton for a game, the prefix in there.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if Proton keeps the prefix.
    #[must_use]
    pub fn is_proton(&self) -> bool {
        self.is_proton
    }

    /// Path of a file in `system32`, for messages.
    pub(crate) fn system_path(&self, name: &str) -> PathBuf {
        self.path.join("drive_c/windows/system32").join(name)
    }

    /// The registry of the user.
    pub(crate) fn registry(&self) -> Result<String, Error> {
        let bytes = self.root.read(REGISTRY)?;
        String::from_utf8(bytes).map_err(|_| Error::new(&self.path.join(REGISTRY), "it is not text in UTF-8"))
    }

    /// Replaces the registry of the user.
    pub(crate) fn set_registry(&self, text: &str) -> Result<(), Error> {
        self.root.replace(REGISTRY, text.as_bytes())
    }

    /// Fails if programs of Wine run in the prefix: at its end Wine writes the registry as it knows it.
    pub(crate) fn expect_idle(&self) -> Result<(), Error> {
        let (device, number) = self.root.identity()?;
        // Wine's server works in a folder that is called after the prefix; where that is differs between distributions.
        let name = format!("server-{device:x}-{number:x}");
        let processes = std::fs::read_dir("/proc").map_err(|error| Error::new(Path::new("/proc"), error))?;
        let works_there = |entry: std::fs::DirEntry| {
            let folder = std::fs::read_link(entry.path().join("cwd"));
            folder.is_ok_and(|folder| folder.file_name().is_some_and(|folder| folder == &*name))
        };
        if processes.filter_map(Result::ok).any(works_there) {
            let prefix = self.path.display();
            let hint = format!(
                "programs of Wine run in this prefix: end them first (WINEPREFIX={prefix} wineserver -k)"
            );
            return Err(Error::new(&self.path, hint));
        }
        Ok(())
    }
}
