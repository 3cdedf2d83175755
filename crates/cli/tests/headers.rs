//! What `etw info` and `etw verify` report about headers with losses, or with impossible clocks.

mod common;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use common::{command, run};
use serde_json::Value;
use tracewell_etl::Trace;
use tracewell_etl::def::logfile::ClockType;
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_relog::doubt_of_clock;
use tracewell_types::FileTime;

/// A trace of two events, so many raw units apart, by the header that is asked for.
fn made(name: &str, config: TraceConfig, apart: i64, buffers_lost: u32) -> PathBuf {
    let (start, end) = (config.raw_start, config.start_time);
    let mut writer = TraceWriter::new(Cursor::new(Vec::new()), config).unwrap();
    writer.add_losses(0, buffers_lost);
    for time in [start, start + apart] {
        // A context switch.
        let mut record = vec![2, 0, 17, 0xC0, 40, 0, 36, 5];
        record.extend(time.to_le_bytes());
        record.extend([0; 24]);
        writer.write_record(0, &record).unwrap();
    }
    let file = writer.finish(FileTime(end.0 + 1)).unwrap().into_inner();
    tracewell_corpus::shared(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("headers"), name, &file)
}

/// What `etw` writes of a file, with its exit status.
fn etw(words: &[&str], file: &Path) -> (Option<i32>, String) {
    let ran = run(command("etw").args(words).arg(file));
    (ran.status, ran.stdout)
}

/// Issue 3: `verify` said nothing of the buffers that the header counts as lost.
#[test]
fn lost_buffers_are_reported() {
    let file = made("lost.etl", TraceConfig::default(), 5, 9);
    let (status, text) = etw(&["verify"], &file);
    assert_eq!(status, Some(0));
    assert!(text.contains(": sound, 3 records, 9 buffers lost while recording\n"), "{text}");
}

/// Issue 3: traces with unknown times were reported as "performance counter, 0 Hz" and "sound".
#[test]
fn impossible_clocks_are_reported() {
    let usual = || TraceConfig { start_time: FileTime(132_264_173_104_203_138), ..TraceConfig::default() };
    let of_system = || TraceConfig { clock_type: ClockType::SYSTEM_TIME, ..usual() };
    let of_frequency = |perf_freq| TraceConfig { perf_freq, ..usual() };
    let cycles = TraceConfig { clock_type: ClockType::CPU_CYCLES, cpu_speed_mhz: 0, ..usual() };
    let now = TraceConfig { raw_start: usual().start_time.0, ..of_system() };
    let late = TraceConfig { raw_start: i64::MAX / 2, ..of_frequency(1) };
    let no_frequency = "no frequency of the clock: 10 MHz is assumed";
    for (name, config, doubt, seconds) in [
        ("zero", of_frequency(0), Some(no_frequency), 30.0),
        ("negative", of_frequency(-1_818_300), Some(no_frequency), 30.0),
        ("cycles", cycles, Some(no_frequency), 30.0),
        ("small", of_system(), Some("a unit of 100 ns (10 MHz) is assumed"), 30.0),
        // The whole span is beyond nanoseconds in 64 bits: it was 0 seconds.
        ("one", late, Some("no clock has the frequency of the header, 1 Hz"), 300_000_000.0),
        ("huge", of_frequency(1 << 62), Some("no clock has the frequency"), 0.0),
        ("now", now, None, 30.0),
        ("usual", usual(), None, 30.0),
    ] {
        let file = made(&format!("{name}.etl"), config, 300_000_000, 0);
        let (status, verified) = etw(&["verify"], &file);
        let (_, shown) = etw(&["info"], &file);
        let (_, json) = etw(&["info", "--json"], &file);
        let (_, json_verified) = etw(&["verify", "--json"], &file);
        let [json, json_verified]: [Value; 2] =
            [json, json_verified].map(|text| serde_json::from_str(&text).unwrap());
        assert_eq!(status, Some(i32::from(doubt.is_some())), "{name}: {verified}");
        assert_eq!(verified.contains(": sound,"), doubt.is_none(), "{name}: {verified}");
        assert!(!shown.contains(" 0 Hz"), "{name}: {shown}");
        let duration = json["duration"].as_f64().unwrap();
        assert!((duration - seconds).abs() < 1e-3, "{name}: {duration}");
        let status = if doubt.is_some() { "doubtful" } else { "sound" };
        assert_eq!(json_verified["status"], status, "{name}");
        if let Some(doubt) = doubt {
            for text in [&verified, &shown, &json_verified["remarks"].to_string()] {
                assert!(text.contains(doubt) && text.contains("not to be believed"), "{name}: {text}");
            }
        }
        assert_eq!(json["clock"]["doubt"].is_string(), doubt.is_some(), "{name}: {json}");
    }
}

/// Traces of real machines have clocks that are to be believed.
#[test]
fn real_clocks_are_believed() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let mut opened = 0;
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "etl") {
                let bytes = std::fs::read(&path).unwrap();
                let Ok(trace) = Trace::open(&bytes) else { continue };
                assert_eq!(doubt_of_clock(&trace), None, "{}", path.display());
                opened += 1;
            }
        }
    }
    assert!(opened > 20, "{opened}");
}
