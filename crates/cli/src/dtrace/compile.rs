//! From the command line to a compiled program: files, libraries, preprocessor, macro variables.

use std::path::{Path, PathBuf};

use tracewell::libraries::{Libraries, LibraryFile};
use tracewell_dengine::{RunOptions, Zone};
use tracewell_dlang::ast::Item;
use tracewell_dlang::compile::{CompileOptions, Compiler, ProgramText};
use tracewell_dlang::cpp;
use tracewell_dlang::header::DeclaredProvider;
use tracewell_dlang::macros::MacroEnv;
use tracewell_dlang::options::{Opt, Options, Setter, Spec, parse_version};
use tracewell_dlang::parse::{Naming, ParseOptions, TypeNames, parse_each};
use tracewell_dlang::source::{Source, Sources};
use tracewell_dlang::tags::{Dialect, Tag};
use tracewell_probes::catalog::ProbeCatalog;

use super::fatal::Fatal;
use super::options::{Color, Invocation, Program};
use super::restrict::{self, Includes};
use super::{messages, process};
use crate::input::reason;
use crate::out::say;
use crate::term::Style;

/// What a run needs, over traces or live.
pub(super) struct Prepared {
    pub(super) program: tracewell_dlang::program::Program,
    pub(super) options: Options,
    pub(super) run_options: RunOptions,
    /// Providers that the texts declare.
    pub(super) providers: Vec<DeclaredProvider>,
}

/// Compiles all program texts of the command line.
pub(super) fn compile(
    inv: &Invocation,
    mut options: Options,
    catalog: &mut ProbeCatalog<'_>,
    target: Option<u32>,
) -> Result<Prepared, Fatal> {
    restrict::check_options(&options)?;
    let (texts, foreign) = texts(inv, &options)?;
    let compile_options = CompileOptions {
        pointer_bytes: pointer_bytes(inv),
        zdefs: options.flag(Opt::Zdefs) || inv.list,
        empty: options.flag(Opt::Empty),
        probes_only: options.flag(Opt::Pspec),
        macros: macros(inv, &options, target),
        minimum: options.text(Opt::Amin).and_then(|t| tracewell_dlang::pragma::Attributes::parse(&t)),
        unused_arguments: options.flag(Opt::Argref),
        version: options.text(Opt::Version).and_then(|t| parse_version(&t)),
        dialect: match options.text(Opt::Dialect).as_deref() {
            Some("oracle") => Dialect::Oracle,
            _ => Dialect::Illumos,
        },
        dx: options.flag(Opt::Dx),
        registers: options.int(Opt::Iregs).unwrap_or(Opt::Iregs.default_int()),
        key_registers: options.int(Opt::Tregs).unwrap_or(Opt::Tregs.default_int()),
    };
    if inv.programs.iter().any(|p| matches!(p, Program::Spec('i', _))) {
        catalog.complete();
    }
    let libraries = libraries(inv, &options, catalog)?;
    let macros = inv.args.iter().map(String::as_bytes);
    let naming: Vec<&[u8]> = texts.iter().map(|text| &*text.text).chain(macros).collect();
    let (named, all) = (libraries.named(&naming), libraries.all());
    let mut attempt =
        |libraries: &[&LibraryFile]| texts_with(libraries, &texts, inv, &options, catalog, &compile_options);
    let (program, providers) = match attempt(&named) {
        // What it lacks, or a name near to one that is wrong, may be in a library that it does not name.
        Err(_) if named.len() < all.len() => attempt(&all),
        compiled => compiled,
    }
    .map_err(|error| foreign.as_deref().map_or(error, |foreign| Fatal(Includes::hushed(foreign))))?;
    restrict::check_program(&options, &program)?;
    for (name, value) in &program.options {
        options.set(name, value.as_deref(), Setter::Script).map_err(|e| Fatal::of_option(name, &e))?;
    }
    report_idle_options(inv, &program.options);
    let mut run_options = RunOptions::from(&options);
    run_options.json = inv.json;
    run_options.quiet |= inv.json;
    run_options.colour = inv.output_file().is_none()
        && match inv.color {
            Color::Auto => Style::stdout().is_on(),
            Color::Always => true,
            Color::Never => false,
        };
    run_options.zone = Zone::new(jiff::tz::TimeZone::system);
    if pointer_bytes(inv) == 4 {
        run_options.pointer_width = 8;
    }
    Ok(Prepared { program, options, run_options, providers })
}

/// The program texts of the command line, and a file that one includes from elsewhere.
fn texts(inv: &Invocation, options: &Options) -> Result<(Vec<ProgramText>, Option<String>), Fatal> {
    let mut foreign = None;
    let mut text_of = |program: &Program| match program {
        Program::Script(path) => {
            let (text, of_script) = script(path, inv, options)?;
            foreign = foreign.take().or(of_script);
            Ok(text)
        }
        Program::Spec(letter, text) => Ok(ProgramText::argument(text, naming(*letter))),
    };
    let texts = inv.programs.iter().map(&mut text_of).collect::<Result<_, Fatal>>()?;
    Ok((texts, foreign))
}

/// The providers that the descriptions of a program name, in lower case; those with wildcards are left out. Of a text with an
/// error those before it.
pub(super) fn named_providers(inv: &Invocation, options: &Options, target: Option<u32>) -> Vec<String> {
    let mut macros = macros(inv, options, target);
    let mut sources = Sources::default();
    let mut providers = Vec::new();
    for text in texts(inv, options).unwrap_or_default().0 {
        let id = sources.add(Source {
            name: text.name,
            origin: text.origin,
            text: text.text.into(),
            marks: text.marks,
        });
        let parsing = ParseOptions {
            bare_descriptions: true,
            naming: text.naming,
            dx: options.flag(Opt::Dx),
            ..ParseOptions::default()
        };
        // The compiler reports its own errors.
        let _ =
            parse_each(&mut sources, id, &mut TypeNames::default(), &mut macros, parsing, &mut |item, _| {
                let Item::Clause(clause) = item else { return Ok(()) };
                for probe in clause.probes {
                    // `-P` names a provider, also without what follows.
                    let whole = text.naming == Naming::Provider && !probe.text.contains(':');
                    let provider = if whole {
                        Some(probe.text.as_str())
                    } else {
                        probe.text.split_once(':').map(|(p, _)| p)
                    };
                    let Some(provider) = provider else { continue };
                    let provider = provider.trim().to_ascii_lowercase();
                    if !provider.is_empty()
                        && !provider.contains(['*', '?', '['])
                        && !providers.contains(&provider)
                    {
                        providers.push(provider);
                    }
                }
                Ok(())
            });
    }
    providers
}

/// Compiles the program texts after the libraries that are given.
fn texts_with(
    libraries: &[&LibraryFile],
    texts: &[ProgramText],
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
    compile_options: &CompileOptions,
) -> Result<(tracewell_dlang::program::Program, Vec<DeclaredProvider>), Fatal> {
    let mut compiler = Compiler::new(catalog, compile_options.clone());
    for file in libraries {
        compiler.add_library(file.name(), file.text());
    }
    let compiled = compiler.compile(texts);
    if compiled.is_ok() {
        for warning in compiler.warnings() {
            let line = format!("dtrace: warning: {}", warning.classic(compiler.sources()));
            say!("{}", Style::stderr().yellow(&line));
        }
    }
    if (inv.verbose || options.flag(Opt::Verbose)) && compiled.is_ok() {
        for report in compiler.stability() {
            crate::write_stdout(&messages::stability(report));
        }
    }
    let providers = compiler.declared_providers().to_vec();
    compiled.map(|program| (program, providers)).map_err(|mut diagnostic| {
        let is_trace =
            |word: &String| Path::new(word).extension().is_some_and(|e| e.eq_ignore_ascii_case("etl"));
        if diagnostic.tag == Tag::MacroUnused && inv.traces.is_empty() && inv.args.iter().any(is_trace) {
            diagnostic = diagnostic.with_hint("a trace is named with -E");
        }
        let sources = compiler.sources();
        let mut text = messages::classic(&diagnostic, sources, options.flag(Opt::Errtags));
        let style = Style::stderr();
        if style.is_on() {
            text.push('\n');
            text.push_str(&messages::excerpt(&diagnostic, sources, true));
        } else if let Some(hint) = &diagnostic.hint {
            text.push_str(&format!(" ({hint})"));
        }
        Fatal(text)
    })
}

/// Says which of the options that were set change nothing here: to people, not to programs that read the output.
fn report_idle_options(inv: &Invocation, of_script: &[(String, Option<String>)]) {
    let style = Style::stderr();
    if !inv.verbose && !style.is_on() {
        return;
    }
    let mut said = Vec::new();
    for (name, _) in inv.options.iter().chain(of_script) {
        let why = Spec::by_name(name).and_then(|spec| spec.opt.without_effect());
        if let Some(why) = why.filter(|_| !said.contains(&name)) {
            say!("{}", style.yellow(&format!("dtrace: option {name} has no effect here: {why}")));
            said.push(name);
        }
    }
}

fn pointer_bytes(inv: &Invocation) -> u8 {
    let model = inv.options.iter().rev().find(|(name, _)| matches!(name.as_str(), "ilp32" | "lp64"));
    if model.is_some_and(|(name, _)| name == "ilp32") { 4 } else { 8 }
}

fn naming(letter: char) -> Naming {
    match letter {
        'P' => Naming::Provider,
        'm' => Naming::Module,
        'f' => Naming::Function,
        'i' => Naming::Id,
        _ => Naming::Name,
    }
}

fn macros(inv: &Invocation, options: &Options, target: Option<u32>) -> MacroEnv {
    let script = inv.programs.iter().find_map(|p| match p {
        Program::Script(path) => Some(path.display().to_string()),
        Program::Spec(..) => None,
    });
    let mut env = MacroEnv::new(script.unwrap_or_else(|| "dtrace".to_owned()), inv.args.iter().cloned());
    env.default_args = options.flag(Opt::Defaultargs);
    let me = process::Myself::new();
    for (name, value) in [
        ("pid", me.pid),
        ("ppid", me.ppid),
        ("uid", me.uid),
        ("euid", me.uid),
        ("gid", me.gid),
        ("egid", me.gid),
        ("pgid", me.pgid),
        ("sid", me.sid),
        ("projid", 0),
        ("taskid", 0),
    ] {
        env.set(name, i64::from(value));
    }
    env.set("target", target.map_or(0, i64::from));
    env
}

/// Reads a script, and preprocesses it if that was asked for. With it comes a file that it includes from elsewhere.
fn script(path: &Path, inv: &Invocation, options: &Options) -> Result<(ProgramText, Option<String>), Fatal> {
    let name = path.display().to_string();
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    }
    .map_err(|e| Fatal(format!("dtrace: failed to open script {name}: {}", reason(&e))))?;
    let mut text = ProgramText::script(name.clone(), bytes);
    let mut foreign = None;
    if inv.preprocess || options.flag(Opt::Cpp) {
        let (defines, undefines) = inv.defines.iter().partition::<Vec<_>, _>(|(letter, _)| *letter == 'D');
        let words = |list: Vec<&(char, String)>| list.into_iter().map(|(_, w)| w.clone()).collect::<Vec<_>>();
        let mut config =
            cpp::Config { defines: words(defines), undefines: words(undefines), ..cpp::Config::default() };
        config.target = cpp::Target {
            arch: std::env::consts::ARCH,
            os: std::env::consts::OS,
            lp64: pointer_bytes(inv) == 8,
        };
        config.defines.extend(options.list(Opt::Define));
        config.undefines.extend(options.list(Opt::Undef));
        let mut dirs = inv.include_dirs.clone();
        dirs.extend(options.list(Opt::Incdir).into_iter().map(PathBuf::from));
        let mut includes = Includes::new(path, dirs, options.flag(Opt::Restrict));
        let output = cpp::preprocess(&name, &text.text, &config, &mut |request| includes.find(request));
        foreign = includes.foreign;
        let output = output.map_err(|e| match &foreign {
            Some(foreign) => Fatal(Includes::hushed(foreign)),
            None => Fatal(format!("dtrace: failed to compile script {name}: {e}")),
        })?;
        if inv.show_includes || options.flag(Opt::Cpphdrs) {
            for (depth, file) in &output.included {
                say!("{} {file}", ".".repeat(*depth as usize));
            }
        }
        for warning in output.warnings.iter().filter(|_| foreign.is_none()) {
            say!("dtrace: warning: {warning}");
        }
        text.text = output.text;
        text.marks = output.marks;
    }
    Ok((text, foreign))
}

/// Reads the library files alone, as `-e` without a program does.
pub(super) fn libraries_alone(
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
) -> Result<(), Fatal> {
    let libraries = libraries(inv, options, catalog)?;
    let mut compiler = Compiler::new(catalog, CompileOptions::default());
    for file in libraries.all() {
        compiler.add_library(file.name(), file.text());
    }
    match compiler.compile(&[]) {
        Ok(_) => Ok(()),
        Err(d) => Err(Fatal(messages::classic(&d, compiler.sources(), options.flag(Opt::Errtags)))),
    }
}

/// The library files: those compiled in, then those of `-L`.
fn libraries(inv: &Invocation, options: &Options, catalog: &ProbeCatalog<'_>) -> Result<Libraries, Fatal> {
    if options.flag(Opt::Nolibs) {
        return Ok(Libraries::default());
    }
    let mut folders = inv.library_dirs.clone();
    folders.extend(options.list(Opt::Libdir).into_iter().map(PathBuf::from));
    Ok(Libraries::read(&folders, catalog)?)
}
