//! Running programs over traces that are written for the test.

use tracewell_decode::Schemas;
use tracewell_dengine::host::Output;
use tracewell_dengine::{Engine, RunOptions};
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::library::{self, Library};
use tracewell_dlang::options::Options;
use tracewell_dlang::parse::Naming;
use tracewell_etl::Trace;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::Sightings;
use tracewell_probes::libraries::LIBRARIES;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay;
use tracewell_probes::undecoded::Undecoded;
use tracewell_symbols::Symbols;

struct Lines(Vec<u8>);

impl Output for Lines {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn error(&mut self, text: &str) {
        self.0.extend_from_slice(format!("error: {text}\n").as_bytes());
    }
    fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
        Ok(())
    }
    fn system(&mut self, _: &[u8]) {}
}

/// What a run did.
#[allow(dead_code, reason = "no test looks at all of it")]
pub(crate) struct Ran {
    pub(crate) text: String,
    /// Events that could not be read.
    pub(crate) unread: u64,
    pub(crate) firings: u64,
    /// Events that were read although they were not, or not by their own description, decoded.
    pub(crate) undecoded: Undecoded,
}

/// What a program prints over a trace, and how many events could not be read; else why it cannot be compiled.
#[allow(dead_code, reason = "no test uses all of it")]
pub(crate) fn run(program: &str, bytes: &[u8]) -> Result<(String, u64), String> {
    ran(program, bytes).map(|ran| (ran.text, ran.unread))
}

/// Runs a program over a trace; else why it cannot be compiled.
pub(crate) fn ran(program: &str, bytes: &[u8]) -> Result<Ran, String> {
    ran_by(program, bytes, Way::Surveyed)
}

/// How a run gets to know the machine.
#[allow(dead_code, reason = "no test uses all of it")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// By passes over the trace, before the run.
    Surveyed,
    /// The same, for a part of the time only.
    Within(replay::Window),
    /// From batches of so many records as they come, as a live run does.
    Learning(usize),
    /// From the same batches without records about threads, like a live run without the kernel's. Threads that a batch does
    /// not contain have ended.
    Asking(usize),
}

/// A stream that knows which threads there are.
struct Asked<'t>(replay::Recording<'t>);

impl replay::Stream for Asked<'_> {
    fn setting(&self) -> replay::Setting {
        self.0.setting()
    }

    fn clock(&self) -> tracewell_etl::Clock {
        self.0.clock()
    }

    fn next(&mut self) -> replay::Arrival {
        self.0.next()
    }

    fn records(&self) -> Vec<tracewell_etl::Record<'_>> {
        self.0.records()
    }

    fn is_over(&self, tid: u32) -> bool {
        // The thread of a sample follows its address.
        let of = |record: &tracewell_etl::Record<'_>| {
            let at = usize::from(record.pointer_size());
            Some(u32::from_le_bytes(record.payload().get(at..at + 4)?.try_into().ok()?))
        };
        !self.records().iter().any(|record| of(record) == Some(tid))
    }
}

/// Runs a program over a trace; else why it cannot be compiled.
pub(crate) fn ran_by(program: &str, bytes: &[u8], way: Way) -> Result<Ran, String> {
    ran_knowing(program, bytes, way, |_| ())
}

/// Runs a program over a trace, after a change to the kinds of events that it knows; else why it cannot be compiled.
pub(crate) fn ran_knowing(
    program: &str,
    bytes: &[u8],
    way: Way,
    change: impl Fn(&mut Sightings),
) -> Result<Ran, String> {
    ran_while(program, bytes, way, (change, false), |_| true)
}

/// Runs a program over a trace as long as `proceed` says so, after a change to the kinds of events that it knows, and strictly or
/// not; else why it cannot be compiled.
pub(crate) fn ran_while(
    program: &str,
    bytes: &[u8],
    way: Way,
    (change, strict): (impl Fn(&mut Sightings), bool),
    mut proceed: impl FnMut(u64) -> bool,
) -> Result<Ran, String> {
    let traces = [Trace::open(bytes).expect("the trace opens")];
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| {
        let mut sightings = Sightings::of(&traces, Schemas::new());
        change(&mut sightings);
        sightings
    });
    let list: Vec<Library> =
        LIBRARIES.iter().map(|(name, text)| Library::new(name, text.as_bytes())).collect();
    let order = library::order(&list, &mut |_| true).expect("the libraries have an order");
    let mut compiler = Compiler::new(&mut catalog, CompileOptions::default());
    for index in order.compile {
        let (name, text) = LIBRARIES[index];
        compiler.add_library(name, text.as_bytes().to_vec());
    }
    let compiled = compiler.compile(&[ProgramText::argument(program, Naming::Name)]);
    let program = compiled
        .map_err(|error| format!("{} ({})", error.message, error.hint.as_deref().unwrap_or_default()))?;
    let names = NameTable::new(&catalog);
    let mut options = RunOptions::from(&Options::default());
    (options.quiet, options.strict) = (true, strict);
    let mut engine = Engine::new(program, options).expect("the program starts");
    let mut out = Lines(Vec::new());
    let outcome = match way {
        Way::Surveyed | Way::Within(_) => {
            let (machine, _) = replay::survey(&traces, replay::needs(engine.program()), |_| {});
            let stacks = replay::stacks(&traces, engine.program());
            let symbols = Symbols::new(&machine);
            let surveyed = replay::Surveyed {
                machine: &machine,
                stacks: stacks.as_ref(),
                symbols: &symbols,
                window: if let Way::Within(window) = way { window } else { replay::Window::ALL },
            };
            let question =
                replay::Question { engine: &mut engine, catalog: &catalog, names: &names, out: &mut out };
            replay::run(question, &mut replay::Files::new(&traces, surveyed), &mut proceed)
        }
        Way::Learning(batch) => {
            let learns = replay::Learns::recorded(engine.program());
            let recording = replay::Recording::new(&traces[0], batch);
            let mut feed = replay::Learning::new(recording, engine.program(), learns);
            let question =
                replay::Question { engine: &mut engine, catalog: &catalog, names: &names, out: &mut out };
            replay::run(question, &mut feed, &mut proceed)
        }
        Way::Asking(batch) => {
            let stream = Asked(replay::Recording::new(&traces[0], batch));
            let mut feed = replay::Learning::new(stream, engine.program(), replay::Learns::default());
            let question =
                replay::Question { engine: &mut engine, catalog: &catalog, names: &names, out: &mut out };
            replay::run(question, &mut feed, &mut proceed)
        }
    };
    // At its end a run ends the line.
    let text = String::from_utf8_lossy(&out.0).trim_end_matches('\n').to_owned();
    Ok(Ran { text, unread: outcome.unread, firings: outcome.firings, undecoded: outcome.undecoded })
}
