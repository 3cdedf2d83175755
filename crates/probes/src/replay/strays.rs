//! Stacks whose event is not among the records: it was lost, or logged before they begin.
//!
//! A stack is logged after its event, so it is certain that the event never comes once a record follows that is later than the
//! stack. Files and sessions thus have the same answer, without a look ahead.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use tracewell_etl::Record;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_etl::def::guid;
use tracewell_state::{Half, StackRecord, extended_frames};

use crate::catalog::Diag;

/// Group of the records that hold stacks.
const STACK_WALK: u16 = tracewell_schema::kernel::hook::STACK_WALK_STACK >> 8;
/// The newest events that are remembered of a source. A stack of an older one is not reported.
const MOST_EVENTS: usize = 1 << 21;
/// The newest match ids that are remembered, and the threads with events of the .NET runtime.
const MOST_IDS: usize = 1 << 20;
/// Events of one time among which the event of a stack is looked for, and stacks that wait for a later record.
const MOST_ALIKE: usize = 1 << 12;
/// Stacks that wait for the frames of their key.
const MOST_KEYED: usize = 1 << 18;

/// A stack that has not found its event.
#[derive(Debug)]
pub(super) struct Stray {
    pub(super) diag: Diag,
    /// Raw time of the record that holds it.
    pub(super) came: i64,
    pub(super) half: Half,
    /// The argument of its probe.
    pub(super) argument: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Frames(Vec<u64>),
    Key(u64),
}

impl Stray {
    /// Its frames, innermost first.
    pub(super) fn frames(&self) -> &[u64] {
        match &self.content {
            Content::Frames(frames) => frames,
            Content::Key(_) => &[],
        }
    }
}

/// An event that may have a stack.
#[derive(Clone, Copy, Debug)]
struct Logged {
    time: i64,
    tid: Option<u32>,
    cpu: u16,
}

/// The stacks of a run without an event, by source.
#[derive(Debug)]
pub(super) struct Strays {
    sources: Vec<OfSource>,
    most_events: usize,
}

impl Default for Strays {
    fn default() -> Strays {
        Strays { sources: Vec::new(), most_events: MOST_EVENTS }
    }
}

#[derive(Debug, Default)]
struct OfSource {
    /// In the order of their times.
    events: VecDeque<Logged>,
    /// Events up to this time may have been forgotten.
    forgotten: Option<i64>,
    /// Match ids that events carry.
    carried: Newest,
    /// Threads with events of the .NET runtime.
    runtime: Newest,
    /// Stacks that wait for a later record.
    waiting: Vec<Stray>,
    /// Stacks without an event that wait for the frames of their key, by the key.
    keyed: FxHashMap<u64, Vec<Stray>>,
    keyed_count: usize,
}

/// The newest numbers of a set.
#[derive(Debug, Default)]
struct Newest {
    set: FxHashSet<u64>,
    order: VecDeque<u64>,
    /// Some are forgotten, so that a missing one may have been there.
    is_partial: bool,
}

impl Newest {
    fn add(&mut self, number: u64) {
        if !self.set.insert(number) {
            return;
        }
        self.order.push_back(number);
        if self.order.len() > MOST_IDS
            && let Some(oldest) = self.order.pop_front()
        {
            self.set.remove(&oldest);
            self.is_partial = true;
        }
    }

    fn has(&self, number: u64) -> bool {
        self.is_partial || self.set.contains(&number)
    }
}

impl Strays {
    /// Takes in a record of a source, which the thread `tid` has logged. Returns the stacks whose event is now known to be missing.
    pub(super) fn observe(&mut self, source: usize, record: &Record<'_>, tid: Option<u32>) -> Vec<Stray> {
        if self.sources.len() <= source {
            self.sources.resize_with(source + 1, OfSource::default);
        }
        let Some(of_source) = self.sources.get_mut(source) else { return Vec::new() };
        let mut missed = Vec::new();
        let is_later = of_source.waiting.last().is_some_and(|stray| stray.came < record.time());
        if is_later || of_source.waiting.len() >= MOST_ALIKE {
            of_source.decide(&mut missed);
        }
        of_source.note(record, tid, self.most_events, &mut missed);
        missed
    }

    /// The other stacks whose event is missing: no record follows.
    pub(super) fn rest(&mut self) -> Vec<Stray> {
        let mut missed = Vec::new();
        self.sources.iter_mut().for_each(|of_source| of_source.decide(&mut missed));
        missed
    }
}

impl OfSource {
    /// Takes in a record.
    fn note(&mut self, record: &Record<'_>, tid: Option<u32>, most: usize, missed: &mut Vec<Stray>) {
        let came = record.time();
        let stray = |diag, half, argument, content| Stray { diag, came, half, argument, content };
        match StackRecord::read(record) {
            Some(StackRecord::Half(half, frames)) => {
                if !self.has_event(&half) {
                    let frames = Content::Frames(frames.addresses().collect());
                    self.waiting.push(stray(Diag::MissedStack, half, half.time as u64, frames));
                }
                return;
            }
            Some(StackRecord::Key(half, key)) => {
                if !self.has_event(&half) {
                    let key = Content::Key(key);
                    self.waiting.push(stray(Diag::MissedStack, half, half.time as u64, key));
                }
                return;
            }
            Some(StackRecord::Definition(key, frames)) => {
                self.define(key, || frames.addresses().collect(), missed);
                return;
            }
            Some(StackRecord::Late(id, half, frames)) => {
                if !self.carried.has(id) {
                    let frames = Content::Frames(frames.addresses().collect());
                    self.waiting.push(stray(Diag::MissedUstack, half, id, frames));
                }
            }
            Some(StackRecord::Clr(half, instance, frames)) => {
                if !self.runtime.has(half.tid.into()) {
                    let frames = Content::Frames(frames.addresses().collect());
                    self.waiting.push(stray(Diag::MissedDnetStack, half, instance.into(), frames));
                }
            }
            None if record.hook().is_some_and(|hook| hook >> 8 == STACK_WALK) => return,
            None => {
                if let Some(tid) = record.tid().filter(|_| record.is_event() && record.guid() == guid::CLR) {
                    self.runtime.add(tid.into());
                }
            }
        }
        self.note_event(record, tid, most);
    }

    /// Remembers an event that may have a stack.
    fn note_event(&mut self, record: &Record<'_>, tid: Option<u32>, most: usize) {
        for item in record.extended() {
            // All of them begin with a match id.
            let stack = matches!(
                item.kind,
                ExtendedKind::STACK_TRACE32
                    | ExtendedKind::STACK_TRACE64
                    | ExtendedKind::STACK_KEY32
                    | ExtendedKind::STACK_KEY64
            );
            if let Some((id, _)) = extended_frames(item.data, 8).filter(|(id, _)| stack && *id != 0) {
                self.carried.add(id);
            }
        }
        self.events.push_back(Logged { time: record.time(), tid, cpu: record.cpu() });
        if self.events.len() > most
            && let Some(oldest) = self.events.pop_front()
        {
            self.forgotten = Some(oldest.time);
        }
    }

    /// Returns `true` if the event of a half was among the records, or may have been.
    fn has_event(&mut self, half: &Half) -> bool {
        if self.forgotten.is_some_and(|forgotten| half.time <= forgotten) {
            return true;
        }
        let from = self.events.partition_point(|event| event.time < half.time);
        for (number, event) in self.events.range_mut(from..).enumerate() {
            if event.time != half.time {
                return false;
            }
            let is_its = match event.tid {
                Some(tid) => half.is_of(tid, event.cpu),
                None => event.cpu == half.cpu,
            };
            if is_its {
                // The other half may come from another processor.
                event.tid = Some(half.tid);
            }
            if is_its || number >= MOST_ALIKE {
                return true;
            }
        }
        false
    }

    /// Takes in the frames of a key.
    fn define(&mut self, key: u64, frames: impl Fn() -> Vec<u64>, missed: &mut Vec<Stray>) {
        for stray in &mut self.waiting {
            if matches!(stray.content, Content::Key(known) if known == key) {
                stray.content = Content::Frames(frames());
            }
        }
        let Some(strays) = self.keyed.remove(&key) else { return };
        self.keyed_count = self.keyed_count.saturating_sub(strays.len());
        missed.extend(strays.into_iter().map(|stray| Stray { content: Content::Frames(frames()), ..stray }));
    }

    /// Decides about the stacks that wait: a record of the same time may have been their event.
    fn decide(&mut self, missed: &mut Vec<Stray>) {
        for stray in std::mem::take(&mut self.waiting) {
            let has_event = match stray.diag {
                Diag::MissedUstack => self.carried.has(stray.argument),
                Diag::MissedDnetStack => self.runtime.has(stray.half.tid.into()),
                _ => self.has_event(&stray.half),
            };
            match stray.content {
                _ if has_event => {}
                Content::Frames(_) => missed.push(stray),
                Content::Key(key) if self.keyed_count < MOST_KEYED => {
                    self.keyed_count += 1;
                    self.keyed.entry(key).or_default().push(stray);
                }
                Content::Key(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tracewell_etl::write::{Event, PerfInfo};

    use super::*;

    /// A sample's record of this time, on a processor.
    fn event(time: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        assert!(Event { time, ..Event::default() }.append(&[], &[], &mut bytes));
        bytes
    }

    /// A record of this time with the stack of an event, or the key of one.
    fn stack(time: i64, opcode: u8, of: i64, tid: u32, rest: u64) -> Vec<u8> {
        let header = PerfInfo { time, group: 0x18, opcode, version: 2, ..PerfInfo::default() };
        let ids = [7_u32.to_le_bytes(), tid.to_le_bytes()].concat();
        let mut bytes = Vec::new();
        assert!(header.append(&[&of.to_le_bytes()[..], &ids, &rest.to_le_bytes()].concat(), &mut bytes));
        bytes
    }

    /// Times and threads of the stacks that are missed after these records, each of which a thread has logged.
    fn missed(strays: &mut Strays, records: &[(Vec<u8>, Option<u32>)]) -> Vec<(i64, u32)> {
        let mut all = Vec::new();
        for (bytes, tid) in records {
            let record = Record::parse(bytes, 1).unwrap();
            all.extend(
                strays.observe(0, &record, *tid).iter().map(|stray| (stray.half.time, stray.half.tid)),
            );
        }
        all.extend(strays.rest().iter().map(|stray| (stray.half.time, stray.half.tid)));
        all
    }

    /// What was forgotten is not reported as missing, and an event whose thread is unknown has the stack of its processor.
    #[test]
    fn issue_13_stacks_of_forgotten_events_are_not_missed() {
        let records = |of: i64, tid: u32| {
            let mut records: Vec<_> = (1..=5).map(|time| (event(time), Some(40))).collect();
            records.push((stack(6, 32, of, tid, 9), None));
            records
        };
        for (most, of, tid, is_missed) in [
            (5, 0, 40, true),
            (5, 1, 40, false),
            (5, 1, 41, true),
            (4, 1, 41, false),
            (4, 0, 41, false),
            (4, 2, 41, true),
            (4, 2, 40, false),
        ] {
            let mut strays = Strays { most_events: most, ..Strays::default() };
            let expected = if is_missed { vec![(of, tid)] } else { Vec::new() };
            assert_eq!(missed(&mut strays, &records(of, tid)), expected, "{most} {of} {tid}");
        }
        let both = [(event(1), None), (stack(2, 32, 1, 40, 9), None), (stack(3, 32, 1, 41, 9), None)];
        assert_eq!(missed(&mut Strays::default(), &both), [(1, 41)], "it is the first one's");
    }

    /// Memory is bounded, whatever the records say.
    #[test]
    fn issue_13_stacks_that_wait_are_limited() {
        let mut strays = Strays::default();
        for of in 0..MOST_KEYED as i64 + 5000 {
            let record = stack(1, 37, 2 + of, 40, of as u64 + 1);
            let missed = strays.observe(0, &Record::parse(&record, 1).unwrap(), None);
            assert!(missed.is_empty() && strays.sources[0].waiting.len() <= MOST_ALIKE);
        }
        assert!(strays.rest().is_empty() && strays.sources[0].keyed_count == MOST_KEYED);
        let mut newest = Newest::default();
        (0..=MOST_IDS as u64).for_each(|number| newest.add(number));
        assert!(newest.set.len() == MOST_IDS && newest.has(u64::MAX), "it may have been there");
    }
}
