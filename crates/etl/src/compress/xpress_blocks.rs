//! The inner loop of XPRESS: copies whole blocks where input and output have room for them.
//!
//! One of the two files of this crate with `unsafe`: with every access checked the loop takes half as long again
//! (measured on real traces; see benches/README.md). It walks two pointers; what keeps them inside is said
//! where it happens, and asserted in debug builds, so the tests and the fuzz targets check it.

#![allow(unsafe_code)]

use super::ExpandError;
use super::xpress::{DONE, MIN_MATCH, State, longest};

/// So many bytes are copied at once,
const BLOCK: usize = 16;

/// at least so many for each match,
const BLOCKS: usize = 2 * BLOCK;

/// and so many at each step of a longer one.
const STEP: usize = 4 * BLOCK;

/// No group of flags reads beyond this: 4 bytes of flags and 32 tokens of at most 10 bytes (324), and then at most 32
/// literals or one word that are read as a whole.
const GROUP_INPUT: usize = 4 + 32 * 10 + 32;

/// Room in the output before a token: for its literals (32, copied as a whole), and for a match of
/// [`BLOCKS`] after them; longer matches are checked on their own, and end at most a [`STEP`] late.
const ROOM: usize = 32 + BLOCKS + STEP;

/// The flags of a group when none are left: they are read from the top, with one set bit after the last.
const TOP: u64 = 1 << 63;

/// By period of a repeating match: what to multiply its bytes with so that they fill 8; 0 where 8 is no multiple.
const FACTORS: [u64; BLOCK] = {
    let mut factors = [0; BLOCK];
    factors[1] = 0x0101_0101_0101_0101;
    factors[2] = 0x0001_0001_0001_0001;
    factors[4] = 0x0000_0001_0000_0001;
    factors[8] = 1;
    factors
};

/// The bytes that are read or written, to look at in debug builds.
#[derive(Clone, Copy)]
struct Span {
    start: *const u8,
    end: *const u8,
}

impl Span {
    fn of(bytes: &[u8]) -> Span {
        let std::ops::Range { start, end } = bytes.as_ptr_range();
        Span { start, end }
    }

    /// Whether `count` bytes at `at` are inside.
    fn holds(self, at: *const u8, count: usize) -> bool {
        at >= self.start && at <= self.end && self.end as usize - at as usize >= count
    }
}

/// The `N` bytes at `at`.
///
/// # Safety
///
/// They must be inside `span`, whose bytes can be read.
#[inline(always)]
unsafe fn load<const N: usize>(span: Span, at: *const u8) -> [u8; N] {
    debug_assert!(span.holds(at, N));
    // SAFETY: the bytes are inside by the condition of this function; an array of bytes has no alignment.
    unsafe { at.cast::<[u8; N]>().read() }
}

/// Puts `N` bytes at `at`.
///
/// # Safety
///
/// They must be inside `span`, whose bytes can be written.
#[inline(always)]
unsafe fn store<const N: usize>(span: Span, at: *mut u8, block: [u8; N]) {
    debug_assert!(span.holds(at, N));
    // SAFETY: as for `load`.
    unsafe { at.cast::<[u8; N]>().write(block) }
}

/// Expands while both input and output have room for reading and writing more than is used.
///
/// Ends between tokens, or inside a group of flags before one; the careful loop goes on from there.
pub(super) fn expand(input: &[u8], output: &mut [u8], state: &mut State) -> Result<(), ExpandError> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
    {
        /// The same, with the instructions of newer processors.
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
        fn newer(input: &[u8], output: &mut [u8], state: &mut State) -> Result<(), ExpandError> {
            // SAFETY: AVX2 includes SSSE3.
            unsafe { expand_here::<true>(input, output, state) }
        }
        // SAFETY: the processor has the features.
        return unsafe { newer(input, output, state) };
    }
    expand_anywhere(input, output, state)
}

/// As [`expand`], on any processor.
pub(super) fn expand_anywhere(input: &[u8], output: &mut [u8], state: &mut State) -> Result<(), ExpandError> {
    // SAFETY: nothing is asked of the processor.
    unsafe { expand_here::<false>(input, output, state) }
}

/// Writes a match of `length` that overlaps itself within a block.
///
/// # Safety
///
/// As for all copies of [`expand_here`].
#[inline(always)]
unsafe fn repeat(written: Span, to: *mut u8, source: *mut u8, distance: usize, length: usize) {
    // SAFETY: by the condition of this function.
    unsafe {
        if FACTORS[distance] != 0 {
            // The first `distance` bytes, repeated over a block.
            let word = u64::from_le_bytes(load(written, source));
            let period = word & (u64::MAX >> ((64 - 8 * distance as u32) & 63));
            let filled = u128::from(period.wrapping_mul(FACTORS[distance]));
            let block = (filled << 64 | filled).to_le_bytes();
            store::<BLOCK>(written, to, block);
            let mut done = BLOCK;
            while done < length {
                store::<BLOCK>(written, to.add(done), block);
                done += BLOCK;
            }
        } else {
            for at in 0..length {
                store::<1>(written, to.add(at), load(written, source.add(at)));
            }
        }
    }
}

/// On other processors nothing is newer.
#[cfg(not(target_arch = "x86_64"))]
use repeat as repeat_shuffled;

/// The same by shuffling bytes.
///
/// # Safety
///
/// As for [`repeat`]; and the processor must have SSSE3.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn repeat_shuffled(written: Span, to: *mut u8, source: *mut u8, distance: usize, length: usize) {
    use std::arch::x86_64::{__m128i, _mm_shuffle_epi8};
    use std::mem::transmute;
    /// By distance: which byte of the source goes where in a block;
    static SHUFFLES: [[u8; BLOCK]; BLOCK] = {
        let mut shuffles = [[0; BLOCK]; BLOCK];
        let mut distance = 1;
        while distance < BLOCK {
            let mut at = 0;
            while at < BLOCK {
                shuffles[distance][at] = (at % distance) as u8;
                at += 1;
            }
            distance += 1;
        }
        shuffles
    };
    /// and the least multiple of it that is not below a block: later blocks do not overlap what is that far before them.
    static MULTIPLES: [u8; BLOCK] = {
        let mut multiples = [0; BLOCK];
        let mut distance = 1;
        while distance < BLOCK {
            multiples[distance] = (distance * BLOCK.div_ceil(distance)) as u8;
            distance += 1;
        }
        multiples
    };
    // SAFETY: by the conditions of this function; all patterns of bits are values of the types.
    unsafe {
        let bytes = transmute::<[u8; BLOCK], __m128i>(load::<BLOCK>(written, source));
        let shuffle = transmute::<[u8; BLOCK], __m128i>(SHUFFLES[distance]);
        let block = transmute::<__m128i, [u8; BLOCK]>(_mm_shuffle_epi8(bytes, shuffle));
        store::<BLOCK>(written, to, block);
        // This may be before the output; what is read is a block later.
        let before = to.wrapping_sub(usize::from(MULTIPLES[distance]));
        let mut done = BLOCK;
        while done < length {
            store::<BLOCK>(written, to.add(done), load(written, before.wrapping_add(done)));
            done += BLOCK;
        }
    }
}

/// # Safety
///
/// With `NEWER` the processor must have SSSE3.
#[inline(always)]
unsafe fn expand_here<const NEWER: bool>(
    input: &[u8],
    output: &mut [u8],
    state: &mut State,
) -> Result<(), ExpandError> {
    if state.flags != DONE || input.len() < GROUP_INPUT || output.len() < ROOM {
        return Ok(());
    }
    // What keeps a wrong state from becoming a wrong pointer.
    let (from, to) = (state.from.min(input.len()), state.to.min(output.len()));
    let (read, written) = (Span::of(input), Span::of(output));
    let base = output.as_mut_ptr();
    // SAFETY: both are inside, as was just checked.
    let (last_group, last_room) =
        unsafe { (read.start.add(input.len() - GROUP_INPUT), base.add(output.len() - ROOM)) };
    // SAFETY: so are these.
    let (mut from, mut to) = unsafe { (read.start.add(from), base.add(to)) };
    // The half of a byte that waits, with 16 added; 0 when there is none.
    let mut held = state.half.map_or(0, |half| u32::from(half) | 16);
    let mut flags = TOP;
    // In this loop `from` stays below `last_group + 324`, as GROUP_INPUT explains, so that loads of up to 32 bytes at
    // `from` are inside the input; and `to` is at most `last_room` before the literals of a token, 32 more after them.
    'groups: while from <= last_group {
        // SAFETY: `from + 4` is inside the input.
        unsafe {
            flags = u64::from(u32::from_le_bytes(load(read, from))) << 32 | TOP >> 32;
            from = from.add(4);
        }
        loop {
            if to > last_room {
                break 'groups;
            }
            let run = flags.leading_zeros() as usize;
            // SAFETY: inside the input as said above; `to + 32` is inside the output since `to <= last_room`. A
            // group has 32 flags, so `run` is at most 32.
            unsafe {
                store::<BLOCK>(written, to, load(read, from));
                if run > BLOCK {
                    store::<BLOCK>(written, to.add(BLOCK), load(read, from.add(BLOCK)));
                }
                from = from.add(run);
                to = to.add(run);
            }
            flags <<= run;
            if flags == TOP {
                break;
            }
            // SAFETY: inside the input as said above.
            let word = u64::from_le_bytes(unsafe { load(read, from) });
            let distance = (word as usize >> 3 & 0x1FFF) + 1;
            let mut length = (word & 7) as usize + MIN_MATCH;
            let mut used = 2;
            let mut waits = held;
            if word & 7 == 7 {
                let byte = (word >> 16) as u32;
                let fresh = held == 0;
                waits = if fresh { byte >> 4 & 15 | 16 } else { 0 };
                used += usize::from(fresh);
                length += (if fresh { byte } else { held } & 15) as usize;
                if length == 7 + 15 + MIN_MATCH {
                    // The word still holds the byte: it is at most its fourth.
                    let byte = (word >> (8 * used)) as u8;
                    used += 1;
                    length += usize::from(byte);
                    if byte == 255 {
                        let at = from as usize - read.start as usize;
                        let mut next = at + used;
                        length =
                            longest(input, &mut next, to as usize - base as usize)?.saturating_add(MIN_MATCH);
                        used = next - at;
                    }
                }
            }
            if distance > to as usize - base as usize {
                return Err(ExpandError::BadOffset { produced: to as usize - base as usize });
            }
            // After the literals `to` is at most `last_room + 32`, so a match of BLOCKS has its room and a STEP more.
            if length > BLOCKS && length > (last_room as usize).saturating_sub(to as usize) {
                // The careful loop does this token, from its start.
                break 'groups;
            }
            held = waits;
            flags <<= 1;
            // SAFETY: at most 10 bytes are used, all read before; `distance` was checked above. For all that follows:
            // writes end before `to + max(BLOCKS, length + STEP)`, which the check above keeps inside the output;
            // reads are of places before those.
            unsafe {
                from = from.add(used);
                let source = to.sub(distance);
                if distance >= BLOCK {
                    // Blocks do not overlap their source; the excess is overwritten later.
                    store::<BLOCK>(written, to, load(written, source));
                    store::<BLOCK>(written, to.add(BLOCK), load(written, source.add(BLOCK)));
                    if length > BLOCKS {
                        // Many blocks at each step: the end of a loop is a guess of the processor's that costs more
                        // than copying too much.
                        let end = to.add(length);
                        let (mut source, mut to) = (source.add(BLOCKS), to.add(BLOCKS));
                        while to < end {
                            for block in 0..STEP / BLOCK {
                                let at = block * BLOCK;
                                store::<BLOCK>(written, to.add(at), load(written, source.add(at)));
                            }
                            (source, to) = (source.add(STEP), to.add(STEP));
                        }
                    }
                } else if NEWER {
                    repeat_shuffled(written, to, source, distance, length);
                } else {
                    repeat(written, to, source, distance, length);
                }
                to = to.add(length);
            }
        }
    }
    let half = (held != 0).then_some(held as u8 & 15);
    let (from, to) = (from as usize - read.start as usize, to as usize - base as usize);
    *state = State { from, to, flags: flags.reverse_bits(), half };
    Ok(())
}
