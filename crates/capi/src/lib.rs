//! Event tracing providers in C: the functions that `include/tracewell.h` declares and describes.
//!
//! # Conditions
//!
//! The only `unsafe` here is what C cannot express otherwise:
//!
//! 1. A pointer that a caller hands over is null, which each function expects, or points to as many values of its type
//!    as the header says, for the time of the call. It need not be aligned.
//! 2. A text ends with a zero byte.
//! 3. A `tracewell_provider` comes from [`tracewell_register`]; providers live for ever.
//! 4. A callback and its context may be used from any thread until the provider is unregistered.

use std::ffi::{CStr, c_char, c_int, c_void};

use tracewell_session::provider::{Fields, Sink, activity, guid_of_name, leave_out};
use tracewell_session::{
    Activity, ClassicDescriptor, Control, Delivery, EventDescriptor, MessageDescriptor, MessageSource,
    Provider,
};
use tracewell_types::Guid;

const OK: c_int = 0;
const LOST: c_int = 8;
const BAD_PARAMETER: c_int = 87;
const TOO_LONG: c_int = 234;

/// `tracewell_data`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Data {
    data: *const c_void,
    size: usize,
}

/// `tracewell_class_event`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ClassEvent {
    class: [u8; 16],
    opcode: u8,
    level: u8,
    version: u16,
    flags: u32,
}

/// `tracewell_message`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Message {
    guid: [u8; 16],
    component: u32,
    number: u16,
    level: u8,
    _reserved: u8,
    flags: u32,
}

// C aligns its GUIDs to 4 bytes; so the structures are as long there.
const _: () = assert!(size_of::<ClassEvent>() == 24 && size_of::<Message>() == 28);

/// `tracewell_notice`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Notice {
    control: u32,
    session: u32,
    any: u64,
    all: u64,
    level: u8,
    stacks: u8,
    ids_included: u8,
    _reserved: u8,
    id_count: u32,
    ids: *const u16,
    processes: *const u32,
    process_count: usize,
}

/// `tracewell_callback`.
pub type Callback = extern "C" fn(context: *mut c_void, notice: *const Notice);

/// A callback with its context.
struct Called {
    callback: Callback,
    context: *mut c_void,
}

// SAFETY: condition 4.
unsafe impl Send for Called {}
// SAFETY: condition 4.
unsafe impl Sync for Called {}

impl Called {
    fn call(&self, notice: &tracewell_session::Notice) {
        let control = match notice.control {
            Control::Disabled => 0,
            Control::Enabled => 1,
            Control::CaptureState => 2,
        };
        let ids = notice.ids.as_ref();
        let listed = ids.map(|filter| filter.ids.as_slice()).unwrap_or_default();
        let told = Notice {
            control,
            session: notice.session,
            any: notice.any,
            all: notice.all,
            level: notice.level,
            stacks: notice.stacks.into(),
            ids_included: ids.is_some_and(|filter| filter.include).into(),
            _reserved: 0,
            id_count: u32::try_from(listed.len()).unwrap_or(u32::MAX),
            // A dangling pointer to no item would surprise a C program.
            ids: if listed.is_empty() { std::ptr::null() } else { listed.as_ptr() },
            processes: if notice.processes.is_empty() { std::ptr::null() } else { notice.processes.as_ptr() },
            process_count: notice.processes.len(),
        };
        (self.callback)(self.context, &raw const told);
    }
}

/// Reads a value; `None` for null.
///
/// # Safety
///
/// Condition 1.
unsafe fn read<T: Copy>(pointer: *const T) -> Option<T> {
    // SAFETY: the caller's.
    (!pointer.is_null()).then(|| unsafe { pointer.read_unaligned() })
}

/// Stores a GUID, unless the place is null.
///
/// # Safety
///
/// Condition 1.
unsafe fn store(place: *mut [u8; 16], guid: Guid) {
    if !place.is_null() {
        // SAFETY: the caller's; bytes need no alignment.
        unsafe { place.write(guid.to_bytes()) };
    }
}

/// A text; `None` for null and for bytes that are not UTF-8.
///
/// # Safety
///
/// Conditions 1 and 2.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// The pieces of a payload.
struct Pieces(*const Data, usize);

impl Fields for Pieces {
    fn put(&self, sink: &mut Sink<'_>) {
        for i in 0..self.1 {
            // SAFETY: condition 1: there are so many pieces, and each has so many bytes.
            unsafe {
                let piece = self.0.add(i).read_unaligned();
                if !piece.data.is_null() && piece.size > 0 {
                    sink.push(std::slice::from_raw_parts(piece.data.cast(), piece.size));
                }
            }
        }
    }
}

fn result(delivery: Delivery) -> c_int {
    if delivery.too_long {
        TOO_LONG
    } else if delivery.lost > 0 {
        LOST
    } else {
        OK
    }
}

/// Leaves the functions of this library out of the stacks of the events that they write.
fn leave_out_of_stacks() {
    for function in [
        tracewell_write as *const (),
        tracewell_write_transfer as *const (),
        tracewell_write_described as *const (),
        tracewell_write_class as *const (),
        tracewell_write_message as *const (),
        tracewell_write_string as *const (),
    ] {
        leave_out(function);
    }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1, 2 and 4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_register(
    name: *const c_char,
    guid: *const [u8; 16],
    callback: Option<Callback>,
    context: *mut c_void,
) -> *const Provider {
    // SAFETY: the caller's.
    let (name, guid) = unsafe { (text(name), read(guid)) };
    let Some(name) = name.filter(|name| !name.is_empty()) else { return std::ptr::null() };
    let guid = match guid {
        Some(guid) if guid != [0; 16] => Guid::from_bytes(guid),
        None if name.is_ascii() => guid_of_name(name),
        _ => return std::ptr::null(),
    };
    leave_out_of_stacks();
    let provider = Provider::leak(name, guid);
    match callback {
        Some(callback) => {
            let called = Called { callback, context };
            provider.register_with(move |notice| called.call(notice));
        }
        None => provider.register(),
    }
    provider
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_unregister(provider: *const Provider) {
    // SAFETY: the caller's.
    if let Some(provider) = unsafe { provider.as_ref::<'static>() } {
        provider.unregister();
    }
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_enabled_exactly(
    provider: *const Provider,
    level: u8,
    keyword: u64,
) -> c_int {
    // SAFETY: the caller's.
    let provider = unsafe { provider.as_ref() };
    c_int::from(provider.is_some_and(|provider| provider.is_enabled(level, keyword)))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_provider_guid(provider: *const Provider, guid: *mut [u8; 16]) {
    // SAFETY: the caller's.
    unsafe {
        if let Some(provider) = provider.as_ref() {
            store(guid, provider.guid());
        }
    }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write_transfer(
    provider: *const Provider,
    event: *const EventDescriptor,
    activity: *const [u8; 16],
    related: *const [u8; 16],
    data: *const Data,
    count: usize,
) -> c_int {
    // SAFETY: the caller's.
    let (provider, event, activity, related) =
        unsafe { (provider.as_ref(), read(event), read(activity), read(related)) };
    let (Some(provider), Some(event)) = (provider, event) else { return BAD_PARAMETER };
    if data.is_null() && count > 0 {
        return BAD_PARAMETER;
    }
    let activity = Activity { id: activity.map(Guid::from_bytes), related: related.map(Guid::from_bytes) };
    result(provider.write_transfer(&event, &activity, &Pieces(data, count)))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write(
    provider: *const Provider,
    event: *const EventDescriptor,
    data: *const Data,
    count: usize,
) -> c_int {
    // SAFETY: the caller's.
    unsafe { tracewell_write_transfer(provider, event, std::ptr::null(), std::ptr::null(), data, count) }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write_described(
    provider: *const Provider,
    event: *const EventDescriptor,
    metadata: *const u8,
    metadata_size: usize,
    data: *const Data,
    count: usize,
) -> c_int {
    // SAFETY: the caller's.
    let (provider, event) = unsafe { (provider.as_ref(), read(event)) };
    let (Some(provider), Some(event)) = (provider, event) else { return BAD_PARAMETER };
    if metadata.is_null() || metadata_size < 4 || data.is_null() && count > 0 {
        return BAD_PARAMETER;
    }
    if metadata_size > usize::from(u16::MAX) {
        return TOO_LONG;
    }
    // SAFETY: the caller's.
    let metadata = unsafe { std::slice::from_raw_parts(metadata, metadata_size) };
    result(provider.write_described(&event, &Activity::default(), metadata, &Pieces(data, count)))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write_class(
    provider: *const Provider,
    event: *const ClassEvent,
    data: *const Data,
    count: usize,
) -> c_int {
    // SAFETY: the caller's.
    let (provider, event) = unsafe { (provider.as_ref(), read(event)) };
    let (Some(provider), Some(event)) = (provider, event) else { return BAD_PARAMETER };
    if data.is_null() && count > 0 {
        return BAD_PARAMETER;
    }
    let ClassEvent { class, opcode, level, version, flags } = event;
    let event = ClassicDescriptor { class: Guid::from_bytes(class), opcode, level, version, flags };
    result(provider.write_classic(&event, &Pieces(data, count)))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write_message(
    provider: *const Provider,
    message: *const Message,
    data: *const Data,
    count: usize,
) -> c_int {
    // SAFETY: the caller's.
    let (provider, message) = unsafe { (provider.as_ref(), read(message)) };
    let (Some(provider), Some(message)) = (provider, message) else { return BAD_PARAMETER };
    if data.is_null() && count > 0 {
        return BAD_PARAMETER;
    }
    let Message { guid, component, number, level, flags, .. } = message;
    let source = match Guid::from_bytes(guid) {
        guid if guid.is_zero() => MessageSource::Component(component),
        guid => MessageSource::Guid(guid),
    };
    let message = MessageDescriptor { source, number, level, flags };
    result(provider.write_message(&message, &Pieces(data, count)))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1, 2 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_write_string(
    provider: *const Provider,
    level: u8,
    keyword: u64,
    string: *const c_char,
) -> c_int {
    // SAFETY: the caller's.
    let (provider, string) = unsafe { (provider.as_ref(), text(string)) };
    let (Some(provider), Some(string)) = (provider, string) else { return BAD_PARAMETER };
    result(provider.write_string(level, keyword, string))
}

/// See the header.
///
/// # Safety
///
/// Condition 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_set_activity(activity: *const [u8; 16], former: *mut [u8; 16]) {
    // SAFETY: the caller's.
    unsafe {
        let new = read(activity).map_or(Guid::ZERO, Guid::from_bytes);
        store(former, activity::set(new));
    }
}

/// See the header.
///
/// # Safety
///
/// Condition 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_create_activity(activity: *mut [u8; 16]) {
    // SAFETY: the caller's.
    unsafe { store(activity, activity::create()) };
}
