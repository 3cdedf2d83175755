//! Tables that are derived from several events: who ran, when and why, and what a trace lacks.

mod collections;
mod disks;
mod exceptions;
mod faults;
mod files;
mod follow;
mod losses;
mod machine;
mod network;
mod out;
mod samples;
mod spans;
mod stacks;
mod switches;
mod table;
mod walks;

pub(crate) use walks::Walks;

pub use table::{TABLES, Table, table};
