//! Linux: the process itself watches its functions, by hooks that an agent in it runs (`fpid`).
//!
//! The loader loads the agent with the program. The agent then waits, and makes the system calls that this side asks for, until
//! the hooks are written: room for thunks near each module, then a jump at the entry of each function. It waits again
//! whenever the loader has loaded further libraries. The code of hooks writes to memory that is read here as a file.
//!
//! A process that runs is made to load the agent (`inject.rs`, `frame.rs`). Its threads are stopped while jumps are written to their
//! code, and when they are removed (`places.rs`).

mod clock;
mod frame;
mod hook;
mod inject;
mod places;
mod process;
mod records;
mod running;
mod shared;
mod thunks;

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use tracewell_kernel_linux::threads::{Tracer, trace};
use tracewell_types::hook::{self as memory, agent, detail, flag, header, record, state};

use crate::mechanism::{Capture, Hits, HookWatch, Loader, Mapped, Mechanism};
use crate::moved::JUMP;
use hook::Hook;
use inject::{Call, Seen, restorer};
use places::{Replaced, listed, parse, put_back};
use process::{Mapping, Memory, Process, has_inside, is_file, room};
use records::Reader;
pub use running::Running;
use running::{address, agents};
pub use shared::Injection;
use shared::Shared;
use thunks::{Agent, HEAD, Place, THUNK, head, jump, thunk};

/// Bytes of the ring.
const RING: u64 = 32 << 20;
/// Numbers and constants of the system call that maps memory.
const MMAP: u64 = 9;
const READ_EXECUTE: u64 = 5;
const PRIVATE_ANONYMOUS_HERE: u64 = 2 | 0x20 | 0x10_0000;
/// How often hits are asked for until counters are read again.
const COUNTED_EVERY: u32 = 10;
/// How often a process is stopped until no thread is inside code that is to be replaced, and how long it runs in between.
const TRIES: u32 = 200;
const BETWEEN: Duration = Duration::from_millis(2);
/// Maximum number of lines about functions without hooks.
const MOST_REFUSED: usize = 1000;

/// The hooks in one process.
#[derive(Debug)]
pub struct Hooks {
    process: Process,
    capture: Capture,
    shared: Shared,
    /// The files with functions, and their numbers on the file system.
    files: Vec<(PathBuf, u64)>,
    hooks: Vec<Hook>,
    loader: Option<Loader>,
    reader: Reader,
    /// The code that jumps have replaced.
    places: Vec<Replaced>,
    /// Why the jumps are still there at the end.
    kept: Option<String>,
    /// How often the agent had started when it was last looked at.
    starts: u64,
    /// What is mapped and was reported.
    images: Vec<(u64, u64, String)>,
    new_images: Vec<(u64, u64, String)>,
    refused: Vec<String>,
    ended: bool,
    /// How often hits were asked for.
    turns: u32,
}

impl Hooks {
    /// Prepares hooks for a process that has not begun.
    ///
    /// # Errors
    /// The line for the user.
    pub fn new(
        injection: &Injection,
        pid: u32,
        capture: Capture,
        watches: &[HookWatch],
        loader: Option<Loader>,
    ) -> Result<Hooks, String> {
        let mut files: Vec<(PathBuf, u64)> = Vec::new();
        let mut hooks: Vec<Hook> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        for watch in watches {
            let file = match files.iter().position(|(path, _)| *path == watch.file) {
                Some(file) => file,
                None => {
                    let inode = std::fs::metadata(&watch.file).map_or(0, |file| file.ino());
                    files.push((watch.file.clone(), inode));
                    files.len() - 1
                }
            };
            let at = *known.entry((file, watch.offset)).or_insert_with(|| {
                hooks.push(Hook {
                    file,
                    offset: watch.offset,
                    function: watch.function.clone(),
                    moved: watch.moved.clone(),
                    address: None,
                    entries: Vec::new(),
                    returns: Vec::new(),
                });
                hooks.len() - 1
            });
            if let Some(hook) = hooks.get_mut(at) {
                let probes = if watch.returns { &mut hook.returns } else { &mut hook.entries };
                if !probes.contains(&watch.probe) {
                    probes.push(watch.probe);
                }
            }
        }
        if capture.reaches.len() as u64 > detail::REACHES {
            return Err(format!(
                "the clauses on fpid follow {} pointers, and the limit is {}: follow fewer, or use pid",
                capture.reaches.len(),
                detail::REACHES
            ));
        }
        let size = record_size(&capture);
        let sharing = |error: std::io::Error| format!("cannot share memory with the command: {error}");
        let ring = if capture.counts { size } else { RING };
        let shared = Shared::new(injection, pid, hooks.len() as u64, (ring, size)).map_err(sharing)?;
        reaches(&shared, &capture).map_err(sharing)?;
        let process = Process::open(pid).map_err(|error| format!("cannot watch the command: {error}"))?;
        Ok(Hooks {
            process,
            reader: Reader::new(capture.clone())?,
            capture,
            shared,
            files,
            hooks,
            loader,
            places: Vec::new(),
            kept: None,
            starts: 0,
            images: Vec::new(),
            new_images: Vec::new(),
            refused: Vec::new(),
            ended: false,
            turns: 0,
        })
    }

    /// Writes the hooks of what the process has loaded since the last call, and lets it go on.
    fn look(&mut self) -> Result<(), String> {
        let starts = self.shared.get(header::STARTS);
        if starts != self.starts {
            self.starts = starts;
            self.hooks.iter_mut().for_each(|hook| hook.address = None);
            self.images.clear();
            // Another program runs.
            self.places.clear();
        }
        let jumps =
            self.thunks(&mut |shared, process, number, arguments| shared.call(process, number, arguments))?;
        // No thread runs code that was just loaded.
        let memory = self.process.memory().map_err(self.failed())?;
        self.jump(&memory, &jumps)
    }

    /// What the user reads if memory of the process cannot be written.
    fn failed(&self) -> impl Fn(std::io::Error) -> String + use<> {
        let pid = self.process.pid;
        move |error| format!("cannot write hooks to process {pid}: {error}")
    }

    /// Writes the thunks of what the process has loaded since the last call. Returns the jumps to them.
    fn thunks(&mut self, caller: Caller<'_>) -> Result<Vec<Jump>, String> {
        let failed = self.failed();
        let maps = self.process.mappings().map_err(&failed)?;
        let memory = self.process.memory().map_err(&failed)?;
        let agent: Agent = std::array::from_fn(|index| self.shared.get(header::AGENT + 8 * index as u64));
        if self.process.uses_shadow_stack() {
            return Err(
                "the program has a shadow stack, which allows no hooks on returns: use pid".to_owned()
            );
        }
        self.note_images(&maps);
        let mut jumps = Vec::new();
        self.watch_loader((&maps, &memory), &agent, caller, &mut jumps);
        for file in 0..self.files.len() {
            let Some((path, inode)) = self.files.get(file) else { break };
            let of_file: Vec<&Mapping> =
                maps.iter().filter(|map| map.executable && is_file(map, path, *inode)).collect();
            for map in of_file {
                self.write(file, map, ((&maps, &memory), &agent, &mut *caller), &mut jumps)?;
            }
        }
        Ok(jumps)
    }

    /// Writes jumps, and turns the hooks on.
    fn jump(&mut self, memory: &Memory, jumps: &[Jump]) -> Result<(), String> {
        let failed = self.failed();
        self.places.extend(jumps.iter().map(|jump| jump.place));
        // A `dtrace` that attaches to the process after a killed one puts the code back.
        let noted = self.shared.note(&listed(&self.places), self.places.len() as u64);
        noted.map_err(&failed)?;
        for jump in jumps {
            memory.write(jump.place.address, &jump.code).map_err(&failed)?;
        }
        let on = self.shared.get(header::AGENT + agent::ON);
        memory.write(on, &[1]).map_err(failed)
    }

    /// Writes the thunks of one mapping of a file.
    fn write(
        &mut self,
        file: usize,
        map: &Mapping,
        ((maps, memory), agent, caller): ((&[Mapping], &Memory), &Agent, Caller<'_>),
        jumps: &mut Vec<Jump>,
    ) -> Result<(), String> {
        let Hooks { hooks, capture, shared, refused, process, .. } = self;
        let inside = map.offset..map.offset + (map.end - map.start);
        let wanted =
            |hook: &Hook| hook.file == file && hook.address.is_none() && inside.contains(&hook.offset);
        let count = hooks.iter().filter(|hook| wanted(hook)).count() as u64;
        if count == 0 {
            return Ok(());
        }
        let block = block((shared, process), caller, maps, map.start, HEAD + count * THUNK)?;
        let [shared_at, ..] = *agent;
        let mut bytes = head(agent);
        for (number, hook) in (0..).zip(hooks.iter_mut()).filter(|(_, hook)| wanted(hook)) {
            let address = map.start + (hook.offset - map.offset);
            let flags = hook.flags(capture);
            let place = Place {
                address,
                moved: &hook.moved,
                code: if flags & !flag::ARGUMENTS == flag::ENTRY | flag::COUNT {
                    agent::COUNT
                } else {
                    agent::ENTER
                },
                counter: shared_at + Shared::counter(number),
                number,
                flags,
            };
            let at = block + bytes.len() as u64;
            let mut now = vec![0; hook.moved.len()];
            let same = memory.read(address, &mut now).is_ok() && now == hook.moved;
            let mut before = [0; JUMP];
            let made = match same && memory.read(address, &mut before).is_ok() {
                true => thunk(&place, block, at),
                false => {
                    Err("its code in memory is not that of the file: something else watches it".to_owned())
                }
            };
            match made {
                Ok(code) => {
                    bytes.extend(code);
                    let place = Replaced { address, code: before };
                    jumps.push(Jump { place, code: jump(address, at), hook: Some(number as usize) });
                    hook.address = Some(address);
                }
                Err(_) if refused.len() >= MOST_REFUSED => {}
                Err(why) => refused.push(format!("{}: {why}", hook.function)),
            }
        }
        let failed =
            |error: std::io::Error| format!("cannot write hooks to process {}: {error}", process.pid);
        memory.write(block, &bytes).map_err(failed)
    }

    /// Has the agent wait when the loader has loaded further libraries.
    fn watch_loader(
        &mut self,
        (maps, memory): (&[Mapping], &Memory),
        agent: &Agent,
        caller: Caller<'_>,
        jumps: &mut Vec<Jump>,
    ) {
        let Some(Loader { file, function: (vaddr, offset, moved), changing }) = &self.loader else { return };
        let Ok(inode) = std::fs::metadata(file).map(|file| file.ino()) else { return };
        let map = maps.iter().find(|map| {
            let inside = map.offset..map.offset + (map.end - map.start);
            map.executable && map.inode == inode && inside.contains(offset)
        });
        let Some(map) = map else { return };
        let address = map.start + (offset - map.offset);
        let mut now = vec![0; moved.len()];
        let mut before = [0; JUMP];
        if memory.read(address, &mut now).is_err()
            || now != *moved
            || memory.read(address, &mut before).is_err()
        {
            // It has a hook already.
            return;
        }
        let mut write = || {
            let block = block((&self.shared, &self.process), caller, maps, map.start, HEAD + THUNK)?;
            let place = Place { address, moved, code: agent::CHANGED, counter: 0, number: 0, flags: 0 };
            let mut bytes = head(agent);
            bytes.extend(thunk(&place, block, block + HEAD)?);
            let changing = address.wrapping_sub(*vaddr).wrapping_add(*changing);
            let written =
                self.shared.set(header::CHANGING, changing).and_then(|()| memory.write(block, &bytes));
            written.map_err(|error| error.to_string())?;
            let place = Replaced { address, code: before };
            jumps.push(Jump { place, code: jump(address, block + HEAD), hook: None });
            Ok::<(), String>(())
        };
        if let Err(why) = write() {
            self.refused.push(format!("libraries that are loaded later: {why}"));
        }
    }

    /// Loads the agent into a process that runs, and writes the hooks.
    ///
    /// # Errors
    /// The line for the user. The process goes on as before.
    pub fn attach(&mut self, running: &Running, injection: &Injection) -> Result<(), String> {
        let pid = self.process.pid;
        let failed = |error: std::io::Error| format!("cannot attach to process {pid}: {error}");
        // An agent of a `dtrace` that was killed may have left hooks.
        self.clean()?;
        let mut avoided: Option<Vec<u64>> = None;
        loop {
            let files = avoided.as_deref();
            let done =
                trace(pid, |tracer| self.attach_by(tracer, running, injection, files)).map_err(failed)?;
            match (done, &avoided) {
                (Ok(false), None) => avoided = Some(self.allocators().map_err(failed)?),
                (Ok(false), Some(_)) => {
                    return Err(format!(
                        "fpid cannot attach to process {pid}: none of its threads can load a library now: each is inside the C \
                         library or a signal handler, or has no room on its stack; try again, or use pid{pid}"
                    ));
                }
                (done, _) => return done.map(drop),
            }
        }
    }

    /// The files that allocate memory.
    fn allocators(&self) -> std::io::Result<Vec<u64>> {
        let maps = self.process.mappings()?;
        let modules = crate::modules::mapped(self.process.pid).map_err(std::io::Error::other)?;
        let allocates = |map: &Mapping| {
            let module =
                modules.iter().find(|module| module.mapped.is_some_and(|(start, _)| start == map.start));
            // What cannot be looked at may allocate.
            module.is_none_or(|module| address(module, "malloc").is_some())
        };
        let files = maps.iter().filter(|map| map.executable && allocates(map));
        Ok(files.map(|map| map.inode).collect())
    }

    /// Attaches by threads of the process. Returns `false` if none may load a library. `avoided` are the files that allocate memory,
    /// if that is known.
    fn attach_by(
        &mut self,
        tracer: &mut Tracer,
        running: &Running,
        injection: &Injection,
        avoided: Option<&[u64]>,
    ) -> Result<bool, String> {
        let pid = self.process.pid;
        let failed = |error: std::io::Error| format!("cannot attach to process {pid}: {error}");
        let memory = self.process.memory().map_err(failed)?;
        let (_, (_, path)) = injection.environment();
        let mut text = running.library.as_os_str().as_encoded_bytes().to_vec();
        let path_at = text.len() as u64 + 1;
        text.push(0);
        text.extend(path.bytes());
        text.push(0);
        for _ in 0..TRIES {
            tracer.stop_all().map_err(failed)?;
            let maps = self.process.mappings().map_err(failed)?;
            let Some(restorer) = restorer(&maps, &memory) else {
                return Err(format!(
                    "process {pid} has no C library that handles signals as glibc does: use pid{pid}"
                ));
            };
            let seen = Seen { maps: &maps, memory: &memory, restorer: Some(restorer) };
            let of_allocator = |map: &Mapping| avoided.is_none_or(|files| files.contains(&map.inode));
            let best = seen.best(tracer, &of_allocator);
            // Others may hold locks that it needs.
            tracer.let_go_all_but(best);
            let Some(tid) = best else {
                std::thread::sleep(BETWEEN);
                continue;
            };
            let mut call = Call::new(tracer, &memory, (tid, restorer), &text).map_err(failed)?;
            let allowed = match inject::system_call(&maps, &memory) {
                Some(code) => self.may_make_code(tracer, &mut call, code),
                None => Ok(()),
            };
            let done = allowed.and_then(|()| self.load(tracer, &mut call, running, path_at));
            let finished = call.finish(tracer).map_err(failed);
            return done.and(finished).map(|()| true);
        }
        Ok(false)
    }

    /// Asks the kernel, by a thread of the process, whether the process may make its memory executable.
    fn may_make_code(&self, tracer: &Tracer, call: &mut Call, code: u64) -> Result<(), String> {
        const PRCTL: u64 = 157;
        const GET_MDWE: u64 = 66;
        const REFUSES: i64 = 1;
        let pid = self.process.pid;
        // Kernels before Linux 6.3 do not know the question.
        match call.ask(tracer, code, (PRCTL, [GET_MDWE, 0, 0, 0, 0]))? {
            flags if flags > 0 && flags & REFUSES != 0 => Err(format!(
                "fpid cannot attach to process {pid}: it may not make memory executable (PR_SET_MDWE): use pid{pid}, which the \
                 kernel watches"
            )),
            _ => Ok(()),
        }
    }

    /// Has a thread load the agent, and writes the hooks.
    fn load(
        &mut self,
        tracer: &mut Tracer,
        call: &mut Call,
        running: &Running,
        path_at: u64,
    ) -> Result<(), String> {
        let pid = self.process.pid;
        let (load, mode) = running.load;
        call.run(tracer, load, [call.text(), mode])?;
        let library = running.library.display();
        let agents = agents(pid)?;
        let found = |symbol| agents.iter().find_map(|agent| address(agent, symbol));
        let (Some(attach), Some(answer)) = (found(memory::ATTACH), found(memory::CALL)) else {
            return Err(format!(
                "fpid cannot attach to process {pid}: it did not load {library}: check that it may read the file, or use pid{pid}"
            ));
        };
        call.run(tracer, attach, [call.text() + path_at, 0])?;
        self.starts = self.shared.get(header::STARTS);
        if self.starts == 0 {
            return Err(format!(
                "fpid cannot attach to process {pid}: it may not map the memory of dtrace, or make memory executable: use pid{pid}"
            ));
        }
        let jumps = self.thunks(&mut |shared, _, number, arguments| {
            shared.ask(number, arguments).map_err(|error| error.to_string())?;
            call.run(tracer, answer, [0; 2])?;
            shared.answer()
        })?;
        self.jump_over_threads(tracer, call, jumps)
    }

    /// Writes jumps while all threads are stopped. Functions whose first bytes a thread does not leave get none.
    fn jump_over_threads(
        &mut self,
        tracer: &mut Tracer,
        call: &Call,
        mut jumps: Vec<Jump>,
    ) -> Result<(), String> {
        let failed = self.failed();
        let memory = self.process.memory().map_err(&failed)?;
        for turn in 1..=TRIES {
            tracer.stop_all().map_err(&failed)?;
            let maps = self.process.mappings().map_err(&failed)?;
            let seen = Seen { maps: &maps, memory: &memory, restorer: restorer(&maps, &memory) };
            let instructions = seen.instructions(tracer, Some(call.called())).map_err(&failed)?;
            let is_inside = |jump: &Jump| {
                let first = jump.place.address;
                instructions.iter().any(|ip| (first + 1..first + JUMP as u64).contains(ip))
            };
            // Functions that have not returned since an earlier run may return to the agent at any time.
            let in_agent = instructions.iter().any(|ip| has_inside(&maps, *ip, running::LIBRARY));
            if !in_agent && !jumps.iter().any(is_inside) || turn == TRIES {
                let (inside, free): (Vec<Jump>, Vec<Jump>) =
                    std::mem::take(&mut jumps).into_iter().partition(is_inside);
                for number in inside.iter().filter_map(|jump| jump.hook) {
                    let Some(hook) = self.hooks.get_mut(number) else { continue };
                    hook.address = None;
                    self.refused.push(format!("{}: a thread stays in its first bytes", hook.function));
                }
                return self.jump(&memory, &free);
            }
            tracer.let_go_all_but(Some(call.tid));
            std::thread::sleep(BETWEEN);
        }
        Ok(())
    }

    /// Removes what a `dtrace` that was killed has left.
    fn clean(&mut self) -> Result<(), String> {
        let pid = self.process.pid;
        let failed = self.failed();
        for agent in agents(pid)? {
            let memory = self.process.memory().map_err(&failed)?;
            let word = |at: u64| {
                let mut bytes = [0; 8];
                memory.read(at, &mut bytes).map_or(0, |()| u64::from_le_bytes(bytes))
            };
            let shared = address(&agent, memory::SHARED).map_or(0, word);
            let of_header = |at: u64| word(shared.wrapping_add(at));
            let count = of_header(header::PLACES);
            if shared == 0 || of_header(header::MAGIC) != memory::MAGIC || count == 0 || count > MOST_PLACES {
                continue;
            }
            let owner = of_header(header::OWNER) as u32;
            let is_of_process = (of_header(header::OWNER) >> 32) as u32 == pid;
            if is_of_process && process::since(owner) == Some(of_header(header::OWNER_SINCE)) {
                return Err(format!(
                    "fpid cannot attach to process {pid}: the dtrace with the number {owner} has hooks in it"
                ));
            }
            let mut list = vec![0; (count * memory::PLACE) as usize];
            memory.read(shared.wrapping_add(of_header(header::PLACES_AT)), &mut list).map_err(&failed)?;
            let on = of_header(header::AGENT + agent::ON);
            let removed = trace(pid, |tracer| remove(tracer, &self.process, (&memory, on), &parse(&list)));
            removed.map_err(&failed)?.map_err(&failed)?;
            memory.write(shared.wrapping_add(header::PLACES), &[0; 8]).map_err(&failed)?;
        }
        Ok(())
    }

    /// Returns `true` if the process still has the memory of these hooks: it may run another program by now.
    fn is_there(&self) -> bool {
        let at = self.shared.get(header::AGENT + agent::SHARED);
        let maps = self.process.mappings().unwrap_or_default();
        self.shared.inode().is_some_and(|inode| maps.iter().any(|map| map.start == at && map.inode == inode))
    }

    /// Removes the hooks.
    fn remove(&self) -> Result<(), String> {
        let failed = self.failed();
        let memory = self.process.memory().map_err(&failed)?;
        let on = self.shared.get(header::AGENT + agent::ON);
        let pid = self.process.pid;
        let removed = trace(pid, |tracer| remove(tracer, &self.process, (&memory, on), &self.places));
        removed.map_err(&failed)?.map_err(&failed)?;
        self.shared.set(header::PLACES, 0).map_err(failed)
    }

    /// Notes what was mapped since the last call.
    fn note_images(&mut self, maps: &[Mapping]) {
        for map in maps.iter().filter(|map| map.executable && map.path.starts_with('/')) {
            let of_image = || maps.iter().filter(|other| other.path == map.path);
            let base = of_image().map(|map| map.start).min().unwrap_or(map.start);
            let end = of_image().map(|map| map.end).max().unwrap_or(map.end);
            let image = (base, end - base, map.path.clone());
            if !self.images.contains(&image) {
                self.images.push(image.clone());
                self.new_images.push(image);
            }
        }
    }
}

/// Makes a system call in the process.
type Caller<'c> = &'c mut dyn FnMut(&Shared, &Process, u64, [u64; 6]) -> Result<u64, String>;

/// A jump that is to be written.
#[derive(Debug)]
struct Jump {
    place: Replaced,
    code: [u8; JUMP],
    hook: Option<usize>,
}

/// Maximum number of places that another `dtrace` has left.
const MOST_PLACES: u64 = 1 << 20;

/// Puts the code back at all places with jumps, and waits until no thread runs code of hooks.
fn remove(
    tracer: &mut Tracer,
    process: &Process,
    (memory, on): (&Memory, u64),
    places: &[Replaced],
) -> std::io::Result<()> {
    for turn in 1..=TRIES {
        tracer.stop_all()?;
        let maps = process.mappings()?;
        if turn == 1 {
            memory.write(on, &[0])?;
            put_back(memory, places)?;
        }
        let seen = Seen { maps: &maps, memory, restorer: restorer(&maps, memory) };
        let instructions = seen.instructions(tracer, None)?;
        if !instructions.iter().any(|ip| has_inside(&maps, *ip, running::LIBRARY)) {
            break;
        }
        tracer.let_go_all_but(None);
        std::thread::sleep(BETWEEN);
    }
    Ok(())
}

/// Maps room for thunks near a module.
fn block(
    (shared, process): (&Shared, &Process),
    caller: Caller<'_>,
    maps: &[Mapping],
    near: u64,
    size: u64,
) -> Result<u64, String> {
    let size = size.next_multiple_of(4096);
    // Blocks that were mapped a moment ago are not in the list: the kernel refuses their addresses.
    let mut maps = maps.to_vec();
    for _ in 0..64 {
        let Some(at) = room(&maps, near, size) else { break };
        let arguments = [at, size, READ_EXECUTE, PRIVATE_ANONYMOUS_HERE, u64::MAX, 0];
        if caller(shared, process, MMAP, arguments).is_ok_and(|mapped| mapped == at) {
            return Ok(at);
        }
        let taken =
            Mapping { start: at, end: at + size, executable: true, offset: 0, inode: 0, path: String::new() };
        let place = maps.partition_point(|map| map.start < at);
        maps.insert(place, taken);
    }
    Err("there is no room for hooks near the code".to_owned())
}

/// Bytes of a record: a power of two, so that none is in two parts.
fn record_size(capture: &Capture) -> u64 {
    if capture.bare {
        return record::BARE;
    }
    let memory = if capture.memory { detail::PIECES } else { 0 } + capture.reaches.len() as u64;
    let stack = if capture.stacks { detail::STACK } else { 0 };
    (record::FULL + memory * detail::PIECE + stack).next_power_of_two()
}

/// Describes to the agent what pointers to follow.
fn reaches(shared: &Shared, capture: &Capture) -> std::io::Result<()> {
    shared.set(header::REACHES, capture.reaches.len() as u64)?;
    for (number, reach) in (0..).zip(&capture.reaches) {
        let at = |word: u64| header::REACHES + 8 + 8 * (detail::REACH * number + word);
        shared.set(at(0), reach.argument.into())?;
        shared.set(at(1), reach.steps.len() as u64)?;
        for (step, distance) in (0..detail::STEPS).zip(&reach.steps) {
            shared.set(at(2 + step), distance.cast_unsigned())?;
        }
        shared.set(at(2 + detail::STEPS), reach.last.cast_unsigned())?;
    }
    Ok(())
}

impl Drop for Hooks {
    /// The process keeps the memory mapped; it is not to keep its pages.
    fn drop(&mut self) {
        self.shared.give_back();
    }
}

impl Mechanism for Hooks {
    fn take(&mut self, hits: &mut Hits, raw: &mut dyn FnMut(i64) -> i64) {
        if self.shared.state() == state::WAITING {
            if let Err(why) = self.look() {
                self.refused.push(why);
            }
            // What cannot be written is lost with the process.
            let _ = self.shared.go_on();
        }
        let gone = self.ended || self.process.has_ended();
        let of_process = (self.process.pid, self.hooks.as_slice());
        match self.capture.counts {
            false => self.reader.read((&self.shared, gone), of_process, hits, raw),
            true => {
                self.turns = self.turns.wrapping_add(1);
                if gone || self.turns.is_multiple_of(COUNTED_EVERY) {
                    self.reader.count(&self.shared, of_process, hits, raw);
                }
            }
        }
        hits.sort();
    }

    fn mapped(&mut self) -> Vec<Mapped> {
        let pid = self.process.pid;
        std::mem::take(&mut self.new_images).into_iter().map(|image| Mapped { pid, image, time: 0 }).collect()
    }

    fn refused(&self) -> &[String] {
        &[]
    }

    fn closing(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.starts == 0 {
            lines.push(
                "the program ended before it loaded the agent, so its functions had no hooks".to_owned(),
            );
        }
        let unreturned = self.shared.get(header::UNRETURNED);
        if unreturned > 0 {
            lines.push(format!(
                "{unreturned} calls of hooked functions were too many at once, so their returns were not seen"
            ));
        }
        lines.extend(self.kept.iter().map(|why| format!("hooks were not removed, and do nothing: {why}")));
        const SHOWN: usize = 4;
        if !self.refused.is_empty() {
            let more = if self.refused.len() > SHOWN { ", ..." } else { "" };
            let shown = self.refused.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            lines.push(format!("{} functions had no hooks: {shown}{more}", self.refused.len()));
        }
        lines
    }

    fn end(&mut self) {
        self.ended = true;
        if self.starts == 0 {
            return;
        }
        // A process that has ended, or runs another program, has no hooks any more.
        if self.is_there() {
            // The agent may wait.
            let _ = self.shared.go_on();
            self.kept = self.remove().err().filter(|_| !self.process.has_ended());
        }
    }

    fn lost(&self) -> u64 {
        self.shared.get(header::LOST) + self.reader.holes
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tracewell_types::operand::Reach;

    use super::*;

    fn reach(argument: u8, steps: &[i64], last: i64) -> Reach {
        Reach { argument, steps: steps.to_vec(), last }
    }

    /// The hooks of this process, which none are written to; [`None`] where the processor's clock is not steady.
    fn hooks(capture: Capture, watches: &[HookWatch]) -> Option<Hooks> {
        let injection = Injection::new(Path::new("/agent.so"), 5).unwrap();
        match Hooks::new(&injection, std::process::id(), capture, watches, None) {
            Ok(hooks) => Some(hooks),
            Err(why) => {
                assert!(why.contains("steady"), "{why}");
                tracewell_corpus::skip("a processor with a steady clock", &why);
                None
            }
        }
    }

    #[test]
    fn issue_23_a_record_has_room_for_all_that_is_captured_and_for_little_more() {
        for (bare, memory, stacks, reaches) in (0..8 * 8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0, n / 8))
        {
            let capture = Capture {
                counts: false,
                bare,
                stacks,
                memory,
                reaches: vec![reach(0, &[], 0); reaches],
                follows: false,
                deeds: false,
            };
            let size = record_size(&capture);
            let mut wanted = record::FULL + 272 * reaches as u64;
            wanted += if memory { 6 * 272 } else { 0 } + if stacks { 8 + 8 * 127 } else { 0 };
            if bare {
                wanted = record::BARE;
            }
            assert!(size.is_power_of_two() && (wanted..2 * wanted).contains(&size), "{capture:?}: {size}");
        }
    }

    #[test]
    fn issue_23_the_agent_learns_what_to_follow() {
        let steps: Vec<i64> = (1..=detail::STEPS as i64).map(|step| -8 * step).collect();
        let capture =
            Capture { reaches: vec![reach(2, &steps, -7), reach(5, &[16], 24)], ..Capture::default() };
        let Some(hooks) = hooks(capture, &[]) else { return };
        let words: Vec<i64> = (0..1 + 2 * detail::REACH)
            .map(|word| hooks.shared.get(header::REACHES + 8 * word).cast_signed())
            .collect();
        let mut expected = vec![2, 2, 9];
        expected.extend(steps);
        expected.extend([-7, 5, 1, 16, 0, 0, 0, 0, 0, 0, 0, 0, 24]);
        assert_eq!(words, expected);
        let pid = u64::from(std::process::id());
        assert_eq!(hooks.shared.get(header::OWNER), 5 | pid << 32);
        assert_eq!((hooks.shared.get(header::CAPACITY), hooks.shared.get(header::RECORD)), (RING, 1024));

        let many =
            Capture { reaches: vec![reach(0, &[], 0); detail::REACHES as usize + 1], ..Capture::default() };
        let injection = Injection::new(Path::new("/agent.so"), 5).unwrap();
        let error = Hooks::new(&injection, std::process::id(), many, &[], None).unwrap_err();
        let (found, limit) = (detail::REACHES + 1, detail::REACHES);
        assert_eq!(
            error,
            format!(
                "the clauses on fpid follow {found} pointers, and the limit is {limit}: follow fewer, or use pid"
            )
        );
    }

    #[test]
    fn issue_23_one_hook_serves_all_probes_of_a_place() {
        let watch = |probe, file: &str, offset, returns| HookWatch {
            probe,
            returns,
            file: file.into(),
            offset,
            function: format!("f{offset}"),
            moved: vec![0x90; 5],
        };
        let watches = [
            watch(1, "/proc/self/exe", 16, false),
            watch(2, "/none", 16, true),
            watch(3, "/proc/self/exe", 16, true),
            watch(3, "/proc/self/exe", 16, true),
            watch(4, "/proc/self/exe", 32, false),
            watch(5, "/proc/self/exe", 16, false),
        ];
        let capture = Capture { counts: true, bare: true, ..Capture::default() };
        let Some(mut hooks) = hooks(capture, &watches) else { return };
        let seen: Vec<_> = hooks
            .hooks
            .iter()
            .map(|hook| (hook.file, hook.offset, &*hook.function, &*hook.entries, &*hook.returns))
            .collect();
        assert_eq!(
            seen,
            [(0, 16, "f16", &[1, 5][..], &[3][..]), (1, 16, "f16", &[], &[2]), (0, 32, "f32", &[4], &[])]
        );
        let inode = std::fs::metadata("/proc/self/exe").unwrap().ino();
        assert_eq!(hooks.files, [("/proc/self/exe".into(), inode), ("/none".into(), 0)]);
        // A run that only counts needs no ring.
        assert_eq!(hooks.shared.capacity, record::BARE);

        // Nothing happened yet, and the end says so.
        assert_eq!(hooks.lost(), 0);
        assert_eq!(
            hooks.closing(),
            ["the program ended before it loaded the agent, so its functions had no hooks"]
        );
        hooks.starts = 1;
        assert!(hooks.closing().is_empty());
        hooks.shared.set(header::UNRETURNED, 7).unwrap();
        hooks.shared.set(header::LOST, 8).unwrap();
        assert_eq!(hooks.lost(), 8);
        hooks.refused = (0..5).map(|number| format!("f{number}: why")).collect();
        assert_eq!(
            hooks.closing(),
            [
                "7 calls of hooked functions were too many at once, so their returns were not seen",
                "5 functions had no hooks: f0: why, f1: why, f2: why, f3: why, ..."
            ]
        );
        hooks.refused.truncate(4);
        assert!(hooks.closing()[1].ends_with("f3: why"));
    }

    #[test]
    fn issue_23_images_are_reported_once_with_all_their_parts() {
        let Some(mut hooks) = hooks(Capture::default(), &[]) else { return };
        let map = |start, end, executable, path: &str| Mapping {
            start,
            end,
            executable,
            offset: 0,
            inode: 1,
            path: path.to_owned(),
        };
        let mut maps = vec![
            map(0x1000, 0x2000, false, "/bin/a"),
            map(0x2000, 0x5000, true, "/bin/a"),
            map(0x5000, 0x6000, false, "/bin/a"),
            map(0x7000, 0x8000, true, "[vdso]"),
            map(0x9000, 0xA000, false, "/data"),
            map(0xB000, 0xC000, true, ""),
        ];
        let a = (0x1000, 0x5000, "/bin/a".to_owned());
        hooks.note_images(&maps);
        let pid = hooks.process.pid;
        assert_eq!(hooks.mapped(), [Mapped { pid, image: a, time: 0 }]);
        hooks.note_images(&maps);
        assert_eq!(hooks.mapped(), []);
        maps.push(map(0xD000, 0xE000, true, "/lib/b.so"));
        hooks.note_images(&maps);
        assert_eq!(
            hooks.mapped(),
            [Mapped { pid, image: (0xD000, 0x1000, "/lib/b.so".to_owned()), time: 0 }]
        );
    }
}
