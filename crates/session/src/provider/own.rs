//! Functions of adapters that write events, which are left out of the stacks of these events.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::sys;

/// The addresses of these functions; 0 where there is none.
static FUNCTIONS: [AtomicUsize; 32] = [const { AtomicUsize::new(0) }; 32];

/// Leaves a function out of the stacks of the events that it writes. Without room for its address it stays in them.
pub(super) fn leave_out(function: *const ()) {
    let address = function.addr();
    for place in &FUNCTIONS {
        match place.compare_exchange(0, address, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return,
            Err(found) if found == address => return,
            Err(_) => {}
        }
    }
}

/// The return addresses of a stack, innermost first, without those in functions that are left out at its begin.
pub(super) fn without(frames: &[u64]) -> &[u64] {
    let is_own = |frame: &u64| {
        // The address is behind the call, which may be the function's last instruction.
        let function = sys::function_of(frame.wrapping_sub(1));
        function != 0 && FUNCTIONS.iter().any(|own| own.load(Ordering::Relaxed) == function)
    };
    let first = frames.iter().position(|frame| !is_own(frame)).unwrap_or(frames.len());
    frames.get(first..).unwrap_or_default()
}

#[cfg(test)]
#[cfg(target_env = "gnu")]
mod tests {
    use super::*;

    #[inline(never)]
    fn outer(frames: &mut [u64; 64]) -> usize {
        std::hint::black_box(inner(frames))
    }

    #[inline(never)]
    fn inner(frames: &mut [u64; 64]) -> usize {
        std::hint::black_box(sys::call_stack(frames).len())
    }

    #[test]
    fn issue_21_functions_of_adapters_are_left_out_of_stacks() {
        let mut frames = [0; 64];
        let count = outer(&mut frames);
        let stack = &frames[..count];
        let named = |function: fn(&mut [u64; 64]) -> usize| (function as *const ()).addr();
        assert_eq!(
            [stack[0], stack[1]].map(|frame| sys::function_of(frame - 1)),
            [named(inner), named(outer)]
        );
        assert_eq!(without(stack), stack);
        // A function that is not the innermost one stays while others are inside it.
        leave_out(outer as *const ());
        assert_eq!(without(stack), stack);
        leave_out(inner as *const ());
        leave_out(inner as *const ());
        assert_eq!(without(stack), &stack[2..]);
        assert_eq!(without(&[]), [0; 0]);
        assert_eq!(without(&[1, 2]), [1, 2], "addresses without code");
        // More functions than there is room for.
        for number in 0..100_usize {
            leave_out(std::ptr::without_provenance(number + 1));
        }
        assert_eq!(without(stack), &stack[2..]);
    }
}
