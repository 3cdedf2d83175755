//! Finds the functions that a description matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewell_symbols::{CodeFunction, ElfCode};
use tracewell_types::operand::Operand;

use crate::code;
use crate::mechanism::{Caller, HookWatch, Loader, Watch};
use crate::modules::Module;
use crate::moved::{keeps_return, moved, targets};

/// Who watches a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The kernel: `pid`.
    Kernel,
    /// The process itself: `fpid`.
    Hooks,
}

/// The process of a provider's name, and who watches its functions: `pid123`, `fpid123`.
#[must_use]
pub fn provider_pid(provider: &str) -> Option<(Way, u32)> {
    let (way, named) = match provider.strip_prefix('f') {
        Some(named) => (Way::Hooks, named),
        None => (Way::Kernel, provider),
    };
    let digits = named.strip_prefix("pid")?;
    let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some((way, digits.parse().ok()?))
}

/// A probe that a description matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The module's name.
    pub module: String,
    /// The function's readable name.
    pub function: String,
    /// `entry`, `return`, or an offset in hexadecimal.
    pub name: String,
    /// The number of the place, for [`Finder::watches`].
    pub site: u32,
    /// The arguments, if the place describes them.
    pub operands: Option<Rc<[Operand]>>,
}

/// Why a description matches no probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What of it is at fault.
    pub fault: Fault,
    /// The line for the user.
    pub why: String,
}

/// What of a description is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such function.
    Function,
    /// No probe has this name.
    Name,
    /// The offset is not the one of an instruction.
    Offset,
    /// The address is not one of the module.
    Address,
    /// More probes match than the limit allows.
    Limit,
    /// Anything else.
    Other,
}

impl Fault {
    pub(crate) fn because(self, why: String) -> Refusal {
        Refusal { fault: self, why }
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Fault::Other.because(why)
    }
}

/// What a probe watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    module: usize,
    start: u64,
    point: Point,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    Entry,
    Return,
    Offset(u64),
    /// A probe that the program contains, by its number in the finder.
    Static(u32),
}

/// The places of a probe that a program contains: file address of the instruction, of the counter of users, and arguments.
pub(crate) type StaticPlaces = Vec<(u64, u64, Rc<[Operand]>)>;

/// The code of a process, and the probes in it that were asked for.
#[derive(Debug)]
pub struct Finder {
    pub(crate) modules: Vec<Module>,
    codes: FxHashMap<usize, Result<Rc<ElfCode>, String>>,
    /// Where libraries are looked for that are not mapped yet.
    folders: Vec<PathBuf>,
    /// The files of the first modules, by their real paths.
    files: Vec<PathBuf>,
    root: PathBuf,
    pub(crate) limit: usize,
    sites: Vec<Site>,
    known: FxHashMap<(usize, u64, Point), u32>,
    pub(crate) statics: Vec<StaticPlaces>,
    /// Functions that patterns match and that cannot have hooks: one line each.
    unhooked: BTreeSet<String>,
    /// Where jumps lead to, by module.
    targets: FxHashMap<usize, Rc<[u64]>>,
}

/// Libraries that a pattern may match of those that are not loaded yet.
const MOST_LATER: usize = 64;

/// A pattern over names.
pub(crate) type Glob = fn(&str, &str) -> bool;

impl Finder {
    /// A finder over modules. `folders` are where libraries are looked for that are not among these; `root` is the root of the
    /// process; at most `limit` probes are found.
    #[must_use]
    pub fn new(modules: Vec<Module>, folders: Vec<PathBuf>, root: PathBuf, limit: usize) -> Finder {
        Finder {
            modules,
            codes: FxHashMap::default(),
            folders,
            files: Vec::new(),
            root,
            limit,
            sites: Vec::new(),
            known: FxHashMap::default(),
            statics: Vec::new(),
            unhooked: BTreeSet::new(),
            targets: FxHashMap::default(),
        }
    }

    /// Finds the probes that the parts of a description match, as `glob` compares patterns.
    ///
    /// # Errors
    /// Why there is none, for the user.
    pub fn find(
        &mut self,
        glob: Glob,
        way: Way,
        [module, function, name]: [&str; 3],
    ) -> Result<Vec<Found>, Refusal> {
        let modules = self.modules_of(glob, module)?;
        if function == "-" {
            return match way {
                Way::Kernel => self.absolute(&modules, module, name),
                Way::Hooks => Err("fpid has no probes on addresses (-): use pid".to_owned().into()),
            };
        }
        if way == Way::Kernel && !is_name(name) {
            return Err(Fault::Name
                .because(format!("{name} is neither entry, nor return, nor an offset in hexadecimal")));
        }
        self.find_in(glob, way, &modules, (function, name))
    }

    /// Finds the probes of functions in modules.
    fn find_in(
        &mut self,
        glob: Glob,
        way: Way,
        modules: &[usize],
        (function, name): (&str, &str),
    ) -> Result<Vec<Found>, Refusal> {
        let mut found = Vec::new();
        let mut refused = None;
        let mut matched = 0;
        for &index in modules {
            let code = match self.code(index) {
                Ok(code) => code,
                // Of a pattern the other modules count.
                Err(error) => {
                    refused.get_or_insert(error.into());
                    continue;
                }
            };
            let literal = !function.is_empty() && !is_pattern(function);
            let targets = match way {
                Way::Kernel => Rc::default(),
                Way::Hooks => self.targets(index, &code),
            };
            for of in &code.functions {
                let meant = match literal {
                    true => of.symbol == function || of.name == function,
                    false => !of.alias && (glob(function, &of.name) || glob(function, &of.symbol)),
                };
                // What the compiler puts elsewhere of a function is no function.
                if !meant || of.symbol != function && of.is_part() {
                    continue;
                }
                let points = match way {
                    Way::Kernel => self.points(glob, &code, of, name),
                    Way::Hooks => hook_points(glob, (&code, &targets), of, name),
                };
                match points {
                    Ok(points) => {
                        matched += points.len();
                        if matched > self.limit {
                            continue;
                        }
                        for point in points {
                            found.push(self.found(index, of, point));
                        }
                    }
                    Err(error) => {
                        if way == Way::Hooks {
                            self.unhooked.insert(error.why.clone());
                        }
                        refused.get_or_insert(error);
                    }
                }
            }
        }
        if matched > self.limit {
            return Err(Fault::Limit.because(format!(
                "the description matches {matched} places, and the limit is {}: name fewer functions, or raise it with \
                 -x pidlimit=N",
                self.limit
            )));
        }
        if found.is_empty() {
            return Err(refused.unwrap_or_else(|| self.no_function(modules, function)));
        }
        Ok(found)
    }

    /// A probe that never fires: it keeps the place of those of a library that no module is yet.
    pub fn absent(&mut self, [module, function, name]: [&str; 3]) -> Found {
        let start = self.sites.len() as u64;
        let site = self.site(usize::MAX, start, Point::Entry);
        let [module, function, name] = [module, function, name].map(str::to_owned);
        Found { module, function, name, site, operands: None }
    }

    /// Adds the module of a file that the process has mapped, and returns its number and its size in bytes; [`None`] if the file is one
    /// of the modules.
    pub fn arrive(&mut self, path: &Path) -> Option<(usize, u64)> {
        let path = self.root.join(path.strip_prefix("/").unwrap_or(path));
        let file = std::fs::canonicalize(&path).ok()?;
        for module in self.modules.iter().skip(self.files.len()) {
            self.files.push(std::fs::canonicalize(&module.path).unwrap_or_default());
        }
        if self.files.contains(&file) {
            return None;
        }
        let size = std::fs::metadata(&file).ok()?.len();
        let name = path.file_name()?.to_string_lossy().into_owned();
        self.modules.push(Module { name, path, program: false, mapped: None });
        Some((self.modules.len() - 1, size))
    }

    /// The modules that a description names, the program first: the name of each, its file, and those with its debug information apart.
    ///
    /// # Errors
    /// The process has no such module.
    pub fn files(
        &mut self,
        glob: Glob,
        module: &str,
    ) -> Result<Vec<(String, PathBuf, Vec<PathBuf>)>, String> {
        let mut modules = self.modules_of(glob, module)?;
        modules.sort_by_key(|index| !self.modules.get(*index).is_some_and(|module| module.program));
        let mut files = Vec::new();
        for index in modules {
            // One that is not a program has no types.
            let Ok(code) = self.code(index) else { continue };
            if let Some(module) = self.modules.get(index) {
                files.push((module.name.clone(), module.path.clone(), code.apart.clone()));
            }
        }
        Ok(files)
    }

    /// Finds the probes of a description in a module that has arrived. The module may have another name, or no such function.
    ///
    /// # Errors
    /// There are more than the limit allows.
    pub fn find_later(
        &mut self,
        glob: Glob,
        [module, function, name]: [&str; 3],
        index: usize,
    ) -> Result<Vec<Found>, Refusal> {
        let known = self.modules.get(index);
        if !known.is_some_and(|known| Finder::is_named(glob, module, known))
            || function == "-"
            || !is_name(name)
        {
            return Ok(Vec::new());
        }
        match self.find_in(glob, Way::Kernel, &[index], (function, name)) {
            Err(refusal) if refusal.fault != Fault::Limit => Ok(Vec::new()),
            found => found,
        }
    }

    /// What a mechanism has to watch for a probe.
    #[must_use]
    pub fn watches(&self, site: u32, probe: u32) -> Vec<Watch> {
        let watches = || {
            let Site { module, start, point } = self.sites.get(site as usize)?;
            let file = &self.modules.get(*module)?.path;
            let code = self.codes.get(module)?.as_ref().ok()?;
            let watch = |address: u64, returns, return_offset| {
                Some(Watch {
                    probe,
                    file: file.clone(),
                    offset: code.code_offset(address)?,
                    returns,
                    return_offset,
                    counter: 0,
                    operands: None,
                    caller: if *point == Point::Entry { caller(code, address) } else { Caller::InFrame },
                    deeds: Rc::default(),
                    unfit: code::is_unfit(code, address),
                })
            };
            Some(match point {
                Point::Entry => watch(*start, false, None).into_iter().collect(),
                Point::Offset(offset) => {
                    watch(start.checked_add(*offset)?, false, None).into_iter().collect()
                }
                Point::Static(number) => {
                    let places = self.statics.get(*number as usize)?.iter();
                    let watch = |(address, counter, operands): &(u64, u64, Rc<[Operand]>)| {
                        let counter = if *counter == 0 { 0 } else { code.offset(*counter)? };
                        let operands = Some(operands.clone());
                        Some(Watch { counter, operands, ..watch(*address, false, None)? })
                    };
                    places.filter_map(watch).collect()
                }
                Point::Return if !code.keeps_returns => watch(*start, true, None).into_iter().collect(),
                Point::Return => {
                    let function = code.function_at(*start)?;
                    let returns = code::returns(code, function).into_iter();
                    returns.filter_map(|at| watch(at, false, Some(at.wrapping_sub(*start)))).collect()
                }
            })
        };
        watches().unwrap_or_default()
    }

    /// Where the jumps of a module lead to.
    fn targets(&mut self, module: usize, code: &ElfCode) -> Rc<[u64]> {
        self.targets.entry(module).or_insert_with(|| targets(code).into()).clone()
    }

    /// What hooks have to watch for a probe.
    #[must_use]
    pub fn hooks(&self, site: u32, probe: u32) -> Option<HookWatch> {
        let Site { module, start, point } = self.sites.get(site as usize)?;
        let code = self.codes.get(module)?.as_ref().ok()?;
        let function = code.function_at(*start)?;
        Some(HookWatch {
            probe,
            returns: *point == Point::Return,
            file: self.modules.get(*module)?.path.clone(),
            offset: code.code_offset(*start)?,
            function: function.name.clone(),
            moved: moved(code, function, self.targets.get(module)?).ok()?.to_vec(),
        })
    }

    /// Functions that patterns match and that cannot have hooks: one line each.
    #[must_use]
    pub fn unhooked(&self) -> &BTreeSet<String> {
        &self.unhooked
    }

    /// How the loader of the program announces libraries.
    ///
    /// # Errors
    /// The line for the user: no loader that loads a further library starts the program.
    pub fn loader(&mut self) -> Result<Option<Loader>, String> {
        let program = self.modules.iter().position(|module| module.program);
        let program = program.ok_or("the process has no program")?;
        let interpreter = self.code(program)?.interpreter.clone();
        let is_known = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux"))
        };
        let Some(file) = interpreter.filter(is_known) else {
            let name = self.modules.get(program).map(|module| module.name.clone()).unwrap_or_default();
            return Err(format!(
                "{name} is not started by the loader of glibc, which loads the agent of fpid: use pid"
            ));
        };
        let file = self.root.join(file.strip_prefix("/").unwrap_or(&file));
        let loader = || {
            let code = ElfCode::open(&file, &self.root).ok()?;
            let function = code.functions.iter().find(|function| function.symbol == "_dl_debug_state")?;
            // `r_state`, behind the version, the list, and the address of the function.
            let changing = code.symbol("_r_debug")?.checked_add(24)?;
            let moved = moved(&code, function, &targets(&code)).ok()?.to_vec();
            let offset = code.code_offset(function.address)?;
            let file = std::fs::canonicalize(&file).ok()?;
            Some(Loader { file, function: (function.address, offset, moved), changing })
        };
        Ok(loader())
    }

    /// The file of a function, those with its debug information apart, its address, and whether a probe is on its return;
    /// [`None`] if a probe is on neither its entry nor its return.
    #[must_use]
    pub fn function_of(&self, site: u32) -> Option<(&Path, &[PathBuf], u64, bool)> {
        let Site { module, start, point } = self.sites.get(site as usize)?;
        let code = self.codes.get(module)?.as_ref().ok()?;
        let path = &self.modules.get(*module)?.path;
        let returns = *point == Point::Return;
        (returns || *point == Point::Entry).then_some((path, &code.apart, *start, returns))
    }

    /// Returns `true` if the kernel single-steps the instruction of a probe.
    #[must_use]
    pub fn is_stepped(&self, site: u32) -> bool {
        let stepped = || {
            let Site { module, start, point } = self.sites.get(site as usize)?;
            let code = self.codes.get(module)?.as_ref().ok()?;
            Some(match point {
                Point::Entry => code::is_stepped(code, *start),
                Point::Offset(offset) => code::is_stepped(code, start.checked_add(*offset)?),
                Point::Static(number) => {
                    let mut places = self.statics.get(*number as usize)?.iter();
                    places.any(|(address, ..)| code::is_stepped(code, *address))
                }
                // The kernel replaces the return address, and the instruction at the entry is the watched one.
                Point::Return => code.keeps_returns || code::is_stepped(code, *start),
            })
        };
        stepped().unwrap_or(false)
    }

    /// The instruction at which a module begins: the file, and the offset in it.
    #[must_use]
    pub fn beginning(&mut self) -> Option<(PathBuf, u64)> {
        let program = self.modules.iter().position(|module| module.program)?;
        let code = self.code(program).ok()?;
        // The loader runs first, and loads libraries whose functions run before the program's.
        match &code.interpreter {
            Some(loader) => {
                let loader = self.root.join(loader.strip_prefix("/").unwrap_or(loader));
                let code = ElfCode::open(&loader, &self.root).ok()?;
                Some((loader, code.code_offset(code.entry)?))
            }
            None => Some((self.modules.get(program)?.path.clone(), code.code_offset(code.entry)?)),
        }
    }

    pub(crate) fn code(&mut self, module: usize) -> Result<Rc<ElfCode>, String> {
        let Finder { codes, modules, root, .. } = self;
        let known = codes.entry(module).or_insert_with(|| {
            let Some(module) = modules.get(module) else { return Err("no such module".to_owned()) };
            let code = ElfCode::open(&module.path, root)
                .map_err(|error| format!("{}: {error}", module.path.display()))?;
            if !code.x86_64 {
                return Err(format!("{}: not a program for x86-64", module.path.display()));
            }
            Ok(Rc::new(code))
        });
        known.clone()
    }

    /// Returns `true` if a description names a module.
    fn is_named(glob: Glob, module: &str, known: &Module) -> bool {
        let short = known.name.split(".so").next().unwrap_or_default();
        module.is_empty()
            || module == "a.out" && known.program
            || glob(module, &known.name)
            || !is_pattern(module) && module == short
            || known.name.strip_prefix(module).is_some_and(|version| version.starts_with('.'))
            || known.path == Path::new(module)
    }

    /// The path by which this process can open the file that has an absolute path in the other process.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        path.strip_prefix('/').map(|path| self.root.join(path))
    }

    /// The folders in which the modules have the loader look for libraries.
    fn own_folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        for module in &self.modules {
            let Some(origin) = module.path.parent() else { continue };
            for written in tracewell_symbols::library_folders(&module.path) {
                let rest = ["$ORIGIN", "${ORIGIN}"].iter().find_map(|origin| written.strip_prefix(origin));
                let folder = match rest {
                    Some(rest) => Some(origin.join(rest.trim_start_matches('/'))),
                    None => self.inside(&written),
                };
                // Of other words for parts of a path it is unknown what the loader has for them.
                folders.extend(folder.filter(|_| !rest.unwrap_or(&written).contains('$')));
            }
        }
        folders
    }

    /// The modules that a description names. A library that is not there yet is looked for.
    pub(crate) fn modules_of(&mut self, glob: Glob, module: &str) -> Result<Vec<usize>, String> {
        let found: Vec<usize> = self
            .modules
            .iter()
            .enumerate()
            .filter(|(_, known)| Finder::is_named(glob, module, known))
            .map(|(index, _)| index)
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let folders = [self.own_folders(), self.folders.clone()].concat();
        if is_pattern(module) {
            let later = self.later(glob, module, &folders)?;
            if !later.is_empty() {
                return Ok(later);
            }
        } else if module != "a.out" {
            let whole = format!("{module}.so");
            let names = [module, whole.as_str()];
            let places = folders.iter().flat_map(|folder| names.map(|name| folder.join(name)));
            let mut places = places.chain(Path::new(module).is_absolute().then(|| PathBuf::from(module)));
            if let Some(path) = places.find(|path| path.is_file()) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.modules.push(Module { name, path, program: false, mapped: None });
                return Ok(vec![self.modules.len() - 1]);
            }
        }
        let names: Vec<&str> = self.modules.iter().map(|module| module.name.as_str()).take(12).collect();
        let more = if self.modules.len() > names.len() { ", ..." } else { "" };
        Err(format!(
            "the process has no module {module}: it has {}{more}; a library that is loaded later is found in its usual \
             folders, beside the program, by LD_LIBRARY_PATH and by RUNPATH, and -Z waits for one from elsewhere",
            names.join(", ")
        ))
    }

    /// Adds the libraries that a pattern matches in the folders, each once, though it may have several names there.
    fn later(&mut self, glob: Glob, pattern: &str, folders: &[PathBuf]) -> Result<Vec<usize>, String> {
        let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut names = BTreeSet::new();
        for folder in folders {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                // As the loader does, it takes the first folder that has a name.
                if !is_library(&name) || !glob(pattern, &name) || names.contains(&name) {
                    continue;
                }
                let Ok(file) = std::fs::canonicalize(entry.path()) else { continue };
                if !file.is_file() {
                    continue;
                }
                names.insert(name.clone());
                // The name in the mappings of a process is that of the file.
                let own = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let shown = if glob(pattern, &own) { own } else { name };
                files.entry(file).or_insert(shown);
            }
        }
        if files.len() > MOST_LATER {
            return Err(format!(
                "the process has no module {pattern} yet, and {} libraries that it could load match: name fewer",
                files.len()
            ));
        }
        let first = self.modules.len();
        let modules =
            files.into_iter().map(|(path, name)| Module { name, path, program: false, mapped: None });
        self.modules.extend(modules);
        Ok((first..self.modules.len()).collect())
    }

    /// The places of a function that a name matches.
    fn points(
        &self,
        glob: Glob,
        code: &ElfCode,
        function: &CodeFunction,
        name: &str,
    ) -> Result<Vec<Point>, Refusal> {
        let shown = &function.name;
        if function.indirect {
            return Err(indirect(shown).into());
        }
        if code.code_offset(function.address).is_none() {
            return Err(format!("{shown} has no code in the file").into());
        }
        let mut points = Vec::new();
        if name.is_empty() || glob(name, "entry") {
            points.push(Point::Entry);
        }
        // Where others have their return address, the first function of a program finds the number of its arguments.
        let is_first = function.address == code.entry;
        if is_first && name == "return" {
            return Err(format!("{shown} does not return: the program begins there").into());
        }
        if !is_first && (name.is_empty() || glob(name, "return")) {
            match code.keeps_returns && code::returns(code, function).is_empty() {
                true if name == "return" => {
                    return Err(format!(
                        "{shown} has no return instruction, and a return address on the stack cannot be watched in \
                         programs of Go, which move their stacks, and of C++ and Rust, which unwind them"
                    )
                    .into());
                }
                true => {}
                false => points.push(Point::Return),
            }
        }
        let all = matches!(name, "" | "*");
        if !points.is_empty() && !all {
            return Ok(points);
        }
        if all || is_pattern(name) {
            let all = code::starts(code, function.address, function.size);
            let offsets = all.into_iter().map(|address| address - function.address);
            points.extend(offsets.filter(|offset| glob(name, &format!("{offset:x}"))).map(Point::Offset));
            return Ok(points);
        }
        // Other names were refused.
        let Some(offset) = hexadecimal(name) else { return Ok(points) };
        if function.size != 0 && offset >= function.size {
            return Err(Fault::Offset.because(format!(
                "{shown} has {:#x} bytes: the offset {offset:#x} is behind it",
                function.size
            )));
        }
        let address = function.address.saturating_add(offset);
        // A breakpoint inside an instruction would make another one of it.
        if !code::begins_at(code, function.address, function.size.max(offset + 15), address) {
            return Err(
                Fault::Offset.because(format!("no instruction of {shown} begins at the offset {offset:#x}"))
            );
        }
        Ok(vec![Point::Offset(offset)])
    }

    /// `-` as function: the name is an address.
    fn absolute(&mut self, modules: &[usize], module: &str, name: &str) -> Result<Vec<Found>, Refusal> {
        let Some(address) = hexadecimal(name) else {
            let named = if name.is_empty() { "an empty name" } else { name };
            return Err(Fault::Name.because(format!("{named} is not an address in hexadecimal")));
        };
        for &index in modules {
            let Ok(code) = self.code(index) else { continue };
            // The address in memory, if the module is mapped; else the one that the file has.
            let bias =
                self.modules.get(index).and_then(|module| module.mapped).and_then(|(start, offset)| {
                    let page = 4095;
                    Some(start.wrapping_sub(code.address(offset)? & !page))
                });
            let inside = address.wrapping_sub(bias.unwrap_or(0));
            if code.code_offset(inside).is_none() {
                continue;
            }
            let Some(function) = code.function_at(inside).cloned() else {
                return Err(Fault::Address.because(format!(
                    "{address:#x} is in no function, so it is unknown whether an instruction begins there"
                )));
            };
            let offset = inside - function.address;
            if !code::begins_at(&code, function.address, function.size.max(offset + 15), inside) {
                let of = &function.name;
                return Err(Fault::Offset
                    .because(format!("no instruction begins at {address:#x} ({of}+{offset:#x})")));
            }
            let point = if offset == 0 { Point::Entry } else { Point::Offset(offset) };
            let found = self.found(index, &function, point);
            return Ok(vec![Found { name: name.to_owned(), ..found }]);
        }
        let place = if module.is_empty() { "the modules of the process" } else { module };
        Err(Fault::Address.because(format!("{address:#x} is not an address of code in {place}")))
    }

    fn found(&mut self, module: usize, function: &CodeFunction, point: Point) -> Found {
        let name = match point {
            Point::Entry => "entry".to_owned(),
            Point::Return => "return".to_owned(),
            Point::Offset(offset) => format!("{offset:x}"),
            Point::Static(_) => String::new(),
        };
        let site = self.site(module, function.address, point);
        let module = self.modules.get(module).map(|module| module.name.clone()).unwrap_or_default();
        Found { module, function: function.name.clone(), name, site, operands: None }
    }

    /// The number of a place.
    pub(crate) fn site(&mut self, module: usize, start: u64, point: Point) -> u32 {
        let sites = &mut self.sites;
        *self.known.entry((module, start, point)).or_insert_with(|| {
            sites.push(Site { module, start, point });
            sites.len() as u32 - 1
        })
    }

    fn no_function(&self, modules: &[usize], function: &str) -> Refusal {
        let of = |index: &usize| self.modules.get(*index).map(|module| module.name.clone());
        let names: Vec<String> = modules.iter().filter_map(of).take(4).collect();
        let stripped =
            modules.iter().any(|index| matches!(self.codes.get(index), Some(Ok(code)) if code.exports_only));
        let hint = if stripped {
            ": it is stripped, so only what it exports is known; install its debug symbols (/usr/lib/debug), or give an \
             address (-)"
        } else {
            "; a function that the compiler inlined has no separate code"
        };
        // Of a pattern no function is missing.
        let fault = if function.is_empty() || is_pattern(function) { Fault::Other } else { Fault::Function };
        fault.because(format!("no function of {} matches {function}{hint}", names.join(", ")))
    }
}

/// The places of a function at which hooks can watch it.
fn hook_points(
    glob: Glob,
    (code, targets): (&ElfCode, &[u64]),
    function: &CodeFunction,
    name: &str,
) -> Result<Vec<Point>, Refusal> {
    let shown = &function.name;
    let is_first = function.address == code.entry;
    let entry = name.is_empty() || glob(name, "entry");
    // Functions at the same address have the same code.
    let first = code.functions.partition_point(|other| other.address < function.address);
    let others = code.functions.iter().skip(first).take_while(|other| other.address == function.address);
    let keeps = others.into_iter().any(|other| keeps_return(&other.symbol));
    let returns = (name.is_empty() || glob(name, "return")) && !is_first && !keeps;
    if is_first && name == "return" {
        return Err(format!("{shown} does not return: the program begins there").into());
    }
    if keeps && glob(name, "return") && !entry {
        return Err(format!(
            "the return of {shown} cannot have a hook: its return address must not be changed"
        )
        .into());
    }
    if !entry && !returns {
        return Err(Fault::Name.because(format!("{name}: fpid has probes on entry and return only; use pid")));
    }
    if function.indirect {
        return Err(indirect(shown).into());
    }
    if code.code_offset(function.address).is_none() {
        return Err(format!("{shown} has no code in the file").into());
    }
    if code.symbol("runtime.goexit.abi0").is_some() {
        return Err("programs of Go move their stacks, so they have no hooks: use pid".to_owned().into());
    }
    moved(code, function, targets)?;
    let points = [(entry, Point::Entry), (returns, Point::Return)];
    Ok(points.into_iter().filter(|(meant, _)| *meant).map(|(_, point)| point).collect())
}

/// Says why a function that selects another one has no probe.
fn indirect(shown: &str) -> String {
    format!(
        "{shown} is chosen when the program is loaded: probe the functions that it is chosen from (dtrace -l lists *{}*)",
        shown.trim_start_matches('_')
    )
}

/// Where the caller of a function is when it begins.
fn caller(code: &ElfCode, address: u64) -> Caller {
    match code.bytes(address, 4) {
        // push %rbp; endbr64
        [0x55, ..] | [0xF3, 0x0F, 0x1E, 0xFA] => Caller::OnTopRecognized,
        _ => Caller::OnTop,
    }
}

/// Returns `true` for a name that a probe may have, or a pattern of such names.
fn is_name(name: &str) -> bool {
    matches!(name, "" | "entry" | "return") || is_pattern(name) || hexadecimal(name).is_some()
}

/// Reads a number in hexadecimal, with or without `0x`.
fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
}

/// Returns `true` for the name of a file with a library: `libz.so`, `libz.so.1`.
fn is_library(name: &str) -> bool {
    name.split_once(".so").is_some_and(|(_, version)| version.is_empty() || version.starts_with('.'))
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '[', '\\'])
}
