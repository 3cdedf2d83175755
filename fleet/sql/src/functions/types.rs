//! The types of arguments and results.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Fields, TimeUnit};
use datafusion::error::{DataFusionError, Result};

use super::Function;

/// A field with this key in its metadata has texts of several lines that a function made: none of their line ends is from a trace.
pub const LINES: &str = "tracewell.lines";

/// The type of an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Integer,
    /// A number that is rounded to an integer, or a duration.
    Nanoseconds,
    /// A number of at most 32 bits without a sign.
    Id,
    /// An address.
    Address,
    /// A text.
    Text,
    /// A text of several lines.
    Lines,
    /// A time.
    Time,
    /// Buckets with their number of values.
    Histogram,
}

impl Type {
    /// The type of the values in Arrow.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Type::Integer | Type::Nanoseconds => DataType::Int64,
            Type::Id => DataType::UInt32,
            Type::Address => DataType::UInt64,
            Type::Text | Type::Lines => DataType::Utf8,
            Type::Time => DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            Type::Histogram => {
                DataType::List(Arc::new(Field::new_list_field(DataType::Struct(bucket_fields()), true)))
            }
        }
    }

    /// The name of the type in SQL.
    #[must_use]
    pub fn sql(self) -> &'static str {
        match self {
            Type::Integer | Type::Nanoseconds => "BIGINT",
            Type::Id => "UINTEGER",
            Type::Address => "UBIGINT",
            Type::Text | Type::Lines => "VARCHAR",
            Type::Time => "TIMESTAMP",
            Type::Histogram => "STRUCT(value BIGINT, count BIGINT)[]",
        }
    }

    /// What values are called in errors.
    #[must_use]
    pub fn called(self) -> &'static str {
        match self {
            Type::Integer | Type::Id | Type::Address => "an integer",
            Type::Nanoseconds => "a number or a duration",
            Type::Text | Type::Lines => "a text",
            Type::Time => "a time",
            Type::Histogram => "a result of histogram()",
        }
    }

    /// Returns `true` if values of a type become values of this one.
    fn takes(self, given: &DataType) -> bool {
        match (self, given) {
            (_, DataType::Null) => true,
            (Type::Integer | Type::Id | Type::Address, _) => given.is_integer(),
            (Type::Nanoseconds, DataType::Duration(TimeUnit::Nanosecond)) => true,
            (Type::Nanoseconds, _) => given.is_numeric(),
            (Type::Text | Type::Lines, DataType::Dictionary(_, values)) => self.takes(values),
            (Type::Text | Type::Lines, _) => given.is_string(),
            (Type::Time, _) => matches!(given, DataType::Timestamp(..)),
            (Type::Histogram, DataType::List(field)) => match field.data_type() {
                DataType::Struct(fields) => {
                    let types = |fields: &Fields| -> Vec<DataType> {
                        fields.iter().map(|field| field.data_type().clone()).collect()
                    };
                    types(fields) == types(&bucket_fields())
                }
                _ => false,
            },
            (Type::Histogram, _) => false,
        }
    }
}

/// The fields of a bucket.
pub(super) fn bucket_fields() -> Fields {
    let field = |name| Field::new(name, DataType::Int64, false);
    Fields::from(vec![field("value"), field("count")])
}

/// The types that arguments of these types become.
pub(super) fn coerce(function: &Function, given: &[DataType]) -> Result<Vec<DataType>> {
    let (wanted, call) = (function.arguments, function.call());
    if wanted.len() != given.len() {
        let found = given.len();
        let arguments = if wanted.len() == 1 { "argument" } else { "arguments" };
        return Err(DataFusionError::Plan(format!("{call} has {} {arguments}, not {found}", wanted.len())));
    }
    let one = |(argument, given): (&super::Argument, &DataType)| {
        if argument.ty.takes(given) {
            return Ok(argument.ty.data_type());
        }
        let (name, called) = (argument.name, argument.ty.called());
        Err(DataFusionError::Plan(format!("{call}: {name} is {called}, not {given}")))
    };
    wanted.iter().zip(given).map(one).collect()
}
