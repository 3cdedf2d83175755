//! Where the engine's output goes: standard output, the `-o` file, or what `freopen` put in its place.

use std::cell::Cell;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use tracewell_dengine::host::{Logged, Output};
use tracewell_dlang::logged::LoggedEvent;
use tracewell_live::loggers::Loggers;
use tracewell_types::visible::{self, Keep};

use super::fit::Fit;
use crate::out::say;
use crate::progress::Progress;

/// The output of a run.
#[derive(Debug)]
pub(super) struct RunOutput {
    /// Where `freopen("")` returns to.
    original: Option<PathBuf>,
    sink: Sink,
    /// A line on the same terminal, which ends when something is written.
    progress: Option<Rc<Progress>>,
    /// Lines of the picture of `--watch` below all other output. It goes before anything else is written.
    picture: Rc<Cell<usize>>,
    /// The reader of our output went away, or it cannot be written: nothing more is.
    closed: bool,
    /// Bytes that may still be written.
    left: Option<u64>,
    /// The text of the script itself is not trusted either.
    restricted: bool,
    /// Fits lines into the terminal that standard output is.
    fit: Option<Fit>,
    /// The providers of the events of `etw_trace()`.
    loggers: Loggers,
}

#[derive(Debug)]
enum Sink {
    Stdout(BufWriter<io::Stdout>),
    File(BufWriter<File>),
    /// Nothing is shown.
    Nowhere(io::Sink),
}

impl Sink {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(w) => w,
            Sink::File(w) => w,
            Sink::Nowhere(w) => w,
        }
    }
}

fn append(path: &Path) -> io::Result<Sink> {
    let file = crate::links::open(path, OpenOptions::new().create(true).append(true))?;
    Ok(Sink::File(BufWriter::new(file)))
}

impl RunOutput {
    /// Output to a file (appended to), or to standard output, of at most so many bytes. `restricted` output contains nothing that
    /// acts on a terminal, also in exact text.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(super) fn new(path: Option<&Path>, most: Option<u64>, restricted: bool) -> io::Result<RunOutput> {
        let sink = match path {
            Some(path) => append(path)?,
            None => Sink::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())),
        };
        Ok(RunOutput {
            original: path.map(Path::to_owned),
            sink,
            progress: None,
            picture: Rc::default(),
            closed: false,
            left: most,
            restricted,
            fit: None,
            loggers: Loggers::default(),
        })
    }

    /// Makes the providers of the program's own events known, so that sessions can enable them.
    pub(super) fn register(&mut self, events: &[LoggedEvent]) {
        self.loggers = Loggers::new(events);
    }

    /// Shows nothing that is written.
    pub(super) fn hide(&mut self) {
        self.sink = Sink::Nowhere(io::sink());
    }

    /// Leaves out the middle of what comes after so many characters of a line, where the line is wider than the terminal.
    pub(super) fn fit(&mut self, before: u64) {
        self.fit = Fit::new(before);
    }

    /// Makes room for what is written to a terminal: the line of progress there ends with it.
    pub(super) fn beside(&mut self, progress: &Rc<Progress>) {
        let is_shared = matches!(self.sink, Sink::Stdout(_)) && io::stdout().is_terminal();
        self.progress = is_shared.then(|| Rc::clone(progress));
    }

    /// How many lines the picture of `--watch` has.
    pub(super) fn picture(&self) -> Rc<Cell<usize>> {
        Rc::clone(&self.picture)
    }

    fn end_progress(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.stop();
        }
    }

    /// Output was lost: nothing more is written, and the command ends with it.
    fn lose(&mut self, error: &io::Error) {
        crate::out::note(error);
        self.closed = true;
    }

    /// Takes the picture of `--watch` away.
    fn erase_picture(&mut self) {
        let lines = self.picture.replace(0);
        if lines > 0 {
            // To the first column, up so many lines, and clear all below.
            self.put(format!("\r\x1b[{lines}A\x1b[J").as_bytes());
        }
    }

    fn show(&mut self, bytes: &[u8]) {
        match &mut self.fit {
            Some(fit) if matches!(self.sink, Sink::Stdout(_)) => {
                let lines = fit.take(bytes);
                self.put(&lines);
            }
            _ => self.put(bytes),
        }
    }

    /// Writes what is kept of a line that has not ended.
    fn show_rest(&mut self) {
        if let Some(fit) = &mut self.fit {
            let rest = fit.rest();
            self.put(&rest);
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        if !self.closed
            && let Err(error) = self.sink.writer().write_all(bytes)
        {
            self.lose(&error);
        }
    }
}

impl Output for RunOutput {
    fn write(&mut self, bytes: &[u8]) {
        self.end_progress();
        self.erase_picture();
        if self.closed {
            return;
        }
        let bytes = match self.restricted {
            true => visible::escape_bytes(bytes, Keep::Layout),
            false => bytes.into(),
        };
        let most = self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX));
        let fits = bytes.len().min(most);
        if let Some(left) = &mut self.left {
            *left -= fits as u64;
        }
        self.show(&bytes[..fits]);
        if fits < bytes.len() {
            self.lose(&io::Error::other("it reached its limit (-x outputlimit sets another)"));
        }
    }

    fn flush(&mut self) {
        self.show_rest();
        if let Err(error) = self.sink.writer().flush() {
            self.lose(&error);
        }
    }

    fn is_closed(&self) -> bool {
        self.closed || matches!(self.sink, Sink::Stdout(_)) && crate::pipe::reader_is_gone()
    }

    fn error(&mut self, line: &str) {
        self.end_progress();
        self.erase_picture();
        self.flush();
        say!("{line}");
    }

    fn reopen(&mut self, path: Option<&[u8]>) -> Result<(), String> {
        self.flush();
        let sink = match path {
            Some(bytes) => {
                let path = String::from_utf8_lossy(bytes).into_owned();
                let file = crate::links::open(
                    Path::new(&path),
                    OpenOptions::new().write(true).create(true).truncate(true),
                )
                .map_err(|e| e.to_string())?;
                Sink::File(BufWriter::new(file))
            }
            None => match &self.original {
                Some(path) => append(path).map_err(|e| e.to_string())?,
                None => Sink::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())),
            },
        };
        self.sink = sink;
        self.closed = false;
        Ok(())
    }

    fn system(&mut self, command: &[u8]) {
        self.end_progress();
        self.flush();
        let text = String::from_utf8_lossy(command).into_owned();
        let mut shell = if cfg!(windows) {
            let mut c = Command::new("cmd");
            c.arg("/C");
            c
        } else {
            let mut c = Command::new("/bin/sh");
            c.arg("-c");
            c
        };
        if let Err(error) = shell.arg(&text).status() {
            say!("dtrace: failed to run '{text}': {error}");
        }
    }

    fn log(&mut self, event: &Logged<'_>) {
        self.loggers.log(event);
    }

    fn truncate(&mut self) {
        self.flush();
        if let Sink::File(file) = &mut self.sink
            && let Err(error) = file.get_ref().set_len(0)
        {
            say!("dtrace: cannot truncate the output file: {error}");
        }
    }
}

impl Drop for RunOutput {
    fn drop(&mut self) {
        self.flush();
        if let Some(line) = self.loggers.missed() {
            say!("dtrace: {line}");
        }
    }
}
