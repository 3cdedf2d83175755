//! A trace file: mapped, checked, with errors that say what to do.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use tracewell_etl::map::Mapping;
use tracewell_etl::{OpenError, Trace};

/// A mapped trace file.
#[derive(Debug)]
pub struct TraceFile {
    /// Its path as given.
    pub path: PathBuf,
    bytes: Mapping,
    /// Where what came through a pipe is kept while it is read.
    _spool: Option<tempfile::NamedTempFile>,
}

/// Why a file cannot be read as a trace.
#[derive(Debug)]
pub enum InputError {
    /// The system refused.
    Io(PathBuf, std::io::Error),
    /// It is not a trace.
    Format(PathBuf, OpenError, Option<&'static str>),
    /// An archive that cannot be read, and why.
    Archive(PathBuf, String),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Io(path, error) => {
                write!(f, "cannot open trace {}: {}", path.display(), reason(error))
            }
            InputError::Archive(path, why) => write!(f, "cannot read {}: {why}", path.display()),
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
            InputError::Io(path, _) | InputError::Format(path, ..) | InputError::Archive(path, _) => path,
        }
    }
}

impl TraceFile {
    /// Maps a file that is a trace itself. What comes through a pipe, or as standard input (`-`), is written to a temporary file first: a trace is
    /// read more than once, and not from its beginning to its end.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn open(path: &Path) -> Result<TraceFile, InputError> {
        let opened = match std::fs::metadata(path) {
            _ if path == Path::new("-") => spool(std::io::stdin().lock()),
            // Mapping a directory fails with a message that says nothing of directories.
            Ok(data) if data.is_dir() => Err(std::io::Error::other("it is a directory")),
            Ok(data) if !data.is_file() => File::open(path).and_then(spool),
            _ => Mapping::open(path).map(|bytes| (bytes, None)),
        };
        let (bytes, spool) = opened.map_err(|e| InputError::Io(path.to_owned(), e))?;
        Ok(TraceFile { path: path.to_owned(), bytes, _spool: spool })
    }

    /// Keeps a stream in a temporary file, as the trace of that name.
    pub(crate) fn unpack(path: PathBuf, stream: impl Read) -> Result<TraceFile, InputError> {
        match spool(stream) {
            Ok((bytes, spool)) => Ok(TraceFile { path, bytes, _spool: spool }),
            Err(error) => Err(InputError::Io(path, error)),
        }
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The trace in it.
    ///
    /// # Errors
    /// The bytes are no trace; the message guesses what they are where that helps.
    pub fn trace(&self) -> Result<Trace<'_>, InputError> {
        Trace::open_mapped(&self.bytes)
            .map_err(|e| InputError::Format(self.path.clone(), e, guess(&self.bytes)))
    }
}

/// Writes all of a stream to a temporary file, and maps that.
fn spool(mut stream: impl Read) -> std::io::Result<(Mapping, Option<tempfile::NamedTempFile>)> {
    let mut file = tempfile::NamedTempFile::new()?;
    std::io::copy(&mut stream, &mut file)?;
    Ok((Mapping::open(file.path())?, Some(file)))
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

/// What a file that is no trace may be, by its first bytes.
pub(crate) fn guess(bytes: &[u8]) -> Option<&'static str> {
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
