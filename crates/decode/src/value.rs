//! One decoded field.

use tracewell_schema::{Count, Field, FieldType, Length};
use tracewell_types::{FileTime, Guid, Sid, Utf16Str};

use crate::walk::{Extent, Nest, Payload, read_unsigned};
use crate::{Formatted, Problem};

/// A decoded field. Text and bytes are borrowed from the payload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A whole number without a sign; a port is in host order.
    Unsigned(u64),
    /// A whole number with a sign.
    Signed(i64),
    /// A truth value.
    Bool(bool),
    /// A single.
    F32(f32),
    /// A double.
    F64(f64),
    /// A GUID.
    Guid(Guid),
    /// A point in time, 100-ns ticks since 1601.
    FileTime(FileTime),
    /// A `SYSTEMTIME`: year, month, day of week, day, hour, minute, second, millisecond.
    SystemTime([u16; 8]),
    /// An IPv4 address, in network order.
    Ipv4([u8; 4]),
    /// An IPv6 address, in network order.
    Ipv6([u8; 16]),
    /// A security identifier; `None` when the event says that there is none.
    Sid(Option<Sid<'a>>),
    /// UTF-16 text without its terminator.
    Utf16(Utf16Str<'a>),
    /// 8-bit text without its terminator.
    Ansi(&'a [u8]),
    /// Bytes.
    Binary(&'a [u8]),
    /// The members of a struct.
    Struct(Members<'a>),
    /// The elements of an array.
    Array(Array<'a>),
}

impl<'a> Value<'a> {
    /// The value as a number: signed ones sign-extended, truth values as 0 or 1, file times as ticks.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        Some(match self {
            Value::Unsigned(n) => *n,
            Value::Signed(n) => n.cast_unsigned(),
            Value::Bool(b) => u64::from(*b),
            Value::FileTime(time) => time.ticks().cast_unsigned(),
            _ => return None,
        })
    }

    /// The value as text, shown the way the field's hint asks for.
    #[must_use]
    pub fn display(&self, field: &'a Field) -> Formatted<'a> {
        Formatted::new(*self, field.hint).with_map(field.map.as_ref().map(tracewell_schema::MapRef::get))
    }

    /// Decodes the element that lies at `extent`.
    pub(crate) fn of_element(ty: &'a FieldType, payload: Payload<'a>, extent: Extent) -> Option<Value<'a>> {
        let bytes = payload.bytes.get(extent.start..extent.end)?;
        let unsigned = || read_unsigned(bytes, 0, bytes.len());
        Some(match ty {
            FieldType::U8 | FieldType::U16 | FieldType::U32 | FieldType::U64 | FieldType::Pointer => {
                Value::Unsigned(unsigned()?)
            }
            FieldType::I8 | FieldType::I16 | FieldType::I32 | FieldType::I64 => {
                Value::Signed(sign_extend(unsigned()?, bytes.len()).cast_signed())
            }
            FieldType::Bool8 | FieldType::Bool32 => Value::Bool(unsigned()? != 0),
            FieldType::Port => Value::Unsigned(u64::from(u16::from_be_bytes(*bytes.first_chunk()?))),
            FieldType::F32 => Value::F32(f32::from_le_bytes(*bytes.first_chunk()?)),
            FieldType::F64 => Value::F64(f64::from_le_bytes(*bytes.first_chunk()?)),
            FieldType::Guid => Value::Guid(Guid::from_bytes(*bytes.first_chunk()?)),
            FieldType::FileTime => Value::FileTime(FileTime(unsigned()?.cast_signed())),
            FieldType::SystemTime => {
                let mut parts = [0; 8];
                for (part, pair) in parts.iter_mut().zip(bytes.chunks_exact(2)) {
                    *part = u16::from_le_bytes(*pair.first_chunk()?);
                }
                Value::SystemTime(parts)
            }
            FieldType::Ipv4 => Value::Ipv4(*bytes.first_chunk()?),
            FieldType::Ipv6 => Value::Ipv6(*bytes.first_chunk()?),
            FieldType::Sid | FieldType::TokenUser => Value::Sid(Sid::parse(bytes)),
            FieldType::Utf16(length) => Value::Utf16(text_utf16(*length, bytes)),
            FieldType::Ansi(length) => Value::Ansi(text_ansi(*length, bytes)),
            FieldType::Binary(_) => Value::Binary(bytes),
            FieldType::Struct(fields) => Value::Struct(Members { fields, payload, at: extent.start }),
            _ => return None,
        })
    }

    /// Decodes a single number, or a text up to its terminator: the common cases, which need no extents. `None` for
    /// everything else, and for what is cut off.
    #[inline]
    pub(crate) fn of_usual(field: &Field, payload: Payload<'a>, at: usize) -> Option<(Value<'a>, usize)> {
        if field.count != Count::One {
            return None;
        }
        let read = |size: usize| Some((read_unsigned(payload.bytes, at, size)?, at + size));
        let unsigned = |size| read(size).map(|(n, next)| (Value::Unsigned(n), next));
        let signed =
            |size| read(size).map(|(n, next)| (Value::Signed(sign_extend(n, size).cast_signed()), next));
        match field.ty {
            FieldType::U32 => unsigned(4),
            FieldType::Pointer if payload.pointer_size == 8 => unsigned(8),
            FieldType::Pointer if payload.pointer_size == 4 => unsigned(4),
            FieldType::U64 => unsigned(8),
            FieldType::U16 => unsigned(2),
            FieldType::U8 => unsigned(1),
            FieldType::I32 => signed(4),
            FieldType::I64 => signed(8),
            FieldType::I16 => signed(2),
            FieldType::I8 => signed(1),
            FieldType::Utf16(Length::Nul) => {
                let tail = payload.bytes.get(at..).filter(|tail| !tail.is_empty())?;
                let (text, used) = Utf16Str::until_nul(tail);
                Some((Value::Utf16(text), at + used))
            }
            FieldType::Ansi(Length::Nul) => {
                let tail = payload.bytes.get(at..).filter(|tail| !tail.is_empty())?;
                match first_zero(tail) {
                    Some(end) => Some((Value::Ansi(tail.get(..end)?), at + end + 1)),
                    None => Some((Value::Ansi(tail), at + tail.len())),
                }
            }
            _ => None,
        }
    }

    /// Decodes the whole field at `at`, and returns where the next one begins.
    pub(crate) fn of_field(
        field: &'a Field,
        payload: Payload<'a>,
        at: usize,
        siblings: &'a [Field],
        base: usize,
    ) -> Result<(Value<'a>, usize), Problem> {
        if field.count == Count::One {
            let extent = payload.element(&field.ty, at, siblings, base, Nest::default())?;
            let value = Value::of_element(&field.ty, payload, extent).ok_or(Problem::Truncated)?;
            return Ok((value, extent.next));
        }
        let next = payload.end_of(field, at, siblings, base, Nest::default())?;
        let (_, start) = payload.elements(field, at, siblings, base, Nest::default())?;
        Ok((Value::Array(Array { ty: &field.ty, siblings, base, payload, at: start, end: next }), next))
    }
}

/// The first byte that is zero, found a word at a time.
#[inline]
fn first_zero(bytes: &[u8]) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*word);
        // The lowest of these bits is that of the lowest zero byte; higher ones may be of a one behind it.
        let zeros = word.wrapping_sub(LOW) & !word & HIGH;
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
    Some(at + rest)
}

/// Spreads the sign of a number of `size` bytes over 64 bits.
#[inline]
pub(crate) fn sign_extend(value: u64, size: usize) -> u64 {
    let shift = 64 - 8 * u32::try_from(size.clamp(1, 8)).unwrap_or(8);
    ((value << shift).cast_signed() >> shift).cast_unsigned()
}

/// The text in the bytes of a UTF-16 field. Fixed-size and counted text may hold a terminator inside; of
/// other text the bytes end before it already.
pub(crate) fn text_utf16(length: Length, bytes: &[u8]) -> Utf16Str<'_> {
    if length == Length::Nul { Utf16Str::from_bytes(bytes) } else { Utf16Str::until_nul(bytes).0 }
}

/// The text in the bytes of an 8-bit field; see [`text_utf16`].
pub(crate) fn text_ansi(length: Length, bytes: &[u8]) -> &[u8] {
    if length == Length::Nul {
        return bytes;
    }
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    bytes.get(..end).unwrap_or(bytes)
}

/// The elements of an array field, decoded as they are asked for. They all lie inside the payload.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    ty: &'a FieldType,
    siblings: &'a [Field],
    base: usize,
    payload: Payload<'a>,
    at: usize,
    end: usize,
}

impl<'a> Array<'a> {
    /// The type of each element.
    #[must_use]
    pub fn element_type(&self) -> &'a FieldType {
        self.ty
    }

    /// The bytes of all elements.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.payload.bytes.get(self.at..self.end).unwrap_or_default()
    }

    /// Element `index`; in constant time when elements have a fixed size.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Value<'a>> {
        let mut rest = *self;
        if let Some(size) = self.ty.fixed_size(self.payload.pointer_size) {
            rest.at = self.at.checked_add(size.checked_mul(index)?)?;
            return rest.next();
        }
        rest.nth(index)
    }
}

impl<'a> Iterator for Array<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        if self.at >= self.end {
            return None;
        }
        let extent =
            self.payload.element(self.ty, self.at, self.siblings, self.base, Nest::default()).ok()?;
        self.at = if extent.next > self.at { extent.next } else { self.end };
        Value::of_element(self.ty, self.payload, extent)
    }
}

/// The members of a struct, in order.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a> {
    fields: &'a [Field],
    payload: Payload<'a>,
    at: usize,
}

impl<'a> Members<'a> {
    /// The members with their fields.
    #[must_use]
    pub fn fields(&self) -> crate::Fields<'a> {
        crate::Fields::at(self.fields, self.payload, self.at)
    }

    /// The member with this name, ignoring ASCII case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        self.fields().find(|member| member.field.name.eq_ignore_ascii_case(name)).map(|m| m.value)
    }
}
