//! `etw slice` keeps of a process what `etw dump` shows of it, and says when events are.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{command, run, sample};
use serde_json::Value;
use tracewell_etl::write::{TraceConfig, TraceWriter};
use tracewell_types::FileTime;

/// How often each event is shown, by all that a slice does not change: names may come of records that it leaves out.
fn shown(words: &[&str]) -> BTreeMap<String, u64> {
    let ran = run(command("etw").args(["dump", "--json"]).args(words));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let mut counts = BTreeMap::new();
    for line in ran.stdout.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        // The header is written anew.
        if event["event"] != "EventTrace/Header" {
            let key = format!("{} {} {}/{}", event["time"], event["cpu"], event["provider"], event["event"]);
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

/// Issue 3: slices lacked the events whose process id is in their payload (disks, network, faults).
#[track_caller]
fn assert_kept(trace: &Path, pid: &str, telling: &[&str]) {
    let folder = tracewell_corpus::Scratch::new("slices");
    let made = folder.join(format!("{pid}.etl")).display().to_string();
    let trace = trace.display().to_string();
    let wanted = shown(&["--pid", pid, &trace]);
    for event in telling {
        assert!(wanted.keys().any(|key| key.contains(event)), "{trace}: {event} of {pid}");
    }
    let ran = run(command("etw").args(["slice", "--exact", "-f", "--pid", pid, "-o", &made, &trace]));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let kept = shown(&[&made]);
    let missing: Vec<_> =
        wanted.iter().filter(|(key, n)| kept.get(*key).is_none_or(|kept| kept < n)).collect();
    assert!(missing.is_empty(), "{trace}: of {pid} {} are missing: {:?}", missing.len(), missing.first());
}

#[test]
fn a_slice_holds_what_dump_shows_of_a_process() {
    for pid in ["4", "0", "6888"] {
        assert_kept(&sample(), pid, &[]);
    }
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let net = ["DiskIo/", "TcpIp/", "UdpIp/"];
    assert_kept(&corpus.join("perfview/net.4.5.2.x64.etl"), "4", &net);
    assert_kept(&corpus.join("tx/HTTP_Server.etl"), "4", &[]);
    assert_kept(&corpus.join("perfview/net45-x86-win7.etl"), "4", &["DiskIo/"]);
}

/// Issue 3: the header at 0 seconds was reported as the first event, though the first event comes much
/// later.
#[test]
fn the_header_is_no_event_in_time() {
    let Some(corpus) = tracewell_corpus::folder() else { return };
    let trace = corpus.join("tx/HTTP_Server.etl").display().to_string();
    let folder = tracewell_corpus::Scratch::new("slices");
    let made = folder.join("nothing.etl").display().to_string();
    let told = "no event is in that time: the first is at 49.749 s, the last at 79.261 s";
    for words in [&["slice", "-o", &made, &trace][..], &["dump", &trace]] {
        let ran = run(command("etw").args(words).args(["--start", "2", "--end", "40"]));
        assert!(ran.stderr.contains(told), "{words:?}: {}", ran.stderr);
    }
}

/// A slice that was asked for by any option, and has no event, is an error and leaves no file; without a selection there may be none.
#[test]
fn issue_23_a_slice_without_the_events_that_were_asked_for_is_an_error() {
    let folder = tracewell_corpus::Scratch::new("slices-none");
    let config = TraceConfig { start_time: FileTime(132_257_925_005_000_000), ..TraceConfig::default() };
    let writer = TraceWriter::new(std::io::Cursor::new(Vec::new()), config).unwrap();
    let bytes = writer.finish(FileTime(132_257_925_015_000_000)).unwrap().into_inner();
    let empty = folder.write("empty.etl", &bytes).display().to_string();
    let sample = sample().display().to_string();
    let made = folder.join("made.etl");
    let guid = "0ad614c4-0ef4-4225-8000-0123456789ab";
    for (trace, words, succeeds) in [
        (&empty, &[][..], true),
        (&sample, &[], true),
        (&empty, &["--exact"], true),
        (&empty, &["--pid", "4"], false),
        (&empty, &["--provider", guid], false),
        (&empty, &["--event", "7"], false),
        (&empty, &["--start", "0"], false),
        (&empty, &["--end", "5"], false),
        (&sample, &["--pid", "4"], true),
        (&sample, &["--pid", "3999999999"], false),
        (&sample, &["--provider", guid], false),
        (&sample, &["--event", "no such event"], false),
        (&sample, &["--start", "100000"], false),
        (&sample, &["--end", "100000"], true),
    ] {
        let ran = run(command("etw").args(["slice", "-o"]).arg(&made).args(words).arg(trace));
        assert_eq!(ran.status == Some(0), succeeds, "{words:?} {trace}: {}", ran.stderr);
        assert_eq!(made.exists(), succeeds, "{words:?} {trace}");
        let no_event = ["no event", "there is no", "no such"].iter().any(|text| ran.stderr.contains(text));
        assert_eq!(no_event, !succeeds, "{words:?} {trace}: {}", ran.stderr);
        if succeeds {
            std::fs::remove_file(&made).unwrap();
        }
    }
}
