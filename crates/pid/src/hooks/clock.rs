//! Ticks of the processor's clock as nanoseconds of the monotonic clock.

use tracewell_session::engine::source::RawClock;

/// Converts the times of records.
#[derive(Debug)]
pub(crate) struct Ticks(RawClock);

impl Ticks {
    /// Begins to read both clocks.
    ///
    /// # Errors
    /// The processor's clock is not steady.
    pub(crate) fn start() -> Result<Ticks, String> {
        let clock = RawClock::start();
        match clock.counts_cycles() {
            true => Ok(Ticks(clock)),
            false => Err("fpid needs a processor whose clock is steady (nonstop_tsc): use pid".to_owned()),
        }
    }

    /// Nanoseconds of the monotonic clock now.
    pub(crate) fn now(&mut self) -> i64 {
        self.0.to_monotonic(RawClock::now())
    }

    /// Nanoseconds of the monotonic clock.
    pub(crate) fn nanoseconds(&mut self, ticks: u64) -> i64 {
        self.0.to_monotonic(ticks.cast_signed())
    }
}
