//! The levels of events, as the words of Rust's own logging have them.

/// Windows has names for all but the last.
pub(crate) const ERROR: u8 = 2;
pub(crate) const WARNING: u8 = 3;
pub(crate) const INFORMATION: u8 = 4;
pub(crate) const VERBOSE: u8 = 5;
/// Finer than verbose: a session has to ask for it by its number, or for all.
pub(crate) const TRACE: u8 = 6;
