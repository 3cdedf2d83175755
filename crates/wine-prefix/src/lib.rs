//! Prefixes of Wine: puts the libraries that log events into them, and restores them.
//!
//! Wine's own functions for events claim success and do nothing. In a prefix, three small libraries take the place of Wine's
//! `sechost.dll`, `advapi32.dll` and `tdh.dll`. They lead to copies of these, and have Wine load the library that logs events.
//!
//! ```no_run
//! # #[cfg(target_os = "linux")]
//! # fn main() -> Result<(), tracewell_wine_prefix::Error> {
//! use std::path::Path;
//! use tracewell_wine_prefix::{Prefix, Status, status};
//!
//! let prefix = Prefix::open(Path::new("prefix-of-wine"))?;
//! assert_eq!(status(&prefix)?, Status::Absent);
//! # Ok(())
//! # }
//! # #[cfg(not(target_os = "linux"))]
//! # fn main() {}
//! ```
#![cfg(target_os = "linux")]

mod error;
mod folder;
mod install;
mod prefix;
mod proxy;
mod registry;

pub use error::Error;
pub use install::{HALVES, Status, install, remove, status};
pub use prefix::Prefix;
