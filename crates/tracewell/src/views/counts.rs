//! The events of a trace by provider and id.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tracewell_decode::{Decoder, KERNEL_PROVIDER, Schemas};
use tracewell_etl::{HeaderKind, Identity, Record, Trace};
use tracewell_types::Guid;

use crate::account::Account;
use crate::progress::is_due;

/// An event type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// Kernel records with short headers: group and event type.
    Kernel(u8, u8),
    /// Classic records: class and event type.
    Class(Guid, u8),
    /// Provider events: provider and id; TraceLogging events have no id but a name, and an opcode besides.
    Provider(Guid, u16, String, u8),
    /// Messages: their class, when they have one, and number.
    Message(Guid, u16),
    /// Records that do not describe themselves.
    Other(u8),
}

/// How much there is of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub events: u64,
    /// Bytes of their records.
    pub bytes: u64,
}

/// The counts by event type. Counting does not build a key: numbers are compared, and texts only if there are any.
#[derive(Default)]
struct Tallies {
    rows: Vec<(Key, Tally)>,
    /// One more than the row of each kernel event by its hook, 0 for none yet. Most records of most traces are kernel events.
    kernel: Vec<u32>,
    /// The rows of other kinds without a name, by their numbers.
    plain: FxHashMap<Numbers, usize>,
    /// The counts of types with a name.
    named: FxHashMap<Numbers, FxHashMap<String, usize>>,
}

/// Which sort of key, its GUID, and its numbers.
type Numbers = (u8, u128, u32);

impl Tallies {
    /// The row of a record's kind, and whether it is the first of this kind.
    #[inline]
    fn row(&mut self, record: &Record<'_>) -> (usize, bool) {
        match record.hook() {
            Some(hook) => match self.kernel.get(usize::from(hook)) {
                Some(&after) if after > 0 => (after as usize - 1, false),
                _ => (self.add_kernel(hook), true),
            },
            None => self.row_of_other(record),
        }
    }

    #[cold]
    fn add_kernel(&mut self, hook: u16) -> usize {
        self.kernel.resize(1 << u16::BITS, 0);
        let at = self.add(Key::Kernel((hook >> 8) as u8, hook as u8));
        self.kernel[usize::from(hook)] = self.rows.len() as u32;
        at
    }

    fn add(&mut self, key: Key) -> usize {
        self.rows.push((key, Tally::default()));
        self.rows.len() - 1
    }

    fn row_of_other(&mut self, record: &Record<'_>) -> (usize, bool) {
        let bits = |guid: Guid| u128::from_le_bytes(*guid.as_bytes());
        let identity = record.identity();
        let mut name = None;
        let numbers = match identity {
            Identity::Kernel { group, opcode } => (0, 0, u32::from(group) << 8 | u32::from(opcode)),
            Identity::Class { guid, opcode } => (1, bits(guid), opcode.into()),
            Identity::Provider { guid, id, opcode } => {
                name = crate::selfdescribed::name(record);
                (2, bits(guid), u32::from(id) << 8 | u32::from(name.map_or(0, |_| opcode)))
            }
            Identity::Message { guid, number } => (3, bits(guid), number.into()),
            Identity::Other(kind) => (4, 0, kind.into()),
        };
        let known = match name {
            None => self.plain.get(&numbers),
            Some(name) => self.named.get(&numbers).and_then(|names| names.get(name)),
        };
        if let Some(at) = known {
            return (*at, false);
        }
        let at = self.add(match identity {
            Identity::Kernel { group, opcode } => Key::Kernel(group, opcode),
            Identity::Class { guid, opcode } => Key::Class(guid, opcode),
            Identity::Provider { guid, id, opcode } => {
                Key::Provider(guid, id, name.unwrap_or_default().to_owned(), name.map_or(0, |_| opcode))
            }
            Identity::Message { guid, number } => Key::Message(guid, number),
            Identity::Other(kind) => Key::Other(kind),
        });
        match name {
            None => self.plain.insert(numbers, at),
            Some(name) => self.named.entry(numbers).or_default().insert(name.to_owned(), at),
        };
        (at, true)
    }
}

/// An event type with its names and counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The type.
    pub key: Key,
    /// Its names.
    pub called: Called,
    /// How much there is of it.
    pub tally: Tally,
}

/// The events of a trace by type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// Records.
    pub records: u64,
    /// Records by the type of their header.
    pub by_header: BTreeMap<&'static str, u64>,
    /// Records that are not in the part of the time that was asked for, and are not counted otherwise.
    pub outside: u64,
    /// The types, the most frequent first.
    pub rows: Vec<Row>,
    /// What is missing from the trace.
    pub account: Account,
}

impl Counts {
    /// Counts the events of a trace, which `schemas` describe beside the trace itself. Calls `progress` occasionally with the
    /// number of bytes read.
    #[must_use]
    pub fn of(trace: &Trace<'_>, schemas: Schemas, progress: impl FnMut(u64)) -> Counts {
        Self::count::<false>(trace, schemas, (i64::MIN, i64::MAX), progress)
    }

    /// The same for a part of the time, from the first raw time to before the second. What is missing is counted in all of the
    /// trace, and its descriptions may be anywhere.
    #[must_use]
    pub fn within(
        trace: &Trace<'_>,
        schemas: Schemas,
        part: (i64, i64),
        progress: impl FnMut(u64),
    ) -> Counts {
        Self::count::<true>(trace, schemas, part, progress)
    }

    fn count<const PART: bool>(
        trace: &Trace<'_>,
        schemas: Schemas,
        (from, until): (i64, i64),
        mut progress: impl FnMut(u64),
    ) -> Counts {
        let mut account = Account::new(trace);
        let mut tallies = Tallies::default();
        let mut names = Names { schemas, ..Names::default() };
        let mut headers = [0_u64; 1 << u8::BITS];
        let (mut records, mut outside) = (0u64, 0u64);
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            records += 1;
            account.observe(&record);
            if PART && !(from..until).contains(&record.time()) {
                names.schemas.observe(&record);
                outside += 1;
                continue;
            }
            if let Some(count) = headers.get_mut(usize::from(record.kind().0)) {
                *count += 1;
            }
            let (row, is_first) = tallies.row(&record);
            let (key, tally) = &mut tallies.rows[row];
            names.schemas.observe(&record);
            if is_first {
                names.hold(key, &record);
            }
            tally.events += 1;
            tally.bytes += record.bytes().len() as u64;
            if is_due(records) {
                progress(cursor.bytes_done());
            }
        }
        let mut by_header: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (kind, count) in (0..=u8::MAX).zip(headers).filter(|(_, count)| *count > 0) {
            *by_header.entry(HeaderKind(kind).name().unwrap_or("UNKNOWN")).or_default() += count;
        }
        let mut rows = tallies.rows;
        rows.sort_by(|a, b| b.1.events.cmp(&a.1.events).then_with(|| a.0.cmp(&b.0)));
        account.read(trace, cursor.ledger());
        names.settle();
        let row = |(key, tally): (Key, Tally)| Row { called: names.of(&key), key, tally };
        Counts {
            records: records - outside,
            outside,
            by_header,
            rows: rows.into_iter().map(row).collect(),
            account,
        }
    }
}

/// The names of providers and events as in all output of `etw`, see `names`.
#[derive(Default)]
struct Names {
    /// Descriptions of the trace, and those of the user.
    schemas: Schemas,
    /// The first record of each kind, and its processor.
    firsts: FxHashMap<Key, (Vec<u8>, u16)>,
    held: usize,
    /// The names by the first record of each type, after all descriptions are known.
    known: FxHashMap<Key, Called>,
}

/// The names of an event type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    /// The provider.
    pub provider: String,
    /// The event; empty if it is unknown.
    pub event: String,
    /// The task or the event class.
    pub task: String,
}

impl Names {
    /// Most bytes of first records that are held; kinds beyond show their numbers.
    const MOST_BYTES: usize = 16 << 20;

    /// Keeps the first record of a kind.
    #[cold]
    fn hold(&mut self, key: &Key, record: &Record<'_>) {
        if self.held < Self::MOST_BYTES {
            let bytes = record.bytes();
            self.held += bytes.len();
            self.firsts.insert(key.clone(), (bytes.to_vec(), record.cpu()));
        }
    }

    /// Describes each kind by its first record, after all descriptions have been read.
    fn settle(&mut self) {
        let mut decoder = Decoder::new(std::mem::take(&mut self.schemas));
        for (key, (bytes, cpu)) in self.firsts.drain() {
            let Ok(record) = Record::parse(&bytes, cpu) else { continue };
            let format = decoder.format(&record);
            let (provider, event) = (format.provider.to_string(), format.name.to_string());
            self.known.insert(key, Called { provider, event, task: format.task.to_string() });
        }
    }

    fn of(&mut self, key: &Key) -> Called {
        self.known.remove(key).unwrap_or_else(|| {
            let (provider, event) = match key {
                Key::Kernel(..) => (KERNEL_PROVIDER.to_owned(), String::new()),
                Key::Class(guid, _) | Key::Message(guid, _) => (guid.to_string(), String::new()),
                Key::Provider(guid, _, name, _) => (guid.to_string(), name.clone()),
                Key::Other(_) => Default::default(),
            };
            Called { provider, event, task: String::new() }
        })
    }
}

impl Key {
    /// The number of the event: id, opcode, or that of a message.
    #[must_use]
    pub fn number(&self) -> Option<u16> {
        match self {
            Key::Kernel(_, opcode) | Key::Class(_, opcode) => Some((*opcode).into()),
            Key::Provider(_, id, ..) | Key::Message(_, id) => Some(*id),
            Key::Other(_) => None,
        }
    }
}
