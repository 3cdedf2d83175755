//! The compression of compiled MOF: the `DS` streams that DoubleSpace used for the clusters of disks.
//!
//! A stream is the four bytes `DS`, 0, 1 and then codes, least significant bit first. Two bits select the code:
//!
//! | bits | then | meaning |
//! |---|---|---|
//! | 2 | 7 bits | the byte |
//! | 1 | 7 bits | the byte less 128 |
//! | 0 | 6 bits, a length | bytes again from that many back |
//! | 3 | 0, 8 bits, a length | the same from 64 more back |
//! | 3 | 1, 12 bits, a length | the same from 320 more back; all bits set mean the end of a sector and have no length |
//!
//! A length is Elias' gamma code of one less: n zeros, a one, n bits.

/// Why a stream cannot be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpandError {
    /// It does not begin as such a stream does, or expands to an implausible size.
    NoStream,
    /// The stream ends, or a code means nothing, when this many bytes are expanded.
    Damaged(usize),
}

/// The first bytes of a stream.
const MARK: &[u8; 4] = b"DS\0\x01";

/// The distance that marks the end of a sector.
const SECTOR: usize = 320 + 0xFFF;

/// Most zeros of a length: matches have at most 512 bytes.
const MAX_ZEROS: u32 = 8;

/// A code of the longest match, 512 bytes, has at least 25 bits: no stream holds more than this many times its own
/// bytes.
const MAX_GAIN: usize = 512 * 8 / 25 + 1;

/// Expands a stream to `size` bytes.
pub(super) fn expand(stream: &[u8], size: usize) -> Result<Vec<u8>, ExpandError> {
    let packed = stream.strip_prefix(MARK).ok_or(ExpandError::NoStream)?;
    if size > packed.len().saturating_mul(MAX_GAIN) {
        return Err(ExpandError::NoStream);
    }
    let mut bits = Bits { bytes: packed, at: 0 };
    let mut out = Vec::with_capacity(size);
    while out.len() < size {
        let damaged = ExpandError::Damaged(out.len());
        let distance = match bits.take(2).ok_or(damaged)? {
            2 => {
                out.push(bits.take(7).ok_or(damaged)? as u8);
                continue;
            }
            1 => {
                out.push(bits.take(7).ok_or(damaged)? as u8 | 0x80);
                continue;
            }
            0 => bits.take(6),
            _ if bits.take(1) == Some(0) => bits.take(8).map(|n| n + 64),
            _ => bits.take(12).map(|n| n + 320),
        };
        let distance = distance.ok_or(damaged)? as usize;
        if distance == SECTOR {
            continue;
        }
        let length = bits.length().ok_or(damaged)?;
        let start = out.len().checked_sub(distance).filter(|_| distance > 0).ok_or(damaged)?;
        if length > size - out.len() {
            return Err(damaged);
        }
        for at in start..start + length {
            let byte = out.get(at).copied().ok_or(damaged)?;
            out.push(byte);
        }
    }
    Ok(out)
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl Bits<'_> {
    /// The next bits, 12 at most.
    fn take(&mut self, count: u32) -> Option<u32> {
        let end = self.at + count as usize;
        if end > self.bytes.len() * 8 {
            return None;
        }
        let from = self.at / 8;
        let word = (0..3)
            .rev()
            .fold(0, |word, i| word << 8 | u32::from(self.bytes.get(from + i).copied().unwrap_or(0)));
        let value = word >> (self.at % 8) & ((1 << count) - 1);
        self.at = end;
        Some(value)
    }

    fn length(&mut self) -> Option<usize> {
        let mut zeros = 0;
        while self.take(1)? == 0 {
            zeros += 1;
            if zeros > MAX_ZEROS {
                return None;
            }
        }
        Some(((1 << zeros) + self.take(zeros)? + 1) as usize)
    }
}

/// Compresses, for tests: greedily, by looking everywhere.
#[cfg(test)]
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |value: usize, count: u32| bits.extend((0..count).map(|bit| value >> bit & 1 != 0));
    let mut at = 0;
    while at < bytes.len() {
        let match_at = |distance: usize| {
            let same = (at..bytes.len()).take_while(|i| bytes[*i] == bytes[i - distance]).count();
            (same.min(512), std::cmp::Reverse(distance))
        };
        let best = (1..=at.min(SECTOR - 1)).map(match_at).max();
        match best.filter(|(length, _)| *length >= 2) {
            Some((length, std::cmp::Reverse(distance))) => {
                match distance {
                    0..64 => put(distance << 2, 8),
                    64..320 => put((distance - 64) << 3 | 3, 11),
                    _ => put((distance - 320) << 3 | 7, 15),
                }
                let zeros = (length - 1).ilog2();
                put(1 << zeros, zeros + 1);
                put(length - 1 - (1 << zeros), zeros);
                at += length;
            }
            None => {
                put(if bytes[at] < 128 { 2 } else { 1 }, 2);
                put(usize::from(bytes[at] & 127), 7);
                at += 1;
            }
        }
    }
    let pack = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    MARK.iter().copied().chain(bits.chunks(8).map(pack)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_matches() {
        // 'F' is 2 and then 0x46, 0xC6 is 1 and then 0x46; then, with 0 in bits 18 and 19, 1 back for 3 bytes.
        let codes: u64 = 2 | 0x46 << 2 | 1 << 9 | 0x46 << 11 | 1 << 20 | 0b10 << 26;
        let stream = [&MARK[..], &u64::to_le_bytes(codes)[..4]].concat();
        assert_eq!(expand(&stream, 5).unwrap(), [0x46, 0xC6, 0xC6, 0xC6, 0xC6]);
        assert_eq!(expand(&stream, 2).unwrap(), [0x46, 0xC6]);
        assert_eq!(expand(&stream, 4), Err(ExpandError::Damaged(2)), "a match past the end");
        assert_eq!(expand(&stream[..6], 5), Err(ExpandError::Damaged(1)));
        assert_eq!(expand(b"DS\0\x02aaaa", 1), Err(ExpandError::NoStream));
        assert_eq!(expand(b"DS\0\x01a", usize::MAX), Err(ExpandError::NoStream));
        assert_eq!(expand(b"DS\0\x01\x04\x04", 3), Err(ExpandError::Damaged(0)), "a match before the start");
    }

    #[test]
    fn what_is_compressed_expands_to_itself() {
        let mut state = 5u32;
        let mut noise = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 10) % below
        };
        for round in 0..60 {
            let mut bytes = Vec::new();
            for _ in 0..noise(60) {
                let size = noise(if round % 3 == 0 { 700 } else { 12 }) as usize;
                match noise(3) {
                    0 => bytes.extend(std::iter::repeat_n(noise(256) as u8, size)),
                    1 if size < bytes.len() => bytes.extend_from_within(bytes.len() - size..),
                    _ => bytes.extend((0..size.min(40)).map(|_| noise(256) as u8)),
                }
            }
            let packed = compress(&bytes);
            assert_eq!(expand(&packed, bytes.len()).as_deref(), Ok(&bytes[..]));
        }
    }
}
