//! The threads that have thread-local variables.
//!
//! The key of such variables is the instance of a thread: its id, and the number of threads that had this id before. What a
//! thread left when it ended is no later thread's, and is freed once there is much of it.

use rustc_hash::FxHashMap;
use tracewell_state::{FOREVER, Machine, Who};

/// The last thread with an id for which variables were used.
#[derive(Clone, Copy, Debug)]
struct Instance {
    number: u32,
    /// When it began, where the machine knows the thread.
    start: Option<i64>,
    pid: Option<u32>,
    /// Raw time of its last use.
    last: i64,
}

impl Instance {
    /// Returns `true` if another thread had the id: it began after the last use, or is one of another process where threads
    /// are not known.
    fn is_other(&self, start: Option<i64>, pid: Option<u32>) -> bool {
        match start {
            Some(start) => self.start != Some(start) && start >= self.last,
            None => self.start.is_none() && self.pid.zip(pid).is_some_and(|(one, other)| one != other),
        }
    }

    /// Returns `true` if the machine knows at a raw time that the thread had ended before another one.
    fn is_over(&self, tid: u32, machine: &Machine, before: i64, now: i64) -> bool {
        match machine.thread_at(tid, now).and_then(|thread| machine.thread(thread)) {
            Some(thread) => thread.end < before || thread.start > self.last,
            // The machine forgets only what has ended, except threads that no event defines.
            None => self.start.is_some_and(|start| start != FOREVER),
        }
    }
}

/// The threads for which variables were used.
#[derive(Debug)]
pub(crate) struct Instances {
    known: FxHashMap<u32, Instance>,
    /// Threads whose id another one has, and that may have variables still.
    replaced: usize,
    /// From how many on those that have ended are looked for.
    many: usize,
    /// From how many on the system is asked for those that have ended.
    many_to_ask: usize,
}

impl Default for Instances {
    fn default() -> Instances {
        Instances { known: FxHashMap::default(), replaced: 0, many: Self::FEW, many_to_ask: Self::FEW }
    }
}

impl Instances {
    /// Threads that are never too many.
    const FEW: usize = 256;
    /// The number of idle threads, in place of one of instances: each processor has one, and all of these have the id 0.
    const IDLE: u32 = u32::MAX;

    /// The key of an idle thread, and of no thread, on a processor.
    pub(crate) fn idle(cpu: u32) -> u64 {
        key(cpu, Self::IDLE)
    }

    /// The key of a thread that acts at a raw time.
    #[inline]
    pub(crate) fn key(&mut self, tid: u32, who: &Who, machine: &Machine, now: i64) -> u64 {
        let start = who.thread.and_then(|thread| machine.thread(thread)).map(|thread| thread.start);
        let new = Instance { number: 0, start, pid: who.pid, last: now };
        let known = self.known.entry(tid).or_insert(new);
        if known.is_other(start, who.pid) {
            *known = Instance { number: (known.number + 1) % Self::IDLE, ..new };
            self.replaced += 1;
        }
        known.start = start.or(known.start);
        known.pid = who.pid.or(known.pid);
        known.last = known.last.max(now);
        key(tid, known.number)
    }

    /// Returns `true` if those that have ended are to be forgotten.
    #[inline]
    pub(crate) fn are_many(&self) -> bool {
        self.known.len() + self.replaced >= self.many
    }

    /// Returns `true` if the system is to be asked which of them have ended.
    pub(crate) fn are_many_to_ask(&self) -> bool {
        self.known.len() >= self.many_to_ask
    }

    /// Forgets those that had ended before a raw time according to the machine.
    pub(crate) fn forget(&mut self, machine: &Machine, before: i64, now: i64) {
        self.known.retain(|&tid, instance| !instance.is_over(tid, machine, before, now));
        self.replaced = 0;
        self.many = (2 * self.known.len()).max(Self::FEW);
    }

    /// Forgets those for which `is_over` holds.
    pub(crate) fn forget_each(&mut self, mut is_over: impl FnMut(u32) -> bool) {
        self.known.retain(|&tid, _| !is_over(tid));
        self.many_to_ask = (2 * self.known.len()).max(Self::FEW);
    }

    /// Returns `true` if a key is that of a thread whose variables may still be used.
    pub(crate) fn has(&self, key: u64) -> bool {
        let (tid, number) = (key as u32, (key >> 32) as u32);
        number == Self::IDLE || self.known.get(&tid).is_some_and(|known| known.number == number)
    }
}

fn key(tid: u32, number: u32) -> u64 {
    u64::from(number) << 32 | u64::from(tid)
}
