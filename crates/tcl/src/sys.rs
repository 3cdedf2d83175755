//! The interpreter's functions, reached through its stub table, for Tcl 8.6 and Tcl 9 with one library.
//!
//! All `unsafe` of the crate is here. What it rests on:
//!
//! * The interpreter structure begins with a pointer, a pointer, an `int` and a pointer to the stub table, and the
//!   table with an `int` that tells the version, a pointer, and then one function pointer a slot; so it is
//!   in every release of both major versions, which promise it for ever. Any other first word is refused.
//! * Slots have the same number and meaning in both majors, but for lengths: `int` in 8.6, `ptrdiff_t` in 9. Each call of
//!   such a slot is cast by the major version. No slot is used that one of them lacks, but by version.
//! * An [`Interp`] and an [`Obj`] are neither `Send` nor `Sync`: they stay on the thread that Tcl gave them to. An
//!   `Interp` lives no longer than the command that got it.
//! * An [`Obj`] holds one reference, counted by the table's own functions, so its pointer is always good.
//! * No panic crosses into C: commands run inside `catch_unwind`.

use std::ffi::{CString, c_char, c_double, c_int, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use crate::text;

/// A native command: the interpreter and the words, of which the first is the command's name.
pub(crate) type Command = fn(Interp, &[Obj]) -> Outcome;

/// What a command gives back: its result, or why it failed.
pub(crate) type Outcome = Result<Obj, Failure>;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message with the words of `errorCode`.
    Coded(Vec<String>, String),
    /// A script called from here ended with this code (error, break or another); its result is in the interpreter.
    Script(c_int),
}

/// Completion codes of scripts.
pub(crate) mod code {
    use std::ffi::c_int;
    pub(crate) const OK: c_int = 0;
    pub(crate) const ERROR: c_int = 1;
    pub(crate) const BREAK: c_int = 3;
}

#[repr(C)]
struct RawInterp {
    result: *mut c_char,
    free: *mut c_void,
    line: c_int,
    stubs: *const Stubs,
}

#[repr(C)]
struct Stubs {
    magic: c_int,
    hooks: *const c_void,
    slots: [*const c_void; 0],
}

/// A Tcl value behind its pointer; its fields are not looked at.
#[repr(C)]
pub(crate) struct RawObj {
    _private: [u8; 0],
}

type ObjProc = unsafe extern "C" fn(*mut c_void, *mut RawInterp, c_int, *const *mut RawObj) -> c_int;

/// The beginning of `Tcl_CmdInfo`, with room for what Tcl 9 has after it.
#[repr(C)]
struct CmdInfo {
    native: c_int,
    proc_: *const c_void,
    data: *mut c_void,
    rest: [*mut c_void; 10],
}

static TABLE: AtomicPtr<Stubs> = AtomicPtr::new(ptr::null_mut());
static NINE: AtomicBool = AtomicBool::new(false);
/// The function behind `info level`, which is compiled into Tcl and takes no data; 0 when it is not such.
static INFO_LEVEL: AtomicUsize = AtomicUsize::new(0);

const MAGIC_8: u32 = 0xFCA3_BACF;
const MAGIC_9: u32 = 0xFCA3_BACB + size_of::<*const c_void>() as u32;

/// Whether the interpreter that loaded this library is Tcl 9 (or 8.6).
#[inline(always)]
pub(crate) fn is_nine() -> bool {
    NINE.load(Ordering::Relaxed)
}

/// The address in a slot of the table.
#[inline(always)]
fn slot(number: usize) -> *const c_void {
    let table = TABLE.load(Ordering::Relaxed);
    // SAFETY: an `Interp` or `Obj` exists only after `load` has set the table, which lives as long as the process; the
    // numbers used below are within the table of both majors.
    unsafe { *(&raw const (*table).slots).cast::<*const c_void>().add(number) }
}

/// Casts the slot to a function of this type and calls it.
macro_rules! tcl {
    ($number:literal ( $($argument:expr => $type:ty),* $(,)? ) $(-> $result:ty)?) => {{
        // SAFETY: the slot holds a C function of this signature in the major version in use.
        let function: unsafe extern "C" fn($($type),*) $(-> $result)? = unsafe { std::mem::transmute(slot($number)) };
        // SAFETY: pointers come from Tcl or from values that outlive the call.
        unsafe { function($($argument),*) }
    }};
}

/// A value made from bytes and their number, which is an `int` in Tcl 8.6 and a `ptrdiff_t` in 9.
macro_rules! from_bytes {
    ($number:literal ($bytes:expr)) => {
        if is_nine() {
            tcl!($number($bytes.as_ptr() => *const u8, $bytes.len() as isize => isize) -> *mut RawObj)
        } else {
            let size = c_int::try_from($bytes.len()).unwrap_or(c_int::MAX);
            tcl!($number($bytes.as_ptr() => *const u8, size => c_int) -> *mut RawObj)
        }
    };
}

/// An interpreter, for as long as one of its commands runs.
#[derive(Clone, Copy)]
pub(crate) struct Interp(*mut RawInterp, PhantomData<*mut ()>);

/// A counted reference to a Tcl value.
#[repr(transparent)]
pub(crate) struct Obj(*mut RawObj);

impl std::fmt::Debug for Obj {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl Clone for Obj {
    #[inline]
    fn clone(&self) -> Obj {
        Obj::share(self.0)
    }
}

impl Drop for Obj {
    #[inline]
    fn drop(&mut self) {
        tcl!(19(self.0 => *mut RawObj, ptr::null() => *const c_char, 0 => c_int));
    }
}

impl Obj {
    /// Takes a reference to a value that Tcl holds, or has just made.
    #[inline]
    fn share(raw: *mut RawObj) -> Obj {
        tcl!(20(raw => *mut RawObj, ptr::null() => *const c_char, 0 => c_int));
        Obj(raw)
    }

    /// The empty value.
    pub(crate) fn empty() -> Obj {
        Obj::share(tcl!(55() -> *mut RawObj))
    }

    /// Text.
    pub(crate) fn new(text: &str) -> Obj {
        if text.is_ascii() && !text.contains('\0') {
            Obj::internal(text.as_bytes())
        } else {
            Obj::internal(&text::from_utf16(text.encode_utf16(), is_nine()))
        }
    }

    /// Text in Tcl's own encoding; see [`text`].
    pub(crate) fn internal(bytes: &[u8]) -> Obj {
        Obj::share(from_bytes!(56(bytes)))
    }

    /// Text in UTF-16 units, which need not be paired.
    pub(crate) fn utf16(units: impl Iterator<Item = u16>) -> Obj {
        Obj::internal(&text::from_utf16(units, is_nine()))
    }

    /// A whole number.
    #[inline]
    pub(crate) fn int(value: impl Into<i64>) -> Obj {
        Obj::share(tcl!(488(value.into() => i64) -> *mut RawObj))
    }

    /// A whole number without a sign.
    pub(crate) fn unsigned(value: u64) -> Obj {
        i64::try_from(value).map_or_else(|_| Obj::new(&value.to_string()), Obj::int)
    }

    /// A floating-point number.
    pub(crate) fn double(value: f64) -> Obj {
        Obj::share(tcl!(51(value => c_double) -> *mut RawObj))
    }

    /// Bytes.
    pub(crate) fn bytes(bytes: &[u8]) -> Obj {
        Obj::share(from_bytes!(50(bytes)))
    }

    /// A list.
    pub(crate) fn list(items: &[Obj]) -> Obj {
        // An `Obj` is nothing but its pointer, so a slice of them is what Tcl calls `objv`.
        let items: (usize, *const *mut RawObj) = (items.len(), items.as_ptr().cast());
        let raw = if is_nine() {
            tcl!(53(items.0 as isize => isize, items.1 => *const *mut RawObj) -> *mut RawObj)
        } else {
            let count = c_int::try_from(items.0).unwrap_or(c_int::MAX);
            tcl!(53(count => c_int, items.1 => *const *mut RawObj) -> *mut RawObj)
        };
        Obj::share(raw)
    }

    /// A list of texts.
    pub(crate) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> Obj {
        Obj::list(&items.into_iter().map(Obj::new).collect::<Vec<_>>())
    }

    /// A dictionary without entries.
    pub(crate) fn dict() -> Obj {
        Obj::share(tcl!(503() -> *mut RawObj))
    }

    /// Sets an entry of a dictionary that nothing else holds; of another value, nothing happens.
    pub(crate) fn put(&self, key: &Obj, value: &Obj) {
        if !self.shared() {
            tcl!(494(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, key.0 => *mut RawObj, value.0 => *mut RawObj) -> c_int);
        }
    }

    /// Appends to a list that nothing else holds; to another value, nothing is appended.
    pub(crate) fn push(&self, item: &Obj) {
        if !self.shared() {
            tcl!(44(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, item.0 => *mut RawObj) -> c_int);
        }
    }

    fn shared(&self) -> bool {
        tcl!(21(self.0 => *mut RawObj, ptr::null() => *const c_char, 0 => c_int) -> c_int) != 0
    }

    /// The string representation in Tcl's own encoding. It is good until the value is used otherwise.
    #[inline]
    pub(crate) fn as_internal(&self) -> &[u8] {
        let (start, size) = if is_nine() {
            let mut size = 0isize;
            (
                tcl!(651(self.0 => *mut RawObj, &raw mut size => *mut isize) -> *const u8),
                usize::try_from(size).unwrap_or(0),
            )
        } else {
            let mut size: c_int = 0;
            (
                tcl!(41(self.0 => *mut RawObj, &raw mut size => *mut c_int) -> *const u8),
                usize::try_from(size).unwrap_or(0),
            )
        };
        if start.is_null() {
            return &[];
        }
        // SAFETY: Tcl gives the representation that it keeps with the value, which `self` keeps alive; representations are
        // only dropped by functions that need the value unshared, which `put` and `push` alone call, on values just
        // made here.
        unsafe { std::slice::from_raw_parts(start, size) }
    }

    /// The text, with unpaired surrogates replaced.
    pub(crate) fn text(&self) -> String {
        text::to_string(self.as_internal())
    }

    /// The value as a wide integer.
    pub(crate) fn as_int(&self) -> Option<i64> {
        let mut value = 0i64;
        let done = tcl!(487(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut value => *mut i64) -> c_int);
        (done == code::OK).then_some(value)
    }

    /// The elements, when the value is a list.
    pub(crate) fn items(&self) -> Option<Vec<Obj>> {
        let mut start: *const *mut RawObj = ptr::null();
        let (done, size) = if is_nine() {
            let mut size = 0isize;
            (
                tcl!(661(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut size => *mut isize, &raw mut start => *mut *const *mut RawObj) -> c_int),
                usize::try_from(size).unwrap_or(0),
            )
        } else {
            let mut size: c_int = 0;
            (
                tcl!(45(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut size => *mut c_int, &raw mut start => *mut *const *mut RawObj) -> c_int),
                usize::try_from(size).unwrap_or(0),
            )
        };
        if done != code::OK {
            return None;
        }
        if start.is_null() || size == 0 {
            return Some(Vec::new());
        }
        // SAFETY: Tcl gives the array it keeps with the list; it is copied before anything else is called.
        let raw = unsafe { std::slice::from_raw_parts(start, size) };
        Some(raw.iter().map(|item| Obj::share(*item)).collect())
    }
}

impl Interp {
    /// Runs a command given as words, at the global level or where the caller is.
    pub(crate) fn call(self, words: &[Obj], global: bool) -> Result<Obj, Failure> {
        let flags: c_int = if global { 0x2_0000 } else { 0 };
        let objv: *const *mut RawObj = words.as_ptr().cast();
        let done = if is_nine() {
            tcl!(292(self.0 => *mut RawInterp, words.len() as isize => isize, objv => *const *mut RawObj, flags => c_int) -> c_int)
        } else {
            let count = c_int::try_from(words.len()).unwrap_or(c_int::MAX);
            tcl!(292(self.0 => *mut RawInterp, count => c_int, objv => *const *mut RawObj, flags => c_int) -> c_int)
        };
        if done == code::OK { Ok(self.result()) } else { Err(Failure::Script(done)) }
    }

    /// What the last script or function left.
    pub(crate) fn result(self) -> Obj {
        Obj::share(tcl!(166(self.0 => *mut RawInterp) -> *mut RawObj))
    }

    /// Forgets the result.
    pub(crate) fn reset(self) {
        tcl!(217(self.0 => *mut RawInterp));
    }

    /// The value of a variable as the running command sees it: of a name, or of an element of an array. `None` when
    /// it cannot be read; the interpreter then still has its result.
    pub(crate) fn variable(self, name: &Obj, index: Option<&Obj>) -> Option<Obj> {
        let index = index.map_or(ptr::null_mut(), |index| index.0);
        let raw = tcl!(195(self.0 => *mut RawInterp, name.0 => *mut RawObj, index => *mut RawObj, 0 => c_int) -> *mut RawObj);
        (!raw.is_null()).then(|| Obj::share(raw))
    }

    /// The command line of the procedure the running command was called from; `None` at the global level.
    pub(crate) fn caller(self) -> Option<Obj> {
        if self.info_level(None)?.as_int()? < 1 {
            return None;
        }
        self.info_level(Some(Obj::internal(b"0")))
    }

    #[inline]
    fn info_level(self, level: Option<Obj>) -> Option<Obj> {
        let function = INFO_LEVEL.load(Ordering::Relaxed);
        let name = Obj::internal(b"level");
        if function == 0 {
            let mut words = vec![Obj::internal(b"::info"), name];
            words.extend(level);
            return self.call(&words, false).ok();
        }
        // SAFETY: found by `load` to be a function of this type that Tcl itself holds.
        let function: ObjProc = unsafe { std::mem::transmute(function) };
        let words = [name.0, level.as_ref().map_or(ptr::null_mut(), |level| level.0)];
        let count = 1 + c_int::from(level.is_some());
        // SAFETY: `words` holds `count` good values, which outlive the call.
        let done = unsafe { function(ptr::null_mut(), self.0, count, words.as_ptr()) };
        (done == code::OK).then(|| self.result())
    }

    /// Makes a command.
    pub(crate) fn create(self, name: &str, command: Command) {
        let Ok(name) = CString::new(name) else { return };
        tcl!(96(
            self.0 => *mut RawInterp, name.as_ptr() => *const c_char, run => ObjProc,
            command as *mut c_void => *mut c_void, ptr::null() => *const c_void,
        ) -> *mut c_void);
    }

    fn fail(self, words: &[String], message: &str) -> c_int {
        let words: Vec<Obj> = words.iter().map(|word| Obj::new(word)).collect();
        tcl!(235(self.0 => *mut RawInterp, Obj::new(message).0 => *mut RawObj));
        if !words.is_empty() {
            tcl!(234(self.0 => *mut RawInterp, Obj::list(&words).0 => *mut RawObj));
        }
        code::ERROR
    }
}

/// Runs a native command for Tcl.
unsafe extern "C" fn run(
    data: *mut c_void,
    interp: *mut RawInterp,
    count: c_int,
    words: *const *mut RawObj,
) -> c_int {
    // SAFETY: `data` is what `create` gave: a function of type `Command`.
    let command: Command = unsafe { std::mem::transmute(data) };
    let interp = Interp(interp, PhantomData);
    // SAFETY: Tcl gives `count` words that it holds until the command returns; an `Obj` is a pointer, and a borrowed
    // one is never dropped.
    let words =
        unsafe { std::slice::from_raw_parts(words.cast::<Obj>(), usize::try_from(count).unwrap_or(0)) };
    let call = || match command(interp, words) {
        Ok(result) => {
            tcl!(235(interp.0 => *mut RawInterp, result.0 => *mut RawObj));
            code::OK
        }
        Err(Failure::Script(done)) => done,
        Err(Failure::Coded(words, message)) => interp.fail(&words, &message),
    };
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| interp.fail(&[], "internal error in twapi_etw"))
}

/// Prepares the library for an interpreter: finds the stub table and asks for Tcl. `None` when this is no Tcl 8.6 or 9.
fn load(raw: *mut RawInterp) -> Option<Interp> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: Tcl gives its interpreter; the shape of its beginning is stated above.
    let table = unsafe { (*raw).stubs };
    if table.is_null() {
        return None;
    }
    // SAFETY: as above; the first word of the table tells what it is.
    let nine = match unsafe { (*table).magic }.cast_unsigned() {
        MAGIC_8 => false,
        MAGIC_9 => true,
        _ => return None,
    };
    NINE.store(nine, Ordering::Relaxed);
    TABLE.store(table.cast_mut(), Ordering::Release);
    let found = tcl!(1(raw => *mut RawInterp, c"Tcl".as_ptr() => *const c_char, c"8.6-".as_ptr() => *const c_char, 0 => c_int, ptr::null_mut() => *mut c_void) -> *const c_char);
    if found.is_null() {
        return None;
    }
    let interp = Interp(raw, PhantomData);
    interp.find_info_level();
    Some(interp)
}

impl Interp {
    fn find_info_level(self) {
        let mut info =
            CmdInfo { native: 0, proc_: ptr::null(), data: ptr::null_mut(), rest: [ptr::null_mut(); 10] };
        let name = c"::tcl::info::level";
        let found = tcl!(159(self.0 => *mut RawInterp, name.as_ptr() => *const c_char, &raw mut info => *mut CmdInfo) -> c_int);
        if found == 1 && info.native == 1 && info.data.is_null() {
            INFO_LEVEL.store(info.proc_ as usize, Ordering::Relaxed);
        }
    }

    fn provide(self, name: &str, version: &str) {
        let (Ok(name), Ok(version)) = (CString::new(name), CString::new(version)) else { return };
        tcl!(0(self.0 => *mut RawInterp, name.as_ptr() => *const c_char, version.as_ptr() => *const c_char, ptr::null() => *const c_void) -> c_int);
    }
}

/// Called by `load libtwapi_etw`: makes the commands.
///
/// # Safety
///
/// `interp` is a Tcl interpreter of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Twapi_etw_Init(interp: *mut c_void) -> c_int {
    let done = catch_unwind(|| {
        let Some(interp) = load(interp.cast()) else { return code::ERROR };
        // The namespaces come first: Tcl makes no command in one that is not there.
        for space in ["::twapi", "::twapi::tracewell"] {
            let Ok(name) = CString::new(space) else { return code::ERROR };
            tcl!(506(interp.0 => *mut RawInterp, name.as_ptr() => *const c_char, ptr::null_mut() => *mut c_void, ptr::null() => *const c_void) -> *mut c_void);
        }
        for (name, command) in crate::COMMANDS {
            interp.create(&format!("::twapi::{name}"), *command);
        }
        interp.reset();
        interp.provide("tracewell_tcl", env!("CARGO_PKG_VERSION"));
        code::OK
    });
    done.unwrap_or(code::ERROR)
}
