//! A run over traces: what it reports beside the answer.

use std::collections::BTreeSet;
use std::rc::Rc;

use tracewell::lacks;
use tracewell::run::{Finished, REFUSED, Survey};
use tracewell::text::coverage;
use tracewell::when::Between;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output;
use tracewell_etl::Trace;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay::Question;
use tracewell_symbols::FileStore;

use super::fatal::Fatal;
use super::graph;
use super::options::Invocation;
use super::output::RunOutput;
use crate::account;
use crate::input::TraceFile;
use crate::out::say;
use crate::progress::Progress;
use crate::status;
use crate::term::Style;
use tracewell_live::interrupt::Interrupt;
use tracewell_live::process;

/// What a run over traces is made of.
pub(super) struct Recorded<'r> {
    pub(super) inv: &'r Invocation,
    pub(super) files: &'r [TraceFile],
    pub(super) traces: &'r [Trace<'r>],
    pub(super) interrupt: &'r Interrupt,
}

impl Recorded<'_> {
    /// Runs the program, and reports what the answer lacks. Returns the exit status if an interrupt ended the run.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        catalog: &ProbeCatalog<'_>,
        out: &mut RunOutput,
    ) -> Result<Option<i32>, Fatal> {
        let style = Style::stderr();
        let wrong = |why: String| Fatal(format!("dtrace: {why}"));
        let between = self.inv.between().map_err(wrong)?;
        let window = between.window(self.traces).map_err(wrong)?;
        // A pass to learn of the machine, and one that fires.
        let size = self.files.iter().map(TraceFile::size).sum::<u64>();
        let progress = Rc::new(Progress::new(size * 2));
        out.beside(&progress);
        let survey = Survey::new(self.traces, engine.program(), |done| progress.done(done));
        let plain = self.inv.plain_addresses(engine.program());
        let server = crate::symbols::server_until({
            let interrupt = self.interrupt.clone();
            move || interrupt.raised()
        });
        let path = crate::symbols::search_path(
            self.inv.symbol_path_for(engine.program()),
            self.files.iter().map(|file| &file.path),
        );
        let store = FileStore::new(path, server.as_deref());
        let symbols = if plain { survey.plain_addresses() } else { survey.symbols(Some(&store)) };
        let _running = self.interrupt.in_order();
        let names = NameTable::new(catalog);
        let mut cut = None;
        let question = Question { engine, catalog, names: &names, out };
        let finished = survey.run(question, &symbols, window, &mut |done| {
            progress.done(size + done);
            if self.interrupt.raised() {
                cut.get_or_insert(done);
            }
            cut.is_none()
        });
        progress.clear();
        out.flush();
        let drawn = match finished.outcome.refused {
            true => Ok(()),
            false => graph::write(self.inv, engine, &symbols, finished.outcome.began),
        };
        if !plain {
            for line in crate::symbols::remarks(&store, style) {
                say!("dtrace: {line}");
            }
        }
        let deeds = engine.take_deeds();
        if !deeds.is_empty() {
            let names: BTreeSet<&str> = deeds.iter().map(|deed| process::name_of(deed.action)).collect();
            let names = Vec::from_iter(names).join(", ");
            say!("{}", style.yellow(&format!("dtrace: {names}: no effect over a trace")));
        }
        let is_whole_run = !engine.stopped() && !self.interrupt.raised();
        let is_silent = is_whole_run && self.report_silent(&between, &finished, engine, catalog);
        if let Some(part) = between.part("the answer", self.traces).filter(|_| !is_silent) {
            say!("{}", style.dim(&format!("dtrace: {part}")));
        }
        account::say("dtrace", self.files, &finished.accounts);
        for line in finished.remarks() {
            say!("{}", style.yellow(&format!("dtrace: {line}")));
        }
        if finished.outcome.refused {
            return Err(Fatal(format!("dtrace: {REFUSED}")));
        }
        drawn?;
        let Some(done) = cut else { return Ok(None) };
        let covered = coverage(self.traces.len(), done, size);
        say!("{}", style.yellow(&format!("dtrace: interrupted: the answer covers {covered}")));
        Ok(Some(status::STOPPED.into()))
    }

    /// Reports descriptions that could not fire, or that no event is in the time asked for. Returns `true` if it did.
    fn report_silent(
        &self,
        between: &Between,
        finished: &Finished,
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
    ) -> bool {
        let place = if between.is_whole() { "the trace" } else { "the time asked for" };
        let silent = finished.silent(engine.program(), catalog);
        let Some(line) = lacks::sentence(&silent, place) else { return false };
        let line = between.without_events(self.traces).unwrap_or(line);
        say!("{}", Style::stderr().yellow(&format!("dtrace: {line}")));
        true
    }
}
