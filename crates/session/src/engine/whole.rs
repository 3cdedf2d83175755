//! A daemon runs whole or not at all.

/// Held by a thread without which a session stands still: should the thread panic, the process is aborted. Its successor then
/// goes on with all sessions, as after any other death (see [`journal`](super::journal)); a daemon that lived on without the
/// thread would keep writers waiting for ever.
#[derive(Debug)]
pub(super) struct Whole;

impl Drop for Whole {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
