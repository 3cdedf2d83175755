//! Runs compiled D: interpreter, variables, aggregations, buffers, speculation, output formats. Knows no ETW.
//!
//! A driver makes an [`Engine`] of a program, fires probes against a [`host::Host`] in order of time,
//! and drains what they recorded to a [`host::Output`].
#![forbid(unsafe_code)]

mod action;
mod agg;
mod buffer;
pub mod combine;
mod consume;
mod context;
mod dx;
mod dynvars;
mod enabling;
mod engine;
mod fault;
mod firing;
mod guard;
mod histogram;
pub mod host;
mod interp;
mod memory;
mod options;
mod pack;
mod state;
mod subr;
mod table;

pub use consume::drops::DROP_TAGS;
pub use engine::{AggEntry, AggValue, Engine, StartError};
pub use fault::FaultKind;
pub use histogram::Histogram;
pub use options::{AggOptions, Order, RunOptions, Shown, Sizes, StackOptions, Zone};
pub use pack::Value;
pub use state::Drops;
