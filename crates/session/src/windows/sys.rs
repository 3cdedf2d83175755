//! The only `unsafe` code of this back end: calls of the Windows event tracing functions.
//!
//! # Conditions
//!
//! 1. Every pointer passed to a function points to memory that lives through the call and has the size that the function
//!    receives; names are zero-terminated.
//! 2. A [`Block`] is a list of words that begins with `EVENT_TRACE_PROPERTIES` (all of whose bit patterns are valid) and
//!    has room for two names after it.
//! 3. A callback gets a pointer to something that outlives it: a provider's static, or a sender that is freed after
//!    `ProcessTrace` has returned. Callbacks do not unwind.
//! 4. An `EVENT_RECORD` and what it points to are valid during the callback only; they are copied there.

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tracewell_etl::def::logfile::ClockType;
use tracewell_types::Guid;
use windows_sys::Win32::System::Diagnostics::Etw;
use windows_sys::core::GUID;

/// The functions of Windows. In tests those of a stand-in, which keeps what it was asked and plays events back: see
/// [`super::fake`].
#[cfg(not(any(test, feature = "stand-in")))]
mod calls {
    pub(super) use windows_sys::Win32::System::Diagnostics::Etw::*;

    /// `TraceMessage` with one piece of arguments.
    pub(super) unsafe fn trace_message(
        logger: u64,
        options: u32,
        guid: *const windows_sys::core::GUID,
        number: u16,
        data: &[u8],
    ) -> u32 {
        // SAFETY: the caller's; the pieces end with a null pointer.
        unsafe {
            TraceMessage(
                logger,
                options,
                guid,
                number,
                data.as_ptr(),
                data.len(),
                std::ptr::null::<u8>(),
                0_usize,
            )
        }
    }
}
#[cfg(any(test, feature = "stand-in"))]
use super::fake as calls;

/// Bytes for each of the two names behind the properties.
const NAME_BYTES: usize = 2048;

/// `EVENT_TRACE_PROPERTIES` with room for its names.
pub(super) struct Block(Vec<u64>);

impl Block {
    pub(super) fn new() -> Block {
        let fixed = size_of::<Etw::EVENT_TRACE_PROPERTIES>();
        let bytes = fixed + 2 * NAME_BYTES;
        let mut block = Block(vec![0; bytes.div_ceil(8)]);
        let properties = block.properties();
        properties.Wnode.BufferSize = bytes as u32;
        properties.Wnode.Flags = 0x0002_0000;
        properties.LoggerNameOffset = fixed as u32;
        properties.LogFileNameOffset = (fixed + NAME_BYTES) as u32;
        block
    }

    pub(super) fn properties(&mut self) -> &mut Etw::EVENT_TRACE_PROPERTIES {
        // SAFETY: condition 2; words are aligned as the structure is.
        unsafe { &mut *self.0.as_mut_ptr().cast() }
    }

    /// The session's handle, as a query leaves it.
    pub(super) fn handle(&mut self) -> u64 {
        // SAFETY: both members of the union are 64-bit integers.
        unsafe { self.properties().Wnode.Anonymous1.HistoricalContext }
    }

    /// Puts the path of the log file behind the properties; `false` when it is too long.
    pub(super) fn set_log_file(&mut self, path: &str) -> bool {
        let units: Vec<u16> = path.encode_utf16().chain([0]).collect();
        let start = self.properties().LogFileNameOffset as usize;
        if units.len() * 2 > NAME_BYTES {
            return false;
        }
        for (i, unit) in units.iter().enumerate() {
            let at = start + 2 * i;
            let shift = at % 8 * 8;
            if let Some(word) = self.0.get_mut(at / 8) {
                *word = *word & !(0xFFFF << shift) | u64::from(*unit) << shift;
            }
        }
        true
    }

    fn text(&mut self, offset: u32) -> String {
        let unit = |at: usize| self.0.get(at / 8).map_or(0, |word| (word >> (at % 8 * 8)) as u16);
        let units: Vec<u16> = (offset as usize / 2..)
            .map(|i| unit(2 * i))
            .take(NAME_BYTES / 2)
            .take_while(|u| *u != 0)
            .collect();
        String::from_utf16_lossy(&units)
    }

    pub(super) fn logger_name(&mut self) -> String {
        let offset = self.properties().LoggerNameOffset;
        self.text(offset)
    }

    pub(super) fn log_file(&mut self) -> String {
        let offset = self.properties().LogFileNameOffset;
        self.text(offset)
    }

    /// The thread of the logger.
    pub(super) fn logger_thread(&mut self) -> u32 {
        self.properties().LoggerThreadId as usize as u32
    }

    /// The age limit shares its place with the flush threshold; nothing of ours is there.
    pub(super) fn set_clock(&mut self, clock: u32) {
        self.properties().Wnode.ClientContext = clock;
    }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

pub(super) fn guid(value: Guid) -> GUID {
    let b = value.to_bytes();
    GUID {
        data1: u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        data2: u16::from_le_bytes([b[4], b[5]]),
        data3: u16::from_le_bytes([b[6], b[7]]),
        data4: [b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]],
    }
}

pub(super) fn from_guid(value: &GUID) -> Guid {
    Guid::new(value.data1, value.data2, value.data3, value.data4)
}

/// `StartTraceW`.
pub(super) fn start(name: &str, block: &mut Block) -> u32 {
    let name = wide(name);
    let mut handle = Etw::CONTROLTRACE_HANDLE::default();
    // SAFETY: condition 1.
    unsafe { calls::StartTraceW(&mut handle, name.as_ptr(), block.properties()) }
}

/// `ControlTraceW` by name.
pub(super) fn control(name: &str, block: &mut Block, code: u32) -> u32 {
    let name = wide(name);
    let none = Etw::CONTROLTRACE_HANDLE::default();
    // SAFETY: condition 1.
    unsafe { calls::ControlTraceW(none, name.as_ptr(), block.properties(), code) }
}

/// `QueryAllTracesW`.
pub(super) fn query_all() -> Result<Vec<Block>, u32> {
    let mut blocks: Vec<Block> = (0..64).map(|_| Block::new()).collect();
    let mut pointers: Vec<*mut Etw::EVENT_TRACE_PROPERTIES> =
        blocks.iter_mut().map(|block| ptr::from_mut(block.properties())).collect();
    let mut count = 0;
    // SAFETY: condition 1; the pointers are to blocks that are not touched meanwhile.
    match unsafe { calls::QueryAllTracesW(pointers.as_mut_ptr(), pointers.len() as u32, &mut count) } {
        // ERROR_MORE_DATA: the first ones are filled.
        0 | 234 => {
            blocks.truncate(count as usize);
            Ok(blocks)
        }
        code => Err(code),
    }
}

/// `EnableTraceEx2`; a filter is its type and its bytes.
pub(super) fn enable(
    session: u64,
    provider: Guid,
    code: u32,
    (level, any, all): (u8, u64, u64),
    timeout: u32,
    filters: &[(u32, Vec<u8>)],
    stacks: bool,
) -> u32 {
    let mut descriptors: Vec<Etw::EVENT_FILTER_DESCRIPTOR> = filters
        .iter()
        .map(|(kind, bytes)| Etw::EVENT_FILTER_DESCRIPTOR {
            Ptr: bytes.as_ptr() as usize as u64,
            Size: bytes.len() as u32,
            Type: *kind,
        })
        .collect();
    let provider = guid(provider);
    let parameters = Etw::ENABLE_TRACE_PARAMETERS {
        Version: 2,
        EnableProperty: if stacks { Etw::EVENT_ENABLE_PROPERTY_STACK_TRACE } else { 0 },
        EnableFilterDesc: if descriptors.is_empty() { ptr::null_mut() } else { descriptors.as_mut_ptr() },
        FilterDescCount: descriptors.len() as u32,
        ..Default::default()
    };
    let session = Etw::CONTROLTRACE_HANDLE { Value: session };
    // SAFETY: condition 1.
    unsafe { calls::EnableTraceEx2(session, &provider, code, level, any, all, timeout, &parameters) }
}

/// `EnumerateTraceGuidsEx`: the bytes of the answer.
pub(super) fn enumerate(class: i32, input: Option<Guid>) -> Result<Vec<u8>, u32> {
    let input = input.map(guid);
    let (input, input_size) = match &input {
        Some(guid) => (ptr::from_ref(guid).cast::<c_void>(), size_of::<GUID>() as u32),
        None => (ptr::null(), 0),
    };
    let mut bytes = vec![0; 64 << 10];
    loop {
        let mut needed = 0;
        // SAFETY: condition 1.
        let code = unsafe {
            calls::EnumerateTraceGuidsEx(
                class,
                input,
                input_size,
                bytes.as_mut_ptr().cast(),
                bytes.len() as u32,
                &mut needed,
            )
        };
        match code {
            0 => {
                bytes.truncate(needed as usize);
                return Ok(bytes);
            }
            // ERROR_INSUFFICIENT_BUFFER: the list may have grown again meanwhile.
            122 if (needed as usize) < 64 << 20 => bytes.resize(needed as usize + 4096, 0),
            code => return Err(code),
        }
    }
}

/// `TraceSetInformation` on a session (0 for the machine).
pub(super) fn set_information(session: u64, class: i32, bytes: &[u8]) -> u32 {
    let session = Etw::CONTROLTRACE_HANDLE { Value: session };
    // SAFETY: condition 1.
    unsafe { calls::TraceSetInformation(session, class, bytes.as_ptr().cast(), bytes.len() as u32) }
}

/// `TraceQueryInformation` on a session (0 for the machine).
pub(super) fn query_information(session: u64, class: i32) -> Result<Vec<u8>, u32> {
    let session = Etw::CONTROLTRACE_HANDLE { Value: session };
    let mut bytes = vec![0; 4096];
    loop {
        let mut needed = 0;
        // SAFETY: condition 1.
        let code = unsafe {
            calls::TraceQueryInformation(
                session,
                class,
                bytes.as_mut_ptr().cast(),
                bytes.len() as u32,
                &mut needed,
            )
        };
        match code {
            0 => {
                bytes.truncate(needed as usize);
                return Ok(bytes);
            }
            // ERROR_INSUFFICIENT_BUFFER, ERROR_BAD_LENGTH or ERROR_MORE_DATA
            122 | 24 | 234 if bytes.len() < 1 << 20 => bytes.resize(2 * bytes.len().max(needed as usize), 0),
            code => return Err(code),
        }
    }
}

/// Has a privilege that this process was given take effect; without it nothing happens.
pub(super) fn enable_privilege(name: &str) {
    use windows_sys::Win32::Foundation::CloseHandle;
    use windows_sys::Win32::Security::{
        AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_PRIVILEGE_ENABLED,
        TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
    };
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
    let name = wide(name);
    let mut token = ptr::null_mut();
    let mut luid = Default::default();
    // SAFETY: condition 1; the token is closed once.
    unsafe {
        if OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &mut token) == 0 {
            return;
        }
        if LookupPrivilegeValueW(ptr::null(), name.as_ptr(), &mut luid) != 0 {
            let wanted = LUID_AND_ATTRIBUTES { Luid: luid, Attributes: SE_PRIVILEGE_ENABLED };
            let wanted = TOKEN_PRIVILEGES { PrivilegeCount: 1, Privileges: [wanted] };
            AdjustTokenPrivileges(token, 0, &wanted, 0, ptr::null_mut(), ptr::null_mut());
        }
        CloseHandle(token);
    }
}

/// The parent and the program's name of a process that runs, from a list of them all.
pub(crate) fn process(pid: u32) -> Option<(u32, String)> {
    use windows_sys::Win32::Foundation::{CloseHandle, INVALID_HANDLE_VALUE};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
    };
    let mut entry =
        PROCESSENTRY32W { dwSize: size_of::<PROCESSENTRY32W>() as u32, ..PROCESSENTRY32W::default() };
    // SAFETY: condition 1; the entry has the size that it says, and the list is closed once.
    unsafe {
        let list = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
        if list == INVALID_HANDLE_VALUE {
            return None;
        }
        let mut more = Process32FirstW(list, &mut entry) != 0;
        while more && entry.th32ProcessID != pid {
            more = Process32NextW(list, &mut entry) != 0;
        }
        CloseHandle(list);
        let name: Vec<u16> = entry.szExeFile.iter().copied().take_while(|unit| *unit != 0).collect();
        more.then(|| (entry.th32ParentProcessID, String::from_utf16_lossy(&name)))
    }
}

/// Lets a process run that was started suspended: each of its threads waits once less.
pub(crate) fn resume(pid: u32) {
    use windows_sys::Win32::Foundation::{CloseHandle, INVALID_HANDLE_VALUE};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
    };
    use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..THREADENTRY32::default() };
    // SAFETY: condition 1; the entry has the size that it says, and what is opened is closed once.
    unsafe {
        let list = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
        if list == INVALID_HANDLE_VALUE {
            return;
        }
        let mut more = Thread32First(list, &mut entry) != 0;
        while more {
            if entry.th32OwnerProcessID == pid {
                let thread = OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID);
                if !thread.is_null() {
                    ResumeThread(thread);
                    CloseHandle(thread);
                }
            }
            more = Thread32Next(list, &mut entry) != 0;
        }
        CloseHandle(list);
    }
}

/// Ends a process, with status 1.
pub(crate) fn terminate(pid: u32) {
    use windows_sys::Win32::Foundation::CloseHandle;
    use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_TERMINATE, TerminateProcess};
    // SAFETY: the handle is checked, and closed once.
    unsafe {
        let process = OpenProcess(PROCESS_TERMINATE, 0, pid);
        if !process.is_null() {
            TerminateProcess(process, 1);
            CloseHandle(process);
        }
    }
}

/// `EventRegister`.
pub(crate) fn register(
    core: &'static super::super::provider::windows::Core,
    provider: Guid,
    traits: &'static [u8],
) -> u64 {
    unsafe extern "system" fn callback(
        _source: *const GUID,
        control: u32,
        level: u8,
        any: u64,
        all: u64,
        _filter: *const Etw::EVENT_FILTER_DESCRIPTOR,
        context: *mut c_void,
    ) {
        // SAFETY: condition 3: the context is the `'static` provider given below.
        let core = unsafe { &*context.cast_const().cast::<super::super::provider::windows::Core>() };
        let _ = catch_unwind(AssertUnwindSafe(|| core.control(control, level, any, all)));
    }
    let provider = guid(provider);
    let mut handle = Default::default();
    // SAFETY: conditions 1 and 3; information class 2 is EventProviderSetTraits.
    unsafe {
        let context = ptr::from_ref(core).cast();
        if calls::EventRegister(&provider, Some(callback), context, &mut handle) != 0 {
            return 0;
        }
        if !traits.is_empty() {
            calls::EventSetInformation(handle, 2, traits.as_ptr().cast(), traits.len() as u32);
        }
    }
    handle as u64
}

/// `EventUnregister`.
pub(crate) fn unregister(handle: u64) {
    // SAFETY: an invalid handle is rejected.
    unsafe { calls::EventUnregister(handle as _) };
}

/// `EventWriteTransfer`; a piece is its type (0 data, 1 event metadata, 2 provider metadata) and its bytes.
pub(crate) fn write(
    handle: u64,
    event: &crate::provider::event::EventDescriptor,
    activity: Option<Guid>,
    related: Option<Guid>,
    pieces: &[(u8, &[u8])],
) -> u32 {
    let descriptor = Etw::EVENT_DESCRIPTOR {
        Id: event.id,
        Version: event.version,
        Channel: event.channel,
        Level: event.level,
        Opcode: event.opcode,
        Task: event.task,
        Keyword: event.keyword,
    };
    let data: Vec<Etw::EVENT_DATA_DESCRIPTOR> = pieces
        .iter()
        .map(|(kind, bytes)| {
            let mut data = Etw::EVENT_DATA_DESCRIPTOR {
                Ptr: bytes.as_ptr() as usize as u64,
                Size: bytes.len() as u32,
                ..Default::default()
            };
            data.Anonymous.Reserved = u32::from(*kind);
            data
        })
        .collect();
    let (activity, related) = (activity.map(guid), related.map(guid));
    let pointer = |guid: &Option<GUID>| guid.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: condition 1.
    unsafe {
        calls::EventWriteTransfer(
            handle as _,
            &descriptor,
            pointer(&activity),
            pointer(&related),
            data.len() as u32,
            data.as_ptr(),
        )
    }
}

/// What a session wants of a provider's events of the old kind.
#[derive(Debug, Default)]
pub(crate) struct Classic {
    /// Handle of the session; 0 while none listens.
    pub(crate) logger: AtomicU64,
    /// The highest level.
    pub(crate) level: AtomicU32,
    /// Enable flags of which an event must have one.
    pub(crate) flags: AtomicU32,
    registration: AtomicU64,
}

/// `RegisterTraceGuidsW`. The callback comes before this returns when a session listens already.
pub(crate) fn register_classic(classic: &'static Classic, provider: Guid) {
    unsafe extern "system" fn callback(
        request: Etw::WMIDPREQUESTCODE,
        context: *const c_void,
        _size: *mut u32,
        buffer: *mut c_void,
    ) -> u32 {
        // SAFETY: condition 3: the context is the `'static` value given below; the buffer is Windows' own.
        let (classic, logger) =
            unsafe { (&*context.cast::<Classic>(), calls::GetTraceLoggerHandle(buffer.cast_const())) };
        match request {
            Etw::WMI_ENABLE_EVENTS => {
                // SAFETY: plain numbers.
                let (level, flags) =
                    unsafe { (calls::GetTraceEnableLevel(logger), calls::GetTraceEnableFlags(logger)) };
                classic.level.store(u32::from(level), Ordering::Relaxed);
                classic.flags.store(flags, Ordering::Relaxed);
                classic.logger.store(logger, Ordering::Release);
            }
            Etw::WMI_DISABLE_EVENTS => classic.logger.store(0, Ordering::Release),
            // ERROR_INVALID_PARAMETER.
            _ => return 87,
        }
        0
    }
    let provider = guid(provider);
    let class = Etw::TRACE_GUID_REGISTRATION { Guid: &provider, ..Default::default() };
    let mut registration = 0;
    // SAFETY: conditions 1 and 3.
    let code = unsafe {
        calls::RegisterTraceGuidsW(
            Some(callback),
            ptr::from_ref(classic).cast(),
            &provider,
            1,
            &class,
            ptr::null(),
            ptr::null(),
            &mut registration,
        )
    };
    if code == 0 {
        classic.registration.store(registration, Ordering::Release);
    }
}

/// `UnregisterTraceGuids`.
pub(crate) fn unregister_classic(classic: &Classic) {
    classic.logger.store(0, Ordering::Release);
    let registration = classic.registration.swap(0, Ordering::AcqRel);
    if registration != 0 {
        // SAFETY: a handle that `RegisterTraceGuidsW` gave, once.
        unsafe { calls::UnregisterTraceGuids(registration) };
    }
}

/// `TraceEvent`, with the values behind the header.
pub(crate) fn write_classic(
    logger: u64,
    event: &crate::provider::event::ClassicDescriptor,
    payload: &[u8],
) -> u32 {
    let fixed = size_of::<Etw::EVENT_TRACE_HEADER>();
    // ERROR_MORE_DATA.
    let Ok(size) = u16::try_from(fixed + payload.len()) else { return 234 };
    let mut header = Etw::EVENT_TRACE_HEADER { Size: size, ..Default::default() };
    header.Anonymous2.Class =
        Etw::EVENT_TRACE_HEADER_1_0 { Type: event.opcode, Level: event.level, Version: event.version };
    header.Anonymous3.Guid = guid(event.class);
    header.Anonymous4.Anonymous2.Flags = Etw::WNODE_FLAG_TRACED_GUID;
    let mut block = vec![0_u64; usize::from(size).div_ceil(8)];
    // SAFETY: the block is as long as header and payload together, and aligned as the header is.
    unsafe {
        let start = block.as_mut_ptr();
        start.cast::<Etw::EVENT_TRACE_HEADER>().write(header);
        ptr::copy_nonoverlapping(payload.as_ptr(), start.cast::<u8>().add(fixed), payload.len());
        calls::TraceEvent(logger, start.cast())
    }
}

/// `TraceMessage`.
pub(crate) fn write_message(
    logger: u64,
    message: &crate::provider::event::MessageDescriptor,
    payload: &[u8],
) -> u32 {
    use crate::provider::event::MessageSource;
    use tracewell_etl::def::record::MessageOptions as Options;
    let options = Options::SEQUENCE.with(Options::TIMESTAMP).with(Options::SYSTEM_INFO);
    let (options, source) = match message.source {
        MessageSource::Guid(source) => (options.with(Options::GUID), guid(source)),
        // Its number takes the place of the GUID.
        MessageSource::Component(component) => (
            options.with(Options::COMPONENT_ID),
            GUID { data1: component, data2: 0, data3: 0, data4: [0; 8] },
        ),
    };
    // SAFETY: condition 1.
    unsafe { calls::trace_message(logger, options.0.into(), &source, message.number, payload) }
}

/// `EventWriteString`.
pub(crate) fn write_string(handle: u64, level: u8, keyword: u64, text: &str) -> u32 {
    let text = wide(text);
    // SAFETY: condition 1.
    unsafe { calls::EventWriteString(handle as _, level, keyword, text.as_ptr()) }
}

/// `EventActivityIdControl` to make an id.
pub(crate) fn new_activity() -> Guid {
    let mut id = GUID { data1: 0, data2: 0, data3: 0, data4: [0; 8] };
    // SAFETY: condition 1; control code 3 is EVENT_ACTIVITY_CTRL_CREATE_ID.
    unsafe { calls::EventActivityIdControl(3, &mut id) };
    from_guid(&id)
}

/// An event as a consumer is given it, copied.
pub(super) struct Seen {
    pub(super) header: Etw::EVENT_HEADER,
    /// Kernel and user time, or both together: as they lie in memory.
    pub(super) processor_time: u64,
    pub(super) cpu: u16,
    /// Extended items: type and data.
    pub(super) items: Vec<(u16, Vec<u8>)>,
    pub(super) payload: Vec<u8>,
}

/// A live session that was opened.
pub(super) struct Opened {
    handle: u64,
    pub(super) header: Etw::TRACE_LOGFILE_HEADER,
    sink: *mut Sink,
}

type Sink = Box<dyn FnMut(Seen) + Send>;

// SAFETY: the sink is `Send`, and only the thread that processes uses it.
unsafe impl Send for Opened {}

/// `OpenTraceW` of a real-time session, with raw time stamps.
pub(super) fn open(name: &str, each: Sink) -> Option<Opened> {
    unsafe extern "system" fn callback(record: *mut Etw::EVENT_RECORD) {
        // SAFETY: conditions 3 and 4.
        unsafe {
            let record = &*record;
            let sink = &mut *record.UserContext.cast::<Sink>();
            let items = (0..usize::from(record.ExtendedDataCount))
                .map(|i| {
                    let item = &*record.ExtendedData.add(i);
                    (item.ExtType, bytes(item.DataPtr as usize as *const u8, item.DataSize.into()))
                })
                .collect();
            let seen = Seen {
                header: record.EventHeader,
                processor_time: record.EventHeader.Anonymous.ProcessorTime,
                cpu: record.BufferContext.Anonymous.ProcessorIndex,
                items,
                payload: bytes(record.UserData.cast(), record.UserDataLength.into()),
            };
            let _ = catch_unwind(AssertUnwindSafe(|| sink(seen)));
        }
    }
    let mut name = wide(name);
    let sink = Box::into_raw(Box::new(each));
    let mut file = Etw::EVENT_TRACE_LOGFILEW { LoggerName: name.as_mut_ptr(), ..Default::default() };
    file.Context = sink.cast();
    // PROCESS_TRACE_MODE_REAL_TIME, _RAW_TIMESTAMP and _EVENT_RECORD.
    file.Anonymous1.ProcessTraceMode = 0x100 | 0x1000 | 0x1000_0000;
    file.Anonymous2.EventRecordCallback = Some(callback);
    // SAFETY: condition 1.
    let handle = unsafe { calls::OpenTraceW(&mut file) }.Value;
    if handle == u64::MAX || handle == 0xFFFF_FFFF {
        // SAFETY: made by `into_raw` above; it has no other owner.
        drop(unsafe { Box::from_raw(sink) });
        return None;
    }
    Some(Opened { handle, header: file.LogfileHeader, sink })
}

/// Copies `size` bytes.
///
/// # Safety
///
/// They are readable, or there are none.
unsafe fn bytes(start: *const u8, size: usize) -> Vec<u8> {
    if start.is_null() || size == 0 {
        return Vec::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(start, size) }.to_vec()
}

impl Opened {
    pub(super) fn handle(&self) -> u64 {
        self.handle
    }

    /// `ProcessTrace`: gives events out until the session ends or [`close`] is called.
    pub(super) fn process(self) -> u32 {
        let handle = Etw::PROCESSTRACE_HANDLE { Value: self.handle };
        // SAFETY: condition 1.
        unsafe { calls::ProcessTrace(&handle, 1, ptr::null(), ptr::null()) }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: condition 3: `ProcessTrace` has returned, or was never called.
        drop(unsafe { Box::from_raw(self.sink) });
    }
}

/// `CloseTrace`.
pub(super) fn close(handle: u64) {
    // SAFETY: an invalid handle is rejected.
    unsafe { calls::CloseTrace(Etw::PROCESSTRACE_HANDLE { Value: handle }) };
}

/// MHz of the processors, by the header of a session.
pub(super) fn cpu_speed(header: &Etw::TRACE_LOGFILE_HEADER) -> u32 {
    // SAFETY: both members of the union are plain numbers.
    unsafe { header.Anonymous2.Anonymous.CpuSpeedInMHz }
}

/// A moment by two clocks: what the clock of a session counts, and the system time (100 ns since 1601). `None` for a kind of
/// clock that cannot be read.
pub(super) fn moment(clock: ClockType) -> Option<(i64, i64)> {
    use windows_sys::Win32::System::Performance::QueryPerformanceCounter;
    use windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime;
    let mut now = Default::default();
    let mut raw = 0;
    // SAFETY: condition 1.
    unsafe { GetSystemTimePreciseAsFileTime(&mut now) };
    let now = i64::from(now.dwLowDateTime) | i64::from(now.dwHighDateTime) << 32;
    match clock {
        ClockType::SYSTEM_TIME => raw = now,
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 processor has the counter.
        ClockType::CPU_CYCLES => raw = unsafe { std::arch::x86_64::_rdtsc() }.cast_signed(),
        ClockType::PERFORMANCE_COUNTER | ClockType::UNSET => {
            // SAFETY: condition 1.
            unsafe { QueryPerformanceCounter(&mut raw) };
        }
        _ => return None,
    }
    Some((raw, now))
}

/// The system on which a Windows program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum System {
    Windows,
    /// Its functions for event tracing say that they have done what they have not, or end the process.
    Wine,
    /// Wine, with functions of ours in place of those for providers and controllers (`etw wine install`).
    WineWithSessions,
}

pub(super) fn system() -> System {
    use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
    if cfg!(any(test, feature = "stand-in")) {
        return System::Windows;
    }
    // SAFETY: the names are C strings; a library of the process stays.
    let has = |library: &CStr, function: &CStr| unsafe {
        let library = GetModuleHandleA(library.as_ptr().cast());
        !library.is_null() && GetProcAddress(library, function.as_ptr().cast()).is_some()
    };
    if !has(c"ntdll.dll", c"wine_get_version") {
        System::Windows
    } else if has(c"tracewell.dll", c"StartTraceW") {
        System::WineWithSessions
    } else {
        System::Wine
    }
}
