//! The histogram of `quantize()` outside of a run: buckets at powers of two, and their text.

use std::sync::LazyLock;

use crate::agg::Buckets;
use crate::consume::histogram;
use crate::options::RunOptions;

static BUCKETS: LazyLock<Buckets> = LazyLock::new(Buckets::power_of_two);

/// Counts of values by bucket.
///
/// ```
/// use tracewell_dengine::Histogram;
///
/// let mut histogram = Histogram::new();
/// for value in [0, 5, 6, -3] {
///     histogram.add(value, 1);
/// }
/// assert_eq!(histogram.rows().collect::<Vec<_>>(), [(-2, 1), (0, 1), (4, 2)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<i64>,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram::new()
    }
}

impl Histogram {
    /// A histogram without values.
    #[must_use]
    pub fn new() -> Histogram {
        Histogram { counts: vec![0; BUCKETS.len()] }
    }

    /// The bucket of a value: 0, or the power of two, with the sign of the value, that is nearest to it on the side of zero.
    #[must_use]
    pub fn bucket(value: i64) -> i64 {
        BUCKETS.bound(BUCKETS.place(value))
    }

    /// Counts a value so often.
    pub fn add(&mut self, value: i64, count: i64) {
        if let Some(known) = self.counts.get_mut(BUCKETS.place(value)) {
            *known = known.saturating_add(count);
        }
    }

    /// The buckets that have values, each with its number of values.
    pub fn rows(&self) -> impl Iterator<Item = (i64, i64)> {
        let used = self.counts.iter().enumerate().filter(|(_, count)| **count != 0);
        used.map(|(place, count)| (BUCKETS.bound(place), *count))
    }

    /// The memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(self.counts.as_slice())
    }

    /// The text that `printa()` makes of it, without an empty line around it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = Vec::new();
        histogram(&mut text, &BUCKETS, &self.counts, 1, &RunOptions::default());
        String::from_utf8_lossy(&text).trim_matches('\n').to_owned()
    }
}
