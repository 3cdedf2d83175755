//! Histograms as values: a list of buckets with their counts.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, StringBuilder, StructArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use tracewell_dengine::Histogram;

use super::scalar::Values;
use super::traces::Traces;
use super::types::bucket_fields;

/// A list with the buckets of one histogram.
pub(super) fn list(histogram: &Histogram) -> ListArray {
    let (values, counts): (Vec<i64>, Vec<i64>) = histogram.rows().unzip();
    let (fields, length) = (bucket_fields(), values.len());
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(values)), Arc::new(Int64Array::from(counts))];
    let buckets = StructArray::new(fields.clone(), columns, None);
    let field = Arc::new(Field::new_list_field(DataType::Struct(fields), true));
    ListArray::new(field, OffsetBuffer::from_lengths([length]), Arc::new(buckets), None)
}

/// Adds the buckets of a row of lists to a histogram. Returns `false` if the row is NULL.
pub(super) fn add(histogram: &mut Histogram, lists: &ArrayRef, row: usize) -> bool {
    let Some(lists) = lists.as_list_opt::<i32>().filter(|lists| lists.is_valid(row)) else { return false };
    let buckets = lists.value(row);
    let Some(buckets) = buckets.as_struct_opt() else { return false };
    let column = |place: usize| buckets.columns().get(place)?.as_primitive_opt::<Int64Type>();
    let (Some(values), Some(counts)) = (column(0), column(1)) else { return false };
    for (value, count) in values.iter().zip(counts.iter()) {
        if let (Some(value), Some(count)) = (value, count) {
            histogram.add(value, count);
        }
    }
    true
}

pub(super) fn text(_: &Traces, values: &Values) -> Result<ArrayRef, String> {
    let mut texts = StringBuilder::new();
    for row in values.rows() {
        let mut histogram = Histogram::new();
        let is_there = row.zip(values.array(0)).is_some_and(|(row, lists)| add(&mut histogram, lists, row));
        texts.append_option(is_there.then(|| histogram.text()));
    }
    Ok(Arc::new(texts.finish()))
}
