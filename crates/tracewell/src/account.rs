//! What is missing from a trace: what its session lost, what is damaged, what was cut off. Whatever command read the
//! trace says it in the same lines.

use tracewell_etl::read::{Ledger, Losses};
use tracewell_etl::{Record, Trace};

use crate::text::{counted, grouped};

/// What is missing from one trace.
#[derive(Clone, Debug)]
pub struct Account {
    losses: Losses,
    damaged: u64,
    /// Buffers that would take too much memory.
    left_out: u64,
    /// Buffers by the header, and in the file, when the file has too few.
    buffers: Option<(u64, usize)>,
}

impl Account {
    /// What the header and the buffer index report.
    #[must_use]
    pub fn new(trace: &Trace<'_>) -> Account {
        Account {
            losses: trace.losses(),
            damaged: trace.ledger().count(),
            left_out: 0,
            buffers: trace.buffers_expected().map(|expected| (expected, trace.buffers().len())),
        }
    }

    /// Processes a record; a few types report losses.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        self.losses.observe(record);
    }

    /// Takes in what a reader of all records found damaged, beside what opening did.
    pub fn read(&mut self, trace: &Trace<'_>, records: &Ledger) {
        self.found(trace.ledger().count() + records.count() - records.limited());
        self.left_out(records.limited());
    }

    /// Takes in how many buffers a pass left out because they would take too much memory.
    pub fn left_out(&mut self, buffers: u64) {
        self.left_out = self.left_out.max(buffers);
    }

    /// Takes in how many damaged places a pass over the trace found in all. Passes find the same places, unless one does not
    /// look everywhere, or has to leave something out that another can read.
    pub fn found(&mut self, damaged: u64) {
        self.damaged = self.damaged.max(damaged);
    }

    /// Damaged places.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Buffers that would take too much memory.
    #[must_use]
    pub fn buffers_left_out(&self) -> u64 {
        self.left_out
    }

    /// What the session lost.
    #[must_use]
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// How many of the buffers that the header counts are missing from the file.
    #[must_use]
    pub fn missing_buffers(&self) -> u64 {
        self.buffers.map_or(0, |(expected, found)| expected.saturating_sub(found as u64))
    }

    /// That buffers are missing, when they are.
    #[must_use]
    pub fn cut(&self) -> Option<String> {
        let (expected, _) = self.buffers?;
        let missing = self.missing_buffers();
        let share = missing as f64 * 100.0 / expected as f64;
        Some(format!(
            "{} of the {} buffers that the header counts {} missing, about {share:.0} % of the file",
            grouped(missing),
            grouped(expected),
            if missing == 1 { "is" } else { "are" },
        ))
    }

    /// All there is to say, a line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let lost = &self.losses;
        if lost.any() {
            let counts = [
                (lost.events.into(), "event", "events"),
                (lost.buffers.into(), "buffer", "buffers"),
                (lost.messages(), "message", "messages"),
            ];
            let known = counts.into_iter().filter(|(count, ..)| *count > 0);
            let mut what: Vec<String> = known.map(|(count, one, more)| counted(count, one, more)).collect();
            let what = match (what.pop(), what.join(", ")) {
                // Flags and records report a loss, but not its size.
                (None, _) => "events".to_owned(),
                (Some(last), others) if others.is_empty() => last,
                (Some(last), others) => format!("{others} and {last}"),
            };
            lines.push(format!("the session lost {what} while recording: counts are low"));
        }
        lines.extend(self.cut());
        if self.damaged > 0 {
            let damaged = counted(self.damaged, "damaged place was", "damaged places were");
            lines.push(format!("{damaged} skipped (etw info lists what is damaged)"));
        }
        if self.left_out > 0 {
            let buffers = counted(self.left_out, "buffer was", "buffers were");
            lines.push(format!("{buffers} left out: sorting them by time would exceed the memory limit"));
        }
        lines
    }
}
