//! The numbers that Windows has for types: `TDH_IN_TYPE` says how a value is stored, `TDH_OUT_TYPE` how it
//! is shown. Manifests name them; compiled manifests and event descriptions hold the numbers (`tdh.h`).

use tracewell_schema::{Field, FieldType, Hint, Length};

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
/// The out type of a plain number as wide as a pointer.
const OUT_UNSIGNED_LONG: u16 = 10;

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

/// The types and the length that describe a field, for [`field_type`] and [`hint`] to read again. A structure has none. Of a length
/// in another field, 0 is returned. What Windows has no types for loses its form, not its size.
pub(crate) fn types(field: &Field, pointer_size: u8) -> (u16, u16, u16) {
    let shown = out_of(field.hint);
    let number = |plain: u16, hex: u16| (plain, if field.hint == Hint::Hex { hex } else { shown });
    let (input, out) = match &field.ty {
        FieldType::I8 => (3, shown),
        FieldType::U8 if field.hint == Hint::Boolean => (4, OUT_BOOLEAN),
        FieldType::U8 => number(4, 16),
        FieldType::I16 => (5, shown),
        FieldType::U16 => number(6, 17),
        FieldType::I32 => (7, shown),
        FieldType::U32 if field.hint == Hint::Boolean => (13, 0),
        FieldType::U32 if field.hint == Hint::Hex => (20, 18),
        FieldType::U32 => (8, shown),
        FieldType::I64 => (9, shown),
        FieldType::U64 if field.hint == Hint::Hex => (21, 19),
        FieldType::U64 => (10, shown),
        // Its natural form is hexadecimal.
        FieldType::Pointer if field.hint == Hint::Hex => (16, 0),
        FieldType::Pointer if shown == 0 => (16, OUT_UNSIGNED_LONG),
        FieldType::Pointer => (16, shown),
        FieldType::F32 => (11, 0),
        FieldType::F64 => (12, 0),
        FieldType::Bool8 => (4, OUT_BOOLEAN),
        FieldType::Bool32 => (13, 0),
        FieldType::Guid => (15, 0),
        FieldType::FileTime => (17, 0),
        FieldType::SystemTime => (18, shown),
        FieldType::Ipv4 => (8, OUT_IPV4),
        FieldType::Ipv6 => (14, OUT_IPV6),
        FieldType::Port => (6, OUT_PORT),
        FieldType::Sid => (19, 0),
        FieldType::TokenUser => (310, 0),
        FieldType::Utf16(length) => (run(*length, [1, 22, 302, 304]), shown),
        FieldType::Ansi(length) => (run(*length, [2, 23, 303, 305]), shown),
        FieldType::Binary(Length::PrefixedWide) => (309, shown),
        FieldType::Binary(length) => (run(*length, [14, 25, 25, 14]), shown),
        _ => (0, 0),
    };
    let length = match &field.ty {
        FieldType::Utf16(Length::Fixed(units)) => usize::from(*units),
        FieldType::Struct(_) => 0,
        ty => ty.fixed_size(pointer_size).unwrap_or(0),
    };
    (input, out, u16::try_from(length).unwrap_or(0))
}

/// The in type of text or bytes by their length: plain, counted, counted the other way round, up to the end.
fn run(length: Length, types: [u16; 4]) -> u16 {
    let [plain, prefixed, prefixed_big, rest] = types;
    match length {
        Length::Prefixed | Length::PrefixedWide => prefixed,
        Length::PrefixedBig => prefixed_big,
        Length::Rest => rest,
        _ => plain,
    }
}

/// The out type that has a hint; 0 where none has, and for hexadecimal numbers, whose out types have sizes.
fn out_of(hint: Hint) -> u16 {
    match hint {
        Hint::Character => 1,
        Hint::Pid => 20,
        Hint::Tid => 21,
        Hint::IpAddress => OUT_IPV6,
        Hint::SocketAddress => 25,
        Hint::TraceTime => 27,
        Hint::Xml => 28,
        Hint::Win32Error => 30,
        Hint::NtStatus => 31,
        Hint::HResult => 32,
        Hint::Json => 34,
        Hint::Utf8 => 35,
        Hint::Address => 37,
        Hint::Utc => 38,
        _ => 0,
    }
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

    /// Every pair of an in type and an out type: the natural type, unless a row says otherwise.
    #[test]
    fn storage_and_form_of_all_pairs_of_types() {
        use FieldType::{
            Ansi, Binary, Bool8, Bool32, F32, F64, FileTime, Guid, I8, I16, I32, I64, Ipv4, Ipv6, Pointer,
            Port, Sid, SystemTime, TokenUser, U8, U16, U32, U64, Utf16,
        };
        let natural = [
            (1, Utf16(Length::Nul)),
            (2, Ansi(Length::Nul)),
            (3, I8),
            (4, U8),
            (5, I16),
            (6, U16),
            (7, I32),
            (8, U32),
            (9, I64),
            (10, U64),
            (11, F32),
            (12, F64),
            (13, Bool32),
            (14, Binary(Length::Rest)),
            (15, Guid),
            (16, Pointer),
            (17, FileTime),
            (18, SystemTime),
            (19, Sid),
            (20, U32),
            (21, U64),
            (22, Utf16(Length::Prefixed)),
            (23, Ansi(Length::Prefixed)),
            (25, Binary(Length::Prefixed)),
            (300, Utf16(Length::Prefixed)),
            (301, Ansi(Length::Prefixed)),
            (302, Utf16(Length::PrefixedBig)),
            (303, Ansi(Length::PrefixedBig)),
            (304, Utf16(Length::Rest)),
            (305, Ansi(Length::Rest)),
            (306, U16),
            (307, U8),
            (308, Pointer),
            (309, Binary(Length::PrefixedWide)),
            (310, TokenUser),
        ];
        // Numbers without a sign where their bits are shown, and what only the out type says.
        let other = [
            (3, 15..=19, U8),
            (5, 15..=19, U16),
            (7, 15..=19, U32),
            (9, 15..=19, U64),
            (4, 13..=13, Bool8),
            (6, 22..=22, Port),
            (8, 23..=23, Ipv4),
            (14, 24..=24, Ipv6),
        ];
        for input in 0..=320 {
            for out in 0..=40 {
                let known = natural.iter().find(|(number, _)| *number == input).map(|(_, ty)| ty);
                let special = other.iter().find(|(number, outs, _)| *number == input && outs.contains(&out));
                let want = special.map(|(_, _, ty)| ty).or(known).cloned();
                assert_eq!(field_type(input, out, None), want, "{input} shown as {out}");
            }
        }
        // A length in the description has precedence, where there can be one.
        let fixed = |n| Some(Length::Fixed(n));
        assert_eq!(field_type(1, 0, fixed(3)), Some(Utf16(Length::Fixed(3))));
        assert_eq!(field_type(2, 0, fixed(3)), Some(Ansi(Length::Fixed(3))));
        assert_eq!(field_type(14, 0, fixed(3)), Some(Binary(Length::Fixed(3))));
        assert_eq!(field_type(14, 24, fixed(16)), Some(Ipv6));
        assert_eq!(field_type(14, 24, fixed(4)), Some(Binary(Length::Fixed(4))));
        assert_eq!(field_type(8, 0, fixed(4)), Some(U32));
        let hints = [
            (20, Hint::Pid),
            (21, Hint::Tid),
            (25, Hint::SocketAddress),
            (27, Hint::TraceTime),
            (28, Hint::Xml),
            (29, Hint::Win32Error),
            (30, Hint::Win32Error),
            (31, Hint::NtStatus),
            (32, Hint::HResult),
            (34, Hint::Json),
            (35, Hint::Utf8),
            (37, Hint::Address),
        ];
        for input in 0..=320 {
            for out in 0..=40 {
                let general = hints.iter().find(|(number, _)| *number == out).map(|(_, hint)| *hint);
                let want = match out {
                    1 if [3, 4, 6, 306, 307].contains(&input) => Hint::Character,
                    0 if [16, 20, 21].contains(&input) => Hint::Hex,
                    15..=19 => Hint::Hex,
                    24 if [14, 25].contains(&input) => Hint::IpAddress,
                    38 if input == 18 => Hint::Utc,
                    _ => general.unwrap_or(Hint::None),
                };
                assert_eq!(hint(input, out), want, "{input} shown as {out}");
            }
        }
        for (table, of) in [
            (&IN_TYPES[..], in_type as fn(&str) -> Option<u16>),
            (&OUT_TYPES[..], |name| Some(out_type(name))),
        ] {
            for (name, number) in table {
                assert_eq!(of(&format!("win:{}", name.to_uppercase())), Some(*number), "{name}");
            }
        }
    }
}
