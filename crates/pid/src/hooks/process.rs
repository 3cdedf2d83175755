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

    pub(crate) fn has_ended(&self) -> bool {
        self.file("stat", OFlags::RDONLY).is_err()
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
