//! The clock of records.

/// The clock that records are stamped with.
pub trait RawTime: Send {
    /// Returns the raw time of a time of the monotonic clock, in nanoseconds. Later times never become earlier ones.
    fn raw(&mut self, monotonic: u64) -> u64;
}

/// Records have nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Monotonic;

impl RawTime for Monotonic {
    fn raw(&mut self, monotonic: u64) -> u64 {
        monotonic
    }
}
