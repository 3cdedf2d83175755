//! The probe table, and the way from an event to the firings of probes.
#![forbid(unsafe_code)]

mod calls;
pub mod catalog;
mod cpu_times;
mod current;
pub mod deeds;
mod demand;
pub mod events;
mod function_types;
pub mod functions;
mod glosses;
mod holes;
mod host;
mod instances;
mod layouts;
pub mod libraries;
mod moment;
mod myself;
pub mod names;
pub mod native;
pub mod needs;
mod opened;
mod paths;
mod reaches;
#[cfg(test)]
mod record_tests;
pub mod regions;
pub mod replay;
pub mod shape;
pub mod table;
pub mod timer;
pub mod undecoded;

pub use calls::{Calls, UNNAMED, call_functions, call_names};
pub use demand::counter_name;
