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
}
