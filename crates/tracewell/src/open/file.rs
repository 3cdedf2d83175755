//! A trace file: mapped, checked, with errors that say what to do.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tracewell_decode::infer::infer;
use tracewell_etl::map::Mapping;
use tracewell_etl::{OpenError, Readings, Trace};

/// A mapped trace file, or a session in one to which several were appended.
#[derive(Debug)]
pub struct TraceFile {
    /// Its path as given.
    pub path: PathBuf,
    file: Arc<Opened>,
    /// The range of the file that contains it; [`None`] for the whole file.
    part: Option<Range<u64>>,
    /// The layouts that its payloads show.
    readings: OnceLock<Readings>,
}

#[derive(Debug)]
struct Opened {
    path: PathBuf,
    bytes: Mapping,
    /// Called at the end, if the file became shorter.
    cut: OnceLock<fn(&Path)>,
}

impl Drop for Opened {
    fn drop(&mut self) {
        if self.bytes.is_cut()
            && let Some(cut) = self.cut.get()
        {
            cut(&self.path);
        }
    }
}

/// Why a file cannot be read as a trace.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputError {
    /// The system refused.
    Io(PathBuf, std::io::Error),
    /// It is not a trace.
    Format(PathBuf, OpenError, Option<&'static str>),
    /// An archive that cannot be read, and why.
    Archive(PathBuf, String),
    /// So many traces, where one is wanted.
    Several(PathBuf, usize),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Io(path, error) => {
                write!(f, "cannot open trace {}: {}", path.display(), reason(error))
            }
            InputError::Archive(path, why) => write!(f, "cannot read {}: {why}", path.display()),
            InputError::Several(path, count) => write!(
                f,
                "{} holds {count} traces, and one is wanted (etw merge makes one of them)",
                path.display()
            ),
            InputError::Format(path, error, guess) => {
                write!(f, "cannot read {}: {error}", path.display())?;
                match guess {
                    Some(guess) => write!(f, " ({guess})"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for InputError {}

impl InputError {
    /// The file that it is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            InputError::Io(path, _)
            | InputError::Format(path, ..)
            | InputError::Archive(path, _)
            | InputError::Several(path, _) => path,
        }
    }
}

impl TraceFile {
    /// Maps a file that is a trace itself. [`traces`](super::traces) also takes what comes through a pipe.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn open(path: &Path) -> Result<TraceFile, InputError> {
        let opened = match std::fs::metadata(path) {
            // Mapping a directory fails with a message that says nothing of directories.
            Ok(data) if data.is_dir() => Err(std::io::Error::other("it is a directory")),
            Ok(data) if !data.is_file() => Err(std::io::Error::other("it is neither a file nor a pipe")),
            _ => Mapping::open(path),
        };
        opened
            .map(|file| TraceFile::of(path.to_owned(), file))
            .map_err(|e| InputError::Io(path.to_owned(), e))
    }

    /// Keeps a stream in a temporary file, as the trace of that name.
    ///
    /// # Errors
    /// The stream cannot be read, or the temporary file cannot be written.
    pub fn unpack(path: PathBuf, stream: impl Read) -> Result<TraceFile, InputError> {
        match spool(stream) {
            Ok(file) => Ok(TraceFile::of(path, file)),
            Err(error) => Err(InputError::Io(path, error)),
        }
    }

    /// Maps an open file, as the trace of that name.
    ///
    /// # Errors
    /// The file cannot be mapped.
    pub fn of_file(path: PathBuf, file: File) -> Result<TraceFile, InputError> {
        match Mapping::of(file) {
            Ok(bytes) => Ok(TraceFile::of(path, bytes)),
            Err(error) => Err(InputError::Io(path, error)),
        }
    }

    fn of(path: PathBuf, bytes: Mapping) -> TraceFile {
        TraceFile {
            path: path.clone(),
            file: Arc::new(Opened { path, bytes, cut: OnceLock::new() }),
            part: None,
            readings: OnceLock::new(),
        }
    }

    /// Calls `cut` when the file is closed, if it became shorter while it was read.
    #[must_use]
    pub fn when_cut(self, cut: fn(&Path)) -> TraceFile {
        // The sessions of one file all set the same.
        let _ = self.file.cut.set(cut);
        self
    }

    /// The traces in the file: the file itself, or each appended session that has a different clock (see
    /// [`Trace::into_sessions`]).
    #[must_use]
    pub fn sessions(self) -> Vec<TraceFile> {
        // A file that is not a trace is reported when it is opened as one.
        let parts: Vec<Range<u64>> = match self.plain() {
            Ok(trace) if trace.appended().iter().any(|session| session.has_own_clock) => {
                trace.into_sessions().iter().map(Trace::extent).collect()
            }
            _ => return vec![self],
        };
        let one = |(number, part): (usize, Range<u64>)| {
            let mut path = self.path.clone();
            if number > 1 {
                path.as_mut_os_string().push(format!(" (session {number})"));
            }
            TraceFile { path, file: Arc::clone(&self.file), part: Some(part), readings: OnceLock::new() }
        };
        (1..).zip(parts).map(one).collect()
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.part.as_ref().map_or(self.file.bytes.len() as u64, |part| part.end - part.start)
    }

    /// Returns `true` if the file became shorter while it was read: what is behind its new end is missing.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.file.bytes.is_cut()
    }

    /// The bytes of the whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.file.bytes
    }

    /// The trace in it. Records whose payloads show that their headers are wrong are read as [inferred](infer).
    ///
    /// # Errors
    /// The bytes are no trace; the message guesses what they are where that helps.
    pub fn trace(&self) -> Result<Trace<'_>, InputError> {
        let mut trace = self.plain()?;
        let readings = self.readings.get_or_init(|| infer(&trace));
        trace.read_as(readings.clone());
        Ok(trace)
    }

    /// The trace, with every record read as its header says: for uses that decode no payload.
    ///
    /// # Errors
    /// As [`TraceFile::trace`].
    pub fn plain(&self) -> Result<Trace<'_>, InputError> {
        let trace = match &self.part {
            None => Trace::open_mapped(&self.file.bytes),
            Some(part) => Trace::open_mapped_part(&self.file.bytes, part.clone()),
        };
        trace.map_err(|e| {
            let is_headless = || {
                let what = "it contains the rest of a trace; etw repair gives it a header";
                tracewell_relog::can_restore(&self.file.bytes).then_some(what)
            };
            InputError::Format(self.path.clone(), e, guess(&self.file.bytes).or_else(is_headless))
        })
    }
}

/// Writes all of a stream to a temporary file, and maps that. The file has no name where the system allows that, so that nothing
/// is left however the process ends.
fn spool(mut stream: impl Read) -> std::io::Result<Mapping> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(&mut stream, &mut file)?;
    Mapping::of(file)
}

/// The system's message without its number in brackets.
#[must_use]
pub fn reason(error: &std::io::Error) -> String {
    without_numbers(&error.to_string())
}

/// A message without the numbers in brackets that the system puts after its own.
#[must_use]
pub fn without_numbers(message: &str) -> String {
    const MARK: &str = " (os error ";
    let mut text = message.to_owned();
    while let Some(start) = text.find(MARK) {
        let end = text[start..].find(')').map_or(text.len(), |end| start + end + 1);
        text.replace_range(start..end, "");
    }
    text
}

/// Guesses the type of a file that is not a trace, by its first bytes.
#[must_use]
pub fn guess(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: &[(&[u8], &str)] = &[
        (b"PK\x03\x04", "it is an archive inside another"),
        (b"\x1f\x8b", "it is compressed twice"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it first"),
        (b"MSCF", "it is an archive inside another"),
        (b"ElfFile\0", "it is an event log (.evtx), not a trace"),
        (b"PERFILE2", "it is a Linux perf.data file"),
        (b"Nettrace", "it is a .nettrace file, not an .etl"),
        (b"MZ", "it is a Windows program"),
        (b"\x7fELF", "it is a Linux program"),
        (b"<?xml", "it is XML"),
        (b"#!", "it is a script: give it with -s"),
    ];
    let known = KNOWN.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what);
    let head = bytes.get(..512).unwrap_or(bytes);
    let text = !head.is_empty()
        && head.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace() || *b >= 0x80);
    known.or_else(|| text.then_some("it looks like text"))
}
