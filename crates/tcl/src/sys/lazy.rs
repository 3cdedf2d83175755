//! Values that are made when a script looks at them.
//!
//! Such a value holds its [`Deferred`] source and a number, which take two words of Tcl's value. Tcl asks for its string when it is
//! first used; a command of this library can ask what it is instead, and then nothing is made.
//!
//! In both major versions a value has, in this order: its number of references, string, length of the string, type and two words of
//! the type's own. A length is an `int` in 8.6, in the place of a `ptrdiff_t`. A type begins with its name and four functions; what
//! Tcl 9 has after them begins with a version, which is 0 here and says that there is no more.

use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::rc::Rc;

use super::{Obj, RawObj, is_nine, slot, slots};

/// What values are made from.
pub(crate) trait Deferred: 'static {
    /// The value with this number.
    fn value(&self, at: usize) -> Obj;
    /// The source itself, for [`Held::source`].
    fn as_any(&self) -> &dyn Any;
}

/// A source behind a thin pointer.
pub(crate) struct Held(Box<dyn Deferred>);

/// The beginning of a value.
#[repr(C)]
struct Head {
    references: isize,
    string: *mut u8,
    length: isize,
    kind: *const Kind,
    source: *const Held,
    at: usize,
}

type Function = unsafe extern "C" fn(*mut RawObj);

/// A type of values.
#[repr(C)]
struct Kind {
    name: *const c_char,
    free: Option<Function>,
    copy: Option<unsafe extern "C" fn(*mut RawObj, *mut RawObj)>,
    write: Option<Function>,
    set: Option<unsafe extern "C" fn(*mut c_void, *mut RawObj) -> c_int>,
    version: usize,
    rest: [usize; 8],
}

// SAFETY: it is never written.
unsafe impl Sync for Kind {}

static KIND: Kind = Kind {
    name: c"etwrecord".as_ptr(),
    free: Some(free),
    copy: Some(copy),
    write: Some(write),
    set: None,
    version: 0,
    rest: [0; 8],
};

/// Drops the source. Called by Tcl when the value ends or becomes one of another type.
unsafe extern "C" fn free(raw: *mut RawObj) {
    let head = raw.cast::<Head>();
    // SAFETY: Tcl calls this for values of `KIND` only, whose source `Obj::lazy` or `copy` has set, once for each.
    let source = unsafe { Rc::from_raw((*head).source) };
    // SAFETY: as above.
    unsafe { (*head).kind = ptr::null() };
    let _ = catch_unwind(AssertUnwindSafe(|| drop(source)));
}

/// Makes a new value like this one. Tcl has copied the string, if there is one.
unsafe extern "C" fn copy(from: *mut RawObj, to: *mut RawObj) {
    let (from, to) = (from.cast::<Head>(), to.cast::<Head>());
    // SAFETY: Tcl gives a value of `KIND` and a new one without a type; the source is held once more for it.
    unsafe {
        Rc::increment_strong_count((*from).source);
        (*to).source = (*from).source;
        (*to).at = (*from).at;
        (*to).kind = &raw const KIND;
    }
}

/// Writes the string of a value that has none.
unsafe extern "C" fn write(raw: *mut RawObj) {
    let head = raw.cast::<Head>();
    // SAFETY: Tcl calls this for values of `KIND`, which hold their source; it is held once more meanwhile.
    let (source, at) = unsafe {
        Rc::increment_strong_count((*head).source);
        (Rc::from_raw((*head).source), (*head).at)
    };
    let made = catch_unwind(AssertUnwindSafe(|| source.0.value(at))).unwrap_or_else(|_| Obj::empty());
    let text = made.as_internal();
    let size = text.len();
    let string: *mut u8 = if is_nine() {
        tcl!(Tcl_Alloc(size + 1 => usize) -> *mut u8)
    } else {
        tcl!(Tcl_Alloc((size + 1) as u32 => u32) -> *mut u8)
    };
    // SAFETY: Tcl gave memory of this size (it ends the process where there is none), and frees it with the value.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), string, size);
        string.add(size).write(0);
        (*head).string = string;
        if is_nine() {
            (*head).length = size as isize;
        } else {
            (&raw mut (*head).length).cast::<c_int>().write(size as c_int);
        }
    }
}

impl Held {
    /// Holds a source for its values.
    pub(crate) fn new(source: impl Deferred) -> Rc<Held> {
        Rc::new(Held(Box::new(source)))
    }

    /// The source, if it is of this type.
    pub(crate) fn source<S: 'static>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }
}

impl Obj {
    /// A value that is made when it is used. If it is then used as a list, it stays one.
    pub(crate) fn lazy(source: &Rc<Held>, at: usize) -> Obj {
        let raw = tcl!(Tcl_NewObj() -> *mut RawObj);
        let head = raw.cast::<Head>();
        // SAFETY: a new value, which has no type, and a string that is not its own; nothing else has it yet.
        unsafe {
            (*head).string = ptr::null_mut();
            (*head).source = Rc::into_raw(Rc::clone(source));
            (*head).at = at;
            (*head).kind = &raw const KIND;
        }
        Obj::share(raw)
    }

    /// The source and number of a [lazy](Obj::lazy) value that has not become another.
    pub(crate) fn deferred(&self) -> Option<(Rc<Held>, usize)> {
        let head = self.0.cast::<Head>();
        // SAFETY: the value is alive, and one of `KIND` holds its source.
        unsafe {
            if !ptr::eq((*head).kind, &raw const KIND) {
                return None;
            }
            Rc::increment_strong_count((*head).source);
            Some((Rc::from_raw((*head).source), (*head).at))
        }
    }
}
