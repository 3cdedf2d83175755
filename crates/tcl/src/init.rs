//! The function that Tcl calls when a script loads the library: it makes the commands.

use std::ffi::{c_int, c_void};
use std::panic::catch_unwind;
use std::rc::Rc;

use crate::sys::{self, code};
use crate::{background, consumer, controller, describe, dump, event, format, message, provider};

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
    ("etw_format_events", format::format_events),
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
    ("tracewell::cell", format::cell),
    ("tracewell::row", format::row),
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

/// Called by `load libtwapi_etw`: makes the commands.
///
/// # Safety
///
/// `interp` is a Tcl interpreter of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Twapi_etw_Init(interp: *mut c_void) -> c_int {
    let done = catch_unwind(|| {
        // SAFETY: as above.
        let Some(interp) = (unsafe { sys::load(interp) }) else { return code::ERROR };
        // The namespaces come first: Tcl makes no command in one that is not there.
        interp.create_namespace("::twapi");
        interp.create_namespace("::twapi::tracewell");
        for (name, command) in COMMANDS {
            interp.create(&format!("::twapi::{name}"), *command);
        }
        let state = Rc::default();
        for (name, command) in WATCHERS {
            interp.create_watcher(&format!("::twapi::{name}"), *command, Rc::clone(&state));
        }
        interp.when_deleted(background::interp_deleted);
        interp.reset();
        interp.provide("tracewell_tcl", env!("CARGO_PKG_VERSION"));
        code::OK
    });
    done.unwrap_or(code::ERROR)
}
