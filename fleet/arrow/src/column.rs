//! What a column is: its name, type, unit and source. The schema and the documentation are generated from it.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The type of the values.
    pub ty: Type,
    /// Whether a row may have no value.
    pub is_nullable: bool,
    /// The unit of the values; empty if they have none.
    pub unit: &'static str,
    /// What the values are.
    pub about: &'static str,
    /// Where they come from.
    pub from: From,
}

/// What has to be read for the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum From {
    /// The header of the record.
    Header,
    /// The descriptions of events, for which the trace is read once before.
    Names,
    /// The payload, with its description.
    Payload,
    /// Processes, threads and context switches before the record: the trace is read in order of time.
    State,
    /// The stacks that were logged, beside the state: the trace is read twice before.
    Stacks,
    /// The file.
    File,
}

impl From {
    /// The name for documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            From::Header => "header",
            From::Names => "description",
            From::Payload => "payload",
            From::State => "state",
            From::Stacks => "stacks",
            From::File => "file",
        }
    }
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nanoseconds since 1970 in UTC.
    Time,
    /// A truth value.
    Bool,
    /// An unsigned number.
    U8,
    /// An unsigned number.
    U16,
    /// An unsigned number.
    U32,
    /// An unsigned number.
    U64,
    /// A number with a sign.
    I8,
    /// A number with a sign.
    I16,
    /// A number with a sign.
    I32,
    /// A number with a sign.
    I64,
    /// A single.
    F32,
    /// A double.
    F64,
    /// A text, of which many rows have the same.
    Name,
    /// A text.
    Text,
    /// Bytes.
    Bytes,
}

impl Type {
    /// The type in Arrow.
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            Type::Time => DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            Type::Bool => DataType::Boolean,
            Type::U8 => DataType::UInt8,
            Type::U16 => DataType::UInt16,
            Type::U32 => DataType::UInt32,
            Type::U64 => DataType::UInt64,
            Type::I8 => DataType::Int8,
            Type::I16 => DataType::Int16,
            Type::I32 => DataType::Int32,
            Type::I64 => DataType::Int64,
            Type::F32 => DataType::Float32,
            Type::F64 => DataType::Float64,
            Type::Name => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Type::Text => DataType::Utf8,
            Type::Bytes => DataType::Binary,
        }
    }

    /// The name of the type in SQL.
    #[must_use]
    pub fn sql(self) -> &'static str {
        match self {
            Type::Time => "TIMESTAMP",
            Type::Bool => "BOOLEAN",
            Type::U8 => "UTINYINT",
            Type::U16 => "USMALLINT",
            Type::U32 => "UINTEGER",
            Type::U64 => "UBIGINT",
            Type::I8 => "TINYINT",
            Type::I16 => "SMALLINT",
            Type::I32 => "INTEGER",
            Type::I64 => "BIGINT",
            Type::F32 => "REAL",
            Type::F64 => "DOUBLE",
            Type::Name | Type::Text => "VARCHAR",
            Type::Bytes => "BLOB",
        }
    }
}

impl Column {
    /// The column in an Arrow schema.
    #[must_use]
    pub fn field(&self) -> Field {
        Field::new(self.name, self.ty.data_type(), self.is_nullable)
    }
}

/// The schema of a table.
#[must_use]
pub fn schema_of(columns: &[Column]) -> SchemaRef {
    Arc::new(Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>()))
}
