//! Random histories of a machine, their records, and the answers that follow from them.
//!
//! A history is a list of lives for each id. Some of their events are lost, so that the answers also
//! cover what the tables infer.

use std::collections::BTreeMap;
use std::io::Cursor;

use tracewell_etl::def::event::EventFlags;
use tracewell_etl::write::{Event, Full, PerfInfo, PointerSize, System, TraceConfig, TraceWriter};
use tracewell_state::{FOREVER, ONCE};
use tracewell_types::{FileTime, Guid};

/// Random numbers, as histories need them.
pub(crate) struct Random(tracewell_corpus::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(tracewell_corpus::Random(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.below(count as u64) as usize
    }

    pub(crate) fn time(&mut self, most: i64) -> i64 {
        1 + self.below(most as usize) as i64
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// One use of an id. All times are those of events in the trace.
#[derive(Clone, Debug)]
pub(crate) struct Life<T> {
    pub(crate) begin: Option<i64>,
    pub(crate) alive: Vec<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) value: T,
    /// The span that follows from these events and from those of the neighbours.
    pub(crate) span: (i64, i64),
}

impl<T> Life<T> {
    pub(crate) fn first(&self) -> i64 {
        self.begin.or(self.alive.first().copied()).or(self.end).unwrap()
    }

    pub(crate) fn last(&self) -> i64 {
        self.end.or(self.alive.last().copied()).or(self.begin).unwrap()
    }

    pub(crate) fn holds(&self, time: i64) -> bool {
        self.span.0 <= time && time <= self.span.1
    }
}

/// Makes the lives of one id, one after the other. `same` returns `true` for values that look alike, so that
/// only a begin event distinguishes them.
pub(crate) fn lives<T>(
    random: &mut Random,
    mut value: impl FnMut(&mut Random) -> T,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<Life<T>> {
    let mut made: Vec<Life<T>> = Vec::new();
    let mut time = random.time(40);
    for _ in 0..=random.below(4) {
        let value = value(random);
        let alike = made.last().is_some_and(|before| same(&before.value, &value));
        let begin = (alike || !random.one_in(3)).then(|| {
            // A successor may begin in the very moment of an end.
            let at_once = random.one_in(8) && made.last().is_some_and(|before| before.end == Some(time));
            time += if at_once { 0 } else { random.time(40) };
            time
        });
        let alive: Vec<i64> = (0..random.below(3))
            .map(|_| {
                time += random.time(40);
                time
            })
            .collect();
        let seen = begin.is_some() || !alive.is_empty();
        let end = (!seen || !random.one_in(3)).then(|| {
            time += random.time(40);
            time
        });
        made.push(Life { begin, alive, end, value, span: (0, 0) });
    }
    for at in 0..made.len() {
        let start = match (made[at].begin, at) {
            (Some(begin), _) => begin,
            (None, 0) => FOREVER,
            (None, _) => made[at - 1].span.1 + 1,
        };
        let until_next = made.get(at + 1).map_or(ONCE, |next| next.first() - 1);
        made[at].span = (start, made[at].end.unwrap_or(until_next));
    }
    made
}

/// The lives of all ids.
pub(crate) type History<K, T> = BTreeMap<K, Vec<Life<T>>>;

/// The last life of an id that began by a time.
pub(crate) fn at<T>(lives: &[Life<T>], time: i64) -> Option<&Life<T>> {
    lives.iter().rev().find(|life| life.span.0 <= time)
}

/// The events of a life: opcode by begin, alive (two spellings) and end, and time.
pub(crate) fn events<T>(
    life: &Life<T>,
    random: &mut Random,
    begin: u8,
    alive: [u8; 2],
    end: u8,
) -> Vec<(u8, i64)> {
    let mut out: Vec<(u8, i64)> = life.begin.map(|time| (begin, time)).into_iter().collect();
    out.extend(life.alive.iter().map(|time| (*random.pick(&alive), *time)));
    out.extend(life.end.map(|time| (end, time)));
    out
}

/// The fields of a payload, one after the other.
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    wide: bool,
}

impl Payload {
    pub(crate) fn u8(mut self, value: u8) -> Payload {
        self.bytes.push(value);
        self
    }

    pub(crate) fn u32(mut self, value: u32) -> Payload {
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn u64(mut self, value: u64) -> Payload {
        self.bytes.extend(value.to_le_bytes());
        self
    }

    pub(crate) fn pointer(mut self, value: u64) -> Payload {
        let size = if self.wide { 8 } else { 4 };
        self.bytes.extend(value.to_le_bytes().into_iter().take(size));
        self
    }

    pub(crate) fn ansi(mut self, text: &str) -> Payload {
        self.bytes.extend(text.bytes().chain([0]));
        self
    }

    pub(crate) fn utf16(mut self, text: &str) -> Payload {
        self.bytes.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        self
    }

    pub(crate) fn guid(mut self, guid: Guid) -> Payload {
        self.bytes.extend(guid.as_bytes());
        self
    }

    /// A payload of finished bytes.
    pub(crate) fn of(log: &Log, bytes: Vec<u8>) -> Payload {
        Payload { bytes, wide: log.wide }
    }

    /// A `TOKEN_USER` with a SID of the NT authority, or the number 0 for none.
    pub(crate) fn user(self, parts: &[u32]) -> Payload {
        if parts.is_empty() {
            return self.u32(0);
        }
        let mut out = self.pointer(0x1122).pointer(0).u8(1).u8(parts.len() as u8);
        out.bytes.extend([0, 0, 0, 0, 0, 5]);
        parts.iter().fold(out, |out, part| out.u32(*part))
    }
}

/// A record before it is written.
pub(crate) struct Made {
    pub(crate) cpu: u16,
    pub(crate) time: i64,
    pub(crate) head: Head,
    pub(crate) payload: Vec<u8>,
}

impl Made {
    pub(crate) fn head_is_switch(&self) -> bool {
        matches!(self.head, Head::Short { group: 5, opcode: 36, .. })
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Head {
    Short { group: u8, opcode: u8, version: u8 },
    System { group: u8, opcode: u8, version: u16, pid: u32, tid: u32 },
    Class { guid: Guid, opcode: u8, version: u16 },
    Event { provider: Guid, id: u16, version: u8, pid: u32, tid: u32 },
}

/// Collects records of one pointer size.
pub(crate) struct Log {
    pub(crate) wide: bool,
    pub(crate) records: Vec<Made>,
}

impl Log {
    pub(crate) fn payload(&self) -> Payload {
        Payload { bytes: Vec::new(), wide: self.wide }
    }

    /// An address of this pointer size.
    pub(crate) fn address(&self, value: u64) -> u64 {
        if self.wide { value } else { value & 0xFFFF_FFFF }
    }

    pub(crate) fn add(&mut self, time: i64, head: Head, payload: Payload) {
        self.on(0, time, head, payload);
    }

    pub(crate) fn on(&mut self, cpu: u16, time: i64, head: Head, payload: Payload) {
        self.records.push(Made { cpu, time, head, payload: payload.bytes });
    }

    /// Puts the records into an order that only keeps those of one processor and time.
    pub(crate) fn shuffle(&mut self, random: &mut Random) {
        for at in (1..self.records.len()).rev() {
            let with = random.below(at + 1);
            self.records.swap(at, with);
        }
    }

    /// The bytes of a trace with these records, in this order.
    pub(crate) fn write(&self) -> Vec<u8> {
        let pointer_size = if self.wide { PointerSize::P64 } else { PointerSize::P32 };
        let config = TraceConfig { pointer_size, processors: 4, ..TraceConfig::default() };
        let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
        for Made { cpu, time, head, payload } in &self.records {
            let (cpu, time) = (*cpu, *time);
            match *head {
                Head::Short { group, opcode, version } => {
                    let head = PerfInfo { time, group, opcode, version, pointer_size, ..PerfInfo::default() };
                    writer.perfinfo(cpu, &head, payload)
                }
                Head::System { group, opcode, version, pid, tid } => {
                    let head =
                        System { time, group, opcode, version, pid, tid, pointer_size, ..System::default() };
                    writer.system(cpu, &head, payload)
                }
                Head::Class { guid, opcode, version } => {
                    let nobody = (u32::MAX, u32::MAX);
                    let (pid, tid) = nobody;
                    let head =
                        Full { time, guid, opcode, version, pid, tid, pointer_size, ..Full::default() };
                    writer.full(cpu, &head, payload)
                }
                Head::Event { provider, id, version, pid, tid } => {
                    let flags = if self.wide { EventFlags::HEADER_64_BIT } else { EventFlags::HEADER_32_BIT };
                    let head = Event {
                        time,
                        provider,
                        id,
                        version,
                        pid,
                        tid,
                        flags,
                        pointer_size,
                        ..Event::default()
                    };
                    writer.event(cpu, &head, &[], payload)
                }
            }
            .unwrap();
        }
        writer.finish(FileTime::UNIX_EPOCH).unwrap().into_inner()
    }
}
