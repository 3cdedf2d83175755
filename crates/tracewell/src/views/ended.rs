//! A span that outlives the record which ended it.

use tracewell_etl::Reading;
use tracewell_state::pairs::PairedSpan;

/// A span that ended with the record at hand.
#[derive(Debug)]
pub struct Ended {
    /// Number of the pair in the table.
    pub pair: usize,
    /// Name of the span.
    pub name: String,
    /// Number of the span.
    pub number: u64,
    /// Number of the span around it; 0 for none.
    pub parent: u64,
    /// Number of spans around it.
    pub depth: u32,
    /// Raw time of the start.
    pub time: i64,
    /// Processor of the start.
    pub cpu: u16,
    /// How the start's payload is laid out.
    pub reading: Reading,
    /// Process, if known.
    pub pid: Option<u32>,
    /// Thread, if known.
    pub tid: Option<u32>,
    /// Bytes of the record that began it.
    pub start: Vec<u8>,
}

impl Ended {
    /// Copies a span.
    #[must_use]
    pub fn of(span: &PairedSpan<'_>) -> Ended {
        Ended {
            pair: span.pair_number,
            name: span.name.to_owned(),
            number: span.number,
            parent: span.parent,
            depth: span.depth,
            time: span.time,
            cpu: span.cpu,
            reading: span.reading,
            pid: span.pid,
            tid: span.tid,
            start: span.start.to_vec(),
        }
    }
}
