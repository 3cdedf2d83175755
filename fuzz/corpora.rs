//! The kept corpora of the fuzz targets, and what the tests do with them where there is no fuzzer.
//!
//! The tests of a crate include this file beside their `fuzz/mod.rs`, which has the bodies.

#![allow(dead_code, reason = "each user takes a part")]

use std::path::PathBuf;

/// The inputs kept for a target, in order of their names.
pub(crate) fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// A small generator of random numbers (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }
}

/// Changes bytes, drops, repeats or joins pieces.
fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        let end = at + random.below((bytes.len() - at).min(64) + 1);
        match random.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, piece));
            }
            2 => {
                let other = &seeds[random.below(seeds.len())];
                bytes.truncate(at);
                bytes.extend(&other[at.min(other.len())..]);
            }
            3 if at < bytes.len() => bytes[at] = [0, 1, 7, 0x7F, 0x80, 0xFF][random.below(6)],
            _ if at < bytes.len() => bytes[at] ^= random.next() as u8,
            _ => bytes.push(random.next() as u8),
        }
    }
    bytes.truncate(1 << 17);
    bytes
}

/// Runs a body over its corpus: each input whole, cut at every length where that is quick, and changed at random
/// `rounds` times.
pub(crate) fn check(name: &str, body: fn(&[u8]), rounds: usize) {
    let seeds = corpus(name);
    assert!(seeds.len() >= 3, "{name} has a corpus");
    for seed in &seeds {
        body(seed);
        for end in 0..seed.len().min(600) {
            body(&seed[..end]);
        }
    }
    let mut random = Random(77 << 1 | 1);
    for _ in 0..rounds {
        body(&mutate(&mut random, &seeds));
    }
}
