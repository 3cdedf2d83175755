//! `twapi_etw` for Tcl: event tracing with the commands of TWAPI, on any system.
//!
//! The package has two halves. This library holds what must be fast or near the system; the scripts in `tcl/twapi_etw`
//! of the repository hold option parsing, record arrays and the other parts for which Tcl is the right language. Commands whose names begin
//! with `tracewell::` are the seam between the two and not for users.
//!
//! One library serves Tcl 8.6 and Tcl 9: it is linked against neither, and reaches the interpreter through its
//! stub table, in the `sys` module.

#![deny(unsafe_code)]

mod background;
mod consumer;
mod controller;
mod describe;
mod dump;
mod event;
mod failure;
mod format;
#[allow(unsafe_code, reason = "Tcl calls its function")]
mod init;
mod message;
mod property;
mod provider;
mod pump;
mod rows;
mod slots;
#[allow(unsafe_code, reason = "the interpreter is written in C; the module states its conditions")]
mod sys;
mod text;

pub use init::Twapi_etw_Init;
