//! Ctrl-C in a command that shows a trace: the output ends after a whole event, and says how much of the trace it covers.

use std::sync::atomic::{AtomicBool, Ordering};

use tracewell::text::coverage;

use crate::status;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes SIGINT and SIGTERM (Ctrl-C) for the process: the first is noted, the second ends it.
pub(super) fn heed() {
    // A second handler in one process is refused; then the first one's action stays.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(status::SIGNALLED);
        }
    });
}

/// Returns `true` if the command was asked to end.
pub(super) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// The line on an output that ends after some of the bytes of the traces.
pub(super) fn line(traces: usize, done: u64, size: u64) -> String {
    format!("the output covers {}", coverage(traces, done, size))
}
