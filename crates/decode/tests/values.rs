//! Every type of field, in every place: alone, behind fields of variable size, as an element of each form of array, and as a
//! member of a struct; whole, and cut off at every byte. Fields in order and accessors must give the same answers.
#![allow(missing_docs)]

use tracewell_decode::{Accessor, Fields, Formatted, Problem, Value};
use tracewell_schema::{Count, Field, FieldType, Hint, Length, Version};

/// One type with an example.
struct Row {
    ty: FieldType,
    /// The bytes of one element, and those of them that are content.
    bytes: Vec<u8>,
    content: std::ops::Range<usize>,
    text: &'static str,
    number: Option<u64>,
    /// Whether it is an integer, so that an accessor reads it as one.
    is_integer: bool,
}

const SYSTEM_SID: [u8; 12] = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];

fn rows(pointer_size: u8) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |ty, bytes: &[u8], text, number: Option<u64>, is_integer| {
        rows.push(Row { ty, bytes: bytes.to_vec(), content: 0..bytes.len(), text, number, is_integer });
    };
    let negative = |n: i64| Some(n.cast_unsigned());
    add(FieldType::I8, &[0xFE], "-2", negative(-2), true);
    add(FieldType::U8, &[0xFE], "254", Some(254), true);
    add(FieldType::I16, &[0xFE, 0xFF], "-2", negative(-2), true);
    add(FieldType::U16, &[0xFE, 0xFF], "65534", Some(65534), true);
    add(FieldType::I32, &[0xFE, 0xFF, 0xFF, 0xFF], "-2", negative(-2), true);
    add(FieldType::U32, &[0xFE, 0xFF, 0xFF, 0xFF], "4294967294", Some(4_294_967_294), true);
    let long = 0xF123_4567_89AB_CDEFu64;
    add(FieldType::I64, &long.to_le_bytes(), "-1070935975390360081", Some(long), true);
    add(FieldType::U64, &long.to_le_bytes(), "17375808098319191535", Some(long), true);
    let (text, value) = match pointer_size {
        8 => ("17375808098319191535", long),
        _ => ("2309737967", long & 0xFFFF_FFFF),
    };
    add(FieldType::Pointer, &long.to_le_bytes()[..pointer_size.into()], text, Some(value), true);
    add(FieldType::F32, &(-1.5f32).to_le_bytes(), "-1.5", None, false);
    add(FieldType::F64, &2.25f64.to_le_bytes(), "2.25", None, false);
    add(FieldType::Bool8, &[2], "true", Some(1), true);
    add(FieldType::Bool32, &[0, 0, 0, 1], "true", Some(1), true);
    let guid = [0x78, 0x56, 0x34, 0x12, 0xBC, 0x9A, 0xF0, 0xDE, 1, 2, 3, 4, 5, 6, 7, 8];
    add(FieldType::Guid, &guid, "12345678-9abc-def0-0102-030405060708", None, false);
    let time = 133_000_000_000_000_000u64;
    add(FieldType::FileTime, &time.to_le_bytes(), "2022-06-18T04:26:40.0000000Z", Some(time), true);
    let parts = [2024u16, 5, 3, 1, 12, 30, 59, 7].map(u16::to_le_bytes).concat();
    add(FieldType::SystemTime, &parts, "2024-05-01T12:30:59.007", None, false);
    add(FieldType::Ipv4, &[192, 168, 1, 2], "192.168.1.2", None, false);
    let address = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1F];
    add(FieldType::Ipv6, &address, "2001:db8::1f", None, false);
    add(FieldType::Port, &[0x1F, 0x90], "8080", Some(8080), true);
    add(FieldType::Sid, &SYSTEM_SID, "S-1-5-18", None, false);
    let mut add = |ty, bytes: &[u8], content, text| {
        rows.push(Row { ty, bytes: bytes.to_vec(), content, text, number: None, is_integer: false });
    };
    let words = 2 * usize::from(pointer_size);
    let token = [&vec![7; words][..], &SYSTEM_SID].concat();
    add(FieldType::TokenUser, &token, words..words + 12, "S-1-5-18");
    add(FieldType::Utf16(Length::Nul), &[b'a', 0, b'b', 1, 0, 0], 0..4, "aŢ");
    add(FieldType::Utf16(Length::Fixed(3)), &[b'a', 0, 0, 0, b'x', 0], 0..6, "a");
    add(FieldType::Utf16(Length::Prefixed), &[4, 0, b'h', 0, b'i', 0], 2..6, "hi");
    add(FieldType::Utf16(Length::PrefixedBig), &[0, 4, b'h', 0, b'i', 0], 2..6, "hi");
    add(FieldType::Utf16(Length::PrefixedWide), &[4, 0, 0, 0, b'h', 0, b'i', 0], 4..8, "hi");
    add(FieldType::Ansi(Length::Nul), b"plain text\0", 0..10, "plain text");
    add(FieldType::Ansi(Length::Fixed(4)), b"ab\0c", 0..4, "ab");
    add(FieldType::Ansi(Length::Prefixed), b"\x02\0hi", 2..4, "hi");
    add(FieldType::Ansi(Length::PrefixedBig), b"\0\x02hi", 2..4, "hi");
    add(FieldType::Ansi(Length::PrefixedWide), b"\x02\0\0\0hi", 4..6, "hi");
    add(FieldType::Binary(Length::Fixed(2)), &[0xAB, 1], 0..2, "ab01");
    add(FieldType::Binary(Length::Prefixed), &[2, 0, 0xAB, 1], 2..4, "ab01");
    add(FieldType::Binary(Length::PrefixedBig), &[0, 2, 0xAB, 1], 2..4, "ab01");
    add(FieldType::Binary(Length::PrefixedWide), &[2, 0, 0, 0, 0xAB, 1], 4..6, "ab01");
    let members = vec![Field::new("n", FieldType::U8), Field::new("t", FieldType::Utf16(Length::Field(0)))];
    add(FieldType::Struct(members.into()), &[2, b'o', 0, b'k', 0], 0..5, "{n=2, t=ok}");
    rows
}

/// A layout of which one field is looked at, with a payload.
struct Case {
    layout: Version,
    at: usize,
    payload: Vec<u8>,
    /// Where the field begins and ends in the payload, and its content.
    span: std::ops::Range<usize>,
    content: std::ops::Range<usize>,
    text: String,
}

const MARKER: u8 = 0x5A;

fn cases(row: &Row) -> Vec<Case> {
    let marker = || Field::new("marker", FieldType::U8);
    let field = || Field::new("value", row.ty.clone());
    let case = |before: Vec<(Field, Vec<u8>)>, field: Field, head: &[u8], elements: usize, text: String| {
        let mut fields: Vec<Field> = before.iter().map(|(field, _)| field.clone()).collect();
        let mut payload: Vec<u8> = before.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let (at, start) = (fields.len(), payload.len());
        payload.extend(head);
        (0..elements).for_each(|_| payload.extend(&row.bytes));
        let (end, is_array) = (payload.len(), field.count != Count::One);
        let content = match is_array {
            true => start + head.len()..end,
            false => start + row.content.start..start + row.content.end,
        };
        let is_last = field.count == Count::Rest;
        fields.push(field);
        if !is_last {
            fields.push(marker());
            payload.push(MARKER);
        }
        Case { layout: Version::from_fields(1, fields), at, payload, span: start..end, content, text }
    };
    let text = || row.text.to_owned();
    let list = |n: usize| format!("[{}]", vec![row.text; n].join(", "));
    let number = |n: u8| (Field::new("count", FieldType::U8), vec![n]);
    let name = || (Field::new("name", FieldType::Ansi(Length::Nul)), b"xy\0".to_vec());
    vec![
        case(vec![], field(), &[], 1, text()),
        case(vec![number(9)], field(), &[], 1, text()),
        case(vec![name()], field(), &[], 1, text()),
        case(vec![number(9), name(), number(3)], field(), &[], 1, text()),
        case(vec![], field().count(Count::Fixed(3)), &[], 3, list(3)),
        case(vec![], field().count(Count::Prefixed), &[2, 0], 2, list(2)),
        case(vec![name()], field().count(Count::Prefixed), &[0, 0], 0, list(0)),
        case(vec![number(2)], field().count(Count::Field(0)), &[], 2, list(2)),
        case(vec![name(), number(1)], field().count(Count::Field(1)), &[], 1, list(1)),
        case(vec![number(9)], field().count(Count::Rest), &[], 3, list(3)),
    ]
}

/// Text without a terminator ends with the payload, so it may be cut.
fn may_be_cut(ty: &FieldType) -> bool {
    matches!(ty, FieldType::Utf16(Length::Nul) | FieldType::Ansi(Length::Nul))
}

#[test]
fn every_type_in_every_place() {
    for pointer_size in [4, 8] {
        for row in rows(pointer_size) {
            for (index, case) in cases(&row).iter().enumerate() {
                let what = format!("{:?} of {pointer_size} bytes, case {index}", row.ty);
                let found: Vec<_> = Fields::new(&case.layout, &case.payload, pointer_size).collect();
                assert_eq!(found.len(), case.layout.fields.len(), "{what}");
                let value = found[case.at].value;
                assert_eq!(value.display(&case.layout.fields[case.at]).to_string(), case.text, "{what}");
                let is_one = case.layout.fields[case.at].count == Count::One;
                assert_eq!(value.as_u64(), row.number.filter(|_| is_one), "{what}");
                if case.at + 1 < found.len() {
                    assert_eq!(found[case.at + 1].value.as_u64(), Some(MARKER.into()), "{what}");
                }
                let rest = [&case.payload[..], &[1, 2]].concat();
                if case.at + 1 < found.len() {
                    assert_eq!(
                        Fields::new(&case.layout, &rest, pointer_size).finish(),
                        Ok(&[1, 2][..]),
                        "{what}"
                    );
                }
                accessor_agrees(&row, case, pointer_size, &what);
                elements_agree(&row, value, &what);
            }
        }
    }
}

fn accessor_agrees(row: &Row, case: &Case, pointer_size: u8, what: &str) {
    let payload = &case.payload[..];
    let field = &case.layout.fields[case.at];
    let is_one = field.count == Count::One;
    let accessor = Accessor::new(&case.layout, "VALUE", pointer_size).unwrap();
    assert_eq!(accessor.field(), Some(field), "{what}");
    assert_eq!(accessor.offset(payload), Some(case.span.start), "{what}");
    let is_behind_text = case.layout.fields[..case.at].iter().any(|field| field.name == "name");
    assert_eq!(accessor.fixed_offset(), (!is_behind_text).then_some(case.span.start), "{what}");
    assert_eq!(accessor.int(payload), row.number.filter(|_| is_one && row.is_integer), "{what}");
    assert_eq!(accessor.bytes(payload), payload.get(case.content.clone()), "{what}");
    assert_eq!(accessor.value(payload).unwrap().display(field).to_string(), case.text, "{what}");
    let text = |is_it: bool| (is_it && is_one).then(|| row.text.to_owned());
    let is_wide = matches!(row.ty, FieldType::Utf16(_));
    let is_narrow = matches!(row.ty, FieldType::Ansi(_));
    assert_eq!(accessor.str16(payload).map(|t| t.to_string()), text(is_wide), "{what}");
    let ansi = accessor.ansi(payload).map(|t| String::from_utf8_lossy(t).into_owned());
    assert_eq!(ansi, text(is_narrow), "{what}");
    assert_eq!(accessor.guid(payload).map(|g| g.to_string()), text(row.ty == FieldType::Guid), "{what}");
    let is_sid = matches!(row.ty, FieldType::Sid | FieldType::TokenUser);
    assert_eq!(accessor.sid(payload).map(|s| s.to_string()), text(is_sid), "{what}");
    assert!(!accessor.is_left_out(payload, true), "{what}");
    assert!(!accessor.is_left_out(&payload[..case.span.start], false), "{what}");
    assert!(accessor.is_left_out(&payload[..case.span.start], true), "{what}");
    // The marker behind the field.
    if let Some(after) = Accessor::new(&case.layout, "marker", pointer_size) {
        assert_eq!(after.int(payload), Some(MARKER.into()), "{what}");
        assert_eq!(after.offset(payload), Some(case.span.end), "{what}");
    }
}

fn elements_agree(row: &Row, value: Value<'_>, what: &str) {
    let Value::Array(array) = value else { return };
    let field = Field::new("value", row.ty.clone());
    let count = array.count();
    assert_eq!(array.bytes().len(), count * row.bytes.len(), "{what}");
    assert_eq!(array.element_type(), &row.ty, "{what}");
    for index in 0..count {
        let element = array.get(index).unwrap();
        assert_eq!(
            (element.display(&field).to_string(), element.as_u64()),
            (row.text.to_owned(), row.number),
            "{what}"
        );
    }
    assert!(array.get(count).is_none() && array.get(usize::MAX).is_none(), "{what}");
}

#[test]
fn every_type_cut_off_at_every_byte() {
    for pointer_size in [4, 8] {
        for row in rows(pointer_size) {
            for (index, case) in cases(&row).iter().enumerate() {
                let accessor = Accessor::at(&case.layout, case.at, pointer_size).unwrap();
                let count = case.layout.fields[case.at].count;
                for cut in case.span.start..case.payload.len() {
                    let what = format!("{:?} of {pointer_size} bytes, case {index}, cut at {cut}", row.ty);
                    let payload = &case.payload[..cut];
                    let mut fields = Fields::new(&case.layout, payload, pointer_size);
                    let before = (&mut fields).count();
                    let is_whole = cut >= case.span.end;
                    if is_whole {
                        let error = fields.error().unwrap();
                        assert_eq!(
                            (before, error.field, error.offset, error.problem),
                            (case.at + 1, case.at + 1, case.span.end, Problem::Truncated),
                            "{what}"
                        );
                        assert!(accessor.value(payload).is_some(), "{what}");
                    } else if count == Count::One && may_be_cut(&row.ty) && cut > case.span.start {
                        // The text is shorter, and then nothing is left.
                        assert_eq!(before, case.at + 1, "{what}");
                        let shown = accessor
                            .value(payload)
                            .unwrap()
                            .display(&case.layout.fields[case.at])
                            .to_string();
                        assert!(row.text.starts_with(shown.trim_end_matches('\u{FFFD}')), "{what}: {shown}");
                        assert!(shown.len() <= row.text.len() + 1, "{what}: {shown}");
                    } else if count != Count::Rest && !may_be_cut(&row.ty) {
                        let error = fields.error().unwrap();
                        assert_eq!(
                            (before, error.field, error.offset),
                            (case.at, case.at, case.span.start),
                            "{what}"
                        );
                        assert_eq!(fields.rest().len(), cut - case.span.start, "{what}");
                        assert!(accessor.value(payload).is_none(), "{what}");
                        assert!(
                            accessor.int(payload).is_none() && accessor.bytes(payload).is_none(),
                            "{what}"
                        );
                    } else if count == Count::One {
                        let error = fields.error().unwrap();
                        assert_eq!((error.field, error.problem), (case.at, Problem::Truncated), "{what}");
                    }
                }
            }
        }
    }
}

/// Optional fields at the end of a payload are left out, not missing.
#[test]
fn optional_fields_are_left_out() {
    for pointer_size in [4, 8] {
        for row in rows(pointer_size) {
            let fields = vec![Field::new("a", FieldType::U8), Field::new("b", row.ty.clone()).optional()];
            let layout = Version::from_fields(1, fields);
            let accessor = Accessor::new(&layout, "b", pointer_size).unwrap();
            let short = [7];
            assert_eq!(Fields::new(&layout, &short, pointer_size).finish(), Ok(&[][..]), "{:?}", row.ty);
            assert!(accessor.value(&short).is_none() && accessor.is_left_out(&short, false), "{:?}", row.ty);
            let whole = [&short[..], &row.bytes].concat();
            assert_eq!(Fields::new(&layout, &whole, pointer_size).count(), 2, "{:?}", row.ty);
            assert!(accessor.value(&whole).is_some() && !accessor.is_left_out(&whole, false), "{:?}", row.ty);
        }
    }
}

#[test]
fn hints_decide_how_values_are_shown() {
    let (u, s, b) = (Value::Unsigned, Value::Signed, Value::Binary);
    let v6 = [&[23, 0, 0x1F, 0x90, 0, 0, 0, 0][..], &[0; 15], &[1, 9, 9, 9, 9]].concat();
    let v6_of = |length: usize| &v6[..length];
    for (value, hint, text) in [
        (u(255), Hint::None, "255"),
        (u(255), Hint::Hex, "0xff"),
        (s(-1), Hint::Hex, "-1"),
        (u(255), Hint::Address, "0xff"),
        (s(255), Hint::Address, "255"),
        (u(255), Hint::Pid, "255"),
        (s(-255), Hint::Tid, "-255"),
        (u(4096), Hint::Bytes, "4096"),
        (u(99), Hint::TraceTime, "99"),
        (u(0xC000_0022), Hint::NtStatus, "0xc0000022 STATUS_ACCESS_DENIED"),
        (s(-1_073_741_790), Hint::NtStatus, "0xc0000022 STATUS_ACCESS_DENIED"),
        (u(0xC000_0022), Hint::None, "3221225506"),
        (u(0x1F), Hint::HResult, "0x0000001f"),
        (s(-2_147_467_259), Hint::HResult, "0x80004005 E_FAIL"),
        (u(5), Hint::Win32Error, "5 ERROR_ACCESS_DENIED"),
        (s(5), Hint::Win32Error, "5 ERROR_ACCESS_DENIED"),
        (s(-7), Hint::Win32Error, "-7"),
        (u(0), Hint::Boolean, "false"),
        (s(2), Hint::Boolean, "true"),
        (u(0x41), Hint::Character, "A"),
        (s(0x1F600), Hint::Character, "\u{1F600}"),
        (u(0xD800), Hint::Character, "\u{FFFD}"),
        (u(0x1_0000_0041), Hint::Character, "\u{FFFD}"),
        (Value::Bool(false), Hint::None, "false"),
        (u(5), Hint::Leftover, "-"),
        (b(&[2, 0, 0x1F, 0x90, 127, 0, 0, 1]), Hint::SocketAddress, "127.0.0.1:8080"),
        (b(&[2, 0, 0x1F, 0x90, 127, 0, 0, 1, 9, 9]), Hint::SocketAddress, "127.0.0.1:8080"),
        (b(&[2, 0, 0x1F, 0x90, 127, 0, 0]), Hint::SocketAddress, "02001f907f0000"),
        (b(&[3, 0, 0x1F, 0x90, 127, 0, 0, 1]), Hint::SocketAddress, "03001f907f000001"),
        (b(v6_of(24)), Hint::SocketAddress, "[::1]:8080"),
        (b(v6_of(28)), Hint::SocketAddress, "[::1]:8080"),
        (b(v6_of(23)), Hint::SocketAddress, "17001f9000000000000000000000000000000000000000"),
        (b(&[127, 0, 0, 1]), Hint::IpAddress, "127.0.0.1"),
        (b(&[127, 0, 0, 1]), Hint::None, "7f000001"),
        (b(&[127, 0, 0, 1, 2]), Hint::IpAddress, "7f00000102"),
        (Value::Ansi(b"gr\xC3\xBCn"), Hint::None, "grün"),
        (Value::Ansi(b"gr\xFCn"), Hint::None, "grün"),
        (Value::Sid(None), Hint::None, "-"),
        (Value::SystemTime([0; 8]), Hint::Utc, "-"),
        (Value::SystemTime([1999, 12, 0, 31, 1, 2, 3, 4]), Hint::Utc, "1999-12-31T01:02:03.004Z"),
    ] {
        assert_eq!(Formatted::new(value, hint).to_string(), text, "{value:?} {hint:?}");
    }
}
