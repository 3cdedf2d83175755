//! A wall between damaged symbol files and the program: whatever a parser of theirs does, only its answer
//! is lost.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Returns `true` if this thread is reading a symbol file. A panic is then caught and counted as damage,
/// so a panic hook should not report it.
#[must_use]
pub fn is_reading_symbols() -> bool {
    INSIDE.get() > 0
}

/// Leaves the guarded part also when it unwinds.
struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get().saturating_sub(1));
    }
}

/// Runs a parser; [`None`] when it panicked. What it left half done must not be used again.
pub(crate) fn guarded<T>(parse: impl FnOnce() -> T) -> Option<T> {
    INSIDE.set(INSIDE.get() + 1);
    let inside = Inside;
    let answer = catch_unwind(AssertUnwindSafe(parse)).ok();
    drop(inside);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_loses_the_answer_only() {
        assert_eq!(guarded(|| 3), Some(3));
        assert!(!is_reading_symbols());
        let inside = guarded(|| {
            let seen = is_reading_symbols();
            assert!(guarded(|| assert!(!is_reading_symbols(), "as a parser may")).is_none());
            (seen, is_reading_symbols())
        });
        assert_eq!(inside, Some((true, true)));
        assert!(!is_reading_symbols());
    }
}
