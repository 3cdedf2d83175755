//! Descriptions of events that a trace contains for readers without the kernel at hand: `TRACE_EVENT_INFO` (tdh.h).

use tracewell_types::Guid;

use crate::payload::Payload;

/// The type of the records of [`EVENT_METADATA`](tracewell_etl::def::guid::EVENT_METADATA) with such a description.
pub(crate) const EVENT_INFO: u8 = 32;

/// Bytes before the properties, and of each.
const HEAD: usize = 112;
const PROPERTY: usize = 24;
/// Descriptions of this source come from events that describe themselves (`DecodingSourceTlg`).
const SELF_DESCRIBING: u32 = 3;

/// How many values a property has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    One,
    Fixed(u16),
    /// As many as the property of this number says.
    As(u16),
}

/// A property of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// How it is stored and shown: numbers of TDH.
    pub(crate) types: (u8, u8),
    pub(crate) count: Count,
    /// Bytes of a value; 0 for text.
    pub(crate) length: u16,
}

/// What an event is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    pub(crate) provider: Guid,
    pub(crate) provider_name: &'a str,
    pub(crate) id: u16,
    pub(crate) channel: u8,
    pub(crate) level: u8,
    pub(crate) name: &'a str,
}

/// Appends a description: names are behind the properties.
pub(crate) fn append(named: Named<'_>, properties: &[Property], out: &mut Payload) {
    let mut names = Payload::default();
    let mut name = |text: &str| {
        let at = HEAD + PROPERTY * properties.len() + names.len();
        names.utf16(text);
        at as u32
    };
    let count = properties.len() as u32;
    out.bytes(&named.provider.to_bytes()).zeros(16);
    out.u16(named.id).u8(0).u8(named.channel).u8(named.level).u8(0).u16(0).u64(0);
    out.u32(SELF_DESCRIBING).u32(name(named.provider_name));
    // No names of level, channel and keywords.
    out.zeros(12).u32(name(named.name));
    // No opcode, messages, binary XML and activities.
    out.zeros(28).u32(count).u32(count).u32(0);
    for property in properties {
        const COUNT_IN_PROPERTY: u32 = 4;
        const FIXED_COUNT: u32 = 32;
        let (flags, count) = match property.count {
            Count::One => (0, 1),
            Count::Fixed(count) => (FIXED_COUNT, count),
            Count::As(number) => (COUNT_IN_PROPERTY, number),
        };
        out.u32(flags).u32(name(&property.name));
        out.u16(property.types.0.into()).u16(property.types.1.into()).u32(0);
        out.u16(count).u16(property.length).u32(0);
    }
    out.bytes(names.as_slice());
}
