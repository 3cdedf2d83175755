//! A function that has a result for each row, as DataFusion calls it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, StringBuilder};
use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, Int64Type, TimestampNanosecondType, UInt32Type, UInt64Type,
};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::scalar::ScalarValue;

use super::traces::Traces;
use super::types::{LINES, Type, coerce};
use super::{Function, How};

/// A function over some traces.
#[derive(Debug)]
pub(super) struct Of {
    function: &'static Function,
    traces: Arc<Traces>,
    signature: Signature,
    documentation: Documentation,
}

impl Of {
    pub(super) fn new(function: &'static Function, traces: Arc<Traces>) -> Of {
        // Of one query over the same traces the result is the same.
        let signature = Signature::user_defined(Volatility::Stable);
        Of { function, traces, signature, documentation: function.documentation() }
    }
}

/// A context has one function of a name.
impl PartialEq for Of {
    fn eq(&self, other: &Of) -> bool {
        self.function.name == other.function.name && Arc::ptr_eq(&self.traces, &other.traces)
    }
}

impl Eq for Of {}

impl Hash for Of {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Of {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        coerce(self.function, given)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.function.result.data_type())
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let field = Field::new(self.function.name, self.function.result.data_type(), true);
        Ok(Arc::new(match self.function.result {
            Type::Lines => field.with_metadata([(LINES.to_owned(), "true".to_owned())].into()),
            _ => field,
        }))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_one = arguments.args.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
        let rows = if is_one { 1 } else { arguments.number_rows };
        let arrays = arguments.args.iter().map(|value| value.to_array(rows)).collect::<Result<Vec<_>>>()?;
        let values = Values { arrays, rows };
        let refusal = |why: String| DataFusionError::Execution(format!("{}: {why}", self.function.call()));
        let column = match self.function.how {
            How::Number(of) => numbers(&values, of),
            How::Text(of) => texts(&values, of),
            How::Traces(of) => of(&self.traces, &values),
            How::Histogram => Err("is an aggregate".to_owned()),
        };
        let column = column.map_err(refusal)?;
        Ok(if is_one {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&column, 0)?)
        } else {
            ColumnarValue::Array(column)
        })
    }
}

/// The arguments of some rows, of the types that the function declares.
pub(super) struct Values {
    arrays: Vec<ArrayRef>,
    rows: usize,
}

impl Values {
    /// The rows: [`None`] where an argument is NULL.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<usize>> {
        let is_there = |row: usize| self.arrays.iter().all(|array| array.is_valid(row));
        (0..self.rows).map(move |row| is_there(row).then_some(row))
    }

    pub(super) fn array(&self, argument: usize) -> Option<&ArrayRef> {
        self.arrays.get(argument)
    }

    fn of<T>(&self, argument: usize, get: impl Fn(&ArrayRef) -> Option<T>) -> Option<T> {
        self.arrays.get(argument).and_then(get)
    }

    pub(super) fn integer(&self, argument: usize, row: usize) -> i64 {
        let get = |array: &ArrayRef| Some(array.as_primitive_opt::<Int64Type>()?.value(row));
        self.of(argument, get).unwrap_or(0)
    }

    pub(super) fn id(&self, argument: usize, row: usize) -> u32 {
        let get = |array: &ArrayRef| Some(array.as_primitive_opt::<UInt32Type>()?.value(row));
        self.of(argument, get).unwrap_or(0)
    }

    pub(super) fn address(&self, argument: usize, row: usize) -> u64 {
        let get = |array: &ArrayRef| Some(array.as_primitive_opt::<UInt64Type>()?.value(row));
        self.of(argument, get).unwrap_or(0)
    }

    /// Nanoseconds since 1970.
    pub(super) fn time(&self, argument: usize, row: usize) -> i64 {
        let get = |array: &ArrayRef| Some(array.as_primitive_opt::<TimestampNanosecondType>()?.value(row));
        self.of(argument, get).unwrap_or(0)
    }

    pub(super) fn text(&self, argument: usize, row: usize) -> &str {
        let array = self.arrays.get(argument).and_then(|array| array.as_string_opt::<i32>());
        array.map_or("", |array| array.value(row))
    }
}

fn numbers(values: &Values, of: super::plain::Number) -> Result<ArrayRef, String> {
    let one = |row: Option<usize>| row.map_or(Ok(None), |row| of(values, row));
    let numbers = values.rows().map(one).collect::<Result<Int64Array, String>>()?;
    Ok(Arc::new(numbers))
}

fn texts(values: &Values, of: super::plain::Text) -> Result<ArrayRef, String> {
    let mut texts = StringBuilder::new();
    for row in values.rows() {
        texts.append_option(row.map_or(Ok(None), |row| of(values, row))?);
    }
    Ok(Arc::new(texts.finish()))
}
