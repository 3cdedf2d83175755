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

#[cfg(test)]
mod tests {
    use tracewell_corpus::Random;

    use super::*;
    use crate::engine::sys::{Mapping, slot_of};
    use crate::engine::table::{self, LISTENERS, STACKS, Wanted};

    const SHOP: Guid = Guid::parse("0ad614c4-0ef4-4225-8000-0123456789ab");

    /// A table as a daemon makes it.
    fn table() -> &'static Mapping {
        let file = rustix::fs::memfd_create("table", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&file, table::SIZE as u64).unwrap();
        Box::leak(Box::new(Mapping::new(&file, table::SIZE, true).unwrap()))
    }

    /// Whether a session that enabled a provider like this wants an event, by the documentation of [`Enable`].
    fn is_wanted(enable: &Enable, level: u8, keyword: u64, id: Option<u16>) -> bool {
        let of_level = enable.level == 0 || level <= enable.level;
        let has_any = enable.any == 0 || keyword & enable.any != 0;
        let has_all = keyword & enable.all == enable.all;
        let is_chosen = match &enable.ids {
            None => true,
            Some(IdFilter { include: true, ids }) => id.is_some_and(|id| ids.contains(&id)),
            Some(IdFilter { include: false, ids }) => id.is_none_or(|id| !ids.contains(&id)),
        };
        let is_of_process = enable.processes.is_empty() || enable.processes.contains(&std::process::id());
        of_level && (keyword == 0 || has_any && has_all) && is_chosen && is_of_process
    }

    fn some_enable(random: &mut Random) -> Enable {
        let mut keywords =
            || if random.below(3) == 0 { 0 } else { 1 << random.below(4) | 1 << random.below(64) };
        let (any, all) = (keywords(), keywords());
        let ids = match random.below(4) {
            0 => Some(IdFilter { include: true, ids: vec![1, 2] }),
            1 => Some(IdFilter { include: false, ids: vec![2, 3] }),
            _ => None,
        };
        let processes = match random.below(6) {
            0 => vec![1, std::process::id()],
            1 => vec![1],
            _ => Vec::new(),
        };
        let stacks = random.below(2) == 1;
        let level = random.below(7) as u8 % 6;
        Enable {
            any,
            all: if random.below(2) == 0 { 0 } else { all },
            ids,
            processes,
            stacks,
            level,
            ..Enable::all_of(SHOP)
        }
    }

    /// What a program looks at before it logs gives each session the events that it asked for, and no others, whatever the sessions
    /// of both daemons ask for.
    #[test]
    fn issue_23_events_go_to_the_sessions_that_asked_for_them() {
        let tables = [table(), table()];
        let mut random = Random(23);
        let (mut given, mut refused) = (0, 0);
        for round in 0..300 {
            let slot = 1 + round;
            let core = Core::new("shop", SHOP, &[]);
            let mut sessions = Vec::new();
            for (host, table) in tables.iter().enumerate() {
                let mut wanted = [None; LISTENERS];
                for (place, wanted) in wanted.iter_mut().enumerate() {
                    if random.below(3) != 0 {
                        continue;
                    }
                    let enable = some_enable(&mut random);
                    let (session, generation) = (place as u32 + 1, round + 7);
                    let filtered = enable.ids.is_some() || !enable.processes.is_empty();
                    let Enable { level, any, all, stacks, .. } = enable;
                    *wanted = Some(Wanted { session, generation, level, any, all, filtered, stacks });
                    // What came before counts no more.
                    core.control(host, session, generation - 1, 1, &some_enable(&mut random));
                    core.control(host, session, generation, 1, &enable);
                    core.control(host, session, generation, 2, &Enable::all_of(SHOP));
                    sessions.push((host, place, enable));
                }
                table::publish(table, slot, &wanted);
                core.slots[host].set(slot_of(table, slot).unwrap());
            }
            for _ in 0..100 {
                let level = random.below(8) as u8;
                let keyword = match random.below(3) {
                    0 => 0,
                    1 => 1 << random.below(64),
                    _ => random.bits() | 1 << random.below(4),
                };
                let id = Some(random.below(5) as u16).filter(|id| *id != 0);
                let mut may_be_wanted = false;
                for host in 0..HOSTS {
                    let slot = core.slots[host].get();
                    let of_host = || sessions.iter().filter(|(of, ..)| *of == host);
                    let used = of_host().fold(0, |bits, (_, place, _)| bits | 1 << place);
                    assert_eq!(slot.listeners.load(Ordering::Relaxed), used);
                    // The quick look takes the highest level and all keywords together.
                    let most = of_host()
                        .map(|(.., enable)| if enable.level == 0 { 255 } else { enable.level })
                        .max();
                    may_be_wanted |= most.is_some_and(|most| level <= most)
                        && (keyword == 0
                            || of_host().any(|(.., enable)| enable.any == 0 || keyword & enable.any != 0));
                    for (_, place, enable) in of_host() {
                        let listener = &slot.listener[*place];
                        let expected = is_wanted(enable, level, keyword, id);
                        let wants = core.wants(host, listener, level, keyword, id);
                        assert_eq!(wants, expected, "{enable:?} {level} {keyword:#x} {id:?}");
                        assert_eq!(listener.level.load(Ordering::Relaxed) & STACKS != 0, enable.stacks);
                        assert!(!expected || may_be_wanted);
                        *(if expected { &mut given } else { &mut refused }) += 1;
                    }
                }
                assert_eq!(
                    core.is_enabled(level, keyword),
                    may_be_wanted,
                    "{sessions:?} {level} {keyword:#x}"
                );
            }
            // A daemon that ends takes its own wishes along. The other's filters stay.
            core.disable(0);
            let of_other = sessions.iter().filter(|(host, ..)| *host == 1);
            let filters =
                of_other.filter(|(.., enable)| enable.ids.is_some() || !enable.processes.is_empty());
            assert_eq!(core.filters.lock().unwrap().len(), filters.count());
            let others = core.slots[1].get().threshold.load(Ordering::Relaxed) != 0;
            assert_eq!(core.is_enabled(0, 0), others);
            for (host, place, _) in &sessions {
                core.control(*host, *place as u32 + 1, 0, 0, &Enable::all_of(SHOP));
            }
            assert!(core.filters.lock().unwrap().is_empty());
        }
        assert!(given > 10_000 && refused > 10_000, "{given} {refused}");
    }

    /// Filters count only for the session, run and daemon that set them; until they have arrived nothing passes.
    #[test]
    fn issue_23_filters_are_those_of_their_session() {
        let table = table();
        let core = Core::new("shop", SHOP, &[]);
        let listener = |place: usize, session, generation| {
            let mut wanted = [None; LISTENERS];
            let (level, any, all, stacks) = (4, 0, 0, false);
            wanted[place] = Some(Wanted { session, generation, level, any, all, filtered: true, stacks });
            table::publish(table, 1, &wanted);
            &slot_of(table, 1).unwrap().listener[place]
        };
        let enable = Enable { ids: Some(IdFilter { include: true, ids: vec![5] }), ..Enable::all_of(SHOP) };
        assert!(!core.wants(0, listener(0, 3, 9), 4, 0, Some(5)));
        core.control(0, 3, 9, 1, &enable);
        for (host, session, generation, passes) in
            [(0, 3, 9, true), (1, 3, 9, false), (0, 4, 9, false), (0, 3, 8, false), (0, 9, 3, false)]
        {
            let listener = listener(7, session, generation);
            assert_eq!(core.wants(host, listener, 4, 0, Some(5)), passes, "{host} {session} {generation}");
            assert!(!core.wants(host, listener, 5, 0, Some(5)) && !core.wants(host, listener, 4, 0, None));
        }
    }

    /// A callback learns everything that a session asked for, and what it does wrong ends nothing.
    #[test]
    fn issue_23_callbacks_learn_what_sessions_ask_for() {
        let core = Core::new("shop", SHOP, &[]);
        let notices = std::sync::Arc::new(Mutex::new(Vec::new()));
        let seen = std::sync::Arc::clone(&notices);
        core.set_callback(Box::new(move |notice| {
            seen.lock().unwrap().push(notice.clone());
            assert!(notice.session != 2, "a callback that fails");
        }));
        let ids = Some(IdFilter { include: false, ids: vec![8] });
        let enable = Enable {
            level: 3,
            any: 5,
            all: 6,
            ids: ids.clone(),
            processes: vec![7],
            stacks: true,
            ..Enable::all_of(SHOP)
        };
        let kinds = [(0, Control::Disabled), (1, Control::Enabled), (2, Control::CaptureState)];
        for (session, (control, _)) in (1..).zip(kinds) {
            core.control(1, session, 4, control, &enable);
        }
        let expected: Vec<Notice> = (1..)
            .zip(kinds)
            .map(|(session, (_, control))| Notice {
                control,
                level: 3,
                any: 5,
                all: 6,
                session,
                daemon: 1,
                stacks: true,
                ids: ids.clone(),
                processes: vec![7],
            })
            .collect();
        assert_eq!(*notices.lock().unwrap(), expected);
    }

    #[test]
    fn issue_23_a_provider_has_one_name() {
        let named = Core::new("shop", SHOP, &[]);
        assert!(!named.set_name("other"));
        assert_eq!(named.known_name(), "shop");
        let unnamed = Core::new("", SHOP, &[]);
        assert_eq!((unnamed.set_name(""), unnamed.known_name()), (false, ""));
        assert_eq!((unnamed.set_name("late"), unnamed.set_name("later")), (true, false));
        assert_eq!(unnamed.known_name(), "late");
    }
}
