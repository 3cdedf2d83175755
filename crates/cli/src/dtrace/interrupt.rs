//! Ctrl-C and its kin, and the limit of time.

use std::time::Duration;

use tracewell_live::interrupt::Interrupt;

use crate::out::say;

/// Takes SIGINT and SIGTERM (Ctrl-C) for the process.
#[must_use]
pub(super) fn install() -> Interrupt {
    let interrupt = Interrupt::default();
    let theirs = interrupt.clone();
    // A second handler in one process is refused; then the default action stays, which is no harm.
    let _ = ctrlc::set_handler(move || {
        if theirs.raise() > 1 || !theirs.is_in_order() {
            theirs.exit(130);
        }
    });
    interrupt
}

/// Ends the run after a time, in order if it does so by itself soon.
pub(super) fn expire(interrupt: &Interrupt, after: Duration) {
    /// How long a run may take to end in order.
    const GRACE: Duration = Duration::from_secs(10);
    let theirs = interrupt.clone();
    std::thread::spawn(move || {
        std::thread::sleep(after);
        let limit = after.as_secs_f64();
        say!("dtrace: the run ends here: it reached the limit of {limit} s (-x timelimit sets another)");
        if theirs.is_in_order() {
            theirs.expire();
            std::thread::sleep(GRACE);
        }
        theirs.exit(1);
    });
}
