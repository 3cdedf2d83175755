//! A daemon runs whole or not at all.

/// Held by threads that a session needs: if such a thread panics, the process is aborted. Its successor then continues all
/// sessions, as after any other crash (see [`journal`](super::journal)). A daemon without the thread would keep writers
/// waiting forever.
#[derive(Debug)]
pub(super) struct Whole;

impl Drop for Whole {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
