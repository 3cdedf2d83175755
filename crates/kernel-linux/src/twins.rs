//! The events of Windows' providers that are kernel records with another header.

use rustc_hash::FxHashMap;
use tracewell_etl::def::guid::IMAGE_ID;
use tracewell_etl::def::record::{HeaderKind, MARKER_TRACE_HEADER};
use tracewell_etl::write::Event;
use tracewell_schema::bundled;
use tracewell_schema::kernel::hook;
use tracewell_session::Enable;
use tracewell_types::Guid;

use crate::flags as flag;
use crate::provider::{DISK, FILE, NETWORK, PROCESS};
use crate::recast::{self, Beginnings, Part, recast};
use crate::table::ROWS;
use crate::translate::thread_of;

/// The channel that the events of these providers have, with its keyword; those of a provider without a description have it, too.
const ANALYTIC: u8 = 16;
const ANALYTIC_KEYWORD: u64 = 1 << 63;
/// The tasks of Microsoft-Windows-Kernel-Network.
const TCP_IP: u16 = 10;
const UDP_IP: u16 = 11;
/// Maximum number of threads whose process is kept.
const MOST_OWNERS: usize = 1 << 18;
/// Opcodes of events that begin and end something.
const START: u8 = 1;
const STOP: u8 = 2;

/// A kernel record that is also an event of a provider. A test compares the descriptions of both.
#[derive(Debug)]
struct Twin {
    hook: u16,
    provider: Guid,
    id: u16,
    version: u8,
    opcode: u8,
    task: u16,
    /// The group of kernel events that has it.
    flags: u32,
    /// How its payload is made.
    parts: &'static [Part],
    /// Whose event it is.
    actor: Actor,
}

/// Where the process and thread are found that an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Actor {
    /// The process is the first field.
    First,
    /// Those that the record has.
    Record,
    /// The thread is at an offset; its process is known by the records of threads.
    Thread(usize),
    /// The thread is the one that the first field identifies: it has one operation at a time.
    Operation,
    /// Nobody's.
    None,
}

const fn network(hook: u16, id: u16, task: u16) -> Twin {
    let (flags, parts) = (flag::NETWORK_TCPIP, recast::SAME);
    Twin {
        hook,
        provider: NETWORK,
        id,
        version: 0,
        opcode: id as u8,
        task,
        flags,
        parts,
        actor: Actor::First,
    }
}

/// Tasks of Microsoft-Windows-Kernel-Process and -File have the number of their first event.
const fn process(
    hook: u16,
    (id, version): (u16, u8),
    (task, opcode): (u16, u8),
    flags: u32,
    parts: &'static [Part],
) -> Twin {
    Twin { hook, provider: PROCESS, id, version, opcode, task, flags, parts, actor: Actor::Record }
}

/// Records of files and disks have no process: those of threads are needed, too.
const fn file(hook: u16, (id, version): (u16, u8), flags: u32, actor: Actor) -> Twin {
    let (parts, flags) = (recast::SAME, flags | flag::THREAD);
    Twin { hook, provider: FILE, id, version, opcode: 0, task: id, flags, parts, actor }
}

const fn disk(hook: u16, id: u16, parts: &'static [Part], thread: usize) -> Twin {
    let (flags, actor) = (flag::DISK_IO | flag::THREAD, Actor::Thread(thread));
    Twin { hook, provider: DISK, id, version: 0, opcode: 0, task: id, flags, parts, actor }
}

const TWINS: &[Twin] = &[
    network(hook::TCP_IP_SEND_IPV4, 10, TCP_IP),
    network(hook::TCP_IP_RECV_IPV4, 11, TCP_IP),
    network(hook::TCP_IP_CONNECT_IPV4, 12, TCP_IP),
    network(hook::TCP_IP_DISCONNECT_IPV4, 13, TCP_IP),
    network(hook::TCP_IP_RETRANSMIT_IPV4, 14, TCP_IP),
    network(hook::TCP_IP_ACCEPT_IPV4, 15, TCP_IP),
    network(hook::TCP_IP_SEND_IPV6, 26, TCP_IP),
    network(hook::TCP_IP_RECV_IPV6, 27, TCP_IP),
    network(hook::TCP_IP_CONNECT_IPV6, 28, TCP_IP),
    network(hook::TCP_IP_DISCONNECT_IPV6, 29, TCP_IP),
    network(hook::TCP_IP_RETRANSMIT_IPV6, 30, TCP_IP),
    network(hook::TCP_IP_ACCEPT_IPV6, 31, TCP_IP),
    network(hook::UDP_IP_SEND_IPV4, 42, UDP_IP),
    network(hook::UDP_IP_RECV_IPV4, 43, UDP_IP),
    network(hook::UDP_IP_SEND_IPV6, 58, UDP_IP),
    network(hook::UDP_IP_RECV_IPV6, 59, UDP_IP),
    process(hook::PROCESS_START, (1, 1), (1, START), flag::PROCESS, recast::PROCESS_START),
    process(hook::PROCESS_END, (2, 0), (2, STOP), flag::PROCESS, recast::PROCESS_STOP),
    process(hook::PROCESS_DCSTART, (15, 0), (15, 0), flag::PROCESS, recast::PROCESS_RUNDOWN),
    process(hook::THREAD_START, (3, 1), (3, START), flag::THREAD, recast::THREAD_START),
    process(hook::THREAD_END, (4, 0), (4, STOP), flag::THREAD, recast::THREAD_STOP),
    process(hook::IMAGE_LOAD, (5, 0), (5, 0), flag::IMAGE_LOAD, recast::IMAGE),
    process(hook::IMAGE_UNLOAD, (6, 0), (6, 0), flag::IMAGE_LOAD, recast::IMAGE),
    file(hook::FILE_IO_NAME, (10, 0), flag::DISK_FILE_IO, Actor::None),
    file(hook::FILE_IO_CREATE, (12, 1), flag::FILE_IO_INIT, Actor::Thread(16)),
    file(hook::FILE_IO_CLEANUP, (13, 1), flag::FILE_IO_INIT, Actor::Thread(24)),
    file(hook::FILE_IO_CLOSE, (14, 1), flag::FILE_IO_INIT, Actor::Thread(24)),
    file(hook::FILE_IO_READ, (15, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_WRITE, (16, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_SET_INFO, (17, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_DELETE, (18, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_RENAME, (19, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_DIR_ENUM, (20, 1), flag::FILE_IO_INIT, Actor::Thread(24)),
    file(hook::FILE_IO_FLUSH, (21, 1), flag::FILE_IO_INIT, Actor::Thread(24)),
    file(hook::FILE_IO_QUERY_INFO, (22, 1), flag::FILE_IO_INIT, Actor::Thread(32)),
    file(hook::FILE_IO_OPERATION_END, (24, 0), flag::FILE_IO, Actor::Operation),
    disk(hook::DISK_IO_READ, 10, recast::TRANSFER, 48),
    disk(hook::DISK_IO_WRITE, 11, recast::TRANSFER, 48),
    disk(hook::DISK_IO_FLUSH_BUFFERS, 14, recast::FLUSH, 24),
];

/// The groups of kernel events that a session needs for its providers.
pub(crate) fn flags_of(providers: &[Enable]) -> u32 {
    let is_enabled = |twin: &&Twin| providers.iter().any(|enable| enable.provider == twin.provider);
    TWINS.iter().filter(is_enabled).fold(0, |flags, twin| flags | twin.flags)
}

/// What becomes of the kernel records of a session.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// Events by the hook of their records, without time and ids.
    events: FxHashMap<u16, (&'static Twin, Event)>,
    beginnings: Beginnings,
    /// The process of each thread.
    owners: FxHashMap<u32, u32>,
    payload: Vec<u8>,
    /// The hooks of records that the session does not want.
    hidden: Vec<u16>,
    /// It does not want the builds of images either.
    hides_images: bool,
    bytes: Vec<u8>,
}

impl Twins {
    /// Of a session that wants these groups of kernel events, and these providers.
    pub(crate) fn new(kernel_flags: u32, providers: &[Enable]) -> Twins {
        let mut twins = Twins::default();
        for twin in TWINS {
            let enables = providers.iter().filter(|enable| enable.provider == twin.provider);
            let event = twin.event();
            if enables.clone().any(|enable| takes(enable, &event)) {
                twins.events.insert(twin.hook, (twin, event));
            }
        }
        if flags_of(providers) & !kernel_flags != 0 {
            let wanted = |hook: u16| {
                // Loads of images are logged in the group of processes.
                if hook == hook::IMAGE_LOAD {
                    return kernel_flags & flag::IMAGE_LOAD != 0;
                }
                ROWS.iter().any(|row| row.flags & kernel_flags != 0 && row.hooks().any(|of| of == hook))
            };
            let hooks = ROWS.iter().flat_map(crate::table::Row::hooks).chain([hook::IMAGE_LOAD]);
            twins.hidden = hooks.filter(|hook| !wanted(*hook)).collect();
            twins.hides_images = kernel_flags & flag::IMAGE_LOAD == 0;
        }
        twins
    }

    /// Notes the process of a thread that begins, or is found. One that has ended is kept until its id is used again: what it
    /// did last may come later.
    fn note_owner(&mut self, hook: u16, payload: &[u8]) {
        if let (hook::THREAD_START | hook::THREAD_DCSTART, Some(ids)) = (hook, payload.first_chunk::<8>()) {
            let ids = u64::from_le_bytes(*ids);
            if self.owners.len() > MOST_OWNERS {
                self.owners.clear();
            }
            self.owners.insert((ids >> 32) as u32, ids as u32);
        }
    }

    /// Gives what becomes of a record: the record itself, unless the session does not want it, and the event that it is, too.
    pub(crate) fn each(&mut self, record: &[u8], mut take: impl FnMut(&[u8])) {
        let hook = if self.events.is_empty() && self.hidden.is_empty() { None } else { hook_of(record) };
        let Some(hook) = hook else {
            let hides = self.hides_images && is_build(record);
            if !hides {
                take(record);
            }
            return;
        };
        if !self.hidden.contains(&hook) {
            take(record);
        }
        let Ok(kernel) = tracewell_etl::Record::parse(record, 0) else { return };
        let payload = kernel.payload();
        self.note_owner(hook, payload);
        let Some((twin, event)) = self.events.get(&hook) else { return };
        if hook == hook::PROCESS_START {
            self.beginnings.begins(payload);
        }
        self.payload.clear();
        let made = recast(twin.parts, payload, &mut self.beginnings, &mut self.payload);
        if hook == hook::PROCESS_END {
            self.beginnings.ended(payload);
        }
        if made.is_none() {
            return;
        }
        let number = |at: usize| {
            let bytes = payload.get(at..).and_then(<[u8]>::first_chunk);
            bytes.map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes))
        };
        let owner = |tid: u32| (self.owners.get(&tid).copied().unwrap_or(u32::MAX), tid);
        let (pid, tid) = match twin.actor {
            Actor::First => (number(0), u32::MAX),
            Actor::Record => (kernel.pid().unwrap_or(u32::MAX), kernel.tid().unwrap_or(u32::MAX)),
            Actor::Thread(at) => owner(number(at)),
            Actor::Operation => {
                owner(payload.first_chunk().map_or(u32::MAX, |bytes| thread_of(u64::from_le_bytes(*bytes))))
            }
            Actor::None => (u32::MAX, u32::MAX),
        };
        let event = Event { time: kernel.time(), pid, tid, ..*event };
        self.bytes.clear();
        if event.append(&[], &self.payload, &mut self.bytes) {
            take(&self.bytes);
        }
    }
}

impl Twin {
    /// The event without time and ids. Level and keywords are those of its description.
    fn event(&self) -> Event {
        let described = bundled::provider(&self.provider)
            .and_then(|provider| provider.events.iter().find(|event| event.id == self.id))
            .and_then(|event| event.enabling)
            .unwrap_or_default();
        Event {
            provider: self.provider,
            id: self.id,
            version: self.version,
            opcode: self.opcode,
            task: self.task,
            level: described.level,
            channel: ANALYTIC,
            keyword: described.keyword | ANALYTIC_KEYWORD,
            ..Event::default()
        }
    }
}

/// Returns `true` if a provider is enabled for an event.
fn takes(enable: &Enable, event: &Event) -> bool {
    let by_level = enable.level == 0 || event.level <= enable.level;
    let by_keyword = event.keyword == 0
        || (enable.any == 0 || event.keyword & enable.any != 0) && event.keyword & enable.all == enable.all;
    let by_id = enable.ids.as_ref().is_none_or(|filter| filter.ids.contains(&event.id) == filter.include);
    by_level && by_keyword && by_id
}

/// Returns `true` for the build of an image.
fn is_build(record: &[u8]) -> bool {
    tracewell_etl::Record::parse(record, 0).is_ok_and(|record| record.guid() == IMAGE_ID)
}

/// Group and type of a kernel record; [`None`] for others.
fn hook_of(record: &[u8]) -> Option<u16> {
    let head: &[u8; 8] = record.first_chunk()?;
    let is_kernel = matches!(
        HeaderKind(head[2]),
        HeaderKind::PERFINFO32 | HeaderKind::PERFINFO64 | HeaderKind::SYSTEM32 | HeaderKind::SYSTEM64
    );
    (is_kernel && head[3] & MARKER_TRACE_HEADER != 0).then(|| u16::from_be_bytes([head[7], head[6]]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{PROVIDER, providers};
    use tracewell_etl::write::PerfInfo;
    use tracewell_schema::{FieldType, kernel};
    use tracewell_session::IdFilter;

    /// A record of a kernel event, for process 64.
    fn record(hook: u16) -> Vec<u8> {
        let [group, opcode] = hook.to_be_bytes();
        let mut bytes = Vec::new();
        let header = PerfInfo { time: 1234, group, opcode, version: 2, ..PerfInfo::default() };
        assert!(header.append(&[64, 0, 0, 0, 1, 2, 3, 4], &mut bytes));
        bytes
    }

    /// What becomes of a record: `kernel`, or id, process, keyword and level of the event.
    fn becomes(twins: &mut Twins, record: &[u8]) -> Vec<String> {
        let mut all = Vec::new();
        twins.each(record, |bytes| {
            let read = tracewell_etl::Record::parse(bytes, 0).unwrap();
            assert_eq!((read.time(), read.payload()), (1234, [64, 0, 0, 0, 1, 2, 3, 4].as_slice()));
            all.push(if read.is_event() {
                assert_eq!((read.guid(), read.opcode(), read.channel()), (NETWORK, read.id() as u8, 16));
                format!("{} pid {:?} {:#x} {}", read.id(), read.pid(), read.keyword(), read.level())
            } else {
                "kernel".to_owned()
            });
        });
        all
    }

    #[test]
    fn issue_16_events_of_the_network_have_the_layouts_of_kernel_records() {
        let provider = bundled::provider(&NETWORK).unwrap();
        for twin in TWINS.iter().filter(|twin| twin.provider == NETWORK) {
            let [group, opcode] = twin.hook.to_be_bytes();
            let class = kernel::by_group(group).unwrap();
            let event = class.events.iter().find(|event| event.opcode == opcode).unwrap();
            let layout = event.versions.iter().find(|version| version.number == 2).unwrap();
            let described = provider.events.iter().find(|event| event.id == twin.id).unwrap();
            // Only signs of shifts differ, which are 0.
            let unsigned = |ty: &FieldType| if *ty == FieldType::I16 { FieldType::U16 } else { ty.clone() };
            let shape = |fields: &[tracewell_schema::Field]| -> Vec<_> {
                fields.iter().map(|field| (field.name.clone(), unsigned(&field.ty))).collect()
            };
            assert_eq!(shape(&layout.fields), shape(&described.layout.fields), "{}", twin.id);
            let event = twin.event();
            let is_six =
                layout.fields.iter().any(|field| field.name == "daddr" && field.ty == FieldType::Ipv6);
            let keyword = if is_six { 0x20 } else { 0x10 };
            assert_eq!((event.keyword, event.level), (keyword | 1 << 63, 4), "{}", twin.id);
            assert_eq!(described.task.ends_with("TCPIP"), twin.task == TCP_IP, "{}", twin.id);
        }
    }

    /// Names of the providers' fields whose kernel field has another one.
    const NAMES: &[(&str, &str)] = &[
        ("Irp", "IrpPtr"),
        ("FileKey", "FileObject"),
        ("IORequestPacket", "Irp"),
        ("IssuingThreadId", "TTID"),
        ("ByteOffset", "Offset"),
        ("ExtraInformation", "ExtraInfo"),
        ("Status", "NtStatus"),
        ("CreateAttributes", "FileAttributes"),
        ("FileName", "OpenPath"),
        ("ThreadID", "TThreadId"),
        ("ParentProcessID", "ParentId"),
        ("ExitCode", "ExitStatus"),
        ("ImageName", "FileName"),
        ("ImageName", "ImageFileName"),
    ];

    /// Bytes of a field that begins a payload; texts end with a NUL.
    fn size(ty: &FieldType, payload: &[u8]) -> usize {
        match ty {
            FieldType::U8 | FieldType::I8 => 1,
            FieldType::U16 | FieldType::I16 => 2,
            FieldType::U32 | FieldType::I32 => 4,
            FieldType::U64 | FieldType::I64 | FieldType::Pointer | FieldType::FileTime => 8,
            FieldType::TokenUser => 32,
            FieldType::Ansi(_) => payload.split_inclusive(|byte| *byte == 0).next().map_or(0, <[u8]>::len),
            FieldType::Utf16(_) => {
                2 * (payload.chunks_exact(2).take_while(|unit| *unit != [0, 0]).count() + 1)
            }
            other => panic!("{other:?}"),
        }
    }

    /// The name of each field of a payload, with its bytes.
    fn values<'p>(fields: &[tracewell_schema::Field], payload: &'p [u8]) -> Vec<(String, &'p [u8])> {
        let mut at = 0;
        let each = fields.iter().map_while(|field| {
            let start = at;
            at += size(&field.ty, payload.get(at..)?);
            Some((field.name.to_ascii_lowercase(), payload.get(start..at)?))
        });
        each.collect()
    }

    #[test]
    fn issue_16_events_of_providers_have_the_fields_of_kernel_records() {
        for twin in TWINS.iter().filter(|twin| twin.provider != NETWORK) {
            let [group, opcode] = twin.hook.to_be_bytes();
            let class = match twin.provider {
                PROCESS if twin.id == 5 => kernel::class("Image").unwrap(),
                _ => kernel::by_group(group).unwrap(),
            };
            let event = class.events.iter().rfind(|event| event.opcode == opcode).unwrap();
            let number = if [FILE, DISK].contains(&twin.provider) || class.name == "Image" { 3 } else { 4 };
            let layout = event.versions.iter().rev().find(|version| version.number <= number).unwrap();
            // Each byte of the record is another one, except those of texts.
            let mut payload = Vec::new();
            for field in layout.fields.iter() {
                match field.ty {
                    // Linux has no packages.
                    FieldType::Utf16(_) if field.name == "PackageFullName" => payload.extend(b"\0\0"),
                    FieldType::Ansi(_) => payload.extend(b"abc\0"),
                    FieldType::Utf16(_) => payload.extend(b"a\0b\0c\0\0\0"),
                    ref ty => (0..size(ty, &[])).for_each(|_| payload.push(payload.len() as u8 + 1)),
                }
            }
            let mut made = Vec::new();
            recast(twin.parts, &payload, &mut Beginnings::default(), &mut made).unwrap();
            assert_eq!(
                recast(twin.parts, &[1, 2, 3], &mut Beginnings::default(), &mut Vec::new()),
                match twin.parts {
                    recast::SAME => Some(()),
                    _ => None,
                }
            );
            let provider = bundled::provider(&twin.provider).unwrap();
            let described = provider.events.iter();
            let described: Vec<_> = described
                .filter(|event| event.id == twin.id && event.layout.number == twin.version)
                .collect();
            let [described] = described.as_slice() else { panic!("{} {}", provider.name, twin.id) };
            let kernel = values(&layout.fields, &payload);
            let fields = values(&described.layout.fields, &made);
            assert_eq!(
                fields.len(),
                described.layout.fields.len(),
                "{} {}: {made:?}",
                provider.name,
                twin.id
            );
            let all: usize = fields.iter().map(|(_, bytes)| bytes.len()).sum();
            assert_eq!(all, made.len(), "{} {}", provider.name, twin.id);
            let mut same = 0;
            for ((name, bytes), field) in fields.iter().zip(described.layout.fields.iter()) {
                let by_other_name = |(of_kernel, _): &&(String, &[u8])| {
                    let is_other = |(ours, theirs): &(&str, &str)| {
                        ours.eq_ignore_ascii_case(name) && theirs.eq_ignore_ascii_case(of_kernel)
                    };
                    NAMES.iter().any(is_other)
                };
                let known = kernel.iter().find(|(of_kernel, _)| of_kernel == name);
                let known = known.or_else(|| kernel.iter().find(by_other_name));
                let what = format!("{} {} {name}", provider.name, twin.id);
                match known {
                    Some((_, value)) if bytes.len() == value.len() => assert_eq!(bytes, value, "{what}"),
                    Some(_) => assert_eq!(*bytes, b"a\0b\0c\0\0\0", "{what}"),
                    None if name == "exittime" => assert!(bytes.iter().any(|byte| *byte != 0), "{what}"),
                    None => {
                        assert!(bytes.iter().all(|byte| *byte == 0), "{what}: {bytes:?} {:?}", field.ty);
                        continue;
                    }
                }
                same += 1;
            }
            assert!(same >= 2, "{} {}", provider.name, twin.id);
        }
    }

    #[test]
    fn issue_16_a_session_gets_what_it_wants_of_kernel_records() {
        let (send, receive_six) = (record(hook::TCP_IP_SEND_IPV4), record(hook::UDP_IP_RECV_IPV6));
        let start = record(u16::from_be_bytes([3, 1]));
        let all = Enable::all_of(NETWORK);
        let (first, last) = ("10 pid Some(64) 0x8000000000000010 4", "59 pid Some(64) 0x8000000000000020 4");
        let none: &[&str] = &[];
        let enabled = |kernel_flags: u32, enables: &[Enable]| {
            let mut twins = Twins::new(kernel_flags, enables);
            [&send, &receive_six, &start].map(|record| becomes(&mut twins, record))
        };
        let both = flag::NETWORK_TCPIP | flag::PROCESS;
        assert_eq!(enabled(both, &[]), [["kernel"], ["kernel"], ["kernel"]]);
        assert_eq!(enabled(0, std::slice::from_ref(&all)), [&[first][..], &[last], none]);
        let beside = [&["kernel", first][..], &["kernel", last], &["kernel"]];
        assert_eq!(enabled(both, std::slice::from_ref(&all)), beside);
        assert_eq!(enabled(flag::PROCESS, std::slice::from_ref(&all)), [&[first][..], &[last], &["kernel"]]);
        let part = |change: fn(&mut Enable)| {
            let mut enable = all.clone();
            change(&mut enable);
            enabled(0, &[enable])
        };
        let only_first = [&[first][..], none, none];
        assert_eq!(part(|enable| enable.any = 0x10), only_first);
        assert_eq!(part(|enable| enable.all = 0x10), only_first);
        assert_eq!(part(|enable| (enable.any, enable.all) = (0x30, 0x10)), only_first);
        assert_eq!(part(|enable| enable.ids = Some(IdFilter { ids: vec![10], include: true })), only_first);
        assert_eq!(part(|enable| enable.ids = Some(IdFilter { ids: vec![59], include: false })), only_first);
        assert_eq!(part(|enable| enable.level = 3), [none; 3]);
        assert_eq!(part(|enable| enable.level = 4), [&[first][..], &[last], none]);
        // The tracepoints need no group, and hide nothing.
        assert_eq!(flags_of(&[Enable::all_of(PROVIDER)]), 0);
        assert_eq!(flags_of(&[all]), flag::NETWORK_TCPIP);
        assert!(TWINS.iter().all(|twin| providers().contains(&twin.provider)));
    }
}
