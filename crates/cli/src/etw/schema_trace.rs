//! The descriptions that a trace brings along.

use std::path::Path;

pub(super) use tracewell::views::carried::TraceSchemas;

use crate::input::only_trace;
use crate::out::say;

/// Reads the descriptions of a trace.
pub(super) fn read(path: &Path) -> Result<TraceSchemas, String> {
    let file = only_trace(path).map_err(|error| error.to_string())?;
    let trace = file.trace().map_err(|error| error.to_string())?;
    Ok(TraceSchemas::of(&trace))
}

/// Says what could not be used; answers whether there is nothing to say.
pub(super) fn report_problems(path: &Path, schemas: &TraceSchemas) -> bool {
    for problem in &schemas.problems {
        say!("etw: {}: {problem}", path.display());
    }
    if schemas.unread > 0 {
        say!("etw: {}: {} descriptions could not be used completely", path.display(), schemas.unread);
    }
    schemas.unread == 0
}
