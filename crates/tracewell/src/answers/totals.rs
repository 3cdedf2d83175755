//! The totals that are compared.

use std::collections::BTreeMap;

/// What is counted or summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Total {
    /// Events by provider and number.
    Events,
    /// Samples by thread.
    Samples,
    /// Context switches by the thread that comes.
    Switches,
    /// Bytes of disk transfers by process.
    DiskBytes,
    /// Bytes that the network transferred, by process.
    NetworkBytes,
    /// Spans by provider and name.
    Spans,
    /// The nanoseconds that these took.
    SpanTimes,
}

impl Total {
    /// All totals, with their names in the script and in words.
    pub(super) const ALL: [(Total, &'static str, &'static str); 7] = [
        (Total::Events, "events", "events by provider and number"),
        (Total::Samples, "samples", "samples by thread"),
        (Total::Switches, "switches", "context switches by thread"),
        (Total::DiskBytes, "disk", "bytes of disk transfers by process"),
        (Total::NetworkBytes, "network", "bytes of the network by process"),
        (Total::Spans, "spans", "spans by provider and name"),
        (Total::SpanTimes, "times", "duration of spans, ns"),
    ];
}

/// Totals by what they are of.
pub(super) type Totals = BTreeMap<(Total, String), i64>;

/// The key of what has no known process.
pub(super) const UNKNOWN: u32 = u32::MAX;
