//! The functions that describe events to Windows programs (`tdh.dll`). The conditions are those of the module above.

use core::ffi::c_void;
use core::ptr::{null, null_mut};

use super::{Guid, attach, call};
use crate::call::{Call, Describe, Format, PropertyName, about};
use crate::codes;

/// A question about what `what` names.
const fn question(what: u32) -> Describe {
    Describe {
        what,
        count: 0,
        event: null(),
        path: null(),
        name: null(),
        guid: [0; 16],
        descriptor: [0; 16],
        output: null_mut(),
        room: 0,
        needed: 0,
        result: codes::CALL_NOT_IMPLEMENTED,
    }
}

/// Has the Linux half answer a question into a buffer, whose size `size` says and receives.
fn answer(mut asked: Describe, buffer: *mut u8, size: *mut u32) -> u32 {
    if size.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    // SAFETY: condition 1.
    unsafe {
        asked.output = buffer;
        asked.room = if buffer.is_null() { 0 } else { size.read_unaligned() };
        call(Call::Describe, &mut asked);
        if [codes::SUCCESS, codes::INSUFFICIENT_BUFFER].contains(&asked.result) {
            size.write_unaligned(asked.needed);
        }
    }
    asked.result
}

/// Returns `true` if a list of contexts can be one. None of them is needed to decode an event.
fn are_contexts(count: u32, contexts: *const c_void) -> bool {
    count == 0 || !contexts.is_null()
}

#[unsafe(no_mangle)]
extern "system" fn TdhGetEventInformation(
    event: *const u8,
    count: u32,
    contexts: *const c_void,
    buffer: *mut u8,
    size: *mut u32,
) -> u32 {
    if event.is_null() || !are_contexts(count, contexts) {
        return codes::INVALID_PARAMETER;
    }
    answer(Describe { event, ..question(about::EVENT) }, buffer, size)
}

#[unsafe(no_mangle)]
extern "system" fn TdhGetEventMapInformation(
    event: *const u8,
    name: *const u8,
    buffer: *mut u8,
    size: *mut u32,
) -> u32 {
    if event.is_null() || name.is_null() {
        return codes::INVALID_PARAMETER;
    }
    answer(Describe { event, name, ..question(about::MAP) }, buffer, size)
}

/// Most names of a path: a property, and a structure around it.
const NAMES: u32 = 2;

/// Whether a program may ask for a property in this way.
fn is_path(event: *const u8, contexts: (u32, *const c_void), path: (u32, *const PropertyName)) -> bool {
    !event.is_null()
        && are_contexts(contexts.0, contexts.1)
        && (1..=NAMES).contains(&path.0)
        && !path.1.is_null()
}

#[unsafe(no_mangle)]
extern "system" fn TdhGetPropertySize(
    event: *const u8,
    contexts: u32,
    context: *const c_void,
    count: u32,
    path: *const PropertyName,
    size: *mut u32,
) -> u32 {
    if !is_path(event, (contexts, context), (count, path)) {
        return codes::INVALID_PARAMETER;
    }
    match answer(Describe { event, count, path, ..question(about::PROPERTY) }, null_mut(), size) {
        codes::INSUFFICIENT_BUFFER => codes::SUCCESS,
        result => result,
    }
}

#[unsafe(no_mangle)]
extern "system" fn TdhGetProperty(
    event: *const u8,
    contexts: u32,
    context: *const c_void,
    count: u32,
    path: *const PropertyName,
    mut size: u32,
    buffer: *mut u8,
) -> u32 {
    if !is_path(event, (contexts, context), (count, path)) || buffer.is_null() {
        return codes::INVALID_PARAMETER;
    }
    answer(Describe { event, count, path, ..question(about::PROPERTY) }, buffer, &raw mut size)
}

#[unsafe(no_mangle)]
extern "system" fn TdhEnumerateProviders(buffer: *mut u8, size: *mut u32) -> u32 {
    answer(question(about::PROVIDERS), buffer, size)
}

#[unsafe(no_mangle)]
extern "system" fn TdhEnumerateManifestProviderEvents(
    provider: *const Guid,
    buffer: *mut u8,
    size: *mut u32,
) -> u32 {
    if provider.is_null() {
        return codes::INVALID_PARAMETER;
    }
    // SAFETY: condition 1.
    let guid = unsafe { provider.read_unaligned() };
    answer(Describe { guid, ..question(about::EVENTS) }, buffer, size)
}

#[unsafe(no_mangle)]
extern "system" fn TdhGetManifestEventInformation(
    provider: *const Guid,
    descriptor: *const Guid,
    buffer: *mut u8,
    size: *mut u32,
) -> u32 {
    if provider.is_null() || descriptor.is_null() {
        return codes::INVALID_PARAMETER;
    }
    // SAFETY: condition 1; a descriptor has as many bytes as a GUID.
    let (guid, descriptor) = unsafe { (provider.read_unaligned(), descriptor.read_unaligned()) };
    answer(Describe { guid, descriptor, ..question(about::KNOWN_EVENT) }, buffer, size)
}

#[unsafe(no_mangle)]
extern "system" fn TdhFormatProperty(
    info: *const c_void,
    map: *const u8,
    pointer_size: u32,
    input: u16,
    output: u16,
    length: u16,
    size: u16,
    data: *const u8,
    room: *mut u32,
    text: *mut u16,
    used: *mut u16,
) -> u32 {
    if info.is_null() || room.is_null() || used.is_null() || size > 0 && data.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    // SAFETY: condition 1.
    unsafe {
        let place = if text.is_null() { 0 } else { room.read_unaligned() };
        let mut asked = Format {
            map,
            pointer_size,
            input,
            output,
            length,
            size,
            data,
            text,
            room: place,
            needed: 0,
            used: 0,
            result: codes::CALL_NOT_IMPLEMENTED,
        };
        call(Call::Format, &mut asked);
        if [codes::SUCCESS, codes::INSUFFICIENT_BUFFER].contains(&asked.result) {
            room.write_unaligned(asked.needed);
        }
        if asked.result == codes::SUCCESS {
            used.write_unaligned(asked.used);
        }
        asked.result
    }
}
