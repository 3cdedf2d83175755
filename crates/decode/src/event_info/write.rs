//! Descriptions of events in the form that Windows' decoder (TDH) has for programs: `TRACE_EVENT_INFO`, `EVENT_MAP_INFO`, lists of
//! providers and of their events, and the values of properties.
//!
//! The form cannot express everything that a layout can. [`Properties`] therefore makes a layout that it can express, from a layout
//! and a payload: the number of elements in front of an array is a property, and what a payload leaves out is none.

use std::borrow::Cow;
use std::sync::Arc;

use tracewell_etl::def::guid::SYSTEM_TRACE;
use tracewell_etl::{HeaderKind, Record};
use tracewell_schema::{Count, Enabling, Field, FieldType, Length, MapRef, ProviderEvent, ValueMap, Version};
use tracewell_types::Guid;

use super::block::{HEAD, PROPERTY, at, flag, map, source};
use crate::decoder::{EventFormat, Source};
use crate::error::Problem;
use crate::fields::Fields;
use crate::tdh;
use crate::walk::{Nest, Payload};

/// The properties of one event, as TDH describes them.
#[derive(Clone, Debug)]
pub struct Properties {
    layout: Version,
}

/// Why a property has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// The event has no such property, or no such element.
    Unknown,
    /// The payload does not follow its description.
    Damaged,
}

impl From<Problem> for NoValue {
    fn from(_: Problem) -> NoValue {
        NoValue::Damaged
    }
}

impl Properties {
    /// The properties of a payload with this layout.
    #[must_use]
    pub fn new(layout: &Version, payload: &[u8], pointer_size: u8) -> Properties {
        let fields = expressed(&layout.fields, Some(Payload { bytes: payload, pointer_size }));
        Properties { layout: Version::from_fields(layout.number, fields) }
    }

    /// Those of an event of a format. An event without a layout has none.
    #[must_use]
    pub fn of(format: &EventFormat, record: &Record<'_>) -> Properties {
        let is_unfit = |error: crate::error::DecodeError| error.problem == Problem::Unfit;
        match &format.layout {
            Some(layout) if !format.fields(record).finish().is_err_and(is_unfit) => {
                Properties::new(layout, record.payload(), record.pointer_size())
            }
            _ => Properties { layout: Version::from_fields(0, Vec::new()) },
        }
    }

    /// Their layout.
    #[must_use]
    pub fn layout(&self) -> &Version {
        &self.layout
    }

    /// The map of this name.
    #[must_use]
    pub fn map(&self, name: &str) -> Option<&ValueMap> {
        find_map(&self.layout.fields, name)
    }

    /// The bytes of a property, with its terminator or the length in front of it. A path has a name and the number of an element for
    /// the property, and for each structure around it; [`u32::MAX`] means all elements.
    ///
    /// # Errors
    ///
    /// There is no such property, or the payload does not follow the layout.
    pub fn find<'a>(
        &self,
        payload: &'a [u8],
        pointer_size: u8,
        path: &[(String, u32)],
    ) -> Result<&'a [u8], NoValue> {
        let payload = Payload { bytes: payload, pointer_size };
        let (mut fields, mut base) = (&*self.layout.fields, 0);
        let (last, structs) = path.split_last().ok_or(NoValue::Unknown)?;
        for (name, index) in structs {
            let (field, place) = field_at(fields, base, payload, name)?;
            let FieldType::Struct(members) = &field.ty else { return Err(NoValue::Unknown) };
            let index = if *index == u32::MAX { 0 } else { *index };
            base = element_at(field, place, (fields, base), payload, index)?.0;
            fields = members;
        }
        let (name, index) = last;
        let (field, place) = field_at(fields, base, payload, name)?;
        let (start, end) = match *index {
            u32::MAX => {
                let (_, start) = payload.elements(field, place, fields, base, Nest::default())?;
                (start, payload.end_of(field, place, fields, base, Nest::default())?)
            }
            index => element_at(field, place, (fields, base), payload, index)?,
        };
        payload.bytes.get(start..end).ok_or(NoValue::Damaged)
    }

    /// The `TRACE_EVENT_INFO` of an event.
    #[must_use]
    pub fn info(&self, format: &EventFormat, record: &Record<'_>) -> Vec<u8> {
        let is_message = record.kind() == HeaderKind::MESSAGE;
        let is_class = !record.is_event() && !is_message;
        let source = match format.source {
            Source::TraceLogging => source::TRACE_LOGGING,
            _ if is_message => source::WPP,
            _ if is_class => source::MOF,
            _ => source::MANIFEST,
        };
        let (provider, class) = match is_class {
            true if format.source == Source::Kernel => (SYSTEM_TRACE, record.guid()),
            true => (record.guid(), record.guid()),
            false => (record.guid(), Guid::ZERO),
        };
        let head = Head {
            provider,
            class,
            id: record.id(),
            version: record.version(),
            channel: record.channel(),
            level: format.level(record),
            opcode: record.opcode(),
            task: record.task(),
            keyword: record.keyword(),
            source,
        };
        let keywords: Vec<&str> = format.keyword_names(record).iter().collect();
        let texts = Texts {
            provider: &format.provider,
            level: format.level_name(record).unwrap_or_default(),
            channel: if record.channel() == 0 { "" } else { format.channel_name(record).unwrap_or_default() },
            keywords: &keywords,
            task: &format.task,
            opcode: &format.opcode,
            message: &format.message,
        };
        block(&head, &texts, &self.layout.fields, record.pointer_size())
    }
}

/// The numbers at the start of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    provider: Guid,
    class: Guid,
    id: u16,
    version: u8,
    channel: u8,
    level: u8,
    opcode: u8,
    task: u16,
    keyword: u64,
    source: u32,
}

/// The texts of a block; empty ones are left out.
#[derive(Clone, Copy, Debug, Default)]
struct Texts<'a> {
    provider: &'a str,
    level: &'a str,
    channel: &'a str,
    keywords: &'a [&'a str],
    task: &'a str,
    opcode: &'a str,
    message: &'a str,
}

/// The name of the property with the number of elements of another one.
const COUNT_OF: &str = ".Count";

/// Most properties of an event: their numbers have 16 bits.
const MOST_PROPERTIES: usize = 4096;

/// The fields in a form that properties can have. With a payload, in which the list begins, fields at its end that it lacks are left
/// out, and as many elements as fit are a number.
fn expressed(fields: &[Field], payload: Option<Payload<'_>>) -> Vec<Field> {
    let mut made: Vec<Field> = Vec::with_capacity(fields.len());
    let mut places = Vec::with_capacity(fields.len());
    let mut offset = Some(0);
    for (index, field) in fields.iter().enumerate() {
        let length = payload.map(|payload| payload.bytes.len());
        if field.optional && offset.is_some() && offset == length {
            break;
        }
        let mut field = Field { optional: false, ..field.clone() };
        let next = payload.zip(offset).and_then(|(payload, at)| {
            let elements = payload.elements(&field, at, fields, 0, Nest::default()).ok()?.1;
            let end = payload.end_of(&field, at, fields, 0, Nest::default()).ok()?;
            Some((elements, end))
        });
        if field.count == Count::Rest {
            let number = payload
                .zip(offset)
                .zip(next)
                .and_then(|((payload, at), _)| elements_left(&field, at, fields, payload));
            field.count = Count::Fixed(number.unwrap_or(0));
        }
        offset = next.map(|(_, end)| end);
        let moved = |old: u16| places.get(usize::from(old)).copied().unwrap_or(u16::MAX);
        match &mut field.ty {
            FieldType::Utf16(length) | FieldType::Ansi(length) | FieldType::Binary(length) => {
                if let Length::Field(old) = length {
                    *length = Length::Field(moved(*old));
                }
            }
            FieldType::Struct(members) => *members = Cow::Owned(expressed(members, None)),
            _ => {}
        }
        match field.count {
            Count::Field(old) => field.count = Count::Field(moved(old)),
            Count::Prefixed => {
                let number = Field::named(format!("{}{COUNT_OF}", field.name), FieldType::U16);
                field.count = Count::Field(made.len() as u16);
                made.push(number);
            }
            _ => {}
        }
        if made.len() >= MOST_PROPERTIES || index >= MOST_PROPERTIES {
            break;
        }
        places.push(made.len() as u16);
        made.push(field);
    }
    made
}

/// How many elements are in the rest of a payload.
fn elements_left(field: &Field, at: usize, fields: &[Field], payload: Payload<'_>) -> Option<u16> {
    let left = payload.bytes.len().checked_sub(at)?;
    if let Some(size) = field.ty.fixed_size(payload.pointer_size) {
        return u16::try_from(left.checked_div(size)?).ok();
    }
    let (mut place, mut number) = (at, 0_u16);
    while place < payload.bytes.len() {
        let next = payload.element(&field.ty, place, fields, 0, Nest::default()).ok()?.next;
        if next <= place {
            return None;
        }
        place = next;
        number = number.checked_add(1)?;
    }
    Some(number)
}

fn find_map<'f>(fields: &'f [Field], name: &str) -> Option<&'f ValueMap> {
    fields.iter().find_map(|field| match &field.ty {
        FieldType::Struct(members) => find_map(members, name),
        _ => {
            let map = field.map.as_ref()?.get();
            (map_name(field, map) == name).then_some(map)
        }
    })
}

/// The name of a map; the field's where it has none.
fn map_name<'m>(field: &'m Field, map: &'m ValueMap) -> &'m str {
    if map.name.is_empty() { &field.name } else { &map.name }
}

/// The field of a name in a list that begins at `base`, and where it is.
fn field_at<'f>(
    fields: &'f [Field],
    base: usize,
    payload: Payload<'_>,
    name: &str,
) -> Result<(&'f Field, usize), NoValue> {
    let index = fields.iter().position(|field| *field.name == *name).ok_or(NoValue::Unknown)?;
    let before = fields.get(..index).unwrap_or_default();
    let field = fields.get(index).ok_or(NoValue::Unknown)?;
    Ok((field, payload.skip(before, base, Nest::default())?))
}

/// Where an element of a field begins and ends.
fn element_at(
    field: &Field,
    at: usize,
    (fields, base): (&[Field], usize),
    payload: Payload<'_>,
    index: u32,
) -> Result<(usize, usize), NoValue> {
    let (count, mut start) = payload.elements(field, at, fields, base, Nest::default())?;
    let index = index as usize;
    if count.is_some_and(|count| index >= count) {
        return Err(NoValue::Unknown);
    }
    match field.ty.fixed_size(payload.pointer_size) {
        Some(size) => {
            start =
                size.checked_mul(index).and_then(|size| start.checked_add(size)).ok_or(NoValue::Damaged)?
        }
        None => {
            for _ in 0..index {
                let next = payload.element(&field.ty, start, fields, base, Nest::default())?.next;
                if next <= start {
                    return Err(NoValue::Damaged);
                }
                start = next;
            }
        }
    }
    Ok((start, payload.element(&field.ty, start, fields, base, Nest::default())?.next))
}

/// A block while it is written.
#[derive(Debug)]
struct Block(Vec<u8>);

impl Block {
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        if let Some(place) = self.0.get_mut(at..at + N) {
            place.copy_from_slice(&bytes);
        }
    }

    /// Appends a text with its zero. Returns its offset; 0 for an empty one.
    fn text(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let at = self.0.len() as u32;
        self.0.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
        at
    }

    fn text_at(&mut self, place: usize, text: &str) {
        let at = self.text(text);
        self.put(place, at.to_le_bytes());
    }
}

fn block(head: &Head, texts: &Texts<'_>, fields: &[Field], pointer_size: u8) -> Vec<u8> {
    // Lists of fields in the order of their properties: members follow all properties before them.
    let mut lists = vec![(fields, 0)];
    let (mut all, mut next) = (fields.len(), 0);
    while let Some((list, _)) = lists.get(next).copied() {
        for field in list {
            if let FieldType::Struct(members) = &field.ty {
                lists.push((members, all));
                all += members.len();
            }
        }
        next += 1;
        if all > MOST_PROPERTIES {
            break;
        }
    }
    let mut out = Block(vec![0; HEAD + all * PROPERTY]);
    write_head(&mut out, head);
    out.put(at::PROPERTIES, (all as u32).to_le_bytes());
    out.put(at::TOP_PROPERTIES, (fields.len() as u32).to_le_bytes());
    out.put(at::FLAGS, 1_u32.to_le_bytes());
    out.text_at(at::PROVIDER_NAME, texts.provider);
    out.text_at(at::LEVEL_NAME, texts.level);
    out.text_at(at::CHANNEL_NAME, texts.channel);
    if !texts.keywords.is_empty() {
        out.put(at::KEYWORD_NAMES, (out.0.len() as u32).to_le_bytes());
        for keyword in texts.keywords {
            out.text(keyword);
        }
        out.0.extend([0; 2]);
    }
    out.text_at(at::TASK_NAME, texts.task);
    out.text_at(at::OPCODE_NAME, texts.opcode);
    out.text_at(at::MESSAGE, texts.message);
    let mut structs = lists.iter().skip(1).map(|(_, first)| *first);
    for (list, first) in &lists {
        for (index, field) in list.iter().enumerate() {
            let place = HEAD + (first + index) * PROPERTY;
            property(&mut out, place, field, *first, &mut structs, pointer_size);
        }
    }
    out.0
}

fn write_head(out: &mut Block, head: &Head) {
    out.put(at::PROVIDER, head.provider.to_bytes());
    out.put(at::CLASS, head.class.to_bytes());
    out.put(at::ID, head.id.to_le_bytes());
    out.put(at::VERSION, [head.version]);
    out.put(at::CHANNEL, [head.channel]);
    out.put(at::LEVEL, [head.level]);
    out.put(at::OPCODE, [head.opcode]);
    out.put(at::TASK, head.task.to_le_bytes());
    out.put(at::KEYWORD, head.keyword.to_le_bytes());
    out.put(at::SOURCE, head.source.to_le_bytes());
}

/// Writes the property of a field, of a list whose first property has the number `first`. `structs` has the first members of the
/// structures, in their order.
fn property(
    out: &mut Block,
    place: usize,
    field: &Field,
    first: usize,
    structs: &mut impl Iterator<Item = usize>,
    pointer_size: u8,
) {
    let mut flags = 0;
    let (words, mut length) = if let FieldType::Struct(members) = &field.ty {
        flags |= flag::STRUCT;
        ([structs.next().unwrap_or(0) as u16, members.len() as u16], 0)
    } else {
        let (input, shown, fixed) = tdh::types(field, pointer_size);
        ([input, shown], fixed)
    };
    if let FieldType::Utf16(Length::Field(at))
    | FieldType::Ansi(Length::Field(at))
    | FieldType::Binary(Length::Field(at)) = &field.ty
    {
        flags |= flag::LENGTH_IN_FIELD;
        length = (first as u16).wrapping_add(*at);
    }
    let count = match field.count {
        Count::Fixed(number) => {
            flags |= flag::FIXED_COUNT;
            number
        }
        Count::Field(at) => {
            flags |= flag::COUNT_IN_FIELD;
            (first as u16).wrapping_add(at)
        }
        _ => 1,
    };
    out.put(place, flags.to_le_bytes());
    out.text_at(place + 4, &field.name);
    let [first_word, second_word] = words;
    for (at, word) in [(8, first_word), (10, second_word), (16, count), (18, length)] {
        out.put(place + at, word.to_le_bytes());
    }
    if let Some(map) = field.map.as_ref().map(MapRef::get) {
        out.text_at(place + 12, map_name(field, map));
    }
}

/// The `TRACE_EVENT_INFO` of an event in a description of a provider, without an event.
#[must_use]
pub fn described(provider: Guid, event: &ProviderEvent, format: &EventFormat, pointer_size: u8) -> Vec<u8> {
    let Enabling { level, keyword } = event.enabling.unwrap_or_default();
    let head =
        Head { provider, id: event.id, version: event.layout.number, level, keyword, ..Head::default() };
    let texts = Texts {
        provider: &format.provider,
        level: format.names.level(level).unwrap_or_default(),
        task: &format.task,
        opcode: &format.opcode,
        message: &format.message,
        ..Texts::default()
    };
    block(&head, &texts, &expressed(&event.layout.fields, None), pointer_size)
}

/// The `EVENT_MAP_INFO` of a map.
#[must_use]
pub fn map_info(map: &ValueMap) -> Vec<u8> {
    let mut out = Block(vec![0; map::ENTRIES + map.entries.len() * map::ENTRY]);
    let flags = if map.bits { map::BITMAP } else { map::VALUES };
    out.text_at(map::NAME, &map.name);
    out.put(map::FLAGS, flags.to_le_bytes());
    out.put(map::COUNT, (map.entries.len() as u32).to_le_bytes());
    for (index, (value, name)) in map.entries.iter().enumerate() {
        let place = map::ENTRIES + index * map::ENTRY;
        out.put(place + 4, value.to_le_bytes());
        out.text_at(place, name);
    }
    out.0
}

/// The `PROVIDER_ENUMERATION_INFO` of providers: GUID, name, and whether its events are classes.
#[must_use]
pub fn providers(all: &[(Guid, Cow<'_, str>, bool)]) -> Vec<u8> {
    const LIST: usize = 8;
    const ONE: usize = 24;
    let mut out = Block(vec![0; LIST + all.len() * ONE]);
    out.put(0, (all.len() as u32).to_le_bytes());
    for (index, (guid, name, is_class)) in all.iter().enumerate() {
        let place = LIST + index * ONE;
        out.put(place, guid.to_bytes());
        out.put(place + 16, u32::from(*is_class).to_le_bytes());
        out.text_at(place + 20, name);
    }
    out.0
}

/// The `PROVIDER_EVENT_INFO` of the events of a provider.
#[must_use]
pub fn events(all: &[ProviderEvent]) -> Vec<u8> {
    const LIST: usize = 8;
    const ONE: usize = 16;
    let mut out = Block(vec![0; LIST + all.len() * ONE]);
    out.put(0, (all.len() as u32).to_le_bytes());
    for (index, event) in all.iter().enumerate() {
        let place = LIST + index * ONE;
        let Enabling { level, keyword } = event.enabling.unwrap_or_default();
        out.put(place, event.id.to_le_bytes());
        out.put(place + 2, [event.layout.number]);
        out.put(place + 4, [level]);
        out.put(place + 8, keyword.to_le_bytes());
    }
    out.0
}

/// How the value of a property is stored, and shown.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// `TDH_INTYPE`.
    pub input: u16,
    /// `TDH_OUTTYPE`.
    pub output: u16,
    /// Its length, in units of its text or in bytes; 0 if the type says where it ends.
    pub length: u16,
    /// Bytes of a pointer.
    pub pointer_size: u8,
}

/// The text of the value at the start of `data`, as all commands show it, and how many bytes the value has.
///
/// # Errors
///
/// The type is unknown, or the data end inside the value.
pub fn value_text(shape: Shape, data: &[u8], map: Option<ValueMap>) -> Result<(String, usize), NoValue> {
    let length = (shape.length != 0).then_some(Length::Fixed(shape.length));
    let ty = tdh::field_type(shape.input, shape.output, length).ok_or(NoValue::Unknown)?;
    let mut field = Field::named("", ty).hint(tdh::hint(shape.input, shape.output));
    field.map = map.map(|map| MapRef::Shared(Arc::new(map)));
    let layout = Version::from_fields(0, vec![field]);
    let mut fields = Fields::new(&layout, data, shape.pointer_size);
    let named = fields.next().ok_or(NoValue::Damaged)?;
    Ok((named.value.display(named.field).to_string(), data.len() - fields.rest().len()))
}
