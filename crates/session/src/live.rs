//! Live sessions, seen by a consumer.

use std::time::Duration;

use tracewell_etl::{Clock, LogFileHeader, Record};

use crate::error::Error;

/// A stream of events from a running session.
pub trait LiveSource: Send {
    /// The session's description of itself, including the start of its clock.
    fn header(&self) -> &LogFileHeader;

    /// What raw times mean.
    fn clock(&self) -> &Clock;

    /// What was lost so far, as of the last batch.
    fn losses(&self) -> LiveLosses;

    /// Raw time up to which the source is complete: all older events were delivered. A source that only knows its last
    /// batch returns the minimum time.
    fn complete_to(&self) -> i64 {
        i64::MIN
    }

    /// Waits for events, at most so long. An empty batch says that there were none; `None` that the session has ended
    /// and everything was given. The events of one batch are in order, and none is older than one of an earlier batch.
    ///
    /// # Errors
    ///
    /// When the session is gone without an end.
    fn next(&mut self, time: Duration) -> Result<Option<Batch>, Error>;
}

impl<S: LiveSource + ?Sized> LiveSource for &mut S {
    fn header(&self) -> &LogFileHeader {
        (**self).header()
    }

    fn clock(&self) -> &Clock {
        (**self).clock()
    }

    fn losses(&self) -> LiveLosses {
        (**self).losses()
    }

    fn complete_to(&self) -> i64 {
        (**self).complete_to()
    }

    fn next(&mut self, time: Duration) -> Result<Option<Batch>, Error> {
        (**self).next(time)
    }
}

/// What a consumer did not get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveLosses {
    /// Events that found no free buffer, in the session.
    pub session_events: u64,
    /// Events in buffers that this consumer did not take in time.
    pub consumer_events: u64,
    /// Those buffers.
    pub consumer_buffers: u64,
    /// Places in what arrived that made no sense.
    pub damaged: u64,
}

/// Events in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    bytes: Vec<u8>,
    order: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    time: i64,
    start: usize,
    cpu: u16,
}

impl Batch {
    /// The events.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The event of the given index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Record<'_>> {
        let place = self.order.get(index)?;
        Record::parse(self.bytes.get(place.start..)?, place.cpu).ok()
    }

    /// The raw time of the event of the given index.
    #[must_use]
    pub fn time(&self, index: usize) -> Option<i64> {
        self.order.get(index).map(|place| place.time)
    }

    /// Bytes of all events.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes of memory that the events take, with their order.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bytes.len() + size_of_val(self.order.as_slice())
    }

    /// Gives back memory that no event takes.
    pub fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.order.shrink_to_fit();
    }

    /// Number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns `true` if there are no events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Appends a copy of a record; [`Batch::sort`] puts it in its place.
    pub fn push(&mut self, record: &Record<'_>) {
        self.order.push(Place { time: record.time(), start: self.bytes.len(), cpu: record.cpu() });
        self.bytes.extend_from_slice(record.bytes());
    }

    /// Puts the events in order; equal times stay as they were appended.
    pub fn sort(&mut self) {
        self.order.sort_by_key(|place| place.time);
    }
}
