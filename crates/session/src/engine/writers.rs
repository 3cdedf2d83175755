//! The processes that may log to a session, listed in its log file as the Windows kernel does: as `Process/DCStart`
//! records, so that a reader of the file knows their names after they have ended.
//!
//! The records follow the log file header in the first buffer, which is rewritten when a process starts and when the
//! file is completed. So each file of a session contains them, including circular files and each file of a series, and
//! they displace no events. If the buffer has no room for all, command lines are omitted first, then the oldest
//! processes, which are counted.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tracewell_etl::Trace;
use tracewell_etl::def::buffer::{self, BUFFER_HEADER_SIZE, RECORD_ALIGNMENT};
use tracewell_etl::write::System;

use super::identity;
use super::images::Images;
use super::socket::Peer;
use crate::consumer::{UNIX_USER, describes_a_writer};

/// Processes that are remembered for one session: more than the largest of buffers has room for is of no use.
const MOST: usize = 4096;
/// Maximum number of characters of a command line; a longer one is cut and ends with `…`.
const LONGEST_COMMAND: usize = 1000;
/// Maximum number of characters of a control group; that of a container has about 80.
const LONGEST_GROUP: usize = 256;
/// Event group and type of `Process/DCStart`, and the version whose layout is written (wmicore: `Process_TypeGroup1`).
const GROUP: u8 = 3;
const DCSTART: u8 = 3;
const VERSION: u16 = 4;
/// `STILL_ACTIVE`: the exit status of a process that runs.
const STILL_ACTIVE: u32 = 259;

/// The facts about a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Its id as the daemon knows it; its events get this one.
    pid: u32,
    /// Its id as it knows itself, and its PID namespace; 0 for that of the daemon.
    own: u32,
    space: u64,
    parent: u32,
    uid: u32,
    /// When it was started, in ticks since the machine was.
    started: u64,
    /// File name of its program.
    image: String,
    command_line: String,
    /// Its control group, which names its container or service; only of one in another PID namespace.
    group: String,
}

impl Facts {
    /// Its id as it knows itself.
    pub(crate) fn own(&self) -> u32 {
        self.own
    }

    /// Its PID namespace; 0 for that of the daemon.
    pub(crate) fn space(&self) -> u64 {
        self.space
    }

    /// Asks the system about a process; `None` when it is gone, or hidden from this one.
    pub(crate) fn of(peer: Peer) -> Option<Facts> {
        let text = |name: &str| {
            let mut bytes = Vec::new();
            let file = File::open(format!("/proc/{}/{name}", peer.pid)).ok()?;
            file.take(8 << 10).read_to_end(&mut bytes).ok()?;
            Some(bytes)
        };
        let stat = String::from_utf8_lossy(&text("stat")?).into_owned();
        let status = String::from_utf8_lossy(&text("status").unwrap_or_default()).into_owned();
        let program = std::fs::read_link(format!("/proc/{}/exe", peer.pid)).ok();
        let program = program.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let mut facts = Facts::parse(&stat, &status, program, &text("cmdline").unwrap_or_default())?;
        facts.pid = peer.pid;
        if facts.own == 0 {
            facts.own = peer.pid;
        }
        facts.space = identity::space_of(peer.pid);
        facts.uid = peer.uid;
        if facts.space != 0 {
            facts.group = control_group(&String::from_utf8_lossy(&text("cgroup").unwrap_or_default()));
        }
        Some(facts)
    }

    /// Layouts: proc(5). The name in `stat` is in parentheses and may contain parentheses.
    fn parse(stat: &str, status: &str, program: Option<String>, command: &[u8]) -> Option<Facts> {
        let (start, rest) = stat.rsplit_once(')')?;
        let name = start.split_once('(')?.1;
        let field = |at: usize| rest.split_ascii_whitespace().nth(at)?.parse().ok();
        // In a separate namespace a process has another id than for the daemon.
        let own = status.lines().find_map(|line| line.strip_prefix("NSpid:")?.split_whitespace().last());
        let program = program.map(|name| name.trim_end_matches(" (deleted)").to_owned());
        let windows = program.as_deref().and_then(|loader| windows_program(loader, command));
        // Wine leaves zeros where its loader's arguments were longer.
        let end = command.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let command = if windows.is_some() { &command[..end] } else { command };
        let program = windows.or(program);
        Some(Facts {
            pid: 0,
            own: own.and_then(|pid| pid.parse().ok()).unwrap_or(0),
            space: 0,
            parent: field(1).and_then(|parent: u64| u32::try_from(parent).ok()).unwrap_or(0),
            uid: 0,
            started: field(19).unwrap_or(0),
            image: program.unwrap_or_else(|| name.to_owned()).replace('\0', ""),
            command_line: command_line(command),
            group: String::new(),
        })
    }

    /// Distinguishes two processes with the same id, and successive programs of one process.
    fn key(&self) -> u64 {
        // FNV-1a.
        let bytes = self.started.to_le_bytes().into_iter().chain(self.pid.to_le_bytes());
        let all = bytes.chain(self.image.bytes());
        all.fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        }) | 1
    }

    /// The record, with or without the command line. The user is the SID that Samba gives a user of Unix: S-1-22-1-UID.
    fn record(&self, time: i64, with_command: bool) -> Option<Vec<u8>> {
        let mut out = self.key().to_le_bytes().to_vec();
        // Process, parent, terminal session, exit status; no directory table; no flags.
        for word in [self.pid, self.parent, 0, STILL_ACTIVE, 0, 0, 0] {
            out.extend(word.to_le_bytes());
        }
        // A TOKEN_USER: an address that is not null, attributes; then the SID itself.
        out.extend([1_u64, 0].map(u64::to_le_bytes).as_flattened());
        out.extend(UNIX_USER);
        out.extend(self.uid.to_le_bytes());
        out.extend(self.image.as_bytes());
        out.push(0);
        let command = if with_command { self.command_line.as_str() } else { "" };
        // Command line, package and application. Of a process in another PID namespace they are that and its control group.
        let package = if self.space == 0 { String::new() } else { format!("pid:[{}]", self.space) };
        for text in [command, &package, &self.group] {
            out.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        }
        // It is logged by no thread of theirs.
        let none = u32::MAX;
        let header = System {
            time,
            group: GROUP,
            opcode: DCSTART,
            version: VERSION,
            pid: none,
            tid: none,
            ..System::default()
        };
        let mut record = Vec::with_capacity(32 + out.len());
        header.append(&out, &mut record).then_some(record)
    }
}

/// The loaders of Wine, which run Windows programs.
const LOADERS: [&str; 4] = ["wine", "wine64", "wine-preloader", "wine64-preloader"];

/// The file name of the Windows program that a loader of Wine runs: Wine makes it the first argument. It is what the program
/// itself says, as the command line is.
fn windows_program(loader: &str, command: &[u8]) -> Option<String> {
    if !LOADERS.contains(&loader) {
        return None;
    }
    let program = command.split(|byte| *byte == 0).next()?;
    let name = program.rsplit(|byte| [b'\\', b'/'].contains(byte)).next()?;
    let name = String::from_utf8_lossy(name).into_owned();
    (!name.is_empty() && !LOADERS.contains(&&*name)).then_some(name)
}

/// The control group of a process, from `/proc/PID/cgroup`: of the unified hierarchy, or else the longest of the others.
fn control_group(text: &str) -> String {
    let groups = text
        .lines()
        .filter_map(|line| line.splitn(3, ':').nth(2).map(|group| (line.starts_with("0::"), group)));
    let group = groups.max_by_key(|(unified, group)| (*unified && group.len() > 1, group.len()));
    let group = group.map_or("", |(_, group)| group).replace('\0', "");
    group.chars().take(LONGEST_GROUP).collect()
}

/// The arguments of a program as one line: those that hold blanks or quotes in quotes.
fn command_line(arguments: &[u8]) -> String {
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(arguments);
    let words = arguments.split(|byte| *byte == 0).map(|word| {
        let word = String::from_utf8_lossy(word);
        if word.is_empty() || word.contains([' ', '\t', '"']) {
            format!("\"{}\"", word.replace('"', "\\\""))
        } else {
            word.into_owned()
        }
    });
    let line = if arguments.is_empty() { String::new() } else { words.collect::<Vec<_>>().join(" ") };
    match line.char_indices().nth(LONGEST_COMMAND) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A listed process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// See [`Facts::key`].
    pub(crate) key: u64,
    pub(crate) user: u32,
    /// When it came, by the session's clock.
    pub(crate) time: i64,
    /// Its record.
    pub(crate) whole: Vec<u8>,
    /// Without its command line.
    pub(crate) bare: Vec<u8>,
}

/// What comes of a process that is new.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) told: Told,
    /// Key of the process that is no longer remembered, so that this one is.
    pub(crate) forgotten: Option<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    /// By when they came.
    told: Vec<Told>,
    /// Number of processes that are no longer remembered.
    forgotten: u64,
    /// Changes with each process that comes.
    version: u64,
}

/// The processes that may log to one session.
#[derive(Debug, Default)]
pub(crate) struct Writers {
    inner: Mutex<Inner>,
    /// What those have loaded whose stacks it takes.
    pub(crate) images: Images,
}

impl Writers {
    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a process at a time of the session's clock. Returns it if it is new.
    pub(crate) fn note(&self, facts: &Facts, time: i64) -> Option<Noted> {
        let (whole, bare) = (facts.record(time, true)?, facts.record(time, false)?);
        let told = Told { key: facts.key(), user: facts.uid, time, whole, bare };
        let forgotten = self.locked().add(told.clone())?;
        Some(Noted { told, forgotten })
    }

    /// Takes over the processes that a daemon before this one has kept.
    pub(crate) fn restore(&self, kept: Vec<Told>) {
        let mut inner = self.locked();
        for told in kept {
            inner.add(told);
        }
    }

    /// Calls `each` with the record of each process that is remembered, by when they came.
    pub(crate) fn for_each(&self, each: impl FnMut(&[u8])) {
        self.locked().told.iter().map(|told| &*told.whole).for_each(each);
    }

    /// Takes over the processes in the first buffer of a file that is continued.
    pub(crate) fn take_over(&self, first_buffer: &[u8]) {
        let Ok(trace) = Trace::open(first_buffer) else { return };
        let mut inner = self.locked();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let key = record.payload().first_chunk().map_or(0, |key| u64::from_le_bytes(*key));
            if describes_a_writer(&record) && key != 0 {
                let bytes = record.bytes().to_vec();
                inner.add(Told { key, user: 0, time: record.time(), bare: bytes.clone(), whole: bytes });
            }
        }
    }

    /// Changes with each process that comes.
    pub(crate) fn version(&self) -> u64 {
        self.locked().version
    }

    /// Lists the processes in the first buffer of a file, after its contents. Returns the number of processes
    /// without room.
    pub(crate) fn list_in(&self, buffer: &mut [u8]) -> u64 {
        let used = |buffer: &[u8]| {
            let used = buffer.get(buffer::at::SAVED_OFFSET..).and_then(<[u8]>::first_chunk);
            used.map_or(usize::MAX, |used| u32::from_le_bytes(*used) as usize)
        };
        let inner = self.locked();
        let start = used(buffer).max(BUFFER_HEADER_SIZE).next_multiple_of(RECORD_ALIGNMENT);
        let room = buffer.len().saturating_sub(start);
        let padded = |record: &[u8]| record.len().next_multiple_of(RECORD_ALIGNMENT);
        let all: usize = inner.told.iter().map(|told| padded(&told.whole)).sum();
        let records: Vec<(i64, &[u8])> = (inner.told.iter())
            .map(|told| (told.time, if all <= room { &*told.whole } else { &*told.bare }))
            .collect();
        // The newest that fit.
        let mut left = room;
        let fit = records.iter().rev().take_while(|(_, record)| {
            let size = padded(record);
            let fits = size <= left;
            left = left.saturating_sub(size);
            fits
        });
        let first = records.len() - fit.count();
        let mut end = start;
        let mut time = None;
        for (at, record) in records.get(first..).unwrap_or_default() {
            let Some(place) = buffer.get_mut(end..end + padded(record)) else { break };
            place.fill(0);
            place[..record.len()].copy_from_slice(record);
            end += place.len();
            time = Some(*at);
        }
        if let Some(time) = time {
            let mut put = |at: usize, field: &[u8]| {
                if let Some(place) = buffer.get_mut(at..at + field.len()) {
                    place.copy_from_slice(field);
                }
            };
            for at in [buffer::at::SAVED_OFFSET, buffer::at::CURRENT_OFFSET, buffer::at::OFFSET] {
                put(at, &(end as u32).to_le_bytes());
            }
            put(buffer::at::TIME_STAMP, &time.to_le_bytes());
        }
        inner.forgotten + first as u64
    }
}

impl Inner {
    /// Adds a process; returns `None` if it is known, else the key of the one that is forgotten for it.
    fn add(&mut self, told: Told) -> Option<Option<u64>> {
        if self.told.iter().any(|known| known.key == told.key) {
            return None;
        }
        let mut forgotten = None;
        if self.told.len() >= MOST {
            // One of the user who has most of them: processes of one user push out no others'.
            let mut counts = HashMap::<u32, usize>::new();
            self.told.iter().for_each(|known| *counts.entry(known.user).or_default() += 1);
            let most = counts.into_iter().max_by_key(|(user, count)| (*count, *user)).map(|(user, _)| user);
            let oldest = self.told.iter().position(|known| Some(known.user) == most).unwrap_or(0);
            forgotten = Some(self.told.remove(oldest).key);
            self.forgotten += 1;
        }
        // Processes of a former daemon are added later, but are older than those of this one.
        let at = self.told.partition_point(|known| known.time <= told.time);
        self.told.insert(at, told);
        self.version += 1;
        Some(forgotten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consumer::{USER_AT, writer};
    use tracewell_etl::Record;
    use tracewell_etl::def::guid::{IMAGE, PROCESS};
    use tracewell_etl::write::{Full, TraceConfig, TraceWriter};
    use tracewell_types::{FileTime, Guid};

    fn facts(pid: u32, image: &str, command_line: &str) -> Facts {
        let (image, command_line) = (image.to_owned(), command_line.to_owned());
        let group = String::new();
        Facts { pid, own: pid, space: 0, parent: 1, uid: 1000, started: 77, image, command_line, group }
    }

    /// A first buffer of so many bytes with a header in it.
    fn first_buffer(size: u32) -> Vec<u8> {
        let config = TraceConfig { buffer_size: size, ..TraceConfig::default() };
        let writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
        writer.finish(FileTime::ZERO).unwrap().into_inner()
    }

    /// Ids and times of the processes in a first buffer, and the bytes of their records.
    fn listed(buffer: &[u8]) -> Vec<(u32, i64, usize)> {
        let trace = Trace::open(buffer).unwrap();
        let mut records = trace.by_time();
        let mut found = Vec::new();
        while let Some(record) = records.next() {
            if record.hook() == Some(0x303) {
                let pid = u32::from_le_bytes(record.payload()[8..12].try_into().unwrap());
                found.push((pid, record.time(), record.bytes().len()));
            }
        }
        assert!(records.ledger().is_clean() && trace.ledger().is_clean());
        found
    }

    #[test]
    fn the_facts_about_a_process_are_parsed() {
        let stat =
            "4711 (odd) name (x) S 42 4711 4711 0 -1 4194304 94 0 0 0 0 0 0 0 20 0 1 0 8989 2703360 1 1";
        let facts = Facts::parse(
            stat,
            "Name:\todd\nNSpid:\t4711\t7\n",
            Some("prog (deleted)".into()),
            b"/bin/prog\0a b\0say \"x\"\0\0",
        );
        let facts = facts.unwrap();
        assert_eq!((facts.own, facts.parent, facts.started), (7, 42, 8989), "the id that the process knows");
        assert_eq!((&*facts.image, &*facts.command_line), ("prog", r#"/bin/prog "a b" "say \"x\"" """#));
        let unknown = Facts::parse(stat, "", None, b"").unwrap();
        assert_eq!((&*unknown.image, &*unknown.command_line, unknown.own), ("odd) name (x", "", 0));
        assert_eq!(Facts::parse("nonsense", "", None, b""), None);
        assert_eq!(command_line(&[b'x'; 5000]).chars().count(), LONGEST_COMMAND + 1);
    }

    #[test]
    fn issue_18_a_windows_program_has_its_own_name() {
        let stat = "4711 (shop.exe) S 42 4711 4711 0 -1 4194304 94 0 0 0 0 0 0 0 20 0 1 0 8989 2703360 1 1";
        let facts = |loader: &str, command: &[u8]| {
            let facts = Facts::parse(stat, "", Some(loader.into()), command).unwrap();
            (facts.image, facts.command_line)
        };
        let names = |image: &str, line: &str| (image.to_owned(), line.to_owned());
        assert_eq!(
            facts("wine64", b"C:\\a b\\shop.exe\0-v\0\0\0\0"),
            names("shop.exe", "\"C:\\a b\\shop.exe\" -v")
        );
        assert_eq!(facts("wine64-preloader", b"shop.exe\0"), names("shop.exe", "shop.exe"));
        // Before Wine has set it, and programs that are not Wine's.
        assert_eq!(facts("wine64", b"/usr/lib/wine/wine64\0shop.exe\0").0, "wine64");
        assert_eq!(facts("bash", b"C:\\x.exe\0").0, "bash");
        assert_eq!(facts("wine64", b"").0, "wine64");
    }

    #[test]
    fn issue_18_a_program_is_described_by_its_class_as_by_its_short_header() {
        let bytes = facts(7, "shop.exe", "shop.exe -v").record(5, true).unwrap();
        let short = Record::parse(&bytes, 0).unwrap();
        let of = |class: Guid, opcode: u8, payload: &[u8]| {
            // As a session of Windows hands it over.
            let header = Full { time: 5, guid: class, opcode, version: VERSION, ..Full::default() };
            let mut full = Vec::new();
            assert!(header.append(payload, &mut full));
            writer(&Record::parse(&full, 0).unwrap())
        };
        let named = writer(&short).unwrap();
        assert_eq!((named.pid, &*named.name, &*named.command_line), (7, "shop.exe", "shop.exe -v"));
        assert_eq!(of(PROCESS, DCSTART, short.payload()), Some(named));
        assert_eq!(of(PROCESS, 1, short.payload()), None);
        assert_eq!(of(IMAGE, DCSTART, short.payload()), None);
        let mut of_windows = short.payload().to_vec();
        of_windows[USER_AT + 7] = 5;
        assert_eq!(of(PROCESS, DCSTART, &of_windows), None);
    }

    #[test]
    fn issue_14_a_process_of_a_container_has_its_namespace_and_group() {
        let docker = "12:cpu:/docker/0a1b\n1:name=systemd:/\n0::/system.slice/docker-0a1b.scope\n";
        assert_eq!(control_group(docker), "/system.slice/docker-0a1b.scope");
        assert_eq!(control_group("2:cpu:/docker/0a1b\n1:name=systemd:/\n0::/\n"), "/docker/0a1b");
        assert_eq!((control_group(""), control_group("nonsense")), (String::new(), String::new()));
        assert_eq!(control_group(&format!("0::/{}", "é".repeat(9999))).chars().count(), LONGEST_GROUP);
        let inside = Facts { space: 4026531836, group: "/docker/0a1b".into(), ..facts(7, "shop", "./shop") };
        let text = |text: &str| text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let end = [text("pid:[4026531836]"), text("/docker/0a1b")].concat();
        for with_command in [false, true] {
            assert!(inside.record(5, with_command).unwrap().ends_with(&end));
        }
        assert!(
            facts(7, "shop", "./shop").record(5, true).unwrap().ends_with(&[0; 4]),
            "and no other process has them"
        );
    }

    #[test]
    fn each_process_is_listed_once() {
        let writers = Writers::default();
        writers.note(&facts(7, "shop", "./shop"), 100);
        writers.note(&facts(7, "shop", "./shop"), 200);
        // The same process runs another program, and another one has its id.
        writers.note(&facts(7, "till", "./till"), 300);
        writers.note(&Facts { started: 99, ..facts(7, "till", "./till") }, 400);
        let mut buffer = first_buffer(4096);
        assert_eq!(writers.list_in(&mut buffer), 0);
        let times: Vec<(u32, i64)> = listed(&buffer).iter().map(|(pid, time, _)| (*pid, *time)).collect();
        assert_eq!(times, [(7, 100), (7, 300), (7, 400)]);
        // A daemon that continues the file takes them from there, and lists each once.
        let later = Writers::default();
        later.note(&facts(8, "late", ""), 500);
        later.take_over(&buffer);
        later.take_over(b"no trace");
        let mut again = first_buffer(4096);
        assert_eq!(later.list_in(&mut again), 0);
        let times: Vec<(u32, i64)> = listed(&again).iter().map(|(pid, time, _)| (*pid, *time)).collect();
        assert_eq!(times, [(7, 100), (7, 300), (7, 400), (8, 500)]);
    }

    #[test]
    fn issue_14_processes_of_one_user_push_out_their_own() {
        let writers = Writers::default();
        writers.note(&Facts { uid: 7, ..facts(1, "kept", "") }, 1);
        // Each that is pushed out is named, so that the keeper forgets it, too.
        let keys: Vec<u64> = (2..MOST as u32 + 100).map(|pid| facts(pid, "flood", "").key()).collect();
        let mut forgotten = Vec::new();
        for pid in 2..MOST as u32 + 100 {
            forgotten.extend(writers.note(&facts(pid, "flood", ""), i64::from(pid)).unwrap().forgotten);
        }
        assert_eq!(forgotten, keys[..99]);
        assert!(writers.note(&facts(MOST as u32, "flood", ""), 9999).is_none(), "it is known");
        let all: Vec<Told> = writers.locked().told.clone();
        assert_eq!((all.len(), all[0].user), (MOST, 7));
        let later = Writers::default();
        later.restore(all.iter().rev().cloned().collect());
        assert_eq!(later.locked().told, all, "by when they came");
    }

    #[test]
    fn without_room_the_newest_are_listed_and_the_others_counted() {
        let writers = Writers::default();
        for pid in 0..12 {
            writers.note(&facts(pid, "program", &"x".repeat(120)), i64::from(pid));
        }
        let mut buffer = first_buffer(4096);
        assert_eq!(writers.list_in(&mut buffer), 0, "without their command lines all fit");
        assert_eq!(listed(&buffer).len(), 12);
        for pid in 12..100 {
            writers.note(&facts(pid, "program", &"x".repeat(120)), i64::from(pid));
        }
        let mut buffer = first_buffer(4096);
        let missing = writers.list_in(&mut buffer);
        let found = listed(&buffer);
        assert_eq!(found.len() as u64 + missing, 100);
        assert!(found.len() >= 15, "{}", found.len());
        assert_eq!(found.last().unwrap().0, 99);
        assert_eq!(found[0].0 as u64, missing, "the newest are listed");
        assert_eq!(buffer.len(), 4096);
    }
}
