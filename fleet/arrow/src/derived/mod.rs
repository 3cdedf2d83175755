//! Tables that are derived from several events: who ran, when and why, and what a trace lacks.

mod disks;
mod faults;
mod follow;
mod losses;
mod machine;
mod network;
mod out;
mod samples;
mod stacks;
mod switches;
mod table;
mod walks;

pub(crate) use walks::Walks;

pub use table::{TABLES, Table, table};
