//! Reads the machine's processors, disks, symbols and processes from files of the system.

use std::fs;
use std::io::{self, BufRead, Read};
use std::os::fd::AsFd;

use rustc_hash::FxHashMap;

use crate::addresses;
use crate::sample::UNKNOWN;
use crate::sys::FileMap;
use crate::tasks::Program;
use crate::translate::{Facts, Image, Place, command_line};

/// Most bytes that are read of a small file.
const SMALL: u64 = 1 << 16;
/// Most bytes that are read of a table of mappings.
const LARGE: u64 = 16 << 20;

fn read(path: &str, most: u64) -> io::Result<Vec<u8>> {
    // These files have no size that the system knows: a small buffer would be filled by many reads.
    let mut bytes = Vec::with_capacity(most.min(2 << 10) as usize);
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn text(path: &str) -> String {
    read(path, SMALL).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Numbers of a list as the kernel writes it: `0-3,8`.
fn list(text: &str) -> Vec<u16> {
    let mut all = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<u16>(), last.parse::<u16>()) {
            all.extend(first..=last);
        }
    }
    all
}

/// The processors that there may be: one more than the highest number.
#[must_use]
pub fn possible_processors() -> u32 {
    let all = list(&text("/sys/devices/system/cpu/possible"));
    all.last().map_or(1, |last| u32::from(*last) + 1)
}

/// The processors that run.
pub(crate) fn online_processors() -> Vec<u16> {
    list(&text("/sys/devices/system/cpu/online"))
}

/// Returns `true` if processes have the same ids for this process as for the kernel.
pub(crate) fn has_initial_ids() -> bool {
    // The kernel gives this number to the first namespace.
    const FIRST: &str = "pid:[4026531836]";
    fs::read_link("/proc/self/ns/pid").is_ok_and(|space| space.as_os_str() == FIRST)
}

/// The description of the kernel's types.
pub(crate) enum Types {
    /// Mapped, as kernels since 6.16 allow.
    Mapped(FileMap),
    /// Read.
    Read(Vec<u8>),
}

impl Types {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Types::Mapped(map) => map.bytes(),
            Types::Read(bytes) => bytes,
        }
    }
}

/// The description of the kernel's types.
pub(crate) fn btf() -> io::Result<Types> {
    const PATH: &str = "/sys/kernel/btf/vmlinux";
    let file = fs::File::open(PATH)?;
    let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
    match FileMap::of_constant(file.as_fd(), size) {
        Ok(map) => Ok(Types::Mapped(map)),
        Err(_) => read(PATH, 256 << 20).map(Types::Read),
    }
}

/// Major and minor numbers of the disks: those of hardware first, each in the order of their names.
pub(crate) fn disks() -> Vec<(u32, u32)> {
    let Ok(entries) = fs::read_dir("/sys/block") else { return Vec::new() };
    let mut disks: Vec<(bool, String, (u32, u32))> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let numbers = text(&format!("/sys/block/{name}/dev"));
            let (major, minor) = numbers.trim().split_once(':')?;
            let hardware = entry.path().join("device").exists();
            Some((!hardware, name, (major.parse().ok()?, minor.parse().ok()?)))
        })
        .collect();
    disks.sort();
    disks.into_iter().map(|(.., numbers)| numbers).collect()
}

/// The addresses of those of the kernel's symbols that are wanted; they are 0 for those who may not see them.
pub(crate) fn symbols<'a>(wanted: &[&'a str]) -> FxHashMap<&'a str, u64> {
    addresses::of(wanted).unwrap_or_else(|_| symbols_of_table(wanted))
}

/// The same, from the kernel's table of symbols.
pub(crate) fn symbols_of_table<'a>(wanted: &[&'a str]) -> FxHashMap<&'a str, u64> {
    let Ok(file) = fs::File::open("/proc/kallsyms") else { return FxHashMap::default() };
    let wanted: FxHashMap<&[u8], &str> = wanted.iter().map(|name| (name.as_bytes(), *name)).collect();
    let mut found = FxHashMap::default();
    let mut reader = io::BufReader::with_capacity(1 << 16, file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|size| size > 0) {
        // Address, type, name; the symbols of modules, which have a fourth word, come last.
        let mut words = line.trim_ascii_end().split(|byte| *byte == b' ');
        if let (Some(address), Some(_), Some(name)) = (words.next(), words.next(), words.next())
            && let Some(name) = wanted.get(name)
        {
            let address = str::from_utf8(address).ok().and_then(|text| u64::from_str_radix(text, 16).ok());
            found.insert(*name, address.unwrap_or(0));
            if found.len() == wanted.len() {
                break;
            }
        }
        line.clear();
    }
    found
}

/// The kernel and its modules as images.
pub(crate) fn kernel_images(start: u64, end: u64) -> Vec<Image> {
    let mut images = Vec::new();
    if start != 0 && end > start {
        let build_id = kernel_build_id().unwrap_or_default();
        let path = "/boot/vmlinux".into();
        images.push(Image { base: start, size: end - start, path, build_id, ..Image::default() });
    }
    for line in text("/proc/modules").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [name, size, .., address] = words[..]
            && let (Ok(size), Some(base)) =
                (size.parse(), parse_address(address).or_else(|| parse_address(words.get(5)?)))
            && base != 0
        {
            images.push(Image { base, size, path: format!("/lib/modules/{name}.ko"), ..Image::default() });
        }
    }
    images
}

fn parse_address(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Returns the build id of the kernel, from its ELF notes.
fn kernel_build_id() -> Option<Vec<u8>> {
    note(&read("/sys/kernel/notes", SMALL).ok()?)
}

/// The build id among ELF notes: each has the lengths of name and content, a type, and both.
pub(crate) fn note(mut notes: &[u8]) -> Option<Vec<u8>> {
    const BUILD_ID: u32 = 3;
    loop {
        let word = |at: usize| Some(u32::from_ne_bytes(*notes.get(at..)?.first_chunk()?));
        let (name, content, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = 12 + name.checked_next_multiple_of(4)?;
        if kind == BUILD_ID && notes.get(12..16) == Some(b"GNU\0") {
            return Some(notes.get(start..start.checked_add(content)?)?.to_vec());
        }
        notes = notes.get(start.checked_add(content.checked_next_multiple_of(4)?)?..)?;
    }
}

/// Every process with its threads, or every process of a user; with the parts of images that it has mapped if these are wanted.
pub(crate) fn processes(images: bool, owner: Option<u32>) -> Vec<Facts> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let found = |pid| {
        let Some(uid) = owner else { return process(pid, images) };
        let mut facts = read_of_own(pid, uid, || process(pid, false))?;
        facts.images = read_hidden_of_own(pid, uid, || images.then(|| images_of(pid))).unwrap_or_default();
        Some(facts)
    };
    pids.filter_map(found).collect()
}

/// Reads something of a process, if it is a user's before and after: meanwhile it may end, or run a program with other credentials;
/// its number may be used again.
fn read_of_own<T>(pid: u32, uid: u32, read: impl FnOnce() -> Option<T>) -> Option<T> {
    let before = Own::of(pid, uid)?;
    read().filter(|_| Own::of(pid, uid).is_some_and(|after| after.began == before.began))
}

/// As [`read_of_own`], for what only the user of a process may see: nothing if another program may have run in between, which then gave
/// way to the user's again. No program runs without page faults, and a process keeps their number when it runs another program.
fn read_hidden_of_own<T>(pid: u32, uid: u32, read: impl Fn() -> Option<T>) -> Option<T> {
    const ATTEMPTS: usize = 8;
    for _ in 0..ATTEMPTS {
        let before = Own::of(pid, uid)?;
        let found = read();
        let after = Own::of(pid, uid)?;
        if before == after {
            return found;
        }
        if before.began != after.began {
            return None;
        }
    }
    None
}

/// Returns `true` if users may dump the memory of programs with other credentials than theirs, too.
pub(crate) fn dumps_all() -> bool {
    text("/proc/sys/fs/suid_dumpable").trim() == "1"
}

/// A process of a user.
#[derive(Debug, PartialEq, Eq)]
struct Own {
    /// When it began.
    began: String,
    /// Its page faults, without and with a disk.
    faults: [String; 2],
}

impl Own {
    /// A process, if it is a user's; the rule is that of programs in the kernel.
    fn of(pid: u32, uid: u32) -> Option<Own> {
        use std::os::unix::fs::MetadataExt;
        // Root owns this of a process whose memory its user may not dump; the folder itself is the user's.
        let memory = fs::metadata(format!("/proc/{pid}/environ")).ok()?;
        let is_own = memory.uid() == uid && has_plain_rights(&text(&format!("/proc/{pid}/status")), uid);
        let stat = text(&format!("/proc/{pid}/stat"));
        let words: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        let word = |place: usize| words.get(place).map(|word| (*word).to_owned());
        let own = Own { began: word(19)?, faults: [word(7)?, word(9)?] };
        is_own.then_some(own)
    }
}

/// Returns `true` if a `status` has one user, which is this one, one group, and no capabilities.
fn has_plain_rights(status: &str, uid: u32) -> bool {
    let words = |name: &str| -> Vec<&str> {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().split_ascii_whitespace().collect()
    };
    let uid = uid.to_string();
    let (users, groups, rights) = (words("Uid:"), words("Gid:"), words("CapPrm:"));
    users.len() == 4
        && users.iter().all(|user| *user == uid)
        && groups.len() == 4
        && groups.iter().all(|group| *group == groups[0])
        && rights.len() == 1
        && rights[0].bytes().all(|digit| digit == b'0')
}

/// The file of the program that a process runs.
fn path_of(pid: u32) -> Option<String> {
    let path = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    Some(path.to_string_lossy().trim_end_matches(" (deleted)").to_owned())
}

/// The program that a process runs by now.
pub(crate) fn program_of(pid: u32) -> Program {
    let status = text(&format!("/proc/{pid}/status"));
    Program {
        uid: real_user(&status).unwrap_or(UNKNOWN),
        path: path_of(pid),
        arguments: read(&format!("/proc/{pid}/cmdline"), SMALL).unwrap_or_default(),
    }
}

/// The real user of a process, from its `status`.
fn real_user(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok())
}

/// When a process began, in nanoseconds since 1970; `None` if it is gone.
pub(crate) fn began(pid: u32) -> Option<i64> {
    began_of(&text(&format!("/proc/{pid}/stat")), crate::sys::wall().saturating_sub(crate::sys::since_boot()))
}

/// The same of its `stat`, for a machine that was started at a time.
fn began_of(stat: &str, started: u64) -> Option<i64> {
    /// Nanoseconds of a tick: the kernel shows hundredths of a second, whatever its timer does (`USER_HZ`).
    const TICK: u64 = 10_000_000;
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks: u64 = rest.split_ascii_whitespace().nth(19)?.parse().ok()?;
    started.checked_add(ticks.checked_mul(TICK)?)?.try_into().ok()
}

fn process(pid: u32, images: bool) -> Option<Facts> {
    let stat = text(&format!("/proc/{pid}/stat"));
    let status = text(&format!("/proc/{pid}/status"));
    let program = path_of(pid);
    let arguments = read(&format!("/proc/{pid}/cmdline"), SMALL).unwrap_or_default();
    let mut facts = parse(pid, &stat, &status, program.as_deref(), &arguments)?;
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    facts.threads = threads
        .flatten()
        .filter_map(|entry| {
            let tid: u32 = entry.file_name().to_str()?.parse().ok()?;
            Some((tid, text(&format!("/proc/{pid}/task/{tid}/comm")).trim_end().to_owned()))
        })
        .collect();
    facts.threads.sort();
    if images {
        facts.images = images_of(pid);
    }
    Some(facts)
}

/// The parts of images that a process has mapped.
fn images_of(pid: u32) -> Vec<Image> {
    let maps = read(&format!("/proc/{pid}/maps"), LARGE).unwrap_or_default();
    mappings(&String::from_utf8_lossy(&maps))
}

/// Layouts: proc(5). The name in `stat` is in parentheses and may contain parentheses.
fn parse(pid: u32, stat: &str, status: &str, program: Option<&str>, arguments: &[u8]) -> Option<Facts> {
    let (start, rest) = stat.rsplit_once(')')?;
    let short = start.split_once('(')?.1;
    let parent = rest.split_ascii_whitespace().nth(1)?.parse().unwrap_or(0);
    let command = command_line(arguments);
    let name = long_name(short, program, arguments);
    Some(Facts { pid, parent, uid: real_user(status).unwrap_or(0), name, command, ..Facts::default() })
}

/// The kernel's name of a process has at most 15 bytes; where it is the beginning of the name of its program, or of a script
/// that it runs, the whole name is taken.
fn long_name(short: &str, program: Option<&str>, arguments: &[u8]) -> String {
    let words = arguments.split(|byte| *byte == 0).take(2).filter_map(|word| str::from_utf8(word).ok());
    let names = program.into_iter().chain(words).map(|path| path.rsplit('/').next().unwrap_or(path));
    let mut long =
        names.filter(|name| name.starts_with(short) && (short.len() == 15 || name.len() == short.len()));
    long.next().unwrap_or(short).to_owned()
}

/// The images among the lines of `/proc/PID/maps`.
pub(crate) fn mappings(maps: &str) -> Vec<Image> {
    let images = maps.lines().filter_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (first, last) = range.split_once('-')?;
        let path = rest.get(rest.find('/')?..)?;
        let base = u64::from_str_radix(first, 16).ok()?;
        let size = u64::from_str_radix(last, 16).ok()?.checked_sub(base)?;
        let path = path.trim_end_matches(" (deleted)").to_owned();
        rest.get(2..3).filter(|executable| *executable == "x")?;
        let offset = u64::from_str_radix(rest.split(' ').nth(1)?, 16).ok()?;
        // The parts are: rights, offset, device, and number.
        let mut parts = rest.split_ascii_whitespace().skip(2);
        let device = parts.next().and_then(|device| {
            let (major, minor) = device.split_once(':')?;
            let number = |text| u32::from_str_radix(text, 16).ok();
            Some(libc::makedev(number(major)?, number(minor)?))
        });
        let file = device.zip(parts.next().and_then(|number| number.parse().ok()));
        Some(Image { base, size, offset, path, build_id: Vec::new(), file })
    });
    images.collect()
}

/// The machine at hand.
#[derive(Debug, Default)]
pub(crate) struct ThisMachine {
    /// The user of whose processes alone something is read.
    pub(crate) owner: Option<u32>,
}

impl ThisMachine {
    /// Reads something of a process, if it may be read.
    fn of_process<T>(&self, pid: u32, read: impl Fn() -> Option<T>) -> Option<T> {
        let Some(uid) = self.owner else { return read() };
        read_hidden_of_own(pid, uid, read)
    }
}

impl Place for ThisMachine {
    fn open_path(&self, pid: u32, descriptor: u32) -> Option<String> {
        let path = self.of_process(pid, || fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok())?;
        Some(path.to_string_lossy().into_owned())
    }

    fn directory(&self, pid: u32) -> Option<String> {
        let path = self.of_process(pid, || fs::read_link(format!("/proc/{pid}/cwd")).ok())?;
        Some(path.to_string_lossy().into_owned())
    }

    fn listener(&self, port: u16) -> Option<u32> {
        let inode =
            ["/proc/net/tcp", "/proc/net/tcp6"].iter().find_map(|table| listening(&text(table), port))?;
        let name = format!("socket:[{inode}]");
        let pids = fs::read_dir("/proc").ok()?.flatten();
        pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).find(|pid| {
            let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else { return false };
            open.flatten()
                .any(|entry| fs::read_link(entry.path()).is_ok_and(|path| path.as_os_str() == name.as_str()))
        })
    }

    fn memory(&self, pid: u32, address: u64, into: &mut [u8]) -> usize {
        use std::os::unix::fs::FileExt;
        // Sessions of one user read no memory: their calls are not limited to those whose memory is wanted.
        if self.owner.is_some() {
            return 0;
        }
        let file = fs::File::open(format!("/proc/{pid}/mem"));
        file.and_then(|file| file.read_at(into, address)).unwrap_or(0)
    }
}

/// The inode of the socket that listens at a port, from a table of `/proc/net`.
fn listening(table: &str, port: u16) -> Option<u64> {
    const LISTEN: &str = "0A";
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (_, local) = words.get(1)?.rsplit_once(':')?;
        let listens = *words.get(3)? == LISTEN && u16::from_str_radix(local, 16).ok()? == port;
        listens.then(|| words.get(9)?.parse().ok()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_numbers() {
        assert_eq!(list("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(list("0"), [0]);
        assert_eq!(list(""), [0_u16; 0]);
    }

    #[test]
    fn processes_are_read() {
        let stat = "4711 (odd) name (x) S 42 4711 4711 0 -1";
        let facts =
            parse(4711, stat, "Name:\todd\nUid:\t1000\t0\t0\t0\n", None, b"/bin/prog\0a b\0").unwrap();
        assert_eq!((facts.parent, facts.uid, &*facts.name), (42, 1000, "odd) name (x"));
        assert_eq!(facts.command, r#"/bin/prog "a b""#);
        assert_eq!(parse(1, "nonsense", "", None, b""), None);
    }

    #[test]
    fn issue_16_processes_have_a_beginning() {
        let stat = "4711 (odd) 9) S 42 4711 4711 0 -1 5 6 7 8 9 10 11 12 13 20 0 1 0 250 1000 7";
        assert_eq!(began_of(stat, 3), Some(2_500_000_003));
        assert_eq!(began_of("4711 (odd) S 42", 3), None);
        let (now, own) = (crate::sys::wall().cast_signed(), began(std::process::id()).unwrap());
        // A test of an hour is none.
        assert!(own <= now + 20_000_000 && now - own < 3_600_000_000_000, "{own} {now}");
        assert_eq!(began(u32::MAX), None);
    }

    #[test]
    fn issue_16_a_process_with_other_rights_is_not_the_users() {
        let status = |users: &str, groups: &str, rights: &str| {
            format!("Name:\tx\nUid:\t{users}\nGid:\t{groups}\nCapInh:\t1\nCapPrm:\t{rights}\n")
        };
        for (users, groups, rights, is_own) in [
            ("7\t7\t7\t7", "8\t8\t8\t8", "0000000000000000", true),
            ("7\t0\t0\t0", "8\t8\t8\t8", "0000000000000000", false),
            ("7\t7\t0\t7", "8\t8\t8\t8", "0000000000000000", false),
            ("0\t7\t7\t7", "8\t8\t8\t8", "0000000000000000", false),
            ("77\t77\t77\t77", "8\t8\t8\t8", "0000000000000000", false),
            ("7\t7\t7\t7", "8\t9\t9\t9", "0000000000000000", false),
            ("7\t7\t7\t7", "8\t8\t8\t8", "0000000000000001", false),
            ("7\t7\t7", "8\t8\t8\t8", "0000000000000000", false),
            ("7\t7\t7\t7", "", "0000000000000000", false),
            ("7\t7\t7\t7", "8\t8\t8\t8", "", false),
        ] {
            assert_eq!(
                has_plain_rights(&status(users, groups, rights), 7),
                is_own,
                "{users} {groups} {rights}"
            );
        }
        assert!(!has_plain_rights("", 7));
    }

    #[test]
    fn names_are_made_whole() {
        let short = "a-rather-long-n";
        for (short, program, arguments, whole) in [
            (short, Some("/usr/bin/a-rather-long-name"), &b""[..], "a-rather-long-name"),
            (short, Some("/usr/bin/sh"), b"/bin/sh\0/x/a-rather-long-name.sh\0-x", "a-rather-long-name.sh"),
            (short, Some("/usr/bin/sh"), b"sh\0-c\0a-rather-long-name", short),
            ("tokio-runtime", Some("/usr/bin/tokio-runtimes"), b"", "tokio-runtime"),
            ("kworker/0:1", None, b"", "kworker/0:1"),
        ] {
            assert_eq!(long_name(short, program, arguments), whole);
        }
    }

    #[test]
    fn mappings_that_may_be_executed_are_images() {
        let maps = "00400000-00401000 r--p 00000000 fe:00 7 /bin/x y\n\
                    00401000-00405000 r-xp 00001000 fe:00 7 /bin/x y (deleted)\n\
                    7fff0000-7fff1000 r-xp 00000000 00:00 0 [vdso]\n";
        let path = "/bin/x y".into();
        let file = Some((libc::makedev(0xFE, 0), 7));
        let image = Image { base: 0x40_1000, size: 0x4000, offset: 0x1000, path, file, ..Image::default() };
        assert_eq!(mappings(maps), [image]);
    }

    #[test]
    fn notes_hold_a_build_id() {
        let mut notes = Vec::new();
        for (kind, content) in [(1_u32, &b"abc"[..]), (3, b"12345678901234567890")] {
            notes.extend(4_u32.to_ne_bytes());
            notes.extend((content.len() as u32).to_ne_bytes());
            notes.extend(kind.to_ne_bytes());
            notes.extend(b"GNU\0");
            notes.extend(content);
            notes.resize(notes.len().next_multiple_of(4), 0);
        }
        assert_eq!(note(&notes).as_deref(), Some(&b"12345678901234567890"[..]));
        for cut in 0..notes.len() {
            assert_eq!(note(&notes[..cut]), None);
        }
    }

    #[test]
    fn issue_23_this_process_is_found_by_its_port() {
        let Ok(listener) = std::net::TcpListener::bind("127.0.0.1:0") else {
            return tracewell_corpus::skip("loopback", "no address to listen at");
        };
        let port = listener.local_addr().unwrap().port();
        if !text("/proc/net/tcp").is_empty() {
            assert_eq!(ThisMachine::default().listener(port), Some(std::process::id()));
        }
        drop(listener);
        assert_ne!(ThisMachine::default().listener(port), Some(std::process::id()));
    }

    #[test]
    fn issue_23_the_kernel_is_an_image_where_its_place_is_known() {
        let first = |start, end| kernel_images(start, end).first().map(|image| (image.base, image.size));
        let modules = first(0, 0);
        assert_eq!(first(0xFFFF_0000, 0xFFFF_1000), Some((0xFFFF_0000, 0x1000)));
        assert_eq!(
            (first(0xFFFF_0000, 0xFFFF_0000), first(0xFFFF_0000, 5), first(0, 5)),
            (modules, modules, modules)
        );
    }

    #[test]
    fn listeners_are_found_by_port() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1F90 00000000:0000 01 00000000:00000000 00:00000000 00000000 0 0 11 1\n\
            1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 12 1\n";
        assert_eq!(listening(table, 8080), Some(12));
        assert_eq!(listening(table, 80), None);
    }
}
