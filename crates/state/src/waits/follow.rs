//! Follows the switches and wake-ups of a trace: which waits end, and who left a processor about that time.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_schema::kernel::{self, hook};

use super::history::Runs;
use super::infer::{ENDED, FARTHEST, Wait, confidence, is_done};

/// The records that waits are made of.
pub const RECORDS: [u16; 2] = [hook::THREAD_CSWITCH, hook::THREAD_READY_THREAD];

/// Most stretches of running that are kept of all threads together: 24 MB.
const MOST_RUNS: usize = 1 << 20;
/// Most times of leaving a processor that are kept.
const MOST_LEFT: usize = 1 << 10;
/// Most threads that are looked at closely for a wait, and most waits that are for a thread, the last ones first. Only twice as many
/// threads as there are processors can have run for half of a wait.
pub(super) const MOST_LOOKS: usize = 64;

/// A thread: the number of its trace, and its id.
type Key = (u32, u32);

/// A wait that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The number of the trace.
    pub source: u32,
    /// The thread that waited.
    pub tid: u32,
    /// The wait.
    pub wait: Wait,
    /// Whether the thread was woken by a recorded wake-up.
    pub is_woken: bool,
    /// The thread that woke it, if it is known; the idle thread and interrupts in it are none.
    pub waker: Option<u32>,
}

/// A thread that may be the cause of a wait, before it is known whether it belongs to the same process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Its id.
    pub tid: u32,
    /// Nanoseconds that it ran during the wait.
    pub ran: i64,
    /// Nanoseconds from the end of the wait until it left its processor; negative if it left before.
    pub gap: i64,
}

/// A thread that left its processor with nothing more to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) time: i64,
    pub(super) key: Key,
    /// Nanoseconds that it has run altogether.
    total: i64,
    is_over: bool,
}

impl Left {
    /// Returns `true` if it may have run for half of a wait of its trace.
    pub(super) fn may_cause(&self, ended: &Ended) -> bool {
        let length = ended.wait.to.saturating_sub(ended.wait.from);
        // It may have come back before the wait ended.
        let most = self.total.saturating_add(FARTHEST);
        self.key.0 == ended.source && most.saturating_mul(2) >= length
    }
}

#[derive(Clone, Copy, Debug)]
struct Off {
    time: i64,
    reason: i8,
    /// A wake-up was recorded: when, and by which thread.
    woken: Option<(i64, Option<u32>)>,
}

#[derive(Debug, Default)]
struct Followed {
    runs: Runs,
    /// When it left its processor last.
    since: Option<i64>,
    /// Since when it waits.
    off: Option<Off>,
    is_over: bool,
}

/// The fields of both records. No layout of them depends on the version or the pointer size.
#[derive(Debug)]
struct Fields {
    new: Accessor,
    old: Accessor,
    state: Accessor,
    reason: Accessor,
    woken: Accessor,
}

impl Fields {
    fn new() -> Option<Fields> {
        let layout = |number: u16| Some(kernel::event_of_hook((number >> 8) as u8, number as u8, 2)?.version);
        let (switch, ready) = (layout(hook::THREAD_CSWITCH)?, layout(hook::THREAD_READY_THREAD)?);
        Some(Fields {
            new: Accessor::new(switch, "NewThreadId", 8)?,
            old: Accessor::new(switch, "OldThreadId", 8)?,
            state: Accessor::new(switch, "OldThreadState", 8)?,
            reason: Accessor::new(switch, "OldThreadWaitReason", 8)?,
            woken: Accessor::new(ready, "TThreadId", 8)?,
        })
    }
}

/// What a record showed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The wait that it ended.
    pub ended: Option<Ended>,
    /// When the thread that comes to a processor had left one, whether to wait or not.
    pub since: Option<i64>,
    /// When that thread was woken, if it waited and its wake-up is recorded.
    pub woken: Option<i64>,
    /// The thread that left a processor with nothing more to do.
    pub(super) left: Option<Left>,
}

/// Follows the waits of all threads. Memory is bounded by the threads that live at a time.
#[derive(Debug)]
pub struct Waits {
    fields: Option<Fields>,
    threads: FxHashMap<Key, Followed>,
    /// Those that left a processor in the last few milliseconds, in order of time.
    left: VecDeque<Left>,
    runs: usize,
    most_runs: usize,
}

impl Default for Waits {
    fn default() -> Waits {
        Waits {
            fields: Fields::new(),
            threads: FxHashMap::default(),
            left: VecDeque::new(),
            runs: 0,
            most_runs: MOST_RUNS,
        }
    }
}

impl Waits {
    /// Takes the next record in order of time, with the number of its trace, its time in nanoseconds, and the thread that acts.
    pub fn observe(&mut self, source: u32, record: &Record<'_>, time: i64, actor: Option<u32>) -> Seen {
        let Some(fields) = &self.fields else { return Seen::default() };
        let payload = record.payload();
        let id = |field: &Accessor| field.int(payload).map(|value| value as u32);
        match record.hook() {
            Some(hook::THREAD_CSWITCH) => {
                let (Some(old), Some(new)) = (id(&fields.old), id(&fields.new)) else {
                    return Seen::default();
                };
                let state = fields.state.int(payload).map_or(0, |value| value as i8);
                let reason = fields.reason.int(payload).map_or(0, |value| value as i8);
                let left = self.leaves((source, old), time, state, reason);
                Seen { left, ..self.comes((source, new), time) }
            }
            Some(hook::THREAD_READY_THREAD) => {
                let woken = id(&fields.woken).and_then(|tid| self.threads.get_mut(&(source, tid)));
                // The first wake-up ends the wait; a second one finds the thread ready.
                if let Some(off) = woken.and_then(|thread| thread.off.as_mut()) {
                    off.woken.get_or_insert((time, actor.filter(|tid| *tid != 0)));
                }
                Seen::default()
            }
            _ => Seen::default(),
        }
    }

    fn leaves(&mut self, key: Key, time: i64, state: i8, reason: i8) -> Option<Left> {
        self.forget(time);
        // Idle threads all have the id 0.
        if key.1 == 0 {
            return None;
        }
        let thread = self.threads.entry(key).or_default();
        self.runs += thread.runs.leaves(time);
        thread.since = Some(time);
        thread.off = None;
        if !is_done(state) {
            return None;
        }
        thread.is_over = state == ENDED;
        if !thread.is_over {
            thread.off = Some(Off { time, reason, woken: None });
        }
        let left = Left { time, key, total: thread.runs.total(), is_over: thread.is_over };
        if self.left.len() >= MOST_LEFT {
            self.drop_oldest();
        }
        self.left.push_back(left);
        if self.runs > self.most_runs {
            self.runs = self.threads.values_mut().map(|thread| thread.runs.forget_half()).sum();
        }
        Some(left)
    }

    fn comes(&mut self, key: Key, time: i64) -> Seen {
        if key.1 == 0 {
            return Seen::default();
        }
        let thread = self.threads.entry(key).or_default();
        if thread.is_over {
            // Another thread has got the id.
            self.runs = self.runs.saturating_sub(thread.runs.len());
            *thread = Followed::default();
        }
        thread.runs.comes(time);
        let since = thread.since.take();
        let Some(off) = thread.off.take() else { return Seen { since, ..Seen::default() } };
        let wait = Wait { from: off.time, to: time, reason: off.reason };
        let (source, tid) = key;
        let waker = off.woken.and_then(|(_, waker)| waker);
        let ended = Ended { source, tid, wait, is_woken: off.woken.is_some(), waker };
        Seen { ended: Some(ended), since, woken: off.woken.map(|(woken, _)| woken), left: None }
    }

    /// Forgets who left too long ago to be the cause of a wait that ends now.
    fn forget(&mut self, now: i64) {
        while self.left.front().is_some_and(|left| now.saturating_sub(left.time) > FARTHEST) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let Some(left) = self.left.pop_front().filter(|left| left.is_over) else { return };
        if self.threads.get(&left.key).is_some_and(|thread| thread.is_over)
            && let Some(thread) = self.threads.remove(&left.key)
        {
            self.runs = self.runs.saturating_sub(thread.runs.len());
        }
    }

    /// Those that left a processor shortly before a wait ended, and had run for much of it.
    #[must_use]
    pub fn before(&self, ended: &Ended) -> Vec<Suspect> {
        let mut found = Vec::new();
        for left in self.left.iter().rev().filter(|left| left.may_cause(ended)).take(MOST_LOOKS) {
            note(&mut found, self.suspect(ended, left));
        }
        found
    }

    /// Nanoseconds that a thread of the same trace ran during a wait.
    #[must_use]
    pub fn ran(&self, ended: &Ended, tid: u32) -> i64 {
        let thread = self.threads.get(&(ended.source, tid));
        thread.map_or(0, |thread| thread.runs.between(ended.wait.from, ended.wait.to))
    }

    /// A thread as the cause of a wait, if it is a likely one.
    pub(super) fn suspect(&self, ended: &Ended, left: &Left) -> Option<Suspect> {
        let wait = &ended.wait;
        let gap = left.time.saturating_sub(wait.to);
        let ran = self.ran(ended, left.key.1);
        confidence(wait, ran, gap, true).map(|_| Suspect { tid: left.key.1, ran, gap })
    }
}

/// Adds a suspect: of two times at which one thread left, the nearer counts.
pub(super) fn note(found: &mut Vec<Suspect>, suspect: Option<Suspect>) {
    let Some(suspect) = suspect else { return };
    match found.iter_mut().find(|known| known.tid == suspect.tid) {
        Some(known) if known.gap.abs() <= suspect.gap.abs() => {}
        Some(known) => *known = suspect,
        None => found.push(suspect),
    }
}
