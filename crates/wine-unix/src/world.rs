//! The registrations of the process, and those to which notices are due.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustix::thread::futex;
use tracewell_types::Guid;
use tracewell_wine_pe::call::{REGISTRATIONS, Session};

use crate::registration::Registration;

#[derive(Debug, Default)]
struct World {
    registered: HashMap<u32, &'static Registration>,
    /// Providers that no program uses at the moment, by their GUIDs.
    spare: HashMap<Guid, Vec<&'static Registration>>,
    /// Numbers of registrations to which notices may be due.
    ready: VecDeque<u32>,
}

static WORLD: LazyLock<Mutex<World>> = LazyLock::new(Mutex::default);

/// Changes with each notice.
static CHANGES: AtomicU32 = AtomicU32::new(0);

fn locked() -> MutexGuard<'static, World> {
    WORLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a provider under a number that is free.
pub(crate) fn register(index: u32, guid: Guid, notices: bool) -> Option<&'static Registration> {
    let registration = {
        let mut world = locked();
        if index as usize >= REGISTRATIONS || world.registered.contains_key(&index) {
            return None;
        }
        let spare = world.spare.get_mut(&guid).and_then(Vec::pop);
        let registration = spare.unwrap_or_else(|| Registration::leak(guid));
        world.registered.insert(index, registration);
        registration
    };
    registration.begin(index, notices);
    Some(registration)
}

pub(crate) fn unregister(index: u32) {
    let Some(registration) = locked().registered.remove(&index) else { return };
    registration.end();
    locked().spare.entry(registration.provider.guid()).or_default().push(registration);
}

pub(crate) fn find(index: u32) -> Option<&'static Registration> {
    locked().registered.get(&index).copied()
}

/// The number of registrations of a GUID, and the sessions that have it enabled.
pub(crate) fn sessions_of(guid: Guid) -> (usize, Vec<Session>) {
    let world = locked();
    let found: Vec<_> =
        world.registered.values().filter(|known| known.provider.guid() == guid).copied().collect();
    drop(world);
    (found.len(), found.first().map(|known| known.sessions()).unwrap_or_default())
}

/// Has the thread that runs callbacks look at a registration.
pub(crate) fn wake(index: u32) {
    let mut world = locked();
    if !world.ready.contains(&index) {
        world.ready.push_back(index);
    }
    drop(world);
    CHANGES.fetch_add(1, Ordering::Release);
    let _ = futex::wake(&CHANGES, futex::Flags::PRIVATE, 1);
}

#[inline(never)]
fn next_ready() -> Option<u32> {
    locked().ready.pop_front()
}

/// Waits for a registration to which notices are due.
///
/// Wine may end the thread here, and unwinds it: nothing in this frame is to be dropped.
pub(crate) fn wait() -> u32 {
    loop {
        let seen = CHANGES.load(Ordering::Acquire);
        if let Some(index) = next_ready() {
            return index;
        }
        let _ = futex::wait(&CHANGES, futex::Flags::PRIVATE, seen, None);
    }
}
