//! Processor time by context switches: who ran, waited, and was ready without a processor.

use rustc_hash::FxHashMap;
use tracewell_schema::kernel::{self, hook};

use crate::limits::Limits;
use crate::slots::{FINEST, Slots, Sum};

/// Two stretches of running belong to one burst if less than this lies between, in nanoseconds.
const BURST_GAP: i64 = 50_000_000;
/// Least processor time of a burst that is kept.
const LEAST_BURST: i64 = 100_000_000;
/// State of a thread that waits.
const WAITING: i8 = 5;

/// What a thread spent its time with.
#[derive(Clone, Debug, Default)]
pub struct Time {
    /// Nanoseconds on a processor.
    pub ran: i64,
    /// Nanoseconds from leaving a processor to wait until running again. What the trace cuts off is not in it.
    pub waited: i64,
    /// Nanoseconds pre-empted: able to run, without a processor.
    pub ready: i64,
    /// Nanoseconds from being woken until running. They are part of `waited`.
    pub woken: i64,
    /// How often it came onto a processor.
    pub switches: u64,
    /// The longest wait: its length, start and reason.
    pub longest: Option<(i64, i64, i8)>,
    /// Waits by reason: their number and sum.
    pub reasons: FxHashMap<i8, (u64, i64)>,
    /// How often other threads woke it.
    pub wakers: FxHashMap<u32, u64>,
    /// Stretches of time in which it ran nearly all the time.
    pub bursts: Vec<Burst>,
}

/// A stretch of time in which a thread ran without long breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burst {
    /// Nanoseconds since the start of the trace.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Processor time in it.
    pub ran: i64,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// When it left its processor, why, and whether to wait.
    off: Option<(i64, i8, bool)>,
    /// When it was woken.
    woken: Option<i64>,
    burst: Burst,
}

/// A long wait for a resource of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongWait {
    /// The thread.
    pub thread: u32,
    /// Its start.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Why: a number of `KWAIT_REASON`.
    pub reason: i8,
}

/// A long time away from the processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away {
    /// The thread.
    pub thread: u32,
    /// Its start.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Why: a number of `KWAIT_REASON`.
    pub reason: i8,
    /// Whether it waited; else it was ready.
    pub is_waiting: bool,
}

/// Short times away from the processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shorts {
    /// How often the thread came onto a processor, after a short time away or a long one.
    pub switches: u64,
    /// Nanoseconds that it waited.
    pub waited: i64,
    /// Nanoseconds that it was ready without a processor.
    pub ready: i64,
    /// The longest wait.
    pub longest: i64,
}

impl Sum for Shorts {
    fn absorb(&mut self, other: Shorts) {
        self.switches += other.switches;
        self.waited = self.waited.saturating_add(other.waited);
        self.ready = self.ready.saturating_add(other.ready);
        self.longest = self.longest.max(other.longest);
    }
}

/// Times away from the processors, so that parts of the time can be looked at.
#[derive(Debug, Default)]
pub struct Aways {
    /// Those that are no shorter than the finest slot, by end.
    pub long: Vec<Away>,
    /// The others, and those beyond the limit, by slot of their end and thread.
    pub short: Slots<u32, Shorts>,
    /// Long ones beyond the limit.
    pub beyond: u64,
    pub(crate) limits: Limits,
}

impl Aways {
    fn add(&mut self, away: Away) {
        let took = away.to.saturating_sub(away.from).max(0);
        let mut sums = Shorts { switches: 1, ..Shorts::default() };
        if took < FINEST || self.long.len() >= self.limits.aways {
            self.beyond += u64::from(took >= FINEST);
            match away.is_waiting {
                true => (sums.waited, sums.longest) = (took, took),
                false => sums.ready = took,
            }
        } else {
            self.long.push(away);
        }
        self.short.add(away.to, away.thread, sums);
    }
}

/// Processor time by thread.
#[derive(Debug, Default)]
pub struct Cpu {
    /// By thread.
    pub times: Vec<Time>,
    /// Processor time by slot and thread, in nanoseconds.
    pub slots: Slots<u32>,
    /// Times away from the processors.
    pub aways: Aways,
    /// Context switches.
    pub switches: u64,
    /// Records of threads made ready.
    pub wakeups: u64,
    /// Waits for the kernel's resources, the longest first.
    pub long_waits: Vec<LongWait>,
    /// Bursts beyond the limit of a thread.
    pub bursts_beyond: u64,
    pub(crate) limits: Limits,
    places: Vec<Place>,
    on: Vec<Option<i64>>,
}

/// Reasons of waits that a thread never chooses to idle in: for memory, pages, and the kernel's locks.
const RESOURCE_WAITS: [&str; 10] = [
    "FreePage",
    "PageIn",
    "WrFreePage",
    "WrPageIn",
    "WrVirtualMemory",
    "WrResource",
    "WrPushLock",
    "WrFastMutex",
    "WrGuardedMutex",
    "WrRundown",
];
/// Least length of a long wait, and most that are kept.
const LEAST_LONG_WAIT: i64 = 20_000_000;
const MOST_LONG_WAITS: usize = 256;

/// The name of a reason to wait.
#[must_use]
pub fn reason_name(reason: i8) -> &'static str {
    let switch = kernel::event_of_hook((hook::THREAD_CSWITCH >> 8) as u8, hook::THREAD_CSWITCH as u8, 2);
    let field =
        switch.and_then(|event| event.version.fields.iter().find(|f| f.name == "OldThreadWaitReason"));
    let names = field.and_then(|field| field.map.as_ref()).map(tracewell_schema::MapRef::get);
    names.and_then(|names| names.name_of(u64::try_from(reason).ok()?)).unwrap_or("unknown")
}

impl Cpu {
    /// The times of a thread.
    #[must_use]
    pub fn time(&self, thread: u32) -> Option<&Time> {
        self.times.get(thread as usize)
    }

    fn place(&mut self, thread: u32) -> (&mut Time, &mut Place) {
        let at = thread as usize;
        if at >= self.times.len() {
            self.times.resize_with(at + 1, Time::default);
            self.places.resize_with(at + 1, Place::default);
        }
        (&mut self.times[at], &mut self.places[at])
    }

    /// A context switch on a processor, with the state that the old thread is left in and the reason of its wait.
    pub(crate) fn switch(&mut self, time: i64, cpu: u16, old: u32, new: u32, state: i8, reason: i8) {
        self.switches += 1;
        let cpu = usize::from(cpu);
        if cpu >= self.on.len() {
            self.on.resize(cpu + 1, None);
        }
        let since = self.on[cpu].replace(time);
        let is_waiting = state == WAITING;
        let most = self.limits.bursts;
        let (times, place) = self.place(old);
        place.off = Some((time, reason, is_waiting));
        place.woken = None;
        if let Some(since) = since {
            let ran = time.saturating_sub(since).max(0);
            times.ran += ran;
            let is_kept = extend(times, place, (since, time, ran), most);
            self.bursts_beyond += u64::from(!is_kept);
            self.slots.add_stretch(since, time, old);
        }
        let (times, place) = self.place(new);
        times.switches += 1;
        let woken = place.woken.take();
        let Some((off, reason, was_waiting)) = place.off.take() else {
            self.aways.short.add(time, new, Shorts { switches: 1, ..Shorts::default() });
            return;
        };
        let away = time.saturating_sub(off).max(0);
        self.aways.add(Away { thread: new, from: off, to: time, reason, is_waiting: was_waiting });
        let (times, _) = self.place(new);
        if !was_waiting {
            times.ready += away;
            return;
        }
        times.waited += away;
        times.woken += woken.map_or(0, |woken| time.saturating_sub(woken).max(0));
        let of_reason = times.reasons.entry(reason).or_default();
        *of_reason = (of_reason.0 + 1, of_reason.1 + away);
        if times.longest.is_none_or(|(longest, ..)| away > longest) {
            times.longest = Some((away, off, reason));
        }
        if away >= LEAST_LONG_WAIT && RESOURCE_WAITS.contains(&reason_name(reason)) {
            self.keep(LongWait { thread: new, from: off, to: time, reason });
        }
    }

    fn keep(&mut self, wait: LongWait) {
        self.long_waits.push(wait);
        if self.long_waits.len() >= MOST_LONG_WAITS * 2 {
            self.sort_waits();
        }
    }

    fn sort_waits(&mut self) {
        self.long_waits.sort_by_key(|wait| (wait.from - wait.to, wait.from));
        self.long_waits.truncate(MOST_LONG_WAITS);
    }

    /// A thread was made ready by another one.
    pub(crate) fn ready(&mut self, time: i64, woken: u32, waker: u32) {
        self.wakeups += 1;
        let (times, place) = self.place(woken);
        *times.wakers.entry(waker).or_default() += 1;
        if place.off.is_some_and(|(.., is_waiting)| is_waiting) {
            place.woken.get_or_insert(time);
        }
    }

    /// The trace is over.
    pub(crate) fn finish(&mut self) {
        let most = self.limits.bursts;
        for (times, place) in self.times.iter_mut().zip(&mut self.places) {
            self.bursts_beyond += u64::from(!close(times, &mut place.burst, most));
        }
        self.sort_waits();
    }
}

/// Adds to the burst of a thread. Returns `false` if there are too many to keep the one before.
fn extend(times: &mut Time, place: &mut Place, (from, to, ran): (i64, i64, i64), most: usize) -> bool {
    let burst = &mut place.burst;
    if burst.ran > 0 && from.saturating_sub(burst.to) < BURST_GAP {
        burst.to = to;
        burst.ran += ran;
        return true;
    }
    let is_kept = close(times, burst, most);
    *burst = Burst { from, to, ran };
    is_kept
}

/// Keeps a burst that is over. Returns `false` if there are too many.
fn close(times: &mut Time, burst: &mut Burst, most: usize) -> bool {
    let is_long = burst.ran >= LEAST_BURST;
    let has_room = times.bursts.len() < most;
    if is_long && has_room {
        times.bursts.push(*burst);
    }
    burst.ran = 0;
    has_room || !is_long
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn time_is_ran_waited_or_ready() {
        let mut cpu = Cpu::default();
        // Thread 1 runs 200 ms, is pre-empted for 10, runs 50, waits 100 and is woken 30 before it runs.
        cpu.switch(0, 0, 0, 1, 2, 0);
        cpu.switch(200 * MS, 0, 1, 2, 1, 30);
        cpu.switch(210 * MS, 0, 2, 1, WAITING, 6);
        cpu.switch(260 * MS, 0, 1, 0, WAITING, 27);
        cpu.ready(330 * MS, 1, 2);
        cpu.switch(360 * MS, 0, 0, 1, 2, 0);
        cpu.finish();
        let time = cpu.time(1).unwrap();
        assert_eq!((time.ran, time.waited, time.ready, time.woken), (250 * MS, 100 * MS, 10 * MS, 30 * MS));
        assert_eq!(time.longest, Some((100 * MS, 260 * MS, 27)));
        assert_eq!(time.bursts, [Burst { from: 0, to: 260 * MS, ran: 250 * MS }]);
        assert_eq!(cpu.long_waits, [LongWait { thread: 1, from: 260 * MS, to: 360 * MS, reason: 27 }]);
        assert_eq!((reason_name(27), reason_name(-1), time.wakers[&2]), ("WrResource", "unknown", 1));
        assert_eq!(cpu.slots.total_by(|_| true, |thread| thread)[&1], 250 * MS as u64);
    }
}
