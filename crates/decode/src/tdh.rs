//! The numbers that Windows has for types: `TDH_IN_TYPE` says how a value is stored, `TDH_OUT_TYPE` how it
//! is shown. Manifests name them; compiled manifests and event descriptions hold the numbers (`tdh.h`).

use tracewell_schema::{FieldType, Hint, Length};

/// The in types of manifests by name, with and without the `win:` in front.
const IN_TYPES: [(&str, u16); 24] = [
    ("UnicodeString", 1),
    ("AnsiString", 2),
    ("Int8", 3),
    ("UInt8", 4),
    ("Int16", 5),
    ("UInt16", 6),
    ("Int32", 7),
    ("UInt32", 8),
    ("Int64", 9),
    ("UInt64", 10),
    ("Float", 11),
    ("Double", 12),
    ("Boolean", 13),
    ("Binary", 14),
    ("GUID", 15),
    ("Pointer", 16),
    ("FILETIME", 17),
    ("SYSTEMTIME", 18),
    ("SID", 19),
    ("HexInt32", 20),
    ("HexInt64", 21),
    ("CountedUnicodeString", 22),
    ("CountedAnsiString", 23),
    ("CountedBinary", 25),
];

/// The out types of manifests by name, without the `xs:` or `win:` in front.
const OUT_TYPES: [(&str, u16); 38] = [
    ("string", 1),
    ("dateTime", 2),
    ("byte", 3),
    ("unsignedByte", 4),
    ("short", 5),
    ("unsignedShort", 6),
    ("int", 7),
    ("unsignedInt", 8),
    ("long", 9),
    ("unsignedLong", 10),
    ("float", 11),
    ("double", 12),
    ("boolean", 13),
    ("GUID", 14),
    ("hexBinary", 15),
    ("HexInt8", 16),
    ("HexInt16", 17),
    ("HexInt32", 18),
    ("HexInt64", 19),
    ("PID", 20),
    ("TID", 21),
    ("Port", 22),
    ("IPv4", 23),
    ("IPv6", 24),
    ("SocketAddress", 25),
    ("CIMDateTime", 26),
    ("ETWTIME", 27),
    ("Xml", 28),
    ("ErrorCode", 29),
    ("Win32Error", 30),
    ("NTSTATUS", 31),
    ("HResult", 32),
    ("DateTimeCultureInsensitive", 33),
    ("Json", 34),
    ("Utf8", 35),
    ("Pkcs7WithTypeInfo", 36),
    ("CodePointer", 37),
    ("DateTimeUtc", 38),
];

/// The in type that a manifest calls by this name.
pub(crate) fn in_type(name: &str) -> Option<u16> {
    find(&IN_TYPES, name.strip_prefix("win:").or(name.strip_prefix("trace:")).unwrap_or(name))
}

/// The out type with this name in manifests; 0, the natural one, for unknown names.
pub(crate) fn out_type(name: &str) -> u16 {
    find(&OUT_TYPES, name.rsplit(':').next().unwrap_or(name)).unwrap_or(0)
}

fn find(table: &[(&str, u16)], name: &str) -> Option<u16> {
    table.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, number)| *number)
}

/// The out types that change how a value is stored or read.
const OUT_BOOLEAN: u16 = 13;
const OUT_PORT: u16 = 22;
const OUT_IPV4: u16 = 23;
const OUT_IPV6: u16 = 24;

/// The storage of a value of these types, with the length from the description. `None` for unknown
/// in types.
pub(crate) fn field_type(in_type: u16, out_type: u16, length: Option<Length>) -> Option<FieldType> {
    let text = length.unwrap_or(Length::Nul);
    Some(match in_type {
        1 => FieldType::Utf16(text),
        2 => FieldType::Ansi(text),
        3 if is_hex(out_type) => FieldType::U8,
        3 => FieldType::I8,
        4 if out_type == OUT_BOOLEAN => FieldType::Bool8,
        4 | 307 => FieldType::U8,
        5 if is_hex(out_type) => FieldType::U16,
        5 => FieldType::I16,
        6 if out_type == OUT_PORT => FieldType::Port,
        6 | 306 => FieldType::U16,
        7 if is_hex(out_type) => FieldType::U32,
        7 => FieldType::I32,
        8 if out_type == OUT_IPV4 => FieldType::Ipv4,
        8 | 20 => FieldType::U32,
        9 if is_hex(out_type) => FieldType::U64,
        9 => FieldType::I64,
        10 | 21 => FieldType::U64,
        11 => FieldType::F32,
        12 => FieldType::F64,
        13 => FieldType::Bool32,
        14 if out_type == OUT_IPV6 && matches!(length, None | Some(Length::Fixed(16))) => FieldType::Ipv6,
        14 => FieldType::Binary(length.unwrap_or(Length::Rest)),
        15 => FieldType::Guid,
        16 | 308 => FieldType::Pointer,
        17 => FieldType::FileTime,
        18 => FieldType::SystemTime,
        19 => FieldType::Sid,
        22 | 300 => FieldType::Utf16(Length::Prefixed),
        23 | 301 => FieldType::Ansi(Length::Prefixed),
        25 => FieldType::Binary(Length::Prefixed),
        302 => FieldType::Utf16(Length::PrefixedBig),
        303 => FieldType::Ansi(Length::PrefixedBig),
        304 => FieldType::Utf16(Length::Rest),
        305 => FieldType::Ansi(Length::Rest),
        309 => FieldType::Binary(Length::PrefixedWide),
        310 => FieldType::TokenUser,
        _ => return None,
    })
}

/// Returns `true` if the out type shows the bits of a number, which have no sign.
fn is_hex(out_type: u16) -> bool {
    (15..=19).contains(&out_type)
}

/// How a value of these types is shown.
pub(crate) fn hint(in_type: u16, out_type: u16) -> Hint {
    match (out_type, in_type) {
        (1, 3 | 4 | 6 | 306 | 307) => Hint::Character,
        (15..=19, _) | (0, 16 | 20 | 21) => Hint::Hex,
        (20, _) => Hint::Pid,
        (21, _) => Hint::Tid,
        // An address in bytes, whose number is only known from the event.
        (24, 14 | 25) => Hint::IpAddress,
        (25, _) => Hint::SocketAddress,
        (27, _) => Hint::TraceTime,
        (28, _) => Hint::Xml,
        (29 | 30, _) => Hint::Win32Error,
        (31, _) => Hint::NtStatus,
        (32, _) => Hint::HResult,
        (34, _) => Hint::Json,
        (35, _) => Hint::Utf8,
        (37, _) => Hint::Address,
        (38, 18) => Hint::Utc,
        _ => Hint::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_manifests_give_the_numbers_of_the_sdk() {
        assert_eq!(in_type("win:UnicodeString"), Some(1));
        assert_eq!(in_type("trace:CountedBinary").or(in_type("win:Nonsense")), Some(25));
        assert_eq!(
            (out_type("win:Port"), out_type("xs:hexBinary"), out_type("win:CodePointer")),
            (22, 15, 37)
        );
        assert_eq!(out_type("my:own"), 0);
        assert_eq!(field_type(14, 24, None), Some(FieldType::Ipv6));
        assert_eq!(field_type(99, 0, None), None);
        assert_eq!(field_type(7, 18, None), Some(FieldType::U32), "hexadecimal numbers have no sign");
        assert_eq!(field_type(303, 1, None), Some(FieldType::Ansi(Length::PrefixedBig)));
        assert_eq!((hint(25, 24), hint(18, 38)), (Hint::IpAddress, Hint::Utc));
        assert_eq!((hint(20, 0), hint(8, 20), hint(8, 31)), (Hint::Hex, Hint::Pid, Hint::NtStatus));
    }
}
