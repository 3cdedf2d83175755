//! The file a tool writes: beside its final place until it is complete, and never over another by accident.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// An output file being made. Dropped before [`Output::keep`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    /// Where it is until it is complete; `None` for a pipe or a device, which is written to as it is.
    partial: Option<PathBuf>,
}

impl Output {
    /// Starts a file that will stand at `path`, in place of another only by `force`. It can be read and sought in, so
    /// `path` may be no pipe or device.
    pub(super) fn create(path: &Path, force: bool) -> Result<(Output, BufWriter<File>), String> {
        if path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file()) {
            return Err(format!("{} is a device or pipe: a trace is written to a file", path.display()));
        }
        Output::start(path, force)
    }

    /// As [`Output::create`], for what is written from its beginning to its end: to a pipe or device, too.
    pub(super) fn stream(path: &Path, force: bool) -> Result<(Output, BufWriter<File>), String> {
        if path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file()) {
            let file = File::options().write(true).open(path).map_err(|error| refused(path, &error))?;
            return Ok((Output { path: path.to_owned(), partial: None }, writer(file)));
        }
        Output::start(path, force)
    }

    fn start(path: &Path, force: bool) -> Result<(Output, BufWriter<File>), String> {
        if path.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(format!("{} exists: give another name, or --force to replace it", path.display()));
        }
        // What a link points at is replaced, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut name =
            path.file_name().ok_or_else(|| format!("{} names no file", path.display()))?.to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        let file = File::options().read(true).write(true).create_new(true).open(&partial);
        let file = file.map_err(|error| refused(&path, &error))?;
        Ok((Output { path, partial: Some(partial) }, writer(file)))
    }

    /// Moves the complete file to its place. Answers its size in bytes.
    pub(super) fn keep(mut self, file: BufWriter<File>, force: bool) -> Result<u64, String> {
        let fail = |error: io::Error| refused(&self.path, &error);
        let file = file.into_inner().map_err(|error| fail(error.into_error()))?;
        let size = file.metadata().map_err(fail)?.len();
        drop(file);
        let Some(partial) = &self.partial else { return Ok(size) };
        // Somebody may have made one meanwhile: a link refuses to replace it, where there are links.
        let linked = !force && std::fs::hard_link(partial, &self.path).is_ok();
        if !linked {
            if !force && self.path.symlink_metadata().is_ok() {
                return Err(format!("{} exists meanwhile: nothing was written", self.path.display()));
            }
            std::fs::rename(partial, &self.path).map_err(fail)?;
            self.partial = None;
        }
        Ok(size)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // Nothing better can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(partial);
        }
    }
}

fn writer(file: File) -> BufWriter<File> {
    BufWriter::with_capacity(1 << 20, file)
}

fn refused(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {}", path.display(), crate::input::reason(error))
}
