//! Firing of the probes that time alone fires.

use tracewell_state::{Stacks, Timeline};

use super::clock::{Clocks, Sampled};
use super::run::Replay;
use crate::moment::{CallStack, Instant, Moment, is_kernel};

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
