//! A span that outlives the record which ended it.

use tracewell_state::pairs::PairedSpan;

/// A span that ended with the record at hand.
#[derive(Debug, Default)]
pub(super) struct Ended {
    pub(super) pair: usize,
    pub(super) name: String,
    pub(super) number: u64,
    pub(super) parent: u64,
    pub(super) depth: u32,
    pub(super) time: i64,
    pub(super) cpu: u16,
    pub(super) pid: Option<u32>,
    pub(super) tid: Option<u32>,
    pub(super) start: Vec<u8>,
}

impl Ended {
    pub(super) fn of(span: &PairedSpan<'_>) -> Ended {
        Ended {
            pair: span.pair_number,
            name: span.name.to_owned(),
            number: span.number,
            parent: span.parent,
            depth: span.depth,
            time: span.time,
            cpu: span.cpu,
            pid: span.pid,
            tid: span.tid,
            start: span.start.to_vec(),
        }
    }
}
