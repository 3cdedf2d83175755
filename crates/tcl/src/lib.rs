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
mod message;
mod property;
mod provider;
mod pump;
mod slots;
#[allow(unsafe_code, reason = "the one module that may; it states its conditions")]
mod sys;
mod text;

pub use sys::Twapi_etw_Init;

/// Commands that watch a script, by their names in `::twapi`.
const WATCHERS: &[(&str, sys::Watcher<provider::Writer>)] = &[
    ("etw_log_message", provider::log_message),
    ("etw_variable_tracker", provider::variable_tracker),
    ("etw_command_tracker", provider::command_tracker),
    ("etw_execution_tracker", provider::execution_tracker),
];

/// Every other native command, by its name in `::twapi`.
const COMMANDS: &[(&str, sys::Command)] = &[
    ("etw_twapi_provider_register", provider::register),
    ("etw_unregister_provider", provider::unregister),
    ("etw_provider_enabled", provider::enabled),
    ("etw_trace_enabled", provider::enabled),
    ("etw_provider_enable_flags", provider::enable_flags),
    ("etw_provider_enable_level", provider::enable_level),
    ("etw_install_twapi_mof", event::install),
    ("etw_uninstall_twapi_mof", event::uninstall),
    ("etw_open_formatter", consumer::open_formatter),
    ("etw_close_formatter", consumer::close_formatter),
    ("etw_format_events", event::format_events),
    ("etw_format_event_message", message::format_event_message),
    ("etw_open_session", consumer::open_session),
    ("etw_close_session", consumer::close),
    ("etw_errors", consumer::errors),
    ("etw_force_mof", event::force_mof),
    ("etw_load_descriptions", describe::load),
    ("tracewell::open_file", consumer::open_file),
    ("tracewell::process", consumer::process),
    ("tracewell::read_on", consumer::read_on),
    ("tracewell::reading", consumer::reading),
    ("tracewell::dump", dump::dump),
    ("tracewell::fields", event::fields),
    ("tracewell::daemon", controller::set_daemon),
    ("tracewell::run_daemon", controller::run_daemon),
    ("tracewell::start", controller::start),
    ("tracewell::control", controller::control),
    ("tracewell::traces", controller::traces),
    ("tracewell::enable", controller::enable),
    ("tracewell::disable", controller::disable),
    ("tracewell::providers", controller::providers),
    ("tracewell::undelivered_providers", controller::undelivered_providers),
    ("tracewell::offered", controller::offered_flags),
    ("tracewell::provider_guid", controller::provider_guid),
];
