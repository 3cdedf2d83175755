//! Linux: the process itself watches its functions, by hooks that an agent in it runs (`fpid`).
//!
//! The loader loads the agent with the program. The agent then waits, and makes the system calls that this side asks for, until
//! the hooks are written: room for thunks near each module, then a jump at the entry of each function. It waits again
//! whenever the loader has loaded further libraries. The code of hooks writes to memory that is read here as a file.

mod clock;
mod hook;
mod process;
mod records;
mod shared;
mod thunks;

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use tracewell_types::hook::{agent, detail, flag, header, record, state};

use crate::mechanism::{Capture, Hits, HookWatch, Loader, Mapped, Mechanism};
use hook::Hook;
use process::{Mapping, Memory, Process, is_file, room};
use records::Reader;
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
        }
        let pid = self.process.pid;
        let failed = move |error: std::io::Error| format!("cannot write hooks to process {pid}: {error}");
        let maps = self.process.mappings().map_err(failed)?;
        let memory = self.process.memory().map_err(failed)?;
        let agent: Agent = std::array::from_fn(|index| self.shared.get(header::AGENT + 8 * index as u64));
        if self.process.uses_shadow_stack() {
            return Err(
                "the program has a shadow stack, which allows no hooks on returns: use pid".to_owned()
            );
        }
        self.note_images(&maps);
        let [_, on, ..] = agent;
        self.watch_loader((&maps, &memory), &agent);
        for file in 0..self.files.len() {
            let Some((path, inode)) = self.files.get(file) else { break };
            let of_file: Vec<&Mapping> =
                maps.iter().filter(|map| map.executable && is_file(map, path, *inode)).collect();
            for map in of_file {
                self.write(file, map, (&maps, &memory), &agent)?;
            }
        }
        memory.write(on, &[1]).map_err(failed)
    }

    /// Writes the hooks of one mapping of a file.
    fn write(
        &mut self,
        file: usize,
        map: &Mapping,
        (maps, memory): (&[Mapping], &Memory),
        agent: &Agent,
    ) -> Result<(), String> {
        let Hooks { hooks, capture, shared, refused, process, .. } = self;
        let inside = map.offset..map.offset + (map.end - map.start);
        let wanted =
            |hook: &Hook| hook.file == file && hook.address.is_none() && inside.contains(&hook.offset);
        let count = hooks.iter().filter(|hook| wanted(hook)).count() as u64;
        if count == 0 {
            return Ok(());
        }
        let block = block((shared, process), maps, map.start, HEAD + count * THUNK)?;
        let [shared_at, ..] = *agent;
        let mut bytes = head(agent);
        let mut jumps = Vec::new();
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
            let made = match same {
                true => thunk(&place, block, at),
                false => {
                    Err("its code in memory is not that of the file: something else watches it".to_owned())
                }
            };
            match made {
                Ok(code) => {
                    bytes.extend(code);
                    jumps.push((address, jump(address, at)));
                    hook.address = Some(address);
                }
                Err(_) if refused.len() >= MOST_REFUSED => {}
                Err(why) => refused.push(format!("{}: {why}", hook.function)),
            }
        }
        let failed =
            |error: std::io::Error| format!("cannot write hooks to process {}: {error}", process.pid);
        memory.write(block, &bytes).map_err(failed)?;
        for (address, jump) in jumps {
            memory.write(address, &jump).map_err(failed)?;
        }
        Ok(())
    }

    /// Has the agent wait when the loader has loaded further libraries.
    fn watch_loader(&mut self, (maps, memory): (&[Mapping], &Memory), agent: &Agent) {
        let Some(Loader { file, function: (vaddr, offset, moved), changing }) = &self.loader else { return };
        let Ok(inode) = std::fs::metadata(file).map(|file| file.ino()) else { return };
        let map = maps.iter().find(|map| {
            let inside = map.offset..map.offset + (map.end - map.start);
            map.executable && map.inode == inode && inside.contains(offset)
        });
        let Some(map) = map else { return };
        let address = map.start + (offset - map.offset);
        let mut now = vec![0; moved.len()];
        if memory.read(address, &mut now).is_err() || now != *moved {
            // It has a hook already.
            return;
        }
        let write = || {
            let block = block((&self.shared, &self.process), maps, map.start, HEAD + THUNK)?;
            let place = Place { address, moved, code: agent::CHANGED, counter: 0, number: 0, flags: 0 };
            let mut bytes = head(agent);
            bytes.extend(thunk(&place, block, block + HEAD)?);
            let changing = address.wrapping_sub(*vaddr).wrapping_add(*changing);
            let written = self
                .shared
                .set(header::CHANGING, changing)
                .and_then(|()| memory.write(block, &bytes))
                .and_then(|()| memory.write(address, &jump(address, block + HEAD)));
            written.map_err(|error| error.to_string())
        };
        if let Err(why) = write() {
            self.refused.push(format!("libraries that are loaded later: {why}"));
        }
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

/// Maps room for thunks near a module.
fn block(
    (shared, process): (&Shared, &Process),
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
        if shared.call(process, MMAP, arguments).is_ok_and(|mapped| mapped == at) {
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
        std::mem::take(&mut self.new_images).into_iter().map(|image| Mapped { pid, image }).collect()
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
        let on = self.shared.get(header::AGENT + agent::ON);
        // A process that has ended has no hooks any more.
        let _ = self.process.memory().and_then(|memory| memory.write(on, &[0]));
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
        assert_eq!(hooks.mapped(), [Mapped { pid, image: a }]);
        hooks.note_images(&maps);
        assert_eq!(hooks.mapped(), []);
        maps.push(map(0xD000, 0xE000, true, "/lib/b.so"));
        hooks.note_images(&maps);
        assert_eq!(hooks.mapped(), [Mapped { pid, image: (0xD000, 0x1000, "/lib/b.so".to_owned()) }]);
    }
}
