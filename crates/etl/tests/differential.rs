//! The decompressors against those of other people, and ours against their compressors.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod made;

use made::Random;
use tracewell_etl::compress::{huffman, lznt1 as ours, xpress};

/// Bytes of many kinds: noise, text that comes again, runs, records with small numbers.
fn data(random: &mut Random, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let size = random.below(most);
    while bytes.len() < size {
        let count = 1 + random.below(400);
        match random.below(5) {
            0 => bytes.extend((0..count).map(|_| random.next() as u8)),
            1 => bytes.extend(std::iter::repeat_n(random.next() as u8, count)),
            2 => bytes.extend(b"a provider logs an event ".iter().cycle().take(count)),
            3 => bytes.extend((0..count / 8).flat_map(|_| (random.below(300) as u64).to_le_bytes())),
            _ => {
                let from = random.below(bytes.len() + 1);
                let end = (from + count).min(bytes.len());
                bytes.extend_from_within(from..end);
            }
        }
    }
    bytes
}

/// Their compressor is left out: it panics, and makes streams that it cannot read itself.
#[test]
fn xpress_as_others_read_it() {
    let mut random = Random::new(3);
    let mut damaged = 0;
    for round in 0..300 {
        let mut bytes = data(&mut random, 40_000);
        bytes.push(round as u8);
        let mut packed = Vec::new();
        xpress::Matcher::default().compress(&bytes, &mut packed);
        assert_eq!(lzxpress::data::decompress(&packed).ok().as_ref(), Some(&bytes), "{round}");
        // Damaged: whenever both make sense of it, it is the same.
        let at = random.below(packed.len());
        packed[at] ^= 1 << random.below(8);
        if let Ok(theirs) = lzxpress::data::decompress(&packed) {
            let mut room = vec![0; theirs.len()];
            if xpress::expand(&packed, &mut room) == Ok(theirs.len()) {
                assert_eq!(room, theirs, "{round}: damaged at {at}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 30, "{damaged}");
}

#[test]
fn lznt1_of_others_expands() {
    let mut random = Random::new(4);
    for round in 0..300 {
        let bytes = data(&mut random, 30_000);
        let mut packed = Vec::new();
        lznt1::compress(&bytes, &mut packed);
        let mut room = vec![0; bytes.len()];
        assert_eq!(ours::expand(&packed, &mut room), Ok(bytes.len()), "{round}");
        assert_eq!(room, bytes, "{round}");
        let mut by_second = Vec::new();
        if lzxpress::lznt1::decompress2(&packed, &mut by_second).is_ok() {
            assert_eq!(by_second, bytes, "{round}: two others agree");
        }
        // Damaged: whenever both make sense of it, it is the same.
        let Some(at) = packed.len().checked_sub(1).map(|last| random.below(last + 1)) else { continue };
        packed[at] ^= 1 << random.below(8);
        let mut theirs = Vec::new();
        if lznt1::decompress(&packed, &mut theirs).is_ok() {
            let mut room = vec![0; theirs.len()];
            if ours::expand(&packed, &mut room) == Ok(theirs.len()) {
                assert_eq!(room, theirs, "{round}: damaged at {at}");
            }
        }
    }
}

/// Codes of eight bits for every literal, and the literals: the plainest stream there is.
fn literals(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x88; 128];
    packed.extend([0; 128]);
    // Words of 16 bits, low byte first, read from the top: each pair is swapped.
    for pair in bytes.chunks(2) {
        packed.extend([pair.get(1).copied().unwrap_or(0), pair[0]]);
    }
    packed.extend([0; 4]);
    packed
}

#[test]
fn huffman_as_others_read_it() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let mut bytes = data(&mut random, 3_000);
        bytes.push(7);
        let packed = literals(&bytes);
        let mut room = vec![0; bytes.len()];
        assert_eq!(huffman::expand(&packed, &mut room), Ok(bytes.len()));
        assert_eq!(room, bytes);
        assert_eq!(xpress_huffman::decompress(&packed, bytes.len()).ok(), Some(bytes));
    }
    // Streams with matches: those that a fuzzer found, whenever both read them.
    let mut compared = 0;
    for seed in corpora::corpus("huffman") {
        let Some((size, packed)) = seed.split_first_chunk::<2>() else { continue };
        let size = usize::from(u16::from_le_bytes(*size));
        let mut room = vec![0; size];
        if huffman::expand(packed, &mut room) == Ok(size)
            && let Ok(theirs) = xpress_huffman::decompress(packed, size)
        {
            assert_eq!(room, theirs);
            compared += 1;
        }
    }
    assert!(compared > 0);
}
