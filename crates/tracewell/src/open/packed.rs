//! Traces that are packed: `PerfView` leaves them in zip archives, logs are kept compressed by gzip, and Windows hands out
//! cabinets. Each trace inside is unpacked to a temporary file, since a trace is read more than once, and not from its
//! beginning to its end. A [`Meter`] limits how much they expand to.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use super::cabinet;
use super::file::{InputError, TraceFile};

/// Limits how much archives expand to, and how much comes through pipes.
pub trait Meter {
    /// Counts expanded bytes, of which `to_come` more are announced.
    ///
    /// # Errors
    /// They go beyond a limit; says which.
    fn spend(&self, bytes: u64, to_come: u64) -> Result<(), String>;

    /// Counts bytes of a pipe, which may take any time to come.
    ///
    /// # Errors
    /// They go beyond a limit; says which.
    fn receive(&self, bytes: u64) -> Result<(), String> {
        self.spend(bytes, 0)
    }
}

/// A limit of bytes for all archives together.
#[derive(Debug)]
pub struct Limit {
    left: Cell<u64>,
}

impl Limit {
    /// Sets a limit.
    #[must_use]
    pub fn bytes(limit: u64) -> Limit {
        Limit { left: Cell::new(limit) }
    }
}

impl Default for Limit {
    /// 16 GiB.
    fn default() -> Limit {
        Limit::bytes(16 << 30)
    }
}

impl Meter for Limit {
    fn spend(&self, bytes: u64, to_come: u64) -> Result<(), String> {
        let left = self.left.get().checked_sub(bytes);
        self.left.set(left.unwrap_or(0));
        match left {
            Some(left) if to_come <= left => Ok(()),
            _ => Err("its contents exceed the limit for expanded archives".to_owned()),
        }
    }
}

/// A stream that counts what it expands to, and ends with an error at the limits.
struct Metered<'m, R>(&'m dyn Meter, R);

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.read(to)?;
        self.0.spend(size as u64, 0).map_err(std::io::Error::other)?;
        Ok(size)
    }
}

/// A pipe whose bytes are counted, and which ends with an error at the limit.
struct Received<'m, R>(&'m dyn Meter, R);

impl<R: Read> Read for Received<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let size = self.1.read(to)?;
        self.0.receive(size as u64).map_err(std::io::Error::other)?;
        Ok(size)
    }
}

/// Returns `true` if a path is that of a pipe. Devices are not read: they hold no traces, and some do not end.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    let is_one = |kind: std::fs::FileType| std::os::unix::fs::FileTypeExt::is_fifo(&kind);
    #[cfg(not(unix))]
    let is_one = |kind: std::fs::FileType| !kind.is_file() && !kind.is_dir();
    std::fs::metadata(path).is_ok_and(|facts| is_one(facts.file_type()))
}

/// Keeps what comes through a pipe in a temporary file, as the trace of that name.
///
/// # Errors
/// The pipe cannot be read, more comes than the limit, or the temporary file cannot be written.
pub fn received(path: &Path, pipe: impl Read, meter: &dyn Meter) -> Result<TraceFile, InputError> {
    TraceFile::unpack(path.to_owned(), Received(meter, pipe))
}

/// So many traces of one archive are opened at the most; no session makes so many files that belong together.
const MOST: usize = 1024;

/// How a file is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Zip,
    Gzip,
    Cabinet,
}

/// The packings by the first bytes of a file.
const PACKINGS: &[(&[u8], Packing)] =
    &[(b"PK\x03\x04", Packing::Zip), (b"\x1f\x8b\x08", Packing::Gzip), (b"MSCF\0\0\0\0", Packing::Cabinet)];

/// The traces of a file: itself, or all it has if it is an archive. Only a regular file can be one, for the end of an
/// archive is read first.
pub(super) fn traces(path: &Path, meter: &dyn Meter) -> Vec<Result<TraceFile, InputError>> {
    let found = match packing(path) {
        None if is_pipe(path) => {
            let file = File::open(path).map_err(|error| InputError::Io(path.to_owned(), error));
            return vec![file.and_then(|file| received(path, file, meter))];
        }
        None => return vec![TraceFile::open(path)],
        Some((Packing::Gzip, file)) => {
            let stream = flate2::read::MultiGzDecoder::new(BufReader::new(file));
            return vec![TraceFile::unpack(path.to_owned(), Metered(meter, stream))];
        }
        Some((Packing::Zip, file)) => zipped(path, file, meter),
        Some((Packing::Cabinet, file)) => in_cabinet(path, file, meter),
    };
    let wrong = |why: String| vec![Err(InputError::Archive(path.to_owned(), why))];
    match found {
        Ok(found) if found.is_empty() => wrong("this archive contains no trace (.etl)".to_owned()),
        Ok(found) => found,
        Err(why) => wrong(format!("the archive is damaged: {why}")),
    }
}

/// Returns how a file is packed, and the file from its start. An unreadable file counts as not packed; opening it as a
/// trace reports the error.
fn packing(path: &Path) -> Option<(Packing, File)> {
    if !std::fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut head = Vec::new();
    (&mut file).take(8).read_to_end(&mut head).ok()?;
    file.rewind().ok()?;
    let (_, packing) = PACKINGS.iter().find(|(magic, _)| head.starts_with(magic))?;
    Some((*packing, file))
}

/// Returns `true` if a file of an archive is a trace, by its name.
fn is_trace(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("etl"))
}

/// The name of a trace in an archive: that of the archive, and then its own.
fn inside(archive: &Path, name: &str) -> PathBuf {
    archive.join(name.trim_start_matches(['/', '\\']))
}

/// A stream that has as many bytes as the archive announces: one that goes on is an error, and so is one that ends early.
struct Announced<R> {
    left: u64,
    stream: R,
}

impl<R: Read> Announced<R> {
    /// Unpacks the trace `name`, of so many bytes. One that is beyond the limits is refused before it is written.
    fn unpack(meter: &dyn Meter, name: PathBuf, size: u64, stream: R) -> Result<TraceFile, InputError> {
        match meter.spend(0, size) {
            Ok(()) => TraceFile::unpack(name, Metered(meter, Announced { left: size, stream })),
            Err(why) => Err(InputError::Archive(name, why)),
        }
    }
}

impl<R: Read> Read for Announced<R> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let size = self.stream.read(to)?;
        let wrong = |what: &str| std::io::Error::other(format!("the archive is damaged: {what}"));
        self.left = self.left.checked_sub(size as u64).ok_or_else(|| wrong("it holds more than it says"))?;
        if size == 0 && self.left > 0 && !to.is_empty() {
            return Err(wrong("a member is shorter than declared"));
        }
        Ok(size)
    }
}

type Found = Vec<Result<TraceFile, InputError>>;

fn zipped(path: &Path, file: File, meter: &dyn Meter) -> Result<Found, String> {
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                found.push(Err(InputError::Archive(path.to_owned(), error.to_string())));
                continue;
            }
        };
        // A name that is not valid text is converted; only its extension matters here.
        let name = String::from_utf8_lossy(member.name_raw()).into_owned();
        if is_trace(&name) && found.len() < MOST {
            let name = inside(path, &name);
            found.push(Announced::unpack(meter, name, member.size(), &mut member));
        }
    }
    Ok(found)
}

fn in_cabinet(path: &Path, mut file: File, meter: &dyn Meter) -> Result<Found, String> {
    let places = cabinet::places(&file).map_err(|error| error.to_string())?;
    file.rewind().map_err(|error| error.to_string())?;
    let mut cabinet = cab::Cabinet::new(file).map_err(|error| error.to_string())?;
    let files = cabinet.folder_entries().flat_map(cab::FolderEntry::file_entries);
    let mut seen = HashSet::new();
    let names: Vec<(String, cabinet::Place, bool)> = files
        .zip(places)
        .filter(|(file, _)| is_trace(file.name()))
        .map(|(file, place)| (file.name().to_owned(), place, seen.insert(file.name().to_owned())))
        .take(MOST)
        .collect();
    let unpacked = names.into_iter().map(|(name, place, is_first)| {
        let shown = inside(path, &name);
        if !is_first {
            return Err(InputError::Archive(shown, "the archive has two files of this name".to_owned()));
        }
        // What is before the file in its folder is expanded, too.
        if let Err(why) =
            meter.spend(0, place.before + place.size).and_then(|()| meter.spend(place.before, place.size))
        {
            return Err(InputError::Archive(shown, why));
        }
        match cabinet.read_file(&name) {
            Ok(stream) => Announced::unpack(meter, shown, place.size, stream),
            Err(error) => Err(InputError::Io(shown, error)),
        }
    });
    Ok(unpacked.collect())
}
