//! How payloads are laid out where the headers of their records do not say it.

use std::collections::BTreeMap;

use tracewell_types::Guid;

use crate::record::{Reading, Record};

/// Which records a [`Reading`] is for, besides the version and pointer size in their headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readable {
    /// Kernel records with this [`Record::hook`].
    Hook(u16),
    /// Class events of this class.
    Class(Guid),
    /// Events of this provider with this id.
    Event(Guid, u16),
}

/// The inferred readings of a trace; usually none. See [`Trace::read_as`](crate::Trace::read_as).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings(BTreeMap<(Readable, u8, u8), Reading>);

impl Readings {
    /// Reads the records that are `of` this kind, with this version and pointer size in their headers, by another version and
    /// pointer size.
    pub fn insert(
        &mut self,
        of: Readable,
        (version, pointer_size): (u8, u8),
        (as_version, as_size): (u8, u8),
    ) {
        let reading = Reading { version: as_version, pointer_size: as_size, inferred: true };
        self.0.insert((of, version, pointer_size), reading);
    }

    /// Returns `true` if every record is read as its header says.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The record, with the reading for its kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn apply<'a>(&self, record: Record<'a>) -> Record<'a> {
        let of = match record.hook() {
            Some(hook) => Readable::Hook(hook),
            None if record.is_class() => Readable::Class(record.guid()),
            None if record.is_event() => Readable::Event(record.guid(), record.id()),
            None => return record,
        };
        let key = (of, record.version(), record.pointer_size());
        self.0.get(&key).map_or(record, |reading| record.read_as(*reading))
    }
}
