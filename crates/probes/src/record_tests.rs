//! Made layouts and payloads: what records of them declare, and that each slot holds what was put into the payload.

use std::borrow::Cow;

use tracewell_corpus::Random;
use tracewell_schema::{Count, Field, FieldType, Hint, Length, Version};

use crate::opened::{Opened, Read, SLOT};
use crate::regions::{EVENT, EVENT_PREFIX, RECORD_ARRAYS, RECORD_TEXTS};
use crate::shape::{Fields, Knowledge, Part, Shape};

/// Distance of the texts of two slots.
const ROOM: u64 = 1 << 20;
const PREFIXED: FieldType = FieldType::Utf16(Length::Prefixed);
const BYTES: FieldType = FieldType::Binary(Length::Prefixed);

fn field(name: &str, ty: FieldType) -> Field {
    Field {
        name: Cow::Owned(name.to_owned()),
        ty,
        count: Count::One,
        hint: Hint::None,
        optional: false,
        map: None,
    }
}

fn array(name: &str, ty: FieldType) -> Field {
    Field { count: Count::Prefixed, ..field(name, ty) }
}

fn hinted(name: &str, ty: FieldType, hint: Hint) -> Field {
    Field { hint, ..field(name, ty) }
}

fn inside(fields: Vec<Field>) -> FieldType {
    FieldType::Struct(fields.into())
}

fn version(fields: Vec<Field>) -> Version {
    Version { number: 0, fields: fields.into() }
}

/// The shape of versions, the oldest first.
fn shape(versions: &[Version]) -> Shape {
    Shape::new(versions.iter())
}

/// Its fields, as `NAME:TYPE` with a letter for the type, and its slots.
fn listed(versions: &[Version]) -> (String, usize) {
    let shape = shape(versions);
    let letter = |ty: &str| match ty {
        "uint64_t" => 'u',
        "int64_t" => 'i',
        "trace_text_t" => 't',
        "void *" => 'p',
        other => panic!("{other}"),
    };
    let fields: Vec<String> =
        shape.fields().iter().map(|(name, ty)| format!("{name}:{}", letter(ty))).collect();
    (fields.join(" "), shape.slots())
}

#[test]
fn issue_23_records_have_the_fields_of_all_versions() {
    use FieldType::{F64, FileTime, Guid, I8, I32, Pointer, U8, U32, U64};
    let a = |ty| version(vec![field("a", ty)]);
    let both = |older, newer| listed(&[a(older), a(newer)]);
    let one = |fields| listed(&[version(fields)]);
    let row = |text: &str, slots| (text.to_owned(), slots);

    // The newest version comes first, then what only older ones have.
    let versions = [
        version(vec![field("old", I8), field("a", U32)]),
        version(vec![field("A", U64), field("b", Pointer), field("c", I32)]),
    ];
    assert_eq!(listed(&versions), row("A:u b:u c:i old:i", 4));
    // Versions that differ: a sign wins, numbers stay numbers with a text beside them, all else is text.
    for (older, newer, expected) in [
        (U32, I32, "a:i"),
        (I32, U32, "a:i"),
        (U32, U64, "a:u"),
        (PREFIXED, U32, "a:u a_str:t"),
        (PREFIXED, I32, "a:i a_str:t"),
        (U32, PREFIXED, "a:t"),
        (F64, Guid, "a:t"),
        (FileTime, U64, "a:u a_str:t"),
        (U64, FileTime, "a:u a_str:t"),
        (BYTES, PREFIXED, "a:t"),
        (inside(vec![field("x", U8)]), U8, "a:t"),
        (U8, inside(vec![field("x", U8)]), "a:t"),
        (inside(vec![field("x", U8), field("y", I8)]), inside(vec![field("X", I8)]), "a.X:i a.y:i"),
    ] {
        let slots = expected.split(' ').count();
        assert_eq!(both(older.clone(), newer.clone()), row(expected, slots), "{older:?} {newer:?}");
    }
    for (versions, expected, slots) in [
        ([array("a", U8), array("a", U32)], "a[]:u a_count:u a_str:t", 3),
        ([array("a", U8), array("a", I32)], "a:t a_count:u a_str:t", 3),
        ([field("a", U8), array("a", U8)], "a:t a_count:u a_str:t", 3),
        ([array("a", U8), field("a", U8)], "a:t", 1),
    ] {
        let versions = versions.map(|field| version(vec![field]));
        assert_eq!(listed(&versions), row(expected, slots), "{versions:?}");
    }
    // Numbers with a meaning, and bytes.
    for (hint, has) in [
        (Hint::NtStatus, true),
        (Hint::HResult, true),
        (Hint::Win32Error, true),
        (Hint::Character, true),
        (Hint::Hex, false),
        (Hint::None, false),
    ] {
        let expected = if has { row("a:u a_str:t", 2) } else { row("a:u", 1) };
        assert_eq!(one(vec![hinted("a", U32, hint)]), expected, "{hint:?}");
        // A text has its meaning in itself.
        assert_eq!(one(vec![hinted("a", F64, hint)]), row("a:t", 1));
    }
    assert_eq!(one(vec![field("a", BYTES)]), row("a:t a_raw:p a_size:u", 3));
    // Names: what the event itself has comes first, and equal ones are numbered.
    let own = vec![array("a", U8), field("A_Count", I8), field("a", U8), field("A", I8), field("if", U8)];
    assert_eq!(one(own), row("a[]:u A_Count:i a_2:u A_3:i _if:u a_str:t", 6));
    assert_eq!(one(vec![field("", U8), field("9", U8)]), row("_:u _9:u", 2));
}

#[test]
fn issue_23_records_hold_structs_as_far_as_they_can() {
    use FieldType::{I16, U8};
    let one = |fields| listed(&[version(fields)]);
    let row = |text: &str, slots| (text.to_owned(), slots);
    let pair = || inside(vec![field("x", I16), array("y", U8), field("z", inside(vec![]))]);
    // Arrays in structs are text, and so is what elements have inside.
    assert_eq!(one(vec![field("s", pair())]), row("s.x:i s.y:t", 3), "an empty struct takes a slot");
    assert_eq!(one(vec![array("s", pair())]), row("s[].x:i s[].y:t s[].z:t s_count:u s_str:t", 3));
    assert_eq!(one(vec![array("s", inside(vec![]))]), row("s:t", 1));
    let inner = vec![field("s", inside(vec![array("t", pair()), field("b", BYTES)]))];
    assert_eq!(one(inner), row("s.t:t s.b:t s.b_raw:p s.b_size:u", 4));
    // Eight levels, and the ninth as text.
    let mut nested = field("s", U8);
    for _ in 0..9 {
        nested = field("s", inside(vec![nested]));
    }
    assert_eq!(one(vec![nested]), row("s.s.s.s.s.s.s.s.s:t", 1));

    let all = version(vec![
        field("n", U8),
        array("a", I16),
        field("s", inside(vec![field("x", U8)])),
        field("e", inside(vec![])),
        array("r", inside(vec![field("x", I16), field("t", PREFIXED)])),
    ]);
    let expected = "typedef struct t {\n\tuint64_t n;\n\tint64_t *a;\n\tstruct {\n\t\tuint64_t x;\n\t} s;\n\tstruct {\n\
                    \t\tuint64_t none;\n\t} e;\n\tstruct {\n\t\tint64_t x;\n\t\ttrace_text_t t;\n\t} *r;\n\
                    \tuint64_t a_count;\n\ttrace_text_t a_str;\n\tuint64_t r_count;\n\ttrace_text_t r_str;\n} t_t;\n";
    assert_eq!(shape(&[all]).d_text("t"), expected);
    let nothing = shape(&[version(vec![])]);
    assert_eq!((nothing.is_empty(), nothing.slots()), (true, 0));
    assert_eq!(nothing.d_text("t"), "typedef struct t {\n\tuint64_t none;\n} t_t;\n");
}

/// What a slot holds.
#[derive(Clone, Debug)]
enum Holds {
    Number(u64),
    Text(String),
    /// Shown as text: what the decoder says.
    Shown,
    /// Where the bytes are in the payload.
    Raw(usize),
    /// The elements, by slots.
    Elements(Vec<Vec<Holds>>),
    /// All elements as one text, as the decoder says.
    All,
}

/// A payload with its layout, and what its record holds.
#[derive(Debug, Default)]
struct Made {
    fields: Vec<Field>,
    payload: Vec<u8>,
    /// Slots of fields and, behind them, their companions; with the number of the field, and where that ends.
    slots: Vec<(Holds, usize, usize)>,
    beside: Vec<(Holds, usize, usize)>,
}

impl Made {
    /// A number of a random size; as 64 bits.
    fn number(&mut self, random: &mut Random) -> (FieldType, u64) {
        let any = random.bits();
        let (ty, value) = match random.bits() % 6 {
            0 => (FieldType::U8, u64::from(any as u8)),
            1 => (FieldType::I16, i64::from(any as i16).cast_unsigned()),
            2 => (FieldType::U32, u64::from(any as u32)),
            3 => (FieldType::I32, i64::from(any as i32).cast_unsigned()),
            4 => (FieldType::Pointer, any),
            _ => (FieldType::I64, any),
        };
        self.put(&ty, value);
        (ty, value)
    }

    fn put(&mut self, ty: &FieldType, value: u64) {
        let size = match ty {
            FieldType::U8 => 1,
            FieldType::I16 => 2,
            FieldType::U32 | FieldType::I32 => 4,
            _ => 8,
        };
        self.payload.extend_from_slice(&value.to_le_bytes()[..size]);
    }

    fn text(&mut self, random: &mut Random) -> String {
        let text: String =
            (0..random.bits() % 5).map(|_| char::from(b'a' + random.bits() as u8 % 26)).collect();
        self.payload.extend((2 * text.len() as u16).to_le_bytes());
        self.payload.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        text
    }

    /// A field of a random kind.
    fn add(&mut self, random: &mut Random) {
        let number = self.fields.len();
        let name = format!("f{number}");
        let (mut holds, mut beside) = (Vec::new(), Vec::new());
        let made = match random.bits() % 7 {
            0 | 1 => {
                let (ty, value) = self.number(random);
                holds.push(Holds::Number(value));
                field(&name, ty)
            }
            2 => {
                holds.push(Holds::Text(self.text(random)));
                field(&name, PREFIXED)
            }
            3 => {
                let size = random.bits() % 9;
                self.payload.extend((size as u16).to_le_bytes());
                holds.push(Holds::Shown);
                beside.extend([Holds::Raw(self.payload.len()), Holds::Number(size)]);
                self.payload.extend((0..size).map(|_| random.bits() as u8));
                field(&name, BYTES)
            }
            4 => {
                let count = random.bits() % 4;
                self.payload.extend((count as u16).to_le_bytes());
                let mut elements = Vec::new();
                for _ in 0..count {
                    let value = i64::from(random.bits() as i16).cast_unsigned();
                    self.put(&FieldType::I16, value);
                    elements.push(vec![Holds::Number(value)]);
                }
                holds.push(Holds::Elements(elements));
                beside.extend([Holds::Number(count), Holds::All]);
                array(&name, FieldType::I16)
            }
            5 => {
                let (ty, value) = self.number(random);
                let text = self.text(random);
                holds.extend([Holds::Number(value), Holds::Text(text)]);
                field(&name, inside(vec![field("x", ty), field("y", PREFIXED)]))
            }
            _ => {
                let count = random.bits() % 4;
                self.payload.extend((count as u16).to_le_bytes());
                let mut elements = Vec::new();
                for _ in 0..count {
                    let text = self.text(random);
                    let value = u64::from(random.bits() as u32);
                    self.put(&FieldType::U32, value);
                    elements.push(vec![Holds::Text(text), Holds::Number(value)]);
                }
                holds.push(Holds::Elements(elements));
                beside.extend([Holds::Number(count), Holds::All]);
                array(&name, inside(vec![field("t", PREFIXED), field("n", FieldType::U32)]))
            }
        };
        self.fields.push(made);
        let end = self.payload.len();
        self.slots.extend(holds.into_iter().map(|holds| (holds, number, end)));
        self.beside.extend(beside.into_iter().map(|holds| (holds, number, end)));
    }

    fn any(random: &mut Random) -> Made {
        let mut made = Made::default();
        for _ in 0..=random.bits() % 6 {
            made.add(random);
        }
        made.slots.append(&mut made.beside);
        made
    }
}

/// The text at an offset of its region.
fn text_at(opened: &Opened, payload: &[u8], at: u64) -> Option<String> {
    let bytes = opened.text(payload, at)?;
    let end = bytes.iter().position(|byte| *byte == 0).expect("a text has an end");
    Some(String::from_utf8(bytes[..end].to_vec()).unwrap())
}

fn word(opened: &Opened, payload: &[u8], number: usize) -> Option<u64> {
    Some(u64::from_le_bytes(opened.slot(payload, number * SLOT)?.try_into().unwrap()))
}

/// Compares a slot with what it must hold; `shown` is the decoder's text of the field.
fn check(opened: &Opened, payload: &[u8], at: usize, holds: &Holds, shown: &str) {
    let room = at as u64 * ROOM;
    let held = || word(opened, payload, at);
    match holds {
        Holds::Number(value) => assert_eq!(held(), Some(*value)),
        Holds::Raw(place) => assert_eq!(held(), Some(EVENT.address(EVENT_PREFIX + *place as u64))),
        Holds::Text(_) | Holds::Shown | Holds::All => {
            let text = if let Holds::Text(text) = holds { text } else { shown };
            assert_eq!(text_at(opened, payload, room).as_deref(), Some(text));
            assert_eq!(held(), Some(RECORD_TEXTS.address(room)));
        }
        Holds::Elements(elements) => {
            // The texts are there also for a program that reads them first.
            assert!(opened.text(payload, room).is_some());
            let bytes = opened.elements(payload, room).unwrap();
            let mut words = bytes.chunks_exact(SLOT).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
            for holds in elements.iter().flatten() {
                let word = words.next().unwrap();
                match holds {
                    Holds::Number(value) => assert_eq!(word, *value),
                    Holds::Text(text) => {
                        let place = word - RECORD_TEXTS.address(0);
                        assert_eq!(place / ROOM, at as u64);
                        assert_eq!(text_at(opened, payload, place).as_ref(), Some(text));
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(words.next(), None);
            assert_eq!(held(), Some(RECORD_ARRAYS.address(room)));
        }
    }
}

fn exact(layout: &Version) -> Knowledge<'_> {
    Knowledge { layout: Some(layout), exact: true, doubtful: false, described: None }
}

#[test]
fn issue_23_slots_hold_what_was_put_into_the_payload() {
    let mut random = Random::default();
    let mut opened = Opened::default();
    for round in 0..500 {
        let made = Made::any(&mut random);
        let layout = version(made.fields.clone());
        let shape = shape(std::slice::from_ref(&layout));
        let fields = Fields::resolve(Some(&shape), &[], &exact(&layout), 8);
        assert_eq!((fields.count(), shape.slots()), (made.slots.len(), made.slots.len()), "{made:?}");
        let shown: Vec<String> = tracewell_decode::Fields::new(&layout, &made.payload, 8)
            .map(|found| found.value.display(found.field).to_string())
            .collect();
        // What was decoded of the event before is gone.
        opened.begin(&fields);
        assert_eq!(opened.read(), Read::Nothing);
        for (at, (holds, of, _)) in made.slots.iter().enumerate() {
            check(&opened, &made.payload, at, holds, &shown[*of]);
        }
        assert_eq!(opened.read(), if made.slots.is_empty() { Read::Nothing } else { Read::Decoded });
        let all: Vec<u8> = (0..made.slots.len())
            .flat_map(|at| opened.slot(&made.payload, at * SLOT).unwrap())
            .copied()
            .collect();
        assert_eq!(opened.whole(&made.payload, 0), Some(&all[..]));
        let some = round % all.len();
        assert_eq!(opened.whole(&made.payload, some), Some(&all[some..]));
        assert_eq!(
            opened.slot(&made.payload, some),
            Some(&all[some..some.next_multiple_of(SLOT).max(some / SLOT * SLOT + SLOT)])
        );
        assert_eq!(opened.slot(&made.payload, all.len()), None, "behind the record");
    }
}

#[test]
fn issue_23_fields_that_a_payload_is_too_short_for_have_no_value() {
    let mut random = Random::default();
    for _ in 0..100 {
        let made = Made::any(&mut random);
        let layout = version(made.fields.clone());
        let shape = shape(std::slice::from_ref(&layout));
        let ends: Vec<usize> = (0..made.fields.len())
            .map(|of| made.slots.iter().find(|slot| slot.1 == of).map_or(0, |slot| slot.2))
            .collect();
        for (cut, is_exact) in (0..made.payload.len()).flat_map(|cut| [(cut, true), (cut, false)]) {
            let payload = &made.payload[..cut];
            let known = Knowledge { exact: is_exact, ..exact(&layout) };
            let fields = Fields::resolve(Some(&shape), &[], &known, 8);
            // By the layout of another version a payload may end between two fields.
            let left_out = !is_exact && (cut == 0 || ends.contains(&cut));
            for (at, (holds, _, end)) in made.slots.iter().enumerate() {
                let mut opened = Opened::default();
                opened.begin(&fields);
                let is_there = *end <= cut;
                let read = match holds {
                    Holds::Number(_) | Holds::Raw(_) => opened.slot(payload, at * SLOT).map(<[u8]>::to_vec),
                    Holds::Elements(_) => opened.elements(payload, at as u64 * ROOM).map(<[u8]>::to_vec),
                    _ => opened.text(payload, at as u64 * ROOM).map(<[u8]>::to_vec),
                };
                assert_eq!(read.is_some(), is_there || left_out, "{at} of {made:?} cut at {cut}");
                let expected = if read.is_some() { Read::Decoded } else { Read::Undecoded };
                assert_eq!(opened.read(), expected);
                if !is_there && let Some(read) = read {
                    assert!(read.iter().all(|byte| *byte == 0), "nothing, and no text");
                }
            }
        }
    }
}

#[test]
fn issue_23_fields_that_an_event_lacks_are_empty_and_unknown_ones_are_faults() {
    let has = |name: &str| vec![field(name, FieldType::U32), field("t", PREFIXED), array("a", FieldType::U8)];
    let layout = version(has("old"));
    let described = shape(&[version(has("new"))]);
    let record = shape(&[layout.clone(), version(has("NEW"))]);
    // NEW t[..] a[..] old and companions: 0 NEW, 1 t, 2 a, 3 old, 4 a_count, 5 a_str.
    assert_eq!(record.slots(), 6);
    let payload = [7, 0, 0, 0, 2, 0, b'x', 0, 1, 0, 9];
    let read = |known: Knowledge<'_>, payload: &[u8], at| {
        let mut opened = Opened::default();
        opened.begin(&Fields::resolve(Some(&record), &[], &known, 8));
        (word(&opened, payload, at), opened.read())
    };
    let none = Knowledge { layout: None, exact: false, doubtful: false, described: None };
    let (fault, empty) = ((None, Read::Undecoded), (Some(0), Read::Decoded));
    assert_eq!(read(exact(&layout), &payload, 3), (Some(7), Read::Decoded));
    assert_eq!(read(exact(&layout), &payload, 0), empty, "the whole layout has no such field");
    let in_part = Knowledge { exact: false, ..exact(&layout) };
    assert_eq!(read(in_part, &payload, 0), fault, "this version may have it");
    assert_eq!(read(Knowledge { described: Some(&described), ..in_part }, &payload, 0), fault);
    let other = shape(&[version(vec![field("x", FieldType::U8)])]);
    assert_eq!(
        read(Knowledge { described: Some(&other), ..in_part }, &payload, 0),
        empty,
        "no version has it"
    );
    for at in 0..6 {
        assert_eq!(read(none, &payload, at), fault, "nothing is known: {at}");
        assert_eq!(read(none, &[], at).1, Read::Decoded, "nothing is there: {at}");
    }
    assert_eq!([0, 3, 4].map(|at| read(none, &[], at).0), [Some(0); 3]);
    assert_eq!(read(Knowledge { described: Some(&other), ..none }, &payload, 0), empty);
    // Payloads that cannot follow the layout have no fields.
    let doubtful = Knowledge { doubtful: true, ..exact(&layout) };
    assert_eq!(read(doubtful, &payload, 3), (Some(7), Read::Decoded));
    assert_eq!(read(doubtful, &payload[..5], 3), fault);
    assert_eq!(read(exact(&layout), &payload[..5], 3), (Some(7), Read::Decoded));
}

#[test]
fn issue_23_an_event_may_be_several_records() {
    let layout = version(vec![field("a", FieldType::U32), field("b", FieldType::U8)]);
    let own = shape(std::slice::from_ref(&layout));
    let part = |base, name: &str| Part { base, shape: shape(&[version(vec![field(name, FieldType::U8)])]) };
    let parts = [part(100, "b"), part(200, "a")];
    let payload = [7, 0, 0, 0, 9];
    for own in [Some(&own), None] {
        let fields = Fields::resolve(own, &parts, &exact(&layout), 4);
        let first = if own.is_some() { 2 } else { 0 };
        assert_eq!((fields.count(), fields.records()), (first + 2, own.iter().count() + 2));
        let places = [0, 1, 2, 99, 100, 101, 200, 201].map(|at| fields.slot(at).map(|(place, _)| place));
        let of_own = [own.map(|_| 0), own.map(|_| 1)];
        assert_eq!(places[..2], of_own);
        assert_eq!(places[2..], [None, None, Some(first), None, Some(first + 1), None]);
        let of = own.iter().count();
        assert_eq!(fields.record(1), own.map(|_| (0, 0, 2)));
        assert_eq!((fields.record(100), fields.record(101)), (Some((of, 100, 1)), None));
        assert_eq!(fields.record(200), Some((of + 1, 200, 1)));
        let mut opened = Opened::default();
        opened.begin(&fields);
        assert_eq!((word(&opened, &payload, 100), word(&opened, &payload, 200)), (Some(9), Some(7)));
        assert_eq!(word(&opened, &payload, 0), own.map(|_| 7));
        assert_eq!(opened.whole(&payload, 100 * SLOT), opened.slot(&payload, 100 * SLOT));
        // Another event.
        let other = [1, 2, 0, 0, 3];
        opened.begin(&fields);
        assert_eq!((word(&opened, &other, 100), word(&opened, &other, 200)), (Some(3), Some(0x201)));
    }
}
