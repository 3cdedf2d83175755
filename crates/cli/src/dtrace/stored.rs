//! The descriptions of events that the user keeps.

use tracewell::calls::calls_in;
use tracewell_decode::Schemas;
use tracewell_etl::Trace;
use tracewell_live::tracepoints;
use tracewell_probes::Calls;
use tracewell_symbols::FileStore;

use crate::input::TraceFile;
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

/// The system calls that traces may hold. Of traces of Linux, also those that this system has, so that a script can be compiled
/// although a trace does not hold a call.
pub(super) fn all_calls(files: &[TraceFile], traces: &[Trace<'_>], path: Option<&str>) -> Calls {
    let server = crate::symbols::server();
    let path = crate::symbols::search_path(path, files.iter().map(|file| &file.path));
    let store = FileStore::new(path, server.as_deref());
    let mut calls = calls_in(traces, Some(&store));
    if calls.functions.is_empty() && !calls.names.is_empty() {
        calls.names.extend(tracepoints::call_names());
        calls.names.sort_unstable();
        calls.names.dedup();
    }
    calls
}
