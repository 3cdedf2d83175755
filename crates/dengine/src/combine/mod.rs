//! Aggregations of several runs: their keys as text instead of addresses, combined, kept in files, and shown.

pub mod aggregations;
pub mod clauses;
pub mod file;
pub mod places;
pub mod shown;
