//! The `dtrace` command.

mod compile;
mod fatal;
mod functions;
mod graph;
mod interrupt;
mod lacks;
mod learn;
mod list;
mod live;
#[cfg(test)]
mod live_tests;
mod messages;
pub mod options;
mod output;
mod process;
mod reach;
mod recording;
mod reference;
mod restrict;
mod session;
mod stored;
mod undecoded;
mod usage;
mod watch;

use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;
use std::rc::Rc;

use tracewell_dengine::host::Output;
use tracewell_dengine::{Engine, RunOptions, StartError};
use tracewell_dlang::header::{self, DeclaredProvider};
use tracewell_dlang::options::{Opt, Options, Setter};
use tracewell_dlang::program::{ProbeId, Program};
use tracewell_etl::Trace;
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::{Lookout, Sightings};
use tracewell_probes::names::NameTable;
use tracewell_probes::needs::Need;
use tracewell_probes::replay;
use tracewell_symbols::{FileStore, Symbols};

use crate::account;
use crate::input::{TraceFile, side_files, traces};
use crate::out::say;
use crate::progress::Progress;
use crate::term::Style;
use crate::when::{BACKWARDS, nothing_between, raw_time};
use fatal::Fatal;
use functions::Functions;
use interrupt::Interrupt;
use lacks::Lack;
use learn::{hear_what_is_listed, learn, live_catalog};
use options::Invocation;
use output::RunOutput;
use stored::stored_schemas;
use tracewell::account::Account;
use tracewell::text::grouped;

/// Exit status of a wrong command line.
const USAGE: u8 = 2;

/// Bytes that what a script keeps may grow to over a trace, of each kind: aggregations, dynamic variables, speculations,
/// and what is not yet shown. A trace waits, so that nothing need be lost; but memory is no more than there is.
const GROWTH: u64 = 1 << 30;

/// Exit status of a run over traces that an interrupt ended before all was read.
const INTERRUPTED: i32 = 4;

/// How much of the traces an answer covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// All that was asked for.
    Whole,
    /// The part before an interrupt.
    Partial,
}

/// Runs the command with the process's arguments. Exit status: 0 done, 1 a fatal error, 2 usage, else what
/// the script gave to `exit()`; 3 when a trace became shorter while it was read, 4 when an interrupt ended reading it.
#[must_use]
pub fn main() -> ExitCode {
    tracewell_etl::map::survive_truncation();
    crate::out::ended("dtrace", answer())
}

fn answer() -> ExitCode {
    crate::symbols::hush_symbol_readers();
    let words: Vec<String> = std::env::args_os().skip(1).map(|w| w.to_string_lossy().into_owned()).collect();
    let inv = match options::read(&words) {
        Ok(inv) => inv,
        Err(error) => {
            say!("dtrace: {error} (dtrace --help lists the options)");
            return ExitCode::from(USAGE);
        }
    };
    if let Some(what) = inv.reference {
        crate::write_stdout(&reference::text(what));
        return ExitCode::SUCCESS;
    }
    if inv.help {
        crate::write_stdout(&usage::help());
        return ExitCode::SUCCESS;
    }
    if inv.version {
        crate::write_stdout(concat!("dtrace: Tracewell ", env!("CARGO_PKG_VERSION"), ", D API 1.14\n"));
        return ExitCode::SUCCESS;
    }
    match run(&inv, session::System::ask) {
        Ok(status) => ExitCode::from(status as u8),
        Err(Fatal(line)) => {
            say!("{}", line.trim_end_matches('\n'));
            ExitCode::FAILURE
        }
    }
}

/// The options of the command line, in order.
fn options_of(inv: &Invocation) -> Result<Options, Fatal> {
    let mut options = Options::default();
    for (name, value) in &inv.options {
        // -32 and -64 are no named options.
        if matches!(name.as_str(), "ilp32" | "lp64") {
            continue;
        }
        options.set(name, value.as_deref(), Setter::CommandLine).map_err(|e| Fatal::of_option(name, &e))?;
    }
    Ok(options)
}

/// What `-c` changes in the environment of its command.
fn environment(options: &Options) -> Result<process::Environment, Fatal> {
    let list = |opt| options.list(opt);
    process::Environment::new(&list(Opt::Setenv), &list(Opt::Unsetenv))
        .map_err(|name| Fatal(format!("dtrace: failed to set -x {name}: Invalid value for specified option")))
}

/// Runs what the command line asks for; `ask` yields the sessions of this system.
fn run(inv: &Invocation, ask: impl FnOnce() -> Option<session::System>) -> Result<i32, Fatal> {
    let options = options_of(inv)?;
    let time = std::time::Duration::from_nanos(options.interval(Opt::Expandtime));
    crate::expansion::limit(
        options.is_set(Opt::Expandlimit).then(|| options.size(Opt::Expandlimit)),
        Some(time),
    );
    let limits = restrict::Limits::of(&options);
    let interrupt = Interrupt::install();
    if let Some(time) = limits.time {
        interrupt.expire(time);
    }
    if inv.programs.is_empty() && inv.compile_only && !inv.list {
        compile::libraries_alone(inv, &options, &mut ProbeCatalog::new())?;
        return Ok(0);
    }
    if inv.programs.is_empty() && !inv.list {
        say!(
            "dtrace: there is no program: give one with -n or -s, or list probes with -l (dtrace --help lists the options)"
        );
        return Ok(i32::from(USAGE));
    }
    let new = recording::new_file(inv);
    let given = if new.is_some() { &[][..] } else { inv.traces.as_slice() };
    let beside = side_files(given);
    for path in &beside {
        say!("dtrace: {} is read too: it belongs to the trace beside it", path.display());
    }
    let paths = given.iter().chain(&beside);
    let files = traces(paths).collect::<Result<Vec<_>, _>>()?;
    let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>()?;
    let mut system = if traces.is_empty() { ask() } else { None };
    let functions = Functions::new(options.int(Opt::Pidlimit));
    let mut catalog = match &system {
        Some(system) => {
            let survey = system.survey(|| Lookout::new(stored_schemas()).sightings());
            live_catalog(survey, system.samples(), &functions)
        }
        None => {
            let mut catalog = ProbeCatalog::new();
            catalog.survey_by(|| Sightings::of(&traces, stored_schemas()));
            catalog
        }
    };
    let mut target = match (&inv.command, inv.grab) {
        (Some(command), _) => {
            Some(process::Target::start(command, &environment(&options)?).map_err(|e| {
                Fatal(format!("dtrace: failed to start '{command}': {}", crate::input::reason(&e)))
            })?)
        }
        (None, Some(pid)) => Some(process::Target::grab(pid).map_err(|e| {
            Fatal(format!("dtrace: failed to grab process {pid}: {}", crate::input::reason(&e)))
        })?),
        _ => None,
    };
    if let (Some(command), Some(pid)) = (&inv.command, target.as_ref().and_then(process::Target::waiting)) {
        let environment = environment(&options)?;
        functions.begins(functions::Beginning { pid, command: command.clone(), environment });
    }
    if let Some(pid) = target.as_ref().and_then(process::Target::waiting) {
        let theirs = interrupt.clone();
        interrupt.before_exit(move || {
            // Once it runs it is not ours to end.
            if !theirs.is_in_order() {
                process::kill(pid);
            }
        });
    }
    if inv.list {
        if let Some(system) = &mut system {
            let _listening = interrupt.in_order();
            hear_what_is_listed(inv, &options, &mut catalog, system, &functions, &interrupt);
        }
        return list::list(
            inv,
            &options,
            &mut catalog,
            &traces,
            system.as_ref(),
            target.as_ref().map(process::Target::pid),
        );
    }
    let pid = target.as_ref().map(process::Target::pid);
    let (prepared, lesson) = match (compile::compile(inv, options.clone(), &mut catalog, pid), &mut system) {
        (Err(error), Some(system)) if !inv.compile_only => {
            let _listening = interrupt.in_order();
            let target = target.as_mut();
            learn((inv, &options), &mut catalog, system, &functions, &interrupt, target, error)?
        }
        (prepared, _) => (prepared?, None),
    };
    if inv.header {
        return write_header(inv, &prepared.providers);
    }
    let quiet = prepared.run_options.quiet;
    if !quiet {
        for matched in &prepared.program.matched {
            let what = if matched.script { "script" } else { "description" };
            let plural = if matched.probes == 1 { "" } else { "s" };
            // Of a program on the command line only its description names it.
            let end = if matched.script { None } else { matched.name.find(['{', '/', ';']) };
            let name = matched.name.get(..end.unwrap_or(matched.name.len())).unwrap_or_default();
            say!("dtrace: {what} '{name}' matched {} probe{plural}", matched.probes);
        }
    }
    if inv.show_code || prepared.options.int(Opt::Disasm).is_some_and(|n| n > 0) {
        crate::out::write_stderr(&tracewell_dlang::ir::text::print(&prepared.program));
    }
    if inv.compile_only {
        return Ok(0);
    }
    if prepared.run_options.destructive && !quiet {
        say!("dtrace: allowing destructive actions");
    }
    let names = NameTable::new(&catalog);
    let mut run_options = prepared.run_options;
    if !traces.is_empty() {
        run_options.growth = Some(GROWTH);
    }
    limits.apply(&mut run_options);
    if inv.folded || inv.flame.is_some() {
        graph::whole_stacks(&prepared.options, &mut run_options);
    }
    let mut engine = Engine::new(prepared.program, run_options).map_err(|e| {
        let hint = if matches!(e, StartError::Destructive) { " (-w allows them)" } else { "" };
        Fatal(format!("dtrace: could not enable tracing: {e}{hint}"))
    })?;
    let mut out =
        RunOutput::new(inv.output_file(), limits.output, options.flag(Opt::Restrict)).map_err(|e| {
            let path = inv.output.as_deref().map(|p| p.display().to_string()).unwrap_or_default();
            Fatal(format!("dtrace: failed to open output file '{path}': {}", crate::input::reason(&e)))
        })?;
    if inv.folded || inv.flame.is_some() {
        engine.withhold_stacks();
    }
    if inv.heat.is_some() {
        engine.withhold_numbered_histograms();
    }
    if inv.watch && !traces.is_empty() {
        say!("dtrace: --watch is for live runs: over a trace the aggregations are shown at the end");
    }
    if traces.is_empty() {
        let _running = interrupt.in_order();
        let status =
            prepared.options.is_set(Opt::Statusrate).then(|| prepared.options.interval(Opt::Statusrate));
        let watch =
            if inv.watch { watch::Watch::on_terminal(inv.output_file().is_some(), &out) } else { None };
        if inv.watch && watch.is_none() {
            say!("dtrace: --watch needs a terminal as output: the aggregations are shown at the end");
        }
        let began = lesson.as_ref().map(|lesson| lesson.began);
        if let (Some(path), Some(system)) = (new, &mut system) {
            let needed = replay::needed(&engine, &catalog);
            if needed == replay::Needed::default() {
                // There is nothing to record.
                let why = "No such file or directory";
                return Err(Fatal(format!("dtrace: cannot open trace {}: {why}", path.display())));
            }
            system.record_into(path);
            recording::announce(path, inv.answers_now);
        }
        let writes_only = new.is_some() && !inv.answers_now;
        let (session, recorder) =
            open_session(&engine, &catalog, system.as_mut(), lesson, &interrupt, writes_only)?;
        if recorder.is_some() {
            out.hide();
        }
        let functions = functions.attach(&engine, &catalog)?;
        for remark in functions.iter().flat_map(functions::Attached::remarks) {
            say!("{}", Style::stderr().yellow(&remark));
        }
        let plain = plain_addresses(inv, engine.program());
        let path = crate::symbols::search_path(prepared_symbol_path(inv, engine.program()));
        let server = crate::symbols::server_until({
            let interrupt = interrupt.clone();
            move || interrupt.raised()
        });
        // Images are known by the kernel's events.
        let of_kernel = session.as_ref().is_some_and(|(_, needed)| needed.system.is_some());
        let store =
            (of_kernel && !plain && !path.is_empty()).then(|| FileStore::new(path, server.as_deref()));
        let store = store.as_ref();
        let watched = live::Watched {
            interrupt: &interrupt,
            target,
            status,
            watch,
            session,
            functions,
            began,
            store,
            plain,
        };
        let outcome =
            live::run(&mut engine, &catalog, &names, &mut out, watched, |engine, symbols, began| {
                graph::write(inv, engine, symbols, began)
            });
        if let Some(store) = store {
            for line in crate::symbols::remarks(store, Style::stderr()) {
                say!("dtrace: {line}");
            }
        }
        drop(recorder);
        if let (Some(path), Some(status)) = (new, system.as_ref().and_then(session::System::recorded)) {
            recording::report(path, &status);
        }
        report(outcome)?;
    } else {
        let answer = over_traces(inv, &mut engine, &catalog, &names, &files, &traces, &mut out, &interrupt)?;
        if answer == Answer::Partial && engine.exit_status().is_none() {
            out.flush();
            return Ok(INTERRUPTED);
        }
    }
    out.flush();
    // A run that was cut short is not done.
    Ok(engine.exit_status().unwrap_or(i32::from(interrupt.expired())))
}

/// The session of a live run, and what it was asked for; or a session that only writes a file.
type Opened = (Option<(session::Session, replay::Needed)>, Option<session::Recording>);

/// Reports the parts of a program that cannot fire here, and starts the session for the others.
fn open_session(
    engine: &Engine,
    catalog: &ProbeCatalog<'_>,
    system: Option<&mut session::System>,
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
    let mut needed = replay::needed(engine, catalog);
    let Some(system) = system else { return Ok((None, None)) };
    needed.providers.retain(|provider| system.may_log(&provider.guid));
    needed.system = needed.system.filter(|_| system.has_system_events());
    if needed == replay::Needed::default() {
        return Ok((None, None));
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
fn report(outcome: live::Outcome) -> Result<(), Fatal> {
    let style = Style::stderr();
    if outcome.lost > 0 {
        let count = tracewell::text::counted(outcome.lost, "event was", "events were");
        say!("{}", style.yellow(&format!("dtrace: {count} lost: they came faster than they were taken")));
    }
    undecoded::say_undecoded(&outcome.undecoded, style);
    if outcome.unread > 0 {
        let count = tracewell::text::counted(outcome.unread, "event", "events");
        say!("{}", style.yellow(&format!("dtrace: {count} could not be read")));
    }
    match outcome.gone {
        Some(error) => Err(Fatal(format!("dtrace: the session is gone: {error}"))),
        None => outcome.drawn,
    }
}

/// `-h`: writes the header of the declared providers, to the file of `-o` or one named after the script.
fn write_header(inv: &Invocation, providers: &[DeclaredProvider]) -> Result<i32, Fatal> {
    if providers.is_empty() {
        return Err(Fatal("dtrace: no header can be made: the script declares no provider".to_owned()));
    }
    let script = inv.programs.iter().find_map(|p| match p {
        options::Program::Script(path) => Some(path.with_extension("h")),
        options::Program::Spec(..) => None,
    });
    // Beside us, not beside the script, as the compiler's output is.
    let named = script.as_deref().and_then(std::path::Path::file_name).map(std::path::PathBuf::from);
    let Some(path) = inv.output.clone().or(named.clone()) else {
        return Err(Fatal("dtrace: -h needs a script (-s), or the header's name (-o)".to_owned()));
    };
    if path.as_os_str() == "-" {
        let name = named.unwrap_or_default().to_string_lossy().into_owned();
        crate::write_stdout(&header::header(&name, providers));
        return Ok(0);
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::fs::write(&path, header::header(&file, providers)).map_err(|e| {
        Fatal(format!("dtrace: cannot write {}: {}", path.display(), crate::input::reason(&e)))
    })?;
    Ok(0)
}

#[allow(clippy::too_many_arguments, reason = "all that a run over traces is made of")]
fn over_traces(
    inv: &Invocation,
    engine: &mut Engine,
    catalog: &ProbeCatalog<'_>,
    names: &NameTable,
    files: &[TraceFile],
    traces: &[Trace<'_>],
    out: &mut RunOutput,
    interrupt: &Interrupt,
) -> Result<Answer, Fatal> {
    let style = Style::stderr();
    // A pass to learn of the machine, and one that fires.
    let size = files.iter().map(TraceFile::size).sum::<u64>();
    let progress = Rc::new(Progress::new(size * 2));
    out.beside(&progress);
    let (machine, unread, ledgers) =
        replay::survey_all(traces, replay::needs(engine.program()), |done| progress.done(done));
    let stacks = replay::stacks(traces, engine.program(), catalog);
    let plain = plain_addresses(inv, engine.program());
    let named = prepared_symbol_path(inv, engine.program());
    let server = crate::symbols::server_until({
        let interrupt = interrupt.clone();
        move || interrupt.raised()
    });
    let path = crate::symbols::search_path(named);
    let store = FileStore::new(path, server.as_deref());
    let symbols = match plain {
        true => Symbols::plain(&machine),
        false => Symbols::new(&machine).with_store(&store),
    };
    let surveyed = replay::Surveyed {
        machine: &machine,
        stacks: stacks.as_ref(),
        symbols: &symbols,
        window: window(inv, traces)?,
    };
    let _running = interrupt.in_order();
    let question = replay::Question { engine, catalog, names, out };
    let mut cut = None;
    let outcome = replay::run(question, &mut replay::Files::new(traces, surveyed), &mut |done| {
        progress.done(size + done);
        if interrupt.raised() {
            cut.get_or_insert(done);
        }
        cut.is_none()
    });
    progress.clear();
    out.flush();
    let drawn = match outcome.refused {
        true => Ok(()),
        false => graph::write(inv, engine, &symbols, outcome.began),
    };
    if !plain {
        for line in crate::symbols::remarks(&store, style) {
            say!("dtrace: {line}");
        }
    }
    if !engine.stopped()
        && !interrupt.raised()
        && let Some(line) = silent(engine.program(), catalog, &outcome.fired, inv.is_windowed())
    {
        let line = out_of_time(inv, traces)?.unwrap_or(line);
        say!("{}", style.yellow(&line));
    }
    let found = outcome.damaged.iter().zip(&outcome.left_out);
    let accounts =
        traces.iter().zip(ledgers.iter().zip(found)).map(|(trace, (ledger, (damaged, left_out)))| {
            let mut account = Account::new(trace);
            account.found(ledger.count() - ledger.limited());
            account.found(*damaged);
            account.left_out(*left_out);
            account
        });
    account::say("dtrace", files, &accounts.collect::<Vec<_>>());
    if outcome.ticks_left_out > 0 {
        say!(
            "{}",
            style.yellow(&format!(
                "dtrace: {} firings of timed probes were left out: the trace jumps far ahead in time",
                outcome.ticks_left_out
            ))
        );
    }
    undecoded::say_undecoded(&outcome.undecoded, style);
    if outcome.refused {
        let why = "dtrace: no answer: an event that the program reads was not decoded by its own description (-x strict)";
        return Err(Fatal(why.to_owned()));
    }
    let unread = unread + outcome.unread;
    if unread > 0 {
        say!(
            "{}",
            style.yellow(&format!(
                "dtrace: {unread} events could not be read: their layout is not known or they are cut short"
            ))
        );
    }
    drawn?;
    Ok(match cut {
        None => Answer::Whole,
        Some(done) => {
            let percent = done.min(size).saturating_mul(100) / size.max(1);
            let line = format!(
                "dtrace: interrupted: the answer covers the first {percent} % of the {} ({} of {} bytes)",
                if traces.len() == 1 { "trace" } else { "traces" },
                grouped(done),
                grouped(size)
            );
            say!("{}", style.yellow(&line));
            Answer::Partial
        }
    })
}

/// Returns `true` if addresses are to stay addresses.
fn plain_addresses(inv: &Invocation, program: &Program) -> bool {
    inv.options.iter().chain(&program.options).any(|(name, _)| name == Opt::Noresolve.name())
}

/// The search path for symbols that the command line names, else the program.
fn prepared_symbol_path<'a>(inv: &'a Invocation, program: &'a Program) -> Option<&'a str> {
    let settings = || program.options.iter().chain(&inv.options);
    let last = settings().rev().find(|(name, _)| name == Opt::Sympath.name());
    inv.symbol_path.as_deref().or_else(|| last?.1.as_deref())
}

/// The part of the time that is asked for, on the first trace's clock.
fn window(inv: &Invocation, traces: &[Trace<'_>]) -> Result<replay::Window, Fatal> {
    let all = replay::Window::ALL;
    let Some(first) = traces.first() else { return Ok(all) };
    let time = |text: &Option<String>| -> Result<Option<i64>, Fatal> {
        let Some(text) = text else { return Ok(None) };
        let raw = raw_time(text, first).map_err(|why| Fatal(format!("dtrace: {why}")))?;
        Ok(Some(first.clock().ns(raw)))
    };
    let from = time(&inv.start)?.unwrap_or(all.from);
    let until = time(&inv.end)?.unwrap_or(all.until);
    if from >= until {
        return Err(Fatal(format!("dtrace: {BACKWARDS}")));
    }
    Ok(replay::Window { from, until })
}

/// What to say when no event is in the time that is asked for.
fn out_of_time(inv: &Invocation, traces: &[Trace<'_>]) -> Result<Option<String>, Fatal> {
    let Some(first) = traces.first().filter(|_| inv.is_windowed()) else { return Ok(None) };
    let clock = first.clock();
    let time = |text: &Option<String>, else_at| match text {
        Some(text) => raw_time(text, first).map(|raw| clock.unix_ns(raw)),
        None => Ok(else_at),
    };
    let wrong = |why| Fatal(format!("dtrace: {why}"));
    let (from, until) =
        (time(&inv.start, i64::MIN).map_err(wrong)?, time(&inv.end, i64::MAX).map_err(wrong)?);
    Ok(nothing_between(traces, from, until).map(|nothing| format!("dtrace: {nothing}")))
}

/// Messages about descriptions of which no probe could fire in the traces. If another probe shows that such
/// events were recorded, there is no message, even if none of these events happened.
fn silent(program: &Program, catalog: &ProbeCatalog<'_>, fired: &[bool], windowed: bool) -> Option<String> {
    let place = if windowed { "the time asked for" } else { "the trace" };
    let has_fired = |probe: ProbeId| {
        (probe.0 as usize).checked_sub(1).and_then(|at| fired.get(at)).is_some_and(|&fired| fired)
    };
    let all = program.clauses.iter().flat_map(|clause| &clause.probes);
    let recorded: HashSet<Need> =
        all.filter(|&&probe| has_fired(probe)).filter_map(|&probe| catalog.needs(probe)).collect();
    let mut lacks: Vec<(Vec<Need>, Vec<&str>)> = Vec::new();
    for clause in &program.clauses {
        let mut rest = clause.probes.as_slice();
        for (description, count) in &clause.described {
            let (probes, others) = rest.split_at((*count as usize).min(rest.len()));
            rest = others;
            let mut needs: Vec<Need> = Vec::new();
            // A description that fires on anything at all is not silent.
            let silent = probes.iter().all(|&probe| match catalog.needs(probe) {
                Some(need) if !has_fired(probe) => {
                    if !needs.contains(&need) {
                        needs.push(need);
                    }
                    true
                }
                _ => false,
            });
            if !silent || needs.iter().all(|need| recorded.contains(need)) {
                continue;
            }
            let description = description.trim();
            match lacks.iter_mut().find(|(known, _)| *known == needs) {
                Some((_, names)) if names.contains(&description) => {}
                Some((_, names)) => names.push(description),
                None => lacks.push((needs, vec![description])),
            }
        }
    }
    let lacks: Vec<Lack> = lacks.into_iter().map(|(needs, names)| lack(needs, &names.join(", "))).collect();
    match lacks.as_slice() {
        [] => None,
        [Lack { need, probes, .. }] => Some(format!(
            "dtrace: {probes} cannot fire here: {place} has no such event (recording it needs {need})"
        )),
        many => {
            let lines = lacks::lines(many);
            Some(format!(
                "dtrace: these cannot fire here: {place} has no such events, whose recording needs\n{}",
                lines.trim_end()
            ))
        }
    }
}

/// What a description lacks whose probes have several needs: of one provider they are one, else they are listed.
fn lack(mut needs: Vec<Need>, probes: &str) -> Lack {
    const MOST_NEEDS: usize = 4;
    let first = needs.first().and_then(|first| first.provider.clone());
    let shared = first.filter(|first| needs.iter().all(|need| need.provider.as_ref() == Some(first)));
    let left_out = needs.len() > MOST_NEEDS;
    if left_out && shared.is_some() {
        // A pattern over most of a provider: anything of it will do.
        needs.clear();
    }
    needs.truncate(MOST_NEEDS);
    let each = |need: &Need| if shared.is_some() { need.what.clone() } else { need.to_string() };
    let mut what: Vec<String> = needs.iter().map(each).filter(|what| !what.is_empty()).collect();
    if left_out && !needs.is_empty() {
        what.push("...".to_owned());
    }
    let need = Need { provider: shared, what: what.join("; or ") };
    Lack { need, probes: probes.to_owned(), was_on: false }
}

/// Runs one clause over a mapped file and yields the counts of its aggregation: the same path as the
/// command's, for benchmarks.
///
/// # Errors
/// The line that the command would print.
#[doc(hidden)]
pub fn count_for_benchmark(script: &str, file: &TraceFile) -> Result<BTreeMap<String, u64>, String> {
    struct Lines(Vec<u8>);
    impl Output for Lines {
        fn write(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }
        fn error(&mut self, _: &str) {}
        fn reopen(&mut self, _: Option<&[u8]>) -> Result<(), String> {
            Ok(())
        }
        fn system(&mut self, _: &[u8]) {}
    }
    let fatal = |Fatal(line): Fatal| line;
    let traces = [file.trace().map_err(|e| e.to_string())?];
    let inv = Invocation {
        programs: vec![options::Program::Spec('n', script.to_owned())],
        options: vec![("quiet".to_owned(), None)],
        ..Invocation::default()
    };
    let mut catalog = ProbeCatalog::new();
    catalog.survey_by(|| Sightings::of(&traces, stored_schemas()));
    let prepared =
        compile::compile(&inv, options_of(&inv).map_err(fatal)?, &mut catalog, None).map_err(fatal)?;
    let names = NameTable::new(&catalog);
    let (machine, _) = replay::survey(&traces, replay::needs(&prepared.program), |_| {});
    let run_options = RunOptions { growth: Some(GROWTH), ..prepared.run_options };
    let mut engine = Engine::new(prepared.program, run_options).map_err(|e| e.to_string())?;
    let mut out = Lines(Vec::new());
    let stacks = replay::stacks(&traces, engine.program(), &catalog);
    let symbols = Symbols::new(&machine);
    let surveyed = replay::Surveyed {
        machine: &machine,
        stacks: stacks.as_ref(),
        symbols: &symbols,
        window: replay::Window::ALL,
    };
    let question = replay::Question { engine: &mut engine, catalog: &catalog, names: &names, out: &mut out };
    replay::run(question, &mut replay::Files::new(&traces, surveyed), &mut |_| true);
    Ok(String::from_utf8_lossy(&out.0)
        .lines()
        .filter_map(|line| {
            let (name, count) = line.trim().rsplit_once(char::is_whitespace)?;
            Some((name.trim().to_owned(), count.parse().ok()?))
        })
        .collect())
}
