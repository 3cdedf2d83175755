//! The file a tool writes: beside its final place until it is complete, and never over another by accident.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

use crate::links;

/// An output file being made. Dropped before [`Output::keep`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    place: Place,
}

/// The location of an output until it is complete.
#[derive(Debug)]
enum Place {
    /// In a file beside its own place.
    Beside(PathBuf),
    /// In a file without a name, for what cannot be sought in: a pipe, a device, standard output.
    Spool(File),
    /// The final location: a pipe or device that is written directly.
    There,
}

/// Files that are not complete, for the end of the process by a signal: what was redacted in part is nothing to leave behind.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes a file that goes if a signal ends the process.
fn begin(partial: &Path) {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        // Where another part of the command takes signals it ends in order, and drops the output.
        let _ = ctrlc::set_handler(|| {
            if let Ok(unfinished) = UNFINISHED.lock() {
                for path in unfinished.iter() {
                    let _ = std::fs::remove_file(path);
                }
            }
            std::process::exit(crate::status::SIGNALLED);
        });
    });
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.push(partial.to_owned());
    }
}

/// Forgets a file that is complete, or gone.
fn end(partial: &Path) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        unfinished.retain(|path| path != partial);
    }
}

/// Returns `true` if a path means standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns `true` if a path is that of something that can only be written from its beginning to its
/// end.
fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_dir() && !found.is_file())
}

impl Output {
    /// Starts a file at `path`; replaces an existing one only if `force` is set. The file can be read and seeked while it is
    /// written. Output for a pipe, a device or standard output (`-`) is copied there when it is complete.
    pub(super) fn create(path: &Path, force: bool) -> Result<(Output, BufWriter<Sink>), String> {
        if is_stdout(path) && io::stdout().is_terminal() {
            return Err("cannot write a trace to a terminal; give a file with -o, or a pipe".to_owned());
        }
        if is_stdout(path) || is_pipe(path) {
            let fail = |error: io::Error| refused(path, &error);
            let file = tempfile::tempfile().map_err(fail)?;
            let sink = writer(file.try_clone().map_err(fail)?);
            return Ok((Output { path: path.to_owned(), place: Place::Spool(file) }, sink));
        }
        Output::start(path, force)
    }

    /// As [`Output::create`], for what is written from its beginning to its end: to a pipe or device as it comes.
    pub(super) fn stream(path: &Path, force: bool) -> Result<(Output, BufWriter<Sink>), String> {
        if is_pipe(path) {
            let file =
                links::open(path, File::options().write(true)).map_err(|error| refused(path, &error))?;
            return Ok((Output { path: path.to_owned(), place: Place::There }, writer(file)));
        }
        Output::start(path, force)
    }

    fn start(path: &Path, force: bool) -> Result<(Output, BufWriter<Sink>), String> {
        if path.is_dir() {
            return Err(format!("{} is a folder", path.display()));
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(links::taken(path));
        }
        // If the path is a link, its target is replaced, not the link.
        let path = links::followed(path).map_err(|error| refused(path, &error))?;
        let mut name =
            path.file_name().ok_or_else(|| format!("{} names no file", path.display()))?.to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        begin(&partial);
        let file = File::options().read(true).write(true).create_new(true).open(&partial);
        let file = file.map_err(|error| refused(&path, &error))?;
        Ok((Output { path, place: Place::Beside(partial) }, writer(file)))
    }

    /// Moves the complete file to its place. Answers its size in bytes.
    pub(super) fn keep(mut self, file: BufWriter<Sink>, force: bool) -> Result<u64, String> {
        let path = self.path.clone();
        let fail = |error: io::Error| refused(&path, &error);
        let file = file.into_inner().map_err(|error| fail(error.into_error()))?;
        let size = file.0.metadata().map_err(fail)?.len();
        drop(file);
        let partial = match &mut self.place {
            Place::Beside(partial) => partial,
            Place::Spool(file) => {
                file.rewind().map_err(fail)?;
                let copied = match is_stdout(&self.path) {
                    true => io::copy(file, &mut io::stdout().lock()),
                    false => links::open(&self.path, File::options().write(true))
                        .and_then(|mut to| io::copy(file, &mut to)),
                };
                match copied {
                    // A reader that went away has what it wanted.
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(fail(error)),
                    _ => return Ok(size),
                }
            }
            Place::There => return Ok(size),
        };
        // Another process may have created the file meanwhile. Where hard links exist, a link does
        // not replace it.
        let linked = !force && std::fs::hard_link(&*partial, &self.path).is_ok();
        if !linked {
            if !force && self.path.symlink_metadata().is_ok() {
                return Err(format!("{} was created meanwhile; nothing was written", self.path.display()));
            }
            std::fs::rename(&*partial, &self.path).map_err(fail)?;
            end(partial);
            self.place = Place::There;
        }
        Ok(size)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Place::Beside(partial) = &self.place {
            // Nothing better can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(partial);
            end(partial);
        }
    }
}

/// A file that a tool writes, perhaps straight from a mapped trace.
#[derive(Debug)]
pub(super) struct Sink(File);

impl Sink {
    /// A sink with a buffer.
    pub(super) fn buffered(file: File) -> BufWriter<Sink> {
        BufWriter::with_capacity(1 << 20, Sink(file))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            // The system cannot read pages that a shortened trace has lost. Reading them here has them replaced.
            #[cfg(unix)]
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::FAULT.raw_os_error()) => {
                std::hint::black_box(bytes.iter().fold(0, |all, byte| all ^ byte));
                self.0.write(bytes)
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Read for Sink {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to)
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

fn writer(file: File) -> BufWriter<Sink> {
    Sink::buffered(file)
}

fn refused(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {}", path.display(), crate::input::reason(error))
}
