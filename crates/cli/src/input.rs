//! Opening trace files: mapped, checked, with errors that say what to do.

use std::fmt;
use std::path::{Path, PathBuf};

use tracewell_etl::map::Mapping;
use tracewell_etl::{OpenError, Trace};

/// A mapped trace file.
#[derive(Debug)]
pub struct TraceFile {
    /// Its path as given.
    pub path: PathBuf,
    bytes: Mapping,
}

/// Why a file cannot be read as a trace.
#[derive(Debug)]
pub enum InputError {
    /// The system refused.
    Io(PathBuf, std::io::Error),
    /// It is not a trace.
    Format(PathBuf, OpenError, Option<&'static str>),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Io(path, error) => {
                write!(f, "cannot open trace {}: {}", path.display(), reason(error))
            }
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

impl TraceFile {
    /// Maps a file.
    ///
    /// # Errors
    /// The system's refusal.
    pub fn open(path: &Path) -> Result<TraceFile, InputError> {
        // Mapping a directory fails with a message that says nothing of directories.
        let bytes = match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => Err(std::io::Error::other("it is a directory")),
            _ => Mapping::open(path),
        }
        .map_err(|e| InputError::Io(path.to_owned(), e))?;
        Ok(TraceFile { path: path.to_owned(), bytes })
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

/// The traces that belong to those given: PerfView records `X.etl` with
/// `X.kernel.etl` and `X.clrRundown.etl` beside it until it merges them. Only those that are there, and not given already.
#[must_use]
pub fn side_files(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in given {
        let is_etl = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("etl"));
        for side in ["kernel.etl", "clrRundown.etl"].iter().filter(|_| is_etl) {
            let beside = path.with_extension(side);
            if beside.is_file() && !given.contains(&beside) && !found.contains(&beside) {
                found.push(beside);
            }
        }
    }
    found
}

/// A time on the command line, seconds since a trace's start or a date, as a raw time of the trace.
///
/// # Errors
/// What would have been a time.
pub fn raw_time(text: &str, trace: &Trace<'_>) -> Result<i64, String> {
    let clock = trace.clock();
    if let Ok(seconds) = text.trim_end_matches('s').parse::<f64>() {
        let start = clock.unix_ns(clock.raw_start());
        // Saturates: any time beyond the trace does.
        return Ok(clock.raw_at(start.saturating_add((seconds * 1e9).round() as i64)));
    }
    let time = text.parse::<jiff::Timestamp>();
    let time = time.map_err(|_| {
        format!("'{text}' is no time: give seconds since the start of the trace, or a date as 2024-05-01T12:00:00Z")
    })?;
    let ns = time.as_nanosecond();
    Ok(clock.raw_at(i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX })))
}

/// The system's message without its number in brackets.
#[must_use]
pub fn reason(error: &std::io::Error) -> String {
    error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
}

/// What a file that is no trace may be, by its first bytes.
fn guess(bytes: &[u8]) -> Option<&'static str> {
    const KNOWN: &[(&[u8], &str)] = &[
        (b"PK\x03\x04", "it is a zip archive: unpack it first"),
        (b"\x1f\x8b", "it is compressed by gzip: unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive: unpack it first"),
        (b"MSCF", "it is a cabinet: unpack it first"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_perfview_records_beside_a_trace_belongs_to_it() {
        let folder = std::env::temp_dir().join(format!("tracewell-side-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let file = |name: &str| folder.join(name);
        for name in ["a.etl", "a.kernel.etl", "a.clrRundown.etl", "b.etl", "c.txt", "c.kernel.etl"] {
            std::fs::write(file(name), b"").expect("a file can be made");
        }
        let side = |names: &[&str]| side_files(&names.iter().map(|name| file(name)).collect::<Vec<_>>());
        assert_eq!(side(&["a.etl", "b.etl", "c.txt"]), [file("a.kernel.etl"), file("a.clrRundown.etl")]);
        assert_eq!(side(&["a.etl", "a.kernel.etl"]), [file("a.clrRundown.etl")]);
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
}
