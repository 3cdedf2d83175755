//! The functions that Windows programs call, how Wine's are replaced by them, and the way to the Linux half.
//!
//! # Conditions
//!
//! 1. A pointer that a program hands over is null, which each function expects, or points to as many values as Windows'
//!    documentation says, for the time of the call. It need not be aligned.
//! 2. A function of `ntdll` that begins at a multiple of 16 owns the 16 bytes there: Wine's compilers align functions so. Others
//!    are left alone.
//! 3. The address of `__wine_unix_call_dispatcher` lies in an ELF library that is mapped from its first byte on without a gap, and
//!    whose dynamic section is sound: the system's loader has used it.
//! 4. Linux code may run on the stack of a Windows thread, and finds its thread-local memory: Wine for 64 bits leaves the register
//!    for it alone. Only [`Call`]s that may block or need much stack go through the dispatcher.
//! 5. The library behind [`FUNCTIONS`] has [`CALLS`] functions that take the structures of [`crate::call`]; it says its version.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use crate::call::{
    Activity, Attach, Call, Classic, Control, DataDescriptor, Enable, Filter, Guids, Index, LOG_FILE_NAME,
    Message, Notice, PATH, PROPERTIES, RUNNING, Register, Running, Traits, VERSION, Wanted, Write,
    WriteFunction, list, operation,
};
use crate::codes;
use crate::table::{self, Entry};

mod consumers;
mod descriptions;

type Guid = [u8; 16];

// -------------------------------------------------------------------------------- what Wine provides

#[link(name = "kernel32")]
unsafe extern "system" {
    fn GetModuleHandleA(name: *const c_char) -> *mut c_void;
    fn GetProcAddress(module: *mut c_void, name: *const c_char) -> *mut c_void;
    fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, size: u32) -> u32;
    fn VirtualProtect(address: *mut c_void, size: usize, protection: u32, former: *mut u32) -> i32;
    fn DisableThreadLibraryCalls(module: *mut c_void) -> i32;
    fn CreateThread(
        attributes: *const c_void,
        stack: usize,
        start: extern "system" fn(*mut c_void) -> u32,
        argument: *mut c_void,
        flags: u32,
        id: *mut u32,
    ) -> *mut c_void;
    fn CloseHandle(handle: *mut c_void) -> i32;
    fn GetProcessHeap() -> *mut c_void;
    fn HeapFree(heap: *mut c_void, flags: u32, memory: *mut c_void) -> i32;
    fn HeapAlloc(heap: *mut c_void, flags: u32, size: usize) -> *mut c_void;
    fn GetCurrentThreadId() -> u32;
    fn GetCurrentProcessId() -> u32;
    fn Sleep(milliseconds: u32);
    fn SetLastError(code: u32);
    fn QueryPerformanceCounter(now: *mut i64) -> i32;
    fn QueryPerformanceFrequency(frequency: *mut i64) -> i32;
    fn GetSystemTimeAsFileTime(time: *mut i64);
    fn ExitProcess(status: u32) -> !;
}

#[link(name = "ntdll")]
unsafe extern "system" {
    fn RtlDllShutdownInProgress() -> u8;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: takes a number.
    unsafe { ExitProcess(0xC000_0409) }
}

/// What the tables of Rust's core library name, for programs that unwind; this one never does.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

static INSTANCE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

fn named(module: &CStr, function: &CStr) -> *mut c_void {
    // SAFETY: both texts end with a zero byte.
    unsafe {
        let module = GetModuleHandleA(module.as_ptr());
        if module.is_null() { null_mut() } else { GetProcAddress(module, function.as_ptr()) }
    }
}

fn thread_id() -> u32 {
    // SAFETY: takes nothing.
    unsafe { GetCurrentThreadId() }
}

fn sleep() {
    // SAFETY: takes a number.
    unsafe { Sleep(1) }
}

// -------------------------------------------------------------------------------- the Linux half

/// State of the Linux half: not looked for, being loaded, there, or missing.
static LINUX: AtomicU32 = AtomicU32::new(0);
const LOADING: u32 = 1;
const THERE: u32 = 2;
const MISSING: u32 = 3;

static DISPATCHER: AtomicUsize = AtomicUsize::new(0);
static FUNCTIONS: AtomicUsize = AtomicUsize::new(0);
static WRITE: AtomicUsize = AtomicUsize::new(0);

type Dispatcher = unsafe extern "system" fn(functions: u64, code: u32, arguments: *mut c_void) -> i32;

/// Calls a function of the Linux half. Returns `false` if that is missing.
fn call<T>(which: Call, arguments: &mut T) -> bool {
    if LINUX.load(Ordering::Acquire) != THERE {
        return false;
    }
    // SAFETY: conditions 3 and 5; both were stored before the state.
    unsafe {
        let dispatcher: Dispatcher = core::mem::transmute(DISPATCHER.load(Ordering::Relaxed));
        let functions = FUNCTIONS.load(Ordering::Relaxed) as u64;
        dispatcher(functions, which as u32, (&raw mut *arguments).cast()) == 0
    }
}

/// Loads the Linux half once. Returns `true` if it is there.
fn attach() -> bool {
    loop {
        match LINUX.compare_exchange(0, LOADING, Ordering::AcqRel, Ordering::Acquire) {
            Err(LOADING) => sleep(),
            Err(state) => return state == THERE,
            Ok(_) => {
                let state = if load() { THERE } else { MISSING };
                LINUX.store(state, Ordering::Release);
                return state == THERE;
            }
        }
    }
}

/// What is needed to load a library, on the stack that Linux code uses.
#[repr(C)]
struct Load {
    open: extern "sysv64" fn(*const c_char, i32) -> *mut c_void,
    symbol: extern "sysv64" fn(*mut c_void, *const c_char) -> *mut c_void,
    path: *const c_char,
    found: *mut c_void,
}

unsafe extern "sysv64" fn load_library(load: *mut Load) -> i32 {
    const NOW: i32 = 2;
    // SAFETY: called by `load` only.
    unsafe {
        let library = ((*load).open)((*load).path, NOW);
        if !library.is_null() {
            (*load).found = ((*load).symbol)(library, c"__wine_unix_call_funcs".as_ptr());
        }
    }
    0
}

fn load() -> bool {
    let dispatcher = named(c"ntdll.dll", c"__wine_unix_call_dispatcher").cast::<usize>();
    let unix_name = named(c"kernel32.dll", c"wine_get_unix_file_name");
    if dispatcher.is_null() || unix_name.is_null() {
        return false;
    }
    // The Linux half lies beside this library: NAME.so for NAME.dll.
    let mut path = [0_u16; 1024];
    // SAFETY: the exported variable is the address of the dispatcher; the other is a function of one text; conditions 3 and 5.
    unsafe {
        let size = GetModuleFileNameW(INSTANCE.load(Ordering::Relaxed), path.as_mut_ptr(), 1000) as usize;
        let Some(start) = size.checked_sub(3) else { return false };
        for (place, letter) in path.iter_mut().skip(start).zip([u16::from(b's'), u16::from(b'o'), 0]) {
            *place = letter;
        }
        let unix_name: extern "C" fn(*const u16) -> *const c_char = core::mem::transmute(unix_name);
        let path = unix_name(path.as_ptr());
        let dispatcher = dispatcher.read();
        let Some((open, symbol)) = linker(dispatcher) else { return false };
        if path.is_null() {
            return false;
        }
        let (open, symbol) =
            (core::mem::transmute::<usize, _>(open), core::mem::transmute::<usize, _>(symbol));
        let mut load = Load { open, symbol, path, found: null_mut() };
        let table = [load_library as *const () as usize];
        let call: Dispatcher = core::mem::transmute(dispatcher);
        call(table.as_ptr() as u64, 0, (&raw mut load).cast());
        if load.found.is_null() {
            return false;
        }
        let mut hello = Attach { version: VERSION, write: None };
        if call(load.found as u64, Call::Attach as u32, (&raw mut hello).cast()) != 0 {
            return false;
        }
        let Some(write) = hello.write else { return false };
        WRITE.store(write as usize, Ordering::Relaxed);
        FUNCTIONS.store(load.found as usize, Ordering::Relaxed);
        DISPATCHER.store(dispatcher, Ordering::Relaxed);
    }
    true
}

/// Finds `dlopen` and `dlsym` of the process: Wine's own Linux library uses them, so they are in its table of imports.
///
/// # Safety
///
/// Condition 3.
unsafe fn linker(inside: usize) -> Option<(usize, usize)> {
    const PAGE: usize = 4096;
    // SAFETY: the caller's.
    unsafe {
        let pages = (0..4096).map(|back| (inside & !(PAGE - 1)).wrapping_sub(back * PAGE));
        let base = pages.into_iter().find(|page| (*page as *const [u8; 4]).read() == *b"\x7fELF")?;
        let word = |at: usize| (at as *const usize).read();
        // Program headers: offset and number; each has type, offset, address.
        let (headers, count) = (base + word(base + 32), usize::from(((base + 56) as *const u16).read()));
        let dynamic = (0..count).map(|at| headers + at * 56).find(|at| (*at as *const u32).read() == 2)?;
        let mut entry = base + word(dynamic + 16);
        // Tables of symbols and texts; both kinds of relocations with their sizes.
        let (mut texts, mut symbols, mut tables) = (0, 0, [(0, 0); 2]);
        while word(entry) != 0 {
            let value = word(entry + 8);
            // The loader of glibc has made addresses of them, that of musl has not.
            let address = if value < base { base + value } else { value };
            match word(entry) {
                5 => texts = address,
                6 => symbols = address,
                7 => tables[0].0 = address,
                8 => tables[0].1 = value,
                23 => tables[1].0 = address,
                2 => tables[1].1 = value,
                _ => {}
            }
            entry += 16;
        }
        let find = |name: &CStr| {
            let relocations =
                tables.iter().flat_map(|(table, size)| (0..size / 24).map(move |at| table + at * 24));
            let of_name = |at: &usize| {
                let symbol = symbols + (word(at + 8) >> 32) * 24;
                let text = texts + (symbol as *const u32).read() as usize;
                word(at + 8) >> 32 != 0 && CStr::from_ptr(text as *const c_char) == name
            };
            relocations.into_iter().find(of_name).map(|at| word(base + word(at)))
        };
        (texts != 0 && symbols != 0).then_some(())?;
        Some((find(c"dlopen")?, find(c"dlsym")?))
    }
}

// -------------------------------------------------------------------------------- registrations

impl Entry {
    /// Returns `true` if some session wants events of this level and keyword.
    #[inline(always)]
    fn is_enabled(&self, level: u8, keyword: u64) -> bool {
        let wanted: *const Wanted = self.wanted.load(Ordering::Acquire);
        if wanted.is_null() {
            return false;
        }
        // SAFETY: condition 5: a provider lives for ever, and always has what its daemons want.
        unsafe {
            (*wanted).daemons.iter().any(|daemon| {
                let wants = &*daemon.load(Ordering::Acquire);
                u32::from(level) < wants.threshold.load(Ordering::Relaxed)
                    && (keyword == 0 || keyword & wants.any.load(Ordering::Relaxed) != 0)
            })
        }
    }
}

type EnableCallback = extern "system" fn(*const Guid, u32, u8, u64, u64, *const c_void, *mut c_void);
type ControlCallback = extern "system" fn(u32, *mut c_void, *mut u32, *mut c_void) -> u32;

/// `WNODE_HEADER`, as the callbacks of the old kind receive it.
#[repr(C)]
struct Node {
    size: u32,
    provider: u32,
    logger: u64,
    time: i64,
    guid: Guid,
    context: u32,
    flags: u32,
}

fn register(guid: *const Guid, classic: bool, callback: usize, context: usize, handle: *mut u64) -> u32 {
    if guid.is_null() || handle.is_null() {
        return codes::INVALID_PARAMETER;
    }
    let Some((index, name)) = table::claim(classic) else { return codes::NOT_ENOUGH_MEMORY };
    let Some(entry) = table::at(index) else { return codes::NOT_ENOUGH_MEMORY };
    entry.callback.store(callback, Ordering::Release);
    entry.context.store(context, Ordering::Release);
    // SAFETY: condition 1. The handle is there before the callback runs.
    let guid = unsafe {
        handle.write_unaligned(name);
        guid.read_unaligned()
    };
    if attach() {
        let notices = u32::from(callback != 0);
        let mut new = Register { index, notices, guid, registration: null(), wanted: null() };
        if call(Call::Register, &mut new) {
            entry.registration.store(new.registration.cast_mut(), Ordering::Release);
            entry.wanted.store(new.wanted.cast_mut(), Ordering::Release);
            if callback != 0 {
                start_dispatcher();
                while !deliver(index) {
                    sleep();
                }
            }
        }
    }
    codes::SUCCESS
}

fn unregister(handle: u64, classic: bool) -> u32 {
    let Some((index, entry)) = table::find(handle) else { return codes::INVALID_HANDLE };
    if (entry.classic.load(Ordering::Acquire) == 1) != classic {
        return codes::INVALID_HANDLE;
    }
    // SAFETY: takes nothing. At the end of a process its other threads are gone, with whatever they held.
    if unsafe { RtlDllShutdownInProgress() } != 0 {
        return codes::SUCCESS;
    }
    entry.callback.store(0, Ordering::Release);
    call(Call::Unregister, &mut Index { index });
    let me = thread_id();
    while ![0, me].contains(&entry.delivering.load(Ordering::Acquire)) {
        sleep();
    }
    entry.release();
    codes::SUCCESS
}

/// Runs the callback of a registration for all notices that are due, in their order. Returns `false` if another thread does.
fn deliver(index: u32) -> bool {
    let Some(entry) = table::at(index) else { return true };
    let me = thread_id();
    match entry.delivering.compare_exchange(0, me, Ordering::AcqRel, Ordering::Acquire) {
        // The callback has called: what is due is delivered when it returns.
        Err(owner) if owner == me => return true,
        Err(_) => return false,
        Ok(_) => {}
    }
    loop {
        let mut notice = Notice { index, ..Notice::default() };
        if !call(Call::Notice, &mut notice) || notice.due == 0 {
            break;
        }
        let callback = entry.callback.load(Ordering::Acquire);
        if callback == 0 {
            break;
        }
        let context = entry.context.load(Ordering::Acquire) as *mut c_void;
        // SAFETY: condition 1: a program registers functions of these types.
        unsafe {
            if entry.classic.load(Ordering::Acquire) == 1 {
                let callback: ControlCallback = core::mem::transmute(callback);
                call_control(callback, context, &notice);
            } else {
                let callback: EnableCallback = core::mem::transmute(callback);
                let Notice { control, level, any, all, .. } = notice;
                callback(&[0; 16], control, level.min(255) as u8, any, all, null(), context);
            }
        }
    }
    entry.delivering.store(0, Ordering::Release);
    true
}

/// `WMI_ENABLE_EVENTS` and `WMI_DISABLE_EVENTS`; there is no capture of states in this kind.
fn call_control(callback: ControlCallback, context: *mut c_void, notice: &Notice) {
    let request = match notice.control {
        0 => 5,
        1 => 4,
        _ => return,
    };
    // `TRACE_ENABLE_CONTEXT`: number of the logger, level, flags. The number leads back to the registration.
    let flags = notice.any as u32;
    let logger = u64::from(notice.index) | u64::from(notice.level.min(255)) << 16 | u64::from(flags) << 32;
    let mut size = size_of::<Node>() as u32;
    let mut node = Node { size, provider: 0, logger, time: 0, guid: [0; 16], context: 0, flags: 0x20000 };
    callback(request, context, &raw mut size, (&raw mut node).cast());
}

static DISPATCHING: AtomicU32 = AtomicU32::new(0);

/// Starts the thread that runs callbacks after a registration, once.
fn start_dispatcher() {
    if DISPATCHING.swap(1, Ordering::AcqRel) == 0 {
        // SAFETY: the function takes nothing.
        unsafe {
            let thread = CreateThread(null(), 1 << 18, dispatch, null_mut(), 0, null_mut());
            if thread.is_null() {
                DISPATCHING.store(0, Ordering::Release);
            } else {
                CloseHandle(thread);
            }
        }
    }
}

extern "system" fn dispatch(_: *mut c_void) -> u32 {
    let mut due = Index { index: u32::MAX };
    while call(Call::Wait, &mut due) {
        if deliver(due.index) {
            due.index = u32::MAX;
        } else {
            // Another thread runs its callback, and may not return soon: others first.
            sleep();
        }
    }
    0
}

// -------------------------------------------------------------------------------- the functions

#[unsafe(no_mangle)]
extern "system" fn EventRegister(
    guid: *const Guid,
    callback: usize,
    context: usize,
    handle: *mut u64,
) -> u32 {
    register(guid, false, callback, context, handle)
}

#[unsafe(no_mangle)]
extern "system" fn EventUnregister(handle: u64) -> u32 {
    unregister(handle, false)
}

#[unsafe(no_mangle)]
extern "system" fn EventWriteEx(
    handle: u64,
    descriptor: *const Guid,
    _filter: u64,
    _flags: u32,
    activity: *const Guid,
    related: *const Guid,
    count: u32,
    data: *const DataDescriptor,
) -> u32 {
    write(handle, descriptor, activity, related, count, data)
}

#[unsafe(no_mangle)]
extern "system" fn EventWriteTransfer(
    handle: u64,
    descriptor: *const Guid,
    activity: *const Guid,
    related: *const Guid,
    count: u32,
    data: *const DataDescriptor,
) -> u32 {
    write(handle, descriptor, activity, related, count, data)
}

#[unsafe(no_mangle)]
extern "system" fn EventWrite(
    handle: u64,
    descriptor: *const Guid,
    count: u32,
    data: *const DataDescriptor,
) -> u32 {
    write(handle, descriptor, null(), null(), count, data)
}

/// Most pieces of a payload (`MAX_EVENT_DATA_DESCRIPTORS`).
const PIECES: u32 = 128;

#[inline(always)]
fn write(
    handle: u64,
    descriptor: *const Guid,
    activity: *const Guid,
    related: *const Guid,
    count: u32,
    data: *const DataDescriptor,
) -> u32 {
    let Some((_, entry)) = table::find(handle) else { return codes::INVALID_HANDLE };
    if descriptor.is_null() || count > PIECES || count > 0 && data.is_null() {
        return codes::INVALID_PARAMETER;
    }
    // SAFETY: condition 1.
    let (level, keyword) =
        unsafe { ((*descriptor)[4], descriptor.cast::<u8>().add(8).cast::<u64>().read_unaligned()) };
    if !entry.is_enabled(level, keyword) {
        return codes::SUCCESS;
    }
    write_out(entry, &Write { descriptor, activity, related, data, count, level: 0, keyword: 0 })
}

fn write_out(entry: &Entry, event: &Write) -> u32 {
    let (registration, function) =
        (entry.registration.load(Ordering::Acquire), WRITE.load(Ordering::Relaxed));
    if registration.is_null() || function == 0 {
        return codes::SUCCESS;
    }
    // SAFETY: conditions 4 and 5.
    unsafe {
        let function: WriteFunction = core::mem::transmute(function);
        function(registration, event)
    }
}

#[unsafe(no_mangle)]
extern "system" fn EventWriteString(handle: u64, level: u8, keyword: u64, text: *const u16) -> u32 {
    let Some((_, entry)) = table::find(handle) else { return codes::INVALID_HANDLE };
    if text.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !entry.is_enabled(level, keyword) {
        return codes::SUCCESS;
    }
    // SAFETY: condition 1: a text ends with a zero.
    let count = (0..1 << 16).find(|at| unsafe { text.add(*at).read_unaligned() } == 0).unwrap_or(1 << 16);
    let (data, level) = (text.cast(), level.into());
    let event = Write {
        descriptor: null(),
        activity: null(),
        related: null(),
        data,
        count: count as u32,
        level,
        keyword,
    };
    write_out(entry, &event)
}

#[unsafe(no_mangle)]
extern "system" fn EventEnabled(handle: u64, descriptor: *const Guid) -> u8 {
    if descriptor.is_null() {
        return 0;
    }
    // SAFETY: condition 1.
    let (level, keyword) =
        unsafe { ((*descriptor)[4], descriptor.cast::<u8>().add(8).cast::<u64>().read_unaligned()) };
    EventProviderEnabled(handle, level, keyword)
}

#[unsafe(no_mangle)]
extern "system" fn EventProviderEnabled(handle: u64, level: u8, keyword: u64) -> u8 {
    table::find(handle).is_some_and(|(_, entry)| entry.is_enabled(level, keyword)).into()
}

#[unsafe(no_mangle)]
extern "system" fn EventSetInformation(handle: u64, class: u32, data: *const u8, size: u32) -> u32 {
    const TRAITS: u32 = 2;
    const LAST: u32 = 3;
    let Some((index, _)) = table::find(handle) else { return codes::INVALID_HANDLE };
    if class > LAST {
        return codes::NOT_SUPPORTED;
    }
    if class == TRAITS {
        if data.is_null() || !(3..=0xFFFF).contains(&size) {
            return codes::INVALID_PARAMETER;
        }
        call(Call::SetTraits, &mut Traits { index, size, data });
    }
    codes::SUCCESS
}

#[unsafe(no_mangle)]
extern "system" fn EventActivityIdControl(code: u32, id: *mut Guid) -> u32 {
    if id.is_null() || !(1..=5).contains(&code) {
        return codes::INVALID_PARAMETER;
    }
    // A program may use activities before it registers a provider.
    attach();
    // SAFETY: condition 1.
    unsafe {
        let mut activity = Activity { code, id: id.read_unaligned() };
        if call(Call::Activity, &mut activity) {
            id.write_unaligned(activity.id);
        }
    }
    codes::SUCCESS
}

#[unsafe(no_mangle)]
extern "system" fn EnumerateTraceGuidsEx(
    class: u32,
    input: *const Guid,
    input_size: u32,
    output: *mut u8,
    output_size: u32,
    needed: *mut u32,
) -> u32 {
    if class > list::OWN || needed.is_null() {
        return codes::INVALID_PARAMETER;
    }
    let mut guid = [0; 16];
    if class == list::ONE {
        if input.is_null() || input_size != 16 {
            return codes::INVALID_PARAMETER;
        }
        // SAFETY: condition 1.
        guid = unsafe { input.read_unaligned() };
    }
    providers(class, guid, output, output_size, needed)
}

#[unsafe(no_mangle)]
extern "system" fn EnumerateTraceGuids(properties: *mut u8, room: u32, count: *mut u32) -> u32 {
    if properties.is_null() || room == 0 || count.is_null() {
        return codes::INVALID_PARAMETER;
    }
    providers(list::PROPERTIES, [0; 16], properties, room, count)
}

/// Has the Linux half answer a question about providers.
fn providers(what: u32, guid: Guid, output: *mut u8, room: u32, needed: *mut u32) -> u32 {
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    // SAFETY: takes nothing.
    let process = unsafe { GetCurrentProcessId() };
    let mut asked =
        Guids { what, process, guid, output, room, needed: 0, result: codes::CALL_NOT_IMPLEMENTED };
    call(Call::Guids, &mut asked);
    // SAFETY: condition 1.
    unsafe { needed.write_unaligned(asked.needed) };
    asked.result
}

// -------------------------------------------------------------------------------- events of the old kind

/// `TRACE_GUID_REGISTRATION`.
#[repr(C)]
struct ClassRegistration {
    class: *const Guid,
    handle: *const Class,
}

/// An event class whose instances have ids: what its handle leads to. None is ever freed, and a class has one.
struct Class {
    guid: Guid,
    /// The id of the last instance.
    last: AtomicU32,
    next: *const Class,
}

static CLASSES: AtomicPtr<Class> = AtomicPtr::new(null_mut());

/// Finds a class, or makes it. Returns null if there is no memory.
fn class(guid: Guid) -> *const Class {
    let mut made: *mut Class = null_mut();
    loop {
        let first = CLASSES.load(Ordering::Acquire);
        let mut class = first.cast_const();
        // SAFETY: classes are never freed, and complete before they are in the list. A class that is not in the list yet is ours.
        unsafe {
            while !class.is_null() && (*class).guid != guid {
                class = (*class).next;
            }
            if !class.is_null() {
                free(made.cast());
                return class;
            }
            if made.is_null() {
                made = HeapAlloc(GetProcessHeap(), 0, size_of::<Class>()).cast();
                if made.is_null() {
                    return made;
                }
            }
            made.write(Class { guid, last: AtomicU32::new(0), next: first });
        }
        if CLASSES.compare_exchange(first, made, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            return made;
        }
    }
}

fn register_classic(
    callback: usize,
    context: usize,
    guid: *const Guid,
    (classes, count): (*mut ClassRegistration, u32),
    handle: *mut u64,
) -> u32 {
    if callback == 0 {
        return codes::INVALID_PARAMETER;
    }
    for at in 0..if classes.is_null() { 0 } else { count as usize } {
        // SAFETY: condition 1: so many registrations.
        unsafe {
            let place = classes.add(at);
            let guid = (&raw const (*place).class).read_unaligned();
            if !guid.is_null() {
                (&raw mut (*place).handle).write_unaligned(class(guid.read_unaligned()));
            }
        }
    }
    register(guid, true, callback, context, handle)
}

#[unsafe(no_mangle)]
extern "system" fn RegisterTraceGuidsW(
    callback: usize,
    context: usize,
    guid: *const Guid,
    count: u32,
    classes: *mut ClassRegistration,
    _image: *const c_void,
    _resource: *const c_void,
    handle: *mut u64,
) -> u32 {
    register_classic(callback, context, guid, (classes, count), handle)
}

#[unsafe(no_mangle)]
extern "system" fn RegisterTraceGuidsA(
    callback: usize,
    context: usize,
    guid: *const Guid,
    count: u32,
    classes: *mut ClassRegistration,
    _image: *const c_void,
    _resource: *const c_void,
    handle: *mut u64,
) -> u32 {
    register_classic(callback, context, guid, (classes, count), handle)
}

#[unsafe(no_mangle)]
extern "system" fn UnregisterTraceGuids(handle: u64) -> u32 {
    unregister(handle, true)
}

#[unsafe(no_mangle)]
extern "system" fn GetTraceLoggerHandle(node: *const Node) -> u64 {
    // SAFETY: condition 1.
    if node.is_null() { u64::MAX } else { unsafe { (&raw const (*node).logger).read_unaligned() } }
}

#[unsafe(no_mangle)]
extern "system" fn GetTraceEnableLevel(logger: u64) -> u8 {
    (logger >> 16) as u8
}

#[unsafe(no_mangle)]
extern "system" fn GetTraceEnableFlags(logger: u64) -> u32 {
    (logger >> 32) as u32
}

/// The registration behind the handle of a logger, see [`call_control`].
fn of_logger(logger: u64) -> Option<u32> {
    let index = (logger & 0xFFFF) as u32;
    table::at(index).filter(|entry| entry.classic.load(Ordering::Acquire) == 1).map(|_| index)
}

#[unsafe(no_mangle)]
extern "system" fn TraceEvent(logger: u64, header: *const u8) -> u32 {
    const GUID_POINTER: u32 = 0x80000;
    let Some(index) = of_logger(logger) else { return codes::INVALID_HANDLE };
    if header.is_null() {
        return codes::INVALID_PARAMETER;
    }
    // SAFETY: condition 1: an `EVENT_TRACE_HEADER`.
    let class = unsafe {
        if header.add(44).cast::<u32>().read_unaligned() & GUID_POINTER != 0 {
            let place = header.add(24).cast::<*const Guid>().read_unaligned();
            if place.is_null() {
                return codes::INVALID_PARAMETER;
            }
            place.read_unaligned()
        } else {
            header.add(24).cast::<Guid>().read_unaligned()
        }
    };
    log_classic(index, header, 48, class, None)
}

/// `EVENT_INSTANCE_INFO`.
#[repr(C)]
struct InstanceInfo {
    class: *const Class,
    id: u32,
}

#[unsafe(no_mangle)]
extern "system" fn CreateTraceInstanceId(class: *const Class, info: *mut InstanceInfo) -> u32 {
    if class.is_null() || info.is_null() {
        return codes::INVALID_PARAMETER;
    }
    // SAFETY: condition 1: a handle of `RegisterTraceGuids`, whose class is never freed.
    unsafe {
        let id = (*class).last.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        info.write_unaligned(InstanceInfo { class, id });
    }
    codes::SUCCESS
}

#[unsafe(no_mangle)]
extern "system" fn TraceEventInstance(
    logger: u64,
    header: *const u8,
    info: *const InstanceInfo,
    parent: *const InstanceInfo,
) -> u32 {
    let Some(index) = of_logger(logger) else { return codes::INVALID_HANDLE };
    if header.is_null() || info.is_null() {
        return codes::INVALID_PARAMETER;
    }
    let none = InstanceInfo { class: null(), id: 0 };
    // SAFETY: condition 1: what `CreateTraceInstanceId` filled in; classes are never freed.
    unsafe {
        let info = info.read_unaligned();
        let parent = if parent.is_null() { none } else { parent.read_unaligned() };
        if info.class.is_null() {
            return codes::INVALID_PARAMETER;
        }
        let parent_class = if parent.class.is_null() { [0; 16] } else { (*parent.class).guid };
        log_classic(index, header, 56, (*info.class).guid, Some((info.id, parent.id, parent_class)))
    }
}

/// Logs an event of the old kind, whose header has so many bytes: type, level, version and flags are at the same places in all. What
/// follows is the payload, or where its pieces are.
fn log_classic(
    index: u32,
    header: *const u8,
    length: usize,
    class: Guid,
    instance: Option<(u32, u32, Guid)>,
) -> u32 {
    const PIECE_POINTERS: u32 = 0x10_0000;
    // SAFETY: condition 1: the header, and what its size says.
    unsafe {
        let size = usize::from(header.cast::<u16>().read_unaligned());
        let Some(rest) = size.checked_sub(length) else { return codes::INVALID_PARAMETER };
        let flags = header.add(44).cast::<u32>().read_unaligned();
        let whole = DataDescriptor {
            address: header.add(length) as u64,
            size: rest as u32,
            kind: 0,
            reserved: [0; 3],
        };
        let (data, count) = if flags & PIECE_POINTERS != 0 {
            (header.add(length).cast(), (rest / size_of::<DataDescriptor>()) as u32)
        } else {
            (&raw const whole, u32::from(rest > 0))
        };
        let (opcode, level) = (header.add(4).read(), header.add(5).read());
        let version = header.add(6).cast::<u16>().read_unaligned();
        let has_instance = instance.is_some().into();
        let (instance, parent, parent_class) = instance.unwrap_or_default();
        let mut event = Classic {
            index,
            opcode,
            level,
            version,
            class,
            data,
            count,
            instance,
            parent,
            parent_class,
            has_instance,
        };
        call(Call::Classic, &mut event);
    }
    codes::SUCCESS
}

// The variable arguments of a function lie behind its four first ones, as those of a `va_list` do.
core::arch::global_asm!(
    ".globl TraceMessage",
    "TraceMessage:",
    "lea rax, [rsp + 0x28]",
    "sub rsp, 0x38",
    "mov [rsp + 0x20], rax",
    "call TraceMessageVa",
    "add rsp, 0x38",
    "ret",
);

unsafe extern "system" {
    fn TraceMessage(logger: u64, flags: u32, guid: *const Guid, number: u16) -> u32;
}

/// Most pieces of a message.
const MESSAGE_PIECES: usize = 64;

#[unsafe(no_mangle)]
extern "system" fn TraceMessageVa(
    logger: u64,
    flags: u32,
    guid: *const Guid,
    number: u16,
    arguments: *const usize,
) -> u32 {
    const GUID: u32 = 2;
    const COMPONENT: u32 = 4;
    let Some(index) = of_logger(logger) else { return codes::INVALID_HANDLE };
    let mut pieces = [DataDescriptor { address: 0, size: 0, kind: 0, reserved: [0; 3] }; MESSAGE_PIECES];
    let (mut count, mut component, mut source) = (0, 0, [0; 16]);
    // SAFETY: condition 1: pairs of an address and a size, until an address is null.
    unsafe {
        match guid.is_null() {
            false if flags & GUID != 0 => source = guid.read_unaligned(),
            false if flags & COMPONENT != 0 => component = guid.cast::<u32>().read_unaligned(),
            _ => {}
        }
        for piece in &mut pieces {
            if arguments.is_null() || arguments.add(2 * count).read() == 0 {
                break;
            }
            piece.address = arguments.add(2 * count).read() as u64;
            piece.size = arguments.add(2 * count + 1).read() as u32;
            count += 1;
        }
    }
    let (data, count) = (pieces.as_ptr(), count as u32);
    call(Call::Message, &mut Message { index, component, guid: source, number, data, count });
    codes::SUCCESS
}

// -------------------------------------------------------------------------------- sessions

/// Most units of a name or a path, with its zero.
const TEXT: usize = 1024;

/// The path on Linux that a text of a program leads to, in memory of the heap; null if there is none.
///
/// # Safety
///
/// Condition 1: the text ends with a zero, or has [`TEXT`] units.
unsafe fn linux_path(text: *const u8, wide: bool) -> *mut u8 {
    let function = named(c"kernel32.dll", c"wine_get_unix_file_name");
    let mut path = [0_u16; TEXT];
    // SAFETY: the caller's; Wine's function takes a text that ends with a zero.
    unsafe {
        for (at, unit) in path.iter_mut().enumerate() {
            *unit = unit_of(text, wide, at);
            if *unit == 0 {
                break;
            }
        }
        if function.is_null() || path.first() == Some(&0) || path.last() != Some(&0) {
            return null_mut();
        }
        let function: extern "C" fn(*const u16) -> *mut u8 = core::mem::transmute(function);
        function(path.as_ptr())
    }
}

/// A unit of a text.
///
/// # Safety
///
/// The text has so many units.
unsafe fn unit_of(text: *const u8, wide: bool, at: usize) -> u16 {
    // SAFETY: the caller's.
    unsafe { if wide { text.cast::<u16>().add(at).read_unaligned() } else { text.add(at).read().into() } }
}

/// Frees what Wine has allocated.
///
/// # Safety
///
/// It is null, or memory of the heap that nothing uses any more.
unsafe fn free(memory: *mut c_void) {
    // SAFETY: the caller's.
    unsafe {
        if !memory.is_null() {
            HeapFree(GetProcessHeap(), 0, memory);
        }
    }
}

/// Writes the path of the log file for Windows where a program has room for it. Returns an error code if it does not fit.
///
/// # Safety
///
/// Condition 1: the block has as many bytes as its first word says. `path` ends with a zero.
unsafe fn put_log_file(properties: *mut u8, wide: bool, path: *const u8) -> u32 {
    let function = named(c"kernel32.dll", c"wine_get_dos_file_name");
    // SAFETY: the caller's; Wine's function takes a text that ends with a zero, and returns one or null.
    unsafe {
        let word = |at: usize| properties.add(at).cast::<u32>().read_unaligned() as usize;
        let (size, start) = (word(0), word(LOG_FILE_NAME));
        if start == 0 || function.is_null() {
            return codes::SUCCESS;
        }
        let width = if wide { 2 } else { 1 };
        if start < PROPERTIES || start + width > size {
            return codes::MORE_DATA;
        }
        // The name of the session may lie behind it.
        let name = word(LOG_FILE_NAME + 4);
        let end = if name > start { name.min(size) } else { size };
        let room = (end - start) / width;
        let put = |at: usize, unit: u16| {
            let place = properties.add(start + at * width);
            if wide { place.cast::<u16>().write_unaligned(unit) } else { place.write(unit as u8) }
        };
        let function: extern "C" fn(*const u8) -> *mut u16 = core::mem::transmute(function);
        let text = if path.read() == 0 { null_mut() } else { function(path) };
        let mut result = codes::SUCCESS;
        for at in 0..room {
            let unit = if text.is_null() { 0 } else { text.add(at).read() };
            let last = at + 1 == room;
            put(at, if last { 0 } else { unit });
            if unit == 0 {
                break;
            }
            if last {
                result = codes::MORE_DATA;
            }
        }
        free(text.cast());
        result
    }
}

/// Starts a session, or does something to it.
fn control(what: u32, wide: bool, session: &mut u64, name: *const u8, properties: *mut u8) -> u32 {
    if properties.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    let names_file = [operation::START, operation::UPDATE, operation::FLUSH].contains(&what);
    // SAFETY: condition 1: the block has as many bytes as its first word says.
    unsafe {
        let word = |at: usize| properties.add(at).cast::<u32>().read_unaligned() as usize;
        if word(0) < PROPERTIES {
            return codes::BAD_LENGTH;
        }
        let start = word(LOG_FILE_NAME);
        let mut file = null_mut();
        if names_file && start != 0 {
            if start < PROPERTIES || start + 2 > word(0) {
                return codes::INVALID_PARAMETER;
            }
            let text = properties.add(start);
            file = linux_path(text, wide);
            if file.is_null() && unit_of(text, wide, 0) != 0 {
                return codes::BAD_PATHNAME;
            }
        }
        let mut asked = Control {
            operation: what,
            wide: wide.into(),
            session: *session,
            name,
            properties,
            file,
            path: [0; PATH],
            result: codes::CALL_NOT_IMPLEMENTED,
        };
        call(Call::Control, &mut asked);
        free(file.cast());
        if asked.result != codes::SUCCESS && asked.result != codes::MORE_DATA {
            return asked.result;
        }
        *session = asked.session;
        let written = put_log_file(properties, wide, asked.path.as_ptr());
        if asked.result == codes::SUCCESS { written } else { asked.result }
    }
}

fn start(wide: bool, handle: *mut u64, name: *const u8, properties: *mut u8) -> u32 {
    if handle.is_null() || name.is_null() {
        return codes::INVALID_PARAMETER;
    }
    let mut session = 0;
    let result = control(operation::START, wide, &mut session, name, properties);
    // SAFETY: condition 1.
    unsafe { handle.write_unaligned(session) };
    // Windows does not report that a name which the caller knows was cut.
    if result == codes::MORE_DATA { codes::SUCCESS } else { result }
}

/// The functions for sessions in both forms: with texts of 16-bit units, and of bytes.
macro_rules! both {
    ($($wide:ident $narrow:ident($($name:ident: $type:ty),*) => $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "system" fn $wide($($name: $type),*) -> u32 {
            $body(true, $($name),*)
        }

        #[unsafe(no_mangle)]
        extern "system" fn $narrow($($name: $type),*) -> u32 {
            $body(false, $($name),*)
        }
    )*};
}

both! {
    StartTraceW StartTraceA(handle: *mut u64, name: *const u8, properties: *mut u8) => start;
    ControlTraceW ControlTraceA(handle: u64, name: *const u8, properties: *mut u8, code: u32) =>
        |wide, mut handle, name, properties, code| match code {
            operation::START => codes::INVALID_PARAMETER,
            _ => control(code, wide, &mut handle, name, properties),
        };
    QueryTraceW QueryTraceA(handle: u64, name: *const u8, properties: *mut u8) =>
        |wide, mut handle, name, properties| control(operation::QUERY, wide, &mut handle, name, properties);
    StopTraceW StopTraceA(handle: u64, name: *const u8, properties: *mut u8) =>
        |wide, mut handle, name, properties| control(operation::STOP, wide, &mut handle, name, properties);
    UpdateTraceW UpdateTraceA(handle: u64, name: *const u8, properties: *mut u8) =>
        |wide, mut handle, name, properties| control(operation::UPDATE, wide, &mut handle, name, properties);
    FlushTraceW FlushTraceA(handle: u64, name: *const u8, properties: *mut u8) =>
        |wide, mut handle, name, properties| control(operation::FLUSH, wide, &mut handle, name, properties);
    QueryAllTracesW QueryAllTracesA(blocks: *const *mut u8, room: u32, count: *mut u32) => query_all;
}

fn query_all(wide: bool, blocks: *const *mut u8, room: u32, count: *mut u32) -> u32 {
    if blocks.is_null() || count.is_null() || room == 0 || room as usize > RUNNING {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    let mut all = Running { count: 0, result: codes::CALL_NOT_IMPLEMENTED, sessions: [0; RUNNING] };
    call(Call::Running, &mut all);
    if all.result != codes::SUCCESS {
        return all.result;
    }
    let (mut filled, mut result) = (0, codes::SUCCESS);
    for session in all.sessions.iter().take(all.count as usize) {
        if filled == room {
            result = codes::MORE_DATA;
            break;
        }
        let mut session = *session;
        // SAFETY: condition 1: there are so many blocks.
        let block = unsafe { blocks.add(filled as usize).read_unaligned() };
        match control(operation::QUERY, wide, &mut session, null(), block) {
            codes::SUCCESS | codes::MORE_DATA => filled += 1,
            // It has ended since.
            codes::SESSION_NOT_FOUND => {}
            error => return error,
        }
    }
    // SAFETY: condition 1.
    unsafe { count.write_unaligned(filled) };
    result
}

/// `ENABLE_TRACE_PARAMETERS`.
#[repr(C)]
struct Parameters {
    version: u32,
    property: u32,
    flags: u32,
    source: Guid,
    filters: *const Filter,
    count: u32,
}

/// What a program wants from a provider.
struct Wish {
    control: u32,
    level: u32,
    any: u64,
    all: u64,
    timeout: u32,
    property: u32,
    filters: *const Filter,
    count: u32,
}

/// Most filters that a session has for a provider.
const FILTERS: u32 = 8;

fn enable(session: u64, guid: *const Guid, wish: &Wish) -> u32 {
    const STACKS: u32 = 4;
    if guid.is_null() || wish.count > FILTERS || wish.count > 0 && wish.filters.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    let &Wish { control, level, any, all, timeout, property, filters, count } = wish;
    // SAFETY: condition 1; the other takes nothing.
    let (guid, process) = unsafe { (guid.read_unaligned(), GetCurrentProcessId()) };
    let stacks = u32::from(property & STACKS != 0);
    let result = codes::CALL_NOT_IMPLEMENTED;
    let mut asked =
        Enable { session, guid, control, level, any, all, timeout, stacks, filters, count, process, result };
    call(Call::Enable, &mut asked);
    asked.result
}

#[unsafe(no_mangle)]
extern "system" fn EnableTraceEx2(
    session: u64,
    guid: *const Guid,
    control: u32,
    level: u8,
    any: u64,
    all: u64,
    timeout: u32,
    parameters: *const Parameters,
) -> u32 {
    let level = level.into();
    let mut wish = Wish { control, level, any, all, timeout, property: 0, filters: null(), count: 0 };
    if !parameters.is_null() {
        // SAFETY: condition 1. The first version has one filter, and no number of them.
        unsafe {
            let version = (&raw const (*parameters).version).read_unaligned();
            wish.property = (&raw const (*parameters).property).read_unaligned();
            wish.filters = (&raw const (*parameters).filters).read_unaligned();
            wish.count = match version {
                1 => u32::from(!wish.filters.is_null()),
                2 => (&raw const (*parameters).count).read_unaligned(),
                _ => return codes::INVALID_PARAMETER,
            };
        }
    }
    enable(session, guid, &wish)
}

#[unsafe(no_mangle)]
extern "system" fn EnableTraceEx(
    guid: *const Guid,
    _source: *const Guid,
    session: u64,
    is_enabled: u32,
    level: u8,
    any: u64,
    all: u64,
    property: u32,
    filter: *const Filter,
) -> u32 {
    let (level, count) = (level.into(), u32::from(!filter.is_null()));
    let wish = Wish { control: is_enabled, level, any, all, timeout: 0, property, filters: filter, count };
    enable(session, guid, &wish)
}

#[unsafe(no_mangle)]
extern "system" fn EnableTrace(
    is_enabled: u32,
    flags: u32,
    level: u32,
    guid: *const Guid,
    session: u64,
) -> u32 {
    let (control, any) = (u32::from(is_enabled != 0), flags.into());
    let wish = Wish { control, level, any, all: 0, timeout: 0, property: 0, filters: null(), count: 0 };
    enable(session, guid, &wish)
}

// -------------------------------------------------------------------------------- replacing Wine's functions

/// Wine's function, and the one that replaces it.
fn replacements() -> [(&'static CStr, usize); 20] {
    macro_rules! rows {
        ($($name:literal => $function:ident,)*) => {[$(($name, $function as *const () as usize)),*]};
    }
    rows! {
        c"EtwEventRegister" => EventRegister,
        c"EtwEventUnregister" => EventUnregister,
        c"EtwEventWrite" => EventWrite,
        c"EtwEventWriteTransfer" => EventWriteTransfer,
        c"EtwEventWriteString" => EventWriteString,
        c"EtwEventWriteEx" => EventWriteEx,
        c"EtwEventEnabled" => EventEnabled,
        c"EtwEventProviderEnabled" => EventProviderEnabled,
        c"EtwEventSetInformation" => EventSetInformation,
        c"EtwEventActivityIdControl" => EventActivityIdControl,
        c"EtwRegisterTraceGuidsW" => RegisterTraceGuidsW,
        c"EtwRegisterTraceGuidsA" => RegisterTraceGuidsA,
        c"EtwUnregisterTraceGuids" => UnregisterTraceGuids,
        c"EtwGetTraceLoggerHandle" => GetTraceLoggerHandle,
        c"EtwGetTraceEnableLevel" => GetTraceEnableLevel,
        c"EtwGetTraceEnableFlags" => GetTraceEnableFlags,
        c"EtwLogTraceEvent" => TraceEvent,
        c"EtwTraceEventInstance" => TraceEventInstance,
        c"EtwCreateTraceInstanceId" => CreateTraceInstanceId,
        c"EtwTraceMessageVa" => TraceMessageVa,
    }
}

fn replace(name: &CStr, function: usize) {
    const WRITABLE: u32 = 0x40;
    let place = named(c"ntdll.dll", name);
    if place.is_null() || place as usize % 16 != 0 {
        return;
    }
    // mov rax, function; jmp rax
    let mut code = *b"\x48\xB8\0\0\0\0\0\0\0\0\xFF\xE0";
    if let Some(operand) = code.get_mut(2..10) {
        operand.copy_from_slice(&(function as u64).to_le_bytes());
    }
    let mut former = 0;
    // SAFETY: condition 2.
    unsafe {
        if VirtualProtect(place, code.len(), WRITABLE, &raw mut former) != 0 {
            place.cast::<[u8; 12]>().write(code);
            VirtualProtect(place, code.len(), former, &raw mut former);
        }
    }
}

#[unsafe(no_mangle)]
extern "system" fn DllMain(instance: *mut c_void, reason: u32, _: *mut c_void) -> i32 {
    const ATTACH: u32 = 1;
    if reason == ATTACH {
        INSTANCE.store(instance, Ordering::Relaxed);
        // SAFETY: takes this library.
        unsafe { DisableThreadLibraryCalls(instance) };
        for (name, function) in replacements() {
            replace(name, function);
        }
        replace(c"EtwTraceMessage", TraceMessage as *const () as usize);
    }
    1
}
