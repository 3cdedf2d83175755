//! The events whose fields a program read although they were decoded in part, by another version, or not at all.

use std::collections::BTreeMap;
use std::fmt;

use tracewell_decode::{EventFormat, Lack};

use crate::opened::Read;

/// Counts of such events by type, version and reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undecoded(BTreeMap<Kind, Count>);

/// A type of event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The name of the provider.
    pub provider: Box<str>,
    /// The name of the event.
    pub event: Box<str>,
    /// Its id, or the type of a class event.
    pub number: u16,
    /// Its version.
    pub version: u8,
    /// Why it could not be decoded.
    pub lack: Lack,
}

/// How many events of one type were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Events of which the program read a field.
    pub read: u64,
    /// Those of them of which a field had no value.
    pub failed: u64,
}

/// Maximum number of types that are distinguished, so that a trace with only new types cannot exhaust memory.
const MOST_KINDS: usize = 1 << 12;

impl Undecoded {
    /// Takes in an event: its format and version, and what was read of it.
    #[inline]
    pub(crate) fn observe(&mut self, format: &EventFormat, (number, version): (u16, u8), read: Read) {
        let lack = match read {
            Read::Nothing => return,
            Read::Decoded => format.lack(),
            Read::Undecoded => Some(format.lack().unwrap_or(Lack::Payload)),
        };
        if let Some(lack) = lack {
            self.count(format, (number, version), lack, read);
        }
    }

    #[cold]
    fn count(&mut self, format: &EventFormat, (number, version): (u16, u8), lack: Lack, read: Read) {
        let kind =
            Kind { provider: format.provider.clone(), event: format.name.clone(), number, version, lack };
        if self.0.len() >= MOST_KINDS && !self.0.contains_key(&kind) {
            return;
        }
        let count = self.0.entry(kind).or_default();
        count.read += 1;
        count.failed += u64::from(read == Read::Undecoded);
    }

    /// The types of events with their counts, by provider and event.
    pub fn kinds(&self) -> impl Iterator<Item = (&Kind, Count)> {
        self.0.iter().map(|(kind, count)| (kind, *count))
    }

    /// Returns `true` if every field that was read could be decoded by the description of its version.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (event {}, version {})", self.provider, self.event, self.number, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use tracewell_decode::{Decoder, FormatId, Schemas};

    /// Only what was read counts, by type, version and reason, and of too many types the first.
    #[test]
    fn issue_23_events_that_were_read_in_part_are_counted_by_type() {
        let decoder = Decoder::new(Schemas::new());
        let mut whole = decoder.get(FormatId(u32::MAX)).clone();
        (whole.provider, whole.name) = ("P".into(), "Sale".into());
        let lack = whole.lack();
        let mut seen = Undecoded::default();
        seen.observe(&whole, (7, 1), Read::Nothing);
        assert!(seen.is_empty());
        for (version, read) in
            [(1, Read::Undecoded), (1, Read::Undecoded), (2, Read::Undecoded), (1, Read::Decoded)]
        {
            seen.observe(&whole, (7, version), read);
        }
        assert!(!seen.is_empty());
        let counts: Vec<_> =
            seen.kinds().map(|(kind, count)| (kind.to_string(), count.read, count.failed)).collect();
        // What could be decoded counts only if its description is not the event's.
        let read = 2 + u64::from(lack.is_some());
        let first = ("P Sale (event 7, version 1)".to_owned(), read, 2);
        assert_eq!(counts, [first, ("P Sale (event 7, version 2)".to_owned(), 1, 1)]);
        assert!(seen.kinds().all(|(kind, _)| kind.lack == lack.unwrap_or(Lack::Payload)));
        for number in 0..MOST_KINDS as u32 + 9 {
            seen.observe(&whole, (number as u16, 3), Read::Undecoded);
        }
        assert_eq!(seen.kinds().count(), MOST_KINDS);
        seen.observe(&whole, (7, 2), Read::Undecoded);
        let known = seen.kinds().find(|(kind, _)| kind.version == 2);
        assert_eq!(known.map(|(_, count)| count), Some(Count { read: 2, failed: 2 }));
    }
}
