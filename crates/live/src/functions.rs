//! Probes on functions of processes: which processes there are, and what watches them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use tracewell_dengine::Engine;
use tracewell_dlang::catalog::{ProbeArg, ProbeDesc, glob};
use tracewell_pid::{Finder, Hits, Mechanism, Module, Way, provider_pid};
use tracewell_probes::catalog::{Kind, ProbeCatalog};
use tracewell_probes::functions::{self, Described, FunctionProbe, is_of_process};
use tracewell_probes::replay::{LiveProcess, only_counts};
use tracewell_symbols::ElfCode;
use tracewell_types::operand::Operand;

#[cfg(target_os = "linux")]
use crate::agent;
use crate::process::{Environment, assignments, find_program};
#[cfg(target_os = "linux")]
use crate::session;

/// Maximum number of places that a description may match, without `-x pidlimit`.
const LIMIT: usize = 10_000;

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
    /// What the command shares with the agent in it.
    #[cfg(target_os = "linux")]
    injection: Option<tracewell_pid::Injection>,
}

impl Functions {
    /// No process yet. `limit` is the maximum number of places that a description may match.
    pub fn new(limit: Option<u64>) -> Functions {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(LIMIT);
        Functions(Rc::new(RefCell::new(Processes {
            finders: BTreeMap::new(),
            owners: BTreeMap::new(),
            beginning: None,
            grabbed: None,
            contained: BTreeMap::new(),
            limit,
            #[cfg(target_os = "linux")]
            injection: None,
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

    /// Begins to watch the functions that a program probes; [`None`] if it probes none.
    ///
    /// # Errors
    /// They cannot be watched; nothing is then.
    pub fn attach(
        &self,
        engine: &Engine,
        catalog: &ProbeCatalog<'_>,
        counting: Counting,
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
        let stacks = takes_stacks(engine, catalog);
        let capture = tracewell_pid::Capture {
            counts: counts && counting != Counting::Never,
            bare: !stacks && !functions::reads_hits(engine.program(), on_function),
            stacks,
            memory: functions::reads_memory(engine.program(), on_function),
            reaches: functions::reaches(engine.program(), on_function),
        };
        self.0.borrow_mut().attach(&wanted, capture).map(Some)
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

/// Returns `true` if a clause on a function takes a stack.
fn takes_stacks(engine: &Engine, catalog: &ProbeCatalog<'_>) -> bool {
    let mut clauses = engine.program().clauses.iter();
    clauses.any(|clause| {
        tracewell_probes::replay::takes_stacks(&clause.uses)
            && clause.probes.iter().any(|id| matches!(catalog.kind(*id), Some(Kind::Function(_))))
    })
}

impl functions::Functions for Functions {
    fn find(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, String>> {
        let mut processes = self.0.borrow_mut();
        match is_of_process(&desc.provider) {
            true => Some(processes.find(desc)),
            false => processes.find_static(desc),
        }
    }

    fn described(&mut self, provider: &str, sites: &[u32]) -> Vec<(u32, Result<Described, String>)> {
        self.0.borrow_mut().described(provider, sites)
    }
}

impl Processes {
    fn find(&mut self, desc: &ProbeDesc) -> Result<Vec<FunctionProbe>, String> {
        if !cfg!(target_os = "linux") {
            return Err("functions of processes can be probed on Linux only".to_owned());
        }
        let Some((way, pid)) = provider_pid(&desc.provider) else {
            let name = if desc.provider.starts_with('f') { "fpid" } else { "pid" };
            return Err(format!(
                "the provider {name} needs the number of one process: {name}123, or {name}$target with -p or -c"
            ));
        };
        self.owners.insert(desc.provider.clone(), pid);
        if way == Way::Hooks {
            self.may_hook(pid)?;
        }
        let found = self.finder(pid)?.find(glob, way, [&desc.module, &desc.function, &desc.name])?;
        Ok(found.into_iter().map(|found| probe(&desc.provider, found)).collect())
    }

    /// Why a process can have no hooks.
    fn may_hook(&mut self, pid: u32) -> Result<(), String> {
        if self.beginning.as_ref().is_none_or(|beginning| beginning.pid != pid) {
            return Err(format!(
                "fpid hooks functions of the command of -c, and process {pid} runs already: use pid{pid}, which the kernel watches"
            ));
        }
        #[cfg(target_os = "linux")]
        if self.injection.is_none() {
            return Err("fpid is not prepared: name it in the script itself, not by a macro".to_owned());
        }
        self.finder(pid)?.loader().map(|_| ())
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
    fn find_static(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, String>> {
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
            let found = self.finder(pid).and_then(|finder| {
                let found = finder.find_static(glob, name, [&desc.module, &desc.function, &desc.name])?;
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
    fn find_everywhere(&mut self, desc: &ProbeDesc) -> Option<Result<Vec<FunctionProbe>, String>> {
        // What fits every name means the other sources.
        if glob(&desc.provider, "no provider has this name") {
            return None;
        }
        let begins = self.beginning.as_ref().map(|beginning| beginning.pid);
        let mut pids: Vec<u32> = running();
        pids.extend(begins.filter(|pid| !pids.contains(pid)));
        let mut all = Vec::new();
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
                return Some(Err(format!(
                    "the pattern matches more than {} probes of the programs that run: name fewer of them, or raise the limit \
                     with -x pidlimit=N",
                    self.limit
                )));
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
    fn attach(&mut self, wanted: &Wanted, capture: tracewell_pid::Capture) -> Result<Attached, String> {
        let mut attached = Attached {
            watched: Vec::new(),
            capture: capture.clone(),
            stepped: 0,
            probes: 0,
            refused: Vec::new(),
            unhooked: Vec::new(),
            program: String::new(),
            changed: false,
            processes: Vec::new(),
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
                Way::Kernel => self.by_kernel(pid, sites, &mut attached)?,
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
        sites: &[(u32, u32)],
        attached: &mut Attached,
    ) -> Result<Box<dyn Mechanism>, String> {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let finder = self.finders.get_mut(&pid).and_then(|finder| finder.as_mut().ok());
        let finder = finder.ok_or_else(|| format!("process {pid} is unknown"))?;
        let mut uprobes = tracewell_pid::Uprobes::new(pid, attached.capture.clone(), &release)?;
        if let Some(beginning) = self.beginning.as_ref().filter(|beginning| beginning.pid == pid) {
            let begin = finder.beginning();
            let (file, offset) =
                begin.ok_or_else(|| format!("cannot find where '{}' begins", beginning.command))?;
            uprobes.begin_at(&file, offset)?;
        }
        let watches: Vec<_> = sites.iter().flat_map(|&(site, probe)| finder.watches(site, probe)).collect();
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
        let injection = self.injection.as_ref().ok_or("fpid is not prepared")?;
        let watches: Vec<_> = sites.iter().filter_map(|&(site, probe)| finder.hooks(site, probe)).collect();
        attached.unhooked.extend(finder.unhooked().iter().cloned());
        let loader = finder.loader()?;
        let hooks = tracewell_pid::Hooks::new(injection, pid, attached.capture.clone(), &watches, loader)?;
        Ok(Box::new(hooks))
    }

    #[cfg(not(target_os = "linux"))]
    fn attach(&mut self, _: &Wanted, _: tracewell_pid::Capture) -> Result<Attached, String> {
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
    for folder in &mut folders {
        *folder = root.join(folder.strip_prefix("/").unwrap_or(folder));
    }
    Ok(Finder::new(modules, folders, root, limit))
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
    /// The watched processes have changed.
    changed: bool,
    /// The watched processes.
    processes: Vec<LiveProcess>,
}

impl Attached {
    /// Takes the hits that have come.
    pub fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64) {
        hits.clear();
        for (watched, process) in self.watched.iter_mut().zip(&mut self.processes) {
            watched.take(hits, raw);
            for image in watched.mapped() {
                // The program of a command comes after all that the shell had mapped.
                if image.2 == self.program {
                    process.images.clear();
                }
                process.images.push(image);
                self.changed = true;
            }
        }
    }

    /// The watched processes, if they have changed since the last call.
    pub fn changed(&mut self) -> Vec<LiveProcess> {
        if std::mem::take(&mut self.changed) { self.processes.clone() } else { Vec::new() }
    }

    /// A watched process.
    pub fn process(&self, pid: u32) -> Option<LiveProcess> {
        self.processes.iter().find(|process| process.pid == pid).cloned()
    }

    /// Watches nothing any more.
    pub fn end(&mut self) {
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
                "dtrace: the kernel allows no breakpoint on the instructions of {} probes, which cannot fire: {shown}{more}",
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
        self.watched.iter().flat_map(|watched| watched.closing()).collect()
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
}
