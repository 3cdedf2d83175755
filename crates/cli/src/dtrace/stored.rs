//! The descriptions of events that the user keeps.

use tracewell_decode::Schemas;
use tracewell_etl::Trace;

use crate::out::say;

/// The descriptions that the user has stored; see `etw schema`.
pub(super) fn stored_schemas() -> Schemas {
    let mut schemas = Schemas::new();
    if let Err(error) = crate::etw::add_stored(&mut schemas) {
        say!("dtrace: {error}");
    }
    schemas
}

/// The same, and the messages in the program databases that traces name, where a search path for symbols is given.
pub(super) fn schemas_for(traces: &[Trace<'_>], symbols: Option<&str>) -> Schemas {
    let mut schemas = stored_schemas();
    crate::etw::add_databases(&mut schemas, traces, symbols);
    schemas
}
