//! The rule by which a thread is the likely cause of a wait, and how sure that is.

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
    /// It leaves its processor in this state. `back` is when the waiter came back, if it has.
    pub fn leaves(&mut self, time: i64, state: i8, reason: i8, back: Option<i64>) {
        if !is_done(state) {
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

/// State of a thread that waits, and of one that has ended.
pub(super) const WAITING: i8 = 5;
pub(super) const ENDED: i8 = 4;

/// Returns `true` if a thread that leaves its processor in this state has nothing more to do: it waits or ends. One that is
/// only pre-empted goes on with what others wait for.
#[must_use]
pub const fn is_done(state: i8) -> bool {
    matches!(state, WAITING | ENDED)
}

/// Least share of the wait that a thread must have run to be a likely cause.
pub const LEAST_SHARE: f64 = 0.5;
/// Longest time between the end of the wait and its leaving a processor, in nanoseconds.
pub const FARTHEST: i64 = 5_000_000;
/// Least confidence of an inference that is reported.
pub const LEAST_CONFIDENCE: f64 = 0.3;

/// How likely a wait was for a thread that ran for a part of it and left its processor so many nanoseconds after its end
/// (negative: before); [`None`] if that is too unlikely to be reported.
#[must_use]
pub fn confidence(wait: &Wait, ran: i64, gap: i64, is_same_process: bool) -> Option<f64> {
    let length = wait.to.saturating_sub(wait.from).max(1);
    let share = (ran as f64 / length as f64).min(1.0);
    if share < LEAST_SHARE || gap.saturating_abs() > FARTHEST {
        return None;
    }
    // A thread of another process can be the cause, but fewer things connect the two.
    let kin = if is_same_process { 1.0 } else { 0.6 };
    let closeness = 1.0 - gap.saturating_abs() as f64 / FARTHEST as f64;
    let confidence = 0.9 * kin * share * closeness;
    (confidence >= LEAST_CONFIDENCE).then_some(confidence)
}

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
    let mut best: Option<Cause> = None;
    for (&thread, candidate) in others {
        let Some(gap) = candidate.gap(wait) else { continue };
        let Some(confidence) = confidence(wait, candidate.ran, gap, same_process(thread)) else { continue };
        if best.is_none_or(|best| (confidence, thread) > (best.confidence, best.thread)) {
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
        candidate.leaves(left, WAITING, 15, Some(WAIT.to).filter(|back| left >= *back));
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
        candidate.leaves(WAIT.to, 1, 30, Some(WAIT.to));
        assert_eq!(candidate.gap(&WAIT), None);
    }
}
