//! What a run did.

use tracewell_dlang::program::ProbeId;

use crate::undecoded::Undecoded;

/// What a run did, and what it could not read.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Records delivered in time order.
    pub records: u64,
    /// Firings.
    pub firings: u64,
    /// Events of enabled probes that could not be read: layouts unknown or payloads too short.
    pub unread: u64,
    /// Events whose fields the program read although they were not, or not by their own description, decoded.
    pub undecoded: Undecoded,
    /// Whether the run ended without an answer because of such an event, as its program asked.
    pub refused: bool,
    /// Probes that fired or whose events were there, by number less one.
    pub fired: Vec<bool>,
    /// Places of each trace that were found damaged; [`survey_all`](super::survey_all) also finds those in what no probe asks for.
    pub damaged: Vec<u64>,
    /// Buffers of each trace that were left out because they would take too much memory.
    pub left_out: Vec<u64>,
    /// Firings of timed probes that were left out because time jumped too far between two events.
    pub ticks_left_out: u64,
    /// When the feed begins: by the clock of `timestamp`, and in nanoseconds since 1970.
    pub began: (i64, i64),
    /// The program read `vtimestamp`, but there were no context switches, so that it had the time that passed.
    pub cpu_times_unknown: bool,
    /// Context switches that took off another thread than the one thought to run.
    pub inconsistent_switches: u64,
}

impl Outcome {
    /// Notes that the events of a probe are recorded, whether it fires for them or not.
    pub(super) fn note_recorded(&mut self, probe: ProbeId) {
        if let Some(fired) = (probe.0 as usize).checked_sub(1).and_then(|at| self.fired.get_mut(at)) {
            *fired = true;
        }
    }
}
