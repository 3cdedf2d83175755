//! The inner loop of XPRESS: copies whole blocks where input and output have room for them.
//!
//! One of the two files of this crate with `unsafe`: with every access checked the loop takes a third longer
//! (measured on real traces; see benches/README.md). All its accesses go through [`load`] and [`store`],
//! whose one condition is asserted in debug builds, so the tests and the fuzz targets check it.

#![allow(unsafe_code)]

use super::ExpandError;
use super::xpress::{DONE, MIN_MATCH, State, group, longest};

/// So many bytes are copied at once,
const BLOCK: usize = 16;

/// and at least so many for each match.
const BLOCKS: usize = 2 * BLOCK;

/// No group of flags reads beyond this: 4 bytes of flags and 32 tokens of at most 10 bytes (324), and then at most 32
/// literals or one word that are read as a whole.
const GROUP_INPUT: usize = 512;

/// Room in the output before a token: for its literals (32, copied as a whole), and for a match of
/// [`BLOCKS`] after them; longer matches are checked on their own.
const ROOM: usize = 32 + BLOCKS + BLOCK;

/// By period of a repeating match: what to multiply its bytes with so that they fill 8; 0 where 8 is no multiple.
const FACTORS: [u64; BLOCK] = {
    let mut factors = [0; BLOCK];
    factors[1] = 0x0101_0101_0101_0101;
    factors[2] = 0x0001_0001_0001_0001;
    factors[4] = 0x0000_0001_0000_0001;
    factors[8] = 1;
    factors
};

/// The `N` bytes at `at`.
///
/// # Safety
///
/// `at + N` must not be above the length of `bytes`.
#[inline(always)]
unsafe fn load<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    debug_assert!(at + N <= bytes.len());
    // SAFETY: the bytes are inside the slice by the condition of this function; an array of bytes has no alignment.
    unsafe { bytes.as_ptr().add(at).cast::<[u8; N]>().read() }
}

/// Puts `N` bytes at `at`.
///
/// # Safety
///
/// `at + N` must not be above the length of `bytes`.
#[inline(always)]
unsafe fn store<const N: usize>(bytes: &mut [u8], at: usize, block: [u8; N]) {
    debug_assert!(at + N <= bytes.len());
    // SAFETY: as for `load`.
    unsafe { bytes.as_mut_ptr().add(at).cast::<[u8; N]>().write(block) }
}

/// Expands while both input and output have room for reading and writing more than is used.
///
/// Ends between tokens, or inside a group of flags before one; the careful loop goes on from there. The
/// choices that data makes at random (is there a literal, is the length long, which half) are computed rather than
/// branched on.
pub(super) fn expand(input: &[u8], output: &mut [u8], state: &mut State) -> Result<(), ExpandError> {
    if state.flags != DONE || input.len() < GROUP_INPUT || output.len() < ROOM {
        return Ok(());
    }
    let last_group = input.len() - GROUP_INPUT;
    let last_room = output.len() - ROOM;
    let State { mut from, mut to, .. } = *state;
    let mut held = u64::from(state.half.unwrap_or(0));
    let mut holds = u64::from(state.half.is_some());
    let mut flags = DONE;
    // In this loop `from` stays below `last_group + 324`, as GROUP_INPUT explains, so that loads of up to 32 bytes at
    // `from` are inside the input.
    'groups: while from <= last_group {
        // SAFETY: `from + 4` is inside the input.
        flags = group(u32::from_le_bytes(unsafe { load(input, from) }));
        from += 4;
        loop {
            if to > last_room {
                break 'groups;
            }
            let run = flags.trailing_zeros() as usize;
            // SAFETY: inside the input as said above; `to + 32` is inside the output since `to <= last_room`. A
            // group has 32 flags, so `run` is at most 32.
            unsafe {
                store::<BLOCK>(output, to, load(input, from));
                if run > BLOCK {
                    store::<BLOCK>(output, to + BLOCK, load(input, from + BLOCK));
                }
            }
            flags >>= run;
            from += run;
            to += run;
            if flags == DONE {
                break;
            }
            // SAFETY: inside the input as said above.
            let word = u64::from_le_bytes(unsafe { load(input, from) });
            let distance = (word as usize >> 3 & 0x1FFF) + 1;
            let short = word & 7;
            let long = u64::from(short == 7);
            let fresh = long & !holds;
            let byte = word >> 16;
            let nibble = (if holds != 0 { held } else { byte }) & 15;
            let mut used = 2 + fresh as usize;
            let mut length = (short + (nibble & long.wrapping_neg())) as usize + MIN_MATCH;
            if length == 7 + 15 + MIN_MATCH {
                // The word still holds the byte: it is at most its fourth.
                let byte = (word >> (8 * used)) as u8;
                used += 1;
                length += usize::from(byte);
                if byte == 255 {
                    let mut next = from + used;
                    length = longest(input, &mut next, to)?.saturating_add(MIN_MATCH);
                    used = next - from;
                }
            }
            if distance > to {
                return Err(ExpandError::BadOffset { produced: to });
            }
            // After the literals `to` is at most `last_room + 32`, so a match of BLOCKS has its room and BLOCK more.
            if length > BLOCKS && length > last_room.saturating_sub(to) {
                // The careful loop does this token, from its start.
                break 'groups;
            }
            held = if fresh != 0 { byte >> 4 & 15 } else { held };
            holds ^= long;
            flags >>= 1;
            from += used;
            let source = to - distance;
            // SAFETY, for all that follows: writes end before `to + max(BLOCKS, length + BLOCK)`, which the
            // check above keeps inside the output; reads are of places before those.
            if distance >= BLOCK {
                // Blocks do not overlap their source; the excess is overwritten later.
                // SAFETY: see above.
                unsafe {
                    store::<BLOCK>(output, to, load(output, source));
                    store::<BLOCK>(output, to + BLOCK, load(output, source + BLOCK));
                }
                let mut done = BLOCKS;
                while done < length {
                    // SAFETY: see above.
                    unsafe { store::<BLOCK>(output, to + done, load(output, source + done)) };
                    done += BLOCK;
                }
            } else if FACTORS[distance] != 0 {
                // The first `distance` bytes, repeated over a block.
                // SAFETY: see above.
                let word = u64::from_le_bytes(unsafe { load(output, source) });
                let period = word & (u64::MAX >> ((64 - 8 * distance as u32) & 63));
                let filled = u128::from(period.wrapping_mul(FACTORS[distance]));
                let block = (filled << 64 | filled).to_le_bytes();
                // SAFETY: see above.
                unsafe {
                    store::<BLOCK>(output, to, block);
                    store::<BLOCK>(output, to + BLOCK, block);
                }
                let mut done = BLOCKS;
                while done < length {
                    // SAFETY: see above.
                    unsafe { store::<BLOCK>(output, to + done, block) };
                    done += BLOCK;
                }
            } else {
                for at in source..source + length {
                    // SAFETY: see above.
                    unsafe { store::<1>(output, at + distance, load(output, at)) };
                }
            }
            to += length;
        }
    }
    let half = (holds != 0).then_some(held as u8);
    *state = State { from, to, flags, half };
    Ok(())
}
