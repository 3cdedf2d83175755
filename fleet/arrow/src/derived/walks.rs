//! The stacks of a trace, each with a number.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use tracewell::open::InputError;
use tracewell::views::stack;
use tracewell_etl::Record;
use tracewell_state::{Machine, StackBuilder, Stacks, Timeline, Who};

use crate::source::Source;

/// Most frames that are kept, 256 MB. Stacks beyond have no number.
const MOST_FRAMES: usize = 1 << 25;
/// Most stacks that are looked at for one with the same frames.
const MOST_LOOKS: u32 = 64;

/// Different stacks, numbered in order of time from 0 on.
#[derive(Debug, Default)]
pub(crate) struct Walks {
    stacks: Stacks,
    walks: Vec<Walk>,
    frames: Vec<u64>,
    /// Numbers by hash, and by how many stacks with that hash were met before.
    numbers: FxHashMap<(u64, u32), u32>,
}

/// A stack in a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// The process, if it is known.
    pub(crate) pid: Option<u32>,
    /// The raw time of the first event with it.
    pub(crate) time: i64,
    first: usize,
    count: usize,
}

impl Walks {
    /// Reads the stacks of a trace.
    pub(crate) fn of_source(source: &Source, machine: &Machine) -> Result<Walks, InputError> {
        let trace = source.trace()?;
        let mut builder = StackBuilder::new();
        let mut records = trace.file_order().only(StackBuilder::wanted());
        while let Some(record) = records.next() {
            builder.observe(&record);
        }
        let mut walks = Walks { stacks: builder.finish(), ..Walks::default() };
        let mut timeline = Timeline::new(machine);
        let mut records = trace.by_time();
        let mut frames = Vec::new();
        while let Some(record) = records.next() {
            timeline.apply(&record);
            let who = timeline.who(&record);
            frames.clear();
            stack::collect(&mut frames, &walks.stacks, 0, &record, who.tid);
            if !frames.is_empty() {
                walks.add(who.pid, &frames, record.time());
            }
        }
        Ok(walks)
    }

    /// The number of the stack of a record.
    pub(crate) fn of(&self, record: &Record<'_>, who: Who) -> Option<u32> {
        let mut frames = Vec::new();
        stack::collect(&mut frames, &self.stacks, 0, record, who.tid);
        if frames.is_empty() { None } else { self.find(who.pid, &frames).ok() }
    }

    fn add(&mut self, pid: Option<u32>, frames: &[u64], time: i64) {
        let Err(Some(place)) = self.find(pid, frames) else { return };
        let Ok(number) = u32::try_from(self.walks.len()) else { return };
        if self.frames.len().saturating_add(frames.len()) > MOST_FRAMES {
            return;
        }
        self.walks.push(Walk { pid, time, first: self.frames.len(), count: frames.len() });
        self.frames.extend_from_slice(frames);
        self.numbers.insert(place, number);
    }

    /// The number of a stack; else the place of a new one, if there is room.
    fn find(&self, pid: Option<u32>, frames: &[u64]) -> Result<u32, Option<(u64, u32)>> {
        let mut hasher = FxHasher::default();
        (pid, frames).hash(&mut hasher);
        let hash = hasher.finish();
        for look in 0..MOST_LOOKS {
            let Some(number) = self.numbers.get(&(hash, look)) else { return Err(Some((hash, look))) };
            let is_it = |walk: &Walk| walk.pid == pid && self.frames(walk) == frames;
            if self.walks.get(*number as usize).is_some_and(is_it) {
                return Ok(*number);
            }
        }
        Err(None)
    }

    /// All stacks, by number.
    pub(crate) fn all(&self) -> &[Walk] {
        &self.walks
    }

    /// The frames of a stack, innermost first.
    pub(crate) fn frames(&self, walk: &Walk) -> &[u64] {
        self.frames.get(walk.first..walk.first + walk.count).unwrap_or_default()
    }
}
