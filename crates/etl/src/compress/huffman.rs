//! LZ77 with Huffman coding of the Xpress family (MS-XCA, sections 2.1 and 2.2).
//!
//! Each block of 65536 bytes of output begins with the code lengths of 512 symbols, four bits each: 256 literals and
//! 256 combinations of length and bit count of the distance. The codes follow in 16-bit words, top bit first, with long
//! lengths as whole bytes between them.

use super::error::ExpandError;

const SYMBOLS: usize = 512;
const TABLE_BYTES: usize = SYMBOLS / 2;
const MAX_CODE_BITS: u32 = 15;
const BLOCK: usize = 65_536;
const MIN_MATCH: usize = 3;
/// Ends the data if it is at the end of the input.
const END: u16 = 256;

/// Expands `input` into `output` and returns the number of bytes written: ends when the output is full at the end of a
/// token, or at the end mark.
///
/// # Errors
///
/// When the input ends inside a block, code lengths are no Huffman code, a match reaches before the output, or
/// the output has no room (it is full then).
pub fn expand(input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    let mut table = vec![(0, 0); 1 << MAX_CODE_BITS];
    let mut at = 0;
    let mut to = 0;
    while to < output.len() {
        let truncated = ExpandError::Truncated { produced: to };
        let lengths = input.get(at..at + TABLE_BYTES).ok_or(truncated)?;
        if !fill_table(lengths, &mut table) {
            return Err(ExpandError::BadCode { produced: to });
        }
        let mut bits = Bits::start(input, at + TABLE_BYTES).ok_or(truncated)?;
        let block_end = to + BLOCK;
        while to < block_end {
            if to == output.len() {
                return Ok(to);
            }
            let (symbol, length) = table[(bits.word >> (32 - MAX_CODE_BITS)) as usize];
            bits.skip(length).ok_or(ExpandError::Truncated { produced: to })?;
            if symbol < 256 {
                output[to] = symbol as u8;
                to += 1;
                continue;
            }
            if symbol == END && bits.at >= input.len() {
                return Ok(to);
            }
            let code = usize::from(symbol - 256);
            let truncated = ExpandError::Truncated { produced: to };
            let length = match_length(&mut bits, code % 16).ok_or(truncated)?;
            let length = length.map_err(|()| ExpandError::BadCode { produced: to })?;
            let distance_bits = (code / 16) as u32;
            let fine = bits.word.checked_shr(32 - distance_bits).unwrap_or(0) as usize;
            bits.skip(distance_bits).ok_or(truncated)?;
            let distance = (1 << distance_bits) + fine;
            if distance > to {
                return Err(ExpandError::BadOffset { produced: to });
            }
            let fitting = length.min(output.len() - to);
            for place in to..to + fitting {
                output[place] = output[place - distance];
            }
            if fitting < length {
                return Err(ExpandError::TooLong);
            }
            to += length;
        }
        at = bits.at;
    }
    Ok(to)
}

/// The length of a match; the inner error is a length the format forbids, `None` the end of the input.
fn match_length(bits: &mut Bits<'_>, code: usize) -> Option<Result<usize, ()>> {
    if code < 15 {
        return Some(Ok(code + MIN_MATCH));
    }
    let byte = bits.bytes(1)?[0];
    if byte < 255 {
        return Some(Ok(usize::from(byte) + 15 + MIN_MATCH));
    }
    let mut length = u64::from(u16::from_le_bytes(*bits.bytes(2)?.first_chunk()?));
    if length == 0 {
        length = u64::from(u32::from_le_bytes(*bits.bytes(4)?.first_chunk()?));
    }
    if length < 15 {
        return Some(Err(()));
    }
    Some(usize::try_from(length).map(|length| length.saturating_add(MIN_MATCH)).map_err(drop))
}

/// The bit stream: 16 to 32 bits at hand, refilled by words.
struct Bits<'a> {
    input: &'a [u8],
    at: usize,
    word: u32,
    /// Bits at hand beyond the first 16.
    extra: i32,
}

impl<'a> Bits<'a> {
    fn start(input: &'a [u8], at: usize) -> Option<Bits<'a>> {
        let &[a, b, c, d] = input.get(at..)?.first_chunk()?;
        let word = u32::from_le_bytes([c, d, a, b]);
        Some(Bits { input, at: at + 4, word, extra: 16 })
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let bytes = self.input.get(self.at..self.at + count)?;
        self.at += count;
        Some(bytes)
    }

    /// Drops up to 15 bits. Past the end of the input zeros follow for as long as the bits at hand last.
    fn skip(&mut self, count: u32) -> Option<()> {
        self.word <<= count;
        self.extra -= count as i32;
        if self.extra < 0 {
            match self.bytes(2) {
                Some(bytes) => {
                    let next = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
                    self.word |= next << -self.extra;
                    self.extra += 16;
                }
                None if self.extra < -16 => return None,
                None => {}
            }
        }
        Some(())
    }
}

/// Fills the table: for each 15-bit prefix the symbol and its code length. Returns `true` if the lengths make
/// a complete code.
fn fill_table(lengths: &[u8], table: &mut [(u16, u32)]) -> bool {
    let length_of = |symbol: usize| u32::from(lengths[symbol / 2] >> (symbol % 2 * 4) & 15);
    let mut at = 0;
    for length in 1..=MAX_CODE_BITS {
        for symbol in (0..SYMBOLS).filter(|&symbol| length_of(symbol) == length) {
            let span = 1 << (MAX_CODE_BITS - length);
            let Some(entries) = table.get_mut(at..at + span) else { return false };
            entries.fill((symbol as u16, length));
            at += span;
        }
    }
    at == table.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::tests::check;

    /// Code lengths from (byte, value) pairs, then the data.
    fn block(lengths: &[(usize, u8)], data: &[u8]) -> Vec<u8> {
        let mut block = vec![0; TABLE_BYTES];
        for &(at, value) in lengths {
            block[at] = value;
        }
        block.extend(data);
        block
    }

    /// The two examples of the specification.
    #[test]
    fn published_examples_expand() {
        let mut lengths = vec![(0x30, 0x50), (0x3B, 0x45), (0x3C, 0x44), (0x3D, 0x04), (0x80, 0x04)];
        lengths.extend((0x31..=0x3A).map(|at| (at, 0x55)));
        let data = [
            0xD8, 0x52, 0x3E, 0xD7, 0x94, 0x11, 0x5B, 0xE9, 0x19, 0x5F, 0xF9, 0xD6, 0x7C, 0xDF, 0x8D, 0x04,
            0, 0, 0, 0,
        ];
        check(expand, &block(&lengths, &data), b"abcdefghijklmnopqrstuvwxyz");
        let lengths = [(0x30, 0x30), (0x31, 0x23), (0x80, 0x02), (0x8F, 0x20)];
        let data = [0xA8, 0xDC, 0, 0, 0xFF, 0x26, 0x01];
        check(expand, &block(&lengths, &data), &b"abc".repeat(100));
    }

    #[test]
    fn damage_is_an_error() {
        let mut room = [0; 64];
        assert_eq!(expand(&[0; 300], &mut room), Err(ExpandError::BadCode { produced: 0 }));
        assert_eq!(expand(&[0xFF; 300], &mut room), Err(ExpandError::BadCode { produced: 0 }));
        assert_eq!(expand(&[0; 10], &mut room), Err(ExpandError::Truncated { produced: 0 }));
    }

    /// Code lengths of symbols, the bits of the tokens, and the bytes after the first two words.
    fn tokens(lengths: &[(usize, u8)], bits: &str, after: &[u8]) -> Vec<u8> {
        let mut table = vec![0; TABLE_BYTES];
        for &(symbol, length) in lengths {
            table[symbol / 2] |= length << (symbol % 2 * 4);
        }
        let word = u32::from_str_radix(&format!("{bits:0<32}"), 2).unwrap();
        table.extend(((word >> 16) as u16).to_le_bytes());
        table.extend((word as u16).to_le_bytes());
        table.extend(after);
        table
    }

    #[test]
    fn lengths_of_matches_have_four_forms() {
        let bad = ExpandError::BadCode { produced: 1 };
        let truncated = ExpandError::Truncated { produced: 1 };
        let table: &[(usize, &[u8], Result<usize, ExpandError>)] = &[
            (0, &[9], Ok(3)),
            (1, &[], Ok(4)),
            (14, &[], Ok(17)),
            (14, &[9], Ok(17)),
            (15, &[0], Ok(18)),
            (15, &[1], Ok(19)),
            (15, &[254], Ok(272)),
            (15, &[255, 15, 0], Ok(18)),
            (15, &[255, 1, 1], Ok(260)),
            (15, &[255, 0xFF, 0xFF], Ok(65_538)),
            (15, &[255, 0, 0, 15, 0, 0, 0], Ok(18)),
            (15, &[255, 0, 0, 0, 0, 1, 0], Ok(65_539)),
            (15, &[255, 14, 0], Err(bad)),
            (15, &[255, 0, 0, 14, 0, 0, 0], Err(bad)),
            (15, &[], Err(truncated)),
            (15, &[255, 15], Err(truncated)),
            (15, &[255, 0, 0, 15, 0, 0], Err(truncated)),
        ];
        let end = tokens(&[(usize::from(b'a'), 1), (256, 1)], "01", &[]);
        assert_eq!(
            expand(&end, &mut [0; 4]),
            Ok(1),
            "the shortest match at the end of the input is the end mark"
        );
        for (code, bytes, length) in table {
            // The literal and the match have a bit each.
            let input = tokens(&[(usize::from(b'a'), 1), (256 + code, 1)], "01", bytes);
            let room = 1 + length.unwrap_or(40);
            let mut output = vec![0; room];
            assert_eq!(expand(&input, &mut output), length.map(|_| room), "{code} {bytes:?}");
            if length.is_ok() {
                assert!(output.iter().all(|byte| *byte == b'a'), "{code} {bytes:?}");
                assert_eq!(expand(&input, &mut output[1..]), Err(ExpandError::TooLong), "{code} {bytes:?}");
            }
        }
    }

    #[test]
    fn distances_have_as_many_bits_as_their_symbol_says() {
        // (bits of the distance, their value, what follows "abcd")
        type Copied<'a> = Result<&'a [u8], usize>;
        let table: &[(usize, &str, Copied<'_>)] = &[
            (0, "", Ok(b"ddd")),
            (1, "0", Ok(b"cdc")),
            (1, "1", Ok(b"bcd")),
            (2, "00", Ok(b"abc")),
            (2, "01", Err(4)),
            (3, "000", Err(4)),
        ];
        for (bits, value, expected) in table {
            let lengths = [(97, 2), (98, 2), (99, 2), (100, 3), (256 + bits * 16, 3)];
            let input = tokens(&lengths, &format!("000110110111{value}"), &[0]);
            let mut output = [0; 7];
            match expected {
                Ok(text) => {
                    assert_eq!(expand(&input, &mut output), Ok(7), "{bits} {value}");
                    assert_eq!(&output[4..], *text, "{bits} {value}");
                }
                Err(produced) => {
                    let error = ExpandError::BadOffset { produced: *produced };
                    assert_eq!(expand(&input, &mut output), Err(error), "{bits} {value}");
                }
            }
        }
    }
}
