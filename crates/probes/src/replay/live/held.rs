//! Records that wait for the stacks of their events, which the kernel logs after them.

use tracewell_etl::{Clock, Record};
use tracewell_state::{StackBuilder, Stacks};

/// How long an event waits for its stack, in nanoseconds. A stack's user half is logged when the thread returns from the kernel.
const HOLD: i64 = 200_000_000;
/// Bytes that may wait; beyond, events go on without a stack that may still come.
const MOST: usize = 64 << 20;

/// Records in the order of their times.
#[derive(Debug, Default)]
pub(super) struct Held {
    bytes: Vec<u8>,
    /// Where each begins, and its processor.
    places: Vec<(usize, u16)>,
}

impl Held {
    fn push(&mut self, record: &Record<'_>) {
        self.places.push((self.bytes.len(), record.cpu()));
        self.bytes.extend_from_slice(record.bytes());
    }

    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.places.iter().filter_map(|&(start, cpu)| Record::parse(self.bytes.get(start..)?, cpu).ok())
    }

    /// Takes in later records, and hands the ones that have waited long enough to `ripe`, with all stacks that have come. With
    /// no later ones nothing more is waited for.
    pub(super) fn exchange(
        &mut self,
        later: &[Record<'_>],
        clock: &Clock,
        ripe: impl FnOnce(&[Record<'_>], &Stacks),
    ) {
        later.iter().for_each(|record| self.push(record));
        let mut builder = StackBuilder::new();
        builder.next_trace();
        self.records().for_each(|record| builder.observe(&record));
        let records: Vec<Record<'_>> = self.records().collect();
        let until = match later.last() {
            Some(last) if self.bytes.len() <= MOST => clock.ns(last.time()).saturating_sub(HOLD),
            _ => i64::MAX,
        };
        let (now, rest) =
            records.split_at(records.partition_point(|record| clock.ns(record.time()) <= until));
        let mut left = Held::default();
        rest.iter().for_each(|record| left.push(record));
        ripe(now, &builder.finish());
        *self = left;
    }
}
