//! The fuzz targets over sound files and over what random changes make of them.

mod fuzz;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fuzz::TARGETS;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let file = |name: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/symbols").join(name);
        std::fs::read(path).expect("the file is there")
    };
    match target {
        "database" => vec![file("demo.pdb"), file("bare.pdb")],
        "image" => vec![file("demo.dll"), file("bare.dll")],
        _ => [
            "?apply@Basket@shop@@QEAAHH@Z",
            "??$largest@V?$pair@HV?$vector@H@std@@@std@@@shop@@YA?AV?$pair@HV?$vector@H@std@@@std@@V12@0@Z",
            "?f@@YAXP6AXP6AXH@Z0@Z1@Z",
            "_ZNSt6vectorIN4shop6BasketESaIS1_EE9push_backEOS1_",
            "_RNvMs_NtCsjdWb5ynr3Pc_6ledger7accountNtB4_7Account7balance",
            "_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
            "_NtClose@4",
            "srv*/cache*https://server.example/store;cache*;/folder",
        ]
        .map(|name| name.as_bytes().to_vec())
        .to_vec(),
    }
}

/// Numbers of a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

/// Changes bytes and 32-bit fields, repeats and drops pieces.
fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(8) {
            0 if bytes.len() < 1 << 17 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                drop(bytes.splice(to..to, piece));
            }
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let from = random.below(bytes.len());
                let length = (end - at).min(bytes.len() - from);
                let to = at.min(bytes.len() - length);
                bytes.copy_within(from..from + length, to);
            }
            4 => {
                let field = [0u32, 1, 0x7fff_ffff, u32::MAX, bytes.len() as u32, random.below(4096) as u32]
                    [random.below(6)];
                let at = at & !3;
                if let Some(place) = bytes.get_mut(at..at + 4) {
                    place.copy_from_slice(&field.to_le_bytes());
                }
            }
            _ => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'0', b'@', random.below(256) as u8][random.below(8)],
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

#[test]
fn no_target_breaks_near_sound_files() {
    for (name, body) in TARGETS {
        let seeds = seeds(name);
        for seed in &seeds {
            body(seed);
        }
        let mut random = Random(0x1234_5678_9abc_def1);
        for _ in 0..if *name == "database" { 300 } else { 3_000 } {
            body(&mutate(&mut random, &seeds));
        }
    }
}

/// Inputs that the fuzzer found; the first byte selects the target that gets the rest.
#[test]
fn no_target_breaks_on_what_was_found() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/symbols");
    let mut found = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus is there") {
        let bytes = std::fs::read(entry.expect("an entry can be read").path()).expect("it can be read");
        let Some((which, bytes)) = bytes.split_first() else { continue };
        let (_, body) = TARGETS[usize::from(*which) % TARGETS.len()];
        for length in 0..=bytes.len() {
            body(&bytes[..length]);
        }
        found += 1;
    }
    assert!(found >= 30, "{found}");
}

/// Runs each target for `TRACEWELL_FUZZ_SECONDS` (60), without a fuzzer to guide it.
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let seconds = std::env::var("TRACEWELL_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    for (name, body) in TARGETS {
        let seeds = seeds(name);
        let mut random = Random(0xfeed_beef_1234_5679);
        let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
        while begun.elapsed() < Duration::from_secs(seconds) {
            let bytes = mutate(&mut random, &seeds);
            let one = Instant::now();
            body(&bytes);
            slowest = slowest.max(one.elapsed());
        }
        assert!(slowest < Duration::from_secs(10), "{name}: one input took {slowest:?}");
    }
}
