//! The activity of a thread (`EventActivityIdControl`).

use std::cell::Cell;
use tracewell_types::Guid;

thread_local!(static CURRENT: Cell<Guid> = const { Cell::new(Guid::ZERO) });

/// The activity of the calling thread; zero for none.
#[inline(always)]
#[must_use]
pub fn current() -> Guid {
    CURRENT.get()
}

/// Sets the activity of the calling thread, and gives the former one back.
pub fn set(id: Guid) -> Guid {
    CURRENT.replace(id)
}

/// A new activity id: unique on this machine since its start.
#[must_use]
pub fn create() -> Guid {
    #[cfg(target_os = "linux")]
    return crate::engine::unique::new_activity();
    #[cfg(not(target_os = "linux"))]
    crate::windows::sys::new_activity()
}
