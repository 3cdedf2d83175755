//! The tables of traces, as DataFusion finds them.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{SchemaProvider, Session, TableProvider};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use tracewell_arrow::typed::Kind;
use tracewell_arrow::{Filter, Scan, Source, derived};

use crate::part::partitions;
use crate::push;
use crate::scan::TraceScan;
use crate::which::{EVENTS, Which};

/// All tables of some traces.
#[derive(Debug)]
pub(crate) struct Tables {
    sources: Arc<[Arc<Source>]>,
}

impl Tables {
    pub(crate) fn new(sources: Arc<[Arc<Source>]>) -> Tables {
        Tables { sources }
    }

    fn names(&self) -> BTreeSet<String> {
        let kinds = self.sources.iter().filter_map(|source| source.kinds().ok());
        let names = kinds.flat_map(|kinds| kinds.iter().map(|(name, _)| name.to_owned()));
        names.chain(Which::everywhere().map(str::to_owned)).collect()
    }

    /// A type of events in all traces.
    fn kind(&self, name: &str) -> Result<Option<Kind>> {
        let mut found: Option<Kind> = None;
        for source in self.sources.iter() {
            let kinds = source.kinds().map_err(|error| DataFusionError::External(Box::new(error)))?;
            match (&mut found, kinds.get(name)) {
                (Some(found), Some(kind)) => found.merge(kind),
                (None, Some(kind)) => found = Some(kind.clone()),
                (_, None) => {}
            }
        }
        Ok(found)
    }
}

#[async_trait]
impl SchemaProvider for Tables {
    fn table_names(&self) -> Vec<String> {
        self.names().into_iter().collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let which = match (name, derived::table(name)) {
            (EVENTS, _) => Which::Events,
            (_, Some(table)) => Which::Derived(table),
            (name, None) => match self.kind(name)? {
                Some(kind) => Which::Kind(Arc::new((name.to_owned(), kind))),
                None => return Ok(None),
            },
        };
        Ok(Some(Arc::new(TraceTable { sources: Arc::clone(&self.sources), which })))
    }

    fn table_exist(&self, name: &str) -> bool {
        Which::everywhere().any(|known| known == name) || self.names().contains(name)
    }
}

/// A table of some traces.
#[derive(Debug)]
pub(crate) struct TraceTable {
    sources: Arc<[Arc<Source>]>,
    which: Which,
}

#[async_trait]
impl TableProvider for TraceTable {
    fn schema(&self) -> SchemaRef {
        self.which.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let exact = |condition: &&Expr| match push::add(&mut Filter::default(), condition, &|name| {
            self.which.selects_by(name)
        }) {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(exact).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let mut filter = Filter::default();
        for condition in filters {
            if !push::add(&mut filter, condition, &|name| self.which.selects_by(name)) {
                return Err(DataFusionError::Internal(format!("{condition} is none of a scan")));
            }
        }
        let schema = self.schema();
        let columns = projection.cloned().unwrap_or_else(|| (0..schema.fields().len()).collect());
        let schema = Arc::new(schema.project(&columns)?);
        let scan = Scan { columns, filter, ..Scan::default() };
        let whole = self.which.is_whole(&scan);
        let buffers = self.sources.iter().map(|source| source.buffers()).collect::<Result<Vec<_>, _>>();
        let buffers = buffers.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let parts = partitions(&buffers, state.config().target_partitions(), whole);
        let sources = Arc::clone(&self.sources);
        Ok(Arc::new(TraceScan::new(sources, self.which.clone(), scan, schema, parts, limit)))
    }
}
