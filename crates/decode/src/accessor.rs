//! One field of a layout, resolved once and read many times.

use std::borrow::Cow;

use tracewell_schema::{Count, Field, FieldType, Version};
use tracewell_types::{Guid, Sid, Utf16Str};

use crate::Value;
use crate::value::{sign_extend, text_ansi, text_utf16};
use crate::walk::{Extent, Nest, Payload, read_unsigned};

/// Reads one field out of payloads of one layout and pointer size.
///
/// When everything before the field has a fixed size, reading is one bounds check and one load;
/// otherwise the fields in between are skipped first. Nothing is allocated and a payload that is too
/// short or malformed gives `None`.
#[derive(Clone, Debug)]
pub struct Accessor {
    /// Where the last field of fixed position begins: the field itself, or where to start skipping.
    offset: usize,
    /// The size and the way to read an integer; `Integer::No` for all other types.
    integer: Integer,
    /// Whether fields must be skipped from `offset` on.
    walk: bool,
    pointer_size: u8,
    /// How many of `fields` lie before `offset`.
    skipped: usize,
    /// The fields up to and including this one.
    fields: Cow<'static, [Field]>,
}

/// How an integer field is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Integer {
    No,
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    PortBe,
    Bool(u8),
}

impl Integer {
    fn of(field: &Field, pointer_size: u8) -> Integer {
        if field.count != Count::One {
            return Integer::No;
        }
        match field.ty {
            FieldType::U8 => Integer::U8,
            FieldType::U16 => Integer::U16,
            FieldType::U32 => Integer::U32,
            FieldType::U64 | FieldType::I64 | FieldType::FileTime => Integer::U64,
            FieldType::I8 => Integer::I8,
            FieldType::I16 => Integer::I16,
            FieldType::I32 => Integer::I32,
            FieldType::Pointer if pointer_size == 8 => Integer::U64,
            FieldType::Pointer if pointer_size == 4 => Integer::U32,
            FieldType::Port => Integer::PortBe,
            FieldType::Bool8 => Integer::Bool(1),
            FieldType::Bool32 => Integer::Bool(4),
            _ => Integer::No,
        }
    }
}

impl Accessor {
    /// Resolves the field `name`, ignoring ASCII case; `None` if the layout has no such field.
    #[must_use]
    pub fn new(layout: &Version, name: &str, pointer_size: u8) -> Option<Accessor> {
        Accessor::at(layout, layout.position(name)?, pointer_size)
    }

    /// Resolves the field at a position in the layout.
    #[must_use]
    pub fn at(layout: &Version, position: usize, pointer_size: u8) -> Option<Accessor> {
        let fields = match &layout.fields {
            Cow::Borrowed(fields) => Cow::Borrowed(fields.get(..=position)?),
            Cow::Owned(fields) => Cow::Owned(fields.get(..=position)?.to_vec()),
        };
        let (field, before) = fields.split_last()?;
        let mut offset = 0usize;
        let mut skipped = 0;
        for earlier in before {
            let Some(size) = earlier.fixed_size(pointer_size) else { break };
            offset = offset.checked_add(size)?;
            skipped += 1;
        }
        Some(Accessor {
            offset,
            integer: Integer::of(field, pointer_size),
            walk: skipped < before.len(),
            pointer_size,
            skipped,
            fields,
        })
    }

    /// The description of the field.
    #[must_use]
    pub fn field(&self) -> Option<&Field> {
        self.fields.last()
    }

    /// Where the field begins in every payload, when that does not depend on the payload.
    #[must_use]
    pub fn fixed_offset(&self) -> Option<usize> {
        (!self.walk).then_some(self.offset)
    }

    /// Where the field begins in this payload.
    #[inline]
    #[must_use]
    pub fn offset(&self, payload: &[u8]) -> Option<usize> {
        if self.walk { self.walk_to(payload) } else { Some(self.offset) }
    }

    #[cold]
    fn walk_to(&self, payload: &[u8]) -> Option<usize> {
        let payload = Payload { bytes: payload, pointer_size: self.pointer_size };
        let (_, before) = self.fields.split_last()?;
        let mut at = self.offset;
        for field in before.get(self.skipped..)? {
            if field.optional && at == payload.bytes.len() {
                return None;
            }
            at = payload.end_of(field, at, before, 0, Nest::default()).ok()?;
        }
        Some(at)
    }

    /// The value of an integer field, signed ones sign-extended. `None` for other types and arrays.
    #[inline]
    #[must_use]
    pub fn int(&self, payload: &[u8]) -> Option<u64> {
        let at = self.offset(payload)?;
        let read = |size| read_unsigned(payload, at, size);
        match self.integer {
            Integer::U8 => read(1),
            Integer::U16 => read(2),
            Integer::U32 => read(4),
            Integer::U64 => read(8),
            Integer::I8 => read(1).map(|n| sign_extend(n, 1)),
            Integer::I16 => read(2).map(|n| sign_extend(n, 2)),
            Integer::I32 => read(4).map(|n| sign_extend(n, 4)),
            Integer::PortBe => read(2).map(|n| u64::from((n as u16).swap_bytes())),
            Integer::Bool(size) => read(usize::from(size)).map(|n| u64::from(n != 0)),
            Integer::No => None,
        }
    }

    /// The content of the field: text without its terminator, the identifier inside a token-user
    /// block, all elements of an array.
    #[must_use]
    pub fn bytes<'a>(&self, payload: &'a [u8]) -> Option<&'a [u8]> {
        let extent = self.extent(payload)?;
        payload.get(extent.start..extent.end)
    }

    /// UTF-16 text.
    #[must_use]
    pub fn str16<'a>(&self, payload: &'a [u8]) -> Option<Utf16Str<'a>> {
        match self.single()? {
            FieldType::Utf16(length) => Some(text_utf16(*length, self.bytes(payload)?)),
            _ => None,
        }
    }

    /// 8-bit text.
    #[must_use]
    pub fn ansi<'a>(&self, payload: &'a [u8]) -> Option<&'a [u8]> {
        match self.single()? {
            FieldType::Ansi(length) => Some(text_ansi(*length, self.bytes(payload)?)),
            _ => None,
        }
    }

    /// A GUID.
    #[must_use]
    pub fn guid(&self, payload: &[u8]) -> Option<Guid> {
        match self.single()? {
            FieldType::Guid => Some(Guid::from_bytes(*self.bytes(payload)?.first_chunk()?)),
            _ => None,
        }
    }

    /// A security identifier; `None` also when the event says that there is none.
    #[must_use]
    pub fn sid<'a>(&self, payload: &'a [u8]) -> Option<Sid<'a>> {
        match self.single()? {
            FieldType::Sid | FieldType::TokenUser => Sid::parse(self.bytes(payload)?),
            _ => None,
        }
    }

    /// The field as a [`Value`].
    #[must_use]
    pub fn value<'a>(&'a self, payload: &'a [u8]) -> Option<Value<'a>> {
        let at = self.offset(payload)?;
        let (field, before) = self.fields.split_last()?;
        if field.optional && at == payload.len() {
            return None;
        }
        let payload = Payload { bytes: payload, pointer_size: self.pointer_size };
        Value::of_field(field, payload, at, before, 0).ok().map(|(value, _)| value)
    }

    /// Returns `true` if the payload ends before the field and may do so: a field that begins at the end of the payload,
    /// this one or one before it, is optional, or `any` may be left out.
    #[must_use]
    pub fn is_left_out(&self, payload: &[u8], any: bool) -> bool {
        let payload = Payload { bytes: payload, pointer_size: self.pointer_size };
        let mut at = 0;
        for (index, field) in self.fields.iter().enumerate() {
            if (any || field.optional) && at == payload.bytes.len() {
                return true;
            }
            let before = self.fields.get(..index).unwrap_or_default();
            match payload.end_of(field, at, before, 0, Nest::default()) {
                Ok(end) => at = end,
                Err(_) => return false,
            }
        }
        false
    }

    fn single(&self) -> Option<&FieldType> {
        self.field().filter(|field| field.count == Count::One).map(|field| &field.ty)
    }

    fn extent(&self, payload: &[u8]) -> Option<Extent> {
        let at = self.offset(payload)?;
        let (field, before) = self.fields.split_last()?;
        let payload = Payload { bytes: payload, pointer_size: self.pointer_size };
        if field.count == Count::One {
            return payload.element(&field.ty, at, before, 0, Nest::default()).ok();
        }
        let end = payload.end_of(field, at, before, 0, Nest::default()).ok()?;
        let (_, start) = payload.elements(field, at, before, 0, Nest::default()).ok()?;
        Some(Extent { start, end, next: end })
    }
}
