//! What traces tell, in forms that people look at: folded stacks and flame graphs.
#![forbid(unsafe_code)]

mod flame;
mod folded;

pub use flame::{FlameOptions, flame};
pub use folded::Folded;
