//! Plain LZ77 of the Xpress family (MS-XCA, section 2.3 and 2.4): what compressed traces use in practice.
//!
//! The stream is 32 flags, then 32 tokens, and so on. A clear flag (from the top bit) is a literal byte; a set
//! flag is a match: 13 bits of distance - 1 and 3 bits of length - 3, with longer lengths in a shared
//! half-byte, then a byte, then 16 bits, then 32.

use super::ExpandError;

/// Shortest match.
const MIN_MATCH: usize = 3;

/// Expands `input` into `output` and returns the number of bytes written.
///
/// Ends when the input ends where a token would begin, or the output is full.
///
/// # Errors
///
/// When the input ends inside a token, a match reaches before the output, a long length is below its least, or
/// the output has no room.
pub fn expand(input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    let mut from = 0;
    let mut to = 0;
    // Where a half-byte of length waits for its second user.
    let mut half: Option<usize> = None;
    loop {
        let Some(flags) = read_u32(input, from) else {
            return if from >= input.len() || to == output.len() {
                Ok(to)
            } else {
                Err(ExpandError::Truncated { produced: to })
            };
        };
        from += 4;
        let mut flags = flags;
        let mut left = 32;
        while left > 0 {
            let run = flags.leading_zeros().min(left) as usize;
            if run > 0 {
                let copied = copy_literals(input, &mut from, output, &mut to, run);
                if copied < run {
                    return if from == input.len() { Ok(to) } else { Err(ExpandError::TooLong) };
                }
                left -= run as u32;
                if left == 0 {
                    break;
                }
                flags <<= run;
            }
            flags <<= 1;
            left -= 1;
            let Some(token) = read_u16(input, from) else {
                return if from == input.len() {
                    Ok(to)
                } else {
                    Err(ExpandError::Truncated { produced: to })
                };
            };
            from += 2;
            let distance = usize::from(token >> 3) + 1;
            let mut length = usize::from(token & 7);
            if length == 7 {
                length = long_length(input, &mut from, &mut half, to)?;
            }
            length += MIN_MATCH;
            if distance > to {
                return Err(ExpandError::BadOffset { produced: to });
            }
            if length > output.len() - to {
                copy_match(output, to, distance, output.len() - to);
                return Err(ExpandError::TooLong);
            }
            copy_match(output, to, distance, length);
            to += length;
        }
    }
}

#[inline]
fn read_u16(input: &[u8], at: usize) -> Option<u16> {
    input.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

#[inline]
fn read_u32(input: &[u8], at: usize) -> Option<u32> {
    input.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Copies up to `run` literals (at most 32) and returns how many fitted.
#[inline]
fn copy_literals(input: &[u8], from: &mut usize, output: &mut [u8], to: &mut usize, run: usize) -> usize {
    // A fixed copy is cheaper than one of a varying length: the excess is overwritten later.
    if let (Some(source), Some(target)) = (
        input.get(*from..).and_then(<[u8]>::first_chunk::<32>),
        output.get_mut(*to..).and_then(<[u8]>::first_chunk_mut::<32>),
    ) {
        if run <= 8 {
            target[..8].copy_from_slice(&source[..8]);
        } else {
            *target = *source;
        }
        *from += run;
        *to += run;
        return run;
    }
    let count = run.min(input.len() - *from).min(output.len() - *to);
    output[*to..*to + count].copy_from_slice(&input[*from..*from + count]);
    *from += count;
    *to += count;
    count
}

/// Copies `length` bytes from `distance` before `to`; the caller checked both against `output`.
#[inline]
fn copy_match(output: &mut [u8], to: usize, distance: usize, length: usize) {
    let source = to - distance;
    if distance >= 16 && output.len() - to >= length + 16 {
        // Blocks of 16 do not overlap their source; the excess is overwritten later.
        let mut done = 0;
        while done < length {
            let block: [u8; 16] = match output[source + done..].first_chunk() {
                Some(block) => *block,
                None => return,
            };
            output[to + done..to + done + 16].copy_from_slice(&block);
            done += 16;
        }
    } else if distance >= length {
        output.copy_within(source..source + length, to);
    } else if distance == 1 {
        let byte = output[source];
        output[to..to + length].fill(byte);
    } else {
        let window = &mut output[source..to + length];
        for at in distance..window.len() {
            window[at] = window[at - distance];
        }
    }
}

/// The length after a token whose three bits are all set, without the least match.
#[cold]
fn long_length(
    input: &[u8],
    from: &mut usize,
    half: &mut Option<usize>,
    produced: usize,
) -> Result<usize, ExpandError> {
    let truncated = ExpandError::Truncated { produced };
    let nibble = match half.take() {
        Some(at) => input[at] >> 4,
        None => {
            let byte = *input.get(*from).ok_or(truncated)?;
            *half = Some(*from);
            *from += 1;
            byte & 15
        }
    };
    if nibble < 15 {
        return Ok(usize::from(nibble) + 7);
    }
    let byte = *input.get(*from).ok_or(truncated)?;
    *from += 1;
    if byte < 255 {
        return Ok(usize::from(byte) + 15 + 7);
    }
    let mut length = u64::from(read_u16(input, *from).ok_or(truncated)?);
    *from += 2;
    if length == 0 {
        length = u64::from(read_u32(input, *from).ok_or(truncated)?);
        *from += 4;
    }
    if length < 15 + 7 {
        return Err(ExpandError::BadCode { produced });
    }
    usize::try_from(length).map_err(|_| ExpandError::TooLong)
}
