//! Events described for programs as Windows' decoder does it (`TRACE_EVENT_INFO`): what is written is read again, and every value has
//! the text that all commands show.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test reports what it measured")]

use std::collections::BTreeMap;

use tracewell_decode::event_info::write::{NoValue, Properties, Shape, map_info, value_text};
use tracewell_decode::event_info::{parse, parse_map_info};
use tracewell_decode::{Decoder, EventFormat, Fields, Formatted, Schemas, Value};
use tracewell_etl::{Record, Trace};
use tracewell_schema::{Count, Field, FieldType, Hint, Length, Provider, ProviderEvent, ValueMap, Version};
use tracewell_types::Guid;

/// Bytes of the head of a block, and of each property.
const HEAD: usize = 112;
const PROPERTY: usize = 24;

fn word(block: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([block[at], block[at + 1]])
}

fn long(block: &[u8], at: usize) -> usize {
    usize::from(word(block, at)) | usize::from(word(block, at + 2)) << 16
}

fn text(block: &[u8], at: usize) -> String {
    let units = (at..).step_by(2).map(|at| word(block, at)).take_while(|unit| *unit != 0);
    String::from_utf16_lossy(&units.collect::<Vec<_>>())
}

/// The text of every property, as a program gets it: by the block, by the bytes of each property, and by its types.
struct Program<'a> {
    block: &'a [u8],
    properties: &'a Properties,
    payload: &'a [u8],
    pointer_size: u8,
}

impl Program<'_> {
    /// The value of a property that is a number, by its index.
    fn number(&self, index: usize, path: &[(String, u32)]) -> usize {
        let name = text(self.block, long(self.block, HEAD + index * PROPERTY + 4));
        let path = [path, &[(name, 0)]].concat();
        let bytes = self.properties.find(self.payload, self.pointer_size, &path).unwrap();
        bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    /// The text of a property under `path`.
    fn property(&self, index: usize, path: &[(String, u32)]) -> Result<(String, String), NoValue> {
        let at = HEAD + index * PROPERTY;
        let flags = long(self.block, at);
        let name = text(self.block, long(self.block, at + 4));
        let count = usize::from(word(self.block, at + 16));
        let count = if flags & 4 != 0 { self.number(count, path) } else { count };
        let is_array = flags & 0x24 != 0;
        let mut shown = Vec::new();
        for element in 0..count {
            let path = [path, &[(name.clone(), element as u32)]].concat();
            if flags & 1 != 0 {
                let (first, members) = (word(self.block, at + 8), word(self.block, at + 10));
                let members: Result<Vec<_>, _> =
                    (first..first + members).map(|index| self.property(index.into(), &path)).collect();
                let members: Vec<String> =
                    members?.into_iter().map(|(name, text)| format!("{name}={text}")).collect();
                shown.push(format!("{{{}}}", members.join(", ")));
                continue;
            }
            let bytes = self.properties.find(self.payload, self.pointer_size, &path)?;
            let shape = self.shape(at, flags, &path[..path.len() - 1]);
            let map = long(self.block, at + 12);
            let map = (map != 0).then(|| {
                let map = self.properties.map(&text(self.block, map)).unwrap();
                parse_map_info(&map_info(map)).unwrap()
            });
            // A text of no letters has no zero that ends it.
            if flags & 2 != 0 && shape.length == 0 {
                shown.push(String::new());
                continue;
            }
            let (text, used) = value_text(shape, bytes, map)?;
            assert_eq!(used, bytes.len(), "{path:?}");
            shown.push(text);
        }
        let text = if is_array { format!("[{}]", shown.join(", ")) } else { shown.concat() };
        Ok((name, text))
    }

    fn shape(&self, at: usize, flags: usize, path: &[(String, u32)]) -> Shape {
        let length = word(self.block, at + 18);
        let length = if flags & 2 != 0 { self.number(length.into(), path) as u16 } else { length };
        let (input, output) = (word(self.block, at + 8), word(self.block, at + 10));
        Shape { input, output, length, pointer_size: self.pointer_size }
    }

    fn all(&self) -> Result<Vec<(String, String)>, NoValue> {
        (0..long(self.block, 104)).map(|index| self.property(index, &[])).collect()
    }
}

/// Counts what was compared.
#[derive(Default)]
struct Tally {
    events: u64,
    properties: u64,
    equal: u64,
    /// By type and hint of the field.
    different: BTreeMap<String, (u64, String)>,
}

impl Tally {
    /// Compares one event: its block with its format, and its values with those that commands show.
    fn event(&mut self, format: &EventFormat, record: &Record<'_>) {
        let properties = Properties::of(format, record);
        let block = properties.info(format, record);
        let read = parse(&block).unwrap();
        assert_eq!(read.stopped, None, "{}", format.name);
        assert_eq!(
            (&read.provider_name, &read.task_name, &read.opcode_name),
            (&format.provider.trim_end().into(), &format.task.trim_end().into(), &format.opcode)
        );
        assert_eq!(read.layout.fields.len(), properties.layout().fields.len());
        let (payload, pointer_size) = (record.payload(), record.pointer_size());
        let again: Vec<String> = Fields::new(&read.layout, payload, pointer_size)
            .map(|named| named.field.name.to_string())
            .collect();
        let program = Program { block: &block, properties: &properties, payload, pointer_size };
        self.events += 1;
        let mut at = 0;
        for named in format.fields(record) {
            if named.field.count == Count::Prefixed {
                at += 1;
            }
            assert_eq!(
                again.get(at).map(|name| name.trim_end()),
                Some(named.field.name.trim_end()),
                "{}",
                format.name
            );
            self.properties += 1;
            let want = shown(&named.value, named.field);
            let found = program.property(at, &[]).map(|(_, text)| text);
            at += 1;
            if found.as_deref() == Ok(&want) {
                self.equal += 1;
                continue;
            }
            let kind = format!("{:?} {:?} {:?}", named.field.ty, named.field.hint, named.field.count);
            let example = format!("{} {}: {found:?}, not {want:?}", format.name, named.field.name);
            self.different.entry(kind).or_insert((0, example)).0 += 1;
        }
    }

    fn trace(&mut self, bytes: &[u8]) {
        let trace = Trace::open(bytes).unwrap();
        let mut schemas = Schemas::new();
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            schemas.observe(&record);
        }
        let mut decoder = Decoder::new(schemas);
        let mut records = trace.file_order();
        while let Some(record) = records.next() {
            let id = decoder.id(&record);
            self.event(decoder.get(id), &record);
        }
    }
}

/// As [`Value::display`], with what the form cannot leave out: memory without a meaning.
fn shown(value: &Value<'_>, field: &Field) -> String {
    match value {
        value if field.hint == Hint::Leftover => Formatted::new(*value, Hint::None).to_string(),
        Value::Struct(members) => {
            let members = members.fields().map(|m| format!("{}={}", m.field.name, shown(&m.value, m.field)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(array) => {
            let elements: Vec<String> = array.map(|element| shown(&element, field)).collect();
            format!("[{}]", elements.join(", "))
        }
        value => value.display(field).to_string(),
    }
}

#[test]
fn issue_18_events_of_the_sample_are_described_and_shown() {
    let mut tally = Tally::default();
    tally.trace(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/sample.etl")).unwrap());
    assert!(tally.events > 1000 && tally.properties > 5000, "{} {}", tally.events, tally.properties);
    assert!(tally.different.is_empty(), "{:#?}", tally.different);
}

/// Every event of the real traces.
#[test]
fn issue_18_events_of_real_traces_are_described_and_shown() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let mut tally = Tally::default();
    for (name, bytes) in tracewell_corpus::contents(&folder) {
        let before = (tally.events, tally.properties, tally.equal);
        tally.trace(&bytes);
        let of = (tally.events - before.0, tally.properties - before.1, tally.equal - before.2);
        println!("{name}: {} events, {} properties, {} equal", of.0, of.1, of.2);
    }
    println!("{} events, {} properties, {} equal", tally.events, tally.properties, tally.equal);
    assert!(tally.different.is_empty(), "{:#?}", tally.different);
}

/// A provider's event with these fields, and a record of it.
fn made(fields: Vec<Field>, payload: &[u8]) -> (EventFormat, Vec<u8>) {
    let guid = Guid::parse("5f1cd3a0-2b1a-4c0e-9a52-0123456789ab");
    let event = ProviderEvent {
        id: 7,
        task: "Sale".into(),
        opcode: "Start".into(),
        message: "Sold %1".into(),
        enabling: None,
        layout: Version::from_fields(2, fields),
    };
    let provider = Provider::new("Shop".to_owned(), guid, vec![event.clone()]);
    let mut bytes = Vec::new();
    let header = tracewell_etl::write::Event {
        provider: guid,
        id: 7,
        version: 2,
        level: 4,
        opcode: 1,
        ..Default::default()
    };
    assert!(header.append(&[], payload, &mut bytes));
    (EventFormat::described(&provider, &event), bytes)
}

/// The texts of all properties that a program finds.
fn texts(fields: Vec<Field>, payload: &[u8]) -> Result<Vec<String>, NoValue> {
    let (format, bytes) = made(fields, payload);
    let record = Record::parse(&bytes, 0).unwrap();
    let properties = Properties::of(&format, &record);
    let block = properties.info(&format, &record);
    let read = parse(&block).unwrap();
    assert_eq!((&*read.provider_name, &*read.task_name, &*read.opcode_name), ("Shop", "Sale", "Start"));
    assert_eq!((&*read.message, &*read.level_name, read.enabling.level), ("Sold %1", "Informational", 4));
    assert_eq!((read.provider, read.is_class, read.layout.number), (record.guid(), false, 2));
    let program = Program { block: &block, properties: &properties, payload, pointer_size: 8 };
    Ok(program.all()?.into_iter().map(|(name, text)| format!("{name}={text}")).collect())
}

fn field(name: &'static str, ty: FieldType) -> Field {
    Field::new(name, ty)
}

#[test]
fn issue_18_forms_that_windows_lacks_are_expressed() {
    let pair = vec![field("a", FieldType::U8), field("b", FieldType::Utf16(Length::Field(0)))];
    let fields = vec![
        field("list", FieldType::U16).count(Count::Prefixed),
        field("size", FieldType::U8),
        // The list in front is two properties, so this refers to another number.
        field("text", FieldType::Ansi(Length::Field(1))),
        field("pairs", FieldType::Struct(pair.into())).count(Count::Field(1)),
        field("rest", FieldType::U8).count(Count::Rest),
        field("later", FieldType::U32).optional(),
    ];
    let payload = [2, 0, 7, 0, 8, 0, 2, b'x', b'y', 1, b'p', 0, 2, b'q', 0, b'r', 0, 5, 6];
    let wanted = [
        "list.Count=2",
        "list=[7, 8]",
        "size=2",
        "text=xy",
        "pairs=[{a=1, b=p}, {a=2, b=qr}]",
        "rest=[5, 6]",
    ];
    assert_eq!(texts(fields.clone(), &payload).unwrap(), wanted);
    // Without a rest, the array is empty.
    let found = texts(fields.clone(), &payload[..17]).unwrap();
    assert_eq!(found.last().unwrap(), "rest=[]");
    // Texts up to the end.
    let texts_left = vec![field("texts", FieldType::Ansi(Length::Nul)).count(Count::Rest)];
    assert_eq!(texts(texts_left, b"a\0bc\0").unwrap(), ["texts=[a, bc]"]);
    for end in 0..17 {
        assert!(texts(fields.clone(), &payload[..end]).is_err(), "{end}");
    }
}

#[test]
fn issue_18_bytes_of_properties_are_found_by_name_and_number() {
    let members = vec![field("a", FieldType::U8), field("t", FieldType::Ansi(Length::Nul))];
    let fields = vec![
        field("n", FieldType::U16),
        field("s", FieldType::Struct(members.into())).count(Count::Fixed(2)),
        field("words", FieldType::Utf16(Length::Nul)).count(Count::Fixed(2)),
    ];
    let payload = [9, 0, 1, b'x', 0, 2, 0, b'p', 0, 0, 0, b'q', 0, 0, 0];
    let properties = Properties::new(&Version::from_fields(0, fields), &payload, 8);
    let find = |path: &[(&str, u32)]| {
        let path: Vec<_> = path.iter().map(|(name, index)| ((*name).to_owned(), *index)).collect();
        properties.find(&payload, 8, &path)
    };
    let all = u32::MAX;
    assert_eq!(find(&[("n", 0)]), Ok(&[9, 0][..]));
    assert_eq!(find(&[("n", all)]), Ok(&[9, 0][..]));
    assert_eq!(find(&[("s", 1)]), Ok(&[2, 0][..]));
    assert_eq!(find(&[("s", all)]), Ok(&payload[2..7]));
    assert_eq!(find(&[("s", 0), ("t", 0)]), Ok(&b"x\0"[..]));
    assert_eq!(find(&[("s", 1), ("t", all)]), Ok(&[0][..]));
    assert_eq!(find(&[("s", all), ("a", 0)]), Ok(&[1][..]));
    assert_eq!(find(&[("words", 1)]), Ok(&payload[11..]));
    assert_eq!(find(&[("words", all)]), Ok(&payload[7..]));
    let unknown: [&[(&str, u32)]; 7] = [
        &[],
        &[("N", 0)],
        &[("n", 1)],
        &[("s", 2)],
        &[("n", 0), ("a", 0)],
        &[("s", 0), ("b", 0)],
        &[("words", 2)],
    ];
    for path in unknown {
        assert_eq!(find(path), Err(NoValue::Unknown), "{path:?}");
    }
    let path = [("words".to_owned(), 1)];
    for end in 0..12 {
        assert_eq!(properties.find(&payload[..end], 8, &path), Err(NoValue::Damaged), "{end}");
    }
}

/// Values of each type and hint keep their text; what Windows has no type for loses only its form.
#[test]
fn issue_18_values_keep_their_text() {
    use FieldType::{Binary, Bool8, Bool32, I16, I32, Ipv4, Ipv6, Pointer, Port, U8, U16, U32, U64, Utf16};
    let rows = [
        (U8, Hint::Hex, "0x41"),
        (U8, Hint::Boolean, "true"),
        (U8, Hint::Character, "A"),
        (U16, Hint::Hex, "0x141"),
        (U32, Hint::Boolean, "true"),
        (U32, Hint::Hex, "0x141"),
        (U32, Hint::NtStatus, "0x00000141"),
        (U32, Hint::Pid, "321"),
        (U32, Hint::Bytes, "321"),
        (U64, Hint::Hex, "0x141"),
        (U64, Hint::Address, "0x141"),
        (U64, Hint::TraceTime, "321"),
        (Pointer, Hint::None, "321"),
        (Pointer, Hint::Hex, "0x141"),
        (Pointer, Hint::Address, "0x141"),
        (I16, Hint::None, "321"),
        (I32, Hint::Win32Error, "321 ERROR_DEVICE_UNREACHABLE"),
        (Bool8, Hint::None, "true"),
        (Bool32, Hint::None, "true"),
        (Port, Hint::None, "16641"),
        (Ipv4, Hint::None, "65.1.0.0"),
        (Ipv6, Hint::None, "4101::"),
        (Binary(Length::Fixed(2)), Hint::None, "4101"),
        (Binary(Length::Fixed(4)), Hint::IpAddress, "65.1.0.0"),
        (Utf16(Length::Fixed(2)), Hint::None, "\u{141}"),
        (Utf16(Length::Rest), Hint::None, "\u{141}\0\0\0\0\0\0\0"),
    ];
    let payload = [0x41, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (ty, hint, wanted) in rows {
        let name = format!("{ty:?} {hint:?}");
        let found = texts(vec![field("f", ty).hint(hint)], &payload).unwrap();
        let wanted = wanted.trim_end_matches('\0');
        assert_eq!(found, [format!("f={wanted}")], "{name}");
    }
}

#[test]
fn issue_18_maps_are_written_and_read() {
    let map = ValueMap::new(
        "Modes".to_owned(),
        true,
        vec![(1, "Read".into()), (2, "Write".into()), (8, "".into())],
    );
    let read = parse_map_info(&map_info(&map)).unwrap();
    assert_eq!(read, map);
    let values = ValueMap::new("Kinds".to_owned(), false, vec![(7, "Seven".into())]);
    assert_eq!(parse_map_info(&map_info(&values)).unwrap(), values);
    let mut mapped = field("mode", FieldType::U32);
    mapped.map = Some(tracewell_schema::MapRef::Shared(std::sync::Arc::new(map)));
    assert_eq!(texts(vec![mapped], &[3, 0, 0, 0]).unwrap(), ["mode=Read|Write"]);
    let block = map_info(&values);
    for end in 0..28 {
        assert!(parse_map_info(&block[..end]).is_err(), "{end}");
    }
    // A shape without a type, and data that end too soon.
    let shape = Shape { input: 999, output: 0, length: 0, pointer_size: 8 };
    assert_eq!(value_text(shape, &[0; 8], None), Err(NoValue::Unknown));
    assert_eq!(value_text(Shape { input: 8, ..shape }, &[0; 3], None), Err(NoValue::Damaged));
    assert_eq!(value_text(Shape { input: 8, ..shape }, &[7, 0, 0, 0, 9], None), Ok(("7".to_owned(), 4)));
}
