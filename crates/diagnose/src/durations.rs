//! Durations of many events: their number, sum and extremes, and percentiles.

/// Most durations that are kept; beyond, every second one is dropped.
const MOST_KEPT: usize = 1 << 16;

/// Durations in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Durations {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: i64,
    /// The longest, and when it began.
    pub longest: Option<(i64, i64)>,
    kept: Vec<i64>,
    /// One of `1 << sparse` durations is kept.
    sparse: u32,
}

impl Durations {
    /// Adds a duration with its start.
    pub fn add(&mut self, start: i64, duration: i64) {
        if self.longest.is_none_or(|(longest, _)| duration > longest) {
            self.longest = Some((duration, start));
        }
        if self.count.is_multiple_of(1 << self.sparse) {
            self.kept.push(duration);
        }
        self.count += 1;
        self.sum = self.sum.saturating_add(duration);
        if self.kept.len() >= MOST_KEPT {
            let mut is_odd = false;
            self.kept.retain(|_| {
                is_odd = !is_odd;
                is_odd
            });
            self.sparse += 1;
        }
    }

    /// The duration that `percent` of all do not exceed. Exact up to 65,536 durations, then from a sample of them.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> i64 {
        let mut sorted = self.kept.clone();
        sorted.sort_unstable();
        let rank = (sorted.len() * percent as usize).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or(0)
    }

    /// The durations that were kept.
    #[must_use]
    pub fn kept(&self) -> &[i64] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_for_few_and_close_for_many() {
        let mut few = Durations::default();
        (1..=100).for_each(|at| few.add(at, at));
        assert_eq!((few.percentile(50), few.percentile(99), few.percentile(100)), (50, 99, 100));
        assert_eq!((few.count, few.sum, few.longest), (100, 5050, Some((100, 100))));
        let mut many = Durations::default();
        (0..1_000_000).for_each(|at| many.add(at, at % 1000));
        assert!((480..=520).contains(&many.percentile(50)), "{}", many.percentile(50));
        assert!(many.kept().len() < MOST_KEPT);
        assert_eq!(Durations::default().percentile(50), 0);
    }

    #[test]
    fn issue_23_percentiles_and_the_longest_are_those_of_a_sorted_list() {
        for count in 1..40i64 {
            let all: Vec<i64> = (0..count).map(|at| (at * 7919 + 13) % 31).collect();
            let mut durations = Durations::default();
            all.iter().zip(100..).for_each(|(duration, start)| durations.add(start, *duration));
            let mut sorted = all.clone();
            sorted.sort_unstable();
            for percent in 0..=100u32 {
                let exceeded = |value: i64| all.iter().filter(|one| **one <= value).count() * 100;
                let least = sorted.iter().find(|value| exceeded(**value) >= all.len() * percent as usize);
                assert_eq!(durations.percentile(percent), *least.unwrap(), "{percent} % of {all:?}");
            }
            let longest = sorted.last().unwrap();
            let start = 100 + all.iter().position(|one| one == longest).unwrap() as i64;
            assert_eq!(durations.longest, Some((*longest, start)));
            assert_eq!(durations.kept(), all);
        }
    }

    /// Of very many, every second, fourth and so on is kept.
    #[test]
    fn issue_23_what_is_kept_of_many_is_spread_evenly() {
        for count in [MOST_KEPT - 1, MOST_KEPT, MOST_KEPT + 1, 5 * MOST_KEPT] {
            let mut durations = Durations::default();
            (0..count as i64).for_each(|at| durations.add(at, at));
            let step = durations.kept()[1];
            let expected: Vec<i64> = (0..count as i64).step_by(step as usize).collect();
            assert_eq!(durations.kept(), expected);
            let sizes = if count < MOST_KEPT { count..count + 1 } else { MOST_KEPT / 2..MOST_KEPT };
            assert!(sizes.contains(&expected.len()), "{step}");
            assert_eq!(
                (durations.count, durations.longest.map(|(long, _)| long)),
                (count as u64, Some(count as i64 - 1))
            );
        }
    }
}
