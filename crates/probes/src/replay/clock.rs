//! Moments of firings, and the probes that time alone fires.

use tracewell_dlang::program::ProbeId;
use tracewell_etl::Clock;
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
const MOST_TICKS: i64 = 10_000_000;

impl Replay<'_> {
    /// Fires the timed probes that are due when an event comes at this moment, in order of time. `epoch` is
    /// the wall time at 0 of the clock. Yields when the next one is due.
    ///
    /// A trace tells where a processor is only when it is sampled. Probes that fire on every processor show the last
    /// sample's address and stack, as long as no other thread has run there since.
    pub(super) fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut [Timed],
        cpus: u32,
        event: Moment<'_>,
        epoch: i64,
        stacks: Option<&Stacks>,
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
    }
}
