//! The registrations to which notices may be due, and the thread of Windows that waits for them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::thread::futex;

/// Their numbers.
static READY: Mutex<VecDeque<u32>> = Mutex::new(VecDeque::new());

/// Changes with each notice.
static CHANGES: AtomicU32 = AtomicU32::new(0);

fn locked() -> MutexGuard<'static, VecDeque<u32>> {
    READY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the thread that runs callbacks look at a registration.
pub(crate) fn wake(index: u32) {
    {
        let mut ready = locked();
        if !ready.contains(&index) {
            ready.push_back(index);
        }
    }
    CHANGES.fetch_add(1, Ordering::Release);
    let _ = futex::wake(&CHANGES, futex::Flags::PRIVATE, 1);
}

#[inline(never)]
fn next() -> Option<u32> {
    locked().pop_front()
}

/// Waits for a registration to which notices are due.
///
/// Wine may end the thread here, and unwinds it: nothing in this frame is to be dropped.
pub(crate) fn wait() -> u32 {
    loop {
        let seen = CHANGES.load(Ordering::Acquire);
        if let Some(index) = next() {
            return index;
        }
        let _ = futex::wait(&CHANGES, futex::Flags::PRIVATE, seen, None);
    }
}
