#![doc = include_str!("../README.md")]
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
pub mod probe;
mod registered;
#[cfg(feature = "tracing")]
mod tracing;

#[cfg(feature = "log")]
pub use crate::log::{EtwLog, init_log};
#[cfg(feature = "tracing")]
pub use crate::tracing::{EtwLayer, tracing_layer};
pub use registered::Error;
