//! A D script, and its runs.

use std::fmt;
use std::path::Path;

use tracewell_decode::Schemas;
use tracewell_dengine::{Engine, RunOptions, StartError};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::cpp;
use tracewell_dlang::macros::MacroEnv;
use tracewell_dlang::options::{Opt, OptionError, Options, Setter};
use tracewell_dlang::program::Program;
use tracewell_etl::Trace;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay::{
    self, Driver, Feed, Files, Learning, Learns, Question, Recording, Stream, Surveyed, Window,
};
use tracewell_symbols::Symbols;

use crate::libraries::{Libraries, LibraryError};
use crate::open::{InputError, reason};
use crate::report::Report;
use crate::seeds::{Seed, Seeded};
use crate::sink::{Printer, Sink};
use crate::traces::Traces;

/// Bytes that each kind of data of a script may grow to over a trace: aggregations, variables, speculations, buffers.
const GROWTH: u64 = 1 << 30;
/// Records that a file read once hands out together.
const BATCH: usize = 1000;

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

    /// Runs the preprocessor of C over the text, as `-C` of `dtrace` does. Included files are looked for beside the script.
    ///
    /// # Errors
    /// A directive is invalid, or an included file is missing.
    pub fn preprocessed(mut self) -> Result<Script, Error> {
        let beside = Path::new(&self.text.name).parent().map(Path::to_owned).unwrap_or_default();
        let mut include = |request: cpp::IncludeRequest<'_>| {
            let path = beside.join(request.name);
            Some((path.display().to_string(), std::fs::read(&path).ok()?))
        };
        let config = cpp::Config::default();
        let output = cpp::preprocess(&self.text.name, &self.text.text, &config, &mut include)
            .map_err(|error| Error::Compile(error.to_string(), None))?;
        (self.text.text, self.text.marks) = (output.text, output.marks);
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
        let traces = traces.read()?;
        let mut catalog = self.catalog(&traces);
        let program = self.compile(&mut catalog)?;
        let described = if self.seed == Some(Seed::NoOwners) { &[][..] } else { &traces };
        let (machine, _) = replay::survey(described, replay::needs(&program), |_| {});
        let stacks = replay::stacks(&traces, &program, &catalog);
        let symbols = Symbols::new(&machine);
        let window = self.window_on(&traces);
        let surveyed = Surveyed { machine: &machine, stacks: stacks.as_ref(), symbols: &symbols, window };
        let mut feed = Files::new(&traces, surveyed);
        let mut driver = |done: u64| proceed(done);
        match self.seed {
            None => self.run_compiled(program, &catalog, &mut feed, sink, &mut driver),
            Some(seed) => {
                let mut feed = Seeded { feed, seed };
                self.run_compiled(program, &catalog, &mut feed, sink, &mut driver)
            }
        }
    }

    /// Runs over a trace that is read once: what later records say is not known. That is how live runs answer.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run_once(&self, trace: &Trace<'_>, sink: &mut dyn Sink) -> Result<Report, Error> {
        let traces = std::slice::from_ref(trace);
        let mut catalog = self.catalog(traces);
        let program = self.compile(&mut catalog)?;
        let learns = Learns::recorded(&program);
        let mut feed = Learning::new(Recording::new(trace, BATCH), &program, learns);
        self.run_compiled(program, &catalog, &mut feed, sink, &mut |_: u64| true)
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
        let program = self.compile(&mut catalog)?;
        let mut feed = Learning::new(stream, &program, learns);
        self.run_compiled(program, &catalog, &mut feed, sink, driver)
    }

    /// The probes on what traces hold.
    fn catalog<'t>(&self, traces: &'t [Trace<'t>]) -> ProbeCatalog<'t> {
        let schemas = self.schemas.clone();
        let mut catalog = ProbeCatalog::new();
        catalog.survey_by(move || Sightings::of(traces, schemas.clone()));
        catalog
    }

    fn compile(&self, catalog: &mut ProbeCatalog<'_>) -> Result<Program, Error> {
        let libraries = Libraries::read(&[], catalog).map_err(Error::Library)?;
        let arguments = self.arguments.iter().map(String::as_bytes);
        let naming: Vec<&[u8]> = std::iter::once(&*self.text.text).chain(arguments).collect();
        let (named, all) = (libraries.named(&naming), libraries.all());
        let mut macros = MacroEnv::new(self.text.name.clone(), self.arguments.iter().cloned());
        macros.default_args = self.options.flag(Opt::Defaultargs);
        let options = CompileOptions { macros, dx: self.options.flag(Opt::Dx), ..CompileOptions::default() };
        let mut attempt = |libraries: &[&crate::libraries::LibraryFile]| {
            let mut compiler = Compiler::new(catalog, options.clone());
            for file in libraries {
                compiler.add_library(file.name(), file.text());
            }
            compiler
                .compile(std::slice::from_ref(&self.text))
                .map_err(|error| Error::Compile(error.classic(compiler.sources(), false), error.hint.clone()))
        };
        match attempt(&named) {
            // What it lacks may be in a library that it does not name.
            Err(_) if named.len() < all.len() => attempt(&all),
            compiled => compiled,
        }
    }

    /// The part of the time to run over, on the clock of `timestamp`.
    fn window_on(&self, traces: &[Trace<'_>]) -> Window {
        let (Some((from, until)), Some(first)) = (self.window, traces.first()) else { return Window::ALL };
        let clock = first.clock();
        let time = |unix| clock.ns(clock.raw_at(unix));
        Window { from: time(from), until: time(until) }
    }

    fn run_compiled(
        &self,
        program: Program,
        catalog: &ProbeCatalog<'_>,
        feed: &mut impl Feed,
        sink: &mut dyn Sink,
        driver: &mut impl Driver,
    ) -> Result<Report, Error> {
        let mut options = self.options.clone();
        for (name, value) in &program.options {
            options.set(name, value.as_deref(), Setter::Script).map_err(Error::Option)?;
        }
        let mut options = RunOptions::from(&options);
        options.growth = Some(GROWTH);
        options.quiet = true;
        let mut engine = Engine::new(program, options).map_err(Error::Start)?;
        let names = NameTable::new(catalog);
        let mut out = Printer(sink);
        let question = Question { engine: &mut engine, catalog, names: &names, out: &mut out };
        let outcome = replay::run(question, feed, driver);
        Ok(Report::new(&engine, outcome))
    }
}
