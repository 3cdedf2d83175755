//! Events as people ask for them: their properties and fields, columns, conditions, and rows in common formats.
//!
//! An [`event::Event`] is a record with what is known about it. A [`columns::Column`] is a value of it by name, a
//! [`condition::Condition`] selects events, [`each`] reads them. [`json`], [`table`] (comma-separated values) and [`list`] (Tcl)
//! write events, [`span`] writes spans.

pub mod choice;
pub mod columns;
pub mod condition;
pub mod event;
pub mod extended;
mod head;
pub mod json;
pub mod list;
pub mod property;
mod reading;
pub mod span;
pub mod table;
pub mod write;

pub use reading::{each, machines, who};
