//! Descriptions that trace-merging tools put into a trace: one `TRACE_EVENT_INFO` for each kind of
//! event, as Windows' own decoder (TDH) gave it when the trace was merged. They make the events of
//! manifest and MOF providers readable where the provider is not installed.
//!
//! The structures are those of the Windows SDK's `tdh.h`, byte for byte.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewell_etl::{Identity, Record};
use tracewell_schema::text::{Described, Kind};
use tracewell_schema::{
    Count, Enabling, EventClass, Field, FieldType, Length, MapRef, Provider, ProviderEvent, ValueMap,
    Version, kernel,
};
use tracewell_types::{Guid, Utf16Str};

use crate::tdh;
pub use block::map;
use block::{HEAD, PROPERTY, at, flag, source};

mod block;
pub mod write;

/// One described kind of event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventDescription {
    /// The provider.
    pub provider: Guid,
    /// The provider's name.
    pub provider_name: Box<str>,
    /// Whether it describes events of a class by their opcodes, not events of a provider by their ids.
    pub is_class: bool,
    /// The name of the task, or of the class of a classic event; empty when there is none.
    pub task_name: Box<str>,
    /// The name of the opcode; empty when there is none.
    pub opcode_name: Box<str>,
    /// The message, with `%1`, `%2` and so on where fields go; empty when there is none.
    pub message: Box<str>,
    /// The layout of the payload; of a description that is [not understood](EventDescription::stopped) to its end, of the
    /// fields before. Its fields have no [maps](Field::map) yet: see [`EventCatalog::layout_with_maps`].
    pub layout: Version,
    /// The fields whose values have names: name of the field, name of the map.
    pub map_names: Vec<(Box<str>, Box<str>)>,
    /// What it takes to have the event logged.
    pub enabling: Enabling,
    /// The names of the bits of the keyword, which [`enabling`](EventDescription::enabling) has.
    pub keyword_names: Vec<Box<str>>,
    /// The name of the level; empty if there is none.
    pub level_name: Box<str>,
    /// The channel, and its name; empty if there is none.
    pub channel: u8,
    /// See [`EventDescription::channel`].
    pub channel_name: Box<str>,
    /// Why the layout ends before the description does: what cannot be read there.
    pub stopped: Option<InfoError>,
}

/// Why a description cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InfoError {
    /// The block ends before the structure that begins at this offset does.
    Truncated(usize),
    /// The property with this index has an unknown type.
    UnknownType(usize, u16),
    /// The property with this index refers to properties that are not there, or structs nest too deep.
    BadReference(usize),
}

impl fmt::Display for InfoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InfoError::Truncated(at) => write!(f, "the event description ends inside the part at byte {at}"),
            InfoError::UnknownType(at, ty) => write!(f, "property {at} has the unknown type {ty}"),
            InfoError::BadReference(at) => write!(f, "property {at} refers to properties that are not there"),
        }
    }
}

impl std::error::Error for InfoError {}

/// What a description is about: provider or class, event id or opcode, version.
type Key = (Guid, u16, u8);

/// Parses a `TRACE_EVENT_INFO` block.
///
/// # Errors
///
/// When the block is cut off or refers outside itself. A property that cannot be read ends the layout instead: nothing
/// behind it has a known place ([`EventDescription::stopped`]).
pub fn parse(block: &[u8]) -> Result<EventDescription, InfoError> {
    Info { block }.description().map(|(_, description)| description)
}

/// Deepest nesting of structs.
const MAX_DEPTH: u8 = 8;

#[derive(Clone, Copy)]
struct Info<'a> {
    block: &'a [u8],
}

/// An `EVENT_PROPERTY_INFO`. Two words of it have two meanings each.
struct Property {
    flags: u32,
    name_at: u32,
    in_type_or_first: u16,
    out_type_or_number: u16,
    map_name_at: u32,
    count: u16,
    length: u16,
}

/// What is gathered beside the fields.
struct Gathered {
    /// The fields whose values have names: name of the field, name of the map.
    map_names: Vec<(Box<str>, Box<str>)>,
    /// So many properties are still looked at. Each belongs to one list, but those of a hostile block may belong to many.
    left: usize,
}

impl<'a> Info<'a> {
    fn u8(&self, at: usize) -> Result<u8, InfoError> {
        self.block.get(at).copied().ok_or(InfoError::Truncated(at))
    }

    fn u16(&self, at: usize) -> Result<u16, InfoError> {
        let bytes = self.block.get(at..).and_then(<[u8]>::first_chunk).ok_or(InfoError::Truncated(at))?;
        Ok(u16::from_le_bytes(*bytes))
    }

    fn u32(&self, at: usize) -> Result<u32, InfoError> {
        let bytes = self.block.get(at..).and_then(<[u8]>::first_chunk).ok_or(InfoError::Truncated(at))?;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn guid(&self, at: usize) -> Result<Guid, InfoError> {
        let bytes = self.block.get(at..).and_then(<[u8]>::first_chunk).ok_or(InfoError::Truncated(at))?;
        Ok(Guid::from_bytes(*bytes))
    }

    /// The text at an offset that is stored at `at`; an offset of zero means no text.
    fn text(&self, offset: u32) -> Result<String, InfoError> {
        let at = offset as usize;
        if at == 0 {
            return Ok(String::new());
        }
        let tail = self.block.get(at..).ok_or(InfoError::Truncated(at))?;
        // TDH pads some names with a blank at the end.
        Ok(Utf16Str::until_nul(tail).0.to_string().trim_end().to_owned())
    }

    /// A list of texts, ended by an empty one; offset 0 means no list.
    fn texts(&self, offset: u32) -> Vec<Box<str>> {
        let mut texts = Vec::new();
        let mut rest = match offset {
            0 => &[][..],
            at => self.block.get(at as usize..).unwrap_or_default(),
        };
        while texts.len() < 64 {
            let (text, size) = Utf16Str::until_nul(rest);
            let text = text.to_string();
            if text.is_empty() {
                break;
            }
            rest = rest.get(size..).unwrap_or_default();
            texts.push(text.trim_end().into());
        }
        texts
    }

    fn description(&self) -> Result<(Key, EventDescription), InfoError> {
        let (provider, class) = (self.guid(at::PROVIDER)?, self.guid(at::CLASS)?);
        let (id, version, opcode) = (self.u16(at::ID)?, self.u8(at::VERSION)?, self.u8(at::OPCODE)?);
        let is_class = self.u32(at::SOURCE)? == source::MOF;
        let key = if is_class { (class, u16::from(opcode), version) } else { (provider, id, version) };
        let text = |place| self.text(self.u32(place)?).map(String::into_boxed_str);
        let (all, top) = (self.u32(at::PROPERTIES)?, self.u32(at::TOP_PROPERTIES)?);
        let all = usize::try_from(all).unwrap_or(usize::MAX);
        let top = usize::try_from(top).unwrap_or(usize::MAX);
        let room = self.block.len().saturating_sub(HEAD) / PROPERTY;
        if all > room || top > all {
            return Err(InfoError::Truncated(HEAD));
        }
        let mut gathered = Gathered { map_names: Vec::new(), left: 2 * all };
        let (fields, stopped) = self.fields(0, top, all, 0, &mut gathered);
        let keyword = u64::from(self.u32(at::KEYWORD)?) | u64::from(self.u32(at::KEYWORD + 4)?) << 32;
        let description = EventDescription {
            provider,
            is_class,
            provider_name: text(at::PROVIDER_NAME)?,
            task_name: text(at::TASK_NAME)?,
            opcode_name: text(at::OPCODE_NAME)?,
            message: text(at::MESSAGE)?,
            layout: Version::from_fields(version, fields),
            map_names: gathered.map_names,
            enabling: Enabling::new(self.u8(at::LEVEL)?, keyword),
            keyword_names: self.texts(self.u32(at::KEYWORD_NAMES)?),
            // A name that cannot be read is none: the fields need it not.
            level_name: text(at::LEVEL_NAME).unwrap_or_default(),
            channel: self.u8(at::CHANNEL)?,
            channel_name: text(at::CHANNEL_NAME).unwrap_or_default(),
            stopped,
        };
        Ok((key, description))
    }

    fn property(&self, index: usize) -> Result<Property, InfoError> {
        let at = HEAD + index * PROPERTY;
        Ok(Property {
            flags: self.u32(at)?,
            name_at: self.u32(at + 4)?,
            in_type_or_first: self.u16(at + 8)?,
            out_type_or_number: self.u16(at + 10)?,
            map_name_at: self.u32(at + 12)?,
            count: self.u16(at + 16)?,
            length: self.u16(at + 18)?,
        })
    }

    /// The fields of the properties `first..first + number` out of `all`, and why they end before the last one.
    fn fields(
        &self,
        first: usize,
        number: usize,
        all: usize,
        depth: u8,
        gathered: &mut Gathered,
    ) -> (Vec<Field>, Option<InfoError>) {
        let mut fields = Vec::new();
        let end = first.checked_add(number).filter(|end| *end <= all && depth < MAX_DEPTH);
        let Some(end) = end else { return (fields, Some(InfoError::BadReference(first))) };
        for index in first..end {
            match self.field(index, first, all, depth, &fields, gathered) {
                Ok((field, None)) => fields.push(field),
                Ok((field, stopped)) => {
                    // Of an array not even the first element ends where the known members do.
                    fields.extend(Some(field).filter(|field| field.count == Count::One));
                    return (fields, stopped);
                }
                Err(error) => return (fields, Some(error)),
            }
        }
        (fields, None)
    }

    /// The field of one property; `before` are the fields of its list before it. If a struct ends early, also
    /// returns why.
    fn field(
        &self,
        index: usize,
        first: usize,
        all: usize,
        depth: u8,
        before: &[Field],
        gathered: &mut Gathered,
    ) -> Result<(Field, Option<InfoError>), InfoError> {
        gathered.left = gathered.left.checked_sub(1).ok_or(InfoError::BadReference(index))?;
        let property = self.property(index)?;
        // Lengths and counts in other properties are given by index in the whole list.
        let earlier = |wanted: u16| {
            let at = usize::from(wanted).checked_sub(first).filter(|at| *at < before.len());
            at.and_then(|at| u16::try_from(at).ok()).ok_or(InfoError::BadReference(index))
        };
        let length = if property.flags & flag::LENGTH_IN_FIELD != 0 {
            Some(Length::Field(earlier(property.length)?))
        } else {
            (property.length != 0).then_some(Length::Fixed(property.length))
        };
        let count = if property.flags & flag::COUNT_IN_FIELD != 0 {
            Count::Field(earlier(property.count)?)
        } else if property.count > 1 || property.flags & flag::FIXED_COUNT != 0 {
            Count::Fixed(property.count)
        } else {
            Count::One
        };
        let name = self.text(property.name_at)?;
        if property.flags & flag::STRUCT != 0 {
            let first_member = usize::from(property.in_type_or_first);
            let members = usize::from(property.out_type_or_number);
            // Members follow all top-level properties, so a struct cannot hold itself.
            if first_member <= index {
                return Err(InfoError::BadReference(index));
            }
            let (members, stopped) = self.fields(first_member, members, all, depth + 1, gathered);
            return Ok((Field::named(name, FieldType::Struct(members.into())).count(count), stopped));
        }
        let ty = tdh::field_type(property.in_type_or_first, property.out_type_or_number, length)
            .ok_or(InfoError::UnknownType(index, property.in_type_or_first))?;
        let hint = tdh::hint(property.in_type_or_first, property.out_type_or_number);
        if property.map_name_at != 0 {
            let map = self.text(property.map_name_at)?;
            gathered.map_names.push((name.clone().into(), map.into()));
        }
        Ok((Field::named(name, ty).count(count).hint(hint), None))
    }
}

/// The descriptions of a trace, collected in a first pass.
#[derive(Clone, Debug)]
pub struct EventCatalog {
    class: Option<&'static EventClass>,
    known: FxHashMap<Key, Arc<EventDescription>>,
    /// What `known` has of each provider or class.
    of_providers: FxHashMap<Guid, Vec<Key>>,
    maps: FxHashMap<Guid, Vec<Arc<ValueMap>>>,
    bad: u64,
}

/// `EventInfo` and `EventMapInfo` in the class of the descriptions.
const EVENT_INFO: u8 = 32;
const EVENT_MAP_INFO: u8 = 33;

/// Parses the payload of an `EventMapInfo` record: the provider, then an `EVENT_MAP_INFO`.
fn parse_map(payload: &[u8]) -> Result<(Guid, ValueMap), InfoError> {
    let provider = Info { block: payload }.guid(0)?;
    Ok((provider, parse_map_info(payload.get(16..).unwrap_or_default())?))
}

/// Parses an `EVENT_MAP_INFO` block. A pattern map has no entries.
///
/// # Errors
///
/// The block is cut off, or refers outside itself.
pub fn parse_map_info(block: &[u8]) -> Result<ValueMap, InfoError> {
    let info = Info { block };
    let (flags, count) = (info.u32(map::FLAGS)?, info.u32(map::COUNT)? as usize);
    let name = info.text(info.u32(map::NAME)?)?;
    if count > info.block.len() / map::ENTRY {
        return Err(InfoError::Truncated(map::ENTRIES));
    }
    let mut entries = Vec::with_capacity(count);
    let bits = flags & map::BITS != 0;
    for index in 0..count {
        let place = map::ENTRIES + index * map::ENTRY;
        let stored = info.u32(place + 4)?;
        let value = match (flags & map::NO_VALUES != 0, bits) {
            (false, _) => Some(stored),
            (true, false) => u32::try_from(index).ok(),
            (true, true) => u32::try_from(index).ok().and_then(|bit| 1u32.checked_shl(bit)),
        };
        // An entry of a pattern map has a format where the others have a value.
        if flags & map::PATTERN == 0
            && let Some(value) = value
        {
            entries.push((value, info.text(info.u32(place)?)?.into()));
        }
    }
    Ok(ValueMap::new(name, bits, entries))
}

/// Gives the fields called `name`, at any depth, the map.
fn attach(fields: &mut [Field], name: &str, map: &MapRef) {
    for field in fields {
        if let FieldType::Struct(members) = &mut field.ty {
            attach(members.to_mut(), name, map);
        } else if *field.name == *name {
            field.map = Some(map.clone());
        }
    }
}

impl Default for EventCatalog {
    fn default() -> EventCatalog {
        EventCatalog::new()
    }
}

impl EventCatalog {
    /// Knows nothing yet.
    #[must_use]
    pub fn new() -> EventCatalog {
        EventCatalog {
            class: kernel::class("EventMetadata"),
            known: FxHashMap::default(),
            of_providers: FxHashMap::default(),
            maps: FxHashMap::default(),
            bad: 0,
        }
    }

    /// Takes in a record; only descriptions are of interest.
    #[inline]
    pub fn observe(&mut self, record: &Record<'_>) {
        if record.is_class() && matches!(record.opcode(), EVENT_INFO | EVENT_MAP_INFO) {
            self.collect(record);
        }
    }

    fn collect(&mut self, record: &Record<'_>) {
        if self.class.is_none_or(|class| class.guid != record.guid()) {
            return;
        }
        if record.opcode() == EVENT_MAP_INFO {
            match parse_map(record.payload()) {
                Ok((provider, map)) => {
                    let maps = self.maps.entry(provider).or_default();
                    if maps.iter().all(|known| known.name != map.name) {
                        maps.push(Arc::new(map));
                    }
                }
                Err(_) => self.bad += 1,
            }
            return;
        }
        match (Info { block: record.payload() }).description() {
            Ok((key, description)) => {
                self.bad += u64::from(description.stopped.is_some());
                if self.known.insert(key, Arc::new(description)).is_none() {
                    self.of_providers.entry(key.0).or_default().push(key);
                }
            }
            Err(_) => self.bad += 1,
        }
    }

    /// The description of an event, when the trace has one.
    #[must_use]
    pub fn of_record(&self, record: &Record<'_>) -> Option<&Arc<EventDescription>> {
        let key = match record.identity() {
            Identity::Provider { guid, id, .. } => (guid, id, record.version()),
            Identity::Class { guid, opcode } => (guid, u16::from(opcode), record.version()),
            _ => return None,
        };
        self.known.get(&key)
    }

    /// The layout of a description with the maps that the trace has for its fields. Maps may come after the
    /// descriptions that name them, so this is for after the whole trace has been observed.
    #[must_use]
    pub fn layout_with_maps(&self, description: &EventDescription) -> Version {
        let mut layout = description.layout.clone();
        for (field, name) in &description.map_names {
            let maps = self.maps.get(&description.provider).map_or(&[][..], Vec::as_slice);
            if let Some(map) = maps.iter().find(|map| *map.name == **name) {
                attach(layout.fields.to_mut(), field, &MapRef::Shared(map.clone()));
            }
        }
        layout
    }

    /// The descriptions by provider or class, in order of their names.
    #[must_use]
    pub fn described(&self) -> Vec<Described> {
        let mut found: FxHashMap<(Guid, bool), (String, Vec<ProviderEvent>)> = FxHashMap::default();
        for ((guid, id, version), description) in &self.known {
            let (name, events) = found.entry((*guid, description.is_class)).or_default();
            if name.is_empty() {
                *name = description.provider_name.to_string();
            }
            let layout = self.layout_with_maps(description);
            events.push(ProviderEvent {
                id: *id,
                task: description.task_name.to_string().into(),
                opcode: description.opcode_name.to_string().into(),
                message: description.message.to_string().into(),
                enabling: (!description.is_class).then_some(description.enabling),
                layout: Version { number: *version, fields: layout.fields },
            });
        }
        let mut described: Vec<Described> = found
            .into_iter()
            .map(|((guid, is_class), (name, events))| {
                let name = if name.is_empty() { guid.to_string() } else { name };
                let kind = if is_class { Kind::Class } else { Kind::Events };
                Described { kind, provider: Provider::new(name, guid, events) }
            })
            .collect();
        let key =
            |described: &Described| (described.provider.name.clone(), described.provider.guid.to_bytes());
        described.sort_by_key(key);
        described
    }

    /// Every description, in no order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<EventDescription>> {
        self.known.values()
    }

    /// Every description with its provider or class, and the id or opcode of its events; in no order.
    pub fn events(&self) -> impl Iterator<Item = (Guid, u16, &Arc<EventDescription>)> {
        self.known.iter().map(|(&(guid, number, _), description)| (guid, number, description))
    }

    /// The descriptions of one provider or class, in the order in which they came.
    pub fn of_provider(&self, guid: &Guid) -> impl Iterator<Item = &Arc<EventDescription>> {
        self.of_providers.get(guid).into_iter().flatten().filter_map(|key| self.known.get(key))
    }

    /// How many descriptions could not be read, or not to their end.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    /// A block with properties (flags, in type, out type, count, length), named `a`, `b` and so on.
    fn block(top: u32, properties: &[(u32, u16, u16, u16, u16)]) -> Vec<u8> {
        let mut bytes = vec![0; HEAD];
        bytes[32] = 9;
        bytes[34] = 3;
        let names = HEAD + properties.len() * PROPERTY;
        let all = u32::try_from(properties.len()).unwrap();
        bytes[100..104].copy_from_slice(&all.to_le_bytes());
        bytes[104..108].copy_from_slice(&top.to_le_bytes());
        for (index, (flags, first, second, count, length)) in properties.iter().enumerate() {
            bytes.extend(flags.to_le_bytes());
            bytes.extend(u32::try_from(names + index * 4).unwrap().to_le_bytes());
            bytes.extend([first.to_le_bytes(), second.to_le_bytes()].concat());
            bytes.extend([0; 4]);
            bytes.extend([count.to_le_bytes(), length.to_le_bytes()].concat());
            bytes.extend([0; 4]);
        }
        for index in 0..properties.len() {
            bytes.extend([b'a' + u8::try_from(index % 26).unwrap(), 0, 0, 0]);
        }
        bytes
    }

    #[test]
    fn lengths_counts_and_structs_refer_to_other_properties() {
        let properties = [
            (0, 8, 20, 1, 4),
            (flag::LENGTH_IN_FIELD, 14, 0, 1, 0),
            (flag::STRUCT | flag::COUNT_IN_FIELD, 4, 2, 0, 0),
            (0, 1, 0, 1, 0),
            (0, 4, 0, 1, 1),
            (0, 6, 22, 1, 2),
        ];
        let description = parse(&block(4, &properties)).unwrap();
        assert_eq!(description.layout.number, 3);
        let payload = [2, 0, 0, 0, 0xAA, 0xBB, 1, 0, 80, 2, 1, 187, b'z', 0, 0, 0];
        let shown: Vec<String> = Fields::new(&description.layout, &payload, 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        assert_eq!(shown, ["a=2", "b=aabb", "c=[{e=1, f=80}, {e=2, f=443}]", "d=z"]);
        assert_eq!(Fields::new(&description.layout, &payload, 8).finish(), Ok(&[][..]));
    }

    /// A fixed count makes an array: by its flag also one of a single element, without the flag one of several.
    #[test]
    fn issue_23_fixed_counts_are_arrays() {
        let rows = [
            (0, 1, "a=1", 1),
            (flag::FIXED_COUNT, 1, "a=[1]", 1),
            (0, 3, "a=[1, 2, 3]", 3),
            (flag::FIXED_COUNT, 3, "a=[1, 2, 3]", 3),
            (flag::FIXED_COUNT, 0, "a=[]", 0),
        ];
        for (flags, count, want, used) in rows {
            let description = parse(&block(2, &[(flags, 4, 0, count, 1), (0, 4, 0, 1, 1)])).unwrap();
            let shown: Vec<String> = Fields::new(&description.layout, &[1, 2, 3, 4], 8)
                .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
                .collect();
            assert_eq!(shown, [want.to_owned(), format!("b={}", used + 1)], "{flags:#x}, {count}");
        }
        // An array of structs.
        let properties = [(flag::STRUCT | flag::FIXED_COUNT, 1, 1, 2, 0), (0, 4, 0, 1, 1)];
        let description = parse(&block(1, &properties)).unwrap();
        let field = Fields::new(&description.layout, &[1, 2], 8).next().unwrap();
        assert_eq!(field.value.display(field.field).to_string(), "[{b=1}, {b=2}]");
    }

    #[test]
    fn bad_blocks_are_errors() {
        assert_eq!(parse(&[]), Err(InfoError::Truncated(0)));
        let good = block(1, &[(0, 8, 0, 1, 4)]);
        for cut in 0..HEAD + PROPERTY {
            assert!(parse(&good[..cut]).is_err(), "{cut}");
        }
        assert_eq!(parse(&block(2, &[(0, 8, 0, 1, 4)])), Err(InfoError::Truncated(HEAD)));
        let stopped = |properties: &[_]| parse(&block(1, properties)).map(|found| found.stopped);
        assert_eq!(stopped(&[(0, 99, 0, 1, 4)]), Ok(Some(InfoError::UnknownType(0, 99))));
        assert_eq!(stopped(&[(flag::STRUCT, 0, 1, 1, 0)]), Ok(Some(InfoError::BadReference(0))));
        assert_eq!(stopped(&[(flag::STRUCT, 5, 1, 1, 0)]), Ok(Some(InfoError::BadReference(5))));
        assert_eq!(stopped(&[(flag::LENGTH_IN_FIELD, 14, 0, 1, 0)]), Ok(Some(InfoError::BadReference(0))));
    }

    /// Issue 3: a field of an unknown type also removed the fields before it.
    #[test]
    fn fields_before_an_unknown_type_stay() {
        let properties =
            [(0, 8, 0, 1, 4), (flag::STRUCT, 3, 2, 1, 0), (0, 4, 0, 1, 1), (0, 4, 0, 1, 1), (0, 77, 0, 1, 4)];
        let description = parse(&block(3, &properties)).unwrap();
        assert_eq!(description.stopped, Some(InfoError::UnknownType(4, 77)));
        let payload = [2, 0, 0, 0, 9, 8, 7];
        let mut fields = Fields::new(&description.layout, &payload, 8);
        let shown: Vec<String> =
            (&mut fields).map(|f| format!("{}={}", f.field.name, f.value.display(f.field))).collect();
        assert_eq!((shown, fields.rest()), (vec!["a=2".to_owned(), "b={d=9}".to_owned()], &[8, 7][..]));
    }

    /// Structs of a hostile block may all have the same members, and those again.
    #[test]
    fn members_of_many_structs_do_not_multiply() {
        let number = 200;
        let structs = (0..number).map(|index| (flag::STRUCT, index + 1, number - index - 1, 1, 0));
        let description = parse(&block(u32::from(number), &structs.collect::<Vec<_>>())).unwrap();
        assert!(description.stopped.is_some());
    }
}
