//! One event as a record, decoded slot by slot as it is read.
//!
//! A slot that cannot be decoded has no bytes, so that reading it is a fault.

use std::cell::{Cell, OnceCell, RefCell};

use tracewell_decode::Value;
use tracewell_dlang::ir::Region;
use tracewell_schema::Field;

use crate::regions::{self, EVENT_PREFIX};
use crate::shape::{Fields, Place, Slot, Source, View};

/// Bytes of a slot.
pub(crate) const SLOT: usize = 8;
/// Distance of the texts, and of the elements, of two slots in their region: none is longer.
const ROOM: u64 = 1 << 20;

/// What was decoded of a slot.
#[derive(Debug, Default)]
struct Decoded {
    number: OnceCell<Option<[u8; SLOT]>>,
    text: OnceCell<Option<Vec<u8>>>,
    /// The elements of an array; their texts are in `text`.
    elements: OnceCell<Option<Vec<u8>>>,
    /// Whether any of these may be there.
    touched: Cell<bool>,
}

/// The regions that a record is read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    texts: Region,
    arrays: Region,
    /// The payload, and its offset there.
    event: (Region, u64),
}

impl Home {
    /// Those of the event that fires a probe.
    pub(crate) const EVENT: Home = Home {
        texts: regions::RECORD_TEXTS,
        arrays: regions::RECORD_ARRAYS,
        event: (regions::EVENT, EVENT_PREFIX),
    };
    /// Those of the event that began a span.
    pub(crate) const START: Home =
        Home { texts: regions::START_TEXTS, arrays: regions::START_ARRAYS, event: (regions::START_EVENT, 0) };
}

impl Default for Home {
    fn default() -> Home {
        Home::EVENT
    }
}

/// One event as a record, or several. Nothing is decoded before a script reads it, and only what was read is cleared
/// for the next event.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    home: Home,
    fields: Fields,
    decoded: Vec<Decoded>,
    touched: RefCell<Vec<usize>>,
    /// Records as a whole, by their number.
    wholes: Vec<OnceCell<Option<Vec<u8>>>>,
    /// What was read of the event.
    read: Cell<Read>,
    /// Whether the payload follows the layout.
    fits: OnceCell<bool>,
}

/// How far the fields that a program read of an event could be decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Read {
    /// None was read.
    #[default]
    Nothing,
    /// All could be.
    Decoded,
    /// One could not be.
    Undecoded,
}

impl Opened {
    /// Records that are read from these regions.
    pub(crate) fn at_home(home: Home) -> Opened {
        Opened { home, ..Opened::default() }
    }

    /// Begins a new event; nothing is decoded yet.
    pub(crate) fn begin(&mut self, fields: &Fields) {
        for place in self.touched.get_mut().drain(..) {
            if let Some(decoded) = self.decoded.get_mut(place) {
                *decoded = Decoded::default();
            }
        }
        self.read.set(Read::Nothing);
        self.fits.take();
        self.wholes.clear();
        self.wholes.resize_with(fields.records(), OnceCell::new);
        if self.decoded.len() < fields.count() {
            self.decoded.resize_with(fields.count(), Decoded::default);
        }
        self.fields = fields.clone();
    }

    /// A slot by number, and what is decoded of it.
    fn at(&self, payload: &[u8], number: usize) -> Option<(&Slot, &Decoded)> {
        let (place, slot) = self.fields.slot(number)?;
        if matches!(slot.place, Place::Field(_)) && !self.fits.get_or_init(|| self.fields.fit(payload)) {
            return self.noted(None);
        }
        let decoded = self.decoded.get(place)?;
        if !decoded.touched.replace(true) {
            self.touched.borrow_mut().push(place);
        }
        Some((slot, decoded))
    }

    /// Notes whether something that was read could be decoded.
    #[inline]
    fn noted<T>(&self, found: Option<T>) -> Option<T> {
        let read = if found.is_some() { Read::Decoded } else { Read::Undecoded };
        self.read.set(self.read.get().max(read));
        found
    }

    /// What the program has read of the event so far.
    pub(crate) fn read(&self) -> Read {
        self.read.get()
    }

    /// The bytes of a record from an offset to the end of the slot it lies in.
    pub(crate) fn slot(&self, payload: &[u8], at: usize) -> Option<&[u8]> {
        let index = at / SLOT;
        let (slot, decoded) = self.at(payload, index)?;
        let bytes = decoded
            .number
            .get_or_init(|| Some(number(&self.home, slot, payload, index as u64)?.to_le_bytes()));
        self.noted(bytes.as_ref())?.get(at % SLOT..)
    }

    /// The bytes of a record from an offset on, all decoded: for a script that takes the record as a whole.
    pub(crate) fn whole(&self, payload: &[u8], at: usize) -> Option<&[u8]> {
        let (record, base, count) = self.fields.record(at / SLOT)?;
        let all = self.wholes.get(record)?.get_or_init(|| {
            let mut all = Vec::with_capacity(count * SLOT);
            for index in base..base + count {
                all.extend_from_slice(self.slot(payload, index * SLOT)?);
            }
            Some(all)
        });
        all.as_ref()?.get(at - base * SLOT..)
    }

    /// The bytes of a field's text from an offset on. The texts of an array's elements follow each other.
    pub(crate) fn text(&self, payload: &[u8], at: u64) -> Option<&[u8]> {
        let index = usize::try_from(at / ROOM).ok()?;
        let (slot, decoded) = self.at(payload, index)?;
        if matches!(slot.view, View::Elements(_)) {
            self.array(payload, index)?;
        }
        let text = decoded.text.get_or_init(|| {
            let mut text = Vec::new();
            slot.place.with(payload, |value, field| put_text(&mut text, &value, field)).or_absent(())?;
            if text.is_empty() {
                text.push(0);
            }
            Some(text)
        });
        self.noted(text.as_ref())?.get((at % ROOM) as usize..)
    }

    /// The bytes of an array's elements from an offset on, one slot a member.
    pub(crate) fn elements(&self, payload: &[u8], at: u64) -> Option<&[u8]> {
        let index = usize::try_from(at / ROOM).ok()?;
        self.array(payload, index)?.get((at % ROOM) as usize..)
    }

    fn array(&self, payload: &[u8], index: usize) -> Option<&Vec<u8>> {
        let (slot, decoded) = self.at(payload, index)?;
        let elements = decoded.elements.get_or_init(|| {
            let (mut numbers, mut texts) = (Vec::new(), Vec::new());
            let place = &slot.place;
            place
                .with(payload, |value, field| {
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
                                        self.home.texts.address(start)
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
                })
                .or_absent(())?;
            texts.push(0);
            // Set once, here: the texts of an array are never made elsewhere.
            let _ = decoded.text.set(Some(texts));
            Some(numbers)
        });
        self.noted(elements.as_ref())
    }
}

/// A value that was read, or why there is none.
enum Got<T> {
    Value(T),
    /// The event does not have the field.
    Absent,
    /// The field cannot be decoded.
    Undecoded,
}

impl<T> Got<T> {
    /// The value, or that of an absent field; [`None`] if the field cannot be decoded.
    fn or_absent(self, absent: T) -> Option<T> {
        match self {
            Got::Value(value) => Some(value),
            Got::Absent => Some(absent),
            Got::Undecoded => None,
        }
    }
}

impl Place {
    /// Calls `then` with the value, if the payload has it. An empty payload has no fields that are not described.
    fn with<T>(&self, payload: &[u8], then: impl FnOnce(Value<'_>, &Field) -> T) -> Got<T> {
        match self {
            Place::Field(source) => source.with(payload, then),
            Place::Undecoded if !payload.is_empty() => Got::Undecoded,
            Place::Absent | Place::Undecoded => Got::Absent,
        }
    }
}

impl Source {
    fn with<T>(&self, payload: &[u8], then: impl FnOnce(Value<'_>, &Field) -> T) -> Got<T> {
        let (Some(mut field), Some(mut value)) = (self.accessor.field(), self.accessor.value(payload)) else {
            return self.missing(payload);
        };
        for &at in &self.path {
            let Value::Struct(members) = value else { return Got::Undecoded };
            let mut fields = members.fields();
            let Some(found) = fields.nth(at) else {
                // Without an error the struct ends before an optional member.
                return if fields.error().is_some() { Got::Undecoded } else { Got::Absent };
            };
            (field, value) = (found.field, found.value);
        }
        Got::Value(then(value, field))
    }

    #[cold]
    fn missing<T>(&self, payload: &[u8]) -> Got<T> {
        if self.accessor.is_left_out(payload, self.may_end) { Got::Absent } else { Got::Undecoded }
    }
}

/// What a slot holds; [`None`] if its field cannot be decoded.
fn number(home: &Home, slot: &Slot, payload: &[u8], index: u64) -> Option<u64> {
    let place = &slot.place;
    match slot.view {
        // Texts and arrays are decoded when they are read.
        View::Text | View::Elements(_) if matches!(place, Place::Undecoded) && !payload.is_empty() => None,
        View::Text => Some(home.texts.address(index * ROOM)),
        View::Elements(_) => Some(home.arrays.address(index * ROOM)),
        View::Unsigned | View::Signed => {
            if let Place::Field(source) = place
                && source.path.is_empty()
                && let Some(number) = source.accessor.int(payload)
            {
                return Some(number);
            }
            place.with(payload, as_number).or_absent(Some(0))?
        }
        View::Count => {
            let count = |value: Value<'_>, _: &Field| match value {
                Value::Array(array) => array.count() as u64,
                _ => 0,
            };
            place.with(payload, count).or_absent(0)
        }
        View::Raw | View::Size => {
            let bytes = |value: Value<'_>, _: &Field| match value {
                Value::Binary(bytes) => {
                    Some((bytes.as_ptr().addr().wrapping_sub(payload.as_ptr().addr()), bytes.len()))
                }
                _ => None,
            };
            Some(match place.with(payload, bytes).or_absent(None)? {
                Some((_, size)) if slot.view == View::Size => size as u64,
                Some((at, _)) => home.event.0.address(home.event.1 + at as u64),
                None => 0,
            })
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
