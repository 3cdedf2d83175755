//! Our own pseudo-random numbers, so that the sample never changes with a library.

/// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit state, any seed is good.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` up to and not including `high`.
    pub(crate) fn range(&mut self, low: i64, high: i64) -> i64 {
        debug_assert!(low < high, "an empty range");
        low + (self.next() % (high - low).unsigned_abs()) as i64
    }

    /// A random index below `count`.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// True in one of `n` cases.
    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_sequence_is_the_published_one() {
        // First outputs of the reference implementation for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}
