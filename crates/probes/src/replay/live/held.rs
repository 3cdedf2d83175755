//! Records that wait for the stacks of their events, which the kernel logs after them.

use tracewell_etl::{Clock, Record};
use tracewell_state::{StackBuilder, Stacks};

/// How long an event waits for its stack, in nanoseconds. A stack's user half is logged when the thread returns from the kernel.
const HOLD: i64 = 200_000_000;
/// Bytes that may wait; beyond, events go on without a stack that may still come.
const MOST: usize = 64 << 20;

/// Records one after the other, each with its processor.
#[derive(Debug, Default)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    /// Where each begins, and its processor.
    places: Vec<(usize, u16)>,
}

impl Kept {
    fn push(&mut self, record: &Record<'_>) {
        self.places.push((self.bytes.len(), record.cpu()));
        self.bytes.extend_from_slice(record.bytes());
    }

    /// The records.
    pub(super) fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.places.iter().filter_map(|&(start, cpu)| Record::parse(self.bytes.get(start..)?, cpu).ok())
    }
}

/// Records in the order of their times, until they have waited long enough.
#[derive(Debug, Default)]
pub(super) struct Held {
    waiting: Kept,
    /// Those that wait no longer.
    pub(super) ripe: Kept,
    /// All stacks that have come.
    pub(super) stacks: Stacks,
}

impl Held {
    /// Whether records wait.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.places.is_empty()
    }

    /// Takes in later records. Those that have waited long enough are ripe then; without later ones all are.
    pub(super) fn exchange(&mut self, later: &[Record<'_>], clock: &Clock) {
        let mut all = std::mem::take(&mut self.waiting);
        later.iter().for_each(|record| all.push(record));
        let mut builder = StackBuilder::new();
        builder.next_trace();
        all.records().for_each(|record| builder.observe(&record));
        let until = match later.last() {
            Some(last) if all.bytes.len() <= MOST => clock.ns(last.time()).saturating_sub(HOLD),
            _ => i64::MAX,
        };
        let ripe = all.records().take_while(|record| clock.ns(record.time()) <= until).count();
        all.records().skip(ripe).for_each(|record| self.waiting.push(&record));
        all.places.truncate(ripe);
        self.ripe = all;
        self.stacks = builder.finish();
    }
}

#[cfg(test)]
mod tests {
    use tracewell_etl::def::logfile::ClockType;
    use tracewell_etl::write::Event;
    use tracewell_types::FileTime;

    use super::*;

    /// A record of this time.
    fn record(time: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        assert!(Event { time, ..Event::default() }.append(&[], &[], &mut bytes));
        bytes
    }

    /// The times and processors of records.
    fn times(kept: &Kept) -> Vec<(i64, u16)> {
        kept.records().map(|record| (record.time(), record.cpu())).collect()
    }

    #[test]
    fn issue_23_records_wait_until_their_stack_must_have_come() {
        let clock = Clock::new(ClockType::PERFORMANCE_COUNTER, 1_000_000_000, FileTime(0), 0);
        let mut held = Held::default();
        let mut exchange = |times_of: &[(i64, u16)]| {
            let later: Vec<Vec<u8>> = times_of.iter().map(|(time, _)| record(*time)).collect();
            let cpus = times_of.iter().map(|(_, cpu)| *cpu);
            let later: Vec<Record<'_>> =
                later.iter().zip(cpus).map(|(bytes, cpu)| Record::parse(bytes, cpu).unwrap()).collect();
            held.exchange(&later, &clock);
            (times(&held.ripe), held.is_empty())
        };
        assert_eq!(exchange(&[]), (vec![], true));
        assert_eq!(exchange(&[(0, 1), (1, 2), (HOLD - 1, 3)]), (vec![], false));
        assert_eq!(exchange(&[(HOLD, 4)]), (vec![(0, 1)], false), "it has waited long enough");
        assert_eq!(exchange(&[(HOLD + 1, 5)]), (vec![(1, 2)], false));
        // No further record: nothing can still come.
        assert_eq!(exchange(&[]), (vec![(HOLD - 1, 3), (HOLD, 4), (HOLD + 1, 5)], true));
    }
}
