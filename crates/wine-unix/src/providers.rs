//! The providers that are registered, as `EnumerateTraceGuidsEx` and `EnumerateTraceGuids` describe them.

use tracewell_session::evntrace::ENABLED_ONLY;
use tracewell_session::{Enabling, ProviderStatus};
use tracewell_types::Guid;
use tracewell_wine_pe::call::{Session, list};
use tracewell_wine_pe::codes;

use crate::controller;
use crate::registration::{all_keywords, all_levels};
use crate::world;

/// Bytes of `TRACE_GUID_PROPERTIES`.
const PROPERTIES: usize = 36;

/// A process that has registered a provider (`TRACE_PROVIDER_INSTANCE_INFO`).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Instance {
    process: u32,
    flags: u32,
    sessions: Vec<Session>,
}

/// The providers that the daemon knows and those of this process, by GUID.
pub(crate) fn all() -> Result<Vec<ProviderStatus>, u32> {
    Ok(with_own(controller::providers()?, &world::guids()))
}

/// The bytes of an answer. `process` is the number that Windows gives this process.
pub(crate) fn answer(what: u32, guid: Guid, process: u32) -> Result<Vec<u8>, u32> {
    match what {
        list::GUIDS => Ok(guids(&all()?.iter().map(|provider| provider.guid).collect::<Vec<_>>())),
        list::OWN => Ok(guids(&world::guids())),
        list::ONE => {
            let own = world::sessions_of(guid).map(|sessions| Instance { process, flags: 0, sessions });
            let known = match controller::providers() {
                // What this process has registered, it knows without a daemon.
                Err(_) if own.is_some() => Vec::new(),
                known => known?,
            };
            let status = known.iter().find(|provider| provider.guid == guid);
            let linux = rustix::process::getpid().as_raw_nonzero().get().unsigned_abs();
            let all = instances(status, own, linux);
            if all.is_empty() { Err(codes::GUID_NOT_FOUND) } else { Ok(description(&all)) }
        }
        _ => Err(codes::INVALID_PARAMETER),
    }
}

fn with_own(mut known: Vec<ProviderStatus>, own: &[Guid]) -> Vec<ProviderStatus> {
    for guid in own {
        if known.iter().all(|provider| provider.guid != *guid) {
            known.push(ProviderStatus { guid: *guid, ..ProviderStatus::default() });
        }
    }
    known.sort_by_key(|provider| provider.guid);
    known.dedup_by_key(|provider| provider.guid);
    known
}

fn guids(all: &[Guid]) -> Vec<u8> {
    all.iter().flat_map(|guid| guid.to_bytes()).collect()
}

/// The processes that have registered a provider: this one, whose number on Linux is `linux`, and the others. A provider that
/// is only enabled has one instance without a process.
fn instances(status: Option<&ProviderStatus>, own: Option<Instance>, linux: u32) -> Vec<Instance> {
    let mut all: Vec<Instance> = own.into_iter().collect();
    let Some(status) = status else { return all };
    let sessions: Vec<Session> = status.enabled.iter().map(session).collect();
    let others = status.processes.iter().filter(|process| **process != linux);
    all.extend(others.map(|process| Instance { process: *process, flags: 0, sessions: sessions.clone() }));
    if all.is_empty() && !sessions.is_empty() {
        all.push(Instance { process: 0, flags: ENABLED_ONLY, sessions });
    }
    all
}

fn session(enabled: &Enabling) -> Session {
    Session {
        enabled: 1,
        level: all_levels(enabled.level),
        logger: enabled.session,
        any: all_keywords(enabled.any),
        all: enabled.all,
        ..Session::default()
    }
}

/// `TRACE_GUID_INFO`, and for each process a `TRACE_PROVIDER_INSTANCE_INFO` with a `TRACE_ENABLE_INFO` for each session.
fn description(instances: &[Instance]) -> Vec<u8> {
    const INSTANCE: usize = 16;
    let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX).to_le_bytes();
    let mut out = [count(instances.len()), [0; 4]].concat();
    for (at, instance) in instances.iter().enumerate() {
        let size = INSTANCE + instance.sessions.len() * size_of::<Session>();
        let next = if at + 1 < instances.len() { size } else { 0 };
        let Instance { process, flags, sessions } = instance;
        out.extend([count(next), count(sessions.len()), process.to_le_bytes(), flags.to_le_bytes()].concat());
        for session in sessions {
            out.extend(session.enabled.to_le_bytes());
            out.extend([session.level, session.reserved]);
            out.extend(session.logger.to_le_bytes());
            out.extend([session.property, session.reserved2].map(u32::to_le_bytes).concat());
            out.extend([session.any, session.all].map(u64::to_le_bytes).concat());
        }
    }
    out
}

/// `TRACE_GUID_PROPERTIES`: GUID, kind, and what the first session wants.
pub(crate) fn properties(provider: &ProviderStatus) -> [u8; PROPERTIES] {
    let first = provider.enabled.first();
    let (logger, level, flags) = first.map_or((0, 0, 0), |enabled| {
        (u32::from(enabled.session), u32::from(all_levels(enabled.level)), all_keywords(enabled.any) as u32)
    });
    let words = [0, logger, level, flags, u32::from(first.is_some())];
    let mut out = [0; PROPERTIES];
    let bytes = provider.guid.to_bytes().into_iter().chain(words.into_iter().flat_map(u32::to_le_bytes));
    out.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(number: u8) -> Guid {
        Guid::from_bytes([number; 16])
    }

    fn status(number: u8, processes: &[u32], enabled: &[(u16, u8, u64)]) -> ProviderStatus {
        let enabled = enabled.iter().map(|&(session, level, any)| Enabling { session, level, any, all: 1 });
        let (processes, enabled) = (processes.to_vec(), enabled.collect());
        ProviderStatus { guid: guid(number), processes, enabled, ..ProviderStatus::default() }
    }

    #[test]
    fn issue_18_all_providers_are_listed_once_in_order() {
        let known = vec![status(9, &[1], &[]), status(3, &[], &[(1, 4, 0)])];
        let all = with_own(known, &[guid(3), guid(5)]);
        assert_eq!(all.iter().map(|one| one.guid).collect::<Vec<_>>(), [guid(3), guid(5), guid(9)]);
        assert_eq!((all[0].enabled.len(), all[2].processes.len()), (1, 1), "those of the daemon are kept");
        assert_eq!(guids(&[guid(1), guid(2)]), [[1; 16], [2; 16]].concat());
    }

    #[test]
    fn issue_18_this_process_has_the_number_of_windows_and_others_that_of_linux() {
        let own = || Instance { process: 44, flags: 0, sessions: Vec::new() };
        let known = status(1, &[700, 701], &[(2, 0, 0), (3, 5, 6)]);
        let found = instances(Some(&known), Some(own()), 700);
        let one = Session { enabled: 1, level: 255, logger: 2, any: u64::MAX, all: 1, ..Session::default() };
        let two = Session { enabled: 1, level: 5, logger: 3, any: 6, all: 1, ..Session::default() };
        let other = Instance { process: 701, flags: 0, sessions: vec![one, two] };
        assert_eq!(found, [own(), other.clone()]);
        // Another process only; no process at all; not even enabled.
        assert_eq!(instances(Some(&known), None, 700), std::slice::from_ref(&other));
        let enabled = Instance { process: 0, flags: 2, ..other };
        assert_eq!(instances(Some(&status(1, &[], &[(2, 0, 0), (3, 5, 6)])), None, 700), [enabled]);
        assert_eq!(instances(Some(&status(1, &[], &[])), None, 700), []);
        assert_eq!(instances(None, None, 700), []);
        assert_eq!(instances(None, Some(own()), 700), [own()]);
    }

    #[test]
    fn issue_18_descriptions_have_the_layout_of_windows() {
        let session = Session {
            enabled: 1,
            level: 4,
            logger: 0x0203,
            property: 7,
            any: 8,
            all: 9,
            ..Session::default()
        };
        let first = Instance { process: 0x11, flags: 0, sessions: vec![session] };
        let last = Instance { process: 0x22, flags: 2, sessions: Vec::new() };
        let found = description(&[first, last]);
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let wanted = [2, 0, 48, 1, 0x11, 0, 1, 0x0203_0004, 7, 0, 8, 0, 9, 0, 0, 0, 0x22, 2];
        assert_eq!(found, words(&wanted));
        let found = properties(&status(1, &[5], &[(6, 0, 0x1_0000_0070), (7, 1, 1)]));
        assert_eq!(found[..16], [1; 16]);
        assert_eq!(found[16..], words(&[0, 6, 255, 0x70, 1]));
        assert_eq!(properties(&status(1, &[5], &[]))[16..], words(&[0; 5]));
    }
}
