//! The tables of traces, as DataFusion finds them.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{SchemaProvider, Session, TableProvider};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use tracewell_arrow::typed::{HEAD, Kind};
use tracewell_arrow::{Filter, Scan, Source, events};

use crate::part::partitions;
use crate::push;
use crate::scan::TraceScan;

/// The name of the table with all events.
const EVENTS: &str = "events";

/// All tables of some traces.
#[derive(Debug)]
pub(crate) struct Tables {
    sources: Arc<[Arc<Source>]>,
}

impl Tables {
    pub(crate) fn new(sources: Vec<Arc<Source>>) -> Tables {
        Tables { sources: sources.into() }
    }

    fn names(&self) -> BTreeSet<String> {
        let kinds = self.sources.iter().filter_map(|source| source.kinds().ok());
        let names = kinds.flat_map(|kinds| kinds.iter().map(|(name, _)| name.to_owned()));
        names.chain([EVENTS.to_owned()]).collect()
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
        let kind = match name {
            EVENTS => None,
            name => match self.kind(name)? {
                Some(kind) => Some((name.to_owned(), kind)),
                None => return Ok(None),
            },
        };
        Ok(Some(Arc::new(TraceTable { sources: Arc::clone(&self.sources), kind: kind.map(Arc::new) })))
    }

    fn table_exist(&self, name: &str) -> bool {
        name == EVENTS || self.names().contains(name)
    }
}

/// A table of some traces.
#[derive(Debug)]
pub(crate) struct TraceTable {
    sources: Arc<[Arc<Source>]>,
    /// The type of events with the name of its table; [`None`] for all events.
    kind: Option<Arc<(String, Kind)>>,
}

impl TraceTable {
    /// Returns `true` if a column of this name is one of the header, rather than a field.
    fn is_of_header(&self, name: &str) -> bool {
        match &self.kind {
            None => true,
            Some(_) => {
                HEAD.iter().any(|place| events::COLUMNS.get(*place).is_some_and(|column| column.name == name))
            }
        }
    }
}

#[async_trait]
impl TableProvider for TraceTable {
    fn schema(&self) -> SchemaRef {
        self.kind.as_ref().map_or_else(events::schema, |kind| kind.1.schema())
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let exact = |condition: &&Expr| match push::add(&mut Filter::default(), condition, &|name| {
            self.is_of_header(name)
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
            if !push::add(&mut filter, condition, &|name| self.is_of_header(name)) {
                return Err(DataFusionError::Internal(format!("{condition} is none of a scan")));
            }
        }
        let schema = self.schema();
        let columns = projection.cloned().unwrap_or_else(|| (0..schema.fields().len()).collect());
        let schema = Arc::new(schema.project(&columns)?);
        let scan = Scan { columns, filter, ..Scan::default() };
        // Columns of the table, and their places there, are those of `events` for the state.
        let of_events = match &self.kind {
            None => scan.clone(),
            Some(_) => {
                let head = scan.columns.iter().filter_map(|place| HEAD.get(*place)).copied().collect();
                Scan { columns: head, ..scan.clone() }
            }
        };
        let whole = events::needs_state(&of_events);
        let buffers = self.sources.iter().map(|source| source.buffers()).collect::<Result<Vec<_>, _>>();
        let buffers = buffers.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let parts = partitions(&buffers, state.config().target_partitions(), whole);
        let sources = Arc::clone(&self.sources);
        Ok(Arc::new(TraceScan::new(sources, self.kind.clone(), scan, schema, parts, limit)))
    }
}
