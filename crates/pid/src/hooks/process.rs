//! The memory of a process: what is mapped where, room for code near code, and bytes that are written over its code.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// A mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mapping {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) executable: bool,
    pub(crate) offset: u64,
    pub(crate) inode: u64,
    pub(crate) path: String,
}

/// A process. Once it has ended, everything fails, also if another one has its number.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: u32,
    /// Its folder in `/proc`, which belongs to this process alone.
    folder: File,
}

impl Process {
    pub(crate) fn open(pid: u32) -> io::Result<Process> {
        File::open(format!("/proc/{pid}")).map(|folder| Process { pid, folder })
    }

    fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.folder, name, flags | OFlags::CLOEXEC, Mode::empty())?.into())
    }

    /// Returns `true` if no thread of the process runs any more, also before its parent has noticed that.
    pub(crate) fn has_ended(&self) -> bool {
        let stat = self.file("stat", OFlags::RDONLY).and_then(io::read_to_string);
        stat.map_or(true, |stat| is_over(&stat))
    }

    /// The mappings, by address.
    pub(crate) fn mappings(&self) -> io::Result<Vec<Mapping>> {
        io::read_to_string(self.file("maps", OFlags::RDONLY)?).map(|text| parse(&text))
    }

    pub(crate) fn memory(&self) -> io::Result<Memory> {
        self.file("mem", OFlags::RDWR).map(Memory)
    }

    /// Returns `true` if the processor keeps the return addresses twice, and compares them.
    pub(crate) fn uses_shadow_stack(&self) -> bool {
        let status = self.file("status", OFlags::RDONLY).and_then(io::read_to_string).unwrap_or_default();
        let features = status.lines().find_map(|line| line.strip_prefix("x86_Thread_features:"));
        features.is_some_and(|features| features.contains("shstk"))
    }
}

fn parse(text: &str) -> Vec<Mapping> {
    let line = |line: &str| {
        // START-END RIGHTS OFFSET DEVICE INODE PATH
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let hex = |word: &str| u64::from_str_radix(word, 16).ok();
        let executable = words.next()?.contains('x');
        let offset = hex(words.next()?)?;
        let inode = words.nth(1)?.parse().ok()?;
        let path = words.next().unwrap_or_default().trim_start().to_owned();
        Some(Mapping { start: hex(start)?, end: hex(end)?, executable, offset, inode, path })
    };
    text.lines().filter_map(line).collect()
}

/// Code refers to data and other code at most 2 GiB away; this leaves room for the size of the module itself.
const NEAR: u64 = 1 << 30;
/// What is left free above a mapping, which may be a heap that grows, and below one, which may be a stack.
const APART: u64 = 64 << 20;
const PAGE: u64 = 4096;
/// The first address that a process may use.
const LOWEST: u64 = 1 << 16;

/// An address with free room near a module.
pub(crate) fn room(mappings: &[Mapping], near: u64, size: u64) -> Option<u64> {
    let size = size.next_multiple_of(PAGE);
    let mut gaps = Vec::new();
    let mut end = LOWEST;
    const HIGHEST: u64 = 1 << 47;
    for mapping in mappings.iter().filter(|mapping| mapping.start < HIGHEST) {
        if mapping.start > end {
            gaps.push((end, mapping.start));
        }
        end = end.max(mapping.end);
    }
    gaps.push((end, HIGHEST.max(end)));
    let mut best: Option<u64> = None;
    for (from, to) in gaps {
        if to - from < size {
            continue;
        }
        // In a small gap right below what follows.
        let below = to - size;
        let apart = |room: u64| if to - from > 4 * APART + size { room } else { 0 };
        for at in [below - apart(APART).min(below - from), (from + apart(APART)).min(below)] {
            let at = at / PAGE * PAGE;
            let fits = at >= from && at.abs_diff(near) < NEAR;
            if fits && best.is_none_or(|best| at.abs_diff(near) < best.abs_diff(near)) {
                best = Some(at);
            }
        }
    }
    best
}

/// The fields of a process in `/proc/PID/stat` from the third one on: the second one may contain blanks and brackets.
fn fields(stat: &str) -> impl Iterator<Item = &str> {
    stat.rsplit(')').next().unwrap_or_default().split_whitespace()
}

/// Returns `true` for a process whose last thread has ended. Its first one may end before others.
fn is_over(stat: &str) -> bool {
    let state = fields(stat).next().unwrap_or_default();
    let threads: u32 = fields(stat).nth(20 - 3).and_then(|count| count.parse().ok()).unwrap_or(0);
    matches!(state, "Z" | "X" | "x") && threads <= 1
}

/// When a process began: the field 22 of its `/proc/PID/stat`.
pub(crate) fn since(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    fields(&stat).nth(22 - 3)?.parse().ok()
}

/// Returns `true` for an address in code of a library, or in code of no file: thunks are there.
pub(crate) fn has_inside(mappings: &[Mapping], address: u64, library: &str) -> bool {
    let map = mappings.iter().find(|map| (map.start..map.end).contains(&address));
    map.is_some_and(|map| map.executable && (map.path.is_empty() || map.path.contains(library)))
}

/// The memory of a process.
#[derive(Debug)]
pub(crate) struct Memory(File);

impl Memory {
    pub(crate) fn read(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(bytes, address)
    }

    /// Writes, also where the process may not.
    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, address)
    }
}

/// Device numbers in the list of mappings differ from those of files on some file systems, so files are compared by number and
/// name.
pub(crate) fn is_file(mapping: &Mapping, path: &Path, inode: u64) -> bool {
    let name = Path::new(mapping.path.strip_suffix(" (deleted)").unwrap_or(&mapping.path)).file_name();
    mapping.inode == inode && (name == path.file_name() || path.starts_with("/proc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_17_a_process_that_has_ended_is_not_written_to() {
        use std::io::{Read, Write};
        use std::process::{Command, Stdio};
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // Its program is mapped once it answers.
        let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        to.write_all(b"a").unwrap();
        from.read_exact(&mut [0]).unwrap();
        let process = Process::open(child.id()).unwrap();
        assert!(!process.has_ended() && !process.uses_shadow_stack());
        let maps = process.mappings().unwrap();
        // What is mapped first may be something else.
        let code = maps.iter().find(|map| map.executable && map.path.starts_with('/')).unwrap();
        let program = maps.iter().find(|map| map.offset == 0 && map.path == code.path).unwrap();
        let mut magic = [0; 4];
        process.memory().unwrap().read(program.start, &mut magic).unwrap();
        assert_eq!(&magic, b"\x7fELF");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(process.has_ended() && process.mappings().is_err() && process.memory().is_err());
        // Nor is one with another number.
        assert!(Process::open(child.id()).is_err());
    }

    #[test]
    fn issue_17_a_process_has_ended_with_its_last_thread() {
        let stat = |state: &str, threads: u32| {
            format!("7 (a) b) {state} 1 7 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 {threads} 0 4711 0 0")
        };
        for (state, threads, expected) in [
            ("S", 1, false),
            ("R", 4, false),
            ("Z", 1, true),
            ("Z", 0, true),
            ("Z", 2, false),
            ("X", 1, true),
        ] {
            assert_eq!(is_over(&stat(state, threads)), expected, "{state} {threads}");
        }
        let pid = std::process::id();
        assert!(since(pid).is_some_and(|since| since > 0) && since(0).is_none());
        assert_eq!(fields(&stat("S", 1)).nth(22 - 3), Some("4711"));
    }

    #[test]
    fn issue_17_room_is_found_near_code() {
        let text = "\
00400000-00401000 r-xp 00000000 08:01 12 /usr/bin/a program
00500000-00600000 rw-p 00000000 00:00 0 [heap]
7f0000000000-7f0000200000 r-xp 00028000 08:01 13 /lib/libc.so.6 (deleted)
7ffd00000000-7ffd00100000 rw-p 00000000 00:00 0 [stack]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
damaged
";
        let maps = parse(text);
        assert_eq!(maps.len(), 5);
        assert_eq!(
            (maps[0].path.as_str(), maps[0].inode, maps[0].executable),
            ("/usr/bin/a program", 12, true)
        );
        assert!(is_file(&maps[2], Path::new("/other/libc.so.6"), 13));
        assert!(!is_file(&maps[2], Path::new("/lib/libc.so.6"), 14));
        assert!(!is_file(&maps[2], Path::new("/lib/libm.so.6"), 13));
        for (near, size) in [
            (0x40_0000, 0x1234),
            (0x40_0000, 0x10_0000),
            (0x7f00_0010_0000, 0x20_0000),
            (0x7ffd_0000_0000, 1),
        ] {
            let at = room(&maps, near, size).unwrap();
            assert!(at.is_multiple_of(PAGE) && at.abs_diff(near) < NEAR, "{at:x}");
            let free = maps.iter().all(|map| map.end <= at || map.start >= at + size);
            assert!(free && at >= LOWEST, "{at:x}");
        }
        assert_eq!(room(&[Mapping { start: 0, end: 1 << 47, ..maps[0].clone() }], 1 << 40, 1), None);
    }
}
