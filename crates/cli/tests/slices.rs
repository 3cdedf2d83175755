//! `etw slice` keeps of a process what `etw dump` shows of it, and says when events are.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{command, run, sample};
use serde_json::Value;

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
