//! The descriptions of events that the user keeps.

use tracewell_decode::Schemas;

use crate::out::say;

/// The descriptions that the user has stored; see `etw schema`.
pub(super) fn stored_schemas() -> Schemas {
    let mut schemas = Schemas::new();
    if let Err(error) = crate::etw::add_stored(&mut schemas) {
        say!("dtrace: {error}");
    }
    schemas
}
