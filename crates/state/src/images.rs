//! Images: executables and libraries mapped into processes, and drivers.

use tracewell_types::Guid;

use crate::names::NameId;
use crate::spans::{Sighted, Span, Spans};

/// An image mapped into a process; drivers belong to process 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The process it is mapped into.
    pub pid: u32,
    /// The address it is mapped at.
    pub base: u64,
    /// Its size in memory, in bytes.
    pub size: u64,
    /// The file: an NT path with its device if any event about this mapping contains that, or else the
    /// path within its volume from load events.
    pub file: NameId,
    /// The last component of the file in ASCII lower case.
    pub module: NameId,
    /// Whether [`Image::file`] names the device.
    pub(crate) has_device: bool,
    /// Link time stamp of the header, if known.
    pub time_stamp: Option<u32>,
    /// Checksum of the header, if known.
    pub checksum: Option<u32>,
    /// The preferred base address, if known.
    pub default_base: Option<u64>,
    /// The matching program database, if a merge tool added it to the trace.
    pub identity: Option<ImageIdentity>,
}

/// The identity of an image's program database (RSDS record).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageIdentity {
    /// The signature.
    pub guid: Guid,
    /// The age.
    pub age: u32,
    /// The file name of the program database.
    pub pdb: NameId,
}

impl Sighted for Image {
    fn is_same(&self, other: &Image) -> bool {
        // Not the path: load events and rundowns write it differently.
        self.size == other.size && self.module == other.module
    }

    fn absorb(&mut self, later: Image) {
        if later.has_device && !self.has_device {
            self.file = later.file;
            self.has_device = true;
        }
        self.time_stamp = self.time_stamp.or(later.time_stamp);
        self.checksum = self.checksum.or(later.checksum);
        self.default_base = self.default_base.or(later.default_base);
    }
}

/// Images of all processes, found by address and time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Images {
    spans: Spans<(u32, u64), Image>,
    /// For each entry, the highest end address of it and of all entries before it in the same process:
    /// shows how far back a lookup has to go.
    reach: Vec<u64>,
}

impl Images {
    pub(crate) fn new(spans: Spans<(u32, u64), Image>) -> Images {
        let mut reach = Vec::with_capacity(spans.entries().len());
        let mut highest = 0;
        let mut owner = None;
        for ((pid, base), span) in spans.entries() {
            if owner != Some(*pid) {
                (owner, highest) = (Some(*pid), 0);
            }
            highest = highest.max(base.saturating_add(span.value.size));
            reach.push(highest);
        }
        Images { spans, reach }
    }

    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = &Span<Image>> {
        self.spans.entries().iter().map(|(_, span)| span)
    }

    pub(crate) fn at_base(&self, pid: u32, base: u64, time: i64) -> Option<&Span<Image>> {
        self.spans.get(self.spans.at((pid, base), time)?)
    }

    pub(crate) fn at_address(&self, pid: u32, address: u64, time: i64) -> Option<&Span<Image>> {
        self.find(pid, address, |span| span.contains(time))
    }

    pub(crate) fn ever(&self, pid: u32, address: u64) -> Option<&Span<Image>> {
        self.find(pid, address, |_| true)
    }

    fn find(&self, pid: u32, address: u64, wanted: impl Fn(&Span<Image>) -> bool) -> Option<&Span<Image>> {
        let entries = self.spans.entries();
        let mut at = entries.partition_point(|((p, base), _)| (*p, *base) <= (pid, address));
        // Enough for any honest history of one address; keeps a made-up one from slowing every lookup.
        for _ in 0..1024 {
            at = at.checked_sub(1)?;
            let ((owner, base), span) = entries.get(at)?;
            if *owner != pid || *self.reach.get(at)? <= address {
                return None;
            }
            if address - base < span.value.size && wanted(span) {
                return Some(span);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one record of an image lacks comes from another; what is known stays.
    #[test]
    fn issue_23_records_of_an_image_complete_each_other() {
        let image = |time_stamp, checksum, default_base, has_device| Image {
            pid: 4,
            base: 0x1000,
            size: 0x100,
            file: NameId::default(),
            module: NameId::default(),
            has_device,
            time_stamp,
            checksum,
            default_base,
            identity: None,
        };
        let mut known = image(None, Some(2), None, false);
        known.absorb(image(Some(1), Some(9), Some(3), true));
        assert_eq!(known, image(Some(1), Some(2), Some(3), true));
        known.absorb(image(Some(7), None, Some(8), false));
        assert_eq!(known, image(Some(1), Some(2), Some(3), true));
    }
}
