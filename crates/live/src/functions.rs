//! Probes on functions of processes: which processes there are, and what watches them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use tracewell_dengine::Engine;
use tracewell_dlang::catalog::{ProbeArg, ProbeDesc, glob};
use tracewell_dlang::program::ProbeId;
use tracewell_dlang::tags::Tag;
#[cfg(target_os = "linux")]
use tracewell_pid::Watch;
use tracewell_pid::{Fault, Finder, Hits, Mapped, Mechanism, Module, Way, provider_pid};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::deeds;
use tracewell_probes::functions::{self, Described, FunctionProbe, NamedType, Refusal, is_of_process};
use tracewell_probes::replay::{LiveProcess, only_counts};
use tracewell_symbols::{ElfCode, TypeWord};
use tracewell_types::deed::Steps;
use tracewell_types::operand::Operand;

#[cfg(target_os = "linux")]
use crate::agent;
use crate::children::Children;
use crate::later::{Arrivals, Later};
use crate::process::{Environment, assignments, find_program, may_signal_all, stop_signal};
use crate::session;

/// Maximum number of places that a description may match, without `-x pidlimit`.
const LIMIT: usize = 10_000;

/// Modules that an error lists.
const SHOWN: usize = 4;

/// The command of `-c`, which has not begun.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// Its process.
    pub pid: u32,
    /// The command line.
    pub command: String,
    /// What it finds in its environment.
    pub environment: Environment,
}

/// The processes of a run whose functions are probed. Copies share them.
#[derive(Clone, Debug)]
pub struct Functions(Rc<RefCell<Processes>>);

#[derive(Debug)]
struct Processes {
    finders: BTreeMap<u32, Result<Finder, String>>,
    /// The processes of providers by name.
    owners: BTreeMap<String, u32>,
    beginning: Option<Beginning>,
    /// The process of `-p`.
    grabbed: Option<u32>,
    /// The providers that files contain, by device and number.
    contained: BTreeMap<(u64, u64), BTreeSet<String>>,
    limit: usize,
    /// A description of a library that is not there is not refused: it is probed when it is loaded.
    waits: bool,
    /// What the command shares with the agent in it.
    #[cfg(target_os = "linux")]
    injection: Option<tracewell_pid::Injection>,
    /// The processes that run and are to have hooks.
    #[cfg(target_os = "linux")]
    running: BTreeMap<u32, tracewell_pid::Running>,
}

impl Functions {
    /// No process yet. `limit` is the maximum number of places that a description may match. If it waits, a library that is not
    /// there is probed when it is loaded.
    pub fn new(limit: Option<u64>, waits: bool) -> Functions {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(LIMIT);
        Functions(Rc::new(RefCell::new(Processes {
            finders: BTreeMap::new(),
            owners: BTreeMap::new(),
            beginning: None,
            grabbed: None,
            contained: BTreeMap::new(),
            limit,
            waits,
            #[cfg(target_os = "linux")]
            injection: None,
            #[cfg(target_os = "linux")]
            running: BTreeMap::new(),
        })))
    }

    /// Prepares hooks in the command that is started with an environment.
    ///
    /// # Errors
    /// The line for the user.
    #[cfg(target_os = "linux")]
    pub fn injects(&self, environment: &mut Environment) -> Result<(), String> {
        let injection = tracewell_pid::Injection::new(&agent::library()?, std::process::id())?;
        let (library, variable) = injection.environment();
        environment.agent = Some((library.to_owned(), variable));
        self.0.borrow_mut().injection = Some(injection);
        Ok(())
    }

    /// There are no hooks on this system.
    ///
    /// # Errors
    /// Never: the probes are refused where they are described.
    #[cfg(not(target_os = "linux"))]
    pub fn injects(&self, _: &mut Environment) -> Result<(), String> {
        Ok(())
    }

    /// Sets the process of `-p`.
    pub fn grabs(&self, pid: u32) {
        self.0.borrow_mut().grabbed = Some(pid);
    }

    /// Sets the command that has not begun.
    pub fn begins(&self, beginning: Beginning) {
        self.0.borrow_mut().beginning = Some(beginning);
    }

    /// Returns `true` if a provider has the name of one with probes that the process of `-c` or `-p` contains: `python$target`.
    #[must_use]
    pub fn is_of_target(&self, provider: &str) -> bool {
        let processes = self.0.borrow();
        let begins = processes.beginning.as_ref().map(|beginning| beginning.pid);
        tracewell_pid::owners(provider).any(|(_, pid)| begins == Some(pid) || processes.grabbed == Some(pid))
    }

    /// Begins to watch the functions that a program probes, also in the processes that are started from now on if it follows
    /// these; [`None`] if it probes none.
    ///
    /// # Errors
    /// They cannot be watched; nothing is then.
    pub fn attach(
        &self,
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
        (counting, follows): (Counting, bool),
    ) -> Result<Option<Attached>, String> {
        let mut wanted = Wanted::new();
        for (info, kind) in catalog.iter() {
            if let Kind::Function(site) = kind
                && engine.is_enabled(info.id)
                && let Some(&pid) = self.0.borrow().owners.get(&info.provider)
            {
                let way = provider_pid(&info.provider).map_or(Way::Kernel, |(way, _)| way);
                wanted.entry((pid, way)).or_default().push((site, info.id.0));
            }
        }
        if wanted.is_empty() {
            return Ok(None);
        }
        let on_function = |id| matches!(catalog.kind(id), Some(Kind::Function(_)));
        let hooked: BTreeSet<u32> = wanted
            .iter()
            .filter(|((_, way), _)| *way == Way::Hooks)
            .flat_map(|(_, sites)| sites.iter().map(|(_, probe)| *probe))
            .collect();
        let counts = only_counts(engine.program(), |id| hooked.contains(&id.0));
        if counting == Counting::Demanded && !counts {
            return Err("-x fpidcount counts in the process, and a clause on fpid needs more than counts: its arguments, thread, \
                        time or stack, or another action than an aggregation"
                .to_owned());
        }
        if follows && !hooked.is_empty() {
            return Err(
                "-x follow is for pid and for probes of programs: hooks of fpid do nothing in a child"
                    .to_owned(),
            );
        }
        let stacks = takes_stacks(engine, catalog);
        let capture = tracewell_pid::Capture {
            counts: counts && counting != Counting::Never,
            bare: !stacks && !functions::reads_hits(engine.program(), on_function),
            stacks,
            memory: functions::reads_memory(engine.program(), on_function),
            reaches: functions::reaches(engine.program(), on_function),
            follows,
            deeds: false,
        };
        let deeds = if counting == Counting::Never { Deeds::new() } else { deeds_of(engine, &wanted) };
        let capture = tracewell_pid::Capture {
            bare: capture.bare && deeds.is_empty(),
            deeds: !deeds.is_empty(),
            ..capture
        };
        let first = ProbeId(catalog.iter().count() as u32 + 1);
        let later = Later::of(engine.program(), first, self.0.borrow().limit);
        let mut attached = self.0.borrow_mut().attach(&wanted, &deeds, capture)?;
        (attached.later, attached.functions) = (Some(later), Some(self.clone()));
        Ok(Some(attached))
    }
}

/// Whether hooks only count what a program does not distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// They log each hit (`-x nopushdown`).
    Never,
    /// They count if the program only counts.
    Possible,
    /// As above, and a program that does more is refused (`-x fpidcount`).
    Demanded,
}

/// The places and probes of processes, by who watches them.
type Wanted = BTreeMap<(u32, Way), Vec<(u32, u32)>>;

/// What the kernel does to processes, by probe.
type Deeds = BTreeMap<u32, Rc<[Steps]>>;

/// The deeds that the kernel can do, and would do for this process, too, if it sent signals itself.
fn deeds_of(engine: &Engine, wanted: &Wanted) -> Deeds {
    let Some(stop) = stop_signal().filter(|_| may_signal_all()) else { return Deeds::new() };
    let of_kernel = wanted.iter().filter(|((_, way), _)| *way == Way::Kernel);
    let probes = of_kernel.flat_map(|(_, sites)| sites.iter().map(|(_, probe)| *probe));
    let deeds = probes.map(|probe| (probe, deeds::of_probe(engine.program(), ProbeId(probe), stop)));
    deeds.filter(|(_, steps)| !steps.is_empty()).map(|(probe, steps)| (probe, steps.into())).collect()
}

/// Returns `true` if a clause on a function takes a stack.
fn takes_stacks(engine: &Engine, catalog: &ProbeCatalog<'_>) -> bool {
    let mut clauses = engine.program().clauses.iter();
    clauses.any(|clause| {
        tracewell_probes::replay::takes_stacks(&clause.uses)
            && clause.probes.iter().any(|id| matches!(catalog.kind(*id), Some(Kind::Function(_))))
    })
}

impl functions::Functions for Functions {
    fn find(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, Refusal>> {
        let mut processes = self.0.borrow_mut();
        match is_of_process(&desc.provider) {
            true => Some(processes.find(desc)),
            false => processes.find_static(desc),
        }
    }

    fn described(&mut self, provider: &str, sites: &[u32]) -> Vec<(u32, Result<Described, String>)> {
        self.0.borrow_mut().described(provider, sites)
    }

    fn named_type(&mut self, scope: &str, word: TypeWord, name: &str) -> Option<Result<NamedType, String>> {
        Some(self.0.borrow_mut().named_type(scope, word, name))
    }
}

/// The error for a description of functions.
fn refusal_of(refusal: tracewell_pid::Refusal) -> Refusal {
    let tag = match refusal.fault {
        Fault::Function => Tag::ProcFunc,
        Fault::Name => Tag::ProcName,
        Fault::Offset => Tag::ProcOff,
        Fault::Address => Tag::ProcLib,
        Fault::Limit => Tag::ProcCreatefail,
        Fault::Other => Tag::PdescZero,
    };
    Refusal { tag, why: refusal.why }
}

impl Processes {
    fn find(&mut self, desc: &ProbeDesc) -> Result<Vec<FunctionProbe>, Refusal> {
        if !cfg!(target_os = "linux") {
            return Err("functions of processes can be probed on Linux only".to_owned().into());
        }
        let Some((way, pid)) = provider_pid(&desc.provider) else {
            let name = if desc.provider.starts_with('f') { "fpid" } else { "pid" };
            return Err(format!(
                "the provider {name} needs the number of one process: {name}123, or {name}$target with -p or -c"
            )
            .into());
        };
        if pid == 0 {
            let why = "no process that runs a program has the number 0".to_owned();
            return Err(Refusal { tag: Tag::ProcBadpid, why });
        }
        self.owners.insert(desc.provider.clone(), pid);
        if way == Way::Hooks {
            self.may_hook(pid)?;
        }
        let waits = self.waits && way == Way::Kernel && desc.module != "a.out";
        let finder = self.finder(pid).map_err(|why| Refusal { tag: Tag::ProcGrab, why })?;
        let parts = [desc.module.as_str(), &desc.function, &desc.name];
        let found = match finder.find(glob, way, parts) {
            Err(refusal) if waits && matches!(refusal.fault, Fault::Function | Fault::Other) => {
                vec![finder.absent(parts)]
            }
            found => found.map_err(refusal_of)?,
        };
        Ok(found.into_iter().map(|found| probe(&desc.provider, found)).collect())
    }

    /// Why a process can have no hooks.
    #[cfg(target_os = "linux")]
    fn may_hook(&mut self, pid: u32) -> Result<(), String> {
        if self.beginning.as_ref().is_none_or(|beginning| beginning.pid != pid) {
            if !self.running.contains_key(&pid) {
                let library = agent::library()?;
                let running = tracewell_pid::Running::new(self.finder(pid)?, pid, &library)?;
                self.running.insert(pid, running);
            }
            return Ok(());
        }
        if self.injection.is_none() {
            return Err("fpid is not prepared: name it in the script itself, not by a macro".to_owned());
        }
        self.finder(pid)?.loader().map(|_| ())
    }

    #[cfg(not(target_os = "linux"))]
    fn may_hook(&mut self, _: u32) -> Result<(), String> {
        Ok(())
    }

    fn finder(&mut self, pid: u32) -> Result<&mut Finder, String> {
        let Processes { finders, beginning, limit, .. } = self;
        let finder = finders.entry(pid).or_insert_with(|| match beginning {
            Some(beginning) if beginning.pid == pid => of_command(beginning, *limit),
            _ => of_process(pid, *limit),
        });
        finder.as_mut().map_err(|error| error.clone())
    }

    /// The probes that programs contain and that a description matches; [`None`] if it means none of these.
    fn find_static(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, Refusal>> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        if desc.provider.contains(['*', '?', '[', '\\']) {
            return self.find_everywhere(desc);
        }
        let mut refusal = None;
        for (name, pid) in tracewell_pid::owners(&desc.provider) {
            let begins = self.beginning.as_ref().is_some_and(|beginning| beginning.pid == pid);
            let is_target = begins || self.grabbed == Some(pid);
            if !is_target && !Path::new(&format!("/proc/{pid}")).exists() {
                continue;
            }
            let found =
                self.finder(pid).map_err(|why| Refusal { tag: Tag::ProcGrab, why }).and_then(|finder| {
                    let found = finder.find_static(glob, name, [&desc.module, &desc.function, &desc.name]);
                    let found = found.map_err(refusal_of)?;
                    Ok(found.into_iter().map(|found| probe(&desc.provider, found)).collect())
                });
            match found {
                Ok(found) => {
                    self.owners.insert(desc.provider.clone(), pid);
                    return Some(Ok(found));
                }
                // Another provider may have a name that ends with a number of a process.
                Err(why) if is_target => {
                    refusal.get_or_insert(Err(why));
                }
                Err(_) => {}
            }
        }
        refusal
    }

    /// The probes that a pattern matches in the programs that run.
    fn find_everywhere(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, Refusal>> {
        // What fits every name means the other sources.
        if glob(&desc.provider, "no provider has this name") {
            return None;
        }
        let begins = self.beginning.as_ref().map(|beginning| beginning.pid);
        let mut pids: Vec<u32> = running();
        pids.extend(begins.filter(|pid| !pids.contains(pid)));
        let mut all = Vec::new();
        // A pattern may name the provider of functions, and then names the process: `p*d123`.
        let named = tracewell_pid::owners(&desc.provider)
            .find(|(name, pid)| glob(name, "pid") && (pids.contains(pid) || self.grabbed == Some(*pid)));
        if let Some((_, pid)) = named {
            let of_functions = ProbeDesc { provider: format!("pid{pid}"), ..desc.clone() };
            all.extend(self.find(&of_functions).unwrap_or_default());
        }
        for pid in pids {
            // Before a command begins, its process is a shell. Those that may not be looked at have nothing to show.
            let providers = match begins == Some(pid) {
                true => self.finder(pid).map(|finder| finder.providers()),
                false => tracewell_pid::mapped(pid).map(|modules| self.providers(&modules)),
            };
            for name in providers.into_iter().flatten() {
                let provider = format!("{name}{pid}");
                if !glob(&desc.provider, &provider) {
                    continue;
                }
                let Ok(finder) = self.finder(pid) else { continue };
                let parts = [desc.module.as_str(), &desc.function, &desc.name];
                let Ok(found) = finder.find_static(glob, &name, parts) else { continue };
                all.extend(found.into_iter().map(|found| probe(&provider, found)));
                self.owners.insert(provider, pid);
            }
            if all.len() > self.limit {
                let why = format!(
                    "the pattern matches more than {} probes of the programs that run: name fewer of them, or raise the limit \
                     with -x pidlimit=N",
                    self.limit
                );
                return Some(Err(Refusal { tag: Tag::ProcCreatefail, why }));
            }
        }
        (!all.is_empty()).then_some(Ok(all))
    }

    /// What debug information reports about functions. The file of each is read once for all.
    fn described(&mut self, provider: &str, sites: &[u32]) -> Vec<(u32, Result<Described, String>)> {
        let Some(pid) = self.owners.get(provider) else { return Vec::new() };
        let Some(Ok(finder)) = self.finders.get(pid) else { return Vec::new() };
        // Of each file, where its debug information may be, and the functions: number, address, whether it returns.
        type Wanted<'f> = (&'f [PathBuf], Vec<(u32, u64, bool)>);
        let mut files: BTreeMap<&Path, Wanted<'_>> = BTreeMap::new();
        for &site in sites {
            if let Some((path, apart, address, returns)) = finder.function_of(site) {
                files.entry(path).or_insert((apart, Vec::new())).1.push((site, address, returns));
            }
        }
        let mut all = Vec::new();
        for (path, (apart, functions)) in files {
            let addresses: Vec<u64> = functions.iter().map(|(_, address, _)| *address).collect();
            let known = tracewell_symbols::signatures(path, apart, &addresses).map(Rc::new);
            let known = known.map_err(|why| format!("{}: {why}", name_of(path)));
            all.extend(functions.into_iter().map(|(site, address, returns)| {
                (site, known.clone().map(|known| Described { known, address, returns }))
            }));
        }
        all
    }

    /// A type of a process: of the module that the scope names, or of the first that has it.
    fn named_type(&mut self, scope: &str, word: TypeWord, name: &str) -> Result<NamedType, String> {
        let (process, module) = scope.split_once('`').unwrap_or((scope, ""));
        let number = process.trim_start_matches("pid");
        let target = self.beginning.as_ref().map(|beginning| beginning.pid).or(self.grabbed);
        let pid = match number.parse() {
            Ok(pid) => pid,
            Err(_) => target.ok_or(
                "there is no process whose types pid means: give one with -p or -c, or write its number, pid123",
            )?,
        };
        let finder = self.finder(pid)?;
        let mut refused = BTreeSet::new();
        for (module, path, apart) in finder.files(glob, module)? {
            match tracewell_symbols::named_type(&path, &apart, (word, name)) {
                Ok(Some((known, index))) => return Ok(NamedType { known, index, module }),
                Ok(None) => {
                    refused.insert(format!("{module} has no type of this name"));
                }
                Err(why) => {
                    refused.insert(format!("{module}: {why}"));
                }
            }
        }
        let more = if refused.len() > SHOWN { "; ..." } else { "" };
        let shown = refused.into_iter().take(SHOWN).collect::<Vec<_>>().join("; ");
        Err(format!("{shown}{more}"))
    }

    /// The providers that modules contain. Many processes have the same libraries.
    fn providers(&mut self, modules: &[Module]) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for module in modules {
            let Some(file) = file_of(&module.path) else { continue };
            let known = self.contained.entry(file).or_insert_with(|| {
                let probes = tracewell_symbols::static_probes(&module.path);
                probes.into_iter().map(|probe| probe.provider).collect()
            });
            names.extend(known.iter().cloned());
        }
        names
    }

    #[cfg(target_os = "linux")]
    fn attach(
        &mut self,
        wanted: &Wanted,
        deeds: &Deeds,
        capture: tracewell_pid::Capture,
    ) -> Result<Attached, String> {
        let mut attached = Attached {
            watched: Vec::new(),
            capture: capture.clone(),
            stepped: 0,
            probes: 0,
            refused: Vec::new(),
            unhooked: Vec::new(),
            program: String::new(),
            changed: BTreeSet::new(),
            processes: Vec::new(),
            children: Children::default(),
            later: None,
            functions: None,
            has_begun: false,
        };
        for (&(pid, way), sites) in wanted {
            if wanted.contains_key(&(pid, Way::Kernel)) && wanted.contains_key(&(pid, Way::Hooks)) {
                return Err(
                    "pid and fpid cannot watch the same process in one run: use one of them".to_owned()
                );
            }
            let mut process =
                session::process(pid, true).unwrap_or_else(|| LiveProcess { pid, ..LiveProcess::default() });
            if let Some(beginning) = self.beginning.as_ref().filter(|beginning| beginning.pid == pid) {
                let program = program_of(beginning)?;
                process.name = name_of(&program);
                process.command_line = beginning.command.clone();
                process.images.clear();
                attached.program = program.display().to_string();
            }
            attached.probes += sites.len();
            let watched = match way {
                Way::Kernel => self.by_kernel(pid, (sites, deeds), &mut attached)?,
                Way::Hooks => self.by_hooks(pid, sites, &mut attached)?,
            };
            attached.watched.push(watched);
            attached.processes.push(process);
        }
        Ok(attached)
    }

    /// Has the kernel watch functions of a process.
    #[cfg(target_os = "linux")]
    fn by_kernel(
        &mut self,
        pid: u32,
        (sites, deeds): (&[(u32, u32)], &Deeds),
        attached: &mut Attached,
    ) -> Result<Box<dyn Mechanism>, String> {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let finder = self.finders.get_mut(&pid).and_then(|finder| finder.as_mut().ok());
        let finder = finder.ok_or_else(|| format!("process {pid} is unknown"))?;
        let mut uprobes = tracewell_pid::Uprobes::new(pid, attached.capture.clone(), &release)?;
        let beginning = self.beginning.as_ref().filter(|beginning| beginning.pid == pid);
        if attached.capture.deeds {
            uprobes.allow_deeds(beginning.is_none(), std::process::id());
        }
        if let Some(beginning) = beginning {
            let begin = finder.beginning();
            let (file, offset) =
                begin.ok_or_else(|| format!("cannot find where '{}' begins", beginning.command))?;
            uprobes.begin_at(&file, offset)?;
        }
        let watches = sites.iter().flat_map(|&(site, probe)| {
            let deeds = deeds.get(&probe).cloned().unwrap_or_default();
            finder
                .watches(site, probe)
                .into_iter()
                .map(move |watch| Watch { deeds: Rc::clone(&deeds), ..watch })
        });
        let watches: Vec<_> = watches.collect();
        attached.stepped += sites.iter().filter(|(site, _)| finder.is_stepped(*site)).count();
        uprobes.watch(&watches)?;
        attached.refused.extend_from_slice(uprobes.refused());
        Ok(Box::new(uprobes))
    }

    /// Has a process watch its functions itself.
    #[cfg(target_os = "linux")]
    fn by_hooks(
        &mut self,
        pid: u32,
        sites: &[(u32, u32)],
        attached: &mut Attached,
    ) -> Result<Box<dyn Mechanism>, String> {
        let finder = self.finders.get_mut(&pid).and_then(|finder| finder.as_mut().ok());
        let finder = finder.ok_or_else(|| format!("process {pid} is unknown"))?;
        let watches: Vec<_> = sites.iter().filter_map(|&(site, probe)| finder.hooks(site, probe)).collect();
        attached.unhooked.extend(finder.unhooked().iter().cloned());
        let loader = finder.loader()?;
        let capture = attached.capture.clone();
        if let Some(running) = self.running.get(&pid) {
            let injection = tracewell_pid::Injection::new(&agent::library()?, std::process::id())?;
            let mut hooks = tracewell_pid::Hooks::new(&injection, pid, capture, &watches, loader)?;
            hooks.attach(running, &injection)?;
            return Ok(Box::new(hooks));
        }
        let injection = self.injection.as_ref().ok_or("fpid is not prepared")?;
        let hooks = tracewell_pid::Hooks::new(injection, pid, capture, &watches, loader)?;
        Ok(Box::new(hooks))
    }

    #[cfg(not(target_os = "linux"))]
    fn attach(&mut self, _: &Wanted, _: &Deeds, _: tracewell_pid::Capture) -> Result<Attached, String> {
        Err("functions of processes can be probed on Linux only".to_owned())
    }
}

/// Device and number of a file.
#[cfg(unix)]
fn file_of(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn file_of(_: &Path) -> Option<(u64, u64)> {
    None
}

/// The processes that run, without this one.
fn running() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| *pid != std::process::id()).collect()
}

/// A probe of a provider.
fn probe(provider: &str, found: tracewell_pid::Found) -> FunctionProbe {
    let operands = found.operands.iter().flat_map(|operands| operands.iter());
    let argument = |(from, operand): (u8, &Operand)| ProbeArg {
        native: operand.type_name().to_owned(),
        translated: None,
        from,
        offset: 0,
        payload: None,
    };
    FunctionProbe {
        provider: provider.to_owned(),
        module: found.module,
        function: found.function,
        name: found.name,
        site: found.site,
        args: (0..).zip(operands).map(argument).collect(),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The code of a process that runs.
fn of_process(pid: u32, limit: usize) -> Result<Finder, String> {
    let modules = tracewell_pid::mapped(pid)?;
    let root = PathBuf::from(format!("/proc/{pid}/root"));
    let mut folders = folders(modules.first(), None);
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    folders.splice(0..0, library_path(&environment));
    for folder in &mut folders {
        *folder = root.join(folder.strip_prefix("/").unwrap_or(folder));
    }
    Ok(Finder::new(modules, folders, root, limit))
}

/// The folders of `LD_LIBRARY_PATH` in the environment of a process.
fn library_path(environment: &[u8]) -> Vec<PathBuf> {
    let mut variables = environment.split(|byte| *byte == 0);
    let set = variables.find_map(|variable| variable.strip_prefix(b"LD_LIBRARY_PATH="));
    let set = String::from_utf8_lossy(set.unwrap_or_default()).into_owned();
    std::env::split_paths(&set).filter(|path| path.is_absolute()).collect()
}

/// The code of a command that has not begun.
fn of_command(beginning: &Beginning, limit: usize) -> Result<Finder, String> {
    let program = program_of(beginning)?;
    let root = PathBuf::from("/");
    let code = ElfCode::open(&program, &root)
        .map_err(|error| format!("{}: {error}, so it has no functions to probe", program.display()))?;
    // The loader lists what it would load, and runs nothing of it.
    let listed = code.interpreter.as_ref().and_then(|loader| {
        let mut command = Command::new(loader);
        command.arg("--list").arg(&program).stdin(Stdio::null()).stderr(Stdio::null());
        beginning.environment.put(&mut command).output().ok()
    });
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let modules = tracewell_pid::of_command(&program, &listed.unwrap_or_default());
    let folders = folders(modules.first(), Some(&beginning.environment));
    Ok(Finder::new(modules, folders, root, limit))
}

/// Where the libraries that a program loads later are looked for.
fn folders(program: Option<&Module>, environment: Option<&Environment>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(environment) = environment {
        let set = environment.set.iter().rev().find(|(name, _)| name == "LD_LIBRARY_PATH");
        let path = set.map(|(_, path)| path.clone()).or_else(|| std::env::var("LD_LIBRARY_PATH").ok());
        folders.extend(std::env::split_paths(&path.unwrap_or_default()).filter(|path| path.is_absolute()));
        folders.extend(std::env::current_dir());
    }
    folders.extend(program.and_then(|module| Some(module.path.parent()?.to_owned())));
    let system = [
        "/usr/local/lib",
        "/lib/x86_64-linux-gnu",
        "/usr/lib/x86_64-linux-gnu",
        "/lib64",
        "/usr/lib64",
        "/lib",
        "/usr/lib",
    ];
    folders.extend(system.map(PathBuf::from));
    folders
}

/// The program that a command runs.
fn program_of(beginning: &Beginning) -> Result<PathBuf, String> {
    let Beginning { command, environment, .. } = beginning;
    let (_, rest) = assignments(command);
    let word = rest.split_whitespace().next().unwrap_or_default();
    let word = word.trim_matches(['"', '\'']);
    if word.is_empty() || word.contains(['$', '`', '(', '|', ';', '&', '<', '>', '\\', '*', '?']) {
        return Err(format!(
            "'{command}' does not begin with the name of a program, so its functions are unknown: put the rest into a \
             script, or attach to the process (-p)"
        ));
    }
    let found = find_program(word, environment);
    let program = found.ok_or_else(|| format!("{word}: there is no such program"))?;
    let program = std::fs::canonicalize(&program).unwrap_or(program);
    // A script is run by the program that its first line names.
    let first = std::fs::read(&program).map(|bytes| {
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        line.strip_prefix(b"#!").map(|line| String::from_utf8_lossy(line).trim().to_owned())
    });
    match first {
        Ok(Some(line)) => {
            let runner = line.split_whitespace().next().unwrap_or_default().to_owned();
            if name_of(Path::new(&runner)) == "env" {
                return Err(format!(
                    "{}: the script is run by way of {line}: start the program that runs it, as -c 'PROGRAM SCRIPT'",
                    program.display()
                ));
            }
            let runner = PathBuf::from(runner);
            Ok(std::fs::canonicalize(&runner).unwrap_or(runner))
        }
        _ => Ok(program),
    }
}

/// What watches the functions of a run.
pub struct Attached {
    watched: Vec<Box<dyn Mechanism>>,
    /// What is taken with each hit.
    pub capture: tracewell_pid::Capture,
    /// Probes whose instructions the kernel single-steps, of all.
    pub stepped: usize,
    /// All probes.
    pub probes: usize,
    /// Places that the kernel allows no breakpoint on.
    refused: Vec<String>,
    /// Functions that cannot have hooks: one line each.
    unhooked: Vec<String>,
    /// The path of the program of `-c`.
    program: String,
    /// The processes that have changed.
    changed: BTreeSet<u32>,
    /// The watched processes.
    processes: Vec<LiveProcess>,
    /// What these have started, if it is followed.
    children: Children,
    /// What is looked for in the files that the processes map.
    later: Option<Later>,
    functions: Option<Functions>,
    /// The program of `-c` runs.
    has_begun: bool,
}

impl Attached {
    /// Takes the hits that have come.
    pub fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64) {
        hits.clear();
        let mut mapped = Vec::new();
        for watched in &mut self.watched {
            watched.take(hits, raw);
            mapped.extend(watched.mapped());
        }
        self.probe_later(&mapped);
        // A child that has ended may be described by what a watched process has mapped before.
        for Mapped { pid, image, .. } in mapped {
            match self.processes.iter_mut().find(|process| process.pid == pid) {
                Some(process) => {
                    // The program of a command comes after all that the shell had mapped.
                    if image.2 == self.program {
                        process.images.clear();
                    }
                    process.images.push(image);
                }
                None if self.children.map(pid, image, |pid| session::process(pid, true)) => {}
                None => continue,
            }
            self.changed.insert(pid);
        }
        if self.capture.follows {
            self.meet_children(hits);
        }
    }

    /// Probes the functions of libraries that were loaded.
    fn probe_later(&mut self, mapped: &[Mapped]) {
        let (Some(later), Some(Functions(processes))) = (&mut self.later, &self.functions) else { return };
        let mut processes = processes.borrow_mut();
        for file in mapped {
            // What the shell has mapped that starts a command is not the program's.
            self.has_begun |= self.program.is_empty() || file.image.2 == self.program;
            if !self.has_begun {
                continue;
            }
            let Some(index) = self.processes.iter().position(|process| process.pid == file.pid) else {
                continue;
            };
            let finder = processes.finders.get_mut(&file.pid).and_then(|finder| finder.as_mut().ok());
            if let (Some(watched), Some(finder)) = (self.watched.get_mut(index), finder) {
                later.map(file, finder, &mut **watched);
            }
        }
    }

    /// The probes that were placed while the run goes on.
    pub(crate) fn arrivals(&self) -> Arrivals {
        self.later.as_ref().map(Later::arrivals).unwrap_or_default()
    }

    /// Adds the processes of hits that are new.
    fn meet_children(&mut self, hits: &Hits) {
        let mut last = None;
        for pid in hits.records().filter_map(|record| record.pid()) {
            if last == Some(pid) || self.processes.iter().any(|process| process.pid == pid) {
                continue;
            }
            last = Some(pid);
            if self.children.meet(pid, self.processes.first(), |pid| session::process(pid, true)) {
                self.changed.insert(pid);
            }
        }
    }

    /// The processes that have changed since the last call.
    pub fn changed(&mut self) -> Vec<LiveProcess> {
        std::mem::take(&mut self.changed).into_iter().filter_map(|pid| self.process(pid)).collect()
    }

    /// A watched process, or a child that is followed.
    pub fn process(&self, pid: u32) -> Option<LiveProcess> {
        let watched = self.processes.iter().find(|process| process.pid == pid);
        watched.or_else(|| self.children.get(pid)).cloned()
    }

    /// What has to be called when the run begins, so that the kernel does what clauses do to processes.
    pub fn openings(&self) -> Vec<Box<dyn Fn()>> {
        self.watched.iter().filter_map(|watched| watched.opening()).collect()
    }

    /// Watches nothing any more.
    pub fn end(&mut self) {
        self.functions = None;
        for watched in &mut self.watched {
            watched.end();
        }
    }

    /// Number of hits that were not kept.
    pub fn lost(&self) -> u64 {
        self.watched.iter().map(|watched| watched.lost()).sum()
    }

    /// Lines about probes that are costly, or do not fire.
    pub fn remarks(&self) -> Vec<String> {
        const SHOWN: usize = 4;
        let mut lines = Vec::new();
        if self.stepped > 0 {
            lines.push(format!(
                "dtrace: {} of {} probed instructions cannot be emulated: the kernel single-steps them, which costs \
                 several microseconds a hit",
                self.stepped, self.probes
            ));
        }
        if !self.refused.is_empty() {
            let more = if self.refused.len() > SHOWN { ", ..." } else { "" };
            let shown = self.refused.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            lines.push(format!(
                "dtrace: the kernel allows no breakpoint on the instructions of {} probes, or changes what they do, so these cannot fire: {shown}{more}",
                self.refused.len()
            ));
        }
        if !self.unhooked.is_empty() {
            let more = if self.unhooked.len() > SHOWN { ", ..." } else { "" };
            let shown = self.unhooked.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            lines.push(format!("dtrace: {} functions have no hooks: {shown}{more}", self.unhooked.len()));
        }
        lines
    }

    /// Lines about what was not seen.
    pub fn closing(&self) -> Vec<String> {
        let of_later = self.later.iter().flat_map(Later::closing);
        self.watched.iter().flat_map(|watched| watched.closing()).chain(of_later).collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tracewell_corpus::Scratch;

    /// The program of a command is that of its first word which is no assignment; that of a script runs it.
    #[test]
    fn issue_23_the_program_of_a_command_is_found() {
        let folder = Scratch::new("program-of");
        let folder =
            std::fs::canonicalize(folder.write("runner", b"\x7fELF\n#!/bin/false\n").parent().unwrap())
                .unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        let runner = path("runner");
        for (name, text) in [
            ("script", format!("#!{runner}\nexit\n")),
            ("options", format!("#! {runner} -x y\nexit\n")),
            ("no-end", format!("#!{runner}")),
            ("by-env", "#!/usr/bin/env runner\n".to_owned()),
            ("late", format!("\n#!{runner}\n")),
            ("comment", format!("# {runner}\n")),
            ("empty", String::new()),
        ] {
            std::fs::write(path(name), text).unwrap();
        }
        symlink(&runner, path("link")).unwrap();
        symlink(path("script"), path("script-link")).unwrap();
        let environment = Environment { set: vec![("PATH".to_owned(), path(""))], ..Environment::default() };
        let of = |command: &str| {
            let command = command.to_owned();
            program_of(&Beginning { pid: 1, command, environment: environment.clone() })
                .map(|program| program.display().to_string().replace(&path(""), ""))
                .map_err(|error| error.replace(&path(""), ""))
        };
        let odd = |command: &str| {
            Err(format!(
                "'{command}' does not begin with the name of a program, so its functions are unknown: put the rest into \
                 a script, or attach to the process (-p)"
            ))
        };
        let found = |name: &str| Ok(name.to_owned());
        for (command, expected) in [
            ("runner", found("runner")),
            ("runner script", found("runner")),
            ("  runner\t-x 'a $b'", found("runner")),
            ("A=1 _B2=x=y runner", found("runner")),
            ("A='x y' B=\"1 'z' 2\" C=a\\ b runner x", found("runner")),
            ("'runner' x", found("runner")),
            ("\"runner\"", found("runner")),
            ("link", found("runner")),
            ("script", found("runner")),
            ("script-link", found("runner")),
            ("options", found("runner")),
            ("no-end", found("runner")),
            ("late", found("late")),
            ("comment", found("comment")),
            ("empty", found("empty")),
            ("nothing", Err("nothing: there is no such program".to_owned())),
            ("=x runner", Err("=x: there is no such program".to_owned())),
            (
                "by-env x",
                Err("by-env: the script is run by way of /usr/bin/env runner: start the program that runs it, as -c \
                     'PROGRAM SCRIPT'"
                    .to_owned()),
            ),
            ("", odd("")),
            ("A=1", odd("A=1")),
            ("$X", odd("$X")),
            ("(runner)", odd("(runner)")),
            ("a|b", odd("a|b")),
            ("run*", odd("run*")),
        ] {
            assert_eq!(of(command), expected, "{command}");
        }
        assert_eq!(of(&path("script")), found("runner"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn issue_17_errors_of_descriptions_have_their_tags() {
        let functions = Functions::new(Some(2), false);
        let me = format!("pid{}", std::process::id());
        for (parts, tag) in [
            (["pid0", "", "", "entry"], Tag::ProcBadpid),
            (["pid4294967295", "", "", "entry"], Tag::ProcGrab),
            ([&me, "a.out", "no_such_function", "entry"], Tag::ProcFunc),
            ([&me, "a.out", "main", "beginning"], Tag::ProcName),
            ([&me, "a.out", "-", "1"], Tag::ProcLib),
            ([&me, "a.out", "main", "ffffff"], Tag::ProcOff),
            ([&me, "", "", ""], Tag::ProcCreatefail),
            ([&me, "absent.so", "main", "entry"], Tag::PdescZero),
        ] {
            let [provider, module, function, name] = parts.map(str::to_owned);
            let desc = ProbeDesc { provider, module, function, name };
            let found = functions::Functions::find(&mut functions.clone(), &desc);
            let tag_of = found.map(|found| found.map_err(|refusal| refusal.tag));
            if !cfg!(target_os = "linux") {
                continue;
            }
            assert_eq!(tag_of, Some(Err(tag)), "{parts:?}");
        }
    }

    fn found(functions: &Functions, description: [&str; 4]) -> Option<Result<Vec<FunctionProbe>, String>> {
        let [provider, module, function, name] = description.map(str::to_owned);
        let desc = ProbeDesc { provider, module, function, name };
        let found = functions::Functions::find(&mut functions.clone(), &desc)?;
        Some(found.map_err(|refusal| refusal.why))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn issue_23_probes_on_functions_need_one_process() {
        let functions = Functions::new(None, false);
        let error = |description| found(&functions, description).unwrap().unwrap_err();
        for (provider, expected) in [
            ("pid*", "the provider pid needs the number of one process: pid123, or pid$target with -p or -c"),
            (
                "fpid*",
                "the provider fpid needs the number of one process: fpid123, or fpid$target with -p or -c",
            ),
            ("pid4294967295", "there is no process 4294967295"),
        ] {
            assert_eq!(error([provider, "", "main", "entry"]), expected, "{provider}");
        }
        functions.begins(Beginning { pid: 1, command: "sh".to_owned(), environment: Environment::default() });
        assert_eq!(
            error(["fpid1", "", "main", "entry"]),
            "fpid is not prepared: name it in the script itself, not by a macro"
        );
        for (provider, expected) in [
            ("python1", true),
            ("python21", true),
            ("pid1", true),
            ("python2", false),
            ("python", false),
            ("1", false),
        ] {
            assert_eq!(functions.is_of_target(provider), expected, "{provider}");
        }
        functions.grabs(2);
        assert!(functions.is_of_target("python2") && functions.is_of_target("python1"));
        // Names without a process mean other sources.
        assert!(found(&functions, ["syscall", "", "", "entry"]).is_none());
        assert!(found(&functions, ["*", "", "", ""]).is_none());
        assert!(found(&functions, ["pid", "", "main", "entry"]).is_none());
        assert!(found(&functions, ["x4294967295", "", "", ""]).is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn issue_23_functions_of_a_process_that_runs_are_found() {
        let functions = Functions::new(Some(7), false);
        let pid = std::process::id();
        let provider = format!("pid{pid}");
        let name = "issue_23_functions_of_a_process_that_runs_are_found";
        let mine = found(&functions, [&provider, "a.out", &format!("*{name}"), "entry"]).unwrap().unwrap();
        let [probe] = &mine[..] else { panic!("{mine:?}") };
        assert_eq!((&*probe.provider, &*probe.name, probe.args.len()), (&*provider, "entry", 0));
        assert!(probe.function.ends_with(name) && probe.module.starts_with("tracewell_live"), "{probe:?}");
        let own = functions::Functions::described(&mut functions.clone(), &provider, &[probe.site, 99]);
        assert_eq!(own.len(), 1);
        assert!(own[0].0 == probe.site && own[0].1.as_ref().is_ok_and(|described| !described.returns));
        assert!(functions::Functions::described(&mut functions.clone(), "pid0", &[probe.site]).is_empty());
        let many = found(&functions, [&provider, "a.out", "*issue*", ""]).unwrap().unwrap_err();
        assert!(many.contains("and the limit is 7: "), "{many}");
    }

    #[test]
    fn issue_23_arguments_of_a_probe_have_the_types_of_their_operands() {
        use tracewell_types::operand::Place;
        let operand = |size, signed, float| Operand { size, signed, float, place: Place::Constant(1) };
        let operands = [operand(4, true, false), operand(8, false, false)];
        let types: Vec<&str> = operands.iter().map(Operand::type_name).collect();
        let of = tracewell_pid::Found {
            module: "m".to_owned(),
            function: "f".to_owned(),
            name: "n".to_owned(),
            site: 9,
            operands: Some(operands.to_vec().into()),
        };
        let made = probe("app7", of);
        assert_eq!((&*made.provider, &*made.module, &*made.function, &*made.name), ("app7", "m", "f", "n"));
        assert_eq!(made.site, 9);
        let args: Vec<_> = made.args.iter().map(|arg| (&*arg.native, arg.from, arg.offset)).collect();
        assert_eq!(args, [(types[0], 0, 0), (types[1], 1, 0)]);
    }

    #[test]
    fn issue_23_libraries_are_looked_for_as_the_loader_does() {
        let program = Module { name: "p".into(), path: "/opt/x/p".into(), program: true, mapped: None };
        let environment = Environment {
            set: [("LD_LIBRARY_PATH", "/wrong"), ("LD_LIBRARY_PATH", "/a:relative:/b"), ("PATH", "/c")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            ..Environment::default()
        };
        let here = std::env::current_dir().unwrap();
        let all = folders(Some(&program), Some(&environment));
        let first: Vec<&Path> = all.iter().take(4).map(PathBuf::as_path).collect();
        assert_eq!(first, [Path::new("/a"), Path::new("/b"), &here, Path::new("/opt/x")]);
        let system = folders(None, None);
        assert_eq!(all[4..], system);
        assert!(system.contains(&PathBuf::from("/usr/lib")) && system[0] == Path::new("/usr/local/lib"));
    }

    /// Watches nothing: reports what it was given.
    #[derive(Debug, Default)]
    struct Told {
        pid: u32,
        images: Vec<(u64, u64, String)>,
        lost: u64,
        line: &'static str,
    }

    impl Mechanism for Told {
        fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64) {
            let lost = self.lost;
            hits.push(raw(5), 0, |out| {
                out.extend([lost as u8; 8]);
                true
            });
        }

        fn mapped(&mut self) -> Vec<Mapped> {
            let pid = self.pid;
            std::mem::take(&mut self.images).into_iter().map(|image| Mapped { pid, image, time: 0 }).collect()
        }

        fn refused(&self) -> &[String] {
            &[]
        }

        fn closing(&self) -> Vec<String> {
            vec![self.line.to_owned()]
        }

        fn end(&mut self) {
            self.lost += 100;
        }

        fn lost(&self) -> u64 {
            self.lost
        }
    }

    #[test]
    fn issue_23_what_watches_processes_is_asked_in_turn_and_reports_what_it_could_not() {
        let image = |base, path: &str| (base, 16, path.to_owned());
        let process =
            |pid, base| LiveProcess { pid, images: vec![image(base, "/old")], ..LiveProcess::default() };
        let first = Told {
            pid: 7,
            images: vec![image(1, "/shell"), image(2, "/program"), image(3, "/lib")],
            lost: 4,
            line: "a",
        };
        let second = Told { pid: 8, lost: 5, line: "b", ..Told::default() };
        let list = |count: usize| (0..count).map(|number| format!("p{number}")).collect::<Vec<_>>();
        let mut attached = Attached {
            watched: vec![Box::new(first), Box::new(second)],
            capture: tracewell_pid::Capture::default(),
            stepped: 0,
            probes: 9,
            refused: Vec::new(),
            unhooked: Vec::new(),
            program: "/program".to_owned(),
            changed: BTreeSet::new(),
            children: Children::default(),
            processes: vec![process(7, 0), process(8, 0)],
            later: None,
            functions: None,
            has_begun: false,
        };
        assert!(attached.changed().is_empty());
        let mut hits = Hits::default();
        hits.push(0, 0, |_| true);
        attached.take(&mut hits, &mut |time| time);
        assert!(!hits.is_empty());
        // What the shell had mapped before the program is gone.
        let changed = attached.changed();
        let images =
            |process: &LiveProcess| process.images.iter().map(|(base, ..)| *base).collect::<Vec<_>>();
        assert_eq!(changed.iter().map(images).collect::<Vec<_>>(), [vec![2, 3]], "the other has not changed");
        assert!(attached.changed().is_empty());
        assert_eq!(attached.process(8).map(|process| process.pid), Some(8));
        assert_eq!(attached.process(7).as_ref().map(images), Some(vec![2, 3]));
        assert!(attached.process(9).is_none());
        assert_eq!((attached.lost(), attached.closing()), (9, vec!["a".to_owned(), "b".to_owned()]));
        attached.end();
        assert_eq!(attached.lost(), 209);

        assert!(attached.remarks().is_empty());
        attached.stepped = 2;
        attached.refused = list(5);
        attached.unhooked = list(4);
        assert_eq!(
            attached.remarks(),
            [
                "dtrace: 2 of 9 probed instructions cannot be emulated: the kernel single-steps them, which costs several \
                 microseconds a hit",
                "dtrace: the kernel allows no breakpoint on the instructions of 5 probes, or changes what they do, so these cannot fire: p0, p1, p2, p3, \
                 ...",
                "dtrace: 4 functions have no hooks: p0, p1, p2, p3",
            ]
        );
        (attached.refused, attached.unhooked, attached.stepped) = (list(4), list(5), 0);
        let [refused, unhooked] = &attached.remarks()[..] else { panic!() };
        assert!(refused.ends_with(": p0, p1, p2, p3") && unhooked.ends_with(": p0, p1, p2, p3, ..."));
    }
}
