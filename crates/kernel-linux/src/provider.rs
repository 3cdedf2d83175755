//! The providers whose events come from the kernel of Linux.

use tracewell_session::provider::guid_of_name;
use tracewell_types::Guid;

/// The name of the provider of all tracepoints.
pub const PROVIDER_NAME: &str = "linux";
/// The provider of all tracepoints: the GUID that TraceLogging derives from its name.
pub const PROVIDER: Guid = guid_of_name(PROVIDER_NAME);

/// Microsoft-Windows-Kernel-Network, whose events are the kernel's network records with another header.
pub(crate) const NETWORK: Guid = Guid::parse("7dd42a49-5329-4832-8dfd-43d979153a88");

/// The providers whose events come from the kernel of Linux.
#[must_use]
pub fn providers() -> Vec<Guid> {
    vec![PROVIDER, NETWORK]
}
