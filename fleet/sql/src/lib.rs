//! SQL over event traces of Windows, by DataFusion.
//!
//! [`context`] makes a context whose tables are those of `tracewell-arrow`: `events`, one for each type of event, and the derived ones.
//! A scan decodes only the columns that a query uses. Filters on time, providers, events and processes are applied to the headers of records
//! ([`push`]). The partitions of a scan are files and ranges of their buffers ([`part`]). [`functions`] are those for traces.
#![forbid(unsafe_code)]

pub mod functions;
pub mod part;
pub mod push;
mod scan;
mod table;
mod which;

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::context::{SessionConfig, SessionContext};
use tracewell_arrow::Source;

/// A context with the tables of some traces, whose scans have so many partitions.
///
/// # Errors
/// DataFusion's refusal.
pub fn context(sources: Vec<Arc<Source>>, partitions: usize) -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(partitions.max(1)).with_information_schema(true);
    let context = SessionContext::new_with_config(config);
    let catalog = context.catalog("datafusion");
    let catalog =
        catalog.ok_or_else(|| datafusion::common::internal_datafusion_err!("there is no catalog"))?;
    let sources: Arc<[Arc<Source>]> = sources.into();
    functions::register(&context, &sources);
    catalog.register_schema("public", Arc::new(table::Tables::new(sources)))?;
    Ok(context)
}
