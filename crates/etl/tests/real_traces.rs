//! Every real trace reads exactly as the census says.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use tracewell_etl::compress::lznt1;
use tracewell_etl::def::buffer::CompressionFormat;
use tracewell_etl::def::record::KernelGroup;
use tracewell_etl::map::Mapping;
use tracewell_etl::read::StreamReader;
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_etl::{Identity, Merge, Record, Trace};
use tracewell_types::{Guid, Utf16Str};

fn class_of(record: &Record<'_>) -> (String, u32) {
    match record.identity() {
        Identity::Kernel { group, opcode } => {
            let name = match KernelGroup(group) {
                KernelGroup::EVENT_TRACE => "EventTrace(hdr)".to_string(),
                KernelGroup::MEMORY => "PageFault/Memory".to_string(),
                other => other.to_string(),
            };
            (format!("K {name}"), opcode.into())
        }
        Identity::Class { guid, opcode } => (format!("C {guid}"), opcode.into()),
        Identity::Provider { guid, id, .. } => (format!("M {guid}"), id.into()),
        other => (format!("{other:?}"), 0),
    }
}

/// The 15 bytes of a record that the digest of the census is made of.
fn digest_entry(record: &Record<'_>) -> [u8; 15] {
    let mut entry = [0; 15];
    entry[0] = record.kind().0;
    entry[1..9].copy_from_slice(&record.time().to_le_bytes());
    entry[9..11].copy_from_slice(&(record.bytes().len() as u16).to_le_bytes());
    entry[11..].copy_from_slice(&crc32fast::hash(record.bytes()).to_le_bytes());
    entry
}

/// The facts of the census for a trace, computed by our reader.
fn facts(trace: &Trace<'_>) -> BTreeMap<&'static str, Value> {
    let mut kinds = BTreeMap::<String, u64>::new();
    let mut classes = BTreeMap::<String, BTreeMap<u32, u64>>::new();
    let mut items = BTreeMap::<u16, u64>::new();
    let mut digest = Sha256::new();
    let mut records = 0_u64;
    let mut times = Vec::new();
    let mut in_header = 0;
    let mut cursor = trace.file_order();
    while let Some(record) = cursor.next() {
        records += 1;
        *kinds.entry(record.kind().to_string()).or_default() += 1;
        let (class, event) = class_of(&record);
        *classes.entry(class).or_default().entry(event).or_default() += 1;
        for item in record.extended() {
            *items.entry(item.kind.0).or_default() += 1;
        }
        assert_eq!(record.fault(), None, "{record:?}");
        digest.update(digest_entry(&record));
        let time = record.time();
        times.push(time);
        in_header += usize::from(cursor.buffer() == 0);
    }
    assert!(cursor.ledger().is_clean(), "{:?}", cursor.ledger());
    assert!(trace.ledger().is_clean(), "{:?}", trace.ledger());
    // The census takes the span of the data buffers, without the records of the header buffer.
    let span = if times.len() > in_header { &times[in_header..] } else { &times[..] };
    let header = trace.header();
    let mut cpus: Vec<u16> = trace.buffers().iter().skip(1).map(|b| b.cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let version = header.version.map(|part| part.to_string()).join(".");
    BTreeMap::from([
        ("records", json!(records)),
        ("by_header_type", json!(kinds)),
        ("counts", json!(classes)),
        ("ext_items", json!(items)),
        ("record_digest", json!(digest)),
        ("first_raw_time", json!(span.iter().min())),
        ("last_raw_time", json!(span.iter().max())),
        ("boot_time", json!(header.boot_time.0)),
        ("start_time", json!(header.start_time.0)),
        ("end_time", json!(header.end_time.0)),
        ("perf_freq", json!(header.perf_freq)),
        ("clock_type", json!(header.clock_type.0)),
        ("buffer_size", json!(header.buffer_size)),
        ("buffers", json!(trace.buffers().len())),
        ("buffers_written", json!(header.buffers_written)),
        ("build", json!(header.build)),
        ("cpus_declared", json!(header.processors)),
        ("cpus_seen", json!(cpus.len())),
        ("compressed_buffers", json!(trace.buffers().iter().filter(|b| b.compressed()).count())),
        ("events_lost", json!(header.events_lost)),
        ("header_type", json!(header.kind.to_string())),
        ("log_file_mode", json!(header.mode.0)),
        ("logger", json!(header.logger_name)),
        ("version", json!(version)),
    ])
}

#[test]
fn every_file_reads_as_the_census_says() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let census = tracewell_corpus::census(&folder);
    assert!(census.len() >= 30);
    for (name, expected) in &census {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        for (fact, ours) in facts(&trace) {
            assert_eq!(ours, expected[fact], "{name}: {fact}");
        }
    }
}

#[test]
fn time_order_is_sorted_and_loses_nothing() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (name, expected) in &tracewell_corpus::census(&folder) {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let trace = Trace::open(&bytes).unwrap();
        let mut in_file = Vec::new();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            in_file.push(digest_entry(&record));
        }
        let mut by_time = Vec::new();
        let mut cursor = trace.by_time();
        let mut last = (i64::MIN, 0);
        while let Some(record) = cursor.next() {
            by_time.push(digest_entry(&record));
            let now = (record.time(), record.cpu());
            assert!(last <= now, "{name}: {last:?} before {now:?}");
            last = now;
        }
        assert!(cursor.ledger().is_clean(), "{name}: {:?}", cursor.ledger());
        assert_eq!(by_time.len() as u64, expected["records"], "{name}");
        in_file.sort_unstable();
        by_time.sort_unstable();
        assert!(in_file == by_time, "{name}: other records than in file order");
    }
}

/// Digest of all records of a cursor.
fn digest(next: &mut dyn FnMut(&mut Sha256) -> bool) -> String {
    let mut digest = Sha256::new();
    while next(&mut digest) {}
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Gives its bytes in pieces of odd sizes, as a pipe does.
struct Pipe<'a>(&'a [u8]);

impl Read for Pipe<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = into.len().min(4_093).min(self.0.len());
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn a_stream_gives_the_same_records() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (name, expected) in &tracewell_corpus::census(&folder) {
        let file = Mapping::open(folder.join(name)).unwrap();
        let mut stream = StreamReader::open(Pipe(&file)).unwrap();
        let ours = digest(&mut |digest| match stream.next().unwrap() {
            Some(record) => {
                digest.update(digest_entry(&record));
                true
            }
            None => false,
        });
        assert_eq!(ours, expected["record_digest"], "{name}");
        assert!(stream.ledger().is_clean());
    }
}

#[test]
fn real_records_written_again_are_the_same() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for (name, _) in &tracewell_corpus::census(&folder) {
        let file = Mapping::open(folder.join(name)).unwrap();
        let trace = Trace::open(&file).unwrap();
        for compression in [CompressionFormat::NONE, CompressionFormat::XPRESS] {
            let config =
                TraceConfig { compression, raw_start: trace.header().raw_time, ..TraceConfig::default() };
            let config = TraceConfig { buffer_size: 1 << 17, ..config };
            let mut writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
            let mut before = Vec::new();
            let mut cursor = trace.file_order();
            while let Some(record) = cursor.next() {
                writer.write_record(record.cpu(), record.bytes()).unwrap();
                before.push((record.cpu(), digest_entry(&record)));
            }
            let written = writer.finish(trace.header().end_time).unwrap().into_inner();
            let again = Trace::open(&written).unwrap();
            let mut after = Vec::new();
            let mut cursor = again.file_order();
            cursor.next();
            while let Some(record) = cursor.next() {
                after.push((record.cpu(), digest_entry(&record)));
            }
            assert!(cursor.ledger().is_clean() && again.ledger().is_clean(), "{name}");
            // A stable sort: the order on each processor must be the same.
            before.sort_by_key(|record| record.0);
            after.sort_by_key(|record| record.0);
            assert!(before == after, "{name} {compression}");
        }
    }
}

/// Text after `key` up to the next `;`, without the commas between thousands.
fn value<'a>(line: &'a str, key: &str) -> Option<std::borrow::Cow<'a, str>> {
    let start = line.find(key)? + key.len();
    let text = &line[start..start + line[start..].find(';')?];
    Some(text.replace(',', "").into())
}

/// TraceEvent's published output for some files: for every event printed there must be a record at that time, on that
/// processor, with a payload of that length.
#[test]
fn times_processors_and_payload_lengths_equal_those_of_trace_event() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    for name in ["primitive-types", "gcevents", "net.4.5.2.x64", "net45-x86-win7"] {
        let file = Mapping::open(folder.join(format!("perfview/{name}.etl"))).unwrap();
        let baseline = std::fs::read_to_string(folder.join(format!("perfview/{name}.baseline.txt"))).unwrap();
        let trace = Trace::open(&file).unwrap();
        let clock = trace.clock();
        let mut ours = std::collections::HashSet::new();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            let ns = clock.unix_ns(record.time()) - clock.unix_ns(clock.raw_start());
            let thousandths = (ns + 500).div_euclid(1_000);
            ours.insert((thousandths, record.cpu(), record.payload().len()));
        }
        let mut found = 0;
        let mut missing = Vec::new();
        for line in baseline.lines().filter(|line| line.starts_with("EVENT ")) {
            let time = line["EVENT ".len()..].split(':').next().unwrap().replace(',', "");
            let time = (time.parse::<f64>().unwrap() * 1_000.0).round() as i64;
            let Some((cpu, length)) = value(line, "ProceNum=").zip(value(line, "DataLen=")) else { continue };
            let (cpu, length) = (cpu.parse::<u16>().unwrap(), length.parse::<usize>().unwrap());
            if (time - 1..=time + 1).any(|time| ours.contains(&(time, cpu, length))) {
                found += 1;
            } else {
                missing.push(line.chars().take(120).collect::<String>());
            }
        }
        assert!(missing.is_empty() && found > 4, "{name}: {found} found, missing {missing:#?}");
    }
}

#[test]
fn the_files_of_one_session_merge_by_raw_time() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let census = tracewell_corpus::census(&folder);
    let names: Vec<&String> = census.keys().filter(|name| name.contains("/diaghub/")).collect();
    assert_eq!(names.len(), 4);
    let files: Vec<Mapping> = names.iter().map(|name| Mapping::open(folder.join(name)).unwrap()).collect();
    let traces: Vec<Trace<'_>> = files.iter().map(|file| Trace::open(file).unwrap()).collect();
    let mut merge = Merge::new(&traces);
    assert!(merge.is_by_raw_time());
    let mut counts = [0_u64; 4];
    let mut last = i64::MIN;
    while let Some((trace, record)) = merge.next() {
        assert!(record.time() >= last);
        last = record.time();
        counts[trace] += 1;
    }
    let expected: Vec<u64> = names.iter().map(|&name| census[name]["records"].as_u64().unwrap()).collect();
    assert_eq!(counts[..], expected);
}

/// Merge tools log system assessments as LZNT1-compressed UTF-16 text: `u32` kind, `u32` size, then the data.
#[test]
fn lznt1_payloads_of_real_traces_expand_to_xml() {
    let Some(folder) = tracewell_corpus::folder() else { return };
    let class = Guid::parse("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
    let mut expanded = 0;
    for (name, _) in &tracewell_corpus::census(&folder) {
        let file = Mapping::open(folder.join(name)).unwrap();
        let trace = Trace::open(&file).unwrap();
        let mut cursor = trace.file_order();
        while let Some(record) = cursor.next() {
            if record.guid() != class {
                continue;
            }
            let payload = record.payload();
            let size = u32::from_le_bytes(*payload[4..].first_chunk().unwrap()) as usize;
            let mut text = vec![0; size];
            lznt1::expand(&payload[8..], &mut text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let text = Utf16Str::until_nul(&text).0.to_string();
            assert!(text.trim_start_matches('\u{FEFF}').starts_with('<'), "{name}: {text:.60}");
            assert!(text.trim_end().ends_with('>'), "{name}");
            expanded += 1;
        }
    }
    assert!(expanded > 10, "{expanded}");
}
