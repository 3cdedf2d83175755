//! The aggregate `histogram`, as DataFusion calls it.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{Accumulator, AggregateUDFImpl, Documentation, Signature, Volatility};
use datafusion::scalar::ScalarValue;
use tracewell_dengine::Histogram;

use super::types::coerce;
use super::{Function, histograms};

/// The aggregate.
#[derive(Debug)]
pub(super) struct Of {
    function: &'static Function,
    signature: Signature,
    documentation: Documentation,
}

impl Of {
    pub(super) fn new(function: &'static Function) -> Of {
        let signature = Signature::user_defined(Volatility::Immutable);
        Of { function, signature, documentation: function.documentation() }
    }
}

impl PartialEq for Of {
    fn eq(&self, other: &Of) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Of {}

impl Hash for Of {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl AggregateUDFImpl for Of {
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

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }

    fn accumulator(&self, _: AccumulatorArgs<'_>) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Counts { result: self.function.result.data_type(), histogram: None }))
    }
}

/// The values so far; [`None`] if there are none.
#[derive(Debug)]
struct Counts {
    result: DataType,
    histogram: Option<Histogram>,
}

impl Accumulator for Counts {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let Some(values) = values.first().and_then(|values| values.as_primitive_opt::<Int64Type>()) else {
            return Ok(());
        };
        for value in values.iter().flatten() {
            self.histogram.get_or_insert_default().add(value, 1);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let Some(lists) = states.first() else { return Ok(()) };
        for row in 0..lists.len() {
            if lists.is_valid(row) {
                histograms::add(self.histogram.get_or_insert_default(), lists, row);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match &self.histogram {
            Some(histogram) => Ok(ScalarValue::List(Arc::new(histograms::list(histogram)))),
            None => ScalarValue::try_from(&self.result),
        }
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.histogram.as_ref().map_or(0, Histogram::bytes)
    }
}
