//! Limits of a run, and `-x restrict` for the scripts of strangers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tracewell_dengine::RunOptions;
use tracewell_dlang::options::When;
use tracewell_dlang::options::{Opt, Options, Spec};
use tracewell_dlang::program::{ActionKind, Program};

use super::fatal::Fatal;

/// Most time, memory and output of a script of a stranger, unless options say otherwise.
const TIME: Duration = Duration::from_secs(600);
const MEMORY: u64 = 512 << 20;
const OUTPUT: u64 = 100 << 20;

/// What a run may take. What is absent has no limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Option<Duration>,
    pub(super) memory: Option<u64>,
    pub(super) output: Option<u64>,
}

impl Limits {
    pub(super) fn of(options: &Options) -> Limits {
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
    pub(super) fn apply(&self, run: &mut RunOptions) {
        let Some(memory) = self.memory else { return };
        let part = memory / 4;
        run.growth = run.growth.map(|growth| growth.min(part));
        for size in [&mut run.aggsize, &mut run.dynvarsize, &mut run.bufsize, &mut run.strsize] {
            *size = (*size).min(part);
        }
        run.specsize = run.specsize.min(part / run.nspec.max(1));
    }
}

/// Refuses a command line that allows what `-x restrict` forbids.
pub(super) fn check_options(options: &Options) -> Result<(), Fatal> {
    match options.flag(Opt::Restrict) && options.flag(Opt::Destructive) {
        true => Err(Fatal("dtrace: -w and -x restrict exclude each other".to_owned())),
        false => Ok(()),
    }
}

/// Refuses a program that does or sets what `-x restrict` forbids.
pub(super) fn check_program(options: &Options, program: &Program) -> Result<(), Fatal> {
    if !options.flag(Opt::Restrict) {
        return Ok(());
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
            return Err(Fatal(format!("dtrace: -x restrict forbids that the script sets the option {name}")));
        }
    }
    let forbidden = |kind: &ActionKind| kind.is_destructive() || matches!(kind, ActionKind::Ftruncate);
    match program.clauses.iter().any(|clause| clause.actions.iter().any(|action| forbidden(&action.kind))) {
        true => Err(Fatal("dtrace: -x restrict forbids the destructive actions of the script".to_owned())),
        false => Ok(()),
    }
}

/// Where a script may include files from, and whether it has included one from elsewhere.
#[derive(Debug)]
pub(super) struct Includes {
    /// The folders of `-I`.
    given: Vec<PathBuf>,
    /// The same and that of the script, without links.
    near: Vec<PathBuf>,
    restricted: bool,
    /// The first file from elsewhere.
    pub(super) foreign: Option<String>,
}

/// Largest file that is included.
const LARGEST: u64 = 16 << 20;

impl Includes {
    pub(super) fn new(script: &Path, given: Vec<PathBuf>, restricted: bool) -> Includes {
        let beside = script.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = (!restricted).then(|| beside.unwrap_or(Path::new(".")).to_owned());
        let near = given.iter().chain(&beside).filter_map(|folder| folder.canonicalize().ok()).collect();
        Includes { given, near, restricted, foreign: None }
    }

    /// Finds a file: beside the one that asks, when in quotes, then in the folders of `-I`, then in those of the system. Only
    /// regular files of a sensible size are read.
    pub(super) fn find(
        &mut self,
        request: tracewell_dlang::cpp::IncludeRequest<'_>,
    ) -> Option<(String, Vec<u8>)> {
        let beside = Path::new(request.from).parent().map(Path::to_owned).unwrap_or_default();
        let first = (!request.angled).then_some(beside);
        // Systems for several machines at once keep what differs between them in a separate folder.
        let machine = format!("/usr/include/{}-linux-gnu", std::env::consts::ARCH);
        let system = if self.restricted {
            Vec::new()
        } else {
            vec![PathBuf::from("/usr/include"), PathBuf::from(machine)]
        };
        for folder in first.iter().chain(&self.given).chain(&system) {
            let path = folder.join(request.name);
            let Ok(real) = path.canonicalize() else { continue };
            let is_near = self.near.iter().any(|near| real.starts_with(near));
            let fits = real.metadata().is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
            if !fits || self.restricted && !is_near {
                continue;
            }
            let Ok(text) = std::fs::read(&real) else { continue };
            if !is_near && !system.iter().any(|folder| real.starts_with(folder)) {
                self.foreign.get_or_insert_with(|| path.display().to_string());
            }
            return Some((path.display().to_string(), text));
        }
        None
    }

    /// What to say in place of an error in a program that includes a file from elsewhere: the error would quote it.
    pub(super) fn hushed(foreign: &str) -> String {
        format!(
            "dtrace: failed to compile a script that includes {foreign}: the error is not shown, since that file is neither in the \
             folder of the script nor in one of -I"
        )
    }
}
