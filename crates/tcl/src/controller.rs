//! Sessions: what is under `etw_start_trace` and its like. Options are parsed and properties named in Tcl.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use tracewell_schema::{bundled, providers as known};
#[cfg(target_os = "linux")]
use tracewell_session::engine::{Engine, RuntimeDir};
use tracewell_session::provider::guid_of_name;
use tracewell_session::{
    ClockType, Code, Controller, Enable, Error, LogFileMode, Properties, SessionStatus, Update,
};
use tracewell_types::Guid;

use crate::failure::{bad_arguments, integer, win32, win32_code, words};
use crate::provider::{self, PROVIDER_GUID, PROVIDER_NAME};
use crate::sys::{Failure, Interp, Obj, Outcome};

/// The kernel's provider, under both of its names.
pub(crate) const KERNEL_GUID: Guid = tracewell_etl::def::guid::SYSTEM_TRACE;
const KERNEL_NAME: &str = "Windows Kernel Trace";

#[derive(Default)]
struct State {
    /// Program and arguments that run the session daemon.
    daemon: Vec<OsString>,
    /// Sessions started here and not stopped by their handle: the name of each.
    handles: HashMap<i64, String>,
    last_handle: i64,
    /// By session, in lower case: enabled providers of Windows itself, which no program here represents.
    of_windows: HashMap<String, BTreeMap<Guid, String>>,
    /// What the kernel gives here, as the daemon said when a session was started last: groups of kernel events, and providers.
    offered: (u32, Vec<Guid>),
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> std::sync::MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The controller of this system.
#[cfg(target_os = "linux")]
pub(crate) fn engine() -> Engine {
    // The commands report which classes are not delivered.
    Engine::new(RuntimeDir::of_caller(), state().daemon.clone()).with_empty_kernel_logger()
}

/// The controller of this system.
#[cfg(windows)]
pub(crate) fn engine() -> impl Controller {
    tracewell_session::windows::WindowsEtw
}

/// `tracewell::daemon WORDS`: how to run the session daemon. The word `%p` is replaced by the folder that
/// it serves.
pub(crate) fn set_daemon(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "COMMAND")?;
    #[cfg(target_os = "linux")]
    let place = RuntimeDir::of_caller().path().as_os_str().to_owned();
    #[cfg(windows)]
    let place = OsString::new();
    let items = args[1].items().unwrap_or_default();
    let word = |item: &Obj| match item.text() {
        text if text == "%p" => place.clone(),
        text => text.into(),
    };
    state().daemon = items.iter().map(word).collect();
    Ok(Obj::empty())
}

/// `tracewell::run_daemon FOLDER`: serves until it is not needed any more.
pub(crate) fn run_daemon(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "FOLDER")?;
    #[cfg(target_os = "linux")]
    tracewell_session::engine::Service::new(RuntimeDir::new(args[1].text()))
        .with_source(std::sync::Arc::new(tracewell_kernel_linux::KernelSource::default()))
        .run()
        .map_err(|error| crate::failure::plain(error.to_string()))?;
    Ok(Obj::empty())
}

fn int32(word: &Obj) -> Result<u32, Failure> {
    let number = integer(word)?;
    u32::try_from(number)
        .or_else(|_| i32::try_from(number).map(i32::cast_unsigned))
        .map_err(|_| win32_code(Code::INVALID_PARAMETER, format!("{number} does not fit 32 bits")))
}

fn parse_guid(word: &Obj) -> Option<Guid> {
    Guid::try_parse(word.text().as_bytes())
}

/// `tracewell::start NAME GUID LOGFILE BUFFERSIZE MINBUFFERS MAXBUFFERS MAXFILESIZE MODE FLUSHTIMER FLAGS CLOCK`
pub(crate) fn start(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 12, 12, "NAME GUID LOGFILE SIZE MIN MAX FILESIZE MODE TIMER FLAGS CLOCK")?;
    let guid = if args[2].as_internal().is_empty() {
        Guid::ZERO
    } else {
        parse_guid(&args[2]).ok_or_else(|| bad_arguments(format!("Invalid GUID \"{}\".", args[2].text())))?
    };
    let properties = Properties {
        name: args[1].text(),
        guid,
        log_file: args[3].text(),
        buffer_size: int32(&args[4])?,
        minimum_buffers: int32(&args[5])?,
        maximum_buffers: int32(&args[6])?,
        maximum_file_size: int32(&args[7])?,
        mode: LogFileMode(int32(&args[8])?),
        flush_timer: int32(&args[9])?.saturating_mul(1000),
        enable_flags: int32(&args[10])?,
        clock: ClockType(int32(&args[11])?),
    };
    let status = engine().start(&properties).map_err(|e| win32(&e))?;
    let offered = offered();
    let mut state = state();
    state.offered = offered;
    // An ended session of that name was a different one.
    state.of_windows.remove(&status.properties.name.to_lowercase());
    // Windows numbers sessions. Here each start gets a new number, so that an ended session is never confused
    // with another.
    state.last_handle += 1;
    let handle = (state.last_handle << 16) | i64::from(status.id);
    state.handles.insert(handle, status.properties.name);
    Ok(Obj::int(handle))
}

/// What the daemon's sources beside programs offer.
fn offered() -> (u32, Vec<Guid>) {
    #[cfg(target_os = "linux")]
    if let Ok(Some(offers)) = engine().offers() {
        return (offers.kernel_flags, offers.providers);
    }
    (0, Vec::new())
}

/// `tracewell::offered`: the groups of kernel events that are delivered here, as bits.
pub(crate) fn offered_flags(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    let flags = if cfg!(windows) { u32::MAX } else { state().offered.0 };
    Ok(Obj::int(flags))
}

/// The session that a word names: by handle, where it is one, else by name.
fn session(word: &Obj) -> String {
    let known = word.as_int().and_then(|handle| state().handles.get(&handle).cloned());
    known.unwrap_or_else(|| word.text())
}

fn signed(value: impl TryInto<u32>) -> Obj {
    Obj::int(value.try_into().unwrap_or(u32::MAX).cast_signed())
}

/// The properties in the order that Tcl names them in.
fn status_list(status: &SessionStatus) -> Obj {
    let p = &status.properties;
    Obj::list(&[
        Obj::new(&p.log_file),
        Obj::new(&p.name),
        guid_obj(&p.guid),
        signed(p.buffer_size),
        signed(p.minimum_buffers),
        signed(p.maximum_buffers),
        signed(p.maximum_file_size),
        signed(p.mode.0),
        signed(p.flush_timer.div_ceil(1000)),
        signed(p.enable_flags),
        signed(p.clock.0),
        Obj::int(0),
        signed(status.buffers),
        signed(status.free_buffers),
        signed(status.events_lost),
        signed(status.buffers_written),
        signed(status.log_buffers_lost),
        signed(status.realtime_buffers_lost),
        Obj::int(status.logger_thread),
    ])
}

/// A GUID as TWAPI writes it: in braces and capitals.
pub(crate) fn guid_obj(guid: &Guid) -> Obj {
    Obj::new(&guid.braced().to_string().to_ascii_uppercase())
}

/// `tracewell::control ACTION TRACE ?LOGFILE TIMER MAXBUFFERS FLAGS REALTIME?`, where an empty word changes nothing.
pub(crate) fn control(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 3, 8, "ACTION TRACE ?LOGFILE TIMER MAXBUFFERS FLAGS REALTIME?")?;
    let name = session(&args[2]);
    let engine = engine();
    let given = |at: usize| args.get(at).filter(|word| !word.as_internal().is_empty());
    let number = |at: usize| given(at).map(int32).transpose();
    let status = match &*args[1].text() {
        "query" => engine.query(&name),
        "stop" => engine.stop(&name),
        "flush" => engine.flush(&name, None),
        "update" => {
            let update = Update {
                log_file: given(3).map(Obj::text),
                flush_timer: number(4)?.filter(|t| *t != 0).map(|seconds| seconds.saturating_mul(1000)),
                maximum_buffers: number(5)?.filter(|count| *count != 0),
                enable_flags: number(6)?,
                real_time: number(7)?.map(|on| on != 0),
            };
            engine.update(&name, &update)
        }
        action => return Err(bad_arguments(format!("Invalid trace action \"{action}\"."))),
    };
    let status = status.map_err(|e| win32(&e))?;
    if &*args[1].text() == "stop" {
        state().of_windows.remove(&status.properties.name.to_lowercase());
    }
    if &*args[1].text() == "stop"
        && let Some(handle) = args[2].as_int()
    {
        state().handles.remove(&handle);
    }
    Ok(status_list(&status))
}

/// `tracewell::traces`
pub(crate) fn traces(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    let all = engine().list().map_err(|e| win32(&e))?;
    Ok(Obj::list(&all.iter().map(status_list).collect::<Vec<_>>()))
}

/// The GUID of a provider by name, ignoring case: our provider, the kernel, and what [`known::resolve`] has.
fn guid_of(name: &str) -> Option<Guid> {
    if name.eq_ignore_ascii_case(PROVIDER_NAME) {
        return Some(PROVIDER_GUID);
    }
    if name.eq_ignore_ascii_case(KERNEL_NAME) {
        return Some(KERNEL_GUID);
    }
    // A name with a space is that of no provider, and other unknown ones may be registered later.
    let live = engine().providers().unwrap_or_default();
    let registered = || live.iter().map(|known| (known.name.as_str(), known.guid));
    if name.contains(' ') && !registered().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return known::guid(name);
    }
    known::resolve(name, registered(), guid_of_name)
}

fn provider(word: &Obj) -> Result<Guid, Failure> {
    parse_guid(word)
        .or_else(|| guid_of(&word.text()))
        .ok_or_else(|| bad_arguments(format!("Provider \"{}\" not found.", word.text())))
}

/// `tracewell::enable TRACE PROVIDER FLAGS LEVEL`
pub(crate) fn enable(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 5, 5, "TRACEHANDLE PROVIDER ENABLEFLAGS LEVEL")?;
    let flags = integer(&args[3])?;
    let level = provider::level(&args[4])
        .ok_or_else(|| bad_arguments(format!("Invalid or unknown trace level \"{}\".", args[4].text())))?;
    // The flags of the old call are 32 bits; more are taken, and -1 means all there are.
    let any = if flags < 0 { u64::from(flags as u32) | (u64::MAX << 32) } else { flags.cast_unsigned() };
    let enable = Enable { level, any, ..Enable::all_of(provider(&args[2])?) };
    let handle = integer(&args[1])?;
    let Some(name) = state().handles.get(&handle).cloned() else { return Err(no_handle(handle)) };
    let enabled = match parse_guid(&args[2]) {
        Some(_) => engine().enable(&name, &enable),
        None => engine().enable_named(&name, &args[2].text(), &enable),
    };
    enabled.map_err(|e| win32(&e))?;
    if let Some(provider) = name_of_windows(enable.provider) {
        state().of_windows.entry(name.to_lowercase()).or_default().insert(enable.provider, provider);
    }
    if enable.provider == PROVIDER_GUID {
        provider::wait_until_enabled();
    }
    Ok(Obj::empty())
}

fn no_handle(handle: i64) -> Failure {
    win32(&Error::new(Code(6), format!("{handle} is not the handle of a trace")))
}

/// `tracewell::disable TRACE PROVIDER`
pub(crate) fn disable(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 3, 3, "TRACEHANDLE PROVIDER")?;
    let guid = provider(&args[2])?;
    let handle = integer(&args[1])?;
    let Some(name) = state().handles.get(&handle).cloned() else { return Err(no_handle(handle)) };
    engine().disable(&name, guid).map_err(|e| win32(&e))?;
    if let Some(enabled) = state().of_windows.get_mut(&name.to_lowercase()) {
        enabled.remove(&guid);
    }
    Ok(Obj::empty())
}

/// The name of a provider that is part of Windows.
fn name_of_windows(guid: Guid) -> Option<String> {
    let bundled = || bundled::names().find(|(_, known)| *known == guid).map(|(name, _)| name.to_owned());
    known::name(&guid).map(str::to_owned).or_else(bundled)
}

/// `tracewell::undelivered_providers NAME`: the providers of Windows itself that were enabled by this process for the
/// session and that neither a program nor the kernel of this system logs, so that nothing comes from them. On Windows there is none.
pub(crate) fn undelivered_providers(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "TRACENAME")?;
    let enabled = state().of_windows.get(&args[1].text().to_lowercase()).cloned().unwrap_or_default();
    if cfg!(windows) || enabled.is_empty() {
        return Ok(Obj::empty());
    }
    let live = engine().providers().map_err(|e| win32(&e))?;
    let of_kernel = state().offered.1.clone();
    let silent = enabled.iter().filter(|(guid, _)| {
        !of_kernel.contains(guid) && live.iter().all(|live| live.guid != **guid || live.processes.is_empty())
    });
    Ok(Obj::list(&silent.map(|(_, name)| Obj::new(name)).collect::<Vec<_>>()))
}

/// `tracewell::provider_guid NAME`
pub(crate) fn provider_guid(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 2, 2, "PROVIDERNAME")?;
    Ok(guid_of(&args[1].text()).map_or_else(Obj::empty, |guid| guid_obj(&guid)))
}

/// `tracewell::providers`: a list of lists of GUID, type and name.
pub(crate) fn providers(_: Interp, args: &[Obj]) -> Outcome {
    words(args, 1, 1, "")?;
    let mut all =
        vec![(PROVIDER_GUID, "mof", PROVIDER_NAME.to_owned()), (KERNEL_GUID, "mof", KERNEL_NAME.into())];
    all.extend(known::all().map(|(guid, name)| (guid, "xml", name.to_owned())));
    let live = engine().providers().map_err(|e| win32(&e))?;
    all.extend(live.into_iter().filter(|p| !p.name.is_empty()).map(|p| (p.guid, "xml", p.name)));
    let mut seen = std::collections::HashSet::new();
    all.retain(|(guid, _, _)| seen.insert(*guid));
    let row = |(guid, kind, name): &(Guid, &str, String)| {
        Obj::list(&[guid_obj(guid), Obj::new(kind), Obj::new(name)])
    };
    Ok(Obj::list(&all.iter().map(row).collect::<Vec<_>>()))
}
