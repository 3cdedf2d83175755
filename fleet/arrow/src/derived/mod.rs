//! Tables that are derived from several events: processes, threads, images, and what a trace lacks.

mod losses;
mod machine;
mod out;
mod table;

pub use table::{TABLES, Table, table};
