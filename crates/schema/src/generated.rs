//! Tables made by `cargo run -p xtask -- schema`; their layout is the generator's business.

#[rustfmt::skip]
pub(crate) mod collected;
#[rustfmt::skip]
pub(crate) mod kernel;
#[rustfmt::skip]
pub(crate) mod providers;
