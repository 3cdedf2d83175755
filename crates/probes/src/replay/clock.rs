//! Timed probes: when each is due, and where processors are at that time according to samples.

use tracewell_dlang::program::ProbeId;
use tracewell_state::{StackRef, Who};

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
    pub(super) fn skip(&mut self, count: i64) -> u64 {
        self.next = self.next.saturating_add(count.saturating_mul(self.interval.max(1)));
        count as u64
    }

    /// Number of firings up to a time, which may be further from the next one than any number says.
    fn due_until(&self, time: i64) -> i64 {
        let beyond = time.saturating_sub(self.next);
        if beyond < 0 { 0 } else { (beyond / self.interval.max(1)).saturating_add(1) }
    }

    /// Leaves out all firings up to a time.
    pub(super) fn skip_to(&mut self, now: i64) -> u64 {
        self.skip(self.due_until(now))
    }
}

/// The timed probes that are enabled.
#[derive(Debug)]
pub(super) struct Clocks {
    pub(super) timed: Vec<Timed>,
    /// None fires after this time: an event that claims to be later has a damaged time stamp.
    pub(super) last: i64,
    /// Firings that recorded time may still cause.
    pub(super) allowed: i64,
}

/// Firings that recorded time may cause at any rate, and for each event that lets time pass. A trace of a few events with
/// damaged times must not keep a script busy for hours.
pub(super) const ALLOWED: i64 = 1_000_000;
const ALLOWED_BY_EVENT: i64 = 1_000;

impl Clocks {
    /// None, and no last time.
    pub(super) const NONE: Clocks = Clocks { timed: Vec::new(), last: i64::MAX, allowed: ALLOWED };

    /// When the next one is due.
    pub(super) fn due(&self) -> i64 {
        self.timed.iter().map(|timed| timed.next).min().unwrap_or(i64::MAX)
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        !self.timed.is_empty()
    }

    /// Begins to count the time from here on.
    pub(super) fn start(&mut self, now: i64) {
        for timed in &mut self.timed {
            timed.next = now.saturating_add(timed.interval);
        }
    }

    /// An event lets time pass up to a moment, on so many processors. Leaves out the firings beyond those that are allowed, and
    /// returns their number.
    pub(super) fn allow(&mut self, until: i64, cpus: u32) -> u64 {
        self.allowed = self.allowed.saturating_add(ALLOWED_BY_EVENT);
        let weight = |timed: &Timed| if timed.every_cpu { i64::from(cpus) } else { 1 };
        let all: i64 = self.timed.iter().map(weight).sum();
        let most = self.allowed / all.max(1);
        let mut left_out = 0_u64;
        for timed in &mut self.timed {
            let due = timed.due_until(until);
            if due > most {
                left_out = left_out.saturating_add(timed.skip(due - most));
            }
            self.allowed -= due.min(most) * weight(timed);
        }
        left_out
    }

    /// Whether one fires on every processor.
    pub(super) fn any_on_every_cpu(&self) -> bool {
        self.timed.iter().any(|timed| timed.every_cpu)
    }
}

/// Where a sample found a processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled {
    pub(super) who: Who,
    pub(super) ip: u64,
    pub(super) trace: usize,
    pub(super) found: Option<StackRef>,
}

/// The last sample of each processor: the code that `profile-N` shows when it fires.
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

    /// The last sample of a processor, if the sampled thread is still running according to context switches.
    pub(super) fn of(&self, cpu: u32, who: Who) -> Option<Sampled> {
        let sampled = self.0.get(cpu as usize).copied().flatten();
        sampled.filter(|sampled| who.tid.is_none() || who.tid == sampled.who.tid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(probe: u32, interval: i64, every_cpu: bool) -> Timed {
        Timed { probe: ProbeId(probe), interval, next: 0, every_cpu }
    }

    #[test]
    fn issue_23_firings_left_out_are_not_due_again() {
        for (interval, count, want) in [(10, 3, 130), (10, 0, 100), (0, 7, 107), (i64::MAX, 2, i64::MAX)] {
            let mut left_out = Timed { next: 100, ..timed(1, interval, false) };
            assert_eq!((left_out.skip(count), left_out.next), (count as u64, want), "{interval} {count}");
        }
    }

    /// A trace of few events with times far apart, of as many processors as its header likes to claim.
    #[test]
    fn issue_14_firings_are_bounded_by_the_number_of_events() {
        for (every_cpu, cpus, interval) in [(false, 4096, 1), (true, 4096, 1_000), (true, 3, 7)] {
            let mut clocks =
                Clocks { timed: vec![timed(1, interval, every_cpu), timed(2, 50, false)], ..Clocks::NONE };
            clocks.start(0);
            let (mut fired, mut passed, mut now) = (0, 0, 0_i64);
            for event in 1..=50 {
                now += 1 << 40;
                passed += clocks.allow(now, cpus);
                for timed in &mut clocks.timed {
                    let due = timed.due_until(now);
                    fired += due * if timed.every_cpu { i64::from(cpus) } else { 1 };
                    passed += timed.skip_to(now);
                }
                assert!(fired <= ALLOWED + event * ALLOWED_BY_EVENT, "{fired} by {event} events");
            }
            assert!(fired > ALLOWED / 2, "{fired}");
            assert_eq!(passed, (now / interval + now / 50) as u64, "each fires or is left out");
        }
        // Events that are close to each other leave nothing out, however long the trace is.
        let mut clocks = Clocks { timed: vec![timed(1, 10, true)], ..Clocks::NONE };
        clocks.start(0);
        for event in 1..100_000 {
            let now = event * 100;
            assert_eq!(clocks.allow(now, 64), 0, "{event}");
            clocks.timed[0].skip_to(now);
        }
    }

    #[test]
    fn issue_23_the_earliest_clock_is_due() {
        let mut clocks = Clocks { timed: vec![timed(1, 30, false), timed(2, 10, false)], ..Clocks::NONE };
        clocks.start(100);
        let next: Vec<i64> = clocks.timed.iter().map(|timed| timed.next).collect();
        assert_eq!((next, clocks.due(), clocks.any()), (vec![130, 110], 110, true));
        assert!(!clocks.any_on_every_cpu());
        clocks.timed.push(timed(3, 5, true));
        assert!(clocks.any_on_every_cpu());
        assert_eq!((Clocks::NONE.due(), Clocks::NONE.any(), Clocks::NONE.last), (i64::MAX, false, i64::MAX));
    }

    /// A sample holds for its processor as long as the sampled thread runs there.
    #[test]
    fn issue_14_all_firings_of_the_longest_time_are_left_out() {
        let timed = |next, interval| Timed { probe: ProbeId(0), interval, next, every_cpu: false };
        for (next, interval, now, left_out) in
            [(10, 10, 35, 3), (10, 10, 10, 1), (-5, 0, i64::MAX, i64::MAX), (i64::MIN, 1, i64::MAX, i64::MAX)]
        {
            let mut timed = timed(next, interval);
            assert_eq!(timed.skip_to(now), left_out.cast_unsigned(), "{next} {interval} {now}");
        }
        let mut even = timed(10, 10);
        even.skip_to(35);
        assert_eq!(even.next, 40);
    }

    #[test]
    fn issue_23_last_samples_are_by_processor_and_thread() {
        let of = |tid| Who { tid, ..Who::default() };
        let mut samples = LastSamples::default();
        samples.note(2, of(Some(40)), 0x10, 0, None);
        samples.note(0, of(Some(44)), 0x20, 1, None);
        let ip = |samples: &LastSamples, cpu, tid| samples.of(cpu, of(tid)).map(|sampled| sampled.ip);
        assert_eq!(ip(&samples, 2, Some(40)), Some(0x10));
        assert_eq!(ip(&samples, 2, None), Some(0x10));
        assert_eq!(ip(&samples, 2, Some(44)), None);
        assert_eq!(ip(&samples, 0, Some(44)), Some(0x20));
        assert_eq!((ip(&samples, 1, None), ip(&samples, 3, None)), (None, None));
        samples.note(2, of(Some(44)), 0x30, 0, None);
        assert_eq!((ip(&samples, 2, Some(44)), ip(&samples, 2, Some(40))), (Some(0x30), None));
    }
}
