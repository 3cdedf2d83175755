//! Bodies of the fuzz targets: each takes any bytes and must neither panic nor break the rule it states.
//!
//! Ordinary functions, so that the tests run them over the kept corpora, and `fuzz/` over whatever a fuzzer makes up.
#![allow(dead_code, reason = "each user takes a part")]

use tracewell_etl::compress::{ExpandError, huffman, lznt1, xpress};
use tracewell_etl::def::buffer::BUFFER_HEADER_SIZE;
use tracewell_etl::read::{Limits, StreamReader};
use tracewell_etl::write::TraceConfig;
use tracewell_etl::{Record, Trace};

/// A body.
pub(crate) type Body = fn(&[u8]);

/// The bodies by name; the name is also that of the corpus.
pub(crate) const TARGETS: [(&str, Body); 6] = [
    ("file", file),
    ("buffer", buffer),
    ("xpress", xpress_target),
    ("huffman", huffman_target),
    ("lznt1", lznt1_target),
    ("pack", pack),
];

const LIMITS: Limits = Limits { buffer_size: 1 << 20, expanded: 4 << 20 };

/// Asks a record everything.
fn touch(record: &Record<'_>) {
    let text = format!("{record:?} {:?} {:?} {:?}", record.identity(), record.fault(), record.cpu_times());
    assert!(!text.is_empty());
    assert!(record.payload_offset() <= record.bytes().len());
    assert!(record.time_offset().is_none_or(|at| at + 8 <= record.bytes().len()));
    let items: usize = record.extended().map(|item| item.data.len()).sum();
    assert!(items + record.counters().len() <= record.bytes().len());
}

/// A whole file: both orders give the same records, a stream never fails, and sessions follow each other. Without a header it is
/// read as far as there are buffers.
pub(crate) fn file(bytes: &[u8]) {
    let header = TraceConfig::default().header().expect("a header");
    if let Ok(headless) = Trace::open_headless(bytes, header, LIMITS) {
        let mut cursor = headless.file_order();
        while let Some(record) = cursor.next() {
            touch(&record);
        }
    }
    let Ok(trace) = Trace::open_with(bytes, LIMITS) else { return };
    let mut place = 0;
    for session in trace.clone().into_sessions() {
        assert_eq!(std::mem::replace(&mut place, session.extent().end), session.extent().start);
        assert!(session.buffers().iter().all(|info| session.extent().contains(&info.offset)));
    }
    assert_eq!(place, bytes.len() as u64);
    let mut cursor = trace.file_order();
    let mut count = 0;
    while let Some(record) = cursor.next() {
        touch(&record);
        count += 1;
    }
    let mut by_time = trace.by_time();
    let mut again = 0;
    while by_time.next().is_some() {
        again += 1;
    }
    let full = |ledger: &tracewell_etl::read::Ledger| {
        ledger.damage().iter().any(|d| d.reason == tracewell_etl::read::DamageReason::ExpandedTotal)
    };
    assert!(count == again || full(by_time.ledger()));
    assert!(trace.loss_ledger().count() >= trace.loss_ledger().losses().len() as u64);
    let mut stream = StreamReader::open_with(bytes, LIMITS).expect("opens as the trace does");
    while let Some(record) = stream.next().expect("slices do not fail") {
        touch(&record);
    }
}

/// The records of a buffer: a sound file of one data buffer, whose bytes after its header these are.
pub(crate) fn buffer(bytes: &[u8]) {
    use std::io::Cursor;
    use tracewell_etl::write::TraceWriter;
    // One that is larger than the header allows may hold others.
    const MOST: usize = 1 << 16;
    let config = TraceConfig { buffer_size: MOST as u32, ..TraceConfig::default() };
    let writer = TraceWriter::new(Cursor::new(Vec::new()), config).expect("a header buffer");
    let mut file = writer.finish(tracewell_types::FileTime(1)).expect("in memory").into_inner();
    let bytes = &bytes[..bytes.len().min(MOST - BUFFER_HEADER_SIZE)];
    let mut header = [0; BUFFER_HEADER_SIZE];
    let size = (BUFFER_HEADER_SIZE + bytes.len()) as u32;
    for at in [0x00, 0x04, 0x30] {
        header[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    file.extend(header);
    file.extend(bytes);
    let trace = Trace::open(&file).expect("the header buffer is sound");
    assert_eq!(trace.buffers().len(), 2);
    let mut cursor = trace.records_of(1..2);
    let mut used = 0;
    while let Some(record) = cursor.next() {
        touch(&record);
        used += record.bytes().len();
    }
    assert!(used <= bytes.len());
}

/// Expands into rooms of several sizes: what fits a smaller room is the beginning of what fits a larger one.
fn expander(bytes: &[u8], expand: fn(&[u8], &mut [u8]) -> Result<usize, ExpandError>) {
    let (size, packed) = match bytes.split_first_chunk::<2>() {
        Some((size, packed)) => (usize::from(u16::from_le_bytes(*size)), packed),
        None => (64, bytes),
    };
    let mut large = vec![0xA5; size + 300];
    let mut small = vec![0x5A; size];
    let of_large = expand(packed, &mut large);
    let of_small = expand(packed, &mut small);
    if let (Ok(large_size), Ok(small_size)) = (of_large, of_small) {
        assert!(large_size <= large.len() && small_size <= small.len());
        let common = large_size.min(small_size);
        assert_eq!(large[..common], small[..common]);
    }
}

/// XPRESS.
pub(crate) fn xpress_target(bytes: &[u8]) {
    expander(bytes, xpress::expand);
}

/// XPRESS with Huffman codes.
pub(crate) fn huffman_target(bytes: &[u8]) {
    expander(bytes, huffman::expand);
}

/// LZNT1.
pub(crate) fn lznt1_target(bytes: &[u8]) {
    expander(bytes, lznt1::expand);
}

/// Any compressed data expands to itself.
pub(crate) fn pack(bytes: &[u8]) {
    let mut packed = Vec::new();
    xpress::Matcher::default().compress(bytes, &mut packed);
    let mut room = vec![0; bytes.len()];
    assert_eq!(xpress::expand(&packed, &mut room), Ok(bytes.len()));
    assert_eq!(room, bytes);
}
