//! Who a waiting thread waited for.
//!
//! Where the trace has wake-ups, the thread that woke it is a fact. Where it has none, a thread that ran all through the wait and
//! left its processor when the waiter came back is a likely cause: this is an inference, and it says so, with its evidence and a
//! confidence.

use rustc_hash::FxHashMap;

/// A wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Nanoseconds since the start of the trace.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Why, as the switch says.
    pub reason: i8,
}

/// What a thread did while another one waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Nanoseconds that it ran.
    pub ran: i64,
    /// The last time at which it left its processor to wait, before the waiter came back; and why.
    pub before: Option<(i64, i8)>,
    /// The first time at which it did so afterwards; and why.
    pub after: Option<(i64, i8)>,
}

impl Candidate {
    /// It leaves its processor. `back` is when the waiter came back, if it has.
    pub(crate) fn leaves(&mut self, time: i64, is_waiting: bool, reason: i8, back: Option<i64>) {
        if !is_waiting {
            return;
        }
        match back {
            Some(back) if time >= back => {
                self.after.get_or_insert((time, reason));
            }
            _ => self.before = Some((time, reason)),
        }
    }

    /// Nanoseconds between its leaving and the end of the wait: positive if it left afterwards.
    #[must_use]
    pub fn gap(&self, wait: &Wait) -> Option<i64> {
        let before = self.before.map(|(time, _)| time - wait.to);
        let after = self.after.map(|(time, _)| time - wait.to);
        [before, after].into_iter().flatten().min_by_key(|gap| gap.abs())
    }
}

/// How it is known who a thread waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// The trace has the wake-up.
    Wakeup,
    /// Inferred: it ran during the wait and left its processor at its end.
    Coincidence,
}

/// A thread that another one waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cause {
    /// The thread by number.
    pub thread: u32,
    /// How this is known.
    pub evidence: Evidence,
    /// From 0 to 1. A recorded wake-up has 1.
    pub confidence: f64,
    /// Nanoseconds that it ran during the wait.
    pub ran: i64,
    /// Nanoseconds from the end of the wait until it left its processor; negative if it left before.
    pub gap: Option<i64>,
}

/// Least share of the wait that a thread must have run to be a likely cause.
pub const LEAST_SHARE: f64 = 0.5;
/// Longest time between the end of the wait and its leaving a processor, in nanoseconds.
pub const FARTHEST: i64 = 5_000_000;
/// Least confidence of an inference that is reported.
pub const LEAST_CONFIDENCE: f64 = 0.3;

/// Returns the thread that a wait was for, if the trace shows one or makes one likely.
///
/// `same_process` reports whether a thread is of the waiter's process. `wakers` counts the threads that woke the waiter during the
/// stretch.
#[must_use]
pub fn waited_for(
    wait: &Wait,
    wakers: &FxHashMap<u32, u64>,
    others: &FxHashMap<u32, Candidate>,
    same_process: impl Fn(u32) -> bool,
) -> Option<Cause> {
    let of = |thread: u32| others.get(&thread).copied().unwrap_or_default();
    if let Some((&thread, _)) =
        wakers.iter().max_by_key(|(thread, times)| (**times, std::cmp::Reverse(**thread)))
    {
        let (ran, gap) = (of(thread).ran, of(thread).gap(wait));
        return Some(Cause { thread, evidence: Evidence::Wakeup, confidence: 1.0, ran, gap });
    }
    let length = (wait.to - wait.from).max(1) as f64;
    let mut best: Option<Cause> = None;
    for (&thread, candidate) in others {
        let (share, Some(gap)) = ((candidate.ran as f64 / length).min(1.0), candidate.gap(wait)) else {
            continue;
        };
        if share < LEAST_SHARE || gap.abs() > FARTHEST {
            continue;
        }
        // A thread of another process can be the cause, but fewer things connect the two.
        let kin = if same_process(thread) { 1.0 } else { 0.6 };
        let closeness = 1.0 - gap.abs() as f64 / FARTHEST as f64;
        let confidence = 0.9 * kin * share * closeness;
        let is_better = best.is_none_or(|best| (confidence, thread) > (best.confidence, best.thread));
        if confidence >= LEAST_CONFIDENCE && is_better {
            best = Some(Cause {
                thread,
                evidence: Evidence::Coincidence,
                confidence,
                ran: candidate.ran,
                gap: Some(gap),
            });
        }
    }
    best
}

/// The confidence of an inference that was drawn independently several times: each repetition halves the doubt.
#[must_use]
pub fn repeated(confidence: f64, times: usize) -> f64 {
    let halvings = i32::try_from(times.saturating_sub(1)).unwrap_or(i32::MAX).min(30);
    1.0 - (1.0 - confidence) / f64::from(2u32).powi(halvings)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const WAIT: Wait = Wait { from: 0, to: 1000 * MS, reason: 6 };

    fn candidate(ran: i64, left: i64) -> Candidate {
        let mut candidate = Candidate { ran, ..Candidate::default() };
        candidate.leaves(left, true, 15, Some(WAIT.to).filter(|back| left >= *back));
        candidate
    }

    #[test]
    fn a_recorded_wakeup_is_a_fact() {
        let wakers = FxHashMap::from_iter([(7, 1)]);
        let others = FxHashMap::from_iter([(8, candidate(1000 * MS, 1000 * MS + 20_000))]);
        let cause = waited_for(&WAIT, &wakers, &others, |_| true).unwrap();
        assert_eq!((cause.thread, cause.evidence, cause.confidence), (7, Evidence::Wakeup, 1.0));
    }

    #[test]
    fn without_wakeups_the_one_that_ran_and_left_is_likely() {
        let none = FxHashMap::default();
        let others = FxHashMap::from_iter([
            (1, candidate(999 * MS, 1000 * MS + 26_000)),
            (2, candidate(999 * MS, 500 * MS)),
            (3, candidate(100 * MS, 1000 * MS)),
            (4, candidate(600 * MS, 999 * MS)),
        ]);
        let cause = waited_for(&WAIT, &none, &others, |_| true).unwrap();
        assert_eq!((cause.thread, cause.evidence, cause.gap), (1, Evidence::Coincidence, Some(26_000)));
        assert!(cause.confidence < 0.9 && cause.confidence > 0.85, "{}", cause.confidence);
        let foreign = waited_for(&WAIT, &none, &others, |thread| thread != 1).unwrap();
        assert!(foreign.confidence < cause.confidence);
        // Neither who left long before, nor who hardly ran, is a cause.
        let unlikely = others.into_iter().filter(|(thread, _)| matches!(thread, 2 | 3)).collect();
        assert_eq!(waited_for(&WAIT, &none, &unlikely, |_| true), None);
        assert!(repeated(0.8, 2) > 0.89 && repeated(0.8, 1) == 0.8);
    }

    #[test]
    fn who_is_only_preempted_is_no_cause() {
        let mut candidate = Candidate { ran: 999 * MS, ..Candidate::default() };
        candidate.leaves(WAIT.to, false, 30, Some(WAIT.to));
        assert_eq!(candidate.gap(&WAIT), None);
    }
}
