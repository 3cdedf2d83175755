//! The provider whose events are the kernel's tracepoints.

use tracewell_session::provider::guid_of_name;
use tracewell_types::Guid;

/// The name of the provider.
pub const PROVIDER_NAME: &str = "linux";
/// The provider of all tracepoints: the GUID that TraceLogging derives from its name.
pub const PROVIDER: Guid = guid_of_name(PROVIDER_NAME);
