//! The `dtrace` command.

mod aggregations;
mod attach;
mod compile;
mod fatal;
mod fit;
mod graph;
mod interrupt;
#[cfg_attr(not(unix), allow(dead_code, reason = "keys are read from terminals of Unix alone"))]
mod keys;
mod learn;
mod list;
#[cfg(test)]
mod live_tests;
mod many;
mod messages;
mod object;
pub mod options;
mod output;
mod patterns;
mod recorded;
mod recording;
mod reference;
pub mod scripts;
mod stored;
mod usage;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tracewell::Script;
use tracewell::restrict::Limits;
use tracewell::run;
use tracewell_dengine::host::Output;
use tracewell_dengine::{Engine, RunOptions, StartError};
use tracewell_dlang::header::{self, DeclaredProvider};
use tracewell_dlang::options::{Opt, Options, Setter};
use tracewell_dlang::program::Program;
use tracewell_etl::Trace;
use tracewell_live::functions::{self, Functions};
use tracewell_live::interrupt::Interrupt;
use tracewell_live::{process, session};
use tracewell_probes::catalog::ProbeCatalog;
use tracewell_probes::events::{Lookout, Sightings};

use crate::input::{TraceFile, side_files, traces};
use crate::out::say;
use compile::Prepared;
use fatal::Fatal;
use learn::{hear_what_is_listed, learn, live_catalog};
use options::{Invocation, Many};
use recorded::Recorded;
use stored::{all_calls, schemas_for, stored_schemas};

/// Exit status of a wrong command line.
const USAGE: u8 = 2;

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
    if let Some(what) = inv.does.reference {
        crate::write_stdout(&reference::text(what));
        return ExitCode::SUCCESS;
    }
    if let Some(shown) = inv.does.scripts {
        crate::write_stdout(&scripts::text(shown, inv.shown.json, inv.verbose));
        return ExitCode::SUCCESS;
    }
    if inv.does.help {
        crate::write_stdout(&usage::help());
        return ExitCode::SUCCESS;
    }
    if inv.does.version {
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
    // Before the run, which may take long.
    let outputs = [&inv.shown.flame, &inv.shown.heat, &inv.agg_out];
    for path in outputs.into_iter().flatten().filter(|_| !inv.shown.force) {
        if path != Path::new("-") && crate::links::holds_a_file(path) {
            return Err(Fatal(format!("dtrace: {}", crate::links::taken(path))));
        }
    }
    let options = options_of(inv)?;
    let time = std::time::Duration::from_nanos(options.interval(Opt::Expandtime));
    crate::expansion::limit(
        options.is_set(Opt::Expandlimit).then(|| options.size(Opt::Expandlimit)),
        Some(time),
    );
    let limits = Limits::of(&options);
    let interrupt = interrupt::install();
    if let Some(time) = limits.time {
        interrupt::expire(&interrupt, time);
    }
    if inv.does.merge_aggregations {
        return aggregations::merge(inv, &options, &limits);
    }
    if inv.programs.is_empty() && !inv.does.list {
        return without_program(inv, &options);
    }
    let traces = patterns::expanded(&inv.traces).map_err(Fatal)?;
    let inv = &Invocation { traces, ..inv.clone() };
    if inv.many != Many::One
        && !inv.does.list
        && !inv.does.compile_only
        && !inv.does.header
        && !inv.does.object
    {
        return many::run(inv, &options, &interrupt, &limits);
    }
    let new = recording::new_file(inv);
    let files = open(if new.is_some() { &[] } else { &inv.traces })?;
    let traces = files.iter().map(TraceFile::trace).collect::<Result<Vec<_>, _>>()?;
    let mut system = if traces.is_empty() { ask() } else { None };
    if let Some(system) = &mut system {
        system.look_for(compile::named_probes(inv, &options, None));
        attach::size_buffers(system, &options);
    }
    let functions = Functions::new(options.int(Opt::Pidlimit), options.flag(Opt::Zdefs));
    let mut catalog = catalog(&files, &traces, system.as_ref(), &functions, inv.symbol_path.as_deref());
    let mut target = target(inv, &options, &functions, &interrupt)?;
    let pid = target.as_ref().map(process::Target::pid);
    if inv.does.list {
        if let Some(system) = &mut system {
            let _listening = interrupt.in_order();
            hear_what_is_listed(inv, &options, &mut catalog, system, &functions, &interrupt);
        }
        return list::list(inv, &options, &mut catalog, &traces, system.as_ref(), pid);
    }
    let (mut prepared, lesson) = match (compile::compile(inv, &options, &mut catalog, pid), &mut system) {
        (Err(error), Some(system)) if !inv.does.compile_only => {
            let _listening = interrupt.in_order();
            let target = target.as_mut();
            learn((inv, &options), &mut catalog, system, &functions, &interrupt, target, error)?
        }
        (prepared, _) => (prepared?, None),
    };
    if inv.does.header || inv.does.object {
        return write_for_programs(inv, &prepared.providers);
    }
    announce(inv, &prepared);
    // Without a clause nothing can ever end the run.
    if inv.does.compile_only || prepared.program.clauses.is_empty() && traces.is_empty() && target.is_none() {
        return Ok(0);
    }
    if prepared.run_options.destructive && !prepared.run_options.quiet {
        say!("dtrace: allowing destructive actions");
    }
    if !traces.is_empty() {
        run::grow(&mut prepared.run_options, &prepared.options);
    }
    let Prepared { program, options, run_options, .. } = prepared;
    let mut out = aggregations::output(inv, &options, &limits)?;
    out.register(&program.events);
    let mut engine = start(inv, (program, &options, run_options), &limits)?;
    if inv.agg_out.is_some() {
        engine.keep_aggregations();
    }
    let status = if traces.is_empty() {
        let attached = attach::Attaching { inv, options: &options, interrupt: &interrupt, new };
        attached.run(&mut engine, &catalog, &mut out, (system.as_mut(), functions, target, lesson))?;
        None
    } else {
        if inv.shown.watch {
            say!("dtrace: --watch is for live runs: over a trace the aggregations are shown at the end");
        }
        let recorded = Recorded { inv, files: &files, traces: &traces, interrupt: &interrupt };
        recorded.run(&mut engine, &catalog, &mut out)?
    };
    out.flush();
    if let (Some(path), Some(kept)) = (&inv.agg_out, engine.take_kept()) {
        aggregations::write(path, inv.shown.force, &kept)?;
    }
    // A run that was cut short is not done.
    let cut_short = status.unwrap_or(i32::from(interrupt.expired()));
    Ok(engine.exit_status().unwrap_or(cut_short))
}

/// A command line without a program: with `-e` it checks the libraries.
fn without_program(inv: &Invocation, options: &Options) -> Result<i32, Fatal> {
    if inv.does.compile_only {
        compile::libraries_alone(inv, options, &mut ProbeCatalog::new())?;
        return Ok(0);
    }
    say!(
        "dtrace: there is no program: give one with -n or -s, name a script (dtrace scripts lists them), or list probes with -l \
         (dtrace --help lists the options)"
    );
    Ok(i32::from(USAGE))
}

/// Opens the traces that are given, and those that belong to them.
fn open(given: &[PathBuf]) -> Result<Vec<TraceFile>, Fatal> {
    let beside = side_files(given);
    for path in &beside {
        say!("dtrace: {} is read too: it belongs to the trace beside it", path.display());
    }
    Ok(traces(given.iter().chain(&beside)).collect::<Result<_, _>>()?)
}

/// The probes on what traces hold, or on what this system has.
fn catalog<'t>(
    files: &'t [TraceFile],
    traces: &'t [Trace<'t>],
    system: Option<&session::System>,
    functions: &Functions,
    symbols: Option<&'t str>,
) -> ProbeCatalog<'t> {
    match system {
        Some(system) => live_catalog(system, || Lookout::new(stored_schemas()).sightings(), functions),
        None => {
            let mut catalog = ProbeCatalog::new();
            catalog.survey_by(move || Sightings::of(traces, schemas_for(traces, symbols)));
            catalog.name_calls_by(move || all_calls(files, traces, symbols));
            catalog
        }
    }
}

/// Starts the command of `-c`, or finds the process of `-p`.
fn target(
    inv: &Invocation,
    options: &Options,
    functions: &Functions,
    interrupt: &Interrupt,
) -> Result<Option<process::Target>, Fatal> {
    let mut environment = environment(options)?;
    if inv.command.is_some() && compile::names_hooks(inv, options) {
        functions.injects(&mut environment).map_err(|why| Fatal(format!("dtrace: {why}")))?;
    }
    let target = match (&inv.command, inv.grab) {
        (Some(command), _) => process::Target::start(command, &environment).map_err(|e| {
            Fatal(format!("dtrace: failed to start '{command}': {}", crate::input::reason(&e)))
        })?,
        (None, Some(pid)) => process::Target::grab(pid).map_err(|e| {
            Fatal(format!("dtrace: failed to grab process {pid}: {}", crate::input::reason(&e)))
        })?,
        (None, None) => return Ok(None),
    };
    if inv.grab.is_some() {
        functions.grabs(target.pid());
    }
    let Some(pid) = target.waiting() else { return Ok(Some(target)) };
    if let Some(command) = &inv.command {
        functions.begins(functions::Beginning { pid, command: command.clone(), environment });
    }
    let theirs = interrupt.clone();
    interrupt.before_exit(move || {
        // Once it runs it is not ours to end.
        if !theirs.is_in_order() {
            process::kill(pid);
        }
    });
    Ok(Some(target))
}

/// Reports what was compiled.
fn announce(inv: &Invocation, prepared: &Prepared) {
    if !prepared.run_options.quiet {
        for matched in &prepared.program.matched {
            let what = if matched.script { "script" } else { "description" };
            let plural = if matched.probes == 1 { "" } else { "s" };
            // Of a program on the command line only its description names it.
            let end = if matched.script { None } else { matched.name.find(['{', '/', ';']) };
            let name = matched.name.get(..end.unwrap_or(matched.name.len())).unwrap_or_default();
            say!("dtrace: {what} '{name}' matched {} probe{plural}", matched.probes);
        }
    }
    if inv.does.show_code || prepared.options.int(Opt::Disasm).is_some_and(|n| n > 0) {
        crate::out::write_stderr(&tracewell_dlang::ir::text::print(&prepared.program));
    }
}

/// Makes the engine, which leaves what is drawn as a picture out of its output.
fn start(
    inv: &Invocation,
    (program, options, mut run_options): (Program, &Options, RunOptions),
    limits: &Limits,
) -> Result<Engine, Fatal> {
    let draws_stacks = inv.shown.folded || inv.shown.flame.is_some();
    if draws_stacks {
        graph::whole_stacks(options, &mut run_options);
    }
    let oracle = run_options.oracle;
    let mut engine = run::engine(program, run_options, limits).map_err(|e| {
        Fatal(match e {
            StartError::Destructive if oracle => {
                "dtrace: could not enable tracing: Destructive actions not allowed".to_owned()
            }
            StartError::Destructive => format!("dtrace: could not enable tracing: {e} (-w allows them)"),
            _ => format!("dtrace: could not enable tracing: {e}"),
        })
    })?;
    if draws_stacks {
        engine.withhold_stacks();
        if !inv.shown.idle {
            engine.keep_busy();
        }
    }
    if inv.shown.heat.is_some() {
        engine.withhold_numbered_histograms();
    }
    Ok(engine)
}

/// `-h` and `-G`: writes the header or the object file of the declared providers, to the file of `-o` or one named after the
/// script.
fn write_for_programs(inv: &Invocation, providers: &[DeclaredProvider]) -> Result<i32, Fatal> {
    let (what, letter, end) = match inv.does.header {
        true => ("header", 'h', "h"),
        false => ("object file", 'G', "o"),
    };
    if providers.is_empty() {
        return Err(Fatal(format!("dtrace: no {what} can be made: the script declares no provider")));
    }
    let script = inv.programs.iter().find_map(|p| match p {
        options::Program::Script(path) => Some(path.with_extension(end)),
        options::Program::Spec(..) | options::Program::BuiltIn(_) => None,
    });
    // Beside us, not beside the script, as the compiler's output is.
    let named = script.as_deref().and_then(Path::file_name).map(PathBuf::from);
    let Some(path) = inv.output.clone().or(named.clone()) else {
        return Err(Fatal(format!("dtrace: -{letter} needs a script (-s), or the name of the {what} (-o)")));
    };
    let to_output = path.as_os_str() == "-";
    let file = if to_output { named.unwrap_or_default() } else { path.clone() };
    let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let needed = object::needed(&inv.objects, providers)
        .map_err(|why| Fatal(format!("dtrace: no object file can be made: {why}")))?;
    let bytes = match inv.does.header {
        true => header::header(&file, providers).into_bytes(),
        false => object::object(providers, needed.as_ref()),
    };
    if to_output {
        crate::out::write_file(&bytes);
        return Ok(0);
    }
    crate::links::write(&path, bytes).map_err(|e| {
        Fatal(format!("dtrace: cannot write {}: {}", path.display(), crate::input::reason(&e)))
    })?;
    Ok(0)
}

/// Runs one clause over a mapped file and yields the counts of its aggregation: the same path as the
/// command's, for benchmarks.
///
/// # Errors
/// The line that the command would print.
#[doc(hidden)]
pub fn count_for_benchmark(script: &str, file: &TraceFile) -> Result<BTreeMap<String, u64>, String> {
    let traces = [file.trace().map_err(|error| error.to_string())?];
    let mut text = String::new();
    let script = Script::new(script).with_schemas(stored_schemas());
    script.run_over(&traces, &mut text, &mut |_| true).map_err(|error| error.to_string())?;
    Ok(text
        .lines()
        .filter_map(|line| {
            let (name, count) = line.trim().rsplit_once(char::is_whitespace)?;
            Some((name.trim().to_owned(), count.parse().ok()?))
        })
        .collect())
}
