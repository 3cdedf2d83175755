//! The fuzz targets over the kept corpora, and over bytes that random changes make of them.
#![allow(clippy::print_stderr, reason = "a long run reports")]

mod fuzz;
mod made;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fuzz::TARGETS;
use made::{Random, config, sample};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
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

#[test]
fn no_target_breaks_on_its_corpus_or_near_it() {
    for (name, body) in TARGETS {
        let seeds = corpus(name);
        assert!(seeds.len() >= 3, "{name} has a corpus");
        for seed in &seeds {
            body(seed);
            // Cut at every length, where that is quick.
            for end in 0..seed.len().min(600) {
                body(&seed[..end]);
            }
        }
        let mut random = Random::new(77);
        for _ in 0..1_500 {
            body(&mutate(&mut random, &seeds));
        }
    }
}

/// Runs each target for `TRACEWELL_FUZZ_SECONDS` (60), without a fuzzer to guide it.
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let seconds = std::env::var("TRACEWELL_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    for (name, body) in TARGETS {
        let seeds = corpus(name);
        let mut random = Random::new(std::process::id().into());
        let begun = Instant::now();
        let mut runs = 0_u64;
        while begun.elapsed() < Duration::from_secs(seconds) {
            body(&mutate(&mut random, &seeds));
            runs += 1;
        }
        eprintln!("{name}: {runs} runs");
    }
}

/// Writes first inputs for the targets: `cargo test -p tracewell-etl --test fuzz_corpora -- --ignored seeds`.
#[test]
#[ignore = "writes into the repository"]
fn seeds() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let put = |target: &str, name: &str, bytes: &[u8]| {
        let folder = root.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    };
    for (seed, format) in [(1, CompressionFormat::NONE), (2, CompressionFormat::XPRESS)] {
        let file = sample(&mut Random::new(seed), config(format), 40);
        put("file", &format!("sample-{format}"), &file);
        put("file", &format!("cut-{format}"), &file[..file.len() - 700]);
        let trace = Trace::open(&file).unwrap();
        let mut records = Vec::new();
        for buffer in 1..3 {
            trace.expand_buffer(buffer, &mut records).unwrap();
            put("buffer", &format!("sample-{format}-{buffer}"), &records);
            put("pack", &format!("sample-{format}-{buffer}"), &records);
            let sized = |packed: &[u8]| [&(records.len() as u16).to_le_bytes()[..], packed].concat();
            let mut packed = Vec::new();
            tracewell_etl::compress::xpress::Matcher::default().compress(&records, &mut packed);
            put("xpress", &format!("sample-{format}-{buffer}"), &sized(&packed));
        }
    }
    let text = b"abracadabra abracadabra";
    put("pack", "text", text);
    put("pack", "zeros", &[0; 700]);
    put("xpress", "literals", &[&[26, 0, 0x3F, 0, 0, 0][..], b"abcdefghijklmnopqrstuvwxyz"].concat());
    let run = [44, 1, 0xFF, 0xFF, 0xFF, 0x1F, b'a', b'b', b'c', 0x17, 0, 0x0F, 0xFF, 0x26, 1];
    put("xpress", "run", &run);
    // A Huffman table of 8-bit codes for all literals, of shorter ones for few, and none.
    put("huffman", "even", &[&[20, 0][..], &[0x88; 128], &[0; 128], &[0x5A; 40]].concat());
    let mut few = [0; 256];
    (few[48], few[49], few[128]) = (0x22, 0x22, 0x01);
    put("huffman", "few", &[&[9, 0][..], &few, &[0x31; 24]].concat());
    put("huffman", "empty", &[&[4, 0][..], &[0; 300]].concat());
    put("lznt1", "text", &[&[23, 0, 14, 0xB0, 0][..], b"abracada", &[2], b"b", &[0x05, 0x30, 0, 0]].concat());
    put("lznt1", "plain", &[&[8, 0, 7, 0x30][..], b"plainest", &[0, 0]].concat());
    put("lznt1", "run", &[64, 0, 3, 0xB0, 2, b'a', 0x3C, 0, 0, 0]);
}
