//! Writes one JSON object per line.

use std::io::Write;

use rustc_hash::FxHashMap;
use tracewell_decode::{EventFormat, Fields, NamedValue, Value};
use tracewell_etl::Record;
use tracewell_schema::{Field, Hint, ValueMap};

use super::columns::Column;
use super::event::{Cellful, Event};
use super::extended;
use super::head::has_id;
use super::property::{Head, Item};
use super::write::{ansi, decimal, hex, hex_bytes, json_text, json_utf16, seconds, signed, utc};
use crate::filter::names::event_number;

/// Writes events as JSON. What is the same in all events of one kind is put together once.
#[derive(Debug)]
pub struct JsonWriter {
    kinds: FxHashMap<u32, Kind>,
    /// Stacks are written.
    pub stacks: bool,
    /// Messages are written.
    pub messages: bool,
    /// Date and time of day beside the seconds.
    pub dates: bool,
    /// The file that each event is from.
    pub files: bool,
}

#[derive(Debug)]
struct Kind {
    /// Provider and event; the GUID if both are unknown.
    names: Vec<u8>,
    /// The header of the last event of this type. Events of one type usually share level, channel and keyword, so it can be
    /// reused.
    header: Vec<u8>,
    header_of: Option<HeaderNumbers>,
    /// `"name":` of each field.
    keys: Vec<Vec<u8>>,
}

/// The part of a header that JSON contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HeaderNumbers {
    number: u32,
    version: u8,
    level: u8,
    opcode: u8,
    channel: u8,
    task: u16,
    keyword: u64,
}

/// Kinds remembered at most; they are cheap to make anew.
const MAX_KINDS: usize = 1 << 14;

impl JsonWriter {
    /// A writer, with stacks and messages or without.
    #[must_use]
    pub fn new(stacks: bool, messages: bool) -> JsonWriter {
        JsonWriter { kinds: FxHashMap::default(), stacks, messages, dates: false, files: false }
    }

    /// The whole event. Returns `true` if everything in the payload was understood.
    pub fn event(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        out.extend_from_slice(b"{\"time\":");
        seconds(out, event.time);
        if self.dates {
            out.extend_from_slice(b",\"utc\":\"");
            utc(out, event.origin.saturating_add(event.time));
            out.push(b'"');
        }
        if self.files {
            out.extend_from_slice(b",\"file\":\"");
            json_text(out, event.file);
            out.push(b'"');
        }
        out.extend_from_slice(b",\"cpu\":");
        decimal(out, event.record.cpu().into());
        if let Some(pid) = event.pid {
            out.extend_from_slice(b",\"pid\":");
            decimal(out, pid.into());
        }
        if let Some(tid) = event.tid {
            out.extend_from_slice(b",\"tid\":");
            decimal(out, tid.into());
        }
        if !event.process.is_empty() {
            out.extend_from_slice(b",\"process\":\"");
            json_text(out, event.process);
            out.push(b'"');
        }
        let kind = self.kind(event);
        out.extend_from_slice(&kind.names);
        kind.header(out, event);
        if !event.format.exact
            && let Some(layout) = &event.format.layout
        {
            out.extend_from_slice(b",\"layout_version\":");
            decimal(out, layout.number.into());
        }
        out.extend_from_slice(b",\"fields\":");
        let fields = kind.fields(out, event);
        let understood = fields.rest().is_empty() && fields.error().is_none();
        if !understood || !event.format.exact || event.format.inferred.is_some() {
            unread(out, event, fields);
        }
        if event.record.is_event() {
            let activity = event.record.activity_id();
            if !activity.is_zero() {
                let _ = write!(out, ",\"activity\":\"{activity}\"");
            }
            if let Some(related) = event.record.related_activity_id() {
                let _ = write!(out, ",\"related\":\"{related}\"");
            }
        }
        if extended::any(&event.record) {
            let start = out.len();
            out.extend_from_slice(b",\"extended\":");
            if !extended_items(out, &event.record, &[Head::Related]) {
                out.truncate(start);
            }
        }
        if self.stacks && !event.stack.is_empty() {
            out.extend_from_slice(b",\"stack\":");
            addresses(out, event.stack);
            out.extend_from_slice(b",\"frames\":");
            frames(out, event.frames());
        }
        let message = if self.messages { event.format.message_of(&event.record) } else { None };
        if let Some(message) = message {
            out.extend_from_slice(b",\"message\":\"");
            json_text(out, &message);
            out.push(b'"');
        }
        out.extend_from_slice(b"}\n");
        understood
    }

    /// The fields of the payload as an object: those that [`JsonWriter::event`] writes.
    pub fn fields(&mut self, out: &mut Vec<u8>, event: &Event<'_>) {
        self.kind(event).fields(out, event);
    }

    fn kind(&mut self, event: &Event<'_>) -> &mut Kind {
        if self.kinds.len() >= MAX_KINDS {
            self.kinds.clear();
        }
        self.kinds.entry(event.id.0).or_insert_with(|| Kind::new(event))
    }

    /// Only some columns.
    pub fn columns(&mut self, out: &mut Vec<u8>, event: &Event<'_>, columns: &[Column]) {
        out.push(b'{');
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            out.push(b'"');
            json_text(out, &column.name);
            out.extend_from_slice(b"\":");
            match column.of(event) {
                Some(Cellful::Head(found)) => item(out, found),
                Some(Cellful::Field(named)) => value(out, &named),
                Some(Cellful::Fields(all)) => separated(out, all.iter(), |out, named| value(out, named)),
                None => out.extend_from_slice(b"null"),
            }
        }
        out.extend_from_slice(b"}\n");
    }
}

impl Kind {
    fn new(event: &Event<'_>) -> Kind {
        let format = event.format;
        let mut names = Vec::new();
        let mut text = |key: &str, text: &str| {
            let _ = write!(names, ",\"{key}\":\"");
            json_text(&mut names, text);
            names.push(b'"');
        };
        text("provider", &format.provider);
        text("event", &format.name);
        if !event.record.guid().is_zero() && format.layout.is_none() {
            text("guid", &event.record.guid().to_string());
        }
        Kind { names, header: Vec::new(), header_of: None, keys: keys(format) }
    }

    /// The object of the fields. Returns the end of the payload: what was left over, or what was wrong.
    fn fields<'a>(&self, out: &mut Vec<u8>, event: &Event<'a>) -> Fields<'a> {
        out.push(b'{');
        let mut fields = event.fields();
        let mut keys = self.keys.iter();
        for named in &mut fields {
            if let Some(key) = keys.next() {
                out.extend_from_slice(key);
            }
            value(out, &named);
        }
        out.push(b'}');
        fields
    }

    /// Id, version, level and so on.
    fn header(&mut self, out: &mut Vec<u8>, event: &Event<'_>) {
        let record = &event.record;
        let numbers = HeaderNumbers {
            number: event_number(record),
            version: record.version(),
            level: event.format.level(record),
            opcode: record.opcode(),
            channel: record.channel(),
            task: record.task(),
            keyword: record.keyword(),
        };
        if self.header_of != Some(numbers) {
            self.header.clear();
            numbers.write(&mut self.header, event);
            self.header_of = Some(numbers);
        }
        out.extend_from_slice(&self.header);
    }
}

impl HeaderNumbers {
    fn write(self, out: &mut Vec<u8>, event: &Event<'_>) {
        let record = &event.record;
        let number = |out: &mut Vec<u8>, key: &str, number: u64| {
            let _ = write!(out, ",\"{key}\":{number}");
        };
        let name = |out: &mut Vec<u8>, key: &str, name: Option<&str>| {
            if let Some(name) = name {
                let _ = write!(out, ",\"{key}\":\"");
                json_text(out, name);
                out.push(b'"');
            }
        };
        number(out, if has_id(record) { "id" } else { "opcode" }, self.number.into());
        number(out, "version", self.version.into());
        if record.is_event() || self.level != 0 {
            number(out, "level", self.level.into());
            name(out, "level_name", event.format.level_name(record));
        }
        if !record.is_event() {
            return;
        }
        number(out, "opcode", self.opcode.into());
        if self.channel != 0 {
            number(out, "channel", self.channel.into());
            name(out, "channel_name", event.format.channel_name(record));
        }
        if self.task != 0 {
            number(out, "task_id", self.task.into());
        }
        if self.keyword != 0 {
            let _ = write!(out, ",\"keyword\":\"{:#x}\"", self.keyword);
            let names = event.format.keyword_names(record);
            if !names.is_empty() {
                out.extend_from_slice(b",\"keywords\":");
                frames(out, names.iter());
            }
        }
    }
}

/// What of the payload was not understood, and why.
#[cold]
fn unread(out: &mut Vec<u8>, event: &Event<'_>, fields: Fields<'_>) {
    if !fields.rest().is_empty() {
        out.extend_from_slice(b",\"rest\":\"");
        hex_bytes(out, fields.rest());
        out.push(b'"');
        let mut separator: &[u8] = b",\"rest_texts\":[";
        for found in tracewell_decode::texts(fields.rest()) {
            out.extend_from_slice(separator);
            out.push(b'"');
            json_text(out, &found.text);
            out.push(b'"');
            separator = b",";
        }
        if separator == b"," {
            out.push(b']');
        }
    }
    if let Some(error) = fields.error() {
        out.extend_from_slice(b",\"error\":\"");
        json_text(out, &error.to_string());
        out.push(b'"');
    }
    if let Some(lack) = fields.lack(event.format) {
        out.extend_from_slice(b",\"partial\":\"");
        json_text(out, &lack.to_string());
        out.push(b'"');
    }
}

/// The keys of the fields, with numbers where a name comes twice.
fn keys(format: &EventFormat) -> Vec<Vec<u8>> {
    let fields = format.layout.as_ref().map_or(&[][..], |layout| &layout.fields);
    let mut keys = Vec::with_capacity(fields.len());
    for (at, field) in fields.iter().enumerate() {
        let earlier = fields.get(..at).unwrap_or_default();
        let twins = earlier.iter().filter(|other| other.name == field.name).count();
        let mut key = if at > 0 { b",\"".to_vec() } else { b"\"".to_vec() };
        json_text(&mut key, &field.name);
        if twins > 0 {
            let _ = write!(key, "#{}", twins + 1);
        }
        key.extend_from_slice(b"\":");
        keys.push(key);
    }
    keys
}

fn item(out: &mut Vec<u8>, item: Item<'_>) {
    match item {
        Item::Int(n) | Item::Named(n, _) => {
            let _ = write!(out, "{n}");
        }
        Item::Seconds(ns) => seconds(out, ns),
        Item::Date(ns) => {
            out.push(b'"');
            utc(out, ns);
            out.push(b'"');
        }
        Item::Text(text) => {
            out.push(b'"');
            json_text(out, text);
            out.push(b'"');
        }
        Item::Lack(lack) => {
            out.push(b'"');
            json_text(out, &lack.to_string());
            out.push(b'"');
        }
        Item::Guid(guid) => {
            let _ = write!(out, "\"{guid}\"");
        }
        Item::Texts(texts) => frames(out, texts.into_iter()),
        Item::Mask(mask) | Item::Keywords { mask, .. } => {
            out.push(b'"');
            hex(out, mask);
            out.push(b'"');
        }
        Item::Sid(sid) => {
            let _ = write!(out, "\"{sid}\"");
        }
        Item::Utf16(text) => {
            out.push(b'"');
            json_utf16(out, text);
            out.push(b'"');
        }
        Item::Ansi(text) => {
            out.push(b'"');
            json_text(out, &ansi(text));
            out.push(b'"');
        }
        Item::Bytes(bytes) => {
            out.push(b'"');
            hex_bytes(out, bytes);
            out.push(b'"');
        }
        Item::Numbers(numbers) => separated(out, numbers.iter(), |out, number| decimal(out, *number)),
        Item::Addresses(list) => addresses(out, list),
        Item::Frames(list) => frames(out, list.into_iter()),
        Item::Extended(record) => {
            extended_items(out, &record, &[]);
        }
    }
}

/// An object of what a record carries beside header and payload, but of `except`; answers whether there is anything.
fn extended_items(out: &mut Vec<u8>, record: &Record<'_>, except: &[Head]) -> bool {
    out.push(b'{');
    let start = out.len();
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    extended::each(record, except, &mut |name, found| {
        if out.len() > start {
            out.push(b',');
        }
        // Items of an unknown type may occur more than once.
        let count = seen.entry(name.to_owned()).or_default();
        *count += 1;
        let _ = write!(out, "\"{name}");
        if *count > 1 {
            let _ = write!(out, "#{count}");
        }
        out.extend_from_slice(b"\":");
        item(out, found);
    });
    out.push(b'}');
    out.len() > start + 1
}

fn separated<T>(out: &mut Vec<u8>, all: impl Iterator<Item = T>, mut each: impl FnMut(&mut Vec<u8>, T)) {
    out.push(b'[');
    for (at, one) in all.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        each(out, one);
    }
    out.push(b']');
}

fn frames(out: &mut Vec<u8>, frames: impl Iterator<Item = impl AsRef<str>>) {
    separated(out, frames, |out, frame| {
        out.push(b'"');
        json_text(out, frame.as_ref());
        out.push(b'"');
    });
}

fn addresses(out: &mut Vec<u8>, addresses: &[u64]) {
    separated(out, addresses.iter(), |out, address| {
        out.push(b'"');
        hex(out, *address);
        out.push(b'"');
    });
}

/// A field's value.
pub fn value(out: &mut Vec<u8>, named: &NamedValue<'_>) {
    element(out, &named.value, named.field);
}

fn element(out: &mut Vec<u8>, value: &Value<'_>, field: &Field) {
    if let (Some(map), Some(number)) = (&field.map, value.as_u64())
        && names(out, map.get(), number)
    {
        return;
    }
    match (value, field.hint) {
        (_, Hint::Leftover) => out.extend_from_slice(b"null"),
        (Value::Unsigned(n), Hint::Hex | Hint::Address) => {
            out.push(b'"');
            hex(out, *n);
            out.push(b'"');
        }
        (Value::Unsigned(n), Hint::None | Hint::Pid | Hint::Tid | Hint::Bytes | Hint::TraceTime) => {
            decimal(out, *n)
        }
        (Value::Unsigned(n), Hint::Boolean) => {
            out.extend_from_slice(if *n != 0 { b"true" } else { b"false" })
        }
        (Value::Signed(n), Hint::None | Hint::Bytes) => signed(out, *n),
        (Value::Bool(b), _) => out.extend_from_slice(if *b { b"true" } else { b"false" }),
        (Value::F32(n), _) if n.is_finite() => {
            let _ = write!(out, "{n}");
        }
        (Value::F64(n), _) if n.is_finite() => {
            let _ = write!(out, "{n}");
        }
        (Value::F32(_) | Value::F64(_) | Value::Sid(None), _) => out.extend_from_slice(b"null"),
        (Value::Utf16(text), _) => {
            out.push(b'"');
            json_utf16(out, *text);
            out.push(b'"');
        }
        (Value::Ansi(text), _) => {
            out.push(b'"');
            json_text(out, &ansi(text));
            out.push(b'"');
        }
        (Value::Binary(bytes), hint) if !matches!(hint, Hint::SocketAddress | Hint::IpAddress) => {
            out.push(b'"');
            hex_bytes(out, bytes);
            out.push(b'"');
        }
        (Value::Struct(members), _) => {
            out.push(b'{');
            for (at, member) in members.fields().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                out.push(b'"');
                json_text(out, &member.field.name);
                out.extend_from_slice(b"\":");
                element(out, &member.value, member.field);
            }
            out.push(b'}');
        }
        (Value::Array(array), _) => {
            out.push(b'[');
            for (at, one) in array.enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                element(out, &one, field);
            }
            out.push(b']');
        }
        _ => {
            let text = value.display(field).to_string();
            out.push(b'"');
            json_text(out, &text);
            out.push(b'"');
        }
    }
}

/// The names of a value; nothing, and `false`, where the map has none.
fn names(out: &mut Vec<u8>, map: &ValueMap, number: u64) -> bool {
    // Numbers with a sign are sign-extended.
    let low = u64::from(number as u32);
    out.push(b'"');
    if let Some(name) = map.name_of(number).or_else(|| map.name_of(low)) {
        json_text(out, name);
    } else if let Some(text) = map.show(number).or_else(|| map.show(low)) {
        json_text(out, &text.to_string());
    } else {
        out.pop();
        return false;
    }
    out.push(b'"');
    true
}
