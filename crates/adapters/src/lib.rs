//! Makes a Rust program a provider by way of the logging crates it uses already.
//!
//! With `tracing`:
//!
//! ```no_run
//! # use tracing_subscriber::prelude::*;
//! tracing_subscriber::registry().with(tracewell_adapters::tracing_layer("Contoso-Shop").unwrap()).init();
//! tracing::info!(item = "ladder", price = 45, "sold");
//! ```
//!
//! With `log`:
//!
//! ```no_run
//! tracewell_adapters::init_log("Contoso-Shop").unwrap();
//! ```
//!
//! The events describe themselves (TraceLogging). While no session listens, each costs a few loads.
//!
//! # Levels
//!
//! Both crates have one level more than Windows. Errors have level 2, warnings 3, information 4 and debugging 5
//! (verbose), as there; traces have level 6. So a session that asks for `verbose` has no traces, and one that asks for 6
//! (`etw record -p Contoso-Shop:trace`) or for all levels has them.

#![forbid(unsafe_code)]

mod dynamic;
#[cfg(feature = "log")]
mod log;
#[cfg(feature = "tracing")]
mod tracing;

use std::fmt;

use tracewell_session::Provider;
use tracewell_session::provider::guid_of_name;

#[cfg(feature = "log")]
pub use crate::log::{EtwLog, init_log};
#[cfg(feature = "tracing")]
pub use crate::tracing::{EtwLayer, tracing_layer};

/// Levels of events; Windows has names for all but the last.
mod levels {
    pub(crate) const ERROR: u8 = 2;
    pub(crate) const WARNING: u8 = 3;
    pub(crate) const INFORMATION: u8 = 4;
    pub(crate) const VERBOSE: u8 = 5;
    /// Finer than verbose: a session has to ask for it by its number, or for all.
    pub(crate) const TRACE: u8 = 6;
}

/// Why a program could not be made a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The name is empty, or has letters that are not ASCII: the GUID of a provider is made of its name, and which
    /// letters are one in upper case differs from system to system.
    Name(String),
    /// The program has set another logger already.
    LoggerSet,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Name(name) => write!(f, "a provider's name must be ASCII letters, and {name:?} is not"),
            Error::LoggerSet => f.write_str("the program has set another logger already"),
        }
    }
}

impl std::error::Error for Error {}

/// A registered provider, which stays for the life of the process.
fn provider(name: &str) -> Result<&'static Provider, Error> {
    if name.is_empty() || !name.is_ascii() || name.contains('\0') {
        return Err(Error::Name(name.to_owned()));
    }
    let provider = Provider::leak(name, guid_of_name(name));
    provider.register();
    Ok(provider)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_make_no_guid_are_refused() {
        for name in ["", "Böttcher", "a\0b"] {
            assert_eq!(provider(name).unwrap_err(), Error::Name(name.to_owned()));
        }
    }
}
