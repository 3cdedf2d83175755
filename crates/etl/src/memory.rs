//! Memory asked for before it is needed.

#![allow(unsafe_code)]

/// Asks for the memory at `at` of `bytes`, which may lie outside of them: a hint that changes nothing.
#[inline(always)]
pub(crate) fn ask(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch does not read memory as far as the program can observe, and is ignored for unmapped addresses; SSE
    // is part of every x86-64 processor.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}
