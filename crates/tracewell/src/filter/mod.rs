//! Names of what traces contain, as people write them, and the choice of records by them.

pub mod glob;
pub mod header;
pub mod names;
pub mod values;
