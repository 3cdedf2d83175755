//! The likely causes of waits: complete once all that left a processor shortly after a wait have been seen.

use std::collections::VecDeque;

use tracewell_etl::Record;

use super::follow::{Ended, MOST_LOOKS, Suspect, Waits, note};
use super::infer::FARTHEST;

/// Least length of a wait whose cause is inferred, in nanoseconds: in shorter ones, any two threads that run coincide.
pub const LEAST_WAIT: i64 = 2 * FARTHEST;

/// Most waits whose causes are looked for at a time.
const MOST_OPEN: usize = 1 << 10;

/// Finds the likely causes of the waits of a trace whose wake-ups are not recorded.
#[derive(Debug, Default)]
pub struct Ahead {
    waits: Waits,
    /// Waits that ended, in order of time, with who left before.
    open: VecDeque<(Ended, Vec<Suspect>)>,
}

/// Returns `true` if the cause of a wait is to be inferred.
#[must_use]
pub fn is_open(ended: &Ended) -> bool {
    !ended.is_woken && ended.wait.to.saturating_sub(ended.wait.from) >= LEAST_WAIT
}

impl Ahead {
    /// Takes the next record in order of time, with the number of its trace and its time in nanoseconds. Calls `settled` for
    /// each wait whose suspects are all known now, if it has any.
    pub fn observe(
        &mut self,
        source: u32,
        record: &Record<'_>,
        time: i64,
        mut settled: impl FnMut(&Ended, &[Suspect]),
    ) {
        self.settle(time, &mut settled);
        let seen = self.waits.observe(source, record, time, None);
        if let Some(left) = seen.left {
            let may = self.open.iter_mut().rev().filter(|(ended, _)| left.may_cause(ended));
            for (ended, found) in may.take(MOST_LOOKS) {
                note(found, self.waits.suspect(ended, &left));
            }
        }
        if let Some(ended) = seen.ended.filter(is_open) {
            // So many waits that end within milliseconds are not those of a machine.
            if self.open.len() >= MOST_OPEN
                && let Some((ended, found)) = self.open.pop_front()
                && !found.is_empty()
            {
                settled(&ended, &found);
            }
            self.open.push_back((ended, self.waits.before(&ended)));
        }
    }

    fn settle(&mut self, now: i64, settled: &mut impl FnMut(&Ended, &[Suspect])) {
        let is_over = |(ended, _): &mut (Ended, Vec<Suspect>)| now.saturating_sub(ended.wait.to) > FARTHEST;
        while let Some((ended, found)) = self.open.pop_front_if(is_over) {
            if !found.is_empty() {
                settled(&ended, &found);
            }
        }
    }

    /// The trace is over: calls `settled` for the rest.
    pub fn finish(mut self, mut settled: impl FnMut(&Ended, &[Suspect])) {
        self.settle(i64::MAX, &mut settled);
    }
}
