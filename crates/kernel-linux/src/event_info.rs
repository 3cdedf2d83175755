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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number is where `TRACE_EVENT_INFO` has it, and every name where its offset points.
    #[test]
    fn issue_23_descriptions_are_laid_out_as_documented() {
        let property =
            |name: &str, types, count, length| Property { name: name.to_owned(), types, count, length };
        let properties = [
            property("pid", (7, 0), Count::One, 4),
            property("count", (6, 3), Count::Fixed(5), 2),
            property("data", (4, 13), Count::As(1), 1),
            property("text", (2, 0), Count::One, 0),
        ];
        for known in 0..=properties.len() {
            let properties = &properties[..known];
            let provider = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");
            let named = Named {
                provider,
                provider_name: "Linux",
                id: 0x1234,
                channel: 7,
                level: 4,
                name: "sched_switch",
            };
            let mut out = Payload::default();
            append(named, properties, &mut out);
            let bytes = out.as_slice();
            let byte = |at: usize| u32::from(bytes[at]);
            let half = |at: usize| u32::from(u16::from_le_bytes(*bytes[at..].first_chunk().unwrap()));
            let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
            let text = |at: usize| {
                let units =
                    bytes[word(at) as usize..].as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
                String::from_utf16(&units.take_while(|unit| *unit != 0).collect::<Vec<_>>()).unwrap()
            };
            assert_eq!(bytes[..16], provider.to_bytes());
            // Id, version, channel, level, opcode, task and keyword.
            assert_eq!([half(32), byte(34), byte(35), byte(36), byte(37), half(38)], [0x1234, 0, 7, 4, 0, 0]);
            assert_eq!((word(40), word(44), word(48)), (0, 0, SELF_DESCRIBING));
            assert_eq!((text(52), text(68)), ("Linux".to_owned(), "sched_switch".to_owned()));
            let none = [16, 20, 24, 28, 56, 60, 64, 72, 76, 80, 84, 88, 92, 96, 108];
            assert!(none.into_iter().all(|at| word(at) == 0));
            assert_eq!((word(100), word(104)), (known as u32, known as u32));
            let found: Vec<_> = (0..known)
                .map(|number| HEAD + PROPERTY * number)
                .map(|at| {
                    (
                        word(at),
                        text(at + 4),
                        half(at + 8),
                        half(at + 10),
                        word(at + 12),
                        half(at + 16),
                        half(at + 18),
                        word(at + 20),
                    )
                })
                .collect();
            let expected = [
                (0, "pid", 7, 0, 0, 1, 4, 0),
                (32, "count", 6, 3, 0, 5, 2, 0),
                (4, "data", 4, 13, 0, 1, 1, 0),
                (0, "text", 2, 0, 0, 1, 0, 0),
            ]
            .map(|(flags, name, a, b, c, d, e, f)| (flags, name.to_owned(), a, b, c, d, e, f));
            assert_eq!(found, expected[..known]);
        }
    }
}
