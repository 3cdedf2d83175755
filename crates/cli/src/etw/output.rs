//! The file a tool writes: beside its final place until it is complete, and never over another by accident.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// An output file being made. Dropped before [`Output::keep`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    partial: PathBuf,
    kept: bool,
}

impl Output {
    /// Starts a file that will stand at `path`, in place of another only by `force`.
    pub(super) fn create(path: &Path, force: bool) -> Result<(Output, BufWriter<File>), String> {
        let taken = || format!("{} exists: give another name, or --force to replace it", path.display());
        if path.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(taken());
        }
        let mut name =
            path.file_name().ok_or_else(|| format!("{} names no file", path.display()))?.to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        let file = File::options().read(true).write(true).create_new(true).open(&partial);
        let file = file.map_err(|error| format!("cannot write {}: {}", partial.display(), reason(&error)))?;
        Ok((Output { path: path.to_owned(), partial, kept: false }, BufWriter::with_capacity(1 << 20, file)))
    }

    /// Moves the complete file to its place.
    pub(super) fn keep(mut self, file: BufWriter<File>, force: bool) -> Result<u64, String> {
        let fail = |error: io::Error| format!("cannot write {}: {}", self.path.display(), reason(&error));
        let file = file.into_inner().map_err(|error| fail(error.into_error()))?;
        let size = file.metadata().map_err(fail)?.len();
        drop(file);
        // Somebody may have made one meanwhile: a link refuses to replace it, where there are links.
        let linked = !force && std::fs::hard_link(&self.partial, &self.path).is_ok();
        if !linked {
            if !force && self.path.symlink_metadata().is_ok() {
                return Err(format!("{} exists meanwhile: nothing was written", self.path.display()));
            }
            std::fs::rename(&self.partial, &self.path).map_err(fail)?;
            self.kept = true;
        }
        Ok(size)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.kept {
            // Nothing better can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// The system's message without its number in brackets.
fn reason(error: &io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}
