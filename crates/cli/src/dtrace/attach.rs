//! A live run: what it listens to, and what it reports beside the answer.

use std::path::Path;

use tracewell::undecoded;
use tracewell_dengine::Engine;
use tracewell_dengine::host::Output as _;
use tracewell_dlang::options::{Opt, Options};
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::names::NameTable;
use tracewell_probes::replay;
use tracewell_symbols::FileStore;

use super::fatal::Fatal;
use super::options::Invocation;
use super::output::RunOutput;
use super::{graph, recording, watch};
use crate::out::say;
use crate::term::Style;
use tracewell_live::functions::{self, Functions};
use tracewell_live::interrupt::Interrupt;
use tracewell_live::run::{self, Outcome, Picture, Watched};
use tracewell_live::{process, reach, session};

/// What a live run is made of.
pub(super) struct Attaching<'r> {
    pub(super) inv: &'r Invocation,
    pub(super) options: &'r Options,
    pub(super) interrupt: &'r Interrupt,
    /// The file to record into.
    pub(super) new: Option<&'r Path>,
}

/// What happens on this system: its sessions, functions to watch, the process to watch, and what was heard already.
type Happening<'s> =
    (Option<&'s mut session::System>, Functions, Option<process::Target>, Option<session::Lesson>);

impl Attaching<'_> {
    /// Runs the program until it ends, and reports what the answer lacks.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        catalog: &ProbeCatalog<'_>,
        out: &mut RunOutput,
        (mut system, functions, target, lesson): Happening<'_>,
    ) -> Result<(), Fatal> {
        let inv = self.inv;
        let _running = self.interrupt.in_order();
        let options = self.options;
        let status = options.is_set(Opt::Statusrate).then(|| options.interval(Opt::Statusrate));
        let watch =
            if inv.shown.watch { watch::Watch::on_terminal(inv.output_file().is_some(), out) } else { None };
        if inv.shown.watch && watch.is_none() {
            say!("dtrace: --watch needs a terminal as output: the aggregations are shown at the end");
        }
        let began = lesson.as_ref().map(|lesson| lesson.began);
        if let Some(system) = system.as_deref_mut() {
            size_buffers(system, options);
            self.record(engine, catalog, system)?;
        }
        let writes_only = self.new.is_some() && !inv.answers_now;
        let mut needed = replay::needed(engine, catalog);
        if self.new.is_some() {
            needed = needed.to_be_read_later(engine, catalog);
        }
        if let Some(system) = needed.system.as_mut().filter(|_| options.flag(Opt::Nopushdown)) {
            system.log_all();
        }
        let (session, recorder) = open_session(
            (engine, catalog, needed),
            (system.as_deref_mut(), options),
            lesson,
            self.interrupt,
            writes_only,
        )?;
        if recorder.is_some() {
            out.hide();
        }
        let counting = match (options.flag(Opt::Fpidcount), options.flag(Opt::Nopushdown)) {
            (true, _) => functions::Counting::Demanded,
            (_, true) => functions::Counting::Never,
            _ => functions::Counting::Possible,
        };
        let functions = functions
            .attach(engine, catalog, (counting, options.flag(Opt::Follow)))
            .map_err(|what| Fatal(format!("dtrace: {what}")))?;
        for remark in functions.iter().flat_map(functions::Attached::remarks) {
            say!("{}", Style::stderr().yellow(&remark));
        }
        let plain = inv.plain_addresses(engine.program());
        let path =
            crate::symbols::search_path(inv.symbol_path_for(engine.program()), crate::symbols::NO_TRACES);
        let server = crate::symbols::server_until({
            let interrupt = self.interrupt.clone();
            move || interrupt.raised()
        });
        // Images are known by the kernel's events.
        let of_kernel = session.as_ref().is_some_and(|(_, needed)| needed.system.is_some());
        // Programs of Linux name their functions themselves, without a path to search.
        let names = cfg!(target_os = "linux") || !path.is_empty();
        let store = (of_kernel && !plain && names).then(|| FileStore::new(path, server.as_deref()));
        let store = store.as_ref();
        let interrupt = self.interrupt;
        // The command of -c may read the terminal itself.
        let watch = watch.map(|watch| match &target {
            None => watch.with_keys(interrupt),
            Some(_) => watch,
        });
        let watch = watch.map(|watch| Box::new(watch) as Box<dyn Picture>);
        let watched = Watched { interrupt, target, status, watch, session, functions, began, store, plain };
        let names = NameTable::new(catalog);
        let outcome = run::run(engine, catalog, &names, out, watched, |engine, symbols, began| {
            graph::write(inv, engine, symbols, began)
        });
        if let Some(store) = store {
            for line in crate::symbols::remarks(store, Style::stderr()) {
                say!("dtrace: {line}");
            }
        }
        drop(recorder);
        let recorded = match (self.new, system.and_then(|system| system.recorded())) {
            (Some(path), Some(status)) => recording::report(path, &status),
            _ => Ok(()),
        };
        report(outcome)?;
        out.flush();
        recorded
    }

    /// Has the session of the run write the new file, if there is one.
    fn record(
        &self,
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
        system: &mut session::System,
    ) -> Result<(), Fatal> {
        let Some(path) = self.new else { return Ok(()) };
        if replay::needed(engine, catalog) == replay::Needed::default() {
            // There is nothing to record.
            let why = "No such file or directory";
            return Err(Fatal(format!("dtrace: cannot open trace {}: {why}", path.display())));
        }
        system.record_into(path);
        recording::announce(path, self.inv.answers_now);
        Ok(())
    }
}

/// Has the sessions of a run use the size of buffers that its options set.
pub(super) fn size_buffers(system: &mut session::System, options: &Options) {
    if options.is_set(Opt::Bufsize) {
        system.size_buffers(options.size(Opt::Bufsize));
    }
}

/// The session of a live run, and what it was asked for; or a session that only writes a file.
type Opened = (Option<(session::Session, replay::Needed)>, Option<session::Recording>);

/// Reports the parts of a program that cannot fire here, and starts the session for the others.
fn open_session(
    (engine, catalog, mut needed): (&Engine, &ProbeCatalog<'_>, replay::Needed),
    (system, options): (Option<&mut session::System>, &Options),
    lesson: Option<session::Lesson>,
    interrupt: &Interrupt,
    writes_only: bool,
) -> Result<Opened, Fatal> {
    let style = Style::stderr();
    let obstacles = reach::Obstacles::of(engine.program(), catalog, system.as_deref());
    if let Some(line) = obstacles.line() {
        if obstacles.hopeless {
            return Err(Fatal(format!("{line}; {}", reach::live(system.as_deref()))));
        }
        say!("{}", style.yellow(&line));
    }
    if let Some(description) = &obstacles.samples_nobody {
        let line = format!(
            "dtrace: {description} is a timer of dtrace itself: live it samples nothing of the machine, and execname, pid, \
             arguments and stacks are dtrace's own (profile:::sample-N over a trace, -E, samples)"
        );
        say!("{}", style.yellow(&line));
    }
    if let Some(description) = &obstacles.uncounted {
        let line = format!(
            "dtrace: {description} fires only for events that carry hardware counters: sessions add these to events of the \
             kernel, not to those of providers"
        );
        say!("{}", style.yellow(&line));
    }
    let Some(system) = system else { return Ok((None, None)) };
    needed.providers.retain(|provider| system.may_log(&provider.guid));
    needed.system = needed.system.filter(|_| system.has_system_events());
    if needed == replay::Needed::default() {
        return Ok((None, None));
    }
    if system.has_own_processes_only()
        && let Some(asked) = &needed.system
    {
        if !asked.stacks.is_empty() {
            let line = "dtrace: stacks of the kernel's events need root, or a rule `kernel` of /etc/tracewell/access: without them \
                        there are only events of processes that you own, without stacks";
            return Err(Fatal(line.to_owned()));
        }
        let line = "dtrace: the kernel's events are those of processes that you own; those of all users need root, or a rule \
                    `kernel` of /etc/tracewell/access";
        say!("{}", style.yellow(line));
    }
    if let Some(size) = system.lowered_buffers() {
        let asked = options.size(Opt::Bufsize);
        let most = format!("{} MiB are the maximum for the events of a processor", size >> 20);
        if options.text(Opt::Bufresize).as_deref() == Some("manual") {
            return Err(Fatal(format!(
                "dtrace: bufsize {asked} is too large: {most} (bufresize=auto lowers it)"
            )));
        }
        say!("{}", style.yellow(&format!("dtrace: bufsize is lowered to {}m: {most}", size >> 20)));
    }
    if writes_only {
        drop(lesson);
        return Ok((None, Some(system.record(&needed, interrupt)?)));
    }
    let heard = lesson.is_some();
    let session = match lesson {
        Some(lesson) => system.go_on(lesson.session, &needed, interrupt)?,
        None => system.listen(&needed, interrupt)?,
    };
    for replay::NeededProvider { guid, .. } in &needed.providers {
        if !heard && !system.has_programs(guid) {
            let of = |id| replay::source_of(catalog, id) == replay::Source::Provider(*guid);
            let name = catalog.iter().find(|(info, _)| of(info.id));
            let name = name.map_or_else(|| guid.to_string(), |(info, _)| info.provider.clone());
            say!("dtrace: waiting for a program to register provider {name} {guid}");
        }
    }
    Ok((Some((session, needed)), None))
}

/// Reports the losses of a live run.
fn report(outcome: Outcome<Fatal>) -> Result<(), Fatal> {
    let style = Style::stderr();
    if outcome.lost > 0 {
        let count = tracewell::text::counted(outcome.lost, "event was", "events were");
        say!("{}", style.yellow(&format!("dtrace: {count} lost: they came faster than they were taken")));
    }
    for line in undecoded::lines(&outcome.undecoded) {
        say!("{}", style.yellow(&format!("dtrace: {line}")));
    }
    if outcome.unread > 0 {
        let count = tracewell::text::counted(outcome.unread, "event", "events");
        say!("{}", style.yellow(&format!("dtrace: {count} could not be read")));
    }
    for line in &outcome.remarks {
        say!("{}", style.yellow(&format!("dtrace: {line}")));
    }
    match outcome.gone {
        Some(error) => Err(Fatal(format!("dtrace: the session is gone: {error}"))),
        None => outcome.drawn,
    }
}
