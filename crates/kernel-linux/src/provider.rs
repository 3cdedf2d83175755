//! The providers whose events come from the kernel of Linux.

use tracewell_etl::def::guid::KERNEL_PROCESS;
use tracewell_session::provider::guid_of_name;
use tracewell_types::Guid;

/// The name of the provider of all tracepoints.
pub const PROVIDER_NAME: &str = "linux";
/// The provider of all tracepoints: the GUID that TraceLogging derives from its name.
pub const PROVIDER: Guid = guid_of_name(PROVIDER_NAME);

/// Microsoft-Windows-Kernel-Network, whose events are the kernel's network records with another header.
pub(crate) const NETWORK: Guid = Guid::parse("7dd42a49-5329-4832-8dfd-43d979153a88");

/// Microsoft-Windows-Kernel-Process, -File and -Disk: kernel records in other layouts.
pub(crate) const PROCESS: Guid = KERNEL_PROCESS;
pub(crate) const FILE: Guid = Guid::parse("edd08927-9cc4-4e65-b970-c2560fb5c289");
pub(crate) const DISK: Guid = Guid::parse("c7bde69a-e1e0-4177-b6ef-283ad1525271");

/// The providers whose events come from the kernel of Linux.
#[must_use]
pub fn providers() -> Vec<Guid> {
    vec![PROVIDER, NETWORK, PROCESS, FILE, DISK]
}
