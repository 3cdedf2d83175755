//! A D script, and its runs.

use std::fmt;
use std::path::Path;

use tracewell_decode::Schemas;
use tracewell_dengine::{Engine, StartError};
use tracewell_dlang::options::{OptionError, Options, Setter};
use tracewell_etl::Trace;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay::{self, Driver, Feed, Learning, Learns, Question, Recording, Stream, Window};

use crate::compile::{CompileError, Compiled, MacroEnv, Preprocessor, ProgramText, Sourced};
use crate::libraries::LibraryError;
use crate::open::{InputError, reason};
use crate::report::Report;
use crate::restrict::{Forbidden, Includes, Limits};
use crate::run::{self, Survey};
use crate::seeds::{Seed, Seeded};
use crate::sink::{Printer, Sink};
use crate::traces::Traces;

/// Records that a file read once hands out together.
const BATCH: usize = 1000;
/// Bytes of a pointer of D.
const POINTER_BYTES: u8 = 8;

/// A D script with its arguments and options.
#[derive(Clone, Debug)]
pub struct Script {
    text: ProgramText,
    arguments: Vec<String>,
    options: Options,
    schemas: Schemas,
    window: Option<(i64, i64)>,
    seed: Option<Seed>,
}

/// Why a script gave no report.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The script cannot be read.
    Script(String, std::io::Error),
    /// The script has an error: the message, with its line, and a hint.
    Compile(String, Option<String>),
    /// An option of the script is invalid.
    Option(OptionError),
    /// The libraries cannot be used.
    Library(LibraryError),
    /// The option `restrict` forbids what the script does.
    Forbidden(Forbidden),
    /// A trace cannot be opened.
    Input(InputError),
    /// The program cannot start, for example because of a size.
    Start(StartError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Script(name, error) => write!(f, "cannot read script {name}: {}", reason(error)),
            Error::Compile(message, None) => f.write_str(message),
            Error::Compile(message, Some(hint)) => write!(f, "{message} ({hint})"),
            Error::Option(error) => error.fmt(f),
            Error::Library(error) => error.fmt(f),
            Error::Forbidden(error) => error.fmt(f),
            Error::Input(error) => error.fmt(f),
            Error::Start(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        Error::Input(error)
    }
}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Error {
        match error {
            CompileError::Text(diagnostic, sources) => {
                Error::Compile(diagnostic.classic(&sources, false), diagnostic.hint)
            }
            CompileError::Option(_, error) => Error::Option(error),
            CompileError::Library(error) => Error::Library(error),
            CompileError::Forbidden(error) => Error::Forbidden(error),
        }
    }
}

impl Script {
    /// A script of this text. Errors in it are found when it runs, because its probes depend on what it runs over.
    #[must_use]
    pub fn new(text: &str) -> Script {
        Script::of(ProgramText::script("script", text))
    }

    /// Reads a script from a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Script, Error> {
        let name = path.as_ref().display().to_string();
        match std::fs::read(path.as_ref()) {
            Ok(text) => Ok(Script::of(ProgramText::script(name, text))),
            Err(error) => Err(Error::Script(name, error)),
        }
    }

    fn of(text: ProgramText) -> Script {
        Script {
            text,
            arguments: Vec::new(),
            options: Options::default(),
            schemas: Schemas::new(),
            window: None,
            seed: None,
        }
    }

    /// Runs the preprocessor of C over the text, as `-C` of `dtrace` does. Included files are looked for beside the script, then
    /// in the folders of the system.
    ///
    /// # Errors
    /// A directive is invalid, or an included file is missing.
    pub fn preprocessed(mut self) -> Result<Script, Error> {
        let output = Preprocessor::default().run(self.text, &self.options).map_err(|failed| {
            let quoted = failed.error.to_string();
            Error::Compile(failed.foreign.as_deref().map_or(quoted, Includes::hushed), None)
        })?;
        self.text = output.text;
        Ok(self)
    }

    /// Adds a macro argument: the first is `$1`, or `$$1` as a string.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Script {
        self.arguments.push(argument.into());
        self
    }

    /// Sets an option, as `-x` of `dtrace` does.
    ///
    /// # Errors
    /// There is no such option, or the value is invalid.
    pub fn option(mut self, name: &str, value: Option<&str>) -> Result<Script, Error> {
        self.options.set(name, value, Setter::CommandLine).map_err(Error::Option)?;
        Ok(self)
    }

    /// Describes events that do not describe themselves.
    #[must_use]
    pub fn with_schemas(self, schemas: Schemas) -> Script {
        Script { schemas, ..self }
    }

    /// Runs over a part of the time only: from the first to before the second, in nanoseconds since 1970.
    #[must_use]
    pub fn between(self, from: i64, until: i64) -> Script {
        Script { window: Some((from, until)), ..self }
    }

    /// Puts a fault into the run, to test what checks its answers.
    #[doc(hidden)]
    #[must_use]
    pub fn seeded(self, seed: Option<Seed>) -> Script {
        Script { seed, ..self }
    }

    /// Runs over traces, after passes that collect names of processes, files and symbols from all of their records.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, traces: &Traces, sink: &mut dyn Sink) -> Result<Report, Error> {
        self.run_watched(traces, sink, &mut |_| true)
    }

    /// As [`Script::run`]. `proceed` is called now and then with the bytes that are done; `false` ends the run.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_watched(
        &self,
        traces: &Traces,
        sink: &mut dyn Sink,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Report, Error> {
        self.run_over(&traces.read()?, sink, proceed)
    }

    /// As [`Script::run_watched`], over traces that the caller has opened.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_over(
        &self,
        traces: &[Trace<'_>],
        sink: &mut dyn Sink,
        proceed: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Report, Error> {
        let mut catalog = self.catalog(traces);
        let compiled = self.compile(&mut catalog)?;
        let described = if self.seed == Some(Seed::NoOwners) { &[][..] } else { traces };
        let survey = Survey::described_by(described, traces, &compiled.program, |_| {});
        let symbols = survey.symbols(None);
        let mut feed = survey.feed(&symbols, self.window_on(traces));
        let mut engine = engine(compiled)?;
        let mut driver = |done: u64| proceed(done);
        let names = NameTable::new(&catalog);
        let mut out = Printer(sink);
        let question = Question { engine: &mut engine, catalog: &catalog, names: &names, out: &mut out };
        let finished = match self.seed {
            None => survey.run_over(question, &mut feed, &mut driver),
            Some(seed) => survey.run_over(question, &mut Seeded { feed, seed }, &mut driver),
        };
        let lacks = finished.silent(engine.program(), &catalog);
        Ok(Report { accounts: finished.accounts, lacks, ..Report::new(&engine, finished.outcome) })
    }

    /// Runs over a trace that is read once: what later records say is not known. That is how live runs answer.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_once(&self, trace: &Trace<'_>, sink: &mut dyn Sink) -> Result<Report, Error> {
        let traces = std::slice::from_ref(trace);
        let mut catalog = self.catalog(traces);
        let compiled = self.compile(&mut catalog)?;
        let learns = Learns::recorded(&compiled.program);
        let mut feed = Learning::new(Recording::new(trace, BATCH), &compiled.program, learns);
        run_compiled(compiled, &catalog, &mut feed, sink, &mut |_: u64| true)
    }

    /// Runs over a stream of records: those of a session, or of a recording in another format. The driver supplies the clock
    /// and waits; see [`Driver`].
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_stream(
        &self,
        stream: impl Stream,
        learns: Learns,
        sink: &mut dyn Sink,
        driver: &mut impl Driver,
    ) -> Result<Report, Error> {
        let mut catalog = self.catalog(&[]);
        let compiled = self.compile(&mut catalog)?;
        let mut feed = Learning::new(stream, &compiled.program, learns);
        run_compiled(compiled, &catalog, &mut feed, sink, driver)
    }

    /// The probes on what traces hold.
    fn catalog<'t>(&self, traces: &'t [Trace<'t>]) -> ProbeCatalog<'t> {
        let schemas = self.schemas.clone();
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(move || Sightings::of(traces, schemas.clone()));
        catalog.name_calls_by(|| crate::calls::calls_in(traces, None));
        catalog
    }

    fn compile(&self, catalog: &mut ProbeCatalog<'_>) -> Result<Compiled, Error> {
        let macros = MacroEnv::new(self.text.name.clone(), self.arguments.iter().cloned());
        let sourced = Sourced {
            texts: std::slice::from_ref(&self.text),
            macros: &macros,
            options: &self.options,
            libraries: &[],
            pointer_bytes: POINTER_BYTES,
            unmatched: false,
        };
        Ok(sourced.compile(catalog)?)
    }

    /// The part of the time to run over, on the clock of `timestamp`.
    fn window_on(&self, traces: &[Trace<'_>]) -> Window {
        let (Some((from, until)), Some(first)) = (self.window, traces.first()) else { return Window::ALL };
        let clock = first.clock();
        let time = |unix| clock.ns(clock.raw_at(unix));
        Window { from: time(from), until: time(until) }
    }
}

/// The engine of a run whose output is only what the script prints.
fn engine(compiled: Compiled) -> Result<Engine, Error> {
    let mut options = compiled.run_options(POINTER_BYTES);
    options.quiet = true;
    run::grow(&mut options, &compiled.options);
    let limits = Limits::of(&compiled.options);
    run::engine(compiled.program, options, &limits).map_err(Error::Start)
}

fn run_compiled(
    compiled: Compiled,
    catalog: &ProbeCatalog<'_>,
    feed: &mut impl Feed,
    sink: &mut dyn Sink,
    driver: &mut impl Driver,
) -> Result<Report, Error> {
    let mut engine = engine(compiled)?;
    let names = NameTable::new(catalog);
    let mut out = Printer(sink);
    let question = Question { engine: &mut engine, catalog, names: &names, out: &mut out };
    let outcome = replay::run(question, feed, driver);
    Ok(Report::new(&engine, outcome))
}
