//! The registrations of the process.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tracewell_types::Guid;
use tracewell_wine_pe::call::{REGISTRATIONS, Session};

use crate::registration::Registration;

#[derive(Debug, Default)]
struct World {
    registered: HashMap<u32, &'static Registration>,
    /// Providers that no program uses at the moment, by their GUIDs.
    spare: HashMap<Guid, Vec<&'static Registration>>,
}

static WORLD: LazyLock<Mutex<World>> = LazyLock::new(Mutex::default);

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

/// The sessions that have a provider of this process enabled; `None` if this process has not registered it.
pub(crate) fn sessions_of(guid: Guid) -> Option<Vec<Session>> {
    let world = locked();
    let found = world.registered.values().find(|known| known.provider.guid() == guid).copied();
    drop(world);
    found.map(Registration::sessions)
}

/// The GUIDs of the providers that this process has registered.
pub(crate) fn guids() -> Vec<Guid> {
    let mut all: Vec<Guid> = locked().registered.values().map(|known| known.provider.guid()).collect();
    all.sort_unstable();
    all.dedup();
    all
}
