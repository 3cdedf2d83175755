//! The interpreter's functions, reached through its stub table, for Tcl 8.6 and Tcl 9 with one library.
//!
//! All `unsafe` of the crate is here. It relies on these facts:
//!
//! * The interpreter structure begins with a pointer, a pointer, an `int` and a pointer to the stub table. The table
//!   begins with an `int` that identifies the version and a pointer, then has one function pointer per slot. This holds in
//!   every release of both major versions, which guarantee it. Any other first word is rejected.
//! * Slots have the same number and meaning in both major versions, except for lengths: `int` in 8.6, `ptrdiff_t` in 9. Calls
//!   of such a slot are cast according to the version. A slot that one version lacks is used only with the other.
//! * An [`Interp`] and an [`Obj`] are neither `Send` nor `Sync`: they stay on the thread that Tcl gave them to. An
//!   `Interp` is valid while the command that received it runs. Code that stores one drops it when `interp_deleted` says so, and
//!   holds it by [`Interp::preserved`] while a script of it runs.
//! * An [`Obj`] holds one reference, counted by the table's functions, so its pointer is always valid.
//! * No panic crosses into C: commands run inside `catch_unwind`.

use std::ffi::{CString, c_char, c_double, c_int, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use crate::{slots, text};

/// A native command: the interpreter and the words, of which the first is the command's name.
pub(crate) type Command = fn(Interp, &[Obj]) -> Outcome;

/// A command that watches a script without side effects on it: it has no result, and fails only if it is called
/// with invalid arguments. It has separate state in each interpreter.
pub(crate) type Watcher<S> = fn(Interp, &S, &[Obj]) -> Result<(), Failure>;

/// The outcome of a command: its result, or its failure.
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
    pub(crate) const CONTINUE: c_int = 4;
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

type DataProc = unsafe extern "C" fn(*mut c_void);
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

/// Returns `true` if the interpreter that loaded this library is Tcl 9 (or 8.6).
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
    ($($slot:ident)::+ ( $($argument:expr => $type:ty),* $(,)? ) $(-> $result:ty)?) => {{
        // SAFETY: the slot holds a C function of this signature in the major version in use.
        let function: unsafe extern "C" fn($($type),*) $(-> $result)? = unsafe { std::mem::transmute(slot(slots::$($slot)::+)) };
        // SAFETY: pointers come from Tcl or from values that outlive the call.
        unsafe { function($($argument),*) }
    }};
}

/// A value made from bytes and their number, which is an `int` in Tcl 8.6 and a `ptrdiff_t` in 9.
macro_rules! from_bytes {
    ($slot:ident ($bytes:expr)) => {
        if is_nine() {
            tcl!($slot($bytes.as_ptr() => *const u8, $bytes.len() as isize => isize) -> *mut RawObj)
        } else {
            let size = c_int::try_from($bytes.len()).unwrap_or(c_int::MAX);
            tcl!($slot($bytes.as_ptr() => *const u8, size => c_int) -> *mut RawObj)
        }
    };
}

pub(crate) mod lazy;

/// An interpreter, for as long as one of its commands runs.
#[derive(Clone, Copy, PartialEq, Eq)]
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
        tcl!(Tcl_DbDecrRefCount(self.0 => *mut RawObj, ptr::null() => *const c_char, 0 => c_int));
    }
}

/// The words of `info level` and `info level 0`.
pub(crate) struct LevelWords {
    level: Obj,
    current: Obj,
}

impl Default for LevelWords {
    fn default() -> LevelWords {
        LevelWords { level: Obj::internal(b"level"), current: Obj::internal(b"0") }
    }
}

impl Obj {
    /// Takes a reference to a value that Tcl holds, or has just made.
    #[inline]
    fn share(raw: *mut RawObj) -> Obj {
        tcl!(Tcl_DbIncrRefCount(raw => *mut RawObj, ptr::null() => *const c_char, 0 => c_int));
        Obj(raw)
    }

    /// The empty value.
    pub(crate) fn empty() -> Obj {
        Obj::share(tcl!(Tcl_NewObj() -> *mut RawObj))
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
        Obj::share(from_bytes!(Tcl_NewStringObj(bytes)))
    }

    /// Text in UTF-16 units, which need not be paired.
    pub(crate) fn utf16(units: impl Iterator<Item = u16>) -> Obj {
        Obj::internal(&text::from_utf16(units, is_nine()))
    }

    /// A whole number.
    #[inline]
    pub(crate) fn int(value: impl Into<i64>) -> Obj {
        Obj::share(tcl!(Tcl_NewWideIntObj(value.into() => i64) -> *mut RawObj))
    }

    /// A whole number without a sign.
    pub(crate) fn unsigned(value: u64) -> Obj {
        i64::try_from(value).map_or_else(|_| Obj::new(&value.to_string()), Obj::int)
    }

    /// A floating-point number.
    pub(crate) fn double(value: f64) -> Obj {
        Obj::share(tcl!(Tcl_NewDoubleObj(value => c_double) -> *mut RawObj))
    }

    /// Bytes.
    pub(crate) fn bytes(bytes: &[u8]) -> Obj {
        Obj::share(from_bytes!(Tcl_NewByteArrayObj(bytes)))
    }

    /// A list.
    pub(crate) fn list(items: &[Obj]) -> Obj {
        // An `Obj` is just its pointer, so a slice of them is what Tcl calls `objv`.
        let items: (usize, *const *mut RawObj) = (items.len(), items.as_ptr().cast());
        let raw = if is_nine() {
            tcl!(Tcl_NewListObj(items.0 as isize => isize, items.1 => *const *mut RawObj) -> *mut RawObj)
        } else {
            let count = c_int::try_from(items.0).unwrap_or(c_int::MAX);
            tcl!(Tcl_NewListObj(count => c_int, items.1 => *const *mut RawObj) -> *mut RawObj)
        };
        Obj::share(raw)
    }

    /// A list of texts.
    pub(crate) fn texts<'t>(items: impl IntoIterator<Item = &'t str>) -> Obj {
        Obj::list(&items.into_iter().map(Obj::new).collect::<Vec<_>>())
    }

    /// A dictionary without entries.
    pub(crate) fn dict() -> Obj {
        Obj::share(tcl!(Tcl_NewDictObj() -> *mut RawObj))
    }

    /// Sets an entry of a dictionary that nothing else holds; of another value, nothing happens.
    pub(crate) fn put(&self, key: &Obj, value: &Obj) {
        if !self.shared() {
            tcl!(Tcl_DictObjPut(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, key.0 => *mut RawObj, value.0 => *mut RawObj) -> c_int);
        }
    }

    /// Appends to a list that nothing else holds; to another value, nothing is appended.
    pub(crate) fn push(&self, item: &Obj) {
        if !self.shared() {
            tcl!(Tcl_ListObjAppendElement(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, item.0 => *mut RawObj) -> c_int);
        }
    }

    fn shared(&self) -> bool {
        tcl!(Tcl_DbIsShared(self.0 => *mut RawObj, ptr::null() => *const c_char, 0 => c_int) -> c_int) != 0
    }

    /// The string representation in Tcl's own encoding. It is good until the value is used otherwise.
    #[inline]
    pub(crate) fn as_internal(&self) -> &[u8] {
        let (start, size) = if is_nine() {
            let mut size = 0isize;
            (
                tcl!(nine::Tcl_GetStringFromObj(self.0 => *mut RawObj, &raw mut size => *mut isize) -> *const u8),
                usize::try_from(size).unwrap_or(0),
            )
        } else {
            let mut size: c_int = 0;
            (
                tcl!(eight::Tcl_GetStringFromObj(self.0 => *mut RawObj, &raw mut size => *mut c_int) -> *const u8),
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
        let done = tcl!(Tcl_GetWideIntFromObj(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut value => *mut i64) -> c_int);
        (done == code::OK).then_some(value)
    }

    /// The elements, when the value is a list.
    pub(crate) fn items(&self) -> Option<Vec<Obj>> {
        let (start, size) = self.raw_items()?;
        // SAFETY: the array has so many values, and is copied before anything else is called.
        let raw = unsafe { std::slice::from_raw_parts(start, size) };
        Some(raw.iter().map(|item| Obj::share(*item)).collect())
    }

    /// An element, when the value is a list that has it.
    pub(crate) fn item(&self, at: usize) -> Option<Obj> {
        let (start, size) = self.raw_items()?;
        // SAFETY: the array has `size` values, and nothing else is called before the element is held.
        (at < size).then(|| Obj::share(unsafe { *start.add(at) }))
    }

    /// Returns `true` if this is a list of exactly these words, separated by single characters, with
    /// the ends `ends`.
    #[inline]
    pub(crate) fn is_list_of(&self, words: &[u8], ends: &[usize]) -> bool {
        let Some((start, size)) = self.raw_items().filter(|(_, size)| *size == ends.len()) else {
            return false;
        };
        let mut from = 0;
        ends.iter().enumerate().take(size).all(|(index, end)| {
            // SAFETY: the array has `size` values, and stays what it is: only text is asked for, and of the elements.
            let item = ManuallyDrop::new(Obj(unsafe { *start.add(index) }));
            let same = words.get(from..*end) == Some(item.as_internal());
            from = *end;
            same
        })
    }

    /// The array that Tcl keeps with a list: good until the value is used in another way.
    #[inline]
    fn raw_items(&self) -> Option<(*const *mut RawObj, usize)> {
        let mut start: *const *mut RawObj = ptr::null();
        let (done, size) = if is_nine() {
            let mut size = 0isize;
            (
                tcl!(nine::Tcl_ListObjGetElements(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut size => *mut isize, &raw mut start => *mut *const *mut RawObj) -> c_int),
                usize::try_from(size).unwrap_or(0),
            )
        } else {
            let mut size: c_int = 0;
            (
                tcl!(eight::Tcl_ListObjGetElements(ptr::null_mut() => *mut RawInterp, self.0 => *mut RawObj, &raw mut size => *mut c_int, &raw mut start => *mut *const *mut RawObj) -> c_int),
                usize::try_from(size).unwrap_or(0),
            )
        };
        if done != code::OK {
            return None;
        }
        // A slice must not begin at nothing, even an empty one.
        if start.is_null() || size == 0 {
            Some((ptr::NonNull::dangling().as_ptr(), 0))
        } else {
            Some((start, size))
        }
    }
}

impl Interp {
    /// Runs a command given as words, at the global level or where the caller is.
    pub(crate) fn call(self, words: &[Obj], global: bool) -> Result<Obj, Failure> {
        let done = self.eval_words(words, if global { 0x2_0000 } else { 0 });
        if done == code::OK { Ok(self.result()) } else { Err(Failure::Script(done)) }
    }

    fn eval_words(self, words: &[Obj], flags: c_int) -> c_int {
        let objv: *const *mut RawObj = words.as_ptr().cast();
        if is_nine() {
            tcl!(Tcl_EvalObjv(self.0 => *mut RawInterp, words.len() as isize => isize, objv => *const *mut RawObj, flags => c_int) -> c_int)
        } else {
            let count = c_int::try_from(words.len()).unwrap_or(c_int::MAX);
            tcl!(Tcl_EvalObjv(self.0 => *mut RawInterp, count => c_int, objv => *const *mut RawObj, flags => c_int) -> c_int)
        }
    }

    /// The result of the last script or function.
    pub(crate) fn result(self) -> Obj {
        Obj::share(tcl!(Tcl_GetObjResult(self.0 => *mut RawInterp) -> *mut RawObj))
    }

    /// Does what has to be done between two steps of a long work: handlers of signals run. An error when one of them says
    /// so, or when the script was cancelled.
    pub(crate) fn go_on(self) -> Result<(), Failure> {
        const LEAVE_MESSAGE: c_int = 0x200;
        if tcl!(Tcl_AsyncReady() -> c_int) != 0 {
            let done = tcl!(Tcl_AsyncInvoke(self.0 => *mut RawInterp, code::OK => c_int) -> c_int);
            if done != code::OK {
                return Err(Failure::Script(done));
            }
        }
        match tcl!(Tcl_Canceled(self.0 => *mut RawInterp, LEAVE_MESSAGE => c_int) -> c_int) {
            code::OK => Ok(()),
            done => Err(Failure::Script(done)),
        }
    }

    /// Runs something that may run scripts, after which the interpreter is still there, if only in name.
    pub(crate) fn preserved(self, body: impl FnOnce()) {
        tcl!(Tcl_Preserve(self.0.cast() => *mut c_void));
        let done = catch_unwind(AssertUnwindSafe(body));
        tcl!(Tcl_Release(self.0.cast() => *mut c_void));
        if done.is_err() {
            // Tcl has already recorded the error; there is no caller to return it to.
            self.reset();
        }
    }

    /// Reports a failure in the background (`bgerror`).
    pub(crate) fn background(self, failure: Failure) {
        let done = match failure {
            Failure::Script(done) => done,
            Failure::Coded(words, message) => self.fail(&words, &message),
        };
        tcl!(Tcl_BackgroundException(self.0 => *mut RawInterp, done => c_int));
    }

    /// Forgets the result.
    pub(crate) fn reset(self) {
        tcl!(Tcl_ResetResult(self.0 => *mut RawInterp));
    }

    /// The value of a variable as the running command sees it: of a name, or of an element of an array. `None` when
    /// it cannot be read; the interpreter then still has its result.
    pub(crate) fn variable(self, name: &Obj, index: Option<&Obj>) -> Option<Obj> {
        let index = index.map_or(ptr::null_mut(), |index| index.0);
        let raw = tcl!(Tcl_ObjGetVar2(self.0 => *mut RawInterp, name.0 => *mut RawObj, index => *mut RawObj, 0 => c_int) -> *mut RawObj);
        (!raw.is_null()).then(|| Obj::share(raw))
    }

    /// Shows the function the command line of the procedure the running command was called from; `None` at the global
    /// level. Afterwards the interpreter has an empty result.
    #[inline]
    pub(crate) fn with_caller<R>(self, words: &LevelWords, show: impl FnOnce(Option<&Obj>) -> R) -> R {
        let shown = match self.caller(words) {
            // SAFETY: the interpreter holds its result until another function of it is called; `show` has the value and
            // no interpreter to call one of. The reference is the interpreter's and is not given back here.
            Some(raw) => show(Some(&*ManuallyDrop::new(Obj(raw)))),
            None => show(None),
        };
        self.reset();
        shown
    }

    #[inline]
    fn caller(self, words: &LevelWords) -> Option<*mut RawObj> {
        let raw = self.info_level(&[words.level.0])?;
        let mut level = 0i64;
        let done = tcl!(Tcl_GetWideIntFromObj(ptr::null_mut() => *mut RawInterp, raw => *mut RawObj, &raw mut level => *mut i64) -> c_int);
        if done != code::OK || level < 1 {
            return None;
        }
        self.info_level(&[words.level.0, words.current.0])
    }

    /// Runs `info level`; what it gives is the interpreter's result, and held by that.
    #[inline]
    fn info_level(self, words: &[*mut RawObj]) -> Option<*mut RawObj> {
        let function = INFO_LEVEL.load(Ordering::Relaxed);
        let done = if function == 0 {
            let all: Vec<Obj> =
                [Obj::internal(b"::info")].into_iter().chain(words.iter().map(|w| Obj::share(*w))).collect();
            self.eval_words(&all, 0)
        } else {
            // SAFETY: found by `load` to be a function of this type that Tcl itself holds.
            let function: ObjProc = unsafe { std::mem::transmute(function) };
            // SAFETY: `words` holds good values, which outlive the call.
            unsafe { function(ptr::null_mut(), self.0, words.len() as c_int, words.as_ptr()) }
        };
        (done == code::OK).then(|| tcl!(Tcl_GetObjResult(self.0 => *mut RawInterp) -> *mut RawObj))
    }

    /// Makes a command.
    pub(crate) fn create(self, name: &str, command: Command) {
        self.create_raw(name, run, command as *mut c_void, None);
    }

    /// Makes a command that watches.
    pub(crate) fn create_watcher<S: 'static>(self, name: &str, command: Watcher<S>, state: Rc<S>) {
        let bound = Box::into_raw(Box::new(Bound { command, state }));
        self.create_raw(name, run_bound::<S>, bound.cast(), Some(drop_bound::<S>));
    }

    fn create_raw(self, name: &str, function: ObjProc, data: *mut c_void, delete: Option<DataProc>) {
        let Ok(name) = CString::new(name) else { return };
        tcl!(Tcl_CreateObjCommand(
            self.0 => *mut RawInterp, name.as_ptr() => *const c_char, function => ObjProc,
            data => *mut c_void, delete => Option<DataProc>,
        ) -> *mut c_void);
    }

    fn fail(self, words: &[String], message: &str) -> c_int {
        let words: Vec<Obj> = words.iter().map(|word| Obj::new(word)).collect();
        tcl!(Tcl_SetObjResult(self.0 => *mut RawInterp, Obj::new(message).0 => *mut RawObj));
        if !words.is_empty() {
            tcl!(Tcl_SetObjErrorCode(self.0 => *mut RawInterp, Obj::list(&words).0 => *mut RawObj));
        }
        code::ERROR
    }
}

/// A watching command in one interpreter.
struct Bound<S> {
    command: Watcher<S>,
    state: Rc<S>,
}

/// The words of a command, as Tcl gives them.
///
/// # Safety
///
/// `words` holds `count` values that outlive the result.
#[inline(always)]
unsafe fn borrowed<'w>(count: c_int, words: *const *mut RawObj) -> &'w [Obj] {
    // SAFETY: as above; an `Obj` is a pointer, and a borrowed one is never dropped.
    unsafe { std::slice::from_raw_parts(words.cast::<Obj>(), usize::try_from(count).unwrap_or(0)) }
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
    // SAFETY: Tcl holds the words until the command returns.
    let words = unsafe { borrowed(count, words) };
    interp.guarded(|| {
        command(interp, words).map(|result| {
            tcl!(Tcl_SetObjResult(interp.0 => *mut RawInterp, result.0 => *mut RawObj));
        })
    })
}

/// Runs a watching command for Tcl, which has emptied the result before.
unsafe extern "C" fn run_bound<S: 'static>(
    data: *mut c_void,
    interp: *mut RawInterp,
    count: c_int,
    words: *const *mut RawObj,
) -> c_int {
    // SAFETY: `data` is what `create_watcher` gave, which lives until `drop_bound`.
    let bound = unsafe { &*data.cast::<Bound<S>>() };
    // A trace that the command sets off may delete the command: nothing of `bound` is used after the call.
    let (command, state) = (bound.command, Rc::clone(&bound.state));
    let interp = Interp(interp, PhantomData);
    // SAFETY: Tcl holds the words until the command returns.
    let words = unsafe { borrowed(count, words) };
    interp.guarded(|| command(interp, &state, words))
}

/// Called by Tcl when a watching command is deleted.
unsafe extern "C" fn drop_bound<S: 'static>(data: *mut c_void) {
    // SAFETY: `data` is what `create_watcher` gave, and Tcl calls this once.
    drop(unsafe { Box::from_raw(data.cast::<Bound<S>>()) });
}

impl Interp {
    /// Runs what a command does; a panic ends here.
    #[inline(always)]
    fn guarded(self, body: impl FnOnce() -> Result<(), Failure>) -> c_int {
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(Ok(())) => code::OK,
            Ok(Err(Failure::Script(done))) => done,
            Ok(Err(Failure::Coded(words, message))) => self.fail(&words, &message),
            Err(_) => self.fail(&[], "internal error in twapi_etw"),
        }
    }
}

/// A thread that runs an event loop.
pub(crate) struct Home(*mut c_void);

// SAFETY: Tcl's number of a thread, which its functions below take from any thread; one that has ended is ignored.
unsafe impl Send for Home {}

/// An event of the event loop.
#[repr(C)]
struct Alert {
    process: unsafe extern "C" fn(*mut Alert, c_int) -> c_int,
    next: *mut Alert,
    deliver: fn(u64),
    key: u64,
}

impl Home {
    /// This thread.
    pub(crate) fn here() -> Home {
        Home(tcl!(Tcl_GetCurrentThread() -> *mut c_void))
    }

    /// Makes the thread's event loop call a function.
    pub(crate) fn post(&self, deliver: fn(u64), key: u64) {
        const TAIL: c_int = 0;
        let size = size_of::<Alert>();
        let raw = if is_nine() {
            tcl!(Tcl_Alloc(size => usize) -> *mut Alert)
        } else {
            tcl!(Tcl_Alloc(size as u32 => u32) -> *mut Alert)
        };
        if raw.is_null() {
            return;
        }
        // SAFETY: Tcl gave memory for it, suitable for any type; Tcl frees it when the event is done.
        unsafe { raw.write(Alert { process: run_alert, next: ptr::null_mut(), deliver, key }) };
        tcl!(Tcl_ThreadQueueEvent(self.0 => *mut c_void, raw => *mut Alert, TAIL => c_int));
        tcl!(Tcl_ThreadAlert(self.0 => *mut c_void));
    }
}

/// Called by the event loop. The event is done, unless files are not what is waited for.
unsafe extern "C" fn run_alert(alert: *mut Alert, flags: c_int) -> c_int {
    const FILES: c_int = 1 << 3;
    if flags & FILES == 0 {
        return 0;
    }
    // SAFETY: Tcl gives the event that `post` made.
    let (deliver, key) = unsafe { ((*alert).deliver, (*alert).key) };
    let _ = catch_unwind(|| deliver(key));
    1
}

/// Registers a function for the end of this thread's Tcl, while values are still valid.
pub(crate) fn at_thread_exit(body: fn()) {
    unsafe extern "C" fn call(data: *mut c_void) {
        // SAFETY: `data` is the function given below.
        let body: fn() = unsafe { std::mem::transmute(data) };
        let _ = catch_unwind(body);
    }
    tcl!(Tcl_CreateThreadExitHandler(call => DataProc, body as *mut c_void => *mut c_void));
}

/// Called by Tcl when an interpreter is deleted.
unsafe extern "C" fn interp_deleted(data: *mut c_void, interp: *mut RawInterp) {
    // SAFETY: `data` is the function that `when_deleted` gave.
    let deleted: fn(Interp) = unsafe { std::mem::transmute(data) };
    let _ = catch_unwind(|| deleted(Interp(interp, PhantomData)));
}

/// Prepares the library for an interpreter: finds the stub table and asks for Tcl. `None` when this is no Tcl 8.6 or 9.
///
/// # Safety
///
/// `raw` is null or a Tcl interpreter of this thread.
pub(crate) unsafe fn load(raw: *mut c_void) -> Option<Interp> {
    let raw: *mut RawInterp = raw.cast();
    if raw.is_null() {
        return None;
    }
    // SAFETY: Tcl gives its interpreter; the shape of its beginning is stated above.
    let table = unsafe { (*raw).stubs };
    if table.is_null() {
        return None;
    }
    // SAFETY: as above; the first word of the table identifies the version.
    let nine = match unsafe { (*table).magic }.cast_unsigned() {
        MAGIC_8 => false,
        MAGIC_9 => true,
        _ => return None,
    };
    NINE.store(nine, Ordering::Relaxed);
    TABLE.store(table.cast_mut(), Ordering::Release);
    let found = tcl!(Tcl_PkgRequireEx(raw => *mut RawInterp, c"Tcl".as_ptr() => *const c_char, c"8.6-".as_ptr() => *const c_char, 0 => c_int, ptr::null_mut() => *mut c_void) -> *const c_char);
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
        let found = tcl!(Tcl_GetCommandInfo(self.0 => *mut RawInterp, name.as_ptr() => *const c_char, &raw mut info => *mut CmdInfo) -> c_int);
        if found == 1 && info.native == 1 && info.data.is_null() {
            INFO_LEVEL.store(info.proc_ as usize, Ordering::Relaxed);
        }
    }

    /// Makes a namespace.
    pub(crate) fn create_namespace(self, name: &str) {
        let Ok(name) = CString::new(name) else { return };
        tcl!(Tcl_CreateNamespace(self.0 => *mut RawInterp, name.as_ptr() => *const c_char, ptr::null_mut() => *mut c_void, ptr::null() => *const c_void) -> *mut c_void);
    }

    /// Registers a function for the end of the interpreter.
    pub(crate) fn when_deleted(self, deleted: fn(Interp)) {
        let run: unsafe extern "C" fn(*mut c_void, *mut RawInterp) = interp_deleted;
        tcl!(Tcl_CallWhenDeleted(self.0 => *mut RawInterp, run => unsafe extern "C" fn(*mut c_void, *mut RawInterp), deleted as *mut c_void => *mut c_void));
    }

    /// Says that a package is there.
    pub(crate) fn provide(self, name: &str, version: &str) {
        let (Ok(name), Ok(version)) = (CString::new(name), CString::new(version)) else { return };
        tcl!(Tcl_PkgProvideEx(self.0 => *mut RawInterp, name.as_ptr() => *const c_char, version.as_ptr() => *const c_char, ptr::null() => *const c_void) -> c_int);
    }
}
