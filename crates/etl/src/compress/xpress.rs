//! Plain LZ77 of the Xpress family (MS-XCA, section 2.3 and 2.4): what compressed traces use in practice.
//!
//! The stream is 32 flags, then 32 tokens, and so on. A clear flag (from the top bit) is a literal byte; a set
//! flag is a match: 13 bits of distance - 1 and 3 bits of length - 3, with longer lengths in a shared
//! half-byte, then a byte, then 16 bits, then 32.

use super::error::ExpandError;
use super::xpress_blocks::{self, GROUP_INPUT};
use super::xpress_format::{MIN_MATCH, State, WINDOW};

/// Expands `input` into `output` and returns the number of bytes written.
///
/// Ends when the input ends where a token would begin, or the output is full.
///
/// # Errors
///
/// When the input ends inside a token, a match reaches before the output, a long length is below its least, or
/// the output has no room.
pub fn expand(input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    expand_with(xpress_blocks::expand, input, output)
}

/// One of the inner loops of [`xpress_blocks`].
type Blocks = fn(&[u8], &mut [u8], &mut State);

#[inline(always)]
fn expand_with(blocks: Blocks, input: &[u8], output: &mut [u8]) -> Result<usize, ExpandError> {
    let mut at = State { from: 0, to: 0, half: None };
    loop {
        // As far as there is room to read and write more than is used;
        blocks(input, output, &mut at);
        // to the last group of flags, with room made after the input;
        expand_end(blocks, input, output, &mut at);
        // and a group that one of them cannot do.
        if expand_careful(input, output, &mut at)? {
            return Ok(at.to);
        }
    }
}

/// Expands the groups of flags near the end of the input, all that are whole.
fn expand_end(blocks: Blocks, input: &[u8], output: &mut [u8], state: &mut State) {
    let Some(rest) = input.get(state.from..).filter(|rest| rest.len() < GROUP_INPUT) else { return };
    let mut end = [0; 2 * GROUP_INPUT];
    end[..rest.len()].copy_from_slice(rest);
    let (start, mut at) = (state.from, 0);
    while at < rest.len() {
        let mut after = State { from: 0, ..*state };
        // Room for one group: whether it ends inside the input is asked before the next.
        blocks(&end[at..at + GROUP_INPUT], output, &mut after);
        at += after.from;
        if after.from == 0 || at > rest.len() {
            return;
        }
        *state = State { from: start + at, ..after };
    }
}

/// Expands a group of flags, looking before each step. Returns `true` if all is done.
fn expand_careful(input: &[u8], output: &mut [u8], state: &mut State) -> Result<bool, ExpandError> {
    let State { mut from, mut to, mut half } = *state;
    let Some(flags) = read_u32(input, from) else {
        return if from >= input.len() || to == output.len() {
            Ok(true)
        } else {
            Err(ExpandError::Truncated { produced: to })
        };
    };
    from += 4;
    // From the lowest bit, with one set bit after the last.
    let mut flags = u64::from(flags.reverse_bits()) | 1 << 32;
    let ended = loop {
        let run = flags.trailing_zeros() as usize;
        let count = run.min(input.len() - from).min(output.len() - to);
        output[to..to + count].copy_from_slice(&input[from..from + count]);
        from += count;
        to += count;
        if count < run {
            if from == input.len() {
                break true;
            }
            return Err(ExpandError::TooLong);
        }
        flags >>= run;
        if flags == 1 {
            break false;
        }
        flags >>= 1;
        let Some(token) = read_u16(input, from) else {
            if from == input.len() {
                break true;
            }
            return Err(ExpandError::Truncated { produced: to });
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
    };
    *state = State { from, to, half };
    Ok(ended)
}

#[inline]
fn read_u16(input: &[u8], at: usize) -> Option<u16> {
    input.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

#[inline]
fn read_u32(input: &[u8], at: usize) -> Option<u32> {
    input.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

/// Copies `length` bytes from `distance` before `to`; the caller checked both against `output`.
fn copy_match(output: &mut [u8], to: usize, distance: usize, length: usize) {
    let source = to - distance;
    if distance >= length {
        output.copy_within(source..source + length, to);
    } else {
        let window = &mut output[source..to + length];
        for at in distance..window.len() {
            window[at] = window[at - distance];
        }
    }
}

/// The length after a token whose three bits are all set, without the least match.
#[inline]
fn long_length(
    input: &[u8],
    from: &mut usize,
    half: &mut Option<u8>,
    produced: usize,
) -> Result<usize, ExpandError> {
    let truncated = ExpandError::Truncated { produced };
    let nibble = match half.take() {
        Some(nibble) => nibble,
        None => {
            let byte = *input.get(*from).ok_or(truncated)?;
            *half = Some(byte >> 4);
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
    longest(input, from, produced)
}

/// The length after a byte of 255, without the least match.
#[cold]
fn longest(input: &[u8], from: &mut usize, produced: usize) -> Result<usize, ExpandError> {
    let truncated = ExpandError::Truncated { produced };
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

/// Compresses with a table of the last place of each three bytes. Keep one for many buffers: it is reused.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    /// By hash of three bytes: the last place they were seen, plus one.
    places: Vec<u32>,
}

const HASH_BITS: u32 = 13;

impl Matcher {
    /// Appends the compressed form of `input` to `output`. The same input always gives the same output.
    ///
    /// Greedy: takes the last match of three bytes or more where there is one.
    pub fn compress(&mut self, input: &[u8], output: &mut Vec<u8>) {
        self.places.clear();
        self.places.resize(1 << HASH_BITS, 0);
        let mut flags = FlagWord::start(output);
        let mut half: Option<usize> = None;
        let mut at = 0;
        while at < input.len() {
            match self.find(input, at) {
                Some((distance, length)) => {
                    flags.push(output, true);
                    put_match(output, distance, length, &mut half);
                    for skipped in at + 1..at + length {
                        self.note(input, skipped);
                    }
                    at += length;
                }
                None => {
                    flags.push(output, false);
                    output.push(input[at]);
                    at += 1;
                }
            }
        }
        flags.finish(output);
    }

    /// Notes the three bytes at `at` and returns where they were seen before.
    fn note(&mut self, input: &[u8], at: usize) -> Option<usize> {
        let &[a, b, c] = input.get(at..)?.first_chunk()?;
        let word = u32::from_le_bytes([a, b, c, 0]);
        let hash = word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS);
        let place = std::mem::replace(&mut self.places[hash as usize], at as u32 + 1);
        (place as usize).checked_sub(1)
    }

    /// Distance and length of the match at `at`.
    fn find(&mut self, input: &[u8], at: usize) -> Option<(usize, usize)> {
        let seen = self.note(input, at)?;
        let distance = at - seen;
        if distance > WINDOW {
            return None;
        }
        let length = input[at..].iter().zip(&input[seen..]).take_while(|(a, b)| a == b).count();
        (length >= MIN_MATCH).then_some((distance, length))
    }
}

/// The 32 flags before the tokens being written.
struct FlagWord {
    at: usize,
    bits: u32,
    count: u32,
}

impl FlagWord {
    fn start(output: &mut Vec<u8>) -> FlagWord {
        let at = output.len();
        output.extend([0; 4]);
        FlagWord { at, bits: 0, count: 0 }
    }

    /// Adds the flag of the token that is written next.
    fn push(&mut self, output: &mut Vec<u8>, is_match: bool) {
        if self.count == 32 {
            self.store(output);
            *self = FlagWord::start(output);
        }
        self.bits = self.bits << 1 | u32::from(is_match);
        self.count += 1;
    }

    /// Sets the flags without tokens, which shows a reader that the input ends there.
    fn finish(mut self, output: &mut [u8]) {
        let unused = 32 - self.count;
        self.bits = ((u64::from(self.bits) << unused) | ((1 << unused) - 1)) as u32;
        self.store(output);
    }

    fn store(&self, output: &mut [u8]) {
        output[self.at..self.at + 4].copy_from_slice(&self.bits.to_le_bytes());
    }
}

fn put_match(output: &mut Vec<u8>, distance: usize, length: usize, half: &mut Option<usize>) {
    let length = length - MIN_MATCH;
    let token = ((distance - 1) << 3) as u16 | length.min(7) as u16;
    output.extend(token.to_le_bytes());
    let Some(length) = length.checked_sub(7) else { return };
    let nibble = length.min(15) as u8;
    match half.take() {
        Some(at) => output[at] |= nibble << 4,
        None => {
            *half = Some(output.len());
            output.push(nibble);
        }
    }
    let Some(rest) = length.checked_sub(15) else { return };
    if rest < 255 {
        output.push(rest as u8);
        return;
    }
    output.push(255);
    match u16::try_from(length + 7) {
        Ok(long) => output.extend(long.to_le_bytes()),
        Err(_) => {
            output.extend([0, 0]);
            output.extend(((length + 7) as u32).to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::tests::check;

    fn compress(plain: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        Matcher::default().compress(plain, &mut packed);
        packed
    }

    /// The two examples of the specification; a greedy compressor makes the very same bytes.
    #[test]
    fn published_examples_expand_and_compress() {
        let alphabet = b"abcdefghijklmnopqrstuvwxyz";
        let packed = [&[0x3F, 0, 0, 0], &alphabet[..]].concat();
        check(expand, &packed, alphabet);
        assert_eq!(compress(alphabet), packed);
        let repeated = b"abc".repeat(100);
        let packed = [0xFF, 0xFF, 0xFF, 0x1F, b'a', b'b', b'c', 0x17, 0x00, 0x0F, 0xFF, 0x26, 0x01];
        check(expand, &packed, &repeated);
        assert_eq!(compress(&repeated), packed);
    }

    #[test]
    fn what_is_compressed_expands_to_itself() {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize
        };
        // The interpreter that checks `unsafe` code (`tests/miri.sh`) is thousands of times slower.
        let (long, rounds, longest) = if cfg!(miri) { (3_000, 12, 300) } else { (100_000, 200, 5_000) };
        let mut cases = vec![vec![], vec![0], vec![0; 3], vec![7; long], (0..=255).collect::<Vec<u8>>()];
        for _ in 0..rounds {
            // Pieces repeated from before at any distance, with every way to code a length.
            let mut data: Vec<u8> = (0..random() % 40).map(|_| random() as u8).collect();
            for _ in 0..random() % 60 {
                let piece = match data.len() {
                    0 => vec![random() as u8],
                    len => {
                        let from = random() % len;
                        let most = [4, 9, 30, 300, longest][random() % 5];
                        data[from..len.min(from + 1 + random() % most)].to_vec()
                    }
                };
                data.extend(piece);
                data.push(random() as u8);
            }
            cases.push(data);
        }
        for plain in cases {
            let packed = compress(&plain);
            let mut room = vec![0; plain.len()];
            assert_eq!(expand(&packed, &mut room), Ok(plain.len()));
            assert!(room == plain);
            // With one byte less and one more of room; and damaged.
            for room in [plain.len().saturating_sub(1), plain.len(), plain.len() + 1] {
                same_by_all_loops(&packed, room);
            }
            for _ in 0..8 {
                let mut damaged = packed.clone();
                for _ in 0..1 + random() % 3 {
                    let at = random() % damaged.len();
                    damaged[at] = [0, 0x7F, 0xFF, random() as u8][random() % 4];
                }
                damaged.truncate(damaged.len() - [0, 0, 1, 40][random() % 4].min(damaged.len()));
                same_by_all_loops(&damaged, plain.len());
                same_by_all_loops(&damaged, plain.len() + 5_000);
            }
        }
    }

    /// Checks that the loops for all kinds of processors do what the careful one alone does.
    fn same_by_all_loops(packed: &[u8], size: usize) {
        let expanded = |blocks: Blocks| {
            let mut room = vec![0; size];
            let result = expand_with(blocks, packed, &mut room);
            let sound = match result {
                Ok(produced)
                | Err(
                    ExpandError::Truncated { produced }
                    | ExpandError::BadOffset { produced }
                    | ExpandError::BadCode { produced },
                ) => produced,
                Err(_) => size,
            };
            room.truncate(sound);
            (result, room)
        };
        let careful = expanded(|_, _, _| {});
        for blocks in [
            xpress_blocks::expand,
            xpress_blocks::expand_newer::<true>,
            xpress_blocks::expand_newer::<false>,
            xpress_blocks::expand_anywhere,
        ] {
            assert!(expanded(blocks) == careful);
        }
    }

    #[test]
    fn damage_is_an_error() {
        let mut room = [0; 64];
        // A match before anything was written.
        assert_eq!(
            expand(&[0, 0, 0, 0x80, 0, 0, 0, 0], &mut room),
            Err(ExpandError::BadOffset { produced: 0 })
        );
        // The input ends inside the flags, inside a token, inside a length.
        assert_eq!(expand(&[0, 0], &mut room), Err(ExpandError::Truncated { produced: 0 }));
        let start = [0, 0, 0, 0x40, b'a'];
        let with = |rest: &[u8]| [&start, rest].concat();
        for rest in [&[7][..], &[7, 0], &[7, 0, 15], &[7, 0, 15, 255, 9], &[7, 0, 15, 255, 0, 0, 1]] {
            assert_eq!(expand(&with(rest), &mut room), Err(ExpandError::Truncated { produced: 1 }));
        }
        // A 16-bit length that a byte could hold.
        assert_eq!(
            expand(&with(&[7, 0, 15, 255, 21, 0]), &mut room),
            Err(ExpandError::BadCode { produced: 1 })
        );
        // A length of 4 GiB.
        assert_eq!(
            expand(&with(&[7, 0, 15, 255, 0, 0, 255, 255, 255, 255]), &mut room),
            Err(ExpandError::TooLong)
        );
        assert_eq!(room, [b'a'; 64]);
    }
}
