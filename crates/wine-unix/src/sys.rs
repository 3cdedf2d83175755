//! The functions that the half of Windows programs calls.
//!
//! # Conditions
//!
//! 1. Each function is called with the structure that its [`Call`](tracewell_wine_pe::call::Call) names; that half and this one
//!    are of one version, which [`attach`] makes sure of.
//! 2. Pointers in the structures are null, or point to as many values as they say, for the time of the call. They need not be
//!    aligned: a Windows program made them.
//! 3. What [`write`] takes as a registration comes from [`register`]; registrations live for ever.

use std::ffi::c_void;

use tracewell_decode::event_info::map;
use tracewell_decode::event_info::write::Shape;
use tracewell_etl::ExtendedItem;
use tracewell_etl::def::event::ExtendedKind;
use tracewell_session::provider::{Fields, Sink, activity};
use tracewell_session::{
    Activity, ClassicDescriptor, ClassicInstance, Delivery, EventDescriptor, MessageDescriptor,
    MessageSource, ProviderStatus,
};
use tracewell_types::Guid;
use tracewell_wine_pe::call::{self, CALLS, DataDescriptor, VERSION, Wanted, about, list};
use tracewell_wine_pe::codes;

use crate::block::Block;
use crate::consumer::{self, Counter, Source};
use crate::controller::{self, Which};
use crate::delivery::{EventRecord, Item};
use crate::describe::{self, Event};
use crate::logfile::LogFile;
use crate::providers;
use crate::ready;
use crate::registration::Registration;
use crate::world;

/// A function, as Wine calls it: one pointer to its arguments; 0 if it could be done.
type Function = extern "C-unwind" fn(*mut c_void) -> i32;

/// The functions, in the order of [`Call`](tracewell_wine_pe::call::Call).
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "a name that Wine knows")]
pub(crate) static __wine_unix_call_funcs: [Function; CALLS] = [
    attach,
    register,
    unregister,
    set_traits,
    set_activity,
    wait,
    notice,
    guids,
    classic,
    message,
    control,
    enable,
    running,
    open,
    process,
    next,
    close,
    describe,
    format,
];

const DONE: i32 = 0;
const REFUSED: i32 = 1;

/// The arguments of a call.
///
/// # Safety
///
/// Condition 1.
unsafe fn arguments<'a, T>(pointer: *mut c_void) -> &'a mut T {
    // SAFETY: the caller's.
    unsafe { &mut *pointer.cast() }
}

extern "C-unwind" fn attach(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1; the version comes first in every version.
    let hello: &mut call::Attach = unsafe { arguments(pointer) };
    if hello.version != VERSION {
        return REFUSED;
    }
    hello.write = Some(write);
    DONE
}

extern "C-unwind" fn register(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let new: &mut call::Register = unsafe { arguments(pointer) };
    let Some(registration) = world::register(new.index, Guid::from_bytes(new.guid), new.notices != 0) else {
        return REFUSED;
    };
    new.registration = (&raw const *registration).cast();
    // A provider begins with what its daemons want, which `tracewell_session` makes sure of for C programs.
    new.wanted = (&raw const *registration.provider).cast::<Wanted>();
    DONE
}

extern "C-unwind" fn unregister(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let which: &mut call::Index = unsafe { arguments(pointer) };
    world::unregister(which.index);
    DONE
}

extern "C-unwind" fn set_traits(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let traits: &mut call::Traits = unsafe { arguments(pointer) };
    let Some(registration) = world::find(traits.index).filter(|_| !traits.data.is_null()) else {
        return REFUSED;
    };
    // SAFETY: condition 2.
    registration.set_traits(unsafe { std::slice::from_raw_parts(traits.data, traits.size as usize) });
    DONE
}

extern "C-unwind" fn set_activity(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let control: &mut call::Activity = unsafe { arguments(pointer) };
    let given = Guid::from_bytes(control.id);
    let id = match control.code {
        1 => activity::current(),
        2 => {
            activity::set(given);
            given
        }
        3 => activity::create(),
        4 => activity::set(given),
        5 => activity::set(activity::create()),
        _ => return REFUSED,
    };
    control.id = id.to_bytes();
    DONE
}

extern "C-unwind" fn wait(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let due: &mut call::Index = unsafe { arguments(pointer) };
    if due.index != u32::MAX {
        ready::wake(due.index);
    }
    due.index = ready::wait();
    DONE
}

extern "C-unwind" fn notice(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let place: &mut call::Notice = unsafe { arguments(pointer) };
    if let Some(notice) = world::find(place.index).and_then(Registration::take) {
        *place = notice;
    }
    DONE
}

extern "C-unwind" fn guids(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Guids = unsafe { arguments(pointer) };
    let answer = match asked.what {
        list::PROPERTIES => {
            // SAFETY: condition 2: the array has so many pointers, each to a structure.
            providers::all().map(|all| unsafe { fill_properties(asked, &all) })
        }
        what => {
            let answer = providers::answer(what, Guid::from_bytes(asked.guid), asked.process);
            answer.map(|answer| {
                asked.needed = u32::try_from(answer.len()).unwrap_or(u32::MAX);
                if asked.output.is_null() || asked.room < asked.needed {
                    return codes::INSUFFICIENT_BUFFER;
                }
                // SAFETY: condition 2: there is so much room.
                unsafe { asked.output.copy_from_nonoverlapping(answer.as_ptr(), answer.len()) };
                codes::SUCCESS
            })
        }
    };
    asked.result = match answer {
        Ok(code) | Err(code) => code,
    };
    DONE
}

/// Writes as many structures as the array has pointers.
///
/// # Safety
///
/// Condition 2: the array has as many pointers as it says, each null or to a `TRACE_GUID_PROPERTIES`.
unsafe fn fill_properties(asked: &mut call::Guids, all: &[ProviderStatus]) -> u32 {
    asked.needed = u32::try_from(all.len()).unwrap_or(u32::MAX);
    for (at, provider) in all.iter().take(asked.room as usize).enumerate() {
        let bytes = providers::properties(provider);
        // SAFETY: the caller's.
        unsafe {
            let place = asked.output.cast::<*mut u8>().add(at).read_unaligned();
            if place.is_null() {
                return codes::INVALID_PARAMETER;
            }
            place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
    }
    if asked.room < asked.needed { codes::MORE_DATA } else { codes::SUCCESS }
}

// -------------------------------------------------------------------------------- events

/// The pieces of a payload. Those that describe the event are not part of it.
struct Pieces {
    data: *const DataDescriptor,
    count: usize,
    /// Whether the kind of a piece means something.
    kinds: bool,
}

const METADATA: u8 = 1;
const TRAITS: u8 = 2;

impl Pieces {
    /// The bytes of each piece of a kind.
    fn of_kind(&self, kind: u8) -> impl Iterator<Item = &[u8]> {
        (0..self.count).filter_map(move |at| {
            // SAFETY: condition 2: there are so many pieces, and each has so many bytes.
            unsafe {
                let piece = self.data.add(at).read_unaligned();
                let is_of_kind = if self.kinds { piece.kind == kind } else { kind == 0 };
                let there = is_of_kind && piece.address != 0 && piece.size > 0;
                there.then(|| std::slice::from_raw_parts(piece.address as *const u8, piece.size as usize))
            }
        })
    }

    fn has_kinds(&self) -> bool {
        // SAFETY: condition 2.
        (0..self.count).any(|at| unsafe { self.data.add(at).read_unaligned() }.kind != 0)
    }
}

impl Fields for Pieces {
    #[inline(always)]
    fn put(&self, sink: &mut Sink<'_>) {
        self.of_kind(0).for_each(|piece| sink.push(piece));
    }
}

/// The text of a string with its zero.
struct Text(*const u8, usize);

impl Fields for Text {
    fn put(&self, sink: &mut Sink<'_>) {
        // SAFETY: condition 2: so many units of two bytes.
        sink.push(unsafe { std::slice::from_raw_parts(self.0, 2 * self.1) });
        sink.push(&[0; 2]);
    }
}

fn result(delivery: Delivery) -> u32 {
    if delivery.too_long {
        codes::ARITHMETIC_OVERFLOW
    } else if delivery.lost > 0 {
        codes::NOT_ENOUGH_MEMORY
    } else {
        codes::SUCCESS
    }
}

/// Reads a GUID; `None` for null.
///
/// # Safety
///
/// Condition 2.
unsafe fn guid(pointer: *const [u8; 16]) -> Option<Guid> {
    // SAFETY: the caller's; bytes need no alignment.
    (!pointer.is_null()).then(|| Guid::from_bytes(unsafe { pointer.read() }))
}

extern "sysv64" fn write(registration: *const (), event: *const call::Write) -> u32 {
    // SAFETY: conditions 1, 2 and 3.
    unsafe {
        let (registration, event) = (&*registration.cast::<Registration>(), &*event);
        if event.descriptor.is_null() {
            return write_string(registration, event);
        }
        let descriptor = event.descriptor.cast::<EventDescriptor>().read_unaligned();
        let activity = Activity { id: guid(event.activity), related: guid(event.related) };
        let mut pieces = Pieces { data: event.data, count: event.count as usize, kinds: false };
        if !pieces.has_kinds() {
            return result(registration.provider.write_transfer(&descriptor, &activity, &pieces));
        }
        pieces.kinds = true;
        write_described(registration, &descriptor, &activity, &pieces)
    }
}

/// Bytes of a description that need no memory of the heap.
const DESCRIPTION: usize = 512;

/// Writes an event that describes itself. Several pieces of a description are one.
fn write_described(
    registration: &Registration,
    descriptor: &EventDescriptor,
    activity: &Activity,
    pieces: &Pieces,
) -> u32 {
    let size: usize = pieces.of_kind(METADATA).map(<[u8]>::len).sum();
    let (mut few, mut many) = ([0; DESCRIPTION], Vec::new());
    let joined: &mut [u8] = match few.get_mut(..size) {
        Some(few) => few,
        None => {
            many.resize(size, 0);
            &mut many
        }
    };
    let mut rest = &mut *joined;
    for piece in pieces.of_kind(METADATA) {
        let (place, behind) = rest.split_at_mut(piece.len());
        place.copy_from_slice(piece);
        rest = behind;
    }
    let provider = registration.provider;
    result(match pieces.of_kind(TRAITS).next() {
        Some(traits) => provider.write_with_traits(descriptor, activity, joined, traits, pieces),
        None => registration
            .with_traits(|traits| provider.write_with_traits(descriptor, activity, joined, traits, pieces)),
    })
}

#[cold]
fn write_string(registration: &Registration, event: &call::Write) -> u32 {
    let text = Text(event.data.cast(), event.count as usize);
    let level = u8::try_from(event.level).unwrap_or(u8::MAX);
    let write = |traits: &[u8]| registration.provider.write_wide_string(level, event.keyword, traits, &text);
    result(registration.with_traits(write))
}

extern "C-unwind" fn classic(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let event: &mut call::Classic = unsafe { arguments(pointer) };
    let Some(registration) = world::find(event.index) else { return REFUSED };
    let &mut call::Classic { opcode, level, version, .. } = event;
    let descriptor =
        ClassicDescriptor { class: Guid::from_bytes(event.class), opcode, level, version, flags: 0 };
    let pieces = Pieces { data: event.data, count: event.count as usize, kinds: false };
    if event.has_instance == 1 {
        let parent_class = Guid::from_bytes(event.parent_class);
        let instance = ClassicInstance { id: event.instance, parent: event.parent, parent_class };
        registration.provider.write_instance(&descriptor, &instance, &pieces);
    } else {
        registration.provider.write_classic(&descriptor, &pieces);
    }
    DONE
}

extern "C-unwind" fn message(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let message: &mut call::Message = unsafe { arguments(pointer) };
    let Some(registration) = world::find(message.index) else { return REFUSED };
    let source = match Guid::from_bytes(message.guid) {
        guid if guid.is_zero() => MessageSource::Component(message.component),
        guid => MessageSource::Guid(guid),
    };
    // The program has compared level and flags itself.
    let descriptor = MessageDescriptor { source, number: message.number, level: 0, flags: 0 };
    let pieces = Pieces { data: message.data, count: message.count as usize, kinds: false };
    registration.provider.write_message(&descriptor, &pieces);
    DONE
}

// -------------------------------------------------------------------------------- sessions

/// Most units of a name, with its zero; of Windows.
const NAME: usize = 1024;

/// A text of a program; [`None`] if it does not end where texts of Windows must.
///
/// # Safety
///
/// Condition 2: it ends with a zero, or has [`NAME`] units.
unsafe fn text(pointer: *const u8, wide: bool) -> Option<String> {
    let mut units = Vec::new();
    for at in 0..NAME {
        // SAFETY: the caller's; no unit before it was a zero.
        let unit = unsafe {
            if wide { pointer.cast::<u16>().add(at).read_unaligned() } else { pointer.add(at).read().into() }
        };
        if unit == 0 {
            return Some(String::from_utf16_lossy(&units));
        }
        units.push(unit);
    }
    None
}

extern "C-unwind" fn control(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Control = unsafe { arguments(pointer) };
    asked.path[0] = 0;
    asked.result = match control_session(asked) {
        Ok(code) | Err(code) => code,
    };
    DONE
}

fn control_session(asked: &mut call::Control) -> Result<u32, u32> {
    let wide = asked.wide != 0;
    if asked.properties.is_null() {
        return Err(codes::INVALID_PARAMETER);
    }
    // SAFETY: condition 2: the block has as many bytes as its first word says, and texts end with a zero.
    let (bytes, which, file) = unsafe {
        let size = asked.properties.cast::<u32>().read_unaligned() as usize;
        let which = match asked.name.is_null() {
            true => Which::Handle(asked.session),
            false => Which::Named(text(asked.name, wide).ok_or(codes::INVALID_PARAMETER)?),
        };
        let file = match asked.file.is_null() {
            true => String::new(),
            false => {
                let file = std::ffi::CStr::from_ptr(asked.file.cast()).to_str();
                file.map_err(|_| codes::BAD_PATHNAME)?.to_owned()
            }
        };
        (std::slice::from_raw_parts_mut(asked.properties, size), which, file)
    };
    let mut block = Block::new(bytes, wide)?;
    let (status, fits) = controller::control(asked.operation, &which, &mut block, &file)?;
    asked.session = status.id.into();
    let path = status.properties.log_file.as_bytes();
    match asked.path.get_mut(..path.len() + 1) {
        Some(place) => place.iter_mut().zip(path.iter().chain(&[0])).for_each(|(to, from)| *to = *from),
        None => return Ok(codes::MORE_DATA),
    }
    Ok(fits)
}

extern "C-unwind" fn enable(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Enable = unsafe { arguments(pointer) };
    let keywords = [asked.any, asked.all];
    let provider = Guid::from_bytes(asked.guid);
    let mut wanted = controller::wanted(provider, asked.level, keywords, asked.stacks != 0, asked.timeout);
    asked.result = codes::SUCCESS;
    for at in 0..asked.count as usize {
        // SAFETY: condition 2: there are so many filters, and each has so many bytes.
        let (kind, data) = unsafe {
            let filter = asked.filters.add(at).read_unaligned();
            let data: &[u8] = match filter.address {
                0 => &[],
                address => std::slice::from_raw_parts(address as *const u8, filter.size as usize),
            };
            (filter.kind, data)
        };
        if let Err(code) = controller::add_filter(&mut wanted, kind, data, asked.process) {
            asked.result = code;
            return DONE;
        }
    }
    asked.result = controller::enable(asked.session, asked.control, &wanted);
    DONE
}

extern "C-unwind" fn running(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Running = unsafe { arguments(pointer) };
    (asked.count, asked.result) = (0, codes::SUCCESS);
    match controller::running() {
        Ok(all) => {
            for (place, session) in asked.sessions.iter_mut().zip(all) {
                *place = session;
                asked.count += 1;
            }
        }
        Err(code) => asked.result = code,
    }
    DONE
}

// -------------------------------------------------------------------------------- consumers

extern "C-unwind" fn open(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Open = unsafe { arguments(pointer) };
    asked.result = match open_trace(asked) {
        Ok(trace) => {
            asked.trace = trace;
            codes::SUCCESS
        }
        Err(code) => code,
    };
    DONE
}

fn open_trace(asked: &call::Open) -> Result<u64, u32> {
    // SAFETY: condition 2: the block has so many bytes.
    let block = unsafe { asked.logfile.cast::<[u8; call::LOG_FILE]>().read_unaligned() };
    let mut file = LogFile::new(&block);
    let source = if file.is_real_time() {
        let name = file.logger_name() as usize as *const u8;
        if name.is_null() {
            return Err(codes::INVALID_PARAMETER);
        }
        // SAFETY: condition 2: a text that ends with a zero.
        Source::Session(unsafe { text(name, asked.wide != 0) }.ok_or(codes::INVALID_PARAMETER)?)
    } else {
        if asked.file.is_null() {
            return Err(codes::BAD_PATHNAME);
        }
        // SAFETY: condition 2: a text that ends with a zero.
        let path = unsafe { std::ffi::CStr::from_ptr(asked.file.cast()) };
        Source::File(path.to_str().map_err(|_| codes::BAD_PATHNAME)?.to_owned())
    };
    let [now, frequency] = asked.counter;
    let trace = consumer::open(&mut file, &source, Counter { now, frequency, time: asked.time })?;
    // SAFETY: condition 2.
    unsafe { asked.logfile.cast::<[u8; call::LOG_FILE]>().write_unaligned(file.bytes()) };
    Ok(trace)
}

extern "C-unwind" fn process(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Process = unsafe { arguments(pointer) };
    let count = asked.count as usize;
    if count > consumer::MOST_TRACES {
        asked.result = codes::BAD_LENGTH;
        return DONE;
    }
    // SAFETY: condition 2: there are so many handles.
    let handles: Vec<u64> = (0..count).map(|at| unsafe { asked.traces.add(at).read_unaligned() }).collect();
    asked.result = match consumer::begin(&handles, asked.from, asked.to) {
        Ok(run) => {
            asked.run = run;
            codes::SUCCESS
        }
        Err(code) => code,
    };
    DONE
}

extern "C-unwind" fn next(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Next = unsafe { arguments(pointer) };
    let steps = consumer::next(asked.run, asked.stop != 0, |batch| {
        let steps = batch.steps();
        (steps.as_ptr(), steps.len())
    });
    let ((steps, count), result) = match steps {
        Ok(steps) => (steps, codes::SUCCESS),
        Err(result) => ((std::ptr::null(), 0), result),
    };
    (asked.steps, asked.count, asked.result) = (steps, u32::try_from(count).unwrap_or(0), result);
    DONE
}

extern "C-unwind" fn close(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Close = unsafe { arguments(pointer) };
    asked.result = consumer::close(asked.trace);
    DONE
}

// -------------------------------------------------------------------------------- descriptions of events

/// Returns what `answer` does; [`codes::NOT_FOUND`] if it panics, because nothing may unwind into Wine.
fn guarded<T>(answer: impl FnOnce() -> Result<T, u32>) -> Result<T, u32> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(answer)).unwrap_or(Err(codes::NOT_FOUND))
}

/// The bytes at an address that a program has passed.
///
/// # Errors
/// The address is null, and there are to be bytes.
///
/// # Safety
///
/// Condition 2.
unsafe fn bytes<'a>(address: u64, size: usize) -> Result<&'a [u8], u32> {
    match (address, size) {
        (_, 0) => Ok(&[]),
        (0, _) => Err(codes::INVALID_PARAMETER),
        // SAFETY: the caller's.
        (address, size) => Ok(unsafe { std::slice::from_raw_parts(address as *const u8, size) }),
    }
}

/// An event of a program, which has it from a callback or has made it.
///
/// # Safety
///
/// Condition 2: null or an `EVENT_RECORD` with the items and the payload that it says.
unsafe fn event<'a>(pointer: *const u8) -> Result<Event<'a>, u32> {
    if pointer.is_null() {
        return Err(codes::INVALID_PARAMETER);
    }
    // SAFETY: the caller's.
    unsafe {
        let head = pointer.cast::<EventRecord>().read_unaligned();
        if head.items == 0 && head.item_count > 0 {
            return Err(codes::INVALID_PARAMETER);
        }
        let mut items = Vec::new();
        for at in 0..usize::from(head.item_count) {
            let item = (head.items as *const Item).add(at).read_unaligned();
            let data = bytes(item.data, item.size.into())?;
            items.push(ExtendedItem { kind: ExtendedKind(item.kind), data });
        }
        let payload = bytes(head.data, head.data_size.into())?;
        Ok(Event { head, items, payload })
    }
}

extern "C-unwind" fn describe(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Describe = unsafe { arguments(pointer) };
    // SAFETY: condition 2.
    let answer = guarded(|| unsafe { description(asked) });
    asked.result = match answer {
        Ok(answer) => {
            asked.needed = u32::try_from(answer.len()).unwrap_or(u32::MAX);
            if asked.output.is_null() || asked.room < asked.needed {
                codes::INSUFFICIENT_BUFFER
            } else {
                // SAFETY: condition 2: there is so much room.
                unsafe { asked.output.copy_from_nonoverlapping(answer.as_ptr(), answer.len()) };
                codes::SUCCESS
            }
        }
        Err(code) => code,
    };
    DONE
}

/// The bytes of an answer.
///
/// # Safety
///
/// Condition 2.
unsafe fn description(asked: &call::Describe) -> Result<Vec<u8>, u32> {
    // SAFETY: the caller's.
    unsafe {
        match asked.what {
            about::EVENT => describe::info(&event(asked.event)?),
            about::MAP if !asked.name.is_null() => {
                let name = text(asked.name, true).ok_or(codes::INVALID_PARAMETER)?;
                describe::map(&event(asked.event)?, &name)
            }
            about::PROPERTY if !asked.path.is_null() => {
                let mut path = Vec::new();
                for at in 0..asked.count as usize {
                    let name = asked.path.add(at).read_unaligned();
                    if name.name == 0 {
                        return Err(codes::INVALID_PARAMETER);
                    }
                    let text = text(name.name as *const u8, true).ok_or(codes::INVALID_PARAMETER)?;
                    path.push((text, name.index));
                }
                describe::property(&event(asked.event)?, &path)
            }
            about::PROVIDERS => Ok(describe::providers()),
            about::EVENTS => describe::events(Guid::from_bytes(asked.guid)),
            about::KNOWN_EVENT => {
                let [low, high, version, ..] = asked.descriptor;
                let id = u16::from_le_bytes([low, high]);
                describe::known_event(Guid::from_bytes(asked.guid), id, version)
            }
            _ => Err(codes::INVALID_PARAMETER),
        }
    }
}

/// Most entries of a map, and units of each of its names.
const MAP_ENTRIES: usize = 1 << 16;
const MAP_NAME: usize = 1 << 15;
/// Most bytes of a map.
const MAP_BYTES: usize = 1 << 24;

/// The bytes of an `EVENT_MAP_INFO`, whose names lie behind its entries.
///
/// # Safety
///
/// Condition 2: a block as [`describe::map`] makes it.
unsafe fn map_block<'a>(pointer: *const u8) -> Result<&'a [u8], u32> {
    // SAFETY: the caller's.
    unsafe {
        let word = |at: usize| pointer.add(at).cast::<u32>().read_unaligned() as usize;
        let count = word(map::COUNT);
        if count > MAP_ENTRIES {
            return Err(codes::INVALID_PARAMETER);
        }
        let mut end = map::ENTRIES + count * map::ENTRY;
        for place in std::iter::once(map::NAME).chain((0..count).map(|at| map::ENTRIES + at * map::ENTRY)) {
            let start = word(place);
            if start > MAP_BYTES {
                return Err(codes::INVALID_PARAMETER);
            }
            let unit = |at: &usize| pointer.add(start + 2 * at).cast::<u16>().read_unaligned() == 0;
            if start != 0 {
                let units = (0..MAP_NAME).find(unit).ok_or(codes::INVALID_PARAMETER)?;
                end = end.max(start + 2 * units + 2);
            }
        }
        Ok(std::slice::from_raw_parts(pointer, end))
    }
}

extern "C-unwind" fn format(pointer: *mut c_void) -> i32 {
    // SAFETY: condition 1.
    let asked: &mut call::Format = unsafe { arguments(pointer) };
    let text = guarded(|| {
        // SAFETY: condition 2.
        let (map, data) = unsafe {
            let map = if asked.map.is_null() { None } else { Some(map_block(asked.map)?) };
            (map, bytes(asked.data as u64, asked.size.into())?)
        };
        let pointer_size = u8::try_from(asked.pointer_size).map_err(|_| codes::INVALID_PARAMETER)?;
        let &mut call::Format { input, output, length, .. } = asked;
        describe::text(Shape { input, output, length, pointer_size }, data, map)
    });
    asked.result = match text {
        Ok((units, used)) => {
            asked.needed = u32::try_from(2 * units.len()).unwrap_or(u32::MAX);
            asked.used = u16::try_from(used).unwrap_or(u16::MAX);
            if asked.text.is_null() || asked.room < asked.needed {
                codes::INSUFFICIENT_BUFFER
            } else {
                // SAFETY: condition 2: there is so much room.
                unsafe {
                    asked.text.cast::<u8>().copy_from_nonoverlapping(units.as_ptr().cast(), 2 * units.len())
                };
                codes::SUCCESS
            }
        }
        Err(code) => code,
    };
    DONE
}
