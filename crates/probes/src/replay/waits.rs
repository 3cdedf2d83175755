//! Waits that end, and whom they were for: probes fire with both when the thread that waited comes back.

use tracewell_dlang::program::Clause;
use tracewell_etl::Record;
use tracewell_etl::read::Wanted;
use tracewell_state::waits::{self, Ahead, Ended, RECORDS, Suspect};

use super::feed::SourceClock;
use crate::catalog::{Kind, ProbeCatalog};
use crate::table::Fire;

/// Likely causes that are kept: 200 MB. Of traces with more, those of later waits are not known.
const MOST: usize = 1 << 22;

/// A likely cause of a wait: the number of the trace, the thread that waited, and the end of the wait.
type Found = ((i64, u32, u32), Suspect);

/// The waits of a run.
#[derive(Debug, Default)]
pub(super) struct Waits {
    follows: waits::Waits,
    /// The likely causes, by end of the wait; [`None`] where later records are not known yet.
    found: Option<Vec<Found>>,
    /// From this time on, there were too many.
    cut: Option<i64>,
    /// The wait that the record at hand ended.
    pub(super) ended: Option<Ended>,
}

/// What is known about the cause of a wait.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause {
    /// A thread woke it, if it is known which.
    Woken(Option<u32>),
    /// A thread is likely to be what it was for, with a confidence between 0 and 1.
    Likely(Suspect, f64),
    /// Nothing.
    Unknown,
    /// What would show it was left out.
    LeftOut,
}

/// Returns `true` if a probe of a clause is on waits.
fn is_on_waits(catalog: &ProbeCatalog<'_>, clause: &Clause, is_inferred: &[bool]) -> bool {
    let is_it = |kind: Kind| matches!(kind, Kind::Fixed(def) if is_inferred.iter().any(|&is_inferred| def.fire == Fire::Waited { is_inferred }));
    clause.probes.iter().any(|probe| catalog.base_kind(*probe).is_some_and(is_it))
}

impl Waits {
    /// Follows waits, if a clause is on them.
    pub(super) fn of(catalog: &ProbeCatalog<'_>, clauses: &[Clause]) -> Option<Waits> {
        clauses.iter().any(|clause| is_on_waits(catalog, clause, &[false, true])).then(Waits::default)
    }

    /// The records to look ahead for, if a clause asks for likely causes.
    pub(super) fn wanted(catalog: &ProbeCatalog<'_>, clauses: &[Clause]) -> Option<Wanted> {
        let asks = |clause: &Clause| {
            is_on_waits(catalog, clause, &[true])
                || clause.uses.args && is_on_waits(catalog, clause, &[false])
        };
        clauses.iter().any(asks).then(|| {
            let mut wanted = Wanted::nothing();
            RECORDS.into_iter().for_each(|hook| wanted.add_hook(hook));
            wanted
        })
    }

    /// Takes the next record of a trace, which may switch threads or wake one.
    #[inline]
    pub(super) fn observe(&mut self, source: usize, record: &Record<'_>, time: i64, actor: Option<u32>) {
        self.ended = self.follows.observe(source as u32, record, time, actor).ended;
    }

    /// What the wait at hand was for.
    pub(super) fn cause(&self, ended: &Ended, is_same_process: impl Fn(u32) -> bool) -> Cause {
        if ended.is_woken {
            return Cause::Woken(ended.waker);
        }
        if !waits::is_open(ended) {
            return Cause::Unknown;
        }
        if self.cut.is_some_and(|cut| ended.wait.to >= cut) {
            return Cause::LeftOut;
        }
        let suspects: Vec<Suspect> = match &self.found {
            Some(found) => {
                let key = (ended.wait.to, ended.source, ended.tid);
                let first = found.partition_point(|(known, _)| *known < key);
                let rest = found.get(first..).unwrap_or_default();
                rest.iter().take_while(|(known, _)| *known == key).map(|(_, suspect)| *suspect).collect()
            }
            None => self.follows.before(ended),
        };
        let sure = |suspect: Suspect| {
            let confidence =
                waits::confidence(&ended.wait, suspect.ran, suspect.gap, is_same_process(suspect.tid));
            confidence.map(|confidence| (suspect, confidence))
        };
        let best = suspects
            .into_iter()
            .filter_map(sure)
            .max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.tid.cmp(&b.0.tid)));
        best.map_or(Cause::Unknown, |(suspect, confidence)| Cause::Likely(suspect, confidence))
    }

    /// Nanoseconds that a thread ran during a wait.
    pub(super) fn ran(&self, ended: &Ended, tid: u32) -> i64 {
        self.follows.ran(ended, tid)
    }
}

/// Finds likely causes ahead of a run.
#[derive(Debug, Default)]
pub(super) struct LookAhead {
    ahead: Ahead,
    found: Vec<Found>,
    cut: Option<i64>,
}

impl LookAhead {
    /// Takes the next record in order of time.
    pub(super) fn observe(&mut self, source: usize, clock: &SourceClock, record: &Record<'_>) {
        let LookAhead { ahead, found, cut } = self;
        let time = clock.clock.ns(record.time()).saturating_add(clock.offset);
        ahead.observe(source as u32, record, time, |ended, suspects| {
            keep(MOST, (found, cut), ended, suspects)
        });
    }

    /// Gives what was found to the waits of the run.
    pub(super) fn complete(self, waits: &mut Waits) {
        let LookAhead { ahead, mut found, mut cut } = self;
        ahead.finish(|ended, suspects| keep(MOST, (&mut found, &mut cut), ended, suspects));
        found.sort_unstable_by_key(|(key, suspect)| (*key, suspect.tid));
        (waits.found, waits.cut) = (Some(found), cut);
    }
}

/// Keeps what was found for a wait, unless there is too much.
fn keep(most: usize, (found, cut): (&mut Vec<Found>, &mut Option<i64>), ended: &Ended, suspects: &[Suspect]) {
    if found.len() + suspects.len() > most {
        cut.get_or_insert(ended.wait.to);
    }
    if cut.is_none() {
        let key = (ended.wait.to, ended.source, ended.tid);
        found.extend(suspects.iter().map(|suspect| (key, *suspect)));
    }
}

#[cfg(test)]
mod tests {
    use tracewell_state::waits::{FARTHEST, LEAST_WAIT, Wait};

    use super::*;

    fn ended(to: i64) -> Ended {
        let wait = Wait { from: to - 100 * LEAST_WAIT, to, reason: 0 };
        Ended { source: 1, tid: 40, wait, is_woken: false, waker: None }
    }

    fn suspect(tid: u32, gap: i64) -> Suspect {
        Suspect { tid, ran: 100 * LEAST_WAIT, gap }
    }

    #[test]
    fn issue_23_the_likeliest_of_what_was_found_ahead_is_the_cause() {
        let key = |to, source, tid| (to, source, tid);
        let near = FARTHEST / 10;
        let found = vec![
            (key(900_000_000, 1, 40), suspect(1, 0)),
            (key(1_000_000_000, 0, 40), suspect(2, 0)),
            (key(1_000_000_000, 1, 39), suspect(3, 0)),
            (key(1_000_000_000, 1, 40), suspect(4, 2 * near)),
            (key(1_000_000_000, 1, 40), suspect(5, near)),
            (key(1_000_000_000, 1, 40), suspect(6, -near)),
            (key(1_000_000_000, 1, 41), suspect(7, 0)),
        ];
        let mut waits = Waits { found: Some(found), ..Waits::default() };
        let cause = |waits: &Waits, ended: &Ended, kin: u32| match waits.cause(ended, |tid| tid == kin) {
            Cause::Likely(suspect, confidence) => format!("{} {:.2}", suspect.tid, confidence),
            other => format!("{other:?}"),
        };
        let at = ended(1_000_000_000);
        // Of two that are equally likely, the one with the higher id; one of the same process is likelier.
        assert_eq!(cause(&waits, &at, 0), "6 0.49");
        assert_eq!(cause(&waits, &at, 5), "5 0.81");
        assert_eq!(cause(&waits, &at, 4), "4 0.72");
        assert_eq!(cause(&waits, &ended(1_000_000_001), 0), "Unknown");
        let woken = Ended { is_woken: true, waker: Some(9), ..at };
        assert_eq!(cause(&waits, &woken, 0), "Woken(Some(9))");
        let wait = Wait { from: at.wait.to - LEAST_WAIT + 1, ..at.wait };
        assert_eq!(cause(&waits, &Ended { wait, ..at }, 5), "Unknown", "too short for an inference");
        waits.cut = Some(1_000_000_001);
        assert_eq!(cause(&waits, &at, 5), "5 0.81");
        waits.cut = Some(1_000_000_000);
        assert_eq!(cause(&waits, &at, 5), "LeftOut");
        assert_eq!(cause(&waits, &woken, 5), "Woken(Some(9))");
    }

    #[test]
    fn issue_23_causes_are_kept_up_to_a_bound() {
        let (mut found, mut cut) = (Vec::new(), None);
        keep(MOST, (&mut found, &mut cut), &ended(5), &[suspect(1, 0), suspect(2, 0)]);
        assert_eq!(
            found.iter().map(|(key, one)| (*key, one.tid)).collect::<Vec<_>>(),
            [((5, 1, 40), 1), ((5, 1, 40), 2)]
        );
        let most = found.len() + 1;
        let mut next = |to, suspects: &[Suspect]| {
            keep(most, (&mut found, &mut cut), &ended(to), suspects);
            (found.len(), cut)
        };
        assert_eq!(next(6, &[suspect(3, 0)]), (most, None));
        assert_eq!(next(7, &[]), (most, None));
        assert_eq!(next(8, &[suspect(4, 0)]), (most, Some(8)));
        assert_eq!(next(9, &[]), (most, Some(8)));
    }
}
