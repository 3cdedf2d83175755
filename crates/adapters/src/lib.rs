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

#![forbid(unsafe_code)]

mod dynamic;
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
