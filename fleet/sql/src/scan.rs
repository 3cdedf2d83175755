//! Reading a table as a part of a plan.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties};
use tracewell_arrow::{Scan, Source};

use crate::part::Part;
use crate::which::Which;

/// Batches of a partition that wait to be taken.
const WAITING: usize = 2;

/// A scan of a table over its partitions.
#[derive(Debug)]
pub(crate) struct TraceScan {
    sources: Arc<[Arc<Source>]>,
    which: Which,
    scan: Scan,
    parts: Vec<Vec<Part>>,
    limit: Option<usize>,
    properties: Arc<PlanProperties>,
}

impl TraceScan {
    pub(crate) fn new(
        sources: Arc<[Arc<Source>]>,
        which: Which,
        scan: Scan,
        schema: SchemaRef,
        parts: Vec<Vec<Part>>,
        limit: Option<usize>,
    ) -> TraceScan {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(parts.len()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        TraceScan { sources, which, scan, parts, limit, properties: Arc::new(properties) }
    }

    /// The columns, each of which a batch has once and in this order.
    fn columns(&self) -> String {
        let schema = self.properties.eq_properties.schema();
        schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl DisplayAs for TraceScan {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.which.name();
        write!(f, "TraceScan: table={table}, columns=[{}]", self.columns())?;
        let filter = self.scan.filter.to_string();
        if !filter.is_empty() {
            write!(f, ", filter=[{filter}]")?;
        }
        if let Some(limit) = self.limit {
            write!(f, ", limit={limit}")?;
        }
        write!(f, ", files={}, partitions={}", self.sources.len(), self.parts.len())
    }
}

impl ExecutionPlan for TraceScan {
    fn name(&self) -> &'static str {
        "TraceScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, _: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(&self, partition: usize, _: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let parts = self.parts.get(partition).cloned().unwrap_or_default();
        let schema = self.schema();
        let mut stream = RecordBatchReceiverStreamBuilder::new(Arc::clone(&schema), WAITING);
        let sender = stream.tx();
        let (sources, which, scan) = (Arc::clone(&self.sources), self.which.clone(), self.scan.clone());
        let mut left = self.limit.unwrap_or(usize::MAX);
        stream.spawn_blocking(move || {
            for Part { source, buffers } in parts {
                let Some(source) = sources.get(source) else { continue };
                let scan = Scan { buffers, ..scan.clone() };
                let mut failed = None;
                let each = &mut |batch: RecordBatch| {
                    let batch = batch.slice(0, batch.num_rows().min(left));
                    left -= batch.num_rows();
                    match arranged(&batch, &schema) {
                        // A receiver that went away needs no more.
                        Ok(batch) => sender.blocking_send(Ok(batch)).is_ok() && left > 0,
                        Err(error) => {
                            failed = Some(error);
                            false
                        }
                    }
                };
                let read = which.read(source, &scan, each);
                read.map_err(|error| DataFusionError::External(Box::new(error)))?;
                if let Some(error) = failed {
                    return Err(error);
                }
                if left == 0 || sender.is_closed() {
                    break;
                }
            }
            Ok(())
        });
        Ok(stream.build())
    }
}

/// A batch with its columns in the order of a schema.
fn arranged(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let found = batch.schema();
    if found.fields() == schema.fields() {
        return Ok(batch.clone());
    }
    let place = |name: &str| found.index_of(name);
    let places = schema.fields().iter().map(|field| place(field.name())).collect::<Result<Vec<_>, _>>()?;
    Ok(batch.project(&places)?)
}
