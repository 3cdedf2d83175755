//! The inner loop of XPRESS: copies whole blocks where input and output have room for them, and computes what a token
//! says where a branch would be guessed wrong too often.
//!
//! A file of this crate with `unsafe`: it walks two pointers, with the room for a whole group of tokens proven before it. What
//! keeps them inside is said where it happens, and asserted in debug builds, so the tests and the fuzz targets check it.
//! benches/README.md has what was measured.
//!
//! # How a match is read
//!
//! How long a match is takes up to three bytes after its token to say, and half of one of them may have come before. Branches on
//! that are wrong for every third match of a real trace, and each costs as much as five matches do. So all is looked up in
//! [`TOKENS`], by the low bits of the token and the half byte that would belong to it. That takes longer than one match may
//! take, as the next token is only found after it; so the word at the next token is read before it is known where that is,
//! from just before the first place it can be at, and shifted.
//!
//! Matches that are longer than a block or overlap themselves within one are one in ten. Only there are branches.

#![allow(unsafe_code)]

use super::xpress_format::{MIN_MATCH, State, WINDOW};
use std::hint::{black_box, select_unpredictable as select};
use std::ptr;

/// Number of literals that are copied at once,
const LITERALS: usize = 16;

/// so many bytes for each match,
const BLOCK: usize = 32;

/// and so many at each step of a longer one.
const STEP: usize = 2 * BLOCK;

/// Bytes of a group of flags with 32 of the longest tokens.
const GROUP: usize = 4 + 32 * 10;

/// No group of flags reads beyond this: after its tokens at most 32 literals, or a token of 2 bytes, 32 literals and a word,
/// are read as a whole.
pub(super) const GROUP_INPUT: usize = GROUP + 2 + 32 + 8;

/// Room in the output before a token: for its literals (32, copied as a whole), and for a match of a [`BLOCK`] after them;
/// longer matches are checked on their own, and end at most a [`STEP`] late.
const ROOM: usize = 32 + BLOCK + STEP;

/// Flags are read from the top; this one set bit comes after the 32 of a group.
const LAST_FLAG: u64 = 1 << 31;

/// The decoded form of a match token, including the half byte that belongs to it if it is long.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Token {
    /// Which bits of the word at the token are added to the length: the first of them in the low byte, their number in the high
    /// byte. Zero except for a match with a byte of length, which is the last byte that the match uses. So the value is also
    /// the shift to apply to a word read one byte after the token, to get the data after the match.
    last_byte: u16,
    /// Bytes of input.
    used: u8,
    /// Length of the match less one, without what a further byte adds.
    length: u8,
    /// The bits of [`Position::bits`] that this token changes.
    toggled: u32,
}

/// Three bits that are all set say that half a byte follows or waits.
const LONG: usize = 7;

/// Length less one of a match with all bits of length set, the half byte and the byte too.
const LONGEST: usize = LONG + 15 + 255 + MIN_MATCH - 1;

/// The bits of a word at a token that choose what it says, where no half byte waits: those of length, and the half byte after the
/// token.
const FRESH_BITS: u64 = HALF_BITS | LONG as u64;

/// The half byte after the token.
const HALF_BITS: u64 = 15 << 16;

/// Bytes of a row of [`TOKENS`], one for each value of the low bits of a token.
const ROW: usize = 8 * size_of::<Token>();

/// By how much a half byte in its place in [`HALF_BITS`] is shifted to count rows in bytes.
const ROW_SHIFT: u32 = 16 - ROW.trailing_zeros();

/// Start of the rows for a pending half byte: twice the bits of a row without one, which saves a step.
const HELD: usize = (2 * FRESH_BITS as usize) >> ROW_SHIFT;

/// By half byte and low bits of the token: first for one that is still to be read, then, at [`HELD`], for one that waits.
static TOKENS: [Token; (HELD + 16 * ROW) / size_of::<Token>()] = {
    let none = Token { last_byte: 0, used: 0, length: 0, toggled: 0 };
    let mut tokens = [none; (HELD + 16 * ROW) / size_of::<Token>()];
    let mut at = 0;
    while at < 2 * 16 * 8 {
        let (held, half, low) = (at / (16 * 8), at / 8 % 16, at % 8);
        let long = low == LONG;
        let more = long && half == 15;
        let half_read = (long && held == 0) as u8;
        let used = 2 + half_read + more as u8;
        let bits = if more { 8 } else { 0 };
        tokens[held * HELD / size_of::<Token>() + half * 8 + low] = Token {
            last_byte: (bits << 8) | (8 * (used as u16 - 1)),
            used,
            length: (low + MIN_MATCH - 1 + if long { half } else { 0 }) as u8,
            toggled: if long { HALF_BITS as u32 } else { 0 },
        };
        at += 1;
    }
    tokens
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

    /// Returns `true` if `count` bytes at `at` are inside.
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

/// Copies `N` bytes, all read before any is written.
///
/// # Safety
///
/// Source and target must be inside their spans, whose bytes can be read and written.
#[inline(always)]
unsafe fn copy<const N: usize>(read: Span, source: *const u8, written: Span, to: *mut u8) {
    debug_assert!(read.holds(source, N) && written.holds(to, N));
    // SAFETY: by the condition of this function.
    unsafe { ptr::copy(source, to, N) }
}

/// Expands groups of flags while both input and output have room for reading and writing more than is used, and nothing is
/// wrong. The careful loop goes on from there.
pub(super) fn expand(input: &[u8], output: &mut [u8], state: &mut State) {
    // The first processors of AMD with BMI2 take 20 cycles and more to gather bits; those with VAES do not.
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("vaes") {
        return expand_newer::<true>(input, output, state);
    }
    expand_newer::<false>(input, output, state);
}

/// As [`expand`], with the instructions of newer processors where this is one, and that which gathers bits if it `GATHERS`.
pub(super) fn expand_newer<const GATHERS: bool>(input: &[u8], output: &mut [u8], state: &mut State) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
        fn newer<const GATHERS: bool>(input: &[u8], output: &mut [u8], state: &mut State) {
            // SAFETY: AVX2 includes SSSE3.
            unsafe { expand_here::<true, GATHERS>(input, output, state) };
        }
        // SAFETY: the processor has the features.
        unsafe { newer::<GATHERS>(input, output, state) };
        return;
    }
    expand_anywhere(input, output, state);
}

/// As [`expand`], on any processor.
pub(super) fn expand_anywhere(input: &[u8], output: &mut [u8], state: &mut State) {
    // SAFETY: this variant uses no optional processor features.
    unsafe { expand_here::<false, false>(input, output, state) };
}

/// Bytes that are shuffled at once.
const LANE: usize = 16;

/// By period of a match that repeats itself within a lane: which byte of the source goes where,
static SHUFFLES: [[u8; LANE]; LANE] = {
    let mut shuffles = [[0; LANE]; LANE];
    let mut distance = 1;
    while distance < LANE {
        let mut at = 0;
        while at < LANE {
            shuffles[distance][at] = (at % distance) as u8;
            at += 1;
        }
        distance += 1;
    }
    shuffles
};

/// and the least multiple of it that is not below a lane: later lanes do not overlap what is that far before them.
static MULTIPLES: [u8; LANE] = {
    let mut multiples = [0; LANE];
    let mut distance = 1;
    while distance < LANE {
        multiples[distance] = (distance * LANE.div_ceil(distance)) as u8;
        distance += 1;
    }
    multiples
};

/// The first [`LANE`] bytes of a match that overlaps itself within them.
///
/// # Safety
///
/// `source` and a lane after it must be inside `written`; with `NEWER` the processor must have SSSE3.
#[inline(always)]
unsafe fn first_lane<const NEWER: bool>(written: Span, source: *const u8, distance: usize) -> [u8; LANE] {
    // SAFETY: by the condition of this function.
    let bytes = unsafe { load::<LANE>(written, source) };
    let shuffle = &SHUFFLES[distance % LANE];
    #[cfg(target_arch = "x86_64")]
    if NEWER {
        use std::arch::x86_64::{__m128i, _mm_shuffle_epi8};
        use std::mem::transmute;
        // SAFETY: the processor has SSSE3; all patterns of bits are values of the types.
        return unsafe {
            let shuffled = _mm_shuffle_epi8(
                transmute::<[u8; LANE], __m128i>(bytes),
                transmute::<[u8; LANE], __m128i>(*shuffle),
            );
            transmute::<__m128i, [u8; LANE]>(shuffled)
        };
    }
    shuffle.map(|from| bytes[usize::from(from) % LANE])
}

/// Writes a match of `length` that overlaps itself within a [`BLOCK`].
///
/// # Safety
///
/// `distance` bytes before `to`, and `length` and a lane after it, must be inside `written`, whose bytes can be written; with
/// `NEWER` the processor must have SSSE3.
#[inline(always)]
unsafe fn repeat<const NEWER: bool>(written: Span, to: *mut u8, distance: usize, length: usize) {
    // SAFETY: writes end less than a lane after `length`; reads are of places before those that are written. `before` may be
    // before the output, but what is read is a lane later.
    unsafe {
        let source = to.sub(distance);
        let (mut done, before) = if distance < LANE {
            let lane = first_lane::<NEWER>(written, source, distance);
            copy::<LANE>(Span::of(&lane), lane.as_ptr(), written, to);
            (LANE, to.wrapping_sub(usize::from(MULTIPLES[distance])))
        } else {
            (0, source)
        };
        while done < length {
            copy::<LANE>(written, before.wrapping_add(done), written, to.add(done));
            done += LANE;
        }
    }
}

/// The position of the loop: before a group of flags or a token.
#[derive(Clone, Copy)]
struct Position {
    from: *const u8,
    to: *mut u8,
    /// The first row of [`TOKENS`] for the next match,
    rows: *const u8,
    /// and the bits of the word at it that say which token it is there: [`FRESH_BITS`], or [`LONG`] when a half byte waits.
    bits: u64,
}

/// The bits of `word` that `mask` names, moved together. The mask is one of those that [`Position::bits`] may be.
///
/// # Safety
///
/// To `GATHER` them by one instruction the processor must have BMI2.
#[inline(always)]
unsafe fn gather<const GATHERS: bool>(word: u64, mask: u64) -> usize {
    #[cfg(target_arch = "x86_64")]
    if GATHERS {
        // SAFETY: by the condition of this function.
        return unsafe { std::arch::x86_64::_pext_u64(word, mask) as usize };
    }
    let word = word & mask;
    ((word & LONG as u64) | (word >> 13)) as usize
}

/// The bits of `word` that [`Token::last_byte`] names.
///
/// # Safety
///
/// With `NEWER` the processor must have BMI1.
#[inline(always)]
unsafe fn extract<const NEWER: bool>(word: u64, last_byte: u16) -> usize {
    #[cfg(target_arch = "x86_64")]
    if NEWER {
        // SAFETY: by the condition of this function.
        return unsafe { std::arch::x86_64::_bextr2_u64(word, last_byte.into()) as usize };
    }
    // There are 8 bits or none.
    (word >> (last_byte & 63)) as usize & if last_byte >> 8 == 0 { 0 } else { 0xFF }
}

/// `value`, computed here and not later: what the compiler puts off until after the branch for long matches keeps more values
/// waiting than there are registers for.
#[inline(always)]
fn settle<const NEWER: bool>(value: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if NEWER {
        let mut value = value;
        // SAFETY: no instructions, so nothing happens.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags))
        };
        return value;
    }
    value
}

/// # Safety
///
/// With `NEWER` or `GATHERS` the processor must have SSSE3, BMI1 and BMI2.
#[inline(always)]
unsafe fn expand_here<const NEWER: bool, const GATHERS: bool>(
    input: &[u8],
    output: &mut [u8],
    state: &mut State,
) {
    let Some((last_group, last_room)) =
        input.len().checked_sub(GROUP_INPUT).zip(output.len().checked_sub(ROOM))
    else {
        return;
    };
    // The address, so that no place before the output goes round to the other end of memory.
    if state.from > last_group || state.to > last_room || output.as_ptr().addr() < WINDOW {
        return;
    }
    let (read, written) = (Span::of(input), Span::of(output));
    let base = output.as_mut_ptr();
    // SAFETY: all are inside, as was just checked.
    let (last_group, last_room, from, to) = unsafe {
        (read.start.add(last_group), base.add(last_room), read.start.add(state.from), base.add(state.to))
    };
    let fresh = TOKENS.as_ptr().cast::<u8>();
    let (rows, bits) = match state.half {
        None => (fresh, FRESH_BITS),
        Some(held) => (fresh.wrapping_add(HELD + usize::from(held & 15) * ROW), LONG as u64),
    };
    // SAFETY: `from` is at most `last_group`, and `to` at most `last_room`, as was just checked.
    let group = unsafe {
        expand_groups::<NEWER, GATHERS>(
            read,
            written,
            last_group,
            last_room,
            Position { from, to, rows, bits },
        )
    };
    // The careful loop continues with the group that was not finished here.
    *state = State {
        from: group.from as usize - read.start as usize,
        to: group.to as usize - base as usize,
        half: (group.bits != FRESH_BITS)
            .then(|| ((group.rows as usize - fresh as usize - HELD) / ROW) as u8 & 15),
    };
}

/// Copies a match of `length + 1` bytes from `source` to `to`, whose first BLOCK is there. Distances are less one.
///
/// The places are hidden from the compiler, which would unroll these loops for the longest of matches and take the
/// registers for it from all the others.
///
/// # Safety
///
/// All of the match and a STEP after it must be inside `written`, and `source` be `distance + 1` before `to`.
#[inline(always)]
unsafe fn copy_on<const NEWER: bool>(
    written: Span,
    source: *mut u8,
    to: *mut u8,
    distance: usize,
    length: usize,
) {
    // SAFETY: by the conditions of this function; reads are of places before those that are written.
    unsafe {
        if distance + 1 < BLOCK {
            repeat::<NEWER>(written, black_box(to), distance + 1, length + 1);
            return;
        }
        let (mut source, mut at) = (source, black_box(to));
        let end = at.add(length);
        // The end of a loop is a guess of the processor's that costs more than copying too much.
        loop {
            (source, at) = (source.add(BLOCK), at.add(BLOCK));
            copy::<BLOCK>(written, source, written, at);
            (source, at) = (source.add(BLOCK), at.add(BLOCK));
            copy::<BLOCK>(written, source, written, at);
            if black_box(at.wrapping_add(BLOCK)) > end {
                break;
            }
        }
    }
}

/// Expands groups of flags from `start` on. Returns the position of the first group that was not
/// expanded.
///
/// # Safety
///
/// `last_group + GROUP_INPUT` must be the end of `read`, and `last_room + ROOM` that of `written`, whose bytes can be read and
/// written, `start` not after them, and its rows and bits those of a half byte or of none; with `NEWER` or `GATHERS` the
/// processor must have SSSE3, BMI1 and BMI2.
#[inline(always)]
unsafe fn expand_groups<const NEWER: bool, const GATHERS: bool>(
    read: Span,
    written: Span,
    last_group: *const u8,
    last_room: *mut u8,
    start: Position,
) -> Position {
    let fresh = TOKENS.as_ptr().cast::<u8>();
    let base = written.start;
    let Position { mut from, mut to, mut rows, mut bits } = start;
    // The flags of a group, or the token at `from` and the bytes after it, 5 at least.
    // SAFETY: `from` is at most `last_group`.
    let mut word = u64::from_le_bytes(unsafe { load(read, from) });
    // In this loop `from` is at most `last_group + GROUP`, so that loads of what GROUP_INPUT names are inside the input; and
    // `to` is at most `last_room` before the literals of a token, 32 more after them.
    'groups: loop {
        let group = Position { from, to, rows, bits };
        if from > last_group {
            return group;
        }
        let mut flags = word << 32 | LAST_FLAG;
        // Literals before the next match or the end of the group. A group has 32 flags, so they are at most 32.
        let mut run = flags.leading_zeros() as usize;
        // SAFETY: inside the input as said above.
        unsafe {
            from = from.add(4);
            word = u64::from_le_bytes(load(read, from.add(run)));
        }
        loop {
            if to > last_room {
                return group;
            }
            // SAFETY: inside the input as said above; `to + 32` is inside the output since `to <= last_room`.
            unsafe {
                copy::<LITERALS>(read, from, written, to);
                if run > LITERALS {
                    copy::<LITERALS>(read, from.add(LITERALS), written, to.add(LITERALS));
                }
                from = from.add(run);
                to = to.add(run);
            }
            // The flag of the match, or the bit after the last.
            flags = flags << run << 1;
            if flags == 0 {
                continue 'groups;
            }
            run = flags.leading_zeros() as usize;
            // SAFETY: what the bits choose is one of the rows, by the condition of this function and as they change together.
            let token = unsafe {
                let token = rows.cast::<Token>().add(gather::<GATHERS>(word, bits));
                debug_assert!(TOKENS.as_ptr_range().contains(&token));
                &*token
            };
            // SAFETY: inside the input as said above.
            let ahead = unsafe { load(read, from.add(1 + run)) };
            let next = u64::from_le_bytes(ahead) >> (token.last_byte & 63);
            // SAFETY: the processor has what is asked for.
            let mut length = usize::from(token.length) + unsafe { extract::<NEWER>(word, token.last_byte) };
            // The other half of the byte waits if this match is the first to use it, and none if it is the second.
            let other = (word.rotate_right(4) & bits) + 2 * bits;
            let other = fresh.wrapping_add((other >> ROW_SHIFT) as usize);
            rows = select(token.toggled != 0, other, rows);
            bits = settle::<NEWER>(bits ^ u64::from(token.toggled));
            // Read once more, as there is less to do in this loop for what loads than for what computes.
            // SAFETY: inside the input as said above.
            let distance = usize::from(u16::from_le_bytes(unsafe { load(read, from) }) >> 3);
            // Less one, as the length is. It is at most WINDOW, and `to` an address above that.
            let source = to.wrapping_sub(distance);
            if source.cast_const() <= base {
                return group;
            }
            // SAFETY: inside the output, as was just checked.
            let source = unsafe { source.sub(1) };
            // SAFETY: a token has at most 10 bytes, and the group room for as many of all tokens.
            from = unsafe { from.add(usize::from(token.used)) };
            word = settle::<NEWER>(next);
            // After the literals `to` is at most `last_room + 32`, so a BLOCK has its room.
            // SAFETY: so is the source.
            unsafe { copy::<BLOCK>(written, source, written, to) };
            // Excess bytes are overwritten later. A match that overlaps itself is correct up to the distance.
            if length >= BLOCK || length > distance {
                if length == LONGEST {
                    // SAFETY: inside the input as said above.
                    unsafe {
                        length = usize::from(u16::from_le_bytes(load(read, from)));
                        if length < LONG + 15 {
                            return group;
                        }
                        length += MIN_MATCH - 1;
                        from = from.add(2);
                        word = u64::from_le_bytes(load(read, from.add(run)));
                    }
                }
                if length >= (last_room as usize).saturating_sub(to as usize) {
                    return group;
                }
                // SAFETY: a STEP after the match is inside the output, as was just checked.
                unsafe { copy_on::<NEWER>(written, source, to, distance, length) };
            }
            // SAFETY: the match is inside.
            to = unsafe { to.add(length + 1) };
        }
    }
}
