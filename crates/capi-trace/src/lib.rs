//! Sessions and traces in C: the functions that `include/tracewell_trace.h` declares and describes.
//!
//! # Conditions
//!
//! The only `unsafe` here is what C cannot express otherwise:
//!
//! 1. A pointer that a caller hands over is null, which each function expects, or points to as many values of its type as the
//!    header says, for the time of the call. It need not be aligned.
//! 2. A text ends with a zero byte.
//! 3. A reader comes from [`tracewell_open`], is used by one thread at a time, and not after [`tracewell_close`].
//! 4. What a [`Reader`] refers to is in boxes that only it owns ([`Owned`]), and that are freed after everything that refers to
//!    them: fields are dropped in the order of their declaration.

mod control;
mod reading;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::time::Duration;

use tracewell::Traces;
use tracewell_session::{Backlog, Code, Enable, Error, LogFileMode, Properties, SessionStatus};

use control::{is_file, provider, system};
use reading::{Known, Number, Reading, Step};

/// `ERROR_NOT_FOUND`.
const NOT_FOUND: u32 = 1168;
/// `ERROR_INVALID_DATA`.
const NO_NUMBER: u32 = 13;
/// `ERROR_INVALID_PARAMETER`.
const BAD_PARAMETER: u32 = 87;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// A text for C, which cannot have zeros inside.
fn for_c(mut bytes: Vec<u8>) -> CString {
    bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b'?');
    CString::new(bytes).unwrap_or_default()
}

/// Keeps what went wrong for [`tracewell_last_error`]; returns its number.
fn failed(error: &Error) -> u32 {
    LAST_ERROR.set(for_c(error.to_string().into_bytes()));
    error.code.0
}

fn bad_parameter(what: &str) -> Error {
    Error::new(Code(BAD_PARAMETER), what.to_owned())
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

/// Stores a value, unless the place is null.
///
/// # Safety
///
/// Condition 1.
unsafe fn store<T: Copy>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's.
        unsafe { place.write_unaligned(value) };
    }
}

/// Reads a text.
///
/// # Safety
///
/// Conditions 1 and 2.
unsafe fn text(pointer: *const c_char) -> Result<String, Error> {
    if pointer.is_null() {
        return Err(bad_parameter("a name is NULL"));
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(str::to_owned).map_err(|_| bad_parameter("a name is not UTF-8"))
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn tracewell_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|text| text.as_ptr())
}

// ------------------------------------------------------------------------------------- sessions

/// `tracewell_options`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    file: *const c_char,
    live: u8,
    circular: u8,
    _reserved: [u8; 2],
    buffer_kib: u32,
    buffers: u32,
    flush_ms: u32,
    file_mib: u32,
}

/// `tracewell_request`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Request {
    any: u64,
    all: u64,
    level: u8,
    stacks: u8,
    _reserved: [u8; 6],
}

/// `tracewell_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Status {
    events: u64,
    events_lost: u64,
    buffers_lost: u64,
    refused: u64,
    buffers: u32,
    consumers: u32,
}

impl Status {
    fn of(status: &SessionStatus) -> Status {
        Status {
            events: status.events,
            events_lost: status.events_lost,
            buffers_lost: status.log_buffers_lost + status.realtime_buffers_lost,
            refused: status.refused,
            buffers: status.buffers,
            consumers: status.consumers,
        }
    }
}

/// The result of a call for C.
fn result(outcome: Result<(), Error>) -> u32 {
    outcome.map_or_else(|error| failed(&error), |()| 0)
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_start(session: *const c_char, options: *const Options) -> u32 {
    let start = || {
        // SAFETY: the caller's.
        let (name, options) = unsafe { (text(session)?, read(options)) };
        let mut properties = Properties { name, ..Properties::default() };
        let mut mode = LogFileMode::SEQUENTIAL;
        let is_live = options.is_none_or(|options| options.live != 0);
        if let Some(options) = options {
            if options.circular != 0 {
                mode = LogFileMode::CIRCULAR;
            }
            if !options.file.is_null() {
                // SAFETY: the caller's.
                let file = unsafe { text(options.file)? };
                let file = std::path::absolute(&file).map_err(|error| Error::io(&error, &file))?;
                properties.log_file = file.to_string_lossy().into_owned();
            }
            properties.buffer_size = options.buffer_kib;
            properties.maximum_buffers = options.buffers;
            properties.flush_timer = options.flush_ms;
            properties.maximum_file_size = options.file_mib;
        }
        properties.mode = if !is_live {
            mode
        } else if properties.log_file.is_empty() {
            LogFileMode::REAL_TIME
        } else {
            mode.with(LogFileMode::REAL_TIME)
        };
        system()?.start(&properties).map(|_| ())
    };
    result(start())
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_enable(
    session: *const c_char,
    name: *const c_char,
    request: *const Request,
) -> u32 {
    let enable = || {
        // SAFETY: the caller's.
        let (session, name, request) = unsafe { (text(session)?, text(name)?, read(request)) };
        let mut wanted = Enable::all_of(provider(&name));
        if let Some(request) = request {
            (wanted.any, wanted.all, wanted.level) = (request.any, request.all, request.level);
            wanted.stacks = request.stacks != 0;
        }
        system()?.enable_named(&session, &name, &wanted)
    };
    result(enable())
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_disable(session: *const c_char, name: *const c_char) -> u32 {
    let disable = || {
        // SAFETY: the caller's.
        let (session, name) = unsafe { (text(session)?, text(name)?) };
        system()?.disable(&session, provider(&name))
    };
    result(disable())
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_flush(session: *const c_char) -> u32 {
    // SAFETY: the caller's.
    let session = unsafe { text(session) };
    result(session.and_then(|session| system()?.flush(&session, None).map(|_| ())))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_query(session: *const c_char, status: *mut Status) -> u32 {
    // SAFETY: the caller's.
    let session = unsafe { text(session) };
    let found = session.and_then(|session| system()?.query(&session));
    // SAFETY: the caller's.
    result(found.map(|found| unsafe { store(status, Status::of(&found)) }))
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_stop(session: *const c_char, status: *mut Status) -> u32 {
    // SAFETY: the caller's.
    let session = unsafe { text(session) };
    let found = session.and_then(|session| system()?.stop(&session));
    // SAFETY: the caller's.
    result(found.map(|found| unsafe { store(status, Status::of(&found)) }))
}

// -------------------------------------------------------------------------------------- reading

/// A box that others refer to: see condition 4.
struct Owned<T>(*mut T);

impl<T> Owned<T> {
    fn new(value: T) -> Owned<T> {
        Owned(Box::into_raw(Box::new(value)))
    }

    /// # Safety
    ///
    /// The reference must not be used after this is dropped.
    unsafe fn get<'a>(&self) -> &'a T {
        // SAFETY: the box is freed when this is dropped.
        unsafe { &*self.0 }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer is that of a box, which is freed once.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// `tracewell_reader`. Each field refers to those after it.
pub struct Reader {
    reading: Reading<'static>,
    _known: Owned<Known<'static>>,
    _files: Owned<Traces>,
    /// Texts that C got for the current event.
    texts: Vec<CString>,
}

impl Reader {
    fn open(names: &[String]) -> Result<Reader, Error> {
        let (files, sessions): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| is_file(name));
        let files = if files.is_empty() { Ok(Traces::default()) } else { Traces::open_all(files) };
        let files = Owned::new(files.map_err(|error| reading::corrupt(error.to_string()))?);
        let mut live = Vec::new();
        for session in sessions {
            live.push(system()?.attach(session, Backlog::Lose)?);
        }
        // SAFETY: condition 4.
        let known = Owned::new(Known::new(unsafe { files.get() })?);
        // SAFETY: condition 4.
        let reading = Reading::new(unsafe { known.get() }, live);
        Ok(Reader { reading, _known: known, _files: files, texts: Vec::new() })
    }

    /// Keeps a text for C until the next event.
    fn keep(&mut self, text: Option<Vec<u8>>) -> *const c_char {
        let Some(text) = text else { return std::ptr::null() };
        self.texts.push(for_c(text));
        self.texts.last().map_or(std::ptr::null(), |text| text.as_ptr())
    }
}

/// `tracewell_event_header`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Header {
    time: i64,
    keyword: u64,
    pid: u32,
    tid: u32,
    id: u16,
    version: u16,
    cpu: u16,
    level: u8,
    opcode: u8,
    provider: [u8; 16],
    activity: [u8; 16],
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_open(names: *const *const c_char, count: usize) -> *mut Reader {
    let open = || {
        if names.is_null() || count == 0 {
            return Err(bad_parameter("there is neither a file nor a session to read"));
        }
        let names: Result<Vec<String>, Error> =
            // SAFETY: the caller's.
            (0..count).map(|at| unsafe { text(names.add(at).read_unaligned()) }).collect();
        Reader::open(&names?)
    };
    match open() {
        Ok(reader) => Box::into_raw(Box::new(reader)),
        Err(error) => {
            failed(&error);
            std::ptr::null_mut()
        }
    }
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_next(reader: *mut Reader, milliseconds: c_int) -> c_int {
    // SAFETY: the caller's.
    let Some(reader) = (unsafe { reader.as_mut() }) else {
        failed(&bad_parameter("the reader is NULL"));
        return 3;
    };
    reader.texts.clear();
    match reader.reading.step(u64::try_from(milliseconds).ok().map(Duration::from_millis)) {
        Ok(Step::End) => 0,
        Ok(Step::Event) => 1,
        Ok(Step::Nothing) => 2,
        Err(error) => {
            failed(&error);
            3
        }
    }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_header_of(reader: *const Reader, header: *mut Header) -> u32 {
    // SAFETY: the caller's.
    let Some(event) = unsafe { reader.as_ref() }.and_then(|reader| reader.reading.event()) else {
        return failed(&bad_parameter("there is no event"));
    };
    let record = &event.record;
    let found = Header {
        time: event.origin.saturating_add(event.time),
        keyword: record.keyword(),
        pid: event.pid.unwrap_or(u32::MAX),
        tid: event.tid.unwrap_or(u32::MAX),
        id: u16::try_from(tracewell_decode::event_number(record)).unwrap_or(u16::MAX),
        version: record.version().into(),
        cpu: record.cpu(),
        level: record.level(),
        opcode: record.opcode(),
        provider: record.guid().to_bytes(),
        activity: record.activity_id().to_bytes(),
    };
    // SAFETY: the caller's.
    unsafe { store(header, found) };
    0
}

/// See the header.
///
/// # Safety
///
/// Conditions 1, 2 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_text_of(reader: *mut Reader, name: *const c_char) -> *const c_char {
    // SAFETY: the caller's.
    let (reader, name) = unsafe { (reader.as_mut(), text(name)) };
    let (Some(reader), Ok(name)) = (reader, name) else { return std::ptr::null() };
    let found = reader.reading.event().and_then(|event| reading::text(&event, &name));
    reader.keep(found)
}

/// # Safety
///
/// Conditions 1, 2 and 3.
unsafe fn number_of(reader: *const Reader, name: *const c_char) -> Result<Number, u32> {
    // SAFETY: the caller's.
    let (reader, name) = unsafe { (reader.as_ref(), text(name).map_err(|error| failed(&error))?) };
    let event = reader.and_then(|reader| reader.reading.event());
    let event = event.ok_or_else(|| failed(&bad_parameter("there is no event")))?;
    let lacks = |code, what: &str| failed(&Error::new(Code(code), format!("{name}: {what}")));
    match reading::number(&event, &name) {
        Some(Some(number)) => Ok(number),
        Some(None) => Err(lacks(NO_NUMBER, "this is not a number")),
        None => Err(lacks(NOT_FOUND, "the event has no such field")),
    }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1, 2 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_integer_of(
    reader: *const Reader,
    name: *const c_char,
    value: *mut i64,
) -> u32 {
    // SAFETY: the caller's.
    match unsafe { number_of(reader, name) } {
        Ok(Number::Integer(number)) => {
            // SAFETY: the caller's.
            unsafe { store(value, number) };
            0
        }
        Ok(Number::Real(_)) => failed(&Error::new(Code(NO_NUMBER), "this is not a whole number".to_owned())),
        Err(code) => code,
    }
}

/// See the header.
///
/// # Safety
///
/// Conditions 1, 2 and 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_real_of(
    reader: *const Reader,
    name: *const c_char,
    value: *mut f64,
) -> u32 {
    // SAFETY: the caller's.
    match unsafe { number_of(reader, name) } {
        Ok(number) => {
            let real = match number {
                #[expect(clippy::cast_precision_loss, reason = "a double has 53 bits, as the caller asked")]
                Number::Integer(number) => number as f64,
                Number::Real(real) => real,
            };
            // SAFETY: the caller's.
            unsafe { store(value, real) };
            0
        }
        Err(code) => code,
    }
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_field_count(reader: *const Reader) -> usize {
    // SAFETY: the caller's.
    let event = unsafe { reader.as_ref() }.and_then(|reader| reader.reading.event());
    event.map_or(0, |event| event.fields().count())
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_field_name(reader: *mut Reader, at: usize) -> *const c_char {
    // SAFETY: the caller's.
    let Some(reader) = (unsafe { reader.as_mut() }) else { return std::ptr::null() };
    let event = reader.reading.event();
    let name =
        event.and_then(|event| event.fields().nth(at).map(|field| field.field.name.as_bytes().to_vec()));
    reader.keep(name)
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_json(reader: *mut Reader) -> *const c_char {
    // SAFETY: the caller's.
    let Some(reader) = (unsafe { reader.as_mut() }) else { return std::ptr::null() };
    let json = reader.reading.json();
    reader.keep(json)
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_lost(reader: *const Reader) -> u64 {
    // SAFETY: the caller's.
    unsafe { reader.as_ref() }.map_or(0, |reader| reader.reading.lost())
}

/// See the header.
///
/// # Safety
///
/// Condition 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tracewell_close(reader: *mut Reader) {
    if !reader.is_null() {
        // SAFETY: the caller's; the pointer is that of a box.
        drop(unsafe { Box::from_raw(reader) });
    }
}
