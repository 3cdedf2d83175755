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
