//! Fields by name for events of many versions: each layout is resolved once.

use tracewell_decode::Accessor;
use tracewell_etl::Record;
use tracewell_schema::EventClass;

/// Accessors for a fixed list of field names of one class, for every layout met so far.
#[derive(Debug)]
pub(crate) struct ClassReader<const N: usize> {
    class: Option<&'static EventClass>,
    names: [&'static str; N],
    /// By opcode, version and pointer size. A trace has few of them, and runs of the same one.
    layouts: Vec<((u8, u8, u8), Option<Accessors<N>>)>,
    /// The position of the one used last.
    last: usize,
}

/// The accessor of each field that a layout has.
type Accessors<const N: usize> = [Option<Accessor>; N];

/// The accessor of a field that has the same offset in every layout of its event.
pub(crate) fn unvarying(class: &str, opcode: u8, name: &str) -> Option<Accessor> {
    let found = tracewell_schema::kernel::class(class)?.event(opcode, u8::MAX)?;
    Accessor::new(found.version, name, 8)
}

/// The fields of one record.
pub(crate) struct RecordFields<'r, 'a, const N: usize> {
    accessors: &'r Accessors<N>,
    pub(crate) payload: &'a [u8],
}

impl<const N: usize> ClassReader<N> {
    pub(crate) fn new(class: &str, names: [&'static str; N]) -> ClassReader<N> {
        ClassReader { class: tracewell_schema::kernel::class(class), names, layouts: Vec::new(), last: 0 }
    }

    /// The fields of a record of this class; `None` when its opcode is not in the tables.
    pub(crate) fn read<'a>(&mut self, record: &Record<'a>) -> Option<RecordFields<'_, 'a, N>> {
        let key = (record.opcode(), record.layout_version(), record.pointer_size());
        if self.layouts.get(self.last).is_none_or(|(known, _)| *known != key) {
            self.last = self.resolve(key);
        }
        let (_, accessors) = self.layouts.get(self.last)?;
        Some(RecordFields { accessors: accessors.as_ref()?, payload: record.payload() })
    }
}

impl<const N: usize> ClassReader<N> {
    /// The position of a layout, which is resolved when it is new.
    #[cold]
    fn resolve(&mut self, key: (u8, u8, u8)) -> usize {
        if let Some(at) = self.layouts.iter().position(|(known, _)| *known == key) {
            return at;
        }
        let found = self.class.and_then(|class| class.event(key.0, key.1));
        let accessors = found.map(|found| self.names.map(|name| Accessor::new(found.version, name, key.2)));
        self.layouts.push((key, accessors));
        self.layouts.len() - 1
    }
}

impl<'a, const N: usize> RecordFields<'_, 'a, N> {
    fn accessor(&self, field: usize) -> Option<&Accessor> {
        self.accessors.get(field)?.as_ref()
    }

    pub(crate) fn u64(&self, field: usize) -> Option<u64> {
        self.accessor(field)?.int(self.payload)
    }

    pub(crate) fn u32(&self, field: usize) -> Option<u32> {
        self.u64(field).map(|value| value as u32)
    }

    pub(crate) fn u8(&self, field: usize) -> Option<u8> {
        self.u64(field).map(|value| value as u8)
    }

    pub(crate) fn utf16(&self, field: usize) -> Option<tracewell_types::Utf16Str<'a>> {
        self.accessor(field)?.str16(self.payload)
    }

    pub(crate) fn ansi(&self, field: usize) -> Option<&'a [u8]> {
        self.accessor(field)?.ansi(self.payload)
    }

    pub(crate) fn guid(&self, field: usize) -> Option<tracewell_types::Guid> {
        self.accessor(field)?.guid(self.payload)
    }

    pub(crate) fn sid(&self, field: usize) -> Option<tracewell_types::Sid<'a>> {
        self.accessor(field)?.sid(self.payload)
    }
}
