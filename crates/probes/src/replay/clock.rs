//! Moments of firings, and the probes that time alone fires.

use tracewell_dlang::program::ProbeId;
use tracewell_etl::{Clock, Record};
use tracewell_state::{StackRef, Stacks, Timeline, Who};

use super::Replay;
use crate::host::{CallStack, is_kernel};

/// When and where a firing happens.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'c> {
    pub(crate) instant: Instant<'c>,
    /// Raw time of the event, by which the machine's tables go.
    pub(crate) raw: i64,
    pub(crate) cpu: u32,
    /// Pointer size of the traced system.
    pub(crate) pointer_bits: u32,
    /// Call stacks, when a clause takes any.
    pub(crate) stack: Option<&'c CallStack<'c>>,
    /// The event, where one fires the probe.
    pub(crate) event: Option<&'c Record<'c>>,
}

/// A point in time. Most firings are never asked for theirs, so an event's is converted on demand.
#[derive(Clone, Copy)]
pub(crate) enum Instant<'c> {
    /// An event's raw time, on its trace's clock, which is so many nanoseconds off the first trace's.
    Event(&'c Clock, i64, i64),
    /// Nanoseconds of the first trace's counter, and since 1970.
    Fixed(i64, i64),
}

impl Instant<'_> {
    /// Nanoseconds of the (first) trace's counter.
    #[inline]
    pub(crate) fn time(self) -> i64 {
        match self {
            Instant::Event(clock, raw, offset) => clock.ns(raw).saturating_add(offset),
            Instant::Fixed(time, _) => time,
        }
    }

    /// Nanoseconds of the (first) trace's counter at another time of the event's trace, which has that clock.
    pub(crate) fn at(self, clock: &Clock, raw: i64) -> i64 {
        match self {
            Instant::Event(_, _, offset) => clock.ns(raw).saturating_add(offset),
            Instant::Fixed(..) => clock.ns(raw),
        }
    }

    /// Nanoseconds since 1970.
    #[inline]
    pub(crate) fn wall(self) -> i64 {
        match self {
            Instant::Event(clock, raw, _) => clock.unix_ns(raw),
            Instant::Fixed(_, wall) => wall,
        }
    }
}

/// A timed probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) probe: ProbeId,
    pub(super) interval: i64,
    pub(super) next: i64,
    pub(super) every_cpu: bool,
}

impl Timed {
    /// Leaves out so many firings.
    fn skip(&mut self, count: i64) -> u64 {
        self.next = self.next.saturating_add(count.saturating_mul(self.interval.max(1)));
        count as u64
    }
}

/// The timed probes that are enabled.
#[derive(Debug)]
pub(super) struct Clocks {
    pub(super) timed: Vec<Timed>,
    /// None fires after this time: an event that claims to be later has a damaged time stamp.
    pub(super) last: i64,
}

impl Clocks {
    /// None, and no last time.
    pub(super) const NONE: Clocks = Clocks { timed: Vec::new(), last: i64::MAX };

    /// When the next one is due.
    pub(super) fn due(&self) -> i64 {
        self.timed.iter().map(|timed| timed.next).min().unwrap_or(i64::MAX)
    }

    /// Whether one fires on every processor.
    pub(super) fn any_on_every_cpu(&self) -> bool {
        self.timed.iter().any(|timed| timed.every_cpu)
    }
}

/// Where a sample found a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    who: Who,
    ip: u64,
    trace: usize,
    found: Option<StackRef>,
}

/// The last sample of each processor: what `profile-N` knows of the code that runs when it fires.
#[derive(Debug, Default)]
pub(super) struct LastSamples(Vec<Option<Sampled>>);

impl LastSamples {
    /// Notes a sample.
    pub(super) fn note(&mut self, cpu: u32, who: Who, ip: u64, trace: usize, found: Option<StackRef>) {
        let at = cpu as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(Sampled { who, ip, trace, found });
    }

    /// The last sample of a processor, when the thread that it found there is still the one that runs, as far as
    /// context switches tell.
    fn of(&self, cpu: u32, who: Who) -> Option<Sampled> {
        let sampled = self.0.get(cpu as usize).copied().flatten();
        sampled.filter(|sampled| who.tid.is_none() || who.tid == sampled.who.tid)
    }
}

/// Most firings of a timed probe between two events: a damaged time stamp must not fire for ever.
const MOST_TICKS: i64 = 1_000_000;
/// Rounds of timed probes between two questions whether to go on.
const ROUNDS: u32 = 1024;

impl Replay<'_> {
    /// Fires the timed probes that are due when an event comes at this moment, in order of time. `epoch` is
    /// the wall time at 0 of the clock. Yields when the next one is due; [`None`] when `proceed` says to stop.
    ///
    /// A trace tells where a processor is only when it is sampled. Probes that fire on every processor show the last
    /// sample's address and stack, as long as no other thread has run there since.
    #[allow(clippy::too_many_arguments, reason = "one firing's facts; they have no common life")]
    pub(super) fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut Clocks,
        cpus: u32,
        event: Moment<'_>,
        epoch: i64,
        stacks: Option<&Stacks>,
        mut proceed: impl FnMut() -> bool,
    ) -> Option<i64> {
        let now = event.instant.time();
        let until = now.min(clocks.last);
        for timed in &mut clocks.timed {
            let due = until.saturating_sub(timed.next) / timed.interval.max(1);
            if due > MOST_TICKS {
                self.outcome.ticks_left_out += timed.skip(due - MOST_TICKS);
            }
        }
        let mut rounds = 0u32;
        loop {
            rounds = rounds.wrapping_add(1);
            if rounds.is_multiple_of(ROUNDS) && !proceed() {
                return None;
            }
            let due = clocks.due();
            if due > until || due == i64::MAX || self.engine.stopped() {
                break;
            }
            let instant = Instant::Fixed(due, epoch.saturating_add(due));
            for timed in clocks.timed.iter_mut().filter(|timed| timed.next == due) {
                timed.next = timed.next.saturating_add(timed.interval);
                for cpu in 0..if timed.every_cpu { cpus } else { 1 } {
                    let who = self.running(timeline, cpu);
                    let sampled = if timed.every_cpu { self.samples.of(cpu, who) } else { None };
                    let who = sampled.map_or(who, |sampled| sampled.who);
                    let stack = sampled.zip(stacks).map(|(Sampled { trace, found, .. }, stacks)| CallStack {
                        stacks,
                        trace,
                        found,
                        own: None,
                    });
                    let at = Moment { instant, cpu, stack: stack.as_ref(), ..event };
                    let ip = sampled.map_or(0, |sampled| sampled.ip);
                    let kernel = is_kernel(ip, at.pointer_bits);
                    self.fire(timeline, timed.probe, at, who, &[], |host| {
                        host.args[usize::from(!kernel)] = ip;
                    });
                }
            }
        }
        for timed in clocks.timed.iter_mut().filter(|timed| timed.next <= now && now > until) {
            let due = (now - timed.next) / timed.interval.max(1) + 1;
            self.outcome.ticks_left_out += timed.skip(due);
        }
        Some(clocks.due())
    }
}
