//! Spans of time between two events: starts and their ends, paired once for all that shows them.
//!
//! [`Pairing`] takes records in order of time. It keeps the starts that have no end yet and hands out a [`PairedSpan`] for each
//! end. A start and an end belong together if they are of one pair and have the same key: fields by the table of
//! known pairs ([`PAIRS`]), else the activity or the thread. Of several starts with one key the end closes the last one,
//! first the one on the same thread. What has no partner is counted, never guessed.

mod role;
mod table;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};
use tracewell_decode::{Accessor, EventFormat, FormatId};
use tracewell_etl::{Reading, Record};
use tracewell_types::Guid;

use crate::timeline::Who;
use role::{function_field, kind_of};

pub use role::{Role, Side, known, role_by_format};
pub use table::{PAIRS, PairDef, Part, Scope};

/// Most starts without an end that are kept, and most bytes of them. The oldest go first.
const MOST_OPEN: usize = 1 << 16;
const MOST_BYTES: usize = 64 << 20;
/// Most pairs, so that a trace in which every event is of a new type cannot exhaust memory.
const MOST_PAIRS: usize = 1 << 16;
/// How far an end looks for a start on the same thread.
const FARTHEST: usize = 64;

/// A pair of events that begin and end something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The provider or class.
    pub guid: Guid,
    /// The provider's name.
    pub provider: Box<str>,
    /// The name within the provider.
    pub name: Box<str>,
    /// Its row in the table of known pairs; [`None`] if descriptions of events pair them.
    pub def: Option<&'static PairDef>,
    /// Whether its spans are calls of functions.
    pub is_function: bool,
    /// How many spans and orphans there were.
    pub counts: PairCounts,
}

/// The number of spans of a pair, and of events that have no partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Spans with start and end.
    pub spans: u64,
    /// Starts without an end.
    pub starts_alone: u64,
    /// Ends without a start.
    pub ends_alone: u64,
    /// Further events about a start that is known: runtimes log several versions of one event.
    pub repeated: u64,
}

/// A span whose end has come.
#[derive(Clone, Copy, Debug)]
pub struct PairedSpan<'p> {
    /// Its pair.
    pub pair: &'p Pair,
    /// The number of its pair.
    pub pair_number: usize,
    /// Its number, from 1 on in the order of the starts.
    pub number: u64,
    /// The number of the span around it; 0 if there is none.
    pub parent: u64,
    /// The number of spans that were open around it.
    pub depth: u32,
    /// The name: that of the pair, or of the function.
    pub name: &'p str,
    /// The record that began it; it can be parsed again with `cpu`.
    pub start: &'p [u8],
    /// The raw time of the start.
    pub time: i64,
    /// The processor of the start.
    pub cpu: u16,
    /// How the start's payload is laid out.
    pub reading: Reading,
    /// The process that began it.
    pub pid: Option<u32>,
    /// The thread that began it.
    pub tid: Option<u32>,
    /// Whether it began and ended on one thread inside the spans around it.
    pub is_nested: bool,
}

/// What start and end have in common: pair and source, and the values of the key's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    pair: u32,
    source: u32,
    values: [u64; 3],
}

/// The role of an event in a pair, with what reads its key.
#[derive(Clone, Debug)]
struct Resolved {
    pair: u32,
    side: Side,
    key: KeyOf,
}

#[derive(Clone, Debug)]
enum KeyOf {
    /// The parts of a known pair.
    Known(&'static PairDef, Vec<Option<Accessor>>),
    /// The activity, else the thread.
    Flow,
    /// The thread, and the text of a field.
    Function(Option<Accessor>),
}

/// No slot.
const NONE: u32 = u32::MAX;

/// A place in one of the lists that a slot is in.
#[derive(Clone, Copy, Debug)]
struct Link {
    older: u32,
    newer: u32,
}

const FREE: Link = Link { older: NONE, newer: NONE };

/// The lists: starts with one key, those of one thread, all.
const BY_KEY: usize = 0;
const BY_THREAD: usize = 1;
const BY_AGE: usize = 2;

/// A start without an end so far.
#[derive(Clone, Debug)]
struct Open {
    key: Key,
    number: u64,
    parent: u64,
    depth: u32,
    time: i64,
    cpu: u16,
    reading: Reading,
    pid: Option<u32>,
    tid: Option<u32>,
    activity: Guid,
    /// Whether it is in the list of its thread.
    nests: bool,
    is_function: bool,
    record: Vec<u8>,
    label: String,
    links: [Link; 3],
}

/// Pairs starts and ends.
#[derive(Debug, Default)]
pub struct Pairing {
    pairs: Vec<Pair>,
    by_name: FxHashMap<(Guid, Box<str>), u32>,
    roles: FxHashMap<(FormatId, u8), Rc<[Resolved]>>,
    open: Vec<Open>,
    spare: Vec<u32>,
    /// The newest start of each key, of each thread, and of all; the oldest of all.
    keys: FxHashMap<Key, u32>,
    threads: FxHashMap<(u32, u32), u32>,
    newest: Option<u32>,
    oldest: Option<u32>,
    activities: FxHashMap<(u32, Guid), u32>,
    held: usize,
    begun: u64,
    dropped: u64,
}

impl Pairing {
    /// Knows no start yet.
    #[must_use]
    pub fn new() -> Pairing {
        Pairing::default()
    }

    /// The pairs that were met, with their counts.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The number of starts that were given up because too many had no end.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Counts the starts that have no end.
    pub fn finish(&mut self) {
        while let Some(oldest) = self.oldest {
            self.give_up(oldest);
        }
    }

    /// Takes in the next record. `source` distinguishes machines, whose processes and threads may have equal ids. Calls `ended`
    /// for each span that ends with it.
    pub fn observe(
        &mut self,
        source: u32,
        record: &Record<'_>,
        (id, format): (FormatId, &EventFormat),
        who: Who,
        mut ended: impl FnMut(PairedSpan<'_>),
    ) {
        let roles = match self.roles.get(&(id, record.pointer_size())) {
            Some(roles) if roles.is_empty() => return,
            Some(roles) => roles.clone(),
            None => self.resolve(record, id, format),
        };
        for role in &*roles {
            let Some((key, nests)) = key(role, source, record, who) else {
                self.orphan(role);
                continue;
            };
            match role.side {
                Side::Start => self.start(role, key, nests, record, who),
                Side::End => self.end(role, key, who, &mut ended),
            }
        }
    }

    /// An event that lacks what its pair is identified by.
    fn orphan(&mut self, role: &Resolved) {
        let Some(pair) = self.pairs.get_mut(role.pair as usize) else { return };
        match role.side {
            Side::Start => pair.counts.starts_alone += 1,
            Side::End => pair.counts.ends_alone += u64::from(pair.def.is_none_or(|def| !def.ends_alone)),
        }
    }

    fn start(&mut self, role: &Resolved, key: Key, nests: bool, record: &Record<'_>, who: Who) {
        if let KeyOf::Known(PairDef { scope: Scope::Free, .. }, _) = role.key
            && let Some(&at) = self.keys.get(&key)
        {
            // Another version of the same event; or the end of the earlier start was lost.
            let Some(known) = self.open.get_mut(at as usize) else { return };
            if known.reading.version != record.layout_version() {
                if record.layout_version() > known.reading.version {
                    known.reading = record.reading();
                    self.held = self.held - known.record.len() + record.bytes().len();
                    known.record.clear();
                    known.record.extend_from_slice(record.bytes());
                }
                self.counts(key.pair).repeated += 1;
                return;
            }
            self.give_up(at);
        }
        while self.open.len() - self.spare.len() >= MOST_OPEN || self.held + record.bytes().len() > MOST_BYTES
        {
            let Some(oldest) = self.oldest else { break };
            self.give_up(oldest);
            self.dropped += 1;
        }
        self.begun += 1;
        let thread = who.tid.filter(|_| nests).map(|tid| (key.source, tid));
        let around = match record.related_activity_id().filter(|id| !id.is_zero()) {
            Some(related) => self.activities.get(&(key.source, related)),
            None => thread.and_then(|thread| self.threads.get(&thread)),
        };
        let around = around.and_then(|at| self.open.get(*at as usize));
        let (parent, depth) = around.map_or((0, 0), |open| (open.number, open.depth.saturating_add(1)));
        let is_function = self.pairs.get(role.pair as usize).is_some_and(|pair| pair.is_function);
        let at = match self.spare.pop() {
            Some(at) => at,
            None => {
                self.open.push(Open {
                    key,
                    number: 0,
                    parent: 0,
                    depth: 0,
                    time: 0,
                    cpu: 0,
                    reading: record.reading(),
                    pid: None,
                    tid: None,
                    activity: Guid::ZERO,
                    nests,
                    is_function,
                    record: Vec::new(),
                    label: String::new(),
                    links: [FREE; 3],
                });
                self.open.len() as u32 - 1
            }
        };
        let Some(open) = self.open.get_mut(at as usize) else { return };
        (open.key, open.number, open.parent, open.depth) = (key, self.begun, parent, depth);
        (open.time, open.cpu, open.reading) = (record.time(), record.cpu(), record.reading());
        (open.pid, open.tid, open.activity) = (who.pid, who.tid, record.activity_id());
        (open.nests, open.is_function, open.links) = (thread.is_some(), is_function, [FREE; 3]);
        open.record.clear();
        open.record.extend_from_slice(record.bytes());
        open.label.clear();
        if let KeyOf::Function(Some(field)) = &role.key {
            put_label(&mut open.label, field, record);
        }
        let activity = open.activity;
        self.held += record.bytes().len();
        let below = self.keys.insert(key, at);
        self.link(BY_KEY, at, below);
        if let Some(thread) = thread {
            let below = self.threads.insert(thread, at);
            self.link(BY_THREAD, at, below);
        }
        let below = self.newest.replace(at);
        self.link(BY_AGE, at, below);
        self.oldest.get_or_insert(at);
        if !activity.is_zero() {
            self.activities.insert((key.source, activity), at);
        }
    }

    fn end(&mut self, role: &Resolved, key: Key, who: Who, ended: &mut impl FnMut(PairedSpan<'_>)) {
        let Some(at) = self.find(&key, who.tid) else {
            return self.orphan(role);
        };
        // What a function called has returned before it.
        while self.open.get(at as usize).is_some_and(|open| open.is_function && open.nests) {
            let inner = self.open.get(at as usize).map_or(NONE, |open| open.links[BY_THREAD].newer);
            match self.open.get(inner as usize) {
                Some(open) if open.is_function => self.give_up(inner),
                _ => break,
            }
        }
        self.counts(key.pair).spans += 1;
        let (Some(pair), Some(open)) = (self.pairs.get(key.pair as usize), self.open.get(at as usize)) else {
            return;
        };
        ended(PairedSpan {
            pair,
            pair_number: key.pair as usize,
            number: open.number,
            parent: open.parent,
            depth: open.depth,
            name: if open.label.is_empty() { &pair.name } else { &open.label },
            start: &open.record,
            time: open.time,
            cpu: open.cpu,
            reading: open.reading,
            pid: open.pid,
            tid: open.tid,
            is_nested: open.nests && open.tid == who.tid && open.links[BY_THREAD].newer == NONE,
        });
        self.remove(at);
    }

    /// The start that an end closes: the last one of its thread, else the last one.
    fn find(&self, key: &Key, tid: Option<u32>) -> Option<u32> {
        let top = *self.keys.get(key)?;
        let mut at = top;
        for _ in 0..FARTHEST {
            let Some(open) = self.open.get(at as usize) else { break };
            if open.tid == tid {
                return Some(at);
            }
            at = open.links[BY_KEY].older;
        }
        Some(top)
    }

    fn counts(&mut self, pair: u32) -> &mut PairCounts {
        &mut self.pairs[pair as usize].counts
    }

    /// Counts a start as one without an end.
    fn give_up(&mut self, at: u32) {
        if let Some(pair) = self.open.get(at as usize).map(|open| open.key.pair) {
            self.counts(pair).starts_alone += 1;
        }
        self.remove(at);
    }

    fn link(&mut self, list: usize, at: u32, older: Option<u32>) {
        let older = older.unwrap_or(NONE);
        if let Some(open) = self.open.get_mut(at as usize) {
            open.links[list] = Link { older, newer: NONE };
        }
        if let Some(open) = self.open.get_mut(older as usize) {
            open.links[list].newer = at;
        }
    }

    fn unlink(&mut self, list: usize, at: u32) -> Link {
        let Some(open) = self.open.get_mut(at as usize) else { return FREE };
        let link = std::mem::replace(&mut open.links[list], FREE);
        if let Some(open) = self.open.get_mut(link.older as usize) {
            open.links[list].newer = link.newer;
        }
        if let Some(open) = self.open.get_mut(link.newer as usize) {
            open.links[list].older = link.older;
        }
        link
    }

    fn remove(&mut self, at: u32) {
        let some = |at: u32| (at != NONE).then_some(at);
        let Some(open) = self.open.get(at as usize) else { return };
        let (key, activity, size) = (open.key, open.activity, open.record.len());
        let thread = open.tid.filter(|_| open.nests).map(|tid| (key.source, tid));
        let Link { older, newer } = self.unlink(BY_KEY, at);
        if newer == NONE {
            match some(older) {
                Some(older) => self.keys.insert(key, older),
                None => self.keys.remove(&key),
            };
        }
        if let Some(thread) = thread {
            let Link { older, newer } = self.unlink(BY_THREAD, at);
            if newer == NONE {
                match some(older) {
                    Some(older) => self.threads.insert(thread, older),
                    None => self.threads.remove(&thread),
                };
            }
        }
        let Link { older, newer } = self.unlink(BY_AGE, at);
        if newer == NONE {
            self.newest = some(older);
        }
        if older == NONE {
            self.oldest = some(newer);
        }
        if !activity.is_zero() && self.activities.get(&(key.source, activity)) == Some(&at) {
            self.activities.remove(&(key.source, activity));
        }
        self.held -= size;
        self.spare.push(at);
    }

    /// The pair of that name, made if it is new.
    fn pair(
        &mut self,
        guid: Guid,
        format: &EventFormat,
        name: &str,
        def: Option<&'static PairDef>,
    ) -> Option<u32> {
        // A known pair and one that a description names may have one name.
        let key = (guid, if def.is_some() { format!("\0{name}") } else { name.to_owned() }.into_boxed_str());
        if let Some(&at) = self.by_name.get(&key) {
            return Some(at);
        }
        if self.pairs.len() >= MOST_PAIRS {
            return None;
        }
        let at = self.pairs.len() as u32;
        self.pairs.push(Pair {
            guid,
            provider: format.provider.clone(),
            name: name.into(),
            def,
            is_function: false,
            counts: PairCounts::default(),
        });
        self.by_name.insert(key, at);
        Some(at)
    }

    /// Finds the roles of a type of event.
    #[cold]
    fn resolve(&mut self, record: &Record<'_>, id: FormatId, format: &EventFormat) -> Rc<[Resolved]> {
        let mut roles = Vec::new();
        if let Some((guid, number)) = kind_of(record) {
            for (_, def, side) in known(guid, number) {
                let Some(pair) = self.pair(guid, format, def.name, Some(def)) else { continue };
                let read = |part: &Part| {
                    let Part::Field(start, end) = part else { return None };
                    let name = if side == Side::Start { start } else { end };
                    Accessor::new(format.layout.as_ref()?, name, record.pointer_size())
                };
                let key = KeyOf::Known(def, def.key.iter().map(read).collect());
                roles.push(Resolved { pair, side, key });
            }
        }
        let is_message = !record.is_event() && !record.is_class();
        let number = kind_of(record).map_or(0, |(_, number)| number);
        let by_format = match record.hook() {
            None => role_by_format(record.guid(), number, format, is_message),
            Some(_) => None,
        };
        if let Some(role) = by_format
            && let Some(pair) = self.pair(record.guid(), format, &role.name, None)
        {
            let key = if role.is_function {
                self.pairs[pair as usize].is_function = true;
                let field = function_field(format).filter(|_| !is_message);
                let layout = format.layout.as_ref();
                let read = |at| Accessor::at(layout?, at, record.pointer_size());
                KeyOf::Function(field.and_then(read))
            } else {
                KeyOf::Flow
            };
            roles.push(Resolved { pair, side: role.side, key });
        }
        let roles: Rc<[Resolved]> = roles.into();
        if self.roles.len() >= MOST_PAIRS {
            self.roles.clear();
        }
        self.roles.insert((id, record.pointer_size()), roles.clone());
        roles
    }
}

/// The key of a record in a role, and whether the span is one of its thread. [`None`] if the record lacks a part of it.
fn key(role: &Resolved, source: u32, record: &Record<'_>, who: Who) -> Option<(Key, bool)> {
    let mut values = [0; 3];
    let mut nests = true;
    match &role.key {
        KeyOf::Known(def, fields) => {
            nests = def.scope == Scope::Thread;
            for (value, (part, field)) in values.iter_mut().zip(def.key.iter().zip(fields)) {
                *value = match part {
                    Part::Process => who.pid?.into(),
                    Part::Thread => who.tid?.into(),
                    Part::Field(..) => field.as_ref()?.int(record.payload())?,
                    Part::FirstPointer => {
                        let bytes = record.payload().get(..usize::from(record.pointer_size()))?;
                        bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
                    }
                };
            }
        }
        KeyOf::Flow => {
            let activity = record.activity_id();
            if activity.is_zero() {
                values = [1, who.tid?.into(), 0];
            } else {
                let bytes = activity.as_bytes();
                let half = |at: usize| bytes[at..at + 8].iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
                values = [2, half(0), half(8)];
            }
        }
        KeyOf::Function(field) => {
            values = [3, who.tid?.into(), 0];
            if let Some(field) = field {
                use std::hash::Hasher;
                let mut hasher = FxHasher::default();
                hasher.write(field.bytes(record.payload())?);
                values[2] = hasher.finish();
            }
        }
    }
    Some((Key { pair: role.pair, source, values }, nests))
}

/// The longest name of a function that is kept.
const LONGEST_LABEL: usize = 256;

fn put_label(label: &mut String, field: &Accessor, record: &Record<'_>) {
    use std::fmt::Write as _;
    if let (Some(value), Some(described)) = (field.value(record.payload()), field.field()) {
        let _ = write!(label, "{}", value.display(described));
        let end = label.floor_char_boundary(LONGEST_LABEL.min(label.len()));
        label.truncate(end);
    }
}
