//! Descriptions that a trace contains, made at random, compared with the descriptions they were made from.
#![allow(missing_docs)]

use tracewell_corpus::Random;
use tracewell_decode::event_info::{self, EventCatalog, EventDescription, InfoError};
use tracewell_decode::tracelogging;
use tracewell_etl::Trace;
use tracewell_etl::write::{Event, Full, TraceConfig, TraceWriter};
use tracewell_schema::text::Kind;
use tracewell_schema::{
    Count, Enabling, Field, FieldType, Hint, Length, MapRef, Provider, ProviderEvent, ValueMap, Version,
    kernel,
};
use tracewell_types::{FileTime, Guid};

/// A property of a description.
struct Property {
    name: String,
    flags: u32,
    /// In and out type, or first member and number of members.
    types: (u16, u16),
    map: String,
    count: u16,
    length: u16,
}

/// The parts of a `TRACE_EVENT_INFO`, in the order of the structure.
#[derive(Default)]
struct Info {
    provider: [u8; 16],
    class: [u8; 16],
    id: u16,
    version: u8,
    channel: u8,
    level: u8,
    opcode: u8,
    keyword: u64,
    source: u32,
    /// Names of the provider, level and channel; of the bits of the keyword; of task and opcode; the message.
    provider_name: String,
    level_name: String,
    channel_name: String,
    keyword_names: Vec<String>,
    task: String,
    operation: String,
    message: String,
    top: u32,
    properties: Vec<Property>,
}

impl Info {
    fn bytes(&self) -> Vec<u8> {
        let start = 112 + 24 * self.properties.len();
        let mut texts = Vec::new();
        let mut text = |parts: &[&str]| {
            let at = (start + texts.len()) as u32;
            if parts.iter().all(|part| part.is_empty()) {
                return 0u32.to_le_bytes();
            }
            for part in parts {
                texts.extend(part.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
            }
            at.to_le_bytes()
        };
        let mut bytes = [self.provider, self.class].concat();
        bytes.extend(self.id.to_le_bytes());
        bytes.extend([self.version, self.channel, self.level, self.opcode, 0xEE, 0xEE]);
        bytes.extend(self.keyword.to_le_bytes());
        bytes.extend(self.source.to_le_bytes());
        for name in [&self.provider_name, &self.level_name, &self.channel_name] {
            bytes.extend(text(&[name]));
        }
        let keywords: Vec<&str> = self.keyword_names.iter().map(|name| &**name).chain([""]).collect();
        bytes.extend(text(&keywords));
        for name in [&self.task, &self.operation, &self.message] {
            bytes.extend(text(&[name]));
        }
        // The provider's message, binary XML and names of activities, which nothing reads.
        bytes.extend([0xEE; 20]);
        bytes.extend((self.properties.len() as u32).to_le_bytes());
        bytes.extend(self.top.to_le_bytes());
        bytes.extend([0xEE; 4]);
        assert_eq!(bytes.len(), 112);
        for property in &self.properties {
            bytes.extend(property.flags.to_le_bytes());
            bytes.extend(text(&[&property.name]));
            bytes.extend([property.types.0.to_le_bytes(), property.types.1.to_le_bytes()].concat());
            bytes.extend(text(&[&property.map]));
            bytes.extend([property.count.to_le_bytes(), property.length.to_le_bytes()].concat());
            bytes.extend([0xEE; 4]);
        }
        bytes.extend(texts);
        bytes
    }
}

/// In and out types of both encodings with what they mean; a text, number or bytes in each place.
fn types(random: &mut Random, length: Option<Length>) -> (u16, u16, FieldType, Hint) {
    let text = length.unwrap_or(Length::Nul);
    let rows = [
        (1, 1, FieldType::Utf16(text), Hint::None),
        (2, 28, FieldType::Ansi(text), Hint::Xml),
        (14, 15, FieldType::Binary(length.unwrap_or(Length::Rest)), Hint::Hex),
        (4, 3, FieldType::U8, Hint::None),
        (8, 20, FieldType::U32, Hint::Pid),
        (9, 9, FieldType::I64, Hint::None),
        (16, 0, FieldType::Pointer, Hint::Hex),
        (22, 1, FieldType::Utf16(Length::Prefixed), Hint::None),
        (17, 2, FieldType::FileTime, Hint::None),
    ];
    // Only the first three types take a length from elsewhere.
    let end = if length.is_some() { 3 } else { rows.len() as u64 };
    rows[random.below(end) as usize].clone()
}

/// Adds a list of properties with their members behind all others; returns the fields that they describe.
fn list(
    random: &mut Random,
    number: u16,
    depth: u8,
    properties: &mut Vec<Property>,
    maps: &mut Vec<(Box<str>, Box<str>)>,
) -> Vec<Field> {
    let first = properties.len() as u16;
    for index in 0..number {
        let name = format!("f{}", first + index);
        let (flags, types, count, length) = (0, (0, 0), 1, 0);
        properties.push(Property { name, flags, types, map: String::new(), count, length });
    }
    let mut fields = Vec::new();
    for index in 0..number {
        let place = usize::from(first + index);
        let earlier = (index > 0).then(|| random.below(index.into()) as u16);
        let (count, count_flag, count_word) = match (random.below(5), earlier) {
            (0, Some(earlier)) => (Count::Field(earlier), 4, first + earlier),
            (1, _) => (Count::Fixed(1), 0x20, 1),
            (2, _) => (Count::Fixed(2), 0, 2),
            _ => (Count::One, 0, random.below(2) as u16),
        };
        let name = properties[place].name.clone();
        if depth < 3 && random.below(4) == 0 {
            let begin = properties.len() as u16;
            let size = random.below(4) as u16;
            let members = list(random, size, depth + 1, properties, maps);
            let property = &mut properties[place];
            (property.flags, property.count, property.types) = (1 | count_flag, count_word, (begin, size));
            fields.push(Field::named(name, FieldType::Struct(members.into())).count(count));
            continue;
        }
        let (length, length_flag, length_word) = match (random.below(4), earlier) {
            (0, Some(earlier)) => (Some(Length::Field(earlier)), 2, first + earlier),
            (1, _) => (Some(Length::Fixed(7)), 0, 7),
            _ => (None, 0, 0),
        };
        let (input, output, ty, hint) = types(random, length);
        let property = &mut properties[place];
        property.flags = count_flag | length_flag;
        (property.types, property.count, property.length) = ((input, output), count_word, length_word);
        if random.below(4) == 0 {
            property.map = format!("map{}", random.below(3));
            maps.push((name.clone().into(), property.map.clone().into()));
        }
        fields.push(Field::named(name, ty).count(count).hint(hint));
    }
    fields
}

/// A description, and what it must be read as.
fn described(random: &mut Random) -> (Info, EventDescription) {
    let (mut properties, mut maps) = (Vec::new(), Vec::new());
    let top = random.below(5) as u16;
    let fields = list(random, top, 0, &mut properties, &mut maps);
    let mut word = |what: &str| match random.below(4) {
        0 => String::new(),
        n => format!("{what} {n} Größe"),
    };
    let names = ["P", "L", "C", "T", "O", "M"].map(&mut word);
    let keyword_names = (0..random.below(4)).map(|n| format!("K{n}")).collect();
    let [provider_name, level_name, channel_name, task, operation, message] = names;
    let info = Info {
        provider: [random.below(3) as u8 + 1; 16],
        class: [random.below(3) as u8 + 101; 16],
        id: random.below(2) as u16 * 0x1234,
        version: random.below(2) as u8,
        channel: random.bits() as u8,
        level: random.bits() as u8,
        opcode: random.below(2) as u8,
        keyword: random.bits(),
        source: random.below(3) as u32,
        provider_name,
        level_name,
        channel_name,
        keyword_names,
        task,
        operation,
        message,
        top: top.into(),
        properties,
    };
    let boxed = |text: &String| Box::from(&**text);
    let want = EventDescription {
        provider: Guid::from_bytes(info.provider),
        provider_name: boxed(&info.provider_name),
        is_class: info.source == 1,
        task_name: boxed(&info.task),
        opcode_name: boxed(&info.operation),
        message: boxed(&info.message),
        layout: Version::from_fields(info.version, fields),
        map_names: maps,
        // The highest byte of a keyword selects channels.
        enabling: Enabling { level: info.level, keyword: info.keyword << 8 >> 8 },
        keyword_names: info.keyword_names.iter().map(boxed).collect(),
        level_name: boxed(&info.level_name),
        channel: info.channel,
        channel_name: boxed(&info.channel_name),
        stopped: None,
    };
    (info, want)
}

#[test]
fn issue_23_event_infos_are_read_as_they_were_made() {
    let mut random = Random(23);
    let mut fields = 0;
    for round in 0..2000 {
        let (info, mut want) = described(&mut random);
        let bytes = info.bytes();
        let mut found = event_info::parse(&bytes).unwrap();
        fields += want.layout.fields.len();
        // Fields of structs may be listed before those around them.
        found.map_names.sort_unstable();
        want.map_names.sort_unstable();
        assert_eq!(found, want, "round {round}");
        // Blanks at the ends of names are filling.
        let padded = Info { task: format!("{} ", info.task), ..info };
        assert_eq!(event_info::parse(&padded.bytes()).unwrap().task_name, want.task_name, "round {round}");
        // A block without all properties is damaged. The last word before them is not read.
        let room = 112 + 24 * padded.properties.len() - if padded.properties.is_empty() { 4 } else { 0 };
        for cut in 0..room {
            assert!(event_info::parse(&bytes[..cut]).is_err(), "round {round}, cut at {cut}");
        }
    }
    assert!(fields > 3000, "{fields}");
}

/// Words of a description that refer to what is not there end the layout before the property; nothing else changes it.
#[test]
fn issue_23_bad_references_end_a_layout() {
    let mut random = Random(4);
    let mut seen = [0; 3];
    for round in 0..2000 {
        let (mut info, want) = described(&mut random);
        let top = info.top as usize;
        if top == 0 {
            continue;
        }
        let place = random.below(top as u64) as usize;
        let property = &mut info.properties[place];
        let kind = random.below(3) as usize;
        let index = place as u16 + random.below(3) as u16;
        let error = match kind {
            // A count in the property itself or in one behind it.
            0 => {
                (property.flags, property.count) = (property.flags | 4, index);
                InfoError::BadReference(place)
            }
            1 if property.flags & 1 == 0 => {
                (property.flags, property.length) = (property.flags | 2, index);
                InfoError::BadReference(place)
            }
            2 if property.flags & 1 == 0 => {
                property.types.0 = 26;
                InfoError::UnknownType(place, 26)
            }
            _ => continue,
        };
        seen[kind] += 1;
        let found = event_info::parse(&info.bytes()).unwrap();
        assert_eq!(found.stopped, Some(error), "round {round}");
        assert_eq!(found.layout.fields[..], want.layout.fields[..place], "round {round}");
    }
    assert!(seen.iter().all(|number| *number > 100), "{seen:?}");
}

/// An `EventMapInfo`: provider, flags, name, values with names.
fn map_info(provider: [u8; 16], flags: u32, name: &str, entries: &[(u32, &str)]) -> Vec<u8> {
    let (mut head, mut texts) = (Vec::new(), Vec::new());
    let start = 16 + 8 * entries.len();
    let mut text = |text: &str| {
        let at = (start + texts.len()) as u32;
        texts.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        at
    };
    head.extend([text(name), flags, entries.len() as u32, 0]);
    for (value, name) in entries {
        head.extend([text(name), *value]);
    }
    let head = head.into_iter().flat_map(u32::to_le_bytes).collect();
    [provider.to_vec(), head, texts].concat()
}

/// The flags are those of `MAP_FLAGS` in `tdh.h`.
#[test]
fn issue_23_maps_of_all_forms_are_read() {
    let entries = [(8, "eight"), (4, "four"), (32, "thirty-two")];
    let given = [(8, "eight"), (4, "four"), (32, "thirty-two")];
    let values = [(0, "eight"), (1, "four"), (2, "thirty-two")];
    let places = [(1, "eight"), (2, "four"), (4, "thirty-two")];
    type Row<'a> = (u32, bool, &'a [(u32, &'a str)]);
    let rows: [Row<'_>; 10] = [
        (0, false, &given),
        (0x1, false, &given),
        (0x2, true, &given),
        (0x4, false, &[]),
        (0x8, false, &given),
        (0x10, true, &given),
        (0x8 | 0x20, true, &given),
        (0x8 | 0x40, false, &values),
        (0x10 | 0x40, true, &places),
        (0x8 | 0x20 | 0x40, true, &places),
    ];
    for (flags, bits, want) in rows {
        let bytes = map_info([1; 16], flags, "Colors", &entries);
        let found = map_of(&bytes, "Colors");
        let want = want.iter().map(|(value, name)| (*value, (*name).to_owned().into())).collect();
        assert_eq!(found, Some(ValueMap::new("Colors".into(), bits, want)), "{flags:#x}");
        for cut in 0..16 + 16 + 8 * entries.len() {
            assert_eq!(map_of(&bytes[..cut], "Colors"), None, "{flags:#x}, cut at {cut}");
        }
    }
    // A map has 32 bits; names of others have no value.
    let names: Vec<String> = (0..40).map(|n| format!("bit {n}")).collect();
    let entries: Vec<(u32, &str)> = names.iter().map(|name| (0, &**name)).collect();
    let map = map_of(&map_info([1; 16], 0x10 | 0x40, "Bits", &entries), "Bits").unwrap();
    let want: Vec<(u32, String)> = (0..32).map(|n| (1 << n, format!("bit {n}"))).collect();
    assert!(map.entries.iter().map(|(value, name)| (*value, name.to_string())).eq(want));
}

/// The map of a provider of ones that a trace with only this record has for a field.
fn map_of(payload: &[u8], name: &str) -> Option<ValueMap> {
    let property =
        Property { name: "a".into(), flags: 0, types: (8, 8), map: name.into(), count: 1, length: 0 };
    let info = Info { provider: [1; 16], top: 1, properties: vec![property], ..Info::default() };
    let catalog = catalog(&[(32, info.bytes()), (33, payload.to_vec())]);
    let description = catalog.iter().next().unwrap();
    let layout = catalog.layout_with_maps(description);
    let map = layout.fields[0].map.as_ref().map(|map| map.get().clone());
    assert_eq!(catalog.unread(), u64::from(map.is_none()));
    map
}

/// A catalog that has observed a trace with these records of descriptions.
fn catalog(records: &[(u8, Vec<u8>)]) -> EventCatalog {
    let guid = kernel::class("EventMetadata").unwrap().guid;
    let mut catalog = EventCatalog::new();
    let bytes = trace(|writer| {
        for (opcode, payload) in records {
            writer.full(0, &Full { guid, opcode: *opcode, ..Full::default() }, payload).unwrap();
            // Another class with the same type of event describes nothing.
            let other = Full { guid: Guid::from_bytes([9; 16]), opcode: *opcode, ..Full::default() };
            writer.full(0, &other, payload).unwrap();
        }
    });
    let trace = Trace::open(&bytes).unwrap();
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        catalog.observe(&record);
    }
    catalog
}

fn trace(write: impl FnOnce(&mut TraceWriter<std::io::Cursor<Vec<u8>>>)) -> Vec<u8> {
    let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), TraceConfig::default()).unwrap();
    write(&mut writer);
    writer.finish(FileTime(1)).unwrap().into_inner()
}

/// A plain list of descriptions, searched from the end, and of maps, searched from the beginning, gives the same answers.
#[test]
fn issue_23_a_catalog_equals_a_list() {
    let mut random = Random(99);
    for round in 0..60 {
        let mut records = Vec::new();
        let mut list: Vec<((Guid, u16, u8), EventDescription)> = Vec::new();
        let mut maps: Vec<(Guid, ValueMap)> = Vec::new();
        let mut bad = 0;
        for _ in 0..random.below(25) {
            if random.below(3) == 0 {
                let (provider, name) = ([random.below(3) as u8 + 1; 16], format!("map{}", random.below(3)));
                let value = random.below(5) as u32;
                records.push((33, map_info(provider, 1, &name, &[(value, "name")])));
                let map = ValueMap::new(name, false, vec![(value, "name".into())]);
                maps.push((Guid::from_bytes(provider), map));
                continue;
            }
            let (info, want) = described(&mut random);
            let mut bytes = info.bytes();
            if random.below(5) == 0 {
                bytes.truncate(100);
                bad += 1;
            } else {
                let (guid, number) = if info.source == 1 {
                    (info.class, info.opcode.into())
                } else {
                    (info.provider, info.id)
                };
                list.push(((Guid::from_bytes(guid), number, info.version), want));
            }
            records.push((32, bytes));
        }
        let catalog = catalog(&records);
        assert_eq!(catalog.unread(), bad, "round {round}");
        // The last description of an event counts, in the place of the first one.
        let mut last: Vec<((Guid, u16, u8), &EventDescription)> = Vec::new();
        for (key, description) in &list {
            match last.iter_mut().find(|(known, _)| known == key) {
                Some(known) => known.1 = description,
                None => last.push((*key, description)),
            }
        }
        assert_eq!((catalog.iter().len(), catalog.events().count()), (last.len(), last.len()));
        let guids = (1..=3).chain(101..=103).map(|byte| Guid::from_bytes([byte; 16]));
        for guid in guids {
            let of_it: Vec<_> = last.iter().filter(|(key, _)| key.0 == guid).collect();
            let found: Vec<_> = catalog.of_provider(&guid).map(|one| sorted(one)).collect();
            assert_eq!(found, of_it.iter().map(|(_, one)| sorted(one)).collect::<Vec<_>>(), "round {round}");
            for number in [0, 1, 0x1234] {
                for version in 0..3 {
                    let is_class = guid.to_bytes()[0] > 100;
                    let want = last.iter().find(|(key, _)| *key == (guid, number, version));
                    let bytes = trace(|writer| match is_class {
                        true => {
                            let (opcode, version) = (number as u8, version.into());
                            writer.full(0, &Full { guid, opcode, version, ..Full::default() }, &[]).unwrap();
                        }
                        false => {
                            let event = Event { provider: guid, id: number, version, ..Event::default() };
                            writer.event(0, &event, &[], &[]).unwrap();
                        }
                    });
                    // Types of events have one byte.
                    if is_class && number > 255 {
                        continue;
                    }
                    let trace = Trace::open(&bytes).unwrap();
                    let mut cursor = trace.file_order();
                    cursor.next();
                    let found = catalog.of_record(&cursor.next().unwrap()).map(|one| sorted(one));
                    assert_eq!(found, want.map(|(_, one)| sorted(one)), "round {round}");
                }
            }
        }
        let mut events = 0;
        for Provider { name, guid, events: found, .. } in catalog.described().iter().map(|one| {
            assert_eq!(one.kind == Kind::Class, one.provider.guid.to_bytes()[0] > 100, "round {round}");
            &one.provider
        }) {
            events += found.len();
            let of_it: Vec<_> = last.iter().filter(|(key, _)| key.0 == *guid).collect();
            let names: Vec<&str> = of_it.iter().map(|(_, one)| &*one.provider_name).collect();
            let is_known = names.iter().any(|one| *one == *name && !one.is_empty());
            assert!(is_known || (names.contains(&"") && *name == guid.to_string()), "round {round}: {name}");
            for event in found.iter() {
                let key = (*guid, event.id, event.layout.number);
                let (_, want) = of_it.iter().find(|(known, _)| *known == key).unwrap();
                let mut layout = want.layout.clone();
                for (field, map) in &want.map_names {
                    let is_it = |one: &&(Guid, ValueMap)| one.0 == want.provider && one.1.name == **map;
                    if let Some((_, map)) = maps.iter().find(is_it) {
                        give(layout.fields.to_mut(), field, map);
                    }
                }
                let want = ProviderEvent {
                    id: key.1,
                    task: want.task_name.to_string().into(),
                    opcode: want.opcode_name.to_string().into(),
                    message: want.message.to_string().into(),
                    enabling: (!want.is_class).then_some(want.enabling),
                    layout,
                };
                assert_eq!(*event, want, "round {round}");
            }
        }
        assert_eq!(events, last.len(), "round {round}");
    }
}

fn sorted(description: &EventDescription) -> EventDescription {
    let mut description = description.clone();
    description.map_names.sort_unstable();
    description
}

fn give(fields: &mut [Field], name: &str, map: &ValueMap) {
    for field in fields {
        match &mut field.ty {
            FieldType::Struct(members) => give(members.to_mut(), name, map),
            _ if *field.name == *name => field.map = Some(MapRef::Shared(map.clone().into())),
            _ => {}
        }
    }
}

/// Fields of a TraceLogging description: the bytes of each, and the field.
fn logged(random: &mut Random, depth: u8) -> (Vec<u8>, Field) {
    let name = format!("n{}é", random.below(100));
    let mut bytes = [name.as_bytes(), &[0]].concat();
    let is_struct = depth < 4 && random.below(4) == 0;
    let (input, output, ty, hint) = match random.below(8) {
        _ if is_struct => (24, 0, FieldType::U8, Hint::None),
        0 => (1, 0, FieldType::Utf16(Length::Nul), Hint::None),
        1 => (4, 3, FieldType::Bool8, Hint::Boolean),
        2 => (8, 5, FieldType::U32, Hint::Pid),
        3 => (16, 4, FieldType::Pointer, Hint::Hex),
        4 => (2, 0, FieldType::Ansi(Length::Nul), Hint::None),
        5 => (9, 0, FieldType::I64, Hint::None),
        6 => (14, 10, FieldType::Binary(Length::Prefixed), Hint::SocketAddress),
        _ => (20, 0, FieldType::U32, Hint::Hex),
    };
    let members: Vec<_> = match is_struct {
        true => (0..random.below(4)).map(|_| logged(random, depth + 1)).collect(),
        false => Vec::new(),
    };
    let output = if is_struct { members.len() as u8 } else { output };
    let (count, bits) = match random.below(5) {
        0 => (Count::Fixed(0x0203), 0x20),
        1 => (Count::Prefixed, 0x40),
        // The provider's own type, in bytes that are no description.
        2 if !is_struct => (Count::One, 0x60),
        _ => (Count::One, 0),
    };
    let has_tags = random.below(3) == 0;
    let has_output = output != 0 || has_tags || random.below(2) == 0;
    bytes.push(input | bits | if has_output { 0x80 } else { 0 });
    if has_output {
        bytes.push(output | if has_tags { 0x80 } else { 0 });
    }
    if has_tags {
        bytes.extend(tags(random).1);
    }
    match bits {
        0x20 => bytes.extend([3, 2]),
        0x60 => bytes.extend([3, 0, 0x9F, 0xFF, 0xE0]),
        _ => {}
    }
    if is_struct {
        bytes.extend(members.iter().flat_map(|(bytes, _)| bytes.clone()));
        let fields: Vec<Field> = members.into_iter().map(|(_, field)| field).collect();
        return (bytes, Field::named(name, FieldType::Struct(fields.into())).count(count));
    }
    let ty = if bits == 0x60 { FieldType::Binary(Length::Prefixed) } else { ty };
    (bytes, Field::named(name, ty).count(count).hint(hint))
}

/// Tags of at most 28 bits.
fn tags(random: &mut Random) -> (u32, Vec<u8>) {
    let number = random.below(4) + 1;
    let parts: Vec<u8> = (0..number).map(|_| random.below(128) as u8).collect();
    let value = parts.iter().fold(0, |value, part| value * 128 + u32::from(*part));
    let last = parts.len() - 1;
    let bytes = parts.iter().enumerate().map(|(at, part)| part + if at < last { 128 } else { 0 });
    (value, bytes.collect())
}

/// Returns `true` if the fields are the first ones of `whole`; of a last struct some members may be missing.
fn is_beginning(found: &[Field], whole: &[Field]) -> bool {
    let Some((last, before)) = found.split_last() else { return true };
    if found.len() > whole.len() || *before != whole[..before.len()] {
        return false;
    }
    let same = &whole[before.len()];
    match (&last.ty, &same.ty) {
        _ if last == same => true,
        (FieldType::Struct(some), FieldType::Struct(all)) => {
            last.name == same.name && last.count == Count::One && is_beginning(some, all)
        }
        _ => false,
    }
}

#[test]
fn issue_23_trace_logging_is_read_as_it_was_made() {
    let mut random = Random(11);
    let mut partial = 0;
    for round in 0..1500 {
        let (tags, head) = tags(&mut random);
        let (parts, fields): (Vec<Vec<u8>>, Vec<Field>) =
            (0..random.below(5)).map(|_| logged(&mut random, 0)).unzip();
        let mut body = [&head[..], "Größe\0".as_bytes()].concat();
        let begin = body.len() + 2;
        let mut ends = vec![begin];
        for part in parts {
            body.extend(part);
            ends.push(body.len() + 2);
        }
        let whole = [&(body.len() as u16 + 2).to_le_bytes()[..], &body].concat();
        // Bytes behind the size belong to nothing.
        for behind in [&[][..], b"x\0\x04"] {
            let found = tracelogging::parse(&[&whole[..], behind].concat()).unwrap();
            assert_eq!((&*found.name, found.tags, found.stopped), ("Größe", tags, None), "round {round}");
            assert_eq!(found.layout, Version::from_fields(0, fields.clone()), "round {round}");
        }
        for cut in 0..whole.len() {
            let Ok(found) = tracelogging::parse(&whole[..cut]) else {
                assert!(cut < begin, "round {round}, cut at {cut}");
                continue;
            };
            assert!(cut >= begin, "round {round}, cut at {cut}");
            let complete = ends.iter().filter(|end| **end <= cut).count() - 1;
            assert_eq!(found.stopped.is_none(), ends.contains(&cut), "round {round}, cut at {cut}");
            let number = found.layout.fields.len();
            assert!(is_beginning(&found.layout.fields, &fields), "round {round}, cut at {cut}");
            assert!(number == complete || number == complete + 1, "round {round}, cut at {cut}");
            assert_eq!(found.layout.fields[..complete], fields[..complete], "round {round}, cut at {cut}");
            partial += number - complete;
        }
    }
    assert!(partial > 1000, "{partial}");
}
