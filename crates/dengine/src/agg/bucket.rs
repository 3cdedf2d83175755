//! The bucket of a value in a histogram.

/// Most buckets of a histogram.
const MOST: usize = 1 << 17;

/// The buckets of a histogram: each reaches from its lower bound to the next one's.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    kind: Kind,
    /// Lower bounds of all buckets but an underflow bucket.
    bounds: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Powers of two of either sign around zero; no under- or overflow.
    Power,
    /// Under- and overflow buckets at the ends, a fixed step between.
    Linear { base: i64, step: i64 },
    /// Under- and overflow buckets at the ends.
    Log,
}

/// The place of zero among the power-of-two buckets.
pub(crate) const ZERO: usize = 63;

impl Buckets {
    pub(crate) fn power_of_two() -> Buckets {
        let mut bounds: Vec<i64> = (0..63).rev().map(|p| -(1i64 << p)).collect();
        bounds.push(0);
        bounds.extend((0..63).map(|p| 1i64 << p));
        Buckets { kind: Kind::Power, bounds }
    }

    pub(crate) fn linear(base: i32, limit: i32, step: u16) -> Option<Buckets> {
        let (base, limit, step) = (i64::from(base), i64::from(limit), i64::from(step));
        let levels = limit.checked_sub(base)?.checked_div(step)?;
        if levels < 0 || levels as usize > MOST {
            return None;
        }
        let bounds = (0..=levels).map(|i| base + i * step).collect();
        Some(Buckets { kind: Kind::Linear { base, step }, bounds })
    }

    /// `steps` buckets for each power of `factor` from `low` to `high`, fewer where a bucket would be
    /// narrower than 1.
    pub(crate) fn log_linear(factor: u16, low: u16, high: u16, steps: u16) -> Option<Buckets> {
        let (factor, steps) = (i64::from(factor), i64::from(steps));
        if factor < 2 || steps < 1 || low > high {
            return None;
        }
        let mut bounds = Vec::new();
        let mut from = factor.checked_pow(u32::from(low))?;
        for _ in low..=high {
            let Some(to) = from.checked_mul(factor) else { break };
            let width = (to / steps).max(1);
            let mut bound = from;
            while bound < to {
                bounds.push(bound);
                bound += width;
            }
            from = to;
            if bounds.len() > MOST {
                return None;
            }
        }
        bounds.push(from);
        Some(Buckets { kind: Kind::Log, bounds })
    }

    /// Returns `true` if there are under- and overflow buckets at the ends.
    pub(crate) fn is_bounded(&self) -> bool {
        self.kind != Kind::Power
    }

    /// Number of buckets.
    pub(crate) fn len(&self) -> usize {
        self.bounds.len() + usize::from(self.kind != Kind::Power)
    }

    /// The bucket of a value.
    #[inline]
    pub(crate) fn place(&self, value: i64) -> usize {
        match self.kind {
            Kind::Power => match value {
                0 => ZERO,
                v if v > 0 => ZERO + 1 + v.ilog2() as usize,
                v => ZERO - 1 - (v.unsigned_abs().ilog2() as usize).min(ZERO - 1),
            },
            Kind::Linear { base, step } => {
                if value < base {
                    return 0;
                }
                let level = (i128::from(value) - i128::from(base)) / i128::from(step);
                usize::try_from(level).map_or(self.bounds.len(), |l| (l + 1).min(self.bounds.len()))
            }
            Kind::Log => self.bounds.partition_point(|&b| b <= value),
        }
    }

    /// The number that represents a bucket: its lower bound, or the upper bound of an underflow
    /// bucket.
    pub(crate) fn bound(&self, bucket: usize) -> i64 {
        match self.kind {
            Kind::Power => self.bounds.get(bucket).copied().unwrap_or(0),
            _ => match bucket.checked_sub(1) {
                Some(i) => self.bounds.get(i).copied().unwrap_or(0),
                None => self.bounds.first().copied().unwrap_or(0),
            },
        }
    }

    /// The lower bound of a bucket; [`None`] for an underflow bucket.
    pub(crate) fn from(&self, bucket: usize) -> Option<i64> {
        match self.kind {
            Kind::Power => self.bounds.get(bucket).copied(),
            _ => self.bounds.get(bucket.checked_sub(1)?).copied(),
        }
    }

    /// The bucket of that lower bound, or the underflow bucket; [`None`] if no bucket begins there.
    pub(crate) fn at(&self, from: Option<i64>) -> Option<usize> {
        match from {
            None => self.is_bounded().then_some(0),
            Some(from) => {
                let at = self.bounds.binary_search(&from).ok()?;
                Some(at + usize::from(self.is_bounded()))
            }
        }
    }

    /// The bucket's label.
    pub(crate) fn label(&self, bucket: usize) -> String {
        match self.kind {
            Kind::Power => self.bound(bucket).to_string(),
            _ if bucket == 0 => format!("< {}", self.bound(0)),
            _ if bucket + 1 == self.len() => format!(">= {}", self.bound(bucket)),
            _ => self.bound(bucket).to_string(),
        }
    }

    /// The bucket that zero falls in.
    pub(crate) fn zero(&self) -> usize {
        self.place(0)
    }

    /// The first and last bucket to show: one empty one on either side of those in use. With none in
    /// use, those around zero.
    pub(crate) fn shown(&self, counts: &[i64]) -> (usize, usize) {
        let last = self.len() - 1;
        let used = |c: &i64| *c != 0;
        match (counts.iter().position(used), counts.iter().rposition(used)) {
            (Some(first), Some(top)) => (first.saturating_sub(1), (top + 1).min(last)),
            _ => match self.kind {
                Kind::Power => (ZERO - 1, ZERO + 1),
                Kind::Linear { .. } => (0, 2.min(last)),
                Kind::Log => (0, 1.min(last)),
            },
        }
    }

    /// The weighted total, by which histograms are compared. An underflow bucket weighs as the number
    /// below its bound, an overflow bucket as the one above.
    pub(crate) fn weight(&self, counts: &[i64]) -> i128 {
        let last = self.len() - 1;
        counts
            .iter()
            .enumerate()
            .filter(|(_, n)| **n != 0)
            .map(|(bucket, n)| {
                let bound = i128::from(self.bound(bucket));
                let bound = match self.kind {
                    Kind::Power => bound,
                    _ if bucket == 0 => bound - 1,
                    _ if bucket == last => bound + 1,
                    _ => bound,
                };
                bound * i128::from(*n)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without any value, what is shown is around zero; else the buckets in use and one beside them.
    #[test]
    fn shown_are_the_buckets_in_use_and_their_neighbours() {
        let kinds = [
            (Buckets::power_of_two(), (ZERO - 1, ZERO + 1)),
            (Buckets::linear(0, 10, 10).unwrap(), (0, 2)),
            (Buckets::linear(0, 100, 10).unwrap(), (0, 2)),
            (Buckets::log_linear(2, 0, 3, 2).unwrap(), (0, 1)),
        ];
        for (buckets, empty) in kinds {
            let mut counts = vec![0; buckets.len()];
            assert_eq!(buckets.shown(&counts), empty);
            let last = buckets.len() - 1;
            for first in 0..=last {
                for top in first..=last {
                    counts.fill(0);
                    (counts[first], counts[top]) = (1, -1);
                    assert_eq!(buckets.shown(&counts), (first.max(1) - 1, last.min(top + 1)));
                }
            }
        }
    }

    #[test]
    fn powers_of_two() {
        let b = Buckets::power_of_two();
        assert_eq!(b.len(), 127);
        for v in [0, 1, 2, 3, 4, 1023, 1024, i64::MAX, -1, -2, -3, -1024] {
            let bound = b.bound(b.place(v));
            let next = b.bounds.get(b.place(v) + 1).copied();
            if v >= 0 {
                assert!(bound <= v && next.is_none_or(|n| v < n), "{v}");
            } else {
                assert!(bound >= v && v > bound.saturating_mul(2), "{v}");
            }
        }
        assert_eq!(b.place(i64::MIN), 0);
        assert_eq!(b.place(i64::MIN + 1), 0);
    }

    #[test]
    fn linear_has_both_ends() {
        let b = Buckets::linear(-10, 10, 5).unwrap();
        let labels: Vec<_> = (0..b.len()).map(|i| b.label(i)).collect();
        assert_eq!(labels, ["< -10", "-10", "-5", "0", "5", ">= 10"]);
        for (v, want) in [(-11, 0), (-10, 1), (-6, 1), (-5, 2), (0, 3), (9, 4), (10, 5), (i64::MAX, 5)] {
            assert_eq!(b.place(v), want, "{v}");
        }
        assert!(Buckets::linear(0, i32::MAX, 1).is_none());
        assert!(Buckets::linear(0, 10, 0).is_none());
    }

    #[test]
    fn log_linear_steps() {
        let b = Buckets::log_linear(10, 0, 1, 20).unwrap();
        assert_eq!(b.bounds[..12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20]);
        assert_eq!(b.bounds.last(), Some(&100));
        for (v, label) in [(0, "< 1"), (1, "1"), (14, "10"), (15, "15"), (99, "95"), (100, ">= 100")] {
            assert_eq!(b.label(b.place(v)), label);
        }
        assert!(Buckets::log_linear(1, 0, 1, 20).is_none());
        assert!(Buckets::log_linear(u16::MAX, 0, 60, 1).is_some());
    }
}
