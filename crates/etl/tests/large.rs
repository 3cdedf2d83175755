//! A trace larger than memory would like: time linear in its size, memory bounded.
//!
//! Memory is looked at with each run, over 400 MB. Time and 10 GB, which are written to the temporary folder (and deleted), are not:
//! `cargo test --release -p tracewell-etl --test large -- --ignored --nocapture`. `TRACEWELL_LARGE_MB` gives another size.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "it reports figures")]

mod made;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use made::{Random, config, sample};
use tracewell_etl::def::buffer::{BUFFER_HEADER_SIZE, CompressionFormat};
use tracewell_etl::map::Mapping;
use tracewell_etl::write::TraceConfig;
use tracewell_etl::{Record, Trace};

/// A file that is removed at the end, however the test ends.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a trace of about `size` bytes: the data buffers of a made one again and again, each time later.
fn write(size: u64) -> (Temporary, u64) {
    let config = TraceConfig { buffer_size: 1 << 20, processors: 8, ..config(CompressionFormat::NONE) };
    let mut file = sample(&mut Random::new(3), config, 600_000);
    let trace = Trace::open(&file).unwrap();
    let span = 1_200_000;
    // The positions of the times in the file.
    let mut times = Vec::new();
    let mut records = 0;
    for info in &trace.buffers()[1..] {
        let mut at = info.offset as usize + BUFFER_HEADER_SIZE;
        let end = info.offset as usize + info.used as usize;
        while at < end {
            let record = Record::parse(&file[at..end], 0).unwrap();
            times.extend(record.time_offset().map(|offset| at + offset));
            at += record.bytes().len().next_multiple_of(8);
            records += 1;
        }
    }
    let first = trace.buffers()[1].offset as usize;
    let path = std::env::temp_dir().join(format!("tracewell-large-{}.etl", std::process::id()));
    let temporary = Temporary(path);
    let mut sink = BufWriter::new(File::create(&temporary.0).unwrap());
    sink.write_all(&file[..first]).unwrap();
    let rounds = size / (file.len() - first) as u64;
    for _ in 0..rounds {
        sink.write_all(&file[first..]).unwrap();
        for &at in &times {
            let time = i64::from_le_bytes(*file[at..].first_chunk().unwrap()) + span;
            file[at..at + 8].copy_from_slice(&time.to_le_bytes());
        }
    }
    sink.flush().unwrap();
    (temporary, 1 + records * rounds)
}

/// Most bytes of memory this process has had, in MB: a line of `/proc/self/status`.
fn resident_mb(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|text| text.starts_with(line)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1_000
}

/// Seconds of processor time this process has used, by `/proc/self/stat` (user and system time, in hundredths).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// A pass in time order: seconds, seconds of processor time, records.
fn pass(path: &PathBuf) -> (f64, f64, u64) {
    let map = Mapping::open(path).unwrap();
    let (begun, used) = (Instant::now(), processor_seconds());
    let trace = Trace::open_mapped(&map).unwrap();
    let mut cursor = trace.by_time();
    let (mut records, mut last) = (0, i64::MIN);
    while let Some(record) = cursor.next() {
        assert!(record.time() >= last);
        last = record.time();
        records += 1;
    }
    assert!(cursor.ledger().is_clean() && trace.ledger().is_clean());
    (begun.elapsed().as_secs_f64(), processor_seconds() - used, records)
}

/// The tests look at the memory of the whole process, so one at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Far less than the file: what a cursor keeps of it, and what it took to make it.
const RESIDENT_MB: u64 = 256;

#[test]
fn memory_is_bounded() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (file, expected) = write(400_000_000);
    // Where it is not allowed, what it took to make the file counts, too: a fraction of the bound.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let (.., records) = pass(&file.0);
    assert_eq!(records, expected);
    let peak = resident_mb("VmHWM");
    assert!(peak < RESIDENT_MB, "{peak} MB resident");
}

#[test]
#[ignore = "writes 10 GB"]
fn memory_is_bounded_and_time_linear() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let size = std::env::var("TRACEWELL_LARGE_MB").ok().and_then(|mb| mb.parse().ok()).unwrap_or(10_000_u64);
    let mut rates = Vec::new();
    for size in [size / 4, size] {
        let (file, expected) = write(size * 1_000_000);
        // The most this process has had counts from here: making the file took some, too.
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        let (seconds, used, records) = pass(&file.0);
        assert_eq!(records, expected);
        // A file of this size need not stay in memory from one use to the next: the disk's time is not ours.
        let rate = records as f64 / used / 1e6;
        let peak = resident_mb("VmHWM");
        eprintln!(
            "{size} MB: {records} records in {seconds:.2} s, {used:.2} s of them computing, {rate:.1} M records/s, {peak} MB resident"
        );
        assert!(peak < RESIDENT_MB, "{peak} MB resident");
        rates.push(rate);
    }
    // Four times the size takes four times as long, give or take what else the machine does.
    assert!(rates[1] > rates[0] / 2.0, "{rates:?}");
}
