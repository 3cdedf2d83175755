//! The rules: what counts as wrong.

mod dotnet;
mod frames;
mod hangs;
mod load;
mod quality;
mod rule;
mod table;

pub(crate) use hangs::cause;
pub(crate) use load::profiler;
pub use rule::{Case, Finding, Note, Rule, Sure};
pub(crate) use table::stretches;
pub use table::{RULES, table};
