//! Moments of firings, and the probes that time alone fires.

use tracewell_dlang::program::ProbeId;
use tracewell_etl::Clock;
use tracewell_state::Timeline;

use super::Replay;
use crate::host::CallStack;

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

/// Most firings of a timed probe between two events: a damaged time stamp must not fire for ever.
const MOST_TICKS: i64 = 10_000_000;

impl Replay<'_> {
    /// Fires the timed probes that are due when an event comes at this moment, in order of time. `epoch` is
    /// the wall time at 0 of the clock. Yields when the next one is due.
    pub(super) fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut [Timed],
        cpus: u32,
        event: Moment<'_>,
        epoch: i64,
    ) -> i64 {
        let now = event.instant.time();
        for timed in clocks.iter_mut() {
            let due = now.saturating_sub(timed.next) / timed.interval.max(1);
            if due > MOST_TICKS {
                let left_out = due - MOST_TICKS;
                timed.next = timed.next.saturating_add(left_out.saturating_mul(timed.interval));
                self.outcome.ticks_left_out += left_out as u64;
            }
        }
        loop {
            let due = clocks.iter().map(|c| c.next).min().unwrap_or(i64::MAX);
            if due > now || due == i64::MAX || self.engine.stopped() {
                return due;
            }
            let instant = Instant::Fixed(due, epoch.saturating_add(due));
            for timed in clocks.iter_mut().filter(|c| c.next == due) {
                timed.next = timed.next.saturating_add(timed.interval);
                for cpu in 0..if timed.every_cpu { cpus } else { 1 } {
                    let who = self.running(timeline, cpu);
                    let at = Moment { instant, cpu, stack: None, ..event };
                    self.fire(timeline, timed.probe, at, who, &[], |_| {});
                }
            }
        }
    }
}
