//! What a provider is to the engine: which sessions want what of its events.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use tracewell_types::Guid;

use super::sys::{self, Pointer};
use super::table::{FILTERED, Listener, Slot};
use crate::properties::{Enable, IdFilter};
use crate::provider::event::{Control, Notice};

/// Daemons that may listen to a process: the user's and the system's.
pub(crate) const HOSTS: usize = 2;

/// What is called when that changes.
pub(crate) type Callback = Box<dyn Fn(&Notice) + Send + Sync>;

static DISABLED: Slot = Slot::disabled();

/// What a provider is to the engine. It begins with pointers to the slots, and these with the level below which events are
/// wanted: C programs look there by themselves before they call (`tracewell.h`).
#[repr(C)]
pub(crate) struct Core {
    /// What each daemon wants.
    pub(crate) slots: [Pointer<Slot>; HOSTS],
    pub(crate) name: &'static str,
    pub(crate) guid: Guid,
    pub(crate) traits: &'static [u8],
    /// The name, of a provider that has it later than its GUID.
    later_name: OnceLock<Box<str>>,
    /// Bits of the daemons that know the provider.
    pub(crate) known: AtomicU8,
    filters: Mutex<Vec<Filter>>,
    callback: OnceLock<Callback>,
}

const _: () = {
    assert!(std::mem::offset_of!(Core, slots) == 0 && std::mem::offset_of!(Slot, threshold) == 0);
    // As the PE half of `wine-pe` reads it.
    assert!(std::mem::offset_of!(Slot, any) == 8);
    assert!(HOSTS == 2 && size_of::<Pointer<Slot>>() == size_of::<usize>());
};

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").field("name", &self.name).field("guid", &self.guid).finish_non_exhaustive()
    }
}

/// What of a provider one session has filtered.
struct Filter {
    host: usize,
    session: u32,
    generation: u32,
    ids: Option<IdFilter>,
    processes: Vec<u32>,
}

impl Core {
    pub(crate) const fn new(name: &'static str, guid: Guid, traits: &'static [u8]) -> Core {
        Core {
            name,
            guid,
            traits,
            later_name: OnceLock::new(),
            slots: [const { Pointer::new(&DISABLED) }; HOSTS],
            known: AtomicU8::new(0),
            filters: Mutex::new(Vec::new()),
            callback: OnceLock::new(),
        }
    }

    /// The name that daemons know the provider by.
    pub(crate) fn known_name(&self) -> &str {
        self.later_name.get().map_or(self.name, |name| name)
    }

    /// Gives a provider without a name its name. Returns `true` unless it has one.
    pub(crate) fn set_name(&self, name: &str) -> bool {
        self.name.is_empty() && !name.is_empty() && self.later_name.set(name.into()).is_ok()
    }

    pub(crate) fn set_callback(&self, callback: Callback) {
        let _ = self.callback.set(callback);
    }

    /// Has one daemon's wishes end.
    pub(crate) fn disable(&self, host: usize) {
        self.slots[host].set(&DISABLED);
        self.filters.lock().unwrap_or_else(PoisonError::into_inner).retain(|filter| filter.host != host);
    }

    /// A session's wish has changed: takes note of its filters, and calls back.
    pub(crate) fn control(&self, host: usize, session: u32, generation: u32, control: u8, enable: &Enable) {
        if control != 2 {
            let mut filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
            filters.retain(|filter| (filter.host, filter.session) != (host, session));
            if control == 1 && (enable.ids.is_some() || !enable.processes.is_empty()) {
                let (ids, processes) = (enable.ids.clone(), enable.processes.clone());
                filters.push(Filter { host, session, generation, ids, processes });
            }
        }
        if let Some(callback) = self.callback.get() {
            let control = match control {
                0 => Control::Disabled,
                1 => Control::Enabled,
                _ => Control::CaptureState,
            };
            let notice = Notice {
                control,
                level: enable.level,
                any: enable.any,
                all: enable.all,
                session,
                daemon: u8::try_from(host).unwrap_or(u8::MAX),
                stacks: enable.stacks,
                ids: enable.ids.clone(),
                processes: enable.processes.clone(),
            };
            // What a callback does wrong must not end the thread that serves the provider.
            let call = std::panic::AssertUnwindSafe(|| callback(&notice));
            let _ = std::panic::catch_unwind(call);
        }
    }

    #[inline(always)]
    pub(crate) fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        let [own, system] = [self.slots[0].get(), self.slots[1].get()];
        let thresholds = [own.threshold.load(Ordering::Relaxed), system.threshold.load(Ordering::Relaxed)];
        // One test if no session listens at all.
        if thresholds[0] | thresholds[1] == 0 {
            return false;
        }
        let level = u32::from(level);
        let wanted = |slot: &Slot, threshold: u32| {
            level < threshold && (keyword == 0 || keyword & slot.any.load(Ordering::Relaxed) != 0)
        };
        wanted(own, thresholds[0]) || wanted(system, thresholds[1])
    }

    #[inline(always)]
    pub(crate) fn wants(
        &self,
        host: usize,
        listener: &Listener,
        level: u8,
        keyword: u64,
        id: Option<u16>,
    ) -> bool {
        let wanted = listener.level.load(Ordering::Relaxed);
        let all = listener.all.load(Ordering::Relaxed);
        u64::from(level) < wanted & 0xFFFF
            && (keyword == 0 || keyword & listener.any.load(Ordering::Relaxed) != 0 && keyword & all == all)
            && (wanted & FILTERED == 0 || self.passes(host, listener, id))
    }

    /// Returns `true` if an event passes the filters a session has set. Before they are known, none
    /// does.
    #[cold]
    fn passes(&self, host: usize, listener: &Listener, id: Option<u16>) -> bool {
        let key = listener.session.load(Ordering::Relaxed);
        let (session, generation) = (key as u32, (key >> 32) as u32);
        let filters = self.filters.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = |f: &&Filter| (f.host, f.session, f.generation) == (host, session, generation);
        let Some(filter) = filters.iter().find(mine) else { return false };
        let listed = |ids: &IdFilter| id.is_some_and(|id| ids.ids.contains(&id)) == ids.include;
        filter.ids.as_ref().is_none_or(listed)
            && (filter.processes.is_empty() || filter.processes.contains(&sys::process_id()))
    }
}
