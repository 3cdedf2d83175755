//! The probe table, and the way from an event to the firings of probes.

pub mod native;
pub mod table;
pub mod timer;
pub mod catalog;
mod host;
mod layouts;
pub mod libraries;
pub mod names;
mod paths;
pub mod regions;
pub mod replay;
