//! One event as a record, decoded slot by slot as it is read.

use std::cell::{Cell, OnceCell, RefCell};

use tracewell_decode::Value;
use tracewell_schema::Field;

use crate::regions::{self, EVENT_PREFIX};
use crate::shape::{Fields, Slot, Source, View};

/// Bytes of a slot.
pub(crate) const SLOT: usize = 8;
/// Distance of the texts, and of the elements, of two slots in their region: none is longer.
const ROOM: u64 = 1 << 20;

/// What was decoded of a slot.
#[derive(Debug, Default)]
struct Decoded {
    number: OnceCell<[u8; SLOT]>,
    text: OnceCell<Vec<u8>>,
    /// The elements of an array; their texts are in `text`.
    elements: OnceCell<Vec<u8>>,
    /// Whether any of these may be there.
    touched: Cell<bool>,
}

/// One event as a record, or several. Nothing is decoded before a script reads it, and only what was read is cleared
/// for the next event.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    fields: Fields,
    decoded: Vec<Decoded>,
    touched: RefCell<Vec<usize>>,
    /// Records as a whole, by their number.
    wholes: Vec<OnceCell<Vec<u8>>>,
}

impl Opened {
    /// Begins a new event; nothing is decoded yet.
    pub(crate) fn begin(&mut self, fields: &Fields) {
        for place in self.touched.get_mut().drain(..) {
            if let Some(decoded) = self.decoded.get_mut(place) {
                *decoded = Decoded::default();
            }
        }
        self.wholes.clear();
        self.wholes.resize_with(fields.records(), OnceCell::new);
        if self.decoded.len() < fields.count() {
            self.decoded.resize_with(fields.count(), Decoded::default);
        }
        self.fields = fields.clone();
    }

    /// A slot by number, and what is decoded of it.
    fn at(&self, number: usize) -> Option<(&Slot, &Decoded)> {
        let (place, slot) = self.fields.slot(number)?;
        let decoded = self.decoded.get(place)?;
        if !decoded.touched.replace(true) {
            self.touched.borrow_mut().push(place);
        }
        Some((slot, decoded))
    }

    /// The bytes of a record from an offset to the end of the slot it lies in.
    pub(crate) fn slot(&self, payload: &[u8], at: usize) -> Option<&[u8]> {
        let index = at / SLOT;
        let (slot, decoded) = self.at(index)?;
        let bytes = decoded.number.get_or_init(|| number(slot, payload, index as u64).to_le_bytes());
        bytes.get(at % SLOT..)
    }

    /// The bytes of a record from an offset on, all decoded: for a script that takes the record as a whole.
    pub(crate) fn whole(&self, payload: &[u8], at: usize) -> Option<&[u8]> {
        let (record, base, count) = self.fields.record(at / SLOT)?;
        let all = self.wholes.get(record)?.get_or_init(|| {
            let slots = (base..base + count).filter_map(|index| self.slot(payload, index * SLOT));
            slots.flatten().copied().collect()
        });
        all.get(at - base * SLOT..)
    }

    /// The bytes of a field's text from an offset on. The texts of an array's elements follow each other.
    pub(crate) fn text(&self, payload: &[u8], at: u64) -> Option<&[u8]> {
        let index = usize::try_from(at / ROOM).ok()?;
        let (slot, decoded) = self.at(index)?;
        if matches!(slot.view, View::Elements(_)) {
            self.array(payload, index)?;
        }
        let text = decoded.text.get_or_init(|| {
            let mut text = Vec::new();
            if let Some(source) = &slot.source {
                source.with(payload, |value, field| put_text(&mut text, &value, field));
            }
            if text.is_empty() {
                text.push(0);
            }
            text
        });
        text.get((at % ROOM) as usize..)
    }

    /// The bytes of an array's elements from an offset on, one slot a member.
    pub(crate) fn elements(&self, payload: &[u8], at: u64) -> Option<&[u8]> {
        let index = usize::try_from(at / ROOM).ok()?;
        self.array(payload, index)?.get((at % ROOM) as usize..)
    }

    fn array(&self, payload: &[u8], index: usize) -> Option<&Vec<u8>> {
        let (slot, decoded) = self.at(index)?;
        Some(decoded.elements.get_or_init(|| {
            let (mut numbers, mut texts) = (Vec::new(), Vec::new());
            if let Some(source) = &slot.source {
                source.with(payload, |value, field| {
                    let Value::Array(array) = value else { return };
                    for element in array {
                        let room = ROOM as usize - SLOT * slot.element.len();
                        if numbers.len() > room || texts.len() > ROOM as usize / 2 {
                            break;
                        }
                        for (view, member) in &slot.element {
                            let mut put = |value: &Value<'_>, field: &Field| {
                                let number = match view {
                                    View::Text => {
                                        let start = index as u64 * ROOM + texts.len() as u64;
                                        put_text(&mut texts, value, field);
                                        regions::RECORD_TEXTS.address(start)
                                    }
                                    _ => value.as_u64().unwrap_or(0),
                                };
                                numbers.extend(number.to_le_bytes());
                            };
                            match (member, element) {
                                (None, element) => put(&element, field),
                                (Some(at), Value::Struct(members)) => match members.fields().nth(*at) {
                                    Some(found) => put(&found.value, found.field),
                                    None => put(&Value::Ansi(b""), field),
                                },
                                _ => put(&Value::Ansi(b""), field),
                            }
                        }
                    }
                });
            }
            texts.push(0);
            // Set once, here: the texts of an array are never made elsewhere.
            let _ = decoded.text.set(texts);
            numbers
        }))
    }
}

impl Source {
    /// Calls `then` with the value, when the payload has it.
    fn with<T>(&self, payload: &[u8], then: impl FnOnce(Value<'_>, &Field) -> T) -> Option<T> {
        let mut field = self.accessor.field()?;
        let mut value = self.accessor.value(payload)?;
        for &at in &self.path {
            let Value::Struct(members) = value else { return None };
            let found = members.fields().nth(at)?;
            (field, value) = (found.field, found.value);
        }
        Some(then(value, field))
    }
}

/// What a slot holds.
fn number(slot: &Slot, payload: &[u8], index: u64) -> u64 {
    match (slot.view, &slot.source) {
        (View::Text, _) => regions::RECORD_TEXTS.address(index * ROOM),
        (View::Elements(_), _) => regions::RECORD_ARRAYS.address(index * ROOM),
        (_, None) => 0,
        (View::Unsigned | View::Signed, Some(source)) if source.path.is_empty() => {
            source.accessor.int(payload).or_else(|| source.with(payload, as_number)?).unwrap_or(0)
        }
        (View::Unsigned | View::Signed, Some(source)) => {
            source.with(payload, as_number).flatten().unwrap_or(0)
        }
        (View::Count, Some(source)) => {
            let count = |value: Value<'_>, _: &Field| match value {
                Value::Array(array) => array.count() as u64,
                _ => 0,
            };
            source.with(payload, count).unwrap_or(0)
        }
        (View::Raw | View::Size, Some(source)) => {
            let place = |value: Value<'_>, _: &Field| match value {
                Value::Binary(bytes) => {
                    Some((bytes.as_ptr().addr().wrapping_sub(payload.as_ptr().addr()), bytes.len()))
                }
                _ => None,
            };
            match source.with(payload, place).flatten() {
                Some((_, size)) if slot.view == View::Size => size as u64,
                Some((at, _)) => regions::EVENT.address(EVENT_PREFIX + at as u64),
                None => 0,
            }
        }
    }
}

/// A value as a number; of few bytes, which another version holds as a number, what they make.
fn as_number(value: Value<'_>, _: &Field) -> Option<u64> {
    match value {
        Value::Binary(bytes) if bytes.len() <= SLOT => {
            let mut word = [0; SLOT];
            word[..bytes.len()].copy_from_slice(bytes);
            Some(u64::from_le_bytes(word))
        }
        value => value.as_u64(),
    }
}

/// Appends a field as text, ended by a NUL.
fn put_text(out: &mut Vec<u8>, value: &Value<'_>, field: &Field) {
    let start = out.len();
    match value {
        Value::Utf16(text) => out.extend(text.to_string().bytes().filter(|&b| b != 0)),
        Value::Ansi(text) => out.extend(String::from_utf8_lossy(text).bytes().filter(|&b| b != 0)),
        value => {
            let text = value_text(*value, field);
            out.extend(text.bytes().filter(|&b| b != 0));
        }
    }
    out.truncate(start + (ROOM as usize / 2 - 1));
    out.push(0);
}

/// A value that is not a text, formatted according to the field's hint and the names of its values.
fn value_text(value: Value<'_>, field: &Field) -> String {
    value.display(field).to_string()
}
