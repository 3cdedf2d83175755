//! From the command line to a compiled program: files, libraries, preprocessor, macro variables.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use tracewell::compile::{CompileError, Compiled, MacroEnv, Naming, Preprocessor, ProgramText, Sourced};
use tracewell::restrict::Includes;
use tracewell_dengine::{RunOptions, Zone};
use tracewell_dlang::cpp;
use tracewell_dlang::header::DeclaredProvider;
use tracewell_dlang::options::{Opt, Options, Spec};
use tracewell_dlang::tags::Tag;
use tracewell_probes::catalog::ProbeCatalog;

use super::fatal::Fatal;
use super::messages;
use super::options::{Color, Invocation, Program};
use crate::input::reason;
use crate::out::say;
use crate::term::Style;
use tracewell_live::process;

/// What a run needs, over traces or live.
pub(super) struct Prepared {
    pub(super) program: tracewell_dlang::program::Program,
    pub(super) options: Options,
    pub(super) run_options: RunOptions,
    /// Providers that the texts declare.
    pub(super) providers: Vec<DeclaredProvider>,
}

/// What the texts of the command line are compiled with, beside themselves.
pub(super) struct Beside {
    macros: MacroEnv,
    libraries: Vec<PathBuf>,
}

impl Beside {
    pub(super) fn new(inv: &Invocation, target: Option<u32>) -> Beside {
        Beside { macros: macros(inv, target), libraries: inv.compiling.library_dirs.clone() }
    }

    pub(super) fn sourced<'s>(
        &'s self,
        inv: &Invocation,
        texts: &'s [ProgramText],
        options: &'s Options,
    ) -> Sourced<'s> {
        Sourced {
            texts,
            macros: &self.macros,
            options,
            libraries: &self.libraries,
            pointer_bytes: pointer_bytes(inv),
            unmatched: inv.does.list,
        }
    }
}

/// Returns `true` if the output will be compared with that of Oracle's port, whose tests set this variable: numbers that
/// differ between two runs are left out, and so are notices that the port does not have.
pub(super) fn is_compared(options: &Options) -> bool {
    options.text(Opt::Dialect).as_deref() == Some("oracle") && std::env::var_os("_DTRACE_TESTING").is_some()
}

/// Compiles all program texts of the command line.
pub(super) fn compile(
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
    target: Option<u32>,
) -> Result<Prepared, Fatal> {
    let (texts, foreign) = texts(inv, options)?;
    let beside = Beside::new(inv, target);
    let compiled = beside
        .sourced(inv, &texts, options)
        .compile(catalog)
        .map_err(|error| failed(inv, options, foreign.as_deref(), error))?;
    for warning in compiled.warnings.iter().filter(|_| !is_compared(options)) {
        say!("{}", Style::stderr().yellow(&format!("dtrace: warning: {warning}")));
    }
    if inv.verbose || options.flag(Opt::Verbose) {
        for report in &compiled.stability {
            crate::write_stdout(&messages::stability(report));
        }
    }
    report_idle_options(inv, &compiled.program.options);
    let mut run_options = compiled.run_options(pointer_bytes(inv));
    adjust(inv, options, &mut run_options);
    let Compiled { program, options, providers, .. } = compiled;
    Ok(Prepared { program, options, run_options, providers })
}

/// Sets the options of a run that only the command line has.
pub(super) fn adjust(inv: &Invocation, options: &Options, run_options: &mut RunOptions) {
    run_options.bare = is_compared(options);
    run_options.json = inv.shown.json;
    run_options.quiet |= inv.shown.json;
    run_options.colour = inv.output_file().is_none()
        && match inv.shown.color {
            Color::Auto => Style::stdout().is_on(),
            Color::Always => true,
            Color::Never => false,
        };
    run_options.zone = Zone::new(jiff::tz::TimeZone::system);
}

/// The failure of a compilation. It does not quote a file that was included from elsewhere.
pub(super) fn failed(
    inv: &Invocation,
    options: &Options,
    foreign: Option<&str>,
    error: CompileError,
) -> Fatal {
    match (error, foreign) {
        (CompileError::Text(..), Some(foreign)) => hushed(foreign),
        (error, _) => refused(inv, options, error),
    }
}

/// The failure of a compilation, with the place in the text.
fn refused(inv: &Invocation, options: &Options, error: CompileError) -> Fatal {
    let (mut diagnostic, sources) = match error {
        CompileError::Text(diagnostic, sources) => (diagnostic, sources),
        CompileError::Option(name, error) => return Fatal::of_option(&name, &error),
        error => return Fatal::from(error),
    };
    let is_trace = |word: &String| Path::new(word).extension().is_some_and(|e| e.eq_ignore_ascii_case("etl"));
    if diagnostic.tag == Tag::MacroUnused && inv.traces.is_empty() && inv.args.iter().any(is_trace) {
        diagnostic = diagnostic.with_hint("a trace is named with -E");
    }
    let mut text = messages::classic(&diagnostic, &sources, options.flag(Opt::Errtags));
    let style = Style::stderr();
    if style.is_on() {
        text.push('\n');
        text.push_str(&messages::excerpt(&diagnostic, &sources, true));
    } else if let Some(hint) = &diagnostic.hint {
        text.push_str(&format!(" ({hint})"));
    }
    Fatal(text)
}

fn hushed(foreign: &str) -> Fatal {
    Fatal(format!("dtrace: {}", Includes::hushed(foreign)))
}

/// The program texts of the command line, and a file that one includes from elsewhere.
pub(super) fn texts(
    inv: &Invocation,
    options: &Options,
) -> Result<(Vec<ProgramText>, Option<String>), Fatal> {
    let mut foreign = None;
    let mut text_of = |program: &Program| match program {
        Program::Script(path) => {
            let (text, of_script) = script(path, inv, options)?;
            foreign = foreign.take().or(of_script);
            Ok(text)
        }
        Program::Spec(letter, text) => Ok(ProgramText::argument(text, naming(*letter))),
        Program::BuiltIn(script) => Ok(ProgramText::script(script.name, script.text)),
    };
    let texts = inv.programs.iter().map(&mut text_of).collect::<Result<_, Fatal>>()?;
    Ok((texts, foreign))
}

/// The providers that the descriptions of a program name; see [`Sourced::named_providers`].
pub(super) fn named_providers(inv: &Invocation, options: &Options, target: Option<u32>) -> Vec<String> {
    let (texts, _) = texts(inv, options).unwrap_or_default();
    Beside::new(inv, target).sourced(inv, &texts, options).named_providers()
}

/// Returns `true` if a program may have probes of `fpid`: the command that it watches is then started with an agent.
pub(super) fn names_hooks(inv: &Invocation, options: &Options) -> bool {
    let (texts, _) = texts(inv, options).unwrap_or_default();
    texts.iter().any(|text| text.text.windows(4).any(|word| word == b"fpid"))
}

/// Provider and name of the probes that the descriptions of a program name; see [`Sourced::named_probes`].
pub(super) fn named_probes(
    inv: &Invocation,
    options: &Options,
    target: Option<u32>,
) -> Vec<(String, String)> {
    let (texts, _) = texts(inv, options).unwrap_or_default();
    Beside::new(inv, target).sourced(inv, &texts, options).named_probes()
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

fn macros(inv: &Invocation, target: Option<u32>) -> MacroEnv {
    let script = inv.programs.iter().find_map(|p| match p {
        Program::Script(path) => Some(path.display().to_string()),
        Program::Spec(..) => None,
        Program::BuiltIn(script) => Some(script.name.to_owned()),
    });
    let mut env = MacroEnv::new(script.unwrap_or_else(|| "dtrace".to_owned()), inv.args.iter().cloned());
    let me = process::numbers();
    for (name, value) in [
        ("pid", me.pid),
        ("ppid", me.ppid),
        ("uid", me.uid),
        ("euid", me.euid),
        ("gid", me.gid),
        ("egid", me.egid),
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

/// Maximum number of bytes of a script.
const LARGEST: u64 = 64 << 20;

/// The bytes of a script; `-` is standard input. A pipe, such as `/dev/stdin` or what a shell makes of `<(...)`, can be read only
/// once: what asks for it again gets the same.
fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    static READ: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let of_input = path.as_os_str() == "-";
    let open = || -> std::io::Result<Box<dyn Read>> {
        Ok(if of_input { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(path)?) })
    };
    let read_all = || {
        let mut bytes = Vec::new();
        open()?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > LARGEST {
            true => Err(std::io::Error::other("it has more than 64 MiB, so it is no script")),
            false => Ok(bytes),
        }
    };
    if !of_input && std::fs::metadata(path)?.is_file() {
        return read_all();
    }
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = read.get(path) {
        return Ok(bytes.clone());
    }
    Ok(read.entry(path.to_owned()).or_insert(read_all()?).clone())
}

/// Reads a script, and preprocesses it if that was asked for. With it comes a file that it includes from elsewhere.
fn script(path: &Path, inv: &Invocation, options: &Options) -> Result<(ProgramText, Option<String>), Fatal> {
    let name = path.display().to_string();
    let bytes =
        bytes_of(path).map_err(|e| Fatal(format!("dtrace: failed to open script {name}: {}", reason(&e))))?;
    let text = ProgramText::script(name.clone(), bytes);
    if !inv.compiling.preprocess && !options.flag(Opt::Cpp) {
        return Ok((text, None));
    }
    if let Some(program) = options.text(Opt::Cpppath) {
        return Ok((preprocessed_by(&program, inv, options, text)?, None));
    }
    if !options.list(Opt::Cppargs).is_empty() {
        say!(
            "dtrace: -x cppargs has no effect on the built-in preprocessor; -x cpppath=PROGRAM runs another"
        );
    }
    let words = |letter: char| {
        let words = inv.compiling.defines.iter().filter(move |(given, _)| *given == letter);
        words.map(|(_, word)| word.clone()).collect()
    };
    let preprocessor = Preprocessor {
        defines: words('D'),
        undefines: words('U'),
        folders: inv.compiling.include_dirs.clone(),
        target: cpp::Target {
            arch: std::env::consts::ARCH,
            os: std::env::consts::OS,
            lp64: pointer_bytes(inv) == 8,
        },
    };
    let output = preprocessor.run(text, options).map_err(|failed| match &failed.foreign {
        Some(foreign) => hushed(foreign),
        None => Fatal(format!("dtrace: failed to compile script {name}: {}", failed.error)),
    })?;
    if inv.compiling.show_includes || options.flag(Opt::Cpphdrs) {
        for (depth, file) in &output.included {
            say!("{} {file}", ".".repeat(*depth as usize));
        }
    }
    for warning in output.warnings.iter().filter(|_| output.foreign.is_none()) {
        say!("dtrace: warning: {warning}");
    }
    Ok((output.text, output.foreign))
}

/// A script after the preprocessor that `-x cpppath` names, which gets the script on its standard input.
fn preprocessed_by(
    program: &str,
    inv: &Invocation,
    options: &Options,
    mut text: ProgramText,
) -> Result<ProgramText, Fatal> {
    let failed = |why: String| Fatal(format!("dtrace: failed to preprocess script {}: {why}", text.name));
    let mut command = Command::new(program);
    let given = inv.compiling.defines.iter().map(|(letter, word)| format!("-{letter}{word}"));
    let set = [('D', Opt::Define), ('U', Opt::Undef), ('I', Opt::Incdir)].into_iter();
    let set = set.flat_map(|(letter, option)| {
        options.list(option).into_iter().map(move |word| format!("-{letter}{word}"))
    });
    command.arg("-D__SUNW_D=1").args(given).args(set);
    let beside = Path::new(&text.name).parent().filter(|folder| !folder.as_os_str().is_empty());
    for folder in beside.into_iter().chain(inv.compiling.include_dirs.iter().map(PathBuf::as_path)) {
        command.arg("-I").arg(folder);
    }
    if inv.compiling.show_includes || options.flag(Opt::Cpphdrs) {
        command.arg("-H");
    }
    command.args(options.list(Opt::Cppargs)).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(format!("{program}: {}", reason(&error))))?;
    // C has no line that names an interpreter.
    let body = match text.text.strip_prefix(b"#!") {
        Some(rest) => rest.iter().position(|byte| *byte == b'\n').map_or(&[][..], |end| &rest[end..]),
        None => &text.text[..],
    };
    let input = [format!("# 1 \"{}\"\n", text.name).as_bytes(), body].concat();
    let mut pipe = child.stdin.take();
    let writer = std::thread::spawn(move || pipe.as_mut().map(|pipe| pipe.write_all(&input)));
    let output = child.wait_with_output().map_err(|error| failed(reason(&error).to_string()))?;
    // A preprocessor that ends without reading all says why by its status.
    drop(writer.join());
    if !output.status.success() {
        return Err(failed(format!("{program} failed ({})", output.status)));
    }
    text.text = output.stdout;
    Ok(text)
}

/// Reads the library files alone, as `-e` without a program does.
pub(super) fn libraries_alone(
    inv: &Invocation,
    options: &Options,
    catalog: &mut ProbeCatalog<'_>,
) -> Result<(), Fatal> {
    let beside = Beside::new(inv, None);
    let compiled = beside.sourced(inv, &[], options).compile_libraries(catalog);
    compiled.map_err(|error| refused(inv, options, error))
}
