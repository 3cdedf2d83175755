//! Faults that can be put into a run, to test what checks its answers.

use tracewell_decode::kernel_event;
use tracewell_etl::Record;
use tracewell_etl::read::Wanted;
use tracewell_probes::replay::{Feed, Next, Records, Setting, Stretch, World};
use tracewell_schema::kernel::hook;

/// A fault of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seed {
    /// Some records are lost.
    LostRecords,
    /// A context switch puts the thread on the processor that it takes off.
    SwappedThreads,
    /// Disk transfers have other sizes.
    WrongSizes,
    /// Some records have a later time.
    LateTimes,
    /// No thread has a process.
    NoOwners,
}

impl Seed {
    /// All faults with their names.
    pub const ALL: [(&'static str, Seed); 5] = [
        ("lost-records", Seed::LostRecords),
        ("swapped-threads", Seed::SwappedThreads),
        ("wrong-sizes", Seed::WrongSizes),
        ("late-times", Seed::LateTimes),
        ("no-owners", Seed::NoOwners),
    ];
}

/// One record of so many has the fault.
const EVERY: u64 = 7;

/// A feed with a fault.
pub(crate) struct Seeded<F> {
    pub(crate) feed: F,
    pub(crate) seed: Seed,
}

/// The records of such a feed.
pub(crate) struct SeededRecords<R> {
    records: R,
    seed: Seed,
    seen: u64,
    bytes: Vec<u8>,
}

impl<R: Records> Records for SeededRecords<R> {
    fn next(&mut self) -> Option<(usize, Record<'_>)> {
        let SeededRecords { records, seed, seen, bytes } = self;
        *seen += 1;
        let is_hit = *seen % EVERY == 0;
        if is_hit && *seed == Seed::LostRecords {
            records.next()?;
        }
        let (at, record) = records.next()?;
        bytes.clear();
        bytes.extend_from_slice(record.bytes());
        let class = kernel_event(&record).map_or("", |event| event.event.name);
        let payload = record.payload_offset();
        match seed {
            Seed::SwappedThreads if class == "CSwitch" => {
                if let Some(threads) = bytes.get_mut(payload..payload + 8) {
                    threads.rotate_left(4);
                }
            }
            Seed::WrongSizes if matches!(record.hook(), Some(hook::DISK_IO_READ | hook::DISK_IO_WRITE)) => {
                if let Some(size) = bytes.get_mut(payload + 9) {
                    *size ^= 2;
                }
            }
            Seed::LateTimes if is_hit => {
                let late = record.time().saturating_add(1).to_le_bytes();
                if let Some(time) = record.time_offset().and_then(|at| bytes.get_mut(at..at + 8)) {
                    time.copy_from_slice(&late);
                }
            }
            _ => {}
        }
        Some((at, Record::parse(bytes, record.cpu()).ok()?))
    }

    fn bytes_done(&self) -> u64 {
        self.records.bytes_done()
    }
}

impl<F: Feed> Feed for Seeded<F> {
    type Records<'f>
        = SeededRecords<F::Records<'f>>
    where
        Self: 'f;

    fn open(&mut self, wanted: Option<&Wanted>) {
        self.feed.open(wanted);
    }

    fn setting(&self) -> Setting {
        self.feed.setting()
    }

    fn world(&self) -> World<'_> {
        self.feed.world()
    }

    fn next(&mut self) -> Next<'_, Self::Records<'_>> {
        match self.feed.next() {
            Next::Stretch(Stretch { world, clocks, records }) => {
                let records = SeededRecords { records, seed: self.seed, seen: 0, bytes: Vec::new() };
                Next::Stretch(Stretch { world, clocks, records })
            }
            Next::Nothing => Next::Nothing,
            Next::End => Next::End,
        }
    }

    fn close(&mut self) {
        self.feed.close();
    }
}
