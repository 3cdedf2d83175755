//! Columns that grow value by value.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Float32Builder, Float64Builder, Int8Builder, Int16Builder, Int32Builder,
    Int64Builder, StringBuilder, StringDictionaryBuilder, TimestampNanosecondBuilder, UInt8Builder,
    UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::Int32Type;
use tracewell::events::{json, write};
use tracewell_decode::{NamedValue, Value};
use tracewell_schema::Hint;

use crate::column::Type;

/// The values of a column for the rows of a batch.
pub struct Cells {
    builder: Builder,
    buffer: Vec<u8>,
}

enum Builder {
    Time(TimestampNanosecondBuilder),
    Bool(BooleanBuilder),
    U8(UInt8Builder),
    U16(UInt16Builder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    I8(Int8Builder),
    I16(Int16Builder),
    I32(Int32Builder),
    I64(Int64Builder),
    F32(Float32Builder),
    F64(Float64Builder),
    Name(StringDictionaryBuilder<Int32Type>),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
}

/// A value of a table that is not made from payloads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(i128),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(&'a str),
}

impl Cells {
    /// A column of this type.
    #[must_use]
    pub fn new(ty: Type) -> Cells {
        let builder = match ty {
            Type::Time => Builder::Time(TimestampNanosecondBuilder::new().with_timezone("UTC")),
            Type::Bool => Builder::Bool(BooleanBuilder::new()),
            Type::U8 => Builder::U8(UInt8Builder::new()),
            Type::U16 => Builder::U16(UInt16Builder::new()),
            Type::U32 => Builder::U32(UInt32Builder::new()),
            Type::U64 => Builder::U64(UInt64Builder::new()),
            Type::I8 => Builder::I8(Int8Builder::new()),
            Type::I16 => Builder::I16(Int16Builder::new()),
            Type::I32 => Builder::I32(Int32Builder::new()),
            Type::I64 => Builder::I64(Int64Builder::new()),
            Type::F32 => Builder::F32(Float32Builder::new()),
            Type::F64 => Builder::F64(Float64Builder::new()),
            Type::Name => Builder::Name(StringDictionaryBuilder::new()),
            Type::Text => Builder::Text(StringBuilder::new()),
            Type::Bytes => Builder::Bytes(BinaryBuilder::new()),
        };
        Cells { builder, buffer: Vec::new() }
    }

    /// Adds a value. One that the type does not have is none.
    pub fn push(&mut self, cell: Cell<'_>) {
        let number = match cell {
            Cell::Number(number) => Some(number),
            Cell::Bool(is) => Some(is.into()),
            _ => None,
        };
        fn of<T: TryFrom<i128>>(number: Option<i128>) -> Option<T> {
            number.and_then(|number| T::try_from(number).ok())
        }
        let text = if let Cell::Text(text) = cell { Some(text) } else { None };
        let float = match cell {
            Cell::Float(number) => Some(number),
            _ => number.map(|number| number as f64),
        };
        match &mut self.builder {
            Builder::Time(builder) => builder.append_option(of(number)),
            Builder::Bool(builder) => builder.append_option(number.map(|number| number != 0)),
            Builder::U8(builder) => builder.append_option(of(number)),
            Builder::U16(builder) => builder.append_option(of(number)),
            Builder::U32(builder) => builder.append_option(of(number)),
            Builder::U64(builder) => builder.append_option(of(number)),
            Builder::I8(builder) => builder.append_option(of(number)),
            Builder::I16(builder) => builder.append_option(of(number)),
            Builder::I32(builder) => builder.append_option(of(number)),
            Builder::I64(builder) => builder.append_option(of(number)),
            Builder::F32(builder) => builder.append_option(float.map(|number| number as f32)),
            Builder::F64(builder) => builder.append_option(float),
            Builder::Name(builder) => builder.append_option(text),
            Builder::Text(builder) => builder.append_option(text),
            Builder::Bytes(builder) => builder.append_option(text.map(str::as_bytes)),
        }
    }

    /// Adds the value of a field as `etw dump --json` shows it; `None` for a field that was not decoded. Returns the bytes of
    /// its text.
    pub fn push_field(&mut self, named: Option<&NamedValue<'_>>) -> usize {
        let Some(named) = named.filter(|named| named.field.hint != Hint::Leftover) else {
            self.push(Cell::Null);
            return 0;
        };
        let cell = match (&self.builder, named.value) {
            (Builder::Text(_) | Builder::Name(_), _) => return self.push_text(named),
            (Builder::Bytes(_), Value::Binary(bytes)) => {
                if let Builder::Bytes(builder) = &mut self.builder {
                    builder.append_value(bytes);
                }
                return bytes.len();
            }
            (_, Value::Unsigned(number)) => Cell::Number(number.into()),
            (_, Value::Signed(number)) => Cell::Number(number.into()),
            (_, Value::Bool(is)) => Cell::Bool(is),
            (_, Value::F32(number)) => Cell::Float(number.into()),
            (_, Value::F64(number)) => Cell::Float(number),
            _ => Cell::Null,
        };
        self.push(cell);
        0
    }

    fn push_text(&mut self, named: &NamedValue<'_>) -> usize {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let mut is_known = true;
        match named.value {
            Value::Sid(None) => is_known = false,
            Value::Ansi(bytes) => buffer.extend_from_slice(write::ansi(bytes).as_bytes()),
            Value::Struct(_) | Value::Array(_) => json::value(&mut buffer, named),
            Value::Binary(bytes) if !matches!(named.field.hint, Hint::SocketAddress | Hint::IpAddress) => {
                write::hex_bytes(&mut buffer, bytes);
            }
            _ => write::value_text(&mut buffer, named),
        }
        // What is not UTF-8 is none of the texts that are written above.
        let text = std::str::from_utf8(&buffer).ok().filter(|_| is_known);
        self.push(text.map_or(Cell::Null, Cell::Text));
        let bytes = buffer.len();
        self.buffer = buffer;
        bytes
    }

    /// The column, which begins anew.
    pub fn finish(&mut self) -> ArrayRef {
        match &mut self.builder {
            Builder::Time(builder) => Arc::new(builder.finish()),
            Builder::Bool(builder) => Arc::new(builder.finish()),
            Builder::U8(builder) => Arc::new(builder.finish()),
            Builder::U16(builder) => Arc::new(builder.finish()),
            Builder::U32(builder) => Arc::new(builder.finish()),
            Builder::U64(builder) => Arc::new(builder.finish()),
            Builder::I8(builder) => Arc::new(builder.finish()),
            Builder::I16(builder) => Arc::new(builder.finish()),
            Builder::I32(builder) => Arc::new(builder.finish()),
            Builder::I64(builder) => Arc::new(builder.finish()),
            Builder::F32(builder) => Arc::new(builder.finish()),
            Builder::F64(builder) => Arc::new(builder.finish()),
            Builder::Name(builder) => Arc::new(builder.finish()),
            Builder::Text(builder) => Arc::new(builder.finish()),
            Builder::Bytes(builder) => Arc::new(builder.finish()),
        }
    }
}
