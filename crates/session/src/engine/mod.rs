//! Our own engine, on Linux.
//!
//! Controllers talk to a daemon, which the first of them starts. It owns the sessions; a provider's process maps an
//! enable table that only the daemon can write and, for each session that listens, buffers it shares with the other
//! processes of its user. A record is written to those whole, in one restartable sequence, so a writer can be killed
//! at any instruction without leaving anything half done.

mod access;
mod check;
mod client;
mod clock;
mod consumer;
pub(crate) mod daemon;
mod drain;
mod files;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub(crate) mod host;
mod identity;
mod images;
mod journal;
mod keeper;
mod layout;
mod limits;
mod live;
mod logfile;
#[cfg(test)]
mod logfile_tests;
mod logger;
mod numbers;
mod offers;
mod own;
mod place;
mod plan;
pub(crate) mod record;
mod ring;
mod socket;
pub mod source;
mod spool;
mod status;
#[allow(unsafe_code, reason = "the one module that may; it states its conditions")]
pub(crate) mod sys;
mod syslog;
pub(crate) mod table;
mod taps;
pub(crate) mod unique;
mod whole;
mod wire;
pub(crate) mod wishes;
mod writers;

pub use client::Engine;
pub use daemon::Service;
pub use host::refusals;
pub use own::OwnEngine;
pub use place::RuntimeDir;
pub use status::DaemonStatus;
