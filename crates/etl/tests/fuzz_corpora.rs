//! The fuzz targets over the kept corpora, and over bytes that random changes make of them.

#[path = "../../../fuzz/corpora.rs"]
mod corpora;
mod fuzz;
mod made;

use std::path::PathBuf;

use fuzz::TARGETS;
use made::{Random, config, sample};
use tracewell_etl::Trace;
use tracewell_etl::def::buffer::CompressionFormat;

#[test]
fn no_target_breaks_on_its_corpus_or_near_it() {
    for (name, body) in TARGETS {
        corpora::check(name, body, 1_500);
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
