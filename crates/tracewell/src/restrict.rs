//! Limits of a run, and the option `restrict` for the scripts of strangers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tracewell_dengine::RunOptions;
use tracewell_dlang::cpp::{IncludeRequest, built_in};
use tracewell_dlang::options::{Opt, Options, Spec, When};
use tracewell_dlang::program::{ActionKind, Program};

/// Most time, memory and output of a script of a stranger, unless options say otherwise.
const TIME: Duration = Duration::from_secs(600);
const MEMORY: u64 = 512 << 20;
const OUTPUT: u64 = 100 << 20;

/// What restricted scripts may not do, and one does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden(pub(crate) String);

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Forbidden {}

/// What a run may take. What is absent has no limit.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Time.
    pub time: Option<Duration>,
    /// Bytes of the data that the script keeps.
    pub memory: Option<u64>,
    /// Bytes of output.
    pub output: Option<u64>,
}

impl Limits {
    /// The limits that options set, and those of all restricted scripts.
    #[must_use]
    pub fn of(options: &Options) -> Limits {
        let restricted = options.flag(Opt::Restrict);
        let size = |opt, most| match options.is_set(opt) {
            true => Some(options.size(opt)),
            false => restricted.then_some(most),
        };
        let time = match options.is_set(Opt::Timelimit) {
            true => Some(Duration::from_nanos(options.interval(Opt::Timelimit))),
            false => restricted.then_some(TIME),
        };
        Limits { time, memory: size(Opt::Memorylimit, MEMORY), output: size(Opt::Outputlimit, OUTPUT) }
    }

    /// Holds the data of a script to the memory: aggregations, dynamic variables, speculations and what is not yet printed
    /// take a quarter each.
    pub fn apply(&self, run: &mut RunOptions) {
        let Some(memory) = self.memory else { return };
        let part = memory / 4;
        run.sizes.growth = run.sizes.growth.map(|growth| growth.min(part));
        for size in [
            &mut run.sizes.aggsize,
            &mut run.sizes.dynvarsize,
            &mut run.sizes.bufsize,
            &mut run.sizes.strsize,
        ] {
            *size = (*size).min(part);
        }
        run.sizes.longest = run.sizes.longest.map(|longest| longest.min(part));
        run.sizes.specsize = run.sizes.specsize.min(part / run.sizes.nspec.max(1));
    }
}

/// Refuses options that allow what the option `restrict` forbids.
///
/// # Errors
/// They do.
pub fn check_options(options: &Options) -> Result<(), Forbidden> {
    if !options.flag(Opt::Restrict) {
        return Ok(());
    }
    if options.flag(Opt::Destructive) {
        return Err(Forbidden("-w and -x restrict exclude each other".to_owned()));
    }
    match options.is_set(Opt::Cpppath) {
        true => {
            Err(Forbidden("-x restrict starts no program, so -x cpppath is not allowed with it".to_owned()))
        }
        false => Ok(()),
    }
}

/// Refuses a program that does or sets what the option `restrict` forbids.
///
/// # Errors
/// It does.
pub fn check_program(options: &Options, program: &Program) -> Result<(), Forbidden> {
    if !options.flag(Opt::Restrict) {
        return Ok(());
    }
    if !program.events.is_empty() {
        return Err(Forbidden(
            "-x restrict logs no events, so etw_trace() is not allowed with it".to_owned(),
        ));
    }
    for (name, _) in &program.options {
        // How results look, and how large they are: the limits hold for the latter.
        let is_harmless = Spec::by_name(name).is_some_and(|spec| {
            spec.when == When::Any
                || matches!(
                    spec.opt,
                    Opt::Aggsize
                        | Opt::Argref
                        | Opt::Bufsize
                        | Opt::Bufpolicy
                        | Opt::Defaultargs
                        | Opt::Dx
                        | Opt::Dynvarsize
                        | Opt::Encoding
                        | Opt::Nspec
                        | Opt::Specsize
                        | Opt::Stackframes
                        | Opt::Statusrate
                        | Opt::Strsize
                        | Opt::Temporal
                        | Opt::Ustackframes
                        | Opt::Version
                        | Opt::Zdefs
                )
        });
        if !is_harmless {
            return Err(Forbidden(format!("-x restrict forbids that the script sets the option {name}")));
        }
    }
    let forbidden = |kind: &ActionKind| kind.is_destructive() || matches!(kind, ActionKind::Ftruncate);
    match program.clauses.iter().any(|clause| clause.actions.iter().any(|action| forbidden(&action.kind))) {
        true => Err(Forbidden("-x restrict forbids the destructive actions of the script".to_owned())),
        false => Ok(()),
    }
}

/// Where a script may include files from, and whether it has included one from elsewhere.
#[derive(Debug)]
pub struct Includes {
    /// The folders of `-I`.
    given: Vec<PathBuf>,
    /// The same and that of the script, without links.
    near: Vec<PathBuf>,
    /// Folders of the system, for this type of machine.
    system: Vec<PathBuf>,
    restricted: bool,
    /// The first file from elsewhere.
    pub foreign: Option<String>,
}

/// Largest file that is included.
const LARGEST: u64 = 16 << 20;

impl Includes {
    /// Files beside a script and in folders. Unless `restricted`, also those of the system for a type of machine
    /// (`x86_64`).
    #[must_use]
    pub fn new(script: &Path, given: Vec<PathBuf>, restricted: bool, machine: &str) -> Includes {
        let beside = script.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = (!restricted).then(|| beside.unwrap_or(Path::new(".")).to_owned());
        let near = given.iter().chain(&beside).filter_map(|folder| folder.canonicalize().ok()).collect();
        // Systems for several machines at once keep what differs between them in a separate folder.
        let system = match restricted {
            true => Vec::new(),
            false => ["/usr/include".to_owned(), format!("/usr/include/{machine}-linux-gnu")]
                .map(PathBuf::from)
                .to_vec(),
        };
        Includes { given, near, system, restricted, foreign: None }
    }

    /// Finds a file: beside the one that asks, when in quotes, then in the folders of `-I`, then among the headers of the
    /// compiler, then in the folders of the system. Only regular files of a sensible size are read.
    pub fn find(&mut self, request: IncludeRequest<'_>) -> Option<(String, Vec<u8>)> {
        let beside = Path::new(request.from).parent().map(Path::to_owned).unwrap_or_default();
        let first = (!request.angled).then_some(beside);
        let near: Vec<PathBuf> = first.into_iter().chain(self.given.iter().cloned()).collect();
        self.find_in(&near, request.name)
            .or_else(|| {
                let text = built_in(request.name)?;
                Some((format!("<{}>", request.name), text.as_bytes().to_vec()))
            })
            .or_else(|| self.find_in(&self.system.clone(), request.name))
    }

    fn find_in(&mut self, folders: &[PathBuf], name: &str) -> Option<(String, Vec<u8>)> {
        for folder in folders {
            let path = folder.join(name);
            let Ok(real) = path.canonicalize() else { continue };
            let is_near = self.near.iter().any(|near| real.starts_with(near));
            let fits = real.metadata().is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
            if !fits || self.restricted && !is_near {
                continue;
            }
            let Ok(text) = std::fs::read(&real) else { continue };
            if !is_near && !self.system.iter().any(|folder| real.starts_with(folder)) {
                self.foreign.get_or_insert_with(|| path.display().to_string());
            }
            return Some((path.display().to_string(), text));
        }
        None
    }

    /// What to say in place of an error in a program that includes a file from elsewhere: the error would quote it.
    #[must_use]
    pub fn hushed(foreign: &str) -> String {
        format!(
            "failed to compile a script that includes {foreign}: the error is not shown, since that file is neither in the \
             folder of the script nor in one of -I"
        )
    }
}
