//! A trace file as a stream: read once, in time order, as the records of a session come.

use tracewell_etl::{ByTime, Clock, Record, Trace};

use super::feed::Setting;
use super::files::{clocks, setting};
use super::live::{Arrival, Stream};

/// The records of a trace in batches.
#[derive(Debug)]
pub struct Recording<'t> {
    setting: Setting,
    clock: Clock,
    records: ByTime<'t>,
    batch: usize,
    bytes: Vec<u8>,
    /// Where each record of the batch begins, and its processor.
    places: Vec<(usize, u16)>,
}

impl<'t> Recording<'t> {
    /// A stream of a trace with so many records in each batch.
    #[must_use]
    pub fn new(trace: &'t Trace<'t>, batch: usize) -> Recording<'t> {
        let only = std::slice::from_ref(trace);
        Recording {
            setting: setting(only, &clocks(only)),
            clock: *trace.clock(),
            records: trace.by_time(),
            batch: batch.max(1),
            bytes: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl Stream for Recording<'_> {
    fn setting(&self) -> Setting {
        self.setting.clone()
    }

    fn clock(&self) -> Clock {
        self.clock
    }

    fn next(&mut self) -> Arrival {
        self.bytes.clear();
        self.places.clear();
        while self.places.len() < self.batch
            && let Some(record) = self.records.next()
        {
            self.places.push((self.bytes.len(), record.cpu()));
            self.bytes.extend_from_slice(record.bytes());
        }
        if self.places.is_empty() { Arrival::End } else { Arrival::Records }
    }

    fn records(&self) -> Vec<Record<'_>> {
        let record = |&(start, cpu): &(usize, u16)| Record::parse(self.bytes.get(start..)?, cpu).ok();
        self.places.iter().filter_map(record).collect()
    }
}
