//! Compiled manifests: the `WEVT_TEMPLATE` resource that the message compiler puts into a provider's binary, with the texts of
//! its message table.
//!
//! The format is that of public studies of the resource (the `CRIM` block: providers `WEVT`; their tasks `TASK`, opcodes `OPCO`,
//! levels `LEVL`, channels `CHAN`, keywords `KEYW`, maps `VMAP` and `BMAP`, templates `TTBL`/`TEMP` and events `EVNT`). All
//! offsets count from the beginning of the block. The encoding of maps, structs and counted fields, which no study describes, was
//! derived from the .NET runtime's resource library, whose manifest is also public: both give the same events, fields and maps.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use tracewell_schema::{
    Count, Enabling, Field, FieldType, Length, MapRef, Provider, ProviderEvent, STANDARD_OPCODES, ValueMap,
    Version, providers,
};
use tracewell_types::{Guid, Utf16Str};

use crate::manifest::{Manifest, ManifestProblem};
use crate::pe::{self, Resources};
use crate::tdh;

/// Why a file gives no descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BinaryError {
    /// It is no Windows program or library, or has no resources.
    NoImage,
    /// It has no compiled manifest.
    NoManifest,
    /// The compiled manifest is cut off or refers outside itself, at this byte.
    Damaged(usize),
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinaryError::NoImage => f.write_str("this is no Windows program or library with resources"),
            BinaryError::NoManifest => f.write_str("there is no compiled event manifest in it"),
            BinaryError::Damaged(at) => write!(f, "its compiled event manifest is damaged at byte {at}"),
        }
    }
}

impl std::error::Error for BinaryError {}

/// Reads the manifest compiled into a program, library or driver. Windows keeps many texts in a language file
/// beside the binary, `NAME.mui`; `texts` are such files. Missing texts are counted as a problem.
///
/// # Errors
///
/// If the file has another format or no manifest. Single templates that cannot be used are
/// [problems](Manifest::problems) whose line is the offset in the resource.
pub fn parse_image(file: &[u8], texts: &[&[u8]]) -> Result<Manifest, BinaryError> {
    let resources = Resources::of_image(file).ok_or(BinaryError::NoImage)?;
    let mut messages = Messages::default();
    for file in std::iter::once(&file).chain(texts) {
        let tables = Resources::of_image(file).map(|resources| resources.of_one_language(pe::MESSAGE_TABLE));
        for table in tables.unwrap_or_default() {
            messages.add(table);
        }
    }
    let mut manifest = Manifest::default();
    let blocks = resources.of_type(pe::Type::Name("WEVT_TEMPLATE"));
    for block in blocks {
        let found = parse_block(block, &messages)?;
        manifest.providers.extend(found.providers);
        manifest.problems.extend(found.problems);
    }
    let missing = messages.missing.borrow().len();
    if missing > 0 {
        let what =
            format!("{missing} texts are not in its message table, but in a .mui file of some language");
        manifest.problems.push(ManifestProblem { line: 0, what });
    }
    if manifest.providers.is_empty() { Err(BinaryError::NoManifest) } else { Ok(manifest) }
}

/// The compiled MOF in a program, library or driver.
pub(crate) fn mof_resources(file: &[u8]) -> Vec<&[u8]> {
    Resources::of_image(file)
        .map(|resources| resources.of_type(pe::Type::Name("MOFDATA")))
        .unwrap_or_default()
}

/// The texts of message tables by number.
#[derive(Default)]
struct Messages {
    texts: HashMap<u32, String>,
    /// The numbers that were asked for in vain.
    missing: RefCell<HashSet<u32>>,
}

impl Messages {
    /// The text with this number; empty for what has no message.
    fn get(&self, id: u32) -> Option<&str> {
        if id == NO_MESSAGE {
            return None;
        }
        let found = self.texts.get(&id).map(String::as_str);
        if found.is_none() {
            self.missing.borrow_mut().insert(id);
        }
        found
    }

    /// Takes in a table. Of two texts with one number the first stays.
    fn add(&mut self, table: &[u8]) {
        read_messages(table, &mut self.texts);
    }
}

/// The texts of a message table: `MESSAGE_RESOURCE_DATA` of the SDK.
fn read_messages(table: &[u8], messages: &mut HashMap<u32, String>) {
    let block = Block(table);
    // Ranges may overlap in a hostile table; a sound one has no more texts than room for them.
    let mut left = table.len() / 4;
    let mut read = || {
        let count = block.u32(0)?;
        for at in (0..(count as usize).min(table.len() / 12)).map(|index| 4 + index * 12) {
            let (low, high, mut entry) = (block.u32(at)?, block.u32(at + 4)?, block.u32(at + 8)? as usize);
            for id in low..=high {
                const UNICODE: u16 = 1;
                left = left.checked_sub(1).ok_or(BinaryError::Damaged(entry))?;
                let (length, flags) = (usize::from(block.u16(entry)?), block.u16(entry + 2)?);
                let text = table.get(entry + 4..entry + length).ok_or(BinaryError::Damaged(entry))?;
                let text = if flags & UNICODE != 0 {
                    Utf16Str::until_nul(text).0.to_string()
                } else {
                    String::from_utf8_lossy(text).trim_end_matches('\0').to_owned()
                };
                messages.entry(id).or_insert_with(|| text.trim_end().to_owned());
                entry += length.max(4);
            }
        }
        Ok::<(), BinaryError>(())
    };
    // What is cut off has no text; everything before it has.
    let _ = read();
}

#[derive(Clone, Copy)]
struct Block<'a>(&'a [u8]);

impl Block<'_> {
    fn u8(self, at: usize) -> Result<u8, BinaryError> {
        self.0.get(at).copied().ok_or(BinaryError::Damaged(at))
    }

    fn u16(self, at: usize) -> Result<u16, BinaryError> {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk).ok_or(BinaryError::Damaged(at))?;
        Ok(u16::from_le_bytes(*bytes))
    }

    fn u32(self, at: usize) -> Result<u32, BinaryError> {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk).ok_or(BinaryError::Damaged(at))?;
        Ok(u32::from_le_bytes(*bytes))
    }

    /// An offset or count. No count in a sound block exceeds its bytes.
    fn number(self, at: usize) -> Result<usize, BinaryError> {
        let number = self.u32(at)? as usize;
        if number > self.0.len() { Err(BinaryError::Damaged(at)) } else { Ok(number) }
    }

    fn guid(self, at: usize) -> Result<Guid, BinaryError> {
        let bytes = self.0.get(at..).and_then(<[u8]>::first_chunk).ok_or(BinaryError::Damaged(at))?;
        Ok(Guid::from_bytes(*bytes))
    }

    fn is(self, at: usize, mark: &[u8; 4]) -> bool {
        self.0.get(at..).is_some_and(|tail| tail.starts_with(mark))
    }

    /// A name: its size in bytes with this number, then UTF-16. No name is at offset zero.
    fn name(self, at: usize) -> Result<String, BinaryError> {
        if at == 0 {
            return Ok(String::new());
        }
        let size = self.number(at)?;
        let text = self.0.get(at + 4..at.saturating_add(size)).ok_or(BinaryError::Damaged(at))?;
        Ok(Utf16Str::until_nul(text).0.to_string())
    }
}

/// Most elements that are read of one block, each time counted that another part refers to it. The largest of
/// Windows have some ten thousand.
const MAX_ELEMENTS: usize = 1 << 20;

/// `MessageId` of what has no message.
const NO_MESSAGE: u32 = u32::MAX;

fn parse_block(bytes: &[u8], messages: &Messages) -> Result<Manifest, BinaryError> {
    let block = Block(bytes);
    if !block.is(0, b"CRIM") {
        return Err(BinaryError::Damaged(0));
    }
    let mut manifest = Manifest::default();
    let mut left = MAX_ELEMENTS;
    for at in (0..block.number(12)?).map(|index| 16 + index * 20) {
        let guid = block.guid(at)?;
        let provider = block.number(at + 16)?;
        manifest.providers.push(read_provider(
            block,
            guid,
            provider,
            messages,
            &mut manifest.problems,
            &mut left,
        )?);
    }
    Ok(manifest)
}

/// The parts of a provider that its events refer to.
#[derive(Default)]
struct Parts {
    tasks: HashMap<u16, String>,
    /// By opcode and the task that it belongs to; 0 for any task.
    opcodes: HashMap<(u8, u16), String>,
    keywords: Vec<(u64, Cow<'static, str>)>,
    levels: Vec<(u8, Cow<'static, str>)>,
    channels: Vec<(u8, Cow<'static, str>)>,
    /// Where lists of events are.
    events: Vec<usize>,
}

impl Parts {
    /// Reads the part at this place.
    fn read(&mut self, block: Block<'_>, part: usize, messages: &Messages) -> Result<(), BinaryError> {
        let count = block.number(part + 8)?;
        let items = |size: usize| (0..count).map(move |index| part + 12 + index * size);
        // The text that Windows shows, or else the name in the manifest.
        let shown = |id: usize, name: usize| {
            let shown = message(messages, block.u32(id)?);
            if shown.is_empty() { block.name(block.number(name)?) } else { Ok(shown) }
        };
        if block.is(part, b"TASK") {
            for item in items(28) {
                self.tasks.insert(block.u32(item)? as u16, shown(item + 4, item + 24)?);
            }
        } else if block.is(part, b"OPCO") {
            for item in items(12) {
                // The opcode is in the high half; a task in the low one binds it to that.
                let id = block.u32(item)?;
                self.opcodes.insert(((id >> 16) as u8, id as u16), shown(item + 4, item + 8)?);
            }
        } else if block.is(part, b"KEYW") {
            for item in items(16) {
                let mask = u64::from(block.u32(item)?) | u64::from(block.u32(item + 4)?) << 32;
                self.keywords.push((mask, block.name(block.number(item + 12)?)?.into()));
            }
        } else if block.is(part, b"LEVL") {
            for item in items(12) {
                let name = shown(item + 4, item + 8)?;
                let level = u8::try_from(block.u32(item)?);
                self.levels.extend(level.ok().map(|level| (level, bare(&name))));
            }
        } else if block.is(part, b"CHAN") {
            for item in items(16) {
                let (name, number) = (block.name(block.number(item + 4)?)?, block.u32(item + 8)?);
                self.channels.extend(u8::try_from(number).ok().map(|number| (number, name.into())));
            }
        } else if block.is(part, b"EVNT") {
            self.events.push(part);
        }
        Ok(())
    }

    /// The name of an event's opcode, which may belong to its task, to any task, or to every provider.
    fn opcode(&self, opcode: u8, task: u16) -> Cow<'static, str> {
        let known = self.opcodes.get(&(opcode, task)).or_else(|| self.opcodes.get(&(opcode, 0)));
        let standard =
            || STANDARD_OPCODES.iter().find(|(number, _)| *number == opcode).map(|(_, name)| *name);
        bare(known.map(String::as_str).or_else(standard).unwrap_or_default())
    }
}

/// The text of a message; empty if there is none.
fn message(messages: &Messages, id: u32) -> String {
    messages.get(id).unwrap_or_default().to_owned()
}

fn read_provider(
    block: Block<'_>,
    guid: Guid,
    at: usize,
    messages: &Messages,
    problems: &mut Vec<ManifestProblem>,
    left: &mut usize,
) -> Result<Provider, BinaryError> {
    if !block.is(at, b"WEVT") {
        return Err(BinaryError::Damaged(at));
    }
    let count = block.number(at + 12)?;
    let mut parts = Parts::default();
    for entry in (0..count).map(|index| at + 20 + index * 8) {
        let part = block.number(entry)?;
        spend(left, block.number(part + 8)?, part)?;
        parts.read(block, part, messages)?;
    }
    let mut events = Vec::new();
    for part in &parts.events {
        for item in (0..block.number(part + 8)?).map(|index| part + 16 + index * 48) {
            let (id, version) = (block.u16(item)?, block.u8(item + 2)?);
            let (opcode, task) = (block.u8(item + 5)?, block.u16(item + 6)?);
            let template = block.number(item + 20)?;
            let (fields, stopped) = if template == 0 {
                (Vec::new(), None)
            } else {
                read_template(block, template, messages, left)?
            };
            if let Some(what) = stopped {
                let line = u32::try_from(template).unwrap_or(u32::MAX);
                let what = format!("event {id}: {what}; it and what follows it stay bytes");
                problems.push(ManifestProblem { line, what });
            }
            events.push(ProviderEvent {
                id,
                task: parts.tasks.get(&task).cloned().unwrap_or_default().into(),
                opcode: parts.opcode(opcode, task),
                message: message(messages, block.u32(item + 16)?).into(),
                enabling: Some(Enabling::new(
                    block.u8(item + 4)?,
                    u64::from(block.u32(item + 8)?) | u64::from(block.u32(item + 12)?) << 32,
                )),
                layout: Version::from_fields(version, fields),
            });
        }
    }
    let named = message(messages, block.u32(at + 8)?);
    let known = || providers::name(&guid).map_or_else(|| guid.to_string(), str::to_owned);
    let name = if named.is_empty() || named.contains(' ') { known() } else { named };
    let provider = Provider::new(name, guid, events).with_keywords(parts.keywords);
    Ok(provider.with_levels(parts.levels).with_channels(parts.channels))
}

/// `win:Start` is just `Start`.
fn bare(name: &str) -> Cow<'static, str> {
    name.strip_prefix("win:").unwrap_or(name).to_owned().into()
}

/// Takes elements off the budget of a block.
fn spend(left: &mut usize, elements: usize, at: usize) -> Result<(), BinaryError> {
    *left = left.checked_sub(elements).ok_or(BinaryError::Damaged(at))?;
    Ok(())
}

/// Fields, and why they end before the last one: nothing behind an item that cannot be read has a known place.
type Known = (Vec<Field>, Option<String>);

/// The fields of a `TEMP`.
fn read_template(
    block: Block<'_>,
    at: usize,
    messages: &Messages,
    left: &mut usize,
) -> Result<Known, BinaryError> {
    if !block.is(at, b"TEMP") {
        return Err(BinaryError::Damaged(at));
    }
    // Of the two counts one leaves out the members of structs, which come after all others.
    let (one, other, first) = (block.number(at + 8)?, block.number(at + 12)?, block.number(at + 16)?);
    let (top, all) = if other > one {
        (one, other)
    } else if other == 0 {
        (one, one)
    } else {
        (other, one)
    };
    spend(left, all, at)?;
    let items = Items { block, first, all, messages };
    items.fields(0..top, top, 0, left)
}

/// The items of a template.
#[derive(Clone, Copy)]
struct Items<'a> {
    block: Block<'a>,
    /// Where the first one is.
    first: usize,
    all: usize,
    messages: &'a Messages,
}

/// Bytes of a map before its entries.
const MAP_HEAD: usize = 20;

/// Deepest nesting of structs in a template.
const MAX_DEPTH: u8 = 4;

impl Items<'_> {
    /// The fields in these items; structs find their members from `members` on.
    fn fields(
        self,
        range: Range<usize>,
        members: usize,
        depth: u8,
        left: &mut usize,
    ) -> Result<Known, BinaryError> {
        // 0x2 says that a length is given; the number alone also shows that.
        const STRUCT: u32 = 0x1;
        const LENGTH_IN_FIELD: u32 = 0x4;
        const FIXED_COUNT: u32 = 0x8;
        const COUNT_IN_FIELD: u32 = 0x10;
        let block = self.block;
        let begin = range.start;
        let mut fields: Vec<Field> = Vec::new();
        for index in range {
            let item = self.first + index * 20;
            let flags = block.u32(item)?;
            let (number, length) = (block.u16(item + 12)?, block.u16(item + 14)?);
            let name = block.name(block.number(item + 16)?)?;
            // References count from the first item of all; the layout's count within their list.
            let earlier = |index: u16| {
                let place = usize::from(index).checked_sub(begin).filter(|place| *place < fields.len());
                place.and_then(|place| u16::try_from(place).ok())
            };
            let refers =
                |bit: u32, index: u16| if flags & bit != 0 { earlier(index).map(Some) } else { Some(None) };
            let (Some(length_in), Some(count_in)) =
                (refers(LENGTH_IN_FIELD, length), refers(COUNT_IN_FIELD, number))
            else {
                return Ok((fields, Some(format!("`{name}` refers to a field that does not go before it"))));
            };
            let count = match (count_in, number) {
                (Some(place), _) => Count::Field(place),
                (None, 0 | 1) if flags & FIXED_COUNT == 0 => Count::One,
                (None, number) => Count::Fixed(number),
            };
            if flags & STRUCT != 0 {
                let (start, size) = (usize::from(block.u16(item + 4)?), usize::from(block.u16(item + 6)?));
                if start < members || size == 0 || start + size > self.all || depth >= MAX_DEPTH {
                    return Ok((fields, Some(format!("`{name}` is a struct whose members cannot be found"))));
                }
                spend(left, size, item)?;
                let (inner, stopped) = self.fields(start..start + size, members, depth + 1, left)?;
                // Of an array not even the first element ends where the known members do.
                if stopped.is_none() || (count == Count::One && !inner.is_empty()) {
                    fields.push(Field::named(name, FieldType::Struct(inner.into())).count(count));
                }
                if stopped.is_some() {
                    return Ok((fields, stopped));
                }
                continue;
            }
            let (in_type, out_type) = (u16::from(block.u8(item + 4)?), u16::from(block.u8(item + 5)?));
            let length = match length_in {
                Some(place) => Some(Length::Field(place)),
                None => (length != 0).then_some(Length::Fixed(length)),
            };
            let Some(ty) = tdh::field_type(in_type, out_type, length) else {
                return Ok((fields, Some(format!("`{name}` has the unknown type {in_type}"))));
            };
            let mut field = Field::named(name, ty).count(count).hint(tdh::hint(in_type, out_type));
            if field.ty.is_integer() {
                field.map =
                    self.map(block.number(item + 8).unwrap_or(0), left).map(|map| MapRef::Shared(map.into()));
            }
            fields.push(field);
        }
        Ok((fields, None))
    }

    /// The map at an offset: its size, name, flags and count, then a value and a message for each entry.
    fn map(self, at: usize, left: &mut usize) -> Option<ValueMap> {
        let block = self.block;
        let bits = block.is(at, b"BMAP");
        if at == 0 || !(bits || block.is(at, b"VMAP")) {
            return None;
        }
        let (size, count) = (block.number(at + 4).ok()?, block.number(at + 16).ok()?);
        if size < MAP_HEAD + count.checked_mul(8)? {
            return None;
        }
        spend(left, count, at).ok()?;
        let name = block.name(block.number(at + 8).ok()?).ok()?;
        let entry = |index: usize| {
            let at = at + MAP_HEAD + index * 8;
            let text = self.messages.get(block.u32(at + 4).ok()?)?.trim_end();
            Some((block.u32(at).ok()?, text.to_owned().into()))
        };
        Some(ValueMap::new(name, bits, (0..count).filter_map(entry).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    struct Builder(Vec<u8>);

    impl Builder {
        fn u32s(&mut self, numbers: &[u32]) -> usize {
            let at = self.0.len();
            self.0.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
            at
        }

        fn set(&mut self, at: usize, value: usize) {
            self.0[at..at + 4].copy_from_slice(&u32::try_from(value).unwrap().to_le_bytes());
        }

        fn name(&mut self, text: &str) -> usize {
            let units: Vec<u8> = text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
            let at = self.u32s(&[u32::try_from(units.len() + 4).unwrap()]);
            self.0.extend(units);
            at
        }
    }

    fn texts<const N: usize>(texts: [(u32, String); N]) -> Messages {
        Messages { texts: HashMap::from(texts), ..Messages::default() }
    }

    fn mark(text: &[u8; 4]) -> u32 {
        u32::from_le_bytes(*text)
    }

    /// A provider with a task, an opcode, a level, a channel and event 7 (version 2) of three fields.
    fn block() -> Vec<u8> {
        block_of(&[0x11])
    }

    /// The same for several GUIDs, each of one byte again and again.
    fn block_of(guids: &[u8]) -> Vec<u8> {
        let mut b = Builder(Vec::new());
        b.u32s(&[mark(b"CRIM"), 0, 0x0001_0003, guids.len() as u32]);
        let mut entries = Vec::new();
        for guid in guids {
            b.0.extend([*guid; 16]);
            entries.push(b.u32s(&[0]));
        }
        let provider = b.u32s(&[mark(b"WEVT"), 0, NO_MESSAGE, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        entries.iter().for_each(|at| b.set(*at, provider));
        let names = ["Disk", "Spin", "size", "data", "port", "Chatty", "Disk/Debug"].map(|name| b.name(name));
        let n = |i: usize| u32::try_from(names[i]).unwrap();
        let task = b.u32s(&[mark(b"TASK"), 0, 1, 3, NO_MESSAGE, 0, 0, 0, 0, n(0)]);
        let opcode = b.u32s(&[mark(b"OPCO"), 0, 1, 20 << 16, NO_MESSAGE, n(1)]);
        let level = b.u32s(&[mark(b"LEVL"), 0, 1, 20, NO_MESSAGE, n(5)]);
        let channel = b.u32s(&[mark(b"CHAN"), 0, 1, 0, n(6), 17, NO_MESSAGE]);
        let template = b.u32s(&[mark(b"TEMP"), 0, 3, 3, 0, 0, 0, 0, 0, 0]);
        let items = b.u32s(&[0, 6, 0, 1 << 0, n(2)]);
        b.u32s(&[4, 14, 0, 0, n(3)]);
        b.u32s(&[0, 6 | 22 << 8, 0, 1, n(4)]);
        b.set(template + 16, items);
        let t = u32::try_from(template).unwrap();
        let event =
            b.u32s(&[mark(b"EVNT"), 0, 1, 0, 7 | 2 << 16, 20 << 8 | 3 << 16, 0, 0, 5, t, 0, 0, 0, 0, 0, 0]);
        for (index, part) in [task, opcode, event, level, channel].into_iter().enumerate() {
            b.set(provider + 20 + index * 8, part);
        }
        b.0
    }

    #[test]
    fn names_fields_and_messages_of_a_block() {
        let messages = texts([(5, "Spun %1".to_owned())]);
        let manifest = parse_block(&block(), &messages).unwrap();
        let event = manifest.providers[0].event(7, 2).unwrap();
        assert_eq!((&*event.task, &*event.opcode, &*event.message), ("Disk", "Spin", "Spun %1"));
        let shown: Vec<String> = Fields::new(&event.layout, &[2, 0, 0xAA, 0xBB, 1, 187], 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        assert_eq!(shown, ["size=2", "data=aabb", "port=443"]);
        assert_eq!(*manifest.providers[0].levels, [(20, "Chatty".into())]);
        assert_eq!(*manifest.providers[0].channels, [(17, "Disk/Debug".into())]);
    }

    /// A template has two counts of its items, either of which may leave out the members of structs, or be nothing.
    #[test]
    fn either_count_of_a_template_will_do() {
        let fields = |counts: [u32; 2]| {
            let mut bytes = block();
            let template = bytes.windows(4).position(|four| four == b"TEMP").unwrap();
            for (place, count) in [8, 12].into_iter().zip(counts) {
                bytes[template + place..template + place + 4].copy_from_slice(&count.to_le_bytes());
            }
            let manifest = parse_block(&bytes, &Messages::default()).unwrap();
            let event = manifest.providers[0].event(7, 2).unwrap();
            event.layout.fields.iter().map(|field| field.name.to_string()).collect::<Vec<_>>()
        };
        for (counts, want) in [([3, 3], 3), ([3, 0], 3), ([2, 3], 2), ([3, 2], 2), ([1, 3], 1), ([3, 1], 1)] {
            assert_eq!(fields(counts), ["size", "data", "port"][..want], "{counts:?}");
        }
    }

    /// Lists of several items, with messages and without: each name is at its own place.
    #[test]
    fn every_item_of_a_list_has_its_name() {
        let mut b = Builder(Vec::new());
        b.u32s(&[mark(b"CRIM"), 0, 0x0001_0003, 1]);
        b.0.extend([7; 16]);
        let entry = b.u32s(&[0]);
        let provider = b.u32s(&[mark(b"WEVT"), 0, NO_MESSAGE, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        b.set(entry, provider);
        let all = ["T1", "T2", "T3", "O1", "O2", "O3", "L1", "L2", "L3", "C1", "C2", "C3", "K1", "K2", "K3"];
        let places = all.map(|name| b.name(name) as u32);
        let n = |i: usize| places[i];
        let none = NO_MESSAGE;
        let tasks = b.u32s(&[mark(b"TASK"), 0, 3]);
        for (id, message, name) in [(1, none, n(0)), (2, 92, n(1)), (3, none, n(2))] {
            b.u32s(&[id, message, 0, 0, 0, 0, name]);
        }
        let opcodes = b.u32s(&[mark(b"OPCO"), 0, 3]);
        // The third one belongs to the second task.
        for (id, message, name) in [(30 << 16, none, n(3)), (31 << 16, 95, n(4)), (30 << 16 | 2, none, n(5))]
        {
            b.u32s(&[id, message, name]);
        }
        let levels = b.u32s(&[mark(b"LEVL"), 0, 3]);
        for (id, message, name) in [(20, none, n(6)), (21, 97, n(7)), (300, none, n(8))] {
            b.u32s(&[id, message, name]);
        }
        let channels = b.u32s(&[mark(b"CHAN"), 0, 3]);
        for (name, number) in [(n(9), 16), (n(10), 255), (n(11), 256)] {
            b.u32s(&[0, name, number, none]);
        }
        let keywords = b.u32s(&[mark(b"KEYW"), 0, 3]);
        for (low, high, name) in [(1, 0, n(12)), (0, 1, n(13)), (6, 0x8000_0000, n(14))] {
            b.u32s(&[low, high, none, name]);
        }
        let mut numbers = vec![mark(b"EVNT"), 0, 4, 0];
        for (id, opcode, task) in [(1, 30, 1), (2, 30, 2), (3, 31, 2), (4, 32, 3)] {
            numbers.extend([id, opcode << 8 | task << 16, 0, 0, none, 0, 0, 0, 0, 0, 0, 0]);
        }
        let events = b.u32s(&numbers);
        for (index, part) in [tasks, opcodes, levels, channels, keywords, events].into_iter().enumerate() {
            b.set(provider + 20 + index * 8, part);
        }
        let messages = texts([(92, "Task 2".into()), (95, "Opcode 31".into()), (97, "Level 21".into())]);
        let manifest = parse_block(&b.0, &messages).unwrap();
        let found = &manifest.providers[0];
        assert_eq!(*found.levels, [(20, "L1".into()), (21, "Level 21".into())], "300 is no level");
        assert_eq!(*found.channels, [(16, "C1".into()), (255, "C2".into())]);
        let keywords: Vec<(u64, &str)> = found.keywords.iter().map(|(mask, name)| (*mask, &**name)).collect();
        assert_eq!(keywords, [(1, "K1"), (1 << 32, "K2"), (6 | 1 << 63, "K3")]);
        let names: Vec<(&str, &str)> = (1..=4)
            .map(|id| found.event(id, 0).map(|event| (&*event.task, &*event.opcode)).unwrap())
            .collect();
        assert_eq!(names, [("T1", "O1"), ("Task 2", "O3"), ("Task 2", "Opcode 31"), ("T3", "")]);
    }

    #[test]
    fn a_block_has_several_providers() {
        for guids in [&[0x11][..], &[0x11, 0x22], &[0x33, 0x22, 0x11, 0x44]] {
            let manifest = parse_block(&block_of(guids), &Messages::default()).unwrap();
            let found: Vec<Guid> = manifest.providers.iter().map(|provider| provider.guid).collect();
            assert_eq!(found, guids.iter().map(|guid| Guid::from_bytes([*guid; 16])).collect::<Vec<_>>());
            assert!(manifest.providers.iter().all(|provider| provider.event(7, 2).is_some()));
        }
    }

    /// A block that ends early, or refers outside, is damaged and not a panic.
    #[test]
    fn a_block_cut_off_at_every_byte_is_damaged() {
        let bytes = block_of(&[0x11, 0x22]);
        let last = bytes.windows(4).rposition(|four| four == b"EVNT").unwrap();
        for length in 0..last + 12 {
            assert!(parse_block(&bytes[..length], &Messages::default()).is_err(), "{length}");
        }
    }

    /// Level and keywords of an event, and the names of keywords: each of the 64 bits has its own place.
    #[test]
    fn issue_23_keywords_have_64_bits() {
        let bytes = block();
        let event = bytes.windows(4).position(|four| four == b"EVNT").unwrap() + 16;
        for bit in 0..64 {
            let mut bytes = bytes.clone();
            bytes[event + 4] = 5;
            bytes[event + 8..event + 16].copy_from_slice(&(1_u64 << bit).to_le_bytes());
            // The task becomes a list of one keyword with the same bit, named as the task was.
            let task = bytes.windows(4).position(|four| four == b"TASK").unwrap();
            let name: [u8; 4] = bytes[task + 36..task + 40].try_into().unwrap();
            bytes[task..task + 4].copy_from_slice(b"KEYW");
            bytes[task + 12..task + 20].copy_from_slice(&(1_u64 << bit).to_le_bytes());
            bytes[task + 24..task + 28].copy_from_slice(&name);
            let provider = &parse_block(&bytes, &Messages::default()).unwrap().providers[0];
            let enabling = provider.event(7, 2).unwrap().enabling.unwrap();
            assert_eq!(enabling, Enabling::new(5, 1 << bit));
            assert_eq!(*provider.keywords, [(1 << bit, "Disk".into())]);
        }
    }

    /// Issue 3: a field of an unknown type also removed the event and the fields before it.
    #[test]
    fn fields_before_an_unknown_type_stay() {
        let mut bytes = block();
        // The type of the last of the three items, which precede the one event.
        let event = bytes.windows(4).position(|four| four == b"EVNT").unwrap();
        bytes[event - 16] = 99;
        let manifest = parse_block(&bytes, &Messages::default()).unwrap();
        let event = manifest.providers[0].event(7, 2).unwrap();
        assert_eq!((&*event.task, event.layout.fields.len()), ("Disk", 2));
        let mut fields = Fields::new(&event.layout, &[2, 0, 0xAA, 0xBB, 1, 187], 8);
        assert_eq!(((&mut fields).count(), fields.rest()), (2, &[1, 187][..]));
        assert!(
            manifest.problems[0]
                .what
                .ends_with("`port` has the unknown type 99; it and what follows it stay bytes")
        );
    }

    #[test]
    fn structs_and_maps_of_a_template() {
        let mut b = Builder(vec![0; 4]);
        let [color, parts, name, size] = ["color", "parts", "name", "size"].map(|text| b.name(text) as u32);
        let map_name = b.name("Colors") as u32;
        let map = b.u32s(&[mark(b"VMAP"), 36, map_name, 0, 2, 1, 100, 2, 101]) as u32;
        let template = b.u32s(&[mark(b"TEMP"), 0, 2, 4, 0, 0, 0, 0, 0, 0]);
        let items = b.u32s(&[0, 4, map, 1, color]);
        b.u32s(&[1 | 8, 2 | 2 << 16, 0, 2, parts, 0, 1, 0, 1, name, 0, 6, 0, 1, size]);
        b.set(template + 16, items);
        let messages = texts([(100, "red ".to_owned()), (101, "blue".to_owned())]);
        let read = |bytes: &[u8]| read_template(Block(bytes), template, &messages, &mut 1000).unwrap();
        let layout = Version::from_fields(0, read(&b.0).0);
        let shown: Vec<String> = Fields::new(&layout, &[2, b'x', 0, 0, 0, 7, 0, 0, 0, 9, 0], 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        assert_eq!(shown, ["color=blue", "parts=[{name=x, size=7}, {name=, size=9}]"]);
        // A struct that would contain itself.
        b.0[items + 24] = 1;
        assert_eq!(read(&b.0).1.unwrap(), "`parts` is a struct whose members cannot be found");
    }

    /// As the message compiler writes them: references are by index among all items, members of structs included,
    /// and an array of one is still an array.
    #[test]
    fn counts_and_lengths_of_a_template() {
        const STRUCT: u32 = 1;
        const LENGTH: u32 = 4;
        const FIXED: u32 = 8;
        const COUNT: u32 = 16;
        let mut b = Builder(vec![0; 4]);
        let [n, rows, first, size, data, ids] =
            ["n", "rows", "first", "size", "data", "ids"].map(|text| b.name(text) as u32);
        let map_name = b.name("Bits") as u32;
        let map = b.u32s(&[mark(b"BMAP"), 36, map_name, 1, 2, 1, 100, 4, 101]) as u32;
        let template = b.u32s(&[mark(b"TEMP"), 0, 2, 6, 0, 0, 0, 0, 0, 0]);
        let items = b.u32s(&[0, 4, 0, 0, n]);
        b.u32s(&[STRUCT | COUNT, 2 | 4 << 16, 0, 0, rows]);
        b.u32s(&[FIXED, 4, map, 1, first]);
        b.u32s(&[0, 4, 0, 0, size]);
        b.u32s(&[LENGTH, 14, 0, 3 << 16, data]);
        b.u32s(&[COUNT, 4, 0, 3, ids]);
        b.set(template + 16, items);
        let messages = texts([(100, "Read".to_owned()), (101, "Write".to_owned())]);
        let read = |bytes: &[u8]| read_template(Block(bytes), template, &messages, &mut 1000).unwrap();
        let layout = Version::from_fields(0, read(&b.0).0);
        let shown: Vec<String> = Fields::new(&layout, &[2, 5, 2, 0xAA, 0xBB, 7, 8, 1, 1, 0xCC, 9], 8)
            .map(|f| format!("{}={}", f.field.name, f.value.display(f.field)))
            .collect();
        let rows =
            "[{first=[Read|Write], size=2, data=aabb, ids=[7, 8]}, {first=[Read], size=1, data=cc, ids=[9]}]";
        assert_eq!(shown, ["n=2".to_owned(), format!("rows={rows}")]);
        // A member may not take its count from outside of its struct.
        b.0[items + 5 * 20 + 12] = 0;
        assert_eq!(read(&b.0).1.unwrap(), "`ids` refers to a field that does not go before it");
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let good = block();
        for cut in 0..good.len() - 1 {
            let _ = parse_block(&good[..cut], &Messages::default());
        }
        assert_eq!(parse_block(b"CRIX", &Messages::default()).unwrap_err(), BinaryError::Damaged(0));
        let mut state = 7u32;
        for _ in 0..40_000 {
            let mut bad = good.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % bad.len();
                bad[at] = state as u8;
            }
            let _ = parse_block(&bad, &Messages::default());
            let _ = parse_image(&bad, &[]);
        }
        assert_eq!(parse_image(b"MZ", &[]).unwrap_err(), BinaryError::NoImage);
    }

    /// Each part of a block begins with a mark. Without that of a provider or template the block is damaged; lists with an unknown
    /// mark are passed over.
    #[test]
    fn issue_23_parts_of_a_block_have_marks() {
        let bytes = block();
        let place = |mark: &[u8; 4]| bytes.windows(4).position(|four| four == mark).unwrap();
        let table: [(&[u8; 4], Option<&str>); 8] = [
            (b"CRIM", None),
            (b"WEVT", None),
            (b"TEMP", None),
            (b"TASK", Some("events: 1 , tasks: , opcodes: Spin, levels: 1, channels: 1")),
            (b"OPCO", Some("events: 1 , tasks: Disk, opcodes: , levels: 1, channels: 1")),
            (b"LEVL", Some("events: 1 , tasks: Disk, opcodes: Spin, levels: 0, channels: 1")),
            (b"CHAN", Some("events: 1 , tasks: Disk, opcodes: Spin, levels: 1, channels: 0")),
            (b"EVNT", Some("events: 0 , tasks: , opcodes: , levels: 1, channels: 1")),
        ];
        for (mark, expected) in table {
            for byte in 0..4 {
                let mut bytes = bytes.clone();
                bytes[place(mark) + byte] ^= 0x20;
                let found = parse_block(&bytes, &Messages::default());
                let Some(expected) = expected else {
                    assert_eq!(found.err(), Some(BinaryError::Damaged(place(mark))), "{byte} of {mark:?}");
                    continue;
                };
                let manifest = found.unwrap();
                let provider = &manifest.providers[0];
                let event = provider.event(7, 2);
                let text = format!(
                    "events: {} , tasks: {}, opcodes: {}, levels: {}, channels: {}",
                    event.iter().count(),
                    event.map_or("", |event| &event.task),
                    event.map_or("", |event| &event.opcode),
                    provider.levels.len(),
                    provider.channels.len()
                );
                assert_eq!(text, expected, "{byte} of {mark:?}");
            }
        }
    }

    /// A message table (`MESSAGE_RESOURCE_DATA`) of ranges: the first number, and the texts in UTF-16 or bytes.
    fn message_table(ranges: &[(u32, &[(bool, &str)])]) -> Vec<u8> {
        let mut entries = Vec::new();
        let mut head = (ranges.len() as u32).to_le_bytes().to_vec();
        for (low, texts) in ranges {
            let start = (4 + 12 * ranges.len() + entries.len()) as u32;
            head.extend([*low, low + texts.len() as u32 - 1, start].into_iter().flat_map(u32::to_le_bytes));
            for (wide, text) in *texts {
                let text: Vec<u8> = match wide {
                    true => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    false => text.bytes().collect(),
                };
                entries.extend(((text.len() + 4) as u16).to_le_bytes());
                entries.extend(u16::from(*wide).to_le_bytes());
                entries.extend(text);
            }
        }
        [head, entries].concat()
    }

    #[test]
    fn issue_23_message_tables_have_ranges_of_texts() {
        let table = message_table(&[
            (5, &[(true, "Five\r\n\0\0"), (false, "Six\r\n\0"), (true, "")]),
            (0x1000_0001, &[(true, "Größe \0 behind")]),
            (6, &[(true, "Not six")]),
            (9, &[(false, "Nine"), (true, "Ten")]),
        ]);
        let all = [(5, "Five"), (6, "Six"), (7, ""), (9, "Nine"), (10, "Ten"), (0x1000_0001, "Größe")];
        let mut messages = Messages::default();
        messages.add(&table);
        let mut found: Vec<(u32, &str)> = messages.texts.iter().map(|(id, text)| (*id, &**text)).collect();
        found.sort_unstable();
        assert_eq!(found, all);
        // Of another table only new numbers count.
        messages.add(&message_table(&[(4, &[(true, "Four"), (true, "Another five")])]));
        assert_eq!((messages.get(4), messages.get(5), messages.get(8)), (Some("Four"), Some("Five"), None));
        assert_eq!(messages.get(NO_MESSAGE), None);
        assert_eq!(*messages.missing.borrow(), HashSet::from([8]), "nothing was asked for without a number");
        // A table that is cut off has the texts before.
        for length in 0..table.len() {
            let mut messages = HashMap::new();
            read_messages(&table[..length], &mut messages);
            assert!(
                messages.iter().all(|(id, text)| all.contains(&(*id, &**text))),
                "{length}: {messages:?}"
            );
        }
        // So many numbers have no room for their texts.
        let mut hostile = table.clone();
        hostile[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let mut messages = HashMap::new();
        read_messages(&hostile, &mut messages);
        assert!(messages.len() <= hostile.len() / 4, "{}", messages.len());
    }
}
