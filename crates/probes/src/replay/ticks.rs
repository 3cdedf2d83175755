//! Firing of the probes that time alone fires.

use tracewell_state::Timeline;

use super::clock::{ALLOWED, Clocks, Sampled};
use super::feed::Setting;
use super::firing::Replay;
use crate::moment::{CallStack, Instant, Moment, is_kernel};

/// Rounds of timed probes between two questions whether to go on.
const ROUNDS: u32 = 1024;

impl Replay<'_> {
    /// Fires the timed probes that are due at a moment, in order of time. Yields when the next one is due; [`None`] when
    /// `proceed` says to stop.
    ///
    /// Over recorded time each fires at its own time. A trace shows where a processor is only when it is sampled: probes that fire
    /// on every processor show the last sample's address and stack, as long as no other thread has run there since.
    ///
    /// In real time (`real`) each fires at the moment itself, and those that fire on every processor show how late that is. A
    /// timer then interrupts the program itself, where it runs on the traced machine.
    pub(super) fn tick(
        &mut self,
        timeline: &Timeline<'_>,
        clocks: &mut Clocks,
        setting: &Setting,
        (moment, real): (Moment<'_>, bool),
        mut proceed: impl FnMut() -> bool,
    ) -> Option<i64> {
        let now = moment.instant.time();
        let until = now.min(clocks.last);
        if real {
            // Real time takes as long as it says.
            clocks.allowed = ALLOWED;
        }
        self.kept.outcome.ticks_left_out += clocks.allow(until, setting.cpus);
        let epoch = setting.start.wall.saturating_sub(setting.start.time);
        let own = setting.runs_itself();
        let here = setting.myself.as_ref().map_or(0, |myself| myself.address);
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
            let instant = if real { moment.instant } else { Instant::Fixed(due, epoch.saturating_add(due)) };
            let late = if real { now.saturating_sub(due) } else { 0 };
            for timed in clocks.timed.iter_mut().filter(|timed| timed.next == due) {
                timed.next = timed.next.saturating_add(timed.interval);
                for cpu in 0..if timed.every_cpu { setting.cpus } else { 1 } {
                    let who = own.unwrap_or_else(|| self.running(timeline, cpu, moment.raw));
                    let sampled =
                        if timed.every_cpu && own.is_none() { self.kept.samples.of(cpu, who) } else { None };
                    let who = sampled.map_or(who, |sampled| sampled.who);
                    let stack = sampled.zip(self.stacks).map(|(Sampled { trace, found, .. }, stacks)| {
                        CallStack { stacks, trace, found, own: None }
                    });
                    let at = Moment { instant, cpu, stack: stack.as_ref(), ..moment };
                    let ip = sampled.map_or(here, |sampled| sampled.ip);
                    let kernel = is_kernel(ip, at.pointer_bits);
                    let late = if timed.every_cpu { late } else { 0 };
                    self.fire(timeline, timed.probe, at, who, &[], |host| {
                        host.args[usize::from(!kernel)] = ip;
                        host.args[2] = late.cast_unsigned();
                    });
                }
            }
        }
        for timed in clocks.timed.iter_mut().filter(|timed| timed.next <= now && now > until) {
            self.kept.outcome.ticks_left_out += timed.skip_to(now);
        }
        Some(clocks.due())
    }
}
