//! A stand-in for Windows' functions, for the tests of this back end and of what is above it (feature `stand-in`): it keeps
//! sessions, providers and what was asked, and plays events back to consumers, with the structures of Windows.
//!
//! # Conditions
//!
//! The pointers that functions get are those their documentation asks for; holding that is what the callers in
//! [`super::sys`] promise. Whatever is handed to a callback lives until it returns.
#![allow(non_snake_case, reason = "the names are those of Windows")]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_void;
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tracewell_etl::Record;
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Diagnostics::Etw;
use windows_sys::core::{GUID, PCWSTR};

/// The request of a session to a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// `EVENT_CONTROL_CODE_*`.
    pub code: u32,
    /// The highest level.
    pub level: u8,
    /// Keywords of which an event must have one.
    pub any: u64,
    /// Keywords of which it must have all.
    pub all: u64,
    /// Milliseconds.
    pub timeout: u32,
    /// Whether events are to carry stacks.
    pub stacks: bool,
    /// Types and bytes.
    pub filters: Vec<(u32, Vec<u8>)>,
}

/// An event on its way to a consumer.
#[derive(Clone, Default)]
pub struct Event {
    /// As the consumer is given it.
    pub header: Etw::EVENT_HEADER,
    /// The processor that logged it.
    pub cpu: u16,
    /// Extended items: type and data.
    pub items: Vec<(u16, Vec<u8>)>,
    /// The bytes after the header.
    pub payload: Vec<u8>,
}

#[derive(Default)]
struct Session {
    name: String,
    file: String,
    properties: Etw::EVENT_TRACE_PROPERTIES,
    enabled: Vec<(u128, Asked)>,
    stacks: Vec<(u128, u8)>,
    sampled: Vec<u32>,
    carried: Vec<u32>,
    counted: Vec<(u128, u8)>,
    /// Word 1 of the flags; word 0 is in the properties.
    more_flags: u32,
    events: VecDeque<Event>,
    over: bool,
}

// SAFETY: its one pointer, the thread of the logger, is a number that is never dereferenced.
unsafe impl Send for Session {}

struct Registered {
    provider: u128,
    callback: Etw::PENABLECALLBACK,
    context: usize,
    traits: Vec<u8>,
}

struct Old {
    provider: u128,
    callback: Etw::WMIDPREQUEST,
    context: usize,
}

struct Opened {
    session: u64,
    callback: Etw::PEVENT_RECORD_CALLBACK,
    context: usize,
    closed: bool,
}

#[derive(Default)]
struct World {
    sample_interval: Option<u32>,
    next: u64,
    sessions: BTreeMap<u64, Session>,
    ended: BTreeMap<u64, Session>,
    registered: BTreeMap<i64, Registered>,
    old: BTreeMap<u64, Old>,
    opened: BTreeMap<u64, Opened>,
}

static WORLD: Mutex<Option<World>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();

/// The clock of the sessions: what it showed when a session began, and its rate.
pub(super) const FREQUENCY: i64 = 10_000_000;

fn locked() -> MutexGuard<'static, Option<World>> {
    let mut world = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    world.get_or_insert_default();
    world
}

fn with<T>(act: impl FnOnce(&mut World) -> T) -> T {
    let mut guard = locked();
    let result = act(guard.as_mut().unwrap());
    drop(guard);
    CHANGED.notify_all();
    result
}

/// The request of a session to a provider.
pub fn asked(session: &str, provider: tracewell_types::Guid) -> Option<Asked> {
    let provider = number(&super::sys::guid(provider));
    with(|world| {
        let session = world.sessions.values().find(|s| s.name.eq_ignore_ascii_case(session))?;
        session.enabled.iter().find(|(guid, _)| *guid == provider).map(|(_, asked)| asked.clone())
    })
}

/// The events of the system of which a session has asked for stacks.
pub fn stacks(session: &str) -> Vec<(tracewell_types::Guid, u8)> {
    let guid = |bytes: u128| tracewell_types::Guid::from_bytes(bytes.to_le_bytes());
    with(|world| {
        let found = world.sessions.values().find(|s| s.name.eq_ignore_ascii_case(session)).unwrap();
        found.stacks.iter().map(|(class, kind)| (guid(*class), *kind)).collect()
    })
}

/// What a session was asked to count: sources that are sampled, sources that events carry, the events, and word 1 of its flags.
pub fn counting(session: &str) -> (Vec<u32>, Vec<u32>, Vec<(tracewell_types::Guid, u8)>, u32) {
    let guid = |bytes: u128| tracewell_types::Guid::from_bytes(bytes.to_le_bytes());
    with(|world| {
        let found = world.sessions.values().find(|s| s.name.eq_ignore_ascii_case(session)).unwrap();
        let events = found.counted.iter().map(|(class, kind)| (guid(*class), *kind)).collect();
        (found.sampled.clone(), found.carried.clone(), events, found.more_flags)
    })
}

/// The time between samples that was asked for last, in 100 ns.
pub fn sample_interval() -> Option<u32> {
    with(|world| world.sample_interval)
}

/// The traits a provider has set.
pub fn traits(provider: tracewell_types::Guid) -> Option<Vec<u8>> {
    let provider = number(&super::sys::guid(provider));
    with(|world| world.registered.values().find(|r| r.provider == provider).map(|r| r.traits.clone()))
}

/// Puts an event into a session, as if some other program had logged it.
pub fn play(session: &str, event: Event) {
    with(|world| {
        let found = world.sessions.values_mut().find(|s| s.name.eq_ignore_ascii_case(session));
        found.unwrap().events.push_back(event);
    });
}

/// Puts a record of a trace into a session, as `ProcessTrace` hands it over: one of the kernel's as an event of its class.
pub fn play_record(session: &str, record: &Record<'_>, class: Option<tracewell_types::Guid>) {
    let mut event = Event { cpu: record.cpu(), payload: record.payload().to_vec(), ..Event::default() };
    let header = &mut event.header;
    header.Flags = if record.pointer_size() == 4 { 0x20 } else { 0x40 };
    header.ThreadId = record.tid().unwrap_or(u32::MAX);
    header.ProcessId = record.pid().unwrap_or(u32::MAX);
    header.TimeStamp = record.time();
    header.ProviderId = super::sys::guid(class.unwrap_or_else(|| record.guid()));
    header.EventDescriptor.Opcode = record.opcode();
    header.EventDescriptor.Version = record.version();
    header.EventDescriptor.Level = record.level();
    if record.is_event() {
        header.Flags |= record.flags().0 & !0x60;
        header.EventDescriptor.Id = record.id();
        header.EventDescriptor.Channel = record.channel();
        header.EventDescriptor.Task = record.task();
        header.EventDescriptor.Keyword = record.keyword();
        event.items = record.extended().map(|item| (item.kind.0, item.data.to_vec())).collect();
    } else {
        // EVENT_HEADER_FLAG_CLASSIC_HEADER
        header.Flags |= 0x100;
    }
    play(session, event);
}

/// Changes the result of a query of a session.
pub fn tamper(session: &str, change: impl FnOnce(&mut Etw::EVENT_TRACE_PROPERTIES)) {
    with(|world| {
        let found = world.sessions.values_mut().find(|s| s.name.eq_ignore_ascii_case(session));
        change(&mut found.unwrap().properties);
    });
}

/// What a session that runs was started with: mode and enable flags.
pub fn started(session: &str) -> Option<(u32, u32)> {
    with(|world| {
        let found = world.sessions.values().find(|s| s.name.eq_ignore_ascii_case(session))?;
        Some((found.properties.LogFileMode, found.properties.EnableFlags))
    })
}

/// Returns `true` if a session that runs has a consumer.
pub fn any_consumer(session: &str) -> bool {
    with(|world| {
        let found = world.sessions.iter().find(|(_, s)| s.name.eq_ignore_ascii_case(session));
        found.is_some_and(|(id, _)| world.opened.values().any(|o| o.session == *id && !o.closed))
    })
}

/// Consumers of a session that are open.
pub fn consumers(session: u16) -> usize {
    with(|world| {
        let mine = |opened: &&Opened| opened.session == u64::from(session) && !opened.closed;
        world.opened.values().filter(mine).count()
    })
}

fn number(guid: &GUID) -> u128 {
    u128::from_le_bytes(super::sys::from_guid(guid).to_bytes())
}

unsafe fn text(pointer: PCWSTR) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: a zero ends the text.
    let units: Vec<u16> =
        (0..).map(|i| unsafe { pointer.add(i).read_unaligned() }).take_while(|unit| *unit != 0).collect();
    String::from_utf16(&units).unwrap()
}

/// The text behind a block of properties.
unsafe fn text_at(block: *const Etw::EVENT_TRACE_PROPERTIES, offset: u32) -> String {
    if offset == 0 {
        return String::new();
    }
    // SAFETY: the block is as long as it says, and its texts end with zeros.
    unsafe { text(block.cast::<u8>().add(offset as usize).cast()) }
}

unsafe fn put_text(block: *mut Etw::EVENT_TRACE_PROPERTIES, offset: u32, value: &str) {
    // SAFETY: as above; there is room up to the end of the block.
    unsafe {
        let most = (*block).Wnode.BufferSize as usize;
        let units: Vec<u16> = value.encode_utf16().chain([0]).collect();
        assert!(offset > 0 && offset as usize + 2 * units.len() <= most, "no room for {value:?}");
        ptr::copy_nonoverlapping(
            units.as_ptr().cast::<u8>(),
            block.cast::<u8>().add(offset as usize),
            2 * units.len(),
        );
    }
}

/// Fills a block as a query does.
unsafe fn fill(block: *mut Etw::EVENT_TRACE_PROPERTIES, handle: u64, session: &Session) {
    // SAFETY: as above.
    unsafe {
        let (size, flags) = ((*block).Wnode.BufferSize, (*block).Wnode.Flags);
        let (name, file) = ((*block).LoggerNameOffset, (*block).LogFileNameOffset);
        *block = session.properties;
        (*block).Wnode.BufferSize = size;
        (*block).Wnode.Flags = flags;
        (*block).Wnode.Anonymous1.HistoricalContext = handle;
        (*block).LoggerNameOffset = name;
        (*block).LogFileNameOffset = file;
        put_text(block, name, &session.name);
        if file > 0 {
            put_text(block, file, &session.file);
        }
    }
}

pub(super) unsafe fn StartTraceW(
    handle: *mut Etw::CONTROLTRACE_HANDLE,
    name: PCWSTR,
    block: *mut Etw::EVENT_TRACE_PROPERTIES,
) -> u32 {
    // SAFETY: see the conditions.
    unsafe {
        let name = text(name);
        let mut properties = *block;
        let file = text_at(block, properties.LogFileNameOffset);
        if properties.Wnode.Flags != Etw::WNODE_FLAG_TRACED_GUID || properties.Wnode.BufferSize < 120 {
            return 87;
        }
        if file.is_empty() && properties.LogFileMode & 0x100 == 0 {
            return 161;
        }
        with(|world| {
            if world.sessions.values().any(|s| s.name.eq_ignore_ascii_case(&name)) {
                return 183;
            }
            world.next += 1;
            if properties.BufferSize == 0 {
                properties.BufferSize = 64;
            }
            properties.NumberOfBuffers = 4;
            properties.FreeBuffers = 3;
            properties.LoggerThreadId = 77_usize as _;
            let session = Session { name, file, properties, ..Session::default() };
            world.sessions.insert(world.next, session);
            (*handle).Value = world.next;
            0
        })
    }
}

pub(super) unsafe fn ControlTraceW(
    handle: Etw::CONTROLTRACE_HANDLE,
    name: PCWSTR,
    block: *mut Etw::EVENT_TRACE_PROPERTIES,
    code: u32,
) -> u32 {
    // SAFETY: see the conditions.
    unsafe {
        let name = text(name);
        with(|world| {
            let named = |(id, s): (&u64, &Session)| {
                (*id == handle.Value || s.name.eq_ignore_ascii_case(&name)).then_some(*id)
            };
            let Some(id) = world.sessions.iter().find_map(named) else { return 4201 };
            let session = world.sessions.get_mut(&id).unwrap();
            match code {
                0 => {}
                1 => session.over = true,
                2 => {
                    let wanted = &*block;
                    session.properties.FlushTimer = wanted.FlushTimer;
                    session.properties.MaximumBuffers = wanted.MaximumBuffers;
                    session.properties.EnableFlags = wanted.EnableFlags;
                    session.properties.LogFileMode = wanted.LogFileMode;
                    let file = text_at(block, wanted.LogFileNameOffset);
                    // Another file of the same name would be an error.
                    if file == session.file && !file.is_empty() {
                        return 183;
                    }
                    if !file.is_empty() {
                        session.file = file;
                    }
                }
                3 => session.properties.BuffersWritten += 1,
                _ => return 87,
            }
            fill(block, id, session);
            if session.over {
                let session = world.sessions.remove(&id).unwrap();
                world.ended.insert(id, session);
            }
            0
        })
    }
}

pub(super) unsafe fn QueryAllTracesW(
    blocks: *mut *mut Etw::EVENT_TRACE_PROPERTIES,
    room: u32,
    count: *mut u32,
) -> u32 {
    with(|world| {
        for (i, (id, session)) in world.sessions.iter().take(room as usize).enumerate() {
            // SAFETY: see the conditions.
            unsafe { fill(*blocks.add(i), *id, session) };
        }
        // SAFETY: see the conditions.
        unsafe { *count = world.sessions.len() as u32 };
        if world.sessions.len() > room as usize { 234 } else { 0 }
    })
}

#[allow(clippy::too_many_arguments, reason = "as on Windows")]
pub(super) unsafe fn EnableTraceEx2(
    session: Etw::CONTROLTRACE_HANDLE,
    provider: *const GUID,
    code: u32,
    level: u8,
    any: u64,
    all: u64,
    timeout: u32,
    parameters: *const Etw::ENABLE_TRACE_PARAMETERS,
) -> u32 {
    // SAFETY: see the conditions.
    let (provider, asked) = unsafe {
        let p = &*parameters;
        if p.Version != 2 {
            return 87;
        }
        let filters = (0..p.FilterDescCount as usize).map(|i| {
            let filter = &*p.EnableFilterDesc.add(i);
            let bytes = std::slice::from_raw_parts(filter.Ptr as usize as *const u8, filter.Size as usize);
            (filter.Type, bytes.to_vec())
        });
        let filters = filters.collect();
        let stacks = p.EnableProperty & Etw::EVENT_ENABLE_PROPERTY_STACK_TRACE != 0;
        (number(&*provider), Asked { code, level, any, all, timeout, stacks, filters })
    };
    let known = with(|world| {
        let Some(session) = world.sessions.get_mut(&session.Value) else { return false };
        if code < 2 {
            session.enabled.retain(|(guid, _)| *guid != provider);
        }
        if code == 1 {
            session.enabled.push((provider, asked.clone()));
        }
        true
    });
    if !known {
        return 4201;
    }
    notify(provider, &asked, session.Value);
    0
}

pub(super) unsafe fn TraceSetInformation(
    session: Etw::CONTROLTRACE_HANDLE,
    class: i32,
    data: *const c_void,
    size: u32,
) -> u32 {
    // SAFETY: see the conditions.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) };
    let word = |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map(|b| u32::from_le_bytes(*b));
    with(|world| match class {
        // TraceStackTracingInfo
        3 if size.is_multiple_of(24) => {
            let Some(session) = world.sessions.get_mut(&session.Value) else { return 6 };
            if session.properties.EnableFlags == 0 {
                return 87;
            }
            let ids =
                bytes.chunks_exact(24).map(|id| (u128::from_le_bytes(id[..16].try_into().unwrap()), id[16]));
            session.stacks = ids.collect();
            0
        }
        // TraceSystemTraceEnableFlagsInfo
        4 if size == 32 => {
            let Some(session) = world.sessions.get_mut(&session.Value) else { return 6 };
            session.more_flags = word(4).unwrap_or_default();
            0
        }
        // TraceProfileSourceConfigInfo, TracePmcCounterListInfo
        6 | 9 if size.is_multiple_of(4) => {
            let Some(session) = world.sessions.get_mut(&session.Value) else { return 6 };
            let list = if class == 6 { &mut session.sampled } else { &mut session.carried };
            *list = bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
            0
        }
        // TracePmcEventListInfo
        8 if size.is_multiple_of(24) => {
            let Some(session) = world.sessions.get_mut(&session.Value) else { return 6 };
            let ids =
                bytes.chunks_exact(24).map(|id| (u128::from_le_bytes(id[..16].try_into().unwrap()), id[16]));
            session.counted = ids.collect();
            0
        }
        // TraceSampledProfileIntervalInfo
        5 if size == 8 && word(0) == Some(0) => {
            world.sample_interval = word(4);
            0
        }
        _ => 87,
    })
}

pub(super) unsafe fn TraceQueryInformation(
    session: Etw::CONTROLTRACE_HANDLE,
    class: i32,
    data: *mut c_void,
    size: u32,
    needed: *mut u32,
) -> u32 {
    let answer: Vec<u8> = match class {
        // TraceProfileSourceListInfo
        7 => {
            let mut list = Vec::new();
            let sources = [(0u32, "Timer"), (19, "TotalCycles"), (10, "CacheMisses")];
            for (at, (number, name)) in sources.iter().enumerate() {
                let units: Vec<u8> = name.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
                let whole = (24 + units.len()).next_multiple_of(8);
                let next = if at + 1 == sources.len() { 0 } else { whole as u32 };
                let start = list.len();
                for word in [next, *number, 1000, 1_000_000, 0, 0] {
                    list.extend_from_slice(&word.to_le_bytes());
                }
                list.extend_from_slice(&units);
                list.resize(start + whole, 0);
            }
            list
        }
        // TraceSystemTraceEnableFlagsInfo
        4 => {
            let words = with(|world| {
                let session = world.sessions.get(&session.Value)?;
                Some([session.properties.EnableFlags, session.more_flags, 0, 0, 0, 0, 0, 0])
            });
            let Some(words) = words else { return 6 };
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        }
        _ => return 87,
    };
    // SAFETY: see the conditions.
    unsafe {
        *needed = answer.len() as u32;
        if answer.len() > size as usize {
            return 122;
        }
        ptr::copy_nonoverlapping(answer.as_ptr(), data.cast::<u8>(), answer.len());
    }
    0
}

/// Calls the providers back, outside of the lock as Windows does.
fn notify(provider: u128, asked: &Asked, session: u64) {
    let (new, old) = with(|world| {
        let new: Vec<_> = world
            .registered
            .values()
            .filter(|r| r.provider == provider)
            .map(|r| (r.callback, r.context))
            .collect();
        let old: Vec<_> =
            world.old.values().filter(|r| r.provider == provider).map(|r| (r.callback, r.context)).collect();
        (new, old)
    });
    for (callback, context) in new {
        let Asked { code, level, any, all, .. } = *asked;
        // SAFETY: the callback and its context were given together.
        unsafe {
            callback.unwrap()(
                &GUID::from_u128(0),
                code as _,
                level,
                any,
                all,
                ptr::null(),
                context as *mut c_void,
            )
        };
    }
    for (callback, context) in old {
        if asked.code < 2 {
            notify_old(callback, context, asked.code, session);
        }
    }
}

fn notify_old(callback: Etw::WMIDPREQUEST, context: usize, code: u32, session: u64) {
    let request = if code == 1 { Etw::WMI_ENABLE_EVENTS } else { Etw::WMI_DISABLE_EVENTS };
    let (mut buffer, mut size) = (session, 8);
    // SAFETY: as above; the buffer holds what `GetTraceLoggerHandle` reads.
    let code = unsafe {
        callback.unwrap()(request, context as *const c_void, &mut size, ptr::from_mut(&mut buffer).cast())
    };
    assert_eq!(code, 0);
}

pub(super) unsafe fn EnumerateTraceGuidsEx(
    class: i32,
    input: *const c_void,
    _input_size: u32,
    output: *mut c_void,
    room: u32,
    needed: *mut u32,
) -> u32 {
    let bytes = with(|world| {
        let mut out = Vec::new();
        if class == 0 {
            let mut guids: Vec<u128> = world.registered.values().map(|r| r.provider).collect();
            guids.extend(world.sessions.values().flat_map(|s| s.enabled.iter().map(|(guid, _)| *guid)));
            guids.sort_unstable();
            guids.dedup();
            guids.iter().for_each(|guid| out.extend(guid.to_le_bytes()));
        } else {
            // SAFETY: see the conditions.
            let wanted = number(unsafe { &*input.cast::<GUID>() });
            let registered = world.registered.values().filter(|r| r.provider == wanted).count();
            let enabled: Vec<(u64, &Asked)> = (world.sessions.iter())
                .flat_map(|(id, s)| s.enabled.iter().filter(|(g, _)| *g == wanted).map(|(_, a)| (*id, a)))
                .collect();
            // What is only enabled has one instance, without a process: its flag is `TRACE_PROVIDER_FLAG_PRE_ENABLE`.
            let instances = if enabled.is_empty() { registered } else { registered.max(1) };
            out.extend((instances as u32).to_le_bytes());
            out.extend([0; 4]);
            for i in 0..instances {
                let (process, flags) = if registered == 0 { (0, 2) } else { (1000 + i as u32, 0) };
                let next = if i + 1 < instances { 16 + 32 * enabled.len() as u32 } else { 0 };
                for word in [next, enabled.len() as u32, process, flags] {
                    out.extend(word.to_le_bytes());
                }
                for (id, asked) in &enabled {
                    out.extend(1_u32.to_le_bytes());
                    out.extend([asked.level, 0]);
                    out.extend((*id as u16).to_le_bytes());
                    out.extend([0; 8]);
                    out.extend(asked.any.to_le_bytes());
                    out.extend(asked.all.to_le_bytes());
                }
            }
        }
        out
    });
    // SAFETY: see the conditions.
    unsafe {
        *needed = bytes.len() as u32;
        if bytes.len() > room as usize {
            return 122;
        }
        ptr::copy_nonoverlapping(bytes.as_ptr(), output.cast(), bytes.len());
    }
    0
}

pub(super) unsafe fn EventRegister(
    provider: *const GUID,
    callback: Etw::PENABLECALLBACK,
    context: *const c_void,
    handle: *mut Etw::REGHANDLE,
) -> u32 {
    // SAFETY: see the conditions.
    let provider = unsafe { number(&*provider) };
    let enabled = with(|world| {
        world.next += 1;
        let id = world.next.cast_signed();
        let registered = Registered { provider, callback, context: context as usize, traits: Vec::new() };
        world.registered.insert(id, registered);
        // SAFETY: see the conditions.
        unsafe { *handle = id };
        let wanted = world.sessions.values().flat_map(|s| s.enabled.iter().filter(|(g, _)| *g == provider));
        wanted.map(|(_, asked)| asked.clone()).next()
    });
    if let Some(Asked { level, any, all, .. }) = enabled {
        // SAFETY: the callback and its context were given together.
        unsafe {
            callback.unwrap()(&GUID::from_u128(0), 1, level, any, all, ptr::null(), context.cast_mut())
        };
    }
    0
}

pub(super) unsafe fn EventUnregister(handle: Etw::REGHANDLE) -> u32 {
    with(|world| if world.registered.remove(&handle).is_some() { 0 } else { 6 })
}

pub(super) unsafe fn EventSetInformation(
    handle: Etw::REGHANDLE,
    class: i32,
    data: *const c_void,
    size: u32,
) -> u32 {
    // SAFETY: see the conditions.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size as usize) }.to_vec();
    with(|world| match world.registered.get_mut(&handle) {
        Some(registered) if class == 2 => {
            registered.traits = bytes;
            0
        }
        _ => 87,
    })
}

/// Delivers an event to all sessions that have its provider enabled.
fn deliver(provider: u128, mut event: Event) -> u32 {
    let mut now = 0;
    // SAFETY: the place is one for a counter.
    unsafe { windows_sys::Win32::System::Performance::QueryPerformanceCounter(&mut now) };
    event.header.TimeStamp = now;
    event.header.ProcessId = std::process::id();
    event.header.ThreadId = 5;
    with(|world| {
        for session in world.sessions.values_mut() {
            if session.enabled.iter().any(|(guid, _)| *guid == provider) {
                session.events.push_back(event.clone());
            }
        }
    });
    0
}

pub(super) unsafe fn EventWriteTransfer(
    handle: Etw::REGHANDLE,
    descriptor: *const Etw::EVENT_DESCRIPTOR,
    activity: *const GUID,
    related: *const GUID,
    count: u32,
    data: *const Etw::EVENT_DATA_DESCRIPTOR,
) -> u32 {
    let Some(provider) = with(|world| world.registered.get(&handle).map(|r| r.provider)) else { return 6 };
    let mut event = Event::default();
    // SAFETY: see the conditions.
    unsafe {
        event.header.EventDescriptor = *descriptor;
        event.header.Flags = 0x40;
        event.header.ProviderId = super::sys::guid(tracewell_types::Guid::from_bytes(provider.to_le_bytes()));
        if let Some(activity) = activity.as_ref() {
            event.header.ActivityId = *activity;
        }
        if let Some(related) = related.as_ref() {
            event.items.push((1, super::sys::from_guid(related).to_bytes().to_vec()));
        }
        for i in 0..count as usize {
            let piece = &*data.add(i);
            let bytes = match piece.Size {
                0 => Vec::new(),
                size => std::slice::from_raw_parts(piece.Ptr as usize as *const u8, size as usize).to_vec(),
            };
            match piece.Anonymous.Reserved {
                0 => event.payload.extend(bytes),
                1 => event.items.push((11, bytes)),
                2 => event.items.push((12, bytes)),
                _ => return 87,
            }
        }
    }
    if event.payload.len() > 65_536 - 80 {
        return 534;
    }
    deliver(provider, event)
}

pub(super) unsafe fn EventWriteString(
    handle: Etw::REGHANDLE,
    level: u8,
    keyword: u64,
    string: PCWSTR,
) -> u32 {
    let Some(provider) = with(|world| world.registered.get(&handle).map(|r| r.provider)) else { return 6 };
    let mut event = Event::default();
    event.header.EventDescriptor.Level = level;
    event.header.EventDescriptor.Keyword = keyword;
    event.header.Flags = 0x44;
    event.header.ProviderId = super::sys::guid(tracewell_types::Guid::from_bytes(provider.to_le_bytes()));
    // SAFETY: see the conditions.
    let units = unsafe { text(string) };
    event.payload = units.encode_utf16().chain([0]).flat_map(u16::to_le_bytes).collect();
    deliver(provider, event)
}

pub(super) unsafe fn EventActivityIdControl(code: u32, id: *mut GUID) -> u32 {
    let next = with(|world| {
        world.next += 1;
        world.next
    });
    // SAFETY: see the conditions.
    unsafe { *id = GUID::from_u128(next.into()) };
    if code == 3 { 0 } else { 87 }
}

#[allow(clippy::too_many_arguments, reason = "as on Windows")]
pub(super) unsafe fn RegisterTraceGuidsW(
    callback: Etw::WMIDPREQUEST,
    context: *const c_void,
    provider: *const GUID,
    _count: u32,
    _classes: *const Etw::TRACE_GUID_REGISTRATION,
    _path: PCWSTR,
    _resource: PCWSTR,
    handle: *mut u64,
) -> u32 {
    // SAFETY: see the conditions.
    let provider = unsafe { number(&*provider) };
    let context = context as usize;
    let session = with(|world| {
        world.next += 1;
        world.old.insert(world.next, Old { provider, callback, context });
        // SAFETY: see the conditions.
        unsafe { *handle = world.next };
        world.sessions.iter().find(|(_, s)| s.enabled.iter().any(|(g, _)| *g == provider)).map(|(id, _)| *id)
    });
    if let Some(session) = session {
        notify_old(callback, context, 1, session);
    }
    0
}

pub(super) unsafe fn UnregisterTraceGuids(handle: u64) -> u32 {
    with(|world| if world.old.remove(&handle).is_some() { 0 } else { 6 })
}

pub(super) unsafe fn GetTraceLoggerHandle(buffer: *const c_void) -> u64 {
    // SAFETY: see `notify_old`.
    unsafe { *buffer.cast() }
}

fn first_asked(session: u64) -> Asked {
    let asked =
        with(|world| world.sessions.get(&session).and_then(|s| s.enabled.first().map(|(_, a)| a.clone())));
    asked.unwrap_or_default()
}

pub(super) unsafe fn GetTraceEnableLevel(session: u64) -> u8 {
    first_asked(session).level
}

pub(super) unsafe fn GetTraceEnableFlags(session: u64) -> u32 {
    first_asked(session).any as u32
}

pub(super) unsafe fn TraceEvent(session: u64, event: *const Etw::EVENT_TRACE_HEADER) -> u32 {
    let mut out = Event::default();
    // SAFETY: see the conditions: the payload follows the header.
    unsafe {
        let header = &*event;
        if header.Anonymous4.Anonymous2.Flags != Etw::WNODE_FLAG_TRACED_GUID || header.Size < 48 {
            return 87;
        }
        let class = header.Anonymous2.Class;
        out.header.EventDescriptor.Opcode = class.Type;
        out.header.EventDescriptor.Level = class.Level;
        out.header.EventDescriptor.Version = class.Version as u8;
        out.header.ProviderId = header.Anonymous3.Guid;
        out.header.Flags = 0x140;
        out.payload =
            std::slice::from_raw_parts(event.cast::<u8>().add(48), usize::from(header.Size) - 48).to_vec();
    }
    with(|world| match world.sessions.get_mut(&session) {
        Some(found) => {
            found.events.push_back(out);
            0
        }
        None => 6,
    })
}

pub(super) unsafe fn trace_message(
    session: u64,
    options: u32,
    guid: *const GUID,
    number: u16,
    data: &[u8],
) -> u32 {
    let mut out = Event::default();
    out.header.Flags = 0x48;
    out.header.EventDescriptor.Id = number;
    // SAFETY: see the conditions.
    out.header.ProviderId = unsafe { *guid };
    out.payload = data.to_vec();
    if options != 0x2B {
        return 87;
    }
    with(|world| match world.sessions.get_mut(&session) {
        Some(found) => {
            found.events.push_back(out);
            0
        }
        None => 6,
    })
}

pub(super) unsafe fn OpenTraceW(file: *mut Etw::EVENT_TRACE_LOGFILEW) -> Etw::PROCESSTRACE_HANDLE {
    // SAFETY: see the conditions.
    unsafe {
        let file = &mut *file;
        let name = text(file.LoggerName);
        let value = with(|world| {
            let found = world.sessions.iter().find(|(_, s)| s.name.eq_ignore_ascii_case(&name));
            let Some((&session, _)) = found.filter(|(_, s)| s.properties.LogFileMode & 0x100 != 0) else {
                return u64::MAX;
            };
            world.next += 1;
            let callback = file.Anonymous2.EventRecordCallback;
            assert_eq!(file.Anonymous1.ProcessTraceMode, 0x1000_1100);
            world.opened.insert(
                world.next,
                Opened { session, callback, context: file.Context as usize, closed: false },
            );
            world.next
        });
        let mut now = FILETIME::default();
        windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime(&mut now);
        let mut frequency = 0;
        windows_sys::Win32::System::Performance::QueryPerformanceFrequency(&mut frequency);
        file.LogfileHeader.StartTime =
            (i64::from(now.dwLowDateTime) | i64::from(now.dwHighDateTime) << 32) - 10 * FREQUENCY;
        file.LogfileHeader.PerfFreq = frequency;
        file.LogfileHeader.ReservedFlags = 1;
        file.LogfileHeader.NumberOfProcessors = 3;
        Etw::PROCESSTRACE_HANDLE { Value: value }
    }
}

pub(super) unsafe fn ProcessTrace(
    handles: *const Etw::PROCESSTRACE_HANDLE,
    count: u32,
    _start: *const FILETIME,
    _end: *const FILETIME,
) -> u32 {
    assert_eq!(count, 1);
    // SAFETY: see the conditions.
    let handle = unsafe { (*handles).Value };
    loop {
        let (mut event, callback, context) = {
            let mut guard = locked();
            loop {
                let world = guard.as_mut().unwrap();
                let Some(opened) = world.opened.get(&handle).filter(|opened| !opened.closed) else {
                    return 0;
                };
                let (id, callback, context) = (opened.session, opened.callback, opened.context);
                let over = !world.sessions.contains_key(&id);
                let session = world.sessions.get_mut(&id).or(world.ended.get_mut(&id)).unwrap();
                match session.events.pop_front() {
                    Some(event) => break (event, callback, context),
                    None if over => return 0,
                    None => guard = CHANGED.wait(guard).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        let mut items: Vec<Etw::EVENT_HEADER_EXTENDED_DATA_ITEM> = Vec::new();
        for (kind, data) in &event.items {
            let (size, place) = (data.len() as u16, data.as_ptr() as usize as u64);
            let item = Etw::EVENT_HEADER_EXTENDED_DATA_ITEM {
                ExtType: *kind,
                DataSize: size,
                DataPtr: place,
                ..Default::default()
            };
            items.push(item);
        }
        let mut record = Etw::EVENT_RECORD { EventHeader: event.header, ..Default::default() };
        record.BufferContext.Anonymous.ProcessorIndex = event.cpu;
        record.ExtendedDataCount = items.len() as u16;
        record.ExtendedData = items.as_mut_ptr();
        record.UserDataLength = event.payload.len() as u16;
        record.UserData = event.payload.as_mut_ptr().cast();
        record.UserContext = context as *mut c_void;
        // SAFETY: all that the record points at lives until the callback returns.
        unsafe { callback.unwrap()(&mut record) };
    }
}

pub(super) unsafe fn CloseTrace(handle: Etw::PROCESSTRACE_HANDLE) -> u32 {
    with(|world| match world.opened.get_mut(&handle.Value) {
        Some(opened) if !opened.closed => {
            opened.closed = true;
            0
        }
        _ => 6,
    })
}
