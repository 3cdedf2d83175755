//! How long each thread has been on processors: `vtimestamp`.
//!
//! Context switches say when a thread came to a processor and left it. What ran on a processor before its first switch is taken to
//! have run since the beginning. Without any switch the value is the time since the beginning.

use rustc_hash::FxHashMap;

/// The time that a thread has run.
#[derive(Clone, Copy, Debug, Default)]
struct Ran {
    /// Nanoseconds until it left a processor last.
    total: i64,
    /// When it came to the processor on which it runs.
    since: Option<i64>,
    /// It has ended: who comes next is another thread with its id.
    ended: bool,
}

/// The times that threads have run. All times are nanoseconds of one clock.
#[derive(Debug, Default)]
pub(crate) struct CpuTimes {
    began: i64,
    threads: FxHashMap<u64, Ran>,
    /// The processors on which threads have been switched.
    switched: Vec<bool>,
}

/// Distinguishes threads: each processor has an idle thread, and all of these have the id 0.
fn key(tid: u32, cpu: u32) -> u64 {
    if tid == 0 { 1 << 32 | u64::from(cpu) } else { u64::from(tid) }
}

impl CpuTimes {
    /// Before the first event.
    pub(crate) fn new(began: i64) -> CpuTimes {
        CpuTimes { began, ..CpuTimes::default() }
    }

    /// Notes a context switch on a processor. `ends` says that the thread that leaves it has ended.
    pub(crate) fn switch(&mut self, (old, ends): (u32, bool), new: u32, cpu: u16, now: i64) {
        let place = usize::from(cpu);
        if place >= self.switched.len() {
            self.switched.resize(place + 1, false);
        }
        let first = !std::mem::replace(&mut self.switched[place], true);
        let began = self.began;
        let since_the_beginning = || Ran { since: first.then_some(began), ..Ran::default() };
        let left = self.threads.entry(key(old, cpu.into())).or_insert_with(since_the_beginning);
        if let Some(since) = left.since.take() {
            left.total = left.total.saturating_add(now.saturating_sub(since));
        }
        left.ended = ends;
        let comes = self.threads.entry(key(new, cpu.into())).or_default();
        let total = if comes.ended { 0 } else { comes.total };
        *comes = Ran { total, since: Some(now), ended: false };
    }

    /// Nanoseconds that a thread has run at a time, and 1 more: clauses ask whether a time has been noted.
    pub(crate) fn of(&self, tid: Option<u32>, cpu: u32, now: i64) -> i64 {
        let known = tid.and_then(|tid| self.threads.get(&key(tid, cpu)));
        let is_switched = || self.switched.get(cpu as usize).is_some_and(|switched| *switched);
        let ran = match known {
            Some(ran) => ran.total.saturating_add(ran.since.map_or(0, |since| now.saturating_sub(since))),
            None if tid.is_some() && is_switched() => 0,
            None => now.saturating_sub(self.began),
        };
        ran.saturating_add(1)
    }

    /// Returns `true` if it has seen no context switch, so that all its values are times that have passed.
    pub(crate) fn is_elapsed(&self) -> bool {
        self.switched.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_15_times_on_processors_are_sums_of_runs() {
        let mut times = CpuTimes::new(100);
        assert!(times.is_elapsed());
        assert_eq!(times.of(Some(7), 1, 100), 1, "never 0");
        assert_eq!(times.of(Some(7), 1, 130), 31);
        assert_eq!(times.of(None, 1, 130), 31);
        // The thread that leaves, whether it has ended, the one that comes, processor and time; what threads have run then.
        for ((old, ends, new, cpu, now), ran) in [
            ((7, false, 8, 1, 150), vec![(7, 1, 50), (8, 1, 0), (9, 1, 0), (9, 0, 50)]),
            ((9, false, 7, 0, 160), vec![(7, 0, 50), (8, 1, 10), (9, 0, 60)]),
            ((7, false, 0, 0, 200), vec![(7, 0, 90), (8, 1, 50), (0, 0, 0)]),
            ((8, true, 0, 1, 210), vec![(8, 1, 60), (0, 0, 10), (0, 1, 0)]),
            // The switch to this one was lost: nothing is known about how long it ran.
            ((5, false, 7, 1, 230), vec![(5, 1, 0), (7, 1, 90), (0, 0, 30), (8, 1, 60)]),
            // It comes to another processor, and when it left the one before was lost.
            ((0, false, 7, 0, 250), vec![(7, 0, 90), (0, 0, 50), (0, 1, 40)]),
            // A new thread has the id of one that has ended.
            ((7, false, 8, 0, 260), vec![(7, 0, 100), (8, 0, 0)]),
            ((8, false, 7, 0, 265), vec![(7, 0, 100), (8, 0, 5)]),
        ] {
            times.switch((old, ends), new, cpu, now);
            for (tid, cpu, expected) in ran {
                assert_eq!(times.of(Some(tid), cpu, now) - 1, expected, "thread {tid} at {now}");
            }
        }
        assert!(!times.is_elapsed());
    }
}
