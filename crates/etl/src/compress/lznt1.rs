//! LZNT1 (MS-XCA, section 2.5): chunks of up to 4096 bytes, each plain or made of literals and matches.
//!
//! Traces carry it inside payloads of merge records; as a buffer format it is possible but not seen.

use super::error::ExpandError;

/// Most bytes a chunk expands to.
const CHUNK: usize = 4096;
const MIN_MATCH: usize = 3;

/// Expands `input` into `output` and returns the number of bytes written. Ends at the end of the input or at a chunk
/// header of zero.
///
/// # Errors
///
/// When the input ends inside a chunk, a match reaches before its chunk, or the output has no room (it is full
/// then).
pub fn expand(input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    let mut input = input;
    let mut to = 0;
    while let Some((header, rest)) = input.split_first_chunk() {
        let header = u16::from_le_bytes(*header);
        if header == 0 {
            break;
        }
        let size = usize::from(header & 0xFFF) + 1;
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            return Err(ExpandError::Truncated { produced: to });
        };
        if header & 0x8000 == 0 {
            to += append(output, to, chunk)?;
        } else {
            to = expand_chunk(chunk, output, to)?;
        }
        input = after;
    }
    Ok(to)
}

/// Appends literals; fails with the output full when they do not fit.
fn append(output: &mut [u8], to: usize, literals: &[u8]) -> Result<usize, ExpandError> {
    let count = literals.len().min(output.len() - to);
    output[to..to + count].copy_from_slice(&literals[..count]);
    if count < literals.len() { Err(ExpandError::TooLong) } else { Ok(count) }
}

fn expand_chunk(chunk: &[u8], output: &mut [u8], start: usize) -> Result<usize, ExpandError> {
    let mut chunk = chunk.iter().copied();
    let mut to = start;
    while let Some(flags) = chunk.next() {
        for bit in 0..8 {
            let Some(first) = chunk.next() else { return Ok(to) };
            if flags >> bit & 1 == 0 {
                to += append(output, to, &[first])?;
                continue;
            }
            let second = chunk.next().ok_or(ExpandError::Truncated { produced: to })?;
            let token = usize::from(u16::from_le_bytes([first, second]));
            // The further into the chunk, the more bits of the token are distance.
            let position = to - start;
            if position == 0 || position > CHUNK {
                return Err(ExpandError::BadCode { produced: to });
            }
            let distance_bits = (usize::BITS - (position - 1).leading_zeros()).max(4);
            let length_bits = 16 - distance_bits;
            let distance = (token >> length_bits) + 1;
            let length = (token & ((1 << length_bits) - 1)) + MIN_MATCH;
            if distance > position {
                return Err(ExpandError::BadOffset { produced: to });
            }
            for _ in 0..length {
                let byte = [output[to - distance]];
                to += append(output, to, &byte)?;
            }
        }
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::tests::check;

    #[test]
    fn plain_and_compressed_chunks_expand() {
        check(expand, &[0x02, 0x30, b'x', b'y', b'z', 0, 0, 9, 9], b"xyz");
        // Literals "abc", then 9 bytes from 3 back.
        check(expand, &[0x05, 0xB0, 0b1000, b'a', b'b', b'c', 0x06, 0x20], b"abcabcabcabc");
        let mut long = b"abcdefghijklmnopq".to_vec();
        // At position 17 five bits are distance: 17 back, 5 bytes.
        let packed =
            [&[0x15, 0xB0, 0][..], &long[..8], &[0], &long[8..16], &[2], &long[16..17], &[0x02, 16 << 3]]
                .concat();
        long.extend(b"abcde");
        check(expand, &packed, &long);
    }

    #[test]
    fn damage_is_an_error() {
        let mut room = [0; 64];
        assert_eq!(expand(&[5, 0xB0, 0], &mut room), Err(ExpandError::Truncated { produced: 0 }));
        assert_eq!(expand(&[2, 0xB0, 1, 0, 0], &mut room), Err(ExpandError::BadCode { produced: 0 }));
        assert_eq!(
            expand(&[3, 0xB0, 2, b'a', 0, 0x10], &mut room),
            Err(ExpandError::BadOffset { produced: 1 })
        );
        assert_eq!(expand(&[0x02, 0x30, b'x', b'y', b'z'], &mut room[..2]), Err(ExpandError::TooLong));
    }
}
