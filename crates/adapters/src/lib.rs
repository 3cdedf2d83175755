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
mod levels;
#[cfg(feature = "log")]
mod log;
mod registered;
#[cfg(feature = "tracing")]
mod tracing;

#[cfg(feature = "log")]
pub use crate::log::{EtwLog, init_log};
#[cfg(feature = "tracing")]
pub use crate::tracing::{EtwLayer, tracing_layer};
pub use registered::Error;
