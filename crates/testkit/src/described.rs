//! Traces written from descriptions of their records, for events that no available trace contains.
//!
//! A payload is a list of words, as the documentation of an event lists its fields:
//!
//! | word | what it writes |
//! |---|---|
//! | `u8 N` `u16 N` `u32 N` `u64 N` | a number, decimal or with `0x`; `i8` and so on with a sign |
//! | `ptr N` | a number as wide as a pointer |
//! | `port N` | a port, in network order |
//! | `w TEXT` `a TEXT` | UTF-16 and 8-bit text with its NUL; `_` is a blank, `""` an empty text |
//! | `wN TEXT` `aN TEXT` | text in a field of N units |
//! | `ip A.B.C.D` `ip A:B::C` | an address |
//! | `nosid` `sid` | the token-user block of a process event, without and with an identifier |
//! | `guid G` | a GUID |
//! | `zero N` | so many zero bytes |
//!
//! Every trace begins with a small machine to which records can refer; see [`trace`].

use std::io::Cursor;

use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::{EventFlags, ExtendedKind};
use tracewell_etl::write::{
    Event, Full, Message, PerfInfo, PointerSize, TraceConfig, TraceWriter, WriteError,
};
use tracewell_schema::{kernel, providers};
use tracewell_types::{FileTime, Guid};

/// The type of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A kernel record without a thread in its header (PERFINFO), by group and opcode.
    Kernel(u8, u8),
    /// An event of a class, with its GUID (FULL).
    Class(Guid, u8),
    /// An event of a provider by id, with a keyword and a level.
    Event(Guid, u16, u64, u8),
    /// A trace message (WPP) by its GUID and number.
    Message(Guid, u16),
}

/// A record to write.
#[derive(Clone, Debug)]
pub struct Described {
    /// The type.
    pub kind: Kind,
    /// Version of its layout.
    pub version: u8,
    /// Its payload as words.
    pub payload: String,
    /// Hardware counters that it carries.
    pub counters: Vec<u64>,
    /// Match id and addresses of a stack that it carries (events of providers only).
    pub stack: Option<(u64, Vec<u64>)>,
    /// The process and thread that log it (a kernel record without a thread in its header has none).
    pub actor: (u32, u32),
    /// The processor it is logged on: 0 or 1.
    pub cpu: u8,
    /// The time since the previous record, in [`STEP`]s' unit of 100 ns.
    pub after: i64,
}

impl Described {
    /// A record of the kernel by its class's name; of a class without a group, by its GUID.
    #[must_use]
    pub fn kernel(class: &str, opcode: u8, version: u8, payload: &str) -> Option<Described> {
        let class = kernel::class(class)?;
        let kind = match class.group {
            Some(group) => Kind::Kernel(group, opcode),
            None => Kind::Class(class.guid, opcode),
        };
        Some(Described::new(kind, version, payload))
    }

    /// A record without counters or stack.
    #[must_use]
    pub fn new(kind: Kind, version: u8, payload: &str) -> Described {
        Described {
            kind,
            version,
            payload: payload.to_owned(),
            counters: Vec::new(),
            stack: None,
            actor: (100, if matches!(kind, Kind::Event(..)) { 44 } else { 40 }),
            cpu: 0,
            after: STEP,
        }
    }

    /// A record from a line of text: `CLASS TYPE VERSION [WORD VALUE]... | PAYLOAD`, where CLASS is one of the kernel's
    /// or the name of a provider, and TYPE the event type or id. The words are `after` (microseconds since the record
    /// before), `cpu`, `by` (`PID/TID`), `keyword`, `level`, and `counters` (`N,N`).
    ///
    /// # Errors
    /// What cannot be read.
    pub fn parse(line: &str) -> Result<Described, String> {
        let bad = |what: &str| format!("{what} cannot be read in `{line}`");
        let (head, payload) = line.split_once('|').ok_or_else(|| bad("no payload: it"))?;
        let mut words = head.split_whitespace();
        let mut next = |what: &str| words.next().ok_or_else(|| bad(what));
        let (class, number, version) = (next("the class")?, next("the type")?, next("the version")?);
        let number: u16 = number.parse().map_err(|_| bad("the type"))?;
        let version = version.parse().map_err(|_| bad("the version"))?;
        let mut record = match providers::guid(class) {
            Some(guid) => Described::new(Kind::Event(guid, number, 1 << 63, 4), version, payload),
            None => u8::try_from(number)
                .ok()
                .and_then(|opcode| Described::kernel(class, opcode, version, payload))
                .ok_or_else(|| bad("the class"))?,
        };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| bad(word))?;
            let number = || match value.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).map_err(|_| bad(word)),
                None => value.parse::<u64>().map_err(|_| bad(word)),
            };
            match (word, &mut record.kind) {
                ("after", _) => record.after = (number()? * 10) as i64,
                ("cpu", _) => record.cpu = number()? as u8,
                ("by", _) => {
                    let (pid, tid) = value.split_once('/').ok_or_else(|| bad(word))?;
                    let read = |text: &str| text.parse().map_err(|_| bad(word));
                    record.actor = (read(pid)?, read(tid)?);
                }
                ("keyword", Kind::Event(_, _, keyword, _)) => *keyword = number()?,
                ("level", Kind::Event(.., level)) => *level = number()? as u8,
                ("counters", _) => {
                    let each = value.split(',').map(|text| text.parse().map_err(|_| bad(word)));
                    record.counters = each.collect::<Result<_, _>>()?;
                }
                _ => return Err(bad(word)),
            }
        }
        Ok(record)
    }
}

/// The bytes of a payload.
///
/// # Errors
/// The word that cannot be read.
pub fn payload(words: &str, pointer: PointerSize) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        if word == "nosid" {
            out.extend([0; 4]);
            continue;
        }
        if word == "sid" {
            // S-1-5-18 behind a token-user structure of two pointers.
            out.extend(vec![0xEE; 2 * usize::from(pointer.bytes())]);
            out.extend([1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]);
            continue;
        }
        let value = words.next().ok_or_else(|| format!("`{word}` has no value"))?;
        let bad = || format!("`{word} {value}` cannot be read");
        let text = if value == "\"\"" { String::new() } else { value.replace('_', " ") };
        let units = |letter: char| word.strip_prefix(letter)?.parse::<usize>().ok();
        if let Some(units) = units('w') {
            let end = out.len() + 2 * units;
            out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            out.resize(end, 0);
            continue;
        }
        if let Some(units) = units('a') {
            let end = out.len() + units;
            out.extend(text.bytes());
            out.resize(end, 0);
            continue;
        }
        match word {
            "w" => out.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes)),
            "a" => out.extend(text.bytes().chain([0])),
            "ip" => match value.parse().map_err(|_| bad())? {
                std::net::IpAddr::V4(ip) => out.extend(ip.octets()),
                std::net::IpAddr::V6(ip) => out.extend(ip.octets()),
            },
            "guid" => out.extend(Guid::try_parse(value.as_bytes()).ok_or_else(bad)?.as_bytes()),
            "port" => out.extend(value.parse::<u16>().map_err(|_| bad())?.to_be_bytes()),
            "zero" => out.extend(vec![0; value.parse::<u16>().map_err(|_| bad())?.into()]),
            _ => {
                let size = match word {
                    "ptr" => usize::from(pointer.bytes()),
                    "u8" | "i8" => 1,
                    "u16" | "i16" => 2,
                    "u32" | "i32" => 4,
                    "u64" | "i64" => 8,
                    _ => return Err(format!("`{word}` is no type")),
                };
                let number = match (value.strip_prefix("0x"), value.strip_prefix('-')) {
                    (Some(digits), _) => u64::from_str_radix(digits, 16).map_err(|_| bad())?,
                    (_, Some(digits)) => digits.parse::<u64>().map_err(|_| bad())?.wrapping_neg(),
                    _ => value.parse().map_err(|_| bad())?,
                };
                out.extend(number.to_le_bytes().get(..size).unwrap_or_default());
            }
        }
    }
    Ok(out)
}

/// Raw time of the machine's records; described records follow, ten milliseconds apart.
pub const START: i64 = 1_000_000_000;
/// Raw time between described records.
pub const STEP: i64 = 100_000;

/// A trace of these records, logged by a machine with pointers of this size.
///
/// The machine: process 100 `App.exe` with threads 40 and 44, process 200 `svc.exe` with thread 50; thread 40 runs on
/// processor 0 from the start. Volume `\Device\HarddiskVolume2` is `C:`; the file with object and key 0xaa00 is
/// `\Device\HarddiskVolume2\dir\file.txt` on it; the registry key with control block 0xcc00 is
/// `\REGISTRY\MACHINE\SOFTWARE\Contoso`.
///
/// # Errors
/// A payload that cannot be read, or a record that does not fit the format.
pub fn trace(pointer: PointerSize, records: &[Described]) -> Result<Vec<u8>, String> {
    let config = TraceConfig {
        session_name: "Described".to_owned(),
        file_name: "described.etl".to_owned(),
        raw_start: START,
        start_time: FileTime(132_257_925_005_000_000),
        boot_time: FileTime(132_257_925_005_000_000 - START),
        processors: 2,
        pointer_size: pointer,
        ..TraceConfig::default()
    };
    let failed = |error: WriteError| error.to_string();
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).map_err(failed)?;
    let process = |pid: u32, image: &str| {
        let text = format!("ptr 0xff00 u32 {pid} u32 4 u32 1 i32 0 ptr 0 nosid a {image} w {image}_-x");
        (Described::kernel("Process", 3, 3, &text), START)
    };
    let thread = |pid: u32, tid: u32| {
        let stacks = "ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0 ptr 0";
        let text = format!("u32 {pid} u32 {tid} {stacks} u32 0 u8 8 u8 5 u8 2 u8 0");
        (Described::kernel("Thread", 3, 3, &text), START)
    };
    let volume = "w \\Device\\HarddiskVolume2\\ w C:\\";
    let file = "ptr 0xaa00 w \\Device\\HarddiskVolume2\\dir\\file.txt";
    let key = "i64 0 u32 0 u32 0 ptr 0xcc00 w \\REGISTRY\\MACHINE\\SOFTWARE\\Contoso";
    let switch = "u32 40 u32 0 i8 8 i8 0 u8 0 i8 0 i8 0 i8 0 i8 2 i8 0 u32 3 u32 0";
    let machine = [
        process(100, "App.exe"),
        process(200, "svc.exe"),
        thread(100, 40),
        thread(100, 44),
        thread(200, 50),
        (Described::kernel("SystemConfigEx", 35, 0, volume), START),
        (Described::kernel("FileIo", 36, 2, file), START),
        (Described::kernel("Registry", 24, 2, key), START),
        (Described::kernel("Thread", 36, 2, switch), START + 1),
    ];
    for (record, time) in machine {
        append(&mut writer, pointer, time, &record.ok_or("a class of the machine has no table")?)?;
    }
    let mut time = START;
    for record in records {
        time += record.after;
        append(&mut writer, pointer, time, record)?;
    }
    time += STEP;
    let end = FileTime(132_257_925_005_000_000 + time - START);
    Ok(writer.finish(end).map_err(failed)?.into_inner())
}

fn append(
    writer: &mut TraceWriter<Cursor<Vec<u8>>>,
    pointer: PointerSize,
    time: i64,
    record: &Described,
) -> Result<(), String> {
    let payload = payload(&record.payload, pointer)?;
    let version = record.version;
    match record.kind {
        Kind::Kernel(group, opcode) => {
            let counters = &record.counters;
            let header = PerfInfo {
                time,
                group,
                opcode,
                version,
                counters,
                pointer_size: pointer,
                ..PerfInfo::default()
            };
            writer.perfinfo(record.cpu.into(), &header, &payload)
        }
        Kind::Class(guid, opcode) => {
            let version = u16::from(version);
            let (pid, tid) = record.actor;
            let header =
                Full { time, guid, opcode, version, pid, tid, pointer_size: pointer, ..Full::default() };
            writer.full(record.cpu.into(), &header, &payload)
        }
        Kind::Event(provider, id, keyword, level) => {
            let flags = match pointer {
                PointerSize::P32 => EventFlags::HEADER_32_BIT,
                PointerSize::P64 => EventFlags::HEADER_64_BIT,
            };
            let header = Event {
                time,
                provider,
                id,
                version,
                keyword,
                level,
                flags,
                pid: record.actor.0,
                tid: record.actor.1,
                pointer_size: pointer,
                ..Event::default()
            };
            let mut items: Vec<(ExtendedKind, Vec<u8>)> = Vec::new();
            if !record.counters.is_empty() {
                let bytes = record.counters.iter().flat_map(|value| value.to_le_bytes()).collect();
                items.push((ExtendedKind::PMC_COUNTERS, bytes));
            }
            if let Some((id, frames)) = &record.stack {
                let bytes = std::iter::once(id).chain(frames).flat_map(|word| word.to_le_bytes()).collect();
                items.push((ExtendedKind::STACK_TRACE64, bytes));
            }
            let items: Vec<ExtendedItem<'_>> =
                items.iter().map(|(kind, data)| ExtendedItem { kind: *kind, data }).collect();
            writer.event(record.cpu.into(), &header, &items, &payload)
        }
        Kind::Message(guid, number) => {
            let (pid, tid) = record.actor;
            let header = Message {
                number,
                guid: Some(guid),
                time: Some(time),
                ids: Some((tid, pid)),
                pointer_size: pointer,
                ..Message::default()
            };
            writer.message(record.cpu.into(), &header, &payload)
        }
    }
    .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_records() {
        let line =
            "Microsoft-Windows-DNS-Client 3006 0 after 5 cpu 1 by 200/50 keyword 0x10 counters 7,8 | w x";
        let record = Described::parse(line).unwrap();
        assert!(matches!(record.kind, Kind::Event(_, 3006, 0x10, 4)));
        assert_eq!((record.after, record.cpu, record.actor, record.counters), (50, 1, (200, 50), vec![7, 8]));
        assert_eq!(Described::parse("Thread 36 2 | u32 1").unwrap().after, STEP);
        for bad in [
            "Thread 36 2 u32 1",
            "Thread 300 2 | ",
            "Nothing 1 1 |",
            "Thread 36 2 level 3 |",
            "Thread 1 1 by 3 |",
        ] {
            assert!(Described::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_are_bytes() {
        let bytes =
            payload("u8 0x7f i16 -1 ptr 5 port 80 a x_y w2 z nosid zero 1", PointerSize::P32).unwrap();
        let want = [0x7f, 0xff, 0xff, 5, 0, 0, 0, 0, 80, b'x', b' ', b'y', 0, b'z', 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes, want);
        assert_eq!(payload("ip 1.2.3.4", PointerSize::P64).unwrap(), [1, 2, 3, 4]);
        assert!(payload("u8", PointerSize::P64).is_err());
        assert!(payload("u7 1", PointerSize::P64).is_err());
    }
}
