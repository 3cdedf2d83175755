//! How long a thread had run by each time.

use std::collections::VecDeque;

/// A stretch of running.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: i64,
    to: i64,
    /// Nanoseconds that the thread ran before it.
    before: i64,
}

/// Most stretches of a thread that are kept.
const MOST_RUNS: usize = 512;

/// The stretches in which a thread ran. The oldest are forgotten: what the thread ran since a time before them is then too little,
/// never too much.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    kept: VecDeque<Run>,
    total: i64,
    on: Option<i64>,
}

impl Runs {
    /// It comes onto a processor.
    pub(super) fn comes(&mut self, time: i64) {
        self.on = Some(time);
    }

    /// It leaves its processor. Returns by how much the number of stretches grew.
    pub(super) fn leaves(&mut self, time: i64) -> usize {
        let Some(from) = self.on.take().filter(|from| *from < time) else { return 0 };
        let is_full = self.kept.len() >= MOST_RUNS;
        if is_full {
            self.kept.pop_front();
        }
        self.kept.push_back(Run { from, to: time, before: self.total });
        self.total = self.total.saturating_add(time.saturating_sub(from));
        usize::from(!is_full)
    }

    /// Forgets the older half. Returns the number of stretches that are left.
    pub(super) fn forget_half(&mut self) -> usize {
        self.kept.drain(..self.kept.len().div_ceil(2));
        self.kept.len()
    }

    /// The number of stretches that are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Nanoseconds that it had run altogether when it left its processor last.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// Nanoseconds that it had run by a time. Before what is kept: by the first stretch that is.
    fn by(&self, time: i64) -> i64 {
        if let Some(from) = self.on.filter(|from| *from < time) {
            return self.total.saturating_add(time.saturating_sub(from));
        }
        let after = self.kept.partition_point(|run| run.from < time);
        match after.checked_sub(1).and_then(|at| self.kept.get(at)) {
            Some(run) => run.before.saturating_add(time.min(run.to).saturating_sub(run.from)),
            None => self.kept.front().map_or(self.total, |run| run.before),
        }
    }

    /// Nanoseconds that it ran between two times.
    pub(super) fn between(&self, from: i64, to: i64) -> i64 {
        self.by(to).saturating_sub(self.by(from)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_20_running_between_two_times_is_what_the_stretches_sum_to() {
        let mut runs = Runs::default();
        let stretches: Vec<(i64, i64)> = (0..400).map(|at| (at * 10, at * 10 + 1 + at % 9)).collect();
        for (from, to) in &stretches {
            runs.comes(*from);
            assert_eq!(runs.leaves(*to), 1);
        }
        runs.comes(5000);
        for (from, to) in [(0, 5000), (13, 14), (2995, 3007), (0, 6000), (5500, 5600), (4100, 4900), (7, 7)] {
            let inside = |(a, b): &(i64, i64)| (to.min(*b) - from.max(*a)).max(0);
            let want = stretches.iter().map(inside).sum::<i64>() + (to - from.max(5000)).max(0);
            assert_eq!(runs.between(from, to), want, "{from} {to}");
        }
        assert_eq!(runs.total(), runs.between(0, 5000));
    }

    #[test]
    fn issue_20_what_is_forgotten_makes_it_less() {
        let mut runs = Runs::default();
        let mut kept = 0;
        for at in 0..1000 {
            runs.comes(at * 10);
            kept += runs.leaves(at * 10 + 5);
        }
        assert_eq!((kept, runs.kept.len()), (MOST_RUNS, MOST_RUNS));
        assert_eq!(runs.between(0, 10_000), MOST_RUNS as i64 * 5);
        assert_eq!(runs.between(9_000, 10_000), 500);
        assert_eq!(runs.forget_half(), MOST_RUNS / 2);
        assert_eq!(runs.between(0, 10_000), MOST_RUNS as i64 / 2 * 5);
        // A thread that never ran, and one that leaves without having come.
        assert_eq!((Runs::default().between(0, 9), Runs::default().leaves(7)), (0, 0));
    }
}
