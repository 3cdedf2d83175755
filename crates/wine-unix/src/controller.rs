//! Sessions that Windows programs start, change and end: those of the daemon, as programs of Linux have them.

use std::sync::LazyLock;

use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::evntrace::{control as number, filter, request};
use tracewell_session::{
    Backlog, Controller, Enable, Error, IdFilter, LiveSource, ProviderStatus, SessionStatus,
};
use tracewell_types::Guid;
use tracewell_wine_pe::call::operation;
use tracewell_wine_pe::codes;

use crate::block::Block;

// The half for Windows imports nothing.
const _: () = assert!(operation::QUERY == number::QUERY && operation::STOP == number::STOP);
const _: () = assert!(operation::UPDATE == number::UPDATE && operation::FLUSH == number::FLUSH);

/// The daemon that serves this process; one is started with the first session.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let place = RuntimeDir::of_caller();
    let daemon = vec!["etw".into(), "daemon".into(), "run".into(), place.path().into()];
    Engine::new(place, daemon)
});

/// What a program says about the session that it means.
#[derive(Debug)]
pub(crate) enum Which {
    Named(String),
    Handle(u64),
}

fn code(error: &Error) -> u32 {
    error.code.0
}

fn name_of(which: &Which) -> Result<String, u32> {
    match which {
        Which::Named(name) => Ok(name.clone()),
        Which::Handle(handle) => {
            let all = ENGINE.list().map_err(|error| code(&error))?;
            let found = all.into_iter().find(|session| u64::from(session.id) == *handle);
            found.map(|session| session.properties.name).ok_or(codes::SESSION_NOT_FOUND)
        }
    }
}

/// Does what `StartTrace` and `ControlTrace` do. Returns the session, with an error code if not everything fits.
pub(crate) fn control(
    what: u32,
    which: &Which,
    block: &mut Block<'_>,
    file: &str,
) -> Result<(SessionStatus, u32), u32> {
    let done = match (what, which) {
        (operation::START, Which::Named(name)) => ENGINE.start(&block.asked(name.clone(), file.to_owned())),
        (operation::START, Which::Handle(_)) => return Err(codes::INVALID_PARAMETER),
        (operation::QUERY, _) => ENGINE.query(&name_of(which)?),
        (operation::STOP, _) => ENGINE.stop(&name_of(which)?),
        (operation::FLUSH, _) => ENGINE.flush(&name_of(which)?, (!file.is_empty()).then_some(file)),
        (operation::UPDATE, _) => {
            let name = name_of(which)?;
            let present = ENGINE.query(&name).map_err(|error| code(&error))?;
            ENGINE.update(&name, &block.changes(file, &present.properties))
        }
        _ => return Err(codes::INVALID_PARAMETER),
    };
    let status = done.map_err(|error| code(&error))?;
    let fits = block.fill(&status).err().unwrap_or(codes::SUCCESS);
    Ok((status, fits))
}

/// Handles of the sessions that run.
pub(crate) fn running() -> Result<Vec<u64>, u32> {
    let all = ENGINE.list().map_err(|error| code(&error))?;
    Ok(all.into_iter().map(|session| session.id.into()).collect())
}

/// Attaches to a session in real time.
pub(crate) fn attach(name: &str) -> Result<Box<dyn LiveSource>, u32> {
    ENGINE.attach(name, Backlog::Lose).map_err(|error| match code(&error) {
        // Windows has one error for sessions that are not in real time, and for those that do not run.
        codes::INVALID_PARAMETER => codes::SESSION_NOT_FOUND,
        code => code,
    })
}

/// The providers that the daemon knows.
pub(crate) fn providers() -> Result<Vec<ProviderStatus>, u32> {
    ENGINE.providers().map_err(|error| code(&error))
}

/// Has a provider log to a session, or no longer, or asks it for its state.
pub(crate) fn enable(handle: u64, control: u32, wanted: &Enable) -> u32 {
    let done = name_of(&Which::Handle(handle)).map(|name| match control {
        request::DISABLE => ENGINE.disable(&name, wanted.provider),
        request::ENABLE => ENGINE.enable(&name, wanted),
        request::CAPTURE_STATE => ENGINE.capture_state(&name, wanted.provider),
        _ => Err(tracewell_session::Code::INVALID_PARAMETER.into()),
    });
    match done {
        Ok(Ok(())) => codes::SUCCESS,
        Ok(Err(error)) => code(&error),
        Err(code) => code,
    }
}

/// Takes a filter into account. `process` is the number that Windows gives this process. Fails for filters that cannot be
/// had, so that no session has more events than its program expects.
pub(crate) fn add_filter(wanted: &mut Enable, kind: u32, data: &[u8], process: u32) -> Result<(), u32> {
    match kind {
        filter::PID => {
            let (numbers, rest) = data.as_chunks::<4>();
            // Of other processes only Wine knows which they are on Linux.
            let own = |number: &[u8; 4]| u32::from_le_bytes(*number) == process;
            if !rest.is_empty() || numbers.is_empty() || !numbers.iter().all(own) {
                return Err(codes::NOT_SUPPORTED);
            }
            wanted.processes = vec![rustix::process::getpid().as_raw_nonzero().get().unsigned_abs()];
        }
        filter::EVENT_ID => {
            let [include, _, low, high, numbers @ ..] = data else { return Err(codes::INVALID_PARAMETER) };
            let count = usize::from(u16::from_le_bytes([*low, *high]));
            let (numbers, _) = numbers.as_chunks::<2>();
            let numbers = numbers.get(..count).ok_or(codes::INVALID_PARAMETER)?;
            let ids = numbers.iter().map(|number| u16::from_le_bytes(*number)).collect();
            wanted.ids = Some(IdFilter { include: *include != 0, ids });
        }
        _ => return Err(codes::NOT_SUPPORTED),
    }
    Ok(())
}

/// A request for all events of a provider, without filters.
pub(crate) fn wanted(provider: Guid, level: u32, keywords: [u64; 2], stacks: bool, timeout: u32) -> Enable {
    let [any, all] = keywords;
    let level = u8::try_from(level).unwrap_or(u8::MAX);
    Enable { level, any, all, stacks, timeout, ..Enable::all_of(provider) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issue_18_filters_are_taken_or_refused() {
        let plain = wanted(Guid::ZERO, 4, [1, 2], true, 9);
        assert_eq!((plain.level, plain.any, plain.all, plain.stacks, plain.timeout), (4, 1, 2, true, 9));
        let with = |kind, data: &[u8]| {
            let mut wanted = plain.clone();
            add_filter(&mut wanted, kind, data, 44).map(|()| wanted)
        };
        let own = std::process::id();
        assert_eq!(with(filter::PID, &[44, 0, 0, 0]), Ok(Enable { processes: vec![own], ..plain.clone() }));
        for other in [&b""[..], &[44, 0, 0], &[45, 0, 0, 0], &[44, 0, 0, 0, 45, 0, 0, 0], &[44, 0, 0, 0, 1]] {
            assert_eq!(with(filter::PID, other), Err(codes::NOT_SUPPORTED), "{other:?}");
        }
        let ids = |include, ids: &[u16]| {
            Ok(Enable { ids: Some(IdFilter { include, ids: ids.to_vec() }), ..plain.clone() })
        };
        assert_eq!(with(filter::EVENT_ID, &[1, 0, 2, 0, 7, 0, 0, 1]), ids(true, &[7, 256]));
        assert_eq!(with(filter::EVENT_ID, &[0, 0, 1, 0, 7, 0, 8, 0]), ids(false, &[7]));
        for short in [&b""[..], &[1, 0, 1], &[1, 0, 1, 0, 7], &[1, 0, 2, 0, 7, 0]] {
            assert_eq!(with(filter::EVENT_ID, short), Err(codes::INVALID_PARAMETER), "{short:?}");
        }
        assert_eq!(with(0x8000_0100, &[]), Err(codes::NOT_SUPPORTED));
    }
}
