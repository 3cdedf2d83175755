//! What went on in a stretch of time: what one thread did, who else ran, and who left a processor when it came back.

use rustc_hash::FxHashMap;
use tracewell_etl::Merge;
use tracewell_etl::read::Wanted;
use tracewell_schema::kernel::hook;
use tracewell_state::waits::{Candidate, Wait};

use crate::activity::{Activity, Change};

/// How long after the end of a stretch threads are still watched, in nanoseconds.
const AFTER: i64 = 10_000_000;
/// State of a thread that waits.
const WAITING: i8 = 5;

/// A stretch of time and the thread that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The thread by number.
    pub thread: u32,
    /// Nanoseconds since the start of the trace.
    pub from: i64,
    /// Its end.
    pub to: i64,
}

/// What went on in a stretch.
#[derive(Clone, Debug, Default)]
pub struct Meanwhile {
    /// Nanoseconds that the thread ran.
    pub ran: i64,
    /// Nanoseconds that it waited.
    pub waited: i64,
    /// Nanoseconds that it was ready without a processor.
    pub ready: i64,
    /// Its waits by reason, in nanoseconds.
    pub reasons: FxHashMap<i8, i64>,
    /// Its longest wait inside the stretch.
    pub longest: Option<Wait>,
    /// What other threads did.
    pub others: FxHashMap<u32, Candidate>,
    /// Samples by process.
    pub samples: FxHashMap<u32, u64>,
    /// Threads that woke it, and how often.
    pub wakers: FxHashMap<u32, u64>,
}

/// The stretch, with what its thread and others did so far.
struct Watch {
    stretch: Stretch,
    seen: Meanwhile,
    off: Option<(i64, i8, bool)>,
}

/// Looks at stretches of time, in one pass over the switches, samples and wake-ups of the traces.
#[must_use]
pub fn meanwhile(activity: &Activity<'_>, stretches: &[Stretch]) -> Vec<Meanwhile> {
    let mut watches: Vec<Watch> =
        stretches.iter().map(|&stretch| Watch { stretch, seen: Meanwhile::default(), off: None }).collect();
    if watches.is_empty() {
        return Vec::new();
    }
    let mut wanted = Wanted::nothing();
    for number in [hook::THREAD_CSWITCH, hook::PERF_INFO_SAMPLE_PROFILE, hook::THREAD_READY_THREAD] {
        wanted.add_hook(number);
    }
    let end = activity.collected.extent.map_or(0, |(_, last)| last);
    let mut walk = activity.walk();
    let mut on: FxHashMap<(usize, u16), i64> = FxHashMap::default();
    let mut records = Merge::only(activity.traces, &wanted);
    while let Some((trace, record)) = records.next() {
        let Some(step) = walk.step(trace, &record) else { continue };
        match record.hook() {
            Some(hook::THREAD_CSWITCH) => {
                let Some(switch) = step.switch else { continue };
                let since = on.insert((step.side, record.cpu()), step.time);
                for watch in &mut watches {
                    watch.switch(step.time, since, &switch);
                }
            }
            Some(hook::PERF_INFO_SAMPLE_PROFILE) => {
                let Some(thread) = step.thread else { continue };
                let process = activity.collected.people.threads.get(thread as usize).map_or(0, |t| t.process);
                for watch in watches.iter_mut().filter(|watch| watch.is_inside(step.time)) {
                    *watch.seen.samples.entry(process).or_default() += 1;
                }
            }
            _ => {
                let (Some(waker), Some(woken)) = (step.thread, step.woken) else { continue };
                let is_of = |watch: &&mut Watch| watch.stretch.thread == woken && watch.is_inside(step.time);
                for watch in watches.iter_mut().filter(is_of) {
                    *watch.seen.wakers.entry(waker).or_default() += 1;
                }
            }
        }
    }
    watches.into_iter().map(|watch| watch.finish(end)).collect()
}

impl Watch {
    fn is_inside(&self, time: i64) -> bool {
        (self.stretch.from..self.stretch.to).contains(&time)
    }

    fn inside(&self, from: i64, to: i64) -> i64 {
        (to.min(self.stretch.to) - from.max(self.stretch.from)).max(0)
    }

    fn switch(&mut self, time: i64, since: Option<i64>, change: &Change) {
        let Stretch { thread, to, .. } = self.stretch;
        let ran = since.map_or(0, |since| self.inside(since, time));
        if change.old == thread {
            self.seen.ran += ran;
            self.off = Some((time, change.reason, change.state == WAITING));
        } else if time <= to.saturating_add(AFTER) && (ran > 0 || self.is_inside(time)) {
            let other = self.seen.others.entry(change.old).or_default();
            other.ran += ran;
            other.leaves(time, change.state, change.reason, self.seen.longest.map(|wait| wait.to));
        }
        if change.new == thread
            && let Some(off) = self.off.take()
        {
            self.came_back(off, time);
        }
    }

    fn came_back(&mut self, (off, reason, was_waiting): (i64, i8, bool), time: i64) {
        let away = self.inside(off, time);
        if away == 0 {
            return;
        }
        if !was_waiting {
            self.seen.ready += away;
            return;
        }
        self.seen.waited += away;
        *self.seen.reasons.entry(reason).or_default() += away;
        let wait = Wait { from: off.max(self.stretch.from), to: time.min(self.stretch.to), reason };
        if self.seen.longest.is_none_or(|longest| away > longest.to - longest.from) {
            self.seen.longest = Some(wait);
            for other in self.seen.others.values_mut() {
                other.after = None;
            }
        }
    }

    fn finish(mut self, end: i64) -> Meanwhile {
        if let Some(off) = self.off.take() {
            self.came_back(off, end.min(self.stretch.to));
        }
        self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a thread did is what one sees who looks at each moment of a stretch.
    #[test]
    fn issue_23_a_stretch_is_split_into_running_waiting_and_ready() {
        let mut seed = 5u64;
        let mut next = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) as i64) % below
        };
        for _ in 0..500 {
            let (from, to) = (next(60), 60 + next(60));
            let stretch = Stretch { thread: 1, from, to };
            let mut watch = Watch { stretch, seen: Meanwhile::default(), off: None };
            // One processor, on which the thread takes turns with another one.
            let (mut time, mut since, mut on, mut away) = (0, None, 1, (1u8, 0i8));
            let mut moments = Vec::new();
            while time < 150 {
                let took = 1 + next(20);
                let (state, reason) = (if next(2) == 0 { WAITING } else { 1 }, next(3) as i8);
                // Before the first switch nothing is known.
                let what = if on == 2 { away } else { (if since.is_some() { 0 } else { 9 }, 0) };
                moments.push((time, time + took, what));
                time += took;
                watch.switch(time, since, &Change { old: on, new: 3 - on, state, reason });
                if on == 1 {
                    away = (if state == WAITING { 1 } else { 2 }, reason);
                }
                since = Some(time);
                on = 3 - on;
            }
            let end = time;
            let seen = watch.finish(end);
            let inside = |kind: u8, reason: Option<i8>| -> i64 {
                let of = moments
                    .iter()
                    .filter(|(.., (k, r))| *k == kind && reason.is_none_or(|reason| *r == reason));
                of.map(|(a, b, _)| (*b.min(&to) - *a.max(&from)).max(0)).sum()
            };
            assert_eq!(
                (seen.ran, seen.waited, seen.ready),
                (inside(0, None), inside(1, None), inside(2, None)),
                "{stretch:?} {moments:?}"
            );
            for reason in 0..3 {
                assert_eq!(seen.reasons.get(&reason).copied().unwrap_or(0), inside(1, Some(reason)));
            }
            let waits = moments.iter().filter(|(a, b, (kind, _))| *kind == 1 && *a.max(&from) < *b.min(&to));
            let mut longest: Option<Wait> = None;
            for (a, b, (_, reason)) in waits {
                let wait = Wait { from: *a.max(&from), to: *b.min(&to), reason: *reason };
                if longest.is_none_or(|known| wait.to - wait.from > known.to - known.from) {
                    longest = Some(wait);
                }
            }
            assert_eq!(
                seen.longest.map(|wait| (wait.from, wait.to, wait.reason)),
                longest.map(|wait| (wait.from, wait.to, wait.reason))
            );
        }
    }
}
