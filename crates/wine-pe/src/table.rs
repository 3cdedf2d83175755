//! The registrations of the process, and their handles.

use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use crate::call::REGISTRATIONS;

/// A registration, or room for one.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Twice the number of registrations that were here before; one more if there is one now.
    state: AtomicU32,
    /// See [`crate::call::Register::registration`]; null while the Linux half is missing.
    pub(crate) registration: AtomicPtr<()>,
    /// See [`crate::call::Register::wanted`].
    pub(crate) wanted: AtomicPtr<crate::call::Wanted>,
    /// The callback; 0 for none.
    pub(crate) callback: AtomicUsize,
    pub(crate) context: AtomicUsize,
    /// 1 if it was registered by `RegisterTraceGuids`.
    pub(crate) classic: AtomicU32,
    /// The thread that runs its callback; 0 for none.
    pub(crate) delivering: AtomicU32,
}

static TABLE: [Entry; REGISTRATIONS] = [const { Entry::new() }; REGISTRATIONS];

impl Entry {
    const fn new() -> Entry {
        Entry {
            state: AtomicU32::new(0),
            registration: AtomicPtr::new(core::ptr::null_mut()),
            wanted: AtomicPtr::new(core::ptr::null_mut()),
            callback: AtomicUsize::new(0),
            context: AtomicUsize::new(0),
            classic: AtomicU32::new(0),
            delivering: AtomicU32::new(0),
        }
    }

    /// Makes room for another registration.
    pub(crate) fn release(&self) {
        self.wanted.store(core::ptr::null_mut(), Ordering::Release);
        self.registration.store(core::ptr::null_mut(), Ordering::Release);
        self.callback.store(0, Ordering::Release);
        self.state.fetch_add(1, Ordering::AcqRel);
    }
}

/// Claims room for a registration; returns its number and handle. `None` if all are in use.
pub(crate) fn claim(classic: bool) -> Option<(u32, u64)> {
    for (index, entry) in (0_u32..).zip(&TABLE) {
        let state = entry.state.load(Ordering::Acquire);
        if state & 1 != 0 {
            continue;
        }
        let used = state.wrapping_add(1);
        if entry.state.compare_exchange(state, used, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            entry.classic.store(u32::from(classic), Ordering::Release);
            return Some((index, u64::from(used) << 32 | u64::from(index + 1)));
        }
    }
    None
}

/// The registration of a handle; `None` for a handle that is not valid any more, or never was.
#[inline(always)]
pub(crate) fn find(handle: u64) -> Option<(u32, &'static Entry)> {
    let index = (handle as u32).wrapping_sub(1);
    let entry = TABLE.get(index as usize)?;
    // Also refuses a handle of zeros, whose state would be that of a free one.
    let state = (handle >> 32) as u32;
    (state & 1 != 0 && entry.state.load(Ordering::Acquire) == state).then_some((index, entry))
}

/// The registration with a number, if it is one.
pub(crate) fn at(index: u32) -> Option<&'static Entry> {
    TABLE.get(index as usize).filter(|entry| entry.state.load(Ordering::Acquire) & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All in one test: the table is that of the process.
    #[test]
    fn issue_18_handles_name_one_registration_each() {
        let all: Vec<(u32, u64)> = (0..REGISTRATIONS).map_while(|_| claim(false)).collect();
        assert_eq!(all.len(), REGISTRATIONS);
        assert!(claim(true).is_none(), "all are in use");
        for (at, (index, handle)) in all.iter().enumerate() {
            assert_eq!(*index as usize, at);
            let found = find(*handle).map(|(index, _)| index);
            assert_eq!(found, Some(*index));
        }
        let (index, former) = all[7];
        find(former).unwrap().1.release();
        assert!(find(former).is_none() && at(index).is_none(), "its time is over");
        let (again, handle) = claim(true).unwrap();
        assert_eq!((again, find(former).is_none(), find(handle).is_some()), (index, true, true));
        assert_eq!(at(index).unwrap().classic.load(Ordering::Relaxed), 1);
        // What programs pass that have no handle.
        for wrong in [0, 1, 7, u64::MAX, 0xDEAD_BEEF, handle + (1 << 32), handle + (2 << 32), 1 << 32] {
            assert!(find(wrong).is_none(), "{wrong:#x}");
        }
    }
}
