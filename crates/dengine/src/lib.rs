//! Runs compiled D: interpreter, variables, aggregations, buffers, speculation, output formats. Knows no ETW.
#![forbid(unsafe_code)]

mod engine;
pub mod host;
mod options;

pub use engine::{Engine, StartError};
pub use options::{BufPolicy, Encoding, OptionError, RunOptions, Zone};
