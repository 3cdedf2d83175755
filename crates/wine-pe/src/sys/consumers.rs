//! The functions with which Windows programs read files and sessions. The conditions are those of the module above.

use core::ffi::c_void;
use core::ptr::{null, null_mut};

use super::{
    GetSystemTimeAsFileTime, QueryPerformanceCounter, QueryPerformanceFrequency, SetLastError, attach, call,
    free, linux_path,
};
use crate::call::{Call, Close, Next, Open, Process};
use crate::codes;

/// `INVALID_PROCESSTRACE_HANDLE`.
const NO_TRACE: u64 = u64::MAX;

#[unsafe(no_mangle)]
extern "system" fn OpenTraceW(logfile: *mut u8) -> u64 {
    open_trace(true, logfile)
}

#[unsafe(no_mangle)]
extern "system" fn OpenTraceA(logfile: *mut u8) -> u64 {
    open_trace(false, logfile)
}

fn open_trace(wide: bool, logfile: *mut u8) -> u64 {
    let opened = open(wide, logfile);
    if let Err(code) = opened {
        // SAFETY: takes a number.
        unsafe { SetLastError(code) };
    }
    opened.unwrap_or(NO_TRACE)
}

fn open(wide: bool, logfile: *mut u8) -> Result<u64, u32> {
    if logfile.is_null() {
        return Err(codes::INVALID_PARAMETER);
    }
    if !attach() {
        return Err(codes::CALL_NOT_IMPLEMENTED);
    }
    let (mut counter, mut time) = ([0; 2], 0);
    // SAFETY: condition 1: the block is an `EVENT_TRACE_LOGFILE`, which begins with the name of the file; the others take places.
    unsafe {
        QueryPerformanceCounter(&raw mut counter[0]);
        GetSystemTimeAsFileTime(&raw mut time);
        QueryPerformanceFrequency(&raw mut counter[1]);
        let name = logfile.cast::<*const u8>().read_unaligned();
        let file = if name.is_null() { null_mut() } else { linux_path(name, wide) };
        let result = codes::CALL_NOT_IMPLEMENTED;
        let mut asked = Open { logfile, wide: wide.into(), file, counter, time, trace: 0, result };
        call(Call::Open, &mut asked);
        free(file.cast());
        if asked.result == codes::SUCCESS { Ok(asked.trace) } else { Err(asked.result) }
    }
}

type EventCallback = extern "system" fn(*const c_void);
type BufferCallback = extern "system" fn(*const c_void) -> u32;

#[unsafe(no_mangle)]
extern "system" fn ProcessTrace(traces: *const u64, count: u32, from: *const i64, to: *const i64) -> u32 {
    if traces.is_null() {
        return codes::INVALID_PARAMETER;
    }
    if !attach() {
        return codes::CALL_NOT_IMPLEMENTED;
    }
    // SAFETY: condition 1: null or a time.
    let time =
        |place: *const i64, none| if place.is_null() { none } else { unsafe { place.read_unaligned() } };
    let (from, to) = (time(from, i64::MIN), time(to, i64::MAX));
    let mut asked = Process { traces, count, from, to, run: 0, result: codes::CALL_NOT_IMPLEMENTED };
    call(Call::Process, &mut asked);
    if asked.result != codes::SUCCESS {
        return asked.result;
    }
    let result = codes::CALL_NOT_IMPLEMENTED;
    let mut next = Next { run: asked.run, stop: 0, count: 0, steps: null(), result };
    while call(Call::Next, &mut next) && next.count > 0 {
        for at in 0..next.count as usize {
            // SAFETY: condition 5: there are so many; condition 1: a program passes callbacks of these types.
            unsafe {
                let step = &*next.steps.add(at);
                let argument = step.argument as *const c_void;
                if step.is_buffer == 0 {
                    let callback: EventCallback = core::mem::transmute(step.callback as usize);
                    callback(argument);
                } else {
                    let callback: BufferCallback = core::mem::transmute(step.callback as usize);
                    if callback(argument) == 0 {
                        next.stop = 1;
                        break;
                    }
                }
            }
        }
    }
    if next.stop == 1 { codes::CANCELLED } else { next.result }
}

#[unsafe(no_mangle)]
extern "system" fn CloseTrace(trace: u64) -> u32 {
    let mut asked = Close { trace, result: codes::INVALID_HANDLE };
    call(Call::Close, &mut asked);
    asked.result
}
